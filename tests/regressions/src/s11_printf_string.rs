//! `printf("%s", m)` was a build error, "error: error: ...", if `m` is no literal.
//!
//! OpenCL C requires a literal (section 6.15.14.3). The program now builds with a warning, as on
//! other drivers.

use anyhow::{Result, ensure};
use muxcl_client::sys::CL_BUILD_PROGRAM_FAILURE;
use muxcl_client::{Context, Device};

use crate::{Devices, Test, build_log};

pub(crate) const TESTS: &[Test] = &[("s11_printf_string", Devices::All, printf_string)];

fn printf_string(device: Device) -> Result<()> {
    let source = "
        constant char text[] = \"constant\";
        kernel void k(global char *m) { printf(\"\"); printf(\"%s\", text); \
        if (m[0]) printf(\"%s %s\", m, m); }";
    let context = Context::new(device)?;
    let program = context.build(device, source, "")?;
    let log = program.log(device)?;
    let warning = "warning: printf in 'k' has a string for %s that is no literal";
    ensure!(log.matches(warning).count() == 1 && !log.contains("error"), "{log}");
    program.kernel("k")?;
    let format = "kernel void k(constant char *m) { printf(m); }";
    let (code, log) = build_log::failure(device, format, "")?;
    ensure!(code == CL_BUILD_PROGRAM_FAILURE && log.contains("error: "), "{log}");
    ensure!(!log.contains("error: error:"), "{log}");
    Ok(())
}
