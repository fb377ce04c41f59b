//! Devices: the facts of a Mux device, and what OpenCL adds to them.
//!
//! Invariant: a root device lives as long as the process; a sub-device keeps the device it is a
//! part of. Not here: into which parts a device may be divided (`api::partition`).

use std::sync::Arc;

use muxcl_cl_sys as sys;
use muxcl_cl_sys::{cl_device_partition_property, cl_device_type, cl_name_version};
use muxcl_mux::{DeviceType, MuxError};
use muxcl_types::device::DeviceDesc;

use crate::error::{ClError, ClResult};
use crate::extensions;
use crate::object::{self, ClObject, HandleHeader};

/// `cl_device_id`
#[derive(Debug)]
pub struct Device {
    head: HandleHeader<Self>,
    mux: muxcl_mux::Device,
    desc: DeviceDesc,
    extensions: Vec<cl_name_version>,
    /// For a sub-device: the device it is a part of.
    parent: Option<Arc<Self>>,
    /// `CL_DEVICE_PARTITION_TYPE`: how it was made, with the final zero; empty for a root device.
    partition: Vec<cl_device_partition_property>,
}

impl ClObject for Device {
    type Raw = sys::_cl_device_id;
    const TAG: u32 = u32::from_le_bytes(*b"devi");
    const INVALID: ClError = ClError::INVALID_DEVICE;
    const REACHABLE: bool = true;
    fn header(&self) -> &HandleHeader<Self> {
        &self.head
    }
}

impl Device {
    /// A root device.
    ///
    /// # Errors
    /// `CL_OUT_OF_HOST_MEMORY`.
    pub fn new(mux: muxcl_mux::Device) -> ClResult<Arc<Self>> {
        let mut desc = mux.info().desc.clone();
        let extensions = extensions::device(&desc.extensions, mux.info().images);
        desc.extensions = extensions.iter().map(|e| extensions::name(e).to_owned()).collect();
        object::create(|head| {
            Ok(Self { head, mux, desc, extensions, parent: None, partition: Vec::new() })
        })
    }

    /// A sub-device of some compute units of `parent`, with one application reference.
    ///
    /// # Errors
    /// `CL_DEVICE_PARTITION_FAILED`, `CL_OUT_OF_RESOURCES`, `CL_OUT_OF_HOST_MEMORY`.
    pub fn part(
        parent: Arc<Self>,
        units: &[u32],
        partition: Vec<cl_device_partition_property>,
    ) -> ClResult<Arc<Self>> {
        let mux = parent.mux.sub_device(units).map_err(|error| {
            tracing::warn!(target: "cl::device", "a sub-device could not be made: {error}");
            match error {
                MuxError::OutOfMemory => ClError::OUT_OF_HOST_MEMORY,
                MuxError::OutOfResources(_) => ClError::OUT_OF_RESOURCES,
                _ => ClError::DEVICE_PARTITION_FAILED,
            }
        })?;
        let (desc, extensions) = (parent.desc.clone(), parent.extensions.clone());
        object::create(|head| {
            Ok(Self { head, mux, desc, extensions, parent: Some(parent), partition })
        })
    }

    /// `CL_DEVICE_PARENT_DEVICE`
    #[must_use]
    pub fn parent(&self) -> Option<&Arc<Self>> {
        self.parent.as_ref()
    }

    /// `CL_DEVICE_PARTITION_TYPE`
    #[must_use]
    pub fn partition(&self) -> &[cl_device_partition_property] {
        &self.partition
    }

    /// The Mux device.
    #[must_use]
    pub fn mux(&self) -> &muxcl_mux::Device {
        &self.mux
    }

    /// Its facts.
    #[must_use]
    pub fn info(&self) -> &muxcl_mux::DeviceInfo {
        self.mux.info()
    }

    /// The description of it that the compiler gets, with every extension.
    #[must_use]
    pub fn desc(&self) -> &DeviceDesc {
        &self.desc
    }

    /// `CL_DEVICE_EXTENSIONS_WITH_VERSION`
    #[must_use]
    pub fn extensions(&self) -> &[cl_name_version] {
        &self.extensions
    }

    /// True if it has this extension.
    #[must_use]
    pub fn has_extension(&self, name: &str) -> bool {
        self.extensions.iter().any(|e| extensions::name(e) == name)
    }

    /// Its kernels have sub-groups.
    #[must_use]
    pub fn has_sub_groups(&self) -> bool {
        self.desc.c_features.iter().any(|f| f == "__opencl_c_subgroups")
    }

    /// Shared virtual memory of some kind: allocations have one address for kernels and the host.
    #[must_use]
    pub fn has_svm(&self) -> bool {
        self.has_system_svm() || self.info().coarse_svm
    }

    /// Its kernels use the process's addresses: shared virtual memory of every kind.
    #[must_use]
    pub fn has_system_svm(&self) -> bool {
        self.info().system_svm
    }

    /// It has `cl_intel_unified_shared_memory`: device allocations at least.
    #[must_use]
    pub fn has_usm(&self) -> bool {
        self.has_svm() && self.has_extension("cl_intel_unified_shared_memory")
    }

    /// It has host and shared allocations of that extension, too: its kernels use the process's
    /// addresses.
    #[must_use]
    pub fn has_shared_usm(&self) -> bool {
        self.has_system_svm() && self.has_usm()
    }

    /// It takes programs in SPIR-V.
    #[must_use]
    pub fn has_il(&self) -> bool {
        self.has_extension("cl_khr_il_program")
    }

    /// It has this extension or feature of OpenCL C, by which SPIR-V's capabilities are given
    /// (`muxcl_spirv::support`).
    #[must_use]
    pub fn has_feature(&self, name: &str) -> bool {
        self.has_extension(name) || self.desc.c_features.iter().any(|f| f == name)
    }

    /// `CL_DEVICE_TYPE`
    #[must_use]
    pub fn device_type(&self) -> cl_device_type {
        match self.info().device_type {
            DeviceType::Cpu => sys::CL_DEVICE_TYPE_CPU,
            DeviceType::Gpu => sys::CL_DEVICE_TYPE_GPU,
            DeviceType::Accelerator => sys::CL_DEVICE_TYPE_ACCELERATOR,
        }
    }

    /// `CL_DEVICE_MEM_BASE_ADDR_ALIGN` in bytes: at least a `long16`.
    #[must_use]
    pub fn base_address_align(&self) -> u32 {
        u32::try_from(self.info().buffer_alignment).unwrap_or(128).max(128)
    }

    /// `CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE`: `float`s in a vector.
    #[must_use]
    pub fn preferred_group_multiple(&self) -> usize {
        (self.info().vector_bytes / 4).clamp(1, 16) as usize
    }

    /// True for the same device.
    #[must_use]
    pub fn is(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}
