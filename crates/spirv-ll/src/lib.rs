//! SPIR-V to LLVM IR: a module in the form that `muxcl-frontend-clang` gives the same program in
//! OpenCL C, so that linking, the library of builtins and every pass need not know where a program
//! came from.
//!
//! The IR is written as text, which LLVM's reader and verifier check as they check any file. What
//! an application says in SPIR-V therefore never reaches LLVM's builder, which trusts its caller: a
//! module whose types do not fit is refused with a sentence.
//!
//! [`module`] reads the tables of a module (names, decorations, types, constants); [`function`]
//! goes through the blocks of a function; a file for each family of instructions writes them.
//! Builtins are called by the names that clang mangles ([`mangle`]).
//!
//! Invariant: any bytes may come in; an error is a sentence. Not here: linking, builtins,
//! optimisation; which capabilities a device has (`muxcl-cl` asks `muxcl-spirv`).

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

/// What to make of a module, beside its words.
#[derive(Debug, Clone, Copy)]
pub struct Options<'a> {
    /// Values of specialization constants: number (`SpecId`) and bytes, little endian. The others
    /// keep the values in the module.
    pub constants: &'a [(u32, Vec<u8>)],
    /// Width of the device's addresses, which the module's must be: 32 or 64.
    pub address_bits: u32,
    /// Build options that change what floating point does.
    pub math: Math,
}

/// Build options that are about kernels' arithmetic, as `clBuildProgram` takes them.
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
    /// `-cl-fp32-correctly-rounded-divide-sqrt`: quotients stay exact, whatever else is loose.
    pub exact_quotients: bool,
    /// `-cl-uniform-work-group-size`
    pub uniform_work_groups: bool,
    /// `-g`: functions that enqueue say which error there was.
    pub debug: bool,
}

/// Makes LLVM IR of a SPIR-V module: verified, unoptimised, with the builtins it calls undefined.
///
/// # Errors
/// The module is damaged, uses what OpenCL or this driver has not, or contradicts itself. The
/// sentence belongs in the build log.
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

/// The IR as text.
///
/// # Errors
/// As [`translate`], but for what LLVM's reader finds.
pub fn text(il: &[u8], options: &Options<'_>) -> Result<String, Error> {
    let words = muxcl_spirv::Module::parse(il)?;
    words.check_layout()?;
    let module = module::Tables::read(&words, options)?;
    let mut output = output::Output::default();
    variables::write(&module, &mut output)?;
    function::write_all(&module, &mut output)?;
    Ok(output.finish(&module))
}
