//! Enqueued commands: not yet. Owner: clqueue.

use std::ffi::c_void;

use muxcl_cl_macros::cl_entry;
use muxcl_cl_sys::{
    cl_bool, cl_command_queue, cl_event, cl_kernel, cl_map_flags, cl_mem, cl_mem_migration_flags, cl_uint,
};

use crate::error::ClError;

#[cl_entry(clEnqueueReadBuffer)]
fn enqueue_read_buffer(
    _command_queue: cl_command_queue,
    _buffer: cl_mem,
    _blocking_read: cl_bool,
    _offset: usize,
    _size: usize,
    _ptr: *mut c_void,
    _num_events_in_wait_list: cl_uint,
    _event_wait_list: *const cl_event,
    _event: *mut cl_event,
) -> Result<(), ClError> {
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clEnqueueWriteBuffer)]
fn enqueue_write_buffer(
    _command_queue: cl_command_queue,
    _buffer: cl_mem,
    _blocking_write: cl_bool,
    _offset: usize,
    _size: usize,
    _ptr: *const c_void,
    _num_events_in_wait_list: cl_uint,
    _event_wait_list: *const cl_event,
    _event: *mut cl_event,
) -> Result<(), ClError> {
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clEnqueueCopyBuffer)]
fn enqueue_copy_buffer(
    _command_queue: cl_command_queue,
    _src_buffer: cl_mem,
    _dst_buffer: cl_mem,
    _src_offset: usize,
    _dst_offset: usize,
    _size: usize,
    _num_events_in_wait_list: cl_uint,
    _event_wait_list: *const cl_event,
    _event: *mut cl_event,
) -> Result<(), ClError> {
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clEnqueueMapBuffer)]
fn enqueue_map_buffer(
    _command_queue: cl_command_queue,
    _buffer: cl_mem,
    _blocking_map: cl_bool,
    _map_flags: cl_map_flags,
    _offset: usize,
    _size: usize,
    _num_events_in_wait_list: cl_uint,
    _event_wait_list: *const cl_event,
    _event: *mut cl_event,
) -> Result<*mut c_void, ClError> {
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clEnqueueUnmapMemObject)]
fn enqueue_unmap_mem_object(
    _command_queue: cl_command_queue,
    _memobj: cl_mem,
    _mapped_ptr: *mut c_void,
    _num_events_in_wait_list: cl_uint,
    _event_wait_list: *const cl_event,
    _event: *mut cl_event,
) -> Result<(), ClError> {
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clEnqueueNDRangeKernel)]
fn enqueuend_range_kernel(
    _command_queue: cl_command_queue,
    _kernel: cl_kernel,
    _work_dim: cl_uint,
    _global_work_offset: *const usize,
    _global_work_size: *const usize,
    _local_work_size: *const usize,
    _num_events_in_wait_list: cl_uint,
    _event_wait_list: *const cl_event,
    _event: *mut cl_event,
) -> Result<(), ClError> {
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clEnqueueTask)]
fn enqueue_task(
    _command_queue: cl_command_queue,
    _kernel: cl_kernel,
    _num_events_in_wait_list: cl_uint,
    _event_wait_list: *const cl_event,
    _event: *mut cl_event,
) -> Result<(), ClError> {
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clEnqueueNativeKernel)]
fn enqueue_native_kernel(
    _command_queue: cl_command_queue,
    _user_func: Option<unsafe extern "C" fn(*mut c_void)>,
    _args: *mut c_void,
    _cb_args: usize,
    _num_mem_objects: cl_uint,
    _mem_list: *const cl_mem,
    _args_mem_loc: *mut *const c_void,
    _num_events_in_wait_list: cl_uint,
    _event_wait_list: *const cl_event,
    _event: *mut cl_event,
) -> Result<(), ClError> {
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clEnqueueMarker)]
fn enqueue_marker(_command_queue: cl_command_queue, _event: *mut cl_event) -> Result<(), ClError> {
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clEnqueueWaitForEvents)]
fn enqueue_wait_for_events(
    _command_queue: cl_command_queue,
    _num_events: cl_uint,
    _event_list: *const cl_event,
) -> Result<(), ClError> {
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clEnqueueBarrier)]
fn enqueue_barrier(_command_queue: cl_command_queue) -> Result<(), ClError> {
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clEnqueueReadBufferRect)]
fn enqueue_read_buffer_rect(
    _command_queue: cl_command_queue,
    _buffer: cl_mem,
    _blocking_read: cl_bool,
    _buffer_origin: *const usize,
    _host_origin: *const usize,
    _region: *const usize,
    _buffer_row_pitch: usize,
    _buffer_slice_pitch: usize,
    _host_row_pitch: usize,
    _host_slice_pitch: usize,
    _ptr: *mut c_void,
    _num_events_in_wait_list: cl_uint,
    _event_wait_list: *const cl_event,
    _event: *mut cl_event,
) -> Result<(), ClError> {
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clEnqueueWriteBufferRect)]
fn enqueue_write_buffer_rect(
    _command_queue: cl_command_queue,
    _buffer: cl_mem,
    _blocking_write: cl_bool,
    _buffer_origin: *const usize,
    _host_origin: *const usize,
    _region: *const usize,
    _buffer_row_pitch: usize,
    _buffer_slice_pitch: usize,
    _host_row_pitch: usize,
    _host_slice_pitch: usize,
    _ptr: *const c_void,
    _num_events_in_wait_list: cl_uint,
    _event_wait_list: *const cl_event,
    _event: *mut cl_event,
) -> Result<(), ClError> {
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clEnqueueCopyBufferRect)]
fn enqueue_copy_buffer_rect(
    _command_queue: cl_command_queue,
    _src_buffer: cl_mem,
    _dst_buffer: cl_mem,
    _src_origin: *const usize,
    _dst_origin: *const usize,
    _region: *const usize,
    _src_row_pitch: usize,
    _src_slice_pitch: usize,
    _dst_row_pitch: usize,
    _dst_slice_pitch: usize,
    _num_events_in_wait_list: cl_uint,
    _event_wait_list: *const cl_event,
    _event: *mut cl_event,
) -> Result<(), ClError> {
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clEnqueueFillBuffer)]
fn enqueue_fill_buffer(
    _command_queue: cl_command_queue,
    _buffer: cl_mem,
    _pattern: *const c_void,
    _pattern_size: usize,
    _offset: usize,
    _size: usize,
    _num_events_in_wait_list: cl_uint,
    _event_wait_list: *const cl_event,
    _event: *mut cl_event,
) -> Result<(), ClError> {
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clEnqueueMigrateMemObjects)]
fn enqueue_migrate_mem_objects(
    _command_queue: cl_command_queue,
    _num_mem_objects: cl_uint,
    _mem_objects: *const cl_mem,
    _flags: cl_mem_migration_flags,
    _num_events_in_wait_list: cl_uint,
    _event_wait_list: *const cl_event,
    _event: *mut cl_event,
) -> Result<(), ClError> {
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clEnqueueMarkerWithWaitList)]
fn enqueue_marker_with_wait_list(
    _command_queue: cl_command_queue,
    _num_events_in_wait_list: cl_uint,
    _event_wait_list: *const cl_event,
    _event: *mut cl_event,
) -> Result<(), ClError> {
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clEnqueueBarrierWithWaitList)]
fn enqueue_barrier_with_wait_list(
    _command_queue: cl_command_queue,
    _num_events_in_wait_list: cl_uint,
    _event_wait_list: *const cl_event,
    _event: *mut cl_event,
) -> Result<(), ClError> {
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clGetKernelSuggestedLocalWorkSizeKHR)]
fn get_kernel_suggested_local_work_size_khr(
    _command_queue: cl_command_queue,
    _kernel: cl_kernel,
    _work_dim: cl_uint,
    _global_work_offset: *const usize,
    _global_work_size: *const usize,
    _suggested_local_work_size: *mut usize,
) -> Result<(), ClError> {
    Err(ClError::INVALID_OPERATION)
}
