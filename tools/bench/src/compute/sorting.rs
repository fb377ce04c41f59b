//! Rows that sort words.

use anyhow::Result;

use super::{Arg, empty, read, same, set, time, time_commands, words};
use crate::hand;
use crate::rows::{Bench, Row, compute};

pub(super) const ROWS: &[Row] = &[
    compute("bitonic sort 256 K", bitonic).by_hand(hand::bitonic_sort),
    compute("bitonic sort 256 K in blocks of 1024", bitonic_local),
    compute("radix sort 1 M", radix),
];

/// Keys of the first row.
pub(crate) const BITONIC: usize = 256 << 10;
/// Their seed for [`words`].
pub(crate) const SEED: u32 = 10;

fn bitonic() -> Result<f64> {
    const N: usize = BITONIC;
    let bench = Bench::new()?;
    let mut keys = words(N, SEED);
    let buffer = bench.context.buffer_with(&keys)?;
    let source = "kernel void k(global uint *keys, int block, int step)
{
    int i = get_global_id(0), other = i ^ step;
    if (other > i) {
        uint a = keys[i], b = keys[other];
        if ((a > b) == ((i & block) == 0)) {
            keys[i] = b;
            keys[other] = a;
        }
    }
}";
    let mut kernel = bench.kernel(source, "k")?;
    let time = time_commands(
        &bench,
        || Ok(bench.queue.write(&buffer, &keys)?),
        || {
            let mut block = 2;
            while block <= N {
                let mut step = block / 2;
                while step > 0 {
                    let arguments = [Arg::Buf(&buffer), Arg::Count(block), Arg::Count(step)];
                    set(&mut kernel, &arguments)?;
                    bench.queue.run(&kernel, &[N], Some(&[256]), None)?;
                    step /= 2;
                }
                block *= 2;
            }
            Ok(())
        },
    )?;
    keys.sort_unstable();
    same(&read(&bench, &buffer, N)?, &keys)?;
    Ok(time)
}

fn bitonic_local() -> Result<f64> {
    const N: usize = 256 << 10;
    const BLOCK: usize = 1024;
    let bench = Bench::new()?;
    let mut keys = words(N, 11);
    let (input, out) = (bench.context.buffer_with(&keys)?, empty(&bench, N * 4)?);
    let source = include_str!("../../kernels/bitonic_local.cl");
    let arguments = [Arg::Buf(&input), Arg::Buf(&out)];
    let time = time(&bench, source, &arguments, &[N / 2], Some(&[BLOCK / 2]))?;
    keys.chunks_mut(BLOCK).for_each(<[u32]>::sort_unstable);
    same(&read(&bench, &out, N)?, &keys)?;
    Ok(time)
}

fn radix() -> Result<f64> {
    const N: usize = 1 << 20;
    /// Keys of a work-item.
    const CHUNK: usize = 256;
    const ITEMS: usize = N / CHUNK;
    const DIGITS: usize = 16;
    let bench = Bench::new()?;
    let mut keys = words(N, 12);
    let (a, b) = (bench.context.buffer_with(&keys)?, empty(&bench, N * 4)?);
    let counts = empty(&bench, ITEMS * DIGITS * 4)?;
    let source = include_str!("../../kernels/radix_sort.cl");
    let program = bench.context.build(bench.device, source, "")?;
    let mut count = program.kernel("count")?;
    let mut offsets = program.kernel("offsets")?;
    let mut scatter = program.kernel("scatter")?;
    set(&mut offsets, &[Arg::Buf(&counts), Arg::Count(ITEMS * DIGITS)])?;
    let time = time_commands(
        &bench,
        || Ok(bench.queue.write(&a, &keys)?),
        || {
            let (mut from, mut to) = (&a, &b);
            for shift in (0..32).step_by(4) {
                let (chunk, shift) = (CHUNK, Arg::Int(shift));
                let arguments = [Arg::Buf(from), Arg::Buf(&counts), Arg::Count(chunk), shift];
                set(&mut count, &arguments)?;
                bench.queue.run(&count, &[ITEMS], Some(&[64]), None)?;
                bench.queue.run(&offsets, &[256], Some(&[256]), None)?;
                let [keys, counts, chunk, shift] = arguments;
                set(&mut scatter, &[keys, Arg::Buf(to), counts, chunk, shift])?;
                bench.queue.run(&scatter, &[ITEMS], Some(&[64]), None)?;
                (from, to) = (to, from);
            }
            Ok(())
        },
    )?;
    keys.sort_unstable();
    same(&read(&bench, &a, N)?, &keys)?;
    Ok(time)
}
