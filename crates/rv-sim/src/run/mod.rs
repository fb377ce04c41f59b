//! The interpreter loop. It executes decoded cells and follows links from block to block until the
//! hart stops. The loop has one arm for each code. An arm calls the function with the code's name
//! in one of the submodules, and the compiler inlines that function.
//!
//! Invariants: `ip` always points at an instruction's cell of the hart's code cache. Nothing
//! flushes the cache while the loop runs: `fence.i` ends the loop, and `Hart::run_loop` starts it
//! again. The number of retired instructions is exact whenever the loop exits or an instruction
//! reads a CSR. Not here: the table of codes (`codes.rs`), decoding (`code.rs`).
#![expect(non_snake_case, reason = "a function has the name of its code")]

mod branch;
mod cells;
mod float;
mod general;
mod integer;
mod memory;
mod terminators;

use crate::code::{Cell, Code, DecodedInst};
use crate::codes::with_codes;
use crate::fault::{Exit, Trap};
use crate::hart::Hart;
use std::convert::Infallible;

impl Hart {
    /// Runs until the hart stops or has retired about `limit` instructions.
    pub(crate) fn run_loop<const RV64: bool>(&mut self, limit: u64) -> Exit {
        let budget = i64::try_from(limit).unwrap_or(i64::MAX).max(1);
        let ip = self.block(self.pc);
        let mut run = Run { hart: self, ip, budget, counted: budget };
        let exit = loop {
            let Err(stop) = run.execute::<RV64>();
            match stop {
                Stop::Exit(exit) => break exit,
                Stop::Trap(trap) => break run.fault(trap),
                Stop::Flush => {
                    run.hart.native.fences += 1;
                    run.hart.code.flush();
                    if run.budget <= 0 {
                        break Exit::Limit;
                    }
                    run.ip = run.hart.block(run.hart.pc);
                }
            }
        };
        run.count();
        exit
    }
}

/// The reason why the loop ends.
enum Stop {
    Exit(Exit),
    /// The instruction at `ip` traps.
    Trap(Trap),
    /// All decoded code is to be discarded, this instruction's included. The run continues at the
    /// hart's pc.
    Flush,
}

impl From<Trap> for Stop {
    #[inline(always)]
    fn from(trap: Trap) -> Self {
        Self::Trap(trap)
    }
}

/// The state of the loop. All methods are inlined into `run_loop`, so that `ip` and `budget` stay
/// in registers of the host.
struct Run<'h> {
    hart: &'h mut Hart,
    /// The cell of the current instruction.
    ip: *mut Cell,
    /// The number of instructions that the hart may still retire, counted from the start of the
    /// current block.
    budget: i64,
    /// The value of `budget` at the last update of `hart.retired`.
    counted: i64,
}

impl Run<'_> {
    /// The loop.
    #[inline(always)]
    fn execute<const RV64: bool>(&mut self) -> Result<Infallible, Stop> {
        // Clippy does not apply this lint in test builds.
        #[cfg_attr(
            not(test),
            expect(clippy::wildcard_imports, reason = "the table of codes names every function")
        )]
        use self::{branch::*, float::*, general::*, integer::*, memory::*, terminators::*};

        macro_rules! dispatch {
            (
                branches: $($branch:ident)*; terminators: $($terminator:ident)*;
                frequent: $($frequent:ident)*; general: $($general:ident)*;
                pairs: $($pair:ident = $first:ident + $second:ident),*;
                branch_pairs: $($branch_pair:ident = $before:ident + $last:ident),*;
            ) => {
                loop {
                    let s = self.slot();
                    match s.code {
                        $(Code::$branch => {
                            let taken = $branch(self.hart, s);
                            // SAFETY: the code is a terminator.
                            unsafe { self.branch(taken) }?;
                        })*
                        $(Code::$frequent => {
                            $frequent::<RV64>(self.hart, s)?;
                            // SAFETY: the code is no terminator.
                            unsafe { self.advance() };
                        })*
                        $(Code::$pair => {
                            $first::<RV64>(self.hart, s)?;
                            // SAFETY: the first code is no terminator.
                            unsafe { self.advance() };
                            $second::<RV64>(self.hart, self.slot())?;
                            // SAFETY: the second code is no terminator.
                            unsafe { self.advance() };
                        })*
                        $(Code::$branch_pair => {
                            $before::<RV64>(self.hart, s)?;
                            // SAFETY: the first code is no terminator.
                            unsafe { self.advance() };
                            let taken = $last(self.hart, self.slot());
                            // SAFETY: the second code is a terminator.
                            unsafe { self.branch(taken) }?;
                        })*
                        $(Code::$general => {
                            $general::<RV64>(self.hart, s)?;
                            // SAFETY: the code is no terminator.
                            unsafe { self.advance() };
                        })*
                        $(Code::$terminator => {
                            // SAFETY: the code is a terminator.
                            unsafe { $terminator::<RV64>(self, s) }?;
                        })*
                    }
                }
            };
        }
        with_codes!(dispatch)
    }

    /// The current instruction.
    #[inline(always)]
    fn slot<'a>(&self) -> &'a DecodedInst {
        // SAFETY: the module's invariants. Only this module calls it, and only in the loop, so no
        // result lives until a flush.
        unsafe { cells::slot(self.ip) }
    }

    /// Continues with the next cell.
    ///
    /// # Safety
    /// The current instruction is no terminator.
    #[inline(always)]
    unsafe fn advance(&mut self) {
        // SAFETY: the module's invariant and the caller's promise.
        self.ip = unsafe { cells::following(self.ip) };
    }

    /// Leaves the block to the target of a branch or to the next instruction.
    ///
    /// # Safety
    /// The current instruction is a terminator.
    #[inline(always)]
    unsafe fn branch(&mut self, taken: bool) -> Result<(), Stop> {
        // A branch instead of a conditional move: the processor detects a misprediction earlier.
        let at = if taken {
            keep_branch();
            // SAFETY: the module's invariant and the caller's promise.
            unsafe { cells::taken_link(self.ip) }
        } else {
            // SAFETY: as above.
            unsafe { cells::next_link(self.ip) }
        };
        // SAFETY: `at` is a link of this terminator.
        unsafe { self.follow(at) }
    }

    /// Leaves the block through a link.
    ///
    /// # Safety
    /// The current instruction is a terminator, and `at` is one of its links.
    #[inline(always)]
    unsafe fn follow(&mut self, at: *mut Cell) -> Result<(), Stop> {
        self.budget -= i64::from(self.slot().n);
        // SAFETY: the caller's promise.
        let link = unsafe { cells::read_link(at) };
        if self.budget <= 0 {
            self.hart.pc = link.pc;
            return Err(Stop::Exit(Exit::Limit));
        }
        self.ip = if link.target.is_null() {
            // SAFETY: the caller's promise.
            unsafe { self.hart.resolve(at) }
        } else {
            link.target
        };
        Ok(())
    }

    /// Adds the instructions executed since the last update to `hart.retired`.
    #[inline(always)]
    fn count(&mut self) {
        self.hart.retired += (self.counted - self.budget).cast_unsigned();
        self.counted = self.budget;
    }

    /// The exit for a trap of the current instruction.
    fn fault(&mut self, trap: Trap) -> Exit {
        // SAFETY: the module's invariant.
        let (before, exit) = unsafe { self.hart.fault_at(self.ip, trap) };
        self.budget -= before.cast_signed();
        exit
    }
}

/// Keeps the compiler from turning a branch into a conditional move.
#[inline(always)]
fn keep_branch() {
    #[cfg(not(miri))]
    // SAFETY: the assembly is empty.
    unsafe {
        std::arch::asm!("", options(nomem, nostack, preserves_flags));
    }
}
