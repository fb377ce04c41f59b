//! Rules for the text of every `.rs` file.

use std::path::Path;

use anyhow::Result;

use super::{block, files, read, shown};

/// Maximum lines of a file, except those listed in `docs/architecture.md`.
const LONGEST: usize = 1000;

pub(super) fn check(root: &Path, map: &str, findings: &mut Vec<String>) -> Result<()> {
    let unsafe_crates: Vec<_> = block(map, "unsafe")?
        .iter()
        .flat_map(|line| line.split_whitespace())
        .map(str::to_owned)
        .collect();
    let long: Vec<_> = block(map, "long-files")?;
    for folder in ["crates", "icd", "builtins", "tools", "tests"] {
        for path in files(&root.join(folder), &[".rs"])? {
            let name = shown(root, &path);
            let text = read(&path)?;
            check_text(&name, &text, &unsafe_crates, findings);
            let lines = text.lines().count();
            if lines > LONGEST && !long.contains(&name.as_str()) {
                findings
                    .push(format!("{name}: {lines} lines, more than {LONGEST}: split the file"));
            }
        }
    }
    for folder in ["crates", "icd", "builtins", "tools", "tests", "docs", "conformance"] {
        for path in
            files(&root.join(folder), &[".rs", ".md", ".toml", ".c", ".h", ".cpp", ".cl", ".txt"])?
        {
            let name = shown(root, &path);
            // Test inputs may be other than text.
            let text = String::from_utf8_lossy(&std::fs::read(&path)?).into_owned();
            check_merged(&name, &text, findings);
        }
    }
    for name in ["README.md", "CHANGELOG.md", "Cargo.toml"] {
        check_merged(name, &read(&root.join(name))?, findings);
    }
    for name in long {
        if !root.join(name).exists() {
            findings.push(format!("docs/architecture.md: the long file {name} does not exist"));
        }
    }
    Ok(())
}

/// Checks that no merge conflict marker is left.
pub(super) fn check_merged(name: &str, text: &str, findings: &mut Vec<String>) {
    for (number, line) in (1..).zip(text.lines()) {
        // Written in two pieces, so that this file does not contain one.
        if [concat!("<<<<", "<<< "), concat!(">>>>", ">>> ")]
            .iter()
            .any(|mark| line.starts_with(mark))
        {
            findings.push(format!("{name}:{number}: an unresolved conflict"));
        }
    }
}

/// Applies the rules to one file. `unsafe_crates` are the folders that may contain unsafe code.
pub(super) fn check_text(
    name: &str,
    text: &str,
    unsafe_crates: &[String],
    findings: &mut Vec<String>,
) {
    if !text.starts_with("//!") {
        findings
            .push(format!("{name}:1: the first line is not a `//!` line that describes the file"));
    }
    let may_be_unsafe = unsafe_crates.is_empty()
        || unsafe_crates
            .iter()
            .any(|folder| name == folder || name.starts_with(&format!("{folder}/")));
    let is_build_script = name.ends_with("build.rs");
    let is_test = name.contains("/tests/") || name.starts_with("tests/");
    let reads_environment = name.starts_with("crates/config/") || is_build_script || is_test;
    for (number, line) in (1..).zip(text.lines()) {
        let code = line.split("//").next().unwrap_or(line);
        let mut finding = |what: &str| findings.push(format!("{name}:{number}: {what}"));
        // Written in two pieces, so that this file does not contain it.
        if !reads_environment
            && [concat!("env", "::var("), concat!("env", "::var_os(")]
                .iter()
                .any(|call| code.contains(call))
        {
            finding("only muxcl-config reads the environment");
        }
        let attribute = code.trim();
        if [concat!("#[should", "_panic"), concat!("#[ign", "ore")]
            .iter()
            .any(|start| attribute.starts_with(start))
        {
            finding("a test returns or asserts its result, and no test is ignored");
        }
        let allows = [concat!("#[all", "ow("), concat!("#![all", "ow(")]
            .iter()
            .any(|start| code.contains(start));
        // Each test program uses only some items of a shared module, so an `expect` would fail in
        // some.
        let whole = || text.lines().skip(number - 1).take_while(|line| line.trim() != ")]");
        let has_reason = || whole().take(10).any(|line| line.contains("reason = "));
        if allows && !(is_test && has_reason()) {
            finding("use #[expect(lint, reason = \"...\")]");
        }
        if !may_be_unsafe && has_unsafe(code) {
            finding("unsafe outside the crates of the `unsafe` block of docs/architecture.md");
        }
    }
}

/// True if a line of code opens an unsafe block, function or implementation.
fn has_unsafe(code: &str) -> bool {
    let word = concat!("uns", "afe");
    [" {", " fn ", " impl ", " extern "].iter().any(|rest| code.contains(&format!("{word}{rest}")))
}
