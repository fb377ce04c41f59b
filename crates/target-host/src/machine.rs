//! The CPU and its target machine.

use std::sync::OnceLock;

use muxcl_llvm::{
    LlvmError, OptLevel, TargetMachine, TargetOptions, host_cpu, host_feature_delta, host_features, host_triple,
};

/// A CPU to compile for.
#[derive(Debug, Clone)]
pub struct Target {
    triple: String,
    cpu: String,
    features: String,
    /// The same for LLVM, relative to what it knows of the CPU.
    delta: String,
}

impl Target {
    /// This machine.
    pub fn native() -> Self {
        // Asking the CPU costs a quarter of a millisecond in a virtual machine.
        static NATIVE: OnceLock<Target> = OnceLock::new();
        NATIVE
            .get_or_init(|| Self {
                triple: host_triple(),
                cpu: host_cpu(),
                features: host_features(),
                delta: host_feature_delta(),
            })
            .clone()
    }

    /// A CPU by LLVM's name and features; empty strings mean this machine's.
    pub fn new(cpu: &str, features: &str) -> Self {
        let native = Self::native();
        if cpu.is_empty() && (features.is_empty() || features == native.features) {
            return native;
        }
        let cpu = if cpu.is_empty() { native.cpu } else { cpu.to_owned() };
        Self { triple: native.triple, cpu, features: features.to_owned(), delta: features.to_owned() }
    }

    /// The target family, `DeviceDesc::id`.
    pub fn id(&self) -> String {
        format!("host-{}", self.triple.split('-').next().unwrap_or("unknown"))
    }

    /// The CPU by LLVM's name.
    pub fn cpu(&self) -> &str {
        &self.cpu
    }

    /// The features code may use, `+x,-y`.
    pub fn features(&self) -> &str {
        &self.features
    }

    pub(crate) fn triple(&self) -> &str {
        &self.triple
    }

    /// Widest vectors the vectorizer should choose, in bits: the full width where the CPU has AVX-512 (measured: no
    /// slower on memory-bound loops, faster on arithmetic).
    pub(crate) fn preferred_vector_bits(&self) -> u32 {
        if self.features.split(',').any(|f| f == "+avx512f") { 512 } else { 256 }
    }

    pub(crate) fn machine(&self, level: OptLevel) -> Result<TargetMachine, LlvmError> {
        TargetMachine::new(&TargetOptions {
            triple: self.triple.clone(),
            cpu: self.cpu.clone(),
            features: self.delta.clone(),
            level,
            fast_fusion: false,
            pic: true,
        })
    }
}
