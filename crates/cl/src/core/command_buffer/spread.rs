//! A command buffer with several queues as commands of these queues: one for each segment, with an
//! event for which other segments wait, and one for the whole.
//!
//! Invariants: either all segments run, or, if one of them cannot be enqueued, none: they wait for
//! a gate that opens when all are there. The event of the whole completes after all segments.

use std::sync::Arc;

use muxcl_cl_sys as sys;
use muxcl_cl_sys::{cl_command_queue, cl_event};
use muxcl_mux as mux;

use super::plan::Plan;
use crate::core::context::Context;
use crate::core::event::{Event, EventQueue};
use crate::core::queue::{CommandRequest, Queue, SyncRole};
use crate::error::ClResult;
use crate::object::{self, Borrowed, ClObject as _};

/// The queues of an enqueued command buffer, as the queue of its event.
#[derive(Debug)]
struct Spread {
    /// At least two.
    queues: Vec<Arc<Queue>>,
}

impl EventQueue for Spread {
    /// "For events returned by a command-buffer enqueue operation to multiple command-queues, NULL
    /// is returned."
    fn queue_handle(&self) -> cl_command_queue {
        std::ptr::null_mut()
    }

    fn context(&self) -> &Arc<Context> {
        self.queues[0].context()
    }

    fn mux(&self) -> &mux::Queue {
        self.queues[0].mux()
    }

    fn timed_device(&self) -> Option<&mux::Device> {
        let all = self.queues.iter().all(|queue| queue.profiling());
        all.then(|| self.queues[0].device().mux())
    }

    fn flush_for(&self, event: &Event, _hint: mux::SubmitHint) {
        if event.outcome().is_some() {
            return;
        }
        for queue in &self.queues {
            if let Err(error) = queue.flush() {
                tracing::error!(target: "cl::queue", "flush failed: {error:?}");
            }
        }
    }

    fn report_failure(&self, error: &mux::MuxError) {
        EventQueue::report_failure(&*self.queues[0], error);
    }
}

/// Tells the event of the whole that a segment begins.
struct Begins(Arc<Event>);

impl mux::Callback for Begins {
    fn call(&self, _: &mux::CallbackInfo) {
        self.0.part_begins();
    }

    fn takes_error(&self) -> bool {
        false
    }
}

/// Events with a reference that the application does not get.
#[derive(Default)]
struct Held(Vec<Arc<Event>>);

impl Held {
    /// Takes over the reference of a new event.
    fn hold(&mut self, event: Arc<Event>) -> &Arc<Event> {
        self.0.push(event);
        &self.0[self.0.len() - 1]
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        for event in &self.0 {
            let _ = object::release::<Event>(event.handle());
        }
    }
}

fn request<'a>(
    waits: &'a [Borrowed<'a, Event>],
    wants_event: bool,
    commands: usize,
) -> CommandRequest<'a> {
    CommandRequest {
        command: sys::CL_COMMAND_COMMAND_BUFFER_KHR,
        waits,
        semaphores: Vec::new(),
        wants_event,
        blocking: false,
        commands,
        sync: SyncRole::None,
        traced: None,
    }
}

/// Enqueues a plan on several queues. Returns the event of the whole, with one reference, if one is
/// wanted, else NULL.
///
/// # Errors
/// `CL_OUT_OF_HOST_MEMORY` and other failures to enqueue. Nothing runs then.
pub fn enqueue(
    plan: &Plan,
    queues: &[Borrowed<'_, Queue>],
    waits: &[Borrowed<'_, Event>],
    wants_event: bool,
) -> ClResult<cl_event> {
    let spread = Arc::new(Spread { queues: queues.iter().map(|queue| queue.keep()).collect() });
    let (mut own, mut segments) = (Held::default(), Held::default());
    let command = sys::CL_COMMAND_COMMAND_BUFFER_KHR;
    let whole = Event::of_command(spread.clone(), command, wants_event)?;
    let whole = own.hold(whole).clone();
    let gate = Event::user(spread.context().clone())?;
    let gate = own.hold(gate).clone();
    let enqueued = (|| {
        for segment in &plan.segments {
            let queue = queues[segment.queue];
            let mut all: Vec<Borrowed<'_, Event>> = waits.to_vec();
            all.push(Borrowed::of(&gate));
            // An in-order queue runs its segments in their order.
            let previous = segment.previous.filter(|_| !queue.in_order());
            let others = segment.after.iter().copied().chain(previous);
            all.extend(others.map(|other| Borrowed::of(&segments.0[other])));
            let begins = Arc::new(Begins(whole.clone()));
            let request = request(&all, true, segment.commands.len() + 1);
            let event = Queue::enqueue(queue, request, |list| {
                list.shared_callback(begins)?;
                list.append(&segment.commands)
            })?;
            let event = object::borrow::<Event>(event)?.keep();
            segments.hold(event);
        }
        let all: Vec<Borrowed<'_, Event>> = segments.0.iter().map(Borrowed::of).collect();
        queues[0].record(Some(&whole), request(&all, wants_event, 0), |_| Ok(()))
    })();
    let status = match enqueued {
        Ok(()) => sys::CL_COMPLETE,
        Err(_) => sys::CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
    };
    gate.set_user_status(status)?;
    enqueued?;
    if !wants_event {
        return Ok(std::ptr::null_mut());
    }
    object::retain::<Event>(whole.handle())?;
    Ok(whole.handle())
}
