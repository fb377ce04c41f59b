//! The OpenCL object model and validation: the only place that knows `cl_int`.
//!
//! `api` holds the C entry points: it checks everything an application can get wrong and calls
//! `core`, the objects. `object` is the base of all handles, `dispatch` the table the loaders read.
//!
//! Invariant: no panic, abort, signal handler or `exit` reaches the application; no destructor runs
//! at exit. Not here: exported symbols (`muxcl-icd`), devices (`muxcl-mux-*`), LLVM (dlopened
//! through `compiler_client`).

#![recursion_limit = "512"]

pub mod api;
pub mod checked;
pub mod compiler_client;
pub mod core;
pub mod dispatch;
pub mod entry;
pub mod error;
pub mod extensions;
pub mod info;
pub mod object;

pub use crate::core::platform::install;
