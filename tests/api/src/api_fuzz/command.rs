//! Commands on buffers, kernels and events; arguments of kernels; callbacks.

#![allow(
    clippy::wildcard_imports,
    reason = "the names of the OpenCL headers, of which nearly all are used"
)]

use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicUsize, Ordering};

use muxcl_cl_sys::*;

use super::{ApiFuzz, Mapped, arena, list_at};
use crate::{cl, il};

/// Number of callbacks that have run, of every kind.
static CALLED: AtomicUsize = AtomicUsize::new(0);

unsafe extern "C" fn on_event(_: cl_event, status: cl_int, _: *mut c_void) {
    assert!(status <= CL_SUBMITTED);
    CALLED.fetch_add(1, Ordering::Relaxed);
}

unsafe extern "C" fn on_mem(_: cl_mem, _: *mut c_void) {
    CALLED.fetch_add(1, Ordering::Relaxed);
}

unsafe extern "C" fn on_context(_: cl_context, _: *mut c_void) {
    CALLED.fetch_add(1, Ordering::Relaxed);
}

unsafe extern "C" fn on_build(_: cl_program, _: *mut c_void) {
    CALLED.fetch_add(1, Ordering::Relaxed);
}

unsafe extern "C" fn native(_: *mut c_void) {
    CALLED.fetch_add(1, Ordering::Relaxed);
}

impl ApiFuzz<'_> {
    /// An origin or a region in a buffer: usually small, sometimes far out of bounds.
    fn corner(&mut self, least: usize) -> [usize; 3] {
        [16, 8, 4].map(|bound| if self.chance(40) { self.size() } else { least + self.next(bound) })
    }

    pub(super) fn command(&mut self) {
        let (count, list) = self.waits();
        let waits = list_at(&list);
        let mut event: cl_event = null_mut();
        let wanted = if self.chance(2) { &raw mut event } else { null_mut() };
        let (q, mem, to): (cl_command_queue, cl_mem, cl_mem) = (self.any(), self.any(), self.any());
        let (offset, size, at) = (self.size(), self.length(), arena());
        let blocking = u32::from(self.chance(2));
        if blocking != 0 {
            self.open_gates();
        }
        let code = match self.next(17) {
            0 => cl!(clEnqueueReadBuffer(q, mem, blocking, offset, size, at, count, waits, wanted)),
            1 => {
                cl!(clEnqueueWriteBuffer(q, mem, blocking, offset, size, at, count, waits, wanted))
            }
            2 => cl!(clEnqueueCopyBuffer(
                q,
                mem,
                to,
                offset,
                self.size(),
                self.size(),
                count,
                waits,
                wanted
            )),
            3 => {
                let step = self.pick(&[1, 2, 4, 16, 128, 3, 0, 256]);
                cl!(clEnqueueFillBuffer(
                    q,
                    mem,
                    at,
                    step,
                    offset & !15,
                    self.size() & !15,
                    count,
                    waits,
                    wanted
                ))
            }
            4..6 => {
                let k: cl_kernel = self.any();
                let dims = self.word(5);
                let offset = self.corner(0);
                let global = [self.next(65), self.next(9), self.next(5)];
                let local = [1 + self.next(9), self.next(4), self.next(3)];
                let o = if self.chance(2) { null() } else { offset.as_ptr() };
                let l = if self.chance(2) { null() } else { local.as_ptr() };
                cl!(clEnqueueNDRangeKernel(q, k, dims, o, global.as_ptr(), l, count, waits, wanted))
            }
            6 => cl!(clEnqueueTask(q, self.any(), count, waits, wanted)),
            7 => cl!(clEnqueueMarkerWithWaitList(q, count, waits, wanted)),
            8 => cl!(clEnqueueBarrierWithWaitList(q, count, waits, wanted)),
            9 => match self.next(4) {
                0 => cl!(clFlush(q)),
                1 => {
                    self.open_gates();
                    cl!(clFinish(q))
                }
                2 => {
                    self.open_gates();
                    cl!(clWaitForEvents(count, waits))
                }
                _ => cl!(clEnqueueWaitForEvents(q, count, waits)),
            },
            10 | 11 => self.rectangle(q, mem, to, blocking, (count, waits), wanted),
            12 => {
                let flags = self.bits(&[CL_MAP_READ, CL_MAP_WRITE, CL_MAP_WRITE_INVALIDATE_REGION]);
                let mut code = 1;
                let size = self.size();
                let to = &raw mut code;
                let made = cl!(clEnqueueMapBuffer(
                    q, mem, blocking, flags, offset, size, count, waits, wanted, to
                ));
                if !made.is_null() {
                    self.mapped.push(Mapped { mem, at: made });
                }
                code
            }
            13 | 14 => {
                let known = self.mapped.len();
                let region = if known == 0 || self.chance(10) {
                    Mapped { mem, at: at.wrapping_byte_add(offset) }
                } else {
                    let at = self.next(known);
                    self.mapped.swap_remove(at)
                };
                cl!(clEnqueueUnmapMemObject(q, region.mem, region.at, count, waits, wanted))
            }
            15 => {
                let list: [cl_mem; 3] = [self.any(), self.any(), self.any()];
                let flags = self
                    .bits(&[CL_MIGRATE_MEM_OBJECT_HOST, CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED]);
                cl!(clEnqueueMigrateMemObjects(
                    q,
                    self.word(4),
                    list.as_ptr(),
                    flags,
                    count,
                    waits,
                    wanted
                ))
            }
            _ => {
                let block = [0_usize; 4];
                let args: *mut c_void = block.as_ptr().cast_mut().cast();
                let mut places =
                    [args.wrapping_byte_add(self.next(40)).cast_const(), args.cast_const()];
                let list: [cl_mem; 2] = [self.any(), self.any()];
                let n = self.word(3);
                let mems = if n == 0 { null() } else { list.as_ptr() };
                let at = if n == 0 { null_mut() } else { places.as_mut_ptr() };
                cl!(clEnqueueNativeKernel(
                    q,
                    Some(native),
                    args,
                    32,
                    n,
                    mems,
                    at,
                    count,
                    waits,
                    wanted
                ))
            }
        };
        self.count(code);
        if !event.is_null() {
            self.remember(event, code);
        }
        if self.mapped.len() > 64 {
            self.mapped.clear();
        }
    }

    /// Transfers of boxes. The application's side always lies within its own memory, whatever the
    /// random numbers.
    fn rectangle(
        &mut self,
        q: cl_command_queue,
        mem: cl_mem,
        to: cl_mem,
        blocking: cl_bool,
        (count, waits): (cl_uint, *const cl_event),
        wanted: *mut cl_event,
    ) -> cl_int {
        let (o, p, r) = (self.corner(0), self.corner(0), self.corner(1));
        let host = [16, 8, 4].map(|bound| self.next(bound));
        let small = r[0] <= 256 && r[1] <= 64 && r[2] <= 64;
        let pitch = |api_fuzz: &mut Self, of: usize| {
            if api_fuzz.chance(2) { 0 } else { api_fuzz.next(17) * of }
        };
        let (a, b, c, d) = (pitch(self, 8), pitch(self, 64), pitch(self, 8), pitch(self, 64));
        let at = arena();
        let (o, p, host, r) = (o.as_ptr(), p.as_ptr(), host.as_ptr(), r.as_ptr());
        match self.next(3) {
            // A large two-dimensional region would exceed the application's memory.
            0 if small => {
                cl!(clEnqueueReadBufferRect(
                    q, mem, blocking, o, host, r, a, b, c, d, at, count, waits, wanted
                ))
            }
            1 if small => {
                cl!(clEnqueueWriteBufferRect(
                    q, mem, blocking, o, host, r, a, b, c, d, at, count, waits, wanted
                ))
            }
            _ => {
                cl!(clEnqueueCopyBufferRect(q, mem, to, o, p, r, a, b, c, d, count, waits, wanted))
            }
        }
    }

    pub(super) fn argument(&mut self) {
        let mem: cl_mem = self.any();
        let k: cl_kernel = self.any();
        let index = self.word(3);
        let code = match self.next(12) {
            0..4 => cl!(clSetKernelArg(k, index, size_of::<cl_mem>(), (&raw const mem).cast())),
            4..6 => cl!(clSetKernelArg(k, 1, 16, arena())),
            6 if self.chance(2) => {
                let q: cl_command_queue = self.any();
                cl!(clSetKernelArg(k, index, size_of::<cl_command_queue>(), (&raw const q).cast()))
            }
            6 => cl!(clSetKernelArg(k, index, self.length(), arena())),
            7 => cl!(clSetKernelArgSVMPointer(k, index, arena())),
            8 => cl!(clSetKernelArgMemPointerINTEL(k, index, arena())),
            9 => cl!(clSetKernelArgDevicePointerEXT(k, index, arena().addr() as u64)),
            10 => {
                let names = [
                    CL_KERNEL_EXEC_INFO_SVM_PTRS,
                    CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM,
                    CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL,
                    CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL,
                ];
                cl!(clSetKernelExecInfo(
                    k,
                    self.pick(&names),
                    self.pick(&[0, 4, 8, 16, 7]),
                    arena()
                ))
            }
            _ => self.build(),
        };
        self.count(code);
    }

    /// Builds run rarely, because they are slow with a compiler.
    fn build(&mut self) -> cl_int {
        let p: cl_program = self.any();
        let told = if self.chance(3) {
            Some(on_build as unsafe extern "C" fn(cl_program, *mut c_void))
        } else {
            None
        };
        let options = self.pick(&[c"", c"-cl-opt-disable", c"-bogus", c"-DX=\xff"]);
        let mut code = 1;
        match self.next(8) {
            0 => {
                let (other, mut name) = (self.any(), c"h".as_ptr());
                let n = self.word(2);
                let (headers, names) =
                    if n == 0 { (null(), null_mut()) } else { (&raw const other, &raw mut name) };
                cl!(clCompileProgram(
                    p,
                    0,
                    null(),
                    options.as_ptr(),
                    n,
                    headers,
                    names,
                    told,
                    null_mut()
                ))
            }
            1 => {
                let list: [cl_program; 2] = [p, self.any()];
                let (c, n) = (self.any(), self.word(3));
                let at = &raw mut code;
                let made = cl!(clLinkProgram(
                    c,
                    0,
                    null(),
                    options.as_ptr(),
                    n,
                    list.as_ptr(),
                    told,
                    null_mut(),
                    at
                ));
                if !made.is_null() {
                    self.own(made);
                }
                code
            }
            2 => {
                let (id, size) =
                    (self.pick(&[il::FACTOR, il::FACTOR, 0]), self.pick(&[4, 4, 1, 8]));
                cl!(clSetProgramSpecializationConstant(p, id, size, arena()))
            }
            3 => {
                // A module without kernels: random kernels could write anywhere.
                let module = il::exporter();
                let whole = (module.as_ptr().cast::<c_void>(), module.len());
                let (at, length) =
                    if self.chance(2) { (arena().cast_const(), self.length()) } else { whole };
                let made = cl!(clCreateProgramWithIL(self.any(), at, length, &raw mut code));
                if !made.is_null() {
                    self.own(made);
                }
                code
            }
            _ => cl!(clBuildProgram(p, 0, null(), options.as_ptr(), told, null_mut())),
        }
    }

    pub(super) fn callback(&mut self) {
        let code = match self.next(9) {
            8 => cl!(clSetDefaultDeviceCommandQueue(self.any(), self.any(), self.any())),
            0..4 => {
                let when = self.pick(&[CL_COMPLETE, CL_RUNNING, CL_SUBMITTED, CL_QUEUED, -1]);
                cl!(clSetEventCallback(self.any(), when, Some(on_event), null_mut()))
            }
            4 => cl!(clSetMemObjectDestructorCallback(self.any(), Some(on_mem), null_mut())),
            5 => cl!(clSetContextDestructorCallback(self.any(), Some(on_context), null_mut())),
            6 => {
                self.open_gates();
                return;
            }
            _ => {
                // May be an event that is no user event, or one whose status is already set.
                let e: cl_event = self.any();
                if self.gates.contains(&e) {
                    return;
                }
                cl!(clSetUserEventStatus(e, CL_COMPLETE))
            }
        };
        self.count(code);
    }
}
