//! `cargo xtask test`: every check that a change must pass. `.ci/run` calls exactly this.
//!
//! Invariant: on a clean clone no other command is needed. A step whose tool is missing installs it
//! or fails; no step is skipped silently.

use std::collections::VecDeque;
use std::io::{BufRead as _, BufReader};
use std::time::Instant;

use anyhow::{Context as _, Result, bail};

use crate::{build, deny, fuzz, models, packages, run, tidy};

/// Seconds each fuzz target runs; `cargo xtask nightly` runs them longer.
const FUZZ_SECONDS: u32 = 11;

/// Arguments of `test`.
#[derive(clap::Args)]
pub(crate) struct TestArgs {
    /// Leave out formatting, clippy, rustdoc and cargo-deny.
    #[arg(long)]
    no_lints: bool,
    /// Leave out cargo-deny only, which the first run has to build (about a minute).
    #[arg(long)]
    no_deny: bool,
    /// Leave out the fuzz targets (about four minutes).
    #[arg(long)]
    no_fuzz: bool,
    /// Passed on to `cargo test`.
    #[arg(trailing_var_arg = true)]
    rest: Vec<String>,
}

/// Runs every step; the first one that fails ends the run.
///
/// # Errors
/// A step fails.
pub(crate) fn test(args: &TestArgs) -> Result<()> {
    let start = Instant::now();
    let step = |name: &str| println!("== {name} (after {:.0?})", start.elapsed());
    packages::ensure()?;
    packages::ensure_references()?;
    step("tidy");
    tidy::tidy()?;
    if !args.no_lints {
        step("format");
        run::check(run::cargo().args(["fmt", "--all", "--check"]))?;
    }
    step("driver and tests");
    // The kernel tests and API tests load the driver from the target folder.
    build::workspace()?;
    if !args.no_lints {
        step("clippy");
        let mut clippy = run::cargo();
        clippy.args(["clippy", "--workspace", "--all-targets", "--quiet", "--"]);
        run::check(clippy.args(["-D", "warnings"]))?;
        step("rustdoc");
        let mut doc = run::cargo();
        doc.args(["doc", "--workspace", "--no-deps", "--document-private-items", "--quiet"]);
        run::check(doc.env("RUSTDOCFLAGS", "-D warnings"))?;
        if !args.no_deny {
            step("licences, bans, sources");
            deny::deny(&deny::DenyArgs { advisories: false })?;
        }
    }
    step("tests");
    let mut tests = run::cargo();
    tests.args(["test", "--workspace", "--no-fail-fast"]).args(&args.rest);
    run_tests(&mut tests)?;
    step("models");
    models::models(&models::ModelsArgs::default())?;
    step("accuracy against MPFR");
    let mut references = run::cargo();
    references.args(["test", "--package", "muxcl-ulp", "--features", "mpfr"]).args(&args.rest);
    run::check(&mut references)?;
    if !args.no_fuzz {
        step("fuzz targets");
        fuzz::fuzz(&fuzz::FuzzArgs { seconds: FUZZ_SECONDS, jobs: 2, targets: Vec::new() })?;
    }
    println!("== all passed in {:.0?}", start.elapsed());
    Ok(())
}

/// Output lines of a failed test target that are repeated at the end of the run.
const SHOWN_AGAIN: usize = 80;

/// Runs `cargo test` and repeats the last output of each failed test target at the end.
fn run_tests(command: &mut std::process::Command) -> Result<()> {
    let shown = run::show(command);
    let (reader, writer) = std::io::pipe()?;
    let mut child = command
        .stdout(writer.try_clone()?)
        .stderr(writer)
        .spawn()
        .with_context(|| format!("cannot start {shown}"))?;
    // The command holds its ends of the pipe open until they are replaced.
    command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
    let (mut section, mut failed) = (VecDeque::new(), Vec::new());
    for line in BufReader::new(reader).split(b'\n') {
        let line = String::from_utf8_lossy(&line?).into_owned();
        println!("{line}");
        if ["     Running ", "   Doc-tests "].iter().any(|start| line.starts_with(start)) {
            section.clear();
        }
        let end = line.starts_with("error: ") && line.contains("test failed, to rerun");
        if section.len() == SHOWN_AGAIN {
            section.pop_front();
        }
        section.push_back(line);
        if end {
            failed.extend(section.drain(..));
        }
    }
    let status = child.wait()?;
    if status.success() {
        return Ok(());
    }
    println!("== failed test targets, once more");
    for line in failed {
        println!("{line}");
    }
    bail!("{shown}: {status}")
}
