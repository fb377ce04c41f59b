//! `y = a * x + y`, with vectors of four.

use anyhow::Result;

use super::{Argument, Job, Kernel, close, random};

pub(crate) const KERNEL: Kernel = Kernel { name: "saxpy", source: SOURCE, run };

const SOURCE: &str = "
kernel void saxpy(float a, global const float4 *x, global float4 *y)
{
    size_t i = get_global_id(0);
    y[i] = a * x[i] + y[i];
}";

const N: usize = 1 << 20;

fn run(job: &mut Job<'_>) -> Result<()> {
    let (x, y) = (random(N, -1.0, 1.0), random(N, 0.0, 10.0));
    let (left, right) = (job.buffer(&x)?, job.buffer(&y)?);
    let arguments = [Argument::Float(2.5), Argument::Buffer(&left), Argument::Buffer(&right)];
    job.run("saxpy", &arguments, &[N / 4], Some(&[64]), |queue| Ok(queue.write(&right, &y)?))?;
    let wanted: Vec<_> = x.iter().zip(&y).map(|(x, y)| 2.5 * x + y).collect();
    close(&job.read(&right, N)?, &wanted, 1e-6)
}
