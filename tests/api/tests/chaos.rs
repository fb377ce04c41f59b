//! Random calls with random handles: live, released, of another type, and plain nonsense. Nothing may crash, and each answer is
//! success or an error code of the specification.

#![expect(clippy::unwrap_used, reason = "a test may fail anywhere")]

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use muxcl_cl_sys::*;
use muxcl_test_api::{binary_of, cl, context, kernel, kernels, make, program, setup};
use muxcl_types::container::BinaryKind;

/// Calls in one run.
const CALLS: usize = 300_000;
/// Handles remembered; older ones are forgotten at random, released or not.
const HANDLES: usize = 300;

struct Chaos {
    state: u64,
    handles: Vec<usize>,
    succeeded: usize,
    failed: usize,
}

impl Chaos {
    fn next(&mut self, bound: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        usize::try_from((self.state >> 11) % bound as u64).unwrap()
    }

    /// Some handle, mostly one there has been, of whatever type.
    fn any<T>(&mut self) -> *mut T {
        let address = match self.next(40) {
            0 => 0,
            1 => self.next(1 << 48),
            2 => {
                let i = self.next(self.handles.len());
                self.handles[i] + 32 * self.next(64)
            }
            3 => {
                let i = self.next(self.handles.len());
                self.handles[i] + self.next(32)
            }
            _ => {
                let i = self.next(self.handles.len());
                self.handles[i]
            }
        };
        std::ptr::with_exposed_provenance_mut(address)
    }

    fn remember<T>(&mut self, made: *mut T, code: cl_int) {
        assert_eq!(made.is_null(), code != CL_SUCCESS, "{code}");
        self.count(code);
        if !made.is_null() {
            let address = made.expose_provenance();
            if self.handles.len() < HANDLES {
                self.handles.push(address);
            } else {
                let at = self.next(HANDLES);
                self.handles[at] = address;
            }
        }
    }

    fn count(&mut self, code: cl_int) {
        assert!((-72..=0).contains(&code) || code == CL_PLATFORM_NOT_FOUND_KHR, "{code} is no error code");
        if code == CL_SUCCESS {
            self.succeeded += 1;
        } else {
            self.failed += 1;
        }
    }

    fn create(&mut self, binary: &[u8]) {
        let mut code = 1;
        match self.next(9) {
            0 => {
                let d: cl_device_id = self.any();
                let made = cl!(clCreateContext(null(), 1, &raw const d, None, null_mut(), &raw mut code));
                self.remember(made, code);
            }
            1 | 2 => {
                let size = self.next(5000);
                let made = cl!(clCreateBuffer(self.any(), CL_MEM_READ_WRITE, size, null_mut(), &raw mut code));
                self.remember(made, code);
            }
            3 => {
                let region = cl_buffer_region { origin: self.next(8) * 128, size: self.next(600) };
                let at = (&raw const region).cast();
                let made = cl!(clCreateSubBuffer(self.any(), 0, CL_BUFFER_CREATE_TYPE_REGION, at, &raw mut code));
                self.remember(made, code);
            }
            4 => {
                let (c, d): (cl_context, cl_device_id) = (self.any(), self.any());
                let made = cl!(clCreateCommandQueueWithProperties(c, d, null(), &raw mut code));
                self.remember(made, code);
            }
            5 => {
                let (c, d): (cl_context, cl_device_id) = (self.any(), self.any());
                let (length, mut at) = (binary.len(), binary.as_ptr());
                let made = cl!(clCreateProgramWithBinary(
                    c,
                    1,
                    &raw const d,
                    &raw const length,
                    &raw mut at,
                    null_mut(),
                    &raw mut code
                ));
                self.remember(made, code);
            }
            6 => {
                let made = cl!(clCreateKernel(self.any(), c"two".as_ptr(), &raw mut code));
                self.remember(made, code);
            }
            7 => {
                let made = cl!(clCloneKernel(self.any(), &raw mut code));
                self.remember(made, code);
            }
            _ => {
                // Completed at once, so that nothing below waits for ever.
                let made = cl!(clCreateUserEvent(self.any(), &raw mut code));
                self.remember(made, code);
                if !made.is_null() {
                    self.count(cl!(clSetUserEventStatus(made, CL_COMPLETE)));
                }
            }
        }
    }

    fn retain_or_release(&mut self) {
        let code = match self.next(12) {
            0 => cl!(clRetainContext(self.any())),
            1 => cl!(clRetainMemObject(self.any())),
            2 => cl!(clRetainCommandQueue(self.any())),
            3 => cl!(clRetainProgram(self.any())),
            4 => cl!(clRetainKernel(self.any())),
            5 => cl!(clRetainEvent(self.any())),
            6 => cl!(clReleaseContext(self.any())),
            7 => cl!(clReleaseMemObject(self.any())),
            8 => cl!(clReleaseCommandQueue(self.any())),
            9 => cl!(clReleaseProgram(self.any())),
            10 => cl!(clReleaseKernel(self.any())),
            _ => cl!(clReleaseEvent(self.any())),
        };
        self.count(code);
    }

    fn query(&mut self) {
        let mut value = [0_u8; 256];
        let out: *mut c_void = value.as_mut_ptr().cast();
        let size = self.next(257);
        let n = cl_uint::try_from(self.next(24)).unwrap();
        let code = match self.next(9) {
            0 => cl!(clGetContextInfo(self.any(), CL_CONTEXT_REFERENCE_COUNT + n, size, out, null_mut())),
            1 => cl!(clGetMemObjectInfo(self.any(), CL_MEM_TYPE + n, size, out, null_mut())),
            2 => cl!(clGetCommandQueueInfo(self.any(), CL_QUEUE_CONTEXT + n, size, out, null_mut())),
            3 => cl!(clGetProgramInfo(self.any(), CL_PROGRAM_REFERENCE_COUNT + n % 5, size, out, null_mut())),
            4 => cl!(clGetKernelInfo(self.any(), CL_KERNEL_FUNCTION_NAME + n, size, out, null_mut())),
            5 => cl!(clGetEventInfo(self.any(), CL_EVENT_COMMAND_QUEUE + n, size, out, null_mut())),
            6 => {
                let (k, d): (cl_kernel, cl_device_id) = (self.any(), self.any());
                cl!(clGetKernelWorkGroupInfo(k, d, CL_KERNEL_WORK_GROUP_SIZE + n, size, out, null_mut()))
            }
            7 => {
                let (p, d): (cl_program, cl_device_id) = (self.any(), self.any());
                cl!(clGetProgramBuildInfo(p, d, CL_PROGRAM_BUILD_STATUS + n, size, out, null_mut()))
            }
            _ => cl!(clGetDeviceInfo(self.any(), CL_DEVICE_TYPE + n, size, out, null_mut())),
        };
        self.count(code);
    }

    fn command(&mut self) {
        let waits: [cl_event; 1] = [self.any()];
        let (count, list) = if self.next(4) == 0 { (1, waits.as_ptr()) } else { (0, null()) };
        let mut event: cl_event = null_mut();
        let wanted = if self.next(2) == 0 { &raw mut event } else { null_mut() };
        let (q, mem): (cl_command_queue, cl_mem) = (self.any(), self.any());
        let (offset, size) = (self.next(6000), self.next(6000));
        let mut data = [0_u8; 6000];
        let at: *mut c_void = data.as_mut_ptr().cast();
        let code = match self.next(10) {
            0 => cl!(clEnqueueReadBuffer(q, mem, CL_TRUE, offset, size, at, count, list, wanted)),
            1 => cl!(clEnqueueWriteBuffer(q, mem, CL_TRUE, offset, size, at, count, list, wanted)),
            2 => {
                let to: cl_mem = self.any();
                cl!(clEnqueueCopyBuffer(q, mem, to, offset, size % 100, size, count, list, wanted))
            }
            3 => cl!(clEnqueueFillBuffer(q, mem, at, 4, offset & !3, size & !3, count, list, wanted)),
            4 => {
                let k: cl_kernel = self.any();
                let global = 1 + size % 64;
                cl!(clEnqueueNDRangeKernel(q, k, 1, null(), &raw const global, null(), count, list, wanted))
            }
            5 => cl!(clEnqueueMarkerWithWaitList(q, count, list, wanted)),
            6 => cl!(clFlush(q)),
            7 => cl!(clFinish(q)),
            8 => cl!(clWaitForEvents(1, waits.as_ptr())),
            _ => cl!(clEnqueueUnmapMemObject(q, mem, at, count, list, wanted)),
        };
        self.count(code);
        if !event.is_null() {
            self.remember(event, code);
        }
    }

    fn argument(&mut self) {
        let mem: cl_mem = self.any();
        let value = [0_u8; 16];
        let code = if self.next(2) == 0 {
            cl!(clSetKernelArg(self.any(), 0, size_of::<cl_mem>(), (&raw const mem).cast()))
        } else {
            cl!(clSetKernelArg(self.any(), 1, 16, value.as_ptr().cast()))
        };
        self.count(code);
        if self.next(4) == 0 {
            let p: cl_program = self.any();
            self.count(cl!(clBuildProgram(p, 0, null(), null(), None, null_mut())));
        }
    }
}

#[test]
fn random_calls() {
    let binary = binary_of(kernels(), BinaryKind::Executable);
    let c = context();
    let p = program(c);
    let q = make!(clCreateCommandQueueWithProperties(c, setup().device(), null()));
    let k = kernel(p, c"two");
    let seeds = [c.expose_provenance(), p.expose_provenance(), q.expose_provenance(), k.expose_provenance()];
    let fixed = [setup().platform().expose_provenance(), setup().device().expose_provenance()];
    for seed in [0x9E37_79B9_7F4A_7C15, 0x1234_5678_9ABC_DEF1] {
        let handles = seeds.into_iter().chain(fixed).chain([setup().other_device().expose_provenance()]).collect();
        let mut chaos = Chaos { state: seed, handles, succeeded: 0, failed: 0 };
        for call in 0..CALLS {
            // Live objects to go on with: the random releases would soon leave none.
            if call % 50 == 0 {
                let code = [cl!(clRetainContext(c)), cl!(clRetainProgram(p)), cl!(clRetainCommandQueue(q))];
                assert!(code.iter().all(|&c| c == CL_SUCCESS || c < 0));
                for address in seeds.into_iter().chain(fixed) {
                    let at = chaos.next(chaos.handles.len());
                    chaos.handles[at] = address;
                }
            }
            match chaos.next(6) {
                0 | 1 => chaos.create(&binary),
                2 => chaos.retain_or_release(),
                3 => chaos.query(),
                4 => chaos.command(),
                _ => chaos.argument(),
            }
        }
        assert!(chaos.succeeded > CALLS / 50 && chaos.failed > CALLS / 50, "{} {}", chaos.succeeded, chaos.failed);
    }
}
