//! Any text as a RISC-V target: a parsed target formats to a text that parses to the same target.
#![no_main]

use libfuzzer_sys::fuzz_target;
use muxcl_hal::target::Target;

fuzz_target!(|text: &str| {
    // Almost no input has a valid prefix by chance.
    for text in [text.to_owned(), format!("RV64{text}"), format!("rv32i{text}")] {
        if let Ok(target) = text.parse::<Target>() {
            assert_eq!(target.to_string().parse(), Ok(target), "{text}");
            let _ = target.abi().name();
        }
    }
});
