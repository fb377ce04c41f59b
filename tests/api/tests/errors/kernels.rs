//! Kernels: arguments and launches.

use std::ptr::{null, null_mut};

use muxcl_cl_sys::*;
use muxcl_test_api::{
    anything, argument, bad_handles, binary_of, buffer, code, context, context_of, enqueue_fails,
    kernel, kernels, make, program, program_from, setup, starves,
};
use muxcl_types::container::BinaryKind;
use muxcl_types::program::{AccessQualifier, ArgKind, KernelInfo};

use super::{Pair, queue};

/// A built program for some devices: the kernels of all tests, and `large` with an argument in
/// local memory.
pub(super) fn built(c: cl_context, devices: &[cl_device_id]) -> cl_program {
    let large = KernelInfo {
        name: "large".into(),
        args: vec![argument(ArgKind::LocalPointer, 8, "")],
        ..KernelInfo::default()
    };
    let p = program_from(
        c,
        devices,
        &binary_of(kernels().into_iter().chain([large]).collect(), BinaryKind::Executable),
    );
    code!(CL_SUCCESS, clBuildProgram(p, 0, null(), null(), None, null_mut()));
    p
}

pub(super) fn set(k: cl_kernel, index: u32, mem: cl_mem) {
    code!(CL_SUCCESS, clSetKernelArg(k, index, size_of::<cl_mem>(), (&raw const mem).cast()));
}

#[test]
fn arguments() {
    let (c, elsewhere) = (context(), context());
    let p = program(c);
    let k = kernel(p, c"all");
    let foreign = buffer(elsewhere, 16);
    let sampler = make!(clCreateSampler(elsewhere, CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST));
    assert_eq!(kernels()[1].args[4].access, AccessQualifier::ReadOnly, "argument 4 is the image");
    for index in [1, 2, 4] {
        code!(CL_INVALID_CONTEXT, clSetKernelArg(k, index, 8, (&raw const foreign).cast()));
    }
    code!(CL_INVALID_CONTEXT, clSetKernelArg(k, 5, 8, (&raw const sampler).cast()));
    code!(CL_INVALID_ARG_INDEX, clSetKernelArgDevicePointerEXT(k, 7, 64));
    code!(CL_INVALID_ARG_INDEX, clSetKernelArgDevicePointerEXT(k, 2, 64));
    code!(CL_INVALID_ARG_INDEX, clSetKernelArgMemPointerINTEL(k, 7, anything()));
    code!(CL_INVALID_ARG_VALUE, clSetKernelArgMemPointerINTEL(k, 0, anything()));
    for bad in bad_handles::<_cl_kernel>() {
        code!(CL_INVALID_KERNEL, clSetKernelArgDevicePointerEXT(bad, 1, 64));
    }
    let other = setup().other_device();
    let none = context_of(&[other]);
    let without = built(none, &[other]);
    let lone = kernel(without, c"two");
    code!(CL_INVALID_OPERATION, clSetKernelArgDevicePointerEXT(lone, 0, 64));
    code!(CL_SUCCESS, clReleaseSampler(sampler));
    code!(CL_SUCCESS, clReleaseMemObject(foreign));
    for k in [k, lone] {
        code!(CL_SUCCESS, clReleaseKernel(k));
    }
    for p in [p, without] {
        code!(CL_SUCCESS, clReleaseProgram(p));
    }
    for c in [c, elsewhere, none] {
        code!(CL_SUCCESS, clReleaseContext(c));
    }
}

#[test]
fn launches() {
    let pair = Pair::new();
    let (q, far, w) = (pair.q, pair.far, &pair.waits);
    let p = built(pair.c, &[setup().device(), setup().apart()]);
    let [empty, all, unset, two, addressed, large] =
        [c"empty", c"all", c"two", c"two", c"two", c"large"].map(|name| kernel(p, name));
    let mem = buffer(pair.c, 1024);
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
    let mut local = 0;
    let out = &raw mut local;

    enqueue_fails!(
        CL_INVALID_COMMAND_QUEUE CL_INVALID_CONTEXT CL_INVALID_EVENT_WAIT_LIST,
        clEnqueueNDRangeKernel(q, empty, 1, null(), eight, null()), w
    );
    enqueue_fails!(CL_INVALID_COMMAND_QUEUE CL_INVALID_CONTEXT CL_INVALID_EVENT_WAIT_LIST,
        clEnqueueTask(q, empty), w);
    for bad in bad_handles::<_cl_kernel>() {
        enqueue_fails!(CL_INVALID_KERNEL, clEnqueueNDRangeKernel(q, bad, 1, null(), eight, null()));
        code!(CL_INVALID_KERNEL, clGetKernelSuggestedLocalWorkSize(q, bad, 1, null(), eight, out));
        code!(
            CL_INVALID_KERNEL,
            clGetKernelSuggestedLocalWorkSizeKHR(q, bad, 1, null(), eight, out)
        );
    }
    for bad in bad_handles::<_cl_command_queue>() {
        code!(
            CL_INVALID_COMMAND_QUEUE,
            clGetKernelSuggestedLocalWorkSize(bad, empty, 1, null(), eight, out)
        );
        code!(
            CL_INVALID_COMMAND_QUEUE,
            clGetKernelSuggestedLocalWorkSizeKHR(bad, empty, 1, null(), eight, out)
        );
    }
    enqueue_fails!(
        CL_INVALID_KERNEL_ARGS,
        clEnqueueNDRangeKernel(q, unset, 1, null(), eight, null())
    );
    enqueue_fails!(CL_INVALID_KERNEL_ARGS, clEnqueueTask(q, unset));
    code!(
        CL_INVALID_KERNEL_ARGS,
        clGetKernelSuggestedLocalWorkSize(q, unset, 1, null(), eight, out)
    );
    code!(
        CL_INVALID_KERNEL_ARGS,
        clGetKernelSuggestedLocalWorkSizeKHR(q, unset, 1, null(), eight, out)
    );
    for dimensions in [0, 4] {
        enqueue_fails!(
            CL_INVALID_WORK_DIMENSION,
            clEnqueueNDRangeKernel(q, empty, dimensions, null(), eight, null())
        );
        code!(
            CL_INVALID_WORK_DIMENSION,
            clGetKernelSuggestedLocalWorkSize(q, empty, dimensions, null(), eight, out)
        );
        code!(
            CL_INVALID_WORK_DIMENSION,
            clGetKernelSuggestedLocalWorkSizeKHR(q, empty, dimensions, null(), eight, out)
        );
    }
    enqueue_fails!(
        CL_INVALID_GLOBAL_OFFSET,
        clEnqueueNDRangeKernel(q, empty, 1, most, eight, null())
    );
    code!(
        CL_INVALID_GLOBAL_OFFSET,
        clGetKernelSuggestedLocalWorkSize(q, empty, 1, most, eight, out)
    );
    code!(
        CL_INVALID_GLOBAL_OFFSET,
        clGetKernelSuggestedLocalWorkSizeKHR(q, empty, 1, most, eight, out)
    );
    // Addresses and size_t have 32 bits on this device.
    enqueue_fails!(
        CL_INVALID_GLOBAL_WORK_SIZE,
        clEnqueueNDRangeKernel(far, empty, 1, null(), most, null())
    );
    code!(
        CL_INVALID_GLOBAL_WORK_SIZE,
        clGetKernelSuggestedLocalWorkSize(far, empty, 1, null(), most, out)
    );
    code!(
        CL_INVALID_GLOBAL_WORK_SIZE,
        clGetKernelSuggestedLocalWorkSizeKHR(far, empty, 1, null(), most, out)
    );
    code!(
        CL_INVALID_GLOBAL_WORK_SIZE,
        clGetKernelSuggestedLocalWorkSize(q, empty, 1, null(), zero, out)
    );
    code!(
        CL_INVALID_GLOBAL_WORK_SIZE,
        clGetKernelSuggestedLocalWorkSizeKHR(q, empty, 1, null(), zero, out)
    );
    enqueue_fails!(
        CL_INVALID_WORK_GROUP_SIZE,
        clEnqueueNDRangeKernel(q, empty, 1, null(), page, zero)
    );
    enqueue_fails!(
        CL_INVALID_WORK_ITEM_SIZE,
        clEnqueueNDRangeKernel(q, empty, 1, null(), page, page)
    );
    code!(
        CL_INVALID_VALUE,
        clGetKernelSuggestedLocalWorkSize(q, empty, 1, null(), eight, null_mut())
    );
    code!(
        CL_INVALID_VALUE,
        clGetKernelSuggestedLocalWorkSizeKHR(q, empty, 1, null(), eight, null_mut())
    );
    enqueue_fails!(
        CL_MISALIGNED_SUB_BUFFER_OFFSET,
        clEnqueueNDRangeKernel(far, two, 1, null(), eight, null())
    );
    enqueue_fails!(CL_MISALIGNED_SUB_BUFFER_OFFSET, clEnqueueTask(far, two));
    code!(
        CL_MISALIGNED_SUB_BUFFER_OFFSET,
        clGetKernelSuggestedLocalWorkSize(far, two, 1, null(), eight, out)
    );
    code!(
        CL_MISALIGNED_SUB_BUFFER_OFFSET,
        clGetKernelSuggestedLocalWorkSizeKHR(far, two, 1, null(), eight, out)
    );
    enqueue_fails!(
        CL_INVALID_OPERATION,
        clEnqueueNDRangeKernel(far, addressed, 1, null(), eight, null())
    );
    enqueue_fails!(CL_INVALID_OPERATION, clEnqueueTask(far, addressed));
    code!(
        CL_INVALID_OPERATION,
        clGetKernelSuggestedLocalWorkSize(far, addressed, 1, null(), eight, out)
    );
    code!(
        CL_INVALID_OPERATION,
        clGetKernelSuggestedLocalWorkSizeKHR(far, addressed, 1, null(), eight, out)
    );
    enqueue_fails!(CL_OUT_OF_RESOURCES, clEnqueueNDRangeKernel(q, large, 1, null(), eight, null()));
    enqueue_fails!(CL_OUT_OF_RESOURCES, clEnqueueTask(q, large));
    set(two, 0, mem);
    starves!(
        CL_MEM_OBJECT_ALLOCATION_FAILURE CL_OUT_OF_RESOURCES,
        clEnqueueNDRangeKernel(far, two, 1, null(), eight, null()), enqueue
    );
    starves!(CL_MEM_OBJECT_ALLOCATION_FAILURE CL_OUT_OF_RESOURCES, clEnqueueTask(far, two),
        enqueue);
    starves!(
        CL_OUT_OF_RESOURCES,
        clGetKernelSuggestedLocalWorkSize(far, two, 1, null(), eight, out)
    );
    starves!(
        CL_OUT_OF_RESOURCES,
        clGetKernelSuggestedLocalWorkSizeKHR(far, two, 1, null(), eight, out)
    );
    // A kernel of another context, and a kernel that was not built for the queue's device.
    let (d, other) = (setup().device(), setup().other_device());
    let c = context_of(&[d, other]);
    let lone = built(c, &[d]);
    let foreign = kernel(lone, c"empty");
    let there = queue(c, other);
    enqueue_fails!(
        CL_INVALID_CONTEXT,
        clEnqueueNDRangeKernel(q, foreign, 1, null(), eight, null())
    );
    enqueue_fails!(CL_INVALID_CONTEXT, clEnqueueTask(q, foreign));
    code!(CL_INVALID_CONTEXT, clGetKernelSuggestedLocalWorkSize(q, foreign, 1, null(), eight, out));
    code!(
        CL_INVALID_CONTEXT,
        clGetKernelSuggestedLocalWorkSizeKHR(q, foreign, 1, null(), eight, out)
    );
    enqueue_fails!(
        CL_INVALID_PROGRAM_EXECUTABLE,
        clEnqueueNDRangeKernel(there, foreign, 1, null(), eight, null())
    );
    code!(
        CL_INVALID_PROGRAM_EXECUTABLE,
        clGetKernelSuggestedLocalWorkSize(there, foreign, 1, null(), eight, out)
    );
    code!(
        CL_INVALID_PROGRAM_EXECUTABLE,
        clGetKernelSuggestedLocalWorkSizeKHR(there, foreign, 1, null(), eight, out)
    );
    code!(CL_SUCCESS, clReleaseCommandQueue(there));
    for k in [empty, all, unset, two, addressed, large, foreign] {
        code!(CL_SUCCESS, clReleaseKernel(k));
    }
    for p in [p, lone] {
        code!(CL_SUCCESS, clReleaseProgram(p));
    }
    for m in [odd, mem] {
        code!(CL_SUCCESS, clReleaseMemObject(m));
    }
    code!(CL_SUCCESS, clReleaseContext(c));
}

/// A task has one work-item, so a kernel that requires a larger work-group fails.
#[test]
fn tasks() {
    let c = context();
    let q = queue(c, setup().device());
    let grouped = KernelInfo {
        name: "grouped".into(),
        reqd_work_group_size: [8, 1, 1],
        ..KernelInfo::default()
    };
    let p = program_from(c, &[setup().device()], &binary_of(vec![grouped], BinaryKind::Executable));
    code!(CL_SUCCESS, clBuildProgram(p, 0, null(), null(), None, null_mut()));
    let k = kernel(p, c"grouped");
    enqueue_fails!(CL_INVALID_WORK_GROUP_SIZE, clEnqueueTask(q, k));
    code!(CL_SUCCESS, clReleaseKernel(k));
    code!(CL_SUCCESS, clReleaseProgram(p));
    code!(CL_SUCCESS, clReleaseCommandQueue(q));
    code!(CL_SUCCESS, clReleaseContext(c));
}
