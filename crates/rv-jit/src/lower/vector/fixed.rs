//! Fixed-point arithmetic that rounds by `vxrm`, which does not change while translated code runs:
//! the interpreter executes all instructions that write it. What depends on it only is computed
//! once, before loops.

use super::file::integers;
use super::plan::Operation;
use crate::host::{FIXED, offset};
use crate::lower::Lower;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder as _, Value, types};
use muxcl_rv_isa::{Format, Inst};
use muxcl_rv_sim::native::Offsets;

/// The amount of a shift.
#[derive(Debug, Clone, Copy)]
pub(super) enum Amount {
    Known(u64),
    /// Less than the width.
    Any(Value),
}

impl Lower<'_, '_> {
    /// `vxrm`: 0 rounds to the nearest number and up between two, 1 to nearest even, 2 down, 3 to
    /// odd.
    fn rounding(&mut self) -> Value {
        let mode = self.b.ins().load(types::I8, FIXED, self.hart, offset(Offsets::VXRM));
        self.b.ins().uextend(types::I64, mode)
    }

    fn rounds(&mut self, to: i64) -> Value {
        let mode = self.rounding();
        self.b.ins().icmp_imm_s(IntCC::Equal, mode, to)
    }

    /// The scalar `value` in all lanes.
    fn lanes(&mut self, value: Value, size: u64) -> Value {
        let ty = integers(size);
        let value = self.narrow(value, ty.lane_type());
        self.b.ins().splat(ty, value)
    }

    /// Half of a sum or difference.
    pub(super) fn average(
        &mut self,
        a: Value,
        b: Value,
        size: u64,
        signed: bool,
        subtract: bool,
    ) -> Value {
        let ty = integers(size);
        let [a, b] = [a, b].map(|v| self.cast(v, ty));
        // a + b is (a ^ b) + 2 * (a & b), and a - b is (a ^ b) - 2 * (b & !a), so the lowest bit of
        // a ^ b is what a shift loses.
        let bits = self.b.ins().bxor(a, b);
        let half = if signed {
            self.b.ins().sshr_imm_u(bits, 1)
        } else {
            self.b.ins().ushr_imm_u(bits, 1)
        };
        let kept = if subtract {
            let less = self.b.ins().band_not(b, a);
            self.b.ins().isub(half, less)
        } else {
            let both = self.b.ins().band(a, b);
            self.b.ins().iadd(half, both)
        };
        // Whether a half is rounded up. Modes 0 (up) and 2 (down) do not depend on the kept number.
        // Mode 1 (to even) rounds up if that is odd, and mode 3 (to odd) if it is even. So `up` is
        // the answer for even numbers, and modes 1 and 3 have the opposite one for odd numbers.
        let mode = self.rounding();
        let depends = self.b.ins().band_imm_s(mode, 1);
        let shifted = self.b.ins().ushr_imm_u(mode, 1);
        let up = self.b.ins().bxor(mode, shifted);
        let up = self.b.ins().bnot(up);
        let up = self.b.ins().band_imm_s(up, 1);
        let [depends, up] = [depends, up].map(|v| self.lanes(v, size));
        let flips = self.b.ins().band(kept, depends);
        let more = self.b.ins().bxor(flips, up);
        let more = self.b.ins().band(more, bits);
        self.b.ins().iadd(kept, more)
    }

    /// The amount of a shift of elements of `size` bytes by a scalar.
    pub(super) fn amount(&mut self, i: &Inst, scalar: Value, size: u64) -> Amount {
        let most = 8 * size - 1;
        if i.op.row().format == Format::VVU {
            return Amount::Known(i64::from(i.imm).cast_unsigned() & most);
        }
        Amount::Any(self.b.ins().band_imm_s(scalar, most.cast_signed()))
    }

    /// A shift to the right.
    pub(super) fn scale(&mut self, a: Value, amount: Amount, size: u64, signed: bool) -> Value {
        let ty = integers(size);
        let a = self.cast(a, ty);
        // The bits that the shift loses, half of the unit that it keeps, and the bits below that.
        let (by, lost, half, below) = match amount {
            Amount::Known(0) => return a,
            Amount::Known(by) => {
                let lost = (1 << by) - 1;
                let [by, lost, half, below] =
                    [by, lost, 1 << (by - 1), lost >> 1].map(|v| self.int(v));
                (by, lost, half, below)
            }
            Amount::Any(by) => {
                let one = self.int(1);
                let unit = self.b.ins().ishl(one, by);
                let lost = self.b.ins().iadd_imm_s(unit, -1);
                let half = self.b.ins().ushr_imm_u(unit, 1);
                let below = self.b.ins().ushr_imm_u(lost, 1);
                (by, lost, half, below)
            }
        };
        // `more` is added to the lost bits, and a carry out of them rounds up. In mode 0 it is half
        // of a unit. In mode 1 it is 1 less, and 1 is added if the kept number is odd. In mode 2 it
        // is nothing. In mode 3 it is as much as possible, so that any lost bit makes a carry, and
        // carries are ignored if the kept number is odd.
        let none = self.int(0);
        let [up, even, odd] = [0, 1, 3].map(|mode| self.rounds(mode));
        let more = self.b.ins().select(odd, lost, none);
        let more = self.b.ins().select(even, below, more);
        let more = self.b.ins().select(up, half, more);
        let unit = self.b.ins().band_imm_s(lost, 1);
        let even = self.b.ins().select(even, unit, none);
        let odd = self.b.ins().uextend(types::I64, odd);
        let [lost, more, even, odd] = [lost, more, even, odd].map(|v| self.lanes(v, size));
        let shift = if signed { Operation::Sar } else { Operation::Shr };
        let kept = self.shift(shift, a, by, ty);
        let rest = self.b.ins().band(a, lost);
        let rest = self.b.ins().iadd(rest, more);
        let last = self.b.ins().band(kept, even);
        let rest = self.b.ins().iadd(rest, last);
        let carry = self.b.ins().ushr(rest, by);
        let last = self.b.ins().band(kept, odd);
        let carry = self.b.ins().band_not(carry, last);
        self.b.ins().iadd(kept, carry)
    }

    /// A shift to the right of elements of `size` bytes, saturated to half of their width, and the
    /// lanes that saturate.
    pub(super) fn clip(
        &mut self,
        a: Value,
        amount: Amount,
        size: u64,
        signed: bool,
    ) -> (Value, Value) {
        let ty = integers(size);
        let value = self.scale(a, amount, size, signed);
        let bits = 4 * size;
        let result = if signed {
            let most = (1 << (bits - 1)) - 1;
            let [most, least] = [most, !most].map(|v| self.int(v)).map(|v| self.lanes(v, size));
            let value = self.extreme(Operation::Min, value, most, ty);
            self.extreme(Operation::Max, value, least, ty)
        } else {
            let most = self.int((1 << bits) - 1);
            let most = self.lanes(most, size);
            self.extreme(Operation::MinUnsigned, value, most, ty)
        };
        (result, self.b.ins().icmp(IntCC::NotEqual, result, value))
    }

    /// `vsmul`: products of numbers between -1 and 1, whose bits are all behind the binary point.
    /// Also the lanes in which the product saturates.
    pub(super) fn multiply_fractions(&mut self, a: Value, b: Value, size: u64) -> (Value, Value) {
        let ty = integers(size);
        let [a, b] = [a, b].map(|v| self.cast(v, ty));
        let amount = Amount::Known(8 * size - 1);
        let low = [a, b].map(|v| self.b.ins().swiden_low(v));
        let high = [a, b].map(|v| self.b.ins().swiden_high(v));
        let [low, high] = [low, high].map(|[x, y]| {
            let product = self.b.ins().imul(x, y);
            self.scale(product, amount, 2 * size, true)
        });
        let value = self.halves(low, high, size, 0);
        // Only the square of -1 saturates; it gives 1, whose bits are those of -1.
        let least = self.int(1 << (8 * size - 1));
        let least = self.lanes(least, size);
        let [one, other] = [a, b].map(|v| self.b.ins().icmp(IntCC::Equal, v, least));
        let saturated = self.b.ins().band(one, other);
        (self.b.ins().bxor(value, saturated), saturated)
    }
}
