//! The less frequent instructions that do not end a block. Each function executes a group of
//! instructions and has the name of the group's code. Not here: their semantics (`integer.rs`,
//! `float.rs`, `atomic.rs` and `vector` of the crate).

use crate::code::{DecodedInst, unpack};
use crate::fault::Trap;
use crate::hart::Hart;
use crate::integer::compute;
use muxcl_rv_isa::{Inst, Xlen};
use std::sync::atomic::{Ordering, fence};

#[inline(always)]
fn integer<const RV64: bool>(h: &mut Hart, i: &Inst, second: u64) -> Result<(), Trap> {
    let xlen = if RV64 { Xlen::Rv64 } else { Xlen::Rv32 };
    let result = compute(i.op, h.x(i.rs1), second, xlen).ok_or(Trap::ILLEGAL)?;
    h.set_x(i.rd, result);
    Ok(())
}

#[inline(always)]
pub(super) fn IntR<const RV64: bool>(h: &mut Hart, s: &DecodedInst) -> Result<(), Trap> {
    let i = unpack(s);
    integer::<RV64>(h, &i, h.x(i.rs2))
}

#[inline(always)]
pub(super) fn IntI<const RV64: bool>(h: &mut Hart, s: &DecodedInst) -> Result<(), Trap> {
    let i = unpack(s);
    integer::<RV64>(h, &i, i64::from(i.imm).cast_unsigned())
}

#[inline(always)]
pub(super) fn Float<const RV64: bool>(h: &mut Hart, s: &DecodedInst) -> Result<(), Trap> {
    h.float(&unpack(s))
}

#[inline(always)]
pub(super) fn Atomic<const RV64: bool>(h: &mut Hart, s: &DecodedInst) -> Result<(), Trap> {
    h.atomic(&unpack(s))
}

#[inline(always)]
pub(super) fn Vector<const RV64: bool>(h: &mut Hart, s: &DecodedInst) -> Result<(), Trap> {
    h.vector(&unpack(s))
}

#[inline(always)]
pub(super) fn Fence<const RV64: bool>(_: &mut Hart, _: &DecodedInst) -> Result<(), Trap> {
    fence(Ordering::SeqCst);
    Ok(())
}
