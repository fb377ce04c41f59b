//! Shared virtual memory: allocations, maps and copies.

use std::ptr;

use opencl_sys as sys;

use crate::{ClientError, Context, Kernel, Queue, Result, check};

/// An allocation of `clSVMAlloc`, freed on drop. Its memory belongs to kernels and maps; here it is
/// an address.
#[derive(Debug)]
pub struct Shared {
    context: sys::cl_context,
    at: *mut u8,
    size: usize,
}

// SAFETY: an address and a handle; what is done with them takes calls that any thread may make.
unsafe impl Send for Shared {}
// SAFETY: as above.
unsafe impl Sync for Shared {}

impl Shared {
    /// Its first byte.
    #[must_use]
    pub fn at(&self) -> *mut u8 {
        self.at
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        // SAFETY: ours, freed once; the context is kept below.
        unsafe { sys::clSVMFree(self.context, self.at.cast()) };
        // SAFETY: the reference taken in `Context::share`.
        let _ = unsafe { sys::clReleaseContext(self.context) };
    }
}

impl Context {
    /// `size` bytes with one address for kernels and the host; nothing ever moved without maps.
    pub fn share(&self, size: usize) -> Result<Shared> {
        // SAFETY: no pointers.
        let at = unsafe { sys::clSVMAlloc(self.raw(), 0, size, 0) };
        if at.is_null() {
            return Err(ClientError::Call {
                call: "clSVMAlloc",
                code: sys::CL_MEM_OBJECT_ALLOCATION_FAILURE,
            });
        }
        // SAFETY: a live context.
        check("clRetainContext", unsafe { sys::clRetainContext(self.raw()) })?;
        Ok(Shared { context: self.raw(), at: at.cast(), size })
    }
}

impl Kernel {
    /// The kernel reaches these allocations beside its arguments.
    pub fn reaches(&mut self, all: &[&Shared]) -> Result<()> {
        let list: Vec<*mut u8> = all.iter().map(|s| s.at).collect();
        let (name, size) = (sys::CL_KERNEL_EXEC_INFO_SVM_PTRS, size_of_val(&list[..]));
        // SAFETY: so many pointers; they are copied.
        check("clSetKernelExecInfo", unsafe {
            sys::clSetKernelExecInfo(self.raw(), name, size, list.as_ptr().cast())
        })
    }
}

impl Queue {
    /// Maps all of an allocation for `flags` while `look` runs with its bytes.
    pub fn with_shared<R>(
        &self,
        shared: &Shared,
        flags: sys::cl_map_flags,
        look: impl FnOnce(&mut [u8]) -> R,
    ) -> Result<R> {
        let (at, size) = (shared.at.cast(), shared.size);
        // SAFETY: an allocation and its size; a blocking call.
        let code = unsafe {
            sys::clEnqueueSVMMap(
                self.raw(),
                sys::CL_TRUE,
                flags,
                at,
                size,
                0,
                ptr::null(),
                ptr::null_mut(),
            )
        };
        check("clEnqueueSVMMap", code)?;
        // SAFETY: mapped, so the host's; what else uses it now is the test's mistake.
        let result = look(unsafe { std::slice::from_raw_parts_mut(shared.at, size) });
        // SAFETY: what was mapped above.
        let code =
            unsafe { sys::clEnqueueSVMUnmap(self.raw(), at, 0, ptr::null(), ptr::null_mut()) };
        check("clEnqueueSVMUnmap", code)?;
        Ok(result)
    }
}
