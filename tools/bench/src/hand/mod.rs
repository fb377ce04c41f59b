//! The work of some benchmark rows, written by hand for AVX-512 and all CPUs. Its times show what
//! the machine can achieve.
//!
//! Invariant: each function computes what the row's kernel computes, from the same data, and its
//! result passes the row's check. It may order the work in any way and use registers for several
//! work-items at once. Machines without AVX-512 have no such numbers. Not here: the rows
//! (`compute`).

#[cfg(target_arch = "x86_64")]
mod floats;
#[cfg(target_arch = "x86_64")]
mod memory;
#[cfg(target_arch = "x86_64")]
mod vectors;
#[cfg(target_arch = "x86_64")]
mod words;

use anyhow::Result;

/// A function for a row. On other processors it fails.
macro_rules! rows {
    ($($name:ident in $module:ident),*) => {
        $(pub(crate) fn $name() -> Result<f64> {
            #[cfg(target_arch = "x86_64")]
            if has_avx512() {
                return $module::$name();
            }
            anyhow::bail!("this machine has no AVX-512")
        })*
    };
}

rows!(
    triad in memory, reduction in memory,
    sgemm in floats, n_body in floats, mandelbrot in floats,
    hash_rounds in words, scan in words, histogram in words, bitonic_sort in words
);

/// True if the processor has the instructions that this module uses.
#[cfg(target_arch = "x86_64")]
fn has_avx512() -> bool {
    is_x86_feature_detected!("avx512f")
}

/// The median time of `work`, as for kernels.
#[cfg(target_arch = "x86_64")]
fn time(mut work: impl FnMut()) -> Result<f64> {
    crate::rows::median(4, 15, || {
        work();
        Ok(())
    })
}
