//! Kernels with sub-group barriers.
//!
//! The library's collectives exchange values through memory of the sub-group, between sub-group
//! barriers. If all work-items of a sub-group provably take the same path from barrier to barrier,
//! the last work-item's exit from a region selects the next region, as with work-groups. Otherwise
//! they are divergent: each work-item records its next region ([`Paths`]), and the region that is
//! first in the order of [`Regions::ranks`] runs for the work-items recorded there. The collectives
//! read a mask of these work-items. So functions for non-uniform control flow work, and no
//! work-item waits for one that has returned.
//!
//! Not here: the loops ([`super::nest`]).

use std::collections::BTreeSet;

use muxcl_llvm::{
    Block, Builder, Function, IntPredicate, Module, Opcode, Value, run_function_passes,
};

use super::GroupFunctionBuilder;
use super::forward_progress::{self, ProgressLoop};
use super::nest::{Level, Nest};
use crate::names::{
    BARRIER, JOIN, SUB_ACTIVE, SUB_BARRIER, SUB_BARRIER_ONCE, SUB_RECONVERGE, SUB_SCRATCH, YIELD,
    work_item,
};
use crate::regions::{Exit, Regions};
use crate::slots::Plan;
use crate::uniformity::Uniformity;
use crate::{PassError, address_spaces, loops};

/// Largest array of all work-items of a sub-group that is on the stack, in bytes. Larger arrays are
/// in scratch memory.
pub(super) const LARGEST_ON_STACK: u64 = 8 << 10;

/// Size of a sub-group's memory for the collectives, in words: one for each work-item, and as many
/// for the sub-group as a whole.
const SCRATCH_WORDS: u64 = 128;

/// If work-items of a sub-group diverge, and the regions of the work-group's function would have
/// more instructions than this, sub-groups yield before each region.
const MOST_CLONED: usize = 20_000;

/// True if the kernel has sub-group barriers, or uses the sub-groups' memory.
pub(super) fn has_barriers(module: &Module<'_>, kernel: Function<'_>) -> bool {
    [SUB_BARRIER, SUB_BARRIER_ONCE, SUB_SCRATCH]
        .iter()
        .filter_map(|name| module.function(name))
        .flat_map(Function::direct_calls)
        .any(|call| call.block().function() == kernel)
}

/// The functions whose calls end a region.
pub(super) fn barriers<'m>(module: &'m Module<'_>, level: Level) -> Vec<Function<'m>> {
    let names: &[&str] = match level {
        Level::Lanes => &[BARRIER, SUB_BARRIER, SUB_BARRIER_ONCE, SUB_RECONVERGE, JOIN],
        Level::Items => &[BARRIER, JOIN],
        Level::SubGroups => &[BARRIER, JOIN, YIELD],
    };
    names.iter().filter_map(|name| module.function(name)).collect()
}

/// True if work-items of a sub-group may diverge and reach different barriers.
pub(super) fn diverge<'m>(found: &Regions<'m>, uniform: &Uniformity<'m>) -> bool {
    let live = found.live();
    found
        .regions
        .iter()
        .zip(live)
        .skip(1)
        .any(|(region, live)| live && !uniform.all_reach(region.start))
}

/// Gives cycles that work-items enter at different blocks one entry, at which they reconverge. A
/// sub-group function is never copied, so all work-items that reach it together still do.
pub(super) fn split_cycles(f: Function<'_>) {
    f.remove_unreachable();
    if muxcl_vecz::split_cycles(f) {
        // SAFETY: no handle of an instruction is kept.
        unsafe { f.promote_allocas() };
    }
}

/// Inserts a reconvergence point at the header of every loop that contains a sub-group barrier, so
/// that collectives never pair different iterations.
pub(super) fn add_reconvergence_points(module: &Module<'_>, f: Function<'_>) {
    let synchronise = [SUB_BARRIER, SUB_BARRIER_ONCE];
    let waits = |i: Value<'_>| i.callee().is_some_and(|f| synchronise.contains(&f.name().as_str()));
    let headers: BTreeSet<Block<'_>> = loops::back_edges(f)
        .into_iter()
        .filter(|(from, to)| {
            loops::body(*from, *to).iter().any(|b| b.instructions().into_iter().any(waits))
        })
        .map(|(_, to)| to)
        .collect();
    let headers = f.blocks().into_iter().filter(|b| headers.contains(b));
    insert_at_start(module, SUB_RECONVERGE, headers);
}

/// Inserts a call of the reconvergence point `name` behind the PHIs of each block.
pub(super) fn insert_at_start<'m>(
    module: &'m Module<'_>,
    name: &str,
    blocks: impl IntoIterator<Item = Block<'m>>,
) {
    let mut places = blocks.into_iter().filter_map(Block::first_insertion_point).peekable();
    if places.peek().is_none() {
        return;
    }
    let cx = module.cx();
    let point = module.get_or_add_function(name, cx.function(cx.void(), &[]));
    for attribute in ["nounwind", "convergent", "noduplicate"] {
        point.add_attribute(attribute);
    }
    for at in places {
        Builder::before(at).call(point, &[]);
    }
}

/// True if the kernel has a yield point.
pub(super) fn yields(found: &Regions<'_>) -> bool {
    (0..found.regions.len()).any(|n| barrier_of(found, n).is_some_and(|f| f.name() == YIELD))
}

/// State of divergent control flow: the next region of each work-item, or of each sub-group.
pub(super) struct Paths<'m> {
    /// `[i32]`: the rank of the next region, by work-item or sub-group.
    pub(super) at: Value<'m>,
    /// By region: its rank.
    pub(super) ranks: Vec<u32>,
    /// The block that selects the next region; filled last.
    pub(super) choose: Block<'m>,
    /// The loop over sub-groups, if sub-groups make independent progress.
    pub(super) progress: Option<ProgressLoop<'m>>,
}

/// The rank of a work-item or sub-group that has returned.
pub(super) const RETURNED: u32 = u32::MAX;
/// Flag in a rank: the region runs only when all sub-groups have reached it.
pub(super) const WAITS: u32 = 1 << 31;

/// Promotes the lane-loop variables to SSA values.
pub(super) fn clean(module: &Module<'_>, f: Function<'_>) -> Result<(), PassError> {
    super::clean_prologue(f);
    // SAFETY: these passes delete instructions and blocks only, and no handle of one is kept: the
    // callers know functions, parameters and variables.
    Ok(unsafe { run_function_passes(module, "sroa,early-cse,simplifycfg") }?)
}

impl<'m> GroupFunctionBuilder<'m, '_> {
    /// Converts a sub-group's plan, because the runtime provides scratch memory per work-item.
    pub(super) fn count_by_item(&self, result: &mut super::GroupFunction<'m>) {
        if self.level == Level::SubGroups {
            let bytes = result.scratch_per_item;
            result.scratch_per_item = bytes.div_ceil(self.group.width.into());
            // The last sub-group may have few work-items.
            result.scratch_per_group += bytes;
        }
    }

    /// The address of the memory for the collectives.
    pub(super) fn sub_group_scratch(&self) -> Result<(), PassError> {
        let Some(f) = self.module.function(SUB_SCRATCH) else { return Ok(()) };
        let calls: Vec<Value<'m>> =
            f.direct_calls().into_iter().filter(|c| c.block().function() == self.f).collect();
        if calls.is_empty() {
            return Ok(());
        }
        let cx = self.module.cx();
        let b = Builder::before(self.prologue_end()?);
        let scratch = b.alloca(cx.array(cx.i64(), SCRATCH_WORDS), "sub.scratch");
        scratch.set_align(128);
        for c in calls {
            c.replace_all_uses(scratch);
            c.erase();
        }
        Ok(())
    }

    /// Creates the state of divergent work-items. All begin at region 0.
    pub(super) fn paths(&self, found: &Regions<'m>) -> Result<Paths<'m>, PassError> {
        let cx = self.module.cx();
        let b = Builder::before(self.prologue_end()?);
        let at = b.alloca(cx.array(cx.i32(), self.group.width.into()), "at");
        at.set_align(64);
        b.memset(at, 0, cx.u64(4 * u64::from(self.group.width)), 64);
        // Work-group barriers come last, because a work-item there waits for the others.
        let count = found.regions.len();
        let reconverges = |b: Block<'m>| {
            b.first().and_then(Value::callee).is_some_and(|f| f.name() == SUB_RECONVERGE)
        };
        let ranks = (0..).zip(found.ranks(reconverges));
        let ranks = ranks.map(|(n, rank)| {
            if is_group_barrier(found, n) { rank + count + found.blocks.len() + 1 } else { rank }
        });
        let ranks = ranks.map(|rank| u32::try_from(rank).unwrap_or(RETURNED - 1)).collect();
        Ok(Paths { at, ranks, choose: self.f.append_block("choose"), progress: None })
    }

    /// The address of a lane's element of [`Paths::at`].
    pub(super) fn place(&self, b: &Builder<'m>, paths: &Paths<'m>, lane: Value<'m>) -> Value<'m> {
        b.gep(self.module.cx().i32(), paths.at, &[lane])
    }

    /// The exit block of a work-item in a region: it stores the rank of the next region.
    pub(super) fn exit_to(
        &self,
        found: &Regions<'m>,
        paths: &Paths<'m>,
        exit: Exit,
        nest: &Nest<'m>,
    ) -> Block<'m> {
        let rank = match exit {
            Exit::Return => RETURNED,
            Exit::Barrier(n) => {
                let waits =
                    if paths.progress.is_some() && is_group_barrier(found, n) { WAITS } else { 0 };
                paths.ranks.get(n).map_or(RETURNED, |rank| rank | waits)
            }
        };
        let stub = self.f.append_block("exit");
        let b = Builder::at_end(stub);
        if let Some(lane) = nest.number {
            b.store(self.module.cx().u32(rank), self.place(&b, paths, lane), 4);
        }
        b.br(nest.latch);
        stub
    }

    /// Skips the work-items whose next region is another one.
    pub(super) fn enter_if_here(
        &self,
        paths: &Paths<'m>,
        n: usize,
        nest: &Nest<'m>,
        start: Block<'m>,
    ) -> Value<'m> {
        let b = Builder::at_end(nest.item);
        let Some(lane) = nest.number.filter(|_| paths.progress.is_none() && !nest.for_all) else {
            return b.br(start);
        };
        let here = self.is_at(&b, paths, n, lane);
        let here = self.exists(&b, nest).map_or(here, |exists| b.and(exists, here));
        b.cond_br(here, start, nest.latch)
    }

    /// Branches from the start of an iteration to `start`, the first block of a region. An
    /// iteration without a work-item branches to the latch.
    pub(super) fn begin(&self, nest: &Nest<'m>, start: Block<'m>) -> Value<'m> {
        let b = Builder::at_end(nest.item);
        match self.exists(&b, nest) {
            Some(exists) => b.cond_br(exists, start, nest.latch),
            None => b.br(start),
        }
    }

    /// The condition that the iteration has a work-item; `None` if every iteration has one.
    fn exists(&self, b: &Builder<'m>, nest: &Nest<'m>) -> Option<Value<'m>> {
        let lanes = self.missing_lanes()?;
        Some(b.icmp(IntPredicate::Ult, nest.number?, lanes))
    }

    /// The number of work-items of the sub-group, if the loop over them has more iterations.
    fn missing_lanes(&self) -> Option<Value<'m>> {
        let lanes = self.sub_group?.lanes;
        let full = lanes.as_u64() == Some(self.group.width.into());
        (self.level == Level::Lanes && self.lockstep && !full).then_some(lanes)
    }

    /// True if the last iteration of the loop over a sub-group may have no work-item.
    pub(super) fn last_may_be_missing(&self) -> bool {
        self.level == Level::Lanes && self.lockstep && !self.has_full_sub_groups()
    }

    pub(super) fn is_at(
        &self,
        b: &Builder<'m>,
        paths: &Paths<'m>,
        n: usize,
        lane: Value<'m>,
    ) -> Value<'m> {
        let cx = self.module.cx();
        let at = b.load(cx.i32(), self.place(b, paths, lane), 4);
        b.icmp(IntPredicate::Eq, at, cx.u32(paths.ranks.get(n).copied().unwrap_or(RETURNED)))
    }

    /// Makes a loop from 0 to `count`, between `first` and `then`, that reduces the recorded ranks
    /// to one number.
    pub(super) fn fold(
        &self,
        (first, then): (Block<'m>, Block<'m>),
        count: Value<'m>,
        start: Value<'m>,
        step: impl FnOnce(&Builder<'m>, Value<'m>, Value<'m>) -> Value<'m>,
    ) -> Value<'m> {
        let cx = self.module.cx();
        let body = self.f.append_block("each");
        Builder::at_end(first).br(body);
        let b = Builder::at_end(body);
        let lane = b.phi(cx.i64(), "each");
        let all = b.phi(start.ty(), "all");
        lane.add_incoming(cx.u64(0), first);
        all.add_incoming(start, first);
        let new = step(&b, lane, all);
        let next = b.add_nuw(lane, cx.u64(1));
        lane.add_incoming(next, body);
        all.add_incoming(new, body);
        b.cond_br(b.icmp(IntPredicate::Ult, next, count), body, then);
        new
    }

    /// Fills the selection block: the lowest rank runs next.
    pub(super) fn choose(
        &self,
        found: &Regions<'m>,
        paths: &Paths<'m>,
        nests: &[Option<Nest<'m>>],
        done: Block<'m>,
    ) {
        let cx = self.module.cx();
        let then = self.f.append_block("chosen");
        let lanes = self.sub_group.map_or_else(|| cx.u64(1), |s| s.lanes);
        let least = self.fold((paths.choose, then), lanes, cx.u32(RETURNED), |b, lane, least| {
            b.umin(b.load(cx.i32(), self.place(b, paths, lane), 4), least)
        });
        let cases: Vec<(Value<'m>, Block<'m>)> = (1..)
            .zip(nests.iter().skip(1))
            .filter_map(|(n, nest)| {
                Some((cx.u32(*paths.ranks.get(n)?), self.way_to(found, n, nest.as_ref()?)))
            })
            .collect();
        Builder::at_end(then).switch(least, done, &cases);
        // Behind each work-group barrier, a sub-group comes back to this block, and from here to
        // all regions of its function. A yield here ends the region behind the barrier, which
        // otherwise would contain a clone of all of them.
        let barriers = (1..nests.len()).filter(|n| nests[*n].is_some());
        let barriers = barriers.filter(|n| is_group_barrier(found, *n)).count();
        if barriers * self.f.instructions().len() > MOST_CLONED
            && let Some(first) = paths.choose.first_insertion_point()
        {
            forward_progress::add_yield(self.module, first);
        }
    }

    /// Replaces the calls that query the mask of active work-items.
    pub(super) fn lower_active(
        &self,
        paths: Option<&Paths<'m>>,
        n: usize,
        nest: &Nest<'m>,
        clones: &[Block<'m>],
    ) {
        let Some(f) = self.module.function(SUB_ACTIVE) else { return };
        let calls: Vec<Value<'m>> = clones
            .iter()
            .flat_map(|b| b.instructions())
            .filter(|i| i.callee() == Some(f))
            .collect();
        let (false, Some(sub)) = (calls.is_empty(), self.sub_group) else { return };
        let cx = self.module.cx();
        let active = match (paths, nest.first.terminator()) {
            (Some(paths), Some(end)) => {
                // A loop in front of the nest collects the mask from each work-item's next region.
                let then = nest.first.split(end, "collected");
                if let Some(branch) = nest.first.terminator() {
                    branch.erase();
                }
                self.fold((nest.first, then), sub.lanes, cx.u64(0), |b, lane, all| {
                    let here = b.zext(self.is_at(b, paths, n, lane), cx.i64());
                    b.or(all, b.shl(here, lane))
                })
            }
            _ => {
                let b = Builder::before(nest.first.terminator().unwrap_or(calls[0]));
                b.lshr(cx.u64(u64::MAX), b.sub(cx.u64(64), sub.lanes))
            }
        };
        for c in calls {
            c.replace_all_uses(active);
            c.erase();
        }
    }

    /// The branch target that leads to a region. At a work-group barrier, all sub-groups wait.
    pub(super) fn way_to(&self, found: &Regions<'m>, region: usize, nest: &Nest<'m>) -> Block<'m> {
        match self.module.function(BARRIER) {
            Some(f) if self.level == Level::Lanes && is_group_barrier(found, region) => {
                let wait = self.f.append_block("wait");
                let b = Builder::at_end(wait);
                b.call(f, &[]);
                b.br(nest.first);
                wait
            }
            _ => nest.first,
        }
    }

    /// If one work-item may run the region for all of them, returns the region that follows. The
    /// barrier that starts the region must permit it. All other code in the region must have no
    /// effect: it accesses no memory except that of the collectives, and other regions use none of
    /// its values.
    pub(super) fn runs_once(
        &self,
        found: &Regions<'m>,
        plan: &Plan<'m>,
        n: usize,
    ) -> Option<usize> {
        let said = barrier_of(found, n).is_some_and(|f| f.name() == SUB_BARRIER_ONCE);
        let region = found.regions.get(n).filter(|_| said && self.level == Level::Lanes)?;
        let here = |v: Value<'m>| found.block_of(v).is_some_and(|b| region.contains(b));
        let kept = plan.slots.iter().map(|s| s.value).chain(plan.group.iter().copied());
        let [Exit::Barrier(exit)] = *region.exits.as_slice() else { return None };
        let nothing = !kept.into_iter().any(|v| !v.is_alloca() && here(v))
            && region
                .blocks
                .iter()
                .flat_map(|b| found.blocks[*b].instructions())
                .all(leaves_no_trace);
        nothing.then_some(exit)
    }
}

/// The function whose call starts a region.
fn barrier_of<'m>(found: &Regions<'m>, region: usize) -> Option<Function<'m>> {
    found.barriers.get(region.checked_sub(1)?)?.first()?.callee()
}

fn is_group_barrier(found: &Regions<'_>, region: usize) -> bool {
    barrier_of(found, region).is_some_and(|f| f.name() == BARRIER)
}

fn leaves_no_trace(i: Value<'_>) -> bool {
    let ours = |pointer: Value<'_>| {
        pointer.underlying_object().callee().is_some_and(|f| f.name() == SUB_SCRATCH)
    };
    match i.opcode() {
        Opcode::Load => ours(i.operand(0)),
        Opcode::Store => ours(i.operand(1)),
        Opcode::Call => i.callee().is_some_and(|f| {
            let name = f.name();
            matches!(name.as_str(), SUB_SCRATCH | SUB_ACTIVE)
                || work_item(&name).is_some()
                || address_spaces::is_range_check(&name)
                || (f.is_intrinsic() && !i.may_read() && !i.has_side_effects())
        }),
        _ => !i.may_read() && !i.has_side_effects() || i.is_terminator(),
    }
}
