//! Instructions that have no vector form: a loop runs them for one lane after another.

use muxcl_llvm::{Block, IntPredicate, Opcode, Value};

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
        let results: Vec<Value<'m>> =
            (0..count).map(|_| self.allocas().alloca(self.wide(element), "lanes")).collect();
        for place in &results {
            self.b().store(self.wide(element).poison(), *place, 0);
        }
        let done = self.f.append_block("lanes.done");
        match self.mask {
            // A short instruction takes less time than the test of a lane's mask.
            Some(mask) if i.opcode() == Opcode::AtomicRmw && !i.has_uses() => {
                let all = self.f.append_block("lanes.all");
                let some = self.f.append_block("lanes.some");
                let b = self.b();
                let outside = b.xor(mask, self.splat(cx.i1().constant(1)));
                b.cond_br(self.some(outside), some, all);
                self.at = all;
                self.loop_over_lanes(i, &operands, &results, None, done);
                self.at = some;
                self.loop_over_lanes(i, &operands, &results, Some(mask), done);
            }
            mask => self.loop_over_lanes(i, &operands, &results, mask, done),
        }
        self.at = done;
        if !i.ty().is_void() && !i.has_uses() {
            return Lanes::Scalar(i.ty().poison());
        }
        let b = self.b();
        Lanes::Vector(results.iter().map(|r| b.load(self.wide(element), *r, 0)).collect())
    }

    /// Emits the loop from the current block to `done`. It stores the results of the lanes of
    /// `mask` to the vectors in `results`.
    fn loop_over_lanes(
        &mut self,
        i: Value<'m>,
        operands: &[Operand<'m>],
        results: &[Value<'m>],
        mask: Option<Value<'m>>,
        done: Block<'m>,
    ) {
        let cx = self.module.cx();
        let head = self.f.append_block("lane");
        let run = self.f.append_block("lane.run");
        let next = self.f.append_block("lane.next");
        let from = self.at;
        self.b().br(head);
        self.at = head;
        let b = self.b();
        let lane = b.phi(cx.i32(), "lane");
        lane.add_incoming(cx.u32(0), from);
        match mask {
            Some(mask) => b.cond_br(b.extract_element(mask, lane), run, next),
            None => b.br(run),
        };
        self.at = run;
        let new: Vec<Value<'m>> = operands.iter().map(|o| self.operand_in_lane(o, lane)).collect();
        let b = self.b();
        let copy = b.insert_copy(i);
        for (o, v) in operands.iter().zip(new) {
            copy.set_operand(o.number, v);
        }
        for (n, place) in (0u32..).zip(results) {
            let part = match i.ty().members()[..] {
                [old, _] if n > 0 => b.zext(b.extract_value(copy, n), old),
                [_, _] => b.extract_value(copy, n),
                _ if i.ty().is_vector() => b.extract_element(copy, cx.u32(n)),
                _ => copy,
            };
            let old = b.load(self.wide(part.ty()), *place, 0);
            b.store(b.insert_element(old, part, lane), *place, 0);
        }
        b.br(next);
        self.at = next;
        let b = self.b();
        let following = b.add(lane, cx.u32(1));
        lane.add_incoming(following, next);
        let lanes = self.length.unwrap_or_else(|| number(&b, cx.i32(), self.width));
        b.cond_br(b.icmp(IntPredicate::Ult, following, lanes), head, done);
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

    /// The value of an operand in one lane.
    fn operand_in_lane(&self, o: &Operand<'m>, lane: Value<'m>) -> Value<'m> {
        let mut v = self.lane(&o.lanes, o.start.ty(), lane);
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
