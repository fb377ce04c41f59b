//! `libmuxcl_compiler.so`: the exports of the compiler and nothing else. For applications that
//! cannot start the compiler's process.
//!
//! Invariant: one exported function, plain C, that never unwinds; the library has no constructor
//! of its own that runs when it is loaded; in a distribution no symbol of LLVM is visible. Not
//! here: what a request does (`muxcl-compiler`).

use muxcl_compiler_abi::{RequestFn, SinkFn};
use muxcl_os::reserve::{self, ReserveAllocator};
use std::ffi::c_void;

#[global_allocator]
static ALLOCATOR: ReserveAllocator = ReserveAllocator;

/// Answers one request; see `muxcl_compiler_abi::RequestFn`.
///
/// # Safety
/// `request` is valid for `len` bytes; `sink` may be called with `ctx`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn muxcl_compiler_request(
    request: *const u8,
    len: usize,
    ctx: *mut c_void,
    sink: SinkFn,
) -> i32 {
    reserve::set_aside();
    if reserve::is_low() {
        // The request continues also without a reserve: clang reports a failed allocation as an
        // error.
        reserve::try_restore();
    }
    let bytes = if request.is_null() || len == 0 {
        &[]
    } else {
        // SAFETY: the caller promises `len` readable bytes that live through the call.
        unsafe { std::slice::from_raw_parts(request, len) }
    };
    let (status, response) = muxcl_compiler::handle(bytes);
    // SAFETY: the caller's promise; the bytes live until the sink returns.
    unsafe { sink(ctx, response.as_ptr(), response.len()) };
    status
}

const _: RequestFn = muxcl_compiler_request;

#[cfg(test)]
mod tests;
