//! Types that a device lacks built, and the first launch failed with CL_OUT_OF_HOST_MEMORY.
//!
//! The types are `long double` (128 bits, on any device), `__bf16` behind a HAL, and arguments and
//! private variables of several GiB. They are build errors with a reason now. The attribute
//! `target` wrote a line to stderr for each pass that read it; it is now ignored with one warning.

use anyhow::{Result, ensure};
use muxcl_client::sys::CL_BUILD_PROGRAM_FAILURE;
use muxcl_client::{Context, Device};

use crate::{Devices, Test, build_log};

pub(crate) const TESTS: &[Test] = &[
    ("f3_long_double", Devices::All, long_double),
    ("f3_bfloat", Devices::Hal, bfloat),
    ("f3_large_structures", Devices::All, large_structures),
    ("f3_target_attribute", Devices::All, target_attribute),
];

fn refused(device: Device, source: &str, why: &str) -> Result<()> {
    let (code, log) = build_log::failure(device, source, "")?;
    ensure!(code == CL_BUILD_PROGRAM_FAILURE && log.contains(why), "{code}, {log}");
    Ok(())
}

fn long_double(device: Device) -> Result<()> {
    let source = "kernel void k(global int *p) { long double x = p[0]; p[0] = (int)(x * x); }";
    refused(device, source, "error: function 'k' uses 'long double'")
}

fn bfloat(device: Device) -> Result<()> {
    let source = "kernel void k(global float *p) { __bf16 x = (__bf16)p[0]; p[0] = (float)x; }";
    refused(device, source, "error: function 'k' uses '__bf16'")
}

fn large_structures(device: Device) -> Result<()> {
    const TYPE: &str = "typedef struct { char c[2147483647]; int n; } big;";
    let argument = format!("{TYPE} kernel void k(global int *p, big b) {{ p[0] = b.c[p[1]]; }}");
    refused(device, &argument, "error: kernel 'k' has 2147483660 bytes of arguments")?;
    let variable = format!(
        "{TYPE} kernel void k(global int *p) {{
            big b;
            for (int i = 0; i < p[1]; ++i) b.c[i * p[2]] = i;
            for (int i = 0; i < p[1]; ++i) p[i] = b.c[i * p[3]];
        }}"
    );
    refused(device, &variable, "error: kernel 'k' has 2147483652 bytes of private variables")
}

fn target_attribute(device: Device) -> Result<()> {
    let source =
        "__attribute__((target(\"foo\"))) kernel void k(global float *p) { *p = sin(*p); }";
    let context = Context::new(device)?;
    let program = context.build(device, source, "")?;
    let log = program.log(device)?;
    let warning = "warning: attribute 'target' of function 'k' is ignored";
    ensure!(log.matches(warning).count() == 1, "{log}");
    let buffer = context.buffer_with(&[0.0_f32; 16])?;
    let mut kernel = program.kernel("k")?;
    kernel.set_buffer(0, &buffer)?;
    context.queue(device, 0)?.run(&kernel, &[1], None, None)?;
    Ok(())
}
