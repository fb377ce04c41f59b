//! Gives the sentence of an error to its receivers: the sink, and the callback of the context.
//!
//! Invariants: the call's locks are free when the callback runs. A callback whose own calls fail is
//! not called for those. Not here: the text.

use std::cell::Cell;
use std::sync::Arc;

use super::sentence::{self, Argument, Text};
use super::{SINK, take_seen};
use crate::core::command_buffer::{CommandBuffer, MutableCommand};
use crate::core::context::Context;
use crate::core::device_queue::DeviceQueue;
use crate::core::event::Event;
use crate::core::kernel::Kernel;
use crate::core::memory::Mem;
use crate::core::program::Program;
use crate::core::queue::Queue;
use crate::core::sampler::Sampler;
use crate::core::semaphore::Semaphore;
use crate::error::ClError;
use crate::object::{ClObject, borrow, kept};

thread_local! {
    /// True while an error callback runs on this thread.
    static IN_CALLBACK: Cell<bool> = const { Cell::new(false) };
}

/// The context of a handle of any kind; `None` for other addresses.
fn context_of(address: usize) -> Option<Arc<Context>> {
    fn find<T: ClObject>(
        address: usize,
        context: impl FnOnce(&T) -> &Arc<Context>,
    ) -> Option<Arc<Context>> {
        let handle = std::ptr::without_provenance_mut(address);
        borrow::<T>(handle).ok().map(|object| Arc::clone(context(object.get())))
    }
    borrow::<Context>(std::ptr::without_provenance_mut(address))
        .map(|context| context.keep())
        .ok()
        .or_else(|| find::<Queue>(address, Queue::context))
        .or_else(|| find::<DeviceQueue>(address, DeviceQueue::context))
        .or_else(|| find::<Mem>(address, Mem::context))
        .or_else(|| find::<Kernel>(address, Kernel::context))
        .or_else(|| find::<Program>(address, Program::context))
        .or_else(|| find::<Event>(address, Event::context))
        .or_else(|| find::<Sampler>(address, Sampler::context))
        .or_else(|| find::<Semaphore>(address, Semaphore::context))
        .or_else(|| find::<CommandBuffer>(address, CommandBuffer::context))
        .or_else(|| find::<MutableCommand>(address, |command| command.kernel().context()))
}

/// Reports an error that an entry point returns.
#[cold]
#[inline(never)]
pub(crate) fn report(entry_point: &str, error: ClError, arguments: &[Argument]) {
    let seen = take_seen(error);
    let mark = kept::mark();
    let context = arguments.iter().filter_map(Argument::address).find_map(context_of);
    let context = context.filter(|context| context.has_callback());
    let sink = SINK.get();
    if sink.is_some() || context.is_some() {
        let mut text = Text::new();
        // A text that is too long is cut.
        let _ = sentence::write(&mut text, entry_point, error, seen.as_deref(), arguments);
        if let Some(sink) = sink {
            sink(text.as_str());
        }
        if let Some(context) = context
            && IN_CALLBACK.try_with(|inside| inside.replace(true)) == Ok(false)
        {
            context.notify(text.with_nul());
            let _ = IN_CALLBACK.try_with(|inside| inside.set(false));
        }
    }
    kept::release_borrowed(mark);
}
