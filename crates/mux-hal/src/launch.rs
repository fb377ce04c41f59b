//! Translates a kernel command into a HAL call: checks its resources, lists its arguments and adds
//! the hidden ones.
//!
//! Not here: when the kernel runs (`execute`, `enqueue`).

use crate::executable::{HalKernel, Resident};
use crate::execute::{LaunchLimits, Runner, at};
use crate::printf::with_buffer;
use muxcl_hal::{Argument, Kernel, NdRange as HalRange};
use muxcl_mux::{Descriptor, Launch, MuxError};
use muxcl_types::deferred::EnqueueHeapHeader;
use muxcl_types::sched::HalHidden;

/// Bound in bytes on the stack that a group needs besides its local memory: frames, and state that
/// lives across barriers. Every hart has a stack of at least 4 MiB (`passes::kernel_abi`).
const MOST_STACK: u64 = 7 << 19;

/// The HAL kernel of a launch.
pub(crate) fn kernel_of(launch: &Launch) -> Result<&HalKernel, MuxError> {
    let kernel = launch.kernel.target().as_any().downcast_ref::<HalKernel>();
    kernel.ok_or_else(|| MuxError::Internal("a kernel of another device".into()))
}

fn too_much(what: &str) -> MuxError {
    MuxError::OutOfResources(format!("the kernel needs {what}"))
}

impl Runner<'_> {
    /// Device properties for kernels that enqueue kernels.
    pub(crate) fn limits(&self) -> EnqueueHeapHeader {
        let most = u32::try_from(self.limits.max_work_group).unwrap_or(u32::MAX);
        EnqueueHeapHeader {
            local_memory: self.limits.local_memory,
            stack: MOST_STACK,
            max_work_group: most,
            multiple: (self.limits.vector_bytes / 4).clamp(1, most.max(1)),
            ..EnqueueHeapHeader::default()
        }
    }

    /// Runs the kernel of a command. A kernel that may enqueue also receives the address of the
    /// heap.
    pub(crate) fn launch(&self, launch: &Launch, heap: Option<u64>) -> Result<(), MuxError> {
        if launch.range.is_empty() {
            return Ok(());
        }
        call_of(launch)?.run(self, heap)
    }
}

/// The kernel of a command with its arguments.
pub(crate) fn call_of(launch: &Launch) -> Result<Call<'_>, MuxError> {
    let kernel = kernel_of(launch)?;
    check_stack(launch)?;
    let packed = launch.args.bytes();
    let layout = launch.args.layout();
    let mut args = Vec::with_capacity(layout.offsets.len() + 2);
    for (i, descriptor) in launch.args.descriptors().iter().enumerate() {
        args.push(match descriptor {
            Descriptor::Buffer(buffer, offset) => Argument::Global {
                address: at(buffer, *offset),
                size: buffer.size().saturating_sub(*offset),
            },
            Descriptor::Address(address) => Argument::Global { address: *address, size: 0 },
            Descriptor::NullBuffer => Argument::Global { address: 0, size: 0 },
            Descriptor::LocalBuffer(size) => Argument::Local { size: *size },
            Descriptor::PlainData
            | Descriptor::Image(..)
            | Descriptor::Queue(_)
            | Descriptor::Unset => {
                let value =
                    layout.offsets.get(i).zip(layout.sizes.get(i)).and_then(|(&at, &size)| {
                        let (at, size) = (at as usize, size as usize);
                        packed.get(at..at + size)
                    });
                Argument::Value(
                    value.ok_or_else(|| {
                        MuxError::Internal("an argument without its bytes".into())
                    })?,
                )
            }
        });
    }
    Ok(Call {
        resident: &kernel.resident,
        kernel: kernel.kernel,
        name: &launch.kernel.variant().kernel,
        offset: launch.range.offset,
        global: launch.range.global,
        local: launch.range.local,
        work_dim: launch.range.work_dim,
        args,
    })
}

/// A kernel with its arguments, except the hidden ones.
#[derive(Debug)]
pub(crate) struct Call<'a> {
    pub(crate) resident: &'a Resident,
    pub(crate) kernel: Kernel,
    pub(crate) name: &'a str,
    pub(crate) offset: [u64; 3],
    /// Global size, nonzero in every dimension.
    pub(crate) global: [u64; 3],
    pub(crate) local: [u64; 3],
    pub(crate) work_dim: u32,
    pub(crate) args: Vec<Argument<'a>>,
}

impl Call<'_> {
    /// The NDRange for the HAL: whole work-groups. The kernel reads the true size from its hidden
    /// argument.
    pub(crate) fn range(&self, limits: &LaunchLimits) -> Result<HalRange, MuxError> {
        let top = if limits.address_bits == 32 { u64::from(u32::MAX) } else { u64::MAX };
        let mut global = [1; 3];
        for (slot, (size, local)) in global.iter_mut().zip(self.global.into_iter().zip(self.local))
        {
            *slot = size
                .checked_next_multiple_of(local)
                .filter(|n| *n <= top)
                .ok_or_else(|| too_much("so many work-groups"))?;
        }
        Ok(HalRange { offset: self.offset, global, local: self.local })
    }

    /// Runs the kernel. `heap` is the address of the enqueue heap, for kernels that may enqueue.
    pub(crate) fn run(&self, runner: &Runner<'_>, heap: Option<u64>) -> Result<(), MuxError> {
        let range = self.range(runner.limits)?;
        let heap = heap.map(u64::to_le_bytes);
        runner.connection.launch(self.name, |device| {
            let execute = |printf_buffer| {
                let hidden = HalHidden { global_size: self.global, printf_buffer };
                let mut args = Vec::with_capacity(self.args.len() + 2);
                args.extend_from_slice(&self.args);
                args.push(Argument::Value(bytemuck::bytes_of(&hidden)));
                args.extend(heap.as_ref().map(|bytes| Argument::Value(bytes.as_slice())));
                device.execute(self.resident.program(), self.kernel, &range, &args, self.work_dim)
            };
            let table = &self.resident.printf;
            if table.is_empty() {
                execute(0)
            } else {
                with_buffer(device, table, self.name, execute)
            }
        })
    }
}

/// Checks that the local memory and state of a work-group fit on the stack of a hart.
fn check_stack(launch: &Launch) -> Result<(), MuxError> {
    let variant = launch.kernel.variant();
    let local = launch.local_bytes();
    let items = launch.range.group_items();
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
