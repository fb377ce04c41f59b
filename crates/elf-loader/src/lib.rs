//! Loads relocatable ELF objects into this process, W^X.
//!
//! The loader takes what a compiler back end writes (`ET_REL`, 64-bit little-endian, x86-64 or
//! AArch64), lays its sections out in one reservation, builds the GOT and call stubs it needs,
//! relocates, and only then makes code executable. There is no dynamic linker in between and no
//! file on disk.
//!
//! Invariants: bytes are untrusted: every read is bounds-checked and damage is a [`LoadError`],
//! never a panic; no page is writable and executable at once; after [`Object::load`] returns, code
//! and read-only data are no longer writable. Not here: which symbols the host offers (the caller's
//! resolver), what the metadata note means (`muxcl-types`), thread-local storage, constructors,
//! indirect functions: objects with those are refused by name.

mod aarch64;
mod gdb;
mod image;
mod layout;
mod link;
mod object;
mod perf;
#[cfg(test)]
mod tests;
mod x86_64;

pub use image::{LoadOptions, LoadedObject};
pub use object::{Machine, section_of};
pub use perf::PerfMode;

/// Why an object cannot be loaded.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LoadError {
    /// The bytes are no ELF object of the kind this loader takes.
    #[error("not a loadable ELF object: {0}")]
    NotAnObject(&'static str),
    /// The object is for another CPU family.
    #[error("ELF object for machine {found}, this loader needs {wanted}")]
    WrongMachine {
        /// `e_machine` of the object.
        found: u16,
        /// `e_machine` of this process.
        wanted: u16,
    },
    /// A table or section lies outside the file, or refers to something that does not exist.
    #[error("damaged ELF object: {0}")]
    Damaged(&'static str),
    /// The object uses something this loader refuses.
    #[error("ELF object uses {0}, which is not supported here")]
    Unsupported(String),
    /// Nobody defines a symbol the object refers to.
    #[error("undefined symbol `{0}`")]
    Undefined(String),
    /// A relocated value does not fit its field.
    #[error("relocation of type {kind} against `{symbol}` in section `{section}` is out of range")]
    OutOfRange {
        /// Relocation type number.
        kind: u32,
        /// The symbol.
        symbol: String,
        /// The section being relocated.
        section: String,
    },
    /// The system refused memory or a change of protection.
    #[error("{0}")]
    System(#[from] muxcl_os::OsError),
}
