//! Images and samplers as owned values, and commands on them.

use std::ffi::c_void;
use std::{fmt, ptr};

use opencl_sys as sys;

use crate::objects::{Buffer, Context, Kernel, Queue, object};
use crate::{Result, check};

object!(
    /// An image.
    Image, sys::cl_mem, clReleaseMemObject
);
object!(
    /// A sampler.
    Sampler, sys::cl_sampler, clReleaseSampler
);

/// What an image is.
#[derive(Clone, Copy, Debug)]
pub struct ImageDesc {
    /// `CL_MEM_OBJECT_IMAGE*`
    pub kind: u32,
    /// Channel order and type.
    pub format: (u32, u32),
    /// Width, height, depth.
    pub size: [usize; 3],
    /// Layers of an array.
    pub layers: usize,
    /// Levels of a mipmapped image; 0 for others.
    pub levels: u32,
}

/// A place in an image and the size of a part of it, in pixels. The number behind the axes the
/// image has is the level of a mipmapped one; 0 for others.
pub type Area = ([usize; 4], [usize; 3]);

impl Context {
    /// An image without content, in the memory of `buffer` if there is one.
    pub fn image(
        &self,
        flags: sys::cl_mem_flags,
        desc: &ImageDesc,
        buffer: Option<&Buffer>,
    ) -> Result<Image> {
        self.image_in(flags, desc, [0; 2], buffer)
    }

    /// The same, with `pitches` from row to row and from slice to slice in the buffer; 0 for none
    /// between them.
    pub fn image_in(
        &self,
        flags: sys::cl_mem_flags,
        desc: &ImageDesc,
        pitches: [usize; 2],
        buffer: Option<&Buffer>,
    ) -> Result<Image> {
        let memory = buffer.map_or(ptr::null_mut(), Buffer::raw);
        // SAFETY: no host pointer.
        unsafe { self.image_at(flags, desc, pitches, memory, ptr::null_mut()) }
    }

    /// An image whose memory is `memory`, with `pitches` from row to row and from slice to slice.
    ///
    /// # Safety
    /// The memory lives, and is only used while it is mapped, as long as the image.
    pub unsafe fn image_on(
        &self,
        flags: sys::cl_mem_flags,
        desc: &ImageDesc,
        pitches: [usize; 2],
        memory: &mut [u8],
    ) -> Result<Image> {
        // SAFETY: the caller promises the memory.
        unsafe { self.image_at(flags, desc, pitches, ptr::null_mut(), memory.as_mut_ptr().cast()) }
    }

    /// # Safety
    /// `host` is NULL or memory that lives as long as the image, for what `flags` say is done with
    /// it.
    unsafe fn image_at(
        &self,
        flags: sys::cl_mem_flags,
        desc: &ImageDesc,
        pitches: [usize; 2],
        buffer: sys::cl_mem,
        host: *mut c_void,
    ) -> Result<Image> {
        let format = sys::cl_image_format {
            image_channel_order: desc.format.0,
            image_channel_data_type: desc.format.1,
        };
        let given = sys::cl_image_desc {
            image_type: desc.kind,
            image_width: desc.size[0],
            image_height: desc.size[1],
            image_depth: desc.size[2],
            image_array_size: desc.layers,
            image_row_pitch: pitches[0],
            image_slice_pitch: pitches[1],
            num_mip_levels: desc.levels,
            num_samples: 0,
            buffer,
        };
        let mut code = 0;
        // SAFETY: the caller promises the memory.
        let raw = unsafe {
            sys::clCreateImage(
                self.raw(),
                flags,
                &raw const format,
                &raw const given,
                host,
                &raw mut code,
            )
        };
        check("clCreateImage", code)?;
        Ok(Image(raw))
    }

    /// An image nothing changes (`cl_ext_immutable_memory_objects`) on memory without pitches:
    /// `data` itself, with `CL_MEM_USE_HOST_PTR`, or a copy.
    pub fn immutable_image<T: Sync>(
        &self,
        host: sys::cl_mem_flags,
        desc: &ImageDesc,
        data: &'static [T],
    ) -> Result<Image> {
        let memory = data.as_ptr().cast_mut().cast();
        // SAFETY: the memory lives as long as the process, and with this flag it is only read.
        unsafe { self.image_at(crate::IMMUTABLE | host, desc, [0; 2], ptr::null_mut(), memory) }
    }

    /// A sampler: `CL_ADDRESS_*` and `CL_FILTER_*`.
    pub fn sampler(&self, normalized: bool, addressing: u32, filter: u32) -> Result<Sampler> {
        self.sampler_with(normalized, addressing, filter, &[])
    }

    /// A sampler with more properties, as pairs of name and value.
    pub fn sampler_with(
        &self,
        normalized: bool,
        addressing: u32,
        filter: u32,
        more: &[(u32, u64)],
    ) -> Result<Sampler> {
        let mut properties: Vec<u64> = vec![
            sys::CL_SAMPLER_NORMALIZED_COORDS.into(),
            u64::from(normalized),
            sys::CL_SAMPLER_ADDRESSING_MODE.into(),
            addressing.into(),
            sys::CL_SAMPLER_FILTER_MODE.into(),
            filter.into(),
        ];
        properties.extend(more.iter().flat_map(|&(name, value)| [name.into(), value]));
        properties.push(0);
        let mut code = 0;
        // SAFETY: the list ends with a zero.
        let raw = unsafe {
            sys::clCreateSamplerWithProperties(self.raw(), properties.as_ptr(), &raw mut code)
        };
        check("clCreateSamplerWithProperties", code)?;
        Ok(Sampler(raw))
    }
}

impl Kernel {
    /// Sets an argument to an image.
    pub fn set_image(&mut self, index: u32, image: &Image) -> Result<()> {
        self.set(index, image.raw())
    }

    /// Sets an argument to a sampler.
    pub fn set_sampler(&mut self, index: u32, sampler: &Sampler) -> Result<()> {
        self.set(index, sampler.raw())
    }
}

impl Queue {
    /// Writes a part of an image from tightly packed pixels.
    pub fn write_image<T: Copy>(
        &self,
        image: &Image,
        (origin, region): Area,
        data: &[T],
    ) -> Result<()> {
        // SAFETY: the caller gives as many pixels as the part has; a blocking call.
        let code = unsafe {
            sys::clEnqueueWriteImage(
                self.raw(),
                image.raw(),
                sys::CL_TRUE,
                origin.as_ptr(),
                region.as_ptr(),
                0,
                0,
                data.as_ptr().cast_mut().cast(),
                0,
                ptr::null(),
                ptr::null_mut(),
            )
        };
        check("clEnqueueWriteImage", code)
    }

    /// Maps a part of an image; gives the address of its first pixel and the pitches.
    pub fn map_image(
        &self,
        image: &Image,
        flags: sys::cl_map_flags,
        (origin, region): Area,
    ) -> Result<(*mut u8, [usize; 2])> {
        let (mut code, mut pitches) = (0, [0; 2]);
        let [row, slice] = &mut pitches;
        // SAFETY: room for two pitches; a blocking call.
        let at = unsafe {
            sys::clEnqueueMapImage(
                self.raw(),
                image.raw(),
                sys::CL_TRUE,
                flags,
                origin.as_ptr(),
                region.as_ptr(),
                row,
                slice,
                0,
                ptr::null(),
                ptr::null_mut(),
                &raw mut code,
            )
        };
        check("clEnqueueMapImage", code)?;
        Ok((at.cast(), pitches))
    }

    /// Unmaps what [`Self::map_image`] gave.
    pub fn unmap_image(&self, image: &Image, at: *mut u8) -> Result<()> {
        // SAFETY: the driver checks the address.
        let code = unsafe {
            sys::clEnqueueUnmapMemObject(
                self.raw(),
                image.raw(),
                at.cast(),
                0,
                ptr::null(),
                ptr::null_mut(),
            )
        };
        check("clEnqueueUnmapMemObject", code)
    }

    /// Reads a part of an image to tightly packed pixels.
    pub fn read_image<T: Copy>(
        &self,
        image: &Image,
        (origin, region): Area,
        data: &mut [T],
    ) -> Result<()> {
        // SAFETY: the caller has room for as many pixels as the part has; a blocking call.
        let code = unsafe {
            sys::clEnqueueReadImage(
                self.raw(),
                image.raw(),
                sys::CL_TRUE,
                origin.as_ptr(),
                region.as_ptr(),
                0,
                0,
                data.as_mut_ptr().cast(),
                0,
                ptr::null(),
                ptr::null_mut(),
            )
        };
        check("clEnqueueReadImage", code)
    }

    /// Fills a part of an image with a colour of four words.
    pub fn fill_image(
        &self,
        image: &Image,
        (origin, region): Area,
        color: &[u32; 4],
    ) -> Result<()> {
        // SAFETY: four words are read.
        let code = unsafe {
            sys::clEnqueueFillImage(
                self.raw(),
                image.raw(),
                color.as_ptr().cast(),
                origin.as_ptr(),
                region.as_ptr(),
                0,
                ptr::null(),
                ptr::null_mut(),
            )
        };
        check("clEnqueueFillImage", code)
    }

    /// Copies a part of an image to a place in another.
    pub fn copy_image(
        &self,
        from: &Image,
        (origin, region): Area,
        to: &Image,
        place: [usize; 4],
    ) -> Result<()> {
        // SAFETY: plain values.
        let code = unsafe {
            sys::clEnqueueCopyImage(
                self.raw(),
                from.raw(),
                to.raw(),
                origin.as_ptr(),
                place.as_ptr(),
                region.as_ptr(),
                0,
                ptr::null(),
                ptr::null_mut(),
            )
        };
        check("clEnqueueCopyImage", code)
    }

    /// Copies a part of an image to tightly packed pixels in a buffer.
    pub fn image_to_buffer(
        &self,
        from: &Image,
        (origin, region): Area,
        to: &Buffer,
        offset: usize,
    ) -> Result<()> {
        // SAFETY: plain values.
        let code = unsafe {
            sys::clEnqueueCopyImageToBuffer(
                self.raw(),
                from.raw(),
                to.raw(),
                origin.as_ptr(),
                region.as_ptr(),
                offset,
                0,
                ptr::null(),
                ptr::null_mut(),
            )
        };
        check("clEnqueueCopyImageToBuffer", code)
    }

    /// Copies tightly packed pixels in a buffer to a part of an image.
    pub fn buffer_to_image(
        &self,
        from: &Buffer,
        offset: usize,
        to: &Image,
        (origin, region): Area,
    ) -> Result<()> {
        // SAFETY: plain values.
        let code = unsafe {
            sys::clEnqueueCopyBufferToImage(
                self.raw(),
                from.raw(),
                to.raw(),
                offset,
                origin.as_ptr(),
                region.as_ptr(),
                0,
                ptr::null(),
                ptr::null_mut(),
            )
        };
        check("clEnqueueCopyBufferToImage", code)
    }
}
