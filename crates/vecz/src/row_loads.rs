//! Loads along a row of memory: in an inner loop, each work-item loads consecutive elements.
//!
//! The rows of different lanes are far apart, as in a product of a matrix and a vector with a row
//! for each work-item. A gather in each iteration then touches a cache line for each lane. If the
//! rows are a power of two apart, these lines replace each other in the cache before the next
//! iteration uses them. So this step unrolls such a loop by [`BLOCK`] iterations, and one vector
//! load replaces the loads of these iterations. `widen` loads one vector for each lane and
//! transposes them.
//!
//! ```text
//! for i: sum += row[i] * x[i]
//! for i by 8: v = row[i .. i + 8]; sum += v[0] * x[i]; sum += v[1] * x[i + 1]; ...
//! for the remaining i: sum += row[i] * x[i]
//! ```
//!
//! Invariants: all checks come before the first change. All iterations of a block run, so the
//! vector touches no other memory than the scalar loads. No instruction of the loop writes memory,
//! so loads of later iterations may move up. Each value is computed in the order of the scalar
//! code. Not here: the transposition (`widen::transpose`).

use std::collections::BTreeMap;

use muxcl_llvm::{Block, Builder, Function, IntPredicate, Module, Opcode, Value};

use crate::graph::Graph;
use crate::groups::MAX_STRIDE;
use crate::shapes::{
    Lowering, Shape, Shapes, access_of, base_of, elements_of, fills_bytes, lowering,
};
use crate::steps::Steps;
use crate::widen::regular::usual_stride;

/// The number of iterations that share a load.
const BLOCK: u32 = 8;
/// The largest number of loads along rows in one loop. Each needs `BLOCK` vector registers.
const MOST_LOADS: usize = 3;
/// The largest number of instructions of the iterations of a block.
const MOST_COPIES: usize = 400;

/// An inner loop with loads along rows. Its header has the only exit, and its body is one block.
pub(crate) struct RowLoop<'m> {
    before: Block<'m>,
    header: Block<'m>,
    body: Block<'m>,
    start: Value<'m>,
    bound: Value<'m>,
    /// The loop continues while this holds for the counter and the bound.
    predicate: IntPredicate,
    /// The loads along rows.
    loads: Vec<Value<'m>>,
    /// The instructions of an iteration except PHIs, branches and hints.
    instructions: Vec<Value<'m>>,
}

/// The inner loops of `graph` with loads along rows that all lanes run together.
pub(crate) fn find<'m>(
    module: &Module<'_>,
    graph: &Graph<'m>,
    shapes: &Shapes<'m>,
) -> Vec<RowLoop<'m>> {
    (0..graph.loops.len()).filter_map(|l| RowLoop::of(module, graph, shapes, l)).collect()
}

/// True for an access of a scalar whose address grows by one element in each iteration of the loop
/// of `steps`, while the lanes are too far apart for a group of accesses (`groups`).
pub(crate) fn is_along_memory<'m>(
    graph: &Graph<'m>,
    shapes: &Shapes<'m>,
    steps: &Steps<'_, 'm, '_>,
    i: Value<'m>,
) -> bool {
    let Some((pointer, ty)) = access_of(i) else { return false };
    if ty.is_vector() || ty.is_pointer() || elements_of(ty).is_none() {
        return false;
    }
    let size = steps.module.size_of(ty).cast_signed();
    let far = |s: i64| s.abs() > MAX_STRIDE * size;
    let apart = match shapes.of_value(graph, pointer) {
        Shape::Uniform => false,
        Shape::Strided(s) => far(s),
        Shape::Varying => usual_stride(steps.module, graph, shapes, pointer).is_none_or(far),
    };
    apart
        && fills_bytes(steps.module, ty)
        && !shapes.variables.contains(&base_of(pointer))
        && steps.of(pointer) == Some(size)
}

impl<'m> RowLoop<'m> {
    fn of(
        module: &Module<'_>,
        graph: &Graph<'m>,
        shapes: &Shapes<'m>,
        number: usize,
    ) -> Option<Self> {
        let l = &graph.loops[number];
        let shape_fits = l.blocks.len() == 2 && l.header != l.latch && !shapes.divergent[number];
        let [(from, _)] = l.exits[..] else { return None };
        if !shape_fits || from != l.header || l.blocks.iter().any(|b| shapes.masked[*b]) {
            return None;
        }
        let (header, body) = (graph.blocks[l.header], graph.blocks[l.latch]);
        let outside: Vec<_> = header.predecessors().into_iter().filter(|b| *b != body).collect();
        let &[before] = outside.as_slice() else { return None };
        let into = before.terminator()?.successors();
        let branch = header.terminator()?;
        let test = branch.operand(0);
        if into.iter().filter(|b| **b == header).count() != 1
            || !test.is_instruction()
            || test.opcode() != Opcode::ICmp
        {
            return None;
        }
        let (counter, bound) = (test.operand(0), test.operand(1));
        let stays = branch.successors().first() == Some(&body);
        let predicate = match (test.int_predicate(), stays) {
            (p @ (IntPredicate::Slt | IntPredicate::Ult | IntPredicate::Ne), true) => p,
            (IntPredicate::Eq, false) => IntPredicate::Ne,
            _ => return None,
        };
        let mut out = Self {
            before,
            header,
            body,
            start: counter,
            bound,
            predicate,
            loads: Vec::new(),
            instructions: Vec::new(),
        };
        let uniform = |v: Value<'m>| shapes.of_value(graph, v) == Shape::Uniform;
        let counts = header.phis().contains(&counter)
            && counter.ty().is_int()
            && (8..=64).contains(&counter.ty().int_width())
            && uniform(counter)
            && uniform(bound)
            && out.steps(module).of(bound) == Some(0)
            && out.steps(module).of(counter) == Some(1);
        if !counts {
            return None;
        }
        out.start = out.first_of(counter)?;
        for i in header.instructions().into_iter().chain(body.instructions()) {
            let hint = || i.callee().is_some_and(|f| f.name().starts_with("llvm.assume"));
            match lowering(i) {
                _ if i.opcode() == Opcode::Phi || i.is_terminator() => {}
                Lowering::Hint if hint() => {}
                Lowering::LaneWise | Lowering::Elements | Lowering::Variant | Lowering::Load
                    if !i.has_side_effects() =>
                {
                    out.instructions.push(i);
                }
                _ => return None,
            }
        }
        let steps = out.steps(module);
        let along = |i: &Value<'m>| {
            let is_load = i.block() == body && lowering(*i) == Lowering::Load;
            is_load && is_along_memory(graph, shapes, &steps, *i)
        };
        out.loads = out.instructions.iter().copied().filter(along).collect();
        let few = (1..=MOST_LOADS).contains(&out.loads.len())
            && out.instructions.len() * BLOCK as usize <= MOST_COPIES;
        few.then_some(out)
    }

    fn steps<'a, 'c>(&self, module: &'a Module<'c>) -> Steps<'a, 'm, 'c> {
        Steps { module, blocks: vec![self.header, self.body], rows: None, wraps: true }
    }

    /// The value of a PHI of the header in the first iteration.
    fn first_of(&self, phi: Value<'m>) -> Option<Value<'m>> {
        phi.incoming().into_iter().find(|(_, from)| *from == self.before).map(|(v, _)| v)
    }

    /// The value of a PHI of the header in the next iteration.
    fn next_of(&self, phi: Value<'m>) -> Option<Value<'m>> {
        phi.incoming().into_iter().find(|(_, from)| *from == self.body).map(|(v, _)| v)
    }

    /// Computes the value that `v` has in the first iteration, in front of the loop.
    fn at_start(
        &self,
        b: &Builder<'m>,
        v: Value<'m>,
        known: &mut BTreeMap<Value<'m>, Value<'m>>,
    ) -> Value<'m> {
        if !(v.is_instruction() && [self.header, self.body].contains(&v.block())) {
            return v;
        }
        if let Some(known) = known.get(&v) {
            return *known;
        }
        let new = match v.opcode() {
            Opcode::Phi => self.first_of(v).unwrap_or(v),
            _ => {
                let operands: Vec<_> =
                    v.operands().into_iter().map(|o| self.at_start(b, o, known)).collect();
                let copy = b.insert_copy(v);
                for (n, o) in (0u32..).zip(operands) {
                    copy.set_operand(n, o);
                }
                copy
            }
        };
        known.insert(v, new);
        new
    }

    /// Puts a loop over blocks of iterations in front of the loop, which runs the remaining ones.
    pub(crate) fn unroll(&self, module: &Module<'_>, f: Function<'m>) {
        let check = f.append_block("rows.check");
        let run = f.append_block("rows");
        let Some(branch) = self.header.terminator() else { return };
        let ty = self.start.ty();
        let b = Builder::at_end(check);
        b.set_location(branch);
        let size = ty.constant(BLOCK.into());
        let mut known = BTreeMap::new();
        let bound = self.at_start(&b, self.bound, &mut known);
        // Modulo the size of the type, so the difference is right although it may wrap.
        let whole = b.and(b.sub(bound, self.start), b.sub(ty.null(), size));
        let full = match self.predicate {
            IntPredicate::Ne => whole,
            p => b.select(b.icmp(p, self.start, bound), whole, ty.null()),
        };
        let rows: Vec<Value<'m>> =
            self.loads.iter().map(|l| self.at_start(&b, l.operand(0), &mut known)).collect();
        let none = b.icmp(IntPredicate::Eq, full, ty.null());
        b.set_location(branch);
        b.cond_br(none, self.header, run);

        let b = Builder::at_end(run);
        b.set_location(branch);
        let firsts: Vec<_> = self
            .header
            .phis()
            .into_iter()
            .filter_map(|p| Some((p, self.first_of(p)?, self.next_of(p)?)))
            .collect();
        let mut values: BTreeMap<Value<'m>, Value<'m>> = BTreeMap::new();
        let mut phis = Vec::new();
        for (phi, first, _) in &firsts {
            let new = b.phi(phi.ty(), "");
            new.add_incoming(*first, check);
            values.insert(*phi, new);
            phis.push(new);
        }
        let done = b.phi(ty, "done");
        done.add_incoming(ty.null(), check);
        let cx = ty.cx();
        let vectors: Vec<Value<'m>> = self
            .loads
            .iter()
            .zip(rows)
            .map(|(load, row)| {
                b.set_location(*load);
                let bytes = cx.i64().constant(module.size_of(load.ty()));
                let at = b.byte_offsets(row, b.mul(b.zext_or_trunc(done, cx.i64()), bytes));
                b.masked_load(cx.vector(load.ty(), BLOCK), at, load.align(), None, *load)
            })
            .collect();
        for n in 0..BLOCK {
            for i in &self.instructions {
                let new = |v: Value<'m>| values.get(&v).copied().unwrap_or(v);
                b.copy_debug_records(*i, &|v| Some(new(v)));
                if i.users() == [branch] {
                    continue;
                }
                let copy = match self.loads.iter().position(|l| l == i) {
                    Some(at) => {
                        b.set_location(*i);
                        b.extract_element(vectors[at], cx.u32(n))
                    }
                    None => {
                        let copy = b.insert_copy(*i);
                        for (n, o) in (0u32..).zip(i.operands()) {
                            if new(o) != o {
                                copy.set_operand(n, new(o));
                            }
                        }
                        copy
                    }
                };
                values.insert(*i, copy);
            }
            let nexts: Vec<Value<'m>> = firsts
                .iter()
                .map(|(_, _, next)| values.get(next).copied().unwrap_or(*next))
                .collect();
            for ((phi, _, _), next) in firsts.iter().zip(nexts) {
                values.insert(*phi, next);
            }
        }
        b.set_location(branch);
        let after = b.add(done, size);
        b.cond_br(b.icmp(IntPredicate::Ult, after, full), run, self.header);
        done.add_incoming(after, run);
        self.header.remove_predecessor(self.before);
        for ((phi, first, _), new) in firsts.iter().zip(phis) {
            new.add_incoming(values[phi], run);
            phi.add_incoming(*first, check);
            phi.add_incoming(values[phi], run);
        }
        if let Some(t) = self.before.terminator() {
            for (n, s) in (0u32..).zip(t.successors()) {
                if s == self.header {
                    t.set_successor(n, check);
                }
            }
        }
    }
}
