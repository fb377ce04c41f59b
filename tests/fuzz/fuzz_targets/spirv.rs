//! Any bytes as a SPIR-V module: a result or an error, never a crash. Half of the inputs get a
//! valid header, because otherwise almost no input would pass that check.
#![no_main]

use libfuzzer_sys::fuzz_target;
use muxcl_spirv::{Module, module_info};

fuzz_target!(|bytes: &[u8]| {
    let _ = module_info(bytes);
    let header = [spirv_magic(), 0x0001_0200_u32, 0, 64, 0];
    let mut whole: Vec<u8> = header.iter().flat_map(|w| w.to_le_bytes()).collect();
    whole.extend(&bytes[..bytes.len() / 4 * 4]);
    let _ = module_info(&whole);
    if let Ok(module) = Module::parse(&whole) {
        for i in module.instructions() {
            let _ = (i.text(0), i.result(), i.result_type());
        }
    }
});

fn spirv_magic() -> u32 {
    muxcl_spirv::numbers::MAGIC_NUMBER
}
