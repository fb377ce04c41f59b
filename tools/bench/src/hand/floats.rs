//! Work that is bound by floating-point arithmetic.

use std::arch::x86_64::{
    _CMP_LT_OQ, _mm512_add_ps, _mm512_cmp_ps_mask, _mm512_fmadd_ps, _mm512_mask_add_epi32,
    _mm512_mul_ps, _mm512_rsqrt14_ps, _mm512_set1_epi32, _mm512_set1_ps, _mm512_setr_ps,
    _mm512_setzero_ps, _mm512_setzero_si512, _mm512_sub_ps,
};

use anyhow::Result;
use rayon::prelude::*;

use super::time;
use super::vectors::{LANES, load, store, store_words};
use crate::compute::linear_algebra::{self, GEMM};
use crate::compute::math::{self, BODIES, SIDE};
use crate::compute::numbers;

/// Columns and rows of the product that a step keeps in registers.
const COLUMNS: usize = 2 * LANES;
const ROWS: usize = 8;

pub(crate) fn sgemm() -> Result<f64> {
    let (a, b) = (numbers(GEMM * GEMM), numbers(GEMM * GEMM));
    // The right matrix, `COLUMNS` columns after another.
    let mut panels = vec![[[0.0_f32; COLUMNS]; GEMM]; GEMM / COLUMNS];
    let mut product = vec![0.0_f32; GEMM * GEMM];
    let seconds = time(|| {
        panels.par_iter_mut().enumerate().for_each(|(number, panel)| {
            for (to, row) in panel.iter_mut().zip(b.chunks_exact(GEMM)) {
                to.copy_from_slice(&row[number * COLUMNS..][..COLUMNS]);
            }
        });
        let bands = product.par_chunks_mut(ROWS * GEMM).zip(a.par_chunks(ROWS * GEMM));
        bands.with_min_len(8).for_each(|(product, a)| {
            for (number, panel) in panels.iter().enumerate() {
                // SAFETY: the processor has AVX-512 (`super::has_avx512`).
                unsafe { block(a, panel, product, number * COLUMNS) }
            }
        });
    })?;
    linear_algebra::check_product(&a, &b, &product)?;
    Ok(seconds)
}

/// `ROWS` rows and `COLUMNS` columns of the product, from column `first` on.
#[target_feature(enable = "avx512f")]
fn block(a: &[f32], panel: &[[f32; COLUMNS]; GEMM], product: &mut [f32], first: usize) {
    let mut sums = [[_mm512_setzero_ps(); 2]; ROWS];
    let Ok(a): Result<&[f32; ROWS * GEMM], _> = a.try_into() else { return };
    for (k, row) in panel.iter().enumerate() {
        let (b, _) = row.as_chunks();
        let b = [load(&b[0]), load(&b[1])];
        for (r, sums) in sums.iter_mut().enumerate() {
            let factor = _mm512_set1_ps(a[r * GEMM + k]);
            for (sum, b) in sums.iter_mut().zip(b) {
                *sum = _mm512_fmadd_ps(factor, b, *sum);
            }
        }
    }
    for (sums, row) in sums.iter().zip(product.chunks_exact_mut(GEMM)) {
        let (to, _) = row[first..][..COLUMNS].as_chunks_mut();
        store(&mut to[0], sums[0]);
        store(&mut to[1], sums[1]);
    }
}

pub(crate) fn n_body() -> Result<f64> {
    let body = numbers(BODIES * 4);
    let speed = vec![math::SPEED; BODIES * 4];
    let axis = |axis: usize| body.iter().skip(axis).step_by(4).copied().collect::<Vec<_>>();
    let mut moved = vec![0.0; BODIES * 4];
    let seconds = time(|| {
        let by_axis = [axis(0), axis(1), axis(2)];
        moved.par_chunks_mut(4 * LANES).enumerate().for_each(|(number, moved)| {
            let first = number * LANES;
            // SAFETY: the processor has AVX-512 (`super::has_avx512`).
            let force = unsafe { forces(&body, &by_axis, first) };
            for (lane, moved) in moved.chunks_exact_mut(4).enumerate() {
                let at = (first + lane) * 4;
                for axis in 0..3 {
                    let v = speed[at + axis] + force[axis][lane] * math::STEP;
                    moved[axis] = body[at + axis] + v * math::STEP;
                }
                moved[3] = body[at + 3];
            }
        });
    })?;
    math::check_bodies(&body, &moved)?;
    Ok(seconds)
}

/// The forces on the bodies from `first` on, by axis.
#[target_feature(enable = "avx512f")]
fn forces(body: &[f32], by_axis: &[Vec<f32>; 3], first: usize) -> [[f32; LANES]; 3] {
    let mut force = [_mm512_setzero_ps(); 3];
    let mut me = force;
    for (me, all) in me.iter_mut().zip(by_axis) {
        *me = load(&all[first..].as_chunks().0[0]);
    }
    let (half, three_halves) = (_mm512_set1_ps(0.5), _mm512_set1_ps(1.5));
    for other in body.as_chunks::<4>().0 {
        let dx = _mm512_sub_ps(_mm512_set1_ps(other[0]), me[0]);
        let dy = _mm512_sub_ps(_mm512_set1_ps(other[1]), me[1]);
        let dz = _mm512_sub_ps(_mm512_set1_ps(other[2]), me[2]);
        let square = _mm512_fmadd_ps(dx, dx, _mm512_set1_ps(0.01));
        let square = _mm512_fmadd_ps(dz, dz, _mm512_fmadd_ps(dy, dy, square));
        // One step of Newton's method makes the estimate exact to about 2^-23.
        let r = _mm512_rsqrt14_ps(square);
        let error = _mm512_mul_ps(_mm512_mul_ps(square, half), _mm512_mul_ps(r, r));
        let r = _mm512_mul_ps(r, _mm512_sub_ps(three_halves, error));
        let factor = _mm512_mul_ps(_mm512_set1_ps(other[3]), r);
        let factor = _mm512_mul_ps(factor, _mm512_mul_ps(r, r));
        for (force, d) in force.iter_mut().zip([dx, dy, dz]) {
            *force = _mm512_fmadd_ps(d, factor, *force);
        }
    }
    let mut out = [[0.0; LANES]; 3];
    for (out, force) in out.iter_mut().zip(force) {
        store(out, force);
    }
    out
}

pub(crate) fn mandelbrot() -> Result<f64> {
    let mut out = vec![0_u32; SIDE * SIDE];
    let seconds = time(|| {
        out.par_chunks_mut(SIDE).zip(0..math::N).for_each(|(row, y)| {
            // SAFETY: the processor has AVX-512 (`super::has_avx512`).
            unsafe { mandelbrot_row(row, y) }
        });
    })?;
    math::check_mandelbrot(&out)?;
    Ok(seconds)
}

/// Vectors of points that iterate together, which hides the latency of the arithmetic.
const TOGETHER: usize = 4;

#[target_feature(enable = "avx512f")]
fn mandelbrot_row(row: &mut [u32], y: u16) {
    let side = f32::from(math::N);
    let cy = _mm512_set1_ps(-1.25 + 2.5 * f32::from(y) / side);
    let lanes = _mm512_setr_ps(
        0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0,
    );
    let (scale, four, one) =
        (_mm512_set1_ps(2.5 / side), _mm512_set1_ps(4.0), _mm512_set1_epi32(1));
    let (points, _) = row.as_chunks_mut::<LANES>();
    let mut px = 0.0;
    for points in points.chunks_exact_mut(TOGETHER) {
        let mut cx = [_mm512_setzero_ps(); TOGETHER];
        for cx in &mut cx {
            let at = _mm512_add_ps(_mm512_set1_ps(px), lanes);
            *cx = _mm512_fmadd_ps(at, scale, _mm512_set1_ps(-2.0));
            px += 16.0;
        }
        let (mut x, mut y) = ([_mm512_setzero_ps(); TOGETHER], [_mm512_setzero_ps(); TOGETHER]);
        let mut count = [_mm512_setzero_si512(); TOGETHER];
        let mut inside = [u16::MAX; TOGETHER];
        for _ in 0..math::LIMIT {
            for i in 0..TOGETHER {
                let (xx, yy) = (_mm512_mul_ps(x[i], x[i]), _mm512_mul_ps(y[i], y[i]));
                inside[i] &= _mm512_cmp_ps_mask::<_CMP_LT_OQ>(_mm512_add_ps(xx, yy), four);
                count[i] = _mm512_mask_add_epi32(count[i], inside[i], count[i], one);
                y[i] = _mm512_fmadd_ps(_mm512_add_ps(x[i], x[i]), y[i], cy);
                x[i] = _mm512_add_ps(_mm512_sub_ps(xx, yy), cx[i]);
            }
            if inside == [0; TOGETHER] {
                break;
            }
        }
        for (to, count) in points.iter_mut().zip(count) {
            store_words(to, count);
        }
    }
}
