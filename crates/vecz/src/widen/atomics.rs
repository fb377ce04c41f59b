//! Atomic operations of all lanes on one address: the lanes' values are combined first, and one
//! access has the effect of all.

use muxcl_llvm::Value;

use super::{Lanes, Widen};
use crate::graph::Graph;
use crate::shapes::{Shape, Shapes};

/// True for an `atomicrmw` of one address in all lanes whose values can be combined. If its result
/// is used, it must be a sum, so that each lane's result is the sum before it. The functions of
/// OpenCL C 1.x have `volatile` parameters for all variables, so `volatile` does not matter.
pub(crate) fn combines<'m>(shapes: &Shapes<'m>, graph: &Graph<'m>, i: Value<'m>) -> bool {
    i.neutral().is_some()
        && shapes.of_value(graph, i.operand(0)) == Shape::Uniform
        && (i.adds() != 0 || !i.has_uses())
}

impl<'m> Widen<'_, 'm, '_> {
    /// Makes one access for all lanes. The results are as if the lanes ran in order.
    pub(super) fn combine(&mut self, i: Value<'m>) -> Lanes<'m> {
        // Prefix sums over the lanes use shuffles, which scalable vectors do not have.
        let known = self.width.scale.is_none() || !i.has_uses();
        let Some(neutral) = i.neutral().filter(|_| known) else { return self.each_lane(i) };
        let (pointer, operand) = (i.operand(0), i.operand(1));
        let (address, lanes) = (self.lookup(pointer), self.lookup(operand));
        let address = self.first(&address);
        let mut v = self.components(&lanes, operand.ty())[0];
        let before = self.at;
        v = self.or_else(v, neutral);
        let done = self.mask.map(|mask| {
            let run = self.f.append_block("combined");
            let done = self.f.append_block("combined.done");
            let b = self.b();
            b.cond_br(self.some(mask), run, done);
            self.at = run;
            done
        });
        let b = self.b();
        let all = b.combined(i, v);
        let mut old = b.insert_copy(i);
        old.set_operand(0, address);
        old.set_operand(1, all);
        if let Some(done) = done {
            b.br(done);
            let run = self.at;
            self.at = done;
            if i.has_uses() {
                let phi = self.b().phi(i.ty(), "old");
                phi.add_incoming(i.ty().poison(), before);
                phi.add_incoming(old, run);
                old = phi;
            }
        }
        if !i.has_uses() {
            return Lanes::Scalar(i.ty().poison());
        }
        let earlier = self.sums_before(v);
        let b = self.b();
        let old = self.splat(old);
        Lanes::Vector(vec![if i.adds() > 0 { b.add(old, earlier) } else { b.sub(old, earlier) }])
    }

    /// In each lane, the sum of the lanes before it.
    fn sums_before(&self, v: Value<'m>) -> Value<'m> {
        let b = self.b();
        let zero = v.ty().null();
        let count = self.width.count.cast_signed();
        // Lanes of `v` moved up by `by`; zeros come in.
        let moved = |v: Value<'m>, by: i32| {
            let list: Vec<i32> = (0..count).map(|k| if k < by { count } else { k - by }).collect();
            b.shuffle(v, zero, &list)
        };
        let mut sums = moved(v, 1);
        let mut by = 1;
        while by < count {
            sums = b.add(sums, moved(sums, by));
            by *= 2;
        }
        sums
    }
}
