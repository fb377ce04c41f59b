//! Exact values, and the error of a result in units in the last place, as the specification defines
//! them.

use crate::format::Format;

/// A function's value with unlimited precision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Exact {
    /// NaN.
    Nan,
    /// An infinity that is not an overflow.
    Infinite {
        /// True if negative.
        negative: bool,
    },
    /// An exact zero.
    Zero {
        /// True if negative.
        negative: bool,
    },
    /// The number `(high + low) 2^exponent`.
    Finite {
        /// The nearest number with 53 digits, with a magnitude in `[1, 2)`.
        high: f64,
        /// The rest, rounded to odd, so that rounding to fewer digits stays correct.
        low: f64,
        /// The power of two.
        exponent: i32,
    },
}

/// `x = m 2^e` with `1 <= |m| < 2`, for finite `x` that is not zero.
#[must_use]
pub fn split(x: f64) -> (f64, i32) {
    let (x, back) = if x.abs() < f64::MIN_POSITIVE { (x * 2f64.powi(64), 64) } else { (x, 0) };
    let field = ((x.to_bits() >> 52) & 0x7ff) as i32;
    (f64::from_bits((x.to_bits() & !(0x7ff << 52)) | (1023 << 52)), field - 1023 - back)
}

impl From<f64> for Exact {
    fn from(x: f64) -> Self {
        if x.is_nan() {
            Self::Nan
        } else if x.is_infinite() {
            Self::Infinite { negative: x < 0.0 }
        } else if x == 0.0 {
            Self::Zero { negative: x.is_sign_negative() }
        } else {
            let (high, exponent) = split(x);
            Self::Finite { high, low: 0.0, exponent }
        }
    }
}

/// A result in relation to the exact value.
struct Beside {
    /// The result less `high`, and `low`, both in units of `2^exponent`.
    off: f64,
    low: f64,
    /// The unit in the last place, in units of `2^exponent`.
    ulp: f64,
}

impl Exact {
    /// The nearest double.
    #[must_use]
    pub fn approximate(self) -> f64 {
        match self {
            Self::Nan => f64::NAN,
            Self::Infinite { negative } => {
                f64::INFINITY.copysign(if negative { -1.0 } else { 1.0 })
            }
            Self::Zero { negative } => 0f64.copysign(if negative { -1.0 } else { 1.0 }),
            // Two steps, because the power of two of a subnormal may not be representable.
            Self::Finite { high, low, exponent } => {
                let first = exponent.clamp(-1000, 1000);
                (high + low) * 2f64.powi(first) * 2f64.powi((exponent - first).clamp(-1000, 1000))
            }
        }
    }

    /// True if the value is NaN or infinite, or overflows the format.
    #[must_use]
    pub fn beyond(self, format: Format) -> bool {
        match self {
            Self::Nan | Self::Infinite { .. } => true,
            Self::Zero { .. } => false,
            Self::Finite { high, exponent, .. } => {
                exponent > format.emax()
                    || (exponent == format.emax()
                        && high.abs() >= 2.0 - 2f64.powi(-format.digits()))
            }
        }
    }

    /// True if the value is smaller than every normal number.
    #[must_use]
    pub fn below_normal(self, format: Format) -> bool {
        matches!(self, Self::Finite { exponent, .. } if exponent < format.emin())
    }

    fn beside(self, format: Format, got: f64) -> Option<Beside> {
        let Self::Finite { mut high, mut low, mut exponent } = self else { return None };
        // Infinity counts as the next power of two after the largest number.
        let edge = format.emax() + 1;
        if exponent >= edge {
            (high, low, exponent) = (1f64.copysign(high), 0.0, edge);
        }
        let below = high.abs() == 1.0 && low * high <= 0.0;
        let place = (exponent - i32::from(below)).max(format.emin()) - format.digits() + 1;
        let ulp = 2f64.powi((place - exponent).clamp(-1000, 1000));
        let scaled = if got == 0.0 {
            0.0
        } else {
            let (m, e) = if got.is_infinite() { (1f64.copysign(got), edge) } else { split(got) };
            m * 2f64.powi((e - exponent).clamp(-1000, 1000))
        };
        Some(Beside { off: scaled - high, low, ulp })
    }

    /// The error of `got`, a number of `format`, in units in the last place. If the exact value is
    /// NaN, infinite or zero, any other result has an infinite error.
    #[must_use]
    pub fn error(self, format: Format, got: f64) -> f64 {
        let right = match self {
            Self::Nan => got.is_nan(),
            Self::Infinite { negative } => got.is_infinite() && (got < 0.0) == negative,
            Self::Zero { .. } if !got.is_nan() && !got.is_infinite() => {
                return got.abs() / format.value(1);
            }
            Self::Zero { .. } => false,
            Self::Finite { .. } if got.is_nan() => false,
            Self::Finite { .. } => {
                let Some(at) = self.beside(format, got) else { return f64::INFINITY };
                return (at.off - at.low).abs() / at.ulp;
            }
        };
        if right { 0.0 } else { f64::INFINITY }
    }

    /// True if `got` is the exact value, rounded to nearest even.
    #[must_use]
    pub fn rounds_to(self, format: Format, got: f64) -> bool {
        let (Self::Finite { .. }, false) = (self, got.is_nan()) else {
            return self.error(format, got) == 0.0;
        };
        let Some(at) = self.beside(format, got) else { return false };
        let (from, to) = (at.off - at.ulp / 2.0, at.off + at.ulp / 2.0);
        if at.low == from || at.low == to {
            // A tie; infinity counts as even.
            return at.off == at.low || got.is_infinite() || format.bits(got) & 1 == 0;
        }
        from < at.low && at.low < to
    }
}

#[cfg(test)]
mod tests {
    use super::Exact;
    use crate::format::Format;

    #[test]
    fn errors_of_numbers_next_to_each_other() {
        for format in Format::ALL {
            for bits in [
                1,
                2,
                format.unit() - 1,
                format.unit() + 3,
                format.infinity() / 2 + 5,
                format.infinity() - 2,
            ] {
                let exact = Exact::from(format.value(bits));
                assert_eq!(exact.error(format, format.value(bits)), 0.0);
                assert_eq!(exact.error(format, format.value(bits + 1)), 1.0, "{format:?} {bits:x}");
                assert_eq!(exact.error(format, format.value(bits - 1)), 1.0, "{format:?} {bits:x}");
                assert!(exact.rounds_to(format, format.value(bits)));
                assert!(!exact.rounds_to(format, format.value(bits + 1)));
            }
            // Below a power of two the unit is smaller.
            let one = Exact::from(1.0);
            assert_eq!(one.error(format, format.value(format.bits(1.0) - 1)), 1.0);
            assert_eq!(one.error(format, format.value(format.bits(1.0) + 1)), 2.0);
        }
    }

    #[test]
    fn special_values() {
        assert_eq!(Exact::from(0.0).error(Format::Double, 0.0), 0.0);
        let nan = Exact::from(f64::NAN);
        let infinite = Exact::from(f64::INFINITY);
        let zero = Exact::from(-0.0);
        for format in Format::ALL {
            assert_eq!(nan.error(format, f64::NAN), 0.0);
            assert_eq!(nan.error(format, 1.0), f64::INFINITY);
            assert_eq!(infinite.error(format, f64::INFINITY), 0.0);
            assert_eq!(infinite.error(format, f64::NEG_INFINITY), f64::INFINITY);
            assert_eq!(infinite.error(format, f64::MAX), f64::INFINITY);
            assert_eq!(zero.error(format, 0.0), 0.0);
            assert_eq!(zero.error(format, format.value(1)), 1.0);
            assert_eq!(zero.error(format, f64::NAN), f64::INFINITY);
            assert_eq!(Exact::from(1.0).error(format, f64::NAN), f64::INFINITY);
        }
    }

    #[test]
    fn overflow() {
        for format in Format::ALL {
            let largest = format.value(format.infinity() - 1);
            assert_eq!(Exact::from(largest).error(format, f64::INFINITY), 1.0);
            let huge = Exact::Finite { high: 1.5, low: 0.0, exponent: 5000 };
            assert!(huge.beyond(format));
            assert_eq!(huge.error(format, f64::INFINITY), 0.0);
            assert!(huge.rounds_to(format, f64::INFINITY) && !huge.rounds_to(format, largest));
            assert_eq!(huge.error(format, largest), 1.0);
        }
    }

    #[test]
    fn ties_go_to_even() {
        // 1 + 2^-24 is halfway between two floats. With anything more, the upper one is correct.
        let tie = Exact::Finite { high: 1.0 + 2f64.powi(-24), low: 0.0, exponent: 0 };
        let above = Exact::Finite { high: 1.0 + 2f64.powi(-24), low: 2f64.powi(-90), exponent: 0 };
        let up = f64::from(f32::from_bits(0x3f80_0001));
        assert!(tie.rounds_to(Format::Float, 1.0) && !tie.rounds_to(Format::Float, up));
        assert!(!above.rounds_to(Format::Float, 1.0) && above.rounds_to(Format::Float, up));
        assert_eq!(tie.error(Format::Float, up), 0.5);
    }
}
