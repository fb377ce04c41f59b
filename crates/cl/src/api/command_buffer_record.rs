//! The entry points that record a command in a command buffer (`cl_khr_command_buffer`).
//!
//! Each command is the one of the same name that a queue runs, checked by the same code. It waits
//! for sync points instead of events.

use std::ffi::c_void;

use muxcl_cl_macros::cl_entry;
use muxcl_cl_sys as sys;
use muxcl_cl_sys::{
    cl_bitfield, cl_command_buffer_khr, cl_command_properties_khr, cl_command_queue, cl_kernel,
    cl_mem, cl_mutable_command_khr, cl_sync_point_khr, cl_uint,
};

use super::enqueue::{Enqueue, Recording};
use super::enqueue_buffer::{RectCopy, copy_buffer, copy_buffer_rect, fill_buffer};
use super::enqueue_image::{copy_buffer_to_image, copy_image, copy_image_to_buffer, fill_image};
use super::enqueue_kernel::{RecordableLaunch, requested_sizes};
use super::svm;
use crate::checked;
use crate::core::command_buffer::{CommandBuffer, MutableCommand};
use crate::core::device::Device;
use crate::core::kernel::Kernel;
use crate::error::{ClError, ClResult};
use crate::object::{ClObject as _, borrow};

/// `CL_DEVICE_MUTABLE_DISPATCH_CAPABILITIES_KHR`: everything that an update can change.
pub(super) const MUTABLE_FIELDS: cl_bitfield = sys::CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR
    | sys::CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR
    | sys::CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR
    | sys::CL_MUTABLE_DISPATCH_ARGUMENTS_KHR
    | sys::CL_MUTABLE_DISPATCH_EXEC_INFO_KHR;

/// The place of a command in a command buffer. Checks what all commands have.
fn recording<'a>(
    command_buffer: cl_command_buffer_khr,
    command_queue: cl_command_queue,
    num_sync_points_in_wait_list: cl_uint,
    sync_point_wait_list: *const cl_sync_point_khr,
    sync_point: *mut cl_sync_point_khr,
) -> ClResult<Recording<'a>> {
    // CL_INVALID_COMMAND_BUFFER_KHR if command_buffer is not a valid command-buffer.
    let buffer = borrow::<CommandBuffer>(command_buffer)?;
    // CL_INVALID_COMMAND_QUEUE if the cl_khr_command_buffer_multi_device extension is not supported
    // and command_queue is not NULL.
    if !command_queue.is_null() {
        return Err(ClError::INVALID_COMMAND_QUEUE);
    }
    buffer.queue().alive()?;
    // CL_INVALID_SYNC_POINT_WAIT_LIST_KHR if sync_point_wait_list is NULL and
    // num_sync_points_in_wait_list is > 0, or sync_point_wait_list is not NULL and
    // num_sync_points_in_wait_list is 0, or if synchronization-point objects in
    // sync_point_wait_list are not valid synchronization-points.
    let count = num_sync_points_in_wait_list as usize;
    let invalid = ClError::INVALID_SYNC_POINT_WAIT_LIST_KHR;
    let waits = checked::slice(sync_point_wait_list, count, invalid)?;
    // CL_INVALID_OPERATION if command_buffer has been finalized.
    buffer.may_record(waits)?;
    Ok(Recording { buffer, sync_point })
}

/// A command that no update can change.
fn unchanging<'a>(
    recording: Recording<'a>,
    properties: *const cl_command_properties_khr,
    mutable_handle: *mut cl_mutable_command_khr,
) -> ClResult<Enqueue<'a>> {
    // CL_INVALID_VALUE if values specified in properties are not valid: there is no property.
    if !checked::properties(properties)?.0.is_empty() {
        return Err(ClError::INVALID_VALUE);
    }
    // CL_INVALID_VALUE if mutable_handle is not NULL.
    if !mutable_handle.is_null() {
        return Err(ClError::INVALID_VALUE);
    }
    Ok(Enqueue::recorded(recording))
}

#[cl_entry(clCommandBarrierWithWaitListKHR)]
fn command_barrier_with_wait_list_khr(
    command_buffer: cl_command_buffer_khr,
    command_queue: cl_command_queue,
    properties: *const cl_command_properties_khr,
    num_sync_points_in_wait_list: cl_uint,
    sync_point_wait_list: *const cl_sync_point_khr,
    sync_point: *mut cl_sync_point_khr,
    mutable_handle: *mut cl_mutable_command_khr,
) -> Result<(), ClError> {
    let (count, waits) = (num_sync_points_in_wait_list, sync_point_wait_list);
    let place = recording(command_buffer, command_queue, count, waits, sync_point)?;
    let command = unchanging(place, properties, mutable_handle)?;
    // The commands run in their order anyway.
    command.submit(command.request(sys::CL_COMMAND_BARRIER, false, 0), |_| Ok(()))
}

#[cl_entry(clCommandCopyBufferKHR)]
fn command_copy_buffer_khr(
    command_buffer: cl_command_buffer_khr,
    command_queue: cl_command_queue,
    properties: *const cl_command_properties_khr,
    src_buffer: cl_mem,
    dst_buffer: cl_mem,
    src_offset: usize,
    dst_offset: usize,
    size: usize,
    num_sync_points_in_wait_list: cl_uint,
    sync_point_wait_list: *const cl_sync_point_khr,
    sync_point: *mut cl_sync_point_khr,
    mutable_handle: *mut cl_mutable_command_khr,
) -> Result<(), ClError> {
    let (count, waits) = (num_sync_points_in_wait_list, sync_point_wait_list);
    let place = recording(command_buffer, command_queue, count, waits, sync_point)?;
    let command = unchanging(place, properties, mutable_handle)?;
    copy_buffer(&command, src_buffer, dst_buffer, src_offset, dst_offset, size)
}

#[cl_entry(clCommandCopyBufferRectKHR)]
fn command_copy_buffer_rect_khr(
    command_buffer: cl_command_buffer_khr,
    command_queue: cl_command_queue,
    properties: *const cl_command_properties_khr,
    src_buffer: cl_mem,
    dst_buffer: cl_mem,
    src_origin: *const usize,
    dst_origin: *const usize,
    region: *const usize,
    src_row_pitch: usize,
    src_slice_pitch: usize,
    dst_row_pitch: usize,
    dst_slice_pitch: usize,
    num_sync_points_in_wait_list: cl_uint,
    sync_point_wait_list: *const cl_sync_point_khr,
    sync_point: *mut cl_sync_point_khr,
    mutable_handle: *mut cl_mutable_command_khr,
) -> Result<(), ClError> {
    let (count, waits) = (num_sync_points_in_wait_list, sync_point_wait_list);
    let place = recording(command_buffer, command_queue, count, waits, sync_point)?;
    let command = unchanging(place, properties, mutable_handle)?;
    let at = RectCopy {
        origins: [src_origin, dst_origin],
        region,
        row_pitches: [src_row_pitch, dst_row_pitch],
        slice_pitches: [src_slice_pitch, dst_slice_pitch],
    };
    copy_buffer_rect(&command, src_buffer, dst_buffer, &at)
}

#[cl_entry(clCommandCopyBufferToImageKHR)]
fn command_copy_buffer_to_image_khr(
    command_buffer: cl_command_buffer_khr,
    command_queue: cl_command_queue,
    properties: *const cl_command_properties_khr,
    src_buffer: cl_mem,
    dst_image: cl_mem,
    src_offset: usize,
    dst_origin: *const usize,
    region: *const usize,
    num_sync_points_in_wait_list: cl_uint,
    sync_point_wait_list: *const cl_sync_point_khr,
    sync_point: *mut cl_sync_point_khr,
    mutable_handle: *mut cl_mutable_command_khr,
) -> Result<(), ClError> {
    let (count, waits) = (num_sync_points_in_wait_list, sync_point_wait_list);
    let place = recording(command_buffer, command_queue, count, waits, sync_point)?;
    let command = unchanging(place, properties, mutable_handle)?;
    copy_buffer_to_image(&command, src_buffer, dst_image, src_offset, dst_origin, region)
}

#[cl_entry(clCommandCopyImageKHR)]
fn command_copy_image_khr(
    command_buffer: cl_command_buffer_khr,
    command_queue: cl_command_queue,
    properties: *const cl_command_properties_khr,
    src_image: cl_mem,
    dst_image: cl_mem,
    src_origin: *const usize,
    dst_origin: *const usize,
    region: *const usize,
    num_sync_points_in_wait_list: cl_uint,
    sync_point_wait_list: *const cl_sync_point_khr,
    sync_point: *mut cl_sync_point_khr,
    mutable_handle: *mut cl_mutable_command_khr,
) -> Result<(), ClError> {
    let (count, waits) = (num_sync_points_in_wait_list, sync_point_wait_list);
    let place = recording(command_buffer, command_queue, count, waits, sync_point)?;
    let command = unchanging(place, properties, mutable_handle)?;
    copy_image(&command, src_image, dst_image, src_origin, dst_origin, region)
}

#[cl_entry(clCommandCopyImageToBufferKHR)]
fn command_copy_image_to_buffer_khr(
    command_buffer: cl_command_buffer_khr,
    command_queue: cl_command_queue,
    properties: *const cl_command_properties_khr,
    src_image: cl_mem,
    dst_buffer: cl_mem,
    src_origin: *const usize,
    region: *const usize,
    dst_offset: usize,
    num_sync_points_in_wait_list: cl_uint,
    sync_point_wait_list: *const cl_sync_point_khr,
    sync_point: *mut cl_sync_point_khr,
    mutable_handle: *mut cl_mutable_command_khr,
) -> Result<(), ClError> {
    let (count, waits) = (num_sync_points_in_wait_list, sync_point_wait_list);
    let place = recording(command_buffer, command_queue, count, waits, sync_point)?;
    let command = unchanging(place, properties, mutable_handle)?;
    copy_image_to_buffer(&command, src_image, dst_buffer, src_origin, region, dst_offset)
}

#[cl_entry(clCommandFillBufferKHR)]
fn command_fill_buffer_khr(
    command_buffer: cl_command_buffer_khr,
    command_queue: cl_command_queue,
    properties: *const cl_command_properties_khr,
    buffer: cl_mem,
    pattern: *const c_void,
    pattern_size: usize,
    offset: usize,
    size: usize,
    num_sync_points_in_wait_list: cl_uint,
    sync_point_wait_list: *const cl_sync_point_khr,
    sync_point: *mut cl_sync_point_khr,
    mutable_handle: *mut cl_mutable_command_khr,
) -> Result<(), ClError> {
    let (count, waits) = (num_sync_points_in_wait_list, sync_point_wait_list);
    let place = recording(command_buffer, command_queue, count, waits, sync_point)?;
    let command = unchanging(place, properties, mutable_handle)?;
    fill_buffer(&command, buffer, pattern, pattern_size, offset, size)
}

#[cl_entry(clCommandFillImageKHR)]
fn command_fill_image_khr(
    command_buffer: cl_command_buffer_khr,
    command_queue: cl_command_queue,
    properties: *const cl_command_properties_khr,
    image: cl_mem,
    fill_color: *const c_void,
    origin: *const usize,
    region: *const usize,
    num_sync_points_in_wait_list: cl_uint,
    sync_point_wait_list: *const cl_sync_point_khr,
    sync_point: *mut cl_sync_point_khr,
    mutable_handle: *mut cl_mutable_command_khr,
) -> Result<(), ClError> {
    let (count, waits) = (num_sync_points_in_wait_list, sync_point_wait_list);
    let place = recording(command_buffer, command_queue, count, waits, sync_point)?;
    let command = unchanging(place, properties, mutable_handle)?;
    fill_image(&command, image, fill_color, origin, region)
}

#[cl_entry(clCommandSVMMemcpyKHR)]
fn command_svm_memcpy_khr(
    command_buffer: cl_command_buffer_khr,
    command_queue: cl_command_queue,
    properties: *const cl_command_properties_khr,
    dst_ptr: *mut c_void,
    src_ptr: *const c_void,
    size: usize,
    num_sync_points_in_wait_list: cl_uint,
    sync_point_wait_list: *const cl_sync_point_khr,
    sync_point: *mut cl_sync_point_khr,
    mutable_handle: *mut cl_mutable_command_khr,
) -> Result<(), ClError> {
    let (count, waits) = (num_sync_points_in_wait_list, sync_point_wait_list);
    let place = recording(command_buffer, command_queue, count, waits, sync_point)?;
    let command = unchanging(place, properties, mutable_handle)?.if_device(Device::has_svm)?;
    svm::copy(&command, sys::CL_COMMAND_SVM_MEMCPY, false, dst_ptr, src_ptr, size)
}

#[cl_entry(clCommandSVMMemFillKHR)]
fn command_svm_mem_fill_khr(
    command_buffer: cl_command_buffer_khr,
    command_queue: cl_command_queue,
    properties: *const cl_command_properties_khr,
    svm_ptr: *mut c_void,
    pattern: *const c_void,
    pattern_size: usize,
    size: usize,
    num_sync_points_in_wait_list: cl_uint,
    sync_point_wait_list: *const cl_sync_point_khr,
    sync_point: *mut cl_sync_point_khr,
    mutable_handle: *mut cl_mutable_command_khr,
) -> Result<(), ClError> {
    let (count, waits) = (num_sync_points_in_wait_list, sync_point_wait_list);
    let place = recording(command_buffer, command_queue, count, waits, sync_point)?;
    let command = unchanging(place, properties, mutable_handle)?.if_device(Device::has_svm)?;
    svm::fill(&command, sys::CL_COMMAND_SVM_MEMFILL, svm_ptr, pattern, pattern_size, size)
}

/// Reads the properties of a kernel launch: the fields that updates may change, or `None` if the
/// application did not name them; and the list for queries.
fn launch_properties(
    list: *const cl_command_properties_khr,
) -> ClResult<(Option<cl_bitfield>, Vec<cl_command_properties_khr>)> {
    const FIELDS: cl_command_properties_khr = sys::CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR as _;
    const ASSERTS: cl_command_properties_khr = sys::CL_MUTABLE_DISPATCH_ASSERTS_KHR as _;
    let (pairs, raw) = checked::properties(list)?;
    let (mut fields, mut asserts) = (None, None);
    for (name, value) in pairs {
        // CL_INVALID_VALUE if values specified in properties are not valid.
        let (known, slot) = match name {
            FIELDS => (MUTABLE_FIELDS, &mut fields),
            ASSERTS => {
                (sys::CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR, &mut asserts)
            }
            _ => return Err(ClError::INVALID_VALUE),
        };
        if value & !known != 0 || slot.replace(value).is_some() {
            return Err(ClError::INVALID_VALUE);
        }
    }
    Ok((fields, raw))
}

#[cl_entry(clCommandNDRangeKernelKHR)]
fn command_nd_range_kernel_khr(
    command_buffer: cl_command_buffer_khr,
    command_queue: cl_command_queue,
    properties: *const cl_command_properties_khr,
    kernel: cl_kernel,
    work_dim: cl_uint,
    global_work_offset: *const usize,
    global_work_size: *const usize,
    local_work_size: *const usize,
    num_sync_points_in_wait_list: cl_uint,
    sync_point_wait_list: *const cl_sync_point_khr,
    sync_point: *mut cl_sync_point_khr,
    mutable_handle: *mut cl_mutable_command_khr,
) -> Result<(), ClError> {
    let (count, waits) = (num_sync_points_in_wait_list, sync_point_wait_list);
    let place = recording(command_buffer, command_queue, count, waits, sync_point)?;
    let (fields, raw) = launch_properties(properties)?;
    // CL_INVALID_KERNEL if kernel is not a valid kernel object.
    let kernel = borrow::<Kernel>(kernel)?;
    // CL_INVALID_CONTEXT if the context associated with command_buffer and kernel is not the same.
    if !kernel.context().is(place.buffer.context()) {
        return Err(ClError::INVALID_CONTEXT);
    }
    let index = place.buffer.queue().device_index();
    let arguments = kernel.check_arguments(index);
    // CL_INVALID_KERNEL_ARGS if the kernel argument values have not been specified and the
    // CL_MUTABLE_DISPATCH_ARGUMENTS_KHR flag was not set in the properties parameter.
    let later = place.buffer.is_mutable()
        && fields.is_some_and(|f| f & sys::CL_MUTABLE_DISPATCH_ARGUMENTS_KHR != 0)
        && arguments == Err(ClError::INVALID_KERNEL_ARGS);
    if !later {
        arguments?;
    }
    let sizes = requested_sizes(work_dim, global_work_offset, global_work_size, local_work_size)?;
    let commands = if later {
        kernel.sizes(place.buffer.queue().device(), index, &sizes, true)?;
        None
    } else {
        let launch = RecordableLaunch::new(&kernel, index, &sizes)?;
        Some(place.commands(|list| launch.record(list))?)
    };
    let handle = if mutable_handle.is_null() {
        None
    } else {
        let fields = fields.unwrap_or(MUTABLE_FIELDS);
        Some(MutableCommand::new(place.buffer, kernel.keep(), sizes, raw, fields)?)
    };
    let recorded = place.record(commands, handle.clone());
    if let Some(handle) = handle {
        match recorded {
            Ok(()) => checked::out(mutable_handle, handle.handle()),
            Err(_) => crate::object::release::<MutableCommand>(handle.handle())?,
        }
    }
    recorded
}
