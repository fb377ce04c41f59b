//! The host CPU as a compile target: which machine, which pipelines, objects with metadata.
//!
//! ```no_run
//! # use muxcl_target_host::{Settings, Target};
//! # use muxcl_passes::{Options, link_builtins::NoLibrary};
//! # let context = muxcl_llvm::Context::new();
//! # let module = muxcl_llvm::Module::new(&context, "m");
//! let target = Target::native();
//! let (info, bitcode) = target.finalise(&context, &module, &NoLibrary, &Settings::default(), &Options::default())?;
//! let elf = target.specialise(&bitcode, &info, "k", &Default::default(), &Settings::default(), &Options::default())?;
//! # Ok::<(), muxcl_passes::PassError>(())
//! ```
//!
//! Invariant: every call is independent (its own context for specialisation), so calls run at once on any threads, and the
//! output is a function of the input. Not here: clang, the builtin library, caches, loading the object.

mod finalise;
mod machine;
mod specialise;

pub use machine::Target;

/// What build options change for the target.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Settings {
    /// `-cl-opt-disable`: little optimisation.
    pub opt_disable: bool,
    /// `-cl-denorms-are-zero`: variants ask the runtime to flush denormals.
    pub denorms_are_zero: bool,
    /// `-cl-uniform-work-group-size`, or OpenCL C below 2.0: every group is full.
    pub uniform_work_groups: bool,
}
