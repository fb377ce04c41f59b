//! LLVM for the passes and targets: inkwell's contexts, modules, builders and machines, one thin
//! handle for any value, and the functions that neither inkwell nor LLVM's C interface offers.
//!
//! [`Context`] and [`Module`] own. [`Value`], [`Function`], [`Block`], [`Type`] and [`Metadata`]
//! are `Copy` and borrow: a handle does not outlive its module, and erasing leaves handles valid
//! (docs/adr/0001-llvm-facade.md). An operation that deletes other objects is either `unsafe`, with
//! a list of the handles that become invalid, or needs exclusive access to the module.
//!
//! Not covered: the use of a module's values in another module, and IR that LLVM's verifier
//! refuses. Both are undefined behaviour. The builder checks the types of operands;
//! [`Module::verify`] checks the rest, after each pass in debug builds.
//!
//! Invariant: no function prints, exits, parses global options or leaves a diagnostic to LLVM's
//! default handler. Errors return as [`LlvmError`]; fatal errors end the request
//! ([`muxcl_os::reserve::on_thread`]).
//!
//! Not here: any knowledge of OpenCL (that is `muxcl-passes`), any choice of CPU or pipeline (that
//! is `target-*`).

mod builder;
mod context;
mod debug;
mod erased;
mod fatal;
mod ffi;
mod function;
mod instructions;
mod kinds;
mod lanes;
mod lld;
mod metadata;
mod module;
pub mod step;
mod target;
mod transform;
mod types;
mod value;
mod vector_length;

/// True in `dist` builds: LLVM is part of this library, and none of its destructors runs at exit.
pub const IS_STATIC: bool = cfg!(muxcl_static_llvm);

pub use builder::Builder;
pub use context::{Context, Cx, Diagnostic, Severity};
pub use function::{Block, Function};
pub use instructions::{AtomicOp, FloatPredicate, IntPredicate, Opcode, Ordering};
pub use lld::link_elf;
pub use metadata::{AccessGroup, Along, LoopHints, Metadata};
pub use module::{LinkMode, Linkage, LlvmError, Module};
pub use target::{
    OptLevel, PipelineOptions, TargetMachine, TargetOptions, Timing, cpu_features, host_cpu,
    host_feature_delta, host_features, host_triple, run_function_passes, run_on_function,
    run_pipeline, timings,
};
pub use transform::ValueMap;
pub use types::{Type, TypeKind};
pub use value::Value;
pub use vector_length::FirstLanes;

#[cfg(test)]
mod lld_tests;
#[cfg(test)]
mod tests;
