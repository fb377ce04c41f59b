//! Kernels that write past their buffers.

use std::path::Path;
use std::ptr::{null, null_mut};

use muxcl_cl_sys::{
    CL_DEVICE_TYPE, CL_DEVICE_TYPE_CPU, CL_MEM_COPY_HOST_PTR, CL_MEM_READ_WRITE, CL_TRUE, cl_mem,
};
use muxcl_test_api::{code, context, info, kernel, make, number, setup};

use crate::queue;

/// On the host, a kernel that writes up to 256 bytes past its buffer damages nothing: neither the
/// heap nor other buffers.
pub(crate) fn overrun(_: &Path) {
    let device_type = info!(clGetDeviceInfo(setup().device()), CL_DEVICE_TYPE);
    if number(&device_type) != CL_DEVICE_TYPE_CPU {
        return;
    }
    let c = context();
    let mut text =
        c"kernel void past(global uchar *p, uint size) { p[size + get_global_id(0)] = 0xee; }"
            .as_ptr();
    let p = make!(clCreateProgramWithSource(c, 1, &raw mut text, null()));
    code!(CL_SUCCESS, clBuildProgram(p, 0, null(), null(), None, null_mut()));
    let (q, k) = (queue(c), kernel(p, c"past"));
    let sizes = [1_u32, 4, 64, 100, 4000, 4096, 65_536, 1 << 20, (1 << 20) + 4096];
    let buffers: Vec<_> = sizes
        .iter()
        .flat_map(|size| [*size; 3])
        .map(|size| {
            let data = vec![0x11_u8; size as usize];
            let flags = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
            let from = data.as_ptr().cast_mut().cast();
            (make!(clCreateBuffer(c, flags, size as usize, from)), size)
        })
        .collect();
    for (mem, size) in &buffers {
        code!(CL_SUCCESS, clSetKernelArg(k, 0, size_of::<cl_mem>(), (&raw const *mem).cast()));
        code!(CL_SUCCESS, clSetKernelArg(k, 1, 4, (&raw const *size).cast()));
        let global = 256;
        code!(
            CL_SUCCESS,
            clEnqueueNDRangeKernel(
                q,
                k,
                1,
                null(),
                &raw const global,
                null(),
                0,
                null(),
                null_mut()
            )
        );
    }
    code!(CL_SUCCESS, clFinish(q));
    for (mem, size) in buffers {
        let mut back = vec![0_u8; size as usize];
        let to = back.as_mut_ptr().cast();
        code!(
            CL_SUCCESS,
            clEnqueueReadBuffer(q, mem, CL_TRUE, 0, back.len(), to, 0, null(), null_mut())
        );
        assert!(back.iter().all(|b| *b == 0x11), "a buffer of {size} bytes");
        code!(CL_SUCCESS, clReleaseMemObject(mem));
    }
}
