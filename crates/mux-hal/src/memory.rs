//! Device memory behind a HAL. Invariant: the host has no mapping of it and reads and writes it
//! through calls, so flushing is a no-op.

use crate::connection::{DeviceConnection, DeviceUse, Garbage};
use muxcl_hal::{Device, HalError, check_allocation};
use muxcl_mux::MuxError;
use muxcl_mux::target::TargetMemory;
use std::any::Any;
use std::sync::Arc;

#[derive(Debug)]
pub(crate) struct HalMemory {
    device: DeviceUse,
    address: u64,
    size: u64,
}

/// Allocates device memory, and checks what the HAL returns: addresses inside an allocation are
/// computed by addition.
pub(crate) fn allocate(device: &dyn Device, size: u64, align: u64) -> Result<u64, HalError> {
    let address = device.alloc(size, align)?;
    check_allocation(address, size, align).inspect_err(|_| {
        // An error changes nothing here.
        let _ = device.free(address);
    })?;
    Ok(address)
}

impl HalMemory {
    pub(crate) fn allocate(
        connection: &Arc<DeviceConnection>,
        size: u64,
        align: u64,
    ) -> Result<Self, MuxError> {
        let device = connection.keep();
        connection.count_allocation();
        let address = connection.call(|device| allocate(device, size, align))?;
        Ok(Self { device, address, size })
    }
}

impl Drop for HalMemory {
    fn drop(&mut self) {
        self.device.connection().give_back(Garbage::Memory(self.address));
    }
}

// SAFETY: the memory has no host pointer; the host accesses it through calls only.
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
    fn read(&self, offset: u64, into: &mut [u8]) -> Result<(), MuxError> {
        self.device.connection().call(|device| device.read(self.address + offset, into))
    }
    fn write(&self, offset: u64, from: &[u8]) -> Result<(), MuxError> {
        self.device.connection().call(|device| device.write(self.address + offset, from))
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}
