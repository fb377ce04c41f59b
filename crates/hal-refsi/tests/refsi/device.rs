//! The devices through the HAL's traits: memory, programs, launches, counters, faults. Tests cover
//! M1 and G1 unless they say otherwise.

use crate::common::{Linking, buffer, build, device, global, range, run, words};
use hal_refsi::perf::id;
use hal_refsi::{Options, RefsiDevice, RefsiHal, Soc};
use muxcl_hal::{Argument, Device, Hal, HalError, Kernel, NdRange, Program};

const BOTH: [Soc; 2] = [Soc::M1, Soc::G1];

#[test]
fn memory_is_read_written_copied_and_filled() {
    for soc in BOTH {
        let d = device(soc);
        let (a, b) =
            (d.alloc(1 << 20, 4096).expect("memory"), d.alloc(1 << 20, 64).expect("memory"));
        assert!(a.is_multiple_of(4096) && b.is_multiple_of(64) && a.abs_diff(b) >= 1 << 20);
        let bytes: Vec<u8> =
            (0..1u32 << 18).flat_map(|k| k.wrapping_mul(0x9e37_79b9).to_le_bytes()).collect();
        d.write(a, &bytes).expect("write");
        d.copy(b, a, 1 << 20).expect("copy");
        let mut back = vec![0; 1 << 20];
        d.read(b, &mut back).expect("read");
        assert!(back == bytes);
        d.fill(b + 3, &[1, 2, 3], 300_000).expect("fill");
        d.read(b, &mut back).expect("read");
        assert_eq!(
            (&back[..3], &back[3..9], &back[300_003..300_006]),
            (&bytes[..3], &[1u8, 2, 3, 1, 2, 3][..], &bytes[300_003..300_006])
        );
        // Overlapping ranges, in both directions.
        d.write(a, &bytes).expect("write");
        d.copy(a + 5, a, 1000).expect("copy");
        d.read(a, &mut back).expect("read");
        assert_eq!(back[5..1005], bytes[..1000]);
        assert!(d.read(0, &mut [0; 4]).is_err() && d.write(u64::MAX - 2, &[0; 8]).is_err());
        assert!(d.write(0xC000_0000 - 4, &[0; 8]).is_err() && d.copy(a, 0x8_0000_0000, 8).is_err());
        // A range that is no multiple of the pattern is filled with whole patterns only.
        d.write(a, &[9; 8]).expect("write");
        d.fill(a, &[1, 2, 3], 7).expect("fill");
        let mut filled = [0; 8];
        d.read(a, &mut filled).expect("read");
        assert_eq!(filled, [1, 2, 3, 1, 2, 3, 9, 9]);
        assert!(d.fill(a, &[], 4).is_err());
        assert!(matches!(d.alloc(3 << 30, 1), Err(HalError::OutOfMemory { .. })));
        assert!(d.alloc(16, 3).is_err());
        d.free(a).expect("free");
        assert!(d.free(a).is_err() && d.free(b + 1).is_err());
        // The whole memory that the description states can be allocated.
        let info = RefsiHal::new(vec![Options::new(soc)]).device_info(0).expect("a description");
        d.free(b).expect("free");
        let all = d.alloc(info.global_memory, 4096).expect("all memory");
        d.write(all + info.global_memory - 4, &[9; 4]).expect("the end of memory");
    }
}

#[test]
fn kernels_compute() {
    let elf = build("kernels.c", 64, Linking::Pie);
    for soc in BOTH {
        let d = device(soc);
        let program = d.load(&elf).expect("a program");
        let n = 10_000u32;
        let bytes =
            |f: &dyn Fn(u32) -> u32| (0..n).flat_map(|k| f(k).to_le_bytes()).collect::<Vec<u8>>();
        let buffers = [0; 3].map(|_| d.alloc(u64::from(n) * 4, 128).expect("memory"));
        d.write(buffers[0], &bytes(&|k| k * 3)).expect("write");
        d.write(buffers[1], &bytes(&|k| k ^ 0x55)).expect("write");
        let bias = 7u32.to_le_bytes();
        let args =
            [global(buffers[0]), global(buffers[1]), global(buffers[2]), Argument::Value(&bias)];
        for local in [1, 10, 100, 1000] {
            d.fill(buffers[2], &[0], u64::from(n) * 4).expect("fill");
            run(&d, program, "add", &range(n.into(), local), &args).expect("it runs");
            let mut out = vec![0; n as usize * 4];
            d.read(buffers[2], &mut out).expect("read");
            assert!(out == bytes(&|k| k * 3 + (k ^ 0x55) + 7), "{soc:?}, groups of {local}");
        }
        // A global offset.
        let offset = NdRange { offset: [100, 0, 0], ..range(50, 10) };
        d.fill(buffers[2], &[0], u64::from(n) * 4).expect("fill");
        run(&d, program, "add", &offset, &args).expect("it runs");
        let mut out = vec![0; 640];
        d.read(buffers[2], &mut out).expect("read");
        assert!(out[..400].iter().all(|b| *b == 0) && out[600..].iter().all(|b| *b == 0));
        assert!(out[400..600] == bytes(&|k| k * 3 + (k ^ 0x55) + 7)[400..600]);
        d.unload(program).expect("unload");
        assert!(d.unload(program).is_err());
    }
}

fn all_fields(d: &RefsiDevice, program: Program, word: usize) {
    let r = NdRange { offset: [1, 2, 3], global: [5 * 4, 3 * 2, 2 * 8], local: [4, 2, 8] };
    for (dimensions, groups) in [(3, [5, 3, 2]), (2, [5, 3, 1]), (1, [5, 1, 1])] {
        let total: u64 = groups.iter().product();
        let out = buffer(d, 20 * total);
        let kernel = d.find(program, c"fields").expect("a kernel");
        d.execute(program, kernel, &r, &[global(out)], dimensions).expect("it runs");
        let mut bytes = vec![0; 20 * word * usize::try_from(total).expect("small")];
        d.read(out, &mut bytes).expect("read");
        let values: Vec<u64> = bytes
            .chunks(word)
            .map(|c| c.iter().rev().fold(0, |v, b| v << 8 | u64::from(*b)))
            .collect();
        let on =
            |k: usize, v: [u64; 3], rest: u64| if k < dimensions as usize { v[k] } else { rest };
        for (number, v) in values.chunks(20).enumerate() {
            let n = number as u64;
            assert_eq!(
                v[..3],
                [n % groups[0], n / groups[0] % groups[1], n / groups[0] / groups[1]]
            );
            assert_eq!(v[3..6], groups);
            for k in 0..3 {
                assert_eq!(
                    (v[6 + k], v[9 + k], v[12 + k]),
                    (on(k, [1, 2, 3], 0), on(k, [4, 2, 8], 1), 1)
                );
            }
            assert_eq!(
                (v[15], v[16], v[18]),
                (dimensions.into(), 1, 0),
                "dimensions, calls, stack alignment"
            );
            assert!(v[17] < 64);
        }
        d.free(out).expect("free");
    }
}

#[test]
fn the_schedule_is_what_was_asked_for() {
    let elf = build("kernels.c", 64, Linking::Pie);
    for soc in BOTH {
        for harts in [1, 3, 64] {
            let d = RefsiDevice::new(&Options { harts, ..Options::new(soc) }).expect("a device");
            let program = d.load(&elf).expect("a program");
            all_fields(&d, program, 8);
        }
    }
}

#[test]
fn rv32_programs_run_on_g1() {
    let target = "RV32GC".parse().expect("a target");
    let options = Options { target, ..Options::new(Soc::G1) };
    let d = RefsiDevice::new(&options).expect("a device");
    let program = d.load(&build("kernels.c", 32, Linking::Pie)).expect("a program");
    all_fields(&d, program, 4);
    let out = buffer(&d, 16);
    let (one, two, twelve) = ([1], [2, 3], [4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]);
    let args = [
        Argument::Value(&one),
        global(out),
        Argument::Value(&twelve),
        Argument::Local { size: 777 },
        Argument::Value(&two),
    ];
    run(&d, program, "odd", &range(1, 1), &args).expect("it runs");
    let mut bytes = [0; 60];
    d.read(out, &mut bytes).expect("read");
    let values: Vec<u32> =
        bytes.chunks(4).map(|c| u32::from_le_bytes(c.try_into().expect("four"))).collect();
    assert_eq!(values, [1, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 777, 0x302]);
    assert!(d.load(&build("kernels.c", 64, Linking::Pie)).is_err(), "a program for other words");
    let wide = device(Soc::M1);
    assert!(wide.load(&build("kernels.c", 32, Linking::Pie)).is_err());
}

#[test]
fn programs_stay_resident_side_by_side() {
    let moving = build("kernels.c", 64, Linking::Pie);
    let (fixed, other) = (
        build("kernels.c", 64, Linking::At(0x10000)),
        build("kernels.c", 64, Linking::At(0x18000)),
    );
    for soc in BOTH {
        let d = device(soc);
        let out = buffer(&d, 1);
        let loads = || {
            run(&d, Program(1), "empty", &range(1, 1), &[]).expect("it runs");
            d.read_counter(id::LOADS, 0).expect("a counter")
        };
        let programs =
            [&moving, &moving, &fixed, &other, &fixed].map(|elf| d.load(elf).expect("a program"));
        for round in 1..4 {
            for program in programs {
                run(&d, program, "globals", &range(2, 2), &[global(out)]).expect("it runs");
                let value = words(&d, out, 1)[0];
                // On G1 a program with fixed addresses restarts its variables after another one
                // took its place.
                let calls = if soc == Soc::G1 && program.0 > 2 { 1 } else { round };
                assert_eq!(
                    (value & 0xffff_ffff, value >> 32),
                    (20, calls),
                    "{soc:?}, program {}",
                    program.0
                );
            }
        }
        assert_eq!(loads(), if soc == Soc::M1 { 5 } else { 2 + 9 });
        let before = loads();
        for _ in 0..10 {
            run(&d, programs[0], "empty", &range(1, 1), &[]).expect("it runs");
        }
        assert_eq!(loads(), before, "a launch loads nothing");
        // Unloading frees the memory, and code loaded there afterwards is the code that runs.
        for program in programs {
            d.unload(program).expect("unload");
            assert!(run(&d, program, "empty", &range(1, 1), &[]).is_err());
        }
        let again = d.load(&moving).expect("a program");
        run(&d, again, "globals", &range(1, 1), &[global(out)]).expect("it runs");
        assert_eq!(words(&d, out, 1)[0], 1 << 32 | 30);
    }
}

#[test]
fn faults_end_the_launch_and_nothing_else() {
    let elf = build("kernels.c", 64, Linking::Pie);
    for soc in BOTH {
        let options =
            Options { max_instructions: 50_000_000, strict_alignment: true, ..Options::new(soc) };
        let d = RefsiDevice::new(&options).expect("a device");
        let program = d.load(&elf).expect("a program");
        let buffer = buffer(&d, 8);
        let cases = [
            (0, 0, "store to 0x0 "),
            (0, 0xdead_beef_0000, "store to 0xdeadbeef0000 "),
            (1, 0x1234, if soc == Soc::G1 { "" } else { "load from 0x1234 " }),
            (1, !3, "load from 0xfffffffffffffffc "),
            (2, 0, "illegal instruction 0x0 "),
            (3, 0, "the limit of 50000000 instructions"),
            (4, 0x9_0000_0000, "instruction fetch from 0x900000000 "),
            (5, 0, "ebreak"),
            (6, 0, "ecall 99"),
            (7, 0, "ended with code 5"),
            (8, buffer, "misaligned access to"),
        ];
        for (what, address, text) in cases {
            let (what, address): ([u8; 8], [u8; 8]) =
                (u64::to_le_bytes(what), u64::to_le_bytes(address));
            let args = [Argument::Value(&what), Argument::Value(&address)];
            let result = run(&d, program, "fault", &range(32, 2), &args);
            if text.is_empty() {
                assert_eq!(result, Ok(()));
                continue;
            }
            let Err(HalError::Fault(message)) = result else {
                panic!("{soc:?}, {text}: {result:?}")
            };
            assert!(message.contains(text), "{message}");
            assert!(message.starts_with("kernel `fault`, work-group (15, 0, 0): "), "{message}");
            assert!(message.contains("pc 0x"), "{message}");
            let wild = message.contains("instruction fetch");
            assert!(wild || message.contains(" in fault+0x"), "{message}");
            // The next launch succeeds.
            let (out, times) = (buffer, 3u64.to_le_bytes());
            d.fill(out, &[0], 8).expect("fill");
            run(&d, program, "sum", &range(10, 1), &[global(out), Argument::Value(&times)])
                .expect("it runs");
            assert_eq!(words(&d, out, 1), [165]);
        }
    }
}

#[test]
fn wrong_calls_are_refused() {
    let elf = build("kernels.c", 64, Linking::Pie);
    for soc in BOTH {
        let d = device(soc);
        let program = d.load(&elf).expect("a program");
        let kernel = d.find(program, c"empty").expect("a kernel");
        assert_eq!(d.find(program, c"nothing"), Err(HalError::NoKernel("nothing".to_owned())));
        assert!(d.find(program, c"table").is_err(), "data is no kernel");
        assert!(d.find(Program(77), c"empty").is_err());
        let r = range(4, 2);
        assert!(d.execute(program, Kernel(999), &r, &[], 1).is_err());
        assert!(d.execute(Program(999), kernel, &r, &[], 1).is_err());
        assert!(
            d.execute(program, kernel, &r, &[], 0).is_err()
                && d.execute(program, kernel, &r, &[], 4).is_err()
        );
        assert!(d.execute(program, kernel, &range(4, 0), &[], 1).is_err());
        assert!(
            d.execute(program, kernel, &range(4096, 2048), &[], 1).is_err(),
            "more work-items than a group has"
        );
        let endless = NdRange { offset: [0; 3], global: [u64::MAX; 3], local: [1; 3] };
        assert!(d.execute(program, kernel, &endless, &[], 3).is_err());
        assert_eq!(d.execute(program, kernel, &range(0, 2), &[], 1), Ok(()), "nothing to do");
        // Larger than the buffer for launches.
        let large = vec![7; 200_000];
        assert_eq!(d.execute(program, kernel, &r, &[Argument::Value(&large)], 1), Ok(()));
        assert_eq!(d.execute(program, kernel, &r, &[], 1), Ok(()));
    }
}

#[test]
fn harts_share_the_work() {
    // Enough steps that threads of a busy machine share them.
    const STEPS: u64 = 20_000;
    let elf = build("kernels.c", 64, Linking::Pie);
    for soc in BOTH {
        let d = device(soc);
        let program = d.load(&elf).expect("a program");
        let out = buffer(&d, 1000);
        let times = STEPS.to_le_bytes();
        run(&d, program, "spin", &range(1000, 1), &[global(out), Argument::Value(&times)])
            .expect("it runs");
        let harts = Options::new(soc).harts;
        let each: Vec<u64> =
            (0..harts).map(|h| d.read_counter(id::RETIRED, h).expect("a value")).collect();
        assert!(each.iter().filter(|n| **n > 1000 * STEPS).count() >= 2, "{each:?}");
        assert!(each.iter().sum::<u64>() > 1000 * STEPS * 7, "{each:?}");
        assert_eq!(d.read_counter(id::RETIRED, 0), None, "a value is read once");
        // The kernel's own generator.
        let expected = |g: u64| {
            (0..STEPS).fold(g + 88_172_645_463_325_252, |x: u64, _| {
                let x = x ^ x << 13;
                let x = x ^ x >> 7;
                x ^ x << 17
            })
        };
        assert_eq!(words(&d, out, 1000), (0..1000).map(expected).collect::<Vec<_>>());
        run(&d, program, "sum", &range(100, 1), &[global(out), Argument::Value(&times)])
            .expect("it runs");
        assert_eq!(words(&d, out, 1)[0], expected(0).wrapping_add(5050 * STEPS), "atomics add up");
    }
}

#[test]
fn stacks_are_deep_and_guarded() {
    let elf = build("kernels.c", 64, Linking::Pie);
    for soc in BOTH {
        let d = device(soc);
        let program = d.load(&elf).expect("a program");
        let out = buffer(&d, 1);
        let n = |n: u64| n.to_le_bytes();
        // Recursion in frames of more than 512 bytes: 4 MiB in total.
        run(&d, program, "depth", &range(1, 1), &[global(out), Argument::Value(&n(7800))])
            .expect("it runs");
        assert_eq!(words(&d, out, 1), [7800 * 7801 / 2]);
        let result =
            run(&d, program, "depth", &range(1, 1), &[global(out), Argument::Value(&n(1 << 30))]);
        let Err(HalError::Fault(text)) = result else { panic!("{result:?}") };
        assert!(text.contains("store to 0x2080"), "{text}");
    }
}

#[test]
fn a_kernel_begins_with_clean_state_and_reads_counters() {
    let elf = build("kernels.c", 64, Linking::Pie);
    for soc in BOTH {
        let d = device(soc);
        let program = d.load(&elf).expect("a program");
        let out = buffer(&d, 2);
        for _ in 0..3 {
            d.fill(out, &[0xff], 8).expect("fill");
            run(&d, program, "rounding", &range(1, 1), &[global(out)]).expect("it runs");
            assert_eq!(words(&d, out, 1)[0] & 0xffff_ffff, 0);
        }
        run(&d, program, "perf", &range(1, 1), &[global(out)]).expect("it runs");
        assert_eq!(words(&d, out, 2), [9, 1], "eight instructions and a load");
    }
}

#[test]
fn host_traffic_is_counted() {
    let d = device(Soc::G1);
    let at = d.alloc(100, 4).expect("memory");
    d.write(at, &[1; 60]).expect("write");
    d.read(at, &mut [0; 10]).expect("read");
    assert_eq!(
        (d.read_counter(id::HOST_WRITE, 0), d.read_counter(id::HOST_READ, 0)),
        (Some(60), Some(10))
    );
    assert_eq!(d.read_counter(id::HOST_WRITE, 0), None);
    d.enable_counters(false);
    d.write(at, &[1; 60]).expect("write");
    assert_eq!(d.read_counter(id::HOST_WRITE, 0), None);
}

#[test]
fn malformed_programs_are_refused() {
    for soc in BOTH {
        let d = device(soc);
        assert!(d.load(b"").is_err() && d.load(b"\x7fELF").is_err() && d.load(&[0; 5000]).is_err());
        assert!(
            d.load(&build("kernels.c", 64, Linking::At(0x4000_0000))).is_err(),
            "in the way of buffers"
        );
        let elf = build("kernels.c", 64, Linking::Pie);
        let mut random = fastrand::Rng::with_seed(7);
        for round in 0..2000 {
            let mut broken = elf.clone();
            for _ in 0..1 + round % 3 {
                // Mutate headers more often than the rest.
                let span = if random.u32(..4) < 3 { 64 + 56 * 8 } else { broken.len() };
                broken[random.usize(..span)] = random.u8(..);
            }
            if let Ok(program) = d.load(&broken) {
                d.unload(program).expect("unload");
            }
        }
        // No increment was lost.
        let info = RefsiHal::new(vec![Options::new(soc)]).device_info(0).expect("a description");
        d.alloc(info.global_memory, 4096).expect("all of memory");
    }
}

#[test]
fn detailed_counters_tell_instructions_apart() {
    for soc in BOTH {
        let options = Options { detailed_counters: true, harts: 1, ..Options::new(soc) };
        let hal = RefsiHal::new(vec![options.clone()]);
        assert_eq!(hal.device_info(0).expect("a description").counters.len(), 23);
        let d = RefsiDevice::new(&options).expect("a device");
        let program = d.load(&build("kernels.c", 64, Linking::Pie)).expect("a program");
        let buffers = [0; 3].map(|_| buffer(&d, 64));
        let bias = 1u32.to_le_bytes();
        let args =
            [global(buffers[0]), global(buffers[1]), global(buffers[2]), Argument::Value(&bias)];
        let counts = |n: u64| {
            run(&d, program, "add", &range(n, n), &args).expect("it runs");
            let value = |counter| d.read_counter(counter, 0).expect("a value");
            let loads = [id::READ, id::READ + 1, id::READ + 2, id::READ + 3].map(value);
            let stores = [id::WRITE, id::WRITE + 1, id::WRITE + 2, id::WRITE + 3].map(value);
            assert_eq!(loads.iter().sum::<u64>(), value(id::READ_ALL));
            assert_eq!(stores.iter().sum::<u64>(), value(id::WRITE_ALL));
            let [integer, branches, all] = [id::INTEGER, id::BRANCH, id::RETIRED].map(value);
            // The remaining instruction is the `ecall`.
            assert_eq!(integer + branches + loads.iter().chain(&stores).sum::<u64>() + 1, all);
            assert_eq!(value(id::FLOAT), 0);
            (loads, stores, branches)
        };
        let (few, many) = (counts(10), counts(110));
        // One more store for each work-item.
        assert_eq!(many.1[2] - few.1[2], 100);
        assert_eq!((many.1[3], many.0[0], many.1[0]), (few.1[3], few.0[0], few.1[0]));
        assert!(many.0[2] - few.0[2] >= 200 && many.2 - few.2 >= 100, "{few:?} {many:?}");
        assert_eq!(counts(10), few, "the same again");
    }
}

/// Threads that arrive late for a launch of many pieces find the next launch, of few pieces; they
/// must not take part in it.
#[test]
fn launches_large_and_small_follow_one_another() {
    let elf = build("kernels.c", 64, Linking::Pie);
    for soc in BOTH {
        let d = RefsiDevice::new(&Options { harts: 6, ..Options::new(soc) }).expect("a device");
        let program = d.load(&elf).expect("a program");
        let out = [buffer(&d, 1), buffer(&d, 1)];
        let mut expected = [0u64; 2];
        let mut random = fastrand::Rng::with_seed(1);
        for round in 0..4000 {
            let groups = random.u64(1..=if round % 2 == 0 { 16 } else { 4 });
            let times = random.u64(1..=3);
            let bytes = times.to_le_bytes();
            run(
                &d,
                program,
                "sum",
                &range(groups, 1),
                &[global(out[round % 2]), Argument::Value(&bytes)],
            )
            .expect("it runs");
            expected[round % 2] += times * groups * (groups + 1) / 2;
        }
        assert_eq!([words(&d, out[0], 1)[0], words(&d, out[1], 1)[0]], expected, "{soc:?}");
    }
}
