//! The rows of the table, and the loop that measures a row.

use std::time::Instant;

use anyhow::{Context as _, Result};
use muxcl_client::{Context, Device, Kernel, Platform, Queue};

use crate::{compile, compute, images, launch};

/// A row of the table.
pub(crate) struct Row {
    pub(crate) name: &'static str,
    /// The documented upper bound for the first driver, in seconds.
    pub(crate) limit: Option<f64>,
    pub(crate) cache: Cache,
    /// Measures in this process; returns seconds.
    pub(crate) measure: fn() -> Result<f64>,
}

/// The disk cache of compile results.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cache {
    /// Off.
    Off,
    /// On, and another process has built the same program before.
    Filled,
}

const fn row(name: &'static str, limit: Option<f64>, measure: fn() -> Result<f64>) -> Row {
    Row { name, limit, cache: Cache::Off, measure }
}

/// Every row, in the table's order.
pub(crate) const ALL: &[Row] = &[
    row("enumeration", Some(2e-3), launch::enumeration),
    row("LLVM libraries before a build", Some(0.0), launch::llvm_before_build),
    row("build 1 line + run, cold", Some(15e-3), compile::cold),
    Row {
        name: "build 1 line + run, disk cache",
        limit: Some(1.5e-3),
        cache: Cache::Filled,
        measure: compile::cached,
    },
    row("build 1 line + run, warm process", None, compile::warm),
    row("call of the library in 1 line, extra", Some(1e-3), compile::library),
    row("build 8 math kernels, cold", None, compile::math),
    row("build 16 programs, 1 thread", None, compile::one_thread),
    row("build 16 programs, 2 threads", None, compile::two_threads),
    row("empty kernel, enqueue + finish", Some(3e-6), launch::empty),
    row("empty kernel, 1000 in a batch, each", Some(0.6e-6), launch::batch),
    row("1 M chained events, enqueue each", Some(0.6e-6), launch::chain),
    row("1 M chained events, out of order, enqueue each", None, launch::chain_out_of_order),
    row("two 100 ms kernels, out of order, two cores", Some(115e-3), launch::two_at_once),
    row("4 KiB blocking write + read", None, launch::write_read),
    row("triad 8 M floats", None, compute::triad),
    row("SGEMM 512 naive", None, compute::sgemm_naive),
    row("SGEMM 512 tiled with barriers", None, compute::sgemm_tiled),
    row("Mandelbrot 1024^2", None, compute::mandelbrot),
    row("Black-Scholes 1 M", None, compute::black_scholes),
    row("single precision trig 1 M", None, compute::trigonometry),
    row("double precision math 0.5 M", None, compute::double_math),
    row("local memory reduction 4 M", None, compute::reduction),
    row("5x5 blur 1024^2 RGBA8", None, compute::blur),
    row("5x5 blur 1024^2 RGBA8, images", Some(20e-3), images::blur),
    row("image 1024^2 of floats, write + read", None, images::write_read),
    row("fill of an image 1023 x 1024 RGBA8", None, images::fill),
    row("5-point stencil 2048^2", None, compute::stencil),
    row("CSR SpMV 64 K rows", None, compute::spmv),
];

/// The first device of the first platform, with a queue.
pub(crate) struct Bench {
    pub(crate) device: Device,
    pub(crate) context: Context,
    pub(crate) queue: Queue,
}

impl Bench {
    pub(crate) fn new() -> Result<Self> {
        let platform = *Platform::all()?.first().context("the driver reports no platform")?;
        let device = *platform.devices()?.first().context("the platform has no device")?;
        let context = Context::new(device)?;
        let queue = context.queue(device, 0)?;
        Ok(Self { device, context, queue })
    }

    pub(crate) fn kernel(&self, source: &str, name: &str) -> Result<Kernel> {
        Ok(self.context.build(self.device, source, "")?.kernel(name)?)
    }
}

/// The median of `count` timings of `work`, in seconds, after `warm` calls that are not timed.
pub(crate) fn median(
    warm: usize,
    count: usize,
    mut work: impl FnMut() -> Result<()>,
) -> Result<f64> {
    for _ in 0..warm {
        work()?;
    }
    let mut times = Vec::with_capacity(count);
    for _ in 0..count {
        let start = Instant::now();
        work()?;
        times.push(start.elapsed().as_secs_f64());
    }
    times.sort_by(f64::total_cmp);
    Ok(times[times.len() / 2])
}
