//! Fatal errors of LLVM end the request, not the process.
//!
//! LLVM reports failures such as "cannot select" or exhausted memory through a handler that must
//! not return, and the frames in between must not be unwound. So the thread is abandoned
//! ([`muxcl_os::reserve::abandon`]): it stops for ever, everything it owns is leaked, and the
//! thread that waits for the result gets the reason. All other errors arrive as
//! [`crate::LlvmError`] or through the diagnostics of a [`crate::Context`].

use std::ffi::c_char;

use crate::ffi::MuxclInstallFatalHandlers;

/// Makes LLVM call [`on_fatal`]. Cheap after the first call.
pub(crate) fn install() {
    // SAFETY: `on_fatal` has the type that the shim expects, and may be called on any thread.
    unsafe { MuxclInstallFatalHandlers(on_fatal) };
}

unsafe extern "C" fn on_fatal(reason: *const c_char, len: usize) {
    // SAFETY: the shim passes `len` readable bytes.
    let reason = unsafe { std::slice::from_raw_parts(reason.cast::<u8>(), len) };
    muxcl_os::reserve::abandon(&String::from_utf8_lossy(reason));
}
