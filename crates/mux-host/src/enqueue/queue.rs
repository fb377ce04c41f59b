//! Device-side queues. Enqueued commands go straight to the pool; a queue only counts bytes and
//! events against its limits.
//!
//! Invariant: the bytes of a command are returned when it has run, events when they are released.
//!
//! A queue also knows how long its kernels usually run, because handing a short kernel to another
//! thread takes longer than running it (`child`).

use super::event;
use super::registry::Registry;
use muxcl_mux::target::TargetDeviceQueue;
use muxcl_mux::{DeviceQueueLimits, MuxError};
use std::any::Any;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};

/// The limits of the host's queues.
pub(crate) const DEVICE_QUEUES: DeviceQueueLimits = DeviceQueueLimits::OF_ACCOUNTS;

static QUEUES: Registry<Weak<DeviceQueue>> = Registry::new();

/// A device-side queue.
#[derive(Debug)]
pub(crate) struct DeviceQueue {
    number: u64,
    size: u64,
    used: AtomicU64,
    events: AtomicU64,
    /// The usual time of a kernel in ns; 0 before the first one has run.
    usual_ns: AtomicU64,
}

impl DeviceQueue {
    pub(crate) fn create(size: u32) -> Result<Arc<Self>, MuxError> {
        let mut made = None;
        let insert = |number| {
            let queue = Arc::new(Self {
                number,
                size: size.into(),
                used: AtomicU64::new(0),
                events: AtomicU64::new(0),
                usual_ns: AtomicU64::new(0),
            });
            let weak = Arc::downgrade(&queue);
            made = Some(queue);
            weak
        };
        QUEUES.insert(insert).and(made).ok_or(MuxError::OutOfMemory)
    }

    /// The queue of a handle.
    pub(crate) fn find(number: u64) -> Option<Arc<Self>> {
        QUEUES.get(number)?.upgrade()
    }

    /// The queue's handle in kernels.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    /// Reserves `bytes` for a command; false if the queue is full.
    pub(crate) fn take(&self, bytes: u64) -> bool {
        let more = |used: u64| used.checked_add(bytes).filter(|all| *all <= self.size);
        self.used.fetch_update(Ordering::AcqRel, Ordering::Relaxed, more).is_ok()
    }

    /// Returns the bytes of a command.
    pub(crate) fn give(&self, bytes: u64) {
        self.used.fetch_sub(bytes, Ordering::AcqRel);
    }

    /// Takes note that a kernel ran for `ns`.
    pub(crate) fn measured(&self, ns: u64) {
        // Threads race for the value, which only chooses who runs a kernel. A model must take the
        // same path each time.
        if !cfg!(loom) {
            let old = self.usual_ns.load(Ordering::Relaxed);
            let ns = ns.clamp(1, 1 << 40);
            let usual = if old == 0 { ns } else { ((old * 7 + ns) / 8).max(1) };
            self.usual_ns.store(usual, Ordering::Relaxed);
        }
    }

    /// The number of kernels that usually run in `ns`. `None` if a single one takes about that
    /// long, or if that is unknown.
    pub(crate) fn kernels_in(&self, ns: u64) -> Option<usize> {
        let count = ns.checked_div(self.usual_ns.load(Ordering::Relaxed))?;
        usize::try_from(count).ok().filter(|count| *count > 1)
    }

    /// Adds an event to the count; false if the limit is reached.
    pub(crate) fn take_event(&self) -> bool {
        let more = |n: u64| (n < u64::from(DEVICE_QUEUES.max_events)).then_some(n + 1);
        self.events.fetch_update(Ordering::AcqRel, Ordering::Relaxed, more).is_ok()
    }

    /// Removes an event from the count.
    pub(crate) fn give_event(&self) {
        self.events.fetch_sub(1, Ordering::AcqRel);
    }
}

impl Drop for DeviceQueue {
    fn drop(&mut self) {
        QUEUES.remove(self.number);
        // Unreleased events end with their queue.
        event::forget(self.number);
    }
}

impl TargetDeviceQueue for DeviceQueue {
    fn handle(&self) -> u64 {
        self.number
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_queue_knows_how_many_kernels_run_in_a_time() {
        let queue = DeviceQueue::create(64).unwrap();
        assert_eq!(queue.kernels_in(5000), None);
        queue.measured(250);
        assert_eq!(queue.kernels_in(5000), Some(20));
        // One slow kernel is enough to hand kernels out one by one.
        queue.measured(1_000_000);
        assert_eq!(queue.kernels_in(5000), None);
        for _ in 0..200 {
            queue.measured(0);
        }
        assert_eq!(queue.kernels_in(5000), Some(5000));
    }
}
