//! A queue whose items run one at a time, in order, on a waiting thread or on the queue's own
//! thread. `models.rs` runs it under loom.
//!
//! Invariants: at most one [`Running`] exists for a queue. While items are ready, a thread runs
//! one, or a thread is about to call [`SerialQueue::wake`] or [`SerialQueue::help`]. An item that
//! is set aside becomes ready again at every change that it may wait for. Not here: the work itself
//! (`queue`, `execute`).

use muxcl_lock::Rank;
use muxcl_lock::sync::atomic::{AtomicBool, Ordering};
use muxcl_lock::sync::{Condvar, Mutex};
use std::collections::VecDeque;

/// The part of an item that remains after it ran.
#[derive(Debug)]
pub(crate) enum Rest<W> {
    /// The item has ended.
    Nothing,
    /// The caller asked to stop. The item can continue at once.
    Stopped(W),
    /// The item waits for a change that other items or other threads make.
    Blocked(W),
}

#[derive(Debug)]
struct SerialState<W> {
    ready: VecDeque<W>,
    /// Items that were [`Rest::Blocked`].
    blocked: Vec<W>,
    /// True if [`SerialQueue::retry`] was called after the last item began to run.
    retry_requested: bool,
    running: bool,
    /// The `wake` generation in which the queue's thread was started: a child of `fork` has no such
    /// thread.
    thread_of: Option<u32>,
    /// Ends the queue's thread at the end of a model.
    #[cfg(loom)]
    ended: bool,
}

/// Items that run one at a time.
#[derive(Debug)]
pub(crate) struct SerialQueue<W> {
    state: Mutex<SerialState<W>>,
    /// Notified when the queue's own thread has work.
    work: Condvar,
    /// True if items are ready and no thread runs one. [`Self::help`] reads this first, without
    /// the lock.
    waiting: AtomicBool,
}

/// The permission to run one item. Dropping it permits the next one.
#[derive(Debug)]
pub(crate) struct Running<'a, W> {
    queue: &'a SerialQueue<W>,
}

/// A function that runs an item. It receives the item, the permission to run it, and a function
/// that returns true when the item should stop.
pub(crate) type Run<'a, W> = &'a dyn Fn(W, Running<'_, W>, Option<&dyn Fn() -> bool>);

impl<W> Running<'_, W> {
    /// Permits the next item. `progress` is true if the items that are set aside may be able to
    /// continue.
    pub(crate) fn end(self, rest: Rest<W>, progress: bool) {
        self.queue.release(rest, progress);
        std::mem::forget(self);
    }
}

impl<W> Drop for Running<'_, W> {
    fn drop(&mut self) {
        self.queue.release(Rest::Nothing, false);
    }
}

impl<W> SerialState<W> {
    fn retry(&mut self) {
        let Self { ready, blocked, .. } = self;
        ready.extend(blocked.drain(..));
    }
}

impl<W> SerialQueue<W> {
    /// Creates a queue without items and without a thread.
    pub(crate) fn new() -> Self {
        let state = SerialState {
            ready: VecDeque::new(),
            blocked: Vec::new(),
            retry_requested: false,
            running: false,
            thread_of: None,
            #[cfg(loom)]
            ended: false,
        };
        Self {
            state: Mutex::new(Rank::Leaf, state),
            work: Condvar::new(),
            waiting: AtomicBool::new(false),
        }
    }

    fn publish(&self, state: &SerialState<W>) {
        self.waiting.store(!state.running && !state.ready.is_empty(), Ordering::Release);
    }

    /// Appends an item. Returns true if no thread runs an item; the caller then calls
    /// [`Self::wake`] or [`Self::help`]. Otherwise the running thread checks for new items when it
    /// finishes.
    pub(crate) fn push(&self, item: W) -> bool {
        let mut state = self.state.lock();
        state.ready.push_back(item);
        self.publish(&state);
        !state.running
    }

    /// Makes the items that are set aside ready again, after a change for which they may wait.
    /// Returns true if such items exist; the caller then calls [`Self::wake`].
    pub(crate) fn retry(&self) -> bool {
        let mut state = self.state.lock();
        state.retry_requested = true;
        if state.blocked.is_empty() {
            return false;
        }
        state.retry();
        self.publish(&state);
        true
    }

    /// Takes the next ready item, unless an item is running.
    pub(crate) fn take(&self) -> Option<(W, Running<'_, W>)> {
        let mut state = self.state.lock();
        if state.running {
            return None;
        }
        let item = state.ready.pop_front()?;
        state.running = true;
        state.retry_requested = false;
        self.publish(&state);
        Some((item, Running { queue: self }))
    }

    fn release(&self, rest: Rest<W>, progress: bool) {
        let mut state = self.state.lock();
        if progress {
            state.retry();
        }
        match rest {
            Rest::Nothing => {}
            Rest::Stopped(item) => state.ready.push_front(item),
            // The item may have checked its condition just before the change.
            Rest::Blocked(item) if state.retry_requested => state.ready.push_back(item),
            Rest::Blocked(item) => state.blocked.push(item),
        }
        state.running = false;
        self.publish(&state);
    }

    /// Wakes the queue's thread if items are ready and none is running. If the queue has no thread
    /// in this process `generation`, `start` starts one that calls [`Self::serve`]. Returns false
    /// if `start` fails; the items then wait for threads that call [`Self::help`].
    pub(crate) fn wake(&self, generation: u32, start: impl FnOnce() -> bool) -> bool {
        {
            let mut state = self.state.lock();
            if state.running || state.ready.is_empty() {
                return true;
            }
            if state.thread_of != Some(generation) {
                if !start() {
                    state.thread_of = None;
                    return false;
                }
                state.thread_of = Some(generation);
            }
        }
        self.work.notify_one();
        true
    }

    /// The main loop of the queue's thread: runs items for ever.
    pub(crate) fn serve(&self, run: Run<'_, W>) {
        loop {
            {
                let mut state = self.state.lock();
                while state.running || state.ready.is_empty() {
                    #[cfg(loom)]
                    if state.ended {
                        return;
                    }
                    self.work.wait(&mut state);
                }
            }
            while let Some((item, running)) = self.take() {
                run(item, running, None);
            }
        }
    }

    /// Runs items on a waiting thread, until `done` returns true, no item is ready, or another
    /// thread runs one. `wake` calls [`Self::wake`] for the items that remain.
    pub(crate) fn help(&self, done: &dyn Fn() -> bool, run: Run<'_, W>, wake: &dyn Fn() -> bool) {
        if !self.waiting.load(Ordering::Acquire) {
            return;
        }
        let mut ran = false;
        while !done() {
            let Some((item, running)) = self.take() else { break };
            run(item, running, Some(done));
            ran = true;
        }
        // Threads that found an item running went to sleep. If the queue has no thread of its own,
        // only this thread can run the items that they wait for.
        if ran && !wake() {
            while let Some((item, running)) = self.take() {
                run(item, running, None);
            }
        }
    }

    /// Ends the queue's thread, because loom requires all threads of a model to end.
    #[cfg(all(test, loom))]
    pub(crate) fn end(&self) {
        self.state.lock().ended = true;
        self.work.notify_all();
    }
}
