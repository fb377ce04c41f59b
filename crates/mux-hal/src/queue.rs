//! Ready command buffers of a HAL device. They run one after another in the order in which they
//! became ready, on a waiting thread or on the device's own thread. A command buffer that waits for
//! kernels of other command buffers (`crate::enqueue`) is set aside until other kernels have run.
//!
//! Invariant: the device's thread is started only for work that no thread waits for. If the system
//! refuses to start it, threads that wait for the work find it when they help again
//! ([`TargetQueue::runs_without_help`]), and threads that query its event run it
//! ([`TargetQueue::help_if_refused`]). Not here: that one command buffer runs at a time and that
//! none is lost (`serial`).

use crate::connection::DeviceConnection;
use crate::enqueue::Enqueues;
use crate::execute::{CommandBufferRun, LaunchLimits, Runner};
use crate::serial::{Rest, Running, SerialQueue};
use muxcl_mux::SubmitHint;
use muxcl_mux::target::{Ready, TargetQueue};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Stack size of the device's thread in bytes. It is large because a HAL may run kernels on the
/// calling thread.
const STACK: usize = 16 << 20;

#[derive(Debug)]
struct QueueShared {
    connection: Arc<DeviceConnection>,
    enqueues: Arc<Enqueues>,
    limits: LaunchLimits,
    work: SerialQueue<CommandBufferRun>,
    /// The system refused to start the device's thread at the last attempt.
    refused: AtomicBool,
}

/// The queue of ready command buffers of a HAL device.
#[derive(Debug)]
pub(crate) struct HalQueue {
    shared: Arc<QueueShared>,
}

impl QueueShared {
    /// Runs a command buffer with the permission `running`, which ends after the last command.
    fn run(
        &self,
        work: CommandBufferRun,
        running: Running<'_, CommandBufferRun>,
        stop: Option<&dyn Fn() -> bool>,
    ) {
        let runner = Runner {
            connection: &self.connection,
            enqueues: &self.enqueues,
            limits: &self.limits,
            progress: Cell::new(false),
        };
        let running = Cell::new(Some(running));
        let release = |rest| {
            if let Some(running) = running.take() {
                running.end(rest, runner.progress.get());
            }
        };
        let last_has_run = || release(Rest::Nothing);
        let outcome = catch_unwind(AssertUnwindSafe(|| runner.run(work, stop, &last_has_run)));
        if outcome.is_err() {
            // The command buffer was dropped while it ran, which notified its waiters.
            tracing::error!(target: "hal", "internal error: panic while a command ran");
        }
        release(outcome.unwrap_or(Rest::Nothing));
    }
}

impl HalQueue {
    pub(crate) fn new(
        connection: Arc<DeviceConnection>,
        enqueues: Arc<Enqueues>,
        limits: LaunchLimits,
    ) -> Self {
        let (work, refused) = (SerialQueue::new(), AtomicBool::new(false));
        let shared = QueueShared { connection, enqueues, limits, work, refused };
        Self { shared: Arc::new(shared) }
    }

    /// Retries the command buffers that are set aside, because the queue that owned their events
    /// was deleted.
    pub(crate) fn look_again(&self) {
        if self.shared.work.retry() {
            self.wake();
        }
    }

    /// Wakes the device's thread, and starts it if necessary. Returns false if it cannot be
    /// started; waiting threads then do the work.
    fn wake(&self) -> bool {
        self.shared.work.wake(muxcl_os::fork_generation(), || {
            let shared = Arc::clone(&self.shared);
            let serve =
                move || shared.work.serve(&|work, running, _| shared.run(work, running, None));
            let started = muxcl_os::spawn_detached("muxcl-hal", STACK, serve).is_ok();
            self.shared.refused.store(!started, Ordering::Relaxed);
            started
        })
    }
}

impl TargetQueue for HalQueue {
    fn submit(&self, work: Ready, hint: SubmitHint) {
        let idle = self.shared.work.push(work.into());
        if hint == SubmitHint::Background && idle {
            self.wake();
        }
    }

    fn help(&self, done: &dyn Fn() -> bool) {
        let run =
            |work, running: Running<'_, CommandBufferRun>, stop: Option<&dyn Fn() -> bool>| {
                self.shared.run(work, running, stop);
            };
        self.shared.work.help(done, &run, &|| self.wake());
    }

    fn runs_without_help(&self) -> bool {
        // The device's thread is not woken for command buffers that became ready while another one
        // ran, before the callbacks of that one have returned.
        false
    }

    fn help_if_refused(&self) {
        if self.shared.refused.load(Ordering::Relaxed) {
            self.help(&|| false);
        }
    }
}
