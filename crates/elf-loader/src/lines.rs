//! The source lines of code, from an object's line table (`.debug_line`).
//!
//! Invariant: debug information that is damaged or unknown gives no lines, and no failure. Not
//! here: other debug information, which debuggers read themselves (`gdb`).

use addr2line::gimli::{
    AttributeValue, DebugLine, DebugLineOffset, DebugLineStr, DebugStr, EndianSlice, FileEntry,
    LineProgramHeader, LittleEndian,
};
use goblin::elf::reloc as r;

use crate::layout::Layout;
use crate::object::{Machine, Object, SymbolLocation};

type Bytes<'a> = EndianSlice<'a, LittleEndian>;

/// Where the code of a source line begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Row {
    /// Address in memory.
    pub(crate) address: u64,
    /// Number of the line, from 1.
    pub(crate) line: u32,
    /// Path of the source file, as the compiler was given it.
    pub(crate) file: String,
}

/// Bytes of an absolute relocation; `None` for other types.
fn width(machine: Machine, kind: u32) -> Option<usize> {
    match (machine, kind) {
        (Machine::X86_64, r::R_X86_64_64) | (Machine::Aarch64, r::R_AARCH64_ABS64) => Some(8),
        (Machine::X86_64, r::R_X86_64_32) | (Machine::Aarch64, r::R_AARCH64_ABS32) => Some(4),
        _ => None,
    }
}

/// The line table with its relocations applied. `base` is the address of the image. Sections that
/// are not loaded begin at 0, so references between them are offsets.
fn relocated(object: &Object<'_>, layout: &Layout, base: u64) -> Option<Vec<u8>> {
    let mut table = section(object, ".debug_line")?.to_vec();
    for reloc in &object.line_relocs {
        let symbol = object.symbols.get(reloc.symbol)?;
        let section = match symbol.location {
            SymbolLocation::Section(index) => layout.sections.get(index).copied().flatten(),
            _ => return None,
        };
        let begin = section.map_or(0, |offset| base.wrapping_add(offset));
        let value = begin.wrapping_add(symbol.value).wrapping_add_signed(reloc.addend);
        let width = width(object.machine, reloc.kind)?;
        let at = usize::try_from(reloc.offset).ok()?;
        let place = table.get_mut(at..at.checked_add(width)?)?;
        place.copy_from_slice(&value.to_le_bytes()[..width]);
    }
    Some(table)
}

fn section<'a>(object: &Object<'a>, name: &str) -> Option<&'a [u8]> {
    object.sections.iter().find(|section| section.name == name).map(|section| section.data)
}

/// The strings that a line table refers to.
struct Strings<'a> {
    line: DebugLineStr<Bytes<'a>>,
    other: DebugStr<Bytes<'a>>,
}

impl Strings<'_> {
    fn get(&self, value: AttributeValue<Bytes<'_>>) -> Option<String> {
        let bytes = match value {
            AttributeValue::String(bytes) => bytes.slice(),
            AttributeValue::DebugLineStrRef(at) => self.line.get_str(at).ok()?.slice(),
            AttributeValue::DebugStrRef(at) => self.other.get_str(at).ok()?.slice(),
            _ => return None,
        };
        Some(String::from_utf8_lossy(bytes).into_owned())
    }

    /// The path of a file, with its folder unless that is the compiler's working folder.
    fn path(
        &self,
        header: &LineProgramHeader<Bytes<'_>>,
        file: &FileEntry<Bytes<'_>>,
    ) -> Option<String> {
        let name = self.get(file.path_name())?;
        let folder = file.directory(header).filter(|_| file.directory_index() != 0);
        match folder.and_then(|folder| self.get(folder)) {
            Some(folder) if !name.starts_with('/') => Some(format!("{folder}/{name}")),
            _ => Some(name),
        }
    }
}

/// The rows of the line table, in the order of the table.
pub(crate) fn rows(object: &Object<'_>, layout: &Layout, base: u64) -> Vec<Row> {
    let mut rows = Vec::new();
    let Some(table) = relocated(object, layout, base) else { return rows };
    let of = |name| section(object, name).unwrap_or_default();
    let strings = Strings {
        line: DebugLineStr::new(of(".debug_line_str"), LittleEndian),
        other: DebugStr::new(of(".debug_str"), LittleEndian),
    };
    let lines = DebugLine::new(&table, LittleEndian);
    let mut at = 0;
    while let Ok(program) = lines.program(DebugLineOffset(at), 8, None, None) {
        // The length does not count its own four bytes. An object has no tables of 4 GiB.
        at += program.header().unit_length() + 4;
        let mut found = program.rows();
        while let Ok(Some((header, row))) = found.next_row() {
            // Line 0 is code that belongs to no line.
            let Some(line) = row.line().filter(|_| !row.end_sequence()) else { continue };
            let file = row.file(header).and_then(|file| strings.path(header, file));
            let (Ok(line), Some(file)) = (u32::try_from(line.get()), file) else { continue };
            rows.push(Row { address: row.address(), line, file });
        }
    }
    rows
}
