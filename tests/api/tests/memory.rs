//! Buffers, sub-buffers, and queries of memory objects.

use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicUsize, Ordering};

use muxcl_cl_sys::*;
use muxcl_test_api::{
    anything, bad_handles, buffer, code, context, context_of, fails, info, make, number, setup,
};

#[test]
fn create_errors() {
    let c = context();
    let rw = CL_MEM_READ_WRITE;
    let mut host = [0_u8; 64];
    let p: *mut c_void = host.as_mut_ptr().cast();
    for bad in bad_handles::<_cl_context>() {
        fails!(CL_INVALID_CONTEXT, clCreateBuffer(bad, rw, 16, null_mut()));
    }
    for flags in [
        1 << 40,
        CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY,
        CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY,
        CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY,
        CL_MEM_HOST_NO_ACCESS | CL_MEM_HOST_READ_ONLY,
        CL_MEM_KERNEL_READ_AND_WRITE,
    ] {
        fails!(CL_INVALID_VALUE, clCreateBuffer(c, flags, 16, null_mut()));
    }
    fails!(CL_INVALID_VALUE, clCreateBuffer(c, CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR, 16, p));
    fails!(CL_INVALID_VALUE, clCreateBuffer(c, CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR, 16, p));
    fails!(CL_INVALID_BUFFER_SIZE, clCreateBuffer(c, rw, 0, null_mut()));
    fails!(CL_INVALID_BUFFER_SIZE, clCreateBuffer(c, rw, usize::MAX, null_mut()));
    fails!(CL_INVALID_BUFFER_SIZE, clCreateBuffer(c, rw, (1 << 30) + 1, null_mut()));
    fails!(CL_INVALID_HOST_PTR, clCreateBuffer(c, rw, 16, p));
    fails!(CL_INVALID_HOST_PTR, clCreateBuffer(c, CL_MEM_USE_HOST_PTR, 16, null_mut()));
    fails!(CL_INVALID_HOST_PTR, clCreateBuffer(c, CL_MEM_COPY_HOST_PTR, 16, null_mut()));
    let property: [cl_mem_properties; 3] = [0x7777, 1, 0];
    fails!(
        CL_INVALID_PROPERTY,
        clCreateBufferWithProperties(c, property.as_ptr(), rw, 16, null_mut())
    );
    let none: [cl_mem_properties; 1] = [0];
    let mem = make!(clCreateBufferWithProperties(c, none.as_ptr(), rw, 16, null_mut()));
    assert_eq!(info!(clGetMemObjectInfo(mem), CL_MEM_PROPERTIES), 0_u64.to_ne_bytes());
    code!(CL_SUCCESS, clReleaseMemObject(mem));
    code!(CL_SUCCESS, clReleaseContext(c));
}

#[test]
fn queries() {
    let c = context();
    let mut host = [7_u8; 64];
    let p: *mut c_void = host.as_mut_ptr().cast();
    let mem = make!(clCreateBuffer(c, CL_MEM_USE_HOST_PTR, 64, p));
    assert_eq!(
        number(&info!(clGetMemObjectInfo(mem), CL_MEM_TYPE)),
        u64::from(CL_MEM_OBJECT_BUFFER)
    );
    assert_eq!(
        number(&info!(clGetMemObjectInfo(mem), CL_MEM_FLAGS)),
        CL_MEM_USE_HOST_PTR | CL_MEM_READ_WRITE
    );
    assert_eq!(number(&info!(clGetMemObjectInfo(mem), CL_MEM_SIZE)), 64);
    assert_eq!(number(&info!(clGetMemObjectInfo(mem), CL_MEM_HOST_PTR)), p.addr() as u64);
    assert_eq!(number(&info!(clGetMemObjectInfo(mem), CL_MEM_MAP_COUNT)), 0);
    assert_eq!(number(&info!(clGetMemObjectInfo(mem), CL_MEM_REFERENCE_COUNT)), 1);
    assert_eq!(number(&info!(clGetMemObjectInfo(mem), CL_MEM_CONTEXT)), c.addr() as u64);
    assert_eq!(number(&info!(clGetMemObjectInfo(mem), CL_MEM_ASSOCIATED_MEMOBJECT)), 0);
    assert_eq!(number(&info!(clGetMemObjectInfo(mem), CL_MEM_OFFSET)), 0);
    assert_eq!(number(&info!(clGetMemObjectInfo(mem), CL_MEM_USES_SVM_POINTER)), 0);
    assert!(info!(clGetMemObjectInfo(mem), CL_MEM_PROPERTIES).is_empty());
    code!(CL_INVALID_VALUE, clGetMemObjectInfo(mem, 0x9999, 0, null_mut(), null_mut()));
    code!(CL_SUCCESS, clRetainMemObject(mem));
    assert_eq!(number(&info!(clGetMemObjectInfo(mem), CL_MEM_REFERENCE_COUNT)), 2);
    code!(CL_SUCCESS, clReleaseMemObject(mem));
    code!(CL_SUCCESS, clReleaseMemObject(mem));
    for bad in bad_handles::<_cl_mem>().into_iter().chain([mem, c.cast()]) {
        code!(CL_INVALID_MEM_OBJECT, clRetainMemObject(bad));
        code!(CL_INVALID_MEM_OBJECT, clReleaseMemObject(bad));
        code!(
            CL_INVALID_MEM_OBJECT,
            clGetMemObjectInfo(bad, CL_MEM_SIZE, 0, null_mut(), null_mut())
        );
        code!(CL_INVALID_MEM_OBJECT, clSetMemObjectDestructorCallback(bad, Some(gone), null_mut()));
    }
    // Without CL_MEM_USE_HOST_PTR the host pointer is NULL.
    let copied = make!(clCreateBuffer(c, CL_MEM_COPY_HOST_PTR | CL_MEM_READ_ONLY, 64, p));
    assert_eq!(number(&info!(clGetMemObjectInfo(copied), CL_MEM_HOST_PTR)), 0);
    assert_eq!(
        number(&info!(clGetMemObjectInfo(copied), CL_MEM_FLAGS)),
        CL_MEM_COPY_HOST_PTR | CL_MEM_READ_ONLY
    );
    code!(CL_SUCCESS, clReleaseMemObject(copied));
    code!(CL_SUCCESS, clReleaseContext(c));
}

fn region(origin: usize, size: usize) -> cl_buffer_region {
    cl_buffer_region { origin, size }
}

#[test]
fn sub_buffers() {
    let c = context();
    let mut host = vec![0_u8; 1024];
    let p: *mut c_void = host.as_mut_ptr().cast();
    let parent = make!(clCreateBuffer(c, CL_MEM_USE_HOST_PTR | CL_MEM_HOST_READ_ONLY, 1024, p));
    let r = region(256, 128);
    let at: *const c_void = (&raw const r).cast();
    let sub = make!(clCreateSubBuffer(parent, CL_MEM_READ_ONLY, CL_BUFFER_CREATE_TYPE_REGION, at));
    let flags = CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR | CL_MEM_HOST_READ_ONLY;
    assert_eq!(number(&info!(clGetMemObjectInfo(sub), CL_MEM_FLAGS)), flags, "inherited");
    assert_eq!(number(&info!(clGetMemObjectInfo(sub), CL_MEM_SIZE)), 128);
    assert_eq!(number(&info!(clGetMemObjectInfo(sub), CL_MEM_OFFSET)), 256);
    assert_eq!(
        number(&info!(clGetMemObjectInfo(sub), CL_MEM_ASSOCIATED_MEMOBJECT)),
        parent.addr() as u64
    );
    assert_eq!(number(&info!(clGetMemObjectInfo(sub), CL_MEM_HOST_PTR)), p.addr() as u64 + 256);

    let kind = CL_BUFFER_CREATE_TYPE_REGION;
    fails!(CL_INVALID_MEM_OBJECT, clCreateSubBuffer(sub, 0, kind, at));
    for bad in bad_handles::<_cl_mem>() {
        fails!(CL_INVALID_MEM_OBJECT, clCreateSubBuffer(bad, 0, kind, at));
    }
    for bits in [
        CL_MEM_USE_HOST_PTR,
        CL_MEM_ALLOC_HOST_PTR,
        CL_MEM_COPY_HOST_PTR,
        1 << 40,
        CL_MEM_HOST_WRITE_ONLY,
    ] {
        fails!(CL_INVALID_VALUE, clCreateSubBuffer(parent, bits, kind, at));
    }
    fails!(CL_INVALID_VALUE, clCreateSubBuffer(parent, 0, 0x1234, at));
    fails!(CL_INVALID_VALUE, clCreateSubBuffer(parent, 0, kind, null()));
    for (r, _) in [
        (region(1024, 1), 0),
        (region(512, 513), 0),
        (region(usize::MAX, 2), 0),
        (region(128, usize::MAX), 0),
    ] {
        fails!(CL_INVALID_VALUE, clCreateSubBuffer(parent, 0, kind, (&raw const r).cast()));
    }
    let empty = region(0, 0);
    fails!(CL_INVALID_BUFFER_SIZE, clCreateSubBuffer(parent, 0, kind, (&raw const empty).cast()));
    let odd = region(4, 8);
    fails!(
        CL_MISALIGNED_SUB_BUFFER_OFFSET,
        clCreateSubBuffer(parent, 0, kind, (&raw const odd).cast())
    );

    // After the parent's last release the sub-buffer stays valid, and a query still returns the
    // parent.
    code!(CL_SUCCESS, clReleaseMemObject(parent));
    assert_eq!(
        number(&info!(clGetMemObjectInfo(sub), CL_MEM_ASSOCIATED_MEMOBJECT)),
        parent.addr() as u64
    );
    code!(CL_SUCCESS, clReleaseMemObject(sub));
    code!(CL_INVALID_MEM_OBJECT, clRetainMemObject(parent));

    for (of, bits) in [
        (CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY),
        (CL_MEM_READ_ONLY, CL_MEM_READ_WRITE),
        (CL_MEM_WRITE_ONLY, CL_MEM_READ_ONLY),
        (CL_MEM_WRITE_ONLY, CL_MEM_READ_WRITE),
        (CL_MEM_HOST_NO_ACCESS, CL_MEM_HOST_READ_ONLY),
        (CL_MEM_HOST_NO_ACCESS, CL_MEM_HOST_WRITE_ONLY),
        (CL_MEM_HOST_WRITE_ONLY, CL_MEM_HOST_READ_ONLY),
    ] {
        let parent = make!(clCreateBuffer(c, of, 1024, null_mut()));
        fails!(CL_INVALID_VALUE, clCreateSubBuffer(parent, bits, kind, at));
        let same = make!(clCreateSubBuffer(parent, of, kind, at));
        code!(CL_SUCCESS, clReleaseMemObject(same));
        code!(CL_SUCCESS, clReleaseMemObject(parent));
    }
    code!(CL_SUCCESS, clReleaseContext(c));
}

static ORDER: AtomicUsize = AtomicUsize::new(0);

unsafe extern "C" fn gone(_: cl_mem, data: *mut c_void) {
    let before = ORDER.load(Ordering::SeqCst);
    ORDER.store(before * 10 + data.addr(), Ordering::SeqCst);
}

#[test]
fn destructor_callbacks() {
    let c = context();
    let mem = buffer(c, 1024);
    for n in 1..=3 {
        code!(
            CL_SUCCESS,
            clSetMemObjectDestructorCallback(mem, Some(gone), std::ptr::without_provenance_mut(n))
        );
    }
    code!(CL_INVALID_VALUE, clSetMemObjectDestructorCallback(mem, None, anything()));
    let r = region(0, 128);
    let sub = make!(clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, (&raw const r).cast()));
    code!(CL_SUCCESS, clReleaseMemObject(mem));
    assert_eq!(ORDER.load(Ordering::SeqCst), 0, "the sub-buffer keeps it");
    code!(CL_SUCCESS, clReleaseMemObject(sub));
    assert_eq!(ORDER.load(Ordering::SeqCst), 321);
    code!(CL_SUCCESS, clReleaseContext(c));
}

#[test]
fn two_devices_share_the_content() {
    let (a, b) = (setup().device(), setup().other_device());
    let c = context_of(&[a, b]);
    let mem = buffer(c, 1 << 20);
    let queues = [a, b].map(|d| make!(clCreateCommandQueueWithProperties(c, d, null())));
    for (round, (to, from)) in [(0, 1), (1, 0), (0, 0)].into_iter().enumerate() {
        let value = [u8::try_from(round).unwrap() + 3; 64];
        let source = value.as_ptr().cast();
        code!(
            CL_SUCCESS,
            clEnqueueWriteBuffer(queues[to], mem, CL_TRUE, 4096, 64, source, 0, null(), null_mut())
        );
        let mut got = [0_u8; 64];
        let target = got.as_mut_ptr().cast();
        code!(
            CL_SUCCESS,
            clEnqueueReadBuffer(
                queues[from],
                mem,
                CL_TRUE,
                4096,
                64,
                target,
                0,
                null(),
                null_mut()
            )
        );
        assert_eq!(got, value);
    }
    code!(CL_SUCCESS, clReleaseMemObject(mem));
    for q in queues {
        code!(CL_SUCCESS, clReleaseCommandQueue(q));
    }
    code!(CL_SUCCESS, clReleaseContext(c));
}
