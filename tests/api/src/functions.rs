//! Every entry point by name: core functions from the dispatch table of the platform's handle or
//! from the loader, others by address.

use std::ffi::{CString, c_void};

use muxcl_cl_sys as sys;
use muxcl_cl_sys::{Dispatch, for_each_cl_function};

macro_rules! define {
    ($([$group:ident $kind:ident $name:ident $version:literal ($($p:ident : $t:ty),*) -> $r:ty])*)
        => {
        /// The entry points of the table; `None` for a name without a function.
        #[expect(missing_docs, reason = "the specification describes the functions")]
        #[derive(Debug)]
        pub struct Functions {
            $(pub $name: Option<unsafe extern "C" fn($($t),*) -> $r>,)*
        }

        impl Functions {
            /// Makes the table from the addresses that `find` returns for names.
            pub(crate) fn by_name(find: impl Fn(&str) -> *const c_void) -> Self {
                Self { $($name: function(find(stringify!($name))),)* }
            }

            /// Adds the core functions of a dispatch table, which the loaders call.
            pub(crate) fn with(mut self, table: &Dispatch) -> Self {
                $(define! { @ self table $group $name })*
                self
            }
        }
    };
    // These two slots hold a tag, for loaders that look addresses up.
    (@ $self:ident $table:ident core clGetPlatformIDs) => {};
    (@ $self:ident $table:ident core clUnloadCompiler) => {};
    (@ $self:ident $table:ident core $name:ident) => {
        $self.$name = $table.$name;
    };
    (@ $self:ident $table:ident absent $name:ident) => {
        $self.$name = $table.$name;
    };
    (@ $self:ident $table:ident $group:ident $name:ident) => {};
}

for_each_cl_function!(define);

/// The function at an address.
fn function<F: Copy>(address: *const c_void) -> Option<F> {
    assert_eq!(size_of::<F>(), size_of::<*const c_void>());
    // SAFETY: by the headers from which the table is generated, F is the type of the function whose
    // name led to the address.
    (!address.is_null()).then(|| unsafe { std::mem::transmute_copy(&address) })
}

/// The driver's functions: core functions from the dispatch table of the platform's handle, others
/// by name.
pub(crate) fn of_driver(platform: sys::cl_platform_id, table: &Dispatch) -> Functions {
    let find = |name: &str| {
        let name = CString::new(name).unwrap();
        // SAFETY: a platform of this driver, and a string.
        unsafe {
            muxcl_cl::api::clIcdGetFunctionAddressForPlatformKHR(platform, name.as_ptr())
                .cast_const()
        }
    };
    Functions::by_name(find).with(table)
}
