//! Scalar half-precision numbers, which are the first lanes of chunks: with the functions of
//! [`crate::halves`], the code of vectors is that of scalars, too. The interpreter executes
//! conversions from double precision, `fclass`, and arithmetic in other rounding modes than to
//! nearest even.

use super::Lower;
use super::vector::plan::Operation;
use crate::halves;
use crate::host::{HART, offset};
use crate::lower::memory::GUEST;
use crate::region::Kept;
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{InstBuilder as _, Value, types};
use muxcl_rv_isa::{Inst, Op};
use muxcl_rv_sim::native::Offsets;

/// The bits above a half-precision number in a register.
pub(super) const BOX: u64 = 0xffff_ffff_ffff_0000;
/// RISC-V's NaN.
const NAN: u64 = 0x7e00;

impl Lower<'_, '_> {
    /// The register as a chunk, if it is a variable.
    fn kept_half(&mut self, register: u8) -> Option<Value> {
        let half = self.region.kept[usize::from(register)] == Kept::Half;
        self.f[usize::from(register)].filter(|_| half).map(|variable| self.b.use_var(variable))
    }

    /// The low 16 bits of a register, whatever it holds.
    fn raw_half(&mut self, register: u8) -> Value {
        if let Some(chunk) = self.kept_half(register) {
            return self.b.ins().extractlane(chunk, 0);
        }
        let at = offset(Offsets::F + 8 * usize::from(register));
        self.b.ins().load(types::I16, HART, self.hart, at)
    }

    /// The number in a register, as an integer of 16 bits.
    pub(super) fn half_lane(&mut self, register: u8) -> Value {
        if self.kept_half(register).is_some() {
            return self.raw_half(register);
        }
        let at = offset(Offsets::F + 8 * usize::from(register));
        let bits = self.b.ins().load(types::I64, HART, self.hart, at);
        let (least, nan) = (self.int(BOX), self.int(NAN));
        let boxed = self.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, bits, least);
        let value = self.b.ins().select(boxed, bits, nan);
        self.b.ins().ireduce(types::I16, value)
    }

    /// The number in a register, in the first lane of a chunk.
    fn half(&mut self, register: u8) -> Value {
        if let Some(chunk) = self.kept_half(register) {
            return chunk;
        }
        let lane = self.half_lane(register);
        self.half_chunk(lane)
    }

    /// A chunk with an integer of 16 bits in its first lane.
    pub(super) fn half_chunk(&mut self, lane: Value) -> Value {
        let wide = self.b.ins().uextend(types::I32, lane);
        let chunk = self.b.ins().scalar_to_vector(types::I32X4, wide);
        self.cast(chunk, types::I16X8)
    }

    /// Sets a register to the number in the first lane of a chunk.
    pub(super) fn set_half(&mut self, register: u8, chunk: Value) {
        match self.f[usize::from(register)] {
            Some(variable) => self.b.def_var(variable, chunk),
            None => self.put_half(register, chunk),
        }
        self.state.pending.f |= 1 << register;
    }

    /// Stores a number in the hart's register.
    pub(super) fn put_half(&mut self, register: u8, chunk: Value) {
        let lane = self.b.ins().extractlane(chunk, 0);
        let at = offset(Offsets::F + 8 * usize::from(register));
        if self.region.kept[usize::from(register)] == Kept::Half {
            // The region began with a boxed number in it.
            self.b.ins().store(HART, lane, self.hart, at);
            return;
        }
        let (wide, ones) = (self.b.ins().uextend(types::I64, lane), self.int(BOX));
        let boxed = self.b.ins().bor(wide, ones);
        self.b.ins().store(HART, boxed, self.hart, at);
    }

    /// The number in a register in single precision. It may be a NaN of the host's.
    fn single_of_half(&mut self, register: u8) -> Value {
        let chunk = self.half(register);
        let [singles, _] = self.singles_of_halves(chunk);
        self.b.ins().extractlane(singles, 0)
    }

    /// Sets a register to a number of single precision, rounded.
    fn set_rounded(&mut self, register: u8, single: Value) {
        let singles = self.b.ins().scalar_to_vector(types::F32X4, single);
        let chunk = self.halves_of_singles([singles; 2]);
        self.set_half(register, chunk);
    }

    /// Translates a load, a store, or a move between the register files; false if it is none.
    pub(super) fn transfer_half(&mut self, i: &Inst) -> bool {
        match i.op {
            Op::Flh => {
                let value = self.load(
                    i,
                    2,
                    types::I16,
                    |lower, (host, at)| lower.b.ins().load(types::I16, GUEST, host, at),
                    |lower| lower.loaded(types::I16),
                );
                let chunk = self.half_chunk(value);
                self.set_half(i.rd, chunk);
            }
            Op::Fsh => {
                let value = self.raw_half(i.rs2);
                self.store(i, 2, value, |lower| lower.b.ins().uextend(types::I64, value));
            }
            Op::FmvXH => {
                let low = self.raw_half(i.rs1);
                let value = self.b.ins().sextend(types::I64, low);
                self.set_x(i.rd, value);
            }
            Op::FmvHX => {
                let value = self.x(i.rs1);
                let low = self.b.ins().ireduce(types::I16, value);
                let chunk = self.half_chunk(low);
                self.set_half(i.rd, chunk);
            }
            _ => return false,
        }
        true
    }

    /// Translates an instruction that copies a number with another sign; false if it is none.
    pub(super) fn sign_half(&mut self, i: &Inst) -> bool {
        let (opposite, combine) = match i.op {
            Op::FsgnjH => (false, false),
            Op::FsgnjnH => (true, false),
            Op::FsgnjxH => (false, true),
            _ => return false,
        };
        self.operate_half(i, Operation::Sign { opposite, combine });
        true
    }

    /// Translates arithmetic; false if the interpreter executes it.
    pub(super) fn arithmetic_half(&mut self, i: &Inst) -> bool {
        if !halves::available() {
            return false;
        }
        let fused = |product, addend| Operation::Fused { accumulate: true, product, addend };
        let nearest = self.rounds_to_nearest(i);
        match i.op {
            Op::FminH => self.operate_half(i, Operation::FMin),
            Op::FmaxH => self.operate_half(i, Operation::FMax),
            Op::FeqH | Op::FltH | Op::FleH => {
                let code = match i.op {
                    Op::FeqH => FloatCC::Equal,
                    Op::FltH => FloatCC::LessThan,
                    _ => FloatCC::LessThanOrEqual,
                };
                let [a, b] = [i.rs1, i.rs2].map(|register| self.single_of_half(register));
                let holds = self.b.ins().fcmp(code, a, b);
                let value = self.b.ins().uextend(types::I64, holds);
                self.set_x(i.rd, value);
            }
            Op::FcvtWH | Op::FcvtWuH | Op::FcvtLH | Op::FcvtLuH => {
                if !self.rounds_to_whole(i) {
                    return false;
                }
                let ty = match i.op {
                    Op::FcvtWH | Op::FcvtWuH => types::I32,
                    _ => types::I64,
                };
                let given = self.single_of_half(i.rs1);
                self.set_whole(i, given, ty, matches!(i.op, Op::FcvtWH | Op::FcvtLH));
            }
            // These are exact.
            Op::FcvtSH => {
                let value = self.single_of_half(i.rs1);
                self.set_f(i.rd, value, true);
            }
            Op::FcvtDH => {
                let value = self.single_of_half(i.rs1);
                let value = self.b.ins().fpromote(types::F64, value);
                self.set_f(i.rd, value, true);
            }
            _ if !nearest => return false,
            Op::FaddH => self.operate_half(i, Operation::FAdd),
            Op::FsubH => self.operate_half(i, Operation::FSub),
            Op::FmulH => self.operate_half(i, Operation::FMul),
            Op::FdivH => self.operate_half(i, Operation::FDiv),
            Op::FsqrtH => self.operate_half(i, Operation::FSqrt),
            Op::FmaddH => self.operate_half(i, fused(false, false)),
            Op::FmsubH => self.operate_half(i, fused(false, true)),
            Op::FnmsubH => self.operate_half(i, fused(true, false)),
            Op::FnmaddH => self.operate_half(i, fused(true, true)),
            Op::FcvtHS => {
                let value = self.f(i.rs1, types::F32);
                self.set_rounded(i.rd, value);
            }
            _ => {
                // Integers that do not fit in the 24 bits of a single are infinite as halves.
                let Some(value) = self.number_of_integer(i, types::F32) else { return false };
                self.set_rounded(i.rd, value);
            }
        }
        true
    }

    /// Sets `rd` to the result of an operation on `rs1`, `rs2` and, if it is fused, `rs3`.
    fn operate_half(&mut self, i: &Inst, operation: Operation) {
        let a = self.half(i.rs1);
        let b = if operation == Operation::FSqrt { a } else { self.half(i.rs2) };
        let chunk = self.operate(operation, 2, a, b, |lower| lower.half(i.rs3));
        let chunk = self.cast(chunk, types::I16X8);
        self.set_half(i.rd, chunk);
    }
}
