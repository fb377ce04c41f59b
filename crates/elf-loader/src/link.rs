//! Links an object into an image: copies sections, resolves symbols, writes GOT and stubs,
//! relocates.
//!
//! Invariant: linking writes only into the given bytes and only computes with the base address, so
//! that objects of every machine can be linked and tested on every host. Not here: memory
//! protection; see `image`.

use crate::layout::{Layout, STUB_SIZE};
use crate::object::{Machine, Object, Reloc, Symbol, SymbolLocation};
use crate::{LoadError, aarch64, x86_64};
use goblin::elf::sym as st;
use std::collections::BTreeMap;

/// A defined symbol of a linked image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Defined {
    pub(crate) address: u64,
    pub(crate) size: u64,
    pub(crate) function: bool,
}

/// A relocation with resolved addresses, the input of a machine's `apply`. The letters are those of
/// the ELF specifications.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fixup {
    pub(crate) kind: u32,
    /// P: the address of the relocated field.
    pub(crate) place: u64,
    /// S: address of the symbol.
    pub(crate) symbol: u64,
    /// Z: size of the symbol.
    pub(crate) size: u64,
    /// A: addend.
    pub(crate) addend: i64,
    /// Address of the symbol's GOT slot, 0 if it has none.
    pub(crate) slot: u64,
    /// Address of the symbol's stub, 0 if it has none.
    pub(crate) stub: u64,
    /// Address of the GOT.
    pub(crate) got: u64,
}

/// The reason why a relocation cannot be applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FixupError {
    OutOfRange,
    OutsideSection,
}

/// Links `object` into `image`, whose address will be `base`, and returns the global symbols.
///
/// # Errors
/// A symbol is undefined or unsupported, or a relocation is out of range or outside its section.
pub(crate) fn link(
    object: &Object<'_>,
    layout: &Layout,
    base: u64,
    image: &mut [u8],
    resolve: &dyn Fn(&str) -> Option<u64>,
) -> Result<BTreeMap<String, Defined>, LoadError> {
    for (section, &offset) in object.sections.iter().zip(&layout.sections) {
        if let Some(offset) = offset {
            let into = bytes_at(image, offset, section.data.len()).ok_or(INSIDE)?;
            into.copy_from_slice(section.data);
        }
    }
    let addresses = resolve_all(object, layout, base, resolve)?;
    let address_of = |symbol: usize| addresses.get(symbol).copied().ok_or(INSIDE);
    for (&symbol, &offset) in &layout.slots {
        let into = bytes_at(image, offset, 8).ok_or(INSIDE)?;
        into.copy_from_slice(&address_of(symbol)?.to_le_bytes());
    }
    for (symbol, &offset) in &layout.stubs {
        let slot = layout.slots.get(symbol).copied().ok_or(INSIDE)?;
        let (at, slot) = (base.wrapping_add(offset), base.wrapping_add(slot));
        let stub = match object.machine {
            Machine::X86_64 => x86_64::stub(at, slot),
            Machine::Aarch64 => aarch64::stub(at, slot),
        };
        let size = usize::try_from(STUB_SIZE).map_err(|_| INSIDE)?;
        bytes_at(image, offset, size).ok_or(INSIDE)?.copy_from_slice(&stub);
    }
    for reloc in &object.relocs {
        relocate(object, layout, base, image, reloc, address_of(reloc.symbol)?)?;
    }
    Ok(exports(object, &addresses))
}

/// This error replaces a panic in case layout and object disagree.
const INSIDE: LoadError = LoadError::Damaged("contents outside the image");

fn bytes_at(image: &mut [u8], offset: u64, len: usize) -> Option<&mut [u8]> {
    let start = usize::try_from(offset).ok()?;
    image.get_mut(start..start.checked_add(len)?)
}

fn relocate(
    object: &Object<'_>,
    layout: &Layout,
    base: u64,
    image: &mut [u8],
    reloc: &Reloc,
    symbol: u64,
) -> Result<(), LoadError> {
    let section = object.sections.get(reloc.section).ok_or(INSIDE)?;
    let start = layout.sections.get(reloc.section).copied().flatten().ok_or(INSIDE)?;
    let absolute = |offset: Option<&u64>| offset.map_or(0, |o| base.wrapping_add(*o));
    let fixup = Fixup {
        kind: reloc.kind,
        place: base.wrapping_add(start).wrapping_add(reloc.offset),
        symbol,
        size: object.symbols.get(reloc.symbol).map_or(0, |s| s.size),
        addend: reloc.addend,
        slot: absolute(layout.slots.get(&reloc.symbol)),
        stub: absolute(layout.stubs.get(&reloc.symbol)),
        got: base.wrapping_add(layout.got),
    };
    let bytes = bytes_at(image, start, section.data.len()).ok_or(INSIDE)?;
    let at = usize::try_from(reloc.offset).map_err(|_| INSIDE)?;
    let result = match object.machine {
        Machine::X86_64 => x86_64::apply(&fixup, bytes, at),
        Machine::Aarch64 => aarch64::apply(&fixup, bytes, at),
    };
    result.map_err(|error| match error {
        FixupError::OutsideSection => {
            LoadError::Damaged("a relocation crosses the end of its section")
        }
        FixupError::OutOfRange => LoadError::OutOfRange {
            kind: reloc.kind,
            symbol: object
                .symbols
                .get(reloc.symbol)
                .map_or_else(String::new, |s| s.name.to_owned()),
            section: section.name.to_owned(),
        },
    })
}

/// The address of every symbol. Symbols without a relocation are not resolved.
fn resolve_all(
    object: &Object<'_>,
    layout: &Layout,
    base: u64,
    resolve: &dyn Fn(&str) -> Option<u64>,
) -> Result<Vec<u64>, LoadError> {
    let mut used = vec![false; object.symbols.len()];
    for reloc in &object.relocs {
        if let Some(flag) = used.get_mut(reloc.symbol) {
            *flag = true;
        }
    }
    let mut addresses = Vec::with_capacity(object.symbols.len());
    for (index, (symbol, used)) in object.symbols.iter().zip(used).enumerate() {
        if used && symbol.kind == st::STT_GNU_IFUNC {
            return Err(LoadError::Unsupported(format!("the indirect function `{}`", symbol.name)));
        }
        if used && symbol.kind == st::STT_TLS {
            return Err(LoadError::Unsupported(format!(
                "the thread-local variable `{}`",
                symbol.name
            )));
        }
        addresses.push(match symbol.location {
            SymbolLocation::Absolute => symbol.value,
            SymbolLocation::Common => {
                layout.commons.get(&index).map_or(0, |o| base.wrapping_add(*o))
            }
            SymbolLocation::Section(section) => {
                match layout.sections.get(section).copied().flatten() {
                    Some(offset) => base.wrapping_add(offset).wrapping_add(symbol.value),
                    None if used && symbol.kind != st::STT_FILE => {
                        return Err(LoadError::Damaged(
                            "a reference to a section that is not loaded",
                        ));
                    }
                    None => 0,
                }
            }
            SymbolLocation::Undefined if !used || symbol.name.is_empty() => 0,
            SymbolLocation::Undefined if symbol.name == "_GLOBAL_OFFSET_TABLE_" => {
                base.wrapping_add(layout.got)
            }
            SymbolLocation::Undefined => match resolve(symbol.name) {
                Some(address) => address,
                None if symbol.bind == st::STB_WEAK => 0,
                None => return Err(LoadError::Undefined(symbol.name.to_owned())),
            },
        });
    }
    Ok(addresses)
}

fn exports(object: &Object<'_>, addresses: &[u64]) -> BTreeMap<String, Defined> {
    let exported = |s: &Symbol<'_>| {
        s.location != SymbolLocation::Undefined
            && matches!(s.bind, st::STB_GLOBAL | st::STB_WEAK)
            && !s.name.is_empty()
    };
    let all = object.symbols.iter().zip(addresses).filter(|(s, _)| exported(s));
    all.map(|(s, &address)| {
        (s.name.to_owned(), Defined { address, size: s.size, function: s.kind == st::STT_FUNC })
    })
    .collect()
}

/// Overwrites `N` bytes of a section.
pub(crate) fn put<const N: usize>(
    bytes: &mut [u8],
    at: usize,
    value: [u8; N],
) -> Result<(), FixupError> {
    let place =
        bytes.get_mut(at..).and_then(<[u8]>::first_chunk_mut).ok_or(FixupError::OutsideSection)?;
    *place = value;
    Ok(())
}
