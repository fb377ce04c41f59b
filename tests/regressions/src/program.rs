//! A program whose build the test controls, which `muxcl_client` does not offer.

use std::ptr;

use anyhow::{Result, ensure};
use muxcl_client::sys::{self, cl_program};
use muxcl_client::{Context, Device};

/// A program from source for one device, not built yet.
pub(crate) struct Program {
    raw: cl_program,
    device: Device,
    // Dropped after the program, which needs it.
    context: Context,
}

impl Drop for Program {
    fn drop(&mut self) {
        // SAFETY: the program of `create`, released once.
        unsafe { sys::clReleaseProgram(self.raw) };
    }
}

impl Program {
    pub(crate) fn create(device: Device, text: &str) -> Result<Self> {
        let context = Context::new(device)?;
        let (at, length, mut code) = (text.as_ptr().cast(), text.len(), 0);
        // SAFETY: one text with its length.
        let raw = unsafe {
            sys::clCreateProgramWithSource(
                context.raw(),
                1,
                &raw const at,
                &raw const length,
                &raw mut code,
            )
        };
        ensure!(code == sys::CL_SUCCESS, "clCreateProgramWithSource: {code}");
        Ok(Self { raw, device, context })
    }

    pub(crate) fn raw(&self) -> cl_program {
        self.raw
    }

    pub(crate) fn context(&self) -> &Context {
        &self.context
    }

    /// Queries build information. Returns its size in bytes.
    pub(crate) fn build_info(&self, name: u32, value: &mut [u8]) -> Result<usize> {
        let mut size = 0;
        // SAFETY: room for the stated number of bytes.
        let code = unsafe {
            sys::clGetProgramBuildInfo(
                self.raw,
                self.device.raw(),
                name,
                value.len(),
                ptr::from_mut(value).cast(),
                &raw mut size,
            )
        };
        ensure!(code == sys::CL_SUCCESS, "clGetProgramBuildInfo {name:#x}: {code}");
        Ok(size)
    }
}
