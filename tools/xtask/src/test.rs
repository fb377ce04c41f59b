//! `cargo xtask test`: set-up, tidy, lints, then every test of the workspace.
//!
//! Invariant: on a clean clone this is all there is to run; `.ci/run` calls exactly this.

use std::collections::VecDeque;
use std::io::{BufRead as _, BufReader};
use std::time::Instant;

use anyhow::{Context as _, Result, bail};

use crate::{build, models, packages, run, tidy};

/// What `test` takes.
#[derive(clap::Args)]
pub(crate) struct TestArgs {
    /// Leave clippy out.
    #[arg(long)]
    no_lints: bool,
    /// Passed on to `cargo test`.
    #[arg(trailing_var_arg = true)]
    rest: Vec<String>,
}

/// Runs everything; the first step that fails ends it.
pub(crate) fn test(args: &TestArgs) -> Result<()> {
    let start = Instant::now();
    packages::ensure()?;
    tidy::tidy()?;
    // The kernel tests and API tests load the driver from the target folder, so it is built before
    // they run.
    build::development()?;
    if !args.no_lints {
        println!("== clippy ({:.0?})", start.elapsed());
        let mut clippy = run::cargo();
        // Lints that are denied fail; warnings are shown.
        clippy.args(["clippy", "--workspace", "--all-targets", "--quiet"]);
        run::check(&mut clippy)?;
    }
    println!("== tests ({:.0?})", start.elapsed());
    let mut tests = run::cargo();
    tests.args(["test", "--workspace", "--no-fail-fast"]).args(&args.rest);
    run_tests(&mut tests)?;
    if packages::have_references() {
        let mut references = run::cargo();
        references.args(["test", "--package", "muxcl-ulp", "--features", "mpfr"]).args(&args.rest);
        run::check(&mut references)?;
    }
    println!("== models ({:.0?})", start.elapsed());
    models::models(&models::ModelsArgs::default())?;
    println!("== all passed in {:.0?}", start.elapsed());
    Ok(())
}

/// Lines of a test target that failed shown again at the end: thousands of lines may stand between.
const SHOWN_AGAIN: usize = 80;

/// Runs `cargo test` and shows at the end once more what the targets that failed had to say.
fn run_tests(command: &mut std::process::Command) -> Result<()> {
    let shown = run::show(command);
    let (reader, writer) = std::io::pipe()?;
    let mut child = command
        .stdout(writer.try_clone()?)
        .stderr(writer)
        .spawn()
        .with_context(|| format!("cannot start {shown}"))?;
    // The command holds its ends of the pipe until it is dropped or given others.
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
    println!("== what failed, once more");
    for line in failed {
        println!("{line}");
    }
    bail!("{shown}: {status}")
}
