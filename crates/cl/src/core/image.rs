//! The image properties of a memory object: format and layout of its pixels.
//!
//! An image's pixels are bytes of its storage, in rows and slices. An image made from a buffer or
//! another image is a range of that object's storage, like a sub-buffer. Commands on images work on
//! boxes of bytes. Not here: formats and layouts themselves (`muxcl-img`).

use muxcl_cl_sys as sys;
use muxcl_cl_sys::{cl_image_format, cl_mem_object_type};
use muxcl_img::{Desc, Format, Kind, Layout, descriptor};

/// The image properties of a memory object.
#[derive(Debug)]
pub struct Image {
    /// The kind of image: dimensions, array, buffer.
    pub kind: Kind,
    /// The format of its pixels.
    pub format: Format,
    /// The layout of its pixels; of a mipmapped image, that of the first level.
    pub layout: Layout,
    /// `CL_IMAGE_NUM_MIP_LEVELS`, as given.
    pub levels: u32,
    /// Bytes of all levels.
    pub size: usize,
}

impl Image {
    /// `CL_MEM_TYPE`
    #[must_use]
    pub fn object_type(&self) -> cl_mem_object_type {
        match self.kind {
            Kind::Image1D => sys::CL_MEM_OBJECT_IMAGE1D,
            Kind::Image1DBuffer => sys::CL_MEM_OBJECT_IMAGE1D_BUFFER,
            Kind::Image1DArray => sys::CL_MEM_OBJECT_IMAGE1D_ARRAY,
            Kind::Image2D => sys::CL_MEM_OBJECT_IMAGE2D,
            Kind::Image2DArray => sys::CL_MEM_OBJECT_IMAGE2D_ARRAY,
            Kind::Image3D => sys::CL_MEM_OBJECT_IMAGE3D,
        }
    }

    /// The image kind of an object type; `None` if the type is no image.
    #[must_use]
    pub fn kind_of(object: cl_mem_object_type) -> Option<Kind> {
        Some(match object {
            sys::CL_MEM_OBJECT_IMAGE1D => Kind::Image1D,
            sys::CL_MEM_OBJECT_IMAGE1D_BUFFER => Kind::Image1DBuffer,
            sys::CL_MEM_OBJECT_IMAGE1D_ARRAY => Kind::Image1DArray,
            sys::CL_MEM_OBJECT_IMAGE2D => Kind::Image2D,
            sys::CL_MEM_OBJECT_IMAGE2D_ARRAY => Kind::Image2DArray,
            sys::CL_MEM_OBJECT_IMAGE3D => Kind::Image3D,
            _ => return None,
        })
    }

    /// `CL_IMAGE_FORMAT`
    #[must_use]
    pub fn cl_format(&self) -> cl_image_format {
        cl_format(self.format)
    }

    /// The descriptor that kernels read, without the address.
    #[must_use]
    pub fn descriptor(&self) -> [u8; descriptor::SIZE] {
        descriptor::bytes(self.kind, self.format, &self.layout, self.levels)
    }

    /// True if the image has more than one level.
    #[must_use]
    pub fn is_mipmapped(&self) -> bool {
        self.levels > 1
    }

    /// True if a parameter of type `name` accepts this image. An unknown name may be a typedef and
    /// accepts any image.
    #[must_use]
    pub fn is_a(&self, name: &str) -> bool {
        let (kind, depth) = match name {
            "image1d_t" => (Kind::Image1D, false),
            "image1d_buffer_t" => (Kind::Image1DBuffer, false),
            "image1d_array_t" => (Kind::Image1DArray, false),
            "image2d_t" => (Kind::Image2D, false),
            "image2d_array_t" => (Kind::Image2DArray, false),
            "image2d_depth_t" => (Kind::Image2D, true),
            "image2d_array_depth_t" => (Kind::Image2DArray, true),
            "image3d_t" => (Kind::Image3D, false),
            _ => return true,
        };
        self.kind == kind && self.format.is_depth() == depth
    }
}

/// The C form of a format.
#[must_use]
pub fn cl_format(format: Format) -> cl_image_format {
    cl_image_format {
        image_channel_order: format.order(),
        image_channel_data_type: format.channel(),
    }
}

/// Greatest width and height of a 2D image.
pub const MAX_2D: usize = 16384;
/// Greatest width, height and depth of a 3D image.
pub const MAX_3D: usize = 2048;
/// Greatest number of layers of an array.
pub const MAX_LAYERS: usize = 2048;
/// Greatest number of pixels of an image in a buffer.
pub const MAX_BUFFER: usize = 1 << 27;
/// `CL_DEVICE_IMAGE_PITCH_ALIGNMENT` and `CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT`, in pixels.
pub const ALIGNMENT: u32 = 1;

/// The required alignment of an image in a buffer, in bytes, for its first byte, its rows and its
/// slices. It is the size of a pixel (always a power of two), or 1 for formats whose pixels share
/// bytes.
#[must_use]
pub fn alignment(format: Format) -> usize {
    ALIGNMENT as usize * format.alignment()
}

/// Bytes that an image needs in a buffer: the pixels alone for a 1D image, whole rows and slices
/// for the others.
#[must_use]
pub fn in_buffer(kind: Kind, layout: &Layout) -> usize {
    match kind {
        Kind::Image1D | Kind::Image1DBuffer => layout.span(layout.extent),
        _ => layout.size,
    }
}

/// The largest sizes of a kind of image, without pitches; 0 for a dimension the kind does not have.
#[must_use]
pub fn largest(kind: Kind) -> Desc {
    let side = if kind == Kind::Image3D { MAX_3D } else { MAX_2D };
    Desc {
        kind,
        width: if kind == Kind::Image1DBuffer { MAX_BUFFER } else { side },
        height: if kind.has_height() { side } else { 0 },
        depth: if kind == Kind::Image3D { side } else { 0 },
        layers: if kind.is_array() { MAX_LAYERS } else { 0 },
        ..Desc::default()
    }
}

/// True if the image is within the devices' limits.
#[must_use]
pub fn fits(kind: Kind, layout: &Layout) -> bool {
    let most = largest(kind);
    let second = if kind == Kind::Image1DArray { most.layers } else { most.height };
    let bounds = [
        most.width,
        second.max(1),
        most.depth.max(if kind == Kind::Image2DArray { most.layers } else { 1 }),
    ];
    layout.extent.iter().zip(bounds).all(|(size, bound)| *size <= bound)
}
