//! Command queues: not yet. Owner: clqueue.

use std::ffi::c_void;

use muxcl_cl_macros::cl_entry;
use muxcl_cl_sys::{
    cl_bool, cl_command_queue, cl_command_queue_info, cl_command_queue_properties, cl_context, cl_device_id,
    cl_queue_properties, cl_ulong,
};

use crate::error::ClError;

#[cl_entry(clCreateCommandQueue)]
fn create_command_queue(
    _context: cl_context,
    _device: cl_device_id,
    _properties: cl_command_queue_properties,
) -> Result<cl_command_queue, ClError> {
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clCreateCommandQueueWithProperties)]
fn create_command_queue_with_properties(
    _context: cl_context,
    _device: cl_device_id,
    _properties: *const cl_queue_properties,
) -> Result<cl_command_queue, ClError> {
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clCreateCommandQueueWithPropertiesKHR)]
fn create_command_queue_with_properties_khr(
    _context: cl_context,
    _device: cl_device_id,
    _properties: *const cl_ulong,
) -> Result<cl_command_queue, ClError> {
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clRetainCommandQueue)]
fn retain_command_queue(_command_queue: cl_command_queue) -> Result<(), ClError> {
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clReleaseCommandQueue)]
fn release_command_queue(_command_queue: cl_command_queue) -> Result<(), ClError> {
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clGetCommandQueueInfo)]
fn get_command_queue_info(
    _command_queue: cl_command_queue,
    _param_name: cl_command_queue_info,
    _param_value_size: usize,
    _param_value: *mut c_void,
    _param_value_size_ret: *mut usize,
) -> Result<(), ClError> {
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clSetCommandQueueProperty)]
fn set_command_queue_property(
    _command_queue: cl_command_queue,
    _properties: cl_command_queue_properties,
    _enable: cl_bool,
    _old_properties: *mut cl_command_queue_properties,
) -> Result<(), ClError> {
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clSetDefaultDeviceCommandQueue)]
fn set_default_device_command_queue(
    _context: cl_context,
    _device: cl_device_id,
    _command_queue: cl_command_queue,
) -> Result<(), ClError> {
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clFlush)]
fn flush(_command_queue: cl_command_queue) -> Result<(), ClError> {
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clFinish)]
fn finish(_command_queue: cl_command_queue) -> Result<(), ClError> {
    Err(ClError::INVALID_OPERATION)
}
