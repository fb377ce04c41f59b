//! `cargo xtask tidy`: rules that neither compiler nor clippy checks. Also a `#[test]`.
//!
//! Invariant: every rule reports all its findings, with file and line. The rules read files and
//! `cargo metadata` only, so a clean result means the same on every machine. Not here: lints of
//! clippy (root `Cargo.toml` and `clippy.toml`).

mod book;
mod columns;
mod edges;
mod environment;
mod errors;
mod layout;
mod sources;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::run;

/// Runs every rule and prints the findings. Fails if a rule has findings.
pub(crate) fn tidy() -> Result<()> {
    let findings = findings(&run::root())?;
    for finding in &findings {
        println!("tidy: {finding}");
    }
    match findings.len() {
        0 => Ok(()),
        count => bail!("tidy: {count} finding(s)"),
    }
}

fn findings(root: &Path) -> Result<Vec<String>> {
    let mut findings = Vec::new();
    let map = read(&root.join("docs/architecture.md"))?;
    layout::check(root, &mut findings)?;
    book::check(root, &mut findings)?;
    edges::check(root, &map, &mut findings)?;
    sources::check(root, &map, &mut findings)?;
    columns::check(root, &map, &mut findings)?;
    environment::check(root, &mut findings)?;
    errors::check(root, &mut findings)?;
    Ok(findings)
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| path.display().to_string())
}

/// The lines of the block of `map` that starts with a line of three backticks and `name`.
fn block<'a>(map: &'a str, name: &str) -> Result<Vec<&'a str>> {
    let fence = format!("```{name}");
    let mut lines = map.lines().skip_while(|line| line.trim() != fence);
    if lines.next().is_none() {
        bail!("docs/architecture.md has no block `{name}`");
    }
    Ok(lines
        .take_while(|line| line.trim() != "```")
        .map(|line| line.split('#').next().unwrap_or(line).trim())
        .filter(|line| !line.is_empty())
        .collect())
}

/// The files below `folder` with one of the endings, in a stable order, without `target` and hidden
/// folders.
fn files(folder: &Path, endings: &[&str]) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).with_context(|| folder.display().to_string())? {
            let path = entry?.path();
            let name = path
                .file_name()
                .map(|name| name.to_string_lossy().into_owned())
                .unwrap_or_default();
            if path.is_dir() {
                if name != "target" && !name.starts_with('.') {
                    folders.push(path);
                }
            } else if endings.iter().any(|ending| name.ends_with(ending)) {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// `path` in the form that findings show.
fn shown(root: &Path, path: &Path) -> String {
    path.strip_prefix(root).unwrap_or(path).display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tidy() {
        let findings = findings(&run::root()).unwrap();
        assert!(findings.is_empty(), "{}", findings.join("\n"));
    }

    #[test]
    fn rules_find_what_they_are_for() {
        let mut found = Vec::new();
        sources::check_text(
            "crates/x/src/a.rs",
            concat!("use std::env;\nfn f() { env", "::var(\"X\"); }\n"),
            &[],
            &mut found,
        );
        assert_eq!(found.len(), 2, "{found:?}");
        found.clear();
        sources::check_text(
            "crates/x/src/a.rs",
            "//! D.\nfn f() { unsafe { g() } }\n",
            &["y".to_owned()],
            &mut found,
        );
        assert_eq!(found.len(), 1, "{found:?}");
        found.clear();
        sources::check_merged(
            "docs/a.md",
            concat!("a\n<<<<", "<<< HEAD\nb\n=======\nc\n>>>>", ">>> x\n"),
            &mut found,
        );
        assert_eq!(found.len(), 2, "{found:?}");
        found.clear();
        let ignored = format!("//! D.\n#[{}]\n#[test]\nfn f() {{}}\n", "ignore");
        sources::check_text("crates/x/src/a.rs", &ignored, &[], &mut found);
        assert_eq!(found.len(), 1, "{found:?}");
    }
}
