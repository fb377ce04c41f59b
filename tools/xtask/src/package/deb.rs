//! The Debian packages: `muxcl`, whose ICD lists the host CPU; `muxcl-refsi`, which adds the RISC-V
//! device by one library in `hal.d`; `muxcl-inline` with the compiler as a library.
//!
//! The tree lies in `/usr/lib/muxcl`, with links in `/usr/bin`. Its `share` is a link to
//! `/usr/share`, so that programs find their files as they do in the tree.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::{Facts, INLINE, empty, fill, man, stage, write};
use crate::{dist, run};

/// The prefix of the tree on the installed system.
const PREFIX: &str = "usr/lib/muxcl";
/// The HAL library of the second package, and its place there.
const REFSI: (&str, &str) = ("lib/libhal_refsi.so", "lib/hal.d/libhal_refsi.so");
/// clik's description of that HAL.
const REFSI_CLIK: &str = "usr/share/muxcl/clik/refsi";

const CONTROL: &str = include_str!("../../packaging/deb/muxcl.control");
const CONTROL_REFSI: &str = include_str!("../../packaging/deb/muxcl-refsi.control");
const CONTROL_INLINE: &str = include_str!("../../packaging/deb/muxcl-inline.control");
const COPYRIGHT: &str = include_str!("../../packaging/deb/copyright");
/// For each package what lintian need not report, with the reason.
const OVERRIDES: &str = include_str!("../../packaging/deb/lintian-overrides");

/// Builds `NAME_VERSION_ARCH.deb` of the three packages.
pub(super) fn build(tree: &Path, out: &Path, facts: &Facts) -> Result<Vec<PathBuf>> {
    let parent = out.join("deb");
    empty(&parent)?;
    let main = parent.join("muxcl");
    let prefix = main.join(PREFIX);
    stage(tree, &prefix)?;
    fs::rename(prefix.join("include"), main.join("usr/include"))?;
    fs::rename(prefix.join("share"), main.join("usr/share"))?;
    symlink("../../share", prefix.join("share"))?;
    for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
        fs::remove_file(main.join("usr/share/doc/muxcl").join(licence))?;
    }
    write(&main.join("etc/OpenCL/vendors/muxcl.icd"), &format!("/{PREFIX}/lib/libmuxcl.so\n"))?;
    programs(&main, facts)?;
    let refsi = parent.join("muxcl-refsi");
    transfer(&prefix.join(REFSI.0), &refsi.join(PREFIX).join(REFSI.1))?;
    transfer(&main.join(REFSI_CLIK), &refsi.join(REFSI_CLIK))?;
    let inline = parent.join("muxcl-inline");
    let library = inline.join(PREFIX).join(INLINE);
    fs::create_dir_all(library.parent().context("a file lies in a folder")?)?;
    fs::copy(tree.join(INLINE), library)?;

    let architecture = run::output(Command::new("dpkg").arg("--print-architecture"))?;
    let architecture = architecture.trim();
    let mut built = Vec::new();
    for (name, root, control) in [
        ("muxcl", &main, CONTROL),
        ("muxcl-refsi", &refsi, CONTROL_REFSI),
        ("muxcl-inline", &inline, CONTROL_INLINE),
    ] {
        library_modes(root)?;
        overrides(name, root)?;
        documents(name, root, facts)?;
        control_files(root, control, architecture, facts)?;
        let package = out.join(format!("{name}_{}_{architecture}.deb", facts.version));
        let mut deb = Command::new("dpkg-deb");
        deb.env("SOURCE_DATE_EPOCH", facts.time.to_string());
        run::check(deb.args(["--root-owner-group", "-Zgzip", "--build"]).arg(root).arg(&package))?;
        built.push(package);
    }
    Ok(built)
}

/// Makes the package's libraries files that cannot be executed, as Debian's policy wants them.
fn library_modes(root: &Path) -> Result<()> {
    let mut files = Vec::new();
    dist::walk(&root.join(PREFIX).join("lib"), &mut files)?;
    for file in files {
        fs::set_permissions(&file, fs::Permissions::from_mode(0o644))?;
    }
    Ok(())
}

/// Moves a file or folder to `to`, whose folder is made.
fn transfer(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to.parent().context("a file lies in a folder")?)?;
    fs::rename(from, to).with_context(|| from.display().to_string())
}

/// The lines of [`OVERRIDES`] for the package, if there are any.
fn overrides(name: &str, root: &Path) -> Result<()> {
    let start = format!("{name}: ");
    let lines: Vec<&str> = OVERRIDES.lines().filter(|line| line.starts_with(&start)).collect();
    if lines.is_empty() {
        return Ok(());
    }
    let text = format!("{}\n", lines.join("\n"));
    write(&root.join("usr/share/lintian/overrides").join(name), &text)
}

/// A link in `/usr/bin` and a manual page for each program of the tree.
fn programs(main: &Path, facts: &Facts) -> Result<()> {
    let mut programs = Vec::new();
    dist::walk(&main.join(PREFIX).join("bin"), &mut programs)?;
    fs::create_dir_all(main.join("usr/bin"))?;
    for program in programs {
        let name = program.file_name().context("a program has a name")?.to_string_lossy();
        symlink(format!("../lib/muxcl/bin/{name}"), main.join("usr/bin").join(&*name))?;
        let page = main.join(format!("usr/share/man/man1/{name}.1"));
        write(&page, &man::page(&program, &facts.version)?)?;
        compress(&page)?;
    }
    Ok(())
}

/// `copyright` and `changelog.gz`, which every Debian package has.
fn documents(name: &str, root: &Path, facts: &Facts) -> Result<()> {
    let folder = root.join("usr/share/doc").join(name);
    write(&folder.join("copyright"), COPYRIGHT)?;
    let date = run::output(Command::new("date").args([
        "--utc",
        "--rfc-email",
        &format!("--date=@{}", facts.time),
    ]))?;
    let changelog = folder.join("changelog");
    write(
        &changelog,
        &format!(
            "{name} ({}) unstable; urgency=medium\n\n  * The changes are in \
             /usr/share/doc/muxcl/CHANGELOG.md.\n\n -- {}  {}\n",
            facts.version,
            maintainer()?,
            date.trim()
        ),
    )?;
    compress(&changelog)
}

/// The maintainer that the control files name.
fn maintainer() -> Result<&'static str> {
    CONTROL
        .lines()
        .find_map(|line| line.strip_prefix("Maintainer: "))
        .context("the control file names a maintainer")
}

fn compress(file: &Path) -> Result<()> {
    run::check(Command::new("gzip").args(["-9n", "--force"]).arg(file))
}

/// `DEBIAN/control`, `conffiles` and `md5sums`.
fn control_files(root: &Path, control: &str, architecture: &str, facts: &Facts) -> Result<()> {
    let mut files = Vec::new();
    dist::walk(root, &mut files)?;
    files.sort();
    let mut size = 0;
    let mut sums = String::new();
    let mut settings = String::new();
    for file in files.iter().filter(|file| !file.is_symlink()) {
        let shown = file.strip_prefix(root)?.display().to_string();
        size += fs::metadata(file)?.len();
        if shown.starts_with("etc/") {
            settings += &format!("/{shown}\n");
        } else {
            let sum = run::output(Command::new("md5sum").arg(file))?;
            let sum = sum.split_whitespace().next().context("md5sum prints a sum")?;
            sums += &format!("{sum}  {shown}\n");
        }
    }
    let values = [
        ("VERSION", facts.version.as_str()),
        ("ARCHITECTURE", architecture),
        ("SIZE", &size.div_ceil(1024).to_string()),
        ("LIBRARIES", &libraries(facts)?),
    ];
    write(&root.join("DEBIAN/control"), &fill(control, &values)?)?;
    write(&root.join("DEBIAN/md5sums"), &sums)?;
    if !settings.is_empty() {
        write(&root.join("DEBIAN/conffiles"), &settings)?;
    }
    Ok(())
}

/// The Debian packages of the needed libraries.
fn libraries(facts: &Facts) -> Result<String> {
    let (major, minor) = facts.glibc;
    let mut packages = vec![format!("libc6 (>= {major}.{minor})")];
    for library in &facts.needed {
        match library.as_str() {
            "libc.so.6" | "libm.so.6" | "ld-linux-x86-64.so.2" | "ld-linux-aarch64.so.1" => {}
            "libgcc_s.so.1" => packages.push("libgcc-s1".to_owned()),
            "libOpenCL.so.1" => packages.push("ocl-icd-libopencl1 | libopencl1".to_owned()),
            other => bail!("no Debian package is known for {other}"),
        }
    }
    Ok(packages.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_have_packages() {
        let facts = |needed: &[&str]| Facts {
            version: String::new(),
            time: 0,
            glibc: (2, 36),
            needed: needed.iter().map(|name| (*name).to_owned()).collect(),
        };
        let found = libraries(&facts(&["libc.so.6", "libgcc_s.so.1", "libm.so.6"])).unwrap();
        assert_eq!(found, "libc6 (>= 2.36), libgcc-s1");
        assert!(libraries(&facts(&["libLLVM.so.22"])).is_err());
    }
}
