//! Programs from crates.io, which cargo builds into `target/tools`.

use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;

use crate::run;

/// The path of `name`, a program of the crate with the same name. Builds it if it is missing or has
/// another version.
///
/// # Errors
/// cargo cannot build it.
pub(crate) fn cargo_tool(name: &str, version: &str, options: &[&str]) -> Result<PathBuf> {
    let folder = run::root().join("target/tools");
    let program = folder.join("bin").join(name);
    let found = run::output(Command::new(&program).arg("--version")).unwrap_or_default();
    if !found.split_whitespace().any(|word| word.trim_start_matches('v') == version) {
        let mut cargo = run::cargo();
        // An unoptimised build takes half the time; these programs run for seconds.
        cargo.args(["install", name, "--locked", "--debug", "--version", version]).args(options);
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
