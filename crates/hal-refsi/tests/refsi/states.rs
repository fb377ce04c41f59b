//! H8: programs built for the oneAPI Construction Kit's RefSi HAL. Their kernels take the execution
//! state, but found 0 in `hal_extra` and local sizes of the wrong width; programs with variables in
//! local memory were refused.

use crate::common::{Linking, buffer, build, global, words};
use hal_refsi::{Options, RefsiDevice, Soc, ThreadMode};
use muxcl_hal::{Device, NdRange};

#[test]
fn work_groups_with_an_execution_state() {
    let elf = build("states.c", 64, Linking::WithLocal);
    for soc in [Soc::M1, Soc::G1] {
        let device = RefsiDevice::new(&Options::new(soc)).expect("a device");
        let program = device.load(&elf).expect("a program with variables in local memory");
        let kernel = device.find(program, c"whole_groups").expect("a kernel");
        let out = buffer(&device, 256);
        let range = NdRange { offset: [0; 3], global: [16, 16, 1], local: [4, 4, 1] };
        for _ in 0..2 {
            device.execute(program, kernel, &range, &[global(out)], 2).expect("it runs");
        }
        assert_eq!(words(&device, out, 256), [4; 256], "{soc:?}");
    }
}

#[test]
fn work_items_with_an_execution_state() {
    let options = Options { mode: ThreadMode::WorkItem, harts: 64, ..Options::new(Soc::G1) };
    let device = RefsiDevice::new(&options).expect("a device");
    let program = device.load(&build("states.c", 64, Linking::WithLocal)).expect("a program");
    let kernel = device.find(program, c"work_items").expect("a kernel");
    let out = buffer(&device, 64);
    let range = NdRange { offset: [0; 3], global: [64, 1, 1], local: [16, 1, 1] };
    device.execute(program, kernel, &range, &[global(out)], 1).expect("it runs");
    let expected: Vec<u64> = (0..64).map(|k| (k % 16 + 1) % 16).collect();
    assert_eq!(words(&device, out, 64), expected);
}
