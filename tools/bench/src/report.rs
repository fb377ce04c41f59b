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

/// One row: what every round gave, per driver.
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

    /// Takes what one round of `row` gave on a driver.
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

    /// The table as text: a column per driver, the first driver's time over the best of the others,
    /// and its promise.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        let _ = write!(text, "{:<38}", "median");
        for driver in &self.drivers {
            let _ = write!(text, "{driver:>14}");
        }
        let _ = writeln!(text, "{:>12}{:>16}", "vs best", "limit");
        for row in &self.rows {
            let medians: Vec<_> = row.seconds.iter().map(|times| median(times)).collect();
            let _ = write!(text, "{:<38}", row.name);
            for value in &medians {
                let shown = value.map_or_else(|| "failed".to_owned(), |value| show(row, value));
                let _ = write!(text, "{shown:>14}");
            }
            let first = medians.first().copied().flatten();
            let best = medians.iter().skip(1).flatten().copied().min_by(f64::total_cmp);
            let ratio = match (first, best) {
                (Some(first), Some(best)) if best > 0.0 && first > 0.0 => {
                    format!("{:.2}x", first / best)
                }
                _ => String::new(),
            };
            let limit = match (row.limit, first) {
                (Some(limit), Some(first)) => {
                    format!("{} {}", show(row, limit), if first <= limit { "ok" } else { "OVER" })
                }
                _ => String::new(),
            };
            let _ = writeln!(text, "{ratio:>12}{limit:>16}");
        }
        text
    }

    /// What could not be measured.
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

/// A time with a unit that fits; the row that counts libraries is a number.
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
