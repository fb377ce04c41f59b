//! Two devices in one context: the host, and one with separate memory. Kernels on both, buffers
//! that migrate, events across queues, and a device that faults while the other continues.

use anyhow::{Context as _, Result, ensure};
use libtest_mimic::{Failed, Trial};
use muxcl_client::sys::{
    CL_COMPLETE, CL_DEVICE_ADDRESS_BITS, CL_DEVICE_SVM_CAPABILITIES,
    CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, CL_MEM_READ_WRITE,
};
use muxcl_client::{Buffer, CommandBuffer, Context, Device, Kernel, Program, Queue};

use crate::coarse_svm;

const SOURCE: &str = "
global int counter = 100;
kernel void add(global int *data, int n) { data[get_global_id(0)] += n; }
kernel void twice_and(global int *data, int n)
{
    data[get_global_id(0)] = data[get_global_id(0)] * 2 + n;
}
kernel void sums(global const int *in, global int *out)
{
    local int all[16];
    size_t l = get_local_id(0);
    all[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (size_t step = get_local_size(0) / 2; step; step /= 2) {
        if (l < step) all[l] += all[l + step];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0) out[get_group_id(0)] = all[0];
}
kernel void count(global int *out) { out[0] = counter; counter += 1; }
kernel void recount(global int *out) { out[0] = counter; }
kernel void wild(global int *out, ulong at)
{
    global int *p = (global int *)at;
    out[get_global_id(0)] = *p;
    *p = 1;
}
kernel void endless(global volatile int *stop) { while (!stop[0]) ; }";
const N: usize = 1000;

struct Both {
    context: Context,
    program: Program,
    /// The queues of the host and of the other device.
    queues: [Queue; 2],
}

impl Both {
    fn new(host: Device, other: Device, order: bool) -> Result<Self> {
        let devices = if order { [host, other] } else { [other, host] };
        let context = Context::of(&devices)?;
        let program = context.build_for(&devices, SOURCE, "-cl-std=CL3.0")?;
        Ok(Self { queues: [context.queue(host, 0)?, context.queue(other, 0)?], program, context })
    }

    fn add(&self, buffer: &Buffer, n: i32) -> Result<Kernel> {
        let mut kernel = self.program.kernel("add")?;
        kernel.set_buffer(0, buffer)?;
        kernel.set(1, n)?;
        Ok(kernel)
    }

    fn read(&self, queue: usize, buffer: &Buffer, n: usize) -> Result<Vec<i32>> {
        let mut data = vec![0; n];
        self.queues[queue].read(buffer, &mut data)?;
        Ok(data)
    }
}

fn numbers() -> Vec<i32> {
    (0..).take(N).collect()
}

/// A buffer migrates with the commands that use it, in the order of their events.
fn back_and_forth(host: Device, other: Device) -> Result<()> {
    for order in [true, false] {
        let both = Both::new(host, other, order)?;
        let buffer = both.context.buffer_with(&numbers())?;
        let add = both.add(&buffer, 3)?;
        let mut last = both.queues[0].run_after(&add, &[N], &[])?;
        for round in 1..20 {
            last = both.queues[round % 2].run_after(&add, &[N], &[&last])?;
        }
        last.wait()?;
        for queue in [0, 1] {
            let data = both.read(queue, &buffer, N)?;
            ensure!((0..).zip(&data).all(|(i, v)| *v == i + 60), "queue {queue}: {:?}", &data[..8]);
        }
    }
    Ok(())
}

/// One kernel object with barriers and local memory, run on both devices: each has its own code.
fn one_kernel_on_both(host: Device, other: Device) -> Result<()> {
    let both = Both::new(host, other, true)?;
    let input = both.context.buffer_with(&numbers())?;
    let mut kernel = both.program.kernel("sums")?;
    kernel.set_buffer(0, &input)?;
    for queue in [1, 0, 1] {
        let output = both.context.buffer(CL_MEM_READ_WRITE, 4 * 62)?;
        kernel.set_buffer(1, &output)?;
        both.queues[queue].run(&kernel, &[992], Some(&[16]), None)?;
        let sums = both.read(queue, &output, 62)?;
        let wanted = (0..62).map(|g| (0..16).map(|i| g * 16 + i).sum::<i32>());
        ensure!(wanted.eq(sums.iter().copied()), "queue {queue}: {:?}", &sums[..4]);
    }
    Ok(())
}

/// Program-scope variables: one for each device, shared by all kernels there and kept between
/// launches.
fn variables(host: Device, other: Device) -> Result<()> {
    let both = Both::new(host, other, true)?;
    let output = both.context.buffer(CL_MEM_READ_WRITE, 4)?;
    let (mut count, mut recount) = (both.program.kernel("count")?, both.program.kernel("recount")?);
    count.set_buffer(0, &output)?;
    recount.set_buffer(0, &output)?;
    for (queue, launches) in [(0, 3), (1, 5)] {
        for launch in 0..launches {
            both.queues[queue].run(&count, &[1], Some(&[1]), None)?;
            ensure!(
                both.read(queue, &output, 1)? == [100 + launch],
                "queue {queue}, launch {launch}"
            );
        }
        both.queues[queue].run(&recount, &[1], None, None)?;
        ensure!(
            both.read(queue, &output, 1)? == [100 + launches],
            "queue {queue}: another kernel sees it"
        );
    }
    Ok(())
}

/// A wild pointer ends its kernel, but not the context, the device or the process.
fn wild_pointer(host: Device, other: Device) -> Result<()> {
    let both = Both::new(host, other, true)?;
    let buffer = both.context.buffer_with(&numbers())?;
    let add = both.add(&buffer, 1)?;
    // With 32-bit addresses, the upper half may be allocated memory.
    let wide = [0_u64, 8, 0xdead_beef_0000, u64::MAX - 7];
    let addresses = if other.number(CL_DEVICE_ADDRESS_BITS)? == 32 { [0, 4, 8, 12] } else { wide };
    for at in addresses {
        let mut wild = both.program.kernel("wild")?;
        let output = both.context.buffer(CL_MEM_READ_WRITE, 64)?;
        wild.set_buffer(0, &output)?;
        wild.set(1, at)?;
        let failed = both.queues[1].run_after(&wild, &[16], &[])?;
        let behind = both.queues[0].run_after(&add, &[N], &[&failed])?;
        let free = both.queues[0].run_after(&add, &[N], &[])?;
        let same = both.queues[1].run_after(&add, &[N], &[&free])?;
        ensure!(failed.wait().is_err(), "address {at:#x}: the kernel ran");
        ensure!(failed.status()? < 0, "address {at:#x}: status {}", failed.status()?);
        ensure!(behind.wait().is_err(), "the command that waits for it fails");
        ensure!(
            behind.status()? == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
            "status {}",
            behind.status()?
        );
        same.wait().context("the device continues to work")?;
        ensure!(same.status()? == CL_COMPLETE, "status {}", same.status()?);
    }
    let data = both.read(0, &buffer, N)?;
    ensure!((0..).zip(&data).all(|(i, v)| *v == i + 8), "{:?}", &data[..8]);
    Ok(())
}

/// The device's limit ends a kernel that never terminates, and the device stays usable.
fn endless(host: Device, other: Device) -> Result<()> {
    let both = Both::new(host, other, true)?;
    let buffer = both.context.buffer_with(&numbers())?;
    let add = both.add(&buffer, 1)?;
    let stop = both.context.buffer_with(&[0_i32])?;
    let mut kernel = both.program.kernel("endless")?;
    kernel.set_buffer(0, &stop)?;
    let failed = both.queues[1].run_after(&kernel, &[1], &[])?;
    let meanwhile = both.queues[0].run_after(&add, &[N], &[])?;
    meanwhile.wait()?;
    ensure!(failed.wait().is_err() && failed.status()? < 0, "status {}", failed.status()?);
    both.queues[1].run_after(&add, &[N], &[])?.wait().context("the device continues to work")?;
    let data = both.read(1, &buffer, N)?;
    ensure!((0..).zip(&data).all(|(i, v)| *v == i + 2), "{:?}", &data[..8]);
    Ok(())
}

/// A command buffer with commands for both devices, enqueued repeatedly; its copies with the
/// devices' places exchanged, and with all commands on one device.
fn recorded_on_both(host: Device, other: Device) -> Result<()> {
    let both = Both::new(host, other, true)?;
    let [first, second] = &both.queues;
    let buffer = both.context.buffer_with(&[0_i32; N])?;
    let list = CommandBuffer::of(&both.context, &[first, second], 0)?;
    let mut last = Vec::new();
    for (step, queue) in (0..6).zip([first, second, second].into_iter().cycle()) {
        // Doubling and adding in another order gives another number.
        let mut kernel = both.program.kernel("twice_and")?;
        kernel.set_buffer(0, &buffer)?;
        kernel.set(1, step)?;
        last = vec![list.launch_on(queue, &kernel, &[N], &last)?];
    }
    list.finalize()?;
    let exchanged = list.remap(&[second, first], false)?;
    let on_host = list.remap(&[first], true)?;
    let on_other = list.remap(&[second], true)?;
    let mut expected = 0_i32;
    for list in [&list, &exchanged, &on_host, &on_other, &list] {
        list.enqueue(None)?;
        for step in 0..6 {
            expected = expected.wrapping_mul(2).wrapping_add(step);
        }
        first.finish()?;
        second.finish()?;
        let data = both.read(0, &buffer, N)?;
        ensure!(data == [expected; N], "{:?}, not {expected}", &data[..8]);
    }
    Ok(())
}

/// If the other device has shared virtual memory, it shares it with the host.
fn shared_pointers(host: Device, other: Device) -> Result<()> {
    if other.number(CL_DEVICE_SVM_CAPABILITIES)? == 0 {
        return Ok(());
    }
    coarse_svm::with_host(host, other)
}

type Test = fn(Device, Device) -> Result<()>;

const TESTS: [(&str, Test); 7] = [
    ("back_and_forth", back_and_forth),
    ("one_kernel_on_both", one_kernel_on_both),
    ("variables", variables),
    ("shared_pointers", shared_pointers),
    ("wild_pointer", wild_pointer),
    ("endless", endless),
    ("recorded_on_both", recorded_on_both),
];

/// The tests, with names that begin with `name`.
pub fn trials(name: &str, host: Device, other: Device) -> Vec<Trial> {
    let trial = |(test, run): &(&str, Test)| {
        let run = *run;
        Trial::test(format!("{name}/with-host/{test}"), move || {
            run(host, other).map_err(|error| Failed::from(format!("{error:#}")))
        })
    };
    TESTS.iter().map(trial).collect()
}
