//! A RISC-V device as a target of code generation.

use muxcl_llvm::{Builder, Linkage, LlvmError, Module, OptLevel, TargetMachine, TargetOptions};
use muxcl_passes::kernel_abi::Abi;
use muxcl_passes::vectorize::{self, Rest, Scalable, Vectors};
use muxcl_passes::{CodeTarget, PassError, names};
use muxcl_types::device::HalTarget;

use crate::isa::{Isa, IsaError};
use crate::link;

/// A device to compile for.
#[derive(Debug, Clone)]
pub struct Target {
    pub(crate) isa: Isa,
    pub(crate) features: String,
    pub(crate) abi: String,
    pub(crate) script: String,
    pub(crate) relocatable: bool,
    scalar: bool,
    dma: Option<u64>,
    vlen: u32,
    vectors: Vectors,
}

/// The smallest length of a vector register, in bits, that the extension V allows.
const LEAST_BITS: u32 = 128;
/// The range of `vscale`, which is the length of a vector register in units of 64 bits. The
/// extension V allows registers of 128 to 65536 bits.
const ANY_LENGTH: (u32, u32) = (LEAST_BITS / 64, 1024);
/// The number of vector registers that hold a 32-bit value of all lanes (LMUL). With two, a kernel
/// executes about half as many instructions as with one. The 16 groups of two registers are enough
/// for most kernels.
const REGISTERS: u32 = 2;

impl Target {
    /// The device with this description from a HAL.
    ///
    /// # Errors
    /// The instruction set has no code generation, or the calling convention does not fit it.
    pub fn new(hal: &HalTarget) -> Result<Self, IsaError> {
        let isa = Isa::parse(&hal.isa)?;
        let abi = if hal.abi.is_empty() { isa.default_abi().to_owned() } else { hal.abi.clone() };
        if !isa.has_convention(&abi) {
            return Err(IsaError::Convention { abi, isa: hal.isa.clone() });
        }
        let features = isa.features(hal.vlen);
        let vlen = if isa.has_vectors() { hal.vlen } else { 0 };
        let script = hal.linker_script.clone();
        let (relocatable, scalar, dma) = (hal.relocatable, hal.scalar, hal.dma);
        let vectors = Vectors::Llvm;
        Ok(Self { isa, features, abi, script, relocatable, scalar, dma, vlen, vectors })
    }

    /// The same device, with this choice of the loops that are vectorized. It has no effect if the
    /// instruction set lacks the extension V, or if the HAL does not let the compiler vectorize.
    #[must_use]
    pub fn with_vectors(self, vectors: Vectors) -> Self {
        Self { vectors, ..self }
    }

    /// The target family, `DeviceDesc::id`.
    #[must_use]
    pub fn id(&self) -> &'static str {
        if self.isa.xlen == 64 { "riscv64" } else { "riscv32" }
    }

    /// The features that code may use, as LLVM names them.
    #[must_use]
    pub fn features(&self) -> &str {
        &self.features
    }

    /// The instruction set.
    #[must_use]
    pub fn isa(&self) -> &Isa {
        &self.isa
    }
}

impl CodeTarget for Target {
    fn triple(&self) -> &str {
        if self.isa.xlen == 64 { "riscv64-unknown-elf" } else { "riscv32-unknown-elf" }
    }

    fn abi(&self) -> Abi {
        Abi::Hal { word: self.isa.xlen / 8 }
    }

    fn machine(&self, level: OptLevel) -> Result<TargetMachine, LlvmError> {
        TargetMachine::new(&TargetOptions {
            triple: self.triple().to_owned(),
            cpu: if self.isa.xlen == 64 { "generic-rv64".into() } else { "generic-rv32".into() },
            features: self.features.clone(),
            level,
            fast_fusion: false,
            pic: self.script.is_empty(),
            abi: self.abi.clone(),
            medium: true,
        })
    }

    fn fuses_halves(&self) -> bool {
        self.isa.has("zfh") && (!self.isa.has_vectors() || self.isa.has("zvfh"))
    }

    fn vectorizes(&self) -> bool {
        !self.scalar
    }

    fn lanes(&self) -> Option<vectorize::Options> {
        let (bits, (min, max)) = match self.vlen {
            _ if !self.isa.has("v") || self.scalar => return None,
            0 => (LEAST_BITS, ANY_LENGTH),
            bits if bits < LEAST_BITS => return None,
            bits => (bits, (bits / 64, bits / 64)),
        };
        let options = self.vectors.options(REGISTERS * bits / 32, Rest::VectorLength)?;
        let half = self.isa.has("zvfh") || self.isa.has("zvfhmin");
        Some(vectorize::Options { scalable: Some(Scalable { min, max, half }), ..options })
    }

    fn tune(&self, module: &Module<'_>) {
        if let Some(f) = module.function(names::DMA_REGISTERS).filter(|f| f.is_declaration()) {
            // Only the library of a device with a DMA engine calls this function.
            Builder::at_end(f.append_block("entry")).ret(module.cx().u64(self.dma.unwrap_or(0)));
            f.set_linkage(Linkage::Internal);
            f.add_attribute("alwaysinline");
        }
        // The exact length of vector registers, in units of 64 bits.
        let units = u64::from(self.vlen / 64);
        for f in module.definitions() {
            if units > 0 {
                f.add_attribute_value("vscale_range", units << 32 | units);
            }
        }
    }

    fn quick_above(&self) -> usize {
        64
    }

    fn has_bfloat(&self) -> bool {
        false
    }

    fn mends_phis(&self) -> bool {
        self.isa.has_vectors()
    }

    fn widest_reduction(&self) -> Option<u32> {
        // A group of four registers leaves room for two operands and a result.
        (self.vlen > 0).then_some(4 * self.vlen)
    }

    fn check_linking(&self) -> Result<(), PassError> {
        link::check(self)
    }

    fn finish(&self, object: Vec<u8>, symbols: &[&str]) -> Result<Vec<u8>, PassError> {
        link::image(self, &object, symbols)
    }
}
