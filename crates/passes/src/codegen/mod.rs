//! The pipeline from a linked program to machine code. It is the same for every target;
//! [`CodeTarget`] describes the differences.
//!
//! Invariant: calls are independent (specialisation has its own context), so they may run at the
//! same time on any threads, and the output is a function of the input. Not here: clang, the
//! builtin library, caches, loading the result.

pub mod catalogue;
mod finalise;
mod specialise;
mod warm;

use muxcl_llvm::{Context, LlvmError, Module, OptLevel, TargetMachine};
use muxcl_types::device::ContextRequirements;
use muxcl_types::program::{KernelInfo, ProgramInfo};
use muxcl_types::variant::SpecializationKey;

use crate::kernel_abi::Abi;
use crate::link_builtins::BuiltinLibrary;
use crate::{PassError, Runner, vectorize};

/// Build options that affect code generation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Settings {
    /// `-cl-opt-disable`: little optimisation.
    pub opt_disable: bool,
    /// `-cl-denorms-are-zero`: variants ask the runtime to flush denormals.
    pub denorms_are_zero: bool,
    /// `-cl-uniform-work-group-size`, or OpenCL C below 2.0: all groups are full.
    pub uniform_work_groups: bool,
    /// Requirements of the context.
    pub requirements: ContextRequirements,
}

/// A finalised program, the input of [`CodeTarget::specialise`].
#[derive(Debug, Clone, Default)]
pub struct Finalised {
    /// The program's kernels and their metadata for the API.
    pub info: ProgramInfo,
    /// Optimised IR without undefined functions, as LLVM bitcode.
    pub bitcode: Vec<u8>,
    /// Warnings for the build log.
    pub warnings: Vec<String>,
}

/// A finalised program, whose kernels can be compiled.
#[derive(Clone, Copy)]
pub struct Program<'p> {
    /// The optimised IR: [`Finalised::bitcode`].
    pub bitcode: &'p [u8],
    /// The kernels and their metadata: [`Finalised::info`].
    pub info: &'p ProgramInfo,
    /// The OpenCL C library with which the program was finalised. It provides the vector variants
    /// of mathematical functions.
    pub library: &'p dyn BuiltinLibrary,
}

/// The forms in which people read the code of kernels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextForm {
    /// LLVM IR, as it reaches code generation.
    Ir,
    /// The target's assembly language.
    Assembly,
}

impl std::fmt::Debug for Program<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Program").field("info", &self.info).finish_non_exhaustive()
    }
}

impl Finalised {
    /// The program as input of [`CodeTarget::specialise`]. `library` must be the library with which
    /// it was finalised.
    pub fn program<'p>(&'p self, library: &'p dyn BuiltinLibrary) -> Program<'p> {
        Program { bitcode: &self.bitcode, info: &self.info, library }
    }
}

/// A target of code generation. The required methods describe it; the provided ones compile.
pub trait CodeTarget: std::fmt::Debug + Send + Sync {
    /// LLVM's triple.
    fn triple(&self) -> &str;
    /// The caller of the kernels.
    fn abi(&self) -> Abi;
    /// A machine that generates code for the target.
    ///
    /// # Errors
    /// This build lacks the back end.
    fn machine(&self, level: OptLevel) -> Result<TargetMachine, LlvmError>;
    /// Adds the attributes that passes and code generation need, and defines the functions that
    /// stand for properties of the device.
    fn tune(&self, module: &Module<'_>);
    /// True if the processor has the estimates that [`crate::reciprocal_roots`] uses.
    fn estimates_roots(&self) -> bool {
        false
    }
    /// True if the processor has fused multiply-add instructions for `half`, and for its vectors if
    /// it has vectors ([`crate::fuse_halves`]).
    fn fuses_halves(&self) -> bool {
        false
    }
    /// True if code generation miscompiles a vector select of bit operations
    /// ([`crate::fence_selects`]).
    fn fence_selects(&self) -> bool {
        false
    }
    /// True if masked loads and stores are slow or missing ([`crate::masked_accesses`]).
    fn masked_accesses(&self) -> bool {
        false
    }
    /// True if LLVM's code generation crashes ([`crate::defined_phis`]) or gives wrong code
    /// ([`crate::splat_phis`]) for some phis of vectors, so that passes must replace them.
    fn mends_phis(&self) -> bool {
        false
    }
    /// True if kernels are vectorized.
    fn vectorizes(&self) -> bool {
        true
    }
    /// How work-items run in lanes of vectors; `None`: only LLVM's vectorizers work.
    fn lanes(&self) -> Option<vectorize::Options> {
        None
    }
    /// Modules with more loops than this skip loop strength reduction, to bound compile time.
    fn quick_above(&self) -> usize;
    /// Turns the object of kernels into the form that the runtime loads. `symbols` are the entry
    /// points.
    ///
    /// # Errors
    /// Linking fails.
    fn finish(&self, object: Vec<u8>, symbols: &[&str]) -> Result<Vec<u8>, PassError>;

    /// True if code generation has arithmetic on `bfloat`.
    fn has_bfloat(&self) -> bool {
        true
    }
    /// The widest vector, in bits, that the SLP vectorizer may use for a reduction; `None`: LLVM's
    /// own choice ([`crate::long_reductions`]).
    fn widest_reduction(&self) -> Option<u32> {
        None
    }
    /// Checks that the device's description allows linking, once for each description.
    ///
    /// # Errors
    /// The linker's messages.
    fn check_linking(&self) -> Result<(), PassError> {
        Ok(())
    }

    /// Finalises a linked program, once for all its kernels.
    ///
    /// # Errors
    /// The program calls undefined functions or uses constructs that OpenCL C or this compiler
    /// lacks, or the device's description makes linking impossible.
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

    /// Compiles one kernel for a specialization key. The result is an ELF object on the host, a
    /// linked image behind a HAL. `program` comes from [`Finalised::program`].
    ///
    /// # Errors
    /// No kernel of this name, damaged bitcode, or constructs that this compiler lacks. On a HAL
    /// device also a program with program-scope variables: a single image must hold all its kernels
    /// ([`CodeTarget::generic`]).
    fn specialise(
        &self,
        program: &Program<'_>,
        kernel: &str,
        key: &SpecializationKey,
        settings: &Settings,
        run: &mut Runner<'_>,
    ) -> Result<Vec<u8>, PassError> {
        let info = program.info;
        let kernel = named(info, kernel)?;
        if self.abi() != Abi::Host && info.global_variable_bytes != 0 {
            let what =
                "a program with program-scope variables is one image, and cannot be specialised"
                    .to_owned();
            return Err(PassError::Internal { pass: "select-kernel", what });
        }
        specialise::compile(self, program, &[kernel], key, settings, run)
    }

    /// Compiles every kernel for any local size. On a HAL device, the result includes the
    /// program-scope variables.
    ///
    /// # Errors
    /// As [`CodeTarget::specialise`].
    fn generic(
        &self,
        program: &Program<'_>,
        settings: &Settings,
        run: &mut Runner<'_>,
    ) -> Result<Vec<u8>, PassError> {
        let (kernels, key) = all_kernels(program.info, settings);
        specialise::compile(self, program, &kernels, &key, settings, run)
    }

    /// The code that [`CodeTarget::specialise`] makes for a kernel and a key, or
    /// [`CodeTarget::generic`] for all kernels, as text.
    ///
    /// # Errors
    /// As [`CodeTarget::specialise`].
    fn text(
        &self,
        program: &Program<'_>,
        kernel: Option<(&str, &SpecializationKey)>,
        settings: &Settings,
        form: TextForm,
        run: &mut Runner<'_>,
    ) -> Result<String, PassError> {
        let (kernels, key) = match kernel {
            Some((name, key)) => (vec![named(program.info, name)?], *key),
            None => all_kernels(program.info, settings),
        };
        specialise::text(self, program, &kernels, &key, settings, (form, run))
    }

    /// Initialises the back end ahead of the first build, which then starts faster.
    ///
    /// # Errors
    /// This build lacks the back end.
    fn warm_up(&self) -> Result<(), PassError> {
        warm::run(self)
    }

    /// The object with the program-scope variables, for the host; empty if the program has none.
    ///
    /// # Errors
    /// Damaged bitcode.
    fn globals(&self, bitcode: &[u8], run: &mut Runner<'_>) -> Result<Vec<u8>, PassError> {
        specialise::globals(self, bitcode, run)
    }

    /// Compiles a module of library functions to an object, without any kernel pass (for tests of
    /// the library, and for the targets' run-time library).
    ///
    /// # Errors
    /// Code generation fails.
    fn object(&self, module: &mut Module<'_>, settings: &Settings) -> Result<Vec<u8>, PassError> {
        specialise::object(self, module, settings)
    }
}

fn named<'p>(info: &'p ProgramInfo, kernel: &str) -> Result<&'p KernelInfo, PassError> {
    info.kernel(kernel).ok_or_else(|| PassError::NoKernel(kernel.to_owned()))
}

/// All kernels of a program, and the key of their code for any local size.
fn all_kernels<'p>(
    info: &'p ProgramInfo,
    settings: &Settings,
) -> (Vec<&'p KernelInfo>, SpecializationKey) {
    let kernels: Vec<&KernelInfo> = info.kernels.iter().collect();
    // The runtime may launch a kernel that does not see groups with groups of any size.
    let sees_groups = kernels.iter().all(|k| k.sees_groups);
    let key = SpecializationKey {
        uniform: settings.uniform_work_groups && sees_groups,
        ..SpecializationKey::default()
    };
    (kernels, key)
}
