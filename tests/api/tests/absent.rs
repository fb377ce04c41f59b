//! Optional features that the driver lacks: each entry point returns the result that the
//! specification defines for an implementation without the feature.

use std::ptr::{null, null_mut};

use muxcl_cl_sys::*;
use muxcl_test_api::{
    anything, bad_handles, buffer, cl, code, context, context_of, fails, make, setup,
};

fn queue(c: cl_context) -> cl_command_queue {
    make!(clCreateCommandQueueWithProperties(c, setup().device(), null()))
}

#[test]
fn images() {
    let c = context_of(&[setup().other_device()]);
    let format =
        cl_image_format { image_channel_order: CL_RGBA, image_channel_data_type: CL_UNORM_INT8 };
    let desc = cl_image_desc {
        image_type: CL_MEM_OBJECT_IMAGE2D,
        image_width: 4,
        image_height: 4,
        image_depth: 1,
        image_array_size: 1,
        image_row_pitch: 0,
        image_slice_pitch: 0,
        num_mip_levels: 0,
        num_samples: 0,
        mem_object: null_mut(),
    };
    let (f, i): (*const _, *const _) = (&raw const format, &raw const desc);
    fails!(CL_INVALID_OPERATION, clCreateImage(c, CL_MEM_READ_ONLY, f, i, null_mut()));
    fails!(
        CL_INVALID_OPERATION,
        clCreateImageWithProperties(c, null(), CL_MEM_READ_ONLY, f, i, null_mut())
    );
    fails!(CL_INVALID_OPERATION, clCreateImage2D(c, CL_MEM_READ_ONLY, f, 4, 4, 0, null_mut()));
    fails!(
        CL_INVALID_OPERATION,
        clCreateImage3D(c, CL_MEM_READ_ONLY, f, 4, 4, 4, 0, 0, null_mut())
    );
    fails!(CL_INVALID_OPERATION, clCreateSampler(c, CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST));
    fails!(CL_INVALID_OPERATION, clCreateSamplerWithProperties(c, null()));
    for bad in bad_handles::<_cl_context>() {
        fails!(CL_INVALID_CONTEXT, clCreateImage(bad, CL_MEM_READ_ONLY, f, i, null_mut()));
        fails!(
            CL_INVALID_CONTEXT,
            clCreateImageWithProperties(bad, null(), CL_MEM_READ_ONLY, f, i, null_mut())
        );
        fails!(CL_INVALID_CONTEXT, clCreateImage2D(bad, CL_MEM_READ_ONLY, f, 4, 4, 0, null_mut()));
        fails!(
            CL_INVALID_CONTEXT,
            clCreateImage3D(bad, CL_MEM_READ_ONLY, f, 4, 4, 4, 0, 0, null_mut())
        );
        fails!(
            CL_INVALID_CONTEXT,
            clCreateSampler(bad, CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST)
        );
        fails!(CL_INVALID_CONTEXT, clCreateSamplerWithProperties(bad, null()));
    }
    for bad in bad_handles::<_cl_sampler>() {
        code!(CL_INVALID_SAMPLER, clRetainSampler(bad));
        code!(CL_INVALID_SAMPLER, clReleaseSampler(bad));
        code!(
            CL_INVALID_SAMPLER,
            clGetSamplerInfo(bad, CL_SAMPLER_CONTEXT, 0, null_mut(), null_mut())
        );
    }
    let mut count = 9;
    let d2 = CL_MEM_OBJECT_IMAGE2D;
    code!(
        CL_SUCCESS,
        clGetSupportedImageFormats(c, CL_MEM_READ_ONLY, d2, 0, null_mut(), &raw mut count)
    );
    assert_eq!(count, 0);
    code!(
        CL_INVALID_CONTEXT,
        clGetSupportedImageFormats(null_mut(), CL_MEM_READ_ONLY, d2, 0, null_mut(), &raw mut count)
    );
    code!(
        CL_INVALID_VALUE,
        clGetSupportedImageFormats(c, 1 << 50, d2, 0, null_mut(), &raw mut count)
    );
    code!(
        CL_INVALID_VALUE,
        clGetSupportedImageFormats(c, CL_MEM_READ_ONLY, 0x1234, 0, null_mut(), &raw mut count)
    );
    let out: *mut cl_image_format = anything().cast();
    code!(
        CL_INVALID_VALUE,
        clGetSupportedImageFormats(c, CL_MEM_READ_ONLY, d2, 0, out, null_mut())
    );
    code!(CL_SUCCESS, clReleaseContext(c));
}

#[test]
fn commands_on_images() {
    let c = context();
    let q = queue(c);
    let mem = buffer(c, 64);
    let o = [0_usize; 3];
    let p = o.as_ptr();
    for (q, expected) in [(q, CL_INVALID_MEM_OBJECT), (null_mut(), CL_INVALID_COMMAND_QUEUE)] {
        let codes = [
            cl!(clEnqueueReadImage(q, mem, 1, p, p, 0, 0, anything(), 0, null(), null_mut())),
            cl!(clEnqueueWriteImage(q, mem, 1, p, p, 0, 0, anything(), 0, null(), null_mut())),
            cl!(clEnqueueCopyImage(q, mem, mem, p, p, p, 0, null(), null_mut())),
            cl!(clEnqueueCopyImageToBuffer(q, mem, mem, p, p, 0, 0, null(), null_mut())),
            cl!(clEnqueueCopyBufferToImage(q, mem, mem, 0, p, p, 0, null(), null_mut())),
            cl!(clEnqueueFillImage(q, mem, anything(), p, p, 0, null(), null_mut())),
        ];
        assert_eq!(codes, [expected; 6]);
        let mut code = 0;
        let made = cl!(clEnqueueMapImage(
            q,
            mem,
            1,
            CL_MAP_READ,
            p,
            p,
            null_mut(),
            null_mut(),
            0,
            null(),
            null_mut(),
            &raw mut code
        ));
        assert!(made.is_null());
        assert_eq!(code, expected);
    }
    code!(CL_INVALID_MEM_OBJECT, clGetImageInfo(mem, CL_IMAGE_WIDTH, 0, null_mut(), null_mut()));
    code!(
        CL_INVALID_MEM_OBJECT,
        clGetImageInfo(null_mut(), CL_IMAGE_WIDTH, 0, null_mut(), null_mut())
    );
    code!(CL_SUCCESS, clReleaseMemObject(mem));
    code!(CL_SUCCESS, clReleaseCommandQueue(q));
    code!(CL_SUCCESS, clReleaseContext(c));
}

#[test]
fn extensions_in_the_table() {
    let mut code = 0;
    assert!(cl!(clCreateFromGLBuffer(null_mut(), 0, 0, &raw mut code)).is_null());
    assert_eq!(code, CL_INVALID_OPERATION);
    assert!(
        cl!(clCreateEventFromEGLSyncKHR(null_mut(), null_mut(), null_mut(), null_mut())).is_null()
    );
    code!(CL_INVALID_OPERATION, clRetainDeviceEXT(null_mut()));
    code!(
        CL_INVALID_OPERATION,
        clEnqueueAcquireGLObjects(null_mut(), 0, null(), 0, null(), null_mut())
    );
}
