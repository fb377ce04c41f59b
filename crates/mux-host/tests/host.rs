//! The host target through its public interface: kernels compiled at test time, transfers, bounds,
//! concurrency, fork.
#![expect(
    clippy::cast_possible_truncation,
    clippy::unwrap_used,
    reason = "test data is small, a failure is a failed test"
)]
#![expect(
    clippy::multiple_unsafe_ops_per_block,
    reason = "both operations rely on the same promise"
)]

mod common;

use common::{Arg, args, buffer, commands, elf, kernel, load, range, single, variant, words};
use muxcl_mux::{
    AllocationType, Descriptor, Dispatch, Fence, FillPattern, HostMut, HostRef, MuxError,
    RectRegion, Semaphore, SubmitHint, Wait,
};
use muxcl_mux_host::HostDevice;
use muxcl_types::variant::{SpecializationKey, Variant};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

const FOREVER: Option<Duration> = Some(Duration::from_secs(60));

fn run(device: &muxcl_mux::Device, work: &muxcl_mux::CommandBuffer) -> Result<(), MuxError> {
    let result = Arc::new(std::sync::OnceLock::new());
    let (fence, theirs) = (Fence::new(), result.clone());
    let how = Dispatch {
        fence: Some(&fence),
        hint: SubmitHint::CallerWaits,
        on_complete: Some(Box::new(move |r| theirs.set(r).unwrap())),
        ..Dispatch::default()
    };
    device.queue().dispatch(work, how).unwrap();
    let _ = fence.wait(device.queue(), FOREVER);
    result.get().unwrap().clone()
}

const COUNT: &str = r#"
KERNEL(count) {
  u32 *out = *(u32 **)args; u64 spin = ((u64 *)args)[1];
  FOR_GROUPS FOR_ITEMS(2, gz) FOR_ITEMS(1, gy) FOR_ITEMS(0, gx) {
    for (u64 n = 0; n < spin; n++) __asm__ volatile ("");
    __atomic_fetch_add(&out[i0 + EXTRA->global[0] * (i1 + EXTRA->global[1] * i2)], 1, __ATOMIC_RELAXED);
  }
}
"#;

#[test]
fn every_work_item_runs_once_in_any_shape() {
    let device = HostDevice::create();
    let program = load(&device, COUNT, &["count"]);
    let count = kernel(&program, "count");
    let shapes = [
        ([1, 1, 1], [1, 1, 1]),
        ([1000, 1, 1], [64, 1, 1]),
        ([100_003, 1, 1], [64, 1, 1]),
        ([1 << 18, 1, 1], [1, 1, 1]),
        ([5, 4099, 1], [2, 3, 1]),
        ([3, 5, 7001], [1, 2, 3]),
        ([257, 129, 17], [16, 4, 2]),
        ([1, 1, 50_000], [1, 1, 1]),
        ([4096, 2, 2], [4096, 1, 1]),
    ];
    for (global, local) in shapes {
        for spin in [0, 40] {
            let items: u64 = global.iter().product();
            let out = buffer(&device, items * 4);
            let block = args(&[Arg::Buffer(&out), Arg::Value(spin)]);
            let work = commands(&device, |c| {
                for _ in 0..3 {
                    c.nd_range(range(&count, &block, global, local)).unwrap();
                }
            });
            run(&device, &work).unwrap();
            assert!(words(&out).iter().all(|&n| n == 3), "{global:?} {local:?} {spin}");
        }
    }
    let out = buffer(&device, 4);
    let block = args(&[Arg::Buffer(&out), Arg::Value(0)]);
    let nothing = single(&device, |c| c.nd_range(range(&count, &block, [8, 0, 8], [1; 3])));
    run(&device, &nothing).unwrap();
    assert_eq!(words(&out), [0]);
}

#[test]
fn kernels_get_the_schedule_local_memory_and_scratch_they_asked_for() {
    let device = HostDevice::create();
    let source = r"
    KERNEL(key) {
      u64 *out = *(u64 **)args; const Extra *e = EXTRA; char here;
      out[0] = s->offset[0]; out[1] = s->offset[2]; out[2] = s->dim; out[3] = s->groups[0]; out[4] = s->local[1];
      out[5] = e->global[0]; out[6] = e->local_size; out[7] = e->scratch_size;
      out[8] = ((u64)e->local_mem | (u64)e->scratch) & 127;
      out[9] = &here > e->stack_low && &here < e->stack_high;
      for (u64 i = 0; i < e->local_size; i++) e->local_mem[i] = 1;
      for (u64 i = 0; i < e->scratch_size; i++) e->scratch[i] = 1;
      out[10] = __builtin_ia32_stmxcsr();
      out[11] = ((u64 *)args)[1];
    }";
    let needs = Variant {
        local_bytes: 100,
        scratch_bytes_per_item: 24,
        scratch_bytes_per_group: 5,
        flush_denormals: true,
        ..variant("key")
    };
    let program = device.create_executable(&elf(source, &[needs]), &[]).unwrap();
    let out = buffer(&device, 128);
    let block = args(&[Arg::Buffer(&out), Arg::Local(1000)]);
    let mut launch = range(&kernel(&program, "key"), &block, [5, 6, 2], [5, 3, 2]);
    launch.range.offset = [7, 0, 9];
    run(&device, &single(&device, |c| c.nd_range(launch))).unwrap();
    // SAFETY: 16 words of 8 bytes, and no command is running.
    let got = unsafe { std::slice::from_raw_parts(out.host_ptr().unwrap().cast::<u64>(), 12) };
    assert_eq!(got[..10], [7, 9, 3, 1, 3, 5, 128 + 1024, 24 * 30 + 5, 0, 1]);
    assert_eq!(got[10] & 0xffc0, 0x9fc0);
    assert_eq!(got[11], 1000);
}

#[test]
fn needs_beyond_the_bounds_are_errors_and_later_commands_still_run() {
    let device = HostDevice::create();
    let source =
        "KERNEL(one) { FOR_GROUPS FOR_ITEMS(0, gx) __atomic_fetch_add(*(u32 **)args, 1, 5); }";
    let cases = [
        Variant { scratch_bytes_per_item: 1 << 40, ..variant("one") },
        Variant { scratch_bytes_per_item: u64::MAX / 2, ..variant("one") },
        Variant { scratch_bytes_per_group: 1 << 30, ..variant("one") },
        Variant { stack_bytes: 1 << 30, ..variant("one") },
    ];
    let good = load(&device, source, &["one"]);
    let good = kernel(&good, "one");
    for bad in cases {
        let program =
            device.create_executable(&elf(source, std::slice::from_ref(&bad)), &[]).unwrap();
        let bad_kernel = kernel(&program, "one");
        let out = buffer(&device, 4);
        let block = args(&[Arg::Buffer(&out)]);
        let told = Arc::new(AtomicUsize::new(0));
        let work = commands(&device, |c| {
            c.nd_range(range(&bad_kernel, &block, [16, 1, 1], [4, 1, 1])).unwrap();
            let told = told.clone();
            c.user_callback(move |info| {
                told.store(
                    1 + usize::from(matches!(info.error, Some(MuxError::OutOfResources(_)))),
                    Ordering::SeqCst,
                );
            })
            .unwrap();
            c.nd_range(range(&good, &block, [16, 1, 1], [4, 1, 1])).unwrap();
        });
        let result = run(&device, &work);
        assert!(matches!(result, Err(MuxError::OutOfResources(_))), "{bad:?}: {result:?}");
        assert_eq!(told.load(Ordering::SeqCst), 2);
        assert_eq!(words(&out), [16]);
    }
    // More groups than 64 bits can count.
    let out = buffer(&device, 4);
    let block = args(&[Arg::Buffer(&out)]);
    let huge = [u64::MAX, u64::MAX, 1];
    let result =
        run(&device, &single(&device, |c| c.nd_range(range(&good, &block, huge, [1, 1, 1]))));
    assert!(matches!(result, Err(MuxError::OutOfResources(_))), "{result:?}");
}

#[test]
fn local_memory_beyond_the_devices_is_refused_when_it_is_recorded() {
    let device = HostDevice::create();
    let source = "KERNEL(one) { FOR_GROUPS EXTRA->local_mem[EXTRA->local_size - 1] = 1; }";
    let own = Variant { local_bytes: 4096, ..variant("one") };
    let program = device.create_executable(&elf(source, &[own]), &[]).unwrap();
    let program = kernel(&program, "one");
    let limit = device.info().local_memory;
    let block = |local| args(&[Arg::Local(local)]);
    let record = |local| {
        let mut commands = device.create_command_buffer();
        let id = commands.nd_range(range(&program, &block(local), [4, 1, 1], [4, 1, 1]))?;
        commands.finalise()?;
        Ok((commands, id))
    };
    for local in [limit, limit - 4095, u64::MAX - 127] {
        let result = record(local);
        assert!(matches!(result, Err(MuxError::OutOfResources(_))), "{local}: {result:?}");
    }
    let (mut commands, id) = record(limit - 4096).unwrap();
    assert_eq!(run(&device, &commands), Ok(()), "all of it");
    let result = commands.update(id, &[(0, Descriptor::LocalBuffer(limit), None)]);
    assert!(matches!(result, Err(MuxError::OutOfResources(_))), "{result:?}");
    assert_eq!(run(&device, &commands), Ok(()), "a refused update changes nothing");
}

#[test]
fn kernels_with_large_frames_run_on_threads_with_small_stacks() {
    let device = HostDevice::create();
    let source = r"
    KERNEL(deep) { volatile char big[6 << 20]; char *out = *(char **)args;
      FOR_GROUPS { for (u64 i = 0; i < sizeof big; i += 512) big[i] = gx + i / 512; out[gx] = big[512 * 77] + big[512 * 12000]; } }";
    let needs = Variant { stack_bytes: 7 << 20, ..variant("deep") };
    let program = device.create_executable(&elf(source, &[needs]), &[]).unwrap();
    let deep = kernel(&program, "deep");
    let body = move || {
        let out = buffer(&device, 256);
        let block = args(&[Arg::Buffer(&out)]);
        run(&device, &single(&device, |c| c.nd_range(range(&deep, &block, [64, 1, 1], [1, 1, 1]))))
            .unwrap();
        for (i, word) in words(&out)[..16].iter().enumerate() {
            for (j, byte) in word.to_le_bytes().iter().enumerate() {
                let group = i * 4 + j;
                assert_eq!(*byte, (2 * group + 77 + 12000) as u8);
            }
        }
    };
    std::thread::Builder::new().stack_size(256 << 10).spawn(body).unwrap().join().unwrap();
}

#[test]
fn transfers_of_every_kind_and_size() {
    let device = HostDevice::create();
    for size in [1usize, 100, 65_536, 1_000_003, 9 << 20] {
        let source: Vec<u8> = (0..size).map(|i| (i * 7 % 251) as u8).collect();
        let mut result = vec![0u8; size];
        let (a, b) = (buffer(&device, size as u64), buffer(&device, size as u64 + 64));
        // SAFETY: both vectors live until the commands have run.
        let (from, to) =
            unsafe { (HostRef::new(source.as_ptr()), HostMut::new(result.as_mut_ptr())) };
        let work = commands(&device, |c| {
            c.write_buffer(&a, 0, size as u64, from).unwrap();
            c.copy_buffer(&a, 0, &b, 64, size as u64).unwrap();
            c.read_buffer(&b, 64, size as u64, to).unwrap();
        });
        run(&device, &work).unwrap();
        assert_eq!(result, source);
    }
    let big = buffer(&device, 8 << 20);
    for step in [1usize, 4, 16, 128] {
        let pattern: Vec<u8> = (0..step).map(|i| (i * 3 + step) as u8).collect();
        let fill = FillPattern::new(&pattern).unwrap();
        run(&device, &single(&device, |c| c.fill_buffer(&big, 128, (8 << 20) - 256, fill)))
            .unwrap();
        let bytes: Vec<u8> = words(&big).iter().flat_map(|w| w.to_le_bytes()).collect();
        assert!(bytes[128..(8 << 20) - 128].chunks(step).all(|c| c == pattern), "{step}");
    }
    let host: Vec<u8> = (0..1 << 20).map(|i: usize| (i % 241) as u8).collect();
    let (a, b) = (buffer(&device, 1 << 20), buffer(&device, 1 << 20));
    let rect = RectRegion {
        region: [100, 50, 40],
        src_offset: 33,
        src_pitch: [200, 20_000],
        dst_offset: 7,
        dst_pitch: [128, 10_000],
    };
    let back = RectRegion {
        region: [100, 50, 40],
        src_offset: 7,
        src_pitch: [128, 10_000],
        dst_offset: 0,
        dst_pitch: [100, 5000],
    };
    let mut out = vec![0u8; 100 * 50 * 40];
    // SAFETY: both vectors live until the commands have run.
    let (from, to) = unsafe { (HostRef::new(host.as_ptr()), HostMut::new(out.as_mut_ptr())) };
    let same = RectRegion { dst_offset: 33, dst_pitch: rect.src_pitch, ..rect };
    let work = commands(&device, |c| {
        c.write_rect(&a, from, same).unwrap();
        c.copy_rect(&a, &b, rect).unwrap();
        c.read_rect(&b, to, back).unwrap();
    });
    run(&device, &work).unwrap();
    for z in 0..40 {
        for y in 0..50 {
            let at = 33 + y * 200 + z * 20_000;
            assert_eq!(out[(z * 50 + y) * 100..][..100], host[at..at + 100]);
        }
    }
}

#[test]
fn memory_is_aligned_bounded_and_shared_with_the_host() {
    let device = HostDevice::create();
    for size in [1, 100, 5000, 3 << 20] {
        for align in [0, 256, 4096, 4 << 20] {
            let memory = device.allocate(size, align, AllocationType::Device).unwrap();
            assert_eq!(memory.device_address() % align.max(128), 0);
            assert_eq!(memory.device_address(), memory.host_ptr().unwrap().addr() as u64);
        }
    }
    for size in [device.info().max_allocation + 1, 1 << 60, u64::MAX] {
        assert!(
            matches!(device.allocate(size, 0, AllocationType::Device), Err(MuxError::OutOfMemory)),
            "{size}"
        );
    }
    let mut host = vec![1u32, 2, 3, 4];
    // SAFETY: the vector outlives the memory.
    let memory = unsafe { device.import_host_memory(host.as_mut_ptr().cast(), 16) }.unwrap();
    let view = device.create_buffer(&memory, 0, 16).unwrap();
    let fill = FillPattern::new(&9u32.to_le_bytes()).unwrap();
    run(&device, &single(&device, |c| c.fill_buffer(&view, 4, 8, fill))).unwrap();
    drop((view, memory));
    assert_eq!(host, [1, 9, 9, 4]);
}

#[test]
fn independent_command_buffers_run_at_the_same_time() {
    let device = HostDevice::create();
    // Each kernel waits until the other has started, so a sequential execution would never end.
    let source = r"
    KERNEL(meet) { volatile u32 *flags = *(u32 **)args; u64 me = ((u64 *)args)[1];
      flags[me] = 1; for (u64 n = 0; n < 200000000ul && !flags[1 - me]; n++) __builtin_ia32_pause(); flags[2 + me] = flags[1 - me]; }";
    let program = load(&device, source, &["meet"]);
    let meet = kernel(&program, "meet");
    for round in 0..20 {
        let flags = buffer(&device, 16);
        let works = [0, 1].map(|me| {
            let block = args(&[Arg::Buffer(&flags), Arg::Value(me)]);
            single(&device, |c| c.nd_range(range(&meet, &block, [1, 1, 1], [1, 1, 1])))
        });
        let fences = [Fence::new(), Fence::new()];
        for (work, fence) in works.iter().zip(&fences) {
            device
                .queue()
                .dispatch(work, Dispatch { fence: Some(fence), ..Dispatch::default() })
                .unwrap();
        }
        if round % 2 == 0 {
            for fence in &fences {
                fence.wait(device.queue(), FOREVER).unwrap();
            }
        } else {
            while !fences.iter().all(Fence::is_signalled) {
                std::thread::sleep(Duration::from_millis(1));
            }
        }
        assert_eq!(words(&flags), [1, 1, 1, 1]);
    }
}

#[test]
fn groups_that_wait_for_earlier_ones_end() {
    let device = HostDevice::create();
    // Each group waits for the group before it. The time of a group makes the launch worth sharing.
    let source = r"
    KERNEL(chain) { volatile u32 *done = *(u32 **)args;
      FOR_GROUPS { for (u64 n = 0; n < 100; n++) __builtin_ia32_pause();
        while (gx > 0 && done[gx - 1] == 0) __builtin_ia32_pause();
        done[gx] = 1 + (gx == 0 ? 0 : done[gx - 1]); } }";
    let chain = Variant { may_wait: true, ..variant("chain") };
    let program = device.create_executable(&elf(source, &[chain]), &[]).unwrap();
    for _ in 0..20 {
        let out = buffer(&device, 4 * 5000);
        let block = args(&[Arg::Buffer(&out)]);
        let launch = range(&kernel(&program, "chain"), &block, [5000, 1, 1], [1, 1, 1]);
        run(&device, &single(&device, |c| c.nd_range(launch))).unwrap();
        assert!(words(&out).iter().zip(1..).all(|(&n, wanted)| n == wanted));
    }
}

#[test]
fn calls_step_through_groups_along_the_dimension_of_the_variant() {
    let device = HostDevice::create();
    // The last word counts the calls that have several groups in another dimension, but not all
    // groups along the variant's. The time of a group makes the launch worth sharing.
    let source = r"
    KERNEL(boxes) { u32 *out = *(u32 **)args; u64 along = ((u64 *)args)[1];
      for (u64 d = 0; d < 3; d++)
        if (d != along && s->per_call[d] > 1 && s->per_call[along] < s->groups[along])
          __atomic_fetch_add(&out[7 * 30 * 11], 1, __ATOMIC_RELAXED);
      FOR_GROUPS { for (u64 n = 0; n < 30; n++) __builtin_ia32_pause();
        __atomic_fetch_add(&out[gx + 7 * (gy + 30 * gz)], 1, __ATOMIC_RELAXED); } }";
    for along in 0..3 {
        let boxes = Variant { along, ..variant("boxes") };
        let program = device.create_executable(&elf(source, &[boxes]), &[]).unwrap();
        let boxes = kernel(&program, "boxes");
        for round in 1..10 {
            let out = buffer(&device, 4 * (7 * 30 * 11 + 1));
            let block = args(&[Arg::Buffer(&out), Arg::Value(along.into())]);
            let launch = range(&boxes, &block, [7, 30, 11], [1, 1, 1]);
            run(&device, &single(&device, |c| c.nd_range(launch))).unwrap();
            let words = words(&out);
            let (calls, groups) = words.split_last().unwrap();
            assert!(groups.iter().all(|&n| n == 1), "along {along}, round {round}");
            assert_eq!(*calls, 0, "along {along}, round {round}");
        }
    }
}

#[test]
fn each_thread_finishes_its_table_before_the_launch_ends() {
    let device = HostDevice::create();
    // Each call counts its groups in the table of its thread. When a table is finished, its count
    // is added to word 0 of the buffer, and 1 to word 1.
    let source = r"
    static void finish(u64 *table) { u32 *out = (u32 *)table[9];
      __atomic_fetch_add(&out[0], table[8], __ATOMIC_RELAXED);
      __atomic_fetch_add(&out[1], 1, __ATOMIC_RELAXED); }
    KERNEL(count) { u64 *table = EXTRA->combined;
      if (table[2] == 0) { table[2] = (u64)finish; table[8] = 0; table[9] = *(u64 *)args; }
      FOR_GROUPS { for (u64 n = 0; n < 50; n++) __builtin_ia32_pause(); table[8]++; } }";
    let count = Variant { combines: true, ..variant("count") };
    let program = device.create_executable(&elf(source, &[count]), &[]).unwrap();
    let count = kernel(&program, "count");
    for groups in [1, 3, 100, 5000] {
        let out = buffer(&device, 8);
        let block = args(&[Arg::Buffer(&out)]);
        for round in 1..5 {
            let launch = range(&count, &block, [groups.into(), 1, 1], [1, 1, 1]);
            run(&device, &single(&device, |c| c.nd_range(launch))).unwrap();
            let (sum, tables) = (words(&out)[0], words(&out)[1]);
            assert_eq!(sum, round * groups, "{groups} groups");
            assert!((round..=round * groups).contains(&tables), "{tables} tables");
        }
    }
}

#[test]
fn a_kernel_that_took_long_is_shared_at_once() {
    let device = HostDevice::create();
    if device.info().compute_units < 2 {
        return;
    }
    // If the second argument is 1, each of the two groups waits until the other one has started. It
    // gives up after some seconds.
    let source = r"
    KERNEL(both) { volatile u32 *flags = *(u32 **)args; u64 wait = ((u64 *)args)[1];
      FOR_GROUPS { for (u64 n = 0; n < 5000; n++) __builtin_ia32_pause();
        flags[gx] = 1;
        for (u64 n = 0; wait && n < 200000000ul && !flags[1 - gx]; n++) __builtin_ia32_pause();
        flags[2 + gx] = flags[1 - gx]; } }";
    let program = load(&device, source, &["both"]);
    let both = kernel(&program, "both");
    let launch = |wait| {
        let out = buffer(&device, 16);
        let block = args(&[Arg::Buffer(&out), Arg::Value(wait)]);
        let launch = range(&both, &block, [2, 1, 1], [1, 1, 1]);
        run(&device, &single(&device, |c| c.nd_range(launch))).unwrap();
        words(&out).to_vec()
    };
    assert_eq!(launch(0)[..2], [1, 1]);
    for _ in 0..5 {
        assert_eq!(launch(1), [1; 4]);
    }
}

#[test]
fn groups_of_one_launch_run_at_the_same_time() {
    let device = HostDevice::create();
    if device.info().compute_units < 2 {
        return;
    }
    let source = r"
    KERNEL(meet) { volatile u32 *flags = *(u32 **)args;
      FOR_GROUPS { if (gx == 0) { for (u64 n = 0; n < 100000; n++) __builtin_ia32_pause(); continue; }
        flags[gx] = 1; for (u64 n = 0; n < 200000000ul && !flags[3 - gx]; n++) __builtin_ia32_pause(); flags[2 + gx] = flags[3 - gx]; } }";
    let program = load(&device, source, &["meet"]);
    let out = buffer(&device, 32);
    let block = args(&[Arg::Buffer(&out)]);
    let work = single(&device, |c| {
        c.nd_range(range(&kernel(&program, "meet"), &block, [3, 1, 1], [1, 1, 1]))
    });
    run(&device, &work).unwrap();
    assert_eq!(words(&out)[1..5], [1, 1, 1, 1]);
}

#[test]
fn a_waiting_thread_comes_back_when_its_own_work_is_done() {
    let device = HostDevice::create();
    let program = load(&device, COUNT, &["count"]);
    let count = kernel(&program, "count");
    let (long_out, short_out) = (buffer(&device, 4 << 16), buffer(&device, 4));
    let long_args = args(&[Arg::Buffer(&long_out), Arg::Value(20_000)]);
    let long =
        single(&device, |c| c.nd_range(range(&count, &long_args, [1 << 16, 1, 1], [16, 1, 1])));
    let short_args = args(&[Arg::Buffer(&short_out), Arg::Value(1)]);
    let short = single(&device, |c| c.nd_range(range(&count, &short_args, [1, 1, 1], [1, 1, 1])));
    let (slow, fast) = (Fence::new(), Fence::new());
    let start = Instant::now();
    device.queue().dispatch(&long, Dispatch { fence: Some(&slow), ..Dispatch::default() }).unwrap();
    let how = Dispatch { fence: Some(&fast), hint: SubmitHint::CallerWaits, ..Dispatch::default() };
    device.queue().dispatch(&short, how).unwrap();
    fast.wait(device.queue(), FOREVER).unwrap();
    let early = start.elapsed();
    assert!(!slow.is_signalled(), "the short dispatch waited for the long one");
    slow.wait(device.queue(), FOREVER).unwrap();
    let late = start.elapsed();
    assert!(early * 4 < late, "{early:?} {late:?}");
    assert!(words(&long_out).iter().all(|&n| n == 1));
}

#[test]
fn eight_threads_dispatch_chains_and_nothing_is_lost() {
    let device = HostDevice::create();
    let program = load(&device, COUNT, &["count"]);
    let count = kernel(&program, "count");
    let completions = Arc::new(AtomicU64::new(0));
    std::thread::scope(|scope| {
        for thread in 0..8u64 {
            let (device, count, completions) = (&device, &count, completions.clone());
            scope.spawn(move || {
                let queue = device.queue().sibling();
                let items = 64 << (thread % 4 * 3);
                let out = buffer(device, items * 4);
                let block = args(&[Arg::Buffer(&out), Arg::Value(20)]);
                let work =
                    single(device, |c| c.nd_range(range(count, &block, [items, 1, 1], [16, 1, 1])));
                let mut last: Option<Semaphore> = None;
                let rounds = if cfg!(miri) { 3 } else { 200 };
                for round in 0..rounds {
                    let done = Semaphore::new();
                    let waits: Vec<_> = last
                        .iter()
                        .map(|s| Wait { semaphore: s.clone(), propagate_failure: false })
                        .collect();
                    let completions = completions.clone();
                    let how = Dispatch {
                        waits: &waits,
                        signals: std::slice::from_ref(&done),
                        on_complete: Some(Box::new(move |r| {
                            r.unwrap();
                            completions.fetch_add(1, Ordering::Relaxed);
                        })),
                        hint: if round % 3 == 0 {
                            SubmitHint::CallerWaits
                        } else {
                            SubmitHint::Background
                        },
                        ..Dispatch::default()
                    };
                    queue.dispatch(&work, how).unwrap();
                    if round % 3 == 0 {
                        queue.wait_all();
                    }
                    last = Some(done);
                }
                queue.wait_all();
                assert!(words(&out).iter().all(|&n| n == rounds), "thread {thread}");
            });
        }
    });
    assert_eq!(completions.load(Ordering::Relaxed), 1600);
}

#[test]
fn a_callback_may_wait_for_other_work() {
    let device = HostDevice::create();
    let program = load(&device, COUNT, &["count"]);
    let count = kernel(&program, "count");
    let out = buffer(&device, 4 << 12);
    let block = args(&[Arg::Buffer(&out), Arg::Value(50)]);
    let inner = single(&device, |c| c.nd_range(range(&count, &block, [1 << 12, 1, 1], [16, 1, 1])));
    let theirs = device.clone();
    let outer = commands(&device, |c| {
        c.nd_range(range(&count, &block, [1 << 12, 1, 1], [16, 1, 1])).unwrap();
        c.user_callback(move |_| {
            let fence = Fence::new();
            theirs
                .queue()
                .dispatch(&inner, Dispatch { fence: Some(&fence), ..Dispatch::default() })
                .unwrap();
            fence.wait(theirs.queue(), FOREVER).unwrap();
        })
        .unwrap();
        c.nd_range(range(&count, &block, [1 << 12, 1, 1], [16, 1, 1])).unwrap();
    });
    run(&device, &outer).unwrap();
    assert!(words(&out).iter().all(|&n| n == 3));
}

#[test]
fn a_variant_for_known_arguments_runs_with_these_only() {
    let device = HostDevice::create();
    let source = r"
    struct A { u32 *out; u32 word; };
    KERNEL(any) { *((struct A *)args)->out = 1; }
    KERNEL(of_seven) { *((struct A *)args)->out = 2; }";
    let key = |word: u32| {
        let mut key = SpecializationKey::default();
        key.words.add(8, word);
        key
    };
    let of_seven = Variant { kernel: "any".into(), key: key(7), ..variant("of_seven") };
    let bytes = elf(source, &[variant("any"), of_seven]);
    let program = device.create_executable(&bytes, &[]).unwrap();
    let out = buffer(&device, 4);
    let run_with = |kernel: u32, argument: u64| {
        let chosen = program.create_kernel("any", &key(kernel)).unwrap();
        let block = args(&[Arg::Buffer(&out), Arg::Value(argument)]);
        let mut recorded = Err(MuxError::InvalidValue("not recorded"));
        let commands = commands(&device, |c| {
            recorded = c.nd_range(range(&chosen, &block, [1; 3], [1; 3]));
        });
        recorded?;
        run(&device, &commands).map(|()| words(&out)[0])
    };
    assert_eq!(run_with(7, 7).unwrap(), 2);
    assert_eq!((run_with(8, 8).unwrap(), run_with(8, 7).unwrap()), (1, 1), "any arguments");
    assert!(matches!(run_with(7, 8), Err(MuxError::InvalidValue(_))));
}

#[test]
fn variants_globals_and_bad_objects() {
    let device = HostDevice::create();
    let globals = device.create_executable(&elf("u32 counter = 5; u32 more;", &[]), &[]).unwrap();
    let source = r"
    extern u32 counter, more;
    KERNEL(any) { counter += 1; **(u32 **)args = counter; more = 3; }
    KERNEL(fixed) { counter += 100; **(u32 **)args = counter + more; }";
    let fixed = Variant {
        kernel: "any".into(),
        key: SpecializationKey { local_size: Some([4, 1, 1]), ..SpecializationKey::default() },
        ..variant("fixed")
    };
    let bytes = elf(source, &[variant("any"), fixed]);
    let program = device.create_executable(&bytes, std::slice::from_ref(&globals)).unwrap();
    let out = buffer(&device, 4);
    let block = args(&[Arg::Buffer(&out)]);
    let launch = |local: u32| {
        let key =
            SpecializationKey { local_size: Some([local, 1, 1]), ..SpecializationKey::default() };
        let chosen = program.create_kernel("any", &key).unwrap();
        let local = u64::from(local);
        run(
            &device,
            &single(&device, |c| c.nd_range(range(&chosen, &block, [local, 1, 1], [local, 1, 1]))),
        )
        .unwrap();
        words(&out)[0]
    };
    assert_eq!(launch(2), 6);
    assert_eq!(launch(4), 106 + 3);
    assert!(matches!(
        program.create_kernel("none", &SpecializationKey::default()),
        Err(MuxError::MissingKernel(_))
    ));
    let text = |r: Result<_, MuxError>| match r {
        Err(MuxError::InvalidBinary(text)) => text,
        other => panic!("{other:?}"),
    };
    assert!(text(device.create_executable(&bytes, &[])).contains("`counter`"));
    assert!(
        text(
            device.create_executable(
                &elf("int system(char *); void f(void) { system(0); }", &[]),
                &[]
            )
        )
        .contains("`system`")
    );
    assert!(
        text(device.create_executable(&elf("int k;", &[variant("k")]), &[])).contains("no code")
    );
    assert!(text(device.create_executable(b"not an object", &[])).contains("ELF"));
    for cut in 0..bytes.len() {
        let _ = device.create_executable(&bytes[..cut], std::slice::from_ref(&globals));
    }
}

#[test]
fn kernels_use_the_hosts_functions() {
    let device = HostDevice::create();
    let source = r"
    extern double fmod(double, double); extern void *memset(void *, int, u64);
    KERNEL(use) { double *out = *(double **)args; char volatile tmp[100]; volatile __int128 a = ((__int128)7 << 100), b = 1000003;
      memset((void *)tmp, 3, 100); out[0] = fmod(7.5, 2.0); out[1] = tmp[99]; out[2] = (double)(u64)(a / b); out[3] = (double)(u64)(a % b);
      volatile _Float16 h = 1.5; volatile float f = 2049.0f; out[4] = (float)h + (float)(_Float16)f; }";
    let program = load(&device, source, &["use"]);
    let out = buffer(&device, 64);
    let block = args(&[Arg::Buffer(&out)]);
    run(
        &device,
        &single(&device, |c| {
            c.nd_range(range(&kernel(&program, "use"), &block, [1, 1, 1], [1, 1, 1]))
        }),
    )
    .unwrap();
    // SAFETY: eight doubles, and no command is running.
    let got = unsafe { std::slice::from_raw_parts(out.host_ptr().unwrap().cast::<f64>(), 5) };
    let (a, b) = (7i128 << 100, 1_000_003);
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_sign_loss,
        reason = "as the kernel computes it"
    )]
    let expected = [1.5, 3.0, (a / b) as u64 as f64, (a % b) as u64 as f64, 1.5 + 2048.0];
    assert_eq!(got, expected);
}

#[test]
fn a_forked_child_computes_with_threads_of_its_own() {
    let device = HostDevice::create();
    let program = load(&device, COUNT, &["count"]);
    let count = kernel(&program, "count");
    let out = buffer(&device, 4 << 14);
    let block = args(&[Arg::Buffer(&out), Arg::Value(2000)]);
    let work = single(&device, |c| c.nd_range(range(&count, &block, [1 << 14, 1, 1], [16, 1, 1])));
    run(&device, &work).unwrap();
    // SAFETY: the child runs a kernel, checks the result, and ends with `_exit`.
    let child = unsafe { libc::fork() };
    if child == 0 {
        let background = Semaphore::new();
        let how = Dispatch { signals: std::slice::from_ref(&background), ..Dispatch::default() };
        let mut ok = device.queue().dispatch(&work, how).is_ok();
        let start = Instant::now();
        while !background.is_signalled() && start.elapsed() < Duration::from_secs(20) {
            std::thread::sleep(Duration::from_millis(1));
        }
        ok &= background.is_signalled() && run(&device, &work).is_ok();
        ok &= words(&out).iter().all(|&n| n == 3);
        // SAFETY: ends the child at once.
        unsafe { libc::_exit(i32::from(!ok)) };
    }
    let mut status = 0;
    // SAFETY: waits for the child made above.
    unsafe { libc::waitpid(child, &raw mut status, 0) };
    assert_eq!(status, 0);
    run(&device, &work).unwrap();
    assert!(words(&out).iter().all(|&n| n == 2));
}

#[test]
fn a_process_ends_while_kernels_run() {
    let device = HostDevice::create();
    let program = load(&device, COUNT, &["count"]);
    let out = buffer(&device, 4 << 16);
    let block = args(&[Arg::Buffer(&out), Arg::Value(10_000_000)]);
    let work = single(&device, |c| {
        c.nd_range(range(&kernel(&program, "count"), &block, [1 << 16, 1, 1], [16, 1, 1]))
    });
    let start = Instant::now();
    // SAFETY: the child starts work and exits like an application.
    let child = unsafe { libc::fork() };
    if child == 0 {
        let ok = device.queue().dispatch(&work, Dispatch::default()).is_ok();
        std::thread::sleep(Duration::from_millis(50));
        // SAFETY: runs the exit handlers and destructors of an application.
        unsafe { libc::exit(i32::from(!ok)) };
    }
    let mut status = 0;
    // SAFETY: waits for the child made above.
    unsafe { libc::waitpid(child, &raw mut status, 0) };
    assert_eq!(status, 0);
    assert!(start.elapsed() < Duration::from_secs(20));
}
