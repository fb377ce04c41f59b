//! The one table of functions: how they are called, and the specification's tables of their
//! accuracy (OpenCL 3.0, "Relative Error as ULPs", full profile).

use std::f64::consts::PI;

use crate::bound::Bound::{
    self, AbsoluteUpTo, Correct, Exponential, Logarithm, MulAdd, Open, Ulp, UlpBothWithin,
    UlpWithin,
};
use crate::format::Format;

/// The arguments of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// One.
    Unary,
    /// Two.
    Binary,
    /// A number and an `int`.
    WithInt,
    /// Three.
    Ternary,
}

/// A function, or one of the results of a function with several.
#[derive(Clone, Copy, Debug)]
pub struct Function {
    /// Its name, and the name of its reference.
    pub name: &'static str,
    /// Statements that give `r` from `x`, `y`, `z`, `n` (types `T` and `I`); empty for a call of
    /// `name`.
    pub call: &'static str,
    /// Its arguments.
    pub shape: Shape,
    /// The bounds of `float`, `double` and `half`, if the function has such a form.
    bounds: [Option<Bound>; 3],
    /// The bound of `float` with unsafe or relaxed mathematics, where the specification has one.
    pub relaxed: Option<Bound>,
    /// Where its arguments are worth a closer look: ranges from which they are taken uniformly.
    pub ranges: &'static [(f64, f64)],
    /// Whether a zero's sign is left open by the specification.
    pub any_zero: bool,
    /// Whether the result is an `int`.
    pub int: bool,
}

impl Function {
    /// The bound for `format`, if there is such a form.
    #[must_use]
    pub fn bound(&self, format: Format) -> Option<Bound> {
        match format {
            Format::Float => self.bounds[0],
            Format::Double => self.bounds[1],
            Format::Half => self.bounds[2],
        }
    }

    /// The name of the reference: `half_` and `native_` forms are measured against the function
    /// itself.
    #[must_use]
    pub fn reference(&self) -> &'static str {
        self.name
            .strip_prefix("half_")
            .or_else(|| self.name.strip_prefix("native_"))
            .unwrap_or(self.name)
    }

    const fn new(
        name: &'static str,
        shape: Shape,
        float: Bound,
        double: Bound,
        half: Bound,
    ) -> Self {
        Self {
            name,
            call: "",
            shape,
            bounds: [Some(float), Some(double), Some(half)],
            relaxed: None,
            ranges: &[],
            any_zero: false,
            int: false,
        }
    }

    const fn float(name: &'static str, shape: Shape, float: Bound) -> Self {
        let mut made = Self::new(name, shape, float, float, float);
        made.bounds = [Some(float), None, None];
        made
    }

    /// With other statements.
    #[must_use]
    pub const fn call(mut self, call: &'static str) -> Self {
        self.call = call;
        self
    }

    const fn relaxed(mut self, bound: Bound) -> Self {
        self.relaxed = Some(bound);
        self
    }

    const fn ranges(mut self, ranges: &'static [(f64, f64)]) -> Self {
        self.ranges = ranges;
        self
    }

    const fn int(mut self) -> Self {
        self.int = true;
        self
    }

    const fn any_zero(mut self) -> Self {
        self.any_zero = true;
        self
    }
}

const fn unary(name: &'static str, ulp: f64, half: f64) -> Function {
    Function::new(name, Shape::Unary, Ulp(ulp), Ulp(ulp), Ulp(half))
}

const fn binary(name: &'static str, ulp: f64, half: f64) -> Function {
    Function::new(name, Shape::Binary, Ulp(ulp), Ulp(ulp), Ulp(half))
}

const fn with_int(name: &'static str, ulp: f64, half: f64) -> Function {
    Function::new(name, Shape::WithInt, Ulp(ulp), Ulp(ulp), Ulp(half))
}

/// Exact or correctly rounded in every format.
const fn right(name: &'static str, shape: Shape, bound: Bound) -> Function {
    Function::new(name, shape, bound, bound, bound)
}

const ANGLES: &[(f64, f64)] = &[(-10.0, 10.0), (-1000.0, 1000.0), (-1e9, 1e9)];
const TURNS: &[(f64, f64)] = &[(-2.0, 2.0), (-300.0, 300.0)];
const UNIT: &[(f64, f64)] = &[(-1.0, 1.0), (0.9, 1.0), (-0.01, 0.01)];
const EXPONENTS: &[(f64, f64)] = &[(-1.0, 1.0), (-18.0, 12.0), (-104.0, 89.0), (-746.0, 710.0)];
const EXPONENTS2: &[(f64, f64)] = &[(-1.0, 1.0), (-26.0, 16.0), (-151.0, 129.0), (-1076.0, 1025.0)];
const EXPONENTS10: &[(f64, f64)] = &[(-1.0, 1.0), (-8.0, 5.0), (-46.0, 39.0), (-324.0, 309.0)];
const LOGS: &[(f64, f64)] = &[(0.4, 2.5), (0.99, 1.01), (0.0, 100.0)];
const WIDE: &[(f64, f64)] = &[(-4.0, 4.0), (-30.0, 30.0)];
const GAMMA: &[(f64, f64)] = &[(-3.0, 3.0), (0.5, 36.0), (-40.0, 0.0), (-180.0, 172.0)];
const PROBABLE: &[(f64, f64)] = &[(-1.0, 1.0), (-6.0, 11.0), (-6.0, 28.0)];
const WHOLES: &[(f64, f64)] = &[(-4.0, 4.0), (-100.0, 100.0), (-1e7, 1e7)];

/// Relaxed: derived from other functions, or within this.
const DERIVED: Bound = Ulp(8192.0);
const SINES: Bound = AbsoluteUpTo(1.0 / 2048.0, PI);
const PI_SINES: Bound = AbsoluteUpTo(1.0 / 2048.0, 1.0);
const ROUGH: Bound = Ulp(8192.0);

/// Every function with a row in `docs/accuracy.md`.
pub const FUNCTIONS: &[Function] = &[
    // Operators.
    right("add", Shape::Binary, Correct).call("r = x + y;"),
    right("subtract", Shape::Binary, Correct).call("r = x - y;"),
    right("multiply", Shape::Binary, Correct).call("r = x * y;"),
    Function::new("divide", Shape::Binary, Ulp(2.5), Correct, Correct)
        .call("r = x / y;")
        .relaxed(UlpBothWithin(2.5, 1.0 / TWO_62, TWO_62)),
    Function::new("reciprocal", Shape::Unary, Ulp(2.5), Correct, Correct)
        .call("r = (T)1 / x;")
        .relaxed(UlpWithin(2.5, 1.0 / TWO_126, TWO_126)),
    // Mathematical functions.
    unary("acos", 4.0, 2.0).relaxed(Ulp(4096.0)).ranges(UNIT),
    unary("acosh", 4.0, 2.0).relaxed(DERIVED).ranges(&[(1.0, 1.1), (1.0, 20.0)]),
    unary("acospi", 5.0, 2.0).relaxed(DERIVED).ranges(UNIT),
    unary("asin", 4.0, 2.0).relaxed(Ulp(4096.0)).ranges(UNIT),
    unary("asinh", 4.0, 2.0).relaxed(DERIVED).ranges(WIDE),
    unary("asinpi", 5.0, 2.0).relaxed(DERIVED).ranges(UNIT),
    unary("atan", 5.0, 2.0).relaxed(Ulp(4096.0)).ranges(WIDE),
    binary("atan2", 6.0, 2.0).relaxed(DERIVED).ranges(WIDE),
    binary("atan2pi", 6.0, 2.0).relaxed(DERIVED).ranges(WIDE),
    unary("atanh", 5.0, 2.0).relaxed(DERIVED).ranges(UNIT),
    unary("atanpi", 5.0, 2.0).relaxed(DERIVED).ranges(WIDE),
    unary("cbrt", 2.0, 2.0).relaxed(DERIVED).ranges(WIDE),
    right("ceil", Shape::Unary, Correct).ranges(WHOLES),
    right("copysign", Shape::Binary, Ulp(0.0)),
    unary("cos", 4.0, 2.0).relaxed(SINES).ranges(ANGLES),
    unary("cosh", 4.0, 2.0).relaxed(DERIVED).ranges(EXPONENTS),
    unary("cospi", 4.0, 2.0).relaxed(PI_SINES).ranges(TURNS),
    unary("erf", 16.0, 4.0).ranges(PROBABLE),
    unary("erfc", 16.0, 4.0).ranges(PROBABLE),
    unary("exp", 3.0, 2.0).relaxed(Exponential).ranges(EXPONENTS),
    unary("exp10", 3.0, 2.0).relaxed(DERIVED).ranges(EXPONENTS10),
    unary("exp2", 3.0, 2.0).relaxed(Exponential).ranges(EXPONENTS2),
    unary("expm1", 3.0, 2.0).relaxed(DERIVED).ranges(EXPONENTS),
    right("fabs", Shape::Unary, Ulp(0.0)),
    right("fdim", Shape::Binary, Correct),
    right("floor", Shape::Unary, Correct).ranges(WHOLES),
    right("fma", Shape::Ternary, Correct),
    right("fmax", Shape::Binary, Ulp(0.0)).any_zero(),
    right("fmin", Shape::Binary, Ulp(0.0)).any_zero(),
    right("fmod", Shape::Binary, Ulp(0.0)).ranges(WHOLES),
    right("fract", Shape::Unary, Correct).call("T t; r = fract(x, &t);").ranges(WHOLES),
    right("fract: whole part", Shape::Unary, Correct).call("fract(x, &r);").ranges(WHOLES),
    right("frexp", Shape::Unary, Ulp(0.0)).call("I k; r = frexp(x, &k);"),
    right("frexp: exponent", Shape::Unary, Ulp(0.0)).call("frexp(x, &r);").int(),
    binary("hypot", 4.0, 2.0).ranges(WIDE),
    right("ilogb", Shape::Unary, Ulp(0.0)).int(),
    with_int("ldexp", 0.0, 0.0).correct(),
    right("lgamma", Shape::Unary, Open).ranges(GAMMA),
    right("lgamma_r", Shape::Unary, Open).call("I k; r = lgamma_r(x, &k);").ranges(GAMMA),
    right("lgamma_r: sign", Shape::Unary, Ulp(0.0)).call("lgamma_r(x, &r);").ranges(GAMMA).int(),
    unary("log", 3.0, 2.0).relaxed(Logarithm).ranges(LOGS),
    unary("log10", 3.0, 2.0).relaxed(Logarithm).ranges(LOGS),
    unary("log1p", 2.0, 2.0).relaxed(DERIVED).ranges(&[(-1.0, 1.0), (-0.01, 0.01), (-1.0, 100.0)]),
    unary("log2", 3.0, 2.0).relaxed(Logarithm).ranges(LOGS),
    right("logb", Shape::Unary, Ulp(0.0)),
    right("mad", Shape::Ternary, MulAdd).relaxed(MulAdd),
    right("maxmag", Shape::Binary, Ulp(0.0)).any_zero(),
    right("minmag", Shape::Binary, Ulp(0.0)).any_zero(),
    right("modf", Shape::Unary, Ulp(0.0)).call("T t; r = modf(x, &t);").ranges(WHOLES),
    right("modf: whole part", Shape::Unary, Ulp(0.0)).call("modf(x, &r);").ranges(WHOLES),
    right("nextafter", Shape::Binary, Ulp(0.0)).any_zero(),
    binary("pow", 16.0, 4.0).relaxed(DERIVED).ranges(WIDE),
    with_int("pown", 16.0, 4.0).relaxed(DERIVED).ranges(WIDE),
    binary("powr", 16.0, 4.0).relaxed(DERIVED).ranges(WIDE),
    right("remainder", Shape::Binary, Ulp(0.0)).ranges(WHOLES),
    right("remquo", Shape::Binary, Ulp(0.0)).call("I k; r = remquo(x, y, &k);").ranges(WHOLES),
    right("remquo: quotient", Shape::Binary, Ulp(0.0))
        .call("remquo(x, y, &r);")
        .ranges(WHOLES)
        .int(),
    right("rint", Shape::Unary, Correct).ranges(WHOLES),
    with_int("rootn", 16.0, 4.0).relaxed(DERIVED).ranges(WIDE),
    right("round", Shape::Unary, Correct).ranges(WHOLES),
    unary("rsqrt", 2.0, 1.0).ranges(WIDE),
    unary("sin", 4.0, 2.0).relaxed(SINES).ranges(ANGLES),
    unary("sincos: sine", 4.0, 2.0).relaxed(SINES).ranges(ANGLES).call("T t; r = sincos(x, &t);"),
    unary("sincos: cosine", 4.0, 2.0).relaxed(SINES).ranges(ANGLES).call("sincos(x, &r);"),
    unary("sinh", 4.0, 2.0).relaxed(DERIVED).ranges(EXPONENTS),
    unary("sinpi", 4.0, 2.0).relaxed(PI_SINES).ranges(TURNS),
    Function::new("sqrt", Shape::Unary, Ulp(3.0), Correct, Correct).ranges(WIDE),
    unary("tan", 5.0, 2.0).relaxed(DERIVED).ranges(ANGLES),
    unary("tanh", 5.0, 2.0).relaxed(DERIVED).ranges(WIDE),
    unary("tanpi", 6.0, 2.0).relaxed(UlpWithin(8192.0, 0.0, 1.0)).ranges(TURNS),
    unary("tgamma", 16.0, 4.0).ranges(GAMMA),
    right("trunc", Shape::Unary, Correct).ranges(WHOLES),
    // Common functions with a bound.
    unary("degrees", 2.0, 2.0).ranges(WIDE),
    unary("radians", 2.0, 2.0).ranges(WIDE),
    // Forms with their own statement of accuracy.
    Function::float("half_cos", Shape::Unary, ROUGH).ranges(ANGLES),
    Function::float("half_divide", Shape::Binary, ROUGH),
    Function::float("half_exp", Shape::Unary, ROUGH).ranges(EXPONENTS),
    Function::float("half_exp10", Shape::Unary, ROUGH).ranges(EXPONENTS10),
    Function::float("half_exp2", Shape::Unary, ROUGH).ranges(EXPONENTS2),
    Function::float("half_log", Shape::Unary, ROUGH).ranges(LOGS),
    Function::float("half_log10", Shape::Unary, ROUGH).ranges(LOGS),
    Function::float("half_log2", Shape::Unary, ROUGH).ranges(LOGS),
    Function::float("half_powr", Shape::Binary, ROUGH).ranges(WIDE),
    Function::float("half_recip", Shape::Unary, ROUGH),
    Function::float("half_rsqrt", Shape::Unary, ROUGH),
    Function::float("half_sin", Shape::Unary, ROUGH).ranges(ANGLES),
    Function::float("half_sqrt", Shape::Unary, ROUGH),
    Function::float("half_tan", Shape::Unary, ROUGH).ranges(ANGLES),
    Function::float("native_cos", Shape::Unary, Open).ranges(ANGLES),
    Function::float("native_divide", Shape::Binary, Open),
    Function::float("native_exp", Shape::Unary, Open).ranges(EXPONENTS),
    Function::float("native_exp10", Shape::Unary, Open).ranges(EXPONENTS10),
    Function::float("native_exp2", Shape::Unary, Open).ranges(EXPONENTS2),
    Function::float("native_log", Shape::Unary, Open).ranges(LOGS),
    Function::float("native_log10", Shape::Unary, Open).ranges(LOGS),
    Function::float("native_log2", Shape::Unary, Open).ranges(LOGS),
    Function::float("native_powr", Shape::Binary, Open).ranges(WIDE),
    Function::float("native_recip", Shape::Unary, Open),
    Function::float("native_rsqrt", Shape::Unary, Open),
    Function::float("native_sin", Shape::Unary, Open).ranges(ANGLES),
    Function::float("native_sqrt", Shape::Unary, Open),
    Function::float("native_tan", Shape::Unary, Open).ranges(ANGLES),
];

const TWO_62: f64 = (1u64 << 62) as f64;
const TWO_126: f64 = TWO_62 * TWO_62 * 4.0;

impl Function {
    const fn correct(mut self) -> Self {
        self.bounds = [Some(Correct); 3];
        self
    }
}

/// The function of that name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Function> {
    FUNCTIONS.iter().find(|function| function.name == name)
}

#[cfg(test)]
mod tests {
    use super::FUNCTIONS;
    use crate::format::Format;

    #[test]
    fn names_are_unique_and_every_function_has_a_bound() {
        for (nth, function) in FUNCTIONS.iter().enumerate() {
            assert!(
                !FUNCTIONS[..nth].iter().any(|other| other.name == function.name),
                "{}",
                function.name
            );
            assert!(
                Format::ALL.iter().any(|format| function.bound(*format).is_some()),
                "{}",
                function.name
            );
        }
    }
}
