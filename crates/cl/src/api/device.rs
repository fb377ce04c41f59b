//! Devices (specification, sections 4.2 and 4.3). The queries are in `device_info`.

use std::ffi::c_void;
use std::sync::Arc;

use muxcl_cl_macros::cl_entry;
use muxcl_cl_sys as sys;
use muxcl_cl_sys::{
    cl_device_id, cl_device_info, cl_device_type, cl_platform_id, cl_uint, cl_ulong,
};

use super::device_info;
use crate::checked;
use crate::core::device::Device;
use crate::core::platform::Platform;
use crate::error::{ClError, ClResult};
use crate::explain::violated;
use crate::info::InfoOut;
use crate::object::{self, ClObject as _, borrow};

fn check_type(device_type: cl_device_type) -> ClResult<()> {
    const KNOWN: cl_device_type = sys::CL_DEVICE_TYPE_DEFAULT
        | sys::CL_DEVICE_TYPE_CPU
        | sys::CL_DEVICE_TYPE_GPU
        | sys::CL_DEVICE_TYPE_ACCELERATOR
        | sys::CL_DEVICE_TYPE_CUSTOM;
    if device_type != sys::CL_DEVICE_TYPE_ALL && (device_type == 0 || device_type & !KNOWN != 0) {
        return Err(violated!(INVALID_DEVICE_TYPE, "if device_type is no kind of device"));
    }
    Ok(())
}

/// The devices of a type, the default device first.
pub(super) fn devices_of_type(
    platform: &Platform,
    device_type: cl_device_type,
) -> ClResult<Vec<Arc<Device>>> {
    check_type(device_type)?;
    let mut found = Vec::new();
    for (i, device) in platform.devices().iter().enumerate() {
        let kind = device.device_type() | if i == 0 { sys::CL_DEVICE_TYPE_DEFAULT } else { 0 };
        if kind & device_type != 0 {
            found.try_reserve(1)?;
            found.push(Arc::clone(device));
        }
    }
    // CL_DEVICE_NOT_FOUND if no OpenCL devices that matched device_type were found.
    if found.is_empty() { Err(ClError::DEVICE_NOT_FOUND) } else { Ok(found) }
}

#[cl_entry(clGetDeviceIDs)]
fn get_device_ids(
    platform: cl_platform_id,
    device_type: cl_device_type,
    num_entries: cl_uint,
    devices: *mut cl_device_id,
    num_devices: *mut cl_uint,
) -> Result<(), ClError> {
    // "platform ... can be NULL. If platform is NULL, the behavior is implementation-defined": NULL
    // stands for the only platform.
    let platform = if platform.is_null() { Platform::get()?.handle() } else { platform };
    // CL_INVALID_PLATFORM if platform is not a valid platform.
    let platform = borrow::<Platform>(platform)?;
    // CL_INVALID_DEVICE_TYPE if device_type is not a valid value.
    check_type(device_type)?;
    if (num_entries == 0 && !devices.is_null()) || (num_devices.is_null() && devices.is_null()) {
        return Err(violated!(
            INVALID_VALUE,
            "if devices is given and num_entries is 0, or if nothing is asked for"
        ));
    }
    let found = match devices_of_type(&platform, device_type) {
        Ok(found) => found,
        Err(error) => {
            checked::out(num_devices, 0);
            return Err(error);
        }
    };
    if !devices.is_null() {
        for (i, device) in found.iter().take(num_entries as usize).enumerate() {
            // SAFETY: the application's array has num_entries elements.
            let at = unsafe { devices.add(i) };
            checked::out(at, device.handle());
        }
    }
    checked::out(num_devices, cl_uint::try_from(found.len()).unwrap_or(cl_uint::MAX));
    Ok(())
}

#[cl_entry(clGetDeviceInfo)]
fn get_device_info(
    device: cl_device_id,
    param_name: cl_device_info,
    param_value_size: usize,
    param_value: *mut c_void,
    param_value_size_ret: *mut usize,
) -> Result<(), ClError> {
    // CL_INVALID_DEVICE if device is not a valid device.
    let device = borrow::<Device>(device)?;
    let out = InfoOut::new(param_value_size, param_value, param_value_size_ret);
    let _written = device_info::query(&device, param_name, out)?;
    Ok(())
}

#[cl_entry(clRetainDevice)]
fn retain_device(device: cl_device_id) -> Result<(), ClError> {
    // CL_INVALID_DEVICE if device is not a valid device. "If device is a root level device, the
    // reference count is unchanged."
    let sub = borrow::<Device>(device)?.parent().is_some();
    if sub { object::retain::<Device>(device) } else { Ok(()) }
}

#[cl_entry(clReleaseDevice)]
fn release_device(device: cl_device_id) -> Result<(), ClError> {
    // CL_INVALID_DEVICE if device is not a valid device. "If device is a root level device, the
    // reference count is unchanged."
    let sub = borrow::<Device>(device)?.parent().is_some();
    if sub { object::release::<Device>(device) } else { Ok(()) }
}

#[cl_entry(clGetDeviceAndHostTimer)]
fn get_device_and_host_timer(
    device: cl_device_id,
    device_timestamp: *mut cl_ulong,
    host_timestamp: *mut cl_ulong,
) -> Result<(), ClError> {
    // CL_INVALID_DEVICE if device is not a valid device.
    let device = borrow::<Device>(device)?;
    if device_timestamp.is_null() || host_timestamp.is_null() {
        return Err(violated!(INVALID_VALUE, "if host_timestamp or device_timestamp is NULL"));
    }
    checked::out(device_timestamp, device.mux().timestamp());
    checked::out(host_timestamp, muxcl_os::now_ns());
    Ok(())
}

#[cl_entry(clGetHostTimer)]
fn get_host_timer(device: cl_device_id, host_timestamp: *mut cl_ulong) -> Result<(), ClError> {
    // CL_INVALID_DEVICE if device is not a valid device.
    let _device = borrow::<Device>(device)?;
    if host_timestamp.is_null() {
        return Err(violated!(INVALID_VALUE, "if host_timestamp is NULL"));
    }
    checked::out(host_timestamp, muxcl_os::now_ns());
    Ok(())
}
