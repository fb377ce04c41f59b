//! The application's side of OpenCL: owned handles and checked calls over whatever driver the ICD
//! loader finds.
//!
//! Invariant: every handle is released once, on drop, and every call's result is looked at. It is
//! deliberately an ordinary client (`opencl-sys` and the system's loader), so that what it sees is
//! what applications see. Not here: anything of muxcl.

mod images;
mod objects;
mod shared;

pub use images::{Area, Image, ImageDesc, Sampler};
pub use objects::{Buffer, Context, Device, Event, Kernel, Platform, Program, Queue};
pub use opencl_sys as sys;
pub use shared::Shared;

use std::path::Path;

/// A call that did not succeed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClientError {
    /// The code a call returned.
    #[error("{call}: error {code}")]
    Call {
        /// The entry point.
        call: &'static str,
        /// Its result.
        code: i32,
    },
    /// A program that does not build, with its log.
    #[error("build failed ({code}):\n{log}")]
    Build {
        /// The result of the build call.
        code: i32,
        /// The device's build log.
        log: String,
    },
    /// A text with a zero byte inside.
    #[error("a zero byte in a name or in options")]
    Nul,
}

/// `CL_MEM_IMMUTABLE_EXT`, which `opencl-sys` does not have.
pub const IMMUTABLE: sys::cl_mem_flags = 1 << 6;

/// What a call returns.
pub type Result<T> = std::result::Result<T, ClientError>;

/// Makes the ICD loader see only the drivers whose `.icd` files lie in `vendors`.
///
/// # Safety
/// No other thread may run: this changes the environment. Call it first in `main`, before any
/// OpenCL call.
pub unsafe fn use_vendors(vendors: &Path) {
    // SAFETY: the caller promises that no other thread runs.
    unsafe { std::env::set_var("OCL_ICD_VENDORS", vendors) };
    // SAFETY: as above.
    unsafe { std::env::remove_var("OCL_ICD_FILENAMES") };
}

/// Sets a variable the driver reads when it is loaded.
///
/// # Safety
/// No other thread may run: this changes the environment. Call it first in `main`, before any
/// OpenCL call.
pub unsafe fn set_variable(name: &str, value: &str) {
    // SAFETY: the caller promises that no other thread runs.
    unsafe { std::env::set_var(name, value) };
}

/// The error for `code`, unless it says success.
pub(crate) fn check(call: &'static str, code: i32) -> Result<()> {
    if code == sys::CL_SUCCESS { Ok(()) } else { Err(ClientError::Call { call, code }) }
}
