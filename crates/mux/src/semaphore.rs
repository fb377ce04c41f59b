//! Semaphores: one dispatch waits for another, or for the host.

use crate::queue::InFlight;
use muxcl_lock::{Mutex, Rank};
use std::sync::Arc;

#[derive(Debug, Default)]
struct State {
    /// `Some(ok)` once signalled.
    signalled: Option<bool>,
    waiters: Vec<(Arc<InFlight>, bool)>,
}

/// A one-shot signal between dispatches; [`Semaphore::reset`] makes it fresh again. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Semaphore {
    state: Arc<Mutex<State>>,
}

impl Default for Semaphore {
    fn default() -> Self {
        Self::new()
    }
}

impl Semaphore {
    /// Not signalled.
    #[must_use]
    pub fn new() -> Self {
        Self { state: Arc::new(Mutex::new(Rank::MuxSync, State::default())) }
    }

    /// True when signalled.
    #[must_use]
    pub fn is_signalled(&self) -> bool {
        self.state.lock().signalled.is_some()
    }

    /// Signals from the host (user events). `ok` false fails those who wait with error propagation.
    pub fn signal(&self, ok: bool) {
        let waiters = {
            let mut state = self.state.lock();
            if state.signalled.is_some() {
                return;
            }
            state.signalled = Some(ok);
            std::mem::take(&mut state.waiters)
        };
        for (waiter, propagate) in waiters {
            waiter.arrived(ok || !propagate);
        }
    }

    /// Back to not signalled. Only when no dispatch in flight waits for it or will signal it.
    pub fn reset(&self) {
        self.state.lock().signalled = None;
    }

    /// Registers a waiter; if signalled already, `Some(ok)` and nothing is registered.
    pub(crate) fn subscribe(&self, flight: &Arc<InFlight>, propagate: bool) -> Option<bool> {
        let mut state = self.state.lock();
        if let Some(ok) = state.signalled {
            return Some(ok);
        }
        state.waiters.push((flight.clone(), propagate));
        None
    }
}
