//! `cargo xtask deny`: checks licences, sources, bans and duplicates of dependencies by cargo-deny
//! with `deny.toml`.
//!
//! Invariant: this version of cargo-deny is built once into `target/tools`; nothing is installed
//! outside the repository. Advisories need RustSec's database, a Git repository that a machine with
//! access to package registries only cannot fetch; `--advisories` includes them.

use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;

use crate::run;

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
    let program = installed()?;
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

/// The path of cargo-deny. Builds it if it is missing or has another version.
fn installed() -> Result<PathBuf> {
    let folder = run::root().join("target/tools");
    let program = folder.join("bin/cargo-deny");
    let found = run::output(Command::new(&program).arg("--version")).unwrap_or_default();
    if !found.split_whitespace().any(|word| word == VERSION) {
        let mut cargo = run::cargo();
        // An unoptimised build takes half the time; the check itself takes a second.
        cargo.args(["install", "cargo-deny", "--locked", "--debug", "--version", VERSION]);
        cargo.arg("--root").arg(&folder);
        // Beside the other builds, not in the system's folder for temporary files, which can be
        // small; and without debug information, which is most of it.
        let build = folder.join("build");
        cargo.arg("--target-dir").arg(&build).env("CARGO_PROFILE_DEV_DEBUG", "0");
        run::check(&mut cargo)?;
        std::fs::remove_dir_all(&build)?;
    }
    Ok(program)
}
