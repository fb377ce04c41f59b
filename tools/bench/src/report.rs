//! The table of medians and ratios.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};

use crate::driver::Scalar;
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
    /// Seconds of every round of the work written by hand; empty if it was not measured.
    by_hand: Vec<f64>,
    by_hand_failure: Option<String>,
    /// Seconds of every round with scalar code; empty if it was not measured.
    scalar: Vec<f64>,
    /// By round: the time to compile with lanes, divided by that of scalar code.
    compile: Vec<f64>,
    scalar_failure: Option<String>,
}

/// The name of the last line.
pub(crate) const MEAN: &str = "geometric mean of the compute rows";

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

    /// The first driver's median divided by that of the work written by hand.
    fn ratio_by_hand(&self) -> Option<f64> {
        let (first, by_hand) = (self.medians().first().copied()??, median(&self.by_hand)?);
        (by_hand > 0.0).then(|| first / by_hand)
    }

    /// The first driver's median divided by that of its scalar code.
    fn ratio_scalar(&self) -> Option<f64> {
        let (first, scalar) = (self.medians().first().copied()??, median(&self.scalar)?);
        (scalar > 0.0).then(|| first / scalar)
    }
}

/// The texts of a table, one line after another. The first line has the titles.
pub(crate) type Cells = Vec<Vec<String>>;

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
                by_hand: Vec::new(),
                by_hand_failure: None,
                scalar: Vec::new(),
                compile: Vec::new(),
                scalar_failure: None,
            });
        }
        if let Some(measured) = self.rows.last_mut() {
            match outcome {
                Ok(seconds) => measured.seconds[driver].push(seconds),
                Err(error) => measured.failures[driver] = Some(format!("{error:#}")),
            }
        }
    }

    /// Records the outcome of one round of the last row's work written by hand, in seconds.
    pub(crate) fn add_by_hand(&mut self, outcome: Result<f64>) {
        if let Some(measured) = self.rows.last_mut() {
            match outcome {
                Ok(seconds) => measured.by_hand.push(seconds),
                Err(error) => measured.by_hand_failure = Some(format!("{error:#}")),
            }
        }
    }

    /// Records the outcome of one round of the last row with scalar code.
    pub(crate) fn add_scalar(&mut self, outcome: Result<Scalar>) {
        if let Some(measured) = self.rows.last_mut() {
            match outcome {
                Ok(Scalar { seconds, compile }) => {
                    measured.scalar.push(seconds);
                    measured.compile.push(compile);
                }
                Err(error) => measured.scalar_failure = Some(format!("{error:#}")),
            }
        }
    }

    /// The table: each driver's median, the first driver's median divided by that of each other
    /// driver (below 1: the first is faster) and by the least of them, and the first driver's
    /// limit. Then, if it was measured, the median of the work written by hand, and the first
    /// driver's median divided by it, and the same for the first driver's scalar code, with the
    /// ratio of the times to compile. The last line is the geometric mean of the ratios of all rows
    /// about kernels, except those of the work by hand.
    pub(crate) fn cells(&self) -> Cells {
        let has_by_hand = self.rows.iter().any(|row| !row.by_hand.is_empty());
        let mut titles = vec!["median".to_owned()];
        titles.extend(self.drivers.iter().cloned());
        titles.extend(self.drivers.iter().skip(1).map(|other| format!("vs {other}")));
        if self.drivers.len() > 2 {
            titles.push("vs best".to_owned());
        }
        titles.push("limit".to_owned());
        if has_by_hand {
            titles.extend(["by hand", "vs by hand"].map(str::to_owned));
        }
        let has_scalar = self.rows.iter().any(|row| !row.scalar.is_empty());
        if has_scalar {
            titles.extend(["scalar", "vs scalar", "to compile"].map(str::to_owned));
        }
        let mut cells = vec![titles];
        for row in &self.rows {
            let medians = row.medians();
            let mut line = vec![row.name.to_owned()];
            line.extend(
                medians.iter().map(|value| {
                    value.map_or_else(|| "failed".to_owned(), |value| show(row, value))
                }),
            );
            line.extend(row.ratios().into_iter().map(ratio));
            line.push(match (row.limit, medians.first().copied().flatten()) {
                (Some(limit), Some(first)) => {
                    format!("{} {}", show(row, limit), if first <= limit { "ok" } else { "OVER" })
                }
                _ => String::new(),
            });
            if has_by_hand {
                line.push(median(&row.by_hand).map_or_else(String::new, |value| show(row, value)));
                line.push(ratio(row.ratio_by_hand()));
            }
            if has_scalar {
                line.push(median(&row.scalar).map_or_else(String::new, |value| show(row, value)));
                line.push(ratio(row.ratio_scalar()));
                line.push(ratio(median(&row.compile)));
            }
            cells.push(line);
        }
        let compute = || self.rows.iter().filter(|row| row.is_compute);
        let ratios: Vec<_> = compute().map(Measured::ratios).collect();
        if (self.drivers.len() > 1 || has_scalar) && !ratios.is_empty() {
            let mut line = vec![MEAN.to_owned()];
            line.extend(self.drivers.iter().map(|_| String::new()));
            line.extend(
                (0..ratios[0].len())
                    .map(|column| ratio(geometric_mean(ratios.iter().map(|row| row[column])))),
            );
            line.push(String::new());
            if has_by_hand && has_scalar {
                line.extend([String::new(), String::new()]);
            }
            if has_scalar {
                line.push(String::new());
                line.push(ratio(geometric_mean(compute().map(Measured::ratio_scalar))));
                line.push(ratio(geometric_mean(compute().map(|row| median(&row.compile)))));
            }
            cells.push(line);
        }
        cells
    }

    /// The table as text.
    pub(crate) fn text(&self) -> String {
        let cells = self.cells();
        let names = cells.iter().filter_map(|line| line.first()).map(String::len);
        let width = names.max().unwrap_or_default() + 2;
        let mut text = String::new();
        for line in &cells {
            let (name, values) = line.split_first().map_or(("", &[][..]), |(n, v)| (n, v));
            let _ = write!(text, "{name:<width$}");
            for value in values {
                let _ = write!(text, "{value:>16}");
            }
            text.truncate(text.trim_end().len());
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
        let by_hand = self.rows.iter().filter_map(|row| {
            Some(format!("{} by hand: {}", row.name, row.by_hand_failure.as_ref()?))
        });
        let scalar = self.rows.iter().filter_map(|row| {
            Some(format!("{} with scalar code: {}", row.name, row.scalar_failure.as_ref()?))
        });
        self.rows.iter().flat_map(of_row).chain(by_hand).chain(scalar).collect()
    }

    pub(crate) fn save(&self, path: &Path) -> Result<()> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        }
        fs::write(path, serde_json::to_string_pretty(self)?)
            .with_context(|| path.display().to_string())
    }
}

fn ratio(value: Option<f64>) -> String {
    value.map_or_else(String::new, |value| format!("{value:.2}x"))
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
    use super::{Scalar, Table, geometric_mean};
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

    #[test]
    fn the_work_by_hand_is_compared_with_the_first_driver_only() {
        let mut table = Table::new(["ours", "a"].map(str::to_owned).to_vec());
        for name in ["one", "two"] {
            table.add(&compute(name, || Ok(0.0)), 0, Ok(3.0));
            table.add(&compute(name, || Ok(0.0)), 1, Ok(6.0));
        }
        table.add_by_hand(Ok(2.0));
        let cells = table.cells();
        assert_eq!(cells[0][4..], ["limit", "by hand", "vs by hand"]);
        assert_eq!(cells[1], ["one", "3.00 s", "6.00 s", "0.50x", "", "", ""]);
        assert_eq!(cells[2], ["two", "3.00 s", "6.00 s", "0.50x", "", "2.00 s", "1.50x"]);
        table.add_by_hand(Err(anyhow::anyhow!("no AVX-512")));
        assert_eq!(table.failures(), ["two by hand: no AVX-512"]);
    }

    #[test]
    fn scalar_code_has_a_mean_without_another_driver() {
        let mut table = Table::new(vec!["ours".to_owned()]);
        for (name, seconds, compile) in [("one", 6.0, 1.0), ("two", 24.0, 4.0)] {
            table.add(&compute(name, || Ok(0.0)), 0, Ok(3.0));
            table.add_scalar(Ok(Scalar { seconds, compile }));
        }
        let cells = table.cells();
        assert_eq!(cells[0], ["median", "ours", "limit", "scalar", "vs scalar", "to compile"]);
        assert_eq!(cells[1], ["one", "3.00 s", "", "6.00 s", "0.50x", "1.00x"]);
        assert_eq!(cells[3][1..], ["", "", "", "0.25x", "2.00x"]);
    }
}
