//! Copies between guest memory and buffers of the host.
//!
//! Harts on different threads share guest memory, and a guest program may race with itself.
//! Therefore this module never uses plain accesses: each access is a relaxed atomic of 1, 2, 4 or 8
//! bytes, which the host executes as one move. A copy is a sequence of such accesses, as large as
//! alignment allows, in unspecified order. RISC-V does not require more of vector accesses.
//!
//! Rust's memory model excludes one case: racing atomics of different sizes at one address. Such a
//! guest program also violates RISC-V's rules for C and OpenCL. All supported hosts execute each
//! access as a move of that size, and the compiler cannot merge or split relaxed atomics. The guest
//! then reads a mixture of bytes, and the host is unharmed.

use crate::access::Scalar;

/// Size in bytes of the bounce buffer in [`copy`].
const CHUNK: usize = 1024;

/// Loads `into.len()` bytes from guest memory.
///
/// # Safety
/// `into.len()` bytes of guest memory are at `from` and stay mapped during the call.
#[inline(always)]
pub(crate) unsafe fn load(from: *mut u8, into: &mut [u8]) {
    let words = if from.addr() & 7 == 0 { into.len() } else { 0 };
    match words {
        // SAFETY: the caller's promise; the address is aligned to 8.
        64 => unsafe { load_words::<8>(from, into) },
        // SAFETY: as above.
        32 => unsafe { load_words::<4>(from, into) },
        // SAFETY: as above.
        16 => unsafe { load_words::<2>(from, into) },
        // SAFETY: the caller's promise.
        _ => unsafe { load_pieces(from, into) },
    }
}

/// Stores `from.len()` bytes to guest memory.
///
/// # Safety
/// `from.len()` writable bytes of guest memory are at `to` and stay mapped during the call.
#[inline(always)]
pub(crate) unsafe fn store(from: &[u8], to: *mut u8) {
    let words = if to.addr() & 7 == 0 { from.len() } else { 0 };
    match words {
        // SAFETY: the caller's promise; the address is aligned to 8.
        64 => unsafe { store_words::<8>(from, to) },
        // SAFETY: as above.
        32 => unsafe { store_words::<4>(from, to) },
        // SAFETY: as above.
        16 => unsafe { store_words::<2>(from, to) },
        // SAFETY: the caller's promise.
        _ => unsafe { store_pieces(from, to) },
    }
}

/// Copies `len` bytes within guest memory; the ranges may overlap.
///
/// # Safety
/// `len` readable bytes of guest memory are at `from` and `len` writable bytes at `to`; both stay
/// mapped during the call.
pub(crate) unsafe fn copy(from: *mut u8, to: *mut u8, len: usize) {
    let mut buffer = [0; CHUNK];
    let mut move_chunk = |at: usize| {
        let buffer = &mut buffer[..CHUNK.min(len - at)];
        // SAFETY: the chunk at `at` is inside the range, by the caller's promise.
        unsafe { load(from.wrapping_add(at), buffer) };
        // SAFETY: as above.
        unsafe { store(buffer, to.wrapping_add(at)) };
    };
    // For overlapping ranges, the order ensures that each source chunk is read before it is
    // overwritten.
    if to.addr() <= from.addr() {
        (0..len).step_by(CHUNK).for_each(&mut move_chunk);
    } else {
        (0..len).step_by(CHUNK).rev().for_each(&mut move_chunk);
    }
}

/// # Safety
/// As [`load`], for `N * 8` bytes at an address aligned to 8.
#[inline(always)]
unsafe fn load_words<const N: usize>(from: *mut u8, into: &mut [u8]) {
    let mut words = [0; N];
    for (k, word) in words.iter_mut().enumerate() {
        // SAFETY: the caller's promise.
        *word = unsafe { u64::get(from.wrapping_add(8 * k)) };
    }
    into.copy_from_slice(bytemuck::cast_slice(&words));
}

/// # Safety
/// As [`store`], for `N * 8` bytes at an address aligned to 8.
#[inline(always)]
unsafe fn store_words<const N: usize>(from: &[u8], to: *mut u8) {
    for (k, word) in from.as_chunks::<8>().0.iter().take(N).enumerate() {
        // SAFETY: the caller's promise.
        unsafe { u64::from_ne_bytes(*word).put(to.wrapping_add(8 * k)) };
    }
}

/// Binary logarithm of the largest aligned access at `address` within `left` bytes. `left` is not
/// 0.
const fn piece(address: usize, left: usize) -> u32 {
    let (aligned, fits) = ((address | 8).trailing_zeros(), left.ilog2());
    if aligned < fits { aligned } else { fits }
}

/// # Safety
/// As [`load`].
unsafe fn load_pieces(mut from: *mut u8, mut into: &mut [u8]) {
    while !into.is_empty() {
        let n = match piece(from.addr(), into.len()) {
            3 => {
                let (words, _) = into.as_chunks_mut::<8>();
                for (k, word) in words.iter_mut().enumerate() {
                    // SAFETY: inside the range by the caller's promise; aligned by `piece`.
                    *word = unsafe { u64::get(from.wrapping_add(8 * k)) }.to_ne_bytes();
                }
                8 * words.len()
            }
            2 => {
                // SAFETY: as above.
                into[..4].copy_from_slice(&unsafe { u32::get(from) }.to_ne_bytes());
                4
            }
            1 => {
                // SAFETY: as above.
                into[..2].copy_from_slice(&unsafe { u16::get(from) }.to_ne_bytes());
                2
            }
            _ => {
                // SAFETY: as above.
                into[0] = unsafe { u8::get(from) };
                1
            }
        };
        // SAFETY: the pointer is at most one past the end of the range.
        from = unsafe { from.add(n) };
        into = &mut into[n..];
    }
}

/// # Safety
/// As [`store`].
unsafe fn store_pieces(mut from: &[u8], mut to: *mut u8) {
    while !from.is_empty() {
        let n = match piece(to.addr(), from.len()) {
            3 => {
                let (words, _) = from.as_chunks::<8>();
                for (k, word) in words.iter().enumerate() {
                    // SAFETY: inside the range by the caller's promise; aligned by `piece`.
                    unsafe { u64::from_ne_bytes(*word).put(to.wrapping_add(8 * k)) };
                }
                8 * words.len()
            }
            2 => {
                // SAFETY: as above.
                unsafe { u32::from_ne_bytes([from[0], from[1], from[2], from[3]]).put(to) };
                4
            }
            1 => {
                // SAFETY: as above.
                unsafe { u16::from_ne_bytes([from[0], from[1]]).put(to) };
                2
            }
            _ => {
                // SAFETY: as above.
                unsafe { from[0].put(to) };
                1
            }
        };
        // SAFETY: the pointer is at most one past the end of the range.
        to = unsafe { to.add(n) };
        from = &from[n..];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_of_every_size_and_alignment() {
        let pattern: Vec<u8> = (0..=255).collect();
        for offset in 0..9 {
            for len in (0..40).chain([63, 64, 65, 100]) {
                let mut memory = [0_u64; 32];
                let base: *mut u8 = memory.as_mut_ptr().cast();
                let mut back = vec![0; len];
                // SAFETY: 256 bytes are at `base`; offset and length are less than 110.
                unsafe { store(&pattern[1..=len], base.wrapping_add(offset)) };
                // SAFETY: as above.
                unsafe { load(base.wrapping_add(offset), &mut back) };
                assert_eq!(back, pattern[1..=len], "{len} bytes at {offset}");
                let bytes: &[u8] = bytemuck::cast_slice(&memory);
                let outside = bytes[..offset].iter().chain(&bytes[offset + len..]);
                assert!(outside.copied().all(|b| b == 0), "{len} bytes at {offset}");
            }
        }
    }

    #[test]
    fn ranges_of_a_copy_may_overlap() {
        let len = 2 * CHUNK + 100;
        for (from, to) in [(0, 3), (3, 0), (0, CHUNK), (CHUNK, 0), (8, 8), (0, 2 * CHUNK)] {
            let mut memory: Vec<u8> = (0..2 * len).map(|k| (k * 7 % 251) as u8).collect();
            let mut expected = memory.clone();
            expected.copy_within(from..from + len, to);
            let base = memory.as_mut_ptr();
            // SAFETY: both ranges end before `2 * len`.
            unsafe { copy(base.wrapping_add(from), base.wrapping_add(to), len) };
            assert!(memory == expected, "from {from} to {to}");
        }
    }
}
