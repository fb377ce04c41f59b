//! Images: creation, commands, maps.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use muxcl_cl_sys::*;
use muxcl_test_api::{
    PLANE, anything, bad_handles, buffer, code, context, context_of, enqueue_fails, fails, make,
    map_fails, setup, starves,
};

use super::{Pair, queue};

static RGBA: cl_image_format =
    cl_image_format { image_channel_order: CL_RGBA, image_channel_data_type: CL_UNORM_INT8 };
static DEPTH: cl_image_format =
    cl_image_format { image_channel_order: CL_DEPTH, image_channel_data_type: CL_FLOAT };
static RARE: cl_image_format =
    cl_image_format { image_channel_order: CL_Rx, image_channel_data_type: CL_FLOAT };
static NONE: cl_image_format =
    cl_image_format { image_channel_order: CL_RGBA, image_channel_data_type: CL_UNORM_SHORT_565 };
const RW: cl_mem_flags = CL_MEM_READ_WRITE;

fn image(c: cl_context, flags: cl_mem_flags) -> cl_mem {
    let plane = PLANE;
    make!(clCreateImage(c, flags, &raw const RGBA, &raw const plane, null_mut()))
}

#[test]
fn creation() {
    let c = context();
    let plane = PLANE;
    let (f, d) = (&raw const RGBA, &raw const plane);
    let solid = cl_image_desc { image_type: CL_MEM_OBJECT_IMAGE3D, image_depth: 8, ..PLANE };
    let wide = cl_image_desc { image_width: 1 << 20, ..PLANE };
    let samples = cl_image_desc { num_samples: 1, ..PLANE };
    let (solid, wide, samples) = (&raw const solid, &raw const wide, &raw const samples);
    fails!(CL_INVALID_VALUE, clCreateImageWithProperties(c, null(), 1 << 40, f, d, null_mut()));
    fails!(
        CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
        clCreateImageWithProperties(c, null(), RW, null(), d, null_mut())
    );
    fails!(
        CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
        clCreateImageWithProperties(c, null(), RW, &raw const NONE, d, null_mut())
    );
    fails!(
        CL_INVALID_IMAGE_DESCRIPTOR,
        clCreateImageWithProperties(c, null(), RW, f, null(), null_mut())
    );
    fails!(
        CL_INVALID_IMAGE_DESCRIPTOR,
        clCreateImageWithProperties(c, null(), RW, f, samples, null_mut())
    );
    fails!(CL_INVALID_IMAGE_SIZE, clCreateImageWithProperties(c, null(), RW, f, wide, null_mut()));
    fails!(CL_INVALID_HOST_PTR, clCreateImageWithProperties(c, null(), RW, f, d, anything()));
    fails!(
        CL_INVALID_HOST_PTR,
        clCreateImageWithProperties(c, null(), CL_MEM_USE_HOST_PTR, f, d, null_mut())
    );
    fails!(
        CL_IMAGE_FORMAT_NOT_SUPPORTED,
        clCreateImageWithProperties(c, null(), RW, &raw const DEPTH, solid, null_mut())
    );
    fails!(CL_INVALID_VALUE, clCreateImage2D(c, 1 << 40, f, 8, 8, 0, null_mut()));
    fails!(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, clCreateImage2D(c, RW, null(), 8, 8, 0, null_mut()));
    fails!(CL_INVALID_HOST_PTR, clCreateImage2D(c, CL_MEM_COPY_HOST_PTR, f, 8, 8, 0, null_mut()));
    fails!(
        CL_IMAGE_FORMAT_NOT_SUPPORTED,
        clCreateImage2D(c, RW, &raw const RARE, 8, 8, 0, null_mut())
    );
    fails!(
        CL_INVALID_VALUE,
        clCreateImage3D(c, RW | CL_MEM_READ_ONLY, f, 8, 8, 8, 0, 0, null_mut())
    );
    fails!(
        CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
        clCreateImage3D(c, RW, &raw const NONE, 8, 8, 8, 0, 0, null_mut())
    );
    fails!(CL_INVALID_HOST_PTR, clCreateImage3D(c, RW, f, 8, 8, 8, 0, 0, anything()));
    fails!(
        CL_IMAGE_FORMAT_NOT_SUPPORTED,
        clCreateImage3D(c, RW, &raw const DEPTH, 8, 8, 8, 0, 0, null_mut())
    );
    starves!(CL_MEM_OBJECT_ALLOCATION_FAILURE CL_OUT_OF_RESOURCES, clCreateImage(c, RW, f, d,
        null_mut()), new);
    starves!(
        CL_MEM_OBJECT_ALLOCATION_FAILURE CL_OUT_OF_RESOURCES,
        clCreateImageWithProperties(c, null(), RW, f, d, null_mut()),
        new
    );
    starves!(CL_MEM_OBJECT_ALLOCATION_FAILURE CL_OUT_OF_RESOURCES, clCreateImage2D(c, RW, f, 8, 8,
        0, null_mut()), new);
    starves!(CL_MEM_OBJECT_ALLOCATION_FAILURE CL_OUT_OF_RESOURCES, clCreateImage3D(c, RW, f, 8, 8,
        8, 0, 0, null_mut()), new);
    code!(CL_SUCCESS, clReleaseContext(c));
}

#[test]
fn commands() {
    let pair = Pair::new();
    let (q, far, w) = (pair.q, pair.far, &pair.waits);
    let (img, to, mem) = (image(pair.c, RW), image(pair.c, RW), buffer(pair.c, 1024));
    let region = cl_buffer_region { origin: 128, size: 512 };
    let odd =
        make!(clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, (&raw const region).cast()));
    let mut data = [0_u8; 1024];
    let p: *mut c_void = data.as_mut_ptr().cast();
    let (o, r, out) = ([0; 3], [8, 8, 1], [8, 9, 1]);
    let (o, r, out) = (o.as_ptr(), r.as_ptr(), out.as_ptr());
    let mut pitch = 0;
    let at = &raw mut pitch;

    enqueue_fails!(
        CL_INVALID_COMMAND_QUEUE CL_INVALID_CONTEXT CL_INVALID_EVENT_WAIT_LIST
        CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
        clEnqueueReadImage(q, img, CL_TRUE, o, r, 0, 0, p), w
    );
    starves!(
        CL_MEM_OBJECT_ALLOCATION_FAILURE CL_OUT_OF_RESOURCES,
        clEnqueueReadImage(far, img, CL_TRUE, o, r, 0, 0, p), enqueue
    );
    enqueue_fails!(
        CL_INVALID_COMMAND_QUEUE CL_INVALID_CONTEXT CL_INVALID_EVENT_WAIT_LIST
        CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
        clEnqueueWriteImage(q, img, CL_TRUE, o, r, 0, 0, p), w
    );
    enqueue_fails!(CL_INVALID_VALUE, clEnqueueWriteImage(q, img, CL_TRUE, o, out, 0, 0, p));
    enqueue_fails!(CL_INVALID_VALUE, clEnqueueWriteImage(q, img, CL_TRUE, o, r, 31, 0, p));
    enqueue_fails!(CL_INVALID_VALUE, clEnqueueWriteImage(q, img, CL_TRUE, o, r, 0, 0, null()));
    starves!(
        CL_MEM_OBJECT_ALLOCATION_FAILURE CL_OUT_OF_RESOURCES,
        clEnqueueWriteImage(far, img, CL_TRUE, o, r, 0, 0, p), enqueue
    );
    enqueue_fails!(
        CL_INVALID_COMMAND_QUEUE CL_INVALID_CONTEXT CL_INVALID_EVENT_WAIT_LIST,
        clEnqueueCopyImage(q, img, to, o, o, r), w
    );
    starves!(
        CL_MEM_OBJECT_ALLOCATION_FAILURE CL_OUT_OF_RESOURCES,
        clEnqueueCopyImage(far, img, to, o, o, r), enqueue
    );
    enqueue_fails!(
        CL_INVALID_COMMAND_QUEUE CL_INVALID_CONTEXT CL_INVALID_EVENT_WAIT_LIST,
        clEnqueueFillImage(q, img, p, o, r), w
    );
    starves!(CL_MEM_OBJECT_ALLOCATION_FAILURE CL_OUT_OF_RESOURCES, clEnqueueFillImage(far, img, p,
        o, r), enqueue);
    enqueue_fails!(
        CL_INVALID_COMMAND_QUEUE CL_INVALID_CONTEXT CL_INVALID_EVENT_WAIT_LIST,
        clEnqueueCopyImageToBuffer(q, img, mem, o, r, 0), w
    );
    enqueue_fails!(
        CL_MISALIGNED_SUB_BUFFER_OFFSET,
        clEnqueueCopyImageToBuffer(far, img, odd, o, r, 0)
    );
    starves!(
        CL_MEM_OBJECT_ALLOCATION_FAILURE CL_OUT_OF_RESOURCES,
        clEnqueueCopyImageToBuffer(far, img, mem, o, r, 0), enqueue
    );
    enqueue_fails!(
        CL_INVALID_COMMAND_QUEUE CL_INVALID_CONTEXT CL_INVALID_EVENT_WAIT_LIST,
        clEnqueueCopyBufferToImage(q, mem, img, 0, o, r), w
    );
    enqueue_fails!(
        CL_MISALIGNED_SUB_BUFFER_OFFSET,
        clEnqueueCopyBufferToImage(far, odd, img, 0, o, r)
    );
    starves!(
        CL_MEM_OBJECT_ALLOCATION_FAILURE CL_OUT_OF_RESOURCES,
        clEnqueueCopyBufferToImage(far, mem, img, 0, o, r), enqueue
    );
    map_fails!(
        CL_INVALID_COMMAND_QUEUE CL_INVALID_CONTEXT CL_INVALID_EVENT_WAIT_LIST
        CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
        clEnqueueMapImage(q, img, CL_TRUE, CL_MAP_READ, o, r, at, null_mut()), w
    );
    starves!(
        CL_MEM_OBJECT_ALLOCATION_FAILURE CL_OUT_OF_RESOURCES,
        clEnqueueMapImage(far, to, CL_TRUE, CL_MAP_READ, o, r, at, null_mut()), map
    );
    for bad in bad_handles::<_cl_mem>().into_iter().chain([mem]) {
        enqueue_fails!(CL_INVALID_MEM_OBJECT, clEnqueueReadImage(q, bad, CL_TRUE, o, r, 0, 0, p));
        enqueue_fails!(CL_INVALID_MEM_OBJECT, clEnqueueWriteImage(q, bad, CL_TRUE, o, r, 0, 0, p));
    }
    // A level that an image of two levels does not have.
    let levels = cl_image_desc { num_mip_levels: 2, ..PLANE };
    let mips = make!(clCreateImage(pair.c, RW, &raw const RGBA, &raw const levels, null_mut()));
    let third = [0, 0, 2];
    let (l, one) = (third.as_ptr(), [1, 1, 1]);
    let one = one.as_ptr();
    enqueue_fails!(CL_INVALID_MIP_LEVEL, clEnqueueReadImage(q, mips, CL_TRUE, l, one, 0, 0, p));
    enqueue_fails!(CL_INVALID_MIP_LEVEL, clEnqueueWriteImage(q, mips, CL_TRUE, l, one, 0, 0, p));
    enqueue_fails!(CL_INVALID_MIP_LEVEL, clEnqueueCopyImage(q, mips, to, l, o, one));
    enqueue_fails!(CL_INVALID_MIP_LEVEL, clEnqueueCopyImage(q, to, mips, o, l, one));
    enqueue_fails!(CL_INVALID_MIP_LEVEL, clEnqueueFillImage(q, mips, p, l, one));
    enqueue_fails!(CL_INVALID_MIP_LEVEL, clEnqueueCopyImageToBuffer(q, mips, mem, l, one, 0));
    enqueue_fails!(CL_INVALID_MIP_LEVEL, clEnqueueCopyBufferToImage(q, mem, mips, 0, l, one));
    map_fails!(
        CL_INVALID_MIP_LEVEL,
        clEnqueueMapImage(q, mips, CL_TRUE, CL_MAP_READ, l, one, at, null_mut())
    );
    code!(CL_SUCCESS, clReleaseMemObject(mips));
    // An image of another context.
    let elsewhere = context();
    let foreign = image(elsewhere, RW);
    enqueue_fails!(CL_INVALID_CONTEXT, clEnqueueReadImage(q, foreign, CL_TRUE, o, r, 0, 0, p));
    enqueue_fails!(CL_INVALID_CONTEXT, clEnqueueWriteImage(q, foreign, CL_TRUE, o, r, 0, 0, p));
    enqueue_fails!(CL_INVALID_CONTEXT, clEnqueueCopyImage(q, img, foreign, o, o, r));
    enqueue_fails!(CL_INVALID_CONTEXT, clEnqueueFillImage(q, foreign, p, o, r));
    enqueue_fails!(CL_INVALID_CONTEXT, clEnqueueCopyImageToBuffer(q, foreign, mem, o, r, 0));
    enqueue_fails!(CL_INVALID_CONTEXT, clEnqueueCopyBufferToImage(q, mem, foreign, 0, o, r));
    map_fails!(
        CL_INVALID_CONTEXT,
        clEnqueueMapImage(q, foreign, CL_TRUE, CL_MAP_READ, o, r, at, null_mut())
    );
    for m in [odd, img, to, mem, foreign] {
        code!(CL_SUCCESS, clReleaseMemObject(m));
    }
    code!(CL_SUCCESS, clReleaseContext(elsewhere));
}

/// Commands on a queue whose device has no images, although another device of the context has them;
/// and commands that the image's host access flags forbid.
#[test]
fn queues_without_images_and_forbidden_host_access() {
    let (d, other) = (setup().device(), setup().other_device());
    let c = context_of(&[d, other]);
    let (with, without) = (queue(c, d), queue(c, other));
    let (plain, secret, mem) = (image(c, RW), image(c, CL_MEM_HOST_NO_ACCESS), buffer(c, 1024));
    let mut data = [0_u8; 1024];
    let p: *mut c_void = data.as_mut_ptr().cast();
    let (o, r) = ([0; 3], [8, 8, 1]);
    let (o, r) = (o.as_ptr(), r.as_ptr());
    let mut pitch = 0;
    for (q, img) in [(without, plain), (with, secret)] {
        enqueue_fails!(CL_INVALID_OPERATION, clEnqueueReadImage(q, img, CL_TRUE, o, r, 0, 0, p));
        enqueue_fails!(CL_INVALID_OPERATION, clEnqueueWriteImage(q, img, CL_TRUE, o, r, 0, 0, p));
        map_fails!(
            CL_INVALID_OPERATION,
            clEnqueueMapImage(q, img, CL_TRUE, CL_MAP_READ, o, r, &raw mut pitch, null_mut())
        );
    }
    enqueue_fails!(CL_INVALID_OPERATION, clEnqueueCopyImage(without, plain, secret, o, o, r));
    enqueue_fails!(CL_INVALID_OPERATION, clEnqueueFillImage(without, plain, p, o, r));
    enqueue_fails!(CL_INVALID_OPERATION, clEnqueueCopyImageToBuffer(without, plain, mem, o, r, 0));
    enqueue_fails!(CL_INVALID_OPERATION, clEnqueueCopyBufferToImage(without, mem, plain, 0, o, r));
    for m in [plain, secret, mem] {
        code!(CL_SUCCESS, clReleaseMemObject(m));
    }
    for q in [with, without] {
        code!(CL_SUCCESS, clReleaseCommandQueue(q));
    }
    code!(CL_SUCCESS, clReleaseContext(c));
}
