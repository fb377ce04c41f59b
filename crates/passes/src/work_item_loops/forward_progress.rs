//! Independent forward progress: a sub-group that spins on memory yields to the other sub-groups of
//! its work-group.
//!
//! A *spin loop* is a loop whose exit depends on memory that other work-items may write. The pass
//! inserts a call of `__muxcl_yield` at its latch. Like a barrier, the call ends a region of the
//! loops over sub-groups. Each sub-group then records its next region, and one loop runs a region
//! of each sub-group in turn:
//! ```text
//! init -> header: for each sub-group, its next region -> choose -> ...
//!      -> round: may one run? all at the barrier? all returned?
//! ```
//! Not here: the regions ([`super`]); independent progress of work-items within a sub-group, which
//! OpenCL does not promise.

use std::collections::BTreeSet;

use muxcl_llvm::{Block, Builder, Function, IntPredicate, Module, Opcode, Value};

use super::GroupFunctionBuilder;
use super::nest::Nest;
use super::sub_groups::{Paths, RETURNED, WAITS};
use crate::loops::{back_edges, body};
use crate::names::{YIELD, work_item};
use crate::regions::Regions;
use crate::{PassError, program_info};

/// The scheduling loop: runs one region of each sub-group in turn.
#[derive(Clone, Copy)]
pub(super) struct ProgressLoop<'m> {
    /// Sets the next region of every sub-group to region 0.
    pub(super) init: Block<'m>,
    /// The loop's header; branches to the next region of the current sub-group.
    header: Block<'m>,
    /// The number of the current sub-group.
    pub(super) number: Value<'m>,
    /// The number of sub-groups.
    count: Value<'m>,
}

/// True if the kernel uses sub-group functions; then sub-groups make independent progress.
pub(super) fn asks_about_sub_groups(module: &Module<'_>, kernel: Function<'_>) -> bool {
    let of_sub_groups =
        |f: &Function<'_>| work_item(&f.name()).is_some_and(crate::names::WorkItem::of_sub_groups);
    let functions = module.functions().into_iter().filter(of_sub_groups);
    functions.flat_map(Function::direct_calls).any(|call| call.block().function() == kernel)
}

/// True if the kernel has a spin loop, in which it may wait for another work-item.
pub(crate) fn may_wait(f: Function<'_>) -> bool {
    back_edges(f).into_iter().any(|(from, to)| spins(from, to).is_some())
}

/// Inserts a call of `__muxcl_yield` at the latch of each spin loop. Returns true if it finds any.
pub(super) fn mark_spin_loops(module: &Module<'_>, f: Function<'_>) -> bool {
    let latches: Vec<Value<'_>> =
        back_edges(f).into_iter().filter_map(|(from, to)| spins(from, to)).collect();
    if latches.is_empty() {
        return false;
    }
    for t in latches {
        add_yield(module, t);
    }
    true
}

/// Inserts a call of `__muxcl_yield` before the instruction.
pub(super) fn add_yield<'m>(module: &'m Module<'_>, before: Value<'m>) {
    let cx = module.cx();
    let function = module.get_or_add_function(YIELD, cx.function(cx.void(), &[]));
    for name in ["nounwind", "convergent", "noduplicate"] {
        function.add_attribute(name);
    }
    Builder::before(before).call(function, &[]);
}

/// The latch branch of this back edge, if its loop is a spin loop.
fn spins<'m>(from: Block<'m>, to: Block<'m>) -> Option<Value<'m>> {
    let body = body(from, to);
    let mut work: Vec<Value<'m>> = body
        .iter()
        .filter(|b| b.successors().iter().any(|s| !body.contains(s)))
        .filter_map(|b| b.terminator())
        .collect();
    let mut seen = BTreeSet::new();
    while let Some(v) = work.pop() {
        if !v.is_instruction() || !body.contains(&v.block()) || !seen.insert(v) {
            continue;
        }
        if polls(v) || v.callee().is_some_and(|f| !f.is_declaration() && any_polls(f)) {
            return from.terminator();
        }
        // The load reads a private variable that is not yet a register.
        if v.opcode() == Opcode::Load && v.operand(0).underlying_object().is_alloca() {
            work.extend(v.operand(0).underlying_object().users());
        }
        let inner = if v.opcode() == Opcode::Phi {
            v.incoming().iter().map(|i| i.0).collect()
        } else {
            v.operands()
        };
        work.extend(inner);
    }
    None
}

/// True if the instruction reads memory that other work-items may write.
fn polls(i: Value<'_>) -> bool {
    match i.opcode() {
        Opcode::Load => i.is_volatile() || i.is_atomic(),
        Opcode::AtomicRmw => true,
        // A compare-exchange loop that retries with the value it read fails only because another
        // work-item made progress.
        Opcode::AtomicCmpXchg => i.operand(1).is_constant(),
        _ => false,
    }
}

/// True if `f` or a function that it calls may poll. Any compare-exchange counts, because the loop
/// around it is not known here.
fn any_polls(f: Function<'_>) -> bool {
    let reads = |i: Value<'_>| polls(i) || i.opcode() == Opcode::AtomicCmpXchg;
    program_info::reachable(f).into_iter().flat_map(Function::instructions).any(reads)
}

impl<'m> GroupFunctionBuilder<'m, '_> {
    /// Creates the state of sub-groups with independent progress, at `offset` of the group's
    /// memory: four bytes per sub-group.
    pub(super) fn progress_paths(
        &self,
        found: &Regions<'m>,
        offset: u64,
    ) -> Result<Paths<'m>, PassError> {
        let cx = self.module.cx();
        let b = Builder::before(self.prologue_end()?);
        let at = self.slot_base(&b, offset);
        let count = self.count(&b);
        let init = self.f.append_block("init");
        let header = self.f.append_block("header");
        let b = Builder::at_end(header);
        let number = b.phi(cx.i64(), "sub.group");
        let ranks =
            (0..found.regions.len()).map(|n| u32::try_from(n).unwrap_or(WAITS - 1)).collect();
        let progress = ProgressLoop { init, header, number, count };
        Ok(Paths { at, ranks, choose: self.f.append_block("next"), progress: Some(progress) })
    }

    /// Makes the region's code for the current sub-group.
    pub(super) fn nest_of_sub_group(
        &self,
        name: &str,
        progress: ProgressLoop<'m>,
        choose: Block<'m>,
    ) -> Nest<'m> {
        let block = |part: &str| self.f.append_block(&format!("{name}.{part}"));
        let (first, item, latch, after) =
            (block("first"), block("item"), block("latch"), block("after"));
        Builder::at_end(first).br(item);
        Builder::at_end(latch).br(choose);
        Nest::for_sub_group(first, item, latch, after, progress.number)
    }

    /// Fills the blocks of the scheduling loop.
    pub(super) fn write_progress_loop(
        &self,
        paths: &Paths<'m>,
        progress: ProgressLoop<'m>,
        nests: &[Option<Nest<'m>>],
        done: Block<'m>,
    ) {
        let cx = self.module.cx();
        let block = |name: &str| self.f.append_block(name);
        let (round, known, blocked, released) =
            (block("round"), block("known"), block("blocked"), block("released"));
        let place = |b: &Builder<'m>, n: Value<'m>| b.gep(cx.i32(), paths.at, &[n]);

        let begin = block("begin");
        self.fold((progress.init, begin), progress.count, cx.u32(0), |b, n, all| {
            b.store(cx.u32(0), place(b, n), 4);
            all
        });
        Builder::at_end(begin).br(progress.header);
        progress.number.add_incoming(cx.u64(0), begin);
        let header = Builder::at_end(progress.header);
        let here = header.load(cx.i32(), place(&header, progress.number), 4);
        let cases: Vec<(Value<'m>, Block<'m>)> = paths
            .ranks
            .iter()
            .zip(nests)
            .filter_map(|(rank, nest)| Some((cx.u32(*rank), nest.as_ref()?.first)))
            .collect();
        header.switch(here, paths.choose, &cases);

        let b = Builder::at_end(paths.choose);
        let next = b.add_nuw(progress.number, cx.u64(1));
        b.cond_br(b.icmp(IntPredicate::Ult, next, progress.count), progress.header, round);
        progress.number.add_incoming(next, paths.choose);

        // 1: some sub-group can continue; 2: some sub-group waits at a barrier.
        let state = self.fold((round, known), progress.count, cx.u32(0), |b, n, all| {
            let at = b.load(cx.i32(), place(b, n), 4);
            let free = b.icmp(IntPredicate::Ult, at, cx.u32(WAITS));
            let waits = b.icmp(IntPredicate::Ne, at, cx.u32(RETURNED));
            let what = b.select(free, cx.u32(1), b.select(waits, cx.u32(2), cx.u32(0)));
            b.or(all, what)
        });
        let to_header = |from: Block<'m>| {
            progress.number.add_incoming(cx.u64(0), from);
        };
        let b = Builder::at_end(known);
        let free = b.icmp(IntPredicate::Ne, b.and(state, cx.u32(1)), cx.u32(0));
        b.cond_br(free, progress.header, blocked);
        to_header(known);
        let b = Builder::at_end(blocked);
        let release = self.f.append_block("release");
        b.cond_br(b.icmp(IntPredicate::Ne, state, cx.u32(0)), release, done);
        self.fold((release, released), progress.count, cx.u32(0), |b, n, all| {
            let at = b.load(cx.i32(), place(b, n), 4);
            let returned = b.icmp(IntPredicate::Eq, at, cx.u32(RETURNED));
            b.store(b.select(returned, at, b.and(at, cx.u32(!WAITS))), place(b, n), 4);
            all
        });
        Builder::at_end(released).br(progress.header);
        to_header(released);
    }
}
