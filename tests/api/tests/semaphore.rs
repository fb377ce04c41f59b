//! Semaphores: creation, queries, and the release of exactly one wait by each signal.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use muxcl_cl_sys::*;
use muxcl_test_api::{
    bad_handles, code, context, context_of, extension, info, make, number, setup, text,
};

extension!(create, clCreateSemaphoreWithPropertiesKHR_fn, c"clCreateSemaphoreWithPropertiesKHR",
    (context: cl_context, list: *const cl_semaphore_properties_khr,
        code: *mut cl_int) -> cl_semaphore_khr);
extension!(wait_on, clEnqueueWaitSemaphoresKHR_fn, c"clEnqueueWaitSemaphoresKHR",
    (queue: cl_command_queue, count: cl_uint, list: *const cl_semaphore_khr,
        payload: *const cl_semaphore_payload_khr,
     events: cl_uint, waits: *const cl_event, event: *mut cl_event) -> cl_int);
extension!(signal, clEnqueueSignalSemaphoresKHR_fn, c"clEnqueueSignalSemaphoresKHR",
    (queue: cl_command_queue, count: cl_uint, list: *const cl_semaphore_khr,
        payload: *const cl_semaphore_payload_khr,
     events: cl_uint, waits: *const cl_event, event: *mut cl_event) -> cl_int);
extension!(get, clGetSemaphoreInfoKHR_fn, c"clGetSemaphoreInfoKHR",
    (semaphore: cl_semaphore_khr, name: cl_semaphore_info_khr, size: usize, value: *mut c_void,
        size_ret: *mut usize) -> cl_int);
extension!(retain, clRetainSemaphoreKHR_fn, c"clRetainSemaphoreKHR", (semaphore: cl_semaphore_khr) -> cl_int);
extension!(release, clReleaseSemaphoreKHR_fn, c"clReleaseSemaphoreKHR", (semaphore: cl_semaphore_khr) -> cl_int);

const TYPE: cl_semaphore_properties_khr = 0x203D;
const DEVICES: cl_semaphore_properties_khr = 0x2053;
const BINARY: [cl_semaphore_properties_khr; 3] = [TYPE, 1, 0];

fn made(c: cl_context) -> cl_semaphore_khr {
    let mut code = 1;
    let semaphore = create(c, BINARY.as_ptr(), &raw mut code);
    assert_eq!(code, CL_SUCCESS);
    semaphore
}

fn value(semaphore: cl_semaphore_khr, name: cl_semaphore_info_khr) -> Vec<u8> {
    let mut size = 0;
    assert_eq!(get(semaphore, name, 0, null_mut(), &raw mut size), CL_SUCCESS);
    let mut bytes = vec![0; size];
    code!(
        CL_INVALID_VALUE,
        clGetSemaphoreInfoKHR(semaphore, name, size - 1, bytes.as_mut_ptr().cast(), null_mut())
    );
    assert_eq!(get(semaphore, name, size, bytes.as_mut_ptr().cast(), null_mut()), CL_SUCCESS);
    bytes
}

fn payload(semaphore: cl_semaphore_khr) -> u64 {
    number(&value(semaphore, CL_SEMAPHORE_PAYLOAD_KHR))
}

#[test]
fn create_and_query() {
    let d = setup().device();
    let extensions = text(&info!(clGetDeviceInfo(d), CL_DEVICE_EXTENSIONS));
    assert!(extensions.split(' ').any(|e| e == "cl_khr_semaphore"));
    assert_eq!(number(&info!(clGetDeviceInfo(d), CL_DEVICE_SEMAPHORE_TYPES_KHR)), 1);
    assert_eq!(
        number(&info!(clGetPlatformInfo(setup().platform()), CL_PLATFORM_SEMAPHORE_TYPES_KHR)),
        1
    );
    let c = context();
    let both = context_of(&[d, setup().other_device()]);
    let (this, other) = (d.addr() as u64, setup().other_device().addr() as u64);
    let named = [TYPE, 1, DEVICES, other, 0, 0];
    let mut result = 1;
    let s = create(both, named.as_ptr(), &raw mut result);
    assert_eq!(result, CL_SUCCESS);
    assert_eq!(number(&value(s, CL_SEMAPHORE_CONTEXT_KHR)), both.addr() as u64);
    assert_eq!(number(&value(s, 0x2053)), other);
    assert_eq!(number(&value(s, CL_SEMAPHORE_TYPE_KHR)), 1);
    assert_eq!(payload(s), 0);
    assert_eq!(
        value(s, CL_SEMAPHORE_PROPERTIES_KHR),
        named.iter().flat_map(|v| v.to_ne_bytes()).collect::<Vec<_>>()
    );
    assert_eq!(retain(s), CL_SUCCESS);
    assert_eq!(number(&value(s, CL_SEMAPHORE_REFERENCE_COUNT_KHR)), 2);
    code!(CL_INVALID_VALUE, clGetSemaphoreInfoKHR(s, 0x9999, 0, null_mut(), null_mut()));
    code!(
        CL_INVALID_VALUE,
        clGetSemaphoreHandleForTypeKHR(
            s,
            setup().other_device(),
            CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR,
            0,
            null_mut(),
            null_mut()
        )
    );
    code!(
        CL_INVALID_DEVICE,
        clGetSemaphoreHandleForTypeKHR(s, null_mut(), 0, 0, null_mut(), null_mut())
    );
    assert_eq!(
        (release(s), release(s), release(s)),
        (CL_SUCCESS, CL_SUCCESS, CL_INVALID_SEMAPHORE_KHR)
    );
    for bad in bad_handles::<_cl_semaphore_khr>() {
        assert_eq!(
            (retain(bad), release(bad)),
            (CL_INVALID_SEMAPHORE_KHR, CL_INVALID_SEMAPHORE_KHR)
        );
        code!(
            CL_INVALID_SEMAPHORE_KHR,
            clGetSemaphoreInfoKHR(bad, CL_SEMAPHORE_TYPE_KHR, 0, null_mut(), null_mut())
        );
        code!(
            CL_INVALID_SEMAPHORE_KHR,
            clGetSemaphoreHandleForTypeKHR(bad, d, 0, 0, null_mut(), null_mut())
        );
    }
    let cases: [(cl_context, &[u64], cl_int); 12] = [
        (null_mut(), &BINARY, CL_INVALID_CONTEXT),
        (c, &[0], CL_INVALID_VALUE),
        (c, &[DEVICES, this, 0, 0], CL_INVALID_VALUE),
        (c, &[TYPE, 2, 0], CL_INVALID_PROPERTY),
        (c, &[TYPE, 1, TYPE, 1, 0], CL_INVALID_PROPERTY),
        (c, &[TYPE, 1, 0x7777, 1, 0], CL_INVALID_PROPERTY),
        (c, &[TYPE, 1, DEVICES, this, 0, DEVICES, this, 0, 0], CL_INVALID_PROPERTY),
        (both, &BINARY, CL_INVALID_PROPERTY),
        (both, &[TYPE, 1, DEVICES, this, other, 0, 0], CL_INVALID_DEVICE),
        (both, &[TYPE, 1, DEVICES, 0, 0], CL_INVALID_DEVICE),
        (c, &[TYPE, 1, DEVICES, other, 0, 0], CL_INVALID_DEVICE),
        (c, &[TYPE, 1, DEVICES, 64, 0, 0], CL_INVALID_DEVICE),
    ];
    for (context, list, expected) in cases {
        let mut result = 1;
        assert!(create(context, list.as_ptr(), &raw mut result).is_null());
        assert_eq!(result, expected, "{list:?}");
    }
    let mut result = 1;
    assert!(create(c, null(), &raw mut result).is_null() && result == CL_INVALID_VALUE);
    code!(CL_SUCCESS, clReleaseContext(both));
    code!(CL_SUCCESS, clReleaseContext(c));
}

#[test]
fn each_signal_lets_one_wait_go() {
    let c = context();
    let d = setup().device();
    let out_of_order = [u64::from(CL_QUEUE_PROPERTIES), CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0];
    let queues = [null(), null(), out_of_order.as_ptr()]
        .map(|p| make!(clCreateCommandQueueWithProperties(c, d, p)));
    let list = [made(c), made(c)];
    let one = list.as_ptr();
    let status = |event| {
        let bytes = info!(clGetEventInfo(event), CL_EVENT_COMMAND_EXECUTION_STATUS);
        i32::from_ne_bytes(*bytes.first_chunk().unwrap())
    };
    // Signal before wait, on the same queue and on another.
    for (from, to) in [(0, 0), (0, 1), (1, 2), (2, 2)] {
        assert_eq!(signal(queues[from], 2, one, null(), 0, null(), null_mut()), CL_SUCCESS);
        code!(CL_SUCCESS, clFinish(queues[from]));
        assert_eq!((payload(list[0]), payload(list[1])), (1, 1));
        let mut event = null_mut();
        assert_eq!(wait_on(queues[to], 2, one, null(), 0, null(), &raw mut event), CL_SUCCESS);
        code!(CL_SUCCESS, clWaitForEvents(1, &raw const event));
        assert_eq!(number(&info!(clGetEventInfo(event), CL_EVENT_COMMAND_TYPE)), 0x2042);
        assert_eq!((payload(list[0]), payload(list[1])), (0, 0));
        code!(CL_SUCCESS, clReleaseEvent(event));
    }
    // Wait before signal: two waits, two signals, matched in order.
    let mut waits = [null_mut(); 2];
    for (event, queue) in waits.iter_mut().zip([queues[1], queues[2]]) {
        assert_eq!(wait_on(queue, 1, one, null(), 0, null(), event), CL_SUCCESS);
        code!(CL_SUCCESS, clFlush(queue));
    }
    for expected in [[0, 1], [0, 0]] {
        std::thread::sleep(std::time::Duration::from_millis(5));
        let mut event = null_mut();
        assert_eq!(signal(queues[0], 1, one, null(), 0, null(), &raw mut event), CL_SUCCESS);
        code!(CL_SUCCESS, clWaitForEvents(1, &raw const event));
        assert_eq!(number(&info!(clGetEventInfo(event), CL_EVENT_COMMAND_TYPE)), 0x2043);
        code!(CL_SUCCESS, clReleaseEvent(event));
        code!(
            CL_SUCCESS,
            clWaitForEvents(
                1,
                if expected == [0, 1] { &raw const waits[0] } else { &raw const waits[1] }
            )
        );
        assert_eq!(waits.map(|w| i32::from(status(w) != 0)), expected);
        assert_eq!(payload(list[0]), 0);
    }
    // A signal that waits for an event, pending on a queue that the application does not flush.
    let gate = make!(clCreateUserEvent(c));
    assert_eq!(signal(queues[0], 1, one, null(), 1, &raw const gate, null_mut()), CL_SUCCESS);
    assert_eq!(wait_on(queues[1], 1, one, null(), 0, null(), null_mut()), CL_SUCCESS);
    code!(CL_SUCCESS, clSetUserEventStatus(gate, CL_COMPLETE));
    code!(CL_SUCCESS, clFinish(queues[1]));
    for event in waits.into_iter().chain([gate]) {
        code!(CL_SUCCESS, clReleaseEvent(event));
    }
    // Errors.
    let other_context = context();
    let foreign = made(other_context);
    let gone = make!(clCreateUserEvent(c));
    code!(CL_SUCCESS, clSetUserEventStatus(gone, -1));
    let elsewhere = make!(clCreateUserEvent(other_context));
    let q = queues[0];
    let both = [wait_on, signal];
    for call in both {
        assert_eq!(
            call(null_mut(), 1, one, null(), 0, null(), null_mut()),
            CL_INVALID_COMMAND_QUEUE
        );
        assert_eq!(call(q, 0, one, null(), 0, null(), null_mut()), CL_INVALID_VALUE);
        assert_eq!(call(q, 1, null(), null(), 0, null(), null_mut()), CL_INVALID_VALUE);
        assert_eq!(
            call(q, 1, &raw const foreign, null(), 0, null(), null_mut()),
            CL_INVALID_CONTEXT
        );
        for bad in bad_handles::<_cl_semaphore_khr>() {
            assert_eq!(
                call(q, 1, &raw const bad, null(), 0, null(), null_mut()),
                CL_INVALID_SEMAPHORE_KHR
            );
        }
        assert_eq!(call(q, 1, one, null(), 1, null(), null_mut()), CL_INVALID_EVENT_WAIT_LIST);
        assert_eq!(
            call(q, 1, one, null(), 0, &raw const gone, null_mut()),
            CL_INVALID_EVENT_WAIT_LIST
        );
        assert_eq!(
            call(q, 1, one, null(), 1, &raw const elsewhere, null_mut()),
            CL_INVALID_CONTEXT
        );
        let failed = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
        assert_eq!(call(q, 1, one, null(), 1, &raw const gone, null_mut()), failed);
    }
    assert_eq!(payload(list[0]), 0, "an error changes nothing");
    let pair = context_of(&[d, setup().other_device()]);
    let named = [TYPE, 1, DEVICES, d.addr() as u64, 0, 0];
    let mut result = 1;
    let s = create(pair, named.as_ptr(), &raw mut result);
    let wrong = make!(clCreateCommandQueueWithProperties(pair, setup().other_device(), null()));
    for call in both {
        assert_eq!(
            call(wrong, 1, &raw const s, null(), 0, null(), null_mut()),
            CL_INVALID_COMMAND_QUEUE
        );
    }
    for semaphore in list.into_iter().chain([foreign, s]) {
        assert_eq!(release(semaphore), CL_SUCCESS);
    }
    for event in [gone, elsewhere] {
        code!(CL_SUCCESS, clReleaseEvent(event));
    }
    for queue in queues.into_iter().chain([wrong]) {
        code!(CL_SUCCESS, clReleaseCommandQueue(queue));
    }
    for context in [c, other_context, pair] {
        code!(CL_SUCCESS, clReleaseContext(context));
    }
}
