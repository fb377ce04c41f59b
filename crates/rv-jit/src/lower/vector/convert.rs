//! Conversions between integers and floating-point numbers.

use super::plan::{CHUNK, Map, Operation};
use crate::lower::Lower;
use crate::lower::float::TO_ZERO;
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{InstBuilder as _, Value, types};
use muxcl_rv_isa::Inst;

/// 2 to the power 52, plus half of that.
const MAGIC: f64 = 6_755_399_441_055_744.0;
/// 2 to the power 51.
const SMALL: f64 = 2_251_799_813_685_248.0;

impl Lower<'_, '_> {
    /// Integers of 64 bits to double precision, rounded once.
    pub(super) fn doubles_from_integers(&mut self, value: Value, signed: bool) -> Value {
        // The upper half becomes the low bits of 2 to the power 84, and the lower one those of 2 to
        // the power 52. A signed upper half is moved by 2 to the power 31 to be positive.
        let splat = |lower: &mut Self, bits: u64| {
            let bits = lower.int(bits);
            lower.b.ins().splat(types::I64X2, bits)
        };
        let upper = self.b.ins().ushr_imm_u(value, 32);
        let exponent = splat(self, 0x4530_0000_0000_0000 | if signed { 1 << 31 } else { 0 });
        let upper = self.b.ins().bxor(upper, exponent);
        let low = splat(self, 0xffff_ffff);
        let lower = self.b.ins().band(value, low);
        let exponent = splat(self, 0x4330_0000_0000_0000);
        let lower = self.b.ins().bor(lower, exponent);
        let moved = if signed { f64::from(1_u32 << 31) * 4_294_967_296.0 } else { 0.0 };
        let both = 2_f64.powi(84) + moved + 2_f64.powi(52);
        let both = self.b.ins().f64const(both);
        let both = self.b.ins().splat(types::F64X2, both);
        let [upper, lower] = [upper, lower].map(|v| self.cast(v, types::F64X2));
        let upper = self.b.ins().fsub(upper, both);
        self.b.ins().fadd(upper, lower)
    }

    /// Integers of 64 bits to single precision, in the low 8 bytes, rounded once.
    pub(super) fn singles_from_integers(&mut self, value: Value, signed: bool) -> Value {
        let ty = types::I64X2;
        let splat = |lower: &mut Self, bits: u64| {
            let bits = lower.int(bits);
            lower.b.ins().splat(ty, bits)
        };
        // A number of more than 53 bits is first rounded to a multiple of 2048 with an odd factor
        // (unless it is one with an even factor), which does not change the second rounding.
        let (low, one) = (splat(self, 2047), splat(self, 2048));
        let part = self.b.ins().band(value, low);
        let zero = splat(self, 0);
        let exact = self.b.ins().icmp(IntCC::Equal, part, zero);
        let odd = self.b.ins().band_not(one, exact);
        let multiple = self.b.ins().band_not(value, low);
        let rounded = self.b.ins().bor(multiple, odd);
        // The bits that are all equal if the number has no more than 53 bits.
        let (moved, bits) = if signed {
            let half = splat(self, 1 << 53);
            (self.b.ins().iadd(value, half), 54)
        } else {
            (value, 53)
        };
        let upper = self.b.ins().ushr_imm_u(moved, bits);
        let short = self.b.ins().icmp(IntCC::Equal, upper, zero);
        let value = self.b.ins().bitselect(short, value, rounded);
        let double = self.doubles_from_integers(value, signed);
        self.b.ins().fvdemote(double)
    }

    /// Single precision to integers of `size` bytes, at most 4. They saturate, and a NaN is the
    /// greatest one.
    pub(super) fn round_to_integers(
        &mut self,
        given: Value,
        size: u64,
        signed: bool,
        dynamic: bool,
    ) -> Value {
        let mode = self.state.rounding;
        let value = if dynamic { self.round(given, mode) } else { given };
        let ints = types::I32X4;
        let number = self.b.ins().fcmp(FloatCC::Ordered, given, given);
        let result = if signed || size < 4 {
            self.b.ins().fcvt_to_sint_sat(ints, value)
        } else {
            self.b.ins().fcvt_to_uint_sat(ints, value)
        };
        let (least, greatest) = match (size, signed) {
            (1, true) => (i64::from(i8::MIN), i64::from(i8::MAX)),
            (1, false) => (0, i64::from(u8::MAX)),
            (2, true) => (i64::from(i16::MIN), i64::from(i16::MAX)),
            (2, false) => (0, i64::from(u16::MAX)),
            (_, true) => (i64::from(i32::MIN), i64::from(i32::MAX)),
            (_, false) => (0, i64::from(u32::MAX)),
        };
        let [least, greatest] = [least, greatest].map(|v| {
            let v = self.b.ins().iconst(types::I32, v & 0xffff_ffff);
            self.b.ins().splat(ints, v)
        });
        let result = if size < 4 {
            let result = self.b.ins().smin(result, greatest);
            self.b.ins().smax(result, least)
        } else {
            result
        };
        let number = self.cast(number, ints);
        self.b.ins().bitselect(number, result, greatest)
    }

    /// A conversion of double precision to integers. The interpreter does it if a number does not
    /// fit in the result, or in 51 bits.
    pub(super) fn doubles_to_integers(&mut self, i: &Inst, map: Map, elements: u64) {
        let Operation::ToInt { size, signed, dynamic } = map.operation else { return };
        let ty = types::I64X2;
        let masked = !i.unmasked;
        let to = self.start_of(i.rd);
        // What both paths need is computed before the branch.
        for chunk in 0..(elements * map.d).div_ceil(CHUNK) {
            self.changed(masked, map.d, chunk);
            self.chunk(to + chunk * CHUNK, types::I8X16);
        }
        let magic = self.b.ins().f64const(MAGIC);
        let magic = self.b.ins().splat(types::F64X2, magic);
        let bits = self.cast(magic, ty);
        let (least, most) = match (size, signed) {
            (4, true) => (f64::from(i32::MIN), f64::from(i32::MAX) + 1.0),
            (4, false) => (0.0, f64::from(u32::MAX) + 1.0),
            (_, true) => (-SMALL, SMALL),
            (_, false) => (0.0, SMALL),
        };
        let [least, most] = [least, most].map(|v| {
            let v = self.b.ins().f64const(v);
            self.b.ins().splat(types::F64X2, v)
        });
        let mut small: Option<Value> = None;
        let mut results = Vec::new();
        for chunk in 0..(elements * 8).div_ceil(CHUNK) {
            let value = self.numbers(i.rs2, map.a, 8, chunk);
            let value = self.cast(value, types::F64X2);
            let mode = if dynamic { self.state.rounding } else { TO_ZERO };
            let whole = self.round(value, mode);
            let above = self.b.ins().fcmp(FloatCC::GreaterThanOrEqual, whole, least);
            let below = self.b.ins().fcmp(FloatCC::LessThan, whole, most);
            let inside = self.b.ins().band(above, below);
            small = Some(small.map_or(inside, |small| self.b.ins().band(small, inside)));
            // The sum has a whole number of up to 51 bits in its low bits.
            let sum = self.b.ins().fadd(whole, magic);
            let sum = self.cast(sum, ty);
            results.push(self.b.ins().isub(sum, bits));
        }
        let Some(small) = small else { return };
        let fine = self.b.ins().vall_true(small);
        self.known.frozen = true;
        self.choose(
            fine,
            None,
            false,
            |lower| {
                let wide = (8 / map.d) as usize;
                for (chunk, parts) in (0..).zip(results.chunks(wide)) {
                    let value = match *parts {
                        [low, high] => lower.halves(low, high, map.d, 0),
                        [value] if wide == 2 => lower.halves(value, value, map.d, 0),
                        [value] => value,
                        _ => continue,
                    };
                    lower.result(masked, to, (map.d, elements), chunk, value);
                }
                None
            },
            |lower| {
                lower.store_vectors();
                lower.call(2);
                lower.reload_chunks(to, elements * map.d);
                None
            },
        );
        self.known.frozen = false;
        self.forget_range(to, elements * map.d);
        self.mark_loaded(to, elements * map.d);
    }
}
