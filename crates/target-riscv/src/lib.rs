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
//!
//! # Examples
//! ```
//! use muxcl_target_riscv::Isa;
//!
//! let isa = Isa::parse("RV64GCV_Zba")?; // as a HAL names it
//! assert!(isa.has("zba") && isa.has_vectors());
//! assert_eq!(isa.default_abi(), "lp64d");
//! assert!(Isa::parse("x86-64").is_err());
//! # Ok::<(), muxcl_target_riscv::IsaError>(())
//! ```

mod isa;
mod link;
mod machine;
mod runtime;

pub use isa::{Isa, IsaError};
pub use machine::Target;
pub use muxcl_passes::vectorize::Vectors;
pub use muxcl_passes::{CodeTarget, Settings};
