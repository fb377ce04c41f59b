//! Shared virtual memory and semaphores.

#![allow(
    clippy::wildcard_imports,
    reason = "the names of the OpenCL headers, of which nearly all are used"
)]

use std::ffi::c_void;
use std::ptr::null_mut;

use muxcl_cl_sys::*;

use super::{ARENA, ApiFuzz, arena, list_at};
use crate::cl;

/// Frees the allocations of a `clEnqueueSVMFree`.
unsafe extern "C" fn free_all(
    queue: cl_command_queue,
    count: cl_uint,
    list: *mut *mut c_void,
    context: *mut c_void,
) {
    assert!(!queue.is_null());
    for i in 0..count as usize {
        let at = list.wrapping_add(i);
        // SAFETY: the list has `count` entries.
        let pointer = unsafe { at.read() };
        cl!(clSVMFree(context.cast(), pointer));
    }
}

impl ApiFuzz<'_> {
    pub(super) fn shared_memory(&mut self) {
        let (count, list) = self.waits();
        let waits = list_at(&list);
        let mut event: cl_event = null_mut();
        let wanted = if self.chance(2) { &raw mut event } else { null_mut() };
        let q: cl_command_queue = self.any();
        // Commands work on memory that stays valid; allocations are only named.
        let (a, b) = (self.next(ARENA / 4), ARENA / 2 + self.next(ARENA / 4));
        let (to, from) = (arena().wrapping_byte_add(a), arena().wrapping_byte_add(b));
        let size = self.length();
        let named = if self.allocations.is_empty() {
            to
        } else {
            let i = self.next(self.allocations.len());
            self.allocations[i].at
        };
        let blocking = u32::from(self.chance(2));
        if blocking != 0 {
            self.open_gates();
        }
        let step = self.pick(&[1, 2, 4, 16, 128, 3]);
        let code = match self.next(14) {
            0 => cl!(clEnqueueSVMMemcpy(q, blocking, to, from, size, count, waits, wanted)),
            1 => cl!(clEnqueueMemcpyINTEL(q, blocking, to, from, size, count, waits, wanted)),
            2 => cl!(clEnqueueSVMMemFill(q, to, from, step, size & !15, count, waits, wanted)),
            3 => cl!(clEnqueueMemFillINTEL(q, to, from, step, size & !15, count, waits, wanted)),
            4 => cl!(clEnqueueSVMMap(
                q,
                blocking,
                self.bits(&[1, 2, 4]),
                named,
                size,
                count,
                waits,
                wanted
            )),
            5 => cl!(clEnqueueSVMUnmap(q, named, count, waits, wanted)),
            6 => {
                let mut pointers = [named.cast_const(), to];
                let sizes = [size, 0];
                let n = self.word(3);
                cl!(clEnqueueSVMMigrateMem(
                    q,
                    n,
                    pointers.as_mut_ptr(),
                    sizes.as_ptr(),
                    self.bits(&[1, 2]),
                    count,
                    waits,
                    wanted
                ))
            }
            7 => cl!(clEnqueueMigrateMemINTEL(
                q,
                named,
                size,
                self.bits(&[1, 2]),
                count,
                waits,
                wanted
            )),
            8 => cl!(clEnqueueMemAdviseINTEL(q, named, size, self.word(3), count, waits, wanted)),
            9 => {
                let mut owner: cl_context = null_mut();
                let at = (&raw mut owner).cast();
                let known = cl!(clGetCommandQueueInfo(
                    q,
                    CL_QUEUE_CONTEXT,
                    size_of::<cl_context>(),
                    at,
                    null_mut()
                ));
                let mut fresh = cl!(clSVMAlloc(owner, 0, 64, 0));
                let pointers = &raw mut fresh;
                let told = if self.chance(2) { Some(free_all as _) } else { None };
                let n = u32::from(!fresh.is_null());
                let pointers = if n == 0 { null_mut() } else { pointers };
                assert!(known == CL_SUCCESS || n == 0);
                cl!(clEnqueueSVMFree(q, n, pointers, told, owner.cast(), count, waits, wanted))
            }
            10 | 11 => self.semaphores(q, (count, waits), wanted),
            _ => {
                self.free();
                return;
            }
        };
        self.count(code);
        if !event.is_null() {
            self.remember(event, code);
        }
    }

    /// A signal followed by a wait for it: a wait without a signal would block its queue for ever.
    fn semaphores(
        &mut self,
        q: cl_command_queue,
        (count, waits): (cl_uint, *const cl_event),
        wanted: *mut cl_event,
    ) -> cl_int {
        let s: cl_semaphore_khr = self.any();
        let (list, payload) = (&raw const s, std::ptr::null());
        let n = u32::from(!self.chance(20));
        let signalled =
            cl!(clEnqueueSignalSemaphoresKHR(q, n, list, payload, count, waits, wanted));
        if signalled == CL_SUCCESS {
            // The signal comes only if its dependencies succeed, and a wait must not last for ever.
            let to: cl_command_queue = self.any();
            self.open_gates();
            self.count(cl!(clFinish(q)));
            let mut payload: cl_semaphore_payload_khr = 0;
            let at = (&raw mut payload).cast();
            let asked = cl!(clGetSemaphoreInfoKHR(s, CL_SEMAPHORE_PAYLOAD_KHR, 8, at, null_mut()));
            if asked == CL_SUCCESS && payload == 1 {
                self.count(cl!(clEnqueueWaitSemaphoresKHR(
                    to,
                    1,
                    list,
                    std::ptr::null(),
                    0,
                    std::ptr::null(),
                    null_mut()
                )));
            }
        }
        signalled
    }
}
