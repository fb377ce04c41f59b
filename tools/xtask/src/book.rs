//! `book`: the pages of `docs` as a book in `target/book`, made by mdbook.
//!
//! The pages are read where they are written, in the repository, too. mdbook gets copies, in which
//! links to files outside `docs` lead to the repository. That every page is in the book, and that
//! every link has a target, `tidy` checks.

use std::fs;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::{dist, run, tools};

/// The version that is built if no mdbook is installed; others with the same first two numbers are
/// used, too.
const VERSION: &str = "0.5.4";
/// Where files outside the book are found.
const REPOSITORY: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main");

/// Builds `target/book/index.html`.
pub(crate) fn book() -> Result<()> {
    let mdbook = mdbook()?;
    let (docs, copy) = (run::root().join("docs"), run::root().join("target/book-source"));
    if copy.exists() {
        fs::remove_dir_all(&copy)?;
    }
    dist::copy_files(&docs, &copy)?;
    let mut files = Vec::new();
    dist::walk(&copy, &mut files)?;
    for page in files.iter().filter(|file| file.extension().is_some_and(|e| e == "md")) {
        let text = fs::read_to_string(page).with_context(|| page.display().to_string())?;
        let folder = Path::new("docs").join(page.strip_prefix(&copy)?);
        let folder = folder.parent().context("a page lies in a folder")?;
        fs::write(page, outside(&text, folder))?;
    }
    run::check(Command::new(mdbook).arg("build").arg(&copy))?;
    println!("{}", run::root().join("target/book/index.html").display());
    Ok(())
}

/// The installed mdbook, else the one that cargo builds.
fn mdbook() -> Result<PathBuf> {
    let found = run::output(Command::new("mdbook").arg("--version")).unwrap_or_default();
    let series = VERSION.rsplit_once('.').map_or(VERSION, |(series, _)| series);
    if found.trim().trim_start_matches("mdbook v").starts_with(&format!("{series}.")) {
        return Ok("mdbook".into());
    }
    tools::cargo_tool("mdbook", VERSION, &["--no-default-features", "--features", "search"])
}

/// `text` of a page in `folder` of the repository, with absolute links to files outside `docs`.
fn outside(text: &str, folder: &Path) -> String {
    let mut out = String::new();
    let mut parts = text.split("](");
    out += parts.next().unwrap_or_default();
    for part in parts {
        out += "](";
        let target = part.split([')', '#']).next().unwrap_or_default();
        match target.starts_with("../").then(|| resolved(&folder.join(target))) {
            Some(path) if !path.starts_with("docs") => {
                out += &format!("{REPOSITORY}/{}", path.display());
                out += &part[target.len()..];
            }
            _ => out += part,
        }
    }
    out
}

/// `path` without `..`.
fn resolved(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                out.pop();
            }
            part => out.push(part),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_that_leave_the_book_lead_to_the_repository() {
        let of = |text: &str| outside(text, Path::new("docs/howto"));
        assert_eq!(of("[a](b.md) [c](../d.md#e)"), "[a](b.md) [c](../d.md#e)");
        assert_eq!(of("x [a](../../README.md#b) y"), format!("x [a]({REPOSITORY}/README.md#b) y"));
        assert_eq!(of("[a](https://b/../c)"), "[a](https://b/../c)");
    }
}
