//! One copy of a function for all its calls in a kernel. Functions with barriers that each call the
//! next one twice would be inlined 2^n times. In a kernel that would become too large, each
//! function that reaches a barrier has one copy, and calls become jumps:
//!
//! ```text
//! call site n: store arguments and n -> the copy -> switch to what follows call site n
//! ```
//! No function is recursive, so one copy is never entered twice at a time. The barriers inside need
//! uniform calls, so the switch is uniform too. Values that live across a call are kept in private
//! variables, which later passes turn into values again.
//!
//! Invariant: afterwards no such kernel calls a function that reaches a barrier. Not here: the
//! kernels below the limits, into which `inline_barriers` inlines every call.

use std::collections::{BTreeMap, BTreeSet};

use muxcl_llvm::{Builder, Function, Module, Opcode, Value};

/// A kernel with more instructions after inlining gets shared copies. Counted as the front end
/// writes them, before any optimisation.
const INSTRUCTIONS: u64 = 40_000;
/// A kernel with more calls of barriers and sub-group functions after inlining gets shared copies.
const BARRIERS: u64 = 512;
/// A function is inlined at each call if all its copies together are at most this large. Each
/// barrier splits the kernel, so few count.
const SMALL: Size = Size { instructions: 400, barriers: 4 };

/// What inlining makes of a function.
#[derive(Clone, Copy, Default)]
struct Size {
    instructions: u64,
    barriers: u64,
}

impl Size {
    fn explodes(self) -> bool {
        self.instructions > INSTRUCTIONS || self.barriers > BARRIERS
    }

    fn is_small(self, copies: u64) -> bool {
        self.instructions.saturating_mul(copies) <= SMALL.instructions
            && self.barriers.saturating_mul(copies) <= SMALL.barriers
    }

    fn add(&mut self, other: Self) {
        self.instructions = self.instructions.saturating_add(other.instructions);
        self.barriers = self.barriers.saturating_add(other.barriers);
    }
}

/// The functions that reach barriers, with their sizes.
struct Reaching<'m> {
    /// The functions that they call directly, one entry for each call.
    callees: BTreeMap<Function<'m>, Vec<Function<'m>>>,
    sizes: BTreeMap<Function<'m>, Size>,
}

/// Runs the pass. `wanted`: the barriers and other functions that only kernels may call.
pub(super) fn run<'m>(
    module: &'m Module<'_>,
    wanted: &[Function<'m>],
    kernels: &BTreeSet<Function<'m>>,
) {
    let mut reaching = Reaching { callees: callees_that_reach(wanted), sizes: BTreeMap::new() };
    // A recursive function is an error that the caller reports.
    let Some(order) = callers_first(&reaching.callees) else { return };
    for f in order.iter().rev() {
        reaching.measure(*f);
    }
    let exploding: Vec<Function<'m>> = order
        .iter()
        .copied()
        .filter(|f| kernels.contains(f) && reaching.sizes[f].explodes())
        .collect();
    if exploding.is_empty() {
        return;
    }
    for f in &order {
        for call in calls_in(*f, &reaching) {
            if let Some(next) = call.next() {
                call.block().split(next, "behind");
            }
        }
        keep_in_memory(*f);
    }
    for kernel in exploding {
        for f in order.iter().filter(|f| **f != kernel) {
            let calls: Vec<Value<'m>> =
                f.direct_calls().into_iter().filter(|c| c.block().function() == kernel).collect();
            let copies = calls.len() as u64;
            if copies > 1 && !reaching.sizes[f].is_small(copies) {
                share(module, kernel, *f, &calls);
            } else {
                for call in calls {
                    call.inline_call();
                }
            }
        }
    }
    for f in order {
        if !f.has_uses() && !kernels.contains(&f) {
            f.erase();
        }
    }
}

/// The functions that reach one of `wanted`, with their calls of such functions and of each other.
fn callees_that_reach<'m>(wanted: &[Function<'m>]) -> BTreeMap<Function<'m>, Vec<Function<'m>>> {
    let mut found: BTreeMap<Function<'m>, Vec<Function<'m>>> = BTreeMap::new();
    let mut todo: Vec<Function<'m>> = wanted.to_vec();
    let mut seen: BTreeSet<Function<'m>> = wanted.iter().copied().collect();
    while let Some(callee) = todo.pop() {
        for call in callee.direct_calls() {
            let caller = call.block().function();
            found.entry(caller).or_default().push(callee);
            if seen.insert(caller) {
                todo.push(caller);
            }
        }
    }
    // The library's operations between lanes stay functions.
    found.retain(|f, _| !wanted.contains(f));
    found
}

/// The functions in an order in which callers precede what they call; `None` if one is recursive.
fn callers_first<'m>(
    callees: &BTreeMap<Function<'m>, Vec<Function<'m>>>,
) -> Option<Vec<Function<'m>>> {
    let mut callers: BTreeMap<Function<'m>, usize> = callees.keys().map(|f| (*f, 0)).collect();
    for callee in callees.values().flatten() {
        if let Some(count) = callers.get_mut(callee) {
            *count += 1;
        }
    }
    let mut ready: Vec<Function<'m>> =
        callers.iter().filter(|(_, count)| **count == 0).map(|(f, _)| *f).collect();
    let mut order = Vec::new();
    while let Some(f) = ready.pop() {
        order.push(f);
        for callee in &callees[&f] {
            if let Some(count) = callers.get_mut(callee) {
                *count -= 1;
                if *count == 0 {
                    ready.push(*callee);
                }
            }
        }
    }
    (order.len() == callees.len()).then_some(order)
}

impl<'m> Reaching<'m> {
    /// Computes the size of a function from those of its callees.
    fn measure(&mut self, f: Function<'m>) {
        let mut size = Size { instructions: f.instructions().len() as u64, barriers: 0 };
        for callee in &self.callees[&f] {
            // A callee without a size is a barrier or a sub-group function.
            size.add(
                self.sizes.get(callee).copied().unwrap_or(Size { instructions: 0, barriers: 1 }),
            );
        }
        self.sizes.insert(f, size);
    }
}

/// The calls in `f` of functions that reach barriers.
fn calls_in<'m>(f: Function<'m>, reaching: &Reaching<'m>) -> Vec<Value<'m>> {
    let reaches = |i: &Value<'m>| i.callee().is_some_and(|c| reaching.sizes.contains_key(&c));
    f.instructions().into_iter().filter(reaches).collect()
}

/// Moves every value that another block uses to a private variable.
fn keep_in_memory(f: Function<'_>) {
    let first = f.entry();
    for value in f.instructions() {
        let fixed = value.is_alloca() && value.block() == first;
        if fixed || value.ty().is_void() {
            continue;
        }
        let mut users = value.users();
        users.sort_unstable();
        users.dedup();
        users.retain(|u| u.block() != value.block() || u.opcode() == Opcode::Phi);
        let (Some(entry), false) = (first.first(), users.is_empty()) else { continue };
        let slot = Builder::before(entry).alloca(value.ty(), "kept");
        for user in users {
            if user.opcode() == Opcode::Phi {
                // If several cases of a switch lead to a PHI's block, the PHI lists the switch's
                // block once for each. LLVM requires the same value for all of them.
                let mut loads = BTreeMap::new();
                for (n, (incoming, from)) in (0..).zip(user.incoming()) {
                    if let Some(end) = from.terminator().filter(|_| incoming == value) {
                        let load = || Builder::before(end).load(value.ty(), slot, 0);
                        user.set_incoming(n, *loads.entry(from).or_insert_with(load));
                    }
                }
            } else {
                let load = Builder::before(user).load(value.ty(), slot, 0);
                user.replace_operand(value, load);
            }
        }
        let behind = match value.opcode() {
            Opcode::Phi => value.block().first_insertion_point(),
            _ => value.next(),
        };
        if let Some(behind) = behind {
            Builder::before(behind).store(value, slot, 0);
        }
    }
}

/// Gives `kernel` one copy of `f` for all of `calls`.
fn share<'m>(module: &'m Module<'_>, kernel: Function<'m>, f: Function<'m>, calls: &[Value<'m>]) {
    let (cx, ret) = (module.cx(), f.ty().ret());
    let Some(entry) = kernel.entry().first() else { return };
    let Some(one) = calls.first().copied() else { return };
    let top = Builder::before(entry);
    let site = top.alloca(cx.i32(), "site");
    let result = (!ret.is_void()).then(|| top.alloca(ret, "result"));
    let arguments: Vec<Value<'m>> =
        one.args().iter().map(|a| top.alloca(a.ty(), "argument")).collect();

    let copy = kernel.append_block("shared");
    let end = Builder::at_end(copy).unreachable();
    // A copy of the first call, for its attributes and its debug location.
    let call = Builder::before(end).insert_copy(one);
    for (n, slot) in (0..).zip(&arguments) {
        let given = one.operand(n);
        call.set_operand(n, Builder::before(call).load(given.ty(), *slot, 0));
    }
    let mut cases = Vec::new();
    for (n, old) in (0u64..).zip(calls) {
        let number = cx.i32().constant(n);
        let before = Builder::before(*old);
        before.store(number, site, 0);
        for (given, slot) in old.args().into_iter().zip(&arguments) {
            before.store(given, *slot, 0);
        }
        let block = old.block();
        let Some(next) = old.next() else { continue };
        let behind = block.split(next, "behind");
        if let Some(result) = result.filter(|_| old.has_uses()) {
            old.replace_all_uses(Builder::before(next).load(ret, result, 0));
        }
        if let Some(branch) = block.terminator() {
            branch.set_successor(0, copy);
        }
        old.erase();
        cases.push((number, behind));
    }
    if let Some(result) = result {
        Builder::before(end).store(call, result, 0);
    }
    let chosen = Builder::before(end).load(cx.i32(), site, 0);
    if let Some((_, default)) = cases.first().copied() {
        Builder::before(end).switch(chosen, default, &cases[1..]);
        end.erase();
    }
    call.inline_call();
}
