//! Memory objects.

use std::ffi::c_void;

use muxcl_cl_macros::cl_entry;
use muxcl_cl_sys::{cl_buffer_create_type, cl_context, cl_mem, cl_mem_flags, cl_mem_info, cl_mem_properties};

use crate::error::ClError;

#[cl_entry(clCreateBuffer)]
fn create_buffer(
    _context: cl_context,
    _flags: cl_mem_flags,
    _size: usize,
    _host_ptr: *mut c_void,
) -> Result<cl_mem, ClError> {
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clCreateBufferWithProperties)]
fn create_buffer_with_properties(
    _context: cl_context,
    _properties: *const cl_mem_properties,
    _flags: cl_mem_flags,
    _size: usize,
    _host_ptr: *mut c_void,
) -> Result<cl_mem, ClError> {
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clCreateSubBuffer)]
fn create_sub_buffer(
    _buffer: cl_mem,
    _flags: cl_mem_flags,
    _buffer_create_type: cl_buffer_create_type,
    _buffer_create_info: *const c_void,
) -> Result<cl_mem, ClError> {
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clRetainMemObject)]
fn retain_mem_object(_memobj: cl_mem) -> Result<(), ClError> {
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clReleaseMemObject)]
fn release_mem_object(_memobj: cl_mem) -> Result<(), ClError> {
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clGetMemObjectInfo)]
fn get_mem_object_info(
    _memobj: cl_mem,
    _param_name: cl_mem_info,
    _param_value_size: usize,
    _param_value: *mut c_void,
    _param_value_size_ret: *mut usize,
) -> Result<(), ClError> {
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clSetMemObjectDestructorCallback)]
fn set_mem_object_destructor_callback(
    _memobj: cl_mem,
    _pfn_notify: Option<unsafe extern "C" fn(cl_mem, *mut c_void)>,
    _user_data: *mut c_void,
) -> Result<(), ClError> {
    Err(ClError::INVALID_OPERATION)
}
