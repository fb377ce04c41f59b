//! Results of the integer instructions (I, M, Zba, Zbb, Zbc, Zbs), as one function of two operands.
//! Invariant: on RV32 operands and results are sign-extended from 32 bits. This module defines the
//! semantics; `run/integer.rs` repeats the frequent instructions for the loop.

use muxcl_rv_isa::{Op, Xlen};

const fn word(value: u64) -> u64 {
    (value as i32) as i64 as u64
}

const fn clmul(a: u64, b: u64) -> u128 {
    let (mut result, mut i) = (0u128, 0);
    while i < 64 {
        if b >> i & 1 == 1 {
            result ^= (a as u128) << i;
        }
        i += 1;
    }
    result
}

const fn orc_b(a: u64) -> u64 {
    let mut bytes = a.to_le_bytes();
    let mut i = 0;
    while i < 8 {
        if bytes[i] != 0 {
            bytes[i] = 0xff;
        }
        i += 1;
    }
    u64::from_le_bytes(bytes)
}

/// The result of `op` for `a` and `b` (a register or the immediate); `None` if `op` is not an
/// integer computation.
#[must_use]
pub(crate) fn compute(op: Op, a: u64, b: u64, xlen: Xlen) -> Option<u64> {
    match xlen {
        Xlen::Rv64 => compute64(op, a, b),
        Xlen::Rv32 => compute32(op, a as u32, b as u32).map(|r| word(u64::from(r))),
    }
}

fn compute64(op: Op, a: u64, b: u64) -> Option<u64> {
    let (sa, sb) = (a.cast_signed(), b.cast_signed());
    let shift = (b & 63) as u32;
    Some(match op {
        Op::Add | Op::Addi => a.wrapping_add(b),
        Op::Sub => a.wrapping_sub(b),
        Op::Sll | Op::Slli => a << shift,
        Op::Srl | Op::Srli => a >> shift,
        Op::Sra | Op::Srai => (sa >> shift).cast_unsigned(),
        Op::Slt | Op::Slti => u64::from(sa < sb),
        Op::Sltu | Op::Sltiu => u64::from(a < b),
        Op::Xor | Op::Xori => a ^ b,
        Op::Or | Op::Ori => a | b,
        Op::And | Op::Andi => a & b,
        Op::Mul => a.wrapping_mul(b),
        Op::Mulh => ((i128::from(sa) * i128::from(sb)) >> 64) as u64,
        Op::Mulhu => ((u128::from(a) * u128::from(b)) >> 64) as u64,
        Op::Mulhsu => (i128::from(sa).wrapping_mul(i128::from(b)) >> 64) as u64,
        Op::Div => {
            if b == 0 {
                u64::MAX
            } else {
                sa.wrapping_div(sb).cast_unsigned()
            }
        }
        Op::Divu => a.checked_div(b).unwrap_or(u64::MAX),
        Op::Rem => {
            if b == 0 {
                a
            } else {
                sa.wrapping_rem(sb).cast_unsigned()
            }
        }
        Op::Remu => a.checked_rem(b).unwrap_or(a),
        Op::AddUw => u64::from(a as u32).wrapping_add(b),
        Op::Sh1add => (a << 1).wrapping_add(b),
        Op::Sh2add => (a << 2).wrapping_add(b),
        Op::Sh3add => (a << 3).wrapping_add(b),
        Op::Sh1addUw => (u64::from(a as u32) << 1).wrapping_add(b),
        Op::Sh2addUw => (u64::from(a as u32) << 2).wrapping_add(b),
        Op::Sh3addUw => (u64::from(a as u32) << 3).wrapping_add(b),
        Op::SlliUw => u64::from(a as u32) << shift,
        Op::Andn => a & !b,
        Op::Orn => a | !b,
        Op::Xnor => !(a ^ b),
        Op::Min => sa.min(sb).cast_unsigned(),
        Op::Minu => a.min(b),
        Op::Max => sa.max(sb).cast_unsigned(),
        Op::Maxu => a.max(b),
        Op::Rol => a.rotate_left(shift),
        Op::Ror | Op::Rori => a.rotate_right(shift),
        Op::Clz => a.leading_zeros().into(),
        Op::Ctz => a.trailing_zeros().into(),
        Op::Cpop => a.count_ones().into(),
        Op::SextB => i64::from(a as i8).cast_unsigned(),
        Op::SextH => i64::from(a as i16).cast_unsigned(),
        Op::ZextH => u64::from(a as u16),
        Op::Rev8 => a.swap_bytes(),
        Op::OrcB => orc_b(a),
        Op::Clmul => clmul(a, b) as u64,
        Op::Clmulh => (clmul(a, b) >> 64) as u64,
        Op::Clmulr => (clmul(a, b) >> 63) as u64,
        Op::Bclr | Op::Bclri => a & !(1 << shift),
        Op::Bext | Op::Bexti => a >> shift & 1,
        Op::Binv | Op::Binvi => a ^ 1 << shift,
        Op::Bset | Op::Bseti => a | 1 << shift,
        _ => {
            let narrow = op.full_width()?;
            word(u64::from(compute32(narrow, a as u32, b as u32)?))
        }
    })
}

fn compute32(op: Op, a: u32, b: u32) -> Option<u32> {
    let (sa, sb) = (a.cast_signed(), b.cast_signed());
    let shift = b & 31;
    Some(match op {
        Op::Add | Op::Addi => a.wrapping_add(b),
        Op::Sub => a.wrapping_sub(b),
        Op::Sll | Op::Slli => a << shift,
        Op::Srl | Op::Srli => a >> shift,
        Op::Sra | Op::Srai => (sa >> shift).cast_unsigned(),
        Op::Slt | Op::Slti => u32::from(sa < sb),
        Op::Sltu | Op::Sltiu => u32::from(a < b),
        Op::Xor | Op::Xori => a ^ b,
        Op::Or | Op::Ori => a | b,
        Op::And | Op::Andi => a & b,
        Op::Mul => a.wrapping_mul(b),
        Op::Mulh => ((i64::from(sa) * i64::from(sb)) >> 32) as u32,
        Op::Mulhu => ((u64::from(a) * u64::from(b)) >> 32) as u32,
        Op::Mulhsu => ((i64::from(sa) * i64::from(b)) >> 32) as u32,
        Op::Div => {
            if b == 0 {
                u32::MAX
            } else {
                sa.wrapping_div(sb).cast_unsigned()
            }
        }
        Op::Divu => a.checked_div(b).unwrap_or(u32::MAX),
        Op::Rem => {
            if b == 0 {
                a
            } else {
                sa.wrapping_rem(sb).cast_unsigned()
            }
        }
        Op::Remu => a.checked_rem(b).unwrap_or(a),
        Op::Sh1add => (a << 1).wrapping_add(b),
        Op::Sh2add => (a << 2).wrapping_add(b),
        Op::Sh3add => (a << 3).wrapping_add(b),
        Op::Andn => a & !b,
        Op::Orn => a | !b,
        Op::Xnor => !(a ^ b),
        Op::Min => sa.min(sb).cast_unsigned(),
        Op::Minu => a.min(b),
        Op::Max => sa.max(sb).cast_unsigned(),
        Op::Maxu => a.max(b),
        Op::Rol => a.rotate_left(shift),
        Op::Ror | Op::Rori => a.rotate_right(shift),
        Op::Clz => a.leading_zeros(),
        Op::Ctz => a.trailing_zeros(),
        Op::Cpop => a.count_ones(),
        Op::SextB => i32::from(a as i8).cast_unsigned(),
        Op::SextH => i32::from(a as i16).cast_unsigned(),
        Op::ZextHRv32 => u32::from(a as u16),
        Op::Rev8Rv32 => a.swap_bytes(),
        Op::OrcB => orc_b(a.into()) as u32,
        Op::Clmul => clmul(a.into(), b.into()) as u32,
        Op::Clmulh => (clmul(a.into(), b.into()) >> 32) as u32,
        Op::Clmulr => (clmul(a.into(), b.into()) >> 31) as u32,
        Op::Bclr | Op::Bclri => a & !(1 << shift),
        Op::Bext | Op::Bexti => a >> shift & 1,
        Op::Binv | Op::Binvi => a ^ 1 << shift,
        Op::Bset | Op::Bseti => a | 1 << shift,
        _ => return None,
    })
}
