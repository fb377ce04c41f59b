//! The memory of a pipe, as the host makes it and as kernels use it (the builtin library's pipe
//! functions).
//!
//! A header: most packets, bytes of a packet, number of slots less one, where the first slot
//! begins, and packets there, then the positions of the next read and the next write, each on a
//! cache line of its own; a turn for each slot; the slots. All words are 32 bits wide, little
//! endian. Not here: how kernels move packets through it.

/// Where the turns begin.
const TURNS: usize = 192;
/// Where the positions of the next read and the next write are.
const POSITIONS: [usize; 2] = [64, 128];
/// Slots begin at a multiple of this.
const ALIGN: usize = 128;

/// The memory of an empty pipe of `packets` packets of `packet` bytes; `None` if it has no size, or
/// too much of it. Only the part before the slots is given, with the size of the whole.
#[must_use]
pub fn empty(packet: u32, packets: u32) -> Option<(Vec<u8>, u64)> {
    // A slot is known by the low bits of a position; a turn must tell its three states apart.
    let slots = packets.checked_next_power_of_two().filter(|_| packet != 0 && packets != 0)?.max(2);
    if slots > 1 << 30 {
        return None;
    }
    let count = usize::try_from(slots).ok()?;
    let data = (TURNS + 4 * count).next_multiple_of(ALIGN);
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
    // As if as many packets had been written and read as there are slots: then no position before
    // the first write is negative.
    for at in POSITIONS {
        word(at, slots);
    }
    for (i, turn) in (0..count).zip(slots..) {
        word(TURNS + 4 * i, turn);
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
