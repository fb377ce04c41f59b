//! Permission for a kernel to use host or shared allocations made its launches on RefSi fail with
//! `CL_INVALID_OPERATION`, in a context with the host.
//!
//! `cl_intel_unified_shared_memory`: the `CL_KERNEL_EXEC_INFO_INDIRECT_*_ACCESS_INTEL` flags permit
//! a kernel to use such allocations beside its arguments. SYCL runtimes set all three for every
//! kernel. A device without such allocations runs the kernel as before.
//! `CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM` is different: the kernel uses system pointers, and a
//! device without them refuses it.

use anyhow::{Result, ensure};
use muxcl_client::sys::{
    self, CL_FALSE, CL_INVALID_OPERATION, CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL,
    CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL,
    CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM,
    CL_SUCCESS, CL_TRUE, cl_bool,
};
use muxcl_client::{ClientError, Context, Device, Kernel, Platform};

use crate::{Devices, Test};

pub(crate) const TESTS: &[Test] = &[
    ("indirect_access/permitted", Devices::All, permitted),
    ("indirect_access/system_pointers", Devices::Hal, system_pointers),
];

const SOURCE: &str = "kernel void k(global int *out) { *out += 7; }";

/// A context with the host and RefSi.
fn both() -> Result<(Context, Vec<Device>)> {
    let devices = Platform::all()?[0].devices()?;
    Ok((Context::of(&devices)?, devices))
}

fn set(kernel: &Kernel, name: u32, value: cl_bool) -> i32 {
    // SAFETY: the value is a cl_bool, the type of this name, and of that size.
    unsafe {
        sys::clSetKernelExecInfo(
            kernel.raw(),
            name,
            size_of::<cl_bool>(),
            (&raw const value).cast(),
        )
    }
}

fn permitted(device: Device) -> Result<()> {
    let (context, devices) = both()?;
    let program = context.build_for(&devices, SOURCE, "")?;
    let mut kernel = program.kernel("k")?;
    let out = context.buffer_with(&[0_i32])?;
    kernel.set_buffer(0, &out)?;
    let queue = context.queue(device, 0)?;
    for (value, sum) in [(CL_TRUE, 7), (CL_FALSE, 14)] {
        for name in [
            CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL,
            CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL,
            CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL,
        ] {
            let code = set(&kernel, name, value);
            ensure!(code == CL_SUCCESS, "clSetKernelExecInfo({name:#x}, {value}): {code}");
        }
        queue.run(&kernel, &[1], None, None)?;
        let mut seen = [0_i32];
        queue.read(&out, &mut seen)?;
        ensure!(seen == [sum], "flags {value}: {seen:?}");
    }
    Ok(())
}

fn system_pointers(device: Device) -> Result<()> {
    let (context, devices) = both()?;
    let program = context.build_for(&devices, SOURCE, "")?;
    let mut kernel = program.kernel("k")?;
    kernel.set_buffer(0, &context.buffer_with(&[0_i32])?)?;
    let queue = context.queue(device, 0)?;
    let code = set(&kernel, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, CL_TRUE);
    ensure!(code == CL_SUCCESS, "clSetKernelExecInfo: {code}");
    // A flag about other memory does not withdraw this one.
    let code = set(&kernel, CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL, CL_FALSE);
    ensure!(code == CL_SUCCESS, "clSetKernelExecInfo: {code}");
    let result = queue.run(&kernel, &[1], None, None);
    ensure!(
        matches!(result, Err(ClientError::Call { code: CL_INVALID_OPERATION, .. })),
        "RefSi runs a kernel of system pointers: {result:?}"
    );
    Ok(())
}
