//! Buffers: creation, commands, maps.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use muxcl_cl_sys::*;
use muxcl_test_api::{
    anything, bad_handles, buffer, code, context, context_of, enqueue_fails, fails, make,
    map_fails, setup, starves,
};

use super::Pair;

#[test]
fn creation() {
    let c = context();
    let rw = CL_MEM_READ_WRITE;
    for bad in bad_handles::<_cl_context>() {
        fails!(CL_INVALID_CONTEXT, clCreateBufferWithProperties(bad, null(), rw, 16, null_mut()));
    }
    fails!(CL_INVALID_VALUE, clCreateBufferWithProperties(c, null(), 1 << 40, 16, null_mut()));
    fails!(CL_INVALID_BUFFER_SIZE, clCreateBufferWithProperties(c, null(), rw, 0, null_mut()));
    fails!(
        CL_INVALID_BUFFER_SIZE,
        clCreateBufferWithProperties(c, null(), rw, usize::MAX, null_mut())
    );
    fails!(CL_INVALID_HOST_PTR, clCreateBufferWithProperties(c, null(), rw, 16, anything()));
    fails!(
        CL_INVALID_HOST_PTR,
        clCreateBufferWithProperties(c, null(), CL_MEM_USE_HOST_PTR, 16, null_mut())
    );
    // A device without addresses of buffers.
    let without = context_of(&[setup().other_device()]);
    let address = [CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, CL_TRUE.into(), 0];
    fails!(
        CL_INVALID_OPERATION,
        clCreateBufferWithProperties(without, address.as_ptr(), rw, 16, null_mut())
    );
    starves!(CL_MEM_OBJECT_ALLOCATION_FAILURE CL_OUT_OF_RESOURCES, clCreateBuffer(c, rw, 16,
        null_mut()), new);
    starves!(
        CL_MEM_OBJECT_ALLOCATION_FAILURE CL_OUT_OF_RESOURCES,
        clCreateBufferWithProperties(c, null(), rw, 16, null_mut()),
        new
    );
    let plain = buffer(without, 16);
    code!(
        CL_INVALID_OPERATION,
        clGetMemObjectInfo(plain, CL_MEM_DEVICE_ADDRESS_EXT, 0, null_mut(), null_mut())
    );
    code!(CL_SUCCESS, clReleaseMemObject(plain));
    for c in [c, without] {
        code!(CL_SUCCESS, clReleaseContext(c));
    }
}

#[test]
fn transfers() {
    let pair = Pair::new();
    let (q, far, w) = (pair.q, pair.far, &pair.waits);
    let (mem, to) = (buffer(pair.c, 1024), buffer(pair.c, 1024));
    // Aligned for only one of the devices.
    let region = cl_buffer_region { origin: 128, size: 128 };
    let odd =
        make!(clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, (&raw const region).cast()));
    let secret = make!(clCreateBuffer(pair.c, CL_MEM_HOST_NO_ACCESS, 1024, null_mut()));
    let mut data = [0_u8; 64];
    let p: *mut c_void = data.as_mut_ptr().cast();
    let (o, r) = ([0; 3], [8, 1, 1]);
    let (o, r) = (o.as_ptr(), r.as_ptr());

    enqueue_fails!(
        CL_INVALID_COMMAND_QUEUE CL_INVALID_CONTEXT CL_INVALID_EVENT_WAIT_LIST
        CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
        clEnqueueReadBuffer(q, mem, CL_TRUE, 0, 64, p), w
    );
    enqueue_fails!(CL_INVALID_OPERATION, clEnqueueReadBuffer(q, secret, CL_TRUE, 0, 64, p));
    enqueue_fails!(
        CL_MISALIGNED_SUB_BUFFER_OFFSET,
        clEnqueueReadBuffer(far, odd, CL_TRUE, 0, 64, p)
    );
    starves!(
        CL_MEM_OBJECT_ALLOCATION_FAILURE CL_OUT_OF_RESOURCES,
        clEnqueueReadBuffer(far, mem, CL_TRUE, 0, 64, p), enqueue
    );
    enqueue_fails!(
        CL_INVALID_COMMAND_QUEUE CL_INVALID_CONTEXT CL_INVALID_EVENT_WAIT_LIST
        CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
        clEnqueueWriteBuffer(q, mem, CL_TRUE, 0, 64, p), w
    );
    enqueue_fails!(CL_INVALID_OPERATION, clEnqueueWriteBuffer(q, secret, CL_TRUE, 0, 64, p));
    enqueue_fails!(
        CL_MISALIGNED_SUB_BUFFER_OFFSET,
        clEnqueueWriteBuffer(far, odd, CL_TRUE, 0, 64, p)
    );
    starves!(
        CL_MEM_OBJECT_ALLOCATION_FAILURE CL_OUT_OF_RESOURCES,
        clEnqueueWriteBuffer(far, mem, CL_TRUE, 0, 64, p), enqueue
    );
    enqueue_fails!(
        CL_INVALID_COMMAND_QUEUE CL_INVALID_CONTEXT CL_INVALID_EVENT_WAIT_LIST
        CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
        clEnqueueReadBufferRect(q, mem, CL_TRUE, o, o, r, 0, 0, 0, 0, p), w
    );
    enqueue_fails!(
        CL_INVALID_OPERATION,
        clEnqueueReadBufferRect(q, secret, CL_TRUE, o, o, r, 0, 0, 0, 0, p)
    );
    enqueue_fails!(
        CL_MISALIGNED_SUB_BUFFER_OFFSET,
        clEnqueueReadBufferRect(far, odd, CL_TRUE, o, o, r, 0, 0, 0, 0, p)
    );
    starves!(
        CL_MEM_OBJECT_ALLOCATION_FAILURE CL_OUT_OF_RESOURCES,
        clEnqueueReadBufferRect(far, mem, CL_TRUE, o, o, r, 0, 0, 0, 0, p), enqueue
    );
    enqueue_fails!(
        CL_INVALID_COMMAND_QUEUE CL_INVALID_CONTEXT CL_INVALID_EVENT_WAIT_LIST
        CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
        clEnqueueWriteBufferRect(q, mem, CL_TRUE, o, o, r, 0, 0, 0, 0, p), w
    );
    enqueue_fails!(
        CL_INVALID_OPERATION,
        clEnqueueWriteBufferRect(q, secret, CL_TRUE, o, o, r, 0, 0, 0, 0, p)
    );
    enqueue_fails!(
        CL_MISALIGNED_SUB_BUFFER_OFFSET,
        clEnqueueWriteBufferRect(far, odd, CL_TRUE, o, o, r, 0, 0, 0, 0, p)
    );
    starves!(
        CL_MEM_OBJECT_ALLOCATION_FAILURE CL_OUT_OF_RESOURCES,
        clEnqueueWriteBufferRect(far, mem, CL_TRUE, o, o, r, 0, 0, 0, 0, p), enqueue
    );
    // A failed event does not prevent the enqueue of a non-blocking command.
    enqueue_fails!(
        CL_INVALID_COMMAND_QUEUE CL_INVALID_CONTEXT CL_INVALID_EVENT_WAIT_LIST,
        clEnqueueCopyBuffer(q, mem, to, 0, 0, 64), w
    );
    enqueue_fails!(CL_INVALID_VALUE, clEnqueueCopyBuffer(q, mem, to, 1000, 0, 64));
    enqueue_fails!(CL_INVALID_VALUE, clEnqueueCopyBuffer(q, mem, to, 0, usize::MAX, 64));
    enqueue_fails!(CL_MEM_COPY_OVERLAP, clEnqueueCopyBuffer(q, mem, mem, 0, 63, 64));
    enqueue_fails!(CL_MEM_COPY_OVERLAP, clEnqueueCopyBuffer(q, mem, odd, 100, 0, 64));
    enqueue_fails!(CL_MISALIGNED_SUB_BUFFER_OFFSET, clEnqueueCopyBuffer(far, odd, to, 0, 0, 64));
    enqueue_fails!(CL_MISALIGNED_SUB_BUFFER_OFFSET, clEnqueueCopyBuffer(far, to, odd, 0, 0, 64));
    starves!(
        CL_MEM_OBJECT_ALLOCATION_FAILURE CL_OUT_OF_RESOURCES,
        clEnqueueCopyBuffer(far, mem, secret, 0, 0, 64), enqueue
    );
    enqueue_fails!(
        CL_INVALID_COMMAND_QUEUE CL_INVALID_CONTEXT CL_INVALID_EVENT_WAIT_LIST,
        clEnqueueCopyBufferRect(q, mem, to, o, o, r, 0, 0, 0, 0), w
    );
    enqueue_fails!(CL_MEM_COPY_OVERLAP, clEnqueueCopyBufferRect(q, mem, mem, o, o, r, 0, 0, 0, 0));
    enqueue_fails!(
        CL_MISALIGNED_SUB_BUFFER_OFFSET,
        clEnqueueCopyBufferRect(far, odd, to, o, o, r, 0, 0, 0, 0)
    );
    starves!(
        CL_MEM_OBJECT_ALLOCATION_FAILURE CL_OUT_OF_RESOURCES,
        clEnqueueCopyBufferRect(far, mem, secret, o, o, r, 0, 0, 0, 0), enqueue
    );
    enqueue_fails!(
        CL_INVALID_COMMAND_QUEUE CL_INVALID_CONTEXT CL_INVALID_EVENT_WAIT_LIST,
        clEnqueueFillBuffer(q, mem, p, 4, 0, 64), w
    );
    enqueue_fails!(CL_MISALIGNED_SUB_BUFFER_OFFSET, clEnqueueFillBuffer(far, odd, p, 4, 0, 64));
    starves!(
        CL_MEM_OBJECT_ALLOCATION_FAILURE CL_OUT_OF_RESOURCES,
        clEnqueueFillBuffer(far, mem, p, 4, 0, 64), enqueue
    );
    enqueue_fails!(
        CL_INVALID_COMMAND_QUEUE CL_INVALID_CONTEXT CL_INVALID_EVENT_WAIT_LIST,
        clEnqueueMigrateMemObjects(q, 1, &raw const mem, 0), w
    );
    starves!(
        CL_MEM_OBJECT_ALLOCATION_FAILURE CL_OUT_OF_RESOURCES,
        clEnqueueMigrateMemObjects(far, 1, &raw const mem, 0), enqueue
    );
    for bad in bad_handles::<_cl_mem>() {
        enqueue_fails!(CL_INVALID_MEM_OBJECT, clEnqueueWriteBuffer(q, bad, CL_TRUE, 0, 64, p));
        enqueue_fails!(
            CL_INVALID_MEM_OBJECT,
            clEnqueueReadBufferRect(q, bad, CL_TRUE, o, o, r, 0, 0, 0, 0, p)
        );
        enqueue_fails!(
            CL_INVALID_MEM_OBJECT,
            clEnqueueWriteBufferRect(q, bad, CL_TRUE, o, o, r, 0, 0, 0, 0, p)
        );
        enqueue_fails!(
            CL_INVALID_MEM_OBJECT,
            clEnqueueCopyBufferRect(q, bad, to, o, o, r, 0, 0, 0, 0)
        );
        enqueue_fails!(
            CL_INVALID_MEM_OBJECT,
            clEnqueueCopyBufferRect(q, to, bad, o, o, r, 0, 0, 0, 0)
        );
        let list = [mem, bad];
        enqueue_fails!(CL_INVALID_MEM_OBJECT, clEnqueueMigrateMemObjects(q, 2, list.as_ptr(), 0));
    }
    // A buffer of another context.
    let elsewhere = context();
    let foreign = buffer(elsewhere, 1024);
    enqueue_fails!(CL_INVALID_CONTEXT, clEnqueueReadBuffer(q, foreign, CL_TRUE, 0, 64, p));
    enqueue_fails!(CL_INVALID_CONTEXT, clEnqueueWriteBuffer(q, foreign, CL_TRUE, 0, 64, p));
    enqueue_fails!(
        CL_INVALID_CONTEXT,
        clEnqueueReadBufferRect(q, foreign, CL_TRUE, o, o, r, 0, 0, 0, 0, p)
    );
    enqueue_fails!(
        CL_INVALID_CONTEXT,
        clEnqueueWriteBufferRect(q, foreign, CL_TRUE, o, o, r, 0, 0, 0, 0, p)
    );
    enqueue_fails!(CL_INVALID_CONTEXT, clEnqueueCopyBuffer(q, foreign, to, 0, 0, 64));
    enqueue_fails!(CL_INVALID_CONTEXT, clEnqueueCopyBuffer(q, to, foreign, 0, 0, 64));
    enqueue_fails!(
        CL_INVALID_CONTEXT,
        clEnqueueCopyBufferRect(q, to, foreign, o, o, r, 0, 0, 0, 0)
    );
    enqueue_fails!(CL_INVALID_CONTEXT, clEnqueueFillBuffer(q, foreign, p, 4, 0, 64));
    enqueue_fails!(CL_INVALID_CONTEXT, clEnqueueMigrateMemObjects(q, 1, &raw const foreign, 0));
    for m in [odd, mem, to, secret, foreign] {
        code!(CL_SUCCESS, clReleaseMemObject(m));
    }
    code!(CL_SUCCESS, clReleaseContext(elsewhere));
}

#[test]
fn maps() {
    let pair = Pair::new();
    let (q, far, w) = (pair.q, pair.far, &pair.waits);
    let mem = buffer(pair.c, 1024);
    let region = cl_buffer_region { origin: 128, size: 128 };
    let odd =
        make!(clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, (&raw const region).cast()));
    map_fails!(
        CL_INVALID_COMMAND_QUEUE CL_INVALID_CONTEXT CL_INVALID_EVENT_WAIT_LIST
        CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
        clEnqueueMapBuffer(q, mem, CL_TRUE, CL_MAP_READ, 0, 64), w
    );
    map_fails!(
        CL_MISALIGNED_SUB_BUFFER_OFFSET,
        clEnqueueMapBuffer(far, odd, CL_TRUE, CL_MAP_READ, 0, 64)
    );
    starves!(
        CL_MEM_OBJECT_ALLOCATION_FAILURE CL_OUT_OF_RESOURCES,
        clEnqueueMapBuffer(far, mem, CL_TRUE, CL_MAP_READ, 0, 64), map
    );
    for (flags, map) in [
        (CL_MEM_HOST_NO_ACCESS, CL_MAP_READ),
        (CL_MEM_HOST_NO_ACCESS, CL_MAP_WRITE),
        (CL_MEM_HOST_READ_ONLY, CL_MAP_WRITE_INVALIDATE_REGION),
        (CL_MEM_HOST_WRITE_ONLY, CL_MAP_READ | CL_MAP_WRITE),
    ] {
        let mem = make!(clCreateBuffer(pair.c, flags, 64, null_mut()));
        map_fails!(CL_INVALID_OPERATION, clEnqueueMapBuffer(q, mem, CL_TRUE, map, 0, 64));
        code!(CL_SUCCESS, clReleaseMemObject(mem));
    }
    // Mapped on one device, unmapped on a device without memory for the buffer.
    let at = make!(clEnqueueMapBuffer(q, mem, CL_TRUE, CL_MAP_WRITE, 0, 64, 0, null(), null_mut()));
    enqueue_fails!(CL_INVALID_CONTEXT CL_INVALID_EVENT_WAIT_LIST, clEnqueueUnmapMemObject(q, mem,
        at), w);
    starves!(CL_OUT_OF_RESOURCES, clEnqueueUnmapMemObject(far, mem, at), enqueue);
    code!(CL_SUCCESS, clEnqueueUnmapMemObject(far, mem, at, 0, null(), null_mut()));
    enqueue_fails!(CL_INVALID_VALUE, clEnqueueUnmapMemObject(far, mem, at));
    code!(CL_SUCCESS, clFinish(far));
    for m in [odd, mem] {
        code!(CL_SUCCESS, clReleaseMemObject(m));
    }
}
