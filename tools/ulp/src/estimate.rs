//! Values good to about the digits of a double, from the C library: which results of a `float` function need MPFR.
//!
//! Invariant: nothing is judged by an estimate but that a result is far from being the worst; the caller checks a part of
//! all estimates against MPFR and gives them up when they are off.

use std::f64::consts::PI;

/// An estimate of a function of one argument.
pub type Estimate = fn(f64) -> f64;

/// `x - 2 k` without an error, for angles in units of pi.
fn turn(x: f64) -> f64 {
    x % 2.0
}

/// The estimate for a unary function of the catalogue, if the C library has one.
#[must_use]
pub fn find(name: &str) -> Option<Estimate> {
    Some(match name {
        "acos" => f64::acos,
        "acosh" => |x| {
            let t = x - 1.0;
            (t + (t * (x + 1.0)).sqrt()).ln_1p()
        },
        "acospi" => |x| x.acos() / PI,
        "asin" => f64::asin,
        "asinpi" => |x| x.asin() / PI,
        "atan" => f64::atan,
        "atanpi" => |x| x.atan() / PI,
        "cbrt" => f64::cbrt,
        "cos" | "sincos: cosine" => f64::cos,
        "cosh" => f64::cosh,
        "exp" => f64::exp,
        "exp2" => f64::exp2,
        "expm1" => f64::exp_m1,
        "log" => f64::ln,
        "log10" => f64::log10,
        "log1p" => f64::ln_1p,
        "log2" => f64::log2,
        "reciprocal" | "recip" => |x| 1.0 / x,
        "rsqrt" => |x| 1.0 / x.sqrt(),
        "sin" | "sincos: sine" => f64::sin,
        "sinh" => f64::sinh,
        "sinpi" => |x| (turn(x) * PI).sin(),
        "sqrt" => f64::sqrt,
        "tan" => f64::tan,
        "tanh" => f64::tanh,
        _ => return None,
    })
}
