//! Benchmark rows whose work-items exchange values by sub-group and work-group functions.
//!
//! The size of a sub-group differs between drivers. So the kernels write results that do not depend
//! on it, or one result for each work-group.

use anyhow::{Result, ensure};

use super::{Arg, empty, near, numbers, read, same, set, time_commands, words};
use crate::rows::{Bench, Row, compute};

pub(super) const ROWS: &[Row] = &[
    compute("sub-group reduction 4 M", reduction),
    compute("sub-group scan 4 M, groups of 256", scan),
    compute("sub-group butterfly by shuffles 4 M", butterfly),
    compute("sub-group ballot compaction 4 M", compaction),
    compute("sub-group functions in both branches 4 M", divergent),
    compute("sub-group functions without branches 4 M", uniform),
    compute("work-group reduction 4 M", group_reduction),
    compute("work-group scan 4 M", group_scan),
];

/// Number of work-items.
const N: usize = 4 << 20;
/// Number of work-items in a work-group.
const GROUP: usize = 256;

/// Builds the kernel `k` of `source` and measures a launch with [`N`] work-items.
fn time(bench: &Bench, source: &str, arguments: &[Arg<'_>]) -> Result<f64> {
    let program = bench.context.build(bench.device, source, "-cl-std=CL3.0")?;
    let mut kernel = program.kernel("k")?;
    set(&mut kernel, arguments)?;
    time_commands(bench, || Ok(()), || Ok(bench.queue.run(&kernel, &[N], Some(&[GROUP]), None)?))
}

/// Measures a kernel with an input buffer and an output buffer of `out_bytes` bytes. Returns the
/// time and the output.
fn measure(source: &str, input: &[u32], out_bytes: usize) -> Result<(f64, Vec<u32>)> {
    let bench = Bench::new()?;
    let (input, out) = (bench.context.buffer_with(input)?, empty(&bench, out_bytes)?);
    let time = time(&bench, source, &[Arg::Buf(&input), Arg::Buf(&out)])?;
    Ok((time, read(&bench, &out, out_bytes / 4)?))
}

fn reduction() -> Result<f64> {
    let bench = Bench::new()?;
    let data = numbers(N);
    let (input, out) = (bench.context.buffer_with(&data)?, empty(&bench, N / GROUP * 4)?);
    let source = "kernel void k(global const float *in, global float *out)
{
    local float sums[64];
    float sum = sub_group_reduce_add(in[get_global_id(0)]);
    if (get_sub_group_local_id() == 0) sums[get_sub_group_id()] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        float all = 0;
        for (uint i = 0; i < get_num_sub_groups(); ++i) all += sums[i];
        out[get_group_id(0)] = all;
    }
}";
    let time = time(&bench, source, &[Arg::Buf(&input), Arg::Buf(&out)])?;
    let found: Vec<f32> = read(&bench, &out, N / GROUP)?;
    for (part, found) in data.chunks(GROUP).zip(found) {
        near(found, part.iter().sum())?;
    }
    Ok(time)
}

/// The expected result of an inclusive scan within each work-group.
fn sums(data: &[u32]) -> Vec<u32> {
    let mut wanted = data.to_vec();
    for part in wanted.chunks_mut(GROUP) {
        let mut sum = 0_u32;
        for value in part {
            sum = sum.wrapping_add(*value);
            *value = sum;
        }
    }
    wanted
}

fn scan() -> Result<f64> {
    let data = words(N, 1);
    let source = "kernel void k(global const uint *in, global uint *out)
{
    local uint sums[64];
    uint sum = sub_group_scan_inclusive_add(in[get_global_id(0)]);
    if (get_sub_group_local_id() + 1 == get_sub_group_size()) sums[get_sub_group_id()] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = 0; i < get_sub_group_id(); ++i) sum += sums[i];
    out[get_global_id(0)] = sum;
}";
    let (time, found) = measure(source, &data, N * 4)?;
    same(&found, &sums(&data))?;
    Ok(time)
}

fn butterfly() -> Result<f64> {
    let data = words(N, 2);
    // Two steps give all work-items of a block of four the largest value of the block. The last
    // shuffle reads the value of another work-item of the block, so `x ^ next` must be 0.
    let source = "#pragma OPENCL EXTENSION cl_khr_subgroup_shuffle : enable
kernel void k(global const uint *in, global uint *out)
{
    uint x = in[get_global_id(0)];
    for (uint step = 1; step < 4; step <<= 1)
        x = max(x, sub_group_shuffle_xor(x, step));
    uint next = sub_group_shuffle(x, get_sub_group_local_id() ^ (x & 3));
    out[get_global_id(0)] = x ^ next;
}";
    let (time, found) = measure(source, &data, N * 4)?;
    ensure!(found.iter().all(|x| *x == 0), "a lane has another value than its neighbours");
    Ok(time)
}

fn compaction() -> Result<f64> {
    let data = words(N, 3);
    // Each sub-group moves its odd values to the front of its part of the output.
    let source = "#pragma OPENCL EXTENSION cl_khr_subgroup_ballot : enable
kernel void k(global const uint *in, global uint *out)
{
    uint x = in[get_global_id(0)];
    uint4 odd = sub_group_ballot(x & 1);
    uint first = get_global_id(0) - get_sub_group_local_id();
    uint count = sub_group_ballot_bit_count(odd);
    uint before = sub_group_ballot_exclusive_scan(odd);
    uint to = x & 1 ? before : count + get_sub_group_local_id() - before;
    out[first + to] = x;
}";
    let (time, found) = measure(source, &data, N * 4)?;
    let sorted = |part: &[u32]| {
        let mut part = part.to_vec();
        part.sort_unstable();
        part
    };
    for (a, b) in data.chunks(GROUP).zip(found.chunks(GROUP)) {
        ensure!(sorted(a) == sorted(b), "the group has other values");
    }
    // An even value before an odd one occurs only where a new sub-group begins. A group of 256
    // work-items has at most 64 sub-groups, because each has at least four work-items.
    let steps = |part: &[u32]| part.windows(2).filter(|w| w[0] & 1 < w[1] & 1).count();
    ensure!(found.chunks(GROUP).all(|part| steps(part) < GROUP / 4), "no odd values in front");
    Ok(time)
}

fn divergent() -> Result<f64> {
    let source = "#pragma OPENCL EXTENSION cl_khr_subgroup_non_uniform_arithmetic : enable
kernel void k(global const uint *in, global uint *out)
{
    uint x = in[get_global_id(0)] & 255;
    if (x & 1)
        x = sub_group_non_uniform_reduce_max(x) | 1;
    else
        x = sub_group_non_uniform_reduce_min(x) & ~1u;
    for (uint i = 0; i < (x & 3); ++i)
        x += sub_group_non_uniform_reduce_and(x) & 4;
    out[get_global_id(0)] = x & 1;
}";
    branches(source)
}

fn uniform() -> Result<f64> {
    let source = "kernel void k(global const uint *in, global uint *out)
{
    uint x = in[get_global_id(0)] & 255, parity = x & 1;
    uint high = sub_group_reduce_max(x) | 1, low = sub_group_reduce_min(x) & ~1u;
    x = parity ? high : low;
    for (uint i = 0; i < 3; ++i)
        x += sub_group_reduce_max(x) & 4;
    out[get_global_id(0)] = x & 1;
}";
    branches(source)
}

/// Measures a kernel that writes the lowest bit of each input value, and checks its output.
fn branches(source: &str) -> Result<f64> {
    let data = words(N, 4);
    let (time, found) = measure(source, &data, N * 4)?;
    let wanted: Vec<u32> = data.iter().map(|x| x & 1).collect();
    same(&found, &wanted)?;
    Ok(time)
}

fn group_reduction() -> Result<f64> {
    let data = words(N, 5);
    let source = "kernel void k(global const uint *in, global uint *out)
{
    uint sum = work_group_reduce_add(in[get_global_id(0)]);
    if (get_local_id(0) == 0) out[get_group_id(0)] = sum;
}";
    let (time, found) = measure(source, &data, N / GROUP * 4)?;
    let sum = |part: &[u32]| part.iter().fold(0_u32, |sum, x| sum.wrapping_add(*x));
    let wanted: Vec<u32> = data.chunks(GROUP).map(sum).collect();
    same(&found, &wanted)?;
    Ok(time)
}

fn group_scan() -> Result<f64> {
    let data = words(N, 6);
    let source = "kernel void k(global const uint *in, global uint *out)
{
    out[get_global_id(0)] = work_group_scan_inclusive_add(in[get_global_id(0)]);
}";
    let (time, found) = measure(source, &data, N * 4)?;
    same(&found, &sums(&data))?;
    Ok(time)
}
