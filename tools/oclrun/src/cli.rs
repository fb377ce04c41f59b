//! The command line. A launch consists of `-k` and the `-g`, `-l`, `-o` and `-a` behind it.

use std::path::PathBuf;

use anyhow::{Context as _, Result, bail, ensure};
use clap::{ArgMatches, CommandFactory as _, FromArgMatches as _, Parser};
use muxcl_values::Tolerance;

use crate::argument::Argument;

/// The language of arguments, as `--help` shows it.
const LANGUAGE: &str = "\
Arguments (-a), numbered from 0 over the whole command line:
  buf:FILL[:TYPE[:COUNT]]           a buffer; TYPE from the kernel's parameter, COUNT work-items
  image:FILL:ORDER:CHANNEL[:WxHxD]  an image of one to three dimensions; r rg rgba bgra argb,
                                    i8..u32 f16 f32 un8 un16 sn8 sn16; size of the launch
  sampler:FILTER[:ADDRESSING][:normalized]
                                    nearest linear; none edge clamp repeat mirror
  local:BYTES                       local memory
  [TYPE:]EXPRESSION[,EXPRESSION]... a number or vector, of the kernel's parameter's type
  hex:DIGITS                        the bytes of a struct
  null                              a null pointer
  @N                                the memory of argument N, in a later launch
FILL   zero | iota | rand[=SEED[,LOW,HIGH]] | file=PATH | EXPRESSION
TYPE   i8 u8 i16 u16 i32 u32 i64 u64 f16 f32 f64, with x2 x3 x4 x8 x16 for vectors
Files that end in .txt or .csv hold numbers as text, others the bytes of the numbers.

In an EXPRESSION, i is the number in its buffer of n numbers, a0[i] the number i of argument 0
before the kernels run, a0 a number argument, and gx lx ox (y, z) the size, local size and offset.
It has C's operators, and min max abs sqrt exp log sin cos floor ceil rint trunc fma clamp popcount
sum(k, FROM, TO, E), [A, B, C][i], pi, inf and nan.

Exit status: 0 fine, 1 a --check or the --compare failed, 2 the kernel could not be run.";

/// The options.
#[derive(Parser, Debug)]
#[command(name = "oclrun", about = "Runs an OpenCL kernel on any device", after_help = LANGUAGE)]
pub(crate) struct Cli {
    /// OpenCL C, SPIR-V or a program binary; - is OpenCL C from standard input.
    #[arg(required_unless_present = "list_devices")]
    pub(crate) file: Option<String>,
    /// A kernel to launch; default: the only one of the program. Several run in their order; the
    /// options -g, -l, -o and -a belong to the -k before them.
    #[arg(short, long)]
    kernel: Vec<String>,
    /// Number of work-items: 1024, 64x64 or 8x8x8; default: that of the launch before.
    #[arg(short, long, value_name = "SIZE")]
    global: Vec<String>,
    /// Work-group size; default: the driver chooses.
    #[arg(short, long, value_name = "SIZE")]
    local: Vec<String>,
    /// Offset of the global ids.
    #[arg(short, long, value_name = "SIZE")]
    offset: Vec<String>,
    /// The next argument of the kernel, see below.
    #[arg(short, long = "arg", value_name = "ARGUMENT", allow_hyphen_values = true)]
    arguments: Vec<String>,
    /// Prints argument N after the kernels: N, N:FROM..TO or N:.. for all of it.
    #[arg(short, long, value_name = "N[:FROM..TO]")]
    pub(crate) print: Vec<String>,
    /// Writes argument N to a file, as numbers if it ends in .txt or .csv, else as bytes.
    #[arg(long, value_name = "N=FILE")]
    pub(crate) dump: Vec<String>,
    /// Compares argument N with a fill, such as `2=a0[i]+a1[i]` or 2=file=expected.txt.
    #[arg(long, value_name = "N=FILL")]
    pub(crate) check: Vec<String>,
    /// Accepts numbers at most this many units in the last place away.
    #[arg(long)]
    ulp: Option<u64>,
    /// Accepts numbers at most this far away.
    #[arg(long, value_name = "DIFFERENCE")]
    abs: Option<f64>,
    /// Accepts numbers at most this fraction of the expected number away.
    #[arg(long, value_name = "FRACTION")]
    rel: Option<f64>,
    /// Runs the kernels N times, each time with the initial contents, and prints the times.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) repeat: Option<u32>,
    /// Runs the kernels N more times first, which do not count.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) warmup: u32,
    /// Prints the counters of a HAL device of muxcl for each kernel, of its last launch.
    #[arg(long)]
    pub(crate) counters: bool,
    /// The device: its number in --list-devices, or a part of its name or of its platform's.
    #[arg(short, long, value_name = "DEVICE")]
    pub(crate) device: Option<String>,
    /// Runs the kernels on this device, too, and compares all buffers and images.
    #[arg(long, value_name = "DEVICE")]
    pub(crate) compare: Option<String>,
    /// Uses this driver (a library or an .icd file) instead of the installed ones. May be repeated.
    #[arg(long = "driver", value_name = "LIBRARY")]
    pub(crate) drivers: Vec<String>,
    /// Writes the program's binary, which oclrun also takes as its file.
    #[arg(long, value_name = "FILE")]
    pub(crate) binary: Option<PathBuf>,
    /// Prints the driver's log of a successful build, such as warnings.
    #[arg(long)]
    pub(crate) log: bool,
    /// Lists the devices.
    #[arg(long)]
    pub(crate) list_devices: bool,
    /// Options of clBuildProgram.
    #[arg(last = true, value_name = "BUILD_OPTION")]
    options: Vec<String>,
    /// The launches, which clap cannot group.
    #[arg(skip)]
    pub(crate) launches: Vec<Launch>,
}

/// A launch, as the command line says it.
#[derive(Debug, Default)]
pub(crate) struct Launch {
    /// The kernel; `None`: the only one of the program.
    pub(crate) kernel: Option<String>,
    /// Number of work-items in each dimension.
    pub(crate) global: Vec<usize>,
    /// Work-group size; `None`: the driver chooses.
    pub(crate) local: Option<Vec<usize>>,
    /// Offset of the global ids.
    pub(crate) offset: Option<Vec<usize>>,
    /// The arguments, each with its number on the command line.
    pub(crate) arguments: Vec<(usize, Argument)>,
}

impl Cli {
    /// Reads the command line; `None` if clap has answered, as for `--help`.
    pub(crate) fn read() -> Result<Option<Self>> {
        let matches = match Self::command().try_get_matches() {
            Ok(matches) => matches,
            Err(error) if error.use_stderr() => bail!("{}", usage(&error)),
            Err(error) => {
                error.print()?;
                return Ok(None);
            }
        };
        let mut cli = Self::from_arg_matches(&matches)?;
        if !cli.list_devices {
            cli.launches = launches(&cli, &matches)?;
        }
        Ok(Some(cli))
    }

    /// The tolerance of checks and comparisons.
    pub(crate) fn tolerance(&self) -> Tolerance {
        Tolerance { absolute: self.abs, relative: self.rel, ulps: self.ulp }
    }

    /// The build options as one text.
    pub(crate) fn build_options(&self) -> String {
        let quoted = self.options.iter().map(|option| match option.contains(' ') {
            true => format!("\"{option}\""),
            false => option.clone(),
        });
        quoted.collect::<Vec<_>>().join(" ")
    }
}

/// clap's message without its own `error:`.
fn usage(error: &clap::Error) -> String {
    let text = error.to_string();
    text.strip_prefix("error: ").unwrap_or(&text).trim_end().to_owned()
}

/// The values of an option, each with its place on the command line.
fn placed<'a>(matches: &ArgMatches, id: &str, values: &'a [String]) -> Vec<(usize, &'a str)> {
    let places = matches.indices_of(id).into_iter().flatten();
    places.zip(values.iter().map(String::as_str)).collect()
}

fn launches(cli: &Cli, matches: &ArgMatches) -> Result<Vec<Launch>> {
    let kernels = placed(matches, "kernel", &cli.kernel);
    let mut launches: Vec<Launch> = kernels
        .iter()
        .map(|(_, name)| Launch { kernel: Some((*name).to_owned()), ..Launch::default() })
        .collect();
    if launches.is_empty() {
        launches.push(Launch::default());
    }
    // The launch to which a place belongs: options before the first -k belong to it, too.
    let at = |place: usize| kernels.iter().skip(1).filter(|(start, _)| *start < place).count();
    for (place, text) in placed(matches, "global", &cli.global) {
        let sizes = sizes("-g", text)?;
        ensure!(!sizes.contains(&0), "-g {text}: a size is at least 1");
        let launch = &mut launches[at(place)];
        ensure!(launch.global.is_empty(), "-g {text}: the launch has a -g already");
        launch.global = sizes;
    }
    for (place, text) in placed(matches, "local", &cli.local) {
        let sizes = sizes("-l", text)?;
        ensure!(!sizes.contains(&0), "-l {text}: a size is at least 1");
        let before = launches[at(place)].local.replace(sizes);
        ensure!(before.is_none(), "-l {text}: the launch has a -l already");
    }
    for (place, text) in placed(matches, "offset", &cli.offset) {
        let before = launches[at(place)].offset.replace(sizes("-o", text)?);
        ensure!(before.is_none(), "-o {text}: the launch has a -o already");
    }
    for (number, (place, text)) in placed(matches, "arguments", &cli.arguments).iter().enumerate() {
        let argument = Argument::parse(text).with_context(|| format!("-a {text}"))?;
        launches[at(*place)].arguments.push((number, argument));
    }
    let mut global = Vec::new();
    for launch in &mut launches {
        if launch.global.is_empty() {
            launch.global.clone_from(&global);
        }
        global.clone_from(&launch.global);
        ensure!(!global.is_empty(), "-g is missing: the number of work-items, such as -g 1024");
        for (option, sizes) in [("-l", &launch.local), ("-o", &launch.offset)] {
            let Some(sizes) = sizes else { continue };
            ensure!(
                sizes.len() == global.len(),
                "{option} has {} dimension(s), -g has {}",
                sizes.len(),
                global.len()
            );
        }
    }
    Ok(launches)
}

fn sizes(option: &str, text: &str) -> Result<Vec<usize>> {
    let sizes: Option<Vec<usize>> = text.split('x').map(|size| size.parse().ok()).collect();
    let sizes = sizes.filter(|sizes| sizes.len() <= 3);
    sizes.with_context(|| {
        format!("{option} {text}: one to three numbers with x between them, such as 64x64")
    })
}
