//! Commands on images (specification, sections 5.3.3 to 5.3.6).
//!
//! A region of an image is a box of bytes of its storage, so every command here is a command on
//! boxes, or on a range of bytes if neither side has gaps. Unmapping is in `enqueue_map`, with
//! buffers.

use std::ffi::c_void;

use muxcl_cl_macros::cl_entry;
use muxcl_cl_sys as sys;
use muxcl_cl_sys::{cl_bool, cl_command_queue, cl_event, cl_map_flags, cl_mem, cl_uint};
use muxcl_img::{Layout, mipmap, pixel};
use muxcl_mux::{Buffer, CommandBuffer, FillPattern, HostMut, HostRef, MuxError, RectRegion};

use super::enqueue::{Enqueue, MemRef, Migrations};
use super::enqueue_buffer::{NO_READ, NO_WRITE, host_may, may_change, three};
use super::enqueue_map::{MapCoherence, kind};
use crate::core::image::Image;
use crate::core::memory::{MAP_WRITES, MapArea, Mem};
use crate::core::storage::{Access, Migration};
use crate::error::{ClError, ClResult};
use crate::explain::violated;

/// A checked region of an image.
#[derive(Clone, Copy, Debug)]
struct Area {
    /// The layout of the region's level.
    layout: Layout,
    /// The level, and the offset of its first byte in the image.
    level: (u32, usize),
    origin: [usize; 3],
    region: [usize; 3],
}

/// Splits an origin into its level and the origin in that level ("Specifying Mipmap Levels to Image
/// Operations").
fn level(image: &Image, origin: *const usize) -> ClResult<(u32, [usize; 3])> {
    let mut at = three(origin)?;
    if !image.is_mipmapped() {
        return Ok((0, at));
    }
    let number = match image.kind.axes() {
        // SAFETY: not NULL; for a mipmapped 2D image array or 3D image the specification requires
        // four elements.
        3 => unsafe { origin.wrapping_add(3).read_unaligned() },
        axes => std::mem::take(&mut at[axes]),
    };
    // CL_INVALID_MIP_LEVEL if the mip level specified in origin is not a valid level for image.
    let number = u32::try_from(number)
        .ok()
        .filter(|n| *n < image.levels)
        .ok_or(ClError::INVALID_MIP_LEVEL)?;
    Ok((number, at))
}

impl Area {
    /// CL_INVALID_VALUE if the region (origin, region) is out of bounds, or if origin and region do
    /// not follow the rules for the image's type: on an axis that the type lacks, origin is 0 and
    /// region 1.
    fn new(image: &Image, origin: *const usize, region: *const usize) -> ClResult<Self> {
        let (number, origin) = level(image, origin)?;
        let region = three(region)?;
        let (start, layout) = mipmap::level(image.kind, &image.layout, number);
        if !layout.contains(origin, region) {
            return Err(ClError::INVALID_VALUE);
        }
        Ok(Self { layout, level: (number, start), origin, region })
    }

    /// The region's box: bytes, rows, slices.
    fn bytes(&self) -> [u64; 3] {
        [
            self.layout.block.size(self.region[0]) as u64,
            self.region[1] as u64,
            self.region[2] as u64,
        ]
    }

    fn offset(&self) -> usize {
        self.level.1 + self.layout.offset(self.origin)
    }

    fn span(&self) -> usize {
        self.layout.span(self.region)
    }

    fn pitch(&self) -> [u64; 2] {
        self.layout.pitch.map(|n| n as u64)
    }

    /// The number of bytes if the box is contiguous on this side and on a side with these pitches.
    fn dense(&self, pitch: [u64; 2]) -> Option<u64> {
        let [width, rows, slices] = self.bytes();
        let tight = (rows == 1 || pitch[0] == width) && (slices == 1 || pitch[1] == width * rows);
        (tight && self.layout.is_dense(self.region)).then_some(width * rows * slices)
    }

    /// The migration for a command that uses the region. A write to a region keeps the bytes
    /// between its rows.
    fn used(&self, enqueue: &Enqueue<'_>, mem: &Mem, access: Access) -> Option<Migration> {
        let access = match access {
            Access::Replace if !self.layout.is_dense(self.region) => Access::Write,
            other => other,
        };
        enqueue.migration(mem, self.offset(), self.span(), access)
    }
}

/// Pitches of the application's memory.
fn host_pitch(
    image: &Image,
    area: &Area,
    row_pitch: usize,
    slice_pitch: usize,
) -> ClResult<[u64; 2]> {
    // CL_INVALID_VALUE if row_pitch or slice_pitch do not follow the rules: 0, or at least as much
    // as the region has; the latter 0 for images without slices.
    let pitch = area.layout.host_pitches(image.kind, area.region, row_pitch, slice_pitch);
    Ok(pitch.map_err(|_| ClError::INVALID_VALUE)?.map(|n| n as u64))
}

#[cl_entry(clEnqueueReadImage)]
fn enqueue_read_image(
    command_queue: cl_command_queue,
    image: cl_mem,
    blocking_read: cl_bool,
    origin: *const usize,
    region: *const usize,
    row_pitch: usize,
    slice_pitch: usize,
    ptr: *mut c_void,
    num_events_in_wait_list: cl_uint,
    event_wait_list: *const cl_event,
    event: *mut cl_event,
) -> Result<(), ClError> {
    let enqueue = Enqueue::new(command_queue, num_events_in_wait_list, event_wait_list, event)?;
    let (mem, image) = enqueue.image(image)?;
    let area = Area::new(image, origin, region)?;
    if ptr.is_null() {
        return Err(violated!(INVALID_VALUE, "if ptr is NULL"));
    }
    let pitch = host_pitch(image, &area, row_pitch, slice_pitch)?;
    // CL_INVALID_OPERATION if clEnqueueReadImage is called on image which has been created with
    // CL_MEM_HOST_WRITE_ONLY or CL_MEM_HOST_NO_ACCESS.
    host_may(&mem, NO_READ)?;
    let buffer = enqueue.buffer(&mem)?;
    let migrations = Migrations::of([area.used(&enqueue, &mem, Access::Read)])?;
    let request = enqueue.request(
        sys::CL_COMMAND_READ_IMAGE,
        blocking_read != sys::CL_FALSE,
        1 + migrations.commands(),
    );
    enqueue.submit(request, |commands| {
        migrations.record(commands, 1)?;
        // SAFETY: the application keeps its memory valid until the command has run.
        let host = unsafe { HostMut::new(ptr.cast()) };
        let offset = area.offset() as u64;
        if let Some(size) = area.dense(pitch) {
            return commands.read_buffer(&buffer, offset, size, host).map(|_| ());
        }
        let rect = RectRegion {
            region: area.bytes(),
            src_offset: offset,
            src_pitch: area.pitch(),
            dst_offset: 0,
            dst_pitch: pitch,
        };
        commands.read_rect(&buffer, host, rect).map(|_| ())
    })
}

#[cl_entry(clEnqueueWriteImage)]
fn enqueue_write_image(
    command_queue: cl_command_queue,
    image: cl_mem,
    blocking_write: cl_bool,
    origin: *const usize,
    region: *const usize,
    input_row_pitch: usize,
    input_slice_pitch: usize,
    ptr: *const c_void,
    num_events_in_wait_list: cl_uint,
    event_wait_list: *const cl_event,
    event: *mut cl_event,
) -> Result<(), ClError> {
    let enqueue = Enqueue::new(command_queue, num_events_in_wait_list, event_wait_list, event)?;
    let (mem, image) = enqueue.image(image)?;
    let area = Area::new(image, origin, region)?;
    if ptr.is_null() {
        return Err(violated!(INVALID_VALUE, "if ptr is NULL"));
    }
    let pitch = host_pitch(image, &area, input_row_pitch, input_slice_pitch)?;
    // CL_INVALID_OPERATION if clEnqueueWriteImage is called on image which has been created with
    // CL_MEM_HOST_READ_ONLY or CL_MEM_HOST_NO_ACCESS, or with CL_MEM_IMMUTABLE_EXT.
    host_may(&mem, NO_WRITE)?;
    let buffer = enqueue.buffer(&mem)?;
    let migrations = Migrations::of([area.used(&enqueue, &mem, Access::Replace)])?;
    let blocking = blocking_write != sys::CL_FALSE;
    let request = enqueue.request(sys::CL_COMMAND_WRITE_IMAGE, blocking, 1 + migrations.commands());
    enqueue.submit(request, |commands| {
        migrations.record(commands, 1)?;
        // SAFETY: the application keeps its memory valid until the command has run.
        let host = unsafe { HostRef::new(ptr.cast()) };
        let offset = area.offset() as u64;
        if let Some(size) = area.dense(pitch) {
            return commands.write_buffer(&buffer, offset, size, host).map(|_| ());
        }
        let rect = RectRegion {
            region: area.bytes(),
            src_offset: 0,
            src_pitch: pitch,
            dst_offset: offset,
            dst_pitch: area.pitch(),
        };
        commands.write_rect(&buffer, host, rect).map(|_| ())
    })
}

/// The position of a box in a buffer.
struct BufferBox<'b> {
    buffer: &'b Buffer,
    offset: u64,
    pitch: [u64; 2],
}

/// Records a copy of a box.
fn copy(
    list: &mut CommandBuffer,
    region: [u64; 3],
    from: &BufferBox<'_>,
    to: &BufferBox<'_>,
) -> Result<(), MuxError> {
    let [width, rows, slices] = region;
    let tight = |pitch: [u64; 2]| {
        (rows == 1 || pitch[0] == width) && (slices == 1 || pitch[1] == width * rows)
    };
    if tight(from.pitch) && tight(to.pitch) {
        let size = width * rows * slices;
        return list.copy_buffer(from.buffer, from.offset, to.buffer, to.offset, size).map(|_| ());
    }
    let rect = RectRegion {
        region,
        src_offset: from.offset,
        src_pitch: from.pitch,
        dst_offset: to.offset,
        dst_pitch: to.pitch,
    };
    list.copy_rect(from.buffer, to.buffer, rect).map(|_| ())
}

#[cl_entry(clEnqueueCopyImage)]
fn enqueue_copy_image(
    command_queue: cl_command_queue,
    src_image: cl_mem,
    dst_image: cl_mem,
    src_origin: *const usize,
    dst_origin: *const usize,
    region: *const usize,
    num_events_in_wait_list: cl_uint,
    event_wait_list: *const cl_event,
    event: *mut cl_event,
) -> Result<(), ClError> {
    let enqueue = Enqueue::new(command_queue, num_events_in_wait_list, event_wait_list, event)?;
    copy_image(&enqueue, src_image.into(), dst_image.into(), src_origin, dst_origin, region)
}

/// Copies a region between images.
pub(super) fn copy_image(
    enqueue: &Enqueue<'_>,
    src_image: MemRef<'_>,
    dst_image: MemRef<'_>,
    src_origin: *const usize,
    dst_origin: *const usize,
    region: *const usize,
) -> ClResult<()> {
    let ((src, from), (dst, to)) = (enqueue.image(src_image)?, enqueue.image(dst_image)?);
    if from.format != to.format {
        return Err(violated!(IMAGE_FORMAT_MISMATCH, "if the two images have different formats"));
    }
    let (a, b) = (Area::new(from, src_origin, region)?, Area::new(to, dst_origin, region)?);
    may_change(&dst)?;
    // CL_MEM_COPY_OVERLAP if src_image and dst_image are the same image object and the source and
    // destination regions overlap.
    let meet = |n: usize| a.origin[n].abs_diff(b.origin[n]) < a.region[n];
    if src.is(&dst) && a.level == b.level && (0..3).all(meet) {
        return Err(ClError::MEM_COPY_OVERLAP);
    }
    let (from, to) = (enqueue.buffer(&src)?, enqueue.buffer(&dst)?);
    let migrations = Migrations::of([
        a.used(enqueue, &src, Access::Read),
        b.used(enqueue, &dst, Access::Replace),
    ])?;
    let request = enqueue.request(sys::CL_COMMAND_COPY_IMAGE, false, 1 + migrations.commands());
    enqueue.submit(request, |commands| {
        migrations.record(commands, 1)?;
        let from = BufferBox { buffer: &from, offset: a.offset() as u64, pitch: a.pitch() };
        let to = BufferBox { buffer: &to, offset: b.offset() as u64, pitch: b.pitch() };
        copy(commands, a.bytes(), &from, &to)
    })
}

/// Checks the range of a buffer that holds a region's box without gaps, from `offset` on. Returns
/// the size of the range in bytes and the pitches.
fn linear(mem: &Mem, image: &Mem, area: &Area, offset: usize) -> ClResult<(usize, [u64; 2])> {
    // CL_INVALID_MEM_OBJECT if the image is a 1D image buffer object created from the buffer.
    let row = image.image().is_some_and(|i| i.kind == muxcl_img::Kind::Image1DBuffer);
    if row && image.parent().is_some_and(|(parent, _)| parent.is(mem)) {
        return Err(ClError::INVALID_MEM_OBJECT);
    }
    let [width, rows, slices] = area.bytes();
    let size = usize::try_from(width * rows * slices).map_err(|_| ClError::INVALID_VALUE)?;
    // CL_INVALID_VALUE if the region specified by the offset and the region's size refers to a
    // region outside the buffer.
    super::enqueue_buffer::in_bounds(mem, offset, size)?;
    Ok((size, [width, width * rows]))
}

#[cl_entry(clEnqueueCopyImageToBuffer)]
fn enqueue_copy_image_to_buffer(
    command_queue: cl_command_queue,
    src_image: cl_mem,
    dst_buffer: cl_mem,
    src_origin: *const usize,
    region: *const usize,
    dst_offset: usize,
    num_events_in_wait_list: cl_uint,
    event_wait_list: *const cl_event,
    event: *mut cl_event,
) -> Result<(), ClError> {
    let enqueue = Enqueue::new(command_queue, num_events_in_wait_list, event_wait_list, event)?;
    copy_image_to_buffer(
        &enqueue,
        src_image.into(),
        dst_buffer.into(),
        src_origin,
        region,
        dst_offset,
    )
}

/// Copies a region of an image to a buffer.
pub(super) fn copy_image_to_buffer(
    enqueue: &Enqueue<'_>,
    src_image: MemRef<'_>,
    dst_buffer: MemRef<'_>,
    src_origin: *const usize,
    region: *const usize,
    dst_offset: usize,
) -> ClResult<()> {
    let ((src, image), dst) = (enqueue.image(src_image)?, enqueue.mem(dst_buffer)?);
    let area = Area::new(image, src_origin, region)?;
    let (size, pitch) = linear(&dst, &src, &area, dst_offset)?;
    may_change(&dst)?;
    let (from, to) = (enqueue.buffer(&src)?, enqueue.buffer(&dst)?);
    let migrations = Migrations::of([
        area.used(enqueue, &src, Access::Read),
        enqueue.migration(&dst, dst_offset, size, Access::Replace),
    ])?;
    let request =
        enqueue.request(sys::CL_COMMAND_COPY_IMAGE_TO_BUFFER, false, 1 + migrations.commands());
    enqueue.submit(request, |commands| {
        migrations.record(commands, 1)?;
        let from = BufferBox { buffer: &from, offset: area.offset() as u64, pitch: area.pitch() };
        copy(
            commands,
            area.bytes(),
            &from,
            &BufferBox { buffer: &to, offset: dst_offset as u64, pitch },
        )
    })
}

#[cl_entry(clEnqueueCopyBufferToImage)]
fn enqueue_copy_buffer_to_image(
    command_queue: cl_command_queue,
    src_buffer: cl_mem,
    dst_image: cl_mem,
    src_offset: usize,
    dst_origin: *const usize,
    region: *const usize,
    num_events_in_wait_list: cl_uint,
    event_wait_list: *const cl_event,
    event: *mut cl_event,
) -> Result<(), ClError> {
    let enqueue = Enqueue::new(command_queue, num_events_in_wait_list, event_wait_list, event)?;
    copy_buffer_to_image(
        &enqueue,
        src_buffer.into(),
        dst_image.into(),
        src_offset,
        dst_origin,
        region,
    )
}

/// Copies bytes of a buffer to a region of an image.
pub(super) fn copy_buffer_to_image(
    enqueue: &Enqueue<'_>,
    src_buffer: MemRef<'_>,
    dst_image: MemRef<'_>,
    src_offset: usize,
    dst_origin: *const usize,
    region: *const usize,
) -> ClResult<()> {
    let (src, (dst, image)) = (enqueue.mem(src_buffer)?, enqueue.image(dst_image)?);
    let area = Area::new(image, dst_origin, region)?;
    let (size, pitch) = linear(&src, &dst, &area, src_offset)?;
    may_change(&dst)?;
    let (from, to) = (enqueue.buffer(&src)?, enqueue.buffer(&dst)?);
    let migrations = Migrations::of([
        enqueue.migration(&src, src_offset, size, Access::Read),
        area.used(enqueue, &dst, Access::Replace),
    ])?;
    let request =
        enqueue.request(sys::CL_COMMAND_COPY_BUFFER_TO_IMAGE, false, 1 + migrations.commands());
    enqueue.submit(request, |commands| {
        migrations.record(commands, 1)?;
        let to = BufferBox { buffer: &to, offset: area.offset() as u64, pitch: area.pitch() };
        copy(
            commands,
            area.bytes(),
            &BufferBox { buffer: &from, offset: src_offset as u64, pitch },
            &to,
        )
    })
}

/// The pattern of one row.
enum Filling {
    /// A pixel whose size is a power of two.
    Repeated(FillPattern),
    /// A pattern of any size: written once, then copied repeatedly.
    Doubled(Vec<FillPattern>),
}

impl Filling {
    fn new(block: &[u8]) -> ClResult<Self> {
        let pattern =
            |bytes: &[u8]| FillPattern::new(bytes).map_err(|_: MuxError| ClError::INVALID_VALUE);
        if block.len().is_power_of_two() {
            return Ok(Self::Repeated(pattern(block)?));
        }
        let bytes: Result<_, _> = block.chunks(1).map(pattern).collect();
        Ok(Self::Doubled(bytes?))
    }

    /// Number of Mux commands that [`fill`] records.
    fn commands(&self, area: &Area) -> usize {
        let spread = usize::from(area.region[1] > 1) + usize::from(area.region[2] > 1);
        match self {
            Self::Repeated(_) if area.layout.is_dense(area.region) => 1,
            Self::Repeated(_) => 1 + spread,
            Self::Doubled(bytes) => {
                let blocks = area.region[0] / area.layout.block.pixels;
                bytes.len() + blocks.next_power_of_two().ilog2() as usize + spread
            }
        }
    }
}

/// Records a fill. A contiguous box is one fill. Otherwise the fill writes the first row, copies it
/// to the other rows of its slice, and copies the slice to the other slices.
fn fill(
    list: &mut CommandBuffer,
    buffer: &Buffer,
    area: &Area,
    color: &Filling,
) -> Result<(), MuxError> {
    let (offset, [width, rows, slices], pitch) = (area.offset() as u64, area.bytes(), area.pitch());
    match color {
        Filling::Repeated(pattern) => {
            if area.layout.is_dense(area.region) {
                return list
                    .fill_buffer(buffer, offset, width * rows * slices, *pattern)
                    .map(|_| ());
            }
            list.fill_buffer(buffer, offset, width, *pattern)?;
        }
        Filling::Doubled(bytes) => {
            for (at, byte) in (offset..).zip(bytes) {
                list.fill_buffer(buffer, at, 1, *byte)?;
            }
            let mut done = bytes.len() as u64;
            while done < width {
                let more = done.min(width - done);
                list.copy_buffer(buffer, offset, buffer, offset + done, more)?;
                done += more;
            }
        }
    }
    let mut spread = |region, src_pitch, dst_offset| {
        let rect =
            RectRegion { region, src_offset: offset, src_pitch, dst_offset, dst_pitch: pitch };
        list.copy_rect(buffer, buffer, rect).map(|_| ())
    };
    if rows > 1 {
        spread([width, rows - 1, 1], [0, 0], offset + pitch[0])?;
    }
    if slices > 1 {
        spread([width, rows, slices - 1], [pitch[0], 0], offset + pitch[1])?;
    }
    Ok(())
}

#[cl_entry(clEnqueueFillImage)]
fn enqueue_fill_image(
    command_queue: cl_command_queue,
    image: cl_mem,
    fill_color: *const c_void,
    origin: *const usize,
    region: *const usize,
    num_events_in_wait_list: cl_uint,
    event_wait_list: *const cl_event,
    event: *mut cl_event,
) -> Result<(), ClError> {
    let enqueue = Enqueue::new(command_queue, num_events_in_wait_list, event_wait_list, event)?;
    fill_image(&enqueue, image.into(), fill_color, origin, region)
}

/// Fills a region of an image with a color.
pub(super) fn fill_image(
    enqueue: &Enqueue<'_>,
    image: MemRef<'_>,
    fill_color: *const c_void,
    origin: *const usize,
    region: *const usize,
) -> ClResult<()> {
    let (mem, image) = enqueue.image(image)?;
    if fill_color.is_null() {
        return Err(violated!(INVALID_VALUE, "if fill_color is NULL"));
    }
    let area = Area::new(image, origin, region)?;
    may_change(&mem)?;
    let mut words = [0_u32; 4];
    let given = if image.format.is_depth() { 1 } else { 4 };
    for (n, word) in words.iter_mut().enumerate().take(given) {
        let at = fill_color.cast::<u32>().wrapping_add(n);
        // SAFETY: not NULL; the specification requires four 32-bit components, or one for a depth
        // image.
        *word = unsafe { at.read_unaligned() };
    }
    let bytes = pixel::encode(image.format, pixel::fill_color(image.format, words));
    let color = Filling::new(&bytes[..image.layout.block.bytes])?;
    let buffer = enqueue.buffer(&mem)?;
    let migrations = Migrations::of([area.used(enqueue, &mem, Access::Replace)])?;
    let request = enqueue.request(
        sys::CL_COMMAND_FILL_IMAGE,
        false,
        color.commands(&area) + migrations.commands(),
    );
    enqueue.submit(request, |commands| {
        migrations.record(commands, color.commands(&area))?;
        fill(commands, &buffer, &area, &color)
    })
}

#[cl_entry(clEnqueueMapImage)]
fn enqueue_map_image(
    command_queue: cl_command_queue,
    image: cl_mem,
    blocking_map: cl_bool,
    map_flags: cl_map_flags,
    origin: *const usize,
    region: *const usize,
    image_row_pitch: *mut usize,
    image_slice_pitch: *mut usize,
    num_events_in_wait_list: cl_uint,
    event_wait_list: *const cl_event,
    event: *mut cl_event,
) -> Result<*mut c_void, ClError> {
    let enqueue = Enqueue::new(command_queue, num_events_in_wait_list, event_wait_list, event)?;
    let (mem, image) = enqueue.image(image)?;
    let area = Area::new(image, origin, region)?;
    // CL_INVALID_VALUE if values specified in map_flags are not valid: CL_MAP_READ or CL_MAP_WRITE
    // and CL_MAP_WRITE_INVALIDATE_REGION are mutually exclusive.
    let invalidate = map_flags & sys::CL_MAP_WRITE_INVALIDATE_REGION != 0;
    if map_flags & !(sys::CL_MAP_READ | MAP_WRITES) != 0
        || (invalidate && map_flags & (sys::CL_MAP_READ | sys::CL_MAP_WRITE) != 0)
    {
        return Err(ClError::INVALID_VALUE);
    }
    // CL_INVALID_OPERATION if image has been created with CL_MEM_HOST_WRITE_ONLY or
    // CL_MEM_HOST_NO_ACCESS and CL_MAP_READ is set in map_flags or if image has been created with
    // CL_MEM_HOST_READ_ONLY or CL_MEM_HOST_NO_ACCESS and CL_MAP_WRITE or
    // CL_MAP_WRITE_INVALIDATE_REGION is set in map_flags, or if it was created with
    // CL_MEM_IMMUTABLE_EXT and one of the latter is set.
    if map_flags & sys::CL_MAP_READ != 0 {
        host_may(&mem, NO_READ)?;
    }
    if map_flags & MAP_WRITES != 0 {
        host_may(&mem, NO_WRITE)?;
    }
    if image_row_pitch.is_null() || (image.kind.has_slices() && image_slice_pitch.is_null()) {
        return Err(violated!(INVALID_VALUE, "if a pitch that the image has is not asked for"));
    }
    let buffer = enqueue.buffer(&mem)?;
    let (offset, size) = (area.offset(), area.span());
    // The gaps between rows keep their content, so the content moves even if the map discards the
    // region's own content.
    let migrations =
        Migrations::of([mem.migration(mem.storage().host_domain(), offset, size, Access::Read)])?;
    // CL_INVALID_OPERATION if mapping would lead to overlapping regions being mapped for writing.
    // CL_MAP_FAILURE if there is a failure to map the requested region into the host address space.
    let mapped = MapArea { level: area.level.0, origin: area.origin, region: area.region };
    let pointer = mem.map(enqueue.queue.device_index(), (offset, size), mapped, map_flags)?;
    let kind = kind(&enqueue, &mem, &buffer, offset, pointer);
    let moves = matches!(kind, MapCoherence::Flushed | MapCoherence::Copied);
    let blocking = blocking_map != sys::CL_FALSE;
    let result = if let Some(place) = enqueue.try_run_on_caller(blocking && !moves) {
        enqueue.run_on_caller(place, sys::CL_COMMAND_MAP_IMAGE, || migrations.run_now())
    } else {
        let count = usize::from(moves) + migrations.commands();
        let request = enqueue.request(sys::CL_COMMAND_MAP_IMAGE, blocking, count);
        enqueue.submit(request, |commands| {
            migrations.record(commands, usize::from(moves))?;
            match kind {
                MapCoherence::Flushed => {
                    commands.flush_from_device(&buffer, offset as u64, size as u64).map(|_| ())
                }
                MapCoherence::Copied => {
                    // SAFETY: the application's host_ptr is valid while the image lives, and it
                    // does not use the region before the map is complete.
                    let dst = unsafe { HostMut::new(pointer.0.cast()) };
                    commands.read_buffer(&buffer, offset as u64, size as u64, dst).map(|_| ())
                }
                MapCoherence::Shared | MapCoherence::Tracked => Ok(()),
            }
        })
    };
    match result {
        Ok(()) => {
            crate::checked::out(image_row_pitch, area.layout.row_pitch);
            crate::checked::out(image_slice_pitch, area.layout.slice_pitch);
            Ok(pointer.0)
        }
        Err(error) => {
            if let Some(map) = mem.unmap(pointer) {
                map.done();
            }
            Err(error)
        }
    }
}
