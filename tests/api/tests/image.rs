//! Images and samplers: queries, and one case for each error code. Access by kernels is in
//! `tests/kernels`.

#![expect(clippy::unwrap_used, reason = "a test may fail anywhere")]

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use muxcl_cl_sys::*;
use muxcl_test_api::{
    anything, bad_handles, buffer, cl, code, context, fails, info, kernel, make, number, program,
    setup,
};

static RGBA: cl_image_format =
    cl_image_format { image_channel_order: CL_RGBA, image_channel_data_type: CL_UNORM_INT8 };

fn desc(
    image_type: cl_mem_object_type,
    width: usize,
    height: usize,
    depth: usize,
    layers: usize,
) -> cl_image_desc {
    cl_image_desc {
        image_type,
        image_width: width,
        image_height: height,
        image_depth: depth,
        image_array_size: layers,
        image_row_pitch: 0,
        image_slice_pitch: 0,
        num_mip_levels: 0,
        num_samples: 0,
        mem_object: null_mut(),
    }
}

fn plane(width: usize, height: usize) -> cl_image_desc {
    desc(CL_MEM_OBJECT_IMAGE2D, width, height, 1, 1)
}

fn image(c: cl_context, flags: cl_mem_flags, format: cl_image_format, d: cl_image_desc) -> cl_mem {
    make!(clCreateImage(c, flags, &raw const format, &raw const d, null_mut()))
}

fn queue(c: cl_context) -> cl_command_queue {
    make!(clCreateCommandQueueWithProperties(c, setup().device(), null()))
}

fn format(order: u32, channel: u32) -> cl_image_format {
    cl_image_format { image_channel_order: order, image_channel_data_type: channel }
}

fn ask(m: cl_mem, name: cl_image_info) -> usize {
    usize::try_from(number(&info!(clGetImageInfo(m), name))).unwrap()
}

#[test]
fn what_an_image_tells() {
    let c = context();
    let cases = [
        (desc(CL_MEM_OBJECT_IMAGE1D, 5, 9, 9, 9), [5, 0, 0, 0], [20, 0], 20),
        (desc(CL_MEM_OBJECT_IMAGE1D_ARRAY, 5, 9, 9, 3), [5, 0, 0, 3], [20, 20], 60),
        (desc(CL_MEM_OBJECT_IMAGE2D, 5, 4, 9, 9), [5, 4, 0, 0], [20, 0], 80),
        (desc(CL_MEM_OBJECT_IMAGE2D_ARRAY, 5, 4, 9, 3), [5, 4, 0, 3], [20, 80], 240),
        (desc(CL_MEM_OBJECT_IMAGE3D, 5, 4, 2, 9), [5, 4, 2, 0], [20, 80], 160),
    ];
    for (d, sizes, pitches, bytes) in cases {
        let m = image(c, CL_MEM_READ_WRITE, RGBA, d);
        let names = [CL_IMAGE_WIDTH, CL_IMAGE_HEIGHT, CL_IMAGE_DEPTH, CL_IMAGE_ARRAY_SIZE];
        assert_eq!(names.map(|n| ask(m, n)), sizes, "{:x}", d.image_type);
        assert_eq!([CL_IMAGE_ROW_PITCH, CL_IMAGE_SLICE_PITCH].map(|n| ask(m, n)), pitches);
        assert_eq!((ask(m, CL_IMAGE_ELEMENT_SIZE), ask(m, CL_IMAGE_BUFFER)), (4, 0));
        assert_eq!((ask(m, CL_IMAGE_NUM_MIP_LEVELS), ask(m, CL_IMAGE_NUM_SAMPLES)), (0, 0));
        let f = info!(clGetImageInfo(m), CL_IMAGE_FORMAT);
        assert_eq!(f, [CL_RGBA.to_ne_bytes(), CL_UNORM_INT8.to_ne_bytes()].concat());
        assert_eq!(number(&info!(clGetMemObjectInfo(m), CL_MEM_TYPE)), u64::from(d.image_type));
        assert_eq!(number(&info!(clGetMemObjectInfo(m), CL_MEM_SIZE)), bytes);
        assert_eq!(info!(clGetMemObjectInfo(m), CL_MEM_PROPERTIES).len(), 0);
        code!(CL_INVALID_VALUE, clGetImageInfo(m, 0x1234, 0, null_mut(), null_mut()));
        code!(CL_SUCCESS, clReleaseMemObject(m));
    }
    let b = buffer(c, 64);
    code!(CL_INVALID_MEM_OBJECT, clGetImageInfo(b, CL_IMAGE_WIDTH, 0, null_mut(), null_mut()));
    for bad in bad_handles::<_cl_mem>() {
        code!(
            CL_INVALID_MEM_OBJECT,
            clGetImageInfo(bad, CL_IMAGE_WIDTH, 0, null_mut(), null_mut())
        );
    }
    code!(CL_SUCCESS, clReleaseMemObject(b));
    let properties: [cl_mem_properties; 1] = [0];
    let d = plane(2, 2);
    let m = make!(clCreateImageWithProperties(
        c,
        properties.as_ptr(),
        0,
        &raw const RGBA,
        &raw const d,
        null_mut()
    ));
    assert_eq!(info!(clGetMemObjectInfo(m), CL_MEM_PROPERTIES).len(), 8);
    assert_eq!(
        number(&info!(clGetMemObjectInfo(m), CL_MEM_FLAGS)),
        CL_MEM_READ_WRITE,
        "the default"
    );
    code!(CL_SUCCESS, clReleaseMemObject(m));
    code!(CL_SUCCESS, clReleaseContext(c));
}

#[test]
fn creation_is_checked() {
    let c = context();
    let mut memory = [0_u32; 64];
    let host: *mut c_void = memory.as_mut_ptr().cast();
    let good = plane(4, 4);
    let (f, d): (*const _, *const _) = (&raw const RGBA, &raw const good);
    let (none, used, copied) = (null_mut(), CL_MEM_USE_HOST_PTR, CL_MEM_COPY_HOST_PTR);
    fails!(CL_INVALID_VALUE, clCreateImage(c, 1 << 40, f, d, none));
    fails!(CL_INVALID_VALUE, clCreateImage(c, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, f, d, none));
    fails!(CL_INVALID_HOST_PTR, clCreateImage(c, 0, f, d, host));
    fails!(CL_INVALID_HOST_PTR, clCreateImage(c, used, f, d, none));
    fails!(CL_INVALID_HOST_PTR, clCreateImage(c, copied, f, d, none));
    fails!(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, clCreateImage(c, 0, null(), d, none));
    for bad in [format(0, CL_FLOAT), format(CL_RGB, CL_UNORM_INT8), format(CL_BGRA, CL_FLOAT)] {
        fails!(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, clCreateImage(c, 0, &raw const bad, d, none));
    }
    let other = format(CL_Rx, CL_FLOAT);
    fails!(CL_IMAGE_FORMAT_NOT_SUPPORTED, clCreateImage(c, 0, &raw const other, d, none));
    let depth = format(CL_DEPTH, CL_FLOAT);
    let space = desc(CL_MEM_OBJECT_IMAGE3D, 4, 4, 4, 1);
    fails!(
        CL_IMAGE_FORMAT_NOT_SUPPORTED,
        clCreateImage(c, 0, &raw const depth, &raw const space, none)
    );
    fails!(CL_INVALID_IMAGE_DESCRIPTOR, clCreateImage(c, 0, f, null(), none));
    let b = buffer(c, 64);
    let wrong = [
        cl_image_desc { image_type: CL_MEM_OBJECT_BUFFER, ..good },
        cl_image_desc { image_width: 0, ..good },
        cl_image_desc { image_height: 0, ..good },
        // 4, 2, 1: no fourth level.
        cl_image_desc { num_mip_levels: 4, ..good },
        cl_image_desc {
            num_mip_levels: 2,
            mem_object: b,
            ..desc(CL_MEM_OBJECT_IMAGE1D_BUFFER, 4, 1, 1, 1)
        },
        cl_image_desc { num_mip_levels: 2, mem_object: b, ..good },
        cl_image_desc { num_samples: 4, ..good },
        // A row pitch without host memory.
        cl_image_desc { image_row_pitch: 16, ..good },
        desc(CL_MEM_OBJECT_IMAGE3D, 4, 4, 0, 1),
        desc(CL_MEM_OBJECT_IMAGE1D_ARRAY, 4, 4, 4, 0),
        // An image in a buffer, without the buffer.
        desc(CL_MEM_OBJECT_IMAGE1D_BUFFER, 4, 1, 1, 1),
        cl_image_desc { mem_object: anything().cast(), ..good },
        cl_image_desc { mem_object: b, image_row_pitch: 12, ..plane(4, 2) },
    ];
    for (n, w) in wrong.iter().enumerate() {
        let mut code = 0;
        let made = cl!(clCreateImage(c, 0, f, w, none, &raw mut code));
        assert!(made.is_null() && code == CL_INVALID_IMAGE_DESCRIPTOR, "{n}: {code}");
    }
    for (row, slice) in [(8, 0), (18, 0), (16, 32), (16, 72)] {
        let w = cl_image_desc {
            image_row_pitch: row,
            image_slice_pitch: slice,
            ..desc(CL_MEM_OBJECT_IMAGE3D, 4, 4, 1, 1)
        };
        fails!(CL_INVALID_IMAGE_DESCRIPTOR, clCreateImage(c, used, f, &raw const w, host));
    }
    // An image larger than its buffer, and a misaligned pitch.
    let more = cl_image_desc { mem_object: b, ..desc(CL_MEM_OBJECT_IMAGE1D_BUFFER, 17, 1, 1, 1) };
    fails!(CL_INVALID_IMAGE_SIZE, clCreateImage(c, 0, f, &raw const more, none));
    let odd = cl_image_desc { mem_object: b, image_row_pitch: 18, ..plane(4, 2) };
    fails!(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, clCreateImage(c, 0, f, &raw const odd, none));
    for large in [plane(16385, 1), plane(1, 16385), desc(CL_MEM_OBJECT_IMAGE3D, 1, 1, 2049, 1)] {
        fails!(CL_INVALID_IMAGE_SIZE, clCreateImage(c, 0, f, &raw const large, none));
    }
    let layers = desc(CL_MEM_OBJECT_IMAGE2D_ARRAY, 1, 1, 1, 2049);
    fails!(CL_INVALID_IMAGE_SIZE, clCreateImage(c, 0, f, &raw const layers, none));
    fails!(CL_INVALID_IMAGE_SIZE, clCreateImage2D(c, 0, f, 0, 4, 0, none));
    fails!(CL_INVALID_IMAGE_SIZE, clCreateImage2D(c, 0, f, 4, 4, 16, none));
    fails!(CL_INVALID_IMAGE_SIZE, clCreateImage3D(c, 0, f, 4, 4, 0, 0, 0, none));
    let unknown: [cl_mem_properties; 3] = [77, 1, 0];
    fails!(CL_INVALID_PROPERTY, clCreateImageWithProperties(c, unknown.as_ptr(), 0, f, d, none));
    for bad in bad_handles::<_cl_context>() {
        fails!(CL_INVALID_CONTEXT, clCreateImage(bad, 0, f, d, none));
        fails!(CL_INVALID_CONTEXT, clCreateSamplerWithProperties(bad, null()));
    }
    let old = [
        make!(clCreateImage2D(c, used, f, 4, 4, 0, host)),
        make!(clCreateImage3D(c, copied, f, 4, 2, 2, 16, 32, host)),
    ];
    assert_eq!(number(&info!(clGetMemObjectInfo(old[0]), CL_MEM_HOST_PTR)), host.addr() as u64);
    assert_eq!(ask(old[1], CL_IMAGE_SLICE_PITCH), 32);
    for m in old {
        code!(CL_SUCCESS, clReleaseMemObject(m));
    }
    code!(CL_SUCCESS, clReleaseMemObject(b));
    code!(CL_SUCCESS, clReleaseContext(c));
}

#[test]
fn images_in_other_objects() {
    let c = context();
    let q = queue(c);
    let b = buffer(c, 4096);
    let d = cl_image_desc { mem_object: b, image_row_pitch: 32, ..plane(4, 4) };
    let m = image(c, 0, RGBA, d);
    assert_eq!((ask(m, CL_IMAGE_ROW_PITCH), ask(m, CL_IMAGE_BUFFER)), (32, b.addr()));
    assert_eq!(number(&info!(clGetMemObjectInfo(m), CL_MEM_ASSOCIATED_MEMOBJECT)), b.addr() as u64);
    // Writes to one are visible in the other.
    let pixels: Vec<u32> = (0..16).collect();
    let (o, r) = ([0_usize; 3], [4_usize, 4, 1]);
    code!(
        CL_SUCCESS,
        clEnqueueWriteImage(
            q,
            m,
            1,
            o.as_ptr(),
            r.as_ptr(),
            0,
            0,
            pixels.as_ptr().cast(),
            0,
            null(),
            null_mut()
        )
    );
    let mut back = [0_u32; 8 * 4];
    code!(
        CL_SUCCESS,
        clEnqueueReadBuffer(q, b, 1, 0, 128, back.as_mut_ptr().cast(), 0, null(), null_mut())
    );
    assert!(back.chunks(8).zip(pixels.chunks(4)).all(|(a, b)| a[..4] == *b), "{back:?}");
    // A sub-buffer, and an image in it.
    let region = cl_buffer_region { origin: 128, size: 256 };
    let region: *const c_void = (&raw const region).cast();
    let part = make!(clCreateSubBuffer(b, 0, CL_BUFFER_CREATE_TYPE_REGION, region));
    let row = image(
        c,
        0,
        RGBA,
        cl_image_desc { mem_object: part, ..desc(CL_MEM_OBJECT_IMAGE1D_BUFFER, 64, 1, 1, 1) },
    );
    let color = [1.0_f32, 0.0, 0.0, 0.0];
    let (o, r) = ([1_usize, 0, 0], [1_usize, 1, 1]);
    code!(
        CL_SUCCESS,
        clEnqueueFillImage(
            q,
            row,
            color.as_ptr().cast(),
            o.as_ptr(),
            r.as_ptr(),
            0,
            null(),
            null_mut()
        )
    );
    let mut word = 0_u32;
    code!(
        CL_SUCCESS,
        clEnqueueReadBuffer(q, b, 1, 132, 4, (&raw mut word).cast(), 0, null(), null_mut())
    );
    assert_eq!(word, 255);
    fails!(CL_INVALID_MEM_OBJECT, clCreateSubBuffer(m, 0, CL_BUFFER_CREATE_TYPE_REGION, region));
    // An image that views another one in a different format.
    let srgb = format(CL_sRGBA, CL_UNORM_INT8);
    let view = cl_image_desc { mem_object: m, ..plane(4, 4) };
    let seen = image(c, 0, srgb, view);
    assert_eq!((ask(seen, CL_IMAGE_ROW_PITCH), ask(seen, CL_IMAGE_BUFFER)), (32, 0));
    let float = format(CL_RGBA, CL_FLOAT);
    fails!(
        CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
        clCreateImage(c, 0, &raw const float, &raw const view, null_mut())
    );
    let small = cl_image_desc { mem_object: m, ..plane(2, 4) };
    fails!(
        CL_INVALID_IMAGE_DESCRIPTOR,
        clCreateImage(c, 0, &raw const srgb, &raw const small, null_mut())
    );
    let only = make!(clCreateBuffer(c, CL_MEM_READ_ONLY, 64, null_mut()));
    let more = cl_image_desc { mem_object: only, ..plane(4, 4) };
    fails!(
        CL_INVALID_VALUE,
        clCreateImage(c, CL_MEM_READ_WRITE, &raw const RGBA, &raw const more, null_mut())
    );
    fails!(CL_INVALID_HOST_PTR, clCreateImage(c, 0, &raw const RGBA, &raw const more, anything()));
    // Copies between an image and the buffer that contains it.
    let (o, r) = ([0_usize; 3], [4_usize, 1, 1]);
    let (o, r) = (o.as_ptr(), r.as_ptr());
    code!(
        CL_INVALID_MEM_OBJECT,
        clEnqueueCopyImageToBuffer(q, row, part, o, r, 0, 0, null(), null_mut())
    );
    code!(
        CL_INVALID_MEM_OBJECT,
        clEnqueueCopyBufferToImage(q, part, row, 0, o, r, 0, null(), null_mut())
    );
    for m in [seen, row, part, m, b, only] {
        code!(CL_SUCCESS, clReleaseMemObject(m));
    }
    code!(CL_SUCCESS, clReleaseCommandQueue(q));
    code!(CL_SUCCESS, clReleaseContext(c));
}

#[test]
fn commands_are_checked() {
    let (c, other) = (context(), context());
    let q = queue(c);
    let d = plane(8, 8);
    let (m, n) = (image(c, 0, RGBA, d), image(c, 0, RGBA, d));
    let float = image(c, 0, format(CL_RGBA, CL_FLOAT), d);
    let foreign = image(other, 0, RGBA, d);
    let b = buffer(c, 256);
    let (o, r) = ([0_usize; 3], [8_usize, 8, 1]);
    let mut data = [0_u32; 64];
    let p: *mut c_void = data.as_mut_ptr().cast();
    let read = |q, m, o: [usize; 3], r: [usize; 3], row, slice, p: *mut c_void| {
        cl!(clEnqueueReadImage(
            q,
            m,
            1,
            o.as_ptr(),
            r.as_ptr(),
            row,
            slice,
            p,
            0,
            null(),
            null_mut()
        ))
    };
    let write = |q, m, o: [usize; 3], r: [usize; 3], row, slice, p: *mut c_void| {
        cl!(clEnqueueWriteImage(
            q,
            m,
            1,
            o.as_ptr(),
            r.as_ptr(),
            row,
            slice,
            p,
            0,
            null(),
            null_mut()
        ))
    };
    for call in [&read as &dyn Fn(_, _, _, _, _, _, _) -> cl_int, &write] {
        assert_eq!(call(null_mut(), m, o, r, 0, 0, p), CL_INVALID_COMMAND_QUEUE);
        assert_eq!(call(q, b, o, r, 0, 0, p), CL_INVALID_MEM_OBJECT);
        assert_eq!(call(q, null_mut(), o, r, 0, 0, p), CL_INVALID_MEM_OBJECT);
        assert_eq!(call(q, foreign, o, r, 0, 0, p), CL_INVALID_CONTEXT);
        assert_eq!(call(q, m, [1, 0, 0], r, 0, 0, p), CL_INVALID_VALUE);
        assert_eq!(call(q, m, [0, 0, 1], r, 0, 0, p), CL_INVALID_VALUE);
        assert_eq!(call(q, m, o, [8, 8, 2], 0, 0, p), CL_INVALID_VALUE);
        assert_eq!(call(q, m, o, [8, 0, 1], 0, 0, p), CL_INVALID_VALUE);
        assert_eq!(call(q, m, o, r, 31, 0, p), CL_INVALID_VALUE);
        assert_eq!(call(q, m, o, r, 0, 256, p), CL_INVALID_VALUE, "a plane has no slices");
        assert_eq!(call(q, m, o, r, 0, 0, null_mut()), CL_INVALID_VALUE);
        assert_eq!(call(q, m, o, r, 0, 0, p), CL_SUCCESS);
    }
    code!(
        CL_INVALID_VALUE,
        clEnqueueReadImage(q, m, 1, null(), r.as_ptr(), 0, 0, p, 0, null(), null_mut())
    );
    code!(
        CL_INVALID_EVENT_WAIT_LIST,
        clEnqueueReadImage(q, m, 1, o.as_ptr(), r.as_ptr(), 0, 0, p, 1, null(), null_mut())
    );
    let (o, r) = (o.as_ptr(), r.as_ptr());
    code!(
        CL_IMAGE_FORMAT_MISMATCH,
        clEnqueueCopyImage(q, m, float, o, o, r, 0, null(), null_mut())
    );
    code!(CL_MEM_COPY_OVERLAP, clEnqueueCopyImage(q, m, m, o, o, r, 0, null(), null_mut()));
    code!(CL_INVALID_MEM_OBJECT, clEnqueueCopyImage(q, m, b, o, o, r, 0, null(), null_mut()));
    code!(CL_INVALID_CONTEXT, clEnqueueCopyImage(q, m, foreign, o, o, r, 0, null(), null_mut()));
    code!(CL_INVALID_VALUE, clEnqueueCopyImage(q, m, n, r, o, r, 0, null(), null_mut()));
    code!(CL_SUCCESS, clEnqueueCopyImage(q, m, n, o, o, r, 0, null(), null_mut()));
    let half = [4_usize, 8, 1];
    let beside = [4_usize, 0, 0];
    code!(
        CL_SUCCESS,
        clEnqueueCopyImage(q, m, m, o, beside.as_ptr(), half.as_ptr(), 0, null(), null_mut())
    );
    code!(CL_INVALID_VALUE, clEnqueueCopyImageToBuffer(q, m, b, o, r, 1, 0, null(), null_mut()));
    code!(
        CL_INVALID_MEM_OBJECT,
        clEnqueueCopyImageToBuffer(q, b, b, o, r, 0, 0, null(), null_mut())
    );
    code!(
        CL_INVALID_MEM_OBJECT,
        clEnqueueCopyImageToBuffer(q, m, n, o, r, 0, 0, null(), null_mut())
    );
    code!(CL_SUCCESS, clEnqueueCopyImageToBuffer(q, m, b, o, r, 0, 0, null(), null_mut()));
    code!(CL_INVALID_VALUE, clEnqueueCopyBufferToImage(q, b, m, 1, o, r, 0, null(), null_mut()));
    code!(
        CL_INVALID_MEM_OBJECT,
        clEnqueueCopyBufferToImage(q, m, n, 0, o, r, 0, null(), null_mut())
    );
    code!(CL_SUCCESS, clEnqueueCopyBufferToImage(q, b, m, 0, o, r, 0, null(), null_mut()));
    code!(CL_INVALID_VALUE, clEnqueueFillImage(q, m, null(), o, r, 0, null(), null_mut()));
    code!(CL_INVALID_VALUE, clEnqueueFillImage(q, m, p, r, r, 0, null(), null_mut()));
    code!(CL_INVALID_MEM_OBJECT, clEnqueueFillImage(q, b, p, o, r, 0, null(), null_mut()));
    // Buffer commands do not take images.
    code!(CL_INVALID_MEM_OBJECT, clEnqueueReadBuffer(q, m, 1, 0, 4, p, 0, null(), null_mut()));
    code!(CL_INVALID_MEM_OBJECT, clEnqueueCopyBuffer(q, b, m, 0, 0, 4, 0, null(), null_mut()));
    code!(CL_INVALID_MEM_OBJECT, clEnqueueFillBuffer(q, m, p, 4, 0, 4, 0, null(), null_mut()));
    fails!(
        CL_INVALID_MEM_OBJECT,
        clEnqueueMapBuffer(q, m, 1, CL_MAP_READ, 0, 4, 0, null(), null_mut())
    );
    code!(CL_SUCCESS, clEnqueueMigrateMemObjects(q, 1, &raw const m, 0, 0, null(), null_mut()));
    code!(CL_SUCCESS, clFinish(q));
    for (flags, may_read, may_write) in [
        (CL_MEM_HOST_READ_ONLY, true, false),
        (CL_MEM_HOST_WRITE_ONLY, false, true),
        (CL_MEM_HOST_NO_ACCESS, false, false),
    ] {
        let m = image(c, flags, RGBA, d);
        let answer = |may| if may { CL_SUCCESS } else { CL_INVALID_OPERATION };
        assert_eq!(read(q, m, [0; 3], [8, 8, 1], 0, 0, p), answer(may_read));
        assert_eq!(write(q, m, [0; 3], [8, 8, 1], 0, 0, p), answer(may_write));
        code!(CL_SUCCESS, clReleaseMemObject(m));
    }
    for m in [m, n, float, foreign, b] {
        code!(CL_SUCCESS, clReleaseMemObject(m));
    }
    code!(CL_SUCCESS, clReleaseCommandQueue(q));
    code!(CL_SUCCESS, clReleaseContext(c));
    code!(CL_SUCCESS, clReleaseContext(other));
}

#[test]
fn maps() {
    let c = context();
    let q = queue(c);
    let m = image(c, 0, RGBA, desc(CL_MEM_OBJECT_IMAGE2D_ARRAY, 4, 3, 1, 2));
    let b = buffer(c, 64);
    let (o, r) = ([1_usize, 1, 1], [2_usize, 2, 1]);
    let (o, r) = (o.as_ptr(), r.as_ptr());
    let (mut row, mut slice) = (0, 0);
    let (x, y): (*mut usize, *mut usize) = (&raw mut row, &raw mut slice);
    fails!(
        CL_INVALID_COMMAND_QUEUE,
        clEnqueueMapImage(null_mut(), m, 1, CL_MAP_READ, o, r, x, y, 0, null(), null_mut())
    );
    fails!(
        CL_INVALID_MEM_OBJECT,
        clEnqueueMapImage(q, b, 1, CL_MAP_READ, o, r, x, y, 0, null(), null_mut())
    );
    fails!(CL_INVALID_VALUE, clEnqueueMapImage(q, m, 1, 1 << 9, o, r, x, y, 0, null(), null_mut()));
    let both = CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;
    fails!(CL_INVALID_VALUE, clEnqueueMapImage(q, m, 1, both, o, r, x, y, 0, null(), null_mut()));
    fails!(
        CL_INVALID_VALUE,
        clEnqueueMapImage(q, m, 1, CL_MAP_READ, o, r, null_mut(), y, 0, null(), null_mut())
    );
    fails!(
        CL_INVALID_VALUE,
        clEnqueueMapImage(q, m, 1, CL_MAP_READ, o, r, x, null_mut(), 0, null(), null_mut())
    );
    fails!(
        CL_INVALID_VALUE,
        clEnqueueMapImage(q, m, 1, CL_MAP_READ, r, r, x, y, 0, null(), null_mut())
    );
    let at = make!(clEnqueueMapImage(q, m, 1, CL_MAP_WRITE, o, r, x, y, 0, null(), null_mut()));
    assert_eq!((row, slice), (16, 48));
    assert_eq!(number(&info!(clGetMemObjectInfo(m), CL_MEM_MAP_COUNT)), 1);
    // SAFETY: the mapped pixel (1, 1) of the region, at the pitches given.
    let pixel = unsafe { at.cast::<u8>().add(row + 4) };
    // SAFETY: as above.
    unsafe { pixel.cast::<u32>().write(77) };
    code!(CL_SUCCESS, clEnqueueUnmapMemObject(q, m, at, 0, null(), null_mut()));
    code!(CL_INVALID_VALUE, clEnqueueUnmapMemObject(q, m, at, 0, null(), null_mut()));
    let (place, one) = ([2_usize, 2, 1], [1_usize, 1, 1]);
    let mut word = 0_u32;
    let p: *mut c_void = (&raw mut word).cast();
    code!(
        CL_SUCCESS,
        clEnqueueReadImage(q, m, 1, place.as_ptr(), one.as_ptr(), 0, 0, p, 0, null(), null_mut())
    );
    assert_eq!(word, 77);
    let hidden = image(c, CL_MEM_HOST_NO_ACCESS, RGBA, plane(4, 4));
    let o = [0_usize; 3];
    fails!(
        CL_INVALID_OPERATION,
        clEnqueueMapImage(
            q,
            hidden,
            1,
            CL_MAP_READ,
            o.as_ptr(),
            one.as_ptr(),
            x,
            y,
            0,
            null(),
            null_mut()
        )
    );
    fails!(
        CL_INVALID_OPERATION,
        clEnqueueMapImage(
            q,
            hidden,
            1,
            CL_MAP_WRITE,
            o.as_ptr(),
            one.as_ptr(),
            x,
            y,
            0,
            null(),
            null_mut()
        )
    );
    for m in [m, b, hidden] {
        code!(CL_SUCCESS, clReleaseMemObject(m));
    }
    code!(CL_SUCCESS, clReleaseCommandQueue(q));
    code!(CL_SUCCESS, clReleaseContext(c));
}

#[test]
fn formats_of_devices() {
    let c = context();
    let get = |flags, kind, room: &mut [cl_image_format]| {
        let mut count = 0;
        let out = if room.is_empty() { null_mut() } else { room.as_mut_ptr() };
        let n = u32::try_from(room.len()).unwrap();
        assert_eq!(
            cl!(clGetSupportedImageFormats(c, flags, kind, n, out, &raw mut count)),
            CL_SUCCESS
        );
        count as usize
    };
    for kind in CL_MEM_OBJECT_IMAGE2D..=CL_MEM_OBJECT_IMAGE1D_BUFFER {
        for flags in
            [CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY, CL_MEM_READ_WRITE, CL_MEM_KERNEL_READ_AND_WRITE]
        {
            let count = get(flags, kind, &mut []);
            let mut all = vec![format(0, 0); count];
            assert_eq!(get(flags, kind, &mut all), count);
            assert!(all.contains(&RGBA), "{kind:x} {flags:x}");
            let planes = matches!(kind, CL_MEM_OBJECT_IMAGE2D | CL_MEM_OBJECT_IMAGE2D_ARRAY);
            assert_eq!(all.iter().any(|f| f.image_channel_order == CL_DEPTH), planes);
            // Formats whose pixels share bytes are read-only, and exist for rows and planes.
            let raw = all.iter().filter(|f| RAW.contains(f)).count();
            let some = flags == CL_MEM_READ_ONLY && kind != CL_MEM_OBJECT_IMAGE3D;
            assert_eq!(raw, if some { 2 } else { 0 });
        }
    }
    let (out, d2) = (anything().cast(), CL_MEM_OBJECT_IMAGE2D);
    code!(CL_INVALID_VALUE, clGetSupportedImageFormats(c, 0, d2, 0, out, null_mut()));
    code!(CL_INVALID_VALUE, clGetSupportedImageFormats(c, 1 << 50, d2, 0, null_mut(), null_mut()));
    code!(
        CL_INVALID_VALUE,
        clGetSupportedImageFormats(c, 0, CL_MEM_OBJECT_BUFFER, 0, null_mut(), null_mut())
    );
    code!(
        CL_INVALID_CONTEXT,
        clGetSupportedImageFormats(null_mut(), 0, d2, 0, null_mut(), null_mut())
    );
    code!(CL_SUCCESS, clReleaseContext(c));
}

const RAW: [cl_image_format; 2] = [
    cl_image_format {
        image_channel_order: CL_R,
        image_channel_data_type: CL_UNSIGNED_INT_RAW10_EXT,
    },
    cl_image_format {
        image_channel_order: CL_R,
        image_channel_data_type: CL_UNSIGNED_INT_RAW12_EXT,
    },
];

/// `cl_ext_image_raw10_raw12`: sizes and codes.
#[test]
fn pixels_that_share_bytes() {
    let c = context();
    let q = queue(c);
    let read = CL_MEM_READ_ONLY;
    for (f, pixels, bytes) in [(RAW[0], 4, 5), (RAW[1], 2, 3)] {
        let d = plane(5 * pixels, 3);
        let m = image(c, read, f, d);
        assert_eq!((ask(m, CL_IMAGE_ROW_PITCH), ask(m, CL_IMAGE_ELEMENT_SIZE)), (5 * bytes, 2));
        assert_eq!(number(&info!(clGetMemObjectInfo(m), CL_MEM_SIZE)), (15 * bytes) as u64);
        // "The channel order must be CL_R."
        let other = cl_image_format { image_channel_order: CL_RG, ..f };
        let (f, none) = (&raw const f, null_mut());
        fails!(
            CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
            clCreateImage(c, read, &raw const other, &raw const d, none)
        );
        // Kernels can only read them.
        for flags in [0, CL_MEM_READ_WRITE, CL_MEM_WRITE_ONLY] {
            fails!(CL_IMAGE_FORMAT_NOT_SUPPORTED, clCreateImage(c, flags, f, &raw const d, none));
        }
        let space = desc(CL_MEM_OBJECT_IMAGE3D, 5 * pixels, 3, 2, 1);
        fails!(CL_IMAGE_FORMAT_NOT_SUPPORTED, clCreateImage(c, read, f, &raw const space, none));
        let fixed = CL_MEM_IMMUTABLE_EXT | CL_MEM_COPY_HOST_PTR;
        let mut content = [0_u8; 128];
        let host = content.as_mut_ptr().cast();
        fails!(CL_IMAGE_FORMAT_NOT_SUPPORTED, clCreateImage(c, fixed, f, &raw const d, host));
        // "The image width must be a multiple of 4", or 2.
        for width in [1, 5 * pixels + 1] {
            let d = plane(width, 3);
            fails!(CL_INVALID_IMAGE_DESCRIPTOR, clCreateImage(c, read, f, &raw const d, none));
            fails!(CL_INVALID_IMAGE_SIZE, clCreateImage2D(c, read, f, width, 3, 0, none));
        }
        let levels = cl_image_desc { num_mip_levels: 2, ..d };
        fails!(CL_INVALID_IMAGE_DESCRIPTOR, clCreateImage(c, read, f, &raw const levels, none));
        // In a buffer, with any sufficient pitch.
        let b = buffer(c, 4 * 5 * bytes);
        let within = |row: usize| cl_image_desc { image_row_pitch: row, mem_object: b, ..d };
        let (good, small, large) =
            (within(5 * bytes + 1), within(5 * bytes - 1), within(8 * bytes));
        let inside = make!(clCreateImage(c, read, f, &raw const good, none));
        assert_eq!(ask(inside, CL_IMAGE_ROW_PITCH), 5 * bytes + 1);
        fails!(CL_INVALID_IMAGE_DESCRIPTOR, clCreateImage(c, read, f, &raw const small, none));
        fails!(CL_INVALID_IMAGE_SIZE, clCreateImage(c, read, f, &raw const large, none));
        // The image inherits CL_MEM_READ_WRITE from the buffer.
        fails!(CL_IMAGE_FORMAT_NOT_SUPPORTED, clCreateImage(c, 0, f, &raw const good, none));
        // Only regions of whole blocks are valid.
        let mut memory = [0_u8; 128];
        let at: *mut c_void = memory.as_mut_ptr().cast();
        let read_back = |origin: [usize; 3], region: [usize; 3]| {
            let (o, r) = (origin.as_ptr(), region.as_ptr());
            cl!(clEnqueueReadImage(q, m, CL_TRUE, o, r, 0, 0, at, 0, null(), null_mut()))
        };
        assert_eq!(read_back([pixels, 0, 0], [pixels, 3, 1]), CL_SUCCESS);
        assert_eq!(read_back([1, 0, 0], [pixels, 3, 1]), CL_INVALID_VALUE);
        assert_eq!(read_back([0; 3], [pixels + 1, 3, 1]), CL_INVALID_VALUE);
        for m in [m, inside, b] {
            code!(CL_SUCCESS, clReleaseMemObject(m));
        }
    }
    code!(CL_SUCCESS, clReleaseCommandQueue(q));
    code!(CL_SUCCESS, clReleaseContext(c));
}

#[test]
fn samplers() {
    let c = context();
    let s = make!(clCreateSampler(c, CL_TRUE, CL_ADDRESS_REPEAT, CL_FILTER_LINEAR));
    assert_eq!(number(&info!(clGetSamplerInfo(s), CL_SAMPLER_NORMALIZED_COORDS)), 1);
    assert_eq!(
        number(&info!(clGetSamplerInfo(s), CL_SAMPLER_ADDRESSING_MODE)),
        u64::from(CL_ADDRESS_REPEAT)
    );
    assert_eq!(
        number(&info!(clGetSamplerInfo(s), CL_SAMPLER_FILTER_MODE)),
        u64::from(CL_FILTER_LINEAR)
    );
    assert_eq!(number(&info!(clGetSamplerInfo(s), CL_SAMPLER_CONTEXT)), c.addr() as u64);
    assert_eq!(info!(clGetSamplerInfo(s), CL_SAMPLER_PROPERTIES).len(), 0);
    code!(CL_SUCCESS, clRetainSampler(s));
    assert_eq!(number(&info!(clGetSamplerInfo(s), CL_SAMPLER_REFERENCE_COUNT)), 2);
    code!(CL_INVALID_VALUE, clGetSamplerInfo(s, 0x1234, 0, null_mut(), null_mut()));
    code!(CL_SUCCESS, clReleaseSampler(s));
    code!(CL_SUCCESS, clReleaseSampler(s));
    code!(CL_INVALID_SAMPLER, clRetainSampler(s));
    fails!(CL_INVALID_VALUE, clCreateSampler(c, 2, CL_ADDRESS_REPEAT, CL_FILTER_LINEAR));
    fails!(CL_INVALID_VALUE, clCreateSampler(c, CL_TRUE, 0x1135, CL_FILTER_LINEAR));
    fails!(CL_INVALID_VALUE, clCreateSampler(c, CL_TRUE, CL_ADDRESS_REPEAT, 0x1142));
    let list = |pairs: &[(cl_sampler_info, u32)]| {
        let mut list: Vec<cl_sampler_properties> = Vec::new();
        for (name, value) in pairs {
            list.extend([cl_sampler_properties::from(*name), cl_sampler_properties::from(*value)]);
        }
        list.push(0);
        list
    };
    let given = list(&[
        (CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR),
        (CL_SAMPLER_ADDRESSING_MODE, CL_ADDRESS_NONE),
    ]);
    let s = make!(clCreateSamplerWithProperties(c, given.as_ptr()));
    assert_eq!(number(&info!(clGetSamplerInfo(s), CL_SAMPLER_NORMALIZED_COORDS)), 1, "the default");
    assert_eq!(info!(clGetSamplerInfo(s), CL_SAMPLER_PROPERTIES).len(), 8 * given.len());
    code!(CL_SUCCESS, clReleaseSampler(s));
    let s = make!(clCreateSamplerWithProperties(c, null()));
    assert_eq!(
        number(&info!(clGetSamplerInfo(s), CL_SAMPLER_ADDRESSING_MODE)),
        u64::from(CL_ADDRESS_CLAMP)
    );
    assert_eq!(
        number(&info!(clGetSamplerInfo(s), CL_SAMPLER_FILTER_MODE)),
        u64::from(CL_FILTER_NEAREST)
    );
    let twice = list(&[
        (CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR),
        (CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR),
    ]);
    fails!(CL_INVALID_VALUE, clCreateSamplerWithProperties(c, twice.as_ptr()));
    for wrong in [(0x7777, 1), (CL_SAMPLER_FILTER_MODE, 3), (CL_SAMPLER_NORMALIZED_COORDS, 2)] {
        fails!(CL_INVALID_VALUE, clCreateSamplerWithProperties(c, list(&[wrong]).as_ptr()));
    }
    code!(CL_SUCCESS, clReleaseSampler(s));
    code!(CL_SUCCESS, clReleaseContext(c));
}

#[test]
fn arguments_of_kernels() {
    fn at<T>(value: &T) -> *const c_void {
        std::ptr::from_ref(value).cast()
    }
    let (c, other) = (context(), context());
    let p = program(c);
    let k = kernel(p, c"all");
    let good = image(c, CL_MEM_READ_ONLY, RGBA, plane(4, 4));
    let wrong = [
        (image(c, CL_MEM_WRITE_ONLY, RGBA, plane(4, 4)), CL_INVALID_ARG_VALUE),
        (image(c, 0, RGBA, desc(CL_MEM_OBJECT_IMAGE3D, 4, 4, 4, 1)), CL_INVALID_MEM_OBJECT),
        (image(c, 0, format(CL_DEPTH, CL_FLOAT), plane(4, 4)), CL_INVALID_MEM_OBJECT),
        (image(other, 0, RGBA, plane(4, 4)), CL_INVALID_CONTEXT),
        (buffer(c, 64), CL_INVALID_MEM_OBJECT),
        (null_mut(), CL_INVALID_MEM_OBJECT),
    ];
    for (m, expected) in wrong {
        assert_eq!(cl!(clSetKernelArg(k, 4, 8, at(&m))), expected);
    }
    code!(CL_INVALID_MEM_OBJECT, clSetKernelArg(k, 4, 8, null()));
    code!(CL_INVALID_ARG_SIZE, clSetKernelArg(k, 4, 4, at(&good)));
    code!(CL_SUCCESS, clSetKernelArg(k, 4, 8, at(&good)));
    code!(CL_INVALID_MEM_OBJECT, clSetKernelArg(k, 1, 8, at(&good)));
    let s = make!(clCreateSampler(c, CL_TRUE, CL_ADDRESS_REPEAT, CL_FILTER_LINEAR));
    let foreign = make!(clCreateSampler(other, CL_TRUE, CL_ADDRESS_REPEAT, CL_FILTER_LINEAR));
    code!(CL_INVALID_CONTEXT, clSetKernelArg(k, 5, 8, at(&foreign)));
    code!(CL_INVALID_SAMPLER, clSetKernelArg(k, 5, 8, at(&good)));
    code!(CL_INVALID_SAMPLER, clSetKernelArg(k, 5, 8, null()));
    code!(CL_INVALID_ARG_SIZE, clSetKernelArg(k, 5, 4, at(&s)));
    code!(CL_SUCCESS, clSetKernelArg(k, 5, 8, at(&s)));
    for (m, _) in wrong.into_iter().filter(|(m, _)| !m.is_null()) {
        code!(CL_SUCCESS, clReleaseMemObject(m));
    }
    code!(CL_SUCCESS, clReleaseSampler(s));
    code!(CL_SUCCESS, clReleaseSampler(foreign));
    code!(CL_SUCCESS, clReleaseMemObject(good));
    code!(CL_SUCCESS, clReleaseKernel(k));
    code!(CL_SUCCESS, clReleaseProgram(p));
    code!(CL_SUCCESS, clReleaseContext(c));
    code!(CL_SUCCESS, clReleaseContext(other));
}
