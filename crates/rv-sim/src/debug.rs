//! What a debugger needs of a hart: breakpoints and single steps. Invariant: the loop in `run` has
//! no branch for debugging. A breakpoint is the end of a decoded block, and a step runs blocks of
//! one instruction from a cache of their own, so memory and the ordinary cache stay as they are.
//! Not here: watchpoints, and the decision when a hart stops; both belong to the debugger.

use crate::code::{CodeCache, MAX_BLOCK};
use crate::fault::Exit;
use crate::hart::Hart;
use std::collections::BTreeSet;

/// A hart's state for debugging.
#[derive(Default)]
pub(crate) struct DebugState {
    breakpoints: BTreeSet<u64>,
    /// Blocks of one instruction without breakpoints.
    steps: Option<Box<CodeCache>>,
    stepping: bool,
}

static NO_BREAKPOINTS: BTreeSet<u64> = BTreeSet::new();

impl DebugState {
    /// Discards the decoded code of steps.
    pub(crate) fn flush(&mut self) {
        self.steps = None;
    }

    /// The addresses in front of which blocks end.
    pub(crate) fn breakpoints_in_effect(&self) -> &BTreeSet<u64> {
        if self.stepping { &NO_BREAKPOINTS } else { &self.breakpoints }
    }

    /// Maximum number of instructions of a block.
    pub(crate) const fn longest_block(&self) -> usize {
        if self.stepping { 1 } else { MAX_BLOCK }
    }
}

impl Hart {
    /// Sets the breakpoints: [`Hart::run`] ends with [`Exit::Breakpoint`] in front of each of these
    /// instructions, also in front of the first one of the run. Translated code knows no
    /// breakpoints.
    pub fn set_breakpoints(&mut self, breakpoints: &BTreeSet<u64>) {
        if self.debug.breakpoints != *breakpoints {
            self.debug.breakpoints.clone_from(breakpoints);
            self.code.flush();
        }
    }

    /// Executes one instruction, whether or not it has a breakpoint. Returns [`Exit::Limit`] if the
    /// instruction retired and nothing else happened.
    pub fn step(&mut self) -> Exit {
        let fences = self.fences();
        let mut steps = self.debug.steps.take().unwrap_or_else(|| Box::new(CodeCache::new()));
        std::mem::swap(&mut self.code, &mut steps);
        self.debug.stepping = true;
        let exit = self.run(1);
        self.debug.stepping = false;
        std::mem::swap(&mut self.code, &mut steps);
        self.debug.steps = Some(steps);
        if self.fences() != fences {
            self.flush_code();
        }
        exit
    }
}
