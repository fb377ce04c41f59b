//! Plain data that compiler and runtime share: the kernel ABI's structures, the metadata of
//! programs and kernels, and the containers they travel in.
//!
//! Invariant: everything here is data with a fixed meaning. No I/O, no threads, no LLVM, no OpenCL
//! type; both sides of the compiler boundary compile this crate and agree by construction.
//!
//! Not here: what a device *does* with a kernel (see `muxcl-mux`), how IR becomes one (see
//! `muxcl-passes`).

pub mod container;
pub mod deferred;
pub mod device;
pub mod enqueue;
pub mod pack;
pub mod pipe;
pub mod printf;
pub mod program;
pub mod sched;
pub mod sub_group;
pub mod variant;
