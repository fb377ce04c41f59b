//! Rows that filter images: blur, bilateral filter, median.

use anyhow::{Result, ensure};

use super::{Arg, all_near, empty, numbers, read, same, time, words};
use crate::images;
use crate::rows::{Bench, Row, compute};

pub(super) const ROWS: &[Row] = &[
    compute("5x5 blur 1024^2 RGBA8", blur),
    Row { limit: Some(20e-3), ..compute("5x5 blur 1024^2 RGBA8, images", images::blur) },
    compute("bilateral filter 512^2, radius 3", bilateral),
    compute("3x3 median 2048^2 bytes", median_filter),
];

fn blur() -> Result<f64> {
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

fn bilateral() -> Result<f64> {
    const N: usize = 512;
    const RADIUS: usize = 3;
    const SPACE: f32 = 0.08;
    const RANGE: f32 = 3.0;
    let bench = Bench::new()?;
    let data = numbers(N * N);
    let (input, out) = (bench.context.buffer_with(&data)?, empty(&bench, N * N * 4)?);
    let arguments = [
        Arg::Buf(&input),
        Arg::Buf(&out),
        Arg::Count(N),
        Arg::Count(N),
        Arg::Float(SPACE),
        Arg::Float(RANGE),
    ];
    let source = include_str!("../../kernels/bilateral.cl");
    let time = time(&bench, source, &arguments, &[N, N], Some(&[16, 16]))?;
    // Spatial weights by distance; a place outside the image has the edge's value.
    let space: Vec<f32> =
        [0.0, 1.0, 2.0, 3.0].iter().map(|d: &f32| (-d * d * SPACE).exp()).collect();
    let inside = |place: usize| place.clamp(RADIUS, N + RADIUS - 1) - RADIUS;
    let mut wanted = Vec::with_capacity(N * N);
    for (y, x) in (0..N).flat_map(|y| (0..N).map(move |x| (y, x))) {
        let here = data[y * N + x];
        let (mut sum, mut weights) = (0.0, 0.0);
        for (v, u) in (0..=2 * RADIUS).flat_map(|v| (0..=2 * RADIUS).map(move |u| (v, u))) {
            let there = data[inside(y + v) * N + inside(x + u)];
            let weight = space[v.abs_diff(RADIUS)]
                * space[u.abs_diff(RADIUS)]
                * (-(there - here) * (there - here) * RANGE).exp();
            sum += weight * there;
            weights += weight;
        }
        wanted.push(sum / weights);
    }
    all_near(&read(&bench, &out, N * N)?, &wanted)?;
    Ok(time)
}

fn median_filter() -> Result<f64> {
    const N: usize = 2048;
    let bench = Bench::new()?;
    let data: Vec<u8> = words(N * N, 8).into_iter().map(|x| x.to_le_bytes()[0]).collect();
    let (input, out) = (bench.context.buffer_with(&data)?, empty(&bench, N * N)?);
    let arguments = [Arg::Buf(&input), Arg::Buf(&out), Arg::Count(N), Arg::Count(N)];
    let source = include_str!("../../kernels/median.cl");
    let time = time(&bench, source, &arguments, &[N, N], None)?;
    let found: Vec<u8> = read(&bench, &out, N * N)?;
    let inside = |place: usize| place.clamp(1, N) - 1;
    for y in [0, 1, 777, N - 2, N - 1] {
        let median = |x: usize| {
            let mut values = [0; 9];
            for (i, value) in values.iter_mut().enumerate() {
                *value = data[inside(y + i / 3) * N + inside(x + i % 3)];
            }
            values.sort_unstable();
            values[4]
        };
        same(&found[y * N..][..N], &(0..N).map(median).collect::<Vec<_>>())?;
    }
    Ok(time)
}
