//! Barrier regions: the blocks that run between one barrier and the next, for any control flow.
//!
//! After [`split`], each barrier has a block of its own. A region starts at the entry or behind a
//! barrier, and contains every block that is reachable without crossing a barrier. A block may
//! belong to several regions; each region gets a clone of it. Only [`split`] changes the IR.

mod order;

use std::collections::BTreeMap;

use muxcl_llvm::{Block, Function, Opcode, Value};

/// How a work-item leaves a region.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// The work-item returned.
    Return,
    /// The work-item reached the barrier that starts this region (index into [`Regions::regions`]).
    Barrier(usize),
}

/// One region.
#[derive(Debug)]
pub struct Region {
    /// First block.
    pub start: usize,
    /// The blocks in reverse post-order, the start first.
    pub blocks: Vec<usize>,
    /// The distinct exits.
    pub exits: Vec<Exit>,
    /// By block number: the immediate dominator within the region. The start is its own.
    idom: BTreeMap<usize, usize>,
    /// By block number: the position in `blocks`.
    order: BTreeMap<usize, usize>,
    /// True if a path leads from this region back to itself.
    pub cyclic: bool,
}

impl Region {
    /// True if the region contains the block.
    pub fn contains(&self, block: usize) -> bool {
        self.order.contains_key(&block)
    }
    /// True if `a` dominates `b` on every path from the region's start. Both must be in the region.
    pub fn dominates(&self, a: usize, mut b: usize) -> bool {
        loop {
            if a == b {
                return true;
            }
            match self.idom.get(&b) {
                Some(up) if *up != b => b = *up,
                _ => return false,
            }
        }
    }
}

/// All regions of a function.
#[derive(Debug)]
pub struct Regions<'m> {
    /// All blocks except those of barriers, in the order of their numbers.
    pub blocks: Vec<Block<'m>>,
    /// Numbers of blocks.
    pub index: BTreeMap<Block<'m>, usize>,
    /// The barriers' blocks.
    pub barriers: Vec<Block<'m>>,
    /// The regions. Number 0 starts at the entry, number n behind barrier n - 1.
    pub regions: Vec<Region>,
}

/// Moves every barrier call into a block of its own. Returns those blocks. `known`: the blocks of
/// an earlier call for the same function, which stay as they are.
pub fn split<'m>(
    f: Function<'m>,
    barriers: &[Function<'m>],
    known: &[Block<'m>],
) -> Vec<Block<'m>> {
    // Program order makes the output independent of addresses.
    let calls = f
        .instructions()
        .into_iter()
        .filter(|i| i.callee().is_some_and(|callee| barriers.contains(&callee)));
    let mut out = Vec::new();
    for call in calls.collect::<Vec<_>>() {
        if known.contains(&call.block()) {
            out.push(call.block());
            continue;
        }
        let alone = call.block().split(call, "barrier");
        let Some(next) = call.next() else { continue };
        alone.split(next, "behind");
        out.push(alone);
    }
    out
}

/// Finds the regions from `entry`, given the barriers' blocks.
pub fn find<'m>(f: Function<'m>, entry: Block<'m>, barriers: &[Block<'m>]) -> Regions<'m> {
    let mut blocks = Vec::new();
    let mut index = BTreeMap::new();
    for b in f.blocks() {
        if !barriers.contains(&b) {
            index.insert(b, blocks.len());
            blocks.push(b);
        }
    }
    let positions: BTreeMap<Block<'m>, usize> = (0..).zip(barriers).map(|(n, b)| (*b, n)).collect();
    // Successors by number; a barrier is `Err(position in barriers)`.
    let successors: Vec<Vec<Result<usize, usize>>> = blocks
        .iter()
        .map(|b| {
            b.successors()
                .into_iter()
                .filter_map(|s| match index.get(&s) {
                    Some(n) => Some(Ok(*n)),
                    None => positions.get(&s).copied().map(Err),
                })
                .collect()
        })
        .collect();
    let returns: Vec<bool> =
        blocks.iter().map(|b| b.terminator().is_some_and(|t| t.opcode() == Opcode::Ret)).collect();
    let mut regions = vec![region(index.get(&entry).copied().unwrap_or(0), &successors, &returns)];
    for b in barriers {
        let start = b.successors().first().and_then(|s| index.get(s)).copied();
        regions.push(region(start.unwrap_or(0), &successors, &returns));
    }
    mark_cycles(&mut regions);
    Regions { blocks, index, barriers: barriers.to_vec(), regions }
}

fn region(start: usize, successors: &[Vec<Result<usize, usize>>], returns: &[bool]) -> Region {
    // Depth first, without recursion: (block, next successor).
    let mut exits = Vec::new();
    let mut seen = vec![false; successors.len()];
    let mut post = Vec::new();
    let mut stack = vec![(start, 0usize)];
    seen[start] = true;
    while let Some((b, n)) = stack.pop() {
        if n == 0 && returns[b] {
            exits.push(Exit::Return);
        }
        match successors[b].get(n) {
            Some(next) => {
                stack.push((b, n + 1));
                match next {
                    Ok(s) if !seen[*s] => {
                        seen[*s] = true;
                        stack.push((*s, 0));
                    }
                    Ok(_) => {}
                    Err(barrier) => exits.push(Exit::Barrier(barrier + 1)),
                }
            }
            None => post.push(b),
        }
    }
    exits.sort_unstable();
    exits.dedup();
    post.reverse();
    let order: BTreeMap<usize, usize> = post.iter().enumerate().map(|(n, b)| (*b, n)).collect();
    let idom = dominators(&post, &order, successors);
    Region { start, blocks: post, exits, idom, order, cyclic: false }
}

/// Cooper, Harvey and Kennedy's iteration over the reverse post-order.
fn dominators(
    rpo: &[usize],
    order: &BTreeMap<usize, usize>,
    successors: &[Vec<Result<usize, usize>>],
) -> BTreeMap<usize, usize> {
    let mut predecessors = vec![Vec::new(); rpo.len()];
    for (n, b) in rpo.iter().enumerate() {
        for s in successors[*b].iter().flatten() {
            if let Some(at) = order.get(s) {
                predecessors[*at].push(n);
            }
        }
    }
    let mut idom: Vec<Option<usize>> = vec![None; rpo.len()];
    idom[0] = Some(0);
    let mut changed = true;
    while changed {
        changed = false;
        for n in 1..rpo.len() {
            let mut new: Option<usize> = None;
            for p in &predecessors[n] {
                if idom[*p].is_none() {
                    continue;
                }
                new = Some(match new {
                    None => *p,
                    Some(other) => meet(&idom, *p, other),
                });
            }
            if new.is_some() && idom[n] != new {
                idom[n] = new;
                changed = true;
            }
        }
    }
    rpo.iter().enumerate().map(|(n, b)| (*b, rpo[idom[n].unwrap_or(0)])).collect()
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

fn mark_cycles(regions: &mut [Region]) {
    let next: Vec<Vec<usize>> = regions
        .iter()
        .map(|r| {
            r.exits
                .iter()
                .filter_map(|e| if let Exit::Barrier(n) = e { Some(*n) } else { None })
                .collect()
        })
        .collect();
    let all: Vec<usize> = (0..next.len()).collect();
    for component in order::components(&all, &next, &vec![0; next.len()], 0) {
        let several = component.len() > 1;
        for n in component {
            regions[n].cyclic = several || next[n].contains(&n);
        }
    }
}

impl<'m> Regions<'m> {
    /// The regions that a work-item can reach.
    pub fn live(&self) -> Vec<bool> {
        let mut live = vec![false; self.regions.len()];
        let mut work = vec![0];
        while let Some(n) = work.pop() {
            if std::mem::replace(&mut live[n], true) {
                continue;
            }
            for e in &self.regions[n].exits {
                if let Exit::Barrier(m) = e {
                    work.push(*m);
                }
            }
        }
        live
    }
    /// Scheduling priority of each region. Lower runs first, so divergent work-items reconverge as
    /// early as possible: loop bodies precede loop exits. `reconverges` says which barriers are
    /// reconvergence points, where the work-items of a loop wait for each other before its next
    /// iteration: those come last in their loops.
    pub fn ranks(&self, reconverges: impl Fn(Block<'m>) -> bool) -> Vec<usize> {
        let blocks = self.blocks.len();
        let barriers = &self.barriers;
        let positions: BTreeMap<Block<'m>, usize> =
            (blocks..).zip(barriers).map(|(n, b)| (*b, n)).collect();
        let number = |b: &Block<'m>| self.index.get(b).or_else(|| positions.get(b)).copied();
        let successors: Vec<Vec<usize>> = self
            .blocks
            .iter()
            .chain(barriers)
            .map(|b| b.successors().iter().filter_map(number).collect())
            .collect();
        let entry = self.regions.first().map_or(0, |r| r.start);
        // `first` visits the header of an outer loop before those of inner loops.
        let points: Vec<usize> =
            (0..barriers.len()).filter(|n| reconverges(barriers[*n])).map(|n| blocks + n).collect();
        let first = order::of(entry, &successors, &BTreeMap::new());
        let points = points
            .into_iter()
            .filter_map(|m| Some((m, first.iter().position(|n| *n == m)?)))
            .collect();
        let mut ranks = vec![0; self.regions.len()];
        for (at, node) in order::of(entry, &successors, &points).into_iter().enumerate() {
            if let Some(barrier) = node.checked_sub(blocks) {
                ranks[barrier + 1] = at + 1;
            }
        }
        ranks
    }
    /// The number of an instruction's block; `None` for a barrier's block.
    pub fn block_of(&self, i: Value<'m>) -> Option<usize> {
        self.index.get(&i.block()).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::split;
    use muxcl_llvm::{Context, Module};

    #[test]
    fn known_blocks_of_barriers_stay() {
        let ir = "declare void @barrier()
            declare void @point()
            define void @f(i1 %c) {
            entry:
              call void @barrier()
              br i1 %c, label %then, label %end
            then:
              call void @barrier()
              br label %end
            end:
              ret void
            }";
        let context = Context::new();
        let module = Module::parse_text(&context, ir).unwrap();
        let function = |name: &str| module.function(name).unwrap();
        let (f, barrier) = (function("f"), function("barrier"));
        let first = split(f, &[barrier], &[]);
        assert_eq!((first.len(), f.blocks().len()), (2, 3 + 2 * 2));
        let end = f.blocks().last().unwrap().terminator().unwrap();
        muxcl_llvm::Builder::before(end).call(function("point"), &[]);
        let second = split(f, &[barrier, function("point")], &first);
        assert_eq!((&second[..2], second.len()), (first.as_slice(), 3));
        assert_eq!(f.blocks().len(), 3 + 3 * 2);
        module.verify().unwrap();
    }
}
