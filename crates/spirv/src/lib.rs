//! SPIR-V modules: the words of a module in either byte order, their structure checked, and the
//! facts that the API needs.
//!
//! [`Module::parse`] reads the words and lists the instructions; [`facts`] says which kernels,
//! capabilities and specialization constants there are; `muxcl-spirv-ll` makes LLVM IR of the
//! instructions.
//!
//! Invariant: any bytes may come in. Nothing here panics, and memory is in proportion to the
//! module's size. No unsafe code, no LLVM. Not here: what instructions mean; what a device has is
//! told by names ([`support`]).

#![forbid(unsafe_code)]

mod error;
mod facts;
mod layout;
mod module;
mod shape;
pub mod support;

#[cfg(test)]
mod tests;

pub use error::SpirvError as Error;
pub use facts::{Facts, SpecConstant, facts};
pub use module::{Instruction, Module, is_spirv};
pub use shape::{Shape, shape};
pub use spirv as numbers;
