//! The thread that calls the application's callbacks, so that a slow callback never blocks a thread
//! that executes commands.
//!
//! Invariants: callbacks run one after another in the order they became due, with no lock held; the
//! thread starts with the first callback, and again after a `fork`. Not here: which callbacks are
//! due.

use std::collections::VecDeque;

use muxcl_lock::{Condvar, Mutex, Rank};

type Job = Box<dyn FnOnce() + Send>;

struct Pending {
    due: VecDeque<Job>,
    /// Process generation (`muxcl_os::fork_generation`) in which the thread was started.
    thread_of: Option<u32>,
}

static STATE: Mutex<Pending> =
    Mutex::new(Rank::Leaf, Pending { due: VecDeque::new(), thread_of: None });
static WAKE: Condvar = Condvar::new();

/// The application's callbacks may need as much stack as its own threads have.
const STACK: usize = 8 << 20;

/// Queues `job` for the callback thread.
pub fn post(job: impl FnOnce() + Send + 'static) {
    let generation = muxcl_os::fork_generation();
    let mut state = STATE.lock();
    if state.thread_of != Some(generation) {
        if state.thread_of.is_some() {
            // In a forked child, the pending callbacks belong to the parent.
            std::mem::take(&mut state.due).into_iter().for_each(std::mem::forget);
        }
        state.thread_of =
            muxcl_os::spawn_detached("muxcl-callbacks", STACK, run).is_ok().then_some(generation);
    }
    if state.thread_of.is_some() {
        state.due.push_back(Box::new(job));
        drop(state);
        WAKE.notify_one();
    } else {
        // No thread could be started: run the callback late on this thread.
        drop(state);
        job();
    }
}

fn run() {
    let mut state = STATE.lock();
    loop {
        if let Some(job) = state.due.pop_front() {
            drop(state);
            muxcl_lock::assert_none_held();
            // A panic here is a bug of the driver; it must not end the thread.
            if std::panic::catch_unwind(std::panic::AssertUnwindSafe(job)).is_err() {
                tracing::error!(target: "cl::event", "internal error: panic around a callback");
            }
            state = STATE.lock();
        } else {
            WAKE.wait(&mut state);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    #[test]
    fn jobs_run_in_order_on_another_thread() {
        let (send, receive) = mpsc::channel();
        for i in 0..100 {
            let send = send.clone();
            super::post(move || send.send((i, std::thread::current().id())).unwrap());
        }
        for i in 0..100 {
            let (seen, thread) = receive.recv().unwrap();
            assert_eq!(seen, i);
            assert_ne!(thread, std::thread::current().id());
        }
    }
}
