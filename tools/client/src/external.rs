//! Memory of other programs (`cl_khr_external_memory`). The functions are looked up by name.

use std::ffi::c_void;
use std::os::fd::{FromRawFd as _, IntoRawFd as _, OwnedFd};
use std::{mem, ptr};

use opencl_sys as sys;
use opencl3::memory;

use crate::objects::check;
use crate::{Buffer, Context, Queue, Result};

impl Context {
    /// A buffer that is the first `size` bytes of the memory behind `fd`, a memfd or the like.
    pub fn external_buffer(&self, fd: OwnedFd, size: usize) -> Result<Buffer> {
        let kind = sys::cl_mem_properties::from(sys::CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR);
        let number = fd.into_raw_fd();
        let value = sys::cl_mem_properties::from(number.unsigned_abs());
        let (list, flags) = ([kind, value, 0], sys::CL_MEM_READ_WRITE);
        let (raw, none, mut code) = (self.raw(), ptr::null_mut(), sys::CL_SUCCESS);
        let at = &raw mut code;
        // SAFETY: a live context, a list of properties that ends with zero, a place for the code.
        let made =
            unsafe { sys::clCreateBufferWithProperties(raw, list.as_ptr(), flags, size, none, at) };
        if code != sys::CL_SUCCESS {
            // SAFETY: a failure leaves the descriptor to the application.
            drop(unsafe { OwnedFd::from_raw_fd(number) });
        }
        check("clCreateBufferWithProperties", code)?;
        Ok(Buffer(memory::Buffer::new(made)))
    }

    /// Enqueues the acquisition of an external buffer by OpenCL, or its release.
    pub fn hand_over(&self, queue: &Queue, buffer: &Buffer, acquire: bool) -> Result<()> {
        let (call, name) = if acquire {
            ("clEnqueueAcquireExternalMemObjectsKHR", c"clEnqueueAcquireExternalMemObjectsKHR")
        } else {
            ("clEnqueueReleaseExternalMemObjectsKHR", c"clEnqueueReleaseExternalMemObjectsKHR")
        };
        let found = self.extension(name)?;
        // SAFETY: the specification gives both functions this type; not NULL.
        let function = unsafe {
            mem::transmute::<*mut c_void, sys::clEnqueueAcquireExternalMemObjectsKHR_fn>(found)
        };
        let memory = buffer.raw();
        let code = function.map_or(sys::CL_INVALID_OPERATION, |function| {
            // SAFETY: a live queue, one memory object, no events.
            unsafe { function(queue.raw(), 1, &raw const memory, 0, ptr::null(), ptr::null_mut()) }
        });
        check(call, code)
    }
}
