//! The process's pools: one for all CPUs, and one for each set of CPUs of a sub-device.
//!
//! Invariant: a set of CPUs has one pool in each fork generation, created at first use and never
//! destroyed. A child of `fork` has none of its parent's threads and gets a new pool.

use crate::pool::{Idle, Pool};
use muxcl_lock::{Mutex, Rank};
use muxcl_os::fork_generation;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::time::Duration;

/// Idle time after which a thread of a sub-device ends: an unused sub-device keeps no thread, and
/// one that is used every second keeps all of them.
pub(crate) const SUB_DEVICE_IDLE: Duration = Duration::from_secs(2);

/// The pools of one set of CPUs: one for each process, because the child of a `fork` needs its own.
#[derive(Debug)]
pub(crate) struct Pools {
    /// The CPUs of a sub-device. Empty for the pool of all CPUs.
    cpus: Vec<u32>,
    /// The idle time of a sub-device's threads.
    idle: Duration,
    current: AtomicPtr<Pool>,
}

/// The pools of all CPUs.
pub(crate) static ROOT: Pools = Pools {
    cpus: Vec::new(),
    idle: SUB_DEVICE_IDLE,
    current: AtomicPtr::new(std::ptr::null_mut()),
};
/// The pools of sub-devices: one entry for each set of CPUs and idle time, never removed.
static SUB_DEVICES: Mutex<Vec<&'static Pools>> = Mutex::new(Rank::Target, Vec::new());

/// The maximum number of threads that compute at once: the CPUs of this process, or
/// `MUXCL_THREADS`.
pub(crate) fn thread_limit() -> usize {
    let available = muxcl_os::available_cpus();
    muxcl_config::MUXCL_THREADS.parse::<usize>().map_or(available, |n| n.clamp(1, 1024))
}

impl Pools {
    /// The pools of a sub-device with these CPUs, whose threads end after `idle` without work.
    pub(crate) fn of_sub_device(cpus: &[u32], idle: Duration) -> &'static Self {
        let mut known = SUB_DEVICES.lock();
        if let Some(same) = known.iter().find(|p| p.cpus == cpus && p.idle == idle) {
            return same;
        }
        let current = AtomicPtr::new(std::ptr::null_mut());
        let new: &'static Self = Box::leak(Box::new(Self { cpus: cpus.to_vec(), idle, current }));
        known.push(new);
        new
    }

    /// The pools of a model.
    #[cfg(all(test, loom))]
    pub(crate) fn of_pool(pool: &'static Pool) -> &'static Self {
        let current = AtomicPtr::new(std::ptr::from_ref(pool).cast_mut());
        Box::leak(Box::new(Self { cpus: Vec::new(), idle: SUB_DEVICE_IDLE, current }))
    }

    /// The pool of this process.
    pub(crate) fn current(&'static self) -> &'static Pool {
        let generation = fork_generation();
        loop {
            let current = self.current.load(Ordering::Acquire);
            // SAFETY: pools are leaked, so a pointer once stored is valid for ever.
            if let Some(pool) = unsafe { current.as_ref() }
                && pool.generation() == generation
            {
                return pool;
            }
            let pool = if self.cpus.is_empty() {
                Pool::new(generation, &[], thread_limit(), Idle::Stay)
            } else {
                Pool::new(generation, &self.cpus, self.cpus.len(), Idle::EndAfter(self.idle))
            };
            let new = Box::into_raw(Box::new(pool));
            if self
                .current
                .compare_exchange(current, new, Ordering::AcqRel, Ordering::Acquire)
                .is_err()
            {
                // SAFETY: another thread has stored its pool first, and no thread has seen this
                // one.
                drop(unsafe { Box::from_raw(new) });
            }
        }
    }
}
