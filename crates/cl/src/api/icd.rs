//! The entry points for ICD loaders (`cl_khr_icd` 1.0 and 2.0), and extension look-up.

use std::ffi::{c_char, c_void};

use muxcl_cl_macros::cl_entry;
use muxcl_cl_sys::{cl_platform_id, cl_uint};

use crate::core::platform::Platform;
use crate::error::ClError;
use crate::object::borrow;
use crate::{checked, dispatch};

#[cl_entry(clIcdGetPlatformIDsKHR)]
fn icd_get_platform_ids(
    num_entries: cl_uint,
    platforms: *mut cl_platform_id,
    num_platforms: *mut cl_uint,
) -> Result<(), ClError> {
    super::platform::platform_ids(num_entries, platforms, num_platforms)
}

#[cl_entry(clIcdGetFunctionAddressForPlatformKHR)]
fn icd_get_function_address_for_platform(
    platform: cl_platform_id,
    func_name: *const c_char,
) -> *mut c_void {
    match (borrow::<Platform>(platform), checked::text(func_name)) {
        (Ok(_), Some(name)) => dispatch::function_address(name),
        _ => std::ptr::null_mut(),
    }
}

#[cl_entry(clIcdSetPlatformDispatchDataKHR)]
fn icd_set_platform_dispatch_data(
    platform: cl_platform_id,
    dispatch_data: *mut c_void,
) -> Result<(), ClError> {
    // CL_INVALID_PLATFORM if platform is not a valid platform.
    borrow::<Platform>(platform)?.set_dispatch_data(dispatch_data);
    Ok(())
}

#[cl_entry(clGetExtensionFunctionAddress)]
fn get_extension_function_address(func_name: *const c_char) -> *mut c_void {
    checked::text(func_name).map_or(std::ptr::null_mut(), dispatch::extension_address)
}

#[cl_entry(clGetExtensionFunctionAddressForPlatform)]
fn get_extension_function_address_for_platform(
    platform: cl_platform_id,
    func_name: *const c_char,
) -> *mut c_void {
    // NULL if platform is not a valid platform, or the function is not of an extension of it.
    match (borrow::<Platform>(platform), checked::text(func_name)) {
        (Ok(_), Some(name)) => dispatch::extension_address(name),
        _ => std::ptr::null_mut(),
    }
}
