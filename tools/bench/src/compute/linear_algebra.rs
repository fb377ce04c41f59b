//! Rows about dense matrices: products and the LU decomposition.

use anyhow::{Result, ensure};

use super::{Arg, all_near, empty, near, numbers, read, set, time, time_commands};
use crate::hand;
use crate::rows::{Bench, Row, compute};

pub(super) const ROWS: &[Row] = &[
    compute("SGEMM 512 naive", sgemm_naive).by_hand(hand::sgemm),
    compute("SGEMM 512 naive with bounds", sgemm_bounds).by_hand(hand::sgemm),
    compute("SGEMM 512 tiled with barriers", sgemm_tiled).by_hand(hand::sgemm),
    compute("SGEMM 512 register-blocked", sgemm_blocked).by_hand(hand::sgemm),
    compute("DGEMM 384 naive", dgemm),
    compute("GEMV 2048 x 4096, a row per work-item", gemv),
    compute("LUD 512, blocks of 16", lud),
];

/// Rows and columns of the matrices.
pub(crate) const GEMM: usize = 512;

/// Compares an element in each of the 4 x 4 positions of a block, and the corners.
pub(crate) fn check_product(a: &[f32], b: &[f32], found: &[f32]) -> Result<()> {
    let inner = (0..16).map(|i| (64 * (i % 8) + 4 * i + i / 4, 64 * (i % 7) + 16 * (i % 4) + i));
    for (row, column) in inner.chain([(0, 0), (0, 511), (511, 0), (511, 511)]) {
        let wanted = (0..GEMM).map(|k| a[row * GEMM + k] * b[k * GEMM + column]).sum();
        near(found[row * GEMM + column], wanted)?;
    }
    Ok(())
}

fn sgemm(source: &str) -> Result<f64> {
    let bench = Bench::new()?;
    let (a, b) = (numbers(GEMM * GEMM), numbers(GEMM * GEMM));
    let (buf_a, buf_b) = (bench.context.buffer_with(&a)?, bench.context.buffer_with(&b)?);
    let out = empty(&bench, GEMM * GEMM * 4)?;
    let arguments = [Arg::Buf(&buf_a), Arg::Buf(&buf_b), Arg::Buf(&out), Arg::Int(512)];
    let time = time(&bench, source, &arguments, &[GEMM, GEMM], Some(&[16, 16]))?;
    check_product(&a, &b, &read(&bench, &out, GEMM * GEMM)?)?;
    Ok(time)
}

fn sgemm_naive() -> Result<f64> {
    sgemm(
        "kernel void k(global const float *a, global const float *b, global float *c, int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    float sum = 0.0f;
    for (int i = 0; i < n; ++i) sum += a[y * n + i] * b[i * n + x];
    c[y * n + x] = sum;
}",
    )
}

fn sgemm_bounds() -> Result<f64> {
    sgemm(
        "kernel void k(global const float *a, global const float *b, global float *c, int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x < n && y < n) {
        float sum = 0.0f;
        for (int i = 0; i < n; ++i) sum += a[y * n + i] * b[i * n + x];
        c[y * n + x] = sum;
    }
}",
    )
}

fn sgemm_tiled() -> Result<f64> {
    sgemm(
        "kernel void k(global const float *a, global const float *b, global float *c, int n)
{
    local float ta[16][16], tb[16][16];
    int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);
    float sum = 0.0f;
    for (int t = 0; t < n; t += 16) {
        ta[ly][lx] = a[y * n + t + lx];
        tb[ly][lx] = b[(t + ly) * n + x];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = 0; i < 16; ++i) sum += ta[ly][i] * tb[i][lx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[y * n + x] = sum;
}",
    )
}

fn sgemm_blocked() -> Result<f64> {
    let bench = Bench::new()?;
    let (a, b) = (numbers(GEMM * GEMM), numbers(GEMM * GEMM));
    let (buf_a, buf_b) = (bench.context.buffer_with(&a)?, bench.context.buffer_with(&b)?);
    let out = empty(&bench, GEMM * GEMM * 4)?;
    let arguments = [Arg::Buf(&buf_a), Arg::Buf(&buf_b), Arg::Buf(&out), Arg::Count(GEMM)];
    // A work-item computes 4 x 4 elements.
    let global = [GEMM / 4, GEMM / 4];
    let source = include_str!("../../kernels/sgemm_blocked.cl");
    let time = time(&bench, source, &arguments, &global, Some(&[16, 16]))?;
    check_product(&a, &b, &read(&bench, &out, GEMM * GEMM)?)?;
    Ok(time)
}

fn dgemm() -> Result<f64> {
    const N: usize = 384;
    let bench = Bench::new()?;
    let a: Vec<f64> = numbers(N * N).into_iter().map(f64::from).collect();
    let b: Vec<f64> = a.iter().map(|x| 1.0 - x * x).collect();
    let (buf_a, buf_b) = (bench.context.buffer_with(&a)?, bench.context.buffer_with(&b)?);
    let out = empty(&bench, N * N * 8)?;
    let source =
        "kernel void k(global const double *a, global const double *b, global double *c, int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    double sum = 0.0;
    for (int i = 0; i < n; ++i) sum += a[y * n + i] * b[i * n + x];
    c[y * n + x] = sum;
}";
    let arguments = [Arg::Buf(&buf_a), Arg::Buf(&buf_b), Arg::Buf(&out), Arg::Count(N)];
    let time = time(&bench, source, &arguments, &[N, N], Some(&[16, 16]))?;
    let found: Vec<f64> = read(&bench, &out, N * N)?;
    for (row, column) in (0..N).map(|i| (i, (i * 37) % N)) {
        let wanted: f64 = (0..N).map(|k| a[row * N + k] * b[k * N + column]).sum();
        let found = found[row * N + column];
        ensure!((found - wanted).abs() < 1e-10 * wanted, "a result is {found}, not {wanted}");
    }
    Ok(time)
}

fn gemv() -> Result<f64> {
    const ROWS: usize = 2048;
    const COLUMNS: usize = 4096;
    let bench = Bench::new()?;
    let (a, x) = (numbers(ROWS * COLUMNS), numbers(COLUMNS));
    let (buf_a, buf_x) = (bench.context.buffer_with(&a)?, bench.context.buffer_with(&x)?);
    let out = empty(&bench, ROWS * 4)?;
    let source =
        "kernel void k(global const float *a, global const float *x, global float *y, int n)
{
    int row = get_global_id(0);
    float sum = 0.0f;
    for (int i = 0; i < n; ++i) sum += a[row * n + i] * x[i];
    y[row] = sum;
}";
    let arguments = [Arg::Buf(&buf_a), Arg::Buf(&buf_x), Arg::Buf(&out), Arg::Count(COLUMNS)];
    let time = time(&bench, source, &arguments, &[ROWS], Some(&[64]))?;
    for (row, found) in a.chunks(COLUMNS).zip(read(&bench, &out, ROWS)?) {
        near(found, row.iter().zip(&x).map(|(a, x)| a * x).sum())?;
    }
    Ok(time)
}

/// `m` is replaced by its factors: the upper one, and below the diagonal the lower one.
fn lud() -> Result<f64> {
    const N: usize = 512;
    const BLOCK: usize = 16;
    let bench = Bench::new()?;
    // The diagonal is so large that no pivoting is needed.
    let mut m: Vec<f32> = numbers(N * N).into_iter().map(|x| x - 0.5).collect();
    for i in 0..N {
        m[i * N + i] += 24.0;
    }
    let buffer = bench.context.buffer_with(&m)?;
    let source = include_str!("../../kernels/lud.cl");
    let program = bench.context.build(bench.device, source, "")?;
    let mut diagonal = program.kernel("diagonal")?;
    let mut border = program.kernel("border")?;
    let mut inside = program.kernel("inside")?;
    let time = time_commands(
        &bench,
        || Ok(bench.queue.write(&buffer, &m)?),
        || {
            for at in (0..N).step_by(BLOCK) {
                let arguments = [Arg::Buf(&buffer), Arg::Count(N), Arg::Count(at)];
                set(&mut diagonal, &arguments)?;
                bench.queue.run(&diagonal, &[BLOCK], Some(&[BLOCK]), None)?;
                let rest = N - at - BLOCK;
                if rest > 0 {
                    set(&mut border, &arguments)?;
                    bench.queue.run(&border, &[2 * rest], Some(&[2 * BLOCK]), None)?;
                    set(&mut inside, &arguments)?;
                    bench.queue.run(&inside, &[rest, rest], Some(&[BLOCK, BLOCK]), None)?;
                }
            }
            Ok(())
        },
    )?;
    let found: Vec<f32> = read(&bench, &buffer, N * N)?;
    // The product of both factors is the matrix.
    for (row, wanted) in m.chunks(N).enumerate() {
        let mut product = vec![0.0; N];
        for k in 0..=row {
            let lower = if k == row { 1.0 } else { found[row * N + k] };
            for column in k..N {
                product[column] += lower * found[k * N + column];
            }
        }
        all_near(&product, wanted)?;
    }
    Ok(time)
}
