//! Loom models of an in-order queue: in every interleaving of copies on calling threads, a
//! dispatched command and a `clFinish`, no two pieces of work overlap and `clFinish` sees all of
//! them. `cargo xtask models` runs them.
//!
//! The models run the queue's own [`Sequence`] and [`CallerSlot`] with Mux's semaphores. A piece of
//! work is an access to a loom cell. Loom reports two accesses that are not ordered.

use std::sync::Arc;

use muxcl_lock::Rank;
use muxcl_lock::sync::cell::UnsafeCell;
use muxcl_lock::sync::{Mutex, model, thread};
use muxcl_mux::Semaphore;

use super::caller_slot::CallerSlot;
use super::sequence::Sequence;

#[derive(Debug)]
struct ModelQueue {
    slot: CallerSlot,
    state: Mutex<Sequence<Semaphore>>,
    memory: UnsafeCell<u32>,
}

// SAFETY: loom checks every access of the cell.
unsafe impl Sync for ModelQueue {}
// SAFETY: as above.
unsafe impl Send for ModelQueue {}

impl ModelQueue {
    fn new() -> Arc<Self> {
        let state = Mutex::new(Rank::Queue, Sequence::new());
        Arc::new(Self { slot: CallerSlot::new(), state, memory: UnsafeCell::new(0) })
    }

    fn work(&self) {
        // SAFETY: the order of the queue excludes other accesses; loom checks that.
        self.memory.with_mut(|memory| unsafe { *memory += 1 });
    }

    /// As `Queue::try_run_on_caller`: takes the slot if all work has ended.
    fn try_take(&self) -> bool {
        if self.slot.try_take() {
            return true;
        }
        let sequence = self.state.lock();
        self.slot.take(|| sequence.is_idle())
    }

    /// Ends the work of the thread that has the slot.
    fn release(&self) {
        if !self.slot.try_release() {
            let end = self.state.lock().release(&self.slot);
            if let Some(end) = end {
                end.signal(true);
            }
        }
    }

    /// A blocking copy: on the calling thread if the queue is idle, else dispatched and waited for.
    fn copy(&self) {
        if self.try_take() {
            self.work();
            self.release();
        } else {
            self.dispatch();
        }
    }

    /// A command that a device runs when the work before it has ended.
    fn dispatch(&self) {
        let (before, done) = self.state.lock().append(&self.slot);
        if let Some(before) = before {
            assert_eq!(before.wait(None, None), Some(true));
        }
        self.work();
        done.signal(true);
    }

    /// `clFinish`: the work that had ended then.
    fn finish(&self) -> u32 {
        let end = self.state.lock().end(&self.slot);
        if let Some(end) = end {
            assert_eq!(end.wait(None, None), Some(true));
        }
        // SAFETY: all work before this call has ended, and the models start none meanwhile.
        self.memory.with(|memory| unsafe { *memory })
    }
}

#[test]
fn a_copy_and_a_command_do_not_overlap() {
    model(|| {
        let queue = ModelQueue::new();
        let other = Arc::clone(&queue);
        let device = thread::spawn(move || other.dispatch());
        queue.copy();
        device.join().unwrap();
        assert_eq!(queue.finish(), 2);
    });
}

/// Also covers the reuse of the semaphore of a queue that becomes idle.
#[test]
fn copies_behind_copies_do_not_overlap() {
    model(|| {
        let queue = ModelQueue::new();
        let other = Arc::clone(&queue);
        let thread = thread::spawn(move || {
            other.copy();
            other.copy();
        });
        queue.copy();
        thread.join().unwrap();
        assert_eq!(queue.finish(), 3);
    });
}

#[test]
fn two_copies_do_not_overlap() {
    model(|| {
        let queue = ModelQueue::new();
        let other = Arc::clone(&queue);
        let thread = thread::spawn(move || other.copy());
        queue.copy();
        thread.join().unwrap();
        assert_eq!(queue.finish(), 2);
    });
}

/// The slot is closed, awaited and freed while copies take it.
#[test]
fn copies_before_and_behind_a_command_do_not_overlap() {
    model(|| {
        let queue = ModelQueue::new();
        let other = Arc::clone(&queue);
        let device = thread::spawn(move || other.dispatch());
        queue.copy();
        queue.copy();
        device.join().unwrap();
        queue.copy();
        assert_eq!(queue.finish(), 4);
    });
}

/// A `clFinish` that comes after a copy has begun returns after it.
#[test]
fn finish_waits_for_a_copy_that_has_begun() {
    model(|| {
        let queue = ModelQueue::new();
        assert!(queue.try_take());
        let other = Arc::clone(&queue);
        let finisher = thread::spawn(move || assert_eq!(other.finish(), 1));
        queue.work();
        queue.release();
        finisher.join().unwrap();
    });
}
