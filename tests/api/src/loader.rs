//! The system's ICD loader as a table of functions. Not here: the choice of driver
//! (`OCL_ICD_VENDORS`).

use std::ffi::{CString, c_void};
use std::path::Path;

use muxcl_cl_sys as sys;
use muxcl_os::Library;

use crate::functions::Functions;

/// Every core function of `libOpenCL.so.1`, the extension functions of the first platform that it
/// finds, and that platform.
pub(crate) fn load() -> (Functions, sys::cl_platform_id) {
    // SAFETY: the loader has no harmful constructors.
    let library =
        unsafe { Library::open(Path::new("libOpenCL.so.1")) }.expect("an ICD loader is installed");
    let symbol =
        |name: &str| library.symbol(&CString::new(name).unwrap()).unwrap_or(std::ptr::null());
    let core = Functions::by_name(symbol);
    let mut platform = std::ptr::null_mut();
    // SAFETY: room for one.
    let code =
        unsafe { core.clGetPlatformIDs.unwrap()(1, &raw mut platform, std::ptr::null_mut()) };
    assert_eq!(code, sys::CL_SUCCESS, "the loader finds the driver");
    let extension = core.clGetExtensionFunctionAddressForPlatform.unwrap();
    let either = |name: &str| -> *const c_void {
        let found = symbol(name);
        let name = CString::new(name).unwrap();
        if found.is_null() {
            // SAFETY: the platform from above, and a string.
            unsafe { extension(platform, name.as_ptr()) }.cast_const()
        } else {
            found
        }
    };
    (Functions::by_name(either), platform)
}
