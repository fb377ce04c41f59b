//! Installs the Debian packages that builds and tests need.
//!
//! Invariant: if all packages are present, only `dpkg-query` is started. No package is removed or
//! downgraded.

use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

use anyhow::{Context, Result, bail};

use crate::run;

/// The packages that every build or test needs, by Debian's names.
const PACKAGES: &[&str] = &[
    "g++",
    "llvm-22", // llvm-mc, the reference of the RISC-V encodings
    "llvm-22-dev",
    "libclang-22-dev",
    "libclang-common-22-dev",
    "clang-22",
    "lld-22",
    "liblld-22",
    "liblld-22-dev",
    "ocl-icd-opencl-dev",
    "ocl-icd-libopencl1",
    "clinfo",
    "gdb-multiarch", // debugs kernels on RefSi
    "qemu-user",     // the reference of the RISC-V simulator
    "libzstd-dev",
    "libz3-dev",
    "libxml2-dev",
    "zlib1g-dev",
    "libffi-dev",
    "libedit-dev",
];

/// Packages that only `cargo xtask ulp` and the tests of `muxcl-ulp` need: correctly rounded
/// references.
const REFERENCES: &[&str] = &["libgmp-dev", "libmpfr-dev"];

/// Packages that only the section `builtins` of `cargo xtask bench` needs: the library to compare
/// with.
const SLEEF: &[&str] = &["libsleef-dev"];

/// Installs missing packages of [`PACKAGES`], once per process. Starts one `dpkg-query` if all are
/// present.
///
/// # Errors
/// `apt-get` fails, or the system is not Debian and lacks LLVM 22 in `/usr/lib/llvm-22`.
pub(crate) fn ensure() -> Result<()> {
    static DONE: OnceLock<()> = OnceLock::new();
    if DONE.get().is_none() {
        install(PACKAGES)?;
        DONE.get_or_init(|| ());
    }
    Ok(())
}

/// Installs missing packages of [`REFERENCES`].
pub(crate) fn ensure_references() -> Result<()> {
    install(REFERENCES)
}

/// Installs missing packages of [`SLEEF`].
pub(crate) fn ensure_sleef() -> Result<()> {
    install(SLEEF)
}

fn install(packages: &[&'static str]) -> Result<()> {
    if !run::succeeds(Command::new("dpkg-query").arg("--version"))
        || !Path::new("/usr/bin/apt-get").exists()
    {
        return other_system(packages);
    }
    let missing = missing(packages);
    if missing.is_empty() {
        return Ok(());
    }
    println!("installing {} missing Debian package(s): {}", missing.len(), missing.join(" "));
    apt(&["update", "-q"]).context("apt-get update")?;
    let mut arguments = vec!["install", "-q", "-y", "--no-install-recommends"];
    arguments.extend(&missing);
    apt(&arguments).with_context(|| {
        format!(
            "cannot install {}. LLVM 22 is in Debian 12 (security) and later; \
             https://apt.llvm.org has it for others",
            missing.join(" ")
        )
    })?;
    Ok(())
}

/// The packages that dpkg does not report as installed.
fn missing(packages: &[&'static str]) -> Vec<&'static str> {
    let mut query = Command::new("dpkg-query");
    query.args(["--show", "--showformat=${Package} ${db:Status-Status}\n"]).args(packages);
    // The exit status is 1 if dpkg does not know one of the packages; the others are still listed.
    let listed = query.output().map(|output| output.stdout).unwrap_or_default();
    let listed = String::from_utf8_lossy(&listed);
    let installed: Vec<&str> =
        listed.lines().filter_map(|line| line.strip_suffix(" installed")).collect();
    packages.iter().copied().filter(|package| !installed.contains(package)).collect()
}

/// Runs apt-get, through sudo if the user is not root.
fn apt(arguments: &[&str]) -> Result<()> {
    let mut command = if is_root()? {
        Command::new("apt-get")
    } else if run::succeeds(Command::new("sudo").arg("--version")) {
        let mut sudo = Command::new("sudo");
        sudo.args(["DEBIAN_FRONTEND=noninteractive", "apt-get"]);
        sudo
    } else {
        bail!("not root, and there is no sudo: run `apt-get {}` as root", arguments.join(" "));
    };
    command.env("DEBIAN_FRONTEND", "noninteractive").args(arguments);
    run::check(&mut command)
}

fn is_root() -> Result<bool> {
    Ok(run::output(Command::new("id").arg("-u"))?.trim() == "0")
}

/// A system without apt-get: succeeds if LLVM and a C++ compiler are present, otherwise names the
/// missing ones.
fn other_system(packages: &[&str]) -> Result<()> {
    let llvm = Path::new("/usr/lib/llvm-22/bin/llvm-config");
    if llvm.exists() && run::succeeds(Command::new("c++").arg("--version")) {
        println!("no apt-get here; using {}", llvm.display());
        return Ok(());
    }
    bail!(
        "this is not a Debian system, so nothing was installed. Needed, by Debian's names:\n  {}\n\
         LLVM 22 is expected in /usr/lib/llvm-22 (or set LLVM_SYS_221_PREFIX)",
        packages.join(" ")
    );
}
