//! Unroll and jam: the innermost loop over work-items runs several rows of work-items at once.
//!
//! A row is one iteration of the loop around the innermost one, which steps through the next
//! dimension (y around x). If all rows take the same branches, several of them run side by side:
//! an instruction whose value differs between rows gets a copy for each row, all others are
//! executed once. So a naive matrix product loads a row of the second matrix once for several rows
//! of the result, and the sums of different rows do not wait for each other.
//!
//! ```text
//! for y: for x: c[y][x] = a[y] * b[x]
//! for y by 2: for x: t = b[x]; c[y][x] = a[y] * t; c[y + 1][x] = a[y + 1] * t
//! ```
//!
//! The contract of [`crate::vectorize`] makes the iterations independent. Invariant: all checks
//! come before the first change. Not here: the number of rows that is profitable (`overlap`).

use std::collections::{BTreeMap, BTreeSet};

use muxcl_llvm::{Block, Builder, IntPredicate, Opcode, Value};

use crate::graph::Graph;
use crate::shapes::{Lowering, Shapes, base_of, lowering};

/// For each row after the first: the copy of each instruction that depends on the row.
pub(crate) type Copies<'m> = Vec<BTreeMap<Value<'m>, Value<'m>>>;

/// The loop over rows: the loop around the innermost one, if its iterations can run side by side.
pub(crate) struct Rows<'m> {
    /// The counter of the loop over rows.
    phi: Value<'m>,
    /// The counter of the next iteration.
    next: Value<'m>,
    /// The comparison that ends the loop over rows.
    test: Value<'m>,
    /// The number of rows.
    pub(crate) count: u64,
    /// The instructions of both loops that depend on the row, except the counter, in the order of
    /// the code.
    differing: Vec<Value<'m>>,
    /// The counter and the instructions of `differing`.
    set: BTreeSet<Value<'m>>,
}

/// The loop around that of a graph, if it counts from zero to a constant.
struct Counted<'m> {
    header: Block<'m>,
    phi: Value<'m>,
    next: Value<'m>,
    test: Value<'m>,
    count: u64,
}

impl<'m> Counted<'m> {
    fn around(graph: &Graph<'m>) -> Option<Self> {
        let (header, end) = (graph.before, graph.after);
        let &[phi] = header.phis().as_slice() else { return None };
        let latch = end.terminator().filter(|t| t.is_conditional_branch())?;
        let next = phi.incoming().into_iter().find(|p| p.1 == end)?.0;
        let start = phi.incoming().into_iter().find(|p| p.1 != end)?.0;
        let test = latch.operand(0);
        let is_step = next.is_instruction()
            && next.opcode() == Opcode::Add
            && next.operand(0) == phi
            && next.operand(1).as_u64() == Some(1);
        let is_test = test.is_instruction()
            && test.opcode() == Opcode::ICmp
            && matches!(test.int_predicate(), IntPredicate::Ult | IntPredicate::Ne);
        let closes = latch.successors().first() == Some(&header);
        if !(is_step && is_test && closes && start.is_null() && phi.incoming().len() == 2) {
            return None;
        }
        let end = end.instructions();
        if end.len() != 3 || !end.contains(&next) || !end.contains(&test) {
            return None;
        }
        let bound = test.operand(1).as_u64()?;
        // LLVM compares either the next row with the number of rows, or this row with the last.
        let count = match test.operand(0) {
            v if v == next => bound,
            v if v == phi => bound.checked_add(1)?,
            _ => return None,
        };
        let short = count <= i32::MAX.cast_unsigned().into();
        short.then_some(Self { header, phi, next, test, count })
    }
}

/// Quick test: false if [`Rows::around`] finds no rows.
pub(crate) fn may_have_rows(graph: &Graph<'_>) -> bool {
    Counted::around(graph).is_some()
}

impl<'m> Rows<'m> {
    /// The loop over rows of work-items: the loop around that of `graph`. `None` if its iterations
    /// cannot run side by side.
    pub(crate) fn around(graph: &Graph<'m>, shapes: &Shapes<'m>) -> Option<Self> {
        if !shapes.variables.is_empty() {
            return None;
        }
        let Counted { header, phi, next, test, count } = Counted::around(graph)?;
        let blocks: Vec<_> = std::iter::once(header).chain(graph.blocks.iter().copied()).collect();
        let all: Vec<Value<'m>> = blocks.iter().flat_map(|b| b.instructions()).collect();
        let inside: BTreeSet<Value<'m>> = all.iter().copied().collect();
        let mut set = BTreeSet::from([phi]);
        let mut work = vec![phi];
        while let Some(v) = work.pop() {
            for user in v.users() {
                if !inside.contains(&user) {
                    if user == next || user == test {
                        continue;
                    }
                    return None;
                }
                if set.insert(user) {
                    work.push(user);
                }
            }
        }
        let differing: Vec<_> =
            all.iter().copied().filter(|i| *i != phi && set.contains(i)).collect();
        // All rows use a stack variable at the same address, but each needs its own content.
        let on_stack = |i: &Value<'m>| i.operands().into_iter().any(|o| base_of(o).is_alloca());
        let fits = all.iter().all(|i| can_jam(*i, &set) && !on_stack(i))
            && differing.iter().all(|i| !i.is_terminator());
        fits.then_some(Self { phi, next, test, count, differing, set })
    }

    /// True for the counter of the loop over rows. It is below 2^31.
    pub(crate) fn is_counter(&self, v: Value<'m>) -> bool {
        v == self.phi
    }

    /// True if the value depends on the row.
    pub(crate) fn differs(&self, v: Value<'m>) -> bool {
        self.set.contains(&v)
    }

    /// The number of instructions that get a copy for each row.
    pub(crate) fn size(&self) -> usize {
        self.differing.len()
    }

    /// Makes each iteration of the loop over rows run `rows` rows. `rows` must divide `count`.
    pub(crate) fn jam(&self, rows: u32) -> Copies<'m> {
        let mut all = Vec::new();
        for row in 1..rows {
            let mut copies: BTreeMap<Value<'m>, Value<'m>> = BTreeMap::new();
            let ty = self.phi.ty();
            let Some(first) = self.phi.block().first_insertion_point() else { return all };
            let own = Builder::before(first).add_nuw_nsw(self.phi, ty.constant(row.into()));
            copies.insert(self.phi, own);
            for i in &self.differing {
                let copy = match i.opcode() {
                    // A PHI must precede all other instructions of its block.
                    Opcode::Phi => Builder::before(*i).phi(i.ty(), ""),
                    _ => Builder::before(*i).insert_copy(*i),
                };
                copies.insert(*i, copy);
            }
            for i in &self.differing {
                let copy = copies[i];
                let new = |v: Value<'m>| copies.get(&v).copied().unwrap_or(v);
                if i.opcode() == Opcode::Phi {
                    for (v, from) in i.incoming() {
                        copy.add_incoming(new(v), from);
                    }
                    continue;
                }
                for (n, v) in (0u32..).zip(i.operands()) {
                    if new(v) != v {
                        copy.set_operand(n, new(v));
                    }
                }
            }
            all.push(copies);
        }
        let ty = self.phi.ty();
        self.next.set_operand(1, ty.constant(rows.into()));
        if self.test.operand(0) == self.phi {
            self.test.set_operand(1, ty.constant(self.count - u64::from(rows)));
        }
        all
    }
}

/// True if the copies of an instruction for several rows may run one directly after another.
/// `differing` has the values that depend on the row.
fn can_jam<'m>(i: Value<'m>, differing: &BTreeSet<Value<'m>>) -> bool {
    let differs = |v: Value<'m>| differing.contains(&v);
    match lowering(i) {
        Lowering::EachLane | Lowering::CrossLane | Lowering::Variant | Lowering::Once => false,
        // If all rows store to one address, the last row must store last.
        Lowering::Store => differs(i.operand(1)),
        // A hint about a value that depends on the row holds for one row only.
        Lowering::Hint => !i.operands().into_iter().any(differs),
        Lowering::Load | Lowering::LaneWise | Lowering::Elements => true,
    }
}
