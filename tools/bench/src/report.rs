//! The table of medians and ratios.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};

use crate::rows::Row;

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
    seconds: Vec<Vec<f64>>,
    failures: Vec<Option<String>>,
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
    /// other driver (below 1: the first is faster), and the first driver's limit.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        let _ = write!(text, "{:<38}", "median");
        for driver in &self.drivers {
            let _ = write!(text, "{driver:>14}");
        }
        for other in self.drivers.iter().skip(1) {
            let _ = write!(text, "{:>14}", format!("vs {other}"));
        }
        let _ = writeln!(text, "{:>18}", "limit");
        for row in &self.rows {
            let medians: Vec<_> = row.seconds.iter().map(|times| median(times)).collect();
            let _ = write!(text, "{:<38}", row.name);
            for value in &medians {
                let shown = value.map_or_else(|| "failed".to_owned(), |value| show(row, value));
                let _ = write!(text, "{shown:>14}");
            }
            let first = medians.first().copied().flatten();
            for other in medians.iter().skip(1) {
                let ratio = match (first, *other) {
                    (Some(first), Some(other)) if first > 0.0 && other > 0.0 => {
                        format!("{:.2}x", first / other)
                    }
                    _ => String::new(),
                };
                let _ = write!(text, "{ratio:>14}");
            }
            let limit = match (row.limit, first) {
                (Some(limit), Some(first)) => {
                    format!("{} {}", show(row, limit), if first <= limit { "ok" } else { "OVER" })
                }
                _ => String::new(),
            };
            let _ = writeln!(text, "{limit:>18}");
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
