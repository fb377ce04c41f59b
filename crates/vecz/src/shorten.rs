//! Ends a loop after the last iteration that may have an effect.
//!
//! In kernels such as trees of reductions, only work-items below a bound do something:
//! `if (id < step) tile[id] += tile[id + step];`. If an iteration has no effect unless its number
//! is below a bound that is the same for all iterations, the loop needs no more iterations than
//! that bound. Branches on conditions that are the same for all iterations select between bounds.
//! The new bound is computed before the loop.
//!
//! Invariant: all checks come before the first change. Not here: vectors of iterations.

use std::collections::{BTreeMap, BTreeSet};

use muxcl_llvm::{Builder, IntPredicate, Opcode, Value};

use crate::KEEP;
use crate::cross_lane;
use crate::graph::Graph;
use crate::shapes::{Lowering, lowering};

/// The largest number of instructions that the condition of a branch may need before the loop.
const MOST_INSTRUCTIONS: usize = 16;
/// The largest number of blocks that are inspected, with repetitions.
const MOST_BLOCKS: usize = 64;
/// Counters are below two to the power of this.
const COUNTER_BITS: u32 = 31;

/// The number of iterations that are needed from a block on.
#[derive(Debug, Clone, PartialEq)]
enum Need<'m> {
    None,
    All,
    /// Those whose counter is below the limit, and of them those that the rest needs.
    Below(Limit<'m>, Box<Self>),
    /// The first need if the condition holds, else the second.
    If(Value<'m>, Box<Self>, Box<Self>),
}

/// An upper limit of the counter, the same for all iterations.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Limit<'m> {
    Constant(u64),
    /// A value, which counts as 0 if it is negative and `signed`.
    Value {
        value: Value<'m>,
        signed: bool,
    },
}

/// Shortens the loop that `latch` closes. The caller's promises are those of [`crate::vectorize`].
/// Returns false, and changes nothing, if the loop may need all iterations.
pub fn shorten(latch: Value<'_>) -> bool {
    let Ok(graph) = Graph::of_loop(latch) else { return false };
    let before = graph.before.terminator().filter(|t| t.successors().len() == 1);
    let counter = graph.counter;
    let fits = (COUNTER_BITS + 1..=64).contains(&counter.phi.ty().int_width());
    if !counter.start.is_null() || !fits || cross_lane::is_lockstep(&graph) {
        return false;
    }
    let Some(before) = before else { return false };
    let mut plan = Plan::of(&graph);
    let need = plan.need(0, &mut Vec::new());
    if need == Need::All || !plan.leaves_only_shared_values() {
        return false;
    }
    plan.apply(&need, latch, before);
    true
}

/// What the analysis of a loop has found.
struct Plan<'g, 'm> {
    graph: &'g Graph<'m>,
    /// Stores of one value to one variable, in all iterations.
    stores: Vec<Value<'m>>,
    /// Blocks that end with a condition on the counter, and whether its second successor is the
    /// one with effects.
    limited: Vec<(usize, bool)>,
    visited: usize,
}

impl<'g, 'm> Plan<'g, 'm> {
    fn of(graph: &'g Graph<'m>) -> Self {
        let mut plan = Self { graph, stores: Vec::new(), limited: Vec::new(), visited: 0 };
        let always = graph.blocks[0].instructions();
        plan.stores = always.into_iter().filter(|i| plan.is_shared_store(*i)).collect();
        plan
    }

    /// True for a store that has the same effect in each iteration: the loop neither reads the
    /// variable nor stores anything else there.
    fn is_shared_store(&self, i: Value<'m>) -> bool {
        if lowering(i) != Lowering::Store || !i.operand(1).is_alloca() {
            return false;
        }
        let plain = |user: &Value<'m>| {
            let stored = user.opcode() == Opcode::Store && user.operand(0) == i.operand(1);
            let access = matches!(user.opcode(), Opcode::Load | Opcode::Store) && !stored;
            let inside = self.graph.block_of(*user).is_some();
            let keeps = user.is_call() && user.callee().is_some_and(|f| f.name() == KEEP);
            user == &i || !inside && (access || keeps || user.is_lifetime())
        };
        self.is_shared(i.operand(0)) && i.operand(1).users().iter().all(plain)
    }

    /// True if the value is the same in all iterations, and can be computed before the loop.
    fn is_shared(&self, v: Value<'m>) -> bool {
        let (mut work, mut count) = (vec![v], 0);
        while let Some(v) = work.pop() {
            if self.graph.block_of(v).is_none() {
                continue;
            }
            count += 1;
            if count > MOST_INSTRUCTIONS || !is_plain(v) {
                return false;
            }
            work.extend(if v.is_call() { v.args() } else { v.operands() });
        }
        true
    }

    /// True if code behind the loop uses only those values of the loop that are the same in all
    /// iterations.
    fn leaves_only_shared_values(&self) -> bool {
        let graph = self.graph;
        let outside = |v: Value<'m>| v.users().into_iter().any(|u| graph.block_of(u).is_none());
        let all = graph.blocks.iter().flat_map(|b| b.instructions());
        all.filter(|i| outside(*i)).all(|i| self.is_shared(i))
    }

    fn has_effect(&self, i: Value<'m>) -> bool {
        let free = i.is_terminator() || lowering(i) == Lowering::Hint || self.stores.contains(&i);
        i.has_side_effects() && !free
    }

    fn block_has_effect(&self, block: usize) -> bool {
        let instructions = self.graph.blocks[block].instructions();
        instructions.into_iter().any(|i| self.has_effect(i))
    }

    /// The iterations that are needed from a block on. `path`: the blocks before it.
    fn need(&mut self, block: usize, path: &mut Vec<usize>) -> Need<'m> {
        self.visited += 1;
        if self.visited > MOST_BLOCKS || path.contains(&block) || self.block_has_effect(block) {
            return Need::All;
        }
        path.push(block);
        let need = match *self.graph.successors[block].as_slice() {
            [] => Need::None,
            [next] => self.need(next, path),
            [then, otherwise] => {
                let (then, otherwise) = (self.need(then, path), self.need(otherwise, path));
                self.of_branch(block, then, otherwise)
            }
            _ => Need::All,
        };
        path.pop();
        need
    }

    fn of_branch(&mut self, block: usize, then: Need<'m>, otherwise: Need<'m>) -> Need<'m> {
        if then == otherwise {
            return then;
        }
        let terminator = self.graph.blocks[block].terminator();
        let Some(condition) = terminator.map(|t| t.operand(0)) else { return Need::All };
        if self.is_shared(condition) {
            return Need::If(condition, Box::new(then), Box::new(otherwise));
        }
        let (need, holds) = match (then, otherwise) {
            (then, Need::None) => (then, true),
            (Need::None, otherwise) => (otherwise, false),
            _ => return Need::All,
        };
        match self.limit(condition, holds) {
            Some((limit, exact)) => {
                let entry = (block, !holds);
                if exact && !self.limited.contains(&entry) {
                    self.limited.push(entry);
                }
                Need::Below(limit, Box::new(need))
            }
            None => need,
        }
    }

    /// A limit of the counter where the condition has the value `holds`, and whether the condition
    /// has that value for all counters below the limit.
    fn limit(&self, condition: Value<'m>, holds: bool) -> Option<(Limit<'m>, bool)> {
        if !condition.is_instruction() {
            return None;
        }
        let operand = |n| condition.operand(n);
        let (first, second) = match condition.opcode() {
            Opcode::And if holds => (operand(0), operand(1)),
            Opcode::Or if !holds => (operand(0), operand(1)),
            Opcode::Select if holds && operand(2).is_null() => (operand(0), operand(1)),
            Opcode::Select if !holds && operand(1).as_u64() == Some(1) => (operand(0), operand(2)),
            Opcode::ICmp => return self.limit_of_comparison(condition, holds),
            _ => return None,
        };
        let either = self.limit(first, holds).or_else(|| self.limit(second, holds))?;
        Some((either.0, false))
    }

    fn limit_of_comparison(&self, i: Value<'m>, holds: bool) -> Option<(Limit<'m>, bool)> {
        use IntPredicate as P;
        let (mut a, mut b, mut predicate) = (i.operand(0), i.operand(1), i.int_predicate());
        if !holds {
            predicate = inverse(predicate);
        }
        if !self.is_counter(a) && !self.implies_zero(a) {
            (a, b, predicate) = (b, a, swapped(predicate));
        }
        if predicate == P::Eq && b.is_null() && self.implies_zero(a) {
            return Some((Limit::Constant(1), self.is_counter(a)));
        }
        if !self.is_counter(a) || !self.is_shared(b) {
            return None;
        }
        let fits = b.ty().int_width() <= self.graph.counter.phi.ty().int_width();
        match (predicate, b.as_i64()) {
            (P::Ult | P::Slt, Some(bound)) => {
                let small = u64::try_from(bound).ok().filter(|b| *b < 1 << COUNTER_BITS)?;
                Some((Limit::Constant(small), true))
            }
            (P::Ult, None) if fits => Some((Limit::Value { value: b, signed: false }, true)),
            (P::Slt, None) if fits => Some((Limit::Value { value: b, signed: true }, true)),
            _ => None,
        }
    }

    /// True if the value is the counter, or has the same value in another type.
    fn is_counter(&self, mut v: Value<'m>) -> bool {
        while v != self.graph.counter.phi {
            if self.graph.block_of(v).is_none() {
                return false;
            }
            v = match v.opcode() {
                Opcode::Trunc | Opcode::ZExt | Opcode::SExt
                    if v.ty().is_int() && v.ty().int_width() > COUNTER_BITS =>
                {
                    v.operand(0)
                }
                Opcode::And if v.operand(1).as_u64().is_some_and(keeps_counters) => v.operand(0),
                _ => return false,
            };
        }
        true
    }

    /// True if the counter is 0 whenever the value is 0.
    fn implies_zero(&self, v: Value<'m>) -> bool {
        let is_or = self.graph.block_of(v).is_some() && v.opcode() == Opcode::Or;
        self.is_counter(v) || is_or && v.operands().into_iter().any(|o| self.is_counter(o))
    }

    /// True if each counter with which an iteration reaches the block is below the new bound that
    /// `need` of the block gives: no iteration that reaches it is needed for another reason.
    fn decides(&mut self, block: usize) -> bool {
        let mut seen = BTreeSet::from([block]);
        let mut work = vec![block];
        while let Some(b) = work.pop() {
            let above = (0..b).filter(|a| self.graph.successors[*a].contains(&b));
            work.extend(above.filter(|a| seen.insert(*a)));
        }
        seen.into_iter().all(|b| {
            if self.graph.innermost[b].is_some() || self.block_has_effect(b) {
                return false;
            }
            let &[then, otherwise] = self.graph.successors[b].as_slice() else { return true };
            let condition = self.graph.blocks[b].terminator().map(|t| t.operand(0));
            self.visited = 0;
            condition.is_some_and(|c| self.is_shared(c))
                || self.need(then, &mut Vec::new()) == Need::None
                || self.need(otherwise, &mut Vec::new()) == Need::None
        })
    }

    /// Changes the loop. `before`: the branch to its header.
    fn apply(mut self, need: &Need<'m>, latch: Value<'m>, before: Value<'m>) {
        let graph = self.graph;
        let mut limited = std::mem::take(&mut self.limited);
        limited.retain(|(block, _)| self.decides(*block));
        let mut early = Early { graph, b: Builder::before(before), copies: BTreeMap::new() };
        let bound = early.bound(need, false);
        for store in &self.stores {
            store.set_operand(0, early.value(store.operand(0)));
            store.move_before(before);
        }
        for v in graph.blocks.iter().flat_map(|b| b.instructions()) {
            for user in v.users().into_iter().filter(|u| graph.block_of(*u).is_none()) {
                user.replace_operand(v, early.value(v));
            }
        }
        for phi in graph.after.phis() {
            if let Some((v, _)) = phi.incoming().first() {
                phi.replace_all_uses(*v);
            }
            phi.erase();
        }
        for (block, second) in limited {
            if let Some(branch) = graph.blocks[block].terminator() {
                branch.set_operand(0, before.cx().bool(!second));
            }
        }
        let next = graph.counter.phi.incoming().into_iter().find(|p| p.1 == latch.block());
        let Some((next, _)) = next else { return };
        latch.set_operand(0, Builder::before(latch).icmp(IntPredicate::Ult, next, bound));
        if bound.as_u64().is_none_or(|b| b == 0)
            && let Some(first) = graph.after.first()
        {
            let done = graph.after.split(first, "shortened");
            let any = early.b.icmp(IntPredicate::Ne, bound, bound.ty().constant(0));
            early.b.cond_br(any, graph.blocks[0], done);
            before.erase();
        }
    }
}

/// Computes values of the loop before it.
struct Early<'g, 'm> {
    graph: &'g Graph<'m>,
    b: Builder<'m>,
    copies: BTreeMap<Value<'m>, Value<'m>>,
}

impl<'m> Early<'_, 'm> {
    /// A copy of a value that is the same in all iterations.
    fn value(&mut self, v: Value<'m>) -> Value<'m> {
        if self.graph.block_of(v).is_none() {
            return v;
        }
        if let Some(copy) = self.copies.get(&v) {
            return *copy;
        }
        let operands: Vec<_> = v.operands().into_iter().map(|o| self.value(o)).collect();
        let copy = self.b.insert_copy(v);
        for (n, operand) in (0u32..).zip(operands) {
            copy.set_operand(n, operand);
        }
        self.copies.insert(v, copy);
        copy
    }

    /// The bound of the counter. `guarded`: iterations may use the values only under a condition,
    /// so that without it the values may be poison.
    fn bound(&mut self, need: &Need<'m>, guarded: bool) -> Value<'m> {
        let counter = self.graph.counter;
        let ty = counter.phi.ty();
        let defined = |this: &mut Self, v: Value<'m>| {
            let value = this.value(v);
            if guarded { this.b.freeze(value) } else { value }
        };
        match need {
            Need::None => ty.constant(0),
            Need::All => counter.bound,
            Need::If(condition, then, otherwise) => {
                let condition = defined(self, *condition);
                let (then, otherwise) = (self.bound(then, guarded), self.bound(otherwise, guarded));
                self.b.select(condition, then, otherwise)
            }
            Need::Below(limit, rest) => {
                let limit = match *limit {
                    Limit::Constant(limit) => ty.constant(limit),
                    Limit::Value { value, signed } => {
                        let mut value = defined(self, value);
                        if signed {
                            let zero = value.ty().constant(0);
                            let negative = self.b.icmp(IntPredicate::Slt, value, zero);
                            value = self.b.select(negative, zero, value);
                        }
                        self.b.zext_or_trunc(value, ty)
                    }
                };
                let rest = self.bound(rest, true);
                self.b.umin(limit, rest)
            }
        }
    }
}

/// True for an instruction that can run at any place: it has no effect, reads no memory, and
/// divides nothing.
fn is_plain(v: Value<'_>) -> bool {
    use Opcode as O;
    match v.opcode() {
        O::Add | O::Sub | O::Mul | O::And | O::Or | O::Xor | O::Shl | O::LShr | O::AShr => true,
        O::Trunc | O::ZExt | O::SExt | O::ICmp | O::Select => true,
        O::Call => v.is_lane_wise() && !v.has_side_effects() && !v.may_read(),
        _ => false,
    }
}

/// True for a mask that changes no counter.
fn keeps_counters(mask: u64) -> bool {
    mask.trailing_ones() >= COUNTER_BITS
}

fn inverse(p: IntPredicate) -> IntPredicate {
    use IntPredicate as P;
    match p {
        P::Eq => P::Ne,
        P::Ne => P::Eq,
        P::Ugt => P::Ule,
        P::Uge => P::Ult,
        P::Ult => P::Uge,
        P::Ule => P::Ugt,
        P::Sgt => P::Sle,
        P::Sge => P::Slt,
        P::Slt => P::Sge,
        P::Sle => P::Sgt,
    }
}

/// The predicate for exchanged operands.
fn swapped(p: IntPredicate) -> IntPredicate {
    use IntPredicate as P;
    match p {
        P::Eq | P::Ne => p,
        P::Ugt => P::Ult,
        P::Uge => P::Ule,
        P::Ult => P::Ugt,
        P::Ule => P::Uge,
        P::Sgt => P::Slt,
        P::Sge => P::Sle,
        P::Slt => P::Sgt,
        P::Sle => P::Sge,
    }
}
