//! Chunks of vector registers that a region keeps as variables, and the vector type, which it
//! stores late: what a loop writes stays in the host's registers, and the hart gets it where the
//! hart must have it.
//!
//! Invariant: the variable of a chunk always has the chunk's value. The hart's memory may lack it,
//! if [`Unstored`] says so. Which chunks are variables, and what may be unstored when a block
//! begins, is only a choice: each jump stores what its target does not expect to be unstored.
//!
//! A rare path that stores a computed value would compute it a second time, because Cranelift moves
//! computations to where their results are used; so would the frequent path after it. So results
//! are stored on the frequent path before the next instruction that has a rare path. Only values
//! that are not computed are stored late: those that were loaded, and those that a loop begins
//! with. Not here: the chunks that are no variables, and reads and writes of chunks (`file.rs`).

use super::effects::{Effects, effects};
use super::plan::{CHUNK, Unit};
use crate::host::{HART, offset};
use crate::lower::Lower;
use crate::region::{Block, Region, Trap, trap};
use cranelift_codegen::ir::{InstBuilder as _, Value, types};
use cranelift_frontend::Variable;
use muxcl_rv_isa::{Extension, Inst, Op, Operand};
use muxcl_rv_sim::native::{Offsets, Shape};
use std::collections::{BTreeMap, BTreeSet};

/// The most variables that a loop uses. The host has 16 vector registers.
const MOST_IN_LOOP: usize = 14;
/// The most variables of a region.
const MOST: usize = 64;
/// The most stores of chunks on rare paths. A region with more has no variables.
const MOST_STORES: u32 = 1000;

/// What the hart may lack of the vector unit at a point of the region.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Unstored {
    /// A bit for each variable.
    chunks: u64,
    /// Those of them whose values are computed.
    computed: u64,
    /// Whether the vector type is unstored.
    vtype: bool,
}

/// A chunk that is a variable.
#[derive(Debug, Clone, Copy)]
struct Kept {
    /// Its bit in [`Unstored::chunks`].
    bit: u64,
    /// `None` before the region's code begins.
    variable: Option<Variable>,
}

/// The chunks that are variables.
#[derive(Debug, Default)]
pub(crate) struct Variables {
    /// By the offset in the registers.
    kept: BTreeMap<u64, Kept>,
    /// A bit for each one whose value goes from one iteration of a loop to the next.
    carried: u64,
    /// What the hart may lack when each block begins.
    before: Vec<Unstored>,
    /// `vtype`, its highest bit set if it is illegal, if it is stored late.
    vtype: Option<Variable>,
}

/// What a block or a loop does with chunks.
#[derive(Debug, Default)]
struct Use {
    written: BTreeSet<u64>,
    read: BTreeSet<u64>,
    /// Those that are read before they are written.
    exposed: BTreeSet<u64>,
}

impl Use {
    fn add(&mut self, effects: &Effects) {
        for at in effects.reads.iter().flat_map(chunks_of) {
            self.read.insert(at);
            if !self.written.contains(&at) {
                self.exposed.insert(at);
            }
        }
        self.written.extend(effects.writes.iter().flat_map(chunks_of));
    }

    fn touches(&self, at: u64) -> bool {
        self.read.contains(&at) || self.written.contains(&at)
    }
}

fn has_vectors(block: &Block) -> bool {
    block.insts.iter().any(|(_, i)| i.op.row().extension == Extension::V)
}

fn chunks_of(bytes: &std::ops::Range<u64>) -> impl Iterator<Item = u64> + use<> {
    (bytes.start / CHUNK..bytes.end.div_ceil(CHUNK)).map(|k| k * CHUNK)
}

/// What a block leaves unstored.
#[derive(Debug, Clone, Copy, Default)]
struct Sum {
    /// Of what was unstored before.
    chunks_kept: u64,
    vtype_kept: bool,
    /// Of what it writes.
    chunks: u64,
    vtype: bool,
    /// Number of accesses that store everything on their rare path.
    late: u32,
}

impl Variables {
    /// Chooses the variables of a region.
    pub(crate) fn of(region: &Region, unit: Unit) -> Self {
        // With registers stored on the frequent path, variables would be stored there again and
        // again.
        if !region.vectors || !region.late {
            return Self::default();
        }
        choose(region, unit).find_unstored(region, unit)
    }

    /// The number of variables.
    pub(super) fn count(&self) -> usize {
        self.kept.len()
    }

    /// What the hart may lack when a block begins.
    pub(crate) fn before(&self, block: usize) -> Unstored {
        self.before.get(block).copied().unwrap_or_default()
    }

    /// Finds what may be unstored when each block begins. A loop begins with what the loop itself
    /// leaves unstored; the rest is stored before the loop. Outside of loops with vector
    /// instructions, nothing is unstored.
    fn find_unstored(mut self, region: &Region, unit: Unit) -> Self {
        let blocks = &region.blocks;
        let all_loops = loops(region);
        let inside = |block: &Block| {
            all_loops.iter().any(|(first, last)| {
                let inside = |b: &Block| (*first..=*last).contains(&b.pc);
                inside(block) && blocks.iter().any(|b| inside(b) && has_vectors(b))
            })
        };
        let inside: Vec<bool> = blocks.iter().map(inside).collect();
        let loops: BTreeSet<u64> = all_loops.keys().copied().collect();
        let sum = |b: &Block| self.sum(b, loops.contains(&b.pc), unit);
        let sums: Vec<Sum> = blocks.iter().map(sum).collect();
        let mut before = vec![Unstored::default(); blocks.len()];
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for (k, block) in blocks.iter().enumerate() {
                let s = sums[k];
                let chunks = before[k].chunks & s.chunks_kept | s.chunks;
                let vtype = before[k].vtype & s.vtype_kept | s.vtype;
                for next in region.successors(block) {
                    let pc = blocks[next].pc;
                    if !inside[next] || loops.contains(&pc) && pc > block.pc {
                        continue;
                    }
                    let old = before[next];
                    let chunks = old.chunks | chunks;
                    let computed = if loops.contains(&pc) { 0 } else { chunks };
                    let vtype = old.vtype | vtype;
                    before[next] = Unstored { chunks, computed, vtype };
                    changed |= before[next] != old;
                }
            }
        }
        let stores =
            |(s, before): (&Sum, &Unstored)| s.late * (before.chunks | s.chunks).count_ones();
        if sums.iter().zip(&before).map(stores).sum::<u32>() > MOST_STORES {
            return Self::default();
        }
        self.before = before;
        self
    }

    fn sum(&self, block: &Block, is_loop: bool, unit: Unit) -> Sum {
        let mut sum = Sum { chunks_kept: u64::MAX, vtype_kept: true, ..Sum::default() };
        // What was unstored before is computed, unless a loop begins with it.
        let mut computed = if is_loop { 0 } else { u64::MAX };
        for ((_, i), config) in block.insts.iter().zip(&block.configs) {
            match trap(i, *config, unit) {
                Trap::Never => {}
                Trap::Rarely => {
                    sum.late += 1;
                    (sum.chunks, sum.chunks_kept) =
                        (sum.chunks & !computed, sum.chunks_kept & !computed);
                }
                Trap::Always => sum = Sum { late: sum.late, ..Sum::default() },
            }
            if i.op.row().extension != Extension::V {
                continue;
            }
            sum.vtype |= matches!(i.op, Op::Vsetvli | Op::Vsetivli);
            let effects = effects(i, *config, unit).unwrap_or_default();
            for at in effects.writes.iter().flat_map(chunks_of) {
                let bit = self.kept.get(&at).map_or(0, |kept| kept.bit);
                (sum.chunks, sum.chunks_kept) = (sum.chunks | bit, sum.chunks_kept & !bit);
                computed = if effects.loads { computed & !bit } else { computed | bit };
            }
        }
        let kept = self.carried | !computed;
        (sum.chunks, sum.chunks_kept) = (sum.chunks & kept, sum.chunks_kept & kept);
        sum
    }
}

/// The loops of a region: by the address of the first block, that of the last one.
fn loops(region: &Region) -> BTreeMap<u64, u64> {
    let mut loops = BTreeMap::new();
    for block in &region.blocks {
        for next in region.successors(block) {
            let first = region.blocks[next].pc;
            if first <= block.pc {
                let last = loops.entry(first).or_insert(block.pc);
                *last = block.pc.max(*last);
            }
        }
    }
    loops
}

/// Chooses the chunks that become variables, loop by loop from the shortest one on: first those
/// with values that go from one iteration to the next, then the others that are written, then those
/// that are only read.
fn choose(region: &Region, unit: Unit) -> Variables {
    let mut loops: Vec<(u64, u64)> = loops(region).into_iter().collect();
    loops.sort_by_key(|(first, last)| last - first);
    let mut uses: Vec<Use> = Vec::new();
    for (first, last) in &loops {
        let mut all = Use::default();
        for block in region.blocks.iter().filter(|b| (*first..=*last).contains(&b.pc)) {
            let mut one = Use::default();
            for ((_, i), config) in block.insts.iter().zip(&block.configs) {
                one.add(&effects(i, *config, unit).unwrap_or_default());
            }
            all.written.append(&mut one.written);
            all.read.append(&mut one.read);
            all.exposed.append(&mut one.exposed);
        }
        uses.push(all);
    }
    // Whether a chunk that has been decided on is a variable.
    let mut decided: BTreeMap<u64, bool> = BTreeMap::new();
    let mut counts = vec![0; loops.len()];
    let mut total = 0;
    for one in &uses {
        let carried = one.exposed.intersection(&one.written);
        for at in carried.chain(&one.written).chain(&one.read) {
            if decided.contains_key(at) {
                continue;
            }
            let mut places = uses.iter().zip(&mut counts).filter(|(u, _)| u.touches(*at));
            let fits = total < MOST && places.all(|(_, count)| *count < MOST_IN_LOOP);
            decided.insert(*at, fits);
            if fits {
                total += 1;
                let places = uses.iter().zip(&mut counts).filter(|(u, _)| u.touches(*at));
                places.for_each(|(_, count)| *count += 1);
            }
        }
    }
    let mut all = Variables::default();
    let chosen = decided.into_iter().filter(|(_, chosen)| *chosen);
    for (k, (at, _)) in chosen.enumerate() {
        let bit = 1 << k;
        all.kept.insert(at, Kept { bit, variable: None });
        let is_carried = |u: &Use| u.exposed.contains(&at) && u.written.contains(&at);
        if uses.iter().any(is_carried) {
            all.carried |= bit;
        }
    }
    all
}

impl Lower<'_, '_> {
    /// Declares the variables, and loads their values.
    pub(crate) fn load_chunks(&mut self) {
        let mut kept = std::mem::take(&mut self.chunks.kept);
        for (at, kept) in &mut kept {
            let variable = self.b.declare_var(types::I8X16);
            kept.variable = Some(variable);
            self.load_chunk(*at, variable);
        }
        self.chunks.kept = kept;
        if self.region.vectors && self.region.late {
            self.chunks.vtype = Some(self.b.declare_var(types::I64));
            self.load_type();
        }
    }

    fn load_type(&mut self) {
        let Some(variable) = self.chunks.vtype else { return };
        let [raw, illegal, ..] = Offsets::VTYPE;
        let raw = self.b.ins().load(types::I64, HART, self.hart, offset(raw));
        let illegal = self.b.ins().load(types::I8, HART, self.hart, offset(illegal));
        let illegal = self.b.ins().uextend(types::I64, illegal);
        let illegal = self.b.ins().ishl_imm_u(illegal, 63);
        let value = self.b.ins().bor(raw, illegal);
        self.b.def_var(variable, value);
    }

    fn load_chunk(&mut self, at: u64, variable: Variable) {
        let file = self.file();
        let value = self.b.ins().load(types::I8X16, HART, file, offset(at as usize));
        self.b.def_var(variable, value);
    }

    /// The variable of the chunk at an offset.
    pub(super) fn chunk_variable(&self, at: u64) -> Option<Variable> {
        self.chunks.kept.get(&at)?.variable
    }

    /// Says that the hart lacks the chunk at an offset, whose value was computed.
    pub(super) fn mark_unstored(&mut self, at: u64) {
        let bit = self.chunks.kept.get(&at).map_or(0, |kept| kept.bit);
        self.state.unstored.chunks |= bit;
        self.state.unstored.computed |= bit;
    }

    /// Stores `bytes` bytes of the registers, if the hart may lack them.
    pub(super) fn store_range(&mut self, at: u64, bytes: u64) {
        let inside = self.chunks.kept.range(at / CHUNK * CHUNK..at + bytes);
        let inside = inside.fold(0, |all, (_, kept)| all | kept.bit);
        self.store_chunks(self.state.unstored.chunks & inside);
    }

    /// Says that the values of `bytes` bytes of the registers were loaded.
    pub(super) fn mark_loaded(&mut self, at: u64, bytes: u64) {
        let inside = self.chunks.kept.range(at / CHUNK * CHUNK..at + bytes);
        let loaded = inside.fold(0, |all, (_, kept)| all | kept.bit);
        self.state.unstored.computed &= !loaded;
    }

    /// Stores computed values, before an instruction that has a rare path.
    pub(crate) fn store_computed(&mut self) {
        let Unstored { chunks, computed, .. } = self.state.unstored;
        self.store_chunks(chunks & computed);
    }

    /// At the end of a block, stores the computed values that do not go on to another iteration.
    pub(crate) fn store_results(&mut self) {
        let Unstored { chunks, computed, .. } = self.state.unstored;
        self.store_chunks(chunks & computed & !self.chunks.carried);
        self.replace_all_nans();
    }

    /// Loads the variables of `bytes` bytes of the registers, which a function may have written.
    pub(super) fn reload_chunks(&mut self, at: u64, bytes: u64) {
        let inside = self.chunks.kept.range(at / CHUNK * CHUNK..at + bytes);
        let inside = inside.filter_map(|(at, kept)| Some((*at, kept.variable?)));
        for (at, variable) in inside.collect::<Vec<_>>() {
            self.load_chunk(at, variable);
        }
    }

    /// Loads the variables that the interpreter may have written with an instruction.
    pub(crate) fn reload_written(&mut self, i: &Inst) {
        if matches!(i.op, Op::Vsetvl | Op::Vsetvli | Op::Vsetivli) {
            self.load_type();
        }
        let written = i.op.row().format.operands().contains(&Operand::Vd);
        if written {
            // No instruction writes more than eight registers.
            let at = self.start_of(i.rd);
            self.reload_chunks(at, 8 * self.machine.vlenb);
        }
    }

    /// Stores everything of the vector unit that the hart may lack.
    pub(crate) fn store_vectors(&mut self) {
        self.store_vectors_but(Unstored::default());
    }

    /// Stores what the hart may lack, but for this.
    pub(crate) fn store_vectors_but(&mut self, kept: Unstored) {
        let chunks = self.state.unstored.chunks;
        self.store_chunks(chunks & !kept.chunks);
        if !kept.vtype {
            self.store_type();
        }
    }

    /// Stores the chunks with these bits.
    fn store_chunks(&mut self, bits: u64) {
        let all = self.chunks.kept.iter().filter(|(_, k)| k.bit & bits != 0);
        let all = all.filter_map(|(at, k)| Some((*at, k.variable?)));
        for (at, variable) in all.collect::<Vec<_>>() {
            let value = if self.cold {
                // The frequent path may still have NaNs of the host's.
                let value = self.b.use_var(variable);
                self.without_nans(at, value)
            } else {
                self.chunk(at, types::I8X16)
            };
            let file = self.file();
            self.b.ins().store(HART, value, file, offset(at as usize));
        }
        self.state.unstored.chunks &= !bits;
    }

    /// Says that the vector type has become this one.
    pub(super) fn set_type(&mut self, shape: Shape) {
        let raw = self.int(shape.raw());
        self.state.unstored.vtype = true;
        match self.chunks.vtype {
            Some(variable) => self.b.def_var(variable, raw),
            None => self.put_type(raw),
        }
    }

    /// Stores the vector type, if the hart may lack it.
    pub(super) fn store_type(&mut self) {
        if !self.state.unstored.vtype {
            return;
        }
        if let Some(variable) = self.chunks.vtype {
            let value = self.b.use_var(variable);
            self.put_type(value);
        }
    }

    /// Stores `vtype`, whose highest bit is set if it is illegal.
    fn put_type(&mut self, value: Value) {
        let [raw, illegal, sew, lmul] = Offsets::VTYPE;
        let bits = self.b.ins().band_imm_s(value, 0xff);
        self.b.ins().store(HART, bits, self.hart, offset(raw));
        let highest = self.b.ins().ushr_imm_u(value, 63);
        let highest = self.b.ins().ireduce(types::I8, highest);
        self.b.ins().store(HART, highest, self.hart, offset(illegal));
        // Bits 5 to 3 are the logarithm of the size of an element, and bits 2 to 0 that of LMUL.
        let log = self.b.ins().ushr_imm_u(bits, 3);
        let log = self.b.ins().band_imm_s(log, 7);
        let one = self.int(1);
        let size = self.b.ins().ishl(one, log);
        self.b.ins().store(HART, size, self.hart, offset(sew));
        let group = self.b.ins().ishl_imm_u(bits, 61);
        let group = self.b.ins().sshr_imm_u(group, 61);
        let group = self.b.ins().ireduce(types::I32, group);
        self.b.ins().store(HART, group, self.hart, offset(lmul));
        self.state.unstored.vtype = false;
    }
}
