//! Kernels that enqueue kernels, on a device where only the host can start any (`docs/adr/0005`).
//!
//! * [`queues`]: what a `queue_t` is, and how full it is while no kernel runs.
//! * [`area`]: the device memory in which kernels leave records and keep events
//!   (`muxcl_types::deferred`).
//! * [`family`]: a kernel of the host's, and all that is run because of it.
//!
//! A family runs on the thread that runs its command buffer, one kernel after another. If all that
//! is left of it waits for events that only kernels of other commands can set, its command buffer
//! is set aside (`crate::queue`) until some have run.

pub(crate) mod area;
pub(crate) mod family;
pub(crate) mod queues;

use crate::link::Link;
use area::Space;
use muxcl_mux::MuxError;
use muxcl_types::enqueue::state;
use once_cell::sync::OnceCell;
use queues::Queues;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// What all families of a device share.
#[derive(Debug)]
pub(crate) struct Enqueues {
    pub(crate) queues: Arc<Queues>,
    space: OnceCell<Space>,
    /// Families that have begun and not ended.
    families: AtomicUsize,
    next: AtomicU64,
}

impl Enqueues {
    pub(crate) fn new() -> Self {
        Self {
            queues: Arc::new(Queues::default()),
            space: OnceCell::new(),
            families: AtomicUsize::new(0),
            next: AtomicU64::new(0),
        }
    }

    /// The area, taken by the first family.
    fn space(&self, link: &Arc<Link>) -> Result<&Space, MuxError> {
        self.space.get_or_try_init(|| Space::allocate(link))
    }

    /// What user events of a launch without a default queue belong to: no queue's number.
    fn new_owner(&self) -> u64 {
        1 << 63 | self.next.fetch_add(1, Ordering::Relaxed)
    }

    /// The events of queues that are gone, and of `owner`, go with them: nobody can set their
    /// status any more.
    fn forget(&self, space: &Space, owner: Option<u64>) -> Result<(), MuxError> {
        let mut gone = self.queues.take_gone();
        gone.extend(owner);
        if gone.is_empty() {
            return Ok(());
        }
        // Without other families no record refers to any.
        let alone = self.families.load(Ordering::Acquire) <= 1;
        space.change_events(|event| {
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
