//! Keys: hashes of labelled fields with their lengths, so that different inputs have different
//! keys.

use std::fmt::Write as _;
use std::path::Path;
use std::time::UNIX_EPOCH;

/// The name of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key(pub(crate) [u8; 32]);

impl Key {
    /// The hash, for use as a field of another key.
    #[must_use]
    pub fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    pub(crate) fn hex(&self) -> String {
        self.0.iter().fold(String::with_capacity(64), |mut s, b| {
            // Writing to a String cannot fail.
            let _ = write!(s, "{b:02x}");
            s
        })
    }
}

/// Collects the inputs of a result.
#[derive(Debug)]
pub struct KeyBuilder(blake3::Hasher);

impl KeyBuilder {
    /// A key for results of kind `what`, e.g. `build`.
    #[must_use]
    pub fn new(what: &str) -> Self {
        Self(blake3::Hasher::new()).field("muxcl", what.as_bytes())
    }

    /// Adds a field. The order of fields matters; an empty field differs from a missing one.
    #[must_use]
    pub fn field(mut self, label: &str, value: &[u8]) -> Self {
        for part in [label.as_bytes(), value] {
            self.0.update(&(part.len() as u64).to_le_bytes());
            self.0.update(part);
        }
        self
    }

    /// The key of all fields.
    #[must_use]
    pub fn finish(&self) -> Key {
        Key(*self.0.finalize().as_bytes())
    }
}

/// Identifies a version of a file (the compiler library) without reading it: a hash of its size,
/// its time of modification and, on Unix, its inode and its time of change. `None` without such a
/// file.
#[must_use]
pub fn file_identity(path: &Path) -> Option<[u8; 32]> {
    let meta = std::fs::metadata(path).ok()?;
    let time = meta.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    let mut hasher = blake3::Hasher::new();
    hasher.update(&meta.len().to_le_bytes());
    hasher.update(&time.as_nanos().to_le_bytes());
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        hasher.update(&meta.ino().to_le_bytes());
        hasher.update(&meta.ctime_nsec().to_le_bytes());
    }
    Some(*hasher.finalize().as_bytes())
}
