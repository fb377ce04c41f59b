//! The error bounds of the specification, and their application to a result.

use crate::exact::Exact;
use crate::format::Format;

/// A bound in the specification's tables of relative errors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bound {
    /// An error of at most this number of units in the last place.
    Ulp(f64),
    /// Correctly rounded.
    Correct,
    /// Implementation-defined.
    Open,
    /// A bound in units in the last place if the size of the first argument is in the range; none
    /// outside.
    UlpWithin(f64, f64, f64),
    /// The same, for both arguments of a division.
    UlpBothWithin(f64, f64, f64),
    /// An absolute error if the argument's size is at most the second number; none outside.
    AbsoluteUpTo(f64, f64),
    /// Relaxed `exp`: `3 + floor(fabs(2 x))` units in the last place.
    Exponential,
    /// Relaxed `log`: an absolute error of 2^-21 in `[0.5, 2]`, 3 units in the last place
    /// elsewhere.
    Logarithm,
    /// A product and a sum, rounded once or twice (`mad`).
    MulAdd,
}

impl Bound {
    /// The bound's text in the tables of `docs/accuracy.md`.
    #[must_use]
    pub fn text(self) -> String {
        match self {
            Self::Ulp(0.0) => "exact".to_owned(),
            Self::Ulp(ulp) => format!("{ulp}"),
            Self::Correct => "correctly rounded".to_owned(),
            Self::Open => "implementation-defined".to_owned(),
            Self::UlpWithin(ulp, from, to) | Self::UlpBothWithin(ulp, from, to) => {
                let power =
                    |x: f64| if x == 0.0 { "0".to_owned() } else { format!("2^{}", x.log2()) };
                format!("{ulp}, sizes {} to {}", power(from), power(to))
            }
            Self::AbsoluteUpTo(error, to) => {
                let to = if to == 1.0 { "1" } else { "pi" };
                format!("absolute 2^{}, sizes to {to}", error.log2())
            }
            Self::Exponential => "3 + floor(2 abs x)".to_owned(),
            Self::Logarithm => "3; absolute 2^-21 in [0.5, 2]".to_owned(),
            Self::MulAdd => "rounded once or twice".to_owned(),
        }
    }

    /// True if the bound holds for these arguments.
    #[must_use]
    pub fn covers(self, arguments: &[f64]) -> bool {
        let within = |x: f64, from: f64, to: f64| (from..=to).contains(&x.abs());
        match self {
            Self::UlpWithin(_, from, to) => within(arguments[0], from, to),
            Self::UlpBothWithin(_, from, to) => arguments.iter().all(|x| within(*x, from, to)),
            Self::AbsoluteUpTo(_, to) => arguments[0].abs() <= to,
            _ => true,
        }
    }

    /// True if a result with this error in units in the last place keeps the bound. `rounded` says
    /// that the result is correctly rounded.
    #[must_use]
    pub fn holds(self, error: f64, absolute: f64, rounded: bool, arguments: &[f64]) -> bool {
        if error == 0.0 {
            return true; // a NaN has no absolute error
        }
        match self {
            Self::Ulp(ulp) | Self::UlpWithin(ulp, ..) | Self::UlpBothWithin(ulp, ..) => {
                error <= ulp
            }
            Self::Correct | Self::MulAdd => rounded,
            Self::Open => true,
            Self::AbsoluteUpTo(bound, _) => absolute <= bound,
            Self::Exponential => error <= 3.0 + (2.0 * arguments[0].abs()).floor(),
            Self::Logarithm => {
                error <= 3.0 || (absolute <= 2f64.powi(-21) && (0.5..=2.0).contains(&arguments[0]))
            }
        }
    }
}

/// Deviations that build options allow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Freedom {
    /// Subnormal arguments and results may be flushed to zero.
    pub flush: bool,
    /// Arguments and results that are not finite may give any result.
    pub finite_only: bool,
    /// The sign of a zero is ignored.
    pub no_signed_zeros: bool,
}

/// The judgement of a result.
#[derive(Clone, Copy, Debug)]
pub struct Verdict {
    /// The error in units in the last place.
    pub error: f64,
    /// True if the result keeps the bound.
    pub kept: bool,
}

/// Compares the result `got` with the exact value. `flushed` is the exact value for flushed
/// subnormal arguments, where flushing is allowed.
#[must_use]
pub fn judge(
    bound: Bound,
    freedom: Freedom,
    format: Format,
    got: f64,
    exact: Exact,
    arguments: &[f64],
    flushed: &mut dyn FnMut() -> Option<Exact>,
) -> Verdict {
    let risk =
        freedom.finite_only && (arguments.iter().any(|x| !x.is_finite()) || exact.beyond(format));
    if risk || !bound.covers(arguments) {
        return Verdict { error: 0.0, kept: true };
    }
    let against = |exact: Exact| {
        let error = exact.error(format, got);
        let absolute = (got - exact.approximate()).abs();
        // The sign counts for zeros of the function's definition and for zeros by underflow.
        let sign = matches!(
            exact,
            Exact::Zero { negative } if got == 0.0 && got.is_sign_negative() != negative
        );
        let sign = sign && !freedom.no_signed_zeros && !freedom.flush;
        let kept = !sign && bound.holds(error, absolute, exact.rounds_to(format, got), arguments);
        Verdict { error: if sign { f64::INFINITY } else { error }, kept }
    };
    let verdict = against(exact);
    if verdict.kept || !freedom.flush {
        return verdict;
    }
    if got == 0.0 && exact.below_normal(format) {
        return Verdict { error: 0.0, kept: true };
    }
    match flushed().map(against) {
        Some(other) if other.kept => other,
        _ => verdict,
    }
}

#[cfg(test)]
mod tests {
    use super::{Bound, Freedom, judge};
    use crate::exact::Exact;
    use crate::format::Format;

    fn kept(bound: Bound, freedom: Freedom, got: f64, exact: f64) -> bool {
        judge(bound, freedom, Format::Float, got, Exact::from(exact), &[1.0, 1.0], &mut || None)
            .kept
    }

    #[test]
    fn bounds() {
        let strict = Freedom::default();
        let next = |steps: u32| f64::from(f32::from_bits(3f32.to_bits() + steps));
        assert!(kept(Bound::Ulp(4.0), strict, next(4), 3.0));
        assert!(!kept(Bound::Ulp(4.0), strict, next(5), 3.0));
        assert!(
            kept(Bound::Correct, strict, 3.0, 3.0) && !kept(Bound::Correct, strict, next(1), 3.0)
        );
        assert!(
            kept(Bound::Exponential, strict, next(5), 3.0)
                && !kept(Bound::Exponential, strict, next(6), 3.0)
        );
        assert!(kept(Bound::Open, strict, next(1000), 3.0));
        assert!(!kept(Bound::Ulp(4.0), strict, 0.0, -0.0), "the sign of zero counts");
    }

    #[test]
    fn what_a_bound_covers() {
        let bound = Bound::UlpBothWithin(2.5, 0.5, 4.0);
        assert!(
            bound.covers(&[-1.0, 4.0])
                && !bound.covers(&[1.0, 5.0])
                && !bound.covers(&[f64::NAN, 1.0])
        );
        assert!(
            Bound::AbsoluteUpTo(0.1, 3.0).covers(&[-3.0])
                && !Bound::AbsoluteUpTo(0.1, 3.0).covers(&[3.1])
        );
        assert!(Bound::Ulp(1.0).covers(&[f64::NAN]));
    }

    #[test]
    fn flushing() {
        let flush = Freedom { flush: true, ..Freedom::default() };
        let small = 2f64.powi(-130);
        assert!(!kept(Bound::Ulp(4.0), Freedom::default(), 0.0, small));
        assert!(
            kept(Bound::Ulp(4.0), flush, 0.0, small) && kept(Bound::Ulp(4.0), flush, -0.0, small)
        );
        assert!(!kept(Bound::Ulp(4.0), flush, 0.0, 2f64.powi(-126)));
    }
}
