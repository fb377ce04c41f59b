//! The C interface on the null device and on the host, as a program uses it.

use muxcl_cl::api;
use muxcl_cl_sys::*;
use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::sync::Once;

/// Calls an entry point.
#[macro_export]
macro_rules! cl {
    ($name:ident($($arg:expr),* $(,)?)) => {{
        // SAFETY: the tests pass pointers to live data, or the bad values an entry point must
        // refuse.
        unsafe { muxcl_cl::api::$name($($arg),*) }
    }};
}

static INSTALL: Once = Once::new();

/// Each device in a context of its own: the null device, and the host.
pub(crate) fn contexts() -> Vec<(cl_context, cl_device_id)> {
    INSTALL.call_once(|| {
        muxcl_cl::install(|| {
            vec![muxcl_mux_null::NullDevice::create(), muxcl_mux_host::HostDevice::create()]
        });
    });
    let mut platform = null_mut();
    assert_eq!(cl!(clGetPlatformIDs(1, &raw mut platform, null_mut())), CL_SUCCESS);
    let mut devices = [null_mut(); 2];
    assert_eq!(
        cl!(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 2, devices.as_mut_ptr(), null_mut())),
        CL_SUCCESS
    );
    devices
        .map(|device| {
            let mut code = 1;
            let context =
                cl!(clCreateContext(null(), 1, &raw const device, None, null_mut(), &raw mut code));
            assert_eq!(code, CL_SUCCESS);
            (context, device)
        })
        .into()
}

pub(crate) fn queue(
    context: cl_context,
    device: cl_device_id,
    properties: cl_command_queue_properties,
) -> cl_command_queue {
    let mut code = 1;
    let queue = cl!(clCreateCommandQueue(context, device, properties, &raw mut code));
    assert_eq!(code, CL_SUCCESS);
    queue
}

pub(crate) fn buffer(context: cl_context, size: usize) -> cl_mem {
    buffer_with(context, CL_MEM_READ_WRITE, size)
}

pub(crate) fn buffer_with(context: cl_context, flags: cl_mem_flags, size: usize) -> cl_mem {
    let mut code = 1;
    let buffer = cl!(clCreateBuffer(context, flags, size, null_mut(), &raw mut code));
    assert_eq!(code, CL_SUCCESS);
    buffer
}

pub(crate) fn user_event(context: cl_context) -> cl_event {
    let mut code = 1;
    let event = cl!(clCreateUserEvent(context, &raw mut code));
    assert_eq!(code, CL_SUCCESS);
    event
}

pub(crate) fn count(list: &[cl_event]) -> cl_uint {
    u32::try_from(list.len()).unwrap()
}

pub(crate) fn list_ptr(list: &[cl_event]) -> *const cl_event {
    if list.is_empty() { null() } else { list.as_ptr() }
}

pub(crate) fn marker(queue: cl_command_queue, waits: &[cl_event]) -> cl_event {
    let mut event = null_mut();
    let code =
        cl!(clEnqueueMarkerWithWaitList(queue, count(waits), list_ptr(waits), &raw mut event));
    assert_eq!(code, CL_SUCCESS);
    event
}

pub(crate) fn barrier(queue: cl_command_queue, waits: &[cl_event]) -> cl_event {
    let mut event = null_mut();
    let code =
        cl!(clEnqueueBarrierWithWaitList(queue, count(waits), list_ptr(waits), &raw mut event));
    assert_eq!(code, CL_SUCCESS);
    event
}

/// Enqueues `function` as a native kernel with a copy of `data`.
pub(crate) fn native<T: Copy>(
    queue: cl_command_queue,
    function: unsafe extern "C" fn(*mut c_void),
    mut data: T,
    waits: &[cl_event],
    wants_event: bool,
) -> cl_event {
    let mut event = null_mut();
    let code = cl!(clEnqueueNativeKernel(
        queue,
        Some(function),
        (&raw mut data).cast(),
        size_of::<T>(),
        0,
        null(),
        null_mut(),
        count(waits),
        list_ptr(waits),
        if wants_event { &raw mut event } else { null_mut() },
    ));
    assert_eq!(code, CL_SUCCESS);
    event
}

pub(crate) fn status(event: cl_event) -> cl_int {
    let mut value: cl_int = 77;
    let code = cl!(clGetEventInfo(
        event,
        CL_EVENT_COMMAND_EXECUTION_STATUS,
        size_of::<cl_int>(),
        (&raw mut value).cast(),
        null_mut()
    ));
    assert_eq!(code, CL_SUCCESS);
    value
}

pub(crate) fn wait(event: cl_event) -> cl_int {
    cl!(clWaitForEvents(1, &raw const event))
}

pub(crate) fn finish(queue: cl_command_queue) {
    assert_eq!(cl!(clFinish(queue)), CL_SUCCESS);
}

pub(crate) fn release(event: cl_event) {
    assert_eq!(cl!(clReleaseEvent(event)), CL_SUCCESS);
}

pub(crate) fn read<T: Copy + Default>(queue: cl_command_queue, buffer: cl_mem, n: usize) -> Vec<T> {
    let mut out = vec![T::default(); n];
    let code = cl!(clEnqueueReadBuffer(
        queue,
        buffer,
        CL_TRUE,
        0,
        n * size_of::<T>(),
        out.as_mut_ptr().cast(),
        0,
        null(),
        null_mut()
    ));
    assert_eq!(code, CL_SUCCESS);
    out
}

pub(crate) fn write<T: Copy>(queue: cl_command_queue, buffer: cl_mem, data: &[T]) {
    let code = cl!(clEnqueueWriteBuffer(
        queue,
        buffer,
        CL_TRUE,
        0,
        size_of_val(data),
        data.as_ptr().cast(),
        0,
        null(),
        null_mut()
    ));
    assert_eq!(code, CL_SUCCESS);
}

const _: clFinish_fn = api::clFinish;
