//! The host device, and its sub-devices.

use crate::enqueue::queue::DeviceQueue;
use crate::executable::HostExecutable;
use crate::info;
use crate::memory::HostMemory;
use crate::pools::{Pools, ROOT, SUB_DEVICE_IDLE};
use crate::queue::HostQueue;
use muxcl_mux::target::{
    TargetDevice, TargetDeviceQueue, TargetExecutable, TargetMemory, TargetQueue,
};
use muxcl_mux::{AffinityDomain, AllocationType, Device, DeviceInfo, MuxError, profile};
use muxcl_os::CpuDomain;
use std::sync::Arc;
use std::time::Duration;

/// The host CPU as a Mux device.
#[derive(Debug)]
pub struct HostDevice {
    info: DeviceInfo,
    /// The CPU of each compute unit.
    cpus: Vec<u32>,
    /// Time after which an idle thread of a sub-device ends.
    idle: Duration,
    queue: Arc<HostQueue>,
}

impl HostDevice {
    /// Creates the device. Starts no thread: the pool grows when it gets work.
    #[must_use]
    pub fn create() -> Device {
        Self::with_idle_time(SUB_DEVICE_IDLE)
    }

    /// [`Self::create`] with another time after which idle threads of sub-devices end.
    #[must_use]
    pub fn with_idle_time(idle: Duration) -> Device {
        let info = info::read();
        // If there are more threads than CPUs, several compute units share a CPU.
        let all = muxcl_os::cpu_set();
        let cpus = all.iter().copied().cycle().take(info.compute_units as usize).collect();
        Self::with_pools(info, cpus, idle, &ROOT)
    }

    pub(crate) fn with_pools(
        info: DeviceInfo,
        cpus: Vec<u32>,
        idle: Duration,
        pools: &'static Pools,
    ) -> Device {
        let queue = Arc::new(HostQueue { pools });
        if let Some(profile) = profile::active() {
            // Before the application's first kernel, the machine is more likely to be idle.
            profile.set_peak(queue.device_name(), || {
                let muxcl_peak::Peak { single, double, bytes } = muxcl_peak::measure(cpus.len());
                profile::Peak { single, double, bytes }
            });
        }
        Device::new(Arc::new(Self { info, cpus, idle, queue }))
    }
}

impl TargetDevice for HostDevice {
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
        Ok(Arc::new(HostMemory::allocate(size, align)?))
    }

    unsafe fn import_host(
        &self,
        ptr: *mut u8,
        size: u64,
    ) -> Result<Arc<dyn TargetMemory>, MuxError> {
        Ok(Arc::new(HostMemory::import(ptr, size)))
    }

    fn sub_device(&self, units: &[u32]) -> Result<Arc<dyn TargetDevice>, MuxError> {
        let cpus: Option<Vec<u32>> =
            units.iter().map(|&u| self.cpus.get(u as usize).copied()).collect();
        let cpus = cpus
            .ok_or(MuxError::FeatureUnsupported("parts by CPUs that the system does not name"))?;
        let compute_units = u32::try_from(cpus.len()).unwrap_or(1);
        let queue = Arc::new(HostQueue { pools: Pools::of_sub_device(&cpus, self.idle) });
        let info = DeviceInfo { compute_units, ..self.info.clone() };
        Ok(Arc::new(Self { info, cpus, idle: self.idle, queue }))
    }

    fn affinity(&self, domain: AffinityDomain) -> Vec<Vec<u32>> {
        let domain = match domain {
            AffinityDomain::Numa => CpuDomain::Numa,
            AffinityDomain::L4 => CpuDomain::Cache(4),
            AffinityDomain::L3 => CpuDomain::Cache(3),
            AffinityDomain::L2 => CpuDomain::Cache(2),
            AffinityDomain::L1 => CpuDomain::Cache(1),
        };
        let mut each = self.cpus.clone();
        each.sort_unstable();
        each.dedup();
        let units = |cpus: &Vec<u32>| {
            (0..)
                .zip(&self.cpus)
                .filter(|(_, cpu)| cpus.contains(cpu))
                .map(|(unit, _)| unit)
                .collect::<Vec<u32>>()
        };
        muxcl_os::cpu_groups(domain, &each).iter().map(units).collect()
    }

    fn device_queue(&self, size: u32) -> Result<Arc<dyn TargetDeviceQueue>, MuxError> {
        Ok(DeviceQueue::create(size)?)
    }

    fn load(
        &self,
        elf: &[u8],
        imports: &[Arc<dyn TargetExecutable>],
    ) -> Result<Arc<dyn TargetExecutable>, MuxError> {
        Ok(Arc::new(HostExecutable::load(elf, imports)?))
    }

    fn queue(&self) -> Arc<dyn TargetQueue> {
        self.queue.clone()
    }
}
