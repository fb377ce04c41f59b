//! The CPU and its target machine.

use std::sync::OnceLock;

use muxcl_llvm::{
    LlvmError, Module, OptLevel, TargetMachine, TargetOptions, Timing, cpu_features, host_cpu,
    host_feature_delta, host_features, host_triple, timings,
};
use muxcl_passes::kernel_abi::Abi;
use muxcl_passes::vectorize::{self, Rest, Vectors};
use muxcl_passes::{CodeTarget, PassError};

/// Vector instructions of full width that Intel processors since Haswell and AMD processors since
/// Zen 2 issue per cycle.
const VECTORS_PER_CYCLE: u32 = 2;
/// Vector instructions in the out-of-order window. The smallest reorder buffer of these processors
/// has 192 entries, later ones 224 to 512. The value assumes 240 and that half of them are scalar.
const WINDOW: u32 = 120;

/// A CPU to compile for.
#[derive(Debug, Clone)]
pub struct Target {
    triple: String,
    /// CPU and features from [`Target::new`]; empty strings mean this machine's.
    requested: (String, String),
    /// The resolved processor; computed at the first use.
    processor: OnceLock<Processor>,
    /// [`Target::timings`] of a processor other than this machine's.
    timings: OnceLock<[Timing; 3]>,
    vectors: Vectors,
    rest: Rest,
}

/// A processor in LLVM's terms.
#[derive(Debug, Clone)]
struct Processor {
    cpu: String,
    /// All features, `+x,-y`.
    features: String,
    /// The features that differ from LLVM's model of the CPU.
    delta: String,
}

impl Processor {
    /// This machine's processor.
    fn native() -> &'static Self {
        // CPUID takes a quarter of a millisecond in a virtual machine.
        static NATIVE: OnceLock<Processor> = OnceLock::new();
        NATIVE.get_or_init(|| Self {
            cpu: host_cpu(),
            features: host_features(),
            delta: host_feature_delta(),
        })
    }

    fn of(cpu: &str, features: &str) -> Self {
        if !cpu.is_empty() {
            return Self {
                cpu: cpu.to_owned(),
                features: features.to_owned(),
                delta: features.to_owned(),
            };
        }
        let native = Self::native();
        // "+x" only repeats this machine's features; "-x" disables one.
        let without: String =
            features.split(',').filter(|f| f.starts_with('-')).map(|f| format!(",{f}")).collect();
        Self {
            cpu: native.cpu.clone(),
            features: native.features.clone() + &without,
            delta: native.delta.clone() + &without,
        }
    }
}

/// The features of a processor by LLVM's name, `+x`; `None` if this machine's architecture has no
/// such processor.
pub fn implied_features(cpu: &str) -> Option<String> {
    cpu_features(&host_triple(), cpu)
}

impl Target {
    /// This machine.
    pub fn native() -> Self {
        Self::new("", "")
    }

    /// A CPU by LLVM's name and features; empty strings mean this machine's. The processor is
    /// queried at the first use.
    pub fn new(cpu: &str, features: &str) -> Self {
        Self {
            triple: host_triple(),
            requested: (cpu.to_owned(), features.to_owned()),
            processor: OnceLock::new(),
            timings: OnceLock::new(),
            vectors: Vectors::Llvm,
            rest: Rest::Masked,
        }
    }

    /// The same CPU, with this choice of the loops that are vectorized.
    #[must_use]
    pub fn with_vectors(self, vectors: Vectors) -> Self {
        Self { vectors, ..self }
    }

    /// The same CPU, with this choice of how the last work-items run, which are too few to fill a
    /// vector.
    #[must_use]
    pub fn with_rest(self, rest: Rest) -> Self {
        Self { rest, ..self }
    }

    fn processor(&self) -> &Processor {
        self.processor.get_or_init(|| Processor::of(&self.requested.0, &self.requested.1))
    }

    /// The target family, `DeviceDesc::id`.
    pub fn id(&self) -> String {
        format!("host-{}", self.triple.split('-').next().unwrap_or("unknown"))
    }

    /// LLVM's name of the CPU.
    pub fn cpu(&self) -> &str {
        &self.processor().cpu
    }

    /// The features that code may use, `+x,-y`.
    pub fn features(&self) -> &str {
        &self.processor().features
    }

    /// Width in bits of the widest vectors that the vectorizers choose: 512 with AVX-512, else 256.
    pub(crate) fn preferred_vector_bits(&self) -> u32 {
        if self.has("avx512f") { 512 } else { 256 }
    }

    /// True if code may use the feature.
    fn has(&self, name: &str) -> bool {
        let set =
            |sign: char| self.features().split(',').any(|f| f.strip_prefix(sign) == Some(name));
        set('+') && !set('-')
    }

    /// The execution units, for the cost model of `muxcl-vecz`.
    fn core(&self) -> vectorize::Core {
        let [product, multiply_add, half_multiply_add] = self.timings();
        vectorize::Core {
            registers: if self.has("avx512f") { 32 } else { 16 },
            per_cycle: VECTORS_PER_CYCLE,
            window: WINDOW,
            half: self.has("avx512fp16"),
            product,
            multiply_add,
            half_multiply_add,
        }
    }

    /// A product of 32-bit integers, and multiply-adds of `float` and `half` values, each of a
    /// whole vector register.
    fn timings(&self) -> [Timing; 3] {
        static NATIVE: OnceLock<[Timing; 3]> = OnceLock::new();
        let known = if self.requested.0.is_empty() { &NATIVE } else { &self.timings };
        *known.get_or_init(|| {
            let names = match self.preferred_vector_bits() {
                512 => ["VPMULLDZrr", "VFMADD213PSZr", "VFMADD213PHZr"],
                _ => ["VPMULLDYrr", "VFMADD213PSYr", "VFMADD213PHZ256r"],
            };
            let known = timings(&self.options(OptLevel::Default), &names);
            let or = |at: usize, default| known.get(at).copied().flatten().unwrap_or(default);
            let multiply_add = vectorize::Core::MULTIPLY_ADD;
            [or(0, vectorize::Core::PRODUCT), or(1, multiply_add), or(2, multiply_add)]
        })
    }

    fn options(&self, level: OptLevel) -> TargetOptions {
        TargetOptions {
            triple: self.triple.clone(),
            cpu: self.processor().cpu.clone(),
            features: self.processor().delta.clone(),
            level,
            fast_fusion: false,
            pic: true,
            abi: String::new(),
            medium: false,
        }
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
        TargetMachine::new(&self.options(level))
    }

    fn tune(&self, module: &Module<'_>) {
        let bits = self.preferred_vector_bits().to_string();
        for f in module.definitions() {
            f.add_string_attribute("prefer-vector-width", &bits);
        }
    }

    fn lanes(&self) -> Option<vectorize::Options> {
        match self.vectors {
            Vectors::Llvm => None,
            vectors => {
                let bits = self.preferred_vector_bits();
                // Tests with a fixed number of lanes get one vector at a time.
                let options = vectors.options(bits / 32, self.rest)?;
                let core = (vectors == Vectors::Faster).then(|| self.core());
                Some(vectorize::Options { core, interleave: true, ..options })
            }
        }
    }

    fn estimates_roots(&self) -> bool {
        self.has("avx512f") && self.has("avx512vl")
    }

    fn masked_accesses(&self) -> bool {
        cfg!(target_arch = "x86_64") && !self.has("avx512f")
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
    fn processors_differ_in_their_latencies() {
        let timing = |latency, operations| Timing { latency, operations };
        let avx512 = "+avx512f,+avx512vl,+avx512bw,+avx512dq";
        assert_eq!(Target::new("znver4", avx512).timings()[..2], [timing(3, 1), timing(4, 1)]);
        assert_eq!(
            Target::new("sapphirerapids", &format!("{avx512},+avx512fp16")).timings(),
            [timing(10, 2), timing(4, 1), timing(5, 1)]
        );
        assert_eq!(Target::new("haswell", "").timings()[..2], [timing(10, 2), timing(5, 1)]);
        // LLVM has no scheduling model with these instructions, so the usual values count.
        let usual = [vectorize::Core::PRODUCT, vectorize::Core::MULTIPLY_ADD];
        assert_eq!(Target::new("i386", "").timings()[..2], usual);
    }

    #[test]
    fn only_missing_features_change_the_native_processor() {
        let native = Target::native();
        let told = Target::new("", "+sse2,+avx512f,+avx");
        assert_eq!(
            (told.features(), &told.processor().delta),
            (native.features(), &native.processor().delta)
        );
        let less = Target::new("", "+avx,-avx512f");
        assert!(
            less.processor().delta.ends_with(",-avx512f") && less.preferred_vector_bits() == 256
        );
        assert!(less.machine(OptLevel::Default).is_ok());
        assert_eq!(Target::new("x86-64", "+avx").features(), "+avx");
    }
}
