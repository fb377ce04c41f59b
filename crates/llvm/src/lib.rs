//! The only crate that names LLVM: a small safe facade for the passes and targets.
