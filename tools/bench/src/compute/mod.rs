//! Rows about kernels, a file for each family. Every row compares its results with a computation in
//! Rust, completely or at a few places.

mod cipher;
mod data;
mod filters;
mod fourier;
mod graph;
pub(crate) mod hash;
pub(crate) mod linear_algebra;
pub(crate) mod math;
pub(crate) mod memory;
pub(crate) mod reductions;
pub(crate) mod sorting;
mod sparse;
mod stencils;
mod sub_groups;

use std::fmt::Display;

use anyhow::{Result, ensure};
use muxcl_client::sys::CL_MEM_READ_WRITE;
use muxcl_client::{Buffer, Kernel};

use crate::rows::{Bench, Row, median_prepared};

/// The rows of every family, in the table's order.
pub(crate) const ROWS: &[&[Row]] = &[
    memory::ROWS,
    linear_algebra::ROWS,
    math::ROWS,
    reductions::ROWS,
    sub_groups::ROWS,
    filters::ROWS,
    stencils::ROWS,
    sparse::ROWS,
    sorting::ROWS,
    hash::ROWS,
    cipher::ROWS,
    fourier::ROWS,
    graph::ROWS,
    data::ROWS,
];

/// The arguments of a kernel.
enum Arg<'a> {
    Buf(&'a Buffer),
    Int(i32),
    /// A number of elements, an `int` in the kernel.
    Count(usize),
    Uint(u32),
    Uint4([u32; 4]),
    Float(f32),
    /// Bytes of local memory.
    Local(usize),
}

fn set(kernel: &mut Kernel, arguments: &[Arg<'_>]) -> Result<()> {
    for (index, argument) in (0..).zip(arguments) {
        match argument {
            Arg::Buf(buffer) => kernel.set_buffer(index, buffer)?,
            Arg::Int(value) => kernel.set(index, *value)?,
            Arg::Count(value) => kernel.set(index, i32::try_from(*value)?)?,
            Arg::Uint(value) => kernel.set(index, *value)?,
            Arg::Uint4(value) => kernel.set(index, *value)?,
            Arg::Float(value) => kernel.set(index, *value)?,
            Arg::Local(size) => kernel.set_local(index, *size)?,
        }
    }
    Ok(())
}

/// Builds, warms up, and times `source`'s kernel `k`.
fn time(
    bench: &Bench,
    source: &str,
    arguments: &[Arg<'_>],
    global: &[usize],
    local: Option<&[usize]>,
) -> Result<f64> {
    let mut kernel = bench.kernel(source, "k")?;
    set(&mut kernel, arguments)?;
    time_commands(bench, || Ok(()), || Ok(bench.queue.run(&kernel, global, local, None)?))
}

/// Times the commands that `enqueue` adds to the queue, until they are complete. `prepare` runs
/// before each timing and restores what the commands change.
fn time_commands(
    bench: &Bench,
    prepare: impl FnMut() -> Result<()>,
    mut enqueue: impl FnMut() -> Result<()>,
) -> Result<f64> {
    median_prepared(4, 15, prepare, || {
        enqueue()?;
        Ok(bench.queue.finish()?)
    })
}

fn near(found: f32, wanted: f32) -> Result<()> {
    ensure!(
        (found - wanted).abs() <= 1e-3 * wanted.abs().max(1.0),
        "a result is {found}, should be {wanted}"
    );
    Ok(())
}

/// Fails unless each element of `found` is [`near`] that of `wanted`.
fn all_near(found: &[f32], wanted: &[f32]) -> Result<()> {
    ensure!(found.len() == wanted.len(), "{} results, not {}", found.len(), wanted.len());
    found.iter().zip(wanted).try_for_each(|(found, wanted)| near(*found, *wanted))
}

/// Fails unless `found` is `wanted`.
pub(crate) fn same<T: PartialEq + Display>(found: &[T], wanted: &[T]) -> Result<()> {
    ensure!(found.len() == wanted.len(), "{} results, not {}", found.len(), wanted.len());
    for (index, (found, wanted)) in found.iter().zip(wanted).enumerate() {
        ensure!(found == wanted, "result {index} is {found}, should be {wanted}");
    }
    Ok(())
}

/// `length` numbers in 0..1, the same in every run.
#[expect(clippy::cast_precision_loss, reason = "the values have 16 bits")]
pub(crate) fn numbers(length: usize) -> Vec<f32> {
    (0..u32::MAX)
        .take(length)
        .map(|i| (i.wrapping_mul(2_654_435_761) >> 16) as f32 / 65536.0)
        .collect()
}

/// `length` pseudo-random words, the same in every run; another sequence for each `seed`.
pub(crate) fn words(length: usize, seed: u32) -> Vec<u32> {
    let mix = |x: u32| {
        let x = (x ^ (x >> 16)).wrapping_mul(0x85EB_CA6B);
        let x = (x ^ (x >> 13)).wrapping_mul(0xC2B2_AE35);
        x ^ (x >> 16)
    };
    let start = mix(seed.wrapping_add(0x9E37_79B9));
    (0..u32::MAX).take(length).map(|i| mix(i.wrapping_add(start))).collect()
}

fn empty(bench: &Bench, bytes: usize) -> Result<Buffer> {
    Ok(bench.context.buffer(CL_MEM_READ_WRITE, bytes)?)
}

fn read<T: Copy + Default>(bench: &Bench, buffer: &Buffer, length: usize) -> Result<Vec<T>> {
    let mut data = vec![T::default(); length];
    bench.queue.read(buffer, &mut data)?;
    Ok(data)
}
