//! `MUXCL_TIME_PASSES=1`: how long each step took, on stderr. Costs one look at the environment per request when off.

use std::cell::Cell;
use std::time::Instant;

/// Measures the steps of one request.
#[derive(Debug)]
pub(crate) struct Timing {
    on: bool,
    depth: Cell<usize>,
}

impl Timing {
    pub(crate) fn from_env() -> Self {
        Self { on: muxcl_config::MUXCL_TIME_PASSES.flag(false), depth: Cell::new(0) }
    }

    /// Runs `work` and shows how long it took.
    #[expect(clippy::print_stderr, reason = "the variable asks for it")]
    pub(crate) fn step<T>(&self, name: &str, work: impl FnOnce() -> T) -> T {
        if !self.on {
            return work();
        }
        let depth = self.depth.get();
        self.depth.set(depth + 1);
        let start = Instant::now();
        let value = work();
        self.depth.set(depth);
        let indent = depth * 2;
        eprintln!("muxcl: {:indent$}{name}: {:.3} ms", "", start.elapsed().as_secs_f64() * 1e3);
        value
    }
}
