//! What can go wrong with a HAL. Invariant: every variant says whose fault it is.

use std::path::PathBuf;

/// An error of a HAL or of its use.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HalError {
    /// The library cannot be loaded: missing, corrupt, or with symbols nobody has.
    #[error("{path}: {reason}")]
    Library {
        /// The library.
        path: PathBuf,
        /// What the dynamic linker says.
        reason: String,
    },
    /// The library has no `get_hal`: it is no HAL.
    #[error("{0}: no symbol `get_hal`, so this is no HAL library")]
    NoEntry(PathBuf),
    /// The library was built for another version of the interface.
    #[error("{path}: HAL interface version {found}, but version {wanted} is needed")]
    Version {
        /// The library.
        path: PathBuf,
        /// Its version.
        found: u32,
        /// Ours.
        wanted: u32,
    },
    /// The library's fault: it says something that cannot be.
    #[error("the HAL says something impossible: {0}")]
    Nonsense(String),
    /// No library was found in any step of the search.
    #[error("no HAL library could be loaded: {0}")]
    NotFound(String),
    /// The device has no memory left.
    #[error("the device has no {size} bytes, aligned to {alignment}, left")]
    OutOfMemory {
        /// Bytes asked for.
        size: u64,
        /// Alignment asked for.
        alignment: u64,
    },
    /// The device refused or failed a call.
    #[error("the device failed: {0}")]
    Failed(&'static str),
    /// The library threw a C++ exception.
    #[error("{call} of the HAL threw an exception: {text}")]
    Exception {
        /// The function that was called.
        call: &'static str,
        /// What the exception says.
        text: String,
    },
    /// The kernel's fault: what it did, and where.
    #[error("device fault: {0}")]
    Fault(String),
    /// The program has no such kernel.
    #[error("the program has no kernel `{0}`")]
    NoKernel(String),
    /// The caller's fault: an argument that cannot be.
    #[error("invalid argument: {0}")]
    Argument(&'static str),
    /// A program that is no ELF file for the device.
    #[error("not a program: {0}")]
    Program(String),
}
