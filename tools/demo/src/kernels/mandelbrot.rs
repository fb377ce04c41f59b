//! The Mandelbrot set: a loop whose length differs per work-item.

use anyhow::{Result, bail};

use super::{Argument, Job, Kernel};

pub(crate) const KERNEL: Kernel = Kernel { name: "mandelbrot", source: SOURCE, run };

/// The picture's width and height.
pub(crate) const WIDTH: usize = 1200;
const HEIGHT: usize = 800;
/// Points that have not escaped after this number of iterations count as inside.
pub(crate) const LIMIT: u32 = 512;

const SOURCE: &str = "
#pragma OPENCL FP_CONTRACT OFF
kernel void mandelbrot(global uint *out, uint width, uint height, uint limit)
{
    size_t px = get_global_id(0), py = get_global_id(1);
    float cx = -2.2f + 3.3f * (float)px / (float)width;
    float cy = -1.1f + 2.2f * (float)py / (float)height;
    float x = 0.0f, y = 0.0f;
    uint n = 0;
    while (n < limit && x * x + y * y <= 4.0f) {
        float next = x * x - y * y + cx;
        y = 2.0f * x * y + cy;
        x = next;
        ++n;
    }
    out[py * width + px] = n;
}";

fn run(job: &mut Job<'_>) -> Result<()> {
    let out = job.buffer(&vec![u32::MAX; WIDTH * HEIGHT])?;
    let arguments = [
        Argument::Buffer(&out),
        Argument::size(WIDTH),
        Argument::size(HEIGHT),
        Argument::Int(LIMIT),
    ];
    job.run("mandelbrot", &arguments, &[WIDTH, HEIGHT], None, |_| Ok(()))?;
    let found: Vec<u32> = job.read(&out, WIDTH * HEIGHT)?;
    // OpenCL permits an error of 2.5 ulp for the division by width, and at the border one ulp
    // changes the count.
    let differ = (0..WIDTH * HEIGHT).filter(|i| found[*i] != escape(i % WIDTH, i / WIDTH)).count();
    job.pixels = Some(found);
    if differ * 100 > WIDTH * HEIGHT {
        bail!("{differ} of {} points differ, more than rounding explains", WIDTH * HEIGHT);
    }
    Ok(())
}

#[expect(clippy::cast_precision_loss, reason = "coordinates of a picture")]
fn escape(px: usize, py: usize) -> u32 {
    let cx = -2.2_f32 + 3.3 * px as f32 / WIDTH as f32;
    let cy = -1.1_f32 + 2.2 * py as f32 / HEIGHT as f32;
    let (mut x, mut y, mut n) = (0.0_f32, 0.0_f32, 0);
    while n < LIMIT && x * x + y * y <= 4.0 {
        (x, y) = (x * x - y * y + cx, 2.0 * x * y + cy);
        n += 1;
    }
    n
}
