//! Images and samplers (specification, sections 5.3, 5.7): the errors of an implementation without them.
//!
//! Not here: any image; `CL_DEVICE_IMAGE_SUPPORT` is false.

use std::ffi::c_void;

use muxcl_cl_macros::cl_entry;
use muxcl_cl_sys as sys;
use muxcl_cl_sys::{
    cl_addressing_mode, cl_bool, cl_command_queue, cl_context, cl_event, cl_filter_mode, cl_image_desc,
    cl_image_format, cl_image_info, cl_map_flags, cl_mem, cl_mem_flags, cl_mem_object_type, cl_mem_properties,
    cl_sampler, cl_sampler_info, cl_sampler_properties, cl_uint,
};

use crate::checked;
use crate::core::context::Context;
use crate::core::memory::Mem;
use crate::core::queue::Queue;
use crate::error::ClError;
use crate::object::borrow;

#[cl_entry(clEnqueueReadImage)]
fn enqueue_read_image(
    command_queue: cl_command_queue,
    _image: cl_mem,
    _blocking_read: cl_bool,
    _origin: *const usize,
    _region: *const usize,
    _row_pitch: usize,
    _slice_pitch: usize,
    _ptr: *mut c_void,
    _num_events_in_wait_list: cl_uint,
    _event_wait_list: *const cl_event,
    _event: *mut cl_event,
) -> Result<(), ClError> {
    // CL_INVALID_COMMAND_QUEUE if command_queue is not a valid host command-queue.
    let _queue = borrow::<Queue>(command_queue)?;
    // CL_INVALID_MEM_OBJECT if image is not a valid image object: no memory object is an image.
    Err(ClError::INVALID_MEM_OBJECT)
}

#[cl_entry(clEnqueueWriteImage)]
fn enqueue_write_image(
    command_queue: cl_command_queue,
    _image: cl_mem,
    _blocking_write: cl_bool,
    _origin: *const usize,
    _region: *const usize,
    _input_row_pitch: usize,
    _input_slice_pitch: usize,
    _ptr: *const c_void,
    _num_events_in_wait_list: cl_uint,
    _event_wait_list: *const cl_event,
    _event: *mut cl_event,
) -> Result<(), ClError> {
    // CL_INVALID_COMMAND_QUEUE if command_queue is not a valid host command-queue.
    let _queue = borrow::<Queue>(command_queue)?;
    // CL_INVALID_MEM_OBJECT if image is not a valid image object: no memory object is an image.
    Err(ClError::INVALID_MEM_OBJECT)
}

#[cl_entry(clEnqueueCopyImage)]
fn enqueue_copy_image(
    command_queue: cl_command_queue,
    _src_image: cl_mem,
    _dst_image: cl_mem,
    _src_origin: *const usize,
    _dst_origin: *const usize,
    _region: *const usize,
    _num_events_in_wait_list: cl_uint,
    _event_wait_list: *const cl_event,
    _event: *mut cl_event,
) -> Result<(), ClError> {
    // CL_INVALID_COMMAND_QUEUE if command_queue is not a valid host command-queue.
    let _queue = borrow::<Queue>(command_queue)?;
    // CL_INVALID_MEM_OBJECT if image is not a valid image object: no memory object is an image.
    Err(ClError::INVALID_MEM_OBJECT)
}

#[cl_entry(clEnqueueCopyImageToBuffer)]
fn enqueue_copy_image_to_buffer(
    command_queue: cl_command_queue,
    _src_image: cl_mem,
    _dst_buffer: cl_mem,
    _src_origin: *const usize,
    _region: *const usize,
    _dst_offset: usize,
    _num_events_in_wait_list: cl_uint,
    _event_wait_list: *const cl_event,
    _event: *mut cl_event,
) -> Result<(), ClError> {
    // CL_INVALID_COMMAND_QUEUE if command_queue is not a valid host command-queue.
    let _queue = borrow::<Queue>(command_queue)?;
    // CL_INVALID_MEM_OBJECT if image is not a valid image object: no memory object is an image.
    Err(ClError::INVALID_MEM_OBJECT)
}

#[cl_entry(clEnqueueCopyBufferToImage)]
fn enqueue_copy_buffer_to_image(
    command_queue: cl_command_queue,
    _src_buffer: cl_mem,
    _dst_image: cl_mem,
    _src_offset: usize,
    _dst_origin: *const usize,
    _region: *const usize,
    _num_events_in_wait_list: cl_uint,
    _event_wait_list: *const cl_event,
    _event: *mut cl_event,
) -> Result<(), ClError> {
    // CL_INVALID_COMMAND_QUEUE if command_queue is not a valid host command-queue.
    let _queue = borrow::<Queue>(command_queue)?;
    // CL_INVALID_MEM_OBJECT if image is not a valid image object: no memory object is an image.
    Err(ClError::INVALID_MEM_OBJECT)
}

#[cl_entry(clEnqueueMapImage)]
fn enqueue_map_image(
    command_queue: cl_command_queue,
    _image: cl_mem,
    _blocking_map: cl_bool,
    _map_flags: cl_map_flags,
    _origin: *const usize,
    _region: *const usize,
    _image_row_pitch: *mut usize,
    _image_slice_pitch: *mut usize,
    _num_events_in_wait_list: cl_uint,
    _event_wait_list: *const cl_event,
    _event: *mut cl_event,
) -> Result<*mut c_void, ClError> {
    // CL_INVALID_COMMAND_QUEUE if command_queue is not a valid host command-queue.
    let _queue = borrow::<Queue>(command_queue)?;
    // CL_INVALID_MEM_OBJECT if image is not a valid image object: no memory object is an image.
    Err(ClError::INVALID_MEM_OBJECT)
}

#[cl_entry(clEnqueueFillImage)]
fn enqueue_fill_image(
    command_queue: cl_command_queue,
    _image: cl_mem,
    _fill_color: *const c_void,
    _origin: *const usize,
    _region: *const usize,
    _num_events_in_wait_list: cl_uint,
    _event_wait_list: *const cl_event,
    _event: *mut cl_event,
) -> Result<(), ClError> {
    // CL_INVALID_COMMAND_QUEUE if command_queue is not a valid host command-queue.
    let _queue = borrow::<Queue>(command_queue)?;
    // CL_INVALID_MEM_OBJECT if image is not a valid image object: no memory object is an image.
    Err(ClError::INVALID_MEM_OBJECT)
}

#[cl_entry(clCreateImage2D)]
fn create_image2d(
    context: cl_context,
    _flags: cl_mem_flags,
    _image_format: *const cl_image_format,
    _image_width: usize,
    _image_height: usize,
    _image_row_pitch: usize,
    _host_ptr: *mut c_void,
) -> Result<cl_mem, ClError> {
    // CL_INVALID_CONTEXT if context is not a valid context.
    let _context = borrow::<Context>(context)?;
    // CL_INVALID_OPERATION if there are no devices in context that support images (CL_DEVICE_IMAGE_SUPPORT is CL_FALSE).
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clCreateImage3D)]
fn create_image3d(
    context: cl_context,
    _flags: cl_mem_flags,
    _image_format: *const cl_image_format,
    _image_width: usize,
    _image_height: usize,
    _image_depth: usize,
    _image_row_pitch: usize,
    _image_slice_pitch: usize,
    _host_ptr: *mut c_void,
) -> Result<cl_mem, ClError> {
    // CL_INVALID_CONTEXT if context is not a valid context.
    let _context = borrow::<Context>(context)?;
    // CL_INVALID_OPERATION if there are no devices in context that support images (CL_DEVICE_IMAGE_SUPPORT is CL_FALSE).
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clCreateImage)]
fn create_image(
    context: cl_context,
    _flags: cl_mem_flags,
    _image_format: *const cl_image_format,
    _image_desc: *const cl_image_desc,
    _host_ptr: *mut c_void,
) -> Result<cl_mem, ClError> {
    // CL_INVALID_CONTEXT if context is not a valid context.
    let _context = borrow::<Context>(context)?;
    // CL_INVALID_OPERATION if there are no devices in context that support images (CL_DEVICE_IMAGE_SUPPORT is CL_FALSE).
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clCreateImageWithProperties)]
fn create_image_with_properties(
    context: cl_context,
    _properties: *const cl_mem_properties,
    _flags: cl_mem_flags,
    _image_format: *const cl_image_format,
    _image_desc: *const cl_image_desc,
    _host_ptr: *mut c_void,
) -> Result<cl_mem, ClError> {
    // CL_INVALID_CONTEXT if context is not a valid context.
    let _context = borrow::<Context>(context)?;
    // CL_INVALID_OPERATION if there are no devices in context that support images (CL_DEVICE_IMAGE_SUPPORT is CL_FALSE).
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clGetSupportedImageFormats)]
fn get_supported_image_formats(
    context: cl_context,
    flags: cl_mem_flags,
    image_type: cl_mem_object_type,
    num_entries: cl_uint,
    image_formats: *mut cl_image_format,
    num_image_formats: *mut cl_uint,
) -> Result<(), ClError> {
    // CL_INVALID_CONTEXT if context is not a valid context.
    let _context = borrow::<Context>(context)?;
    // CL_INVALID_VALUE if flags or image_type are not valid, or if num_entries is 0 and image_formats is not NULL.
    let types = sys::CL_MEM_OBJECT_IMAGE2D..=sys::CL_MEM_OBJECT_IMAGE1D_BUFFER;
    let known = sys::CL_MEM_READ_WRITE
        | sys::CL_MEM_WRITE_ONLY
        | sys::CL_MEM_READ_ONLY
        | sys::CL_MEM_USE_HOST_PTR
        | sys::CL_MEM_ALLOC_HOST_PTR
        | sys::CL_MEM_COPY_HOST_PTR
        | sys::CL_MEM_HOST_WRITE_ONLY
        | sys::CL_MEM_HOST_READ_ONLY
        | sys::CL_MEM_HOST_NO_ACCESS
        | sys::CL_MEM_KERNEL_READ_AND_WRITE;
    if flags & !known != 0 || !types.contains(&image_type) || (num_entries == 0 && !image_formats.is_null()) {
        return Err(ClError::INVALID_VALUE);
    }
    // No device supports images, so no format is supported.
    checked::out(num_image_formats, 0);
    Ok(())
}

#[cl_entry(clGetImageInfo)]
fn get_image_info(
    image: cl_mem,
    _param_name: cl_image_info,
    _param_value_size: usize,
    _param_value: *mut c_void,
    _param_value_size_ret: *mut usize,
) -> Result<(), ClError> {
    // CL_INVALID_MEM_OBJECT if image is a not a valid image object.
    let _mem = borrow::<Mem>(image)?;
    Err(ClError::INVALID_MEM_OBJECT)
}

#[cl_entry(clCreateSampler)]
fn create_sampler(
    context: cl_context,
    _normalized_coords: cl_bool,
    _addressing_mode: cl_addressing_mode,
    _filter_mode: cl_filter_mode,
) -> Result<cl_sampler, ClError> {
    // CL_INVALID_CONTEXT if context is not a valid context.
    let _context = borrow::<Context>(context)?;
    // CL_INVALID_OPERATION if there are no devices in context that support images (CL_DEVICE_IMAGE_SUPPORT is CL_FALSE).
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clCreateSamplerWithProperties)]
fn create_sampler_with_properties(
    context: cl_context,
    _sampler_properties: *const cl_sampler_properties,
) -> Result<cl_sampler, ClError> {
    // CL_INVALID_CONTEXT if context is not a valid context.
    let _context = borrow::<Context>(context)?;
    // CL_INVALID_OPERATION if there are no devices in context that support images (CL_DEVICE_IMAGE_SUPPORT is CL_FALSE).
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clRetainSampler)]
fn retain_sampler(_sampler: cl_sampler) -> Result<(), ClError> {
    // CL_INVALID_SAMPLER if sampler is not a valid sampler object: there are none.
    Err(ClError::INVALID_SAMPLER)
}

#[cl_entry(clReleaseSampler)]
fn release_sampler(_sampler: cl_sampler) -> Result<(), ClError> {
    // CL_INVALID_SAMPLER if sampler is not a valid sampler object: there are none.
    Err(ClError::INVALID_SAMPLER)
}

#[cl_entry(clGetSamplerInfo)]
fn get_sampler_info(
    _sampler: cl_sampler,
    _param_name: cl_sampler_info,
    _param_value_size: usize,
    _param_value: *mut c_void,
    _param_value_size_ret: *mut usize,
) -> Result<(), ClError> {
    // CL_INVALID_SAMPLER if sampler is not a valid sampler object: there are none.
    Err(ClError::INVALID_SAMPLER)
}
