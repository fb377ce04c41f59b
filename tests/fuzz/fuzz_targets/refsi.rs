//! Any bytes as a command buffer of RefSi M1, or as a program with a kernel: executed or refused,
//! within the limits, and the device stays usable. The first byte selects which.
#![no_main]

use hal_refsi::{Options, RefsiDevice, Soc};
use libfuzzer_sys::fuzz_target;
use muxcl_hal::{Argument, Device, NdRange};
use std::sync::OnceLock;

static DEVICE: OnceLock<RefsiDevice> = OnceLock::new();

fuzz_target!(|bytes: &[u8]| {
    let Some((choice, bytes)) = bytes.split_first() else { return };
    let device = DEVICE.get_or_init(|| {
        RefsiDevice::new(&Options { harts: 2, max_instructions: 5000, ..Options::new(Soc::M1) })
            .unwrap()
    });
    if choice & 1 == 0 {
        let at = device.alloc(4096, 64).unwrap();
        let n = bytes.len().min(4096) & !7;
        device.write(at, &bytes[..n]).unwrap();
        let _ = device.execute_commands(at, n as u64);
        device.free(at).unwrap();
    } else if let Ok(program) = device.load(bytes) {
        let at = device.alloc(4096, 64).unwrap();
        if let Ok(kernel) = device.find(program, c"kernel_main") {
            let range = NdRange { offset: [0; 3], global: [8, 1, 1], local: [4, 1, 1] };
            let args = [Argument::Global { address: at, size: 4096 }; 4];
            let _ = device.execute(program, kernel, &range, &args, 1);
        }
        device.free(at).unwrap();
        device.unload(program).unwrap();
    }
    let at = device.alloc(64, 64).unwrap();
    device.write(at, &[*choice; 64]).unwrap();
    let mut back = [0; 64];
    device.read(at, &mut back).unwrap();
    assert_eq!(back, [*choice; 64]);
    device.free(at).unwrap();
});
