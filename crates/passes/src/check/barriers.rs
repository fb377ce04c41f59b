//! Checks that all work-items of a group reach the same barriers (`MUXCL_CHECK=divergence`).
//!
//! A work-item *arrives* at each work-group barrier, and at the kernel's end. Between two barriers,
//! each one arrives once, so the first arrival says where the others must arrive. `check.cl` keeps
//! it in memory of the group. If the places differ, the group ends behind the barrier: work-items
//! that have not reached the barrier have no values with which to continue.
//!
//! A kernel whose control flow is provably the same for all work-items has no such checks.
//!
//! Not here: sub-group barriers. Work-items of a sub-group may diverge, and the library's functions
//! for them use such barriers in non-uniform control flow.

use muxcl_llvm::{Builder, Opcode, Value};
use muxcl_types::check::ENDED;

use super::{Instrumenter, site, typed};
use crate::{names, regions, uniformity, work_item_loops};

const ARRIVE: &str = "__muxcl_check_arrive";
const DIVERGED: &str = "__muxcl_check_diverged";
/// Size of the group's memory for arrivals in bytes.
const BYTES: u64 = 16;

impl<'m> Instrumenter<'_, 'm, '_> {
    /// True if some work-items may reach a barrier that others do not reach.
    pub(super) fn may_diverge(&self) -> bool {
        let Some(barrier) = self.module.function(names::BARRIER) else { return false };
        let barriers = regions::split(self.kernel, &[barrier], &[]);
        if barriers.is_empty() {
            return false;
        }
        let found = regions::find(self.kernel, self.kernel.entry(), &barriers);
        let uniform = uniformity::analyse(&found, &work_item_loops::differs_between_items);
        found.regions.iter().skip(1).any(|region| !uniform.all_reach(region.start))
    }

    /// Adds the checks of barriers to the kernel, which has the instructions `instructions`.
    pub(super) fn check_barriers(&mut self, instructions: &[Value<'m>]) {
        let (module, kernel, state) = (self.module, self.kernel, self.state);
        let cx = module.cx();
        let is_barrier = |i: &Value<'m>| i.callee().is_some_and(|f| f.name() == names::BARRIER);
        let barriers: Vec<Value<'m>> = instructions.iter().copied().filter(is_barrier).collect();
        if barriers.is_empty() {
            return;
        }
        let memory = self.group_memory();
        let offset = self.reserve(BYTES);
        let arrivals = self.at_start().byte_offset(memory, cx.u64(offset));
        let call = |b: &Builder<'m>, name, result, args: &[Value<'m>]| {
            b.call(typed(module, name, result, args), args)
        };
        let arrive = |at: Value<'m>, site: u32| {
            call(&Builder::before(at), ARRIVE, cx.void(), &[state, arrivals, cx.u32(site)]);
        };
        for end in instructions.iter().filter(|i| i.opcode() == Opcode::Ret) {
            arrive(*end, ENDED);
        }
        let stop = kernel.append_block("diverged");
        Builder::at_end(stop).ret_void();
        for barrier in barriers {
            arrive(barrier, site(self.sites, barrier, String::new()));
            let (Some(next), block) = (barrier.next(), barrier.block()) else { continue };
            let rest = block.split(next, "together");
            if let Some(branch) = block.terminator() {
                branch.erase();
            }
            let b = Builder::at_end(block);
            b.cond_br(call(&b, DIVERGED, cx.i1(), &[arrivals]), stop, rest);
        }
    }
}
