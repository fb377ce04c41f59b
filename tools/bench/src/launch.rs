//! What a call costs: enumeration, launches, small transfers.

use std::fs;
use std::time::Instant;

use anyhow::{Result, ensure};
use muxcl_client::Platform;
use muxcl_client::sys::{CL_DEVICE_EXTENSIONS, CL_DEVICE_MAX_COMPUTE_UNITS, CL_DEVICE_NAME, CL_DEVICE_VERSION};

use crate::rows::{Bench, median};

/// Platforms, devices and a few of their properties, from nothing.
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

/// How many files with LLVM, clang or a compiler in their name are mapped once there is a context, a queue and a buffer.
pub(crate) fn llvm_before_build() -> Result<f64> {
    let bench = Bench::new()?;
    let buffer = bench.context.buffer_with(&[0_u8; 64])?;
    bench.queue.write(&buffer, &[1_u8; 64])?;
    let maps = fs::read_to_string("/proc/self/maps")?;
    let mut files: Vec<_> = maps.lines().filter_map(|line| line.split_whitespace().nth(5)).collect();
    files.sort_unstable();
    files.dedup();
    let is_compiler =
        |file: &&&str| ["llvm", "clang", "compiler"].iter().any(|word| file.to_lowercase().contains(word));
    #[expect(clippy::cast_precision_loss, reason = "a handful")]
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

pub(crate) fn write_read() -> Result<f64> {
    let bench = Bench::new()?;
    let buffer = bench.context.buffer_with(&[0_u8; 4096])?;
    let (data, mut back) = ([7_u8; 4096], [0_u8; 4096]);
    let time = median(500, 3000, || {
        bench.queue.write(&buffer, &data)?;
        Ok(bench.queue.read(&buffer, &mut back)?)
    })?;
    ensure!(data == back, "what was read is not what was written");
    Ok(time)
}
