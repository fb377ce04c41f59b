//! Sizes and offsets of the levels of mipmapped images.
//!
//! Each axis of a level is half as long as in the level before, rounded down and at least 1. The
//! number of layers is the same in every level. Levels follow each other without gaps and have no
//! padding, so the application gives no pitches. `__muxcl_level` in `builtins/src-cl/image` follows
//! the same rule in kernels. Not here: the choice of a level for a sample ([`crate::sampler`]).

use crate::layout::{Kind, Layout};

/// The maximum number of levels: the last has a single pixel per layer.
#[must_use]
pub fn most(kind: Kind, base: &Layout) -> u32 {
    let axes = halved(kind);
    let largest = base
        .extent
        .iter()
        .zip(axes)
        .filter(|(_, halves)| *halves)
        .map(|(n, _)| *n)
        .max()
        .unwrap_or(1);
    largest.max(1).ilog2() + 1
}

/// The axes that are halved from one level to the next: all but the layers.
fn halved(kind: Kind) -> [bool; 3] {
    match kind {
        Kind::Image1D | Kind::Image1DBuffer | Kind::Image1DArray => [true, false, false],
        Kind::Image2D | Kind::Image2DArray => [true, true, false],
        Kind::Image3D => [true; 3],
    }
}

/// The layout of the next level.
fn next(kind: Kind, level: &Layout) -> Layout {
    let mut extent = level.extent;
    for (n, _) in extent.iter_mut().zip(halved(kind)).filter(|(_, halves)| *halves) {
        *n = (*n / 2).max(1);
    }
    let [width, second, third] = extent;
    let row_pitch = level.block.size(width);
    let plane = row_pitch * if kind.has_height() { second } else { 1 };
    let layers = if kind == Kind::Image1DArray { second } else { third };
    let size = plane * layers;
    let pitch = if kind == Kind::Image1DArray { [plane, size] } else { [row_pitch, plane] };
    let slice_pitch = if kind.has_slices() { plane } else { 0 };
    Layout { extent, pitch, block: level.block, row_pitch, slice_pitch, size }
}

/// The offset in bytes and the layout of a level. `base` is level 0, without padding.
#[must_use]
pub fn level(kind: Kind, base: &Layout, number: u32) -> (usize, Layout) {
    let (mut start, mut layout) = (0, *base);
    for _ in 0..number {
        start += layout.size;
        layout = next(kind, &layout);
    }
    (start, layout)
}

/// Size of all levels in bytes; `None` if it exceeds `isize::MAX`.
#[must_use]
pub fn size(kind: Kind, base: &Layout, levels: u32) -> Option<usize> {
    let (start, last) = level(kind, base, levels.max(1) - 1);
    start.checked_add(last.size).filter(|n| isize::try_from(*n).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::{Format, channel, order};
    use crate::layout::Desc;

    fn layout(desc: &Desc) -> Layout {
        Layout::of(desc, Format::new(order::RGBA, channel::UNORM_INT8).unwrap(), false).unwrap()
    }

    #[test]
    fn levels_follow_each_other() {
        let desc = Desc { kind: Kind::Image2D, width: 5, height: 3, ..Desc::default() };
        let base = layout(&desc);
        assert_eq!(most(desc.kind, &base), 3);
        let sizes: Vec<_> = (0..3)
            .map(|n| level(desc.kind, &base, n))
            .map(|(at, l)| (at, l.extent, l.size))
            .collect();
        assert_eq!(sizes, [(0, [5, 3, 1], 60), (60, [2, 1, 1], 8), (68, [1, 1, 1], 4)]);
        assert_eq!((size(desc.kind, &base, 3), size(desc.kind, &base, 0)), (Some(72), Some(60)));
    }

    #[test]
    fn every_level_has_all_layers() {
        let rows = Desc { kind: Kind::Image1DArray, width: 8, layers: 9, ..Desc::default() };
        let (at, l) = level(rows.kind, &layout(&rows), 2);
        assert_eq!((at, l.extent, l.pitch, l.size), (32 * 9 + 16 * 9, [2, 9, 1], [8, 72], 72));
        assert_eq!(most(rows.kind, &layout(&rows)), 4, "layers do not count");
        let planes =
            Desc { kind: Kind::Image2DArray, width: 4, height: 8, layers: 3, ..Desc::default() };
        let (_, l) = level(planes.kind, &layout(&planes), 1);
        assert_eq!((l.extent, l.pitch, l.slice_pitch), ([2, 4, 3], [8, 32], 32));
        let space = Desc { kind: Kind::Image3D, width: 4, height: 8, depth: 3, ..Desc::default() };
        let (_, l) = level(space.kind, &layout(&space), 3);
        assert_eq!(l.extent, [1; 3]);
        assert_eq!(most(space.kind, &layout(&space)), 4);
    }

    #[test]
    fn a_level_is_laid_out_as_an_image_of_its_size() {
        for kind in
            [Kind::Image1D, Kind::Image1DArray, Kind::Image2D, Kind::Image2DArray, Kind::Image3D]
        {
            let desc = Desc { kind, width: 13, height: 6, depth: 7, layers: 3, ..Desc::default() };
            let base = layout(&desc);
            for n in 0..most(kind, &base) {
                let half = |a: usize| (a >> n).max(1);
                let small = Desc { width: half(13), height: half(6), depth: half(7), ..desc };
                assert_eq!(level(kind, &base, n).1, layout(&small), "{kind:?} {n}");
            }
        }
    }
}
