//! Copies whose stores bypass the caches, and the order of such stores with others.
//!
//! An ordinary store first loads its cache line from memory. A copy that is larger than the caches
//! therefore moves every destination line twice; streaming stores move it once.

/// Minimum size of a copy with streaming stores, in bytes. Smaller copies may stay in the caches,
/// so that the next command finds them there.
pub(crate) const MIN_BYTES: usize = 32 << 20;

/// Copies `bytes` bytes with streaming stores. They are visible to other threads as soon as later
/// stores of this thread are.
///
/// # Safety
/// Both ranges are valid, and they do not overlap.
#[cfg(target_arch = "x86_64")]
pub(crate) unsafe fn copy(src: *const u8, dst: *mut u8, bytes: usize) {
    use std::arch::x86_64::{__m128i, _mm_loadu_si128, _mm_stream_si128};

    /// Size of a cache line. The processor combines the stores to a line into one transfer.
    const LINE: usize = 64;
    /// Size of a streaming store.
    const PART: usize = size_of::<__m128i>();

    let head = dst.align_offset(LINE).min(bytes);
    // SAFETY: the ranges are valid, as the caller guarantees.
    unsafe { dst.copy_from_nonoverlapping(src, head) };
    let end = bytes - (bytes - head) % LINE;
    for at in (head..end).step_by(PART) {
        // SAFETY: every x86-64 processor has the instruction. The part is inside the source.
        let part = unsafe { _mm_loadu_si128(src.wrapping_add(at).cast::<__m128i>()) };
        // SAFETY: as above. The part is inside the destination and aligned.
        unsafe { _mm_stream_si128(dst.wrapping_add(at).cast::<__m128i>(), part) };
    }
    complete();
    // SAFETY: the rest of both ranges is valid, as the caller guarantees.
    unsafe {
        dst.wrapping_add(end).copy_from_nonoverlapping(src.wrapping_add(end), bytes - end);
    }
}

/// Completes this thread's streaming stores before its later stores, which report that a command is
/// complete. Kernels have such stores by `__builtin_nontemporal_store`, and by `Nontemporal` of
/// SPIR-V.
#[inline]
pub(crate) fn complete() {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every x86-64 processor has this instruction.
    unsafe {
        std::arch::x86_64::_mm_sfence();
    }
}

/// Copies `bytes` bytes. This architecture has no streaming stores in Rust's standard library.
///
/// # Safety
/// Both ranges are valid, and they do not overlap.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) unsafe fn copy(src: *const u8, dst: *mut u8, bytes: usize) {
    // SAFETY: the ranges are valid and disjoint, as the caller guarantees.
    unsafe { dst.copy_from_nonoverlapping(src, bytes) };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_exactly_the_range() {
        let src: Vec<u8> = (0..700_u32).map(|i| u8::try_from(i % 251).unwrap()).collect();
        for start in 0..70 {
            for bytes in [0, 1, 15, 63, 64, 65, 127, 128, 200, 513] {
                let mut dst = vec![0xee_u8; 700];
                let from = &src[70 - start..70 - start + bytes];
                // SAFETY: both ranges are inside their vectors.
                unsafe { copy(from.as_ptr(), dst[start..].as_mut_ptr(), bytes) };
                assert_eq!(&dst[start..start + bytes], from);
                assert!(dst[..start].iter().chain(&dst[start + bytes..]).all(|&b| b == 0xee));
            }
        }
    }
}
