//! The one platform, `muxcl`, and its devices.
//!
//! Invariant: created once, on first use, and never destroyed. Creation starts no thread and maps
//! no compiler. Not here: the list of devices, which the library that links this crate passes to
//! [`install`].

use std::sync::Arc;

use once_cell::sync::OnceCell;

use muxcl_cl_sys as sys;
use muxcl_cl_sys::cl_name_version;

use super::device::Device;
use crate::error::{ClError, ClResult};
use crate::extensions;
use crate::object::{self, ClObject, HandleHeader};

/// A function that returns the devices, the default one first.
pub type DeviceSource = fn() -> Vec<muxcl_mux::Device>;

static SOURCE: OnceCell<DeviceSource> = OnceCell::new();
static PLATFORM: OnceCell<Option<Arc<Platform>>> = OnceCell::new();

/// Sets the source of devices; only the first call counts. Cheap to call again.
pub fn install(source: DeviceSource) {
    if SOURCE.get().is_none() {
        let _ = SOURCE.set(source);
    }
}

/// `cl_platform_id`
#[derive(Debug)]
pub struct Platform {
    head: HandleHeader<Self>,
    devices: Vec<Arc<Device>>,
    extensions: Vec<cl_name_version>,
}

impl ClObject for Platform {
    type Raw = sys::_cl_platform_id;
    const TAG: u32 = u32::from_le_bytes(*b"plat");
    const INVALID: ClError = ClError::INVALID_PLATFORM;
    const REACHABLE: bool = true;
    fn header(&self) -> &HandleHeader<Self> {
        &self.head
    }
}

impl Platform {
    /// The platform. The first call creates it.
    ///
    /// # Errors
    /// `CL_OUT_OF_HOST_MEMORY`.
    pub fn get() -> ClResult<&'static Arc<Self>> {
        PLATFORM.get_or_init(|| Self::make().ok()).as_ref().ok_or(ClError::OUT_OF_HOST_MEMORY)
    }

    fn make() -> ClResult<Arc<Self>> {
        let sources = SOURCE.get().map_or_else(Vec::new, |source| source());
        let devices: Vec<Arc<Device>> =
            sources.into_iter().map(Device::new).collect::<ClResult<_>>()?;
        let lists: Vec<_> = devices.iter().map(|d| d.extensions().to_vec()).collect();
        let extensions = extensions::platform(&lists);
        object::create(|head| Ok(Self { head, devices, extensions }))
    }

    /// The devices of the platform, the default one first.
    #[must_use]
    pub fn devices(&self) -> &[Arc<Device>] {
        &self.devices
    }

    /// `CL_PLATFORM_EXTENSIONS_WITH_VERSION`
    #[must_use]
    pub fn extensions(&self) -> &[cl_name_version] {
        &self.extensions
    }

    /// `cl_khr_icd` 2.0: sets the loader's data in the second word of every handle.
    pub fn set_dispatch_data(&self, data: *mut std::ffi::c_void) {
        let devices = self.devices.iter().map(|d| object::slot(&**d));
        object::set_dispatch_data(data, devices.chain(std::iter::once(object::slot(self))));
    }
}
