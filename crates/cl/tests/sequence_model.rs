//! A loom model of an in-order queue: in every interleaving of a copy on a calling thread, a
//! dispatched command and a `clFinish`, no two pieces of work overlap and `clFinish` sees all of
//! them.
//!
//! The model runs the queue's own `Sequence` with loom's lock and a signal of loom's types. Work is
//! an access to a loom cell, which reports accesses that could happen at the same time.

#![expect(clippy::unwrap_used, reason = "a test may fail anywhere")]

use std::sync::Arc as StdArc;

use loom::cell::UnsafeCell;
use loom::sync::atomic::{AtomicBool, Ordering};
use loom::sync::{Arc, Mutex};
use loom::thread;

#[path = "../src/core/queue/sequence.rs"]
mod sequence;

use sequence::{Sequence, Signal};

#[derive(Clone)]
struct LoomSignal(Arc<AtomicBool>);

impl Signal for LoomSignal {
    fn pending() -> Self {
        Self(Arc::new(AtomicBool::new(false)))
    }

    fn is_given(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }

    fn try_renew(&mut self) -> bool {
        let Some(given) = Arc::get_mut(&mut self.0) else { return false };
        given.store(false, Ordering::Release);
        true
    }
}

impl LoomSignal {
    fn give(&self) {
        self.0.store(true, Ordering::Release);
    }

    fn wait(&self) {
        while !self.is_given() {
            thread::yield_now();
        }
    }
}

struct Queue {
    state: Mutex<Sequence<LoomSignal>>,
    memory: UnsafeCell<u32>,
}

// SAFETY: the cell is what the model checks; loom reports every concurrent access.
unsafe impl Sync for Queue {}

impl Queue {
    fn new() -> Arc<Self> {
        Arc::new(Self { state: Mutex::new(Sequence::new()), memory: UnsafeCell::new(0) })
    }

    fn work(&self) {
        // SAFETY: the order of the queue excludes other accesses; loom checks that.
        self.memory.with_mut(|memory| unsafe { *memory += 1 });
    }

    /// A blocking copy: on the calling thread if the queue is idle, else dispatched and waited for.
    fn copy(&self) {
        let place = self.state.lock().unwrap().append_if_idle();
        match place {
            Some(done) => {
                self.work();
                done.give();
            }
            None => self.dispatch(),
        }
    }

    /// A command that a device runs when the work before it has ended.
    fn dispatch(&self) {
        let (before, done) = self.state.lock().unwrap().append();
        if let Some(before) = before {
            before.wait();
        }
        self.work();
        done.give();
    }

    /// `clFinish`: the number of pieces of work that had ended by then.
    fn finish(&self) -> u32 {
        let end = self.state.lock().unwrap().end();
        if let Some(end) = end {
            end.wait();
        }
        // SAFETY: all work before this call has ended, and the tests start none meanwhile.
        self.memory.with(|memory| unsafe { *memory })
    }
}

fn bounded(model: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(3);
    builder.check(model);
}

#[test]
fn a_copy_and_a_command_do_not_overlap() {
    bounded(|| {
        let queue = Queue::new();
        let other = queue.clone();
        let device = thread::spawn(move || other.dispatch());
        queue.copy();
        device.join().unwrap();
        assert_eq!(queue.finish(), 2);
    });
}

/// The signal of a queue that becomes idle is used again.
#[test]
fn copies_behind_copies_do_not_overlap() {
    bounded(|| {
        let queue = Queue::new();
        let other = queue.clone();
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
    bounded(|| {
        let queue = Queue::new();
        let other = queue.clone();
        let thread = thread::spawn(move || other.copy());
        queue.copy();
        thread.join().unwrap();
        assert_eq!(queue.finish(), 2);
    });
}

/// A `clFinish` that comes after a copy has begun returns after it.
#[test]
fn finish_waits_for_a_copy_that_has_begun() {
    let begun = StdArc::new(std::sync::atomic::AtomicUsize::new(0));
    let seen = begun.clone();
    bounded(move || {
        let queue = Queue::new();
        let done = queue.state.lock().unwrap().append_if_idle().unwrap();
        let other = queue.clone();
        let finisher = thread::spawn(move || assert_eq!(other.finish(), 1));
        queue.work();
        done.give();
        finisher.join().unwrap();
        seen.fetch_add(1, Ordering::Relaxed);
    });
    assert!(begun.load(Ordering::Relaxed) > 1, "more than one interleaving");
}
