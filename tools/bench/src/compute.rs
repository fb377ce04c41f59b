//! Rows about kernels: memory, arithmetic, barriers, divergence. Every row checks a few of its
//! results.

use anyhow::{Result, ensure};
use muxcl_client::sys::CL_MEM_READ_WRITE;
use muxcl_client::{Buffer, Kernel};

use crate::rows::{Bench, median};

/// The arguments of a kernel.
enum Arg<'a> {
    Buf(&'a Buffer),
    Int(i32),
    Float(f32),
    Local(usize),
}

fn set(kernel: &mut Kernel, arguments: &[Arg<'_>]) -> Result<()> {
    for (index, argument) in (0..).zip(arguments) {
        match argument {
            Arg::Buf(buffer) => kernel.set_buffer(index, buffer)?,
            Arg::Int(value) => kernel.set(index, *value)?,
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
    median(4, 15, || {
        bench.queue.run(&kernel, global, local, None)?;
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

/// `length` numbers in 0..1, the same in every run.
#[expect(clippy::cast_precision_loss, reason = "the values have 16 bits")]
fn numbers(length: usize) -> Vec<f32> {
    (0..u32::MAX)
        .take(length)
        .map(|i| (i.wrapping_mul(2_654_435_761) >> 16) as f32 / 65536.0)
        .collect()
}

fn empty(bench: &Bench, bytes: usize) -> Result<Buffer> {
    Ok(bench.context.buffer(CL_MEM_READ_WRITE, bytes)?)
}

fn read(bench: &Bench, buffer: &Buffer, length: usize) -> Result<Vec<f32>> {
    let mut data = vec![0.0_f32; length];
    bench.queue.read(buffer, &mut data)?;
    Ok(data)
}

pub(crate) fn triad() -> Result<f64> {
    const N: usize = 8 << 20;
    let bench = Bench::new()?;
    let (b, c) = (numbers(N), numbers(N));
    let (buf_b, buf_c, out) =
        (bench.context.buffer_with(&b)?, bench.context.buffer_with(&c)?, empty(&bench, N * 4)?);
    let source =
        "kernel void k(global float *a, global const float *b, global const float *c, float s)
{ size_t i = get_global_id(0); a[i] = b[i] + s * c[i]; }";
    let arguments = [Arg::Buf(&out), Arg::Buf(&buf_b), Arg::Buf(&buf_c), Arg::Float(3.0)];
    let time = time(&bench, source, &arguments, &[N], None)?;
    let found = read(&bench, &out, N)?;
    for i in [0, 12345, N - 1] {
        near(found[i], b[i] + 3.0 * c[i])?;
    }
    Ok(time)
}

const GEMM: usize = 512;

fn sgemm(source: &str) -> Result<f64> {
    let bench = Bench::new()?;
    let (a, b) = (numbers(GEMM * GEMM), numbers(GEMM * GEMM));
    let (buf_a, buf_b) = (bench.context.buffer_with(&a)?, bench.context.buffer_with(&b)?);
    let out = empty(&bench, GEMM * GEMM * 4)?;
    let arguments = [Arg::Buf(&buf_a), Arg::Buf(&buf_b), Arg::Buf(&out), Arg::Int(512)];
    let time = time(&bench, source, &arguments, &[GEMM, GEMM], Some(&[16, 16]))?;
    let found = read(&bench, &out, GEMM * GEMM)?;
    for (row, column) in [(0, 0), (17, 300), (511, 511)] {
        let wanted = (0..GEMM).map(|k| a[row * GEMM + k] * b[k * GEMM + column]).sum();
        near(found[row * GEMM + column], wanted)?;
    }
    Ok(time)
}

pub(crate) fn sgemm_naive() -> Result<f64> {
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

pub(crate) fn sgemm_tiled() -> Result<f64> {
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

pub(crate) fn mandelbrot() -> Result<f64> {
    const N: usize = 1024;
    let bench = Bench::new()?;
    let out = empty(&bench, N * N * 4)?;
    let source = "kernel void k(global int *out, int limit)
{
    size_t px = get_global_id(0), py = get_global_id(1), w = get_global_size(0);
    float cx = -2.0f + 2.5f * px / w, cy = -1.25f + 2.5f * py / w, x = 0.0f, y = 0.0f;
    int n = 0;
    while (n < limit && x * x + y * y < 4.0f) { float t = x * x - y * y + cx; y = 2.0f * x * y + cy; x = t; ++n; }
    out[py * w + px] = n;
}";
    let time = time(&bench, source, &[Arg::Buf(&out), Arg::Int(64)], &[N, N], None)?;
    let mut found = vec![0_i32; N * N];
    bench.queue.read(&out, &mut found)?;
    let inside = found.iter().filter(|count| **count == 64).count();
    ensure!((230_000..290_000).contains(&inside), "{inside} points inside");
    Ok(time)
}

pub(crate) fn black_scholes() -> Result<f64> {
    const N: usize = 1 << 20;
    let bench = Bench::new()?;
    let input = bench.context.buffer_with(&numbers(N))?;
    let (call, put) = (empty(&bench, N * 4)?, empty(&bench, N * 4)?);
    let source = "float cnd(float d)
{
    float k = 1.0f / (1.0f + 0.2316419f * fabs(d));
    float p = k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
    float t = 0.39894228f * exp(-0.5f * d * d) * p;
    return d > 0.0f ? 1.0f - t : t;
}
kernel void k(global const float *in, global float *call, global float *put)
{
    size_t i = get_global_id(0);
    float u = in[i], s = 10.0f + u * 90.0f, x = 10.0f + (1.0f - u) * 90.0f, t = 1.0f + u * 9.0f, r = 0.02f, v = 0.3f;
    float q = sqrt(t), d1 = (log(s / x) + (r + 0.5f * v * v) * t) / (v * q), d2 = d1 - v * q, e = exp(-r * t);
    float c1 = cnd(d1), c2 = cnd(d2);
    call[i] = s * c1 - x * e * c2;
    put[i] = x * e * (1.0f - c2) - s * (1.0f - c1);
}";
    let time =
        time(&bench, source, &[Arg::Buf(&input), Arg::Buf(&call), Arg::Buf(&put)], &[N], None)?;
    let (calls, puts) = (read(&bench, &call, N)?, read(&bench, &put, N)?);
    let u = numbers(N);
    for i in [0, 777, N - 1] {
        let (s, x, t) = (10.0 + u[i] * 90.0, 10.0 + (1.0 - u[i]) * 90.0, 1.0 + u[i] * 9.0);
        near(calls[i] - puts[i], s - x * (-0.02 * t).exp())?; // put-call parity
    }
    Ok(time)
}

pub(crate) fn trigonometry() -> Result<f64> {
    const N: usize = 1 << 20;
    let bench = Bench::new()?;
    let data = numbers(N);
    let (input, out) = (bench.context.buffer_with(&data)?, empty(&bench, N * 4)?);
    let source = "kernel void k(global const float *in, global float *out)
{ size_t i = get_global_id(0); float x = in[i] * 100.0f; out[i] = sin(x) + cos(x) * 0.5f; }";
    let time = time(&bench, source, &[Arg::Buf(&input), Arg::Buf(&out)], &[N], None)?;
    let found = read(&bench, &out, N)?;
    for i in [0, 4242, N - 1] {
        let x = data[i] * 100.0;
        near(found[i], x.sin() + x.cos() * 0.5)?;
    }
    Ok(time)
}

pub(crate) fn double_math() -> Result<f64> {
    const N: usize = 1 << 19;
    let bench = Bench::new()?;
    let data: Vec<f64> = numbers(N).into_iter().map(|x| f64::from(x) + 0.5).collect();
    let (input, out) = (bench.context.buffer_with(&data)?, empty(&bench, N * 8)?);
    let source = "kernel void k(global const double *in, global double *out)
{ size_t i = get_global_id(0); double x = in[i]; out[i] = exp(x) * log(x) + sqrt(x) + sin(x); }";
    let time = time(&bench, source, &[Arg::Buf(&input), Arg::Buf(&out)], &[N], None)?;
    let mut found = vec![0.0_f64; N];
    bench.queue.read(&out, &mut found)?;
    for i in [0, 4242, N - 1] {
        let x = data[i];
        let wanted = x.exp() * x.ln() + x.sqrt() + x.sin();
        ensure!(
            (found[i] - wanted).abs() < 1e-12 * wanted.abs().max(1.0),
            "a result is {}, should be {wanted}",
            found[i]
        );
    }
    Ok(time)
}

pub(crate) fn reduction() -> Result<f64> {
    const N: usize = 4 << 20;
    const GROUP: usize = 256;
    let bench = Bench::new()?;
    let data = numbers(N);
    let (input, out) = (bench.context.buffer_with(&data)?, empty(&bench, N / GROUP * 4)?);
    let source = "kernel void k(global const float *in, global float *out, local float *tile)
{
    size_t l = get_local_id(0);
    tile[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (size_t s = get_local_size(0) / 2; s > 0; s >>= 1) {
        if (l < s) tile[l] += tile[l + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0) out[get_group_id(0)] = tile[0];
}";
    let arguments = [Arg::Buf(&input), Arg::Buf(&out), Arg::Local(GROUP * 4)];
    let time = time(&bench, source, &arguments, &[N], Some(&[GROUP]))?;
    let found = read(&bench, &out, N / GROUP)?;
    for group in [0, 99, N / GROUP - 1] {
        near(found[group], data[group * GROUP..][..GROUP].iter().sum())?;
    }
    Ok(time)
}

pub(crate) fn blur() -> Result<f64> {
    const N: usize = 1024;
    let bench = Bench::new()?;
    let data: Vec<u8> = (0..u32::MAX)
        .take(N * N * 4)
        .map(|i| (i.wrapping_mul(2_654_435_761) >> 24).to_le_bytes()[0])
        .collect();
    let (input, out) = (bench.context.buffer_with(&data)?, empty(&bench, N * N * 4)?);
    let source = "kernel void k(global const uchar4 *in, global uchar4 *out, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1);
    float4 sum = (float4)(0.0f);
    for (int dy = -2; dy <= 2; ++dy)
        for (int dx = -2; dx <= 2; ++dx)
            sum += convert_float4(in[clamp(y + dy, 0, h - 1) * w + clamp(x + dx, 0, w - 1)]);
    out[y * w + x] = convert_uchar4_sat_rte(sum * (1.0f / 25.0f));
}";
    let arguments = [Arg::Buf(&input), Arg::Buf(&out), Arg::Int(1024), Arg::Int(1024)];
    let time = time(&bench, source, &arguments, &[N, N], None)?;
    let mut found = vec![0_u8; N * N * 4];
    bench.queue.read(&out, &mut found)?;
    for (x, y, channel) in [(500, 2, 0), (7, 900, 3)] {
        let around =
            (y - 2..=y + 2).flat_map(|v| (x - 2..=x + 2).map(move |u| (v * N + u) * 4 + channel));
        let sum: u32 = around.map(|i| u32::from(data[i])).sum();
        let difference = i64::from(found[(y * N + x) * 4 + channel]) * 25 - i64::from(sum);
        ensure!(difference.abs() <= 13, "a pixel differs by {difference}/25");
    }
    Ok(time)
}

pub(crate) fn stencil() -> Result<f64> {
    const N: usize = 2048;
    let bench = Bench::new()?;
    let data = numbers(N * N);
    let (input, out) = (bench.context.buffer_with(&data)?, empty(&bench, N * N * 4)?);
    let source = "kernel void k(global const float *in, global float *out, int w)
{
    int x = get_global_id(0), y = get_global_id(1), i = y * w + x;
    if (x == 0 || y == 0 || x == w - 1 || y == w - 1) { out[i] = in[i]; return; }
    out[i] = 0.2f * (in[i] + in[i - 1] + in[i + 1] + in[i - w] + in[i + w]);
}";
    let time =
        time(&bench, source, &[Arg::Buf(&input), Arg::Buf(&out), Arg::Int(2048)], &[N, N], None)?;
    let found = read(&bench, &out, N * N)?;
    near(found[5], data[5])?;
    let i = 100 * N + 200;
    near(found[i], 0.2 * (data[i] + data[i - 1] + data[i + 1] + data[i - N] + data[i + N]))?;
    Ok(time)
}

pub(crate) fn spmv() -> Result<f64> {
    const ROWS: usize = 64 << 10;
    const PER_ROW: usize = 8;
    let bench = Bench::new()?;
    let values = numbers(ROWS * PER_ROW);
    let x = numbers(ROWS);
    let starts: Vec<i32> = (0..i32::MAX).step_by(PER_ROW).take(ROWS + 1).collect();
    let columns: Vec<u32> =
        (0..u32::MAX).take(ROWS * PER_ROW).map(|i| (i / 8 + (i % 8) * 37) % (64 << 10)).collect();
    let buffers = (
        bench.context.buffer_with(&starts)?,
        bench.context.buffer_with(&columns)?,
        bench.context.buffer_with(&values)?,
        bench.context.buffer_with(&x)?,
        empty(&bench, ROWS * 4)?,
    );
    let source = "kernel void k(global const int *start, global const int *column, global const float *value,
              global const float *x, global float *y)
{
    size_t r = get_global_id(0);
    float sum = 0.0f;
    for (int i = start[r]; i < start[r + 1]; ++i) sum += value[i] * x[column[i]];
    y[r] = sum;
}";
    let arguments = [
        Arg::Buf(&buffers.0),
        Arg::Buf(&buffers.1),
        Arg::Buf(&buffers.2),
        Arg::Buf(&buffers.3),
        Arg::Buf(&buffers.4),
    ];
    let time = time(&bench, source, &arguments, &[ROWS], None)?;
    let found = read(&bench, &buffers.4, ROWS)?;
    for row in [0, 1000, ROWS - 1] {
        let wanted = (0..PER_ROW)
            .map(|k| values[row * PER_ROW + k] * x[columns[row * PER_ROW + k] as usize])
            .sum();
        near(found[row], wanted)?;
    }
    Ok(time)
}
