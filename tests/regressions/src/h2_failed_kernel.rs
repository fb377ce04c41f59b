//! The failure of a kernel without an event was invisible: every call succeeded, with wrong data.
//!
//! The failure now reaches the context's callback, a line on stderr, and the next blocking call on
//! the queue (`CL_OUT_OF_RESOURCES`). On RefSi a store to an address outside memory fails the
//! kernel and nothing else.

use std::ffi::{CStr, c_char, c_void};
use std::ptr;
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use muxcl_client::sys::{self, CL_OUT_OF_RESOURCES, CL_SUCCESS, CL_TRUE};
use muxcl_client::{ClientError, Context, Device};

use crate::{Devices, Test, own_process};

pub(crate) const TESTS: &[Test] = &[
    ("h2_failed_kernel/finish", Devices::Hal, finish),
    ("h2_failed_kernel/blocking_read", Devices::Hal, blocking_read),
    ("h2_failed_kernel/before_an_event", Devices::Hal, before_an_event),
    ("h2_failed_kernel/before_a_host_function", Devices::Hal, before_a_host_function),
    ("h2_failed_kernel/callback", Devices::Hal, callback),
    ("h2_failed_kernel/stderr", Devices::Hal, stderr),
];

const SOURCE: &str = "
kernel void wild(ulong address) { *(global int *)address = 1; }
kernel void tame(global int *out) { *out = 7; }";

/// Address 16 is in no memory of the device.
const WILD: u64 = 16;

fn is_failure(result: Result<(), ClientError>) -> bool {
    matches!(result, Err(ClientError::Call { code: CL_OUT_OF_RESOURCES, .. }))
}

fn finish(device: Device) -> Result<()> {
    let context = Context::new(device)?;
    let program = context.build(device, SOURCE, "")?;
    let mut wild = program.kernel("wild")?;
    wild.set(0, WILD)?;
    for properties in [0, sys::CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE] {
        let queue = context.queue(device, properties)?;
        queue.run(&wild, &[1], None, None)?;
        ensure!(is_failure(queue.finish()), "clFinish hides the failure");
        ensure!(queue.finish() == Ok(()), "clFinish repeats the failure");
    }
    Ok(())
}

fn blocking_read(device: Device) -> Result<()> {
    let context = Context::new(device)?;
    let program = context.build(device, SOURCE, "")?;
    let queue = context.queue(device, 0)?;
    let out = context.buffer_with(&[0_i32])?;
    let (mut wild, mut tame) = (program.kernel("wild")?, program.kernel("tame")?);
    wild.set(0, WILD)?;
    tame.set_buffer(0, &out)?;
    queue.run(&wild, &[1], None, None)?;
    queue.run(&tame, &[1], None, None)?;
    let mut seen = [0_i32];
    ensure!(is_failure(queue.read(&out, &mut seen)), "the read hides the failure");
    queue.read(&out, &mut seen)?;
    ensure!(seen == [7], "the command behind the failed one did not run: {seen:?}");

    queue.run(&wild, &[1], None, None)?;
    let mut code = 1;
    // SAFETY: no wait list, room for the code.
    let at = unsafe {
        sys::clEnqueueMapBuffer(
            queue.raw(),
            out.raw(),
            CL_TRUE,
            sys::CL_MAP_WRITE,
            0,
            4,
            0,
            ptr::null(),
            ptr::null_mut(),
            &raw mut code,
        )
    };
    ensure!(at.is_null() && code == CL_OUT_OF_RESOURCES, "the map hides the failure: {code}");
    Ok(())
}

/// The failure does not affect a command with an event that follows in the same batch.
fn before_an_event(device: Device) -> Result<()> {
    let context = Context::new(device)?;
    let program = context.build(device, SOURCE, "")?;
    let queue = context.queue(device, 0)?;
    let out = context.buffer_with(&[0_i32])?;
    let (mut wild, mut tame) = (program.kernel("wild")?, program.kernel("tame")?);
    wild.set(0, WILD)?;
    tame.set_buffer(0, &out)?;
    queue.run(&wild, &[1], None, None)?;
    let event = queue.run_after(&tame, &[1], &[])?;
    event.wait()?;
    ensure!(event.status()? == sys::CL_COMPLETE, "the event has another command's failure");
    ensure!(is_failure(queue.finish()), "clFinish hides the failure");
    Ok(())
}

/// A command that runs a function of the driver on the host does not take the failure of the
/// command before it.
fn before_a_host_function(device: Device) -> Result<()> {
    let context = Context::new(device)?;
    let program = context.build(device, SOURCE, "")?;
    let queue = context.queue(device, 0)?;
    let mut wild = program.kernel("wild")?;
    wild.set(0, WILD)?;
    queue.run(&wild, &[1], None, None)?;
    // SAFETY: no allocations, no function, no wait list, no event.
    let code = unsafe {
        sys::clEnqueueSVMFree(
            queue.raw(),
            0,
            ptr::null_mut(),
            None,
            ptr::null_mut(),
            0,
            ptr::null(),
            ptr::null_mut(),
        )
    };
    ensure!(code == CL_SUCCESS, "clEnqueueSVMFree: {code}");
    ensure!(is_failure(queue.finish()), "clFinish hides the failure");
    Ok(())
}

unsafe extern "C" fn notify(
    text: *const c_char,
    _info: *const c_void,
    _size: usize,
    data: *mut c_void,
) {
    // SAFETY: the driver passes a text that ends with zero.
    let text = unsafe { CStr::from_ptr(text) };
    // SAFETY: the sender that the context was created with, which outlives the context.
    let sender = unsafe { &*data.cast_const().cast::<Sender<String>>() };
    let _ = sender.send(text.to_string_lossy().into_owned());
}

fn callback(device: Device) -> Result<()> {
    let (sender, told) = channel::<String>();
    // Never freed: the driver may call back until the process ends.
    let data: *mut Sender<String> = Box::into_raw(Box::new(sender));
    let (id, mut code) = (device.raw(), 0);
    // SAFETY: one device; the callback's data is never freed.
    let context = unsafe {
        sys::clCreateContext(
            ptr::null(),
            1,
            &raw const id,
            Some(notify),
            data.cast(),
            &raw mut code,
        )
    };
    ensure!(code == CL_SUCCESS, "clCreateContext: {code}");
    // SAFETY: just created.
    let context = unsafe { Context::from_raw(context) };
    let program = context.build(device, SOURCE, "")?;
    let queue = context.queue(device, 0)?;
    let mut wild = program.kernel("wild")?;
    wild.set(0, WILD)?;
    queue.run(&wild, &[1], None, None)?;
    ensure!(is_failure(queue.finish()), "clFinish hides the failure");
    let text = told.recv_timeout(Duration::from_secs(60)).context("no callback")?;
    ensure!(text.contains("failed"), "the context's callback: {text}");
    ensure!(text.contains("kernel `wild`"), "the device's own text is missing: {text}");
    ensure!(text.contains("store to 0x10"), "the device's own text is missing: {text}");
    Ok(())
}

fn stderr(device: Device) -> Result<()> {
    let output = own_process::output("h2_failed_kernel/stderr", device, &[])?;
    let Some(output) = output else { return finish(device) };
    let text = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{}\n{text}", output.status);
    let lines = text.lines().filter(|line| line.starts_with("muxcl: ")).count();
    ensure!(lines == 2, "one line for each of two failures:\n{text}");
    let first = text.lines().find(|line| line.starts_with("muxcl: ")).unwrap_or_default();
    ensure!(first.contains("store to 0x10"), "the device's own text is missing: {first}");
    Ok(())
}
