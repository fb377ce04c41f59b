//! The entry points that record a command in a command buffer (`cl_khr_command_buffer`).
//!
//! Each command is the one of the same name that a queue runs, checked by the same code. It waits
//! for sync points instead of events.

use std::ffi::c_void;
use std::fmt;
use std::sync::Arc;

use muxcl_cl_macros::cl_entry;
use muxcl_cl_sys as sys;
use muxcl_cl_sys::{
    cl_bitfield, cl_command_buffer_khr, cl_command_properties_khr, cl_command_queue, cl_kernel,
    cl_mem, cl_mutable_command_khr, cl_sync_point_khr, cl_uint,
};

use muxcl_mux as mux;

use super::enqueue::{Captured, Enqueue, MemRef, recorded};
use super::enqueue_buffer::{RectCopy, copy_buffer, copy_buffer_rect, fill_buffer, three};
use super::enqueue_image::{copy_buffer_to_image, copy_image, copy_image_to_buffer, fill_image};
use super::enqueue_kernel::{RecordableLaunch, requested_sizes};
use super::svm;
use crate::checked::{self, HostPtr};
use crate::core::command_buffer::{
    CommandBuffer, Dispatch, KernelSnapshot, MutableCommand, Recorded, Source, Steps,
};
use crate::core::kernel::Kernel;
use crate::core::memory::Mem;
use crate::core::ndrange::RequestedSizes;
use crate::core::queue::Queue;
use crate::error::{ClError, ClResult};
use crate::explain::violated;
use crate::object::{Borrowed, ClObject as _, borrow};

/// `CL_DEVICE_MUTABLE_DISPATCH_CAPABILITIES_KHR`: everything that an update can change.
pub(super) const MUTABLE_FIELDS: cl_bitfield = sys::CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR
    | sys::CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR
    | sys::CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR
    | sys::CL_MUTABLE_DISPATCH_ARGUMENTS_KHR
    | sys::CL_MUTABLE_DISPATCH_EXEC_INFO_KHR;

/// Where a command is recorded.
#[derive(Debug)]
struct Recording<'a> {
    buffer: Borrowed<'a, CommandBuffer>,
    queue: Borrowed<'a, Queue>,
    /// Index of the queue in the command buffer's list.
    index: usize,
    /// The sync points for which the command waits.
    waits: Vec<cl_sync_point_khr>,
    /// Where the application wants the sync point.
    sync_point: *mut cl_sync_point_khr,
}

impl Recording<'_> {
    /// Records a command, and returns its sync point to the application.
    ///
    /// The errors of [`CommandBuffer::record`].
    fn record(self, commands: Option<mux::CommandBuffer>, source: Source) -> ClResult<()> {
        let command = Recorded { queue: self.index, waits: self.waits, commands, source };
        checked::out(self.sync_point, self.buffer.record(command)?);
        Ok(())
    }

    /// Records a command that no update can change, by its steps.
    fn record_steps<F>(self, steps: F) -> ClResult<()>
    where
        F: Fn(&Enqueue<'_>) -> ClResult<()> + Send + Sync + 'static,
    {
        let steps = CommandSteps(steps);
        let commands = steps.commands_for(self.queue)?;
        self.record(Some(commands), Source::Steps(Arc::new(steps)))
    }
}

/// A function that enqueues a command, for recording it on any queue.
struct CommandSteps<F>(F);

impl<F> fmt::Debug for CommandSteps<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CommandSteps").finish_non_exhaustive()
    }
}

impl<F: Fn(&Enqueue<'_>) -> ClResult<()>> CommandSteps<F> {
    fn commands_for(&self, queue: Borrowed<'_, Queue>) -> ClResult<mux::CommandBuffer> {
        let captured = Captured::default();
        (self.0)(&Enqueue::captured(queue, &captured))?;
        captured.take()
    }
}

impl<F: Fn(&Enqueue<'_>) -> ClResult<()> + Send + Sync> Steps for CommandSteps<F> {
    fn commands(&self, queue: &Arc<Queue>) -> ClResult<mux::CommandBuffer> {
        self.commands_for(Borrowed::of(queue))
    }
}

/// A memory object that a recorded command keeps; `None` for an invalid handle.
struct Kept(Option<Arc<Mem>>);

impl Kept {
    fn of(handle: cl_mem) -> Self {
        Self(borrow::<Mem>(handle).ok().map(Borrowed::keep))
    }

    fn get(&self) -> MemRef<'_> {
        MemRef::Kept(self.0.as_ref())
    }
}

/// A copy of three values of the application; `None` for NULL.
#[derive(Clone, Copy)]
struct Three(Option<[usize; 3]>);

impl Three {
    fn at(pointer: *const usize) -> Self {
        Self(three(pointer).ok())
    }

    fn pointer(&self) -> *const usize {
        self.0.as_ref().map_or(std::ptr::null(), |values| values.as_ptr())
    }
}

/// A copy of bytes of the application: a pattern or a color. `None` for NULL.
struct Bytes(Option<[u8; Self::MOST]>);

impl Bytes {
    /// Size of the largest pattern. Longer ones are errors.
    const MOST: usize = 128;

    /// Copies the first of `size` bytes.
    fn at(pointer: *const c_void, size: usize) -> Self {
        if pointer.is_null() {
            return Self(None);
        }
        let mut bytes = [0; Self::MOST];
        let size = size.min(Self::MOST);
        // SAFETY: not NULL, so the application's `size` bytes; no more than the copy has.
        unsafe { pointer.cast::<u8>().copy_to_nonoverlapping(bytes.as_mut_ptr(), size) };
        Self(Some(bytes))
    }

    fn pointer(&self) -> *const c_void {
        self.0.as_ref().map_or(std::ptr::null(), |bytes| bytes.as_ptr().cast())
    }
}

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
    let queues = buffer.get().queues();
    let (index, queue) = if command_queue.is_null() {
        (0, Borrowed::of(&queues[0]))
    } else {
        let queue = borrow::<Queue>(command_queue)?;
        if !queue.context().is(buffer.context()) {
            return Err(violated!(
                INVALID_CONTEXT,
                "if queue and command buffer belong to different contexts"
            ));
        }
        let known = queues.iter().position(|other| other.is(&queue));
        (known.ok_or(ClError::INVALID_COMMAND_QUEUE)?, queue)
    };
    if command_queue.is_null() && queues.len() > 1 {
        return Err(violated!(
            INVALID_COMMAND_QUEUE,
            "if the queue is none of the command buffer's, or NULL and there are several"
        ));
    }
    queue.alive()?;
    // CL_INVALID_SYNC_POINT_WAIT_LIST_KHR if sync_point_wait_list is NULL and
    // num_sync_points_in_wait_list is > 0, or sync_point_wait_list is not NULL and
    // num_sync_points_in_wait_list is 0, or if synchronization-point objects in
    // sync_point_wait_list are not valid synchronization-points.
    let count = num_sync_points_in_wait_list as usize;
    let invalid = ClError::INVALID_SYNC_POINT_WAIT_LIST_KHR;
    let waits = checked::slice(sync_point_wait_list, count, invalid)?;
    // CL_INVALID_OPERATION if command_buffer has been finalized.
    buffer.may_record(waits)?;
    let mut list = Vec::new();
    list.try_reserve_exact(waits.len())?;
    list.extend_from_slice(waits);
    Ok(Recording { buffer, queue, index, waits: list, sync_point })
}

/// A command that no update can change.
fn unchanging<'a>(
    recording: Recording<'a>,
    properties: *const cl_command_properties_khr,
    mutable_handle: *mut cl_mutable_command_khr,
) -> ClResult<Recording<'a>> {
    // CL_INVALID_VALUE if values specified in properties are not valid: there is no property.
    if !checked::properties(properties)?.0.is_empty() {
        return Err(ClError::INVALID_VALUE);
    }
    if !mutable_handle.is_null() {
        return Err(violated!(INVALID_VALUE, "if mutable_handle is not NULL"));
    }
    Ok(recording)
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
    // The commands of a queue run in their order anyway.
    command.record_steps(|enqueue| {
        enqueue.submit(enqueue.request(sys::CL_COMMAND_BARRIER, false, 0), |_| Ok(()))
    })
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
    let (src, dst) = (Kept::of(src_buffer), Kept::of(dst_buffer));
    command.record_steps(move |enqueue| {
        copy_buffer(enqueue, src.get(), dst.get(), src_offset, dst_offset, size)
    })
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
    let (src, dst) = (Kept::of(src_buffer), Kept::of(dst_buffer));
    let [from, to, region] = [src_origin, dst_origin, region].map(Three::at);
    command.record_steps(move |enqueue| {
        let at = RectCopy {
            origins: [from.pointer(), to.pointer()],
            region: region.pointer(),
            row_pitches: [src_row_pitch, dst_row_pitch],
            slice_pitches: [src_slice_pitch, dst_slice_pitch],
        };
        copy_buffer_rect(enqueue, src.get(), dst.get(), &at)
    })
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
    let (src, dst) = (Kept::of(src_buffer), Kept::of(dst_image));
    let [to, region] = [dst_origin, region].map(Three::at);
    command.record_steps(move |enqueue| {
        let (src, dst) = (src.get(), dst.get());
        copy_buffer_to_image(enqueue, src, dst, src_offset, to.pointer(), region.pointer())
    })
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
    let (src, dst) = (Kept::of(src_image), Kept::of(dst_image));
    let [from, to, region] = [src_origin, dst_origin, region].map(Three::at);
    command.record_steps(move |enqueue| {
        let (src, dst) = (src.get(), dst.get());
        copy_image(enqueue, src, dst, from.pointer(), to.pointer(), region.pointer())
    })
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
    let (src, dst) = (Kept::of(src_image), Kept::of(dst_buffer));
    let [from, region] = [src_origin, region].map(Three::at);
    command.record_steps(move |enqueue| {
        let (src, dst) = (src.get(), dst.get());
        copy_image_to_buffer(enqueue, src, dst, from.pointer(), region.pointer(), dst_offset)
    })
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
    let (buffer, pattern) = (Kept::of(buffer), Bytes::at(pattern, pattern_size));
    command.record_steps(move |enqueue| {
        fill_buffer(enqueue, buffer.get(), pattern.pointer(), pattern_size, offset, size)
    })
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
    let image = Kept::of(image);
    let format = image.0.as_ref().and_then(|mem| mem.image()).map(|image| image.format);
    // A depth image has one component, others have four.
    let components = if format.is_some_and(|format| format.is_depth()) { 1 } else { 4 };
    let color = Bytes::at(fill_color, 4 * components);
    let [origin, region] = [origin, region].map(Three::at);
    command.record_steps(move |enqueue| {
        fill_image(enqueue, image.get(), color.pointer(), origin.pointer(), region.pointer())
    })
}

/// CL_INVALID_OPERATION if the device associated with the command-queue does not support SVM.
fn has_svm(enqueue: &Enqueue<'_>) -> ClResult<()> {
    if enqueue.queue.device().has_svm() { Ok(()) } else { Err(ClError::INVALID_OPERATION) }
}

/// The address. A closure that calls this captures all of `HostPtr`, which is `Send`; the pointer
/// in it is not.
fn address(pointer: &HostPtr) -> *mut c_void {
    pointer.0
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
    let command = unchanging(place, properties, mutable_handle)?;
    let (dst, src) = (HostPtr(dst_ptr), HostPtr(src_ptr.cast_mut()));
    command.record_steps(move |enqueue| {
        has_svm(enqueue)?;
        let (dst, src) = (address(&dst), address(&src));
        svm::copy(enqueue, sys::CL_COMMAND_SVM_MEMCPY, false, dst, src, size)
    })
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
    let command = unchanging(place, properties, mutable_handle)?;
    let (to, pattern) = (HostPtr(svm_ptr), Bytes::at(pattern, pattern_size));
    command.record_steps(move |enqueue| {
        has_svm(enqueue)?;
        let (to, pattern) = (address(&to), pattern.pointer());
        svm::fill(enqueue, sys::CL_COMMAND_SVM_MEMFILL, to, pattern, pattern_size, size)
    })
}

/// The Mux commands of a kernel launch in a command buffer; `None` if arguments are missing, which
/// an update may set. The errors of clEnqueueNDRangeKernel.
pub(super) fn launch_commands(
    kernel: &Kernel,
    sizes: &RequestedSizes,
    queue: &Queue,
) -> ClResult<Option<mux::CommandBuffer>> {
    let index = queue.device_index();
    if kernel.check_arguments(index) == Err(ClError::INVALID_KERNEL_ARGS) {
        kernel.sizes(queue.device(), index, sizes, true)?;
        return Ok(None);
    }
    let launch = RecordableLaunch::new(kernel, index, sizes)?;
    recorded(queue, |list| launch.record(list)).map(Some)
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
    if !kernel.context().is(place.buffer.context()) {
        return Err(violated!(
            INVALID_CONTEXT,
            "if kernel and command buffer belong to different contexts"
        ));
    }
    let arguments = kernel.check_arguments(place.queue.device_index());
    // CL_INVALID_KERNEL_ARGS if the kernel argument values have not been specified and the
    // CL_MUTABLE_DISPATCH_ARGUMENTS_KHR flag was not set in the properties parameter.
    let later = place.buffer.is_mutable()
        && fields.is_some_and(|f| f & sys::CL_MUTABLE_DISPATCH_ARGUMENTS_KHR != 0)
        && arguments == Err(ClError::INVALID_KERNEL_ARGS);
    if !later {
        arguments?;
    }
    let sizes = requested_sizes(work_dim, global_work_offset, global_work_size, local_work_size)?;
    let commands = launch_commands(&kernel, &sizes, &place.queue)?;
    let dispatch = Dispatch { kernel: Arc::new(KernelSnapshot::of(&kernel)?), sizes };
    if mutable_handle.is_null() {
        return place.record(commands, Source::Launch(dispatch));
    }
    let fields = fields.unwrap_or(MUTABLE_FIELDS);
    let handle = MutableCommand::new(place.buffer, kernel.keep(), dispatch, raw, fields)?;
    let result = place.record(commands, Source::Mutable(handle.clone()));
    match result {
        Ok(()) => checked::out(mutable_handle, handle.handle()),
        Err(_) => crate::object::release::<MutableCommand>(handle.handle())?,
    }
    result
}
