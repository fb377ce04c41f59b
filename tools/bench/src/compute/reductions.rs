//! Rows whose work-items combine their values: reductions, scans, histograms.

use anyhow::Result;

use super::{Arg, empty, near, numbers, read, same, set, time, time_commands, words};
use crate::hand;
use crate::rows::{Bench, Row, compute};

pub(super) const ROWS: &[Row] = &[
    compute("local memory reduction 4 M", reduction).by_hand(hand::reduction),
    compute("reduction 16 M, 64 per work-item", reduction_strided),
    compute("scan 1 M by barriers, groups of 256", scan).by_hand(hand::scan),
    compute("scan 4 M by trees, three kernels", scan_tree),
    compute("histogram 4 M bytes, local atomics", histogram_local).by_hand(hand::histogram),
    compute("histogram 4 M bytes, global atomics", histogram_global).by_hand(hand::histogram),
];

/// Number of elements that the reductions combine.
pub(crate) const REDUCTION: usize = 4 << 20;
/// Number of elements of the scan.
pub(crate) const SCAN: usize = 1 << 20;
/// Number of elements for each work-group of the reductions and the scan.
pub(crate) const GROUP: usize = 256;

/// Compares the sums of some groups.
pub(crate) fn check_sums(data: &[f32], found: &[f32]) -> Result<()> {
    for group in [0, 99, REDUCTION / GROUP - 1] {
        near(found[group], data[group * GROUP..][..GROUP].iter().sum())?;
    }
    Ok(())
}

/// Compares all inclusive sums of `data` in groups.
pub(crate) fn check_scan(data: Vec<u32>, found: &[u32]) -> Result<()> {
    let mut wanted = data;
    for part in wanted.chunks_mut(GROUP) {
        let mut sum = 0_u32;
        for value in part {
            sum = sum.wrapping_add(*value);
            *value = sum;
        }
    }
    same(found, &wanted)
}

fn reduction() -> Result<f64> {
    const N: usize = REDUCTION;
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
    check_sums(&data, &read(&bench, &out, N / GROUP)?)?;
    Ok(time)
}

fn reduction_strided() -> Result<f64> {
    const N: usize = 16 << 20;
    const GROUPS: usize = 1024;
    let bench = Bench::new()?;
    let data = numbers(N);
    let (input, out) = (bench.context.buffer_with(&data)?, empty(&bench, GROUPS * 4)?);
    let arguments = [Arg::Buf(&input), Arg::Buf(&out), Arg::Count(N), Arg::Local(GROUP * 4)];
    let source = include_str!("../../kernels/reduction_strided.cl");
    let time = time(&bench, source, &arguments, &[GROUPS * GROUP], Some(&[GROUP]))?;
    for (group, found) in read(&bench, &out, GROUPS)?.into_iter().enumerate() {
        let parts = data.chunks(GROUP).skip(group).step_by(GROUPS);
        near(found, parts.map(|part| part.iter().sum::<f32>()).sum())?;
    }
    Ok(time)
}

fn scan() -> Result<f64> {
    const N: usize = SCAN;
    let bench = Bench::new()?;
    let data = words(N, 1);
    let (input, out) = (bench.context.buffer_with(&data)?, empty(&bench, N * 4)?);
    let arguments = [Arg::Buf(&input), Arg::Buf(&out), Arg::Local(GROUP * 4)];
    let source = include_str!("../../kernels/scan.cl");
    let time = time(&bench, source, &arguments, &[N], Some(&[GROUP]))?;
    check_scan(data, &read(&bench, &out, N)?)?;
    Ok(time)
}

fn scan_tree() -> Result<f64> {
    const N: usize = 4 << 20;
    /// Elements of a work-group, and below its work-items.
    const BLOCK: usize = 512;
    const GROUP: usize = BLOCK / 2;
    const BLOCKS: usize = N / BLOCK;
    let bench = Bench::new()?;
    let data = words(N, 2);
    let (input, out) = (bench.context.buffer_with(&data)?, empty(&bench, N * 4)?);
    // The totals of all blocks, of blocks of these, and of the last 16.
    let totals = empty(&bench, BLOCKS * 4)?;
    let totals_2 = bench.context.buffer_with(&[0_u32; BLOCK])?;
    let total = empty(&bench, 4)?;
    let source = include_str!("../../kernels/scan_tree.cl");
    let program = bench.context.build(bench.device, source, "")?;
    let kernel = |name: &str, arguments: &[Arg<'_>]| {
        let mut kernel = program.kernel(name)?;
        set(&mut kernel, arguments)?;
        anyhow::Ok(kernel)
    };
    let blocks = kernel("blocks", &[Arg::Buf(&input), Arg::Buf(&out), Arg::Buf(&totals)])?;
    let blocks_2 = kernel("blocks", &[Arg::Buf(&totals), Arg::Buf(&totals), Arg::Buf(&totals_2)])?;
    let blocks_3 = kernel("blocks", &[Arg::Buf(&totals_2), Arg::Buf(&totals_2), Arg::Buf(&total)])?;
    let add_2 = kernel("add", &[Arg::Buf(&totals), Arg::Buf(&totals_2)])?;
    let add = kernel("add", &[Arg::Buf(&out), Arg::Buf(&totals)])?;
    let time = time_commands(
        &bench,
        || Ok(bench.queue.write(&totals_2, &[0_u32; BLOCK])?),
        || {
            bench.queue.run(&blocks, &[N / 2], Some(&[GROUP]), None)?;
            bench.queue.run(&blocks_2, &[BLOCKS / 2], Some(&[GROUP]), None)?;
            bench.queue.run(&blocks_3, &[GROUP], Some(&[GROUP]), None)?;
            bench.queue.run(&add_2, &[BLOCKS], Some(&[GROUP]), None)?;
            Ok(bench.queue.run(&add, &[N], Some(&[GROUP]), None)?)
        },
    )?;
    let mut wanted = data;
    let mut sum = 0_u32;
    for value in &mut wanted {
        let own = *value;
        *value = sum;
        sum = sum.wrapping_add(own);
    }
    same(&read(&bench, &out, N)?, &wanted)?;
    Ok(time)
}

fn histogram_local() -> Result<f64> {
    // 64 bytes for each work-item.
    histogram(include_str!("../../kernels/histogram_local.cl"), HISTOGRAM / 64)
}

fn histogram_global() -> Result<f64> {
    histogram(
        "kernel void k(global const uchar *in, global uint *bins, int n)
{
    int i = get_global_id(0);
    if (i < n) atomic_inc(&bins[in[i]]);
}",
        HISTOGRAM,
    )
}

const HISTOGRAM: usize = 4 << 20;

fn histogram(source: &str, items: usize) -> Result<f64> {
    const EMPTY: [u32; 256] = [0; 256];
    let bench = Bench::new()?;
    let data = bytes();
    let (input, bins) = (bench.context.buffer_with(&data)?, bench.context.buffer_with(&EMPTY)?);
    let mut kernel = bench.kernel(source, "k")?;
    set(&mut kernel, &[Arg::Buf(&input), Arg::Buf(&bins), Arg::Count(HISTOGRAM)])?;
    let time = time_commands(
        &bench,
        || Ok(bench.queue.write(&bins, &EMPTY)?),
        || Ok(bench.queue.run(&kernel, &[items], Some(&[256]), None)?),
    )?;
    check_histogram(&data, &read(&bench, &bins, 256)?)?;
    Ok(time)
}

/// The bytes of both histograms.
pub(crate) fn bytes() -> Vec<u8> {
    words(HISTOGRAM, 3).into_iter().map(|x| x.to_le_bytes()[0]).collect()
}

pub(crate) fn check_histogram(data: &[u8], found: &[u32]) -> Result<()> {
    let mut wanted = [0; 256];
    for byte in data {
        wanted[usize::from(*byte)] += 1;
    }
    same(found, &wanted)
}
