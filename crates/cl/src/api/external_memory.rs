//! Memory of other programs (`cl_khr_external_memory`): the properties of memory objects, and the
//! commands that acquire and release them (specification, section 5.5.6).

use std::ffi::c_int;
use std::sync::Arc;

use muxcl_cl_macros::cl_entry;
use muxcl_cl_sys as sys;
use muxcl_cl_sys::{
    cl_command_queue, cl_command_type, cl_event, cl_mem, cl_mem_flags, cl_mem_properties, cl_uint,
};
use muxcl_mux as mux;
use muxcl_os::ExternalKind;

use super::enqueue::Enqueue;
use super::memory::HOST_POINTER;
use crate::checked;
use crate::core::context::Context;
use crate::core::device::Device;
use crate::core::external::ExternalHandle;
use crate::core::memory::{Mem, MemLifetime};
use crate::core::storage::HandOver;
use crate::error::{ClError, ClResult};
use crate::object::borrow;

const OPAQUE_FD: cl_mem_properties =
    sys::CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR as cl_mem_properties;
const DMA_BUF: cl_mem_properties = sys::CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR as cl_mem_properties;

/// `CL_DEVICE_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR`: for every device, because a device that
/// does not see the host's memory gets copies. Images are linear.
pub(super) const HANDLE_TYPES: [cl_uint; 2] =
    [sys::CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR, sys::CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR];

/// The properties of a memory object.
#[derive(Debug, Default)]
pub(super) struct MemProperties {
    /// The memory of another program, if the list has a handle.
    pub(super) handle: Option<ExternalHandle>,
    /// `CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT`, if it is in the list.
    pub(super) private_address: Option<bool>,
    /// The list as it was given, with the final zero; else empty.
    pub(super) raw: Vec<cl_mem_properties>,
}

impl MemProperties {
    /// Reads a property list. Only buffers can have `CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT`.
    pub(super) fn read(
        context: &Context,
        list: *const cl_mem_properties,
        is_buffer: bool,
    ) -> ClResult<Self> {
        let invalid = ClError::INVALID_PROPERTY;
        let mut read = Self::default();
        if list.is_null() {
            return Ok(read);
        }
        let (mut handle, mut devices) = (None, None);
        // CL_INVALID_PROPERTY if a property name in properties is not a supported property name, if
        // the value specified for a supported property name is not valid, or if the same property
        // name is specified more than once; or if properties includes more than one external memory
        // handle.
        loop {
            match next(list, &mut read.raw)? {
                0 => break,
                name @ (OPAQUE_FD | DMA_BUF) => {
                    let number = descriptor(next(list, &mut read.raw)?).ok_or(invalid)?;
                    let kind =
                        if name == DMA_BUF { ExternalKind::DmaBuf } else { ExternalKind::Any };
                    if handle.replace((number, kind)).is_some() {
                        return Err(invalid);
                    }
                }
                sys::CL_DEVICE_HANDLE_LIST_KHR => {
                    let found = self::devices(list, &mut read.raw)?;
                    if found.is_empty() || devices.replace(found).is_some() {
                        return Err(invalid);
                    }
                }
                sys::CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT if is_buffer => {
                    let value = next(list, &mut read.raw)?;
                    let wanted = value == cl_mem_properties::from(sys::CL_TRUE);
                    if value > sys::CL_TRUE.into() || read.private_address.replace(wanted).is_some()
                    {
                        return Err(invalid);
                    }
                }
                _ => return Err(invalid),
            }
        }
        let Some((number, kind)) = handle else {
            // CL_INVALID_PROPERTY if properties does not include a supported external memory handle
            // and CL_MEM_DEVICE_HANDLE_LIST_KHR is specified as part of properties.
            return if devices.is_some() { Err(invalid) } else { Ok(read) };
        };
        // CL_INVALID_DEVICE if a device identified by the property CL_MEM_DEVICE_HANDLE_LIST_KHR is
        // not a valid device or is not associated with context. Every device can import the memory.
        let devices = match devices {
            None => context.devices().to_vec(),
            Some(list) => {
                let device = |value: cl_mem_properties| {
                    let address = usize::try_from(value).map_err(|_| ClError::INVALID_DEVICE)?;
                    let device = borrow::<Device>(std::ptr::with_exposed_provenance_mut(address))?;
                    context.device_index(&device)?;
                    Ok(device.keep())
                };
                list.into_iter().map(device).collect::<ClResult<_>>()?
            }
        };
        read.handle = Some(ExternalHandle { number, kind, devices });
        Ok(read)
    }

    /// Checks the flags of a memory object with a handle.
    pub(super) fn check_flags(&self, flags: cl_mem_flags) -> ClResult<()> {
        // CL_INVALID_VALUE if properties includes a supported external memory handle and flags
        // includes CL_MEM_USE_HOST_PTR, CL_MEM_ALLOC_HOST_PTR, or CL_MEM_COPY_HOST_PTR.
        let wrong = self.handle.is_some() && flags & HOST_POINTER != 0;
        if wrong { Err(ClError::INVALID_VALUE) } else { Ok(()) }
    }
}

/// The value of `list` behind those in `raw`, where it is added.
fn next(
    list: *const cl_mem_properties,
    raw: &mut Vec<cl_mem_properties>,
) -> ClResult<cl_mem_properties> {
    raw.try_reserve(1)?;
    let at = list.wrapping_add(raw.len());
    // SAFETY: the list ends with a zero in place of a name, which has not been read yet.
    let value = unsafe { at.read_unaligned() };
    raw.push(value);
    Ok(value)
}

/// The values of a list in the list, up to its zero.
fn devices(
    list: *const cl_mem_properties,
    raw: &mut Vec<cl_mem_properties>,
) -> ClResult<Vec<cl_mem_properties>> {
    let mut found = Vec::new();
    loop {
        match next(list, raw)? {
            sys::CL_DEVICE_HANDLE_LIST_END_KHR => return Ok(found),
            device => {
                found.try_reserve(1)?;
                found.push(device);
            }
        }
    }
}

/// The file descriptor in a property's value: an `int`, extended with its sign or with zeros.
pub(super) fn descriptor(value: u64) -> Option<c_int> {
    c_int::try_from(value.cast_signed()).ok().or_else(|| {
        let low = u32::try_from(value).ok()?;
        Some(low.cast_signed())
    })
}

/// The hand-overs of a command.
#[derive(Debug)]
struct HandOvers {
    list: Vec<HandOver>,
    /// The objects live until the command has run.
    #[expect(dead_code, reason = "kept for its drop")]
    keepalive: Vec<Arc<MemLifetime>>,
}

impl mux::Condition for HandOvers {
    fn check(&self) -> Result<(), mux::MuxError> {
        self.list.iter().try_for_each(HandOver::run)
    }
}

/// Enqueues the command that acquires or releases memory objects.
fn hand_over(
    enqueue: &Enqueue<'_>,
    command: cl_command_type,
    num_mem_objects: cl_uint,
    mem_objects: *const cl_mem,
) -> ClResult<()> {
    // CL_INVALID_VALUE if num_mem_objects is zero and mem_objects is not a NULL value, or if
    // num_mem_objects is greater than 0 and mem_objects is NULL.
    let handles = checked::slice(mem_objects, num_mem_objects as usize, ClError::INVALID_VALUE)?;
    let acquire = command == sys::CL_COMMAND_ACQUIRE_EXTERNAL_MEM_OBJECTS_KHR;
    let (mut list, mut keepalive) = (Vec::new(), Vec::new());
    list.try_reserve_exact(handles.len())?;
    keepalive.try_reserve_exact(handles.len())?;
    for &handle in handles {
        // CL_INVALID_MEM_OBJECT if any of the memory objects in mem_objects is not a valid OpenCL
        // memory object created using an external memory handle.
        let mem = borrow::<Mem>(handle)?;
        let importers = mem.importers().ok_or(ClError::INVALID_MEM_OBJECT)?;
        // CL_INVALID_COMMAND_QUEUE if device associated with command_queue is not one of the
        // devices specified by CL_MEM_DEVICE_HANDLE_LIST_KHR at the time of creating one or more of
        // mem_objects, or if one or more of mem_objects belong to a context that does not contain a
        // device associated with command_queue. Another context with the device is refused, too.
        if !mem.context().is(enqueue.queue.context())
            || !importers.iter().any(|device| device.is(enqueue.queue.device()))
        {
            return Err(ClError::INVALID_COMMAND_QUEUE);
        }
        list.push(mem.storage().hand_over(acquire).ok_or(ClError::INVALID_MEM_OBJECT)?);
        keepalive.push(Arc::clone(mem.lifetime()));
    }
    enqueue.no_failed_waits()?;
    let hand_overs = Arc::new(HandOvers { list, keepalive });
    enqueue.submit(enqueue.request(command, false, 1), |commands| {
        commands.guard(hand_overs, 0).map(|_| ())
    })
}

#[cl_entry(clEnqueueAcquireExternalMemObjectsKHR)]
fn enqueue_acquire_external_mem_objects_khr(
    command_queue: cl_command_queue,
    num_mem_objects: cl_uint,
    mem_objects: *const cl_mem,
    num_events_in_wait_list: cl_uint,
    event_wait_list: *const cl_event,
    event: *mut cl_event,
) -> Result<(), ClError> {
    let enqueue = Enqueue::new(command_queue, num_events_in_wait_list, event_wait_list, event)?;
    let command = sys::CL_COMMAND_ACQUIRE_EXTERNAL_MEM_OBJECTS_KHR;
    hand_over(&enqueue, command, num_mem_objects, mem_objects)
}

#[cl_entry(clEnqueueReleaseExternalMemObjectsKHR)]
fn enqueue_release_external_mem_objects_khr(
    command_queue: cl_command_queue,
    num_mem_objects: cl_uint,
    mem_objects: *const cl_mem,
    num_events_in_wait_list: cl_uint,
    event_wait_list: *const cl_event,
    event: *mut cl_event,
) -> Result<(), ClError> {
    let enqueue = Enqueue::new(command_queue, num_events_in_wait_list, event_wait_list, event)?;
    let command = sys::CL_COMMAND_RELEASE_EXTERNAL_MEM_OBJECTS_KHR;
    hand_over(&enqueue, command, num_mem_objects, mem_objects)
}
