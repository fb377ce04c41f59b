//! On RefSi a kernel's wild stores and transfers overwrote the code and the constants of other
//! programs, whose launches then failed until the process ended.
//!
//! Code and constants of programs are now read-only to kernels and to the DMA engine. The tests run
//! in processes of their own, because wild stores also reach the buffers of other tests.

use anyhow::{Context as _, Result, ensure};
use muxcl_client::{Context, Device, Kernel, Queue};

use crate::{Devices, Test, own_process};

pub(crate) const TESTS: &[Test] =
    &[("f6_wild_stores/g1", Devices::Hal, g1), ("f6_wild_stores/m1", Devices::Hal, m1)];

const WILD: &str = "
uint next(uint x) { x ^= x << 13; x ^= x >> 17; x ^= x << 5; return x; }

kernel void stores(ulong base, ulong span, uint seed, uint count) {
    uint x = (seed + (uint)get_global_id(0)) * 2654435769u | 1;
    for (uint k = 0; k < count; k++) {
        x = next(x);
        ulong offset = (ulong)x << 32;
        x = next(x);
        *(global ulong *)((base + (offset | x) % span) & ~7ul) = offset | x;
    }
}

kernel void row(ulong base) { ((global uint *)base)[get_global_id(0)] = 0xffffffffu; }

kernel void add(ulong base) { atomic_add((volatile global uint *)base, 1); }

kernel void to_global(ulong to) {
    local uint block[64];
    block[get_local_id(0)] = 0xffffffffu;
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t done = async_work_group_copy((global uint *)to, block, 64, 0);
    wait_group_events(1, &done);
}

kernel void to_local(ulong to, global const uint *from) {
    event_t done = async_work_group_copy((local uint *)to, from, 64, 0);
    wait_group_events(1, &done);
}";

/// The table is an array of pointers: constant, but for its relocations.
const TAME: &str = "
constant int odd[4] = {1, 3, 5, 7};
constant int even[4] = {2, 4, 6, 8};
constant int *constant tables[2] = {even, odd};
kernel void tame(global int *out, int more) {
    int i = get_global_id(0);
    out[i] = tables[(i + more) & 1][i & 3] + more;
}";

/// Launches of the kernel that is correct.
const LAUNCHES: i32 = 300;
/// Global size of its launches.
const SIZE: i32 = 64;

fn g1(device: Device) -> Result<()> {
    own_process::run(TESTS[0].0, device, &[(own_process::SOC, "g1")], body)
}

fn m1(device: Device) -> Result<()> {
    own_process::run(TESTS[1].0, device, &[(own_process::SOC, "m1")], body)
}

fn expected(more: i32) -> Vec<i32> {
    let value = |i: i32| 2 * (i & 3) + if (i + more) & 1 == 1 { 1 } else { 2 } + more;
    (0..SIZE).map(value).collect()
}

fn launch(context: &Context, queue: &Queue, tame: &mut Kernel, more: i32) -> Result<()> {
    let out = context.buffer_with(&[0_i32; SIZE as usize])?;
    tame.set_buffer(0, &out)?;
    tame.set(1, more)?;
    queue.run(tame, &[SIZE as usize], None, None)?;
    let mut seen = [0_i32; SIZE as usize];
    queue.read(&out, &mut seen).with_context(|| format!("launch {more} fails"))?;
    ensure!(seen[..] == expected(more), "launch {more}: {seen:?}");
    Ok(())
}

/// Address ranges: first address, size.
const RANGES: [(u64, u64); 7] = [
    // Programs, at the end of memory.
    (0xc000_0000 - (48 << 10), 48 << 10),
    // Buffers, and on M1 stacks and commands, at its beginning.
    (0x4000_0000, 96 << 10),
    (0x4000_0000, 2 << 30),
    // Local memory, programs with fixed addresses, the loader, registers.
    (0x1000_0000, 4 << 20),
    (0, 256 << 10),
    (0x2000_0000, 1 << 24),
    (0, u64::MAX),
];

fn body(device: Device) -> Result<()> {
    let context = Context::new(device)?;
    let queue = context.queue(device, 0)?;
    let tame = context.build(device, TAME, "")?;
    let mut tame = tame.kernel("tame")?;
    launch(&context, &queue, &mut tame, 0)?;

    let other = Context::new(device)?;
    let wild_queue = other.queue(device, 0)?;
    let program = other.build(device, WILD, "")?;
    let from = other.buffer_with(&[u32::MAX; 64])?;
    let mut stores = program.kernel("stores")?;
    let mut at_once = ["row", "add", "to_global", "to_local"]
        .map(|name| program.kernel(name))
        .into_iter()
        .collect::<Result<Vec<_>, _>>()?;
    at_once[3].set_buffer(1, &from)?;
    let (mut failed, mut seed) = (0, 12345_u32);
    for (number, (base, span)) in RANGES.into_iter().cycle().take(140).enumerate() {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        stores.set(0, base)?;
        stores.set(1, span)?;
        stores.set(2, seed)?;
        stores.set(3, 8_u32)?;
        wild_queue.run(&stores, &[64], None, None)?;
        failed += i32::from(wild_queue.finish().is_err());
        let place = base + (u64::from(seed) << 32 | u64::from(seed.rotate_left(9))) % span;
        for kernel in &mut at_once {
            kernel.set(0, place & !7)?;
            wild_queue.run(kernel, &[64], None, Some(&[64]))?;
            failed += i32::from(wild_queue.finish().is_err());
        }
        launch(&context, &queue, &mut tame, i32::try_from(number)?)?;
    }
    // Every page of the programs, in order.
    for page in (0xc000_0000_u64 - (48 << 10)..0xc000_0000).step_by(4096) {
        for kernel in &mut at_once {
            kernel.set(0, page)?;
            wild_queue.run(kernel, &[64], None, Some(&[64]))?;
            failed += i32::from(wild_queue.finish().is_err());
        }
    }
    ensure!(failed > 140, "only {failed} launches failed");
    for more in 0..LAUNCHES {
        launch(&context, &queue, &mut tame, more)?;
    }
    let context = Context::new(device)?;
    let queue = context.queue(device, 0)?;
    let tame = context.build(device, TAME, "-DNEW")?;
    let mut tame = tame.kernel("tame")?;
    for more in 0..LAUNCHES {
        launch(&context, &queue, &mut tame, more)?;
    }
    Ok(())
}
