//! What is printed, written, checked and compared after the launches.

use std::path::PathBuf;

use anyhow::{Context as _, Result};
use muxcl_values::{Scope, Tolerance, ulps};

use crate::argument::Fill;
use crate::cli::Cli;
use crate::numbers::Numbers;
use crate::run::{Job, Outcome};

/// The differences that are listed.
const SHOWN: usize = 8;
/// The elements that are printed without a range.
const PRINTED: usize = 32;
/// The length of printed lines, in characters.
const LINE: usize = 80;

/// What the command line wants to know, with numbers of arguments that exist.
pub(crate) struct Wanted {
    /// The argument and the elements; `None`: the first ones.
    prints: Vec<(usize, Option<(usize, usize)>)>,
    dumps: Vec<(usize, PathBuf)>,
    /// The argument, the expected contents, and what the user wrote.
    checks: Vec<(usize, Fill, String)>,
    tolerance: Tolerance,
}

/// The number before `end` in the value of an option.
fn argument<'t>(job: &Job<'_>, text: &'t str, end: char) -> Result<(usize, Option<&'t str>)> {
    let (number, rest) = match text.split_once(end) {
        Some((number, rest)) => (number, Some(rest)),
        None => (text, None),
    };
    let number = number.parse().ok();
    let number = number.with_context(|| format!("`{text}` begins with no argument's number"))?;
    job.memory(number)?;
    Ok((number, rest))
}

/// Reads `FROM..TO`; either may be left out.
fn range(text: &str, elements: usize) -> Option<(usize, usize)> {
    let (from, to) = text.split_once("..")?;
    let number = |text: &str, other| if text.is_empty() { Some(other) } else { text.parse().ok() };
    let (from, to) = (number(from, 0)?, number(to, elements)?);
    (from <= to && to <= elements).then_some((from, to))
}

impl Wanted {
    /// Reads `--print`, `--dump` and `--check`.
    pub(crate) fn parse(cli: &Cli, job: &Job<'_>) -> Result<Self> {
        let print = |text: &String| {
            let (number, rest) = argument(job, text, ':')?;
            let elements = job.memory(number)?.1.elements();
            let range = rest.map(|rest| {
                range(rest, elements).with_context(|| {
                    format!("`{rest}` is no range FROM..TO of {elements} elements")
                })
            });
            Ok((number, range.transpose()?))
        };
        let dump = |text: &String| {
            let (number, path) = argument(job, text, '=')?;
            Ok((number, path.context("N=FILE")?.into()))
        };
        let check = |text: &String| {
            let (number, fill) = argument(job, text, '=')?;
            Ok((number, Fill::parse(fill.context("N=FILL")?)?, text.clone()))
        };
        fn all<T>(
            option: &str,
            texts: &[String],
            parse: impl Fn(&String) -> Result<T>,
        ) -> Result<Vec<T>> {
            let one = |text| parse(text).with_context(|| format!("{option} {text}"));
            texts.iter().map(one).collect()
        }
        Ok(Self {
            prints: all("--print", &cli.print, print)?,
            dumps: all("--dump", &cli.dump, dump)?,
            checks: all("--check", &cli.check, check)?,
            tolerance: cli.tolerance(),
        })
    }

    /// Prints, writes and checks; false if a check fails.
    pub(crate) fn report(&self, job: &Job<'_>, outcome: &Outcome) -> Result<bool> {
        for (number, range) in &self.prints {
            let found = found(job, outcome, *number)?;
            print!("{}", text(*number, found, *range));
        }
        for (number, path) in &self.dumps {
            found(job, outcome, *number)?.write(path)?;
        }
        let mut fine = true;
        for (number, fill, written) in &self.checks {
            let found = found(job, outcome, *number)?;
            let mut scope: Scope = job.scope.clone();
            let (kind, count) = (found.kind, Some(found.elements()));
            let sizes = (count, found.elements());
            let expected = Numbers::new(fill, kind, sizes, *number, &mut scope, u64::MAX)
                .with_context(|| format!("--check {written}"))?;
            let title = format!("check {number}");
            let words = ["as expected", "expected", "found"];
            fine &= differences(&title, words, &expected, found, self.tolerance);
        }
        Ok(fine)
    }
}

fn found<'o>(job: &Job<'_>, outcome: &'o Outcome, number: usize) -> Result<&'o Numbers> {
    let (memory, _) = job.memory(number)?;
    outcome.contents.get(&memory).context("no results")
}

/// The elements in `range`, or the first ones and how many are left.
fn text(number: usize, numbers: &Numbers, range: Option<(usize, usize)>) -> String {
    let elements = numbers.elements();
    let (from, to) = range.unwrap_or((0, elements.min(PRINTED)));
    let mut text = format!("{number}: {} elements of {}\n", elements, numbers.kind);
    let width = elements.to_string().len() + 4;
    let mut line = String::new();
    for element in from..to {
        let word = numbers.text(element);
        if !line.is_empty() && line.len() + 1 + word.len() > LINE {
            text += &format!("{line}\n");
            line.clear();
        }
        if line.is_empty() {
            line = format!("{:>width$} ", format!("[{element}]"));
        }
        line += &format!(" {word}");
    }
    if !line.is_empty() {
        text += &format!("{line}\n");
    }
    if range.is_none() && to < elements {
        text += &format!("  ... {} more: --print {number}:..\n", elements - to);
    }
    text
}

/// Compares two lists of numbers, prints the outcome and the first differences; false if there are
/// differences. The words say that all numbers agree, and name the two lists.
fn differences(
    title: &str,
    [equal, first, second]: [&str; 3],
    wanted: &Numbers,
    found: &Numbers,
    tolerance: Tolerance,
) -> bool {
    let kind = wanted.kind;
    let (mut wrong, mut list) = (0, String::new());
    for (index, (one, other)) in wanted.iter().zip(found.iter()).enumerate() {
        if tolerance.accepts(kind.element, one, other) {
            continue;
        }
        wrong += 1;
        if wrong > SHOWN {
            continue;
        }
        let lane =
            if kind.lanes > 1 { format!(".s{:x}", index % kind.lanes) } else { String::new() };
        let [one_text, other_text] = [one, other].map(|number| kind.element.text(number));
        let away = match ulps(kind.element, one, other) {
            Some(ulps) => format!("  ({ulps} ulp)"),
            None => String::new(),
        };
        list += &format!(
            "  [{}]{lane}  {first} {one_text}  {second} {other_text}{away}\n",
            index / kind.lanes
        );
    }
    if wrong == 0 {
        println!("{title}: all {} numbers are {equal}", found.len());
        return true;
    }
    println!("{title}: {wrong} of {} numbers differ", found.len());
    print!("{list}");
    if wrong > SHOWN {
        println!("  ... {} more", wrong - SHOWN);
    }
    false
}

/// Compares the results of the first device with those of the others; false if they differ.
pub(crate) fn compare(all: &[(String, Outcome)], tolerance: Tolerance) -> bool {
    let mut fine = true;
    let Some(((name, first), others)) = all.split_first() else { return fine };
    for (other, outcome) in others {
        for (number, numbers) in &first.contents {
            let Some(found) = outcome.contents.get(number) else { continue };
            let title = format!("compare {number}");
            fine &= differences(&title, ["equal", name, other], numbers, found, tolerance);
        }
    }
    fine
}

/// The table of the times of each launch on each device.
pub(crate) fn times(job: &Job<'_>, all: &[(String, Outcome)]) -> String {
    let mut rows = vec![
        ["kernel", "device", "runs", "median us", "min us", "wall median us", "wall min us"]
            .map(str::to_owned),
    ];
    for (index, (_, kernel)) in job.launches.iter().enumerate() {
        for (device, outcome) in all {
            let times = &outcome.times[index];
            let ([median, min], [wall_median, wall_min]) =
                (summary(&times.device), summary(&times.wall));
            let runs = times.wall.len().to_string();
            rows.push([kernel.clone(), device.clone(), runs, median, min, wall_median, wall_min]);
        }
    }
    table(&rows)
}

/// Median and minimum in microseconds.
#[expect(clippy::cast_precision_loss, reason = "a time for people")]
fn summary(nanoseconds: &[u64]) -> [String; 2] {
    let mut sorted = nanoseconds.to_vec();
    sorted.sort_unstable();
    let pick = |index: usize| sorted.get(index).copied().unwrap_or_default();
    [pick(sorted.len() / 2), pick(0)].map(|time| format!("{:.1}", time as f64 / 1e3))
}

/// Rows as lines: the first two columns to the left, the others to the right.
pub(crate) fn table<const N: usize>(rows: &[[String; N]]) -> String {
    let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
    let widths: Vec<_> = (0..N).map(width).collect();
    let line = |row: &[String; N]| {
        let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, width))| {
            if column < 2 { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
        });
        format!("{}\n", cells.collect::<Vec<_>>().join("  ").trim_end())
    };
    rows.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_lie_within_the_elements() {
        assert_eq!(range("..", 8), Some((0, 8)));
        assert_eq!(range("2..", 8), Some((2, 8)));
        assert_eq!(range("2..4", 8), Some((2, 4)));
        assert_eq!(range("4..2", 8), None);
        assert_eq!(range("0..9", 8), None);
        assert_eq!(range("3", 8), None);
    }

    #[test]
    fn medians_and_minima_are_microseconds() {
        assert_eq!(summary(&[3000, 1000, 2000]), ["2.0", "1.0"]);
    }
}
