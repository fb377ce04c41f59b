//! Reads and strips ELF files for `dist` with binutils, which every C compiler installs.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use anyhow::Result;

use crate::run;

/// The names of the dynamic symbols that `library` defines.
pub(crate) fn exports(library: &Path) -> Result<BTreeSet<String>> {
    let listing = run::output(
        Command::new("nm").args(["-D", "--defined-only", "--format=posix"]).arg(library),
    )?;
    Ok(listing
        .lines()
        .filter_map(|line| line.split_whitespace().next())
        .map(|name| name.split('@').next().unwrap_or(name).to_owned())
        .collect())
}

/// The libraries that `library` names as needed.
pub(crate) fn needed(library: &Path) -> Result<BTreeSet<String>> {
    let listing = run::output(Command::new("readelf").args(["--dynamic", "--wide"]).arg(library))?;
    Ok(listing
        .lines()
        .filter(|line| line.contains("(NEEDED)"))
        .filter_map(|line| Some(line.split_once('[')?.1.split_once(']')?.0.to_owned()))
        .collect())
}

/// Copies `from` to `to` without its debug information and local symbols.
pub(crate) fn strip(from: &Path, to: &Path) -> Result<()> {
    run::check(Command::new("strip").args(["--strip-unneeded", "-o"]).arg(to).arg(from))
}
