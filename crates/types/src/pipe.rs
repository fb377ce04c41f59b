//! The layout of a pipe's memory, which the host initialises and kernels use through the library's
//! pipe functions.
//!
//! All words have 32 bits and are little endian:
//!
//! | offset in bytes | content |
//! |---|---|
//! | 0 | the maximum number of packets |
//! | 4 | bytes of a packet |
//! | 8 | the number of slots (a power of two) minus one |
//! | 12 | offset of the first slot |
//! | 16 | the number of packets in the pipe |
//! | 64 | the position of the next read, on a cache line of its own |
//! | 128 | the position of the next write, on a cache line of its own |
//! | 192 | one sequence number per slot, then the slots |
//!
//! Not here: how kernels move packets.

/// Offset of the sequence numbers.
const SEQUENCE_NUMBERS: usize = 192;
/// Offsets of the positions of the next read and the next write.
const POSITIONS: [usize; 2] = [64, 128];
/// Alignment of the first slot in bytes.
const ALIGN: usize = 128;

/// The memory of an empty pipe of `packets` packets of `packet` bytes each: the bytes before the
/// slots, and the size of the whole in bytes.
///
/// `None` if a number is 0, if there are more than 2^30 slots, or if memory is exhausted.
#[must_use]
pub fn empty(packet: u32, packets: u32) -> Option<(Vec<u8>, u64)> {
    // The low bits of a position are the slot's index. A sequence number tells three states of the
    // slot apart, which takes at least two slots.
    let slots = packets.checked_next_power_of_two().filter(|_| packet != 0 && packets != 0)?.max(2);
    if slots > 1 << 30 {
        return None;
    }
    let count = usize::try_from(slots).ok()?;
    let data = (SEQUENCE_NUMBERS + 4 * count).next_multiple_of(ALIGN);
    let size = u64::from(slots).checked_mul(packet.into())?.checked_add(data as u64)?;
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(data).ok()?;
    bytes.resize(data, 0);
    let mut word = |at: usize, value: u32| bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
    for (i, value) in
        [packets, packet, slots - 1, u32::try_from(data).ok()?].into_iter().enumerate()
    {
        word(4 * i, value);
    }
    // Both positions start at the number of slots, so that a position minus the number of slots is
    // never negative.
    for at in POSITIONS {
        word(at, slots);
    }
    for (i, number) in (0..count).zip(slots..) {
        word(SEQUENCE_NUMBERS + 4 * i, number);
    }
    Some((bytes, size))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layout() {
        let (bytes, size) = empty(12, 5).unwrap();
        let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
        assert_eq!([0, 4, 8, 12, 16, 64, 128].map(word), [5, 12, 7, 256, 0, 8, 8]);
        assert_eq!([192, 220].map(word), [8, 15]);
        assert_eq!((bytes.len(), size), (256, 256 + 8 * 12));
        assert_eq!(empty(4, 1).unwrap().1, 256 + 8);
        assert!(empty(0, 4).is_none() && empty(4, 0).is_none() && empty(4, u32::MAX).is_none());
    }
}
