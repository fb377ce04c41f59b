//! The position of a calling thread in the order of a queue's commands.
//!
//! A calling thread takes the slot before it runs a command itself, and releases it afterwards.
//! While the slot is not closed, taking and releasing are one atomic operation each. The queue's
//! lock would cost as much as a short copy.
//!
//! Invariants: at most one thread has the slot. A holder of the queue's lock closes the slot before
//! it enqueues work that orders other commands. That work waits for the thread that has the slot,
//! and no thread takes the slot before the work has ended. `models.rs` runs this file under loom.
//! Not here: how the work waits (`sequence`, `epoch`).

use muxcl_lock::sync::atomic::{AtomicU32, Ordering};

/// The position of a calling thread that runs a command of a queue, in the queue's order.
#[derive(Debug)]
pub(super) struct CallerSlot {
    state: AtomicU32,
}

/// The queue may have work that a command must wait for. A thread needs the queue's lock to check
/// that and to take the slot.
const CLOSED: u32 = 0;
/// A command of a calling thread has nothing to wait for.
const FREE: u32 = 1;
/// A calling thread runs a command. Nothing waits for it.
const TAKEN: u32 = 2;
/// A calling thread runs a command, and other work waits for its end.
const AWAITED: u32 = 3;

impl CallerSlot {
    /// The slot of a queue without work.
    pub(super) fn new() -> Self {
        Self { state: AtomicU32::new(FREE) }
    }

    /// Takes the slot if it is free. Needs no lock.
    #[inline]
    pub(super) fn try_take(&self) -> bool {
        // The load avoids the more expensive exchange on a queue that has work.
        self.state.load(Ordering::Relaxed) == FREE && self.change(FREE, TAKEN, Ordering::Acquire)
    }

    /// Takes the slot if it is free, or if it is closed and `may_begin` finds no work to wait for.
    /// The caller has the queue's lock.
    pub(super) fn take(&self, may_begin: impl FnOnce() -> bool) -> bool {
        if self.state.load(Ordering::Relaxed) != CLOSED {
            return self.try_take();
        }
        // Only a holder of the lock changes a closed slot.
        let taken = may_begin();
        if taken {
            self.state.store(TAKEN, Ordering::Relaxed);
        }
        taken
    }

    /// Releases the slot. False if work waits for its release: then the thread takes the queue's
    /// lock, calls [`Self::release_awaited`] and signals the end of its command.
    #[inline]
    #[must_use]
    pub(super) fn try_release(&self) -> bool {
        self.change(TAKEN, FREE, Ordering::Release)
    }

    /// Closes the slot of a thread whose [`Self::try_release`] failed.
    pub(super) fn release_awaited(&self) {
        self.state.store(CLOSED, Ordering::Relaxed);
    }

    /// Closes the slot, or marks it as awaited if a thread has it. The caller has the queue's lock.
    /// True if the slot was not awaited before: the caller then provides the signal that the thread
    /// gives at the end of its command.
    #[must_use]
    pub(super) fn close(&self) -> bool {
        loop {
            // The exchanges acquire the writes of threads that had the slot before.
            match self.state.load(Ordering::Relaxed) {
                FREE if self.change(FREE, CLOSED, Ordering::Acquire) => return false,
                TAKEN if self.change(TAKEN, AWAITED, Ordering::Acquire) => return true,
                CLOSED | AWAITED => return false,
                _ => {}
            }
        }
    }

    /// [`Self::close`] if a thread has the slot. A free slot stays free.
    #[must_use]
    pub(super) fn close_if_taken(&self) -> bool {
        self.state.load(Ordering::Acquire) == TAKEN
            && self.change(TAKEN, AWAITED, Ordering::Acquire)
    }

    fn change(&self, from: u32, to: u32, order: Ordering) -> bool {
        self.state.compare_exchange(from, to, order, Ordering::Acquire).is_ok()
    }
}
