//! The way from a linked program to code, the same for every target: what [`CodeTarget`] says of a
//! target is all that differs.
//!
//! Invariant: every call is independent (its own context for specialisation), so calls run at once
//! on any threads, and the output is a function of the input. Not here: clang, the builtin library,
//! caches, loading the result.

mod finalise;
mod specialise;
mod warm;

use muxcl_llvm::{Context, LlvmError, Module, OptLevel, TargetMachine};
use muxcl_types::device::ContextRequirements;
use muxcl_types::program::{KernelInfo, ProgramInfo};
use muxcl_types::variant::SpecializationKey;

use crate::kernel_abi::Abi;
use crate::link_builtins::BuiltinLibrary;
use crate::{PassError, Runner};

/// What build options change for the target.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Settings {
    /// `-cl-opt-disable`: little optimisation.
    pub opt_disable: bool,
    /// `-cl-denorms-are-zero`: variants ask the runtime to flush denormals.
    pub denorms_are_zero: bool,
    /// `-cl-uniform-work-group-size`, or OpenCL C below 2.0: every group is full.
    pub uniform_work_groups: bool,
    /// What the context asks for.
    pub requirements: ContextRequirements,
}

/// A program that is ready for [`CodeTarget::specialise`].
#[derive(Debug, Clone, Default)]
pub struct Finalised {
    /// Its kernels and what the API tells of them.
    pub info: ProgramInfo,
    /// Optimised IR without undefined functions, as LLVM bitcode.
    pub bitcode: Vec<u8>,
    /// Sentences for the build log.
    pub warnings: Vec<String>,
}

/// A target of code generation. The required methods describe it; the provided ones compile for it.
pub trait CodeTarget: std::fmt::Debug + Send + Sync {
    /// LLVM's triple.
    fn triple(&self) -> &str;
    /// The caller of the kernels.
    fn abi(&self) -> Abi;
    /// A machine that generates code.
    ///
    /// # Errors
    /// This build has no such back end.
    fn machine(&self, level: OptLevel) -> Result<TargetMachine, LlvmError>;
    /// Gives functions the attributes that passes and code generation want, and a body to functions
    /// that stand for a fact of the device.
    fn tune(&self, module: &Module<'_>);
    /// Whether code generation merges a vector select with bit operations and gets it wrong
    /// ([`crate::fence_selects`]).
    fn fence_selects(&self) -> bool {
        false
    }
    /// Whether kernels are vectorised.
    fn vectorizes(&self) -> bool {
        true
    }
    /// Modules with more loops than this do without loop strength reduction.
    fn quick_above(&self) -> usize;
    /// Makes of the object of kernels what the runtime loads. `symbols` are the entry points.
    ///
    /// # Errors
    /// Linking fails.
    fn finish(&self, object: Vec<u8>, symbols: &[&str]) -> Result<Vec<u8>, PassError>;

    /// Whether code generation has arithmetic on `bfloat`.
    fn has_bfloat(&self) -> bool {
        true
    }
    /// The widest vector, in bits, that the SLP vectorizer may make of a sum or another reduction;
    /// `None`: LLVM's own choice ([`crate::long_reductions`]).
    fn widest_reduction(&self) -> Option<u32> {
        None
    }
    /// Checks what the device's description says of linking, once for each description.
    ///
    /// # Errors
    /// The linker's words.
    fn check_linking(&self) -> Result<(), PassError> {
        Ok(())
    }

    /// Finalises a linked program, once for all its kernels.
    ///
    /// # Errors
    /// Functions nobody defines, constructs that OpenCL C or this compiler lacks, or a device
    /// description that no program can be linked for.
    fn finalise<'c>(
        &self,
        context: &'c Context,
        module: &mut Module<'c>,
        library: &dyn BuiltinLibrary,
        settings: &Settings,
        run: &mut Runner<'_>,
    ) -> Result<Finalised, PassError> {
        finalise::run(self, context, module, library, settings, run)
    }

    /// Compiles one kernel for a specialization key: an ELF object on the host, a linked image
    /// behind a HAL. `bitcode` and `info` are those of [`Finalised`].
    ///
    /// # Errors
    /// No such kernel, damaged bitcode, constructs this compiler lacks; on a HAL device, a program
    /// with program-scope variables: one image holds all its kernels ([`CodeTarget::generic`]).
    fn specialise(
        &self,
        bitcode: &[u8],
        info: &ProgramInfo,
        kernel: &str,
        key: &SpecializationKey,
        settings: &Settings,
        run: &mut Runner<'_>,
    ) -> Result<Vec<u8>, PassError> {
        let kernel = info.kernel(kernel).ok_or_else(|| PassError::NoKernel(kernel.to_owned()))?;
        if self.abi() != Abi::Host && info.global_variable_bytes != 0 {
            let what =
                "a program with program-scope variables is one image, and cannot be specialised"
                    .to_owned();
            return Err(PassError::Internal { pass: "select-kernel", what });
        }
        specialise::compile(self, bitcode, (&[kernel], info), key, settings, run)
    }

    /// Compiles every kernel for any local size. On a HAL device the result holds the program-scope
    /// variables too.
    ///
    /// # Errors
    /// As [`CodeTarget::specialise`].
    fn generic(
        &self,
        bitcode: &[u8],
        info: &ProgramInfo,
        settings: &Settings,
        run: &mut Runner<'_>,
    ) -> Result<Vec<u8>, PassError> {
        let kernels: Vec<&KernelInfo> = info.kernels.iter().collect();
        let key = SpecializationKey {
            uniform: settings.uniform_work_groups,
            ..SpecializationKey::default()
        };
        specialise::compile(self, bitcode, (&kernels, info), &key, settings, run)
    }

    /// Uses the back end for the first time: what it does once then, it need not do when a kernel
    /// waits.
    ///
    /// # Errors
    /// This build has no such back end.
    fn warm_up(&self) -> Result<(), PassError> {
        warm::run(self)
    }

    /// The object with the program-scope variables, for a host; empty if there are none.
    ///
    /// # Errors
    /// Damaged bitcode.
    fn globals(&self, bitcode: &[u8], run: &mut Runner<'_>) -> Result<Vec<u8>, PassError> {
        specialise::globals(self, bitcode, run)
    }

    /// A module of library functions as an object, without any kernel pass (tests of the library,
    /// the targets' run-time library).
    ///
    /// # Errors
    /// Code generation fails.
    fn object(&self, module: &mut Module<'_>, settings: &Settings) -> Result<Vec<u8>, PassError> {
        specialise::object(self, module, settings)
    }
}
