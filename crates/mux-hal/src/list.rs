//! Commands that a HAL accepts before earlier ones have ended ([`muxcl_hal::Device::run`]).
//!
//! Invariant: between the commands of a list, their command buffer has nothing for which the later
//! ones wait. Their results arrive in order, and a failed one fails its own command only. The
//! callbacks of events between them run as soon as the result of the command before has arrived.
//! Not here: kernels that print or enqueue, and rectangles; they run one by one (`execute`).

use crate::execute::{LaunchLimits, Runner, at, bytes};
use crate::launch::{Call as KernelCall, call_of};
use muxcl_hal::{Argument, Call, NdRange};
use muxcl_mux::target::Ready;
use muxcl_mux::{Command, MuxError};
use muxcl_types::sched::HalHidden;
use std::ops::Range;
use std::slice::{from_raw_parts, from_raw_parts_mut};

/// Maximum number of commands of a list, so that a waiting thread can stop between two lists.
const MOST: usize = 64;

/// A kernel's launch: the call without its hidden argument, the NDRange, and that argument.
struct Kernel<'a> {
    call: KernelCall<'a>,
    range: NdRange,
    hidden: HalHidden,
}

/// The launch of a command; `None` if it is no launch that can be part of a list.
fn kernel<'a>(command: &'a Command, limits: &LaunchLimits) -> Option<Kernel<'a>> {
    let Command::NdRange(launch) = command else { return None };
    if launch.range.is_empty() || launch.kernel.variant().enqueues {
        return None;
    }
    // A launch with an error runs alone, and fails.
    let call = call_of(launch).ok().filter(|call| call.resident.printf.is_empty())?;
    let range = call.range(limits).ok()?;
    let hidden = HalHidden { global_size: call.global, printf_buffer: 0 };
    Some(Kernel { call, range, hidden })
}

/// Indices of the commands from `index` on that can be one list. A read ends the list, because a
/// later command may use what it reads. The list ends before a read that would overwrite host
/// memory from which a write of the list takes its bytes.
pub(crate) fn commands(ready: &mut Ready, index: usize, limits: &LaunchLimits) -> Vec<usize> {
    let mut written: Vec<Range<usize>> = Vec::new();
    let mut list = Vec::new();
    let Some(all) = ready.shared_commands() else { return list };
    for (index, command) in all.iter().enumerate().skip(index) {
        if list.len() == MOST {
            break;
        }
        match command {
            Command::ReadBuffer { size, dst, .. } => {
                let Ok(size) = bytes(*size) else { break };
                let into = host_range(dst.ptr(), size);
                let overlaps = |from: &Range<usize>| from.start < into.end && into.start < from.end;
                if !written.iter().any(overlaps) {
                    list.push(index);
                }
                break;
            }
            Command::WriteBuffer { size, src, .. } => {
                let Ok(size) = bytes(*size) else { break };
                written.push(host_range(src.ptr(), size));
            }
            Command::CopyBuffer { .. } | Command::FillBuffer { .. } => {}
            command if kernel(command, limits).is_some() => {}
            _ if !list.is_empty() && ready.pass_early(index) => continue,
            _ => break,
        }
        list.push(index);
    }
    list
}

fn host_range(from: *const u8, size: usize) -> Range<usize> {
    from.addr()..from.addr().saturating_add(size)
}

/// Runs the commands that [`commands`] has listed.
pub(crate) fn run(runner: &Runner<'_>, ready: &mut Ready, list: &[usize]) {
    let Some(all) = ready.shared_commands() else { return };
    let listed: Vec<&Command> = list.iter().filter_map(|index| all.get(*index)).collect();
    let kernels: Vec<Option<Kernel<'_>>> =
        listed.iter().map(|command| kernel(command, runner.limits)).collect();
    let arguments: Vec<Vec<Argument<'_>>> = kernels.iter().map(arguments).collect();
    let mut calls: Vec<Call<'_>> = listed
        .iter()
        .zip(kernels.iter().zip(&arguments))
        .filter_map(|(command, (kernel, arguments))| match kernel {
            Some(kernel) => Some(Call::Execute {
                program: kernel.call.resident.program(),
                kernel: kernel.call.kernel,
                range: kernel.range,
                arguments,
                dimensions: kernel.call.work_dim,
            }),
            None => transfer(command),
        })
        .collect();
    let name = |number: usize| kernels.get(number)?.as_ref().map(|kernel| kernel.call.name);
    let ended = &mut |number: usize, result: Result<(), MuxError>| {
        if let Err(error) = result {
            ready.failed(error);
        }
        if let Some(following) = list.get(number + 1) {
            // `commands` has passed all that lies between the two commands.
            let next = ready.advance(&muxcl_os::now_ns);
            debug_assert_eq!(next, Some(*following));
        }
    };
    runner.connection.run_list(&mut calls, &name, ended);
}

fn arguments<'a>(kernel: &'a Option<Kernel<'_>>) -> Vec<Argument<'a>> {
    let Some(kernel) = kernel else { return Vec::new() };
    let hidden = Argument::Value(bytemuck::bytes_of(&kernel.hidden));
    kernel.call.args.iter().copied().chain([hidden]).collect()
}

/// The call for a transfer.
fn transfer(command: &Command) -> Option<Call<'_>> {
    Some(match command {
        Command::ReadBuffer { buffer, offset, size, dst } => {
            let size = bytes(*size).ok()?;
            // SAFETY: the code that recorded the command promised that many bytes, which no other
            // code uses until the command has run.
            let into = unsafe { from_raw_parts_mut(dst.ptr(), size) };
            Call::Read { from: at(buffer, *offset), into }
        }
        Command::WriteBuffer { buffer, offset, size, src } => {
            let size = bytes(*size).ok()?;
            // SAFETY: the code that recorded the command promised that many bytes until the command
            // has run.
            let from = unsafe { from_raw_parts(src.ptr(), size) };
            Call::Write { to: at(buffer, *offset), from }
        }
        Command::CopyBuffer { src, src_offset, dst, dst_offset, size } => {
            Call::Copy { to: at(dst, *dst_offset), from: at(src, *src_offset), size: *size }
        }
        Command::FillBuffer { buffer, offset, size, pattern } => {
            Call::Fill { to: at(buffer, *offset), pattern: pattern.bytes(), size: *size }
        }
        _ => return None,
    })
}
