//! A command whose event a test polls. No thread of the application waits for the command, so a
//! thread of the driver must run it.

use std::ptr;
use std::time::{Duration, Instant};

use muxcl_client::sys::{
    self, CL_COMPLETE, CL_EVENT_COMMAND_EXECUTION_STATUS, CL_SUCCESS, cl_command_queue, cl_event,
    cl_int,
};

/// Enqueues a marker and flushes the queue, then polls the marker's event. True if it completes
/// within ten seconds.
pub(crate) fn marker_completes(queue: cl_command_queue) -> bool {
    let mut event: cl_event = ptr::null_mut();
    // SAFETY: no wait list, room for the event.
    let code = unsafe { sys::clEnqueueMarkerWithWaitList(queue, 0, ptr::null(), &raw mut event) };
    // SAFETY: the caller's queue.
    if code != CL_SUCCESS || unsafe { sys::clFlush(queue) } != CL_SUCCESS {
        return false;
    }
    let start = Instant::now();
    let mut complete = false;
    while !complete && start.elapsed() < Duration::from_secs(10) {
        std::thread::sleep(Duration::from_millis(1));
        complete = status(event) == Some(CL_COMPLETE);
    }
    // SAFETY: this function's reference.
    unsafe { sys::clReleaseEvent(event) };
    complete
}

fn status(event: cl_event) -> Option<cl_int> {
    let mut status: cl_int = 0;
    let name = CL_EVENT_COMMAND_EXECUTION_STATUS;
    // SAFETY: room for the status.
    let code = unsafe {
        let size = size_of::<cl_int>();
        sys::clGetEventInfo(event, name, size, (&raw mut status).cast(), ptr::null_mut())
    };
    (code == CL_SUCCESS).then_some(status)
}
