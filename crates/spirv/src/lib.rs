//! Reads SPIR-V modules in either byte order and checks their structure.
//!
//! [`Module::parse`] reads words and instructions. [`module_info`] lists the kernels, capabilities
//! and specialization constants of a module. [`support`] holds the table of the capabilities and
//! extensions that modules may require. `muxcl-spirv-ll` translates the instructions to LLVM IR.
//!
//! Invariant: every input, hostile or damaged, gives a result or an error. Nothing panics, and
//! memory is in proportion to the module's size. No unsafe code, no LLVM. Not here: the meaning of
//! instructions.

#![forbid(unsafe_code)]

mod error;
mod info;
mod layout;
mod module;
mod operands;
pub mod support;

#[cfg(test)]
mod tests;

pub use error::SpirvError as Error;
pub use info::{ModuleInfo, SpecConstant, module_info};
pub use module::{Instruction, Module, is_spirv};
pub use operands::{OperandLayout, operand_layout};
pub use spirv as numbers;
