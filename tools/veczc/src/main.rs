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
use muxcl_llvm::{Context, Module};
use muxcl_muxc::command_line::{DeviceArgs, LaunchArgs, with_lines, with_stack};
use muxcl_muxc::{kernel_names, parse, read};
use muxcl_passes::{Options, Runner, Settings};

/// The start of the symbols of kernels' entry points (docs/kernel-abi.md).
const ENTRY: &str = "muxcl.kernel.";

#[derive(Parser)]
#[command(name = "veczc", about = "Shows how the work-items of a kernel become lanes of vectors")]
struct Cli {
    /// OpenCL C, or LLVM IR as text (`.ll`) or bitcode, as the front end writes it.
    file: PathBuf,
    #[command(flatten)]
    device: DeviceArgs,
    #[command(flatten)]
    launch: LaunchArgs,
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

fn main() -> ExitCode {
    let cli = Cli::parse();
    match with_stack(move || run(&cli)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(cli: &Cli) -> Result<()> {
    let machine = cli.device.machine()?;
    let context = Context::new();
    context.discard_value_names(false);
    // The report names source lines; the output has debug information only if the user wants it.
    let (options, lines) = with_lines(&cli.options);
    let name = cli.file.display();
    let bytes = fs::read(&cli.file).with_context(|| name.to_string())?;
    let input = read(&cli.file, &bytes).with_context(|| name.to_string())?;
    let (mut module, log) = parse(&context, input, &options, &machine.device)
        .with_context(|| format!("{name} does not compile"))?;
    eprint!("{log}");
    let passes = Options { report: true, ..Options::default() };
    let settings = Settings::default();
    let library = machine.library();
    let target = &machine.target;
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
    for kernel in kernel_names(&program, cli.launch.kernel.as_deref())? {
        let key = cli.launch.key();
        target.specialise(&program.program(&library), kernel, &key, &settings, &mut runner)?;
    }
    drop(runner);
    let names = names.into_inner();
    let text = match shown.into_inner() {
        _ if cli.pass == "list" => names.join("\n") + "\n",
        text if !text.is_empty() => text,
        _ if cli.device.scalar && cli.pass == "vecz" => {
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
