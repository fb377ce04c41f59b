//! Rows about images: reading pixels in kernels, and transfers. Every row checks a few of its
//! results.

use anyhow::{Result, ensure};
use muxcl_client::sys::CL_MEM_READ_WRITE;
use muxcl_client::{Area, Image, ImageDesc};

use crate::rows::{Bench, median};

const N: usize = 1024;
const WHOLE: Area = ([0; 4], [N, N, 1]);
/// `CL_MEM_OBJECT_IMAGE2D`, `CL_RGBA`, and types.
const PLANE: u32 = 0x10F1;
const RGBA: u32 = 0x10B5;
const UNORM_INT8: u32 = 0x10D2;
const FLOAT: u32 = 0x10DE;

fn image(bench: &Bench, channel: u32) -> Result<Image> {
    let desc =
        ImageDesc { kind: PLANE, format: (RGBA, channel), size: [N, N, 1], layers: 1, levels: 0 };
    Ok(bench.context.image(CL_MEM_READ_WRITE, &desc, None)?)
}

fn bytes(length: usize) -> Vec<u8> {
    (0..u32::MAX)
        .take(length)
        .map(|i| (i.wrapping_mul(2_654_435_761) >> 24).to_le_bytes()[0])
        .collect()
}

pub(crate) fn blur() -> Result<f64> {
    let bench = Bench::new()?;
    let data = bytes(N * N * 4);
    let (input, out) = (image(&bench, UNORM_INT8)?, image(&bench, UNORM_INT8)?);
    bench.queue.write_image(&input, WHOLE, &data)?;
    let source =
        "constant sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
kernel void k(read_only image2d_t in, write_only image2d_t out)
{
    int2 p = (int2)(get_global_id(0), get_global_id(1));
    float4 sum = (float4)(0.0f);
    for (int dy = -2; dy <= 2; ++dy)
        for (int dx = -2; dx <= 2; ++dx)
            sum += read_imagef(in, edge, p + (int2)(dx, dy));
    write_imagef(out, p, sum * (1.0f / 25.0f));
}";
    let mut kernel = bench.kernel(source, "k")?;
    kernel.set_image(0, &input)?;
    kernel.set_image(1, &out)?;
    let time = median(4, 15, || {
        bench.queue.run(&kernel, &[N, N], None, None)?;
        Ok(bench.queue.finish()?)
    })?;
    let mut found = vec![0_u8; N * N * 4];
    bench.queue.read_image(&out, WHOLE, &mut found)?;
    for (x, y, channel) in [(500, 2, 0), (7, 900, 3)] {
        let around =
            (y - 2..=y + 2).flat_map(|v| (x - 2..=x + 2).map(move |u| (v * N + u) * 4 + channel));
        let sum: u32 = around.map(|i| u32::from(data[i])).sum();
        let difference = i64::from(found[(y * N + x) * 4 + channel]) * 25 - i64::from(sum);
        ensure!(difference.abs() <= 13, "a pixel differs by {difference}/25");
    }
    Ok(time)
}

pub(crate) fn write_read() -> Result<f64> {
    let bench = Bench::new()?;
    let data = bytes(N * N * 16);
    let mut back = vec![0_u8; data.len()];
    let image = image(&bench, FLOAT)?;
    let time = median(4, 31, || {
        bench.queue.write_image(&image, WHOLE, &data)?;
        Ok(bench.queue.read_image(&image, WHOLE, &mut back)?)
    })?;
    ensure!(data == back, "the read data differs from the written data");
    Ok(time)
}

pub(crate) fn fill() -> Result<f64> {
    let bench = Bench::new()?;
    let image = image(&bench, UNORM_INT8)?;
    // Less than the whole width, so that rows are not contiguous.
    let area = ([1, 0, 0, 0], [N - 1, N, 1]);
    let red = [1.0_f32, 0.0, 0.0, 1.0].map(f32::to_bits);
    let time = median(4, 31, || {
        bench.queue.fill_image(&image, area, &red)?;
        Ok(bench.queue.finish()?)
    })?;
    let mut found = vec![0_u8; N * N * 4];
    bench.queue.read_image(&image, WHOLE, &mut found)?;
    ensure!(
        found[4..8] == [255, 0, 0, 255] && found.ends_with(&[255, 0, 0, 255]),
        "a filled pixel is wrong"
    );
    Ok(time)
}
