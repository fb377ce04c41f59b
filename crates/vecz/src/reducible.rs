//! Makes irreducible control flow in the body of a loop reducible.
//!
//! A cycle is irreducible if control enters it at several blocks: a `goto` into a loop, or a jump
//! that LLVM has threaded into one. Lanes need natural loops, because lanes that run a loop
//! together meet in its header.
//!
//! **Splitting.** One block of the cycle becomes the header. The blocks on the paths from the other
//! entries to the header are copied, and the entries lead to the copies:
//!
//! ```text
//! before: a -> x, b -> y, x -> y, y -> x      header y: a -> x', x' -> y, b -> y, x -> y, y -> x
//! ```
//!
//! This is controlled node splitting (Janssen and Corporaal, "Making graphs reducible with
//! controlled node splitting", 1997): the header is never copied, nor is a block that only the
//! header leads to. The header is the block for which the fewest instructions are copied. A block
//! that another block of the cycle dominates is never better than that one.
//!
//! **Dispatch.** If the copies of a loop over work-items would exceed its own instructions, each
//! further cycle gets a new header, which branches to one of the entries by a number. LLVM's pass
//! `fix-irreducible` does this in all cases. It copies nothing, but each iteration then runs
//! comparisons, lanes that entered at different blocks stay apart, and run one after another, in
//! all later iterations. With copies, all lanes run the header together after their first partial
//! iteration. So splitting gives the faster code, and the dispatch bounds its growth.
//!
//! An operation between lanes combines all lanes that reach it. Copies of it, or lanes kept apart
//! by a dispatch, would change its result. So its block is never copied, and a cycle with such a
//! block gets no dispatch.
//!
//! Invariants: each path through the code runs the same instructions as before, apart from the
//! number of a dispatch. The code has at most twice the instructions. Not here: natural loops with
//! several latches (LLVM's `loop-simplify`), and what lanes do in loops (`widen`).

use std::collections::{BTreeMap, BTreeSet};

use muxcl_llvm::{Block, Builder, Function, Opcode, Type, Value, ValueMap};

use crate::Refusal;
use crate::cross_lane::Operation;
use crate::graph::{dominators, members, reverse_post_order};

/// The number of instructions that may be copied in a loop with fewer instructions.
const SMALL: usize = 256;
/// The number of edges that the search for the best copies of one cycle may visit.
const MOST_EDGES: usize = 1 << 16;
/// The number of ways of all dispatches in a loop. Their comparisons, one for each way, take LLVM's
/// simplifications quadratic time.
const MOST_WAYS: usize = 256;

/// Makes the control flow of the loop over work-items that `latch` closes reducible. `last`: no
/// pass of LLVM that threads jumps runs afterwards; before such a pass, cycles that need a dispatch
/// stay as they are. Returns whether the loop has changed. The code then has new variables, which
/// the caller should promote ([`Function::promote_allocas`]).
///
/// # Errors
/// The reason why a cycle stays irreducible. The loop may have changed all the same.
pub fn make_reducible(latch: Value<'_>, last: bool) -> Result<bool, Refusal> {
    run(latch.block().function(), last, || Body::of_loop(latch))
}

/// Makes the control flow of a function reducible as far as copies of blocks can, as
/// [`make_reducible`] does. Returns whether the function has changed.
pub fn split_cycles(f: Function<'_>) -> bool {
    run(f, false, || Some(Body::of_function(f))) != Ok(false)
}

fn run<'m>(
    f: Function<'m>,
    last: bool,
    body: impl Fn() -> Option<Body<'m>>,
) -> Result<bool, Refusal> {
    let mut most = None;
    let mut changed = false;
    let mut ways = 0;
    while let Some(body) = body()
        && let Some(cycle) = body.flow.cycle()
    {
        let flow = &body.flow;
        let most = most.get_or_insert_with(|| flow.sizes.iter().sum::<usize>().max(SMALL));
        let mut sources = cycle.blocks.iter().flat_map(|b| &flow.predecessors[*b]);
        if !sources.all(|b| body.can_be_redirected(*b)) {
            return Err(Refusal::Form("a terminator that is no branch"));
        }
        if let Some(split) = flow.split_within(&cycle, *most) {
            *most -= split.instructions;
            body.split(f, &cycle, &split.copied);
        } else if cycle.blocks.iter().any(|b| flow.fixed[*b]) {
            return Err(Refusal::Form("irreducible control flow around operations between lanes"));
        } else if last {
            ways += cycle.entries.len();
            if ways > MOST_WAYS {
                return Err(Refusal::Form("too many entries of cycles"));
            }
            body.dispatch(f, &cycle);
        } else {
            break;
        }
        changed = true;
    }
    Ok(changed)
}

/// A control-flow graph whose blocks are numbered in reverse post-order from block 0.
struct Flow {
    successors: Vec<Vec<usize>>,
    /// One entry for each edge.
    predecessors: Vec<Vec<usize>>,
    /// By block: the number of its instructions.
    sizes: Vec<usize>,
    /// By block: it must not be copied.
    fixed: Vec<bool>,
}

/// A cycle with several entries.
struct Cycle {
    blocks: BTreeSet<usize>,
    entries: Vec<usize>,
}

/// The blocks to copy.
struct Split {
    instructions: usize,
    copied: BTreeSet<usize>,
}

impl Flow {
    fn new(successors: Vec<Vec<usize>>, sizes: Vec<usize>, fixed: Vec<bool>) -> Self {
        let mut predecessors = vec![Vec::new(); successors.len()];
        for (b, list) in successors.iter().enumerate() {
            list.iter().for_each(|s| predecessors[*s].push(b));
        }
        Self { successors, predecessors, sizes, fixed }
    }

    /// A graph whose blocks have any numbers except for block 0.
    fn renumbered(successors: &[Vec<usize>], sizes: &[usize], fixed: &[bool]) -> Self {
        let mut seen = BTreeSet::from([0]);
        let mut stack = vec![(0, successors[0].as_slice())];
        let mut order = Vec::new();
        while let Some((b, rest)) = stack.last_mut() {
            match rest.split_first() {
                Some((next, others)) => {
                    *rest = others;
                    if seen.insert(*next) {
                        stack.push((*next, &successors[*next]));
                    }
                }
                None => {
                    order.push(*b);
                    stack.pop();
                }
            }
        }
        order.reverse();
        let mut numbers = vec![0; successors.len()];
        order.iter().enumerate().for_each(|(n, b)| numbers[*b] = n);
        let list = |b: &usize| successors[*b].iter().map(|s| numbers[*s]).collect();
        Self::new(
            order.iter().map(list).collect(),
            order.iter().map(|b| sizes[*b]).collect(),
            order.iter().map(|b| fixed[*b]).collect(),
        )
    }

    /// A cycle with several entries. It contains the target of an edge back to a block that does
    /// not dominate the edge's source, and all cycles through that target below the nearest block
    /// that dominates both.
    fn cycle(&self) -> Option<Cycle> {
        let dominators = dominators(&self.predecessors);
        let dominates = |a: usize, mut b: usize| {
            while b > a {
                b = dominators[b];
            }
            a == b
        };
        let edges = self.successors.iter().enumerate();
        let (from, to) = edges
            .flat_map(|(from, list)| list.iter().map(move |to| (from, *to)))
            .find(|(from, to)| to <= from && !dominates(*to, *from))?;
        let (mut above, mut other) = (from, to);
        while above != other {
            (above, other) = (above.min(other), dominators[above.max(other)]);
        }
        let below = |b: usize| b != above && dominates(above, b);
        let reach = |edges: &[Vec<usize>]| {
            let mut seen = BTreeSet::new();
            let mut work = vec![to];
            while let Some(b) = work.pop() {
                if below(b) && seen.insert(b) {
                    work.extend(&edges[b]);
                }
            }
            seen
        };
        let blocks = &reach(&self.successors) & &reach(&self.predecessors);
        let outside = |b: &&usize| self.predecessors[**b].iter().any(|p| !blocks.contains(p));
        let entries = blocks.iter().filter(outside).copied().collect();
        Some(Cycle { blocks, entries })
    }

    /// The best copies for a cycle, if its blocks become reducible with at most `most` copied
    /// instructions.
    fn split_within(&self, cycle: &Cycle, most: usize) -> Option<Split> {
        self.growth(cycle, most)?;
        self.cheapest(cycle, &mut { MOST_EDGES })
    }

    /// The number of instructions that are copied until the blocks of `cycle` have no irreducible
    /// cycle any more; `None` if it exceeds `most`, or if the search takes too long.
    fn growth(&self, cycle: &Cycle, most: usize) -> Option<usize> {
        // Block 0 leads to the entries of the cycle.
        let mut numbers = BTreeMap::from([(usize::MAX, 0)]);
        numbers.extend(cycle.blocks.iter().enumerate().map(|(n, b)| (*b, n + 1)));
        let inside = |b: &usize| {
            self.successors[*b].iter().filter_map(|s| numbers.get(s).copied()).collect()
        };
        let enter: Vec<usize> = cycle.entries.iter().map(|b| numbers[b]).collect();
        let successors: Vec<_> =
            [enter].into_iter().chain(cycle.blocks.iter().map(inside)).collect();
        let sizes: Vec<_> =
            [0].into_iter().chain(cycle.blocks.iter().map(|b| self.sizes[*b])).collect();
        let fixed: Vec<_> =
            [false].into_iter().chain(cycle.blocks.iter().map(|b| self.fixed[*b])).collect();
        let mut flow = Self::renumbered(&successors, &sizes, &fixed);
        let mut edges = MOST_EDGES;
        let mut copied = 0;
        while let Some(cycle) = flow.cycle() {
            let all: usize = flow.successors.iter().map(Vec::len).sum();
            edges = edges.checked_sub(all)?;
            let split = flow.cheapest(&cycle, &mut edges)?;
            copied += split.instructions;
            if copied > most {
                return None;
            }
            flow = flow.with_copies(&cycle, &split.copied);
        }
        Some(copied)
    }

    /// The graph in which edges into the cycle lead to copies of blocks.
    fn with_copies(&self, cycle: &Cycle, copied: &BTreeSet<usize>) -> Self {
        let first = self.successors.len();
        let copies: BTreeMap<usize, usize> =
            copied.iter().enumerate().map(|(n, b)| (*b, first + n)).collect();
        let to_copies = |list: &Vec<usize>| -> Vec<usize> {
            list.iter().map(|s| copies.get(s).copied().unwrap_or(*s)).collect()
        };
        let mut successors: Vec<Vec<usize>> = (0..first)
            .map(|b| match cycle.blocks.contains(&b) {
                true => self.successors[b].clone(),
                false => to_copies(&self.successors[b]),
            })
            .collect();
        successors.extend(copied.iter().map(|b| to_copies(&self.successors[*b])));
        let sizes = self.sizes.iter().chain(copied.iter().map(|b| &self.sizes[*b]));
        let fixed = self.fixed.iter().chain(copied.iter().map(|b| &self.fixed[*b]));
        let (sizes, fixed): (Vec<_>, Vec<_>) = (sizes.copied().collect(), fixed.copied().collect());
        Self::renumbered(&successors, &sizes, &fixed)
    }

    /// The blocks to copy for the best header; `None` if each header needs a copy of a block that
    /// must not be copied, or if the search visits more than `edges` edges.
    fn cheapest(&self, cycle: &Cycle, edges: &mut usize) -> Option<Split> {
        let mut best: Option<Split> = None;
        for &header in &cycle.blocks {
            let below = best.as_ref().map_or(usize::MAX, |b| b.instructions);
            let mut split = Split { instructions: 0, copied: BTreeSet::new() };
            let mut work = cycle.entries.clone();
            let mut fits = true;
            while let Some(b) = work.pop().filter(|_| fits) {
                if b == header || !cycle.blocks.contains(&b) || !split.copied.insert(b) {
                    continue;
                }
                *edges = edges.checked_sub(self.successors[b].len())?;
                split.instructions += self.sizes[b];
                fits = !self.fixed[b] && split.instructions < below;
                work.extend(&self.successors[b]);
            }
            if fits {
                best = Some(split);
            }
        }
        best
    }
}

/// The blocks of a function, or of one iteration of a loop without the edges to the next one.
struct Body<'m> {
    blocks: Vec<Block<'m>>,
    index: BTreeMap<Block<'m>, usize>,
    flow: Flow,
}

impl<'m> Body<'m> {
    /// The body of the loop that `latch` closes; `None` if it is no natural loop.
    fn of_loop(latch: Value<'m>) -> Option<Self> {
        let end = latch.block();
        let header = *latch.successors().first()?;
        let members = members(header, end);
        if !latch.is_conditional_branch() || members.contains(&end.function().entry()) {
            return None;
        }
        Some(Self::of(header, |b| {
            let mut next = if b == end { Vec::new() } else { b.successors() };
            next.retain(|s| members.contains(s) && *s != header);
            next
        }))
    }

    fn of_function(f: Function<'m>) -> Self {
        Self::of(f.entry(), Block::successors)
    }

    /// The blocks from `first` on.
    fn of(first: Block<'m>, next: impl Fn(Block<'m>) -> Vec<Block<'m>>) -> Self {
        let blocks = reverse_post_order(first, &next);
        let index: BTreeMap<_, _> = blocks.iter().enumerate().map(|(n, b)| (*b, n)).collect();
        let flow = Flow::new(
            blocks.iter().map(|b| next(*b).iter().map(|s| index[s]).collect()).collect(),
            blocks.iter().map(|b| b.instructions().len()).collect(),
            blocks.iter().map(|b| b.instructions().into_iter().any(is_fixed)).collect(),
        );
        Self { blocks, index, flow }
    }

    /// True if the edges from a block can lead elsewhere.
    fn can_be_redirected(&self, b: usize) -> bool {
        let terminator = self.blocks[b].terminator();
        terminator.is_some_and(|t| matches!(t.opcode(), Opcode::Br | Opcode::Switch))
    }

    /// Copies blocks of a cycle. The edges into the cycle lead to the copies.
    fn split(&self, f: Function<'m>, cycle: &Cycle, copied: &BTreeSet<usize>) {
        for b in copied {
            for v in self.blocks[*b].instructions() {
                self.keep_in_memory(v);
            }
        }
        let map = ValueMap::new();
        let clones: BTreeMap<usize, Block<'m>> =
            copied.iter().map(|b| (*b, map.clone_block(self.blocks[*b], ".copy", f))).collect();
        clones.values().for_each(|clone| map.remap(*clone));
        for (&b, &clone) in &clones {
            let original = self.blocks[b];
            for &p in self.flow.predecessors[b].iter().filter(|p| !copied.contains(p)) {
                // Control enters the copy from outside the cycle only, the original from inside.
                let side = if cycle.blocks.contains(&p) { clone } else { original };
                side.remove_predecessor(self.blocks[p]);
            }
            let next: BTreeSet<_> = original.successors().into_iter().collect();
            for s in next {
                if self.index.get(&s).is_some_and(|s| copied.contains(s)) {
                    continue;
                }
                for phi in s.phis() {
                    for (v, _) in phi.incoming().into_iter().filter(|(_, from)| *from == original) {
                        phi.add_incoming(map.get(v).unwrap_or(v), clone);
                    }
                }
            }
        }
        for (&b, &clone) in &clones {
            for &p in self.flow.predecessors[b].iter().filter(|p| !cycle.blocks.contains(p)) {
                redirect(self.blocks[p], self.blocks[b], clone);
            }
        }
    }

    /// Gives a cycle a header that branches to one of its entries.
    fn dispatch(&self, f: Function<'m>, cycle: &Cycle) {
        let cx = f.cx();
        let Some(number) = self.variable(cx.i32(), "entry") else { return };
        let header = f.append_block("dispatch");
        let mut cases = Vec::new();
        for (n, &e) in (0u32..).zip(&cycle.entries) {
            let entry = self.blocks[e];
            self.phis_to_memory(entry);
            let way = f.append_block("way");
            let b = Builder::at_end(way);
            b.store(cx.u32(n), number, 0);
            b.br(header);
            for &p in &self.flow.predecessors[e] {
                redirect(self.blocks[p], entry, way);
            }
            cases.push((cx.u32(n), entry));
        }
        let b = Builder::at_end(header);
        b.switch(b.load(cx.i32(), number, 0), cases[0].1, &cases[1..]);
    }

    /// A new variable. No iteration reads what another one has written there; without a value at
    /// the start, the variable would become a value that iterations pass on.
    fn variable(&self, ty: Type<'m>, name: &str) -> Option<Value<'m>> {
        let start = self.blocks[0].first_insertion_point()?;
        let variable = Builder::before(start.block().function().entry().first()?).alloca(ty, name);
        Builder::before(start).store(ty.poison(), variable, 0);
        Some(variable)
    }

    /// Lets other blocks read a value from a new variable, so that it need not dominate them.
    fn keep_in_memory(&self, v: Value<'m>) {
        let own = v.block();
        let is_phi = |user: Value<'m>| user.opcode() == Opcode::Phi;
        let elsewhere = |user: &Value<'m>| {
            is_phi(*user) && user.incoming().iter().any(|(w, from)| *w == v && *from != own)
                || !is_phi(*user) && user.block() != own
        };
        let users: BTreeSet<_> = v.users().into_iter().filter(elsewhere).collect();
        let behind = if v.opcode() == Opcode::Phi { own.first_insertion_point() } else { v.next() };
        let Some(behind) = behind.filter(|_| !users.is_empty()) else { return };
        let Some(variable) = self.variable(v.ty(), "kept") else { return };
        Builder::before(behind).store(v, variable, 0);
        for user in users {
            if !is_phi(user) {
                user.replace_operand(v, Builder::before(user).load(v.ty(), variable, 0));
                continue;
            }
            // A PHI has equal values for all edges from one block.
            let mut loads = BTreeMap::new();
            for (n, (w, from)) in (0u32..).zip(user.incoming()) {
                let other = w == v && from != own;
                let Some(end) = from.terminator().filter(|_| other) else { continue };
                let load = loads
                    .entry(from)
                    .or_insert_with(|| Builder::before(end).load(v.ty(), variable, 0));
                user.set_incoming(n, *load);
            }
        }
    }

    /// Replaces the PHIs of a block by variables.
    fn phis_to_memory(&self, block: Block<'m>) {
        let mut variables = Vec::new();
        for phi in block.phis() {
            let Some(at) = block.first_insertion_point() else { return };
            let Some(variable) = self.variable(phi.ty(), "phi") else { return };
            phi.replace_all_uses(Builder::before(at).load(phi.ty(), variable, 0));
            variables.push((phi, variable));
        }
        for (phi, variable) in variables {
            for (v, from) in phi.incoming() {
                if let Some(end) = from.terminator() {
                    Builder::before(end).store(v, variable, 0);
                }
            }
            phi.erase();
        }
    }
}

/// True for an instruction that must not be copied.
fn is_fixed(i: Value<'_>) -> bool {
    let marked = |f: Function<'_>| f.has_attribute("convergent") || f.has_attribute("noduplicate");
    i.is_alloca() || Operation::of(i).is_some() || i.is_call() && i.callee().is_some_and(marked)
}

/// Lets the edges of block `from` that lead to `to` lead to `other`.
fn redirect<'m>(from: Block<'m>, to: Block<'m>, other: Block<'m>) {
    let Some(t) = from.terminator() else { return };
    for (n, s) in (0u32..).zip(t.successors()) {
        if s == to {
            t.set_successor(n, other);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Cycle, Flow};

    fn flow(successors: &[&[usize]], sizes: &[usize]) -> Flow {
        let successors: Vec<_> = successors.iter().map(|s| s.to_vec()).collect();
        Flow::new(successors, sizes.to_vec(), vec![false; sizes.len()])
    }

    fn cycle(flow: &Flow) -> Cycle {
        flow.cycle().unwrap()
    }

    #[test]
    fn natural_loops_are_no_irreducible_cycle() {
        // Two nested loops, the inner one with two exits.
        let nested: [&[usize]; 6] = [&[1], &[2, 5], &[3, 4], &[2, 4], &[1], &[]];
        assert!(flow(&nested, &[1; 6]).cycle().is_none());
    }

    #[test]
    fn the_block_whose_header_copies_the_least_is_chosen() {
        // 0 leads to 1 and 2, which lead to each other.
        let two: [&[usize]; 4] = [&[1, 2], &[2], &[1, 3], &[]];
        for (sizes, copied) in [([1, 5, 9, 1], [1]), ([1, 9, 5, 1], [2])] {
            let flow = flow(&two, &sizes);
            let cycle = cycle(&flow);
            assert_eq!(cycle.entries, [1, 2]);
            let split = flow.cheapest(&cycle, &mut 100).unwrap();
            assert_eq!((split.instructions, split.copied), (5, copied.into()));
            assert_eq!(flow.growth(&cycle, 5), Some(5));
            assert_eq!(flow.growth(&cycle, 4), None);
            assert!(flow.with_copies(&cycle, &copied.into()).cycle().is_none());
        }
    }

    #[test]
    fn the_header_need_not_be_an_entry() {
        // 0 leads to 1 and 2, both lead to the long block 3, which leads back to both.
        let meet: [&[usize]; 5] = [&[1, 2], &[3], &[3], &[1, 2, 4], &[]];
        let flow = flow(&meet, &[1, 4, 4, 50, 1]);
        let split = flow.cheapest(&cycle(&flow), &mut 100).unwrap();
        assert_eq!((split.instructions, split.copied), (8, [1, 2].into()));
    }

    #[test]
    fn a_fixed_block_is_not_copied() {
        let two: [&[usize]; 4] = [&[1, 2], &[2], &[1, 3], &[]];
        let mut flow = flow(&two, &[1, 5, 9, 1]);
        flow.fixed[1] = true;
        let cycle = cycle(&flow);
        assert_eq!(flow.cheapest(&cycle, &mut 100).unwrap().copied, [2].into());
        flow.fixed[2] = true;
        assert!(flow.cheapest(&cycle, &mut 100).is_none());
    }

    #[test]
    fn copies_of_a_complete_graph_are_too_many() {
        // Blocks 1 to 12 lead to each other, and 0 to all of them.
        let all: Vec<usize> = (1..13).collect();
        let complete = vec![all.as_slice(); 13];
        let flow = flow(&complete, &[10; 13]);
        assert_eq!(flow.growth(&cycle(&flow), 1000), None);
        assert_eq!(flow.growth(&cycle(&flow), usize::MAX), None, "the search is bounded");
    }
}
