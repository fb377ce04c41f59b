//! Queues, markers and barriers, native kernels, sub-devices.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use muxcl_cl_sys::*;
use muxcl_test_api::{
    anything, bad_handles, buffer, code, context, context_of, enqueue_fails, fails, setup, starves,
};

use super::{Pair, queue};

#[test]
fn creation() {
    let c = context();
    let d = setup().device();
    let on_device: [cl_ulong; 3] = [
        CL_QUEUE_PROPERTIES.into(),
        CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
        0,
    ];
    let unknown: [cl_ulong; 3] = [0x7777, 1, 0];
    for bad in bad_handles::<_cl_context>() {
        fails!(CL_INVALID_CONTEXT, clCreateCommandQueueWithPropertiesKHR(bad, d, null()));
    }
    for bad in bad_handles::<_cl_device_id>().into_iter().chain([setup().other_device()]) {
        fails!(CL_INVALID_DEVICE, clCreateCommandQueueWithPropertiesKHR(c, bad, null()));
    }
    fails!(CL_INVALID_VALUE, clCreateCommandQueueWithPropertiesKHR(c, d, unknown.as_ptr()));
    // A device without device-side queues.
    let without = context_of(&[setup().other_device()]);
    fails!(
        CL_INVALID_QUEUE_PROPERTIES,
        clCreateCommandQueueWithPropertiesKHR(without, setup().other_device(), on_device.as_ptr())
    );
    for c in [c, without] {
        code!(CL_SUCCESS, clReleaseContext(c));
    }
}

#[test]
fn markers() {
    let pair = Pair::new();
    let (q, w) = (pair.q, &pair.waits);
    enqueue_fails!(
        CL_INVALID_COMMAND_QUEUE CL_INVALID_CONTEXT CL_INVALID_EVENT_WAIT_LIST,
        clEnqueueMarkerWithWaitList(q), w
    );
    enqueue_fails!(
        CL_INVALID_COMMAND_QUEUE CL_INVALID_CONTEXT CL_INVALID_EVENT_WAIT_LIST,
        clEnqueueBarrierWithWaitList(q), w
    );
}

unsafe extern "C" fn nothing(_: *mut c_void) {}

#[test]
fn native_kernels() {
    // The first device has memory of its own. The first command on the second device allocates
    // the memory there.
    let (apart, d) = (setup().apart(), setup().device());
    let c = context_of(&[apart, d]);
    let (q, far, w) = (queue(c, d), queue(c, apart), muxcl_test_api::Waits::new(c));
    let mem = buffer(c, 64);
    let mut block = [mem; 2];
    let args: *mut c_void = block.as_mut_ptr().cast();
    let mut place = args.cast_const();
    let (one, at) = (&raw const mem, &raw mut place);
    enqueue_fails!(
        CL_INVALID_COMMAND_QUEUE CL_INVALID_CONTEXT CL_INVALID_EVENT_WAIT_LIST,
        clEnqueueNativeKernel(q, Some(nothing), args, 16, 1, one, at), w
    );
    enqueue_fails!(
        CL_INVALID_OPERATION,
        clEnqueueNativeKernel(far, Some(nothing), args, 16, 1, one, at)
    );
    starves!(
        CL_MEM_OBJECT_ALLOCATION_FAILURE CL_OUT_OF_RESOURCES,
        clEnqueueNativeKernel(q, Some(nothing), args, 16, 1, one, at), enqueue
    );
    // Argument positions outside the block, near and far.
    let mut beyond = anything().cast_const();
    enqueue_fails!(
        CL_INVALID_VALUE,
        clEnqueueNativeKernel(q, Some(nothing), args, 16, 1, one, &raw mut beyond)
    );
    code!(CL_SUCCESS, clReleaseMemObject(mem));
    for q in [q, far] {
        code!(CL_SUCCESS, clReleaseCommandQueue(q));
    }
    code!(CL_SUCCESS, clReleaseContext(c));
}

#[test]
fn parts() {
    let equally = [CL_DEVICE_PARTITION_EQUALLY, 2, 0];
    let mut out = [null_mut(); 2];
    let at = out.as_mut_ptr();
    starves!(
        CL_OUT_OF_RESOURCES,
        clCreateSubDevices(setup().device(), equally.as_ptr(), 2, at, null_mut())
    );
    assert!(out.iter().all(|d| d.is_null()));
}
