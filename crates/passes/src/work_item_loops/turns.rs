//! Forward progress of sub-groups: one that waits for what another of its group will write lets the
//! others go on.
//!
//! A loop that is left when memory other work-items may write says so (a *spin loop*) gets a call
//! of `__muxcl_yield` where it turns, which ends a region of the sub-groups' loops like a barrier.
//! Where there are such, each sub-group keeps the region it is to run next, and they take turns:
//! ```text
//! init -> header: for each sub-group, the region it is at -> turn -> ... -> round: has one moved?
//! all at the barrier? all returned?
//! ```
//! Not here: the regions ([`super`]); work-items of one sub-group, who are promised nothing.

use std::collections::BTreeSet;

use muxcl_llvm::{Block, Builder, Function, IntPredicate, Module, Opcode, Value};

use super::Work;
use super::nest::Nest;
use super::sub_groups::{Paths, RETURNED, WAITS};
use crate::names::{YIELD, work_item};
use crate::regions::Regions;
use crate::{PassError, program_info};

/// The loop in which sub-groups take turns.
#[derive(Clone, Copy)]
pub(super) struct Turns {
    /// Makes everybody begin at region 0.
    pub(super) init: Block,
    /// The loop's first block; goes to the region where the sub-group is.
    header: Block,
    /// The number of the sub-group whose turn it is.
    pub(super) number: Value,
    /// How many sub-groups there are.
    count: Value,
}

/// Does the kernel ask about sub-groups? Then they make progress.
pub(super) fn are_known(module: &Module<'_>, kernel: Function) -> bool {
    let of_sub_groups =
        |f: &Function| work_item(&f.name()).is_some_and(crate::names::WorkItem::of_sub_groups);
    let functions = module.functions().into_iter().filter(of_sub_groups);
    functions.flat_map(Function::direct_calls).any(|call| call.block().function() == kernel)
}

/// Puts calls of `__muxcl_yield` where spin loops turn; tells whether there are any.
pub(super) fn mark(module: &Module<'_>, f: Function) -> bool {
    let turns: Vec<Value> =
        back_edges(f).into_iter().filter_map(|(from, to)| spins(f, from, to)).collect();
    if turns.is_empty() {
        return false;
    }
    let cx = module.cx();
    let function = module.get_or_add_function(YIELD, cx.function(cx.void(), &[]));
    for name in ["nounwind", "convergent", "noduplicate"] {
        function.add_attribute(name);
    }
    for t in turns {
        Builder::before(t).call(function, &[]);
    }
    true
}

/// Edges to a block that is on the way there, depth first.
pub(super) fn back_edges(f: Function) -> Vec<(Block, Block)> {
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

/// If the loop of this back edge is left when memory says so: where it turns.
fn spins(f: Function, from: Block, to: Block) -> Option<Value> {
    let body = body(f, from, to);
    let mut work: Vec<Value> = body
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
        // What a private variable holds, if it is one still.
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

/// Does it read what another may write meanwhile?
fn polls(i: Value) -> bool {
    match i.opcode() {
        Opcode::Load => i.is_volatile() || i.is_atomic(),
        Opcode::AtomicRmw => true,
        // One that tries again with what it has found fails only because another has got on.
        Opcode::AtomicCmpXchg => i.operand(1).is_constant(),
        _ => false,
    }
}

/// The same of what a function calls; it is not known what such a function compares with.
fn any_polls(f: Function) -> bool {
    let reads = |i: Value| polls(i) || i.opcode() == Opcode::AtomicCmpXchg;
    program_info::reachable(f).into_iter().flat_map(Function::instructions).any(reads)
}

/// The blocks that reach `from` without `to`, and `to`.
pub(super) fn body(f: Function, from: Block, to: Block) -> BTreeSet<Block> {
    let mut inside = BTreeSet::from([to]);
    let mut work = vec![from];
    let all = f.blocks();
    while let Some(b) = work.pop() {
        if inside.insert(b) {
            work.extend(all.iter().copied().filter(|p| p.successors().contains(&b)));
        }
    }
    inside
}

impl Work<'_, '_> {
    /// What is needed where sub-groups take turns. `offset`: where their memory is, for one of four
    /// bytes each.
    pub(super) fn turns(&self, found: &Regions, offset: u64) -> Result<Paths, PassError> {
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
        let turns = Turns { init, header, number, count };
        Ok(Paths { at, ranks, choose: self.f.append_block("turn"), turns: Some(turns) })
    }

    /// A region for the sub-group whose turn it is.
    pub(super) fn nest_in_turn(&self, name: &str, turns: Turns, turn: Block) -> Nest {
        let block = |part: &str| self.f.append_block(&format!("{name}.{part}"));
        let (first, item, latch, after) =
            (block("first"), block("item"), block("latch"), block("after"));
        Builder::at_end(first).br(item);
        Builder::at_end(latch).br(turn);
        Nest::in_turn(first, item, latch, after, turns.number)
    }

    /// Fills the blocks of the loop.
    pub(super) fn take_turns(
        &self,
        paths: &Paths,
        turns: Turns,
        nests: &[Option<Nest>],
        done: Block,
    ) {
        let cx = self.module.cx();
        let block = |name: &str| self.f.append_block(name);
        let (round, asked, blocked, released) =
            (block("round"), block("asked"), block("blocked"), block("released"));
        let place = |b: &Builder, n: Value| b.gep(cx.i32(), paths.at, &[n]);

        let begin = block("begin");
        self.fold((turns.init, begin), turns.count, cx.u32(0), |b, n, all| {
            b.store(cx.u32(0), place(b, n), 4);
            all
        });
        Builder::at_end(begin).br(turns.header);
        turns.number.add_incoming(cx.u64(0), begin);
        let header = Builder::at_end(turns.header);
        let here = header.load(cx.i32(), place(&header, turns.number), 4);
        let cases: Vec<(Value, Block)> = paths
            .ranks
            .iter()
            .zip(nests)
            .filter_map(|(rank, nest)| Some((cx.u32(*rank), nest.as_ref()?.first)))
            .collect();
        header.switch(here, paths.choose, &cases);

        let b = Builder::at_end(paths.choose);
        let next = b.add_nuw(turns.number, cx.u64(1));
        b.cond_br(b.icmp(IntPredicate::Ult, next, turns.count), turns.header, round);
        turns.number.add_incoming(next, paths.choose);

        // 1: one of them can go on; 2: one of them waits at a barrier.
        let state = self.fold((round, asked), turns.count, cx.u32(0), |b, n, all| {
            let at = b.load(cx.i32(), place(b, n), 4);
            let free = b.icmp(IntPredicate::Ult, at, cx.u32(WAITS));
            let waits = b.icmp(IntPredicate::Ne, at, cx.u32(RETURNED));
            let what = b.select(free, cx.u32(1), b.select(waits, cx.u32(2), cx.u32(0)));
            b.or(all, what)
        });
        let to_header = |from: Block| {
            turns.number.add_incoming(cx.u64(0), from);
        };
        let b = Builder::at_end(asked);
        let free = b.icmp(IntPredicate::Ne, b.and(state, cx.u32(1)), cx.u32(0));
        b.cond_br(free, turns.header, blocked);
        to_header(asked);
        let b = Builder::at_end(blocked);
        let release = self.f.append_block("release");
        b.cond_br(b.icmp(IntPredicate::Ne, state, cx.u32(0)), release, done);
        self.fold((release, released), turns.count, cx.u32(0), |b, n, all| {
            let at = b.load(cx.i32(), place(b, n), 4);
            let returned = b.icmp(IntPredicate::Eq, at, cx.u32(RETURNED));
            b.store(b.select(returned, at, b.and(at, cx.u32(!WAITS))), place(b, n), 4);
            all
        });
        Builder::at_end(released).br(turns.header);
        to_header(released);
    }
}
