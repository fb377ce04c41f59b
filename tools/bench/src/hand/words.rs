//! Work on integers: hashes, prefix sums, histograms, sorting.

use std::arch::x86_64::{
    __m512i, _mm512_add_epi32, _mm512_alignr_epi32, _mm512_mask_blend_epi32, _mm512_max_epu32,
    _mm512_min_epu32, _mm512_mullo_epi32, _mm512_permutexvar_epi32, _mm512_rol_epi32,
    _mm512_set1_epi32, _mm512_setr_epi32, _mm512_setzero_si512, _mm512_srli_epi32,
    _mm512_xor_si512,
};
use std::cell::RefCell;

use anyhow::Result;
use rayon::prelude::*;

use super::time;
use super::vectors::{LANES, load_words, store_words};
use crate::compute::{hash, reductions, same, sorting, words};

pub(crate) fn hash_rounds() -> Result<f64> {
    let data = words(hash::WORDS, hash::SEED);
    let mut out = vec![0; data.len()];
    let seconds = time(|| {
        out.par_chunks_mut(1024).zip(data.par_chunks(1024)).for_each(|(out, data)| {
            // SAFETY: the processor has AVX-512 (`super::has_avx512`).
            unsafe { hash_part(out, data) }
        });
    })?;
    hash::check_rounds(&data, &out)?;
    Ok(seconds)
}

/// Vectors that are hashed together, which hides the latency of the multiplications.
const TOGETHER: usize = 8;

#[target_feature(enable = "avx512f")]
fn hash_part(out: &mut [u32], data: &[u32]) {
    let factor = _mm512_set1_epi32(0x85EB_CA6B_u32.cast_signed());
    let out = out.as_chunks_mut::<LANES>().0.chunks_exact_mut(TOGETHER);
    for (out, data) in out.zip(data.as_chunks::<LANES>().0.chunks_exact(TOGETHER)) {
        let mut x = [_mm512_setzero_si512(); TOGETHER];
        for (x, data) in x.iter_mut().zip(data) {
            *x = load_words(data);
        }
        for round in 0..hash::ROUNDS {
            let round = _mm512_set1_epi32(round.cast_signed());
            for x in &mut x {
                *x = _mm512_xor_si512(*x, _mm512_srli_epi32::<16>(*x));
                *x = _mm512_mullo_epi32(*x, factor);
                *x = _mm512_xor_si512(*x, _mm512_srli_epi32::<13>(*x));
                *x = _mm512_add_epi32(_mm512_rol_epi32::<5>(*x), round);
            }
        }
        for (out, x) in out.iter_mut().zip(x) {
            store_words(out, x);
        }
    }
}

pub(crate) fn scan() -> Result<f64> {
    let data = words(reductions::SCAN, 1);
    let mut out = vec![0; data.len()];
    let seconds = time(|| {
        out.par_chunks_mut(1 << 16).zip(data.par_chunks(1 << 16)).for_each(|(out, data)| {
            // SAFETY: the processor has AVX-512 (`super::has_avx512`).
            unsafe { scan_part(out, data) }
        });
    })?;
    reductions::check_scan(data, &out)?;
    Ok(seconds)
}

#[target_feature(enable = "avx512f")]
fn scan_part(out: &mut [u32], data: &[u32]) {
    let zero = _mm512_setzero_si512();
    let last = _mm512_set1_epi32(15);
    let groups = out.chunks_exact_mut(reductions::GROUP).zip(data.chunks_exact(reductions::GROUP));
    for (out, data) in groups {
        let mut before = zero;
        for (out, data) in out.as_chunks_mut().0.iter_mut().zip(data.as_chunks().0) {
            let x = load_words(data);
            let x = _mm512_add_epi32(x, _mm512_alignr_epi32::<15>(x, zero));
            let x = _mm512_add_epi32(x, _mm512_alignr_epi32::<14>(x, zero));
            let x = _mm512_add_epi32(x, _mm512_alignr_epi32::<12>(x, zero));
            let x = _mm512_add_epi32(x, _mm512_alignr_epi32::<8>(x, zero));
            let x = _mm512_add_epi32(x, before);
            before = _mm512_permutexvar_epi32(last, x);
            store_words(out, x);
        }
    }
}

/// Several tables, because an addition to a count just stored would wait for the store.
type Tables = [[u32; 256]; 4];

pub(crate) fn histogram() -> Result<f64> {
    let data = reductions::bytes();
    let mut bins = [0; 256];
    let seconds = time(|| {
        let parts = data.par_chunks(1 << 17).map(|part| {
            let mut tables: Tables = [[0; 256]; 4];
            for four in part.as_chunks::<4>().0 {
                for (table, byte) in tables.iter_mut().zip(four) {
                    table[usize::from(*byte)] += 1;
                }
            }
            tables
        });
        let sums = parts.reduce(
            || [[0; 256]; 4],
            |mut sums, part| {
                for (sum, part) in sums.iter_mut().flatten().zip(part.iter().flatten()) {
                    *sum += part;
                }
                sums
            },
        );
        bins = std::array::from_fn(|i| sums.iter().map(|table| table[i]).sum());
    })?;
    reductions::check_histogram(&data, &bins)?;
    Ok(seconds)
}

/// Keys that a thread sorts in its first-level cache.
const PART: usize = 4096;

pub(crate) fn bitonic_sort() -> Result<f64> {
    let data = words(sorting::BITONIC, sorting::SEED);
    let keys = RefCell::new(data.clone());
    let seconds = crate::rows::median_prepared(
        4,
        15,
        || {
            keys.borrow_mut().copy_from_slice(&data);
            Ok(())
        },
        || {
            sort(&mut keys.borrow_mut());
            Ok(())
        },
    )?;
    let mut wanted = data;
    wanted.sort_unstable();
    same(&keys.into_inner(), &wanted)?;
    Ok(seconds)
}

fn sort(keys: &mut [u32]) {
    let count = keys.len();
    keys.par_chunks_mut(PART).enumerate().for_each(|(number, part)| {
        let mut block = 2;
        while block <= PART {
            // SAFETY: the processor has AVX-512 (`super::has_avx512`).
            unsafe { merge_part(part, number * PART, block, block / 2) };
            block *= 2;
        }
    });
    let mut block = 2 * PART;
    while block <= count {
        let mut step = block / 2;
        while step >= PART {
            keys.par_chunks_mut(2 * step).enumerate().for_each(|(number, both)| {
                let rises = (number * 2 * step) & block == 0;
                let (low, high) = both.split_at_mut(step);
                low.par_chunks_mut(PART).zip(high.par_chunks_mut(PART)).for_each(|(low, high)| {
                    // SAFETY: as above.
                    unsafe { exchange(low, high, rises) }
                });
            });
            step /= 2;
        }
        keys.par_chunks_mut(PART).enumerate().for_each(|(number, part)| {
            // SAFETY: as above.
            unsafe { merge_part(part, number * PART, block, PART / 2) }
        });
        block *= 2;
    }
}

/// The passes of `block` with steps from `step` down to 1. `base`: the position of the first key.
#[target_feature(enable = "avx512f")]
fn merge_part(part: &mut [u32], base: usize, block: usize, mut step: usize) {
    while step >= LANES {
        for (number, both) in part.chunks_exact_mut(2 * step).enumerate() {
            let (low, high) = both.split_at_mut(step);
            exchange(low, high, (base + number * 2 * step) & block == 0);
        }
        step /= 2;
    }
    for (number, vector) in part.as_chunks_mut::<LANES>().0.iter_mut().enumerate() {
        let first = base + number * LANES;
        let mut x = load_words(vector);
        let mut lane_step = step;
        while lane_step > 0 {
            x = exchange_lanes(x, first, block, lane_step);
            lane_step /= 2;
        }
        store_words(vector, x);
    }
}

/// The smaller keys of each pair to `low`, or to `high` if the order falls.
#[inline]
#[target_feature(enable = "avx512f")]
fn exchange(low: &mut [u32], high: &mut [u32], rises: bool) {
    let pairs = low.as_chunks_mut().0.iter_mut().zip(high.as_chunks_mut().0);
    for (low, high) in pairs {
        let (a, b) = (load_words(low), load_words(high));
        let (small, large) = (_mm512_min_epu32(a, b), _mm512_max_epu32(a, b));
        let (first, second) = if rises { (small, large) } else { (large, small) };
        store_words(low, first);
        store_words(high, second);
    }
}

/// A pass with a step below the number of lanes, in a register. `first`: the position of lane 0.
#[inline]
#[target_feature(enable = "avx512f")]
fn exchange_lanes(x: __m512i, first: usize, block: usize, step: usize) -> __m512i {
    // The mask of the lanes whose position (`first` plus the lane's number) has the bit `bit`.
    let with_bit = |bit: usize| match bit {
        1 => 0xAAAA_u16,
        2 => 0xCCCC,
        4 => 0xF0F0,
        8 => 0xFF00,
        _ if first & bit != 0 => 0xFFFF,
        _ => 0,
    };
    let lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    let partner = match step {
        1 => _mm512_set1_epi32(1),
        2 => _mm512_set1_epi32(2),
        4 => _mm512_set1_epi32(4),
        _ => _mm512_set1_epi32(8),
    };
    let other = _mm512_permutexvar_epi32(_mm512_xor_si512(lanes, partner), x);
    let takes_larger = with_bit(step) ^ with_bit(block);
    _mm512_mask_blend_epi32(takes_larger, _mm512_min_epu32(x, other), _mm512_max_epu32(x, other))
}
