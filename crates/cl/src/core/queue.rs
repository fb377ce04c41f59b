//! Command queues: batches of commands, their order, and flush, finish and wait.
//!
//! An in-order queue records into one open batch and chains batches with semaphores
//! (`sequence::Sequence`). A command goes into the open batch if it waits for nothing or only for
//! commands of the same queue: the batch keeps that order. A command that waits for other events
//! dispatches the open batch and starts a new one that waits for their semaphores. An out-of-order
//! queue makes a batch of each command, except that a command that waits only for the last command
//! of a pending batch is appended to that batch. Semaphores only order: a dependency check in front
//! of a command with a wait list looks at the events' outcomes.
//!
//! Invariants: one lock protects the state during a record or a dispatch. No wait, drop or callback
//! happens under it. A command that waits for another queue's pending command flushes that queue,
//! so no order of calls can deadlock. Not here: the commands (`api::enqueue*`), the states of
//! events (`event`).

use std::sync::{Arc, Weak};

use muxcl_cl_sys as sys;
use muxcl_cl_sys::{
    cl_command_queue, cl_command_queue_properties, cl_command_type, cl_event, cl_int,
    cl_queue_properties,
};
use muxcl_lock::{Mutex, MutexGuard, Rank};
use muxcl_mux as mux;
use muxcl_mux::{CommandBuffer, MuxError, Semaphore, SubmitHint, Wait};
use muxcl_trace::QueueTrack;
use smallvec::SmallVec;

mod batch;
mod caller_runs;
mod caller_slot;
mod failures;
mod sequence;
mod traced;

#[cfg(all(test, loom))]
mod models;

use batch::{Batch, DependencyCheck};
pub use caller_runs::CallerRuns;
use caller_slot::CallerSlot;
use failures::Failures;
use sequence::{Sequence, Signal};
pub use traced::TracedCommand;

use super::context::{Context, ContextQueue};
use super::device::Device;
use super::epoch::Epoch;
use super::event::{Event, EventQueue, status_of};
use crate::error::{ClError, ClResult};
use crate::object::{self, Borrowed, ClObject, HandleHeader};

/// Number of Mux commands from which a batch is dispatched without a flush, if the device has no
/// other work of this queue.
const EAGER: usize = 64;
/// Number of Mux commands at which a batch is always dispatched, to bound the memory of pending
/// commands.
const LONGEST: usize = 8192;
/// Greatest number of Mux commands for which a new batch reserves memory, at most 48 KiB. A larger
/// reservation could make other allocations fail when memory is short.
const MOST_RESERVED: usize = 1024;
/// Maximum number of pending batches of an out-of-order queue.
const MANY: usize = 32;

/// `cl_command_queue`
#[derive(Debug)]
pub struct Queue {
    head: HandleHeader<Self>,
    context: Arc<Context>,
    device: Arc<Device>,
    /// The device's index in the context.
    device_index: usize,
    mux: mux::Queue,
    /// The context may be terminated. Each command then has an event and a check that the context
    /// has not been terminated.
    terminable: bool,
    /// The device shares the host's memory.
    shares_host_memory: bool,
    failures: Arc<Failures>,
    properties: cl_command_queue_properties,
    /// `CL_QUEUE_PROPERTIES_ARRAY`: as given, with the final zero; empty if none were given.
    property_list: Vec<cl_queue_properties>,
    /// The slot of calling threads that run a command themselves. An in-order queue closes it
    /// before a command is recorded, an out-of-order queue before a barrier.
    caller_slot: CallerSlot,
    state: Mutex<QueueState>,
    /// The queue's track in the trace (`MUXCL_TRACE`).
    track: Arc<QueueTrack>,
}

#[derive(Debug)]
struct QueueState {
    /// In order: the batch being recorded. Out of order: empty.
    open: Batch,
    /// Out of order: batches that have not been dispatched.
    pending: Vec<Batch>,
    /// In order: the length of the longest recent batch in Mux commands. A new batch reserves
    /// memory for as many, up to [`MOST_RESERVED`].
    usual_length: usize,
    /// In order: the dispatched batches, and the commands that calling threads run.
    sequence: Sequence<Semaphore>,
    /// Out of order: the last barrier, for which later commands wait.
    barrier: Option<Semaphore>,
    /// Out of order: the epoch that is open.
    epoch: Arc<Epoch>,
    /// Out of order: the epoch of the thread that has the slot, if work waits for that thread.
    caller_epoch: Option<Arc<Epoch>>,
}

/// A command that is being enqueued, without its Mux commands.
#[derive(Debug)]
pub struct CommandRequest<'a> {
    /// `CL_COMMAND_*`
    pub command: cl_command_type,
    /// The wait list, checked.
    pub waits: &'a [Borrowed<'a, Event>],
    /// Semaphores to wait for beside the wait list.
    pub semaphores: Vec<Semaphore>,
    /// The application wants an event.
    pub wants_event: bool,
    /// The call returns after the command has completed.
    pub blocking: bool,
    /// Number of Mux commands that will be recorded for it.
    pub commands: usize,
    /// Effect of the command on the order of an out-of-order queue.
    pub sync: SyncRole,
    /// The command's times for the trace; `None` without a trace.
    pub traced: Option<Arc<TracedCommand>>,
}

/// Records the Mux commands of a command.
type Record<'a> = dyn FnOnce(&mut CommandBuffer) -> Result<(), MuxError> + 'a;

/// How a command is ordered on an out-of-order queue. In-order queues ignore it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SyncRole {
    /// Waits for its wait list and the last barrier.
    None,
    /// Waits for its wait list or, without one, for all earlier commands.
    Marker,
    /// Waits as a marker does, and all later commands wait for it.
    Barrier,
}

/// Condition: none of these events of a wait list has failed.
struct NoneFailed(Vec<Arc<Event>>);

impl mux::Condition for NoneFailed {
    fn check(&self) -> Result<(), MuxError> {
        self.0.iter().try_for_each(|event| event.check())
    }

    fn check_early(&self) -> bool {
        self.0.iter().all(|event| event.check_early())
    }
}

impl ClObject for Queue {
    type Raw = sys::_cl_command_queue;
    const TAG: u32 = u32::from_le_bytes(*b"queu");
    const INVALID: ClError = ClError::INVALID_COMMAND_QUEUE;
    const REACHABLE: bool = true;
    fn header(&self) -> &HandleHeader<Self> {
        &self.head
    }
}

impl Signal for Semaphore {
    fn pending() -> Self {
        Self::new()
    }

    fn is_given(&self) -> bool {
        self.is_signalled()
    }

    fn try_renew(&mut self) -> bool {
        self.try_reset()
    }
}

impl ContextQueue for Queue {
    fn flush(&self) -> ClResult<()> {
        Self::flush(self)
    }

    fn finish(&self) -> ClResult<()> {
        Self::finish(self)
    }
}

impl EventQueue for Queue {
    fn queue_handle(&self) -> cl_command_queue {
        self.handle()
    }

    fn context(&self) -> &Arc<Context> {
        &self.context
    }

    fn mux(&self) -> &mux::Queue {
        &self.mux
    }

    fn timed_device(&self) -> Option<&mux::Device> {
        self.profiling().then(|| self.device.mux())
    }

    fn flush_for(&self, event: &Event, hint: SubmitHint) {
        Self::flush_for(self, event, hint);
    }

    fn report_failure(&self, error: &MuxError) {
        self.failures.report(error);
    }
}

impl Queue {
    /// Creates a queue with one application reference. `properties` is checked.
    ///
    /// # Errors
    /// `CL_INVALID_DEVICE` if the context has no such device, `CL_OUT_OF_HOST_MEMORY`.
    pub fn new(
        context: Arc<Context>,
        device: Arc<Device>,
        properties: cl_command_queue_properties,
        property_list: Vec<cl_queue_properties>,
    ) -> ClResult<Arc<Self>> {
        let device_index = context.device_index(&device)?;
        // This thread is likely to wait for the queue later, perhaps when no memory is left.
        let _ = muxcl_lock::prepare_thread();
        let made = object::create(|head| {
            let state = QueueState {
                open: Batch::new(&device),
                pending: Vec::new(),
                usual_length: 0,
                sequence: Sequence::new(),
                barrier: None,
                epoch: Epoch::first(),
                caller_epoch: None,
            };
            let mux = device.mux().queue().sibling();
            let terminable = context.termination().is_some();
            let state = Mutex::new(Rank::Queue, state);
            let failures = Failures::new(context.clone());
            let made_on = device.info().name.clone();
            Ok(Self {
                head,
                shares_host_memory: device.info().host_unified_memory,
                failures,
                context,
                device,
                device_index,
                mux,
                terminable,
                track: Arc::new(QueueTrack::new(&made_on)),
                properties,
                property_list,
                caller_slot: CallerSlot::new(),
                state,
            })
        })?;
        if let Err(error) = made.context.has_queue(Arc::downgrade(&made) as Weak<Self>) {
            object::release::<Self>(made.handle())?;
            return Err(error);
        }
        Ok(made)
    }

    /// The context of the queue.
    #[must_use]
    pub fn context(&self) -> &Arc<Context> {
        &self.context
    }

    /// The device of the queue.
    #[must_use]
    pub fn device(&self) -> &Arc<Device> {
        &self.device
    }

    /// The device's index in the context, for [`super::memory::Mem::buffer`].
    #[must_use]
    pub fn device_index(&self) -> usize {
        self.device_index
    }

    /// The Mux queue, for waiting.
    #[must_use]
    pub fn mux(&self) -> &mux::Queue {
        &self.mux
    }

    /// True if the device shares the host's memory.
    #[must_use]
    pub fn shares_host_memory(&self) -> bool {
        self.shares_host_memory
    }

    /// `CL_QUEUE_PROPERTIES`
    #[must_use]
    pub fn properties(&self) -> cl_command_queue_properties {
        self.properties
    }

    /// `CL_QUEUE_PROPERTIES_ARRAY`
    #[must_use]
    pub fn property_list(&self) -> &[cl_queue_properties] {
        &self.property_list
    }

    /// True if commands are profiled.
    #[must_use]
    pub fn profiling(&self) -> bool {
        self.properties & sys::CL_QUEUE_PROFILING_ENABLE != 0
    }

    /// True if the queue is in-order.
    #[must_use]
    pub fn in_order(&self) -> bool {
        self.properties & sys::CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE == 0
    }

    /// # Errors
    /// `CL_CONTEXT_TERMINATED_KHR` if its context has been terminated.
    pub fn alive(&self) -> ClResult<()> {
        if self.terminable { self.context.alive() } else { Ok(()) }
    }

    /// True for the same queue.
    #[must_use]
    pub fn is(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }

    /// Enqueues a command that `record` puts into a command buffer, and waits for it if it is
    /// blocking. Returns the event's handle (with one reference) if one was requested, else NULL.
    ///
    /// # Errors
    /// `CL_OUT_OF_HOST_MEMORY` and other failures to enqueue. A blocking call also returns the
    /// failure of the command, of a command in its wait list, or of an earlier command without an
    /// event.
    pub fn enqueue(
        queue: Borrowed<'_, Self>,
        request: CommandRequest<'_>,
        record: impl FnOnce(&mut CommandBuffer) -> Result<(), MuxError>,
    ) -> ClResult<cl_event> {
        let (wants_event, blocking) = (request.wants_event, request.blocking);
        let event = if wants_event || blocking || queue.terminable {
            Some(Event::of_command(queue.keep(), request.command, wants_event || blocking)?)
        } else {
            None
        };
        let recorded = queue.record(event.as_ref(), request, record);
        let result = recorded.and_then(|()| match &event {
            Some(event) if blocking => outcome(event.wait()).and_then(|()| queue.failures.take()),
            _ => Ok(()),
        });
        return_event(event, wants_event, result)
    }

    /// Records a command with a given event.
    pub(super) fn record(
        &self,
        event: Option<&Arc<Event>>,
        request: CommandRequest<'_>,
        record: impl FnOnce(&mut CommandBuffer) -> Result<(), MuxError>,
    ) -> ClResult<()> {
        if muxcl_trace::is_on() {
            return self.record_traced(event, request, Box::new(record));
        }
        self.record_command(event, request, record)
    }

    /// Records a command between two callbacks that take its times.
    #[cold]
    fn record_traced(
        &self,
        event: Option<&Arc<Event>>,
        request: CommandRequest<'_>,
        record: Box<Record<'_>>,
    ) -> ClResult<()> {
        let command = Arc::new(TracedCommand::new(Arc::clone(&self.track), request.command));
        let (commands, traced) = (request.commands + 2, Some(Arc::clone(&command)));
        let request = CommandRequest { commands, traced, ..request };
        self.record_command(event, request, move |list: &mut CommandBuffer| {
            list.shared_callback(command.clone())?;
            record(list)?;
            command.set_kernel(list.last_kernel());
            list.shared_callback(command)?;
            Ok(())
        })
    }

    fn record_command(
        &self,
        event: Option<&Arc<Event>>,
        request: CommandRequest<'_>,
        record: impl FnOnce(&mut CommandBuffer) -> Result<(), MuxError>,
    ) -> ClResult<()> {
        if self.in_order() {
            self.record_in_order(event, request, record)
        } else {
            self.record_out_of_order(event, request, record)
        }
    }

    fn record_in_order(
        &self,
        event: Option<&Arc<Event>>,
        request: CommandRequest<'_>,
        record: impl FnOnce(&mut CommandBuffer) -> Result<(), MuxError>,
    ) -> ClResult<()> {
        let (check, waits) = self.resolve_wait_list(request.waits, request.semaphores)?;
        let mut state = self.state.lock();
        state.sequence.close(&self.caller_slot);
        let recorded = (|| {
            if !waits.is_empty() {
                let known = waits.iter().all(|wait| state.open.waits_for(wait));
                if !known && !state.open.commands.is_empty() {
                    // Commands that are pending already must not wait for this command's
                    // dependencies.
                    self.dispatch_open(&mut state, SubmitHint::Background)?;
                }
                state.open.wait_for(waits);
            }
            state.open.record(event, check, request.commands, record)?;
            state.open.traced.extend(request.traced);
            let length = state.open.commands.len();
            if request.blocking {
                self.dispatch_open(&mut state, SubmitHint::CallerWaits)
            } else if length >= LONGEST || (length >= EAGER && state.sequence.is_idle()) {
                self.dispatch_open(&mut state, SubmitHint::Background)
            } else {
                Ok(())
            }
        })();
        drop(state);
        recorded.map_err(|error| error_of(&error))
    }

    fn record_out_of_order(
        &self,
        event: Option<&Arc<Event>>,
        request: CommandRequest<'_>,
        record: impl FnOnce(&mut CommandBuffer) -> Result<(), MuxError>,
    ) -> ClResult<()> {
        let record = match self.append_to_batch(event, &request, record) {
            Ok(recorded) => return recorded,
            Err(record) => record,
        };
        let (check, waits) = self.resolve_wait_list(request.waits, request.semaphores)?;
        let mut batch = Batch::new(&self.device);
        batch.waits = waits;
        batch.record(event, check, request.commands, record).map_err(|error| error_of(&error))?;
        batch.traced.extend(request.traced);
        let mut state = self.state.lock();
        if let Some(barrier) = &state.barrier {
            if barrier.is_signalled() {
                state.barrier = None;
            } else {
                batch.waits.push(Wait { semaphore: barrier.clone(), propagate_failure: false });
            }
        }
        if request.sync == SyncRole::Barrier && self.caller_slot.close() {
            state.caller_epoch = Some(state.epoch.enter());
        }
        if request.sync != SyncRole::None {
            if request.waits.is_empty() {
                let before = self.close_epoch(&mut state);
                batch.waits.push(Wait { semaphore: before, propagate_failure: false });
            }
            if request.sync == SyncRole::Barrier {
                let signal = Semaphore::new();
                state.barrier = Some(signal.clone());
                batch.signal = Some(signal);
            }
        }
        batch.epoch = Some(state.epoch.enter());
        state.pending.push(batch);
        let dispatched = if request.blocking {
            self.dispatch_pending(&mut state, SubmitHint::CallerWaits)
        } else if state.pending.len() >= MANY {
            self.dispatch_pending(&mut state, SubmitHint::Background)
        } else {
            Ok(())
        };
        drop(state);
        dispatched.map_err(|error| error_of(&error))
    }

    /// Closes the epoch of an out-of-order queue. Returns the semaphore that signals when all
    /// commands up to here have completed.
    fn close_epoch(&self, state: &mut QueueState) -> Semaphore {
        if self.caller_slot.close_if_taken() {
            state.caller_epoch = Some(state.epoch.enter());
        }
        let (open, done) = state.epoch.close();
        state.epoch = open;
        done
    }

    /// Appends a command on an out-of-order queue to the pending batch whose last command is its
    /// only dependency. A long chain of such commands then is one batch and needs no semaphores.
    /// Returns `record` if the queue has no such batch.
    fn append_to_batch<F>(
        &self,
        event: Option<&Arc<Event>>,
        request: &CommandRequest<'_>,
        record: F,
    ) -> Result<ClResult<()>, F>
    where
        F: FnOnce(&mut CommandBuffer) -> Result<(), MuxError>,
    {
        let [before] = request.waits else { return Err(record) };
        let plain = request.sync == SyncRole::None && request.semaphores.is_empty();
        if !plain || request.blocking || !before.is_queued() {
            return Err(record);
        }
        let mut state = self.state.lock();
        let QueueState { pending, epoch, barrier, .. } = &mut *state;
        // A command behind a barrier also waits for the barrier.
        if barrier.as_ref().is_some_and(|b| !b.is_signalled()) {
            return Err(record);
        }
        let is_end = |batch: &Batch| {
            batch.ends_with(before) && batch.epoch.as_ref().is_some_and(|e| Arc::ptr_eq(e, epoch))
        };
        let Some(batch) = pending.iter_mut().rev().find(|b| is_end(b)) else { return Err(record) };
        let check: Option<DependencyCheck> = Some(before.keep());
        let mut result = batch.record(event, check, request.commands, record);
        batch.traced.extend(request.traced.clone());
        let length = batch.commands.len();
        if result.is_ok() && (length >= LONGEST || (length >= EAGER && self.mux.is_idle())) {
            result = self.dispatch_pending(&mut state, SubmitHint::Background);
        }
        drop(state);
        Ok(result.map_err(|error| error_of(&error)))
    }

    /// Splits a wait list into the check that no event of it has failed, and the semaphores of the
    /// events that the queue's own order does not cover, added to `semaphores`. Flushes the other
    /// queues that have commands of the list.
    #[inline]
    fn resolve_wait_list(
        &self,
        list: &[Borrowed<'_, Event>],
        semaphores: Vec<Semaphore>,
    ) -> ClResult<(Option<DependencyCheck>, Vec<Wait>)> {
        if list.is_empty() && semaphores.is_empty() && !self.terminable {
            return Ok((None, Vec::new()));
        }
        self.resolve_dependencies(list, semaphores)
    }

    /// [`Self::resolve_wait_list`] for a command that has dependencies or may be cut off.
    fn resolve_dependencies(
        &self,
        list: &[Borrowed<'_, Event>],
        semaphores: Vec<Semaphore>,
    ) -> ClResult<(Option<DependencyCheck>, Vec<Wait>)> {
        let mut waits = Vec::new();
        if !semaphores.is_empty() {
            waits.try_reserve(semaphores.len())?;
            let wait = |semaphore| Wait { semaphore, propagate_failure: false };
            waits.extend(semaphores.into_iter().map(wait));
        }
        // Pending or failed events. A list of one or two needs no allocation.
        let mut unsuccessful = SmallVec::<[Arc<Event>; 2]>::new();
        for event in list {
            match event.outcome() {
                Some(sys::CL_COMPLETE) => continue,
                Some(_) => {}
                None => {
                    let ours = event.is_of(self.handle());
                    if !ours {
                        event.flush(SubmitHint::Background);
                    }
                    if !(ours && self.in_order())
                        && let Some(semaphore) = event.semaphore()
                    {
                        waits.try_reserve(1)?;
                        waits.push(Wait { semaphore, propagate_failure: false });
                    }
                }
            }
            unsuccessful.try_reserve(1).map_err(|_| ClError::OUT_OF_HOST_MEMORY)?;
            unsuccessful.push(event.keep());
        }
        let check: Option<DependencyCheck> = match unsuccessful.len() {
            0 if self.terminable => Some(self.context.clone()),
            0 => None,
            // A single event also checks its context.
            1 => unsuccessful.pop().map(|event| -> DependencyCheck { event }),
            _ => Some(Arc::new(NoneFailed(unsuccessful.into_vec()))),
        };
        Ok((check, waits))
    }

    /// Dispatches the open batch of an in-order queue.
    fn dispatch_open(
        &self,
        state: &mut MutexGuard<'_, QueueState>,
        hint: SubmitHint,
    ) -> Result<(), MuxError> {
        if state.open.is_empty() {
            return Ok(());
        }
        let mut batch = std::mem::replace(&mut state.open, Batch::new(&self.device));
        // Applications often enqueue batches of similar length. Short batches may lie between them,
        // because an idle device takes the first commands of a long batch early.
        state.usual_length = batch.commands.len().max(state.usual_length / 2);
        if state.usual_length > 16 && !muxcl_os::reserve::is_low() {
            let length = state.usual_length.min(MOST_RESERVED);
            state.open.commands.reserve(length);
            let _ = state.open.events.try_reserve(batch.events.len().min(MOST_RESERVED));
        }
        let (before, done) = state.sequence.append(&self.caller_slot);
        batch.signal = Some(done);
        if let Some(semaphore) = before {
            batch.waits.push(Wait { semaphore, propagate_failure: false });
        }
        self.dispatch(batch, hint)
    }

    /// Dispatches all pending batches of an out-of-order queue. Only the last one may be left to a
    /// waiting caller.
    fn dispatch_pending(
        &self,
        state: &mut MutexGuard<'_, QueueState>,
        hint: SubmitHint,
    ) -> Result<(), MuxError> {
        let mut result = Ok(());
        let count = state.pending.len();
        for (i, batch) in std::mem::take(&mut state.pending).into_iter().enumerate() {
            let hint = if i + 1 == count { hint } else { SubmitHint::Background };
            result = self.dispatch(batch, hint).and(result);
        }
        result
    }

    fn dispatch(&self, mut batch: Batch, hint: SubmitHint) -> Result<(), MuxError> {
        if !batch.ends_with_event && !batch.commands.is_empty() {
            // The failure of commands behind the last event would otherwise be lost.
            // `Batch::record` has reserved memory for this command.
            batch.commands.shared_callback(self.failures.clone())?;
        }
        let now = if self.profiling() { self.device.mux().timestamp() } else { 0 };
        for event in &batch.events {
            event.submitted(now);
        }
        for command in &batch.traced {
            command.submitted();
        }
        batch.commands.finalise()?;
        let (events, epoch) = (batch.events, batch.epoch);
        let on_complete = (!events.is_empty() || epoch.is_some()).then(|| -> mux::CompleteFn {
            Box::new(move |result| {
                // Complete the events in any case, so that no thread waits for ever.
                let status = result.as_ref().err().map_or(sys::CL_OUT_OF_RESOURCES, status_of);
                for event in events {
                    event.complete(status);
                }
                if let Some(epoch) = epoch {
                    epoch.leave();
                }
            })
        });
        let how = mux::Dispatch {
            waits: &batch.waits,
            signals: batch.signal.as_slice(),
            fence: None,
            on_complete,
            hint,
        };
        self.mux.dispatch_once(batch.commands, how)
    }

    fn dispatch_all(
        &self,
        state: &mut MutexGuard<'_, QueueState>,
        hint: SubmitHint,
    ) -> Result<(), MuxError> {
        if self.in_order() {
            self.dispatch_open(state, hint)
        } else {
            self.dispatch_pending(state, hint)
        }
    }

    /// Dispatches all pending commands.
    ///
    /// # Errors
    /// `CL_OUT_OF_RESOURCES` and the like.
    pub fn flush(&self) -> ClResult<()> {
        let mut state = self.state.lock();
        self.dispatch_all(&mut state, SubmitHint::Background).map_err(|error| error_of(&error))
    }

    /// [`Self::flush`], if the command of `event` is still pending. With `CallerWaits` the caller
    /// waits for `event` next.
    fn flush_for(&self, event: &Event, hint: SubmitHint) {
        if !event.is_queued() {
            return;
        }
        let mut state = self.state.lock();
        // `CallerWaits` only if nothing else is pending: the caller might never run work that its
        // event does not need.
        let hint = if state.pending.len() > 1 { SubmitHint::Background } else { hint };
        if event.is_queued()
            && let Err(error) = self.dispatch_all(&mut state, hint)
        {
            tracing::error!(target: "cl::queue", "flush failed: {error}");
        }
    }

    /// `clFinish`: waits until all commands enqueued so far have completed, and executes commands
    /// meanwhile.
    ///
    /// # Errors
    /// `CL_OUT_OF_RESOURCES` and the like, also if a command without an event has failed.
    pub fn finish(&self) -> ClResult<()> {
        if let Some(termination) = self.context.termination() {
            // Wait for each event: terminating the context completes events of commands whose
            // dependencies may never complete.
            self.flush()?;
            let handle = self.handle();
            for command in termination.pending().iter().filter(|c| c.is_in(handle)) {
                command.wait_for_end();
            }
            return self.failures.take();
        }
        let done = {
            let mut state = self.state.lock();
            self.dispatch_all(&mut state, SubmitHint::CallerWaits)
                .map_err(|error| error_of(&error))?;
            if self.in_order() {
                state.sequence.end(&self.caller_slot)
            } else {
                Some(self.close_epoch(&mut state))
            }
        };
        if let Some(done) = done {
            let _ = done.wait(Some(&self.mux), None);
        }
        self.failures.take()
    }
}

/// Returns the event to the application. Drops the application's reference if it requested no event
/// or the command failed.
fn return_event(
    event: Option<Arc<Event>>,
    wanted: bool,
    result: ClResult<()>,
) -> ClResult<cl_event> {
    let Some(event) = event else { return result.map(|()| std::ptr::null_mut()) };
    if wanted && result.is_ok() {
        return Ok(event.handle());
    }
    object::release::<Event>(event.handle())?;
    result.map(|()| std::ptr::null_mut())
}

/// The result of a blocking command, by its event's final status.
fn outcome(status: cl_int) -> ClResult<()> {
    match status {
        sys::CL_COMPLETE => Ok(()),
        // CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST if the operation is blocking and the
        // execution status of any of the events in event_wait_list is a negative integer value.
        sys::CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST => {
            Err(ClError::EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)
        }
        sys::CL_MEM_OBJECT_ALLOCATION_FAILURE => Err(ClError::MEM_OBJECT_ALLOCATION_FAILURE),
        sys::CL_OUT_OF_HOST_MEMORY => Err(ClError::OUT_OF_HOST_MEMORY),
        sys::CL_CONTEXT_TERMINATED_KHR => Err(ClError::CONTEXT_TERMINATED_KHR),
        _ => Err(ClError::OUT_OF_RESOURCES),
    }
}

/// The result of an enqueue, by the error of Mux.
#[must_use]
pub fn error_of(error: &MuxError) -> ClError {
    tracing::debug!(target: "cl::queue", "{error}");
    match error {
        MuxError::OutOfMemory => ClError::MEM_OBJECT_ALLOCATION_FAILURE,
        MuxError::InvalidValue(_) => ClError::INVALID_VALUE,
        MuxError::Internal(_) => ClError::OUT_OF_HOST_MEMORY,
        _ => ClError::OUT_OF_RESOURCES,
    }
}
