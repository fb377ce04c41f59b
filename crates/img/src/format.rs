//! Image formats: the combinations of channel order and type that exist, those that the driver
//! supports, and their representation in memory.
//!
//! Invariant: the numbers are OpenCL's (`CL_R`, `CL_UNORM_INT8`). Not here: conversions (`pixel`).

/// Channel orders (`image_channel_order`).
#[expect(missing_docs, reason = "the names are those of OpenCL's constants")]
pub mod order {
    pub const R: u32 = 0x10B0;
    pub const A: u32 = 0x10B1;
    pub const RG: u32 = 0x10B2;
    pub const RA: u32 = 0x10B3;
    pub const RGB: u32 = 0x10B4;
    pub const RGBA: u32 = 0x10B5;
    pub const BGRA: u32 = 0x10B6;
    pub const ARGB: u32 = 0x10B7;
    pub const INTENSITY: u32 = 0x10B8;
    pub const LUMINANCE: u32 = 0x10B9;
    pub const RX: u32 = 0x10BA;
    pub const RGX: u32 = 0x10BB;
    pub const RGBX: u32 = 0x10BC;
    pub const DEPTH: u32 = 0x10BD;
    pub const SRGB: u32 = 0x10BF;
    pub const SRGBX: u32 = 0x10C0;
    pub const SRGBA: u32 = 0x10C1;
    pub const SBGRA: u32 = 0x10C2;
    pub const ABGR: u32 = 0x10C3;
}

/// Channel types (`image_channel_data_type`).
#[expect(missing_docs, reason = "the names are those of OpenCL's constants")]
pub mod channel {
    pub const SNORM_INT8: u32 = 0x10D0;
    pub const SNORM_INT16: u32 = 0x10D1;
    pub const UNORM_INT8: u32 = 0x10D2;
    pub const UNORM_INT16: u32 = 0x10D3;
    pub const UNORM_SHORT_565: u32 = 0x10D4;
    pub const UNORM_SHORT_555: u32 = 0x10D5;
    pub const UNORM_INT_101010: u32 = 0x10D6;
    pub const SIGNED_INT8: u32 = 0x10D7;
    pub const SIGNED_INT16: u32 = 0x10D8;
    pub const SIGNED_INT32: u32 = 0x10D9;
    pub const UNSIGNED_INT8: u32 = 0x10DA;
    pub const UNSIGNED_INT16: u32 = 0x10DB;
    pub const UNSIGNED_INT32: u32 = 0x10DC;
    pub const HALF_FLOAT: u32 = 0x10DD;
    pub const FLOAT: u32 = 0x10DE;
    pub const UNORM_INT24: u32 = 0x10DF;
    pub const UNORM_INT_101010_2: u32 = 0x10E0;
    pub const UNSIGNED_INT_RAW10: u32 = 0x10E3;
    pub const UNSIGNED_INT_RAW12: u32 = 0x10E4;
}

use channel as c;
use order as o;

/// A combination of channel order and type that the specification or an extension defines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Format {
    order: u32,
    channel: u32,
}

/// The smallest run of pixels that takes whole bytes.
///
/// Commands work on whole blocks. Kernels write only formats whose blocks are single pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PixelBlock {
    /// Number of pixels.
    pub pixels: usize,
    /// Size in bytes.
    pub bytes: usize,
}

impl PixelBlock {
    /// Size of `pixels` in bytes, rounded down to whole blocks.
    #[must_use]
    pub fn size(self, pixels: usize) -> usize {
        pixels / self.pixels * self.bytes
    }
}

/// The type of a pixel's channels in a kernel, named by the function that reads them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// `read_imagef`
    Float,
    /// `read_imagei`
    Signed,
    /// `read_imageui`
    Unsigned,
}

/// How channels in memory correspond to the red, green, blue and alpha of a kernel. The numbers are
/// those of `builtins/src-cl/image/core.h`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrangement {
    /// Red, green, blue, alpha, as many as there are. Absent colours read as 0, absent alpha as 1.
    Plain = 0,
    /// Alpha only.
    A = 1,
    /// Red, alpha.
    Ra = 2,
    /// Blue, green, red, alpha.
    Bgra = 3,
    /// Alpha, red, green, blue.
    Argb = 4,
    /// Alpha, blue, green, red.
    Abgr = 5,
    /// One channel `I`, which a kernel reads as (I, I, I, I).
    Intensity = 6,
    /// One channel `L`, which a kernel reads as (L, L, L, 1).
    Luminance = 7,
}

const PLAIN_TYPES: [u32; 12] = [
    c::SNORM_INT8,
    c::SNORM_INT16,
    c::UNORM_INT8,
    c::UNORM_INT16,
    c::SIGNED_INT8,
    c::SIGNED_INT16,
    c::SIGNED_INT32,
    c::UNSIGNED_INT8,
    c::UNSIGNED_INT16,
    c::UNSIGNED_INT32,
    c::HALF_FLOAT,
    c::FLOAT,
];
const GREY_TYPES: [u32; 6] =
    [c::SNORM_INT8, c::SNORM_INT16, c::UNORM_INT8, c::UNORM_INT16, c::HALF_FLOAT, c::FLOAT];
const BYTE_TYPES: [u32; 4] = [c::UNORM_INT8, c::SNORM_INT8, c::SIGNED_INT8, c::UNSIGNED_INT8];
const PACKED_TYPES: [u32; 3] = [c::UNORM_SHORT_565, c::UNORM_SHORT_555, c::UNORM_INT_101010];
/// The types of `cl_ext_image_raw10_raw12`: pixels of an image sensor, several of which share
/// bytes.
const RAW_TYPES: [u32; 2] = [c::UNSIGNED_INT_RAW10, c::UNSIGNED_INT_RAW12];
const DEPTH_TYPES: [u32; 2] = [c::UNORM_INT16, c::FLOAT];

/// The supported orders with their types, in the order of `clGetSupportedImageFormats`.
const SUPPORTED: [(u32, &[u32]); 15] = [
    (o::R, &PLAIN_TYPES),
    (o::A, &PLAIN_TYPES),
    (o::RG, &PLAIN_TYPES),
    (o::RA, &PLAIN_TYPES),
    (o::RGBA, &PLAIN_TYPES),
    (o::RGB, &PACKED_TYPES),
    (o::BGRA, &BYTE_TYPES),
    (o::ARGB, &BYTE_TYPES),
    (o::ABGR, &BYTE_TYPES),
    (o::INTENSITY, &GREY_TYPES),
    (o::LUMINANCE, &GREY_TYPES),
    (o::SRGBA, &[c::UNORM_INT8]),
    (o::SBGRA, &[c::UNORM_INT8]),
    (o::DEPTH, &DEPTH_TYPES),
    (o::R, &RAW_TYPES),
];

impl Format {
    /// The format of a channel order and type; `None` if the specification does not allow the
    /// combination (API specification, 5.3.1.1).
    #[must_use]
    pub fn new(order: u32, channel: u32) -> Option<Self> {
        let types: &[u32] = match order {
            o::R if RAW_TYPES.contains(&channel) => &RAW_TYPES,
            o::R | o::A | o::RG | o::RA | o::RX | o::RGX => &PLAIN_TYPES,
            o::RGBA if channel == c::UNORM_INT_101010_2 => &[c::UNORM_INT_101010_2],
            o::RGBA => &PLAIN_TYPES,
            o::RGB | o::RGBX => &PACKED_TYPES,
            o::BGRA | o::ARGB | o::ABGR => &BYTE_TYPES,
            o::INTENSITY | o::LUMINANCE => &GREY_TYPES,
            o::DEPTH => &DEPTH_TYPES,
            o::SRGB | o::SRGBX | o::SRGBA | o::SBGRA => &[c::UNORM_INT8],
            _ => &[],
        };
        types.contains(&channel).then_some(Self { order, channel })
    }

    /// The formats that the driver supports.
    pub fn supported() -> impl Iterator<Item = Self> {
        SUPPORTED
            .into_iter()
            .flat_map(|(order, types)| types.iter().map(move |&channel| Self { order, channel }))
    }

    /// True if the driver supports the format.
    #[must_use]
    pub fn is_supported(self) -> bool {
        Self::supported().any(|f| f == self)
    }

    /// `image_channel_order`
    #[must_use]
    pub fn order(self) -> u32 {
        self.order
    }

    /// `image_channel_data_type`
    #[must_use]
    pub fn channel(self) -> u32 {
        self.channel
    }

    /// True for depth images.
    #[must_use]
    pub fn is_depth(self) -> bool {
        self.order == o::DEPTH
    }

    /// True for colours in the sRGB space.
    #[must_use]
    pub fn is_srgb(self) -> bool {
        matches!(self.order, o::SRGB | o::SRGBX | o::SRGBA | o::SBGRA)
    }

    /// Number of channels in memory; 1 for a packed format.
    #[must_use]
    pub fn channels(self) -> usize {
        if self.is_packed() {
            return 1;
        }
        match self.order {
            o::RG | o::RA | o::RGX => 2,
            o::SRGB => 3,
            o::RGBA | o::BGRA | o::ARGB | o::ABGR | o::SRGBA | o::SBGRA | o::SRGBX => 4,
            _ => 1,
        }
    }

    /// True if the channels share a word.
    #[must_use]
    pub fn is_packed(self) -> bool {
        PACKED_TYPES.contains(&self.channel) || self.channel == c::UNORM_INT_101010_2
    }

    /// The smallest run of pixels that takes whole bytes.
    #[must_use]
    pub fn block(self) -> PixelBlock {
        match self.channel {
            c::UNSIGNED_INT_RAW10 => PixelBlock { pixels: 4, bytes: 5 },
            c::UNSIGNED_INT_RAW12 => PixelBlock { pixels: 2, bytes: 3 },
            _ => PixelBlock { pixels: 1, bytes: self.pixel_size() },
        }
    }

    /// True if kernels may write images of the format: no byte holds parts of two pixels, so that
    /// work-items can write neighbouring pixels at the same time.
    #[must_use]
    pub fn is_writable(self) -> bool {
        self.block().pixels == 1
    }

    /// Alignment of the first byte and of the row pitch, in bytes: the pixel size, or 1 if pixels
    /// share bytes.
    #[must_use]
    pub fn alignment(self) -> usize {
        if self.block().pixels == 1 { self.pixel_size() } else { 1 }
    }

    /// Size of a channel, or of a packed pixel, in bytes.
    #[must_use]
    pub fn channel_size(self) -> usize {
        match self.channel {
            c::SNORM_INT8 | c::UNORM_INT8 | c::SIGNED_INT8 | c::UNSIGNED_INT8 => 1,
            c::SIGNED_INT32
            | c::UNSIGNED_INT32
            | c::FLOAT
            | c::UNORM_INT_101010
            | c::UNORM_INT_101010_2 => 4,
            _ => 2,
        }
    }

    /// Size of a pixel in bytes (`CL_IMAGE_ELEMENT_SIZE`). If pixels share bytes ([`Self::block`]),
    /// the number of bytes that hold one.
    #[must_use]
    pub fn pixel_size(self) -> usize {
        self.channels() * self.channel_size()
    }

    /// The type of the channels in a kernel.
    #[must_use]
    pub fn class(self) -> Class {
        match self.channel {
            c::SIGNED_INT8 | c::SIGNED_INT16 | c::SIGNED_INT32 => Class::Signed,
            c::UNSIGNED_INT8 | c::UNSIGNED_INT16 | c::UNSIGNED_INT32 => Class::Unsigned,
            c::UNSIGNED_INT_RAW10 | c::UNSIGNED_INT_RAW12 => Class::Unsigned,
            _ => Class::Float,
        }
    }

    /// The order of the channels in memory.
    #[must_use]
    pub fn arrangement(self) -> Arrangement {
        match self.order {
            o::A => Arrangement::A,
            o::RA => Arrangement::Ra,
            o::BGRA | o::SBGRA => Arrangement::Bgra,
            o::ARGB => Arrangement::Argb,
            o::ABGR => Arrangement::Abgr,
            o::INTENSITY => Arrangement::Intensity,
            o::LUMINANCE => Arrangement::Luminance,
            _ => Arrangement::Plain,
        }
    }

    /// True if the border colour of `CLK_ADDRESS_CLAMP` has alpha 1, because the order has no alpha
    /// (OpenCL C, section 8.2).
    #[must_use]
    pub fn border_is_opaque(self) -> bool {
        matches!(self.order, o::R | o::RG | o::RGB | o::LUMINANCE)
    }

    /// The code of the format in a descriptor; `builtins/src-cl/image/core.h` declares its fields.
    #[must_use]
    pub fn code(self) -> u32 {
        let kind = match self.channel {
            c::UNSIGNED_INT_RAW10 => 21,
            c::UNSIGNED_INT_RAW12 => 22,
            _ if self.is_srgb() => 20,
            other => other - c::SNORM_INT8,
        };
        let channels = self.channels().next_power_of_two().trailing_zeros();
        kind | channels << 5
            | (self.arrangement() as u32) << 8
            | u32::from(self.border_is_opaque()) << 12
    }

    /// True if an image of this format may be created from a 2D image of format `other` (API
    /// specification, 5.3.1, "Creating a 2D image from another image").
    #[must_use]
    pub fn may_view(self, other: Self) -> bool {
        let pair = |a: u32, b: u32| {
            (self.order, other.order) == (a, b) || (self.order, other.order) == (b, a)
        };
        self.channel == other.channel
            && (self.order == other.order
                || pair(o::SBGRA, o::BGRA)
                || pair(o::SRGBA, o::RGBA)
                || pair(o::SRGB, o::RGB)
                || pair(o::SRGBX, o::RGBX)
                || pair(o::DEPTH, o::R))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn combinations() {
        assert!(Format::new(o::RGBA, c::UNORM_INT8).is_some());
        assert!(Format::new(o::RGB, c::UNORM_INT8).is_none());
        assert!(Format::new(o::BGRA, c::FLOAT).is_none());
        assert!(Format::new(o::INTENSITY, c::SIGNED_INT8).is_none());
        assert!(Format::new(0, 0).is_none());
        for f in Format::supported() {
            assert_eq!(Format::new(f.order, f.channel), Some(f), "what we have exists");
            assert!(f.pixel_size().is_power_of_two() && f.pixel_size() <= 16, "{f:?}");
        }
        assert!(!Format::new(o::RX, c::FLOAT).unwrap().is_supported());
        for raw in RAW_TYPES {
            assert!(
                Format::new(o::R, raw)
                    .is_some_and(|f| f.class() == Class::Unsigned && !f.is_writable())
            );
            assert!(Format::new(o::A, raw).is_none(), "\"the channel order must be CL_R\"");
        }
    }

    #[test]
    fn codes_are_different() {
        let mut codes: Vec<u32> =
            Format::supported().map(|f| f.code() | u32::from(f.is_depth()) << 31).collect();
        let count = codes.len();
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes.len(), count);
        assert_eq!(Format::new(o::RGBA, c::UNORM_INT8).unwrap().code(), 2 | 2 << 5);
    }

    #[test]
    fn the_minimum_of_the_specification() {
        let mut wanted = vec![(o::BGRA, c::UNORM_INT8), (o::SRGBA, c::UNORM_INT8)];
        wanted.extend(DEPTH_TYPES.map(|t| (o::DEPTH, t)));
        for order in [o::R, o::RG, o::RGBA] {
            wanted.extend(PLAIN_TYPES.map(|t| (order, t)));
        }
        for (order, channel) in wanted {
            assert!(Format::new(order, channel).unwrap().is_supported(), "{order:x} {channel:x}");
        }
    }
}
