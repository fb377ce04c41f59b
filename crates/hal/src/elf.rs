//! Reads RISC-V executables for HALs. Invariant: every returned range lies inside the file. Other
//! invalid content is refused or ignored. Position-independent programs load at any address. They
//! have relative relocations only, because programs for HAL devices are linked.

use crate::HalError;
use goblin::elf::{Elf, header, program_header, sym};

/// Relocation types that a linked program may have.
const R_RISCV_NONE: u32 = 0;
const R_RISCV_RELATIVE: u32 = 3;
/// Maximum alignment of a segment in bytes.
const MOST_ALIGNED: u64 = 1 << 24;
/// Maximum number of `PT_GNU_RELRO` headers; linkers write one.
const MOST_CONSTANT: usize = 8;
/// Maximum size of a segment in bytes.
const MOST_BYTES: usize = 1 << 30;

/// A part of a program that is loaded to consecutive addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Segment<'a> {
    /// Device address, before the bias is added.
    pub address: u64,
    /// Content from the file; at most [`Segment::size`] bytes.
    pub bytes: &'a [u8],
    /// Size in memory in bytes. Zeros follow the content.
    pub size: u64,
    /// True if the segment is executable.
    pub executable: bool,
    /// True if the segment is writable.
    pub writable: bool,
}

/// A RISC-V program as an ELF file, parsed and checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RiscvElf<'a> {
    /// Width of an address in bits: 32 or 64.
    pub word_size: u32,
    /// Device address of the entry point, before the bias is added.
    pub entry: u64,
    /// The segments to load.
    pub segments: Vec<Segment<'a>>,
    /// True if the program loads at any address ([`RiscvElf::place`]).
    pub position_independent: bool,
    /// Largest alignment of the segments, a power of two. A bias must be a multiple of it.
    pub alignment: u64,
    /// Ranges that nothing writes once the program is placed (`PT_GNU_RELRO`): first address and
    /// size, before the bias is added. They lie in writable segments.
    pub constant_once_placed: Vec<(u64, u64)>,
    /// Relative relocations by address, each with its value before the bias is added.
    relocations: Vec<(u64, u64)>,
    /// Defined symbols by name, each with its address and size.
    symbols: Vec<(&'a str, u64, u64)>,
}

fn wrong(reason: impl Into<String>) -> HalError {
    HalError::Program(reason.into())
}

impl<'a> RiscvElf<'a> {
    /// Parses a file.
    ///
    /// # Errors
    /// If it is not a little-endian RISC-V ELF file, or a segment lies outside it or wraps.
    pub fn parse(file: &'a [u8]) -> Result<Self, HalError> {
        let elf = Elf::parse(file).map_err(|e| wrong(e.to_string()))?;
        if elf.header.e_machine != header::EM_RISCV || !elf.little_endian {
            return Err(wrong("not a little-endian RISC-V file"));
        }
        let mut segments = Vec::new();
        for p in elf
            .program_headers
            .iter()
            .filter(|p| p.p_type == program_header::PT_LOAD && p.p_memsz != 0)
        {
            let start =
                usize::try_from(p.p_offset).map_err(|_| wrong("a segment outside the file"))?;
            let end = usize::try_from(p.p_filesz)
                .ok()
                .and_then(|n| start.checked_add(n))
                .ok_or_else(|| wrong("a segment outside the file"))?;
            let bytes = file.get(start..end).ok_or_else(|| wrong("a segment outside the file"))?;
            if p.p_filesz > p.p_memsz
                || p.p_paddr.checked_add(p.p_memsz).is_none()
                || p.p_vaddr.checked_add(p.p_memsz).is_none()
            {
                return Err(wrong("a segment that wraps or is larger than its memory"));
            }
            segments.push(Segment {
                address: p.p_vaddr,
                bytes,
                size: p.p_memsz,
                executable: p.is_executable(),
                writable: p.is_write(),
            });
        }
        // A range outside the segments has no meaning.
        let inside = |start: u64, size: u64| {
            segments.iter().any(|s: &Segment<'_>| {
                start >= s.address
                    && start - s.address <= s.size.saturating_sub(size)
                    && size <= s.size
            })
        };
        let constant_once_placed = elf
            .program_headers
            .iter()
            .filter(|p| p.p_type == program_header::PT_GNU_RELRO && p.p_memsz != 0)
            .map(|p| (p.p_vaddr, p.p_memsz))
            .take(MOST_CONSTANT)
            .filter(|(start, size)| inside(*start, *size))
            .collect();
        if elf.header.e_type == header::ET_REL {
            return Err(wrong("an object file that was not linked"));
        }
        let mut relocations = Vec::new();
        for r in elf.dynrelas.iter() {
            match r.r_type {
                R_RISCV_NONE => {}
                R_RISCV_RELATIVE => {
                    relocations.push((r.r_offset, r.r_addend.unwrap_or(0).cast_unsigned()))
                }
                other => return Err(wrong(format!("a relocation of type {other}"))),
            }
        }
        relocations.sort_unstable();
        let alignment = elf
            .program_headers
            .iter()
            .filter(|p| p.p_type == program_header::PT_LOAD)
            .map(|p| p.p_align);
        let alignment = alignment.max().unwrap_or(1).max(16);
        if !alignment.is_power_of_two() || alignment > MOST_ALIGNED {
            return Err(wrong(format!("a segment aligned to {alignment}")));
        }
        let mut symbols: Vec<(&str, u64, u64)> = elf
            .syms
            .iter()
            .filter(|s| {
                s.st_shndx != 0
                    && matches!(s.st_type(), sym::STT_FUNC | sym::STT_OBJECT | sym::STT_NOTYPE)
            })
            .filter_map(|s| Some((elf.strtab.get_at(s.st_name)?, s.st_value, s.st_size)))
            .filter(|(name, ..)| !name.is_empty() && !name.starts_with('$'))
            .collect();
        symbols.sort_unstable();
        Ok(Self {
            word_size: if elf.is_64 { 64 } else { 32 },
            entry: elf.entry,
            segments,
            position_independent: elf.header.e_type == header::ET_DYN,
            alignment,
            constant_once_placed,
            relocations,
            symbols,
        })
    }

    /// The address range of the program: first address, and one past the last. For a
    /// position-independent program the first is rounded down to its alignment. Memory of the
    /// range's size at an aligned address therefore gives a valid bias.
    #[must_use]
    pub fn span(&self) -> (u64, u64) {
        let low = self.segments.iter().map(|s| s.address).min().unwrap_or(0);
        let low = if self.position_independent { low & !(self.alignment - 1) } else { low };
        (low, self.segments.iter().map(|s| s.address + s.size).max().unwrap_or(low))
    }

    /// Writes the segments into memory, zero-filled and relocated, with every address moved by
    /// `bias` (0 for fixed addresses). The caller has checked that `span().1 - span().0` bytes fit
    /// on the device.
    ///
    /// # Errors
    /// If a relocation is outside the segments, the bias is invalid, or a write fails.
    pub fn place(
        &self,
        bias: u64,
        mut write: impl FnMut(u64, &[u8]) -> Result<(), HalError>,
    ) -> Result<(), HalError> {
        if bias != 0 && (!self.position_independent || !bias.is_multiple_of(self.alignment)) {
            return Err(wrong("an address outside the program"));
        }
        let word = self.word_size as usize / 8;
        let mut placed = 0;
        for segment in &self.segments {
            let size = usize::try_from(segment.size).ok().filter(|n| *n <= MOST_BYTES);
            let mut bytes = segment.bytes.to_vec();
            bytes.resize(size.ok_or_else(|| wrong("a segment that is too large"))?, 0);
            let from = self.relocations.partition_point(|(at, _)| *at < segment.address);
            for (at, value) in &self.relocations[from..] {
                let Some(at) =
                    usize::try_from(at - segment.address).ok().filter(|at| *at < bytes.len())
                else {
                    break;
                };
                let place = bytes
                    .get_mut(at..at + word)
                    .ok_or_else(|| wrong("a relocation outside the program"))?;
                place.copy_from_slice(&value.wrapping_add(bias).to_le_bytes()[..word]);
                placed += 1;
            }
            let to = segment
                .address
                .checked_add(bias)
                .ok_or_else(|| wrong("an address above the last one"))?;
            write(to, &bytes)?;
        }
        // Overlapping segments, which no linker produces, may contain one relocation twice.
        if placed < self.relocations.len() {
            Err(wrong("a relocation outside the program"))
        } else {
            Ok(())
        }
    }

    /// The address of a defined symbol.
    #[must_use]
    pub fn symbol(&self, name: &str) -> Option<u64> {
        let at = self.symbols.partition_point(|(n, ..)| *n < name);
        self.symbols.get(at).filter(|(n, ..)| *n == name).map(|(_, address, _)| *address)
    }

    /// The symbol that contains an address, for messages.
    #[must_use]
    pub fn symbol_at(&self, address: u64) -> Option<&'a str> {
        let inside = |(_, start, size): &&(&str, u64, u64)| {
            address.checked_sub(*start).is_some_and(|at| at < (*size).max(1))
        };
        self.symbols.iter().find(inside).map(|(name, ..)| *name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    fn program() -> Vec<u8> {
        compiled(&["-static"])
    }

    fn compiled(kind: &[&str]) -> Vec<u8> {
        let scratch = tempfile::tempdir().expect("a temporary folder");
        let folder = scratch.path();
        let (source, out) = (folder.join("a.c"), folder.join("a.elf"));
        let text = "int table[64] = {5}; int zeros[4096]; int *const volatile p = &table[2];\n\
                    int f(int x) { return x + table[x] + zeros[x] + *p; }\n\
                    void _start(void) { f(1); }\n";
        std::fs::write(&source, text).expect("a file");
        let clang = Command::new("/usr/lib/llvm-22/bin/clang")
            .args([
                "--target=riscv64",
                "-march=rv64gc",
                "-mabi=lp64d",
                "-O1",
                "-nostdlib",
                "-fuse-ld=lld",
            ])
            .args(kind)
            .arg("-o")
            .args([&out, &source])
            .status();
        assert!(clang.expect("clang starts").success());
        std::fs::read(&out).expect("a program")
    }

    #[test]
    fn a_program_of_clangs_is_understood() {
        let bytes = program();
        let elf = RiscvElf::parse(&bytes).expect("a program");
        let (f, zeros) = (elf.symbol("f").expect("f"), elf.symbol("zeros").expect("zeros"));
        assert_eq!(
            (elf.word_size, elf.symbol("g"), elf.symbol_at(f + 2), elf.symbol("_start")),
            (64, None, Some("f"), Some(elf.entry))
        );
        let holds = |a: u64| elf.segments.iter().find(|s| s.address <= a && a < s.address + s.size);
        assert!(holds(f).expect("a segment").executable);
        let data = holds(zeros).expect("a segment");
        assert!(data.size > data.bytes.len() as u64, "zeros take no room in the file");
    }

    #[test]
    fn a_position_independent_program_is_placed_anywhere() {
        let bytes = compiled(&["-fPIE", "-Wl,-pie,--no-dynamic-linker"]);
        let elf = RiscvElf::parse(&bytes).expect("a program");
        let (low, high) = elf.span();
        assert!(elf.position_independent && high > low + 4 * 4096);
        let base = 0x4000_0000u64.next_multiple_of(elf.alignment);
        let mut memory = vec![0xAAu8; usize::try_from(high).expect("small")];
        elf.place(base, |at, bytes| {
            let at = usize::try_from(at - base).expect("small");
            memory[at..at + bytes.len()].copy_from_slice(bytes);
            Ok(())
        })
        .expect("it is placed");
        let word = |at: u64| {
            let at = usize::try_from(at).expect("small");
            u64::from_le_bytes(memory[at..at + 8].try_into().expect("eight"))
        };
        assert_eq!(
            word(elf.symbol("p").expect("p")),
            base + elf.symbol("table").expect("table") + 8
        );
        assert_eq!(word(elf.symbol("zeros").expect("zeros")), 0);
        assert!(elf.place(base + 1, |_, _| Ok(())).is_err());
        let [(at, size)] = elf.constant_once_placed[..] else {
            panic!("{:x?}", elf.constant_once_placed)
        };
        let p = elf.symbol("p").expect("p");
        assert!(p >= at && p + 8 <= at + size, "`p` is constant but for its relocation");
        let table = elf.symbol("table").expect("table");
        assert!(table < at || table >= at + size, "`table` is a variable");
        // The first segment need not begin at a multiple of the alignment.
        let text = compiled(&["-fPIE", "-Wl,-pie,--no-dynamic-linker,--image-base=0x11010"]);
        let text = RiscvElf::parse(&text).expect("a program");
        assert_eq!(text.span().0 % text.alignment, 0);
        assert!(text.place(base.wrapping_sub(text.span().0), |_, _| Ok(())).is_ok());
        // A program with fixed addresses is not moved.
        let fixed = program();
        let fixed = RiscvElf::parse(&fixed).expect("a program");
        assert!(!fixed.position_independent && fixed.place(base, |_, _| Ok(())).is_err());
        assert!(fixed.place(0, |_, _| Ok(())).is_ok());
    }

    #[test]
    fn broken_files_are_refused_or_harmless() {
        assert!(
            RiscvElf::parse(b"").is_err()
                && RiscvElf::parse(b"\x7fELF").is_err()
                && RiscvElf::parse(&[0; 4096]).is_err()
        );
        let bytes = program();
        // An ELF file of the host's machine.
        let mut other = bytes.clone();
        other[18] = 62;
        assert!(RiscvElf::parse(&other).is_err());
        let mut random = fastrand::Rng::with_seed(1);
        for round in 0..20_000 {
            let mut broken = bytes.clone();
            for _ in 0..1 + round % 4 {
                // Mutate headers more often than the rest.
                let span = if random.u32(..4) < 3 { 64 + 56 * 6 } else { broken.len() };
                broken[random.usize(..span)] = random.u8(..);
            }
            if round % 7 == 0 {
                broken.truncate(random.usize(..broken.len()));
            }
            if let Ok(elf) = RiscvElf::parse(&broken) {
                let _ = (elf.symbol("f"), elf.symbol_at(elf.entry));
                if elf.segments.iter().all(|s| s.size < 1 << 16) {
                    let _ = elf.place(0, |_, _| Ok(()));
                }
                assert!(
                    elf.segments.iter().all(|s| s.bytes.len() as u64 <= s.size
                        && s.address.checked_add(s.size).is_some())
                );
            }
        }
    }
}
