//! The book: every page of `docs` is in its table of contents, and every link of a page to a file
//! or a heading has a target.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::Result;

use super::{files, read, shown};

/// The book's table of contents.
const SUMMARY: &str = "docs/SUMMARY.md";

pub(super) fn check(root: &Path, findings: &mut Vec<String>) -> Result<()> {
    let summary = read(&root.join(SUMMARY))?;
    let listed: Vec<&str> = links(&summary);
    for page in files(&root.join("docs"), &[".md"])? {
        let name = shown(root, &page);
        let in_book = name.strip_prefix("docs/").unwrap_or(&name);
        let count = listed.iter().filter(|link| **link == in_book).count();
        if name != SUMMARY && count != 1 {
            findings.push(format!("{SUMMARY}: lists {in_book} {count} times, not once"));
        }
        dead(root, &page, findings)?;
    }
    for page in ["README.md", "CHANGELOG.md"] {
        dead(root, &root.join(page), findings)?;
    }
    Ok(())
}

/// Reports the links of `page` that have no target.
fn dead(root: &Path, page: &Path, findings: &mut Vec<String>) -> Result<()> {
    for link in links(&read(page)?) {
        if link.contains("://") || link.starts_with("mailto:") {
            continue;
        }
        let (file, heading) = link.split_once('#').unwrap_or((link, ""));
        let target = match file {
            "" => page.to_owned(),
            file => page.parent().unwrap_or(root).join(file),
        };
        let found =
            target.exists() && (heading.is_empty() || headings(&read(&target)?).contains(heading));
        if !found {
            findings.push(format!("{}: the link {link} leads nowhere", shown(root, page)));
        }
    }
    Ok(())
}

/// The targets of the links in Markdown, those in code excepted.
fn links(text: &str) -> Vec<&str> {
    let mut links = Vec::new();
    for line in prose(text) {
        // Every second piece is code.
        for piece in line.split('`').step_by(2) {
            let targets = piece.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
            links.extend(targets.map(|(target, _)| target));
        }
    }
    links
}

/// The lines outside fenced blocks of code.
fn prose(text: &str) -> Vec<&str> {
    let mut fenced = false;
    text.lines()
        .filter(|line| {
            let fence = line.trim_start().starts_with("```");
            fenced ^= fence;
            !fenced && !fence
        })
        .collect()
}

/// The names of the headings, as links write them.
fn headings(text: &str) -> BTreeSet<String> {
    prose(text)
        .iter()
        .filter(|line| line.starts_with('#'))
        .map(|line| {
            line.trim_start_matches('#')
                .trim()
                .to_lowercase()
                .chars()
                .filter_map(|c| match c {
                    ' ' => Some('-'),
                    c if c.is_alphanumeric() || c == '-' || c == '_' => Some(c),
                    _ => None,
                })
                .collect()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_and_headings_are_found() {
        let text = "# A `b`, c\n[x](y.md#z) `[no](link)` [`code`](w.md)\n```c\n[a](b)\n# d\n```\n";
        assert_eq!(links(text), ["y.md#z", "w.md"]);
        assert_eq!(headings(text), BTreeSet::from(["a-b-c".to_owned()]));
    }

    #[test]
    fn dead_links_and_missing_pages_are_reported() {
        let root = tempfile::tempdir().unwrap();
        let put = |name: &str, text: &str| {
            let path = root.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        put("README.md", "[a](docs/a.md#one) [web](https://x)\n");
        put("CHANGELOG.md", "[a](docs/gone.md)\n");
        put("docs/SUMMARY.md", "- [A](a.md)\n");
        put("docs/a.md", "# One\n[two](#two)\n");
        put("docs/b.md", "# B\n");
        let mut findings = Vec::new();
        check(root.path(), &mut findings).unwrap();
        findings.sort();
        let [gone, unlisted, two] = &findings[..] else { panic!("{findings:#?}") };
        assert!(gone.contains("docs/gone.md") && unlisted.contains("b.md 0 times"));
        assert!(two.contains("#two"), "{two}");
    }
}
