//! Copies, fills and rectangles as numbered blocks. A small transfer is one block; a large one is
//! split over threads.
//!
//! Invariant: blocks touch disjoint destinations, and blocks of a copy whose ranges overlap are
//! never split.

use crate::streaming;
use muxcl_mux::RectRegion;
use std::ops::Range;

/// Bytes of a block of a linear transfer.
const BLOCK: usize = 64 << 10;
/// Transfers up to this size, in bytes, are not split: waking a thread takes longer.
const SMALL: usize = 256 << 10;

/// One transfer.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Transfer {
    Copy { src: *const u8, dst: *mut u8, bytes: usize },
    Fill { dst: *mut u8, bytes: usize, pattern: *const u8, step: usize },
    Rect { src: *const u8, dst: *mut u8, rect: *const RectRegion },
}

// SAFETY: plain addresses, valid on every thread while the command lives.
unsafe impl Send for Transfer {}
// SAFETY: as above.
unsafe impl Sync for Transfer {}

impl Transfer {
    /// Number of blocks (rows of a rectangle).
    pub(crate) fn units(&self) -> u64 {
        match *self {
            Self::Copy { src, dst, bytes } if src.addr().abs_diff(dst.addr()) < bytes => 1,
            Self::Copy { bytes, .. } | Self::Fill { bytes, .. } => bytes.div_ceil(BLOCK) as u64,
            Self::Rect { rect, .. } => {
                // SAFETY: the rectangle is part of the command, which lives while its work does.
                let rect = unsafe { &*rect };
                rect.region[1] * rect.region[2]
            }
        }
    }

    /// Number of blocks to move before the first reading of the clock.
    pub(crate) fn probe(&self) -> u64 {
        let block = match *self {
            Self::Copy { .. } | Self::Fill { .. } => BLOCK,
            Self::Rect { rect, .. } => {
                // SAFETY: as in `units`.
                let rect = unsafe { &*rect };
                usize::try_from(rect.region[0]).unwrap_or(usize::MAX)
            }
        };
        (SMALL / block.max(1)).max(1) as u64
    }

    /// Moves blocks.
    pub(crate) fn run(&self, units: Range<u64>) {
        match *self {
            Self::Copy { src, dst, bytes } => {
                let whole = self.units() == 1;
                let range = if whole { 0..bytes } else { byte_range(&units, bytes) };
                let (from, to) = (src.wrapping_add(range.start), dst.wrapping_add(range.start));
                if bytes < streaming::MIN_BYTES || whole {
                    copy(from, to, range.len());
                } else {
                    // SAFETY: the ranges are valid, as in `copy`. A copy of several blocks has
                    // disjoint ranges (see `units`).
                    unsafe { streaming::copy(from, to, range.len()) };
                }
            }
            Self::Fill { dst, bytes, pattern, step } => {
                let range = byte_range(&units, bytes);
                fill(dst.wrapping_add(range.start), range.len(), pattern, step);
            }
            Self::Rect { src, dst, rect } => {
                // SAFETY: as in `units`.
                let rect = unsafe { &*rect };
                rows(rect, src, dst, units);
            }
        }
    }
}

fn byte_range(units: &Range<u64>, bytes: usize) -> Range<usize> {
    let at =
        |unit: u64| usize::try_from(unit).unwrap_or(usize::MAX).saturating_mul(BLOCK).min(bytes);
    at(units.start)..at(units.end)
}

fn copy(src: *const u8, dst: *mut u8, bytes: usize) {
    if !std::ptr::eq(src, dst) {
        // SAFETY: the front end checked the ranges against the buffers, which the command keeps
        // alive; the code that recorded the command promised valid host pointers. `copy` allows
        // overlap.
        unsafe { std::ptr::copy(src, dst, bytes) };
    }
}

fn fill(dst: *mut u8, bytes: usize, pattern: *const u8, step: usize) {
    if step == 1 {
        // SAFETY: the pattern has at least a byte; the range is inside the buffer.
        let value = unsafe { pattern.read() };
        // SAFETY: as above.
        unsafe { dst.write_bytes(value, bytes) };
        return;
    }
    // Copies the pattern once, then doubles the written bytes, up to a piece that stays in the
    // first-level cache.
    const PIECE: usize = 8 << 10;
    let first = bytes.min(step);
    // SAFETY: blocks start at multiples of the pattern, whose size divides the block's.
    unsafe { dst.copy_from_nonoverlapping(pattern, first) };
    let mut done = first;
    while done < bytes {
        let next = done.min(PIECE).min(bytes - done);
        let to = dst.wrapping_add(done);
        // SAFETY: the first `next` bytes are written; the bytes from `done` on are inside the range
        // and after them.
        unsafe { to.copy_from_nonoverlapping(dst, next) };
        done += next;
    }
}

fn rows(rect: &RectRegion, src: *const u8, dst: *mut u8, units: Range<u64>) {
    let [width, height, _] = rect.region;
    let index = |offset: u64, pitch: [u64; 2], y: u64, z: u64| {
        usize::try_from(offset + y * pitch[0] + z * pitch[1]).unwrap_or(usize::MAX)
    };
    let width = usize::try_from(width).unwrap_or(0);
    for row in units {
        let (y, z) = (row % height, row / height);
        let from = src.wrapping_add(index(rect.src_offset, rect.src_pitch, y, z));
        let to = dst.wrapping_add(index(rect.dst_offset, rect.dst_pitch, y, z));
        copy(from, to, width);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fills_repeat_the_pattern() {
        for step in [1usize, 2, 4, 8, 16, 32, 64, 128] {
            let pattern: Vec<u8> = (0..step).map(|i| u8::try_from(i * 37 % 251).unwrap()).collect();
            for count in [1usize, 2, 3, 77, 5000] {
                let mut bytes = vec![0xee; step * count + 1];
                let fill = Transfer::Fill {
                    dst: bytes.as_mut_ptr(),
                    bytes: step * count,
                    pattern: pattern.as_ptr(),
                    step,
                };
                for unit in (0..fill.units()).rev() {
                    fill.run(unit..unit + 1);
                }
                assert!(bytes[..step * count].chunks(step).all(|c| c == pattern));
                assert_eq!(bytes[step * count], 0xee);
            }
        }
    }

    #[test]
    fn copies_split_and_overlap() {
        let src: Vec<u8> = (0..300_000u32).map(|i| u8::try_from(i % 253).unwrap()).collect();
        let mut dst = vec![0u8; src.len()];
        let copy = Transfer::Copy { src: src.as_ptr(), dst: dst.as_mut_ptr(), bytes: src.len() };
        assert_eq!(copy.units(), 5);
        for unit in [4, 0, 2, 1, 3] {
            copy.run(unit..unit + 1);
        }
        assert_eq!(src, dst);
        let base = dst.as_mut_ptr();
        let shifted =
            Transfer::Copy { src: base, dst: base.wrapping_add(10), bytes: dst.len() - 10 };
        assert_eq!(shifted.units(), 1);
        shifted.run(0..1);
        assert_eq!(dst[10..], src[..src.len() - 10]);
    }

    #[test]
    fn large_copies_use_streaming_stores() {
        let large = streaming::MIN_BYTES + 77;
        let src: Vec<u8> = (0..large + 9).map(|i| (i * 7 / 5).to_le_bytes()[0]).collect();
        let mut far = vec![0_u8; large + 9];
        let (from, to) = (src[9..].as_ptr(), far[5..].as_mut_ptr());
        let copy = Transfer::Copy { src: from, dst: to, bytes: large };
        copy.run(100..copy.units());
        copy.run(0..100);
        assert!(far[5..5 + large] == src[9..]);
        assert!(far[..5].iter().chain(&far[5 + large..]).all(|&b| b == 0));
    }
}
