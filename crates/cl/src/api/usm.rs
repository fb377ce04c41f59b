//! Unified shared memory (`cl_intel_unified_shared_memory`).
//!
//! On a device whose kernels use the process's addresses, host, device and shared allocations are
//! the same kind of memory. The context lists them together with those of `clSVMAlloc`. A device
//! with coarse-grain SVM supports device allocations only, which the host accesses by commands.

use std::ffi::c_void;
use std::sync::Arc;

use muxcl_cl_macros::cl_entry;
use muxcl_cl_sys as sys;
use muxcl_cl_sys::{
    cl_bool, cl_command_queue, cl_context, cl_device_id, cl_event, cl_int, cl_kernel,
    cl_mem_migration_flags, cl_uint, cl_ulong,
};

use super::enqueue::Enqueue;
use super::kernel::set_address;
use super::svm::{copy, fill, nothing};
use crate::checked;
use crate::core::context::Context;
use crate::core::device::Device;
use crate::core::kernel::Kernel;
use crate::core::svm::Owner;
use crate::error::{ClError, ClResult};
use crate::explain::violated;
use crate::info::InfoOut;
use crate::object::{ClObject as _, borrow};

const ALLOC_FLAGS: cl_ulong = sys::CL_MEM_ALLOC_FLAGS_INTEL as cl_ulong;

/// Bytes of the largest data type, `long16`: the maximum alignment.
const LARGEST_TYPE: usize = 128;

fn allocate(
    context: &Context,
    kind: cl_uint,
    named: Option<Arc<Device>>,
    properties: *const cl_ulong,
    size: usize,
    alignment: cl_uint,
) -> ClResult<*mut c_void> {
    // CL_INVALID_OPERATION if the capabilities for this kind of memory are zero for device, or for
    // all devices in context.
    let able = |d: &&Arc<Device>| {
        if kind == sys::CL_MEM_TYPE_DEVICE_INTEL { d.has_usm() } else { d.has_shared_usm() }
    };
    let device = match &named {
        Some(device) => Some(device).filter(able),
        None => context.devices().iter().find(able),
    };
    let device = Arc::clone(device.ok_or(ClError::INVALID_OPERATION)?);
    // CL_INVALID_VALUE if alignment is not zero or a power of two, or if it is greater than the
    // size of the largest data type: long16.
    let align = alignment as usize;
    if (align != 0 && !align.is_power_of_two()) || align > LARGEST_TYPE {
        return Err(ClError::INVALID_VALUE);
    }
    // CL_INVALID_PROPERTY if a memory property name in properties is not a supported property name,
    // if the value specified for a supported property name is not valid, or if the same property
    // name is specified more than once. All flags are hints. Write-combined is valid for every
    // kind, the two flags of placement only for shared memory.
    let (pairs, _) = checked::properties(properties)?;
    let known = if kind == sys::CL_MEM_TYPE_SHARED_INTEL { 7 } else { 1 };
    let mut flags = 0;
    for (i, &(name, value)) in pairs.iter().enumerate() {
        if name != ALLOC_FLAGS || i != 0 || value & !known != 0 || value & 6 == 6 {
            return Err(ClError::INVALID_PROPERTY);
        }
        flags = value;
    }
    if size == 0 || context.devices().iter().any(|d| size as u64 > d.info().max_allocation) {
        return Err(violated!(
            INVALID_BUFFER_SIZE,
            "if size is 0 or more than a device of the context allocates at once"
        ));
    }
    let owner = Owner::Unified { kind, device: named, flags };
    // CL_OUT_OF_RESOURCES, CL_OUT_OF_HOST_MEMORY if there is a failure to allocate.
    let made = if device.has_system_svm() {
        context.svm().allocate(&device, owner, size, align)
    } else {
        context.svm().allocate_in_domains(context.device_set(), owner, size, align)
    };
    let pointer = made.map_err(|error| {
        let no_memory = error == ClError::MEM_OBJECT_ALLOCATION_FAILURE;
        if no_memory { ClError::OUT_OF_RESOURCES } else { error }
    })?;
    Ok(pointer.0)
}

/// A device of the context.
fn device_in(context: &Context, device: cl_device_id) -> ClResult<Arc<Device>> {
    // CL_INVALID_DEVICE if device is not a valid device or is not associated with context.
    let device = borrow::<Device>(device)?;
    context.device_index(&device)?;
    Ok(device.keep())
}

#[cl_entry(clHostMemAllocINTEL)]
fn host_mem_alloc_intel(
    context: cl_context,
    properties: *const cl_ulong,
    size: usize,
    alignment: cl_uint,
) -> Result<*mut c_void, ClError> {
    // CL_INVALID_CONTEXT if context is not a valid context.
    let context = Context::live(context)?;
    allocate(&context, sys::CL_MEM_TYPE_HOST_INTEL, None, properties, size, alignment)
}

#[cl_entry(clDeviceMemAllocINTEL)]
fn device_mem_alloc_intel(
    context: cl_context,
    device: cl_device_id,
    properties: *const cl_ulong,
    size: usize,
    alignment: cl_uint,
) -> Result<*mut c_void, ClError> {
    // CL_INVALID_CONTEXT if context is not a valid context.
    let context = Context::live(context)?;
    let device = Some(device_in(&context, device)?);
    allocate(&context, sys::CL_MEM_TYPE_DEVICE_INTEL, device, properties, size, alignment)
}

#[cl_entry(clSharedMemAllocINTEL)]
fn shared_mem_alloc_intel(
    context: cl_context,
    device: cl_device_id,
    properties: *const cl_ulong,
    size: usize,
    alignment: cl_uint,
) -> Result<*mut c_void, ClError> {
    // CL_INVALID_CONTEXT if context is not a valid context.
    let context = Context::live(context)?;
    // "device may be NULL": then the allocation is for all devices of the context that can use it.
    let device = if device.is_null() { None } else { Some(device_in(&context, device)?) };
    allocate(&context, sys::CL_MEM_TYPE_SHARED_INTEL, device, properties, size, alignment)
}

/// True if `pointer` is the first byte of an allocation of this extension.
fn is_ours(context: &Context, pointer: *const c_void) -> bool {
    let found = context.svm().find(pointer);
    found.is_some_and(|a| a.base == pointer.addr() && matches!(a.owner, Owner::Unified { .. }))
}

fn free(context: cl_context, pointer: *mut c_void, wait: bool) -> ClResult<()> {
    // CL_INVALID_CONTEXT if context is not a valid context.
    let context = borrow::<Context>(context)?;
    // "If ptr is NULL then no action occurs."
    if pointer.is_null() {
        return Ok(());
    }
    if !is_ours(&context, pointer) {
        return Err(violated!(
            INVALID_VALUE,
            "if ptr is neither NULL nor an allocation of this extension"
        ));
    }
    if wait {
        // Any pending command may use the allocation.
        context.finish()?;
    }
    context.svm().free(pointer);
    Ok(())
}

#[cl_entry(clMemFreeINTEL)]
fn mem_free_intel(context: cl_context, ptr: *mut c_void) -> Result<(), ClError> {
    free(context, ptr, false)
}

#[cl_entry(clMemBlockingFreeINTEL)]
fn mem_blocking_free_intel(context: cl_context, ptr: *mut c_void) -> Result<(), ClError> {
    free(context, ptr, true)
}

#[cl_entry(clGetMemAllocInfoINTEL)]
fn get_mem_alloc_info_intel(
    context: cl_context,
    ptr: *const c_void,
    param_name: cl_uint,
    param_value_size: usize,
    param_value: *mut c_void,
    param_value_size_ret: *mut usize,
) -> Result<(), ClError> {
    // CL_INVALID_CONTEXT if context is not a valid context.
    let context = borrow::<Context>(context)?;
    let out = InfoOut::new(param_value_size, param_value, param_value_size_ret);
    let found = context.svm().find(ptr);
    let (kind, device, flags, base, size) = match &found {
        Some(a) => match &a.owner {
            Owner::Unified { kind, device, flags } => {
                (*kind, device.as_ref(), *flags, a.base, a.size)
            }
            Owner::Svm(_) => (sys::CL_MEM_TYPE_UNKNOWN_INTEL, None, 0, 0, 0),
        },
        None => (sys::CL_MEM_TYPE_UNKNOWN_INTEL, None, 0, 0, 0),
    };
    let _written = match param_name {
        sys::CL_MEM_ALLOC_TYPE_INTEL => out.write::<cl_uint>(kind),
        sys::CL_MEM_ALLOC_BASE_PTR_INTEL => out.write::<usize>(base),
        sys::CL_MEM_ALLOC_SIZE_INTEL => out.write::<usize>(size),
        sys::CL_MEM_ALLOC_DEVICE_INTEL => {
            out.write::<cl_device_id>(device.map_or(std::ptr::null_mut(), |d| d.handle()))
        }
        sys::CL_MEM_ALLOC_FLAGS_INTEL => out.write::<cl_ulong>(flags),
        _ => Err(violated!(INVALID_VALUE, "if param_name is no query of this call")),
    }?;
    Ok(())
}

#[cl_entry(clSetKernelArgMemPointerINTEL)]
fn set_kernel_arg_mem_pointer_intel(
    kernel: cl_kernel,
    arg_index: cl_uint,
    arg_value: *const c_void,
) -> Result<(), ClError> {
    // CL_INVALID_KERNEL if kernel is not a valid kernel object.
    let kernel = borrow::<Kernel>(kernel)?;
    if !kernel.context().devices().iter().any(|d| d.has_usm()) {
        return Err(violated!(INVALID_OPERATION, "if no devices of the context have such memory"));
    }
    set_address(&kernel, arg_index, arg_value.addr() as u64)
}

#[cl_entry(clEnqueueMemFillINTEL)]
fn enqueue_mem_fill_intel(
    command_queue: cl_command_queue,
    dst_ptr: *mut c_void,
    pattern: *const c_void,
    pattern_size: usize,
    size: usize,
    num_events_in_wait_list: cl_uint,
    event_wait_list: *const cl_event,
    event: *mut cl_event,
) -> Result<(), ClError> {
    let enqueue = Enqueue::new(command_queue, num_events_in_wait_list, event_wait_list, event)?
        .if_device(Device::has_usm)?;
    fill(&enqueue, sys::CL_COMMAND_MEMFILL_INTEL, dst_ptr, pattern, pattern_size, size)
}

/// `clEnqueueMemFillINTEL` of earlier revisions, with one byte as the pattern.
#[cl_entry(clEnqueueMemsetINTEL)]
fn enqueue_memset_intel(
    command_queue: cl_command_queue,
    dst_ptr: *mut c_void,
    value: cl_int,
    size: usize,
    num_events_in_wait_list: cl_uint,
    event_wait_list: *const cl_event,
    event: *mut cl_event,
) -> Result<(), ClError> {
    let enqueue = Enqueue::new(command_queue, num_events_in_wait_list, event_wait_list, event)?
        .if_device(Device::has_usm)?;
    // As C's memset: the value, converted to a byte.
    let [byte, ..] = value.to_le_bytes();
    fill(&enqueue, sys::CL_COMMAND_MEMFILL_INTEL, dst_ptr, (&raw const byte).cast(), 1, size)
}

#[cl_entry(clEnqueueMemcpyINTEL)]
fn enqueue_memcpy_intel(
    command_queue: cl_command_queue,
    blocking: cl_bool,
    dst_ptr: *mut c_void,
    src_ptr: *const c_void,
    size: usize,
    num_events_in_wait_list: cl_uint,
    event_wait_list: *const cl_event,
    event: *mut cl_event,
) -> Result<(), ClError> {
    let enqueue = Enqueue::new(command_queue, num_events_in_wait_list, event_wait_list, event)?
        .if_device(Device::has_usm)?;
    copy(&enqueue, sys::CL_COMMAND_MEMCPY_INTEL, blocking != sys::CL_FALSE, dst_ptr, src_ptr, size)
}

#[cl_entry(clEnqueueMigrateMemINTEL)]
fn enqueue_migrate_mem_intel(
    command_queue: cl_command_queue,
    ptr: *const c_void,
    _size: usize,
    flags: cl_mem_migration_flags,
    num_events_in_wait_list: cl_uint,
    event_wait_list: *const cl_event,
    event: *mut cl_event,
) -> Result<(), ClError> {
    const ALL: cl_mem_migration_flags =
        sys::CL_MIGRATE_MEM_OBJECT_HOST | sys::CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
    let enqueue = Enqueue::new(command_queue, num_events_in_wait_list, event_wait_list, event)?
        .if_device(Device::has_usm)?;
    if ptr.is_null() || flags & !ALL != 0 {
        return Err(violated!(
            INVALID_VALUE,
            "if ptr is NULL, or flags has bits without a meaning"
        ));
    }
    nothing(&enqueue, sys::CL_COMMAND_MIGRATEMEM_INTEL, false)
}

#[cl_entry(clEnqueueMemAdviseINTEL)]
fn enqueue_mem_advise_intel(
    command_queue: cl_command_queue,
    ptr: *const c_void,
    _size: usize,
    advice: cl_uint,
    num_events_in_wait_list: cl_uint,
    event_wait_list: *const cl_event,
    event: *mut cl_event,
) -> Result<(), ClError> {
    let enqueue = Enqueue::new(command_queue, num_events_in_wait_list, event_wait_list, event)?
        .if_device(Device::has_usm)?;
    // CL_INVALID_VALUE if ptr is NULL, or if advice is not supported advice for the device: only 0
    // (no advice) is supported.
    if ptr.is_null() || advice != 0 {
        return Err(ClError::INVALID_VALUE);
    }
    nothing(&enqueue, sys::CL_COMMAND_MEMADVISE_INTEL, false)
}
