//! The exported function, called as the driver calls it.

use super::muxcl_compiler_request;
use muxcl_compiler_abi::{Envelope, Request, Response};
use std::ffi::c_void;

unsafe extern "C" fn sink(ctx: *mut c_void, bytes: *const u8, len: usize) {
    // SAFETY: `ctx` is the vector of `ask`.
    let answers = unsafe { &mut *ctx.cast::<Vec<Vec<u8>>>() };
    // SAFETY: the library passes `len` bytes.
    answers.push(unsafe { std::slice::from_raw_parts(bytes, len) }.to_vec());
}

fn ask(request: &[u8]) -> (i32, Vec<Vec<u8>>) {
    let mut answers: Vec<Vec<u8>> = Vec::new();
    // SAFETY: the slice and the vector live through the call.
    let status = unsafe {
        muxcl_compiler_request(request.as_ptr(), request.len(), (&raw mut answers).cast(), sink)
    };
    (status, answers)
}

#[test]
fn a_request_is_answered_once() {
    let bytes = postcard::to_stdvec(&Envelope::new(Request::About)).unwrap();
    let (status, answers) = ask(&bytes);
    assert_eq!((status, answers.len()), (0, 1));
    assert!(matches!(
        postcard::from_bytes(&answers[0]).unwrap(),
        Response::About { llvm } if llvm.starts_with("22.")
    ));
}

#[test]
fn nothing_and_nonsense_are_answered_too() {
    for request in [&b""[..], b"nonsense"] {
        let (status, answers) = ask(request);
        assert_eq!((status, answers.len()), (1, 1));
    }
    let mut answers: Vec<Vec<u8>> = Vec::new();
    // SAFETY: a null request of no bytes is allowed.
    let status =
        unsafe { muxcl_compiler_request(std::ptr::null(), 0, (&raw mut answers).cast(), sink) };
    assert_eq!((status, answers.len()), (1, 1));
}
