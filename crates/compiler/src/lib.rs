//! The compiler behind `libmuxcl_compiler.so`: [`Target`], [`Session`], [`Program`] and the steps
//! compile, link, finalise, specialise and binary.
//!
//! ```text
//! source --compile--> Program (object: a container of bitcode)
//!        --link-----> Program (linked, with the library's functions)
//!        --finalise-> Executable --specialise--> ELF for each kernel
//!                                --generic-----> ELF of a program binary
//! ```
//!
//! Invariant: a result is a pure function of source, options, device and this build; every request
//! has an LLVM context of its own, so requests run at the same time on any threads; no panic leaves
//! the crate, and no global LLVM option changes. Not here: OpenCL's error codes (`muxcl-cl`), the
//! kernel passes (`muxcl-passes`), code generation (`muxcl-target-host`).

mod builtins;
mod error;
mod finalise;
mod link;
mod program;
mod request;
mod target;
mod worker;

#[cfg(test)]
mod tests;

pub use builtins::Library;
pub use error::{CompileError, Outcome};
pub use finalise::{Executable, Kernel};
pub use program::{Program, Session, Source};
pub use request::{STATUS_BUG, STATUS_OK, STATUS_UNREADABLE, answer, handle};
pub use target::Target;
pub use worker::run as run_on_large_stack;
