//! Queries of kernels (specification, section 5.9.4).

use std::ffi::c_void;

use muxcl_cl_macros::cl_entry;
use muxcl_cl_sys as sys;
use muxcl_cl_sys::{
    cl_context, cl_device_id, cl_kernel, cl_kernel_arg_info, cl_kernel_info,
    cl_kernel_sub_group_info, cl_kernel_work_group_info, cl_program, cl_uint, cl_ulong,
};
use muxcl_types::program::{AccessQualifier, AddressQualifier};
use muxcl_types::sub_group;

use crate::checked;
use crate::core::device::Device;
use crate::core::kernel::Kernel;
use crate::core::program::Origin;
use crate::error::{ClError, ClResult};
use crate::explain::violated;
use crate::info::InfoOut;
use crate::object::{self, Borrowed, ClObject as _, borrow};

#[cl_entry(clGetKernelInfo)]
fn get_kernel_info(
    kernel: cl_kernel,
    param_name: cl_kernel_info,
    param_value_size: usize,
    param_value: *mut c_void,
    param_value_size_ret: *mut usize,
) -> Result<(), ClError> {
    // CL_INVALID_KERNEL if kernel is a not a valid kernel object.
    let kernel = borrow::<Kernel>(kernel)?;
    let out = InfoOut::new(param_value_size, param_value, param_value_size_ret);
    let _written = match param_name {
        sys::CL_KERNEL_FUNCTION_NAME => out.write_str(&kernel.info().name),
        sys::CL_KERNEL_NUM_ARGS => {
            out.write(cl_uint::try_from(kernel.info().visible_args().len()).unwrap_or(cl_uint::MAX))
        }
        sys::CL_KERNEL_REFERENCE_COUNT => out.write(object::references(&*kernel)),
        sys::CL_KERNEL_CONTEXT => out.write::<cl_context>(kernel.context().handle()),
        sys::CL_KERNEL_PROGRAM => out.write::<cl_program>(kernel.program().handle()),
        // "For kernels not created from OpenCL C source and the clCreateProgramWithSource API call
        // the string returned from this query will be empty."
        sys::CL_KERNEL_ATTRIBUTES => match kernel.program().origin() {
            Origin::Source => out.write_str(&kernel.info().attributes),
            Origin::Il | Origin::Binary | Origin::Linked => out.write_str(""),
        },
        _ => Err(violated!(INVALID_VALUE, "if param_name is no query of this call")),
    }?;
    Ok(())
}

#[cl_entry(clGetKernelArgInfo)]
fn get_kernel_arg_info(
    kernel: cl_kernel,
    arg_indx: cl_uint,
    param_name: cl_kernel_arg_info,
    param_value_size: usize,
    param_value: *mut c_void,
    param_value_size_ret: *mut usize,
) -> Result<(), ClError> {
    // CL_INVALID_KERNEL if kernel is a not a valid kernel object.
    let kernel = borrow::<Kernel>(kernel)?;
    // CL_INVALID_ARG_INDEX if arg_indx is not a valid argument index.
    let argument = kernel.argument(arg_indx as usize)?;
    let out = InfoOut::new(param_value_size, param_value, param_value_size_ret);
    let known = matches!(
        param_name,
        sys::CL_KERNEL_ARG_ADDRESS_QUALIFIER
            | sys::CL_KERNEL_ARG_ACCESS_QUALIFIER
            | sys::CL_KERNEL_ARG_TYPE_NAME
            | sys::CL_KERNEL_ARG_TYPE_QUALIFIER
            | sys::CL_KERNEL_ARG_NAME
    );
    if !known {
        return Err(violated!(INVALID_VALUE, "if param_name is no query of this call"));
    }
    // CL_KERNEL_ARG_INFO_NOT_AVAILABLE if the argument information is not available for kernel.
    // Programs from source have it, whether or not they were built with -cl-kernel-arg-info.
    if !kernel.info().has_arg_info {
        return Err(ClError::KERNEL_ARG_INFO_NOT_AVAILABLE);
    }
    let _written = match param_name {
        sys::CL_KERNEL_ARG_ADDRESS_QUALIFIER => out.write(match argument.address {
            AddressQualifier::Global => sys::CL_KERNEL_ARG_ADDRESS_GLOBAL,
            AddressQualifier::Local => sys::CL_KERNEL_ARG_ADDRESS_LOCAL,
            AddressQualifier::Constant => sys::CL_KERNEL_ARG_ADDRESS_CONSTANT,
            AddressQualifier::Private => sys::CL_KERNEL_ARG_ADDRESS_PRIVATE,
        }),
        sys::CL_KERNEL_ARG_ACCESS_QUALIFIER => out.write(match argument.access {
            AccessQualifier::ReadOnly => sys::CL_KERNEL_ARG_ACCESS_READ_ONLY,
            AccessQualifier::WriteOnly => sys::CL_KERNEL_ARG_ACCESS_WRITE_ONLY,
            AccessQualifier::ReadWrite => sys::CL_KERNEL_ARG_ACCESS_READ_WRITE,
            AccessQualifier::None => sys::CL_KERNEL_ARG_ACCESS_NONE,
        }),
        sys::CL_KERNEL_ARG_TYPE_NAME => out.write_str(&argument.type_name),
        sys::CL_KERNEL_ARG_TYPE_QUALIFIER => {
            out.write::<cl_ulong>(u64::from(argument.type_qualifiers))
        }
        _ => out.write_str(&argument.name),
    }?;
    Ok(())
}

/// The device of a query that may omit it, with its index in the context.
fn device_of(kernel: &Kernel, device: cl_device_id) -> ClResult<(&Device, usize)> {
    let mut devices = kernel.devices();
    let found = if device.is_null() {
        // CL_INVALID_DEVICE if ... device is NULL but there is more than one device associated with
        // kernel.
        match (devices.next(), devices.next()) {
            (Some(only), None) => only,
            _ => return Err(ClError::INVALID_DEVICE),
        }
    } else {
        // CL_INVALID_DEVICE if device is not in the list of devices associated with kernel.
        let device: Borrowed<'_, Device> = borrow(device)?;
        devices.find(|d| d.is(&device)).ok_or(ClError::INVALID_DEVICE)?
    };
    Ok((found, kernel.context().device_index(found)?))
}

#[cl_entry(clGetKernelWorkGroupInfo)]
fn get_kernel_work_group_info(
    kernel: cl_kernel,
    device: cl_device_id,
    param_name: cl_kernel_work_group_info,
    param_value_size: usize,
    param_value: *mut c_void,
    param_value_size_ret: *mut usize,
) -> Result<(), ClError> {
    // CL_INVALID_KERNEL if kernel is a not a valid kernel object.
    let kernel = borrow::<Kernel>(kernel)?;
    let (device, index) = device_of(&kernel, device)?;
    let info = kernel.info();
    let size = |value: u64| usize::try_from(value).unwrap_or(usize::MAX);
    let out = InfoOut::new(param_value_size, param_value, param_value_size_ret);
    let _written = match param_name {
        sys::CL_KERNEL_WORK_GROUP_SIZE => out.write(size(device.info().max_work_group_size)),
        sys::CL_KERNEL_COMPILE_WORK_GROUP_SIZE => {
            out.write(info.reqd_work_group_size.map(|n| n as usize))
        }
        sys::CL_KERNEL_LOCAL_MEM_SIZE => out
            .write::<cl_ulong>(info.local_bytes.saturating_add(kernel.local_argument_bytes(index))),
        sys::CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE => {
            out.write(device.preferred_group_multiple())
        }
        // Spilled registers go to the stack, and the compiler does not count them.
        sys::CL_KERNEL_SPILL_MEM_SIZE_INTEL
            if device.has_extension("cl_intel_required_subgroup_size") =>
        {
            out.write::<cl_ulong>(0)
        }
        sys::CL_KERNEL_PRIVATE_MEM_SIZE => out.write::<cl_ulong>(info.private_bytes),
        // CL_INVALID_VALUE if param_name is CL_KERNEL_GLOBAL_WORK_SIZE and device is not a custom
        // device and kernel is not a built-in kernel. CL_INVALID_VALUE if param_name is not one of
        // the supported values.
        _ => Err(ClError::INVALID_VALUE),
    }?;
    Ok(())
}

#[cl_entry(clGetKernelSubGroupInfo)]
fn get_kernel_sub_group_info(
    kernel: cl_kernel,
    device: cl_device_id,
    param_name: cl_kernel_sub_group_info,
    input_value_size: usize,
    input_value: *const c_void,
    param_value_size: usize,
    param_value: *mut c_void,
    param_value_size_ret: *mut usize,
) -> Result<(), ClError> {
    // CL_INVALID_KERNEL if kernel is a not a valid kernel object.
    let kernel = borrow::<Kernel>(kernel)?;
    let (device, _) = device_of(&kernel, device)?;
    if !device.has_sub_groups() {
        return Err(violated!(INVALID_OPERATION, "if the device has no sub-groups"));
    }
    let width = kernel.info().sub_group_size();
    let most = device.info().max_work_group_size;
    let out = InfoOut::new(param_value_size, param_value, param_value_size_ret);
    let input = || sizes_in(input_value_size, input_value);
    // Number of work-items in a local size of one to three dimensions.
    let items =
        || -> ClResult<u64> { Ok(input()?.iter().fold(1, |all, n| all.saturating_mul(*n as u64))) };
    let size = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
    let _written = match param_name {
        sys::CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE => {
            out.write(size(items()?.min(width.into())))
        }
        sys::CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE => {
            out.write(size(sub_group::count(items()?, width)))
        }
        sys::CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT => {
            let [count] = *input()? else { return Err(ClError::INVALID_VALUE) };
            let items = (count as u64).saturating_mul(width.into());
            // "If no work-group size can accommodate the requested number of sub-groups, 0 will be
            // returned in each element".
            let local = if count == 0 || items > most { [0; 3] } else { [size(items), 1, 1] };
            let asked = param_value_size / size_of::<usize>();
            if !param_value.is_null() && !(1..=3).contains(&asked) {
                return Err(ClError::INVALID_VALUE);
            }
            out.write_slice(&local[..asked.clamp(1, 3)])
        }
        sys::CL_KERNEL_MAX_NUM_SUB_GROUPS => out.write(size(sub_group::count(most, width))),
        // Only SPIR-V can specify the number of sub-groups.
        sys::CL_KERNEL_COMPILE_NUM_SUB_GROUPS => out.write(kernel.info().reqd_sub_groups as usize),
        sys::CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL => {
            out.write(kernel.info().reqd_sub_group_size as usize)
        }
        _ => Err(violated!(INVALID_VALUE, "if param_name is no query of this call")),
    }?;
    Ok(())
}

/// `clGetKernelSubGroupInfo` by its name in `cl_khr_subgroups`.
#[cl_entry(clGetKernelSubGroupInfoKHR)]
fn get_kernel_sub_group_info_khr(
    kernel: cl_kernel,
    device: cl_device_id,
    param_name: cl_kernel_sub_group_info,
    input_value_size: usize,
    input_value: *const c_void,
    param_value_size: usize,
    param_value: *mut c_void,
    param_value_size_ret: *mut usize,
) -> Result<(), ClError> {
    get_kernel_sub_group_info(
        kernel,
        device,
        param_name,
        input_value_size,
        input_value,
        param_value_size,
        param_value,
        param_value_size_ret,
    )
}

/// The input of a query: one to three sizes.
///
/// CL_INVALID_VALUE if param_name is ... and the size in bytes specified by input_value_size is not
/// valid or if input_value is NULL.
fn sizes_in<'a>(bytes: usize, values: *const c_void) -> ClResult<&'a [usize]> {
    let count = bytes / size_of::<usize>();
    if values.is_null() || !bytes.is_multiple_of(size_of::<usize>()) || !(1..=3).contains(&count) {
        return Err(ClError::INVALID_VALUE);
    }
    checked::slice(values.cast::<usize>(), count, ClError::INVALID_VALUE)
}
