//! The dispatch table that every handle points to, and the look-up of functions by name. Both come
//! from the one table of entry points.
//!
//! The table holds the driver's own functions, never the exported symbols: in a process with a
//! loader's `libOpenCL.so`, the symbol `clFinish` may be the loader's. Invariant: every slot that
//! is not NULL on this system is set. Not here: the exports (`muxcl-icd`).

use std::ffi::{CStr, c_void};
use std::ptr;

use muxcl_cl_sys::{CL_ICD2_TAG_KHR, Dispatch, TaggedSlot, for_each_cl_function};

use crate::api;

/// Entry points of unsupported extensions. They have slots, so that a loader which does not check
/// for NULL gets an error instead of a crash.
mod absent {
    use muxcl_cl_sys::for_each_cl_function;

    use crate::entry::Entry;
    use crate::error::ClError;
    use crate::explain::violated;

    /// The error of these calls.
    const ABSENT: ClError =
        violated!(INVALID_OPERATION, "because no device supports the extension that has this call");

    macro_rules! define {
        ($([$group:ident $kind:ident $name:ident $version:literal
            ($($p:ident : $t:ty),*) -> $r:ty])*) => {
            $(define! { @ $group $kind $name ($($p: $t),*) -> $r })*
        };
        (@ absent int $name:ident ($($p:ident : $t:ty),*) -> $r:ty) => {
            pub(super) unsafe extern "C" fn $name($(_: $t),*) -> $r {
                Entry::new(stringify!($name)).code(|| Err(ABSENT), || [])
            }
        };
        (@ absent create $name:ident ($($p:ident : $t:ty),*) -> $r:ty) => {
            pub(super) unsafe extern "C" fn $name($($p: $t),*) -> $r {
                let (none, code) = Entry::new(stringify!($name)).create(|| Err(ABSENT), || []);
                let arguments = ($($p,)*);
                crate::checked::out(last(arguments), code);
                none
            }
        };
        (@ $group:ident $kind:ident $name:ident ($($p:ident : $t:ty),*) -> $r:ty) => {};
    }
    for_each_cl_function!(define);

    /// The last element of a tuple of parameters.
    fn last<T: Last>(parameters: T) -> *mut i32 {
        parameters.last()
    }

    trait Last {
        fn last(self) -> *mut i32;
    }

    macro_rules! last_of {
        ($($a:ident)*) => {
            impl<$($a),*> Last for ($($a,)* *mut i32,) {
                #[expect(non_snake_case, reason = "type names reused as variables")]
                fn last(self) -> *mut i32 {
                    let ($($a,)* last,) = self;
                    $(let _ = $a;)*
                    last
                }
            }
        };
    }
    last_of! { A B }
    last_of! { A B C }
    last_of! { A B C D }
    last_of! { A B C D E }
}

macro_rules! table {
    ($([$group:ident $kind:ident $name:ident $version:literal
        ($($p:ident : $t:ty),*) -> $r:ty])*) => {
        table! { @fields {} $([$group $name])* }
    };
    (@fields {$($done:tt)*} [core clGetPlatformIDs] $($rest:tt)*) => {
        table! { @fields {$($done)* clGetPlatformIDs: TaggedSlot { tag: CL_ICD2_TAG_KHR },}
            $($rest)* }
    };
    (@fields {$($done:tt)*} [core clUnloadCompiler] $($rest:tt)*) => {
        table! { @fields {$($done)* clUnloadCompiler: TaggedSlot { tag: CL_ICD2_TAG_KHR },}
            $($rest)* }
    };
    (@fields {$($done:tt)*} [core $name:ident] $($rest:tt)*) => {
        table! { @fields {$($done)* $name: Some(api::$name),} $($rest)* }
    };
    (@fields {$($done:tt)*} [slot $name:ident] $($rest:tt)*) => {
        table! { @fields {$($done)* $name: Some(api::$name),} $($rest)* }
    };
    (@fields {$($done:tt)*} [absent $name:ident] $($rest:tt)*) => {
        table! { @fields {$($done)* $name: Some(absent::$name),} $($rest)* }
    };
    (@fields {$($done:tt)*} [null $name:ident] $($rest:tt)*) => {
        table! { @fields {$($done)* $name: ptr::null(),} $($rest)* }
    };
    (@fields {$($done:tt)*} [$group:ident $name:ident] $($rest:tt)*) => {
        table! { @fields {$($done)*} $($rest)* }
    };
    (@fields {$($done:tt)*}) => {
        Dispatch { $($done)* later: [ptr::null(); 16] }
    };
}

/// The driver's dispatch table. Two slots hold the tag of `cl_khr_icd` 2.0. Older loaders never
/// call these two functions.
pub static DISPATCH: Dispatch = for_each_cl_function!(table);

macro_rules! lookup {
    ($wanted:ident $([$group:ident $kind:ident $name:ident $version:literal
        ($($p:ident : $t:ty),*) -> $r:ty])*) => {
        $(lookup! { @ $wanted $group $name ($($t),*) -> $r })*
    };
    (@ $wanted:ident absent $name:ident ($($t:ty),*) -> $r:ty) => {};
    (@ $wanted:ident null $name:ident ($($t:ty),*) -> $r:ty) => {};
    (@ $wanted:ident $group:ident $name:ident ($($t:ty),*) -> $r:ty) => {
        if $wanted == stringify!($name).as_bytes() {
            let function: unsafe extern "C" fn($($t),*) -> $r = api::$name;
            return function as *mut c_void;
        }
    };
}

/// Any entry point of the driver by name, core functions included (for
/// `clIcdGetFunctionAddressForPlatformKHR`). NULL if unknown.
#[must_use]
pub fn function_address(name: &CStr) -> *mut c_void {
    let wanted = name.to_bytes();
    for_each_cl_function!(lookup, wanted);
    ptr::null_mut()
}

macro_rules! extension {
    ($wanted:ident $([$group:ident $kind:ident $name:ident $version:literal
        ($($p:ident : $t:ty),*) -> $r:ty])*) => {
        false $(|| extension!(@ $wanted $group $name))*
    };
    (@ $wanted:ident khr $name:ident) => { $wanted == stringify!($name).as_bytes() };
    (@ $wanted:ident slot $name:ident) => { $wanted == stringify!($name).as_bytes() };
    (@ $wanted:ident icd $name:ident) => { $wanted == stringify!($name).as_bytes() };
    (@ $wanted:ident $group:ident $name:ident) => { false };
}

/// An extension's entry point by name; NULL for core functions and unknown names.
#[must_use]
pub fn extension_address(name: &CStr) -> *mut c_void {
    let wanted = name.to_bytes();
    if for_each_cl_function!(extension, wanted) { function_address(name) } else { ptr::null_mut() }
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! slots {
        ($([$group:ident $kind:ident $name:ident $version:literal
            ($($p:ident : $t:ty),*) -> $r:ty])*) => {
            [$((stringify!($group), stringify!($name))),*]
        };
    }

    #[test]
    fn every_slot_is_set() {
        let table: *const *const c_void = ptr::from_ref(&DISPATCH).cast();
        let rows = for_each_cl_function!(slots);
        let rows =
            rows.iter().filter(|(group, _)| matches!(*group, "core" | "slot" | "absent" | "null"));
        for (i, (group, name)) in rows.enumerate() {
            let at = table.wrapping_add(i);
            // SAFETY: the table has one pointer for each of these rows.
            let slot = unsafe { *at };
            assert_eq!(slot.is_null(), *group == "null", "{name}");
        }
    }

    #[test]
    fn look_ups() {
        assert!(!function_address(c"clFinish").is_null());
        assert!(!function_address(c"clIcdGetPlatformIDsKHR").is_null());
        assert!(function_address(c"clCreateFromGLBuffer").is_null());
        assert!(function_address(c"clNothing").is_null());
        assert!(extension_address(c"clFinish").is_null());
        assert!(!extension_address(c"clIcdGetPlatformIDsKHR").is_null());
        assert!(!extension_address(c"clCreateCommandQueueWithPropertiesKHR").is_null());
        assert!(!extension_address(c"clGetKernelSubGroupInfoKHR").is_null());
    }

    #[test]
    fn absent_creators_write_the_error() {
        let mut code = 0;
        let create = DISPATCH.clCreateFromGLBuffer.unwrap();
        // SAFETY: the function accesses its last parameter only.
        let made = unsafe { create(ptr::null_mut(), 0, 0, &raw mut code) };
        assert!(made.is_null());
        assert_eq!(code, muxcl_cl_sys::CL_INVALID_OPERATION);
    }
}
