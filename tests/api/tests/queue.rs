//! Command queues: creation, queries, flush and finish, and the checks of queue, wait list and
//! event that every enqueue makes.

use std::ptr::{null, null_mut};

use muxcl_cl_sys::*;
use muxcl_test_api::{
    bad_handles, buffer, cl, code, context, context_of, fails, info, make, number, setup,
};

fn queue(context: cl_context) -> cl_command_queue {
    make!(clCreateCommandQueueWithProperties(context, setup().device(), null()))
}

const PROPERTIES: u64 = CL_QUEUE_PROPERTIES as u64;
const SIZE: u64 = CL_QUEUE_SIZE as u64;

#[test]
fn create() {
    let c = context();
    let d = setup().device();
    for bad in bad_handles::<_cl_context>() {
        fails!(CL_INVALID_CONTEXT, clCreateCommandQueue(bad, d, 0));
        fails!(CL_INVALID_CONTEXT, clCreateCommandQueueWithProperties(bad, d, null()));
    }
    for bad in bad_handles::<_cl_device_id>() {
        fails!(CL_INVALID_DEVICE, clCreateCommandQueue(c, bad, 0));
        fails!(CL_INVALID_DEVICE, clCreateCommandQueueWithProperties(c, bad, null()));
    }
    fails!(CL_INVALID_DEVICE, clCreateCommandQueue(c, setup().other_device(), 0));
    fails!(
        CL_INVALID_DEVICE,
        clCreateCommandQueueWithProperties(c, setup().other_device(), null())
    );
    for bits in [4, 8, 16, 1 << 63, CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE] {
        fails!(CL_INVALID_VALUE, clCreateCommandQueue(c, d, bits));
    }
    let out_of_order = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
    for list in [
        [PROPERTIES, 16, 0, 0, 0],
        [PROPERTIES, CL_QUEUE_ON_DEVICE_DEFAULT, 0, 0, 0],
        [PROPERTIES, CL_QUEUE_ON_DEVICE, 0, 0, 0],
        [PROPERTIES, CL_QUEUE_ON_DEVICE | out_of_order, SIZE, 0, 0],
        [PROPERTIES, 0, PROPERTIES, 0, 0],
        [SIZE, 64, 0, 0, 0],
        [PROPERTIES, out_of_order, SIZE, 64, 0],
        [0x7777, 0, 0, 0, 0],
    ] {
        fails!(CL_INVALID_VALUE, clCreateCommandQueueWithProperties(c, d, list.as_ptr()));
    }
    for bits in 0..4 {
        let q = make!(clCreateCommandQueue(c, d, bits));
        assert_eq!(number(&info!(clGetCommandQueueInfo(q), CL_QUEUE_PROPERTIES)), bits);
        code!(CL_SUCCESS, clReleaseCommandQueue(q));
    }
    code!(CL_SUCCESS, clReleaseContext(c));
}

#[test]
fn life_and_queries() {
    let c = context();
    for bad in bad_handles::<_cl_command_queue>() {
        code!(CL_INVALID_COMMAND_QUEUE, clRetainCommandQueue(bad));
        code!(CL_INVALID_COMMAND_QUEUE, clReleaseCommandQueue(bad));
        code!(CL_INVALID_COMMAND_QUEUE, clFlush(bad));
        code!(CL_INVALID_COMMAND_QUEUE, clFinish(bad));
        code!(
            CL_INVALID_COMMAND_QUEUE,
            clGetCommandQueueInfo(bad, CL_QUEUE_CONTEXT, 0, null_mut(), null_mut())
        );
        code!(CL_INVALID_COMMAND_QUEUE, clSetCommandQueueProperty(bad, 0, 1, null_mut()));
    }
    let list = [PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0];
    let q = make!(clCreateCommandQueueWithProperties(c, setup().device(), list.as_ptr()));
    assert_eq!(number(&info!(clGetCommandQueueInfo(q), CL_QUEUE_CONTEXT)), c.addr() as u64);
    assert_eq!(
        number(&info!(clGetCommandQueueInfo(q), CL_QUEUE_DEVICE)),
        setup().device().addr() as u64
    );
    assert_eq!(number(&info!(clGetCommandQueueInfo(q), CL_QUEUE_REFERENCE_COUNT)), 1);
    assert_eq!(number(&info!(clGetCommandQueueInfo(q), CL_QUEUE_DEVICE_DEFAULT)), 0);
    let array = info!(clGetCommandQueueInfo(q), CL_QUEUE_PROPERTIES_ARRAY);
    assert_eq!(array, list.iter().flat_map(|v| v.to_ne_bytes()).collect::<Vec<_>>());
    code!(
        CL_INVALID_COMMAND_QUEUE,
        clGetCommandQueueInfo(q, CL_QUEUE_SIZE, 0, null_mut(), null_mut())
    );
    code!(CL_INVALID_VALUE, clGetCommandQueueInfo(q, 0x10, 0, null_mut(), null_mut()));
    code!(CL_INVALID_OPERATION, clSetCommandQueueProperty(q, 0, 1, null_mut()));
    code!(CL_SUCCESS, clRetainCommandQueue(q));
    code!(CL_SUCCESS, clReleaseCommandQueue(q));
    code!(CL_SUCCESS, clFlush(q));
    code!(CL_SUCCESS, clFinish(q));
    code!(CL_SUCCESS, clReleaseCommandQueue(q));
    code!(CL_INVALID_COMMAND_QUEUE, clReleaseCommandQueue(q));
    code!(CL_INVALID_COMMAND_QUEUE, clFinish(q));
    code!(CL_SUCCESS, clReleaseContext(c));
}

unsafe extern "C" fn nothing(_: *mut std::ffi::c_void) {}

/// Every enqueue with valid arguments for a queue, a buffer and a wait list.
fn enqueues(
    q: cl_command_queue,
    m: cl_mem,
    n: cl_uint,
    list: *const cl_event,
    event: *mut cl_event,
) -> Vec<(&'static str, cl_int)> {
    let mut host = [0_u8; 64];
    let p = host.as_mut_ptr().cast();
    let (zero, one) = ([0_usize; 3], [1_usize; 3]);
    let (o, r) = (zero.as_ptr(), one.as_ptr());
    let mut code = 0;
    cl!(clEnqueueMapBuffer(q, m, 1, CL_MAP_READ, 0, 4, n, list, event, &raw mut code));
    vec![
        ("map", code),
        ("read", cl!(clEnqueueReadBuffer(q, m, 1, 0, 4, p, n, list, event))),
        ("write", cl!(clEnqueueWriteBuffer(q, m, 1, 0, 4, p.cast_const(), n, list, event))),
        (
            "read rect",
            cl!(clEnqueueReadBufferRect(q, m, 1, o, o, r, 0, 0, 0, 0, p, n, list, event)),
        ),
        (
            "write rect",
            cl!(clEnqueueWriteBufferRect(
                q,
                m,
                1,
                o,
                o,
                r,
                0,
                0,
                0,
                0,
                p.cast_const(),
                n,
                list,
                event
            )),
        ),
        ("copy", cl!(clEnqueueCopyBuffer(q, m, m, 0, 8, 4, n, list, event))),
        (
            "copy rect",
            cl!(clEnqueueCopyBufferRect(
                q,
                m,
                m,
                o,
                [8, 0, 0].as_ptr(),
                r,
                0,
                0,
                0,
                0,
                n,
                list,
                event
            )),
        ),
        ("fill", cl!(clEnqueueFillBuffer(q, m, p.cast_const(), 4, 0, 4, n, list, event))),
        ("migrate", cl!(clEnqueueMigrateMemObjects(q, 1, &raw const m, 0, n, list, event))),
        (
            "native",
            cl!(clEnqueueNativeKernel(
                q,
                Some(nothing),
                null_mut(),
                0,
                0,
                null(),
                null_mut(),
                n,
                list,
                event
            )),
        ),
        ("marker", cl!(clEnqueueMarkerWithWaitList(q, n, list, event))),
        ("barrier", cl!(clEnqueueBarrierWithWaitList(q, n, list, event))),
    ]
}

#[test]
fn what_every_enqueue_checks() {
    let c = context();
    let other = context();
    let (q, m) = (queue(c), buffer(c, 64));
    let all = |what: &str, codes: Vec<(&'static str, cl_int)>, expected: cl_int| {
        for (name, code) in codes {
            assert_eq!(code, expected, "{name}: {what}");
        }
    };
    let mut event = null_mut();
    all("all good", enqueues(q, m, 0, null(), &raw mut event), CL_SUCCESS);
    all("no event wanted", enqueues(q, m, 0, null(), null_mut()), CL_SUCCESS);
    for bad in bad_handles::<_cl_command_queue>() {
        all("queue", enqueues(bad, m, 0, null(), null_mut()), CL_INVALID_COMMAND_QUEUE);
    }
    all(
        "a queue of another kind",
        enqueues(m.cast(), m, 0, null(), null_mut()),
        CL_INVALID_COMMAND_QUEUE,
    );
    let good = make!(clCreateUserEvent(c));
    code!(CL_SUCCESS, clSetUserEventStatus(good, CL_COMPLETE));
    all("wait list", enqueues(q, m, 1, &raw const good, null_mut()), CL_SUCCESS);
    all(
        "a list without a count",
        enqueues(q, m, 0, &raw const good, null_mut()),
        CL_INVALID_EVENT_WAIT_LIST,
    );
    all(
        "a count without a list",
        enqueues(q, m, 1, null(), null_mut()),
        CL_INVALID_EVENT_WAIT_LIST,
    );
    for bad in bad_handles::<_cl_event>() {
        let list = [good, bad];
        all("bad events", enqueues(q, m, 2, list.as_ptr(), null_mut()), CL_INVALID_EVENT_WAIT_LIST);
    }
    let stranger = make!(clCreateUserEvent(other));
    let list = [good, stranger];
    all(
        "an event of another context",
        enqueues(q, m, 2, list.as_ptr(), null_mut()),
        CL_INVALID_CONTEXT,
    );
    let of_memory = |codes: Vec<(&'static str, cl_int)>| {
        codes.into_iter().filter(|c| !["native", "marker", "barrier"].contains(&c.0))
    };
    for bad in bad_handles::<_cl_mem>() {
        for (name, code) in of_memory(enqueues(q, bad, 0, null(), null_mut())) {
            assert_eq!(code, CL_INVALID_MEM_OBJECT, "{name}");
        }
    }
    let theirs = buffer(other, 64);
    for (name, code) in of_memory(enqueues(q, theirs, 0, null(), null_mut())) {
        assert_eq!(code, CL_INVALID_CONTEXT, "{name}");
    }
    // A failed event: blocking commands return an error, the others fail in their own event.
    let failed = make!(clCreateUserEvent(c));
    code!(CL_SUCCESS, clSetUserEventStatus(failed, -5));
    for (name, code) in enqueues(q, m, 1, &raw const failed, null_mut()) {
        let blocking = name.starts_with("read") || name.starts_with("write") || name == "map";
        let expected =
            if blocking { CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST } else { CL_SUCCESS };
        assert_eq!(code, expected, "{name}");
    }
    code!(CL_SUCCESS, clFinish(q));
    assert_eq!(
        number(&info!(clGetMemObjectInfo(m), CL_MEM_MAP_COUNT)),
        3,
        "failed maps are no maps"
    );
    for event in [good, stranger, failed, event] {
        code!(CL_SUCCESS, clReleaseEvent(event));
    }
    code!(CL_SUCCESS, clReleaseMemObject(m));
    code!(CL_SUCCESS, clReleaseMemObject(theirs));
    code!(CL_SUCCESS, clReleaseCommandQueue(q));
}

#[test]
fn deprecated_order() {
    let c = context();
    let q = queue(c);
    let mut event = null_mut();
    code!(CL_INVALID_VALUE, clEnqueueMarker(q, null_mut()));
    code!(CL_SUCCESS, clEnqueueMarker(q, &raw mut event));
    code!(CL_SUCCESS, clEnqueueBarrier(q));
    code!(CL_SUCCESS, clEnqueueWaitForEvents(q, 1, &raw const event));
    code!(CL_INVALID_VALUE, clEnqueueWaitForEvents(q, 0, &raw const event));
    code!(CL_INVALID_VALUE, clEnqueueWaitForEvents(q, 1, null()));
    let none: cl_event = null_mut();
    code!(CL_INVALID_EVENT, clEnqueueWaitForEvents(q, 1, &raw const none));
    for bad in bad_handles::<_cl_command_queue>() {
        code!(CL_INVALID_COMMAND_QUEUE, clEnqueueMarker(bad, &raw mut event));
        code!(CL_INVALID_COMMAND_QUEUE, clEnqueueBarrier(bad));
        code!(CL_INVALID_COMMAND_QUEUE, clEnqueueWaitForEvents(bad, 1, &raw const event));
    }
    let foreign = make!(clCreateUserEvent(context()));
    code!(CL_INVALID_CONTEXT, clEnqueueWaitForEvents(q, 1, &raw const foreign));
    code!(CL_SUCCESS, clFinish(q));
    code!(CL_SUCCESS, clReleaseEvent(event));
}

#[test]
fn queues_of_two_devices_wait_for_each_other() {
    let (a, b) = (setup().device(), setup().other_device());
    let c = context_of(&[a, b]);
    let queues = [a, b].map(|d| make!(clCreateCommandQueueWithProperties(c, d, null())));
    let m = buffer(c, 4);
    let values: Vec<u32> = (0..40).collect();
    let mut last: Option<cl_event> = None;
    for (i, value) in values.iter().enumerate() {
        let mut event = null_mut();
        let at: *const u32 = value;
        let (n, list) = last.as_ref().map_or((0, null()), |e| (1, std::ptr::from_ref(e)));
        code!(
            CL_SUCCESS,
            clEnqueueWriteBuffer(queues[i % 2], m, 0, 0, 4, at.cast(), n, list, &raw mut event)
        );
        if let Some(old) = last.replace(event) {
            code!(CL_SUCCESS, clReleaseEvent(old));
        }
    }
    let last = last.unwrap();
    let mut out = 0_u32;
    let p = (&raw mut out).cast();
    code!(
        CL_SUCCESS,
        clEnqueueReadBuffer(queues[0], m, 1, 0, 4, p, 1, &raw const last, null_mut())
    );
    assert_eq!(out, 39);
    code!(CL_SUCCESS, clReleaseEvent(last));
}
