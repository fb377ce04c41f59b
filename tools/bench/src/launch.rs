//! Rows about calls: enumeration, launches, small transfers.

use std::fs;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use muxcl_client::sys::{
    CL_DEVICE_EXTENSIONS, CL_DEVICE_MAX_COMPUTE_UNITS, CL_DEVICE_NAME, CL_DEVICE_VERSION,
    CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
};
use muxcl_client::{CommandBuffer, Event, Platform, Queue};

use crate::rows::{Bench, median, median_prepared};

/// Queries platforms, devices and a few of their properties, in a fresh process.
pub(crate) fn enumeration() -> Result<f64> {
    let start = Instant::now();
    for platform in Platform::all()? {
        platform.name()?;
        for device in platform.devices()? {
            device.text(CL_DEVICE_NAME)?;
            device.text(CL_DEVICE_VERSION)?;
            device.text(CL_DEVICE_EXTENSIONS)?;
            device.number(CL_DEVICE_MAX_COMPUTE_UNITS)?;
        }
    }
    Ok(start.elapsed().as_secs_f64())
}

/// The number of mapped files with LLVM, clang or compiler in their name, after a context, a queue
/// and a buffer have been created.
pub(crate) fn llvm_before_build() -> Result<f64> {
    let bench = Bench::new()?;
    let buffer = bench.context.buffer_with(&[0_u8; 64])?;
    bench.queue.write(&buffer, &[1_u8; 64])?;
    let maps = fs::read_to_string("/proc/self/maps")?;
    let mut files: Vec<_> =
        maps.lines().filter_map(|line| line.split_whitespace().nth(5)).collect();
    files.sort_unstable();
    files.dedup();
    let is_compiler = |file: &&&str| {
        ["llvm", "clang", "compiler"].iter().any(|word| file.to_lowercase().contains(word))
    };
    #[expect(clippy::cast_precision_loss, reason = "the number is small")]
    Ok(files.iter().filter(is_compiler).count() as f64)
}

const EMPTY: &str = "kernel void empty(global int *unused) { }";

pub(crate) fn empty() -> Result<f64> {
    let bench = Bench::new()?;
    let buffer = bench.context.buffer_with(&[0_i32; 16])?;
    let mut kernel = bench.kernel(EMPTY, "empty")?;
    kernel.set_buffer(0, &buffer)?;
    median(2000, 5000, || {
        bench.queue.run(&kernel, &[1], Some(&[1]), None)?;
        Ok(bench.queue.finish()?)
    })
}

pub(crate) fn batch() -> Result<f64> {
    let bench = Bench::new()?;
    let buffer = bench.context.buffer_with(&[0_i32; 16])?;
    let mut kernel = bench.kernel(EMPTY, "empty")?;
    kernel.set_buffer(0, &buffer)?;
    let all = median(10, 100, || {
        for _ in 0..1000 {
            bench.queue.run(&kernel, &[1], Some(&[1]), None)?;
        }
        Ok(bench.queue.finish()?)
    })?;
    Ok(all / 1000.0)
}

/// Seconds for each launch of a command buffer with 1000 launches.
pub(crate) fn recorded() -> Result<f64> {
    let bench = Bench::new()?;
    let buffer = bench.context.buffer_with(&[0_i32; 16])?;
    let mut kernel = bench.kernel(EMPTY, "empty")?;
    kernel.set_buffer(0, &buffer)?;
    let list = CommandBuffer::new(&bench.context, &bench.queue, 0)?;
    for _ in 0..1000 {
        list.launch(&kernel, &[1], Some(&[1]), &[])?;
    }
    list.finalize()?;
    let all = median(10, 100, || {
        list.enqueue(None)?;
        Ok(bench.queue.finish()?)
    })?;
    Ok(all / 1000.0)
}

/// A launch of many groups, each of which has little to do.
pub(crate) fn small_groups() -> Result<f64> {
    const ITEMS: usize = 4096;
    let bench = Bench::new()?;
    let buffer = bench.context.buffer_with(&[0_u32; ITEMS])?;
    let source = "kernel void count(global uint *p) { p[get_global_id(0)]++; }";
    let mut kernel = bench.kernel(source, "count")?;
    kernel.set_buffer(0, &buffer)?;
    let time = median(200, 2000, || {
        bench.queue.run(&kernel, &[ITEMS], Some(&[16]), None)?;
        Ok(bench.queue.finish()?)
    })?;
    let mut counts = [0_u32; ITEMS];
    bench.queue.read(&buffer, &mut counts)?;
    ensure!(counts[0] >= 2200 && counts.iter().all(|n| *n == counts[0]), "groups are missing");
    Ok(time)
}

/// Seconds for each of 64 kernels that a kernel enqueues.
pub(crate) fn children() -> Result<f64> {
    const CHILDREN: u32 = 64;
    let bench = Bench::new()?;
    let children = bench.context.device_queue(bench.device, None, true)?;
    let buffer = bench.context.buffer_with(&[0_u32; CHILDREN as usize])?;
    let source = "kernel void parent(queue_t queue, global uint *p, uint n) {
        for (uint i = 0; i < n; i++)
            enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ p[i]++; }); }";
    let program = bench.context.build(bench.device, source, "-cl-std=CL3.0")?;
    let mut kernel = program.kernel("parent")?;
    kernel.set_queue(0, &children)?;
    kernel.set_buffer(1, &buffer)?;
    kernel.set(2, CHILDREN)?;
    let time = median(20, 200, || {
        bench.queue.run(&kernel, &[1], Some(&[1]), None)?;
        Ok(bench.queue.finish()?)
    })?;
    let mut counts = [0_u32; CHILDREN as usize];
    bench.queue.read(&buffer, &mut counts)?;
    ensure!(counts[0] >= 220 && counts.iter().all(|n| *n == counts[0]), "children are missing");
    Ok(time / f64::from(CHILDREN))
}

/// Seconds for each of a million launches; each waits for the event of the previous one.
fn chain_on(bench: &Bench, queue: &Queue) -> Result<f64> {
    const LENGTH: u32 = 1_000_000;
    let buffer = bench.context.buffer_with(&[0_i32; 16])?;
    let mut kernel = bench.kernel(EMPTY, "empty")?;
    kernel.set_buffer(0, &buffer)?;
    let start = Instant::now();
    let mut last: Option<Event> = None;
    for _ in 0..LENGTH {
        let waits: Vec<_> = last.iter().collect();
        last = Some(queue.run_after(&kernel, &[1], &waits)?);
    }
    let time = start.elapsed().as_secs_f64();
    if let Some(last) = last {
        last.wait()?;
    }
    Ok(time / f64::from(LENGTH))
}

pub(crate) fn chain() -> Result<f64> {
    let bench = Bench::new()?;
    chain_on(&bench, &bench.queue)
}

pub(crate) fn chain_out_of_order() -> Result<f64> {
    let bench = Bench::new()?;
    let queue = bench.context.queue(bench.device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)?;
    chain_on(&bench, &queue)
}

const SPIN: &str = "kernel void spin(global uint *p, uint n) { \
    uint a = p[0]; while (n--) a = a * 1664525u + 1013904223u; p[0] = a; }";

/// Two independent kernels of one work-item, each of which takes 100 ms alone on this machine.
pub(crate) fn two_at_once() -> Result<f64> {
    let bench = Bench::new()?;
    let queue = bench.context.queue(bench.device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)?;
    let program = bench.context.build(bench.device, SPIN, "")?;
    let mut kernels = [program.kernel("spin")?, program.kernel("spin")?];
    let buffers =
        [bench.context.buffer_with(&[1_u32; 16])?, bench.context.buffer_with(&[1_u32; 16])?];
    let mut count = 10_000_000_u32;
    for (kernel, buffer) in kernels.iter_mut().zip(&buffers) {
        kernel.set_buffer(0, buffer)?;
        kernel.set(1, count)?;
    }
    let alone = median(1, 5, || {
        bench.queue.run(&kernels[0], &[1], Some(&[1]), None)?;
        Ok(bench.queue.finish()?)
    })?;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the number is a few hundred million"
    )]
    {
        count = (f64::from(count) * (0.1 / alone)) as u32;
    }
    for kernel in &mut kernels {
        kernel.set(1, count)?;
    }
    median(1, 5, || {
        for kernel in &kernels {
            queue.run(kernel, &[1], Some(&[1]), None)?;
        }
        Ok(queue.finish()?)
    })
}

/// Creates a buffer and writes it through another queue while a kernel of tens of milliseconds
/// runs.
pub(crate) fn beside_a_kernel() -> Result<f64> {
    let bench = Bench::new()?;
    let other = bench.context.queue(bench.device, 0)?;
    let buffer = bench.context.buffer_with(&[1_u32; 16])?;
    let mut kernel = bench.kernel(SPIN, "spin")?;
    kernel.set_buffer(0, &buffer)?;
    kernel.set(1, 20_000_000_u32)?;
    let launch = || {
        bench.queue.finish()?;
        bench.queue.run(&kernel, &[1], Some(&[1]), None)?;
        bench.queue.flush()?;
        // The kernel begins.
        std::thread::sleep(Duration::from_millis(2));
        Ok(())
    };
    median_prepared(3, 20, launch, || {
        let data = [7_u8; 4096];
        let buffer = bench.context.buffer_with(&data)?;
        Ok(other.write(&buffer, &data)?)
    })
}

pub(crate) fn large_write_read() -> Result<f64> {
    const BYTES: usize = 64 << 20;
    let bench = Bench::new()?;
    let data = vec![7_u8; BYTES];
    let mut back = vec![1_u8; BYTES];
    let buffer = bench.context.buffer_with(&back)?;
    let time = median(2, 15, || {
        bench.queue.write(&buffer, &data)?;
        Ok(bench.queue.read(&buffer, &mut back)?)
    })?;
    ensure!(data == back, "the read data differs from the written data");
    Ok(time)
}

pub(crate) fn write_read() -> Result<f64> {
    let bench = Bench::new()?;
    let buffer = bench.context.buffer_with(&[0_u8; 4096])?;
    let (data, mut back) = ([7_u8; 4096], [0_u8; 4096]);
    let time = median(500, 3000, || {
        bench.queue.write(&buffer, &data)?;
        Ok(bench.queue.read(&buffer, &mut back)?)
    })?;
    ensure!(data == back, "the read data differs from the written data");
    Ok(time)
}
