//! What is different where sub-groups synchronise.
//!
//! The collectives of the library pass values through memory of the sub-group, between barriers of
//! the sub-group. If all work-items of a sub-group provably take the same way from barrier to
//! barrier, the last one's exit from a region chooses the next region, as with work-groups.
//! Otherwise each work-item keeps where it is ([`Paths`]), and the region that comes first in the
//! order of [`Regions::ranks`] runs for those who are there: the collectives see which work-items
//! these are. So functions for non-uniform control flow work, and a work-item that has returned is
//! not waited for.
//!
//! Not here: the loops ([`super::nest`]).

use std::collections::BTreeSet;

use muxcl_llvm::{
    Block, Builder, Function, IntPredicate, Module, Opcode, PipelineOptions, Value, run_pipeline,
};

use super::Work;
use super::nest::{Level, Nest};
use super::turns::{self, Turns};
use crate::names::{
    BARRIER, SUB_ACTIVE, SUB_BARRIER, SUB_BARRIER_ONCE, SUB_MEET, SUB_SCRATCH, YIELD, work_item,
};
use crate::regions::{Exit, Regions};
use crate::slots::Plan;
use crate::uniformity::Uniformity;
use crate::{PassError, address_spaces};

/// Bytes an array of all work-items of a sub-group may have on the stack; larger ones are in
/// scratch memory.
pub(super) const LARGEST_ON_STACK: u64 = 8 << 10;

/// Words of a sub-group's memory for the collectives: one for each work-item, and as many that
/// belong to nobody.
const SCRATCH_WORDS: u64 = 128;

/// Does the kernel synchronise its sub-groups, or use their memory?
pub(super) fn has_barriers(module: &Module<'_>, kernel: Function) -> bool {
    [SUB_BARRIER, SUB_BARRIER_ONCE, SUB_SCRATCH]
        .iter()
        .filter_map(|name| module.function(name))
        .flat_map(Function::direct_calls)
        .any(|call| call.block().function() == kernel)
}

/// The functions that end a region.
pub(super) fn barriers(module: &Module<'_>, level: Level) -> Vec<Function> {
    let names: &[&str] = match level {
        Level::Lanes => &[BARRIER, SUB_BARRIER, SUB_BARRIER_ONCE, SUB_MEET],
        Level::Items => &[BARRIER],
        Level::SubGroups => &[BARRIER, YIELD],
    };
    names.iter().filter_map(|name| module.function(name)).collect()
}

/// May the work-items of a sub-group be at different barriers?
pub(super) fn part(found: &Regions, uniform: &Uniformity) -> bool {
    let live = found.live();
    found
        .regions
        .iter()
        .zip(live)
        .skip(1)
        .any(|(region, live)| live && !uniform.all_reach(region.start))
}

/// Makes the work-items of a sub-group wait for each other where a loop with its barriers begins a
/// turn: who has found nothing to do together in one turn must not meet the others of that turn in
/// the next.
pub(super) fn add_meets(module: &Module<'_>, f: Function) {
    let cx = module.cx();
    let synchronise = [SUB_BARRIER, SUB_BARRIER_ONCE];
    let waits = |i: Value| i.callee().is_some_and(|f| synchronise.contains(&f.name().as_str()));
    let headers: BTreeSet<Block> = turns::back_edges(f)
        .into_iter()
        .filter(|(from, to)| {
            turns::body(f, *from, *to).iter().any(|b| b.instructions().into_iter().any(waits))
        })
        .map(|(_, to)| to)
        .collect();
    if headers.is_empty() {
        return;
    }
    let meet = module.get_or_add_function(SUB_MEET, cx.function(cx.void(), &[]));
    for name in ["nounwind", "convergent", "noduplicate"] {
        meet.add_attribute(name);
    }
    for at in headers.into_iter().filter_map(Block::first_insertion_point) {
        Builder::before(at).call(meet, &[]);
    }
}

/// Is there a place where a sub-group lets others go on?
pub(super) fn yields(found: &Regions) -> bool {
    (0..found.regions.len()).any(|n| barrier_of(found, n).is_some_and(|f| f.name() == YIELD))
}

/// Where each work-item of a sub-group is, or each sub-group.
pub(super) struct Paths {
    /// `[i32]`: the rank of the region to run next.
    pub(super) at: Value,
    /// By region.
    pub(super) ranks: Vec<u32>,
    /// Chooses the region to run next; filled last.
    pub(super) choose: Block,
    /// Of sub-groups.
    pub(super) turns: Option<Turns>,
}

/// The rank of who has returned.
pub(super) const RETURNED: u32 = u32::MAX;
/// With this bit, the rank of a region a sub-group may run once all are there.
pub(super) const WAITS: u32 = 1 << 31;

/// Makes values of one sub-group of what the loops over its work-items keep in variables.
pub(super) fn clean(module: &Module<'_>, f: Function) -> Result<(), PassError> {
    super::clean_prologue(f);
    let pipeline = "function(sroa,early-cse,simplifycfg)";
    Ok(run_pipeline(
        module,
        pipeline,
        None,
        PipelineOptions { loop_vectorize: false, slp_vectorize: false },
    )?)
}

impl Work<'_, '_> {
    /// Of a sub-group's plan, scratch memory is counted by work-item, as the runtime gives it.
    pub(super) fn count_by_item(&self, result: &mut super::GroupFunction) {
        if self.level == Level::SubGroups {
            let bytes = result.scratch_per_item;
            result.scratch_per_item = bytes.div_ceil(self.group.width.into());
            result.scratch_per_group += bytes; // the last sub-group may have few work-items
        }
    }

    /// The memory of the collectives.
    pub(super) fn sub_group_scratch(&self) -> Result<(), PassError> {
        let Some(f) = self.module.function(SUB_SCRATCH) else { return Ok(()) };
        let calls: Vec<Value> =
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

    /// What is needed where work-items may part: everybody begins at region 0.
    pub(super) fn paths(&self, found: &Regions) -> Result<Paths, PassError> {
        let cx = self.module.cx();
        let b = Builder::before(self.prologue_end()?);
        let at = b.alloca(cx.array(cx.i32(), self.group.width.into()), "at");
        at.set_align(64);
        b.memset(at, 0, cx.u64(4 * u64::from(self.group.width)), 64);
        // Work-group barriers come last: who is there waits for the others.
        let count = found.regions.len();
        let meets =
            |b: Block| b.first().and_then(Value::callee).is_some_and(|f| f.name() == SUB_MEET);
        let ranks = (0..).zip(found.ranks(meets));
        let ranks = ranks.map(|(n, rank)| {
            if is_group_barrier(found, n) { rank + count + found.blocks.len() + 1 } else { rank }
        });
        let ranks = ranks.map(|rank| u32::try_from(rank).unwrap_or(RETURNED - 1)).collect();
        Ok(Paths { at, ranks, choose: self.f.append_block("choose"), turns: None })
    }

    /// The place of a lane in [`Paths::at`].
    pub(super) fn place(&self, b: &Builder, paths: &Paths, lane: Value) -> Value {
        b.gep(self.module.cx().i32(), paths.at, &[lane])
    }

    /// Where a work-item leaves a region: it notes where it goes.
    pub(super) fn exit_to(&self, found: &Regions, paths: &Paths, exit: Exit, nest: &Nest) -> Block {
        let rank = match exit {
            Exit::Return => RETURNED,
            Exit::Barrier(n) => {
                let waits =
                    if paths.turns.is_some() && is_group_barrier(found, n) { WAITS } else { 0 };
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

    /// Only who is at the region runs it.
    pub(super) fn enter_if_here(
        &self,
        paths: &Paths,
        n: usize,
        nest: &Nest,
        start: Block,
    ) -> Value {
        let b = Builder::at_end(nest.item);
        let Some(lane) = nest.number.filter(|_| paths.turns.is_none() && !nest.for_all) else {
            return b.br(start);
        };
        let here = self.is_at(&b, paths, n, lane);
        b.cond_br(here, start, nest.latch)
    }

    pub(super) fn is_at(&self, b: &Builder, paths: &Paths, n: usize, lane: Value) -> Value {
        let cx = self.module.cx();
        let at = b.load(cx.i32(), self.place(b, paths, lane), 4);
        b.icmp(IntPredicate::Eq, at, cx.u32(paths.ranks.get(n).copied().unwrap_or(RETURNED)))
    }

    /// A loop from 0 to `count`, from `first` to `then`, that makes one number of what is there.
    pub(super) fn fold(
        &self,
        (first, then): (Block, Block),
        count: Value,
        start: Value,
        step: impl FnOnce(&Builder, Value, Value) -> Value,
    ) -> Value {
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
        found: &Regions,
        paths: &Paths,
        nests: &[Option<Nest>],
        done: Block,
    ) {
        let cx = self.module.cx();
        let then = self.f.append_block("chosen");
        let lanes = self.sub_group.map_or_else(|| cx.u64(1), |s| s.lanes);
        let least = self.fold((paths.choose, then), lanes, cx.u32(RETURNED), |b, lane, least| {
            b.umin(b.load(cx.i32(), self.place(b, paths, lane), 4), least)
        });
        let cases: Vec<(Value, Block)> = (1..)
            .zip(nests.iter().skip(1))
            .filter_map(|(n, nest)| {
                Some((cx.u32(*paths.ranks.get(n)?), self.way_to(found, n, nest.as_ref()?)))
            })
            .collect();
        Builder::at_end(then).switch(least, done, &cases);
    }

    /// Replaces the calls that ask who runs a region.
    pub(super) fn lower_active(
        &self,
        paths: Option<&Paths>,
        n: usize,
        nest: &Nest,
        clones: &[Block],
    ) {
        let Some(f) = self.module.function(SUB_ACTIVE) else { return };
        let calls: Vec<Value> = clones
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
    pub(super) fn way_to(&self, found: &Regions, region: usize, nest: &Nest) -> Block {
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
    pub(super) fn runs_once(&self, found: &Regions, plan: &Plan, n: usize) -> Option<usize> {
        let said = barrier_of(found, n).is_some_and(|f| f.name() == SUB_BARRIER_ONCE);
        let region = found.regions.get(n).filter(|_| said && self.level == Level::Lanes)?;
        let here = |v: Value| found.block_of(v).is_some_and(|b| region.contains(b));
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
fn barrier_of(found: &Regions, region: usize) -> Option<Function> {
    found.barriers.iter().find(|(_, n)| **n == region)?.0.first()?.callee()
}

fn is_group_barrier(found: &Regions, region: usize) -> bool {
    barrier_of(found, region).is_some_and(|f| f.name() == BARRIER)
}

fn leaves_no_trace(i: Value) -> bool {
    let ours = |pointer: Value| {
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
