//! Semaphores.

use std::ptr::{null, null_mut};

use muxcl_cl_sys::*;
use muxcl_test_api::{bad_handles, code, context, enqueue_fails, fails, make, setup};

use super::Pair;

const TYPE: cl_semaphore_properties_khr = CL_SEMAPHORE_TYPE_KHR as cl_semaphore_properties_khr;
const DEVICES: cl_semaphore_properties_khr =
    CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR as cl_semaphore_properties_khr;
static BINARY: [cl_semaphore_properties_khr; 3] = [TYPE, 1, 0];

#[test]
fn commands() {
    let pair = Pair::new();
    let (q, w) = (pair.q, &pair.waits);
    let (d, other) = (setup().device(), setup().other_device());
    let named = [TYPE, 1, DEVICES, d.addr() as u64, 0, 0];
    let semaphore = make!(clCreateSemaphoreWithPropertiesKHR(pair.c, named.as_ptr()));
    let elsewhere = context();
    let foreign = make!(clCreateSemaphoreWithPropertiesKHR(elsewhere, BINARY.as_ptr()));
    let (one, none) = (&raw const semaphore, null());
    enqueue_fails!(
        CL_INVALID_COMMAND_QUEUE CL_INVALID_CONTEXT CL_INVALID_EVENT_WAIT_LIST
        CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
        clEnqueueWaitSemaphoresKHR(q, 1, one, none), w
    );
    enqueue_fails!(
        CL_INVALID_COMMAND_QUEUE CL_INVALID_CONTEXT CL_INVALID_EVENT_WAIT_LIST
        CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
        clEnqueueSignalSemaphoresKHR(q, 1, one, none), w
    );
    // The semaphore belongs to the other device.
    enqueue_fails!(CL_INVALID_COMMAND_QUEUE, clEnqueueWaitSemaphoresKHR(pair.far, 1, one, none));
    enqueue_fails!(CL_INVALID_COMMAND_QUEUE, clEnqueueSignalSemaphoresKHR(pair.far, 1, one, none));
    enqueue_fails!(CL_INVALID_CONTEXT, clEnqueueWaitSemaphoresKHR(q, 1, &raw const foreign, none));
    enqueue_fails!(
        CL_INVALID_CONTEXT,
        clEnqueueSignalSemaphoresKHR(q, 1, &raw const foreign, none)
    );
    enqueue_fails!(CL_INVALID_VALUE, clEnqueueWaitSemaphoresKHR(q, 0, one, none));
    enqueue_fails!(CL_INVALID_VALUE, clEnqueueSignalSemaphoresKHR(q, 0, null(), none));
    for bad in bad_handles::<_cl_semaphore_khr>() {
        enqueue_fails!(
            CL_INVALID_SEMAPHORE_KHR,
            clEnqueueWaitSemaphoresKHR(q, 1, &raw const bad, none)
        );
        enqueue_fails!(
            CL_INVALID_SEMAPHORE_KHR,
            clEnqueueSignalSemaphoresKHR(q, 1, &raw const bad, none)
        );
        code!(CL_INVALID_SEMAPHORE_KHR, clRetainSemaphoreKHR(bad));
        code!(CL_INVALID_SEMAPHORE_KHR, clReleaseSemaphoreKHR(bad));
    }
    for bad in bad_handles::<_cl_context>() {
        fails!(CL_INVALID_CONTEXT, clCreateSemaphoreWithPropertiesKHR(bad, BINARY.as_ptr()));
    }
    fails!(CL_INVALID_VALUE, clCreateSemaphoreWithPropertiesKHR(elsewhere, null()));
    fails!(
        CL_INVALID_PROPERTY,
        clCreateSemaphoreWithPropertiesKHR(elsewhere, [TYPE, 2, 0].as_ptr())
    );
    fails!(CL_INVALID_PROPERTY, clCreateSemaphoreWithPropertiesKHR(pair.c, BINARY.as_ptr()));
    let strange = [TYPE, 1, DEVICES, other.addr() as u64, 0, 0];
    fails!(CL_INVALID_DEVICE, clCreateSemaphoreWithPropertiesKHR(elsewhere, strange.as_ptr()));
    code!(
        CL_INVALID_DEVICE,
        clGetSemaphoreHandleForTypeKHR(semaphore, other, 0, 0, null_mut(), null_mut())
    );
    for s in [semaphore, foreign] {
        code!(CL_SUCCESS, clReleaseSemaphoreKHR(s));
    }
    code!(CL_SUCCESS, clReleaseContext(elsewhere));
}
