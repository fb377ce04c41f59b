//! Scalar loads and stores. Each function has the name of its code, and the loop inlines it. Not
//! here: atomics, vector accesses, translation of addresses (`access.rs`).

use crate::access::Scalar;
use crate::code::DecodedInst;
use crate::fault::Trap;
use crate::float::boxed;
use crate::hart::Hart;
use crate::soft::Single;

/// The address `x[rs1] + imm`, which wraps around at the machine's width.
#[inline(always)]
fn address<const RV64: bool>(h: &Hart, s: &DecodedInst) -> u64 {
    let address = h.x[s.rs1 as usize].wrapping_add(s.imm.cast_unsigned());
    if RV64 { address } else { u64::from(address as u32) }
}

#[inline(always)]
fn load<const RV64: bool, T: Scalar>(h: &mut Hart, s: &DecodedInst) -> Result<T, Trap> {
    h.load::<T>(address::<RV64>(h, s))
}

#[inline(always)]
fn store<const RV64: bool, T: Scalar>(
    h: &mut Hart,
    s: &DecodedInst,
    value: u64,
) -> Result<(), Trap> {
    h.store(address::<RV64>(h, s), T::from_u64(value))
}

/// Defines loads to an integer register. A line contains the code, the loaded type, and the value
/// of `x[rd]`.
macro_rules! loads {
    ($($code:ident = |$loaded:ident: $type:ty| $value:expr;)*) => {$(
        #[inline(always)]
        pub(super) fn $code<const RV64: bool>(h: &mut Hart, s: &DecodedInst) -> Result<(), Trap> {
            let $loaded = load::<RV64, $type>(h, s)?;
            h.x[s.rd as usize] = $value;
            Ok(())
        }
    )*};
}

/// Defines stores from an integer register. A line contains the code and the stored type.
macro_rules! stores {
    ($($code:ident: $type:ty;)*) => {$(
        #[inline(always)]
        pub(super) fn $code<const RV64: bool>(h: &mut Hart, s: &DecodedInst) -> Result<(), Trap> {
            store::<RV64, $type>(h, s, h.x[s.rs2 as usize])
        }
    )*};
}

loads! {
    Lb = |v: u8| i64::from(v.cast_signed()).cast_unsigned();
    Lh = |v: u16| i64::from(v.cast_signed()).cast_unsigned();
    Lw = |v: u32| i64::from(v.cast_signed()).cast_unsigned();
    Ld = |v: u64| v;
    Lbu = |v: u8| v.into();
    Lhu = |v: u16| v.into();
    Lwu = |v: u32| v.into();
}

stores! {
    Sb: u8;
    Sh: u16;
    Sw: u32;
    Sd: u64;
}

#[inline(always)]
pub(super) fn Flw<const RV64: bool>(h: &mut Hart, s: &DecodedInst) -> Result<(), Trap> {
    let bits = load::<RV64, u32>(h, s)?;
    h.set_f(s.rd, boxed::<Single>(bits.into()));
    Ok(())
}

#[inline(always)]
pub(super) fn Fld<const RV64: bool>(h: &mut Hart, s: &DecodedInst) -> Result<(), Trap> {
    let bits = load::<RV64, u64>(h, s)?;
    h.set_f(s.rd, bits);
    Ok(())
}

#[inline(always)]
pub(super) fn Fsw<const RV64: bool>(h: &mut Hart, s: &DecodedInst) -> Result<(), Trap> {
    store::<RV64, u32>(h, s, h.f(s.rs2))
}

#[inline(always)]
pub(super) fn Fsd<const RV64: bool>(h: &mut Hart, s: &DecodedInst) -> Result<(), Trap> {
    store::<RV64, u64>(h, s, h.f(s.rs2))
}
