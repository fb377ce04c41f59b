//! Queues and the dependency engine: the target receives a dispatch when the last semaphore that
//! the dispatch waits for is signalled.

use crate::sync::Completion;
use crate::target::{Ready, TargetQueue};
use crate::{Command, CommandBuffer, Fence, MuxError, Semaphore};
use muxcl_lock::Rank;
use muxcl_lock::sync::Mutex;
use muxcl_lock::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// The next action of the thread that dispatches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SubmitHint {
    /// Unknown: a thread of the target must run the work.
    #[default]
    Background,
    /// The thread waits for the dispatch, and runs it itself.
    CallerWaits,
}

/// A semaphore to wait for.
#[derive(Debug, Clone)]
pub struct Wait {
    /// The semaphore.
    pub semaphore: Semaphore,
    /// True: a failed signal fails this dispatch too (the wait list of an event). False: the wait
    /// only orders (an in-order queue).
    pub propagate_failure: bool,
}

/// Called once when a dispatch has completed, with no lock held.
pub type CompleteFn = Box<dyn FnOnce(Result<(), MuxError>) + Send>;

/// The parameters of a dispatch. The default waits for nothing and signals nothing.
#[derive(Default)]
pub struct Dispatch<'a> {
    /// Semaphores to wait for before it starts.
    pub waits: &'a [Wait],
    /// Semaphores to signal after its completion.
    pub signals: &'a [Semaphore],
    /// The fence to signal after the semaphores.
    pub fence: Option<&'a Fence>,
    /// Called before the semaphores are signalled.
    pub on_complete: Option<CompleteFn>,
    /// The caller's next action.
    pub hint: SubmitHint,
}

impl fmt::Debug for Dispatch<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Dispatch")
            .field("waits", &self.waits.len())
            .field("signals", &self.signals.len())
            .finish_non_exhaustive()
    }
}

/// The target's queue, and the count of work in flight of one [`Queue`] object.
#[derive(Debug)]
struct QueueCore {
    target: Arc<dyn TargetQueue>,
    running: AtomicUsize,
    /// Completions of threads that wait for a count of zero. The thread that reaches zero completes
    /// and removes them.
    idle: Mutex<Vec<Arc<Completion>>>,
}

/// A queue of a device. Clones share one count of work in flight; [`Queue::sibling`] starts
/// another.
#[derive(Debug, Clone)]
pub struct Queue {
    core: Arc<QueueCore>,
}

/// One dispatch from call to completion.
pub(crate) struct InFlight {
    core: Arc<QueueCore>,
    /// Semaphores that have not been signalled, plus one while the dispatch is being set up.
    missing: AtomicUsize,
    failed: AtomicBool,
    todo: Mutex<Todo>,
}

struct Todo {
    commands: Option<Arc<Vec<Command>>>,
    signals: Vec<Semaphore>,
    fence: Option<Fence>,
    on_complete: Option<CompleteFn>,
}

impl fmt::Debug for InFlight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InFlight").field("missing", &self.missing).finish_non_exhaustive()
    }
}

impl Queue {
    pub(crate) fn new(target: Arc<dyn TargetQueue>) -> Self {
        let idle = Mutex::new(Rank::MuxQueue, Vec::new());
        Self { core: Arc::new(QueueCore { target, running: AtomicUsize::new(0), idle }) }
    }

    /// Another queue of the same device, with a separate count of work in flight.
    #[must_use]
    pub fn sibling(&self) -> Self {
        Self::new(self.core.target.clone())
    }

    /// Dispatches a finalised command buffer.
    ///
    /// # Errors
    /// `InvalidValue` if it is not finalised.
    pub fn dispatch(&self, commands: &CommandBuffer, how: Dispatch<'_>) -> Result<(), MuxError> {
        self.dispatch_once(commands.clone(), how)
    }

    /// [`Self::dispatch`] of a command buffer for a single use: the thread that has run its
    /// commands drops them.
    ///
    /// # Errors
    /// `InvalidValue` if it is not finalised.
    pub fn dispatch_once(
        &self,
        commands: CommandBuffer,
        how: Dispatch<'_>,
    ) -> Result<(), MuxError> {
        let Some(commands) = commands.into_commands() else {
            return Err(MuxError::InvalidValue("command buffer is not finalised"));
        };
        if let Some(fence) = how.fence {
            fence.arm();
        }
        let flight = Arc::new(InFlight {
            core: self.core.clone(),
            missing: AtomicUsize::new(how.waits.len() + 1),
            failed: AtomicBool::new(false),
            todo: Mutex::new(
                Rank::MuxQueue,
                Todo {
                    commands: Some(commands),
                    signals: how.signals.to_vec(),
                    fence: how.fence.cloned(),
                    on_complete: how.on_complete,
                },
            ),
        });
        self.core.running.fetch_add(1, Ordering::AcqRel);
        let mut arrived = 1;
        for wait in how.waits {
            if let Some(ok) = wait.semaphore.subscribe(&flight, wait.propagate_failure) {
                if !ok && wait.propagate_failure {
                    flight.failed.store(true, Ordering::Release);
                }
                arrived += 1;
            }
        }
        if flight.count_down(arrived) {
            flight.submit(&*self.core.target, how.hint);
        }
        Ok(())
    }

    /// Waits until everything dispatched through this queue has completed. Executes work meanwhile.
    pub fn wait_all(&self) {
        let _ = self.wait_idle(None);
    }

    /// [`Queue::wait_all`] with a time limit.
    ///
    /// # Errors
    /// `NotReady` if the time limit has passed.
    pub fn try_wait(&self, timeout: Duration) -> Result<(), MuxError> {
        self.wait_idle(Some(timeout))
    }

    /// True if no work is in flight.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.core.running.load(Ordering::Acquire) == 0
    }

    /// Runs ready work of the device on this thread; see [`TargetQueue::help`].
    pub fn help(&self, done: &dyn Fn() -> bool) {
        self.core.target.help(done);
    }

    /// Runs ready work on this thread if the target can start no thread; see
    /// [`TargetQueue::help_if_refused`].
    pub fn help_if_refused(&self) {
        self.core.target.help_if_refused();
    }

    /// True if waiting threads need not help; see [`TargetQueue::runs_without_help`].
    pub(crate) fn runs_without_help(&self) -> bool {
        self.core.target.runs_without_help()
    }

    fn wait_idle(&self, timeout: Option<Duration>) -> Result<(), MuxError> {
        if self.is_idle() {
            return Ok(());
        }
        self.core.target.help(&|| self.is_idle());
        if self.is_idle() {
            return Ok(());
        }
        let done = Arc::new(Completion::new());
        self.core.idle.lock().push(done.clone());
        if self.is_idle() {
            done.complete(0);
        }
        let result = done.wait(Some(self), timeout);
        self.core.idle.lock().retain(|d| !Arc::ptr_eq(d, &done));
        result.map(|_| ()).ok_or(MuxError::NotReady)
    }
}

/// Dispatches that have completed, with their results.
type Completed = VecDeque<(Arc<InFlight>, Result<(), MuxError>)>;

muxcl_lock::sync::thread_local! {
    /// Completions found during a completion. A loop processes them, so that a long chain of
    /// failures needs no deep stack.
    static PENDING: RefCell<Option<Completed>> = const { RefCell::new(None) };
}

impl InFlight {
    /// Records the signal of one semaphore.
    pub(crate) fn arrived(self: Arc<Self>, ok: bool) {
        if !ok {
            self.failed.store(true, Ordering::Release);
        }
        if self.count_down(1) {
            let core = self.core.clone();
            self.submit(&*core.target, SubmitHint::Background);
        }
    }

    /// Name of the device.
    pub(crate) fn device_name(&self) -> &str {
        self.core.target.device_name()
    }

    /// Subtracts `by` from the count of missing semaphores. True if none is missing any more.
    fn count_down(&self, by: usize) -> bool {
        self.missing.fetch_sub(by, Ordering::AcqRel) == by
    }

    /// Hands the commands to the target, or completes the dispatch if a dependency has failed.
    fn submit(self: Arc<Self>, target: &dyn TargetQueue, hint: SubmitHint) {
        let commands = self.todo.lock().commands.take().unwrap_or_default();
        if self.failed.load(Ordering::Acquire) {
            drop(commands);
            self.complete(Err(MuxError::DependencyFailed));
        } else {
            target.submit(Ready::new(commands, self), hint);
        }
    }

    /// Completes the dispatch: callback, semaphores, fence, count. Never re-entered on one thread.
    pub(crate) fn complete(self: Arc<Self>, result: Result<(), MuxError>) {
        let mut next = Some((self, result));
        let nested = PENDING.try_with(|p| match &mut *p.borrow_mut() {
            Some(list) => {
                list.extend(next.take());
                true
            }
            none => {
                *none = Some(VecDeque::new());
                false
            }
        });
        while let Some((flight, result)) = next {
            flight.complete_one(result);
            if nested.is_err() {
                // The thread is ending (an `atexit` handler) and its thread-local storage is gone.
                return;
            }
            let take = |p: &RefCell<Option<Completed>>| {
                let mut p = p.borrow_mut();
                let item = p.as_mut().and_then(VecDeque::pop_front);
                if item.is_none() {
                    *p = None;
                }
                item
            };
            next = PENDING.try_with(take).ok().flatten();
        }
    }

    fn complete_one(&self, result: Result<(), MuxError>) {
        let (signals, fence, on_complete) = {
            let mut todo = self.todo.lock();
            (std::mem::take(&mut todo.signals), todo.fence.take(), todo.on_complete.take())
        };
        let ok = result.is_ok();
        if let Some(f) = on_complete {
            // A panic of the layer above must not leave dispatches waiting.
            let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| f(result)));
        }
        for semaphore in &signals {
            semaphore.signal(ok);
        }
        if let Some(fence) = fence {
            fence.signal(ok);
        }
        if self.core.running.fetch_sub(1, Ordering::AcqRel) == 1 {
            let waiting = std::mem::take(&mut *self.core.idle.lock());
            for w in waiting {
                w.complete(0);
            }
        }
    }
}
