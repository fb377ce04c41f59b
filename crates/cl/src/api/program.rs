//! Programs.

use std::ffi::{c_char, c_uchar, c_void};

use muxcl_cl_macros::cl_entry;
use muxcl_cl_sys::{
    cl_context, cl_device_id, cl_int, cl_platform_id, cl_program, cl_program_build_info, cl_program_info, cl_uint,
};

use crate::error::ClError;

#[cl_entry(clCreateProgramWithSource)]
fn create_program_with_source(
    _context: cl_context,
    _count: cl_uint,
    _strings: *mut *const c_char,
    _lengths: *const usize,
) -> Result<cl_program, ClError> {
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clCreateProgramWithBinary)]
fn create_program_with_binary(
    _context: cl_context,
    _num_devices: cl_uint,
    _device_list: *const cl_device_id,
    _lengths: *const usize,
    _binaries: *mut *const c_uchar,
    _binary_status: *mut cl_int,
) -> Result<cl_program, ClError> {
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clCreateProgramWithBuiltInKernels)]
fn create_program_with_built_in_kernels(
    _context: cl_context,
    _num_devices: cl_uint,
    _device_list: *const cl_device_id,
    _kernel_names: *const c_char,
) -> Result<cl_program, ClError> {
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clCreateProgramWithIL)]
fn create_program_withil(_context: cl_context, _il: *const c_void, _length: usize) -> Result<cl_program, ClError> {
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clRetainProgram)]
fn retain_program(_program: cl_program) -> Result<(), ClError> {
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clReleaseProgram)]
fn release_program(_program: cl_program) -> Result<(), ClError> {
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clSetProgramReleaseCallback)]
fn set_program_release_callback(
    _program: cl_program,
    _pfn_notify: Option<unsafe extern "C" fn(cl_program, *mut c_void)>,
    _user_data: *mut c_void,
) -> Result<(), ClError> {
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clSetProgramSpecializationConstant)]
fn set_program_specialization_constant(
    _program: cl_program,
    _spec_id: cl_uint,
    _spec_size: usize,
    _spec_value: *const c_void,
) -> Result<(), ClError> {
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clBuildProgram)]
fn build_program(
    _program: cl_program,
    _num_devices: cl_uint,
    _device_list: *const cl_device_id,
    _options: *const c_char,
    _pfn_notify: Option<unsafe extern "C" fn(cl_program, *mut c_void)>,
    _user_data: *mut c_void,
) -> Result<(), ClError> {
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clCompileProgram)]
fn compile_program(
    _program: cl_program,
    _num_devices: cl_uint,
    _device_list: *const cl_device_id,
    _options: *const c_char,
    _num_input_headers: cl_uint,
    _input_headers: *const cl_program,
    _header_include_names: *mut *const c_char,
    _pfn_notify: Option<unsafe extern "C" fn(cl_program, *mut c_void)>,
    _user_data: *mut c_void,
) -> Result<(), ClError> {
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clLinkProgram)]
fn link_program(
    _context: cl_context,
    _num_devices: cl_uint,
    _device_list: *const cl_device_id,
    _options: *const c_char,
    _num_input_programs: cl_uint,
    _input_programs: *const cl_program,
    _pfn_notify: Option<unsafe extern "C" fn(cl_program, *mut c_void)>,
    _user_data: *mut c_void,
) -> Result<cl_program, ClError> {
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clUnloadPlatformCompiler)]
fn unload_platform_compiler(_platform: cl_platform_id) -> Result<(), ClError> {
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clUnloadCompiler)]
fn unload_compiler() -> Result<(), ClError> {
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clGetProgramInfo)]
fn get_program_info(
    _program: cl_program,
    _param_name: cl_program_info,
    _param_value_size: usize,
    _param_value: *mut c_void,
    _param_value_size_ret: *mut usize,
) -> Result<(), ClError> {
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clGetProgramBuildInfo)]
fn get_program_build_info(
    _program: cl_program,
    _device: cl_device_id,
    _param_name: cl_program_build_info,
    _param_value_size: usize,
    _param_value: *mut c_void,
    _param_value_size_ret: *mut usize,
) -> Result<(), ClError> {
    Err(ClError::INVALID_OPERATION)
}
