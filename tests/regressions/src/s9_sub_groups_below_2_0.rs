//! Sub-group functions were undeclared below OpenCL C 2.0, and the extension's pragma was unknown.
//!
//! `cl_khr_subgroups`, which the devices list, requires no version of the language. A program
//! without `-cl-std` is OpenCL C 1.2.

use anyhow::{Result, ensure};
use muxcl_client::{Context, Device};

use crate::{Devices, Test};

pub(crate) const TESTS: &[Test] =
    &[("s9_sub_groups_below_2_0", Devices::All, sub_groups_below_2_0)];

fn sub_groups_below_2_0(device: Device) -> Result<()> {
    let source = "
        #pragma OPENCL EXTENSION cl_khr_subgroups : enable
        #ifndef cl_khr_subgroups
        #error the macro is undefined
        #endif
        kernel void k(global uint *p) {
            p[get_global_id(0)] = sub_group_reduce_add(1u) == get_sub_group_size();
        }
        #pragma OPENCL EXTENSION cl_khr_subgroups : disable";
    let context = Context::new(device)?;
    for options in ["", "-cl-std=CL1.0", "-cl-std=CL1.2 -Werror", "-cl-std=CL2.0", "-cl-std=CL3.0"]
    {
        let program = context.build(device, source, options)?;
        let log = program.log(device)?;
        ensure!(!log.contains("warning"), "{options}: {log}");
        let buffer = context.buffer_with(&[0_u32; 32])?;
        let mut kernel = program.kernel("k")?;
        kernel.set_buffer(0, &buffer)?;
        let queue = context.queue(device, 0)?;
        queue.run(&kernel, &[32], Some(&[32]), None)?;
        let mut back = [0_u32; 32];
        queue.read(&buffer, &mut back)?;
        ensure!(back == [1; 32], "{options}: {back:?}");
    }
    Ok(())
}
