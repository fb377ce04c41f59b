//! LLVM modules from OpenCL C, LLVM IR as text, and bitcode.

use std::path::Path;

use anyhow::{Context as _, Result, bail};
use muxcl_frontend_clang as clang;
use muxcl_frontend_clang::options::{BuildOptions, Stage};
use muxcl_llvm::{Context, Module};
use muxcl_types::device::DeviceDesc;

/// The first bytes of LLVM bitcode.
const BITCODE: &[u8] = b"BC\xc0\xde";

/// A program to compile.
#[derive(Clone, Copy, Debug)]
pub enum Input<'a> {
    /// OpenCL C.
    Source(&'a [u8]),
    /// LLVM IR as text.
    Text(&'a str),
    /// LLVM bitcode.
    Bitcode(&'a [u8]),
}

/// What the content of a file is: bitcode by its first bytes, IR as text by the name's end `.ll`,
/// else OpenCL C.
///
/// # Errors
/// IR that is not text.
pub fn read<'a>(path: &Path, bytes: &'a [u8]) -> Result<Input<'a>> {
    if bytes.starts_with(BITCODE) {
        return Ok(Input::Bitcode(bytes));
    }
    if path.extension().is_some_and(|extension| extension == "ll") {
        return Ok(Input::Text(std::str::from_utf8(bytes).context("it is not text")?));
    }
    Ok(Input::Source(bytes))
}

/// The module of an input, and clang's warnings. `options` are those of `clBuildProgram`, for
/// OpenCL C.
///
/// # Errors
/// The messages of clang or of LLVM's parser, or an invalid build option.
pub fn parse<'c>(
    context: &'c Context,
    input: Input<'_>,
    options: &str,
    device: &DeviceDesc,
) -> Result<(Module<'c>, String)> {
    let source = match input {
        Input::Source(source) => source,
        Input::Text(text) => return Ok((Module::parse_text(context, text)?, String::new())),
        Input::Bitcode(bytes) => return Ok((Module::parse(context, bytes)?, String::new())),
    };
    let options = BuildOptions::parse(options, Stage::Compile)?;
    let input = clang::Input {
        source,
        headers: &[],
        options: &options,
        device,
        keep_names: true,
        directory: None,
        opener: None,
    };
    let output = clang::compile(context, &input);
    context.reset_handler();
    match output.module {
        Some(module) => Ok((module, output.log)),
        None => bail!("clang: {}", output.log),
    }
}
