//! Any bytes as a program for a HAL device: parsed and placed, or refused. Placed segments lie
//! inside the program's span.
#![no_main]

use libfuzzer_sys::fuzz_target;
use muxcl_hal::elf::RiscvElf;
use muxcl_hal::section_of;

fuzz_target!(|bytes: &[u8]| {
    let _ = section_of(bytes, ".note.muxcl");
    let Ok(elf) = RiscvElf::parse(bytes) else { return };
    let _ = (elf.symbol("kernel_main"), elf.symbol_at(elf.entry));
    let (low, high) = elf.span();
    if high - low > 1 << 20 {
        return;
    }
    for bias in [0, elf.alignment << 20] {
        let _ = elf.place(bias, |at, bytes| {
            assert!(
                at >= low.wrapping_add(bias) && at + bytes.len() as u64 <= high.wrapping_add(bias)
            );
            Ok(())
        });
    }
});
