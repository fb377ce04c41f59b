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

/// The version of glibc that `file` needs, by its symbols.
pub(crate) fn glibc(file: &Path) -> Result<(u32, u32)> {
    let listing =
        run::output(Command::new("readelf").args(["--version-info", "--wide"]).arg(file))?;
    Ok(newest_glibc(&listing))
}

/// The newest version of glibc in the listing of readelf; (0, 0) if it names none.
fn newest_glibc(listing: &str) -> (u32, u32) {
    listing
        .split_whitespace()
        .filter_map(|word| match word.strip_prefix("GLIBC_")? {
            // Packed relative relocations, which the dynamic linker of 2.36 understands.
            "ABI_DT_RELR" => Some((2, 36)),
            version => {
                let mut numbers = version.split('.').map(str::parse);
                Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
            }
        })
        .max()
        .unwrap_or_default()
}

/// Copies `from` to `to` without its debug information and local symbols.
pub(crate) fn strip(from: &Path, to: &Path) -> Result<()> {
    run::check(Command::new("strip").args(["--strip-unneeded", "-o"]).arg(to).arg(from))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_glibc_counts() {
        let line =
            |version: &str| format!("  0x0010:   Name: {version}  Flags: none  Version: 4\n");
        let listing = |versions: &[&str]| versions.iter().map(|v| line(v)).collect::<String>();
        assert_eq!(newest_glibc(&listing(&["GLIBC_2.9", "GLIBC_2.34", "GCC_3.0"])), (2, 34));
        assert_eq!(newest_glibc(&listing(&["GLIBC_2.2.5", "GLIBC_PRIVATE"])), (2, 2));
        assert_eq!(newest_glibc(&listing(&["GLIBC_2.34", "GLIBC_ABI_DT_RELR"])), (2, 36));
        assert_eq!(newest_glibc("No version information found in this file."), (0, 0));
    }
}
