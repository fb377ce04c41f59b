//! Kernels that enqueue kernels, as an application uses them: linked programs, changing default
//! queues, profiling times, memory use, sub-devices and many concurrent launches, on the host and
//! on RefSi. `cl/enqueue` tests the functions that kernels call.

use std::process::ExitCode;

use anyhow::{Context as _, Result, ensure};
use libtest_mimic::{Failed, Trial};
use muxcl_client::sys::CL_QUEUE_PROFILING_ENABLE;
use muxcl_client::{Context, Device, Platform, Program, Queue};
use muxcl_test_kernels::driver;

type Test = fn(Device) -> Result<()>;

const TESTS: &[(&str, Test)] = &[
    ("blocks_of_static_functions_link", link),
    ("the_default_queue_may_change", other_default),
    ("children_end_after_their_parent", times),
    ("many_children_leave_nothing", leave_nothing),
    ("short_children_run_together", short),
    ("sub_devices_run_their_own", sub_devices),
    ("many_launches_at_once", many),
    ("other_commands_set_what_children_wait_for", across_commands),
    ("events_go_with_their_queue", orphans),
];
/// Tests that are too slow for a simulator, or that need children which run concurrently with their
/// parent.
const NOT_BEHIND_A_HAL: &[&str] = &["many_children_leave_nothing", "short_children_run_together"];
const OPTIONS: &str = "-cl-std=CL3.0";

fn main() -> ExitCode {
    for (name, value) in
        [("MUXCL_DEVICES", "host,hal"), ("CA_HAL_DEVICE", "refsi"), ("HAL_REFSI_SOC", "g1")]
    {
        // SAFETY: no thread has been started yet.
        unsafe { muxcl_client::set_variable(name, value) };
    }
    // SAFETY: as above.
    unsafe { driver::run(trials) }
}

/// On the host, then on a device behind a HAL.
fn trials() -> Result<Vec<Trial>> {
    let mut trials = Vec::new();
    for device in Platform::all()?.first().context("no platform")?.devices()? {
        let of_host = trials.is_empty();
        ensure!(
            device.features()?.iter().any(|f| f == "__opencl_c_device_enqueue"),
            "a device that cannot enqueue"
        );
        for (name, test) in
            TESTS.iter().filter(|(name, _)| of_host || !NOT_BEHIND_A_HAL.contains(name))
        {
            let name = format!("{}/{name}", if of_host { "host" } else { "hal" });
            let test = *test;
            trials.push(Trial::test(name, move || {
                test(device).map_err(|error| Failed::from(format!("{error:#}")))
            }));
        }
    }
    Ok(trials)
}

/// The buffer of `N` zeros after `kernel` has run on it.
fn run<const N: usize>(
    context: &Context,
    queue: &Queue,
    program: &Program,
    kernel: &str,
) -> Result<[i32; N]> {
    let buffer = context.buffer_with(&[0_i32; N])?;
    let mut kernel = program.kernel(kernel)?;
    kernel.set_buffer(0, &buffer)?;
    queue.run(&kernel, &[1], None, None)?;
    let mut out = [0; N];
    queue.read(&buffer, &mut out)?;
    Ok(out)
}

fn link(device: Device) -> Result<()> {
    let context = Context::new(device)?;
    let part = |number: i32| {
        format!(
            "static void f(global int *a) {{ enqueue_kernel(get_default_queue(), 1, ndrange_1D(1), ^{{ a[0] = {number}; }}); }}
             kernel void k{number}(global int *a) {{ f(a); }}"
        )
    };
    let program = context.link(device, &[&part(1), &part(2)], OPTIONS)?;
    let queue = context.queue(device, 0)?;
    let _default = context.device_queue(device, None, true)?;
    ensure!(
        run(&context, &queue, &program, "k1")? == [1]
            && run(&context, &queue, &program, "k2")? == [2]
    );
    Ok(())
}

fn other_default(device: Device) -> Result<()> {
    let context = Context::new(device)?;
    let source = "kernel void k(global int *a, queue_t q) {
        a[0] = get_default_queue() == q;
        a[1] = enqueue_kernel(get_default_queue(), 0, ndrange_1D(1), ^{ a[2] = 1; });
    }";
    let program = context.build(device, source, OPTIONS)?;
    let queue = context.queue(device, 0)?;
    let buffer = context.buffer_with(&[0_i32; 3])?;
    let mut kernel = program.kernel("k")?;
    let first = context.device_queue(device, Some(4096), true)?;
    let second = context.device_queue(device, Some(4096), false)?;
    kernel.set_buffer(0, &buffer)?;
    kernel.set_queue(1, &second)?;
    let launch = || -> Result<[i32; 3]> {
        queue.write(&buffer, &[0_i32; 3])?;
        queue.run(&kernel, &[1], None, None)?;
        let mut out = [0; 3];
        queue.read(&buffer, &mut out)?;
        Ok(out)
    };
    ensure!(launch()? == [0, 0, 1], "the first queue");
    // SAFETY: live objects of the same context.
    let code = unsafe {
        muxcl_client::sys::clSetDefaultDeviceCommandQueue(context.raw(), device.raw(), second.raw())
    };
    ensure!(code == 0 && launch()? == [1, 0, 1], "the second queue");
    drop(first);
    ensure!(launch()? == [1, 0, 1], "the second queue still");
    Ok(())
}

fn times(device: Device) -> Result<()> {
    let context = Context::new(device)?;
    let source = "kernel void k(global int *a) {
        enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{
            for (int i = 0; i < 1000000; i++) atomic_inc((volatile global int *)a);
        });
    }";
    let program = context.build(device, source, OPTIONS)?;
    let queue = context.queue(device, CL_QUEUE_PROFILING_ENABLE)?;
    let _default = context.device_queue(device, None, true)?;
    let buffer = context.buffer_with(&[0_i32])?;
    let mut kernel = program.kernel("k")?;
    kernel.set_buffer(0, &buffer)?;
    let event = queue.run_event(&kernel, &[1], None)?;
    event.wait()?;
    let [end, complete] = event.durations()?;
    let mut out = [0];
    queue.read(&buffer, &mut out)?;
    // A million locked additions take longer than the interval between two clock reads.
    ensure!(
        out == [1_000_000] && complete >= end + 1_000_000,
        "{out:?}: end {end}, complete {complete}"
    );
    Ok(())
}

/// Resident memory of this process in bytes.
fn resident() -> Result<u64> {
    let text = std::fs::read_to_string("/proc/self/statm")?;
    Ok(text.split_whitespace().nth(1).context("statm")?.parse::<u64>()? * 4096)
}

fn leave_nothing(device: Device) -> Result<()> {
    let context = Context::new(device)?;
    let source = "
        void down(global int *out, int depth) {
            out[0] += 1;
            if (depth > 0) enqueue_kernel(get_default_queue(), 1, ndrange_1D(1), ^{ down(out, depth - 1); });
        }
        kernel void deep(global int *out) { down(out, 99999); }
        kernel void wide(global int *out) {
            clk_event_t end;
            for (int i = 0; i < 100000; i++) {
                while (enqueue_kernel(get_default_queue(), 0, ndrange_1D(1), 0, NULL, &end, ^{
                    atomic_inc((volatile global int *)out);
                }) != CLK_SUCCESS);
                release_event(end);
            }
        }";
    let program = context.build(device, source, OPTIONS)?;
    let queue = context.queue(device, 0)?;
    let _default = context.device_queue(device, Some(1 << 16), true)?;
    // The resident memory of the process, in bytes, after each round. The first round also compiles
    // the kernels. Other tests run at the same time. They may increase the memory during one round,
    // but hardly during each, so the check takes the smallest growth.
    let mut sizes = Vec::new();
    for _ in 0..4 {
        ensure!(run(&context, &queue, &program, "deep")? == [100_000]);
        ensure!(run(&context, &queue, &program, "wide")? == [100_000]);
        sizes.push(resident()?);
    }
    // A child needs over a hundred bytes: two hundred thousand of them would need over 20 MB.
    let growth = sizes.windows(2).map(|w| w[1].saturating_sub(w[0])).min();
    ensure!(growth.is_some_and(|bytes| bytes < 8 << 20), "sizes of the process: {sizes:?}");
    // Runs after the measurement, because its memory must not count.
    long_line(device)
}

/// A child's event completes only after the events of all its descendants.
fn long_line(device: Device) -> Result<()> {
    let context = Context::new(device)?;
    let source = "
        void down(global int *out, int depth) {
            clk_event_t end;
            out[0] += 1;
            if (depth == 0) return;
            enqueue_kernel(get_default_queue(), 1, ndrange_1D(1), 0, NULL, &end, ^{ down(out, depth - 1); });
            release_event(end);
        }
        kernel void line(global int *out) { down(out, 199999); }";
    let program = context.build(device, source, OPTIONS)?;
    let queue = context.queue(device, 0)?;
    let _default = context.device_queue(device, Some(1 << 16), true)?;
    ensure!(run(&context, &queue, &program, "line")? == [200_000]);
    Ok(())
}

/// Children of a microsecond, from one work-item and from many groups, in a queue that they fill;
/// and children that are short except for some.
fn short(device: Device) -> Result<()> {
    let context = Context::new(device)?;
    let source = "
        kernel void one(global int *out) {
            for (int i = 0; i < 3000; i++)
                while (enqueue_kernel(get_default_queue(), 0, ndrange_1D(1), ^{
                    atomic_inc((volatile global int *)out);
                }) != CLK_SUCCESS);
        }
        void spend(global int *out, int rounds) {
            int x = rounds;
            for (int n = 0; n < rounds; n++) x = x * 1664525 + 1013904223;
            atomic_add((volatile global int *)out, 1 + (x == rounds + 1));
        }
        kernel void mixed(global int *out) {
            for (int i = 0; i < 300; i++) {
                int rounds = i % 100 == 99 ? 3000000 : 1;
                while (enqueue_kernel(get_default_queue(), 0, ndrange_1D(1), ^{
                    spend(out, rounds);
                }) != CLK_SUCCESS);
            }
        }
        kernel void groups(global int *out) {
            enqueue_kernel(get_default_queue(), 0, ndrange_1D(1), ^{
                atomic_inc((volatile global int *)out);
            });
        }";
    let program = context.build(device, source, OPTIONS)?;
    let queue = context.queue(device, 0)?;
    let _default = context.device_queue(device, Some(1 << 14), true)?;
    // The queue learns in the first rounds that its kernels are short.
    for _ in 0..20 {
        ensure!(run(&context, &queue, &program, "one")? == [3000]);
        ensure!(run(&context, &queue, &program, "mixed")? == [300]);
    }
    let mut groups = program.kernel("groups")?;
    let out = context.buffer_with(&[0_i32])?;
    groups.set_buffer(0, &out)?;
    for _ in 0..100 {
        queue.run(&groups, &[32], Some(&[1]), None)?;
    }
    let mut count = [0_i32];
    queue.read(&out, &mut count)?;
    ensure!(count == [3200], "{count:?}");
    Ok(())
}

fn sub_devices(device: Device) -> Result<()> {
    let Ok(parts) = device.divide(1) else { return Ok(()) };
    let context = Context::of(&parts)?;
    let source = "kernel void k(global int *a) {
        enqueue_kernel(get_default_queue(), 0, ndrange_1D(8), ^{ a[get_global_id(0)] += 1; });
    }";
    let program = context.build_for(&parts, source, OPTIONS)?;
    for part in &parts {
        let queue = context.queue(*part, 0)?;
        ensure!(run::<8>(&context, &queue, &program, "k")? == [0; 8], "there is no default queue");
        let _default = context.device_queue(*part, None, true)?;
        ensure!(run::<8>(&context, &queue, &program, "k")? == [1; 8], "there is one");
    }
    Ok(())
}

fn many(device: Device) -> Result<()> {
    let context = Context::new(device)?;
    let source = "
        void grow(global int *a, int depth) {
            atomic_inc((volatile global int *)a);
            for (int i = 0; depth > 0 && i < 3; i++)
                enqueue_kernel(get_default_queue(), i, ndrange_1D(1), ^{ grow(a, depth - 1); });
        }
        kernel void k(global int *a) { grow(a, 5); }";
    let program = context.build(device, source, OPTIONS)?;
    let _default = context.device_queue(device, None, true)?;
    std::thread::scope(|scope| {
        let one = || -> Result<()> {
            let queue = context.queue(device, 0)?;
            for _ in 0..50 {
                ensure!(run(&context, &queue, &program, "k")? == [364]);
            }
            Ok(())
        };
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(one)).collect();
        threads
            .into_iter()
            .try_for_each(|t| t.join().map_err(|_| anyhow::anyhow!("a thread panicked"))?)
    })
}

/// A child waits for a user event that the kernel of another command sets. The commands are on two
/// queues, so no other dependency orders them.
fn across_commands(device: Device) -> Result<()> {
    let context = Context::new(device)?;
    let source = "
        kernel void begin(global int *a) {
            global clk_event_t *kept = (global clk_event_t *)(a + 4);
            queue_t q = get_default_queue();
            kept[0] = create_user_event();
            kept[1] = create_user_event();
            int right = enqueue_kernel(q, 0, ndrange_1D(1), 1, kept, NULL, ^{ a[1] += 1; });
            int wrong = enqueue_kernel(q, 0, ndrange_1D(1), 1, kept + 1, NULL, ^{ a[2] += 1; });
            a[0] = right == CLK_SUCCESS && wrong == CLK_SUCCESS;
        }
        kernel void go_on(global int *a) {
            global clk_event_t *kept = (global clk_event_t *)(a + 4);
            a[3] = is_valid_event(kept[0]) + 2 * is_valid_event(kept[1]);
            set_user_event_status(kept[0], CL_COMPLETE);
            set_user_event_status(kept[1], -7);
            release_event(kept[0]);
            release_event(kept[1]);
        }";
    let program = context.build(device, &source.replace("CL_COMPLETE", "0"), OPTIONS)?;
    let _default = context.device_queue(device, Some(4096), true)?;
    let (first, second) =
        (context.queue(device, CL_QUEUE_PROFILING_ENABLE)?, context.queue(device, 0)?);
    // Enough repetitions to fill the queue if each left something in it.
    for _ in 0..40 {
        let buffer = context.buffer_with(&[0_i32; 8])?;
        let [mut begin, mut go_on] = [program.kernel("begin")?, program.kernel("go_on")?];
        begin.set_buffer(0, &buffer)?;
        go_on.set_buffer(0, &buffer)?;
        let family = first.run_event(&begin, &[1], None)?;
        first.flush()?;
        let mut out = [0_i32; 4];
        while out[0] == 0 {
            second.read(&buffer, &mut out)?;
        }
        ensure!(out == [1, 0, 0, 0] && family.status()? > 0, "before the events: {out:?}");
        second.run(&go_on, &[1], None, None)?;
        second.flush()?;
        family.wait()?;
        second.read(&buffer, &mut out)?;
        ensure!(out == [1, 1, 0, 3], "after them: {out:?}");
    }
    Ok(())
}

/// A user event belongs to the default queue, or to the launch if there is none. A command that
/// waits for an event of a released owner does not wait for ever.
fn orphans(device: Device) -> Result<()> {
    let context = Context::new(device)?;
    let source = "
        kernel void make(global int *a) { *(global clk_event_t *)(a + 4) = create_user_event(); }
        kernel void see(global int *a) { a[0] = is_valid_event(*(global clk_event_t *)(a + 4)); }
        kernel void await(global int *a) {
            a[1] = 1 + enqueue_kernel(get_default_queue(), 0, ndrange_1D(1), 1, (global clk_event_t *)(a + 4), NULL, ^{ a[2] = 1; });
        }";
    let program = context.build(device, source, OPTIONS)?;
    let (queue, other) = (context.queue(device, 0)?, context.queue(device, 0)?);
    let buffer = context.buffer_with(&[0_i32; 8])?;
    let kernel = |name: &str| -> Result<_> {
        let mut kernel = program.kernel(name)?;
        kernel.set_buffer(0, &buffer)?;
        Ok(kernel)
    };
    let waits = kernel("await")?;
    let seen = |queue: &Queue| -> Result<[i32; 3]> {
        let mut out = [0; 3];
        queue.read(&buffer, &mut out)?;
        Ok(out)
    };
    // New kernel objects, because a kernel keeps the queue of its last launch alive.
    let valid = || -> Result<bool> {
        queue.run(&kernel("make")?, &[1], None, None)?;
        queue.run(&kernel("see")?, &[1], None, None)?;
        Ok(seen(&queue)?[0] == 1)
    };
    ensure!(!valid()?, "a launch's event outlives it");
    let first = context.device_queue(device, None, true)?;
    ensure!(valid()?, "a launch deleted an event of its queue");
    let second = context.device_queue(device, None, false)?;
    // SAFETY: live objects of the same context.
    let code = unsafe {
        muxcl_client::sys::clSetDefaultDeviceCommandQueue(context.raw(), device.raw(), second.raw())
    };
    ensure!(code == 0);
    let event = queue.run_event(&waits, &[1], None)?;
    queue.flush()?;
    while seen(&other)?[1] == 0 {}
    ensure!(seen(&other)? == [1, 1, 0] && event.status()? > 0, "it waits: {:?}", seen(&other)?);
    drop(first);
    event.wait()?;
    ensure!(seen(&other)? == [1, 1, 0], "{:?}", seen(&other)?);
    Ok(())
}
