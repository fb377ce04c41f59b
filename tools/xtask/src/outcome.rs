//! Outcomes of tests of other projects, kept in a file between runs. Not here: which outcome is
//! expected (`expect`).

use std::fmt;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};

/// The outcome of a test.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Status {
    /// The test reports that it passed.
    Pass,
    /// The test reports that something it needs is missing.
    Skip,
    /// The test reports that it failed.
    Fail,
    /// The process ended without a verdict.
    Crash,
    /// The process exceeded its time limit and was stopped.
    Timeout,
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Pass => "pass",
            Self::Skip => "skip",
            Self::Fail => "fail",
            Self::Crash => "crash",
            Self::Timeout => "timeout",
        })
    }
}

/// Reads a TOML file.
pub(crate) fn read_toml<T: serde::de::DeserializeOwned>(path: &Path) -> Result<T> {
    let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    toml::from_str(&text).with_context(|| path.display().to_string())
}

/// The results that are kept in `folder`; empty if it has none yet.
pub(crate) fn load<T: serde::de::DeserializeOwned + Default>(folder: &Path) -> Result<T> {
    let path = folder.join("results.json");
    if !path.exists() {
        return Ok(T::default());
    }
    serde_json::from_str(&fs::read_to_string(&path)?).with_context(|| path.display().to_string())
}

/// Writes the results to `folder`, so that a reader finds the old or the new ones, never a part.
pub(crate) fn save<T: serde::Serialize>(folder: &Path, known: &T) -> Result<()> {
    let staged = folder.join("results.json.new");
    fs::write(&staged, serde_json::to_string_pretty(known)?)?;
    fs::rename(&staged, folder.join("results.json"))?;
    Ok(())
}
