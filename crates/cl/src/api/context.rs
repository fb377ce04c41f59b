//! Contexts (specification, section 4.4).

use std::ffi::{c_char, c_void};
use std::sync::Arc;

use muxcl_cl_macros::cl_entry;
use muxcl_cl_sys as sys;
use muxcl_cl_sys::{
    cl_context, cl_context_info, cl_context_properties, cl_device_id, cl_device_type, cl_uint,
};
use muxcl_types::device::ContextRequirements;

use crate::checked::{self, UserData};
use crate::compiler_client;
use crate::core::context::{Context, NotifyFn};
use crate::core::device::Device;
use crate::core::platform::Platform;
use crate::error::{ClError, ClResult};
use crate::explain::violated;
use crate::info::InfoOut;
use crate::object::{self, ClObject as _, borrow};

/// Checks a property list. Returns the list, and the requirements on kernels that it contains.
fn context_properties(
    properties: *const cl_context_properties,
) -> ClResult<(Vec<cl_context_properties>, ContextRequirements)> {
    let (pairs, raw) = checked::properties(properties)?;
    let mut requirements = ContextRequirements::default();
    for (i, &(name, value)) in pairs.iter().enumerate() {
        if pairs.iter().take(i).any(|p| p.0 == name) {
            return Err(violated!(
                INVALID_PROPERTY,
                "if a property is unknown, has a bad value, or is there twice"
            ));
        }
        match name {
            sys::CL_CONTEXT_PLATFORM => {
                // CL_INVALID_PLATFORM if platform value specified in properties is not a valid
                // platform.
                borrow::<Platform>(std::ptr::without_provenance_mut(value.cast_unsigned()))?;
            }
            sys::CL_CONTEXT_INTEROP_USER_SYNC => {
                if value != 0 && value != 1 {
                    return Err(ClError::INVALID_PROPERTY);
                }
            }
            MEMORY_INITIALIZE | MEMORY_INITIALIZE_OF_1_2 => {
                requirements.zero_local = value & ZERO_LOCAL != 0;
                requirements.zero_private = value & ZERO_PRIVATE != 0;
                if value & !(ZERO_LOCAL | ZERO_PRIVATE) != 0 {
                    return Err(ClError::INVALID_PROPERTY);
                }
            }
            TERMINATE | TERMINATE_OF_1_2 => {
                requirements.stoppable = value == 1;
                if value != 0 && value != 1 {
                    return Err(ClError::INVALID_PROPERTY);
                }
            }
            _ => return Err(ClError::INVALID_PROPERTY),
        }
    }
    Ok((raw, requirements))
}

const MEMORY_INITIALIZE: cl_context_properties = sys::CL_CONTEXT_MEMORY_INITIALIZE_KHR;
const TERMINATE: cl_context_properties = sys::CL_CONTEXT_TERMINATE_KHR;
// Values of these names in the OpenCL 1.2 headers. Programs compiled with those headers use them.
const MEMORY_INITIALIZE_OF_1_2: cl_context_properties = 0x200E;
const TERMINATE_OF_1_2: cl_context_properties = 0x2010;
/// `CL_CONTEXT_MEMORY_INITIALIZE_LOCAL_KHR`
const ZERO_LOCAL: cl_context_properties = 1;
/// `CL_CONTEXT_MEMORY_INITIALIZE_PRIVATE_KHR`
const ZERO_PRIVATE: cl_context_properties = 2;

/// Creates a context from checked parameters.
fn make(
    devices: Vec<Arc<Device>>,
    (properties, requirements): (Vec<cl_context_properties>, ContextRequirements),
    notify: Option<(NotifyFn, UserData)>,
) -> ClResult<cl_context> {
    if requirements.stoppable
        && !devices.iter().all(|d| d.has_extension("cl_khr_terminate_context"))
    {
        return Err(violated!(
            INVALID_PROPERTY,
            "if the context shall be terminable, and a device cannot terminate"
        ));
    }
    let context = Context::new(devices, properties, requirements, notify)?;
    if let (Some(client), Some(device)) = (compiler_client::client(), context.devices().first()) {
        client.expect_build(&context.desc(device));
    }
    Ok(context.handle())
}

fn notify(
    pfn_notify: Option<NotifyFn>,
    user_data: *mut c_void,
) -> ClResult<Option<(NotifyFn, UserData)>> {
    match pfn_notify {
        Some(notify) => Ok(Some((notify, UserData(user_data)))),
        // CL_INVALID_VALUE if pfn_notify is NULL but user_data is not NULL.
        None if !user_data.is_null() => Err(ClError::INVALID_VALUE),
        None => Ok(None),
    }
}

#[cl_entry(clCreateContext)]
fn create_context(
    properties: *const cl_context_properties,
    num_devices: cl_uint,
    devices: *const cl_device_id,
    pfn_notify: Option<unsafe extern "C" fn(*const c_char, *const c_void, usize, *mut c_void)>,
    user_data: *mut c_void,
) -> Result<cl_context, ClError> {
    let properties = context_properties(properties)?;
    if devices.is_null() || num_devices == 0 {
        return Err(violated!(INVALID_VALUE, "if devices is NULL or num_devices is 0"));
    }
    let notify = notify(pfn_notify, user_data)?;
    // CL_INVALID_DEVICE if any device in devices is not a valid device.
    let mut list: Vec<Arc<Device>> = Vec::new();
    for &device in checked::slice(devices, num_devices as usize, ClError::INVALID_VALUE)? {
        let device = borrow::<Device>(device)?;
        // "Duplicate devices specified in devices are ignored."
        if !list.iter().any(|d| d.is(&device)) {
            list.try_reserve(1)?;
            list.push(device.keep());
        }
    }
    make(list, properties, notify)
}

#[cl_entry(clCreateContextFromType)]
fn create_context_from_type(
    properties: *const cl_context_properties,
    device_type: cl_device_type,
    pfn_notify: Option<unsafe extern "C" fn(*const c_char, *const c_void, usize, *mut c_void)>,
    user_data: *mut c_void,
) -> Result<cl_context, ClError> {
    let properties = context_properties(properties)?;
    let notify = notify(pfn_notify, user_data)?;
    // CL_INVALID_DEVICE_TYPE if device_type is not a valid value. CL_DEVICE_NOT_FOUND if no devices
    // that match device_type and property values specified in properties were found.
    let devices = super::device::devices_of_type(Platform::get()?, device_type)?;
    make(devices, properties, notify)
}

#[cl_entry(clRetainContext)]
fn retain_context(context: cl_context) -> Result<(), ClError> {
    // CL_INVALID_CONTEXT if context is not a valid OpenCL context.
    object::retain::<Context>(context)
}

#[cl_entry(clReleaseContext)]
fn release_context(context: cl_context) -> Result<(), ClError> {
    // CL_INVALID_CONTEXT if context is not a valid OpenCL context.
    object::release::<Context>(context)
}

#[cl_entry(clGetContextInfo)]
fn get_context_info(
    context: cl_context,
    param_name: cl_context_info,
    param_value_size: usize,
    param_value: *mut c_void,
    param_value_size_ret: *mut usize,
) -> Result<(), ClError> {
    // CL_INVALID_CONTEXT if context is not a valid context.
    let context = borrow::<Context>(context)?;
    let out = InfoOut::new(param_value_size, param_value, param_value_size_ret);
    let _written = match param_name {
        sys::CL_CONTEXT_REFERENCE_COUNT => out.write(object::references(&*context)),
        sys::CL_CONTEXT_NUM_DEVICES => {
            out.write::<cl_uint>(cl_uint::try_from(context.devices().len()).unwrap_or(cl_uint::MAX))
        }
        sys::CL_CONTEXT_DEVICES => {
            let handles: Vec<cl_device_id> = context.devices().iter().map(|d| d.handle()).collect();
            out.write_slice(&handles)
        }
        sys::CL_CONTEXT_PROPERTIES => out.write_slice(context.properties()),
        _ => Err(violated!(INVALID_VALUE, "if param_name is no query of this call")),
    }?;
    Ok(())
}

#[cl_entry(clSetContextDestructorCallback)]
fn set_context_destructor_callback(
    context: cl_context,
    pfn_notify: Option<unsafe extern "C" fn(cl_context, *mut c_void)>,
    user_data: *mut c_void,
) -> Result<(), ClError> {
    // CL_INVALID_CONTEXT if context is not a valid context.
    let context = Context::live(context)?;
    // CL_INVALID_VALUE if pfn_notify is NULL.
    let callback = pfn_notify.ok_or(ClError::INVALID_VALUE)?;
    context.on_destroy(callback, UserData(user_data))
}

#[cl_entry(clTerminateContextKHR)]
fn terminate_context_khr(context: cl_context) -> Result<(), ClError> {
    // CL_INVALID_CONTEXT if context is not a valid OpenCL context.
    // CL_INVALID_OPERATION if context was not created with CL_CONTEXT_TERMINATE_KHR set to CL_TRUE.
    // CL_CONTEXT_TERMINATED_KHR if context has already been terminated.
    borrow::<Context>(context)?.terminate()
}
