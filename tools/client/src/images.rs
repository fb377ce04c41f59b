//! Images and samplers as owned values, and commands on them.

use std::ffi::c_void;
use std::ptr;

use opencl_sys as sys;
use opencl3::{command_queue, event, memory};

use crate::Result;
use crate::objects::{Buffer, Context, Kernel, Named as _, Queue};

/// An image.
#[derive(Debug)]
pub struct Image(memory::Image);

// SAFETY: an image may be used from any thread; the value holds the handle only.
unsafe impl Sync for Image {}

/// A sampler.
#[derive(Debug)]
pub struct Sampler(memory::Sampler);

// SAFETY: as for images.
unsafe impl Sync for Sampler {}

impl Image {
    /// The raw handle, still owned by `self`.
    #[must_use]
    pub fn raw(&self) -> sys::cl_mem {
        memory::ClMem::get(&self.0)
    }
}

impl Sampler {
    /// The raw handle, still owned by `self`.
    #[must_use]
    pub fn raw(&self) -> sys::cl_sampler {
        self.0.get()
    }
}

/// The dimensions and format of an image.
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

/// The origin and the size of a region of an image, in pixels. The number after the image's axes is
/// the level of a mipmapped image, or 0.
pub type Area = ([usize; 4], [usize; 3]);

impl Context {
    /// An image without content, in the memory of `buffer` if one is given.
    pub fn image(
        &self,
        flags: sys::cl_mem_flags,
        desc: &ImageDesc,
        buffer: Option<&Buffer>,
    ) -> Result<Image> {
        self.image_in(flags, desc, [0; 2], buffer)
    }

    /// As [`Self::image`], with `pitches` from row to row and from slice to slice in the buffer, in
    /// bytes; 0 means tightly packed.
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

    /// An image whose memory is `memory`, with `pitches` from row to row and from slice to slice,
    /// in bytes.
    ///
    /// # Safety
    /// The memory lives as long as the image, and is only accessed while it is mapped.
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
    /// `host` is NULL, or memory that lives as long as the image and that `flags` allow to be used.
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
        // SAFETY: the caller promises the memory.
        let image = unsafe {
            memory::Image::create(&self.0, flags, &raw const format, &raw const given, host)
        };
        image.map(Image).of("clCreateImage")
    }

    /// An immutable image (`cl_ext_immutable_memory_objects`) with tightly packed content: `data`
    /// itself, with `CL_MEM_USE_HOST_PTR`, or a copy.
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
        memory::Sampler::create_with_properties(&self.0, properties.as_ptr())
            .map(Sampler)
            .of("clCreateSamplerWithProperties")
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

/// Releases the event of a command.
fn release(event: sys::cl_event) {
    drop(event::Event::new(event));
}

impl Queue {
    /// Writes a region of an image from tightly packed pixels, and waits.
    pub fn write_image<T: Copy>(
        &self,
        image: &Image,
        (origin, region): Area,
        data: &[T],
    ) -> Result<()> {
        let (origin, region) = (origin.as_ptr(), region.as_ptr());
        let from = data.as_ptr().cast_mut().cast();
        // SAFETY: the caller passes as many pixels as the region has; a blocking call.
        let event = unsafe {
            command_queue::enqueue_write_image(
                self.raw(),
                image.raw(),
                sys::CL_TRUE,
                origin,
                region,
                0,
                0,
                from,
                0,
                ptr::null(),
            )
        };
        event.map(release).of("clEnqueueWriteImage")
    }

    /// Maps a region of an image. Returns the address of its first pixel and the pitches, in bytes.
    pub fn map_image(
        &self,
        image: &Image,
        flags: sys::cl_map_flags,
        (origin, region): Area,
    ) -> Result<(*mut u8, [usize; 2])> {
        let (mut at, mut pitches): (sys::cl_mem, _) = (ptr::null_mut(), [0; 2]);
        let [row, slice] = &mut pitches;
        let (origin, region) = (origin.as_ptr(), region.as_ptr());
        // SAFETY: room for two pitches; a blocking call.
        let event = unsafe {
            self.0.enqueue_map_image(
                &image.0,
                sys::CL_TRUE,
                flags,
                origin,
                region,
                row,
                slice,
                &mut at,
                &[],
            )
        };
        event.map(drop).of("clEnqueueMapImage")?;
        Ok((at.cast(), pitches))
    }

    /// Unmaps the memory that [`Self::map_image`] returned.
    pub fn unmap_image(&self, image: &Image, at: *mut u8) -> Result<()> {
        // SAFETY: the driver checks the address.
        unsafe { self.0.enqueue_unmap_mem_object(image.raw(), at.cast(), &[]) }
            .map(drop)
            .of("clEnqueueUnmapMemObject")
    }

    /// Reads a region of an image to tightly packed pixels, and waits.
    pub fn read_image<T: Copy>(
        &self,
        image: &Image,
        (origin, region): Area,
        data: &mut [T],
    ) -> Result<()> {
        let (origin, region) = (origin.as_ptr(), region.as_ptr());
        let to: *mut c_void = data.as_mut_ptr().cast();
        // SAFETY: the caller's slice has as many pixels as the region; a blocking call.
        unsafe { self.0.enqueue_read_image(&image.0, sys::CL_TRUE, origin, region, 0, 0, to, &[]) }
            .map(drop)
            .of("clEnqueueReadImage")
    }

    /// Fills a region of an image with a colour of four words.
    pub fn fill_image(
        &self,
        image: &Image,
        (origin, region): Area,
        color: &[u32; 4],
    ) -> Result<()> {
        let (raw, color) = (image.raw(), color.as_ptr().cast());
        let (origin, region) = (origin.as_ptr(), region.as_ptr());
        // SAFETY: the call reads four words before it returns.
        unsafe {
            command_queue::enqueue_fill_image(
                self.raw(),
                raw,
                color,
                origin,
                region,
                0,
                ptr::null(),
            )
        }
        .map(release)
        .of("clEnqueueFillImage")
    }

    /// Copies a region of an image to the position `place` of another image.
    pub fn copy_image(
        &self,
        from: &Image,
        (origin, region): Area,
        to: &Image,
        place: [usize; 4],
    ) -> Result<()> {
        let (origin, place, region) = (origin.as_ptr(), place.as_ptr(), region.as_ptr());
        // SAFETY: plain values.
        unsafe {
            command_queue::enqueue_copy_image(
                self.raw(),
                from.raw(),
                to.raw(),
                origin,
                place,
                region,
                0,
                ptr::null(),
            )
        }
        .map(release)
        .of("clEnqueueCopyImage")
    }

    /// Copies a region of an image to tightly packed pixels in a buffer.
    pub fn image_to_buffer(
        &self,
        from: &Image,
        (origin, region): Area,
        to: &Buffer,
        offset: usize,
    ) -> Result<()> {
        let (origin, region) = (origin.as_ptr(), region.as_ptr());
        // SAFETY: plain values.
        unsafe {
            command_queue::enqueue_copy_image_to_buffer(
                self.raw(),
                from.raw(),
                to.raw(),
                origin,
                region,
                offset,
                0,
                ptr::null(),
            )
        }
        .map(release)
        .of("clEnqueueCopyImageToBuffer")
    }

    /// Copies tightly packed pixels in a buffer to a region of an image.
    pub fn buffer_to_image(
        &self,
        from: &Buffer,
        offset: usize,
        to: &Image,
        (origin, region): Area,
    ) -> Result<()> {
        let (origin, region) = (origin.as_ptr(), region.as_ptr());
        // SAFETY: plain values.
        unsafe {
            command_queue::enqueue_copy_buffer_to_image(
                self.raw(),
                from.raw(),
                to.raw(),
                offset,
                origin,
                region,
                0,
                ptr::null(),
            )
        }
        .map(release)
        .of("clEnqueueCopyBufferToImage")
    }
}
