//! The order of the functions in the compiler library and in the compiler's program: the functions
//! that builds run come first, those that most builds run before all others.
//!
//! The list is made by tracing the builds of the kernel test files (`tools/symbol-order`) and kept
//! in `target/order`; the linker then uses it (`build.rs` of `crates/compiler-lib` and
//! `crates/compiler-process`). It is made again when the library has changed, because new functions
//! would lie far from the others. Where a container forbids tracing, the library works without the
//! list, but a first build takes longer (docs/adr/0006-cold-builds.md).

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::{build, run};

/// The path of the list, whether or not it exists.
pub(crate) fn file() -> PathBuf {
    run::root().join("target/order/compiler.txt")
}

/// The path of the [`version`] of the library that was linked with the list.
fn linked() -> PathBuf {
    file().with_extension("linked")
}

/// A text that differs after every link of the compiler library in `built`.
fn version(built: &Path) -> Result<String> {
    let path = built.join("libmuxcl_compiler.so");
    let data = fs::metadata(&path).with_context(|| path.display().to_string())?;
    Ok(format!("{} {:?}", data.len(), data.modified()?))
}

/// Notes that the library in `built` was linked with the current list.
pub(crate) fn note(built: &Path) -> Result<()> {
    let path = linked();
    fs::write(&path, version(built)?).with_context(|| path.display().to_string())
}

/// Makes the list from the libraries in `built`, unless they were linked with a list that came from
/// them. Returns whether it is new.
pub(crate) fn record(built: &Path) -> Result<bool> {
    let file = file();
    if file.exists() && fs::read_to_string(linked()).ok() == Some(version(built)?) {
        return Ok(false);
    }
    let folder = file.parent().context("a file lies in a folder")?;
    fs::create_dir_all(folder)?;
    let watcher = build::tool("muxcl-symbol-order", true)?;
    let program = build::example("muxcl-client", "build_files")?;
    let driver = build::registered(&built.join("libmuxcl.so"))?;
    let mut command = driver.command(&watcher);
    command.env("MUXCL_CACHE", "0").env("MUXCL_DEVICES", "host").env("MUXCL_COMPILER", "inline");
    command.arg("--library").arg(built.join("libmuxcl_compiler.so")).arg("--out").arg(&file);
    run::check(command.arg("--program").arg(&program).args(programs()?))?;
    Ok(true)
}

/// The kernel test files that build without options, sorted.
fn programs() -> Result<Vec<PathBuf>> {
    let mut folders = vec![run::root().join("tests/kernels/cl")];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).with_context(|| folder.display().to_string())? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "cl")
                && !fs::read_to_string(&path)?.contains("// build")
            {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}
