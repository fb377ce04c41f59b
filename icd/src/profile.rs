//! The file of the profile (`MUXCL_PROFILE`). Invariant: the file has a whole report whenever the
//! process ends: one call writes each report over the old one. A new file that replaces the old one
//! would be as safe, but file systems may write such files to the disk at once, which takes
//! milliseconds for each report. `1` instead of a file is one report on stderr, when the
//! application has released its last context. Not here: what the report says
//! (`muxcl_mux::profile`).

use std::fs::File;
use std::io::Write as _;
use std::os::unix::fs::FileExt as _;
use std::sync::atomic::{AtomicUsize, Ordering};

use muxcl_mux::profile::When;

/// Starts the profile, if the environment asks for one.
pub(crate) fn start() {
    let Some(path) = muxcl_config::MUXCL_PROFILE.get_os() else { return };
    if path == "-" {
        let print = |text: &str| muxcl_os::write_stdout(text.as_bytes());
        return muxcl_mux::profile::start(Box::new(print), When::Launches);
    }
    if path == "1" {
        let print = |text: &str| {
            // A closed stderr is ignored.
            let _ = std::io::stderr().write_all(text.as_bytes());
        };
        return muxcl_mux::profile::start(Box::new(print), When::Release);
    }
    let file = match File::create(&path) {
        Ok(file) => file,
        Err(error) => {
            return tracing::warn!(target: "cl::config", "MUXCL_PROFILE: {path:?}: {error}");
        }
    };
    let longest = AtomicUsize::new(0);
    let write = move |text: &str| {
        // The profile makes one report at a time. Empty lines cover the rest of a longer one.
        let length = longest.fetch_max(text.len(), Ordering::Relaxed).max(text.len());
        let text = format!("{text}{}", "\n".repeat(length - text.len()));
        if let Err(error) = file.write_all_at(text.as_bytes(), 0) {
            tracing::warn!(target: "cl::config", "MUXCL_PROFILE: {error}");
        }
    };
    muxcl_mux::profile::start(Box::new(write), When::Launches);
}
