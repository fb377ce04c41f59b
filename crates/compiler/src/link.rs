//! Linking compiled objects and libraries into one program.
//!
//! The check for duplicates runs before LLVM links, so that the log names every symbol and the
//! programs that define it. Not here: OpenCL's builtins ([`crate::builtins`]), unresolved symbols
//! of executables ([`crate::finalise`]).

use crate::error::CompileError;
use crate::program::{Program, Session};
use muxcl_compiler_abi::FailureKind;
use muxcl_frontend_clang::options::{BuildOptions, Stage};
use muxcl_llvm::{LinkMode, Linkage, Module};
use muxcl_types::container::Binary;
use std::collections::BTreeMap;
use std::fmt::Write as _;

impl Session<'_> {
    /// Links `binaries` into one program, with link options as the application gave them.
    ///
    /// # Errors
    /// Wrong options, a container that holds no object, or symbols with several definitions.
    pub fn link(
        &self,
        binaries: &[Binary],
        option_text: &str,
    ) -> Result<Program<'_>, CompileError> {
        let options = BuildOptions::parse(option_text, Stage::Link)?;
        let mut programs = Vec::with_capacity(binaries.len());
        for binary in binaries {
            programs.push(self.open(binary)?);
        }
        check_duplicates(&programs)?;
        let options = options.merge_objects(programs.iter().map(|p| &p.options));
        let mut programs = programs.into_iter();
        let first = programs
            .next()
            .ok_or_else(|| CompileError::new(FailureKind::Link, "nothing to link"))?;
        let mut module = first.module;
        for program in programs {
            self.link_into(&mut module, program.module, LinkMode::All)?;
        }
        Ok(Program {
            module,
            options,
            option_text: option_text.to_owned(),
            dependencies: Vec::new(),
        })
    }

    /// Links `source` into `module`; LLVM's reasons are in the error's log.
    pub(crate) fn link_into<'m>(
        &self,
        module: &mut Module<'m>,
        source: Module<'m>,
        mode: LinkMode,
    ) -> Result<(), CompileError> {
        module.link(source, mode).map_err(|error| {
            let reasons = self.llvm_errors();
            let log = if reasons.is_empty() { format!("error: {error}\n") } else { reasons };
            CompileError { kind: FailureKind::Link, log }
        })
    }
}

fn check_duplicates(programs: &[Program<'_>]) -> Result<(), CompileError> {
    let mut defined: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (number, program) in programs.iter().enumerate() {
        for name in strong_definitions(&program.module) {
            defined.entry(name).or_default().push(number + 1);
        }
    }
    let mut log = String::new();
    for (name, places) in defined.iter().filter(|(_, places)| places.len() > 1) {
        let places: Vec<String> = places.iter().map(ToString::to_string).collect();
        // Writing to a String cannot fail.
        let _ = writeln!(
            log,
            "error: '{name}' is defined more than once: by the input programs {}",
            places.join(", ")
        );
    }
    if log.is_empty() { Ok(()) } else { Err(CompileError { kind: FailureKind::Link, log }) }
}

fn strong_definitions(module: &Module<'_>) -> Vec<String> {
    let functions =
        module.definitions().into_iter().filter(|f| f.value().linkage() == Linkage::External);
    let names = functions.map(|f| f.name());
    // clang makes two functions for each kernel; the log names only one of them.
    let names = names.filter(|n| !n.starts_with("__clang_ocl_kern_imp_"));
    let globals = module
        .globals()
        .into_iter()
        .filter(|g| !g.is_declaration() && g.linkage() == Linkage::External);
    names.chain(globals.map(|g| g.name())).collect()
}
