//! Loads a program compiled by clang into a machine's memory. It reads only the parts of ELF that
//! these programs need, and checks nothing, because the file is trusted.

use muxcl_rv_sim::Memory;

/// A memory with the program's segments and `extra` (base, size) regions, and the program's entry
/// point.
pub(crate) fn load(elf: &[u8], extra: &[(u64, u64)]) -> (Memory, u64) {
    let word = |at: usize| u64::from_le_bytes(elf[at..at + 8].try_into().expect("eight bytes"));
    let half = |at: usize| u16::from_le_bytes(elf[at..at + 2].try_into().expect("two bytes"));
    let mut memory = Memory::new();
    let mut end = 0;
    let table = usize::try_from(word(32)).expect("an offset");
    for k in 0..usize::from(half(56)) {
        let at = table + 56 * k;
        // PT_LOAD
        if elf[at] == 1 {
            let (offset, address, in_file, size) =
                (word(at + 8), word(at + 16), word(at + 32), word(at + 40));
            // Segments may share a page, but regions must not overlap, so each region begins at its
            // segment's address.
            memory.add_ram(address, size).expect("a segment of its own");
            let bytes = usize::try_from(offset).expect("an offset")
                ..usize::try_from(offset + in_file).expect("an offset");
            memory.write(0, address, &elf[bytes]).expect("it fits");
            end = end.max(address + size);
        }
    }
    for (base, size) in extra {
        assert!(*base >= end, "the region lies behind the program");
        memory.add_ram(*base, *size).expect("a region");
    }
    (memory, word(24))
}
