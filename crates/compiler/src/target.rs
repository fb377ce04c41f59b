//! The device to compile for, as the request describes it.

use std::sync::Arc;

use crate::builtins::Library;
use crate::error::CompileError;
use muxcl_compiler_abi::FailureKind;
use muxcl_passes::CodeTarget;
use muxcl_target_host::Vectors;
use muxcl_types::device::{DeviceDesc, Vecz};

/// A device to compile for.
#[derive(Debug, Clone)]
pub struct Target<'a> {
    device: &'a DeviceDesc,
    pub(crate) code: Arc<dyn CodeTarget>,
}

impl<'a> Target<'a> {
    /// The target of `device`.
    ///
    /// # Errors
    /// This build has no code generator for the device, or its description contradicts itself.
    pub fn new(device: &'a DeviceDesc) -> Result<Self, CompileError> {
        let refuse = |message: String| CompileError::new(FailureKind::Internal, message);
        let unknown = || {
            format!(
                "this compiler has no code generator for '{}' with {} bits",
                device.id, device.address_bits
            )
        };
        let vectors = match device.vecz {
            Vecz::Off => Vectors::Llvm,
            Vecz::Faster => Vectors::Faster,
            Vecz::Always => Vectors::Always(8),
        };
        let (id, bits, code): (String, u32, Arc<dyn CodeTarget>) = match &device.hal {
            Some(hal) => {
                let riscv = muxcl_target_riscv::Target::new(hal).map_err(|e| {
                    let text = format!("a device of '{}': {e}", hal.isa);
                    CompileError::new(FailureKind::Resources, text)
                })?;
                let riscv = riscv.with_vectors(vectors);
                (riscv.id().into(), riscv.isa().xlen, Arc::new(riscv))
            }
            None => {
                let host = muxcl_target_host::Target::new(&device.cpu, &device.features)
                    .with_vectors(vectors);
                (host.id(), 64, Arc::new(host))
            }
        };
        if device.id != id || device.address_bits != bits {
            return Err(refuse(unknown()));
        }
        Ok(Self { device, code })
    }

    /// The OpenCL C library of the device.
    pub(crate) fn library(&self) -> Library {
        let library = Library::new(self.device.address_bits, self.device.hal.as_ref());
        if self.device.requirements.checks.any() { library.without_dma() } else { library }
    }

    /// The device's description.
    #[must_use]
    pub fn device(&self) -> &'a DeviceDesc {
        self.device
    }
}
