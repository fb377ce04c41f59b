//! Work that is bound by memory.

use std::arch::x86_64::{
    _mm_sfence, _mm512_add_ps, _mm512_fmadd_ps, _mm512_reduce_add_ps, _mm512_set1_ps,
    _mm512_setzero_ps,
};

use anyhow::Result;
use rayon::prelude::*;

use super::time;
use super::vectors::{LANES, Line, load, stream};
use crate::compute::{memory, numbers, reductions};

/// Vectors that a thread takes at once.
const PART: usize = 4096;

pub(crate) fn triad() -> Result<f64> {
    let (b, c) = (numbers(memory::TRIAD), numbers(memory::TRIAD));
    let mut out = vec![Line([0.0; LANES]); memory::TRIAD / LANES];
    let seconds = time(|| {
        let (b, c) = (b.as_chunks().0.par_chunks(PART), c.as_chunks().0.par_chunks(PART));
        out.par_chunks_mut(PART).zip(b).zip(c).for_each(|((out, b), c)| {
            // SAFETY: the processor has AVX-512 (`super::has_avx512`).
            unsafe { triad_part(out, b, c) }
        });
    })?;
    let out: Vec<f32> = out.iter().flat_map(|line| line.0).collect();
    memory::check_triad(&b, &c, &out)?;
    Ok(seconds)
}

#[target_feature(enable = "avx512f")]
fn triad_part(out: &mut [Line], b: &[[f32; LANES]], c: &[[f32; LANES]]) {
    let factor = _mm512_set1_ps(memory::TRIAD_FACTOR);
    for ((out, b), c) in out.iter_mut().zip(b).zip(c) {
        stream(out, _mm512_fmadd_ps(factor, load(c), load(b)));
    }
    _mm_sfence();
}

pub(crate) fn reduction() -> Result<f64> {
    const GROUP: usize = reductions::GROUP;
    let data = numbers(reductions::REDUCTION);
    let mut sums = vec![0.0; reductions::REDUCTION / GROUP];
    let seconds = time(|| {
        sums.par_chunks_mut(PART / 16).zip(data.par_chunks(PART / 16 * GROUP)).for_each(
            |(sums, data)| {
                for (sum, group) in sums.iter_mut().zip(data.chunks_exact(GROUP)) {
                    // SAFETY: the processor has AVX-512 (`super::has_avx512`).
                    *sum = unsafe { group_sum(group) };
                }
            },
        );
    })?;
    reductions::check_sums(&data, &sums)?;
    Ok(seconds)
}

#[target_feature(enable = "avx512f")]
fn group_sum(group: &[f32]) -> f32 {
    let mut sums = [_mm512_setzero_ps(); 4];
    for vectors in group.as_chunks().0.chunks_exact(4) {
        for (sum, vector) in sums.iter_mut().zip(vectors) {
            *sum = _mm512_add_ps(*sum, load(vector));
        }
    }
    let [a, b, c, d] = sums;
    _mm512_reduce_add_ps(_mm512_add_ps(_mm512_add_ps(a, b), _mm512_add_ps(c, d)))
}
