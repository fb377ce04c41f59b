//! HAL libraries for tests, besides RefSi.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, ensure};

/// Compiles the C++ HAL into `folder`.
pub fn in_cxx(folder: &Path) -> Result<PathBuf> {
    let abi = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates/hal-abi");
    let out = folder.join("libhal_tiny.so");
    let mut compile = Command::new("g++");
    compile.args(["-std=c++17", "-O2", "-shared", "-fPIC", "-I"]).arg(abi.join("include"));
    let output = compile
        .arg(abi.join("examples/hal_tiny.cpp"))
        .arg("-o")
        .arg(&out)
        .output()
        .context("g++")?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Ok(out)
}

/// The library of the template `hal-null`, built beside this program.
pub fn template() -> Result<PathBuf> {
    let program = std::env::current_exe()?;
    let folder = program.ancestors().nth(2).context("no target folder")?;
    let path = folder.join("libhal_null.so");
    ensure!(path.exists(), "{}: `cargo build -p muxcl-hal-null`", path.display());
    Ok(path)
}
