//! The table of functions: their calls, and their bounds in the specification (OpenCL C 3.0,
//! "Relative Error as ULPs", full profile).

use std::f64::consts::PI;

use crate::bound::Bound::{
    self, AbsoluteUpTo, Correct, Exponential, Logarithm, MulAdd, Open, Ulp, UlpBothWithin,
    UlpWithin,
};
use crate::format::Format;

/// The parameters of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parameters {
    /// One number.
    Unary,
    /// Two numbers.
    Binary,
    /// A number and an `int`.
    WithInt,
    /// Three numbers.
    Ternary,
}

/// A function, or one result of a function with several.
#[derive(Clone, Copy, Debug)]
pub struct Function {
    /// The name of the row and of the reference.
    pub name: &'static str,
    /// Statements that compute `r` from `x`, `y`, `z` and `n`, with types `T` and `I`. Empty for a
    /// call of `name`.
    pub call: &'static str,
    /// The parameters.
    pub parameters: Parameters,
    /// The bounds of `float`, `double` and `half`; `None` if the function does not have the type.
    bounds: [Option<Bound>; 3],
    /// The bound of `float` with relaxed arithmetic, if the specification has one.
    pub relaxed: Option<Bound>,
    /// Difficult ranges, from which arguments are taken uniformly.
    pub ranges: &'static [(f64, f64)],
    /// True if the specification leaves the sign of a zero open.
    pub any_zero: bool,
    /// True if the result is an `int`.
    pub int: bool,
}

impl Function {
    /// The bound for `format`, if the function has the type.
    #[must_use]
    pub fn bound(&self, format: Format) -> Option<Bound> {
        match format {
            Format::Float => self.bounds[0],
            Format::Double => self.bounds[1],
            Format::Half => self.bounds[2],
        }
    }

    /// The name of the reference. `half_` and `native_` functions are compared with the function
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
        parameters: Parameters,
        float: Bound,
        double: Bound,
        half: Bound,
    ) -> Self {
        Self {
            name,
            call: "",
            parameters,
            bounds: [Some(float), Some(double), Some(half)],
            relaxed: None,
            ranges: &[],
            any_zero: false,
            int: false,
        }
    }

    const fn float(name: &'static str, parameters: Parameters, float: Bound) -> Self {
        let mut made = Self::new(name, parameters, float, float, float);
        made.bounds = [Some(float), None, None];
        made
    }

    /// The same row with other statements of the call.
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
    Function::new(name, Parameters::Unary, Ulp(ulp), Ulp(ulp), Ulp(half))
}

const fn binary(name: &'static str, ulp: f64, half: f64) -> Function {
    Function::new(name, Parameters::Binary, Ulp(ulp), Ulp(ulp), Ulp(half))
}

const fn with_int(name: &'static str, ulp: f64, half: f64) -> Function {
    Function::new(name, Parameters::WithInt, Ulp(ulp), Ulp(ulp), Ulp(half))
}

/// Exact or correctly rounded in every format.
const fn right(name: &'static str, parameters: Parameters, bound: Bound) -> Function {
    Function::new(name, parameters, bound, bound, bound)
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

/// Relaxed: derived from other functions, or within this bound.
const DERIVED: Bound = Ulp(8192.0);
const SINES: Bound = AbsoluteUpTo(1.0 / 2048.0, PI);
const PI_SINES: Bound = AbsoluteUpTo(1.0 / 2048.0, 1.0);
const ROUGH: Bound = Ulp(8192.0);

/// Every function with a row in `docs/accuracy.md`.
pub const FUNCTIONS: &[Function] = &[
    // Operators.
    right("add", Parameters::Binary, Correct).call("r = x + y;"),
    right("subtract", Parameters::Binary, Correct).call("r = x - y;"),
    right("multiply", Parameters::Binary, Correct).call("r = x * y;"),
    Function::new("divide", Parameters::Binary, Ulp(2.5), Correct, Correct)
        .call("r = x / y;")
        .relaxed(UlpBothWithin(2.5, 1.0 / TWO_62, TWO_62)),
    Function::new("reciprocal", Parameters::Unary, Ulp(2.5), Correct, Correct)
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
    right("ceil", Parameters::Unary, Correct).ranges(WHOLES),
    right("copysign", Parameters::Binary, Ulp(0.0)),
    unary("cos", 4.0, 2.0).relaxed(SINES).ranges(ANGLES),
    unary("cosh", 4.0, 2.0).relaxed(DERIVED).ranges(EXPONENTS),
    unary("cospi", 4.0, 2.0).relaxed(PI_SINES).ranges(TURNS),
    unary("erf", 16.0, 4.0).ranges(PROBABLE),
    unary("erfc", 16.0, 4.0).ranges(PROBABLE),
    unary("exp", 3.0, 2.0).relaxed(Exponential).ranges(EXPONENTS),
    unary("exp10", 3.0, 2.0).relaxed(DERIVED).ranges(EXPONENTS10),
    unary("exp2", 3.0, 2.0).relaxed(Exponential).ranges(EXPONENTS2),
    unary("expm1", 3.0, 2.0).relaxed(DERIVED).ranges(EXPONENTS),
    right("fabs", Parameters::Unary, Ulp(0.0)),
    right("fdim", Parameters::Binary, Correct),
    right("floor", Parameters::Unary, Correct).ranges(WHOLES),
    right("fma", Parameters::Ternary, Correct),
    right("fmax", Parameters::Binary, Ulp(0.0)).any_zero(),
    right("fmin", Parameters::Binary, Ulp(0.0)).any_zero(),
    right("fmod", Parameters::Binary, Ulp(0.0)).ranges(WHOLES),
    right("fract", Parameters::Unary, Correct).call("T t; r = fract(x, &t);").ranges(WHOLES),
    right("fract: whole part", Parameters::Unary, Correct).call("fract(x, &r);").ranges(WHOLES),
    right("frexp", Parameters::Unary, Ulp(0.0)).call("I k; r = frexp(x, &k);"),
    right("frexp: exponent", Parameters::Unary, Ulp(0.0)).call("frexp(x, &r);").int(),
    binary("hypot", 4.0, 2.0).ranges(WIDE),
    right("ilogb", Parameters::Unary, Ulp(0.0)).int(),
    with_int("ldexp", 0.0, 0.0).correct(),
    right("lgamma", Parameters::Unary, Open).ranges(GAMMA),
    right("lgamma_r", Parameters::Unary, Open).call("I k; r = lgamma_r(x, &k);").ranges(GAMMA),
    right("lgamma_r: sign", Parameters::Unary, Ulp(0.0))
        .call("lgamma_r(x, &r);")
        .ranges(GAMMA)
        .int(),
    unary("log", 3.0, 2.0).relaxed(Logarithm).ranges(LOGS),
    unary("log10", 3.0, 2.0).relaxed(Logarithm).ranges(LOGS),
    unary("log1p", 2.0, 2.0).relaxed(DERIVED).ranges(&[(-1.0, 1.0), (-0.01, 0.01), (-1.0, 100.0)]),
    unary("log2", 3.0, 2.0).relaxed(Logarithm).ranges(LOGS),
    right("logb", Parameters::Unary, Ulp(0.0)),
    right("mad", Parameters::Ternary, MulAdd).relaxed(MulAdd),
    right("maxmag", Parameters::Binary, Ulp(0.0)).any_zero(),
    right("minmag", Parameters::Binary, Ulp(0.0)).any_zero(),
    right("modf", Parameters::Unary, Ulp(0.0)).call("T t; r = modf(x, &t);").ranges(WHOLES),
    right("modf: whole part", Parameters::Unary, Ulp(0.0)).call("modf(x, &r);").ranges(WHOLES),
    right("nextafter", Parameters::Binary, Ulp(0.0)).any_zero(),
    binary("pow", 16.0, 4.0).relaxed(DERIVED).ranges(WIDE),
    with_int("pown", 16.0, 4.0).relaxed(DERIVED).ranges(WIDE),
    binary("powr", 16.0, 4.0).relaxed(DERIVED).ranges(WIDE),
    right("remainder", Parameters::Binary, Ulp(0.0)).ranges(WHOLES),
    right("remquo", Parameters::Binary, Ulp(0.0)).call("I k; r = remquo(x, y, &k);").ranges(WHOLES),
    right("remquo: quotient", Parameters::Binary, Ulp(0.0))
        .call("remquo(x, y, &r);")
        .ranges(WHOLES)
        .int(),
    right("rint", Parameters::Unary, Correct).ranges(WHOLES),
    with_int("rootn", 16.0, 4.0).relaxed(DERIVED).ranges(WIDE),
    right("round", Parameters::Unary, Correct).ranges(WHOLES),
    unary("rsqrt", 2.0, 1.0).ranges(WIDE),
    unary("sin", 4.0, 2.0).relaxed(SINES).ranges(ANGLES),
    unary("sincos: sine", 4.0, 2.0).relaxed(SINES).ranges(ANGLES).call("T t; r = sincos(x, &t);"),
    unary("sincos: cosine", 4.0, 2.0).relaxed(SINES).ranges(ANGLES).call("sincos(x, &r);"),
    unary("sinh", 4.0, 2.0).relaxed(DERIVED).ranges(EXPONENTS),
    unary("sinpi", 4.0, 2.0).relaxed(PI_SINES).ranges(TURNS),
    Function::new("sqrt", Parameters::Unary, Ulp(3.0), Correct, Correct).ranges(WIDE),
    unary("tan", 5.0, 2.0).relaxed(DERIVED).ranges(ANGLES),
    unary("tanh", 5.0, 2.0).relaxed(DERIVED).ranges(WIDE),
    unary("tanpi", 6.0, 2.0).relaxed(UlpWithin(8192.0, 0.0, 1.0)).ranges(TURNS),
    unary("tgamma", 16.0, 4.0).ranges(GAMMA),
    right("trunc", Parameters::Unary, Correct).ranges(WHOLES),
    // Common functions with a bound.
    unary("degrees", 2.0, 2.0).ranges(WIDE),
    unary("radians", 2.0, 2.0).ranges(WIDE),
    // Functions with bounds of their own.
    Function::float("half_cos", Parameters::Unary, ROUGH).ranges(ANGLES),
    Function::float("half_divide", Parameters::Binary, ROUGH),
    Function::float("half_exp", Parameters::Unary, ROUGH).ranges(EXPONENTS),
    Function::float("half_exp10", Parameters::Unary, ROUGH).ranges(EXPONENTS10),
    Function::float("half_exp2", Parameters::Unary, ROUGH).ranges(EXPONENTS2),
    Function::float("half_log", Parameters::Unary, ROUGH).ranges(LOGS),
    Function::float("half_log10", Parameters::Unary, ROUGH).ranges(LOGS),
    Function::float("half_log2", Parameters::Unary, ROUGH).ranges(LOGS),
    Function::float("half_powr", Parameters::Binary, ROUGH).ranges(WIDE),
    Function::float("half_recip", Parameters::Unary, ROUGH),
    Function::float("half_rsqrt", Parameters::Unary, ROUGH),
    Function::float("half_sin", Parameters::Unary, ROUGH).ranges(ANGLES),
    Function::float("half_sqrt", Parameters::Unary, ROUGH),
    Function::float("half_tan", Parameters::Unary, ROUGH).ranges(ANGLES),
    Function::float("native_cos", Parameters::Unary, Open).ranges(ANGLES),
    Function::float("native_divide", Parameters::Binary, Open),
    Function::float("native_exp", Parameters::Unary, Open).ranges(EXPONENTS),
    Function::float("native_exp10", Parameters::Unary, Open).ranges(EXPONENTS10),
    Function::float("native_exp2", Parameters::Unary, Open).ranges(EXPONENTS2),
    Function::float("native_log", Parameters::Unary, Open).ranges(LOGS),
    Function::float("native_log10", Parameters::Unary, Open).ranges(LOGS),
    Function::float("native_log2", Parameters::Unary, Open).ranges(LOGS),
    Function::float("native_powr", Parameters::Binary, Open).ranges(WIDE),
    Function::float("native_recip", Parameters::Unary, Open),
    Function::float("native_rsqrt", Parameters::Unary, Open),
    Function::float("native_sin", Parameters::Unary, Open).ranges(ANGLES),
    Function::float("native_sqrt", Parameters::Unary, Open),
    Function::float("native_tan", Parameters::Unary, Open).ranges(ANGLES),
];

const TWO_62: f64 = (1u64 << 62) as f64;
const TWO_126: f64 = TWO_62 * TWO_62 * 4.0;

impl Function {
    const fn correct(mut self) -> Self {
        self.bounds = [Some(Correct); 3];
        self
    }
}

/// The function with this name.
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
