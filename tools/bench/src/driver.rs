//! A driver under measurement, and the processes that use this driver only.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use anyhow::{Context as _, Result, bail};
use tempfile::TempDir;

use crate::rows::{Cache, Row};

/// Measures the work of `row` written by hand, in a process of its own.
pub(crate) fn by_hand(row: &Row) -> Result<f64> {
    let mut command = Command::new(std::env::current_exe()?);
    seconds(&last_line(command.args(["--by-hand", "--child", row.name]))?)
}

fn seconds(text: &str) -> Result<f64> {
    text.parse().with_context(|| format!("it printed `{text}`"))
}

/// Runs a process to its end; returns the last line of its output.
fn last_line(command: &mut Command) -> Result<String> {
    Ok(last(&output(command)?.stdout))
}

/// Runs a process to its end.
fn output(command: &mut Command) -> Result<Output> {
    let output = command.stdin(Stdio::null()).output()?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        bail!("{}: {}", output.status, said.lines().last().unwrap_or("no output"));
    }
    Ok(output)
}

fn last(said: &[u8]) -> String {
    let said = String::from_utf8_lossy(said);
    said.lines().last().unwrap_or_default().trim().to_owned()
}

/// The sum of the times of all compilations that `MUXCL_TIME_PASSES` has written, in seconds.
fn compile_seconds(said: &[u8]) -> Result<f64> {
    let said = String::from_utf8_lossy(said);
    let sums = said.lines().filter_map(|line| {
        let time = line.trim().strip_prefix("muxcl:")?.strip_suffix("in all")?;
        time.trim().strip_suffix("ms")?.trim().parse::<f64>().ok()
    });
    let seconds = sums.sum::<f64>() * 1e-3;
    if seconds > 0.0 { Ok(seconds) } else { bail!("the driver wrote no times to compile") }
}

/// What lanes change in a row about kernels.
#[derive(Clone, Copy)]
pub(crate) struct Scalar {
    /// Seconds of the row with scalar code.
    pub(crate) seconds: f64,
    /// The time to compile with lanes, divided by that of scalar code.
    pub(crate) compile: f64,
}

/// The variables of muxcl for scalar code, and for the times of the steps of a compilation.
const SCALAR: (&str, &str) = ("MUXCL_VECZ", "0");
const TIMES: (&str, &str) = ("MUXCL_TIME_PASSES", "1");

/// One driver.
pub(crate) struct Driver {
    pub(crate) name: String,
    /// A folder with one `.icd` file.
    vendors: PathBuf,
    /// The value of `LD_LIBRARY_PATH`.
    libraries: Option<String>,
    /// A disk cache of its own, empty at the start.
    cache: PathBuf,
    /// Holds both; removed on drop.
    _scratch: TempDir,
}

impl Driver {
    /// Reads `[NAME=]LIBRARY.so[:FOLDER]` or `[NAME=]FILE.icd`.
    pub(crate) fn parse(text: &str) -> Result<Self> {
        let (name, rest) =
            text.split_once('=').map_or((None, text), |(name, rest)| (Some(name), rest));
        let (library, libraries) = rest
            .split_once(':')
            .map_or((rest, None), |(library, folder)| (library, Some(folder.to_owned())));
        let library = muxcl_client::library(library).with_context(|| library.to_owned())?;
        let stem =
            library.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let scratch = tempfile::tempdir()?;
        let (vendors, cache) = (scratch.path().join("vendors"), scratch.path().join("cache"));
        fs::create_dir_all(&vendors)?;
        fs::create_dir_all(&cache)?;
        muxcl_client::register(&vendors, "driver", &library)?;
        Ok(Self {
            name: name.map_or(stem, str::to_owned),
            vendors,
            libraries,
            cache,
            _scratch: scratch,
        })
    }

    /// Measures `row` in a fresh process; seconds.
    pub(crate) fn measure(&mut self, row: &Row, round: u32) -> Result<f64> {
        if row.cache == Cache::Filled && round == 0 {
            self.process(row)?; // fills the cache
        }
        self.process(row)
    }

    fn process(&self, row: &Row) -> Result<f64> {
        seconds(&self.child(row.name, row.cache)?)
    }

    /// Measures `row` with scalar code, and compares the times to compile. The driver is muxcl.
    pub(crate) fn scalar(&self, row: &Row) -> Result<Scalar> {
        let run = |variables: &[(&str, &str)]| {
            let mut command = self.command(row.name, Cache::Off)?;
            output(command.envs(variables.iter().copied()))
        };
        let (scalar, lanes) = (run(&[SCALAR, TIMES])?, run(&[TIMES])?);
        let compile = compile_seconds(&lanes.stderr)? / compile_seconds(&scalar.stderr)?;
        Ok(Scalar { seconds: seconds(&last(&scalar.stdout))?, compile })
    }

    /// Starts this program to measure `what` with this driver; returns the last line of its output.
    pub(crate) fn child(&self, what: &str, cache: Cache) -> Result<String> {
        last_line(&mut self.command(what, cache)?)
    }

    fn command(&self, what: &str, cache: Cache) -> Result<Command> {
        let mut command = Command::new(std::env::current_exe()?);
        command.args(["--child", what]);
        command.env("OCL_ICD_VENDORS", &self.vendors).env_remove("OCL_ICD_FILENAMES");
        if let Some(libraries) = &self.libraries {
            command.env("LD_LIBRARY_PATH", libraries);
        }
        // Each driver has variables of its own for its disk cache.
        match cache {
            Cache::Off => command.env("MUXCL_CACHE", "0").env("POCL_KERNEL_CACHE", "0"),
            Cache::Filled => {
                command.env("MUXCL_CACHE_DIR", &self.cache).env("POCL_CACHE_DIR", &self.cache)
            }
        };
        Ok(command)
    }
}

#[cfg(test)]
mod tests {
    use super::compile_seconds;

    #[test]
    fn times_of_all_compilations_are_added() {
        let said = b"muxcl:     1.500 ms  clang\nmuxcl:     2.000 ms  in all\nother\n\
            muxcl:     3.000 ms  in all\n";
        assert!(compile_seconds(said).is_ok_and(|seconds| (seconds - 5e-3).abs() < 1e-9));
        assert!(compile_seconds(b"other\n").is_err());
    }
}
