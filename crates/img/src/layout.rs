//! Sizes and pitches of images, and offsets of regions.
//!
//! A region has three axes. The meaning of the second and third depends on the kind: the second
//! axis of a 1D array is the layer. Each axis has a pitch, so that every transfer is a box of
//! bytes. Not here: the error codes of wrong sizes, the limits of devices.

use crate::format::{Format, PixelBlock};

/// The dimensionality of an image, `CL_MEM_OBJECT_IMAGE*`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Kind {
    /// One row of pixels.
    Image1D,
    /// One row of pixels in the memory of a buffer.
    Image1DBuffer,
    /// An array of rows.
    Image1DArray,
    /// One plane of rows.
    #[default]
    Image2D,
    /// An array of planes.
    Image2DArray,
    /// A volume of planes.
    Image3D,
}

impl Kind {
    /// True if the image has layers.
    #[must_use]
    pub fn is_array(self) -> bool {
        matches!(self, Self::Image1DArray | Self::Image2DArray)
    }

    /// True if the image has a height.
    #[must_use]
    pub fn has_height(self) -> bool {
        matches!(self, Self::Image2D | Self::Image2DArray | Self::Image3D)
    }

    /// True if the image has a slice pitch.
    #[must_use]
    pub fn has_slices(self) -> bool {
        matches!(self, Self::Image1DArray | Self::Image2DArray | Self::Image3D)
    }

    /// Number of axes of a region: 1 to 3.
    #[must_use]
    pub fn axes(self) -> usize {
        match self {
            Self::Image1D | Self::Image1DBuffer => 1,
            Self::Image1DArray | Self::Image2D => 2,
            Self::Image2DArray | Self::Image3D => 3,
        }
    }
}

/// The sizes of an image, as in `cl_image_desc`. Sizes that the kind does not have are ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Desc {
    /// The dimensionality.
    pub kind: Kind,
    /// Width in pixels.
    pub width: usize,
    /// Height in rows.
    pub height: usize,
    /// Depth of a 3D image in planes.
    pub depth: usize,
    /// Number of layers of an array.
    pub layers: usize,
    /// Bytes from one row to the next; 0 for the smallest.
    pub row_pitch: usize,
    /// Bytes from one slice to the next; 0 for the smallest.
    pub slice_pitch: usize,
}

/// The layout of an image in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Number of pixels along each axis of a region; 1 for axes that the image does not have.
    pub extent: [usize; 3],
    /// Bytes from one pixel to the next along the second and the third axis.
    pub pitch: [usize; 2],
    /// The smallest run of pixels that takes whole bytes.
    pub block: PixelBlock,
    /// `CL_IMAGE_ROW_PITCH`
    pub row_pitch: usize,
    /// `CL_IMAGE_SLICE_PITCH`: 0 for images without slices.
    pub slice_pitch: usize,
    /// Size of the image in bytes.
    pub size: usize,
}

/// The reason why sizes or pitches are invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LayoutError {
    /// A size is 0.
    Empty,
    /// The width is not a multiple of the block's pixels.
    Width,
    /// A pitch is given for an image without application memory, is too small, or is misaligned.
    Pitch,
    /// The size exceeds `isize::MAX` bytes.
    TooLarge,
}

impl Layout {
    /// The layout of an image. `pitches` is true if the application provides the memory: only then
    /// may it choose the pitches.
    ///
    /// # Errors
    /// See [`LayoutError`].
    pub fn of(desc: &Desc, format: Format, pitches: bool) -> Result<Self, LayoutError> {
        let kind = desc.kind;
        let block = format.block();
        let height = if kind.has_height() { desc.height } else { 1 };
        let slices = match kind {
            Kind::Image1DArray | Kind::Image2DArray => desc.layers,
            Kind::Image3D => desc.depth,
            _ => 1,
        };
        if desc.width == 0 || height == 0 || slices == 0 {
            return Err(LayoutError::Empty);
        }
        if !desc.width.is_multiple_of(block.pixels) {
            return Err(LayoutError::Width);
        }
        let times = |a: usize, b: usize| a.checked_mul(b).ok_or(LayoutError::TooLarge);
        let least = times(desc.width / block.pixels, block.bytes)?;
        let row_pitch = if desc.row_pitch == 0 { least } else { desc.row_pitch };
        if (!pitches && (desc.row_pitch != 0 || desc.slice_pitch != 0))
            || row_pitch < least
            || !row_pitch.is_multiple_of(format.alignment())
        {
            return Err(LayoutError::Pitch);
        }
        let plane = times(row_pitch, height)?;
        let slice =
            if desc.slice_pitch == 0 || !kind.has_slices() { plane } else { desc.slice_pitch };
        if slice < plane || !slice.is_multiple_of(row_pitch) {
            return Err(LayoutError::Pitch);
        }
        let size = times(slice, slices)?;
        if isize::try_from(size).is_err() {
            return Err(LayoutError::TooLarge);
        }
        let (extent, pitch) = match kind {
            Kind::Image1DArray => ([desc.width, slices, 1], [slice, size]),
            _ => ([desc.width, height, slices], [row_pitch, slice]),
        };
        let slice_pitch = if kind.has_slices() { slice } else { 0 };
        Ok(Self { extent, pitch, block, row_pitch, slice_pitch, size })
    }

    /// True if a region is not empty, lies within the image and consists of whole blocks. Origin
    /// and region are in pixels.
    #[must_use]
    pub fn contains(&self, origin: [usize; 3], region: [usize; 3]) -> bool {
        let whole = |pixels: usize| pixels.is_multiple_of(self.block.pixels);
        whole(origin[0])
            && whole(region[0])
            && (0..3).all(|n| {
                region[n] != 0
                    && origin[n].checked_add(region[n]).is_some_and(|end| end <= self.extent[n])
            })
    }

    /// Offset in bytes of the pixel at `origin`, which lies within the image.
    #[must_use]
    pub fn offset(&self, origin: [usize; 3]) -> usize {
        self.block.size(origin[0]) + origin[1] * self.pitch[0] + origin[2] * self.pitch[1]
    }

    /// Distance in bytes from the first byte of a region to the end of its last. No size of the
    /// region is 0.
    #[must_use]
    pub fn span(&self, region: [usize; 3]) -> usize {
        self.block.size(region[0])
            + (region[1] - 1) * self.pitch[0]
            + (region[2] - 1) * self.pitch[1]
    }

    /// True if the bytes of a region have no gaps between them.
    #[must_use]
    pub fn is_dense(&self, region: [usize; 3]) -> bool {
        self.span(region) == self.block.size(region[0]) * region[1] * region[2]
    }

    /// The pitches in bytes of a region in application memory, along the second and the third axis.
    /// A given pitch of 0 means the smallest possible pitch.
    ///
    /// # Errors
    /// [`LayoutError::Pitch`] if a pitch is too small or the image has no such axis,
    /// [`LayoutError::TooLarge`] if the region exceeds the address space.
    pub fn host_pitches(
        &self,
        kind: Kind,
        region: [usize; 3],
        row_pitch: usize,
        slice_pitch: usize,
    ) -> Result<[usize; 2], LayoutError> {
        let times = |a: usize, b: usize| a.checked_mul(b).ok_or(LayoutError::TooLarge);
        let least = times(region[0] / self.block.pixels, self.block.bytes)?;
        let row = if row_pitch == 0 { least } else { row_pitch };
        let plane = if kind == Kind::Image1DArray { row } else { times(row, region[1])? };
        let slice = if slice_pitch == 0 { plane } else { slice_pitch };
        if row < least || slice < plane || (slice_pitch != 0 && !kind.has_slices()) {
            return Err(LayoutError::Pitch);
        }
        times(slice, region[1].max(region[2]))?;
        Ok(if kind == Kind::Image1DArray { [slice, slice] } else { [row, slice] })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::{channel, order};

    fn rgba() -> Format {
        Format::new(order::RGBA, channel::UNORM_INT8).unwrap()
    }

    #[test]
    fn pitches_and_sizes() {
        let desc = Desc { kind: Kind::Image3D, width: 3, height: 4, depth: 5, ..Desc::default() };
        let l = Layout::of(&desc, rgba(), false).unwrap();
        assert_eq!((l.row_pitch, l.slice_pitch, l.size), (12, 48, 240));
        assert_eq!(l.offset([1, 2, 3]), 4 + 24 + 144);
        let with = |row_pitch, slice_pitch| {
            Layout::of(&Desc { row_pitch, slice_pitch, ..desc }, rgba(), true)
        };
        assert_eq!(with(16, 0).unwrap().size, 16 * 4 * 5);
        assert_eq!(with(16, 80).unwrap().size, 400);
        for (row, slice) in [(8, 0), (13, 0), (16, 48), (16, 72)] {
            assert_eq!(with(row, slice), Err(LayoutError::Pitch), "{row} {slice}");
        }
        assert_eq!(
            Layout::of(&Desc { row_pitch: 16, ..desc }, rgba(), false),
            Err(LayoutError::Pitch)
        );
        assert_eq!(Layout::of(&Desc { depth: 0, ..desc }, rgba(), false), Err(LayoutError::Empty));
        assert_eq!(
            Layout::of(&Desc { width: usize::MAX / 2, ..desc }, rgba(), false),
            Err(LayoutError::TooLarge)
        );
    }

    #[test]
    fn the_second_axis_of_rows_in_an_array_is_the_layer() {
        let desc = Desc {
            kind: Kind::Image1DArray,
            width: 4,
            layers: 3,
            slice_pitch: 32,
            ..Desc::default()
        };
        let l = Layout::of(&desc, rgba(), true).unwrap();
        assert_eq!((l.extent, l.pitch, l.size), ([4, 3, 1], [32, 96], 96));
        assert_eq!(l.host_pitches(desc.kind, [4, 3, 1], 0, 0), Ok([16, 16]));
        assert_eq!(l.host_pitches(desc.kind, [4, 3, 1], 20, 40), Ok([40, 40]));
        assert_eq!(l.host_pitches(desc.kind, [4, 3, 1], 20, 16), Err(LayoutError::Pitch));
    }

    #[test]
    fn pixels_that_share_bytes_come_in_blocks() {
        for (channel, pixels, bytes) in
            [(channel::UNSIGNED_INT_RAW10, 4, 5), (channel::UNSIGNED_INT_RAW12, 2, 3)]
        {
            let format = Format::new(order::R, channel).unwrap();
            let desc =
                Desc { kind: Kind::Image2D, width: 3 * pixels, height: 4, ..Desc::default() };
            let l = Layout::of(&desc, format, false).unwrap();
            assert_eq!((l.row_pitch, l.size), (3 * bytes, 12 * bytes));
            assert_eq!(l.offset([pixels, 2, 0]), bytes + 2 * 3 * bytes);
            assert_eq!(l.span([2 * pixels, 2, 1]), 2 * bytes + 3 * bytes);
            assert!(l.contains([pixels, 0, 0], [pixels, 4, 1]));
            assert!(
                !l.contains([1, 0, 0], [pixels, 1, 1]) && !l.contains([0; 3], [pixels + 1, 1, 1])
            );
            assert_eq!(l.host_pitches(desc.kind, [pixels, 4, 1], 0, 0), Ok([bytes, 4 * bytes]));
            assert_eq!(
                l.host_pitches(desc.kind, [2 * pixels, 4, 1], bytes, 0),
                Err(LayoutError::Pitch)
            );
            let odd = Layout::of(&Desc { row_pitch: 3 * bytes + 1, ..desc }, format, true).unwrap();
            assert_eq!(odd.size, 4 * (3 * bytes + 1), "any pitch that is enough");
            assert_eq!(
                Layout::of(&Desc { width: 3 * pixels + 1, ..desc }, format, false),
                Err(LayoutError::Width)
            );
        }
    }

    #[test]
    fn regions() {
        let desc = Desc { kind: Kind::Image2D, width: 8, height: 8, ..Desc::default() };
        let l = Layout::of(&desc, rgba(), false).unwrap();
        assert!(l.contains([0; 3], [8, 8, 1]) && l.contains([7, 7, 0], [1, 1, 1]));
        assert!(
            !l.contains([1, 0, 0], [8, 8, 1])
                && !l.contains([0; 3], [8, 8, 2])
                && !l.contains([0; 3], [0, 1, 1])
        );
        assert!(!l.contains([usize::MAX, 0, 0], [2, 1, 1]));
        assert!(l.is_dense([8, 3, 1]) && !l.is_dense([7, 3, 1]) && l.is_dense([7, 1, 1]));
        assert_eq!(
            l.host_pitches(desc.kind, [2, 2, 1], 0, 64),
            Err(LayoutError::Pitch),
            "a plane has no slices"
        );
    }
}
