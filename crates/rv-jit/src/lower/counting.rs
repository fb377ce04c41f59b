//! Counts in translated code, for a machine whose executions are counted: how often each stretch of
//! a block was executed, and the bytes of vector accesses.
//!
//! Invariant: a stretch is counted where the code counts its instructions as retired, so both
//! numbers agree at each exit. Not here: stretches that end in a trap, which the executor counts.

use super::Lower;
use super::vector::Access;
use crate::host::{FIXED, HART, offset};
use cranelift_codegen::ir::{InstBuilder as _, Value, types};
use muxcl_rv_sim::Stretch;
use muxcl_rv_sim::native::Offsets;

/// The stretches that the code of a region counts.
#[derive(Debug, Default)]
pub(crate) struct Counting {
    /// The number of the region's first counter.
    pub(crate) first: usize,
    /// The stretches, whose counters follow each other.
    pub(crate) stretches: Vec<Stretch>,
}

impl Lower<'_, '_> {
    /// Counts the first `length` instructions of the current block as executed.
    pub(super) fn count(&mut self, length: u64) {
        let pc = self.state.block;
        let Some(counting) = self.counting.as_deref_mut().filter(|_| length != 0) else { return };
        let number = counting.first + counting.stretches.len();
        counting.stretches.push(Stretch { pc, length });
        let counters = self.b.ins().load(types::I64, FIXED, self.hart, offset(Offsets::COUNTS));
        let at = offset(8 * number);
        let count = self.b.ins().load(types::I64, HART, counters, at);
        let count = self.b.ins().iadd_imm_s(count, 1);
        self.b.ins().store(HART, count, counters, at);
    }

    /// Counts the bytes of a vector access. If it accesses some of its elements only, `active` has
    /// their bits.
    pub(super) fn count_moved(&mut self, access: &Access, active: Option<Value>) {
        if self.counting.is_none() {
            return;
        }
        let count = match active {
            Some(bits) => self.b.ins().popcnt(bits),
            None if access.masked => self.count_active(access.elements),
            None if self.known.any_length => self.length(),
            None => self.int(access.elements),
        };
        let each = access.size * access.fields;
        let more = self.b.ins().imul_imm_s(count, each.cast_signed());
        let at = offset(Offsets::MOVED[usize::from(access.store)]);
        let sum = self.b.ins().load(types::I64, HART, self.hart, at);
        let sum = self.b.ins().iadd(sum, more);
        self.b.ins().store(HART, sum, self.hart, at);
    }
}
