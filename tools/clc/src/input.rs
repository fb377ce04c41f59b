//! The inputs of a compilation: files or standard input, and what they contain.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use muxcl_compiler_abi::Source;
use muxcl_types::container::{Binary, ContainerError};

/// The first word of a SPIR-V module, in either byte order.
const SPIRV: [[u8; 4]; 2] = [0x0723_0203_u32.to_le_bytes(), 0x0723_0203_u32.to_be_bytes()];
/// The first bytes of LLVM bitcode.
const BITCODE: &[u8] = b"BC\xc0\xde";

/// The first bytes of ELF files.
const ELF: &[u8] = b"\x7fELF";

/// The content of an input.
#[derive(Debug, Clone, PartialEq)]
pub enum Content {
    /// OpenCL C or SPIR-V.
    Source(Source),
    /// An object or a library for the linker.
    Binary(Vec<u8>),
}

/// An input.
#[derive(Debug, Clone)]
pub struct Input {
    /// Its name in diagnostics: the path, or `<stdin>`.
    pub name: String,
    /// The folder of the file, where `#include "..."` looks first; `None` for standard input.
    pub folder: Option<PathBuf>,
    /// What it contains.
    pub content: Content,
}

impl Input {
    /// Reads `path`; `-` is standard input.
    ///
    /// # Errors
    /// It cannot be read, or clc takes no such input: LLVM bitcode, ELF, or a program binary that
    /// is damaged or of another version.
    pub fn read(path: &Path) -> Result<Self> {
        if path == Path::new("-") {
            let mut bytes = Vec::new();
            std::io::stdin().read_to_end(&mut bytes).context("cannot read standard input")?;
            let name = "<stdin>".to_owned();
            return Ok(Self { content: content(&name, bytes)?, name, folder: None });
        }
        let name = path.display().to_string();
        let bytes = std::fs::read(path).with_context(|| format!("cannot read {name}"))?;
        let folder = path.parent().map(|folder| match folder.as_os_str().is_empty() {
            true => PathBuf::from("."),
            false => folder.to_owned(),
        });
        Ok(Self { content: content(&name, bytes)?, name, folder })
    }
}

impl Input {
    /// True for OpenCL C that may include files. A source without the word has the same options,
    /// and so the same program binary, as in the driver.
    #[must_use]
    pub fn includes_files(&self) -> bool {
        let word = b"include";
        matches!(&self.content, Content::Source(Source::OpenClC { text, .. })
            if text.windows(word.len()).any(|part| part == word))
    }
}

fn content(name: &str, bytes: Vec<u8>) -> Result<Content> {
    if SPIRV.iter().any(|word| bytes.starts_with(word)) {
        return Ok(Content::Source(Source::SpirV { il: bytes, constants: Vec::new() }));
    }
    for (start, format) in [(BITCODE, "LLVM bitcode"), (ELF, "an ELF file")] {
        if bytes.starts_with(start) {
            bail!("{name} is {format}; clc takes OpenCL C, SPIR-V and what `clc -c` writes");
        }
    }
    match Binary::from_bytes(&bytes) {
        Ok(_) => Ok(Content::Binary(bytes)),
        Err(ContainerError::BadMagic) => Ok(Content::Source(Source::of_c(bytes))),
        Err(error) => bail!("{name}: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use muxcl_types::container::BinaryKind;
    use muxcl_types::program::ProgramInfo;

    use super::*;

    #[test]
    fn contents_are_recognised() {
        let of = |bytes: &[u8]| content("x", bytes.to_vec());
        assert!(matches!(of(b"kernel void k() {}"), Ok(Content::Source(Source::OpenClC { .. }))));
        assert!(matches!(of(b""), Ok(Content::Source(Source::OpenClC { .. }))));
        for word in SPIRV {
            assert!(matches!(of(&word), Ok(Content::Source(Source::SpirV { .. }))));
        }
        assert!(of(b"BC\xc0\xde....").unwrap_err().to_string().contains("bitcode"));
        assert!(of(b"\x7fELF...").unwrap_err().to_string().contains("ELF"));
        let binary = Binary {
            kind: BinaryKind::Library,
            target: String::new(),
            features: String::new(),
            options: String::new(),
            info: ProgramInfo::default(),
            bitcode: Vec::new(),
            globals_elf: Vec::new(),
            elf: Vec::new(),
        };
        let mut bytes = binary.to_bytes();
        assert!(matches!(of(&bytes), Ok(Content::Binary(_))));
        bytes.pop();
        assert!(of(&bytes).unwrap_err().to_string().contains("damaged"));
    }
}
