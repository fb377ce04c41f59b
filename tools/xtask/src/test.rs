//! `cargo xtask test`: set-up, tidy, lints, then every test of the workspace.
//!
//! Invariant: on a clean clone this is all there is to run; `.ci/run` calls exactly this.

use std::time::Instant;

use anyhow::Result;

use crate::{build, packages, run, tidy};

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
    // The kernel tests and API tests load the driver from the target folder, so it is built before they run.
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
    run::check(&mut tests)?;
    if packages::have_references() {
        let mut references = run::cargo();
        references.args(["test", "--package", "muxcl-ulp", "--features", "mpfr"]).args(&args.rest);
        run::check(&mut references)?;
    }
    println!("== all passed in {:.0?}", start.elapsed());
    Ok(())
}
