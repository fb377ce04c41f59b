//! Overlapping maps for writing were accepted.
//!
//! The API specification, sections 5.2.4 and 5.3.6, requires `CL_INVALID_OPERATION` if mapping
//! would lead to overlapping regions being mapped for writing. Maps for reading may overlap, also
//! with one for writing.

use std::ffi::c_void;
use std::ptr;

use anyhow::{Result, ensure};
use muxcl_client::sys::{
    self, CL_INVALID_OPERATION, CL_MAP_READ, CL_MAP_WRITE, CL_MAP_WRITE_INVALIDATE_REGION,
    CL_SUCCESS, CL_TRUE, cl_map_flags, cl_mem,
};
use muxcl_client::{Context, Device, ImageDesc, Queue};

use crate::{Devices, Test};

pub(crate) const TESTS: &[Test] = &[
    ("s6_overlapping_maps/buffer", Devices::All, buffer),
    ("s6_overlapping_maps/image", Devices::All, image),
];

fn map(
    queue: &Queue,
    mem: cl_mem,
    flags: cl_map_flags,
    offset: usize,
    size: usize,
) -> (*mut c_void, i32) {
    let mut code = 1;
    // SAFETY: no wait list, room for the error code.
    let at = unsafe {
        sys::clEnqueueMapBuffer(
            queue.raw(),
            mem,
            CL_TRUE,
            flags,
            offset,
            size,
            0,
            ptr::null(),
            ptr::null_mut(),
            &raw mut code,
        )
    };
    (at, code)
}

fn unmap(queue: &Queue, mem: cl_mem, at: *mut c_void) -> Result<()> {
    // SAFETY: no wait list.
    let code = unsafe {
        sys::clEnqueueUnmapMemObject(queue.raw(), mem, at, 0, ptr::null(), ptr::null_mut())
    };
    ensure!(code == CL_SUCCESS, "clEnqueueUnmapMemObject: {code}");
    Ok(())
}

fn buffer(device: Device) -> Result<()> {
    let context = Context::new(device)?;
    let queue = context.queue(device, 0)?;
    let buffer = context.buffer(0, 64)?;
    let (first, code) = map(&queue, buffer.raw(), CL_MAP_WRITE, 16, 16);
    ensure!(code == CL_SUCCESS, "the first map: {code}");
    for flags in [CL_MAP_WRITE, CL_MAP_READ | CL_MAP_WRITE, CL_MAP_WRITE_INVALIDATE_REGION] {
        for (offset, size) in [(16, 16), (0, 17), (31, 1), (0, 64)] {
            let (at, code) = map(&queue, buffer.raw(), flags, offset, size);
            ensure!(
                at.is_null() && code == CL_INVALID_OPERATION,
                "flags {flags}, {size} bytes from {offset}: {code}"
            );
        }
    }
    for (flags, offset, size) in
        [(CL_MAP_READ, 0, 64), (CL_MAP_WRITE, 0, 16), (CL_MAP_WRITE, 32, 32)]
    {
        let (at, code) = map(&queue, buffer.raw(), flags, offset, size);
        ensure!(code == CL_SUCCESS, "flags {flags}, {size} bytes from {offset}: {code}");
        unmap(&queue, buffer.raw(), at)?;
    }
    unmap(&queue, buffer.raw(), first)?;
    let (again, code) = map(&queue, buffer.raw(), CL_MAP_WRITE, 0, 64);
    ensure!(code == CL_SUCCESS, "after the unmap: {code}");
    unmap(&queue, buffer.raw(), again)?;
    Ok(queue.finish()?)
}

fn image(device: Device) -> Result<()> {
    if device.number(sys::CL_DEVICE_IMAGE_SUPPORT)? == 0 {
        return Ok(());
    }
    let context = Context::new(device)?;
    let queue = context.queue(device, 0)?;
    let desc = ImageDesc {
        kind: sys::CL_MEM_OBJECT_IMAGE2D,
        format: (sys::CL_RGBA, sys::CL_UNSIGNED_INT8),
        size: [8, 8, 1],
        layers: 0,
        levels: 0,
    };
    let image = context.image(0, &desc, None)?;
    let map = |origin: [usize; 3], region: [usize; 3]| {
        let (mut code, mut row) = (1, 0);
        // SAFETY: no wait list, room for the pitch and the error code.
        let at = unsafe {
            sys::clEnqueueMapImage(
                queue.raw(),
                image.raw(),
                CL_TRUE,
                CL_MAP_WRITE,
                origin.as_ptr(),
                region.as_ptr(),
                &raw mut row,
                ptr::null_mut(),
                0,
                ptr::null(),
                ptr::null_mut(),
                &raw mut code,
            )
        };
        (at, code)
    };
    // Adjacent columns share no pixel, although their rows alternate in memory.
    let (left, first) = map([0, 0, 0], [4, 8, 1]);
    let (right, second) = map([4, 0, 0], [4, 8, 1]);
    ensure!(first == CL_SUCCESS && second == CL_SUCCESS, "two columns: {first}, {second}");
    let (_, code) = map([3, 7, 0], [2, 1, 1]);
    ensure!(code == CL_INVALID_OPERATION, "a pixel of each: {code}");
    unmap(&queue, image.raw(), left)?;
    unmap(&queue, image.raw(), right)?;
    let (whole, code) = map([0, 0, 0], [8, 8, 1]);
    ensure!(code == CL_SUCCESS, "after the unmaps: {code}");
    unmap(&queue, image.raw(), whole)?;
    Ok(queue.finish()?)
}
