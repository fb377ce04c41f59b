//! The page with a table of measurements: machine, drivers, rows.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use muxcl_client::{Platform, sys};

use crate::driver::Driver;
use crate::report::{Cells, Table};
use crate::rows::Cache;

/// The name of the child process that describes a driver instead of measuring it.
pub(crate) const ABOUT: &str = "about the driver";

/// The first platform's name, its device's name, and the driver's version.
pub(crate) fn about() -> Result<String> {
    let platform = *Platform::all()?.first().context("the driver reports no platform")?;
    let device = *platform.devices()?.first().context("the platform has no device")?;
    Ok(format!(
        "{}, {}, {}",
        platform.name()?,
        device.name()?,
        device.text(sys::CL_DRIVER_VERSION)?
    ))
}

/// Writes the page to `path`.
pub(crate) fn write(path: &Path, table: &Table, drivers: &[Driver], rounds: u32) -> Result<()> {
    let mut text = String::from(
        "# Performance\n\n\
         Written by `cargo xtask bench --page docs/performance.md`, one run. Each number is the\n",
    );
    let _ = writeln!(text, "median of {rounds} rounds, in which the drivers alternate.\n");
    let _ = writeln!(text, "* Machine: {}", machine());
    for driver in drivers {
        let about = driver.child(ABOUT, Cache::Off)?;
        let _ = writeln!(text, "* `{}`: {about}", driver.name);
    }
    text.push_str(
        "\n`vs` columns: the first driver's time divided by the other's; below 1 the first is\n\
         faster. `limit`: the upper bound that muxcl keeps. `by hand`: the same work written by\n\
         hand for AVX-512 and all CPUs. `scalar`: muxcl with `MUXCL_VECZ=0`; `to compile`: the\n\
         time of all passes and of code generation with lanes, divided by that of scalar code.\n\n",
    );
    text.push_str(&markdown(&table.cells()));
    fs::write(path, text).with_context(|| path.display().to_string())
}

/// The processor's name, the number of CPUs that this process may use, and the memory.
fn machine() -> String {
    let field = |file: &str, name: &str| {
        let text = fs::read_to_string(file).unwrap_or_default();
        let line = text.lines().find(|line| line.starts_with(name));
        line.and_then(|line| line.split_once(':')).map(|(_, value)| value.trim().to_owned())
    };
    let cpus = std::thread::available_parallelism().map_or(1, usize::from);
    let processor = field("/proc/cpuinfo", "model name").unwrap_or_else(|| "unknown".to_owned());
    let memory = field("/proc/meminfo", "MemTotal").unwrap_or_else(|| "unknown".to_owned());
    format!("{processor}, {cpus} CPUs, {memory} of memory")
}

/// A table in Markdown. All columns but the first are aligned to the right.
fn markdown(cells: &Cells) -> String {
    let mut text = String::new();
    for (number, line) in cells.iter().enumerate() {
        let _ = writeln!(text, "| {} |", line.join(" | "));
        if number == 0 {
            let rest = "---:|".repeat(line.len().saturating_sub(1));
            let _ = writeln!(text, "|---|{rest}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    #[test]
    fn markdown_has_a_line_below_the_titles() {
        let cells = [["a", "b"], ["c", "d"]].map(|line| line.map(str::to_owned).to_vec());
        assert_eq!(super::markdown(&cells.to_vec()), "| a | b |\n|---|---:|\n| c | d |\n");
    }
}
