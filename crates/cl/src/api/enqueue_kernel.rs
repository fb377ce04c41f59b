//! Launches of kernels and native kernels (specification, section 5.10).

use std::ffi::c_void;
use std::sync::Arc;

use muxcl_cl_macros::cl_entry;
use muxcl_cl_sys as sys;
use muxcl_cl_sys::{cl_command_queue, cl_command_type, cl_event, cl_kernel, cl_mem, cl_uint};
use muxcl_lock::{Mutex, Rank};
use muxcl_mux::{Buffer, CheckedLaunch, CommandBuffer, MuxError};

use super::enqueue::{Enqueue, Migrations};
use crate::checked::{self, HostPtr};
use crate::core::check::LaunchCheck;
use crate::core::context::Context;
use crate::core::kernel::Kernel;
use crate::core::ndrange::RequestedSizes;
use crate::core::storage::{Access, MigrationList};
use crate::error::{ClError, ClResult};
use crate::explain::violated;
use crate::object::borrow;

/// Reads the sizes of a launch.
pub(super) fn requested_sizes(
    dimensions: cl_uint,
    offset: *const usize,
    global: *const usize,
    local: *const usize,
) -> ClResult<RequestedSizes> {
    if !(1..=3).contains(&dimensions) {
        return Err(violated!(INVALID_WORK_DIMENSION, "if work_dim is not between 1 and 3"));
    }
    let read = |pointer| sizes(dimensions, pointer);
    Ok(RequestedSizes {
        dimensions,
        offset: read(offset).unwrap_or_default(),
        global: read(global).unwrap_or_default(),
        local: read(local),
    })
}

/// Reads an array of 1, 2 or 3 sizes; `None` for NULL.
pub(super) fn sizes(dimensions: cl_uint, pointer: *const usize) -> Option<[usize; 3]> {
    if pointer.is_null() {
        return None;
    }
    let mut out = [0; 3];
    for (i, slot) in out.iter_mut().enumerate().take(dimensions as usize) {
        let at = pointer.wrapping_add(i);
        // SAFETY: not NULL, so an array of `dimensions` values by the specification.
        *slot = unsafe { at.read_unaligned() };
    }
    Some(out)
}

/// Launches the kernel on the queue of `enqueue`.
fn launch(
    command: cl_command_type,
    enqueue: &Enqueue<'_>,
    kernel: cl_kernel,
    dimensions: cl_uint,
    offset: *const usize,
    global: *const usize,
    local: *const usize,
) -> ClResult<()> {
    // CL_INVALID_KERNEL if kernel is not a valid kernel object.
    let kernel = borrow::<Kernel>(kernel)?;
    // CL_INVALID_CONTEXT if the context associated with command_queue and kernel are not the same.
    enqueue.same_context(kernel.context())?;
    let index = enqueue.queue.device_index();
    let sizes = requested_sizes(dimensions, offset, global, local).map_err(|error| {
        // CL_INVALID_PROGRAM_EXECUTABLE and CL_INVALID_KERNEL_ARGS take precedence.
        kernel.check_arguments(index).err().unwrap_or(error)
    })?;
    let launch = RecordableLaunch::new(&kernel, index, &sizes)?;
    enqueue.submit(enqueue.request(command, false, launch.commands()), |list| launch.record(list))
}

/// A checked launch with its migrations; of nothing, if there are no work-items.
pub(super) struct RecordableLaunch(Option<Recordable>);

struct Recordable {
    launch: CheckedLaunch,
    migrations: Migrations,
    /// The launch's checker (`MUXCL_CHECK`), and the context whose callback gets its reports.
    check: Option<(Arc<LaunchCheck>, Arc<Context>)>,
}

impl RecordableLaunch {
    /// The errors of clEnqueueNDRangeKernel about arguments, sizes and resources.
    pub(super) fn new(kernel: &Kernel, index: usize, sizes: &RequestedSizes) -> ClResult<Self> {
        let launch = kernel.launch(index, sizes)?;
        Ok(Self(launch.map(|(launch, migrations, check)| Recordable {
            launch,
            migrations: Migrations::from(migrations),
            check: check.map(|check| (check, Arc::clone(kernel.context()))),
        })))
    }

    /// The number of Mux commands that [`Self::record`] records.
    pub(super) fn commands(&self) -> usize {
        self.0
            .as_ref()
            .map_or(0, |of| 1 + of.migrations.commands() + if of.check.is_some() { 2 } else { 0 })
    }

    pub(super) fn record(self, commands: &mut CommandBuffer) -> Result<(), MuxError> {
        let Some(Recordable { launch, migrations, check }) = self.0 else { return Ok(()) };
        if let Some((check, _)) = check.clone() {
            commands.host_function(move || check.begin())?;
        }
        migrations.record(commands, 1)?;
        // CL_OUT_OF_RESOURCES if there is a failure to queue the execution instance of kernel on
        // the command-queue because of insufficient resources needed to execute the kernel: local
        // memory.
        commands.checked_nd_range(launch)?;
        if let Some((check, context)) = check {
            commands.host_function(move || {
                let context = Arc::clone(&context);
                check.end(move |text| context.report(text));
            })?;
        }
        Ok(())
    }
}

#[cl_entry(clEnqueueNDRangeKernel)]
fn enqueue_nd_range_kernel(
    command_queue: cl_command_queue,
    kernel: cl_kernel,
    work_dim: cl_uint,
    global_work_offset: *const usize,
    global_work_size: *const usize,
    local_work_size: *const usize,
    num_events_in_wait_list: cl_uint,
    event_wait_list: *const cl_event,
    event: *mut cl_event,
) -> Result<(), ClError> {
    let enqueue = Enqueue::new(command_queue, num_events_in_wait_list, event_wait_list, event)?;
    let (offset, global, local) = (global_work_offset, global_work_size, local_work_size);
    launch(sys::CL_COMMAND_NDRANGE_KERNEL, &enqueue, kernel, work_dim, offset, global, local)
}

#[cl_entry(clEnqueueTask)]
fn enqueue_task(
    command_queue: cl_command_queue,
    kernel: cl_kernel,
    num_events_in_wait_list: cl_uint,
    event_wait_list: *const cl_event,
    event: *mut cl_event,
) -> Result<(), ClError> {
    let enqueue = Enqueue::new(command_queue, num_events_in_wait_list, event_wait_list, event)?;
    let one = 1_usize;
    // "...equivalent to calling clEnqueueNDRangeKernel with work_dim set to 1, global_work_offset
    // set to NULL, global_work_size[0] set to 1, and local_work_size[0] set to 1."
    launch(
        sys::CL_COMMAND_TASK,
        &enqueue,
        kernel,
        1,
        std::ptr::null(),
        &raw const one,
        &raw const one,
    )
}

#[cl_entry(clGetKernelSuggestedLocalWorkSize)]
fn get_kernel_suggested_local_work_size(
    command_queue: cl_command_queue,
    kernel: cl_kernel,
    work_dim: cl_uint,
    global_work_offset: *const usize,
    global_work_size: *const usize,
    suggested_local_work_size: *mut usize,
) -> Result<(), ClError> {
    let (offset, global) = (global_work_offset, global_work_size);
    suggest(command_queue, kernel, work_dim, offset, global, suggested_local_work_size)
}

#[cl_entry(clGetKernelSuggestedLocalWorkSizeKHR)]
fn get_kernel_suggested_local_work_size_khr(
    command_queue: cl_command_queue,
    kernel: cl_kernel,
    work_dim: cl_uint,
    global_work_offset: *const usize,
    global_work_size: *const usize,
    suggested_local_work_size: *mut usize,
) -> Result<(), ClError> {
    let (offset, global) = (global_work_offset, global_work_size);
    suggest(command_queue, kernel, work_dim, offset, global, suggested_local_work_size)
}

/// Writes the local size of a launch that leaves the choice to the driver.
fn suggest(
    command_queue: cl_command_queue,
    kernel: cl_kernel,
    work_dim: cl_uint,
    global_work_offset: *const usize,
    global_work_size: *const usize,
    suggested_local_work_size: *mut usize,
) -> ClResult<()> {
    let enqueue = Enqueue::new(command_queue, 0, std::ptr::null(), std::ptr::null_mut())?;
    let kernel = borrow::<Kernel>(kernel)?;
    enqueue.same_context(kernel.context())?;
    let index = enqueue.queue.device_index();
    kernel.check_arguments(index)?;
    if suggested_local_work_size.is_null() {
        return Err(violated!(INVALID_VALUE, "if suggested_local_work_size is NULL"));
    }
    let sizes = requested_sizes(work_dim, global_work_offset, global_work_size, std::ptr::null())?;
    // The application may pass the answer to a launch, so it must divide the global size if the
    // program requires full groups.
    let chosen = kernel.sizes(enqueue.queue.device(), index, &sizes, false)?;
    if chosen.global.contains(&0) {
        return Err(violated!(
            INVALID_GLOBAL_WORK_SIZE,
            "if global_work_size is NULL or contains a 0"
        ));
    }
    for (i, size) in chosen.local.iter().enumerate().take(work_dim as usize) {
        // SAFETY: not NULL, so the application's array has `work_dim` values.
        let at = unsafe { suggested_local_work_size.add(i) };
        checked::out(at, usize::try_from(*size).unwrap_or(usize::MAX));
    }
    Ok(())
}

/// A copy of a native kernel's arguments, aligned for any C structure.
struct NativeArgs {
    words: Vec<u128>,
    /// Keeps the buffers whose addresses are among the arguments.
    _buffers: Vec<Buffer>,
}

#[cl_entry(clEnqueueNativeKernel)]
fn enqueue_native_kernel(
    command_queue: cl_command_queue,
    user_func: Option<unsafe extern "C" fn(*mut c_void)>,
    args: *mut c_void,
    cb_args: usize,
    num_mem_objects: cl_uint,
    mem_list: *const cl_mem,
    args_mem_loc: *mut *const c_void,
    num_events_in_wait_list: cl_uint,
    event_wait_list: *const cl_event,
    event: *mut cl_event,
) -> Result<(), ClError> {
    let enqueue = Enqueue::new(command_queue, num_events_in_wait_list, event_wait_list, event)?;
    if !enqueue.queue.device().info().host_unified_memory {
        return Err(violated!(INVALID_OPERATION, "if the queue's device runs no native kernels"));
    }
    // CL_INVALID_VALUE if user_func is NULL.
    let user_func = user_func.ok_or(ClError::INVALID_VALUE)?;
    // CL_INVALID_VALUE if args is a NULL value and cb_args > 0, or if args is a NULL value and
    // num_mem_objects > 0; if args is not NULL and cb_args is 0; if num_mem_objects > 0 and
    // mem_list or args_mem_loc are NULL; if num_mem_objects = 0 and mem_list or args_mem_loc are
    // not NULL.
    let count = num_mem_objects as usize;
    if args.is_null() != (cb_args == 0)
        || (args.is_null() && count > 0)
        || mem_list.is_null() != (count == 0)
        || args_mem_loc.is_null() != (count == 0)
    {
        return Err(ClError::INVALID_VALUE);
    }
    let handles = checked::slice(mem_list, count, ClError::INVALID_VALUE)?;
    let addresses = checked::slice(args_mem_loc.cast_const(), count, ClError::INVALID_VALUE)?;
    let mut copy = NativeArgs { words: Vec::new(), _buffers: Vec::new() };
    copy.words.try_reserve_exact(cb_args.div_ceil(size_of::<u128>()))?;
    copy.words.resize(cb_args.div_ceil(size_of::<u128>()), 0);
    copy._buffers.try_reserve_exact(count)?;
    let mut uses = Vec::new();
    uses.try_reserve_exact(count)?;
    let bytes: *mut u8 = copy.words.as_mut_ptr().cast();
    if cb_args != 0 {
        // SAFETY: the application's block has `cb_args` bytes, as the application guarantees; the
        // copy has at least as many.
        unsafe { std::ptr::copy_nonoverlapping(args.cast::<u8>().cast_const(), bytes, cb_args) };
    }
    for (&handle, &address) in handles.iter().zip(addresses) {
        let pointer = if handle.is_null() {
            // "...or NULL": a NULL handle is passed on as a NULL pointer.
            std::ptr::null_mut()
        } else {
            // CL_INVALID_MEM_OBJECT if one or more memory objects specified in mem_list are not
            // valid or are not buffer objects.
            let mem = enqueue.mem(handle)?;
            let buffer = enqueue.buffer(&mem)?;
            // CL_INVALID_OPERATION if the device associated with command_queue cannot execute the
            // native kernel.
            let pointer = buffer.host_ptr().ok_or(ClError::INVALID_OPERATION)?;
            uses.extend(enqueue.migration(&mem, 0, mem.size(), Access::Write));
            copy._buffers.push(buffer.into_owned());
            pointer
        };
        let at = address.addr().wrapping_sub(args.addr());
        // An address outside the block belongs to no argument.
        if at.checked_add(size_of::<*mut u8>()).is_none_or(|end| end > cb_args) {
            return Err(ClError::INVALID_VALUE);
        }
        // SAFETY: a pointer at offset `at` is inside the copy.
        let slot = unsafe { bytes.add(at) };
        // SAFETY: as above; the write is unaligned.
        unsafe { slot.cast::<*mut u8>().write_unaligned(pointer) };
    }
    let once = Mutex::new(Rank::Leaf, Some(copy));
    let call = move || {
        let taken = once.lock().take();
        if let Some(mut args) = taken {
            let pointer = if cb_args == 0 {
                HostPtr(std::ptr::null_mut())
            } else {
                HostPtr(args.words.as_mut_ptr().cast())
            };
            muxcl_lock::assert_none_held();
            // SAFETY: the application gave this function for this call.
            unsafe { user_func(pointer.0) };
        }
    };
    let migrations = Migrations::from((!uses.is_empty()).then(|| Arc::new(MigrationList(uses))));
    let request = enqueue.request(sys::CL_COMMAND_NATIVE_KERNEL, false, 1 + migrations.commands());
    enqueue.submit(request, |commands| {
        migrations.record(commands, 1)?;
        commands.host_function(call).map(|_| ())
    })
}
