//! Pipes (specification, section 5.4).

use std::ffi::c_void;

use muxcl_cl_macros::cl_entry;
use muxcl_cl_sys as sys;
use muxcl_cl_sys::{cl_context, cl_mem, cl_mem_flags, cl_pipe_info, cl_pipe_properties, cl_uint};

use crate::core::context::Context;
use crate::core::memory::Mem;
use crate::error::ClError;
use crate::explain::violated;
use crate::info::InfoOut;
use crate::object::{ClObject as _, borrow};

/// `CL_DEVICE_PIPE_MAX_PACKET_SIZE`
pub(super) const MAX_PACKET: cl_uint = 4096;
/// `CL_DEVICE_MAX_PIPE_ARGS`: the minimum of the specification. The driver itself limits only the
/// total of all arguments.
pub(super) const MAX_ARGS: cl_uint = 16;
/// `CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS`: only the size of the pipe limits reservations.
pub(super) const MAX_RESERVATIONS: cl_uint = 1 << 16;

#[cl_entry(clCreatePipe)]
fn create_pipe(
    context: cl_context,
    flags: cl_mem_flags,
    pipe_packet_size: cl_uint,
    pipe_max_packets: cl_uint,
    properties: *const cl_pipe_properties,
) -> Result<cl_mem, ClError> {
    const ALL: cl_mem_flags = sys::CL_MEM_READ_WRITE | sys::CL_MEM_HOST_NO_ACCESS;
    // CL_INVALID_CONTEXT if context is not a valid context.
    let context = Context::live(context)?;
    if !context.devices().iter().any(|d| d.info().pipes) {
        return Err(violated!(INVALID_OPERATION, "if no device of the context has pipes"));
    }
    // CL_INVALID_VALUE if values specified in flags are not as defined above: "Only
    // CL_MEM_READ_WRITE and CL_MEM_HOST_NO_ACCESS can be specified when creating a pipe object. If
    // the value specified for flags is 0, the default is used". CL_INVALID_VALUE if properties is
    // not NULL.
    if flags & !ALL != 0 || !properties.is_null() {
        return Err(ClError::INVALID_VALUE);
    }
    if pipe_packet_size == 0 || pipe_packet_size > MAX_PACKET || pipe_max_packets == 0 {
        return Err(violated!(
            INVALID_PIPE_SIZE,
            "if a size of the pipe is 0, or its packets are too large for all devices"
        ));
    }
    // CL_MEM_OBJECT_ALLOCATION_FAILURE if there is a failure to allocate memory for the pipe
    // object.
    let flags = if flags == 0 { ALL } else { flags };
    Ok(Mem::new_pipe(context.keep(), flags, pipe_packet_size, pipe_max_packets)?.handle())
}

#[cl_entry(clGetPipeInfo)]
fn get_pipe_info(
    pipe: cl_mem,
    param_name: cl_pipe_info,
    param_value_size: usize,
    param_value: *mut c_void,
    param_value_size_ret: *mut usize,
) -> Result<(), ClError> {
    // CL_INVALID_MEM_OBJECT if pipe is a not a valid pipe object.
    let mem = borrow::<Mem>(pipe)?;
    let pipe = mem.pipe().ok_or(ClError::INVALID_MEM_OBJECT)?;
    let out = InfoOut::new(param_value_size, param_value, param_value_size_ret);
    let _written = match param_name {
        sys::CL_PIPE_PACKET_SIZE => out.write::<cl_uint>(pipe.packet),
        sys::CL_PIPE_MAX_PACKETS => out.write::<cl_uint>(pipe.packets),
        // Pipes have no properties.
        sys::CL_PIPE_PROPERTIES => out.write_empty(),
        _ => Err(violated!(INVALID_VALUE, "if param_name is no query of this call")),
    }?;
    Ok(())
}
