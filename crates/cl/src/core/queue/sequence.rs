//! The order of an in-order queue: each piece of work begins when the one before it has ended.
//!
//! A device runs a piece of work and gives a signal at its end. A calling thread that finds the
//! queue idle takes the queue's [`CallerSlot`] instead. It gets a signal when later work has to
//! wait for it.
//!
//! Invariant: of two pieces of work, the later one waits for the end of the earlier one, whether a
//! device or a calling thread runs it. The caller of each method has the queue's lock. `models.rs`
//! runs this file under loom. Not here: the work itself.

use super::caller_slot::CallerSlot;

/// A signal that is given once and can be waited for; in the driver, a semaphore of Mux.
pub(super) trait Signal: Clone {
    /// A signal that has not been given.
    fn pending() -> Self;
    /// True once given.
    fn is_given(&self) -> bool;
    /// Makes the signal pending again if this is its only handle; else returns false.
    fn try_renew(&mut self) -> bool;
}

/// The order of an in-order queue.
#[derive(Debug)]
pub(super) struct Sequence<S> {
    /// Given when the last piece with a signal has ended; `None` before the first one.
    last: Option<S>,
    /// Given when the thread that has the slot has ended its work, if other work waits for that.
    caller_end: Option<S>,
}

impl<S: Signal> Sequence<S> {
    /// A sequence without work.
    pub(super) fn new() -> Self {
        Self { last: None, caller_end: None }
    }

    /// True if all work has ended. Valid only while the slot is closed.
    pub(super) fn is_idle(&self) -> bool {
        self.last.as_ref().is_none_or(S::is_given)
    }

    /// Closes the slot, before work is enqueued, so that no calling thread overtakes the work.
    pub(super) fn close(&mut self, slot: &CallerSlot) {
        if slot.close() {
            self.await_caller();
        }
    }

    /// Creates the signal for the end of the work of the thread that has the slot.
    fn await_caller(&mut self) {
        let end = S::pending();
        self.last = Some(end.clone());
        self.caller_end = Some(end);
    }

    /// A signal that is given when all work so far has ended; `None` if it has ended.
    pub(super) fn end(&mut self, slot: &CallerSlot) -> Option<S> {
        if slot.close_if_taken() {
            self.await_caller();
        }
        self.last.clone().filter(|last| !last.is_given())
    }

    /// Appends a piece of work. Returns the signal it waits for, if any, and the one it gives at
    /// its end.
    pub(super) fn append(&mut self, slot: &CallerSlot) -> (Option<S>, S) {
        self.close(slot);
        if let Some(last) = &mut self.last {
            // Renewing saves an allocation for each command of a queue that becomes idle between
            // commands.
            if last.is_given() && last.try_renew() {
                return (None, last.clone());
            }
        }
        let before = self.last.take().filter(|last| !last.is_given());
        let done = S::pending();
        self.last = Some(done.clone());
        (before, done)
    }

    /// Releases the slot where [`CallerSlot::try_release`] failed. Returns the signal to give.
    pub(super) fn release(&mut self, slot: &CallerSlot) -> Option<S> {
        slot.release_awaited();
        self.caller_end.take()
    }
}
