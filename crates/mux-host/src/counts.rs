//! The operations that the threads of a kernel's launches have counted, for a profile.
//!
//! Invariant: a thread adds its counts before it leaves the launch, so they are complete when the
//! launch has ended. Not here: counting (`passes::count_operations`).

use muxcl_types::operations::OperationCounts;
use std::sync::atomic::{AtomicU64, Ordering};

/// Counts that several threads add to.
#[derive(Debug, Default)]
pub(crate) struct SharedCounts {
    single: AtomicU64,
    double: AtomicU64,
    bytes: AtomicU64,
}

impl SharedCounts {
    /// Adds the counts of a thread.
    pub(crate) fn add(&self, counts: &OperationCounts) {
        let OperationCounts { single, double, bytes } = *counts;
        for (sum, n) in [(&self.single, single), (&self.double, double), (&self.bytes, bytes)] {
            if n != 0 {
                sum.fetch_add(n, Ordering::Relaxed);
            }
        }
    }

    /// Takes what has been added.
    pub(crate) fn take(&self) -> OperationCounts {
        OperationCounts {
            single: self.single.swap(0, Ordering::Relaxed),
            double: self.double.swap(0, Ordering::Relaxed),
            bytes: self.bytes.swap(0, Ordering::Relaxed),
        }
    }
}
