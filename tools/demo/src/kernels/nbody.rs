//! Gravity between bodies: vectors by value, local memory as a window over all bodies.

use anyhow::Result;

use super::{Argument, Job, Kernel, close, random};

pub(crate) const KERNEL: Kernel = Kernel { name: "n-body", source: SOURCE, run };

const SOURCE: &str = "
kernel void forces(global const float4 *bodies, global float4 *out, local float4 *window, uint n)
{
    size_t i = get_global_id(0), l = get_local_id(0), group = get_local_size(0);
    float4 me = bodies[i];
    float3 force = (float3)(0.0f);
    for (size_t first = 0; first < n; first += group) {
        window[l] = bodies[first + l];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (size_t k = 0; k < group; ++k) {
            float3 way = window[k].xyz - me.xyz;
            float distance = dot(way, way) + 0.01f;
            force += way * (window[k].w / (distance * sqrt(distance)));
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[i] = (float4)(force, me.w);
}";

const N: usize = 2048;
const GROUP: usize = 64;

fn run(job: &mut Job<'_>) -> Result<()> {
    let mut bodies = random(N * 4, -1.0, 1.0);
    bodies.iter_mut().skip(3).step_by(4).for_each(|mass| *mass = mass.abs() + 0.1);
    let (input, out) = (job.buffer(&bodies)?, job.buffer(&vec![f32::NAN; N * 4])?);
    let arguments = [
        Argument::Buffer(&input),
        Argument::Buffer(&out),
        Argument::Local(GROUP * 16),
        Argument::size(N),
    ];
    job.run("forces", &arguments, &[N], Some(&[GROUP]), |_| Ok(()))?;
    let mut wanted = Vec::with_capacity(N * 4);
    for me in bodies.chunks_exact(4) {
        let mut force = [0.0_f64; 3];
        for other in bodies.chunks_exact(4) {
            let way = [0, 1, 2].map(|axis| f64::from(other[axis]) - f64::from(me[axis]));
            let distance = way.iter().map(|w| w * w).sum::<f64>() + 0.01;
            let strength = f64::from(other[3]) / (distance * distance.sqrt());
            force.iter_mut().zip(way).for_each(|(sum, w)| *sum += w * strength);
        }
        #[expect(
            clippy::cast_possible_truncation,
            reason = "the kernel's results are single precision"
        )]
        wanted.extend(force.map(|f| f as f32));
        wanted.push(me[3]);
    }
    close(&job.read(&out, N * 4)?, &wanted, 1e-3)
}
