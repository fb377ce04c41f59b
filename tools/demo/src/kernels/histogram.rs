//! A histogram: atomics on local memory, then on global memory.

use anyhow::Result;

use super::{Argument, Job, Kernel, equal};

pub(crate) const KERNEL: Kernel = Kernel { name: "histogram", source: SOURCE, run };

const SOURCE: &str = "
#define BINS 256
kernel void histogram(global const uchar *data, global uint *bins, uint n)
{
    local uint mine[BINS];
    for (uint k = get_local_id(0); k < BINS; k += get_local_size(0)) mine[k] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_global_id(0); i < n; i += get_global_size(0)) atomic_inc(&mine[data[i]]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = get_local_id(0); k < BINS; k += get_local_size(0)) atomic_add(&bins[k], mine[k]);
}";

const N: usize = 1 << 20;
const BINS: usize = 256;

fn run(job: &mut Job<'_>) -> Result<()> {
    let data: Vec<u8> = (0..u32::MAX)
        .take(N)
        .map(|i| (i.wrapping_mul(2_654_435_761) >> 24).to_le_bytes()[0] & (i >> 8).to_le_bytes()[0])
        .collect();
    let (input, bins) = (job.buffer(&data)?, job.buffer(&[0_u32; BINS])?);
    let arguments = [Argument::Buffer(&input), Argument::Buffer(&bins), Argument::size(N)];
    job.run("histogram", &arguments, &[16 * 1024], Some(&[128]), |queue| {
        Ok(queue.write(&bins, &[0_u32; BINS])?)
    })?;
    let mut wanted = [0_u32; BINS];
    data.iter().for_each(|value| wanted[usize::from(*value)] += 1);
    equal(&job.read(&bins, BINS)?, &wanted)
}
