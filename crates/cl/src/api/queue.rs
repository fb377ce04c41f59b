//! Command queues (specification, sections 5.1 and 5.15).

use std::ffi::c_void;

use muxcl_cl_macros::cl_entry;
use muxcl_cl_sys as sys;
use muxcl_cl_sys::{
    cl_bool, cl_command_queue, cl_command_queue_info, cl_command_queue_properties, cl_context,
    cl_device_id, cl_queue_properties, cl_uint, cl_ulong,
};

use crate::checked;
use crate::core::context::Context;
use crate::core::device::Device;
use crate::core::device_queue::DeviceQueue;
use crate::core::queue::Queue;
use crate::error::{ClError, ClResult};
use crate::explain::violated;
use crate::info::InfoOut;
use crate::object::{self, ClObject as _, borrow};

const HOST: cl_command_queue_properties =
    sys::CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | sys::CL_QUEUE_PROFILING_ENABLE;
const ON_DEVICE: cl_command_queue_properties =
    sys::CL_QUEUE_ON_DEVICE | sys::CL_QUEUE_ON_DEVICE_DEFAULT;

/// Property names have 64 bits in a property list and 32 bits in a query.
const PROPERTIES: cl_queue_properties = sys::CL_QUEUE_PROPERTIES as cl_queue_properties;
/// `cl_khr_priority_hints` and `cl_khr_throttle_hints`.
const HINTS: [cl_queue_properties; 2] = [sys::CL_QUEUE_PRIORITY_KHR, sys::CL_QUEUE_THROTTLE_KHR];
const SIZE: cl_queue_properties = sys::CL_QUEUE_SIZE as cl_queue_properties;

fn create(
    context: cl_context,
    device: cl_device_id,
    properties: cl_command_queue_properties,
    size: Option<cl_queue_properties>,
    list: Vec<cl_queue_properties>,
) -> ClResult<cl_command_queue> {
    // CL_INVALID_CONTEXT if context is not a valid context.
    let context = Context::live(context)?;
    // CL_INVALID_DEVICE if device is not a valid device or is not associated with context.
    let device = borrow::<Device>(device)?;
    context.device_index(&device)?;
    if properties & !(HOST | ON_DEVICE) != 0 {
        return Err(violated!(INVALID_VALUE, "if a property is unknown or has a bad value"));
    }
    let on_device = properties & sys::CL_QUEUE_ON_DEVICE != 0;
    if (properties & sys::CL_QUEUE_ON_DEVICE_DEFAULT != 0 && !on_device)
        || (on_device && properties & sys::CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE == 0)
        || size == Some(0)
    {
        return Err(ClError::INVALID_VALUE);
    }
    if !on_device {
        return Ok(Queue::new(context.keep(), device.keep(), properties, list)?.handle());
    }
    // CL_INVALID_QUEUE_PROPERTIES if values specified in properties are valid but are not supported
    // by the device: it has no on-device queues, or the size exceeds its limit, or the list has a
    // hint, which applies to host queues only.
    let limits = device.info().device_queues.ok_or(ClError::INVALID_QUEUE_PROPERTIES)?;
    let size = size.map_or(Ok(limits.preferred_size), cl_uint::try_from);
    let size =
        size.ok().filter(|s| *s <= limits.max_size).ok_or(ClError::INVALID_QUEUE_PROPERTIES)?;
    if list.iter().step_by(2).any(|name| HINTS.contains(name)) {
        return Err(ClError::INVALID_QUEUE_PROPERTIES);
    }
    DeviceQueue::make(context.keep(), device.keep(), properties, size, list)
}

#[cl_entry(clCreateCommandQueue)]
fn create_command_queue(
    context: cl_context,
    device: cl_device_id,
    properties: cl_command_queue_properties,
) -> Result<cl_command_queue, ClError> {
    // CL_INVALID_CONTEXT and CL_INVALID_DEVICE take precedence over errors of properties.
    if properties & !HOST != 0 {
        let context = Context::live(context)?;
        context.device_index(&*borrow::<Device>(device)?)?;
        // CL_INVALID_VALUE if values specified in properties are not valid.
        return Err(ClError::INVALID_VALUE);
    }
    create(context, device, properties, None, Vec::new())
}

#[cl_entry(clCreateCommandQueueWithProperties)]
fn create_command_queue_with_properties(
    context: cl_context,
    device: cl_device_id,
    properties: *const cl_queue_properties,
) -> Result<cl_command_queue, ClError> {
    let (pairs, raw) = checked::properties(properties)?;
    let mut bits = 0;
    let mut size = None;
    let mut valid = true;
    for (i, &(name, value)) in pairs.iter().enumerate() {
        valid &= pairs.iter().take(i).all(|p| p.0 != name);
        match name {
            PROPERTIES => bits = value,
            // "CL_QUEUE_SIZE can only be specified if CL_QUEUE_ON_DEVICE is set."
            SIZE => {
                size = Some(value);
                valid &=
                    pairs.iter().any(|p| p.0 == PROPERTIES && p.1 & sys::CL_QUEUE_ON_DEVICE != 0);
            }
            // The values high, medium and low are stored for queries and have no effect. All queues
            // of a device share its cores evenly.
            _ if HINTS.contains(&name) => valid &= matches!(value, 1 | 2 | 4),
            _ => valid = false,
        }
    }
    if !valid {
        let context = Context::live(context)?;
        context.device_index(&*borrow::<Device>(device)?)?;
        // CL_INVALID_VALUE if values specified in properties are not valid.
        return Err(ClError::INVALID_VALUE);
    }
    create(context, device, bits, size, raw)
}

#[cl_entry(clCreateCommandQueueWithPropertiesKHR)]
fn create_command_queue_with_properties_khr(
    context: cl_context,
    device: cl_device_id,
    properties: *const cl_ulong,
) -> Result<cl_command_queue, ClError> {
    create_command_queue_with_properties(context, device, properties)
}

#[cl_entry(clRetainCommandQueue)]
fn retain_command_queue(command_queue: cl_command_queue) -> Result<(), ClError> {
    // CL_INVALID_COMMAND_QUEUE if command_queue is not a valid command-queue.
    object::retain::<Queue>(command_queue).or_else(|_| object::retain::<DeviceQueue>(command_queue))
}

#[cl_entry(clReleaseCommandQueue)]
fn release_command_queue(command_queue: cl_command_queue) -> Result<(), ClError> {
    // CL_INVALID_COMMAND_QUEUE if command_queue is not a valid command-queue.
    let Ok(queue) = borrow::<Queue>(command_queue) else {
        return object::release::<DeviceQueue>(command_queue);
    };
    // "clReleaseCommandQueue performs an implicit flush to issue any previously queued OpenCL
    // commands in command_queue."
    queue.flush()?;
    object::release::<Queue>(command_queue)
}

#[cl_entry(clGetCommandQueueInfo)]
fn get_command_queue_info(
    command_queue: cl_command_queue,
    param_name: cl_command_queue_info,
    param_value_size: usize,
    param_value: *mut c_void,
    param_value_size_ret: *mut usize,
) -> Result<(), ClError> {
    let out = InfoOut::new(param_value_size, param_value, param_value_size_ret);
    // CL_INVALID_COMMAND_QUEUE if command_queue is not a valid command-queue.
    let _written = match borrow::<Queue>(command_queue) {
        Ok(queue) => match param_name {
            sys::CL_QUEUE_CONTEXT => out.write(queue.context().handle()),
            sys::CL_QUEUE_DEVICE => out.write(queue.device().handle()),
            sys::CL_QUEUE_REFERENCE_COUNT => out.write(object::references(&*queue)),
            sys::CL_QUEUE_PROPERTIES => out.write(queue.properties()),
            sys::CL_QUEUE_PROPERTIES_ARRAY => out.write_slice(queue.property_list()),
            sys::CL_QUEUE_DEVICE_DEFAULT => out.write(default_of(queue.context(), queue.device())?),
            // CL_INVALID_COMMAND_QUEUE if command_queue is not a valid command-queue for
            // param_name: only on-device queues have a size.
            sys::CL_QUEUE_SIZE => Err(ClError::INVALID_COMMAND_QUEUE),
            _ => Err(violated!(INVALID_VALUE, "if param_name is no query of this call")),
        },
        Err(_) => {
            let queue = borrow::<DeviceQueue>(command_queue)?;
            match param_name {
                sys::CL_QUEUE_CONTEXT => out.write(queue.context().handle()),
                sys::CL_QUEUE_DEVICE => out.write(queue.device().handle()),
                sys::CL_QUEUE_REFERENCE_COUNT => out.write(object::references(&*queue)),
                sys::CL_QUEUE_PROPERTIES => out.write(queue.properties()),
                sys::CL_QUEUE_PROPERTIES_ARRAY => out.write_slice(queue.property_list()),
                sys::CL_QUEUE_DEVICE_DEFAULT => {
                    out.write(default_of(queue.context(), queue.device())?)
                }
                sys::CL_QUEUE_SIZE => out.write::<cl_uint>(queue.size()),
                _ => Err(ClError::INVALID_VALUE),
            }
        }
    }?;
    Ok(())
}

/// `CL_QUEUE_DEVICE_DEFAULT`: the device's default queue in the context, or NULL.
fn default_of(context: &Context, device: &Device) -> ClResult<cl_command_queue> {
    let queue = context.device_queues().default_of(context.device_index(device)?);
    Ok(queue.map_or(std::ptr::null_mut(), |queue| queue.queue_handle()))
}

#[cl_entry(clSetCommandQueueProperty)]
fn set_command_queue_property(
    command_queue: cl_command_queue,
    _properties: cl_command_queue_properties,
    _enable: cl_bool,
    _old_properties: *mut cl_command_queue_properties,
) -> Result<(), ClError> {
    // CL_INVALID_COMMAND_QUEUE if command_queue is not a valid command-queue.
    if borrow::<Queue>(command_queue).is_err() {
        borrow::<DeviceQueue>(command_queue)?;
    }
    // CL_INVALID_OPERATION if no devices in the context associated with command_queue support
    // modifying the properties of a command-queue: only devices of OpenCL 1.0 do.
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clSetDefaultDeviceCommandQueue)]
fn set_default_device_command_queue(
    context: cl_context,
    device: cl_device_id,
    command_queue: cl_command_queue,
) -> Result<(), ClError> {
    // CL_INVALID_CONTEXT if context is not a valid context.
    let context = Context::live(context)?;
    // CL_INVALID_DEVICE if device is not a valid device or is not associated with context.
    let device = borrow::<Device>(device)?;
    let index = context.device_index(&device)?;
    if device.info().device_queues.is_none() {
        return Err(violated!(
            INVALID_OPERATION,
            "if the device has no default device queue that can be replaced"
        ));
    }
    // CL_INVALID_COMMAND_QUEUE if command_queue is not a valid command-queue for device.
    let queue = borrow::<DeviceQueue>(command_queue)?;
    if !queue.context().is(&context) || !queue.device().is(&device) {
        return Err(ClError::INVALID_COMMAND_QUEUE);
    }
    context.device_queues().set_default(index, queue.keep())
}

#[cl_entry(clFlush)]
fn flush(command_queue: cl_command_queue) -> Result<(), ClError> {
    // CL_INVALID_COMMAND_QUEUE if command_queue is not a valid host command-queue.
    borrow::<Queue>(command_queue)?.flush()
}

#[cl_entry(clFinish)]
fn finish(command_queue: cl_command_queue) -> Result<(), ClError> {
    // CL_INVALID_COMMAND_QUEUE if command_queue is not a valid host command-queue.
    borrow::<Queue>(command_queue)?.finish()
}
