//! Any bytes as a sequence of API calls on null devices: no call crashes or hangs, each returns
//! success or an error code, and all objects can be released afterwards. The calls are those of
//! `muxcl_test_api::api_fuzz`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use muxcl_test_api::api_fuzz::{ApiFuzz, Numbers, ProgramText};
use muxcl_test_api::{binary_of, kernels};
use muxcl_types::container::BinaryKind;
use std::sync::OnceLock;

static BINARY: OnceLock<Vec<u8>> = OnceLock::new();

fuzz_target!(|bytes: &[u8]| {
    let binary = BINARY.get_or_init(|| binary_of(kernels(), BinaryKind::Executable));
    let mut fuzz = ApiFuzz::new(Numbers::Bytes(bytes), ProgramText::Binary(binary));
    while !fuzz.numbers.is_over() {
        fuzz.step();
    }
    fuzz.finish();
});
