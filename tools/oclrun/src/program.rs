//! The program: read from a file, and built for a device.

use std::fs;
use std::io::Read as _;

use anyhow::{Context as _, Result, bail};
use muxcl_client::{Context, Device, Program};

/// The first word of SPIR-V, in the two orders of its bytes.
const SPIRV: [[u8; 4]; 2] = [[3, 2, 0x23, 7], [7, 0x23, 2, 3]];

/// A program before it is built.
#[derive(Debug)]
pub(crate) enum Source {
    /// OpenCL C.
    Text(String),
    /// SPIR-V.
    Spirv(Vec<u8>),
    /// A program binary of a driver.
    Binary(Vec<u8>),
}

impl Source {
    /// Reads a file, or standard input if it is `-`. The content tells what it is.
    pub(crate) fn read(file: &str) -> Result<Self> {
        let mut bytes = Vec::new();
        if file == "-" {
            std::io::stdin().read_to_end(&mut bytes).context("standard input")?;
        } else {
            bytes = fs::read(file).with_context(|| file.to_owned())?;
        }
        if bytes.is_empty() {
            bail!("{file} is empty");
        }
        if SPIRV.iter().any(|magic| bytes.starts_with(magic)) {
            return Ok(Self::Spirv(bytes));
        }
        match String::from_utf8(bytes) {
            Ok(text) if !text.contains('\0') => Ok(Self::Text(text)),
            Ok(text) => Ok(Self::Binary(text.into_bytes())),
            Err(error) => Ok(Self::Binary(error.into_bytes())),
        }
    }

    /// Builds the program. With `log`, the driver's log of a successful build goes to stderr; some
    /// drivers have a log for every build.
    pub(crate) fn build(
        &self,
        device: Device,
        options: &str,
        log: bool,
    ) -> Result<(Context, Program)> {
        let context = Context::new(device)?;
        let described = format!("-cl-kernel-arg-info {options}");
        let program = match self {
            Self::Text(text) => context.build(device, text, &described),
            Self::Spirv(module) => context.build_il(device, module, &described),
            Self::Binary(binary) => context.build_binary(device, binary, options),
        }?;
        if log {
            eprint!("{}", program.log(device)?);
        }
        Ok((context, program))
    }
}
