//! Errors of HALs. Invariant: each variant tells which side is at fault.

use std::path::PathBuf;

/// An error of a HAL or of its caller.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HalError {
    /// The library cannot be loaded: it is missing, corrupt or has undefined symbols.
    #[error("{path}: {reason}")]
    Library {
        /// Path of the library.
        path: PathBuf,
        /// Message of the dynamic linker.
        reason: String,
    },
    /// The library has no `get_hal` and therefore is not a HAL.
    #[error("{0}: no symbol `get_hal`, so this is no HAL library")]
    NoEntry(PathBuf),
    /// The library implements another version of the interface.
    #[error("{path}: HAL interface version {found}, but version {wanted} is needed")]
    Version {
        /// Path of the library.
        path: PathBuf,
        /// Version of the library.
        found: u32,
        /// Version of this driver.
        wanted: u32,
    },
    /// The library returned an invalid value.
    #[error("the HAL reports something impossible: {0}")]
    Nonsense(String),
    /// Every step of the search failed.
    #[error("no HAL library could be loaded: {0}")]
    NotFound(String),
    /// The library cannot start.
    #[error("{0}")]
    Start(String),
    /// The device is out of memory.
    #[error("the device has no {size} bytes, aligned to {alignment}, left")]
    OutOfMemory {
        /// Requested size in bytes.
        size: u64,
        /// Requested alignment in bytes.
        alignment: u64,
    },
    /// The device failed a call.
    #[error("the device failed: {0}")]
    Failed(&'static str),
    /// A call into the library failed, and the library reported the reason.
    #[error("{call} of the HAL failed: {text}")]
    Reported {
        /// Name of the called function.
        call: &'static str,
        /// The library's text.
        text: String,
    },
    /// The library threw a C++ exception.
    #[error("{call} of the HAL threw an exception: {text}")]
    Exception {
        /// Name of the called function.
        call: &'static str,
        /// Text of the exception.
        text: String,
    },
    /// The kernel faulted: the cause and the place.
    #[error("device fault: {0}")]
    Fault(String),
    /// The program has no such kernel.
    #[error("the program has no kernel `{0}`")]
    NoKernel(String),
    /// The caller passed an invalid argument.
    #[error("invalid argument: {0}")]
    Argument(&'static str),
    /// The device is on another machine, which cannot be reached; the reason.
    #[error("{0}")]
    Unreachable(String),
    /// The other machine does not have the memory and the programs of this client.
    #[error("the server has ended this client's session, and freed its memory and programs")]
    NoSession,
    /// The program is not an ELF file for the device.
    #[error("not a program: {0}")]
    Program(String),
}
