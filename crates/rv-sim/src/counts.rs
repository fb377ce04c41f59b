//! Exact execution counts of code. Invariant: the counts cover exactly the instructions that a
//! counted hart reports as retired. Not here: what the instructions are.

use crate::fault::Exit;
use crate::hart::Hart;
use std::collections::BTreeMap;

/// Number of stretches that are counted without a search; a power of two.
const RECENT: usize = 1024;

/// Consecutive instructions that were executed one after the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stretch {
    /// Address of the first instruction.
    pub pc: u64,
    /// Number of instructions.
    pub length: u64,
}

/// A stretch with a count that is not in the map yet. No stretch is empty, so a length of 0 marks
/// an unused entry.
#[derive(Debug, Clone, Copy)]
struct Recent {
    stretch: Stretch,
    times: u64,
}

const UNUSED: Recent = Recent { stretch: Stretch { pc: 0, length: 0 }, times: 0 };

/// How often each stretch of code was executed. Stretches may overlap: the interpreter and
/// translated code divide code differently.
#[derive(Debug, Clone, Default)]
pub struct CodeCounts {
    /// Empty until the first count.
    recent: Vec<Recent>,
    all: BTreeMap<Stretch, u64>,
}

impl CodeCounts {
    /// Counts `times` executions of a stretch.
    pub fn add(&mut self, stretch: Stretch, times: u64) {
        if stretch.length == 0 || times == 0 {
            return;
        }
        if self.recent.is_empty() {
            self.recent = vec![UNUSED; RECENT];
        }
        let entry = &mut self.recent[(stretch.pc >> 1) as usize & (RECENT - 1)];
        if entry.stretch == stretch {
            entry.times += times;
            return;
        }
        let old = std::mem::replace(entry, Recent { stretch, times });
        if old.stretch.length != 0 {
            *self.all.entry(old.stretch).or_default() += old.times;
        }
    }

    /// Runs `hart` in the interpreter as [`Hart::run`] does, and counts what it executes.
    pub fn run(&mut self, hart: &mut Hart, limit: u64) -> Exit {
        let begin = hart.retired();
        loop {
            let (pc, before) = (hart.pc(), hart.retired());
            // One instruction is the smallest limit, so the run ends with the basic block.
            let exit = hart.run(1);
            self.add(Stretch { pc, length: hart.retired() - before }, 1);
            if exit != Exit::Limit || hart.retired() - begin >= limit {
                return exit;
            }
        }
    }

    /// Executes one instruction of `hart` as [`Hart::step`] does, and counts it.
    pub fn step(&mut self, hart: &mut Hart, step: impl FnOnce(&mut Hart) -> Exit) -> Exit {
        let (pc, before) = (hart.pc(), hart.retired());
        let exit = step(hart);
        self.add(Stretch { pc, length: hart.retired() - before }, 1);
        exit
    }

    /// The counts so far, which begin anew.
    pub fn take(&mut self) -> BTreeMap<Stretch, u64> {
        for entry in &mut self.recent {
            let old = std::mem::replace(entry, UNUSED);
            if old.stretch.length != 0 {
                *self.all.entry(old.stretch).or_default() += old.times;
            }
        }
        std::mem::take(&mut self.all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_of_one_address_and_of_one_entry_are_kept_apart() {
        let mut counts = CodeCounts::default();
        let far = 0x1000 + 2 * RECENT as u64;
        for _ in 0..3 {
            counts.add(Stretch { pc: 0x1000, length: 4 }, 2);
            counts.add(Stretch { pc: 0x1000, length: 3 }, 1);
            counts.add(Stretch { pc: far, length: 4 }, 5);
        }
        counts.add(Stretch { pc: 0x2000, length: 0 }, 1);
        let expected = [
            (Stretch { pc: 0x1000, length: 3 }, 3),
            (Stretch { pc: 0x1000, length: 4 }, 6),
            (Stretch { pc: far, length: 4 }, 15),
        ];
        assert_eq!(counts.take(), BTreeMap::from(expected));
        assert!(counts.take().is_empty());
    }
}
