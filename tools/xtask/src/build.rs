//! Builds the driver and the tools, and starts programs so that the ICD loader finds that driver.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::{order, packages, run};

/// The packages of the driver: the ICD library, the compiler as a library and as a program, the HAL
/// libraries, and the server for them.
pub(crate) const DRIVER_PACKAGES: [&str; 8] = [
    "muxcl-icd",
    "muxcl-compiler-lib",
    "muxcl-compiler-process",
    "muxcl-hal-refsi",
    "muxcl-hal-cpu",
    "muxcl-hal-null",
    "muxcl-hal-remote",
    "muxcl-hal-server",
];

/// A built driver.
pub(crate) struct Driver {
    /// `libmuxcl.so`.
    pub(crate) library: PathBuf,
    /// A folder with one `.icd` file that contains the absolute path of `library`. Both loaders
    /// accept the folder in `OCL_ICD_VENDORS`.
    pub(crate) vendors: PathBuf,
}

impl Driver {
    /// A command for `program` in which the ICD loader, Debian's or Khronos', sees only this
    /// driver.
    pub(crate) fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.env("OCL_ICD_VENDORS", &self.vendors).env_remove("OCL_ICD_FILENAMES");
        command
    }
}

/// `cargo build`, after installing the system packages that it needs.
fn cargo_build() -> Result<Command> {
    packages::ensure()?;
    let mut cargo = run::cargo();
    cargo.arg("build");
    Ok(cargo)
}

/// Builds the driver with debug information and LLVM linked dynamically.
pub(crate) fn development() -> Result<Driver> {
    let mut cargo = cargo_build()?;
    for package in DRIVER_PACKAGES {
        cargo.args(["--package", package]);
    }
    run::check(&mut cargo)?;
    registered(&run::root().join("target/debug/libmuxcl.so"))
}

/// Builds the driver like [`development`], and all tests. A package's features depend on what else
/// is built: building the tests after the driver alone builds half of the packages twice.
pub(crate) fn workspace() -> Result<Driver> {
    let mut cargo = cargo_build()?;
    cargo.args(["--workspace", "--lib", "--bins", "--tests", "--examples"]);
    run::check(&mut cargo)?;
    registered(&run::root().join("target/debug/libmuxcl.so"))
}

/// Builds the driver for shipping: optimised, with LLVM linked statically. Returns the output
/// folder.
pub(crate) fn release() -> Result<PathBuf> {
    let mut cargo = cargo_build()?;
    cargo
        .arg("--release")
        .env("MUXCL_LLVM_LINK", "static")
        .env("MUXCL_FUNCTION_ORDER", order::file());
    let tools = ["muxcl-clc", "muxcl-clik", "muxcl-oclrun", "muxcl-muxc"];
    for package in DRIVER_PACKAGES.into_iter().chain(tools) {
        cargo.args(["--package", package]);
    }
    run::check(&mut cargo)?;
    Ok(run::root().join("target/release"))
}

/// Builds the tool `package`, whose program has the package's name.
pub(crate) fn tool(package: &str, release: bool) -> Result<PathBuf> {
    let mut cargo = cargo_build()?;
    cargo.args(["--package", package]);
    if release {
        cargo.arg("--release").env("MUXCL_LLVM_LINK", "static");
    }
    run::check(&mut cargo)?;
    Ok(run::root().join("target").join(if release { "release" } else { "debug" }).join(package))
}

/// Builds the example `name` of `package`, optimised.
pub(crate) fn example(package: &str, name: &str) -> Result<PathBuf> {
    let mut cargo = cargo_build()?;
    cargo
        .args(["--release", "--package", package, "--example", name])
        .env("MUXCL_LLVM_LINK", "static");
    run::check(&mut cargo)?;
    Ok(run::root().join("target/release/examples").join(name))
}

/// Builds the accuracy bench with its references, which need the packages of
/// `packages::ensure_references`.
pub(crate) fn ulp() -> Result<PathBuf> {
    packages::ensure_references()?;
    let mut cargo = cargo_build()?;
    cargo.args(["--package", "muxcl-ulp", "--features", "mpfr"]);
    run::check(&mut cargo)?;
    Ok(run::root().join("target/debug/muxcl-ulp"))
}

/// Writes `target/vendors/<profile>/muxcl.icd` for `library`.
pub(crate) fn registered(library: &Path) -> Result<Driver> {
    if !library.exists() {
        bail!("{} was not built", library.display());
    }
    let vendors = run::root().join("target/vendors");
    fs::create_dir_all(&vendors).with_context(|| vendors.display().to_string())?;
    fs::write(vendors.join("muxcl.icd"), format!("{}\n", library.display()))?;
    Ok(Driver { library: library.to_path_buf(), vendors })
}
