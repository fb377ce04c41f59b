//! IEEE 754 arithmetic on bit patterns, for binary16, binary32 and binary64, with RISC-V's choices:
//! all rounding modes, exact flags, tininess after rounding, canonical NaNs. The low bits of a
//! `u64` hold a value. Invariant: results depend on the arguments only, never on the host's
//! floating-point state. Not here: NaN boxing (`float.rs`) and the fast paths on the host's FPU
//! (`fast.rs`).

/// Flag: inexact.
pub const NX: u8 = 1;
/// Flag: underflow.
pub const UF: u8 = 2;
/// Flag: overflow.
pub const OF: u8 = 4;
/// Flag: division by zero.
pub const DZ: u8 = 8;
/// Flag: invalid operation.
pub const NV: u8 = 16;

/// Rounding modes with RISC-V's numbers. `vfncvt.rod` uses `Odd`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rounding {
    /// Round to nearest, ties to even.
    NearestEven,
    /// Round towards zero.
    Zero,
    /// Round towards minus infinity.
    Down,
    /// Round towards plus infinity.
    Up,
    /// Round to nearest, ties away from zero.
    NearestAway,
    /// Round to odd.
    Odd,
}

impl Rounding {
    /// The mode with RISC-V's number `rm`; `None` for reserved numbers.
    #[must_use]
    pub const fn from_rm(rm: u8) -> Option<Self> {
        Some(match rm {
            0 => Self::NearestEven,
            1 => Self::Zero,
            2 => Self::Down,
            3 => Self::Up,
            4 => Self::NearestAway,
            _ => return None,
        })
    }
}

/// A binary floating-point format.
pub trait Format: Copy + 'static {
    /// Width of the exponent in bits.
    const EXP: u32;
    /// Width of the fraction in bits.
    const FRAC: u32;
    /// Width of the format in bits.
    const WIDTH: u32 = 1 + Self::EXP + Self::FRAC;
    /// The largest value of the exponent field.
    const EXP_MAX: u64 = (1 << Self::EXP) - 1;
    /// Exponent bias.
    const BIAS: i32 = (1 << (Self::EXP - 1)) - 1;
    /// The sign bit.
    const SIGN: u64 = 1 << (Self::EXP + Self::FRAC);
    /// Mask of the fraction.
    const FRAC_MASK: u64 = (1 << Self::FRAC) - 1;
    /// Plus infinity.
    const INF: u64 = Self::EXP_MAX << Self::FRAC;
    /// The canonical NaN.
    const NAN: u64 = Self::INF | 1 << (Self::FRAC - 1);
    /// One.
    const ONE: u64 = (Self::BIAS as u64) << Self::FRAC;
}

/// binary16.
#[derive(Debug, Clone, Copy)]
pub struct Half;
/// binary32.
#[derive(Debug, Clone, Copy)]
pub struct Single;
/// binary64.
#[derive(Debug, Clone, Copy)]
pub struct Double;

impl Format for Half {
    const EXP: u32 = 5;
    const FRAC: u32 = 10;
}
impl Format for Single {
    const EXP: u32 = 8;
    const FRAC: u32 = 23;
}
impl Format for Double {
    const EXP: u32 = 11;
    const FRAC: u32 = 52;
}

/// A finite nonzero value `sig * 2^exp`, with the leading bit of `sig` at position `FRAC`.
#[derive(Clone, Copy)]
struct Finite {
    sign: bool,
    exp: i32,
    sig: u64,
}

enum Value {
    Zero(bool),
    Infinity(bool),
    Nan,
    Finite(Finite),
}

/// Whether `a` is a NaN.
#[must_use]
pub const fn is_nan<T: Format>(a: u64) -> bool {
    a & !T::SIGN > T::INF
}

/// Whether `a` is a signalling NaN.
#[must_use]
pub const fn is_signaling<T: Format>(a: u64) -> bool {
    is_nan::<T>(a) && a & 1 << (T::FRAC - 1) == 0
}

fn unpack<T: Format>(a: u64) -> Value {
    let sign = a & T::SIGN != 0;
    let field = a >> T::FRAC & T::EXP_MAX;
    let frac = a & T::FRAC_MASK;
    if field == T::EXP_MAX {
        return if frac == 0 { Value::Infinity(sign) } else { Value::Nan };
    }
    let bottom = 1 - T::BIAS - T::FRAC.cast_signed();
    if field != 0 {
        return Value::Finite(Finite {
            sign,
            exp: bottom + (field as u32).cast_signed() - 1,
            sig: frac | 1 << T::FRAC,
        });
    }
    if frac == 0 {
        return Value::Zero(sign);
    }
    let shift = frac.leading_zeros() - (63 - T::FRAC);
    Value::Finite(Finite { sign, exp: bottom - shift.cast_signed(), sig: frac << shift })
}

const fn zero<T: Format>(sign: bool) -> u64 {
    if sign { T::SIGN } else { 0 }
}

const fn infinity<T: Format>(sign: bool) -> u64 {
    T::INF | zero::<T>(sign)
}

/// The sign of zero for an exact sum of opposite values.
fn cancelled<T: Format>(rm: Rounding) -> u64 {
    zero::<T>(rm == Rounding::Down)
}

/// The canonical NaN. Raises invalid if an operand is a signalling NaN.
fn nan_of<T: Format>(operands: &[u64], flags: &mut u8) -> u64 {
    if operands.iter().any(|a| is_signaling::<T>(*a)) {
        *flags |= NV;
    }
    T::NAN
}

fn invalid<T: Format>(flags: &mut u8) -> u64 {
    *flags |= NV;
    T::NAN
}

/// `sig >> shift`; the lowest bit is sticky: it records whether a set bit was shifted out.
const fn shift_jam(sig: u128, shift: u32) -> u128 {
    if shift == 0 {
        sig
    } else if shift >= 128 {
        (sig != 0) as u128
    } else {
        sig >> shift | (sig << (128 - shift) != 0) as u128
    }
}

/// `sig / 2^shift` rounded to an integer, and whether that was inexact.
fn round_shift(sign: bool, sig: u128, shift: i32, rm: Rounding) -> (u128, bool) {
    if shift <= 0 {
        return (sig << shift.unsigned_abs(), false);
    }
    // Two extra bits distinguish "exactly one half" from "more than one half".
    let jammed = shift_jam(sig << 1, shift.unsigned_abs() - 1);
    let extra = 2;
    let kept = jammed >> extra;
    let rest = jammed & ((1 << extra) - 1);
    let half = 1 << (extra - 1);
    let up = match rm {
        Rounding::NearestEven => rest > half || rest == half && kept & 1 == 1,
        Rounding::NearestAway => rest >= half,
        Rounding::Zero => false,
        Rounding::Down => sign && rest != 0,
        Rounding::Up => !sign && rest != 0,
        Rounding::Odd => return (kept | u128::from(rest != 0), rest != 0),
    };
    (kept + u128::from(up), rest != 0)
}

/// Rounds `sig * 2^exp` to the format. `sig` is not zero; its lowest bit may be sticky.
fn round_pack<T: Format>(sign: bool, exp: i32, sig: u128, rm: Rounding, flags: &mut u8) -> u64 {
    let top = exp + 127 - sig.leading_zeros().cast_signed();
    let frac = T::FRAC.cast_signed();
    let min = 1 - T::BIAS;
    let (kept, inexact) = round_shift(sign, sig, top.max(min) - frac - exp, rm);
    // A carry out of the significand increments the exponent field, as required.
    let base =
        if top >= min { u128::from((top + T::BIAS - 1).unsigned_abs()) << T::FRAC } else { 0 };
    let magnitude = base + kept;
    if magnitude >= u128::from(T::INF) {
        *flags |= OF | NX;
        let to_infinity = match rm {
            Rounding::NearestEven | Rounding::NearestAway => true,
            Rounding::Zero | Rounding::Odd => false,
            Rounding::Down => sign,
            Rounding::Up => !sign,
        };
        return infinity::<T>(sign) - u64::from(!to_infinity);
    }
    if inexact {
        *flags |= NX;
        // The result is tiny if rounding with unbounded exponent gives less than the least normal
        // number.
        let tiny = top < min
            && (top < min - 1
                || round_shift(sign, sig, top - frac - exp, rm).0 < 1 << (T::FRAC + 1));
        if tiny {
            *flags |= UF;
        }
    }
    zero::<T>(sign) | magnitude as u64
}

/// The sum of two finite values with wide significands, whose leading bits are at position 125 or
/// below.
fn sum<T: Format>(a: (bool, i32, u128), b: (bool, i32, u128), rm: Rounding, flags: &mut u8) -> u64 {
    let (big, small) = if (a.1, a.2) >= (b.1, b.2) { (a, b) } else { (b, a) };
    let aligned = shift_jam(small.2, (big.1 - small.1).unsigned_abs());
    if big.0 == small.0 {
        return round_pack::<T>(big.0, big.1, big.2 + aligned, rm, flags);
    }
    let (sign, difference) =
        if big.2 >= aligned { (big.0, big.2 - aligned) } else { (small.0, aligned - big.2) };
    if difference == 0 {
        cancelled::<T>(rm)
    } else {
        round_pack::<T>(sign, big.1, difference, rm, flags)
    }
}

/// Normalizes the value: moves the leading bit of the significand to position 125.
fn wide(sign: bool, exp: i32, sig: u128) -> (bool, i32, u128) {
    let shift = sig.leading_zeros() - 2;
    (sign, exp - shift.cast_signed(), sig << shift)
}

/// `a + b`.
pub fn add<T: Format>(a: u64, b: u64, rm: Rounding, flags: &mut u8) -> u64 {
    match (unpack::<T>(a), unpack::<T>(b)) {
        (Value::Nan, _) | (_, Value::Nan) => nan_of::<T>(&[a, b], flags),
        (Value::Infinity(x), Value::Infinity(y)) if x != y => invalid::<T>(flags),
        (Value::Infinity(_), _) => a,
        (_, Value::Infinity(_)) => b,
        (Value::Zero(x), Value::Zero(y)) => {
            if x == y {
                a
            } else {
                cancelled::<T>(rm)
            }
        }
        (Value::Zero(_), _) => b,
        (_, Value::Zero(_)) => a,
        (Value::Finite(x), Value::Finite(y)) => sum::<T>(
            wide(x.sign, x.exp, x.sig.into()),
            wide(y.sign, y.exp, y.sig.into()),
            rm,
            flags,
        ),
    }
}

/// `a - b`.
pub fn sub<T: Format>(a: u64, b: u64, rm: Rounding, flags: &mut u8) -> u64 {
    add::<T>(a, b ^ T::SIGN, rm, flags)
}

/// `a * b`.
pub fn mul<T: Format>(a: u64, b: u64, rm: Rounding, flags: &mut u8) -> u64 {
    let sign = (a ^ b) & T::SIGN != 0;
    match (unpack::<T>(a), unpack::<T>(b)) {
        (Value::Nan, _) | (_, Value::Nan) => nan_of::<T>(&[a, b], flags),
        (Value::Infinity(_), Value::Zero(_)) | (Value::Zero(_), Value::Infinity(_)) => {
            invalid::<T>(flags)
        }
        (Value::Infinity(_), _) | (_, Value::Infinity(_)) => infinity::<T>(sign),
        (Value::Zero(_), _) | (_, Value::Zero(_)) => zero::<T>(sign),
        (Value::Finite(x), Value::Finite(y)) => {
            round_pack::<T>(sign, x.exp + y.exp, u128::from(x.sig) * u128::from(y.sig), rm, flags)
        }
    }
}

/// `a * b + c`, rounded once.
pub fn fma<T: Format>(a: u64, b: u64, c: u64, rm: Rounding, flags: &mut u8) -> u64 {
    let sign = (a ^ b) & T::SIGN != 0;
    let (va, vb, vc) = (unpack::<T>(a), unpack::<T>(b), unpack::<T>(c));
    // Infinity times zero is invalid even when the addend is a quiet NaN.
    if matches!(
        (&va, &vb),
        (Value::Infinity(_), Value::Zero(_)) | (Value::Zero(_), Value::Infinity(_))
    ) {
        return invalid::<T>(flags);
    }
    match (va, vb, vc) {
        (Value::Nan, _, _) | (_, Value::Nan, _) | (_, _, Value::Nan) => {
            nan_of::<T>(&[a, b, c], flags)
        }
        (Value::Infinity(_), _, Value::Infinity(z))
        | (_, Value::Infinity(_), Value::Infinity(z))
            if z != sign =>
        {
            invalid::<T>(flags)
        }
        (Value::Infinity(_), _, _) | (_, Value::Infinity(_), _) => infinity::<T>(sign),
        (_, _, Value::Infinity(_)) => c,
        (Value::Zero(_), _, vc) | (_, Value::Zero(_), vc) => match vc {
            Value::Zero(z) if z != sign => cancelled::<T>(rm),
            _ => c,
        },
        (Value::Finite(x), Value::Finite(y), vc) => {
            let (exp, product) = (x.exp + y.exp, u128::from(x.sig) * u128::from(y.sig));
            match vc {
                Value::Finite(z) => {
                    sum::<T>(wide(sign, exp, product), wide(z.sign, z.exp, z.sig.into()), rm, flags)
                }
                _ => round_pack::<T>(sign, exp, product, rm, flags),
            }
        }
    }
}

/// `a / b`.
pub fn div<T: Format>(a: u64, b: u64, rm: Rounding, flags: &mut u8) -> u64 {
    let sign = (a ^ b) & T::SIGN != 0;
    match (unpack::<T>(a), unpack::<T>(b)) {
        (Value::Nan, _) | (_, Value::Nan) => nan_of::<T>(&[a, b], flags),
        (Value::Infinity(_), Value::Infinity(_)) | (Value::Zero(_), Value::Zero(_)) => {
            invalid::<T>(flags)
        }
        (Value::Infinity(_), _) => infinity::<T>(sign),
        (_, Value::Infinity(_)) | (Value::Zero(_), _) => zero::<T>(sign),
        (_, Value::Zero(_)) => {
            *flags |= DZ;
            infinity::<T>(sign)
        }
        (Value::Finite(x), Value::Finite(y)) => {
            let (n, d) = (u128::from(x.sig) << 70, u128::from(y.sig));
            let quotient = ((n / d) << 1) | u128::from(n % d != 0);
            round_pack::<T>(sign, x.exp - y.exp - 71, quotient, rm, flags)
        }
    }
}

/// The square root.
pub fn sqrt<T: Format>(a: u64, rm: Rounding, flags: &mut u8) -> u64 {
    match unpack::<T>(a) {
        Value::Nan => nan_of::<T>(&[a], flags),
        Value::Zero(_) | Value::Infinity(false) => a,
        Value::Infinity(true) | Value::Finite(Finite { sign: true, .. }) => invalid::<T>(flags),
        Value::Finite(x) => {
            let shift = 126 - T::FRAC.cast_signed() - 1;
            let shift = shift - ((x.exp - shift) & 1);
            let square = u128::from(x.sig) << shift;
            let root = square.isqrt();
            let sticky = u128::from(root * root != square);
            round_pack::<T>(false, (x.exp - shift) / 2 - 1, root << 1 | sticky, rm, flags)
        }
    }
}

/// Converts between formats.
pub fn convert<From: Format, To: Format>(a: u64, rm: Rounding, flags: &mut u8) -> u64 {
    match unpack::<From>(a) {
        Value::Nan => {
            nan_of::<From>(&[a], flags);
            To::NAN
        }
        Value::Zero(sign) => zero::<To>(sign),
        Value::Infinity(sign) => infinity::<To>(sign),
        Value::Finite(x) => round_pack::<To>(x.sign, x.exp, x.sig.into(), rm, flags),
    }
}

/// Converts to an integer of `width` bits, saturating. Returns its two's complement, sign-extended
/// to 64 bits if `signed`.
pub fn to_int<T: Format>(a: u64, width: u32, signed: bool, rm: Rounding, flags: &mut u8) -> u64 {
    let (low, high) = if signed {
        (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1)
    } else {
        (0, (1i128 << width) - 1)
    };
    let (sign, magnitude, inexact) = match unpack::<T>(a) {
        Value::Zero(_) => return 0,
        Value::Nan => (false, u128::MAX >> 1, false),
        Value::Infinity(sign) => (sign, u128::MAX >> 1, false),
        Value::Finite(x) if x.exp > 64 => (x.sign, u128::MAX >> 1, false),
        Value::Finite(x) => {
            let (kept, inexact) = round_shift(x.sign, x.sig.into(), -x.exp, rm);
            (x.sign, kept, inexact)
        }
    };
    let value = if sign { -(magnitude as i128) } else { magnitude as i128 };
    if value < low || value > high {
        *flags |= NV;
    } else if inexact {
        *flags |= NX;
    }
    value.clamp(low, high) as u64
}

/// Converts from a signed 64-bit integer.
pub fn from_i64<T: Format>(a: i64, rm: Rounding, flags: &mut u8) -> u64 {
    if a == 0 { 0 } else { round_pack::<T>(a < 0, 0, a.unsigned_abs().into(), rm, flags) }
}

/// Converts from an unsigned 64-bit integer.
pub fn from_u64<T: Format>(a: u64, rm: Rounding, flags: &mut u8) -> u64 {
    if a == 0 { 0 } else { round_pack::<T>(false, 0, a.into(), rm, flags) }
}

/// Maps a number to an integer with the same order; minus zero is less than plus zero.
const fn ordered<T: Format>(a: u64) -> i64 {
    if a & T::SIGN != 0 { -((a & !T::SIGN).cast_signed()) - 1 } else { a.cast_signed() }
}

fn min_max<T: Format>(a: u64, b: u64, flags: &mut u8, max: bool) -> u64 {
    if is_signaling::<T>(a) || is_signaling::<T>(b) {
        *flags |= NV;
    }
    match (is_nan::<T>(a), is_nan::<T>(b)) {
        (true, true) => T::NAN,
        (true, false) => b,
        (false, true) => a,
        (false, false) => {
            if (ordered::<T>(a) < ordered::<T>(b)) == max {
                b
            } else {
                a
            }
        }
    }
}

/// The minimum; if one operand is a NaN, the other one.
pub fn min<T: Format>(a: u64, b: u64, flags: &mut u8) -> u64 {
    min_max::<T>(a, b, flags, false)
}

/// The maximum; if one operand is a NaN, the other one.
pub fn max<T: Format>(a: u64, b: u64, flags: &mut u8) -> u64 {
    min_max::<T>(a, b, flags, true)
}

/// `a == b`. Raises invalid for signalling NaNs only.
pub fn eq<T: Format>(a: u64, b: u64, flags: &mut u8) -> bool {
    if is_nan::<T>(a) || is_nan::<T>(b) {
        nan_of::<T>(&[a, b], flags);
        return false;
    }
    a == b || (a | b) & !T::SIGN == 0
}

/// `a < b`. Raises invalid for any NaN.
pub fn lt<T: Format>(a: u64, b: u64, flags: &mut u8) -> bool {
    if is_nan::<T>(a) || is_nan::<T>(b) {
        *flags |= NV;
        return false;
    }
    ordered::<T>(a) < ordered::<T>(b) && (a | b) & !T::SIGN != 0
}

/// `a <= b`. Raises invalid for any NaN.
pub fn le<T: Format>(a: u64, b: u64, flags: &mut u8) -> bool {
    if is_nan::<T>(a) || is_nan::<T>(b) {
        *flags |= NV;
        return false;
    }
    ordered::<T>(a) <= ordered::<T>(b) || (a | b) & !T::SIGN == 0
}

/// The result bit of `fclass`.
#[must_use]
pub fn classify<T: Format>(a: u64) -> u64 {
    let negative = a & T::SIGN != 0;
    let field = a >> T::FRAC & T::EXP_MAX;
    let frac = a & T::FRAC_MASK;
    let from_infinity = match (field, frac) {
        (f, 0) if f == T::EXP_MAX => 0,
        (f, _) if f == T::EXP_MAX => return if is_signaling::<T>(a) { 1 << 8 } else { 1 << 9 },
        (0, 0) => 3,
        (0, _) => 2,
        _ => 1,
    };
    1 << if negative { from_infinity } else { 7 - from_infinity }
}
