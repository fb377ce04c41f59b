//! The requirements of an image before it is created (`cl_ext_image_requirements_info`).
//!
//! A query may leave the format, the type and sizes (0) open. The answer then covers every image
//! that the query may describe ([`ImageShape`]), with open sizes at their largest: it is the
//! strictest of the single answers. Invariant: an image that meets the requirements can be created,
//! and one that exceeds them cannot (`image`). Not here: the limits themselves (`core::image`).

use std::ffi::c_void;

use muxcl_cl_macros::cl_entry;
use muxcl_cl_sys as sys;
use muxcl_cl_sys::{
    cl_context, cl_image_desc, cl_image_format, cl_image_requirements_info_ext, cl_mem_flags,
    cl_mem_properties, cl_uint,
};
use muxcl_img::{Desc, Format, Kind, Layout, mipmap};

use super::external_memory::MemProperties;
use super::image::{allows, format_at, has, parent_of};
use super::memory::check_flags;
use crate::core::context::Context;
use crate::core::image::{Image, MAX_2D, alignment, in_buffer, largest};
use crate::error::{ClError, ClResult};
use crate::explain::violated;
use crate::info::InfoOut;
use crate::object::borrow;

const KINDS: [Kind; 6] = [
    Kind::Image1D,
    Kind::Image1DBuffer,
    Kind::Image1DArray,
    Kind::Image2D,
    Kind::Image2DArray,
    Kind::Image3D,
];

/// A size an image may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Axis {
    Width,
    Height,
    Depth,
    Layers,
}

impl Axis {
    const ALL: [Self; 4] = [Self::Width, Self::Height, Self::Depth, Self::Layers];

    fn is_of(self, kind: Kind) -> bool {
        match self {
            Self::Width => true,
            Self::Height => kind.has_height(),
            Self::Depth => kind == Kind::Image3D,
            Self::Layers => kind.is_array(),
        }
    }

    fn of(self, desc: &mut Desc) -> &mut usize {
        match self {
            Self::Width => &mut desc.width,
            Self::Height => &mut desc.height,
            Self::Depth => &mut desc.depth,
            Self::Layers => &mut desc.layers,
        }
    }
}

/// An image that the query may describe.
struct ImageShape {
    desc: Desc,
    levels: cl_uint,
    format: Format,
    /// The largest sizes of its kind.
    bounds: Desc,
    /// The maximum size in bytes.
    capacity: u64,
}

impl ImageShape {
    /// Bytes of the image with the sizes of `desc`; `None` if it cannot be created.
    fn size(&self, mut desc: Desc) -> Option<usize> {
        let mut bounds = self.bounds;
        let over =
            |axis: Axis| axis.is_of(self.desc.kind) && *axis.of(&mut desc) > *axis.of(&mut bounds);
        if Axis::ALL.into_iter().any(over) {
            return None;
        }
        let layout = Layout::of(&desc, self.format, true).ok()?;
        let size = if self.levels > 1 {
            mipmap::size(desc.kind, &layout, self.levels)?
        } else {
            in_buffer(desc.kind, &layout)
        };
        (size as u64 <= self.capacity).then_some(size)
    }

    /// Bytes of the image as described; `None` if it cannot be created.
    fn complete(&self) -> Option<usize> {
        let layout = Layout::of(&self.desc, self.format, true).ok()?;
        self.size(self.desc).filter(|_| self.levels <= mipmap::most(self.desc.kind, &layout))
    }

    /// The granularity of sizes along an axis, in pixels: pixels that share bytes are neighbours in
    /// a row.
    fn step(&self, axis: Axis) -> usize {
        if axis == Axis::Width { self.format.block().pixels } else { 1 }
    }

    /// Raises a size to the largest value with which the image can be created. The current value
    /// must be valid.
    fn grow(&self, desc: &mut Desc, axis: Axis) {
        let (mut bounds, step) = (self.bounds, self.step(axis));
        let (mut fits, mut beyond) = (*axis.of(desc) / step, *axis.of(&mut bounds) / step + 1);
        while beyond - fits > 1 {
            let middle = fits + (beyond - fits) / 2;
            *axis.of(desc) = middle * step;
            if self.size(*desc).is_some() { fits = middle } else { beyond = middle }
        }
        *axis.of(desc) = fits * step;
    }

    /// The largest size along an axis, for any value of the open sizes. `None` if no such image
    /// exists.
    fn most(&self, axis: Axis) -> Option<usize> {
        let mut desc = self.desc;
        let open =
            |a: &Axis, desc: &mut Desc| *a != axis && a.is_of(self.desc.kind) && *a.of(desc) == 0;
        let open: Vec<Axis> = Axis::ALL.into_iter().filter(|a| open(a, &mut desc)).collect();
        for a in open.iter().copied().chain([axis]) {
            *a.of(&mut desc) = self.step(a);
        }
        self.size(desc)?;
        for a in open {
            self.grow(&mut desc, a);
        }
        self.grow(&mut desc, axis);
        Self { desc, ..*self }.complete()?;
        Some(*axis.of(&mut desc))
    }
}

/// The images that the query may describe, of the types that have `axis`.
fn shapes(
    context: &Context,
    flags: cl_mem_flags,
    format: Option<Format>,
    given: Option<&cl_image_desc>,
    axis: Option<Axis>,
) -> ClResult<Vec<ImageShape>> {
    // CL_INVALID_IMAGE_DESCRIPTOR if values specified in image_desc are not valid.
    let invalid = ClError::INVALID_IMAGE_DESCRIPTOR;
    let kinds = match given {
        None => KINDS.to_vec(),
        // "All other members may be 0", in a query for a maximum.
        Some(desc) if desc.image_type == 0 && axis.is_some() => KINDS.to_vec(),
        Some(desc) => vec![Image::kind_of(desc.image_type).ok_or(invalid)?],
    };
    let capacity = context.devices().iter().map(|d| d.info().max_allocation).max().unwrap_or(0);
    let mut all = Vec::new();
    for kind in kinds.into_iter().filter(|kind| axis.is_none_or(|a| a.is_of(*kind))) {
        let (mut bounds, mut capacity) = (largest(kind), capacity);
        let mut desc = Desc { kind, ..Desc::default() };
        let mut levels = 0;
        if let Some(given) = given {
            levels = given.num_mip_levels;
            desc = Desc {
                kind,
                width: given.image_width,
                height: given.image_height,
                depth: given.image_depth,
                layers: given.image_array_size,
                row_pitch: if kind == Kind::Image1DBuffer { 0 } else { given.image_row_pitch },
                slice_pitch: if kind.has_slices() { given.image_slice_pitch } else { 0 },
            };
            let memory = !given.mem_object.is_null();
            // An image in existing memory has no mipmap levels, and mipmapped images have no
            // pitches. num_samples must be 0.
            let levelled = levels > 1
                && (memory
                    || kind == Kind::Image1DBuffer
                    || (desc.row_pitch, desc.slice_pitch) != (0, 0));
            if levelled || levels > MAX_2D.ilog2() + 1 || given.num_samples != 0 {
                continue;
            }
            if memory {
                let Ok(parent) = parent_of(context, kind, given.mem_object) else { continue };
                if axis.is_some() {
                    capacity = capacity.min(parent.size() as u64);
                }
                if let Some(image) = parent.image() {
                    [bounds.width, bounds.height, _] = image.layout.extent;
                }
            }
        }
        for format in
            Format::supported().filter(|f| has(*f, kind) && format.is_none_or(|g| g == *f))
        {
            if !allows(format, flags) || (levels > 1 && !format.is_writable()) {
                continue;
            }
            all.push(ImageShape { desc, levels, format, bounds, capacity });
        }
    }
    if all.is_empty() { Err(invalid) } else { Ok(all) }
}

#[cl_entry(clGetImageRequirementsInfoEXT)]
fn get_image_requirements_info_ext(
    context: cl_context,
    properties: *const cl_mem_properties,
    flags: cl_mem_flags,
    image_format: *const cl_image_format,
    image_desc: *const cl_image_desc,
    param_name: cl_image_requirements_info_ext,
    param_value_size: usize,
    param_value: *mut c_void,
    param_value_size_ret: *mut usize,
) -> Result<(), ClError> {
    // CL_INVALID_CONTEXT if context is not a valid context.
    let context = borrow::<Context>(context)?;
    // CL_INVALID_PROPERTY if a property name in properties is not a supported property name, if the
    // value specified for a supported property name is not valid, or if the same property name is
    // specified more than once.
    MemProperties::read(&context, properties, false)?;
    // As clCreateImage: CL_INVALID_OPERATION if there are no devices in context that support
    // images.
    if !context.has_images() {
        return Err(ClError::INVALID_OPERATION);
    }
    // CL_INVALID_VALUE if values specified in flags are not valid. Some valid flags exclude
    // formats.
    check_flags(flags & !sys::CL_MEM_KERNEL_READ_AND_WRITE)?;
    // CL_INVALID_IMAGE_FORMAT_DESCRIPTOR if values specified in image_format are not valid.
    let format = if image_format.is_null() { None } else { Some(format_at(image_format)?) };
    if format.is_some_and(|f| !f.is_supported() || !allows(f, flags)) {
        return Err(ClError::INVALID_IMAGE_FORMAT_DESCRIPTOR);
    }
    let given = (!image_desc.is_null()).then(|| {
        // SAFETY: not NULL, so it points at a description by the specification.
        unsafe { image_desc.read_unaligned() }
    });
    let all = |axis| shapes(&context, flags, format, given.as_ref(), axis);
    let invalid = ClError::INVALID_IMAGE_DESCRIPTOR;
    let out = InfoOut::new(param_value_size, param_value, param_value_size_ret);
    let axis = match param_name {
        sys::CL_IMAGE_REQUIREMENTS_BASE_ADDRESS_ALIGNMENT_EXT
        | sys::CL_IMAGE_REQUIREMENTS_ROW_PITCH_ALIGNMENT_EXT
        | sys::CL_IMAGE_REQUIREMENTS_SLICE_PITCH_ALIGNMENT_EXT => {
            // "When either or both is NULL the implementation will return an alignment that would
            // be sufficient for all possible values of the missing argument."
            let all = all(None)?;
            let possible = all.iter().filter(|shape| given.is_none() || shape.complete().is_some());
            let _written = out.write::<usize>(
                possible.map(|shape| alignment(shape.format)).max().ok_or(invalid)?,
            )?;
            return Ok(());
        }
        sys::CL_IMAGE_REQUIREMENTS_SIZE_EXT => {
            // "Both image_format and image_desc must be non-NULL, otherwise CL_INVALID_VALUE is
            // returned."
            if format.is_none() || given.is_none() {
                return Err(ClError::INVALID_VALUE);
            }
            // Buffers cannot back mipmapped images.
            let all = all(None)?;
            let shape = all.first().filter(|shape| shape.levels <= 1);
            let _written =
                out.write::<usize>(shape.and_then(ImageShape::complete).ok_or(invalid)?)?;
            return Ok(());
        }
        sys::CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT => Axis::Width,
        // "image_type must be either 0, ..., otherwise CL_INVALID_IMAGE_DESCRIPTOR is returned":
        // `shapes` allows only types with such a size.
        sys::CL_IMAGE_REQUIREMENTS_MAX_HEIGHT_EXT => Axis::Height,
        sys::CL_IMAGE_REQUIREMENTS_MAX_DEPTH_EXT => Axis::Depth,
        sys::CL_IMAGE_REQUIREMENTS_MAX_ARRAY_SIZE_EXT => Axis::Layers,
        _ => return Err(violated!(INVALID_VALUE, "if param_name is no query of this call")),
    };
    // An image that is invalid for every size has no maximum.
    let most = all(Some(axis))?.iter().filter_map(|shape| shape.most(axis)).min().ok_or(invalid)?;
    let _written = out.write::<cl_uint>(cl_uint::try_from(most).unwrap_or(cl_uint::MAX))?;
    Ok(())
}
