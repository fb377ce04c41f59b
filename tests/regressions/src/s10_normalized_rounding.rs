//! `clEnqueueFillImage` rounded colours of normalized formats differently from `write_imagef`.
//!
//! With `CL_SNORM_INT8` and the colour `62.5f / 127` the command stored 63 and the kernel 62. The
//! rule is that of OpenCL C 8.3.1.1, `convert_char_sat_rte(f * 127.0f)`, for both.

use anyhow::{Result, ensure};
use muxcl_client::sys::{CL_DEVICE_IMAGE_SUPPORT, CL_MEM_READ_WRITE};
use muxcl_client::{Context, Device, ImageDesc};

use crate::{Devices, Test};

pub(crate) const TESTS: &[Test] = &[("s10_normalized_rounding", Devices::All, one_rounding)];

const RGBA: u32 = 0x10B5;
const IMAGE_2D: u32 = 0x10F1;
/// `CL_SNORM_INT8`, `CL_SNORM_INT16`, `CL_UNORM_INT8`, `CL_UNORM_INT16`: type, maximum, bytes.
const FORMATS: [(u32, f32, usize); 4] =
    [(0x10D0, 127.0, 1), (0x10D1, 32767.0, 2), (0x10D2, 255.0, 1), (0x10D3, 65535.0, 2)];

const SOURCE: &str = "
kernel void write(write_only image2d_t image, global const float4 *colours) {
  int x = get_global_id(0);
  write_imagef(image, (int2)(x, 0), colours[x]);
}";

fn one_rounding(device: Device) -> Result<()> {
    if device.number(CL_DEVICE_IMAGE_SUPPORT)? == 0 {
        return Ok(());
    }
    let context = Context::new(device)?;
    let queue = context.queue(device, 0)?;
    let program = context.build(device, SOURCE, "")?;
    let mut kernel = program.kernel("write")?;
    for (channel, most, bytes) in FORMATS {
        // Values half-way between two stored values, and values that saturate.
        let mut colours = vec![[f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -0.0]];
        for n in (-63..64_i16).chain([200, 254]) {
            let tie = |k: i16| (f32::from(n) + f32::from(k) + 0.5) / most;
            colours.push([tie(0), tie(1), -tie(0), tie(100)]);
        }
        let desc = ImageDesc {
            kind: IMAGE_2D,
            format: (RGBA, channel),
            size: [colours.len(), 1, 0],
            layers: 0,
            levels: 0,
        };
        let filled = context.image(CL_MEM_READ_WRITE, &desc, None)?;
        let written = context.image(CL_MEM_READ_WRITE, &desc, None)?;
        for (x, colour) in colours.iter().enumerate() {
            let area = ([x, 0, 0, 0], [1, 1, 1]);
            queue.fill_image(&filled, area, &colour.map(f32::to_bits))?;
        }
        let buffer = context.buffer_with(&colours)?;
        kernel.set(0, written.raw())?;
        kernel.set_buffer(1, &buffer)?;
        queue.run(&kernel, &[colours.len()], None, None)?;
        let bytes_of = |image| -> Result<Vec<u8>> {
            let mut pixels = vec![0_u8; colours.len() * 4 * bytes];
            queue.read_image(image, ([0; 4], [colours.len(), 1, 1]), &mut pixels)?;
            Ok(pixels)
        };
        let (by_command, by_kernel) = (bytes_of(&filled)?, bytes_of(&written)?);
        let pixels = by_command.chunks(4 * bytes).zip(by_kernel.chunks(4 * bytes));
        for (colour, (command, kernel)) in colours.iter().zip(pixels) {
            ensure!(command == kernel, "{channel:#x} {colour:?}: {command:?}, not {kernel:?}");
        }
    }
    Ok(())
}
