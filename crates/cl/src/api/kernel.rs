//! Kernels and their arguments (specification, section 5.9). Queries are in `kernel_info`.

use std::ffi::{c_char, c_void};

use muxcl_cl_macros::cl_entry;
use muxcl_cl_sys as sys;
use muxcl_cl_sys::{
    cl_bool, cl_command_queue, cl_kernel, cl_kernel_exec_info, cl_mem, cl_program, cl_sampler,
    cl_uint, cl_ulong,
};
use muxcl_types::program::{AccessQualifier, ArgInfo, ArgKind};

use crate::checked;
use crate::core::context::Context;
use crate::core::device_queue::DeviceQueue;
use crate::core::kernel::{ArgValue, Kernel};
use crate::core::memory::Mem;
use crate::core::program::Program;
use crate::core::sampler::Sampler;
use crate::error::{ClError, ClResult};
use crate::explain::violated;
use crate::object::{self, ClObject as _, borrow};

#[cl_entry(clCreateKernel)]
fn create_kernel(program: cl_program, kernel_name: *const c_char) -> Result<cl_kernel, ClError> {
    // CL_INVALID_PROGRAM if program is not a valid program object.
    let program = borrow::<Program>(program)?;
    program.context().alive()?;
    // CL_INVALID_PROGRAM_EXECUTABLE if there is no successfully built executable for program.
    program.any_executable()?;
    // CL_INVALID_VALUE if kernel_name is NULL.
    let name = checked::text(kernel_name).ok_or(ClError::INVALID_VALUE)?;
    // CL_INVALID_KERNEL_NAME if kernel_name is not found in program. CL_INVALID_KERNEL_DEFINITION
    // if the function definition is not the same for all devices: in Kernel::new.
    let name = name.to_str().map_err(|_| ClError::INVALID_KERNEL_NAME)?;
    Ok(Kernel::new(program.keep(), name)?.handle())
}

#[cl_entry(clCreateKernelsInProgram)]
fn create_kernels_in_program(
    program: cl_program,
    num_kernels: cl_uint,
    kernels: *mut cl_kernel,
    num_kernels_ret: *mut cl_uint,
) -> Result<(), ClError> {
    // CL_INVALID_PROGRAM if program is not a valid program object.
    let program = borrow::<Program>(program)?;
    program.context().alive()?;
    // CL_INVALID_PROGRAM_EXECUTABLE if there is no successfully built executable for any device in
    // program.
    let built = program.any_executable()?;
    let count = built.kernels().len();
    if !kernels.is_null() && (num_kernels as usize) < count {
        return Err(violated!(
            INVALID_VALUE,
            "if kernels is given and num_kernels is less than the program has"
        ));
    }
    if !kernels.is_null() {
        let mut made = Vec::new();
        made.try_reserve_exact(count)?;
        for kernel in built.kernels() {
            match Kernel::new(program.keep(), &kernel.name) {
                Ok(kernel) => made.push(kernel.handle()),
                Err(error) => {
                    for handle in made {
                        object::release::<Kernel>(handle)?;
                    }
                    return Err(error);
                }
            }
        }
        for (i, handle) in made.into_iter().enumerate() {
            // SAFETY: the application's array has num_kernels elements, at least as many as there
            // are kernels.
            let at = unsafe { kernels.add(i) };
            checked::out(at, handle);
        }
    }
    checked::out(num_kernels_ret, cl_uint::try_from(count).unwrap_or(cl_uint::MAX));
    Ok(())
}

#[cl_entry(clCloneKernel)]
fn clone_kernel(source_kernel: cl_kernel) -> Result<cl_kernel, ClError> {
    // CL_INVALID_KERNEL if source_kernel is not a valid kernel object.
    let source = borrow::<Kernel>(source_kernel)?;
    source.context().alive()?;
    Ok(source.copy()?.handle())
}

#[cl_entry(clRetainKernel)]
fn retain_kernel(kernel: cl_kernel) -> Result<(), ClError> {
    // CL_INVALID_KERNEL if kernel is not a valid kernel object.
    object::retain::<Kernel>(kernel)
}

#[cl_entry(clReleaseKernel)]
fn release_kernel(kernel: cl_kernel) -> Result<(), ClError> {
    // CL_INVALID_KERNEL if kernel is not a valid kernel object.
    object::release::<Kernel>(kernel)
}

/// Reads a handle that the application passes by address; NULL if the address is NULL.
fn handle_at<T>(pointer: *const c_void) -> *mut T {
    if pointer.is_null() {
        return std::ptr::null_mut();
    }
    // SAFETY: not NULL, and the size was checked to be that of a handle.
    unsafe { pointer.cast::<*mut T>().read_unaligned() }
}

/// CL_INVALID_CONTEXT if the context associated with kernel and an OpenCL object pointed to by
/// arg_value are not the same.
fn same_context(kernel: &Kernel, context: &Context) -> ClResult<()> {
    if context.is(kernel.context()) { Ok(()) } else { Err(ClError::INVALID_CONTEXT) }
}

/// The error for an argument that is a handle.
#[cold]
fn not_a_handle(argument: &ArgInfo, arg_size: usize) -> ClError {
    violated!(
        INVALID_ARG_SIZE,
        "if the argument is a handle and arg_size is not a handle's size";
        "arg_size = {arg_size}, but the argument {} of type {} takes a handle of {} bytes",
        argument.name, argument.type_name, size_of::<cl_mem>()
    )
}

fn argument_value<'a>(
    kernel: &Kernel,
    argument: &ArgInfo,
    arg_size: usize,
    arg_value: *const c_void,
) -> ClResult<ArgValue<'a>> {
    const HANDLE: usize = size_of::<cl_mem>();
    match argument.kind {
        ArgKind::Value => {
            if arg_value.is_null() {
                return Err(violated!(INVALID_ARG_VALUE, "if arg_value does not fit the argument"));
            }
            if arg_size != argument.size as usize {
                return Err(violated!(
                    INVALID_ARG_SIZE,
                    "if arg_size is not the size of the argument's type";
                    "arg_size = {arg_size}, but the argument {} of type {} has {} bytes",
                    argument.name, argument.type_name, argument.size
                ));
            }
            // SAFETY: not NULL, and `arg_size` bytes long, as the application guarantees.
            Ok(ArgValue::Bytes(unsafe {
                std::slice::from_raw_parts(arg_value.cast::<u8>(), arg_size)
            }))
        }
        ArgKind::LocalPointer => {
            if !arg_value.is_null() {
                return Err(violated!(
                    INVALID_ARG_VALUE,
                    "if the argument is in local memory, and arg_value is given"
                ));
            }
            // "For OpenCL 3.1 and newer, arg_size may be zero, indicating that no local memory is
            // required for the kernel argument."
            // CL_MAX_SIZE_RESTRICTION_EXCEEDED if the size in bytes of the memory object (if the
            // argument is a memory object) or arg_size (if the argument is declared with the local
            // qualifier) exceeds a language-specified maximum size restriction for this argument:
            // OpenCL C has none. The enqueue checks the size against the device's local memory.
            Ok(ArgValue::Local(arg_size))
        }
        ArgKind::GlobalPointer | ArgKind::ConstantPointer => {
            if arg_size != HANDLE {
                return Err(not_a_handle(argument, arg_size));
            }
            // "If the argument is a buffer object, the arg_value pointer can be NULL or point to a
            // NULL value in which case a NULL value will be used."
            let handle: cl_mem = handle_at(arg_value);
            if handle.is_null() {
                return Ok(ArgValue::Null);
            }
            // CL_INVALID_MEM_OBJECT for an argument declared to be a memory object when the
            // specified arg_value is not a valid memory object.
            let mem = borrow::<Mem>(handle)?;
            same_context(kernel, mem.context())?;
            if mem.pipe().is_some() || mem.image().is_some() {
                return Err(ClError::INVALID_MEM_OBJECT);
            }
            // A buffer created with CL_MEM_IMMUTABLE_EXT may be the argument of a kernel that could
            // write to it: the specification forbids that for images only.
            Ok(ArgValue::Buffer(mem))
        }
        ArgKind::Image => {
            if arg_size != HANDLE {
                return Err(not_a_handle(argument, arg_size));
            }
            // CL_INVALID_MEM_OBJECT for an argument declared to be an image when the specified
            // arg_value is not a valid image.
            let mem = borrow::<Mem>(handle_at(arg_value))?;
            same_context(kernel, mem.context())?;
            let image = mem.image().ok_or(ClError::INVALID_MEM_OBJECT)?;
            // CL_INVALID_MEM_OBJECT if arg_value points to a valid memory object, but the memory
            // object is not valid for the kernel argument: an image of another kind.
            if !image.is_a(&argument.type_name) {
                return Err(ClError::INVALID_MEM_OBJECT);
            }
            // CL_INVALID_ARG_VALUE if the argument is an image declared with the read_only
            // qualifier and arg_value refers to an image object created with CL_MEM_WRITE_ONLY, or
            // if the image argument is declared with the write_only qualifier and arg_value refers
            // to an image object created with CL_MEM_READ_ONLY or CL_MEM_IMMUTABLE_EXT; for
            // read_write, with any of these.
            let refused = match argument.access {
                AccessQualifier::WriteOnly => sys::CL_MEM_READ_ONLY | sys::CL_MEM_IMMUTABLE_EXT,
                AccessQualifier::ReadWrite => {
                    sys::CL_MEM_READ_ONLY | sys::CL_MEM_WRITE_ONLY | sys::CL_MEM_IMMUTABLE_EXT
                }
                AccessQualifier::ReadOnly | AccessQualifier::None => sys::CL_MEM_WRITE_ONLY,
            };
            if mem.flags() & refused != 0 {
                return Err(ClError::INVALID_ARG_VALUE);
            }
            let bytes = image.descriptor();
            Ok(ArgValue::Image(mem, bytes))
        }
        ArgKind::Sampler => {
            if arg_size != size_of::<cl_sampler>() {
                return Err(not_a_handle(argument, arg_size));
            }
            // CL_INVALID_SAMPLER for an argument declared to be of type sampler_t when the
            // specified arg_value is not a valid sampler object.
            let sampler = borrow::<Sampler>(handle_at(arg_value))?;
            same_context(kernel, sampler.context())?;
            Ok(ArgValue::Number(sampler.bits()))
        }
        ArgKind::Pipe => {
            if arg_size != HANDLE {
                return Err(not_a_handle(argument, arg_size));
            }
            // CL_INVALID_MEM_OBJECT for an argument declared to be a memory object when the
            // specified arg_value is not a valid memory object.
            let mem = borrow::<Mem>(handle_at(arg_value))?;
            same_context(kernel, mem.context())?;
            let pipe = mem.pipe().ok_or(ClError::INVALID_MEM_OBJECT)?;
            if pipe.packet == 0 {
                return Err(ClError::INVALID_MEM_OBJECT);
            }
            Ok(ArgValue::Buffer(mem))
        }
        ArgKind::Opaque => {
            if arg_size != size_of::<cl_command_queue>() {
                return Err(not_a_handle(argument, arg_size));
            }
            // CL_INVALID_DEVICE_QUEUE for an argument declared to be of type queue_t when the
            // specified arg_value is not a valid device queue object.
            let queue = borrow::<DeviceQueue>(handle_at(arg_value))
                .map_err(|_| ClError::INVALID_DEVICE_QUEUE)?;
            if !queue.context().is(kernel.context()) {
                return Err(ClError::INVALID_DEVICE_QUEUE);
            }
            Ok(ArgValue::Queue(queue.mux().clone()))
        }
    }
}

#[cl_entry(clSetKernelArg)]
fn set_kernel_arg(
    kernel: cl_kernel,
    arg_index: cl_uint,
    arg_size: usize,
    arg_value: *const c_void,
) -> Result<(), ClError> {
    // CL_INVALID_KERNEL if kernel is not a valid kernel object.
    let kernel = borrow::<Kernel>(kernel)?;
    set_argument(&kernel, arg_index, arg_size, arg_value)
}

/// `clSetKernelArg` for a kernel.
pub(super) fn set_argument(
    kernel: &Kernel,
    arg_index: cl_uint,
    arg_size: usize,
    arg_value: *const c_void,
) -> ClResult<()> {
    // CL_INVALID_ARG_INDEX if arg_index is not a valid argument index.
    let argument = kernel.argument(arg_index as usize)?;
    let value = argument_value(kernel, argument, arg_size, arg_value)?;
    kernel.set_argument(arg_index as usize, &value)
}

#[cl_entry(clSetKernelArgSVMPointer)]
fn set_kernel_arg_svm_pointer(
    kernel: cl_kernel,
    arg_index: cl_uint,
    arg_value: *const c_void,
) -> Result<(), ClError> {
    // CL_INVALID_KERNEL if kernel is not a valid kernel object.
    let kernel = borrow::<Kernel>(kernel)?;
    set_svm_pointer(&kernel, arg_index, arg_value)
}

/// `clSetKernelArgSVMPointer` for a kernel.
pub(super) fn set_svm_pointer(
    kernel: &Kernel,
    arg_index: cl_uint,
    arg_value: *const c_void,
) -> ClResult<()> {
    if !kernel.context().has_svm() {
        return Err(violated!(
            INVALID_OPERATION,
            "if no device of the context has shared virtual memory"
        ));
    }
    set_address(kernel, arg_index, arg_value.addr() as u64)
}

#[cl_entry(clSetKernelArgDevicePointerEXT)]
fn set_kernel_arg_device_pointer_ext(
    kernel: cl_kernel,
    arg_index: cl_uint,
    arg_value: cl_ulong,
) -> Result<(), ClError> {
    // CL_INVALID_KERNEL if kernel is not a valid kernel object.
    let kernel = borrow::<Kernel>(kernel)?;
    if !kernel.context().has_device_addresses() {
        return Err(violated!(
            INVALID_OPERATION,
            "if no device of the context has device addresses"
        ));
    }
    if kernel.argument(arg_index as usize)?.kind != ArgKind::GlobalPointer {
        return Err(violated!(
            INVALID_ARG_INDEX,
            "if the kernel has no such argument, or it is no pointer to global memory"
        ));
    }
    set_address(&kernel, arg_index, arg_value)
}

/// Sets a pointer argument to an address in shared virtual memory or on the device.
pub(super) fn set_address(kernel: &Kernel, index: cl_uint, address: u64) -> ClResult<()> {
    // CL_INVALID_ARG_INDEX if arg_index is not a valid argument index.
    let argument = kernel.argument(index as usize)?;
    // CL_INVALID_ARG_VALUE if arg_value specified is not a valid value: the argument is no pointer
    // to global memory. The enqueue checks whether the device knows the address.
    if !matches!(argument.kind, ArgKind::GlobalPointer | ArgKind::ConstantPointer) {
        return Err(ClError::INVALID_ARG_VALUE);
    }
    let value = if address == 0 { ArgValue::Null } else { ArgValue::Address(address) };
    kernel.set_argument(index as usize, &value)
}

#[cl_entry(clSetKernelExecInfo)]
fn set_kernel_exec_info(
    kernel: cl_kernel,
    param_name: cl_kernel_exec_info,
    param_value_size: usize,
    param_value: *const c_void,
) -> Result<(), ClError> {
    // CL_INVALID_KERNEL if kernel is a not a valid kernel object.
    let kernel = borrow::<Kernel>(kernel)?;
    set_exec_info(&kernel, param_name, param_value_size, param_value)
}

/// `clSetKernelExecInfo` for a kernel.
pub(super) fn set_exec_info(
    kernel: &Kernel,
    param_name: cl_kernel_exec_info,
    param_value_size: usize,
    param_value: *const c_void,
) -> ClResult<()> {
    // CL_INVALID_OPERATION if param_name is CL_KERNEL_EXEC_INFO_SVM_PTRS and no devices in the
    // context associated with kernel support SVM; likewise the lists of extensions. The other
    // names state a fact, and false is allowed on any device.
    let context = kernel.context();
    let supported = match param_name {
        sys::CL_KERNEL_EXEC_INFO_SVM_PTRS => context.has_svm(),
        sys::CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT => context.has_device_addresses(),
        sys::CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL => context.devices().iter().any(|d| d.has_usm()),
        _ => true,
    };
    if !supported {
        return Err(ClError::INVALID_OPERATION);
    }
    // CL_INVALID_VALUE if param_name is not valid, if param_value is NULL and param_value_size is
    // greater than zero, or if the size specified by param_value_size is not valid.
    let known = match param_name {
        // An empty list removes the pointers set before.
        sys::CL_KERNEL_EXEC_INFO_SVM_PTRS
        | sys::CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT
        | sys::CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL
            if param_value_size == 0 && param_value.is_null() =>
        {
            kernel.reach_allocations(Vec::new());
            return Ok(());
        }
        sys::CL_KERNEL_EXEC_INFO_SVM_PTRS
        | sys::CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT
        | sys::CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL => {
            param_value_size != 0 && param_value_size.is_multiple_of(size_of::<*const c_void>())
        }
        sys::CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM
        | sys::CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL
        | sys::CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL
        | sys::CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL => {
            param_value_size == size_of::<cl_bool>()
        }
        _ => false,
    };
    if !known || param_value.is_null() {
        return Err(ClError::INVALID_VALUE);
    }
    if param_value_size != size_of::<cl_bool>() {
        let mut addresses = Vec::new();
        let count = param_value_size / size_of::<u64>();
        addresses.try_reserve_exact(count)?;
        for n in 0..count {
            // SAFETY: not NULL, and the size covers this many addresses.
            addresses.push(unsafe { param_value.cast::<u64>().wrapping_add(n).read_unaligned() });
        }
        kernel.reach_allocations(addresses);
        return Ok(());
    }
    // SAFETY: not NULL, and the size was checked.
    let indirect = unsafe { param_value.cast::<cl_bool>().read_unaligned() != sys::CL_FALSE };
    let devices = kernel.context().devices();
    match param_name {
        // CL_INVALID_OPERATION if no devices in the context have such allocations.
        sys::CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL => {
            if indirect && !devices.iter().any(|d| d.has_usm()) {
                return Err(ClError::INVALID_OPERATION);
            }
            kernel.reach_unified(indirect);
        }
        // CL_INVALID_OPERATION as above. The flag has no other effect: a device with such
        // allocations always reaches them, and other devices never do.
        sys::CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL
        | sys::CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL => {
            if indirect && !devices.iter().any(|d| d.has_shared_usm()) {
                return Err(ClError::INVALID_OPERATION);
            }
        }
        // CL_INVALID_OPERATION if param_name is CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM and
        // param_value is CL_TRUE but no devices in context associated with kernel support
        // fine-grain system SVM allocations.
        _ => {
            if indirect && !devices.iter().any(|d| d.has_system_svm()) {
                return Err(ClError::INVALID_OPERATION);
            }
            kernel.reach_process(indirect);
        }
    }
    Ok(())
}
