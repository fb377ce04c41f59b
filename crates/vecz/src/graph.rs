//! The control-flow graph of one iteration of the outer loop.
//!
//! Blocks are numbered in an order in which each block comes after its predecessors, back edges
//! aside, and in which the blocks of an inner loop are consecutive. Block 0 is the header of the
//! outer loop, the last block its latch.

use std::collections::{BTreeMap, BTreeSet};

use muxcl_llvm::{Block, IntPredicate, Opcode, Value};

use crate::Refusal;

/// An inner loop with one latch.
#[derive(Debug)]
pub(crate) struct Loop {
    pub(crate) header: usize,
    pub(crate) latch: usize,
    /// The smallest loop around this one; `None`: the outer loop.
    pub(crate) parent: Option<usize>,
    pub(crate) blocks: BTreeSet<usize>,
    /// Edges that leave the loop: from, to.
    pub(crate) exits: Vec<(usize, usize)>,
    /// The loop seldom runs ([`Value::is_rare_loop`]), so that its speed does not matter.
    pub(crate) rare: bool,
}

/// The outer loop's counter and bound.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Counter<'m> {
    pub(crate) phi: Value<'m>,
    pub(crate) start: Value<'m>,
    pub(crate) bound: Value<'m>,
}

/// The blocks of the loop in order, and their relations.
#[derive(Debug)]
pub(crate) struct Graph<'m> {
    pub(crate) blocks: Vec<Block<'m>>,
    index: BTreeMap<Block<'m>, usize>,
    /// Without the edges from the outer latch.
    pub(crate) successors: Vec<Vec<usize>>,
    pub(crate) loops: Vec<Loop>,
    /// By block: the innermost inner loop.
    pub(crate) innermost: Vec<Option<usize>>,
    /// By block: the immediate post-dominator; `None` for the latch.
    pub(crate) post_dominator: Vec<Option<usize>>,
    pub(crate) counter: Counter<'m>,
    /// The block before the loop.
    pub(crate) before: Block<'m>,
    /// The block after the loop. Its only predecessor is the latch.
    pub(crate) after: Block<'m>,
}

impl<'m> Graph<'m> {
    /// The number of a block of the loop.
    pub(crate) fn block_of(&self, v: Value<'m>) -> Option<usize> {
        if !v.is_instruction() || !v.is_placed() {
            return None;
        }
        self.index.get(&v.block()).copied()
    }

    pub(crate) fn index_of(&self, b: Block<'m>) -> Option<usize> {
        self.index.get(&b).copied()
    }

    /// True if `block` is in loop `l`.
    pub(crate) fn is_in(&self, block: usize, l: usize) -> bool {
        self.loops[l].blocks.contains(&block)
    }

    /// The last block, the outer latch.
    pub(crate) fn last(&self) -> usize {
        self.blocks.len() - 1
    }

    /// The graph of the loop that `latch` closes.
    pub(crate) fn of_loop(latch: Value<'m>) -> Result<Self, Refusal> {
        let form = |what| Err(Refusal::Form(what));
        if !latch.is_conditional_branch() {
            return form("no conditional branch closes it");
        }
        let end = latch.block();
        let (header, after) = match latch.successors().as_slice() {
            [header, after] => (*header, *after),
            _ => return form("no conditional branch closes it"),
        };
        let outside: Vec<_> = header.predecessors().into_iter().filter(|b| *b != end).collect();
        let &[before] = outside.as_slice() else { return form("more than one latch") };
        let counter = counter(latch, header, before)?;
        if after.predecessors() != [end] {
            return form("the block behind the loop has other predecessors");
        }
        let members = members(header, end);
        if members.contains(&before) || members.contains(&after) {
            return form("irreducible control flow");
        }
        for b in &members {
            let Some(t) = b.terminator() else { return form("a block without end") };
            if t.opcode() != Opcode::Br {
                return form("a terminator that is no branch");
            }
            let leaves = t.successors().into_iter().find(|s| *b != end && !members.contains(s));
            if let Some(s) = leaves {
                return form(if returns(s) {
                    "more than one exit"
                } else {
                    "a path that does not end: an endless loop, a trap, or a call without return"
                });
            }
            if *b != end && t.successors().contains(&header) {
                return form("more than one latch");
            }
        }
        let order =
            reverse_post_order(header, |b| if b == end { Vec::new() } else { b.successors() });
        let numbers: BTreeMap<_, _> = order.iter().enumerate().map(|(n, b)| (*b, n)).collect();
        let successors: Vec<Vec<usize>> = order
            .iter()
            .map(|b| {
                if *b == end {
                    Vec::new()
                } else {
                    b.successors().iter().map(|s| numbers[s]).collect()
                }
            })
            .collect();
        let numbered = NumberedGraph { successors };
        let loops = numbered.loops()?;
        let innermost = innermost(order.len(), &loops);
        let sorted = numbered.order(&loops, &innermost);
        let mut renamed = vec![0; order.len()];
        for (new, old) in sorted.iter().enumerate() {
            renamed[*old] = new;
        }
        let blocks: Vec<Block<'m>> = sorted.iter().map(|old| order[*old]).collect();
        let index: BTreeMap<_, _> = blocks.iter().enumerate().map(|(n, b)| (*b, n)).collect();
        let successors: Vec<Vec<usize>> = sorted
            .iter()
            .map(|old| numbered.successors[*old].iter().map(|s| renamed[*s]).collect())
            .collect();
        let loops: Vec<Loop> = loops
            .into_iter()
            .map(|l| Loop {
                header: renamed[l.header],
                latch: renamed[l.latch],
                parent: l.parent,
                blocks: l.blocks.iter().map(|b| renamed[*b]).collect(),
                exits: l.exits.iter().map(|(a, b)| (renamed[*a], renamed[*b])).collect(),
                rare: blocks[renamed[l.latch]].terminator().is_some_and(Value::is_rare_loop),
            })
            .collect();
        let innermost = self::innermost(blocks.len(), &loops);
        let post_dominator = post_dominators(&successors);
        if index.get(&end) != Some(&(blocks.len() - 1)) {
            return form("irreducible control flow");
        }
        Ok(Self {
            blocks,
            index,
            successors,
            loops,
            innermost,
            post_dominator,
            counter,
            before,
            after,
        })
    }
}

/// The counter `phi [start], [phi + 1]` with the latch `phi + 1 < bound` (unsigned).
fn counter<'m>(
    latch: Value<'m>,
    header: Block<'m>,
    before: Block<'m>,
) -> Result<Counter<'m>, Refusal> {
    let form = |what| Err(Refusal::Form(what));
    let [phi] = header.phis()[..] else { return form("values that iterations pass on") };
    if !phi.ty().is_int() {
        return form("no integer counts");
    }
    let (mut start, mut next) = (None, None);
    for (v, from) in phi.incoming() {
        *(if from == before { &mut start } else { &mut next }) = Some(v);
    }
    let (Some(start), Some(next)) = (start, next) else { return form("no counter") };
    let steps = next.opcode() == Opcode::Add
        && next.operand(0) == phi
        && next.operand(1).as_u64() == Some(1);
    let condition = latch.operand(0);
    if !steps || condition.opcode() != Opcode::ICmp {
        return form("no counter");
    }
    // `ne` and `ult` agree: the counter starts below the bound.
    let up = matches!(condition.int_predicate(), IntPredicate::Ult | IntPredicate::Ne);
    let bound = condition.operand(1);
    let fixed = !bound.is_instruction() || !members(header, latch.block()).contains(&bound.block());
    let bound = match (condition.operand(0), bound.as_u64()) {
        (v, _) if v == next => bound,
        // With a constant bound LLVM may compare the counter before the step.
        (v, Some(last)) if v == phi => phi.ty().constant(last + 1),
        _ => return form("no counter"),
    };
    if up && fixed { Ok(Counter { phi, start, bound }) } else { form("another end of the loop") }
}

/// The blocks from which `end` can be reached without `header`.
pub(crate) fn members<'m>(header: Block<'m>, end: Block<'m>) -> BTreeSet<Block<'m>> {
    let mut seen = BTreeSet::from([header]);
    let mut work = vec![end];
    while let Some(b) = work.pop() {
        if seen.insert(b) {
            work.extend(b.predecessors());
        }
    }
    seen
}

/// True if a path from the block returns from the function.
fn returns(from: Block<'_>) -> bool {
    let mut blocks = reverse_post_order(from, Block::successors).into_iter();
    blocks.any(|b| b.terminator().is_some_and(|t| t.opcode() == Opcode::Ret))
}

/// The blocks that `next`, the successors of a block, leads to from `header` on, in reverse
/// post-order.
pub(crate) fn reverse_post_order<'m>(
    header: Block<'m>,
    next: impl Fn(Block<'m>) -> Vec<Block<'m>>,
) -> Vec<Block<'m>> {
    let mut seen = BTreeSet::from([header]);
    let mut stack = vec![(header, next(header))];
    let mut out = Vec::new();
    while let Some((b, rest)) = stack.last_mut() {
        match rest.pop() {
            Some(s) if seen.insert(s) => stack.push((s, next(s))),
            Some(_) => {}
            None => {
                out.push(*b);
                stack.pop();
            }
        }
    }
    out.reverse();
    out
}

/// A graph whose nodes are numbered in reverse post-order from its entry, node 0.
struct NumberedGraph {
    successors: Vec<Vec<usize>>,
}

impl NumberedGraph {
    fn predecessors(&self) -> Vec<Vec<usize>> {
        let mut out = vec![Vec::new(); self.successors.len()];
        for (b, list) in self.successors.iter().enumerate() {
            for s in list {
                out[*s].push(b);
            }
        }
        out
    }

    /// The natural loops. Refuses irreducible graphs, and loops with several latches.
    fn loops(&self) -> Result<Vec<Loop>, Refusal> {
        let predecessors = self.predecessors();
        let dominators = dominators(&predecessors);
        let dominates = |a: usize, mut b: usize| {
            while b > a {
                b = dominators[b];
            }
            a == b
        };
        let mut loops = Vec::new();
        for (latch, list) in self.successors.iter().enumerate() {
            for &header in list.iter().filter(|s| **s <= latch) {
                if !dominates(header, latch) {
                    return Err(Refusal::Form("irreducible control flow"));
                }
                if loops.iter().any(|l: &Loop| l.header == header) {
                    return Err(Refusal::Form("an inner loop with several latches"));
                }
                let mut blocks = BTreeSet::from([header]);
                let mut work = vec![latch];
                while let Some(b) = work.pop() {
                    if blocks.insert(b) {
                        work.extend(&predecessors[b]);
                    }
                }
                let exits = Vec::new();
                loops.push(Loop { header, latch, parent: None, blocks, exits, rare: false });
            }
        }
        for n in 0..loops.len() {
            let around = (0..loops.len())
                .filter(|m| *m != n && loops[*m].blocks.is_superset(&loops[n].blocks))
                .min_by_key(|m| loops[*m].blocks.len());
            loops[n].parent = around;
            let edges =
                |b: &usize| self.successors[*b].iter().map(move |s| (*b, *s)).collect::<Vec<_>>();
            loops[n].exits = loops[n]
                .blocks
                .iter()
                .flat_map(edges)
                .filter(|(_, s)| !loops[n].blocks.contains(s))
                .collect();
        }
        Ok(loops)
    }

    /// The order of [`Graph`].
    fn order(&self, loops: &[Loop], innermost: &[Option<usize>]) -> Vec<usize> {
        let mut out = Vec::new();
        self.emit(None, 0, (loops, innermost), &mut out);
        out
    }

    /// Appends the blocks of one loop (`None`: all), which starts at `entry`, in order.
    fn emit(
        &self,
        level: Option<usize>,
        entry: usize,
        (loops, innermost): (&[Loop], &[Option<usize>]),
        out: &mut Vec<usize>,
    ) {
        // `b` itself if it is directly in this level, else the loop of the next level around it.
        let node_of = |b: usize| {
            let (mut at, mut child) = (innermost[b], None);
            while at != level {
                child = at;
                at = loops[at?].parent;
            }
            Some(child.map_or(Node::Block(b), Node::Loop))
        };
        let targets = |node: Node| -> Vec<Node> {
            let list: Vec<usize> = match node {
                Node::Block(b) => self.successors[b].clone(),
                Node::Loop(l) => loops[l].exits.iter().map(|e| e.1).collect(),
            };
            list.into_iter().filter_map(node_of).filter(|n| *n != Node::Block(entry)).collect()
        };
        let first = Node::Block(entry);
        let mut seen = BTreeSet::from([first]);
        let mut stack = vec![(first, targets(first))];
        let mut post = Vec::new();
        while let Some((node, rest)) = stack.last_mut() {
            match rest.pop() {
                Some(next) if seen.insert(next) => stack.push((next, targets(next))),
                Some(_) => {}
                None => {
                    post.push(*node);
                    stack.pop();
                }
            }
        }
        for node in post.into_iter().rev() {
            match node {
                Node::Block(b) => out.push(b),
                Node::Loop(l) => self.emit(Some(l), loops[l].header, (loops, innermost), out),
            }
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Node {
    Block(usize),
    Loop(usize),
}

/// By block: the smallest loop around it.
fn innermost(count: usize, loops: &[Loop]) -> Vec<Option<usize>> {
    (0..count)
        .map(|b| {
            let around = (0..loops.len()).filter(|l| loops[*l].blocks.contains(&b));
            around.min_by_key(|l| loops[*l].blocks.len())
        })
        .collect()
}

/// Immediate dominators in a graph numbered in reverse post-order; block 0 dominates itself.
pub(crate) fn dominators(predecessors: &[Vec<usize>]) -> Vec<usize> {
    let mut idom: Vec<Option<usize>> = vec![None; predecessors.len()];
    idom[0] = Some(0);
    let mut changed = true;
    while changed {
        changed = false;
        for b in 1..predecessors.len() {
            let known = predecessors[b].iter().copied().filter(|p| idom[*p].is_some());
            let new = known.reduce(|mut a, mut c| {
                while a != c {
                    while a > c {
                        a = idom[a].unwrap_or(0);
                    }
                    while c > a {
                        c = idom[c].unwrap_or(0);
                    }
                }
                a
            });
            if new.is_some() && idom[b] != new {
                idom[b] = new;
                changed = true;
            }
        }
    }
    idom.into_iter().map(|d| d.unwrap_or(0)).collect()
}

/// Immediate post-dominators. Every block reaches the last one.
fn post_dominators(successors: &[Vec<usize>]) -> Vec<Option<usize>> {
    let n = successors.len();
    // Reverse post-order of the reversed graph, from the last block.
    let mut predecessors = vec![Vec::new(); n];
    for (b, list) in successors.iter().enumerate() {
        for s in list {
            predecessors[*s].push(b);
        }
    }
    let mut seen = vec![false; n];
    seen[n - 1] = true;
    let mut stack = vec![(n - 1, 0)];
    let mut post = Vec::new();
    while let Some((b, next)) = stack.last_mut() {
        match predecessors[*b].get(*next) {
            Some(&p) => {
                *next += 1;
                if !std::mem::replace(&mut seen[p], true) {
                    stack.push((p, 0));
                }
            }
            None => {
                post.push(*b);
                stack.pop();
            }
        }
    }
    post.reverse();
    let mut number = vec![0; n];
    for (at, b) in post.iter().enumerate() {
        number[*b] = at;
    }
    let reversed: Vec<Vec<usize>> =
        post.iter().map(|b| successors[*b].iter().map(|s| number[*s]).collect()).collect();
    let idom = dominators(&reversed);
    (0..n).map(|b| (b != n - 1).then(|| post[idom[number[b]]])).collect()
}
