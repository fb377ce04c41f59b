//! Half-precision numbers. A register that holds them is never kept in a variable
//! ([`crate::region`]), so they are integers of 16 bits here. Loads, stores, moves and changes of
//! sign are translated; the interpreter does the arithmetic.

use super::Lower;
use crate::host::{HART, offset};
use crate::lower::memory::GUEST;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder as _, Value, types};
use muxcl_rv_isa::{Inst, Op};
use muxcl_rv_sim::native::Offsets;

/// The bits above a half-precision number in a register.
const BOX: u64 = 0xffff_ffff_ffff_0000;
/// RISC-V's NaN.
const NAN: u64 = 0x7e00;
const SIGN: i64 = 0x8000;
const MAGNITUDE: i64 = 0x7fff;

impl Lower<'_, '_> {
    fn bits(&mut self, register: u8) -> Value {
        let at = offset(Offsets::F + 8 * usize::from(register));
        self.b.ins().load(types::I64, HART, self.hart, at)
    }

    /// The number in a register, in the low bits; the others are 0.
    fn half(&mut self, register: u8) -> Value {
        let (bits, least, nan) = (self.bits(register), self.int(BOX), self.int(NAN));
        let boxed = self.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, bits, least);
        let low = self.b.ins().band_imm_s(bits, 0xffff);
        self.b.ins().select(boxed, low, nan)
    }

    /// The number in a register, as an integer of 16 bits.
    pub(super) fn half_lane(&mut self, register: u8) -> Value {
        let value = self.half(register);
        self.b.ins().ireduce(types::I16, value)
    }

    /// Sets a register to the number in the low bits of `value`; the others are 0.
    pub(super) fn set_half(&mut self, register: u8, value: Value) {
        let ones = self.int(BOX);
        let boxed = self.b.ins().bor(value, ones);
        let at = offset(Offsets::F + 8 * usize::from(register));
        self.b.ins().store(HART, boxed, self.hart, at);
        self.state.pending.f |= 1 << register;
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
                let wide = self.b.ins().uextend(types::I64, value);
                self.set_half(i.rd, wide);
            }
            Op::Fsh => {
                let bits = self.bits(i.rs2);
                let value = self.b.ins().ireduce(types::I16, bits);
                self.store(i, 2, value, |_| bits);
            }
            Op::FmvXH => {
                let bits = self.bits(i.rs1);
                let low = self.b.ins().ireduce(types::I16, bits);
                let value = self.b.ins().sextend(types::I64, low);
                self.set_x(i.rd, value);
            }
            Op::FmvHX => {
                let value = self.x(i.rs1);
                let low = self.b.ins().band_imm_s(value, 0xffff);
                self.set_half(i.rd, low);
            }
            _ => return false,
        }
        true
    }

    /// Translates an instruction that copies a number with another sign; false if it is none.
    pub(super) fn sign_half(&mut self, i: &Inst) -> bool {
        if !matches!(i.op, Op::FsgnjH | Op::FsgnjnH | Op::FsgnjxH) {
            return false;
        }
        let (a, b) = (self.half(i.rs1), self.half(i.rs2));
        let mut sign = self.b.ins().band_imm_s(b, SIGN);
        let value = if i.op == Op::FsgnjxH {
            self.b.ins().bxor(a, sign)
        } else {
            if i.op == Op::FsgnjnH {
                sign = self.b.ins().bxor_imm_s(sign, SIGN);
            }
            let magnitude = self.b.ins().band_imm_s(a, MAGNITUDE);
            self.b.ins().bor(magnitude, sign)
        };
        self.set_half(i.rd, value);
        true
    }
}
