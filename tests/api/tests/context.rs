//! Contexts.

use std::ffi::{c_char, c_void};
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicUsize, Ordering};

use muxcl_cl_sys::*;
use muxcl_test_api::{
    anything, bad_handles, buffer, code, context, context_of, fails, info, make, number, setup,
};

unsafe extern "C" fn told(_: *const c_char, _: *const c_void, _: usize, _: *mut c_void) {}

#[test]
fn create() {
    let d = setup().device();
    let platform: [cl_context_properties; 3] =
        [CL_CONTEXT_PLATFORM, setup().platform().addr().cast_signed(), 0];
    let c = make!(clCreateContext(platform.as_ptr(), 1, &raw const d, Some(told), anything()));
    let raw = info!(clGetContextInfo(c), CL_CONTEXT_PROPERTIES);
    assert_eq!(raw.len(), size_of_val(&platform));
    code!(CL_SUCCESS, clReleaseContext(c));

    fails!(CL_INVALID_VALUE, clCreateContext(null(), 0, &raw const d, None, null_mut()));
    fails!(CL_INVALID_VALUE, clCreateContext(null(), 1, null(), None, null_mut()));
    fails!(CL_INVALID_VALUE, clCreateContext(null(), 1, &raw const d, None, anything()));
    for bad in bad_handles::<_cl_device_id>() {
        fails!(CL_INVALID_DEVICE, clCreateContext(null(), 1, &raw const bad, None, null_mut()));
    }
    let unknown: [cl_context_properties; 3] = [0x7777, 1, 0];
    fails!(
        CL_INVALID_PROPERTY,
        clCreateContext(unknown.as_ptr(), 1, &raw const d, None, null_mut())
    );
    let p = setup().platform().addr().cast_signed();
    let twice: [cl_context_properties; 5] = [CL_CONTEXT_PLATFORM, p, CL_CONTEXT_PLATFORM, p, 0];
    fails!(CL_INVALID_PROPERTY, clCreateContext(twice.as_ptr(), 1, &raw const d, None, null_mut()));
    let foreign: [cl_context_properties; 3] = [CL_CONTEXT_PLATFORM, 64, 0];
    fails!(
        CL_INVALID_PLATFORM,
        clCreateContext(foreign.as_ptr(), 1, &raw const d, None, null_mut())
    );
    let sync: [cl_context_properties; 3] = [CL_CONTEXT_INTEROP_USER_SYNC, 7, 0];
    fails!(CL_INVALID_PROPERTY, clCreateContext(sync.as_ptr(), 1, &raw const d, None, null_mut()));
}

#[test]
fn create_from_type() {
    let c = make!(clCreateContextFromType(null(), CL_DEVICE_TYPE_ALL, None, null_mut()));
    assert_eq!(number(&info!(clGetContextInfo(c), CL_CONTEXT_NUM_DEVICES)), 5);
    code!(CL_SUCCESS, clReleaseContext(c));
    fails!(
        CL_DEVICE_NOT_FOUND,
        clCreateContextFromType(null(), CL_DEVICE_TYPE_GPU, None, null_mut())
    );
    fails!(CL_INVALID_DEVICE_TYPE, clCreateContextFromType(null(), 0, None, null_mut()));
    fails!(CL_INVALID_VALUE, clCreateContextFromType(null(), CL_DEVICE_TYPE_ALL, None, anything()));
    let unknown: [cl_context_properties; 3] = [0x7777, 1, 0];
    fails!(
        CL_INVALID_PROPERTY,
        clCreateContextFromType(unknown.as_ptr(), CL_DEVICE_TYPE_ALL, None, null_mut())
    );
    let foreign: [cl_context_properties; 3] = [CL_CONTEXT_PLATFORM, 64, 0];
    fails!(
        CL_INVALID_PLATFORM,
        clCreateContextFromType(foreign.as_ptr(), CL_DEVICE_TYPE_ALL, None, null_mut())
    );
}

#[test]
fn queries_and_references() {
    let (a, b) = (setup().device(), setup().other_device());
    let c = context_of(&[a, b, a]);
    assert_eq!(
        number(&info!(clGetContextInfo(c), CL_CONTEXT_NUM_DEVICES)),
        2,
        "duplicates are ignored"
    );
    assert_eq!(info!(clGetContextInfo(c), CL_CONTEXT_DEVICES).len(), 16);
    assert_eq!(info!(clGetContextInfo(c), CL_CONTEXT_PROPERTIES).len(), 0);
    assert_eq!(number(&info!(clGetContextInfo(c), CL_CONTEXT_REFERENCE_COUNT)), 1);
    let mem = buffer(c, 16);
    code!(CL_SUCCESS, clRetainContext(c));
    assert_eq!(
        number(&info!(clGetContextInfo(c), CL_CONTEXT_REFERENCE_COUNT)),
        2,
        "the buffer's does not count"
    );
    code!(CL_INVALID_VALUE, clGetContextInfo(c, 0x9999, 0, null_mut(), null_mut()));
    code!(CL_SUCCESS, clReleaseContext(c));
    code!(CL_SUCCESS, clReleaseContext(c));
    // The buffer keeps the context, and a query returns it.
    assert_eq!(number(&info!(clGetMemObjectInfo(mem), CL_MEM_CONTEXT)), c.addr() as u64);
    code!(CL_INVALID_CONTEXT, clReleaseContext(c));
    code!(CL_SUCCESS, clReleaseMemObject(mem));
    for bad in bad_handles::<_cl_context>().into_iter().chain([c]) {
        code!(CL_INVALID_CONTEXT, clRetainContext(bad));
        code!(CL_INVALID_CONTEXT, clReleaseContext(bad));
        code!(
            CL_INVALID_CONTEXT,
            clGetContextInfo(bad, CL_CONTEXT_NUM_DEVICES, 0, null_mut(), null_mut())
        );
        code!(CL_INVALID_CONTEXT, clSetContextDestructorCallback(bad, Some(gone), null_mut()));
    }
}

static ORDER: AtomicUsize = AtomicUsize::new(0);

unsafe extern "C" fn gone(_: cl_context, data: *mut c_void) {
    // The last registered callback comes first: 3, 2, 1 make 321.
    let before = ORDER.load(Ordering::SeqCst);
    ORDER.store(before * 10 + data.addr(), Ordering::SeqCst);
}

#[test]
fn destructor_callbacks() {
    let c = context();
    let mem = buffer(c, 16);
    for n in 1..=3 {
        code!(
            CL_SUCCESS,
            clSetContextDestructorCallback(c, Some(gone), std::ptr::without_provenance_mut(n))
        );
    }
    code!(CL_INVALID_VALUE, clSetContextDestructorCallback(c, None, null_mut()));
    code!(CL_SUCCESS, clReleaseContext(c));
    assert_eq!(ORDER.load(Ordering::SeqCst), 0, "the buffer keeps it");
    code!(CL_SUCCESS, clReleaseMemObject(mem));
    assert_eq!(ORDER.load(Ordering::SeqCst), 321);
}
