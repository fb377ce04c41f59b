//! SPIR-V modules: the words of a module in either byte order, their structure checked, and the facts that the API needs.
//!
//! [`Module::parse`] reads the words and lists the instructions; [`facts`] says which kernels, capabilities and specialization
//! constants there are; `muxcl-spirv-ll` makes LLVM IR of the instructions.
//!
//! Invariant: any bytes may come in. Nothing here panics, and memory is in proportion to the module's size. No unsafe code, no LLVM.
//! Not here: what instructions mean, and which capabilities a device has.

#![forbid(unsafe_code)]

mod error;
mod facts;
mod layout;
mod module;
mod shape;

#[cfg(test)]
mod tests;

pub use error::SpirvError as Error;
pub use facts::{Facts, SpecConstant, facts};
pub use module::{Instruction, Module, is_spirv};
pub use shape::{Shape, shape};
pub use spirv as numbers;
