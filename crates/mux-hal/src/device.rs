//! The Mux device.

use crate::connection::{DeviceConnection, Statistics, mux_error};
use crate::enqueue::Enqueues;
use crate::enqueue::queues::HalDeviceQueue;
use crate::executable::HalExecutable;
use crate::execute::LaunchLimits;
use crate::memory::HalMemory;
use crate::queue::HalQueue;
use crate::{info, machine};
use muxcl_hal::Hal;
use muxcl_mux::target::{
    TargetDevice, TargetDeviceQueue, TargetExecutable, TargetMemory, TargetQueue,
};
use muxcl_mux::{AllocationType, Device, DeviceInfo, MuxError};
use std::any::Any;
use std::sync::Arc;

/// A HAL device as a Mux target. Clones are cheap and give access to its statistics.
#[derive(Debug, Clone)]
pub struct HalDevice {
    info: Arc<DeviceInfo>,
    connection: Arc<DeviceConnection>,
    enqueues: Arc<Enqueues>,
    queue: Arc<HalQueue>,
}

/// `name`, with the lowest number from 2 that makes it unused.
fn unused(name: String, used: impl Fn(&str) -> bool) -> String {
    if !used(&name) {
        return name;
    }
    let mut numbered = (2_u64..).map(|n| format!("{name} #{n}"));
    numbered.find(|name| !used(name)).unwrap_or_default()
}

impl HalDevice {
    /// Describes device `index` of a HAL without creating it.
    ///
    /// # Errors
    /// `DeviceFault` if the HAL cannot describe the device or gives an invalid description.
    pub fn new(hal: &Arc<dyn Hal>, index: u32) -> Result<Self, MuxError> {
        Self::beside(hal, index, &[])
    }

    /// As [`Self::new`], with a name that none of `others` has. Logs, profiles and users tell
    /// devices apart by their names.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn beside(hal: &Arc<dyn Hal>, index: u32, others: &[Device]) -> Result<Self, MuxError> {
        let described = hal.device_info(index).map_err(mux_error)?;
        machine::check(&**hal, index, &described)?;
        let mut info = info::translate(hal.name(), &described)?;
        info.name = unused(info.name, |name| others.iter().any(|d| d.info().name == name));
        let connection = DeviceConnection::new(
            Arc::clone(hal),
            index,
            info.name.clone(),
            described.counters,
            &described.properties,
        );
        let connection = Arc::new(connection);
        let enqueues = Arc::new(Enqueues::new());
        let limits = LaunchLimits {
            local_memory: info.local_memory,
            address_bits: info.address_bits,
            max_work_group: info.max_work_group_size,
            vector_bytes: info.vector_bytes,
        };
        let queue = Arc::new(HalQueue::new(Arc::clone(&connection), Arc::clone(&enqueues), limits));
        Ok(Self { info: Arc::new(info), connection, enqueues, queue })
    }

    /// The Mux device.
    #[must_use]
    pub fn device(&self) -> Device {
        Device::new(Arc::new(self.clone()))
    }

    /// Counts of the calls that the HAL device has received so far.
    #[must_use]
    pub fn statistics(&self) -> Statistics {
        self.connection.statistics()
    }
}

impl TargetDevice for HalDevice {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }

    fn timestamp(&self) -> u64 {
        muxcl_os::now_ns()
    }

    fn allocate(
        &self,
        size: u64,
        align: u64,
        _kind: AllocationType,
    ) -> Result<Arc<dyn TargetMemory>, MuxError> {
        if size > self.info.max_allocation {
            return Err(MuxError::OutOfMemory);
        }
        Ok(Arc::new(HalMemory::allocate(&self.connection, size, align)?))
    }

    fn device_queue(&self, size: u32) -> Result<Arc<dyn TargetDeviceQueue>, MuxError> {
        Ok(Arc::new(HalDeviceQueue::create(
            size,
            &self.enqueues.queues,
            &self.queue,
            self.connection.keep(),
        )?))
    }

    fn load(
        &self,
        elf: &[u8],
        _imports: &[Arc<dyn TargetExecutable>],
    ) -> Result<Arc<dyn TargetExecutable>, MuxError> {
        Ok(Arc::new(HalExecutable::load(&self.connection, elf)?))
    }

    fn keep_in_use(&self) -> Option<Box<dyn Any + Send + Sync>> {
        Some(Box::new(self.connection.keep()))
    }

    fn queue(&self) -> Arc<dyn TargetQueue> {
        self.queue.clone()
    }
}
