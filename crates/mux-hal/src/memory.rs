//! Device memory behind a HAL. Invariant: the host never sees it; it reads and writes through
//! calls, so there is nothing to flush.

use crate::link::{Garbage, Link};
use muxcl_mux::MuxError;
use muxcl_mux::target::TargetMemory;
use std::any::Any;
use std::sync::Arc;

#[derive(Debug)]
pub(crate) struct HalMemory {
    link: Arc<Link>,
    address: u64,
    size: u64,
}

impl HalMemory {
    pub(crate) fn allocate(link: &Arc<Link>, size: u64, align: u64) -> Result<Self, MuxError> {
        link.count_allocation();
        let address = link.call(|device| device.alloc(size, align))?;
        Ok(Self { link: Arc::clone(link), address, size })
    }
}

impl Drop for HalMemory {
    fn drop(&mut self) {
        self.link.give_back(Garbage::Memory(self.address));
    }
}

// SAFETY: the host does not see it.
unsafe impl TargetMemory for HalMemory {
    fn size(&self) -> u64 {
        self.size
    }
    fn device_address(&self) -> u64 {
        self.address
    }
    fn host_ptr(&self) -> Option<*mut u8> {
        None
    }
    fn flush_to_device(&self, _offset: u64, _size: u64) -> Result<(), MuxError> {
        Ok(())
    }
    fn flush_from_device(&self, _offset: u64, _size: u64) -> Result<(), MuxError> {
        Ok(())
    }
    fn read(&self, offset: u64, into: &mut [u8]) -> Result<(), MuxError> {
        self.link.call(|device| device.read(self.address + offset, into))
    }
    fn write(&self, offset: u64, from: &[u8]) -> Result<(), MuxError> {
        self.link.call(|device| device.write(self.address + offset, from))
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}
