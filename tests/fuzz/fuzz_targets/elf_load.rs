//! Any bytes as an ELF object: loaded or refused, never a crash. Loaded code is not executed.
#![no_main]

use libfuzzer_sys::fuzz_target;
use muxcl_elf_loader::{LoadOptions, LoadedObject, PerfMode, section_of};

fuzz_target!(|bytes: &[u8]| {
    let _ = section_of(bytes, ".note.muxcl");
    let options = LoadOptions { debugger: false, perf: PerfMode::Off };
    let _ = LoadedObject::load(bytes, &|_| Some(0x1000), options);
});
