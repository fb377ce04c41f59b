//! Chains of multiply-adds in vector registers, enough of them to keep all units busy.
//!
//! Invariant: the functions compute in registers only. Not here: time.

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{
    _mm256_fmadd_pd, _mm256_fmadd_ps, _mm256_set1_pd, _mm256_set1_ps, _mm512_fmadd_pd,
    _mm512_fmadd_ps, _mm512_set1_pd, _mm512_set1_ps,
};
use std::hint::black_box;

/// Number of chains: the latency of a multiply-add is 4 to 5 cycles, and two units are common. With
/// two constants they fit 16 registers.
#[cfg(target_arch = "x86_64")]
const CHAINS: usize = 12;

#[cfg(target_arch = "x86_64")]
macro_rules! chains {
    ($name:ident, $features:literal, $set:ident, $multiply_add:ident, $lanes:literal) => {
        #[target_feature(enable = $features)]
        fn $name(rounds: u32) -> u64 {
            let (by, more) = ($set(black_box(0.5)), $set(black_box(1.0)));
            let mut chains = [more; CHAINS];
            for _ in 0..rounds {
                for chain in &mut chains {
                    *chain = $multiply_add(*chain, by, more);
                }
            }
            black_box(&chains);
            u64::from(rounds) * CHAINS as u64 * 2 * $lanes
        }
    };
}

#[cfg(target_arch = "x86_64")]
chains!(single_512, "avx512f", _mm512_set1_ps, _mm512_fmadd_ps, 16);
#[cfg(target_arch = "x86_64")]
chains!(double_512, "avx512f", _mm512_set1_pd, _mm512_fmadd_pd, 8);
#[cfg(target_arch = "x86_64")]
chains!(single_256, "avx,fma", _mm256_set1_ps, _mm256_fmadd_ps, 8);
#[cfg(target_arch = "x86_64")]
chains!(double_256, "avx,fma", _mm256_set1_pd, _mm256_fmadd_pd, 4);

macro_rules! widest {
    ($(#[$doc:meta])* $name:ident, $wide:ident, $narrow:ident) => {
        $(#[$doc])*
        pub(crate) fn $name(rounds: u32) -> u64 {
            #[cfg(target_arch = "x86_64")]
            if std::is_x86_feature_detected!("avx512f") {
                // SAFETY: the processor has the feature.
                return unsafe { $wide(rounds) };
            } else if std::is_x86_feature_detected!("avx") && std::is_x86_feature_detected!("fma") {
                // SAFETY: the processor has the features.
                return unsafe { $narrow(rounds) };
            }
            black_box(rounds);
            0
        }
    };
}

widest! {
    /// Executes `rounds` multiply-adds of `float` in each chain. Returns the number of operations;
    /// 0 on a processor for which this file has no chains.
    single, single_512, single_256
}
widest! {
    /// [`single`] for `double`.
    double, double_512, double_256
}
