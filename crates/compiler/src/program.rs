//! Programs as IR: from source or from containers, to containers.

use crate::error::{CompileError, Outcome};
use crate::target::Target;
use muxcl_compiler_abi::{Dependency, FailureKind, Header};
use muxcl_frontend_clang as clang;
use muxcl_frontend_clang::options::{BuildOptions, Stage};
use muxcl_llvm::{Context, Module, Severity};
use muxcl_passes::{Options, Runner};
use muxcl_types::container::{Binary, BinaryKind};
use muxcl_types::program::ProgramInfo;

/// One request's LLVM context, target and clock. Used by one thread; sessions are independent of each other.
#[derive(Debug)]
pub struct Session<'a> {
    pub(crate) context: Context,
    pub(crate) target: Target<'a>,
    pub(crate) passes: Options,
}

/// What a program is compiled from.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    /// OpenCL C.
    pub text: &'a [u8],
    /// Options as the application gave them.
    pub options: &'a str,
    /// Headers in memory.
    pub headers: &'a [Header],
    /// Which call compiles.
    pub stage: Stage,
}

/// A program as IR, not finalised.
#[derive(Debug)]
pub struct Program<'s> {
    pub(crate) module: Module<'s>,
    pub(crate) options: BuildOptions,
    pub(crate) option_text: String,
    /// Files on disk that the compilation looked at.
    pub dependencies: Vec<Dependency>,
}

impl<'a> Session<'a> {
    /// A fresh session for `target`.
    #[must_use]
    pub fn new(target: Target<'a>) -> Self {
        let passes = Options {
            dump: muxcl_config::MUXCL_DUMP.get(),
            time: muxcl_config::MUXCL_TIME_PASSES.flag(false),
            verify: cfg!(debug_assertions),
        };
        let context = Context::new();
        context.discard_value_names(passes.dump.is_none());
        Self { context, target, passes }
    }

    /// Compiles OpenCL C.
    ///
    /// # Errors
    /// Options or source are wrong; the log says where.
    pub fn compile(&self, source: &Source<'_>) -> Result<Outcome<Program<'_>>, CompileError> {
        let options = BuildOptions::parse(source.options, source.stage)?;
        let headers: Vec<(&str, &[u8])> = source.headers.iter().map(|h| (h.name.as_str(), h.text.as_slice())).collect();
        let input = clang::Input {
            source: source.text,
            headers: &headers,
            options: &options,
            device: self.target.device(),
            keep_names: self.passes.dump.is_some(),
        };
        let output = Runner::new(&self.passes).step("clang", || clang::compile(&self.context, &input));
        self.context.reset_handler();
        let Some(module) = output.module else {
            return Err(CompileError { kind: FailureKind::Source, log: output.log });
        };
        muxcl_passes::blocks::tidy(&module);
        if cfg!(debug_assertions) {
            module.verify()?;
        }
        let dependencies = output.files.into_iter().map(|f| Dependency { path: f.path, hash: f.hash }).collect();
        let program = Program { module, options, option_text: source.options.to_owned(), dependencies };
        Ok(Outcome { value: program, log: output.log })
    }

    /// Reads the IR of a compiled object or library.
    ///
    /// # Errors
    /// The container holds no module for this target.
    pub fn open(&self, binary: &Binary) -> Result<Program<'_>, CompileError> {
        if binary.kind == BinaryKind::Executable {
            return Err(CompileError::new(FailureKind::Module, "an executable cannot be linked again"));
        }
        let device = self.target.device();
        if binary.target != device.id {
            let message = format!("program binary is for '{}', not for '{}'", binary.target, device.id);
            return Err(CompileError::new(FailureKind::Module, message));
        }
        let module = Module::parse(&self.context, &binary.bitcode)?;
        // A library keeps the link options it was made with; what its objects promised is in the IR.
        let stage = if binary.kind == BinaryKind::Library { Stage::Link } else { Stage::Compile };
        let options = BuildOptions::parse(&binary.options, stage).unwrap_or_default();
        Ok(Program { module, options, option_text: binary.options.clone(), dependencies: Vec::new() })
    }

    /// The errors LLVM reported since the last call, a line each.
    pub(crate) fn llvm_errors(&self) -> String {
        let diagnostics = self.context.take_diagnostics();
        let errors = diagnostics.iter().filter(|d| d.severity == Severity::Error);
        errors.fold(String::new(), |log, d| log + "error: " + &d.text + "\n")
    }
}

impl Program<'_> {
    /// The container of a compiled object or a library.
    #[must_use]
    pub fn to_binary(&self, kind: BinaryKind, target: &Target<'_>) -> Binary {
        Binary {
            kind,
            target: target.device().id.clone(),
            features: String::new(),
            options: self.option_text.clone(),
            info: ProgramInfo::default(),
            bitcode: self.module.to_bitcode(),
            globals_elf: Vec::new(),
            elf: Vec::new(),
        }
    }

    /// The IR as text, for people.
    #[must_use]
    pub fn ir(&self) -> String {
        self.module.to_string()
    }
}
