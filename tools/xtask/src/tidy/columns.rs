//! No line is longer than [`COLUMNS`], so that two files fit side by side.
//!
//! Exceptions are lines that cannot be broken: lines with part of a string literal (Rust) or a URL,
//! tables and fenced blocks (Markdown), the expected output in comments of the pass tests, and the
//! files in the block `long-lines` of `docs/architecture.md`.

use std::path::Path;

use anyhow::Result;

use super::{block, files, shown};

/// Maximum columns (characters) of a line.
const COLUMNS: usize = 100;

const FOLDERS: [&str; 7] = ["crates", "icd", "builtins", "tools", "tests", "docs", "conformance"];
const ENDINGS: [&str; 7] = [".rs", ".md", ".toml", ".cl", ".c", ".h", ".cpp"];
const TOP: [&str; 6] =
    ["README.md", "CHANGELOG.md", "Cargo.toml", "deny.toml", "clippy.toml", "rustfmt.toml"];

pub(super) fn check(root: &Path, map: &str, findings: &mut Vec<String>) -> Result<()> {
    let excepted = block(map, "long-lines")?;
    let mut paths: Vec<_> = TOP.iter().map(|name| root.join(name)).collect();
    for folder in FOLDERS {
        paths.extend(files(&root.join(folder), &ENDINGS)?);
    }
    for path in paths {
        let name = shown(root, &path);
        if !excepted.contains(&name.as_str()) {
            // Files that are not text (corrupted test inputs) have no columns.
            check_text(&name, &String::from_utf8_lossy(&std::fs::read(&path)?), findings);
        }
    }
    Ok(())
}

fn is_long(line: &str) -> bool {
    line.len() > COLUMNS && line.chars().count() > COLUMNS
}

/// Applies the rule to one file.
pub(super) fn check_text(name: &str, text: &str, findings: &mut Vec<String>) {
    if !text.lines().any(is_long) {
        return;
    }
    let strings = if name.ends_with(".rs") { lines_with_strings(text) } else { Vec::new() };
    let is_page = name.ends_with(".md");
    let is_pass_test = name.starts_with("tests/filetests/cases/");
    let is_kernel_test = name.starts_with("tests/kernels/cl/");
    let mut is_fenced = false;
    for (index, line) in text.lines().enumerate() {
        let start = line.trim_start();
        is_fenced ^= is_page && start.starts_with("```");
        let excepted = strings.get(index).copied().unwrap_or(false)
            || line.contains("http://")
            || line.contains("https://")
            || is_page && (is_fenced || start.starts_with('|'))
            || is_pass_test && start.starts_with("//")
            || is_kernel_test && ["//   ", "// needs:"].iter().any(|d| start.starts_with(d))
            || name.ends_with(".toml") && line.contains('"');
        if is_long(line) && !excepted {
            let (number, columns) = (index + 1, line.chars().count());
            findings.push(format!("{name}:{number}: {columns} columns, more than {COLUMNS}"));
        }
    }
}

/// For each line of a Rust file: true if it contains part of a string literal.
fn lines_with_strings(text: &str) -> Vec<bool> {
    let mut found = vec![false; text.lines().count()];
    let (bytes, mut at, mut line) = (text.as_bytes(), 0, 0);
    // The end of `pattern` behind `from`, or the end of the text.
    let until = |from: usize, pattern: &str| {
        text.get(from..)
            .and_then(|rest| rest.find(pattern))
            .map_or(text.len(), |n| from + n + pattern.len())
    };
    while at < bytes.len() {
        let rest = &bytes[at..];
        let (end, is_string) = match rest {
            [b'/', b'/', ..] => (until(at, "\n") - 1, false),
            [b'/', b'*', ..] => (until(at + 2, "*/"), false),
            [b'r', b'"' | b'#', ..]
                if at == 0 || !is_word(bytes[at - 1]) || bytes[at - 1] == b'b' =>
            {
                let hashes = rest[1..].iter().take_while(|byte| **byte == b'#').count();
                if rest.get(1 + hashes) == Some(&b'"') {
                    (until(at + 2 + hashes, &format!("\"{}", "#".repeat(hashes))), true)
                } else {
                    (at + 1, false)
                }
            }
            [b'"', ..] => {
                let mut end = at + 1;
                while end < bytes.len() && bytes[end] != b'"' {
                    end += if bytes[end] == b'\\' { 2 } else { 1 };
                }
                (end + 1, true)
            }
            // A quote or a backslash as a character literal; other characters and lifetimes need no
            // case.
            [b'\'', b'\\', _, ..] => (until(at + 3, "'"), false),
            [b'\'', b'"', b'\'', ..] => (at + 3, false),
            _ => (at + 1, false),
        };
        let end = end.clamp(at + 1, bytes.len());
        let next = line + bytes[at..end].iter().filter(|byte| **byte == b'\n').count();
        if is_string {
            let last = next.min(found.len().saturating_sub(1));
            found[line..=last].fill(true);
        }
        (at, line) = (end, next);
    }
    found
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn long_lines(name: &str, text: &str) -> usize {
        let mut found = Vec::new();
        check_text(name, text, &mut found);
        found.len()
    }

    #[test]
    fn long_lines_are_found_and_what_cannot_be_broken_is_not() {
        let long = "x".repeat(COLUMNS + 1);
        assert_eq!(long_lines("a.rs", &format!("//! {long}\nlet {long} = 1;\n")), 2);
        assert_eq!(long_lines("a.rs", &"é".repeat(COLUMNS)), 0, "columns, not bytes");
        assert_eq!(long_lines("a.rs", &format!("let a = \"{long}\";\nlet {long} = '\"';")), 1);
        assert_eq!(long_lines("a.rs", &format!("let a = r#\"\n\"{long}\n\"#;\n// \"{long}\n")), 1);
        assert_eq!(long_lines("a.rs", &format!("let a = b\"\\\"\n{long}\";\nlet b = {long};")), 1);
        assert_eq!(long_lines("a.md", &format!("| {long} |\n```\n{long}\n```\n{long}\n")), 1);
        assert_eq!(long_lines("a.c", &format!("// https://{long}\nputs(\"{long}\");\n")), 1);
        assert_eq!(long_lines("tests/filetests/cases/passes/a.cl", &format!("// {long}\n")), 0);
        assert_eq!(
            long_lines("tests/kernels/cl/a.cl", &format!("//   buf {long}\n// {long}\n")),
            1
        );
    }
}
