//! Pipes as objects: creation, queries, and the calls that refuse them.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use muxcl_cl_sys::*;
use muxcl_test_api::{
    anything, argument, bad_handles, binary_of, buffer, cl, code, context, context_of, fails, info,
    kernel, make, number, program_from, setup,
};
use muxcl_types::container::BinaryKind;
use muxcl_types::program::{ArgKind, KernelInfo};

fn at<T>(value: &T) -> *const c_void {
    std::ptr::from_ref(value).cast()
}

#[test]
fn devices() {
    let (d, other) = (setup().device(), setup().other_device());
    let facts = |device| {
        [
            CL_DEVICE_PIPE_SUPPORT,
            CL_DEVICE_MAX_PIPE_ARGS,
            CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS,
            CL_DEVICE_PIPE_MAX_PACKET_SIZE,
        ]
        .map(|query| number(&info!(clGetDeviceInfo(device), query)))
    };
    assert_eq!(facts(d), [1, 16, 65536, 4096]);
    assert_eq!(facts(other), [0; 4]);
}

#[test]
fn create_and_query() {
    let c = context();
    for (flags, shown) in [
        (0, CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS),
        (CL_MEM_READ_WRITE, CL_MEM_READ_WRITE),
        (CL_MEM_HOST_NO_ACCESS, CL_MEM_HOST_NO_ACCESS),
    ] {
        let pipe = make!(clCreatePipe(c, flags, 12, 100, null()));
        assert_eq!(number(&info!(clGetPipeInfo(pipe), CL_PIPE_PACKET_SIZE)), 12);
        assert_eq!(number(&info!(clGetPipeInfo(pipe), CL_PIPE_MAX_PACKETS)), 100);
        assert!(info!(clGetPipeInfo(pipe), CL_PIPE_PROPERTIES).is_empty());
        code!(CL_INVALID_VALUE, clGetPipeInfo(pipe, 0x9999, 0, null_mut(), null_mut()));
        assert_eq!(
            number(&info!(clGetMemObjectInfo(pipe), CL_MEM_TYPE)),
            u64::from(CL_MEM_OBJECT_PIPE)
        );
        assert_eq!(number(&info!(clGetMemObjectInfo(pipe), CL_MEM_FLAGS)), shown);
        code!(CL_SUCCESS, clRetainMemObject(pipe));
        assert_eq!(number(&info!(clGetMemObjectInfo(pipe), CL_MEM_REFERENCE_COUNT)), 2);
        code!(CL_SUCCESS, clReleaseMemObject(pipe));
        code!(CL_SUCCESS, clReleaseMemObject(pipe));
    }
    for bad in bad_handles::<_cl_context>() {
        fails!(CL_INVALID_CONTEXT, clCreatePipe(bad, 0, 4, 4, null()));
    }
    for flags in [
        CL_MEM_READ_ONLY,
        CL_MEM_USE_HOST_PTR,
        CL_MEM_ALLOC_HOST_PTR,
        CL_MEM_HOST_READ_ONLY,
        1 << 50,
    ] {
        fails!(CL_INVALID_VALUE, clCreatePipe(c, flags, 4, 4, null()));
    }
    let properties: [cl_pipe_properties; 1] = [0];
    fails!(CL_INVALID_VALUE, clCreatePipe(c, 0, 4, 4, properties.as_ptr()));
    for (packet, packets) in [(0, 4), (4097, 4), (u32::MAX, 1), (4, 0)] {
        fails!(CL_INVALID_PIPE_SIZE, clCreatePipe(c, 0, packet, packets, null()));
    }
    fails!(CL_MEM_OBJECT_ALLOCATION_FAILURE, clCreatePipe(c, 0, 4096, u32::MAX, null()));
    fails!(CL_MEM_OBJECT_ALLOCATION_FAILURE, clCreatePipe(c, 0, 4096, 1 << 20, null()));
    let none = context_of(&[setup().other_device()]);
    fails!(CL_INVALID_OPERATION, clCreatePipe(none, 0, 4, 4, null()));
    let mem = buffer(c, 64);
    code!(
        CL_INVALID_MEM_OBJECT,
        clGetPipeInfo(mem, CL_PIPE_PACKET_SIZE, 0, null_mut(), null_mut())
    );
    for bad in bad_handles::<_cl_mem>() {
        code!(
            CL_INVALID_MEM_OBJECT,
            clGetPipeInfo(bad, CL_PIPE_PACKET_SIZE, 0, null_mut(), null_mut())
        );
    }
    code!(CL_SUCCESS, clReleaseMemObject(mem));
    code!(CL_SUCCESS, clReleaseContext(none));
    code!(CL_SUCCESS, clReleaseContext(c));
}

#[test]
fn a_pipe_is_no_buffer() {
    let c = context();
    let q = make!(clCreateCommandQueueWithProperties(c, setup().device(), null()));
    let pipe = make!(clCreatePipe(c, 0, 4, 4, null()));
    let mem = buffer(c, 64);
    let p = anything();
    let codes = [
        cl!(clEnqueueReadBuffer(q, pipe, 1, 0, 4, p, 0, null(), null_mut())),
        cl!(clEnqueueWriteBuffer(q, pipe, 1, 0, 4, p, 0, null(), null_mut())),
        cl!(clEnqueueCopyBuffer(q, pipe, mem, 0, 0, 4, 0, null(), null_mut())),
        cl!(clEnqueueCopyBuffer(q, mem, pipe, 0, 0, 4, 0, null(), null_mut())),
        cl!(clEnqueueFillBuffer(q, pipe, p, 4, 0, 4, 0, null(), null_mut())),
        cl!(clEnqueueUnmapMemObject(q, pipe, p, 0, null(), null_mut())),
    ];
    assert_eq!(codes, [CL_INVALID_MEM_OBJECT; 6]);
    let mut result = 0;
    let map = cl!(clEnqueueMapBuffer(
        q,
        pipe,
        1,
        CL_MAP_READ,
        0,
        4,
        0,
        null(),
        null_mut(),
        &raw mut result
    ));
    assert!(map.is_null() && result == CL_INVALID_MEM_OBJECT);
    let region = cl_buffer_region { origin: 0, size: 4 };
    fails!(
        CL_INVALID_MEM_OBJECT,
        clCreateSubBuffer(pipe, 0, CL_BUFFER_CREATE_TYPE_REGION, at(&region))
    );
    code!(CL_SUCCESS, clEnqueueMigrateMemObjects(q, 1, &raw const pipe, 0, 0, null(), null_mut()));
    // As an argument, each object fits only its own kind.
    let arguments = vec![argument(ArgKind::Pipe, 8, "p"), argument(ArgKind::GlobalPointer, 8, "b")];
    let kernels = vec![KernelInfo { name: "k".into(), args: arguments, ..KernelInfo::default() }];
    let program = program_from(c, &[setup().device()], &binary_of(kernels, BinaryKind::Executable));
    code!(CL_SUCCESS, clBuildProgram(program, 0, null(), null(), None, null_mut()));
    let k = kernel(program, c"k");
    code!(CL_SUCCESS, clSetKernelArg(k, 0, 8, at(&pipe)));
    code!(CL_SUCCESS, clSetKernelArg(k, 1, 8, at(&mem)));
    code!(CL_INVALID_MEM_OBJECT, clSetKernelArg(k, 0, 8, at(&mem)));
    code!(CL_INVALID_MEM_OBJECT, clSetKernelArg(k, 0, 8, null()));
    code!(CL_INVALID_MEM_OBJECT, clSetKernelArg(k, 1, 8, at(&pipe)));
    code!(CL_INVALID_ARG_SIZE, clSetKernelArg(k, 0, 4, at(&pipe)));
    let other = context();
    let foreign = make!(clCreatePipe(other, 0, 4, 4, null()));
    code!(CL_INVALID_CONTEXT, clSetKernelArg(k, 0, 8, at(&foreign)));
    code!(CL_INVALID_ARG_VALUE, clSetKernelArgSVMPointer(k, 0, anything()));
    let one = 1_usize;
    code!(
        CL_SUCCESS,
        clEnqueueNDRangeKernel(q, k, 1, null(), &raw const one, null(), 0, null(), null_mut())
    );
    code!(CL_SUCCESS, clFinish(q));
    for m in [pipe, foreign, mem] {
        code!(CL_SUCCESS, clReleaseMemObject(m));
    }
    code!(CL_SUCCESS, clReleaseKernel(k));
    code!(CL_SUCCESS, clReleaseProgram(program));
    code!(CL_SUCCESS, clReleaseCommandQueue(q));
    code!(CL_SUCCESS, clReleaseContext(other));
    code!(CL_SUCCESS, clReleaseContext(c));
}
