//! Buffers: views on a range of memory.

use crate::{Memory, MuxError};

/// `size` bytes of a [`Memory`] from an offset. Cheap to clone; keeps the memory alive.
#[derive(Debug, Clone)]
pub struct Buffer {
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
        Ok(Self { address: memory.device_address().wrapping_add(offset), memory: memory.clone(), offset, size, host })
    }

    /// A part of this buffer.
    ///
    /// # Errors
    /// `InvalidValue` out of range or empty.
    pub fn sub_buffer(&self, offset: u64, size: u64) -> Result<Self, MuxError> {
        match offset.checked_add(size) {
            Some(end) if end <= self.size => Self::bind(&self.memory, self.offset + offset, size),
            _ => Err(MuxError::InvalidValue("sub-buffer outside its buffer")),
        }
    }

    /// Size in bytes.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Offset in its memory, in bytes.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// The memory bound.
    #[must_use]
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// What a kernel gets.
    #[must_use]
    pub fn device_address(&self) -> u64 {
        self.address
    }

    /// First byte in this process, where the host can see it.
    #[must_use]
    pub fn host_ptr(&self) -> Option<*mut u8> {
        (self.host != 0).then(|| std::ptr::with_exposed_provenance_mut(self.host))
    }

    pub(crate) fn check(&self, offset: u64, size: u64) -> Result<(), MuxError> {
        match offset.checked_add(size) {
            Some(end) if end <= self.size => Ok(()),
            _ => Err(MuxError::InvalidValue("range outside the buffer")),
        }
    }
}
