//! The layout of a kernel's packed arguments, as the HAL specification defines it.
//!
//! Each argument is aligned to the smallest power of two that is at least its size. A local
//! argument is packed as its size and a sampler as its number, in one pointer-sized word each. An
//! image is packed as the descriptor that kernels read.

use crate::program::{ArgInfo, ArgKind};

/// Size of an image's descriptor in bytes (`muxcl_img::descriptor`). The first 8 bytes are the
/// device address of the first pixel.
pub const IMAGE_SIZE: u32 = 64;
/// Offset in bytes of the word in an image's descriptor that encodes the image format.
pub const IMAGE_FORMAT: u32 = 40;

/// The offset and size of each packed argument, in bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackedLayout {
    /// Offset of each argument in the block, in bytes.
    pub offsets: Vec<u32>,
    /// Size of each packed argument.
    pub sizes: Vec<u32>,
    /// Total size, a multiple of 8.
    pub size: u32,
}

/// Size of `arg` when packed, in bytes, on a device whose pointers have `word` bytes.
#[must_use]
pub fn packed_size(arg: &ArgInfo, word: u32) -> u32 {
    match arg.kind {
        ArgKind::Value => arg.size,
        ArgKind::Image => IMAGE_SIZE,
        ArgKind::GlobalPointer
        | ArgKind::ConstantPointer
        | ArgKind::LocalPointer
        | ArgKind::Sampler
        | ArgKind::Pipe
        | ArgKind::Opaque => word,
    }
}

/// The layout of `args` on a device whose pointers have `word` bytes.
///
/// # Examples
/// ```
/// use muxcl_types::{pack, program::{ArgInfo, ArgKind}};
///
/// // kernel void k(uchar a, global int *b)
/// let value = ArgInfo { kind: ArgKind::Value, size: 1, ..ArgInfo::default() };
/// let pointer = ArgInfo { kind: ArgKind::GlobalPointer, size: 8, ..ArgInfo::default() };
/// let layout = pack::layout(&[value, pointer], 8);
/// assert_eq!((layout.offsets, layout.size), (vec![0, 8], 16));
/// ```
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

/// The layout of `args` of a kernel behind a HAL, and the offset of its hidden argument
/// ([`crate::sched::HalHidden`]).
///
/// If the kernel `enqueues`, another word of 64 bits follows: the address of a
/// [`crate::deferred::EnqueueHeapHeader`]. The last entries of the layout are those of the hidden
/// arguments.
#[must_use]
pub fn hal_layout(args: &[ArgInfo], enqueues: bool, word: u32) -> (PackedLayout, u32) {
    let value = |size| ArgInfo { kind: ArgKind::Value, size, ..ArgInfo::default() };
    let mut all = args.to_vec();
    all.push(value(HIDDEN_SIZE));
    if enqueues {
        all.push(value(8));
    }
    let layout = layout(&all, word);
    let at = layout.offsets.get(args.len()).copied().unwrap_or(0);
    (layout, at)
}

/// `size_of::<HalHidden>()`.
const HIDDEN_SIZE: u32 = 32;

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

    #[test]
    fn an_image_is_packed_as_its_descriptor() {
        let kind = |kind| ArgInfo { kind, size: 8, ..ArgInfo::default() };
        for word in [4, 8] {
            let l =
                layout(&[kind(ArgKind::Sampler), kind(ArgKind::Image), kind(ArgKind::Image)], word);
            assert_eq!(
                (l.offsets.as_slice(), l.sizes.as_slice(), l.size),
                (&[0, 64, 128][..], &[word, 64, 64][..], 192)
            );
        }
    }

    #[test]
    fn the_hidden_argument_comes_last() {
        assert_eq!(size_of::<crate::sched::HalHidden>(), HIDDEN_SIZE as usize);
        let pointer = ArgInfo { kind: ArgKind::GlobalPointer, size: 8, ..ArgInfo::default() };
        let (l, at) = hal_layout(&[pointer.clone(), pointer.clone()], false, 4);
        assert_eq!((l.offsets.as_slice(), at, l.size), (&[0, 4, 32][..], 32, 64));
        assert_eq!(hal_layout(&[], false, 8).1, 0);
        let (l, at) = hal_layout(&[pointer], true, 8);
        assert_eq!((l.offsets.as_slice(), at, l.size), (&[0, 32, 64][..], 32, 72));
    }
}
