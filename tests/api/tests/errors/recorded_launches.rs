//! Launches in command buffers, and their updates.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use muxcl_cl_sys::*;
use muxcl_test_api::{
    anything, bad_handles, buffer, code, context, context_of, kernel, make, setup, starves,
};

use super::command_buffers::{Lists, list_of, record_fails};
use super::kernels::{built, set};
use super::{Pair, queue};

#[test]
fn recording() {
    let lists = Lists::new();
    let (c, near, far) = (lists.pair.c, lists.near, lists.far);
    let p = built(c, &[setup().device(), setup().apart()]);
    let [empty, unset, two, addressed, large] =
        [c"empty", c"two", c"two", c"two", c"large"].map(|name| kernel(p, name));
    let mem = buffer(c, 1024);
    let region = cl_buffer_region { origin: 128, size: 128 };
    let odd =
        make!(clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, (&raw const region).cast()));
    let number = [0_u8; 16];
    for k in [two, addressed] {
        code!(CL_SUCCESS, clSetKernelArg(k, 1, 16, number.as_ptr().cast()));
    }
    code!(CL_SUCCESS, clSetKernelArgSVMPointer(addressed, 0, number.as_ptr().cast()));
    code!(CL_SUCCESS, clSetKernelArg(large, 0, 1 << 20, null()));
    set(two, 0, odd);
    let sizes = [8_usize, 4096, usize::MAX, 0];
    let [eight, page, most, zero] = std::array::from_fn(|i| &raw const sizes[i]);
    record_fails!(
        CL_INVALID_COMMAND_QUEUE CL_INVALID_COMMAND_BUFFER_KHR CL_INVALID_OPERATION
        CL_INVALID_SYNC_POINT_WAIT_LIST_KHR,
        clCommandNDRangeKernelKHR(near, empty, 1, null(), eight, null()), lists
    );
    let fields: cl_command_properties_khr = CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR.into();
    for wrong in [[0x7777, 1, 0, 0, 0], [fields, 1 << 9, 0, 0, 0], [fields, 1, fields, 1, 0]] {
        code!(
            CL_INVALID_VALUE,
            clCommandNDRangeKernelKHR(
                near,
                null_mut(),
                wrong.as_ptr(),
                empty,
                1,
                null(),
                eight,
                null(),
                0,
                null(),
                null_mut(),
                null_mut()
            )
        );
    }
    for bad in bad_handles::<_cl_kernel>() {
        record_fails!(
            CL_INVALID_KERNEL,
            clCommandNDRangeKernelKHR(near, bad, 1, null(), eight, null())
        );
    }
    record_fails!(
        CL_INVALID_KERNEL_ARGS,
        clCommandNDRangeKernelKHR(near, unset, 1, null(), eight, null())
    );
    // Arguments may be missing only if the buffer is mutable.
    let later = [fields, CL_MUTABLE_DISPATCH_ARGUMENTS_KHR, 0];
    code!(
        CL_INVALID_KERNEL_ARGS,
        clCommandNDRangeKernelKHR(
            near,
            null_mut(),
            later.as_ptr(),
            unset,
            1,
            null(),
            eight,
            null(),
            0,
            null(),
            null_mut(),
            null_mut()
        )
    );
    for dimensions in [0, 4] {
        record_fails!(
            CL_INVALID_WORK_DIMENSION,
            clCommandNDRangeKernelKHR(near, empty, dimensions, null(), eight, null())
        );
    }
    record_fails!(
        CL_INVALID_GLOBAL_OFFSET,
        clCommandNDRangeKernelKHR(near, empty, 1, most, eight, null())
    );
    // Addresses and size_t have 32 bits on this device.
    record_fails!(
        CL_INVALID_GLOBAL_WORK_SIZE,
        clCommandNDRangeKernelKHR(far, empty, 1, null(), most, null())
    );
    record_fails!(
        CL_INVALID_WORK_GROUP_SIZE,
        clCommandNDRangeKernelKHR(near, empty, 1, null(), page, zero)
    );
    record_fails!(
        CL_INVALID_WORK_ITEM_SIZE,
        clCommandNDRangeKernelKHR(near, empty, 1, null(), page, page)
    );
    record_fails!(
        CL_MISALIGNED_SUB_BUFFER_OFFSET,
        clCommandNDRangeKernelKHR(far, two, 1, null(), eight, null())
    );
    record_fails!(
        CL_INVALID_OPERATION,
        clCommandNDRangeKernelKHR(far, addressed, 1, null(), eight, null())
    );
    record_fails!(
        CL_OUT_OF_RESOURCES,
        clCommandNDRangeKernelKHR(near, large, 1, null(), eight, null())
    );
    set(two, 0, mem);
    starves!(
        CL_MEM_OBJECT_ALLOCATION_FAILURE CL_OUT_OF_RESOURCES,
        clCommandNDRangeKernelKHR(far, null_mut(), null(), two, 1, null(), eight, null(), 0,
            null(), null_mut(), null_mut())
    );
    // A kernel of another context, and a kernel that was not built for the queue's device.
    let (d, other) = (setup().device(), setup().other_device());
    let elsewhere = context_of(&[d, other]);
    let lone = built(elsewhere, &[d]);
    let foreign = kernel(lone, c"empty");
    let there = queue(elsewhere, other);
    let apart = list_of(there, 0);
    record_fails!(
        CL_INVALID_CONTEXT,
        clCommandNDRangeKernelKHR(near, foreign, 1, null(), eight, null())
    );
    record_fails!(
        CL_INVALID_PROGRAM_EXECUTABLE,
        clCommandNDRangeKernelKHR(apart, foreign, 1, null(), eight, null())
    );
    code!(CL_SUCCESS, clReleaseCommandBufferKHR(apart));
    code!(CL_SUCCESS, clReleaseCommandQueue(there));
    for k in [empty, unset, two, addressed, large, foreign] {
        code!(CL_SUCCESS, clReleaseKernel(k));
    }
    for p in [p, lone] {
        code!(CL_SUCCESS, clReleaseProgram(p));
    }
    for m in [odd, mem] {
        code!(CL_SUCCESS, clReleaseMemObject(m));
    }
    code!(CL_SUCCESS, clReleaseContext(elsewhere));
}

/// Records a launch that may change, of 8 work-items.
fn launch(
    list: cl_command_buffer_khr,
    k: cl_kernel,
    properties: &[cl_command_properties_khr],
    local: Option<usize>,
) -> cl_mutable_command_khr {
    let (mut handle, eight) = (null_mut(), 8_usize);
    let properties = if properties.is_empty() { null() } else { properties.as_ptr() };
    let local = local.as_ref().map_or(null(), |local: &usize| &raw const *local);
    code!(
        CL_SUCCESS,
        clCommandNDRangeKernelKHR(
            list,
            null_mut(),
            properties,
            k,
            1,
            null(),
            &raw const eight,
            local,
            0,
            null(),
            null_mut(),
            &raw mut handle
        )
    );
    assert!(!handle.is_null());
    handle
}

/// A change of nothing.
fn change(command: cl_mutable_command_khr) -> cl_mutable_dispatch_config_khr {
    cl_mutable_dispatch_config_khr {
        command,
        num_args: 0,
        num_svm_args: 0,
        num_exec_infos: 0,
        work_dim: 0,
        arg_list: null(),
        arg_svm_list: null(),
        exec_info_list: null(),
        global_work_offset: null(),
        global_work_size: null(),
        local_work_size: null(),
    }
}

/// Asserts that an update with one configuration fails:
/// `update_fails!(CL_INVALID_VALUE, clUpdateMutableCommandsKHR(list, config))`.
macro_rules! update_fails {
    ($code:ident, $name:ident($list:expr, $config:expr)) => {{
        let config = $config;
        let mut configs = [(&raw const config).cast::<c_void>()];
        let kind = CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_KHR;
        code!($code, $name($list, 1, &raw const kind, configs.as_mut_ptr()));
    }};
}

#[test]
fn updates() {
    let pair = Pair::new();
    let (c, q) = (pair.c, pair.q);
    let p = built(c, &[setup().device(), setup().apart()]);
    let [two, all, large] = [c"two", c"all", c"large"].map(|name| kernel(p, name));
    let (mem, number) = (buffer(c, 1024), [0_u8; 16]);
    set(two, 0, mem);
    code!(CL_SUCCESS, clSetKernelArg(two, 1, 16, number.as_ptr().cast()));
    code!(CL_SUCCESS, clSetKernelArg(large, 0, 16, null()));
    let list = list_of(q, CL_COMMAND_BUFFER_MUTABLE_KHR);
    let fixed = list_of(q, 0);
    let fields: cl_command_properties_khr = CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR.into();
    let command = launch(list, two, &[], None);
    let grouped = launch(list, two, &[], Some(4));
    let rigid = launch(list, two, &[fields, 0, 0], None);
    let local = launch(list, large, &[], None);
    let _ = launch(fixed, two, &[], None);
    // The kernel `all` requires groups of 8 by 2.
    let sizes = [8_usize, 2, 1];
    let changing = CL_MUTABLE_DISPATCH_ARGUMENTS_KHR | CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR;
    let later = [fields, changing, 0];
    let mut unset = null_mut();
    code!(
        CL_SUCCESS,
        clCommandNDRangeKernelKHR(
            list,
            null_mut(),
            later.as_ptr(),
            all,
            3,
            null(),
            sizes.as_ptr(),
            sizes.as_ptr(),
            0,
            null(),
            null_mut(),
            &raw mut unset
        )
    );
    update_fails!(CL_INVALID_OPERATION, clUpdateMutableCommandsKHR(list, change(command)));
    for list in [list, fixed] {
        code!(CL_SUCCESS, clFinalizeCommandBufferKHR(list));
    }
    update_fails!(CL_INVALID_OPERATION, clUpdateMutableCommandsKHR(fixed, change(command)));
    for bad in bad_handles::<_cl_command_buffer_khr>() {
        update_fails!(
            CL_INVALID_COMMAND_BUFFER_KHR,
            clUpdateMutableCommandsKHR(bad, change(command))
        );
    }
    let kind = CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_KHR;
    let config = change(command);
    let mut configs = [(&raw const config).cast::<c_void>()];
    let (kinds, configs) = (&raw const kind, configs.as_mut_ptr());
    code!(CL_INVALID_VALUE, clUpdateMutableCommandsKHR(list, 1, null(), configs));
    code!(CL_INVALID_VALUE, clUpdateMutableCommandsKHR(list, 1, kinds, null_mut()));
    code!(CL_INVALID_VALUE, clUpdateMutableCommandsKHR(list, 0, kinds, null_mut()));
    code!(CL_INVALID_VALUE, clUpdateMutableCommandsKHR(list, 0, null(), configs));
    let unknown = 9;
    code!(CL_INVALID_VALUE, clUpdateMutableCommandsKHR(list, 1, &raw const unknown, configs));
    code!(CL_INVALID_VALUE, clUpdateMutableCommandsKHR(list, 1, kinds, [null()].as_mut_ptr()));
    code!(CL_SUCCESS, clUpdateMutableCommandsKHR(list, 0, null(), null_mut()));
    code!(CL_SUCCESS, clUpdateMutableCommandsKHR(list, 1, kinds, configs));
    for bad in bad_handles::<_cl_mutable_command_khr>() {
        update_fails!(
            CL_INVALID_MUTABLE_COMMAND_KHR,
            clUpdateMutableCommandsKHR(list, change(bad))
        );
        code!(
            CL_INVALID_MUTABLE_COMMAND_KHR,
            clGetMutableCommandInfoKHR(
                bad,
                CL_MUTABLE_DISPATCH_DIMENSIONS_KHR,
                0,
                null_mut(),
                null_mut()
            )
        );
    }
    code!(
        CL_INVALID_VALUE,
        clGetMutableCommandInfoKHR(command, CL_KERNEL_CONTEXT, 0, null_mut(), null_mut())
    );
    // A launch of another command buffer.
    let other = list_of(q, CL_COMMAND_BUFFER_MUTABLE_KHR);
    let theirs = launch(other, two, &[], None);
    update_fails!(CL_INVALID_MUTABLE_COMMAND_KHR, clUpdateMutableCommandsKHR(list, change(theirs)));
    code!(CL_SUCCESS, clReleaseCommandBufferKHR(other));
    update_fails!(CL_INVALID_MUTABLE_COMMAND_KHR, clUpdateMutableCommandsKHR(list, change(theirs)));

    let ten = [10_usize, 8, 3, usize::MAX, 0];
    let [ten, eight, three, most, zero] = std::array::from_fn(|i| &raw const ten[i]);
    let of = |index, size, value| cl_mutable_dispatch_arg_khr {
        arg_index: index,
        arg_size: size,
        arg_value: value,
    };
    let good = of(0, 8, (&raw const mem).cast());
    let (one_good, at_good) = (1, &raw const good);
    let info = cl_mutable_dispatch_exec_info_khr {
        param_name: CL_KERNEL_EXEC_INFO_SVM_PTRS,
        param_value_size: 8,
        param_value: number.as_ptr().cast(),
    };
    // Each field needs a list of the given length, and the property of the recorded command.
    for wrong in [
        cl_mutable_dispatch_config_khr { num_args: 1, ..change(command) },
        cl_mutable_dispatch_config_khr { arg_list: at_good, ..change(command) },
        cl_mutable_dispatch_config_khr { num_svm_args: 1, ..change(command) },
        cl_mutable_dispatch_config_khr { arg_svm_list: at_good, ..change(command) },
        cl_mutable_dispatch_config_khr { num_exec_infos: 1, ..change(command) },
        cl_mutable_dispatch_config_khr { exec_info_list: &raw const info, ..change(command) },
    ] {
        update_fails!(CL_INVALID_VALUE, clUpdateMutableCommandsKHR(list, wrong));
    }
    let arguments = |command, list| cl_mutable_dispatch_config_khr {
        num_args: one_good,
        arg_list: list,
        ..change(command)
    };
    for wrong in [
        arguments(rigid, at_good),
        cl_mutable_dispatch_config_khr { num_svm_args: 1, arg_svm_list: at_good, ..change(rigid) },
        cl_mutable_dispatch_config_khr {
            num_exec_infos: 1,
            exec_info_list: &raw const info,
            ..change(rigid)
        },
        cl_mutable_dispatch_config_khr { global_work_offset: zero, ..change(rigid) },
        cl_mutable_dispatch_config_khr { global_work_size: eight, ..change(rigid) },
        cl_mutable_dispatch_config_khr { local_work_size: eight, ..change(rigid) },
        cl_mutable_dispatch_config_khr { work_dim: 2, ..change(command) },
        // Groups become uneven.
        cl_mutable_dispatch_config_khr { global_work_size: ten, ..change(grouped) },
        cl_mutable_dispatch_config_khr { local_work_size: three, ..change(command) },
    ] {
        update_fails!(CL_INVALID_OPERATION, clUpdateMutableCommandsKHR(list, wrong));
    }
    let one = |command, value: &cl_mutable_dispatch_arg_khr| arguments(command, &raw const *value);
    let bad: cl_mem = anything().cast();
    let bad_at: *const c_void = (&raw const bad).cast();
    let elsewhere = context();
    let foreign = buffer(elsewhere, 16);
    let foreign_at: *const c_void = (&raw const foreign).cast();
    update_fails!(
        CL_INVALID_ARG_INDEX,
        clUpdateMutableCommandsKHR(list, one(unset, &of(7, 8, bad_at)))
    );
    update_fails!(
        CL_INVALID_ARG_SIZE,
        clUpdateMutableCommandsKHR(list, one(unset, &of(0, 8, bad_at)))
    );
    update_fails!(
        CL_INVALID_ARG_VALUE,
        clUpdateMutableCommandsKHR(list, one(unset, &of(0, 4, null())))
    );
    update_fails!(
        CL_INVALID_MEM_OBJECT,
        clUpdateMutableCommandsKHR(list, one(unset, &of(1, 8, bad_at)))
    );
    update_fails!(
        CL_INVALID_SAMPLER,
        clUpdateMutableCommandsKHR(list, one(unset, &of(5, 8, bad_at)))
    );
    update_fails!(
        CL_INVALID_DEVICE_QUEUE,
        clUpdateMutableCommandsKHR(list, one(unset, &of(6, 8, bad_at)))
    );
    update_fails!(
        CL_INVALID_CONTEXT,
        clUpdateMutableCommandsKHR(list, one(unset, &of(1, 8, foreign_at)))
    );
    update_fails!(
        CL_OUT_OF_RESOURCES,
        clUpdateMutableCommandsKHR(list, one(local, &of(0, 1 << 20, null())))
    );
    let sizes_of = |offset, global, local| cl_mutable_dispatch_config_khr {
        global_work_offset: offset,
        global_work_size: global,
        local_work_size: local,
        ..change(command)
    };
    update_fails!(
        CL_INVALID_GLOBAL_OFFSET,
        clUpdateMutableCommandsKHR(list, sizes_of(most, null(), null()))
    );
    let page = [4096_usize];
    let page = page.as_ptr();
    update_fails!(
        CL_INVALID_WORK_ITEM_SIZE,
        clUpdateMutableCommandsKHR(list, sizes_of(null(), page, page))
    );
    let small = [4_usize, 2, 1];
    let ungrouped =
        cl_mutable_dispatch_config_khr { local_work_size: small.as_ptr(), ..change(unset) };
    update_fails!(CL_INVALID_WORK_GROUP_SIZE, clUpdateMutableCommandsKHR(list, ungrouped));
    // A device with memory of its own and a larger alignment.
    let there = list_of(pair.far, CL_COMMAND_BUFFER_MUTABLE_KHR);
    let distant = launch(there, two, &[], None);
    code!(CL_SUCCESS, clFinalizeCommandBufferKHR(there));
    let region = cl_buffer_region { origin: 128, size: 128 };
    let odd =
        make!(clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, (&raw const region).cast()));
    let fresh = buffer(c, 1024);
    let to = |mem: &cl_mem| of(0, 8, std::ptr::from_ref(mem).cast());
    update_fails!(
        CL_MISALIGNED_SUB_BUFFER_OFFSET,
        clUpdateMutableCommandsKHR(there, one(distant, &to(&odd)))
    );
    let argument = to(&fresh);
    let config = arguments(distant, &raw const argument);
    let mut configs = [(&raw const config).cast::<c_void>()];
    starves!(
        CL_MEM_OBJECT_ALLOCATION_FAILURE CL_OUT_OF_RESOURCES,
        clUpdateMutableCommandsKHR(there, 1, &raw const kind, configs.as_mut_ptr())
    );
    code!(CL_SUCCESS, clReleaseCommandBufferKHR(there));
    for m in [odd, fresh] {
        code!(CL_SUCCESS, clReleaseMemObject(m));
    }
    for m in [mem, foreign] {
        code!(CL_SUCCESS, clReleaseMemObject(m));
    }
    for list in [list, fixed] {
        code!(CL_SUCCESS, clReleaseCommandBufferKHR(list));
    }
    for k in [two, all, large] {
        code!(CL_SUCCESS, clReleaseKernel(k));
    }
    code!(CL_SUCCESS, clReleaseProgram(p));
    code!(CL_SUCCESS, clReleaseContext(elsewhere));
}
