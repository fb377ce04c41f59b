//! The counter that a pool's idle threads wait on: a futex, or its equivalent in a loom model.
//!
//! Invariant: a thread that sleeps has seen the current value, so an [`Epoch::advance`] before a
//! [`Epoch::wake`] is never missed.

use muxcl_lock::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// A counter that threads can wait on.
#[derive(Debug)]
pub(crate) struct Epoch {
    value: AtomicU32,
    #[cfg(loom)]
    kernel: model::Kernel,
}

impl Epoch {
    pub(crate) fn new() -> Self {
        Self {
            value: AtomicU32::new(0),
            #[cfg(loom)]
            kernel: model::Kernel::default(),
        }
    }

    /// The current value.
    pub(crate) fn current(&self) -> u32 {
        self.value.load(Ordering::SeqCst)
    }

    /// Makes threads that are about to sleep look for work again.
    pub(crate) fn advance(&self) {
        self.value.fetch_add(1, Ordering::SeqCst);
    }
}

#[cfg(not(loom))]
impl Epoch {
    /// Wakes up to `count` sleeping threads.
    pub(crate) fn wake(&self, count: usize) {
        muxcl_os::futex_wake(&self.value, u32::try_from(count).unwrap_or(u32::MAX));
    }

    /// Sleeps while the value is `seen`, at most for `limit`. May return early.
    pub(crate) fn wait(&self, seen: u32, limit: Option<Duration>) {
        let limit = limit.map(|time| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX));
        muxcl_os::futex_wait(&self.value, seen, limit);
    }
}

#[cfg(loom)]
mod model {
    use super::{Duration, Epoch};
    use muxcl_lock::Rank;
    use muxcl_lock::sync::{Condvar, Mutex};

    /// The operating system's side of a futex: compares the value and sleeps in one step.
    #[derive(Debug)]
    pub(super) struct Kernel {
        lock: Mutex<()>,
        wake: Condvar,
    }

    impl Default for Kernel {
        fn default() -> Self {
            Self { lock: Mutex::new(Rank::Leaf, ()), wake: Condvar::new() }
        }
    }

    impl Epoch {
        pub(crate) fn wake(&self, count: usize) {
            let _held = self.kernel.lock.lock();
            for _ in 0..count {
                self.kernel.wake.notify_one();
            }
        }

        /// Every time limit counts as expired.
        pub(crate) fn wait(&self, seen: u32, limit: Option<Duration>) {
            let mut held = self.kernel.lock.lock();
            if limit.is_none() && self.current() == seen {
                self.kernel.wake.wait(&mut held);
            }
        }
    }
}
