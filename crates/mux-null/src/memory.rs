//! Host memory as device memory.

use muxcl_mux::MuxError;
use muxcl_mux::target::TargetMemory;
use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::any::Any;

#[derive(Debug)]
pub(crate) struct NullMemory {
    ptr: *mut u8,
    size: u64,
    /// `None` for imported memory, which this object does not free.
    layout: Option<Layout>,
    /// Device address; `None` means the host's address.
    address: Option<u64>,
}

// SAFETY: the pointer refers to memory that this object owns or that the caller promised; the
// application is responsible for races on its content.
unsafe impl Send for NullMemory {}
// SAFETY: as above.
unsafe impl Sync for NullMemory {}

impl NullMemory {
    pub(crate) fn allocate(size: u64, align: u64) -> Result<Self, MuxError> {
        let bytes = usize::try_from(size).map_err(|_| MuxError::OutOfMemory)?;
        let align = usize::try_from(align).map_err(|_| MuxError::OutOfMemory)?;
        let layout = Layout::from_size_align(bytes, align).map_err(|_| MuxError::OutOfMemory)?;
        // SAFETY: the front end refuses size 0, so the layout is not empty.
        let ptr = unsafe { alloc_zeroed(layout) };
        if ptr.is_null() {
            return Err(MuxError::OutOfMemory);
        }
        Ok(Self { ptr, size, layout: Some(layout), address: None })
    }

    pub(crate) fn import(ptr: *mut u8, size: u64) -> Self {
        Self { ptr, size, layout: None, address: None }
    }

    /// Sets an address in the device's own address space.
    pub(crate) fn with_address(mut self, address: u64) -> Self {
        self.address = Some(address);
        self
    }
}

impl Drop for NullMemory {
    fn drop(&mut self) {
        if let Some(layout) = self.layout {
            // SAFETY: allocated in `allocate` with this layout, freed once.
            unsafe { dealloc(self.ptr, layout) };
        }
    }
}

// SAFETY: the memory is allocated with this size, or imported by the promise of `import_host`.
unsafe impl TargetMemory for NullMemory {
    fn size(&self) -> u64 {
        self.size
    }
    fn device_address(&self) -> u64 {
        self.address.unwrap_or(self.ptr.expose_provenance() as u64)
    }
    fn host_ptr(&self) -> Option<*mut u8> {
        self.ptr.expose_provenance();
        Some(self.ptr)
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}
