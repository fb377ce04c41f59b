//! Command queues: batching of commands into Mux command buffers, their order, and flush, finish
//! and wait.
//!
//! An in-order queue records into one pending command buffer (a batch) and chains batches with
//! semaphores. Of the five cases of the mapping document: no wait list, or one of commands of this
//! queue (cases 1 and 3), goes on recording, since the order is kept anyway; events from elsewhere
//! (4, 5) start a new batch that waits for their semaphores, after the pending one has been
//! dispatched; case 2 cannot occur without user-level command buffers. An out-of-order queue makes
//! a batch of each command, but one that waits for nothing but the last command of a pending batch
//! joins that batch. Failure is not a matter of the batch: semaphores only order, and a command
//! with a wait list stands behind a guard command that looks at the events' outcomes.
//!
//! Invariants: one lock, held for the length of a record or a dispatch; nothing is waited for,
//! dropped or called back under it; a command that waits for another queue's pending command
//! flushes that queue, so no order of calls can deadlock. Not here: what a command is
//! (`api::enqueue*`), how events change (`event`).

use std::sync::Arc;

use muxcl_cl_sys as sys;
use muxcl_cl_sys::{
    cl_command_queue_properties, cl_command_type, cl_event, cl_int, cl_queue_properties,
};
use muxcl_lock::{Mutex, MutexGuard, Rank};
use muxcl_mux as mux;
use muxcl_mux::{CommandBuffer, MuxError, Semaphore, SubmitHint, Wait};

mod caller_runs;

pub use caller_runs::CallerRuns;

use super::context::Context;
use super::device::Device;
use super::epoch::Epoch;
use super::event::{Event, status_of};
use crate::error::{ClError, ClResult};
use crate::object::{self, Borrowed, ClObject, Head};

/// An in-order batch this long is dispatched without being asked as soon as the device has nothing
/// of this queue to do.
const EAGER: usize = 64;
/// A batch is dispatched at this length in any case, to bound the memory pending commands take.
const LONGEST: usize = 8192;
/// As many single commands may be pending on an out-of-order queue.
const MANY: usize = 32;

/// `cl_command_queue`
#[derive(Debug)]
pub struct Queue {
    head: Head<Self>,
    context: Arc<Context>,
    device: Arc<Device>,
    /// The device's place in the context.
    device_index: usize,
    mux: mux::Queue,
    /// The context may be terminated: then every command has an event, and a guard that looks
    /// whether that has been done.
    terminable: bool,
    properties: cl_command_queue_properties,
    /// `CL_QUEUE_PROPERTIES_ARRAY`: as given, with the final zero; empty if none were given.
    property_list: Vec<cl_queue_properties>,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// In order: the batch being recorded. Out of order: always empty.
    open: Batch,
    /// Out of order: batches of one command each.
    single: Vec<Batch>,
    /// In order: signalled when the batch dispatched last has completed.
    last: Option<Semaphore>,
    /// Out of order: a barrier everything behind it waits for.
    barrier: Option<Semaphore>,
    /// Out of order: the commands enqueued since the last one was closed.
    epoch: Arc<Epoch>,
}

#[derive(Debug)]
struct Batch {
    commands: CommandBuffer,
    events: Vec<Arc<Event>>,
    waits: Vec<Wait>,
    signal: Option<Semaphore>,
    epoch: Option<Arc<Epoch>>,
    /// The last command recorded has the last event.
    ends_with_event: bool,
}

/// A command as the object model sees it.
#[derive(Debug)]
pub struct Request<'a> {
    /// `CL_COMMAND_*`
    pub command: cl_command_type,
    /// The wait list, checked.
    pub waits: &'a [Borrowed<'a, Event>],
    /// The application wants an event.
    pub wants_event: bool,
    /// The call returns after the command has completed.
    pub blocking: bool,
    /// Mux commands that will be recorded for it.
    pub commands: usize,
    /// What it means for the order on an out-of-order queue.
    pub order: Order,
}

/// How a command is ordered on an out-of-order queue. In-order queues need none of this.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// After its wait list and the last barrier.
    Free,
    /// After its wait list or, without one, everything before it.
    Marker,
    /// As a marker, and everything behind it waits for it.
    Barrier,
}

/// What the guard command of a wait list asks: one event, which is a condition itself, or several;
/// without any, the context, if it may be terminated.
type Guard = Arc<dyn mux::Condition>;

/// Several events of a wait list: none of them has failed.
struct NoneFailed(Vec<Arc<Event>>);

impl mux::Condition for NoneFailed {
    fn check(&self) -> Result<(), MuxError> {
        self.0.iter().try_for_each(|event| event.check())
    }
}

impl ClObject for Queue {
    type Raw = sys::_cl_command_queue;
    const TAG: u32 = u32::from_le_bytes(*b"queu");
    const INVALID: ClError = ClError::INVALID_COMMAND_QUEUE;
    const REACHABLE: bool = true;
    fn head(&self) -> &Head<Self> {
        &self.head
    }
}

impl Batch {
    fn new(device: &Device) -> Self {
        Self {
            commands: device.mux().create_command_buffer(),
            events: Vec::new(),
            waits: Vec::new(),
            signal: None,
            epoch: None,
            ends_with_event: false,
        }
    }

    fn is_empty(&self) -> bool {
        self.commands.is_empty() && self.waits.is_empty()
    }

    /// Records a command between the callbacks of its event and behind the guard of its wait list.
    /// On an error nothing is left.
    fn record(
        &mut self,
        event: Option<&Arc<Event>>,
        guard: Option<Guard>,
        commands: usize,
        body: impl FnOnce(&mut CommandBuffer) -> Result<(), MuxError>,
    ) -> Result<(), MuxError> {
        let start = self.commands.len();
        let list = &mut self.commands;
        let whole = || {
            let pool = event.and_then(|e| e.query());
            if let Some(event) = event {
                self.events.try_reserve(1).map_err(|_| MuxError::OutOfMemory)?;
                list.shared_callback(event.clone())?;
            }
            if let Some(guard) = guard {
                list.guard(guard, commands + if pool.is_some() { 2 } else { 0 })?;
            }
            if let Some(pool) = pool {
                list.begin_query(pool, 0)?;
            }
            let before = list.len();
            body(list)?;
            debug_assert_eq!(list.len() - before, commands, "a guard must know how much to skip");
            if let Some(pool) = pool {
                list.end_query(pool, 0)?;
            }
            if let Some(event) = event {
                list.shared_callback(event.clone())?;
                self.events.push(event.clone());
            }
            Ok(())
        };
        let result = whole();
        match result {
            Ok(()) => self.ends_with_event = event.is_some(),
            Err(_) => self.commands.truncate(start)?,
        }
        result
    }
}

impl Queue {
    /// A queue with one application reference. `properties` is checked.
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
        let made = object::create(|head| {
            let state = State {
                open: Batch::new(&device),
                single: Vec::new(),
                last: None,
                barrier: None,
                epoch: Epoch::first(),
            };
            let mux = device.mux().queue().sibling();
            let terminable = context.termination().is_some();
            let state = Mutex::new(Rank::Queue, state);
            Ok(Self {
                head,
                context,
                device,
                device_index,
                mux,
                terminable,
                properties,
                property_list,
                state,
            })
        })?;
        if let Err(error) = made.context.has_queue(&made) {
            object::release::<Self>(made.handle())?;
            return Err(error);
        }
        Ok(made)
    }

    /// Its context.
    #[must_use]
    pub fn context(&self) -> &Arc<Context> {
        &self.context
    }

    /// Its device.
    #[must_use]
    pub fn device(&self) -> &Arc<Device> {
        &self.device
    }

    /// The device's place in the context, for [`super::memory::Mem::buffer`].
    #[must_use]
    pub fn device_index(&self) -> usize {
        self.device_index
    }

    /// The Mux queue, for waiting.
    #[must_use]
    pub fn mux(&self) -> &mux::Queue {
        &self.mux
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

    /// Its commands are timed.
    #[must_use]
    pub fn profiling(&self) -> bool {
        self.properties & sys::CL_QUEUE_PROFILING_ENABLE != 0
    }

    /// Its commands run in the order they were enqueued.
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
    /// blocking. The event's handle (with one reference) if it was asked for, else NULL.
    ///
    /// # Errors
    /// `CL_OUT_OF_HOST_MEMORY` and the like; for blocking commands also that the command, or one it
    /// waits for, failed.
    pub fn enqueue(
        queue: Borrowed<'_, Self>,
        request: &Request<'_>,
        record: impl FnOnce(&mut CommandBuffer) -> Result<(), MuxError>,
    ) -> ClResult<cl_event> {
        match Self::join_chain(queue, request, record) {
            Ok(done) => done,
            Err(record) => Self::enqueue_behind(queue, request, Vec::new(), record),
        }
    }

    /// [`Self::enqueue`] for a command that waits for `semaphores` beside its wait list.
    ///
    /// # Errors
    /// As [`Self::enqueue`].
    pub fn enqueue_behind(
        queue: Borrowed<'_, Self>,
        request: &Request<'_>,
        semaphores: Vec<Semaphore>,
        record: impl FnOnce(&mut CommandBuffer) -> Result<(), MuxError>,
    ) -> ClResult<cl_event> {
        let (guard, mut waits) = queue.look_at(request.waits)?;
        waits.try_reserve(semaphores.len())?;
        waits.extend(
            semaphores.into_iter().map(|semaphore| Wait { semaphore, propagate_failure: false }),
        );
        let event = if request.wants_event || request.blocking || queue.terminable {
            Some(Event::of_command(queue.keep(), request.command)?)
        } else {
            None
        };
        let hint = request.blocking.then_some(SubmitHint::CallerWaits);
        let recorded = if queue.in_order() {
            queue.record_in_order(event.as_ref(), guard, waits, request.commands, hint, record)
        } else {
            queue.record_single(event.as_ref(), guard, waits, request, hint, record)
        };
        let result = recorded.map_err(|error| error_of(&error)).and_then(|()| match &event {
            Some(event) if request.blocking => outcome(event.wait()),
            _ => Ok(()),
        });
        return_event(event, request.wants_event, result)
    }

    /// Enqueues a command behind the pending one that is all it waits for, on an out-of-order
    /// queue: a long chain of them is then one batch, not a batch and a semaphore for each. Gives
    /// `record` back if it is no such command.
    fn join_chain<F>(
        queue: Borrowed<'_, Self>,
        request: &Request<'_>,
        record: F,
    ) -> Result<ClResult<cl_event>, F>
    where
        F: FnOnce(&mut CommandBuffer) -> Result<(), MuxError>,
    {
        let [before] = request.waits else { return Err(record) };
        if queue.in_order()
            || request.blocking
            || request.order != Order::Free
            || !before.is_queued()
        {
            return Err(record);
        }
        let mut state = queue.state.lock();
        let State { single, epoch, barrier, .. } = &mut *state;
        let is_end = |batch: &Batch| {
            batch.ends_with_event
                && batch
                    .events
                    .last()
                    .is_some_and(|e| std::ptr::eq(&raw const **e, &raw const **before))
                && batch.epoch.as_ref().is_some_and(|e| Arc::ptr_eq(e, epoch))
        };
        // What is enqueued behind a barrier waits for that too.
        if barrier.as_ref().is_some_and(|b| !b.is_signalled()) {
            return Err(record);
        }
        let Some(batch) = single.iter_mut().rev().find(|b| is_end(b)) else { return Err(record) };
        let wants = request.wants_event || queue.terminable;
        let event = if wants {
            Event::of_command(queue.keep(), request.command).map(Some)
        } else {
            Ok(None)
        };
        let recorded = event.map(|event| {
            let guard: Option<Guard> = Some(before.keep());
            let result = batch
                .record(event.as_ref(), guard, request.commands, record)
                .map_err(|e| error_of(&e));
            let length = batch.commands.len();
            (event, length, result)
        });
        let (event, length, mut result) = match recorded {
            Ok(recorded) => recorded,
            Err(error) => return Ok(Err(error)),
        };
        if result.is_ok() && (length >= LONGEST || (length >= EAGER && queue.mux.is_idle())) {
            result = queue
                .dispatch_singles(&mut state, SubmitHint::Background)
                .map_err(|error| error_of(&error));
        }
        drop(state);
        Ok(return_event(event, request.wants_event, result))
    }

    /// Splits a wait list: what a guard must look at, and the semaphores of events the queue's own
    /// order does not cover. Other queues' commands among them are flushed.
    fn look_at(&self, list: &[Borrowed<'_, Event>]) -> ClResult<(Option<Guard>, Vec<Wait>)> {
        // Events look at their context, too.
        let context = || self.terminable.then(|| -> Guard { self.context.clone() });
        if list.is_empty() {
            return Ok((context(), Vec::new()));
        }
        let mut one = None;
        let mut others = Vec::new();
        let mut waits = Vec::new();
        for event in list {
            match event.outcome() {
                Some(sys::CL_COMPLETE) => continue,
                Some(_) => {}
                None => {
                    let ours = event.queue().is_some_and(|q| q.is(self));
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
            match one {
                None => one = Some(event.keep()),
                Some(_) => {
                    others.try_reserve(1)?;
                    others.push(event.keep());
                }
            }
        }
        let guard = one.map(|one| -> Guard {
            if others.is_empty() {
                return one;
            }
            others.push(one);
            Arc::new(NoneFailed(others))
        });
        let guard = guard.or_else(context);
        Ok((guard, waits))
    }

    fn record_in_order(
        &self,
        event: Option<&Arc<Event>>,
        guard: Option<Guard>,
        waits: Vec<Wait>,
        commands: usize,
        dispatch: Option<SubmitHint>,
        body: impl FnOnce(&mut CommandBuffer) -> Result<(), MuxError>,
    ) -> Result<(), MuxError> {
        let mut state = self.state.lock();
        if !waits.is_empty() {
            let known =
                |w: &Wait| state.open.waits.iter().any(|have| have.semaphore.is_same(&w.semaphore));
            if !state.open.commands.is_empty() && !waits.iter().all(known) {
                // What is pending must not wait for what this command waits for.
                self.dispatch_open(&mut state, SubmitHint::Background)?;
            }
            let fresh: Vec<_> = waits
                .into_iter()
                .filter(|w| {
                    !state.open.waits.iter().any(|have| have.semaphore.is_same(&w.semaphore))
                })
                .collect();
            state.open.waits.extend(fresh);
        }
        state.open.record(event, guard, commands, body)?;
        let length = state.open.commands.len();
        if let Some(hint) = dispatch {
            self.dispatch_open(&mut state, hint)
        } else if length >= LONGEST || (length >= EAGER && idle(&state)) {
            self.dispatch_open(&mut state, SubmitHint::Background)
        } else {
            Ok(())
        }
    }

    fn record_single(
        &self,
        event: Option<&Arc<Event>>,
        guard: Option<Guard>,
        waits: Vec<Wait>,
        request: &Request<'_>,
        dispatch: Option<SubmitHint>,
        body: impl FnOnce(&mut CommandBuffer) -> Result<(), MuxError>,
    ) -> Result<(), MuxError> {
        let mut batch = Batch::new(&self.device);
        batch.waits = waits;
        batch.record(event, guard, request.commands, body)?;
        let mut state = self.state.lock();
        if let Some(barrier) = &state.barrier {
            if barrier.is_signalled() {
                state.barrier = None;
            } else {
                batch.waits.push(Wait { semaphore: barrier.clone(), propagate_failure: false });
            }
        }
        if request.order != Order::Free {
            if request.waits.is_empty() {
                let (open, before) = state.epoch.close();
                state.epoch = open;
                batch.waits.push(Wait { semaphore: before, propagate_failure: false });
            }
            if request.order == Order::Barrier {
                let signal = Semaphore::new();
                state.barrier = Some(signal.clone());
                batch.signal = Some(signal);
            }
        }
        batch.epoch = Some(state.epoch.enter());
        state.single.push(batch);
        if let Some(hint) = dispatch {
            self.dispatch_singles(&mut state, hint)
        } else if state.single.len() >= MANY {
            self.dispatch_singles(&mut state, SubmitHint::Background)
        } else {
            Ok(())
        }
    }

    /// Hands the pending batch of an in-order queue to the device.
    fn dispatch_open(
        &self,
        state: &mut MutexGuard<'_, State>,
        hint: SubmitHint,
    ) -> Result<(), MuxError> {
        if state.open.is_empty() {
            return Ok(());
        }
        let mut batch = std::mem::replace(&mut state.open, Batch::new(&self.device));
        if batch.commands.len() > 16 {
            // The next one is likely to be as long.
            state.open.commands.reserve(batch.commands.len().min(EAGER * 4));
        }
        if let Some(last) = &state.last
            && !last.is_signalled()
        {
            batch.waits.push(Wait { semaphore: last.clone(), propagate_failure: false });
        }
        let done = Semaphore::new();
        batch.signal = Some(done.clone());
        state.last = Some(done);
        self.dispatch(batch, hint)
    }

    /// Hands all pending commands of an out-of-order queue to the device; only the last may be left
    /// to a waiting caller.
    fn dispatch_singles(
        &self,
        state: &mut MutexGuard<'_, State>,
        hint: SubmitHint,
    ) -> Result<(), MuxError> {
        let mut result = Ok(());
        let count = state.single.len();
        for (i, batch) in std::mem::take(&mut state.single).into_iter().enumerate() {
            let hint = if i + 1 == count { hint } else { SubmitHint::Background };
            result = self.dispatch(batch, hint).and(result);
        }
        result
    }

    fn dispatch(&self, mut batch: Batch, hint: SubmitHint) -> Result<(), MuxError> {
        let now = if self.profiling() { self.device.mux().timestamp() } else { 0 };
        for event in &batch.events {
            event.submitted(now);
        }
        batch.commands.finalise()?;
        let (events, epoch) = (batch.events, batch.epoch);
        let on_complete = (!events.is_empty() || epoch.is_some()).then(|| -> mux::CompleteFn {
            Box::new(move |result| {
                // Whatever happened to the batch, nobody waits for ever.
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
        state: &mut MutexGuard<'_, State>,
        hint: SubmitHint,
    ) -> Result<(), MuxError> {
        if self.in_order() {
            self.dispatch_open(state, hint)
        } else {
            self.dispatch_singles(state, hint)
        }
    }

    /// Hands everything pending to the device.
    ///
    /// # Errors
    /// `CL_OUT_OF_RESOURCES` and the like.
    pub fn flush(&self) -> ClResult<()> {
        let mut state = self.state.lock();
        self.dispatch_all(&mut state, SubmitHint::Background).map_err(|error| error_of(&error))
    }

    /// [`Self::flush`], if the command of `event` is still pending. With `CallerWaits` the caller
    /// waits for `event` next.
    pub(super) fn flush_for(&self, event: &Event, hint: SubmitHint) {
        if !event.is_queued() {
            return;
        }
        let mut state = self.state.lock();
        // Only if it is pending still, and nothing else is: work left to a caller that waits for
        // something else might never be run.
        let hint = if state.single.len() > 1 { SubmitHint::Background } else { hint };
        if event.is_queued()
            && let Err(error) = self.dispatch_all(&mut state, hint)
        {
            tracing::error!(target: "cl::queue", "flush failed: {error}");
        }
    }

    /// Waits until everything enqueued so far has completed, executing meanwhile.
    ///
    /// # Errors
    /// `CL_OUT_OF_RESOURCES` and the like.
    pub fn finish(&self) -> ClResult<()> {
        if let Some(termination) = self.context.termination() {
            // Each event: the end of the context completes those of commands that wait for what may
            // never happen.
            self.flush()?;
            for event in
                termination.pending().iter().filter(|e| e.queue().is_some_and(|q| q.is(self)))
            {
                event.wait();
            }
            return Ok(());
        }
        let done = {
            let mut state = self.state.lock();
            self.dispatch_all(&mut state, SubmitHint::CallerWaits)
                .map_err(|error| error_of(&error))?;
            if self.in_order() {
                state.last.clone()
            } else {
                let (open, before) = state.epoch.close();
                state.epoch = open;
                Some(before)
            }
        };
        if let Some(done) = done {
            let _ = done.wait(Some(&self.mux), None);
        }
        Ok(())
    }
}

/// Nothing this in-order queue has dispatched is under way.
fn idle(state: &State) -> bool {
    state.last.as_ref().is_none_or(Semaphore::is_signalled)
}

/// Gives the application its event, or takes its reference away if it did not ask for one or the
/// command failed.
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

/// What a blocking command returns for its event's final status.
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

/// What an enqueue returns for an error of Mux.
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
