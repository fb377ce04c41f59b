//! The system's ICD loader as a table of functions. Not here: which driver it finds (`OCL_ICD_VENDORS`).

use std::ffi::{CString, c_void};
use std::path::Path;

use muxcl_cl_sys::{Dispatch, for_each_cl_function};
use muxcl_os::Library;

fn symbol<F: Copy>(library: &Library, name: &str) -> Option<F> {
    let address = library.symbol(&CString::new(name).unwrap())?;
    assert_eq!(size_of::<F>(), size_of::<*const c_void>());
    // SAFETY: F is the type of the function with this name, by the headers the table was made from.
    Some(unsafe { std::mem::transmute_copy(&address) })
}

macro_rules! fill {
    ($table:ident $library:ident $([$group:ident $kind:ident $name:ident $version:literal ($($p:ident : $t:ty),*) -> $r:ty])*) => {
        $(fill! { @ $table $library $group $name })*
    };
    (@ $table:ident $library:ident core clGetPlatformIDs) => {
        $table.clGetPlatformIDs.function = symbol(&$library, "clGetPlatformIDs");
    };
    (@ $table:ident $library:ident core clUnloadCompiler) => {
        $table.clUnloadCompiler.function = symbol(&$library, "clUnloadCompiler");
    };
    (@ $table:ident $library:ident core $name:ident) => {
        $table.$name = symbol(&$library, stringify!($name));
    };
    (@ $table:ident $library:ident $group:ident $name:ident) => {};
}

/// Every core function of `libOpenCL.so.1`.
pub(crate) fn load() -> Dispatch {
    // SAFETY: the loader has no harmful constructors.
    let library = unsafe { Library::open(Path::new("libOpenCL.so.1")) }.expect("an ICD loader is installed");
    // SAFETY: all members are pointers or optional function pointers, for which zero is a value.
    let mut table: Dispatch = unsafe { std::mem::zeroed() };
    for_each_cl_function!(fill, table library);
    table
}
