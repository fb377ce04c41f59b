//! Immutable memory (`cl_ext_immutable_memory_objects`), on read-only pages of the application: a
//! driver that writes back to them crashes the process.

use anyhow::{Result, ensure};
use libtest_mimic::{Failed, Trial};
use muxcl_client::sys::{
    CL_DEVICE_EXTENSIONS, CL_DEVICE_IMAGE_SUPPORT, CL_MAP_READ, CL_MEM_COPY_HOST_PTR,
    CL_MEM_USE_HOST_PTR,
};
use muxcl_client::{Context, Device, IMMUTABLE, ImageDesc};

const SIDE: usize = 16;
/// One pixel of `CL_R`, `CL_UNSIGNED_INT32` is one number of the buffer.
static DATA: [u32; SIDE * SIDE] = {
    let mut all = [0; SIDE * SIDE];
    let (mut n, mut number) = (0, 1_u32);
    while n < all.len() {
        number = number.wrapping_mul(0x9E37_79B9);
        all[n] = number;
        n += 1;
    }
    all
};

const SOURCE: &str = "
kernel void buffers(global const uint *a, constant uint *b, global uint *out) {
    size_t i = get_global_id(0);
    out[i] = a[i] ^ ~b[i];
}";
const IMAGES: &str = "
kernel void images(read_only image2d_t m, read_only image2d_t n, global uint *out) {
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    out[at.x + get_global_size(0) * at.y] = read_imageui(m, at).x ^ ~read_imageui(n, at).x;
}";

/// One kernel takes buffers that received their contents in either way; its result is all ones.
/// Then the host reads, and the kernel runs again.
fn buffers(device: Device) -> Result<()> {
    let context = Context::new(device)?;
    let queue = context.queue(device, 0)?;
    let program = context.build(device, SOURCE, "")?;
    let used = context.immutable_buffer(CL_MEM_USE_HOST_PTR, &DATA)?;
    let copied = context.immutable_buffer(CL_MEM_COPY_HOST_PTR, &DATA)?;
    let mut kernel = program.kernel("buffers")?;
    for (a, b) in [(&used, &copied), (&copied, &used), (&used, &used)] {
        let mut seen = vec![0_u32; DATA.len()];
        let out = context.buffer_with(&seen)?;
        kernel.set_buffer(0, a)?;
        kernel.set_buffer(1, b)?;
        kernel.set_buffer(2, &out)?;
        queue.run(&kernel, &[DATA.len()], None, None)?;
        queue.read(&out, &mut seen)?;
        ensure!(seen.iter().all(|n| *n == u32::MAX), "a kernel reads something else");
        for from in [a, b] {
            queue.read(from, &mut seen)?;
            ensure!(seen == DATA, "the host reads something else");
        }
    }
    // Kernel arguments that permit writes are refused for images only.
    ensure!(kernel.set_buffer(2, &used).is_ok(), "an argument without `const`");
    ensure!(queue.write(&used, &[0_u32; 4]).is_err(), "the host may write to it");
    Ok(())
}

fn images(device: Device) -> Result<()> {
    let context = Context::new(device)?;
    let queue = context.queue(device, 0)?;
    let program = context.build(device, IMAGES, "-cl-std=CL3.0")?;
    let desc = ImageDesc {
        kind: 0x10F1,
        format: (0x10B0, 0x10DC),
        size: [SIDE, SIDE, 1],
        layers: 1,
        levels: 0,
    };
    let used = context.immutable_image(CL_MEM_USE_HOST_PTR, &desc, &DATA)?;
    let copied = context.immutable_image(CL_MEM_COPY_HOST_PTR, &desc, &DATA)?;
    let buffer = context.immutable_buffer(CL_MEM_USE_HOST_PTR, &DATA)?;
    let inside = context.image(IMMUTABLE, &desc, Some(&buffer))?;
    let mut kernel = program.kernel("images")?;
    let whole = ([0; 4], [SIDE, SIDE, 1]);
    for (a, b) in [(&used, &copied), (&copied, &inside), (&inside, &used)] {
        let mut seen = vec![0_u32; DATA.len()];
        let out = context.buffer_with(&seen)?;
        kernel.set_image(0, a)?;
        kernel.set_image(1, b)?;
        kernel.set_buffer(2, &out)?;
        queue.run(&kernel, &[SIDE, SIDE], None, None)?;
        queue.read(&out, &mut seen)?;
        ensure!(seen.iter().all(|n| *n == u32::MAX), "a kernel reads something else");
        queue.read_image(a, whole, &mut seen)?;
        ensure!(seen == DATA, "the host reads something else");
        let (at, _) = queue.map_image(a, CL_MAP_READ, whole)?;
        // SAFETY: mapped, with contiguous rows, and as large as the data.
        let mapped =
            unsafe { std::slice::from_raw_parts(at.cast_const().cast::<u32>(), DATA.len()) };
        ensure!(mapped == DATA, "the host maps something else");
        queue.unmap_image(a, at)?;
        queue.finish()?;
    }
    Ok(())
}

/// The tests of a device; empty without the extension.
pub fn trials(target: &str, device: Device) -> Vec<Trial> {
    if !device
        .text(CL_DEVICE_EXTENSIONS)
        .is_ok_and(|list| list.contains("cl_ext_immutable_memory_objects"))
    {
        return Vec::new();
    }
    let mut trials = Vec::new();
    let mut add = |name: &str, test: fn(Device) -> Result<()>| {
        trials.push(Trial::test(format!("{target}/immutable/{name}"), move || {
            test(device).map_err(|error| Failed::from(format!("{error:#}")))
        }));
    };
    add("buffers", buffers);
    if device.number(CL_DEVICE_IMAGE_SUPPORT).unwrap_or(0) != 0 {
        add("images", images);
    }
    trials
}
