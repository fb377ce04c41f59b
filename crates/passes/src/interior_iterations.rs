//! `interior-iterations`: a copy of a loop for the iterations that all work-items of a group run.
//!
//! In `for (i = get_global_id(0); i < n; i += get_global_size(0))`, work-items leave the loop at
//! different iterations, but at most one apart. The pass puts a copy of the loop in front, which
//! ends for the whole group when the last work-item of the group reaches `n`. So the copy needs no
//! masks. The old loop runs the remaining iteration and is marked as rare.
//!
//! ```text
//! j = <first i of the group's last work-item>    // n, if an addition may wrap: no copy runs
//! while (j < n) { <body>; i += step; j += step; }    // the copy
//! while (i < n) { <body>; i += step; }
//! ```
//! The step and `n` must be the same in the whole group, and the first value of `i` must grow with
//! the local ids, as for the bounds of [`crate::interior_groups`]. Then `j` is the largest `i` of
//! the group in each iteration.
//!
//! Invariant: the function's behaviour does not change. Not here: loops with other ends, which
//! `vecz` runs with masks.

use std::collections::BTreeSet;

use muxcl_llvm::{Block, Builder, Function, IntPredicate, Opcode, Value, ValueMap};

use crate::interior_groups::{Corner, MOST_INSTRUCTIONS, Search, Spread, in_order};
use crate::loops;
use crate::work_item_loops::GroupFunction;

/// Loops with more instructions are not copied.
const MOST_IN_LOOP: usize = 200;

/// A loop that the pass copies.
struct Loop<'m> {
    header: Block<'m>,
    blocks: Vec<Block<'m>>,
    /// The only block outside from which control enters the loop.
    before: Block<'m>,
    /// The loop's counter: a PHI node of the header.
    counter: Value<'m>,
    /// The first value of the counter.
    start: Value<'m>,
    /// The number that each iteration adds to the counter.
    step: Value<'m>,
    /// The loop runs while the counter is below this number, or equal to it.
    end: Value<'m>,
    signed: bool,
    /// The header's successor inside the loop.
    inside: Block<'m>,
}

/// Runs the pass on the function of a work-group.
pub fn run(group: GroupFunction<'_>) {
    let f = group.function;
    if f.instructions().len() > MOST_INSTRUCTIONS {
        return;
    }
    let Some(end) = f.entry().terminator() else { return };
    let search = Search { group };
    let mut corners = [Corner::new(&search, false), Corner::new(&search, true)];
    for found in find(&search, f) {
        found.copy(f, &Builder::before(end), &mut corners);
    }
}

/// The loops that qualify. None is inside another.
fn find<'m>(search: &Search<'m>, f: Function<'m>) -> Vec<Loop<'m>> {
    let latches = loops::latches(f);
    let mut found: Vec<Loop<'m>> = Vec::new();
    // In the order of the function, so that the result does not depend on addresses.
    for header in f.blocks() {
        let Some(latches) = latches.get(&header) else { continue };
        let inside: BTreeSet<Block<'m>> =
            latches.iter().flat_map(|latch| loops::body(*latch, header)).collect();
        if let Some(new) = qualify(search, f, header, &inside)
            && !found.iter().any(|l| inside.contains(&l.header) || l.blocks.contains(&header))
        {
            found.push(new);
        }
    }
    found
}

fn qualify<'m>(
    search: &Search<'m>,
    f: Function<'m>,
    header: Block<'m>,
    inside: &BTreeSet<Block<'m>>,
) -> Option<Loop<'m>> {
    use IntPredicate as P;
    let is_inside = |b: &Block<'m>| inside.contains(b);
    let branch = header.terminator().filter(|t| t.is_conditional_branch())?;
    let (yes, no) = (branch.successors()[0], branch.successors()[1]);
    let test = branch.operand(0);
    if !test.is_instruction() || test.opcode() != Opcode::ICmp || yes == header || no == header {
        return None;
    }
    let (next, leaves, strict) = match test.int_predicate() {
        P::Ult | P::Slt | P::Ule | P::Sle => (yes, no, test.int_predicate()),
        P::Uge => (no, yes, P::Ult),
        P::Sge => (no, yes, P::Slt),
        P::Ugt => (no, yes, P::Ule),
        P::Sgt => (no, yes, P::Sle),
        _ => return None,
    };
    let signed = matches!(strict, P::Slt | P::Sle);
    let (counter, end) = (test.operand(0), test.operand(1));
    let is_phi = counter.is_instruction() && counter.opcode() == Opcode::Phi;
    if !is_inside(&next) || is_inside(&leaves) || !is_phi || counter.block() != header {
        return None;
    }
    if !(8..=64).contains(&counter.ty().int_width()) {
        return None;
    }
    // Only the header leaves the loop, and control enters it at one place.
    let only_exit = inside
        .iter()
        .filter(|b| **b != header)
        .all(|b| !b.successors().is_empty() && b.successors().iter().all(is_inside));
    let mut outside = header.predecessors().into_iter().filter(|b| !is_inside(b));
    let before = outside.next()?;
    let enters = before.successors().iter().filter(|b| **b == header).count();
    if !only_exit || outside.next().is_some() || enters != 1 {
        return None;
    }
    let (mut start, mut following) = (None, None);
    for (value, from) in counter.incoming() {
        let slot = if is_inside(&from) { &mut following } else { &mut start };
        if slot.is_some_and(|known| known != value) {
            return None;
        }
        *slot = Some(value);
    }
    let (start, following) = (start?, following?);
    if !following.is_instruction() || following.opcode() != Opcode::Add {
        return None;
    }
    let n = (0..2).find(|n| following.operand(*n) == counter)?;
    let step = following.operand(1 - n);
    let same = |v| match search.spread(v) {
        Some(Spread::Same { constant }) => Some(constant),
        _ => None,
    };
    same(step)?;
    let constant = same(end)?;
    match search.spread(start)? {
        // `vecz` knows how often such a loop runs.
        Spread::Grows { group: false, .. } if constant => return None,
        Spread::Grows { .. } => {}
        Spread::Same { .. } => return None,
    }
    let blocks: Vec<Block<'m>> = f.blocks().into_iter().filter(is_inside).collect();
    let all: Vec<Value<'m>> = blocks.iter().flat_map(|b| b.instructions()).collect();
    let stays = |i: &Value<'m>| {
        i.is_alloca()
            || i.callee()
                .is_some_and(|f| f.has_attribute("convergent") || f.has_attribute("noduplicate"))
    };
    if all.len() > MOST_IN_LOOP || all.iter().any(stays) {
        return None;
    }
    Some(Loop { header, blocks, before, counter, start, step, end, signed, inside: next })
}

impl<'m> Loop<'m> {
    /// Puts the copy in front of the loop. `at`: the end of the function's entry.
    fn copy(&self, f: Function<'m>, at: &Builder<'m>, corners: &mut [Corner<'_, 'm>; 2]) {
        let below = if self.signed { IntPredicate::Slt } else { IntPredicate::Ult };
        let [first, last] = corners;
        let step = first.value(at, self.step);
        let end = first.value(at, self.end);
        let mut safe = self.grows_without_wrap(at, step, end);
        for condition in in_order(at, [first, last], self.start, self.signed) {
            safe = at.and(safe, condition);
        }
        let start = at.select(safe, last.value(at, self.start), end);

        let map = ValueMap::new();
        let copies: Vec<Block<'m>> =
            self.blocks.iter().map(|b| map.clone_block(*b, ".all", f)).collect();
        copies.iter().for_each(|copy| map.remap(*copy));
        let copy_of = |b: Block<'m>| {
            (self.blocks.iter().zip(&copies)).find(|(old, _)| **old == b).map_or(b, |(_, new)| *new)
        };
        let header = copy_of(self.header);
        let Some(branch) = header.terminator() else { return };

        // The counter of the last work-item ends the copy.
        let Some(front) = header.first() else { return };
        let number = Builder::before(front).phi(self.counter.ty(), "last");
        let b = Builder::before(branch);
        let next = b.add(number, step);
        number.add_incoming(start, self.before);
        for latch in header.predecessors() {
            number.add_incoming(next, latch);
        }
        b.cond_br(b.icmp(below, number, end), copy_of(self.inside), self.header);
        branch.erase();

        // The loop continues with the values that the copy ends with.
        for phi in self.header.phis() {
            let all = Builder::before(phi).phi(phi.ty(), "");
            for (value, from) in phi.incoming() {
                if from == self.before {
                    all.add_incoming(map.get(phi).unwrap_or(value), header);
                } else {
                    all.add_incoming(value, from);
                }
            }
            phi.replace_all_uses(all);
            phi.erase();
        }
        for latch in self.header.predecessors().iter().filter(|b| self.blocks.contains(b)) {
            if let Some(branch) = latch.terminator() {
                branch.set_rare_loop();
            }
        }
        let Some(enter) = self.before.terminator() else { return };
        for (n, to) in (0u32..).zip(enter.successors()) {
            if to == self.header {
                enter.set_successor(n, header);
            }
        }
    }

    /// True at run time if any number below `end` becomes larger when `step` is added, and does not
    /// wrap.
    fn grows_without_wrap(&self, b: &Builder<'m>, step: Value<'m>, end: Value<'m>) -> Value<'m> {
        let ty = self.counter.ty();
        let largest = match (self.signed, ty.int_width()) {
            (false, bits) => u64::MAX >> (64 - bits.min(64)),
            (true, bits) => u64::MAX >> (65 - bits.min(64)),
        };
        let room = b.sub(ty.constant(largest), step);
        let (order, up) = match self.signed {
            true => (IntPredicate::Sle, IntPredicate::Sgt),
            false => (IntPredicate::Ule, IntPredicate::Ugt),
        };
        b.and(b.icmp(up, step, ty.null()), b.icmp(order, end, room))
    }
}
