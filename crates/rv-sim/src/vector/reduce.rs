//! Reductions. Invariant: elements are combined in order, which the specification permits for
//! unordered sums. The scalar operand and the result are element 0 of registers without alignment
//! constraints.

use super::float::{by_format, by_wider, widen};
use super::integer::by_half;
use super::{Elem, VectorState, by_sew};
use crate::fast;
use crate::fault::Trap;
use crate::hart::Hart;
use crate::soft::{self, Double, Half, Single};
use bytemuck::cast_slice;
use muxcl_rv_isa::{Extension, Inst, Op};

impl VectorState {
    /// `vd[0] = f(... f(vs1[0], vs2[0]) ...)` over the active elements.
    fn fold<D: Elem, A: Elem>(
        &mut self,
        i: &Inst,
        mut f: impl FnMut(D, A) -> D,
    ) -> Result<(), Trap> {
        self.group(i.rs2, size_of::<A>())?;
        if self.vstart != 0 || size_of::<D>() > super::ELEN {
            return Err(Trap::ILLEGAL);
        }
        if self.vl == 0 {
            return Ok(());
        }
        let mask = self.mask();
        let mut sum = cast_slice::<u8, D>(self.register(i.rs1))[0];
        for (k, a) in self.elements::<A>(i.rs2)[..self.vl].iter().enumerate() {
            if i.unmasked || mask.get(k) {
                sum = f(sum, *a);
            }
        }
        self.elements_mut::<D>(i.rd)[0] = sum;
        Ok(())
    }

    /// Executes the instruction if it is an integer reduction.
    pub(super) fn reduce(&mut self, i: &Inst) -> Option<Result<(), Trap>> {
        let sew = self.vtype.sew;
        Some(match i.op {
            Op::VredsumVs => by_sew!(sew, self.fold::<U, U>(i, U::wrapping_add)),
            Op::VredandVs => by_sew!(sew, self.fold::<U, U>(i, |s, a| s & a)),
            Op::VredorVs => by_sew!(sew, self.fold::<U, U>(i, |s, a| s | a)),
            Op::VredxorVs => by_sew!(sew, self.fold::<U, U>(i, |s, a| s ^ a)),
            Op::VredminuVs => by_sew!(sew, self.fold::<U, U>(i, U::min)),
            Op::VredminVs => by_sew!(sew, self.fold::<S, S>(i, S::min)),
            Op::VredmaxuVs => by_sew!(sew, self.fold::<U, U>(i, U::max)),
            Op::VredmaxVs => by_sew!(sew, self.fold::<S, S>(i, S::max)),
            Op::VwredsumuVs => by_half!(sew, self.fold::<W, U>(i, |s, a| s.wrapping_add(a.into()))),
            Op::VwredsumVs => by_half!(sew, self.fold::<X, S>(i, |s, a| s.wrapping_add(a.into()))),
            _ => return self.extend(i),
        })
    }
}

impl Hart {
    /// Executes the instruction if it is a floating-point reduction.
    pub(super) fn float_reduce(&mut self, i: &Inst) -> Option<Result<(), Trap>> {
        // As in `vector_float`: other instructions must not depend on `frm` or Zvfh.
        if !matches!(i.op.row().matches >> 12 & 7, 1 | 5) {
            return None;
        }
        let Ok(rm) = self.rounding(7) else { return Some(Err(Trap::ILLEGAL)) };
        let sew = self.v.vtype.sew;
        if sew == 2 && !self.has(Extension::Zvfh) {
            return Some(Err(Trap::ILLEGAL));
        }
        let (v, flags) = (&mut self.v, &mut self.fflags);
        Some(match i.op {
            Op::VfredusumVs | Op::VfredosumVs => {
                by_format!(
                    sew,
                    v.fold::<T, T>(i, |s, a| fast::add::<F>(s.into(), a.into(), rm, flags) as T)
                )
            }
            Op::VfredminVs => by_format!(
                sew,
                v.fold::<T, T>(i, |s, a| soft::min::<F>(s.into(), a.into(), flags) as T)
            ),
            Op::VfredmaxVs => by_format!(
                sew,
                v.fold::<T, T>(i, |s, a| soft::max::<F>(s.into(), a.into(), flags) as T)
            ),
            Op::VfwredusumVs | Op::VfwredosumVs => by_wider!(
                sew,
                v.fold::<W, T>(i, |s, a| {
                    let a = widen::<F, G>(a.into(), flags);
                    fast::add::<G>(s.into(), a, rm, flags) as W
                })
            ),
            _ => return None,
        })
    }
}
