//! `clc`: compiles OpenCL C and SPIR-V, for this machine's devices and for others.

use std::io::{IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail, ensure};
use muxcl_clc::command_line::{Cli, Color, Emit, Settings};
use muxcl_clc::compile::{Compiled, Failure, Job};
use muxcl_clc::devices::{self, Choices};
use muxcl_clc::input::Input;
use muxcl_clc::{dependencies, diagnostics};

/// The exit status for a program that does not compile or link.
const WRONG_PROGRAM: u8 = 1;
/// The exit status for all other errors: options, files, devices.
const OTHER_ERROR: u8 = 2;

fn main() -> ExitCode {
    let Settings { cli, options } = match Settings::parse(std::env::args_os()) {
        Ok(settings) => settings,
        Err(error) => {
            // If the terminal is gone, nobody reads the message.
            let _ = error.print();
            let status = if error.use_stderr() { OTHER_ERROR } else { 0 };
            return ExitCode::from(status);
        }
    };
    match run(&cli, &options) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(WRONG_PROGRAM),
        Err(error) => {
            report(&format!("clc: error: {error:#}\n"), cli.color);
            ExitCode::from(OTHER_ERROR)
        }
    }
}

/// Prints a log on standard error.
fn report(log: &str, color: Color) {
    let choice = match color {
        Color::Auto => anstream::ColorChoice::Auto,
        Color::Always => anstream::ColorChoice::Always,
        Color::Never => anstream::ColorChoice::Never,
    };
    let mut stderr = anstream::AutoStream::new(std::io::stderr().lock(), choice);
    // If the terminal is gone, nobody reads the log.
    let _ = stderr.write_all(diagnostics::colored(log).as_bytes());
}

/// Returns false if the program is wrong.
fn run(cli: &Cli, options: &[String]) -> Result<bool> {
    let choices = Choices {
        cpu: cli.cpu.clone(),
        features: cli.features.clone(),
        isa: cli.isa.clone(),
        vlen: cli.vlen,
        hals: cli.hal.iter().cloned().collect(),
    };
    if cli.list_devices {
        print(devices::table(&devices::all(&choices.hals)?).as_bytes())?;
        return Ok(true);
    }
    let device = devices::find(&cli.device, &choices)?;
    let inputs: Vec<Input> =
        cli.inputs.iter().map(|path| Input::read(path)).collect::<Result<_>>()?;
    let several = cli.compile_only && inputs.len() > 1;
    if several && (cli.output.is_some() || cli.dependency_file.is_some()) {
        bail!("-c has an output for each input, so -o and -MF need a single input");
    }
    let mut job = Job::new(&device.desc, options)?;
    // Each inner list has the inputs of one output.
    let outputs: Vec<&[Input]> =
        if cli.compile_only { inputs.chunks(1).collect() } else { vec![&inputs] };
    let mut good = true;
    for (number, inputs) in outputs.into_iter().enumerate() {
        let file = output(cli, &cli.inputs[number])?;
        let outcome = match (cli.compile_only, inputs) {
            (true, [input]) => job.object(input),
            _ => job.program(inputs),
        };
        let outcome = outcome.and_then(|made| write(cli, &mut job, made, file, inputs));
        report(&std::mem::take(&mut job.log), cli.color);
        match outcome {
            Ok(()) => {}
            Err(Failure::Program) => good = false,
            Err(Failure::Other(error)) => return Err(error),
        }
    }
    Ok(good)
}

/// Writes the output of `inputs` to a file or to standard output, and its dependencies.
fn write(
    cli: &Cli,
    job: &mut Job<'_>,
    compiled: Compiled,
    output: Option<PathBuf>,
    inputs: &[Input],
) -> Result<(), Failure> {
    let kernel = cli.kernel.as_deref().map(|name| (name, cli.local));
    let bytes = job.output(compiled.binary, cli.emit, kernel)?;
    if let Some(file) = &output {
        std::fs::write(file, &bytes).with_context(|| format!("cannot write {}", file.display()))?;
    } else {
        print(&bytes)?;
    }
    if !cli.write_dependencies && cli.dependency_file.is_none() {
        return Ok(());
    }
    let shown = output.as_ref().map_or_else(|| "-".to_owned(), |file| file.display().to_string());
    let target = cli.dependency_target.as_ref().unwrap_or(&shown);
    let beside = output.map(|file| file.with_extension("d"));
    let file = cli.dependency_file.clone().or(beside);
    let file = file.context("the output has no name, so -MD needs -MF FILE")?;
    let names = inputs.iter().filter(|input| input.folder.is_some()).map(|i| i.name.as_str());
    let files = names.chain(compiled.files.iter().map(String::as_str));
    let rule = dependencies::rule(target, files);
    std::fs::write(&file, rule).with_context(|| format!("cannot write {}", file.display()))?;
    Ok(())
}

/// Writes to standard output.
fn print(bytes: &[u8]) -> Result<()> {
    let mut stdout = std::io::stdout().lock();
    stdout.write_all(bytes).and_then(|()| stdout.flush()).context("cannot write to standard output")
}

/// The output's file, which by default is named after `input`; `None` for standard output.
fn output(cli: &Cli, input: &Path) -> Result<Option<PathBuf>> {
    let dash = Path::new("-");
    let file = match &cli.output {
        Some(path) if path != dash => path.clone(),
        None if input != dash => {
            let name = input.file_name().context("the input has no file name; use -o FILE")?;
            let object = cli.compile_only && cli.emit == Emit::Binary;
            Path::new(name).with_extension(if object { "o" } else { cli.emit.extension() })
        }
        _ => {
            let terminal = std::io::stdout().is_terminal() && !cli.emit.is_text();
            ensure!(!terminal, "standard output is a terminal; use -o FILE");
            return Ok(None);
        }
    };
    // A regular file: writing to /dev/null is no loss.
    if let Ok(real) = file.canonicalize()
        && real.is_file()
        && cli.inputs.iter().any(|input| input.canonicalize().is_ok_and(|input| input == real))
    {
        bail!("{} is an input and would be replaced; use another -o FILE", file.display());
    }
    Ok(Some(file))
}
