//! Elementwise integer and fixed-point vector instructions. Invariant: `vxsat` only accumulates.
//! Not here: reductions, masks.

use super::{Source, VectorState, by_sew};
use crate::fault::Trap;
use muxcl_rv_isa::{Inst, Op};

/// Whether the fixed-point rounding mode `rm` rounds up, if the number that a shift keeps
/// is `odd` and the shift loses `rest`; `half` is half of the unit.
const fn rounds_up(odd: bool, rest: u64, half: u64, rm: u8) -> bool {
    match rm {
        0 => rest >= half,
        1 => rest > half || (rest == half && odd),
        2 => false,
        _ => rest != 0 && !odd,
    }
}

/// `value / 2^shift` in the fixed-point rounding mode `rm`. `shift` is at most 63.
#[inline(always)]
const fn roundoff(value: i128, shift: u32, rm: u8) -> i128 {
    if shift == 0 {
        return value;
    }
    let half = 1 << (shift - 1);
    let rest = value as u64 & ((half << 1) - 1);
    // Most numbers have 64 bits, and the host shifts those faster.
    let short = value as i64;
    if short as i128 == value {
        let kept = short >> shift;
        return kept as i128 + rounds_up(kept & 1 == 1, rest, half, rm) as i128;
    }
    let kept = value >> shift;
    kept + rounds_up(kept & 1 == 1, rest, half, rm) as i128
}

/// Clamps, and records saturation.
fn saturate(value: i128, low: i128, high: i128, sat: &mut bool) -> i128 {
    let clamped = value.clamp(low, high);
    *sat |= clamped != value;
    clamped
}

macro_rules! elementwise {
    ($self:ident, $i:ident, $second:ident;
        $(map $T:ident |$d:pat_param, $a:pat_param, $b:pat_param| $e:expr; $($op:ident)+,)*
        compare: $(test $CT:ident |$ca:pat_param, $cb:pat_param| $ce:expr; $($cop:ident)+,)*
        carry: $(|$ya:pat_param, $yb:pat_param, $yc:pat_param| $ye:expr; $($yop:ident)+,)*
        carry_out: $(|$za:pat_param, $zb:pat_param, $zc:pat_param| $ze:expr; $($zop:ident)+,)*
    ) => {
        match $i.op {
            $($(Op::$op)|+ => by_sew!($self.vtype.sew, $self.map::<$T, $T, $T>($i, $second, |$d,
                $a, $b| $e)),)*
            $($(Op::$cop)|+ => by_sew!($self.vtype.sew, $self.map_to_mask::<$CT>($i, $second,
                false, |$ca, $cb, _| $ce)),)*
            $($(Op::$yop)|+ => by_sew!($self.vtype.sew, $self.map_carry::<U>($i, $second, |$ya,
                $yb, $yc| $ye)),)*
            $($(Op::$zop)|+ => by_sew!($self.vtype.sew, $self.map_to_mask::<U>($i, $second, true,
                |$za, $zb, $zc| $ze)),)*
            _ => return None,
        }
    };
}

/// Evaluates an expression with the aliases of `by_sew`, for element widths that can be doubled.
macro_rules! by_half {
    ($sew:expr, $e:expr) => {
        match $sew {
            1 => by_sew!(@ u8 i8 u16 i16, $e),
            2 => by_sew!(@ u16 i16 u32 i32, $e),
            4 => by_sew!(@ u32 i32 u64 i64, $e),
            _ => Err(Trap::ILLEGAL),
        }
    };
}
pub(super) use by_half;

macro_rules! widening {
    ($self:ident, $i:ident, $second:ident; $($D:ident $A:ident $B:ident |$d:pat_param,
        $a:pat_param, $b:pat_param| $e:expr; $($op:ident)+,)*) => {
        match $i.op {
            $($(Op::$op)|+ => by_half!($self.vtype.sew, $self.map::<$D, $A, $B>($i, $second, |$d,
                $a, $b| $e)),)*
            _ => return None,
        }
    };
}

impl VectorState {
    /// Executes the instruction if this module implements it.
    pub(super) fn integer(&mut self, i: &Inst, second: Source) -> Option<Result<(), Trap>> {
        match self.same_width(i, second) {
            None => {}
            done => return done,
        }
        match self.fixed_point(i, second) {
            None => self.widening(i, second),
            done => done,
        }
    }

    fn same_width(&mut self, i: &Inst, second: Source) -> Option<Result<(), Trap>> {
        Some(elementwise!(self, i, second;
            map U |_, a, b| a.wrapping_add(b); VaddVv VaddVx VaddVi,
            map U |_, a, b| a.wrapping_sub(b); VsubVv VsubVx,
            map U |_, a, b| b.wrapping_sub(a); VrsubVx VrsubVi,
            map U |_, a, b| a.min(b); VminuVv VminuVx,
            map S |_, a, b| a.min(b); VminVv VminVx,
            map U |_, a, b| a.max(b); VmaxuVv VmaxuVx,
            map S |_, a, b| a.max(b); VmaxVv VmaxVx,
            map U |_, a, b| a & b; VandVv VandVx VandVi,
            map U |_, a, b| a | b; VorVv VorVx VorVi,
            map U |_, a, b| a ^ b; VxorVv VxorVx VxorVi,
            map U |_, a, b| a.wrapping_shl(b as u32); VsllVv VsllVx VsllVi,
            map U |_, a, b| a.wrapping_shr(b as u32); VsrlVv VsrlVx VsrlVi,
            map S |_, a, b| a.wrapping_shr(b as u32); VsraVv VsraVx VsraVi,
            map U |_, a, b| a.checked_div(b).unwrap_or(U::MAX); VdivuVv VdivuVx,
            map S |_, a, b| if b == 0 { -1 } else { a.wrapping_div(b) }; VdivVv VdivVx,
            map U |_, a, b| a.checked_rem(b).unwrap_or(a); VremuVv VremuVx,
            map S |_, a, b| if b == 0 { a } else { a.wrapping_rem(b) }; VremVv VremVx,
            map U |_, a, b| a.wrapping_mul(b); VmulVv VmulVx,
            map U |_, a, b| ((W::from(a) * W::from(b)) >> U::BITS) as U; VmulhuVv VmulhuVx,
            map S |_, a, b| ((X::from(a) * X::from(b)) >> U::BITS) as S; VmulhVv VmulhVx,
            map S |_, a, b| (X::from(a).wrapping_mul(X::from(b.cast_unsigned())) >> U::BITS) as S;
                VmulhsuVv VmulhsuVx,
            map U |d, a, b| b.wrapping_mul(d).wrapping_add(a); VmaddVv VmaddVx,
            map U |d, a, b| a.wrapping_sub(b.wrapping_mul(d)); VnmsubVv VnmsubVx,
            map U |d, a, b| b.wrapping_mul(a).wrapping_add(d); VmaccVv VmaccVx,
            map U |d, a, b| d.wrapping_sub(b.wrapping_mul(a)); VnmsacVv VnmsacVx,
            compare:
            test U |a, b| a == b; VmseqVv VmseqVx VmseqVi,
            test U |a, b| a != b; VmsneVv VmsneVx VmsneVi,
            test U |a, b| a < b; VmsltuVv VmsltuVx,
            test S |a, b| a < b; VmsltVv VmsltVx,
            test U |a, b| a <= b; VmsleuVv VmsleuVx VmsleuVi,
            test S |a, b| a <= b; VmsleVv VmsleVx VmsleVi,
            test U |a, b| a > b; VmsgtuVx VmsgtuVi,
            test S |a, b| a > b; VmsgtVx VmsgtVi,
            carry:
            |a, b, c| a.wrapping_add(b).wrapping_add(c.into()); VadcVvm VadcVxm VadcVim,
            |a, b, c| a.wrapping_sub(b).wrapping_sub(c.into()); VsbcVvm VsbcVxm,
            |a, b, c| if c { b } else { a }; VmergeVvm VmergeVxm VmergeVim VfmergeVfm,
            carry_out:
            |a, b, c| { let (s, x) = a.overflowing_add(b); x | s.overflowing_add(c.into()).1 };
                VmadcVvm VmadcVxm VmadcVim,
            |a, b, c| { let (s, x) = a.overflowing_sub(b); x | s.overflowing_sub(c.into()).1 };
                VmsbcVvm VmsbcVxm,
            |a, b, _| a.overflowing_add(b).1; VmadcVv VmadcVx VmadcVi,
            |a, b, _| a.overflowing_sub(b).1; VmsbcVv VmsbcVx,
        ))
    }

    fn fixed_point(&mut self, i: &Inst, second: Source) -> Option<Result<(), Trap>> {
        let (rm, mut saturated) = (self.vxrm, false);
        let sat = &mut saturated;
        let done = elementwise!(self, i, second;
            map U |_, a, b| { let r = a.saturating_add(b); *sat |= r != a.wrapping_add(b); r };
                VsadduVv VsadduVx VsadduVi,
            map S |_, a, b| { let r = a.saturating_add(b); *sat |= r != a.wrapping_add(b); r };
                VsaddVv VsaddVx VsaddVi,
            map U |_, a, b| { let r = a.saturating_sub(b); *sat |= r != a.wrapping_sub(b); r };
                VssubuVv VssubuVx,
            map S |_, a, b| { let r = a.saturating_sub(b); *sat |= r != a.wrapping_sub(b); r };
                VssubVv VssubVx,
            map U |_, a, b| roundoff(i128::from(a) + i128::from(b), 1, rm) as U; VaadduVv VaadduVx,
            map S |_, a, b| roundoff(i128::from(a) + i128::from(b), 1, rm) as S; VaaddVv VaaddVx,
            map U |_, a, b| roundoff(i128::from(a) - i128::from(b), 1, rm) as U; VasubuVv VasubuVx,
            map S |_, a, b| roundoff(i128::from(a) - i128::from(b), 1, rm) as S; VasubVv VasubVx,
            map S |_, a, b| {
                let product = roundoff(i128::from(a) * i128::from(b), S::BITS - 1, rm);
                saturate(product, S::MIN.into(), S::MAX.into(), sat) as S
            }; VsmulVv VsmulVx,
            map U |_, a, b| roundoff(a.into(), b as u32 & (U::BITS - 1),
                rm) as U; VssrlVv VssrlVx VssrlVi,
            map S |_, a, b| roundoff(a.into(), b as u32 & (U::BITS - 1),
                rm) as S; VssraVv VssraVx VssraVi,
            compare: carry: carry_out:
        );
        self.vxsat |= saturated;
        Some(done)
    }

    fn widening(&mut self, i: &Inst, second: Source) -> Option<Result<(), Trap>> {
        let (rm, mut saturated) = (self.vxrm, false);
        let sat = &mut saturated;
        let done = widening!(self, i, second;
            W U U |_, a, b| W::from(a) + W::from(b); VwadduVv VwadduVx,
            X S S |_, a, b| X::from(a) + X::from(b); VwaddVv VwaddVx,
            W U U |_, a, b| W::from(a).wrapping_sub(W::from(b)); VwsubuVv VwsubuVx,
            X S S |_, a, b| X::from(a) - X::from(b); VwsubVv VwsubVx,
            W W U |_, a, b| a.wrapping_add(W::from(b)); VwadduWv VwadduWx,
            X X S |_, a, b| a.wrapping_add(X::from(b)); VwaddWv VwaddWx,
            W W U |_, a, b| a.wrapping_sub(W::from(b)); VwsubuWv VwsubuWx,
            X X S |_, a, b| a.wrapping_sub(X::from(b)); VwsubWv VwsubWx,
            W U U |_, a, b| W::from(a) * W::from(b); VwmuluVv VwmuluVx,
            X S S |_, a, b| X::from(a) * X::from(b); VwmulVv VwmulVx,
            X S U |_, a, b| X::from(a).wrapping_mul(X::from(b)); VwmulsuVv VwmulsuVx,
            W U U |d, a, b| d.wrapping_add(W::from(a) * W::from(b)); VwmaccuVv VwmaccuVx,
            X S S |d, a, b| d.wrapping_add(X::from(a) * X::from(b)); VwmaccVv VwmaccVx,
            X U S |d, a, b| d.wrapping_add(X::from(a).wrapping_mul(X::from(b)));
                VwmaccsuVv VwmaccsuVx,
            X S U |d, a, b| d.wrapping_add(X::from(a).wrapping_mul(X::from(b))); VwmaccusVx,
            U W U |_, a, b| a.wrapping_shr(b.into()) as U; VnsrlWv VnsrlWx VnsrlWi,
            S X S |_, a, b| a.wrapping_shr(b as u32) as S; VnsraWv VnsraWx VnsraWi,
            U W U |_, a, b| {
                let value = roundoff(a.into(), b as u32 & (W::BITS - 1), rm);
                saturate(value, 0, U::MAX.into(), sat) as U
            }; VnclipuWv VnclipuWx VnclipuWi,
            S X S |_, a, b| {
                let value = roundoff(a.into(), b as u32 & (W::BITS - 1), rm);
                saturate(value, S::MIN.into(), S::MAX.into(), sat) as S
            }; VnclipWv VnclipWx VnclipWi,
        );
        self.vxsat |= saturated;
        Some(done)
    }

    /// `vzext` and `vsext`.
    pub(super) fn extend(&mut self, i: &Inst) -> Option<Result<(), Trap>> {
        let none = Source::Scalar(0);
        macro_rules! extend {
            ($D:ident $A:ident) => {
                self.map::<$D, $A, u8>(i, none, |_, a, _| $D::from(a))
            };
        }
        Some(match (i.op, self.vtype.sew) {
            (Op::VzextVf2, 2) => extend!(u16 u8),
            (Op::VzextVf2, 4) => extend!(u32 u16),
            (Op::VzextVf2, 8) => extend!(u64 u32),
            (Op::VzextVf4, 4) => extend!(u32 u8),
            (Op::VzextVf4, 8) => extend!(u64 u16),
            (Op::VzextVf8, 8) => extend!(u64 u8),
            (Op::VsextVf2, 2) => extend!(i16 i8),
            (Op::VsextVf2, 4) => extend!(i32 i16),
            (Op::VsextVf2, 8) => extend!(i64 i32),
            (Op::VsextVf4, 4) => extend!(i32 i8),
            (Op::VsextVf4, 8) => extend!(i64 i16),
            (Op::VsextVf8, 8) => extend!(i64 i8),
            (
                Op::VzextVf2
                | Op::VzextVf4
                | Op::VzextVf8
                | Op::VsextVf2
                | Op::VsextVf4
                | Op::VsextVf8,
                _,
            ) => Err(Trap::ILLEGAL),
            _ => return None,
        })
    }
}
