//! Memory of other programs (`cl_khr_external_memory`): kernels read and write a file in memory.

use std::fs::File;
use std::os::unix::fs::FileExt as _;

use anyhow::{Result, ensure};
use libtest_mimic::{Failed, Trial};
use muxcl_client::sys::CL_DEVICE_EXTENSIONS;
use muxcl_client::{Context, Device};
use muxcl_os::share_bytes;

const N: usize = 3000;
const SOURCE: &str = "
kernel void add(global uint *data, uint n) { data[get_global_id(0)] += n; }";

fn numbers(from: u32) -> Vec<u8> {
    (from..).take(N).flat_map(u32::to_ne_bytes).collect()
}

/// The other program and a kernel take turns with the memory, through two buffers on it.
fn turns(device: Device) -> Result<()> {
    let context = Context::new(device)?;
    let queue = context.queue(device, 0)?;
    let program = context.build(device, SOURCE, "")?;
    let mut kernel = program.kernel("add")?;
    let memory = share_bytes(&[&numbers(0)])?;
    let file = File::from(memory.try_clone()?);
    let buffers = [memory.try_clone()?, memory]
        .map(|fd| context.external_buffer(fd, 4 * N))
        .into_iter()
        .collect::<Result<Vec<_>, _>>()?;
    let mut seen = vec![0; 4 * N];
    for turn in 0..6_u32 {
        let buffer = &buffers[turn as usize % 2];
        file.write_all_at(&numbers(turn * 1000), 0)?;
        context.hand_over(&queue, buffer, true)?;
        kernel.set_buffer(0, buffer)?;
        for n in [1_u32, 10] {
            kernel.set(1, n)?;
            queue.run(&kernel, &[N], None, None)?;
        }
        context.hand_over(&queue, buffer, false)?;
        queue.finish()?;
        file.read_exact_at(&mut seen, 0)?;
        ensure!(seen == numbers(turn * 1000 + 11), "the file has other content in turn {turn}");
    }
    Ok(())
}

/// The tests of a device; empty without the extension.
pub fn trials(target: &str, device: Device) -> Vec<Trial> {
    let list = device.text(CL_DEVICE_EXTENSIONS).unwrap_or_default();
    if !list.contains("cl_khr_external_memory_opaque_fd") {
        return Vec::new();
    }
    vec![Trial::test(format!("{target}/external_memory/turns"), move || {
        turns(device).map_err(|error| Failed::from(format!("{error:#}")))
    })]
}
