//! Measures launch latency and the instruction rate of each device's harts, by the devices' own
//! counters. Builds the tests' kernels with clang-22. Not here: OpenCL above the HAL.
#![expect(clippy::print_stdout, reason = "a program for people")]

#[expect(dead_code, reason = "this program uses only some helpers of the tests")]
#[path = "../tests/refsi/common.rs"]
mod common;

use common::{Linking, buffer, build, device, global, range};
use hal_refsi::{Soc, perf};
use muxcl_hal::{Argument, Device};
use std::time::Instant;

fn main() {
    let elf = build("kernels.c", 64, Linking::Pie);
    for soc in [Soc::G1, Soc::M1] {
        let d = device(soc);
        let program = d.load(&elf).expect("a program");
        let empty = d.find(program, c"empty").expect("a kernel");
        for (groups, times) in [(1, 20_000), (4, 10_000), (64, 5000), (4096, 500)] {
            for round in 0..2 {
                let start = Instant::now();
                for _ in 0..times {
                    d.execute(program, empty, &range(groups, 1), &[], 1).expect("it runs");
                }
                let each = start.elapsed().as_secs_f64() / f64::from(times) * 1e6;
                if round == 1 {
                    println!("{soc:?}: empty kernel, {groups:4} groups: {each:8.2} us a launch");
                }
            }
        }
        let spin = d.find(program, c"spin").expect("a kernel");
        let out = buffer(&d, 64);
        for groups in [1u64, 64] {
            let times = (100_000_000 / groups).to_le_bytes();
            let start = Instant::now();
            d.execute(program, spin, &range(groups, 1), &[global(out), Argument::Value(&times)], 1)
                .expect("it runs");
            let time = start.elapsed().as_secs_f64();
            let retired: u64 = (0..64).filter_map(|h| d.read_counter(perf::id::RETIRED, h)).sum();
            println!(
                "{soc:?}: {groups:3} groups of work: {:8.0} MIPS in all",
                retired as f64 / time / 1e6
            );
        }
        let bytes = vec![1; 64 << 20];
        let at = d.alloc(64 << 20, 128).expect("memory");
        for round in 0..2 {
            let start = Instant::now();
            d.write(at, &bytes).expect("write");
            let time = start.elapsed().as_secs_f64();
            if round == 1 {
                println!("{soc:?}: write {:6.1} GB/s", 64.0 / 1024.0 / time);
            }
        }
    }
}
