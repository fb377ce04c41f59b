//! Device-side enqueue for a device on which only the host can start kernels (`docs/adr/0005`).
//!
//! * [`queues`]: the device-side queues and the host's account of their free space.
//! * [`heap`]: the device memory in which kernels leave records and keep events
//!   (`muxcl_types::deferred`).
//! * [`tree`]: a kernel that the host launched, with all its descendants.
//!
//! A tree runs on the thread that runs its command buffer, one kernel after another. A tree is
//! blocked if all its remaining children wait for events that only kernels of other commands can
//! set. `crate::queue` then sets its command buffer aside until other kernels have run.

pub(crate) mod heap;
pub(crate) mod queues;
pub(crate) mod tree;

use crate::connection::DeviceConnection;
use heap::EnqueueHeap;
use muxcl_lock::{Mutex, Rank};
use muxcl_mux::MuxError;
use muxcl_types::enqueue::state;
use queues::Queues;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// State that all enqueue trees of a device share.
#[derive(Debug)]
pub(crate) struct Enqueues {
    pub(crate) queues: Arc<Queues>,
    heap: Mutex<Option<Arc<EnqueueHeap>>>,
    /// Number of trees that have begun and not ended.
    trees: AtomicUsize,
    next: AtomicU64,
}

impl Enqueues {
    pub(crate) fn new() -> Self {
        Self {
            queues: Arc::new(Queues::default()),
            heap: Mutex::new(Rank::Leaf, None),
            trees: AtomicUsize::new(0),
            next: AtomicU64::new(0),
        }
    }

    /// Returns the heap, allocated for the first tree after the device was created. Only one thread
    /// at a time runs trees.
    fn heap(&self, connection: &Arc<DeviceConnection>) -> Result<Arc<EnqueueHeap>, MuxError> {
        let existing = self.heap.lock().clone().filter(|heap| !heap.is_gone());
        if let Some(heap) = existing {
            return Ok(heap);
        }
        let heap = Arc::new(EnqueueHeap::allocate(connection)?);
        *self.heap.lock() = Some(Arc::clone(&heap));
        Ok(heap)
    }

    /// Returns an owner number for the user events of a launch without a default queue. It differs
    /// from every queue number.
    fn new_owner(&self) -> u64 {
        1 << 63 | self.next.fetch_add(1, Ordering::Relaxed)
    }

    /// Frees the events of deleted queues and of `owner`, because no kernel can set their status
    /// any more.
    fn forget(&self, heap: &EnqueueHeap, owner: Option<u64>) -> Result<(), MuxError> {
        let mut gone = self.queues.take_gone();
        gone.extend(owner);
        if gone.is_empty() {
            return Ok(());
        }
        // Without other trees, no record refers to an event.
        let alone = self.trees.load(Ordering::Acquire) <= 1;
        heap.change_events(|event| {
            if !gone.contains(&event.owner) || event.word & 0xffff_ffff == 0 {
                return false;
            }
            event.word &= if alone { !0xffff_ffff } else { !0xffff };
            if event.user != 0 && event.status == state::QUEUED {
                event.status = state::DEPENDENCY_FAILED;
            }
            true
        })
    }
}
