//! Integer instructions and the conditions of branches. Invariant: on RV32 every result is
//! sign-extended, like the interpreter's.

use super::Lower;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder as _, Type, Value, types};
use muxcl_rv_isa::{Format, Inst, Op};

impl Lower<'_, '_> {
    /// Whether a branch is taken.
    pub(super) fn condition(&mut self, i: &Inst) -> Value {
        let code = match i.op {
            Op::Beq => IntCC::Equal,
            Op::Bne => IntCC::NotEqual,
            Op::Blt => IntCC::SignedLessThan,
            Op::Bge => IntCC::SignedGreaterThanOrEqual,
            Op::Bltu => IntCC::UnsignedLessThan,
            _ => IntCC::UnsignedGreaterThanOrEqual,
        };
        let (a, b) = (self.x(i.rs1), self.x(i.rs2));
        self.b.ins().icmp(code, a, b)
    }

    /// Translates an integer instruction; false if this module does not know it.
    pub(super) fn integer(&mut self, i: &Inst) -> bool {
        let imm = i64::from(i.imm);
        let value = match i.op {
            Op::Lui => self.int(imm.cast_unsigned()),
            Op::Auipc => {
                let sum = self.state.pc.wrapping_add(imm.cast_unsigned());
                let sum =
                    if self.machine.rv64 { sum } else { i64::from(sum as i32).cast_unsigned() };
                self.int(sum)
            }
            _ => {
                let a = self.x(i.rs1);
                let b = if i.op.row().format == Format::R {
                    self.x(i.rs2)
                } else {
                    self.int(imm.cast_unsigned())
                };
                let narrow = i.op.full_width();
                let (op, ty) = match narrow {
                    Some(op) => (op, types::I32),
                    None if self.machine.rv64 => (i.op, types::I64),
                    None => (i.op, types::I32),
                };
                if ty == types::I64 {
                    match self.compute(op, a, b, ty) {
                        Some(value) => value,
                        None => return false,
                    }
                } else {
                    let a = self.b.ins().ireduce(types::I32, a);
                    let b = self.b.ins().ireduce(types::I32, b);
                    match self.compute(op, a, b, ty) {
                        Some(value) => self.b.ins().sextend(types::I64, value),
                        None => return false,
                    }
                }
            }
        };
        self.set_x(i.rd, value);
        true
    }

    /// The result at the width `ty`.
    fn compute(&mut self, op: Op, a: Value, b: Value, ty: Type) -> Option<Value> {
        let compare = |lower: &mut Self, code| {
            let holds = lower.b.ins().icmp(code, a, b);
            lower.b.ins().uextend(ty, holds)
        };
        let scaled = |lower: &mut Self, shift: i64, word: bool| {
            let a = if word { lower.unsigned_word(a) } else { a };
            let a = lower.b.ins().ishl_imm_u(a, shift);
            lower.b.ins().iadd(a, b)
        };
        Some(match op {
            Op::Add | Op::Addi => self.b.ins().iadd(a, b),
            Op::Sub => self.b.ins().isub(a, b),
            Op::Sll | Op::Slli => self.b.ins().ishl(a, b),
            Op::Srl | Op::Srli => self.b.ins().ushr(a, b),
            Op::Sra | Op::Srai => self.b.ins().sshr(a, b),
            Op::Slt | Op::Slti => compare(self, IntCC::SignedLessThan),
            Op::Sltu | Op::Sltiu => compare(self, IntCC::UnsignedLessThan),
            Op::Xor | Op::Xori => self.b.ins().bxor(a, b),
            Op::Or | Op::Ori => self.b.ins().bor(a, b),
            Op::And | Op::Andi => self.b.ins().band(a, b),
            Op::Mul => self.b.ins().imul(a, b),
            Op::Mulh if ty == types::I64 => self.b.ins().smulhi(a, b),
            Op::Mulhu if ty == types::I64 => self.b.ins().umulhi(a, b),
            Op::Mulh | Op::Mulhu => self.high_of_words(op == Op::Mulh, a, b),
            Op::Div | Op::Rem | Op::Divu | Op::Remu => self.divide(op, a, b, ty),
            Op::AddUw => scaled(self, 0, true),
            Op::Sh1add => scaled(self, 1, false),
            Op::Sh2add => scaled(self, 2, false),
            Op::Sh3add => scaled(self, 3, false),
            Op::Sh1addUw => scaled(self, 1, true),
            Op::Sh2addUw => scaled(self, 2, true),
            Op::Sh3addUw => scaled(self, 3, true),
            Op::SlliUw => {
                let a = self.unsigned_word(a);
                self.b.ins().ishl(a, b)
            }
            Op::Andn => self.b.ins().band_not(a, b),
            Op::Orn => self.b.ins().bor_not(a, b),
            Op::Xnor => self.b.ins().bxor_not(a, b),
            Op::Min => self.b.ins().smin(a, b),
            Op::Minu => self.b.ins().umin(a, b),
            Op::Max => self.b.ins().smax(a, b),
            Op::Maxu => self.b.ins().umax(a, b),
            Op::Rol => self.b.ins().rotl(a, b),
            Op::Ror | Op::Rori => self.b.ins().rotr(a, b),
            Op::Clz => self.b.ins().clz(a),
            Op::Ctz => self.b.ins().ctz(a),
            Op::SextB | Op::SextH => {
                let narrow = if op == Op::SextB { types::I8 } else { types::I16 };
                let low = self.b.ins().ireduce(narrow, a);
                self.b.ins().sextend(ty, low)
            }
            Op::ZextH | Op::ZextHRv32 => {
                let low = self.b.ins().ireduce(types::I16, a);
                self.b.ins().uextend(ty, low)
            }
            Op::Rev8 | Op::Rev8Rv32 => self.b.ins().bswap(a),
            Op::Bclr | Op::Bclri | Op::Bset | Op::Bseti | Op::Binv | Op::Binvi => {
                let one = self.b.ins().iconst(ty, 1);
                let bit = self.b.ins().ishl(one, b);
                match op {
                    Op::Bclr | Op::Bclri => self.b.ins().band_not(a, bit),
                    Op::Bset | Op::Bseti => self.b.ins().bor(a, bit),
                    _ => self.b.ins().bxor(a, bit),
                }
            }
            Op::Bext | Op::Bexti => {
                let low = self.b.ins().ushr(a, b);
                self.b.ins().band_imm_s(low, 1)
            }
            _ => return None,
        })
    }

    fn unsigned_word(&mut self, value: Value) -> Value {
        let low = self.b.ins().ireduce(types::I32, value);
        self.b.ins().uextend(types::I64, low)
    }

    /// The upper word of the product of two words.
    fn high_of_words(&mut self, signed: bool, a: Value, b: Value) -> Value {
        let [a, b] = [a, b].map(|word| {
            if signed {
                self.b.ins().sextend(types::I64, word)
            } else {
                self.b.ins().uextend(types::I64, word)
            }
        });
        let product = self.b.ins().imul(a, b);
        let high = self.b.ins().ushr_imm_u(product, 32);
        self.b.ins().ireduce(types::I32, high)
    }

    /// A division or remainder. The host's instruction traps where RISC-V's has a result: the
    /// divisor is then replaced by 1.
    pub(super) fn divide(&mut self, op: Op, a: Value, b: Value, ty: Type) -> Value {
        let signed = matches!(op, Op::Div | Op::Rem);
        let zero = self.b.ins().icmp_imm_s(IntCC::Equal, b, 0);
        let mut replaced = zero;
        if signed {
            let least = 1_i64 << (ty.bits() - 1);
            let least = if ty == types::I64 { i64::MIN } else { -least };
            let least = self.b.ins().icmp_imm_s(IntCC::Equal, a, least);
            let minus_one = self.b.ins().icmp_imm_s(IntCC::Equal, b, -1);
            let overflow = self.b.ins().band(least, minus_one);
            replaced = self.b.ins().bor(zero, overflow);
        }
        let one = self.b.ins().iconst(ty, 1);
        let divisor = self.b.ins().select(replaced, one, b);
        match op {
            Op::Div | Op::Divu => {
                let quotient = if signed {
                    self.b.ins().sdiv(a, divisor)
                } else {
                    self.b.ins().udiv(a, divisor)
                };
                let ones = self.b.ins().iconst(ty, if ty == types::I64 { -1 } else { 0xffff_ffff });
                self.b.ins().select(zero, ones, quotient)
            }
            _ => {
                let rest = if signed {
                    self.b.ins().srem(a, divisor)
                } else {
                    self.b.ins().urem(a, divisor)
                };
                self.b.ins().select(zero, a, rest)
            }
        }
    }
}
