//! `package`: the release tree of `dist` as a Debian package, a Python wheel, a conda package and a
//! tarball, in `target/packages`.
//!
//! Invariant: every package has the same files in the same order of folders, so that programs and
//! libraries find each other by relative paths wherever a package is unpacked; only the place and
//! the registration with the ICD loader differ. Every package lists the host CPU only: `lib/hal.d`
//! is there and has no library. The compiler is in a package once, as a program: the library for
//! `MUXCL_COMPILER=inline` is as large again, so it is a Debian package of its own, and not in the
//! others. `muxc` contains LLVM, too, and is in the release tree only. Not here: how the tree is
//! made (`dist`).

mod check;
mod conda;
mod deb;
mod man;
mod tarball;
mod wheel;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::{dist, elf, run};

/// Bytes that the driver and its compiler may take, unpacked.
const LIMIT: u64 = 120_000_000;
/// What the driver and its compiler consist of.
const DRIVER: [&str; 2] = ["lib/libmuxcl.so", "libexec/muxcl/muxcl-compiler"];
/// The compiler as a library.
const INLINE: &str = "lib/libmuxcl_compiler.so";
/// The file that explains, and keeps, the folder of HAL libraries.
const HAL_FOLDER: (&str, &str) = (
    "lib/hal.d/README",
    "Every libhal_*.so in this folder is loaded as a HAL library, which adds OpenCL devices.\n\
     A package or an administrator puts a library, or a symbolic link to one, here.\n\
     See env.md of muxcl's documents, \"Search for HAL libraries\".\n",
);

/// Arguments of `package`.
#[derive(clap::Args)]
pub(crate) struct PackageArgs {
    /// Which packages; default all.
    formats: Vec<Format>,
    /// Also install the packages into a clean Debian root, and run clinfo and kernels there.
    #[arg(long)]
    test: bool,
    /// A finished release tree; default: `dist` makes it now.
    #[arg(long)]
    tree: Option<PathBuf>,
}

/// A kind of package.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum)]
pub(crate) enum Format {
    /// `muxcl` and `muxcl-refsi` for Debian and its derivatives.
    Deb,
    /// A Python wheel that registers the driver with pyopencl.
    Wheel,
    /// A conda package.
    Conda,
    /// An archive to unpack anywhere.
    Tarball,
}

impl Format {
    /// Its name on the command line.
    fn name(self) -> &'static str {
        match self {
            Self::Deb => "deb",
            Self::Wheel => "wheel",
            Self::Conda => "conda",
            Self::Tarball => "tarball",
        }
    }
}

/// Facts that every package states.
struct Facts {
    /// The version of the workspace.
    version: String,
    /// Seconds since 1970 of the last commit: the time of all files.
    time: u64,
    /// The glibc that the programs and libraries need.
    glibc: (u32, u32),
    /// The shared libraries that they need.
    needed: BTreeSet<String>,
}

/// The machine, as Python and conda name it.
const MACHINE: &str = std::env::consts::ARCH;

/// Builds the packages, and tests them if asked to.
pub(crate) fn package(args: &PackageArgs) -> Result<()> {
    let mut formats = args.formats.clone();
    if formats.is_empty() {
        formats = vec![Format::Tarball, Format::Deb, Format::Wheel, Format::Conda];
    }
    formats.sort();
    formats.dedup();
    let programs = |format| -> &[&str] {
        match format {
            Format::Deb => &["dpkg-deb", "gzip"],
            Format::Wheel | Format::Conda => &["python3", "tar"],
            Format::Tarball => &["tar"],
        }
    };
    for program in formats.iter().flat_map(|format| programs(*format)) {
        crate::packages::need(program)?;
    }
    if args.test {
        crate::packages::need("mmdebstrap")?;
    }
    let tree = match &args.tree {
        Some(tree) => std::path::absolute(tree)?,
        None => {
            dist::dist()?;
            run::root().join("target/dist")
        }
    };
    let facts = facts(&tree)?;
    let out = run::root().join("target/packages");
    fs::create_dir_all(&out).with_context(|| out.display().to_string())?;
    let mut built = Vec::new();
    // The conda package is made of the tarball.
    if formats.contains(&Format::Tarball) || formats.contains(&Format::Conda) {
        let tarball = tarball::build(&tree, &out, &facts)?;
        if formats.contains(&Format::Conda) {
            built.push(conda::build(&tarball, &out, &facts)?);
        }
        built.push(tarball);
    }
    if formats.contains(&Format::Deb) {
        built.extend(deb::build(&tree, &out, &facts)?);
    }
    if formats.contains(&Format::Wheel) {
        built.push(wheel::build(&tree, &out, &facts)?);
    }
    for package in &built {
        let size = fs::metadata(package)?.len();
        println!("{:>9.1} MB  {}", megabytes(size), package.display());
    }
    if args.test {
        check::check(&formats, &built, &out)?;
    }
    Ok(())
}

fn facts(tree: &Path) -> Result<Facts> {
    let mut size = 0;
    for file in DRIVER {
        let path = tree.join(file);
        size += fs::metadata(&path).with_context(|| path.display().to_string())?.len();
    }
    println!("{:>9.1} MB  driver and compiler, unpacked", megabytes(size));
    if size > LIMIT {
        bail!("the driver and its compiler exceed {:.0} MB", megabytes(LIMIT));
    }
    let mut files = Vec::new();
    for folder in ["lib", "libexec", "bin"] {
        dist::walk(&tree.join(folder), &mut files)?;
    }
    let (mut glibc, mut needed) = ((2, 17), BTreeSet::new());
    for file in files.iter().filter(|file| is_elf(file)) {
        glibc = glibc.max(elf::glibc(file)?);
        needed.append(&mut elf::needed(file)?);
    }
    let time = run::output(Command::new("git").current_dir(run::root()).args([
        "log",
        "-1",
        "--format=%ct",
    ]))?;
    Ok(Facts {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        time: time.trim().parse().context("the time of the last commit")?,
        glibc,
        needed,
    })
}

fn is_elf(file: &Path) -> bool {
    use std::io::Read as _;
    let mut start = [0; 4];
    fs::File::open(file).and_then(|mut file| file.read_exact(&mut start)).is_ok()
        && start == *b"\x7fELF"
}

#[expect(clippy::cast_precision_loss, reason = "shown with one decimal")]
fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}

/// Makes `path` an empty folder.
fn empty(path: &Path) -> Result<()> {
    if path.exists() {
        fs::remove_dir_all(path).with_context(|| path.display().to_string())?;
    }
    fs::create_dir_all(path).with_context(|| path.display().to_string())
}

/// A file of `tools/xtask/packaging`.
fn packaging(file: &str) -> PathBuf {
    run::root().join("tools/xtask/packaging").join(file)
}

/// Copies the tree's folders to `to`, which is made empty, without [`INLINE`] and `muxc`, and adds
/// the folder of HAL libraries.
fn stage(tree: &Path, to: &Path) -> Result<()> {
    empty(to)?;
    for folder in ["lib", "libexec", "bin", "include", "share"] {
        dist::copy_files(&tree.join(folder), &to.join(folder))?;
    }
    for file in [INLINE, dist::MUXC] {
        fs::remove_file(to.join(file)).with_context(|| format!("{file} of the tree"))?;
    }
    let folder = to.join("lib/hal.d");
    if folder.exists() {
        bail!("{} has HAL libraries of its own", tree.display());
    }
    write(&to.join(HAL_FOLDER.0), HAL_FOLDER.1)
}

/// Writes `text` to the file `path`, and makes its folder.
fn write(path: &Path, text: &str) -> Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    }
    fs::write(path, text).with_context(|| path.display().to_string())
}

/// Fills the `@NAME@` of a template.
fn fill(template: &str, values: &[(&str, &str)]) -> Result<String> {
    let mut text = template.to_owned();
    for (name, value) in values {
        text = text.replace(&format!("@{name}@"), value);
    }
    let unknown =
        text.split('@').skip(1).step_by(2).find(|name| {
            !name.is_empty() && name.chars().all(|c| c.is_ascii_uppercase() || c == '_')
        });
    match unknown {
        Some(name) => bail!("nothing is known for @{name}@"),
        None => Ok(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_filled_completely() {
        assert_eq!(fill("a @X@ <m@x.y>\n", &[("X", "1")]).unwrap(), "a 1 <m@x.y>\n");
        assert!(fill("@X@ @Y@", &[("X", "1")]).is_err());
    }

    #[test]
    fn every_package_has_the_folder_of_hals() {
        let scratch = tempfile::tempdir().unwrap();
        let (tree, to) = (scratch.path().join("tree"), scratch.path().join("to"));
        write(&tree.join("lib/libmuxcl.so"), "driver").unwrap();
        write(&tree.join(INLINE), "compiler").unwrap();
        write(&tree.join(dist::MUXC), "passes").unwrap();
        write(&tree.join("etc/OpenCL/vendors/muxcl.icd"), "the tree's own").unwrap();
        write(&to.join("old"), "").unwrap();
        stage(&tree, &to).unwrap();
        let mut files = Vec::new();
        dist::walk(&to, &mut files).unwrap();
        files.sort();
        assert_eq!(files, [to.join("lib/hal.d/README"), to.join("lib/libmuxcl.so")]);
        write(&tree.join("lib/hal.d/libhal_x.so"), "").unwrap();
        assert!(stage(&tree, &to).is_err());
    }
}
