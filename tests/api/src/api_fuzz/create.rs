//! Creates, retains and releases objects.

#![allow(
    clippy::wildcard_imports,
    reason = "the names of the OpenCL headers, of which nearly all are used"
)]

use std::ptr::{null, null_mut};

use muxcl_cl_sys::*;

use super::{Allocation, ApiFuzz, LARGEST, ProgramText, arena};
use crate::{cl, setup};

const FLAGS: [u64; 10] = [
    CL_MEM_READ_WRITE,
    CL_MEM_WRITE_ONLY,
    CL_MEM_READ_ONLY,
    CL_MEM_USE_HOST_PTR,
    CL_MEM_ALLOC_HOST_PTR,
    CL_MEM_COPY_HOST_PTR,
    CL_MEM_HOST_WRITE_ONLY,
    CL_MEM_HOST_READ_ONLY,
    CL_MEM_HOST_NO_ACCESS,
    CL_MEM_IMMUTABLE_EXT,
];

impl ApiFuzz<'_> {
    /// A context of all devices, with a queue, a buffer, a program and a kernel.
    pub(super) fn fresh_context(&mut self) {
        let s = setup();
        let mut devices = vec![s.device(), s.other_device(), s.apart(), s.coarse()[0]];
        devices.truncate(1 + self.next(3));
        let mut code = 1;
        let count = u32::try_from(devices.len()).unwrap();
        // Only a context of the first device alone may be terminated.
        let ends = (count == 1 && self.chance(3)).into();
        let asks = [
            (CL_CONTEXT_TERMINATE_KHR, ends),
            (CL_CONTEXT_MEMORY_INITIALIZE_KHR, self.pick(&[0, 1, 2, 3])),
        ];
        let mut list = asks.map(|(name, value)| [name, value]).concat();
        list.push(0);
        let c = cl!(clCreateContext(
            list.as_ptr(),
            count,
            devices.as_ptr(),
            None,
            null_mut(),
            &raw mut code
        ));
        self.remember(c, code);
        for device in devices {
            let made = cl!(clCreateCommandQueueWithProperties(c, device, null(), &raw mut code));
            self.remember(made, code);
        }
        let made = cl!(clCreateBuffer(c, CL_MEM_READ_WRITE, 4096, null_mut(), &raw mut code));
        self.remember(made, code);
        let p = self.new_program(c);
        let mut kernel = |name: &std::ffi::CStr| {
            let made = cl!(clCreateKernel(p, name.as_ptr(), &raw mut code));
            self.remember(made, code);
        };
        if !p.is_null() {
            kernel(c"empty");
            kernel(c"two");
            // Only devices with device-side queues have this kernel.
            kernel(c"family");
        }
        if self.chance(2) {
            let list = [
                CL_QUEUE_PROPERTIES.into(),
                CL_QUEUE_ON_DEVICE
                    | CL_QUEUE_ON_DEVICE_DEFAULT
                    | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
                CL_QUEUE_SIZE.into(),
                self.pick(&[64, 1000, 1 << 16]),
                0,
            ];
            let made = cl!(clCreateCommandQueueWithProperties(
                c,
                s.device(),
                list.as_ptr(),
                &raw mut code
            ));
            self.remember(made, code);
        }
    }

    /// A built program; NULL if the build fails.
    fn new_program(&mut self, c: cl_context) -> cl_program {
        let mut code = 1;
        let made = match self.program {
            ProgramText::Binary(bytes) => {
                let (length, mut at, d) = (bytes.len(), bytes.as_ptr(), setup().device());
                let (lengths, list) = (&raw const length, &raw mut at);
                cl!(clCreateProgramWithBinary(
                    c,
                    1,
                    &raw const d,
                    lengths,
                    list,
                    null_mut(),
                    &raw mut code
                ))
            }
            ProgramText::Source(text) => {
                let mut at = text.as_ptr();
                cl!(clCreateProgramWithSource(c, 1, &raw mut at, null(), &raw mut code))
            }
        };
        self.remember(made, code);
        if !made.is_null() {
            let options = match self.program {
                ProgramText::Binary(_) => null(),
                ProgramText::Source(_) => c"-cl-std=CL3.0".as_ptr(),
            };
            self.count(cl!(clBuildProgram(made, 0, null(), options, None, null_mut())));
        }
        made
    }

    fn properties(&mut self, names: &[u64], values: &[u64]) -> Vec<u64> {
        let mut list = Vec::new();
        for _ in 0..self.next(4) {
            list.push(if self.chance(20) { self.size() as u64 | 1 } else { self.pick(names) });
            list.push(if self.chance(20) { self.size() as u64 } else { self.pick(values) });
        }
        list.push(0);
        list
    }

    pub(super) fn create(&mut self) {
        let mut code = 1;
        let at = &raw mut code;
        match self.next(16) {
            0 => {
                let d: [cl_device_id; 3] = [self.any(), self.any(), self.any()];
                let count = self.word(4);
                let made = cl!(clCreateContext(null(), count, d.as_ptr(), None, null_mut(), at));
                self.remember(made, code);
            }
            1..4 => {
                let flags = self.bits(&FLAGS);
                let host = if self.chance(3) { arena() } else { null_mut() };
                let wide = host.is_null()
                    && flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR) == 0
                    && self.chance(20);
                let size = if wide {
                    self.pick(&[0, 1 << 20, (1 << 30) + 1, 1 << 50, usize::MAX])
                } else {
                    self.length()
                };
                let c = self.any();
                let list = self.properties(&[CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT], &[0, 1]);
                let made = if self.chance(4) {
                    cl!(clCreateBufferWithProperties(c, list.as_ptr(), flags, size, host, at))
                } else {
                    cl!(clCreateBuffer(c, flags, size, host, at))
                };
                self.remember(made, code);
            }
            4 => {
                let region = cl_buffer_region { origin: self.size() & !63, size: self.size() };
                let flags = self.bits(&FLAGS);
                let info = (&raw const region).cast();
                let made = cl!(clCreateSubBuffer(
                    self.any(),
                    flags,
                    CL_BUFFER_CREATE_TYPE_REGION,
                    info,
                    at
                ));
                self.remember(made, code);
            }
            5 => {
                let order = u64::from(CL_QUEUE_PROPERTIES);
                let bits = [
                    0,
                    CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
                    CL_QUEUE_PROFILING_ENABLE,
                    3,
                    4,
                    7,
                    13,
                ];
                let list = self.properties(
                    &[order, order, CL_QUEUE_SIZE.into(), CL_QUEUE_PRIORITY_KHR],
                    &bits,
                );
                let (c, d) = (self.any(), self.any());
                let made = match self.next(3) {
                    0 => cl!(clCreateCommandQueue(c, d, self.bits(&[1, 2, 4, 8]), at)),
                    1 => cl!(clCreateCommandQueueWithProperties(c, d, null(), at)),
                    _ => cl!(clCreateCommandQueueWithProperties(c, d, list.as_ptr(), at)),
                };
                self.remember(made, code);
            }
            6 => {
                let c = self.any();
                self.new_program(c);
            }
            7 => {
                let name = self.pick(&[c"two", c"two", c"empty", c"family", c"given", c"nobody"]);
                let made = cl!(clCreateKernel(self.any(), name.as_ptr(), at));
                self.remember(made, code);
            }
            8 => {
                let made = cl!(clCloneKernel(self.any(), at));
                self.remember(made, code);
            }
            9 | 10 => {
                let made = cl!(clCreateUserEvent(self.any(), at));
                self.remember(made, code);
                if made.is_null() {
                } else if self.chance(3) && self.gates.len() < 8 {
                    self.gates.push(made);
                } else {
                    let status = if self.chance(5) { -3 } else { CL_COMPLETE };
                    self.count(cl!(clSetUserEventStatus(made, status)));
                }
            }
            11 => {
                let names = [
                    CL_SAMPLER_NORMALIZED_COORDS,
                    CL_SAMPLER_ADDRESSING_MODE,
                    CL_SAMPLER_FILTER_MODE,
                ]
                .map(u64::from);
                let values = [
                    0,
                    1,
                    CL_ADDRESS_CLAMP.into(),
                    CL_ADDRESS_REPEAT.into(),
                    CL_FILTER_LINEAR.into(),
                ];
                let list = self.properties(&names, &values);
                let made = cl!(clCreateSamplerWithProperties(self.any(), list.as_ptr(), at));
                self.remember(made, code);
            }
            12 => {
                let (packet, most) = (self.word(5000), self.word(70));
                let made =
                    cl!(clCreatePipe(self.any(), self.bits(&FLAGS[..1]), packet, most, null(), at));
                self.remember(made, code);
            }
            13 => {
                let d: cl_device_id = self.any();
                let names = [
                    CL_SEMAPHORE_TYPE_KHR,
                    CL_SEMAPHORE_TYPE_KHR,
                    CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR,
                ]
                .map(u64::from);
                let mut list = self.properties(&names, &[1, 1, d.addr() as u64]);
                // A device list ends with a zero of its own.
                list.extend([0, 0]);
                let made = cl!(clCreateSemaphoreWithPropertiesKHR(self.any(), list.as_ptr(), at));
                self.remember(made, code);
            }
            14 => {
                let by = [
                    CL_DEVICE_PARTITION_EQUALLY,
                    CL_DEVICE_PARTITION_BY_COUNTS,
                    CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN,
                ];
                let value = |n: usize| cl_device_partition_property::try_from(n % 70).unwrap();
                let list = [self.pick(&by), value(self.next(5)), value(self.next(70)), 0, 0];
                let mut made = [null_mut(); 4];
                let count = self.word(5);
                code = cl!(clCreateSubDevices(
                    self.any(),
                    list.as_ptr(),
                    count,
                    made.as_mut_ptr(),
                    null_mut()
                ));
                self.count(code);
                for device in made.into_iter().filter(|d| !d.is_null()) {
                    self.own::<_cl_device_id>(device);
                }
            }
            _ => {
                let c = self.any();
                let size = self.length();
                let align = self.pick(&[0, 1, 64, 128, 3, 4096, 1 << 21, 1 << 31]);
                let unified = self.chance(2);
                let made = if unified {
                    let list = self.properties(&[CL_MEM_ALLOC_FLAGS_INTEL.into()], &[0, 1, 2, 7]);
                    match self.next(3) {
                        0 => cl!(clHostMemAllocINTEL(c, null(), size, align, at)),
                        1 => cl!(clDeviceMemAllocINTEL(
                            c,
                            self.any(),
                            list.as_ptr(),
                            size,
                            align,
                            at
                        )),
                        _ => cl!(clSharedMemAllocINTEL(
                            c,
                            self.any(),
                            list.as_ptr(),
                            size,
                            align,
                            at
                        )),
                    }
                } else {
                    let flags = self.bits(&[
                        CL_MEM_SVM_FINE_GRAIN_BUFFER,
                        CL_MEM_SVM_ATOMICS,
                        CL_MEM_READ_ONLY,
                    ]);
                    cl!(clSVMAlloc(c, flags, size, align))
                };
                if !made.is_null() {
                    assert!(size <= LARGEST && size > 0);
                    self.allocations.push(Allocation { context: c, at: made, unified });
                }
                if self.allocations.len() > 64 {
                    self.free();
                }
            }
        }
    }

    /// Frees shared memory, with its own context or sometimes another one.
    pub(super) fn free(&mut self) {
        if self.allocations.is_empty() {
            return;
        }
        let at = self.next(self.allocations.len());
        let Allocation { context, at, unified } = self.allocations.swap_remove(at);
        let c = if self.chance(10) { self.any() } else { context };
        match (unified, self.chance(4)) {
            (true, false) => self.count(cl!(clMemFreeINTEL(c, at))),
            (true, true) => {
                self.open_gates();
                self.count(cl!(clMemBlockingFreeINTEL(c, at)));
            }
            (false, _) => cl!(clSVMFree(c, at)),
        }
    }

    pub(super) fn retain_or_release(&mut self) {
        let code = match self.next(18) {
            0 if self.chance(4) => cl!(clTerminateContextKHR(self.any())),
            0 => cl!(clRetainContext(self.any())),
            1 => cl!(clRetainMemObject(self.any())),
            2 => cl!(clRetainCommandQueue(self.any())),
            3 => cl!(clRetainProgram(self.any())),
            4 => cl!(clRetainKernel(self.any())),
            5 => cl!(clRetainEvent(self.any())),
            6 => cl!(clRetainSampler(self.any())),
            7 => cl!(clRetainSemaphoreKHR(self.any())),
            8 => cl!(clRetainDevice(self.any())),
            9 => cl!(clReleaseContext(self.any())),
            10 => cl!(clReleaseMemObject(self.any())),
            11 => cl!(clReleaseCommandQueue(self.any())),
            12 => cl!(clReleaseProgram(self.any())),
            13 => cl!(clReleaseKernel(self.any())),
            14 => cl!(clReleaseEvent(self.any())),
            15 => cl!(clReleaseSampler(self.any())),
            16 => cl!(clReleaseSemaphoreKHR(self.any())),
            _ => cl!(clReleaseDevice(self.any())),
        };
        self.count(code);
    }
}
