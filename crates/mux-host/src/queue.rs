//! A queue of a host device: hands ready command buffers to a pool of the process.

use crate::pools::Pools;
use crate::task::Task;
use muxcl_mux::SubmitHint;
use muxcl_mux::target::{Ready, TargetQueue};

/// Every queue of the host device feeds the one pool of all CPUs; those of a part of it, the pool
/// of that part.
#[derive(Debug)]
pub(crate) struct HostQueue {
    pub(crate) pools: &'static Pools,
}

impl TargetQueue for HostQueue {
    fn submit(&self, work: Ready, hint: SubmitHint) {
        self.pools.current().submit(Task::new(work), hint == SubmitHint::CallerWaits);
    }

    fn help(&self, done: &dyn Fn() -> bool) {
        self.pools.current().help(done);
    }
}
