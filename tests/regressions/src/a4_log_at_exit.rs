//! With `MUXCL_LOG=cl::api=trace` a call from an `atexit` handler ended the process by SIGABRT.
//!
//! The formatter kept its buffer in thread-local storage, which is gone when `atexit` handlers run.
//! Every DPC++ program makes calls there.

use anyhow::{Result, ensure};
use muxcl_client::sys::CL_SUCCESS;
use muxcl_client::{Context, Device, Platform};

use crate::{Devices, Test, own_process};

pub(crate) const TESTS: &[Test] = &[("a4_log_at_exit", Devices::Host, log_at_exit)];

unsafe extern "C" {
    fn atexit(handler: extern "C" fn()) -> i32;
}

/// Writes to a buffer on each device of the platform and waits.
fn use_every_device() -> Result<()> {
    for device in Platform::all()?[0].devices()? {
        let context = Context::new(device)?;
        let queue = context.queue(device, 0)?;
        let event = context.user_event()?;
        let buffer = context.buffer_with(&[1_u32; 16])?;
        queue.write(&buffer, &[2_u32; 16])?;
        event.set(CL_SUCCESS)?;
        queue.finish()?;
        let mut back = [0_u32; 16];
        queue.read(&buffer, &mut back)?;
        ensure!(back == [2; 16], "read back {back:?}");
    }
    Ok(())
}

#[expect(clippy::print_stderr, reason = "the parent process reads it")]
extern "C" fn handler() {
    match use_every_device() {
        Ok(()) => eprintln!("at exit: done"),
        Err(error) => eprintln!("at exit: {error:#}"),
    }
}

fn calls_at_exit() -> Result<()> {
    use_every_device()?;
    // SAFETY: the handler lives as long as the program.
    ensure!(unsafe { atexit(handler) } == 0, "atexit");
    Ok(())
}

fn log_at_exit(device: Device) -> Result<()> {
    for log in ["", "cl::api=trace", "trace"] {
        let output = own_process::output(TESTS[0].0, device, &[("MUXCL_LOG", log)])?;
        let Some(output) = output else { return calls_at_exit() };
        let text = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "MUXCL_LOG={log}: {}\n{text}", output.status);
        ensure!(text.contains("at exit: done"), "MUXCL_LOG={log}: the handler failed\n{text}");
        let logged = text.lines().filter(|line| line.contains("clFinish")).count();
        ensure!(log.is_empty() || logged >= 2, "MUXCL_LOG={log}: calls are not logged\n{text}");
    }
    Ok(())
}
