//! The conda package, built by rattler-build from the recipe, whose source is the tarball.
//!
//! `target/packages/conda` keeps the filled recipe, for other conda builders, and the channel with
//! the package.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::{Facts, empty, fill, write};
use crate::{apps::python::Venv, run};

const RECIPE: &str = include_str!("../../packaging/conda/recipe.yaml");

/// The folder of the channel.
pub(super) fn channel(out: &Path) -> PathBuf {
    out.join("conda/channel")
}

/// The environment with rattler and rattler-build.
pub(super) fn venv(out: &Path) -> Result<Venv> {
    let packages = ["py-rattler", "py-rattler-build"].map(str::to_owned);
    Venv::ensure(out, "conda", None, &packages)
}

/// Builds `conda/channel/linux-64/muxcl-VERSION-HASH_0.conda` from the `tarball`.
pub(super) fn build(tarball: &Path, out: &Path, facts: &Facts) -> Result<PathBuf> {
    let venv = venv(out)?;
    let (folder, channel) = (out.join("conda"), channel(out));
    empty(&folder)?;
    let (major, minor) = facts.glibc;
    let values = [
        ("VERSION", facts.version.as_str()),
        ("GLIBC", &format!("{major}.{minor}")),
        ("TARBALL", &tarball.display().to_string()),
    ];
    let recipe = folder.join("recipe.yaml");
    write(&recipe, &fill(RECIPE, &values)?)?;
    let mut command = Command::new(venv.python());
    command.arg(super::packaging("conda/build.py")).arg(&recipe).arg(&channel);
    let built = run::output(&mut command)?;
    Ok(built.lines().last().context("rattler-build names no package")?.into())
}
