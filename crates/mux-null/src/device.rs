//! The null device, its executables and kernels.

use crate::memory::NullMemory;
use crate::queue::NullQueue;
use muxcl_mux::target::{
    TargetDevice, TargetDeviceQueue, TargetExecutable, TargetKernel, TargetMemory, TargetQueue,
};
use muxcl_mux::{
    AffinityDomain, AllocationType, AtomicCaps, Device, DeviceInfo, DeviceQueueLimits, DeviceType,
    FloatCaps, LocalMemoryType, MuxError,
};
use muxcl_types::device::DeviceDesc;
use muxcl_types::variant::{ElfMeta, Variant};
use std::any::Any;
use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// Limits of the device-side queues, in which nothing is enqueued.
const DEVICE_QUEUES: DeviceQueueLimits = DeviceQueueLimits {
    preferred_size: 16 << 10,
    max_size: 256 << 10,
    max_queues: 4,
    max_events: 1024,
};

/// A device-side queue that always stays empty.
#[derive(Debug)]
struct NullDeviceQueue(u64);

impl TargetDeviceQueue for NullDeviceQueue {
    fn handle(&self) -> u64 {
        self.0
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// The null device.
#[derive(Debug)]
pub struct NullDevice {
    info: DeviceInfo,
    epoch: Instant,
    queue: Arc<NullQueue>,
    /// Address of the next allocation of a device with its own address space.
    next: Option<AtomicU64>,
}

impl NullDevice {
    /// Creates a device with all features.
    #[must_use]
    pub fn create() -> Device {
        Self::with(info())
    }

    /// Creates a device without optional features. Its kernels do not use the process's addresses,
    /// so it has no shared virtual memory, and it has no sub-devices, pipes, images, sub-groups or
    /// device-side queues.
    #[must_use]
    pub fn without_svm() -> Device {
        let mut info = info();
        info.desc.images = false;
        info.desc.extensions.clear();
        info.desc.c_features.clear();
        Self::with(DeviceInfo {
            system_svm: false,
            partitionable: false,
            pipes: false,
            images: false,
            device_queues: None,
            ..info
        })
    }

    /// Creates a device whose memory the host does not see, with a larger buffer alignment.
    #[must_use]
    pub fn apart() -> Device {
        let info = info();
        let buffer_alignment = 2 * info.buffer_alignment;
        Self::with(DeviceInfo {
            address_bits: 32,
            host_unified_memory: false,
            can_import_host: false,
            system_svm: false,
            buffer_alignment,
            ..info
        })
    }

    /// Creates a device with its own memory at addresses from `first` on, where the process may map
    /// pages. Each address is allocated once.
    #[must_use]
    pub fn coarse(first: u64) -> Device {
        let info = DeviceInfo {
            host_unified_memory: false,
            can_import_host: false,
            system_svm: false,
            coarse_svm: true,
            ..info()
        };
        Self::at(info, Some(AtomicU64::new(first)))
    }

    fn with(info: DeviceInfo) -> Device {
        Self::at(info, None)
    }

    fn at(mut info: DeviceInfo, next: Option<AtomicU64>) -> Device {
        let epoch = Instant::now();
        if !info.system_svm && !info.coarse_svm {
            info.desc.extensions.retain(|e| e != "cl_intel_unified_shared_memory");
        }
        Device::new(Arc::new(Self { info, epoch, queue: Arc::new(NullQueue::new(epoch)), next }))
    }
}

thread_local! {
    /// Error with which this thread's requests for memory or sub-devices fail.
    static FAULT: RefCell<Option<MuxError>> = const { RefCell::new(None) };
}

/// Makes this thread's later requests to null devices (memory, imports, sub-devices) fail with this
/// error. `None`: requests succeed again.
pub fn fail(with: Option<MuxError>) {
    FAULT.set(with);
}

fn fault() -> Result<(), MuxError> {
    FAULT.with_borrow(|fault| fault.clone().map_or(Ok(()), Err))
}

fn info() -> DeviceInfo {
    let float = FloatCaps {
        denorm: true,
        inf_nan: true,
        round_nearest: true,
        round_zero: true,
        round_inf: true,
        fma: true,
        ..FloatCaps::default()
    };
    DeviceInfo {
        name: "null".into(),
        vendor: "muxcl".into(),
        device_type: DeviceType::Accelerator,
        desc: DeviceDesc {
            id: "null".into(),
            cpu: String::new(),
            features: String::new(),
            address_bits: 64,
            extensions: [
                "cl_ext_buffer_device_address",
                "cl_intel_unified_shared_memory",
                "cl_khr_il_program",
                "cl_khr_spirv_queries",
                "cl_khr_terminate_context",
            ]
            .map(str::to_owned)
            .into(),
            c_features: vec!["__opencl_c_subgroups".to_owned()],
            images: true,
            max_work_group_size: 1024,
            local_mem_bytes: 64 << 10,
            requirements: muxcl_types::device::ContextRequirements::default(),
            vecz: muxcl_types::device::Vecz::Off,
            hal: None,
        },
        address_bits: 64,
        little_endian: true,
        half: FloatCaps::default(),
        single: float,
        double: float,
        atomics: AtomicCaps { int32: true, int64: true },
        compute_units: 4,
        partitionable: true,
        clock_mhz: 1,
        max_work_group_size: 1024,
        max_work_item_sizes: [1024; 3],
        global_memory: 1 << 30,
        max_allocation: 1 << 30,
        cache_size: 0,
        cache_line: 64,
        local_memory: 64 << 10,
        local_memory_type: LocalMemoryType::Virtual,
        buffer_alignment: 128,
        vector_bytes: 16,
        host_unified_memory: true,
        can_import_host: true,
        system_svm: true,
        coarse_svm: false,
        pipes: true,
        device_queues: Some(DEVICE_QUEUES),
        images: true,
        generic_address_space: true,
        work_group_collectives: true,
        non_uniform_groups: true,
        max_global_variable: 64 << 10,
        timer_resolution_ns: 1,
        max_parameter_bytes: 4096,
    }
}

impl TargetDevice for NullDevice {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }
    fn timestamp(&self) -> u64 {
        crate::queue::nanoseconds(self.epoch)
    }
    fn allocate(
        &self,
        size: u64,
        align: u64,
        _: AllocationType,
    ) -> Result<Arc<dyn TargetMemory>, MuxError> {
        if size > self.info.max_allocation {
            return Err(MuxError::OutOfMemory);
        }
        fault()?;
        let memory = NullMemory::allocate(size, align)?;
        let Some(next) = &self.next else { return Ok(Arc::new(memory)) };
        let after = |at: u64| at.next_multiple_of(align).checked_add(size);
        let at = next
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, after)
            .map_err(|_| MuxError::OutOfMemory)?;
        Ok(Arc::new(memory.with_address(at.next_multiple_of(align))))
    }
    unsafe fn import_host(
        &self,
        ptr: *mut u8,
        size: u64,
    ) -> Result<Arc<dyn TargetMemory>, MuxError> {
        fault()?;
        Ok(Arc::new(NullMemory::import(ptr, size)))
    }
    fn load(
        &self,
        elf: &[u8],
        _: &[Arc<dyn TargetExecutable>],
    ) -> Result<Arc<dyn TargetExecutable>, MuxError> {
        let meta = ElfMeta::from_note(elf)
            .ok_or_else(|| MuxError::InvalidBinary("no muxcl note".into()))?;
        let kernels = meta.variants.iter().map(|_| Arc::new(NullKernel::default())).collect();
        Ok(Arc::new(NullExecutable { variants: meta.variants, kernels }))
    }
    fn sub_device(&self, units: &[u32]) -> Result<Arc<dyn TargetDevice>, MuxError> {
        fault()?;
        let compute_units = u32::try_from(units.len()).unwrap_or(1);
        let (info, epoch) = (DeviceInfo { compute_units, ..self.info.clone() }, self.epoch);
        Ok(Arc::new(Self { info, epoch, queue: Arc::new(NullQueue::new(epoch)), next: None }))
    }
    fn affinity(&self, domain: AffinityDomain) -> Vec<Vec<u32>> {
        // Models two units per level-2 cache and one unit per level-1 cache.
        let units: Vec<u32> = (0..self.info.compute_units).collect();
        match domain {
            AffinityDomain::L2 => units.chunks(2).map(<[u32]>::to_vec).collect(),
            AffinityDomain::L1 => units.chunks(1).map(<[u32]>::to_vec).collect(),
            _ => Vec::new(),
        }
    }
    fn device_queue(&self, _size: u32) -> Result<Arc<dyn TargetDeviceQueue>, MuxError> {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Ok(Arc::new(NullDeviceQueue(NEXT.fetch_add(1, Ordering::Relaxed))))
    }

    fn queue(&self) -> Arc<dyn TargetQueue> {
        self.queue.clone()
    }
}

#[derive(Debug)]
struct NullExecutable {
    variants: Vec<Variant>,
    kernels: Vec<Arc<NullKernel>>,
}

impl TargetExecutable for NullExecutable {
    fn variants(&self) -> &[Variant] {
        &self.variants
    }
    fn kernel(&self, index: usize) -> Result<Arc<dyn TargetKernel>, MuxError> {
        match self.kernels.get(index) {
            Some(k) => Ok(k.clone()),
            None => Err(MuxError::MissingKernel(index.to_string())),
        }
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// A kernel that counts the work-items it would have run.
#[derive(Debug, Default)]
pub struct NullKernel {
    items: AtomicU64,
}

impl NullKernel {
    pub(crate) fn launch(&self, global_size: [u64; 3]) {
        self.items.fetch_add(global_size.iter().product(), Ordering::Relaxed);
    }

    /// Total number of work-items of all launches.
    #[must_use]
    pub fn items(&self) -> u64 {
        self.items.load(Ordering::Relaxed)
    }
}

impl TargetKernel for NullKernel {
    fn as_any(&self) -> &dyn Any {
        self
    }
}
