//! Device memory.

use crate::MuxError;
use crate::target::TargetMemory;
use std::any::Any;
use std::fmt;
use std::sync::Arc;

/// Where memory is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AllocationType {
    /// Fast for the device.
    Device,
    /// Fast for the host (`CL_MEM_ALLOC_HOST_PTR`).
    Host,
}

/// A range of memory of one device. Freed when the last clone, and the last buffer bound to it, is dropped.
#[derive(Clone)]
pub struct Memory {
    inner: Arc<dyn TargetMemory>,
    /// Another device's memory whose pages this one uses.
    owner: Option<Arc<dyn TargetMemory>>,
    /// Dropped after `inner`.
    #[expect(dead_code, reason = "held for what its drop does")]
    companion: Option<Arc<dyn Any + Send + Sync>>,
}

impl fmt::Debug for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.fmt(f)
    }
}

impl Memory {
    pub(crate) fn new(inner: Arc<dyn TargetMemory>) -> Self {
        Self { inner, owner: None, companion: None }
    }

    /// Memory on the pages of `owner`, which it keeps.
    pub(crate) fn sharing(inner: Arc<dyn TargetMemory>, owner: &Self) -> Self {
        let owner = owner.owner.as_ref().unwrap_or(&owner.inner).clone();
        Self { inner, owner: Some(owner), companion: None }
    }

    /// The same memory, with something that is dropped only when the memory is free: commands that use the memory keep it too.
    #[must_use]
    pub fn with_companion(self, companion: Arc<dyn Any + Send + Sync>) -> Self {
        Self { companion: Some(companion), ..self }
    }

    /// The target's object.
    #[must_use]
    pub fn target(&self) -> &Arc<dyn TargetMemory> {
        &self.inner
    }

    /// Size in bytes.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.inner.size()
    }

    /// Address of its first byte as the device sees it.
    #[must_use]
    pub fn device_address(&self) -> u64 {
        self.inner.device_address()
    }

    /// Address of its first byte in this process, if the host can see it.
    #[must_use]
    pub fn host_ptr(&self) -> Option<*mut u8> {
        self.inner.host_ptr()
    }

    /// Makes host writes to `[offset, offset + size)` visible to the device.
    ///
    /// # Errors
    /// `InvalidValue` out of range, or the device's failure.
    pub fn flush_to_device(&self, offset: u64, size: u64) -> Result<(), MuxError> {
        self.check(offset, size)?;
        self.inner.flush_to_device(offset, size)
    }

    /// Makes device writes to `[offset, offset + size)` visible to the host.
    ///
    /// # Errors
    /// `InvalidValue` out of range, or the device's failure.
    pub fn flush_from_device(&self, offset: u64, size: u64) -> Result<(), MuxError> {
        self.check(offset, size)?;
        self.inner.flush_from_device(offset, size)
    }

    fn check(&self, offset: u64, size: u64) -> Result<(), MuxError> {
        match offset.checked_add(size) {
            Some(end) if end <= self.size() => Ok(()),
            _ => Err(MuxError::InvalidValue("range outside the memory")),
        }
    }
}
