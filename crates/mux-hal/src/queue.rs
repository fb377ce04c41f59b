//! Ready command buffers of a HAL device. They run one after another in the order in which they
//! became ready, on a waiting thread or on the device's own thread. A command buffer that waits for
//! kernels of others (`crate::enqueue`) is set aside until other kernels have run.
//!
//! Invariants: one command buffer runs at a time. The device's thread is started only for work that
//! no thread waits for, and sleeps while it has no work. A thread that stops running commands
//! passes the remaining work to another thread.

use crate::connection::DeviceConnection;
use crate::enqueue::Enqueues;
use crate::execute::{LaunchLimits, Rest, Runner, Work};
use muxcl_lock::{Condvar, Mutex, Rank};
use muxcl_mux::SubmitHint;
use muxcl_mux::target::{Ready, TargetQueue};
use std::cell::Cell;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Stack size in bytes. A HAL may run kernels on the calling thread.
const STACK: usize = 16 << 20;

#[derive(Debug, Default)]
struct QueueState {
    ready: VecDeque<Work>,
    /// Command buffers set aside because they wait for events of other kernels.
    aside: Vec<Work>,
    /// Set if a retry of the set-aside command buffers was requested while one was running.
    called: bool,
    running: bool,
    /// Process generation (see fork) in which the thread was started.
    thread_of: Option<u32>,
}

#[derive(Debug)]
struct QueueShared {
    connection: Arc<DeviceConnection>,
    enqueues: Arc<Enqueues>,
    limits: LaunchLimits,
    state: Mutex<QueueState>,
    wake: Condvar,
    /// True if work is queued and no thread runs it. `help` reads this first, without the lock.
    waiting: AtomicBool,
}

/// The queue of ready command buffers of a HAL device.
#[derive(Debug)]
pub(crate) struct HalQueue {
    shared: Arc<QueueShared>,
}

impl QueueShared {
    fn publish(&self, state: &QueueState) {
        self.waiting.store(!state.running && !state.ready.is_empty(), Ordering::Release);
    }

    /// Takes the next command buffer unless one is running.
    fn take(&self) -> Option<Work> {
        let mut state = self.state.lock();
        if state.running {
            return None;
        }
        let work = state.ready.pop_front()?;
        state.running = true;
        state.called = false;
        self.publish(&state);
        Some(work)
    }

    /// Runs a command buffer. A remainder after `stop` goes to the front of the queue.
    fn run(&self, work: Work, stop: Option<&dyn Fn() -> bool>) {
        let runner = Runner {
            connection: &self.connection,
            enqueues: &self.enqueues,
            limits: &self.limits,
            progress: Cell::new(false),
        };
        let released = Cell::new(false);
        let last_has_run = || {
            released.set(true);
            self.release(Rest::Nothing, runner.progress.get());
        };
        let outcome = catch_unwind(AssertUnwindSafe(|| runner.run(work, stop, &last_has_run)));
        if outcome.is_err() {
            // The command buffer was dropped while it ran, which notified its waiters.
            tracing::error!(target: "hal", "internal error: panic while a command ran");
        }
        if !released.get() {
            self.release(outcome.unwrap_or(Rest::Nothing), runner.progress.get());
        }
    }

    /// Frees the device for the next command buffer. `progress`: retry the ones set aside.
    fn release(&self, left: Rest, progress: bool) {
        let mut state = self.state.lock();
        if progress {
            state.look_again();
        }
        match left {
            Rest::Nothing => {}
            Rest::Stopped(work) => state.ready.push_front(work),
            // A waiting thread may have checked just before this change.
            Rest::Blocked(work) if state.called => state.ready.push_back(work),
            Rest::Blocked(work) => state.aside.push(work),
        }
        state.running = false;
        self.publish(&state);
    }
}

impl QueueState {
    fn look_again(&mut self) {
        let Self { ready, aside, .. } = self;
        ready.extend(aside.drain(..));
    }
}

impl HalQueue {
    pub(crate) fn new(
        connection: Arc<DeviceConnection>,
        enqueues: Arc<Enqueues>,
        limits: LaunchLimits,
    ) -> Self {
        let shared = QueueShared {
            connection,
            enqueues,
            limits,
            state: Mutex::new(Rank::Leaf, QueueState::default()),
            wake: Condvar::new(),
            waiting: AtomicBool::new(false),
        };
        Self { shared: Arc::new(shared) }
    }

    /// Retries the set-aside command buffers, because an event they wait for may be gone.
    pub(crate) fn look_again(&self) {
        {
            let mut state = self.shared.state.lock();
            state.called = true;
            if state.aside.is_empty() {
                return;
            }
            state.look_again();
            self.shared.publish(&state);
        }
        self.wake();
    }

    /// Wakes the device's thread, and starts it if necessary. Without a thread, waiters do the
    /// work.
    fn wake(&self) {
        let generation = muxcl_os::fork_generation();
        {
            let mut state = self.shared.state.lock();
            if state.running || state.ready.is_empty() {
                return;
            }
            if state.thread_of != Some(generation) {
                let shared = Arc::clone(&self.shared);
                let started =
                    muxcl_os::spawn_detached("muxcl-hal", STACK, move || work_for_ever(&shared));
                state.thread_of = started.is_ok().then_some(generation);
            }
        }
        self.shared.wake.notify_one();
    }
}

fn work_for_ever(shared: &QueueShared) {
    loop {
        {
            let mut state = shared.state.lock();
            while state.running || state.ready.is_empty() {
                shared.wake.wait(&mut state);
            }
        }
        while let Some(work) = shared.take() {
            shared.run(work, None);
        }
    }
}

impl TargetQueue for HalQueue {
    fn submit(&self, work: Ready, hint: SubmitHint) {
        let busy = {
            let mut state = self.shared.state.lock();
            state.ready.push_back(work.into());
            self.shared.publish(&state);
            state.running
        };
        // The running thread checks for new work when it finishes.
        if hint == SubmitHint::Background && !busy {
            self.wake();
        }
    }

    fn help(&self, done: &dyn Fn() -> bool) {
        if !self.shared.waiting.load(Ordering::Acquire) {
            return;
        }
        let mut ran = false;
        while !done() {
            let Some(work) = self.shared.take() else { break };
            self.shared.run(work, Some(done));
            ran = true;
        }
        if ran {
            // Pass remaining or new work to the device's thread, because this thread returns.
            self.wake();
        }
    }
}
