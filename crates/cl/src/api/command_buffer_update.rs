//! Changes of recorded kernel launches (`cl_khr_command_buffer_mutable_dispatch`).
//!
//! An update changes copies of the launches' kernels and sizes, and checks them as an enqueue
//! would. Only if all changes are valid does the command buffer take the copies.

use std::ffi::c_void;
use std::sync::Arc;

use muxcl_cl_macros::cl_entry;
use muxcl_cl_sys as sys;
use muxcl_cl_sys::{
    cl_command_buffer_khr, cl_command_buffer_update_type_khr, cl_command_queue, cl_command_type,
    cl_kernel, cl_mutable_command_info_khr, cl_mutable_command_khr, cl_mutable_dispatch_config_khr,
    cl_uint,
};

use super::command_buffer_record::launch_commands;
use super::enqueue_kernel;
use super::kernel::{set_argument, set_exec_info, set_svm_pointer};
use crate::checked;
use crate::core::command_buffer::{
    CommandBuffer, Dispatch, KernelSnapshot, MutableCommand, Update,
};
use crate::core::ndrange::RequestedSizes;
use crate::error::{ClError, ClResult};
use crate::explain::violated;
use crate::info::InfoOut;
use crate::object::{Borrowed, ClObject as _, borrow};

/// A launch with the changes so far.
struct Changed {
    command: Arc<MutableCommand>,
    kernel: KernelSnapshot,
    sizes: RequestedSizes,
}

/// True if all groups have the local size, as far as the application has chosen it.
fn is_uniform(sizes: &RequestedSizes) -> bool {
    sizes.local.is_none_or(|local| {
        let both = sizes.global.iter().zip(local).take(sizes.dimensions as usize);
        both.into_iter().all(|(global, local)| local != 0 && global.is_multiple_of(local))
    })
}

impl Changed {
    fn new(command: Borrowed<'_, MutableCommand>) -> ClResult<Self> {
        let Dispatch { kernel, sizes } = command.dispatch();
        let kernel = KernelSnapshot::of(kernel.kernel())?;
        Ok(Self { command: command.keep(), kernel, sizes })
    }

    /// Applies one configuration.
    fn apply(&mut self, config: &cl_mutable_dispatch_config_khr) -> ClResult<()> {
        let may = |wanted: bool, field| {
            if wanted && !self.command.may_change(field) {
                return Err(ClError::INVALID_OPERATION);
            }
            Ok(())
        };
        if config.work_dim != 0 && config.work_dim != self.sizes.dimensions {
            return Err(violated!(
                INVALID_OPERATION,
                "if work_dim is neither 0 nor that of the recorded launch"
            ));
        }
        let sizes = |pointer| enqueue_kernel::sizes(self.sizes.dimensions, pointer);
        let offset = sizes(config.global_work_offset);
        let global = sizes(config.global_work_size);
        let local = sizes(config.local_work_size);
        // CL_INVALID_OPERATION if the property was not set on command recording and the field is
        // not NULL or zero.
        may(offset.is_some(), sys::CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR)?;
        may(global.is_some(), sys::CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR)?;
        may(local.is_some(), sys::CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR)?;
        let arguments = config.num_args != 0 || config.num_svm_args != 0;
        may(arguments, sys::CL_MUTABLE_DISPATCH_ARGUMENTS_KHR)?;
        may(config.num_exec_infos != 0, sys::CL_MUTABLE_DISPATCH_EXEC_INFO_KHR)?;
        // CL_INVALID_VALUE if a list is NULL and its length is > 0, or the list is not NULL and its
        // length is 0.
        let invalid = ClError::INVALID_VALUE;
        let arguments = checked::slice(config.arg_list, config.num_args as usize, invalid)?;
        let pointers = checked::slice(config.arg_svm_list, config.num_svm_args as usize, invalid)?;
        let infos = checked::slice(config.exec_info_list, config.num_exec_infos as usize, invalid)?;
        let before = self.sizes;
        self.sizes.offset = offset.unwrap_or(before.offset);
        self.sizes.global = global.unwrap_or(before.global);
        self.sizes.local = local.or(before.local);
        if is_uniform(&before) != is_uniform(&self.sizes) {
            return Err(violated!(
                INVALID_OPERATION,
                "if the new sizes make work-groups uneven, or even, that were not"
            ));
        }
        // The errors of clSetKernelArg, clSetKernelArgSVMPointer and clSetKernelExecInfo.
        let kernel = self.kernel.kernel();
        for argument in arguments {
            set_argument(kernel, argument.arg_index, argument.arg_size, argument.arg_value)?;
        }
        for argument in pointers {
            set_svm_pointer(kernel, argument.arg_index, argument.arg_value)?;
        }
        for info in infos {
            set_exec_info(kernel, info.param_name, info.param_value_size, info.param_value)?;
        }
        Ok(())
    }

    /// The new version of the launch. The errors of clEnqueueNDRangeKernel.
    fn finish(self, buffer: &CommandBuffer) -> ClResult<Update> {
        let queue = buffer.queue_of(&self.command);
        let commands = launch_commands(self.kernel.kernel(), &self.sizes, queue)?;
        let dispatch = Dispatch { kernel: Arc::new(self.kernel), sizes: self.sizes };
        Ok(Update { command: self.command, dispatch, commands })
    }
}

#[cl_entry(clUpdateMutableCommandsKHR)]
fn update_mutable_commands_khr(
    command_buffer: cl_command_buffer_khr,
    num_configs: cl_uint,
    config_types: *const cl_command_buffer_update_type_khr,
    configs: *mut *const c_void,
) -> Result<(), ClError> {
    // CL_INVALID_COMMAND_BUFFER_KHR if command_buffer is not a valid command-buffer.
    let buffer = borrow::<CommandBuffer>(command_buffer)?;
    // CL_INVALID_OPERATION if command_buffer has not been finalized, or was not created with the
    // CL_COMMAND_BUFFER_MUTABLE_KHR flag.
    buffer.may_update()?;
    // CL_INVALID_VALUE if config_types or configs is NULL and num_configs > 0, or one of them is
    // not NULL and num_configs is 0.
    let count = num_configs as usize;
    let types = checked::slice(config_types, count, ClError::INVALID_VALUE)?;
    let configs = checked::slice(configs.cast_const(), count, ClError::INVALID_VALUE)?;
    let mut changed: Vec<Changed> = Vec::new();
    for (&kind, &config) in types.iter().zip(configs) {
        if kind != sys::CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_KHR || config.is_null() {
            return Err(violated!(
                INVALID_VALUE,
                "if a configuration is NULL or of an unknown type"
            ));
        }
        // SAFETY: not NULL, so it points at the structure that its type names.
        let config = unsafe { config.cast::<cl_mutable_dispatch_config_khr>().read_unaligned() };
        // CL_INVALID_MUTABLE_COMMAND_KHR if command is not a valid mutable command object returned
        // from clCommandNDRangeKernelKHR, or created from command_buffer.
        let command = borrow::<MutableCommand>(config.command)?;
        if !command.buffer().is_some_and(|of| std::ptr::eq(&*of, buffer.get())) {
            return Err(ClError::INVALID_MUTABLE_COMMAND_KHR);
        }
        let known = changed.iter().position(|c| std::ptr::eq(&*c.command, command.get()));
        let at = match known {
            Some(at) => at,
            None => {
                changed.try_reserve(1)?;
                changed.push(Changed::new(command)?);
                changed.len() - 1
            }
        };
        changed[at].apply(&config)?;
    }
    let updates: ClResult<Vec<Update>> = changed.into_iter().map(|c| c.finish(&buffer)).collect();
    buffer.update(updates?);
    Ok(())
}

#[cl_entry(clGetMutableCommandInfoKHR)]
fn get_mutable_command_info_khr(
    command: cl_mutable_command_khr,
    param_name: cl_mutable_command_info_khr,
    param_value_size: usize,
    param_value: *mut c_void,
    param_value_size_ret: *mut usize,
) -> Result<(), ClError> {
    // CL_INVALID_MUTABLE_COMMAND_KHR if command is not a valid mutable command object.
    let command = borrow::<MutableCommand>(command)?;
    let buffer = command.buffer().ok_or(ClError::INVALID_MUTABLE_COMMAND_KHR)?;
    let Dispatch { sizes, .. } = command.dispatch();
    let dimensions = sizes.dimensions as usize;
    let out = InfoOut::new(param_value_size, param_value, param_value_size_ret);
    let _written = match param_name {
        sys::CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR => {
            out.write::<cl_command_queue>(buffer.queue_of(&command).handle())
        }
        sys::CL_MUTABLE_COMMAND_COMMAND_BUFFER_KHR => {
            out.write::<cl_command_buffer_khr>(buffer.handle())
        }
        sys::CL_MUTABLE_COMMAND_COMMAND_TYPE_KHR => {
            out.write::<cl_command_type>(sys::CL_COMMAND_NDRANGE_KERNEL)
        }
        sys::CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR => out.write_slice(command.properties()),
        sys::CL_MUTABLE_DISPATCH_KERNEL_KHR => out.write::<cl_kernel>(command.kernel().handle()),
        sys::CL_MUTABLE_DISPATCH_DIMENSIONS_KHR => out.write::<cl_uint>(sizes.dimensions),
        sys::CL_MUTABLE_DISPATCH_GLOBAL_WORK_OFFSET_KHR => {
            out.write_slice(&sizes.offset[..dimensions])
        }
        sys::CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR => {
            out.write_slice(&sizes.global[..dimensions])
        }
        sys::CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE_KHR => {
            out.write_slice(&sizes.local.unwrap_or_default()[..dimensions])
        }
        _ => Err(violated!(INVALID_VALUE, "if param_name is no query of this call")),
    }?;
    Ok(())
}
