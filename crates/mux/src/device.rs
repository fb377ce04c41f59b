//! Devices and their descriptions.

use crate::target::{TargetDevice, TargetQueue};
use crate::{
    AllocationType, Buffer, CommandBuffer, DeviceQueue, DeviceQueueLimits, Executable, Memory,
    MuxError, QueryPool, Queue,
};
use muxcl_types::device::DeviceDesc;
use std::sync::Arc;

/// Kind of device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeviceType {
    /// The host CPU.
    Cpu,
    /// A GPU.
    Gpu,
    /// Anything else programmable.
    Accelerator,
}

/// Where work-group local memory lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LocalMemoryType {
    /// Carved from global memory (`CL_GLOBAL`).
    Virtual,
    /// Its own fast memory (`CL_LOCAL`).
    Physical,
}

/// Floating-point abilities of one width. All false: the width is not supported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "one independent ability each, as the API reports them"
)]
pub struct FloatCaps {
    /// Denormals.
    pub denorm: bool,
    /// Infinities and NaNs.
    pub inf_nan: bool,
    /// Round to nearest even.
    pub round_nearest: bool,
    /// Round to zero.
    pub round_zero: bool,
    /// Round to infinities.
    pub round_inf: bool,
    /// Fused multiply-add.
    pub fma: bool,
    /// Correctly rounded division and square root.
    pub correct_div_sqrt: bool,
    /// Implemented in software.
    pub soft: bool,
}

impl FloatCaps {
    /// True if the width is supported at all.
    #[must_use]
    pub fn supported(self) -> bool {
        self.round_nearest || self.round_zero
    }
}

/// Widths of atomic operations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AtomicCaps {
    /// 32-bit integers.
    pub int32: bool,
    /// 64-bit integers.
    pub int64: bool,
}

/// A resource that compute units of a device share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AffinityDomain {
    /// Memory near to them.
    Numa,
    /// A cache of level 4.
    L4,
    /// A cache of level 3.
    L3,
    /// A cache of level 2.
    L2,
    /// A cache of level 1.
    L1,
}

/// Facts of a device; fixed for its lifetime. Sizes in bytes.
#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "a flat table of device facts")]
pub struct DeviceInfo {
    /// Name shown to users.
    pub name: String,
    /// Vendor shown to users.
    pub vendor: String,
    /// Kind.
    pub device_type: DeviceType,
    /// The compiler's description of the device; also the identity of its program binaries.
    pub desc: DeviceDesc,
    /// Pointers in kernels, in bits.
    pub address_bits: u32,
    /// True if little endian.
    pub little_endian: bool,
    /// Half precision.
    pub half: FloatCaps,
    /// Single precision.
    pub single: FloatCaps,
    /// Double precision.
    pub double: FloatCaps,
    /// Atomics.
    pub atomics: AtomicCaps,
    /// Number of compute units (hardware threads on a CPU).
    pub compute_units: u32,
    /// `Device::sub_device` works.
    pub partitionable: bool,
    /// Clock in MHz, 0 if unknown.
    pub clock_mhz: u32,
    /// Most work-items in a group.
    pub max_work_group_size: u64,
    /// Most work-items in each dimension of a group.
    pub max_work_item_sizes: [u64; 3],
    /// Global memory.
    pub global_memory: u64,
    /// Largest single allocation.
    pub max_allocation: u64,
    /// Global memory cache.
    pub cache_size: u64,
    /// Cache line.
    pub cache_line: u32,
    /// Local memory of a group.
    pub local_memory: u64,
    /// Where local memory lives.
    pub local_memory_type: LocalMemoryType,
    /// Alignment of buffers.
    pub buffer_alignment: u64,
    /// Bytes of the preferred and native vector.
    pub vector_bytes: u32,
    /// Memory is shared with the host: buffers have host pointers and imported host memory is used
    /// in place.
    pub host_unified_memory: bool,
    /// `Device::import_host_memory` works.
    pub can_import_host: bool,
    /// Kernels use the process's own addresses, any of them, with atomics the host sees
    /// (`CL_DEVICE_SVM_FINE_GRAIN_SYSTEM`).
    pub system_svm: bool,
    /// Its memory lies where a process may have pages of its own, so that an allocation can have
    /// one address for both, and it has addresses as wide as the process's
    /// (`CL_DEVICE_SVM_COARSE_GRAIN_BUFFER`).
    pub coarse_svm: bool,
    /// Pipes.
    pub pipes: bool,
    /// Kernels enqueue kernels, into queues on the device; `None` if they cannot.
    pub device_queues: Option<DeviceQueueLimits>,
    /// Images.
    pub images: bool,
    /// Generic address space.
    pub generic_address_space: bool,
    /// Work-group collective functions.
    pub work_group_collectives: bool,
    /// Groups at the end of a dimension may be partial.
    pub non_uniform_groups: bool,
    /// Largest program-scope variable, 0 for none.
    pub max_global_variable: u64,
    /// Nanoseconds per tick of `Device::timestamp`.
    pub timer_resolution_ns: u64,
    /// Largest packed arguments.
    pub max_parameter_bytes: u64,
}

/// A compute device. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Device {
    inner: Arc<dyn TargetDevice>,
    queue: Queue,
}

impl Device {
    /// Wraps a target's device.
    #[must_use]
    pub fn new(inner: Arc<dyn TargetDevice>) -> Self {
        let target: Arc<dyn TargetQueue> = inner.queue();
        Self { queue: Queue::new(target), inner }
    }

    /// Facts.
    #[must_use]
    pub fn info(&self) -> &DeviceInfo {
        self.inner.info()
    }

    /// Keeps the device in use while the result lives: without it, a device with no object left may
    /// be given back to its vendor's library and taken anew at the next use.
    #[must_use]
    pub fn keep_in_use(&self) -> Option<Box<dyn std::any::Any + Send + Sync>> {
        self.inner.keep_in_use()
    }

    /// Its queue. Every queue object has the same target behind it; call sites that want their own
    /// count of work in flight use [`Queue::sibling`].
    #[must_use]
    pub fn queue(&self) -> &Queue {
        &self.queue
    }

    /// Monotonic time in ns, on the clock that query results use.
    #[must_use]
    pub fn timestamp(&self) -> u64 {
        self.inner.timestamp()
    }

    /// Allocates device memory of `size` bytes, aligned to `align` (a power of two; 0: the device's
    /// default).
    ///
    /// # Errors
    /// `InvalidValue` for size 0 or a bad alignment, `OutOfMemory`.
    pub fn allocate(
        &self,
        size: u64,
        align: u64,
        kind: AllocationType,
    ) -> Result<Memory, MuxError> {
        if size == 0 {
            return Err(MuxError::InvalidValue("allocation of no bytes"));
        }
        if align != 0 && !align.is_power_of_two() {
            return Err(MuxError::InvalidValue("alignment is not a power of two"));
        }
        let align = if align == 0 { self.info().buffer_alignment } else { align };
        Ok(Memory::new(self.inner.allocate(size, align, kind)?))
    }

    /// Uses `size` bytes of host memory at `ptr` in place.
    ///
    /// # Errors
    /// `FeatureUnsupported` where the device cannot; `InvalidValue` for NULL or no bytes.
    ///
    /// # Safety
    /// The range stays valid for reads and writes until the last clone of the memory and of buffers
    /// on it is dropped.
    pub unsafe fn import_host_memory(&self, ptr: *mut u8, size: u64) -> Result<Memory, MuxError> {
        if ptr.is_null() || size == 0 {
            return Err(MuxError::InvalidValue("import of no memory"));
        }
        // SAFETY: the caller promises the range, as this function's contract says.
        let inner = unsafe { self.inner.import_host(ptr, size) }?;
        Ok(Memory::new(inner))
    }

    /// Uses the pages of another device's memory in place, and keeps that memory as long as this
    /// one lives.
    ///
    /// # Errors
    /// `FeatureUnsupported` where this device cannot, or the host does not see the other's memory.
    pub fn share_memory(&self, other: &Memory) -> Result<Memory, MuxError> {
        let ptr =
            other.host_ptr().ok_or(MuxError::FeatureUnsupported("memory the host does not see"))?;
        // SAFETY: `other` has that many bytes there, and the result holds on to it.
        let inner = unsafe { self.inner.import_host(ptr, other.size()) }?;
        Ok(Memory::sharing(inner, other))
    }

    /// A sub-device: work dispatched to it runs on these compute units only.
    ///
    /// # Errors
    /// `FeatureUnsupported` where the device cannot; `InvalidValue` for no units, and for units
    /// that do not exist or are named twice.
    pub fn sub_device(&self, units: &[u32]) -> Result<Self, MuxError> {
        let known = |(i, unit): (usize, &u32)| {
            *unit < self.info().compute_units && !units[..i].contains(unit)
        };
        if units.is_empty() || !units.iter().enumerate().all(known) {
            return Err(MuxError::InvalidValue("compute units of a sub-device"));
        }
        Ok(Self::new(self.inner.sub_device(units)?))
    }

    /// Its compute units in groups that share `domain`; empty where there is no such thing.
    #[must_use]
    pub fn affinity(&self, domain: AffinityDomain) -> Vec<Vec<u32>> {
        self.inner.affinity(domain)
    }

    /// A buffer of `size` bytes bound to `memory` at `offset`.
    ///
    /// # Errors
    /// `InvalidValue` if the range is not inside the memory.
    pub fn create_buffer(
        &self,
        memory: &Memory,
        offset: u64,
        size: u64,
    ) -> Result<Buffer, MuxError> {
        Buffer::bind(memory, offset, size)
    }

    /// A queue of `size` bytes into which kernels of this device enqueue kernels.
    ///
    /// # Errors
    /// `FeatureUnsupported` where the device has none; `InvalidValue` for a size of 0 or beyond the
    /// limit; `OutOfMemory`.
    pub fn create_device_queue(&self, size: u32) -> Result<DeviceQueue, MuxError> {
        let limits = self
            .info()
            .device_queues
            .ok_or(MuxError::FeatureUnsupported("queues on the device"))?;
        if size == 0 || size > limits.max_size {
            return Err(MuxError::InvalidValue("size of a queue on the device"));
        }
        Ok(DeviceQueue::new(self.inner.device_queue(size)?))
    }

    /// Loads an ELF object. `globals` are executables whose symbols it may refer to (program-scope
    /// variables).
    ///
    /// # Errors
    /// `InvalidBinary` with the reason.
    pub fn create_executable(
        &self,
        elf: &[u8],
        globals: &[Executable],
    ) -> Result<Executable, MuxError> {
        let imports: Vec<_> = globals.iter().map(|e| e.target().clone()).collect();
        Ok(Executable::new(self.inner.load(elf, &imports)?))
    }

    /// An empty command buffer in the recording state.
    #[must_use]
    pub fn create_command_buffer(&self) -> CommandBuffer {
        CommandBuffer::new(self.info().local_memory)
    }

    /// A pool of `count` duration queries.
    #[must_use]
    pub fn create_query_pool(&self, count: usize) -> QueryPool {
        QueryPool::new(count)
    }
}
