//! A driver under measurement, and the processes that use this driver only.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

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
    let output = command.stdin(Stdio::null()).output()?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        bail!("{}: {}", output.status, said.lines().last().unwrap_or("no output"));
    }
    let said = String::from_utf8_lossy(&output.stdout);
    Ok(said.lines().last().unwrap_or_default().trim().to_owned())
}

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
        let library = if library.ends_with(".icd") {
            fs::read_to_string(library).with_context(|| library.to_owned())?.trim().to_owned()
        } else {
            library.to_owned()
        };
        let path = Path::new(&library);
        // The dynamic loader searches for a bare name, as in an ICD file.
        let library = if library.contains('/') {
            fs::canonicalize(path).with_context(|| library.clone())?
        } else {
            path.into()
        };
        let stem =
            library.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let scratch = tempfile::tempdir()?;
        let (vendors, cache) = (scratch.path().join("vendors"), scratch.path().join("cache"));
        fs::create_dir_all(&vendors)?;
        fs::create_dir_all(&cache)?;
        fs::write(vendors.join("driver.icd"), format!("{}\n", library.display()))?;
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

    /// Starts this program to measure `what` with this driver; returns the last line of its output.
    pub(crate) fn child(&self, what: &str, cache: Cache) -> Result<String> {
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
        last_line(&mut command)
    }
}
