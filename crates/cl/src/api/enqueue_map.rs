//! Mapping and unmapping buffers (specification, sections 5.2.4 and 5.5.2).
//!
//! On a device that shares the host's memory a map returns a pointer into the buffer and moves
//! nothing. In a context with memory domains the pointer is into the host's domain: a map moves the
//! content there, an unmap after writing makes the host's copy the only current one, and the next
//! command in another domain moves the content back.

use std::ffi::c_void;

use muxcl_cl_macros::cl_entry;
use muxcl_cl_sys as sys;
use muxcl_cl_sys::{cl_bool, cl_command_queue, cl_event, cl_map_flags, cl_mem, cl_uint};
use muxcl_mux::{Buffer, HostMut, HostRef};

use super::enqueue::{Enqueue, Migrations};
use super::enqueue_buffer::{NO_READ, NO_WRITE, host_may, in_bounds};
use crate::checked::HostPtr;
use crate::core::memory::{MAP_WRITES, MapArea, Mem};
use crate::core::storage::Access;
use crate::error::ClError;

/// The relation between the bytes at the application's pointer and those of the buffer.
pub(super) enum MapCoherence {
    /// The same bytes, coherent between host and device.
    Shared,
    /// The same bytes, but caches must be flushed.
    Flushed,
    /// Different bytes.
    Copied,
    /// Bytes in the host's memory domain; the storage records which copies are current.
    Tracked,
}

/// Compares the application's pointer with the address of the buffer's bytes from `offset` on.
pub(super) fn kind(
    enqueue: &Enqueue<'_>,
    mem: &Mem,
    buffer: &Buffer,
    offset: usize,
    pointer: HostPtr,
) -> MapCoherence {
    if mem.storage().tracked() {
        return MapCoherence::Tracked;
    }
    let same = buffer.host_ptr().is_some_and(|base| base.wrapping_add(offset).cast() == pointer.0);
    match (same, enqueue.queue.device().info().host_unified_memory) {
        (true, true) => MapCoherence::Shared,
        (true, false) => MapCoherence::Flushed,
        (false, _) => MapCoherence::Copied,
    }
}

#[cl_entry(clEnqueueMapBuffer)]
fn enqueue_map_buffer(
    command_queue: cl_command_queue,
    buffer: cl_mem,
    blocking_map: cl_bool,
    map_flags: cl_map_flags,
    offset: usize,
    size: usize,
    num_events_in_wait_list: cl_uint,
    event_wait_list: *const cl_event,
    event: *mut cl_event,
) -> Result<*mut c_void, ClError> {
    let enqueue = Enqueue::new(command_queue, num_events_in_wait_list, event_wait_list, event)?;
    let mem = enqueue.mem(buffer)?;
    // CL_INVALID_VALUE if region being mapped given by (offset, size) is out of bounds or if size
    // is 0 or if values specified in map_flags are not valid: CL_MAP_READ or CL_MAP_WRITE and
    // CL_MAP_WRITE_INVALIDATE_REGION are mutually exclusive.
    in_bounds(&mem, offset, size)?;
    let invalidate = map_flags & sys::CL_MAP_WRITE_INVALIDATE_REGION != 0;
    if size == 0
        || map_flags & !(sys::CL_MAP_READ | MAP_WRITES) != 0
        || (invalidate && map_flags & (sys::CL_MAP_READ | sys::CL_MAP_WRITE) != 0)
    {
        return Err(ClError::INVALID_VALUE);
    }
    // CL_INVALID_OPERATION if buffer has been created with CL_MEM_HOST_WRITE_ONLY or
    // CL_MEM_HOST_NO_ACCESS and CL_MAP_READ is set in map_flags or if buffer has been created with
    // CL_MEM_HOST_READ_ONLY or CL_MEM_HOST_NO_ACCESS and CL_MAP_WRITE or
    // CL_MAP_WRITE_INVALIDATE_REGION is set in map_flags, or if it was created with
    // CL_MEM_IMMUTABLE_EXT and one of the latter is set.
    if map_flags & sys::CL_MAP_READ != 0 {
        host_may(&mem, NO_READ)?;
    }
    if map_flags & MAP_WRITES != 0 {
        host_may(&mem, NO_WRITE)?;
    }
    let buffer = enqueue.buffer(&mem)?;
    let domain = mem.storage().host_domain();
    let migration =
        if invalidate { None } else { mem.migration(domain, offset, size, Access::Read) };
    let migrations = Migrations::of([migration])?;
    // CL_INVALID_OPERATION if mapping would lead to overlapping regions being mapped for writing.
    // CL_MAP_FAILURE if there is a failure to map the requested region into the host address space.
    let area = MapArea::bytes(offset, size);
    let pointer = mem.map(enqueue.queue.device_index(), (offset, size), area, map_flags)?;
    let kind = kind(&enqueue, &mem, &buffer, offset, pointer);
    let moves = !invalidate && matches!(kind, MapCoherence::Flushed | MapCoherence::Copied);
    let blocking = blocking_map != sys::CL_FALSE;
    let result = if let Some(place) = enqueue.try_run_on_caller(blocking && !moves) {
        enqueue.run_on_caller(place, sys::CL_COMMAND_MAP_BUFFER, || migrations.run_now())
    } else {
        let count = usize::from(moves) + migrations.commands();
        let request = enqueue.request(sys::CL_COMMAND_MAP_BUFFER, blocking, count);
        enqueue.submit(request, |commands| {
            migrations.record(commands, usize::from(moves))?;
            match kind {
                MapCoherence::Flushed if moves => {
                    commands.flush_from_device(&buffer, offset as u64, size as u64)?;
                }
                MapCoherence::Copied if moves => {
                    // SAFETY: the application's host_ptr is valid while the buffer lives, and it
                    // does not use the region before the map is complete.
                    let dst = unsafe { HostMut::new(pointer.0.cast()) };
                    commands.read_buffer(&buffer, offset as u64, size as u64, dst)?;
                }
                _ => {}
            }
            Ok(())
        })
    };
    match result {
        Ok(()) => Ok(pointer.0),
        Err(error) => {
            if let Some(map) = mem.unmap(pointer) {
                map.done();
            }
            Err(error)
        }
    }
}

#[cl_entry(clEnqueueUnmapMemObject)]
fn enqueue_unmap_mem_object(
    command_queue: cl_command_queue,
    memobj: cl_mem,
    mapped_ptr: *mut c_void,
    num_events_in_wait_list: cl_uint,
    event_wait_list: *const cl_event,
    event: *mut cl_event,
) -> Result<(), ClError> {
    let enqueue = Enqueue::new(command_queue, num_events_in_wait_list, event_wait_list, event)?;
    // CL_INVALID_MEM_OBJECT if memobj is not a valid memory object or is a pipe object.
    let mem = enqueue.any_mem(memobj)?;
    if mem.pipe().is_some() {
        return Err(ClError::INVALID_MEM_OBJECT);
    }
    let buffer = enqueue.buffer(&mem)?;
    // CL_INVALID_VALUE if mapped_ptr is not a valid pointer returned by clEnqueueMapBuffer or
    // clEnqueueMapImage for memobj.
    let pointer = HostPtr(mapped_ptr);
    let unmapping = mem.unmap(pointer).ok_or(ClError::INVALID_VALUE)?;
    let region = &unmapping.map;
    let kind = kind(&enqueue, &mem, &buffer, region.offset, pointer);
    let written = region.flags & MAP_WRITES != 0;
    let moves = written && matches!(kind, MapCoherence::Flushed | MapCoherence::Copied);
    let domain = mem.storage().host_domain();
    // The region of an image is a box. The bytes between its rows are not part of the map.
    let access = if mem.image().is_some() { Access::Write } else { Access::Replace };
    let migration =
        if written { mem.migration(domain, region.offset, region.size, access) } else { None };
    let migrations = Migrations::of([migration])?;
    let count = usize::from(moves) + migrations.commands();
    let request = enqueue.request(sys::CL_COMMAND_UNMAP_MEM_OBJECT, false, count);
    enqueue.submit(request, |commands| {
        migrations.record(commands, usize::from(moves))?;
        match kind {
            MapCoherence::Flushed if moves => {
                commands.flush_to_device(&buffer, region.offset as u64, region.size as u64)?;
            }
            MapCoherence::Copied if moves => {
                // SAFETY: the application's host_ptr is valid while the buffer lives.
                let src = unsafe { HostRef::new(pointer.0.cast()) };
                commands.write_buffer(&buffer, region.offset as u64, region.size as u64, src)?;
            }
            _ => {}
        }
        Ok(())
    })?;
    unmapping.done();
    Ok(())
}
