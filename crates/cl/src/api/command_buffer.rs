//! Command buffers: creation, finalization, enqueue and queries (`cl_khr_command_buffer`).
//!
//! Not here: recording (`command_buffer_record`), updates (`command_buffer_update`), copies for
//! other queues (`command_buffer_remap`).

use std::ffi::c_void;
use std::sync::Arc;

use muxcl_cl_macros::cl_entry;
use muxcl_cl_sys as sys;
use muxcl_cl_sys::{
    cl_command_buffer_info_khr, cl_command_buffer_khr, cl_command_buffer_properties_khr,
    cl_command_queue, cl_context, cl_device_id, cl_event, cl_uint,
};

use smallvec::SmallVec;

use super::enqueue::Enqueue;
use crate::checked;
use crate::core::command_buffer::{self, CommandBuffer};
use crate::core::device::Device;
use crate::core::platform::Platform;
use crate::core::queue::Queue;
use crate::error::{ClError, ClResult};
use crate::explain::violated;
use crate::info::InfoOut;
use crate::object::{self, Borrowed, ClObject as _, borrow};

const FLAGS: cl_command_buffer_properties_khr = sys::CL_COMMAND_BUFFER_FLAGS_KHR as _;
const ASSERTS: cl_command_buffer_properties_khr =
    sys::CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR as _;

/// Reads the properties of a command buffer: its flags, and the list for queries.
fn properties(
    list: *const cl_command_buffer_properties_khr,
) -> ClResult<(sys::cl_bitfield, Vec<cl_command_buffer_properties_khr>)> {
    // Every device supports all of them, so CL_INVALID_PROPERTY never occurs.
    const ALL: sys::cl_bitfield = sys::CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR
        | sys::CL_COMMAND_BUFFER_MUTABLE_KHR
        | sys::CL_COMMAND_BUFFER_DEVICE_SIDE_SYNC_KHR;
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
        if value & !known != 0 || slot.replace(value).is_some() {
            return Err(violated!(
                INVALID_VALUE,
                "if a property is unknown, has a bad value, or is there twice"
            ));
        }
    }
    Ok((flags.unwrap_or(0), raw))
}

fn root(device: &Arc<Device>) -> &Arc<Device> {
    device.parent().map_or(device, root)
}

/// `CL_DEVICE_COMMAND_BUFFER_SYNC_DEVICES_KHR`: devices that are the host's processor can wait for
/// each other by themselves. Others cannot: the driver orders their commands.
pub(super) fn sync_devices(device: &Device) -> ClResult<Vec<cl_device_id>> {
    if !device.info().can_import_host {
        return Ok(Vec::new());
    }
    let native = |d: &&Arc<Device>| d.info().can_import_host;
    Ok(Platform::get()?.devices().iter().filter(native).map(|d| d.handle()).collect())
}

/// The queues of a list, all of one context.
pub(super) fn queues(list: &[cl_command_queue]) -> ClResult<Vec<Borrowed<'_, Queue>>> {
    // CL_INVALID_COMMAND_QUEUE if any command-queue in queues is not a valid command-queue.
    let queues: Vec<_> = list.iter().map(|q| borrow::<Queue>(*q)).collect::<ClResult<_>>()?;
    let first = *queues.first().ok_or(ClError::INVALID_VALUE)?;
    for queue in &queues {
        queue.alive()?;
        if !queue.context().is(first.context()) {
            return Err(violated!(INVALID_CONTEXT, "if the queues belong to different contexts"));
        }
    }
    Ok(queues)
}

/// Checks that the devices of `queues` can do what the `flags` of their command buffer demand.
/// Every device supports several queues.
pub(super) fn can_sync(queues: &[Borrowed<'_, Queue>], flags: sys::cl_bitfield) -> ClResult<()> {
    // CL_INCOMPATIBLE_COMMAND_QUEUE_KHR if the CL_COMMAND_BUFFER_DEVICE_SIDE_SYNC_KHR flag is set,
    // and any device associated with a command-queue in queues cannot natively synchronize with the
    // other devices associated with queues.
    let Some(first) = queues.first().map(|queue| root(queue.device())) else { return Ok(()) };
    if flags & sys::CL_COMMAND_BUFFER_DEVICE_SIDE_SYNC_KHR != 0 {
        let natively = sync_devices(first)?;
        for queue in queues {
            let other = root(queue.device());
            if !other.is(first) && !natively.contains(&other.handle()) {
                return Err(ClError::INCOMPATIBLE_COMMAND_QUEUE_KHR);
            }
        }
    }
    Ok(())
}

#[cl_entry(clCreateCommandBufferKHR)]
fn create_command_buffer_khr(
    num_queues: cl_uint,
    queues: *const cl_command_queue,
    properties: *const cl_command_buffer_properties_khr,
) -> Result<cl_command_buffer_khr, ClError> {
    // CL_INVALID_VALUE if num_queues is zero or queues is NULL.
    let list = checked::slice(queues, num_queues as usize, ClError::INVALID_VALUE)?;
    let queues = self::queues(list)?;
    let (flags, raw) = self::properties(properties)?;
    can_sync(&queues, flags)?;
    let queues = queues.into_iter().map(Borrowed::keep).collect();
    Ok(CommandBuffer::new(queues, flags, raw)?.handle())
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

/// The queues to enqueue on: those of the list, or those that the command buffer was created for.
fn targets<'a>(
    buffer: &'a CommandBuffer,
    num_queues: cl_uint,
    queues: *mut cl_command_queue,
) -> ClResult<SmallVec<[Borrowed<'a, Queue>; 1]>> {
    // CL_INVALID_VALUE if queues is NULL and num_queues is > 0, or queues is not NULL and
    // num_queues is 0; or if num_queues is > 0 and not the same value as num_queues set on
    // command_buffer creation.
    let count = num_queues as usize;
    let list = checked::slice(queues.cast_const(), count, ClError::INVALID_VALUE)?;
    let recorded = buffer.queues();
    if list.is_empty() {
        return Ok(recorded.iter().map(Borrowed::of).collect());
    }
    if list.len() != recorded.len() {
        return Err(ClError::INVALID_VALUE);
    }
    // CL_INVALID_COMMAND_QUEUE if any element of queues is not a valid command-queue. Every queue
    // has the properties that CL_DEVICE_COMMAND_BUFFER_*_QUEUE_PROPERTIES_KHR name.
    let queues: SmallVec<[Borrowed<'a, Queue>; 1]> =
        list.iter().map(|queue| borrow::<Queue>(*queue)).collect::<ClResult<_>>()?;
    for (queue, recorded) in queues.iter().zip(recorded) {
        if !queue.context().is(buffer.context()) {
            return Err(violated!(
                INVALID_CONTEXT,
                "if a queue belongs to another context than the recorded one"
            ));
        }
        if !queue.device().is(recorded.device()) {
            return Err(violated!(
                INVALID_DEVICE,
                "if a queue belongs to another device than the recorded one"
            ));
        }
    }
    Ok(queues)
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
    let plan = buffer.plan()?;
    let queues = targets(buffer, num_queues, queues)?;
    queues.iter().try_for_each(|queue| queue.alive())?;
    let enqueue = Enqueue::on(queues[0], num_events_in_wait_list, event_wait_list, event)?;
    if let ([_], [all]) = (&queues[..], &plan.segments[..]) {
        let request =
            enqueue.request(sys::CL_COMMAND_COMMAND_BUFFER_KHR, false, all.commands.len());
        return enqueue.submit(request, |commands| commands.append(&all.commands));
    }
    let whole = command_buffer::enqueue(&plan, &queues, &enqueue.waits, !event.is_null())?;
    checked::out(event, whole);
    Ok(())
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
        sys::CL_COMMAND_BUFFER_NUM_QUEUES_KHR => {
            let count = buffer.queues().len();
            out.write(cl_uint::try_from(count).unwrap_or(cl_uint::MAX))
        }
        sys::CL_COMMAND_BUFFER_QUEUES_KHR => {
            let queues: Vec<_> = buffer.queues().iter().map(|queue| queue.handle()).collect();
            out.write_slice(&queues)
        }
        sys::CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR => {
            out.write::<cl_uint>(object::references(&*buffer))
        }
        sys::CL_COMMAND_BUFFER_STATE_KHR => out.write::<cl_uint>(buffer.status()),
        sys::CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR => out.write_slice(buffer.properties()),
        sys::CL_COMMAND_BUFFER_CONTEXT_KHR => out.write::<cl_context>(buffer.context().handle()),
        _ => Err(violated!(INVALID_VALUE, "if param_name is no query of this call")),
    }?;
    Ok(())
}
