//! An index of the values that a plan keeps between regions.
//!
//! A function with thousands of barriers has as many regions, and more kept values. With the index,
//! the work for a region depends on what the region contains, not on all kept values. Not here: the
//! choice of the kept values ([`crate::slots`]).

use std::collections::BTreeMap;

use muxcl_llvm::Value;

use crate::regions::{Region, Regions};
use crate::slots::Plan;

/// Where the values of a plan are.
pub(super) struct Kept<'m> {
    /// By value or array: the number of its slot.
    slots: BTreeMap<Value<'m>, usize>,
    /// By block: the values that it computes and that live in slots, with the slots' numbers.
    slot_values: BTreeMap<usize, Vec<(usize, Value<'m>)>>,
    /// By block: the values that it computes and that are kept once per group, with their places in
    /// the plan.
    group_variables: BTreeMap<usize, Vec<(usize, Value<'m>)>>,
}

impl<'m> Kept<'m> {
    pub(super) fn new(found: &Regions<'m>, plan: &Plan<'m>) -> Self {
        let by_block = |values: &mut dyn Iterator<Item = Value<'m>>| {
            let mut out: BTreeMap<usize, Vec<(usize, Value<'m>)>> = BTreeMap::new();
            for (n, v) in values.enumerate().filter(|(_, v)| !v.is_alloca()) {
                if let Some(block) = found.block_of(v) {
                    out.entry(block).or_default().push((n, v));
                }
            }
            out
        };
        Self {
            slots: plan.slots.iter().enumerate().map(|(n, s)| (s.value, n)).collect(),
            slot_values: by_block(&mut plan.slots.iter().map(|s| s.value)),
            group_variables: by_block(&mut plan.group.iter().copied()),
        }
    }

    /// The number of the slot of a value or an array.
    pub(super) fn slot_of(&self, value: Value<'m>) -> Option<usize> {
        self.slots.get(&value).copied()
    }

    /// The values that the region computes and that live in slots, in the plan's order.
    pub(super) fn slot_values_in(&self, region: &Region) -> Vec<Value<'m>> {
        Self::within(&self.slot_values, region)
    }

    /// The values that the region computes and that are kept once per group, in the plan's order.
    pub(super) fn group_variables_in(&self, region: &Region) -> Vec<Value<'m>> {
        Self::within(&self.group_variables, region)
    }

    fn within(
        by_block: &BTreeMap<usize, Vec<(usize, Value<'m>)>>,
        region: &Region,
    ) -> Vec<Value<'m>> {
        let values = region.blocks.iter().filter_map(|b| by_block.get(b)).flatten();
        let sorted: BTreeMap<usize, Value<'m>> = values.copied().collect();
        sorted.into_values().collect()
    }
}
