//! Cancelling a build that nobody needs any more.
//!
//! The thread of the build waits for a reply of the compiler's process. Cancelling shuts the
//! reply's channel down, so the thread returns. Not here: the end of the process that still works
//! on the request (`compiler_client::process`).

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use muxcl_compiler_abi::FailureKind;
use muxcl_lock::{Mutex, Rank};
use muxcl_os::Channel;

use super::Failure;

/// Cancels one build: all requests for it.
#[derive(Debug)]
pub struct Cancel {
    over: AtomicBool,
    /// The channel of the reply that the build waits for.
    reply: Mutex<Option<Arc<Channel>>>,
    /// The [`muxcl_os::fork_generation`] of the process that builds. A child of `fork` has copies
    /// of its channels.
    process: u32,
}

/// A wait for a reply. On drop the wait is over.
#[derive(Debug)]
pub(super) struct Waiting<'a>(&'a Cancel);

impl Default for Cancel {
    fn default() -> Self {
        Self {
            over: AtomicBool::new(false),
            reply: Mutex::new(Rank::Compiler, None),
            process: muxcl_os::fork_generation(),
        }
    }
}

impl Cancel {
    /// Cancels the build. Does nothing in a child of the process that builds.
    pub fn cancel(&self) {
        if self.process != muxcl_os::fork_generation() {
            return;
        }
        let reply = self.reply.lock();
        self.over.store(true, Ordering::Release);
        if let Some(reply) = &*reply {
            reply.shut_down();
        }
    }

    /// True once the build has been cancelled.
    pub(super) fn is_over(&self) -> bool {
        self.over.load(Ordering::Acquire)
    }

    /// Announces a wait for a reply on `reply`; `None` if the build has been cancelled.
    pub(super) fn wait_on(&self, reply: &Arc<Channel>) -> Option<Waiting<'_>> {
        let mut waits = self.reply.lock();
        if self.is_over() {
            return None;
        }
        *waits = Some(Arc::clone(reply));
        Some(Waiting(self))
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        *self.0.reply.lock() = None;
    }
}

/// The failure of a cancelled build.
pub(super) fn cancelled() -> Failure {
    Failure {
        kind: FailureKind::Resources,
        log: "error: the build was cancelled, because nobody needs the program\n".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_ends_when_it_is_cancelled() {
        let cancel = Cancel::default();
        let (reply, other) = Channel::pair().unwrap();
        let reply = Arc::new(reply);
        drop(cancel.wait_on(&reply));
        std::thread::scope(|scope| {
            let waits = scope.spawn(|| {
                let _waiting = cancel.wait_on(&reply);
                reply.receive().unwrap().is_none()
            });
            std::thread::sleep(std::time::Duration::from_millis(20));
            cancel.cancel();
            assert!(waits.join().unwrap());
        });
        assert!(cancel.is_over() && cancel.wait_on(&reply).is_none());
        assert!(other.send(&[b"late"], &[]).is_err());
        assert_eq!(Arc::strong_count(&reply), 1);
    }

    #[test]
    fn a_forked_child_cancels_nothing() {
        let mut cancel = Cancel::default();
        cancel.process = cancel.process.wrapping_sub(1);
        cancel.cancel();
        assert!(!cancel.is_over());
    }
}
