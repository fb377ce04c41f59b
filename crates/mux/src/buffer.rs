//! Buffers: views on a range of memory.

use crate::{Memory, MuxError};
use std::any::Any;
use std::sync::Arc;

/// `size` bytes of a [`Memory`] from an offset. Cheap to clone (one pointer); keeps the memory
/// alive.
#[derive(Debug, Clone)]
pub struct Buffer {
    view: Arc<View>,
}

#[derive(Debug)]
struct View {
    memory: Memory,
    offset: u64,
    size: u64,
    address: u64,
    host: usize,
}

impl Buffer {
    pub(crate) fn bind(memory: &Memory, offset: u64, size: u64) -> Result<Self, MuxError> {
        match offset.checked_add(size) {
            Some(end) if end <= memory.size() && size != 0 => {}
            _ => return Err(MuxError::InvalidValue("buffer outside its memory")),
        }
        let host = match (memory.host_ptr(), usize::try_from(offset)) {
            (Some(p), Ok(at)) => p.addr().wrapping_add(at),
            _ => 0,
        };
        let address = memory.device_address().wrapping_add(offset);
        Ok(Self { view: Arc::new(View { memory: memory.clone(), offset, size, address, host }) })
    }

    /// A sub-buffer: `size` bytes from `offset`.
    ///
    /// # Errors
    /// `InvalidValue` out of range or empty.
    pub fn sub_buffer(&self, offset: u64, size: u64) -> Result<Self, MuxError> {
        match offset.checked_add(size) {
            Some(end) if end <= self.view.size => {
                Self::bind(&self.view.memory, self.view.offset + offset, size)
            }
            _ => Err(MuxError::InvalidValue("sub-buffer outside its buffer")),
        }
    }

    /// The same buffer with `keepalive`, for a command: the command drops both when it no longer
    /// needs the memory.
    #[must_use]
    pub fn with_keepalive(&self, keepalive: Arc<dyn Any + Send + Sync>) -> Self {
        let View { memory, offset, size, address, host } = &*self.view;
        let memory = memory.clone().with_keepalive(keepalive);
        Self {
            view: Arc::new(View {
                memory,
                offset: *offset,
                size: *size,
                address: *address,
                host: *host,
            }),
        }
    }

    /// Size in bytes.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.view.size
    }

    /// Offset in its memory, in bytes.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.view.offset
    }

    /// The memory of the buffer.
    #[must_use]
    pub fn memory(&self) -> &Memory {
        &self.view.memory
    }

    /// Device address of the buffer in kernels.
    #[must_use]
    pub fn device_address(&self) -> u64 {
        self.view.address
    }

    /// Address of the first byte in this process, if the host can see it.
    #[must_use]
    pub fn host_ptr(&self) -> Option<*mut u8> {
        (self.view.host != 0).then(|| std::ptr::with_exposed_provenance_mut(self.view.host))
    }

    pub(crate) fn check(&self, offset: u64, size: u64) -> Result<(), MuxError> {
        match offset.checked_add(size) {
            Some(end) if end <= self.view.size => Ok(()),
            _ => Err(MuxError::InvalidValue("range outside the buffer")),
        }
    }
}
