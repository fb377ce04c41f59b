//! Source lines of a program, from its debug information. Invariant: broken debug information gives
//! no lines, and no failure.

use addr2line::Context;
use addr2line::gimli::{Dwarf, EndianSlice, LittleEndian, SectionId};
use muxcl_hal::section_of;
use std::collections::BTreeMap;
use std::fmt;

/// A line of a source file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Line {
    /// Name of the file, without its folder.
    pub(crate) file: String,
    pub(crate) line: u32,
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// The lines of the addresses that were asked for.
#[derive(Debug, Default)]
pub(crate) struct Lines(BTreeMap<u64, Option<Line>>);

/// Whether a program has debug information with lines.
pub(crate) fn exist(file: &[u8]) -> bool {
    section_of(file, ".debug_line").is_ok_and(|section| section.is_some_and(|s| !s.is_empty()))
}

impl Lines {
    /// The line of the instruction at an address.
    pub(crate) fn get(&self, address: u64) -> Option<&Line> {
        self.0.get(&address)?.as_ref()
    }

    /// Finds the lines of these addresses in the debug information of `file`. Addresses that were
    /// asked for before cost nothing.
    pub(crate) fn find(&mut self, file: &[u8], addresses: impl Iterator<Item = u64>) {
        let new: Vec<u64> = addresses.filter(|at| !self.0.contains_key(at)).collect();
        if new.is_empty() {
            return;
        }
        let section = |id: SectionId| {
            let bytes = section_of(file, id.name()).ok().flatten().unwrap_or_default();
            Ok::<_, addr2line::gimli::Error>(EndianSlice::new(bytes, LittleEndian))
        };
        let context = Dwarf::load(section).and_then(Context::from_dwarf);
        let context = context.inspect_err(|error| {
            tracing::debug!(target: "hal", "debug information: {error}");
        });
        for address in new {
            let found = context.as_ref().ok().and_then(|c| c.find_location(address).ok().flatten());
            let line = found.and_then(|location| {
                let path = location.file.unwrap_or_default();
                let file = path.rsplit('/').next().unwrap_or(path).to_owned();
                // Line 0 is code that belongs to no line.
                location.line.filter(|line| *line != 0).map(|line| Line { file, line })
            });
            self.0.insert(address, line);
        }
    }
}
