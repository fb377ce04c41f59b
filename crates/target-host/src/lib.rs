//! The host CPU as a compile target: its processor and features. The pipeline for all targets is
//! `muxcl_passes::codegen`.
//!
//! ```no_run
//! # use muxcl_target_host::{CodeTarget, Settings, Target};
//! # use muxcl_passes::{Options, Runner, link_builtins::NoLibrary};
//! # let context = muxcl_llvm::Context::new();
//! # let mut module = muxcl_llvm::Module::new(&context, "m");
//! let target = Target::native();
//! let (settings, options) = (Settings::default(), Options::default());
//! let run = &mut Runner::new(&options);
//! let done = target.finalise(&context, &mut module, &NoLibrary, &settings, run)?;
//! let program = done.program(&NoLibrary);
//! let elf = target.specialise(&program, "k", &Default::default(), &settings, run)?;
//! # Ok::<(), muxcl_passes::PassError>(())
//! ```
//!
//! Invariant: the processor is queried once in a process. Not here: clang, the builtin library,
//! caches, loading the object.

mod machine;

pub use machine::{Target, implied_features};
pub use muxcl_passes::vectorize::{Rest, Vectors};
pub use muxcl_passes::{CodeTarget, Settings};
