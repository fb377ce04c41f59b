//! Markers, barriers and migration (specification, sections 5.4.4 and 5.13).

use std::sync::Arc;

use muxcl_cl_macros::cl_entry;
use muxcl_cl_sys as sys;
use muxcl_cl_sys::{
    cl_command_queue, cl_command_type, cl_event, cl_mem, cl_mem_migration_flags, cl_uint,
};

use super::enqueue::{Enqueue, Migrations};
use crate::checked;
use crate::core::queue::{CommandRequest, SyncRole};
use crate::core::storage::{Access, MigrationList};
use crate::error::{ClError, ClResult};
use crate::explain::violated;

/// Enqueues a marker or a barrier.
fn synchronize(enqueue: &Enqueue<'_>, command: cl_command_type, sync: SyncRole) -> ClResult<()> {
    let request = CommandRequest { sync, ..enqueue.request(command, false, 0) };
    enqueue.submit(request, |_| Ok(()))
}

#[cl_entry(clEnqueueMarkerWithWaitList)]
fn enqueue_marker_with_wait_list(
    command_queue: cl_command_queue,
    num_events_in_wait_list: cl_uint,
    event_wait_list: *const cl_event,
    event: *mut cl_event,
) -> Result<(), ClError> {
    let enqueue = Enqueue::new(command_queue, num_events_in_wait_list, event_wait_list, event)?;
    synchronize(&enqueue, sys::CL_COMMAND_MARKER, SyncRole::Marker)
}

#[cl_entry(clEnqueueBarrierWithWaitList)]
fn enqueue_barrier_with_wait_list(
    command_queue: cl_command_queue,
    num_events_in_wait_list: cl_uint,
    event_wait_list: *const cl_event,
    event: *mut cl_event,
) -> Result<(), ClError> {
    let enqueue = Enqueue::new(command_queue, num_events_in_wait_list, event_wait_list, event)?;
    synchronize(&enqueue, sys::CL_COMMAND_BARRIER, SyncRole::Barrier)
}

#[cl_entry(clEnqueueMarker)]
fn enqueue_marker(command_queue: cl_command_queue, event: *mut cl_event) -> Result<(), ClError> {
    let enqueue = Enqueue::new(command_queue, 0, std::ptr::null(), event)?;
    if event.is_null() {
        return Err(violated!(INVALID_VALUE, "if event is NULL"));
    }
    synchronize(&enqueue, sys::CL_COMMAND_MARKER, SyncRole::Marker)
}

#[cl_entry(clEnqueueBarrier)]
fn enqueue_barrier(command_queue: cl_command_queue) -> Result<(), ClError> {
    let enqueue = Enqueue::new(command_queue, 0, std::ptr::null(), std::ptr::null_mut())?;
    synchronize(&enqueue, sys::CL_COMMAND_BARRIER, SyncRole::Barrier)
}

#[cl_entry(clEnqueueWaitForEvents)]
fn enqueue_wait_for_events(
    command_queue: cl_command_queue,
    num_events: cl_uint,
    event_list: *const cl_event,
) -> Result<(), ClError> {
    crate::object::borrow::<crate::core::queue::Queue>(command_queue)?;
    // CL_INVALID_VALUE if num_events is zero or event_list is NULL; CL_INVALID_EVENT if an event is
    // not valid.
    super::event::list(num_events, event_list)?;
    let enqueue = Enqueue::new(command_queue, num_events, event_list, std::ptr::null_mut())?;
    synchronize(&enqueue, sys::CL_COMMAND_BARRIER, SyncRole::Barrier)
}

#[cl_entry(clEnqueueMigrateMemObjects)]
fn enqueue_migrate_mem_objects(
    command_queue: cl_command_queue,
    num_mem_objects: cl_uint,
    mem_objects: *const cl_mem,
    flags: cl_mem_migration_flags,
    num_events_in_wait_list: cl_uint,
    event_wait_list: *const cl_event,
    event: *mut cl_event,
) -> Result<(), ClError> {
    let enqueue = Enqueue::new(command_queue, num_events_in_wait_list, event_wait_list, event)?;
    if num_mem_objects == 0 {
        return Err(violated!(INVALID_VALUE, "if mem_objects is NULL or num_mem_objects is 0"));
    }
    let handles = checked::slice(mem_objects, num_mem_objects as usize, ClError::INVALID_VALUE)?;
    if flags & !(sys::CL_MIGRATE_MEM_OBJECT_HOST | sys::CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED)
        != 0
    {
        return Err(violated!(INVALID_VALUE, "if flags has bits without a meaning"));
    }
    let undefined = flags & sys::CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED != 0;
    let access = if undefined { Access::Replace } else { Access::Read };
    let mut uses = Vec::new();
    uses.try_reserve_exact(handles.len())?;
    for &handle in handles {
        let mem = enqueue.any_mem(handle)?;
        // Allocates the device's buffer, so that this call reports a failed allocation.
        enqueue.buffer(&mem)?;
        if !mem.storage().tracked() {
            continue;
        }
        let domain = if flags & sys::CL_MIGRATE_MEM_OBJECT_HOST != 0 {
            mem.storage().host_base()?;
            mem.storage().host_domain()
        } else {
            mem.storage().domain_of(enqueue.queue.device_index())
        };
        uses.extend(mem.migration(domain, 0, mem.size(), access));
    }
    // Devices that share the host's memory move nothing.
    let migrations = Migrations::from((!uses.is_empty()).then(|| Arc::new(MigrationList(uses))));
    let request =
        enqueue.request(sys::CL_COMMAND_MIGRATE_MEM_OBJECTS, false, migrations.commands());
    enqueue.submit(request, |commands| migrations.record(commands, 0))
}
