//! Programs on a HAL device. Invariant: a program is uploaded once, when it is loaded, and stays until the last of its kernels is
//! dropped; every kernel its metadata names was found in it.

use crate::link::{Garbage, Link};
use muxcl_hal::{HalError, Kernel, Program, section_of};
use muxcl_mux::MuxError;
use muxcl_mux::target::{TargetExecutable, TargetKernel};
use muxcl_types::printf::Table;
use muxcl_types::variant::{ElfMeta, NOTE_SECTION, Variant};
use std::any::Any;
use std::ffi::CString;
use std::sync::Arc;

#[derive(Debug)]
pub(crate) struct HalExecutable {
    variants: Vec<Variant>,
    kernels: Vec<Kernel>,
    resident: Arc<Resident>,
}

/// A program on the device.
#[derive(Debug)]
pub(crate) struct Resident {
    link: Arc<Link>,
    pub(crate) program: Program,
    /// What its kernels print means.
    pub(crate) printf: Table,
}

#[derive(Debug)]
pub(crate) struct HalKernel {
    pub(crate) kernel: Kernel,
    pub(crate) resident: Arc<Resident>,
}

impl Drop for Resident {
    fn drop(&mut self) {
        self.link.give_back(Garbage::Program(self.program));
    }
}

impl HalExecutable {
    pub(crate) fn load(link: &Arc<Link>, elf: &[u8]) -> Result<Self, MuxError> {
        let invalid = |e: HalError| MuxError::InvalidBinary(e.to_string());
        let note = section_of(elf, NOTE_SECTION).map_err(invalid)?;
        let note = note.ok_or_else(|| MuxError::InvalidBinary("no kernel metadata in the ELF file".into()))?;
        let meta = ElfMeta::from_note(note)
            .ok_or_else(|| MuxError::InvalidBinary("damaged kernel metadata in the ELF file".into()))?;
        let program = link.call(|device| device.load(elf))?;
        link.count_program();
        // From here on it is given back whatever happens.
        let resident = Arc::new(Resident { link: Arc::clone(link), program, printf: meta.printf });
        let mut kernels = Vec::new();
        for variant in &meta.variants {
            let name = CString::new(variant.symbol.as_str())
                .map_err(|_| MuxError::InvalidBinary("a kernel symbol with a NUL".into()))?;
            let kernel = link.call(|device| device.find(program, &name)).map_err(|error| match error {
                MuxError::MissingKernel(_) => {
                    let text = format!("kernel `{}` has no code (symbol `{}`)", variant.kernel, variant.symbol);
                    MuxError::InvalidBinary(text)
                }
                other => other,
            })?;
            kernels.push(kernel);
        }
        tracing::debug!(target: "hal", "program of {} bytes with {} kernels is on the device", elf.len(), kernels.len());
        Ok(Self { variants: meta.variants, kernels, resident })
    }
}

impl TargetExecutable for HalExecutable {
    fn variants(&self) -> &[Variant] {
        &self.variants
    }

    fn kernel(&self, index: usize) -> Result<Arc<dyn TargetKernel>, MuxError> {
        let kernel = *self.kernels.get(index).ok_or_else(|| MuxError::MissingKernel(index.to_string()))?;
        Ok(Arc::new(HalKernel { kernel, resident: Arc::clone(&self.resident) }))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl TargetKernel for HalKernel {
    fn as_any(&self) -> &dyn Any {
        self
    }
}
