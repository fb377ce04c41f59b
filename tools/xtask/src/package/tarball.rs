//! The tarball: the tree below one folder, to unpack anywhere. `bin/muxcl-run` runs programs with
//! its driver.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use super::{Facts, MACHINE, stage};
use crate::run;

/// Builds `muxcl-VERSION-linux-MACHINE.tar.gz`.
pub(super) fn build(tree: &Path, out: &Path, facts: &Facts) -> Result<PathBuf> {
    let name = format!("muxcl-{}-linux-{MACHINE}", facts.version);
    let parent = out.join("tarball");
    stage(tree, &parent.join(&name))?;
    let archive = out.join(format!("{name}.tar.gz"));
    let mut tar = Command::new("tar");
    tar.args(["--sort=name", "--owner=0", "--group=0", "--numeric-owner"]);
    tar.arg(format!("--mtime=@{}", facts.time)).arg("-czf").arg(&archive);
    run::check(tar.arg("-C").arg(&parent).arg(&name))?;
    Ok(archive)
}
