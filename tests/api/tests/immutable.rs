//! Immutable memory (`cl_ext_immutable_memory_objects`): the calls that accept the flag, and the
//! calls that refuse an immutable object.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use muxcl_cl_sys::*;
use muxcl_test_api::{
    PLANE, argument, binary_of, buffer, cl, code, context, context_of, enqueue_fails, fails, info,
    kernel, make, map_fails, number, program_from, setup, text,
};
use muxcl_types::container::BinaryKind;
use muxcl_types::program::{AccessQualifier, ArgInfo, ArgKind, KernelInfo};

static RGBA: cl_image_format =
    cl_image_format { image_channel_order: CL_RGBA, image_channel_data_type: CL_UNORM_INT8 };
const FIXED: cl_mem_flags = CL_MEM_IMMUTABLE_EXT | CL_MEM_COPY_HOST_PTR;
/// Flags that allow writes.
const WRITERS: [cl_mem_flags; 3] = [CL_MEM_READ_WRITE, CL_MEM_WRITE_ONLY, CL_MEM_HOST_WRITE_ONLY];
/// In memory that the system maps read-only.
static DATA: [u8; 1024] = [7; 1024];

fn data() -> *mut c_void {
    DATA.as_ptr().cast_mut().cast()
}

fn flags_of(m: cl_mem) -> u64 {
    number(&info!(clGetMemObjectInfo(m), CL_MEM_FLAGS))
}

fn fixed(c: cl_context) -> cl_mem {
    make!(clCreateBuffer(c, FIXED, DATA.len(), data()))
}

fn release(list: &[cl_mem]) {
    for &m in list {
        code!(CL_SUCCESS, clReleaseMemObject(m));
    }
}

#[test]
fn every_device_has_it() {
    for d in [setup().device(), setup().other_device(), setup().apart()] {
        let list = text(&info!(clGetDeviceInfo(d), CL_DEVICE_EXTENSIONS));
        assert!(list.split(' ').any(|e| e == "cl_ext_immutable_memory_objects"));
    }
}

#[test]
fn buffers() {
    let c = context();
    // An immutable object needs initial content, and no flag may allow writes.
    for flags in [CL_MEM_IMMUTABLE_EXT, CL_MEM_IMMUTABLE_EXT | CL_MEM_ALLOC_HOST_PTR] {
        fails!(CL_INVALID_VALUE, clCreateBuffer(c, flags, 64, null_mut()));
        fails!(CL_INVALID_VALUE, clCreateBuffer(c, flags, 64, data()));
        fails!(CL_INVALID_VALUE, clCreateBufferWithProperties(c, null(), flags, 64, null_mut()));
    }
    for writer in WRITERS {
        fails!(CL_INVALID_VALUE, clCreateBuffer(c, FIXED | writer, 64, data()));
        fails!(
            CL_INVALID_VALUE,
            clCreateBufferWithProperties(c, null(), FIXED | writer, 64, data())
        );
    }
    fails!(CL_INVALID_HOST_PTR, clCreateBuffer(c, FIXED, 64, null_mut()));
    for more in
        [0, CL_MEM_READ_ONLY, CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_NO_ACCESS, CL_MEM_ALLOC_HOST_PTR]
    {
        let m = make!(clCreateBuffer(c, FIXED | more, 64, data()));
        assert_eq!(flags_of(m), FIXED | more, "no access is added");
        release(&[m]);
    }
    let m = make!(clCreateBuffer(c, CL_MEM_IMMUTABLE_EXT | CL_MEM_USE_HOST_PTR, 64, data()));
    assert_eq!(number(&info!(clGetMemObjectInfo(m), CL_MEM_HOST_PTR)), data().addr() as u64);
    release(&[m]);
    // Pipes and shared virtual memory cannot be immutable.
    fails!(CL_INVALID_VALUE, clCreatePipe(c, CL_MEM_IMMUTABLE_EXT, 4, 4, null()));
    assert!(cl!(clSVMAlloc(c, CL_MEM_IMMUTABLE_EXT, 64, 0)).is_null());
    code!(CL_SUCCESS, clReleaseContext(c));
}

#[test]
fn parts_of_buffers() {
    let c = context();
    let (whole, open) = (fixed(c), buffer(c, 1024));
    let region = cl_buffer_region { origin: 0, size: 512 };
    let at = (&raw const region).cast();
    let part =
        |m: cl_mem, flags| make!(clCreateSubBuffer(m, flags, CL_BUFFER_CREATE_TYPE_REGION, at));
    for writer in WRITERS {
        fails!(
            CL_INVALID_VALUE,
            clCreateSubBuffer(whole, writer, CL_BUFFER_CREATE_TYPE_REGION, at)
        );
        let both = CL_MEM_IMMUTABLE_EXT | writer;
        fails!(CL_INVALID_VALUE, clCreateSubBuffer(open, both, CL_BUFFER_CREATE_TYPE_REGION, at));
    }
    for (flags, wanted) in [
        (0, FIXED),
        (CL_MEM_IMMUTABLE_EXT, FIXED),
        (CL_MEM_READ_ONLY, FIXED | CL_MEM_READ_ONLY),
        (CL_MEM_HOST_NO_ACCESS, FIXED | CL_MEM_HOST_NO_ACCESS),
    ] {
        let m = part(whole, flags);
        assert_eq!(flags_of(m), wanted);
        release(&[m]);
    }
    // An immutable sub-buffer of a mutable buffer.
    let m = part(open, CL_MEM_IMMUTABLE_EXT);
    assert_eq!(flags_of(m), CL_MEM_IMMUTABLE_EXT);
    release(&[m, whole, open]);
    code!(CL_SUCCESS, clReleaseContext(c));
}

#[test]
fn images() {
    let c = context();
    let plane = PLANE;
    let (f, d) = (&raw const RGBA, &raw const plane);
    fails!(CL_INVALID_VALUE, clCreateImage(c, CL_MEM_IMMUTABLE_EXT, f, d, null_mut()));
    fails!(
        CL_INVALID_VALUE,
        clCreateImageWithProperties(c, null(), CL_MEM_IMMUTABLE_EXT, f, d, null_mut())
    );
    fails!(CL_INVALID_VALUE, clCreateImage2D(c, CL_MEM_IMMUTABLE_EXT, f, 8, 8, 0, null_mut()));
    fails!(
        CL_INVALID_VALUE,
        clCreateImage3D(c, CL_MEM_IMMUTABLE_EXT, f, 8, 8, 2, 0, 0, null_mut())
    );
    for writer in WRITERS {
        fails!(CL_INVALID_VALUE, clCreateImage(c, FIXED | writer, f, d, data()));
        fails!(
            CL_INVALID_VALUE,
            clCreateImageWithProperties(c, null(), FIXED | writer, f, d, data())
        );
        fails!(CL_INVALID_VALUE, clCreateImage2D(c, FIXED | writer, f, 8, 8, 0, data()));
        fails!(CL_INVALID_VALUE, clCreateImage3D(c, FIXED | writer, f, 8, 8, 2, 0, 0, data()));
        let both = CL_MEM_IMMUTABLE_EXT | writer;
        code!(
            CL_INVALID_VALUE,
            clGetSupportedImageFormats(c, both, CL_MEM_OBJECT_IMAGE2D, 0, null_mut(), null_mut())
        );
    }
    let count = |flags| {
        let mut n = 0;
        code!(
            CL_SUCCESS,
            clGetSupportedImageFormats(c, flags, CL_MEM_OBJECT_IMAGE2D, 0, null_mut(), &raw mut n)
        );
        n
    };
    // The read-only formats also include the two whose pixels share bytes.
    assert_eq!(count(CL_MEM_IMMUTABLE_EXT) + 2, count(CL_MEM_READ_ONLY));
    let own = make!(clCreateImage(c, FIXED, f, d, data()));
    assert_eq!(flags_of(own), FIXED);
    // An image in immutable memory must be immutable; one in mutable memory may be.
    let (whole, open) = (fixed(c), buffer(c, 1024));
    for (from, wanted) in [(own, FIXED), (whole, FIXED), (open, CL_MEM_IMMUTABLE_EXT)] {
        let desc = cl_image_desc { mem_object: from, ..PLANE };
        if from != open {
            for flags in [0, CL_MEM_READ_ONLY] {
                fails!(CL_INVALID_VALUE, clCreateImage(c, flags, f, &raw const desc, null_mut()));
            }
        }
        fails!(CL_INVALID_VALUE, clCreateImage(c, FIXED, f, &raw const desc, null_mut()));
        let m = make!(clCreateImage(c, CL_MEM_IMMUTABLE_EXT, f, &raw const desc, null_mut()));
        assert_eq!(flags_of(m), wanted);
        release(&[m]);
    }
    release(&[own, whole, open]);
    code!(CL_SUCCESS, clReleaseContext(c));
}

/// Commands that write to an immutable object fail; commands that read it succeed.
#[test]
fn commands() {
    let c = context();
    let q = make!(clCreateCommandQueueWithProperties(c, setup().device(), null()));
    let plane = PLANE;
    let (f, d) = (&raw const RGBA, &raw const plane);
    let (m, other) = (fixed(c), buffer(c, 1024));
    let region = cl_buffer_region { origin: 0, size: 1024 };
    let at = (&raw const region).cast();
    let part = make!(clCreateSubBuffer(m, CL_MEM_READ_ONLY, CL_BUFFER_CREATE_TYPE_REGION, at));
    let img = make!(clCreateImage(c, FIXED, f, d, data()));
    let canvas = make!(clCreateImage(c, CL_MEM_READ_WRITE, f, d, null_mut()));
    let mut host = [1_u8; 1024];
    let p: *mut c_void = host.as_mut_ptr().cast();
    let (o, r, line) = ([0; 3], [8, 8, 1], [64, 2, 1]);
    let (o, r, line) = (o.as_ptr(), r.as_ptr(), line.as_ptr());
    let mut pitch = 0;
    let to = &raw mut pitch;
    for m in [m, part] {
        enqueue_fails!(CL_INVALID_OPERATION, clEnqueueWriteBuffer(q, m, CL_TRUE, 0, 16, p));
        enqueue_fails!(
            CL_INVALID_OPERATION,
            clEnqueueWriteBufferRect(q, m, CL_TRUE, o, o, line, 0, 0, 0, 0, p)
        );
        enqueue_fails!(CL_INVALID_OPERATION, clEnqueueCopyBuffer(q, other, m, 0, 0, 16));
        enqueue_fails!(
            CL_INVALID_OPERATION,
            clEnqueueCopyBufferRect(q, other, m, o, o, line, 0, 0, 0, 0)
        );
        enqueue_fails!(CL_INVALID_OPERATION, clEnqueueFillBuffer(q, m, p, 4, 0, 16));
        enqueue_fails!(CL_INVALID_OPERATION, clEnqueueCopyImageToBuffer(q, canvas, m, o, r, 0));
        for flags in [CL_MAP_WRITE, CL_MAP_READ | CL_MAP_WRITE, CL_MAP_WRITE_INVALIDATE_REGION] {
            map_fails!(CL_INVALID_OPERATION, clEnqueueMapBuffer(q, m, CL_TRUE, flags, 0, 16));
        }
    }
    enqueue_fails!(CL_INVALID_OPERATION, clEnqueueWriteImage(q, img, CL_TRUE, o, r, 0, 0, p));
    enqueue_fails!(CL_INVALID_OPERATION, clEnqueueCopyImage(q, canvas, img, o, o, r));
    enqueue_fails!(CL_INVALID_OPERATION, clEnqueueFillImage(q, img, p, o, r));
    enqueue_fails!(CL_INVALID_OPERATION, clEnqueueCopyBufferToImage(q, other, img, 0, o, r));
    for flags in [CL_MAP_WRITE, CL_MAP_READ | CL_MAP_WRITE, CL_MAP_WRITE_INVALIDATE_REGION] {
        map_fails!(
            CL_INVALID_OPERATION,
            clEnqueueMapImage(q, img, CL_TRUE, flags, o, r, to, null_mut())
        );
    }
    // Reads are allowed.
    enqueue_fails!(CL_SUCCESS, clEnqueueReadBuffer(q, part, CL_TRUE, 0, 1024, p));
    assert_eq!(host, DATA);
    enqueue_fails!(CL_SUCCESS, clEnqueueReadBufferRect(q, m, CL_TRUE, o, o, line, 0, 0, 0, 0, p));
    enqueue_fails!(CL_SUCCESS, clEnqueueCopyBuffer(q, m, other, 0, 0, 1024));
    enqueue_fails!(CL_SUCCESS, clEnqueueCopyBufferRect(q, m, other, o, o, line, 0, 0, 0, 0));
    enqueue_fails!(CL_SUCCESS, clEnqueueCopyImageToBuffer(q, img, other, o, r, 0));
    enqueue_fails!(CL_SUCCESS, clEnqueueCopyBufferToImage(q, m, canvas, 0, o, r));
    enqueue_fails!(CL_SUCCESS, clEnqueueCopyImage(q, img, canvas, o, o, r));
    enqueue_fails!(CL_SUCCESS, clEnqueueReadImage(q, img, CL_TRUE, o, r, 0, 0, p));
    let seen =
        make!(clEnqueueMapBuffer(q, m, CL_TRUE, CL_MAP_READ, 0, 1024, 0, null(), null_mut()));
    enqueue_fails!(CL_SUCCESS, clEnqueueUnmapMemObject(q, m, seen));
    let seen = make!(clEnqueueMapImage(
        q,
        img,
        CL_TRUE,
        CL_MAP_READ,
        o,
        r,
        to,
        null_mut(),
        0,
        null(),
        null_mut()
    ));
    enqueue_fails!(CL_SUCCESS, clEnqueueUnmapMemObject(q, img, seen));
    code!(CL_SUCCESS, clFinish(q));
    release(&[part, m, other, img, canvas]);
    code!(CL_SUCCESS, clReleaseCommandQueue(q));
    code!(CL_SUCCESS, clReleaseContext(c));
}

/// Kernels accept an immutable object where their arguments are declared read-only.
#[test]
fn arguments() {
    let pointer = |kind, type_qualifiers| ArgInfo { type_qualifiers, ..argument(kind, 8, "") };
    let image = |access| ArgInfo {
        access,
        type_name: "image2d_t".into(),
        ..argument(ArgKind::Image, 8, "")
    };
    let (reading, writing) = (
        vec![
            pointer(ArgKind::ConstantPointer, 0),
            pointer(ArgKind::GlobalPointer, 1),
            pointer(ArgKind::GlobalPointer, 1 | 2),
            image(AccessQualifier::ReadOnly),
        ],
        vec![
            pointer(ArgKind::GlobalPointer, 0),
            pointer(ArgKind::GlobalPointer, 2),
            image(AccessQualifier::WriteOnly),
            image(AccessQualifier::ReadWrite),
        ],
    );
    let k = |name: &str, args| KernelInfo { name: name.into(), args, ..KernelInfo::default() };
    let binary = binary_of(vec![k("reads", reading), k("writes", writing)], BinaryKind::Executable);
    let c = context();
    let p = program_from(c, &[setup().device()], &binary);
    code!(CL_SUCCESS, clBuildProgram(p, 0, null(), null(), None, null_mut()));
    let (reads, writes) = (kernel(p, c"reads"), kernel(p, c"writes"));
    let plane = PLANE;
    let m = fixed(c);
    let img = make!(clCreateImage(c, FIXED, &raw const RGBA, &raw const plane, data()));
    for (index, object) in (0..).zip([[m; 3].as_slice(), &[img]].concat()) {
        code!(CL_SUCCESS, clSetKernelArg(reads, index, 8, (&raw const object).cast()));
    }
    // A pointer without `const`: the specification forbids it for images only.
    for (index, object) in (0..).zip([m, m]) {
        code!(CL_SUCCESS, clSetKernelArg(writes, index, 8, (&raw const object).cast()));
    }
    for (index, object) in (2..).zip([img, img]) {
        code!(CL_INVALID_ARG_VALUE, clSetKernelArg(writes, index, 8, (&raw const object).cast()));
    }
    for k in [reads, writes] {
        code!(CL_SUCCESS, clReleaseKernel(k));
    }
    code!(CL_SUCCESS, clReleaseProgram(p));
    release(&[m, img]);
    code!(CL_SUCCESS, clReleaseContext(c));
}

/// The content is in read-only memory, and it survives a migration with undefined content.
#[test]
fn content_stays_and_is_never_written_back() {
    let c = context_of(&[setup().device(), setup().apart()]);
    let [q, far] = [setup().device(), setup().apart()]
        .map(|d| make!(clCreateCommandQueueWithProperties(c, d, null())));
    for kind in [CL_MEM_USE_HOST_PTR, CL_MEM_COPY_HOST_PTR] {
        let m = make!(clCreateBuffer(c, CL_MEM_IMMUTABLE_EXT | kind, DATA.len(), data()));
        let list = &raw const m;
        enqueue_fails!(
            CL_SUCCESS,
            clEnqueueMigrateMemObjects(far, 1, list, CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED)
        );
        code!(CL_SUCCESS, clFinish(far));
        for q in [q, far, q] {
            let mut seen = [0_u8; 1024];
            enqueue_fails!(
                CL_SUCCESS,
                clEnqueueReadBuffer(q, m, CL_TRUE, 0, 1024, seen.as_mut_ptr().cast())
            );
            assert_eq!(seen, DATA);
            let at = make!(clEnqueueMapBuffer(
                q,
                m,
                CL_TRUE,
                CL_MAP_READ,
                0,
                1024,
                0,
                null(),
                null_mut()
            ));
            // SAFETY: mapped for reading.
            assert_eq!(unsafe { std::slice::from_raw_parts(at.cast::<u8>(), 1024) }, DATA);
            enqueue_fails!(CL_SUCCESS, clEnqueueUnmapMemObject(q, m, at));
            code!(CL_SUCCESS, clFinish(q));
        }
        release(&[m]);
    }
    for q in [q, far] {
        code!(CL_SUCCESS, clReleaseCommandQueue(q));
    }
    code!(CL_SUCCESS, clReleaseContext(c));
}
