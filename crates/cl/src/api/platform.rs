//! Platforms (specification, section 4.1).

use std::ffi::c_void;

use muxcl_cl_macros::cl_entry;
use muxcl_cl_sys as sys;
use muxcl_cl_sys::{
    cl_bitfield, cl_platform_id, cl_platform_info, cl_uint, cl_ulong, make_version,
};

use super::{external_memory, semaphore};
use crate::core::platform::Platform;
use crate::error::{ClError, ClResult};
use crate::explain::violated;
use crate::info::InfoOut;
use crate::object::{ClObject as _, borrow};
use crate::{checked, extensions};

pub(super) fn platform_ids(
    num_entries: cl_uint,
    platforms: *mut cl_platform_id,
    num_platforms: *mut cl_uint,
) -> ClResult<()> {
    if (num_entries == 0 && !platforms.is_null())
        || (num_platforms.is_null() && platforms.is_null())
    {
        return Err(violated!(
            INVALID_VALUE,
            "if platforms is given and num_entries is 0, or if nothing is asked for"
        ));
    }
    let platform = Platform::get()?;
    checked::out(platforms, platform.handle());
    checked::out(num_platforms, 1);
    Ok(())
}

#[cl_entry(clGetPlatformIDs)]
fn get_platform_ids(
    num_entries: cl_uint,
    platforms: *mut cl_platform_id,
    num_platforms: *mut cl_uint,
) -> Result<(), ClError> {
    platform_ids(num_entries, platforms, num_platforms)
}

#[cl_entry(clGetPlatformInfo)]
fn get_platform_info(
    platform: cl_platform_id,
    param_name: cl_platform_info,
    param_value_size: usize,
    param_value: *mut c_void,
    param_value_size_ret: *mut usize,
) -> Result<(), ClError> {
    // "platform refers to the platform ID returned by clGetPlatformIDs or can be NULL. If platform
    // is NULL, the behavior is implementation-defined": here NULL is the one platform.
    let platform = if platform.is_null() { Platform::get()?.handle() } else { platform };
    // CL_INVALID_PLATFORM if platform is not a valid platform.
    let platform = borrow::<Platform>(platform)?;
    let out = InfoOut::new(param_value_size, param_value, param_value_size_ret);
    let _written = match param_name {
        sys::CL_PLATFORM_PROFILE => out.write_str("FULL_PROFILE"),
        sys::CL_PLATFORM_VERSION => {
            out.write_str(concat!("OpenCL 3.1 muxcl ", env!("CARGO_PKG_VERSION")))
        }
        sys::CL_PLATFORM_NUMERIC_VERSION => out.write(make_version(3, 1, 0)),
        sys::CL_PLATFORM_NAME => out.write_str("muxcl"),
        sys::CL_PLATFORM_VENDOR => out.write_str("The muxcl project"),
        sys::CL_PLATFORM_EXTENSIONS => out.write_str(&extensions::string(platform.extensions())),
        sys::CL_PLATFORM_EXTENSIONS_WITH_VERSION => out.write_slice(platform.extensions()),
        sys::CL_PLATFORM_SEMAPHORE_TYPES_KHR => out.write(sys::CL_SEMAPHORE_TYPE_BINARY_KHR),
        sys::CL_PLATFORM_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR
        | sys::CL_PLATFORM_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR => {
            out.write_slice(&semaphore::HANDLE_TYPES)
        }
        sys::CL_PLATFORM_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR => {
            out.write_slice(&external_memory::HANDLE_TYPES)
        }
        sys::CL_PLATFORM_HOST_TIMER_RESOLUTION => out.write::<cl_ulong>(muxcl_os::resolution_ns()),
        sys::CL_PLATFORM_COMMAND_BUFFER_CAPABILITIES_KHR => out.write::<cl_bitfield>(
            sys::CL_COMMAND_BUFFER_PLATFORM_UNIVERSAL_SYNC_KHR
                | sys::CL_COMMAND_BUFFER_PLATFORM_REMAP_QUEUES_KHR
                | sys::CL_COMMAND_BUFFER_PLATFORM_AUTOMATIC_REMAP_KHR,
        ),
        sys::CL_PLATFORM_ICD_SUFFIX_KHR => out.write_str(sys::CL_PLATFORM_ICD_SUFFIX_KHR_TEXT),
        _ => Err(violated!(INVALID_VALUE, "if param_name is no query of this call")),
    }?;
    Ok(())
}
