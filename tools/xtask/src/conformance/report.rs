//! The table of results: on the terminal, and as `conformance/results.md`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use textwrap::WordSplitter;

use super::runner::Outcome;
use super::{count, observed};
use crate::expect::Expectations;
use crate::outcome::Status;

/// The longest line of a document, in columns.
const WIDTH: usize = 100;

const COLUMNS: [Status; 5] =
    [Status::Pass, Status::Skip, Status::Fail, Status::Crash, Status::Timeout];

fn suites(known: &BTreeMap<String, Outcome>) -> BTreeSet<&str> {
    known.keys().filter_map(|id| id.split('/').next()).collect()
}

/// Prints one line per suite.
pub(super) fn summary(known: &BTreeMap<String, Outcome>) {
    println!(
        "\n{:<24}{:>7}{:>7}{:>7}{:>7}{:>9}",
        "suite", "pass", "skip", "fail", "crash", "timeout"
    );
    for suite in suites(known) {
        let counts = COLUMNS.map(|status| count(known, suite, status));
        println!(
            "{suite:<24}{:>7}{:>7}{:>7}{:>7}{:>9}",
            counts[0], counts[1], counts[2], counts[3], counts[4]
        );
    }
    let all =
        COLUMNS.map(|status| known.values().filter(|outcome| outcome.status == status).count());
    println!("{:<24}{:>7}{:>7}{:>7}{:>7}{:>9}", "all", all[0], all[1], all[2], all[3], all[4]);
}

/// Writes the table, with every sub-test that does not pass and its reason.
pub(super) fn write(
    path: &Path,
    device: &str,
    known: &BTreeMap<String, Outcome>,
    expectations: &Expectations,
    absent: &[String],
) -> Result<()> {
    let mut text = String::new();
    writeln!(text, "# Khronos CTS on `{device}`\n")?;
    writeln!(
        text,
        "Written by `cargo xtask conformance --cts BUILD_DIR --write-results`. One process per \
         sub-test,\nthrough the ICD loader. The reasons are those of \
         [expect/{device}.toml](expect/{device}.toml).\n"
    )?;
    writeln!(
        text,
        "| suite | pass | skip | fail | crash | timeout |\n|---|---:|---:|---:|---:|---:|"
    )?;
    for suite in suites(known) {
        let counts = COLUMNS.map(|status| count(known, suite, status));
        writeln!(
            text,
            "| {suite} | {} | {} | {} | {} | {} |",
            counts[0], counts[1], counts[2], counts[3], counts[4]
        )?;
    }
    let all =
        COLUMNS.map(|status| known.values().filter(|outcome| outcome.status == status).count());
    writeln!(text, "| **all** | {} | {} | {} | {} | {} |", all[0], all[1], all[2], all[3], all[4])?;

    text.push_str("\n## What does not pass\n");
    text.push_str(&failures(known, expectations, absent));
    fs::write(path, text).with_context(|| path.display().to_string())
}

/// One paragraph for each outcome and reason, and below it the list of its sub-tests.
fn failures(
    known: &BTreeMap<String, Outcome>,
    expectations: &Expectations,
    absent: &[String],
) -> String {
    let mut groups: Vec<(String, Vec<&str>)> = Vec::new();
    let mut add = |title: String, id| match groups.iter_mut().find(|group| group.0 == title) {
        Some(group) => group.1.push(id),
        None => groups.push((title, vec![id])),
    };
    for (id, outcome) in known.iter().filter(|(_, outcome)| outcome.status != Status::Pass) {
        let reason =
            expectations.reason(observed(id, outcome)).unwrap_or("**not in the expectation file**");
        add(format!("**{}**: {reason}", outcome.status), id);
    }
    for id in absent {
        add("**not run**: the program is missing from the CTS build".to_owned(), id);
    }
    let options = textwrap::Options::new(WIDTH).word_splitter(WordSplitter::NoHyphenation);
    let mut text = String::new();
    for (title, ids) in groups {
        text.push('\n');
        text.push_str(&textwrap::fill(&title, &options));
        text.push_str("\n\n");
        for id in ids {
            text.push_str("* `");
            text.push_str(id);
            text.push_str("`\n");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sub_tests_with_one_reason_are_one_list() {
        let outcome = |status| Outcome { status, seconds: 1.0 };
        let known = BTreeMap::from([
            ("a/x".to_owned(), outcome(Status::Skip)),
            ("a/y".to_owned(), outcome(Status::Fail)),
            ("a/z".to_owned(), outcome(Status::Pass)),
            ("b/x".to_owned(), outcome(Status::Skip)),
        ]);
        let reason = "one two three four five six seven eight nine ten ".repeat(4);
        let file =
            format!("[[expect]]\ntest = '*/x'\nstatus = 'skip'\nreason = '{}'", reason.trim());
        let text = failures(&known, &toml::from_str(&file).unwrap(), &["c".to_owned()]);
        assert!(text.lines().all(|line| line.len() <= WIDTH), "{text}");
        assert!(text.contains("\n\n* `a/x`\n* `b/x`\n\n**fail**: **not in the"), "{text}");
        assert!(text.ends_with("missing from the CTS build\n\n* `c`\n"), "{text}");
        assert!(!text.contains("a/z"), "{text}");
    }
}
