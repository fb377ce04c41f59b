//! Division of short integers, which the host does not divide: as floating-point numbers.

use super::file::integers;
use crate::lower::Lower;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder as _, Value, types};
use muxcl_rv_isa::Op;

impl Lower<'_, '_> {
    /// Quotients or remainders of integers of 8 or 16 bits, as the scalar instruction's.
    pub(super) fn divide_short(&mut self, op: Op, a: Value, b: Value, size: u64) -> Value {
        let signed = matches!(op, Op::Div | Op::Rem);
        let [low, high] = [false, true].map(|high| {
            [a, b].map(|v| match (high, signed) {
                (false, false) => self.b.ins().uwiden_low(v),
                (false, true) => self.b.ins().swiden_low(v),
                (true, false) => self.b.ins().uwiden_high(v),
                (true, true) => self.b.ins().swiden_high(v),
            })
        });
        if size == 1 {
            let [low, high] = [low, high].map(|[x, y]| self.divide_short(op, x, y, 2));
            return self.halves(low, high, 1, 0);
        }
        // Quotients of single precision are exact after the truncation: one that is not an integer
        // differs from the next one by at least 2^-17 of itself, and is rounded by less than that.
        let [low, high] = [low, high].map(|both| {
            let [x, y] = both.map(|v| self.b.ins().fcvt_from_sint(types::F32X4, v));
            let quotient = self.b.ins().fdiv(x, y);
            self.b.ins().fcvt_to_sint_sat(types::I32X4, quotient)
        });
        let quotient = self.halves(low, high, 2, 0);
        let zero = self.constant(|_| 0);
        let zero = self.cast(zero, integers(2));
        // A division by 0 gives all ones.
        let by_zero = self.b.ins().icmp(IntCC::Equal, b, zero);
        let quotient = self.b.ins().bor(quotient, by_zero);
        if matches!(op, Op::Div | Op::Divu) {
            return quotient;
        }
        let product = self.b.ins().imul(quotient, b);
        self.b.ins().isub(a, product)
    }
}
