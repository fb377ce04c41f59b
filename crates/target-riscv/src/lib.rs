//! RISC-V devices behind a HAL as compile targets: their instruction set, and linked images instead
//! of objects. The pipeline for all targets is `muxcl_passes::codegen`; the ABI of the kernels is
//! `muxcl_passes::kernel_abi::Abi::Hal`.
//!
//! Images are ELF executables without undefined symbols. The run-time library (`builtins/runtime`)
//! has the functions that LLVM calls for instructions the device lacks (floating point, atomics,
//! wide arithmetic) and for copies of memory. Without a linker script an image is
//! position-independent and needs relative relocations only.
//!
//! Invariant: as for every target, calls are independent and the output is a function of the input.
//! Not here: clang, the builtin library's members, loading (`muxcl-hal`).

mod isa;
mod link;
mod machine;
mod runtime;

pub use isa::{Isa, IsaError};
pub use machine::Target;
pub use muxcl_passes::{CodeTarget, Settings};
