//! The CPU and its target machine.

use std::sync::OnceLock;

use muxcl_llvm::{
    LlvmError, Module, OptLevel, TargetMachine, TargetOptions, host_cpu, host_feature_delta, host_features, host_triple,
};
use muxcl_passes::kernel_abi::Abi;
use muxcl_passes::{CodeTarget, PassError};

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
        if cpu.is_empty() {
            // "+x" is a fact of this machine, which is known here in full; "-x" is a wish.
            let without: String = features.split(',').filter(|f| f.starts_with('-')).map(|f| format!(",{f}")).collect();
            return Self { features: native.features + &without, delta: native.delta + &without, ..native };
        }
        Self { triple: native.triple, cpu: cpu.to_owned(), features: features.to_owned(), delta: features.to_owned() }
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

    /// Widest vectors the vectorizer should choose, in bits: the full width where the CPU has AVX-512, which
    /// suits arithmetic; 256 has not been compared yet.
    pub(crate) fn preferred_vector_bits(&self) -> u32 {
        let has = |name: &str| self.features.split(',').any(|f| f == name);
        if has("+avx512f") && !has("-avx512f") { 512 } else { 256 }
    }
}

impl CodeTarget for Target {
    fn triple(&self) -> &str {
        &self.triple
    }

    fn abi(&self) -> Abi {
        Abi::Host
    }

    fn machine(&self, level: OptLevel) -> Result<TargetMachine, LlvmError> {
        TargetMachine::new(&TargetOptions {
            triple: self.triple.clone(),
            cpu: self.cpu.clone(),
            features: self.delta.clone(),
            level,
            fast_fusion: false,
            pic: true,
            abi: String::new(),
            medium: false,
        })
    }

    fn tune(&self, module: &Module<'_>) {
        let bits = self.preferred_vector_bits().to_string();
        for f in module.definitions() {
            f.add_string_attribute("prefer-vector-width", &bits);
        }
    }

    fn fence_selects(&self) -> bool {
        self.preferred_vector_bits() == 512
    }

    fn quick_above(&self) -> usize {
        8
    }

    fn finish(&self, object: Vec<u8>, _symbols: &[&str]) -> Result<Vec<u8>, PassError> {
        Ok(object)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_use_works() {
        Target::native().warm_up().unwrap();
    }

    #[test]
    fn facts_change_nothing_and_wishes_do() {
        let native = Target::native();
        let told = Target::new("", "+sse2,+avx512f,+avx");
        assert_eq!((&told.features, &told.delta), (&native.features, &native.delta));
        let less = Target::new("", "+avx,-avx512f");
        assert!(less.delta.ends_with(",-avx512f") && less.preferred_vector_bits() == 256);
        assert!(less.machine(OptLevel::Default).is_ok());
        assert_eq!(Target::new("x86-64", "+avx").features(), "+avx");
    }
}
