//! Reads a relocatable ELF object of 64 bits, little endian, into checked tables.
//!
//! Invariant: after [`Object::parse`], every index in the tables is in range, every section's data
//! lies in the file, and every relocation's offset lies in its section. Not here: addresses; see
//! `layout` and `link`.

use crate::LoadError;
use goblin::elf::{header as eh, section_header as sh, sym as st};

/// A processor family.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Machine {
    /// x86-64.
    X86_64,
    /// 64-bit Arm.
    Aarch64,
}

impl Machine {
    /// The machine this process runs on.
    pub const HOST: Self = if cfg!(target_arch = "aarch64") { Self::Aarch64 } else { Self::X86_64 };

    /// The machine's number in `e_machine`.
    #[must_use]
    pub const fn elf_number(self) -> u16 {
        match self {
            Self::X86_64 => eh::EM_X86_64,
            Self::Aarch64 => eh::EM_AARCH64,
        }
    }
}

/// Where a symbol is defined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SymbolLocation {
    /// Not in this object.
    Undefined,
    /// The symbol's value is its address.
    Absolute,
    /// In memory that the loader allocates; the symbol's value is the alignment.
    Common,
    /// In this section; the symbol's value is the offset.
    Section(usize),
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Symbol<'a> {
    pub(crate) name: &'a str,
    pub(crate) location: SymbolLocation,
    pub(crate) value: u64,
    pub(crate) size: u64,
    pub(crate) kind: u8,
    pub(crate) bind: u8,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Section<'a> {
    pub(crate) name: &'a str,
    pub(crate) flags: u64,
    pub(crate) size: u64,
    pub(crate) align: u64,
    /// The content: `size` bytes, or none for a section of zeros (`SHT_NOBITS`).
    pub(crate) data: &'a [u8],
    /// Offset of the section's header in the file.
    pub(crate) header_at: usize,
}

impl Section<'_> {
    /// True if the section is loaded.
    pub(crate) fn allocated(&self) -> bool {
        // Unwind tables are not loaded, because no panic or exception unwinds through kernels.
        self.flags & u64::from(sh::SHF_ALLOC) != 0 && self.name != ".eh_frame"
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Reloc {
    pub(crate) section: usize,
    pub(crate) offset: u64,
    pub(crate) symbol: usize,
    pub(crate) kind: u32,
    pub(crate) addend: i64,
}

#[derive(Debug)]
pub(crate) struct Object<'a> {
    pub(crate) machine: Machine,
    pub(crate) sections: Vec<Section<'a>>,
    pub(crate) symbols: Vec<Symbol<'a>>,
    /// Relocations of loaded sections.
    pub(crate) relocs: Vec<Reloc>,
    /// Relocations of the line table. None if one is damaged.
    pub(crate) line_relocs: Vec<Reloc>,
}

/// The content of the section `name` of an ELF object, without loading the object; `Ok(None)` if
/// there is no such section.
///
/// # Errors
/// The bytes are not an ELF object, or the section table is damaged.
pub fn section_of<'a>(bytes: &'a [u8], name: &str) -> Result<Option<&'a [u8]>, LoadError> {
    let (_, headers, names) = section_table(bytes)?;
    for header in &headers {
        if string_at(names, header.name) == Some(name) {
            return Ok(Some(header.data(bytes)?));
        }
    }
    Ok(None)
}

struct Header {
    name: u32,
    kind: u32,
    flags: u64,
    offset: u64,
    size: u64,
    link: u32,
    info: u32,
    align: u64,
    entry: u64,
    at: usize,
}

impl Header {
    fn data<'a>(&self, bytes: &'a [u8]) -> Result<&'a [u8], LoadError> {
        if self.kind == sh::SHT_NOBITS {
            return Ok(&[]);
        }
        slice(bytes, self.offset, self.size)
            .ok_or(LoadError::Damaged("a section lies outside the file"))
    }
}

const HEADER_SIZE: u64 = 64;
const SECTION_HEADER_SIZE: u64 = 64;
const SYMBOL_SIZE: usize = 24;
const RELA_SIZE: usize = 24;
/// The largest supported alignment of a section or symbol: 2 MiB, a huge page.
pub(crate) const MAX_ALIGN: u64 = 2 << 20;

fn slice(bytes: &[u8], offset: u64, size: u64) -> Option<&[u8]> {
    let start = usize::try_from(offset).ok()?;
    let end = start.checked_add(usize::try_from(size).ok()?)?;
    bytes.get(start..end)
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn string_at(table: &[u8], at: u32) -> Option<&str> {
    let rest = table.get(usize::try_from(at).ok()?..)?;
    let end = rest.iter().position(|&b| b == 0)?;
    std::str::from_utf8(rest.get(..end)?).ok()
}

/// The machine, the section headers, and the table of section names.
fn section_table(bytes: &[u8]) -> Result<(Machine, Vec<Header>, &[u8]), LoadError> {
    let ident = bytes.get(..16).ok_or(LoadError::NotAnObject("shorter than an ELF header"))?;
    if !ident.starts_with(eh::ELFMAG) {
        return Err(LoadError::NotAnObject("no ELF magic number"));
    }
    if ident[eh::EI_CLASS] != eh::ELFCLASS64 || ident[eh::EI_DATA] != eh::ELFDATA2LSB {
        return Err(LoadError::NotAnObject("not 64-bit little-endian"));
    }
    let short = LoadError::Damaged("shorter than its header");
    let read16 = |at| u16_at(bytes, at).ok_or(short.clone());
    if read16(16)? != eh::ET_REL {
        return Err(LoadError::NotAnObject("not a relocatable object"));
    }
    let machine = match read16(18)? {
        eh::EM_X86_64 => Machine::X86_64,
        eh::EM_AARCH64 => Machine::Aarch64,
        found => return Err(LoadError::WrongMachine { found, wanted: Machine::HOST.elf_number() }),
    };
    let table = u64_at(bytes, 40).ok_or(short.clone())?;
    let (entry, mut count, mut names) =
        (read16(58)?, u64::from(read16(60)?), u32::from(read16(62)?));
    if u64::from(entry) != SECTION_HEADER_SIZE || table < HEADER_SIZE {
        return Err(LoadError::Damaged("no section table"));
    }
    let read = |index: u64| -> Option<Header> {
        let offset = table.checked_add(index.checked_mul(SECTION_HEADER_SIZE)?)?;
        let h = slice(bytes, offset, SECTION_HEADER_SIZE)?;
        Some(Header {
            name: u32_at(h, 0)?,
            kind: u32_at(h, 4)?,
            flags: u64_at(h, 8)?,
            offset: u64_at(h, 24)?,
            size: u64_at(h, 32)?,
            link: u32_at(h, 40)?,
            info: u32_at(h, 44)?,
            align: u64_at(h, 48)?,
            entry: u64_at(h, 56)?,
            at: usize::try_from(offset).ok()?,
        })
    };
    let outside = || LoadError::Damaged("the section table lies outside the file");
    // An object with more than 65279 sections keeps both numbers in its first section header.
    let first = read(0).ok_or_else(outside)?;
    if count == 0 {
        count = first.size;
    }
    if names == sh::SHN_XINDEX {
        names = first.link;
    }
    if count > (bytes.len() as u64) / SECTION_HEADER_SIZE {
        return Err(outside());
    }
    let headers = (0..count).map(read).collect::<Option<Vec<_>>>().ok_or_else(outside)?;
    let names =
        headers.get(names as usize).ok_or(LoadError::Damaged("no section names"))?.data(bytes)?;
    Ok((machine, headers, names))
}

impl<'a> Object<'a> {
    /// Reads and checks every table.
    pub(crate) fn parse(bytes: &'a [u8]) -> Result<Self, LoadError> {
        let (machine, headers, names) = section_table(bytes)?;
        let mut sections = Vec::with_capacity(headers.len());
        for header in &headers {
            let name = string_at(names, header.name)
                .ok_or(LoadError::Damaged("a section without a name"))?;
            let section = Section {
                name,
                flags: header.flags,
                size: header.size,
                align: header.align.max(1),
                data: header.data(bytes)?,
                header_at: header.at,
            };
            if section.allocated() {
                check_allocated(header, name)?;
            }
            sections.push(section);
        }
        let (symtab, symbols) = match headers.iter().position(|h| h.kind == sh::SHT_SYMTAB) {
            Some(index) => (index, parse_symbols(bytes, &headers, index)?),
            None => (usize::MAX, Vec::new()),
        };
        let (mut relocs, mut line_relocs) = (Vec::new(), Vec::new());
        for header in &headers {
            let target = header.info as usize;
            if header.kind != sh::SHT_RELA && header.kind != sh::SHT_REL {
                continue;
            }
            let section = sections
                .get(target)
                .ok_or(LoadError::Damaged("relocations of a section that does not exist"))?;
            if section.name == ".debug_line" && header.link as usize == symtab {
                let (entries, _) = header.data(bytes)?.as_chunks::<RELA_SIZE>();
                let parse = |entry| parse_reloc(entry, target, section, symbols.len());
                line_relocs =
                    entries.iter().map(parse).collect::<Result<_, _>>().unwrap_or_default();
            }
            if !section.allocated() {
                continue;
            }
            if header.kind == sh::SHT_REL {
                return Err(LoadError::Unsupported("relocations without addends".into()));
            }
            if header.link as usize != symtab {
                return Err(LoadError::Damaged("relocations without their symbol table"));
            }
            for entry in header.data(bytes)?.as_chunks::<RELA_SIZE>().0 {
                relocs.push(parse_reloc(entry, target, section, symbols.len())?);
            }
        }
        Ok(Self { machine, sections, symbols, relocs, line_relocs })
    }
}

fn check_allocated(header: &Header, name: &str) -> Result<(), LoadError> {
    let refuse = |what: &str| Err(LoadError::Unsupported(format!("{what} (section `{name}`)")));
    if header.align > MAX_ALIGN || (header.align != 0 && !header.align.is_power_of_two()) {
        return refuse("an odd alignment");
    }
    if header.flags & u64::from(sh::SHF_TLS) != 0 {
        return refuse("thread-local storage");
    }
    if header.flags & u64::from(sh::SHF_COMPRESSED) != 0 {
        return refuse("a compressed section");
    }
    if header.flags & u64::from(sh::SHF_EXECINSTR | sh::SHF_WRITE)
        == u64::from(sh::SHF_EXECINSTR | sh::SHF_WRITE)
    {
        return refuse("writable code");
    }
    if matches!(header.kind, sh::SHT_INIT_ARRAY | sh::SHT_FINI_ARRAY | sh::SHT_PREINIT_ARRAY)
        && header.size != 0
    {
        return refuse("constructors");
    }
    Ok(())
}

fn parse_symbols<'a>(
    bytes: &'a [u8],
    headers: &[Header],
    index: usize,
) -> Result<Vec<Symbol<'a>>, LoadError> {
    let missing = LoadError::Damaged("a symbol table without its strings");
    let header = headers.get(index).ok_or(missing.clone())?;
    if header.entry != SYMBOL_SIZE as u64 {
        return Err(LoadError::Damaged("symbols of an odd size"));
    }
    let strings = headers.get(header.link as usize).ok_or(missing)?.data(bytes)?;
    let extended =
        headers.iter().find(|h| h.kind == sh::SHT_SYMTAB_SHNDX && h.link as usize == index);
    let extended = extended.map(|h| h.data(bytes)).transpose()?.unwrap_or(&[]);
    let table = header.data(bytes)?;
    let mut symbols = Vec::with_capacity(table.len() / SYMBOL_SIZE);
    for (number, entry) in table.as_chunks::<SYMBOL_SIZE>().0.iter().enumerate() {
        let symbol = parse_symbol(entry, number, strings, extended, headers.len());
        symbols.push(symbol.ok_or(LoadError::Damaged("a symbol without name or section"))?);
    }
    Ok(symbols)
}

fn parse_symbol<'a>(
    entry: &[u8; SYMBOL_SIZE],
    number: usize,
    strings: &'a [u8],
    extended: &[u8],
    sections: usize,
) -> Option<Symbol<'a>> {
    let info = entry[4];
    let shndx = u32::from(u16_at(entry, 6)?);
    let in_section = |index: u32| {
        let index = usize::try_from(index).ok()?;
        (index < sections).then_some(SymbolLocation::Section(index))
    };
    let location = match shndx {
        sh::SHN_UNDEF => SymbolLocation::Undefined,
        sh::SHN_ABS => SymbolLocation::Absolute,
        sh::SHN_COMMON => SymbolLocation::Common,
        sh::SHN_XINDEX => in_section(u32_at(extended, number.checked_mul(4)?)?)?,
        index => in_section(index)?,
    };
    Some(Symbol {
        name: string_at(strings, u32_at(entry, 0)?)?,
        location,
        value: u64_at(entry, 8)?,
        size: u64_at(entry, 16)?,
        kind: st::st_type(info),
        bind: st::st_bind(info),
    })
}

fn parse_reloc(
    entry: &[u8; RELA_SIZE],
    index: usize,
    section: &Section<'_>,
    symbols: usize,
) -> Result<Reloc, LoadError> {
    let damaged = LoadError::Damaged("a relocation outside its section or symbol table");
    let offset = u64_at(entry, 0).ok_or(damaged.clone())?;
    let info = u64_at(entry, 8).ok_or(damaged.clone())?;
    let addend = u64_at(entry, 16).ok_or(damaged.clone())?.cast_signed();
    let symbol = usize::try_from(info >> 32).map_err(|_| damaged.clone())?;
    #[expect(clippy::cast_possible_truncation, reason = "the low half of the word is the type")]
    let kind = info as u32;
    if symbol >= symbols || offset >= section.data.len() as u64 {
        return Err(damaged);
    }
    Ok(Reloc { section: index, offset, symbol, kind, addend })
}
