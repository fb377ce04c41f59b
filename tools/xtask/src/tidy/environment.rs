//! `docs/env.md` and the table in `crates/config` describe each variable with the same text.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Result;

use super::{files, read};

pub(super) fn check(root: &Path, findings: &mut Vec<String>) -> Result<()> {
    let mut table = BTreeMap::new();
    for path in files(&root.join("crates/config"), &[".rs"])? {
        let text = read(&path)?;
        table.extend(
            text.lines()
                .filter_map(table_line)
                .map(|(name, doc)| (name.to_owned(), doc.to_owned())),
        );
    }
    if table.is_empty() {
        findings.push("crates/config: the table of variables was not found".to_owned());
    }
    let page = read(&root.join("docs/env.md"))?;
    let documented: BTreeMap<_, _> = page.lines().filter_map(page_line).collect();
    for (name, doc) in &table {
        match documented.get(name.as_str()) {
            None => findings.push(format!("docs/env.md: lacks the row: | `{name}` | {doc} |")),
            Some(page_doc) if *page_doc != doc => {
                findings
                    .push(format!("docs/env.md: {name} differs from crates/config; the row is: | `{name}` | {doc} |"));
            }
            Some(_) => {}
        }
    }
    for name in documented.keys().filter(|name| !table.contains_key(**name)) {
        findings.push(format!("docs/env.md: {name} is documented, but no code reads it"));
    }
    Ok(())
}

/// `    NAME "what it does"`, a line of the table.
fn table_line(line: &str) -> Option<(&str, &str)> {
    let (name, rest) = line.trim().split_once(' ')?;
    let doc = rest.trim().strip_prefix('"')?.strip_suffix('"')?;
    is_variable(name).then_some((name, doc))
}

/// "| `NAME` | what it does |", a row of the page.
fn page_line(line: &str) -> Option<(&str, &str)> {
    let (name, rest) = line.strip_prefix("| `")?.split_once("` |")?;
    is_variable(name).then(|| (name, rest.trim().trim_end_matches('|').trim()))
}

fn is_variable(text: &str) -> bool {
    (text.starts_with("MUXCL_") || text.starts_with("CA_"))
        && text
            .bytes()
            .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
}
