//! A kernel with barriers: each barrier region is cloned into a loop nest of its own.
//!
//! The order of [`RegionClone`]'s steps is the order of the blocks they append, so the output is
//! deterministic. Not here: the choice of regions ([`crate::regions`]), of the values that live in
//! memory between them ([`crate::slots`]), and the loops ([`super::nest`]).

use std::collections::{BTreeMap, BTreeSet};

use muxcl_llvm::{Block, Builder, IntPredicate, Opcode, Value, ValueMap};

use super::GroupFunctionBuilder;
use super::item::{GroupVariable, Item};
use super::kept::Kept;
use super::nest::Nest;
use super::sub_groups::Paths;
use crate::PassError;
use crate::regions::{Exit, Region, Regions};
use crate::slots::Plan;

/// The state that all regions of one function share.
struct RegionSet<'w, 'm, 'c> {
    work: &'w GroupFunctionBuilder<'m, 'c>,
    found: &'w Regions<'m>,
    plan: &'w Plan<'m>,
    /// By slot of the plan: the slot's address.
    bases: &'w [Value<'m>],
    variables: &'w BTreeMap<Value<'m>, GroupVariable<'m>>,
    kept: &'w Kept<'m>,
    /// By region: its loop nest; `None` if no work-item reaches the region.
    nests: &'w [Option<Nest<'m>>],
    /// The block that returns from the function.
    done: Block<'m>,
    /// True if accesses through generic pointers are parallel.
    generic: bool,
    /// Selects the next region where work-items or sub-groups diverge.
    paths: Option<&'w Paths<'m>>,
}

/// One region during its cloning.
struct RegionClone<'w, 'm, 'c> {
    set: &'w RegionSet<'w, 'm, 'c>,
    number: usize,
    region: &'w Region,
    nest: &'w Nest<'m>,
    item: Item<'w, 'm, 'c>,
    /// Maps the original blocks and values to their clones.
    map: ValueMap<'m>,
    /// By exit of the region: the block that it branches to.
    targets: BTreeMap<Exit, Block<'m>>,
}

impl<'m> GroupFunctionBuilder<'m, '_> {
    /// Clones each region into its nest.
    pub(super) fn regions(
        &self,
        found: &Regions<'m>,
        plan: &Plan<'m>,
        generic: bool,
        paths: Option<&Paths<'m>>,
    ) -> Result<(), PassError> {
        erase_lifetimes(plan);
        let live = found.live();
        let bases = self.slot_bases(plan)?;
        let variables = self.group_variables(plan)?;
        let kept = Kept::new(found, plan);
        let nests: Vec<Option<Nest<'m>>> = live
            .iter()
            .enumerate()
            .map(|(n, live)| live.then(|| self.region_nest(found, plan, n, paths)))
            .collect();
        let done = self.f.append_block("done");
        Builder::at_end(done).ret_void();
        let set = RegionSet {
            work: self,
            found,
            plan,
            bases: &bases,
            variables: &variables,
            kept: &kept,
            nests: &nests,
            done,
            generic,
            paths,
        };
        for (number, nest) in nests.iter().enumerate() {
            if let Some(nest) = nest {
                RegionClone::new(&set, number, nest).run()?;
            }
        }
        if let Some(Some(nest)) = nests.first() {
            self.prologue_end()?.set_successor(0, nest.first);
        }
        match paths {
            Some(paths @ Paths { progress: Some(progress), .. }) => {
                self.prologue_end()?.set_successor(0, progress.init);
                self.write_progress_loop(paths, *progress, &nests, done);
            }
            Some(paths) => self.choose(found, paths, &nests, done),
            None => {}
        }
        Ok(())
    }

    /// Creates the variables of the values that are uniform in the group.
    fn group_variables(
        &self,
        plan: &Plan<'m>,
    ) -> Result<BTreeMap<Value<'m>, GroupVariable<'m>>, PassError> {
        let b = Builder::before(self.prologue_end()?);
        let variable = |v: &Value<'m>| {
            let (between, within) = (b.alloca(v.ty(), "group"), b.alloca(v.ty(), "group.item"));
            (*v, GroupVariable { between, within })
        };
        Ok(plan.group.iter().map(variable).collect())
    }

    /// Makes the loop nest of region `n`.
    fn region_nest(
        &self,
        found: &Regions<'m>,
        plan: &Plan<'m>,
        n: usize,
        paths: Option<&Paths<'m>>,
    ) -> Nest<'m> {
        let name = format!("region{n}");
        if let Some((progress, choose)) = paths.and_then(|p| Some((p.progress?, p.choose))) {
            return self.nest_of_sub_group(&name, progress, choose);
        }
        match (self.runs_once(found, plan, n), paths) {
            (Some(exit), Some(paths)) => self.nest_for_all(&name, paths, n, exit),
            (once, _) => self.nest(&name, once.is_some()),
        }
    }
}

/// Arrays in slots live for the whole function: removes their lifetime markers.
fn erase_lifetimes(plan: &Plan<'_>) {
    for u in plan.arrays.iter().flat_map(|a| a.users()) {
        if u.is_instruction() && u.is_lifetime() {
            u.erase();
        }
    }
}

impl<'w, 'm, 'c> RegionClone<'w, 'm, 'c> {
    fn new(set: &'w RegionSet<'w, 'm, 'c>, number: usize, nest: &'w Nest<'m>) -> Self {
        let item = Item {
            work: set.work,
            plan: set.plan,
            bases: set.bases,
            kept: set.kept,
            variables: set.variables,
            entry: BTreeMap::new(),
            nest,
            index: None,
            addresses: BTreeMap::new(),
            live_ins: BTreeMap::new(),
        };
        Self {
            set,
            number,
            region: &set.found.regions[number],
            nest,
            item,
            map: ValueMap::new(),
            targets: BTreeMap::new(),
        }
    }

    fn run(mut self) -> Result<(), PassError> {
        self.set.work.fill_record(self.nest);
        self.enter_group_variables();
        self.map_arrays();
        let next = self.find_exits();
        let clones = self.clone_blocks();
        self.close_returns(&clones)?;
        self.serve_live_ins()?;
        self.store_live_outs()?;
        self.store_group_variables()?;
        self.enter(&clones)?;
        self.lower(clones)?;
        self.leave(next);
        Ok(())
    }

    /// Each work-item starts with the group variables' values at the start of the region.
    fn enter_group_variables(&mut self) {
        for v in self.set.kept.group_variables_in(self.region) {
            if let Some(variable) = self.set.variables.get(&v) {
                let now = self.item.entry(v, *variable);
                Builder::at_end(self.nest.item).store(now, variable.within, 0);
            }
        }
    }

    /// Replaces arrays in slots by this work-item's element of the slot.
    fn map_arrays(&mut self) {
        for number in self.arrays() {
            let slot = self.set.plan.slots[number];
            let address = self.item.array(slot, self.set.bases[number]);
            self.map.set(slot.value, address);
        }
    }

    /// The slots of the arrays that the region uses, also in values that it rematerializes.
    fn arrays(&self) -> BTreeSet<usize> {
        let blocks = self.region.blocks.iter().map(|b| self.set.found.blocks[*b]);
        let mut work: Vec<Value<'m>> = blocks.flat_map(Block::instructions).collect();
        let mut seen = BTreeSet::new();
        let mut arrays = BTreeSet::new();
        while let Some(user) = work.pop() {
            for value in user.operands().into_iter().filter(|v| v.is_instruction()) {
                if value.is_alloca() {
                    arrays.extend(self.set.kept.slot_of(value));
                } else if self.set.plan.rematerialized.contains(&value) && seen.insert(value) {
                    work.push(value);
                }
            }
        }
        arrays
    }

    /// Finds the target of each exit. A single exit branches straight to the latch. Several exits
    /// each get a block that records the exit's number. Returns the number recorded by the last
    /// work-item, if the region has several exits.
    fn find_exits(&mut self) -> Option<Value<'m>> {
        let (work, nest) = (self.set.work, self.nest);
        let cx = work.module.cx();
        let next = (self.region.exits.len() > 1 && self.set.paths.is_none()).then(|| {
            let b = match nest.latch.first() {
                Some(i) => Builder::before(i),
                None => Builder::at_end(nest.latch),
            };
            b.phi(cx.i32(), "next")
        });
        for (number, exit) in (0u32..).zip(&self.region.exits) {
            let target = match (next, self.set.paths) {
                (None, Some(paths)) => work.exit_to(self.set.found, paths, *exit, nest),
                (None, None) => nest.latch,
                (Some(next), _) => {
                    let stub = work.f.append_block("exit");
                    Builder::at_end(stub).br(nest.latch);
                    next.add_incoming(cx.u32(number), stub);
                    stub
                }
            };
            self.targets.insert(*exit, target);
            if let Exit::Barrier(region) = exit {
                self.map.set(self.set.found.barriers[region - 1].value(), target.value());
            }
        }
        next
    }

    /// Clones the region's blocks, in the region's order.
    fn clone_blocks(&self) -> Vec<Block<'m>> {
        let suffix = format!(".r{}", self.number);
        let originals = self.region.blocks.iter().map(|b| self.set.found.blocks[*b]);
        let clones: Vec<Block<'m>> =
            originals.map(|b| self.map.clone_block(b, &suffix, self.set.work.f)).collect();
        for clone in &clones {
            self.map.remap(*clone);
        }
        clones
    }

    /// Redirects returns to their exit, and removes incoming edges from outside the region.
    fn close_returns(&self, clones: &[Block<'m>]) -> Result<(), PassError> {
        let found = self.set.found;
        for (b, clone) in self.region.blocks.iter().zip(clones) {
            if let Some(t) = clone.terminator().filter(|t| t.opcode() == Opcode::Ret) {
                t.erase();
                let target = self
                    .targets
                    .get(&Exit::Return)
                    .copied()
                    .ok_or_else(|| GroupFunctionBuilder::bug("a return that is no exit"))?;
                Builder::at_end(*clone).br(target);
            }
            if let Some(phi) = found.blocks[*b].phis().first() {
                for (_, from) in phi.incoming() {
                    if !found.index.get(&from).is_some_and(|f| self.region.contains(*f)) {
                        clone.remove_predecessor(from);
                    }
                }
            }
        }
        Ok(())
    }

    /// Replaces uses of values that other regions, or other paths of this region, compute.
    fn serve_live_ins(&mut self) -> Result<(), PassError> {
        for live_in in &self.set.plan.live_ins[self.number] {
            let Some(user) = self.map.get(live_in.user) else { continue };
            let rematerialized = self.set.plan.rematerialized.contains(&live_in.value);
            let from = match user.opcode() {
                Opcode::Phi => from_of(live_in.user, live_in.operand, user, &self.map),
                _ => None,
            };
            let value = if rematerialized || !live_in.inside {
                self.item.live_in(live_in.value, &self.map)?
            } else {
                let at = match from {
                    Some(block) => block.terminator(),
                    None => Some(user),
                };
                let b = Builder::before(
                    at.ok_or_else(|| GroupFunctionBuilder::bug("a block without terminator"))?,
                );
                match self.set.variables.get(&live_in.value) {
                    Some(variable) => b.load(live_in.value.ty(), variable.within, 0),
                    None => self.item.load(live_in.value, &b)?,
                }
            };
            if user.opcode() != Opcode::Phi {
                user.set_operand(live_in.operand, value);
                continue;
            }
            for (n, (_, block)) in (0u32..).zip(user.incoming()) {
                if Some(block) == from {
                    user.set_incoming(n, value);
                }
            }
        }
        Ok(())
    }

    /// Stores the values that other regions use into their slots.
    fn store_live_outs(&mut self) -> Result<(), PassError> {
        for original in self.set.kept.slot_values_in(self.region) {
            let Some(value) = self.map.get(original) else { continue };
            let b = Builder::before(behind(value)?);
            self.item.store(original, value, &b)?;
        }
        Ok(())
    }

    /// Stores the uniform values that the work-items compute. The last work-item's value remains.
    fn store_group_variables(&self) -> Result<(), PassError> {
        let leave = Builder::at_end(self.nest.after);
        for v in self.set.kept.group_variables_in(self.region) {
            let (Some(variable), Some(value)) = (self.set.variables.get(&v), self.map.get(v))
            else {
                continue;
            };
            Builder::before(behind(value)?).store(value, variable.within, 0);
            leave.store(leave.load(v.ty(), variable.within, 0), variable.between, 0);
        }
        Ok(())
    }

    /// Branches to the region's first block, if the region is the work-item's next one.
    fn enter(&self, clones: &[Block<'m>]) -> Result<(), PassError> {
        let start =
            clones.first().copied().ok_or_else(|| GroupFunctionBuilder::bug("an empty region"))?;
        match self.set.paths {
            Some(paths) => self.set.work.enter_if_here(paths, self.number, self.nest, start),
            None => self.set.work.begin(self.nest, start),
        };
        Ok(())
    }

    /// Lowers the work-item functions, and marks the parallel accesses.
    fn lower(&self, mut clones: Vec<Block<'m>>) -> Result<(), PassError> {
        let work = self.set.work;
        work.lower_active(self.set.paths, self.number, self.nest, &clones);
        clones.push(self.nest.item);
        work.mark_parallel(&clones, self.set.generic, self.set.bases);
        clones.pop();
        work.lower_items(self.nest, &clones)
    }

    /// After the last work-item, branches to the next region.
    fn leave(&self, next: Option<Value<'m>>) {
        let set = self.set;
        let cx = set.work.module.cx();
        let block_of = |exit: &Exit| match exit {
            Exit::Return => set.done,
            Exit::Barrier(region) => match set.nests.get(*region) {
                Some(Some(nest)) => set.work.way_to(set.found, *region, nest),
                _ => set.done,
            },
        };
        let b = Builder::at_end(self.nest.after);
        if let Some(paths) = set.paths {
            b.br(paths.choose);
            return;
        }
        match (next, self.region.exits.as_slice()) {
            (Some(next), [first, second]) => {
                let (then, otherwise) = (block_of(second), block_of(first));
                let taken = b.icmp(IntPredicate::Eq, next, cx.u32(1));
                taken.set_name("cond");
                b.cond_br(taken, then, otherwise);
            }
            (Some(next), [first, rest @ ..]) => {
                let cases: Vec<(Value<'m>, Block<'m>)> =
                    (1u32..).zip(rest).map(|(n, e)| (cx.u32(n), block_of(e))).collect();
                b.switch(next, block_of(first), &cases);
            }
            (_, [only]) => {
                b.br(block_of(only));
            }
            _ => {
                b.unreachable();
            }
        }
    }
}

/// The instruction that computes a value; for a PHI, looks through its incoming values.
fn behind(value: Value<'_>) -> Result<Value<'_>, PassError> {
    let at = if value.opcode() == Opcode::Phi {
        value.block().first_insertion_point()
    } else {
        value.next()
    };
    at.ok_or_else(|| GroupFunctionBuilder::bug("a value at the end of its block"))
}

/// The block from which the cloned PHI takes operand `operand` of the original PHI. `None` if no
/// edge comes from there any more.
fn from_of<'m>(
    original: Value<'m>,
    operand: u32,
    clone: Value<'m>,
    map: &ValueMap<'m>,
) -> Option<Block<'m>> {
    let from = original.incoming().get(operand as usize)?.1;
    let block = map.get(from.value())?;
    clone.incoming().into_iter().map(|p| p.1).find(|b| b.value() == block)
}
