//! Elementwise floating-point vector instructions, for 16, 32 and 64 bits. Invariant: only active
//! elements raise flags.

use super::{Source, VectorState};
use crate::fast::{self, Fast};
use crate::fault::Trap;
use crate::hart::Hart;
use crate::soft::{self, DZ, Double, Format, Half, NV, NX, OF, Rounding, Single};
use muxcl_rv_isa::{Extension, Inst, Op};

/// Evaluates an expression with `F` bound to the element format and `T` to its bits.
macro_rules! by_format {
    ($sew:expr, $e:expr) => {
        match $sew {
            2 => by_format!(@ Half u16 i16, $e),
            4 => by_format!(@ Single u32 i32, $e),
            8 => by_format!(@ Double u64 i64, $e),
            _ => Err(Trap::ILLEGAL),
        }
    };
    (@ $f:ident $t:ident $s:ident, $e:expr) => {{
        type F = $f;
        type T = $t;
        type S = $s;
        // This constant uses every alias, because some expressions do not.
        const _: [usize; 3] = [size_of::<F>(), size_of::<T>(), size_of::<S>()];
        $e
    }};
}
pub(super) use by_format;

/// As `by_format`, with `G` and `W` bound to the format and bits of twice the width.
macro_rules! by_wider {
    ($sew:expr, $e:expr) => {
        match $sew {
            2 => by_wider!(@ Half u16 Single u32, $e),
            4 => by_wider!(@ Single u32 Double u64, $e),
            _ => Err(Trap::ILLEGAL),
        }
    };
    (@ $f:ident $t:ident $g:ident $w:ident, $e:expr) => {{
        type F = $f;
        type T = $t;
        type G = $g;
        type W = $w;
        // This constant uses every alias, because some expressions do not.
        const _: [usize; 4] = [size_of::<F>(), size_of::<T>(), size_of::<G>(), size_of::<W>()];
        $e
    }};
}
pub(super) use by_wider;

const NONE: Source = Source::Scalar(0);

/// Converts to the wider format. The conversion is exact, so the rounding mode is irrelevant.
pub(super) fn widen<F: Format, G: Format>(a: u64, flags: &mut u8) -> u64 {
    fast::convert::<F, G>(a, Rounding::NearestEven, flags)
}

/// Table entry of `vfrec7`: seven bits of the significand.
fn reciprocal_bits(index: u64) -> u64 {
    // The reciprocal of the interval's midpoint, rounded to seven bits.
    (65536 + (2 * index + 257) / 2) / (2 * index + 257) - 128
}

/// Table entry of `vfrsqrt7`: seven bits of the significand. The index is the exponent's lowest bit
/// and six bits of the significand.
fn reciprocal_root_bits(index: u64) -> u64 {
    let middle = 129 + 2 * (index & 63);
    // With x = midpoint / 128, doubled for an even exponent, the entry is 256 / sqrt(x) rounded.
    // Integer form: (512 / sqrt(x))^2 = 2^18 / x.
    let square = if index & 64 == 0 { (1u64 << 24) / middle } else { (1 << 25) / middle };
    let twice = square.isqrt();
    twice.div_ceil(2) - 128
}

/// `vfrec7`.
fn reciprocal7<F: Format>(a: u64, rm: Rounding, flags: &mut u8) -> u64 {
    let (sign, field, frac) = (a & F::SIGN, a >> F::FRAC & F::EXP_MAX, a & F::FRAC_MASK);
    if soft::is_nan::<F>(a) {
        if soft::is_signaling::<F>(a) {
            *flags |= NV;
        }
        return F::NAN;
    }
    if field == F::EXP_MAX {
        return sign;
    }
    if a & !F::SIGN == 0 {
        *flags |= DZ;
        return sign | F::INF;
    }
    let (mut exp, mut sig) = (field.cast_signed(), frac);
    if field == 0 {
        let zeros = frac.leading_zeros() - (64 - F::FRAC);
        exp = -i64::from(zeros);
        sig = frac << (zeros + 1) & F::FRAC_MASK;
        if zeros > 1 {
            *flags |= OF | NX;
            let down = matches!(
                (rm, sign != 0),
                (Rounding::Zero | Rounding::Odd, _)
                    | (Rounding::Down, false)
                    | (Rounding::Up, true)
            );
            return sign | (F::INF - u64::from(down));
        }
    }
    let mut out = reciprocal_bits(sig >> (F::FRAC - 7)) << (F::FRAC - 7);
    let mut out_exp = 2 * i64::from(F::BIAS) - 1 - exp;
    if out_exp <= 0 {
        out = (out | 1 << F::FRAC) >> (1 - out_exp);
        out_exp = 0;
    }
    sign | out_exp.cast_unsigned() << F::FRAC | out
}

/// `vfrsqrt7`.
fn reciprocal_root7<F: Format>(a: u64, flags: &mut u8) -> u64 {
    let (sign, field, frac) = (a & F::SIGN, a >> F::FRAC & F::EXP_MAX, a & F::FRAC_MASK);
    if soft::is_nan::<F>(a) {
        if soft::is_signaling::<F>(a) {
            *flags |= NV;
        }
        return F::NAN;
    }
    if a & !F::SIGN == 0 {
        *flags |= DZ;
        return sign | F::INF;
    }
    if sign != 0 {
        *flags |= NV;
        return F::NAN;
    }
    if field == F::EXP_MAX {
        return 0;
    }
    let (mut exp, mut sig) = (field.cast_signed(), frac);
    if field == 0 {
        let zeros = frac.leading_zeros() - (64 - F::FRAC);
        exp = -i64::from(zeros);
        sig = frac << (zeros + 1) & F::FRAC_MASK;
    }
    let index = (exp & 1).cast_unsigned() << 6 | sig >> (F::FRAC - 6);
    let out_exp = (3 * i64::from(F::BIAS) - 1 - exp) >> 1;
    out_exp.cast_unsigned() << F::FRAC | reciprocal_root_bits(index) << (F::FRAC - 7)
}

macro_rules! float_map {
    ($self:ident, $i:ident, $second:ident; $(|$d:pat_param, $a:pat_param,
        $b:pat_param| $e:expr; $($op:ident)+,)*
        compare: $(|$ca:pat_param, $cb:pat_param| $ce:expr; $($cop:ident)+,)*
        wide: $(|$wd:pat_param, $wa:pat_param, $wb:pat_param| $we:expr; $($wop:ident)+,)*
        wide_first: $(|$xa:pat_param, $xb:pat_param| $xe:expr; $($xop:ident)+,)*
    ) => {
        match $i.op {
            $($(Op::$op)|+ => by_format!($self.vtype.sew, $self.map::<T, T, T>($i, $second, |d, a,
                b| {
                let ($d, $a, $b) = (u64::from(d), u64::from(a), u64::from(b));
                ($e) as T
            })),)*
            $($(Op::$cop)|+ => by_format!($self.vtype.sew, $self.map_to_mask::<T>($i, $second,
                false, |a, b, _| {
                let ($ca, $cb) = (u64::from(a), u64::from(b));
                $ce
            })),)*
            $($(Op::$wop)|+ => by_wider!($self.vtype.sew, $self.map::<W, T, T>($i, $second, |d, a,
                b| {
                let ($wd, $wa, $wb) = (u64::from(d), u64::from(a), u64::from(b));
                ($we) as W
            })),)*
            $($(Op::$xop)|+ => by_wider!($self.vtype.sew, $self.map::<W, W, T>($i, $second, |_, a,
                b| {
                let ($xa, $xb) = (u64::from(a), u64::from(b));
                ($xe) as W
            })),)*
            _ => return None,
        }
    };
}

fn fused<F: Fast>(
    a: u64,
    b: u64,
    c: u64,
    negate_product: bool,
    negate_addend: bool,
    rm: Rounding,
    flags: &mut u8,
) -> u64 {
    let flip = |yes: bool| if yes { F::SIGN } else { 0 };
    fast::fma::<F>(a ^ flip(negate_product), b, c ^ flip(negate_addend), rm, flags)
}

fn wide_fused<F: Format, G: Fast>(
    a: u64,
    b: u64,
    d: u64,
    negate_product: bool,
    negate_addend: bool,
    rm: Rounding,
    flags: &mut u8,
) -> u64 {
    let (a, b) = (widen::<F, G>(a, flags), widen::<F, G>(b, flags));
    fused::<G>(a, b, d, negate_product, negate_addend, rm, flags)
}

impl Hart {
    /// Whether the hart has floating-point elements of the current width.
    pub(super) fn has_vector_format(&self) -> bool {
        match self.v.vtype.sew {
            1 => false,
            2 => self.has(Extension::Zvfh),
            _ => true,
        }
    }

    /// Executes the instruction if this module implements it.
    pub(super) fn vector_float(&mut self, i: &Inst, second: Source) -> Option<Result<(), Trap>> {
        // Floating-point instructions have funct3 1 and 5 of the vector opcode. All of them require
        // a valid `frm`.
        if !matches!(i.op.row().matches >> 12 & 7, 1 | 5) {
            return None;
        }
        let Ok(rm) = self.rounding(7) else { return Some(Err(Trap::ILLEGAL)) };
        // Conversions between 16-bit integers and single precision do not involve half precision.
        let half = match self.v.vtype.sew {
            1 => true,
            2 => !matches!(
                i.op,
                Op::VfwcvtFXuV
                    | Op::VfwcvtFXV
                    | Op::VfncvtXuFW
                    | Op::VfncvtXFW
                    | Op::VfncvtRtzXuFW
                    | Op::VfncvtRtzXFW
            ),
            _ => false,
        };
        if half && !self.has(Extension::Zvfh) {
            return Some(Err(Trap::ILLEGAL));
        }
        let flags = &mut self.fflags;
        match self.v.float_same(i, second, rm, flags) {
            None => {}
            done => return done,
        }
        self.v.float_convert(i, rm, flags)
    }
}

impl VectorState {
    fn float_same(
        &mut self,
        i: &Inst,
        second: Source,
        rm: Rounding,
        flags: &mut u8,
    ) -> Option<Result<(), Trap>> {
        Some(float_map!(self, i, second;
            |_, a, b| fast::add::<F>(a, b, rm, flags); VfaddVv VfaddVf,
            |_, a, b| fast::sub::<F>(a, b, rm, flags); VfsubVv VfsubVf,
            |_, a, b| fast::sub::<F>(b, a, rm, flags); VfrsubVf,
            |_, a, b| fast::mul::<F>(a, b, rm, flags); VfmulVv VfmulVf,
            |_, a, b| fast::div::<F>(a, b, rm, flags); VfdivVv VfdivVf,
            |_, a, b| fast::div::<F>(b, a, rm, flags); VfrdivVf,
            |_, a, b| soft::min::<F>(a, b, flags); VfminVv VfminVf,
            |_, a, b| soft::max::<F>(a, b, flags); VfmaxVv VfmaxVf,
            |_, a, b| a & !F::SIGN | b & F::SIGN; VfsgnjVv VfsgnjVf,
            |_, a, b| a & !F::SIGN | !b & F::SIGN; VfsgnjnVv VfsgnjnVf,
            |_, a, b| a ^ b & F::SIGN; VfsgnjxVv VfsgnjxVf,
            |d, a, b| fused::<F>(b, d, a, false, false, rm, flags); VfmaddVv VfmaddVf,
            |d, a, b| fused::<F>(b, d, a, true, true, rm, flags); VfnmaddVv VfnmaddVf,
            |d, a, b| fused::<F>(b, d, a, false, true, rm, flags); VfmsubVv VfmsubVf,
            |d, a, b| fused::<F>(b, d, a, true, false, rm, flags); VfnmsubVv VfnmsubVf,
            |d, a, b| fused::<F>(b, a, d, false, false, rm, flags); VfmaccVv VfmaccVf,
            |d, a, b| fused::<F>(b, a, d, true, true, rm, flags); VfnmaccVv VfnmaccVf,
            |d, a, b| fused::<F>(b, a, d, false, true, rm, flags); VfmsacVv VfmsacVf,
            |d, a, b| fused::<F>(b, a, d, true, false, rm, flags); VfnmsacVv VfnmsacVf,
            |_, a, _| fast::sqrt::<F>(a, rm, flags); VfsqrtV,
            |_, a, _| reciprocal_root7::<F>(a, flags); Vfrsqrt7V,
            |_, a, _| reciprocal7::<F>(a, rm, flags); Vfrec7V,
            |_, a, _| soft::classify::<F>(a); VfclassV,
            compare:
            |a, b| soft::eq::<F>(a, b, flags); VmfeqVv VmfeqVf,
            |a, b| !soft::eq::<F>(a, b, flags); VmfneVv VmfneVf,
            |a, b| soft::lt::<F>(a, b, flags); VmfltVv VmfltVf,
            |a, b| soft::le::<F>(a, b, flags); VmfleVv VmfleVf,
            |a, b| soft::lt::<F>(b, a, flags); VmfgtVf,
            |a, b| soft::le::<F>(b, a, flags); VmfgeVf,
            wide:
            |_, a, b| { let (a, b) = (widen::<F, G>(a, flags), widen::<F, G>(b,
                flags)); fast::add::<G>(a, b, rm, flags) }; VfwaddVv VfwaddVf,
            |_, a, b| { let (a, b) = (widen::<F, G>(a, flags), widen::<F, G>(b,
                flags)); fast::sub::<G>(a, b, rm, flags) }; VfwsubVv VfwsubVf,
            |_, a, b| { let (a, b) = (widen::<F, G>(a, flags), widen::<F, G>(b,
                flags)); fast::mul::<G>(a, b, rm, flags) }; VfwmulVv VfwmulVf,
            |d, a, b| wide_fused::<F, G>(b, a, d, false, false, rm, flags); VfwmaccVv VfwmaccVf,
            |d, a, b| wide_fused::<F, G>(b, a, d, true, true, rm, flags); VfwnmaccVv VfwnmaccVf,
            |d, a, b| wide_fused::<F, G>(b, a, d, false, true, rm, flags); VfwmsacVv VfwmsacVf,
            |d, a, b| wide_fused::<F, G>(b, a, d, true, false, rm, flags); VfwnmsacVv VfwnmsacVf,
            wide_first:
            |a, b| { let b = widen::<F, G>(b, flags); fast::add::<G>(a, b, rm,
                flags) }; VfwaddWv VfwaddWf,
            |a, b| { let b = widen::<F, G>(b, flags); fast::sub::<G>(a, b, rm,
                flags) }; VfwsubWv VfwsubWf,
        ))
    }

    fn float_convert(
        &mut self,
        i: &Inst,
        rm: Rounding,
        flags: &mut u8,
    ) -> Option<Result<(), Trap>> {
        let sew = self.vtype.sew;
        macro_rules! to_int {
            // Arguments: source format and bits, destination bits.
            ($F:ident $A:ident $D:ident, $signed:literal, $rm:expr) => {
                self.map::<$D, $A, u8>(i, NONE, |_, a, _| {
                    fast::to_int::<$F>(a.into(), $D::BITS, $signed, $rm, flags) as $D
                })
            };
        }
        macro_rules! from_int {
            ($A:ident $F:ident $D:ident, $from:ident, $as:ident) => {
                self.map::<$D, $A, u8>(i, NONE, |_, a, _| {
                    fast::$from::<$F>($as::from(a), rm, flags) as $D
                })
            };
        }
        macro_rules! convert {
            ($F:ident $A:ident $G:ident $D:ident, $rm:expr) => {
                self.map::<$D, $A, u8>(i, NONE, |_, a, _| {
                    fast::convert::<$F, $G>(a.into(), $rm, flags) as $D
                })
            };
        }
        let toward_zero = Rounding::Zero;
        Some(match i.op {
            Op::VfcvtXuFV => by_format!(sew, to_int!(F T T, false, rm)),
            Op::VfcvtXFV => by_format!(sew, to_int!(F T T, true, rm)),
            Op::VfcvtRtzXuFV => by_format!(sew, to_int!(F T T, false, toward_zero)),
            Op::VfcvtRtzXFV => by_format!(sew, to_int!(F T T, true, toward_zero)),
            Op::VfcvtFXuV => by_format!(sew, from_int!(T F T, from_u64, u64)),
            Op::VfcvtFXV => by_format!(sew, from_int!(S F T, from_i64, i64)),
            Op::VfwcvtXuFV => by_wider!(sew, to_int!(F T W, false, rm)),
            Op::VfwcvtXFV => by_wider!(sew, to_int!(F T W, true, rm)),
            Op::VfwcvtRtzXuFV => by_wider!(sew, to_int!(F T W, false, toward_zero)),
            Op::VfwcvtRtzXFV => by_wider!(sew, to_int!(F T W, true, toward_zero)),
            Op::VfwcvtFXuV => match sew {
                1 => from_int!(u8 Half u16, from_u64, u64),
                2 => from_int!(u16 Single u32, from_u64, u64),
                4 => from_int!(u32 Double u64, from_u64, u64),
                _ => Err(Trap::ILLEGAL),
            },
            Op::VfwcvtFXV => match sew {
                1 => from_int!(i8 Half u16, from_i64, i64),
                2 => from_int!(i16 Single u32, from_i64, i64),
                4 => from_int!(i32 Double u64, from_i64, i64),
                _ => Err(Trap::ILLEGAL),
            },
            Op::VfwcvtFFV => by_wider!(sew, convert!(F T G W, rm)),
            Op::VfncvtXuFW | Op::VfncvtRtzXuFW => {
                let rm = if i.op == Op::VfncvtXuFW { rm } else { toward_zero };
                match sew {
                    1 => to_int!(Half u16 u8, false, rm),
                    2 => to_int!(Single u32 u16, false, rm),
                    4 => to_int!(Double u64 u32, false, rm),
                    _ => Err(Trap::ILLEGAL),
                }
            }
            Op::VfncvtXFW | Op::VfncvtRtzXFW => {
                let rm = if i.op == Op::VfncvtXFW { rm } else { toward_zero };
                match sew {
                    1 => to_int!(Half u16 u8, true, rm),
                    2 => to_int!(Single u32 u16, true, rm),
                    4 => to_int!(Double u64 u32, true, rm),
                    _ => Err(Trap::ILLEGAL),
                }
            }
            Op::VfncvtFXuW => match sew {
                2 => from_int!(u32 Half u16, from_u64, u64),
                4 => from_int!(u64 Single u32, from_u64, u64),
                _ => Err(Trap::ILLEGAL),
            },
            Op::VfncvtFXW => match sew {
                2 => from_int!(i32 Half u16, from_i64, i64),
                4 => from_int!(i64 Single u32, from_i64, i64),
                _ => Err(Trap::ILLEGAL),
            },
            Op::VfncvtFFW => by_wider!(sew, convert!(G W F T, rm)),
            Op::VfncvtRodFFW => by_wider!(sew, convert!(G W F T, Rounding::Odd)),
            _ => return None,
        })
    }
}
