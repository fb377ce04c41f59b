//! A destructor callback of a memory object waited for ever for a command that it had submitted.
//!
//! The last command that uses a released memory object drops it, so the callback runs on a thread
//! of the pool that completes this command. That thread woke no other one for the callback's
//! command, because it was to run the next command itself. It now drops the commands before that.

use std::ffi::c_void;
use std::ptr;
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

use anyhow::{Result, ensure};
use muxcl_client::sys::{self, CL_MEM_READ_WRITE, CL_SUCCESS, cl_mem};
use muxcl_client::{Context, Device, Queue};

use crate::{Devices, Test, poll};

pub(crate) const TESTS: &[Test] = &[("destructor_submits", Devices::Host, destructor_submits)];

/// The data of the callback.
struct Submits {
    queue: Queue,
    /// Receives true if the callback's command has completed.
    outcome: Sender<bool>,
}

unsafe extern "C" fn gone(_: cl_mem, data: *mut c_void) {
    // SAFETY: the test passes this pointer, and the callback is called once.
    let data = unsafe { Box::from_raw(data.cast::<Submits>()) };
    let _ = data.outcome.send(poll::marker_completes(data.queue.raw()));
}

fn destructor_submits(device: Device) -> Result<()> {
    let context = Context::new(device)?;
    let (queue, gate) = (context.queue(device, 0)?, context.user_event()?);
    let (outcome, result) = channel();
    let data = Box::new(Submits { queue: context.queue(device, 0)?, outcome });
    let (pattern, event) = (7_u32, gate.raw());
    let mut code = 1;
    // SAFETY: room for the error code.
    let mem = unsafe {
        sys::clCreateBuffer(context.raw(), CL_MEM_READ_WRITE, 4, ptr::null_mut(), &raw mut code)
    };
    ensure!(code == CL_SUCCESS, "clCreateBuffer: {code}");
    // SAFETY: the pattern has four bytes, the wait list one event.
    let filled = unsafe {
        let (pattern, waits) = ((&raw const pattern).cast(), &raw const event);
        sys::clEnqueueFillBuffer(queue.raw(), mem, pattern, 4, 0, 4, 1, waits, ptr::null_mut())
    };
    let data = Box::into_raw(data).cast();
    // SAFETY: the callback owns the data.
    let told = unsafe { sys::clSetMemObjectDestructorCallback(mem, Some(gone), data) };
    // SAFETY: this function's reference.
    let released = unsafe { sys::clReleaseMemObject(mem) };
    ensure!((filled, told, released) == (CL_SUCCESS, CL_SUCCESS, CL_SUCCESS));
    queue.flush()?;
    // The fill command begins, and no thread of the application waits for it.
    gate.set(0)?;
    ensure!(result.recv_timeout(Duration::from_secs(60))?, "the callback's command did not run");
    Ok(())
}
