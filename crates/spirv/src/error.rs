//! The error of a module: a sentence and a word's position.

use std::fmt;

/// The reason why a module cannot be used, and its position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpirvError {
    /// Index of the word that the error is about; the header begins at 0.
    pub at: usize,
    /// One sentence, written for users.
    pub text: String,
}

impl SpirvError {
    /// An error about the word at index `at`.
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
