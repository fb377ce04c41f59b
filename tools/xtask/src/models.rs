//! `cargo xtask models`: the loom models of the driver's lock-free code.
//!
//! Invariant: a model runs the code of the driver, built with `--cfg loom`; only the primitives of
//! `muxcl_lock::sync` differ.

use anyhow::Result;

use crate::run;

/// Arguments of `models`.
#[derive(clap::Args, Default)]
pub(crate) struct ModelsArgs {
    /// Explore orders with more preemptions (minutes instead of seconds).
    #[arg(long)]
    pub(crate) full: bool,
    /// Passed on to the tests.
    #[arg(trailing_var_arg = true)]
    pub(crate) rest: Vec<String>,
}

/// Crates with models, in a module of that name.
const MODELLED: [&str; 2] = ["muxcl-mux", "muxcl-mux-host"];

/// Preemptions in one execution. Most orderings that break need two; three take a minute.
const BOUND: &str = "2";
const FULL_BOUND: &str = "4";

/// Builds into `target/models` and runs; the first order that fails ends a model.
pub(crate) fn models(args: &ModelsArgs) -> Result<()> {
    let mut command = run::cargo();
    command
        .args(["test", "--lib"])
        .env("RUSTFLAGS", "--cfg loom")
        .env("CARGO_TARGET_DIR", run::root().join("target/models"))
        // Exploring is what takes the time.
        .env("CARGO_PROFILE_DEV_OPT_LEVEL", "1")
        .env("LOOM_MAX_PREEMPTIONS", if args.full { FULL_BOUND } else { BOUND });
    for package in MODELLED {
        command.args(["-p", package]);
    }
    command.arg("models::").arg("--").args(&args.rest);
    run::check(&mut command)
}
