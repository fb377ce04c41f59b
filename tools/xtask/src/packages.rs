//! The Debian packages a build and its tests need, installed by ourselves where something is
//! missing.
//!
//! Invariant: nothing is started but `dpkg-query` when all is present; no package is removed or
//! downgraded.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::run;

/// Everything a build, the tests and the demo need, by Debian's names.
const PACKAGES: &[&str] = &[
    "g++",
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
    "libzstd-dev",
    "libz3-dev",
    "libxml2-dev",
    "zlib1g-dev",
    "libffi-dev",
    "libedit-dev",
];

/// What only `cargo xtask ulp` needs: correctly rounded references.
const REFERENCES: &[&str] = &["libgmp-dev", "libmpfr-dev"];

/// What only the section `builtins` of `cargo xtask bench` needs: what it compares with.
const SLEEF: &[&str] = &["libsleef-dev"];

/// Installs what is missing of [`PACKAGES`]; a quick look and nothing else when all is there.
pub(crate) fn ensure() -> Result<()> {
    install(PACKAGES)
}

/// The same for what `cargo xtask ulp` needs besides.
pub(crate) fn ensure_references() -> Result<()> {
    install(REFERENCES)
}

/// The same for what `cargo xtask bench builtins` needs besides.
pub(crate) fn ensure_sleef() -> Result<()> {
    install(SLEEF)
}

/// Whether `cargo xtask ulp` and its tests can be built.
pub(crate) fn have_references() -> bool {
    missing(REFERENCES).is_empty()
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
            "cannot install {}. LLVM 22 is in Debian 12 (security) and later, and on https://apt.llvm.org for others",
            missing.join(" ")
        )
    })?;
    Ok(())
}

/// Those of `packages` that dpkg does not know as installed.
fn missing(packages: &[&'static str]) -> Vec<&'static str> {
    packages
        .iter()
        .copied()
        .filter(|package| {
            let mut query = Command::new("dpkg-query");
            query.args(["--show", "--showformat=${db:Status-Status}", package]);
            run::output(&mut query).map_or(true, |status| status.trim() != "installed")
        })
        .collect()
}

/// Runs apt-get, through sudo when we are not root.
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

/// On a system without apt-get: go on when the tools are there under any name, else say what is
/// needed.
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
