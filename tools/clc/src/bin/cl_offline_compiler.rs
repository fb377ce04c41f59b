//! `cl_offline_compiler`: what the tests of the Khronos CTS start with `--compilation-mode binary`.
//! The interface is `test_common/harness/cl_offline_compiler-interface.txt` of the CTS.
#![expect(clippy::print_stderr, reason = "a command line tool talks to its user")]

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};
use clap::Parser;
use muxcl_clc::command_line::Emit;
use muxcl_clc::compile::{Failure, Job};
use muxcl_clc::devices::{self, Device};
use muxcl_clc::input::Input;

#[derive(Parser)]
#[command(
    name = "cl_offline_compiler",
    about = "Compiles a program for the Khronos CTS to a program binary of muxcl"
)]
struct Cli {
    /// The compilation mode; only `binary` is known.
    #[arg(long)]
    mode: String,
    /// OpenCL C.
    #[arg(long)]
    source: PathBuf,
    /// The program binary.
    #[arg(long)]
    output: PathBuf,
    /// The description of the device, KEY=VALUE on each line.
    #[arg(long)]
    cl_device_info: PathBuf,
    /// Build options.
    #[arg(last = true)]
    options: Vec<String>,
}

fn main() -> ExitCode {
    match run(&Cli::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("cl_offline_compiler: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(cli: &Cli) -> Result<()> {
    if cli.mode != "binary" {
        bail!("mode `{}`: muxcl makes program binaries only, with --mode=binary", cli.mode);
    }
    let device = device(&cli.cl_device_info)?;
    let input = Input::read(&cli.source)?;
    let mut job = Job::new(&device.desc, &cli.options)?;
    let made = job
        .program(std::slice::from_ref(&input))
        .and_then(|compiled| job.output(compiled.binary, Emit::Binary, None));
    eprint!("{}", job.log);
    let bytes = made.map_err(|failure| match failure {
        Failure::Program => anyhow::Error::msg("the program does not compile"),
        Failure::Other(error) => error,
    })?;
    std::fs::write(&cli.output, bytes).with_context(|| cli.output.display().to_string())
}

/// The device of an info file, by its name: of the driver's devices in this environment, else one
/// that `clc` can describe.
fn device(info: &Path) -> Result<Device> {
    let shown = info.display();
    let text = std::fs::read_to_string(info).with_context(|| shown.to_string())?;
    let name = value(&text, "CL_DEVICE_NAME")
        .with_context(|| format!("{shown} has no line CL_DEVICE_NAME=\"...\""))?;
    let device = devices::find_full_name(name).with_context(|| shown.to_string())?;
    let bits = value(&text, "CL_DEVICE_ADDRESS_BITS").unwrap_or_default();
    if bits.parse() != Ok(device.desc.address_bits) {
        bail!(
            "{shown}: addresses of {bits} bits, but those of `{name}` have {}",
            device.desc.address_bits
        );
    }
    Ok(device)
}

/// The value of `key`, without quotes.
fn value<'t>(text: &'t str, key: &str) -> Option<&'t str> {
    let of_line = |line: &'t str| line.strip_prefix(key)?.strip_prefix('=');
    text.lines().find_map(of_line).map(|value| value.trim().trim_matches('"').trim())
}
