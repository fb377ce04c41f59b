//! Correctly rounded values by MPFR.
//!
//! Every function is computed with at least 128 digits and rounded once. The special cases of C99
//! and OpenCL replace MPFR's where they differ.

use rug::float::{Round, Special};
use rug::ops::{NegAssign, Pow};
use rug::{Assign, Float};

use crate::exact::Exact;
use crate::format::Format;

/// Binary digits of every value: more than twice those of a double.
const DIGITS: u32 = 136;

/// Binary digits of intermediate values.
const WIDE: u32 = 240;

/// The arguments of one call. A reference replaces `x` by its value.
#[derive(Debug)]
pub struct Call {
    x: Float,
    y: Float,
    z: Float,
    n: i32,
    format: Format,
    /// True if the second argument is negative; MPFR's NaN has no sign.
    negative: bool,
}

/// A reference: replaces `x` by the function's value.
pub type Reference = fn(&mut Call);

impl Default for Call {
    fn default() -> Self {
        Self::new(Format::Double)
    }
}

impl Call {
    /// A call with arguments of `format`.
    #[must_use]
    pub fn new(format: Format) -> Self {
        let zero = || Float::new(DIGITS);
        Self { x: zero(), y: zero(), z: zero(), n: 0, format, negative: false }
    }

    /// The exact value of `function` for these arguments. Arguments that the function does not have
    /// are ignored.
    pub fn value(&mut self, function: Reference, arguments: &[f64], n: i32) -> Exact {
        self.x.assign(arguments[0]);
        if let Some(y) = arguments.get(1) {
            self.y.assign(*y);
            self.negative = y.is_sign_negative();
        }
        if let Some(z) = arguments.get(2) {
            self.z.assign(*z);
        }
        self.n = n;
        function(self);
        self.exact()
    }

    /// `x` as an [`Exact`].
    fn exact(&mut self) -> Exact {
        let negative = self.x.is_sign_negative();
        if self.x.is_nan() {
            return Exact::Nan;
        }
        if self.x.is_infinite() {
            return Exact::Infinite { negative };
        }
        if self.x.is_zero() {
            return Exact::Zero { negative };
        }
        let (fraction, exponent) = self.x.to_f64_exp();
        // The rest: x - fraction 2^exponent, exactly, then brought to the same scale.
        self.x >>= exponent;
        self.x -= fraction;
        let mut low = self.x.to_f64_round(Round::Zero);
        if self.x != low {
            // Round to odd.
            let sign = if self.x.is_sign_negative() { -1.0 } else { 1.0 };
            low = f64::from_bits(low.to_bits() | 1).copysign(sign);
        }
        Exact::Finite { high: fraction * 2.0, low: low * 2.0, exponent: exponent - 1 }
    }

    fn set(&mut self, value: f64) {
        self.x.assign(value);
    }

    fn nan(&mut self) {
        self.x.assign(Special::Nan);
    }

    /// x^y by C99's rules, which MPFR follows.
    fn pow(&mut self) {
        let power = Float::with_val(DIGITS, (&self.x).pow(&self.y));
        self.x.assign(&power);
    }
}

fn by_pi(call: &mut Call, cosine: bool) {
    // x modulo 2 is exact, and pi has more digits than needed.
    if !call.x.is_finite() {
        return call.nan();
    }
    let two = Float::with_val(DIGITS, 2);
    let sign = call.x.is_sign_negative();
    call.x.remainder_mut(&two);
    let turn = call.x.to_f64(); // exact: x had at most 53 digits
    let right = match (cosine, turn.abs()) {
        (false, 0.0 | 1.0) => Some(if sign { -0.0 } else { 0.0 }),
        (true, 0.5 | 1.5) => Some(0.0),
        (true, 0.0) => Some(1.0),
        (true, 1.0) => Some(-1.0),
        (false, 0.5) => Some(1f64.copysign(turn)),
        _ => None,
    };
    if let Some(right) = right {
        return call.set(right);
    }
    let mut wide = Float::with_val(WIDE, rug::float::Constant::Pi);
    wide *= turn;
    if cosine {
        wide.cos_mut();
    } else {
        wide.sin_mut();
    }
    call.x.assign(&wide);
}

fn tan_by_pi(call: &mut Call) {
    if !call.x.is_finite() {
        return call.nan();
    }
    let two = Float::with_val(DIGITS, 2);
    let negative = call.x.is_sign_negative();
    call.x.remainder_mut(&two);
    let turn = call.x.to_f64();
    let odd = turn.abs() == 1.0;
    match turn {
        // copysign(0, n) for even n, copysign(0, -n) for odd n.
        _ if turn == 0.0 || odd => call.set(if negative == odd { 0.0 } else { -0.0 }),
        // n + 1/2: n even is +inf.
        0.5 => call.set(f64::INFINITY),
        -0.5 => call.set(f64::NEG_INFINITY),
        _ => {
            let mut wide = Float::with_val(WIDE, rug::float::Constant::Pi);
            wide *= turn;
            wide.tan_mut();
            call.x.assign(&wide);
        }
    }
}

/// Divides a value with spare digits by pi.
fn over_pi(call: &mut Call, function: fn(&mut Float, &Float)) {
    let mut wide = Float::with_val(WIDE, &call.x);
    let y = Float::with_val(WIDE, &call.y);
    function(&mut wide, &y);
    if wide.is_finite() && !wide.is_zero() {
        let pi = Float::with_val(WIDE, rug::float::Constant::Pi);
        wide /= pi;
        // Restores quotients that are exact, such as 1/2: the division leaves an error in the last
        // digits.
        let near = Float::with_val(60, &wide);
        let off = Float::with_val(60, &wide - &near).abs();
        let limit = Float::with_val(60, &near >> 200u32).abs();
        if off <= limit {
            wide.assign(&near);
        }
    }
    call.x.assign(&wide);
}

fn degrees(call: &mut Call, from_radians: bool) {
    if !call.x.is_finite() || call.x.is_zero() {
        return;
    }
    let mut wide = Float::with_val(WIDE, rug::float::Constant::Pi);
    wide /= 180;
    if from_radians {
        wide.recip_mut();
    }
    wide *= &call.x;
    call.x.assign(&wide);
}

fn maximum(call: &mut Call, magnitude: bool, least: bool) {
    let (x, y) = (call.x.to_f64(), call.y.to_f64());
    let by_size = magnitude && x.abs() != y.abs() && !x.is_nan() && !y.is_nan();
    let first = if by_size { (x.abs() > y.abs()) != least } else { (x > y) != least && x != y };
    call.set(if x.is_nan() || (!first && !y.is_nan()) { y } else { x });
}

fn next_after(call: &mut Call) {
    let (x, y, format) = (call.x.to_f64(), call.y.to_f64(), call.format);
    if x.is_nan() || y.is_nan() {
        return call.nan();
    }
    if x == y {
        return call.set(y);
    }
    if x == 0.0 {
        return call.set(format.value(1).copysign(y));
    }
    let bits = format.bits(x);
    let away = (y > x) == (x > 0.0);
    call.set(format.value(if away { bits + 1 } else { bits - 1 }));
}

fn fraction(call: &mut Call) {
    let x = call.x.to_f64();
    if x.is_nan() {
        return;
    }
    if x.is_infinite() || x == 0.0 {
        return call.set(0f64.copysign(x));
    }
    let whole = Float::with_val(DIGITS, call.x.floor_ref());
    let mut wide = Float::with_val(1200, &call.x);
    wide -= &whole;
    // fmin(x - floor(x), the number below 1)
    let below = call.format.value(call.format.bits(1.0) - 1);
    if wide > below {
        call.set(below)
    } else {
        call.x.assign(&wide)
    }
    if call.x.is_zero() {
        call.set(0.0);
    }
}

fn modulo(call: &mut Call, nearest: bool) {
    // A quotient of doubles is exact in a format with enough digits.
    let (x, y) = (call.x.to_f64(), call.y.to_f64());
    if x.is_nan() || y.is_nan() || x.is_infinite() || y == 0.0 {
        return call.nan();
    }
    if y.is_infinite() || x == 0.0 {
        return call.set(x);
    }
    if nearest {
        call.x.remainder_mut(&call.y);
    } else {
        call.x %= &call.y;
    }
    if call.x.is_zero() {
        call.set(0f64.copysign(x));
    }
}

fn powr(call: &mut Call) {
    let (x, y) = (call.x.to_f64(), call.y.to_f64());
    let undefined = x.is_nan()
        || y.is_nan()
        || x < 0.0
        || (y == 0.0 && (x == 0.0 || x.is_infinite()))
        || (x == 1.0 && y.is_infinite());
    if undefined {
        return call.nan();
    }
    call.x.abs_mut();
    call.pow();
}

fn rootn(call: &mut Call) {
    let n = i64::from(call.n);
    let (x, odd) = (call.x.to_f64(), n & 1 != 0);
    if n == 0 || x.is_nan() || (x < 0.0 && !odd) {
        return call.nan();
    }
    if x == 0.0 || x.is_infinite() {
        let size = if (x == 0.0) == (n > 0) { 0.0 } else { f64::INFINITY };
        return call.set(if odd { size.copysign(x) } else { size });
    }
    let negative = x < 0.0;
    call.x.abs_mut();
    call.x.root_mut(n.unsigned_abs() as u32);
    if n < 0 {
        // The root has 136 digits, so an error in the last two of its reciprocal is harmless.
        call.x.recip_mut();
    }
    if negative {
        call.x.neg_assign();
    }
}

fn fdim(call: &mut Call) {
    let (x, y) = (call.x.to_f64(), call.y.to_f64());
    if x.is_nan() || y.is_nan() {
        call.nan();
    } else if x <= y {
        call.set(0.0);
    } else {
        sum(call, false);
    }
}

/// x + y or x - y, exactly.
fn sum(call: &mut Call, plus: bool) {
    widen(&mut call.x, 2200);
    if plus { call.x += &call.y } else { call.x -= &call.y }
}

/// Extends `x` to more digits.
fn widen(x: &mut Float, digits: u32) {
    if x.prec() < digits {
        x.set_prec(digits);
    }
}

/// The other allowed value of `mad`: product and sum both rounded.
fn twice(call: &mut Call) {
    let product = call.format.value(call.format.bits(call.x.to_f64() * call.y.to_f64()));
    call.set(product);
    if product.is_finite() && call.z.is_finite() {
        call.y.assign(&call.z);
        sum(call, true);
    } else {
        call.x += &call.z;
    }
}

/// The other value that [`crate::bound::Bound::MulAdd`] allows.
#[must_use]
pub fn alternative(name: &str) -> Option<Reference> {
    if name == "mad" { Some(twice) } else { None }
}

fn fused(call: &mut Call) {
    let (x, y, z) = (call.x.to_f64(), call.y.to_f64(), call.z.to_f64());
    if !(x.is_finite() && y.is_finite() && z.is_finite()) {
        return call.set(x.mul_add(y, z));
    }
    widen(&mut call.x, 4600);
    call.x *= &call.y;
    let negative_zero = call.x.is_zero() && call.x.is_sign_negative();
    call.x += &call.z;
    if call.x.is_zero() {
        call.set(if negative_zero && z.is_sign_negative() && z == 0.0 { -0.0 } else { 0.0 });
    }
}

fn exponent(call: &mut Call) {
    let x = call.x.to_f64();
    if x == 0.0 {
        call.set(f64::NEG_INFINITY);
    } else if x.is_infinite() {
        call.set(f64::INFINITY);
    } else if !x.is_nan() {
        call.set(f64::from(crate::exact::split(x).1));
    }
}

fn significand(call: &mut Call) {
    let x = call.x.to_f64();
    if x != 0.0 && x.is_finite() {
        call.set(crate::exact::split(x).0 / 2.0);
    }
}

fn whole(call: &mut Call, function: fn(&mut Float)) {
    let x = call.x.to_f64();
    if x.is_finite() && x != 0.0 {
        function(&mut call.x);
        if call.x.is_zero() {
            call.set(0f64.copysign(x));
        }
    }
}

fn gamma(call: &mut Call) {
    let x = call.x.to_f64();
    if x < -200.0 && x.is_finite() && x != x.floor() {
        // Smaller than every number, where MPFR would be slow.
        call.set(if x.floor() % 2.0 == 0.0 { 1.0 } else { -1.0 });
        call.x >>= 2000;
    } else if x > 200.0 {
        call.set(f64::INFINITY);
    } else {
        call.x.gamma_mut();
    }
}

fn int_exponent(call: &mut Call) {
    let x = call.x.to_f64();
    call.set(if x == 0.0 {
        f64::from(i32::MIN) // FP_ILOGB0
    } else if x.is_finite() {
        f64::from(crate::exact::split(x).1)
    } else {
        f64::from(i32::MAX) // FP_ILOGBNAN; C99 requires the same for infinity
    });
}

fn gamma_sign(call: &mut Call) {
    let x = call.x.to_f64();
    let pole = x == 0.0 || (x < 0.0 && x == x.floor() && x.is_finite());
    call.set(if pole {
        0.0
    } else if x < 0.0 && x.is_finite() && x.floor() % 2.0 != 0.0 {
        -1.0
    } else {
        1.0
    });
}

fn int_quotient(call: &mut Call) {
    let (x, y) = (call.x.to_f64(), call.y.to_f64());
    if !x.is_finite() || y.is_nan() || y == 0.0 || x == 0.0 || y.is_infinite() {
        return call.set(0.0);
    }
    // (x - remainder) / y is an integer with as many digits as the difference of the exponents.
    let mut quotient = Float::with_val(2200, &call.x);
    call.x.remainder_mut(&call.y);
    quotient -= &call.x;
    quotient /= &call.y;
    quotient %= 128;
    call.x.assign(&quotient);
    if call.x.is_zero() {
        call.set(0.0);
    }
}

/// The low seven bits of a quotient with its sign, as `remquo` returns them.
#[must_use]
pub fn low_bits(quotient: f64) -> f64 {
    quotient % 128.0
}

fn reciprocal(call: &mut Call) {
    call.x.recip_mut();
}

fn quotient(call: &mut Call) {
    call.x /= &call.y;
}

/// The reference of a function of the catalogue.
#[must_use]
pub fn find(name: &str) -> Option<Reference> {
    Some(match name {
        "add" => |c| sum(c, true),
        "subtract" => |c| sum(c, false),
        "multiply" => |c| c.x *= &c.y,
        "degrees" => |c| degrees(c, true),
        "radians" => |c| degrees(c, false),
        "divide" => quotient,
        "reciprocal" | "recip" => reciprocal,
        "acos" => |c| c.x.acos_mut(),
        "acosh" => |c| c.x.acosh_mut(),
        "acospi" => |c| over_pi(c, |x, _| x.acos_mut()),
        "asin" => |c| c.x.asin_mut(),
        "asinh" => |c| c.x.asinh_mut(),
        "asinpi" => |c| over_pi(c, |x, _| x.asin_mut()),
        "atan" => |c| c.x.atan_mut(),
        "atan2" => |c| {
            let y = c.y.clone();
            c.x.atan2_mut(&y);
        },
        "atan2pi" => |c| over_pi(c, |y, x| y.atan2_mut(x)),
        "atanh" => |c| c.x.atanh_mut(),
        "atanpi" => |c| over_pi(c, |x, _| x.atan_mut()),
        "cbrt" => |c| c.x.cbrt_mut(),
        "ceil" => |c| whole(c, Float::ceil_mut),
        "copysign" => |c| {
            let x = c.x.to_f64();
            if !x.is_nan() {
                c.set(if c.negative { -x.abs() } else { x.abs() });
            }
        },
        "cos" | "sincos: cosine" => |c| c.x.cos_mut(),
        "cosh" => |c| c.x.cosh_mut(),
        "cospi" => |c| by_pi(c, true),
        "erf" => |c| c.x.erf_mut(),
        "erfc" => |c| c.x.erfc_mut(),
        "exp" => |c| c.x.exp_mut(),
        "exp10" => |c| c.x.exp10_mut(),
        "exp2" => |c| c.x.exp2_mut(),
        "expm1" => |c| c.x.exp_m1_mut(),
        "fabs" => |c| c.x.abs_mut(),
        "fdim" => fdim,
        "floor" => |c| whole(c, Float::floor_mut),
        "fma" | "mad" => fused,
        "fmax" => |c| maximum(c, false, false),
        "fmin" => |c| maximum(c, false, true),
        "fmod" => |c| modulo(c, false),
        "fract" => fraction,
        "fract: whole part" => |c| whole(c, Float::floor_mut),
        "frexp" => significand,
        "frexp: exponent" => |c| {
            let x = c.x.to_f64();
            c.set(if x == 0.0 || !x.is_finite() {
                0.0
            } else {
                f64::from(crate::exact::split(x).1 + 1)
            });
        },
        "ilogb" => int_exponent,
        "lgamma_r: sign" => gamma_sign,
        "remquo: quotient" => int_quotient,
        "hypot" => |c| {
            let y = c.y.clone();
            c.x.hypot_mut(&y);
        },
        "ldexp" => |c| c.x <<= c.n,
        "lgamma" | "lgamma_r" => |c| {
            if c.x.is_infinite() {
                c.set(f64::INFINITY);
            } else {
                c.x.ln_abs_gamma_mut();
            }
        },
        "log" => |c| c.x.ln_mut(),
        "log10" => |c| c.x.log10_mut(),
        "log1p" => |c| c.x.ln_1p_mut(),
        "log2" => |c| c.x.log2_mut(),
        "logb" => exponent,
        "maxmag" => |c| maximum(c, true, false),
        "minmag" => |c| maximum(c, true, true),
        "modf" => |c| {
            let x = c.x.to_f64();
            if !x.is_nan() {
                c.set(if x.is_infinite() { 0f64 } else { x.fract() }.copysign(x));
            }
        },
        "modf: whole part" | "trunc" => |c| whole(c, Float::trunc_mut),
        "nextafter" => next_after,
        "pow" => Call::pow,
        "pown" => |c| {
            let n = f64::from(c.n);
            c.y.assign(n);
            c.pow();
        },
        "powr" => powr,
        "remainder" | "remquo" => |c| modulo(c, true),
        "rint" => |c| whole(c, Float::round_even_mut),
        "rootn" => rootn,
        "round" => |c| whole(c, Float::round_mut),
        "rsqrt" => |c| {
            if c.x.is_zero() {
                c.set(f64::INFINITY.copysign(if c.x.is_sign_negative() { -1.0 } else { 1.0 }));
            } else {
                c.x.recip_sqrt_mut();
            }
        },
        "sin" | "sincos: sine" => |c| c.x.sin_mut(),
        "sinh" => |c| c.x.sinh_mut(),
        "sinpi" => |c| by_pi(c, false),
        "sqrt" => |c| c.x.sqrt_mut(),
        "tan" => |c| c.x.tan_mut(),
        "tanh" => |c| c.x.tanh_mut(),
        "tanpi" => tan_by_pi,
        "tgamma" => gamma,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::{Call, find};
    use crate::catalogue::{FUNCTIONS, Parameters};
    use crate::exact::Exact;
    use crate::format::Format;

    fn value(name: &str, arguments: &[f64], n: i32) -> Exact {
        Call::new(Format::Double).value(find(name).unwrap(), arguments, n)
    }

    #[test]
    fn every_function_has_a_reference() {
        for function in FUNCTIONS {
            assert!(find(function.reference()).is_some(), "{}", function.name);
        }
    }

    #[test]
    fn exact_cases_are_exact() {
        let table: &[(&str, &[f64], f64)] = &[
            ("exp", &[0.0], 1.0),
            ("exp2", &[-1074.0], 5e-324),
            ("exp10", &[3.0], 1000.0),
            ("log2", &[1024.0], 10.0),
            ("log10", &[1e15], 15.0),
            ("log", &[1.0], 0.0),
            ("sin", &[-0.0], -0.0),
            ("cos", &[0.0], 1.0),
            ("sinpi", &[0.5], 1.0),
            ("sinpi", &[-3.0], -0.0),
            ("cospi", &[1.5], 0.0),
            ("cospi", &[3.0], -1.0),
            ("tanpi", &[0.5], f64::INFINITY),
            ("tanpi", &[-0.5], f64::NEG_INFINITY),
            ("tanpi", &[0.25], 1.0),
            ("tanpi", &[1.0], -0.0),
            ("tanpi", &[-1.0], 0.0),
            ("atanpi", &[1.0], 0.25),
            ("asinpi", &[-1.0], -0.5),
            ("acospi", &[-1.0], 1.0),
            ("acospi", &[1.0], 0.0),
            ("atan2pi", &[0.0, -0.0], 1.0),
            ("atan2pi", &[-3.0, 3.0], -0.25),
            ("atan2", &[-0.0, 5.0], -0.0),
            ("sqrt", &[49.0], 7.0),
            ("cbrt", &[-343.0], -7.0),
            ("hypot", &[3.0, 4.0], 5.0),
            ("pow", &[3.0, 4.0], 81.0),
            ("pow", &[-0.0, -3.0], f64::NEG_INFINITY),
            ("powr", &[0.0, 0.0], f64::NAN),
            ("powr", &[-0.0, 2.0], 0.0),
            ("powr", &[-1.0, 2.0], f64::NAN),
            ("tgamma", &[6.0], 120.0),
            ("tgamma", &[-1.0], f64::NAN),
            ("lgamma", &[2.0], 0.0),
            ("erf", &[f64::INFINITY], 1.0),
            ("fmod", &[-7.5, 2.0], -1.5),
            ("fmod", &[-6.0, 2.0], -0.0),
            ("fmod", &[1.0, f64::INFINITY], 1.0),
            ("remainder", &[7.5, 2.0], -0.5),
            ("remainder", &[1.071_508_607_186_267_3e301, 3.0], 1.0),
            ("rint", &[-0.5], -0.0),
            ("rint", &[2.5], 2.0),
            ("round", &[2.5], 3.0),
            ("fract", &[-0.25], 0.75),
            ("fract", &[-1e-300], 1.0 - f64::EPSILON / 2.0),
            ("modf", &[-2.5], -0.5),
            ("frexp", &[5e-324], 0.5),
            ("logb", &[5e-324], -1074.0),
            ("ilogb", &[0.0], -2_147_483_648.0),
            ("frexp: exponent", &[-8.0], 4.0),
            ("lgamma_r: sign", &[-0.5], -1.0),
            ("lgamma_r: sign", &[-1.5], 1.0),
            ("lgamma_r: sign", &[-3.0], 0.0),
            ("remquo: quotient", &[-29.0, 2.0], -14.0),
            ("remquo: quotient", &[1000.0, 1.0], 104.0),
            ("nextafter", &[1.0, 0.0], 1.0 - f64::EPSILON / 2.0),
            ("nextafter", &[0.0, -1.0], -5e-324),
            ("fmax", &[f64::NAN, 1.0], 1.0),
            ("fmin", &[2.0, 1.0], 1.0),
            ("maxmag", &[-2.0, 1.0], -2.0),
            ("minmag", &[-2.0, 2.0], -2.0),
            ("fdim", &[1.0, 3.0], 0.0),
            ("fma", &[3.0, 5.0, -15.0], 0.0),
            ("copysign", &[3.0, -0.0], -3.0),
            ("degrees", &[-0.0], -0.0),
        ];
        for (name, arguments, expected) in table {
            let got = value(name, arguments, 0);
            let same = got == Exact::from(*expected);
            assert!(same, "{name}{arguments:?}: {got:?} for {expected}");
        }
        assert_eq!(value("ldexp", &[3.0], -2), Exact::from(0.75));
        assert_eq!(value("pown", &[-2.0], 3), Exact::from(-8.0));
        assert_eq!(value("rootn", &[-8.0], 3), Exact::from(-2.0));
        assert_eq!(value("rootn", &[4.0], -2), Exact::from(0.5));
        assert_eq!(value("rootn", &[-4.0], 2), Exact::Nan);
        assert_eq!(value("rootn", &[-0.0], -3), Exact::from(f64::NEG_INFINITY));
    }

    /// The C library is accurate to a few units of a double, so a wrong reference is detected.
    #[test]
    fn agrees_with_the_c_library() {
        for function in FUNCTIONS.iter().filter(|function| function.parameters == Parameters::Unary)
        {
            let Some(estimate) = crate::estimate::find(function.reference()) else { continue };
            for nth in 1..200 {
                let x = f64::from(nth) * 0.37 - 30.0;
                let expected = estimate(x);
                let got = value(function.reference(), &[x], 0);
                let same = if expected.is_nan() {
                    got == Exact::Nan
                } else {
                    got.error(Format::Double, expected) < 64.0
                        || (got.approximate() - expected).abs() < 1e-15
                };
                assert!(same, "{}({x}): {got:?}, the C library says {expected}", function.name);
            }
        }
    }

    /// A deliberately wrong function is detected.
    #[test]
    fn a_wrong_function_is_out_of_bound() {
        use crate::bound::{Freedom, judge};
        for function in FUNCTIONS.iter().filter(|function| function.parameters == Parameters::Unary)
        {
            for format in Format::ALL {
                let Some(bound) = function.bound(format) else { continue };
                let crate::bound::Bound::Ulp(ulp) = bound else { continue };
                let steps = if function.name.starts_with("half_") { 8193 } else { ulp as u64 + 1 };
                let x = if function.name == "acosh" { 1.75 } else { 0.75 };
                let exact = value(function.reference(), &[x], 0);
                let right = format.bits(exact.approximate());
                if right == 0 {
                    continue;
                }
                let verdict = |bits: u64| {
                    judge(
                        bound,
                        Freedom::default(),
                        format,
                        format.value(bits),
                        exact,
                        &[x],
                        &mut || None,
                    )
                };
                assert!(
                    verdict(right).kept && verdict(right).error <= 0.5,
                    "{} {format:?}",
                    function.name
                );
                for wrong in
                    [right + steps, right - steps, right ^ format.sign(), format.infinity()]
                {
                    assert!(
                        !verdict(wrong).kept,
                        "{} {format:?}: {wrong:x} for {right:x}",
                        function.name
                    );
                }
            }
        }
    }
}
