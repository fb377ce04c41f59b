//! `cargo xtask nightly`: the checks that take too long for every change.
//!
//! Invariant: every step runs, whatever the others report. The command fails if a step fails or
//! cannot run.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use anyhow::{Result, bail};

use crate::sanitize::{SanitizeArgs, Sanitizer, sanitize};
use crate::{build, fuzz, models, run};

/// Crates whose tests call no foreign function, so Miri can interpret them.
const INTERPRETED: [&str; 4] = ["muxcl-lock", "muxcl-types", "muxcl-rv-isa", "muxcl-spirv"];

/// Arguments of `nightly`.
#[derive(clap::Args)]
pub(crate) struct NightlyArgs {
    /// Seconds for each fuzz target, and for hostile sources on each device.
    #[arg(long, default_value_t = 600)]
    fuzz_seconds: u32,
    /// Only these steps: `address`, `thread`, `models`, `files`, `hostile`, `fuzz`, `miri`.
    steps: Vec<String>,
}

/// Runs the steps and reports all that failed.
///
/// # Errors
/// A step is unknown, fails, or cannot run.
pub(crate) fn nightly(args: &NightlyArgs) -> Result<()> {
    let seconds = args.fuzz_seconds;
    let sanitizer =
        |sanitizer| sanitize(&SanitizeArgs { sanitizer, package: Vec::new(), rest: Vec::new() });
    let steps: [(&str, &dyn Fn() -> Result<()>); 7] = [
        ("address", &|| sanitizer(Sanitizer::Address)),
        ("thread", &|| sanitizer(Sanitizer::Thread)),
        ("models", &|| models::models(&models::ModelsArgs { full: true, rest: Vec::new() })),
        ("files", &files),
        ("hostile", &|| hostile(seconds)),
        ("fuzz", &|| fuzz::fuzz(&fuzz::FuzzArgs { seconds, jobs: 2, targets: Vec::new() })),
        ("miri", &miri),
    ];
    if let Some(unknown) = args.steps.iter().find(|s| steps.iter().all(|(name, _)| name != s)) {
        bail!("there is no step `{unknown}`");
    }
    let mut failed = Vec::new();
    for (name, step) in steps {
        if !args.steps.is_empty() && args.steps.iter().all(|wanted| wanted != name) {
            continue;
        }
        let start = Instant::now();
        println!("== {name}");
        match step() {
            Ok(()) => println!("== {name} passed in {:.0?}", start.elapsed()),
            Err(error) => {
                println!("== {name} failed after {:.0?}: {error:#}", start.elapsed());
                failed.push(name);
            }
        }
    }
    if failed.is_empty() { Ok(()) } else { bail!("failed: {}", failed.join(", ")) }
}

/// The file tests of the compiler, with the variants that `cargo xtask test` leaves out.
fn files() -> Result<()> {
    let mut command = run::cargo();
    command.args(["test", "--package", "muxcl-filetests", "--test", "filetests"]);
    command.args(["--test", "dimensions"]);
    run::check(command.env("FILETESTS_FULL", "1"))
}

/// Builds of hostile sources, for `seconds` seconds on each device.
fn hostile(seconds: u32) -> Result<()> {
    build::development()?;
    let mut command = run::cargo();
    command.args(["test", "--package", "muxcl-test-api", "--test", "hostile"]);
    run::check(command.env("MUXCL_TEST_SECONDS", seconds.to_string()))
}

/// Interprets the tests of [`INTERPRETED`] with Miri, which exists for nightly toolchains only.
///
/// Data races and undefined behaviour are errors; leaks are not, as in the sanitizers' runs.
fn miri() -> Result<()> {
    // rustup's cargo chooses the toolchain; the one that runs this program is the pinned stable
    // one.
    let cargo = Path::new("cargo");
    let miri = |arguments: &[&str]| {
        let mut command = Command::new(cargo);
        command.current_dir(run::root()).env_remove("RUSTUP_TOOLCHAIN").arg("+nightly");
        command.arg("miri").args(arguments);
        command
    };
    if !run::succeeds(&mut miri(&["--version"])) {
        bail!(
            "Miri is not installed: `rustup toolchain install nightly --component miri,rust-src`, \
             from a machine that reaches static.rust-lang.org"
        );
    }
    let mut command = miri(&["test"]);
    for package in INTERPRETED {
        command.args(["--package", package]);
    }
    command
        .env("CARGO_TARGET_DIR", run::root().join("target/miri"))
        .env("MIRIFLAGS", "-Zmiri-disable-isolation -Zmiri-ignore-leaks");
    run::check(&mut command)
}
