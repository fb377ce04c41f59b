//! Checks the file of a HAL library before the dynamic linker maps it. Access to a truncated mapped
//! file raises SIGBUS. Invariant: only headers are read.

use goblin::elf::{header, program_header, section_header};
use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::path::Path;

/// Maximum number of headers.
const MANY: u16 = 4096;

/// The reason why the file at `path` is not a complete ELF file. `None` if it is complete or
/// unreadable. The dynamic linker then resolves bare names and reports other errors.
pub(crate) fn defect(path: &Path) -> Option<String> {
    let file = File::open(path).ok()?;
    let length = file.metadata().ok()?.len();
    let Some(bytes) = read(&file, 0, header::header64::SIZEOF_EHDR) else {
        return Some(format!("{length} bytes are no ELF file"));
    };
    let bytes: &[u8; header::header64::SIZEOF_EHDR] = bytes.as_slice().try_into().ok()?;
    let elf = header::header64::Header::from_bytes(bytes);
    if &elf.e_ident[..4] != header::ELFMAG || elf.e_ident[4] != header::ELFCLASS64 {
        // Not an ELF file: the dynamic linker reports the error.
        return None;
    }
    let cut = |end: Option<u64>| end.is_none_or(|end| end > length);
    let table =
        |at: u64, entry: u16, count: u16| at.checked_add(u64::from(entry) * u64::from(count));
    if elf.e_phnum > MANY || cut(table(elf.e_phoff, elf.e_phentsize, elf.e_phnum)) {
        return Some("its program headers lie outside the file".to_owned());
    }
    // One read for the whole table: every search for devices comes here.
    let entry = usize::from(elf.e_phentsize);
    let headers = read(&file, elf.e_phoff, entry * usize::from(elf.e_phnum))?;
    for bytes in headers.chunks_exact(entry.max(1)) {
        let bytes = bytes.get(..program_header::program_header64::SIZEOF_PHDR)?;
        let segments = program_header::program_header64::ProgramHeader::from_bytes(bytes, 1);
        let segment = segments.first()?;
        let end = segment.p_offset.checked_add(segment.p_filesz);
        if segment.p_type == program_header::PT_LOAD && cut(end) {
            return Some(format!(
                "a segment ends behind the file's {length} bytes: it is truncated"
            ));
        }
    }
    let sections = table(elf.e_shoff, elf.e_shentsize, elf.e_shnum);
    let known = usize::from(elf.e_shentsize) == section_header::section_header64::SIZEOF_SHDR;
    if elf.e_shnum != 0 && known && cut(sections) {
        return Some(format!(
            "its section headers end behind the file's {length} bytes: it is truncated"
        ));
    }
    None
}

fn read(file: &File, at: u64, size: usize) -> Option<Vec<u8>> {
    let mut bytes = vec![0; size];
    file.read_exact_at(&mut bytes, at).ok()?;
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_end_early_have_a_defect() {
        let whole = std::fs::read(std::env::current_exe().expect("a path")).expect("a file");
        let path = std::env::temp_dir().join(format!("muxcl-cut-{}.so", std::process::id()));
        for (length, complete) in
            [(whole.len(), true), (whole.len() - 1, false), (whole.len() / 2, false), (70, false)]
        {
            std::fs::write(&path, &whole[..length]).expect("a file");
            assert_eq!(defect(&path).is_none(), complete, "{length} bytes");
        }
        std::fs::write(&path, b"\x7fELF").expect("a file");
        assert!(defect(&path).is_some());
        std::fs::remove_file(&path).expect("the file exists");
        assert!(defect(&path).is_none());
    }
}
