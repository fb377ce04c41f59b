//! Bounds the growth of code with barriers or sub-group collectives in branches.
//!
//! A region ends at barriers only, and each region has its own clone of its blocks. So behind n
//! branches with a barrier in each, a block belongs to the regions of all n barriers, and n such
//! branches in a row make about n * n clones. A join point prevents that: it is put where the two
//! paths of a branch meet, ends the regions before it, and starts a region as a barrier does.
//! Values that are live across a join point cost memory, so small functions get none. Where
//! work-items do not diverge, a join point must be in a block that all of them reach. Not here:
//! headers of loops of divergent work-items, which are reconvergence points already
//! ([`super::sub_groups`]).

use muxcl_llvm::{Block, Module};

use super::sub_groups;
use crate::names::JOIN;
use crate::regions::Regions;

/// Average number of clones of an instruction up to which nothing is added.
const MOST_CLONES: usize = 3;

/// Adds join points where paths of different regions meet, if the regions share many blocks. A
/// block gets one only if `allowed` is true for its number. Returns whether any were added; the
/// regions must then be found again.
pub(super) fn add<'m>(
    module: &'m Module<'_>,
    found: &Regions<'m>,
    allowed: impl Fn(usize) -> bool,
) -> bool {
    let mut clones = vec![0usize; found.blocks.len()];
    for (region, live) in found.regions.iter().zip(found.live()) {
        for block in region.blocks.iter().filter(|_| live) {
            clones[*block] += 1;
        }
    }
    let sizes = found.blocks.iter().map(|block| block.instructions().len());
    let (before, after) = clones
        .iter()
        .zip(sizes)
        .filter(|(n, _)| **n != 0)
        .fold((0, 0), |(before, after), (n, size)| (before + size, after + n * size));
    if after <= MOST_CLONES * before {
        return false;
    }
    let joins: Vec<Block<'m>> = (0..)
        .zip(&found.blocks)
        .filter(|(n, _)| is_join(found, &clones, *n) && allowed(*n))
        .map(|(_, block)| *block)
        .collect();
    let any = !joins.is_empty();
    sub_groups::insert_at_start(module, JOIN, joins);
    any
}

/// Whether the block is in more regions than each block before it: paths of different regions join.
fn is_join(found: &Regions<'_>, clones: &[usize], n: usize) -> bool {
    let before = found.blocks[n].predecessors();
    let counts: Option<Vec<usize>> =
        before.iter().map(|b| Some(clones[*found.index.get(b)?])).collect();
    // A region begins behind a barrier in any case.
    counts.is_some_and(|counts| counts.len() > 1 && counts.iter().all(|c| *c < clones[n]))
}
