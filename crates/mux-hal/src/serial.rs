//! A queue of items, of which one kernel at a time runs, on waiting threads or on the queue's own
//! threads. Items of the class [`Class::Transfer`] run beside a kernel and beside each other.
//! `models.rs` runs the queue under loom.
//!
//! Invariants:
//! * At most one [`Running`] of the class [`Class::Kernel`] exists for a queue.
//! * While a kernel is ready, a thread runs an item, or a thread is about to call
//!   [`SerialQueue::wake`] or [`SerialQueue::help`]. While a transfer is ready, a thread runs a
//!   transfer, or a thread is about to make such a call.
//! * An item that is set aside becomes ready again at every change that it may wait for.
//!
//! Not here: the work itself (`queue`, `execute`).

use muxcl_lock::Rank;
use muxcl_lock::sync::atomic::{AtomicBool, Ordering};
use muxcl_lock::sync::{Condvar, Mutex};
use std::collections::VecDeque;

/// Maximum number of the queue's own threads: one runs a kernel, the other one the transfers.
const THREADS: usize = 2;
/// Number of items for which a waiting thread prefers transfers to kernels.
const TRANSFERS_FIRST: u32 = 16;

/// What an item may run beside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    /// Runs beside transfers only.
    Kernel,
    /// Contains no kernel, and runs beside everything.
    Transfer,
}

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
    kernels: VecDeque<W>,
    transfers: VecDeque<W>,
    /// Kernels that were [`Rest::Blocked`].
    blocked: Vec<W>,
    /// True if [`SerialQueue::retry`] was called after the last kernel began to run.
    retry_requested: bool,
    kernel_runs: bool,
    /// Number of transfers that run.
    transfers_run: usize,
    own: OwnThreads,
    /// Ends the queue's threads at the end of a model.
    #[cfg(loom)]
    ended: bool,
}

/// The queue's own threads.
#[derive(Debug, Default)]
struct OwnThreads {
    /// The `wake` generation in which the threads were started: a child of `fork` has no threads.
    generation: Option<u32>,
    count: usize,
    /// Number of threads that run an item.
    running: usize,
    /// Number of threads that wait for a notification, or have not noticed one yet.
    sleeping: usize,
}

/// Items, of which one kernel at a time runs.
#[derive(Debug)]
pub(crate) struct SerialQueue<W> {
    state: Mutex<SerialState<W>>,
    /// Notified when the queue's own threads have work.
    work: Condvar,
    /// True if an item can be taken. [`Self::help`] reads this first, without the lock.
    waiting: AtomicBool,
}

/// The permission to run one item. Dropping it ends the item.
#[derive(Debug)]
pub(crate) struct Running<'a, W> {
    queue: &'a SerialQueue<W>,
    class: Class,
    /// True on a thread of the queue.
    own: bool,
}

/// A function that runs an item. It receives the item, the permission to run it, and a function
/// that returns true when the item should stop.
pub(crate) type Run<'a, W> = &'a dyn Fn(W, Running<'_, W>, Option<&dyn Fn() -> bool>);

/// An item with the permission to run it.
struct Taken<'a, W> {
    item: W,
    running: Running<'a, W>,
    /// True if the thread must call [`SerialQueue::wake`], because a transfer is ready and no
    /// transfer runs.
    wake: bool,
}

impl<W> Running<'_, W> {
    /// Ends the item. `progress` is true if the items that are set aside may be able to continue.
    pub(crate) fn end(self, rest: Rest<W>, progress: bool) {
        self.queue.release(&self, rest, progress);
        std::mem::forget(self);
    }
}

impl<W> Drop for Running<'_, W> {
    fn drop(&mut self) {
        self.queue.release(self, Rest::Nothing, false);
    }
}

impl<W> SerialState<W> {
    fn retry(&mut self) {
        let Self { kernels, blocked, .. } = self;
        kernels.extend(blocked.drain(..));
    }

    /// Class of the item that a thread takes next. `first` is taken before the other class.
    fn next(&self, first: Class) -> Option<Class> {
        let kernel = !self.kernel_runs && !self.kernels.is_empty();
        let transfer = !self.transfers.is_empty();
        match first {
            Class::Kernel if kernel => Some(Class::Kernel),
            _ if transfer => Some(Class::Transfer),
            _ => kernel.then_some(Class::Kernel),
        }
    }

    fn has_work(&self) -> bool {
        self.next(Class::Kernel).is_some()
    }
}

impl<W> SerialQueue<W> {
    /// Creates a queue without items and without threads.
    pub(crate) fn new() -> Self {
        let state = SerialState {
            kernels: VecDeque::new(),
            transfers: VecDeque::new(),
            blocked: Vec::new(),
            retry_requested: false,
            kernel_runs: false,
            transfers_run: 0,
            own: OwnThreads::default(),
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
        self.waiting.store(state.has_work(), Ordering::Release);
    }

    /// Appends an item. Returns true if the caller must call [`Self::wake`] or [`Self::help`].
    /// Otherwise a running thread checks for new items when it finishes.
    pub(crate) fn push(&self, item: W, class: Class) -> bool {
        let mut guard = self.state.lock();
        let state = &mut *guard;
        let list = match class {
            Class::Kernel => &mut state.kernels,
            Class::Transfer => &mut state.transfers,
        };
        list.push_back(item);
        self.publish(state);
        state.transfers_run == 0 && (class == Class::Transfer || !state.kernel_runs)
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

    /// Takes the next item that may run. A thread of the queue says that it is its `own`.
    #[inline]
    fn take(&self, first: Class, own: bool) -> Option<Taken<'_, W>> {
        let mut guard = self.state.lock();
        let state = &mut *guard;
        let class = state.next(first)?;
        let list = match class {
            Class::Kernel => {
                state.kernel_runs = true;
                state.retry_requested = false;
                &mut state.kernels
            }
            Class::Transfer => {
                state.transfers_run += 1;
                &mut state.transfers
            }
        };
        let item = list.pop_front()?;
        state.own.running += usize::from(own);
        let wake = state.transfers_run == 0 && !state.transfers.is_empty();
        self.publish(state);
        Some(Taken { item, running: Running { queue: self, class, own }, wake })
    }

    /// Takes the next item that may run, kernels first.
    #[cfg(all(test, loom))]
    pub(crate) fn take_one(&self) -> Option<(W, Running<'_, W>)> {
        self.take(Class::Kernel, false).map(|taken| (taken.item, taken.running))
    }

    fn release(&self, running: &Running<'_, W>, rest: Rest<W>, progress: bool) {
        let mut state = self.state.lock();
        if progress {
            state.retry();
        }
        match (rest, running.class) {
            (Rest::Nothing, _) => {}
            (Rest::Stopped(item), Class::Kernel) => state.kernels.push_front(item),
            (Rest::Stopped(item) | Rest::Blocked(item), Class::Transfer) => {
                state.transfers.push_front(item);
            }
            // The item may have checked its condition just before the change.
            (Rest::Blocked(item), _) if state.retry_requested => state.kernels.push_back(item),
            (Rest::Blocked(item), _) => state.blocked.push(item),
        }
        match running.class {
            Class::Kernel => state.kernel_runs = false,
            Class::Transfer => state.transfers_run -= 1,
        }
        state.own.running -= usize::from(running.own);
        self.publish(&state);
    }

    /// Has the queue's threads run the items that may run. If all threads of the queue in this
    /// process `generation` run items, `start` starts another one that calls [`Self::serve`].
    /// Returns false if `start` fails; the items then wait for threads that call [`Self::help`], or
    /// for the end of a running item.
    pub(crate) fn wake(&self, generation: u32, start: impl FnOnce() -> bool) -> bool {
        {
            let mut state = self.state.lock();
            if !state.has_work() {
                return true;
            }
            let own = &mut state.own;
            if own.generation != Some(generation) {
                *own = OwnThreads { generation: Some(generation), ..OwnThreads::default() };
            }
            if own.count > own.running + own.sleeping {
                // A thread of the queue takes an item before it sleeps.
                return true;
            }
            if own.sleeping == 0 {
                if own.count == THREADS {
                    return true;
                }
                if !start() {
                    return false;
                }
                own.count += 1;
                return true;
            }
        }
        self.work.notify_one();
        true
    }

    /// The main loop of a thread of the queue: runs items for ever. `wake` calls [`Self::wake`].
    pub(crate) fn serve(&self, run: Run<'_, W>, wake: &dyn Fn() -> bool) {
        loop {
            {
                let mut state = self.state.lock();
                state.own.sleeping += 1;
                while !state.has_work() {
                    #[cfg(loom)]
                    if state.ended {
                        return;
                    }
                    self.work.wait(&mut state);
                }
                state.own.sleeping -= 1;
            }
            while let Some(taken) = self.take(Class::Kernel, true) {
                if taken.wake {
                    wake();
                }
                run(taken.item, taken.running, None);
            }
        }
    }

    /// Runs items on a waiting thread, until `done` returns true or no item may run. `wake` calls
    /// [`Self::wake`] for the items that remain.
    pub(crate) fn help(&self, done: &dyn Fn() -> bool, run: Run<'_, W>, wake: &dyn Fn() -> bool) {
        if !self.waiting.load(Ordering::Acquire) {
            return;
        }
        let mut ran = 0;
        while !done() {
            // The thread may wait for a transfer, and should not run another thread's kernel first.
            // Nor should its own kernel wait for ever while other threads add transfers.
            let first = if ran < TRANSFERS_FIRST { Class::Transfer } else { Class::Kernel };
            let Some(taken) = self.take(first, false) else { break };
            if taken.wake {
                wake();
            }
            run(taken.item, taken.running, Some(done));
            ran += 1;
        }
        // Threads that found an item running went to sleep. If the queue has no thread of its own,
        // only this thread can run the items that they wait for.
        if ran != 0 && self.waiting.load(Ordering::Acquire) && !wake() {
            while let Some(taken) = self.take(Class::Kernel, false) {
                run(taken.item, taken.running, None);
            }
        }
    }

    /// Ends the queue's threads, because loom requires all threads of a model to end.
    #[cfg(all(test, loom))]
    pub(crate) fn end(&self) {
        self.state.lock().ended = true;
        self.work.notify_all();
    }
}
