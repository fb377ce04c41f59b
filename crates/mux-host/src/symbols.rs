//! The one table of host functions that compiled kernels may call: functions that LLVM calls itself
//! (memory functions, compiler-rt helpers), and the C mathematics library for intrinsics without an
//! instruction.
//!
//! Invariant: a kernel can reach no other function of the process. Not here: OpenCL builtins; they
//! are compiled into kernels.

/// Declares the functions (only their addresses are taken, so their types do not matter) and the
/// look-up.
macro_rules! table {
    ($($name:ident)*) => {
        mod functions {
            unsafe extern "C" {
                $(pub(super) fn $name();)*
            }
        }
        const TABLE: &[(&str, unsafe extern "C" fn())] = &[$((stringify!($name), functions::$name)),*];
    };
}

table! {
    memcpy memmove memset memcmp bcmp
    __divti3 __udivti3 __modti3 __umodti3 __multi3 __ashlti3 __ashrti3 __lshrti3 __udivmodti4
        __divmodti4
    __muloti4
    __fixsfti __fixdfti __fixunssfti __fixunsdfti __floattisf __floattidf __floatuntisf
        __floatuntidf
    __powisf2 __powidf2
    sqrt sqrtf fmod fmodf remainder remainderf fma fmaf
    floor floorf ceil ceilf trunc truncf rint rintf nearbyint nearbyintf round roundf roundeven
        roundevenf
    lrint lrintf llrint llrintf lround lroundf llround llroundf
    fmin fminf fmax fmaxf fdim fdimf copysign copysignf
    exp expf exp2 exp2f exp10 exp10f expm1 expm1f log logf log2 log2f log10 log10f log1p log1pf pow
        powf
    sin sinf cos cosf tan tanf sincos sincosf asin asinf acos acosf atan atanf atan2 atan2f
    sinh sinhf cosh coshf tanh tanhf asinh asinhf acosh acoshf atanh atanhf
    ldexp ldexpf frexp frexpf modf modff scalbn scalbnf hypot hypotf cbrt cbrtf
    erf erff erfc erfcf tgamma tgammaf lgamma_r lgammaf_r
}

/// The address of a host function that kernels may call.
#[must_use]
pub fn host_symbol(name: &str) -> Option<u64> {
    if name == "muxcl_printf_write" {
        return Some(crate::printf::muxcl_printf_write as *const () as u64);
    }
    if let Some(address) = crate::enqueue::calls::symbol(name) {
        return Some(address);
    }
    let function = TABLE.iter().find(|(n, _)| *n == name).map(|(_, f)| *f as usize);
    function.or_else(|| half(name)).map(|f| f as u64)
}

/// Conversions of half precision, which LLVM calls where the CPU has no instruction for them.
fn half(name: &str) -> Option<usize> {
    Some(match name {
        #[cfg(target_arch = "x86_64")]
        "__extendhfsf2" => __extendhfsf2 as extern "C" fn(HalfRegister) -> f32 as usize,
        #[cfg(target_arch = "x86_64")]
        "__extendhfdf2" => __extendhfdf2 as extern "C" fn(HalfRegister) -> f64 as usize,
        #[cfg(target_arch = "x86_64")]
        "__truncsfhf2" => __truncsfhf2 as extern "C" fn(f32) -> HalfRegister as usize,
        #[cfg(target_arch = "x86_64")]
        "__truncdfhf2" => __truncdfhf2 as extern "C" fn(f64) -> HalfRegister as usize,
        "__gnu_h2f_ieee" => __gnu_h2f_ieee as extern "C" fn(u16) -> f32 as usize,
        "__gnu_f2h_ieee" => __gnu_f2h_ieee as extern "C" fn(f32) -> u16 as usize,
        _ => return None,
    })
}

/// The type that stands for `_Float16` in signatures. The psABI passes both `_Float16` and `float`
/// in the low bits of a vector register.
#[cfg(target_arch = "x86_64")]
type HalfRegister = f32;

#[cfg(target_arch = "x86_64")]
extern "C" fn __extendhfsf2(value: HalfRegister) -> f32 {
    from_half(low_half(value))
}

#[cfg(target_arch = "x86_64")]
extern "C" fn __extendhfdf2(value: HalfRegister) -> f64 {
    f64::from(from_half(low_half(value)))
}

#[cfg(target_arch = "x86_64")]
extern "C" fn __truncsfhf2(value: f32) -> HalfRegister {
    f32::from_bits(u32::from(to_half(f64::from(value))))
}

#[cfg(target_arch = "x86_64")]
extern "C" fn __truncdfhf2(value: f64) -> HalfRegister {
    f32::from_bits(u32::from(to_half(value)))
}

extern "C" fn __gnu_h2f_ieee(value: u16) -> f32 {
    from_half(value)
}

extern "C" fn __gnu_f2h_ieee(value: f32) -> u16 {
    to_half(f64::from(value))
}

#[cfg(target_arch = "x86_64")]
fn low_half(register: HalfRegister) -> u16 {
    let [a, b, ..] = register.to_bits().to_le_bytes();
    u16::from_le_bytes([a, b])
}

/// Converts exactly.
fn from_half(half: u16) -> f32 {
    let sign = u32::from(half & 0x8000) << 16;
    let exponent = u32::from(half >> 10 & 0x1f);
    let fraction = u32::from(half & 0x3ff);
    let magnitude = match (exponent, fraction) {
        (0, 0) => 0,
        (0, _) => {
            // A denormal half is a normal float: fraction * 2^-24.
            let shift = fraction.leading_zeros() - 21;
            (113 - shift) << 23 | (fraction << shift & 0x3ff) << 13
        }
        (31, 0) => 0x7f80_0000,
        (31, _) => 0x7fc0_0000 | fraction << 13,
        _ => (exponent + 112) << 23 | fraction << 13,
    };
    f32::from_bits(sign | magnitude)
}

/// Rounds to nearest even. Callers convert floats to doubles first, which is exact, so the value is
/// rounded once.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "every cast keeps the bits a half has"
)]
fn to_half(value: f64) -> u16 {
    let bits = value.to_bits();
    let sign = (bits >> 48) as u16 & 0x8000;
    let exponent = (bits >> 52 & 0x7ff) as i32 - 1023;
    let fraction = bits & 0xf_ffff_ffff_ffff;
    if exponent == 1024 {
        return sign | if fraction == 0 { 0x7c00 } else { 0x7e00 | (fraction >> 42) as u16 };
    }
    if exponent < -25 {
        return sign;
    }
    if exponent > 15 {
        return sign | 0x7c00;
    }
    let significand = fraction | 1 << 52;
    // Number of fraction bits that a half cannot hold: 42 for normal numbers, and one more for each
    // power of two below 2^-14.
    let drop = 42 + (-14 - exponent).max(0);
    let kept = (significand >> drop) as u16;
    let rest = significand & ((1 << drop) - 1);
    let halfway = 1u64 << (drop - 1);
    let up = rest > halfway || (rest == halfway && kept & 1 == 1);
    // The sum below also adds the implicit bit, so `base` is one less than the exponent field. A
    // carry out of the fraction increments the exponent, as rounding requires.
    let base = if exponent < -14 { 0 } else { ((exponent + 14) as u16) << 10 };
    sign | (base + kept + u16::from(up))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_addresses_and_nothing_else() {
        for (name, _) in TABLE {
            assert_ne!(host_symbol(name), Some(0), "{name}");
        }
        assert!(host_symbol("__extendhfsf2").is_some());
        assert_eq!(host_symbol("system"), None);
        assert_eq!(host_symbol(""), None);
    }

    #[test]
    fn every_half_survives_and_roundings_are_to_nearest_even() {
        for half in 0..=u16::MAX {
            let float = from_half(half);
            if float.is_nan() {
                assert!(half & 0x7c00 == 0x7c00 && half & 0x3ff != 0);
                assert!(f64::from(float).is_nan() && to_half(f64::from(float)) & 0x7e00 == 0x7e00);
            } else {
                assert_eq!(to_half(f64::from(float)), half, "{half:#x} {float}");
            }
        }
        for half in 0..0x7bffu16 {
            let (a, b) = (f64::from(from_half(half)), f64::from(from_half(half + 1)));
            let middle = (a + b) / 2.0;
            assert_eq!(to_half(middle), if half & 1 == 0 { half } else { half + 1 });
            assert_eq!(to_half(middle + (b - a) / 1e6), half + 1);
            assert_eq!(to_half(-(middle - (b - a) / 1e6)), half | 0x8000);
        }
        assert_eq!(to_half(65519.0), 0x7bff);
        assert_eq!(to_half(65520.0), 0x7c00);
        assert_eq!(to_half(1e300), 0x7c00);
        assert_eq!(to_half(f64::NEG_INFINITY), 0xfc00);
        assert_eq!(to_half(2f64.powi(-25)), 0);
        assert_eq!(to_half(2f64.powi(-25) * 1.000_001), 1);
        assert_eq!(to_half(1e-300), 0);
    }
}
