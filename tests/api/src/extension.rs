//! Extension functions for tests, looked up by name as applications do.

use std::ffi::{CStr, c_void};

use crate::{cl, setup};

/// The address of an extension function.
///
/// # Panics
/// If the function does not exist.
#[must_use]
pub fn look_up(name: &CStr) -> *mut c_void {
    let found = cl!(clGetExtensionFunctionAddressForPlatform(setup().platform(), name.as_ptr()));
    assert!(!found.is_null(), "{name:?}");
    found
}

/// Defines a function that calls an extension function: its name, the type and name of the
/// extension function, and the parameters.
#[macro_export]
macro_rules! extension {
    ($name:ident, $type:ident, $text:literal, ($($p:ident : $t:ty),*) -> $r:ty) => {
        #[allow(clippy::too_many_arguments, reason = "the specification defines the parameters")]
        fn $name($($p: $t),*) -> $r {
            // SAFETY: the function of this name has this type.
            let function = unsafe { std::mem::transmute::<*mut std::ffi::c_void,
                $type>($crate::look_up($text)) };
            // SAFETY: the test passes valid arguments, or invalid ones that the driver must refuse.
            unsafe { function($($p),*) }
        }
    };
}
