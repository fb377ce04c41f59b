//! `cargo xtask models`: the loom models of the driver's lock-free code.
//!
//! Invariant: a model runs the code of the driver, built with `--cfg loom`; only the primitives of
//! `muxcl_lock::sync` differ.

use anyhow::Result;

use crate::run;

/// Arguments of `models`.
#[derive(clap::Args, Default)]
pub(crate) struct ModelsArgs {
    /// Explore interleavings with more preemptions (minutes instead of seconds).
    #[arg(long)]
    pub(crate) full: bool,
    /// Passed on to the tests.
    #[arg(trailing_var_arg = true)]
    pub(crate) rest: Vec<String>,
}

/// Crates that have models, each in a module `models`.
const MODELLED: [&str; 4] = ["muxcl-mux", "muxcl-mux-host", "muxcl-mux-hal", "muxcl-cl"];

/// Maximum number of preemptions in one execution. Most bugs need two: 14 s for all models, on two
/// cores.
const BOUND: &str = "2";
/// Three take five minutes. With four, one model of `muxcl-mux-host` had not ended after 19 minutes
/// and took 3.3 GB of memory.
const FULL_BOUND: &str = "3";

/// Builds into `target/models` and runs the models. The first failing interleaving ends a model.
pub(crate) fn models(args: &ModelsArgs) -> Result<()> {
    let mut command = run::cargo();
    command
        .args(["test", "--lib"])
        .env("RUSTFLAGS", "--cfg loom")
        .env("CARGO_TARGET_DIR", run::root().join("target/models"))
        // Exploration takes most of the time.
        .env("CARGO_PROFILE_DEV_OPT_LEVEL", "1")
        .env("LOOM_MAX_PREEMPTIONS", if args.full { FULL_BOUND } else { BOUND });
    for package in MODELLED {
        command.args(["-p", package]);
    }
    command.arg("models::").arg("--").args(&args.rest);
    run::check(&mut command)
}
