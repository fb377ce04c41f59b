//! Unified shared memory.

use std::ffi::c_void;
use std::ptr::null;

use muxcl_cl_sys::*;
use muxcl_test_api::{
    anything, bad_handles, cl, code, context_of, enqueue_fails, fails, make, setup, starves,
};

use super::Pair;

#[test]
fn allocations() {
    let (d, apart) = (setup().device(), setup().other_device());
    let c = context_of(&[d, apart]);
    let unknown = [0x7777, 1, 0];
    for bad in bad_handles::<_cl_context>() {
        fails!(CL_INVALID_CONTEXT, clHostMemAllocINTEL(bad, null(), 64, 0));
        fails!(CL_INVALID_CONTEXT, clDeviceMemAllocINTEL(bad, d, null(), 64, 0));
        fails!(CL_INVALID_CONTEXT, clSharedMemAllocINTEL(bad, d, null(), 64, 0));
        code!(CL_INVALID_CONTEXT, clMemFreeINTEL(bad, anything()));
        code!(CL_INVALID_CONTEXT, clMemBlockingFreeINTEL(bad, anything()));
    }
    for bad in bad_handles::<_cl_device_id>().into_iter().chain([setup().apart()]) {
        fails!(CL_INVALID_DEVICE, clDeviceMemAllocINTEL(c, bad, null(), 64, 0));
    }
    for (size, align) in [(64, 3), (64, 256)] {
        fails!(CL_INVALID_VALUE, clDeviceMemAllocINTEL(c, d, null(), size, align));
        fails!(CL_INVALID_VALUE, clSharedMemAllocINTEL(c, d, null(), size, align));
    }
    for size in [0, usize::MAX] {
        fails!(CL_INVALID_BUFFER_SIZE, clDeviceMemAllocINTEL(c, d, null(), size, 0));
        fails!(CL_INVALID_BUFFER_SIZE, clSharedMemAllocINTEL(c, d, null(), size, 0));
    }
    fails!(CL_INVALID_PROPERTY, clDeviceMemAllocINTEL(c, d, unknown.as_ptr(), 64, 0));
    starves!(CL_OUT_OF_RESOURCES, clHostMemAllocINTEL(c, null(), 64, 0), new);
    starves!(CL_OUT_OF_RESOURCES, clDeviceMemAllocINTEL(c, d, null(), 64, 0), new);
    starves!(CL_OUT_OF_RESOURCES, clSharedMemAllocINTEL(c, d, null(), 64, 0), new);
    code!(CL_INVALID_VALUE, clMemFreeINTEL(c, anything()));
    code!(CL_INVALID_VALUE, clMemBlockingFreeINTEL(c, anything()));
    code!(CL_SUCCESS, clReleaseContext(c));
}

#[test]
fn commands() {
    let pair = Pair::new();
    let (q, w) = (pair.q, &pair.waits);
    let memory: *mut c_void = make!(clHostMemAllocINTEL(pair.c, null(), 256, 0));
    let other: *mut c_void = memory.wrapping_byte_add(128);
    let pattern = 7_u32;
    let p: *const c_void = (&raw const pattern).cast();
    enqueue_fails!(
        CL_INVALID_COMMAND_QUEUE CL_INVALID_CONTEXT CL_INVALID_EVENT_WAIT_LIST,
        clEnqueueMemFillINTEL(q, memory, p, 4, 64), w
    );
    starves!(CL_OUT_OF_RESOURCES, clEnqueueMemFillINTEL(q, memory, p, 4, 64), enqueue);
    enqueue_fails!(
        CL_INVALID_COMMAND_QUEUE CL_INVALID_CONTEXT CL_INVALID_EVENT_WAIT_LIST,
        clEnqueueMemsetINTEL(q, memory, 1, 64), w
    );
    starves!(CL_OUT_OF_RESOURCES, clEnqueueMemsetINTEL(q, memory, 1, 64), enqueue);
    enqueue_fails!(
        CL_INVALID_COMMAND_QUEUE CL_INVALID_CONTEXT CL_INVALID_EVENT_WAIT_LIST
        CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
        clEnqueueMemcpyINTEL(q, CL_TRUE, memory, other, 64), w
    );
    starves!(CL_OUT_OF_RESOURCES, clEnqueueMemcpyINTEL(q, CL_TRUE, memory, other, 64), enqueue);
    enqueue_fails!(
        CL_INVALID_COMMAND_QUEUE CL_INVALID_CONTEXT CL_INVALID_EVENT_WAIT_LIST,
        clEnqueueMigrateMemINTEL(q, memory, 64, 0), w
    );
    enqueue_fails!(
        CL_INVALID_COMMAND_QUEUE CL_INVALID_CONTEXT CL_INVALID_EVENT_WAIT_LIST,
        clEnqueueMemAdviseINTEL(q, memory, 64, 0), w
    );
    assert_eq!(cl!(clMemFreeINTEL(pair.c, memory)), CL_SUCCESS);
}
