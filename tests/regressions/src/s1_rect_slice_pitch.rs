//! Commands on rectangles accepted a slice pitch that is no multiple of the row pitch, and the
//! transfer exceeded the application's memory.
//!
//! The API specification, section 5.2.2, requires `CL_INVALID_VALUE`.

use std::ptr;

use anyhow::{Result, ensure};
use muxcl_client::sys::{self, CL_INVALID_VALUE, CL_SUCCESS, CL_TRUE};
use muxcl_client::{Context, Device};

use crate::{Devices, Test};

pub(crate) const TESTS: &[Test] = &[("s1_rect_slice_pitch", Devices::All, rect_slice_pitch)];

/// Bytes, rows and slices of the box.
const REGION: [usize; 3] = [16, 4, 2];
const ROW: usize = 16;
/// At least four rows, and no multiple of a row.
const BAD_SLICE: usize = 72;
const GOOD_SLICE: usize = 80;
const BYTES: usize = 4096;

fn rect_slice_pitch(device: Device) -> Result<()> {
    let context = Context::new(device)?;
    let queue = context.queue(device, 0)?;
    let (buffer, other) = (context.buffer(0, BYTES)?, context.buffer(0, BYTES)?);
    let mut memory = vec![0_u8; BYTES];
    let (zero, region) = ([0_usize; 3], REGION);
    // Slice pitches of the buffer or source, and of the host or target.
    for (first, second, wanted) in [
        (GOOD_SLICE, GOOD_SLICE, CL_SUCCESS),
        (0, GOOD_SLICE, CL_SUCCESS),
        (BAD_SLICE, GOOD_SLICE, CL_INVALID_VALUE),
        (GOOD_SLICE, BAD_SLICE, CL_INVALID_VALUE),
        (BAD_SLICE, 0, CL_INVALID_VALUE),
        (0, BAD_SLICE, CL_INVALID_VALUE),
    ] {
        macro_rules! run {
            ($call:ident, $buffer:expr, $second:expr $(, $memory:expr)?) => {
                // SAFETY: the boxes lie inside buffers and memory, whatever the pitch.
                unsafe {
                    sys::$call(
                        queue.raw(),
                        $buffer,
                        $second,
                        zero.as_ptr(),
                        zero.as_ptr(),
                        region.as_ptr(),
                        ROW,
                        first,
                        ROW,
                        second,
                        $($memory,)?
                        0,
                        ptr::null(),
                        ptr::null_mut(),
                    )
                }
            };
        }
        let host = memory.as_mut_ptr().cast();
        let read = run!(clEnqueueReadBufferRect, buffer.raw(), CL_TRUE, host);
        let write = run!(clEnqueueWriteBufferRect, buffer.raw(), CL_TRUE, host);
        let copy = run!(clEnqueueCopyBufferRect, buffer.raw(), other.raw());
        for (call, code) in [("read", read), ("write", write), ("copy", copy)] {
            ensure!(code == wanted, "{call}, slice pitches {first} and {second}: {code}");
        }
    }
    queue.finish()?;
    Ok(())
}
