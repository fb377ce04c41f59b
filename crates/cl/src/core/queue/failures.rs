//! Failures of commands without an event. The application cannot query their status, so the driver
//! reports them.
//!
//! Such a failure is told to the context's callback, written as one line on stderr (unless
//! `MUXCL_LOG` is set, which takes its place), and returned as `CL_OUT_OF_RESOURCES` by the next
//! blocking call on the queue: `clFinish`, or a blocking read, write or map.
//!
//! Invariant: a failure is returned by one call, and only after the command has ended. Not here:
//! failures of commands with events (`event`).

use std::io::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use muxcl_config::MUXCL_LOG;
use muxcl_mux as mux;
use muxcl_mux::MuxError;

use crate::core::callbacks;
use crate::core::context::Context;
use crate::error::{ClError, ClResult};

/// The failures of a queue's commands without events. Also the callback at the end of a batch,
/// which gets the error of the commands before it.
#[derive(Debug)]
pub(super) struct Failures {
    context: Arc<Context>,
    /// A command has failed and no call has returned that.
    unreported: AtomicBool,
}

impl Failures {
    pub(super) fn new(context: Arc<Context>) -> Arc<Self> {
        Arc::new(Self { context, unreported: AtomicBool::new(false) })
    }

    /// A command without an event has failed with `error`.
    pub(super) fn report(&self, error: &MuxError) {
        // Skipped because of an event, whose failure the application can query, or cancelled with
        // the context.
        if *error == MuxError::DependencyFailed || self.context.is_terminated() {
            return;
        }
        let text = format!("a command without an event failed: {error}");
        tracing::error!(target: "cl::queue", "{text}");
        // One line until a call has returned the failure: the next command may fail as well.
        if !self.unreported.swap(true, Ordering::AcqRel) && MUXCL_LOG.get().is_none() {
            // Nothing is to be done if stderr is closed.
            let _ = writeln!(std::io::stderr(), "muxcl: {text}");
        }
        let context = self.context.clone();
        callbacks::post(move || context.report(&text));
    }

    /// For a blocking call that has waited for the queue's commands.
    ///
    /// # Errors
    /// `CL_OUT_OF_RESOURCES` if one has failed and no call has returned that yet.
    pub(super) fn take(&self) -> ClResult<()> {
        // The load keeps the line of memory shared between threads: failures are rare.
        if self.unreported.load(Ordering::Acquire) && self.unreported.swap(false, Ordering::AcqRel)
        {
            return Err(ClError::OUT_OF_RESOURCES);
        }
        Ok(())
    }
}

impl mux::Callback for Failures {
    fn call(&self, info: &mux::CallbackInfo) {
        if let Some(error) = &info.error {
            self.report(error);
        }
    }
}
