//! `docs/env.md` and the table in `crates/config` describe each variable with the same text.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Result;

use super::read;

pub(super) fn check(root: &Path, findings: &mut Vec<String>) -> Result<()> {
    let source = read(&root.join("crates/config/src/lib.rs"))?;
    let page = read(&root.join("docs/env.md"))?;
    compare(&table(&source), &items(&page), findings);
    Ok(())
}

fn compare(
    table: &BTreeMap<&str, String>,
    items: &BTreeMap<&str, String>,
    findings: &mut Vec<String>,
) {
    if table.is_empty() {
        findings.push("crates/config: the table of variables was not found".to_owned());
    }
    for (name, doc) in table {
        match items.get(name) {
            None => findings.push(format!("docs/env.md: lacks the item `{name}`: {doc}")),
            Some(text) if text != doc => {
                findings.push(format!("docs/env.md: `{name}` differs from crates/config: {doc}"));
            }
            Some(_) => {}
        }
    }
    for name in items.keys().filter(|name| !table.contains_key(**name)) {
        findings.push(format!("docs/env.md: {name} is documented, but no code reads it"));
    }
}

/// The rows `NAME "description"` of the table. A description may continue on more lines.
fn table(source: &str) -> BTreeMap<&str, String> {
    let rows = source.split_once("\nvariables! {\n").map_or("", |(_, rows)| rows);
    let rows = rows.split_once("\n}").map_or(rows, |(rows, _)| rows);
    // Names and descriptions alternate, because no description contains a quotation mark.
    let mut pieces = rows.split('"');
    let mut table = BTreeMap::new();
    while let (Some(name), Some(doc)) = (pieces.next(), pieces.next()) {
        let words: Vec<_> = doc.split_whitespace().filter(|word| *word != "\\").collect();
        table.insert(name.trim(), words.join(" "));
    }
    table
}

/// The items "* `NAME`: description" of the page. An item may continue on more lines.
fn items(page: &str) -> BTreeMap<&str, String> {
    let mut items = BTreeMap::<_, String>::new();
    let mut last = None;
    for line in page.lines() {
        let item = line.strip_prefix("* `").and_then(|item| item.split_once("`: "));
        if let Some((name, text)) = item {
            items.insert(name, text.to_owned());
            last = Some(name);
        } else if let (Some(text), Some(name)) = (line.strip_prefix("  "), last) {
            let item = items.entry(name).or_default();
            item.push(' ');
            item.push_str(text);
        } else {
            last = None;
        }
    }
    items
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_texts_are_found() {
        let source =
            "\nvariables! {\n    A \"One.\"\n    B\n        \"Two \\\n         words.\"\n}\n";
        let differences = |page| {
            let mut findings = Vec::new();
            compare(&table(source), &items(page), &mut findings);
            findings.len()
        };
        assert_eq!(differences("* `A`: One.\n* `B`: Two\n  words.\n\n  not of B\n"), 0);
        assert_eq!(differences("* `A`: One.\n* `B`: Two.\n"), 1);
        assert_eq!(differences("* `A`: One.\n"), 1);
        assert_eq!(differences("* `A`: One.\n* `B`: Two words.\n* `C`: Three.\n"), 1);
    }
}
