//! `veczc`: compiles OpenCL C or IR and prints the kernels after the pass that makes the work-items
//! lanes of vectors.
//!
//! `veczc kernel.cl` shows what the driver would do on this machine; options choose the number of
//! lanes, another processor, a RISC-V device, the local size and another pass. A line on stderr for
//! each loop over work-items says how many lanes it has, along which dimension, and how many
//! vectors and rows run side by side, or why it stays scalar.
//!
//! Invariant: the pipeline is the driver's, with the passes, options and library of the driver; the
//! program adds nothing to it. Not here: running kernels (`docs/vecz.md` names the tests).
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command line tool talks to its user"
)]

use std::cell::RefCell;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};
use clap::Parser;
use muxcl_compiler::Library;
use muxcl_frontend_clang::options::{BuildOptions, Stage};
use muxcl_frontend_clang::{Input, compile};
use muxcl_llvm::{Context, Module};
use muxcl_passes::{CodeTarget, Options, Runner, Settings};
use muxcl_target_host::{Target, Vectors};
use muxcl_types::device::{DeviceDesc, HalTarget};
use muxcl_types::variant::SpecializationKey;

/// The start of the symbols of kernels' entry points (docs/kernel-abi.md).
const ENTRY: &str = "muxcl.kernel.";
/// Stack of the thread that runs clang and LLVM, in bytes.
const STACK: usize = 64 << 20;

#[derive(Parser)]
#[command(name = "veczc", about = "Shows how the work-items of a kernel become lanes of vectors")]
struct Cli {
    /// OpenCL C, or LLVM IR as text (`.ll`) as the front end writes it.
    file: PathBuf,
    /// Lanes of each loop over work-items, a power of two. Without it the cost model chooses, and
    /// may keep a loop scalar.
    #[arg(long, value_parser = lanes, conflicts_with = "scalar")]
    lanes: Option<u32>,
    /// No lanes: only LLVM's loop vectorizer, as with `MUXCL_VECZ=0`.
    #[arg(long)]
    scalar: bool,
    /// A processor by LLVM's name, such as `x86-64-v4`; default: this machine's.
    #[arg(long)]
    cpu: Option<String>,
    /// Features besides those of the processor's name, such as `+avx512f,+avx512vl`.
    #[arg(long, default_value = "", requires = "cpu", allow_hyphen_values = true)]
    features: String,
    /// Compiles for a RISC-V device with this instruction set, such as `RV64GCV`, instead of a CPU.
    #[arg(long, conflicts_with = "cpu")]
    isa: Option<String>,
    /// The length of the RISC-V device's vector registers in bits; 0: not known at compile time,
    /// so that vectors are scalable.
    #[arg(long, default_value_t = 0, requires = "isa")]
    vlen: u32,
    /// The kernel; default: every kernel of the program.
    #[arg(long)]
    kernel: Option<String>,
    /// The local size of the launch, such as `16,16`; default: not known.
    #[arg(long, value_parser = local_size)]
    local: Option<[u32; 3]>,
    /// The local size that the kernel sees, if `--local` is that of several groups that run as one.
    #[arg(long, requires = "local", requires = "uniform", value_parser = local_size)]
    seen: Option<[u32; 3]>,
    /// All groups have the local size: the global size is a multiple of it.
    #[arg(long, requires = "local")]
    uniform: bool,
    /// Options of clBuildProgram.
    #[arg(long, default_value = "-cl-std=CL3.0", allow_hyphen_values = true)]
    options: String,
    /// Shows the output of this pass instead. `list` prints the names of the passes that ran.
    #[arg(long, default_value = "vecz")]
    pass: String,
    /// The file for the IR; default: standard output.
    #[arg(short)]
    output: Option<PathBuf>,
}

fn lanes(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(lanes @ (2 | 4 | 8 | 16 | 32 | 64)) => Ok(lanes),
        _ => Err("not a power of two from 2 to 64".to_owned()),
    }
}

/// Reads one to three numbers with commas between them; the others are 1.
fn local_size(text: &str) -> Result<[u32; 3], String> {
    let mut size = [1; 3];
    for (number, part) in text.split(',').enumerate() {
        let dimension = size.get_mut(number).ok_or("more than three numbers")?;
        *dimension = match part.parse() {
            Ok(count @ 1..) => count,
            _ => return Err(format!("{part} is not a number of work-items")),
        };
    }
    Ok(size)
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let worker = std::thread::Builder::new().stack_size(STACK).spawn(move || run(&cli));
    let outcome = worker.context("no thread can be started").and_then(|worker| {
        worker.join().unwrap_or_else(|_| Err(anyhow::anyhow!("the compiler panicked")))
    });
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(cli: &Cli) -> Result<()> {
    let vectors = match cli.lanes {
        Some(lanes) => Vectors::Always(lanes),
        None if cli.scalar => Vectors::Llvm,
        None => Vectors::Faster,
    };
    let (device, target) = machine(cli, vectors)?;
    let device = &device;
    let context = Context::new();
    context.discard_value_names(false);
    // The report names source lines; the output has debug information only if the user wants it.
    let lines = !cli.options.split_whitespace().any(|option| option.starts_with("-g"));
    let more = if lines { " -gline-tables-only" } else { "" };
    let mut module = parse(cli, &format!("{}{more}", cli.options), &context, device)?;
    let passes = Options { report: true, ..Options::default() };
    let settings = Settings::default();
    let library = Library::new(device.address_bits, device.hal.as_ref());
    // The names of the passes, and the wanted output.
    let (names, shown) = (RefCell::new(Vec::new()), RefCell::new(String::new()));
    let mut observe = |pass: &str, module: &Module<'_>| {
        if !names.borrow().iter().any(|name| name == pass) {
            names.borrow_mut().push(pass.to_owned());
        }
        if pass == cli.pass && lines {
            show(&module.without_debug(), &mut shown.borrow_mut());
        } else if pass == cli.pass {
            show(module, &mut shown.borrow_mut());
        }
    };
    let mut runner = Runner::with_observer(&passes, &mut observe);
    let program = target.finalise(&context, &mut module, &library, &settings, &mut runner)?;
    let known: Vec<&str> = program.info.kernels.iter().map(|k| k.name.as_str()).collect();
    let kernels = match &cli.kernel {
        Some(name) if !known.contains(&name.as_str()) => {
            bail!("no kernel is named {name}; the program has {}", known.join(", "))
        }
        Some(name) => vec![name.as_str()],
        None => known,
    };
    let key = SpecializationKey {
        local_size: cli.local,
        seen_local_size: cli.seen,
        zero_offset: true,
        uniform: cli.uniform,
        small_ids: true,
        ..SpecializationKey::default()
    };
    for kernel in kernels {
        target.specialise(&program.program(&library), kernel, &key, &settings, &mut runner)?;
    }
    drop(runner);
    let names = names.into_inner();
    let text = match shown.into_inner() {
        _ if cli.pass == "list" => names.join("\n") + "\n",
        text if !text.is_empty() => text,
        _ if cli.scalar && cli.pass == "vecz" => {
            bail!("with --scalar there is no pass vecz; --pass list names the others")
        }
        _ => bail!("no pass is named {}, or it ran on no kernel; --pass list", cli.pass),
    };
    match &cli.output {
        Some(path) => fs::write(path, text).with_context(|| path.display().to_string()),
        None => {
            print!("{text}");
            Ok(())
        }
    }
}

/// The description of the device to compile for, and its code generator.
fn machine(cli: &Cli, vectors: Vectors) -> Result<(DeviceDesc, Box<dyn CodeTarget>)> {
    let host = muxcl_mux_host::HostDevice::create().info().desc.clone();
    let Some(isa) = &cli.isa else {
        let target =
            cli.cpu.as_ref().map_or_else(Target::native, |cpu| Target::new(cpu, &cli.features));
        return Ok((host, Box::new(target.with_vectors(vectors))));
    };
    let hal = HalTarget { isa: isa.clone(), vlen: cli.vlen, ..HalTarget::default() };
    let target = muxcl_target_riscv::Target::new(&hal)?.with_vectors(vectors);
    let (id, address_bits) = (target.id().to_owned(), target.isa().xlen);
    Ok((DeviceDesc { id, address_bits, hal: Some(hal), ..host }, Box::new(target)))
}

fn parse<'c>(
    cli: &Cli,
    options: &str,
    context: &'c Context,
    device: &DeviceDesc,
) -> Result<Module<'c>> {
    let text = fs::read(&cli.file).with_context(|| cli.file.display().to_string())?;
    if cli.file.extension().is_some_and(|extension| extension == "ll") {
        return Ok(Module::parse_text(context, &String::from_utf8(text)?)?);
    }
    let options = BuildOptions::parse(options, Stage::Compile)?;
    let input = Input {
        source: &text,
        headers: &[],
        options: &options,
        device,
        keep_names: true,
        directory: None,
        opener: None,
    };
    let output = compile(context, &input);
    context.reset_handler();
    eprint!("{}", output.log);
    output.module.with_context(|| format!("{} does not compile", cli.file.display()))
}

/// Appends the entry points of kernels, or before these exist all definitions of the program.
fn show(module: &Module<'_>, out: &mut String) {
    let all = module.definitions();
    let is_entry = |name: &str| name.starts_with(ENTRY);
    let has_entry = all.iter().any(|f| is_entry(&f.name()));
    for f in all.into_iter().filter(|f| !has_entry || is_entry(&f.name())) {
        // Writing to a String cannot fail.
        let _ = writeln!(out, "{}", f.value());
    }
}
