//! Programs on a HAL device.
//!
//! Invariants: a program is uploaded once, when it is loaded, and stays resident until its last
//! kernel is dropped. Every kernel that its metadata names has been found in it.

use crate::connection::{DeviceConnection, DeviceUse, Garbage};
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
    loaded: Loaded,
    /// Format strings of the program's `printf` calls.
    pub(crate) printf: Table,
    /// Blocks that the program's kernels may enqueue.
    pub(crate) blocks: Vec<BlockKernel>,
}

/// A program that the device has loaded. Dropping it unloads the program.
#[derive(Debug)]
struct Loaded {
    device: DeviceUse,
    program: Program,
}

/// A kernel that only other kernels can start.
#[derive(Debug)]
pub(crate) struct BlockKernel {
    pub(crate) variant: Variant,
    pub(crate) kernel: Kernel,
}

#[derive(Debug)]
pub(crate) struct HalKernel {
    pub(crate) kernel: Kernel,
    pub(crate) resident: Arc<Resident>,
}

impl Drop for Loaded {
    fn drop(&mut self) {
        self.device.connection().give_back(Garbage::Program(self.program));
    }
}

impl Loaded {
    fn find(&self, variant: &Variant) -> Result<Kernel, MuxError> {
        let name = CString::new(variant.symbol.as_str())
            .map_err(|_| MuxError::InvalidBinary("a kernel symbol with a NUL".into()))?;
        self.device.connection().call(|device| device.find(self.program, &name)).map_err(|error| {
            match error {
                MuxError::MissingKernel(_) => {
                    let text = format!(
                        "kernel `{}` has no code (symbol `{}`)",
                        variant.kernel, variant.symbol
                    );
                    MuxError::InvalidBinary(text)
                }
                other => other,
            }
        })
    }
}

impl Resident {
    pub(crate) fn program(&self) -> Program {
        self.loaded.program
    }
}

impl HalExecutable {
    pub(crate) fn load(connection: &Arc<DeviceConnection>, elf: &[u8]) -> Result<Self, MuxError> {
        let invalid = |e: HalError| MuxError::InvalidBinary(e.to_string());
        let note = section_of(elf, NOTE_SECTION).map_err(invalid)?;
        let note = note
            .ok_or_else(|| MuxError::InvalidBinary("no kernel metadata in the ELF file".into()))?;
        let meta = ElfMeta::from_note(note).ok_or_else(|| {
            MuxError::InvalidBinary("damaged kernel metadata in the ELF file".into())
        })?;
        let device = connection.keep();
        let program = connection.call(|device| device.load(elf))?;
        connection.count_program();
        // From here on, dropping the value unloads the program, also on error.
        let loaded = Loaded { device, program };
        let kernels =
            meta.variants.iter().map(|v| loaded.find(v)).collect::<Result<Vec<_>, _>>()?;
        let block = |variant| Ok(BlockKernel { kernel: loaded.find(&variant)?, variant });
        let blocks = meta.blocks.into_iter().map(block).collect::<Result<Vec<_>, MuxError>>()?;
        let resident = Arc::new(Resident { loaded, printf: meta.printf, blocks });
        tracing::debug!(target: "hal", "program of {} bytes with {} kernels is on the device", elf.len(), kernels.len());
        Ok(Self { variants: meta.variants, kernels, resident })
    }
}

impl TargetExecutable for HalExecutable {
    fn variants(&self) -> &[Variant] {
        &self.variants
    }

    fn kernel(&self, index: usize) -> Result<Arc<dyn TargetKernel>, MuxError> {
        let kernel =
            *self.kernels.get(index).ok_or_else(|| MuxError::MissingKernel(index.to_string()))?;
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
