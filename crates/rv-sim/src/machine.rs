//! Several harts over one memory, each on its own host thread while they run. Invariant: harts
//! share nothing but the memory. The memory order is the host's, which is at least as strong as
//! RVWMO: `fence`, `aq`/`rl` and atomics are sequentially consistent. Callers with many short runs
//! should keep harts on threads of their own instead.

use crate::fault::Exit;
use crate::hart::{ConfigError, Hart, HartConfig};
use crate::memory::Memory;
use std::sync::Arc;

/// The handler's decision after a hart stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// Resume the hart.
    Continue,
    /// The hart is done.
    Stop,
}

/// A memory and its harts.
#[derive(Debug)]
pub struct Machine {
    memory: Arc<Memory>,
    harts: Vec<Hart>,
}

impl Machine {
    /// Creates a machine with `count` identical harts, numbered from 0.
    ///
    /// # Errors
    /// The configuration is invalid.
    pub fn new(config: &HartConfig, count: u32, memory: Memory) -> Result<Self, ConfigError> {
        let memory = Arc::new(memory);
        let harts =
            (0..count).map(|id| Hart::new(id, config, memory.clone())).collect::<Result<_, _>>()?;
        Ok(Self { memory, harts })
    }

    /// The memory map.
    #[must_use]
    pub const fn memory(&self) -> &Arc<Memory> {
        &self.memory
    }

    /// The harts.
    #[must_use]
    pub fn harts(&self) -> &[Hart] {
        &self.harts
    }

    /// The harts, for setup.
    pub fn harts_mut(&mut self) -> &mut [Hart] {
        &mut self.harts
    }

    /// Runs all harts in parallel, `limit` instructions at a time. Calls `handler` on the hart's
    /// thread whenever a hart stops. Returns the last exit of each hart, in the harts' order.
    pub fn run(
        &mut self,
        limit: u64,
        handler: impl Fn(&mut Hart, Exit) -> Next + Sync,
    ) -> Vec<Exit> {
        let drive = |hart: &mut Hart| {
            loop {
                let exit = hart.run(limit);
                if handler(hart, exit) == Next::Stop {
                    return exit;
                }
            }
        };
        let mut exits = vec![Exit::Limit; self.harts.len()];
        std::thread::scope(|scope| {
            let mut work = self.harts.iter_mut().zip(&mut exits);
            // A single hart runs on the caller's thread.
            let first = work.next();
            for (hart, exit) in work {
                scope.spawn(|| *exit = drive(hart));
            }
            if let Some((hart, exit)) = first {
                *exit = drive(hart);
            }
        });
        exits
    }
}
