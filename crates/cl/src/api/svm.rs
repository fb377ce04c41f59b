//! Shared virtual memory (specification, section 5.6).
//!
//! A device has fine-grain system memory with atomics, coarse-grain allocations, or neither. With
//! fine-grain memory a map moves nothing and only waits, and an address is looked up only where the
//! specification requires an allocation. If a device of the context has coarse-grain allocations,
//! an allocation is a storage (`core::svm`), and commands migrate its content as for a buffer.

use std::ffi::c_void;
use std::ops::Range;
use std::sync::Arc;

use muxcl_cl_macros::cl_entry;
use muxcl_cl_sys as sys;
use muxcl_cl_sys::{
    cl_bool, cl_command_queue, cl_command_type, cl_context, cl_event, cl_map_flags, cl_mem_flags,
    cl_mem_migration_flags, cl_svm_mem_flags, cl_uint,
};
use muxcl_lock::{Mutex, Rank};
use muxcl_mux::{Buffer, FillPattern, HostMut, HostRef};

use super::enqueue::{Enqueue, Migrations};
use crate::checked::{self, HostPtr, UserData};
use crate::core::context::Context;
use crate::core::device::Device;
use crate::core::maps::Unmapping;
use crate::core::memory::MAP_WRITES;
use crate::core::storage::{Access, Migration, Storage};
use crate::core::svm;
use crate::error::{ClError, ClResult};
use crate::explain::violated;
use crate::object::{ClObject as _, borrow};

type FreeFn = unsafe extern "C" fn(cl_command_queue, cl_uint, *mut *mut c_void, *mut c_void);

/// Enqueues a command without an effect other than its position in the queue's order.
pub(super) fn nothing(
    enqueue: &Enqueue<'_>,
    command: cl_command_type,
    blocking: bool,
) -> ClResult<()> {
    only_moves(enqueue, command, blocking, &Migrations::from(None))
}

/// Enqueues a command that consists of migrations.
fn only_moves(
    enqueue: &Enqueue<'_>,
    command: cl_command_type,
    blocking: bool,
    migrations: &Migrations,
) -> ClResult<()> {
    if let Some(place) = enqueue.try_run_on_caller(blocking) {
        return enqueue.run_on_caller(place, command, || migrations.run_now());
    }
    enqueue.submit(enqueue.request(command, blocking, migrations.commands()), |commands| {
        migrations.record(commands, 0)
    })
}

/// Bytes of an allocation in memory domains.
struct MigratingRange {
    storage: Arc<Storage>,
    range: Range<usize>,
}

impl MigratingRange {
    /// The allocation at an address of the process; `None` if its content never moves.
    fn at(enqueue: &Enqueue<'_>, pointer: *const c_void, size: usize) -> ClResult<Option<Self>> {
        let heap = enqueue.queue.context().svm();
        match heap.shared(pointer, 0) {
            None => Ok(None),
            // CL_INVALID_VALUE if the bytes extend beyond the allocation. The specification leaves
            // that undefined.
            Some((storage, start)) => {
                match start.checked_add(size).filter(|end| *end <= storage.size()) {
                    None => Err(ClError::INVALID_VALUE),
                    Some(end) => Ok(Some(Self { storage, range: start..end })),
                }
            }
        }
    }

    /// The migration for a command on the queue's device.
    fn used(&self, enqueue: &Enqueue<'_>, access: Access) -> Migration {
        self.used_in(self.storage.domain_of(enqueue.queue.device_index()), access)
    }

    fn used_in(&self, domain: usize, access: Access) -> Migration {
        Migration { storage: Arc::clone(&self.storage), range: self.range.clone(), access, domain }
    }

    /// The buffer on the queue's device, and the offset in it.
    fn buffer(&self, enqueue: &Enqueue<'_>) -> ClResult<(Buffer, u64)> {
        Ok((self.storage.buffer(enqueue.queue.device_index())?, self.range.start as u64))
    }
}

/// The allocations of a free command, and the function that frees them.
struct Freed {
    pointers: Vec<HostPtr>,
    notify: Option<(FreeFn, UserData)>,
}

#[cl_entry(clEnqueueSVMFree)]
fn enqueue_svm_free(
    command_queue: cl_command_queue,
    num_svm_pointers: cl_uint,
    svm_pointers: *mut *mut c_void,
    pfn_free_func: Option<
        unsafe extern "C" fn(cl_command_queue, cl_uint, *mut *mut c_void, *mut c_void),
    >,
    user_data: *mut c_void,
    num_events_in_wait_list: cl_uint,
    event_wait_list: *const cl_event,
    event: *mut cl_event,
) -> Result<(), ClError> {
    let enqueue = Enqueue::new(command_queue, num_events_in_wait_list, event_wait_list, event)?
        .if_device(Device::has_svm)?;
    // CL_INVALID_VALUE if num_svm_pointers is 0 and svm_pointers is non-NULL, or if svm_pointers is
    // NULL and num_svm_pointers is not 0.
    let list = checked::slice(
        svm_pointers.cast_const(),
        num_svm_pointers as usize,
        ClError::INVALID_VALUE,
    )?;
    let mut pointers = Vec::new();
    pointers.try_reserve_exact(list.len())?;
    pointers.extend(list.iter().map(|&p| HostPtr(p)));
    let freed = Freed { pointers, notify: pfn_free_func.map(|f| (f, UserData(user_data))) };
    let once = Mutex::new(Rank::Leaf, Some(freed));
    let queue = enqueue.queue.keep();
    let call = move || {
        let Some(freed) = once.lock().take() else { return };
        let Freed { pointers, notify } = freed;
        match notify {
            Some((notify, data)) => {
                let mut list: Vec<*mut c_void> = pointers.iter().map(|p| p.0).collect();
                let count = cl_uint::try_from(list.len()).unwrap_or(cl_uint::MAX);
                muxcl_lock::assert_none_held();
                // SAFETY: the application gave this function for this call; the list lives until it
                // returns.
                unsafe { notify(queue.handle(), count, list.as_mut_ptr(), data.0) };
            }
            None => {
                for pointer in pointers {
                    queue.context().svm().free(pointer.0);
                }
            }
        }
    };
    enqueue.submit(enqueue.request(sys::CL_COMMAND_SVM_FREE, false, 1), |commands| {
        commands.host_function(call).map(|_| ())
    })
}

#[cl_entry(clEnqueueSVMMemcpy)]
fn enqueue_svm_memcpy(
    command_queue: cl_command_queue,
    blocking_copy: cl_bool,
    dst_ptr: *mut c_void,
    src_ptr: *const c_void,
    size: usize,
    num_events_in_wait_list: cl_uint,
    event_wait_list: *const cl_event,
    event: *mut cl_event,
) -> Result<(), ClError> {
    let enqueue = Enqueue::new(command_queue, num_events_in_wait_list, event_wait_list, event)?
        .if_device(Device::has_svm)?;
    copy(
        &enqueue,
        sys::CL_COMMAND_SVM_MEMCPY,
        blocking_copy != sys::CL_FALSE,
        dst_ptr,
        src_ptr,
        size,
    )
}

/// Copies bytes between any two addresses.
pub(super) fn copy(
    enqueue: &Enqueue<'_>,
    command: cl_command_type,
    blocking: bool,
    dst: *mut c_void,
    src: *const c_void,
    size: usize,
) -> ClResult<()> {
    if dst.is_null() || src.is_null() {
        return Err(violated!(INVALID_VALUE, "if dst_ptr or src_ptr is NULL"));
    }
    if size == 0 {
        return nothing(enqueue, command, blocking);
    }
    if dst.addr().abs_diff(src.addr()) < size {
        return Err(violated!(MEM_COPY_OVERLAP, "if the two ranges overlap"));
    }
    let (to, from) =
        (MigratingRange::at(enqueue, dst, size)?, MigratingRange::at(enqueue, src, size)?);
    let to_used = to.as_ref().map(|s| s.used(enqueue, Access::Replace));
    let migrations =
        Migrations::of([from.as_ref().map(|s| s.used(enqueue, Access::Read)), to_used])?;
    // SAFETY: the application keeps it until the command is complete.
    let source = unsafe { HostRef::new(src.cast()) };
    // SAFETY: as above.
    let target = unsafe { HostMut::new(dst.cast()) };
    let request = enqueue.request(command, blocking, 1 + migrations.commands());
    if !enqueue.queue.device().has_system_svm() {
        let to = to.map(|s| s.buffer(enqueue)).transpose()?;
        let from = from.map(|s| s.buffer(enqueue)).transpose()?;
        return enqueue.submit(request, |commands| {
            migrations.record(commands, 1)?;
            let size = size as u64;
            match (to, from) {
                (Some((to, at)), Some((from, start))) => {
                    commands.copy_buffer(&from, start, &to, at, size)
                }
                (Some((to, at)), None) => commands.write_buffer(&to, at, size, source),
                (None, Some((from, start))) => commands.read_buffer(&from, start, size, target),
                (None, None) => commands.host_function(move || {
                    let size = usize::try_from(size).unwrap_or(0);
                    // SAFETY: the application keeps both until the command is complete; they do not
                    // overlap.
                    unsafe { target.ptr().copy_from_nonoverlapping(source.ptr(), size) };
                }),
            }
            .map(|_| ())
        });
    }
    // SAFETY: the application keeps it until the command is complete.
    let to = unsafe { svm::at_address(enqueue.queue.device(), dst, size) }?;
    if let Some(place) = enqueue.try_transfer_on_caller(blocking, size) {
        return enqueue.run_on_caller(place, command, || {
            migrations.run_now()?;
            // SAFETY: `size` bytes, as the application guarantees.
            to.memory().write(0, unsafe { std::slice::from_raw_parts(src.cast::<u8>(), size) })
        });
    }
    enqueue.submit(request, |commands| {
        migrations.record(commands, 1)?;
        commands.write_buffer(&to, 0, size as u64, source).map(|_| ())
    })
}

#[cl_entry(clEnqueueSVMMemFill)]
fn enqueue_svm_mem_fill(
    command_queue: cl_command_queue,
    svm_ptr: *mut c_void,
    pattern: *const c_void,
    pattern_size: usize,
    size: usize,
    num_events_in_wait_list: cl_uint,
    event_wait_list: *const cl_event,
    event: *mut cl_event,
) -> Result<(), ClError> {
    let enqueue = Enqueue::new(command_queue, num_events_in_wait_list, event_wait_list, event)?
        .if_device(Device::has_svm)?;
    fill(&enqueue, sys::CL_COMMAND_SVM_MEMFILL, svm_ptr, pattern, pattern_size, size)
}

/// Fills bytes at any address with a pattern.
pub(super) fn fill(
    enqueue: &Enqueue<'_>,
    command: cl_command_type,
    svm_ptr: *mut c_void,
    pattern: *const c_void,
    pattern_size: usize,
    size: usize,
) -> ClResult<()> {
    // CL_INVALID_VALUE if svm_ptr is NULL. CL_INVALID_VALUE if pattern is NULL or if pattern_size
    // is 0 or if pattern_size is not one of {1, 2, 4, 8, 16, 32, 64, 128}.
    if svm_ptr.is_null()
        || pattern.is_null()
        || !pattern_size.is_power_of_two()
        || pattern_size > 128
    {
        return Err(ClError::INVALID_VALUE);
    }
    // CL_INVALID_VALUE if svm_ptr is not aligned to pattern_size bytes.
    // CL_INVALID_VALUE if size is not a multiple of pattern_size.
    if !svm_ptr.addr().is_multiple_of(pattern_size) || !size.is_multiple_of(pattern_size) {
        return Err(ClError::INVALID_VALUE);
    }
    if size == 0 {
        return nothing(enqueue, command, false);
    }
    // SAFETY: not NULL, and `pattern_size` bytes long, as the application guarantees.
    let bytes = unsafe { std::slice::from_raw_parts(pattern.cast::<u8>(), pattern_size) };
    let pattern = FillPattern::new(bytes).map_err(|_| ClError::INVALID_VALUE)?;
    let to = MigratingRange::at(enqueue, svm_ptr, size)?;
    let migrations = Migrations::of([to.as_ref().map(|s| s.used(enqueue, Access::Replace))])?;
    let request = enqueue.request(command, false, 1 + migrations.commands());
    let system = enqueue.queue.device().has_system_svm();
    let (to, at) = match &to {
        Some(to) if !system => to.buffer(enqueue)?,
        None if !system => {
            // Host memory that the device cannot access.
            // SAFETY: the application promises `size` bytes that stay valid until the command ends.
            let target = unsafe { HostMut::new(svm_ptr.cast()) };
            return enqueue.submit(request, |commands| {
                let fill = move || {
                    for (n, byte) in pattern.bytes().iter().cycle().take(size).enumerate() {
                        // SAFETY: as above; `n` is less than `size`.
                        unsafe { target.ptr().wrapping_add(n).write(*byte) };
                    }
                };
                commands.host_function(fill).map(|_| ())
            });
        }
        // SAFETY: the application keeps it until the command is complete.
        _ => (unsafe { svm::at_address(enqueue.queue.device(), svm_ptr, size) }?, 0),
    };
    enqueue.submit(request, |commands| {
        migrations.record(commands, 1)?;
        commands.fill_buffer(&to, at, size as u64, pattern).map(|_| ())
    })
}

#[cl_entry(clEnqueueSVMMap)]
fn enqueue_svm_map(
    command_queue: cl_command_queue,
    blocking_map: cl_bool,
    flags: cl_map_flags,
    svm_ptr: *mut c_void,
    size: usize,
    num_events_in_wait_list: cl_uint,
    event_wait_list: *const cl_event,
    event: *mut cl_event,
) -> Result<(), ClError> {
    const ALL: cl_map_flags =
        sys::CL_MAP_READ | sys::CL_MAP_WRITE | sys::CL_MAP_WRITE_INVALIDATE_REGION;
    let enqueue = Enqueue::new(command_queue, num_events_in_wait_list, event_wait_list, event)?
        .if_device(Device::has_svm)?;
    // CL_INVALID_VALUE if svm_ptr is NULL.
    // CL_INVALID_VALUE if size is 0 or if values specified in map_flags are not valid.
    let invalidate = flags & sys::CL_MAP_WRITE_INVALIDATE_REGION != 0;
    if svm_ptr.is_null()
        || size == 0
        || flags & !ALL != 0
        || (invalidate && flags & (sys::CL_MAP_READ | sys::CL_MAP_WRITE) != 0)
    {
        return Err(ClError::INVALID_VALUE);
    }
    let Some(shared) = MigratingRange::at(&enqueue, svm_ptr, size)? else {
        return nothing(&enqueue, sys::CL_COMMAND_SVM_MAP, blocking_map != sys::CL_FALSE);
    };
    let heap = enqueue.queue.context().svm();
    let domain = shared.storage.host_domain();
    let migrations = Migrations::of([(!invalidate).then(|| shared.used_in(domain, Access::Read))])?;
    heap.map(svm_ptr, size, flags & MAP_WRITES != 0, &shared.storage)?;
    only_moves(&enqueue, sys::CL_COMMAND_SVM_MAP, blocking_map != sys::CL_FALSE, &migrations)
        .inspect_err(|_| {
            if let Some(map) = heap.unmap(svm_ptr) {
                map.done();
            }
        })
}

#[cl_entry(clEnqueueSVMUnmap)]
fn enqueue_svm_unmap(
    command_queue: cl_command_queue,
    svm_ptr: *mut c_void,
    num_events_in_wait_list: cl_uint,
    event_wait_list: *const cl_event,
    event: *mut cl_event,
) -> Result<(), ClError> {
    let enqueue = Enqueue::new(command_queue, num_events_in_wait_list, event_wait_list, event)?
        .if_device(Device::has_svm)?;
    if svm_ptr.is_null() {
        return Err(violated!(INVALID_VALUE, "if svm_ptr is NULL"));
    }
    // "svm_ptr is a pointer that was specified in a previous call to clEnqueueSVMMap": unmapping
    // another pointer has no effect.
    let heap = enqueue.queue.context().svm();
    let unmapping = heap.unmap(svm_ptr);
    let written = match &unmapping {
        Some(Unmapping { map, .. }) if map.writes => {
            MigratingRange::at(&enqueue, svm_ptr, map.size)?
        }
        _ => None,
    };
    let migrations =
        Migrations::of([written.map(|s| s.used_in(s.storage.host_domain(), Access::Replace))])?;
    only_moves(&enqueue, sys::CL_COMMAND_SVM_UNMAP, false, &migrations)?;
    if let Some(unmapping) = unmapping {
        unmapping.done();
    }
    Ok(())
}

#[cl_entry(clEnqueueSVMMigrateMem)]
fn enqueue_svm_migrate_mem(
    command_queue: cl_command_queue,
    num_svm_pointers: cl_uint,
    svm_pointers: *mut *const c_void,
    sizes: *const usize,
    flags: cl_mem_migration_flags,
    num_events_in_wait_list: cl_uint,
    event_wait_list: *const cl_event,
    event: *mut cl_event,
) -> Result<(), ClError> {
    const ALL: cl_mem_migration_flags =
        sys::CL_MIGRATE_MEM_OBJECT_HOST | sys::CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
    let enqueue = Enqueue::new(command_queue, num_events_in_wait_list, event_wait_list, event)?
        .if_device(Device::has_svm)?;
    // CL_INVALID_VALUE if num_svm_pointers is zero or svm_pointers is NULL.
    let count = num_svm_pointers as usize;
    let pointers = checked::slice(svm_pointers.cast_const(), count, ClError::INVALID_VALUE)?;
    if pointers.is_empty() || flags & !ALL != 0 {
        return Err(ClError::INVALID_VALUE);
    }
    // CL_INVALID_VALUE if sizes[i] is non-zero range [svm_pointers[i], svm_pointers[i]+sizes[i]) is
    // not contained within an existing clSVMAlloc allocation. "If sizes is NULL ... every
    // allocation containing the pointers must be migrated."
    let sizes = if sizes.is_null() {
        None
    } else {
        Some(checked::slice(sizes, count, ClError::INVALID_VALUE)?)
    };
    let mut moves = Vec::new();
    for (i, &pointer) in pointers.iter().enumerate() {
        let size = sizes.and_then(|s| s.get(i)).copied().unwrap_or(0);
        let heap = enqueue.queue.context().svm();
        if !heap.covers(pointer, size) {
            return Err(ClError::INVALID_VALUE);
        }
        let Some((storage, start)) = heap.shared(pointer, size) else { continue };
        // "If sizes[i] is 0 ... the entire allocation containing svm_pointer[i] is migrated."
        let range = if size == 0 { 0..storage.size() } else { start..start + size };
        let here = storage.domain_of(enqueue.queue.device_index());
        let domain =
            if flags & sys::CL_MIGRATE_MEM_OBJECT_HOST != 0 { storage.host_domain() } else { here };
        let lost = flags & sys::CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED != 0;
        moves.try_reserve(1)?;
        moves.push(Migration {
            storage,
            range,
            access: if lost { Access::Replace } else { Access::Read },
            domain,
        });
    }
    only_moves(&enqueue, sys::CL_COMMAND_SVM_MIGRATE_MEM, false, &Migrations::list(moves))
}

/// Maximum alignment in bytes: a huge page. A larger one would cost more memory than the allocation
/// itself.
const MOST_ALIGNMENT: usize = 2 << 20;

/// Allocates for `clSVMAlloc`; `None` if that fails.
fn allocate(
    context: &Context,
    flags: cl_svm_mem_flags,
    size: usize,
    alignment: cl_uint,
) -> ClResult<HostPtr> {
    const ACCESS: cl_mem_flags =
        sys::CL_MEM_READ_WRITE | sys::CL_MEM_WRITE_ONLY | sys::CL_MEM_READ_ONLY;
    const ALL: cl_mem_flags = ACCESS | sys::CL_MEM_SVM_FINE_GRAIN_BUFFER | sys::CL_MEM_SVM_ATOMICS;
    // "flags does not contain CL_MEM_SVM_FINE_GRAIN_BUFFER but does contain CL_MEM_SVM_ATOMICS."
    // "Values specified in flags do not follow rules described for supported values in the table
    // above."
    let fine = flags & sys::CL_MEM_SVM_FINE_GRAIN_BUFFER != 0;
    if flags & !ALL != 0
        || (flags & ACCESS).count_ones() > 1
        || (flags & sys::CL_MEM_SVM_ATOMICS != 0 && !fine)
    {
        return Err(violated!(INVALID_VALUE, "if flags has bits without a meaning"));
    }
    // "size is 0 or > CL_DEVICE_MAX_MEM_ALLOC_SIZE value for any device in context."
    if size == 0 || context.devices().iter().any(|d| size as u64 > d.info().max_allocation) {
        return Err(violated!(
            INVALID_VALUE,
            "if size is 0 or more than a device of the context allocates at once"
        ));
    }
    // "alignment is not a power of two or the OpenCL implementation cannot support the specified
    // alignment."
    let alignment = alignment as usize;
    if alignment > MOST_ALIGNMENT || (alignment != 0 && !alignment.is_power_of_two()) {
        return Err(violated!(INVALID_VALUE, "if alignment is not a power of two, or too large"));
    }
    let kept = if flags & ACCESS == 0 { flags | sys::CL_MEM_READ_WRITE } else { flags };
    // A coarse-grain allocation serves all devices that support coarse-grain memory.
    if !fine && context.devices().iter().any(|d| d.info().coarse_svm) {
        return context.svm().allocate_in_domains(
            context.device_set(),
            svm::Owner::Svm(kept),
            size,
            alignment,
        );
    }
    // "CL_MEM_SVM_FINE_GRAIN_BUFFER or CL_MEM_SVM_ATOMICS is specified in flags and these are not
    // supported by at least one device in context": a device that uses the process's addresses has
    // both.
    let device = context.devices().iter().find(|d| d.has_system_svm());
    let device: &Arc<_> = device.ok_or(violated!(
        INVALID_VALUE,
        "if no device of the context has this kind of shared virtual memory"
    ))?;
    context.svm().allocate(device, svm::Owner::Svm(kept), size, alignment)
}

#[cl_entry(clSVMAlloc, no_code)]
fn svm_alloc(
    context: cl_context,
    flags: cl_svm_mem_flags,
    size: usize,
    alignment: cl_uint,
) -> Result<*mut c_void, ClError> {
    // "clSVMAlloc will fail if context is not a valid context": NULL, as for the errors below.
    let context = Context::live(context)?;
    allocate(&context, flags, size, alignment).map(|p| p.0)
}

#[cl_entry(clSVMFree)]
fn svm_free(context: cl_context, svm_pointer: *mut c_void) {
    // "If svm_pointer is NULL, no action occurs"; the same for any other address.
    if let Ok(context) = borrow::<Context>(context) {
        context.svm().free(svm_pointer);
    }
}
