//! Ready command buffers of a HAL device: run one after another, in the order they became ready, by
//! a waiting thread that lends itself or by the device's own thread. One that waits for what
//! kernels of others do (`crate::enqueue`) is set aside until some have run.
//!
//! Invariants: one command buffer runs at a time; the thread sleeps on a condition while there is
//! nothing for it, and is only started when work comes that nobody waits for; whoever stops running
//! sees to it that what is left has a thread.

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

/// A HAL may run kernels on the thread that asks for it.
const STACK: usize = 16 << 20;

#[derive(Debug, Default)]
struct State {
    ready: VecDeque<Work>,
    /// Those that wait for events of others' kernels.
    aside: Vec<Work>,
    /// Somebody wanted what is set aside to look again since the one that runs began.
    called: bool,
    running: bool,
    /// The process generation whose thread runs.
    thread_of: Option<u32>,
}

#[derive(Debug)]
struct Shared {
    connection: Arc<DeviceConnection>,
    enqueues: Arc<Enqueues>,
    limits: LaunchLimits,
    state: Mutex<State>,
    wake: Condvar,
    /// Work is there and nobody runs any: what `help` looks at first.
    waiting: AtomicBool,
}

/// See the module.
#[derive(Debug)]
pub(crate) struct HalQueue {
    shared: Arc<Shared>,
}

impl Shared {
    fn publish(&self, state: &State) {
        self.waiting.store(!state.running && !state.ready.is_empty(), Ordering::Release);
    }

    /// Takes the next command buffer, unless one is being run.
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

    /// Runs a command buffer; what `stop` left of it comes first again.
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
            // The command buffer was dropped on the way, which told those who wait for it.
            tracing::error!(target: "hal", "internal error: panic while a command ran");
        }
        if !released.get() {
            self.release(outcome.unwrap_or(Rest::Nothing), runner.progress.get());
        }
    }

    /// The device is free for the next command buffer. `progress`: what is set aside may go on.
    fn release(&self, left: Rest, progress: bool) {
        let mut state = self.state.lock();
        if progress {
            state.look_again();
        }
        match left {
            Rest::Nothing => {}
            Rest::Stopped(work) => state.ready.push_front(work),
            // It may have looked just before.
            Rest::Blocked(work) if state.called => state.ready.push_back(work),
            Rest::Blocked(work) => state.aside.push(work),
        }
        state.running = false;
        self.publish(&state);
    }
}

impl State {
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
        let shared = Shared {
            connection,
            enqueues,
            limits,
            state: Mutex::new(Rank::Leaf, State::default()),
            wake: Condvar::new(),
            waiting: AtomicBool::new(false),
        };
        Self { shared: Arc::new(shared) }
    }

    /// What is set aside looks whether it may go on: something it may wait for is gone.
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

    /// Has the device's thread look for work; starts it if need be. Without one, those who wait do
    /// the work.
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

fn work_for_ever(shared: &Shared) {
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
        // Whoever runs now looks again when it has finished.
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
            // What is left, or came meanwhile, must not wait for this thread.
            self.wake();
        }
    }
}
