//! Failures of commands without an event. The application cannot query their status, so the driver
//! reports them.
//!
//! Such a failure goes to the context's callback, to stderr as one line (unless `MUXCL_LOG` is set,
//! which then contains it), and to the next blocking call on the queue as `CL_OUT_OF_RESOURCES`:
//! `clFinish`, or a blocking read, write or map.
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

/// The failures of a queue's commands without events. It is also the callback at the end of a
/// batch, which receives the error of the commands before it.
#[derive(Debug)]
pub(super) struct Failures {
    context: Arc<Context>,
    /// A command has failed and no call has returned the error yet.
    unreported: AtomicBool,
}

impl Failures {
    pub(super) fn new(context: Arc<Context>) -> Arc<Self> {
        Arc::new(Self { context, unreported: AtomicBool::new(false) })
    }

    /// Records that a command without an event has failed with `error`.
    pub(super) fn report(&self, error: &MuxError) {
        // Not reported: commands skipped because of a failed event, which the application can
        // query, and commands cancelled with their context.
        if *error == MuxError::DependencyFailed || self.context.is_terminated() {
            return;
        }
        let text = format!("a command without an event failed: {error}");
        tracing::error!(target: "cl::queue", "{text}");
        // Write one line only until a call has returned the failure, because later commands often
        // fail as well.
        if !self.unreported.swap(true, Ordering::AcqRel) && MUXCL_LOG.get().is_none() {
            // A closed stderr is ignored.
            let _ = writeln!(std::io::stderr(), "muxcl: {text}");
        }
        let context = self.context.clone();
        callbacks::post(move || context.report(&text));
    }

    /// Takes a failure that no call has returned yet, for a blocking call that has waited for the
    /// queue's commands.
    ///
    /// # Errors
    /// `CL_OUT_OF_RESOURCES` if a command has failed and no call has returned that yet.
    pub(super) fn take(&self) -> ClResult<()> {
        // Failures are rare; a load alone leaves the cache line shared between threads.
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
