//! Command buffers: creation, finalization, enqueue and queries (`cl_khr_command_buffer`).
//!
//! Not here: recording (`command_buffer_record`), updates (`command_buffer_update`).

use std::ffi::c_void;

use muxcl_cl_macros::cl_entry;
use muxcl_cl_sys as sys;
use muxcl_cl_sys::{
    cl_command_buffer_info_khr, cl_command_buffer_khr, cl_command_buffer_properties_khr,
    cl_command_queue, cl_context, cl_event, cl_uint,
};

use super::enqueue::Enqueue;
use crate::checked;
use crate::core::command_buffer::CommandBuffer;
use crate::core::queue::Queue;
use crate::error::{ClError, ClResult};
use crate::info::InfoOut;
use crate::object::{self, Borrowed, ClObject as _, borrow};

const FLAGS: cl_command_buffer_properties_khr = sys::CL_COMMAND_BUFFER_FLAGS_KHR as _;
const ASSERTS: cl_command_buffer_properties_khr =
    sys::CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR as _;

/// Reads the properties of a command buffer: its flags, and the list for queries.
fn properties(
    list: *const cl_command_buffer_properties_khr,
) -> ClResult<(sys::cl_bitfield, Vec<cl_command_buffer_properties_khr>)> {
    const OURS: sys::cl_bitfield =
        sys::CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR | sys::CL_COMMAND_BUFFER_MUTABLE_KHR;
    const ALL: sys::cl_bitfield = OURS | sys::CL_COMMAND_BUFFER_DEVICE_SIDE_SYNC_KHR;
    let (pairs, raw) = checked::properties(list)?;
    let (mut flags, mut asserts) = (None, None);
    for (name, value) in pairs {
        let (known, slot) = match name {
            FLAGS => (ALL, &mut flags),
            ASSERTS => {
                (sys::CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR, &mut asserts)
            }
            _ => return Err(ClError::INVALID_VALUE),
        };
        // CL_INVALID_VALUE if values specified in properties are not valid, or if the same property
        // name is specified more than once.
        if value & !known != 0 || slot.replace(value).is_some() {
            return Err(ClError::INVALID_VALUE);
        }
    }
    // CL_INVALID_PROPERTY if values specified in properties are valid but are not supported by all
    // the devices associated with command-queues in queues.
    let flags = flags.unwrap_or(0);
    if flags & !OURS != 0 { Err(ClError::INVALID_PROPERTY) } else { Ok((flags, raw)) }
}

#[cl_entry(clCreateCommandBufferKHR)]
fn create_command_buffer_khr(
    num_queues: cl_uint,
    queues: *const cl_command_queue,
    properties: *const cl_command_buffer_properties_khr,
) -> Result<cl_command_buffer_khr, ClError> {
    // CL_INVALID_VALUE if queues is NULL, or if the cl_khr_command_buffer_multi_device extension is
    // not supported and num_queues is not one.
    let list = checked::slice(queues, num_queues as usize, ClError::INVALID_VALUE)?;
    let &[queue] = list else { return Err(ClError::INVALID_VALUE) };
    // CL_INVALID_COMMAND_QUEUE if any command-queue in queues is not a valid command-queue.
    let queue = borrow::<Queue>(queue)?;
    queue.alive()?;
    let (flags, raw) = self::properties(properties)?;
    Ok(CommandBuffer::new(queue.keep(), flags, raw)?.handle())
}

#[cl_entry(clRetainCommandBufferKHR)]
fn retain_command_buffer_khr(command_buffer: cl_command_buffer_khr) -> Result<(), ClError> {
    // CL_INVALID_COMMAND_BUFFER_KHR if command_buffer is not a valid command-buffer.
    object::retain::<CommandBuffer>(command_buffer)
}

#[cl_entry(clReleaseCommandBufferKHR)]
fn release_command_buffer_khr(command_buffer: cl_command_buffer_khr) -> Result<(), ClError> {
    // CL_INVALID_COMMAND_BUFFER_KHR if command_buffer is not a valid command-buffer.
    object::release::<CommandBuffer>(command_buffer)
}

#[cl_entry(clFinalizeCommandBufferKHR)]
fn finalize_command_buffer_khr(command_buffer: cl_command_buffer_khr) -> Result<(), ClError> {
    // CL_INVALID_COMMAND_BUFFER_KHR if command_buffer is not a valid command-buffer.
    // CL_INVALID_OPERATION if command_buffer is not in the Recording state.
    borrow::<CommandBuffer>(command_buffer)?.finalize()
}

/// The queue to enqueue on: that of the list, or the one that the command buffer was created for.
fn queue<'a>(
    buffer: &'a CommandBuffer,
    num_queues: cl_uint,
    queues: *mut cl_command_queue,
) -> ClResult<Borrowed<'a, Queue>> {
    // CL_INVALID_VALUE if queues is NULL and num_queues is > 0, or queues is not NULL and
    // num_queues is 0; or if num_queues is > 0 and not the same value as num_queues set on
    // command_buffer creation.
    let count = num_queues as usize;
    let list = checked::slice(queues.cast_const(), count, ClError::INVALID_VALUE)?;
    let recorded = Borrowed::of(buffer.queue());
    let queue = match list {
        [] => return Ok(recorded),
        // CL_INVALID_COMMAND_QUEUE if any element of queues is not a valid command-queue. Every
        // queue has the properties that CL_DEVICE_COMMAND_BUFFER_*_QUEUE_PROPERTIES_KHR name.
        &[queue] => borrow::<Queue>(queue)?,
        _ => return Err(ClError::INVALID_VALUE),
    };
    // CL_INVALID_CONTEXT if any element of queues does not have the same context as the
    // command-queue set on command_buffer creation at the same list index.
    if !queue.context().is(buffer.context()) {
        return Err(ClError::INVALID_CONTEXT);
    }
    // CL_INVALID_DEVICE if any element of queues does not have the same device as the command-queue
    // set on command_buffer creation at the same list index.
    if !queue.device().is(recorded.device()) {
        return Err(ClError::INVALID_DEVICE);
    }
    Ok(queue)
}

#[cl_entry(clEnqueueCommandBufferKHR)]
fn enqueue_command_buffer_khr(
    num_queues: cl_uint,
    queues: *mut cl_command_queue,
    command_buffer: cl_command_buffer_khr,
    num_events_in_wait_list: cl_uint,
    event_wait_list: *const cl_event,
    event: *mut cl_event,
) -> Result<(), ClError> {
    // CL_INVALID_COMMAND_BUFFER_KHR if command_buffer is not a valid command-buffer.
    let buffer = borrow::<CommandBuffer>(command_buffer)?.get();
    // CL_INVALID_OPERATION if command_buffer is not in the Executable state.
    let joined = buffer.joined()?;
    let queue = queue(buffer, num_queues, queues)?;
    queue.alive()?;
    let enqueue = Enqueue::on(queue, num_events_in_wait_list, event_wait_list, event)?;
    let request = enqueue.request(sys::CL_COMMAND_COMMAND_BUFFER_KHR, false, joined.len());
    enqueue.submit(request, |commands| commands.append(&joined))
}

#[cl_entry(clGetCommandBufferInfoKHR)]
fn get_command_buffer_info_khr(
    command_buffer: cl_command_buffer_khr,
    param_name: cl_command_buffer_info_khr,
    param_value_size: usize,
    param_value: *mut c_void,
    param_value_size_ret: *mut usize,
) -> Result<(), ClError> {
    // CL_INVALID_COMMAND_BUFFER_KHR if command_buffer is not a valid command-buffer.
    let buffer = borrow::<CommandBuffer>(command_buffer)?;
    let out = InfoOut::new(param_value_size, param_value, param_value_size_ret);
    let _written = match param_name {
        sys::CL_COMMAND_BUFFER_NUM_QUEUES_KHR => out.write::<cl_uint>(1),
        sys::CL_COMMAND_BUFFER_QUEUES_KHR => out.write::<cl_command_queue>(buffer.queue().handle()),
        sys::CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR => {
            out.write::<cl_uint>(object::references(&*buffer))
        }
        sys::CL_COMMAND_BUFFER_STATE_KHR => out.write::<cl_uint>(buffer.status()),
        sys::CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR => out.write_slice(buffer.properties()),
        sys::CL_COMMAND_BUFFER_CONTEXT_KHR => out.write::<cl_context>(buffer.context().handle()),
        // CL_INVALID_VALUE if param_name is not one of the supported values.
        _ => Err(ClError::INVALID_VALUE),
    }?;
    Ok(())
}
