//! Offsets of sections, common symbols, GOT slots and call stubs in the image: code, then read-only
//! data, then writable data, each segment on pages of its own.
//!
//! Invariant: all arithmetic is overflow-checked. The image is smaller than 2 GiB, so that
//! PC-relative references within it are always in range. Not here: the content of the image.

use crate::LoadError;
use crate::object::{MAX_ALIGN, Machine, Object, SymbolLocation};
use crate::{aarch64, x86_64};
use goblin::elf::section_header as sh;
use std::collections::BTreeMap;
use std::ops::Range;

/// Size of a call stub in bytes, on every machine.
pub(crate) const STUB_SIZE: u64 = 16;
const SLOT_SIZE: u64 = 8;
const MAX_IMAGE: u64 = i32::MAX as u64;

/// The GOT slot or stub that a relocation needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Need {
    /// Nothing.
    Nothing,
    /// A GOT slot with the symbol's address.
    GotEntry,
    /// A stub, if the symbol is out of the instruction's range.
    Stub,
}

#[derive(Debug, Default)]
pub(crate) struct Layout {
    /// Offset of each section in the image; `None` if the section is not loaded.
    pub(crate) sections: Vec<Option<u64>>,
    /// Offset of each common symbol.
    pub(crate) commons: BTreeMap<usize, u64>,
    /// Offset of the GOT slot of a symbol.
    pub(crate) slots: BTreeMap<usize, u64>,
    /// Offset of the stub of a symbol.
    pub(crate) stubs: BTreeMap<usize, u64>,
    /// Offset of the GOT.
    pub(crate) got: u64,
    pub(crate) code: Range<u64>,
    pub(crate) read_only: Range<u64>,
    pub(crate) writable: Range<u64>,
    /// Alignment of the image's base in bytes.
    pub(crate) align: u64,
}

impl Layout {
    /// Size of the image in bytes, a multiple of the page size.
    pub(crate) fn size(&self) -> u64 {
        self.writable.end
    }

    pub(crate) fn new(object: &Object<'_>, page: u64) -> Result<Self, LoadError> {
        let mut layout =
            Self { sections: vec![None; object.sections.len()], align: page, ..Self::default() };
        let needs = needs(object)?;
        let mut cursor = Cursor { at: 0 };

        layout.place(object, &mut cursor, |flags| flags & sh::SHF_EXECINSTR != 0)?;
        cursor.take(0, STUB_SIZE)?;
        for (&symbol, need) in &needs {
            if need.stub {
                layout.stubs.insert(symbol, cursor.take(STUB_SIZE, STUB_SIZE)?);
            }
        }
        layout.code = 0..cursor.page(page)?;

        layout
            .place(object, &mut cursor, |flags| flags & (sh::SHF_EXECINSTR | sh::SHF_WRITE) == 0)?;
        layout.got = cursor.take(0, SLOT_SIZE)?;
        for &symbol in needs.keys() {
            layout.slots.insert(symbol, cursor.take(SLOT_SIZE, SLOT_SIZE)?);
        }
        layout.read_only = layout.code.end..cursor.page(page)?;

        layout.place(object, &mut cursor, |flags| flags & sh::SHF_WRITE != 0)?;
        for (index, symbol) in object.symbols.iter().enumerate() {
            if symbol.location == SymbolLocation::Common {
                let align = symbol.value.max(1);
                if !align.is_power_of_two() || align > MAX_ALIGN {
                    return Err(LoadError::Damaged("a common symbol with an odd alignment"));
                }
                layout.align = layout.align.max(align);
                layout.commons.insert(index, cursor.take(symbol.size, align)?);
            }
        }
        layout.writable = layout.read_only.end..cursor.page(page)?;
        Ok(layout)
    }

    fn place(
        &mut self,
        object: &Object<'_>,
        cursor: &mut Cursor,
        wanted: impl Fn(u32) -> bool,
    ) -> Result<(), LoadError> {
        for (index, section) in object.sections.iter().enumerate() {
            #[expect(
                clippy::cast_possible_truncation,
                reason = "the used flags are in the low half"
            )]
            let flags = section.flags as u32;
            if section.allocated() && wanted(flags) {
                self.align = self.align.max(section.align);
                self.sections[index] = Some(cursor.take(section.size, section.align)?);
            }
        }
        Ok(())
    }
}

struct Cursor {
    at: u64,
}

impl Cursor {
    /// Reserves `size` bytes and returns their offset.
    fn take(&mut self, size: u64, align: u64) -> Result<u64, LoadError> {
        let start = self.at.checked_next_multiple_of(align);
        let end = start.and_then(|s| s.checked_add(size)).filter(|&e| e <= MAX_IMAGE);
        match (start, end) {
            (Some(start), Some(end)) => {
                self.at = end;
                Ok(start)
            }
            _ => Err(LoadError::Unsupported("more than 2 GiB of code and data".into())),
        }
    }

    fn page(&mut self, page: u64) -> Result<u64, LoadError> {
        self.take(0, page)
    }
}

#[derive(Debug, Clone, Copy, Default)]
struct SymbolNeeds {
    stub: bool,
}

/// The symbols that need a GOT slot, and whether they also need a stub, which jumps through the
/// slot.
fn needs(object: &Object<'_>) -> Result<BTreeMap<usize, SymbolNeeds>, LoadError> {
    let mut needs = BTreeMap::<usize, SymbolNeeds>::new();
    for reloc in &object.relocs {
        let need = match object.machine {
            Machine::X86_64 => x86_64::need(reloc.kind)?,
            Machine::Aarch64 => aarch64::need(reloc.kind)?,
        };
        match need {
            Need::GotEntry => {
                needs.entry(reloc.symbol).or_default();
            }
            Need::Stub => {
                let undefined = object
                    .symbols
                    .get(reloc.symbol)
                    .is_some_and(|s| s.location == SymbolLocation::Undefined);
                if undefined {
                    needs.entry(reloc.symbol).or_default().stub = true;
                }
            }
            Need::Nothing => {}
        }
    }
    Ok(needs)
}
