//! Rows about Fourier transforms in single precision.

use std::f64::consts::TAU;

use anyhow::{Result, ensure};

use super::{Arg, empty, numbers, read, set, time, time_commands};
use crate::rows::{Bench, Row, compute};

pub(super) const ROWS: &[Row] = &[
    compute("FFT 256 K, radix 4", large),
    compute("FFT 1024 x 512, radix 4 with barriers", batch),
];

fn large() -> Result<f64> {
    const N: u32 = 256 << 10;
    const LENGTH: usize = N as usize;
    let bench = Bench::new()?;
    let data = numbers(LENGTH * 2);
    let input = bench.context.buffer_with(&data)?;
    let (a, b) = (empty(&bench, LENGTH * 8)?, empty(&bench, LENGTH * 8)?);
    let mut kernel = bench.kernel(include_str!("../../kernels/fft_radix4.cl"), "k")?;
    let time = time_commands(
        &bench,
        || Ok(()),
        || {
            let (mut from, mut to, mut spare) = (&input, &a, &b);
            let mut combined = 1;
            while combined < LENGTH {
                set(&mut kernel, &[Arg::Buf(from), Arg::Buf(to), Arg::Count(combined)])?;
                bench.queue.run(&kernel, &[LENGTH / 4], Some(&[64]), None)?;
                (from, to, spare) = (to, spare, to);
                combined *= 4;
            }
            Ok(())
        },
    )?;
    // The ninth pass writes to the same buffer as the first.
    let found: Vec<f32> = read(&bench, &a, LENGTH * 2)?;
    for k in [0, 1, 12_345, N / 2, N - 2] {
        check(&data, &found, k, N)?;
    }
    Ok(time)
}

fn batch() -> Result<f64> {
    const N: u32 = 1024;
    const LENGTH: usize = N as usize;
    const BATCH: usize = 512;
    let bench = Bench::new()?;
    let data = numbers(LENGTH * BATCH * 2);
    let (input, out) = (bench.context.buffer_with(&data)?, empty(&bench, LENGTH * BATCH * 8)?);
    let source = include_str!("../../kernels/fft_local.cl");
    let arguments = [Arg::Buf(&input), Arg::Buf(&out)];
    let time = time(&bench, source, &arguments, &[LENGTH / 4 * BATCH], Some(&[LENGTH / 4]))?;
    let found: Vec<f32> = read(&bench, &out, LENGTH * BATCH * 2)?;
    for (data, found) in data.chunks(LENGTH * 2).zip(found.chunks(LENGTH * 2)).step_by(50) {
        for k in (0..N).step_by(3) {
            check(data, found, k, N)?;
        }
    }
    Ok(time)
}

/// Compares element `k` of a transform of `n` elements with the sum that defines it.
fn check(data: &[f32], found: &[f32], k: u32, n: u32) -> Result<()> {
    let (mut re, mut im) = (0.0, 0.0);
    let mut turn = 0;
    for element in data.chunks(2) {
        let (sin, cos) = (-TAU * f64::from(turn) / f64::from(n)).sin_cos();
        let (x, y) = (f64::from(element[0]), f64::from(element[1]));
        re += x * cos - y * sin;
        im += x * sin + y * cos;
        turn = (turn + k) % n;
    }
    let place = 2 * k as usize;
    let found = [f64::from(found[place]), f64::from(found[place + 1])];
    // The error grows with the root of the sum of squares.
    let bound = 1e-5 * (f64::from(n).sqrt() + re.hypot(im));
    ensure!(
        (found[0] - re).hypot(found[1] - im) < bound,
        "element {k} is {found:?}, should be {re}, {im}"
    );
    Ok(())
}
