//! clik: brings up a HAL. It builds small C kernels for the HAL's device, runs them through the
//! HAL's library and checks every result: `clik run --hal NAME --all`. Invariant: the exit status
//! is success only if every supported example passed. Not here: OpenCL, which a HAL that passes is
//! ready for.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command line tool talks to its user"
)]

mod async_api;
mod compile;
mod description;
mod examples;
mod sync_api;

use anyhow::{Context as _, Result, bail};
use clap::{Args, Parser, Subcommand};
use description::Description;
use examples::{Api, EXAMPLES, Example, Need};
use muxcl_hal::search::{Options, load};
use muxcl_hal::target::{Extensions, Target};
use muxcl_hal::{DeviceInfo, Hal};
use muxcl_lock::{Mutex, Rank};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;
use sync_api::Context;

#[derive(Parser)]
#[command(about = "The HAL bring-up kit: runs small kernels on a HAL library and checks them")]
struct Cli {
    #[command(subcommand)]
    command: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// List the examples.
    List,
    /// Build examples for a HAL's device.
    Build {
        #[command(flatten)]
        hal: HalArgs,
        /// Output folder of the programs.
        #[arg(long, default_value = "clik-build")]
        out: PathBuf,
        /// Names of the examples; all if none is given.
        examples: Vec<String>,
    },
    /// Build examples and run them.
    Run {
        #[command(flatten)]
        hal: HalArgs,
        /// Run every example.
        #[arg(long, conflicts_with = "examples")]
        all: bool,
        /// Show the text that kernels print.
        #[arg(long, short)]
        verbose: bool,
        /// Show what each kernel has executed: hot code, source lines, bytes read and written.
        #[arg(long)]
        profile: bool,
        /// Names of the examples.
        #[arg(required_unless_present = "all")]
        examples: Vec<String>,
    },
}

#[derive(Args)]
struct HalArgs {
    /// Name of a HAL (`cpu` is libhal_cpu.so) or path of a HAL library.
    #[arg(long)]
    hal: String,
    /// The HAL's clik.toml, if clik cannot find it by itself.
    #[arg(long)]
    description: Option<PathBuf>,
    /// One of the description's modes; all modes one after the other if none is given.
    #[arg(long)]
    mode: Option<String>,
    /// Index of the HAL's device.
    #[arg(long, default_value_t = 0)]
    device: u32,
    /// This process already has the mode's environment.
    #[arg(long, hide = true)]
    in_mode: bool,
}

fn main() -> ExitCode {
    match dispatch(&Cli::parse().command) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("clik: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn dispatch(verb: &Verb) -> Result<bool> {
    let (hal, names) = match verb {
        Verb::List => {
            for example in EXAMPLES {
                println!("{:<22} {:<6} {}", example.name, api(example), example.what);
            }
            return Ok(true);
        }
        Verb::Build { hal, examples, .. } | Verb::Run { hal, examples, .. } => (hal, examples),
    };
    if let Some(unknown) = names.iter().find(|name| EXAMPLES.iter().all(|e| e.name != **name)) {
        bail!("no example `{unknown}`; `clik list` shows them");
    }
    let library = library(&hal.hal);
    let file = hal
        .description
        .clone()
        .or_else(|| Description::find(&short_name(&hal.hal), library.as_deref()));
    let described = file.is_some();
    let description =
        file.as_deref().map_or_else(|| Ok(Description::default()), Description::read)?;
    if !hal.in_mode && !description.modes.is_empty() {
        return in_modes(hal, &description);
    }
    let description = description.in_mode(hal.mode.as_deref())?;
    let mut bench = Bench::open(hal, library, description)?;
    if !described {
        bench.find_target()?;
    }
    match verb {
        Verb::Build { out, .. } => bench.build(names, out),
        Verb::Run { verbose, profile, .. } => bench.run(names, *verbose, *profile),
        Verb::List => Ok(true),
    }
}

fn api(example: &Example) -> &'static str {
    match example.api {
        Api::Sync => "sync",
        Api::Async => "async",
    }
}

/// The HAL's name: `refsi` for `refsi` and for `/somewhere/libhal_refsi.so`.
fn short_name(hal: &str) -> String {
    let file =
        Path::new(hal).file_name().map(|f| f.to_string_lossy().into_owned()).unwrap_or_default();
    file.strip_prefix("libhal_").and_then(|f| f.strip_suffix(".so")).unwrap_or(&file).to_owned()
}

/// Finds the library beside this program or in the installation tree.
fn library(hal: &str) -> Option<PathBuf> {
    if hal.contains('/') {
        return std::path::absolute(hal).ok();
    }
    let folder = std::env::current_exe().ok()?.parent()?.to_owned();
    let file = format!("libhal_{hal}.so");
    ["", "../lib", "../lib/hal.d"]
        .into_iter()
        .map(|below| folder.join(below).join(&file))
        .find(|path| path.is_file())
}

/// Runs this program again for each mode, because HALs read their environment once.
fn in_modes(hal: &HalArgs, description: &Description) -> Result<bool> {
    let modes: Vec<&String> = match &hal.mode {
        Some(mode) => vec![
            description.modes.get_key_value(mode).with_context(|| format!("no mode `{mode}`"))?.0,
        ],
        None => description.modes.keys().collect(),
    };
    let mut good = true;
    for name in modes {
        let mut command = Command::new(std::env::current_exe()?);
        command
            .args(std::env::args_os().skip(1))
            .arg("--in-mode")
            .envs(&description.modes[name].env);
        if hal.mode.is_none() {
            command.args(["--mode", name]);
        }
        let status = command.status().context("cannot start myself")?;
        if status.code().is_none() {
            eprintln!("clik: mode `{name}`: {status}");
        }
        good &= status.success();
    }
    Ok(good)
}

/// A device and its build settings.
struct Bench {
    context: Context,
    description: Description,
    mode: Option<String>,
}

impl Bench {
    fn open(args: &HalArgs, library: Option<PathBuf>, description: Description) -> Result<Self> {
        let device = library.map_or_else(|| args.hal.clone(), |path| path.display().to_string());
        let options = Options { device: Some(device), ..Options::default() };
        // SAFETY: the user chose the library.
        let hal: Box<dyn Hal> = unsafe { load(&options) }?;
        let context = Context::new(&*hal, args.device)?;
        let info = &context.info;
        let isa = Target { xlen: info.word_size, extensions: info.extensions };
        let mode = args.mode.as_ref().map_or_else(String::new, |m| format!(", mode {m}"));
        println!(
            "HAL `{}`, device {}: {} ({isa}, groups of at most {}{mode})",
            hal.name(),
            args.device,
            info.target_name,
            info.max_workgroup_size
        );
        Ok(Self { context, description, mode: args.mode.clone() })
    }

    /// Chooses the build settings of a HAL without a description. The device's properties apply,
    /// but the interface cannot express "native code of this machine". A device that refuses a
    /// program for its stated instruction set but loads a native shared object runs native code.
    fn find_target(&mut self) -> Result<()> {
        let takes = |description: &Description| -> Result<bool> {
            let elf = compile::build(description, &self.context.info, "hello", false)?;
            Ok(self.context.program(&elf).is_ok())
        };
        // A failed build is reported by the examples themselves.
        if takes(&self.description).unwrap_or(true) {
            return Ok(());
        }
        let native = Description::native();
        if takes(&native)? {
            println!("  the device takes native code of this machine");
            self.description = native;
        }
        Ok(())
    }

    fn chosen<'a>(&self, names: &'a [String]) -> impl Iterator<Item = &'static Example> + use<'a> {
        EXAMPLES.iter().filter(move |e| names.is_empty() || names.iter().any(|n| n == e.name))
    }

    /// The reason why the device does not support the example; `None` if it does.
    fn unsupported(&self, example: &Example) -> Option<String> {
        if let Some(reason) = self.description.unsupported.get(example.name) {
            return Some(reason.clone());
        }
        if compile::own_entry(&self.description, example.name).is_some_and(|path| !path.is_file()) {
            return Some("the HAL has no entry file for it".to_owned());
        }
        let info: &DeviceInfo = &self.context.info;
        example.needs.iter().find_map(|need| match need {
            Need::Floats if !info.extensions.contains(Extensions::F) => {
                Some("no floating point".to_owned())
            }
            Need::Group(n) if *n > u64::from(info.max_workgroup_size) => {
                Some(format!("needs groups of {n}"))
            }
            _ => None,
        })
    }

    fn build(&self, names: &[String], out: &Path) -> Result<bool> {
        let out = self.mode.as_ref().map_or_else(|| out.to_owned(), |mode| out.join(mode));
        std::fs::create_dir_all(&out).with_context(|| out.display().to_string())?;
        for example in self.chosen(names) {
            let path = out.join(format!("{}.elf", example.name));
            if let Some(reason) = self.unsupported(example) {
                println!("{:<22} not supported: {reason}", example.name);
            } else if example.api == Api::Async
                || !self.chosen(names).any(|e| e.name == example.name && e.api == Api::Async)
            {
                let elf =
                    compile::build(&self.description, &self.context.info, example.name, false)?;
                std::fs::write(&path, &elf)?;
                println!("{:<22} {} ({} bytes)", example.name, path.display(), elf.len());
            }
        }
        Ok(true)
    }

    fn run(&self, names: &[String], verbose: bool, profile: bool) -> Result<bool> {
        let (mut passed, mut failed, mut left_out) = (0, 0, 0);
        if profile && !self.context.begin_profile() {
            bail!("this HAL has no profile of kernels");
        }
        let built = self.build_all(names, profile);
        for example in self.chosen(names) {
            let line = format!("  {:<22} {:<6}", example.name, api(example));
            if let Some(reason) = self.unsupported(example) {
                left_out += 1;
                println!("{line} not supported: {reason}");
                continue;
            }
            let elf =
                built.get(example.name).context("it was not built").and_then(|elf| match elf {
                    Ok(elf) => Ok(elf),
                    Err(error) => bail!("{error:#}"),
                });
            let start = Instant::now();
            match elf.and_then(|elf| (example.run)(&self.context, &self.context.program(elf)?)) {
                Ok(text) => {
                    passed += 1;
                    println!("{line} pass   {:>8.2} ms", start.elapsed().as_secs_f64() * 1e3);
                    if verbose {
                        text.lines().for_each(|l| println!("    | {l}"));
                    }
                }
                Err(error) => {
                    failed += 1;
                    println!("{line} FAIL   {error:#}");
                }
            }
        }
        println!("  {passed} passed, {failed} failed, {left_out} not supported");
        if profile {
            println!("\n{}", self.context.profile().unwrap_or_default());
        }
        Ok(failed == 0 && passed > 0)
    }

    /// Builds the programs of the chosen examples, on as many threads as processors. With `lines`,
    /// they have source lines.
    fn build_all(&self, names: &[String], lines: bool) -> BTreeMap<&'static str, Result<Vec<u8>>> {
        let wanted: BTreeSet<&'static str> =
            self.chosen(names).filter(|e| self.unsupported(e).is_none()).map(|e| e.name).collect();
        let (description, info) = (&self.description, &*self.context.info);
        let work = Mutex::new(Rank::Leaf, wanted.into_iter());
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        std::thread::scope(|scope| {
            let build = || {
                let mut built = Vec::new();
                while let Some(name) = { work.lock().next() } {
                    built.push((name, compile::build(description, info, name, lines)));
                }
                built
            };
            let threads: Vec<_> = (0..threads).map(|_| scope.spawn(build)).collect();
            // A thread that panicked has no results, so its examples count as not built.
            threads.into_iter().flat_map(|t| t.join().unwrap_or_default()).collect()
        })
    }
}
