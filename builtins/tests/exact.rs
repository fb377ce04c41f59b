//! Compares functions that have exact results with models in plain Rust: integer, relational and
//! selection functions, shuffles, vector loads and stores, and floating-point functions that depend
//! on the representation.

#![expect(clippy::unwrap_used, reason = "a test")]
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_possible_wrap,
    reason = "a test"
)]

mod common;

use common::{Call, KINDS, Kind, PRAGMAS, Value, load, same};
use fastrand::Rng;

const VECTORS: [u32; 5] = [2, 3, 4, 8, 16];

type Model = Box<dyn Fn(&[i128]) -> i128>;

struct Exact {
    name: &'static str,
    expression: String,
    result: Kind,
    arguments: Vec<Kind>,
    model: Model,
}

fn integer_functions(kind: Kind) -> Vec<Exact> {
    let (low, high, bits) = (kind.low(), kind.high(), i128::from(kind.bits));
    let unsigned = kind.integer(false);
    let mut all = Vec::new();
    let mut add =
        |name: &'static str, expression: &str, result: Kind, arguments: Vec<Kind>, model: Model| {
            all.push(Exact { name, expression: expression.into(), result, arguments, model });
        };
    let one = || vec![kind];
    let two = || vec![kind, kind];
    let three = || vec![kind, kind, kind];
    let raw = move |x: i128| unsigned.wrap(x);
    let bits32 = kind.bits;
    add("abs", "abs($0)", unsigned, one(), Box::new(|a| a[0].abs()));
    add("abs_diff", "abs_diff($0, $1)", unsigned, two(), Box::new(|a| (a[0] - a[1]).abs()));
    add(
        "add_sat",
        "add_sat($0, $1)",
        kind,
        two(),
        Box::new(move |a| (a[0] + a[1]).clamp(low, high)),
    );
    add(
        "sub_sat",
        "sub_sat($0, $1)",
        kind,
        two(),
        Box::new(move |a| (a[0] - a[1]).clamp(low, high)),
    );
    add("hadd", "hadd($0, $1)", kind, two(), Box::new(|a| (a[0] + a[1]) >> 1));
    add("rhadd", "rhadd($0, $1)", kind, two(), Box::new(|a| (a[0] + a[1] + 1) >> 1));
    add(
        "clz",
        "clz($0)",
        kind,
        one(),
        Box::new(move |a| i128::from(raw(a[0]).leading_zeros()) - 64 + bits),
    );
    add(
        "ctz",
        "ctz($0)",
        kind,
        one(),
        Box::new(move |a| i128::from(raw(a[0]).trailing_zeros()).min(bits)),
    );
    add(
        "popcount",
        "popcount($0)",
        kind,
        one(),
        Box::new(move |a| i128::from(raw(a[0]).count_ones())),
    );
    add(
        "bit_reverse",
        "bit_reverse($0)",
        kind,
        one(),
        Box::new(move |a| i128::from(raw(a[0]).reverse_bits() >> (64 - bits32))),
    );
    add(
        "rotate",
        "rotate($0, $1)",
        kind,
        two(),
        Box::new(move |a| {
            let (x, by) = (i128::from(raw(a[0])), a[1].rem_euclid(bits));
            x << by | x >> (bits - by)
        }),
    );
    add("mul_hi", "mul_hi($0, $1)", kind, two(), Box::new(move |a| high_half(a[0], a[1], kind)));
    add(
        "mad_hi",
        "mad_hi($0, $1, $2)",
        kind,
        three(),
        Box::new(move |a| high_half(a[0], a[1], kind) + a[2]),
    );
    add(
        "mad_sat",
        "mad_sat($0, $1, $2)",
        kind,
        three(),
        Box::new(move |a| {
            a[0].checked_mul(a[1])
                .map_or(i128::MAX, |product| product.saturating_add(a[2]))
                .clamp(low, high)
        }),
    );
    add("max", "max($0, $1)", kind, two(), Box::new(|a| a[0].max(a[1])));
    add("min", "min($0, $1)", kind, two(), Box::new(|a| a[0].min(a[1])));
    add(
        "bitselect",
        "bitselect($0, $1, $2)",
        kind,
        three(),
        Box::new(|a| (a[0] & !a[2]) | (a[1] & a[2])),
    );
    for signed in [true, false] {
        let choice = kind.integer(signed);
        let name = if signed { "select_signed" } else { "select_unsigned" };
        // Vectors test the top bit, scalars the whole value; the width selects the model later.
        add(
            name,
            "select($0, $1, $2)",
            kind,
            vec![kind, kind, choice],
            Box::new(|a| if a[2] != 0 { a[1] } else { a[0] }),
        );
    }
    if kind.bits < 64 {
        let wide = *KINDS
            .iter()
            .find(|w| !w.float && w.bits == 2 * kind.bits && w.signed == kind.signed)
            .unwrap();
        add(
            "upsample",
            "upsample($0, $1)",
            wide,
            vec![kind, unsigned],
            Box::new(move |a| a[0] << bits | a[1]),
        );
    }
    if kind.bits == 32 {
        let small = move |x: i128| if kind.signed { x << 104 >> 104 } else { x & 0xff_ffff };
        let cut = if kind.signed { "($X << 8 >> 8)" } else { "($X & 0xffffff)" };
        let (x, y) = (cut.replace("$X", "$0"), cut.replace("$X", "$1"));
        add(
            "mul24",
            &format!("mul24({x}, {y})"),
            kind,
            two(),
            Box::new(move |a| small(a[0]) * small(a[1])),
        );
        add(
            "mad24",
            &format!("mad24({x}, {y}, $2)"),
            kind,
            three(),
            Box::new(move |a| small(a[0]) * small(a[1]) + a[2]),
        );
    }
    for (offset, count) in
        [(0u32, 0u32), (0, 8), (3, 4), (2, 1), (7, 1), (0, bits32), (1, bits32 - 1)]
    {
        if offset + count > kind.bits {
            continue;
        }
        let mask = (1i128 << count) - 1;
        all.push(Exact {
            name: "bitfield_insert",
            expression: format!("bitfield_insert($0, $1, {offset}u, {count}u)"),
            result: kind,
            arguments: two(),
            model: Box::new(move |a| (a[0] & !(mask << offset)) | ((a[1] & mask) << offset)),
        });
        all.push(Exact {
            name: "bitfield_extract_unsigned",
            expression: format!("bitfield_extract_unsigned($0, {offset}u, {count}u)"),
            result: unsigned,
            arguments: one(),
            model: Box::new(move |a| (a[0] >> offset) & mask),
        });
        all.push(Exact {
            name: "bitfield_extract_signed",
            expression: format!("bitfield_extract_signed($0, {offset}u, {count}u)"),
            result: kind.integer(true),
            arguments: one(),
            model: Box::new(move |a| {
                let field = (a[0] >> offset) & mask;
                if count > 0 && field >> (count - 1) & 1 == 1 { field - mask - 1 } else { field }
            }),
        });
    }
    all
}

fn high_half(x: i128, y: i128, kind: Kind) -> i128 {
    // The product of two ulongs needs all 128 bits.
    if kind.signed { (x * y) >> kind.bits } else { ((x as u128 * y as u128) >> kind.bits) as i128 }
}

#[test]
fn integer_functions_match() {
    let mut random = Rng::with_seed(0xfeed_beef_1234_5677);
    let mut source = String::from(PRAGMAS);
    let mut cases = Vec::new();
    for kind in &KINDS[..8] {
        for (nth, exact) in integer_functions(*kind).into_iter().enumerate() {
            for width in [1, VECTORS[(nth + kind.bits as usize + usize::from(kind.signed)) % 5]] {
                let id = format!("t_{}_{}_{nth}_{width}", exact.name, kind.name);
                let call = Call {
                    id,
                    expression: exact.expression.clone(),
                    result: exact.result,
                    arguments: exact.arguments.clone(),
                    width,
                };
                source.push_str(&call.source());
                cases.push((call, exact.name));
            }
        }
    }
    let library = load("integer", &source);
    let mut at = 0;
    for kind in &KINDS[..8] {
        for exact in integer_functions(*kind) {
            for _ in 0..2 {
                let (call, _) = &cases[at];
                at += 1;
                let inputs = inputs(&call.arguments, &mut random);
                let slices: Vec<&[u64]> = inputs.iter().map(Vec::as_slice).collect();
                let output = call.run(&library, &slices);
                for (nth, got) in output.iter().enumerate() {
                    let values: Vec<i128> = call
                        .arguments
                        .iter()
                        .zip(&inputs)
                        .map(|(kind, bits)| kind.int(bits[nth]))
                        .collect();
                    let want = if exact.name.starts_with("select_") && call.width > 1 {
                        let choice = call.arguments[2];
                        if choice.wrap(values[2]) >> (choice.bits - 1) == 1 {
                            values[1]
                        } else {
                            values[0]
                        }
                    } else {
                        (exact.model)(&values)
                    };
                    let want = call.result.wrap(want);
                    assert_eq!(*got, want, "{} of {values:?} gives {got:x}, not {want:x}", call.id);
                }
            }
        }
    }
}

/// One array for each argument: every edge combined with every other, then random values.
fn inputs(kinds: &[Kind], random: &mut Rng) -> Vec<Vec<u64>> {
    let pools: Vec<Vec<u64>> = kinds.iter().map(|kind| kind.samples(random, 200)).collect();
    let count = 2400;
    pools
        .iter()
        .enumerate()
        .map(|(nth, pool)| {
            (0..count)
                .map(|at| {
                    if at % 2 == 0 && nth == 0 {
                        pool[at / 2 % pool.len()]
                    } else {
                        pool[(random.u64(..) % pool.len() as u64) as usize]
                    }
                })
                .collect()
        })
        .collect()
}

#[test]
fn relational_functions_match() {
    type Test = fn(f64, f64) -> bool;
    let functions: [(&str, &str, Test); 14] = [
        ("isequal", "isequal($0, $1)", |a, b| a == b),
        ("isnotequal", "isnotequal($0, $1)", |a, b| a != b),
        ("isgreater", "isgreater($0, $1)", |a, b| a > b),
        ("isgreaterequal", "isgreaterequal($0, $1)", |a, b| a >= b),
        ("isless", "isless($0, $1)", |a, b| a < b),
        ("islessequal", "islessequal($0, $1)", |a, b| a <= b),
        ("islessgreater", "islessgreater($0, $1)", |a, b| a != b && !a.is_nan() && !b.is_nan()),
        ("isordered", "isordered($0, $1)", |a, b| !a.is_nan() && !b.is_nan()),
        ("isunordered", "isunordered($0, $1)", |a, b| a.is_nan() || b.is_nan()),
        ("isfinite", "isfinite($0)", |a, _| a.is_finite()),
        ("isinf", "isinf($0)", |a, _| a.is_infinite()),
        ("isnan", "isnan($0)", |a, _| a.is_nan()),
        ("signbit", "signbit($0)", |a, _| a.is_sign_negative()),
        ("isnormal", "isnormal($0)", |_, _| unreachable!("by the kind's own bits")),
    ];
    let mut random = Rng::with_seed(7);
    let mut source = String::from(PRAGMAS);
    let mut calls = Vec::new();
    for kind in &KINDS[8..] {
        for (name, expression, test) in &functions {
            for width in [1, 2, 3, 4, 8, 16] {
                let result = if width == 1 { KINDS[4] } else { kind.integer(true) };
                let id = format!("t_{name}_{}_{width}", kind.name);
                let call = Call {
                    id,
                    expression: (*expression).into(),
                    result,
                    arguments: vec![*kind, *kind],
                    width,
                };
                source.push_str(&call.source());
                calls.push((call, *test, *name));
            }
        }
    }
    let library = load("relational", &source);
    for (call, test, name) in &calls {
        let kind = call.arguments[0];
        let mut inputs = inputs(&call.arguments, &mut random);
        let copied: Vec<u64> = inputs[0].clone();
        inputs[1].iter_mut().zip(copied).step_by(5).for_each(|(b, a)| *b = a);
        let output = call.run(&library, &[&inputs[0], &inputs[1]]);
        for (nth, got) in output.iter().enumerate() {
            let (Value::Float(a), Value::Float(b)) =
                (kind.value(inputs[0][nth]), kind.value(inputs[1][nth]))
            else {
                unreachable!()
            };
            let truth = if *name == "isnormal" {
                let least = match kind.bits {
                    16 => 2f64.powi(-14),
                    32 => f64::from(f32::MIN_POSITIVE),
                    _ => f64::MIN_POSITIVE,
                };
                a.is_finite() && a.abs() >= least
            } else {
                test(a, b)
            };
            let want = call.result.wrap(if !truth {
                0
            } else if call.width == 1 {
                1
            } else {
                -1
            });
            assert_eq!(*got, want, "{} of {a:e}, {b:e}", call.id);
        }
    }
}

#[test]
fn any_and_all_look_at_the_top_bits() {
    let mut source = String::from(PRAGMAS);
    for kind in [KINDS[0], KINDS[2], KINDS[4], KINDS[6]] {
        for width in [1u32, 2, 3, 4, 8, 16] {
            let name = kind.name;
            let load = if width == 1 { "a[i]".into() } else { format!("vload{width}(i, a)") };
            source.push_str(&format!(
                "void t_{name}_{width}(global const {name} *a, global const char *b, global const char *c, global int *o, ulong n) \
                 {{ for (ulong i = 0; i < n / {width}; i++) o[i] = any({load}) | all({load}) << 1; }}\n"
            ));
        }
    }
    let library = load("any_all", &source);
    let mut random = Rng::with_seed(5);
    for kind in [KINDS[0], KINDS[2], KINDS[4], KINDS[6]] {
        for width in [1usize, 2, 3, 4, 8, 16] {
            // Mostly equal top bits, so that both functions return true and false.
            let mut input: Vec<u64> =
                (0..48 * 40).map(|_| random.u64(..) & kind.wrap(kind.high())).collect();
            for (nth, group) in input.chunks_mut(width).enumerate() {
                for (lane, bits) in group.iter_mut().enumerate() {
                    let set = match nth % 4 {
                        0 => true,
                        1 => false,
                        2 => lane == nth / 4 % width,
                        _ => lane != nth / 4 % width,
                    };
                    *bits |= if set { kind.wrap(kind.low()) } else { 0 };
                }
            }
            let call = Call {
                id: format!("t_{}_{width}", kind.name),
                expression: String::new(),
                result: KINDS[4],
                arguments: vec![kind],
                width: width as u32,
            };
            let output = call.run(&library, &[&input]);
            for (group, got) in input.chunks(width).zip(&output) {
                let set = group.iter().filter(|bits| kind.int(**bits) < 0).count();
                let want = u64::from(set > 0) | u64::from(set == width) << 1;
                assert_eq!(*got, want, "{} {group:x?}", call.id);
            }
        }
    }
}

#[test]
fn shuffles_and_vector_memory_match() {
    let mut source = String::from(PRAGMAS);
    let mut calls = Vec::new();
    for kind in KINDS {
        let mask = kind.integer(false);
        for from in [2u32, 4, 8, 16] {
            for to in [2u32, 4, 8, 16] {
                let name = kind.name;
                let id = format!("t_shuffle_{name}_{from}_{to}");
                source.push_str(&format!(
                    "void {id}(global const {name} *a, global const {name} *b, global const {} *m, global {name} *o, ulong n) {{ \
                     vstore{to}(shuffle(vload{from}(0, a), vload{to}(0, m)), 0, o); \
                     vstore{to}(shuffle2(vload{from}(0, a), vload{from}(0, b), vload{to}(1, m)), 1, o); }}\n",
                    mask.name
                ));
                calls.push((id, kind, from as usize, to as usize));
            }
        }
        for width in VECTORS {
            let name = kind.name;
            // From an odd offset through private memory to another offset: every element moves, and
            // its neighbours stay.
            source.push_str(&format!(
                "void t_memory_{name}_{width}(global const {name} *a, global const char *b, global const char *c, \
                 global {name} *o, ulong n) {{ {name} p[33]; for (int i = 0; i < 33; i++) p[i] = 0; \
                 vstore{width}(vload{width}(1, a + 1), 1, p + 1); vstore{width}(vload{width}(1, p + 1), 1, o + 1); }}\n"
            ));
        }
    }
    let library = load("shuffle", &source);
    let mut random = Rng::with_seed(11);
    for (id, kind, from, to) in calls {
        let call = Call {
            id,
            expression: String::new(),
            result: kind,
            arguments: vec![kind, kind, kind.integer(false)],
            width: 1,
        };
        for _ in 0..20 {
            let wrap = kind.integer(false);
            let mut array =
                || -> Vec<u64> { (0..32).map(|_| wrap.wrap(i128::from(random.u64(..)))).collect() };
            let (a, b, mask) = (array(), array(), array());
            let output = call.run(&library, &[&a, &b, &mask]);
            for lane in 0..to {
                assert_eq!(
                    output[lane],
                    a[mask[lane] as usize & (from - 1)],
                    "{} lane {lane}",
                    call.id
                );
                let chosen = mask[to + lane] as usize & (2 * from - 1);
                let want = if chosen < from { a[chosen] } else { b[chosen - from] };
                assert_eq!(output[to + lane], want, "{} second lane {lane}", call.id);
            }
        }
    }
    for kind in KINDS {
        for width in VECTORS {
            let call = Call {
                id: format!("t_memory_{}_{width}", kind.name),
                expression: String::new(),
                result: kind,
                arguments: vec![kind],
                width,
            };
            let wrap = kind.integer(false);
            let a: Vec<u64> = (0..48).map(|_| wrap.wrap(i128::from(random.u64(..)))).collect();
            let output = call.run(&library, &[&a]);
            let width = width as usize;
            for (at, got) in output.iter().enumerate() {
                let written = (width + 1..2 * width + 1).contains(&at);
                let want = if written { a[at] } else { wrap.wrap(0xa5a5_a5a5_a5a5_a5a5) };
                assert_eq!(*got, want, "{} element {at}", call.id);
            }
        }
    }
}

#[test]
fn parts_of_numbers_match() {
    type Parts = fn(f64, Kind) -> f64;
    fn exponent(x: f64) -> i32 {
        let bits = (x.abs().to_bits() >> 52) as i32;
        if bits == 0 { -1074 + 63 - x.abs().to_bits().leading_zeros() as i32 } else { bits - 1023 }
    }
    fn special(x: f64) -> bool {
        x == 0.0 || !x.is_finite()
    }
    let functions: [(&str, &str, bool, Parts); 9] = [
        ("frexp_m", "({$F m; $I e; m = frexp($0, &e); m;})", false, |x, _| {
            if special(x) {
                x
            } else {
                x / 2f64.powi(exponent(x) / 2) / 2f64.powi(exponent(x) - exponent(x) / 2) / 2.0
            }
        }),
        ("frexp_e", "({$I e; frexp($0, &e); e;})", true, |x, _| {
            if special(x) { 0.0 } else { f64::from(exponent(x) + 1) }
        }),
        ("ilogb", "ilogb($0)", true, |x, _| {
            if x == 0.0 {
                f64::from(i32::MIN)
            } else if !x.is_finite() {
                f64::from(i32::MAX)
            } else {
                f64::from(exponent(x))
            }
        }),
        ("modf_f", "({$F w; modf($0, &w);})", false, |x, _| {
            if x.is_infinite() { 0f64.copysign(x) } else { (x - x.trunc()).copysign(x) }
        }),
        ("modf_i", "({$F w; modf($0, &w); w;})", false, |x, _| x.trunc()),
        ("fract_f", "({$F w; fract($0, &w);})", false, |x, kind| {
            let below = match kind.bits {
                16 => 1.0 - 2f64.powi(-11),
                32 => 1.0 - 2f64.powi(-24),
                _ => 1.0 - 2f64.powi(-53),
            };
            if x.is_infinite() || x == 0.0 {
                return 0f64.copysign(x);
            }
            // x - floor(x), rounded to the type before it is limited.
            let rest =
                common::round_to(Value::Float(x - x.floor()), kind, common::Rounding::Nearest);
            rest.min(below)
        }),
        ("fract_i", "({$F w; fract($0, &w); w;})", false, |x, _| x.floor()),
        ("nextafter_up", "nextafter($0, ($F)INFINITY)", false, |x, kind| next(x, kind, 1)),
        ("nextafter_down", "nextafter($0, -($F)INFINITY)", false, |x, kind| next(x, kind, -1)),
    ];
    let mut source = String::from(PRAGMAS);
    let mut calls = Vec::new();
    for kind in &KINDS[8..] {
        for (nth, (name, expression, int, parts)) in functions.iter().enumerate() {
            for width in [1, VECTORS[(nth + kind.bits as usize / 16) % 5]] {
                let result = if *int { KINDS[4] } else { *kind };
                let expression = expression
                    .replace("$F", &kind.vector(width))
                    .replace("$I", &KINDS[4].vector(width));
                let call = Call {
                    id: format!("t_{name}_{}_{width}", kind.name),
                    expression,
                    result,
                    arguments: vec![*kind],
                    width,
                };
                source.push_str(&call.source());
                calls.push((call, *parts));
            }
        }
    }
    let library = load("parts", &source);
    let mut random = Rng::with_seed(3);
    for (call, parts) in &calls {
        let kind = call.arguments[0];
        let input = kind.samples(&mut random, 3000);
        let output = call.run(&library, &[&input]);
        for (bits, got) in input.iter().zip(&output) {
            let Value::Float(x) = kind.value(*bits) else { unreachable!() };
            let want = if x.is_nan() && call.result.float { f64::NAN } else { parts(x, kind) };
            match call.result.value(*got) {
                Value::Int(got) => assert_eq!(got, want as i128, "{} of {x:e}", call.id),
                Value::Float(got) => {
                    assert!(same(got, want), "{} of {x:e} gives {got:e}, not {want:e}", call.id)
                }
            }
        }
    }
}

/// The neighbour of `x` in its own type.
fn next(x: f64, kind: Kind, direction: i64) -> f64 {
    if x.is_nan() || x == f64::INFINITY * direction as f64 {
        return x;
    }
    match kind.bits {
        64 => {
            if direction > 0 {
                x.next_up()
            } else {
                x.next_down()
            }
        }
        32 => f64::from(if direction > 0 { (x as f32).next_up() } else { (x as f32).next_down() }),
        _ => {
            // Halves as integers in the order of their values.
            let all = |order: i64| {
                common::half_to_f64(if order < 0 { 0x8000 | (-order) as u16 } else { order as u16 })
            };
            let bits = common::half_from_f64(x);
            let order = if bits >> 15 == 1 { -i64::from(bits & 0x7fff) } else { i64::from(bits) };
            let result = all(order + direction);
            if result == 0.0 { 0f64.copysign(x) } else { result }
        }
    }
}

#[test]
fn half_fma_is_rounded_once() {
    let half = KINDS[8];
    let call = Call {
        id: "t_fma".into(),
        expression: "fma($0, $1, $2)".into(),
        result: half,
        arguments: vec![half; 3],
        width: 1,
    };
    let wide = Call {
        id: "t_fma4".into(),
        width: 4,
        expression: "fma($0, $1, $2)".into(),
        result: half,
        arguments: vec![half; 3],
    };
    let library = load("half_fma", &format!("{PRAGMAS}{}{}", call.source(), wide.source()));
    let mut random = Rng::with_seed(21);
    for call in [&call, &wide] {
        let arrays: Vec<Vec<u64>> =
            (0..3).map(|_| (0..48_000).map(|_| random.u64(..) & 0xffff).collect()).collect();
        let output = call.run(&library, &[&arrays[0], &arrays[1], &arrays[2]]);
        for (nth, got) in output.iter().enumerate() {
            let [Value::Float(x), Value::Float(y), Value::Float(z)] =
                [0, 1, 2].map(|a| half.value(arrays[a][nth]))
            else {
                unreachable!()
            };
            let product = x * y;
            // Exact as an integer multiple of 2^-48, unless special.
            let want = if product.is_finite() && z.is_finite() {
                let scaled = (product * 2f64.powi(48)) as i128 + (z * 2f64.powi(48)) as i128;
                let wide = common::round_to(Value::Int(scaled), KINDS[10], common::Rounding::Zero);
                // Rounding to odd: the last bit represents the digits that the double cannot hold.
                let sticky =
                    if wide as i128 == scaled { wide } else { f64::from_bits(wide.to_bits() | 1) };
                if scaled == 0 {
                    product + z
                } else {
                    common::round_to(
                        Value::Float(sticky * 2f64.powi(-48)),
                        half,
                        common::Rounding::Nearest,
                    )
                }
            } else {
                product + z
            };
            let Value::Float(got) = half.value(*got) else { unreachable!() };
            assert!(
                same(got, want),
                "{}: fma({x:e}, {y:e}, {z:e}) gives {got:e}, not {want:e}",
                call.id
            );
        }
    }
}

#[test]
fn atomics_do_what_they_say() {
    let source = "
kernel void unused(void) {}
void t_atomics(global const int *a, global const char *b, global const char *c, global long *o, ulong n) {
  local int *unused = 0;
  int x = 5; uint ux = 5; long lx = 5;
  volatile global int *p = (volatile global int *)o;
  o[1] = atomic_add(p, 7); o[2] = *p; o[3] = atomic_sub(p, 3); o[4] = atomic_inc(p); o[5] = atomic_dec(p);
  o[6] = atomic_xchg(p, -9); o[7] = atomic_min(p, -20); o[8] = atomic_max(p, 4); o[9] = atomic_and(p, 6); o[10] = atomic_or(p, 9);
  o[11] = atomic_xor(p, 15); o[12] = atomic_cmpxchg(p, 2, 44); o[13] = atomic_cmpxchg(p, 3, 45); o[14] = *p;
  atomic_long l; atomic_init(&l, 100L);
  o[15] = atomic_fetch_add(&l, 5L); o[16] = atomic_fetch_sub_explicit(&l, 1L, memory_order_relaxed);
  o[17] = atomic_fetch_min_explicit(&l, -7L, memory_order_acq_rel, memory_scope_device); o[18] = atomic_fetch_max(&l, 12L);
  o[19] = atomic_exchange(&l, 77L); long e = 76; o[20] = atomic_compare_exchange_strong(&l, &e, 1L); o[21] = e;
  o[22] = atomic_compare_exchange_strong_explicit(&l, &e, 2L, memory_order_acquire, memory_order_relaxed); o[23] = atomic_load(&l);
  atomic_store_explicit(&l, 8L, memory_order_release); o[24] = atomic_load_explicit(&l, memory_order_acquire, memory_scope_work_group);
  atomic_float f; atomic_init(&f, 1.5f); o[25] = (long)(4 * atomic_fetch_add_explicit(&f, 2.25f, memory_order_relaxed));
  o[26] = (long)(4 * atomic_load(&f)); atomic_fetch_max_explicit(&f, 9.0f, memory_order_relaxed); o[27] = (long)atomic_load(&f);
  atomic_flag g; atomic_flag_clear(&g); o[28] = atomic_flag_test_and_set(&g); o[29] = atomic_flag_test_and_set(&g); atomic_flag_clear(&g);
  o[30] = atomic_flag_test_and_set(&g);
  atomic_uint u; atomic_init(&u, 3u); o[31] = atomic_fetch_min(&u, 0xfffffff0u); o[32] = atomic_fetch_max(&u, 0xfffffff0u);
  o[33] = atomic_load(&u); atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_seq_cst, memory_scope_device); mem_fence(CLK_LOCAL_MEM_FENCE);
  o[0] = 0;
}
";
    let library = load(
        "atomics",
        &format!(
            "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n{}",
            source.replace("o[1] =", "*p = 5; o[1] =")
        ),
    );
    let call = Call {
        id: "t_atomics".into(),
        expression: String::new(),
        result: KINDS[6],
        arguments: vec![KINDS[6]],
        width: 1,
    };
    let output: Vec<i64> =
        call.run(&library, &[&vec![0; 48]]).into_iter().map(|bits| bits as i64).collect();
    let want = [
        0,
        5,
        12,
        12,
        9,
        10,
        9,
        -9,
        -20,
        4,
        4,
        13,
        2,
        44,
        44,
        100,
        105,
        104,
        -7,
        12,
        0,
        77,
        1,
        2,
        8,
        6,
        15,
        9,
        0,
        1,
        0,
        3,
        3,
        0xffff_fff0,
    ];
    assert_eq!(output[..34], want);
}
