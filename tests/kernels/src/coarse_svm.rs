//! Coarse-grain shared virtual memory: kernels and the host use the same pointers, and the host
//! accesses an allocation only while it is mapped. Devices with access to all host addresses run
//! the same tests.

use anyhow::{Result, ensure};
use muxcl_client::sys::{CL_MAP_READ, CL_MAP_WRITE};
use muxcl_client::{Context, Device, Kernel, SvmAllocation};

use crate::shared::{Bench, Test};

pub(crate) const ALL: [(&str, Test); 6] = [
    ("a_list_made_on_the_device", a_list_made_on_the_device),
    ("a_list_made_on_the_host", a_list_made_on_the_host),
    ("arguments_inside_an_allocation", arguments_inside_an_allocation),
    ("buffers_on_an_allocation", buffers_on_an_allocation),
    ("allocations_of_many_threads", allocations_of_many_threads),
    ("addresses_in_use", addresses_in_use),
];

const SOURCE: &str = "
typedef struct Node { global struct Node *next; ulong value; } Node;
/* Nodes of both allocations in turns. */
kernel void make(global Node *first, global Node *second, uint each) {
    for (uint i = 0; i < each; i++) {
        first[i].next = second + i;
        second[i].next = i + 1 < each ? first + i + 1 : 0;
        first[i].value = 2 * i;
        second[i].value = 2 * i + 1;
    }
}
kernel void walk(global Node *list, global ulong *out) {
    ulong sum = 0;
    for (; list; list = list->next) { sum += list->value; list->value += 1; }
    *out = sum;
}
kernel void add(global uint *data, uint n) { data[get_global_id(0)] += n; }";

const EACH: u32 = 500;

/// Size of a node in bytes.
const NODE: usize = 16;

fn word(bytes: &[u8], at: usize) -> Result<u64> {
    let bytes = bytes.get(at..at + 8).ok_or_else(|| anyhow::anyhow!("no bytes at {at}"))?;
    Ok(u64::from_le_bytes(bytes.try_into()?))
}

fn set(bytes: &mut [u8], at: usize, value: u64) {
    if let Some(slot) = bytes.get_mut(at..at + 8) {
        slot.copy_from_slice(&value.to_le_bytes());
    }
}

fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks(4).map(|c| c.iter().rev().fold(0, |all, b| all << 8 | u32::from(*b))).collect()
}

fn address(shared: &SvmAllocation) -> u64 {
    shared.at().addr() as u64
}

/// Follows the list from the first node and returns the values.
fn follow(bench: &Bench, halves: [&SvmAllocation; 2]) -> Result<Vec<u64>> {
    let [first, second] = halves;
    bench.queue.with_shared(first, CL_MAP_READ, |a| {
        bench.queue.with_shared(second, CL_MAP_READ, |b| {
            let (mut next, mut values) = (address(first), Vec::new());
            while next != 0 && values.len() <= 2 * EACH as usize {
                let half = if (address(first)..address(first) + a.len() as u64).contains(&next) {
                    0
                } else {
                    1
                };
                let at = usize::try_from(next - address(halves[half]))?;
                let bytes = if half == 0 { &*a } else { &*b };
                values.push(word(bytes, at + 8)?);
                next = word(bytes, at)?;
            }
            Ok(values)
        })
    })??
}

fn walk(bench: &Bench, halves: [&SvmAllocation; 2]) -> Result<u64> {
    let out = bench.context.share(8)?;
    let mut walk = bench.program.kernel("walk")?;
    walk.set_address(0, halves[0].at())?;
    walk.set_address(1, out.at())?;
    walk.reaches(&halves)?;
    bench.queue.run(&walk, &[1], None, None)?;
    bench.queue.with_shared(&out, CL_MAP_READ, |bytes| word(bytes, 0))?
}

fn a_list_made_on_the_device(device: Device) -> Result<()> {
    let bench = Bench::new(device, SOURCE)?;
    let size = NODE * EACH as usize;
    let (first, second) = (bench.context.share(size)?, bench.context.share(size)?);
    let mut make = bench.program.kernel("make")?;
    make.set_address(0, first.at())?;
    make.set_address(1, second.at())?;
    make.set(2, EACH)?;
    bench.queue.run(&make, &[1], None, None)?;
    let halves = [&first, &second];
    ensure!(
        follow(&bench, halves)? == (0..2 * u64::from(EACH)).collect::<Vec<_>>(),
        "as the kernel made it"
    );
    ensure!(walk(&bench, halves)? == u64::from(EACH * (2 * EACH - 1)), "the sum");
    ensure!(
        follow(&bench, halves)? == (1..=2 * u64::from(EACH)).collect::<Vec<_>>(),
        "one more each"
    );
    Ok(())
}

fn a_list_made_on_the_host(device: Device) -> Result<()> {
    let bench = Bench::new(device, SOURCE)?;
    let size = NODE * EACH as usize;
    let (first, second) = (bench.context.share(size)?, bench.context.share(size)?);
    let halves = [&first, &second];
    for round in 0..3 {
        for half in [0, 1] {
            bench.queue.with_shared(halves[half], CL_MAP_WRITE, |bytes| {
                for i in 0..EACH {
                    let here = NODE * i as usize;
                    let next = if half == 0 { Some(i) } else { Some(i + 1).filter(|n| *n < EACH) };
                    let next =
                        next.map_or(0, |n| address(halves[1 - half]) + NODE as u64 * u64::from(n));
                    set(bytes, here, next);
                    set(bytes, here + 8, (i + round).into());
                }
            })?;
        }
        ensure!(
            walk(&bench, halves)? == u64::from(EACH * (EACH - 1) + 2 * EACH * round),
            "round {round}"
        );
    }
    Ok(())
}

/// One context with the host and another device: each device walks and changes a list that the
/// other built, by the same pointers.
pub(crate) fn with_host(host: Device, other: Device) -> Result<()> {
    let devices = [other, host];
    let context = Context::of(&devices)?;
    let program = context.build_for(&devices, SOURCE, "-cl-std=CL3.0")?;
    let queues = [context.queue(other, 0)?, context.queue(host, 0)?];
    let size = NODE * EACH as usize;
    let (first, second, out) = (context.share(size)?, context.share(size)?, context.share(8)?);
    let mut make = program.kernel("make")?;
    make.set_address(0, first.at())?;
    make.set_address(1, second.at())?;
    make.set(2, EACH)?;
    let mut walk = program.kernel("walk")?;
    walk.set_address(0, first.at())?;
    walk.set_address(1, out.at())?;
    walk.reaches(&[&second])?;
    for maker in [0, 1] {
        queues[maker].run(&make, &[1], None, None)?;
        queues[maker].finish()?;
        for (round, walker) in [1, 0, 0, 1, 1].into_iter().enumerate() {
            queues[walker].run(&walk, &[1], None, None)?;
            queues[walker].finish()?;
            let sum =
                queues[1 - walker].with_shared(&out, CL_MAP_READ, |bytes| word(bytes, 0))??;
            let wanted = u64::from(EACH * (2 * EACH - 1)) + 2 * u64::from(EACH) * round as u64;
            ensure!(sum == wanted, "made on {maker}, walked on {walker}: {sum} is not {wanted}");
        }
    }
    Ok(())
}

/// A pointer into an allocation is as valid as a pointer to its beginning. A one-past-the-end
/// pointer that nothing dereferences is valid too.
fn arguments_inside_an_allocation(device: Device) -> Result<()> {
    let bench = Bench::new(device, SOURCE)?;
    let shared = bench.context.share(4000)?;
    bench.queue.with_shared(&shared, CL_MAP_WRITE, |bytes| bytes.fill(0))?;
    let mut add = bench.program.kernel("add")?;
    add.set_address(0, shared.at().wrapping_add(2000))?;
    add.set(1, 7_u32)?;
    bench.queue.run(&add, &[500], None, None)?;
    // The same launch may run any number of times.
    bench.queue.run(&add, &[500], None, None)?;
    let seen = bench.queue.with_shared(&shared, CL_MAP_READ | CL_MAP_WRITE, |bytes| {
        let seen = words(bytes);
        bytes.fill(1);
        seen
    })?;
    ensure!(
        seen[..500].iter().all(|v| *v == 0) && seen[500..].iter().all(|v| *v == 14),
        "{:?}",
        &seen[495..505]
    );
    bench.queue.run(&add, &[500], None, None)?;
    let seen = bench.queue.with_shared(&shared, CL_MAP_READ, |bytes| words(bytes))?;
    ensure!(seen[500..].iter().all(|v| *v == 0x0101_0108), "{:x?}", &seen[495..505]);
    let mut walk = bench.program.kernel("walk")?;
    walk.set_address(0, std::ptr::null::<u8>())?;
    walk.set_address(1, shared.at())?;
    walk.reaches(&[&shared])?;
    bench.queue.run(&walk, &[1], None, None)?;
    add.set_address(0, shared.at().wrapping_add(4000))?;
    bench.queue.run(&add, &[0], None, None)?;
    bench.queue.finish()?;
    Ok(())
}

fn add_to(
    bench: &Bench,
    kernel: &mut Kernel,
    shared: &SvmAllocation,
    offset: usize,
    count: usize,
) -> Result<()> {
    let buffer = bench.context.buffer_in(shared, offset, 4 * count)?;
    kernel.set_buffer(0, &buffer)?;
    bench.queue.run(kernel, &[count], None, None)?;
    let seen = bench.numbers(&buffer, count)?;
    ensure!(seen.iter().all(|v| *v == seen[0]), "{:?}", &seen[..4]);
    Ok(())
}

/// A buffer on an allocation, or on a part of it, shares its memory: writes through either are
/// visible through the other.
fn buffers_on_an_allocation(device: Device) -> Result<()> {
    let bench = Bench::new(device, SOURCE)?;
    let shared = bench.context.share(4096)?;
    bench.queue.with_shared(&shared, CL_MAP_WRITE, |bytes| bytes.fill(0))?;
    let mut add = bench.program.kernel("add")?;
    add.set(1, 3_u32)?;
    add_to(&bench, &mut add, &shared, 0, 1024)?;
    add.set(1, 10_u32)?;
    add_to(&bench, &mut add, &shared, 1024, 256)?;
    add.set_address(0, shared.at().wrapping_add(2048))?;
    add.set(1, 100_u32)?;
    bench.queue.run(&add, &[256], None, None)?;
    let seen = bench.queue.with_shared(&shared, CL_MAP_READ, |bytes| words(bytes))?;
    for (n, value) in seen.iter().enumerate() {
        let wanted = [3, 13, 103, 3][n / 256];
        ensure!(*value == wanted, "{value} at {n} is not {wanted}");
    }
    Ok(())
}

/// Several threads concurrently allocate and free blocks of all sizes; each must find its own
/// contents intact.
fn allocations_of_many_threads(device: Device) -> Result<()> {
    let bench = Bench::new(device, SOURCE)?;
    let one = |thread: u32| -> Result<()> {
        let mut add = bench.program.kernel("add")?;
        add.set(1, thread)?;
        for round in 0..20_u32 {
            let count = 1 + (thread as usize * 977 + round as usize * 3571) % 20000;
            let shared = bench.context.share(4 * count)?;
            bench.queue.with_shared(&shared, CL_MAP_WRITE, |bytes| {
                bytes.fill(u8::try_from(round).unwrap_or(0))
            })?;
            add.set_address(0, shared.at())?;
            bench.queue.run(&add, &[count], None, None)?;
            let seen = bench.queue.with_shared(&shared, CL_MAP_READ, |bytes| words(bytes))?;
            let wanted = round * 0x0101_0101 + thread;
            ensure!(
                seen.iter().all(|v| *v == wanted),
                "thread {thread}, round {round}: {:x?}",
                &seen[..1]
            );
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let all: Vec<_> = (0..4).map(|thread| scope.spawn(move || one(thread))).collect();
        all.into_iter()
            .try_for_each(|t| t.join().unwrap_or_else(|_| Err(anyhow::anyhow!("a thread ended"))))
    })
}

/// An allocation finds an address although the process uses a hole between the device's
/// allocations, in which a device places small blocks first.
fn addresses_in_use(device: Device) -> Result<()> {
    let bench = Bench::new(device, SOURCE)?;
    let page = muxcl_os::page_size();
    let hole = bench.context.share(100 * page)?;
    let _behind = bench.context.share(page)?;
    let start = hole.at().addr();
    drop(hole);
    // `None` if another test was given the hole meanwhile.
    let _own = muxcl_os::Mapping::at(start, 100 * page)?;
    let _all = [bench.context.share(page)?, bench.context.share(page)?];
    Ok(())
}
