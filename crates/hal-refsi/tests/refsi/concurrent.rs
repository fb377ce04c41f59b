//! Calls during a launch. The kernel of the launch ends when the test writes to memory, so a call
//! that waited for the launch would never return; the limit of instructions then ends the kernel.

use crate::common::{Linking, buffer, build, global, range, run, words};
use hal_refsi::{Options, RefsiDevice, RefsiHal, Soc, map};
use muxcl_hal::{Argument, Device, Hal};

/// The end of memory, where programs are.
fn programs(d: &RefsiDevice) -> (u64, Vec<u64>) {
    let start = map::DRAM + map::DRAM_SIZE - (256 << 10);
    (start, words(d, start, (256 << 10) / 8))
}

#[test]
fn programs_and_memory_come_and_go_during_a_launch() {
    let (waits, kernels) =
        (build("waits.c", 64, Linking::Pie), build("kernels.c", 64, Linking::Pie));
    for soc in [Soc::M1, Soc::G1] {
        let options = Options { max_instructions: 20_000_000_000, ..Options::new(soc) };
        let d = RefsiDevice::new(&options).expect("a device");
        let (flag, state) = (buffer(&d, 1), buffer(&d, 3));
        let old = d.load(&kernels).expect("a program");
        let waits = d.load(&waits).expect("a program");
        let late = std::thread::scope(|scope| {
            let launch = scope
                .spawn(|| run(&d, waits, "waits", &range(1, 1), &[global(flag), global(state)]));
            while words(&d, state, 1) != [1] {
                std::thread::yield_now();
            }
            let spare = buffer(&d, 100);
            d.copy(spare + 8, spare, 64).expect("copied");
            d.free(spare).expect("an allocation");
            d.unload(old).expect("a program");
            assert!(d.find(old, c"add").is_err());
            // The kernel may still write to the new program, and does, in all of it.
            let (start, before) = programs(&d);
            let late = d.load(&kernels).expect("a program");
            let (_, after) = programs(&d);
            let differ = |k: &usize| before[*k] != after[*k];
            let first = (0..after.len()).find(differ).expect("the program");
            let last = (0..after.len()).rev().find(differ).expect("the program");
            let ends = [start + 8 * first as u64, start + 8 * (last as u64 + 1)];
            d.write(state + 8, &ends.map(u64::to_le_bytes).concat()).expect("written");
            d.write(flag, &[1]).expect("written");
            launch.join().expect("a thread that returns").expect("the kernel ends");

            // The program was loaded all the same, and is protected now.
            let out = buffer(&d, 32);
            run(&d, late, "empty", &range(64, 1), &[]).expect("it runs");
            run(&d, late, "globals", &range(1, 1), &[global(out)]).expect("it runs");
            run(&d, late, "fields", &range(1, 1), &[global(out)]).expect("it runs");
            let one = 1_u64.to_le_bytes();
            let wild = [global(ends[0]), Argument::Value(&one)];
            run(&d, late, "wild", &range(1, 1), &wild).expect_err("the page is protected");
            d.free(out).expect("an allocation");
            late
        });
        for program in [waits, late] {
            d.unload(program).expect("a program");
        }
        for memory in [flag, state] {
            d.free(memory).expect("an allocation");
        }
        let info = RefsiHal::new(vec![options]).device_info(0).expect("a description");
        d.alloc(info.global_memory, 4096).expect("all programs have given back their memory");
    }
}

/// Threads load, run and unload programs, while others use memory.
#[test]
fn many_threads_call_at_the_same_time() {
    let kernels = build("kernels.c", 64, Linking::Pie);
    let fixed = build("kernels.c", 64, Linking::At(0x10000));
    for soc in [Soc::M1, Soc::G1] {
        let d = RefsiDevice::new(&Options::new(soc)).expect("a device");
        let launch = |elf: &[u8]| {
            for round in 0..30_u64 {
                let program = d.load(elf).expect("a program");
                let out = buffer(&d, 20 * 8);
                run(&d, program, "fields", &range(8 * 4, 4), &[global(out)]).expect("it runs");
                let fields = words(&d, out, 20 * 8);
                for (group, fields) in (0..).zip(fields.chunks(20)) {
                    assert_eq!((fields[0], fields[3], fields[16]), (group, 8, 1), "{round}");
                }
                d.free(out).expect("an allocation");
                d.unload(program).expect("a program");
            }
        };
        let transfer = || {
            for round in 0..300_u64 {
                let at = buffer(&d, 512);
                let values: Vec<u8> = (0..512).flat_map(|k| (k * round).to_le_bytes()).collect();
                d.write(at, &values).expect("written");
                d.copy(at, at + 2048, 2048).expect("copied");
                let expected: Vec<u64> =
                    (0..512).map(|k| if k < 256 { (k + 256) * round } else { k * round }).collect();
                assert_eq!(words(&d, at, 512), expected);
                d.free(at).expect("an allocation");
            }
        };
        std::thread::scope(|scope| {
            for elf in [&kernels, &kernels, &fixed] {
                scope.spawn(|| launch(elf));
            }
            scope.spawn(transfer);
            scope.spawn(transfer);
        });
    }
}
