//! Checks that all work-items of a group reach the same barriers (`MUXCL_CHECK=divergence`).
//!
//! A work-item *arrives* at each work-group barrier, and at the kernel's end. Between two barriers,
//! each one arrives once, so the first arrival says where the others must arrive. `check.cl` keeps
//! it in memory of the group. If the places differ, the group ends behind the barrier: work-items
//! that have not reached the barrier have no values with which to continue.
//!
//! Not here: sub-group barriers. Work-items of a sub-group may diverge, and the library's functions
//! for them use such barriers in non-uniform control flow.

use muxcl_llvm::{Builder, Function, Module, Opcode, Value};
use muxcl_types::check::{ENDED, Site};
use muxcl_types::sched::LOCAL_ALIGN;

use super::{site, typed};
use crate::{local_memory, names};

const ENTER: &str = "__muxcl_check_enter";
const ARRIVE: &str = "__muxcl_check_arrive";
const DIVERGED: &str = "__muxcl_check_diverged";
/// Size of the group's memory in bytes, a multiple of the alignment of local memory.
const BYTES: u64 = LOCAL_ALIGN;

/// Adds the checks to a kernel with the instructions `instructions`. `state`: its hidden argument.
pub(super) fn run<'m>(
    module: &'m Module<'_>,
    kernel: Function<'m>,
    state: Value<'m>,
    instructions: &[Value<'m>],
    sites: &mut Vec<Site>,
) {
    let cx = module.cx();
    let is_barrier = |i: &Value<'m>| i.callee().is_some_and(|f| f.name() == names::BARRIER);
    let barriers: Vec<Value<'m>> = instructions.iter().copied().filter(is_barrier).collect();
    let Some(first) = kernel.entry().first_insertion_point() else { return };
    if barriers.is_empty() {
        return;
    }
    let call = |b: &Builder<'m>, name, result, args: &[Value<'m>]| {
        b.call(typed(module, name, result, args), args)
    };
    let b = Builder::before(first);
    let arrivals = call(&b, names::CHECK_MEMORY, cx.ptr(local_memory::SPACE), &[]);
    kernel.add_string_attribute(names::CHECK_BYTES, &BYTES.to_string());
    call(&b, ENTER, cx.void(), &[arrivals]);
    let arrive = |at: Value<'m>, site: u32| {
        call(&Builder::before(at), ARRIVE, cx.void(), &[state, arrivals, cx.u32(site)]);
    };
    for end in instructions.iter().filter(|i| i.opcode() == Opcode::Ret) {
        arrive(*end, ENDED);
    }
    let stop = kernel.append_block("diverged");
    Builder::at_end(stop).ret_void();
    for barrier in barriers {
        arrive(barrier, site(sites, barrier, String::new()));
        let (Some(next), block) = (barrier.next(), barrier.block()) else { continue };
        let rest = block.split(next, "together");
        if let Some(branch) = block.terminator() {
            branch.erase();
        }
        let b = Builder::at_end(block);
        b.cond_br(call(&b, DIVERGED, cx.i1(), &[arrivals]), stop, rest);
    }
}
