//! The report about vectorized kernels (`MUXCL_VECZ_REPORT`) named no source lines.
//!
//! The names of IR values are discarded, so a user could not tell which access was meant.

use anyhow::{Result, ensure};
use muxcl_client::{Context, Device};

use crate::{Devices, Test, own_process};

pub(crate) const TESTS: &[Test] = &[("report_lines", Devices::Host, report_lines)];

const SOURCE: &str = "kernel void gather(global int *a, global int *b) {
  int i = get_global_id(0);
  for (int n = 0; n < (a[i] & 15); n++)
    b[i] += a[b[i] & 255];
}";

fn launch(device: Device) -> Result<()> {
    let context = Context::new(device)?;
    let queue = context.queue(device, 0)?;
    let program = context.build(device, SOURCE, "-w")?;
    let (a, b) = (context.buffer_with(&[3_i32; 256])?, context.buffer_with(&[5_i32; 256])?);
    let mut kernel = program.kernel("gather")?;
    kernel.set_buffer(0, &a)?;
    kernel.set_buffer(1, &b)?;
    queue.run(&kernel, &[256], Some(&[64]), None)?;
    queue.finish()?;
    Ok(())
}

fn report_lines(device: Device) -> Result<()> {
    let output = own_process::output(TESTS[0].0, device, &[("MUXCL_VECZ_REPORT", "1")])?;
    let Some(output) = output else { return launch(device) };
    let text = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{}\n{text}", output.status);
    let wanted = "muxcl: vecz: gather: <program source>:4: an address for each lane: a load";
    ensure!(text.contains(wanted), "{text}");
    Ok(())
}
