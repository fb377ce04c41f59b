//! The device to compile for.

use anyhow::Result;
use muxcl_compiler::Library;
use muxcl_passes::CodeTarget;
use muxcl_target_host::{Target, Vectors};
use muxcl_types::device::{DeviceDesc, HalTarget};

/// The extension for half precision.
const HALF: &str = "cl_khr_fp16";

/// A device with its code generator.
#[derive(Debug)]
pub struct Machine {
    /// What the front end and the passes know of the device.
    pub device: DeviceDesc,
    /// Its code generator.
    pub target: Box<dyn CodeTarget>,
}

impl Machine {
    /// A CPU, described by `device`.
    #[must_use]
    pub fn host(device: DeviceDesc, target: Target) -> Self {
        Self { device, target: Box::new(target) }
    }

    /// This machine's CPU, as the driver sees it.
    #[must_use]
    pub fn this_host() -> DeviceDesc {
        muxcl_mux_host::HostDevice::create().info().desc.clone()
    }

    /// A RISC-V device with the instruction set `isa` and vector registers of `vlen` bits (0: not
    /// known at compile time), and otherwise the properties of `device`. It has half precision if
    /// the instruction set has Zfh.
    ///
    /// # Errors
    /// `isa` is no instruction set, or `vlen` no length.
    pub fn riscv(device: DeviceDesc, isa: &str, vlen: u32, vectors: Vectors) -> Result<Self> {
        let hal = HalTarget { isa: isa.to_owned(), vlen, ..HalTarget::default() };
        let target = muxcl_target_riscv::Target::new(&hal)?.with_vectors(vectors);
        let (id, address_bits) = (target.id().to_owned(), target.isa().xlen);
        let mut device = DeviceDesc { id, address_bits, hal: Some(hal), ..device };
        device.extensions.retain(|name| name != HALF);
        device.extensions.extend(target.isa().has("zfh").then(|| HALF.to_owned()));
        Ok(Self { device, target: Box::new(target) })
    }

    /// The OpenCL C library for the device.
    #[must_use]
    pub fn library(&self) -> Library {
        Library::new(self.device.address_bits, self.device.hal.as_ref())
    }
}
