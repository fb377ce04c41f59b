//! Sub-group collectives in divergent branches made code of n * n blocks, and builds took seconds.
//!
//! Reconvergence points behind the branches bound the growth (`work_item_loops::joins`). This test
//! checks the results of many such branches; `tests/filetests/tests/collective_growth.rs` checks
//! the size.

use std::fmt::Write as _;

use anyhow::{Result, ensure};
use muxcl_client::{Context, Device};

use crate::{Devices, Test};

pub(crate) const TESTS: &[Test] =
    &[("f9_collectives_in_branches", Devices::All, collectives_in_branches)];

const BRANCHES: u32 = 16;
const ITEMS: usize = 64;

fn collectives_in_branches(device: Device) -> Result<()> {
    let mut body = String::new();
    for n in 0..BRANCHES {
        writeln!(
            body,
            "if ((x >> {n}) & 1) x += sub_group_non_uniform_reduce_add(x); else x ^= {};
            p[{ITEMS} * {n} + i] = x;",
            n * 7 + 3
        )?;
    }
    let source = format!(
        "kernel void k(global uint *p, global uint *size) {{
            size_t i = get_global_id(0);
            uint x = i * 2654435761u;
            {body}
            *size = get_max_sub_group_size();
        }}"
    );
    let context = Context::new(device)?;
    let mut kernel = context.build(device, &source, "-cl-std=CL3.0")?.kernel("k")?;
    let buffer = context.buffer_with(&vec![0_u32; ITEMS * BRANCHES as usize])?;
    let size = context.buffer_with(&[0_u32])?;
    kernel.set_buffer(0, &buffer)?;
    kernel.set_buffer(1, &size)?;
    let queue = context.queue(device, 0)?;
    queue.run(&kernel, &[ITEMS], Some(&[ITEMS]), None)?;
    let mut back = vec![0_u32; ITEMS * BRANCHES as usize];
    queue.read(&buffer, &mut back)?;
    let mut width = [0_u32];
    queue.read(&size, &mut width)?;
    ensure!(back == expected(width[0] as usize), "sub-groups of {}", width[0]);
    Ok(())
}

/// The values by branch, then by work-item.
fn expected(width: usize) -> Vec<u32> {
    let mut x: Vec<u32> = (0_u32..).take(ITEMS).map(|i| i.wrapping_mul(2_654_435_761)).collect();
    let mut out = Vec::new();
    for n in 0..BRANCHES {
        for group in x.chunks_mut(width.max(1)) {
            let active = |x: &u32| (x >> n) & 1 != 0;
            let sum = group.iter().filter(|x| active(x)).fold(0_u32, |s, x| s.wrapping_add(*x));
            for x in group {
                *x = if active(x) { x.wrapping_add(sum) } else { *x ^ (n * 7 + 3) };
            }
        }
        out.extend(&x);
    }
    out
}
