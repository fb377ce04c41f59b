//! Context properties (`cl_khr_initialize_memory`, `cl_khr_terminate_context`), and every call on a
//! terminated context. The end of running kernels is tested in `tests/kernels`.

use std::ffi::{CStr, c_char, c_void};
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicI32, AtomicUsize, Ordering};

use muxcl_cl_sys::*;
use muxcl_test_api::{
    bad_handles, buffer, cl, code, context, fails, info, kernel, make, number, program, setup, text,
};

const TERMINATE: cl_context_properties = CL_CONTEXT_TERMINATE_KHR;
const INITIALIZE: cl_context_properties = CL_CONTEXT_MEMORY_INITIALIZE_KHR;

fn with(list: &[cl_context_properties], device: cl_device_id) -> (cl_context, cl_int) {
    let mut code = 1;
    let c =
        cl!(clCreateContext(list.as_ptr(), 1, &raw const device, None, null_mut(), &raw mut code));
    (c, code)
}

fn terminable() -> cl_context {
    let (c, code) = with(&[TERMINATE, 1, 0], setup().device());
    assert_eq!(code, CL_SUCCESS);
    c
}

#[test]
fn properties_are_checked() {
    let device = setup().device();
    for list in [
        [TERMINATE, 1, 0],
        [TERMINATE, 0, 0],
        [INITIALIZE, 0, 0],
        [INITIALIZE, 1, 0],
        [INITIALIZE, 3, 0],
    ] {
        let (c, code) = with(&list, device);
        assert_eq!(code, CL_SUCCESS, "{list:?}");
        let told = info!(clGetContextInfo(c), CL_CONTEXT_PROPERTIES);
        let given: Vec<u8> = list.iter().flat_map(|n| n.to_ne_bytes()).collect();
        assert_eq!(told, given);
        code!(CL_SUCCESS, clReleaseContext(c));
    }
    for list in [
        &[TERMINATE, 2, 0][..],
        &[INITIALIZE, 4, 0],
        &[INITIALIZE, -1, 0],
        &[TERMINATE, 1, TERMINATE, 1, 0],
    ] {
        let (c, code) = with(list, device);
        assert!(c.is_null() && code == CL_INVALID_PROPERTY, "{list:?}: {code}");
    }
    // A device without support.
    let (c, code) = with(&[TERMINATE, 1, 0], setup().other_device());
    assert!(c.is_null() && code == CL_INVALID_PROPERTY);
    let list = [TERMINATE, 1, 0];
    fails!(
        CL_INVALID_PROPERTY,
        clCreateContextFromType(list.as_ptr(), CL_DEVICE_TYPE_ALL, None, null_mut())
    );
    let can = |device| number(&info!(clGetDeviceInfo(device), CL_DEVICE_TERMINATE_CAPABILITY_KHR));
    assert_eq!((can(device), can(setup().other_device())), (1, 0));
    // By the numbers in the OpenCL 1.2 headers.
    assert_eq!(number(&info!(clGetDeviceInfo(device), 0x200F)), 1);
    let (c, _) = with(&[0x2010, 1, 0], device);
    code!(CL_SUCCESS, clTerminateContextKHR(c));
    code!(CL_SUCCESS, clReleaseContext(c));
    let (c, _) = with(&[0x200E, 3, 0], device);
    code!(CL_INVALID_OPERATION, clTerminateContextKHR(c));
    code!(CL_SUCCESS, clReleaseContext(c));
    let names = |device| text(&info!(clGetDeviceInfo(device), CL_DEVICE_EXTENSIONS));
    assert!(names(device).contains("cl_khr_terminate_context"));
    assert!(!names(setup().other_device()).contains("cl_khr_terminate_context"));
    assert!(names(setup().other_device()).contains("cl_khr_initialize_memory"));
}

#[test]
fn who_may_be_terminated() {
    for bad in bad_handles::<_cl_context>() {
        code!(CL_INVALID_CONTEXT, clTerminateContextKHR(bad));
    }
    let c = context();
    code!(CL_INVALID_OPERATION, clTerminateContextKHR(c));
    code!(CL_SUCCESS, clReleaseContext(c));
    let (c, _) = with(&[TERMINATE, 0, 0], setup().device());
    code!(CL_INVALID_OPERATION, clTerminateContextKHR(c));
    code!(CL_SUCCESS, clReleaseContext(c));
    let c = terminable();
    code!(CL_SUCCESS, clTerminateContextKHR(c));
    code!(CL_CONTEXT_TERMINATED_KHR, clTerminateContextKHR(c));
    code!(CL_SUCCESS, clReleaseContext(c));
}

static TOLD: AtomicUsize = AtomicUsize::new(0);

unsafe extern "C" fn notify(message: *const c_char, _: *const c_void, _: usize, _: *mut c_void) {
    // SAFETY: a text, by the specification.
    let message = unsafe { CStr::from_ptr(message) };
    // The callback gets the errors of calls, too.
    if message == c"the context has been terminated" {
        TOLD.fetch_add(1, Ordering::SeqCst);
    }
}

static STATUS: AtomicI32 = AtomicI32::new(0);

unsafe extern "C" fn completed(_: cl_event, status: cl_int, _: *mut c_void) {
    STATUS.store(status, Ordering::SeqCst);
}

#[test]
fn what_waits_ends_and_callbacks_are_called() {
    let (list, device) = ([TERMINATE, 1, 0], setup().device());
    let c = make!(clCreateContext(list.as_ptr(), 1, &raw const device, Some(notify), null_mut()));
    let properties = [cl_queue_properties::from(CL_QUEUE_PROPERTIES), CL_QUEUE_PROFILING_ENABLE, 0];
    let q = make!(clCreateCommandQueueWithProperties(c, device, properties.as_ptr()));
    let b = buffer(c, 64);
    let (gate, later) = (make!(clCreateUserEvent(c)), make!(clCreateUserEvent(c)));
    let (pattern, mut waiting, mut done) = (7_u32, null_mut(), null_mut());
    let at = (&raw const pattern).cast();
    code!(CL_SUCCESS, clEnqueueFillBuffer(q, b, at, 4, 0, 64, 0, null(), &raw mut done));
    code!(CL_SUCCESS, clWaitForEvents(1, &raw const done));
    code!(
        CL_SUCCESS,
        clEnqueueFillBuffer(q, b, at, 4, 0, 64, 1, &raw const gate, &raw mut waiting)
    );
    code!(CL_SUCCESS, clSetEventCallback(waiting, CL_COMPLETE, Some(completed), null_mut()));
    code!(CL_SUCCESS, clFlush(q));
    code!(CL_SUCCESS, clTerminateContextKHR(c));
    assert_eq!(TOLD.load(Ordering::SeqCst), 1);
    let status = |event| {
        i32::from_ne_bytes(
            info!(clGetEventInfo(event), CL_EVENT_COMMAND_EXECUTION_STATUS).try_into().unwrap(),
        )
    };
    assert_eq!((status(waiting), status(done)), (CL_CONTEXT_TERMINATED_KHR, CL_COMPLETE));
    assert_eq!(status(gate), CL_SUBMITTED, "a user event is the application's");
    code!(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &raw const waiting));
    code!(
        CL_PROFILING_INFO_NOT_AVAILABLE,
        clGetEventProfilingInfo(waiting, CL_PROFILING_COMMAND_END, 0, null_mut(), null_mut())
    );
    // The queue has no work left, although the gate is not complete.
    code!(CL_SUCCESS, clFinish(q));
    while STATUS.load(Ordering::SeqCst) == 0 {
        std::thread::yield_now();
    }
    assert_eq!(STATUS.load(Ordering::SeqCst), CL_CONTEXT_TERMINATED_KHR);
    // A callback that is registered now is also called.
    STATUS.store(0, Ordering::SeqCst);
    code!(CL_SUCCESS, clSetEventCallback(waiting, CL_COMPLETE, Some(completed), null_mut()));
    while STATUS.load(Ordering::SeqCst) == 0 {
        std::thread::yield_now();
    }
    code!(CL_SUCCESS, clSetUserEventStatus(gate, CL_COMPLETE));
    code!(CL_SUCCESS, clFinish(q));
    assert_eq!((status(waiting), status(gate)), (CL_CONTEXT_TERMINATED_KHR, CL_COMPLETE));
    for event in [waiting, done, gate, later] {
        code!(CL_SUCCESS, clRetainEvent(event));
        code!(CL_SUCCESS, clReleaseEvent(event));
        code!(CL_SUCCESS, clReleaseEvent(event));
    }
    code!(CL_SUCCESS, clReleaseMemObject(b));
    code!(CL_SUCCESS, clReleaseCommandQueue(q));
    code!(CL_SUCCESS, clReleaseContext(c));
}

/// 1: the native kernel runs; 2: it may end.
static NATIVE: AtomicI32 = AtomicI32::new(0);
static NATIVE_STATUS: AtomicI32 = AtomicI32::new(1);

unsafe extern "C" fn runs_until_told(_: *mut c_void) {
    NATIVE.store(1, Ordering::SeqCst);
    while NATIVE.load(Ordering::SeqCst) != 2 {
        std::thread::yield_now();
    }
}

unsafe extern "C" fn native_completed(_: cl_event, status: cl_int, _: *mut c_void) {
    NATIVE_STATUS.store(status, Ordering::SeqCst);
}

#[test]
fn callbacks_wait_for_the_end_of_a_running_command() {
    let c = terminable();
    let q = make!(clCreateCommandQueueWithProperties(c, setup().device(), null()));
    let mut event = null_mut();
    code!(
        CL_SUCCESS,
        clEnqueueNativeKernel(
            q,
            Some(runs_until_told),
            null_mut(),
            0,
            0,
            null(),
            null_mut(),
            0,
            null(),
            &raw mut event
        )
    );
    code!(CL_SUCCESS, clFlush(q));
    while NATIVE.load(Ordering::SeqCst) == 0 {
        std::thread::yield_now();
    }
    code!(CL_SUCCESS, clTerminateContextKHR(c));
    let told = info!(clGetEventInfo(event), CL_EVENT_COMMAND_EXECUTION_STATUS);
    assert_eq!(i32::from_ne_bytes(told.try_into().unwrap()), CL_CONTEXT_TERMINATED_KHR);
    code!(CL_SUCCESS, clSetEventCallback(event, CL_COMPLETE, Some(native_completed), null_mut()));
    std::thread::sleep(std::time::Duration::from_millis(50));
    assert_eq!(NATIVE_STATUS.load(Ordering::SeqCst), 1, "the command still runs");
    NATIVE.store(2, Ordering::SeqCst);
    while NATIVE_STATUS.load(Ordering::SeqCst) == 1 {
        std::thread::yield_now();
    }
    assert_eq!(NATIVE_STATUS.load(Ordering::SeqCst), CL_CONTEXT_TERMINATED_KHR);
    code!(CL_SUCCESS, clReleaseEvent(event));
    code!(CL_SUCCESS, clReleaseCommandQueue(q));
    code!(CL_SUCCESS, clReleaseContext(c));
}

#[test]
fn queries_and_releases_work_and_all_else_is_refused() {
    let (c, device) = (terminable(), setup().device());
    let q = make!(clCreateCommandQueueWithProperties(c, device, null()));
    let (b, p) = (buffer(c, 64), program(c));
    let k = kernel(p, c"empty");
    let s = make!(clCreateSampler(c, CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST));
    code!(CL_SUCCESS, clTerminateContextKHR(c));
    // Queries, retain, release, destructor callbacks of memory.
    assert_eq!(number(&info!(clGetContextInfo(c), CL_CONTEXT_NUM_DEVICES)), 1);
    assert_eq!(number(&info!(clGetMemObjectInfo(b), CL_MEM_SIZE)), 64);
    code!(CL_SUCCESS, clRetainContext(c));
    code!(CL_SUCCESS, clReleaseContext(c));
    // Calls with a context argument.
    let (mut text, count) = (c"kernel void f() {}".as_ptr(), 1);
    let format =
        cl_image_format { image_channel_order: CL_RGBA, image_channel_data_type: CL_UNORM_INT8 };
    let (f, mut number) = (&raw const format, 0);
    let over = CL_CONTEXT_TERMINATED_KHR;
    assert_eq!(over, -1121);
    fails!(CL_CONTEXT_TERMINATED_KHR, clCreateBuffer(c, 0, 4, null_mut()));
    fails!(CL_CONTEXT_TERMINATED_KHR, clCreateBufferWithProperties(c, null(), 0, 4, null_mut()));
    fails!(CL_CONTEXT_TERMINATED_KHR, clCreateImage(c, 0, f, null(), null_mut()));
    fails!(CL_CONTEXT_TERMINATED_KHR, clCreatePipe(c, 0, 4, 4, null()));
    fails!(CL_CONTEXT_TERMINATED_KHR, clCreateUserEvent(c));
    fails!(
        CL_CONTEXT_TERMINATED_KHR,
        clCreateSampler(c, CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST)
    );
    fails!(CL_CONTEXT_TERMINATED_KHR, clCreateSamplerWithProperties(c, null()));
    fails!(CL_CONTEXT_TERMINATED_KHR, clCreateCommandQueue(c, device, 0));
    fails!(CL_CONTEXT_TERMINATED_KHR, clCreateCommandQueueWithProperties(c, device, null()));
    fails!(CL_CONTEXT_TERMINATED_KHR, clCreateProgramWithSource(c, count, &raw mut text, null()));
    fails!(
        CL_CONTEXT_TERMINATED_KHR,
        clLinkProgram(c, 0, null(), null(), 1, &raw const p, None, null_mut())
    );
    assert!(cl!(clSVMAlloc(c, CL_MEM_READ_WRITE, 64, 0)).is_null());
    code!(
        CL_CONTEXT_TERMINATED_KHR,
        clGetSupportedImageFormats(c, 0, CL_MEM_OBJECT_IMAGE2D, 0, null_mut(), &raw mut number)
    );
    // Calls that create objects from other objects, and commands.
    let region = cl_buffer_region { origin: 0, size: 4 };
    let at = (&raw const region).cast();
    fails!(CL_CONTEXT_TERMINATED_KHR, clCreateSubBuffer(b, 0, CL_BUFFER_CREATE_TYPE_REGION, at));
    fails!(CL_CONTEXT_TERMINATED_KHR, clCreateKernel(p, c"empty".as_ptr()));
    fails!(CL_CONTEXT_TERMINATED_KHR, clCloneKernel(k));
    code!(CL_CONTEXT_TERMINATED_KHR, clCreateKernelsInProgram(p, 0, null_mut(), &raw mut number));
    let mut word = 0_u32;
    let at: *mut c_void = (&raw mut word).cast();
    code!(
        CL_CONTEXT_TERMINATED_KHR,
        clEnqueueReadBuffer(q, b, CL_TRUE, 0, 4, at, 0, null(), null_mut())
    );
    code!(CL_CONTEXT_TERMINATED_KHR, clEnqueueMarkerWithWaitList(q, 0, null(), null_mut()));
    code!(
        CL_CONTEXT_TERMINATED_KHR,
        clEnqueueNDRangeKernel(
            q,
            k,
            1,
            null(),
            &raw const region.size,
            null(),
            0,
            null(),
            null_mut()
        )
    );
    code!(CL_SUCCESS, clFlush(q));
    code!(CL_SUCCESS, clFinish(q));
    code!(CL_SUCCESS, clReleaseSampler(s));
    code!(CL_SUCCESS, clReleaseKernel(k));
    code!(CL_SUCCESS, clReleaseProgram(p));
    code!(CL_SUCCESS, clReleaseMemObject(b));
    code!(CL_SUCCESS, clReleaseCommandQueue(q));
    code!(CL_SUCCESS, clReleaseContext(c));
}

static GONE: AtomicUsize = AtomicUsize::new(0);

unsafe extern "C" fn gone(_: cl_context, _: *mut c_void) {
    GONE.fetch_add(1, Ordering::SeqCst);
}

#[test]
fn nothing_that_waits_touches_memory_any_more() {
    let memory: &'static [AtomicI32; 16] = Box::leak(Box::new([const { AtomicI32::new(-1) }; 16]));
    let modes = [0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, CL_QUEUE_PROFILING_ENABLE];
    for (round, mode) in modes.into_iter().enumerate() {
        let (c, device) = (terminable(), setup().device());
        code!(CL_SUCCESS, clSetContextDestructorCallback(c, Some(gone), null_mut()));
        let q = make!(clCreateCommandQueueWithProperties(
            c,
            device,
            [CL_QUEUE_PROPERTIES.into(), mode, 0].as_ptr()
        ));
        let flags = CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR;
        let b = make!(clCreateBuffer(c, flags, 64, memory.as_ptr().cast_mut().cast()));
        let gates = [make!(clCreateUserEvent(c)), make!(clCreateUserEvent(c))];
        let pattern = 7_u32;
        let fill = |waits: &[cl_event]| {
            let mut event = null_mut();
            let list = if waits.is_empty() { null() } else { waits.as_ptr() };
            let count = u32::try_from(waits.len()).unwrap();
            let at = (&raw const pattern).cast();
            code!(CL_SUCCESS, clEnqueueFillBuffer(q, b, at, 4, 0, 64, count, list, &raw mut event));
            event
        };
        // One gate, both gates, a chain, after the chain; and in order, the last one waits only for
        // its queue.
        let first = fill(&gates[..1]);
        let second = fill(&gates);
        let chained = fill(&[first]);
        let twice = fill(&[chained]);
        let mut events = vec![first, second, chained, twice];
        if mode != CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE {
            events.push(fill(&[]));
        }
        let mut marker = null_mut();
        code!(CL_SUCCESS, clEnqueueBarrierWithWaitList(q, 0, null(), &raw mut marker));
        events.push(marker);
        events.push(fill(&[]));
        if round == 0 {
            code!(CL_SUCCESS, clFlush(q));
        }
        code!(CL_SUCCESS, clTerminateContextKHR(c));
        for event in &events {
            code!(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, event));
        }
        for gate in gates {
            code!(CL_SUCCESS, clSetUserEventStatus(gate, CL_COMPLETE));
        }
        for event in events.into_iter().chain(gates) {
            code!(CL_SUCCESS, clReleaseEvent(event));
        }
        code!(CL_SUCCESS, clReleaseMemObject(b));
        code!(CL_SUCCESS, clReleaseCommandQueue(q));
        code!(CL_SUCCESS, clReleaseContext(c));
        // Every enqueued command holds the context.
        while GONE.load(Ordering::SeqCst) <= round {
            std::thread::yield_now();
        }
        assert!(memory.iter().all(|word| word.load(Ordering::SeqCst) == -1), "round {round}");
    }
}

#[test]
fn enqueueing_and_terminating_at_the_same_time_leaves_nobody_waiting() {
    for round in 0..60 {
        let (c, device) = (terminable(), setup().device());
        let mode = if round % 2 == 0 { 0 } else { CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE };
        let q = make!(clCreateCommandQueueWithProperties(
            c,
            device,
            [CL_QUEUE_PROPERTIES.into(), mode, 0].as_ptr()
        ));
        let (gate, at, queue) =
            (make!(clCreateUserEvent(c)), c.expose_provenance(), q.expose_provenance());
        let gated = gate.expose_provenance();
        let count = &AtomicUsize::new(0);
        let events = std::thread::scope(|scope| {
            let enqueue = scope.spawn(move || {
                let (q, gate) = (
                    std::ptr::with_exposed_provenance_mut(queue),
                    std::ptr::with_exposed_provenance_mut(gated),
                );
                let mut events = Vec::new();
                loop {
                    let mut event: cl_event = null_mut();
                    let code =
                        cl!(clEnqueueMarkerWithWaitList(q, 1, &raw const gate, &raw mut event));
                    if code != CL_SUCCESS {
                        assert_eq!((code, event), (CL_CONTEXT_TERMINATED_KHR, null_mut()));
                        return events;
                    }
                    events.push(event.expose_provenance());
                    count.fetch_add(1, Ordering::SeqCst);
                }
            });
            while count.load(Ordering::SeqCst) <= round {
                std::thread::yield_now();
            }
            code!(CL_SUCCESS, clTerminateContextKHR(std::ptr::with_exposed_provenance_mut(at)));
            enqueue.join().unwrap()
        });
        for event in events {
            let event: cl_event = std::ptr::with_exposed_provenance_mut(event);
            code!(
                CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
                clWaitForEvents(1, &raw const event)
            );
            code!(CL_SUCCESS, clReleaseEvent(event));
        }
        code!(CL_SUCCESS, clFinish(q));
        code!(CL_SUCCESS, clReleaseEvent(gate));
        code!(CL_SUCCESS, clReleaseCommandQueue(q));
        code!(CL_SUCCESS, clReleaseContext(c));
    }
}
