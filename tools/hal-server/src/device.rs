//! A device of the HAL. Invariants: the device is created with its first session and deleted after
//! its last one. One call runs at a time, unless the HAL allows concurrent calls
//! ([`muxcl_hal::Properties::concurrent_calls`]); then calls overlap, but at most one runs kernels.

use muxcl_hal::{Device, DeviceInfo, Hal, HalError};
use muxcl_lock::{Mutex, Rank, RwLock};
use std::fmt;
use std::sync::Arc;

/// A device and the number of its sessions.
pub(crate) struct SharedDevice {
    hal: Arc<dyn Hal>,
    index: u32,
    pub(crate) info: Result<DeviceInfo, HalError>,
    open: Mutex<(usize, Option<Arc<OpenDevice>>)>,
}

/// A device that exists.
pub(crate) struct OpenDevice {
    device: Box<dyn Device>,
    concurrent: bool,
    calls: RwLock<()>,
    kernels: Mutex<()>,
}

/// The kind of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// It runs a kernel.
    Kernel,
    /// Anything else.
    Other,
}

/// Keeps a device open for a session.
pub(crate) struct DeviceUse {
    shared: Arc<SharedDevice>,
    open: Option<Arc<OpenDevice>>,
    /// True if this session opened the device. Only it can begin a profile, which has to begin
    /// before the first kernel.
    pub(crate) first: bool,
}

impl SharedDevice {
    pub(crate) fn new(hal: Arc<dyn Hal>, index: u32) -> Self {
        let info = hal.device_info(index);
        Self { hal, index, info, open: Mutex::new(Rank::Context, (0, None)) }
    }

    /// Opens the device for one more session.
    pub(crate) fn share(self: &Arc<Self>) -> Result<DeviceUse, HalError> {
        let concurrent = self.info.clone()?.properties.concurrent_calls;
        let mut state = self.open.lock();
        let first = state.1.is_none();
        let open = match &state.1 {
            Some(open) => Arc::clone(open),
            None => Arc::new(OpenDevice {
                device: self.hal.create_device(self.index)?,
                concurrent,
                calls: RwLock::new(Rank::Device, ()),
                kernels: Mutex::new(Rank::Queue, ()),
            }),
        };
        state.0 += 1;
        state.1 = Some(Arc::clone(&open));
        Ok(DeviceUse { shared: Arc::clone(self), open: Some(open), first })
    }
}

impl DeviceUse {
    /// Runs `work` with the device. An `exclusive` call overlaps no other call in any case. The
    /// device exists as long as this value.
    pub(crate) fn call<T>(
        &self,
        class: Class,
        exclusive: bool,
        work: impl FnOnce(&dyn Device) -> Result<T, HalError>,
    ) -> Result<T, HalError> {
        let open = self.open.as_ref().ok_or(HalError::NoSession)?;
        let _kernels = (class == Class::Kernel).then(|| open.kernels.lock());
        if open.concurrent && !exclusive {
            let _shared = open.calls.read();
            work(&*open.device)
        } else {
            let _alone = open.calls.write();
            work(&*open.device)
        }
    }
}

impl Drop for DeviceUse {
    fn drop(&mut self) {
        drop(self.open.take());
        let mut state = self.shared.open.lock();
        state.0 -= 1;
        if state.0 == 0 {
            // Under the lock, so that the device is not created again before it is deleted.
            state.1 = None;
        }
    }
}

impl fmt::Debug for DeviceUse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DeviceUse").field("device", &self.shared.index).finish_non_exhaustive()
    }
}
