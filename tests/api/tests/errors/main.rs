//! Every error code of every entry point in `crates/cl-sys/errors.txt` that the other API tests do
//! not cover, with a file for each family of objects. Each call is valid except for the cause of
//! its code.

mod buffers;
mod command_buffers;
mod images;
mod kernels;
mod programs;
mod queues;
mod recorded_launches;
mod remapped;
mod semaphores;
mod svm;
mod usm;

use std::ptr::{null, null_mut};

use muxcl_cl_sys::{_cl_platform_id, cl_command_queue, cl_context, cl_device_id};
use muxcl_test_api::{Waits, bad_handles, code, context_of, make, setup};

/// A queue of a device.
fn queue(c: cl_context, d: cl_device_id) -> cl_command_queue {
    make!(clCreateCommandQueueWithProperties(c, d, null()))
}

/// A context of a device that shares the host's memory and one that does not, with a queue on each,
/// and wait lists.
struct Pair {
    c: cl_context,
    q: cl_command_queue,
    far: cl_command_queue,
    waits: Waits,
}

impl Pair {
    fn new() -> Self {
        let (d, apart) = (setup().device(), setup().apart());
        let c = context_of(&[d, apart]);
        Self { c, q: queue(c, d), far: queue(c, apart), waits: Waits::new(c) }
    }
}

impl Drop for Pair {
    fn drop(&mut self) {
        for q in [self.q, self.far] {
            code!(CL_SUCCESS, clReleaseCommandQueue(q));
        }
        code!(CL_SUCCESS, clReleaseContext(self.c));
    }
}

#[test]
fn platforms() {
    let mut platform = null_mut();
    code!(CL_INVALID_VALUE, clGetPlatformIDs(0, &raw mut platform, null_mut()));
    code!(CL_INVALID_VALUE, clGetPlatformIDs(1, null_mut(), null_mut()));
    code!(CL_INVALID_VALUE, clIcdGetPlatformIDsKHR(0, &raw mut platform, null_mut()));
    code!(CL_INVALID_VALUE, clIcdGetPlatformIDsKHR(1, null_mut(), null_mut()));
    for bad in bad_handles::<_cl_platform_id>() {
        code!(CL_INVALID_PLATFORM, clIcdSetPlatformDispatchDataKHR(bad, null_mut()));
    }
}
