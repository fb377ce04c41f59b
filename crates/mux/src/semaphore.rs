//! Semaphores: a dispatch or the host waits for another dispatch.

use crate::Queue;
use crate::queue::InFlight;
use crate::sync::Completion;
use muxcl_lock::Rank;
use muxcl_lock::sync::Mutex;
use std::sync::Arc;
use std::time::Duration;

#[derive(Debug)]
struct Signal {
    done: Completion,
    /// Dispatches to notify, and whether a failure fails them. Grows only while `done` is pending,
    /// under the lock.
    waiters: Mutex<Vec<(Arc<InFlight>, bool)>>,
}

/// A one-shot signal between dispatches; [`Semaphore::reset`] makes it usable again. Cheap to
/// clone.
#[derive(Debug, Clone)]
pub struct Semaphore {
    signal: Arc<Signal>,
}

impl Default for Semaphore {
    fn default() -> Self {
        Self::new()
    }
}

impl Semaphore {
    /// Creates a semaphore that is not signalled.
    #[must_use]
    pub fn new() -> Self {
        Self {
            signal: Arc::new(Signal {
                done: Completion::new(),
                waiters: Mutex::new(Rank::MuxSync, Vec::new()),
            }),
        }
    }

    /// True if the semaphore has been signalled since its creation or last reset.
    #[must_use]
    pub fn is_signalled(&self) -> bool {
        self.signal.done.is_complete()
    }

    /// True if both handles refer to the same semaphore.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.signal, &other.signal)
    }

    /// Waits on the host for the signal, and executes work of `queue` meanwhile. `Some(ok)`, or
    /// `None` if `timeout` passed first.
    #[must_use]
    pub fn wait(&self, queue: Option<&Queue>, timeout: Option<Duration>) -> Option<bool> {
        self.signal.done.wait(queue, timeout).map(|status| status == 0)
    }

    /// Signals from the host (user events). With `ok` false, dispatches that wait with
    /// `propagate_failure` fail. Only the first signal counts.
    pub fn signal(&self, ok: bool) {
        let waiters = {
            // Under the lock, so that a subscriber sees the signal or is in the list.
            let mut waiters = self.signal.waiters.lock();
            if self.signal.done.is_complete() {
                return;
            }
            self.signal.done.mark(if ok { 0 } else { -1 });
            std::mem::take(&mut *waiters)
        };
        self.signal.done.wake();
        for (waiter, propagate) in waiters {
            waiter.arrived(ok || !propagate);
        }
    }

    /// Resets to not signalled. Allowed only if no dispatch in flight waits for it or will signal
    /// it.
    pub fn reset(&self) {
        self.signal.done.reset();
    }

    /// [`Self::reset`] if this is the only handle, so that no thread can wait for it; else false.
    pub fn try_reset(&mut self) -> bool {
        let Some(signal) = Arc::get_mut(&mut self.signal) else { return false };
        signal.done.reset();
        true
    }

    /// Registers a waiter. If already signalled, returns `Some(ok)` and registers nothing.
    pub(crate) fn subscribe(&self, flight: &Arc<InFlight>, propagate: bool) -> Option<bool> {
        let mut waiters = self.signal.waiters.lock();
        if let Some(status) = self.signal.done.status() {
            return Some(status == 0);
        }
        waiters.push((flight.clone(), propagate));
        None
    }
}
