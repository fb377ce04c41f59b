//! The frequent integer instructions. Each function has the name of its code, and the loop inlines
//! it. Invariant: on RV32 the decoder chooses the 32-bit forms of RV64, so results stay
//! sign-extended. Not here: the other integer instructions (`integer::compute`).

use crate::code::DecodedInst;
use crate::fault::Trap;
use crate::hart::Hart;
use crate::integer::compute;
use muxcl_rv_isa::{Op, Xlen};

/// Sign-extends the low 32 bits.
#[inline(always)]
const fn word(value: u64) -> u64 {
    (value as i32) as i64 as u64
}

/// Zero-extends the low 32 bits.
#[inline(always)]
const fn unsigned_word(value: u64) -> u64 {
    value as u32 as u64
}

/// Defines the function of a code that sets `x[rd]` to a value.
macro_rules! integer {
    ($code:ident = |$h:ident, $s:ident| $value:expr) => {
        #[inline(always)]
        pub(super) fn $code<const RV64: bool>(h: &mut Hart, s: &DecodedInst) -> Result<(), Trap> {
            let ($h, $s) = (&*h, s);
            let value: u64 = $value;
            h.x[s.rd as usize] = value;
            Ok(())
        }
    };
}

/// Defines instructions with the operands `x[rs1]` and `x[rs2]`.
macro_rules! registers {
    ($($code:ident = |$a:ident, $b:ident| $value:expr;)*) => {
        $(integer!($code = |h, s| {
            let ($a, $b) = (h.x[s.rs1 as usize], h.x[s.rs2 as usize]);
            $value
        });)*
    };
}

/// Defines instructions with the operands `x[rs1]` and the immediate.
macro_rules! immediates {
    ($($code:ident = |$a:ident, $imm:ident| $value:expr;)*) => {
        $(integer!($code = |h, s| {
            let ($imm, $a) = (s.imm.cast_unsigned(), h.x[s.rs1 as usize]);
            $value
        });)*
    };
}

/// Defines instructions with the operand `x[rs1]`.
macro_rules! unary {
    ($($code:ident = |$a:ident| $value:expr;)*) => {
        $(integer!($code = |h, s| {
            let $a = h.x[s.rs1 as usize];
            $value
        });)*
    };
}

/// Defines divisions and remainders.
macro_rules! divisions {
    ($($code:ident)*) => {
        $(
            #[inline(always)]
            pub(super) fn $code<const RV64: bool>(
                h: &mut Hart,
                s: &DecodedInst,
            ) -> Result<(), Trap> {
                let (a, b) = (h.x[s.rs1 as usize], h.x[s.rs2 as usize]);
                h.x[s.rd as usize] = compute(Op::$code, a, b, Xlen::Rv64).ok_or(Trap::ILLEGAL)?;
                Ok(())
            }
        )*
    };
}

#[inline(always)]
pub(super) fn Nop<const RV64: bool>(_: &mut Hart, _: &DecodedInst) -> Result<(), Trap> {
    Ok(())
}

integer!(Li = |_h, s| s.imm.cast_unsigned());

unary! {
    Mv = |a| a;
    SextB = |a| i64::from(a as i8).cast_unsigned();
    SextH = |a| i64::from(a as i16).cast_unsigned();
    ZextH = |a| u64::from(a as u16);
}

immediates! {
    Addi = |a, imm| a.wrapping_add(imm);
    Slti = |a, imm| u64::from(a.cast_signed() < imm.cast_signed());
    Sltiu = |a, imm| u64::from(a < imm);
    Xori = |a, imm| a ^ imm;
    Ori = |a, imm| a | imm;
    Andi = |a, imm| a & imm;
    Slli = |a, imm| a << (imm & 63);
    Srli = |a, imm| a >> (imm & 63);
    Srai = |a, imm| (a.cast_signed() >> (imm & 63)).cast_unsigned();
    Addiw = |a, imm| word(a.wrapping_add(imm));
    Slliw = |a, imm| word(unsigned_word(a) << (imm & 31));
    Srliw = |a, imm| word(unsigned_word(a) >> (imm & 31));
    Sraiw = |a, imm| word((word(a).cast_signed() >> (imm & 31)).cast_unsigned());
    SlliUw = |a, imm| unsigned_word(a) << (imm & 63);
}

registers! {
    Add = |a, b| a.wrapping_add(b);
    Sub = |a, b| a.wrapping_sub(b);
    Sll = |a, b| a << (b & 63);
    Slt = |a, b| u64::from(a.cast_signed() < b.cast_signed());
    Sltu = |a, b| u64::from(a < b);
    Xor = |a, b| a ^ b;
    Srl = |a, b| a >> (b & 63);
    Sra = |a, b| (a.cast_signed() >> (b & 63)).cast_unsigned();
    Or = |a, b| a | b;
    And = |a, b| a & b;
    Addw = |a, b| word(a.wrapping_add(b));
    Subw = |a, b| word(a.wrapping_sub(b));
    Sllw = |a, b| word(unsigned_word(a) << (b & 31));
    Srlw = |a, b| word(unsigned_word(a) >> (b & 31));
    Sraw = |a, b| word((word(a).cast_signed() >> (b & 31)).cast_unsigned());
    Mul = |a, b| a.wrapping_mul(b);
    Mulw = |a, b| word(a.wrapping_mul(b));
    Mulhu = |a, b| ((u128::from(a) * u128::from(b)) >> 64) as u64;
    Sh1add = |a, b| (a << 1).wrapping_add(b);
    Sh2add = |a, b| (a << 2).wrapping_add(b);
    Sh3add = |a, b| (a << 3).wrapping_add(b);
    AddUw = |a, b| unsigned_word(a).wrapping_add(b);
    Sh1addUw = |a, b| (unsigned_word(a) << 1).wrapping_add(b);
    Sh2addUw = |a, b| (unsigned_word(a) << 2).wrapping_add(b);
    Sh3addUw = |a, b| (unsigned_word(a) << 3).wrapping_add(b);
    Andn = |a, b| a & !b;
    Min = |a, b| a.cast_signed().min(b.cast_signed()).cast_unsigned();
    Minu = |a, b| a.min(b);
    Max = |a, b| a.cast_signed().max(b.cast_signed()).cast_unsigned();
    Maxu = |a, b| a.max(b);
}

divisions! { Div Divu Rem Remu Divw Divuw Remw Remuw }
