//! Calls into HAL libraries. Invariant: an exception that a library throws becomes an error with
//! the exception's text and never leaves this module.

use crate::HalError;
use muxcl_os::Library;
use std::ffi::{CStr, c_char, c_void};

/// Maximum length of a stored exception text in bytes.
const TEXT: usize = 256;

unsafe extern "C" {
    fn muxcl_hal_contain(
        call: unsafe extern "C-unwind" fn(*mut c_void),
        data: *mut c_void,
        text: *mut c_char,
        size: usize,
        globals: Option<Globals>,
    ) -> bool;
}

/// The type of `__cxa_get_globals`.
type Globals = unsafe extern "C" fn() -> *mut c_void;

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

/// The C++ run-time library of a HAL library. It may be another copy than this library's.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Runtime(Option<Globals>);

impl Runtime {
    /// The run-time library that `library` uses.
    pub(crate) fn of(library: &Library) -> Self {
        Self(library.symbol(c"__cxa_get_globals").map(|symbol| {
            // SAFETY: the C++ ABI reserves the name for this function.
            unsafe { std::mem::transmute::<*const c_void, Globals>(symbol) }
        }))
    }

    /// Runs `make`, which calls function `name` of a HAL library through a "C-unwind" pointer.
    ///
    /// # Errors
    /// [`HalError::Exception`] if the library throws.
    pub(crate) fn contained<F: Fn() -> T, T>(
        self,
        name: &'static str,
        make: F,
    ) -> Result<T, HalError> {
        let mut call = Call { make, result: None };
        let mut text: [c_char; TEXT] = [0; TEXT];
        // SAFETY: `run` gets the `Call` it is made for, and `text` has `TEXT` bytes.
        let returned = unsafe {
            let data = (&raw mut call).cast();
            muxcl_hal_contain(run::<F, T>, data, text.as_mut_ptr(), TEXT, self.0)
        };
        if returned && let Some(result) = call.result {
            return Ok(result);
        }
        // SAFETY: the text was zeroed, and the callee ends what it writes with a 0.
        let text = unsafe { CStr::from_ptr(text.as_ptr()) };
        Err(HalError::Exception { call: name, text: text.to_string_lossy().into_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_that_returns_gives_its_result() {
        assert_eq!(Runtime(None).contained("test", || 7), Ok(7));
    }
}
