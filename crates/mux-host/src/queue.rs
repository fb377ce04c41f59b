//! The host's queue: hands ready command buffers to the pool of the process.

use crate::pool::pool;
use crate::task::Task;
use muxcl_mux::SubmitHint;
use muxcl_mux::target::{Ready, TargetQueue};

/// Has no state: every queue of every host device feeds the one pool.
#[derive(Debug)]
pub(crate) struct HostQueue;

impl TargetQueue for HostQueue {
    fn submit(&self, work: Ready, hint: SubmitHint) {
        pool().submit(Task::new(work), hint == SubmitHint::CallerWaits);
    }

    fn help(&self, done: &dyn Fn() -> bool) {
        pool().help(done);
    }
}
