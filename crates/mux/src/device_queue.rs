//! Queues on a device, into which kernels enqueue kernels.

use crate::target::TargetDeviceQueue;
use std::sync::Arc;

/// What a device says of its queues.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeviceQueueLimits {
    /// Bytes a queue has if nobody says.
    pub preferred_size: u32,
    /// Most bytes of a queue.
    pub max_size: u32,
    /// Most queues of one context.
    pub max_queues: u32,
    /// Most events of a queue that have not been released.
    pub max_events: u32,
}

impl DeviceQueueLimits {
    /// For targets: those of queues that are no memory but an account, so that they may be large;
    /// applications ask for the largest.
    pub const OF_ACCOUNTS: Self =
        Self { preferred_size: 1 << 20, max_size: 64 << 20, max_queues: 1024, max_events: 1 << 16 };
}

/// A queue on a device. Cheap to clone; what has been enqueued keeps nothing of it but what it
/// needs.
#[derive(Debug, Clone)]
pub struct DeviceQueue {
    inner: Arc<dyn TargetDeviceQueue>,
}

impl DeviceQueue {
    pub(crate) fn new(inner: Arc<dyn TargetDeviceQueue>) -> Self {
        Self { inner }
    }

    /// What kernels know it by.
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
