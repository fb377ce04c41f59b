//! Bounds the growth of code with barriers or sub-group collectives in branches.
//!
//! Each region is cloned into a loop over work-items of its own. A block behind several conditional
//! barriers is in the region of each of them and in those of the paths around them, so that a
//! sequence of n such branches has in the order of n * n clones. A join point, where the paths
//! meet, starts a region of its own, and the regions before it end there. Values that are live
//! across it cost memory, so small functions get none. Where all work-items take the same path,
//! a join point must be a block that all of them reach. Not here: loops of divergent work-items,
//! whose headers are reconvergence points already ([`super::sub_groups`]).

use muxcl_llvm::{Block, Module};

use super::sub_groups;
use crate::names::JOIN;
use crate::regions::Regions;

/// Average number of clones of an instruction up to which nothing is added.
const MOST_CLONES: usize = 3;

/// Adds join points where paths of different regions meet, if the regions share many blocks. Only
/// blocks for which `allowed` is true get one. Returns whether any were added; the regions must
/// then be found again.
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
