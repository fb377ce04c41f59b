//! Scalar floating-point instructions in single and double precision, on the host's instructions.
//!
//! The host rounds to nearest even, so the interpreter executes arithmetic in another mode, and
//! blocks begin and end with that one. Translated code computes no flags: programs that read them
//! are translated with [`super::Machine::flags`], and then the interpreter executes all arithmetic.
//! A result that is a NaN is RISC-V's one NaN: the host's is replaced before anyone can see its
//! bits, at the latest at the end of the block. Half precision is in `half.rs`.

use super::Lower;
use crate::host::{HART, offset};
use crate::lower::memory::GUEST;
use crate::region::Kept;
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{InstBuilder as _, MemFlagsData, Type, Value, types};
use muxcl_rv_isa::{Extension, Inst, Op};
use muxcl_rv_sim::native::Offsets;

/// The bits above a single-precision number in a register.
pub(super) const BOX: u64 = 0xffff_ffff_0000_0000;
/// Rounding mode: towards zero.
pub(super) const TO_ZERO: u8 = 1;
/// Rounding mode: to nearest even.
const NEAREST: u8 = 0;
/// Rounding mode: up. The host can round to whole numbers in this mode and in those with smaller
/// numbers, but not in the one after it, to the nearest number with ties away from zero.
pub(super) const UPWARDS: u8 = 3;
/// What an instruction has as its rounding mode if `frm` has the mode.
const DYNAMIC: u8 = 7;

impl Lower<'_, '_> {
    /// The rounding mode of an instruction that has one.
    fn rounding_of(&self, i: &Inst) -> u8 {
        if i.aux == DYNAMIC { self.state.rounding } else { i.aux }
    }

    pub(super) fn rounds_to_nearest(&self, i: &Inst) -> bool {
        self.rounding_of(i) == NEAREST
    }

    /// Whether the host can round to whole numbers in the rounding mode of an instruction.
    pub(super) fn rounds_to_whole(&self, i: &Inst) -> bool {
        self.rounding_of(i) <= UPWARDS
    }

    fn kept(&self, register: u8) -> Kept {
        self.region.kept[usize::from(register)]
    }

    fn at(register: u8) -> i32 {
        offset(Offsets::F + 8 * usize::from(register))
    }

    /// The register's value as it is, which may be a NaN of the host's.
    pub(super) fn f(&mut self, register: u8, ty: Type) -> Value {
        match self.f[usize::from(register)] {
            Some(variable) => self.b.use_var(variable),
            None if ty == types::F32 => {
                let upper = self.b.ins().load(types::I32, HART, self.hart, Self::at(register) + 4);
                let boxed = self.b.ins().icmp_imm_s(IntCC::Equal, upper, -1);
                let value = self.b.ins().load(ty, HART, self.hart, Self::at(register));
                let nan = |lower: &mut Self| Some(lower.nan(ty));
                self.choose(boxed, Some(ty), false, |_| Some(value), nan).unwrap_or(value)
            }
            None => self.b.ins().load(ty, HART, self.hart, Self::at(register)),
        }
    }

    /// Sets a register; `nan` if the value may be a NaN of the host's.
    pub(super) fn set_f(&mut self, register: u8, value: Value, nan: bool) {
        match self.f[usize::from(register)] {
            Some(variable) => {
                self.b.def_var(variable, value);
                self.state.nan &= !(1 << register);
                self.state.nan |= u32::from(nan) << register;
            }
            None => {
                let ty = self.b.func.dfg.value_type(value);
                let value = if nan { self.canonical(value, ty) } else { value };
                self.put_f(register, value);
            }
        }
        self.state.pending.f |= 1 << register;
    }

    /// Stores a value in the hart's register.
    fn put_f(&mut self, register: u8, value: Value) {
        if self.kept(register) == Kept::Half {
            return self.put_half(register, value);
        }
        self.b.ins().store(HART, value, self.hart, Self::at(register));
        // The region began with a boxed number in it.
        let boxed = self.kept(register) == Kept::Single;
        if self.b.func.dfg.value_type(value) == types::F32 && !boxed {
            let ones = self.b.ins().iconst(types::I32, 0xffff_ffff);
            self.b.ins().store(HART, ones, self.hart, Self::at(register) + 4);
        }
    }

    pub(super) fn nan(&mut self, ty: Type) -> Value {
        if ty == types::F32 {
            self.b.ins().f32const(f32::from_bits(0x7fc0_0000))
        } else {
            self.b.ins().f64const(f64::from_bits(0x7ff8_0000_0000_0000))
        }
    }

    /// Stores a register that the region keeps.
    pub(super) fn store_f(&mut self, register: u8) {
        let Some(variable) = self.f[usize::from(register)] else { return };
        let mut value = self.b.use_var(variable);
        if self.state.nan >> register & 1 == 1 {
            let ty = self.b.func.dfg.value_type(value);
            let (number, nan) = (self.b.ins().fcmp(FloatCC::Ordered, value, value), self.nan(ty));
            value = self.b.ins().select(number, value, nan);
        }
        self.put_f(register, value);
    }

    /// Loads a register as the region keeps it.
    pub(super) fn load_f(&mut self, register: u8) -> Value {
        let ty = match self.kept(register) {
            Kept::Half => types::I16,
            Kept::Single => types::F32,
            Kept::Double | Kept::Memory => types::F64,
        };
        let value = self.b.ins().load(ty, HART, self.hart, Self::at(register));
        if ty == types::I16 { self.half_chunk(value) } else { value }
    }

    /// Loads a register that a function has written.
    pub(super) fn reload_f(&mut self, register: u8) {
        if let Some(variable) = self.f[usize::from(register)] {
            let value = self.load_f(register);
            self.b.def_var(variable, value);
            self.state.nan &= !(1 << register);
        }
        self.state.pending.f |= 1 << register;
    }

    /// The register's value with RISC-V's NaN.
    pub(super) fn clean(&mut self, register: u8, ty: Type) -> Value {
        let value = self.f(register, ty);
        if self.state.nan >> register & 1 == 0 {
            return value;
        }
        let clean = self.canonical(value, ty);
        self.set_f(register, clean, false);
        clean
    }

    /// The register's low bits, whatever it holds, as a number of this type.
    fn raw(&mut self, register: u8, ty: Type) -> Value {
        match self.f[usize::from(register)] {
            Some(_) => self.clean(register, ty),
            None => self.b.ins().load(ty, HART, self.hart, Self::at(register)),
        }
    }

    /// The value, or RISC-V's NaN if it is a NaN.
    fn canonical(&mut self, value: Value, ty: Type) -> Value {
        let number = self.b.ins().fcmp(FloatCC::Ordered, value, value);
        let nan = |lower: &mut Self| Some(lower.nan(ty));
        self.choose(number, Some(ty), false, |_| Some(value), nan).unwrap_or(value)
    }

    /// Replaces all NaNs of the host's in registers.
    pub(super) fn settle(&mut self) {
        for register in (0..32_u8).filter(|k| self.state.nan >> k & 1 == 1).collect::<Vec<_>>() {
            let ty = if self.kept(register) == Kept::Single { types::F32 } else { types::F64 };
            self.clean(register, ty);
        }
    }

    /// Translates a floating-point instruction; false if the interpreter executes it.
    pub(super) fn float(&mut self, i: &Inst) -> bool {
        if i.op.row().extension == Extension::Zfh {
            let moved = self.transfer_half(i) || self.sign_half(i);
            return moved || (!self.machine.flags && self.arithmetic_half(i));
        }
        self.transfer(i) || self.sign(i) || (!self.machine.flags && self.arithmetic(i))
    }

    /// The type that an instruction of F or D works on.
    fn format(i: &Inst) -> Type {
        if i.op.row().extension == Extension::D { types::F64 } else { types::F32 }
    }

    /// Loads, stores, and moves between the register files.
    fn transfer(&mut self, i: &Inst) -> bool {
        let bits = |lower: &mut Self, value: Value| {
            let wide = lower.b.func.dfg.value_type(value) == types::F64;
            let ty = if wide { types::I64 } else { types::I32 };
            lower.b.ins().bitcast(ty, MemFlagsData::new(), value)
        };
        match i.op {
            Op::Flw | Op::Fld => {
                let (ty, size) = if i.op == Op::Flw { (types::F32, 4) } else { (types::F64, 8) };
                let value = self.load(
                    i,
                    size,
                    ty,
                    |lower, (host, at)| lower.b.ins().load(ty, GUEST, host, at),
                    |lower| lower.loaded(ty),
                );
                self.set_f(i.rd, value, false);
            }
            Op::Fsw | Op::Fsd => {
                let (ty, size) = if i.op == Op::Fsw { (types::F32, 4) } else { (types::F64, 8) };
                let value = self.raw(i.rs2, ty);
                self.store(i, size, value, |lower| {
                    let bits = bits(lower, value);
                    if size == 8 { bits } else { lower.b.ins().uextend(types::I64, bits) }
                });
            }
            Op::FmvXW => {
                let value = self.raw(i.rs1, types::F32);
                let bits = bits(self, value);
                let value = self.b.ins().sextend(types::I64, bits);
                self.set_x(i.rd, value);
            }
            Op::FmvXD => {
                let value = self.clean(i.rs1, types::F64);
                let value = bits(self, value);
                self.set_x(i.rd, value);
            }
            Op::FmvWX => {
                let value = self.x(i.rs1);
                let low = self.b.ins().ireduce(types::I32, value);
                let value = self.b.ins().bitcast(types::F32, MemFlagsData::new(), low);
                self.set_f(i.rd, value, false);
            }
            Op::FmvDX => {
                let value = self.x(i.rs1);
                let value = self.b.ins().bitcast(types::F64, MemFlagsData::new(), value);
                self.set_f(i.rd, value, false);
            }
            _ => return false,
        }
        true
    }

    /// Instructions that copy a number with another sign.
    fn sign(&mut self, i: &Inst) -> bool {
        let (ty, same) = (Self::format(i), i.rs1 == i.rs2);
        let value = match i.op {
            Op::FsgnjS | Op::FsgnjD if same => {
                let (value, nan) = (self.f(i.rs1, ty), self.state.nan >> i.rs1 & 1 == 1);
                self.set_f(i.rd, value, nan);
                return true;
            }
            Op::FsgnjS | Op::FsgnjD => {
                let (a, b) = (self.clean(i.rs1, ty), self.clean(i.rs2, ty));
                self.b.ins().fcopysign(a, b)
            }
            Op::FsgnjnS | Op::FsgnjnD => {
                let (a, b) = (self.clean(i.rs1, ty), self.clean(i.rs2, ty));
                let negated = self.b.ins().fneg(b);
                if same { negated } else { self.b.ins().fcopysign(a, negated) }
            }
            Op::FsgnjxS | Op::FsgnjxD if same => {
                let value = self.clean(i.rs1, ty);
                self.b.ins().fabs(value)
            }
            _ => return false,
        };
        self.set_f(i.rd, value, false);
        true
    }

    fn arithmetic(&mut self, i: &Inst) -> bool {
        if self.compare(i) || self.convert_to_integer(i) {
            return true;
        }
        if matches!(i.op, Op::FminS | Op::FmaxS | Op::FminD | Op::FmaxD) {
            self.least_or_greatest(i);
            return true;
        }
        if !self.rounds_to_nearest(i) {
            return false;
        }
        let ty = Self::format(i);
        let value = match i.op {
            Op::FaddS | Op::FaddD => {
                let (a, b) = (self.f(i.rs1, ty), self.f(i.rs2, ty));
                self.b.ins().fadd(a, b)
            }
            Op::FsubS | Op::FsubD => {
                let (a, b) = (self.f(i.rs1, ty), self.f(i.rs2, ty));
                self.b.ins().fsub(a, b)
            }
            Op::FmulS | Op::FmulD => {
                let (a, b) = (self.f(i.rs1, ty), self.f(i.rs2, ty));
                self.b.ins().fmul(a, b)
            }
            Op::FdivS | Op::FdivD => {
                let (a, b) = (self.f(i.rs1, ty), self.f(i.rs2, ty));
                self.b.ins().fdiv(a, b)
            }
            Op::FsqrtS | Op::FsqrtD => {
                let a = self.f(i.rs1, ty);
                self.b.ins().sqrt(a)
            }
            Op::FmaddS | Op::FmaddD => return self.fused(i, ty, false, false),
            Op::FmsubS | Op::FmsubD => return self.fused(i, ty, false, true),
            Op::FnmsubS | Op::FnmsubD => return self.fused(i, ty, true, false),
            Op::FnmaddS | Op::FnmaddD => return self.fused(i, ty, true, true),
            Op::FcvtDS => {
                let a = self.f(i.rs1, types::F32);
                self.b.ins().fpromote(types::F64, a)
            }
            Op::FcvtSD => {
                let a = self.f(i.rs1, types::F64);
                self.b.ins().fdemote(types::F32, a)
            }
            _ => return self.convert_integer(i, ty),
        };
        self.set_f(i.rd, value, true);
        true
    }

    /// `a * b + c`, rounded once, with the product or the addend negated.
    fn fused(&mut self, i: &Inst, ty: Type, product: bool, addend: bool) -> bool {
        if !self.fused {
            return false;
        }
        let (mut a, b, mut c) = (self.f(i.rs1, ty), self.f(i.rs2, ty), self.f(i.rs3, ty));
        if product {
            a = self.b.ins().fneg(a);
        }
        if addend {
            c = self.b.ins().fneg(c);
        }
        let value = self.b.ins().fma(a, b, c);
        self.set_f(i.rd, value, true);
        true
    }

    fn compare(&mut self, i: &Inst) -> bool {
        let code = match i.op {
            Op::FeqS | Op::FeqD => FloatCC::Equal,
            Op::FltS | Op::FltD => FloatCC::LessThan,
            Op::FleS | Op::FleD => FloatCC::LessThanOrEqual,
            _ => return false,
        };
        let ty = Self::format(i);
        let (a, b) = (self.f(i.rs1, ty), self.f(i.rs2, ty));
        let holds = self.b.ins().fcmp(code, a, b);
        let value = self.b.ins().uextend(types::I64, holds);
        self.set_x(i.rd, value);
        true
    }

    /// `fmin` and `fmax`: -0 is less than +0, and a NaN is not chosen if there is a number.
    fn least_or_greatest(&mut self, i: &Inst) {
        let ty = Self::format(i);
        let least = matches!(i.op, Op::FminS | Op::FminD);
        let (a, b) = (self.f(i.rs1, ty), self.f(i.rs2, ty));
        let numbers = self.b.ins().fcmp(FloatCC::Ordered, a, b);
        let value = self.choose(
            numbers,
            Some(ty),
            false,
            |lower| {
                let int = if ty == types::F32 { types::I32 } else { types::I64 };
                let [x, y] = [a, b].map(|v| lower.b.ins().bitcast(int, MemFlagsData::new(), v));
                let (tie, first) = if least {
                    (lower.b.ins().bor(x, y), FloatCC::LessThan)
                } else {
                    (lower.b.ins().band(x, y), FloatCC::GreaterThan)
                };
                let tie = lower.b.ins().bitcast(ty, MemFlagsData::new(), tie);
                let (a_first, b_first) =
                    (lower.b.ins().fcmp(first, a, b), lower.b.ins().fcmp(first, b, a));
                let rest = lower.b.ins().select(b_first, b, tie);
                Some(lower.b.ins().select(a_first, a, rest))
            },
            |lower| {
                let number = lower.b.ins().fcmp(FloatCC::Ordered, a, a);
                Some(lower.b.ins().select(number, a, b))
            },
        );
        self.set_f(i.rd, value.unwrap_or(a), true);
    }

    /// Conversions to integers, which saturate; a NaN is the greatest integer.
    fn convert_to_integer(&mut self, i: &Inst) -> bool {
        let (from, to, signed) = match i.op {
            Op::FcvtWS => (types::F32, types::I32, true),
            Op::FcvtWuS => (types::F32, types::I32, false),
            Op::FcvtLS => (types::F32, types::I64, true),
            Op::FcvtLuS => (types::F32, types::I64, false),
            Op::FcvtWD => (types::F64, types::I32, true),
            Op::FcvtWuD => (types::F64, types::I32, false),
            Op::FcvtLD => (types::F64, types::I64, true),
            Op::FcvtLuD => (types::F64, types::I64, false),
            _ => return false,
        };
        if !self.rounds_to_whole(i) {
            return false;
        }
        let given = self.f(i.rs1, from);
        self.set_whole(i, given, to, signed);
        true
    }

    /// Sets an integer register to a number that is rounded to an integer of this type.
    pub(super) fn set_whole(&mut self, i: &Inst, given: Value, to: Type, signed: bool) {
        let mode = self.rounding_of(i);
        // The conversion truncates.
        let value = if mode == TO_ZERO { given } else { self.round(given, mode) };
        let value = if signed {
            self.b.ins().fcvt_to_sint_sat(to, value)
        } else {
            self.b.ins().fcvt_to_uint_sat(to, value)
        };
        let greatest = match (to, signed) {
            (types::I32, true) => i64::from(i32::MAX),
            (types::I32, false) => i64::from(u32::MAX),
            (_, true) => i64::MAX,
            (_, false) => -1,
        };
        let greatest = self.b.ins().iconst(to, greatest);
        let number = self.b.ins().fcmp(FloatCC::Ordered, given, given);
        let value = self.b.ins().select(number, value, greatest);
        let value = if to == types::I32 { self.b.ins().sextend(types::I64, value) } else { value };
        self.set_x(i.rd, value);
    }

    fn convert_integer(&mut self, i: &Inst, ty: Type) -> bool {
        let Some(value) = self.number_of_integer(i, ty) else { return false };
        self.set_f(i.rd, value, false);
        true
    }

    /// The number that an integer register has, if the instruction is a conversion of it.
    pub(super) fn number_of_integer(&mut self, i: &Inst, ty: Type) -> Option<Value> {
        let value = self.x(i.rs1);
        Some(match i.op {
            Op::FcvtSW | Op::FcvtDW | Op::FcvtHW => {
                let low = self.b.ins().ireduce(types::I32, value);
                self.b.ins().fcvt_from_sint(ty, low)
            }
            Op::FcvtSWu | Op::FcvtDWu | Op::FcvtHWu => {
                let low = self.b.ins().ireduce(types::I32, value);
                let wide = self.b.ins().uextend(types::I64, low);
                self.b.ins().fcvt_from_sint(ty, wide)
            }
            Op::FcvtSL | Op::FcvtDL | Op::FcvtHL => self.b.ins().fcvt_from_sint(ty, value),
            Op::FcvtSLu | Op::FcvtDLu | Op::FcvtHLu => self.b.ins().fcvt_from_uint(ty, value),
            _ => return None,
        })
    }
}
