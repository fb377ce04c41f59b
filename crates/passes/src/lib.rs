//! The kernel passes, from OpenCL C's IR to the kernel ABI; one file per pass.
//!
//! ```text
//! finalise:    prepare -> lower-blocks -> guard-divisions [-> zero-private] [-> fuse-halves]
//!              -> scalable-variants -> link-builtins -> retarget -> lower-opaque -> internalise
//!              [-> keep-calls] -> inline-barriers -> (clean-up) [-> check] -> check-recursion
//!              -> check-types -> split-vectors -> printf [-> global-ids]
//! specialise:  select-kernel [-> known-words] [-> join-groups] -> cross-lane
//!              [-> zero-private] [-> unroll-private] -> work-item-params -> work-item-loops
//!              [-> interior-groups -> interior-iterations] -> kernel-abi
//!              [-> canonical-loops -> vecz -> plain-local-atomics]
//!              [-> combine-atomics] -> settle-calls
//!              -> (final pipeline, with invariant-divisions, narrow-indices, local-registers)
//!              [-> defined-phis] -> one-lane-stores [-> reciprocal-roots]
//!              [-> fence-selects] [-> masked-accesses] -> wide-indices -> gather-addresses
//!              -> masked-parts [-> cancellation-points]
//! ```
//! [`codegen`] runs them in this order for every target. Each pass is a function over a
//! [`muxcl_llvm::Module`]; [`pipeline::Runner`] adds a name, dumps and timings.
//!
//! Invariant: passes use LLVM only through `muxcl-llvm`, keep no state between runs, and never
//! panic on IR that verifies. Not here: descriptions of targets (`muxcl-target-*`), clang
//! (`muxcl-frontend-clang`).

pub mod address_spaces;
pub mod blocks;
pub mod cancellation_points;
pub mod check;
pub mod check_recursion;
pub mod check_types;
pub mod codegen;
pub mod combine_atomics;
pub mod constructors;
pub mod count_operations;
pub mod cross_lane;
pub mod defined_phis;
pub mod divisions;
pub mod fence_selects;
pub mod fuse_halves;
pub mod gather_addresses;
pub mod inline_barriers;
pub mod interior_groups;
pub mod interior_iterations;
pub mod invariant_divisions;
pub mod join_groups;
pub mod kernel_abi;
pub mod known_words;
pub mod library_calls;
pub mod link_builtins;
pub mod local_memory;
pub mod local_registers;
pub mod long_reductions;
mod loops;
pub mod masked_accesses;
pub mod masked_parts;
pub mod names;
pub mod narrow_indices;
pub mod one_lane_stores;
pub mod pipeline;
pub mod prepare;
pub mod printf;
pub mod program_info;
pub mod reciprocal_roots;
pub mod regions;
pub mod scalable_variants;
pub mod scheduling_boundaries;
pub mod select_kernel;
pub mod slots;
pub mod splat_phis;
pub mod split_vectors;
pub mod uniformity;
pub mod vectorize;
pub mod wide_indices;
pub mod work_item_loops;
pub mod work_items;
pub mod zero_private;

pub use codegen::{CodeTarget, Finalised, Program, Settings, TextForm};
pub use pipeline::{Options, Runner, StepLog, TimedStep};

/// The reason why a pass fails.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PassError {
    /// The program calls undefined functions. The program is at fault.
    #[error("{0}")]
    Unresolved(String),
    /// The program uses a construct that OpenCL C forbids or this compiler lacks. The program is at
    /// fault.
    #[error("{0}")]
    Unsupported(String),
    /// No kernel has this name.
    #[error("no kernel named '{0}' in this program")]
    NoKernel(String),
    /// LLVM reports an error: damaged bitcode, or a bug of the compiler.
    #[error(transparent)]
    Llvm(#[from] muxcl_llvm::LlvmError),
    /// The IR violates an invariant of an earlier pass: a bug of the compiler.
    #[error("internal compiler error in pass {pass}: {what}")]
    Internal {
        /// The pass.
        pass: &'static str,
        /// The violation.
        what: String,
    },
}

/// Attribute of kernel functions between `prepare` and `kernel-abi`.
pub const KERNEL_ATTRIBUTE: &str = "muxcl-kernel";
/// Attribute of those kernels that are made from blocks.
pub const BLOCK_ATTRIBUTE: &str = "muxcl-block";
