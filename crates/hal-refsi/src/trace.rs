//! Trace lines on stderr. Invariant: nothing but errors is written unless an environment variable
//! enables it.
#![expect(clippy::print_stderr, reason = "what this file is for")]

/// Writes a line on behalf of a component.
pub(crate) fn line(part: &str, text: &str) {
    eprintln!("[{part}] {text}");
}
