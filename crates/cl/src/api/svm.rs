//! Shared virtual memory (specification, section 5.6): the errors of an implementation without it.
//!
//! Not here: any SVM; `CL_DEVICE_SVM_CAPABILITIES` is 0.

use std::ffi::c_void;

use muxcl_cl_macros::cl_entry;
use muxcl_cl_sys::{
    cl_bool, cl_command_queue, cl_context, cl_event, cl_map_flags, cl_mem_migration_flags, cl_svm_mem_flags, cl_uint,
};

use crate::core::queue::Queue;
use crate::error::ClError;
use crate::object::borrow;

#[cl_entry(clEnqueueSVMFree)]
fn enqueue_svm_free(
    command_queue: cl_command_queue,
    _num_svm_pointers: cl_uint,
    _svm_pointers: *mut *mut c_void,
    _pfn_free_func: Option<unsafe extern "C" fn(cl_command_queue, cl_uint, *mut *mut c_void, *mut c_void)>,
    _user_data: *mut c_void,
    _num_events_in_wait_list: cl_uint,
    _event_wait_list: *const cl_event,
    _event: *mut cl_event,
) -> Result<(), ClError> {
    // CL_INVALID_COMMAND_QUEUE if command_queue is not a valid host command-queue.
    let _queue = borrow::<Queue>(command_queue)?;
    // CL_INVALID_OPERATION if the device associated with command queue does not support SVM.
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clEnqueueSVMMemcpy)]
fn enqueue_svm_memcpy(
    command_queue: cl_command_queue,
    _blocking_copy: cl_bool,
    _dst_ptr: *mut c_void,
    _src_ptr: *const c_void,
    _size: usize,
    _num_events_in_wait_list: cl_uint,
    _event_wait_list: *const cl_event,
    _event: *mut cl_event,
) -> Result<(), ClError> {
    // CL_INVALID_COMMAND_QUEUE if command_queue is not a valid host command-queue.
    let _queue = borrow::<Queue>(command_queue)?;
    // CL_INVALID_OPERATION if the device associated with command queue does not support SVM.
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clEnqueueSVMMemFill)]
fn enqueue_svm_mem_fill(
    command_queue: cl_command_queue,
    _svm_ptr: *mut c_void,
    _pattern: *const c_void,
    _pattern_size: usize,
    _size: usize,
    _num_events_in_wait_list: cl_uint,
    _event_wait_list: *const cl_event,
    _event: *mut cl_event,
) -> Result<(), ClError> {
    // CL_INVALID_COMMAND_QUEUE if command_queue is not a valid host command-queue.
    let _queue = borrow::<Queue>(command_queue)?;
    // CL_INVALID_OPERATION if the device associated with command queue does not support SVM.
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clEnqueueSVMMap)]
fn enqueue_svm_map(
    command_queue: cl_command_queue,
    _blocking_map: cl_bool,
    _flags: cl_map_flags,
    _svm_ptr: *mut c_void,
    _size: usize,
    _num_events_in_wait_list: cl_uint,
    _event_wait_list: *const cl_event,
    _event: *mut cl_event,
) -> Result<(), ClError> {
    // CL_INVALID_COMMAND_QUEUE if command_queue is not a valid host command-queue.
    let _queue = borrow::<Queue>(command_queue)?;
    // CL_INVALID_OPERATION if the device associated with command queue does not support SVM.
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clEnqueueSVMUnmap)]
fn enqueue_svm_unmap(
    command_queue: cl_command_queue,
    _svm_ptr: *mut c_void,
    _num_events_in_wait_list: cl_uint,
    _event_wait_list: *const cl_event,
    _event: *mut cl_event,
) -> Result<(), ClError> {
    // CL_INVALID_COMMAND_QUEUE if command_queue is not a valid host command-queue.
    let _queue = borrow::<Queue>(command_queue)?;
    // CL_INVALID_OPERATION if the device associated with command queue does not support SVM.
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clEnqueueSVMMigrateMem)]
fn enqueue_svm_migrate_mem(
    command_queue: cl_command_queue,
    _num_svm_pointers: cl_uint,
    _svm_pointers: *mut *const c_void,
    _sizes: *const usize,
    _flags: cl_mem_migration_flags,
    _num_events_in_wait_list: cl_uint,
    _event_wait_list: *const cl_event,
    _event: *mut cl_event,
) -> Result<(), ClError> {
    // CL_INVALID_COMMAND_QUEUE if command_queue is not a valid host command-queue.
    let _queue = borrow::<Queue>(command_queue)?;
    // CL_INVALID_OPERATION if the device associated with command queue does not support SVM.
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clSVMAlloc)]
// "clSVMAlloc will fail if ... no devices in context support SVM": NULL.
fn svm_alloc(_context: cl_context, _flags: cl_svm_mem_flags, _size: usize, _alignment: cl_uint) -> *mut c_void {
    std::ptr::null_mut()
}

#[cl_entry(clSVMFree)]
fn svm_free(_context: cl_context, _svm_pointer: *mut c_void) {}
