//! A kernel with the attribute `noreturn` built, and its launch failed without a reason.
//!
//! Now its build fails with an error, because every work-item must end by returning from its
//! kernel.

use anyhow::{Result, ensure};
use muxcl_client::Device;
use muxcl_client::sys::CL_BUILD_PROGRAM_FAILURE;

use crate::{Devices, Test, build_log};

pub(crate) const TESTS: &[Test] = &[("f2_noreturn_kernel", Devices::All, noreturn_kernel)];

fn noreturn_kernel(device: Device) -> Result<()> {
    for declaration in ["__attribute__((noreturn)) kernel void k", "kernel _Noreturn void k"] {
        let source = format!("{declaration}(global int *p) {{ *p = 1; }}");
        let (code, log) = build_log::failure(device, &source, "")?;
        let named = "error: kernel 'k' has the attribute 'noreturn'";
        ensure!(code == CL_BUILD_PROGRAM_FAILURE && log.contains(named), "{declaration}: {log}");
    }
    Ok(())
}
