//! Shared virtual memory: allocations and maps.

use opencl_sys as sys;
use opencl3::{command_queue, context, memory};

use crate::objects::{Named as _, check};
use crate::{Context, Kernel, Queue, Result};

/// An allocation of `clSVMAlloc`, freed on drop. Kernels and maps access the memory; this type
/// holds its address only. opencl3's `SvmVec` is not suitable: it is a slice for the host even
/// while a kernel runs.
#[derive(Debug)]
pub struct SvmAllocation {
    context: sys::cl_context,
    at: *mut u8,
    size: usize,
}

// SAFETY: an address and a handle; every use is a call that any thread may make.
unsafe impl Send for SvmAllocation {}
// SAFETY: as above.
unsafe impl Sync for SvmAllocation {}

impl SvmAllocation {
    /// Address of the first byte.
    #[must_use]
    pub fn at(&self) -> *mut u8 {
        self.at
    }
}

impl Drop for SvmAllocation {
    fn drop(&mut self) {
        // SAFETY: our allocation, freed once; we still hold a reference of its context.
        let _ = unsafe { memory::svm_free(self.context, self.at.cast()) };
        // SAFETY: the reference taken in `Context::share`, released once.
        let _ = unsafe { context::context::release_context(self.context) };
    }
}

impl Context {
    /// Allocates `size` bytes with one address for kernels and the host. The host accesses them
    /// through maps.
    pub fn share(&self, size: usize) -> Result<SvmAllocation> {
        // SAFETY: plain values.
        let at = unsafe { memory::svm_alloc(self.raw(), 0, size, 0) }.of("clSVMAlloc")?;
        // SAFETY: a live context.
        unsafe { context::context::retain_context(self.raw()) }.of("clRetainContext")?;
        Ok(SvmAllocation { context: self.raw(), at: at.cast(), size })
    }
}

impl Kernel {
    /// Declares the allocations that the kernel accesses through pointers in memory
    /// (`CL_KERNEL_EXEC_INFO_SVM_PTRS`).
    pub fn reaches(&mut self, all: &[&SvmAllocation]) -> Result<()> {
        let list: Vec<*mut u8> = all.iter().map(|s| s.at).collect();
        let (name, size) = (sys::CL_KERNEL_EXEC_INFO_SVM_PTRS, size_of_val(&list[..]));
        // SAFETY: `size` bytes of pointers, which the driver copies.
        check("clSetKernelExecInfo", unsafe {
            sys::clSetKernelExecInfo(self.raw(), name, size, list.as_ptr().cast())
        })
    }
}

impl Queue {
    /// Maps the whole allocation for `flags` while `look` runs with its bytes.
    pub fn with_shared<R>(
        &self,
        shared: &SvmAllocation,
        flags: sys::cl_map_flags,
        look: impl FnOnce(&mut [u8]) -> R,
    ) -> Result<R> {
        let (at, size) = (shared.at, shared.size);
        // SAFETY: a live allocation and its size in bytes, of any content; the caller runs no
        // kernel that accesses it meanwhile.
        let bytes = unsafe { std::slice::from_raw_parts_mut(at, size) };
        // SAFETY: as above; a blocking map.
        unsafe { self.0.enqueue_svm_map(sys::CL_TRUE, flags, bytes, &[]) }.of("clEnqueueSVMMap")?;
        let result = look(bytes);
        // SAFETY: mapped above.
        let unmapped =
            unsafe { command_queue::enqueue_svm_unmap(self.raw(), at.cast(), 0, std::ptr::null()) };
        let event = opencl3::event::Event::new(unmapped.of("clEnqueueSVMUnmap")?);
        drop(event);
        Ok(result)
    }
}
