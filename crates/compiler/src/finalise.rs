//! Finalising: from a linked program to an executable, once per program.

use crate::error::{CompileError, Outcome};
use crate::program::{Program, Session};
use crate::{builtins, info};
use muxcl_compiler_abi::FailureKind;
use muxcl_types::container::{Binary, BinaryKind};
use std::fmt::Write as _;

/// A finalised program: its container holds metadata, optimised bitcode and the program-scope variables.
#[derive(Debug, Clone)]
pub struct Executable {
    /// The container; `elf` is empty until [`Session::generic`].
    pub binary: Binary,
}

impl Session<'_> {
    /// Finalises `program`.
    ///
    /// # Errors
    /// Symbols without a definition, or a kernel that needs more than the device has.
    pub fn finalise(&self, program: Program<'_>) -> Result<Outcome<Executable>, CompileError> {
        let module = &program.module;
        self.timing.step("builtins", || self.link_builtins(module))?;
        check_undefined(module)?;
        let word = self.target.device().address_bits / 8;
        let mut info = self.timing.step("info", || info::collect(module, word));
        info.denorms_are_zero |= program.options.denorms_are_zero;
        self.check_resources(&info)?;
        let mut binary = program.to_binary(BinaryKind::Executable, &self.target);
        binary.info = info;
        Ok(Outcome { value: Executable { binary }, log: String::new() })
    }

    fn check_resources(&self, info: &muxcl_types::program::ProgramInfo) -> Result<(), CompileError> {
        let limit = self.target.device().local_mem_bytes;
        let mut log = String::new();
        for kernel in info.kernels.iter().filter(|k| k.local_bytes > limit) {
            let (name, bytes) = (&kernel.name, kernel.local_bytes);
            // Writing to a String cannot fail.
            let _ = writeln!(log, "error: kernel '{name}' needs {bytes} bytes of local memory, the device has {limit}");
        }
        if log.is_empty() { Ok(()) } else { Err(CompileError { kind: FailureKind::Resources, log }) }
    }
}

fn check_undefined(module: &muxcl_llvm::Module<'_>) -> Result<(), CompileError> {
    let mut names: Vec<String> = builtins::undefined(module).into_iter().filter(|n| !lowered_by_passes(n)).collect();
    names.sort();
    let log = names.iter().fold(String::new(), |log, name| log + "error: undefined symbol '" + name + "'\n");
    if log.is_empty() { Ok(()) } else { Err(CompileError { kind: FailureKind::Link, log }) }
}

// Work-item functions and barriers, until the passes that lower them are connected.
fn lowered_by_passes(name: &str) -> bool {
    name.starts_with("_Z") || name.starts_with("__") || name == "printf"
}
