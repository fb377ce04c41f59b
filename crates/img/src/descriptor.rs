//! The descriptor by which a kernel accesses an image: 64 bytes among the kernel's arguments, the
//! same on devices of 32 and 64 bits.
//!
//! Invariant: the layout is that of `Descriptor` in `builtins/src-cl/image/core.h`. Change both
//! together.

use crate::format::Format;
use crate::layout::{Kind, Layout};

/// Size of a descriptor in bytes.
pub const SIZE: usize = 64;

/// The descriptor of an image with `levels` mipmap levels (0 counts as 1). Sizes and pitches are
/// those of the first level.
///
/// The first 8 bytes are zero: the caller writes the device address of the first pixel there.
#[must_use]
pub fn bytes(kind: Kind, format: Format, layout: &Layout, levels: u32) -> [u8; SIZE] {
    let small = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let [width, height, depth] = layout.extent;
    // Axes that the image does not have get the size 1.
    let (height, depth, layers) = match kind {
        Kind::Image1D | Kind::Image1DBuffer => (1, 1, 1),
        Kind::Image1DArray => (1, 1, height),
        Kind::Image2D => (height, 1, 1),
        Kind::Image2DArray => (height, 1, depth),
        Kind::Image3D => (height, depth, 1),
    };
    let slice = if layout.slice_pitch == 0 { layout.size } else { layout.slice_pitch };
    let mut out = [0; SIZE];
    let mut put = |at: usize, value: u64, size: usize| {
        if let Some(slot) = out.get_mut(at..at + size) {
            slot.copy_from_slice(&value.to_le_bytes()[..size]);
        }
    };
    for (at, value) in
        [(8, width), (12, height), (16, depth), (20, layers), (52, format.pixel_size())]
    {
        put(at, small(value).into(), 4);
    }
    for (at, value) in
        [(56, levels.max(1)), (40, format.code()), (44, format.order()), (48, format.channel())]
    {
        put(at, value.into(), 4);
    }
    put(24, layout.row_pitch as u64, 8);
    put(32, slice as u64, 8);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::{channel, order};
    use crate::layout::Desc;

    #[test]
    fn offsets_are_those_of_the_kernels_structure() {
        let format = Format::new(order::RGBA, channel::UNORM_INT8).unwrap();
        let desc =
            Desc { kind: Kind::Image2DArray, width: 5, height: 6, layers: 7, ..Desc::default() };
        let layout = Layout::of(&desc, format, true).unwrap();
        let d = bytes(desc.kind, format, &layout, 0);
        let word = |at: usize| u32::from_le_bytes([d[at], d[at + 1], d[at + 2], d[at + 3]]);
        assert_eq!([8, 12, 16, 20].map(word), [5, 6, 1, 7]);
        assert_eq!([24, 32].map(word), [20, 120]);
        assert_eq!(
            [40, 44, 48, 52, 56].map(word),
            [format.code(), order::RGBA, channel::UNORM_INT8, 4, 1]
        );
    }
}
