//! Loom models of dispatches, semaphores, fences and completions. `cargo xtask models` runs them.
//!
//! The models run the real code with a target that keeps ready work until a thread of the model
//! takes it. A lost wake-up shows as a deadlock.

use crate::sync::Completion;
use crate::target::{Ready, TargetQueue};
use crate::{CommandBuffer, Dispatch, Fence, MuxError, Queue, Semaphore, SubmitHint, Wait};
use muxcl_lock::Rank;
use muxcl_lock::sync::atomic::{AtomicUsize, Ordering};
use muxcl_lock::sync::{Condvar, Mutex, model, thread};
use std::collections::VecDeque;
use std::sync::Arc;

/// A target whose work one thread of the model runs.
#[derive(Debug)]
struct Target {
    ready: Mutex<VecDeque<Ready>>,
    wake: Condvar,
}

impl Target {
    fn new() -> Arc<Self> {
        let ready = Mutex::new(Rank::Target, VecDeque::new());
        Arc::new(Self { ready, wake: Condvar::new() })
    }

    /// Runs the next command buffer. Waits for one if necessary.
    fn run_one(&self) {
        let work = {
            let mut ready = self.ready.lock();
            loop {
                match ready.pop_front() {
                    Some(work) => break work,
                    None => self.wake.wait(&mut ready),
                }
            }
        };
        work.done();
    }
}

impl TargetQueue for Target {
    fn submit(&self, work: Ready, _hint: SubmitHint) {
        self.ready.lock().push_back(work);
        self.wake.notify_one();
    }

    fn help(&self, _done: &dyn Fn() -> bool) {}

    fn runs_without_help(&self) -> bool {
        true
    }
}

fn empty() -> CommandBuffer {
    let mut commands = CommandBuffer::new(1);
    commands.finalise().unwrap();
    commands
}

/// Numbers of completions and of failures.
#[derive(Debug)]
struct Completions {
    all: AtomicUsize,
    failed: AtomicUsize,
}

impl Completions {
    fn new() -> Arc<Self> {
        Arc::new(Self { all: AtomicUsize::new(0), failed: AtomicUsize::new(0) })
    }

    fn counter(self: &Arc<Self>) -> crate::CompleteFn {
        let this = Arc::clone(self);
        Box::new(move |result: Result<(), MuxError>| {
            this.all.fetch_add(1, Ordering::SeqCst);
            this.failed.fetch_add(result.is_err().into(), Ordering::SeqCst);
        })
    }

    fn get(&self) -> (usize, usize) {
        (self.all.load(Ordering::SeqCst), self.failed.load(Ordering::SeqCst))
    }
}

fn wait_for(semaphore: &Semaphore) -> Wait {
    Wait { semaphore: semaphore.clone(), propagate_failure: true }
}

/// Two threads signal the semaphores of a dispatch while it is being dispatched.
#[test]
fn a_dispatch_runs_once_after_all_it_waits_for() {
    model(|| {
        let target = Target::new();
        let queue = Queue::new(target.clone());
        let device = thread::spawn(move || target.run_one());
        let (first, second, after) = (Semaphore::new(), Semaphore::new(), Semaphore::new());
        let signals =
            [first.clone(), second.clone()].map(|s| thread::spawn(move || s.signal(true)));
        let (fence, completions) = (Fence::new(), Completions::new());
        let how = Dispatch {
            waits: &[wait_for(&first), wait_for(&second)],
            signals: &[after.clone()],
            fence: Some(&fence),
            on_complete: Some(completions.counter()),
            hint: SubmitHint::Background,
        };
        queue.dispatch(&empty(), how).unwrap();
        assert_eq!(fence.wait(&queue, None), Ok(()));
        assert!(first.is_signalled() && second.is_signalled() && after.is_signalled());
        assert_eq!(completions.get(), (1, 0));
        for signal in signals {
            signal.join().unwrap();
        }
        device.join().unwrap();
    });
}

/// A failure propagates through a chain of dispatches, each of which completes once.
#[test]
fn a_failure_completes_every_dispatch_that_waits_for_it() {
    model(|| {
        let queue = Queue::new(Target::new());
        let (cause, between) = (Semaphore::new(), Semaphore::new());
        let completions = Completions::new();
        let failing = {
            let cause = cause.clone();
            thread::spawn(move || cause.signal(false))
        };
        for (wait, signal) in [(&cause, Some(&between)), (&between, None)] {
            let signals: Vec<_> = signal.into_iter().cloned().collect();
            let how = Dispatch {
                waits: &[wait_for(wait)],
                signals: &signals,
                on_complete: Some(completions.counter()),
                ..Dispatch::default()
            };
            queue.dispatch(&empty(), how).unwrap();
        }
        queue.wait_all();
        assert_eq!(completions.get(), (2, 2));
        failing.join().unwrap();
    });
}

/// The device's thread completes the last dispatch while the host begins to wait for all.
#[test]
fn waiting_for_all_ends_when_all_have_completed() {
    model(|| {
        let target = Target::new();
        let queue = Queue::new(target.clone());
        let completions = Completions::new();
        for _ in 0..2 {
            let on_complete = Some(completions.counter());
            queue.dispatch(&empty(), Dispatch { on_complete, ..Dispatch::default() }).unwrap();
        }
        let device = thread::spawn(move || {
            target.run_one();
            target.run_one();
        });
        queue.wait_all();
        assert_eq!(completions.get(), (2, 0));
        device.join().unwrap();
    });
}

/// Two threads wait for one completion, and both wake up.
#[test]
fn a_completion_wakes_every_thread_that_waits() {
    model(|| {
        let done = Arc::new(Completion::new());
        let waiting = [(); 2].map(|()| {
            let done = Arc::clone(&done);
            thread::spawn(move || assert_eq!(done.wait(None, None), Some(-5)))
        });
        assert!(done.complete(-5));
        assert!(!done.complete(0), "only the first status counts");
        for thread in waiting {
            thread.join().unwrap();
        }
    });
}
