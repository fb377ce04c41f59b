//! Memory of other programs that is the content of a memory object (`cl_khr_external_memory`).
//!
//! The memory is mapped into this process. It is the host's domain of the object's storage, so
//! devices that see the host's memory use it in place, and others get copies. Not here: the
//! commands that acquire and release it (`api::external_memory`), and what a descriptor may refer
//! to (`muxcl_os`).

use std::any::Any;
use std::ffi::c_int;
use std::sync::Arc;

use muxcl_mux::MuxError;
use muxcl_mux::target::TargetMemory;
use muxcl_os::{ExternalError, ExternalKind, OsError, close_descriptor, duplicate_descriptor};

use super::device::Device;

/// A descriptor that the application hands over.
#[derive(Debug)]
pub struct ExternalHandle {
    /// Its number.
    pub number: c_int,
    /// What it must refer to.
    pub kind: ExternalKind,
    /// The devices that may acquire the memory.
    pub devices: Vec<Arc<Device>>,
}

impl ExternalHandle {
    /// Maps the first `size` bytes of the memory, for reading only unless `writable`. The
    /// application keeps the descriptor.
    ///
    /// # Errors
    /// See [`ExternalError`].
    pub fn map(&self, size: usize, writable: bool) -> Result<Arc<MappedMemory>, ExternalError> {
        let fd = duplicate_descriptor(self.number)?;
        let memory = muxcl_os::ExternalMemory::map(fd, self.kind, size, writable)?;
        memory.as_ptr().expose_provenance();
        Ok(Arc::new(MappedMemory { memory, size }))
    }

    /// Closes the application's descriptor, after the import has succeeded.
    pub fn take(self) {
        // SAFETY: "importing memory from a file descriptor transfers ownership of the file
        // descriptor from the application to the OpenCL implementation."
        unsafe { close_descriptor(self.number) };
    }
}

/// Mapped memory of another program.
#[derive(Debug)]
pub struct MappedMemory {
    memory: muxcl_os::ExternalMemory,
    size: usize,
}

impl MappedMemory {
    /// The size in bytes.
    #[must_use]
    pub fn size(&self) -> usize {
        self.size
    }

    /// Begins a time in which OpenCL uses the memory.
    ///
    /// # Errors
    /// `OutOfResources` if the system refuses.
    pub fn begin(&self) -> Result<(), MuxError> {
        self.memory.begin_access().map_err(|error| refused(&error))
    }

    /// Ends the time in which OpenCL uses the memory.
    ///
    /// # Errors
    /// As [`Self::begin`].
    pub fn end(&self) -> Result<(), MuxError> {
        self.memory.end_access().map_err(|error| refused(&error))
    }
}

fn refused(error: &OsError) -> MuxError {
    MuxError::OutOfResources(error.to_string())
}

// SAFETY: the mapping has `size` bytes, and is unmapped on drop.
unsafe impl TargetMemory for MappedMemory {
    fn size(&self) -> u64 {
        self.size as u64
    }
    fn device_address(&self) -> u64 {
        0
    }
    fn host_ptr(&self) -> Option<*mut u8> {
        Some(self.memory.as_ptr())
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}
