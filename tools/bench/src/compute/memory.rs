//! Rows that move memory: triads, saxpy, transposition.

use anyhow::Result;

use super::{Arg, all_near, empty, near, numbers, read, same, set, time, time_commands};
use crate::hand;
use crate::rows::{Bench, Row, compute};

pub(super) const ROWS: &[Row] = &[
    compute("triad 8 M floats", triad).by_hand(hand::triad),
    compute("triad by columns 2048^2", triad_by_columns),
    compute("saxpy 8 M", saxpy),
    compute("transpose 2048^2", transpose_naive),
    compute("transpose 2048^2 with bounds", transpose_bounds),
    compute("transpose 2048^2 tiled with barriers", transpose_tiled),
];

/// Elements of each array.
pub(crate) const TRIAD: usize = 8 << 20;
pub(crate) const TRIAD_FACTOR: f32 = 3.0;

pub(crate) fn check_triad(b: &[f32], c: &[f32], found: &[f32]) -> Result<()> {
    for i in [0, 12345, TRIAD - 1] {
        near(found[i], b[i] + TRIAD_FACTOR * c[i])?;
    }
    Ok(())
}

fn triad() -> Result<f64> {
    const N: usize = TRIAD;
    let bench = Bench::new()?;
    let (b, c) = (numbers(N), numbers(N));
    let (buf_b, buf_c, out) =
        (bench.context.buffer_with(&b)?, bench.context.buffer_with(&c)?, empty(&bench, N * 4)?);
    let source =
        "kernel void k(global float *a, global const float *b, global const float *c, float s)
{ size_t i = get_global_id(0); a[i] = b[i] + s * c[i]; }";
    let arguments = [Arg::Buf(&out), Arg::Buf(&buf_b), Arg::Buf(&buf_c), Arg::Float(TRIAD_FACTOR)];
    let time = time(&bench, source, &arguments, &[N], None)?;
    check_triad(&b, &c, &read(&bench, &out, N)?)?;
    Ok(time)
}

/// Neighbours in x are a row apart in memory, neighbours in y are consecutive.
fn triad_by_columns() -> Result<f64> {
    let bench = Bench::new()?;
    let (b, c) = (numbers(SIDE * SIDE), numbers(SIDE * SIDE));
    let (buf_b, buf_c) = (bench.context.buffer_with(&b)?, bench.context.buffer_with(&c)?);
    let out = empty(&bench, SIDE * SIDE * 4)?;
    let source =
        "kernel void k(global float *a, global const float *b, global const float *c, float s)
{
    size_t i = get_global_id(0) * get_global_size(1) + get_global_id(1);
    a[i] = b[i] + s * c[i];
}";
    let arguments = [Arg::Buf(&out), Arg::Buf(&buf_b), Arg::Buf(&buf_c), Arg::Float(TRIAD_FACTOR)];
    let time = time(&bench, source, &arguments, &[SIDE, SIDE], Some(&[16, 16]))?;
    let wanted: Vec<_> = b.iter().zip(&c).map(|(b, c)| b + TRIAD_FACTOR * c).collect();
    all_near(&read(&bench, &out, SIDE * SIDE)?, &wanted)?;
    Ok(time)
}

fn saxpy() -> Result<f64> {
    const N: usize = 8 << 20;
    let bench = Bench::new()?;
    let (x, y) = (numbers(N), numbers(N));
    let (buf_x, buf_y) = (bench.context.buffer_with(&x)?, empty(&bench, N * 4)?);
    let source = "kernel void k(float a, global const float *x, global float *y, int n)
{
    int i = get_global_id(0);
    if (i < n) y[i] = a * x[i] + y[i];
}";
    let mut kernel = bench.kernel(source, "k")?;
    set(&mut kernel, &[Arg::Float(2.5), Arg::Buf(&buf_x), Arg::Buf(&buf_y), Arg::Count(N)])?;
    let time = time_commands(
        &bench,
        || Ok(bench.queue.write(&buf_y, &y)?),
        || Ok(bench.queue.run(&kernel, &[N], Some(&[256]), None)?),
    )?;
    let wanted: Vec<_> = x.iter().zip(&y).map(|(x, y)| 2.5 * x + y).collect();
    all_near(&read(&bench, &buf_y, N)?, &wanted)?;
    Ok(time)
}

const SIDE: usize = 2048;

fn transpose(source: &str) -> Result<f64> {
    let bench = Bench::new()?;
    let data = numbers(SIDE * SIDE);
    let (input, out) = (bench.context.buffer_with(&data)?, empty(&bench, SIDE * SIDE * 4)?);
    let arguments = [Arg::Buf(&input), Arg::Buf(&out), Arg::Count(SIDE)];
    let time = time(&bench, source, &arguments, &[SIDE, SIDE], Some(&[16, 16]))?;
    let found: Vec<f32> = read(&bench, &out, SIDE * SIDE)?;
    for (y, row) in found.chunks(SIDE).enumerate() {
        let column: Vec<_> = data.iter().skip(y).step_by(SIDE).copied().collect();
        same(row, &column)?;
    }
    Ok(time)
}

fn transpose_naive() -> Result<f64> {
    transpose(
        "kernel void k(global const float *in, global float *out, int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    out[x * n + y] = in[y * n + x];
}",
    )
}

fn transpose_bounds() -> Result<f64> {
    transpose(
        "kernel void k(global const float *in, global float *out, int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= n || y >= n) return;
    out[x * n + y] = in[y * n + x];
}",
    )
}

fn transpose_tiled() -> Result<f64> {
    transpose(include_str!("../../kernels/transpose_tiled.cl"))
}
