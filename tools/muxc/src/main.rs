//! `muxc`: runs the driver's pipeline, or any list of its passes and LLVM's, on OpenCL C or LLVM
//! IR, and prints the IR of each stage. The IR is verified after each pass.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command line tool talks to its user"
)]

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};
use clap::Parser;
use muxcl_llvm::{Context, Module};
use muxcl_muxc::command_line::{DeviceArgs, LaunchArgs, with_lines, with_stack};
use muxcl_muxc::{functions, kernel_names, list, parse, read, run_list};
use muxcl_passes::codegen::catalogue::{self, Environment};
use muxcl_passes::{Options, Runner, Settings, pipeline};

#[derive(Parser)]
#[command(name = "muxc", about = "Runs passes on OpenCL C or LLVM IR and prints each stage")]
struct Cli {
    /// OpenCL C, or LLVM IR as text (`.ll`) or bitcode.
    #[arg(required_unless_present = "list_passes")]
    file: Option<PathBuf>,
    /// Passes to run, with commas between them, such as `prepare,llvm(instcombine)`; default: the
    /// driver's pipeline.
    #[arg(long, value_name = "LIST")]
    passes: Option<String>,
    /// Lists the passes for --passes.
    #[arg(long)]
    list_passes: bool,
    /// Prints the IR after these passes: a list of names, in which * matches any part; default: at
    /// the end of --passes, or before code generation for each kernel.
    #[arg(long, value_name = "LIST", conflicts_with = "print_after_all")]
    print_after: Option<String>,
    /// Prints the IR after every pass.
    #[arg(long)]
    print_after_all: bool,
    /// Prints the names of the passes as they run, instead of IR.
    #[arg(long, conflicts_with_all = ["print_after", "print_after_all"])]
    trace: bool,
    /// Prints only this function. May be repeated.
    #[arg(long, value_name = "NAME")]
    function: Vec<String>,
    /// Prints the time of each pass to stderr.
    #[arg(long)]
    time: bool,
    #[command(flatten)]
    device: DeviceArgs,
    #[command(flatten)]
    launch: LaunchArgs,
    /// The file for the output; default: standard output.
    #[arg(short)]
    output: Option<PathBuf>,
    /// Options of clBuildProgram.
    #[arg(last = true, value_name = "BUILD_OPTION")]
    options: Vec<String>,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    match with_stack(move || muxc(&cli)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// The last pass of the pipeline before code generation.
const LAST: &str = "scheduling-boundaries";

/// What is printed.
struct Shown<'a> {
    cli: &'a Cli,
    /// The source lines are for messages only.
    hide_lines: bool,
    text: String,
}

impl Shown<'_> {
    fn after(&mut self, pass: &str, module: &Module<'_>) {
        let Cli { print_after, print_after_all, trace, passes, .. } = self.cli;
        let default = if passes.is_some() { "" } else { LAST };
        let wanted = print_after.as_deref().unwrap_or(default);
        // Writing to a String cannot fail.
        if *trace {
            let _ = writeln!(self.text, "{pass}");
        } else if *print_after_all || pipeline::matches(wanted, pass) {
            let ir = self.ir(module);
            let _ = writeln!(self.text, "; ==== after {pass} ====\n{ir}");
        }
    }

    fn ir(&self, module: &Module<'_>) -> String {
        match self.hide_lines {
            true => functions(&module.without_debug(), &self.cli.function),
            false => functions(module, &self.cli.function),
        }
    }
}

fn muxc(cli: &Cli) -> Result<()> {
    if cli.list_passes {
        let width = catalogue::ALL.iter().map(|pass| pass.name.len()).max().unwrap_or(0);
        for pass in catalogue::ALL {
            println!("{:<width$}  {}", pass.name, pass.about);
        }
        println!("{:<width$}  passes of LLVM, as opt -passes reads them", "llvm(...)");
        return Ok(());
    }
    let items = cli.passes.as_deref().map(list).transpose()?;
    let machine = cli.device.machine()?;
    let context = Context::new();
    context.discard_value_names(false);
    let path = cli.file.as_ref().context("no file is given")?;
    let name = path.display();
    let bytes = fs::read(path).with_context(|| name.to_string())?;
    let options =
        if cli.options.is_empty() { "-cl-std=CL3.0".to_owned() } else { cli.options.join(" ") };
    let (options, hide_lines) = with_lines(&options);
    let input = read(path, &bytes).with_context(|| name.to_string())?;
    let (mut module, log) = parse(&context, input, &options, &machine.device)
        .with_context(|| format!("{name} does not compile"))?;
    eprint!("{log}");
    module.verify().with_context(|| name.to_string())?;
    let settings = Settings::default();
    let library = machine.library();
    let mut shown = Shown { cli, hide_lines, text: String::new() };
    let passes = Options { verify: true, time: cli.time, ..Options::default() };
    let mut observe = |pass: &str, module: &Module<'_>| shown.after(pass, module);
    let mut runner = Runner::with_observer(&passes, &mut observe);
    let key = cli.launch.key();
    if let Some(items) = items {
        let environment = Environment {
            context: &context,
            target: &*machine.target,
            library: &library,
            settings: &settings,
            kernel: cli.launch.kernel.as_deref(),
            key: &key,
        };
        run_list(&items, &environment, &mut module, &mut runner)?;
    } else {
        let target = &machine.target;
        let program = target.finalise(&context, &mut module, &library, &settings, &mut runner)?;
        for kernel in kernel_names(&program, cli.launch.kernel.as_deref())? {
            target.specialise(&program.program(&library), kernel, &key, &settings, &mut runner)?;
        }
    }
    drop(runner);
    if shown.text.is_empty() {
        match &cli.print_after {
            None => shown.text = shown.ir(&module),
            Some(wanted) => {
                bail!("no pass that ran is named {wanted}; --trace shows which passes run")
            }
        }
    }
    let text = shown.text;
    match &cli.output {
        Some(path) => fs::write(path, text).with_context(|| path.display().to_string()),
        None => {
            print!("{text}");
            Ok(())
        }
    }
}
