//! Fast paths of floating point on the host's FPU, for rounding to nearest even and results well
//! inside the normal range. `soft.rs` handles all other cases. Error-free transformations determine
//! whether a result is inexact, so the flags are exact. Invariant: results and flags equal those of
//! `soft`. The thread's floating-point state must be Rust's default. Not here: half precision
//! (`half.rs`).

use crate::half;
use crate::soft::{self, Double, Format, NX, Rounding, Single};

/// A format with fast paths. Each operation returns `None` when the fast path does not apply;
/// otherwise it returns the result and adds inexactness to `flags`.
pub(crate) trait Fast: Format {
    /// `a + b`.
    #[inline(always)]
    fn fast_add(_a: u64, _b: u64, _flags: &mut u8) -> Option<u64> {
        None
    }
    /// `a * b`.
    #[inline(always)]
    fn fast_mul(_a: u64, _b: u64, _flags: &mut u8) -> Option<u64> {
        None
    }
    /// `a / b`.
    #[inline(always)]
    fn fast_div(_a: u64, _b: u64, _flags: &mut u8) -> Option<u64> {
        None
    }
    /// The square root.
    #[inline(always)]
    fn fast_sqrt(_a: u64, _flags: &mut u8) -> Option<u64> {
        None
    }
    /// `a * b + c`.
    #[inline(always)]
    fn fast_fma(_a: u64, _b: u64, _c: u64, _flags: &mut u8) -> Option<u64> {
        None
    }
}

/// Fast paths on raw registers: NaN-boxed operands and a normal result. The caller has checked that
/// the rounding mode is nearest even and that the inexact flag is already set.
macro_rules! usual {
    ($name:ident, $format:ident, $float:ident, $bits:ident, $box:expr) => {
        pub(crate) mod $name {
            use super::{comfortable, $format};

            /// Mask of the bits above a value.
            const BOX: u64 = $box;

            #[inline(always)]
            fn boxed(register: u64) -> bool {
                register >= BOX
            }

            #[inline(always)]
            fn result(value: $float) -> Option<u64> {
                let bits = u64::from(value.to_bits());
                comfortable::<$format>(bits, 30).then_some(bits | BOX)
            }

            #[inline(always)]
            fn of(register: u64) -> $float {
                $float::from_bits(register as $bits)
            }

            /// `a + b`.
            #[inline(always)]
            pub(crate) fn add(a: u64, b: u64) -> Option<u64> {
                if boxed(a & b) { result(of(a) + of(b)) } else { None }
            }

            /// `a - b`.
            #[inline(always)]
            pub(crate) fn sub(a: u64, b: u64) -> Option<u64> {
                if boxed(a & b) { result(of(a) - of(b)) } else { None }
            }

            /// `a * b`.
            #[inline(always)]
            pub(crate) fn mul(a: u64, b: u64) -> Option<u64> {
                if boxed(a & b) { result(of(a) * of(b)) } else { None }
            }
        }
    };
}
usual!(single, Single, f32, u32, 0xffff_ffff_0000_0000);
usual!(double, Double, f64, u64, 0);

/// Whether the magnitude lies in the range where inexactness is the only possible exception and
/// rounding errors are representable.
#[inline(always)]
fn comfortable<T: Format>(bits: u64, margin: u64) -> bool {
    let field = bits >> T::FRAC & T::EXP_MAX;
    field.wrapping_sub(margin) < T::EXP_MAX - margin
}

#[inline(always)]
pub(crate) fn note(flags: &mut u8, inexact: bool) {
    if inexact {
        *flags |= NX;
    }
}

macro_rules! fused {
    ($name:ident, $float:ident, $instruction:literal) => {
        /// `x * y + z`, rounded once; uses the host's FMA instruction if available.
        #[inline(always)]
        pub(crate) fn $name(x: $float, y: $float, z: $float) -> $float {
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            if std::arch::is_x86_feature_detected!("fma") {
                let mut result = x;
                // SAFETY: the processor has the instruction, and the instruction accesses registers
                // only.
                unsafe {
                    std::arch::asm!($instruction, inlateout(xmm_reg) result, in(xmm_reg) y,
                        in(xmm_reg) z,
                        options(pure, nomem, nostack, preserves_flags));
                }
                return result;
            }
            x.mul_add(y, z)
        }
    };
}
fused!(fused32, f32, "vfmadd213ss {0}, {1}, {2}");
fused!(fused64, f64, "vfmadd213sd {0}, {1}, {2}");

macro_rules! fast {
    ($format:ident, $float:ident, $bits:ident, $fused:ident, $margin:literal) => {
        impl Fast for $format {
            #[inline(always)]
            fn fast_add(a: u64, b: u64, flags: &mut u8) -> Option<u64> {
                let (x, y) = ($float::from_bits(a as $bits), $float::from_bits(b as $bits));
                let sum = x + y;
                let bits = u64::from(sum.to_bits());
                if !comfortable::<Self>(bits, 2) {
                    // A sum that is zero is exact.
                    return (sum == 0.0).then_some(bits);
                }
                if *flags & NX == 0 {
                    let part = sum - x;
                    note(flags, (x - (sum - part)) + (y - part) != 0.0);
                }
                Some(bits)
            }

            #[inline(always)]
            fn fast_mul(a: u64, b: u64, flags: &mut u8) -> Option<u64> {
                let (x, y) = ($float::from_bits(a as $bits), $float::from_bits(b as $bits));
                let product = x * y;
                let bits = u64::from(product.to_bits());
                if !comfortable::<Self>(bits, $margin) {
                    // The product of zero and a finite number is exact.
                    return (product == 0.0 && (x == 0.0 || y == 0.0)).then_some(bits);
                }
                if *flags & NX == 0 {
                    note(flags, $fused(x, y, -product) != 0.0);
                }
                Some(bits)
            }

            #[inline(always)]
            fn fast_div(a: u64, b: u64, flags: &mut u8) -> Option<u64> {
                let (x, y) = ($float::from_bits(a as $bits), $float::from_bits(b as $bits));
                let quotient = x / y;
                let bits = u64::from(quotient.to_bits());
                if !comfortable::<Self>(bits, 2) || !comfortable::<Self>(a, $margin) {
                    return (x == 0.0 && quotient == 0.0).then_some(bits);
                }
                if *flags & NX == 0 {
                    note(flags, $fused(-quotient, y, x) != 0.0);
                }
                Some(bits)
            }

            #[inline(always)]
            fn fast_sqrt(a: u64, flags: &mut u8) -> Option<u64> {
                if !comfortable::<Self>(a, $margin) || a & Self::SIGN != 0 {
                    return None;
                }
                let x = $float::from_bits(a as $bits);
                let root = x.sqrt();
                if *flags & NX == 0 {
                    note(flags, $fused(-root, root, x) != 0.0);
                }
                Some(u64::from(root.to_bits()))
            }

            #[inline(always)]
            fn fast_fma(a: u64, b: u64, c: u64, flags: &mut u8) -> Option<u64> {
                let (x, y, z) = (
                    $float::from_bits(a as $bits),
                    $float::from_bits(b as $bits),
                    $float::from_bits(c as $bits),
                );
                let result = $fused(x, y, z);
                let bits = u64::from(result.to_bits());
                let normal = comfortable::<Self>(bits, 2);
                if *flags & NX != 0 && normal {
                    return Some(bits);
                }
                if x == 0.0 || y == 0.0 {
                    return (normal || result == 0.0).then_some(bits);
                }
                // The rounding error of an FMA is not representable as one number in general. When
                // the product is exact, the operation is a sum, whose error is representable.
                let product = x * y;
                if !comfortable::<Self>(product.to_bits().into(), $margin)
                    || $fused(x, y, -product) != 0.0
                {
                    return None;
                }
                if !normal {
                    return (result == 0.0).then_some(bits);
                }
                let part = result - product;
                note(flags, (product - (result - part)) + (z - part) != 0.0);
                Some(bits)
            }
        }
    };
}

fast!(Single, f32, u32, fused32, 30);
fast!(Double, f64, u64, fused64, 60);

macro_rules! entry {
    ($(#[$doc:meta])* $name:ident($($arg:ident),*), $fast:ident) => {
        $(#[$doc])*
        #[inline(always)]
        pub(crate) fn $name<T: Fast>($($arg: u64),*, rm: Rounding, flags: &mut u8) -> u64 {
            if rm == Rounding::NearestEven && let Some(result) = T::$fast($($arg),*, flags) {
                return result;
            }
            soft::$name::<T>($($arg),*, rm, flags)
        }
    };
}

entry!(/** `a + b`. */ add(a, b), fast_add);
entry!(/** `a * b`. */ mul(a, b), fast_mul);
entry!(/** `a / b`. */ div(a, b), fast_div);
entry!(/** The square root. */ sqrt(a), fast_sqrt);
entry!(/** `a * b + c`, rounded once. */ fma(a, b, c), fast_fma);

/// `a - b`, as `a + (-b)`.
#[inline(always)]
pub(crate) fn sub<T: Fast>(a: u64, b: u64, rm: Rounding, flags: &mut u8) -> u64 {
    // A NaN with the sign flipped is a NaN of the same kind.
    add::<T>(a, b ^ T::SIGN, rm, flags)
}

/// Converts between formats.
#[inline]
pub(crate) fn convert<F: Format, G: Format>(a: u64, rm: Rounding, flags: &mut u8) -> u64 {
    if F::WIDTH == 32 && G::WIDTH == 64 {
        let x = f32::from_bits(a as u32);
        if !x.is_nan() {
            return f64::from(x).to_bits();
        }
    } else if F::WIDTH == 64 && G::WIDTH == 32 && rm == Rounding::NearestEven {
        let x = f64::from_bits(a);
        let narrow = x as f32;
        if comfortable::<Single>(narrow.to_bits().into(), 2) {
            note(flags, f64::from(narrow) != x);
            return narrow.to_bits().into();
        }
    }
    if F::WIDTH == 16 && a & !F::SIGN < F::INF {
        let x = half::single(a);
        return if G::WIDTH == 32 { x.to_bits().into() } else { f64::from(x).to_bits() };
    }
    if G::WIDTH == 16 && rm == Rounding::NearestEven {
        let mut inexact = false;
        let result = if F::WIDTH == 32 {
            half::from_single(f32::from_bits(a as u32), &mut inexact)
        } else {
            half::from_double(f64::from_bits(a), &mut inexact)
        };
        if let Some(result) = result {
            note(flags, inexact);
            return result;
        }
    }
    soft::convert::<F, G>(a, rm, flags)
}

/// Converts to an integer, as [`soft::to_int`] does.
#[inline]
pub(crate) fn to_int<T: Format>(
    a: u64,
    width: u32,
    signed: bool,
    rm: Rounding,
    flags: &mut u8,
) -> u64 {
    if rm == Rounding::Zero {
        let x = match T::WIDTH {
            16 => half::single(a).into(),
            32 => f64::from(f32::from_bits(a as u32)),
            _ => f64::from_bits(a),
        };
        // A range that fits the width. A NaN fails the comparison.
        let limit = f64::from(1_u32 << (width.min(32) - 1));
        if x.abs() < limit && (signed || x >= 0.0) {
            let integer = x as i64;
            note(flags, integer as f64 != x);
            return integer.cast_unsigned();
        }
    }
    soft::to_int::<T>(a, width, signed, rm, flags)
}

/// Converts from a signed 64-bit integer.
#[inline]
pub(crate) fn from_i64<T: Format>(a: i64, rm: Rounding, flags: &mut u8) -> u64 {
    if rm == Rounding::NearestEven && a.unsigned_abs() < 1 << 53 {
        if T::WIDTH == 64 {
            return (a as f64).to_bits();
        }
        if T::WIDTH == 32 {
            let x = a as f32;
            note(flags, f64::from(x) != a as f64);
            return x.to_bits().into();
        }
        let mut inexact = false;
        // Such integers are exact in single precision.
        if a.unsigned_abs() < 1 << 17
            && let Some(result) = half::from_single(a as f32, &mut inexact)
        {
            note(flags, inexact);
            return result;
        }
    }
    soft::from_i64::<T>(a, rm, flags)
}

/// Converts from an unsigned 64-bit integer.
#[inline]
pub(crate) fn from_u64<T: Format>(a: u64, rm: Rounding, flags: &mut u8) -> u64 {
    match i64::try_from(a) {
        Ok(a) => from_i64::<T>(a, rm, flags),
        Err(_) => soft::from_u64::<T>(a, rm, flags),
    }
}

#[cfg(test)]
mod tests {
    //! Compares the fast paths with `soft`, and `soft` with the host for operations that IEEE 754
    //! defines exactly.

    use fastrand::Rng;

    use crate::soft::Half;

    use super::{
        Double, Fast, Rounding, Single, add, convert, div, fma, from_i64, from_u64, mul, soft,
        sqrt, sub, to_int,
    };

    /// Bits of a random number. Most exponents are near one; some are arbitrary.
    fn float<T: Fast>(random: &mut Rng) -> u64 {
        let r = random.u64(..);
        let field = match r & 7 {
            0 => r >> 3 & T::EXP_MAX,
            1 => [0, 1, T::EXP_MAX, T::EXP_MAX - 1][(r >> 3) as usize & 3],
            _ => T::BIAS as u64 - 4 + (r >> 3 & 7),
        };
        let fraction = if r & 0x100 == 0 {
            random.u64(..) & random.u64(..) & random.u64(..)
        } else {
            random.u64(..)
        };
        (r >> 9 & 1) << (T::WIDTH - 1) | field << T::FRAC | fraction & T::FRAC_MASK
    }

    fn agree<T: Fast>(seed: u64) {
        let mut random = Rng::with_seed(seed);
        let rm = Rounding::NearestEven;
        for _ in 0..200_000 {
            let (a, b, c) =
                (float::<T>(&mut random), float::<T>(&mut random), float::<T>(&mut random));
            for start in [0, soft::NX] {
                let check =
                    |name: &str, fast: &dyn Fn(&mut u8) -> u64, slow: &dyn Fn(&mut u8) -> u64| {
                        let (mut f, mut s) = (start, start);
                        let (x, y) = (fast(&mut f), slow(&mut s));
                        assert_eq!(
                            (x, f),
                            (y, s),
                            "{name} of {a:#x}, {b:#x}, {c:#x} from flags {start}"
                        );
                    };
                check("add", &|f| add::<T>(a, b, rm, f), &|f| soft::add::<T>(a, b, rm, f));
                check("sub", &|f| sub::<T>(a, b, rm, f), &|f| soft::sub::<T>(a, b, rm, f));
                check("mul", &|f| mul::<T>(a, b, rm, f), &|f| soft::mul::<T>(a, b, rm, f));
                check("div", &|f| div::<T>(a, b, rm, f), &|f| soft::div::<T>(a, b, rm, f));
                check("sqrt", &|f| sqrt::<T>(a, rm, f), &|f| soft::sqrt::<T>(a, rm, f));
                check("fma", &|f| fma::<T>(a, b, c, rm, f), &|f| soft::fma::<T>(a, b, c, rm, f));
                check("to f32", &|f| convert::<T, Single>(a, rm, f), &|f| {
                    soft::convert::<T, Single>(a, rm, f)
                });
                check("to f64", &|f| convert::<T, Double>(a, rm, f), &|f| {
                    soft::convert::<T, Double>(a, rm, f)
                });
                let integer = b.cast_signed() >> (c & 63);
                for (rm, width, signed) in
                    [(Rounding::Zero, 32, true), (Rounding::Zero, 64, false), (rm, 32, false)]
                {
                    check("to int", &|f| to_int::<T>(a, width, signed, rm, f), &|f| {
                        soft::to_int::<T>(a, width, signed, rm, f)
                    });
                    let unsigned = integer.cast_unsigned();
                    check("from int", &|f| from_i64::<T>(integer, rm, f), &|f| {
                        soft::from_i64::<T>(integer, rm, f)
                    });
                    check("from u64", &|f| from_u64::<T>(unsigned, rm, f), &|f| {
                        soft::from_u64::<T>(unsigned, rm, f)
                    });
                }
            }
        }
    }

    #[test]
    fn shortcuts_give_what_soft_gives() {
        agree::<Single>(1);
        agree::<Double>(2);
        agree::<Half>(3);
    }

    #[test]
    fn soft_gives_what_the_host_gives() {
        let mut random = Rng::with_seed(3);
        for _ in 0..200_000 {
            let (a, b, c) = (
                float::<Double>(&mut random),
                float::<Double>(&mut random),
                float::<Double>(&mut random),
            );
            let (x, y, z) = (f64::from_bits(a), f64::from_bits(b), f64::from_bits(c));
            let rm = Rounding::NearestEven;
            let same = |bits: u64, host: f64| {
                f64::from_bits(bits).is_nan() && host.is_nan() || bits == host.to_bits()
            };
            let f = &mut 0;
            assert!(same(soft::add::<Double>(a, b, rm, f), x + y), "{x:e} + {y:e}");
            assert!(same(soft::mul::<Double>(a, b, rm, f), x * y), "{x:e} * {y:e}");
            assert!(same(soft::div::<Double>(a, b, rm, f), x / y), "{x:e} / {y:e}");
            assert!(same(soft::sqrt::<Double>(a, rm, f), x.sqrt()), "sqrt {x:e}");
            assert!(
                same(soft::fma::<Double>(a, b, c, rm, f), x.mul_add(y, z)),
                "{x:e} * {y:e} + {z:e}"
            );
            let narrow = soft::convert::<Double, Single>(a, rm, f) as u32;
            assert!(x.is_nan() || narrow == (x as f32).to_bits(), "{x:e} as f32");
            let integer = soft::to_int::<Double>(a, 64, true, Rounding::Zero, f);
            assert!(x.is_nan() || integer == (x as i64).cast_unsigned(), "{x:e} as i64");
            assert_eq!(
                soft::from_i64::<Double>(a.cast_signed(), rm, f),
                (a.cast_signed() as f64).to_bits()
            );
            assert_eq!(soft::from_u64::<Single>(a, rm, f) as u32, (a as f32).to_bits());
        }
    }
}
