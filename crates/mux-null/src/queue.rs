//! Ready work, run by waiting threads or by a background thread.

use crate::execute::execute;
use muxcl_lock::{Condvar, Mutex, Rank};
use muxcl_mux::SubmitHint;
use muxcl_mux::target::{Ready, TargetQueue};
use std::collections::VecDeque;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

#[derive(Debug)]
struct QueueShared {
    ready: Mutex<VecDeque<Ready>>,
    wake: Condvar,
    epoch: Instant,
}

#[derive(Debug)]
pub(crate) struct NullQueue {
    shared: Arc<QueueShared>,
    background: OnceLock<bool>,
}

/// Time since `epoch`, never 0.
pub(crate) fn nanoseconds(epoch: Instant) -> u64 {
    u64::try_from(epoch.elapsed().as_nanos()).unwrap_or(u64::MAX).max(1)
}

impl NullQueue {
    pub(crate) fn new(epoch: Instant) -> Self {
        let shared = QueueShared {
            ready: Mutex::new(Rank::Target, VecDeque::new()),
            wake: Condvar::new(),
            epoch,
        };
        Self { shared: Arc::new(shared), background: OnceLock::new() }
    }

    /// Starts the background thread. Returns false if the system refuses. Waiting threads then do
    /// all the work.
    fn start(&self) -> bool {
        *self.background.get_or_init(|| {
            let shared = Arc::downgrade(&self.shared);
            let run = move || {
                while let Some(shared) = shared.upgrade() {
                    let mut ready = shared.ready.lock();
                    if ready.is_empty() {
                        let _ = shared.wake.wait_until(
                            &mut ready,
                            Instant::now() + std::time::Duration::from_millis(50),
                        );
                    }
                    let work = ready.pop_front();
                    drop(ready);
                    if let Some(work) = work {
                        execute(work, shared.epoch);
                    }
                }
            };
            std::thread::Builder::new().name("mux-null".into()).spawn(run).is_ok()
        })
    }
}

impl TargetQueue for NullQueue {
    fn submit(&self, work: Ready, hint: SubmitHint) {
        self.shared.ready.lock().push_back(work);
        if hint == SubmitHint::Background && self.start() {
            self.shared.wake.notify_one();
        }
    }

    fn help(&self, done: &dyn Fn() -> bool) {
        while !done() {
            let work = self.shared.ready.lock().pop_front();
            match work {
                Some(work) => execute(work, self.shared.epoch),
                None => return,
            }
        }
    }

    fn runs_without_help(&self) -> bool {
        self.background.get() == Some(&true)
    }
}
