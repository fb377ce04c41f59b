//! LLVM 22's register coalescer ended the process on a correct kernel (LLVM issue 171994).
//!
//! For a sum of many values the SLP vectorizer made shuffles of vectors wider than a group of
//! vector registers, with poison lanes. `muxcl_passes::long_reductions` now limits it to the width
//! of the device's registers.

use anyhow::{Result, ensure};
use muxcl_client::{Context, Device};

use crate::{Devices, Test, own_process};

pub(crate) const TESTS: &[Test] = &[("f8_register_coalescer", Devices::Hal, |device| {
    // The pattern needs short vector registers.
    let short = [("CA_RISCV_VLEN_BITS_MIN", "128")];
    own_process::run("f8_register_coalescer", device, &short, register_coalescer)
})];

fn register_coalescer(device: Device) -> Result<()> {
    let context = Context::new(device)?;
    // The sum of 33 lanes, then of 65 and of 120: the crash depended on the content of memory.
    for parts in [1, 2, 4] {
        let source = source(parts);
        let mut kernel = context.build(device, &source, "")?.kernel("k")?;
        let buffer = context.buffer_with(&[0_u8; 4096])?;
        kernel.set_buffer(0, &buffer)?;
        let queue = context.queue(device, 0)?;
        queue.run(&kernel, &[64], Some(&[16]), None)?;
        let mut back = [0_u64; 64];
        queue.read(&buffer, &mut back)?;
        ensure!(back[0] == 0xd7 * parts as u64, "{parts}: {:#x}", back[0]);
    }
    Ok(())
}

/// A kernel that adds vector lanes, of which only those of `clz` are not zero.
fn source(parts: usize) -> String {
    let mut lines = String::new();
    for n in 0..parts {
        lines += &format!(
            "volatile uchar2 a{n} = (uchar2)(0); volatile uint16 b{n} = (uint16)(0);
             volatile uint8 c{n} = (uint8)(0); volatile uint2 d{n} = (uint2)(0);
             uint8 x{n} = (uint8)(94, 74, 19, 67, 9, 28, 90, 47); x{n}.s3 = p[5]; x{n} = clz(x{n});
             s += a{n}.s1;\n"
        );
        for (vector, lanes) in [('x', "01234567"), ('b', "01234678 9abcdef"), ('c', "1234567")] {
            for lane in lanes.chars().filter(|lane| *lane != ' ') {
                lines += &format!("s += {vector}{n}.s{lane};\n");
            }
        }
        lines += &format!("s += d{n}.s0; s += d{n}.s1;\n");
    }
    format!(
        "kernel void k(global ulong *o) {{
            global uint *p = (global uint *)(o + 256);
            ulong s = 0;
            {lines}
            o[get_global_id(0)] = s;
        }}"
    )
}
