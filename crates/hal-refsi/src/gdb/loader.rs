//! The loader's ROM as an ELF file, for gdb: without a program that it can take for the executable,
//! gdb reads the symbols of no library. It also names the functions that call kernels. Invariant:
//! the file describes exactly the bytes of the ROM.

use crate::rom::Rom;

/// ELF's numbers; see the specification of the format.
const MACHINE_RISCV: u16 = 243;
const SECTIONS: u16 = 5;
const FUNCTION_GLOBAL: u8 = 0x12;

/// A file in the making: little-endian, with words of 4 or 8 bytes.
struct Writer {
    bytes: Vec<u8>,
    wide: bool,
}

impl Writer {
    fn half(&mut self, value: u16) {
        self.bytes.extend(value.to_le_bytes());
    }

    fn word(&mut self, value: u32) {
        self.bytes.extend(value.to_le_bytes());
    }

    /// An address, an offset or a size.
    fn address(&mut self, value: u64) {
        let n = if self.wide { 8 } else { 4 };
        self.bytes.extend(&value.to_le_bytes()[..n]);
    }

    fn align(&mut self) {
        self.bytes.resize(self.bytes.len().next_multiple_of(8), 0);
    }

    /// A section header: name, type, flags, address, offset, size, link, info, size of entries.
    fn section(&mut self, ids: [u32; 2], flags: u64, place: [u64; 3], more: [u32; 2], entry: u64) {
        ids.iter().for_each(|id| self.word(*id));
        self.address(flags);
        place.iter().for_each(|p| self.address(*p));
        more.iter().for_each(|m| self.word(*m));
        self.address(4);
        self.address(entry);
    }
}

/// The flags of an ELF file with the calling convention of this name. gdb refuses a file whose
/// registers the device lacks.
fn flags(abi: &str) -> u32 {
    match abi.as_bytes().last() {
        Some(b'd') => 4,
        Some(b'f') => 2,
        _ => 0,
    }
}

/// The ELF file of the loader at `base`, for a device with words of `bits` bits and a calling
/// convention.
pub(super) fn elf(rom: &Rom, base: u64, bits: u32, abi: &str) -> Vec<u8> {
    let wide = bits == 64;
    let (header, segment, section, symbol): (u16, u16, u16, u16) =
        if wide { (64, 56, 64, 24) } else { (52, 32, 40, 16) };
    let mut names = vec![0];
    let mut symbols = Writer { bytes: vec![0; symbol.into()], wide };
    for (name, offset) in
        [("refsi.instance", rom.instance), ("refsi.group", rom.group), ("refsi.exit", rom.exit)]
    {
        symbols.word(u32::try_from(names.len()).unwrap_or(0));
        names.extend(name.as_bytes());
        names.push(0);
        if wide {
            symbols.bytes.extend([FUNCTION_GLOBAL, 0]);
            symbols.half(1);
        }
        symbols.address(base + offset);
        symbols.address(0);
        if !wide {
            symbols.bytes.extend([FUNCTION_GLOBAL, 0]);
            symbols.half(1);
        }
    }
    let section_names = b"\0.text\0.symtab\0.strtab\0.shstrtab\0";
    let size = rom.code.len() as u64;
    let code_at = u64::from(header) + u64::from(segment);
    let symbols_at = (code_at + size).next_multiple_of(8);
    let symbols_size = symbols.bytes.len() as u64;
    let names_at = symbols_at + symbols_size;
    let names_size = names.len() as u64;
    let section_names_at = names_at + names_size;
    let section_names_size = section_names.len() as u64;
    let sections_at = (section_names_at + section_names_size).next_multiple_of(8);
    let mut w = Writer { bytes: b"\x7fELF".to_vec(), wide };
    w.bytes.extend([if wide { 2 } else { 1 }, 1, 1, 0]);
    w.bytes.extend([0; 8]);
    w.half(2); // an executable
    w.half(MACHINE_RISCV);
    w.word(1);
    w.address(base + rom.instance);
    w.address(header.into());
    w.address(sections_at);
    w.word(flags(abi));
    for value in [header, segment, 1, section, SECTIONS, SECTIONS - 1] {
        w.half(value);
    }
    // A readable and executable segment to load.
    w.word(1);
    if wide {
        w.word(5);
    }
    for value in [code_at, base, base, size, size] {
        w.address(value);
    }
    if !wide {
        w.word(5);
    }
    w.address(4);
    w.bytes.extend(&rom.code);
    w.align();
    w.bytes.extend(symbols.bytes);
    w.bytes.extend(names);
    w.bytes.extend(section_names);
    w.align();
    w.section([0, 0], 0, [0; 3], [0; 2], 0);
    w.section([1, 1], 6, [base, code_at, size], [0; 2], 0);
    w.section([7, 2], 0, [0, symbols_at, symbols_size], [3, 1], symbol.into());
    w.section([15, 3], 0, [0, names_at, names_size], [0; 2], 0);
    w.section([23, 3], 0, [0, section_names_at, section_names_size], [0; 2], 0);
    w.bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use muxcl_hal::elf::RiscvElf;

    #[test]
    fn the_file_is_the_rom_with_its_functions() {
        for (bits, abi) in [(32, "ilp32"), (64, "lp64d")] {
            let rom = Rom::new(bits).expect("a loader");
            let file = elf(&rom, 0x1000, bits, abi);
            let read = RiscvElf::parse(&file).expect("an ELF file");
            assert_eq!((read.word_size, read.position_independent), (bits, false));
            assert_eq!(read.segments.len(), 1);
            let text = read.segments[0];
            assert_eq!((text.address, text.bytes), (0x1000, &rom.code[..]));
            assert!(text.executable && !text.writable);
            assert_eq!(read.symbol("refsi.instance"), Some(0x1000 + rom.instance));
            assert_eq!(read.symbol("refsi.group"), Some(0x1000 + rom.group));
            assert_eq!(read.symbol("refsi.exit"), Some(0x1000 + rom.exit));
        }
    }
}
