//! Any bytes as a program binary or a metadata note: parsed or refused, never a crash.
#![no_main]

use libfuzzer_sys::fuzz_target;
use muxcl_types::container::Binary;
use muxcl_types::variant::ElfMeta;

fuzz_target!(|bytes: &[u8]| {
    let _ = Binary::from_bytes(bytes);
    let _ = ElfMeta::from_note(bytes);
});
