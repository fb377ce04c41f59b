//! A matrix product in tiles: local memory in two dimensions, barriers in the loop over tiles.

use anyhow::Result;

use super::{Argument, Job, Kernel, close, random};

pub(crate) const KERNEL: Kernel = Kernel { name: "matrix product", source: SOURCE, run };

const SOURCE: &str = "
#define T 16
kernel void multiply(global const float *a, global const float *b, global float *c, uint n)
{
    local float ta[T][T], tb[T][T];
    size_t x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);
    float sum = 0.0f;
    for (uint t = 0; t < n; t += T) {
        ta[ly][lx] = a[y * n + t + lx];
        tb[ly][lx] = b[(t + ly) * n + x];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint k = 0; k < T; ++k) sum = mad(ta[ly][k], tb[k][lx], sum);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[y * n + x] = sum;
}";

const N: usize = 256;

fn run(job: &mut Job<'_>) -> Result<()> {
    let (a, b) = (random(N * N, -1.0, 1.0), random(N * N, -1.0, 2.0));
    let (left, right, out) =
        (job.buffer(&a)?, job.buffer(&b)?, job.buffer(&vec![f32::NAN; N * N])?);
    let arguments = [
        Argument::Buffer(&left),
        Argument::Buffer(&right),
        Argument::Buffer(&out),
        Argument::size(N),
    ];
    job.run("multiply", &arguments, &[N, N], Some(&[16, 16]), |_| Ok(()))?;
    let mut wanted = vec![0.0_f32; N * N];
    for (row, line) in wanted.chunks_mut(N).enumerate() {
        for k in 0..N {
            let factor = a[row * N + k];
            line.iter_mut().zip(&b[k * N..][..N]).for_each(|(sum, b)| *sum += factor * b);
        }
    }
    close(&job.read(&out, N * N)?, &wanted, 1e-4)
}
