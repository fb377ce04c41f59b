//! Any words as instructions: a decoded instruction encodes to the same word, and has a text.
#![no_main]

use libfuzzer_sys::fuzz_target;
use muxcl_rv_isa::{
    Xlen, decode, decode_any, decode_compressed, disassemble, disassemble_compressed, encode,
};

fuzz_target!(|words: Vec<u32>| {
    for word in words {
        for xlen in [Xlen::Rv32, Xlen::Rv64] {
            if let Some(inst) = decode(word, xlen) {
                assert_eq!(encode(&inst, xlen), Some(word), "{}", disassemble(&inst));
            }
            if let Some(inst) = decode_any(word, xlen) {
                assert!(!disassemble(&inst).is_empty());
            }
            let half = word as u16;
            let text = disassemble_compressed(half, xlen);
            if let Some(inst) = decode_compressed(half, xlen) {
                // A decoded instruction exists in the table.
                assert!(encode(&inst, xlen).is_some() && text.is_some(), "{half:#x}");
            }
        }
    }
});
