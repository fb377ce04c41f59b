//! Events: not yet. Owner: clqueue.

use std::ffi::c_void;

use muxcl_cl_macros::cl_entry;
use muxcl_cl_sys::{cl_context, cl_event, cl_event_info, cl_int, cl_profiling_info, cl_uint};

use crate::error::ClError;

#[cl_entry(clWaitForEvents)]
fn wait_for_events(_num_events: cl_uint, _event_list: *const cl_event) -> Result<(), ClError> {
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clGetEventInfo)]
fn get_event_info(
    _event: cl_event,
    _param_name: cl_event_info,
    _param_value_size: usize,
    _param_value: *mut c_void,
    _param_value_size_ret: *mut usize,
) -> Result<(), ClError> {
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clRetainEvent)]
fn retain_event(_event: cl_event) -> Result<(), ClError> {
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clReleaseEvent)]
fn release_event(_event: cl_event) -> Result<(), ClError> {
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clGetEventProfilingInfo)]
fn get_event_profiling_info(
    _event: cl_event,
    _param_name: cl_profiling_info,
    _param_value_size: usize,
    _param_value: *mut c_void,
    _param_value_size_ret: *mut usize,
) -> Result<(), ClError> {
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clSetEventCallback)]
fn set_event_callback(
    _event: cl_event,
    _command_exec_callback_type: cl_int,
    _pfn_notify: Option<unsafe extern "C" fn(cl_event, cl_int, *mut c_void)>,
    _user_data: *mut c_void,
) -> Result<(), ClError> {
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clCreateUserEvent)]
fn create_user_event(_context: cl_context) -> Result<cl_event, ClError> {
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clSetUserEventStatus)]
fn set_user_event_status(_event: cl_event, _execution_status: cl_int) -> Result<(), ClError> {
    Err(ClError::INVALID_OPERATION)
}
