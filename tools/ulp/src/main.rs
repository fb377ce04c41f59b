//! `muxcl-ulp`: measures functions on a device and writes `docs/accuracy.md`. Started by `cargo
//! xtask ulp`.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command line tool talks to its user"
)]

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};
use clap::Parser;
use muxcl_client::{Device, Platform};
use muxcl_ulp::bound::Freedom;
use muxcl_ulp::catalogue::{FUNCTIONS, Function, find};
use muxcl_ulp::format::Format;
use muxcl_ulp::kernel::Session;
use muxcl_ulp::measure::{Plan, measure};
use muxcl_ulp::report;

#[derive(Parser)]
#[command(
    name = "cargo xtask ulp",
    about = "Measures the accuracy of the OpenCL C library against MPFR"
)]
struct Cli {
    /// Every float for functions of one argument (minutes each).
    #[arg(long)]
    full: bool,
    /// A device whose name contains this, in any case; the first one otherwise.
    #[arg(long)]
    device: Option<String>,
    /// Random arguments per function and type, beside the special ones.
    #[arg(long, default_value_t = 100_000)]
    samples: usize,
    /// Threads that compute references.
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// Only these types: float, double, half.
    #[arg(long = "type")]
    types: Vec<String>,
    /// Only with these build options; otherwise without any, and float also with the relaxing ones.
    #[arg(long, allow_hyphen_values = true)]
    options: Option<String>,
    /// The document to write, with every function.
    #[arg(long)]
    write: Option<PathBuf>,
    /// Only these functions; nothing is written then.
    functions: Vec<String>,
}

/// Build options that relax results, and the deviations that they allow.
const RELAXED: [&str; 2] = ["-cl-unsafe-math-optimizations", "-cl-fast-relaxed-math"];

fn main() -> ExitCode {
    match run(&Cli::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// The deviations that `options` allow.
fn freedom(options: &str) -> Freedom {
    let has = |option: &str| options.split_whitespace().any(|one| one == option);
    let relaxed = has("-cl-fast-relaxed-math");
    let unsafe_math = relaxed || has("-cl-unsafe-math-optimizations");
    Freedom {
        flush: unsafe_math || has("-cl-denorms-are-zero"),
        finite_only: relaxed || has("-cl-finite-math-only"),
        no_signed_zeros: unsafe_math || has("-cl-no-signed-zeros"),
    }
}

fn device(wanted: Option<&str>) -> Result<Device> {
    let mut names = Vec::new();
    for platform in Platform::all()? {
        for device in platform.devices()? {
            let name = device.name()?;
            if wanted.is_none_or(|wanted| name.to_lowercase().contains(&wanted.to_lowercase())) {
                return Ok(device);
            }
            names.push(name);
        }
    }
    bail!("no device is called `{}`; there are: {}", wanted.unwrap_or_default(), names.join(", "))
}

fn wanted(names: &[String]) -> Result<Vec<&'static Function>> {
    if names.is_empty() {
        return Ok(FUNCTIONS.iter().collect());
    }
    let mut all = Vec::new();
    for name in names {
        let before = all.len();
        all.extend(find(name));
        // `sincos` has two rows.
        all.extend(
            FUNCTIONS.iter().filter(|function| function.name.starts_with(&format!("{name}: "))),
        );
        if all.len() == before {
            bail!("there is no function `{name}` in tools/ulp/src/catalogue.rs");
        }
    }
    Ok(all)
}

fn run(cli: &Cli) -> Result<bool> {
    let device = device(cli.device.as_deref())?;
    let name = device.name()?;
    let session = Session::new(device)?;
    let mut rows = Vec::new();
    println!("{name}");
    let sets = match &cli.options {
        Some(options) => vec![options.as_str()],
        None => [""].into_iter().chain(RELAXED).collect(),
    };
    for options in sets {
        let relaxed = RELAXED.iter().any(|one| options.contains(one));
        for function in wanted(&cli.functions)? {
            for format in Format::ALL {
                let bound = if relaxed && format == Format::Float {
                    function.relaxed
                } else {
                    function.bound(format)
                };
                let Some(bound) = bound else { continue };
                if (relaxed && format != Format::Float)
                    || (!cli.types.is_empty() && !cli.types.iter().any(|one| one == format.name()))
                    || !session.has(format)?
                {
                    continue;
                }
                let plan = Plan {
                    function,
                    format,
                    bound,
                    freedom: freedom(options),
                    options,
                    samples: cli.samples,
                    threads: cli.threads.max(1),
                    full: cli.full && !relaxed,
                };
                let row = measure(&session, &plan)?;
                println!("{}", row.line());
                rows.push(row);
            }
        }
    }
    let bad = rows.iter().filter(|row| row.bad > 0).count();
    if let (Some(path), true) = (&cli.write, cli.functions.is_empty()) {
        let old = std::fs::read_to_string(path).unwrap_or_default();
        let text = report::replaced(&old, &name, &report::section(&name, &rows));
        std::fs::write(path, text).with_context(|| path.display().to_string())?;
    }
    println!("{} rows, {bad} out of bound", rows.len());
    Ok(bad == 0)
}
