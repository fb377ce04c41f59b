//! Installs the Debian packages that builds and tests need, or says in one line what is missing.
//!
//! Invariant: if all packages are present, only `dpkg-query` and the C++ compiler are started. No
//! package is removed or downgraded. After [`ensure`], no build script fails because a part of LLVM
//! is missing.

use std::path::{Path, PathBuf};
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

/// The parts of LLVM that the build scripts use, below LLVM's prefix.
const LLVM: &[&str] = &[
    "bin/llvm-config",
    "bin/llvm-nm",
    "bin/llvm-objcopy",
    "bin/clang",
    "include/llvm-c/Core.h",
    "include/clang/Basic/Version.h",
    "lib/clang/22/include/opencl-c-base.h",
    "lib/libLLVMCore.a",
    "lib/libclangFrontend.a",
    "lib/liblldELF.a",
];

/// Programs that single commands need, and the Debian package of each.
const PROGRAMS: &[(&str, &str)] = &[
    ("dpkg-deb", "dpkg"),
    ("gzip", "gzip"),
    ("lintian", "lintian"),
    ("mmdebstrap", "mmdebstrap"),
    ("python3", "python3-venv"),
    ("tar", "tar"),
];

/// Installs missing packages of [`PACKAGES`], once per process. Starts one `dpkg-query` if all are
/// present.
///
/// # Errors
/// `apt-get` fails, or a part of LLVM 22 or the C++ compiler is missing all the same.
pub(crate) fn ensure() -> Result<()> {
    static DONE: OnceLock<()> = OnceLock::new();
    if DONE.get().is_none() {
        if is_debian() {
            install(PACKAGES)?;
        }
        complete(&llvm_prefix(), Path::new("c++"))?;
        DONE.get_or_init(|| ());
    }
    Ok(())
}

/// Installs the Debian package of a program of [`PROGRAMS`] if the program is missing.
///
/// # Errors
/// It cannot be installed, or this is no Debian.
pub(crate) fn need(program: &str) -> Result<()> {
    if run::succeeds(Command::new(program).arg("--version")) {
        return Ok(());
    }
    let package = PROGRAMS.iter().find(|(name, _)| *name == program);
    let &(_, package) = package.with_context(|| format!("no package is known for {program}"))?;
    if !is_debian() {
        bail!("{program} is missing (Debian's package {package})");
    }
    install(&[package])
}

/// The folder of LLVM 22, as the build scripts see it.
fn llvm_prefix() -> PathBuf {
    option_env!("LLVM_SYS_221_PREFIX").unwrap_or("/usr/lib/llvm-22").into()
}

/// Fails with one line if builds would lack something of LLVM in `prefix`, or the C++ compiler.
fn complete(prefix: &Path, compiler: &Path) -> Result<()> {
    let mut missing = Vec::new();
    let parts: Vec<&str> =
        LLVM.iter().copied().filter(|part| !prefix.join(part).exists()).collect();
    if !parts.is_empty() {
        missing.push(format!("{} of LLVM 22 in {}", parts.join(" "), prefix.display()));
    }
    if !run::succeeds(Command::new(compiler).arg("--version")) {
        missing.push(format!("the C++ compiler `{}`", compiler.display()));
    }
    if missing.is_empty() {
        return Ok(());
    }
    bail!(
        "builds need what is missing here: {}. Debian's packages are {}; LLVM_SYS_221_PREFIX names \
         another folder of LLVM 22",
        missing.join(", "),
        PACKAGES.join(" ")
    );
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
    if !is_debian() {
        bail!("no apt-get here; needed, by Debian's names: {}", packages.join(" "));
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

/// True if apt-get can install packages.
fn is_debian() -> bool {
    run::succeeds(Command::new("dpkg-query").arg("--version"))
        && Path::new("/usr/bin/apt-get").exists()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bare_machine_gets_one_line() {
        let prefix = tempfile::tempdir().unwrap();
        let error = complete(prefix.path(), Path::new("/nowhere/c++")).unwrap_err().to_string();
        assert!(!error.contains('\n'), "{error}");
        for missing in ["bin/llvm-config", "lib/liblldELF.a", "/nowhere/c++", "libclang-22-dev"] {
            assert!(error.contains(missing), "{error}");
        }
        for part in LLVM {
            let path = prefix.path().join(part);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        // Any program that succeeds.
        complete(prefix.path(), Path::new("true")).unwrap();
    }

    #[test]
    fn programs_are_present_or_have_a_package() {
        need("tar").unwrap();
        assert!(need("muxcl-no-such-program").is_err());
    }
}
