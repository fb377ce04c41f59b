//! Runs the commands of one command buffer, in order.

use crate::device::NullKernel;
use crate::queue::nanoseconds;
use muxcl_mux::target::Ready;
use muxcl_mux::{Buffer, Command, MuxError, RectRegion};
use std::time::Instant;

/// Executes all commands. A failed command does not stop the later ones.
pub(crate) fn execute(mut work: Ready, epoch: Instant) {
    while let Some(index) = work.advance(&|| nanoseconds(epoch)) {
        if let Some(Err(error)) = work.commands().get(index).map(one) {
            work.failed(error);
        }
    }
    work.done();
}

fn one(command: &Command) -> Result<(), MuxError> {
    match command {
        Command::ReadBuffer { buffer, offset, size, dst } => {
            copy(at(buffer, *offset)?, dst.ptr(), *size)
        }
        Command::WriteBuffer { buffer, offset, size, src } => {
            copy(src.ptr(), at(buffer, *offset)?, *size)
        }
        Command::CopyBuffer { src, src_offset, dst, dst_offset, size } => {
            copy(at(src, *src_offset)?, at(dst, *dst_offset)?, *size)
        }
        Command::FillBuffer { buffer, offset, size, pattern } => {
            let step = pattern.bytes().len() as u64;
            for i in 0..size / step {
                copy(pattern.bytes().as_ptr(), at(buffer, offset + i * step)?, step)?;
            }
            Ok(())
        }
        Command::ReadRect { buffer, dst, rect } => rows(rect, at(buffer, 0)?, dst.ptr()),
        Command::WriteRect { buffer, src, rect } => rows(rect, src.ptr(), at(buffer, 0)?),
        Command::CopyRect { src, dst, rect } => rows(rect, at(src, 0)?, at(dst, 0)?),
        Command::FlushToDevice { buffer, offset, size } => {
            buffer.memory().flush_to_device(buffer.offset() + offset, *size)
        }
        Command::FlushFromDevice { buffer, offset, size } => {
            buffer.memory().flush_from_device(buffer.offset() + offset, *size)
        }
        Command::NdRange(launch) => {
            if let Some(kernel) = launch.kernel.target().as_any().downcast_ref::<NullKernel>() {
                kernel.launch(launch.range.global);
            }
            Ok(())
        }
        // `Ready::advance` handles all other commands.
        _ => Ok(()),
    }
}

fn at(buffer: &Buffer, offset: u64) -> Result<*mut u8, MuxError> {
    let base =
        buffer.host_ptr().ok_or(MuxError::InvalidValue("a buffer that the host cannot access"))?;
    let offset = usize::try_from(offset).map_err(|_| MuxError::InvalidValue("offset"))?;
    Ok(base.wrapping_add(offset))
}

fn copy(src: *const u8, dst: *mut u8, size: u64) -> Result<(), MuxError> {
    let size = usize::try_from(size).map_err(|_| MuxError::InvalidValue("size"))?;
    // SAFETY: the front end checked the ranges against the buffers, which the command keeps alive;
    // the recorder promised valid host pointers. `copy` allows overlap.
    unsafe { std::ptr::copy(src, dst, size) };
    Ok(())
}

fn rows(rect: &RectRegion, src: *const u8, dst: *mut u8) -> Result<(), MuxError> {
    let [width, height, depth] = rect.region;
    let index = |offset: u64, pitch: [u64; 2], y: u64, z: u64| {
        usize::try_from(offset + y * pitch[0] + z * pitch[1])
            .map_err(|_| MuxError::InvalidValue("offset"))
    };
    for z in 0..depth {
        for y in 0..height {
            let from = src.wrapping_add(index(rect.src_offset, rect.src_pitch, y, z)?);
            let to = dst.wrapping_add(index(rect.dst_offset, rect.dst_pitch, y, z)?);
            copy(from, to, width)?;
        }
    }
    Ok(())
}
