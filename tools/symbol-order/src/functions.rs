//! The functions of an ELF library: their addresses and names.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use goblin::elf::program_header::{PF_X, PT_LOAD};
use goblin::elf::{Elf, sym};

/// The functions that a library defines.
#[derive(Debug)]
pub(crate) struct Functions {
    /// Virtual address in the file to the names of the function that starts there.
    starts: BTreeMap<u64, Vec<String>>,
    /// The segment with code.
    pub(crate) code: Segment,
}

/// A loaded segment of the file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Segment {
    /// Virtual address of its first byte, in the file.
    pub(crate) address: u64,
    /// Offset of its first byte from the file's start.
    pub(crate) offset: u64,
    /// Size in bytes.
    pub(crate) size: u64,
}

impl Functions {
    /// Reads the symbols of `library`.
    pub(crate) fn of(library: &Path) -> Result<Self> {
        let bytes = fs::read(library).with_context(|| library.display().to_string())?;
        let elf = Elf::parse(&bytes).with_context(|| library.display().to_string())?;
        let code =
            elf.program_headers.iter().find(|h| h.p_type == PT_LOAD && h.p_flags & PF_X != 0);
        let code = code.with_context(|| format!("{} has no code", library.display()))?;
        let code = Segment { address: code.p_vaddr, offset: code.p_offset, size: code.p_filesz };
        let mut starts: BTreeMap<u64, Vec<String>> = BTreeMap::new();
        for symbol in &elf.syms {
            let inside = symbol.st_value.checked_sub(code.address).is_some_and(|at| at < code.size);
            if sym::st_type(symbol.st_info) != sym::STT_FUNC || symbol.st_size == 0 || !inside {
                continue;
            }
            if let Some(name) = elf.strtab.get_at(symbol.st_name).filter(|name| !name.is_empty()) {
                starts.entry(symbol.st_value).or_default().push(name.to_owned());
            }
        }
        ensure!(!starts.is_empty(), "{} has no symbols: it is stripped", library.display());
        Ok(Self { starts, code })
    }

    /// Virtual addresses of the functions, ascending.
    pub(crate) fn starts(&self) -> impl Iterator<Item = u64> {
        self.starts.keys().copied()
    }

    /// The names of the function at `start`.
    pub(crate) fn names(&self, start: u64) -> impl Iterator<Item = &str> {
        self.starts.get(&start).into_iter().flatten().map(String::as_str)
    }

    /// The functions that initialise global objects, one for each object file.
    pub(crate) fn constructors(&self) -> impl Iterator<Item = &str> {
        self.starts
            .values()
            .flatten()
            .map(String::as_str)
            .filter(|name| name.starts_with("_GLOBAL__sub_I_"))
    }
}
