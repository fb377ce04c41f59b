//! Buffers and queries of memory objects (specification, sections 5.2.1 and 5.5).

use std::ffi::c_void;

use muxcl_cl_macros::cl_entry;
use muxcl_cl_sys as sys;
use muxcl_cl_sys::{
    cl_bool, cl_buffer_create_type, cl_buffer_region, cl_context, cl_mem,
    cl_mem_device_address_ext, cl_mem_flags, cl_mem_info, cl_mem_properties, cl_uint,
};

use super::external_memory::MemProperties;
use crate::checked::{HostPtr, UserData};
use crate::core::context::Context;
use crate::core::image::Image;
use crate::core::memory::Mem;
use crate::error::{ClError, ClResult};
use crate::explain::violated;
use crate::info::InfoOut;
use crate::object::{self, ClObject as _, borrow};

pub(super) const DEVICE_ACCESS: cl_mem_flags =
    sys::CL_MEM_READ_WRITE | sys::CL_MEM_WRITE_ONLY | sys::CL_MEM_READ_ONLY;
const HOST_ACCESS: cl_mem_flags =
    sys::CL_MEM_HOST_WRITE_ONLY | sys::CL_MEM_HOST_READ_ONLY | sys::CL_MEM_HOST_NO_ACCESS;
pub(super) const HOST_POINTER: cl_mem_flags =
    sys::CL_MEM_USE_HOST_PTR | sys::CL_MEM_ALLOC_HOST_PTR | sys::CL_MEM_COPY_HOST_PTR;
/// Flags that are invalid with `CL_MEM_IMMUTABLE_EXT`.
const CHANGES: cl_mem_flags =
    sys::CL_MEM_READ_WRITE | sys::CL_MEM_WRITE_ONLY | sys::CL_MEM_HOST_WRITE_ONLY;

fn more_than_one(bits: cl_mem_flags) -> bool {
    bits.count_ones() > 1
}

/// Checks the flags of a new memory object.
pub(super) fn check_flags(flags: cl_mem_flags) -> ClResult<()> {
    // CL_INVALID_VALUE if values specified in flags are not valid as defined in the Memory Flags
    // table: unknown bits, or mutually exclusive ones. CL_INVALID_VALUE if CL_MEM_IMMUTABLE_EXT is
    // set in flags and CL_MEM_READ_WRITE, CL_MEM_WRITE_ONLY, or CL_MEM_HOST_WRITE_ONLY is set in
    // flags.
    let immutable = flags & sys::CL_MEM_IMMUTABLE_EXT != 0;
    if flags & !(DEVICE_ACCESS | HOST_ACCESS | HOST_POINTER | sys::CL_MEM_IMMUTABLE_EXT) != 0
        || (immutable && flags & CHANGES != 0)
        || more_than_one(flags & DEVICE_ACCESS)
        || more_than_one(flags & HOST_ACCESS)
        || (flags & sys::CL_MEM_USE_HOST_PTR != 0
            && flags & (sys::CL_MEM_ALLOC_HOST_PTR | sys::CL_MEM_COPY_HOST_PTR) != 0)
    {
        return Err(ClError::INVALID_VALUE);
    }
    Ok(())
}

/// Checks and completes the flags of a new memory object that is not made from another one.
/// `external`: its properties include an external memory handle.
pub(super) fn root_flags(flags: cl_mem_flags, external: bool) -> ClResult<cl_mem_flags> {
    // CL_INVALID_VALUE if CL_MEM_IMMUTABLE_EXT is set in flags and none of the following conditions
    // are met: CL_MEM_COPY_HOST_PTR or CL_MEM_USE_HOST_PTR is set in flags; properties includes an
    // external memory handle.
    if flags & sys::CL_MEM_IMMUTABLE_EXT != 0 {
        let filled =
            external || flags & (sys::CL_MEM_USE_HOST_PTR | sys::CL_MEM_COPY_HOST_PTR) != 0;
        return if filled { Ok(flags) } else { Err(ClError::INVALID_VALUE) };
    }
    // "If value specified for flags is 0, the default is used which is CL_MEM_READ_WRITE."
    Ok(if flags & DEVICE_ACCESS == 0 { flags | sys::CL_MEM_READ_WRITE } else { flags })
}

fn buffer(
    context: cl_context,
    properties: *const cl_mem_properties,
    flags: cl_mem_flags,
    size: usize,
    host_ptr: *mut c_void,
) -> ClResult<cl_mem> {
    // CL_INVALID_CONTEXT if context is not a valid context.
    let context = Context::live(context)?;
    // CL_INVALID_PROPERTY and CL_INVALID_DEVICE for properties that are not valid.
    let properties = MemProperties::read(&context, properties, true)?;
    if properties.private_address.is_some() && !context.has_device_addresses() {
        return Err(violated!(
            INVALID_OPERATION,
            "if no device of the context has device addresses"
        ));
    }
    check_flags(flags)?;
    properties.check_flags(flags)?;
    let flags = root_flags(flags, properties.handle.is_some())?;
    if size == 0 || context.devices().iter().all(|d| size as u64 > d.info().max_allocation) {
        return Err(violated!(
            INVALID_BUFFER_SIZE,
            "if size is 0 or more than every device allocates at once"
        ));
    }
    // CL_INVALID_HOST_PTR if host_ptr is NULL and CL_MEM_USE_HOST_PTR or CL_MEM_COPY_HOST_PTR are
    // set in flags or if host_ptr is not NULL but CL_MEM_COPY_HOST_PTR or CL_MEM_USE_HOST_PTR are
    // not set in flags; or if properties includes a supported external memory handle and host_ptr
    // is not NULL.
    let wants = flags & (sys::CL_MEM_USE_HOST_PTR | sys::CL_MEM_COPY_HOST_PTR) != 0;
    if wants == host_ptr.is_null() {
        return Err(ClError::INVALID_HOST_PTR);
    }
    // "If host_ptr points to memory of an SVM allocation, size must not reach beyond it":
    // CL_INVALID_BUFFER_SIZE.
    if wants && context.svm().find(host_ptr).is_some() && !context.svm().covers(host_ptr, size) {
        return Err(ClError::INVALID_BUFFER_SIZE);
    }
    let host = wants.then_some(HostPtr(host_ptr));
    // CL_MEM_OBJECT_ALLOCATION_FAILURE if there is a failure to allocate memory for buffer object.
    let MemProperties { handle, raw, .. } = properties;
    let made = match handle {
        Some(handle) => Mem::new_external(context.keep(), raw, flags, handle, size, None)?,
        None => Mem::new_buffer(context.keep(), raw, flags, size, host)?,
    };
    Ok(made.handle())
}

#[cl_entry(clCreateBuffer)]
fn create_buffer(
    context: cl_context,
    flags: cl_mem_flags,
    size: usize,
    host_ptr: *mut c_void,
) -> Result<cl_mem, ClError> {
    buffer(context, std::ptr::null(), flags, size, host_ptr)
}

#[cl_entry(clCreateBufferWithProperties)]
fn create_buffer_with_properties(
    context: cl_context,
    properties: *const cl_mem_properties,
    flags: cl_mem_flags,
    size: usize,
    host_ptr: *mut c_void,
) -> Result<cl_mem, ClError> {
    buffer(context, properties, flags, size, host_ptr)
}

/// The flags of a sub-buffer: the flags of the call, completed with flags of the parent.
pub(super) fn sub_buffer_flags(
    parent: cl_mem_flags,
    flags: cl_mem_flags,
) -> ClResult<cl_mem_flags> {
    if flags & HOST_POINTER != 0 {
        return Err(violated!(
            INVALID_VALUE,
            "if flags contradicts those of the buffer, or asks for a host pointer"
        ));
    }
    check_flags(flags)?;
    // CL_INVALID_VALUE if buffer was created with CL_MEM_IMMUTABLE_EXT and flags specifies
    // CL_MEM_READ_WRITE, CL_MEM_WRITE_ONLY, or CL_MEM_HOST_WRITE_ONLY. A sub-buffer of an immutable
    // buffer is immutable with any flags, because writes to it would change the parent.
    let immutable = (parent | flags) & sys::CL_MEM_IMMUTABLE_EXT;
    if parent & sys::CL_MEM_IMMUTABLE_EXT != 0 && flags & CHANGES != 0 {
        return Err(ClError::INVALID_VALUE);
    }
    let access = flags & DEVICE_ACCESS;
    let allowed = match parent & DEVICE_ACCESS {
        sys::CL_MEM_WRITE_ONLY => sys::CL_MEM_WRITE_ONLY,
        sys::CL_MEM_READ_ONLY => sys::CL_MEM_READ_ONLY,
        _ => DEVICE_ACCESS,
    };
    if access & !allowed != 0 {
        return Err(ClError::INVALID_VALUE);
    }
    // CL_INVALID_VALUE if buffer was created with CL_MEM_HOST_WRITE_ONLY and flags specify
    // CL_MEM_HOST_READ_ONLY, or if buffer was created with CL_MEM_HOST_READ_ONLY and flags specify
    // CL_MEM_HOST_WRITE_ONLY, or if buffer was created with CL_MEM_HOST_NO_ACCESS and flags specify
    // CL_MEM_HOST_READ_ONLY or CL_MEM_HOST_WRITE_ONLY.
    let host = flags & HOST_ACCESS;
    let refused = match parent & HOST_ACCESS {
        sys::CL_MEM_HOST_WRITE_ONLY => sys::CL_MEM_HOST_READ_ONLY,
        sys::CL_MEM_HOST_READ_ONLY => sys::CL_MEM_HOST_WRITE_ONLY,
        sys::CL_MEM_HOST_NO_ACCESS => sys::CL_MEM_HOST_READ_ONLY | sys::CL_MEM_HOST_WRITE_ONLY,
        _ => 0,
    };
    if host & refused != 0 {
        return Err(ClError::INVALID_VALUE);
    }
    // "If the CL_MEM_READ_WRITE ... values are not specified in flags, they are inherited". Host
    // access flags are inherited the same way, host pointer flags always. An immutable sub-buffer
    // of a mutable buffer does not inherit contradicting flags.
    let access = match access {
        0 if immutable != 0 => parent & sys::CL_MEM_READ_ONLY,
        0 => parent & DEVICE_ACCESS,
        given => given,
    };
    let host = if host == 0 { parent & HOST_ACCESS } else { host };
    Ok(access | host | immutable | (parent & HOST_POINTER))
}

#[cl_entry(clCreateSubBuffer)]
fn create_sub_buffer(
    buffer: cl_mem,
    flags: cl_mem_flags,
    buffer_create_type: cl_buffer_create_type,
    buffer_create_info: *const c_void,
) -> Result<cl_mem, ClError> {
    // CL_INVALID_MEM_OBJECT if buffer is not a valid buffer object or is a sub-buffer object.
    let parent = borrow::<Mem>(buffer)?;
    parent.context().alive()?;
    if parent.parent().is_some() || parent.pipe().is_some() || parent.image().is_some() {
        return Err(ClError::INVALID_MEM_OBJECT);
    }
    let flags = sub_buffer_flags(parent.flags(), flags)?;
    // CL_INVALID_VALUE if the value specified in buffer_create_type is not valid. CL_INVALID_VALUE
    // if value(s) specified in buffer_create_info (for a given buffer_create_type) is not valid or
    // if buffer_create_info is NULL.
    if buffer_create_type != sys::CL_BUFFER_CREATE_TYPE_REGION || buffer_create_info.is_null() {
        return Err(ClError::INVALID_VALUE);
    }
    // SAFETY: not NULL, and of this type by buffer_create_type.
    let region = unsafe { buffer_create_info.cast::<cl_buffer_region>().read_unaligned() };
    // CL_INVALID_VALUE if the region specified by the cl_buffer_region structure is out of bounds
    // of buffer. CL_INVALID_BUFFER_SIZE if the size field of the cl_buffer_region structure is 0.
    if region.size == 0 {
        return Err(ClError::INVALID_BUFFER_SIZE);
    }
    if region.origin.checked_add(region.size).is_none_or(|end| end > parent.size()) {
        return Err(ClError::INVALID_VALUE);
    }
    // CL_MISALIGNED_SUB_BUFFER_OFFSET if there are no devices in context associated with buffer for
    // which the origin field of the cl_buffer_region structure is aligned to the
    // CL_DEVICE_MEM_BASE_ADDR_ALIGN value.
    let aligned = parent
        .context()
        .devices()
        .iter()
        .any(|d| region.origin.is_multiple_of(d.base_address_align() as usize));
    if !aligned {
        return Err(ClError::MISALIGNED_SUB_BUFFER_OFFSET);
    }
    Ok(Mem::new_sub_buffer(parent.keep(), flags, region.origin, region.size)?.handle())
}

#[cl_entry(clRetainMemObject)]
fn retain_mem_object(memobj: cl_mem) -> Result<(), ClError> {
    // CL_INVALID_MEM_OBJECT if memobj is not a valid memory object (buffer or image).
    object::retain::<Mem>(memobj)
}

#[cl_entry(clReleaseMemObject)]
fn release_mem_object(memobj: cl_mem) -> Result<(), ClError> {
    // CL_INVALID_MEM_OBJECT if memobj is not a valid memory object.
    object::release::<Mem>(memobj)
}

#[cl_entry(clSetMemObjectDestructorCallback)]
fn set_mem_object_destructor_callback(
    memobj: cl_mem,
    pfn_notify: Option<unsafe extern "C" fn(cl_mem, *mut c_void)>,
    user_data: *mut c_void,
) -> Result<(), ClError> {
    // CL_INVALID_MEM_OBJECT if memobj is not a valid memory object.
    let mem = borrow::<Mem>(memobj)?;
    // CL_INVALID_VALUE if pfn_notify is NULL.
    let callback = pfn_notify.ok_or(ClError::INVALID_VALUE)?;
    mem.on_destroy(callback, UserData(user_data))
}

#[cl_entry(clGetMemObjectInfo)]
fn get_mem_object_info(
    memobj: cl_mem,
    param_name: cl_mem_info,
    param_value_size: usize,
    param_value: *mut c_void,
    param_value_size_ret: *mut usize,
) -> Result<(), ClError> {
    // CL_INVALID_MEM_OBJECT if memobj is a not a valid memory object.
    let mem = borrow::<Mem>(memobj)?;
    let out = InfoOut::new(param_value_size, param_value, param_value_size_ret);
    let _written = match param_name {
        sys::CL_MEM_TYPE => {
            let other = if mem.pipe().is_some() {
                sys::CL_MEM_OBJECT_PIPE
            } else {
                sys::CL_MEM_OBJECT_BUFFER
            };
            out.write(mem.image().map_or(other, Image::object_type))
        }
        sys::CL_MEM_FLAGS => out.write(mem.flags()),
        sys::CL_MEM_SIZE => out.write(mem.size()),
        sys::CL_MEM_HOST_PTR => out.write(mem.host_ptr().map_or(std::ptr::null_mut(), |p| p.0)),
        sys::CL_MEM_MAP_COUNT => {
            out.write(cl_uint::try_from(mem.map_count()).unwrap_or(cl_uint::MAX))
        }
        sys::CL_MEM_REFERENCE_COUNT => out.write(object::references(&*mem)),
        sys::CL_MEM_CONTEXT => out.write::<cl_context>(mem.context().handle()),
        sys::CL_MEM_ASSOCIATED_MEMOBJECT => out.write::<cl_mem>(
            mem.parent().map_or(std::ptr::null_mut(), |(parent, _)| parent.handle()),
        ),
        sys::CL_MEM_OFFSET => out.write::<usize>(mem.parent().map_or(0, |(_, origin)| origin)),
        sys::CL_MEM_USES_SVM_POINTER => {
            let svm = mem.host_ptr().is_some_and(|p| mem.context().svm().find(p.0).is_some());
            out.write::<cl_bool>(if svm { sys::CL_TRUE } else { sys::CL_FALSE })
        }
        sys::CL_MEM_DEVICE_ADDRESS_EXT => {
            if !mem.has_device_addresses() {
                return Err(violated!(
                    INVALID_OPERATION,
                    "if the buffer was not created with a device address"
                ));
            }
            // "An array of addresses, one for each device of the context": 0 for devices that
            // cannot use one.
            let mut addresses: Vec<cl_mem_device_address_ext> = Vec::new();
            for (index, device) in mem.context().devices().iter().enumerate() {
                let has = device.has_extension("cl_ext_buffer_device_address");
                addresses.push(if has { mem.buffer(index)?.device_address() } else { 0 });
            }
            out.write_slice(&addresses)
        }
        sys::CL_MEM_PROPERTIES => out.write_slice(mem.properties()),
        _ => Err(violated!(INVALID_VALUE, "if param_name is no query of this call")),
    }?;
    Ok(())
}
