//! The table of results: on the terminal, and as `conformance/results.md`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::count;
use super::expect::Expectations;
use super::runner::{Outcome, Status};

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
        "Written by `cargo xtask conformance --cts BUILD_DIR --write-results`. One process per sub-test, through the ICD \
         loader.\nThe reasons are those of [expect/{device}.toml](expect/{device}.toml).\n"
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

    writeln!(text, "\n## What does not pass\n\n| sub-test | result | reason |\n|---|---|---|")?;
    for (id, outcome) in known.iter().filter(|(_, outcome)| outcome.status != Status::Pass) {
        let reason = expectations.reason(id).unwrap_or("**not in the expectation file**");
        writeln!(text, "| `{id}` | {} | {reason} |", outcome.status)?;
    }
    for line in absent {
        writeln!(text, "| {line} | not run | the program is missing from the CTS build |")?;
    }
    fs::write(path, text).with_context(|| path.display().to_string())
}
