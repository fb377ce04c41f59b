//! What is wrong with a module, and where.

use std::fmt;

/// A module that cannot be used. The module is at fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpirvError {
    /// The word of the module that it is about, counted from the header.
    pub at: usize,
    /// A sentence a person can act on.
    pub text: String,
}

impl SpirvError {
    /// An error at a word.
    pub fn new(at: usize, text: impl fmt::Display) -> Self {
        Self { at, text: text.to_string() }
    }
}

impl fmt::Display for SpirvError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SPIR-V, word {}: {}", self.at, self.text)
    }
}

impl std::error::Error for SpirvError {}
