//! Errors of compile steps, with their build logs.

use muxcl_compiler_abi::FailureKind;
use muxcl_frontend_clang::options::OptionsError;
use muxcl_llvm::LlvmError;
use muxcl_passes::PassError;

/// A failed step. The log names each cause on a line of its own.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{log}")]
pub struct CompileError {
    /// The kind, which decides the OpenCL error code.
    pub kind: FailureKind,
    /// The lines for the build log.
    pub log: String,
}

impl CompileError {
    /// An error with one line of log.
    #[must_use]
    pub fn new(kind: FailureKind, message: impl std::fmt::Display) -> Self {
        Self { kind, log: format!("error: {message}\n") }
    }

    /// An error of the compiler itself, or a limit of the machine.
    #[must_use]
    pub fn internal(message: impl std::fmt::Display) -> Self {
        Self::new(FailureKind::Internal, format_args!("internal compiler error: {message}"))
    }
}

impl From<OptionsError> for CompileError {
    fn from(error: OptionsError) -> Self {
        Self::new(FailureKind::Options, error)
    }
}

impl From<LlvmError> for CompileError {
    fn from(error: LlvmError) -> Self {
        match error {
            LlvmError::Bitcode(_) => Self::new(FailureKind::Module, error),
            LlvmError::Link(_) => Self::new(FailureKind::Link, error),
            _ => Self::internal(error),
        }
    }
}

impl From<PassError> for CompileError {
    fn from(error: PassError) -> Self {
        // One line of log for each cause.
        let lines = |kind, text: &str| Self {
            kind,
            log: text
                .lines()
                .filter(|line| !line.is_empty())
                .map(|line| format!("error: {line}\n"))
                .collect(),
        };
        match error {
            PassError::Unresolved(names) => lines(FailureKind::Link, &names),
            PassError::Llvm(LlvmError::Link(words)) => lines(FailureKind::Link, &words),
            PassError::Unsupported(what) => lines(FailureKind::Source, &what),
            PassError::NoKernel(_) => Self::new(FailureKind::Module, error),
            PassError::Llvm(inner) => inner.into(),
            _ => Self::internal(error),
        }
    }
}

/// A result with its warnings.
#[derive(Debug)]
pub struct Outcome<T> {
    /// The result.
    pub value: T,
    /// Warnings, a line each; empty without warnings.
    pub log: String,
}
