//! Rectangles of `clEnqueue*BufferRect`: defaults, bounds, and overlap.
//!
//! Not here: moving bytes.

use muxcl_mux::RectRegion;

use crate::error::{ClError, ClResult};

/// One side of a rectangular transfer: the position of the box in a linear space, in bytes, rows
/// and slices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Side {
    /// Origin as the application gave it.
    pub origin: [usize; 3],
    /// Row pitch; 0 for the default.
    pub row_pitch: usize,
    /// Slice pitch; 0 for the default.
    pub slice_pitch: usize,
}

/// A side with its defaults filled in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// First byte of the box.
    pub start: u64,
    /// One past the last byte of the box.
    pub end: u64,
    /// Row and slice pitch.
    pub pitch: [u64; 2],
}

impl Side {
    /// Checks the pitches against `region` (bytes, rows, slices) and computes the extent: the rules
    /// of `clEnqueueReadBufferRect` (specification, section 5.2.2).
    ///
    /// # Errors
    /// `CL_INVALID_VALUE` for an empty region, a pitch that is too small, a slice pitch that is no
    /// multiple of the row pitch, and an extent beyond the address space.
    pub fn extent(&self, region: [usize; 3]) -> ClResult<Extent> {
        let invalid = ClError::INVALID_VALUE;
        let [width, rows, slices] = region.map(|v| v as u64);
        // CL_INVALID_VALUE if any region array element is 0.
        if width == 0 || rows == 0 || slices == 0 {
            return Err(invalid);
        }
        // CL_INVALID_VALUE if row_pitch is not 0 and is less than region[0].
        let row = if self.row_pitch == 0 { width } else { self.row_pitch as u64 };
        if row < width {
            return Err(invalid);
        }
        // CL_INVALID_VALUE if slice_pitch is not 0 and is less than region[1] x row_pitch or not a
        // multiple of row_pitch.
        let least = rows.checked_mul(row).ok_or(invalid)?;
        let slice = if self.slice_pitch == 0 { least } else { self.slice_pitch as u64 };
        if slice < least || !slice.is_multiple_of(row) {
            return Err(invalid);
        }
        let [x, y, z] = self.origin.map(|v| v as u64);
        let start = (|| z.checked_mul(slice)?.checked_add(y.checked_mul(row)?)?.checked_add(x))()
            .ok_or(invalid)?;
        let rect = RectRegion {
            region: [width, rows, slices],
            src_offset: 0,
            src_pitch: [0; 2],
            dst_offset: 0,
            dst_pitch: [0; 2],
        };
        let end = rect.end(start, [row, slice]).ok_or(invalid)?;
        Ok(Extent { start, end, pitch: [row, slice] })
    }
}

/// The Mux form of a transfer from one side to another.
#[must_use]
pub fn region(region: [usize; 3], src: &Extent, dst: &Extent) -> RectRegion {
    RectRegion {
        region: region.map(|v| v as u64),
        src_offset: src.start,
        src_pitch: src.pitch,
        dst_offset: dst.start,
        dst_pitch: dst.pitch,
    }
}

/// True if two boxes of the same region and pitches, starting at `a` and `b` in one space, share a
/// byte. The result is exact.
///
/// Row `(y, z)` of one box overlaps row `(y', z')` of the other if their starts are less than a
/// row's width apart, which depends on `y - y'` and `z - z'` only. For each slice difference the
/// function tries the nearest row differences.
#[must_use]
pub fn overlap(region: [usize; 3], pitch: [u64; 2], a: u64, b: u64) -> bool {
    let [width, rows, slices] = region.map(|v| v as i128);
    let (row, slice) = (i128::from(pitch[0]), i128::from(pitch[1]));
    let distance = i128::from(b) - i128::from(a);
    // Slice differences at which the boxes can overlap at all.
    let reach = (rows - 1) * row + width;
    let low = ((-distance - reach).div_euclid(slice)).max(1 - slices);
    let high = ((-distance + reach).div_euclid(slice) + 1).min(slices - 1);
    (low..=high).any(|dz| {
        let left = distance + dz * slice;
        let nearest = (-left).div_euclid(row);
        [nearest, nearest + 1].into_iter().any(|dy| {
            let dy = dy.clamp(1 - rows, rows - 1);
            (left + dy * row).abs() < width
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn defaults_and_bounds() {
        let side = |origin, row_pitch, slice_pitch| Side { origin, row_pitch, slice_pitch };
        let p = side([1, 2, 3], 0, 0).extent([4, 5, 6]).unwrap();
        assert_eq!(
            p,
            Extent { start: 3 * 20 + 2 * 4 + 1, end: 69 + 5 * 20 + 4 * 4 + 4, pitch: [4, 20] }
        );
        assert!(side([0; 3], 3, 0).extent([4, 1, 1]).is_err());
        assert!(side([0; 3], 4, 7).extent([4, 2, 1]).is_err());
        assert!(side([0; 3], 4, 12).extent([4, 2, 2]).is_ok());
        assert!(side([0; 3], 4, 10).extent([4, 2, 2]).is_err(), "no multiple of the row pitch");
        assert!(side([0; 3], 0, 0).extent([4, 0, 1]).is_err());
        assert!(side([0, 0, usize::MAX], 0, 0).extent([4, 2, 1]).is_err());
        assert!(side([0; 3], usize::MAX, 0).extent([4, 2, 2]).is_err());
    }

    fn bytes(region: [usize; 3], pitch: [u64; 2], start: u64) -> BTreeSet<u64> {
        let mut set = BTreeSet::new();
        for z in 0..region[2] as u64 {
            for y in 0..region[1] as u64 {
                set.extend((0..region[0] as u64).map(|x| start + z * pitch[1] + y * pitch[0] + x));
            }
        }
        set
    }

    #[test]
    fn overlap_is_exact() {
        let mut random = fastrand::Rng::with_seed(7);
        let mut next = |n: u64| random.u64(..n);
        let (mut yes, mut no) = (0, 0);
        for _ in 0..20_000 {
            let region = [5, 4, 4].map(|n| 1 + usize::try_from(next(n)).unwrap());
            let row = region[0] as u64 + next(6);
            let pitch = [row, row * region[1] as u64 + next(9)];
            let (a, b) = (next(120), next(120));
            let really = !bytes(region, pitch, a).is_disjoint(&bytes(region, pitch, b));
            assert_eq!(overlap(region, pitch, a, b), really, "{region:?} {pitch:?} {a} {b}");
            if really { yes += 1 } else { no += 1 }
        }
        assert!(yes > 1000 && no > 1000, "both outcomes were tried: {yes} {no}");
    }
}
