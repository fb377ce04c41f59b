//! Creating and querying images (specification, section 5.3). Commands are in `enqueue_image`.

use std::ffi::c_void;

use muxcl_cl_macros::cl_entry;
use muxcl_cl_sys as sys;
use muxcl_cl_sys::{
    cl_context, cl_image_desc, cl_image_format, cl_image_info, cl_mem, cl_mem_flags,
    cl_mem_object_type, cl_mem_properties, cl_uint,
};
use muxcl_img::{Desc, Format, Kind, Layout, mipmap};

use super::external_memory::MemProperties;
use super::memory::{check_flags, root_flags, sub_buffer_flags};
use crate::checked::{self, HostPtr};
use crate::core::context::Context;
use crate::core::image::{Image, alignment, cl_format, fits, in_buffer};
use crate::core::memory::Mem;
use crate::error::{ClError, ClResult};
use crate::explain::violated;
use crate::info::InfoOut;
use crate::object::{Borrowed, ClObject as _, borrow};

/// Reads a format and checks that it is valid.
pub(super) fn format_at(pointer: *const cl_image_format) -> ClResult<Format> {
    // CL_INVALID_IMAGE_FORMAT_DESCRIPTOR if values specified in image_format are not valid or if
    // image_format is NULL.
    let invalid = ClError::INVALID_IMAGE_FORMAT_DESCRIPTOR;
    if pointer.is_null() {
        return Err(invalid);
    }
    // SAFETY: not NULL, so it points at a format by the specification.
    let format = unsafe { pointer.read_unaligned() };
    Format::new(format.image_channel_order, format.image_channel_data_type).ok_or(invalid)
}

/// CL_IMAGE_FORMAT_NOT_SUPPORTED if there are no devices in context that support image_format.
fn supported(format: Format, kind: Kind) -> ClResult<()> {
    if format.is_supported() && has(format, kind) {
        Ok(())
    } else {
        Err(ClError::IMAGE_FORMAT_NOT_SUPPORTED)
    }
}

/// True if images of a kind may have a format. Only 2D images and arrays of them may have a depth
/// format. 3D images may not have a format whose pixels share bytes.
pub(super) fn has(format: Format, kind: Kind) -> bool {
    match kind {
        Kind::Image2D | Kind::Image2DArray => true,
        Kind::Image3D => !format.is_depth() && format.is_writable(),
        _ => !format.is_depth(),
    }
}

/// True if the driver supports a format with these `CL_MEM_*` flags. Formats whose pixels share
/// bytes are read-only for kernels. Immutable images may not have such a format: the specification
/// leaves their formats open, and applications expect pixels of whole bytes.
pub(super) fn allows(format: Format, flags: cl_mem_flags) -> bool {
    let others = sys::CL_MEM_WRITE_ONLY
        | sys::CL_MEM_READ_WRITE
        | sys::CL_MEM_KERNEL_READ_AND_WRITE
        | sys::CL_MEM_IMMUTABLE_EXT;
    // CL_MEM_READ_WRITE is the default.
    format.is_writable() || (flags & sys::CL_MEM_READ_ONLY != 0 && flags & others == 0)
}

/// The object in whose memory the image is created, if the description names one.
fn parent<'a>(
    context: &Context,
    kind: Kind,
    desc: &cl_image_desc,
) -> ClResult<Option<Borrowed<'a, Mem>>> {
    if desc.mem_object.is_null() {
        return if kind == Kind::Image1DBuffer {
            Err(ClError::INVALID_IMAGE_DESCRIPTOR)
        } else {
            Ok(None)
        };
    }
    parent_of(context, kind, desc.mem_object).map(Some)
}

/// The object that `mem_object` names.
pub(super) fn parent_of<'a>(
    context: &Context,
    kind: Kind,
    mem_object: cl_mem,
) -> ClResult<Borrowed<'a, Mem>> {
    // CL_INVALID_IMAGE_DESCRIPTOR if values specified in image_desc are not valid: mem_object is a
    // buffer (cl_ext_image_from_buffer), for 2D images also a 2D image, or NULL.
    let invalid = ClError::INVALID_IMAGE_DESCRIPTOR;
    let mem = borrow::<Mem>(mem_object).map_err(|_| invalid)?;
    let right = match mem.image() {
        None => mem.pipe().is_none(),
        Some(image) => (kind, image.kind) == (Kind::Image2D, Kind::Image2D),
    };
    if right && mem.context().is(context) { Ok(mem) } else { Err(invalid) }
}

/// Checks the restrictions on images with several levels. The specification names no errors for
/// them.
fn may_have_levels(
    kind: Kind,
    format: Format,
    flags: cl_mem_flags,
    host_ptr: *mut c_void,
    in_memory: bool,
) -> ClResult<()> {
    // "Mip-mapped images cannot be created for CL_MEM_OBJECT_IMAGE1D_BUFFER images, depth images or
    // multi-sampled images"; nor in existing memory.
    if kind == Kind::Image1DBuffer || format.is_depth() || in_memory {
        return Err(ClError::INVALID_IMAGE_DESCRIPTOR);
    }
    // "CL_MEM_USE_HOST_PTR or CL_MEM_COPY_HOST_PTR cannot be specified if a mipmapped image is
    // created."
    if flags & (sys::CL_MEM_USE_HOST_PTR | sys::CL_MEM_COPY_HOST_PTR) != 0 {
        return Err(ClError::INVALID_VALUE);
    }
    // "The host_ptr argument to clCreateImage must be a NULL value."
    if host_ptr.is_null() { Ok(()) } else { Err(ClError::INVALID_HOST_PTR) }
}

fn image(
    context: cl_context,
    properties: *const cl_mem_properties,
    flags: cl_mem_flags,
    image_format: *const cl_image_format,
    image_desc: *const cl_image_desc,
    host_ptr: *mut c_void,
) -> ClResult<cl_mem> {
    let invalid = ClError::INVALID_IMAGE_DESCRIPTOR;
    // CL_INVALID_CONTEXT if context is not a valid context.
    let context = Context::live(context)?;
    // CL_INVALID_PROPERTY and CL_INVALID_DEVICE for properties that are not valid.
    let properties = MemProperties::read(&context, properties, false)?;
    if !context.has_images() {
        return Err(violated!(INVALID_OPERATION, "if no device of the context has images"));
    }
    check_flags(flags)?;
    properties.check_flags(flags)?;
    let MemProperties { handle, raw: properties, .. } = properties;
    let format = format_at(image_format)?;
    // CL_INVALID_IMAGE_DESCRIPTOR if values specified in image_desc are not valid or if image_desc
    // is NULL.
    if image_desc.is_null() {
        return Err(invalid);
    }
    // SAFETY: not NULL, so it points at a description by the specification.
    let given = unsafe { image_desc.read_unaligned() };
    let kind = Image::kind_of(given.image_type).ok_or(invalid)?;
    // num_samples must be 0.
    if given.num_samples != 0 {
        return Err(invalid);
    }
    let parent = parent(&context, kind, &given)?;
    // An image has the memory of one object or of one handle.
    if parent.is_some() && handle.is_some() {
        return Err(invalid);
    }
    supported(format, kind)?;
    let levels = given.num_mip_levels;
    // Halving a width would split a group of pixels that share bytes.
    if levels > 1 && !format.is_writable() {
        return Err(invalid);
    }
    if levels > 1 {
        let in_memory = parent.is_some() || handle.is_some();
        may_have_levels(kind, format, flags, host_ptr, in_memory)?;
    }
    let desc = Desc {
        kind,
        width: given.image_width,
        height: given.image_height,
        depth: given.image_depth,
        layers: given.image_array_size,
        row_pitch: given.image_row_pitch,
        slice_pitch: if kind.has_slices() { given.image_slice_pitch } else { 0 },
    };
    if let Some(parent) = parent {
        return image_in(parent, properties, flags, format, (desc, levels), host_ptr);
    }
    let flags = root_flags(flags, handle.is_some())?;
    if !allows(format, flags) {
        return Err(violated!(
            IMAGE_FORMAT_NOT_SUPPORTED,
            "if the format does not support the kernels' access"
        ));
    }
    // "image_row_pitch ... must be 0 if host_ptr is NULL, the image is not an image created from an
    // external memory handle".
    let given_memory = handle.is_some() || !host_ptr.is_null();
    let layout = Layout::of(&desc, format, given_memory).map_err(|_| invalid)?;
    // The last possible level is a single pixel.
    if levels > mipmap::most(kind, &layout) {
        return Err(invalid);
    }
    let size = match handle {
        Some(_) => in_buffer(kind, &layout),
        None => mipmap::size(kind, &layout, levels).ok_or(invalid)?,
    };
    // CL_INVALID_IMAGE_SIZE if image dimensions specified in image_desc exceed the maximum image
    // dimensions for all devices.
    let too_large = context.devices().iter().all(|d| size as u64 > d.info().max_allocation);
    if !fits(kind, &layout) || too_large {
        return Err(ClError::INVALID_IMAGE_SIZE);
    }
    // CL_INVALID_HOST_PTR if host_ptr is NULL and CL_MEM_USE_HOST_PTR or CL_MEM_COPY_HOST_PTR are
    // set in flags or if host_ptr is not NULL but CL_MEM_COPY_HOST_PTR or CL_MEM_USE_HOST_PTR are
    // not set in flags.
    let wants = flags & (sys::CL_MEM_USE_HOST_PTR | sys::CL_MEM_COPY_HOST_PTR) != 0;
    if wants == host_ptr.is_null() {
        return Err(ClError::INVALID_HOST_PTR);
    }
    let host = wants.then_some(HostPtr(host_ptr));
    if let Some(handle) = handle {
        let layout = Layout { size, ..layout };
        let image = Some(Image { kind, format, layout, levels, size });
        let context = context.keep();
        let made = Mem::new_external(context, properties, flags, handle, size, image)?;
        return Ok(made.handle());
    }
    let image = Image { kind, format, layout, levels, size };
    // CL_MEM_OBJECT_ALLOCATION_FAILURE if there is a failure to allocate memory for image object.
    Ok(Mem::new_image(context.keep(), properties, flags, host, image)?.handle())
}

/// Creates an image in the memory of a buffer or an image.
fn image_in(
    parent: Borrowed<'_, Mem>,
    properties: Vec<cl_mem_properties>,
    flags: cl_mem_flags,
    format: Format,
    (mut desc, levels): (Desc, cl_uint),
    host_ptr: *mut c_void,
) -> ClResult<cl_mem> {
    // CL_INVALID_HOST_PTR, because the image uses existing memory.
    if !host_ptr.is_null() {
        return Err(ClError::INVALID_HOST_PTR);
    }
    if parent.is_immutable() && flags & sys::CL_MEM_IMMUTABLE_EXT == 0 {
        return Err(violated!(
            INVALID_VALUE,
            "if the parent object is immutable, and the new object is not"
        ));
    }
    let flags = sub_buffer_flags(parent.flags(), flags)?;
    if !allows(format, flags) {
        return Err(violated!(
            IMAGE_FORMAT_NOT_SUPPORTED,
            "if the format does not support the kernels' access"
        ));
    }
    if let Some(other) = parent.image() {
        if !format.may_view(other.format) {
            return Err(violated!(
                INVALID_IMAGE_FORMAT_DESCRIPTOR,
                "if the new image does not go with the image that it is created from"
            ));
        }
        // "...all the elements of image_desc must be those of the image". A pitch of 0 matches any.
        let [width, height, _] = other.layout.extent;
        if (desc.width, desc.height) != (width, height)
            || (desc.row_pitch != 0 && desc.row_pitch != other.layout.row_pitch)
        {
            return Err(ClError::INVALID_IMAGE_DESCRIPTOR);
        }
        desc.row_pitch = other.layout.row_pitch;
    } else if desc.kind == Kind::Image1DBuffer {
        desc.row_pitch = 0;
    }
    // CL_INVALID_IMAGE_FORMAT_DESCRIPTOR if an image is created from a buffer and the row pitch, or
    // slice pitch, or base address alignment do not follow the rules described for creating an
    // image from a buffer. Memory that the driver allocates has an aligned base.
    let align = alignment(format);
    let base = parent.host_ptr().filter(|_| parent.image().is_none()).map_or(0, |p| p.0.addr());
    if [desc.row_pitch, desc.slice_pitch, base].iter().any(|n| !n.is_multiple_of(align)) {
        return Err(ClError::INVALID_IMAGE_FORMAT_DESCRIPTOR);
    }
    let layout = Layout::of(&desc, format, true).map_err(|_| ClError::INVALID_IMAGE_DESCRIPTOR)?;
    // CL_INVALID_IMAGE_SIZE if image dimensions exceed those of all devices, or if the buffer is
    // too small to be used as a data store for the image.
    let size = in_buffer(desc.kind, &layout);
    if !fits(desc.kind, &layout) || size > parent.size() {
        return Err(ClError::INVALID_IMAGE_SIZE);
    }
    let image = Image { kind: desc.kind, format, layout: Layout { size, ..layout }, levels, size };
    Ok(Mem::new_image_in(parent.keep(), properties, flags, image)?.handle())
}

#[cl_entry(clCreateImage)]
fn create_image(
    context: cl_context,
    flags: cl_mem_flags,
    image_format: *const cl_image_format,
    image_desc: *const cl_image_desc,
    host_ptr: *mut c_void,
) -> Result<cl_mem, ClError> {
    image(context, std::ptr::null(), flags, image_format, image_desc, host_ptr)
}

#[cl_entry(clCreateImageWithProperties)]
fn create_image_with_properties(
    context: cl_context,
    properties: *const cl_mem_properties,
    flags: cl_mem_flags,
    image_format: *const cl_image_format,
    image_desc: *const cl_image_desc,
    host_ptr: *mut c_void,
) -> Result<cl_mem, ClError> {
    image(context, properties, flags, image_format, image_desc, host_ptr)
}

/// The entry points of OpenCL 1.0 and 1.1, which have a separate error code for a bad size.
fn old_image(
    context: cl_context,
    flags: cl_mem_flags,
    image_format: *const cl_image_format,
    desc: &cl_image_desc,
    host_ptr: *mut c_void,
) -> ClResult<cl_mem> {
    image(context, std::ptr::null(), flags, image_format, desc, host_ptr).map_err(|error| {
        // CL_INVALID_IMAGE_SIZE if image_width, image_height or image_depth are 0, or a pitch is
        // not a valid one.
        let bad_size = error == ClError::INVALID_IMAGE_DESCRIPTOR;
        if bad_size { ClError::INVALID_IMAGE_SIZE } else { error }
    })
}

const NOTHING: cl_image_desc = cl_image_desc {
    image_type: sys::CL_MEM_OBJECT_IMAGE2D,
    image_width: 0,
    image_height: 0,
    image_depth: 0,
    image_array_size: 0,
    image_row_pitch: 0,
    image_slice_pitch: 0,
    num_mip_levels: 0,
    num_samples: 0,
    mem_object: std::ptr::null_mut(),
};

#[cl_entry(clCreateImage2D)]
fn create_image2d(
    context: cl_context,
    flags: cl_mem_flags,
    image_format: *const cl_image_format,
    image_width: usize,
    image_height: usize,
    image_row_pitch: usize,
    host_ptr: *mut c_void,
) -> Result<cl_mem, ClError> {
    let desc = cl_image_desc { image_width, image_height, image_row_pitch, ..NOTHING };
    old_image(context, flags, image_format, &desc, host_ptr)
}

#[cl_entry(clCreateImage3D)]
fn create_image3d(
    context: cl_context,
    flags: cl_mem_flags,
    image_format: *const cl_image_format,
    image_width: usize,
    image_height: usize,
    image_depth: usize,
    image_row_pitch: usize,
    image_slice_pitch: usize,
    host_ptr: *mut c_void,
) -> Result<cl_mem, ClError> {
    let image_type = sys::CL_MEM_OBJECT_IMAGE3D;
    let desc = cl_image_desc {
        image_type,
        image_width,
        image_height,
        image_depth,
        image_row_pitch,
        image_slice_pitch,
        ..NOTHING
    };
    old_image(context, flags, image_format, &desc, host_ptr)
}

#[cl_entry(clGetSupportedImageFormats)]
fn get_supported_image_formats(
    context: cl_context,
    flags: cl_mem_flags,
    image_type: cl_mem_object_type,
    num_entries: cl_uint,
    image_formats: *mut cl_image_format,
    num_image_formats: *mut cl_uint,
) -> Result<(), ClError> {
    // CL_INVALID_CONTEXT if context is not a valid context.
    let context = Context::live(context)?;
    // CL_INVALID_VALUE if flags or image_type are not valid, or if num_entries is 0 and
    // image_formats is not NULL.
    let kind = Image::kind_of(image_type).ok_or(ClError::INVALID_VALUE)?;
    check_flags(flags & !sys::CL_MEM_KERNEL_READ_AND_WRITE)?;
    if num_entries == 0 && !image_formats.is_null() {
        return Err(ClError::INVALID_VALUE);
    }
    // One compiler serves all devices, so all devices with images have the same formats.
    let formats = || {
        Format::supported().filter(|f| context.has_images() && has(*f, kind) && allows(*f, flags))
    };
    if !image_formats.is_null() {
        for (n, format) in formats().take(num_entries as usize).enumerate() {
            let at = image_formats.wrapping_add(n);
            // SAFETY: the application's array has `num_entries` elements, and `n` is less.
            unsafe { at.write_unaligned(cl_format(format)) };
        }
    }
    checked::out(num_image_formats, cl_uint::try_from(formats().count()).unwrap_or(0));
    Ok(())
}

#[cl_entry(clGetImageInfo)]
fn get_image_info(
    image: cl_mem,
    param_name: cl_image_info,
    param_value_size: usize,
    param_value: *mut c_void,
    param_value_size_ret: *mut usize,
) -> Result<(), ClError> {
    // CL_INVALID_MEM_OBJECT if image is a not a valid image object.
    let mem = borrow::<Mem>(image)?;
    let image = mem.image().ok_or(ClError::INVALID_MEM_OBJECT)?;
    let out = InfoOut::new(param_value_size, param_value, param_value_size_ret);
    let (kind, layout) = (image.kind, &image.layout);
    let [width, second, third] = layout.extent;
    let _written = match param_name {
        sys::CL_IMAGE_FORMAT => out.write(image.cl_format()),
        sys::CL_IMAGE_ELEMENT_SIZE => out.write(image.format.pixel_size()),
        sys::CL_IMAGE_ROW_PITCH => out.write(layout.row_pitch),
        sys::CL_IMAGE_SLICE_PITCH => out.write(layout.slice_pitch),
        sys::CL_IMAGE_WIDTH => out.write(width),
        sys::CL_IMAGE_HEIGHT => out.write(if kind.has_height() { second } else { 0 }),
        sys::CL_IMAGE_DEPTH => out.write(if kind == Kind::Image3D { third } else { 0 }),
        sys::CL_IMAGE_ARRAY_SIZE => out.write(match kind {
            Kind::Image1DArray => second,
            Kind::Image2DArray => third,
            _ => 0,
        }),
        sys::CL_IMAGE_BUFFER => {
            let buffer = mem.parent().filter(|(parent, _)| parent.image().is_none());
            out.write::<cl_mem>(buffer.map_or(std::ptr::null_mut(), |(parent, _)| parent.handle()))
        }
        sys::CL_IMAGE_NUM_MIP_LEVELS => out.write::<cl_uint>(image.levels),
        sys::CL_IMAGE_NUM_SAMPLES => out.write::<cl_uint>(0),
        _ => Err(violated!(INVALID_VALUE, "if param_name is no query of this call")),
    }?;
    Ok(())
}
