//! Plain data that the compiler and the runtime share: the structures of the kernel ABI, metadata
//! of programs and kernels, and the format of program binaries.
//!
//! Invariant: this crate holds data only. No I/O, no threads, no LLVM, no OpenCL types. Both sides
//! of the compiler boundary compile it, so they agree on every layout.
//!
//! Not here: running kernels (`muxcl-mux`) and compiling them (`muxcl-passes`).

pub mod check;
pub mod combined;
pub mod container;
pub mod deferred;
pub mod device;
pub mod enqueue;
pub mod operations;
pub mod options;
pub mod pack;
pub mod pipe;
pub mod printf;
pub mod program;
pub mod sched;
pub mod sub_group;
pub mod variant;
