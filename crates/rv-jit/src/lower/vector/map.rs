//! Operations on each element. Invariant: where operands of other sizes overlap the destination,
//! all are read before it is written. Not here: masks as results (`mask.rs`).

use super::file::{floats, integers};
use super::plan::{CHUNK, Extend, Map, Operation, Source};
use crate::lower::Lower;
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{InstBuilder as _, Type, Value, types};
use muxcl_rv_isa::{Format, Inst, Operand};

/// The second operand.
#[derive(Debug, Clone, Copy)]
pub(super) enum Second {
    Register(u8),
    /// A chunk of the same value, for operations of its width.
    All(Value),
    /// The amount of a shift.
    Amount(Value),
}

impl Lower<'_, '_> {
    pub(super) fn map(&mut self, i: &Inst, map: Map, elements: u64) {
        let second = self.second(i, map.b, map.width, map.operation);
        let masked = map.operation != Operation::Merge && !i.unmasked && has_mask(i);
        let to = self.start_of(i.rd);
        let wide = map.width / map.d;
        let results = (elements * map.d).div_ceil(CHUNK);
        // Register groups of one size are either the same or do not overlap, so each chunk can be
        // stored before the next one is computed.
        let apart = [map.a.size, map.b.size, map.width].iter().all(|s| *s == map.d)
            // The mask is read before it is written.
            && !(map.operation == Operation::Merge && i.rd == 0);
        let mut late = Vec::new();
        for result in 0..results {
            let mut parts = Vec::new();
            for part in 0..wide {
                let chunk = result * wide + part;
                // A chunk of narrow results comes from two chunks of wide ones. At the end of the
                // group, the second of them may have no elements.
                if part > 0 && chunk * CHUNK >= elements * map.width {
                    break;
                }
                let value = self.one(i, &map, second, chunk);
                parts.push(value);
            }
            let value = match parts[..] {
                [low, high] => self.pack(low, high, map),
                [low] if wide == 2 => self.pack(low, low, map),
                [value] => value,
                _ => continue,
            };
            if apart {
                self.result(masked, to, (map.d, elements), result, value);
            } else {
                late.push(value);
            }
        }
        for (result, value) in (0..).zip(late) {
            self.result(masked, to, (map.d, elements), result, value);
        }
    }

    /// The second operand of an operation on elements of `width` bytes.
    pub(super) fn second(
        &mut self,
        i: &Inst,
        source: Source,
        width: u64,
        operation: Operation,
    ) -> Second {
        let Some(value) = self.second_scalar(i, source.size) else {
            return Second::Register(i.rs1);
        };
        let ty = self.b.func.dfg.value_type(value);
        if ty.is_float() {
            let value = match source.extend {
                Extend::Promote => self.b.ins().fpromote(types::F64, value),
                _ => value,
            };
            return Second::All(self.b.ins().splat(floats(width), value));
        }
        if matches!(operation, Operation::Shl | Operation::Shr | Operation::Sar) {
            return Second::Amount(value);
        }
        let lane = integers(width).lane_type();
        let narrow = self.narrow(value, integers(source.size).lane_type());
        let value = if source.size == width {
            narrow
        } else if source.extend == Extend::Sign {
            self.b.ins().sextend(lane, narrow)
        } else {
            self.b.ins().uextend(lane, narrow)
        };
        Second::All(self.b.ins().splat(integers(width), value))
    }

    /// The chunk with this number of a register group, its elements extended to `width` bytes.
    pub(super) fn extended(
        &mut self,
        register: u8,
        source: Source,
        width: u64,
        chunk: u64,
    ) -> Value {
        let factor = width / source.size;
        let at = self.start_of(register) + chunk * CHUNK / factor;
        if factor == 1 {
            return self.chunk(at, integers(width));
        }
        // 16 bytes are loaded. The elements to extend are the first ones of them.
        let mut value = self.chunk(at, integers(source.size));
        if source.extend == Extend::Promote {
            let low = self.cast(value, types::F32X4);
            let wide = self.b.ins().fvpromote_low(low);
            return self.cast(wide, types::I64X2);
        }
        let mut size = source.size;
        while size < width {
            value = self.cast(value, integers(size));
            value = if source.extend == Extend::Sign {
                self.b.ins().swiden_low(value)
            } else {
                self.b.ins().uwiden_low(value)
            };
            size *= 2;
        }
        value
    }

    /// The result for one chunk of elements of the operation's width.
    fn one(&mut self, i: &Inst, map: &Map, second: Second, chunk: u64) -> Value {
        let width = map.width;
        let ty = integers(width);
        let number = matches!(map.operation, Operation::Number | Operation::Second);
        let has_first = i.op.row().format.operands().contains(&Operand::V2);
        let a = (has_first && !number).then(|| self.extended(i.rs2, map.a, width, chunk));
        let uses_second = i.op.row().format.operands().contains(&Operand::V1);
        let b = match second {
            Second::Register(register) if uses_second => {
                Some(self.extended(register, map.b, width, chunk))
            }
            Second::All(value) | Second::Amount(value) => Some(value),
            Second::Register(_) => None,
        };
        match (map.operation, a, b) {
            (Operation::Number, ..) => {
                let lanes = CHUNK / width;
                let value = self.constant(|k| {
                    let number = chunk * lanes + k / width;
                    number.to_le_bytes()[(k % width) as usize]
                });
                self.cast(value, ty)
            }
            (Operation::Second, _, Some(b)) => b,
            (Operation::Merge, Some(a), Some(b)) => {
                let active = self.active(width, chunk);
                let [a, b] = [a, b].map(|v| self.cast(v, types::I8X16));
                self.b.ins().bitselect(active, b, a)
            }
            (Operation::Shl | Operation::Shr | Operation::Sar, Some(a), Some(b)) => {
                if let Second::Amount(_) = second {
                    self.shift(map.operation, a, b, ty)
                } else {
                    self.each_lane(ty, |lower, k| {
                        let [a, b] = [a, b].map(|v| {
                            let v = lower.cast(v, ty);
                            lower.b.ins().extractlane(v, k)
                        });
                        lower.shift(map.operation, a, b, ty.lane_type())
                    })
                }
            }
            (operation, Some(a), b) => {
                let d = |lower: &mut Self| {
                    let at = lower.start_of(i.rd) + chunk * CHUNK;
                    lower.chunk(at, ty)
                };
                self.operate(operation, width, a, b.unwrap_or(a), d)
            }
            (_, None, _) => self.chunk(0, ty),
        }
    }

    fn shift(&mut self, operation: Operation, a: Value, by: Value, ty: Type) -> Value {
        let a = self.cast(a, ty);
        match operation {
            Operation::Shl => self.b.ins().ishl(a, by),
            Operation::Shr => self.b.ins().ushr(a, by),
            _ => self.b.ins().sshr(a, by),
        }
    }

    /// A chunk of the given lanes.
    fn each_lane(&mut self, ty: Type, mut lane: impl FnMut(&mut Self, u8) -> Value) -> Value {
        let first = lane(self, 0);
        let mut all = self.first_lane(ty, first);
        for k in 1..ty.lane_count() as u8 {
            let value = lane(self, k);
            all = self.b.ins().insertlane(all, value, k);
        }
        all
    }

    /// A chunk with this first lane; the others are not defined.
    pub(super) fn first_lane(&mut self, ty: Type, value: Value) -> Value {
        if ty.lane_bits() < 32 {
            self.b.ins().splat(ty, value)
        } else {
            self.b.ins().scalar_to_vector(ty, value)
        }
    }

    /// The result of an operation for a chunk of each operand.
    pub(super) fn operate(
        &mut self,
        operation: Operation,
        width: u64,
        a: Value,
        b: Value,
        d: impl FnOnce(&mut Self) -> Value,
    ) -> Value {
        if operation.is_float() || matches!(operation, Operation::Sign { .. }) {
            return self.operate_floats(operation, width, a, b, d);
        }
        let ty = integers(width);
        let [a, b] = [a, b].map(|v| self.cast(v, ty));
        match operation {
            Operation::Add => self.b.ins().iadd(a, b),
            Operation::Sub => self.b.ins().isub(a, b),
            Operation::SubFrom => self.b.ins().isub(b, a),
            Operation::And => self.b.ins().band(a, b),
            Operation::Or => self.b.ins().bor(a, b),
            Operation::Xor => self.b.ins().bxor(a, b),
            Operation::Mul => self.multiply(a, b, width),
            Operation::MulHigh(sa, sb) => self.multiply_high(a, b, width, (sa, sb)),
            Operation::MulAdd { accumulate, negate } => {
                let d = d(self);
                let (x, addend) = if accumulate { (a, d) } else { (d, a) };
                let product = self.multiply(x, b, width);
                if negate {
                    self.b.ins().isub(addend, product)
                } else {
                    self.b.ins().iadd(addend, product)
                }
            }
            Operation::Min | Operation::Max | Operation::MinUnsigned | Operation::MaxUnsigned => {
                self.extreme(operation, a, b, ty)
            }
            _ => a,
        }
    }

    fn extreme(&mut self, operation: Operation, a: Value, b: Value, ty: Type) -> Value {
        if ty == types::I64X2 {
            let code = match operation {
                Operation::Min => IntCC::SignedLessThan,
                Operation::Max => IntCC::SignedGreaterThan,
                Operation::MinUnsigned => IntCC::UnsignedLessThan,
                _ => IntCC::UnsignedGreaterThan,
            };
            let first = self.compare_integers(code, a, b, 8);
            return self.b.ins().bitselect(first, a, b);
        }
        match operation {
            Operation::Min => self.b.ins().smin(a, b),
            Operation::Max => self.b.ins().smax(a, b),
            Operation::MinUnsigned => self.b.ins().umin(a, b),
            _ => self.b.ins().umax(a, b),
        }
    }

    /// Lanes of ones where a comparison holds.
    pub(super) fn compare_integers(
        &mut self,
        code: IntCC,
        mut a: Value,
        mut b: Value,
        size: u64,
    ) -> Value {
        let ty = integers(size);
        let unsigned = code.unsigned() == code && !matches!(code, IntCC::Equal | IntCC::NotEqual);
        if unsigned && size == 8 {
            // The host compares signed numbers of this size only.
            let flip = self.int(1 << 63);
            let flip = self.b.ins().splat(ty, flip);
            (a, b) = (self.b.ins().bxor(a, flip), self.b.ins().bxor(b, flip));
            let signed = match code {
                IntCC::UnsignedLessThan => IntCC::SignedLessThan,
                IntCC::UnsignedLessThanOrEqual => IntCC::SignedLessThanOrEqual,
                IntCC::UnsignedGreaterThan => IntCC::SignedGreaterThan,
                _ => IntCC::SignedGreaterThanOrEqual,
            };
            return self.b.ins().icmp(signed, a, b);
        }
        self.b.ins().icmp(code, a, b)
    }

    fn multiply(&mut self, a: Value, b: Value, width: u64) -> Value {
        if width > 1 {
            return self.b.ins().imul(a, b);
        }
        // The host multiplies no bytes.
        let low = [a, b].map(|v| self.b.ins().uwiden_low(v));
        let high = [a, b].map(|v| self.b.ins().uwiden_high(v));
        let low = self.b.ins().imul(low[0], low[1]);
        let high = self.b.ins().imul(high[0], high[1]);
        self.halves(low, high, 1, 0)
    }

    fn multiply_high(&mut self, a: Value, b: Value, width: u64, signed: (bool, bool)) -> Value {
        let ty = integers(width);
        if width == 8 {
            return self.each_lane(ty, |lower, k| {
                let [x, y] = [a, b].map(|v| lower.b.ins().extractlane(v, k));
                match signed {
                    (false, false) => lower.b.ins().umulhi(x, y),
                    (true, true) => lower.b.ins().smulhi(x, y),
                    _ => {
                        // The unsigned product, less `y` if `x` is negative.
                        let high = lower.b.ins().umulhi(x, y);
                        let negative = lower.b.ins().sshr_imm_u(x, 63);
                        let less = lower.b.ins().band(negative, y);
                        lower.b.ins().isub(high, less)
                    }
                }
            });
        }
        let mut products = Vec::new();
        for high in [false, true] {
            let [x, y] = [(a, signed.0), (b, signed.1)].map(|(v, signed)| match (high, signed) {
                (false, false) => self.b.ins().uwiden_low(v),
                (false, true) => self.b.ins().swiden_low(v),
                (true, false) => self.b.ins().uwiden_high(v),
                (true, true) => self.b.ins().swiden_high(v),
            });
            products.push(self.b.ins().imul(x, y));
        }
        self.halves(products[0], products[1], width, width)
    }

    /// Two chunks of elements of `2 * size` bytes become one of elements of `size` bytes: those
    /// that begin at byte `from` of each element.
    fn halves(&mut self, low: Value, high: Value, size: u64, from: u64) -> Value {
        let order = |k| (k / size * 2 * size + from + k % size) as u8;
        let value = self.shuffle(low, high, order);
        self.cast(value, integers(size))
    }

    /// A chunk of results that are the low halves of those of the operation.
    fn pack(&mut self, low: Value, high: Value, map: Map) -> Value {
        // `fvdemote` leaves its two results side by side in the low 8 bytes.
        let size = if map.operation == Operation::Demote { 8 } else { map.d };
        self.halves(low, high, size, 0)
    }

    fn operate_floats(
        &mut self,
        operation: Operation,
        width: u64,
        a: Value,
        b: Value,
        d: impl FnOnce(&mut Self) -> Value,
    ) -> Value {
        let ty = floats(width);
        match operation {
            Operation::Sign { opposite, combine } => {
                let ints = integers(width);
                let [a, mut b] = [a, b].map(|v| self.cast(v, ints));
                let sign = self.constant(|k| if (k + 1) % width == 0 { 0x80 } else { 0 });
                let sign = self.cast(sign, ints);
                if combine {
                    let sign = self.b.ins().band(b, sign);
                    return self.b.ins().bxor(a, sign);
                }
                if opposite {
                    b = self.b.ins().bxor(b, sign);
                }
                return self.b.ins().bitselect(sign, b, a);
            }
            Operation::ToInt { size, signed, nearest } => {
                let a = self.cast(a, ty);
                return self.round_to_integers(a, width, size, signed, nearest);
            }
            Operation::FromInt { signed } => {
                let a = self.cast(a, integers(width));
                return match (width, signed) {
                    (8, false) => self.each_lane(ty, |lower, k| {
                        let lane = lower.b.ins().extractlane(a, k);
                        lower.b.ins().fcvt_from_uint(types::F64, lane)
                    }),
                    (8, true) => self.each_lane(ty, |lower, k| {
                        let lane = lower.b.ins().extractlane(a, k);
                        lower.b.ins().fcvt_from_sint(types::F64, lane)
                    }),
                    (_, false) => self.b.ins().fcvt_from_uint(ty, a),
                    (_, true) => self.b.ins().fcvt_from_sint(ty, a),
                };
            }
            _ => {}
        }
        let [a, b] = [a, b].map(|v| self.cast(v, ty));
        let result = match operation {
            Operation::FAdd => self.b.ins().fadd(a, b),
            Operation::FSub => self.b.ins().fsub(a, b),
            Operation::FSubFrom => self.b.ins().fsub(b, a),
            Operation::FMul => self.b.ins().fmul(a, b),
            Operation::FDiv => self.b.ins().fdiv(a, b),
            Operation::FDivFrom => self.b.ins().fdiv(b, a),
            Operation::FSqrt => self.b.ins().sqrt(a),
            Operation::FMin | Operation::FMax => {
                self.float_extreme(operation == Operation::FMin, a, b, width)
            }
            Operation::Fused { accumulate, product, addend } => {
                let d = d(self);
                let d = self.cast(d, ty);
                let (mut x, mut z) = if accumulate { (a, d) } else { (d, a) };
                if product {
                    x = self.b.ins().fneg(x);
                }
                if addend {
                    z = self.b.ins().fneg(z);
                }
                self.b.ins().fma(x, b, z)
            }
            Operation::Demote => {
                let narrow = self.b.ins().fvdemote(a);
                return self.canonical_lanes(narrow, types::F32X4);
            }
            _ => a,
        };
        self.canonical_lanes(result, ty)
    }

    /// `fmin` and `fmax`: -0 is less than +0, and a NaN is not chosen if there is a number.
    pub(super) fn float_extreme(&mut self, least: bool, a: Value, b: Value, width: u64) -> Value {
        let (ty, ints) = (floats(width), integers(width));
        let [x, y] = [a, b].map(|v| self.cast(v, ints));
        let (tie, first) = if least {
            (self.b.ins().bor(x, y), FloatCC::LessThan)
        } else {
            (self.b.ins().band(x, y), FloatCC::GreaterThan)
        };
        // Each line overrides the ones before it: the smaller or greater number, then the operand
        // that is no NaN.
        let mut value = tie;
        for (lanes, chosen) in [
            (self.b.ins().fcmp(first, b, a), y),
            (self.b.ins().fcmp(first, a, b), x),
            (self.b.ins().fcmp(FloatCC::Unordered, a, a), y),
            (self.b.ins().fcmp(FloatCC::Unordered, b, b), x),
        ] {
            value = self.b.ins().bitselect(lanes, chosen, value);
        }
        self.cast(value, ty)
    }

    /// RISC-V's NaN where a lane is a NaN.
    pub(super) fn canonical_lanes(&mut self, value: Value, ty: Type) -> Value {
        let nan = self.nan(ty.lane_type());
        let nan = self.b.ins().splat(ty, nan);
        let number = self.b.ins().fcmp(FloatCC::Ordered, value, value);
        let number = self.cast(number, ty);
        self.b.ins().bitselect(number, value, nan)
    }

    /// Integers of `size` bytes in lanes of `width`, which saturate; a NaN is the greatest one.
    fn round_to_integers(
        &mut self,
        given: Value,
        width: u64,
        size: u64,
        signed: bool,
        nearest: bool,
    ) -> Value {
        let value = if nearest { self.b.ins().nearest(given) } else { given };
        if width == 8 {
            let to = integers(size).lane_type();
            let greatest = match (size, signed) {
                (4, true) => i64::from(i32::MAX),
                (4, false) => i64::from(u32::MAX),
                (_, true) => i64::MAX,
                (_, false) => -1,
            };
            let greatest = self.b.ins().iconst(to, greatest);
            return self.each_lane(types::I64X2, |lower, k| {
                let lane = lower.b.ins().extractlane(value, k);
                let result = if signed {
                    lower.b.ins().fcvt_to_sint_sat(to, lane)
                } else {
                    lower.b.ins().fcvt_to_uint_sat(to, lane)
                };
                let number = lower.b.ins().fcmp(FloatCC::Ordered, lane, lane);
                let result = lower.b.ins().select(number, result, greatest);
                if size == 8 { result } else { lower.b.ins().uextend(types::I64, result) }
            });
        }
        let ints = types::I32X4;
        let number = self.b.ins().fcmp(FloatCC::Ordered, given, given);
        let result = if signed || size == 2 {
            self.b.ins().fcvt_to_sint_sat(ints, value)
        } else {
            self.b.ins().fcvt_to_uint_sat(ints, value)
        };
        let (least, greatest) = match (size, signed) {
            (2, true) => (i64::from(i16::MIN), i64::from(i16::MAX)),
            (2, false) => (0, i64::from(u16::MAX)),
            (_, true) => (i64::from(i32::MIN), i64::from(i32::MAX)),
            (_, false) => (0, i64::from(u32::MAX)),
        };
        let [least, greatest] = [least, greatest].map(|v| {
            let v = self.b.ins().iconst(types::I32, v & 0xffff_ffff);
            self.b.ins().splat(ints, v)
        });
        let result = if size == 2 {
            let result = self.b.ins().smin(result, greatest);
            self.b.ins().smax(result, least)
        } else {
            result
        };
        let number = self.cast(number, ints);
        self.b.ins().bitselect(number, result, greatest)
    }
}

/// Whether an instruction can have a mask.
fn has_mask(i: &Inst) -> bool {
    i.op.row().format.operands().contains(&Operand::VMask)
        && !matches!(i.op.row().format, Format::VMvV | Format::VMvX | Format::VMvI)
}
