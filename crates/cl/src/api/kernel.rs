//! Kernels.

use std::ffi::{c_char, c_void};

use muxcl_cl_macros::cl_entry;
use muxcl_cl_sys::{
    cl_device_id, cl_kernel, cl_kernel_arg_info, cl_kernel_exec_info, cl_kernel_info, cl_kernel_sub_group_info,
    cl_kernel_work_group_info, cl_program, cl_uint,
};

use crate::error::ClError;

#[cl_entry(clCreateKernel)]
fn create_kernel(_program: cl_program, _kernel_name: *const c_char) -> Result<cl_kernel, ClError> {
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clCreateKernelsInProgram)]
fn create_kernels_in_program(
    _program: cl_program,
    _num_kernels: cl_uint,
    _kernels: *mut cl_kernel,
    _num_kernels_ret: *mut cl_uint,
) -> Result<(), ClError> {
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clCloneKernel)]
fn clone_kernel(_source_kernel: cl_kernel) -> Result<cl_kernel, ClError> {
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clRetainKernel)]
fn retain_kernel(_kernel: cl_kernel) -> Result<(), ClError> {
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clReleaseKernel)]
fn release_kernel(_kernel: cl_kernel) -> Result<(), ClError> {
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clSetKernelArg)]
fn set_kernel_arg(
    _kernel: cl_kernel,
    _arg_index: cl_uint,
    _arg_size: usize,
    _arg_value: *const c_void,
) -> Result<(), ClError> {
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clSetKernelArgSVMPointer)]
fn set_kernel_argsvm_pointer(
    _kernel: cl_kernel,
    _arg_index: cl_uint,
    _arg_value: *const c_void,
) -> Result<(), ClError> {
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clSetKernelExecInfo)]
fn set_kernel_exec_info(
    _kernel: cl_kernel,
    _param_name: cl_kernel_exec_info,
    _param_value_size: usize,
    _param_value: *const c_void,
) -> Result<(), ClError> {
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clGetKernelInfo)]
fn get_kernel_info(
    _kernel: cl_kernel,
    _param_name: cl_kernel_info,
    _param_value_size: usize,
    _param_value: *mut c_void,
    _param_value_size_ret: *mut usize,
) -> Result<(), ClError> {
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clGetKernelArgInfo)]
fn get_kernel_arg_info(
    _kernel: cl_kernel,
    _arg_indx: cl_uint,
    _param_name: cl_kernel_arg_info,
    _param_value_size: usize,
    _param_value: *mut c_void,
    _param_value_size_ret: *mut usize,
) -> Result<(), ClError> {
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clGetKernelWorkGroupInfo)]
fn get_kernel_work_group_info(
    _kernel: cl_kernel,
    _device: cl_device_id,
    _param_name: cl_kernel_work_group_info,
    _param_value_size: usize,
    _param_value: *mut c_void,
    _param_value_size_ret: *mut usize,
) -> Result<(), ClError> {
    Err(ClError::INVALID_OPERATION)
}

#[cl_entry(clGetKernelSubGroupInfo)]
fn get_kernel_sub_group_info(
    _kernel: cl_kernel,
    _device: cl_device_id,
    _param_name: cl_kernel_sub_group_info,
    _input_value_size: usize,
    _input_value: *const c_void,
    _param_value_size: usize,
    _param_value: *mut c_void,
    _param_value_size_ret: *mut usize,
) -> Result<(), ClError> {
    Err(ClError::INVALID_OPERATION)
}
