//! Devices and their descriptions.

use crate::target::{TargetDevice, TargetQueue};
use crate::{
    AllocationType, Buffer, CommandBuffer, DeviceQueue, DeviceQueueLimits, Executable, Memory,
    MuxError, QueryPool, Queue,
};
use muxcl_types::device::DeviceDesc;
use std::sync::Arc;

/// Kind of device (`CL_DEVICE_TYPE`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeviceType {
    /// The host CPU.
    Cpu,
    /// A GPU.
    Gpu,
    /// Another programmable device.
    Accelerator,
}

/// The kind of local memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LocalMemoryType {
    /// Part of global memory (`CL_GLOBAL`).
    Virtual,
    /// A dedicated memory (`CL_LOCAL`).
    Physical,
}

/// Floating-point capabilities of one width (`CL_DEVICE_SINGLE_FP_CONFIG` and its relatives). All
/// false means that the width is not supported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "one independent ability each, as the API reports them"
)]
pub struct FloatCaps {
    /// Denormals are not flushed to zero (`CL_FP_DENORM`).
    pub denorm: bool,
    /// Infinities and quiet NaNs (`CL_FP_INF_NAN`).
    pub inf_nan: bool,
    /// Rounding to nearest even (`CL_FP_ROUND_TO_NEAREST`).
    pub round_nearest: bool,
    /// Rounding to zero (`CL_FP_ROUND_TO_ZERO`).
    pub round_zero: bool,
    /// Rounding to both infinities (`CL_FP_ROUND_TO_INF`).
    pub round_inf: bool,
    /// Fused multiply-add (`CL_FP_FMA`).
    pub fma: bool,
    /// Correctly rounded division and square root (`CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT`).
    pub correct_div_sqrt: bool,
    /// Implemented in software (`CL_FP_SOFT_FLOAT`).
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

/// A resource that several compute units of a device share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AffinityDomain {
    /// Memory of one NUMA node.
    Numa,
    /// A level-4 cache.
    L4,
    /// A level-3 cache.
    L3,
    /// A level-2 cache.
    L2,
    /// A level-1 cache.
    L1,
}

/// Properties of a device, fixed for its lifetime. Sizes are in bytes. `cl` answers
/// `clGetDeviceInfo` from them (OpenCL API, section 4.2).
#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "a flat table of device facts")]
pub struct DeviceInfo {
    /// Name of the device (`CL_DEVICE_NAME`).
    pub name: String,
    /// Name of its vendor (`CL_DEVICE_VENDOR`).
    pub vendor: String,
    /// Kind of device.
    pub device_type: DeviceType,
    /// The compiler's description of the device, which also identifies its program binaries.
    pub desc: DeviceDesc,
    /// Width of a pointer in kernels, in bits.
    pub address_bits: u32,
    /// True if little endian.
    pub little_endian: bool,
    /// Half-precision capabilities.
    pub half: FloatCaps,
    /// Single-precision capabilities.
    pub single: FloatCaps,
    /// Double-precision capabilities.
    pub double: FloatCaps,
    /// Widths of supported atomic operations.
    pub atomics: AtomicCaps,
    /// Number of compute units (hardware threads on a CPU).
    pub compute_units: u32,
    /// True if `Device::sub_device` is supported.
    pub partitionable: bool,
    /// Clock frequency in MHz, 0 if unknown.
    pub clock_mhz: u32,
    /// Maximum number of work-items in a work-group.
    pub max_work_group_size: u64,
    /// Maximum number of work-items in each dimension of a work-group.
    pub max_work_item_sizes: [u64; 3],
    /// Size of global memory in bytes.
    pub global_memory: u64,
    /// Size of the largest allocation in bytes.
    pub max_allocation: u64,
    /// Size of the global memory cache in bytes, 0 without one.
    pub cache_size: u64,
    /// Size of a cache line in bytes.
    pub cache_line: u32,
    /// Local memory available to a work-group, in bytes.
    pub local_memory: u64,
    /// Location of local memory.
    pub local_memory_type: LocalMemoryType,
    /// Minimum alignment of buffers in bytes, a power of two.
    pub buffer_alignment: u64,
    /// Size of the preferred and native vector in bytes.
    pub vector_bytes: u32,
    /// The device shares memory with the host: buffers have host pointers, and imported host memory
    /// is used in place.
    pub host_unified_memory: bool,
    /// True if `Device::import_host_memory` is supported.
    pub can_import_host: bool,
    /// Kernels can access all of the process's memory, with atomics that the host sees
    /// (`CL_DEVICE_SVM_FINE_GRAIN_SYSTEM`).
    pub system_svm: bool,
    /// The process can map pages at the device's addresses, and pointers of both have the same
    /// width. An allocation can then have one address on both
    /// (`CL_DEVICE_SVM_COARSE_GRAIN_BUFFER`).
    pub coarse_svm: bool,
    /// True if pipes are supported.
    pub pipes: bool,
    /// Limits of device-side queues; `None` if kernels cannot enqueue kernels.
    pub device_queues: Option<DeviceQueueLimits>,
    /// True if images are supported.
    pub images: bool,
    /// True if the generic address space is supported.
    pub generic_address_space: bool,
    /// True if work-group collective functions are supported.
    pub work_group_collectives: bool,
    /// True if the last work-group of a dimension may be partial.
    pub non_uniform_groups: bool,
    /// Maximum size of a program-scope variable in bytes, 0 if unsupported.
    pub max_global_variable: u64,
    /// Resolution of `Device::timestamp` in nanoseconds.
    pub timer_resolution_ns: u64,
    /// Maximum size of the packed kernel arguments in bytes.
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

    /// Properties of the device.
    #[must_use]
    pub fn info(&self) -> &DeviceInfo {
        self.inner.info()
    }

    /// Keeps the device in use for the lifetime of the result. Without it, a device whose last
    /// object is dropped may be closed and reopened at its next use.
    #[must_use]
    pub fn keep_in_use(&self) -> Option<Box<dyn std::any::Any + Send + Sync>> {
        self.inner.keep_in_use()
    }

    /// The queue of the device. All queue objects share one target queue. Use [`Queue::sibling`]
    /// for a separate count of work in flight.
    #[must_use]
    pub fn queue(&self) -> &Queue {
        &self.queue
    }

    /// Monotonic time in ns, on the clock of query results.
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
    /// `FeatureUnsupported` if the device cannot; `InvalidValue` for NULL or size 0.
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

    /// Uses the pages of another device's memory in place. The result keeps that memory alive.
    ///
    /// # Errors
    /// `FeatureUnsupported` if this device cannot, or the host cannot see the other memory.
    pub fn share_memory(&self, other: &Memory) -> Result<Memory, MuxError> {
        let ptr = other
            .host_ptr()
            .ok_or(MuxError::FeatureUnsupported("memory that the host cannot access"))?;
        // SAFETY: `other` has that many bytes there, and the result keeps it alive.
        let inner = unsafe { self.inner.import_host(ptr, other.size()) }?;
        Ok(Memory::sharing(inner, other))
    }

    /// Creates a sub-device. Work dispatched to it runs on these compute units only.
    ///
    /// # Errors
    /// `FeatureUnsupported` if the device cannot; `InvalidValue` for an empty list, unknown units
    /// and duplicates.
    pub fn sub_device(&self, units: &[u32]) -> Result<Self, MuxError> {
        let known = |(i, unit): (usize, &u32)| {
            *unit < self.info().compute_units && !units[..i].contains(unit)
        };
        if units.is_empty() || !units.iter().enumerate().all(known) {
            return Err(MuxError::InvalidValue("compute units of a sub-device"));
        }
        Ok(Self::new(self.inner.sub_device(units)?))
    }

    /// Groups the compute units by the `domain` that they share; empty if no such domain exists.
    #[must_use]
    pub fn affinity(&self, domain: AffinityDomain) -> Vec<Vec<u32>> {
        self.inner.affinity(domain)
    }

    /// Creates a buffer of `size` bytes bound to `memory` at `offset`.
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

    /// Creates a queue of `size` bytes into which kernels of this device enqueue kernels.
    ///
    /// # Errors
    /// `FeatureUnsupported` if the device has no device-side queues; `InvalidValue` for size 0 or a
    /// size beyond the limit; `OutOfMemory`.
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

    /// Loads an ELF object. It may refer to symbols of the executables in `globals` (program-scope
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

    /// Creates an empty command buffer in the recording state.
    #[must_use]
    pub fn create_command_buffer(&self) -> CommandBuffer {
        CommandBuffer::new(self.info().local_memory)
    }

    /// Creates a pool of `count` duration queries.
    #[must_use]
    pub fn create_query_pool(&self, count: usize) -> QueryPool {
        QueryPool::new(count)
    }
}
