//! The device to compile for, as the request describes it.

use std::sync::Arc;

use crate::builtins::Library;
use crate::error::CompileError;
use muxcl_compiler_abi::FailureKind;
use muxcl_passes::CodeTarget;
use muxcl_target_host::Vectors;
use muxcl_types::device::{DeviceDesc, Vecz, X86_FEATURES};

/// A device to compile for.
#[derive(Debug, Clone)]
pub struct Target<'a> {
    device: &'a DeviceDesc,
    /// Features that the processor's name implies; empty for this machine's processor and for HAL
    /// devices.
    implied: String,
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
        let mut implied = String::new();
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
                let mut features = device.features.clone();
                if !device.cpu.is_empty() {
                    implied = muxcl_target_host::implied_features(&device.cpu)
                        .ok_or_else(|| no_processor(&device.cpu))?;
                    // Later features of the list replace earlier ones.
                    features = [implied.as_str(), &features].join(",");
                }
                let host = muxcl_target_host::Target::new(&device.cpu, &features);
                let host = host.with_vectors(vectors);
                (host.id(), 64, Arc::new(host))
            }
        };
        if device.id != id || device.address_bits != bits {
            return Err(refuse(unknown()));
        }
        Ok(Self { device, implied, code })
    }

    /// The OpenCL C library of the device.
    pub(crate) fn library(&self) -> Library {
        let library = Library::new(self.device.address_bits, self.device.hal.as_ref());
        if self.device.requirements.checks.any() { library.without_dma() } else { library }
    }

    /// The processor features that a program binary's code may use, `+x,-y`, in the terms in which
    /// drivers describe their machine (`muxcl_types::device::X86_FEATURES`).
    pub(crate) fn binary_features(&self) -> String {
        let checked = |f: &&str| f.strip_prefix('+').is_some_and(|f| X86_FEATURES.contains(&f));
        let own = self.device.features.split(',').filter(|f| !f.is_empty());
        let without = |f: &&str| !own.clone().any(|o| o.strip_prefix('-') == f.strip_prefix('+'));
        let implied = self.implied.split(',').filter(checked).filter(without);
        implied.chain(own.clone()).collect::<Vec<_>>().join(",")
    }

    /// The device's description.
    #[must_use]
    pub fn device(&self) -> &'a DeviceDesc {
        self.device
    }
}

fn no_processor(name: &str) -> CompileError {
    let text = format!("LLVM knows no processor `{name}` of this machine's architecture");
    CompileError::new(FailureKind::Internal, text)
}
