//! Events: the state of a command, its waiters and its callbacks.
//!
//! Two callback commands around a command drive its event: the first one sets it to running, the
//! second one completes it. The event itself is the [`mux::Callback`]. Batches wait for an event
//! through a semaphore, which is created when first needed.
//!
//! Invariants: the state only goes forward. Each application callback is called exactly once, on
//! the callback thread. Events hold no other events, so no chain of them can be deep. Not here:
//! when commands run (`queue`).

use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, Ordering, fence};
use std::sync::{Arc, Weak};

use muxcl_cl_sys as sys;
use muxcl_cl_sys::{cl_command_queue, cl_command_type, cl_event, cl_int};
use muxcl_lock::{Mutex, Rank};
use muxcl_mux as mux;
use muxcl_mux::sync::Completion;

use super::callbacks;
use super::context::Context;
use super::terminate::Command;
use crate::checked::UserData;
use crate::error::{ClError, ClResult};
use crate::object::{self, ClObject, HandleHeader};

/// The callback of `clSetEventCallback`.
pub type EventFn = unsafe extern "C" fn(cl_event, cl_int, *mut std::ffi::c_void);

/// The queue of an event's command.
pub trait EventQueue: std::fmt::Debug + Send + Sync {
    /// The application's handle.
    fn queue_handle(&self) -> cl_command_queue;
    /// The context of the queue.
    fn context(&self) -> &Arc<Context>;
    /// The Mux queue, for waiting.
    fn mux(&self) -> &mux::Queue;
    /// The device whose clock times commands; `None` without profiling.
    fn timed_device(&self) -> Option<&mux::Device>;
    /// Submits the command of `event` to the device if it is pending. With `CallerWaits` the caller
    /// waits for `event` next.
    fn flush_for(&self, event: &Event, hint: mux::SubmitHint);
    /// Reports the failure of a command whose status the application cannot query.
    fn report_failure(&self, error: &mux::MuxError);
}

/// `cl_event`
#[derive(Debug)]
pub struct Event {
    head: HandleHeader<Self>,
    origin: Origin,
    command: cl_command_type,
    /// `CL_QUEUED`, `CL_SUBMITTED` or `CL_RUNNING`; meaningful until `done` is complete.
    progress: AtomicI32,
    /// A part of the command runs on another queue ([`Event::part_begins`]).
    part_runs: AtomicBool,
    done: Completion,
    /// `watch` may have a semaphore or callbacks.
    watched: AtomicBool,
    /// True if the context may be terminated. A copy, because all threads write to the cache line
    /// of the context's reference count.
    terminable: bool,
    /// True if the application can query the outcome or a call returns it to the application.
    observed: bool,
    watch: Mutex<Watch>,
    times: Option<Box<Times>>,
}

/// The object that an event keeps alive. The event of a command reaches its context through the
/// queue. If it held the context itself, all threads that create or drop events would write to the
/// context's reference count.
#[derive(Debug)]
enum Origin {
    /// The queue of the command.
    Queue(Arc<dyn EventQueue>),
    /// The context of a user event.
    User(Arc<Context>),
}

/// The semaphore and the callbacks that wait for an event.
#[derive(Debug, Default)]
struct Watch {
    semaphore: Option<mux::Semaphore>,
    callbacks: Vec<Callback>,
}

/// A callback of `clSetEventCallback`.
#[derive(Debug)]
struct Callback {
    /// The status at which the callback is called.
    at: cl_int,
    notify: EventFn,
    data: UserData,
}

/// Times of a command on a profiling queue, in ns on the device's clock. Start and end are query 0
/// of `pool`.
#[derive(Debug)]
struct Times {
    queued: u64,
    submitted: AtomicU64,
    /// Time at which the first part began on another queue; `u64::MAX` without one.
    part_start: AtomicU64,
    pool: mux::QueryPool,
}

/// The times of `clGetEventProfilingInfo`, in nanoseconds of the device's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Profile {
    /// Time of the enqueue.
    pub queued: u64,
    /// Time of the submission to the device.
    pub submitted: u64,
    /// Time of the start.
    pub start: u64,
    /// Time of the end.
    pub end: u64,
    /// Time of the end of the command and of all commands that it enqueued on the device.
    pub complete: u64,
}

impl ClObject for Event {
    type Raw = sys::_cl_event;
    const TAG: u32 = u32::from_le_bytes(*b"even");
    const INVALID: ClError = ClError::INVALID_EVENT;
    // A callback gets the handle even if the application has already released it.
    const REACHABLE: bool = true;
    fn header(&self) -> &HandleHeader<Self> {
        &self.head
    }
}

/// The execution status of a command that failed with `error`.
#[must_use]
pub fn status_of(error: &mux::MuxError) -> cl_int {
    match error {
        mux::MuxError::DependencyFailed => sys::CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
        mux::MuxError::OutOfMemory => sys::CL_MEM_OBJECT_ALLOCATION_FAILURE,
        mux::MuxError::Internal(_) => sys::CL_OUT_OF_HOST_MEMORY,
        _ => sys::CL_OUT_OF_RESOURCES,
    }
}

impl Origin {
    fn context(&self) -> &Arc<Context> {
        match self {
            Self::Queue(queue) => queue.context(),
            Self::User(context) => context,
        }
    }

    fn queue(&self) -> Option<&dyn EventQueue> {
        match self {
            Self::Queue(queue) => Some(&**queue),
            Self::User(_) => None,
        }
    }
}

impl Event {
    /// Creates the event of a command that is being enqueued on `queue`, with one application
    /// reference. `observed`: the application gets the event, or the call returns its outcome.
    ///
    /// # Errors
    /// `CL_OUT_OF_HOST_MEMORY`.
    pub(super) fn of_command(
        queue: Arc<dyn EventQueue>,
        command: cl_command_type,
        observed: bool,
    ) -> ClResult<Arc<Self>> {
        let times = queue.timed_device().map(|device| {
            let pool = device.create_query_pool(1);
            let (submitted, part_start) = (AtomicU64::new(0), AtomicU64::new(u64::MAX));
            Box::new(Times { queued: device.timestamp(), submitted, part_start, pool })
        });
        let made = object::create(|head| {
            let origin = Origin::Queue(queue);
            Ok(Self::new(head, origin, command, sys::CL_QUEUED, observed, times))
        })?;
        if let Some(termination) = made.context().termination()
            && let Err(error) = termination.watch(Arc::downgrade(&made) as Weak<Self>)
        {
            object::release::<Self>(made.handle())?;
            return Err(error);
        }
        Ok(made)
    }

    /// Creates a user event with one application reference.
    ///
    /// # Errors
    /// `CL_OUT_OF_HOST_MEMORY`.
    pub fn user(context: Arc<Context>) -> ClResult<Arc<Self>> {
        object::create(|head| {
            let origin = Origin::User(context);
            Ok(Self::new(head, origin, sys::CL_COMMAND_USER, sys::CL_SUBMITTED, true, None))
        })
    }

    #[inline]
    fn new(
        head: HandleHeader<Self>,
        origin: Origin,
        command: cl_command_type,
        status: cl_int,
        observed: bool,
        times: Option<Box<Times>>,
    ) -> Self {
        let terminable = origin.context().termination().is_some();
        Self {
            head,
            terminable,
            observed,
            origin,
            command,
            progress: AtomicI32::new(status),
            part_runs: AtomicBool::new(false),
            done: Completion::new(),
            watched: AtomicBool::new(false),
            watch: Mutex::new(Rank::Event, Watch::default()),
            times,
        }
    }

    /// The context of the event.
    #[must_use]
    pub fn context(&self) -> &Arc<Context> {
        self.origin.context()
    }

    /// The queue of the command; `None` for a user event.
    #[must_use]
    pub fn queue(&self) -> Option<&dyn EventQueue> {
        self.origin.queue()
    }

    /// True for a command of the queue with this handle.
    #[must_use]
    pub fn is_of(&self, queue: cl_command_queue) -> bool {
        self.queue().is_some_and(|q| q.queue_handle() == queue)
    }

    /// `CL_EVENT_COMMAND_TYPE`
    #[must_use]
    pub fn command(&self) -> cl_command_type {
        self.command
    }

    /// `CL_EVENT_COMMAND_EXECUTION_STATUS`
    #[must_use]
    pub fn status(&self) -> cl_int {
        // Read in this order: if the event completes in between, the progress is older than the
        // outcome, never newer.
        let progress = self.progress();
        self.done.status().unwrap_or(if self.is_cut_off() {
            sys::CL_CONTEXT_TERMINATED_KHR
        } else {
            progress
        })
    }

    /// `CL_QUEUED`, `CL_SUBMITTED` or `CL_RUNNING`, whatever the outcome.
    fn progress(&self) -> cl_int {
        let progress = self.progress.load(Ordering::SeqCst);
        if self.part_runs.load(Ordering::SeqCst) { sys::CL_RUNNING } else { progress }
    }

    /// Records that a part of the command begins to run on another queue, before the command
    /// itself, which waits for all parts.
    pub(super) fn part_begins(&self) {
        if self.part_runs.swap(true, Ordering::SeqCst) {
            return;
        }
        if let (Some(times), Some(device)) =
            (&self.times, self.queue().and_then(EventQueue::timed_device))
        {
            times.part_start.store(device.timestamp(), Ordering::Release);
        }
        if self.watched.load(Ordering::SeqCst) {
            self.tell(sys::CL_RUNNING);
        }
    }

    /// True if the context of the command has been terminated.
    fn is_cut_off(&self) -> bool {
        self.terminable && self.queue().is_some() && self.context().is_terminated()
    }

    /// The final status; `None` before completion.
    #[must_use]
    pub fn outcome(&self) -> Option<cl_int> {
        self.done.status()
    }

    /// True until the command has been submitted to the device.
    #[must_use]
    pub fn is_queued(&self) -> bool {
        self.progress.load(Ordering::SeqCst) == sys::CL_QUEUED
    }

    /// Waits for completion and runs commands of the device meanwhile. Returns the final status.
    pub fn wait(&self) -> cl_int {
        self.flush(mux::SubmitHint::CallerWaits);
        self.done.wait(self.queue().map(EventQueue::mux), None).unwrap_or(sys::CL_OUT_OF_RESOURCES)
    }

    /// Submits the command to the device if it is pending. With `CallerWaits` the caller waits for
    /// this event next.
    pub fn flush(&self, hint: mux::SubmitHint) {
        if let Some(queue) = self.queue() {
            queue.flush_for(self, hint);
        }
    }

    /// A semaphore that is signalled when the event completes; `None` if it has completed.
    pub(super) fn semaphore(&self) -> Option<mux::Semaphore> {
        let mut watch = self.watch.lock();
        self.watched.store(true, Ordering::SeqCst);
        // Either `complete` sees `watched`, or the outcome is visible here.
        fence(Ordering::SeqCst);
        if self.done.is_complete() {
            return None;
        }
        Some(watch.semaphore.get_or_insert_with(mux::Semaphore::new).clone())
    }

    /// `clSetEventCallback`: `at` is `CL_SUBMITTED`, `CL_RUNNING` or `CL_COMPLETE`.
    ///
    /// # Errors
    /// `CL_OUT_OF_HOST_MEMORY`.
    pub fn on_status(&self, at: cl_int, notify: EventFn, data: UserData) -> ClResult<()> {
        let callback = Callback { at, notify, data };
        let mut watch = self.watch.lock();
        self.watched.store(true, Ordering::SeqCst);
        fence(Ordering::SeqCst);
        // Not `status`: a command of a terminated context may still run, and its callbacks are
        // called when it has ended.
        if self.outcome().unwrap_or_else(|| self.progress()) > at {
            watch.callbacks.try_reserve(1)?;
            watch.callbacks.push(callback);
            return Ok(());
        }
        drop(watch);
        self.post(&callback);
        Ok(())
    }

    /// Records that the command has been submitted.
    pub(super) fn submitted(&self, now: u64) {
        if let Some(times) = &self.times {
            times.submitted.store(now, Ordering::Release);
        }
        self.reach(sys::CL_SUBMITTED);
    }

    /// Records that the calling thread begins to run the command.
    pub(super) fn begin(&self) {
        self.reach(sys::CL_RUNNING);
    }

    fn reach(&self, progress: cl_int) {
        self.progress.store(progress, Ordering::SeqCst);
        if self.watched.load(Ordering::SeqCst) {
            self.tell(progress);
        }
    }

    /// Queues the callbacks that are due at `status`.
    #[cold]
    fn tell(&self, status: cl_int) {
        let mut due: Vec<Callback> = {
            let mut watch = self.watch.lock();
            let list = &mut watch.callbacks;
            if list.iter().all(|c| c.at >= status) {
                std::mem::take(list)
            } else {
                list.extract_if(.., |c| c.at >= status).collect()
            }
        };
        due.sort_by_key(|c| std::cmp::Reverse(c.at));
        for callback in &due {
            self.post(callback);
        }
    }

    fn post(&self, callback: &Callback) {
        // An event that exists has a live handle.
        let Ok(event) = object::borrow::<Self>(self.handle()) else { return };
        let event = event.keep();
        let &Callback { at, notify, data } = callback;
        callbacks::post(move || {
            let status = event.status();
            let status = if status < 0 { status } else { at };
            // Captures all of `UserData`, which is `Send`; the pointer in it is not.
            let data: UserData = data;
            // SAFETY: the application gave this function for this call; the event is kept until it
            // returns.
            unsafe { notify(event.handle(), status, data.0) };
        });
    }

    /// Completes with `CL_COMPLETE` or a negative status; false if it was complete before.
    pub(super) fn complete(&self, status: cl_int) -> bool {
        let status = if self.is_cut_off() { sys::CL_CONTEXT_TERMINATED_KHR } else { status };
        if !self.done.mark(status) {
            return false;
        }
        self.done.wake();
        if self.watched.load(Ordering::SeqCst) {
            let semaphore = self.watch.lock().semaphore.take();
            if let Some(semaphore) = semaphore {
                semaphore.signal(status == sys::CL_COMPLETE);
            }
            self.tell(status);
        }
        true
    }

    /// `clSetUserEventStatus`
    ///
    /// # Errors
    /// `CL_INVALID_EVENT` if it is no user event, `CL_INVALID_OPERATION` if the status was set
    /// before.
    pub fn set_user_status(&self, status: cl_int) -> ClResult<()> {
        if self.queue().is_some() {
            return Err(ClError::INVALID_EVENT);
        }
        if self.complete(status) { Ok(()) } else { Err(ClError::INVALID_OPERATION) }
    }

    /// Fails a user event at the application's last release, because its status can no longer be
    /// set.
    pub fn abandon(&self) {
        if self.queue().is_none() {
            self.complete(sys::CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
        }
    }

    /// The query pool whose query 0 times the command, on a profiling queue.
    pub(super) fn query(&self) -> Option<&mux::QueryPool> {
        self.times.as_ref().map(|t| &t.pool)
    }

    /// `clGetEventProfilingInfo`
    ///
    /// # Errors
    /// `CL_PROFILING_INFO_NOT_AVAILABLE` without profiling, before completion and for failed
    /// commands.
    pub fn profile(&self) -> ClResult<Profile> {
        let times = self.times.as_ref().ok_or(ClError::PROFILING_INFO_NOT_AVAILABLE)?;
        if self.outcome() != Some(sys::CL_COMPLETE) {
            return Err(ClError::PROFILING_INFO_NOT_AVAILABLE);
        }
        let ran = times.pool.result(0).map_err(|_| ClError::PROFILING_INFO_NOT_AVAILABLE)?;
        let part_start = times.part_start.load(Ordering::Acquire);
        let submitted = times.submitted.load(Ordering::Acquire);
        let submitted = submitted.min(part_start).max(times.queued);
        let start = ran.start.min(part_start).max(submitted);
        let end = ran.end.max(start);
        Ok(Profile { queued: times.queued, submitted, start, end, complete: ran.complete.max(end) })
    }
}

/// The event as a condition of the commands that wait for it: true if its command, which has ended,
/// succeeded.
impl mux::Condition for Event {
    fn check(&self) -> Result<(), mux::MuxError> {
        if self.terminable {
            self.context().check()?;
        }
        if self.status() >= sys::CL_COMPLETE {
            Ok(())
        } else {
            Err(mux::MuxError::DependencyFailed)
        }
    }

    fn check_early(&self) -> bool {
        !self.terminable && self.outcome() == Some(sys::CL_COMPLETE)
    }
}

impl Command for Event {
    fn is_pending(&self) -> bool {
        self.outcome().is_none()
    }

    fn is_in(&self, queue: cl_command_queue) -> bool {
        self.is_of(queue)
    }

    fn give_up(&self) {
        // A command that has begun completes the event itself.
        if self.progress.load(Ordering::SeqCst) > sys::CL_RUNNING {
            self.complete(sys::CL_CONTEXT_TERMINATED_KHR);
        }
    }

    fn wait_for_end(&self) {
        self.wait();
    }
}

/// The event as a callback command: called when its command begins and again when it has ended.
impl mux::Callback for Event {
    fn call(&self, info: &mux::CallbackInfo) {
        if self.progress.load(Ordering::SeqCst) > sys::CL_RUNNING {
            // The error of earlier commands in the batch, which have no event.
            if let (Some(error), Some(queue)) = (&info.error, self.queue()) {
                queue.report_failure(error);
            }
            self.reach(sys::CL_RUNNING);
            return;
        }
        let status = info.error.as_ref().map_or(sys::CL_COMPLETE, |error| {
            if let (false, Some(queue)) = (self.observed, self.queue()) {
                queue.report_failure(error);
            } else if *error != mux::MuxError::DependencyFailed {
                let (context, text) =
                    (self.context().clone(), format!("a command failed: {error}"));
                callbacks::post(move || context.report(&text));
            }
            status_of(error)
        });
        self.complete(status);
    }

    fn is_notification(&self) -> bool {
        // Termination gives up commands whose event says that they have not begun.
        !self.terminable
    }
}
