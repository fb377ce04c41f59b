//! Reading, writing, copying and filling buffers (specification, sections 5.2.2 to 5.2.4).
//!
//! On a device that shares the host's memory, a blocking transfer without dependencies is a copy on
//! the calling thread.

use std::ffi::c_void;

use muxcl_cl_macros::cl_entry;
use muxcl_cl_sys as sys;
use muxcl_cl_sys::{cl_bool, cl_command_queue, cl_event, cl_mem, cl_mem_flags, cl_uint};
use muxcl_mux::{Buffer, FillPattern, HostMut, HostRef, MuxError};

use super::enqueue::{Enqueue, MemRef, Migrations};
use crate::core::memory::Mem;
use crate::core::queue::CallerRuns;
use crate::core::rect::{self, Extent, Side};
use crate::core::storage::{Access, Migration};
use crate::error::{ClError, ClResult};
use crate::explain::violated;

/// Checks that a range lies in a buffer.
pub(super) fn in_bounds(mem: &Mem, offset: usize, size: usize) -> ClResult<()> {
    match offset.checked_add(size) {
        Some(end) if end <= mem.size() => Ok(()),
        _ => Err(violated!(
            INVALID_VALUE,
            "if offset and size leave the buffer";
            "offset = {offset}, size = {size}, but the buffer has {} bytes",
            mem.size()
        )),
    }
}

/// Flags of a buffer that the host may not read.
pub(super) const NO_READ: cl_mem_flags = sys::CL_MEM_HOST_WRITE_ONLY | sys::CL_MEM_HOST_NO_ACCESS;
/// Flags of a buffer that the host may not write.
pub(super) const NO_WRITE: cl_mem_flags =
    sys::CL_MEM_HOST_READ_ONLY | sys::CL_MEM_HOST_NO_ACCESS | sys::CL_MEM_IMMUTABLE_EXT;

/// Checks that the buffer's flags allow the host's access.
pub(super) fn host_may(mem: &Mem, forbidden: cl_mem_flags) -> ClResult<()> {
    let flags = mem.parent().map_or(0, |(parent, _)| parent.flags()) | mem.flags();
    if flags & forbidden == 0 {
        return Ok(());
    }
    Err(violated!(
        INVALID_OPERATION,
        "if the flags of the buffer forbid this access of the host";
        "the buffer has the flags {flags:#x}, and {:#x} forbids the access",
        flags & forbidden
    ))
}

/// Checks that a command may write to an object.
pub(super) fn may_change(mem: &Mem) -> ClResult<()> {
    if mem.is_immutable() {
        return Err(violated!(
            INVALID_OPERATION,
            "if a command writes to an object created with CL_MEM_IMMUTABLE_EXT"
        ));
    }
    Ok(())
}

/// The position in the queue's order of a blocking transfer of `size` bytes that this thread can
/// run, and the address of the buffer's first byte. `None` if the device must run the transfer.
#[inline]
fn on_caller<'a>(
    enqueue: &Enqueue<'a>,
    blocking: bool,
    buffer: &Buffer,
    size: usize,
) -> Option<(CallerRuns<'a>, *mut u8)> {
    if !blocking || !enqueue.queue.shares_host_memory() {
        return None;
    }
    let base = buffer.host_ptr()?;
    Some((enqueue.try_transfer_on_caller(blocking, size)?, base))
}

#[cl_entry(clEnqueueReadBuffer)]
fn enqueue_read_buffer(
    command_queue: cl_command_queue,
    buffer: cl_mem,
    blocking_read: cl_bool,
    offset: usize,
    size: usize,
    ptr: *mut c_void,
    num_events_in_wait_list: cl_uint,
    event_wait_list: *const cl_event,
    event: *mut cl_event,
) -> Result<(), ClError> {
    let enqueue = Enqueue::new(command_queue, num_events_in_wait_list, event_wait_list, event)?;
    let mem = enqueue.mem(buffer)?;
    in_bounds(&mem, offset, size)?;
    if ptr.is_null() {
        return Err(violated!(INVALID_VALUE, "if ptr is NULL"));
    }
    // CL_INVALID_OPERATION if clEnqueueReadBuffer is called on buffer which has been created with
    // CL_MEM_HOST_WRITE_ONLY or CL_MEM_HOST_NO_ACCESS.
    host_may(&mem, NO_READ)?;
    let buffer = enqueue.buffer(&mem)?;
    let blocking = blocking_read != sys::CL_FALSE;
    let migrations = Migrations::of([enqueue.migration(&mem, offset, size, Access::Read)])?;
    if let Some((place, base)) = on_caller(&enqueue, blocking, &buffer, size) {
        return enqueue.run_on_caller(place, sys::CL_COMMAND_READ_BUFFER, || {
            migrations.run_now()?;
            // SAFETY: the range is inside the buffer; the application's pointer has `size` bytes,
            // as the application guarantees.
            unsafe { std::ptr::copy(base.wrapping_add(offset).cast_const(), ptr.cast(), size) };
            Ok(())
        });
    }
    let count = usize::from(size != 0) + migrations.commands();
    let request = enqueue.request(sys::CL_COMMAND_READ_BUFFER, blocking, count);
    enqueue.submit(request, |commands| {
        migrations.record(commands, 1)?;
        if size != 0 {
            // SAFETY: the application keeps its memory valid until the command has run.
            let dst = unsafe { HostMut::new(ptr.cast()) };
            commands.read_buffer(&buffer, offset as u64, size as u64, dst)?;
        }
        Ok(())
    })
}

#[cl_entry(clEnqueueWriteBuffer)]
fn enqueue_write_buffer(
    command_queue: cl_command_queue,
    buffer: cl_mem,
    blocking_write: cl_bool,
    offset: usize,
    size: usize,
    ptr: *const c_void,
    num_events_in_wait_list: cl_uint,
    event_wait_list: *const cl_event,
    event: *mut cl_event,
) -> Result<(), ClError> {
    let enqueue = Enqueue::new(command_queue, num_events_in_wait_list, event_wait_list, event)?;
    let mem = enqueue.mem(buffer)?;
    in_bounds(&mem, offset, size)?;
    if ptr.is_null() {
        return Err(violated!(INVALID_VALUE, "if ptr is NULL"));
    }
    // CL_INVALID_OPERATION if clEnqueueWriteBuffer is called on buffer which has been created with
    // CL_MEM_HOST_READ_ONLY or CL_MEM_HOST_NO_ACCESS, or with CL_MEM_IMMUTABLE_EXT.
    host_may(&mem, NO_WRITE)?;
    let buffer = enqueue.buffer(&mem)?;
    let blocking = blocking_write != sys::CL_FALSE;
    let migrations = Migrations::of([enqueue.migration(&mem, offset, size, Access::Replace)])?;
    if let Some((place, base)) = on_caller(&enqueue, blocking, &buffer, size) {
        return enqueue.run_on_caller(place, sys::CL_COMMAND_WRITE_BUFFER, || {
            migrations.run_now()?;
            // SAFETY: the range is inside the buffer; the application's pointer has `size` bytes,
            // as the application guarantees.
            unsafe { std::ptr::copy(ptr.cast(), base.wrapping_add(offset), size) };
            Ok(())
        });
    }
    let count = usize::from(size != 0) + migrations.commands();
    let request = enqueue.request(sys::CL_COMMAND_WRITE_BUFFER, blocking, count);
    enqueue.submit(request, |commands| {
        migrations.record(commands, 1)?;
        if size != 0 {
            // SAFETY: the application keeps its memory valid until the command has run.
            let src = unsafe { HostRef::new(ptr.cast()) };
            commands.write_buffer(&buffer, offset as u64, size as u64, src)?;
        }
        Ok(())
    })
}

/// Reads three values at a pointer that must not be NULL.
pub(super) fn three(pointer: *const usize) -> ClResult<[usize; 3]> {
    if pointer.is_null() {
        return Err(violated!(INVALID_VALUE, "if an origin or the region is NULL"));
    }
    // SAFETY: not NULL, so it points at three size_t by the specification.
    Ok(unsafe { pointer.cast::<[usize; 3]>().read_unaligned() })
}

/// The migration for a command that uses a rectangle. It covers the rectangle's whole span with the
/// bytes between rows, so the access is never [`Access::Replace`].
fn used(enqueue: &Enqueue<'_>, mem: &Mem, at: &Extent, access: Access) -> Option<Migration> {
    let number = |n: u64| usize::try_from(n).unwrap_or(0);
    enqueue.migration(mem, number(at.start), number(at.end.saturating_sub(at.start)), access)
}

/// The extent of a buffer's side of a rectangle, checked against the buffer's size.
fn buffer_extent(mem: &Mem, side: &Side, region: [usize; 3]) -> ClResult<Extent> {
    let extent = side.extent(region)?;
    if extent.end > mem.size() as u64 {
        return Err(violated!(INVALID_VALUE, "if the region leaves the buffer"));
    }
    Ok(extent)
}

#[cl_entry(clEnqueueReadBufferRect)]
fn enqueue_read_buffer_rect(
    command_queue: cl_command_queue,
    buffer: cl_mem,
    blocking_read: cl_bool,
    buffer_origin: *const usize,
    host_origin: *const usize,
    region: *const usize,
    buffer_row_pitch: usize,
    buffer_slice_pitch: usize,
    host_row_pitch: usize,
    host_slice_pitch: usize,
    ptr: *mut c_void,
    num_events_in_wait_list: cl_uint,
    event_wait_list: *const cl_event,
    event: *mut cl_event,
) -> Result<(), ClError> {
    let enqueue = Enqueue::new(command_queue, num_events_in_wait_list, event_wait_list, event)?;
    let mem = enqueue.mem(buffer)?;
    if ptr.is_null() {
        return Err(violated!(INVALID_VALUE, "if ptr is NULL"));
    }
    let region = three(region)?;
    let side = Side {
        origin: three(buffer_origin)?,
        row_pitch: buffer_row_pitch,
        slice_pitch: buffer_slice_pitch,
    };
    let host = Side {
        origin: three(host_origin)?,
        row_pitch: host_row_pitch,
        slice_pitch: host_slice_pitch,
    };
    let (src, dst) = (buffer_extent(&mem, &side, region)?, host.extent(region)?);
    // CL_INVALID_OPERATION if clEnqueueReadBufferRect is called on buffer which has been created
    // with CL_MEM_HOST_WRITE_ONLY or CL_MEM_HOST_NO_ACCESS.
    host_may(&mem, NO_READ)?;
    let buffer = enqueue.buffer(&mem)?;
    let migrations = Migrations::of([used(&enqueue, &mem, &src, Access::Read)])?;
    let blocking = blocking_read != sys::CL_FALSE;
    let request =
        enqueue.request(sys::CL_COMMAND_READ_BUFFER_RECT, blocking, 1 + migrations.commands());
    enqueue.submit(request, |commands| {
        migrations.record(commands, 1)?;
        // SAFETY: the application keeps its memory valid until the command has run.
        let host = unsafe { HostMut::new(ptr.cast()) };
        commands.read_rect(&buffer, host, rect::region(region, &src, &dst)).map(|_| ())
    })
}

#[cl_entry(clEnqueueWriteBufferRect)]
fn enqueue_write_buffer_rect(
    command_queue: cl_command_queue,
    buffer: cl_mem,
    blocking_write: cl_bool,
    buffer_origin: *const usize,
    host_origin: *const usize,
    region: *const usize,
    buffer_row_pitch: usize,
    buffer_slice_pitch: usize,
    host_row_pitch: usize,
    host_slice_pitch: usize,
    ptr: *const c_void,
    num_events_in_wait_list: cl_uint,
    event_wait_list: *const cl_event,
    event: *mut cl_event,
) -> Result<(), ClError> {
    let enqueue = Enqueue::new(command_queue, num_events_in_wait_list, event_wait_list, event)?;
    let mem = enqueue.mem(buffer)?;
    if ptr.is_null() {
        return Err(violated!(INVALID_VALUE, "if ptr is NULL"));
    }
    let region = three(region)?;
    let side = Side {
        origin: three(buffer_origin)?,
        row_pitch: buffer_row_pitch,
        slice_pitch: buffer_slice_pitch,
    };
    let host = Side {
        origin: three(host_origin)?,
        row_pitch: host_row_pitch,
        slice_pitch: host_slice_pitch,
    };
    let (dst, src) = (buffer_extent(&mem, &side, region)?, host.extent(region)?);
    // CL_INVALID_OPERATION if clEnqueueWriteBufferRect is called on buffer which has been created
    // with CL_MEM_HOST_READ_ONLY or CL_MEM_HOST_NO_ACCESS, or with CL_MEM_IMMUTABLE_EXT.
    host_may(&mem, NO_WRITE)?;
    let buffer = enqueue.buffer(&mem)?;
    let migrations = Migrations::of([used(&enqueue, &mem, &dst, Access::Write)])?;
    let blocking = blocking_write != sys::CL_FALSE;
    let request =
        enqueue.request(sys::CL_COMMAND_WRITE_BUFFER_RECT, blocking, 1 + migrations.commands());
    enqueue.submit(request, |commands| {
        migrations.record(commands, 1)?;
        // SAFETY: the application keeps its memory valid until the command has run.
        let host = unsafe { HostRef::new(ptr.cast()) };
        commands.write_rect(&buffer, host, rect::region(region, &src, &dst)).map(|_| ())
    })
}

#[cl_entry(clEnqueueCopyBuffer)]
fn enqueue_copy_buffer(
    command_queue: cl_command_queue,
    src_buffer: cl_mem,
    dst_buffer: cl_mem,
    src_offset: usize,
    dst_offset: usize,
    size: usize,
    num_events_in_wait_list: cl_uint,
    event_wait_list: *const cl_event,
    event: *mut cl_event,
) -> Result<(), ClError> {
    let enqueue = Enqueue::new(command_queue, num_events_in_wait_list, event_wait_list, event)?;
    copy_buffer(&enqueue, src_buffer.into(), dst_buffer.into(), src_offset, dst_offset, size)
}

/// Copies bytes between buffers.
pub(super) fn copy_buffer(
    enqueue: &Enqueue<'_>,
    src_buffer: MemRef<'_>,
    dst_buffer: MemRef<'_>,
    src_offset: usize,
    dst_offset: usize,
    size: usize,
) -> ClResult<()> {
    let (src, dst) = (enqueue.mem(src_buffer)?, enqueue.mem(dst_buffer)?);
    // CL_INVALID_VALUE if src_offset, dst_offset, size, src_offset + size or dst_offset + size
    // require accessing elements outside the buffer memory objects.
    in_bounds(&src, src_offset, size)?;
    in_bounds(&dst, dst_offset, size)?;
    may_change(&dst)?;
    // CL_MEM_COPY_OVERLAP if src_buffer and dst_buffer are the same buffer or sub-buffer object and
    // the source and destination regions overlap or if src_buffer and dst_buffer are different
    // sub-buffers of the same associated buffer object and they overlap.
    let ((src_root, src_base), (dst_root, dst_base)) = (src.root(), dst.root());
    if src_root.is(dst_root) && (src_base + src_offset).abs_diff(dst_base + dst_offset) < size {
        return Err(ClError::MEM_COPY_OVERLAP);
    }
    let (from, to) = (enqueue.buffer(&src)?, enqueue.buffer(&dst)?);
    let migrations = Migrations::of([
        enqueue.migration(&src, src_offset, size, Access::Read),
        enqueue.migration(&dst, dst_offset, size, Access::Replace),
    ])?;
    let count = usize::from(size != 0) + migrations.commands();
    let request = enqueue.request(sys::CL_COMMAND_COPY_BUFFER, false, count);
    enqueue.submit(request, |commands| {
        migrations.record(commands, 1)?;
        if size != 0 {
            commands.copy_buffer(&from, src_offset as u64, &to, dst_offset as u64, size as u64)?;
        }
        Ok(())
    })
}

/// The place of a rectangle in two buffers, the source's first, as the application gives it.
pub(super) struct RectCopy {
    pub(super) origins: [*const usize; 2],
    pub(super) region: *const usize,
    pub(super) row_pitches: [usize; 2],
    pub(super) slice_pitches: [usize; 2],
}

#[cl_entry(clEnqueueCopyBufferRect)]
fn enqueue_copy_buffer_rect(
    command_queue: cl_command_queue,
    src_buffer: cl_mem,
    dst_buffer: cl_mem,
    src_origin: *const usize,
    dst_origin: *const usize,
    region: *const usize,
    src_row_pitch: usize,
    src_slice_pitch: usize,
    dst_row_pitch: usize,
    dst_slice_pitch: usize,
    num_events_in_wait_list: cl_uint,
    event_wait_list: *const cl_event,
    event: *mut cl_event,
) -> Result<(), ClError> {
    let enqueue = Enqueue::new(command_queue, num_events_in_wait_list, event_wait_list, event)?;
    let at = RectCopy {
        origins: [src_origin, dst_origin],
        region,
        row_pitches: [src_row_pitch, dst_row_pitch],
        slice_pitches: [src_slice_pitch, dst_slice_pitch],
    };
    copy_buffer_rect(&enqueue, src_buffer.into(), dst_buffer.into(), &at)
}

/// Copies a rectangle between buffers.
pub(super) fn copy_buffer_rect(
    enqueue: &Enqueue<'_>,
    src_buffer: MemRef<'_>,
    dst_buffer: MemRef<'_>,
    at: &RectCopy,
) -> ClResult<()> {
    let (src, dst) = (enqueue.mem(src_buffer)?, enqueue.mem(dst_buffer)?);
    let region = three(at.region)?;
    let side = |n: usize| -> ClResult<Side> {
        Ok(Side {
            origin: three(at.origins[n])?,
            row_pitch: at.row_pitches[n],
            slice_pitch: at.slice_pitches[n],
        })
    };
    let (from, to) = (side(0)?, side(1)?);
    let (a, b) = (buffer_extent(&src, &from, region)?, buffer_extent(&dst, &to, region)?);
    may_change(&dst)?;
    let ((src_root, src_base), (dst_root, dst_base)) = (src.root(), dst.root());
    if src_root.is(dst_root) {
        if src.is(&dst) && a.pitch != b.pitch {
            return Err(violated!(
                INVALID_VALUE,
                "if a copy inside one buffer has different pitches"
            ));
        }
        // CL_MEM_COPY_OVERLAP if src_buffer and dst_buffer are the same buffer or sub-buffer object
        // and the source and destination regions overlap or if src_buffer and dst_buffer are
        // different sub-buffers of the same associated buffer object and they overlap.
        let (start, other) = (a.start + src_base as u64, b.start + dst_base as u64);
        let overlaps = if a.pitch == b.pitch {
            rect::overlap(region, a.pitch, start, other)
        } else {
            start < b.end + dst_base as u64 && other < a.end + src_base as u64
        };
        if overlaps {
            return Err(ClError::MEM_COPY_OVERLAP);
        }
    }
    let (from, to) = (enqueue.buffer(&src)?, enqueue.buffer(&dst)?);
    let migrations = Migrations::of([
        used(enqueue, &src, &a, Access::Read),
        used(enqueue, &dst, &b, Access::Write),
    ])?;
    let request =
        enqueue.request(sys::CL_COMMAND_COPY_BUFFER_RECT, false, 1 + migrations.commands());
    enqueue.submit(request, |commands| {
        migrations.record(commands, 1)?;
        commands.copy_rect(&from, &to, rect::region(region, &a, &b)).map(|_| ())
    })
}

#[cl_entry(clEnqueueFillBuffer)]
fn enqueue_fill_buffer(
    command_queue: cl_command_queue,
    buffer: cl_mem,
    pattern: *const c_void,
    pattern_size: usize,
    offset: usize,
    size: usize,
    num_events_in_wait_list: cl_uint,
    event_wait_list: *const cl_event,
    event: *mut cl_event,
) -> Result<(), ClError> {
    let enqueue = Enqueue::new(command_queue, num_events_in_wait_list, event_wait_list, event)?;
    fill_buffer(&enqueue, buffer.into(), pattern, pattern_size, offset, size)
}

/// Fills bytes of a buffer with a pattern.
pub(super) fn fill_buffer(
    enqueue: &Enqueue<'_>,
    buffer: MemRef<'_>,
    pattern: *const c_void,
    pattern_size: usize,
    offset: usize,
    size: usize,
) -> ClResult<()> {
    let mem = enqueue.mem(buffer)?;
    // CL_INVALID_VALUE if offset or offset + size require accessing elements outside the buffer
    // buffer object respectively.
    in_bounds(&mem, offset, size)?;
    if pattern.is_null() || !pattern_size.is_power_of_two() || pattern_size > 128 {
        return Err(violated!(
            INVALID_VALUE,
            "if pattern is NULL, or pattern_size is no power of two up to 128"
        ));
    }
    if !offset.is_multiple_of(pattern_size) || !size.is_multiple_of(pattern_size) {
        return Err(violated!(INVALID_VALUE, "if offset or size is no multiple of pattern_size"));
    }
    may_change(&mem)?;
    // SAFETY: not NULL, and `pattern_size` bytes long, as the application guarantees.
    let bytes = unsafe { std::slice::from_raw_parts(pattern.cast::<u8>(), pattern_size) };
    let pattern = FillPattern::new(bytes).map_err(|_: MuxError| ClError::INVALID_VALUE)?;
    let buffer = enqueue.buffer(&mem)?;
    let migrations = Migrations::of([enqueue.migration(&mem, offset, size, Access::Replace)])?;
    let count = usize::from(size != 0) + migrations.commands();
    let request = enqueue.request(sys::CL_COMMAND_FILL_BUFFER, false, count);
    enqueue.submit(request, |commands| {
        migrations.record(commands, 1)?;
        if size != 0 {
            commands.fill_buffer(&buffer, offset as u64, size as u64, pattern)?;
        }
        Ok(())
    })
}
