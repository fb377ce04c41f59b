//! Devices: the properties of a Mux device, and the ones that OpenCL adds.
//!
//! Invariant: a root device lives as long as the process, and a sub-device keeps its parent alive.
//! Not here: the ways to partition a device (`api::partition`).

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
    /// The parent of a sub-device.
    parent: Option<Arc<Self>>,
    /// `CL_DEVICE_PARTITION_TYPE`: the properties of `clCreateSubDevices` with the final zero;
    /// empty for a root device.
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
            tracing::warn!(target: "cl::device", "a sub-device could not be created: {error}");
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

    /// The properties of the Mux device.
    #[must_use]
    pub fn info(&self) -> &muxcl_mux::DeviceInfo {
        self.mux.info()
    }

    /// The description of the device for the compiler, with every extension.
    #[must_use]
    pub fn desc(&self) -> &DeviceDesc {
        &self.desc
    }

    /// `CL_DEVICE_EXTENSIONS_WITH_VERSION`
    #[must_use]
    pub fn extensions(&self) -> &[cl_name_version] {
        &self.extensions
    }

    /// True if the device supports this extension.
    #[must_use]
    pub fn has_extension(&self, name: &str) -> bool {
        self.extensions.iter().any(|e| extensions::name(e) == name)
    }

    /// True if kernels have sub-groups.
    #[must_use]
    pub fn has_sub_groups(&self) -> bool {
        self.desc.c_features.iter().any(|f| f == "__opencl_c_subgroups")
    }

    /// True if the device supports any kind of shared virtual memory.
    #[must_use]
    pub fn has_svm(&self) -> bool {
        self.has_system_svm() || self.info().coarse_svm
    }

    /// True if kernels use the process's addresses, which gives every kind of shared virtual
    /// memory.
    #[must_use]
    pub fn has_system_svm(&self) -> bool {
        self.info().system_svm
    }

    /// True if `cl_intel_unified_shared_memory` is supported, at least with device allocations.
    #[must_use]
    pub fn has_usm(&self) -> bool {
        self.has_svm() && self.has_extension("cl_intel_unified_shared_memory")
    }

    /// True if `cl_intel_unified_shared_memory` also has host and shared allocations, because
    /// kernels use the process's addresses.
    #[must_use]
    pub fn has_shared_usm(&self) -> bool {
        self.has_system_svm() && self.has_usm()
    }

    /// True if programs in SPIR-V are supported.
    #[must_use]
    pub fn has_il(&self) -> bool {
        self.has_extension("cl_khr_il_program")
    }

    /// True if the device has this extension or OpenCL C feature. SPIR-V capabilities depend on
    /// these (`muxcl_spirv::support`).
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

    /// `CL_DEVICE_MEM_BASE_ADDR_ALIGN` in bytes: at least the size of a `long16`.
    #[must_use]
    pub fn base_address_align(&self) -> u32 {
        u32::try_from(self.info().buffer_alignment).unwrap_or(128).max(128)
    }

    /// `CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE`: the number of `float`s in a vector register.
    #[must_use]
    pub fn preferred_group_multiple(&self) -> usize {
        (self.info().vector_bytes / 4).clamp(1, 16) as usize
    }

    /// True if both are the same device.
    #[must_use]
    pub fn is(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}
