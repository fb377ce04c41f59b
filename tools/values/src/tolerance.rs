//! How far a result may lie from the expected number.

use crate::{Element, Number};

/// Bounds for the difference between a result and the expected number. A number that keeps one of
/// them is accepted. Without any, numbers must be equal.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tolerance {
    /// Absolute difference.
    pub absolute: Option<f64>,
    /// Difference relative to the expected number.
    pub relative: Option<f64>,
    /// Units in the last place ([`ulps`]).
    pub ulps: Option<u64>,
}

impl Tolerance {
    /// Whether `found` is accepted where `wanted` is expected. NaN equals NaN.
    #[must_use]
    #[expect(clippy::float_cmp, reason = "exact unless a bound is given")]
    pub fn accepts(&self, element: Element, wanted: Number, found: Number) -> bool {
        let equal = match element {
            Element::Float(_) => {
                let (wanted, found) = (wanted.float(), found.float());
                wanted == found || (wanted.is_nan() && found.is_nan())
            }
            _ => wanted == found,
        };
        let difference = (wanted.float() - found.float()).abs();
        // An infinite difference is within an infinite relative bound.
        let within = |bound: f64| difference.is_finite() && difference <= bound;
        equal
            || self.absolute.is_some_and(within)
            || self.relative.is_some_and(|bound| within(bound * wanted.float().abs()))
            || self.ulps.is_some_and(|bound| {
                ulps(element, wanted, found).is_some_and(|distance| distance <= bound)
            })
    }
}

/// The distance of two numbers in the order of all numbers of `element`: 1 for neighbours, 0 for
/// the two zeros. `None` if one is NaN, or the type is an integer.
#[must_use]
pub fn ulps(element: Element, one: Number, other: Number) -> Option<u64> {
    let Element::Float(size) = element else { return None };
    if one.float().is_nan() || other.float().is_nan() {
        return None;
    }
    let rank = |number| {
        let mut bytes = Vec::new();
        element.put(number, &mut bytes);
        bytes.resize(8, 0);
        let bits = bytes.iter().rev().fold(0_i128, |bits, byte| bits << 8 | i128::from(*byte));
        // Numbers of one sign have the order of their bits.
        let sign = 1_i128 << (8 * size - 1);
        if bits & sign == 0 { bits } else { sign - bits }
    };
    u64::try_from((rank(one) - rank(other)).abs()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const F32: Element = Element::Float(4);

    #[test]
    fn neighbours_are_one_unit_apart() {
        let float = Number::Float;
        let next = f64::from(f32::from_bits(1.0_f32.to_bits() + 3));
        assert_eq!(ulps(F32, float(1.0), float(next)), Some(3));
        assert_eq!(ulps(F32, float(0.0), float(-0.0)), Some(0));
        let tiny = f64::from(f32::from_bits(1));
        assert_eq!(ulps(F32, float(-tiny), float(tiny)), Some(2));
        assert_eq!(ulps(Element::Float(8), float(1.0), float(1.0 + f64::EPSILON)), Some(1));
        assert_eq!(ulps(F32, float(f64::NAN), float(0.0)), None);
        assert_eq!(ulps(Element::Int(4), Number::Int(1), Number::Int(2)), None);
    }

    #[test]
    fn one_kept_bound_is_enough() {
        let accepts = |tolerance: Tolerance, found| {
            tolerance.accepts(F32, Number::Float(100.0), Number::Float(found))
        };
        let exact = Tolerance::default();
        assert!(accepts(exact, 100.0) && !accepts(exact, 100.5));
        let both = Tolerance { absolute: Some(0.1), relative: Some(0.01), ulps: None };
        assert!(accepts(both, 100.5) && !accepts(both, 102.0) && !accepts(both, f64::NAN));
        let units = Tolerance { ulps: Some(1), ..exact };
        assert!(accepts(units, f64::from(100_f32.next_up())) && !accepts(units, 100.001));
        assert!(!both.accepts(F32, Number::Float(f64::INFINITY), Number::Float(1.0)));
        assert!(exact.accepts(F32, Number::Float(f64::NAN), Number::Float(f64::NAN)));
    }
}
