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
use crate::{Options, PassError, Runner};

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

/// A target of code generation. The required methods describe it; the provided ones compile for it.
pub trait CodeTarget: std::fmt::Debug + Send + Sync {
    /// LLVM's triple.
    fn triple(&self) -> &str;
    /// Who calls the kernels.
    fn abi(&self) -> Abi;
    /// A machine that generates code.
    ///
    /// # Errors
    /// This build has no such back end.
    fn machine(&self, level: OptLevel) -> Result<TargetMachine, LlvmError>;
    /// Gives functions the attributes that passes and code generation want.
    fn tune(&self, module: &Module<'_>);
    /// Whether code generation merges a vector select with bit operations and gets it wrong
    /// ([`crate::fence_selects`]).
    fn fence_selects(&self) -> bool {
        false
    }
    /// Modules with more loops than this do without loop strength reduction.
    fn quick_above(&self) -> usize;
    /// Makes of the object of kernels what the runtime loads. `symbols` are the entry points.
    ///
    /// # Errors
    /// Linking fails.
    fn finish(&self, object: Vec<u8>, symbols: &[&str]) -> Result<Vec<u8>, PassError>;

    /// Finalises a linked program; returns its metadata and the finalised bitcode.
    ///
    /// # Errors
    /// Functions nobody defines, or constructs this compiler lacks.
    fn finalise<'c>(
        &self,
        context: &'c Context,
        module: &Module<'c>,
        library: &dyn BuiltinLibrary,
        settings: &Settings,
        options: &Options,
    ) -> Result<(ProgramInfo, Vec<u8>), PassError> {
        self.finalise_with(context, module, library, settings, &mut Runner::new(options))
    }

    /// [`CodeTarget::finalise`] with the caller's runner.
    ///
    /// # Errors
    /// As [`CodeTarget::finalise`].
    fn finalise_with<'c>(
        &self,
        context: &'c Context,
        module: &Module<'c>,
        library: &dyn BuiltinLibrary,
        settings: &Settings,
        run: &mut Runner<'_>,
    ) -> Result<(ProgramInfo, Vec<u8>), PassError> {
        finalise::run(self, context, module, library, settings, run)
    }

    /// Compiles one kernel for these facts.
    ///
    /// # Errors
    /// No such kernel, damaged bitcode, constructs this compiler lacks; on a HAL device, a program
    /// with program-scope variables, whose kernels are only to be had together
    /// ([`CodeTarget::generic`]).
    fn specialise(
        &self,
        bitcode: &[u8],
        info: &ProgramInfo,
        kernel: &str,
        key: &SpecializationKey,
        settings: &Settings,
        options: &Options,
    ) -> Result<Vec<u8>, PassError> {
        self.specialise_with(bitcode, info, kernel, key, settings, &mut Runner::new(options))
    }

    /// [`CodeTarget::specialise`] with the caller's runner.
    ///
    /// # Errors
    /// As [`CodeTarget::specialise`].
    fn specialise_with(
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
        options: &Options,
    ) -> Result<Vec<u8>, PassError> {
        let kernels: Vec<&KernelInfo> = info.kernels.iter().collect();
        let key = SpecializationKey {
            uniform: settings.uniform_work_groups,
            ..SpecializationKey::default()
        };
        specialise::compile(
            self,
            bitcode,
            (&kernels, info),
            &key,
            settings,
            &mut Runner::new(options),
        )
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
    fn globals(&self, bitcode: &[u8], options: &Options) -> Result<Vec<u8>, PassError> {
        specialise::globals(self, bitcode, options)
    }

    /// A module of library functions as an object, without any kernel pass (tests of the library,
    /// the targets' run-time library).
    ///
    /// # Errors
    /// Code generation fails.
    fn object(&self, module: &Module<'_>, settings: &Settings) -> Result<Vec<u8>, PassError> {
        specialise::object(self, module, settings)
    }
}
