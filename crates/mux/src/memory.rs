//! Device memory.

use crate::MuxError;
use crate::target::TargetMemory;
use std::any::Any;
use std::fmt;
use std::sync::Arc;

/// Bytes per step of a copy between two devices whose memory the host does not see.
const PIECE: usize = 1 << 20;

/// The preferred kind of memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AllocationType {
    /// Fast to access for the device.
    Device,
    /// Fast to access for the host (`CL_MEM_ALLOC_HOST_PTR`).
    Host,
}

/// A range of memory of one device. Freed when the last clone, and the last buffer bound to it, is
/// dropped.
#[derive(Clone)]
pub struct Memory {
    inner: Arc<dyn TargetMemory>,
    /// Another device's memory whose pages this one uses.
    owner: Option<Arc<dyn TargetMemory>>,
    /// Dropped after `inner`.
    #[expect(dead_code, reason = "kept for its drop")]
    keepalive: Option<Arc<dyn Any + Send + Sync>>,
}

impl fmt::Debug for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.fmt(f)
    }
}

impl Memory {
    pub(crate) fn new(inner: Arc<dyn TargetMemory>) -> Self {
        Self { inner, owner: None, keepalive: None }
    }

    /// Memory that belongs to no device: the API layer's own copy, for [`Self::copy_from`].
    #[must_use]
    pub fn from_target(inner: Arc<dyn TargetMemory>) -> Self {
        Self::new(inner)
    }

    /// Memory on the pages of `owner`, which it keeps alive.
    pub(crate) fn sharing(inner: Arc<dyn TargetMemory>, owner: &Self) -> Self {
        let owner = owner.owner.as_ref().unwrap_or(&owner.inner).clone();
        Self { inner, owner: Some(owner), keepalive: None }
    }

    /// Attaches `keepalive`, which is dropped only after the memory and after all commands that use
    /// it.
    #[must_use]
    pub fn with_keepalive(self, keepalive: Arc<dyn Any + Send + Sync>) -> Self {
        Self { keepalive: Some(keepalive), ..self }
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

    /// Address of the first byte for the device.
    #[must_use]
    pub fn device_address(&self) -> u64 {
        self.inner.device_address()
    }

    /// Address of the first byte in this process, if the host can see it.
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

    /// Copies the bytes from `offset` on to the host, synchronously.
    ///
    /// # Errors
    /// `InvalidValue` out of range, or the device's failure.
    pub fn read(&self, offset: u64, into: &mut [u8]) -> Result<(), MuxError> {
        self.check(offset, into.len() as u64)?;
        self.inner.read(offset, into)
    }

    /// Copies bytes from the host to `offset`, synchronously.
    ///
    /// # Errors
    /// `InvalidValue` out of range, or the device's failure.
    pub fn write(&self, offset: u64, from: &[u8]) -> Result<(), MuxError> {
        self.check(offset, from.len() as u64)?;
        self.inner.write(offset, from)
    }

    /// Copies `size` bytes from `other`, another device's memory, to `offset`, synchronously. The
    /// copy goes through the host unless it can see one of the memories.
    ///
    /// # Errors
    /// `InvalidValue` out of range, or the failure of one of the devices.
    pub fn copy_from(
        &self,
        offset: u64,
        other: &Self,
        from: u64,
        size: u64,
    ) -> Result<(), MuxError> {
        self.check(offset, size)?;
        other.check(from, size)?;
        let bytes = usize::try_from(size)
            .map_err(|_| MuxError::InvalidValue("range outside the memory"))?;
        if let Some(base) = self.host_ptr() {
            let to = base.wrapping_add(usize::try_from(offset).unwrap_or(usize::MAX));
            // SAFETY: the range was checked; the API layer orders commands so that no other code
            // accesses memory that is being moved.
            return other.inner.read(from, unsafe { std::slice::from_raw_parts_mut(to, bytes) });
        }
        if let Some(base) = other.host_ptr() {
            let from = base.wrapping_add(usize::try_from(from).unwrap_or(usize::MAX)).cast_const();
            // SAFETY: as above.
            return self.inner.write(offset, unsafe { std::slice::from_raw_parts(from, bytes) });
        }
        let mut piece = vec![0; bytes.min(PIECE)];
        let mut done = 0;
        while done < bytes {
            let n = (bytes - done).min(PIECE);
            other.inner.read(from + done as u64, &mut piece[..n])?;
            self.inner.write(offset + done as u64, &piece[..n])?;
            done += n;
        }
        Ok(())
    }

    fn check(&self, offset: u64, size: u64) -> Result<(), MuxError> {
        match offset.checked_add(size) {
            Some(end) if end <= self.size() => Ok(()),
            _ => Err(MuxError::InvalidValue("range outside the memory")),
        }
    }
}
