//! Epochs track the completion of all commands enqueued so far on an out-of-order queue, in
//! constant time per command.
//!
//! Each command belongs to the epoch that is open when it is enqueued. Closing an epoch opens the
//! next one; a closed epoch signals when all its commands have completed and the epoch before it
//! has signalled.
//!
//! Invariant: signals come in order, and a long chain of epochs needs no deep stack. Not here: when
//! epochs are closed (`queue`).

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use muxcl_lock::{Mutex, Rank};
use muxcl_mux::Semaphore;

/// The commands between two closing points of an out-of-order queue.
#[derive(Debug)]
pub(super) struct Epoch {
    /// Commands that have not completed, plus one while the epoch is open, plus one until the
    /// previous epoch has signalled.
    missing: AtomicUsize,
    done: Semaphore,
    next: Mutex<Option<Arc<Self>>>,
}

impl Epoch {
    fn new(missing: usize) -> Arc<Self> {
        Arc::new(Self {
            missing: AtomicUsize::new(missing),
            done: Semaphore::new(),
            next: Mutex::new(Rank::Event, None),
        })
    }

    /// Opens the first epoch of a queue.
    pub(super) fn first() -> Arc<Self> {
        Self::new(1)
    }

    /// Adds a command. Only while the epoch is open.
    pub(super) fn enter(self: &Arc<Self>) -> Arc<Self> {
        self.missing.fetch_add(1, Ordering::Relaxed);
        self.clone()
    }

    /// Closes the epoch. Returns the next epoch, which is open, and the semaphore that signals when
    /// all commands up to here have completed.
    pub(super) fn close(self: &Arc<Self>) -> (Arc<Self>, Semaphore) {
        let next = Self::new(2);
        *self.next.lock() = Some(next.clone());
        let done = self.done.clone();
        self.clone().leave();
        (next, done)
    }

    /// Records the completion of a command.
    pub(super) fn leave(self: Arc<Self>) {
        let mut epoch = self;
        while epoch.missing.fetch_sub(1, Ordering::AcqRel) == 1 {
            epoch.done.signal(true);
            let next = epoch.next.lock().take();
            match next {
                Some(next) => epoch = next,
                None => return,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn epochs_signal_in_order() {
        let first = Epoch::first();
        let a = first.enter();
        let (second, one) = first.close();
        let b = second.enter();
        let (_third, two) = second.close();
        b.leave();
        assert!(!one.is_signalled() && !two.is_signalled());
        a.leave();
        assert!(one.is_signalled() && two.is_signalled());
    }

    #[test]
    fn an_empty_epoch_signals_at_once() {
        let (_, done) = Epoch::first().close();
        assert!(done.is_signalled());
    }

    #[test]
    fn a_million_epochs_need_no_stack() {
        let first = Epoch::first();
        let held = first.enter();
        let mut open = first;
        let mut last = None;
        for _ in 0..1_000_000 {
            let (next, done) = open.close();
            open = next;
            last = Some(done);
        }
        held.leave();
        assert!(last.unwrap().is_signalled());
    }
}
