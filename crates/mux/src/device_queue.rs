//! Device-side queues, into which kernels enqueue kernels.

use crate::target::TargetDeviceQueue;
use std::sync::Arc;

/// The limits of a device's device-side queues.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeviceQueueLimits {
    /// Size of a queue in bytes if the application gives none.
    pub preferred_size: u32,
    /// Maximum size of a queue in bytes.
    pub max_size: u32,
    /// Maximum number of queues of one context.
    pub max_queues: u32,
    /// Maximum number of unreleased events of a queue.
    pub max_events: u32,
}

impl DeviceQueueLimits {
    /// Limits for device-side queues that only count bytes and allocate nothing. They are large,
    /// because applications request the maximum.
    pub const OF_ACCOUNTS: Self =
        Self { preferred_size: 4 << 20, max_size: 64 << 20, max_queues: 1024, max_events: 1 << 16 };
}

/// A device-side queue. Cheap to clone. Enqueued commands outlive it.
#[derive(Debug, Clone)]
pub struct DeviceQueue {
    inner: Arc<dyn TargetDeviceQueue>,
}

impl DeviceQueue {
    pub(crate) fn new(inner: Arc<dyn TargetDeviceQueue>) -> Self {
        Self { inner }
    }

    /// Handle of the queue in kernels; not 0.
    #[must_use]
    pub fn handle(&self) -> u64 {
        self.inner.handle()
    }

    /// The target's object.
    #[must_use]
    pub fn target(&self) -> &Arc<dyn TargetDeviceQueue> {
        &self.inner
    }
}
