//! Extension functions for tests, looked up by name as applications do.

use std::ffi::{CStr, c_void};

use crate::{cl, setup};

/// The address of an extension function. Panics if it does not exist.
///
/// # Panics
/// It is not.
#[must_use]
pub fn look_up(name: &CStr) -> *mut c_void {
    let found = cl!(clGetExtensionFunctionAddressForPlatform(setup().platform(), name.as_ptr()));
    assert!(!found.is_null(), "{name:?}");
    found
}

/// A function that calls an extension function: its own name, the type and the name of the other,
/// and the parameters.
#[macro_export]
macro_rules! extension {
    ($name:ident, $type:ident, $text:literal, ($($p:ident : $t:ty),*) -> $r:ty) => {
        #[allow(clippy::too_many_arguments, reason = "as many as the specification has")]
        fn $name($($p: $t),*) -> $r {
            // SAFETY: the function of this name has this type.
            let function = unsafe { std::mem::transmute::<*mut std::ffi::c_void,
                $type>($crate::look_up($text)) };
            // SAFETY: the test passes what is allowed, or what is to be refused.
            unsafe { function($($p),*) }
        }
    };
}
