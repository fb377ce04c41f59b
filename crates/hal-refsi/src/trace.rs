//! Trace lines on stderr. Invariant: nothing but errors is written unless an environment variable
//! enables it. Not here: the trace of instructions (`instruction_trace.rs`).

use std::io::Write as _;

/// Writes a line on behalf of a component.
pub(crate) fn line(part: &str, text: &str) {
    // `eprintln` panics if stderr is, for example, a pipe that nobody reads.
    let _ = writeln!(std::io::stderr(), "[{part}] {text}");
}
