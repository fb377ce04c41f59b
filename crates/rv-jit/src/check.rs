//! Runs a hart twice, with translated code and with the interpreter, and stops at the first
//! difference.
//!
//! A slice of instructions is run three times from the same state: by the interpreter, to learn
//! which memory changes; by translated code; and by the interpreter for as many instructions.
//! Between them, registers and memory get their old values. Invariant: one hart of a machine runs
//! at a time, so memory changes only by the checked code. Limits: a slice that accesses a device or
//! reads the clock is run once, by the interpreter. In every second slice, a journal of translated
//! code's stores is kept as well; its stores then take their rare paths. In the other slices they
//! take the frequent ones, and a wrong store to an address where the interpreter stores nothing is
//! not seen.

use crate::run::Executor;
use muxcl_rv_sim::native::LONGEST_BLOCK;
use muxcl_rv_sim::{Exit, Hart, Journal, Registers};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

/// Number of instructions of a slice.
const SLICE: u64 = 20_000;
/// Number of instructions that translated code may retire beyond a limit.
const BEYOND: u64 = 10_000;
/// The most differences that are listed.
const MOST: usize = 20;

/// Lets one hart run at a time, in the order in which they ask: a hart that waits for another one
/// must not keep it from running.
#[derive(Debug, Default)]
pub(crate) struct Turns {
    next: AtomicU64,
    now: AtomicU64,
}

/// A hart's turn, until this is dropped.
struct Turn<'a>(&'a Turns);

impl<'a> Turn<'a> {
    fn take(turns: &'a Turns) -> Self {
        let mine = turns.next.fetch_add(1, Ordering::Relaxed);
        while turns.now.load(Ordering::Acquire) != mine {
            std::thread::yield_now();
        }
        Self(turns)
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.0.now.fetch_add(1, Ordering::Release);
    }
}

/// The outcome of a run: its end, the registers, and the noted memory.
struct Outcome {
    exit: Exit,
    registers: Registers,
    bytes: BTreeMap<u64, u8>,
}

/// Runs to the exit or to `retired` retired instructions. Translated code can end in the middle of
/// what is one block for the interpreter, so the last instructions are single steps.
fn interpret(hart: &mut Hart, retired: u64) -> Exit {
    while hart.retired() < retired {
        let far = retired - hart.retired() > LONGEST_BLOCK as u64 + 1;
        let exit = if far { hart.run(1) } else { hart.step() };
        if exit != Exit::Limit {
            return exit;
        }
    }
    Exit::Limit
}

impl Executor {
    /// Runs as [`Hart::run`] does, and checks translated code.
    pub(crate) fn run_checked(&mut self, hart: &mut Hart, limit: u64) -> Exit {
        let begin = hart.retired();
        loop {
            let left = limit.saturating_sub(hart.retired() - begin);
            if left == 0 || self.differs() {
                return Exit::Limit;
            }
            let exit = self.check(hart, left.min(SLICE));
            if exit != Exit::Limit {
                return exit;
            }
        }
    }

    fn check(&mut self, hart: &mut Hart, count: u64) -> Exit {
        let translator = self.translator();
        let _turn = Turn::take(&translator.turns);
        let before = hart.registers();
        hart.begin_journal();
        let exit = interpret(hart, before.retired() + count + BEYOND);
        let journal = hart.end_journal();
        if journal.has_once() {
            return exit;
        }
        self.slices += 1;
        let noted = self.slices.is_multiple_of(2);
        journal.undo(hart);
        let mut length = count;
        let mut found = None;
        // After a difference, half the slice is tried, so that the report names few instructions.
        loop {
            let (exit, differences) = self.compare(hart, &before, &journal, length, noted);
            if differences.is_empty() {
                if found.is_none() {
                    return exit;
                }
                break;
            }
            found = Some((length, differences));
            if length == 1 {
                break;
            }
            length /= 2;
        }
        let (length, differences) = found.unwrap_or_default();
        let text = format!(
            "translated code differs from the interpreter within {length} instructions from \
             {:#x} ({} instructions retired before): {}",
            before.pc(),
            before.retired(),
            differences.join("; ")
        );
        self.set_difference(text);
        Exit::Limit
    }

    /// Runs about `count` instructions both ways from `before`. The hart is then as the interpreter
    /// left it. Returns the exit and the differences; if there are any, memory has its old values.
    fn compare(
        &mut self,
        hart: &mut Hart,
        before: &Registers,
        journal: &Journal,
        count: u64,
        noted: bool,
    ) -> (Exit, Vec<String>) {
        hart.set_registers(before);
        if noted {
            hart.begin_journal();
        }
        let exit = self.run_translated(hart, count);
        let mut more = Vec::new();
        if noted {
            let stored = hart.end_journal();
            let known = journal.now(hart);
            more.extend(stored.addresses().into_iter().filter(|a| !known.contains_key(a)));
        }
        let translated = Outcome { exit, registers: hart.registers(), bytes: journal.now(hart) };
        journal.undo(hart);
        hart.set_registers(before);
        // A fault comes after the last retired instruction.
        let fault = u64::from(!matches!(exit, Exit::Limit));
        let exit = interpret(hart, translated.registers.retired() + fault);
        let expected = Outcome { exit, registers: hart.registers(), bytes: journal.now(hart) };
        let mut differences = self.differences(&translated, &expected);
        for address in more.into_iter().take(MOST) {
            differences.push(format!("a store to {address:#x} that the interpreter lacks"));
        }
        if !differences.is_empty() {
            journal.undo(hart);
        }
        (exit, differences)
    }

    fn differences(&self, translated: &Outcome, expected: &Outcome) -> Vec<String> {
        let mut all = Vec::new();
        if translated.exit != expected.exit {
            all.push(format!("exit {:?}, not {:?}", translated.exit, expected.exit));
        }
        let flags = self.translator().computes_flags();
        let lists = [&translated.registers, &expected.registers].map(|r| r.list(flags));
        for ((name, value), (_, right)) in lists[0].iter().zip(&lists[1]) {
            if value != right {
                all.push(format!("{name} {value}, not {right}"));
            }
        }
        for (address, byte) in &translated.bytes {
            match expected.bytes.get(address) {
                Some(right) if right != byte => {
                    all.push(format!("byte at {address:#x} {byte:#x}, not {right:#x}"));
                }
                _ => {}
            }
        }
        let more = all.len().saturating_sub(MOST);
        all.truncate(MOST);
        if more > 0 {
            all.push(format!("and {more} more"));
        }
        all
    }
}
