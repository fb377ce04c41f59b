//! Layout of a kernel's packed arguments (seeds, HAL specification, "Packed Arguments"): each argument lies at the next
//! multiple of the smallest power of two that is at least its size. Local arguments are a size word.

use crate::program::{ArgInfo, ArgKind};

/// Where each argument lies, and the size of the whole, in bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackedLayout {
    /// Offset of each argument.
    pub offsets: Vec<u32>,
    /// Bytes each argument takes in the pack.
    pub sizes: Vec<u32>,
    /// Total size, a multiple of 8.
    pub size: u32,
}

/// Bytes `arg` takes in the pack of a device with `word` byte pointers.
#[must_use]
pub fn packed_size(arg: &ArgInfo, word: u32) -> u32 {
    match arg.kind {
        ArgKind::Value => arg.size,
        ArgKind::GlobalPointer
        | ArgKind::ConstantPointer
        | ArgKind::LocalPointer
        | ArgKind::Image
        | ArgKind::Sampler
        | ArgKind::Opaque => word,
    }
}

/// The layout for `args` on a device with `word` byte pointers.
#[must_use]
pub fn layout(args: &[ArgInfo], word: u32) -> PackedLayout {
    let mut at = 0u32;
    let mut offsets = Vec::with_capacity(args.len());
    let mut sizes = Vec::with_capacity(args.len());
    for arg in args {
        let size = packed_size(arg, word);
        let align = size.max(1).next_power_of_two();
        at = at.next_multiple_of(align);
        offsets.push(at);
        sizes.push(size);
        at += size;
    }
    PackedLayout { offsets, sizes, size: at.next_multiple_of(8) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_aligned_to_the_power_of_two_above_their_size() {
        let value = |size| ArgInfo { size, ..ArgInfo::default() };
        let l = layout(&[value(1), value(12), value(4), value(24)], 8);
        assert_eq!(l.offsets, [0, 16, 28, 32]);
        assert_eq!(l.size, 56);
    }
}
