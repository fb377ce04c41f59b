//! Commands as HAL calls. Invariant: a failed call fails its command and nothing else.

use crate::executable::HalKernel;
use crate::link::Link;
use crate::printf::with_buffer;
use crate::queue::Work;
use muxcl_hal::{Argument, Device, HalError, NdRange as HalRange};
use muxcl_mux::{Buffer, Command, Descriptor, MuxError, NdRange, RectRegion};
use muxcl_types::sched::{HalHidden, LOCAL_ALIGN};
use std::slice::{from_raw_parts, from_raw_parts_mut};

/// Bound on what a group needs beside its local memory: state that lives across barriers, and the stack. Every hart has a stack of
/// at least 4 MiB (`passes::kernel_abi`).
const MOST_STACK: u64 = 7 << 19;

/// Runs a command buffer to its end; `released` is called when its last command has run, before anyone is told. If `stop` says
/// so, what is left is given back.
pub(crate) fn run(
    link: &Link,
    local_memory: u64,
    address_bits: u32,
    work: Work,
    stop: Option<&dyn Fn() -> bool>,
    released: &dyn Fn(),
) -> Option<Work> {
    let (mut ready, mut pending) = work;
    let mut fresh = true;
    while let Some(index) = pending.take().or_else(|| ready.advance(&muxcl_os::now_ns)) {
        if !fresh && stop.is_some_and(|stop| stop()) {
            return Some((ready, Some(index)));
        }
        fresh = false;
        let result = match ready.commands().get(index) {
            Some(Command::NdRange(range)) => launch(link, local_memory, address_bits, range),
            Some(command) => link.call(|device| transfer(device, command)),
            None => Ok(()),
        };
        if let Err(error) = result {
            ready.failed(error);
        }
    }
    released();
    ready.done();
    None
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

fn launch(link: &Link, local_memory: u64, address_bits: u32, range: &NdRange) -> Result<(), MuxError> {
    let Some(kernel) = range.kernel.target().as_any().downcast_ref::<HalKernel>() else {
        return Err(MuxError::Internal("a kernel of another device".into()));
    };
    if range.global_size.contains(&0) {
        return Ok(());
    }
    check_needs(range, local_memory)?;
    let top = if address_bits == 32 { u64::from(u32::MAX) } else { u64::MAX };
    let mut global = [1; 3];
    for (slot, (size, local)) in global.iter_mut().zip(range.global_size.into_iter().zip(range.local_size)) {
        // Whole groups; the kernel knows the true size from its hidden argument.
        *slot = size
            .checked_next_multiple_of(local)
            .filter(|n| *n <= top)
            .ok_or_else(|| too_much("so many work-groups"))?;
    }
    let hal = HalRange { offset: range.global_offset, global, local: range.local_size };
    let packed = range.args.bytes();
    let layout = range.args.layout();
    let mut args = Vec::with_capacity(layout.offsets.len() + 1);
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
    let (program, entry) = (kernel.resident.program, kernel.kernel);
    let name = &range.kernel.variant().kernel;
    link.launch(name, |device| {
        let execute = |printf_buffer| {
            let hidden = HalHidden { global_size: range.global_size, printf_buffer };
            let mut args = args.clone();
            args.push(Argument::Value(bytemuck::bytes_of(&hidden)));
            device.execute(program, entry, &hal, &args, range.work_dim)
        };
        let table = &kernel.resident.printf;
        if table.is_empty() { execute(0) } else { with_buffer(device, table, name, execute) }
    })
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
