//! Ready command buffers of a HAL device. They run one after another in the order in which they
//! became ready, on a waiting thread or on the device's own thread. If the HAL allows concurrent
//! calls, command buffers without kernels also run beside the one whose kernels run. A command
//! buffer that waits for kernels of other command buffers (`crate::enqueue`) is set aside until
//! other kernels have run.
//!
//! Invariant: a thread of the device is started only for work that no thread waits for, and a
//! second one only for transfers while the first one runs a kernel. If the system refuses to start
//! it, threads that wait for the work find it when they help again
//! ([`TargetQueue::runs_without_help`]), and threads that query its event run it
//! ([`TargetQueue::help_if_refused`]). Not here: that kernels run one at a time and that no command
//! buffer is lost (`serial`).

use crate::connection::DeviceConnection;
use crate::enqueue::Enqueues;
use crate::execute::{CommandBufferRun, LaunchLimits, Runner};
use crate::serial::{Class, Rest, Running, SerialQueue};
use muxcl_mux::target::{Ready, TargetQueue};
use muxcl_mux::{Command, SubmitHint};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Stack size of the device's threads in bytes. It is large because a HAL may run kernels on the
/// calling thread.
const STACK: usize = 16 << 20;

#[derive(Debug)]
struct QueueShared {
    connection: Arc<DeviceConnection>,
    enqueues: Arc<Enqueues>,
    limits: LaunchLimits,
    work: SerialQueue<CommandBufferRun>,
    /// The system refused to start a thread of the device at the last attempt.
    refused: AtomicBool,
}

/// The queue of ready command buffers of a HAL device.
#[derive(Debug)]
pub(crate) struct HalQueue {
    shared: Arc<QueueShared>,
}

impl QueueShared {
    /// What a command buffer may run beside.
    fn class(&self, work: &Ready) -> Class {
        let is_kernel = |command: &Command| matches!(command, Command::NdRange(_));
        if self.connection.allows_concurrent_calls() && !work.commands().iter().any(is_kernel) {
            Class::Transfer
        } else {
            Class::Kernel
        }
    }

    /// Wakes a thread of the device, and starts it if necessary. Returns false if it cannot be
    /// started; waiting threads then do the work.
    fn wake(shared: &Arc<Self>) -> bool {
        shared.work.wake(muxcl_os::fork_generation(), || {
            let server = Arc::clone(shared);
            let serve = move || {
                let run = &|work, running: Running<'_, _>, _: Option<&dyn Fn() -> bool>| {
                    server.run(work, running, None);
                };
                server.work.serve(run, &|| Self::wake(&server));
            };
            let started = muxcl_os::spawn_detached("muxcl-hal", STACK, serve).is_ok();
            shared.refused.store(!started, Ordering::Relaxed);
            started
        })
    }

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

    fn wake(&self) -> bool {
        QueueShared::wake(&self.shared)
    }
}

impl TargetQueue for HalQueue {
    fn submit(&self, work: Ready, hint: SubmitHint) {
        let class = self.shared.class(&work);
        let idle = self.shared.work.push(work.into(), class);
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
        // The device's threads are not woken for command buffers that became ready while another
        // one ran, before the callbacks of that one have returned.
        false
    }

    fn help_if_refused(&self) {
        if self.shared.refused.load(Ordering::Relaxed) {
            self.help(&|| false);
        }
    }

    fn device_name(&self) -> &str {
        self.shared.connection.name()
    }
}
