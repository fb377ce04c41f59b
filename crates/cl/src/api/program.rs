//! Programs: creation and queries (specification, section 5.8). Builds are in `build`.

use std::ffi::{c_char, c_uchar, c_void};
use std::sync::Arc;

use muxcl_cl_macros::cl_entry;
use muxcl_cl_sys as sys;
use muxcl_cl_sys::{
    cl_bool, cl_context, cl_device_id, cl_int, cl_platform_id, cl_program, cl_program_build_info,
    cl_program_info, cl_uint,
};

use crate::checked;
use crate::compiler_client;
use crate::core::context::Context;
use crate::core::device::Device;
use crate::core::il::Il;
use crate::core::platform::Platform;
use crate::core::program::Program;
use crate::error::{ClError, ClResult};
use crate::explain::violated;
use crate::info::{InfoOut, Written};
use crate::object::{self, ClObject as _, borrow};

#[cl_entry(clCreateProgramWithSource)]
fn create_program_with_source(
    context: cl_context,
    count: cl_uint,
    strings: *mut *const c_char,
    lengths: *const usize,
) -> Result<cl_program, ClError> {
    // CL_INVALID_CONTEXT if context is not a valid context.
    let context = Context::live(context)?;
    if count == 0 || strings.is_null() {
        return Err(violated!(INVALID_VALUE, "if count is 0, or strings or one of them is NULL"));
    }
    let strings = checked::slice(strings.cast_const(), count as usize, ClError::INVALID_VALUE)?;
    // "If lengths is NULL, all strings in the strings argument are considered null-terminated."
    let lengths = if lengths.is_null() {
        None
    } else {
        Some(checked::slice(lengths, count as usize, ClError::INVALID_VALUE)?)
    };
    let mut source = Vec::new();
    for (i, &string) in strings.iter().enumerate() {
        let text = checked::text_of(string, lengths.and_then(|l| l.get(i)).copied().unwrap_or(0))
            .ok_or(ClError::INVALID_VALUE)?;
        source.try_reserve(text.len())?;
        source.extend_from_slice(text);
    }
    Ok(Program::from_source(context.keep(), source)?.handle())
}

#[cl_entry(clCreateProgramWithBinary)]
fn create_program_with_binary(
    context: cl_context,
    num_devices: cl_uint,
    device_list: *const cl_device_id,
    lengths: *const usize,
    binaries: *mut *const c_uchar,
    binary_status: *mut cl_int,
) -> Result<cl_program, ClError> {
    // CL_INVALID_CONTEXT if context is not a valid context.
    let context = Context::live(context)?;
    if num_devices == 0 || device_list.is_null() {
        return Err(violated!(INVALID_VALUE, "if device_list is NULL or num_devices is 0"));
    }
    let count = num_devices as usize;
    // CL_INVALID_DEVICE if any device in device_list is not in the list of devices associated with
    // context.
    let mut devices: Vec<Arc<Device>> = Vec::new();
    for &device in checked::slice(device_list, count, ClError::INVALID_VALUE)? {
        let device = borrow::<Device>(device)?;
        context.device_index(&device)?;
        if devices.iter().any(|d| d.is(&device)) {
            return Err(ClError::INVALID_DEVICE);
        }
        devices.try_reserve(1)?;
        devices.push(device.keep());
    }
    if lengths.is_null() || binaries.is_null() {
        return Err(violated!(
            INVALID_VALUE,
            "if lengths or binaries is NULL, or a binary is NULL or empty"
        ));
    }
    let lengths = checked::slice(lengths, count, ClError::INVALID_VALUE)?;
    let pointers = checked::slice(binaries.cast_const(), count, ClError::INVALID_VALUE)?;
    let mut outcome = Ok(());
    let mut read = Vec::new();
    for (i, device) in devices.iter().enumerate() {
        let (Some(&length), Some(&pointer)) = (lengths.get(i), pointers.get(i)) else {
            return Err(ClError::INVALID_VALUE);
        };
        let result = if length == 0 || pointer.is_null() {
            Err(ClError::INVALID_VALUE)
        } else {
            let bytes = checked::slice(pointer, length, ClError::INVALID_VALUE)?;
            match Program::read_binary(device, bytes) {
                Ok(binary) => {
                    let mut copy = Vec::new();
                    copy.try_reserve_exact(bytes.len())?;
                    copy.extend_from_slice(bytes);
                    read.try_reserve(1)?;
                    read.push((binary, copy));
                    Ok(())
                }
                // CL_INVALID_BINARY if an invalid program binary was encountered for any device.
                // binary_status will return specific status for each device.
                Err(reason) => {
                    context.report(&format!("clCreateProgramWithBinary: {reason}"));
                    Err(ClError::INVALID_BINARY)
                }
            }
        };
        if !binary_status.is_null() {
            // SAFETY: the application's array has num_devices elements.
            let at = unsafe { binary_status.add(i) };
            checked::out(at, result.err().map_or(sys::CL_SUCCESS, ClError::code));
        }
        if outcome.is_ok() {
            outcome = result;
        }
    }
    outcome?;
    Ok(Program::from_binaries(context.keep(), devices, read)?.handle())
}

#[cl_entry(clCreateProgramWithBuiltInKernels)]
fn create_program_with_built_in_kernels(
    context: cl_context,
    num_devices: cl_uint,
    device_list: *const cl_device_id,
    kernel_names: *const c_char,
) -> Result<cl_program, ClError> {
    // CL_INVALID_CONTEXT if context is not a valid context.
    let context = Context::live(context)?;
    if num_devices == 0 || device_list.is_null() {
        return Err(violated!(INVALID_VALUE, "if device_list is NULL or num_devices is 0"));
    }
    // CL_INVALID_VALUE if kernel_names is NULL or kernel_names contains a kernel name that is not
    // supported by any of the devices in device_list: no device has built-in kernels.
    // CL_INVALID_DEVICE if any device in device_list is not in the list of devices associated with
    // context.
    for &device in checked::slice(device_list, num_devices as usize, ClError::INVALID_VALUE)? {
        context.device_index(&*borrow::<Device>(device)?)?;
    }
    let _ = kernel_names;
    Err(ClError::INVALID_VALUE)
}

/// Upper bound of the memory that parsing a SPIR-V module takes: `READING` bytes for each byte of
/// the module, plus `HEADROOM` bytes.
const READING: usize = 16;
const HEADROOM: usize = 1 << 20;

fn from_il(context: cl_context, il: *const c_void, length: usize) -> ClResult<cl_program> {
    // CL_INVALID_CONTEXT if context is not a valid context.
    let context = Context::live(context)?;
    if !context.devices().iter().any(|d| d.has_il()) {
        return Err(violated!(INVALID_OPERATION, "if no device of the context takes SPIR-V"));
    }
    if il.is_null() || length == 0 {
        return Err(violated!(INVALID_VALUE, "if il is NULL or length is 0"));
    }
    let bytes = checked::slice(il.cast::<u8>(), length, ClError::INVALID_VALUE)?;
    let mut copy = Vec::new();
    copy.try_reserve_exact(length)?;
    copy.extend_from_slice(bytes);
    // A failed allocation in the parser would end the process, so check for free memory now.
    Vec::<u8>::new().try_reserve_exact(length.saturating_mul(READING).saturating_add(HEADROOM))?;
    // CL_INVALID_VALUE if the length-byte block of memory pointed to by il does not contain
    // well-formed intermediate language input that can be consumed by the OpenCL runtime.
    let il = Il::read(copy).map_err(|reason| {
        context.report(&format!("clCreateProgramWithIL: {reason}"));
        ClError::INVALID_VALUE
    })?;
    Ok(Program::from_il(context.keep(), il)?.handle())
}

#[cl_entry(clCreateProgramWithIL)]
fn create_program_with_il(
    context: cl_context,
    il: *const c_void,
    length: usize,
) -> Result<cl_program, ClError> {
    from_il(context, il, length)
}

#[cl_entry(clCreateProgramWithILKHR)]
fn create_program_with_il_khr(
    context: cl_context,
    il: *const c_void,
    length: usize,
) -> Result<cl_program, ClError> {
    from_il(context, il, length)
}

#[cl_entry(clRetainProgram)]
fn retain_program(program: cl_program) -> Result<(), ClError> {
    // CL_INVALID_PROGRAM if program is not a valid program object.
    object::retain::<Program>(program)
}

#[cl_entry(clReleaseProgram)]
fn release_program(program: cl_program) -> Result<(), ClError> {
    // CL_INVALID_PROGRAM if program is not a valid program object.
    let kept = borrow::<Program>(program)?.keep();
    object::release::<Program>(program)?;
    kept.cancel_unneeded_builds();
    Ok(())
}

#[cl_entry(clSetProgramReleaseCallback)]
fn set_program_release_callback(
    program: cl_program,
    pfn_notify: Option<unsafe extern "C" fn(cl_program, *mut c_void)>,
    _user_data: *mut c_void,
) -> Result<(), ClError> {
    // CL_INVALID_PROGRAM if program is not a valid program object.
    let _program = borrow::<Program>(program)?;
    // CL_INVALID_VALUE if pfn_notify is NULL.
    pfn_notify.ok_or(ClError::INVALID_VALUE)?;
    // CL_INVALID_OPERATION if no devices associated with program support program scope constructors
    // and destructors.
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clSetProgramSpecializationConstant)]
fn set_program_specialization_constant(
    program: cl_program,
    spec_id: cl_uint,
    spec_size: usize,
    spec_value: *const c_void,
) -> Result<(), ClError> {
    // CL_INVALID_PROGRAM if program is not a valid program object created from an intermediate
    // language (e.g. SPIR-V). CL_INVALID_OPERATION if no devices associated with program support
    // intermediate language programs. If both errors apply, the second one is returned.
    let program = borrow::<Program>(program)?;
    let Some(il) = program.il() else {
        let any = program.devices().iter().any(|d| d.has_il());
        return Err(if any { ClError::INVALID_PROGRAM } else { ClError::INVALID_OPERATION });
    };
    if !compiler_client::available() {
        return Err(violated!(
            COMPILER_NOT_AVAILABLE,
            "if the program is SPIR-V and a device has no compiler"
        ));
    }
    // CL_INVALID_SPEC_ID if spec_id is not a valid specialization constant identifier.
    // CL_INVALID_VALUE if spec_size does not match the size of the specialization constant in the
    // module, or if spec_value is NULL.
    //
    // This call does not wait for a build in progress, which has its own copy of the values.
    if spec_size != il.constant_size(spec_id)? {
        return Err(ClError::INVALID_VALUE);
    }
    il.set(spec_id, checked::slice(spec_value.cast::<u8>(), spec_size, ClError::INVALID_VALUE)?)
}

#[cl_entry(clUnloadCompiler)]
fn unload_compiler() -> Result<(), ClError> {
    // "The unloading of the compiler is a hint and does not guarantee that the compiler will
    // actually be unloaded."
    Ok(())
}

#[cl_entry(clUnloadPlatformCompiler)]
fn unload_platform_compiler(platform: cl_platform_id) -> Result<(), ClError> {
    // CL_INVALID_PLATFORM if platform is not a valid platform.
    borrow::<Platform>(platform).map(|_| ())
}

fn binary_sizes(program: &Program, out: InfoOut) -> ClResult<Written> {
    let mut sizes = Vec::new();
    for index in 0..program.devices().len() {
        sizes.push(program.bytes(index)?.len());
    }
    out.write_slice(&sizes)
}

fn binaries(program: &Program, out: InfoOut) -> ClResult<Written> {
    let (pointers, written) = out.pointers(program.devices().len())?;
    for (index, to) in pointers.into_iter().flatten().enumerate() {
        // "If an entry value in the array is NULL, the implementation skips copying the program
        // binary for the device."
        if !to.is_null() {
            let bytes = program.bytes(index)?;
            // SAFETY: by the specification the application allocated CL_PROGRAM_BINARY_SIZES[index]
            // bytes there.
            unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), to, bytes.len()) };
        }
    }
    Ok(written)
}

#[cl_entry(clGetProgramInfo)]
fn get_program_info(
    program: cl_program,
    param_name: cl_program_info,
    param_value_size: usize,
    param_value: *mut c_void,
    param_value_size_ret: *mut usize,
) -> Result<(), ClError> {
    // CL_INVALID_PROGRAM if program is a not a valid program object.
    let program = borrow::<Program>(program)?;
    let out = InfoOut::new(param_value_size, param_value, param_value_size_ret);
    let _written = match param_name {
        sys::CL_PROGRAM_REFERENCE_COUNT => out.write(object::references(&*program)),
        sys::CL_PROGRAM_CONTEXT => out.write::<cl_context>(program.context().handle()),
        sys::CL_PROGRAM_NUM_DEVICES => {
            out.write(cl_uint::try_from(program.devices().len()).unwrap_or(cl_uint::MAX))
        }
        sys::CL_PROGRAM_DEVICES => {
            let handles: Vec<cl_device_id> = program.devices().iter().map(|d| d.handle()).collect();
            out.write_slice(&handles)
        }
        // "If program is created using clCreateProgramWithBinary ... a null string or the
        // appropriate program source code is returned"
        sys::CL_PROGRAM_SOURCE => {
            let mut text = Vec::new();
            text.try_reserve_exact(program.source().len() + 1)?;
            text.extend_from_slice(program.source());
            text.push(0);
            out.write_slice(&text)
        }
        // "If program is created with clCreateProgramWithSource, clCreateProgramWithBinary or
        // clCreateProgramWithBuiltInKernels the memory pointed to by param_value will be unchanged
        // and param_value_size_ret will be set to 0."
        sys::CL_PROGRAM_IL => out.write_slice(program.il().map_or(&[], Il::bytes)),
        sys::CL_PROGRAM_BINARY_SIZES => binary_sizes(&program, out),
        sys::CL_PROGRAM_BINARIES => binaries(&program, out),
        // CL_INVALID_PROGRAM_EXECUTABLE if param_name is CL_PROGRAM_NUM_KERNELS,
        // CL_PROGRAM_KERNEL_NAMES, ... and a successful program executable has not been built for
        // at least one device in the list of devices.
        sys::CL_PROGRAM_NUM_KERNELS => out.write(program.any_executable()?.kernels().len()),
        sys::CL_PROGRAM_KERNEL_NAMES => {
            let built = program.any_executable()?;
            let names: Vec<&str> = built.kernels().iter().map(|k| k.name.as_str()).collect();
            out.write_str(&names.join(";"))
        }
        sys::CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT => {
            let built = program.any_executable()?;
            out.write::<cl_bool>(built.binary().info.has_constructors.into())
        }
        // Destructors of program-scope objects never run: clang's code for them is incomplete.
        sys::CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT => {
            program.any_executable()?;
            out.write::<cl_bool>(sys::CL_FALSE)
        }
        _ => Err(violated!(INVALID_VALUE, "if param_name is no query of this call")),
    }?;
    Ok(())
}

#[cl_entry(clGetProgramBuildInfo)]
fn get_program_build_info(
    program: cl_program,
    device: cl_device_id,
    param_name: cl_program_build_info,
    param_value_size: usize,
    param_value: *mut c_void,
    param_value_size_ret: *mut usize,
) -> Result<(), ClError> {
    // CL_INVALID_PROGRAM if program is a not a valid program object.
    let program = borrow::<Program>(program)?;
    // CL_INVALID_DEVICE if device is not in the list of devices associated with program.
    let index = program.device_index(&*borrow::<Device>(device)?)?;
    // The status tells whether a build is in progress, and the options are known from its start.
    // All other queries need the outcome and wait for it.
    if !matches!(param_name, sys::CL_PROGRAM_BUILD_STATUS | sys::CL_PROGRAM_BUILD_OPTIONS) {
        program.wait_for_builds();
    }
    let index = program.answering(index);
    let out = InfoOut::new(param_value_size, param_value, param_value_size_ret);
    let _written = match param_name {
        sys::CL_PROGRAM_BUILD_STATUS => out.write(program.status(index)?),
        sys::CL_PROGRAM_BUILD_OPTIONS => out.write_str(&program.options(index)?),
        sys::CL_PROGRAM_BUILD_LOG => out.write_str(&program.log(index)?),
        sys::CL_PROGRAM_BINARY_TYPE => out.write(program.binary_type(index)?),
        sys::CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE => {
            let bytes = program.binary(index)?.map_or(0, |b| b.info.global_variable_bytes);
            out.write::<usize>(usize::try_from(bytes).unwrap_or(usize::MAX))
        }
        _ => Err(violated!(INVALID_VALUE, "if param_name is no query of this call")),
    }?;
    Ok(())
}
