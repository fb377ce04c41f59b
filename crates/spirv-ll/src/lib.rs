//! Translates SPIR-V to LLVM IR, in the form that `muxcl-frontend-clang` gives the same program in
//! OpenCL C. Linking, the builtin library and the passes therefore do not depend on a program's
//! origin.
//!
//! The IR is written as text, which LLVM's reader and verifier check. LLVM's builder trusts its
//! caller, so untrusted instructions never reach it: a module with inconsistent types is an error.
//!
//! `module` reads the declarations of a module, `function` translates the blocks of a function,
//! and a file for each family of instructions writes their IR. Builtins are called by clang's
//! mangled names (`mangle`).
//!
//! Invariant: every input, hostile or damaged, gives a module or an error. Not here: linking,
//! builtins, optimisation, and the capabilities of a device (`muxcl_spirv::support`).

#![forbid(unsafe_code)]

mod aliasing;
mod arithmetic;
mod atomics;
mod bits;
mod body;
mod builtin_variables;
mod composite;
mod constants;
mod control;
mod convert;
mod enqueue;
mod ext_inst;
mod fold;
mod function;
mod groups;
mod images;
mod imports;
mod mangle;
mod memory;
mod metadata;
mod module;
mod order;
mod output;
mod pipes;
mod sub_groups;
mod types;
mod variables;

#[cfg(test)]
mod tests;

pub use muxcl_spirv::Error;

use muxcl_llvm::{Context, Module};

/// The options of a translation.
#[derive(Debug, Clone, Copy)]
pub struct Options<'a> {
    /// Values of specialization constants: `SpecId` and bytes, little endian. Other constants keep
    /// the module's values.
    pub constants: &'a [(u32, Vec<u8>)],
    /// Width of the device's addresses in bits: 32 or 64. The module's must be the same.
    pub address_bits: u32,
    /// Build options of arithmetic.
    pub math: Math,
}

/// The build options of `clBuildProgram` that change the IR.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Math {
    /// `-cl-denorms-are-zero`
    pub denorms_are_zero: bool,
    /// `-cl-no-signed-zeros`
    pub no_signed_zeros: bool,
    /// `-cl-unsafe-math-optimizations`
    pub unsafe_math: bool,
    /// `-cl-finite-math-only`
    pub finite: bool,
    /// `-cl-fast-relaxed-math`
    pub fast_relaxed: bool,
    /// `-cl-fp32-correctly-rounded-divide-sqrt`: quotients are exact even with relaxed arithmetic.
    pub exact_quotients: bool,
    /// `-cl-uniform-work-group-size`
    pub uniform_work_groups: bool,
    /// `-g`: functions that enqueue return the exact error.
    pub debug: bool,
}

/// Translates a SPIR-V module to verified, unoptimised LLVM IR with undefined builtins.
///
/// # Errors
/// The module is damaged, uses something that OpenCL or this driver does not support, or is
/// inconsistent. The error's sentence is meant for the build log.
///
/// # Examples
/// ```
/// use muxcl_llvm::Context;
/// use muxcl_spirv_ll::{Math, Options, translate};
///
/// // Capability Kernel, physical addresses of 64 bits: an empty module.
/// let words = [0x0723_0203, 0x0001_0200, 0, 1, 0, 2 << 16 | 17, 6, 3 << 16 | 14, 2, 2];
/// let bytes: Vec<u8> = words.into_iter().flat_map(u32::to_le_bytes).collect();
/// let options = Options { constants: &[], address_bits: 64, math: Math::default() };
/// let context = Context::new();
/// assert!(translate(&context, &bytes, &options).is_ok());
/// let other_device = Options { address_bits: 32, ..options };
/// assert!(translate(&context, &bytes, &other_device).is_err());
/// ```
pub fn translate<'c>(
    context: &'c Context,
    il: &[u8],
    options: &Options<'_>,
) -> Result<Module<'c>, Error> {
    let text = text(il, options)?;
    let module = Module::parse_text(context, &text)
        .map_err(|e| Error::new(0, format_args!("the module contradicts itself: {e}")))?;
    module
        .verify()
        .map_err(|e| Error::new(0, format_args!("the module contradicts itself: {e}")))?;
    Ok(module)
}

/// The IR as text, before LLVM's reader and verifier check it.
///
/// # Errors
/// As [`translate`], without the errors of LLVM's reader and verifier.
pub fn text(il: &[u8], options: &Options<'_>) -> Result<String, Error> {
    let words = muxcl_spirv::Module::parse(il)?;
    words.check_layout()?;
    let module = module::Tables::read(&words, options)?;
    let mut output = output::Output::default();
    variables::write(&module, &mut output)?;
    function::write_all(&module, &mut output)?;
    Ok(output.finish(&module))
}
