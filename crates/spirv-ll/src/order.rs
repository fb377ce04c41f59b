//! The order in which blocks are translated: dominators first. The specification demands this order
//! of modules, but producers do not always keep it.

use crate::module::{Function, Tables};
use crate::types::Type;
use muxcl_spirv::numbers::Op;
use muxcl_spirv::{Error, Instruction};
use std::collections::BTreeMap;

/// The blocks of a function in reverse postorder. Unreachable blocks come last.
pub(crate) fn blocks<'f, 'm>(
    module: &Tables<'_>,
    function: &'f Function<'m>,
) -> Result<Vec<&'f [Instruction<'m>]>, Error> {
    let mut blocks: Vec<&[Instruction<'m>]> = Vec::new();
    let mut numbers = BTreeMap::new();
    let mut rest = function.body.as_slice();
    while let Some(first) = rest.first() {
        let length =
            rest.iter().skip(1).position(|i| i.op == Op::Label).map_or(rest.len(), |n| n + 1);
        let (block, behind) = rest.split_at(length);
        if first.op == Op::Label {
            numbers.insert(first.operand(0)?, blocks.len());
        }
        blocks.push(block);
        rest = behind;
    }
    let mut successors = Vec::with_capacity(blocks.len());
    for block in &blocks {
        let labels = block.last().map_or(Ok(Vec::new()), |i| targets(module, *i))?;
        successors
            .push(labels.iter().filter_map(|l| numbers.get(l).copied()).collect::<Vec<usize>>());
    }
    let order = reverse_postorder(&successors);
    Ok(order.into_iter().map(|n| blocks[n]).collect())
}

/// The successors of a block.
fn targets(module: &Tables<'_>, i: Instruction<'_>) -> Result<Vec<u32>, Error> {
    Ok(match i.op {
        Op::Branch => vec![i.operand(0)?],
        Op::BranchConditional => vec![i.operand(1)?, i.operand(2)?],
        Op::Switch => {
            let selector = module.types.get(module.type_of(i, i.operand(0)?)?);
            let words = if selector == Some(&Type::Int(64)) { 3 } else { 2 };
            let cases = i.rest(2).chunks_exact(words).filter_map(|case| case.last().copied());
            std::iter::once(i.operand(1)?).chain(cases).collect()
        }
        _ => Vec::new(),
    })
}

fn reverse_postorder(successors: &[Vec<usize>]) -> Vec<usize> {
    let mut seen = vec![false; successors.len()];
    let mut order = Vec::with_capacity(successors.len());
    // An explicit stack instead of recursion, because a chain of blocks may be arbitrarily long.
    let mut stack: Vec<(usize, usize)> = Vec::new();
    if let Some(first) = seen.first_mut() {
        *first = true;
        stack.push((0, 0));
    }
    while let Some((block, next)) = stack.last_mut() {
        // Successors are visited in reverse, which keeps the module's order where possible.
        let list = &successors[*block];
        if let Some(&to) = list.len().checked_sub(*next + 1).and_then(|n| list.get(n)) {
            *next += 1;
            if !seen[to] {
                seen[to] = true;
                stack.push((to, 0));
            }
        } else {
            order.push(*block);
            stack.pop();
        }
    }
    order.reverse();
    order.extend((0..successors.len()).filter(|n| !seen[*n]));
    order
}

#[cfg(test)]
mod tests {
    use super::reverse_postorder;

    #[test]
    fn dominators_come_first() {
        // Edges 0 -> 2 -> 1 -> 3 and a loop from 1 to 2; block 4 is unreachable.
        assert_eq!(
            reverse_postorder(&[vec![2], vec![2, 3], vec![1], vec![], vec![3]]),
            [0, 2, 1, 3, 4]
        );
        let chain: Vec<Vec<usize>> =
            (0..200_000).map(|n| if n + 1 < 200_000 { vec![n + 1] } else { vec![] }).collect();
        assert!(reverse_postorder(&chain).into_iter().eq(0..200_000));
        assert!(reverse_postorder(&[]).is_empty());
    }
}
