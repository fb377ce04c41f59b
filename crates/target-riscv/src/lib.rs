//! RISC-V devices behind a HAL as compile targets: which machine, and linked images instead of
//! objects. How they are compiled for is `muxcl_passes::codegen`; who calls the kernels,
//! `muxcl_passes::kernel_abi::Abi::Hal`.
//!
//! Images are ELF executables without undefined symbols: what the device's instruction set lacks
//! (floating point, atomics, wide arithmetic) and what LLVM calls on its own comes from the
//! run-time library (`builtins/runtime`). Without a linker script an image is position-independent
//! and needs relative relocations only.
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
