//! Instructions that have no vector form: a loop runs them for one lane after another.

use muxcl_llvm::{IntPredicate, Opcode, Value};

use super::rest::number;
use super::{Lanes, Widen};
use crate::shapes::{Shape, elements_of};

/// An operand of an instruction that runs in a loop over lanes.
struct Operand<'m> {
    number: u32,
    /// The operand in all lanes, or the value from which `computation` starts.
    lanes: Lanes<'m>,
    /// The operand in the scalar loop, or the value from which `computation` starts.
    start: Value<'m>,
    computation: Option<Address<'m>>,
}

/// An instruction that runs for one lane after another.
struct Each<'m> {
    instruction: Value<'m>,
    operands: Vec<Operand<'m>>,
    /// The places of its results in memory, an element for each lane.
    results: Vec<Value<'m>>,
}

/// By operand: its vectors in memory. Values that are uniform or strided have none.
type Places<'m> = Vec<Vec<Value<'m>>>;

/// The most copies of a short instruction that the code has, one for each lane; a power of two.
const COPIES: u32 = 16;

/// The address of an element at a varying index. The loop over lanes computes it again for each
/// lane, because the address is part of a scalar access and costs no instruction. A lane of a
/// vector of addresses would be two shuffles and a move.
struct Address<'m> {
    gep: Value<'m>,
    /// The address of the first element, the same in all lanes.
    base: Value<'m>,
    /// The extensions that give the index, the last one first.
    extensions: Vec<Value<'m>>,
}

impl<'m> Widen<'_, 'm, '_> {
    /// Runs the instruction for one lane after another, in a loop.
    pub(super) fn each_lane(&mut self, i: Value<'m>) -> Lanes<'m> {
        self.note("lane by lane", i);
        let cx = self.module.cx();
        let mut operands = Vec::new();
        for (number, o) in (0u32..).zip(i.operands()) {
            if self.graph.block_of(o).is_some() || self.shapes.privates.contains_key(&o) {
                operands.push(self.operand(i, number, o));
            }
        }
        let (element, count) = match elements_of(i.ty()) {
            Some(parts) if i.has_uses() => parts,
            _ => (cx.i32(), 0),
        };
        let results = (0..count).map(|_| self.memory_for_lanes(element, 1)).collect();
        let each = Each { instruction: i, operands, results };
        // A short instruction takes less time than the test of a lane's mask.
        let is_short = i.opcode() == Opcode::AtomicRmw && !i.has_uses();
        match self.mask {
            Some(mask) if is_short => {
                let all = self.f.append_block("lanes.all");
                let some = self.f.append_block("lanes.some");
                let done = self.f.append_block("lanes.done");
                let b = self.b();
                let outside = b.xor(mask, self.splat(cx.i1().constant(1)));
                b.cond_br(self.some(outside), some, all);
                self.at = all;
                self.for_all_lanes(&each);
                self.b().br(done);
                self.at = some;
                self.loop_over_mask(&each, mask);
                self.b().br(done);
                self.at = done;
            }
            Some(mask) => self.loop_over_mask(&each, mask),
            None if is_short => self.for_all_lanes(&each),
            None => self.loop_over_lanes(&each, None),
        }
        if !i.ty().is_void() && !i.has_uses() {
            return Lanes::Scalar(i.ty().poison());
        }
        Lanes::Vector(each.results.iter().map(|r| self.load_lanes(*r, element)).collect())
    }

    /// True if the number of lanes that run is a constant.
    fn lanes_are_known(&self) -> bool {
        self.width.scale.is_none() && self.length.is_none()
    }

    /// Runs a short instruction for all lanes. The code has a copy of it for each lane, so that the
    /// numbers of lanes are constants, which need no vector in memory. With more than [`COPIES`]
    /// lanes, it is a loop, and each iteration has so many copies.
    fn for_all_lanes(&mut self, each: &Each<'m>) {
        if !self.lanes_are_known() {
            return self.loop_over_lanes(each, None);
        }
        let cx = self.module.cx();
        let count = self.width.count.min(COPIES);
        if count == self.width.count {
            return (0..count).for_each(|n| {
                let lane = |o: &Operand<'m>| self.lane(&o.lanes, o.start.ty(), cx.u32(n));
                self.one_lane(each, each.operands.iter().map(lane).collect(), cx.u32(n));
            });
        }
        let places = self.operands_in_memory(each);
        let part = self.f.append_block("lanes.part");
        let done = self.f.append_block("lanes.done");
        let from = self.at;
        self.b().br(part);
        self.at = part;
        let b = self.b();
        let first = b.phi(cx.i32(), "lanes.first");
        first.add_incoming(cx.u32(0), from);
        let parts: Vec<Lanes<'m>> = (each.operands.iter().zip(&places))
            .map(|(o, places)| self.part_in_memory(&o.lanes, places, o.start.ty(), first, count))
            .collect();
        for n in 0..count {
            let lane = self.b().add(first, cx.u32(n));
            let starts = each.operands.iter().zip(&parts).map(|(o, part)| match part {
                Lanes::Vector(_) => self.lane(part, o.start.ty(), cx.u32(n)),
                _ => self.lane(part, o.start.ty(), lane),
            });
            self.one_lane(each, starts.collect(), lane);
        }
        let b = self.b();
        let following = b.add(first, cx.u32(count));
        first.add_incoming(following, part);
        b.cond_br(b.icmp(IntPredicate::Ult, following, cx.u32(self.width.count)), part, done);
        self.at = done;
    }

    /// Emits a loop over the lanes of `mask`. The block behind it becomes the current one.
    fn loop_over_mask(&mut self, each: &Each<'m>, mask: Value<'m>) {
        if !self.lanes_are_known() || self.width.count > u64::BITS {
            return self.loop_over_lanes(each, Some(mask));
        }
        let places = self.operands_in_memory(each);
        let cx = self.module.cx();
        let bits = self.bits(mask, cx.i64());
        let head = self.f.append_block("lane");
        let run = self.f.append_block("lane.run");
        let done = self.f.append_block("lanes.done");
        let from = self.at;
        self.b().br(head);
        self.at = head;
        let b = self.b();
        let rest = b.phi(cx.i64(), "lanes.left");
        rest.add_incoming(bits, from);
        b.cond_br(b.icmp(IntPredicate::Eq, rest, cx.u64(0)), done, run);
        self.at = run;
        let lane = self.first_bit(rest);
        self.one_lane(each, self.starts(each, &places, lane), lane);
        let b = self.b();
        rest.add_incoming(b.and(rest, b.sub(rest, cx.u64(1))), self.at);
        b.br(head);
        self.at = done;
    }

    /// Emits a loop over all lanes, which tests for each whether it is in `mask`. The block behind
    /// the loop becomes the current one.
    fn loop_over_lanes(&mut self, each: &Each<'m>, mask: Option<Value<'m>>) {
        let places = self.operands_in_memory(each);
        let mask = mask.map(|m| self.store_lanes(m));
        let cx = self.module.cx();
        let head = self.f.append_block("lane");
        let run = self.f.append_block("lane.run");
        let next = self.f.append_block("lane.next");
        let done = self.f.append_block("lanes.done");
        let from = self.at;
        self.b().br(head);
        self.at = head;
        let b = self.b();
        let lane = b.phi(cx.i32(), "lane");
        lane.add_incoming(cx.u32(0), from);
        match mask {
            Some(place) => b.cond_br(self.element_in_memory(place, cx.i1(), lane), run, next),
            None => b.br(run),
        };
        self.at = run;
        self.one_lane(each, self.starts(each, &places, lane), lane);
        self.b().br(next);
        self.at = next;
        let b = self.b();
        let following = b.add(lane, cx.u32(1));
        lane.add_incoming(following, next);
        let lanes = self.length.unwrap_or_else(|| number(&b, cx.i32(), self.width));
        b.cond_br(b.icmp(IntPredicate::Ult, following, lanes), head, done);
        self.at = done;
    }

    /// Emits the instruction for one lane, and the stores of its results. `starts` has, for each
    /// operand, the value in this lane from which the operand is computed ([`Operand::start`]).
    fn one_lane(&self, each: &Each<'m>, starts: Vec<Value<'m>>, lane: Value<'m>) {
        let (i, cx) = (each.instruction, self.module.cx());
        let new: Vec<Value<'m>> = (each.operands.iter().zip(starts))
            .map(|(o, start)| self.operand_in_lane(o, start))
            .collect();
        let b = self.b();
        let copy = b.insert_copy(i);
        for (o, v) in each.operands.iter().zip(new) {
            copy.set_operand(o.number, v);
        }
        for (n, place) in (0u32..).zip(&each.results) {
            let part = match i.ty().members()[..] {
                [old, _] if n > 0 => b.zext(b.extract_value(copy, n), old),
                [_, _] => b.extract_value(copy, n),
                _ if i.ty().is_vector() => b.extract_element(copy, cx.u32(n)),
                _ => copy,
            };
            self.store_element(part, *place, lane);
        }
    }

    /// The operands' vectors in memory, where a loop reads the elements of its lanes. LLVM would
    /// store the whole vector again for each lane whose number is no constant.
    fn operands_in_memory(&self, each: &Each<'m>) -> Places<'m> {
        each.operands.iter().map(|o| self.lanes_in_memory(&o.lanes)).collect()
    }

    /// Reads the values of [`Operand::start`] in one lane from their vectors in memory.
    fn starts(&self, each: &Each<'m>, places: &Places<'m>, lane: Value<'m>) -> Vec<Value<'m>> {
        (each.operands.iter().zip(places))
            .map(|(o, places)| self.lane_in_memory(&o.lanes, places, o.start.ty(), lane))
            .collect()
    }

    /// Operand `number` of `i`, which is `o`.
    fn operand(&mut self, i: Value<'m>, number: u32, o: Value<'m>) -> Operand<'m> {
        let computation = self.address(i, o);
        let start = computation.as_ref().map_or(o, |address| {
            address.extensions.last().map_or(address.gep.operand(1), |e| e.operand(0))
        });
        Operand { number, lanes: self.lookup(start), start, computation }
    }

    /// The computation of the address `o`, if all its steps are in the block of `i`. Operands of
    /// steps in other blocks may have no value here.
    fn address(&mut self, i: Value<'m>, o: Value<'m>) -> Option<Address<'m>> {
        let block = self.graph.block_of(i);
        let varying = |v: Value<'m>| self.shapes.of_value(self.graph, v) == Shape::Varying;
        let here = |v: Value<'m>| {
            v.is_instruction() && self.graph.block_of(v) == block && block.is_some() && varying(v)
        };
        let element = here(o)
            && o.opcode() == Opcode::GetElementPtr
            && o.operand_count() == 2
            && o.ty().is_pointer()
            && self.shapes.of_value(self.graph, o.operand(0)) == Shape::Uniform;
        if !element || !varying(o.operand(1)) {
            return None;
        }
        let mut extensions = Vec::new();
        let mut index = o.operand(1);
        while here(index)
            && matches!(index.opcode(), Opcode::ZExt | Opcode::SExt)
            && varying(index.operand(0))
        {
            extensions.push(index);
            index = index.operand(0);
        }
        let base = self.lookup(o.operand(0));
        let base = self.first(&base);
        Some(Address { gep: o, base, extensions })
    }

    /// Computes an operand in one lane from `v`, the value of [`Operand::start`] in this lane.
    fn operand_in_lane(&self, o: &Operand<'m>, mut v: Value<'m>) -> Value<'m> {
        let Some(Address { gep, base, extensions }) = &o.computation else { return v };
        let b = self.b();
        for extension in extensions.iter().rev() {
            let copy = b.insert_copy(*extension);
            copy.set_operand(0, v);
            v = copy;
        }
        let copy = b.insert_copy(*gep);
        copy.set_operand(0, *base);
        copy.set_operand(1, v);
        copy
    }
}
