//! Copies of command buffers for other queues (`cl_khr_command_buffer_multi_device`).

use std::sync::Arc;

use muxcl_cl_macros::cl_entry;
use muxcl_cl_sys as sys;
use muxcl_cl_sys::{
    cl_bool, cl_command_buffer_khr, cl_command_queue, cl_mutable_command_khr, cl_sync_point_khr,
    cl_uint,
};
use muxcl_mux as mux;

use super::command_buffer::{can_sync, queues as checked_queues};
use super::command_buffer_record::launch_commands;
use crate::checked;
use crate::core::command_buffer::{
    CommandBuffer, Dispatch, MutableCommand, Original, Recorded, Source,
};
use crate::core::queue::Queue;
use crate::error::{ClError, ClResult};
use crate::explain::violated;
use crate::object::{self, Borrowed, ClObject as _, borrow};

/// Mux commands of a command for another queue. The errors of the command.
fn commands_for(source: &Source, queue: &Arc<Queue>) -> ClResult<Option<mux::CommandBuffer>> {
    let launch =
        |Dispatch { kernel, sizes }: &Dispatch| launch_commands(kernel.kernel(), sizes, queue);
    match source {
        Source::Launch(dispatch) => launch(dispatch),
        Source::Mutable(command) => launch(&command.dispatch()),
        Source::Steps(steps) => steps.commands(queue).map(Some),
    }
}

/// The queues that a command of `original` may go to, best first: a queue of the same device, and
/// else one after another, so that commands of different queues stay apart.
fn candidates(original: usize, from: &Queue, to: &[Arc<Queue>]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..to.len()).map(|n| (original + n) % to.len()).collect();
    // A stable sort: queues of the same device first.
    order.sort_by_key(|n| !to[*n].device().is(from.device()));
    order
}

/// A copy of a command buffer that is being recorded.
struct Copy<'a> {
    from: Borrowed<'a, CommandBuffer>,
    to: Arc<CommandBuffer>,
    /// The queue of each command so far.
    queues: Vec<usize>,
    /// The last command of each original queue.
    last: Vec<Option<usize>>,
}

impl Copy<'_> {
    /// Records a command for the first of these queues whose device can run it. The first queue's
    /// error if none can.
    fn record(
        &mut self,
        command: Original,
        queues: &[usize],
        handles: &[Arc<MutableCommand>],
    ) -> ClResult<Option<Arc<MutableCommand>>> {
        let mut result = Err(ClError::OUT_OF_RESOURCES);
        for (n, queue) in queues.iter().enumerate() {
            match commands_for(&command.source, &self.to.queues()[*queue]) {
                Ok(commands) => {
                    result = Ok((*queue, commands));
                    break;
                }
                Err(error) if n == 0 => result = Err(error),
                Err(_) => {}
            }
        }
        let (queue, commands) = result?;
        let mut waits = command.waits;
        // The command that ran before it on the original queue may be on another queue now, so
        // only a sync point keeps their order.
        let number = self.queues.len();
        let before = self.last[command.queue].replace(number);
        if let Some(before) = before.filter(|before| self.queues[*before] != queue) {
            let point = cl_sync_point_khr::try_from(before + 1);
            waits.push(point.map_err(|_| ClError::OUT_OF_RESOURCES)?);
        }
        self.queues.push(queue);
        let copied = match &command.source {
            Source::Mutable(old) if handles.iter().any(|handle| Arc::ptr_eq(handle, old)) => {
                Some(old.copy_to(Borrowed::of(&self.to))?)
            }
            _ => None,
        };
        let source = match (&copied, command.source) {
            (Some(new), _) => Source::Mutable(new.clone()),
            (None, Source::Mutable(old)) => Source::Launch(old.dispatch()),
            (None, source) => source,
        };
        let recorded = self.to.record(Recorded { queue, waits, commands, source });
        if let (Err(error), Some(new)) = (&recorded, &copied) {
            object::release::<MutableCommand>(new.handle())?;
            return Err(*error);
        }
        recorded?;
        Ok(copied)
    }

    /// Records all commands, and returns the copies of `handles` in their order.
    fn run(
        &mut self,
        automatic: bool,
        handles: &[Arc<MutableCommand>],
    ) -> ClResult<Vec<cl_mutable_command_khr>> {
        let (finalized, commands) = self.from.originals();
        let mut copies = vec![std::ptr::null_mut(); handles.len()];
        for command in commands {
            let queues = if automatic {
                let original = &self.from.queues()[command.queue];
                candidates(command.queue, original, self.to.queues())
            } else {
                vec![command.queue]
            };
            let old = match &command.source {
                Source::Mutable(old) => Some(old.clone()),
                _ => None,
            };
            let new = self.record(command, &queues, handles)?;
            if let (Some(old), Some(new)) = (old, new) {
                for (slot, handle) in copies.iter_mut().zip(handles) {
                    if Arc::ptr_eq(handle, &old) {
                        *slot = new.handle();
                    }
                }
            }
        }
        // "The returned command-buffer has the same state as the input command-buffer."
        if finalized {
            self.to.finalize()?;
        }
        Ok(copies)
    }
}

#[cl_entry(clRemapCommandBufferKHR)]
fn remap_command_buffer_khr(
    command_buffer: cl_command_buffer_khr,
    automatic: cl_bool,
    num_queues: cl_uint,
    queues: *const cl_command_queue,
    num_handles: cl_uint,
    handles: *const cl_mutable_command_khr,
    handles_ret: *mut cl_mutable_command_khr,
) -> Result<cl_command_buffer_khr, ClError> {
    // CL_INVALID_COMMAND_BUFFER_KHR if command_buffer is not a valid command-buffer.
    let from = borrow::<CommandBuffer>(command_buffer)?;
    let automatic = automatic != sys::CL_FALSE;
    // CL_INVALID_VALUE if num_queues is 0, or if queues is NULL. CL_INVALID_VALUE if automatic is
    // CL_FALSE and num_queues is not equal to the number of queues used on creation of
    // command_buffer.
    let invalid = ClError::INVALID_VALUE;
    let list = checked::slice(queues, num_queues as usize, invalid)?;
    if list.is_empty() || (!automatic && list.len() != from.queues().len()) {
        return Err(invalid);
    }
    // CL_INVALID_VALUE if handles or handles_ret is NULL and num_handles is > 0, or either handles
    // or handles_ret is not NULL and num_handles is 0.
    let count = num_handles as usize;
    let handles = checked::slice(handles, count, invalid)?;
    checked::slice(handles_ret.cast_const(), count, invalid)?;
    // CL_INVALID_VALUE if any handle in handles is not a valid command handle belonging to
    // command_buffer.
    let belonging = |handle: &cl_mutable_command_khr| {
        let command = borrow::<MutableCommand>(*handle).map_err(|_| invalid)?;
        let ours = command.buffer().is_some_and(|of| std::ptr::eq(&*of, from.get()));
        if ours { Ok(command.keep()) } else { Err(invalid) }
    };
    let handles: Vec<_> = handles.iter().map(belonging).collect::<ClResult<_>>()?;
    let queues = checked_queues(list)?;
    can_sync(&queues, from.flags())?;
    if !queues[0].context().is(from.context()) {
        return Err(violated!(
            INVALID_CONTEXT,
            "if a queue belongs to another context than the command buffer"
        ));
    }
    let queues = queues.into_iter().map(Borrowed::keep).collect();
    let to = CommandBuffer::new(queues, from.flags(), from.properties().to_vec())?;
    let last = vec![None; from.queues().len()];
    let mut copy = Copy { from, to: to.clone(), queues: Vec::new(), last };
    match copy.run(automatic, &handles) {
        Ok(copies) => {
            for (n, handle) in copies.into_iter().enumerate() {
                checked::out(handles_ret.wrapping_add(n), handle);
            }
            Ok(to.handle())
        }
        Err(error) => {
            object::release::<CommandBuffer>(to.handle())?;
            Err(error)
        }
    }
}
