//! Images: creation, and use by commands.

#![allow(
    clippy::wildcard_imports,
    reason = "the names of the OpenCL headers, of which nearly all are used"
)]

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use muxcl_cl_sys::*;

use super::{ApiFuzz, Mapped, arena, list_at};
use crate::cl;

/// Maximum pixels along an axis of a created image: with pixels of 16 bytes and the pitches below,
/// every image fits into the arena.
const SIDE: usize = 17;

impl ApiFuzz<'_> {
    fn format(&mut self) -> cl_image_format {
        let orders = [
            CL_RGBA,
            CL_RGBA,
            CL_R,
            CL_RG,
            CL_BGRA,
            CL_DEPTH,
            CL_sRGBA,
            CL_A,
            CL_INTENSITY,
            CL_RGB,
            7,
        ];
        let types = [
            CL_UNORM_INT8,
            CL_UNORM_INT8,
            CL_FLOAT,
            CL_HALF_FLOAT,
            CL_SIGNED_INT32,
            CL_UNSIGNED_INT16,
            CL_UNORM_SHORT_565,
            7,
        ];
        cl_image_format {
            image_channel_order: self.pick(&orders),
            image_channel_data_type: self.pick(&types),
        }
    }

    /// An image description of random size, with application memory for it or NULL.
    fn image_desc(&mut self) -> (cl_image_desc, *mut c_void) {
        let kinds = [
            CL_MEM_OBJECT_IMAGE2D,
            CL_MEM_OBJECT_IMAGE2D,
            CL_MEM_OBJECT_IMAGE1D,
            CL_MEM_OBJECT_IMAGE1D_BUFFER,
            CL_MEM_OBJECT_IMAGE1D_ARRAY,
            CL_MEM_OBJECT_IMAGE2D_ARRAY,
            CL_MEM_OBJECT_IMAGE3D,
            CL_MEM_OBJECT_BUFFER,
        ];
        let host = if self.chance(4) { arena() } else { null_mut() };
        let huge = host.is_null() && self.chance(20);
        let side = |api_fuzz: &mut Self| {
            if huge { api_fuzz.pick(&[0, 16384, 1 << 31, usize::MAX]) } else { api_fuzz.next(SIDE) }
        };
        let desc = cl_image_desc {
            image_type: self.pick(&kinds),
            image_width: side(self),
            image_height: side(self),
            image_depth: if huge { 1 } else { self.next(SIDE) },
            image_array_size: if huge { 1 } else { self.next(SIDE) },
            image_row_pitch: if self.chance(2) { 0 } else { self.next(17) * 64 },
            image_slice_pitch: if self.chance(2) { 0 } else { self.next(17) * 1024 },
            num_mip_levels: if self.chance(4) { self.word(6) } else { 0 },
            num_samples: u32::from(self.chance(40)),
            mem_object: if self.chance(3) { self.any() } else { null_mut() },
        };
        (desc, host)
    }

    /// Queries the requirements of an image like those of [`Self::create_image`].
    pub(super) fn image_requirements(
        &mut self,
        size: usize,
        out: *mut c_void,
        to: *mut usize,
    ) -> cl_int {
        let (format, (mut desc, _)) = (self.format(), self.image_desc());
        for field in [
            &mut desc.image_width,
            &mut desc.image_height,
            &mut desc.image_depth,
            &mut desc.image_array_size,
        ] {
            if self.chance(4) {
                *field = 0;
            }
        }
        let f = if self.chance(4) { null() } else { &raw const format };
        let d = if self.chance(6) { null() } else { &raw const desc };
        let flags = self.bits(&[1, 2, 4, CL_MEM_KERNEL_READ_AND_WRITE, CL_MEM_IMMUTABLE_EXT]);
        let names = [CL_IMAGE_REQUIREMENTS_ROW_PITCH_ALIGNMENT_EXT, CL_IMAGE_REQUIREMENTS_SIZE_EXT];
        let name = self.pick(&names) + self.word(6);
        cl!(clGetImageRequirementsInfoEXT(self.any(), null(), flags, f, d, name, size, out, to))
    }

    pub(super) fn create_image(&mut self) {
        let (format, (desc, host)) = (self.format(), self.image_desc());
        let huge = desc.image_width.max(desc.image_height) > SIDE;
        // Large planes would only waste memory.
        if huge && desc.image_width == 16384 && desc.image_height == 16384 {
            return;
        }
        let host_flags = [CL_MEM_USE_HOST_PTR, CL_MEM_COPY_HOST_PTR];
        let flags = if host.is_null() {
            self.bits(&[1, 2, 4, CL_MEM_HOST_NO_ACCESS])
        } else {
            self.pick(&host_flags)
        };
        let flags = if self.chance(6) { flags | CL_MEM_IMMUTABLE_EXT } else { flags };
        let mut code = 1;
        let (f, d, at) = (&raw const format, &raw const desc, &raw mut code);
        let c = self.any();
        let made = match self.next(6) {
            0 => cl!(clCreateImageWithProperties(c, [0_u64].as_ptr(), flags, f, d, host, at)),
            1 => cl!(clCreateImage2D(
                c,
                flags,
                f,
                desc.image_width,
                desc.image_height,
                desc.image_row_pitch,
                host,
                at
            )),
            _ => cl!(clCreateImage(c, flags, f, d, host, at)),
        };
        self.remember(made, code);
    }

    /// An origin or a region: usually small, sometimes far out of bounds. Four numbers, because a
    /// mipmapped image also has a level.
    fn corners(&mut self, least: usize) -> [usize; 4] {
        let mut list = [least; 4];
        for axis in &mut list {
            if self.chance(60) {
                *axis = self.size();
            } else if self.chance(2) {
                *axis += self.next(SIDE);
            }
        }
        list
    }

    pub(super) fn image_command(&mut self) {
        let (mut count, list) = self.waits();
        let waits = list_at(&list);
        let mut event: cl_event = null_mut();
        let wanted = if self.chance(2) { &raw mut event } else { null_mut() };
        let (q, img, mem): (cl_command_queue, cl_mem, cl_mem) =
            (self.any(), self.any(), self.any());
        let (o, p, r) = (self.corners(0), self.corners(0), self.corners(1));
        let (o, p, r) = (o.as_ptr(), p.as_ptr(), r.as_ptr());
        let row = if self.chance(2) { 0 } else { self.next(17) * 64 };
        let slice = if self.chance(2) { 0 } else { self.next(17) * 1024 };
        let blocking = u32::from(self.chance(2));
        if blocking != 0 {
            self.open_gates();
        }
        if list.is_empty() && self.chance(80) {
            count = 1;
        }
        let host = arena();
        let code = match self.next(8) {
            0 => cl!(clEnqueueReadImage(
                q, img, blocking, o, r, row, slice, host, count, waits, wanted
            )),
            1 => cl!(clEnqueueWriteImage(
                q, img, blocking, o, r, row, slice, host, count, waits, wanted
            )),
            2 => cl!(clEnqueueCopyImage(q, img, mem, o, p, r, count, waits, wanted)),
            3 => cl!(clEnqueueFillImage(q, img, host, o, r, count, waits, wanted)),
            4 => cl!(clEnqueueCopyImageToBuffer(
                q,
                img,
                mem,
                o,
                r,
                self.size(),
                count,
                waits,
                wanted
            )),
            5 => cl!(clEnqueueCopyBufferToImage(
                q,
                mem,
                img,
                self.size(),
                o,
                r,
                count,
                waits,
                wanted
            )),
            6 => {
                let (mut a, mut b, mut code) = (0, 0, 1);
                let flags = self.bits(&[CL_MAP_READ, CL_MAP_WRITE, CL_MAP_WRITE_INVALIDATE_REGION]);
                let (pitch, at) = (&raw mut a, &raw mut code);
                let made = cl!(clEnqueueMapImage(
                    q, img, blocking, flags, o, r, pitch, &raw mut b, count, waits, wanted, at
                ));
                if !made.is_null() {
                    self.mapped.push(Mapped { mem: img, at: made });
                }
                code
            }
            _ => {
                let mut formats = [cl_image_format::default(); 8];
                let flags =
                    self.bits(&[1, 2, 4, CL_MEM_KERNEL_READ_AND_WRITE, CL_MEM_IMMUTABLE_EXT]);
                let kind = CL_MEM_OBJECT_BUFFER + self.word(9);
                let n = self.word(9);
                cl!(clGetSupportedImageFormats(
                    self.any(),
                    flags,
                    kind,
                    n,
                    formats.as_mut_ptr(),
                    null_mut()
                ))
            }
        };
        self.count(code);
        if !event.is_null() {
            self.remember(event, code);
        }
    }
}
