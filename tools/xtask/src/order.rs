//! The order of the functions in the compiler library: those a first build runs lie together, in
//! the order of their first calls.
//!
//! The list is made once by watching such builds (`tools/order`) and kept in `target/order`; the
//! linker then takes it (`crates/compiler-lib/build.rs`). Without it, where a container forbids
//! watching, a first build only takes longer.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::{build, run};

/// Where the list is, whether or not it has been made.
pub(crate) fn file() -> PathBuf {
    run::root().join("target/order/compiler.txt")
}

/// Makes the list from the libraries in `built`, unless there is one. Whether it is new.
pub(crate) fn record(built: &Path) -> Result<bool> {
    let file = file();
    if file.exists() {
        return Ok(false);
    }
    let folder = file.parent().context("a file lies in a folder")?;
    fs::create_dir_all(folder)?;
    let watcher = build::tool("muxcl-order", true)?;
    let program = build::example("muxcl-client", "first_build")?;
    let driver = build::registered(&built.join("libmuxcl.so"))?;
    let library = built.join("libmuxcl_compiler.so");
    let calls = |what: &str| -> Result<Vec<String>> {
        let out = folder.join(format!("{what}.txt"));
        let mut command = driver.command(&watcher);
        command.env("MUXCL_CACHE", "0").arg("--library").arg(&library).arg("--out").arg(&out);
        run::check(command.arg(&program).arg(what))?;
        Ok(fs::read_to_string(&out)?.lines().map(str::to_owned).collect())
    };
    let mut order = calls("small")?;
    let seen: BTreeSet<String> = order.iter().cloned().collect();
    order.extend(calls("usual")?.into_iter().filter(|name| !seen.contains(name)));
    fs::write(&file, order.join("\n") + "\n").with_context(|| file.display().to_string())?;
    Ok(true)
}
