//! Trace lines on stderr. Invariant: nothing but errors is written unless an environment variable
//! enables it. Not here: the trace of instructions (`instruction_trace.rs`).
#![expect(clippy::print_stderr, reason = "this file writes traces to stderr")]

/// Writes a line on behalf of a component.
pub(crate) fn line(part: &str, text: &str) {
    eprintln!("[{part}] {text}");
}
