//! Compiles the run-time library of RISC-V devices for the host and compares it with the host's own
//! arithmetic: special values in all pairs, and random bits.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    trivial_numeric_casts,
    reason = "the test is about the casts"
)]
#![expect(clippy::unwrap_used, reason = "a test")]

use fastrand::Rng;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

fn library() -> &'static libloading::Library {
    static LIBRARY: OnceLock<libloading::Library> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("runtime");
        let scratch = tempfile::tempdir().unwrap();
        let out = scratch.path().join("runtime.so");
        let mut sources: Vec<PathBuf> =
            std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
        sources.retain(|p| p.extension().is_some_and(|e| e == "c"));
        let done = Command::new("/usr/lib/llvm-22/bin/clang")
            .args([
                "-shared",
                "-fPIC",
                "-DMUXCL_RUNTIME_TEST",
                "-O1",
                "-fno-builtin",
                "-std=c17",
                "-w",
                "-o",
            ])
            .arg(&out)
            .args(&sources)
            .status()
            .unwrap();
        assert!(done.success());
        // SAFETY: the library has no constructors.
        #[expect(clippy::disallowed_methods, reason = "a test loads what it has just compiled")]
        let library = unsafe { libloading::Library::new(&out) }.unwrap();
        library
    })
}

/// The function with this name and type.
macro_rules! rt {
    ($($part:literal)+, fn($($arg:ty),*) -> $ret:ty) => {{
        // SAFETY: the C source defines the function with this type.
        let symbol = unsafe { library().get::<extern "C" fn($($arg),*) -> $ret>(concat!("rt_", $($part),+)) };
        *symbol.unwrap_or_else(|e| panic!("{}: {e}", concat!($($part),+)))
    }};
}

const SPECIAL: [f64; 24] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.5,
    1.5,
    2.5,
    -2.5,
    0.499_999_999_999_999_94,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
    f64::MAX,
    f64::MIN,
    f64::MIN_POSITIVE,
    5e-324,
    -5e-324,
    2.0e-308,
    4_503_599_627_370_495.5,
    9_007_199_254_740_991.0,
    1e10,
    3.0,
    16_777_215.0,
];

fn doubles(n: usize) -> Vec<f64> {
    let mut random = Rng::with_seed(7);
    let mut list = SPECIAL.to_vec();
    for k in 0..n {
        let bits = random.u64(..);
        // One third has exponents near each other, so that sums cancel.
        let bits =
            if k % 3 == 0 { bits & 0x803f_ffff_ffff_ffff | 0x3fc0_0000_0000_0000 } else { bits };
        list.push(f64::from_bits(bits));
        list.push(f64::from_bits(bits & !0xffff_ffff));
    }
    list
}

fn floats(n: usize) -> Vec<f32> {
    let mut random = Rng::with_seed(9);
    let mut list: Vec<f32> = SPECIAL.iter().map(|v| *v as f32).collect();
    list.extend([f32::MAX, f32::MIN_POSITIVE, 1e-45, -1e-45, 8_388_607.5, 0.499_999_97]);
    for k in 0..n {
        let bits = random.u64(..) as u32;
        list.push(f32::from_bits(if k % 3 == 0 { bits & 0x81ff_ffff | 0x3e00_0000 } else { bits }));
    }
    list
}

#[track_caller]
fn same64(found: f64, right: f64, what: &dyn std::fmt::Debug) {
    assert!(
        found.to_bits() == right.to_bits() || found.is_nan() && right.is_nan(),
        "{what:?}: {found:e} ({:#x}), not {right:e} ({:#x})",
        found.to_bits(),
        right.to_bits()
    );
}

#[track_caller]
fn same32(found: f32, right: f32, what: &dyn std::fmt::Debug) {
    same64(found.into(), right.into(), what);
}

fn ordering(a: Option<std::cmp::Ordering>, other: i32) -> i32 {
    a.map_or(other, |o| o as i32)
}

/// The tests that both widths share. Parameters: the letter in the names of compiler functions, the
/// suffix of C's names, the arguments, and the comparison of results.
macro_rules! width {
    ($module:ident, $F:ident, $letter:literal, $end:literal, $values:expr, $same:ident) => {
        mod $module {
            use super::*;

            #[test]
            fn arithmetic() {
                let list = $values;
                let add = rt!("__add" $letter "f3", fn($F, $F) -> $F);
                let sub = rt!("__sub" $letter "f3", fn($F, $F) -> $F);
                let mul = rt!("__mul" $letter "f3", fn($F, $F) -> $F);
                let div = rt!("__div" $letter "f3", fn($F, $F) -> $F);
                let less = rt!("__lt" $letter "f2", fn($F, $F) -> i32);
                let greater = rt!("__gt" $letter "f2", fn($F, $F) -> i32);
                let equal = rt!("__eq" $letter "f2", fn($F, $F) -> i32);
                let unordered = rt!("__unord" $letter "f2", fn($F, $F) -> i32);
                let fmod = rt!("fmod" $end, fn($F, $F) -> $F);
                let fma = rt!("fma" $end, fn($F, $F, $F) -> $F);
                let fmin = rt!("fmin" $end, fn($F, $F) -> $F);
                let fmax = rt!("fmax" $end, fn($F, $F) -> $F);
                let mut third = list.iter().cycle().skip(5);
                for (n, a) in list.iter().enumerate() {
                    // Special values with all others, the rest with their neighbours.
                    let others = if n < 30 { 0..list.len() } else {
                        n.saturating_sub(40)..(n + 4).min(list.len()) };
                    for b in &list[others] {
                        let (a, b) = (*a, *b);
                        let c = *third.next().unwrap();
                        $same(add(a, b), a + b, &("add", a, b));
                        $same(sub(a, b), a - b, &("sub", a, b));
                        $same(mul(a, b), a * b, &("mul", a, b));
                        $same(div(a, b), a / b, &("div", a, b));
                        $same(fmod(a, b), a % b, &("fmod", a, b));
                        $same(fma(a, b, c), a.mul_add(b, c), &("fma", a, b, c));
                        $same(fma(a, b, -(a * b)), a.mul_add(b, -(a * b)), &("fma", a, b, -(a * b)));
                        assert_eq!(less(a, b), ordering(a.partial_cmp(&b), 1), "{a} < {b}");
                        assert_eq!(greater(a, b), ordering(a.partial_cmp(&b), -1), "{a} > {b}");
                        assert_eq!(equal(a, b) == 0, a == b, "{a} == {b}");
                        assert_eq!(unordered(a, b) != 0, a.is_nan() || b.is_nan());
                        if a != b {
                            $same(fmin(a, b), a.min(b), &("fmin", a, b));
                            $same(fmax(a, b), a.max(b), &("fmax", a, b));
                        }
                    }
                }
            }

            #[test]
            fn one_operand() {
                let functions: [(&str, extern "C" fn($F) -> $F, fn($F) -> $F); 8] = [
                    ("sqrt", rt!("sqrt" $end, fn($F) -> $F), <$F>::sqrt),
                    ("floor", rt!("floor" $end, fn($F) -> $F), <$F>::floor),
                    ("ceil", rt!("ceil" $end, fn($F) -> $F), <$F>::ceil),
                    ("trunc", rt!("trunc" $end, fn($F) -> $F), <$F>::trunc),
                    ("rint", rt!("rint" $end, fn($F) -> $F), <$F>::round_ties_even),
                    ("roundeven", rt!("roundeven" $end, fn($F) -> $F), <$F>::round_ties_even),
                    ("round", rt!("round" $end, fn($F) -> $F), <$F>::round),
                    ("neg", rt!("__neg" $letter "f2", fn($F) -> $F), |v| -v),
                ];
                let fix32 = rt!("__fix" $letter "fsi", fn($F) -> i32);
                let fix64 = rt!("__fix" $letter "fdi", fn($F) -> i64);
                let fixu32 = rt!("__fixuns" $letter "fsi", fn($F) -> u32);
                let fixu64 = rt!("__fixuns" $letter "fdi", fn($F) -> u64);
                let ldexp = rt!("ldexp" $end, fn($F, i32) -> $F);
                for v in $values {
                    for (name, ours, right) in functions {
                        $same(ours(v), right(v), &(name, v));
                    }
                    // Rust's conversions saturate and give 0 for NaN.
                    assert_eq!((fix32(v), fix64(v)), (v as i32, v as i64), "{v}");
                    assert_eq!((fixu32(v), fixu64(v)), (v as u32, v as u64), "{v}");
                    for n in [0, 1, -1, 30, -30, 126, -126] {
                        $same(ldexp(v, n), (f64::from(v) * f64::from(n).exp2()) as $F, &("ldexp", v, n));
                    }
                }
                let from32 = rt!("__floatsi" $letter "f", fn(i32) -> $F);
                let from64 = rt!("__floatdi" $letter "f", fn(i64) -> $F);
                let fromu32 = rt!("__floatunsi" $letter "f", fn(u32) -> $F);
                let fromu64 = rt!("__floatundi" $letter "f", fn(u64) -> $F);
                let mut random = Rng::with_seed(3);
                for n in 0..100_000u32 {
                    let v = random.u64(..) >> (n % 64);
                    $same(from64(v as i64), v as i64 as $F, &v);
                    $same(fromu64(v), v as $F, &v);
                    $same(from32(v as i32), v as i32 as $F, &v);
                    $same(fromu32(v as u32), v as u32 as $F, &v);
                }
            }
        }
    };
}
width!(single, f32, "s", "f", floats(3000), same32);
width!(double, f64, "d", "", doubles(2000), same64);

#[test]
fn widths() {
    let extend = rt!("__extendsfdf2", fn(f32) -> f64);
    let truncate = rt!("__truncdfsf2", fn(f64) -> f32);
    for v in floats(20_000) {
        same64(extend(v), v.into(), &v);
    }
    for v in doubles(20_000) {
        same32(truncate(v), v as f32, &v);
    }
    // Halves as integers: every one there and back, and the midpoint between neighbours.
    let (from, to) = (rt!("__gnu_h2f_ieee", fn(u16) -> f32), rt!("__gnu_f2h_ieee", fn(f32) -> u16));
    for half in 0..=u16::MAX {
        let float = from(half);
        if float.is_nan() {
            assert!(half & 0x7c00 == 0x7c00 && half & 0x3ff != 0 && to(float) & 0x7e00 == 0x7e00);
        } else {
            assert_eq!(to(float), half);
        }
    }
    for half in 0..0x7bffu16 {
        let (a, b) = (from(half), from(half + 1));
        let middle = (a + b) / 2.0;
        assert_eq!(to(middle), if half & 1 == 0 { half } else { half + 1 });
        assert_eq!((to(middle.next_up()), to(middle.next_down())), (half + 1, half));
    }
    assert_eq!(
        (from(1), from(0x3c00), from(0x7bff), from(0xfc00)),
        (2f32.powi(-24), 1.0, 65504.0, f32::NEG_INFINITY)
    );
    assert_eq!((to(65519.0), to(65520.0), to(1e30)), (0x7bff, 0x7c00, 0x7c00));
}

#[test]
fn integers() {
    let mut random = Rng::with_seed(5);
    let (mul, umul) =
        (rt!("__multi3", fn(i128, i128) -> i128), rt!("__muldi3", fn(u64, u64) -> u64));
    let (div, rem) =
        (rt!("__divti3", fn(i128, i128) -> i128), rt!("__modti3", fn(i128, i128) -> i128));
    let (udiv, urem) =
        (rt!("__udivti3", fn(u128, u128) -> u128), rt!("__umodti3", fn(u128, u128) -> u128));
    let (div64, rem64) =
        (rt!("__divdi3", fn(i64, i64) -> i64), rt!("__moddi3", fn(i64, i64) -> i64));
    let (udiv32, rem32) =
        (rt!("__udivsi3", fn(u32, u32) -> u32), rt!("__modsi3", fn(i32, i32) -> i32));
    let (shl, shr) =
        (rt!("__ashlti3", fn(u128, i32) -> u128), rt!("__lshrti3", fn(u128, i32) -> u128));
    let sar = rt!("__ashrti3", fn(i128, i32) -> i128);
    let (shl64, shr64) =
        (rt!("__ashldi3", fn(u64, i32) -> u64), rt!("__lshrdi3", fn(u64, i32) -> u64));
    let sar64 = rt!("__ashrdi3", fn(i64, i32) -> i64);
    for n in 0..20_000u32 {
        let mut word =
            || (u128::from(random.u64(..)) << 64 | u128::from(random.u64(..))) >> (n * 7 % 128);
        let (a, b) = (word(), word() >> (n % 97));
        let b = b.max(1);
        let (sa, sb) = (a as i128, b as i128);
        assert_eq!((udiv(a, b), urem(a, b)), (a / b, a % b));
        assert_eq!(
            (div(sa, -sb), rem(sa, -sb)),
            (sa.wrapping_div(-sb), sa.wrapping_rem(-sb)),
            "{sa} {sb}"
        );
        assert_eq!(mul(sa, sb), sa.wrapping_mul(sb));
        let (x, y) = (a as u64, (b as u64).max(1));
        assert_eq!(umul(x, y), x.wrapping_mul(y));
        let (sx, sy) = (x as i64, y as i64);
        assert_eq!((div64(sx, sy), rem64(sx, sy)), (sx.wrapping_div(sy), sx.wrapping_rem(sy)));
        assert_eq!(udiv32(x as u32, (y as u32).max(1)), x as u32 / (y as u32).max(1));
        assert_eq!(rem32(x as i32, (y as i32).max(1)), (x as i32).wrapping_rem((y as i32).max(1)));
        let k = (n % 128) as i32;
        assert_eq!((shl(a, k), shr(a, k), sar(sa, k)), (a << k, a >> k, sa >> k));
        let k = (n % 64) as i32;
        assert_eq!((shl64(x, k), shr64(x, k), sar64(sx, k)), (x << k, x >> k, sx >> k));
    }
}

#[test]
fn memory() {
    let copy = rt!("memcpy", fn(*mut u8, *const u8, usize) -> *mut u8);
    let shift = rt!("memmove", fn(*mut u8, *const u8, usize) -> *mut u8);
    let set = rt!("memset", fn(*mut u8, i32, usize) -> *mut u8);
    let compare = rt!("memcmp", fn(*const u8, *const u8, usize) -> i32);
    let source: Vec<u8> = (0..200).collect();
    for to in 0..17 {
        for from in 0..17 {
            for n in (0..40).chain([63, 64, 65, 100, 128]) {
                let mut right = source.clone();
                let mut found = source.clone();
                right.copy_within(from..from + n, to);
                let base = found.as_mut_ptr();
                shift(base.wrapping_add(to), base.wrapping_add(from), n);
                assert_eq!(found, right, "memmove {to} {from} {n}");
                let mut other = vec![0xaau8; 200];
                copy(other.as_mut_ptr().wrapping_add(to), source.as_ptr().wrapping_add(from), n);
                assert!(
                    other[to..to + n] == source[from..from + n]
                        && other[to + n..].iter().all(|b| *b == 0xaa)
                );
                assert!(other[..to].iter().all(|b| *b == 0xaa));
                set(other.as_mut_ptr().wrapping_add(to), 0x135, n);
                assert!(
                    other[to..to + n].iter().all(|b| *b == 0x35)
                        && other[to + n..].iter().all(|b| *b == 0xaa)
                );
                let (a, b) = (&source[to..to + n], &source[from..from + n]);
                assert_eq!(compare(a.as_ptr(), b.as_ptr(), n), a.cmp(b) as i32);
            }
        }
    }
}
