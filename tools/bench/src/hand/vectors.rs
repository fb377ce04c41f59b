//! Loads and stores of whole vectors of 16 elements.

use std::arch::x86_64::{__m512, __m512i, _mm512_loadu_ps, _mm512_loadu_si512};
use std::arch::x86_64::{_mm512_storeu_ps, _mm512_storeu_si512, _mm512_stream_ps};

/// Elements of a vector.
pub(super) const LANES: usize = 16;

/// The memory of a vector, aligned for stores that bypass the caches.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct Line(pub(super) [f32; LANES]);

#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn load(from: &[f32; LANES]) -> __m512 {
    // SAFETY: the array has 64 bytes; the instruction needs no alignment.
    unsafe { _mm512_loadu_ps(from.as_ptr()) }
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn store(to: &mut [f32; LANES], value: __m512) {
    // SAFETY: as in `load`.
    unsafe { _mm512_storeu_ps(to.as_mut_ptr(), value) }
}

/// Stores without reading the line into the caches first.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn stream(to: &mut Line, value: __m512) {
    // SAFETY: the type has 64 bytes and the alignment that the instruction needs.
    unsafe { _mm512_stream_ps(to.0.as_mut_ptr(), value) }
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn load_words(from: &[u32; LANES]) -> __m512i {
    // SAFETY: as in `load`.
    unsafe { _mm512_loadu_si512(from.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn store_words(to: &mut [u32; LANES], value: __m512i) {
    // SAFETY: as in `load`.
    unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), value) }
}
