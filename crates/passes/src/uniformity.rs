//! Uniformity analysis: finds the values that are the same for every work-item of a group. For
//! loops over one sub-group, the scope is that sub-group.
//!
//! The analysis is conservative. Divergent are: ids, and everything computed from them; PHIs
//! between a divergent branch and its post-dominator; and every value in a loop with a divergent
//! exit. A load of memory that work-items share is uniform if its address is, because a store to
//! that address between the same barriers would be a data race. Atomic operations could order such
//! a store, so functions with atomic operations or fences have no uniform loads but those of
//! constant memory. Not here: the use of the result (`slots` keeps uniform values once per group).

use std::collections::BTreeSet;

use muxcl_llvm::{Opcode, Value};
use muxcl_vecz::variants_of;

use crate::names::{WorkItem, is_shared_memory, work_item};
use crate::regions::Regions;

/// Functions with more blocks than this count as divergent throughout, to bound the analysis time.
const MAX_BLOCKS: usize = 20_000;

/// The result of the analysis of one function.
#[derive(Debug, Default)]
pub struct Uniformity<'m> {
    divergent: BTreeSet<Value<'m>>,
    /// By block number: the block is control-divergent, so only some work-items may reach it.
    partial: Vec<bool>,
    unknown: bool,
}

impl<'m> Uniformity<'m> {
    /// True if all work-items reach the block whenever one does.
    pub fn all_reach(&self, block: usize) -> bool {
        !self.unknown && !self.partial.get(block).copied().unwrap_or(true)
    }

    /// True if the value is the same for all work-items, and either all or none compute it.
    pub fn is_uniform(&self, regions: &Regions<'m>, v: Value<'m>) -> bool {
        !self.unknown
            && !self.divergent.contains(&v)
            && regions.block_of(v).is_some_and(|b| !self.partial.get(b).copied().unwrap_or(true))
    }
}

/// The control-flow graph without the barriers' blocks, and its post-dominators.
struct Graph {
    successors: Vec<Vec<usize>>,
    /// Immediate post-dominator; `None` is the end of the function.
    joins: Vec<Option<usize>>,
}

/// Analyses the function after `split` and before cloning. `differs` tells which work-item
/// functions give different results to different work-items.
pub fn analyse<'m>(regions: &Regions<'m>, differs: &dyn Fn(WorkItem) -> bool) -> Uniformity<'m> {
    let n = regions.blocks.len();
    let mut out = Uniformity::default();
    if n > MAX_BLOCKS {
        out.unknown = true;
        return out;
    }
    let graph = graph(regions);
    let all: Vec<_> = regions.blocks.iter().flat_map(|b| b.instructions()).collect();
    let mut seen = BTreeSet::new();
    let ordered = all.iter().any(|i| may_order(*i, &mut seen));
    let mut work: Vec<_> = all.into_iter().filter(|i| is_source(*i, ordered, differs)).collect();
    let mut branched = BTreeSet::new();
    let mut marks = vec![Mark::default(); n];
    while let Some(v) = work.pop() {
        if !out.divergent.insert(v) {
            continue;
        }
        for user in v.users() {
            if user.is_instruction() && !out.divergent.contains(&user) {
                work.push(user);
            }
        }
        if v.is_terminator()
            && v.successors().len() > 1
            && let Some(b) = regions.block_of(v)
            && branched.insert(b)
        {
            spread(regions, &graph, b, &mut marks, &mut work);
        }
    }
    out.partial = marks.iter().map(|mark| mark.partial).collect();
    out
}

/// True if the instruction may order the accesses of work-items without a barrier. `seen`: the
/// functions that are known not to.
fn may_order<'m>(i: Value<'m>, seen: &mut BTreeSet<Value<'m>>) -> bool {
    match i.opcode() {
        Opcode::AtomicRmw | Opcode::AtomicCmpXchg | Opcode::Fence => true,
        Opcode::Load | Opcode::Store => i.is_atomic() || i.is_volatile(),
        Opcode::Call => {
            let Some(f) = i.callee() else { return true };
            let name = f.name();
            let scratch = is_shared_memory(&name);
            let known = f.is_intrinsic() || scratch || work_item(&name).is_some();
            if known || variants_of(f).is_some() || !seen.insert(f.value()) {
                return false;
            }
            f.is_declaration() || f.instructions().into_iter().any(|i| may_order(i, seen))
        }
        Opcode::Other => true,
        _ => false,
    }
}

/// Sources of divergence. `ordered`: the function may order the accesses of work-items without a
/// barrier.
fn is_source(i: Value<'_>, ordered: bool, differs: &dyn Fn(WorkItem) -> bool) -> bool {
    match i.opcode() {
        Opcode::Alloca | Opcode::AtomicRmw | Opcode::AtomicCmpXchg => true,
        // Constant memory never changes.
        Opcode::Load => match i.operand(0).ty().address_space() {
            2 => i.is_volatile(),
            1 | 3 => i.is_volatile() || i.is_atomic() || ordered,
            _ => true,
        },
        Opcode::Call => match i.callee().map(|f| (f.is_intrinsic(), f.name())) {
            Some((_, name)) if work_item(&name).is_some() => work_item(&name).is_some_and(differs),
            Some((_, name)) if is_shared_memory(&name) => false,
            Some((true, _)) => i.may_read() || i.has_side_effects(),
            _ if i.callee().is_some_and(|f| variants_of(f).is_some()) => false,
            _ => true,
        },
        Opcode::Other => true,
        _ => false,
    }
}

/// What is known of each block during the analysis.
#[derive(Clone, Default)]
struct Mark {
    /// True if some work-items may reach the block while others do not.
    partial: bool,
    /// True if the walk from the current branch has seen the block.
    seen: bool,
    /// True if its PHIs are divergent.
    phis: bool,
    /// True if all of its instructions are divergent.
    all: bool,
}

/// Marks a divergent branch at the end of `from`: up to its post-dominator, blocks are
/// control-divergent and PHIs are divergent.
fn spread<'m>(
    regions: &Regions<'m>,
    graph: &Graph,
    from: usize,
    marks: &mut [Mark],
    work: &mut Vec<Value<'m>>,
) {
    let join = graph.joins[from];
    let mut between = Vec::new();
    let mut stack: Vec<usize> = graph.successors[from].clone();
    while let Some(b) = stack.pop() {
        if Some(b) != join && !std::mem::replace(&mut marks[b].seen, true) {
            between.push(b);
            stack.extend(&graph.successors[b]);
        }
    }
    // Work-items leave the loop around `from` in different iterations.
    let around = marks[from].seen;
    for b in between {
        marks[b].seen = false;
        marks[b].partial = true;
        let phis = !std::mem::replace(&mut marks[b].phis, true);
        if around && !std::mem::replace(&mut marks[b].all, true) {
            work.extend(regions.blocks[b].instructions());
        } else if phis {
            work.extend(regions.blocks[b].phis());
        }
    }
    if let Some(join) = join
        && !std::mem::replace(&mut marks[join].phis, true)
    {
        work.extend(regions.blocks[join].phis());
    }
}

fn graph(regions: &Regions<'_>) -> Graph {
    let n = regions.blocks.len();
    let successors: Vec<Vec<usize>> = regions
        .blocks
        .iter()
        .map(|b| {
            b.successors()
                .into_iter()
                .filter_map(|s| match regions.index.get(&s) {
                    Some(number) => Some(*number),
                    // The edge leads through the barrier.
                    None => s.successors().first().and_then(|t| regions.index.get(t)).copied(),
                })
                .collect()
        })
        .collect();
    let joins = post_dominators(n, &successors);
    Graph { successors, joins }
}

/// Immediate post-dominators: the dominator iteration on the reversed graph, with one virtual end
/// (number `n`).
fn post_dominators(n: usize, successors: &[Vec<usize>]) -> Vec<Option<usize>> {
    let mut predecessors = vec![Vec::new(); n + 1];
    for (b, list) in successors.iter().enumerate() {
        if list.is_empty() {
            predecessors[n].push(b);
        }
        for s in list {
            predecessors[*s].push(b);
        }
    }
    // Reverse post-order of the reversed graph.
    let mut post = Vec::with_capacity(n + 1);
    let mut seen = vec![false; n + 1];
    let mut stack = vec![(n, 0usize)];
    seen[n] = true;
    while let Some((b, next)) = stack.pop() {
        match predecessors[b].get(next) {
            Some(p) => {
                stack.push((b, next + 1));
                if !std::mem::replace(&mut seen[*p], true) {
                    stack.push((*p, 0));
                }
            }
            None => post.push(b),
        }
    }
    post.reverse();
    let mut order = vec![usize::MAX; n + 1];
    for (at, b) in post.iter().enumerate() {
        order[*b] = at;
    }
    let mut idom: Vec<Option<usize>> = vec![None; post.len()];
    idom[0] = Some(0);
    let mut changed = true;
    while changed {
        changed = false;
        for at in 1..post.len() {
            let b = post[at];
            let end = [n];
            let list: &[usize] = if successors[b].is_empty() { &end } else { &successors[b] };
            let mut new: Option<usize> = None;
            for s in list {
                let p = order[*s];
                if p == usize::MAX || idom[p].is_none() {
                    continue;
                }
                new = Some(match new {
                    None => p,
                    Some(other) => meet(&idom, p, other),
                });
            }
            if new.is_some() && idom[at] != new {
                idom[at] = new;
                changed = true;
            }
        }
    }
    // Blocks that never reach the end have no post-dominator: every block behind them counts.
    (0..n)
        .map(|b| match order[b] {
            usize::MAX => None,
            at => idom[at].map(|d| post[d]).filter(|d| *d != n),
        })
        .collect()
}

fn meet(idom: &[Option<usize>], mut a: usize, mut b: usize) -> usize {
    while a != b {
        while a > b {
            a = idom[a].unwrap_or(0);
        }
        while b > a {
            b = idom[b].unwrap_or(0);
        }
    }
    a
}
