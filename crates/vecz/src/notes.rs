//! What a loop over vectors still does for one lane after another, for the report.
//!
//! Invariant: notes never change the code. Not here: the choice between the ways (`widen`).

use std::collections::BTreeSet;
use std::fmt;

use muxcl_llvm::{Opcode, Value};

/// A part of a vectorized loop that does not use vector instructions.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Note {
    /// The file and the line in the kernel's source; `None` without debug information.
    place: Option<(String, u32)>,
    /// What runs there.
    what: String,
}

/// The notes of a loop, each of them once, in the order of the source.
pub type Notes = BTreeSet<Note>;

impl Note {
    /// A note about instruction `i`: `way`, and a description of `i`.
    pub(crate) fn new(way: &str, i: Value<'_>) -> Self {
        Self { place: i.source_line(), what: format!("{way}: {}", described(i)) }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Some((file, line)) => write!(f, "{file}:{line}: {}", self.what),
            None => f.write_str(&self.what),
        }
    }
}

/// An instruction in words, with its source line if the code has debug information.
pub(crate) fn named(i: Value<'_>) -> String {
    match i.source_line() {
        Some((file, line)) => format!("{} at {file}:{line}", described(i)),
        None => i.to_string(),
    }
}

/// An instruction in words.
fn described(i: Value<'_>) -> String {
    match i.opcode() {
        Opcode::Load => "a load".to_owned(),
        Opcode::Store => "a store".to_owned(),
        Opcode::AtomicRmw => "an atomic operation".to_owned(),
        Opcode::AtomicCmpXchg => "an atomic compare and exchange".to_owned(),
        Opcode::Call => match i.callee() {
            Some(f) => format!("a call of `{}`", f.name()),
            None => "a call".to_owned(),
        },
        _ => i.to_string().trim().to_owned(),
    }
}
