//! Arithmetic on chunks of half-precision numbers, by the functions of [`crate::halves`]. A chunk
//! has type `i16x8`, and its NaNs are RISC-V's. Not here: which instructions have a plan.

use super::plan::{CHUNK, Operation};
use crate::halves::{Piece, RESULT};
use crate::lower::Lower;
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{self, InstBuilder as _, StackSlotData, StackSlotKind, Value, types};

/// Binary logarithm of a result's alignment.
const ALIGNMENT: u8 = 4;
/// RISC-V's NaN.
const NAN: i64 = 0x7e00;
const INFINITY: i64 = 0x7c00;
const MAGNITUDE: i64 = 0x7fff;

impl Lower<'_, '_> {
    /// Calls a function of [`crate::halves`], and gives the address of its result.
    fn piece<const N: usize>(&mut self, piece: Piece, arguments: [Value; N]) -> ir::StackSlot {
        let slot = match self.half_result {
            Some(slot) => slot,
            None => {
                let data = StackSlotData::new(StackSlotKind::ExplicitSlot, RESULT, ALIGNMENT);
                *self.half_result.insert(self.b.create_sized_stack_slot(data))
            }
        };
        let result = self.b.ins().stack_addr(types::I64, slot, 0);
        let chunks = arguments.map(|v| self.cast(v, types::I16X8));
        let arguments: Vec<Value> = std::iter::once(result).chain(chunks).collect();
        let signature = self.b.import_signature(piece.signature());
        // Plans with halves exist only if the processor has the functions.
        let address = self.int(piece.address().unwrap_or_default() as u64);
        self.b.ins().call_indirect(signature, address, &arguments);
        slot
    }

    /// The halves that a function of [`crate::halves`] computes.
    fn computed<const N: usize>(&mut self, piece: Piece, arguments: [Value; N]) -> Value {
        let slot = self.piece(piece, arguments);
        self.b.ins().stack_load(types::I64, types::I16X8, slot, 0)
    }

    /// The singles of the first four halves of a chunk, and of the last four. Their NaNs are the
    /// host's.
    pub(in crate::lower) fn singles_of_halves(&mut self, value: Value) -> [Value; 2] {
        let slot = self.piece(Piece::Widen, [value]);
        [0, CHUNK as i32].map(|at| self.b.ins().stack_load(types::I64, types::F32X4, slot, at))
    }

    /// Two chunks of singles rounded to halves.
    pub(in crate::lower) fn halves_of_singles(&mut self, values: [Value; 2]) -> Value {
        self.computed(Piece::Narrow, values)
    }

    fn half_constant(&mut self, bits: i64) -> Value {
        let value = self.b.ins().iconst(types::I16, bits);
        self.b.ins().splat(types::I16X8, value)
    }

    /// With the opposite sign.
    fn negated_halves(&mut self, value: Value) -> Value {
        let sign = self.half_constant(MAGNITUDE + 1);
        self.b.ins().bxor(value, sign)
    }

    /// The result of an operation on halves, or between halves and integers of their size or half
    /// of it.
    pub(super) fn operate_halves(
        &mut self,
        operation: Operation,
        a: Value,
        b: Value,
        d: impl FnOnce(&mut Self) -> Value,
    ) -> Value {
        let [a, b] = [a, b].map(|v| self.cast(v, types::I16X8));
        match operation {
            Operation::FAdd => self.computed(Piece::Add, [a, b]),
            Operation::FSub => {
                let b = self.negated_halves(b);
                self.computed(Piece::Add, [a, b])
            }
            Operation::FSubFrom => {
                let a = self.negated_halves(a);
                self.computed(Piece::Add, [b, a])
            }
            Operation::FMul => self.computed(Piece::Mul, [a, b]),
            Operation::FDiv => self.computed(Piece::Div, [a, b]),
            Operation::FDivFrom => self.computed(Piece::Div, [b, a]),
            Operation::FSqrt => self.computed(Piece::Sqrt, [a]),
            Operation::Fused { accumulate, product, addend } => {
                let d = d(self);
                let d = self.cast(d, types::I16X8);
                let (mut x, mut z) = if accumulate { (a, d) } else { (d, a) };
                if product {
                    x = self.negated_halves(x);
                }
                if addend {
                    z = self.negated_halves(z);
                }
                self.computed(Piece::Fused, [x, b, z])
            }
            Operation::FMin | Operation::FMax => {
                self.half_extreme(operation == Operation::FMin, a, b)
            }
            Operation::ToInt { size, signed, dynamic } => {
                let [low, high] = self
                    .singles_of_halves(a)
                    .map(|v| self.round_to_integers(v, size, signed, dynamic));
                self.halves(low, high, 2, 0)
            }
            Operation::FromInt { signed } => {
                let [low, high] = if signed {
                    [self.b.ins().swiden_low(a), self.b.ins().swiden_high(a)]
                } else {
                    [self.b.ins().uwiden_low(a), self.b.ins().uwiden_high(a)]
                };
                let singles = [low, high].map(|v| self.b.ins().fcvt_from_sint(types::F32X4, v));
                self.halves_of_singles(singles)
            }
            _ => a,
        }
    }

    /// `fmin` and `fmax`: -0 is less than +0, and a NaN is not chosen if there is a number.
    fn half_extreme(&mut self, least: bool, a: Value, b: Value) -> Value {
        let [magnitude, infinity, nan] =
            [MAGNITUDE, INFINITY, NAN].map(|bits| self.half_constant(bits));
        // As integers, negative numbers are in the opposite order.
        let ordered = |lower: &mut Self, value: Value| {
            let negative = lower.b.ins().sshr_imm_u(value, 15);
            let flip = lower.b.ins().band(negative, magnitude);
            lower.b.ins().bxor(value, flip)
        };
        let [x, y] = [a, b].map(|v| ordered(self, v));
        let chosen = if least { self.b.ins().smin(x, y) } else { self.b.ins().smax(x, y) };
        let chosen = ordered(self, chosen);
        let [a_nan, b_nan] = [a, b].map(|v| {
            let bits = self.b.ins().band(v, magnitude);
            self.b.ins().icmp(IntCC::SignedGreaterThan, bits, infinity)
        });
        let value = self.b.ins().bitselect(a_nan, b, chosen);
        let other = self.b.ins().bitselect(a_nan, nan, a);
        self.b.ins().bitselect(b_nan, other, value)
    }

    /// Lanes of ones where a comparison of halves holds.
    pub(super) fn compare_halves(&mut self, code: FloatCC, a: Value, b: Value) -> Value {
        let [a, b] = [a, b].map(|v| self.singles_of_halves(v));
        let [low, high] = [0, 1].map(|k| self.b.ins().fcmp(code, a[k], b[k]));
        self.b.ins().snarrow(low, high)
    }
}
