//! Finds ELF sections by name, in 32-bit and 64-bit files. A driver reads the metadata of a program
//! this way. Invariant: the returned bytes lie inside the file. Not here: the meaning of a section.

use crate::HalError;
use goblin::elf::Elf;

/// The bytes of section `name`; `None` if there is no such section.
///
/// # Errors
/// If the file is not an ELF file, or the section lies outside it.
pub fn section_of<'a>(file: &'a [u8], name: &str) -> Result<Option<&'a [u8]>, HalError> {
    let elf = Elf::parse(file).map_err(|e| HalError::Program(e.to_string()))?;
    let Some(header) =
        elf.section_headers.iter().find(|s| elf.shdr_strtab.get_at(s.sh_name) == Some(name))
    else {
        return Ok(None);
    };
    let range = || {
        let start = usize::try_from(header.sh_offset).ok()?;
        file.get(start..start.checked_add(usize::try_from(header.sh_size).ok()?)?)
    };
    range()
        .map(Some)
        .ok_or_else(|| HalError::Program(format!("section {name} lies outside the file")))
}

#[cfg(test)]
mod tests {
    #[test]
    fn nonsense_is_refused() {
        assert!(super::section_of(b"", ".note").is_err());
        assert!(super::section_of(b"\x7fELF", ".note").is_err());
        let own = std::fs::read(std::env::current_exe().expect("a path")).expect("a file");
        assert!(
            super::section_of(&own, ".text").expect("an ELF file").is_some_and(|s| !s.is_empty())
        );
        assert_eq!(super::section_of(&own, ".no.such").expect("an ELF file"), None);
    }
}
