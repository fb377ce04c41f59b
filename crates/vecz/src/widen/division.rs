//! Divisions of integers, which processors do not have for vectors, by floating-point arithmetic.
//!
//! The truncated quotient is exact, because the floating-point type has more bits of precision, p,
//! than the integers have bits, w. Proof for a >= 0 and b >= 1 below 2^w:
//! * If a / b is no integer, it is at least 1 / b below the next one, more than 2^-w a / b. So a
//!   quotient that is not too small, and too large by less than 2^-w a / b, truncates to the same
//!   integer.
//! * The rounding of a division changes a / b by at most 2^-p a / b, and rounds to no integer on
//!   the other side.
//! * [`Widen::reciprocal`] is larger than 1 / b by 2^(3-p) of it. The product with a has three more
//!   roundings of at most 2^-p. So it is not too small, and too large by less than 2^(4-p) a / b.
//!   `float` has 24 bits for integers of 16, `double` 53 for integers of 32.
//!
//! Truncation is symmetric, so this holds for negative numbers too.

use muxcl_llvm::{Opcode, Type, Value};

use super::{Lanes, Widen};
use crate::shapes::{Shape, elements_of};

/// A divisor in the floating-point type.
enum Divisor<'m> {
    /// The divisor in each lane.
    Number(Value<'m>),
    /// Slightly more than 1 / divisor in each lane.
    Reciprocal(Value<'m>),
}

impl<'m> Widen<'_, 'm, '_> {
    /// True for an integer division that [`Self::division`] handles. LLVM has good code for
    /// constant divisors.
    pub(super) fn divides_by_float(&self, i: Value<'m>) -> bool {
        matches!(i.opcode(), Opcode::UDiv | Opcode::SDiv | Opcode::URem | Opcode::SRem)
            && elements_of(i.ty()).is_some_and(|(element, _)| element.int_width() <= 32)
            && !i.operand(1).is_constant()
    }

    /// Quotients or remainders of all lanes. In lanes outside the mask they may be poison.
    pub(super) fn division(&mut self, i: Value<'m>) -> Lanes<'m> {
        let signed = matches!(i.opcode(), Opcode::SDiv | Opcode::SRem);
        let remainder = matches!(i.opcode(), Opcode::URem | Opcode::SRem);
        let ty = i.ty();
        let Some((element, _)) = elements_of(ty) else { return self.each_lane(i) };
        let cx = self.module.cx();
        let float = if element.int_width() <= 16 { cx.float() } else { cx.double() };
        let (a, b) = (self.lookup(i.operand(0)), self.lookup(i.operand(1)));
        let dividends = self.components(&a, ty);
        let divisors = self.components(&b, ty);
        let shared = if ty.is_vector() { None } else { self.reciprocal(i, (float, signed)) };
        let parts = dividends.into_iter().zip(divisors).map(|(a, b)| {
            let x = self.as_float(a, float, signed);
            let divisor = shared.map_or_else(
                || Divisor::Number(self.as_float(b, float, signed)),
                Divisor::Reciprocal,
            );
            let build = self.b();
            let quotient = match divisor {
                Divisor::Number(y) => build.fdiv(x, y),
                Divisor::Reciprocal(r) => build.fmul(x, r),
            };
            let quotient = if signed {
                build.float_to_signed(quotient, a.ty())
            } else {
                build.float_to_unsigned(quotient, a.ty())
            };
            if remainder { build.sub(a, build.mul(quotient, b)) } else { quotient }
        });
        Lanes::Vector(parts.collect())
    }

    fn as_float(&self, v: Value<'m>, float: Type<'m>, signed: bool) -> Value<'m> {
        let to = if v.ty().is_any_vector() { self.wide(float) } else { float };
        let b = self.b();
        if signed { b.signed_to_float(v, to) } else { b.unsigned_to_float(v, to) }
    }

    /// The reciprocals of the divisors of `i`, slightly too large, if they need few divisions: the
    /// divisor is the same in all lanes, or is in some lanes replaced by a constant.
    fn reciprocal(&mut self, i: Value<'m>, kind: (Type<'m>, bool)) -> Option<Value<'m>> {
        let divisor = i.operand(1);
        let uniform = |w: &Self, v: Value<'m>| w.shapes.of_value(w.graph, v) == Shape::Uniform;
        if uniform(self, divisor) {
            let r = self.scalar_reciprocal(divisor, kind);
            return Some(self.splat(r));
        }
        // The guard against division by zero and overflow: `select(bad, 1, divisor)`. The operands
        // of a `select` in another block may not be kept for this block.
        let here = divisor.is_instruction()
            && divisor.opcode() == Opcode::Select
            && self.graph.block_of(divisor) == self.graph.block_of(i);
        if !here {
            return None;
        }
        let (bad, one, other) = (divisor.operand(0), divisor.operand(1), divisor.operand(2));
        if one.as_u64().is_none_or(|v| v == 0) || !uniform(self, other) {
            return None;
        }
        let bad = {
            let lanes = self.lookup(bad);
            self.components(&lanes, divisor.operand(0).ty())[0]
        };
        let (one, other) = (self.scalar_reciprocal(one, kind), self.scalar_reciprocal(other, kind));
        let b = self.b();
        Some(b.select(bad, self.splat(one), self.splat(other)))
    }

    /// 1 / `divisor`, larger by four times the distance from 1 to the next number.
    fn scalar_reciprocal(
        &mut self,
        divisor: Value<'m>,
        (float, signed): (Type<'m>, bool),
    ) -> Value<'m> {
        let lanes = self.lookup(divisor);
        let v = self.first(&lanes);
        let v = self.as_float(v, float, signed);
        let cx = self.module.cx();
        let b = self.b();
        let constant = |single: f32, double: f64| {
            if float == cx.float() {
                b.bitcast(cx.u32(single.to_bits()), float)
            } else {
                b.bitcast(cx.u64(double.to_bits()), float)
            }
        };
        let more = constant(1.0 + 4.0 * f32::EPSILON, 1.0 + 4.0 * f64::EPSILON);
        b.fmul(b.fdiv(constant(1.0, 1.0), v), more)
    }
}
