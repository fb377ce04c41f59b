//! RISC-V executables: what a HAL needs to put one into memory. Invariant: every range handed out lies inside the file; anything else in it
//! may be wrong and is refused or ignored. Not here: relocation, because programs for HAL devices are linked.

use crate::HalError;
use goblin::elf::{Elf, header, program_header, sym};

/// A piece to be loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Segment<'a> {
    /// Where it goes.
    pub address: u64,
    /// Its bytes.
    pub bytes: &'a [u8],
    /// Its size in memory: zeros follow the bytes.
    pub size: u64,
    /// It is executed.
    pub executable: bool,
}

/// A parsed program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RiscvElf<'a> {
    /// 32 or 64.
    pub word_size: u32,
    /// The entry's address.
    pub entry: u64,
    /// What to load.
    pub segments: Vec<Segment<'a>>,
    /// Defined symbols, by name: address and size.
    symbols: Vec<(&'a str, u64, u64)>,
}

fn wrong(reason: impl Into<String>) -> HalError {
    HalError::Program(reason.into())
}

impl<'a> RiscvElf<'a> {
    /// Reads a file.
    ///
    /// # Errors
    /// When it is no little-endian RISC-V ELF file, or a segment lies outside it or wraps.
    pub fn parse(file: &'a [u8]) -> Result<Self, HalError> {
        let elf = Elf::parse(file).map_err(|e| wrong(e.to_string()))?;
        if elf.header.e_machine != header::EM_RISCV || !elf.little_endian {
            return Err(wrong("not a little-endian RISC-V file"));
        }
        let mut segments = Vec::new();
        for p in elf.program_headers.iter().filter(|p| p.p_type == program_header::PT_LOAD && p.p_memsz != 0) {
            let start = usize::try_from(p.p_offset).map_err(|_| wrong("a segment outside the file"))?;
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
            segments.push(Segment { address: p.p_vaddr, bytes, size: p.p_memsz, executable: p.is_executable() });
        }
        let mut symbols: Vec<(&str, u64, u64)> = elf
            .syms
            .iter()
            .filter(|s| s.st_shndx != 0 && matches!(s.st_type(), sym::STT_FUNC | sym::STT_OBJECT | sym::STT_NOTYPE))
            .filter_map(|s| Some((elf.strtab.get_at(s.st_name)?, s.st_value, s.st_size)))
            .filter(|(name, ..)| !name.is_empty())
            .collect();
        symbols.sort_unstable();
        Ok(Self { word_size: if elf.is_64 { 64 } else { 32 }, entry: elf.entry, segments, symbols })
    }

    /// The address of a defined symbol.
    #[must_use]
    pub fn symbol(&self, name: &str) -> Option<u64> {
        let at = self.symbols.partition_point(|(n, ..)| *n < name);
        self.symbols.get(at).filter(|(n, ..)| *n == name).map(|(_, address, _)| *address)
    }

    /// The symbol an address is in, for messages.
    #[must_use]
    pub fn symbol_at(&self, address: u64) -> Option<&'a str> {
        let inside =
            |(_, start, size): &&(&str, u64, u64)| address.checked_sub(*start).is_some_and(|at| at < (*size).max(1));
        self.symbols.iter().find(inside).map(|(name, ..)| *name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    fn program() -> Option<Vec<u8>> {
        let folder = std::env::temp_dir().join(format!(
            "muxcl-hal-elf-{}-{:?}",
            std::process::id(),
            std::thread::current().id()
        ));
        std::fs::create_dir_all(&folder).ok()?;
        let (source, out) = (folder.join("a.c"), folder.join("a.elf"));
        std::fs::write(&source, "int table[64] = {5}; int zeros[4096]; int f(int x) { return x + table[x] + zeros[x]; } void _start(void) { f(1); }").ok()?;
        let clang = Command::new("/usr/lib/llvm-22/bin/clang")
            .args([
                "--target=riscv64",
                "-march=rv64gc",
                "-mabi=lp64d",
                "-O1",
                "-nostdlib",
                "-static",
                "-fuse-ld=lld",
                "-o",
            ])
            .args([&out, &source])
            .status();
        let bytes = clang.ok().filter(std::process::ExitStatus::success).and_then(|_| std::fs::read(&out).ok());
        std::fs::remove_dir_all(&folder).ok()?;
        bytes
    }

    #[test]
    fn a_program_of_clangs_is_understood() {
        let Some(bytes) = program() else { return };
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
    fn broken_files_are_refused_or_harmless() {
        assert!(
            RiscvElf::parse(b"").is_err()
                && RiscvElf::parse(b"\x7fELF").is_err()
                && RiscvElf::parse(&[0; 4096]).is_err()
        );
        let Some(bytes) = program() else { return };
        // The host's own kind of file.
        let mut other = bytes.clone();
        other[18] = 62;
        assert!(RiscvElf::parse(&other).is_err());
        let mut seed = 1u64;
        for round in 0..20_000 {
            let mut broken = bytes.clone();
            for _ in 0..1 + round % 4 {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                // Headers more often than the rest.
                let span = if seed >> 60 < 12 { 64 + 56 * 6 } else { broken.len() };
                let at = (seed >> 20) as usize % span;
                broken[at] = seed.to_le_bytes()[2];
            }
            if round % 7 == 0 {
                broken.truncate((seed >> 33) as usize % broken.len());
            }
            if let Ok(elf) = RiscvElf::parse(&broken) {
                let _ = (elf.symbol("f"), elf.symbol_at(elf.entry));
                assert!(
                    elf.segments
                        .iter()
                        .all(|s| s.bytes.len() as u64 <= s.size && s.address.checked_add(s.size).is_some())
                );
            }
        }
    }
}
