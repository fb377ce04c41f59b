//! The frequent floating-point instructions with the dynamic rounding mode. Each function has the
//! name of its code, and the loop inlines it. Invariant: results and flags equal those of the
//! general functions (`float.rs` of the crate). Not here: the arithmetic (`fast.rs`, `soft.rs`).

use crate::code::DecodedInst;
use crate::fast::{self, Fast};
use crate::fault::Trap;
use crate::float::boxed;
use crate::hart::Hart;
use crate::soft::{self, Double, Format, NX, Rounding, Single};

/// The encoding of the dynamic rounding mode, which is in `frm`.
const DYNAMIC: u8 = 7;
/// The value of `frm` for rounding to nearest even.
const NEAREST_EVEN: u8 = 0;

#[inline(always)]
fn unary<T: Format>(
    h: &mut Hart,
    s: &DecodedInst,
    f: impl Fn(u64, Rounding, &mut u8) -> u64,
) -> Result<(), Trap> {
    let rm = h.rounding(DYNAMIC)?;
    let result = f(h.f_in::<T>(s.rs1), rm, &mut h.fflags);
    h.set_f(s.rd, boxed::<T>(result));
    Ok(())
}

#[inline(always)]
fn binary<T: Format>(
    h: &mut Hart,
    s: &DecodedInst,
    f: impl Fn(u64, u64, Rounding, &mut u8) -> u64,
) -> Result<(), Trap> {
    let (a, b) = (h.f_in::<T>(s.rs1), h.f_in::<T>(s.rs2));
    let rm = h.rounding(DYNAMIC)?;
    let result = f(a, b, rm, &mut h.fflags);
    h.set_f(s.rd, boxed::<T>(result));
    Ok(())
}

/// Does the same as [`binary`], but tries `quick` first, which reads the raw registers. `quick`
/// rounds to nearest even and does not set the inexact flag, so it applies only in that mode and if
/// the flag is already set.
#[inline(always)]
fn binary_with_quick_path<T: Format>(
    h: &mut Hart,
    s: &DecodedInst,
    quick: impl Fn(u64, u64) -> Option<u64>,
    f: impl Fn(u64, u64, Rounding, &mut u8) -> u64,
) -> Result<(), Trap> {
    let applies = h.fflags & NX != 0 && h.frm == NEAREST_EVEN;
    match if applies { quick(h.f(s.rs1), h.f(s.rs2)) } else { None } {
        Some(bits) => {
            h.set_f(s.rd, bits);
            Ok(())
        }
        None => binary::<T>(h, s, f),
    }
}

/// `a * b + c`. The mask `product` or `addend` is the sign bit if the product or the addend is
/// negated, and 0 otherwise.
#[inline(always)]
fn multiply_add<T: Fast>(
    h: &mut Hart,
    s: &DecodedInst,
    product: u64,
    addend: u64,
) -> Result<(), Trap> {
    let (a, b, c) = (h.f_in::<T>(s.rs1), h.f_in::<T>(s.rs2), h.f_in::<T>(s.rs3));
    let rm = h.rounding(DYNAMIC)?;
    let result = fast::fma::<T>(a ^ product, b, c ^ addend, rm, &mut h.fflags);
    h.set_f(s.rd, boxed::<T>(result));
    Ok(())
}

/// The magnitude of the first operand with the sign bit of `sign`.
#[inline(always)]
fn with_sign<T: Format>(
    h: &mut Hart,
    s: &DecodedInst,
    sign: impl Fn(u64, u64) -> u64,
) -> Result<(), Trap> {
    let (a, b) = (h.f_in::<T>(s.rs1), h.f_in::<T>(s.rs2));
    h.set_f(s.rd, boxed::<T>(a & !T::SIGN | sign(a, b) & T::SIGN));
    Ok(())
}

/// A format that the host's FPU compares.
trait HostFormat: Format {
    type Host: PartialOrd + Copy;
    fn host(bits: u64) -> Self::Host;
    fn is_nan(value: Self::Host) -> bool;
}

macro_rules! host_format {
    ($format:ident, $host:ident, $bits:ident) => {
        impl HostFormat for $format {
            type Host = $host;
            #[inline(always)]
            fn host(bits: u64) -> $host {
                $host::from_bits(bits as $bits)
            }
            #[inline(always)]
            fn is_nan(value: $host) -> bool {
                value.is_nan()
            }
        }
    };
}
host_format!(Single, f32, u32);
host_format!(Double, f64, u64);

/// Compares on the host's FPU; calls `soft` if an operand is a NaN, because only NaNs raise flags.
#[inline(always)]
fn compare<T: HostFormat>(
    h: &mut Hart,
    s: &DecodedInst,
    holds: impl Fn(&T::Host, &T::Host) -> bool,
    soft: impl Fn(u64, u64, &mut u8) -> bool,
) -> Result<(), Trap> {
    let (a, b) = (h.f_in::<T>(s.rs1), h.f_in::<T>(s.rs2));
    let (x, y) = (T::host(a), T::host(b));
    let holds =
        if T::is_nan(x) || T::is_nan(y) { soft(a, b, &mut h.fflags) } else { holds(&x, &y) };
    h.x[s.rd as usize] = u64::from(holds);
    Ok(())
}

/// Defines one function for each line.
macro_rules! float {
    ($($code:ident = |$h:ident, $s:ident| $execute:expr;)*) => {$(
        #[inline(always)]
        pub(super) fn $code<const RV64: bool>($h: &mut Hart, $s: &DecodedInst) -> Result<(), Trap> {
            $execute
        }
    )*};
}

float! {
    FaddS = |h, s| {
        binary_with_quick_path::<Single>(h, s, fast::single::add, fast::add::<Single>)
    };
    FsubS = |h, s| {
        binary_with_quick_path::<Single>(h, s, fast::single::sub, fast::sub::<Single>)
    };
    FmulS = |h, s| {
        binary_with_quick_path::<Single>(h, s, fast::single::mul, fast::mul::<Single>)
    };
    FdivS = |h, s| binary::<Single>(h, s, fast::div::<Single>);
    FsqrtS = |h, s| unary::<Single>(h, s, fast::sqrt::<Single>);
    FmaddS = |h, s| multiply_add::<Single>(h, s, 0, 0);
    FmsubS = |h, s| multiply_add::<Single>(h, s, 0, Single::SIGN);
    FnmsubS = |h, s| multiply_add::<Single>(h, s, Single::SIGN, 0);
    FnmaddS = |h, s| multiply_add::<Single>(h, s, Single::SIGN, Single::SIGN);
    FsgnjS = |h, s| with_sign::<Single>(h, s, |_, b| b);
    FsgnjnS = |h, s| with_sign::<Single>(h, s, |_, b| !b);
    FsgnjxS = |h, s| with_sign::<Single>(h, s, |a, b| a ^ b);
    FleS = |h, s| compare::<Single>(h, s, f32::le, soft::le::<Single>);
    FltS = |h, s| compare::<Single>(h, s, f32::lt, soft::lt::<Single>);
    FeqS = |h, s| compare::<Single>(h, s, f32::eq, soft::eq::<Single>);

    FaddD = |h, s| {
        binary_with_quick_path::<Double>(h, s, fast::double::add, fast::add::<Double>)
    };
    FsubD = |h, s| {
        binary_with_quick_path::<Double>(h, s, fast::double::sub, fast::sub::<Double>)
    };
    FmulD = |h, s| {
        binary_with_quick_path::<Double>(h, s, fast::double::mul, fast::mul::<Double>)
    };
    FdivD = |h, s| binary::<Double>(h, s, fast::div::<Double>);
    FsqrtD = |h, s| unary::<Double>(h, s, fast::sqrt::<Double>);
    FmaddD = |h, s| multiply_add::<Double>(h, s, 0, 0);
    FmsubD = |h, s| multiply_add::<Double>(h, s, 0, Double::SIGN);
    FnmsubD = |h, s| multiply_add::<Double>(h, s, Double::SIGN, 0);
    FnmaddD = |h, s| multiply_add::<Double>(h, s, Double::SIGN, Double::SIGN);
    FsgnjD = |h, s| with_sign::<Double>(h, s, |_, b| b);
    FsgnjnD = |h, s| with_sign::<Double>(h, s, |_, b| !b);
    FsgnjxD = |h, s| with_sign::<Double>(h, s, |a, b| a ^ b);
    FleD = |h, s| compare::<Double>(h, s, f64::le, soft::le::<Double>);
    FltD = |h, s| compare::<Double>(h, s, f64::lt, soft::lt::<Double>);
    FeqD = |h, s| compare::<Double>(h, s, f64::eq, soft::eq::<Double>);
}

#[inline(always)]
pub(super) fn FmvXW<const RV64: bool>(h: &mut Hart, s: &DecodedInst) -> Result<(), Trap> {
    h.x[s.rd as usize] = i64::from(h.f(s.rs1) as i32).cast_unsigned();
    Ok(())
}

#[inline(always)]
pub(super) fn FmvWX<const RV64: bool>(h: &mut Hart, s: &DecodedInst) -> Result<(), Trap> {
    h.set_f(s.rd, boxed::<Single>(u64::from(h.x[s.rs1 as usize] as u32)));
    Ok(())
}
