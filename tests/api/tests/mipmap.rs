//! Mipmapped images (`cl_khr_mipmap_image`): queries, levels in origins, samplers, and one case for
//! each error code. Access by kernels is in `tests/kernels`.

use std::ptr::{null, null_mut};

use muxcl_cl_sys::*;
use muxcl_test_api::{buffer, cl, code, context, fails, info, make, number, setup};

static RGBA: cl_image_format =
    cl_image_format { image_channel_order: CL_RGBA, image_channel_data_type: CL_UNORM_INT8 };

fn desc(image_type: cl_mem_object_type, levels: u32) -> cl_image_desc {
    cl_image_desc {
        image_type,
        image_width: 8,
        image_height: 4,
        image_depth: 2,
        image_array_size: 3,
        image_row_pitch: 0,
        image_slice_pitch: 0,
        num_mip_levels: levels,
        num_samples: 0,
        mem_object: null_mut(),
    }
}

fn image(c: cl_context, d: cl_image_desc) -> cl_mem {
    make!(clCreateImage(c, 0, &raw const RGBA, &raw const d, null_mut()))
}

#[test]
fn what_a_mipmapped_image_tells() {
    let c = context();
    let ask = |m: cl_mem, name| number(&info!(clGetImageInfo(m), name));
    let cases = [
        (CL_MEM_OBJECT_IMAGE1D, 4 * (8 + 4 + 2 + 1)),
        (CL_MEM_OBJECT_IMAGE1D_ARRAY, 12 * (8 + 4 + 2 + 1)),
        (CL_MEM_OBJECT_IMAGE2D, 4 * (32 + 8 + 2 + 1)),
        (CL_MEM_OBJECT_IMAGE2D_ARRAY, 12 * (32 + 8 + 2 + 1)),
        (CL_MEM_OBJECT_IMAGE3D, 4 * (64 + 8 + 2 + 1)),
    ];
    for (kind, size) in cases {
        let m = image(c, desc(kind, 4));
        assert_eq!((ask(m, CL_IMAGE_NUM_MIP_LEVELS), ask(m, CL_IMAGE_WIDTH)), (4, 8));
        assert_eq!(ask(m, CL_IMAGE_ROW_PITCH), 32, "that of the first level");
        assert_eq!(number(&info!(clGetMemObjectInfo(m), CL_MEM_SIZE)), size);
        code!(CL_SUCCESS, clReleaseMemObject(m));
    }
    let one = image(c, desc(CL_MEM_OBJECT_IMAGE2D, 1));
    assert_eq!(ask(one, CL_IMAGE_NUM_MIP_LEVELS), 1);
    code!(CL_SUCCESS, clReleaseMemObject(one));
    code!(CL_SUCCESS, clReleaseContext(c));
}

#[test]
fn a_mipmapped_image_has_memory_of_its_own() {
    let c = context();
    let depth =
        cl_image_format { image_channel_order: CL_DEPTH, image_channel_data_type: CL_FLOAT };
    let d = desc(CL_MEM_OBJECT_IMAGE2D, 2);
    fails!(
        CL_INVALID_IMAGE_DESCRIPTOR,
        clCreateImage(c, 0, &raw const depth, &raw const d, null_mut())
    );
    let mut memory = [0_u32; 256];
    let host = memory.as_mut_ptr().cast();
    let d = desc(CL_MEM_OBJECT_IMAGE2D, 2);
    let (f, d) = (&raw const RGBA, &raw const d);
    for flag in [CL_MEM_USE_HOST_PTR, CL_MEM_COPY_HOST_PTR] {
        fails!(CL_INVALID_VALUE, clCreateImage(c, flag, f, d, host));
        fails!(CL_INVALID_VALUE, clCreateImage(c, flag, f, d, null_mut()));
    }
    fails!(CL_INVALID_HOST_PTR, clCreateImage(c, 0, f, d, host));
    for pitched in [
        cl_image_desc { image_row_pitch: 32, ..desc(CL_MEM_OBJECT_IMAGE2D, 2) },
        cl_image_desc { image_slice_pitch: 128, ..desc(CL_MEM_OBJECT_IMAGE3D, 2) },
    ] {
        fails!(CL_INVALID_IMAGE_DESCRIPTOR, clCreateImage(c, 0, f, &raw const pitched, null_mut()));
    }
    code!(CL_SUCCESS, clReleaseContext(c));
}

#[test]
fn every_command_checks_the_level() {
    let c = context();
    let q = make!(clCreateCommandQueueWithProperties(c, setup().device(), null()));
    let b = buffer(c, 4096);
    let mut memory = [0_u32; 256];
    let at = memory.as_mut_ptr();
    let color = [0_f32; 4];
    let cases = [
        (CL_MEM_OBJECT_IMAGE1D, 1),
        (CL_MEM_OBJECT_IMAGE1D_ARRAY, 2),
        (CL_MEM_OBJECT_IMAGE2D, 2),
        (CL_MEM_OBJECT_IMAGE2D_ARRAY, 3),
        (CL_MEM_OBJECT_IMAGE3D, 3),
    ];
    for (kind, axis) in cases {
        let m = image(c, desc(kind, 3));
        let origin = |level: usize| {
            let mut origin = [0_usize; 4];
            origin[axis] = level;
            origin
        };
        let (base, last, behind, far) = (origin(0), origin(2), origin(3), origin(usize::MAX));
        let (region, wide) = ([1_usize; 3], [3_usize, 1, 1]);
        let (zero, r) = (base.as_ptr(), region.as_ptr());
        for (o, r, wanted) in [
            (last.as_ptr(), r, CL_SUCCESS),
            (far.as_ptr(), r, CL_INVALID_MIP_LEVEL),
            // The last level of an image of eight pixels has two.
            (last.as_ptr(), wide.as_ptr(), CL_INVALID_VALUE),
        ] {
            let (none, no) = (null(), null_mut());
            assert_eq!(
                cl!(clEnqueueReadImage(q, m, CL_TRUE, o, r, 0, 0, at.cast(), 0, none, no)),
                wanted
            );
            assert_eq!(
                cl!(clEnqueueWriteImage(q, m, CL_TRUE, o, r, 0, 0, at.cast(), 0, none, no)),
                wanted
            );
            assert_eq!(
                cl!(clEnqueueFillImage(q, m, color.as_ptr().cast(), o, r, 0, none, no)),
                wanted
            );
            assert_eq!(cl!(clEnqueueCopyImageToBuffer(q, m, b, o, r, 0, 0, none, no)), wanted);
            assert_eq!(cl!(clEnqueueCopyBufferToImage(q, b, m, 0, o, r, 0, none, no)), wanted);
            assert_eq!(cl!(clEnqueueCopyImage(q, m, m, zero, o, r, 0, none, no)), wanted);
            assert_eq!(cl!(clEnqueueCopyImage(q, m, m, o, zero, r, 0, none, no)), wanted);
            let (mut row, mut slice, mut error) = (0, 0, 0);
            let (rows, slices) = (&raw mut row, &raw mut slice);
            let mapped = cl!(clEnqueueMapImage(
                q,
                m,
                CL_TRUE,
                CL_MAP_READ,
                o,
                r,
                rows,
                slices,
                0,
                none,
                no,
                &raw mut error
            ));
            assert_eq!(error, wanted);
            assert_eq!(mapped.is_null(), wanted != CL_SUCCESS);
            if wanted == CL_SUCCESS {
                assert_eq!(row, 8, "a row of the third level");
                code!(CL_SUCCESS, clEnqueueUnmapMemObject(q, m, mapped, 0, none, no));
            }
        }
        let (o, none, no) = (behind.as_ptr(), null(), null_mut());
        code!(
            CL_INVALID_MIP_LEVEL,
            clEnqueueReadImage(q, m, CL_TRUE, o, r, 0, 0, at.cast(), 0, none, no)
        );
        code!(
            CL_INVALID_MIP_LEVEL,
            clEnqueueWriteImage(q, m, CL_TRUE, o, r, 0, 0, at.cast(), 0, none, no)
        );
        code!(
            CL_INVALID_MIP_LEVEL,
            clEnqueueFillImage(q, m, color.as_ptr().cast(), o, r, 0, none, no)
        );
        code!(CL_INVALID_MIP_LEVEL, clEnqueueCopyImageToBuffer(q, m, b, o, r, 0, 0, none, no));
        code!(CL_INVALID_MIP_LEVEL, clEnqueueCopyBufferToImage(q, b, m, 0, o, r, 0, none, no));
        code!(CL_INVALID_MIP_LEVEL, clEnqueueCopyImage(q, m, m, zero, o, r, 0, none, no));
        code!(CL_INVALID_MIP_LEVEL, clEnqueueCopyImage(q, m, m, o, zero, r, 0, none, no));
        let (mut row, mut slice) = (0, 0);
        let (rows, slices) = (&raw mut row, &raw mut slice);
        fails!(
            CL_INVALID_MIP_LEVEL,
            clEnqueueMapImage(q, m, CL_TRUE, CL_MAP_READ, o, r, rows, slices, 0, none, no)
        );
        // Within a level, a copy of an image to itself may still not overlap.
        let o = last.as_ptr();
        code!(CL_MEM_COPY_OVERLAP, clEnqueueCopyImage(q, m, m, o, o, r, 0, null(), null_mut()));
        code!(CL_SUCCESS, clFinish(q));
        code!(CL_SUCCESS, clReleaseMemObject(m));
    }
    // An image without levels accepts no level.
    let m = image(c, desc(CL_MEM_OBJECT_IMAGE2D, 0));
    let (o, r) = ([0_usize, 0, 1], [1_usize; 3]);
    let (none, no) = (null(), null_mut());
    code!(
        CL_INVALID_VALUE,
        clEnqueueReadImage(q, m, CL_TRUE, o.as_ptr(), r.as_ptr(), 0, 0, at.cast(), 0, none, no)
    );
    code!(CL_SUCCESS, clReleaseMemObject(m));
    code!(CL_SUCCESS, clReleaseMemObject(b));
    code!(CL_SUCCESS, clReleaseCommandQueue(q));
    code!(CL_SUCCESS, clReleaseContext(c));
}

#[test]
fn samplers_have_bounds_of_the_level_of_detail() {
    let c = context();
    let value = |name: u32| cl_sampler_properties::from(name);
    let float = |f: f32| cl_sampler_properties::from(f.to_bits());
    let ask =
        |s: cl_sampler, name| u32::try_from(number(&info!(clGetSamplerInfo(s), name))).unwrap();
    let plain = make!(clCreateSamplerWithProperties(c, null()));
    assert_eq!(ask(plain, CL_SAMPLER_MIP_FILTER_MODE), CL_FILTER_NEAREST);
    assert_eq!(ask(plain, CL_SAMPLER_LOD_MIN), 0);
    assert_eq!(f32::from_bits(ask(plain, CL_SAMPLER_LOD_MAX)), f32::MAX);
    code!(CL_SUCCESS, clReleaseSampler(plain));
    let all = [
        value(CL_SAMPLER_MIP_FILTER_MODE),
        value(CL_FILTER_LINEAR),
        value(CL_SAMPLER_LOD_MIN),
        float(1.5),
        value(CL_SAMPLER_LOD_MAX),
        float(2.25),
        0,
    ];
    let s = make!(clCreateSamplerWithProperties(c, all.as_ptr()));
    assert_eq!(ask(s, CL_SAMPLER_MIP_FILTER_MODE), CL_FILTER_LINEAR);
    assert_eq!(f32::from_bits(ask(s, CL_SAMPLER_LOD_MIN)), 1.5);
    assert_eq!(f32::from_bits(ask(s, CL_SAMPLER_LOD_MAX)), 2.25);
    assert_eq!(info!(clGetSamplerInfo(s), CL_SAMPLER_LOD_MAX).len(), 4);
    code!(CL_SUCCESS, clReleaseSampler(s));
    for bad in [
        [value(CL_SAMPLER_MIP_FILTER_MODE), 7, 0, 0, 0],
        [value(CL_SAMPLER_LOD_MIN), float(f32::NAN), 0, 0, 0],
        [value(CL_SAMPLER_LOD_MAX), float(1.0), value(CL_SAMPLER_LOD_MAX), float(1.0), 0],
    ] {
        fails!(CL_INVALID_VALUE, clCreateSamplerWithProperties(c, bad.as_ptr()));
    }
    code!(CL_SUCCESS, clReleaseContext(c));
}
