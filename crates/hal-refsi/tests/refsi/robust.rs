//! F6: wild stores of a kernel must not make later kernels fail. The loader of M1 was in DRAM,
//! within reach of stores and DMA transfers: after one wild kernel every launch failed until the
//! process ended.

use crate::common::{Linking, buffer, build, device, global, range, run, words};
use hal_refsi::{Soc, map};
use muxcl_hal::{Argument, Device};

#[test]
fn stores_below_the_first_program_damage_nothing_lasting() {
    let elf = build("kernels.c", 64, Linking::Pie);
    for soc in [Soc::M1, Soc::G1] {
        let d = device(soc);
        // The device's own allocations, 68 KiB, come first in DRAM; the loader of M1 used to follow
        // them.
        let _spare = d.alloc(4096, 4096).expect("a page");
        let program = d.load(&elf).expect("a program");
        let out = buffer(&d, 1);
        let check = || {
            run(&d, program, "globals", &range(1, 1), &[global(out)]).expect("it runs");
            assert_ne!(words(&d, out, 1)[0], 0);
        };
        check();
        let count = ((72 << 10) / 8_u64).to_le_bytes();
        let wild = [global(map::DRAM), Argument::Value(&count)];
        run(&d, program, "wild", &range(1, 1), &wild).expect("the address is valid");
        check();
    }
}

#[test]
fn code_that_a_failed_kernel_overwrote_is_restored() {
    let elf = build("kernels.c", 64, Linking::Pie);
    for soc in [Soc::M1, Soc::G1] {
        let d = device(soc);
        let out = buffer(&d, 1);
        let victim = d.load(&elf).expect("a program");
        let wild = d.load(&elf).expect("a program");
        // The victim and the wild kernel's own code follow `out`. The kernel's loop is already
        // decoded when it overwrites itself; the code after the loop has become an illegal
        // instruction.
        let count = (1_u64 << 16).to_le_bytes();
        let arguments = [global(out), Argument::Value(&count)];
        assert!(run(&d, wild, "wild", &range(1, 1), &arguments).is_err(), "{soc:?}");
        for program in [victim, wild] {
            run(&d, program, "empty", &range(1, 1), &[]).expect("the code is undamaged");
        }
    }
}
