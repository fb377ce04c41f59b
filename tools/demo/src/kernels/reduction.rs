//! A sum by groups: barriers in a loop, local memory as an argument.

use anyhow::Result;

use super::{Argument, Job, Kernel, equal};

pub(crate) const KERNEL: Kernel = Kernel { name: "reduction", source: SOURCE, run };

const SOURCE: &str = "
kernel void reduce(global const uint *in, global uint *out, local uint *tile)
{
    size_t l = get_local_id(0);
    tile[l] = in[get_global_id(0)];
    for (size_t step = get_local_size(0) / 2; step > 0; step /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < step) tile[l] += tile[l + step];
    }
    if (l == 0) out[get_group_id(0)] = tile[0];
}";

const N: usize = 1 << 20;
const GROUP: usize = 256;

fn run(job: &mut Job<'_>) -> Result<()> {
    let data: Vec<u32> =
        (0..u32::MAX).take(N).map(|i| i.wrapping_mul(2_654_435_761) >> 12).collect();
    let (input, out) = (job.buffer(&data)?, job.buffer(&vec![0_u32; N / GROUP])?);
    let arguments = [Argument::Buffer(&input), Argument::Buffer(&out), Argument::Local(GROUP * 4)];
    job.run("reduce", &arguments, &[N], Some(&[GROUP]), |_| Ok(()))?;
    let wanted: Vec<_> = data
        .chunks(GROUP)
        .map(|group| group.iter().fold(0_u32, |sum, x| sum.wrapping_add(*x)))
        .collect();
    equal(&job.read(&out, N / GROUP)?, &wanted)
}
