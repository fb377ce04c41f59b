//! The application's side of OpenCL for tests, benches and the demo: owned objects and checked
//! calls of the drivers that the ICD loader finds.
//!
//! It is an ordinary client over `opencl3` and the system's loader, so that it behaves like
//! applications. Beyond opencl3 it has safe calls, errors that name the call, commands without an
//! event, and extension functions that must be looked up.
//!
//! Invariant: every object is released once, on drop, and every call's result is checked. Not here:
//! code specific to muxcl.
//!
//! # Examples
//! ```no_run
//! use muxcl_client::{Context, Platform, sys};
//!
//! let device = Platform::all()?[0].devices()?[0];
//! let context = Context::new(device)?;
//! let program = context.build(device, "kernel void k(global int *p) { *p = 7; }", "")?;
//! let buffer = context.buffer_with(&[0_i32])?;
//! let mut kernel = program.kernel("k")?;
//! kernel.set_buffer(0, &buffer)?;
//! let queue = context.queue(device, 0)?;
//! queue.run(&kernel, &[1], None, None)?;
//! let mut result = [0_i32];
//! queue.read(&buffer, &mut result)?;
//! assert_eq!(result, [7]);
//! # Ok::<(), muxcl_client::ClientError>(())
//! ```

mod command_buffers;
mod drivers;
mod external;
mod images;
mod objects;
mod shared;

pub use command_buffers::{CommandBuffer, MutableLaunch, SyncPoint};
pub use drivers::{library, register};
pub use images::{Area, Image, ImageDesc, Sampler};
pub use objects::{
    Buffer, Context, Device, Direction, Event, Kernel, Parameter, Platform, Program, Queue,
};
pub use opencl_sys as sys;
pub use shared::SvmAllocation;

use std::path::Path;

/// A call that failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClientError {
    /// A call returned an error code.
    #[error("{call}: {} ({code})", opencl3::error_codes::error_text(*code))]
    Call {
        /// The OpenCL function.
        call: &'static str,
        /// Its result.
        code: i32,
    },
    /// A program does not build.
    #[error("build failed ({code}):\n{log}")]
    Build {
        /// The result of the build call.
        code: i32,
        /// The build logs of the devices.
        log: String,
    },
    /// A name or options contain a zero byte.
    #[error("a zero byte in a name or in options")]
    Nul,
}

/// `CL_MEM_IMMUTABLE_EXT`, which `opencl-sys` lacks.
pub const IMMUTABLE: sys::cl_mem_flags = 1 << 6;

/// The result of a call.
pub type Result<T> = std::result::Result<T, ClientError>;

/// Restricts the ICD loader to the drivers whose `.icd` files are in `vendors`.
///
/// # Safety
/// No other thread may run, because this changes the environment. Call it first in `main`, before
/// any OpenCL call.
pub unsafe fn use_vendors(vendors: &Path) {
    // SAFETY: the caller promises that no other thread runs.
    unsafe { std::env::set_var("OCL_ICD_VENDORS", vendors) };
    // SAFETY: as above.
    unsafe { std::env::remove_var("OCL_ICD_FILENAMES") };
}

/// Sets a variable that the driver reads when it is loaded.
///
/// # Safety
/// No other thread may run, because this changes the environment. Call it first in `main`, before
/// any OpenCL call.
pub unsafe fn set_variable(name: &str, value: &str) {
    // SAFETY: the caller promises that no other thread runs.
    unsafe { std::env::set_var(name, value) };
}
