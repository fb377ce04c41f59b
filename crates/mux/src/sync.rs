//! A one-shot completion. Waiting threads execute work of the device meanwhile.

use crate::Queue;
use muxcl_lock::Rank;
use muxcl_lock::sync::atomic::{AtomicI32, AtomicU32, Ordering};
use muxcl_lock::sync::{Condvar, Mutex, spin_loop};
use std::time::{Duration, Instant};

/// Rounds of checking and helping before a waiter sleeps: about 10 microseconds, the cost of going
/// to sleep.
const SPINS: u32 = if cfg!(loom) { 1 } else { 400 };
/// Maximum time that a waiter sleeps before it helps again, if its device may need help. Waking 50
/// times a second takes less than 0.1 % of a processor.
const NAP: Duration = Duration::from_millis(20);
/// Interval at which a waiter checks for completion if it has no memory to sleep until then.
const POLL: Duration = Duration::from_millis(1);
const PENDING: i32 = 1;

/// Pending, then completed once with a status of 0 (success) or less (failure). It allocates
/// nothing, and takes a lock only if a thread sleeps.
#[derive(Debug)]
pub struct Completion {
    status: AtomicI32,
    sleepers: AtomicU32,
    lock: Mutex<()>,
    wake: Condvar,
}

impl Default for Completion {
    fn default() -> Self {
        Self::new()
    }
}

impl Completion {
    /// Creates a pending completion.
    #[must_use]
    pub fn new() -> Self {
        Self {
            status: AtomicI32::new(PENDING),
            sleepers: AtomicU32::new(0),
            lock: Mutex::new(Rank::MuxSync, ()),
            wake: Condvar::new(),
        }
    }

    /// The status, once complete.
    #[must_use]
    pub fn status(&self) -> Option<i32> {
        let s = self.status.load(Ordering::Acquire);
        (s <= 0).then_some(s)
    }

    /// True once complete.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.status().is_some()
    }

    /// Completes with `status` (0 success, negative failure); false if it was already complete.
    pub fn complete(&self, status: i32) -> bool {
        let first = self.mark(status);
        if first {
            self.wake();
        }
        first
    }

    /// The first half of [`Self::complete`]: sets the status. Sleeping threads sleep until
    /// [`Self::wake`].
    pub fn mark(&self, status: i32) -> bool {
        self.status
            .compare_exchange(PENDING, status.min(0), Ordering::SeqCst, Ordering::Acquire)
            .is_ok()
    }

    /// The second half of [`Self::complete`]: wakes sleeping threads.
    pub fn wake(&self) {
        if self.sleepers.load(Ordering::SeqCst) != 0 {
            let _held = self.lock.lock();
            self.wake.notify_all();
        }
    }

    /// Makes the completion pending again. Allowed only while no thread waits.
    pub fn reset(&self) {
        self.status.store(PENDING, Ordering::Release);
    }

    /// Waits for the status, and executes work of `queue`'s device meanwhile. `None` if `timeout`
    /// passed first.
    pub fn wait(&self, queue: Option<&Queue>, timeout: Option<Duration>) -> Option<i32> {
        if let Some(s) = self.status() {
            return Some(s);
        }
        let deadline = timeout.and_then(|t| Instant::now().checked_add(t));
        loop {
            for _ in 0..SPINS {
                if let Some(s) = self.status() {
                    return Some(s);
                }
                if let Some(q) = queue {
                    q.help(&|| self.is_complete());
                }
                spin_loop();
            }
            if deadline.is_some_and(|d| Instant::now() >= d) {
                return self.status();
            }
            if queue.is_none_or(Queue::runs_without_help) {
                self.sleep(deadline);
            } else if !cfg!(loom) {
                // Time limits never run out in a model.
                let nap = Instant::now().checked_add(NAP);
                self.sleep(deadline.into_iter().chain(nap).min());
            }
        }
    }

    /// Sleeps until completion or the deadline; shorter if no memory is left.
    fn sleep(&self, deadline: Option<Instant>) {
        if !cfg!(loom) && !muxcl_lock::prepare_thread() {
            std::thread::sleep(POLL);
            return;
        }
        let mut held = self.lock.lock();
        self.sleepers.fetch_add(1, Ordering::SeqCst);
        while self.status.load(Ordering::SeqCst) == PENDING {
            match deadline {
                None => self.wake.wait(&mut held),
                Some(d) => {
                    if self.wake.wait_until(&mut held, d) {
                        break;
                    }
                }
            }
        }
        self.sleepers.fetch_sub(1, Ordering::SeqCst);
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::target::{Ready, TargetQueue};
    use crate::{CommandBuffer, Dispatch, Fence, Semaphore, SubmitHint, Wait};
    use std::collections::VecDeque;
    use std::sync::Arc;

    /// A target for which the system starts no thread.
    #[derive(Debug)]
    struct Threadless(Mutex<VecDeque<Ready>>);

    impl TargetQueue for Threadless {
        fn submit(&self, work: Ready, _hint: SubmitHint) {
            self.0.lock().push_back(work);
        }

        fn help(&self, done: &dyn Fn() -> bool) {
            while !done() {
                let work = self.0.lock().pop_front();
                let Some(work) = work else { return };
                work.done();
            }
        }

        fn runs_without_help(&self) -> bool {
            false
        }
    }

    /// A thread that slept before its command became ready used to sleep for ever.
    #[test]
    fn a_sleeping_thread_helps_a_target_without_threads() {
        let target = Threadless(Mutex::new(Rank::Target, VecDeque::new()));
        let queue = Queue::new(Arc::new(target));
        let (gate, fence) = (Semaphore::new(), Fence::new());
        let wait = Wait { semaphore: gate.clone(), propagate_failure: true };
        let mut commands = CommandBuffer::new(1);
        commands.finalise().unwrap();
        let how = Dispatch { waits: &[wait], fence: Some(&fence), ..Dispatch::default() };
        queue.dispatch(&commands, how).unwrap();
        let waiter = std::thread::spawn(move || {
            let start = Instant::now();
            let result = fence.wait(&queue, Some(Duration::from_secs(5)));
            (result, start.elapsed())
        });
        // The waiter falls asleep.
        std::thread::sleep(Duration::from_millis(100));
        gate.signal(true);
        let (result, time) = waiter.join().unwrap();
        assert_eq!(result, Ok(()));
        assert!(time < Duration::from_secs(4), "the waiter slept for {time:?}");
    }
}
