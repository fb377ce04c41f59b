//! Finalising, once per program, and specialising, once per kernel and specialization key.

use crate::builtins::Library;
use crate::error::{CompileError, Outcome};
use crate::program::{Program, Session};
use muxcl_compiler_abi::{FailureKind, TextForm};
use muxcl_frontend_clang::options::BuildOptions;
use muxcl_llvm::{Function, Module};
use muxcl_passes::{Finalised, Runner, Settings};
use muxcl_types::container::{Binary, BinaryKind};
use muxcl_types::device::{ContextRequirements, PROGRAM_VARIABLES};
use muxcl_types::program::ProgramInfo;
use muxcl_types::variant::SpecializationKey;
use std::fmt::Write as _;

/// A finalised program: its container holds metadata, optimised bitcode and the program-scope
/// variables.
#[derive(Debug, Clone)]
pub struct Executable {
    /// The container. `elf` is empty, except for a HAL device's program with program-scope
    /// variables.
    pub binary: Binary,
}

/// The executable that contains the kernel to specialise.
#[derive(Debug, Clone, Copy)]
pub struct Kernel<'a> {
    /// `Binary::bitcode` of the executable.
    pub bitcode: &'a [u8],
    /// The executable's metadata.
    pub info: &'a ProgramInfo,
    /// Options of its build or link.
    pub options: &'a str,
}

impl Session<'_> {
    /// Finalises `program`.
    ///
    /// # Errors
    /// Symbols without a definition, or a kernel that needs more than the device has.
    pub fn finalise<'s>(
        &'s self,
        program: Program<'s>,
    ) -> Result<Outcome<Executable>, CompileError> {
        let Program { mut module, options, option_text, dependencies: _ } = program;
        let settings = Settings {
            requirements: self.target.device().requirements,
            ..settings(&module, &options)
        };
        let code = &self.target.code;
        let run = &mut Runner::new(&self.passes);
        let library = self.target.library();
        let done = Runner::phase(&self.passes, "finalise", || {
            code.finalise(&self.context, &mut module, &library, &settings, run)
        })?;
        let info = &done.info;
        self.check_resources(info)?;
        // On the host, the variables are in a separate object, which the loader links to kernels. A
        // device behind a HAL gets linked images: one image holds the variables and all kernels.
        let (globals_elf, elf) =
            match (info.global_variable_bytes, self.target.device().hal.is_some()) {
                (0, _) => (Vec::new(), Vec::new()),
                (_, false) => (code.globals(&done.bitcode, run)?, Vec::new()),
                (_, true) => (Vec::new(), code.generic(&done.program(&library), &settings, run)?),
            };
        let Finalised { info, bitcode, warnings } = done;
        let binary = Binary {
            kind: BinaryKind::Executable,
            target: self.target.device().id.clone(),
            features: self.target.binary_features(),
            options: option_text,
            info,
            bitcode,
            globals_elf,
            elf,
        };
        let log = warnings.iter().map(|w| format!("warning: {w}\n")).collect();
        Ok(Outcome { value: Executable { binary }, log })
    }

    /// Compiles one kernel for a specialization key to an ELF object.
    ///
    /// # Errors
    /// No such kernel, or the bitcode is not the compiler's own.
    pub fn specialise(
        &self,
        kernel: &Kernel<'_>,
        name: &str,
        key: &SpecializationKey,
    ) -> Result<Vec<u8>, CompileError> {
        let settings = kernel.settings(self.target.device().requirements);
        Ok(self.target.code.specialise(
            &kernel.program(&self.target.library()),
            name,
            key,
            &settings,
            &mut Runner::new(&self.passes),
        )?)
    }

    /// Compiles all kernels, for any local size, to the ELF object of a program binary.
    ///
    /// # Errors
    /// The bitcode is not the compiler's own.
    pub fn generic(&self, kernel: &Kernel<'_>) -> Result<Vec<u8>, CompileError> {
        Ok(self.target.code.generic(
            &kernel.program(&self.target.library()),
            &kernel.settings(self.target.device().requirements),
            &mut Runner::new(&self.passes),
        )?)
    }

    /// The code of an executable as text: of `kernel` for a specialization key, or of all kernels
    /// for any local size.
    ///
    /// # Errors
    /// No such kernel, or the bitcode is not the compiler's own.
    pub fn text(
        &self,
        program: &Kernel<'_>,
        kernel: Option<(&str, &SpecializationKey)>,
        form: TextForm,
    ) -> Result<String, CompileError> {
        let form = match form {
            TextForm::Program => {
                return Ok(Module::parse(&self.context, program.bitcode)?.to_string());
            }
            TextForm::Kernels => muxcl_passes::TextForm::Ir,
            TextForm::Assembly => muxcl_passes::TextForm::Assembly,
        };
        Ok(self.target.code.text(
            &program.program(&self.target.library()),
            kernel,
            &program.settings(self.target.device().requirements),
            form,
            &mut Runner::new(&self.passes),
        )?)
    }

    fn check_resources(&self, info: &ProgramInfo) -> Result<(), CompileError> {
        let limit = self.target.device().local_mem_bytes;
        let mut log = String::new();
        for kernel in info.kernels.iter().chain(&info.blocks).filter(|k| k.local_bytes > limit) {
            let (name, bytes) = (&kernel.name, kernel.local_bytes);
            // Writing to a String cannot fail.
            let _ = writeln!(
                log,
                "error: kernel '{name}' needs {bytes} bytes of local memory, the device has {limit}"
            );
        }
        let device = self.target.device();
        if device.hal.is_some()
            && info.global_variable_bytes != 0
            && !device.c_features.iter().any(|name| name == PROGRAM_VARIABLES)
        {
            log.push_str(
                "error: the program has program-scope variables, but the device does not keep \
                 their values from launch to launch\n",
            );
        }
        if log.is_empty() {
            Ok(())
        } else {
            Err(CompileError { kind: FailureKind::Resources, log })
        }
    }
}

impl<'a> Kernel<'a> {
    fn program(&self, library: &'a Library) -> muxcl_passes::Program<'a> {
        muxcl_passes::Program { bitcode: self.bitcode, info: self.info, library }
    }

    fn settings(&self, requirements: ContextRequirements) -> Settings {
        Settings {
            requirements,
            opt_disable: self.info.opt_disable,
            denorms_are_zero: self.info.denorms_are_zero,
            uniform_work_groups: self.info.uniform_work_groups,
        }
    }
}

// Objects of a library have no options; each kernel's attributes hold the effect of the options.
fn settings(module: &Module<'_>, options: &BuildOptions) -> Settings {
    let kernel = |f: &Function<'_>| {
        f.convention() == SPIR_KERNEL && !muxcl_passes::blocks::is_block_kernel(*f)
    };
    let kernels: Vec<Function<'_>> = module.definitions().into_iter().filter(kernel).collect();
    let says = |f: &Function<'_>, key: &str, value: &str| {
        f.string_attribute(key).is_some_and(|v| v.contains(value))
    };
    Settings {
        opt_disable: options.opt_disable,
        denorms_are_zero: options.denorms_are_zero
            || kernels.iter().any(|k| {
                says(k, "denormal-fp-math-f32", "preserve-sign")
                    || says(k, "denormal-fp-math", "preserve-sign")
            }),
        uniform_work_groups: kernels.iter().all(|k| says(k, "uniform-work-group-size", "true")),
        requirements: ContextRequirements::default(),
    }
}

// LLVM's number for the `spir_kernel` calling convention.
const SPIR_KERNEL: u32 = 76;
