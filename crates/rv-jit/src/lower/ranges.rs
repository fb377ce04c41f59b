//! The checks that cover several accesses: of the groups of a block, and of the loops that have two
//! copies.
//!
//! A loop's first iteration runs in the copy that checks each access. Then the addresses of many
//! iterations are checked at once, and the other copy runs as many; if the check fails, it is the
//! first copy again. The other copy counts its iterations by the instructions that may still be
//! retired: it ends when they are not more than a number, the floor. It is a function of its own,
//! so that the host's registers are the loop's alone. Not here: which accesses belong together
//! (`crate::ranges`).

use super::memory::{At, fields};
use super::{Lower, State, offset};
use crate::host::{HART, Status, address};
use crate::ranges::{Linear, Place, Range, SMALL};
use crate::region::Pending;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self, InstBuilder as _, Value, types};
use muxcl_rv_isa::Inst;
use muxcl_rv_sim::native::Offsets;
use std::collections::BTreeMap;

/// The status of a second copy that has run all iterations of the check. All others that a copy
/// adds to [`Status`] are greater: the number of an exit.
const AGAIN: u64 = 16;

/// The second copy of a loop.
#[derive(Debug)]
pub(super) struct Copied {
    number: usize,
    pub(super) head: usize,
    /// Its blocks, by the number of the iteration and in the region: the code is that of a few
    /// iterations.
    blocks: BTreeMap<(usize, usize), ir::Block>,
    /// The iteration that is being translated.
    turn: usize,
    /// Its ends, by the number of the block and the address that follows, with the state there.
    ends: BTreeMap<(usize, u64), (ir::Block, State)>,
    /// How many instructions remain at least when the first of them begins.
    floor: Value,
}

impl Lower<'_, '_> {
    /// The function for the second copy of a loop. All registers are in the hart when it begins and
    /// when it ends.
    pub(super) fn second_copy(&mut self, number: usize) {
        let one = &self.region.loops[number];
        let numbers = (0..one.unrolled).flat_map(|turn| one.blocks.iter().map(move |k| (turn, *k)));
        let blocks = numbers.clone().map(|at| (at, self.b.create_block())).collect();
        let floor = self.b.ins().load(types::I64, HART, self.hart, offset(Offsets::VALUE));
        self.copy =
            Some(Copied { number, head: one.head, blocks, turn: 0, ends: BTreeMap::new(), floor });
        self.exits = vec![Vec::new()];
        let (live, pending) = (self.region.live[one.head], self.pending(one.head));
        let needed = Pending {
            x: (live.x | pending.x) & one.touched.x,
            f: (live.f | pending.f) & one.touched.f,
        };
        self.load_registers(one.touched, needed);
        let first = self.copy.as_ref().map(|copy| copy.blocks[&(0, one.head)]);
        self.b.ins().jump(first.unwrap_or(ir::Block::from_u32(0)), &[]);
        for (turn, k) in numbers {
            if let Some(copy) = &mut self.copy {
                copy.turn = turn;
                let block = copy.blocks[&(turn, k)];
                self.block(block, k);
            }
        }
        self.ends_of_copy();
        self.end_of_traps();
    }

    /// What the hart may lack when a block begins.
    pub(super) fn pending(&self, block: usize) -> Pending {
        let Pending { x, f } = self.region.pending[block];
        match &self.copy {
            Some(copy) => {
                let touched = self.region.loops[copy.number].touched;
                Pending { x: x & touched.x, f: f & touched.f }
            }
            None => Pending { x, f },
        }
    }

    /// Ends the second copy of a loop, which leads from a block to this address. All iterations in
    /// the code share the end.
    pub(super) fn end_copy(&mut self, from: usize, target: u64) {
        let state = self.state;
        let Some(copy) = &mut self.copy else { return };
        let (end, _) =
            *copy.ends.entry((from, target)).or_insert_with(|| (self.b.create_block(), state));
        self.b.ins().jump(end, &[]);
    }

    /// Translates the ends of the second copy.
    fn ends_of_copy(&mut self) {
        let ends = self.copy.as_mut().map(|copy| std::mem::take(&mut copy.ends));
        for ((_, target), (block, state)) in ends.into_iter().flatten() {
            self.b.switch_to_block(block);
            self.state = state;
            self.flush();
            let exits = &mut self.exits[0];
            let number = exits.iter().position(|exit| *exit == target).unwrap_or_else(|| {
                exits.push(target);
                exits.len() - 1
            });
            self.end_with(AGAIN + 1 + number as u64);
        }
    }

    /// Ends the second copy if its next iterations are not covered by the check.
    pub(super) fn count_iteration(&mut self) {
        let Some(copy) = &self.copy else { return };
        if copy.turn + 1 < self.region.loops[copy.number].unrolled {
            return;
        }
        let (floor, target) = (copy.floor, self.region.blocks[copy.head].pc);
        let (budget, none) = (self.b.use_var(self.budget), self.int(0));
        let fine = self.b.ins().icmp(IntCC::SignedGreaterThan, budget, floor);
        self.unless(fine, |lower| {
            let some = lower.b.ins().icmp(IntCC::SignedGreaterThan, budget, none);
            lower.unless(some, |lower| lower.leave(target, Status::Limit));
            lower.flush();
            lower.end_with(AGAIN);
        });
    }

    /// Whether this is a second copy of a loop that `block` is not part of.
    pub(super) fn leaves_copy(&self, block: Option<usize>) -> bool {
        let loops = &self.region.loops;
        self.copy.as_ref().is_some_and(|copy| {
            block.is_none_or(|block| !loops[copy.number].blocks.contains(&block))
        })
    }

    /// The host's block of a block of the region, if block `from` jumps there.
    pub(super) fn target(&self, from: usize, to: usize) -> ir::Block {
        if let Some(copy) = &self.copy {
            let next = usize::from(to == copy.head);
            let turn = (copy.turn + next) % self.region.loops[copy.number].unrolled;
            return copy.blocks[&(turn, to)];
        }
        let mut loops = self.region.loops.iter();
        match loops.position(|one| one.head == to && one.blocks.contains(&from)) {
            Some(number) => self.checks[number],
            None => self.blocks[to],
        }
    }

    /// Loads the registers that block `to` and those after it need.
    fn reload(&mut self, to: usize) {
        let (live, pending) = (self.region.live[to], self.region.pending[to]);
        for k in (1..32).filter(|k| (live.x | pending.x) >> k & 1 == 1) {
            if let Some(variable) = self.x[k] {
                let at = offset(Offsets::X + 8 * k);
                let value = self.b.ins().load(types::I64, HART, self.hart, at);
                self.b.def_var(variable, value);
            }
        }
        (0..32).filter(|k| (live.f | pending.f) >> k & 1 == 1).for_each(|k| self.reload_f(k));
    }

    /// Translates the checks of the loops, and the calls of their second copies.
    pub(super) fn check_loops(&mut self) {
        for number in 0..self.region.loops.len() {
            self.check_loop(number);
            // The loop in the second copy.
            self.flush();
            let one = &self.region.loops[number];
            let (budget, none) = (self.b.use_var(self.budget), self.int(0));
            let floor = self.b.ins().iadd_imm_s(budget, -(one.most * one.least).cast_signed());
            let floor = self.b.ins().smax(floor, none);
            self.b.ins().store(HART, floor, self.hart, offset(Offsets::VALUE));
            let code = &raw const self.data.copies[number];
            let code = address(self.b, code.addr());
            let code = self.b.ins().load(types::I64, HART, code, 0);
            let budget = self.b.use_var(self.budget);
            let call = self.b.ins().call_indirect(self.signatures.code, code, &[self.hart, budget]);
            let status = self.b.inst_results(call)[0];
            let budget = self.b.ins().load(types::I64, HART, self.hart, offset(Offsets::BUDGET));
            self.b.def_var(self.budget, budget);
            let state = self.state;
            for (k, target) in self.exits[number].clone().into_iter().enumerate() {
                let here = (AGAIN + 1 + k as u64).cast_signed();
                let (yes, no) = (self.b.create_block(), self.b.create_block());
                let here = self.b.ins().icmp_imm_s(IntCC::Equal, status, here);
                self.b.ins().brif(here, yes, &[], no, &[]);
                self.b.switch_to_block(yes);
                self.b.seal_block(yes);
                match self.region.index.get(&target).copied() {
                    Some(to) => {
                        self.reload(to);
                        self.b.ins().jump(self.blocks[to], &[]);
                    }
                    None => self.follow(target),
                }
                self.state = state;
                self.b.switch_to_block(no);
                self.b.seal_block(no);
            }
            let again = self.b.ins().icmp_imm_s(IntCC::Equal, status, AGAIN.cast_signed());
            self.unless(again, |lower| {
                lower.b.ins().return_(&[status]);
            });
            self.reload(self.region.loops[number].head);
            self.b.ins().jump(self.checks[number], &[]);
        }
    }

    /// A sum of registers and a number.
    fn linear(&mut self, sum: &Linear) -> Value {
        let mut all = None;
        for (register, times) in &sum.terms {
            let value = self.x(*register);
            let value = match times.cast_signed() {
                1 => value,
                -1 => self.b.ins().ineg(value),
                times => self.b.ins().imul_imm_s(value, times),
            };
            all = Some(all.map_or(value, |all| self.b.ins().iadd(all, value)));
        }
        match all {
            Some(all) => self.b.ins().iadd_imm_s(all, sum.number.cast_signed()),
            None => self.int(sum.number),
        }
    }

    /// Checks the addresses of a loop's next iterations. If that fails, continues with the first
    /// copy of the loop.
    fn check_loop(&mut self, number: usize) {
        let one = &self.region.loops[number];
        self.b.switch_to_block(self.checks[number]);
        let pending = self.region.pending[one.head];
        self.state = State { pending, ..State::default() };
        let mut fine = Vec::new();
        let mut offsets: BTreeMap<Place, Vec<Value>> = BTreeMap::new();
        for range in &one.ranges {
            let points = self.ends(range, one.most + one.unrolled as u64, &mut fine);
            offsets.entry(range.place).or_default().extend(points);
        }
        for (place, all) in offsets {
            let size = self.fixed(fields(place).places[0]);
            let largest = all.into_iter().reduce(|a, b| self.b.ins().umax(a, b));
            let largest = largest.unwrap_or(size);
            fine.push(self.b.ins().icmp(IntCC::UnsignedLessThan, largest, size));
        }
        if let Some(fine) = fine.into_iter().reduce(|a, b| self.b.ins().band(a, b)) {
            let (begin, slow) = (self.b.create_block(), self.blocks[one.head]);
            self.b.ins().brif(fine, begin, &[], slow, &[]);
            self.b.switch_to_block(begin);
            self.b.seal_block(begin);
        }
    }

    /// The offsets in a region of the first and last bytes that `most` iterations access. Those
    /// between are between these, as all distances are small: `fine` says whether that is so.
    fn ends(&mut self, range: &Range, most: u64, fine: &mut Vec<Value>) -> Vec<Value> {
        let start = self.fixed(fields(range.place).base);
        let first = self.linear(&range.first);
        let first = self.b.ins().isub(first, start);
        let more = (range.bytes - 1).cast_signed();
        if range.step.terms.is_empty() {
            let way = range.step.number.cast_signed() * most.cast_signed();
            let least = self.b.ins().iadd_imm_s(first, way.min(0));
            let last = self.b.ins().iadd_imm_s(first, way.max(0) + more);
            return vec![least, last];
        }
        let step = self.linear(&range.step);
        let moved = self.b.ins().iadd_imm_s(step, SMALL.cast_signed());
        let bound = self.int(2 * SMALL);
        fine.push(self.b.ins().icmp(IntCC::UnsignedLessThan, moved, bound));
        let way = self.b.ins().imul_imm_s(step, most.cast_signed());
        let end = self.b.ins().iadd(first, way);
        let [last, end_last] = [first, end].map(|at| self.b.ins().iadd_imm_s(at, more));
        vec![first, last, end, end_last]
    }

    /// Where the bytes of a scalar load or store are, if a check covers it.
    pub(super) fn covered(&mut self, i: &Inst, store: bool) -> Option<At> {
        let (block, n) = self.at;
        let loops = &self.region.loops;
        if self.copy.as_ref().is_some_and(|c| loops[c.number].covered.contains(&self.at)) {
            let bias = fields(self.region.areas.place(self.state.pc, i.rs1, store)).bias;
            let (base, bias) = (self.x(i.rs1), self.fixed(bias));
            return Some((self.b.ins().iadd(base, bias), i.imm));
        }
        let groups = &self.region.groups[block];
        let (number, distance) = *groups.accesses.get(&n)?;
        let host = match self.groups.get(&number) {
            Some(host) => *host,
            None => {
                let group = &groups.all[number];
                let region = fields(group.place);
                let base = self.x(i.rs1);
                let first =
                    self.b.ins().iadd_imm_s(base, i64::from(i.imm) - distance.cast_signed());
                let start = self.fixed(region.base);
                let at = self.b.ins().isub(first, start);
                let places = self.fixed(region.places[group.log]);
                let inside = self.b.ins().icmp(IntCC::UnsignedLessThan, at, places);
                self.unless(inside, |lower| {
                    let entry = lower.int(lower.region.blocks[0].pc);
                    lower.b.ins().store(HART, entry, lower.hart, offset(Offsets::ADDRESS));
                    let pc = lower.state.pc;
                    lower.leave(pc, Status::Outside);
                });
                let bias = self.fixed(region.bias);
                let host = self.b.ins().iadd(first, bias);
                *self.groups.entry(number).or_insert(host)
            }
        };
        Some((host, offset(distance as usize)))
    }
}
