//! The offline compiler `clc`, and `cl_offline_compiler` for the Khronos CTS.
//!
//! ```text
//! command_line   words of the command line -> settings; build options pass through unchanged
//! devices        names -> device descriptions, also of devices that this machine lacks
//! input          files -> OpenCL C, SPIR-V or program binaries
//! compile        requests to the compiler -> the output's bytes, and the log
//! diagnostics    the log with file names and colours
//! dependencies   a rule of a makefile
//! ```
//! Invariant: the compiler is the driver's: the same process, requests, options and binaries
//! (`muxcl_cl::compiler_client`). This crate contains no LLVM. Not here: running kernels
//! (`oclrun`).

pub mod command_line;
pub mod compile;
pub mod dependencies;
pub mod devices;
pub mod diagnostics;
pub mod input;
