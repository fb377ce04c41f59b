//! `c = a + b`.

use anyhow::Result;

use super::{Argument, Job, Kernel, close, random};

pub(crate) const KERNEL: Kernel = Kernel { name: "vector add", source: SOURCE, run };

const SOURCE: &str = "
kernel void add(global const float *a, global const float *b, global float *c)
{
    size_t i = get_global_id(0);
    c[i] = a[i] + b[i];
}";

const N: usize = 1 << 20;

fn run(job: &mut Job<'_>) -> Result<()> {
    let (a, b) = (random(N, -1.0, 1.0), random(N, 0.0, 100.0));
    let (left, right, out) =
        (job.buffer(&a)?, job.buffer(&b)?, job.buffer(&[f32::NAN; 1].repeat(N))?);
    let arguments = [Argument::Buffer(&left), Argument::Buffer(&right), Argument::Buffer(&out)];
    job.run("add", &arguments, &[N], None, |_| Ok(()))?;
    let wanted: Vec<_> = a.iter().zip(&b).map(|(a, b)| a + b).collect();
    close(&job.read(&out, N)?, &wanted, 0.0)
}
