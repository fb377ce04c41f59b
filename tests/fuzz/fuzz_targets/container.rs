//! Any bytes as a program binary or a metadata note: parsed or refused, never a crash. Half of the
//! inputs get a correct checksum, because otherwise no input would pass that check.
#![no_main]

use libfuzzer_sys::fuzz_target;
use muxcl_types::container::{Binary, VERSION};
use muxcl_types::variant::ElfMeta;

fuzz_target!(|bytes: &[u8]| {
    let _ = Binary::from_bytes(bytes);
    let mut whole = b"MUXCL\r\n\x1a".to_vec();
    whole.extend(VERSION.to_le_bytes());
    whole.extend(blake3::hash(bytes).as_bytes());
    whole.extend(bytes);
    if let Ok(binary) = Binary::from_bytes(&whole) {
        assert_eq!(Binary::from_bytes(&binary.to_bytes()).as_ref(), Ok(&binary));
    }
    let _ = ElfMeta::from_note(bytes);
    let mut note = vec![6, 0, 0, 0];
    note.extend(u32::try_from(bytes.len() + 1).unwrap().to_le_bytes());
    note.extend([1, 0, 0, 0]);
    note.extend(b"muxcl\0\0\0\x01");
    note.extend(bytes);
    if let Some(meta) = ElfMeta::from_note(&note) {
        assert_eq!(ElfMeta::from_note(&meta.to_note().unwrap()), Some(meta));
    }
});
