//! The OpenCL object model and validation: the only place that knows `cl_int`.
//!
//! `api` holds the C entry points: it checks everything an application can get wrong and calls
//! `core`, the objects. `object` is the base of all handles, `dispatch` the table the loaders read.
//!
//! Invariant: no panic, abort, signal handler or `exit` reaches the application; no destructor runs
//! at exit. Not here: exported symbols (`muxcl-icd`), devices (`muxcl-mux-*`), LLVM (dlopened
//! through `compiler_client`).
//!
//! # Examples
//! ```
//! use muxcl_cl_sys::{CL_DEVICE_TYPE_ALL, CL_INVALID_VALUE, CL_SUCCESS};
//! use std::ptr::null_mut;
//!
//! // The list of devices comes from outside: here, a device without hardware.
//! muxcl_cl::install(|| vec![muxcl_mux_null::NullDevice::create()]);
//! let mut platform = null_mut();
//! // SAFETY: `platform` has room for one handle.
//! let code = unsafe { muxcl_cl::api::clGetPlatformIDs(1, &raw mut platform, null_mut()) };
//! assert_eq!(code, CL_SUCCESS);
//!
//! let mut count = 0;
//! let mut devices = |count: *mut u32| {
//!     // SAFETY: a live platform; `count` is NULL or writable.
//!     unsafe {
//!         muxcl_cl::api::clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL.into(), 0, null_mut(), count)
//!     }
//! };
//! assert_eq!(devices(&raw mut count), CL_SUCCESS);
//! assert_eq!(count, 1);
//! // Neither a list nor a count to fill in.
//! assert_eq!(devices(null_mut()), CL_INVALID_VALUE);
//! ```

#![recursion_limit = "512"]

pub mod api;
pub mod checked;
pub mod compiler_client;
pub mod core;
pub mod dispatch;
pub mod entry;
pub mod error;
pub mod explain;
pub mod extensions;
pub mod info;
pub mod object;

pub use crate::core::platform::install;
