//! Objects that kernels share with the host and with each other beyond buffers: pipes, host
//! addresses, and sub-devices. Each test first checks that the device has the feature.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use libtest_mimic::{Failed, Trial};
use muxcl_client::sys::{
    CL_COMPLETE, CL_DEVICE_MAX_COMPUTE_UNITS, CL_DEVICE_PARTITION_MAX_SUB_DEVICES,
    CL_DEVICE_PIPE_SUPPORT, CL_DEVICE_SVM_CAPABILITIES, CL_DEVICE_SVM_COARSE_GRAIN_BUFFER,
    CL_DEVICE_SVM_FINE_GRAIN_SYSTEM, CL_MEM_READ_WRITE, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
};
use muxcl_client::{Context, Device, Program, Queue};

use crate::{coarse_svm, command_buffers, divergent, families};

const PIPES: &str = "
kernel void fill(global const int *in, write_only pipe int p, global int *failed) {
    if (write_pipe(p, in + get_global_id(0)) != 0) atomic_fetch_add((volatile global atomic_int *)failed, 1);
}
kernel void drain(read_only pipe int p, global int *out, global int *failed) {
    int packet = -1;
    if (read_pipe(p, &packet) != 0) atomic_fetch_add((volatile global atomic_int *)failed, 1);
    out[get_global_id(0)] = packet;
}
kernel void ask(read_only pipe int p, global uint *out) {
    out[0] = get_pipe_num_packets(p);
    out[1] = get_pipe_max_packets(p);
}
/* One work-item: reservations are committed in the wrong order, and read in the right one. */
kernel void order(write_only pipe int p, global int *out) {
    reserve_id_t first = reserve_write_pipe(p, 2), second = reserve_write_pipe(p, 1), third = reserve_write_pipe(p, 100);
    out[0] = is_valid_reserve_id(first) + 2 * is_valid_reserve_id(second) + 4 * is_valid_reserve_id(third);
    int packet = 30;
    out[1] = write_pipe(p, second, 0, &packet);
    out[2] = write_pipe(p, second, 1, &packet);
    packet = 20;
    write_pipe(p, first, 1, &packet);
    packet = 10;
    write_pipe(p, first, 0, &packet);
    commit_write_pipe(p, second);
    out[3] = get_pipe_num_packets(p);
    commit_write_pipe(p, first);
    out[4] = get_pipe_num_packets(p);
}
/* Groups reserve together; each item moves a packet of its own. */
kernel void fill_groups(global const int *in, write_only pipe int p) {
    local reserve_id_t id;
    id = work_group_reserve_write_pipe(p, get_local_size(0));
    if (is_valid_reserve_id(id)) write_pipe(p, id, get_local_id(0), in + get_global_id(0));
    work_group_commit_write_pipe(p, id);
}
kernel void drain_groups(read_only pipe int p, global int *out) {
    reserve_id_t id = work_group_reserve_read_pipe(p, get_local_size(0));
    if (is_valid_reserve_id(id)) read_pipe(p, id, get_local_id(0), out + get_global_id(0));
    work_group_commit_read_pipe(p, id);
}
typedef struct { long3 a; char b[5]; } Large;
kernel void fill_large(write_only pipe Large p) {
    Large l = {(long3)(get_global_id(0)), {1, 2, 3, 4, (char)get_global_id(0)}};
    write_pipe(p, &l);
}
kernel void drain_large(read_only pipe Large p, global int *out) {
    Large l;
    if (read_pipe(p, &l) == 0) out[(int)l.a.z] = l.b[0] + l.b[3] * 16 + l.b[4] * 256;
}";

pub(crate) struct Bench {
    pub(crate) context: Context,
    pub(crate) program: Program,
    pub(crate) queue: Queue,
}

impl Bench {
    pub(crate) fn new(device: Device, source: &str) -> Result<Self> {
        let context = Context::new(device)?;
        let program = context.build(device, source, "-cl-std=CL3.0")?;
        Ok(Self { queue: context.queue(device, 0)?, program, context })
    }

    pub(crate) fn numbers(&self, buffer: &muxcl_client::Buffer, count: usize) -> Result<Vec<i32>> {
        let mut data = vec![0; count];
        self.queue.read(buffer, &mut data)?;
        Ok(data)
    }
}

/// More work-items than packets: exactly as many work-items as packets succeed, in both directions,
/// repeatedly.
fn single_packets(device: Device) -> Result<()> {
    const ITEMS: usize = 5000;
    let bench = Bench::new(device, PIPES)?;
    for packets in [1_u32, 2, 3, 64, 1000, 4999, 5000, 8192] {
        let pipe = bench.context.pipe(4, packets)?;
        let input: Vec<i32> = (1..).take(ITEMS).collect();
        let source = bench.context.buffer_with(&input)?;
        let target = bench.context.buffer(CL_MEM_READ_WRITE, 4 * ITEMS)?;
        let fit = ITEMS.min(packets as usize);
        for round in 0..3 {
            let counts = [bench.context.buffer_with(&[0])?, bench.context.buffer_with(&[0])?];
            let facts = bench.context.buffer_with(&[0, 0])?;
            let mut fill = bench.program.kernel("fill")?;
            fill.set_buffer(0, &source)?;
            fill.set_buffer(1, &pipe)?;
            fill.set_buffer(2, &counts[0])?;
            bench.queue.run(&fill, &[ITEMS], None, None)?;
            let mut ask = bench.program.kernel("ask")?;
            ask.set_buffer(0, &pipe)?;
            ask.set_buffer(1, &facts)?;
            bench.queue.run(&ask, &[1], None, None)?;
            let wanted = [i32::try_from(fit)?, i32::try_from(packets)?];
            ensure!(
                bench.numbers(&facts, 2)? == wanted,
                "{packets} packets, round {round}: the queries"
            );
            let mut drain = bench.program.kernel("drain")?;
            drain.set_buffer(0, &pipe)?;
            drain.set_buffer(1, &target)?;
            drain.set_buffer(2, &counts[1])?;
            bench.queue.run(&drain, &[ITEMS], None, None)?;
            let failed = i32::try_from(ITEMS - fit)?;
            for (what, count) in ["writes", "reads"].iter().zip(&counts) {
                ensure!(
                    bench.numbers(count, 1)? == [failed],
                    "{packets} packets, round {round}: failed {what}"
                );
            }
            let mut seen = bench.numbers(&target, ITEMS)?;
            seen.retain(|v| *v != -1);
            seen.sort_unstable();
            let count = seen.len();
            seen.dedup();
            ensure!(
                count == fit && seen.len() == fit,
                "{packets} packets, round {round}: {count} arrived"
            );
            ensure!(
                seen.iter().all(|v| input.contains(v)),
                "{packets} packets, round {round}: {:?}",
                &seen[..1]
            );
        }
    }
    Ok(())
}

fn reservations(device: Device) -> Result<()> {
    let bench = Bench::new(device, PIPES)?;
    let pipe = bench.context.pipe(4, 50)?;
    let out = bench.context.buffer_with(&[9; 8])?;
    let mut order = bench.program.kernel("order")?;
    order.set_buffer(0, &pipe)?;
    order.set_buffer(1, &out)?;
    bench.queue.run(&order, &[1], None, None)?;
    let seen = bench.numbers(&out, 5)?;
    ensure!(seen[0] == 3, "valid reservations: {seen:?}");
    ensure!(seen[1] == 0 && seen[2] < 0, "an index behind the reservation: {seen:?}");
    ensure!(seen[3] <= 1 && seen[4] == 3, "packets after each commit: {seen:?}");
    let failed = bench.context.buffer_with(&[0])?;
    let mut drain = bench.program.kernel("drain")?;
    drain.set_buffer(0, &pipe)?;
    drain.set_buffer(2, &failed)?;
    for wanted in [10, 20, 30, -1] {
        drain.set_buffer(1, &out)?;
        bench.queue.run(&drain, &[1], None, None)?;
        let seen = bench.numbers(&out, 1)?;
        ensure!(seen == [wanted], "read {seen:?}, wanted {wanted}");
    }
    Ok(())
}

fn groups(device: Device) -> Result<()> {
    const ITEMS: usize = 1024;
    let bench = Bench::new(device, PIPES)?;
    for local in [1_usize, 16, 64] {
        let pipe = bench.context.pipe(4, 1024)?;
        let input: Vec<i32> = (0..).take(ITEMS).collect();
        let source = bench.context.buffer_with(&input)?;
        let target = bench.context.buffer_with(&vec![-1; ITEMS])?;
        for _ in 0..2 {
            let mut fill = bench.program.kernel("fill_groups")?;
            fill.set_buffer(0, &source)?;
            fill.set_buffer(1, &pipe)?;
            bench.queue.run(&fill, &[ITEMS], Some(&[local]), None)?;
            let mut drain = bench.program.kernel("drain_groups")?;
            drain.set_buffer(0, &pipe)?;
            drain.set_buffer(1, &target)?;
            bench.queue.run(&drain, &[ITEMS], Some(&[local]), None)?;
            let seen = bench.numbers(&target, ITEMS)?;
            // The packets of a group are contiguous and in order.
            for part in seen.chunks(local) {
                ensure!(
                    part.windows(2).all(|w| w[1] == w[0] + 1)
                        && part[0] % i32::try_from(local)? == 0,
                    "{part:?}"
                );
            }
            let mut sorted = seen;
            sorted.sort_unstable();
            ensure!(sorted == input, "groups of {local}");
        }
    }
    Ok(())
}

fn large_packets(device: Device) -> Result<()> {
    let bench = Bench::new(device, PIPES)?;
    let pipe = bench.context.pipe(64, 100)?;
    let out = bench.context.buffer_with(&[0; 100])?;
    let mut fill = bench.program.kernel("fill_large")?;
    fill.set_buffer(0, &pipe)?;
    bench.queue.run(&fill, &[100], None, None)?;
    let mut drain = bench.program.kernel("drain_large")?;
    drain.set_buffer(0, &pipe)?;
    drain.set_buffer(1, &out)?;
    bench.queue.run(&drain, &[100], None, None)?;
    let seen = bench.numbers(&out, 100)?;
    ensure!((0..).zip(&seen).all(|(i, v)| *v == 65 + 256 * i), "{:?}", &seen[..4]);
    Ok(())
}

const ADDRESSES: &str = "
typedef struct Node { global struct Node *next; ulong value; } Node;
kernel void walk(global Node *list, global ulong *sum) {
    for (; list; list = list->next) { *sum += list->value; list->value += 1; }
}
kernel void meet(global atomic_uint *bell) {
    atomic_store_explicit(bell, 1, memory_order_release, memory_scope_all_svm_devices);
    while (atomic_load_explicit(bell, memory_order_acquire, memory_scope_all_svm_devices) != 2) ;
    atomic_store_explicit(bell, 3, memory_order_release, memory_scope_all_svm_devices);
}";

#[repr(C)]
struct Node {
    next: *mut Self,
    value: u64,
}

/// A kernel follows pointers through host memory.
fn a_list_on_the_heap(device: Device) -> Result<()> {
    let bench = Bench::new(device, ADDRESSES)?;
    let mut nodes: Vec<Box<Node>> =
        (1..=1000).map(|value| Box::new(Node { next: std::ptr::null_mut(), value })).collect();
    for i in 1..nodes.len() {
        let next: *mut Node = &raw mut *nodes[i];
        nodes[i - 1].next = next;
    }
    let sum = Box::new(0_u64);
    let mut walk = bench.program.kernel("walk")?;
    walk.set_address(0, &raw const *nodes[0])?;
    walk.set_address(1, &raw const *sum)?;
    bench.queue.run(&walk, &[1], None, None)?;
    bench.queue.finish()?;
    // SAFETY: the kernel has ended. It wrote here without the compiler's knowledge, hence the
    // volatile read.
    let total = unsafe { (&raw const *sum).read_volatile() };
    ensure!(total == 500_500, "sum {total}");
    // SAFETY: as above.
    let last = unsafe { (&raw const nodes[999].value).read_volatile() };
    ensure!(last == 1001, "the last node holds {last}");
    Ok(())
}

/// A running kernel and this thread exchange messages.
fn atomics_both_ways(device: Device) -> Result<()> {
    let bench = Bench::new(device, ADDRESSES)?;
    let bell = Box::new(AtomicU32::new(0));
    let mut meet = bench.program.kernel("meet")?;
    meet.set_address(0, bell.as_ptr())?;
    bench.queue.run(&meet, &[1], None, None)?;
    bench.queue.flush()?;
    let start = Instant::now();
    while bell.load(Ordering::Acquire) != 1 {
        ensure!(start.elapsed() < Duration::from_secs(60), "the kernel does not ring");
        std::thread::yield_now();
    }
    bell.store(2, Ordering::Release);
    bench.queue.finish()?;
    ensure!(bell.load(Ordering::Acquire) == 3, "the kernel did not hear");
    Ok(())
}

/// Independent commands of an out-of-order queue run concurrently: each waits for a store of the
/// other.
fn independent_commands_overlap(device: Device) -> Result<()> {
    const SOURCE: &str = "
kernel void meet(global atomic_uint *mine, global atomic_uint *other) {
    for (uint step = 1; step <= 1000; step++) {
        atomic_store_explicit(mine, step, memory_order_release, memory_scope_device);
        while (atomic_load_explicit(other, memory_order_acquire, memory_scope_device) < step) ;
    }
}";
    if device.number(CL_DEVICE_MAX_COMPUTE_UNITS)? < 2 {
        return Ok(());
    }
    let bench = Bench::new(device, SOURCE)?;
    let queue = bench.context.queue(device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)?;
    for _ in 0..20 {
        let words =
            [bench.context.buffer_with(&[0_u32; 32])?, bench.context.buffer_with(&[0_u32; 32])?];
        for turn in [0, 1] {
            let mut meet = bench.program.kernel("meet")?;
            meet.set_buffer(0, &words[turn])?;
            meet.set_buffer(1, &words[1 - turn])?;
            queue.run(&meet, &[1], None, None)?;
        }
        queue.finish()?;
        for word in &words {
            ensure!(bench.numbers(word, 1)? == [1000]);
        }
    }
    Ok(())
}

/// A chain of many commands, each waiting for the previous one's event, on both kinds of queues,
/// behind a user event.
fn a_long_chain(device: Device) -> Result<()> {
    const LENGTH: usize = 60_000;
    const SOURCE: &str = "kernel void next(global int *p) { *p += 1; }";
    let bench = Bench::new(device, SOURCE)?;
    for properties in [0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE] {
        let queue = bench.context.queue(device, properties)?;
        let word = bench.context.buffer_with(&[0])?;
        let mut next = bench.program.kernel("next")?;
        next.set_buffer(0, &word)?;
        let gate = bench.context.user_event()?;
        let mut last = queue.run_after(&next, &[1], &[&gate])?;
        for _ in 1..LENGTH {
            last = queue.run_after(&next, &[1], &[&last])?;
        }
        gate.set(CL_COMPLETE)?;
        last.wait()?;
        ensure!(bench.numbers(&word, 1)? == [i32::try_from(LENGTH)?], "properties {properties}");
        // A failed command makes all commands after it fail.
        let gate = bench.context.user_event()?;
        let mut last = queue.run_after(&next, &[1], &[&gate])?;
        for _ in 1..LENGTH {
            last = queue.run_after(&next, &[1], &[&last])?;
        }
        gate.set(-1)?;
        ensure!(
            last.wait().is_err() && last.status()? < 0,
            "properties {properties}: a failure at the beginning"
        );
        ensure!(
            bench.numbers(&word, 1)? == [i32::try_from(LENGTH)?],
            "properties {properties}: nothing ran"
        );
    }
    Ok(())
}

/// The kernel clock increases within a work-item and from one kernel to the next.
fn clock(device: Device) -> Result<()> {
    const SOURCE: &str = "
kernel void clock(global ulong *out) {
    out[0] = clock_read_device();
    volatile int n = 1000;
    while (n) n--;
    out[1] = clock_read_device();
    out[2] = clock_read_work_group();
    uint2 parts = clock_read_hilo_device();
    out[3] = (ulong)parts.y << 32 | parts.x;
}";
    let bench = Bench::new(device, SOURCE)?;
    let mut last = 0_u64;
    for _ in 0..3 {
        let out = bench.context.buffer_with(&[0_u64; 4])?;
        let mut clock = bench.program.kernel("clock")?;
        clock.set_buffer(0, &out)?;
        bench.queue.run(&clock, &[1], None, None)?;
        let mut seen = [0_u64; 4];
        bench.queue.read(&out, &mut seen)?;
        ensure!(last < seen[0] && seen[0] + 500 < seen[1], "{last} {seen:?}");
        ensure!(
            seen[1] <= seen[2] && seen[2] <= seen[3] && seen[3] - seen[0] < 1 << 40,
            "{seen:?}"
        );
        last = seen[3];
    }
    Ok(())
}

/// After a fence an asynchronous copy reads the results of the previous copy, whichever work-items
/// perform the copies.
fn copy_fence(device: Device) -> Result<()> {
    const SOURCE: &str = "
kernel void twice(global const int *in, global int *out) {
    local int all[256];
    event_t e = async_work_group_copy(all, in, 256, 0);
    async_work_group_copy_fence(CLK_LOCAL_MEM_FENCE);
    e = async_work_group_strided_copy(out, all, 128, 2, e);
    wait_group_events(1, &e);
    async_work_group_copy_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}";
    let bench = Bench::new(device, SOURCE)?;
    for local in [1_usize, 7, 64] {
        let input: Vec<i32> = (0..256).collect();
        let source = bench.context.buffer_with(&input)?;
        let out = bench.context.buffer_with(&[-1; 256])?;
        let mut twice = bench.program.kernel("twice")?;
        twice.set_buffer(0, &source)?;
        twice.set_buffer(1, &out)?;
        bench.queue.run(&twice, &[local], Some(&[local]), None)?;
        let seen = bench.numbers(&out, 256)?;
        ensure!(
            (0..256).step_by(2).all(|i| seen[i] == i32::try_from(i / 2).unwrap_or(-2)),
            "groups of {local}: {:?}",
            &seen[..8]
        );
    }
    Ok(())
}

/// Commands of one program on a device and its sub-devices, one after another through events.
fn parts(device: Device) -> Result<()> {
    const SOURCE: &str =
        "kernel void add(global int *data, int n) { data[get_global_id(0)] += n; }";
    let parts = device.divide(1)?;
    ensure!(
        parts.len() as u64 == device.number(CL_DEVICE_MAX_COMPUTE_UNITS)?,
        "{} parts",
        parts.len()
    );
    let mut all = parts.clone();
    all.push(device);
    let context = Context::of(&all)?;
    let program = context.build(device, SOURCE, "")?;
    let buffer = context.buffer_with(&[0; 1000])?;
    let queues =
        all.iter().map(|d| context.queue(*d, 0)).collect::<std::result::Result<Vec<_>, _>>()?;
    let mut add = program.kernel("add")?;
    add.set_buffer(0, &buffer)?;
    let mut last: Option<muxcl_client::Event> = None;
    for round in 0..50_usize {
        add.set(1, i32::try_from(round)?)?;
        let waits: Vec<_> = last.iter().collect();
        last = Some(queues[round % queues.len()].run_after(&add, &[1000], &waits)?);
    }
    if let Some(last) = last {
        last.wait()?;
    }
    let mut data = vec![0; 1000];
    queues[0].read(&buffer, &mut data)?;
    ensure!(data.iter().all(|v| *v == 1225), "{:?}", &data[..4]);
    Ok(())
}

pub(crate) type Test = fn(Device) -> Result<()>;

const WITH_PIPES: [(&str, Test); 4] = [
    ("single_packets", single_packets),
    ("reservations", reservations),
    ("groups", groups),
    ("large_packets", large_packets),
];
const WITH_SYSTEM_SVM: [(&str, Test); 4] = [
    ("a_list_on_the_heap", a_list_on_the_heap),
    ("atomics_both_ways", atomics_both_ways),
    ("independent_commands_overlap", independent_commands_overlap),
    ("a_long_chain", a_long_chain),
];
const WITH_PARTS: [(&str, Test); 1] = [("parts", parts)];

/// The tests for the device's features; their names begin with `name`.
pub fn trials(name: &str, device: Device) -> Result<Vec<Trial>> {
    let mut tests: Vec<(&str, Test)> = Vec::new();
    if device.number(CL_DEVICE_PIPE_SUPPORT)? != 0 {
        tests.extend(WITH_PIPES);
    }
    if device.number(CL_DEVICE_SVM_CAPABILITIES)? & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM != 0 {
        tests.extend(WITH_SYSTEM_SVM);
    }
    if device.number(CL_DEVICE_SVM_CAPABILITIES)? & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER != 0 {
        tests.extend(coarse_svm::ALL);
    }
    if device.number(CL_DEVICE_PARTITION_MAX_SUB_DEVICES)? > 1 {
        tests.extend(WITH_PARTS);
    }
    let trial = |(test, run): (&str, Test)| {
        Trial::test(format!("{name}/shared/{test}"), move || {
            run(device).map_err(|error| Failed::from(format!("{error:#}")))
        })
    };
    let extensions = device.features()?;
    let has = |name: &str| extensions.iter().any(|e| e == name);
    if has("cl_khr_subgroup_non_uniform_arithmetic") && has("cl_intel_required_subgroup_size") {
        tests.extend(divergent::ALL);
    }
    if has("__opencl_c_device_enqueue") {
        tests.extend(families::ALL);
    }
    if has("cl_khr_command_buffer_mutable_dispatch") {
        tests.extend(command_buffers::ALL);
    }
    if has("cl_khr_kernel_clock") {
        tests.push(("clock", clock));
    }
    if has("cl_khr_async_work_group_copy_fence") {
        tests.push(("copy_fence", copy_fence));
    }
    Ok(tests.into_iter().map(trial).collect())
}
