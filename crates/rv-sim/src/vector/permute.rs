//! Permutation instructions. Invariant: an instruction with a forbidden overlap of source and
//! destination is illegal; other sources are copied first.

use super::{Elem, Source, VectorState, by_sew};
use crate::fault::Trap;
use crate::float::boxed;
use crate::hart::Hart;
use crate::soft::{Half, Single};
use bytemuck::{cast_slice, cast_slice_mut};
use muxcl_rv_isa::{Inst, Op};

impl VectorState {
    /// `vmv1r` to `vmv8r`.
    pub(super) fn move_whole(&mut self, i: &Inst) -> Result<(), Trap> {
        let n: u8 = match i.op {
            Op::Vmv1rV => 1,
            Op::Vmv2rV => 2,
            Op::Vmv4rV => 4,
            _ => 8,
        };
        if !i.rd.is_multiple_of(n) || !i.rs2.is_multiple_of(n) {
            return Err(Trap::ILLEGAL);
        }
        // Elements before `vstart` stay unchanged, as for other instructions.
        let skip = std::mem::take(&mut self.vstart) * self.vtype.sew;
        let (from, to, end) = (
            usize::from(i.rs2) * self.vlenb,
            usize::from(i.rd) * self.vlenb,
            usize::from(n) * self.vlenb,
        );
        if skip < end {
            cast_slice_mut::<u64, u8>(&mut self.regs)
                .copy_within(from + skip..from + end, to + skip);
        }
        Ok(())
    }

    /// Whether the register groups of `a` (elements of `size_a` bytes) and `b` overlap.
    fn overlap(&self, a: u8, size_a: usize, b: u8, size_b: usize) -> bool {
        let span = |register: u8, size: usize| {
            let count = 1 << self.emul(size).max(0);
            u32::from(register)..u32::from(register) + count
        };
        let (a, b) = (span(a, size_a), span(b, size_b));
        a.start < b.end && b.start < a.end
    }

    fn copy_of<T: Elem>(&self, register: u8, n: usize) -> Vec<T> {
        self.elements::<T>(register)[..n].to_vec()
    }

    /// `vd[k] = value(source, k)` for the active elements from `from` on; `None` leaves an element
    /// unchanged.
    fn place<T: Elem>(
        &mut self,
        i: &Inst,
        from: usize,
        value: impl Fn(&[T], usize) -> Option<T>,
    ) -> Result<(), Trap> {
        self.destination(i, size_of::<T>())?;
        self.group(i.rs2, size_of::<T>())?;
        let start = std::mem::take(&mut self.vstart).max(from);
        let (max, mask) = (self.vlmax(), self.mask());
        // The source is copied to the scratch space, because the destination may overlap it.
        let mut aside = std::mem::take(&mut self.a);
        let source = &mut cast_slice_mut::<u64, T>(&mut aside)[..max];
        source.copy_from_slice(&self.elements::<T>(i.rs2)[..max]);
        let vl = self.vl;
        for (k, to) in self.elements_mut::<T>(i.rd)[..vl].iter_mut().enumerate().skip(start) {
            if (i.unmasked || mask.get(k))
                && let Some(element) = value(source, k)
            {
                *to = element;
            }
        }
        self.a = aside;
        Ok(())
    }

    fn gather<I: Elem + Into<u64>>(&mut self, i: &Inst) -> Result<(), Trap> {
        self.group(i.rs1, size_of::<I>())?;
        let sew = self.vtype.sew;
        if self.overlap(i.rd, sew, i.rs1, size_of::<I>()) || self.overlap(i.rd, sew, i.rs2, sew) {
            return Err(Trap::ILLEGAL);
        }
        let indices = self.copy_of::<I>(i.rs1, self.vl);
        by_sew!(sew, self.place::<U>(i, 0, |source, k| Some(pick(source, indices[k].into()))))
    }

    fn compress(&mut self, i: &Inst) -> Result<(), Trap> {
        let sew = self.vtype.sew;
        self.group(i.rd, sew)?;
        self.group(i.rs2, sew)?;
        if self.vstart != 0 || self.overlap(i.rd, sew, i.rs2, sew) {
            return Err(Trap::ILLEGAL);
        }
        let chosen: Vec<usize> = (0..self.vl).filter(|k| self.bit(i.rs1, *k)).collect();
        by_sew!(sew, {
            for (to, from) in chosen.into_iter().enumerate() {
                let element = self.elements::<U>(i.rs2)[from];
                self.elements_mut::<U>(i.rd)[to] = element;
            }
            Ok(())
        })
    }
}

/// The element at `at`; 0 past the end.
fn pick<T: Elem>(source: &[T], at: u64) -> T {
    usize::try_from(at).ok().and_then(|k| source.get(k)).copied().unwrap_or(T::of(0))
}

impl Hart {
    /// Executes a permutation instruction; other instructions are illegal.
    pub(super) fn vector_permute(&mut self, i: &Inst, second: Source) -> Result<(), Trap> {
        if let Some(done) = self.float_reduce(i) {
            return done;
        }
        let sew = self.v.vtype.sew;
        let scalar = match second {
            Source::Scalar(value) => value,
            Source::Vector(_) => 0,
        };
        // Immediate and register are unsigned offsets.
        let amount = self.address(scalar);
        match i.op {
            Op::VmvVV | Op::VmvVX | Op::VmvVI | Op::VfmvVF => self.splat(i, second),
            Op::VmvXS => {
                let value = by_sew!(sew, i64::from(cast_slice::<u8, S>(self.v.register(i.rs2))[0]))
                    .cast_unsigned();
                self.set_x(i.rd, value);
                self.v.vstart = 0;
                Ok(())
            }
            Op::VfmvFS => {
                let value = by_sew!(sew, u64::from(cast_slice::<u8, U>(self.v.register(i.rs2))[0]));
                match sew {
                    1 => return Err(Trap::ILLEGAL),
                    2 => self.set_f(i.rd, boxed::<Half>(value)),
                    4 => self.set_f(i.rd, boxed::<Single>(value)),
                    _ => self.set_f(i.rd, value),
                }
                self.v.vstart = 0;
                Ok(())
            }
            Op::VmvSX | Op::VfmvSF => {
                if i.op == Op::VfmvSF && sew == 1 {
                    return Err(Trap::ILLEGAL);
                }
                if std::mem::take(&mut self.v.vstart) < self.v.vl {
                    by_sew!(sew, self.v.elements_mut::<U>(i.rd)[0] = scalar as U);
                }
                Ok(())
            }
            Op::VslideupVx | Op::VslideupVi => {
                if self.v.overlap(i.rd, sew, i.rs2, sew) {
                    return Err(Trap::ILLEGAL);
                }
                let offset = usize::try_from(amount).unwrap_or(usize::MAX).min(self.v.vlmax());
                by_sew!(
                    sew,
                    self.v.place::<U>(i, offset, |source, k| source.get(k - offset).copied())
                )
            }
            Op::VslidedownVx | Op::VslidedownVi => {
                by_sew!(
                    sew,
                    self.v.place::<U>(i, 0, |source, k| Some(pick(
                        source,
                        (k as u64).saturating_add(amount)
                    )))
                )
            }
            Op::Vslide1upVx | Op::Vfslide1upVf => {
                if self.v.overlap(i.rd, sew, i.rs2, sew) {
                    return Err(Trap::ILLEGAL);
                }
                by_sew!(
                    sew,
                    self.v.place::<U>(i, 0, |source, k| Some(if k == 0 {
                        scalar as U
                    } else {
                        source[k - 1]
                    }))
                )
            }
            Op::Vslide1downVx | Op::Vfslide1downVf => {
                let last = self.v.vl.wrapping_sub(1);
                by_sew!(
                    sew,
                    self.v.place::<U>(i, 0, |source, k| Some(if k == last {
                        scalar as U
                    } else {
                        source[k + 1]
                    }))
                )
            }
            Op::VrgatherVv => by_sew!(sew, self.v.gather::<U>(i)),
            Op::Vrgatherei16Vv => self.v.gather::<u16>(i),
            Op::VrgatherVx | Op::VrgatherVi => {
                if self.v.overlap(i.rd, sew, i.rs2, sew) {
                    return Err(Trap::ILLEGAL);
                }
                by_sew!(sew, self.v.place::<U>(i, 0, |source, _| Some(pick(source, amount))))
            }
            Op::VcompressVm => self.v.compress(i),
            _ => Err(Trap::ILLEGAL),
        }
    }
}
