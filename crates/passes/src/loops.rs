//! Finds the loops of a function: their back edges and their blocks.

use std::collections::{BTreeMap, BTreeSet};

use muxcl_llvm::{Block, Function};

/// Back edges of a depth-first search: edges to a block on the path to their source.
pub(crate) fn back_edges(f: Function<'_>) -> Vec<(Block<'_>, Block<'_>)> {
    let (mut out, mut seen, mut on_the_way) = (Vec::new(), BTreeSet::new(), BTreeSet::new());
    let mut stack = vec![(f.entry(), 0usize)];
    while let Some((b, n)) = stack.pop() {
        if n == 0 {
            seen.insert(b);
            on_the_way.insert(b);
        }
        match b.successors().get(n) {
            Some(next) => {
                stack.push((b, n + 1));
                if on_the_way.contains(next) {
                    out.push((b, *next));
                } else if !seen.contains(next) {
                    stack.push((*next, 0));
                }
            }
            None => {
                on_the_way.remove(&b);
            }
        }
    }
    out
}

/// The natural loop of a back edge: `to`, and the blocks that reach `from` without `to`.
pub(crate) fn body<'m>(from: Block<'m>, to: Block<'m>) -> BTreeSet<Block<'m>> {
    let mut inside = BTreeSet::from([to]);
    let mut work = vec![from];
    while let Some(b) = work.pop() {
        if inside.insert(b) {
            work.extend(b.predecessors());
        }
    }
    inside
}

/// The latches of each loop, by its header.
pub(crate) fn latches(f: Function<'_>) -> BTreeMap<Block<'_>, Vec<Block<'_>>> {
    let mut out: BTreeMap<Block<'_>, Vec<Block<'_>>> = BTreeMap::new();
    for (latch, header) in back_edges(f) {
        out.entry(header).or_default().push(latch);
    }
    out
}

/// The header and the blocks of each loop without a loop inside. LLVM's loop vectorizer handles
/// no other loops.
pub(crate) fn innermost(f: Function<'_>) -> Vec<(Block<'_>, BTreeSet<Block<'_>>)> {
    let latches = latches(f);
    let loops = latches.iter().filter_map(|(header, ends)| {
        let mut body = BTreeSet::from([*header]);
        let mut work = ends.clone();
        while let Some(block) = work.pop() {
            if !body.insert(block) {
                continue;
            }
            // Another header begins an inner loop. A cycle that control enters elsewhere than at
            // `header` contains the entry block.
            if latches.contains_key(&block) || block == f.entry() {
                return None;
            }
            work.extend(block.predecessors());
        }
        Some((*header, body))
    });
    loops.collect()
}
