//! A launch took a minute to compile if its kernel had a switch of 8,000 cases, or a thousand
//! labels that other labels jump to: `vecz` made chains of comparisons of them, for which LLVM's
//! simplifications take quadratic time. Such loops stay scalar now.

use anyhow::{Result, ensure};
use muxcl_client::{Context, Device};

use crate::{Devices, Test, own_process};

/// Processor time of one build, so that other work of the machine does not matter.
const BOUND: &[(&str, &str)] = &[("MUXCL_BUILD_SECONDS", "20")];

pub(crate) const TESTS: &[Test] = &[
    ("large_control_flow/switch", Devices::Host, |device| {
        own_process::run("large_control_flow/switch", device, BOUND, switch)
    }),
    ("large_control_flow/labels", Devices::Host, |device| {
        own_process::run("large_control_flow/labels", device, BOUND, labels)
    }),
];

/// The buffer after a launch of `source`, whose kernel `k` gets a buffer of `start`.
fn run(device: Device, source: &str, start: &[i32]) -> Result<Vec<i32>> {
    let context = Context::new(device)?;
    let mut kernel = context.build(device, source, "")?.kernel("k")?;
    let buffer = context.buffer_with(start)?;
    kernel.set_buffer(0, &buffer)?;
    let queue = context.queue(device, 0)?;
    queue.run(&kernel, &[64], Some(&[64]), None)?;
    let mut back = vec![0; start.len()];
    queue.read(&buffer, &mut back)?;
    Ok(back)
}

fn switch(device: Device) -> Result<()> {
    const CASES: usize = 8_000;
    const SLOTS: usize = 61;
    let case = |n: usize| format!("case {n}: slots[{}] = {n};\n", n % SLOTS);
    let cases: String = (0..CASES).map(case).collect();
    let source = format!(
        "kernel void k(global int *p) {{\n\
         int i = get_global_id(0); global int *slots = p + i * {SLOTS};\n\
         switch (i * 157) {{ {cases} }} }}"
    );
    let back = run(device, &source, &[-1; 64 * SLOTS])?;
    for (i, found) in back.chunks(SLOTS).enumerate() {
        let mut wanted = [-1; SLOTS];
        for n in i * 157..CASES {
            wanted[n % SLOTS] = i32::try_from(n)?;
        }
        ensure!(found == wanted, "item {i}: {found:?}");
    }
    Ok(())
}

fn labels(device: Device) -> Result<()> {
    const LABELS: usize = 1000;
    // Each label is jumped to from another one, many backwards.
    let label = |i: usize| {
        let to = (i * 7919 + 13) % LABELS;
        format!("l{i}: x += {}; if (n++ < (i & 3)) goto l{to};\n", i % 5)
    };
    let labels: String = (0..LABELS).map(label).collect();
    let source = format!(
        "kernel void k(global int *p) {{\n\
         int x = 0, n = 0, i = get_global_id(0); {labels} p[i] = x; }}"
    );
    let back = run(device, &source, &[0; 64])?;
    for (i, found) in back.into_iter().enumerate() {
        let (mut wanted, mut jumps, mut at) = (0, 0, 0);
        while at < LABELS {
            wanted += i32::try_from(at % 5)?;
            let jumping = jumps < (i & 3);
            jumps += 1;
            at = if jumping { (at * 7919 + 13) % LABELS } else { at + 1 };
        }
        ensure!(found == wanted, "item {i}: {found}, not {wanted}");
    }
    Ok(())
}
