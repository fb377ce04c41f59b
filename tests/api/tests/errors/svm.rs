//! Shared virtual memory, and pipes.

use std::ffi::c_void;
use std::ptr::null_mut;

use muxcl_cl_sys::*;
use muxcl_test_api::{cl, code, enqueue_fails, starves};

use super::Pair;

#[test]
fn commands() {
    let pair = Pair::new();
    let (q, far, w) = (pair.q, pair.far, &pair.waits);
    let memory = cl!(clSVMAlloc(pair.c, CL_MEM_READ_WRITE, 256, 0));
    assert!(!memory.is_null());
    let other: *mut c_void = memory.wrapping_byte_add(128);
    let pattern = 7_u32;
    let p: *const c_void = (&raw const pattern).cast();
    let mut list = [memory];
    let all = list.as_mut_ptr();

    enqueue_fails!(
        CL_INVALID_COMMAND_QUEUE CL_INVALID_EVENT_WAIT_LIST,
        clEnqueueSVMFree(q, 1, all, None, null_mut()), w
    );
    enqueue_fails!(CL_INVALID_OPERATION, clEnqueueSVMFree(far, 1, all, None, null_mut()));
    enqueue_fails!(
        CL_INVALID_COMMAND_QUEUE CL_INVALID_CONTEXT CL_INVALID_EVENT_WAIT_LIST
        CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
        clEnqueueSVMMemcpy(q, CL_TRUE, memory, other, 64), w
    );
    enqueue_fails!(CL_INVALID_OPERATION, clEnqueueSVMMemcpy(far, CL_TRUE, memory, other, 64));
    starves!(CL_OUT_OF_RESOURCES, clEnqueueSVMMemcpy(q, CL_TRUE, memory, other, 64), enqueue);
    enqueue_fails!(
        CL_INVALID_COMMAND_QUEUE CL_INVALID_CONTEXT CL_INVALID_EVENT_WAIT_LIST,
        clEnqueueSVMMemFill(q, memory, p, 4, 64), w
    );
    enqueue_fails!(CL_INVALID_OPERATION, clEnqueueSVMMemFill(far, memory, p, 4, 64));
    starves!(CL_OUT_OF_RESOURCES, clEnqueueSVMMemFill(q, memory, p, 4, 64), enqueue);
    enqueue_fails!(
        CL_INVALID_COMMAND_QUEUE CL_INVALID_CONTEXT CL_INVALID_EVENT_WAIT_LIST
        CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
        clEnqueueSVMMap(q, CL_TRUE, CL_MAP_READ, memory, 64), w
    );
    enqueue_fails!(CL_INVALID_OPERATION, clEnqueueSVMMap(far, CL_TRUE, CL_MAP_READ, memory, 64));
    enqueue_fails!(CL_INVALID_COMMAND_QUEUE CL_INVALID_CONTEXT CL_INVALID_EVENT_WAIT_LIST,
        clEnqueueSVMUnmap(q, memory), w);
    enqueue_fails!(CL_INVALID_OPERATION, clEnqueueSVMUnmap(far, memory));
    let mut pointers = [memory.cast_const()];
    let (at, size) = (pointers.as_mut_ptr(), 64);
    enqueue_fails!(
        CL_INVALID_COMMAND_QUEUE CL_INVALID_CONTEXT CL_INVALID_EVENT_WAIT_LIST,
        clEnqueueSVMMigrateMem(q, 1, at, &raw const size, 0), w
    );
    enqueue_fails!(CL_INVALID_OPERATION, clEnqueueSVMMigrateMem(far, 1, at, &raw const size, 0));
    cl!(clSVMFree(pair.c, memory));
}

#[test]
fn pipes() {
    let pair = Pair::new();
    starves!(
        CL_MEM_OBJECT_ALLOCATION_FAILURE CL_OUT_OF_RESOURCES,
        clCreatePipe(pair.c, 0, 16, 16, std::ptr::null()),
        new
    );
    code!(CL_SUCCESS, clFinish(pair.q));
}
