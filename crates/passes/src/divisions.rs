//! `guard-divisions`: makes integer division by zero and overflowing division (the smallest value
//! by -1) harmless.
//!
//! OpenCL C (6.3, operators): such a division causes no exception but gives an unspecified value.
//! In LLVM it is undefined behaviour, and on x86 it traps. So the pass replaces the divisor by 1 in
//! these cases. It runs before any optimisation. Not here: floating point.

use muxcl_llvm::{Builder, IntPredicate, Module, Opcode, Type, Value};

use crate::PassError;

/// Runs the pass.
///
/// # Errors
/// Never fails today; all passes have this signature.
pub fn run(module: &Module<'_>) -> Result<(), PassError> {
    for f in module.definitions() {
        for i in f.instructions() {
            match i.opcode() {
                Opcode::UDiv | Opcode::URem => guard(i, false),
                Opcode::SDiv | Opcode::SRem => guard(i, true),
                _ => {}
            }
        }
    }
    Ok(())
}

/// Replaces the divisor of `division` by 1 where the division would be undefined.
pub(crate) fn guard(division: Value<'_>, signed: bool) {
    let (dividend, divisor) = (division.operand(0), division.operand(1));
    if safe_constant(divisor, signed) {
        return;
    }
    let ty = divisor.ty();
    let scalar = if ty.is_vector() { ty.element() } else { ty };
    let width = scalar.int_width();
    let b = Builder::before(division);
    let mut bad = b.icmp(IntPredicate::Eq, divisor, ty.null());
    if signed && width <= 64 {
        let least = b.icmp(IntPredicate::Eq, dividend, splat(&b, ty, 1 << (width - 1)));
        let minus_one = b.icmp(IntPredicate::Eq, divisor, splat(&b, ty, u64::MAX));
        bad = b.or(bad, b.and(least, minus_one));
    }
    let safe = b.select(bad, splat(&b, ty, 1), divisor);
    division.set_operand(1, safe);
}

/// True for a scalar constant that needs no guard: it is not 0 and, in a signed division, not -1.
fn safe_constant(divisor: Value<'_>, signed: bool) -> bool {
    let ty = divisor.ty();
    if !ty.is_int() || ty.int_width() > 64 {
        return false;
    }
    let all = u64::MAX >> (64 - ty.int_width());
    divisor.as_u64().is_some_and(|d| d & all != 0 && !(signed && d & all == all))
}

/// A vector with `v` in every lane; the builder folds it to a constant.
fn splat<'m>(b: &Builder<'m>, ty: Type<'m>, v: u64) -> Value<'m> {
    if !ty.is_vector() {
        return ty.constant(v);
    }
    let lane = ty.element().constant(v);
    let int = ty.cx().i32();
    (0..ty.vector_len())
        .fold(ty.poison(), |all, n| b.insert_element(all, lane, int.constant(n.into())))
}
