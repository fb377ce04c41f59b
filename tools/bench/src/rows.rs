//! The rows of the table, and the loop that measures a row.
//!
//! The rows about kernels are in `compute`, a file for each family.

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
    pub(crate) kind: Kind,
    /// Measures in this process; returns seconds.
    pub(crate) measure: fn() -> Result<f64>,
    /// Measures the same work written by hand for this processor; returns seconds.
    pub(crate) by_hand: Option<fn() -> Result<f64>>,
}

impl Row {
    /// The row with the same work written by hand.
    pub(crate) const fn by_hand(mut self, measure: fn() -> Result<f64>) -> Self {
        self.by_hand = Some(measure);
        self
    }

    /// True if `filter` is empty or part of the name. The word `compute` at its start selects the
    /// rows about kernels; the rest is part of the name.
    pub(crate) fn matches(&self, filter: &str) -> bool {
        match filter.split_once(' ').unwrap_or((filter, "")) {
            ("compute", part) => self.kind == Kind::Compute && self.name.contains(part.trim()),
            _ => self.name.contains(filter),
        }
    }
}

/// What a row measures.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A call of the API, a build, or a transfer.
    Driver,
    /// A kernel.
    Compute,
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
    Row { name, limit, cache: Cache::Off, kind: Kind::Driver, measure, by_hand: None }
}

/// A row about a kernel.
pub(crate) const fn compute(name: &'static str, measure: fn() -> Result<f64>) -> Row {
    Row { name, limit: None, cache: Cache::Off, kind: Kind::Compute, measure, by_hand: None }
}

/// Every row, in the table's order.
pub(crate) fn all() -> impl Iterator<Item = &'static Row> {
    DRIVER.iter().chain(compute::ROWS.iter().copied().flatten())
}

const DRIVER: &[Row] = &[
    row("enumeration", Some(2e-3), launch::enumeration),
    row("LLVM libraries before a build", Some(0.0), launch::llvm_before_build),
    row("build 1 line + run, cold", Some(15e-3), compile::cold),
    Row {
        name: "build 1 line + run, disk cache",
        limit: Some(1.5e-3),
        cache: Cache::Filled,
        kind: Kind::Driver,
        measure: compile::cached,
        by_hand: None,
    },
    row("build 1 line + run, warm process", None, compile::warm),
    row("call of the library in 1 line, extra", Some(1e-3), compile::library),
    row("build 8 math kernels, cold", None, compile::math),
    row("build 16 programs, 1 thread", None, compile::one_thread),
    row("build 16 programs, 2 threads", None, compile::two_threads),
    row("empty kernel, enqueue + finish", Some(3e-6), launch::empty),
    row("empty kernel, 1000 in a batch, each", Some(0.6e-6), launch::batch),
    row("empty kernel, 1000 in a command buffer, each", Some(0.3e-6), launch::recorded),
    row("256 small groups, enqueue + finish", None, launch::small_groups),
    row("64 enqueued children, each", None, launch::children),
    row("1 M chained events, enqueue each", Some(0.6e-6), launch::chain),
    row("1 M chained events, out of order, enqueue each", None, launch::chain_out_of_order),
    row("two 100 ms kernels, out of order, two cores", Some(115e-3), launch::two_at_once),
    row("4 KiB buffer and write beside a kernel", None, launch::beside_a_kernel),
    row("4 KiB blocking write + read", None, launch::write_read),
    row("64 MiB blocking write + read", None, launch::large_write_read),
    row("image 1024^2 of floats, write + read", None, images::write_read),
    row("fill of an image 1023 x 1024 RGBA8", None, images::fill),
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
pub(crate) fn median(warm: usize, count: usize, work: impl FnMut() -> Result<()>) -> Result<f64> {
    median_prepared(warm, count, || Ok(()), work)
}

/// The same; `prepare` runs before each call of `work` and is not timed.
pub(crate) fn median_prepared(
    warm: usize,
    count: usize,
    mut prepare: impl FnMut() -> Result<()>,
    mut work: impl FnMut() -> Result<()>,
) -> Result<f64> {
    let mut times = Vec::with_capacity(warm + count);
    for _ in 0..warm + count {
        prepare()?;
        let start = Instant::now();
        work()?;
        times.push(start.elapsed().as_secs_f64());
    }
    let times = &mut times[warm..];
    times.sort_by(f64::total_cmp);
    Ok(times[times.len() / 2])
}
