//! Files that another program made.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use rustix::fs::OFlags;

/// Opens a regular file for reading, by a path that contains no link at its end. Does not wait for
/// the writer of a FIFO.
///
/// # Errors
/// The system's, or `InvalidInput` if there is something else than a regular file.
pub fn open_regular(path: &Path) -> io::Result<File> {
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY;
    let file = OpenOptions::new().read(true).custom_flags(flags.bits().cast_signed()).open(path)?;
    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        Err(io::Error::from(io::ErrorKind::InvalidInput))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_regular_files_are_opened() {
        assert!(open_regular(Path::new("/proc/self/status")).is_ok());
        for other in ["/dev/zero", "/proc", "/proc/self/exe", "/no/such/file"] {
            assert!(open_regular(Path::new(other)).is_err(), "{other}");
        }
    }
}
