//! The only crate that names LLVM: a small safe facade for the passes and targets.
//!
//! Ownership is simple on purpose. [`Context`] and [`Module`] own; everything else ([`Value`],
//! [`Type`], [`Block`], [`Function`], [`Metadata`]) is a plain `Copy` handle, valid while its
//! module lives and until it is erased, exactly like a `Value *` inside LLVM (see
//! docs/adr/0001-llvm-facade.md). Invariant: nothing here prints, exits, parses global options or
//! leaves a diagnostic with LLVM's default handler; errors come back as [`LlvmError`].
//!
//! Not here: any knowledge of OpenCL (that is `muxcl-passes`), any choice of CPU or pipeline (that
//! is `target-*`).

#[macro_use]
mod ffi;
mod builder;
mod context;
mod function;
mod lld;
mod metadata;
mod module;
mod target;
mod transform;
mod types;
mod value;

/// LLVM is part of this library (`dist`), and none of its destructors runs at exit.
pub const IS_STATIC: bool = cfg!(muxcl_static_llvm);

pub use builder::Builder;
pub use context::{Context, Cx, Diagnostic, Severity};
pub use function::{Block, Function};
pub use lld::link_elf;
pub use metadata::Metadata;
pub use module::{LinkMode, Linkage, LlvmError, Module};
pub use target::{
    OptLevel, PipelineOptions, TargetMachine, TargetOptions, host_cpu, host_feature_delta,
    host_features, host_triple, run_pipeline,
};
pub use transform::ValueMap;
pub use types::{Type, TypeKind};
pub use value::{AtomicOp, FloatPredicate, IntPredicate, Opcode, Ordering, Value};

#[cfg(test)]
mod lld_tests;
#[cfg(test)]
mod tests;
