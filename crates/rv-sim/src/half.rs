//! Fast paths of half precision on the host's single and double precision, as in `fast.rs`.
//!
//! A result is rounded twice, which gives the same number as rounding once. Sums, products,
//! quotients and roots: single precision has 24 bits, at least two more than twice the 11 of half
//! precision. Fused operations, in double precision: the sum of a product and a number is either
//! exact, or so far from any midpoint of two half-precision numbers that rounding it first does not
//! reach one.

use crate::fast::{Fast, fused32, note};
use crate::soft::{Format, Half};

/// Bits of a fraction that half precision lacks.
const SINGLE_LOW: u32 = 13;
const DOUBLE_LOW: u32 = 42;
/// Differences of the exponents' biases.
const SINGLE_BIAS: u32 = 127 - 15;
const DOUBLE_BIAS: u64 = 1023 - 15;
/// Two to the power of `SINGLE_BIAS`.
const SCALE: f32 = f32::from_bits((127 + SINGLE_BIAS) << 23);
/// The largest finite number.
const MOST: u64 = 0x7bff;

/// The number in single precision. A NaN remains one of the same kind.
#[inline(always)]
pub(crate) fn single(half: u64) -> f32 {
    let half = half as u32;
    let (sign, magnitude) = ((half & 0x8000) << 16, (half & 0x7fff) << SINGLE_LOW);
    let value = if magnitude >= (Half::INF as u32) << SINGLE_LOW {
        0x7f80_0000 | magnitude
    } else {
        // The multiplication normalizes denormal numbers. It is exact.
        (f32::from_bits(magnitude) * SCALE).to_bits()
    };
    f32::from_bits(sign | value)
}

/// The nearest half-precision number, if it is normal. Sets `inexact` if it is another number.
#[inline(always)]
pub(crate) fn from_single(value: f32, inexact: &mut bool) -> Option<u64> {
    let bits = value.to_bits();
    let magnitude = bits & 0x7fff_ffff;
    if !((SINGLE_BIAS + 1) << 23..(SINGLE_BIAS + 31) << 23).contains(&magnitude) {
        return None;
    }
    let even = magnitude >> SINGLE_LOW & 1;
    let rounded = (magnitude + ((1 << (SINGLE_LOW - 1)) - 1) + even) >> SINGLE_LOW;
    let half = u64::from(rounded - (SINGLE_BIAS << Half::FRAC));
    *inexact |= magnitude & ((1 << SINGLE_LOW) - 1) != 0;
    (half <= MOST).then_some(u64::from(bits >> 16 & 0x8000) | half)
}

/// As [`from_single`].
#[inline(always)]
pub(crate) fn from_double(value: f64, inexact: &mut bool) -> Option<u64> {
    let bits = value.to_bits();
    let magnitude = bits & !(1 << 63);
    if !((DOUBLE_BIAS + 1) << 52..(DOUBLE_BIAS + 31) << 52).contains(&magnitude) {
        return None;
    }
    let even = magnitude >> DOUBLE_LOW & 1;
    let rounded = (magnitude + ((1 << (DOUBLE_LOW - 1)) - 1) + even) >> DOUBLE_LOW;
    let half = rounded - (DOUBLE_BIAS << Half::FRAC);
    *inexact |= magnitude & ((1 << DOUBLE_LOW) - 1) != 0;
    (half <= MOST).then_some(bits >> 48 & 0x8000 | half)
}

/// Zero with the sign of `value`.
#[inline(always)]
fn zero(value: f32) -> u64 {
    u64::from(value.to_bits() >> 16 & 0x8000)
}

/// A result and whether the first rounding was inexact.
#[inline(always)]
fn rounded(value: f32, error: impl FnOnce() -> f32, flags: &mut u8) -> Option<u64> {
    let mut inexact = false;
    let half = from_single(value, &mut inexact)?;
    note(flags, inexact || error() != 0.0);
    Some(half)
}

impl Fast for Half {
    #[inline(always)]
    fn fast_add(a: u64, b: u64, flags: &mut u8) -> Option<u64> {
        let (x, y) = (single(a), single(b));
        let sum = x + y;
        if sum == 0.0 {
            // A sum that is zero is exact.
            return Some(zero(sum));
        }
        let error = || {
            let part = sum - x;
            (x - (sum - part)) + (y - part)
        };
        rounded(sum, error, flags)
    }

    #[inline(always)]
    fn fast_mul(a: u64, b: u64, flags: &mut u8) -> Option<u64> {
        // The product has 22 bits.
        let product = single(a) * single(b);
        if product == 0.0 {
            return Some(zero(product));
        }
        rounded(product, || 0.0, flags)
    }

    #[inline(always)]
    fn fast_div(a: u64, b: u64, flags: &mut u8) -> Option<u64> {
        let (x, y) = (single(a), single(b));
        let quotient = x / y;
        rounded(quotient, || fused32(-quotient, y, x), flags)
    }

    #[inline(always)]
    fn fast_sqrt(a: u64, flags: &mut u8) -> Option<u64> {
        let x = single(a);
        let root = x.sqrt();
        rounded(root, || fused32(-root, root, x), flags)
    }

    #[inline(always)]
    fn fast_fma(a: u64, b: u64, c: u64, flags: &mut u8) -> Option<u64> {
        let (x, y, z) = (single(a), single(b), f64::from(single(c)));
        // Products are exact.
        let product = f64::from(x) * f64::from(y);
        let sum = product + z;
        if sum == 0.0 {
            return Some(sum.to_bits() >> 48 & 0x8000);
        }
        let mut inexact = false;
        let half = from_double(sum, &mut inexact)?;
        let part = sum - product;
        note(flags, inexact || (product - (sum - part)) + (z - part) != 0.0);
        Some(half)
    }
}

#[cfg(test)]
mod tests {
    //! Compares with the crate `half`, on arithmetic in double precision. By the reasons above that
    //! has enough bits for all operations.

    use super::{from_double, from_single, single};
    use crate::fast::{add, convert, div, from_i64, mul, sqrt, sub, to_int};
    use crate::soft::{self, Double, Half, NX, Rounding, Single, is_nan};
    use fastrand::Rng;
    use half::f16;

    const EVEN: Rounding = Rounding::NearestEven;

    fn double(bits: u64) -> f64 {
        f16::from_bits(bits as u16).to_f64()
    }

    /// The nearest number. `f16::from_f64` may round twice, so its neighbours are tried, too.
    fn nearest(x: f64) -> u64 {
        let about = f16::from_f64(x.abs()).to_bits();
        let distance = |bits: u16| {
            // As if the exponents went on.
            let number = if bits == 0x7c00 { 65536.0 } else { f16::from_bits(bits).to_f64() };
            (x.abs() - number).abs()
        };
        let near = about.saturating_sub(1)..=(about + 1).min(0x7c00);
        let compare =
            |a: &u16, b: &u16| distance(*a).total_cmp(&distance(*b)).then((a & 1).cmp(&(b & 1)));
        let magnitude = near.min_by(compare).unwrap_or(about);
        u64::from(magnitude) | u64::from(x.is_sign_negative()) << 15
    }

    fn same(bits: u64, wanted: f64) -> bool {
        if wanted.is_nan() {
            return is_nan::<Half>(bits);
        }
        bits == if wanted.is_infinite() {
            f16::from_f64(wanted).to_bits().into()
        } else {
            nearest(wanted)
        }
    }

    #[test]
    fn all_numbers() {
        for a in 0..1 << 16 {
            let (x, f) = (double(a), &mut 0);
            assert!(single(a).is_nan() == x.is_nan() && (x.is_nan() || f64::from(single(a)) == x));
            for result in [sqrt::<Half>(a, EVEN, f), soft::sqrt::<Half>(a, EVEN, f)] {
                assert!(same(result, x.sqrt()), "sqrt {a:#x}");
            }
            let wide =
                [convert::<Half, Double>(a, EVEN, f), soft::convert::<Half, Double>(a, EVEN, f)];
            for result in wide {
                let result = f64::from_bits(result);
                assert!(result.is_nan() && x.is_nan() || result.to_bits() == x.to_bits());
            }
            for rm in [Rounding::Zero, EVEN] {
                let whole = if rm == EVEN { x.round_ties_even() } else { x.trunc() };
                for (width, signed) in [(8, true), (8, false), (16, true), (16, false), (64, true)]
                {
                    let wanted = match (width, signed) {
                        _ if x.is_nan() && signed => u64::MAX >> 1 >> (64 - width),
                        _ if x.is_nan() => u64::MAX >> (64 - width),
                        (8, true) => i64::from(whole as i8).cast_unsigned(),
                        (8, _) => (whole as u8).into(),
                        (16, true) => i64::from(whole as i16).cast_unsigned(),
                        (16, _) => (whole as u16).into(),
                        _ => (whole as i64).cast_unsigned(),
                    };
                    let (mut one, mut two) = (0, 0);
                    let fast = to_int::<Half>(a, width, signed, rm, &mut one);
                    let slow = soft::to_int::<Half>(a, width, signed, rm, &mut two);
                    assert_eq!((fast, one), (slow, two), "{a:#x} to {width} {signed}");
                    assert_eq!(fast, wanted, "{a:#x} to {width} {signed}");
                }
            }
            let integer = (a as u16).cast_signed().into();
            let (mut one, mut two) = (0, 0);
            let fast = from_i64::<Half>(integer, EVEN, &mut one);
            assert_eq!((fast, one), (soft::from_i64::<Half>(integer, EVEN, &mut two), two));
            assert!(same(fast, integer as f64), "{integer}");
        }
    }

    /// All numbers of single precision whose rounding could differ: each half-precision number and
    /// each midpoint, and the numbers beside them.
    #[test]
    fn numbers_beside_midpoints() {
        for half in 0..0x7c00_u32 {
            for low in [0, 1, 0xfff, 0x1000, 0x1001, 0x1fff] {
                let bits = if half < 0x400 {
                    single(half.into()).to_bits() + low
                } else {
                    (half << 13 | low) + (112 << 23)
                };
                for bits in [bits, bits | 1 << 31] {
                    let x = f32::from_bits(bits);
                    let wanted = f16::from_f32(x).to_bits().into();
                    let (mut one, mut two) = (0, 0);
                    let fast = convert::<Single, Half>(bits.into(), EVEN, &mut one);
                    let slow = soft::convert::<Single, Half>(bits.into(), EVEN, &mut two);
                    assert_eq!((fast, one, fast), (slow, two, wanted), "{x:e}");
                    let mut inexact = false;
                    let normal = from_single(x, &mut inexact);
                    assert!(normal.is_none_or(|n| n == wanted && inexact == (one & NX != 0)));
                    let wide = f64::from(x).to_bits();
                    let (mut one, mut two) = (0, 0);
                    let fast = convert::<Double, Half>(wide, EVEN, &mut one);
                    let slow = soft::convert::<Double, Half>(wide, EVEN, &mut two);
                    assert_eq!((fast, one, fast), (slow, two, wanted), "{x:e}");
                    let mut inexact = false;
                    let normal = from_double(f64::from(x), &mut inexact);
                    assert!(normal.is_none_or(|n| n == wanted));
                }
            }
        }
    }

    /// Random operands, whose exponents are mostly close to each other or far apart.
    #[test]
    fn random_numbers() {
        let random = &mut Rng::with_seed(1);
        for _ in 0..2_000_000 {
            let mut number = || match random.u8(..4) {
                0 => u64::from(random.u16(..)),
                1 => u64::from(random.u16(..) & 0x8fff) | 0x3000,
                2 => u64::from(random.u16(..) & 0xfc07),
                _ => u64::from(random.u16(..) & 0xfc00).wrapping_sub(random.u64(..2)) & 0xffff,
            };
            let (a, b, c) = (number(), number(), number());
            let (x, y, z) = (double(a), double(b), double(c));
            let check = |name: &str,
                         fast: &dyn Fn(&mut u8) -> u64,
                         slow: &dyn Fn(&mut u8) -> u64,
                         wanted: f64| {
                let (mut one, mut two) = (0, 0);
                let result = fast(&mut one);
                assert_eq!((result, one), (slow(&mut two), two), "{name} {a:#x} {b:#x} {c:#x}");
                assert!(same(result, wanted), "{name} {a:#x} {b:#x} {c:#x}");
            };
            check(
                "add",
                &|f| add::<Half>(a, b, EVEN, f),
                &|f| soft::add::<Half>(a, b, EVEN, f),
                x + y,
            );
            check(
                "sub",
                &|f| sub::<Half>(a, b, EVEN, f),
                &|f| soft::sub::<Half>(a, b, EVEN, f),
                x - y,
            );
            check(
                "mul",
                &|f| mul::<Half>(a, b, EVEN, f),
                &|f| soft::mul::<Half>(a, b, EVEN, f),
                x * y,
            );
            check(
                "div",
                &|f| div::<Half>(a, b, EVEN, f),
                &|f| soft::div::<Half>(a, b, EVEN, f),
                x / y,
            );
            check(
                "fma",
                &|f| crate::fast::fma::<Half>(a, b, c, EVEN, f),
                &|f| soft::fma::<Half>(a, b, c, EVEN, f),
                x * y + z,
            );
        }
    }
}
