//! `crates/cl-sys/errors.txt` has a row for every entry point. Every error code in it has a test,
//! or a reason for having none.
//!
//! A test is a macro of `tests/api` that names code and function, like `code!(CL_INVALID_VALUE,
//! clFinish(queue))`. The rule finds the names; the macros (`tests/api/src`) check the behaviour.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::Result;

use super::{files, read};

/// The path of the table.
const TABLE: &str = "crates/cl-sys/errors.txt";
/// Macros of the tests: first the expected codes, then the function.
const MACROS: [&str; 4] = ["code!", "fails!", "starves!", "errcode!"];

/// How a code is tested.
#[derive(Debug, PartialEq)]
enum How<'a> {
    /// By a test that names code and function.
    Tested,
    /// By the test of this name, which iterates over the table.
    Walked(&'a str),
    /// Not tested, for the reason of this name.
    Never(&'a str),
}

/// The table: rows by function, reasons by name.
#[derive(Debug, Default)]
struct Table<'a> {
    rows: BTreeMap<&'a str, Vec<(&'a str, How<'a>)>>,
    reasons: BTreeSet<&'a str>,
}

pub(super) fn check(root: &Path, findings: &mut Vec<String>) -> Result<()> {
    let text = read(&root.join(TABLE))?;
    let generated = read(&root.join("crates/cl-sys/src/generated.rs"))?;
    let mut tests = String::new();
    for path in files(&root.join("tests/api/tests"), &[".rs"])? {
        tests.push_str(&read(&path)?);
    }
    compare(&parse(&text, findings), &entry_points(&generated), &tests, &generated, findings);
    Ok(())
}

fn parse<'a>(text: &'a str, findings: &mut Vec<String>) -> Table<'a> {
    let mut table = Table::default();
    let mut row = None;
    for (number, line) in text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'))
    {
        if let Some((name, reason)) = line.strip_prefix('!').and_then(|line| line.split_once(" = "))
        {
            if reason.trim().is_empty() || !table.reasons.insert(name) {
                findings.push(format!(
                    "{TABLE}:{}: the reason {name} is empty or defined twice",
                    number + 1
                ));
            }
            continue;
        }
        let mut words = line.split_whitespace();
        if !line.starts_with(' ')
            && let Some(function) = words.next()
        {
            if table.rows.insert(function, Vec::new()).is_some() {
                findings.push(format!("{TABLE}:{}: {function} has two rows", number + 1));
            }
            row = Some(function);
        }
        let Some(codes) = row.and_then(|row| table.rows.get_mut(row)) else { continue };
        codes.extend(words.map(|word| match (word.split_once('@'), word.split_once('!')) {
            (Some((code, test)), _) => (code, How::Walked(test)),
            (_, Some((code, reason))) => (code, How::Never(reason)),
            _ => (word, How::Tested),
        }));
    }
    table
}

/// The entry points in the generated table that the driver implements.
fn entry_points(generated: &str) -> BTreeSet<&str> {
    let row = |line: &'_ str| -> Option<usize> {
        let groups = ["[core ", "[slot ", "[khr ", "[icd "];
        groups.iter().any(|group| line.starts_with(group)).then_some(2)
    };
    let lines = generated.lines().map(str::trim);
    lines.filter_map(|line| line.split(' ').nth(row(line)?)).collect()
}

/// Pairs of function and code that the tests name.
fn tested(tests: &str) -> BTreeSet<(&str, &str)> {
    let mut found = BTreeSet::new();
    for name in MACROS {
        for (at, _) in tests.match_indices(name) {
            // Codes, commas or blanks between them, then the function.
            let rest = tests[at + name.len()..].trim_start_matches(['(', '{']);
            let mut codes = Vec::new();
            for word in rest.split([' ', ',', '\n', '(', '|']).filter(|word| !word.is_empty()) {
                if word.starts_with("CL_") {
                    codes.push(word);
                } else {
                    found.extend(codes.into_iter().map(|code| (word, code)));
                    break;
                }
            }
        }
    }
    found
}

fn compare(
    table: &Table<'_>,
    entry_points: &BTreeSet<&str>,
    tests: &str,
    constants: &str,
    findings: &mut Vec<String>,
) {
    for function in entry_points.iter().filter(|name| !table.rows.contains_key(*name)) {
        findings.push(format!("{TABLE}: lacks a row for {function}"));
    }
    let tested = tested(tests);
    let mut reasons = BTreeSet::new();
    for (function, codes) in &table.rows {
        if !entry_points.contains(function) {
            findings.push(format!("{TABLE}: {function} is no entry point"));
        }
        for (code, how) in codes {
            if !constants.contains(&format!("pub const {code}:")) {
                findings.push(format!("{TABLE}: {function}: {code} is no constant"));
            }
            match how {
                How::Tested if !tested.contains(&(*function, *code)) => findings.push(format!(
                    "tests/api: no test of {code} from {function}: add `code!({code}, \
                     {function}(...))` or a similar macro, or a reason in {TABLE}"
                )),
                How::Never(reason) if !table.reasons.contains(reason) => {
                    findings.push(format!(
                        "{TABLE}: {function}: {code}: there is no reason `{reason}`"
                    ));
                }
                How::Never(_) if tested.contains(&(*function, *code)) => {
                    findings.push(format!(
                        "{TABLE}: {function}: {code} cannot be provoked, but has a test"
                    ));
                }
                How::Walked(test) if !tests.contains(&format!("fn {test}()")) => {
                    findings
                        .push(format!("{TABLE}: {function}: {code}: there is no test `{test}`"));
                }
                _ => {}
            }
            if let How::Never(reason) = how {
                reasons.insert(*reason);
            }
        }
    }
    for reason in table.reasons.difference(&reasons) {
        findings.push(format!("{TABLE}: no code has the reason `{reason}`"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_tests_are_found() {
        let mut found = Vec::new();
        let text = "# c\n!why = Because.\nclA CL_X CL_Y!why\n    CL_Z@walk\nclB\n";
        let table = parse(text, &mut found);
        assert!(found.is_empty(), "{found:?}");
        assert_eq!(
            table.rows["clA"],
            [("CL_X", How::Tested), ("CL_Y", How::Never("why")), ("CL_Z", How::Walked("walk"))]
        );
        let constants = "pub const CL_X: u\npub const CL_Y: u\npub const CL_Z: u\n";
        let names = BTreeSet::from(["clA", "clB"]);
        let good = "fn walk() {} code!(\n CL_X,\n clA(1))";
        compare(&table, &names, good, constants, &mut found);
        assert!(found.is_empty(), "{found:?}");
        compare(&table, &names, "fn walk() {} code!(CL_X, clB(1))", constants, &mut found);
        assert_eq!(found.len(), 1, "{found:?}");
        compare(
            &table,
            &BTreeSet::from(["clA", "clB", "clC"]),
            "enqueue_fails!(CL_X, CL_Y, clA(1))",
            constants,
            &mut found,
        );
        assert_eq!(found.len(), 4, "{found:?}");
    }
}
