//! `cargo xtask deny`: checks licences, sources, bans and duplicates of dependencies by cargo-deny
//! with `deny.toml`.
//!
//! Invariant: this version of cargo-deny is built once into `target/tools`; nothing is installed
//! outside the repository. Advisories need RustSec's database, a Git repository that a machine with
//! access to package registries only cannot fetch; `--advisories` includes them.

use std::process::Command;

use anyhow::Result;

use crate::{run, tools};

/// The version of cargo-deny; its options and its configuration change between versions.
const VERSION: &str = "0.20.2";

/// Arguments of `deny`.
#[derive(clap::Args)]
pub(crate) struct DenyArgs {
    /// Check the advisories too: needs access to RustSec's database on GitHub.
    #[arg(long)]
    pub(crate) advisories: bool,
}

/// Checks the workspace and the fuzz targets' own workspace.
///
/// # Errors
/// cargo-deny cannot be built, or it reports an error.
pub(crate) fn deny(args: &DenyArgs) -> Result<()> {
    let program = tools::cargo_tool("cargo-deny", VERSION, &[])?;
    for manifest in ["Cargo.toml", "tests/fuzz/Cargo.toml"] {
        let mut command = Command::new(&program);
        command.current_dir(run::root()).args(["--all-features", "--manifest-path", manifest]);
        command.args(["--config", "deny.toml", "check", "--hide-inclusion-graph"]);
        // The fuzz targets need fewer crates, so some entries of deny.toml match nothing there.
        if manifest != "Cargo.toml" {
            command.args(["--allow", "unmatched-skip"]);
            command.args(["--allow", "license-exception-not-encountered"]);
        }
        command.args(["licenses", "bans", "sources"]);
        if args.advisories {
            command.arg("advisories");
        }
        run::check(&mut command)?;
    }
    Ok(())
}
