//! Translates commands into HAL calls. Invariant: a failed call fails its own command and no other.

use crate::connection::DeviceConnection;
use crate::enqueue::Enqueues;
use crate::enqueue::tree::{EnqueueTree, Progress};
use crate::launch::kernel_of;
use crate::list;
use crate::serial::Rest;
use muxcl_hal::{Device, HalError};
use muxcl_mux::target::Ready;
use muxcl_mux::{Buffer, Command, RectRegion};
use std::cell::Cell;
use std::slice::{from_raw_parts, from_raw_parts_mut};
use std::sync::Arc;

/// Runs a command buffer of a device.
#[derive(Debug)]
pub(crate) struct Runner<'a> {
    pub(crate) connection: &'a Arc<DeviceConnection>,
    pub(crate) enqueues: &'a Arc<Enqueues>,
    pub(crate) limits: &'a LaunchLimits,
    /// True once a command has run for which a blocked command buffer may wait.
    pub(crate) progress: Cell<bool>,
}

/// Device properties that launches need.
#[derive(Debug, Clone)]
pub(crate) struct LaunchLimits {
    pub(crate) local_memory: u64,
    pub(crate) address_bits: u32,
    pub(crate) max_work_group: u64,
    pub(crate) vector_bytes: u32,
}

/// A command buffer and the position at which to continue.
#[derive(Debug)]
pub(crate) struct CommandBufferRun {
    ready: Ready,
    /// Index of the command to continue with, and its tree if it has begun one.
    at: Option<(usize, Option<Box<EnqueueTree>>)>,
}

impl From<Ready> for CommandBufferRun {
    fn from(ready: Ready) -> Self {
        Self { ready, at: None }
    }
}

impl Runner<'_> {
    /// Runs a command buffer to its end. `released` is called after its last command, before any
    /// waiter is notified. If `stop` returns true, the rest is returned.
    // A call would copy the command buffer's state, which takes long beside a small transfer.
    #[inline(always)]
    pub(crate) fn run(
        &self,
        work: CommandBufferRun,
        stop: Option<&dyn Fn() -> bool>,
        released: &dyn Fn(),
    ) -> Rest<CommandBufferRun> {
        let CommandBufferRun { mut ready, mut at } = work;
        let mut fresh = true;
        let stop = || stop.is_some_and(|stop| stop());
        loop {
            let next = at.take().or_else(|| Some((ready.advance(&muxcl_os::now_ns)?, None)));
            let Some((index, tree)) = next else { break };
            if !fresh && stop() {
                return Rest::Stopped(CommandBufferRun { ready, at: Some((index, tree)) });
            }
            fresh = false;
            if tree.is_none() && self.connection.accepts_calls_in_flight() {
                let listed = list::commands(&mut ready, index, self.limits);
                if listed.len() > 1 {
                    list::run(self, &mut ready, &listed);
                    self.connection.refresh_profile();
                    continue;
                }
            }
            let (progress, tree) = self.command(&ready, index, tree, &stop);
            match progress {
                Progress::Ended(Ok(())) => {}
                Progress::Ended(Err(error)) => ready.failed(error),
                Progress::Stopped => {
                    return Rest::Stopped(CommandBufferRun { ready, at: Some((index, tree)) });
                }
                Progress::Blocked => {
                    return Rest::Blocked(CommandBufferRun { ready, at: Some((index, tree)) });
                }
            }
            // A callback that follows may end the application's wait, and its process.
            if let Some(Command::NdRange(_)) = ready.commands().get(index) {
                self.connection.refresh_profile();
            }
        }
        released();
        ready.done();
        Rest::Nothing
    }

    /// Runs a command or continues its tree.
    fn command(
        &self,
        ready: &Ready,
        index: usize,
        tree: Option<Box<EnqueueTree>>,
        stop: &dyn Fn() -> bool,
    ) -> (Progress, Option<Box<EnqueueTree>>) {
        let result = match ready.commands().get(index) {
            Some(Command::NdRange(range)) if range.kernel.variant().enqueues => {
                let begin =
                    || Ok(Box::new(EnqueueTree::new(self.enqueues, kernel_of(range)?, range)));
                let mut tree = match tree.map_or_else(begin, Ok) {
                    Ok(tree) => tree,
                    Err(error) => return (Progress::Ended(Err(error)), None),
                };
                let own_end = || ready.own_end(index, muxcl_os::now_ns());
                let progress =
                    tree.run(self, &|heap| self.launch(range, Some(heap)), &own_end, stop);
                return (progress, Some(tree));
            }
            Some(Command::NdRange(range)) => {
                let _slice = muxcl_trace::slice("worker", &range.kernel.variant().kernel);
                self.launch(range, None)
            }
            Some(command) => self.connection.call(|device| transfer(device, command)),
            None => Ok(()),
        };
        (Progress::Ended(result), None)
    }
}

pub(crate) fn at(buffer: &Buffer, offset: u64) -> u64 {
    buffer.device_address().wrapping_add(offset)
}

pub(crate) fn bytes(size: u64) -> Result<usize, HalError> {
    usize::try_from(size).map_err(|_| HalError::Argument("a size this process can hold"))
}

/// Runs any command except a kernel.
fn transfer(device: &dyn Device, command: &Command) -> Result<(), HalError> {
    match command {
        Command::ReadBuffer { buffer, offset, size, dst } => {
            // SAFETY: the code that recorded the command promised that many bytes, which no other
            // code uses until the command has run.
            let into = unsafe { from_raw_parts_mut(dst.ptr(), bytes(*size)?) };
            device.read(at(buffer, *offset), into)
        }
        Command::WriteBuffer { buffer, offset, size, src } => {
            // SAFETY: the code that recorded the command promised that many bytes until the command
            // has run.
            let from = unsafe { from_raw_parts(src.ptr(), bytes(*size)?) };
            device.write(at(buffer, *offset), from)
        }
        Command::CopyBuffer { src, src_offset, dst, dst_offset, size } => {
            device.copy(at(dst, *dst_offset), at(src, *src_offset), *size)
        }
        Command::FillBuffer { buffer, offset, size, pattern } => {
            device.fill(at(buffer, *offset), pattern.bytes(), *size)
        }
        Command::ReadRect { buffer, dst, rect } => rows(rect, |from, to, size| {
            // SAFETY: the rows lie inside the memory that the code that recorded the command
            // promised.
            let into =
                unsafe { from_raw_parts_mut(dst.ptr().wrapping_add(bytes(to)?), bytes(size)?) };
            device.read(at(buffer, from), into)
        }),
        Command::WriteRect { buffer, src, rect } => rows(rect, |from, to, size| {
            // SAFETY: as above.
            let from =
                unsafe { from_raw_parts(src.ptr().wrapping_add(bytes(from)?), bytes(size)?) };
            device.write(at(buffer, to), from)
        }),
        Command::CopyRect { src, dst, rect } => {
            rows(rect, |from, to, size| device.copy(at(dst, to), at(src, from), size))
        }
        // Flushing is a no-op. `Ready::advance` executes all other commands.
        _ => Ok(()),
    }
}

/// Copies the rows of a rectangle in as few transfers as possible. Each transfer has a source
/// offset, a destination offset and a size in bytes.
fn rows(
    rect: &RectRegion,
    mut piece: impl FnMut(u64, u64, u64) -> Result<(), HalError>,
) -> Result<(), HalError> {
    let [width, height, depth] = rect.region;
    let (src, dst) = (rect.src_pitch, rect.dst_pitch);
    // Merge rows, then slices, that are contiguous on both sides.
    let (width, height) =
        if src[0] == width && dst[0] == width { (width * height, 1) } else { (width, height) };
    let (width, depth) = if height == 1 && src[1] == width && dst[1] == width {
        (width * depth, 1)
    } else {
        (width, depth)
    };
    for z in 0..depth {
        for y in 0..height {
            let from = rect.src_offset + z * src[1] + y * src[0];
            let to = rect.dst_offset + z * dst[1] + y * dst[0];
            piece(from, to, width)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rectangles_are_as_few_pieces_as_they_have() {
        let moved = |region, src_pitch, dst_pitch| {
            let rect = RectRegion { region, src_offset: 5, src_pitch, dst_offset: 7, dst_pitch };
            let mut list = Vec::new();
            rows(&rect, |a, b, n| {
                list.push((a, b, n));
                Ok(())
            })
            .unwrap();
            list
        };
        assert_eq!(moved([4, 3, 2], [4, 12], [4, 12]), [(5, 7, 24)]);
        assert_eq!(moved([4, 3, 2], [4, 12], [4, 20]), [(5, 7, 12), (17, 27, 12)]);
        assert_eq!(moved([4, 2, 1], [6, 12], [4, 8]), [(5, 7, 4), (11, 11, 4)]);
        assert_eq!(moved([4, 2, 2], [6, 12], [4, 8]).len(), 4);
    }
}
