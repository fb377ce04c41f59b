//! Where the profile goes (`MUXCL_PROFILE`): a file, standard output, or standard error.
//!
//! Invariant: the file has a whole report whenever the process ends: one call writes each report
//! over the old one. A new file that replaces the old one would be as safe, but file systems may
//! write such files to the disk at once, which takes milliseconds for each report. On standard
//! error, there is one report: when the application has released its last context, or else when its
//! process has ended. Not here: what the report says (`muxcl_mux::profile`).

use std::fs::File;
use std::io::Write as _;
use std::os::unix::fs::FileExt as _;
use std::sync::atomic::{AtomicUsize, Ordering};

use muxcl_cl::compiler_client::PrintAtEnd;
use muxcl_lock::{Mutex, Rank};
use muxcl_mux::profile::{self, When};
use muxcl_os::PerProcess;

/// Starts the profile, if the environment asks for one.
pub(crate) fn start() {
    let Some(path) = muxcl_config::MUXCL_PROFILE.get_os() else { return };
    if path == "-" {
        return profile::start(Box::new(|text, when| {
            if when == When::Launches {
                muxcl_os::write_stdout(text.as_bytes());
            }
        }));
    }
    if path == "1" {
        return profile::start(Box::new(to_stderr));
    }
    let file = match File::create(&path) {
        Ok(file) => file,
        Err(error) => {
            return tracing::warn!(target: "cl::config", "MUXCL_PROFILE: {path:?}: {error}");
        }
    };
    let longest = AtomicUsize::new(0);
    profile::start(Box::new(move |text, when| {
        if when == When::Release {
            return; // the report after the last launch says the same
        }
        // The profile makes one report at a time. Empty lines cover the rest of a longer one.
        let length = longest.fetch_max(text.len(), Ordering::Relaxed).max(text.len());
        let text = format!("{text}{}", "\n".repeat(length - text.len()));
        if let Err(error) = file.write_all_at(text.as_bytes(), 0) {
            tracing::warn!(target: "cl::config", "MUXCL_PROFILE: {error}");
        }
    }));
}

/// The report for the end of this process.
#[derive(Debug)]
struct LastReport(Mutex<Option<PrintAtEnd>>);

impl Default for LastReport {
    fn default() -> Self {
        let started = PrintAtEnd::start().inspect_err(|error| {
            tracing::warn!(
                target: "cl::config",
                "MUXCL_PROFILE: a profile is printed only if all contexts are released: {error}"
            );
        });
        Self(Mutex::new(Rank::Leaf, started.ok()))
    }
}

/// Prints a report when the application has released its contexts. Others are kept for its end.
fn to_stderr(text: &str, when: When) {
    static LAST: PerProcess<LastReport> = PerProcess::new();
    if when == When::Release {
        // A closed stderr is ignored.
        let _ = std::io::stderr().write_all(text.as_bytes());
    }
    let mut last = LAST.get().0.lock();
    if let Some(last) = &mut *last
        && let Err(error) = last.set(if when == When::Release { "" } else { text })
    {
        tracing::warn!(target: "cl::config", "MUXCL_PROFILE: {error}");
    }
}
