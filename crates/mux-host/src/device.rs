//! The host device.

use crate::executable::HostExecutable;
use crate::info;
use crate::memory::HostMemory;
use crate::queue::HostQueue;
use muxcl_mux::target::{TargetDevice, TargetExecutable, TargetMemory, TargetQueue};
use muxcl_mux::{AllocationType, Device, DeviceInfo, MuxError};
use std::sync::Arc;

/// See the crate.
#[derive(Debug)]
pub struct HostDevice {
    info: DeviceInfo,
    queue: Arc<HostQueue>,
}

impl HostDevice {
    /// The device, ready to use. Starts no thread: the pool grows when there is work for it.
    #[must_use]
    pub fn create() -> Device {
        Device::new(Arc::new(Self { info: info::read(), queue: Arc::new(HostQueue) }))
    }
}

impl TargetDevice for HostDevice {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }

    fn timestamp(&self) -> u64 {
        muxcl_os::now_ns()
    }

    fn allocate(&self, size: u64, align: u64, _kind: AllocationType) -> Result<Arc<dyn TargetMemory>, MuxError> {
        if size > self.info.max_allocation {
            return Err(MuxError::OutOfMemory);
        }
        Ok(Arc::new(HostMemory::allocate(size, align)?))
    }

    unsafe fn import_host(&self, ptr: *mut u8, size: u64) -> Result<Arc<dyn TargetMemory>, MuxError> {
        Ok(Arc::new(HostMemory::import(ptr, size)))
    }

    fn load(&self, elf: &[u8], imports: &[Arc<dyn TargetExecutable>]) -> Result<Arc<dyn TargetExecutable>, MuxError> {
        Ok(Arc::new(HostExecutable::load(elf, imports)?))
    }

    fn queue(&self) -> Arc<dyn TargetQueue> {
        self.queue.clone()
    }
}
