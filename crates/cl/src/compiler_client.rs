//! The way to the compiler library.

/// True if programs can be built from source: the compiler library is there. Does not load it.
#[must_use]
pub fn available() -> bool {
    true
}
