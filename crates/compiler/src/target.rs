//! For what is compiled: the device, as the request describes it.

use crate::error::CompileError;
use muxcl_compiler_abi::FailureKind;
use muxcl_types::device::DeviceDesc;

/// A device to compile for.
#[derive(Debug, Clone)]
pub struct Target<'a> {
    device: &'a DeviceDesc,
    pub(crate) host: muxcl_target_host::Target,
}

impl<'a> Target<'a> {
    /// The target of `device`.
    ///
    /// # Errors
    /// This build has no code generator for it.
    pub fn new(device: &'a DeviceDesc) -> Result<Self, CompileError> {
        let host = muxcl_target_host::Target::new(&device.cpu, &device.features);
        if device.id != host.id() || device.address_bits != 64 {
            let message =
                format!("this compiler has no code generator for '{}' with {} bits", device.id, device.address_bits);
            return Err(CompileError::new(FailureKind::Internal, message));
        }
        Ok(Self { device, host })
    }

    /// Its description.
    #[must_use]
    pub fn device(&self) -> &'a DeviceDesc {
        self.device
    }
}
