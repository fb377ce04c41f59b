//! Compares every conversion in every rounding and saturation mode with an exact model, as scalar
//! and in one vector width each; also the half loads and stores with their rounding modes.

#![expect(clippy::unwrap_used, reason = "a test")]
#![expect(clippy::cast_possible_truncation, reason = "a test")]

mod common;

use common::{Call, KINDS, Kind, PRAGMAS, Rounding, Value, load, round_to, same};
use fastrand::Rng;

const ROUNDINGS: [&str; 5] = ["", "_rte", "_rtz", "_rtp", "_rtn"];

fn rounding(suffix: &str, to: Kind) -> Rounding {
    match suffix {
        "_rte" => Rounding::Nearest,
        "_rtp" => Rounding::Up,
        "_rtn" => Rounding::Down,
        "" if to.float => Rounding::Nearest,
        _ => Rounding::Zero,
    }
}

/// The integer that a value converts to; `None` where the specification leaves the result open.
fn to_int(value: Value, to: Kind, rounding: Rounding, saturate: bool) -> Option<i128> {
    let int = match value {
        Value::Int(int) => int,
        Value::Float(float) => {
            if float.is_nan() {
                return saturate.then_some(0);
            }
            let whole = match rounding {
                Rounding::Nearest => float.round_ties_even(),
                Rounding::Zero => float.trunc(),
                Rounding::Up => float.ceil(),
                Rounding::Down => float.floor(),
            };
            // Saturates at i128, far outside every type.
            let int = whole as i128;
            if !saturate && (int < to.low() || int > to.high()) {
                return None;
            }
            int
        }
    };
    Some(if saturate { int.clamp(to.low(), to.high()) } else { int })
}

fn check(kinds: &[Kind]) {
    let mut random = Rng::with_seed(0x1234_5678_9abc_def1);
    let mut calls = Vec::new();
    for from in kinds {
        for to in KINDS {
            for saturate in [false, true] {
                for (nth, suffix) in ROUNDINGS.into_iter().enumerate() {
                    if saturate && to.float {
                        continue;
                    }
                    let other = [2, 3, 4, 8, 16]
                        [(from.bits as usize + to.bits as usize + to.name.len() + nth) % 5];
                    for width in [1, other] {
                        let sat = if saturate { "_sat" } else { "" };
                        let name = format!("convert_{}{sat}{suffix}", to.vector(width));
                        let id = format!("t_{}_{name}", from.name);
                        let call = Call {
                            id,
                            expression: format!("{name}($0)"),
                            result: to,
                            arguments: vec![*from],
                            width,
                        };
                        calls.push((call, saturate, suffix));
                    }
                }
            }
        }
    }
    let source: String = calls.iter().map(|(call, ..)| call.source()).collect();
    let library = load(&format!("convert_{}", kinds[0].name), &format!("{PRAGMAS}{source}"));
    for (call, saturate, suffix) in &calls {
        let (from, to) = (call.arguments[0], call.result);
        let mode = rounding(suffix, to);
        let input: Vec<u64> = from
            .samples(&mut random, 400)
            .into_iter()
            .map(|bits| {
                if to.float || to_int(from.value(bits), to, mode, *saturate).is_some() {
                    bits
                } else {
                    0
                }
            })
            .collect();
        let output = call.run(&library, &[&input]);
        for (bits, got) in input.iter().zip(&output) {
            let value = from.value(*bits);
            if to.float {
                let want = round_to(value, to, mode);
                let Value::Float(got) = to.value(*got) else { unreachable!() };
                assert!(same(want, got), "{}: {value:?} gives {got:e}, not {want:e}", call.id);
            } else {
                let want = to.wrap(to_int(value, to, mode, *saturate).unwrap());
                assert_eq!(
                    *got, want,
                    "{}: {value:?} ({bits:x}) gives {got:x}, not {want:x}",
                    call.id
                );
            }
        }
    }
}

#[test]
fn from_small_integers() {
    check(&KINDS[..4]);
}

#[test]
fn from_large_integers() {
    check(&KINDS[4..8]);
}

#[test]
fn from_floats() {
    check(&KINDS[8..]);
}

#[test]
fn half_stores_round_and_half_loads_are_exact() {
    let (half, float, double) = (KINDS[8], KINDS[9], KINDS[10]);
    let mut calls = Vec::new();
    let mut source = String::from(PRAGMAS);
    for width in [1u32, 2, 3, 4, 8, 16] {
        let digits = if width == 1 { String::new() } else { width.to_string() };
        for from in [float, double] {
            for suffix in ROUNDINGS {
                let id = format!("t_vstore_half{digits}{suffix}_{}", from.name);
                let load = if width == 1 { "a[i]".into() } else { format!("vload{width}(i, a)") };
                source.push_str(&format!(
                    "void {id}(global const {} *a, global const char *b, global const char *c, global half *o, ulong n) \
                     {{ for (ulong i = 0; i < n / {width}; i++) vstore_half{digits}{suffix}({load}, i, o); }}\n",
                    from.name
                ));
                let call = Call {
                    id,
                    expression: String::new(),
                    result: half,
                    arguments: vec![from],
                    width,
                };
                calls.push((call, suffix));
            }
        }
        let id = format!("t_vload_half{digits}");
        let store = if width == 1 {
            "o[i] = vload_half(i, a)".to_owned()
        } else {
            format!("vstore{width}(vload_half{width}(i, a), i, o)")
        };
        source.push_str(&format!(
            "void {id}(global const half *a, global const char *b, global const char *c, global float *o, ulong n) \
             {{ for (ulong i = 0; i < n / {width}; i++) {store}; }}\n"
        ));
        calls.push((
            Call { id, expression: String::new(), result: float, arguments: vec![half], width },
            "load",
        ));
        // The aligned forms for 3 elements have a stride of 4.
        if width != 1 {
            let id = format!("t_vloada_vstorea{digits}");
            source.push_str(&format!(
                "void {id}(global const half *a, global const char *b, global const char *c, global half *o, ulong n) \
                 {{ for (ulong i = 0; i < n / {}; i++) vstorea_half{width}(vloada_half{width}(i, a), i, o); }}\n",
                width.next_power_of_two()
            ));
            calls.push((
                Call { id, expression: String::new(), result: half, arguments: vec![half], width },
                "aligned",
            ));
        }
    }
    let library = load("half", &source);
    let mut random = Rng::with_seed(99);
    for (call, suffix) in &calls {
        let from = call.arguments[0];
        let mut input = from.samples(&mut random, 600);
        if from == half {
            input = (0..65536).collect();
            input.extend([0; 32]);
        } else {
            // Values half-way, and almost half-way, between two halves.
            for bits in (0..0x7c00u64).step_by(37) {
                let value = common::half_to_f64(bits as u16)
                    + (common::half_to_f64(bits as u16 + 1) - common::half_to_f64(bits as u16))
                        / 2.0;
                let value = if value.is_finite() { value } else { 65520.0 };
                for near in [value, value.next_up(), value.next_down(), -value] {
                    input.push(if from == float {
                        u64::from((near as f32).to_bits())
                    } else {
                        near.to_bits()
                    });
                }
            }
            while input.len() % 48 != 0 {
                input.push(0);
            }
        }
        let output = call.run(&library, &[&input]);
        for (nth, (bits, got)) in input.iter().zip(&output).enumerate() {
            let Value::Float(value) = from.value(*bits) else { unreachable!() };
            if *suffix == "aligned" {
                if call.width != 3 || nth % 4 != 3 {
                    let Value::Float(got) = half.value(*got) else { unreachable!() };
                    assert!(same(value, got), "{}: element {nth}", call.id);
                } else {
                    assert_eq!(*got, 0xa5a5, "{}: element {nth} was written", call.id);
                }
                continue;
            }
            let want = if *suffix == "load" {
                value
            } else {
                round_to(Value::Float(value), half, rounding(suffix, half))
            };
            let Value::Float(got) = call.result.value(*got) else { unreachable!() };
            assert!(same(want, got), "{}: {value:e} gives {got:e}, not {want:e}", call.id);
        }
    }
}
