//! Drivers as files: which library a user means, and its registration with the ICD loader.

use std::path::{Path, PathBuf};
use std::{fs, io};

/// The library that `text` means: its path, a bare name that the dynamic loader searches for, or
/// the path of an `.icd` file that contains one of these. A path becomes absolute.
///
/// # Errors
/// A file cannot be read, or is not there.
pub fn library(text: &str) -> io::Result<PathBuf> {
    let named = if text.ends_with(".icd") { fs::read_to_string(text)? } else { text.to_owned() };
    let named = named.trim();
    if named.contains('/') { fs::canonicalize(named) } else { Ok(named.into()) }
}

/// Writes `NAME.icd` for `library` into `folder`, which [`crate::use_vendors`] can choose.
///
/// # Errors
/// The file cannot be written.
pub fn register(folder: &Path, name: &str, library: &Path) -> io::Result<()> {
    fs::write(folder.join(format!("{name}.icd")), format!("{}\n", library.display()))
}
