//! Estimates from the C library, with almost the precision of a double. They determine which
//! results of `float` functions need MPFR.
//!
//! Invariant: an estimate only shows that a result is far from the worst. The caller checks some
//! estimates against MPFR and stops using them if they are wrong.

use std::f64::consts::PI;

use crate::format::Format;

/// An estimate of a function of one argument.
pub type Estimate = fn(f64) -> f64;

/// `x - 2 k`, exactly, for angles in units of pi.
fn turn(x: f64) -> f64 {
    x % 2.0
}

/// The estimate of a unary function of the catalogue, if the C library has the function.
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

/// An upper bound of the error of `got` in units in the last place, by an estimate; `None` if the
/// estimate does not suffice.
#[must_use]
pub fn error(format: Format, estimate: f64, got: f64) -> Option<f64> {
    let past = 2f64.powi(format.emax() + 1);
    let least = 2f64.powi(format.emin() - format.digits() + 1);
    if estimate.is_nan() || got.is_nan() {
        return if estimate.is_nan() && got.is_nan() { Some(0.0) } else { None };
    }
    let size = estimate.abs();
    if size >= past {
        return if got.is_infinite() && (got > 0.0) == (estimate > 0.0) { Some(0.0) } else { None };
    }
    if size < least / 1024.0 {
        // Underflow. Only MPFR knows the sign of a zero that is not an underflow.
        return if got == 0.0 && size > 0.0 { Some(1.0 / 1024.0) } else { None };
    }
    if size * 1.001 > past || got.is_infinite() {
        return None;
    }
    let (m, e) = crate::exact::split(size);
    // Below a power of two the unit is smaller.
    let near = m - 1.0 < 2f64.powi(-30);
    let place = (e - i32::from(near)).max(format.emin()) - format.digits() + 1;
    let unit = f64::from_bits(((1023 - place) as u64) << 52);
    Some((got - estimate).abs() * unit)
}

#[cfg(test)]
mod tests {
    use super::error;
    use crate::exact::Exact;
    use crate::format::Format;

    #[test]
    fn the_error_is_never_too_small() {
        let format = Format::Float;
        for bits in (0..0x7f80_0000_u64).step_by(0x3_1415) {
            for (near, off) in
                [(bits, 0.0), (bits, 0.3), (bits + 2, 0.1), (bits.saturating_sub(1), 0.2)]
            {
                let got = format.value(near);
                let exact = format.value(bits) * (1.0 + off * 2f64.powi(-24));
                let wanted = Exact::from(exact).error(format, got);
                if let Some(found) = error(format, exact, got) {
                    assert!(found >= wanted * 0.999_999, "{exact:e}, {got:e}: {found} < {wanted}");
                }
            }
        }
        assert_eq!(error(format, f64::NAN, 1.0), None);
        assert_eq!(error(format, 1e300, f64::INFINITY), Some(0.0));
        assert_eq!(error(format, 1e300, f64::NEG_INFINITY), None);
        assert_eq!(error(format, 0.0, 0.0), None);
        assert_eq!(error(format, 1.0, f64::INFINITY), None);
    }
}
