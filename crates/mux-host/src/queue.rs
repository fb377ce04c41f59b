//! A queue of a host device: submits ready command buffers to a pool of the process.

use crate::pools::Pools;
use crate::task::Task;
use muxcl_mux::SubmitHint;
use muxcl_mux::target::{Ready, TargetQueue};

/// A queue of the root device submits to the pool of all CPUs; a queue of a sub-device, to that
/// sub-device's pool.
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

    fn runs_without_help(&self) -> bool {
        self.pools.current().has_lasting_thread()
    }

    fn help_if_refused(&self) {
        let pool = self.pools.current();
        if pool.is_refused() {
            pool.help(&|| false);
        }
    }

    fn device_name(&self) -> &str {
        "host"
    }
}
