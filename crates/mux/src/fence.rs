//! Fences: the host waits for a dispatch.

use crate::sync::Completion;
use crate::{MuxError, Queue};
use std::sync::Arc;
use std::time::Duration;

/// Signalled when the dispatch that it was passed to has completed; reset when it is passed to the
/// next one. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Fence {
    inner: Arc<Completion>,
}

impl Fence {
    /// A fence that is not signalled.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Waits for the signal and executes work of `queue` on this thread meanwhile. `None` means no
    /// time limit.
    ///
    /// # Errors
    /// `NotReady` if the time limit has passed, `DeviceFault` if the dispatch failed.
    pub fn wait(&self, queue: &Queue, timeout: Option<Duration>) -> Result<(), MuxError> {
        match self.inner.wait(Some(queue), timeout) {
            Some(0) => Ok(()),
            Some(_) => Err(MuxError::DeviceFault("the dispatch of this fence failed".into())),
            None => Err(MuxError::NotReady),
        }
    }

    /// True if the dispatch that the fence was given to has completed.
    #[must_use]
    pub fn is_signalled(&self) -> bool {
        self.inner.is_complete()
    }

    pub(crate) fn arm(&self) {
        self.inner.reset();
    }

    pub(crate) fn signal(&self, ok: bool) {
        self.inner.complete(if ok { 0 } else { -1 });
    }
}
