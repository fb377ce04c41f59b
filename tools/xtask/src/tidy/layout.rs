//! The top level holds the files and folders of [`TOP`] and no others; every package inherits the
//! workspace's lints.

use std::fs;
use std::path::Path;

use anyhow::Result;

use super::{files, read, shown};

/// Allowed names at the top level, besides dot-files. `target` is cargo's.
const TOP: &[&str] = &[
    "Cargo.toml",
    "Cargo.lock",
    "CHANGELOG.md",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "README.md",
    "builtins",
    "clippy.toml",
    "deny.toml",
    "conformance",
    "crates",
    "docs",
    "icd",
    "rust-toolchain.toml",
    "rustfmt.toml",
    "target",
    "tests",
    "tools",
];

pub(super) fn check(root: &Path, findings: &mut Vec<String>) -> Result<()> {
    for entry in fs::read_dir(root)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if !name.starts_with('.') && !TOP.contains(&name.as_str()) {
            findings.push(format!("{name}: does not belong at the top level"));
        }
    }
    for name in TOP.iter().filter(|name| **name != "target") {
        if !root.join(name).exists() {
            findings.push(format!("{name}: missing at the top level"));
        }
    }
    for folder in ["crates", "icd", "builtins", "tools", "tests"] {
        for manifest in files(&root.join(folder), &["Cargo.toml"])? {
            let text = read(&manifest)?;
            let manifest_shown = shown(root, &manifest);
            if text.contains("[workspace]") {
                continue; // the fuzz targets are a separate workspace
            }
            if !text.contains("[lints]\nworkspace = true") {
                findings.push(format!("{manifest_shown}: lacks `[lints] workspace = true`"));
            }
            if !text.contains("\nname = \"muxcl-") {
                findings.push(format!("{manifest_shown}: package names start with `muxcl-`"));
            }
        }
    }
    Ok(())
}
