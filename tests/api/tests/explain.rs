//! The sentences of errors: some texts, and the context's callback. Every other test of an error
//! checks that there is a sentence (`code!`, `fails!`).

use std::cell::RefCell;
use std::ffi::{CStr, c_char, c_void};
use std::ptr::{null, null_mut};

use muxcl_cl_sys::*;
use muxcl_test_api::{
    buffer, cl, code, context, fails, kernel, last_sentence, make, program, setup,
};

fn queue(context: cl_context) -> cl_command_queue {
    make!(clCreateCommandQueue(context, setup().device(), 0))
}

fn explained() -> String {
    last_sentence().unwrap_or_default()
}

#[test]
fn handles() {
    let c = context();
    fails!(CL_INVALID_CONTEXT, clCreateBuffer(null_mut(), 0, 16, null_mut()));
    let _ = cl!(clCreateBuffer(null_mut(), 0, 16, null_mut(), null_mut()));
    assert_eq!(
        explained(),
        "clCreateBuffer returned CL_INVALID_CONTEXT: context = NULL. The specification (\"Creating \
         Buffer Objects\") has this error if the context is not live, or if two \
         objects of the call belong to different contexts."
    );
    let q = queue(c);
    let _ = cl!(clReleaseMemObject(q.cast()));
    let text = explained();
    assert!(text.contains("(a cl_command_queue)"), "{text}");
    code!(CL_SUCCESS, clReleaseCommandQueue(q));
    let _ = cl!(clReleaseCommandQueue(q));
    let text = explained();
    assert!(text.contains("(not a live object)"), "{text}");
    code!(CL_SUCCESS, clReleaseContext(c));
}

#[test]
fn values() {
    let c = context();
    let (q, mem) = (queue(c), buffer(c, 64));
    let mut bytes = [0_u8; 64];
    let read = |offset, size, to: *mut c_void| {
        cl!(clEnqueueReadBuffer(q, mem, CL_TRUE, offset, size, to, 0, null(), null_mut()))
    };
    assert_eq!(read(60, 8, bytes.as_mut_ptr().cast()), CL_INVALID_VALUE);
    assert_eq!(
        explained(),
        "clEnqueueReadBuffer returned CL_INVALID_VALUE: offset = 60, size = 8, but the buffer has \
         64 bytes. The specification (\"Reading, Writing and Copying Buffer Objects\") has this \
         error if offset and size leave the buffer."
    );
    assert_eq!(read(0, 8, null_mut()), CL_INVALID_VALUE);
    assert_eq!(
        explained(),
        "clEnqueueReadBuffer returned CL_INVALID_VALUE: ptr = NULL. The specification (\"Reading, \
         Writing and Copying Buffer Objects\") has this error if ptr is NULL."
    );
    assert_eq!(cl!(clSVMAlloc(c, 0, 0, 0)), null_mut());
    assert_eq!(
        explained(),
        format!(
            "clSVMAlloc returned NULL: context = {:#x}, size = 0. The specification (\"Shared \
             Virtual Memory\") has this error if size is 0 or more than a device of the \
             context allocates at once.",
            c.addr()
        )
    );
    code!(CL_SUCCESS, clReleaseMemObject(mem));
    code!(CL_SUCCESS, clReleaseCommandQueue(q));
    code!(CL_SUCCESS, clReleaseContext(c));
}

#[test]
fn launches() {
    let c = context();
    let (q, p) = (queue(c), program(c));
    let k = kernel(p, c"empty");
    let launch = |global: &[usize], local: &[usize]| {
        let dimensions = u32::try_from(global.len()).unwrap_or(0);
        let (global, local) = (global.as_ptr(), local.as_ptr());
        let none = (0, null(), null_mut());
        cl!(clEnqueueNDRangeKernel(q, k, dimensions, null(), global, local, none.0, none.1, none.2))
    };
    assert_eq!(launch(&[1 << 20], &[1 << 20]), CL_INVALID_WORK_ITEM_SIZE);
    let text = explained();
    assert!(text.contains("local_work_size = [1048576, 1, 1], and the device's maximum"), "{text}");
    let all = kernel(p, c"all");
    assert_eq!(cl!(clSetKernelArg(all, 0, 3, (&raw const c).cast())), CL_INVALID_ARG_SIZE);
    let text = explained();
    let seen = "arg_size = 3, but the argument scalar of type int has 4 bytes";
    assert!(text.contains(seen), "{text}");
    for kernel in [k, all] {
        code!(CL_SUCCESS, clReleaseKernel(kernel));
    }
    code!(CL_SUCCESS, clReleaseProgram(p));
    code!(CL_SUCCESS, clReleaseCommandQueue(q));
    code!(CL_SUCCESS, clReleaseContext(c));
}

thread_local! {
    static TOLD: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// A callback whose own calls fail.
unsafe extern "C" fn told(text: *const c_char, _: *const c_void, _: usize, _: *mut c_void) {
    // SAFETY: the driver passes a C string.
    let text = unsafe { CStr::from_ptr(text) }.to_str().map(str::to_owned);
    TOLD.with_borrow_mut(|list| list.extend(text));
    let nothing: cl_mem = null_mut();
    let _ = cl!(clRetainMemObject(nothing));
}

#[test]
fn the_callback_of_the_context_gets_the_sentence() {
    let d = setup().device();
    let c = make!(clCreateContext(null(), 1, &raw const d, Some(told), null_mut()));
    let mem = buffer(c, 64);
    let _ = cl!(clCreateBuffer(c, 0, 0, null_mut(), null_mut()));
    let size = TOLD.take();
    assert_eq!(size.len(), 1, "the callback's own error is not reported to it: {size:?}");
    assert!(size[0].starts_with("clCreateBuffer returned CL_INVALID_BUFFER_SIZE: size = 0"));
    // The context of an error is that of any object of the call.
    let mut value = 0_u32;
    let to = (&raw mut value).cast();
    assert_eq!(cl!(clGetMemObjectInfo(mem, 0x9999, 4, to, null_mut())), CL_INVALID_VALUE);
    let info = TOLD.take();
    assert!(info[0].contains("param_name = 0x9999"), "{info:?}");
    code!(CL_SUCCESS, clReleaseMemObject(mem));
    code!(CL_INVALID_MEM_OBJECT, clReleaseMemObject(mem));
    assert!(TOLD.take().is_empty(), "no context is known");
    code!(CL_SUCCESS, clReleaseContext(c));
}
