//! Any bytes as a file of the disk cache: an entry only if checksum and key are right, else a miss,
//! with memory in proportion to the file. Half of the attempts get the right checksum and key,
//! because otherwise no input would pass that check.
#![no_main]

use libfuzzer_sys::fuzz_target;
use muxcl_cache::{Entry, Key, KeyBuilder};
use std::sync::OnceLock;

/// Bytes before those that the checksum covers: the magic number, the version and the checksum.
const SUMMED: usize = 44;

static KEYS: OnceLock<[Key; 2]> = OnceLock::new();

fn read(file: &[u8], key: &Key) -> Option<Entry> {
    let (entry, bytes) = muxcl_fuzz::peak(|| Entry::from_bytes(file, key));
    // A dependency takes at least five bytes of the file, and 64 bytes in a list that doubles.
    assert!(bytes <= 4096 + 48 * file.len(), "{bytes} bytes for a file of {}", file.len());
    entry
}

fuzz_target!(|bytes: &[u8]| {
    let [key, other] = KEYS.get_or_init(|| {
        ["a", "b"].map(|text| KeyBuilder::new("fuzz").field("input", text.as_bytes()).finish())
    });
    if read(bytes, key).is_some() {
        let (sum, body) = bytes[SUMMED - 32..].split_at(32);
        assert_eq!(blake3::hash(body).as_bytes(), sum);
        assert!(read(bytes, other).is_none());
    }
    // The same bytes behind the key of an entry, with their checksum.
    let empty = Entry::default().to_bytes(key).unwrap();
    let mut file = empty[..SUMMED + 32].to_vec();
    file.extend(bytes);
    let sum = blake3::hash(&file[SUMMED..]);
    file[SUMMED - 32..SUMMED].copy_from_slice(sum.as_bytes());
    assert!(read(&file, other).is_none(), "another key");
    let bit = 1 << (bytes.len() % 8);
    file[SUMMED - 1 - bytes.len() % 32] ^= bit;
    assert!(read(&file, key).is_none(), "a wrong checksum");
    file[SUMMED - 1 - bytes.len() % 32] ^= bit;
    if let Some(entry) = read(&file, key) {
        let written = entry.to_bytes(key).unwrap();
        assert_eq!(Entry::from_bytes(&written, key).as_ref(), Some(&entry));
    }
});
