//! Calls into HAL libraries. Invariant: an exception that a library throws becomes an error with
//! the exception's text and never leaves this module.

use crate::HalError;
use std::ffi::{CStr, c_char, c_void};

/// Maximum length of a stored exception text in bytes.
const TEXT: usize = 256;

unsafe extern "C" {
    fn muxcl_hal_contain(
        call: unsafe extern "C-unwind" fn(*mut c_void),
        data: *mut c_void,
        text: *mut c_char,
        size: usize,
    ) -> bool;
}

/// A pending call, or its result.
struct Call<F, T> {
    make: F,
    result: Option<T>,
}

/// Executes the pending call at `data` and stores its result there.
///
/// # Safety
/// `data` points to a `Call<F, T>` that no other code uses.
unsafe extern "C-unwind" fn run<F: Fn() -> T, T>(data: *mut c_void) {
    // SAFETY: the caller's promise.
    let call = unsafe { &mut *data.cast::<Call<F, T>>() };
    call.result = Some((call.make)());
}

/// Runs `make`, which calls function `name` of a HAL library through a "C-unwind" pointer.
///
/// # Errors
/// [`HalError::Exception`] if the library throws.
pub(crate) fn contained<F: Fn() -> T, T>(name: &'static str, make: F) -> Result<T, HalError> {
    let mut call = Call { make, result: None };
    let mut text: [c_char; TEXT] = [0; TEXT];
    // SAFETY: `run` gets the `Call` it is made for, and `text` has `TEXT` bytes.
    let returned = unsafe {
        let data = (&raw mut call).cast();
        muxcl_hal_contain(run::<F, T>, data, text.as_mut_ptr(), TEXT)
    };
    if returned && let Some(result) = call.result {
        return Ok(result);
    }
    // SAFETY: the text was zeroed, and the callee ends what it writes with a 0.
    let text = unsafe { CStr::from_ptr(text.as_ptr()) };
    Err(HalError::Exception { call: name, text: text.to_string_lossy().into_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_that_returns_gives_its_result() {
        assert_eq!(contained("test", || 7), Ok(7));
    }
}
