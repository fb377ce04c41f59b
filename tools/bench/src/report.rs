//! The table of medians and ratios.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};

use crate::rows::{Kind, Row};

/// All measurements of a run.
#[derive(serde::Serialize)]
pub(crate) struct Table {
    drivers: Vec<String>,
    rows: Vec<Measured>,
}

/// One row: seconds of every round, and the last failure, by driver.
#[derive(serde::Serialize)]
struct Measured {
    name: &'static str,
    limit: Option<f64>,
    is_compute: bool,
    seconds: Vec<Vec<f64>>,
    failures: Vec<Option<String>>,
}

/// The name of the last line.
const MEAN: &str = "geometric mean of the compute rows";

impl Measured {
    /// Seconds by driver; none if no round succeeded.
    fn medians(&self) -> Vec<Option<f64>> {
        self.seconds.iter().map(|times| median(times)).collect()
    }

    /// The first driver's median divided by that of each other driver, and by the least of these if
    /// there are several.
    fn ratios(&self) -> Vec<Option<f64>> {
        let medians = self.medians();
        let Some((first, others)) = medians.split_first() else { return Vec::new() };
        let mut compared = others.to_vec();
        if others.len() > 1 {
            compared.push(others.iter().flatten().copied().min_by(f64::total_cmp));
        }
        let ratio = |other: Option<f64>| {
            let (first, other) = ((*first)?, other?);
            (first > 0.0 && other > 0.0).then(|| first / other)
        };
        compared.into_iter().map(ratio).collect()
    }
}

impl Table {
    pub(crate) fn new(drivers: Vec<String>) -> Self {
        Self { drivers, rows: Vec::new() }
    }

    /// Records the outcome of one round of `row` on a driver, in seconds.
    pub(crate) fn add(&mut self, row: &Row, driver: usize, outcome: Result<f64>) {
        if self.rows.last().is_none_or(|last| last.name != row.name) {
            let count = self.drivers.len();
            self.rows.push(Measured {
                name: row.name,
                limit: row.limit,
                is_compute: row.kind == Kind::Compute,
                seconds: vec![vec![]; count],
                failures: vec![None; count],
            });
        }
        if let Some(measured) = self.rows.last_mut() {
            match outcome {
                Ok(seconds) => measured.seconds[driver].push(seconds),
                Err(error) => measured.failures[driver] = Some(format!("{error:#}")),
            }
        }
    }

    /// The table as text: each driver's median, the first driver's median divided by that of each
    /// other driver (below 1: the first is faster) and by the least of them, and the first driver's
    /// limit. The last line is the geometric mean of the ratios of all rows about kernels.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        let names = self.rows.iter().map(|row| row.name.len());
        let width = names.chain([MEAN.len()]).max().unwrap_or_default() + 2;
        let _ = write!(text, "{:<width$}", "median");
        for driver in &self.drivers {
            let _ = write!(text, "{driver:>14}");
        }
        for other in self.drivers.iter().skip(1) {
            let _ = write!(text, "{:>14}", format!("vs {other}"));
        }
        if self.drivers.len() > 2 {
            let _ = write!(text, "{:>14}", "vs best");
        }
        let _ = writeln!(text, "{:>18}", "limit");
        for row in &self.rows {
            let _ = write!(text, "{:<width$}", row.name);
            let medians = row.medians();
            for value in &medians {
                let shown = value.map_or_else(|| "failed".to_owned(), |value| show(row, value));
                let _ = write!(text, "{shown:>14}");
            }
            write_ratios(&mut text, &row.ratios());
            let limit = match (row.limit, medians.first().copied().flatten()) {
                (Some(limit), Some(first)) => {
                    format!("{} {}", show(row, limit), if first <= limit { "ok" } else { "OVER" })
                }
                _ => String::new(),
            };
            let _ = writeln!(text, "{limit:>18}");
        }
        let ratios: Vec<_> =
            self.rows.iter().filter(|row| row.is_compute).map(Measured::ratios).collect();
        if self.drivers.len() > 1 && !ratios.is_empty() {
            let _ = write!(text, "{MEAN:<width$}{:1$}", "", 14 * self.drivers.len());
            let comparisons = 0..ratios[0].len();
            let means: Vec<_> =
                comparisons.map(|i| geometric_mean(ratios.iter().map(|row| row[i]))).collect();
            write_ratios(&mut text, &means);
            text.push('\n');
        }
        text
    }

    /// A line for each row and driver that could not be measured.
    pub(crate) fn failures(&self) -> Vec<String> {
        let of_row = |row: &Measured| {
            let named = self.drivers.iter().zip(row.failures.clone());
            let name = row.name;
            named
                .filter_map(move |(driver, failure)| {
                    Some(format!("{name} on {driver}: {}", failure?))
                })
                .collect::<Vec<_>>()
        };
        self.rows.iter().flat_map(of_row).collect()
    }

    pub(crate) fn save(&self, path: &Path) -> Result<()> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        }
        fs::write(path, serde_json::to_string_pretty(self)?)
            .with_context(|| path.display().to_string())
    }
}

fn write_ratios(text: &mut String, ratios: &[Option<f64>]) {
    for ratio in ratios {
        let shown = ratio.map_or_else(String::new, |ratio| format!("{ratio:.2}x"));
        let _ = write!(text, "{shown:>14}");
    }
}

/// The geometric mean of the values that exist.
fn geometric_mean(values: impl Iterator<Item = Option<f64>>) -> Option<f64> {
    let (mut sum, mut count) = (0.0, 0.0);
    for value in values.flatten() {
        sum += value.ln();
        count += 1.0;
    }
    (count > 0.0).then(|| (sum / count).exp())
}

fn median(times: &[f64]) -> Option<f64> {
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied()
}

/// A time in the unit that fits; the row that counts libraries shows a number.
fn show(row: &Measured, value: f64) -> String {
    if row.name.starts_with("LLVM") {
        return format!("{value:.0}");
    }
    match value {
        value if value >= 1.0 => format!("{value:.2} s"),
        value if value >= 1e-3 => format!("{:.2} ms", value * 1e3),
        value => format!("{:.2} us", value * 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::{Table, geometric_mean};
    use crate::rows::compute;

    #[test]
    fn mean_is_of_the_measured_ratios() {
        let mean = geometric_mean([Some(0.5), None, Some(8.0)].into_iter());
        assert!(mean.is_some_and(|mean| (mean - 2.0).abs() < 1e-9));
        assert_eq!(geometric_mean([None].into_iter()), None);
    }

    #[test]
    fn last_line_compares_with_each_driver_and_the_best() {
        let mut table = Table::new(["ours", "a", "b"].map(str::to_owned).to_vec());
        for (name, seconds) in [("one", [1.0, 2.0, 4.0]), ("two", [8.0, 1.0, 4.0])] {
            for (driver, seconds) in seconds.into_iter().enumerate() {
                table.add(&compute(name, || Ok(0.0)), driver, Ok(seconds));
            }
        }
        let text = table.text();
        let last = text.lines().last().unwrap_or_default();
        let words: Vec<_> = last.split_whitespace().skip(6).collect();
        assert_eq!(words, ["2.00x", "0.71x", "2.00x"], "{text}");
    }
}
