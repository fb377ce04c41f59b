//! Rows about arithmetic: mathematical functions, divergent loops, and sums over pairs.

use anyhow::{Result, ensure};

use super::{Arg, empty, near, numbers, read, time};
use crate::hand;
use crate::rows::{Bench, Row, compute};

pub(super) const ROWS: &[Row] = &[
    compute("Mandelbrot 1024^2", mandelbrot),
    compute("Mandelbrot 1024^2, 256 iterations", mandelbrot_256).by_hand(hand::mandelbrot),
    compute("Black-Scholes 1 M", black_scholes),
    compute("single precision trig 1 M", trigonometry),
    compute("math functions of float4 1 M", vector_math),
    compute("double precision math 0.5 M", double_math),
    compute("n-body 4096", n_body).by_hand(hand::n_body),
    compute("n-body 4096 tiled with barriers", n_body_tiled).by_hand(hand::n_body),
];

fn mandelbrot() -> Result<f64> {
    const N: usize = 1024;
    let bench = Bench::new()?;
    let out = empty(&bench, N * N * 4)?;
    let source = "kernel void k(global int *out, int limit)
{
    size_t px = get_global_id(0), py = get_global_id(1), w = get_global_size(0);
    float cx = -2.0f + 2.5f * px / w, cy = -1.25f + 2.5f * py / w, x = 0.0f, y = 0.0f;
    int n = 0;
    while (n < limit && x * x + y * y < 4.0f) {
        float t = x * x - y * y + cx;
        y = 2.0f * x * y + cy;
        x = t;
        ++n;
    }
    out[py * w + px] = n;
}";
    let time = time(&bench, source, &[Arg::Buf(&out), Arg::Int(64)], &[N, N], None)?;
    let mut found = vec![0_i32; N * N];
    bench.queue.read(&out, &mut found)?;
    let inside = found.iter().filter(|count| **count == 64).count();
    ensure!((230_000..290_000).contains(&inside), "{inside} points inside");
    Ok(time)
}

/// Width and height of the picture, in points.
pub(crate) const N: u16 = 1024;
pub(crate) const SIDE: usize = N as usize;
/// The highest number of iterations.
pub(crate) const LIMIT: u16 = 256;

fn mandelbrot_256() -> Result<f64> {
    let bench = Bench::new()?;
    let out = empty(&bench, SIDE * SIDE * 4)?;
    let source = "kernel void k(global int *out, int limit)
{
    size_t px = get_global_id(0), py = get_global_id(1), w = get_global_size(0);
    float cx = -2.0f + 2.5f * px / w, cy = -1.25f + 2.5f * py / w, x = 0.0f, y = 0.0f;
    int n = 0;
    for (; n < limit; ++n) {
        if (x * x + y * y >= 4.0f) break;
        float t = x * x - y * y + cx;
        y = 2.0f * x * y + cy;
        x = t;
    }
    out[py * w + px] = n;
}";
    let time =
        time(&bench, source, &[Arg::Buf(&out), Arg::Int(LIMIT.into())], &[SIDE, SIDE], None)?;
    check_mandelbrot(&read(&bench, &out, SIDE * SIDE)?)?;
    Ok(time)
}

/// Compares the number of iterations at some points.
pub(crate) fn check_mandelbrot(found: &[u32]) -> Result<()> {
    let iterations = |px: u16, py: u16| {
        let cx = -2.0 + 2.5 * f64::from(px) / f64::from(N);
        let cy = -1.25 + 2.5 * f64::from(py) / f64::from(N);
        let (mut x, mut y) = (0.0, 0.0);
        (0..u32::from(LIMIT))
            .find(|_| {
                let is_outside = x * x + y * y >= 4.0;
                (x, y) = (x * x - y * y + cx, 2.0 * x * y + cy);
                is_outside
            })
            .unwrap_or(LIMIT.into())
    };
    // Rounding changes the number near the set's edge.
    let (mut points, mut different) = (0, 0);
    for (px, py) in (0..N).step_by(3).flat_map(|py| (0..N).step_by(5).map(move |px| (px, py))) {
        points += 1;
        if found[usize::from(py) * SIDE + usize::from(px)] != iterations(px, py) {
            different += 1;
        }
    }
    ensure!(different * 50 < points, "{different} of {points} points differ");
    Ok(())
}

fn black_scholes() -> Result<f64> {
    const N: usize = 1 << 20;
    let bench = Bench::new()?;
    let input = bench.context.buffer_with(&numbers(N))?;
    let (call, put) = (empty(&bench, N * 4)?, empty(&bench, N * 4)?);
    let source = "float cnd(float d)
{
    float k = 1.0f / (1.0f + 0.2316419f * fabs(d));
    float p = k * (0.31938153f + k * (-0.356563782f
                   + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
    float t = 0.39894228f * exp(-0.5f * d * d) * p;
    return d > 0.0f ? 1.0f - t : t;
}
kernel void k(global const float *in, global float *call, global float *put)
{
    size_t i = get_global_id(0);
    float u = in[i], s = 10.0f + u * 90.0f, x = 10.0f + (1.0f - u) * 90.0f, t = 1.0f + u * 9.0f;
    float r = 0.02f, v = 0.3f, q = sqrt(t);
    float d1 = (log(s / x) + (r + 0.5f * v * v) * t) / (v * q), d2 = d1 - v * q, e = exp(-r * t);
    float c1 = cnd(d1), c2 = cnd(d2);
    call[i] = s * c1 - x * e * c2;
    put[i] = x * e * (1.0f - c2) - s * (1.0f - c1);
}";
    let time =
        time(&bench, source, &[Arg::Buf(&input), Arg::Buf(&call), Arg::Buf(&put)], &[N], None)?;
    let (calls, puts): (Vec<f32>, Vec<f32>) = (read(&bench, &call, N)?, read(&bench, &put, N)?);
    let u = numbers(N);
    for i in [0, 777, N - 1] {
        let (s, x, t) = (10.0 + u[i] * 90.0, 10.0 + (1.0 - u[i]) * 90.0, 1.0 + u[i] * 9.0);
        near(calls[i] - puts[i], s - x * (-0.02 * t).exp())?; // put-call parity
    }
    Ok(time)
}

fn trigonometry() -> Result<f64> {
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

fn vector_math() -> Result<f64> {
    const N: usize = 1 << 20;
    let bench = Bench::new()?;
    let data: Vec<f32> = numbers(N).into_iter().map(|x| x + 0.5).collect();
    let (input, out) = (bench.context.buffer_with(&data)?, empty(&bench, N * 4)?);
    let source = "kernel void k(global const float4 *in, global float4 *out)
{ size_t i = get_global_id(0); float4 x = in[i]; out[i] = sin(x) + exp(x) * log(x); }";
    let time = time(&bench, source, &[Arg::Buf(&input), Arg::Buf(&out)], &[N / 4], None)?;
    let found = read(&bench, &out, N)?;
    for i in [0, 4242, N - 1] {
        let x = data[i];
        near(found[i], x.sin() + x.exp() * x.ln())?;
    }
    Ok(time)
}

fn double_math() -> Result<f64> {
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

fn n_body() -> Result<f64> {
    bodies(include_str!("../../kernels/n_body.cl"), None)
}

fn n_body_tiled() -> Result<f64> {
    bodies(include_str!("../../kernels/n_body_tiled.cl"), Some(256))
}

/// The number of bodies, each of four floats: the position and the mass.
pub(crate) const BODIES: usize = 4096;
/// The time step.
pub(crate) const STEP: f32 = 0.1;
/// The speed of each body along each axis, at the start.
pub(crate) const SPEED: f32 = 0.25;

/// `tile`: the size of work-groups, which keep a body for each work-item in local memory.
fn bodies(source: &str, tile: Option<usize>) -> Result<f64> {
    const N: usize = BODIES;
    let bench = Bench::new()?;
    let (body, speed) = (numbers(N * 4), vec![SPEED; N * 4]);
    let (buf_body, buf_speed) =
        (bench.context.buffer_with(&body)?, bench.context.buffer_with(&speed)?);
    let moved = empty(&bench, N * 16)?;
    let mut arguments = vec![
        Arg::Buf(&buf_body),
        Arg::Buf(&moved),
        Arg::Buf(&buf_speed),
        Arg::Count(N),
        Arg::Float(STEP),
    ];
    let mut local = None;
    if let Some(size) = tile {
        arguments.push(Arg::Local(size * 16));
        local = Some([size]);
    }
    let time = time(&bench, source, &arguments, &[N], local.as_ref().map(<[usize; 1]>::as_slice))?;
    check_bodies(&body, &read(&bench, &moved, N * 4)?)?;
    Ok(time)
}

/// Compares some of the moved bodies.
pub(crate) fn check_bodies(body: &[f32], found: &[f32]) -> Result<()> {
    for i in (0..BODIES).step_by(61) {
        let me = &body[i * 4..][..4];
        let mut force = [0.0_f32; 3];
        for other in body.chunks(4) {
            let d = [other[0] - me[0], other[1] - me[1], other[2] - me[2]];
            let r = (d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + 0.01).sqrt().recip();
            for (force, d) in force.iter_mut().zip(d) {
                *force += d * other[3] * r * r * r;
            }
        }
        for axis in 0..3 {
            near(found[i * 4 + axis], me[axis] + (SPEED + force[axis] * STEP) * STEP)?;
        }
    }
    Ok(())
}
