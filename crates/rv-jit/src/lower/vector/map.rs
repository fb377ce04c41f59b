//! Operations on each element. Invariant: where operands of other sizes overlap the destination,
//! all are read before it is written. Not here: masks as results (`mask.rs`).

use super::file::{floats, integers};
use super::plan::{CHUNK, Extend, Map, Operation, Source, promote};
use crate::host::{HART, offset};
use crate::lower::Lower;
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{
    InstBuilder as _, InstructionData, Opcode, Type, Value, ValueDef, types,
};
use muxcl_rv_isa::{Format, Inst, Operand};
use muxcl_rv_sim::native::Offsets;

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
        if matches!(map.operation, Operation::ToInt { .. }) && map.width == 8 {
            return self.doubles_to_integers(i, map, elements);
        }
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
            let (mut parts, mut nans) = (Vec::new(), false);
            for part in 0..wide {
                let chunk = result * wide + part;
                // A chunk of narrow results comes from two chunks of wide ones. At the end of the
                // group, the second of them may have no elements.
                if part > 0 && chunk * CHUNK >= elements * map.width {
                    break;
                }
                let (value, has_nans) = self.one(i, &map, second, (chunk, elements));
                parts.push(value);
                nans |= has_nans;
            }
            let value = match parts[..] {
                [low, high] => self.pack(low, high, map),
                [low] if wide == 2 => self.pack(low, low, map),
                [value] => value,
                _ => continue,
            };
            let nans = nans.then(|| floats(map.d));
            if apart {
                self.result_with(nans, masked, to, (map.d, elements), result, value);
            } else {
                late.push((value, nans));
            }
        }
        for (result, (value, nans)) in (0..).zip(late) {
            self.result_with(nans, masked, to, (map.d, elements), result, value);
        }
        if let Some(saturated) = self.known.saturated.take() {
            let any = self.b.ins().vany_true(saturated);
            let at = offset(Offsets::VXSAT);
            let before = self.b.ins().load(types::I8, HART, self.hart, at);
            let after = self.b.ins().bor(before, any);
            self.b.ins().store(HART, after, self.hart, at);
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
        if operation.shifts() {
            return Second::Amount(value);
        }
        if source.extend == Extend::Promote {
            let all = self.b.ins().splat(types::I16X8, value);
            let [wide, _] = self.singles_of_halves(all);
            return Second::All(wide);
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
        if source == promote(2) {
            let halves = self.part(at, types::I16X8);
            let [wide, _] = self.singles_of_halves(halves);
            return self.cast(wide, types::I32X4);
        }
        if source.extend == Extend::Promote {
            let value = self.number_part(at, types::F32X4);
            let low = self.cast(value, types::F32X4);
            let wide = self.b.ins().fvpromote_low(low);
            return self.cast(wide, types::I64X2);
        }
        // The elements to extend are the first ones of these bytes.
        let mut value = self.part(at, integers(source.size));
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

    /// A chunk of floating-point numbers for an operation to which all NaNs are the same, extended
    /// to `width` bytes. It may have NaNs of the host's.
    pub(super) fn numbers(
        &mut self,
        register: u8,
        source: Source,
        width: u64,
        chunk: u64,
    ) -> Value {
        if source.size == width && width >= 4 {
            let at = self.start_of(register) + chunk * CHUNK;
            return self.number_chunk(at, floats(width)).0;
        }
        self.extended(register, source, width, chunk)
    }

    /// The result for one chunk of elements of the operation's width, and whether it may have NaNs
    /// of the host's.
    fn one(
        &mut self,
        i: &Inst,
        map: &Map,
        second: Second,
        (chunk, elements): (u64, u64),
    ) -> (Value, bool) {
        let mut nans = map.operation.makes_nans() && map.d >= 4;
        if map.operation == Operation::Merge && map.width >= 4 {
            let ty = floats(map.width);
            let at = |lower: &Self, register| lower.start_of(register) + chunk * CHUNK;
            let (a, b_at) = (at(self, i.rs2), at(self, i.rs1));
            let (a, a_nans) = self.number_chunk(a, ty);
            let (b, b_nans) = match second {
                Second::Register(_) => self.number_chunk(b_at, ty),
                Second::All(value) | Second::Amount(value) => (value, false),
            };
            nans = a_nans || b_nans;
            let active = self.active(map.width, chunk);
            return (self.blend(active, b, a), nans);
        }
        (self.one_without_nans(i, map, second, (chunk, elements)), nans)
    }

    fn one_without_nans(
        &mut self,
        i: &Inst,
        map: &Map,
        second: Second,
        (chunk, elements): (u64, u64),
    ) -> Value {
        let width = map.width;
        let ty = integers(width);
        let source = |lower: &mut Self, register, source| {
            if map.operation.accepts_nans() {
                lower.numbers(register, source, width, chunk)
            } else {
                lower.extended(register, source, width, chunk)
            }
        };
        let number = matches!(map.operation, Operation::Number | Operation::Second);
        let has_first = i.op.row().format.operands().contains(&Operand::V2);
        let a = (has_first && !number).then(|| source(self, i.rs2, map.a));
        let uses_second = i.op.row().format.operands().contains(&Operand::V1);
        let b = match second {
            Second::Register(register) if uses_second => Some(source(self, register, map.b)),
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
                self.blend(active, b, a)
            }
            (Operation::Shl | Operation::Shr | Operation::Sar, Some(a), _)
                if i.op.row().format == Format::VVU && i.imm == 0 =>
            {
                a
            }
            (Operation::Shl | Operation::Shr | Operation::Sar, Some(a), Some(b)) => {
                if let Second::Amount(_) = second {
                    self.shift(map.operation, a, b, ty)
                } else {
                    self.each_lane(ty, |lower, k| {
                        let [a, b] = [a, b].map(|v| {
                            let v = lower.cast(v, ty);
                            lower.lane(v, k)
                        });
                        lower.shift(map.operation, a, b, ty.lane_type())
                    })
                }
            }
            (Operation::Divide(op), Some(a), Some(b)) => {
                let [a, b] = [a, b].map(|v| self.cast(v, ty));
                if width < 4 {
                    return self.divide_short(op, a, b, width);
                }
                self.each_lane(ty, |lower, k| {
                    let [a, b] = [a, b].map(|v| lower.lane(v, k));
                    lower.divide(op, a, b, ty.lane_type())
                })
            }
            (Operation::Saturate { signed, subtract }, Some(a), Some(b)) => {
                let (value, saturated) = self.saturate(a, b, width, signed, subtract);
                self.note_saturated(i, saturated, width, chunk, elements);
                value
            }
            (Operation::Average { signed, subtract }, Some(a), Some(b)) => {
                self.average(a, b, width, signed, subtract)
            }
            (Operation::Scale { signed }, Some(a), Some(b)) => {
                let amount = self.amount(i, b, width);
                self.scale(a, amount, width, signed)
            }
            (Operation::Clip { signed }, Some(a), Some(b)) => {
                let amount = self.amount(i, b, width);
                let (value, saturated) = self.clip(a, amount, width, signed);
                self.note_saturated(i, saturated, width, chunk, elements);
                value
            }
            (Operation::Fraction, Some(a), Some(b)) => {
                let (value, saturated) = self.multiply_fractions(a, b, width);
                self.note_saturated(i, saturated, width, chunk, elements);
                value
            }
            (Operation::AddCarry, Some(a), Some(b)) => {
                let active = self.active(width, chunk);
                let sum = self.b.ins().iadd(a, b);
                // Active lanes are -1.
                self.b.ins().isub(sum, active)
            }
            (Operation::SubBorrow, Some(a), Some(b)) => {
                let active = self.active(width, chunk);
                let difference = self.b.ins().isub(a, b);
                self.b.ins().iadd(difference, active)
            }
            (operation, Some(a), b) => {
                let d = |lower: &mut Self| {
                    let at = lower.start_of(i.rd) + chunk * CHUNK;
                    if map.operation.accepts_nans() && width >= 4 {
                        lower.number_chunk(at, floats(width)).0
                    } else {
                        lower.chunk(at, ty)
                    }
                };
                self.operate(operation, width, a, b.unwrap_or(a), d)
            }
            (_, None, _) => self.chunk(0, ty),
        }
    }

    /// An element of a chunk.
    fn lane(&mut self, value: Value, lane: u8) -> Value {
        let dfg = &self.b.func.dfg;
        if let ValueDef::Result(inst, _) = dfg.value_def(value)
            && let InstructionData::Unary { opcode: Opcode::Splat, arg } = dfg.insts[inst]
        {
            return arg;
        }
        self.b.ins().extractlane(value, lane)
    }

    /// A sum or difference that saturates, and the lanes in which it does.
    fn saturate(
        &mut self,
        a: Value,
        b: Value,
        size: u64,
        signed: bool,
        subtract: bool,
    ) -> (Value, Value) {
        let ty = integers(size);
        let [a, b] = [a, b].map(|v| self.cast(v, ty));
        let value = if subtract { self.b.ins().isub(a, b) } else { self.b.ins().iadd(a, b) };
        if !signed {
            let (one, other) = if subtract { (a, b) } else { (value, a) };
            let out = self.compare_integers(IntCC::UnsignedLessThan, one, other, size);
            let result = if subtract {
                self.b.ins().band_not(value, out)
            } else {
                self.b.ins().bor(value, out)
            };
            return (result, out);
        }
        // A sum overflows if its sign is not that of both operands; a difference if its sign is not
        // that of `a`, and the signs of the operands differ.
        let [from_a, from_b] = [a, b].map(|v| self.b.ins().bxor(value, v));
        let signs = if subtract { self.b.ins().bxor(a, b) } else { from_b };
        let overflow = self.b.ins().band(from_a, signs);
        let zero = self.constant(|_| 0);
        let zero = self.cast(zero, ty);
        let out = self.b.ins().icmp(IntCC::SignedLessThan, overflow, zero);
        let negative = self.b.ins().icmp(IntCC::SignedLessThan, a, zero);
        let most = self.constant(|k| if (k + 1).is_multiple_of(size) { 0x7f } else { 0xff });
        let most = self.cast(most, ty);
        let limit = self.b.ins().bxor(negative, most);
        (self.blend(out, limit, value), out)
    }

    /// Notes the lanes of a chunk in which an active element has saturated.
    fn note_saturated(&mut self, i: &Inst, lanes: Value, size: u64, chunk: u64, elements: u64) {
        let mut lanes = lanes;
        if let Some(changed) = self.changed(!i.unmasked, size, chunk) {
            let changed = self.cast(changed, integers(size));
            lanes = self.b.ins().band(lanes, changed);
        }
        lanes = self.cast(lanes, types::I8X16);
        let inside = elements * size - chunk * CHUNK;
        if inside < CHUNK {
            let kept = self.constant(|k| if k < inside { 0xff } else { 0 });
            lanes = self.b.ins().band(lanes, kept);
        }
        self.known.saturated = Some(match self.known.saturated {
            None => lanes,
            Some(all) => self.b.ins().bor(all, lanes),
        });
    }

    pub(super) fn shift(&mut self, operation: Operation, a: Value, by: Value, ty: Type) -> Value {
        let a = self.cast(a, ty);
        match operation {
            Operation::Shl => self.b.ins().ishl(a, by),
            Operation::Shr => self.b.ins().ushr(a, by),
            _ => self.b.ins().sshr(a, by),
        }
    }

    /// A chunk of the given lanes.
    pub(super) fn each_lane(
        &mut self,
        ty: Type,
        mut lane: impl FnMut(&mut Self, u8) -> Value,
    ) -> Value {
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
    pub(in crate::lower) fn operate(
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

    pub(super) fn extreme(&mut self, operation: Operation, a: Value, b: Value, ty: Type) -> Value {
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
                let [x, y] = [a, b].map(|v| lower.lane(v, k));
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
    pub(super) fn halves(&mut self, low: Value, high: Value, size: u64, from: u64) -> Value {
        let order = |k| (k / size * 2 * size + from + k % size) as u8;
        let value = self.shuffle(low, high, order);
        self.cast(value, integers(size))
    }

    /// A chunk of results that are the low halves of those of the operation.
    fn pack(&mut self, low: Value, high: Value, map: Map) -> Value {
        let to_integers = matches!(map.operation, Operation::ToInt { .. });
        if map.operation.is_float() && !to_integers && map.d == 2 {
            return self.halves_of_singles([low, high]);
        }
        // These leave their two results side by side in the low 8 bytes.
        let single = matches!(map.operation, Operation::SingleFromInt { .. });
        let size = if single || map.operation == Operation::Demote { 8 } else { map.d };
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
        if width == 2 && operation.is_float() {
            return self.operate_halves(operation, a, b, d);
        }
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
            Operation::ToInt { size, signed, dynamic } => {
                let a = self.cast(a, ty);
                return self.round_to_integers(a, size, signed, dynamic);
            }
            Operation::FromInt { signed } => {
                let a = self.cast(a, integers(width));
                return match (width, signed) {
                    (8, _) => self.doubles_from_integers(a, signed),
                    (_, false) => self.b.ins().fcvt_from_uint(ty, a),
                    (_, true) => self.b.ins().fcvt_from_sint(ty, a),
                };
            }
            Operation::SingleFromInt { signed } => {
                let a = self.cast(a, integers(width));
                return self.singles_from_integers(a, signed);
            }
            _ => {}
        }
        let [a, b] = [a, b].map(|v| self.cast(v, ty));
        match operation {
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
            Operation::Demote if width == 8 => self.b.ins().fvdemote(a),
            _ => a,
        }
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
}

/// Whether an instruction can have a mask.
fn has_mask(i: &Inst) -> bool {
    i.op.row().format.operands().contains(&Operand::VMask)
        && !matches!(i.op.row().format, Format::VMvV | Format::VMvX | Format::VMvI)
}
