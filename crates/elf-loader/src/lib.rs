//! Loads relocatable ELF objects into this process, without a dynamic linker and without files.
//!
//! The loader takes the output of a compiler back end: `ET_REL`, 64 bits, little endian, x86-64 or
//! AArch64. It lays the sections out in one reservation, builds the GOT and the call stubs,
//! relocates, and makes the code executable at the end.
//!
//! Invariants: the bytes are untrusted, so every read is bounds-checked and damage is a
//! [`LoadError`], never a panic. No page is writable and executable at once. When
//! [`LoadedObject::load`] returns, code and read-only data are not writable. Not here: the symbols
//! that the host offers (the caller's resolver) and the meaning of the metadata note
//! (`muxcl-types`). Objects with thread-local storage, constructors or indirect functions are
//! refused by name.

mod aarch64;
mod gdb;
mod image;
mod layout;
mod lines;
mod link;
mod object;
mod perf;
#[cfg(test)]
mod tests;
mod x86_64;

pub use image::{LoadOptions, LoadedObject};
pub use object::{Machine, section_of};
pub use perf::PerfMode;

/// The reason why an object cannot be loaded.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LoadError {
    /// The bytes are not a relocatable ELF object of 64 bits, little endian.
    #[error("not a loadable ELF object: {0}")]
    NotAnObject(&'static str),
    /// The object is for another processor family.
    #[error("ELF object for machine {found}, this loader needs {wanted}")]
    WrongMachine {
        /// `e_machine` of the object.
        found: u16,
        /// `e_machine` of this process's processor.
        wanted: u16,
    },
    /// A table or section lies outside the file, or an index is out of range.
    #[error("damaged ELF object: {0}")]
    Damaged(&'static str),
    /// The object uses a feature that this loader does not support.
    #[error("ELF object uses {0}, which is not supported here")]
    Unsupported(String),
    /// Neither the object nor the resolver defines a symbol.
    #[error("undefined symbol `{0}`")]
    Undefined(String),
    /// A relocated value does not fit its field.
    #[error("relocation of type {kind} against `{symbol}` in section `{section}` is out of range")]
    OutOfRange {
        /// The relocation's type number.
        kind: u32,
        /// The symbol's name.
        symbol: String,
        /// The name of the relocated section.
        section: String,
    },
    /// The operating system refused memory or a change of protection.
    #[error("{0}")]
    System(#[from] muxcl_os::OsError),
}
