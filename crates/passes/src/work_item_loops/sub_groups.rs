//! Kernels in which sub-groups synchronise.
//!
//! The collectives of the library pass values through memory of the sub-group, between barriers of
//! the sub-group. If all work-items of a sub-group provably take the same path from barrier to
//! barrier, the last one's exit from a region chooses the next region, as with work-groups.
//! Otherwise they are divergent: each work-item keeps its next region ([`Paths`]), and the region
//! that comes first in the order of [`Regions::ranks`] runs for the work-items that are there. The
//! collectives see which work-items these are. So functions for non-uniform control flow work, and
//! no work-item waits for one that has returned.
//!
//! Not here: the loops ([`super::nest`]).

use std::collections::BTreeSet;

use muxcl_llvm::{
    Block, Builder, Function, IntPredicate, Module, Opcode, Value, run_function_passes,
};

use super::Work;
use super::forward_progress::{self, ProgressLoop};
use super::nest::{Level, Nest};
use crate::names::{
    BARRIER, SUB_ACTIVE, SUB_BARRIER, SUB_BARRIER_ONCE, SUB_RECONVERGE, SUB_SCRATCH, YIELD,
    work_item,
};
use crate::regions::{Exit, Regions};
use crate::slots::Plan;
use crate::uniformity::Uniformity;
use crate::{PassError, address_spaces};

/// Bytes an array of all work-items of a sub-group may have on the stack; larger ones are in
/// scratch memory.
pub(super) const LARGEST_ON_STACK: u64 = 8 << 10;

/// Words of a sub-group's memory for the collectives: one for each work-item, and as many for
/// all of them.
const SCRATCH_WORDS: u64 = 128;

/// Does the kernel synchronise its sub-groups, or use their memory?
pub(super) fn has_barriers(module: &Module<'_>, kernel: Function<'_>) -> bool {
    [SUB_BARRIER, SUB_BARRIER_ONCE, SUB_SCRATCH]
        .iter()
        .filter_map(|name| module.function(name))
        .flat_map(Function::direct_calls)
        .any(|call| call.block().function() == kernel)
}

/// The functions that end a region.
pub(super) fn barriers<'m>(module: &'m Module<'_>, level: Level) -> Vec<Function<'m>> {
    let names: &[&str] = match level {
        Level::Lanes => &[BARRIER, SUB_BARRIER, SUB_BARRIER_ONCE, SUB_RECONVERGE],
        Level::Items => &[BARRIER],
        Level::SubGroups => &[BARRIER, YIELD],
    };
    names.iter().filter_map(|name| module.function(name)).collect()
}

/// May the work-items of a sub-group diverge, so that they reach different barriers?
pub(super) fn diverge<'m>(found: &Regions<'m>, uniform: &Uniformity<'m>) -> bool {
    let live = found.live();
    found
        .regions
        .iter()
        .zip(live)
        .skip(1)
        .any(|(region, live)| live && !uniform.all_reach(region.start))
}

/// Inserts a reconvergence point at the header of every loop that contains a sub-group barrier, so
/// that collectives never pair different iterations.
pub(super) fn add_reconvergence_points(module: &Module<'_>, f: Function<'_>) {
    let cx = module.cx();
    let synchronise = [SUB_BARRIER, SUB_BARRIER_ONCE];
    let waits = |i: Value<'_>| i.callee().is_some_and(|f| synchronise.contains(&f.name().as_str()));
    let headers: BTreeSet<Block<'_>> = forward_progress::back_edges(f)
        .into_iter()
        .filter(|(from, to)| {
            forward_progress::body(f, *from, *to)
                .iter()
                .any(|b| b.instructions().into_iter().any(waits))
        })
        .map(|(_, to)| to)
        .collect();
    if headers.is_empty() {
        return;
    }
    let point = module.get_or_add_function(SUB_RECONVERGE, cx.function(cx.void(), &[]));
    for name in ["nounwind", "convergent", "noduplicate"] {
        point.add_attribute(name);
    }
    for at in headers.into_iter().filter_map(Block::first_insertion_point) {
        Builder::before(at).call(point, &[]);
    }
}

/// Does a sub-group yield to others anywhere?
pub(super) fn yields(found: &Regions<'_>) -> bool {
    (0..found.regions.len()).any(|n| barrier_of(found, n).is_some_and(|f| f.name() == YIELD))
}

/// The region that each work-item of a sub-group, or each sub-group, runs next.
pub(super) struct Paths<'m> {
    /// `[i32]`: the rank of the region to run next.
    pub(super) at: Value<'m>,
    /// By region.
    pub(super) ranks: Vec<u32>,
    /// Chooses the region to run next; filled last.
    pub(super) choose: Block<'m>,
    /// The loop over sub-groups, where those make progress independently.
    pub(super) progress: Option<ProgressLoop<'m>>,
}

/// The rank of a work-item or sub-group that has returned.
pub(super) const RETURNED: u32 = u32::MAX;
/// With this bit, the rank of a region a sub-group may run once all are there.
pub(super) const WAITS: u32 = 1 << 31;

/// Promotes the lane-loop variables to SSA values.
pub(super) fn clean(module: &Module<'_>, f: Function<'_>) -> Result<(), PassError> {
    super::clean_prologue(f);
    // SAFETY: these passes delete instructions and blocks only, and no handle of one is kept: the
    // callers know functions, parameters and variables.
    Ok(unsafe { run_function_passes(module, "sroa,early-cse,simplifycfg") }?)
}

impl<'m> Work<'m, '_> {
    /// Of a sub-group's plan, scratch memory is counted by work-item, as the runtime gives it.
    pub(super) fn count_by_item(&self, result: &mut super::GroupFunction<'m>) {
        if self.level == Level::SubGroups {
            let bytes = result.scratch_per_item;
            result.scratch_per_item = bytes.div_ceil(self.group.width.into());
            result.scratch_per_group += bytes; // the last sub-group may have few work-items
        }
    }

    /// The memory of the collectives.
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

    /// The state of divergent work-items: all begin at region 0.
    pub(super) fn paths(&self, found: &Regions<'m>) -> Result<Paths<'m>, PassError> {
        let cx = self.module.cx();
        let b = Builder::before(self.prologue_end()?);
        let at = b.alloca(cx.array(cx.i32(), self.group.width.into()), "at");
        at.set_align(64);
        b.memset(at, 0, cx.u64(4 * u64::from(self.group.width)), 64);
        // Work-group barriers come last: a work-item there waits for the others.
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

    /// The block through which a work-item leaves a region; it stores the rank of the next one.
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

    /// Only work-items whose next region this is run it.
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
        b.cond_br(here, start, nest.latch)
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

    /// A loop from 0 to `count`, from `first` to `then`, that makes one number of what is there.
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

    /// Fills the block that chooses: the least rank of all.
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
    }

    /// Replaces the calls that ask which work-items run a region.
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
                // In front of the loop over the work-items, one that asks each where it is.
                let then = nest.first.split(end, "asked");
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

    /// Where to go to reach a region: at a work-group's barrier all sub-groups wait.
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

    /// Is it enough if one work-item runs the region? Its barrier says so; but what came to be in
    /// it besides the library's code must leave no trace: it touches no memory but the
    /// collectives', and nothing it computes is kept for other regions. Tells the region behind it.
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
    found.barriers.iter().find(|(_, n)| **n == region)?.0.first()?.callee()
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
