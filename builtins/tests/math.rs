//! Compares mathematical functions with 113-bit references (libquadmath), with the specification's
//! error bounds for the full profile, for half, float and double. Compares every vector width with
//! the scalar, bit for bit.
//!
//! `MUXCL_SAMPLES=<n>` takes that many random arguments per function and type instead of the few
//! thousand of a quick run.

#![expect(clippy::unwrap_used, clippy::print_stderr, clippy::disallowed_methods, reason = "a test")]
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_possible_wrap,
    reason = "a test"
)]

mod common;

use common::{half_to_f64, load, run, scratch};
use fastrand::Rng;
use std::process::Command;

type Reference =
    unsafe extern "C" fn(*const f64, *const f64, *const i32, *mut f64, *mut f64, usize);
type Tested = unsafe extern "C" fn(*const u8, *const u8, *const i32, *mut u8, usize);

#[derive(Clone, Copy, PartialEq)]
enum Arity {
    Unary,
    Binary,
    Power,
}
use Arity::{Binary, Power, Unary};

/// Name, arity, and the error bounds in ulp for float and double, and for half.
const FUNCTIONS: &[(&str, Arity, f64, f64)] = &[
    ("exp", Unary, 3.0, 2.0),
    ("exp2", Unary, 3.0, 2.0),
    ("exp10", Unary, 3.0, 2.0),
    ("expm1", Unary, 3.0, 2.0),
    ("log", Unary, 3.0, 2.0),
    ("log2", Unary, 3.0, 2.0),
    ("log10", Unary, 3.0, 2.0),
    ("log1p", Unary, 2.0, 2.0),
    ("sin", Unary, 4.0, 2.0),
    ("cos", Unary, 4.0, 2.0),
    ("tan", Unary, 5.0, 2.0),
    ("sinpi", Unary, 4.0, 2.0),
    ("cospi", Unary, 4.0, 2.0),
    ("tanpi", Unary, 6.0, 2.0),
    ("asin", Unary, 4.0, 2.0),
    ("acos", Unary, 4.0, 2.0),
    ("atan", Unary, 5.0, 2.0),
    ("asinpi", Unary, 5.0, 2.0),
    ("acospi", Unary, 5.0, 2.0),
    ("atanpi", Unary, 5.0, 2.0),
    ("sinh", Unary, 4.0, 2.0),
    ("cosh", Unary, 4.0, 2.0),
    ("tanh", Unary, 5.0, 2.0),
    ("asinh", Unary, 4.0, 2.0),
    ("acosh", Unary, 4.0, 2.0),
    ("atanh", Unary, 5.0, 2.0),
    ("sqrt", Unary, 0.5, 0.5),
    ("rsqrt", Unary, 2.0, 1.0),
    ("cbrt", Unary, 2.0, 2.0),
    ("erf", Unary, 16.0, 4.0),
    ("erfc", Unary, 16.0, 4.0),
    ("tgamma", Unary, 16.0, 4.0),
    ("lgamma", Unary, 1e30, 1e30),
    ("floor", Unary, 0.0, 0.0),
    ("ceil", Unary, 0.0, 0.0),
    ("trunc", Unary, 0.0, 0.0),
    ("rint", Unary, 0.0, 0.0),
    ("round", Unary, 0.0, 0.0),
    ("fabs", Unary, 0.0, 0.0),
    ("logb", Unary, 0.0, 0.0),
    ("pow", Binary, 16.0, 4.0),
    ("powr", Binary, 16.0, 4.0),
    ("atan2", Binary, 6.0, 2.0),
    ("atan2pi", Binary, 6.0, 2.0),
    ("hypot", Binary, 4.0, 2.0),
    ("fmod", Binary, 0.0, 0.0),
    ("remainder", Binary, 0.0, 0.0),
    ("fdim", Binary, 0.5, 0.5),
    ("fmax", Binary, 0.0, 0.0),
    ("fmin", Binary, 0.0, 0.0),
    ("maxmag", Binary, 0.0, 0.0),
    ("minmag", Binary, 0.0, 0.0),
    ("copysign", Binary, 0.0, 0.0),
    ("pown", Power, 16.0, 4.0),
    ("rootn", Power, 16.0, 4.0),
    ("ldexp", Power, 0.5, 0.5),
];

#[derive(Clone, Copy)]
struct Kind {
    name: &'static str,
    bytes: usize,
    /// Bits of the significand; the next field is the exponent of the smallest subnormal.
    digits: i32,
    least: i32,
    largest: f64,
}

const KINDS: [Kind; 3] = [
    Kind { name: "half", bytes: 2, digits: 11, least: -24, largest: 65504.0 },
    Kind { name: "float", bytes: 4, digits: 24, least: -149, largest: f32::MAX as f64 },
    Kind { name: "double", bytes: 8, digits: 53, least: -1074, largest: f64::MAX },
];

impl Kind {
    fn value(self, bits: u64) -> f64 {
        match self.bytes {
            2 => half_to_f64(bits as u16),
            4 => f64::from(f32::from_bits(bits as u32)),
            _ => f64::from_bits(bits),
        }
    }

    fn get(self, bytes: &[u8], at: usize) -> u64 {
        let mut word = [0; 8];
        word[..self.bytes].copy_from_slice(&bytes[at * self.bytes..(at + 1) * self.bytes]);
        u64::from_le_bytes(word)
    }

    /// The error of `got` against hi + lo, in units of the last place of the exact value.
    fn error(self, got: f64, hi: f64, lo: f64) -> f64 {
        if hi.is_nan() || got.is_nan() {
            return if hi.is_nan() && got.is_nan() { 0.0 } else { f64::INFINITY };
        }
        if hi == got && (lo == 0.0 || hi.is_infinite()) {
            return 0.0;
        }
        let exponent = if hi == 0.0 { -1100 } else { (hi.abs().to_bits() >> 52) as i32 - 1023 };
        let place = (exponent - self.digits + 1).max(self.least);
        let scale = |x: f64| {
            if place < -1000 {
                x * 2f64.powi(600) / 2f64.powi(place + 600)
            } else {
                x / 2f64.powi(place)
            }
        };
        // Infinity counts as the number one place above the largest one.
        if got.is_infinite() || hi.is_infinite() || hi.abs() > self.largest {
            let edge = self.largest;
            let got_scaled = if got.is_infinite() { edge.copysign(got) } else { got };
            let want = if hi.abs() > edge { edge.copysign(hi) } else { hi };
            return scale(want - got_scaled).abs()
                + if got.is_infinite() != (hi.abs() > edge) { 0.5 } else { 0.0 };
        }
        (scale(hi - got) + scale(lo)).abs()
    }
}

/// Argument bits: special values in all pairs, random bit patterns, and values of moderate size.
fn arguments(kind: Kind, random: &mut Rng, samples: usize, two: bool) -> (Vec<u64>, Vec<u64>) {
    let (sign, infinity, one) = match kind.bytes {
        2 => (1u64 << 15, 0x7c00u64, 0x3c00u64),
        4 => (1 << 31, 0x7f80_0000, 0x3f80_0000),
        _ => (1 << 63, 0x7ff0_0000_0000_0000, 0x3ff0_0000_0000_0000),
    };
    let unit = 1u64 << (kind.digits - 1);
    let mut special = vec![
        0,
        1,
        2,
        unit - 1,
        unit,
        one - 1,
        one,
        one + 1,
        infinity - 1,
        infinity,
        infinity + unit / 2,
    ];
    for power in [-4i64, -3, -2, -1, 1, 2, 3, 4, 5] {
        special.push((one as i64 + power * unit as i64) as u64);
        special.push((one as i64 + power * unit as i64) as u64 + unit / 2);
        special.push((one as i64 + power * unit as i64) as u64 + unit / 4);
    }
    let all: Vec<u64> = special.iter().flat_map(|bits| [*bits, *bits | sign]).collect();
    let (mut a, mut b) = (Vec::new(), Vec::new());
    if two {
        for x in &all {
            for y in &all {
                a.push(*x);
                b.push(*y);
            }
        }
    } else {
        a.extend(&all);
        b.extend(&all);
        if kind.bytes == 2 {
            a.extend(0..65536);
            b.extend(0..65536);
        }
    }
    let mask = if kind.bytes == 8 { u64::MAX } else { (1 << (8 * kind.bytes)) - 1 };
    for nth in 0..samples {
        let one_of = |random: &mut Rng| {
            let bits = random.u64(..);
            match nth % 3 {
                0 => bits & mask,
                // An exponent near that of 1.
                1 => {
                    ((one as i64 + ((random.u64(..) >> 32) % 12) as i64 * unit as i64
                        - 6 * unit as i64) as u64
                        | (bits & (unit - 1)))
                        | (if bits >> 63 == 0 { 0 } else { sign })
                }
                _ => {
                    ((one as i64 + ((random.u64(..) >> 32) % 4) as i64 * unit as i64
                        - 2 * unit as i64) as u64
                        | (bits & (unit - 1)))
                        | (if bits >> 63 == 0 { 0 } else { sign })
                }
            }
        };
        a.push(one_of(random));
        b.push(one_of(random));
    }
    while a.len() % 48 != 0 {
        a.push(one);
        b.push(one);
    }
    (a, b)
}

fn wrapper(name: &str, arity: Arity, kind: &str, width: u32) -> String {
    let load = |from: &str| {
        if width == 1 { format!("{from}[i]") } else { format!("vload{width}(i, {from})") }
    };
    let call = match arity {
        Unary => format!("{name}({})", load("a")),
        Binary => format!("{name}({}, {})", load("a"), load("b")),
        Power => format!("{name}({}, {})", load("a"), load("n")),
    };
    let store =
        if width == 1 { format!("o[i] = {call}") } else { format!("vstore{width}({call}, i, o)") };
    format!(
        "void t_{name}_{kind}_{width}(global const {kind} *a, global const {kind} *b, global const int *n, \
         global {kind} *o, ulong count) {{ for (ulong i = 0; i < count / {width}; i++) {store}; }}\n"
    )
}

fn reference() -> libloading::Library {
    let object = scratch("reference.so");
    run(Command::new("cc")
        .args(["-O2", "-fPIC", "-shared", "-o"])
        .arg(&object)
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/reference.c"))
        .arg("-lquadmath"));
    // SAFETY: plain functions, no initialisers.
    unsafe { libloading::Library::new(object) }.unwrap()
}

fn check(kind: Kind) {
    let samples =
        std::env::var("MUXCL_SAMPLES").ok().and_then(|text| text.parse().ok()).unwrap_or(3_000);
    let only = std::env::var("MUXCL_ONLY").unwrap_or_default();
    let wanted = || {
        FUNCTIONS
            .iter()
            .filter(|(name, ..)| only.is_empty() || only.split(',').any(|one| one == *name))
    };
    let mut source = String::from("#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n");
    // Every function as a scalar and in one width, which differs between functions: all widths
    // share their text.
    let widths = |nth: usize| [1, [2, 3, 4, 8, 16][(nth + kind.bytes) % 5]];
    for (nth, (name, arity, ..)) in wanted().enumerate() {
        for width in widths(nth) {
            source.push_str(&wrapper(name, *arity, kind.name, width));
        }
    }
    let tested = load(&format!("math_{}", kind.name), &source);
    let reference = reference();
    let mut random = Rng::with_seed(0x9e37_79b9_7f4a_7c15);
    let mut failures = Vec::new();
    for (nth, (name, arity, bound, half_bound)) in wanted().enumerate() {
        let bound = if kind.bytes == 2 { *half_bound } else { *bound };
        let (a, b) = arguments(kind, &mut random, samples, *arity != Unary);
        let count = a.len();
        let n: Vec<i32> = b
            .iter()
            .map(|bits| {
                let small = kind.value(*bits);
                if small.abs() < 1e5 { small as i32 } else { (*bits >> 3) as i32 }
            })
            .collect();
        let pack = |bits: &[u64]| -> Vec<u8> {
            bits.iter().flat_map(|bits| bits.to_le_bytes()[..kind.bytes].to_vec()).collect()
        };
        let (a_bytes, b_bytes) = (pack(&a), pack(&b));
        let widen =
            |bits: &[u64]| -> Vec<f64> { bits.iter().map(|bits| kind.value(*bits)).collect() };
        let (wide_a, wide_b) = (widen(&a), widen(&b));
        let (mut hi, mut lo) = (vec![0.0; count], vec![0.0; count]);
        // SAFETY: the symbol has this type.
        let function =
            unsafe { reference.get::<Reference>(format!("ref_{name}").as_bytes()) }.unwrap();
        // SAFETY: all arrays have `count` elements.
        unsafe {
            function(
                wide_a.as_ptr(),
                wide_b.as_ptr(),
                n.as_ptr(),
                hi.as_mut_ptr(),
                lo.as_mut_ptr(),
                count,
            )
        };
        let mut first: Option<Vec<u8>> = None;
        for width in widths(nth) {
            let mut out = vec![0xa5; count * kind.bytes];
            // SAFETY: as above.
            let function = unsafe {
                tested.get::<Tested>(format!("t_{name}_{}_{width}", kind.name).as_bytes())
            }
            .unwrap();
            // SAFETY: as above; `count` is a multiple of every width.
            unsafe {
                function(a_bytes.as_ptr(), b_bytes.as_ptr(), n.as_ptr(), out.as_mut_ptr(), count)
            };
            let Some(scalar) = &first else {
                let (mut worst, mut at, mut bad) = (0.0, 0, 0);
                for nth in 0..count {
                    let got = kind.value(kind.get(&out, nth));
                    let error = kind.error(got, hi[nth], lo[nth]);
                    // The sign of zero is also checked for exact functions.
                    let sign = bound == 0.0
                        && !hi[nth].is_nan()
                        && got.is_sign_negative() != hi[nth].is_sign_negative();
                    let sign = sign && !matches!(*name, "fmax" | "fmin" | "maxmag" | "minmag");
                    // The specification sets no bound for lgamma. The library's is accurate
                    // wherever its only zeros are 1 and 2.
                    let bound = if *name == "lgamma" && wide_a[nth] > 0.0 { 64.0 } else { bound };
                    bad += u32::from(error > bound || sign);
                    if error > worst || sign {
                        (worst, at) = (error, nth);
                    }
                }
                let line = format!(
                    "{name} {}: {worst:.3} ulp (bound {bound}) at {:e} ({:x}), {:e} / {}: {:e}, expected {:e}; {bad} of {count} bad",
                    kind.name,
                    wide_a[at],
                    a[at],
                    wide_b[at],
                    n[at],
                    kind.value(kind.get(&out, at)),
                    hi[at]
                );
                eprintln!("{line}");
                if bad > 0 {
                    failures.push(line);
                }
                first = Some(out);
                continue;
            };
            for (nth, argument) in wide_a.iter().enumerate() {
                let (one, other) = (kind.get(scalar, nth), kind.get(&out, nth));
                if one != other && !(kind.value(one).is_nan() && kind.value(other).is_nan()) {
                    failures.push(format!(
                        "{name} {}: width {width} differs from the scalar at {argument:e}",
                        kind.name
                    ));
                    break;
                }
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn float() {
    check(KINDS[1]);
}

#[test]
fn double() {
    check(KINDS[2]);
}

#[test]
fn half() {
    check(KINDS[0]);
}
