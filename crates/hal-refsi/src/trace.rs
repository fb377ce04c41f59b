//! Trace lines on stderr. Invariant: nothing is written unless a variable
//! asks for it, but errors.
#![expect(clippy::print_stderr, reason = "what this file is for")]

/// A line of a part.
pub(crate) fn line(part: &str, text: &str) {
    eprintln!("[{part}] {text}");
}
