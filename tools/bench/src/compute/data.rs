//! Rows that search data: k-means, strings.

use anyhow::{Result, ensure};

use super::{Arg, empty, numbers, read, same, set, time, time_commands, words};
use crate::rows::{Bench, Row, compute};

pub(super) const ROWS: &[Row] = &[
    compute("k-means assignment, 128 K x 8, 16 centres", k_means),
    compute("string search in 4 M characters", string_search),
];

fn k_means() -> Result<f64> {
    const N: usize = 128 << 10;
    const DIMENSIONS: usize = 8;
    const CENTRES: usize = 16;
    let bench = Bench::new()?;
    let points = numbers(N * DIMENSIONS);
    let centres: Vec<f32> = numbers(CENTRES * DIMENSIONS).iter().map(|x| 0.9 * x).collect();
    let buffers = [
        bench.context.buffer_with(&points)?,
        bench.context.buffer_with(&centres)?,
        empty(&bench, N * 4)?,
    ];
    let [buf_points, buf_centres, nearest] = buffers.each_ref().map(Arg::Buf);
    let arguments = [
        buf_points,
        buf_centres,
        nearest,
        Arg::Count(N),
        Arg::Count(CENTRES),
        Arg::Count(DIMENSIONS),
    ];
    let source = include_str!("../../kernels/k_means.cl");
    let time = time(&bench, source, &arguments, &[N], Some(&[128]))?;
    for (i, found) in read::<u32>(&bench, &buffers[2], N)?.into_iter().enumerate() {
        let distance = |centre: &[f32]| {
            let along = centre.iter().enumerate().map(|(d, x)| points[d * N + i] - x);
            along.map(|x| x * x).sum::<f32>()
        };
        let least = centres.chunks(DIMENSIONS).map(distance).fold(f32::MAX, f32::min);
        let centre = centres.chunks(DIMENSIONS).nth(found as usize);
        // Rounding may choose another centre at the same distance.
        ensure!(
            centre.is_some_and(|centre| distance(centre) <= least * 1.00001),
            "centre {found} is not the nearest one of point {i}"
        );
    }
    Ok(time)
}

fn string_search() -> Result<f64> {
    const N: usize = 4 << 20;
    const PATTERN: &[u8] = b"abacab";
    let bench = Bench::new()?;
    let mut text: Vec<u8> =
        words(N, 22).into_iter().map(|x| b'a' + x.to_le_bytes()[0] % 4).collect();
    text.resize(N + PATTERN.len(), 0);
    let (buf_text, pattern) =
        (bench.context.buffer_with(&text)?, bench.context.buffer_with(PATTERN)?);
    let (places, count) = (empty(&bench, N * 4)?, empty(&bench, 4)?);
    let mut kernel = bench.kernel(include_str!("../../kernels/string_search.cl"), "k")?;
    let arguments = [
        Arg::Buf(&buf_text),
        Arg::Buf(&pattern),
        Arg::Count(PATTERN.len()),
        Arg::Buf(&places),
        Arg::Buf(&count),
    ];
    set(&mut kernel, &arguments)?;
    let time = time_commands(
        &bench,
        || Ok(bench.queue.write(&count, &[0_u32])?),
        || Ok(bench.queue.run(&kernel, &[N], None, None)?),
    )?;
    let wanted: Vec<u32> = (0..u32::MAX)
        .zip(text.windows(PATTERN.len()))
        .filter_map(|(place, window)| (window == PATTERN).then_some(place))
        .collect();
    let count = read::<u32>(&bench, &count, 1)?[0] as usize;
    ensure!(count == wanted.len(), "{count} places, should be {}", wanted.len());
    let mut found: Vec<u32> = read(&bench, &places, count)?;
    found.sort_unstable();
    same(&found, &wanted)?;
    Ok(time)
}
