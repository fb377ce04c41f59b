//! Commands as HAL calls. Invariant: a failed call fails its command and nothing else.

use crate::enqueue::Enqueues;
use crate::enqueue::family::{Family, Progress};
use crate::executable::{HalKernel, Resident};
use crate::link::Link;
use crate::printf::with_buffer;
use muxcl_hal::{Argument, Device, HalError, Kernel, NdRange as HalRange};
use muxcl_mux::target::Ready;
use muxcl_mux::{Buffer, Command, Descriptor, MuxError, NdRange, RectRegion};
use muxcl_types::deferred::Area;
use muxcl_types::sched::{HalHidden, LOCAL_ALIGN};
use std::cell::Cell;
use std::slice::{from_raw_parts, from_raw_parts_mut};
use std::sync::Arc;

/// Bound on what a group needs beside its local memory: state that lives across barriers, and the stack. Every hart has a stack of
/// at least 4 MiB (`passes::kernel_abi`).
const MOST_STACK: u64 = 7 << 19;

/// Who runs command buffers: one at a time.
#[derive(Debug)]
pub(crate) struct Runner<'a> {
    pub(crate) link: &'a Arc<Link>,
    pub(crate) enqueues: &'a Arc<Enqueues>,
    pub(crate) facts: &'a Facts,
    /// Something has run that command buffers set aside may wait for.
    pub(crate) progress: Cell<bool>,
}

/// What launches must know of the device.
#[derive(Debug, Clone)]
pub(crate) struct Facts {
    pub(crate) local_memory: u64,
    pub(crate) address_bits: u32,
    pub(crate) max_work_group: u64,
    pub(crate) vector_bytes: u32,
}

/// A command buffer and where to go on with it.
#[derive(Debug)]
pub(crate) struct Work {
    ready: Ready,
    /// The command that is to run next, or is running with its family.
    at: Option<(usize, Option<Box<Family>>)>,
}

/// What is left of a command buffer.
#[derive(Debug)]
pub(crate) enum Rest {
    Nothing,
    /// The caller wanted to stop: it goes on at once.
    Stopped(Work),
    /// It waits for events that kernels of others complete.
    Blocked(Work),
}

impl From<Ready> for Work {
    fn from(ready: Ready) -> Self {
        Self { ready, at: None }
    }
}

impl Runner<'_> {
    /// Runs a command buffer to its end; `released` is called when its last command has run, before anyone is told. If `stop` says
    /// so, what is left is given back.
    pub(crate) fn run(&self, work: Work, stop: Option<&dyn Fn() -> bool>, released: &dyn Fn()) -> Rest {
        let Work { mut ready, mut at } = work;
        let mut fresh = true;
        let stop = || stop.is_some_and(|stop| stop());
        loop {
            let next = at.take().or_else(|| Some((ready.advance(&muxcl_os::now_ns)?, None)));
            let Some((index, family)) = next else { break };
            if !fresh && stop() {
                return Rest::Stopped(Work { ready, at: Some((index, family)) });
            }
            fresh = false;
            let (progress, family) = self.command(&ready, index, family, &stop);
            match progress {
                Progress::Ended(Ok(())) => {}
                Progress::Ended(Err(error)) => ready.failed(error),
                Progress::Stopped => return Rest::Stopped(Work { ready, at: Some((index, family)) }),
                Progress::Blocked => return Rest::Blocked(Work { ready, at: Some((index, family)) }),
            }
        }
        released();
        ready.done();
        Rest::Nothing
    }

    /// Runs a command, or goes on with its family.
    fn command(
        &self,
        ready: &Ready,
        index: usize,
        family: Option<Box<Family>>,
        stop: &dyn Fn() -> bool,
    ) -> (Progress, Option<Box<Family>>) {
        let result = match ready.commands().get(index) {
            Some(Command::NdRange(range)) if range.kernel.variant().enqueues => {
                let begin = || Ok(Box::new(Family::new(self.enqueues, kernel_of(range)?, range)));
                let mut family = match family.map_or_else(begin, Ok) {
                    Ok(family) => family,
                    Err(error) => return (Progress::Ended(Err(error)), None),
                };
                let own_end = || {
                    if let Some(Command::EndQuery { pool, index }) = ready.commands().get(index + 1) {
                        pool.record_own_end(*index, muxcl_os::now_ns());
                    }
                };
                let progress = family.run(self, &|area| self.launch(range, Some(area)), &own_end, stop);
                return (progress, Some(family));
            }
            Some(Command::NdRange(range)) => self.launch(range, None),
            Some(command) => self.link.call(|device| transfer(device, command)),
            None => Ok(()),
        };
        (Progress::Ended(result), None)
    }

    /// What kernels that enqueue must know of the device.
    pub(crate) fn limits(&self) -> Area {
        let most = u32::try_from(self.facts.max_work_group).unwrap_or(u32::MAX);
        Area {
            local_memory: self.facts.local_memory,
            stack: MOST_STACK,
            max_work_group: most,
            multiple: (self.facts.vector_bytes / 4).clamp(1, most.max(1)),
            ..Area::default()
        }
    }
}

fn kernel_of(range: &NdRange) -> Result<&HalKernel, MuxError> {
    let kernel = range.kernel.target().as_any().downcast_ref::<HalKernel>();
    kernel.ok_or_else(|| MuxError::Internal("a kernel of another device".into()))
}

fn at(buffer: &Buffer, offset: u64) -> u64 {
    buffer.device_address().wrapping_add(offset)
}

fn bytes(size: u64) -> Result<usize, HalError> {
    usize::try_from(size).map_err(|_| HalError::Argument("a size this process can hold"))
}

/// Everything but kernels.
fn transfer(device: &dyn Device, command: &Command) -> Result<(), HalError> {
    match command {
        Command::ReadBuffer { buffer, offset, size, dst } => {
            // SAFETY: the recorder promised so many bytes, unshared, until the command has run.
            let into = unsafe { from_raw_parts_mut(dst.ptr(), bytes(*size)?) };
            device.read(at(buffer, *offset), into)
        }
        Command::WriteBuffer { buffer, offset, size, src } => {
            // SAFETY: the recorder promised so many bytes until the command has run.
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
            // SAFETY: rows lie inside what the recorder promised.
            let into = unsafe { from_raw_parts_mut(dst.ptr().wrapping_add(bytes(to)?), bytes(size)?) };
            device.read(at(buffer, from), into)
        }),
        Command::WriteRect { buffer, src, rect } => rows(rect, |from, to, size| {
            // SAFETY: as above.
            let from = unsafe { from_raw_parts(src.ptr().wrapping_add(bytes(from)?), bytes(size)?) };
            device.write(at(buffer, to), from)
        }),
        Command::CopyRect { src, dst, rect } => {
            rows(rect, |from, to, size| device.copy(at(dst, to), at(src, from), size))
        }
        // There is nothing to flush; `Ready::advance` does everything else.
        _ => Ok(()),
    }
}

/// Moves the rows of a rectangle, as few pieces as it has: offsets in source and destination, and bytes.
fn rows(rect: &RectRegion, mut piece: impl FnMut(u64, u64, u64) -> Result<(), HalError>) -> Result<(), HalError> {
    let [width, height, depth] = rect.region;
    let (src, dst) = (rect.src_pitch, rect.dst_pitch);
    // Rows, then slices, that follow one another on both sides are one piece.
    let (width, height) = if src[0] == width && dst[0] == width { (width * height, 1) } else { (width, height) };
    let (width, depth) =
        if height == 1 && src[1] == width && dst[1] == width { (width * depth, 1) } else { (width, depth) };
    for z in 0..depth {
        for y in 0..height {
            let from = rect.src_offset + z * src[1] + y * src[0];
            let to = rect.dst_offset + z * dst[1] + y * dst[0];
            piece(from, to, width)?;
        }
    }
    Ok(())
}

fn too_much(what: &str) -> MuxError {
    MuxError::OutOfResources(format!("the kernel needs {what}"))
}

impl Runner<'_> {
    /// The kernel of a command; with the area for kernels that may enqueue.
    fn launch(&self, range: &NdRange, area: Option<u64>) -> Result<(), MuxError> {
        let kernel = kernel_of(range)?;
        if range.global_size.contains(&0) {
            return Ok(());
        }
        check_needs(range, self.facts.local_memory)?;
        let packed = range.args.bytes();
        let layout = range.args.layout();
        let mut args = Vec::with_capacity(layout.offsets.len() + 2);
        for (i, descriptor) in range.args.descriptors().iter().enumerate() {
            args.push(match descriptor {
                Descriptor::Buffer(buffer, offset) => {
                    Argument::Global { address: at(buffer, *offset), size: buffer.size().saturating_sub(*offset) }
                }
                Descriptor::Address(address) => Argument::Global { address: *address, size: 0 },
                Descriptor::NullBuffer => Argument::Global { address: 0, size: 0 },
                Descriptor::LocalBuffer(size) => Argument::Local { size: *size },
                Descriptor::PlainData | Descriptor::Image(..) | Descriptor::Queue(_) | Descriptor::Unset => {
                    let value = layout.offsets.get(i).zip(layout.sizes.get(i)).and_then(|(&at, &size)| {
                        let (at, size) = (at as usize, size as usize);
                        packed.get(at..at + size)
                    });
                    Argument::Value(value.ok_or_else(|| MuxError::Internal("an argument without its bytes".into()))?)
                }
            });
        }
        let call = Call {
            resident: &kernel.resident,
            kernel: kernel.kernel,
            name: &range.kernel.variant().kernel,
            offset: range.global_offset,
            global: range.global_size,
            local: range.local_size,
            work_dim: range.work_dim,
            args,
        };
        call.run(self, area)
    }
}

/// A kernel with its arguments, but for those no kernel of OpenCL C has.
#[derive(Debug)]
pub(crate) struct Call<'a> {
    pub(crate) resident: &'a Resident,
    pub(crate) kernel: Kernel,
    pub(crate) name: &'a str,
    pub(crate) offset: [u64; 3],
    /// Not 0 in any dimension.
    pub(crate) global: [u64; 3],
    pub(crate) local: [u64; 3],
    pub(crate) work_dim: u32,
    pub(crate) args: Vec<Argument<'a>>,
}

impl Call<'_> {
    /// Runs it; `area` is for those that may enqueue.
    pub(crate) fn run(&self, runner: &Runner<'_>, area: Option<u64>) -> Result<(), MuxError> {
        let top = if runner.facts.address_bits == 32 { u64::from(u32::MAX) } else { u64::MAX };
        let mut global = [1; 3];
        for (slot, (size, local)) in global.iter_mut().zip(self.global.into_iter().zip(self.local)) {
            // Whole groups; the kernel knows the true size from its hidden argument.
            *slot = size
                .checked_next_multiple_of(local)
                .filter(|n| *n <= top)
                .ok_or_else(|| too_much("so many work-groups"))?;
        }
        let range = HalRange { offset: self.offset, global, local: self.local };
        let area = area.map(u64::to_le_bytes);
        runner.link.launch(self.name, |device| {
            let execute = |printf_buffer| {
                let hidden = HalHidden { global_size: self.global, printf_buffer };
                let mut args = self.args.clone();
                args.push(Argument::Value(bytemuck::bytes_of(&hidden)));
                args.extend(area.as_ref().map(|bytes| Argument::Value(bytes.as_slice())));
                device.execute(self.resident.program(), self.kernel, &range, &args, self.work_dim)
            };
            let table = &self.resident.printf;
            if table.is_empty() { execute(0) } else { with_buffer(device, table, self.name, execute) }
        })
    }
}

/// Checks a launch against what the device has.
fn check_needs(range: &NdRange, local_memory: u64) -> Result<(), MuxError> {
    let variant = range.kernel.variant();
    let local = variant.local_bytes.next_multiple_of(LOCAL_ALIGN).saturating_add(range.args.local_bytes());
    // The alignment of each part may take a little more than the limit itself.
    if variant.local_bytes.saturating_add(range.args.local_bytes()) > local_memory.saturating_add(4096) {
        return Err(MuxError::OutOfResources(format!("{local} bytes of local memory, {local_memory} available")));
    }
    let items = range.local_size.iter().try_fold(1u64, |all, n| all.checked_mul(*n));
    let stack = items
        .and_then(|n| variant.scratch_bytes_per_item.checked_mul(n))
        .and_then(|n| n.checked_add(variant.scratch_bytes_per_group))
        .and_then(|n| n.checked_add(variant.stack_bytes))
        .and_then(|n| n.checked_add(local));
    match stack {
        Some(n) if n <= MOST_STACK => Ok(()),
        _ => Err(too_much(&format!(
            "{} bytes of state across barriers for each of its work-items, {} of stack and {local} of local memory; a group has \
             {MOST_STACK} bytes for all of it",
            variant.scratch_bytes_per_item, variant.stack_bytes
        ))),
    }
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
