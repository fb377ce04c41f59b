//! Runs a hart: translated code where it is hot, the interpreter elsewhere.
//!
//! Invariant: registers, memory, the number of retired instructions and the reason of each stop are
//! those of the interpreter, but for [`Exit::Limit`], which may come a few blocks later.

use crate::cache::{self, Choices, Generation, Translator};
use crate::host::Status;
use crate::lower::JUMPS;
use muxcl_rv_sim::{CodeCounts, Exit, Hart, Stretch};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Number of instructions that the interpreter executes between two looks at what is hot.
const SAMPLE: u64 = 1000;
/// The heat at which a piece of code is translated: translating an instruction takes as long as
/// interpreting ten thousand.
const HOT: u16 = 500;
/// The heat of a sample. A block that the interpreter executes between translated code has heat 1.
const SAMPLE_HEAT: u16 = 5;
/// Number of blocks that the interpreter executes one by one after translated code: they may lead
/// back to it.
const NEAR: u32 = 64;
/// Binary logarithm of the size of such a piece in bytes.
const PIECE: u32 = 7;
/// Number of counters of samples.
const COUNTERS: usize = 1024;
/// Number of addresses that a hart knows to have no code.
const MISSES: usize = 256;
/// Number of entries with a register of another format after which a region is translated again,
/// with the floating-point registers in memory.
const WRONG_FORMATS: u32 = 8;

/// Number of ends of regions by accesses elsewhere after which a region is translated again.
const OUTSIDES: u32 = 32;
/// Number of accesses elsewhere after which a hart looks which ones they are.
const ELSEWHERES: u64 = 2048;
/// Number of accesses elsewhere of one instruction after which translations expect it there.
const OFTEN_ELSEWHERE: u32 = 256;
/// Number of ends of regions by a short `vl`, in a row, after which a region is translated again.
const SHORT_LENGTHS: u32 = 32;
/// Number of instructions between two such ends that makes them rare.
const RARE_LENGTHS: u64 = 2000;

/// An entry of the table of jump targets, as translated code reads it.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
struct Jump {
    pc: u64,
    code: usize,
}

const NO_JUMP: Jump = Jump { pc: u64::MAX, code: 0 };

/// What one hart knows of the translations.
#[derive(Debug)]
pub struct Executor {
    translator: Arc<Translator>,
    generation: Arc<Generation>,
    epoch: u64,
    jumps: Box<[Jump; JUMPS]>,
    /// Addresses without code in the generation with `count` translations.
    misses: Box<[u64; MISSES]>,
    count: u64,
    heat: Box<[u16; COUNTERS]>,
    wrong_formats: u32,
    /// Grows when regions end because `vl` is not the largest one, and shrinks when they do so
    /// rarely.
    short_lengths: u32,
    /// The number of retired instructions at the last such end.
    last_short: u64,
    /// The number of ends of regions because accesses are not where they are expected.
    outsides: u32,
    /// The number of accesses elsewhere ([`Hart::elsewhere`]) at the last look at them.
    elsewhere: u64,
    /// Whether translated code is checked.
    checked: bool,
    /// Number of checked slices.
    pub(crate) slices: u64,
    difference: Option<String>,
    /// Number of samples after which code is translated.
    hot: u16,
    /// Number of instructions between samples.
    sample: u64,
    /// The counters of translated code, if execution is counted; else empty.
    counters: Vec<u64>,
    /// What the counters do not have.
    counts: CodeCounts,
}

impl Executor {
    /// Translates all code at once, for tests.
    #[must_use]
    pub fn eager(translator: Arc<Translator>) -> Self {
        Self { hot: 0, sample: 1, ..Self::new(translator) }
    }

    /// Translates all code at once and compares it with the interpreter. After a run, ask for
    /// [`Self::take_difference`].
    #[must_use]
    pub fn checked(translator: Arc<Translator>) -> Self {
        Self { checked: true, ..Self::eager(translator) }
    }

    /// The first difference between translated code and the interpreter, if there was one. The hart
    /// does not run until this is asked for.
    pub fn take_difference(&mut self) -> Option<String> {
        self.difference.take()
    }

    pub(crate) const fn differs(&self) -> bool {
        self.difference.is_some()
    }

    pub(crate) fn set_difference(&mut self, text: String) {
        self.difference = Some(text);
    }

    pub(crate) fn translator(&self) -> Arc<Translator> {
        Arc::clone(&self.translator)
    }

    /// For a hart that uses these translations.
    #[must_use]
    pub fn new(translator: Arc<Translator>) -> Self {
        Self {
            generation: translator.generation(),
            epoch: translator.epoch(),
            translator,
            jumps: Box::new([NO_JUMP; JUMPS]),
            misses: Box::new([u64::MAX; MISSES]),
            count: 0,
            heat: Box::new([0; COUNTERS]),
            wrong_formats: 0,
            short_lengths: 0,
            last_short: 0,
            outsides: 0,
            elsewhere: 0,
            checked: false,
            slices: 0,
            difference: None,
            hot: HOT,
            sample: SAMPLE,
            counters: Vec::new(),
            counts: CodeCounts::default(),
        }
    }

    /// Reports that the guest's code in memory has become version `version`, a number that grows.
    pub fn code_changed(&mut self, hart: &Hart, version: u64) {
        self.translator.synchronize(hart, version);
    }

    /// Runs as [`Hart::run`] does. The same hart each time.
    pub fn run(&mut self, hart: &mut Hart, limit: u64) -> Exit {
        if self.checked { self.run_checked(hart, limit) } else { self.run_translated(hart, limit) }
    }

    pub(crate) fn run_translated(&mut self, hart: &mut Hart, limit: u64) -> Exit {
        let begin = hart.retired();
        self.prepare(hart);
        // The link by which translated code left, to be led to the code at the pc.
        let mut link = 0;
        let mut near = 0_u32;
        loop {
            // Translated code counts down in 63 bits.
            let left = limit.saturating_sub(hart.retired() - begin).min(i64::MAX.cast_unsigned());
            if left == 0 {
                return Exit::Limit;
            }
            if self.translator.epoch() != self.epoch {
                self.forget();
                self.prepare(hart);
                link = 0;
            }
            let pc = hart.pc();
            let known = if hart.rounds_to_nearest() { self.find(pc) } else { None };
            let Some(code) = known else {
                link = 0;
                let fences = hart.fences();
                let some = if near > 0 { 1 } else { left.min(self.sample) };
                let exit = self.interpret(hart, some);
                if hart.fences() != fences {
                    self.translator.compare(hart);
                }
                if exit != Exit::Limit {
                    return exit;
                }
                self.heat(hart, if near > 0 { 1 } else { SAMPLE_HEAT });
                near = near.saturating_sub(1);
                continue;
            };
            if link != 0 {
                self.generation.link(link, code);
                link = 0;
            }
            // SAFETY: `code` is of this executor's generation, for harts of this machine.
            let status = unsafe { self.generation.pieces.enter(hart, code, left) };
            hart.count_native(left);
            near = if self.hot == 0 { 0 } else { NEAR };
            self.find_misplaced(hart);
            match status {
                Status::Continue => {}
                Status::Unlinked => link = hart.link(),
                Status::Limit => return Exit::Limit,
                Status::Fault => {
                    if self.generation.counts {
                        self.counts.add(hart.stretch_before_trap(), 1);
                    }
                    return hart.native_fault();
                }
                Status::Interpret | Status::Format | Status::Length | Status::Outside => {
                    match status {
                        Status::Format => self.wrong_format(hart),
                        Status::Length => self.short_length(hart),
                        Status::Outside => self.outside(hart),
                        _ => {}
                    }
                    let fences = hart.fences();
                    let exit = self.interpret(hart, 1);
                    if hart.fences() != fences {
                        self.translator.compare(hart);
                    }
                    if exit != Exit::Limit {
                        return exit;
                    }
                }
            }
        }
    }

    /// Gives the hart what translated code of the generation needs.
    fn prepare(&mut self, hart: &mut Hart) {
        if self.generation.counts && self.counters.is_empty() {
            self.counters = vec![0; cache::COUNTERS];
        }
        hart.set_native(self.jumps.as_ptr().addr(), self.generation.pieces.functions);
        hart.set_counts(self.counters.as_mut_ptr().expose_provenance());
    }

    /// Runs the hart in the interpreter.
    fn interpret(&mut self, hart: &mut Hart, limit: u64) -> Exit {
        if self.generation.counts { self.counts.run(hart, limit) } else { hart.run(limit) }
    }

    /// How often each stretch of code was executed since the last call, if execution is counted
    /// ([`Translator::set_counting`]).
    pub fn take_counts(&mut self) -> BTreeMap<Stretch, u64> {
        self.collect();
        self.counts.take()
    }

    /// Takes the values of the counters, which belong to the current generation.
    fn collect(&mut self) {
        let Self { generation, counters, counts, .. } = self;
        if generation.counts && !counters.is_empty() {
            generation.each_counter(|number, stretch| {
                counts.add(stretch, std::mem::take(&mut counters[number]));
            });
        }
    }

    /// The code at `pc`, if there is any.
    fn find(&mut self, pc: u64) -> Option<*const u8> {
        let jump = &mut self.jumps[(pc >> 1) as usize & (JUMPS - 1)];
        if jump.pc == pc {
            return Some(std::ptr::with_exposed_provenance(jump.code));
        }
        let count = self.generation.count();
        if self.count != count {
            self.count = count;
            self.misses.fill(u64::MAX);
        }
        let miss = &mut self.misses[(pc >> 1) as usize & (MISSES - 1)];
        if *miss == pc {
            return None;
        }
        let Some(Some(code)) = self.generation.find(pc) else {
            *miss = pc;
            return None;
        };
        *jump = Jump { pc, code: code.expose_provenance() };
        Some(code)
    }

    /// Forgets everything about earlier translations.
    fn forget(&mut self) {
        self.collect();
        self.epoch = self.translator.epoch();
        self.generation = self.translator.generation();
        self.jumps.fill(NO_JUMP);
        self.misses.fill(u64::MAX);
        self.count = self.generation.count();
    }

    /// Counts the sample at the hart's pc, and translates there if it is hot.
    fn heat(&mut self, hart: &Hart, more: u16) {
        let pc = hart.pc();
        let counter = &mut self.heat[(pc >> PIECE) as usize & (COUNTERS - 1)];
        *counter = counter.saturating_add(more);
        if *counter >= self.hot {
            *counter = 0;
            if hart.rounds_to_nearest() && self.generation.find(pc).is_none() {
                self.translator.translate(&self.generation, hart, pc, self.translator.first);
            }
        }
    }

    /// Counts an entry that found a register of another format or another vector type. After some,
    /// the region is translated again, without variables for such registers and for any type.
    fn wrong_format(&mut self, hart: &Hart) {
        self.wrong_formats += 1;
        if self.wrong_formats < WRONG_FORMATS {
            return;
        }
        self.wrong_formats = 0;
        let pc = hart.pc();
        let before = self.generation.choices(pc);
        let unboxed = |bits: u32| {
            let other = (0..32).filter(move |k| (!hart.f(*k)) >> bits != 0);
            other.fold(0, |all, k| all | 1 << k)
        };
        let choices = Choices {
            no_singles: before.no_singles | unboxed(32),
            no_halves: before.no_halves | unboxed(16),
            any_shape: true,
            ..before
        };
        if choices != before {
            self.translator.translate(&self.generation, hart, pc, choices);
            self.jumps.fill(NO_JUMP);
        }
    }

    /// Counts an end of a region because several accesses are not all in the region of memory where
    /// they are expected. After some, the region is translated again, with a check of each access.
    fn outside(&mut self, hart: &Hart) {
        self.outsides += 1;
        if self.outsides < OUTSIDES {
            return;
        }
        self.outsides = 0;
        let pc = hart.native_address();
        let before = self.generation.choices(pc);
        let choices = Choices { each_access: true, ..before };
        if choices != before {
            self.translator.translate(&self.generation, hart, pc, choices);
            self.jumps.fill(NO_JUMP);
        }
    }

    /// Translates regions again whose accesses are often not in the memory where they are expected.
    fn find_misplaced(&mut self, hart: &Hart) {
        let (harts, each) = if self.hot == 0 { (1, 1) } else { (ELSEWHERES, OFTEN_ELSEWHERE) };
        if hart.elsewhere().wrapping_sub(self.elsewhere) < harts {
            return;
        }
        self.elsewhere = hart.elsewhere();
        for (pc, choices) in self.generation.misplaced(each) {
            self.translator.translate(&self.generation, hart, pc, choices);
        }
        self.jumps.fill(NO_JUMP);
    }

    /// Counts an end of a region because `vl` is not the largest one. If that is frequent, the
    /// region is translated again for any `vl`.
    fn short_length(&mut self, hart: &Hart) {
        let since = hart.retired().wrapping_sub(self.last_short);
        self.last_short = hart.retired();
        if since > RARE_LENGTHS {
            self.short_lengths = self.short_lengths.saturating_sub(1);
            return;
        }
        self.short_lengths += 1;
        if self.short_lengths < SHORT_LENGTHS {
            return;
        }
        self.short_lengths = 0;
        let pc = hart.native_address();
        let before = self.generation.choices(pc);
        let choices = Choices { any_shape: true, any_length: true, ..before };
        if choices != before {
            self.translator.translate(&self.generation, hart, pc, choices);
            self.jumps.fill(NO_JUMP);
        }
    }
}
