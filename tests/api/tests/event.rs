//! Events: error codes of waits, queries, callbacks, user events and profiling.

use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::time::{Duration, Instant};

use muxcl_cl_sys::*;
use muxcl_test_api::{bad_handles, cl, code, context, fails, info, make, number, setup};

unsafe extern "C" fn called(_: cl_event, _: cl_int, _: *mut c_void) {}

#[test]
fn codes() {
    let c = context();
    let q = make!(clCreateCommandQueueWithProperties(c, setup().device(), null()));
    let mut e = null_mut();
    code!(CL_SUCCESS, clEnqueueMarkerWithWaitList(q, 0, null(), &raw mut e));
    for bad in bad_handles::<_cl_event>() {
        code!(CL_INVALID_EVENT, clRetainEvent(bad));
        code!(CL_INVALID_EVENT, clReleaseEvent(bad));
        code!(CL_INVALID_EVENT, clGetEventInfo(bad, CL_EVENT_CONTEXT, 0, null_mut(), null_mut()));
        code!(
            CL_INVALID_EVENT,
            clGetEventProfilingInfo(bad, CL_PROFILING_COMMAND_END, 0, null_mut(), null_mut())
        );
        code!(CL_INVALID_EVENT, clSetEventCallback(bad, CL_COMPLETE, Some(called), null_mut()));
        code!(CL_INVALID_EVENT, clSetUserEventStatus(bad, CL_COMPLETE));
        code!(CL_INVALID_EVENT, clWaitForEvents(1, &raw const bad));
    }
    for bad in bad_handles::<_cl_context>() {
        fails!(CL_INVALID_CONTEXT, clCreateUserEvent(bad));
    }
    code!(CL_INVALID_VALUE, clWaitForEvents(0, &raw const e));
    code!(CL_INVALID_VALUE, clWaitForEvents(1, null()));
    let foreign = make!(clCreateUserEvent(context()));
    let mixed = [e, foreign];
    code!(CL_INVALID_CONTEXT, clWaitForEvents(2, mixed.as_ptr()));
    code!(CL_INVALID_VALUE, clSetEventCallback(e, CL_COMPLETE, None, null_mut()));
    for kind in [CL_QUEUED, -1, 4] {
        code!(CL_INVALID_VALUE, clSetEventCallback(e, kind, Some(called), null_mut()));
    }
    code!(CL_INVALID_EVENT, clSetUserEventStatus(e, CL_COMPLETE));
    code!(CL_SUCCESS, clWaitForEvents(1, &raw const e));
    assert_eq!(number(&info!(clGetEventInfo(e), CL_EVENT_COMMAND_EXECUTION_STATUS)), 0);
    assert_eq!(
        number(&info!(clGetEventInfo(e), CL_EVENT_COMMAND_TYPE)),
        u64::from(CL_COMMAND_MARKER)
    );
    assert_eq!(number(&info!(clGetEventInfo(e), CL_EVENT_COMMAND_QUEUE)), q.addr() as u64);
    assert_eq!(number(&info!(clGetEventInfo(e), CL_EVENT_CONTEXT)), c.addr() as u64);
    assert_eq!(number(&info!(clGetEventInfo(e), CL_EVENT_REFERENCE_COUNT)), 1);
    code!(CL_INVALID_VALUE, clGetEventInfo(e, 0x99, 0, null_mut(), null_mut()));
    code!(
        CL_PROFILING_INFO_NOT_AVAILABLE,
        clGetEventProfilingInfo(e, CL_PROFILING_COMMAND_END, 0, null_mut(), null_mut())
    );

    let u = make!(clCreateUserEvent(c));
    assert_eq!(
        number(&info!(clGetEventInfo(u), CL_EVENT_COMMAND_EXECUTION_STATUS)),
        u64::from(CL_SUBMITTED.unsigned_abs())
    );
    assert_eq!(
        number(&info!(clGetEventInfo(u), CL_EVENT_COMMAND_TYPE)),
        u64::from(CL_COMMAND_USER)
    );
    assert_eq!(number(&info!(clGetEventInfo(u), CL_EVENT_COMMAND_QUEUE)), 0);
    code!(
        CL_PROFILING_INFO_NOT_AVAILABLE,
        clGetEventProfilingInfo(u, CL_PROFILING_COMMAND_END, 0, null_mut(), null_mut())
    );
    for bad in [CL_RUNNING, CL_SUBMITTED, CL_QUEUED, 7] {
        code!(CL_INVALID_VALUE, clSetUserEventStatus(u, bad));
    }
    code!(CL_SUCCESS, clSetUserEventStatus(u, -1));
    code!(CL_INVALID_OPERATION, clSetUserEventStatus(u, CL_COMPLETE));
    let list = [e, u];
    code!(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(2, list.as_ptr()));
    code!(CL_SUCCESS, clRetainEvent(u));
    assert_eq!(number(&info!(clGetEventInfo(u), CL_EVENT_REFERENCE_COUNT)), 2);
    for event in [u, u, e, foreign] {
        code!(CL_SUCCESS, clReleaseEvent(event));
    }
    code!(CL_INVALID_EVENT, clReleaseEvent(u));
}

#[test]
fn profiling_queries() {
    let c = context();
    let q = make!(clCreateCommandQueue(c, setup().device(), CL_QUEUE_PROFILING_ENABLE));
    let gate = make!(clCreateUserEvent(c));
    let mut e = null_mut();
    code!(CL_SUCCESS, clEnqueueMarkerWithWaitList(q, 1, &raw const gate, &raw mut e));
    code!(CL_SUCCESS, clFlush(q));
    code!(
        CL_PROFILING_INFO_NOT_AVAILABLE,
        clGetEventProfilingInfo(e, CL_PROFILING_COMMAND_QUEUED, 0, null_mut(), null_mut())
    );
    code!(CL_SUCCESS, clSetUserEventStatus(gate, CL_COMPLETE));
    code!(CL_SUCCESS, clWaitForEvents(1, &raw const e));
    let names = [
        CL_PROFILING_COMMAND_QUEUED,
        CL_PROFILING_COMMAND_SUBMIT,
        CL_PROFILING_COMMAND_START,
        CL_PROFILING_COMMAND_END,
        CL_PROFILING_COMMAND_COMPLETE,
    ];
    let times = names.map(|name| number(&info!(clGetEventProfilingInfo(e), name)));
    assert!(times[0] > 0 && times.is_sorted(), "{times:?}");
    code!(CL_INVALID_VALUE, clGetEventProfilingInfo(e, 0x1285, 0, null_mut(), null_mut()));
    code!(CL_SUCCESS, clReleaseEvent(e));
    code!(CL_SUCCESS, clReleaseEvent(gate));
}

unsafe extern "C" fn complete_gate(_event: cl_event, _status: cl_int, gate: *mut c_void) {
    code!(CL_SUCCESS, clSetUserEventStatus(gate.cast(), CL_COMPLETE));
}

/// Only the driver holds the event, and drops it during the call that waits for it.
#[test]
fn released_and_waited_for() {
    let c = context();
    let q = make!(clCreateCommandQueueWithProperties(c, setup().device(), null()));
    for _ in 0..100 {
        let gate = make!(clCreateUserEvent(c));
        let mut event = null_mut();
        code!(CL_SUCCESS, clEnqueueMarkerWithWaitList(q, 1, &raw const gate, &raw mut event));
        // The waiting call submits the marker to the device; the gate opens only then.
        let data = gate.cast();
        code!(CL_SUCCESS, clSetEventCallback(event, CL_SUBMITTED, Some(complete_gate), data));
        code!(CL_SUCCESS, clReleaseEvent(event));
        code!(CL_SUCCESS, clWaitForEvents(1, &raw const event));
        // The callback thread may hold the event for a moment longer.
        let start = Instant::now();
        while cl!(clWaitForEvents(1, &raw const event)) != CL_INVALID_EVENT {
            assert!(start.elapsed() < Duration::from_secs(10), "the event is never gone");
        }
        code!(CL_SUCCESS, clReleaseEvent(gate));
    }
    code!(CL_SUCCESS, clReleaseCommandQueue(q));
    code!(CL_SUCCESS, clReleaseContext(c));
}
