//! `docs/applications.md`: the table of applications, and every test that does not pass.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::junit::{TestResult, Tests};
use super::table::{App, Table};
use super::{Device, Results};
use crate::expect::{Expectations, Observed};
use crate::outcome::Status;

const HEAD: &str = "\
# Applications

After this page you know which applications run on muxcl, with which results of their own tests, and
how to repeat that. Written by `cargo xtask apps --write-results`; do not edit.

```sh
cargo xtask apps                            # every application, on the host
cargo xtask apps --device both pyopencl     # one, on the host and on RefSi
cargo xtask apps --vs intel --device none   # on Intel's runtime instead
cargo xtask apps --resume --write-results   # what has no result yet; then this page
```

";

const HOW: &str = "\
    The command installs each application from PyPI into a virtual environment below `target/apps` \
    and runs the application's own tests with pytest, one process per file. \
    `conformance/apps/apps.toml` has the versions and the tests, `conformance/apps/NAME.expect` \
    the tests that are known not to pass, with reasons. A test that fails or is skipped without \
    an entry there makes the command fail, and so does an entry whose test passes. A test that \
    ends the process (crash) or takes too long (timeout) is a failure under its name; the others \
    of its file run again without it. Logs are in `target/apps/results`.";

const COUNTS: &str = "\
    Failed tests include crashes and timeouts. A test that the application itself expects to fail \
    (xfail) counts as skipped. The time is the sum over the tests, on a machine with other work. \
    The columns of the other runtime are about the same tests on its CPU device. Empty columns, \
    and applications and devices without a row, have no complete results yet.";

/// An application with its complete results.
pub(super) struct Row<'a> {
    pub(super) app: &'a App,
    pub(super) expectations: &'a Expectations,
    /// For each device, and for each other driver by its name.
    pub(super) results: BTreeMap<String, Results>,
}

/// The number of tests with each outcome, and their time.
#[derive(Default, Clone, Copy, PartialEq, Debug)]
pub(super) struct Counts {
    pub(super) passed: usize,
    /// Crashes and timeouts included.
    pub(super) failed: usize,
    pub(super) skipped: usize,
    pub(super) seconds: f64,
}

impl Counts {
    pub(super) fn of<'a>(tests: impl Iterator<Item = &'a TestResult>) -> Self {
        let mut counts = Self::default();
        for test in tests {
            counts.seconds += test.seconds;
            match test.status {
                Status::Pass => counts.passed += 1,
                Status::Skip => counts.skipped += 1,
                Status::Fail | Status::Crash | Status::Timeout => counts.failed += 1,
            }
        }
        counts
    }

    fn cells(self) -> String {
        let Self { passed, failed, skipped, seconds } = self;
        format!("{passed} | {failed} | {skipped} | {}", time(seconds))
    }
}

fn time(seconds: f64) -> String {
    if seconds < 100.0 { format!("{seconds:.1} s") } else { format!("{:.0} s", seconds.round()) }
}

/// The page.
pub(super) fn page(table: &Table, rows: &[Row<'_>]) -> String {
    let mut text = format!("{HEAD}{}\n\n", paragraph(HOW));
    // Writing to a string cannot fail.
    let _ = write_table(&mut text, table, rows);
    let _ = write_about(&mut text, rows);
    let _ = write_failures(&mut text, table, rows);
    let _ = write_skips(&mut text, rows);
    text
}

fn write_table(text: &mut String, table: &Table, rows: &[Row<'_>]) -> std::fmt::Result {
    text.push_str("| application | version | device | tests | passed | failed | skipped | time |");
    for peer in table.vs.values() {
        write!(text, " {}: passed | failed | skipped | time |", peer.title)?;
    }
    text.push_str("\n|---|---|---|---:|---:|---:|---:|---:|");
    for _ in &table.vs {
        text.push_str("---:|---:|---:|---:|");
    }
    text.push('\n');
    for row in rows {
        for (device, results) in
            Device::ALL.iter().filter_map(|d| row.results.get(d.name()).map(|r| (d, r)))
        {
            let counts = Counts::of(results.tests().map(|(_, test)| test));
            let tests = counts.passed + counts.failed + counts.skipped;
            let (_, version) = row.app.version();
            let name = &row.app.name;
            write!(
                text,
                "| {name} | {version} | {} | {tests} | {} |",
                device.title(),
                counts.cells()
            )?;
            for peer in table.vs.keys() {
                match row.results.get(peer).filter(|_| *device == Device::Host) {
                    Some(peer) => {
                        let counts = Counts::of(peer.tests().map(|(_, test)| test));
                        write!(text, " {} |", counts.cells())?;
                    }
                    None => text.push_str(" | | | |"),
                }
            }
            text.push('\n');
        }
    }
    writeln!(text, "\n{}", paragraph(COUNTS))
}

fn write_about(text: &mut String, rows: &[Row<'_>]) -> std::fmt::Result {
    text.push_str("\n## What is tested\n\n");
    for Row { app, .. } in rows {
        let mut line = format!("* {}: `{}`.", app.name, app.tests.join("`, `"));
        for without in &app.without {
            write!(line, " Without `{}`: {}.", without.files, without.reason)?;
        }
        match &app.refsi {
            Some(on) if !on.tests.is_empty() => {
                write!(line, " On RefSi: `{}`.", on.tests.join("`, `"))?;
            }
            Some(_) => {}
            None => line.push_str(" Not on RefSi."),
        }
        if !app.host {
            line.push_str(" Not on CPUs.");
        }
        write!(line, " {}", app.about)?;
        writeln!(text, "{}", paragraph(&line))?;
    }
    Ok(())
}

/// A paragraph or an item of a list, in lines of at most 100 columns.
fn paragraph(text: &str) -> String {
    let indent = if text.starts_with("* ") { "  " } else { "" };
    let options = textwrap::Options::new(100)
        .word_splitter(textwrap::WordSplitter::NoHyphenation)
        .subsequent_indent(indent);
    textwrap::fill(text.trim(), &options)
}

/// A result of `row` on `device`, as expectation files see it.
fn observed<'a>(test: &'a str, result: &'a TestResult, device: &'a str) -> Observed<'a> {
    Observed { test, status: result.status, message: &result.message, device }
}

/// The tests of our devices with one of the outcomes, by device.
fn select<'a>(
    row: &'a Row<'_>,
    wanted: impl Fn(Status) -> bool + Copy + 'a,
) -> impl Iterator<Item = (Device, &'a String, &'a TestResult)> {
    Device::ALL.into_iter().flat_map(move |device| {
        row.results
            .get(device.name())
            .into_iter()
            .flat_map(Results::tests)
            .filter(move |(_, result)| wanted(result.status))
            .map(move |(test, result)| (device, test, result))
    })
}

fn write_failures(text: &mut String, table: &Table, rows: &[Row<'_>]) -> std::fmt::Result {
    text.push_str("\n## What fails\n\n");
    let failed = |status| !matches!(status, Status::Pass | Status::Skip);
    if rows.iter().all(|row| select(row, failed).next().is_none()) {
        text.push_str("Nothing.\n");
        return Ok(());
    }
    text.push_str("| application | device | test | outcome |");
    for peer in table.vs.values() {
        write!(text, " {} |", peer.title)?;
    }
    text.push_str(" reason |\n|---|---|---|---|");
    text.push_str(&"---|".repeat(table.vs.len()));
    text.push_str("---|\n");
    for row in rows {
        for (device, test, result) in select(row, failed) {
            write!(
                text,
                "| {} | {} | `{}` | {} |",
                row.app.name,
                device.title(),
                test.replace('|', "\\|"),
                result.status
            )?;
            for peer in table.vs.keys() {
                let other = row.results.get(peer).and_then(|results| results.find(test));
                let other = other.map_or("-".to_owned(), |result| result.status.to_string());
                write!(text, " {other} |")?;
            }
            let reason = row.expectations.reason(observed(test, result, device.name()));
            let reason = reason.unwrap_or("**not in the expectation file**").replace('|', "\\|");
            writeln!(text, " {reason} |")?;
        }
    }
    Ok(())
}

fn write_skips(text: &mut String, rows: &[Row<'_>]) -> std::fmt::Result {
    text.push_str("\n## What is skipped\n\n| application | device | tests | reason |\n");
    text.push_str("|---|---|---:|---|\n");
    for row in rows {
        let mut groups: BTreeMap<(&str, &str), usize> = BTreeMap::new();
        for (device, test, result) in select(row, |status| status == Status::Skip) {
            let reason = row.expectations.reason(observed(test, result, device.name()));
            let reason = reason.unwrap_or("**not in the expectation file**");
            *groups.entry((device.title(), reason)).or_default() += 1;
        }
        for ((device, reason), count) in groups {
            let reason = reason.replace('|', "\\|");
            writeln!(text, "| {} | {device} | {count} | {reason} |", row.app.name)?;
        }
    }
    Ok(())
}

/// The tests that fail here and pass on another driver.
pub(super) fn only_here<'a>(ours: &'a Results, other: &Results) -> Vec<&'a String> {
    let passes = |test| other.find(test).is_some_and(|result| result.status == Status::Pass);
    ours.tests()
        .filter(|(_, result)| !matches!(result.status, Status::Pass | Status::Skip))
        .map(|(test, _)| test)
        .filter(|test| passes(test))
        .collect()
}

/// One line about the tests of a file.
pub(super) fn summary(tests: &Tests) -> String {
    let Counts { passed, failed, skipped, seconds } = Counts::of(tests.values());
    format!("{passed} passed, {failed} failed, {skipped} skipped, {}", time(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tests(results: &[(&str, Status, f64, &str)]) -> Results {
        let tests = results
            .iter()
            .map(|(name, status, seconds, message)| {
                let message = (*message).to_owned();
                (name.to_string(), TestResult { status: *status, seconds: *seconds, message })
            })
            .collect();
        Results { files: BTreeMap::from([("t.py".to_owned(), tests)]), ..Results::default() }
    }

    #[test]
    fn the_page_has_rows_failures_and_skips() {
        let table: Table = toml::from_str(
            "[[app]]\nname = 'app'\npackages = ['p==1.5']\ntests = ['t*.py']\nabout = 'All.'\n\
             without = [{ files = 'u.py', reason = 'needs torch' }]\n\
             [vs.intel]\ntitle = 'Intel'\npackages = ['q==2']\nlibrary = 'lib/x.so'",
        )
        .unwrap();
        let expectations: Expectations = toml::from_str(
            "[[expect]]\ntest = '*::b\\[1|2\\]'\nstatus = 'fail'\nreason = 'wrong a|b'\n\
             [[expect]]\ntest = '*'\nmessage = 'no half*'\nstatus = 'skip'\nreason = 'no fp16'",
        )
        .unwrap();
        let ours = tests(&[
            ("t.py::a", Status::Pass, 1.0, ""),
            ("t.py::b[1|2]", Status::Fail, 2.0, "assert"),
            ("t.py::c", Status::Crash, 0.0, "signal: 11"),
            ("t.py::d", Status::Skip, 0.0, "no half precision"),
            ("t.py::e", Status::Skip, 0.0, "no half"),
            ("t.py::f", Status::Skip, 0.0, "other"),
        ]);
        let intel = tests(&[
            ("t.py::b[1|2]", Status::Pass, 150.4, ""),
            ("t.py::c", Status::Fail, 0.0, "x"),
        ]);
        assert_eq!(only_here(&ours, &intel), ["t.py::b[1|2]"]);
        let results = [("host".to_owned(), ours), ("intel".to_owned(), intel)].into();
        let rows = [Row { app: &table.app[0], expectations: &expectations, results }];
        let text = page(&table, &rows);
        for line in [
            "| application | version | device | tests | passed | failed | skipped | time | Intel: \
             passed | failed | skipped | time |",
            "| app | 1.5 | host | 6 | 1 | 2 | 3 | 3.0 s | 1 | 1 | 0 | 150 s |",
            "* app: `t*.py`. Without `u.py`: needs torch. Not on RefSi. All.",
            "| app | host | `t.py::b[1\\|2]` | fail | pass | wrong a\\|b |",
            "| app | host | `t.py::c` | crash | fail | **not in the expectation file** |",
            "| app | host | 1 | **not in the expectation file** |",
            "| app | host | 2 | no fp16 |",
        ] {
            assert!(text.lines().any(|one| one == line), "no line {line}\n{text}");
        }
        let long = |line: &&str| !line.starts_with('|') && line.len() > 100;
        assert_eq!(text.lines().find(long), None);
    }
}
