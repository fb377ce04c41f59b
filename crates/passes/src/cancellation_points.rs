//! `cancellation-points`: makes kernels return early on request (`cl_khr_terminate_context`).
//!
//! The object has a variable [`STOP`], which is 0 until the runtime writes 1. Each loop iteration
//! reads it, and returns from the function if it is not 0. So does the code after each call, so
//! that a cancelled function's result is never used. A cancelled kernel leaves its results
//! undefined, but accesses no memory that it would not access otherwise. The pass runs last, after
//! the vectorization of loops. Not here: the runtime that writes the variable (`mux-host`).

use std::collections::BTreeSet;

use muxcl_llvm::{Block, Builder, Function, IntPredicate, Linkage, Module, Value};

use crate::PassError;

/// The variable's symbol.
pub const STOP: &str = "muxcl.stop";

/// Runs the pass.
///
/// # Errors
/// Never fails today; all passes have this signature.
pub fn run(module: &Module<'_>) -> Result<(), PassError> {
    let cx = module.cx();
    let flag = module.add_global(STOP, cx.i32(), 0);
    flag.set_initializer(Some(cx.i32().null()));
    flag.set_linkage(Linkage::External);
    flag.set_align(4);
    for f in module.definitions() {
        let latches = latches(f);
        let mut points: Vec<Value<'_>> = latches.iter().filter_map(|b| b.terminator()).collect();
        let in_latch: BTreeSet<Value<'_>> = points.iter().copied().collect();
        for i in f.instructions() {
            let ours =
                i.is_call() && i.callee().is_some_and(|c| !c.is_intrinsic() && !c.is_declaration());
            if ours && let Some(next) = i.next().filter(|next| !in_latch.contains(next)) {
                points.push(next);
            }
        }
        if points.is_empty() {
            continue;
        }
        let stop = f.append_block("stop");
        for at in points {
            insert_check(at, flag, stop);
        }
        let b = Builder::at_end(stop);
        let result = f.ty().ret();
        if result == cx.void() {
            b.ret_void();
        } else {
            b.ret(result.null());
        }
    }
    Ok(())
}

/// Inserts before `at` a read of the variable and a branch to `stop`.
fn insert_check<'m>(at: Value<'m>, flag: Value<'m>, stop: Block<'m>) {
    let cx = at.block().function().cx();
    let before = at.block();
    let rest = before.split(at, "on");
    if let Some(branch) = before.terminator() {
        branch.erase();
    }
    let b = Builder::at_end(before);
    let value = b.load(cx.i32(), flag, 4);
    // The runtime writes it while the kernel runs.
    value.set_volatile(true);
    b.cond_br(b.icmp(IntPredicate::Eq, value, cx.i32().null()), rest, stop);
}

/// The sources of back edges: every cycle has one. The order is deterministic.
fn latches(f: Function<'_>) -> Vec<Block<'_>> {
    let mut found = Vec::new();
    let (mut seen, mut path) = (BTreeSet::new(), BTreeSet::new());
    // The path of the search: blocks, each with the successors not yet visited.
    let mut stack = vec![(f.entry(), f.entry().successors())];
    seen.insert(f.entry());
    path.insert(f.entry());
    while let Some((block, rest)) = stack.last_mut() {
        let block = *block;
        match rest.pop() {
            Some(next) if path.contains(&next) => {
                if !found.contains(&block) {
                    found.push(block);
                }
            }
            Some(next) => {
                if seen.insert(next) {
                    path.insert(next);
                    stack.push((next, next.successors()));
                }
            }
            None => {
                path.remove(&block);
                stack.pop();
            }
        }
    }
    found
}
