//! Ending a context before its commands have completed (`cl_khr_terminate_context`).
//!
//! A context that may be terminated lists its commands, each of which has an event, the
//! cancellation flags of its kernels, and its builds with callbacks. A check behind the first
//! callback of each command skips the command if the context has been terminated. Terminating sets
//! a flag, stops the kernels, cancels the builds, and completes the events of commands that have
//! not begun. A command that has begun completes its event when it ends, which is soon. Waits and
//! callbacks wait for that. A query of its status returns `CL_CONTEXT_TERMINATED_KHR` at once: "the
//! execution status of enqueued commands will be `CL_CONTEXT_TERMINATED_KHR`".
//!
//! Invariant: either `terminate` sees that a command has begun, or the command's check sees that
//! the context has been terminated: no event completes while its command touches the application's
//! memory. Not here: how kernels are stopped (pass `cancellation-points`), the errors of calls
//! (`api`).

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};

use muxcl_cl_sys::cl_command_queue;
use muxcl_lock::{Mutex, Rank};
use muxcl_mux::{Canceller, Executable};

use crate::compiler_client::Cancel;
use crate::error::{ClError, ClResult};

/// A command of a context that may be terminated. Implemented by events.
pub(super) trait Command: std::fmt::Debug + Send + Sync {
    /// True until the command has completed.
    fn is_pending(&self) -> bool;
    /// True if the command is in the queue with this handle.
    fn is_in(&self, queue: cl_command_queue) -> bool;
    /// Completes the command unless it has begun, because the context has been terminated.
    fn give_up(&self);
    /// Waits until the command has completed.
    fn wait_for_end(&self);
}

/// The commands, cancellation flags and builds of a context that may be terminated.
#[derive(Debug)]
pub struct Termination {
    over: AtomicBool,
    /// Commands of the context. Completed ones stay while another owner keeps them.
    commands: Mutex<Vec<Weak<dyn Command>>>,
    cancellers: Mutex<Vec<Canceller>>,
    /// Builds with callbacks. Those that have ended stay for a while.
    builds: Mutex<Vec<Weak<Cancel>>>,
}

impl Default for Termination {
    fn default() -> Self {
        Self {
            over: AtomicBool::new(false),
            commands: Mutex::new(Rank::Event, Vec::new()),
            cancellers: Mutex::new(Rank::Event, Vec::new()),
            builds: Mutex::new(Rank::Event, Vec::new()),
        }
    }
}

impl Termination {
    /// True once the context has been terminated.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.over.load(Ordering::SeqCst)
    }

    /// Lists a command that is about to be enqueued.
    ///
    /// # Errors
    /// `CL_CONTEXT_TERMINATED_KHR`, `CL_OUT_OF_HOST_MEMORY`.
    pub(super) fn watch(&self, command: Weak<dyn Command>) -> ClResult<()> {
        let mut list = self.commands.lock();
        if list.len() == list.capacity() {
            list.retain(|e| e.strong_count() != 0);
            // Doubling the list keeps the cost of removing completed commands constant for each
            // command.
            let more = list.len().max(16);
            list.try_reserve(more)?;
        }
        list.push(command);
        drop(list);
        // Either `terminate` finds the command in the list, or this load sees the termination.
        if self.is_over() { Err(ClError::CONTEXT_TERMINATED_KHR) } else { Ok(()) }
    }

    /// Lists an executable that has been loaded.
    ///
    /// # Errors
    /// `CL_OUT_OF_HOST_MEMORY`.
    pub fn loaded(&self, executable: &Executable) -> ClResult<()> {
        let Some(canceller) = executable.canceller() else { return Ok(()) };
        let mut list = self.cancellers.lock();
        list.retain(Canceller::is_loaded);
        list.try_reserve(1)?;
        list.push(canceller.clone());
        drop(list);
        if self.is_over() {
            canceller.stop();
        }
        Ok(())
    }

    /// Lists a build that has begun.
    pub(super) fn begun(&self, build: &Arc<Cancel>) {
        let mut list = self.builds.lock();
        list.retain(|build| build.strong_count() != 0);
        // Without memory the build just runs to its end.
        if list.try_reserve(1).is_ok() {
            list.push(Arc::downgrade(build));
        }
        drop(list);
        if self.is_over() {
            build.cancel();
        }
    }

    /// Commands that have not completed.
    pub(super) fn pending(&self) -> Vec<Arc<dyn Command>> {
        // Dropped after the lock is released: a reference may be the last one.
        let mut all: Vec<Arc<dyn Command>> =
            self.commands.lock().iter().filter_map(Weak::upgrade).collect();
        all.retain(|command| command.is_pending());
        all
    }

    /// Ends the context.
    ///
    /// # Errors
    /// `CL_CONTEXT_TERMINATED_KHR` if the context has already been terminated.
    pub(super) fn terminate(&self) -> ClResult<()> {
        if self.over.swap(true, Ordering::SeqCst) {
            return Err(ClError::CONTEXT_TERMINATED_KHR);
        }
        let cancellers = std::mem::take(&mut *self.cancellers.lock());
        cancellers.iter().for_each(Canceller::stop);
        let builds = std::mem::take(&mut *self.builds.lock());
        builds.iter().filter_map(Weak::upgrade).for_each(|build| build.cancel());
        for command in self.pending() {
            command.give_up();
        }
        Ok(())
    }
}
