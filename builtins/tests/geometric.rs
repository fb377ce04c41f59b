//! Compares geometric and common functions, and functions with two results (`sincos`, `remquo`,
//! `lgamma_r`), with plain doubles.

#![expect(clippy::cast_possible_truncation, reason = "a test")]

mod common;

use common::{Call, KINDS, Kind, PRAGMAS, Value, load};
use fastrand::Rng;

type Model = fn(&[f64], &[f64]) -> Vec<f64>;

fn sum(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

/// A length, computed without overflow and underflow.
fn length(x: &[f64]) -> f64 {
    let big = x.iter().fold(0.0f64, |big, x| big.max(x.abs()));
    if big == 0.0 || big.is_infinite() {
        return big;
    }
    // As two factors, each a normal power of two.
    let exponent = big.log2().floor() as i32;
    let (half, rest) = (2f64.powi(exponent / 2), 2f64.powi(exponent - exponent / 2));
    let scaled: Vec<f64> = x.iter().map(|x| x / half / rest).collect();
    sum(&scaled, &scaled).sqrt() * half * rest
}

fn difference(x: &[f64], y: &[f64]) -> Vec<f64> {
    x.iter().zip(y).map(|(x, y)| x - y).collect()
}

fn normalized(x: &[f64]) -> Vec<f64> {
    let length = length(x);
    if length == 0.0 { x.to_vec() } else { x.iter().map(|x| x / length).collect() }
}

fn cross(x: &[f64], y: &[f64]) -> Vec<f64> {
    let mut all: Vec<f64> =
        (0..3).map(|i| x[(i + 1) % 3] * y[(i + 2) % 3] - x[(i + 2) % 3] * y[(i + 1) % 3]).collect();
    all.resize(x.len(), 0.0);
    all
}

fn bits(kind: Kind, value: f64) -> u64 {
    let rounded = common::round_to(Value::Float(value), kind, common::Rounding::Nearest);
    match kind.bits {
        64 => rounded.to_bits(),
        32 => u64::from((rounded as f32).to_bits()),
        _ => common::half_from_f64(rounded).into(),
    }
}

/// Runs `expression` of two vectors on `rows` of `width` numbers. Returns `out` numbers for each
/// row.
fn run(library: &libloading::Library, id: &str, kind: Kind, x: &[f64], y: &[f64]) -> Vec<f64> {
    let call = Call {
        id: id.into(),
        expression: String::new(),
        result: kind,
        arguments: vec![kind, kind],
        width: 1,
    };
    let pack =
        |values: &[f64]| -> Vec<u64> { values.iter().map(|value| bits(kind, *value)).collect() };
    let output = call.run(library, &[&pack(x), &pack(y)]);
    output
        .into_iter()
        .map(|bits| match kind.value(bits) {
            Value::Float(value) => value,
            Value::Int(_) => unreachable!(),
        })
        .collect()
}

#[test]
fn geometric_functions_match() {
    const FUNCTIONS: [(&str, bool, Model); 6] = [
        ("dot", true, |x, y| vec![sum(x, y)]),
        ("length", false, |x, _| vec![length(x)]),
        ("distance", true, |x, y| vec![length(&difference(x, y))]),
        ("normalize", false, |x, _| normalized(x)),
        ("fast_length", false, |x, _| vec![length(x)]),
        ("fast_normalize", false, |x, _| normalized(x)),
    ];
    let mut source = String::from(PRAGMAS);
    let mut cases: Vec<(String, Kind, usize, &str, Model)> = Vec::new();
    for kind in &KINDS[8..] {
        for width in [1usize, 2, 3, 4] {
            let mut add = |name: &'static str, two: bool, model: Model| {
                let id = format!("t_{name}_{}_{width}", kind.name);
                let load = |from: &str| {
                    if width == 1 {
                        format!("{from}[i]")
                    } else {
                        format!("vload{width}(i, {from})")
                    }
                };
                let second = if two { format!(", {}", load("b")) } else { String::new() };
                let wide = name.contains("normalize") || name == "cross";
                let call = format!("{name}({}{second})", load("a"));
                let store = if wide && width > 1 {
                    format!("vstore{width}({call}, i, o)")
                } else {
                    format!("o[i] = {call}")
                };
                source.push_str(&format!(
                    "void {id}(global const {k} *a, global const {k} *b, global const char *c, \
                    global {k} *o, ulong n) \
                     {{ for (ulong i = 0; i < n / {width}; i++) {store}; }}\n",
                    k = kind.name
                ));
                cases.push((id, *kind, width, name, model));
            };
            for (name, two, model) in FUNCTIONS {
                if !name.starts_with("fast") || kind.name == "float" {
                    add(name, two, model);
                }
            }
            if width >= 3 {
                add("cross", true, cross);
            }
        }
    }
    let library = load("geometric", &source);
    let mut random = Rng::with_seed(17);
    for (id, kind, width, name, model) in cases {
        let count = 48 * 5;
        // Also far from 1, where squares overflow or vanish, for the functions that must handle it.
        let scales: &[f64] = match (kind.bits, name) {
            (_, "dot" | "cross") => &[1.0],
            (_, "fast_length" | "fast_normalize") => &[1.0, 1e3],
            (16, _) => &[1.0, 100.0, 0.01],
            (32, _) => &[1.0, 1e30, 1e-30],
            _ => &[1.0, 1e200, 1e-200, 1e300, 1e-300],
        };
        for scale in scales {
            let mut values = || -> Vec<f64> {
                (0..count)
                    .map(|_| {
                        let value =
                            ((random.u64(..) >> 11) as f64 * 2f64.powi(-52) - 1.0) * scale * 4.0;
                        // The value as rounded to the type.
                        common::round_to(Value::Float(value), kind, common::Rounding::Nearest)
                    })
                    .collect()
            };
            let (x, y) = (values(), values());
            let got = run(&library, &id, kind, &x, &y);
            let epsilon = match kind.bits {
                16 => 2f64.powi(-10),
                32 => 2f64.powi(-23),
                _ => 2f64.powi(-52),
            };
            let mut at = 0;
            for (x, y) in x.chunks(width).zip(y.chunks(width)) {
                for want in model(x, y) {
                    // dot and cross may cancel, so their error is relative to the largest product.
                    let size = if matches!(name, "dot" | "cross") {
                        16.0
                    } else {
                        want.abs().max(f64::MIN_POSITIVE)
                    };
                    let error = (got[at] - want).abs() / size / epsilon;
                    let bound = if name.starts_with("fast") { 8192.0 } else { 4.0 };
                    assert!(
                        error <= bound,
                        "{id} of {x:?}, {y:?} gives {:e}, not {want:e}: {error}",
                        got[at]
                    );
                    at += 1;
                }
            }
            assert!(at > 0);
        }
    }
}

#[test]
fn common_functions_match() {
    type Scalar = fn(f64, f64) -> f64;
    const FUNCTIONS: [(&str, &str, Scalar); 10] = [
        ("max", "max($0, $1)", f64::max),
        ("min", "min($0, $1)", f64::min),
        ("clamp", "clamp($0, ($F)-1, fabs($1))", |x, y| x.clamp(-1.0, y.abs())),
        ("mix", "mix($0, $1, ($F)0.25)", |x, y| x + (y - x) * 0.25),
        ("step", "step($0, $1)", |edge, x| if x < edge { 0.0 } else { 1.0 }),
        ("smoothstep", "smoothstep(($F)-2, ($F)3, $0)", |x, _| {
            let t = ((x + 2.0) / 5.0).clamp(0.0, 1.0);
            t * t * (3.0 - 2.0 * t)
        }),
        ("sign", "sign($0)", |x, _| if x == 0.0 { x } else { x.signum() }),
        ("degrees", "degrees($0)", |x, _| x.to_degrees()),
        ("radians", "radians($0)", |x, _| x.to_radians()),
        ("max_scalar", "max($0, (($S)1.5))", |x, _| x.max(1.5)),
    ];
    let mut source = String::from(PRAGMAS);
    let mut calls = Vec::new();
    for kind in &KINDS[8..] {
        for (name, expression, model) in FUNCTIONS {
            for width in [1, 2, 3, 4, 8, 16] {
                let id = format!("t_{name}_{}_{width}", kind.name);
                let expression =
                    expression.replace("$F", &kind.vector(width)).replace("$S", kind.name);
                let call =
                    Call { id, expression, result: *kind, arguments: vec![*kind, *kind], width };
                source.push_str(&call.source());
                calls.push((call, model));
            }
        }
    }
    let library = load("common", &source);
    let mut random = Rng::with_seed(23);
    for (call, model) in calls {
        let kind = call.result;
        let mut values = || -> Vec<f64> {
            (0..480)
                .map(|nth| {
                    if nth % 16 == 3 {
                        0.0
                    } else {
                        (random.u64(..) >> 11) as f64 * 2f64.powi(-50) - 4.0
                    }
                })
                .map(|value| common::round_to(Value::Float(value), kind, common::Rounding::Nearest))
                .collect()
        };
        let (x, y) = (values(), values());
        let got = run(&library, &call.id, kind, &x, &y);
        let epsilon = match kind.bits {
            16 => 2f64.powi(-10),
            32 => 2f64.powi(-23),
            _ => 2f64.powi(-52),
        };
        for ((x, y), got) in x.iter().zip(&y).zip(got) {
            let want = model(*x, *y);
            let exact = ["max", "min", "clamp", "step", "sign"]
                .iter()
                .any(|name| call.id.starts_with(&format!("t_{name}_")));
            let size = if call.id.contains("smooth") || call.id.contains("mix") {
                want.abs().max(4.0)
            } else {
                want.abs()
            };
            let good = if exact { got == want } else { (got - want).abs() <= 3.0 * epsilon * size };
            assert!(good, "{} of {x}, {y} gives {got:e}, not {want:e}", call.id);
        }
    }
}

/// `clamp` is `fmin(fmax(x, minval), maxval)` (OpenCL C 6.15.4), and `smoothstep` is built on it.
#[test]
#[expect(clippy::manual_clamp, reason = "Rust's clamp returns NaN for NaN; OpenCL C's does not")]
#[expect(clippy::neg_cmp_op_on_partial_ord, reason = "a bound that is NaN counts as defined")]
fn common_functions_of_nan_and_infinity() {
    type Scalar = fn(f64, f64) -> f64;
    const FUNCTIONS: [(&str, &str, Scalar); 4] = [
        ("clamp_constants", "clamp($0, ($F)0, ($F)1)", |x, _| x.max(0.0).min(1.0)),
        ("clamp_low", "clamp($0, $1, ($F)4)", |x, low| x.max(low).min(4.0)),
        ("clamp_high", "clamp($0, ($F)-4, $1)", |x, high| x.max(-4.0).min(high)),
        ("smoothstep", "smoothstep($1, ($F)5, $0)", |x, low| {
            let t = ((x - low) / (5.0 - low)).max(0.0).min(1.0);
            t * t * (3.0 - 2.0 * t)
        }),
    ];
    const SAMPLES: [f64; 6] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -3.0, 0.5, 3.0];
    let mut source = String::from(PRAGMAS);
    let mut calls = Vec::new();
    for kind in &KINDS[8..] {
        for (name, expression, model) in FUNCTIONS {
            for width in [1, 2, 3, 4, 8, 16] {
                let id = format!("t_{name}_{}_{width}", kind.name);
                let expression = expression.replace("$F", &kind.vector(width));
                let arguments = vec![*kind, *kind];
                let call = Call { id, expression, result: *kind, arguments, width };
                source.push_str(&call.source());
                calls.push((call, model));
            }
        }
    }
    let library = load("edges_common", &source);
    for (call, model) in calls {
        // Undefined: bounds in the wrong order, edges that are equal or NaN.
        let defined = |x: f64, y: f64| {
            if call.id.contains("smoothstep") {
                !x.is_nan() && y < 5.0
            } else if call.id.contains("low") {
                !(y > 4.0)
            } else {
                !(y < -4.0)
            }
        };
        let pairs: Vec<(f64, f64)> = SAMPLES
            .iter()
            .flat_map(|x| SAMPLES.iter().map(|y| (*x, *y)))
            .filter(|(x, y)| defined(*x, *y))
            .collect();
        // A number of elements that is a multiple of every width.
        let count = pairs.len().next_multiple_of(48);
        let (x, y): (Vec<f64>, Vec<f64>) = pairs.into_iter().cycle().take(count).unzip();
        let got = run(&library, &call.id, call.result, &x, &y);
        for ((x, y), got) in x.iter().zip(&y).zip(got) {
            let want = model(*x, *y);
            let near = (got - want).abs() <= 2f64.powi(-9);
            assert!(
                near || got == want || (got.is_nan() && want.is_nan()),
                "{} of {x}, {y} gives {got:e}, not {want:e}",
                call.id
            );
        }
    }
}

/// A vector with a NaN has no direction and no length (OpenCL C 7.5.1 for `normalize`).
#[test]
fn geometric_functions_of_nan_and_infinity() {
    const INF: f64 = f64::INFINITY;
    const NAN: f64 = f64::NAN;
    // Arguments, and the result of `normalize`.
    const ROWS: [([f64; 4], [f64; 4]); 6] = [
        ([NAN, 0.0, 0.0, 0.0], [NAN; 4]),
        ([1.0, NAN, 0.0, 2.0], [NAN; 4]),
        ([NAN, INF, 1.0, 1.0], [NAN; 4]),
        ([INF, NAN, -INF, 0.0], [NAN; 4]),
        ([0.0, -0.0, 0.0, -0.0], [0.0, -0.0, 0.0, -0.0]),
        ([-INF, 0.0, -0.0, 7.0], [-1.0, 0.0, -0.0, 0.0]),
    ];
    let mut source = String::from(PRAGMAS);
    let mut cases = Vec::new();
    for kind in &KINDS[8..] {
        for width in [2usize, 3, 4] {
            for name in ["normalize", "length", "distance", "dot"] {
                let id = format!("t_{name}_{}_{width}", kind.name);
                let zero = format!("({}{width})0", kind.name);
                let a = format!("vload{width}(i, a)");
                let one = format!("({}{width})1", kind.name);
                let store = match name {
                    "normalize" => format!("vstore{width}(normalize({a}), i, o)"),
                    "length" => format!("o[i] = length({a})"),
                    "distance" => format!("o[i] = distance({a}, {zero})"),
                    _ => format!("o[i] = dot({a}, {one})"),
                };
                source.push_str(&format!(
                    "void {id}(global const {k} *a, global const {k} *b, global const char *c, \
                    global {k} *o, ulong n) \
                     {{ for (ulong i = 0; i < n / {width}; i++) {store}; }}\n",
                    k = kind.name
                ));
                cases.push((id, *kind, width, name));
            }
        }
    }
    let library = load("edges_geometric", &source);
    for (id, kind, width, name) in cases {
        let x: Vec<f64> = ROWS.iter().flat_map(|(x, _)| x[..width].to_vec()).collect();
        let got = run(&library, &id, kind, &x, &x);
        for (n, (x, unit)) in ROWS.iter().enumerate() {
            let (x, unit) = (&x[..width], &unit[..width]);
            let has_nan = x.iter().any(|x| x.is_nan());
            let got = if name == "normalize" { &got[n * width..][..width] } else { &got[n..=n] };
            let good = if has_nan {
                got.iter().all(|x| x.is_nan())
            } else if name == "normalize" {
                got.iter().zip(unit).all(|(a, b)| a.to_bits() == b.to_bits())
            } else {
                let is_infinite = x.iter().any(|x| x.is_infinite());
                got[0].is_infinite() == is_infinite && (is_infinite || got[0] == 0.0)
            };
            assert!(good, "{id} of {x:?} gives {got:?}");
        }
    }
}

#[test]
fn functions_of_two_results_agree_with_those_of_one() {
    let mut source = String::from(PRAGMAS);
    let mut calls = Vec::new();
    for kind in &KINDS[8..] {
        for width in [1, 2, 3, 4, 8, 16] {
            let (f, i) = (kind.vector(width), KINDS[4].vector(width));
            let both = [
                (
                    "sincos",
                    format!(
                        "({{ {f} c, s = sincos($0, &c); \
                        select(($IF)0, ($IF)1, s == sin($0) && c == cos($0)); }})"
                    ),
                ),
                (
                    "remquo",
                    format!(
                        "({{ {i} q; {f} r = remquo($0, $1, &q); \
                        select(($IF)0, ($IF)1, r == remainder($0, $1)); }})"
                    ),
                ),
                (
                    "lgamma_r",
                    format!(
                        "({{ {i} q; {f} r = lgamma_r($0, &q); \
                        select(($IF)0, ($IF)1, r == lgamma($0)); }})"
                    ),
                ),
            ];
            for (name, expression) in both {
                let result = if width == 1 { KINDS[4] } else { kind.integer(true) };
                let expression = expression.replace("$IF", &result.vector(width));
                let call = Call {
                    id: format!("t_{name}_{}_{width}", kind.name),
                    expression,
                    result,
                    arguments: vec![*kind, *kind],
                    width,
                };
                source.push_str(&call.source());
                calls.push(call);
            }
        }
        let call = Call {
            id: format!("t_quotient_{}", kind.name),
            expression: "({ int q; remquo($0, $1, &q); q; })".into(),
            result: KINDS[4],
            arguments: vec![*kind, *kind],
            width: 1,
        };
        source.push_str(&call.source());
        calls.push(call);
        let call = Call {
            id: format!("t_sign_{}", kind.name),
            expression: "({ int s; lgamma_r($0, &s); s; })".into(),
            result: KINDS[4],
            arguments: vec![*kind, *kind],
            width: 1,
        };
        source.push_str(&call.source());
        calls.push(call);
    }
    let library = load("two_results", &source);
    let mut random = Rng::with_seed(29);
    for call in calls {
        let kind = call.arguments[0];
        let mut values = |scale: f64| -> Vec<f64> {
            (0..480)
                .map(|_| ((random.u64(..) >> 11) as f64 * 2f64.powi(-52) - 1.0) * scale)
                .map(|value| common::round_to(Value::Float(value), kind, common::Rounding::Nearest))
                .collect()
        };
        let (x, y) = (values(400.0), values(30.0));
        let pack = |values: &[f64]| -> Vec<u64> {
            values.iter().map(|value| bits(kind, *value)).collect()
        };
        let output = call.run(&library, &[&pack(&x), &pack(&y)]);
        for ((x, y), got) in x.iter().zip(&y).zip(output) {
            let got = KINDS[4].int(got);
            if call.id.starts_with("t_quotient") {
                // Exact enough: the ratio is small, and no tie occurs.
                let want = (x / y).round_ties_even() as i128;
                assert_eq!(
                    got,
                    want.signum() * (want.abs() & 127),
                    "remquo {} of {x:e}, {y:e}",
                    kind.name
                );
            } else if call.id.starts_with("t_sign") {
                // The specification requires 0 at the poles.
                let want = if *x <= 0.0 && x.floor() == *x {
                    0
                } else if *x > 0.0 || x.floor().rem_euclid(2.0) == 0.0 {
                    1
                } else {
                    -1
                };
                assert_eq!(got, want, "lgamma_r {} of {x:e}", kind.name);
            } else {
                assert!(got != 0, "{} of {x:e}, {y:e}", call.id);
            }
        }
    }
}

/// `half_` and `native_` functions are approximately right for arguments of moderate size.
#[test]
fn half_and_native_functions_come_near() {
    type Scalar = fn(f64, f64) -> f64;
    const FUNCTIONS: [(&str, &str, Scalar); 14] = [
        ("sin", "($0)", |x, _| x.sin()),
        ("cos", "($0)", |x, _| x.cos()),
        ("tan", "($0)", |x, _| x.tan()),
        ("exp", "($0)", |x, _| x.exp()),
        ("exp2", "($0)", |x, _| x.exp2()),
        ("exp10", "($0)", |x, _| 10f64.powf(x)),
        ("log", "(fabs($0))", |x, _| x.abs().ln()),
        ("log2", "(fabs($0))", |x, _| x.abs().log2()),
        ("log10", "(fabs($0))", |x, _| x.abs().log10()),
        ("powr", "(fabs($0), $1)", |x, y| x.abs().powf(y)),
        ("sqrt", "(fabs($0))", |x, _| x.abs().sqrt()),
        ("rsqrt", "(fabs($0))", |x, _| 1.0 / x.abs().sqrt()),
        ("recip", "($0)", |x, _| 1.0 / x),
        ("divide", "($0, $1)", |x, y| x / y),
    ];
    let kind = KINDS[9];
    let mut source = String::new();
    let mut calls = Vec::new();
    for prefix in ["half", "native"] {
        for (name, arguments, model) in FUNCTIONS {
            for width in [1, 2, 3, 4, 8, 16] {
                let call = Call {
                    id: format!("t_{prefix}_{name}_{width}"),
                    expression: format!("{prefix}_{name}{arguments}"),
                    result: kind,
                    arguments: vec![kind, kind],
                    width,
                };
                source.push_str(&call.source());
                calls.push((call, model));
            }
        }
    }
    let library = load("native", &source);
    let mut random = Rng::with_seed(31);
    for (call, model) in calls {
        let mut values = || -> Vec<f64> {
            (0..480)
                .map(|_| (random.u64(..) >> 11) as f64 * 2f64.powi(-49) - 8.0)
                .map(|value| common::round_to(Value::Float(value), kind, common::Rounding::Nearest))
                .collect()
        };
        let (x, y) = (values(), values());
        let got = run(&library, &call.id, kind, &x, &y);
        for ((x, y), got) in x.iter().zip(&y).zip(got) {
            let want = model(*x, *y);
            let error = (got - want).abs() / want.abs();
            assert!(
                error < 2f64.powi(-20),
                "{} of {x:e}, {y:e} gives {got:e}, not {want:e}",
                call.id
            );
        }
    }
}
