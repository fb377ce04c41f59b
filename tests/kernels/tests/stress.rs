//! Eight application threads on shared contexts, queues, programs and buffers, with random actions.
//!
//! The run takes five seconds as a test, a minute with `cargo xtask stress`. Every result is
//! compared; a wrong result or an error ends the run. It uses the driver of the kernel tests. Not
//! here: single calls (`tests/api`).
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program of its own, not a libtest test"
)]

use std::ffi::c_void;
use std::process::ExitCode;
use std::ptr;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use fastrand::Rng;
use muxcl_client::sys::{
    self, CL_MEM_READ_WRITE, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, CL_QUEUE_PROFILING_ENABLE,
};
use muxcl_client::{Buffer, Context, Device, Platform, Program, Queue};

const THREADS: u64 = 8;
const N: usize = 1024;

const SOURCE: &str = "
kernel void scale(global int *data, int factor) { size_t i = get_global_id(0); data[i] = data[i] * factor + 1; }
kernel void rotate(global const int *in, global int *out)
{
    local int tile[64];
    size_t l = get_local_id(0), n = get_local_size(0);
    tile[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tile[(l + 1) % n];
}
kernel void count(global int *total) { atomic_inc(total); }";

/// The objects that all threads share.
struct SharedObjects {
    device: Device,
    context: Context,
    /// Queues: in order, out of order, in order with profiling.
    queues: [Queue; 3],
    program: Program,
    binary: Vec<u8>,
    /// A counter that only kernels of all threads increment.
    total: Buffer,
    counted: AtomicU64,
    called_back: AtomicUsize,
    callbacks: AtomicUsize,
}

impl SharedObjects {
    fn new(device: Device) -> Result<Self> {
        let context = Context::new(device)?;
        let queues = [
            context.queue(device, 0)?,
            context.queue(device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)?,
            context.queue(device, CL_QUEUE_PROFILING_ENABLE)?,
        ];
        let program = context.build(device, SOURCE, "")?;
        let binary = program.binary()?;
        let total = context.buffer_with(&[0_i32])?;
        Ok(Self {
            device,
            context,
            queues,
            program,
            binary,
            total,
            counted: AtomicU64::new(0),
            called_back: AtomicUsize::new(0),
            callbacks: AtomicUsize::new(0),
        })
    }
}

fn check(call: &str, code: i32) -> Result<()> {
    ensure!(code == sys::CL_SUCCESS, "{call}: {code}");
    Ok(())
}

/// One action of an application.
fn step(shared: &SharedObjects, random: &mut Rng) -> Result<()> {
    let queue = &shared.queues[random.usize(..3)];
    match random.u32(..9) {
        0 | 1 => scale(shared, queue, random, &shared.program),
        2 => rotate(shared, queue, random),
        3 => count(shared, queue, random),
        4 => {
            let number = random.u32(..50);
            let source = SOURCE
                .replace("+ 1", "+ 1 + 0")
                .replace("n = get", &format!("unused = {number}, n = get"));
            scale(
                shared,
                queue,
                random,
                &shared.context.build(shared.device, &source, "-cl-std=CL1.2")?,
            )
        }
        5 => scale(
            shared,
            queue,
            random,
            &shared.context.build_binary(shared.device, &shared.binary, "")?,
        ),
        6 => chain(shared, random),
        7 => map(shared, queue, random),
        _ => own_queue(shared, random),
    }
}

fn scale(shared: &SharedObjects, queue: &Queue, random: &mut Rng, program: &Program) -> Result<()> {
    let first = random.i32(0..1000);
    let data: Vec<i32> = (first..).take(N).collect();
    let buffer = shared.context.buffer_with(&data)?;
    let mut kernel = program.kernel("scale")?;
    kernel.set_buffer(0, &buffer)?;
    kernel.set(1, 3_i32)?;
    let local = [None, Some(&[64][..]), Some(&[1][..])][random.usize(..3)];
    queue.run(&kernel, &[N], local, None)?;
    queue.finish()?;
    let mut back = vec![0_i32; N];
    queue.read(&buffer, &mut back)?;
    ensure!(
        back.iter().zip(&data).all(|(found, was)| *found == was * 3 + 1),
        "scale: wrong result"
    );
    Ok(())
}

fn rotate(shared: &SharedObjects, queue: &Queue, random: &mut Rng) -> Result<()> {
    let group = [16_usize, 32, 64][random.usize(..3)];
    let data: Vec<i32> = (0..).take(N).collect();
    let (input, output) =
        (shared.context.buffer_with(&data)?, shared.context.buffer(CL_MEM_READ_WRITE, N * 4)?);
    let mut kernel = shared.program.kernel("rotate")?;
    kernel.set_buffer(0, &input)?;
    kernel.set_buffer(1, &output)?;
    queue.run(&kernel, &[N], Some(&[group]), None)?;
    drop((kernel, input)); // the command keeps the objects that it uses
    queue.finish()?;
    let mut back = vec![0_i32; N];
    queue.read(&output, &mut back)?;
    let right =
        (0..N).all(|i| usize::try_from(back[i]) == Ok(i / group * group + (i % group + 1) % group));
    ensure!(right, "rotate: wrong result");
    Ok(())
}

fn count(shared: &SharedObjects, queue: &Queue, random: &mut Rng) -> Result<()> {
    let mut kernel = shared.program.kernel("count")?;
    kernel.set_buffer(0, &shared.total)?;
    let times = random.u64(1..=40);
    for _ in 0..times {
        queue.run(&kernel, &[64], None, None)?;
    }
    shared.counted.fetch_add(times * 64, Ordering::Relaxed);
    if random.bool() { Ok(queue.flush()?) } else { Ok(queue.finish()?) }
}

extern "C" fn called_back(_: sys::cl_event, _: sys::cl_int, counter: *mut c_void) {
    // SAFETY: `chain` passes the counter of a structure that outlives all events.
    unsafe { &*counter.cast::<AtomicUsize>() }.fetch_add(1, Ordering::Relaxed);
}

/// Counts the completion of `event` in `called_back`.
fn call_back(shared: &SharedObjects, event: sys::cl_event) -> Result<()> {
    shared.callbacks.fetch_add(1, Ordering::Relaxed);
    let counter = (&raw const shared.called_back).cast_mut().cast();
    // SAFETY: a live event; `stress` waits for every callback while the counter is alive, or ends
    // the process.
    check("clSetEventCallback", unsafe {
        sys::clSetEventCallback(event, sys::CL_COMPLETE, Some(called_back), counter)
    })
}

/// A user event delays commands on two queues; a command on the third queue waits for both;
/// callbacks count.
fn chain(shared: &SharedObjects, random: &mut Rng) -> Result<()> {
    let mut code = 0;
    // SAFETY: a live context.
    let gate = unsafe { sys::clCreateUserEvent(shared.context.raw(), &raw mut code) };
    check("clCreateUserEvent", code)?;
    let buffer = shared.context.buffer_with(&vec![0_i32; N])?;
    let pattern = random.i32(0..1 << 20);
    let mut events = [ptr::null_mut(); 3];
    let half = N * 2;
    for (index, event) in events.iter_mut().take(2).enumerate() {
        // SAFETY: a pattern of four bytes, half of the buffer, one event to wait for.
        let code = unsafe {
            sys::clEnqueueFillBuffer(
                shared.queues[index].raw(),
                buffer.raw(),
                (&raw const pattern).cast(),
                4,
                index * half,
                half,
                1,
                &raw const gate,
                event,
            )
        };
        check("clEnqueueFillBuffer", code)?;
    }
    let mut back = vec![0_i32; N];
    // SAFETY: `back` lives until the wait below.
    let code = unsafe {
        sys::clEnqueueReadBuffer(
            shared.queues[2].raw(),
            buffer.raw(),
            0,
            0,
            N * 4,
            back.as_mut_ptr().cast(),
            2,
            events.as_ptr(),
            &raw mut events[2],
        )
    };
    check("clEnqueueReadBuffer", code)?;
    call_back(shared, events[2])?;
    for queue in &shared.queues {
        queue.flush()?;
    }
    // SAFETY: this function's own user event, set once.
    check("clSetUserEventStatus", unsafe { sys::clSetUserEventStatus(gate, sys::CL_COMPLETE) })?;
    // SAFETY: one live event.
    check("clWaitForEvents", unsafe { sys::clWaitForEvents(1, &raw const events[2]) })?;
    for event in events.into_iter().chain([gate]) {
        // SAFETY: one reference each, released once.
        check("clReleaseEvent", unsafe { sys::clReleaseEvent(event) })?;
    }
    ensure!(back.iter().all(|value| *value == pattern), "chain: wrong result");
    Ok(())
}

fn map(shared: &SharedObjects, queue: &Queue, random: &mut Rng) -> Result<()> {
    let buffer = shared.context.buffer(CL_MEM_READ_WRITE, N * 4)?;
    let value = random.i32(0..1 << 20);
    let mut code = 0;
    // SAFETY: a blocking map of the whole buffer.
    let pointer = unsafe {
        sys::clEnqueueMapBuffer(
            queue.raw(),
            buffer.raw(),
            1,
            sys::CL_MAP_WRITE,
            0,
            N * 4,
            0,
            ptr::null(),
            ptr::null_mut(),
            &raw mut code,
        )
    };
    check("clEnqueueMapBuffer", code)?;
    // SAFETY: the mapping has `N` integers, and no other code uses them until it is unmapped.
    unsafe { std::slice::from_raw_parts_mut(pointer.cast::<i32>(), N) }.fill(value);
    // SAFETY: the pointer that the map returned.
    let code = unsafe {
        sys::clEnqueueUnmapMemObject(
            queue.raw(),
            buffer.raw(),
            pointer,
            0,
            ptr::null(),
            ptr::null_mut(),
        )
    };
    check("clEnqueueUnmapMemObject", code)?;
    queue.finish()?;
    let mut back = vec![0_i32; N];
    queue.read(&buffer, &mut back)?;
    ensure!(back.iter().all(|found| *found == value), "map: wrong result");
    Ok(())
}

fn own_queue(shared: &SharedObjects, random: &mut Rng) -> Result<()> {
    let properties = [0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE][random.usize(..2)];
    let queue = shared.context.queue(shared.device, properties)?;
    scale(shared, &queue, random, &shared.program)?;
    count(shared, &queue, random)?;
    // The queue is released while work is pending, and no later call can wait for that work, so a
    // callback reports its end.
    let mut end = ptr::null_mut();
    // SAFETY: a live queue, no events to wait for.
    let code =
        unsafe { sys::clEnqueueMarkerWithWaitList(queue.raw(), 0, ptr::null(), &raw mut end) };
    check("clEnqueueMarkerWithWaitList", code)?;
    call_back(shared, end)?;
    // SAFETY: the one reference that the call above returned.
    check("clReleaseEvent", unsafe { sys::clReleaseEvent(end) })
}

fn stress(seconds: u64) -> Result<()> {
    let platform = *Platform::all()?.first().context("no platform")?;
    for device in platform.devices()? {
        let contexts = [SharedObjects::new(device)?, SharedObjects::new(device)?];
        let end = Instant::now() + Duration::from_secs(seconds);
        let failed = AtomicUsize::new(0);
        let steps = AtomicU64::new(0);
        std::thread::scope(|scope| {
            for thread in 0..THREADS {
                let (contexts, failed, steps) = (&contexts, &failed, &steps);
                scope.spawn(move || {
                    let mut random = Rng::with_seed(thread + 1);
                    while Instant::now() < end && failed.load(Ordering::Relaxed) == 0 {
                        let shared = &contexts[random.usize(..2)];
                        if let Err(error) = step(shared, &mut random) {
                            eprintln!("thread {thread}: {error:#}");
                            failed.fetch_add(1, Ordering::Relaxed);
                        }
                        steps.fetch_add(1, Ordering::Relaxed);
                    }
                });
            }
        });
        if failed.into_inner() > 0 {
            bail!("a thread failed");
        }
        for shared in &contexts {
            for queue in &shared.queues {
                queue.finish()?;
            }
            let (called, wanted) = (&shared.called_back, shared.callbacks.load(Ordering::Relaxed));
            let patience = Instant::now() + Duration::from_secs(10);
            while called.load(Ordering::Relaxed) < wanted && Instant::now() < patience {
                std::thread::sleep(Duration::from_millis(1));
            }
            ensure!(called.load(Ordering::Relaxed) == wanted, "callbacks were lost");
            let mut total = [0_i32];
            shared.queues[0].read(&shared.total, &mut total)?;
            let counted = shared.counted.load(Ordering::Relaxed);
            ensure!(
                u64::try_from(total[0])? == counted,
                "{} work-items counted, {counted} were started",
                total[0]
            );
        }
        println!(
            "{}: {} steps on {THREADS} threads, all right",
            device.name()?,
            steps.into_inner()
        );
    }
    Ok(())
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    let seconds = arguments
        .iter()
        .position(|word| word == "--seconds")
        .and_then(|at| arguments.get(at + 1)?.parse().ok());
    if arguments.iter().any(|word| word == "--list") {
        return ExitCode::SUCCESS;
    }
    // SAFETY: no thread has been started yet.
    let outcome =
        unsafe { muxcl_test_kernels::driver::choose() }.and_then(|_| stress(seconds.unwrap_or(5)));
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
