//! Queries with valid and invalid names, into buffers larger or smaller than the answer.

#![allow(
    clippy::wildcard_imports,
    reason = "the names of the OpenCL headers, of which nearly all are used"
)]

use std::ffi::c_void;
use std::ptr::null_mut;

use muxcl_cl_sys::*;

use super::ApiFuzz;
use crate::cl;

impl ApiFuzz<'_> {
    pub(super) fn query(&mut self) {
        // Zeros, because CL_PROGRAM_BINARIES writes to the addresses in the array.
        let mut value = [0_u64; 512];
        let out: *mut c_void = if self.chance(8) { null_mut() } else { value.as_mut_ptr().cast() };
        let size = self.next(1 + size_of_val(&value));
        let n = self.word(24);
        let mut written = 0;
        let to = if self.chance(2) { &raw mut written } else { null_mut() };
        let code = match self.next(19) {
            0 => cl!(clGetContextInfo(self.any(), CL_CONTEXT_REFERENCE_COUNT + n, size, out, to)),
            1 => cl!(clGetMemObjectInfo(self.any(), CL_MEM_TYPE + n, size, out, to)),
            2 => cl!(clGetCommandQueueInfo(self.any(), CL_QUEUE_CONTEXT + n, size, out, to)),
            3 => cl!(clGetProgramInfo(self.any(), CL_PROGRAM_REFERENCE_COUNT + n, size, out, to)),
            4 => cl!(clGetKernelInfo(self.any(), CL_KERNEL_FUNCTION_NAME + n, size, out, to)),
            5 => cl!(clGetEventInfo(self.any(), CL_EVENT_COMMAND_QUEUE + n, size, out, to)),
            6 => {
                let (k, d): (cl_kernel, cl_device_id) = (self.any(), self.any());
                cl!(clGetKernelWorkGroupInfo(k, d, CL_KERNEL_WORK_GROUP_SIZE + n, size, out, to))
            }
            7 => {
                let (p, d): (cl_program, cl_device_id) = (self.any(), self.any());
                cl!(clGetProgramBuildInfo(p, d, CL_PROGRAM_BUILD_STATUS + n, size, out, to))
            }
            8 => cl!(clGetDeviceInfo(self.any(), CL_DEVICE_TYPE + self.word(160), size, out, to)),
            9 => cl!(clGetImageInfo(self.any(), CL_IMAGE_FORMAT + n, size, out, to)),
            10 => cl!(clGetSamplerInfo(self.any(), CL_SAMPLER_REFERENCE_COUNT + n, size, out, to)),
            11 => cl!(clGetPipeInfo(self.any(), CL_PIPE_PACKET_SIZE + n, size, out, to)),
            12 => cl!(clGetEventProfilingInfo(
                self.any(),
                CL_PROFILING_COMMAND_QUEUED + n,
                size,
                out,
                to
            )),
            13 => cl!(clGetKernelArgInfo(
                self.any(),
                n % 4,
                CL_KERNEL_ARG_ADDRESS_QUALIFIER + n / 4,
                size,
                out,
                to
            )),
            14 => {
                cl!(clGetSemaphoreInfoKHR(self.any(), CL_SEMAPHORE_CONTEXT_KHR + n, size, out, to))
            }
            15 => {
                let pointer = self.allocations.first().map_or(out, |a| a.at);
                cl!(clGetMemAllocInfoINTEL(
                    self.any(),
                    pointer,
                    CL_MEM_ALLOC_TYPE_INTEL + n,
                    size,
                    out,
                    to
                ))
            }
            16 => {
                let (k, d): (cl_kernel, cl_device_id) = (self.any(), self.any());
                let sizes = [self.next(65), self.next(5), self.next(5)];
                let (name, width) =
                    (CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE + n % 8, self.next(25));
                cl!(clGetKernelSubGroupInfo(
                    k,
                    d,
                    name,
                    width,
                    sizes.as_ptr().cast(),
                    size,
                    out,
                    to
                ))
            }
            17 => self.image_requirements(size, out, to),
            _ => {
                let (q, k): (cl_command_queue, cl_kernel) = (self.any(), self.any());
                let global = [self.next(65), self.next(9), self.next(5)];
                let mut local = [0; 3];
                let dims = self.word(5);
                let (none, from, at) = (std::ptr::null(), global.as_ptr(), local.as_mut_ptr());
                if self.next(2) == 0 {
                    cl!(clGetKernelSuggestedLocalWorkSize(q, k, dims, none, from, at))
                } else {
                    cl!(clGetKernelSuggestedLocalWorkSizeKHR(q, k, dims, none, from, at))
                }
            }
        };
        self.count(code);
        assert!(written < 1 << 24, "{written}");
    }
}
