//! Programs as IR: from source or from containers, to containers.

use crate::error::{CompileError, Outcome};
use crate::target::Target;
use muxcl_compiler_abi::{Dependency, FailureKind, Header, Source as Code};
use muxcl_frontend_clang as clang;
use muxcl_frontend_clang::options::{BuildOptions, Stage};
use muxcl_llvm::{Context, Module, Severity};
use muxcl_passes::{Options, Runner, StepLog};
use muxcl_spirv::support;
use muxcl_types::container::{Binary, BinaryKind};
use muxcl_types::program::ProgramInfo;

/// The LLVM context, the target and the pass options of one request. One thread uses it; sessions
/// are independent of each other.
#[derive(Debug)]
pub struct Session<'a> {
    pub(crate) context: Context,
    pub(crate) target: Target<'a>,
    pub(crate) passes: Options,
    directory: Option<String>,
    opener: Option<clang::Opener<'a>>,
}

/// The input of a compilation.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    /// OpenCL C or SPIR-V.
    pub program: &'a Code,
    /// Options from the application.
    pub options: &'a str,
    /// The API call that compiles.
    pub stage: Stage,
}

/// The result of either front end.
struct Ir<'s> {
    module: Module<'s>,
    /// Warnings.
    log: String,
    dependencies: Vec<Dependency>,
}

/// A program as IR, not finalised.
#[derive(Debug)]
pub struct Program<'s> {
    pub(crate) module: Module<'s>,
    pub(crate) options: BuildOptions,
    pub(crate) option_text: String,
    /// Files on disk that the compilation read, or looked for and did not find.
    pub dependencies: Vec<Dependency>,
}

impl<'a> Session<'a> {
    /// A fresh session for `target`.
    #[must_use]
    pub fn new(target: Target<'a>) -> Self {
        let passes = Options {
            dump: muxcl_config::MUXCL_DUMP.get(),
            time: muxcl_config::MUXCL_TIME_PASSES.flag(false),
            log: None,
            verify: cfg!(debug_assertions),
            report: muxcl_config::MUXCL_VECZ_REPORT.flag(false),
        };
        let context = Context::new();
        context.discard_value_names(passes.dump.is_none());
        Self { context, target, passes, directory: None, opener: None }
    }

    /// Adds each step of the compilation to `log`, if there is one.
    #[must_use]
    pub fn logging(mut self, log: Option<StepLog>) -> Self {
        self.passes.log = log;
        self
    }

    /// Makes relative paths of options and headers relative to `directory`. Default: the current
    /// directory of this process.
    #[must_use]
    pub fn in_directory(self, directory: Option<&str>) -> Self {
        Self { directory: directory.map(str::to_owned), ..self }
    }

    /// Lets `opener` open the files that programs include. Default: this process opens them.
    #[must_use]
    pub fn reading(self, opener: Option<clang::Opener<'a>>) -> Self {
        Self { opener, ..self }
    }

    /// Compiles OpenCL C, or translates SPIR-V.
    ///
    /// # Errors
    /// Errors in the options or in the source; the log says where.
    pub fn compile(&self, source: &Source<'_>) -> Result<Outcome<Program<'_>>, CompileError> {
        let parse = match source.program {
            Code::OpenClC { .. } => BuildOptions::parse,
            Code::SpirV { .. } => BuildOptions::parse_for_il,
        };
        let options = parse(source.options, source.stage)?;
        let Ir { module, log, dependencies } = match source.program {
            Code::OpenClC { text, headers } => self.compile_c(text, headers, &options)?,
            Code::SpirV { il, constants } => self.translate(il, constants, &options)?,
        };
        muxcl_passes::blocks::tidy(&module);
        muxcl_passes::constructors::tidy(&module);
        if cfg!(debug_assertions) {
            module.verify()?;
        }
        let program =
            Program { module, options, option_text: source.options.to_owned(), dependencies };
        Ok(Outcome { value: program, log })
    }

    fn compile_c(
        &self,
        text: &[u8],
        headers: &[Header],
        options: &BuildOptions,
    ) -> Result<Ir<'_>, CompileError> {
        let headers: Vec<(&str, &[u8])> =
            headers.iter().map(|h| (h.name.as_str(), h.text.as_slice())).collect();
        let input = clang::Input {
            source: text,
            headers: &headers,
            options,
            device: self.target.device(),
            keep_names: self.passes.dump.is_some(),
            directory: self.directory.as_deref(),
            opener: self.opener,
        };
        let output =
            Runner::new(&self.passes).step("clang", || clang::compile(&self.context, &input));
        self.context.reset_handler();
        let Some(module) = output.module else {
            return Err(CompileError { kind: FailureKind::Source, log: output.log });
        };
        let dependencies =
            output.files.into_iter().map(|f| Dependency { path: f.path, hash: f.hash }).collect();
        Ok(Ir { module, log: output.log, dependencies })
    }

    fn translate(
        &self,
        il: &[u8],
        constants: &[(u32, Vec<u8>)],
        options: &BuildOptions,
    ) -> Result<Ir<'_>, CompileError> {
        let refuse = |e: muxcl_spirv::Error| CompileError::new(FailureKind::Source, e);
        let device = self.target.device();
        let has =
            |name: &str| device.extensions.iter().chain(&device.c_features).any(|n| n == name);
        if !has("cl_khr_il_program") {
            let text = "this device accepts no programs in an intermediate language";
            return Err(CompileError::new(FailureKind::Source, text));
        }
        let info = muxcl_spirv::module_info(il).map_err(refuse)?;
        support::check(&info, device.address_bits, has).map_err(|sentences| {
            let log = sentences.iter().map(|sentence| format!("error: {sentence}\n")).collect();
            CompileError { kind: FailureKind::Source, log }
        })?;
        let options = muxcl_spirv_ll::Options {
            constants,
            address_bits: device.address_bits,
            math: muxcl_spirv_ll::Math {
                denorms_are_zero: options.denorms_are_zero,
                no_signed_zeros: options.no_signed_zeros,
                unsafe_math: options.unsafe_math,
                finite: options.finite_math,
                fast_relaxed: options.fast_relaxed_math,
                exact_quotients: options.correctly_rounded_divide_sqrt,
                uniform_work_groups: options.uniform_work_group_size,
                debug: options.debug,
            },
        };
        let translated = Runner::new(&self.passes)
            .step("spirv", || muxcl_spirv_ll::translate(&self.context, il, &options));
        let module = translated.map_err(refuse)?;
        Ok(Ir { module, log: String::new(), dependencies: Vec::new() })
    }

    /// Reads the IR of a compiled object or library.
    ///
    /// # Errors
    /// The container holds no module for this target.
    pub fn open(&self, binary: &Binary) -> Result<Program<'_>, CompileError> {
        if binary.kind == BinaryKind::Executable {
            return Err(CompileError::new(
                FailureKind::Module,
                "an executable cannot be linked again",
            ));
        }
        let device = self.target.device();
        if binary.target != device.id {
            let message =
                format!("program binary is for '{}', not for '{}'", binary.target, device.id);
            return Err(CompileError::new(FailureKind::Module, message));
        }
        let module = Module::parse(&self.context, &binary.bitcode)?;
        // A library keeps its link options; the IR holds the effect of its objects' options.
        let stage = if binary.kind == BinaryKind::Library { Stage::Link } else { Stage::Compile };
        let options = BuildOptions::parse(&binary.options, stage);
        let options = options
            .or_else(|_| BuildOptions::parse_for_il(&binary.options, stage))
            .unwrap_or_default();
        Ok(Program {
            module,
            options,
            option_text: binary.options.clone(),
            dependencies: Vec::new(),
        })
    }

    /// The errors that LLVM reported since the last call, a line each.
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

    /// The IR as text, for dumps.
    #[must_use]
    pub fn ir(&self) -> String {
        self.module.to_string()
    }
}
