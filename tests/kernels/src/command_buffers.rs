//! Kernels in command buffers: enqueued repeatedly, changed between enqueues, on queues of both
//! kinds, and with children that they enqueue.

use anyhow::{Result, ensure};
use muxcl_client::sys::{
    CL_COMMAND_BUFFER_MUTABLE_KHR, CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR,
    CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
};
use muxcl_client::{CommandBuffer, Context, Device};

use crate::shared::Test;

pub(crate) const ALL: [(&str, Test); 3] = [
    ("a_recorded_pipeline", a_recorded_pipeline),
    ("launches_change_between_enqueues", launches_change_between_enqueues),
    ("a_launch_changes_while_it_waits", a_launch_changes_while_it_waits),
];

const SOURCE: &str = "
kernel void add(global uint *data, uint n) { data[get_global_id(0)] += n; }
kernel void sum(global const uint *a, global const uint *b, global uint *out) {
    size_t i = get_global_id(0);
    out[i] = a[i] + 2 * b[i];
}";

const ITEMS: usize = 100;
const BYTES: usize = ITEMS * size_of::<u32>();

fn read(queue: &muxcl_client::Queue, buffer: &muxcl_client::Buffer) -> Result<Vec<u32>> {
    let mut data = vec![0; ITEMS];
    queue.read(buffer, &mut data)?;
    Ok(data)
}

/// Fill, two launches that wait for it, a copy, a launch that waits for both: the same result after
/// each enqueue, on any queue of the device, whatever happens to the kernel's arguments meanwhile.
fn a_recorded_pipeline(device: Device) -> Result<()> {
    let context = Context::new(device)?;
    let queue = context.queue(device, 0)?;
    let other = context.queue(device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)?;
    let program = context.build(device, SOURCE, "-cl-std=CL3.0")?;
    let (mut add, mut sum) = (program.kernel("add")?, program.kernel("sum")?);
    let [a, b, out] = [0, 1, 2].map(|_| context.buffer_with(&[7_u32; ITEMS]));
    let (a, b, out) = (a?, b?, out?);
    let list = CommandBuffer::new(&context, &queue, CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR)?;
    let filled = list.fill(&a, 5, BYTES)?;
    add.set_buffer(0, &a)?;
    add.set(1, 3_u32)?;
    let first = list.launch(&add, &[ITEMS], None, &[filled])?;
    add.set(1, 10_u32)?;
    let second = list.launch(&add, &[ITEMS / 2], Some(&[10]), &[first])?;
    let copied = list.copy(&a, &b, BYTES)?;
    sum.set_buffer(0, &a)?;
    sum.set_buffer(1, &b)?;
    sum.set_buffer(2, &out)?;
    list.launch(&sum, &[ITEMS], None, &[second, copied])?;
    list.finalize()?;
    // Has no effect on what was recorded.
    add.set(1, 1000_u32)?;
    sum.set_buffer(0, &out)?;
    drop((add, sum, program));
    for on in [None, Some(&other), None, Some(&queue)] {
        list.enqueue(on)?;
        // An out-of-order queue may run both at once, and they use the same buffers.
        other.finish()?;
        list.enqueue(on)?;
        other.finish()?;
        let data = read(&queue, &out)?;
        let wanted = |i| if i < ITEMS / 2 { 3 * 18 } else { 3 * 8 };
        ensure!(data.iter().enumerate().all(|(i, x)| *x == wanted(i)), "{data:?}");
        queue.write(&out, &[0_u32; ITEMS])?;
    }
    Ok(())
}

/// Arguments and sizes change between enqueues. An update with an error in it changes nothing.
fn launches_change_between_enqueues(device: Device) -> Result<()> {
    let context = Context::new(device)?;
    let queue = context.queue(device, 0)?;
    let program = context.build(device, SOURCE, "-cl-std=CL3.0")?;
    let mut add = program.kernel("add")?;
    let [a, b] = [0, 1].map(|_| context.buffer_with(&[0_u32; ITEMS]));
    let (a, b) = (a?, b?);
    let list = CommandBuffer::new(&context, &queue, CL_COMMAND_BUFFER_MUTABLE_KHR)?;
    add.set_buffer(0, &a)?;
    add.set(1, 1_u32)?;
    let first = list.mutable_launch(&add, &[ITEMS], None)?;
    add.set(1, 100_u32)?;
    let second = list.mutable_launch(&add, &[ITEMS], None)?;
    ensure!(list.update(&[(first, 0, &b, None)]).is_err(), "not before it is finalized");
    list.finalize()?;
    list.enqueue(None)?;
    list.update(&[(first, 0, &b, Some(&[10])), (second, 0, &b, None)])?;
    list.enqueue(None)?;
    // The second change has a wrong index.
    ensure!(list.update(&[(first, 0, &a, None), (second, 9, &a, None)]).is_err());
    list.enqueue(None)?;
    list.update(&[(second, 0, &a, Some(&[0])), (second, 0, &a, Some(&[1]))])?;
    list.enqueue(None)?;
    let (in_a, in_b) = (read(&queue, &a)?, read(&queue, &b)?);
    let wanted_a = |i| if i == 0 { 201 } else { 101 };
    let wanted_b = |i| 200 + if i < 10 { 3 } else { 0 };
    ensure!(in_a.iter().enumerate().all(|(i, x)| *x == wanted_a(i)), "{in_a:?}");
    ensure!(in_b.iter().enumerate().all(|(i, x)| *x == wanted_b(i)), "{in_b:?}");
    Ok(())
}

/// A command buffer that is enqueued again after a change, before the first enqueue has run.
fn a_launch_changes_while_it_waits(device: Device) -> Result<()> {
    let context = Context::new(device)?;
    let queue = context.queue(device, 0)?;
    let program = context.build(device, SOURCE, "-cl-std=CL3.0")?;
    let mut add = program.kernel("add")?;
    let buffers: Vec<_> = (0..8)
        .map(|_| context.buffer_with(&[0_u32; ITEMS]))
        .collect::<muxcl_client::Result<_>>()?;
    let flags = CL_COMMAND_BUFFER_MUTABLE_KHR | CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR;
    let list = CommandBuffer::new(&context, &queue, flags)?;
    add.set_buffer(0, &buffers[0])?;
    add.set(1, 1_u32)?;
    let launch = list.mutable_launch(&add, &[ITEMS], None)?;
    list.finalize()?;
    let gate = context.user_event()?;
    let mut waiting = program.kernel("add")?;
    waiting.set_buffer(0, &buffers[0])?;
    waiting.set(1, 50_u32)?;
    let held = queue.run_after(&waiting, &[ITEMS], &[&gate])?;
    for buffer in &buffers {
        list.update(&[(launch, 0, buffer, None)])?;
        list.enqueue(None)?;
    }
    drop(list);
    gate.set(0)?;
    held.wait()?;
    for (n, buffer) in buffers.iter().enumerate() {
        let data = read(&queue, buffer)?;
        let wanted = if n == 0 { 51 } else { 1 };
        ensure!(data.iter().all(|x| *x == wanted), "{n}: {data:?}");
    }
    Ok(())
}
