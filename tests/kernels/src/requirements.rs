//! Context properties that affect all kernels: zero-initialized memory (`cl_khr_initialize_memory`)
//! and termination (`cl_khr_terminate_context`). Each test first checks that the device has the
//! extension.

use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::mpsc;
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow, ensure};
use libtest_mimic::{Failed, Trial};
use muxcl_client::sys::{
    CL_COMPLETE, CL_DEVICE_EXTENSIONS, CL_MEM_READ_WRITE, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
};
use muxcl_client::{Context, Device, Event, Program};

const MEMORY_INITIALIZE: isize = 0x2030;
const TERMINATE: isize = 0x2032;
const TERMINATED: i32 = -1121;

/// `dirty` fills with -1 all memory that `look` reads next. The barriers move private arrays from
/// the stack to memory of the work-group.
const MEMORY: &str = "
int deep(int n, global const int *in, int write) {
    int a[16];
    if (write) for (int i = 0; i < 16; i++) a[i] = in[i];
    int sum = 0;
    for (int i = 0; i < 16; i++) sum |= a[(i + n) & 15];
    return sum;
}
kernel void dirty(global const int *in, global int *out, local int *given) {
    local int own[64];
    int a[32], l = get_local_id(0);
    for (int i = 0; i < 32; i++) a[i] = in[i & 15];
    for (int i = l; i < 64; i += get_local_size(0)) own[i] = given[i] = -1;
    barrier(CLK_LOCAL_MEM_FENCE);
    int sum = deep(l, in, in[0]);
    for (int i = 0; i < 32; i++) sum &= a[(i + l) & 31];
    out[get_global_id(0)] = sum & own[63 - l] & given[63 - l];
}
kernel void look(global const int *in, global int *out, local int *given) {
    local int own[64];
    int a[32], never, l = get_local_id(0);
    int4 v;
    v.y = 0;
    if (in[0] == 0) never = a[1] = own[2] = given[3] = 9;
    int sum = 0;
    for (int i = 0; i < 64; i++) sum |= own[i] | given[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 32; i++) sum |= a[(i + l) & 31];
    out[4 * get_global_id(0)] = sum;
    out[4 * get_global_id(0) + 1] = never;
    out[4 * get_global_id(0) + 2] = deep(l, in, in[0] - in[1]);
    out[4 * get_global_id(0) + 3] = v.x | v.y | v.z | v.w;
}";

const GROUP: usize = 8;
const GROUPS: usize = 64;

fn run(
    context: &Context,
    device: Device,
    program: &Program,
    kernel: &str,
    words: usize,
) -> Result<Vec<i32>> {
    let queue = context.queue(device, 0)?;
    let input = context.buffer_with(&[-1_i32; 16])?;
    let mut seen = vec![7_i32; GROUP * GROUPS * words];
    let out = context.buffer_with(&seen)?;
    let mut kernel = program.kernel(kernel)?;
    kernel.set_buffer(0, &input)?;
    kernel.set_buffer(1, &out)?;
    kernel.set_local(2, 64 * 4)?;
    queue.run(&kernel, &[GROUP * GROUPS], Some(&[GROUP]), None)?;
    queue.read(&out, &mut seen)?;
    Ok(seen)
}

/// Memory that other kernels have used reads as zero: for programs built in the context, linked
/// programs, and binaries from elsewhere.
fn zeros(device: Device) -> Result<()> {
    let plain = Context::new(device)?;
    let dirty = plain.build(device, MEMORY, "-cl-std=CL3.0")?;
    let binary = dirty.binary()?;
    for options in ["-cl-std=CL3.0", "-cl-std=CL3.0 -cl-opt-disable"] {
        for from_binary in [false, true] {
            let context = Context::with(device, &[(MEMORY_INITIALIZE, 3)])?;
            let program = if from_binary {
                context.build_binary(device, &binary, "")?
            } else {
                context.build(device, MEMORY, options)?
            };
            for _ in 0..3 {
                let left = run(&plain, device, &dirty, "dirty", 1)?;
                ensure!(left.iter().all(|v| *v == -1), "what is left behind: {left:?}");
                let seen = run(&context, device, &program, "look", 4)?;
                // In code compiled without initialization, an undefined value may be any constant,
                // and its store may be missing.
                let fine = |four: &[i32]| match from_binary {
                    true => {
                        four[0] == 0
                            && [0, 9].contains(&four[1])
                            && four[2] == 0
                            && [0, 7].contains(&four[3])
                    }
                    false => four == [0; 4],
                };
                ensure!(seen.chunks(4).all(fine), "{options}, binary {from_binary}: {seen:?}");
            }
        }
    }
    if device.features()?.iter().any(|f| f == "__opencl_c_device_enqueue") {
        of_children(device, &plain, &dirty)?;
    }
    // The context requested initialization of local memory only.
    let context = Context::with(device, &[(MEMORY_INITIALIZE, 1)])?;
    let source = "kernel void look(global const int *in, global int *out, local int *given) {
        local int own[64];
        if (in[0] == 0) own[1] = 5;
        int sum = 0;
        for (int i = 0; i < 64; i++) sum |= own[i] | given[i];
        out[get_global_id(0)] = sum;
    }";
    let program = context.build(device, source, "-cl-std=CL3.0")?;
    run(&plain, device, &dirty, "dirty", 1)?;
    let seen = run(&context, device, &program, "look", 1)?;
    ensure!(seen.iter().all(|v| *v == 0), "{seen:?}");
    Ok(())
}

/// The memory of kernels that other kernels enqueue.
fn of_children(device: Device, plain: &Context, dirty: &Program) -> Result<()> {
    let source = "
        void look(global const int *in, global int *out, local int *own, local int *given) {
            int a[32], never, l = get_local_id(0);
            if (in[0] == 0) never = a[1] = own[2] = given[3] = 9;
            int sum = 0;
            for (int i = 0; i < 64; i++) sum |= own[i] | given[i];
            barrier(CLK_LOCAL_MEM_FENCE);
            for (int i = 0; i < 32; i++) sum |= a[(i + l) & 31];
            out[2 * get_global_id(0)] = sum;
            out[2 * get_global_id(0) + 1] = never;
        }
        kernel void start(global const int *in, global int *out, local int *unused) {
            void (^block)(local void *, local void *) = ^(local void *own, local void *given) {
                look(in, out, own, given);
            };
            if (get_global_id(0) == 0)
                enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(512, 8), block, 64 * 4, 64 * 4);
        }";
    let context = Context::with(device, &[(MEMORY_INITIALIZE, 3)])?;
    let _children = context.device_queue(device, None, true)?;
    let program = context.build(device, source, "-cl-std=CL3.0")?;
    for _ in 0..3 {
        run(plain, device, dirty, "dirty", 1)?;
        let seen = run(&context, device, &program, "start", 2)?;
        ensure!(seen.iter().all(|v| *v == 0), "memory of children: {seen:?}");
    }
    Ok(())
}

/// Endless loops: in a kernel, in a function, between barriers, and in vectorized code.
const ENDLESS: &str = "
__attribute__((noinline)) int spin(volatile global int *go) { int n = 0; while (*go) n++; return n; }
kernel void plain(volatile global int *go, global int *out) {
    go[1] = 1;
    while (*go) ;
    out[get_global_id(0)] = 1;
}
kernel void function(volatile global int *go, global int *out) {
    go[1] = 1;
    out[spin(go)] = 1;
}
kernel void barriers(volatile global int *go, global int *out) {
    local int all[8];
    int l = get_local_id(0);
    go[1] = 1;
    for (;;) {
        all[l] = *go;
        barrier(CLK_LOCAL_MEM_FENCE);
        int sum = 0;
        for (int i = 0; i < 8; i++) sum += all[i];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (sum == 0) break;
    }
    out[get_global_id(0)] = 1;
}
kernel void long_one(volatile global int *go, global int *out) {
    go[1] = 1;
    for (ulong i = 0; i < 1000000000000UL; i++) out[i & 7] += (int)i;
}
kernel void many(volatile global int *go, global int *out) {
    go[1] = 1;
    out[get_global_id(0) & 7] = 1;
}
kernel void short_one(global int *go, global int *out) { out[get_global_id(0)] = 3; }";

/// The same for child kernels on devices with device-side enqueue: one with an endless loop, one
/// that enqueues itself again and again, and one that waits for an event that never completes.
const FAMILIES: &str = "
void again(volatile global int *go, queue_t q) {
    go[1] = 1;
    if (*go) enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ again(go, q); });
}
kernel void endless_child(volatile global int *go, global int *out) {
    if (get_global_id(0) == 0)
        enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(8), ^{ go[1] = 1; while (*go) ; });
}
kernel void heirs(volatile global int *go, global int *out) {
    if (get_global_id(0) == 0) again(go, get_default_queue());
}
kernel void in_vain(volatile global int *go, global int *out) {
    if (get_global_id(0) == 0) {
        queue_t q = get_default_queue();
        clk_event_t never = create_user_event(), marker;
        enqueue_marker(q, 1, &never, &marker);
        enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(8), 1, &marker, NULL, ^{ out[0] = 1; });
        enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ go[1] = 1; });
        release_event(marker);
    }
}";

fn terminate(device: Device) -> Result<()> {
    for name in ["plain", "function", "barriers", "long_one", "many"] {
        for properties in [0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE] {
            within(name, move || one_end(device, ENDLESS.into(), name, properties))?;
        }
    }
    if device.features()?.iter().any(|f| f == "__opencl_c_device_enqueue") {
        for name in ["endless_child", "heirs", "in_vain"] {
            within(name, move || one_end(device, format!("{ENDLESS}{FAMILIES}"), name, 0))?;
        }
    }
    Ok(())
}

/// Runs `work` and fails if it takes too long, because a kernel that is not stopped runs for ever.
fn within(what: &str, work: impl FnOnce() -> Result<()> + Send + 'static) -> Result<()> {
    let (done, wait) = mpsc::channel();
    std::thread::spawn(move || drop(done.send(work())));
    wait.recv_timeout(Duration::from_secs(60))
        .with_context(|| format!("{what} has not been stopped"))?
}

fn one_end(device: Device, source: String, name: &str, properties: u64) -> Result<()> {
    let context = Context::with(device, &[(TERMINATE, 1)])?;
    let program = context.build(device, &source, "-cl-std=CL3.0")?;
    let queue = context.queue(device, properties)?;
    let _children =
        if source == ENDLESS { None } else { Some(context.device_queue(device, None, true)?) };
    // The kernel signals that it runs.
    let words: &'static [AtomicI32; 2] =
        Box::leak(Box::new([AtomicI32::new(1), AtomicI32::new(0)]));
    let go = context.buffer_at(words)?;
    let out = context.buffer(CL_MEM_READ_WRITE, 4 << 10)?;
    let kernel = |name: &str| -> Result<_> {
        let mut kernel = program.kernel(name)?;
        kernel.set_buffer(0, &go)?;
        kernel.set_buffer(1, &out)?;
        Ok(kernel)
    };
    let late = kernel("short_one")?;
    let gate = context.user_event()?;
    // A command that completes, the endless kernel, and a command behind it: only the termination
    // can end the last two.
    let before = queue.run_event(&kernel("short_one")?, &[8], None)?;
    before.wait()?;
    let size = if name == "many" { 1 << 40 } else { 64 };
    let endless = queue.run_event(&kernel(name)?, &[size], Some(&[8]))?;
    let behind = queue.run_after(&kernel("short_one")?, &[8], &[&endless])?;
    let gated = queue.run_after(&kernel("short_one")?, &[8], &[&gate])?;
    queue.flush()?;
    while words[1].load(Ordering::SeqCst) == 0 {
        std::thread::yield_now();
    }
    std::thread::scope(|scope| {
        // Termination also releases a thread that already waits in `clFinish`.
        let finish = scope.spawn(|| queue.finish());
        std::thread::sleep(Duration::from_millis(20));
        context.terminate()?;
        finish.join().map_err(|_| anyhow!("a thread panicked"))??;
        Ok::<_, anyhow::Error>(())
    })?;
    let events: [&Event; 3] = [&endless, &behind, &gated];
    for (n, event) in events.iter().enumerate() {
        ensure!(
            event.status()? == TERMINATED,
            "{name}: command {n} has status {}",
            event.status()?
        );
        ensure!(event.wait().is_err(), "{name}: command {n} has not failed");
        ensure!(
            event.status()? == TERMINATED,
            "{name}: command {n} has status {} at the end",
            event.status()?
        );
    }
    ensure!(before.status()? == CL_COMPLETE, "what was complete stays so");
    queue.finish()?;
    ensure!(queue.run_event(&late, &[8], None).is_err(), "a command of a terminated context");
    ensure!(kernel("short_one").is_err(), "a kernel of a terminated context");
    ensure!(context.buffer(CL_MEM_READ_WRITE, 4).is_err(), "a buffer of a terminated context");
    // The awaited event completes after all.
    gate.set(CL_COMPLETE)?;
    ensure!(gated.status()? == TERMINATED);
    ensure!(context.terminate().is_err(), "terminated twice");
    // The device still works for other contexts.
    let other = Context::new(device)?;
    let program = other.build(device, ENDLESS, "-cl-std=CL3.0")?;
    let out = other.buffer_with(&[0_i32; 8])?;
    let mut short = program.kernel("short_one")?;
    short.set_buffer(0, &out)?;
    short.set_buffer(1, &out)?;
    let queue = other.queue(device, 0)?;
    let mut seen = [0_i32; 8];
    queue.run(&short, &[8], None, None)?;
    queue.read(&out, &mut seen)?;
    ensure!(seen == [3; 8], "{seen:?}");
    Ok(())
}

type Test = fn(Device) -> Result<()>;

/// The tests of a device.
pub fn trials(target: &str, device: Device) -> Vec<Trial> {
    let mut trials = Vec::new();
    let list = device.text(CL_DEVICE_EXTENSIONS).unwrap_or_default();
    let tests: [(&str, &str, Test); 2] = [
        ("cl_khr_initialize_memory", "zeros", zeros),
        ("cl_khr_terminate_context", "terminate", terminate),
    ];
    for (extension, name, test) in tests {
        if list.split(' ').any(|e| e == extension) {
            trials.push(Trial::test(format!("{target}/requirements/{name}"), move || {
                test(device).map_err(|error| Failed::from(format!("{error:#}")))
            }));
        }
    }
    trials
}
