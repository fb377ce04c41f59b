//! Mask instructions. Invariant: bits from `vl` on stay unchanged.

use super::{Source, by_sew};
use crate::fault::Trap;
use crate::hart::Hart;
use muxcl_rv_isa::{Inst, Op};

impl Hart {
    fn mask_logic(&mut self, i: &Inst, f: impl Fn(bool, bool) -> bool) -> Result<(), Trap> {
        let start = std::mem::take(&mut self.v.vstart);
        for k in start..self.v.vl {
            let value = f(self.v.bit(i.rs2, k), self.v.bit(i.rs1, k));
            self.v.set_bit(i.rd, k, value);
        }
        Ok(())
    }

    /// `vmsbf`, `vmsif`, `vmsof`: `f(before, at)` returns the result bit. `before` is true for
    /// elements before the first set bit, `at` for the element of that bit.
    fn first_set(&mut self, i: &Inst, f: impl Fn(bool, bool) -> bool) -> Result<(), Trap> {
        if self.v.vstart != 0 || i.rd == i.rs2 || (!i.unmasked && i.rd == 0) {
            return Err(Trap::ILLEGAL);
        }
        let mask = self.v.mask();
        let mut before = true;
        for k in 0..self.v.vl {
            if i.unmasked || mask.get(k) {
                let at = before && self.v.bit(i.rs2, k);
                self.v.set_bit(i.rd, k, f(before && !at, at));
                before &= !at;
            }
        }
        Ok(())
    }

    /// Executes the instruction if this module implements it.
    pub(super) fn vector_mask(&mut self, i: &Inst) -> Option<Result<(), Trap>> {
        let active = |h: &Self, k: usize| (i.unmasked || h.v.bit(0, k)) && h.v.bit(i.rs2, k);
        Some(match i.op {
            Op::VmandMm => self.mask_logic(i, |a, b| a & b),
            Op::VmnandMm => self.mask_logic(i, |a, b| !(a & b)),
            Op::VmandnMm => self.mask_logic(i, |a, b| a & !b),
            Op::VmxorMm => self.mask_logic(i, |a, b| a ^ b),
            Op::VmorMm => self.mask_logic(i, |a, b| a | b),
            Op::VmnorMm => self.mask_logic(i, |a, b| !(a | b)),
            Op::VmornMm => self.mask_logic(i, |a, b| a | !b),
            Op::VmxnorMm => self.mask_logic(i, |a, b| a == b),
            Op::VmsbfM => self.first_set(i, |before, _| before),
            Op::VmsifM => self.first_set(i, |before, at| before || at),
            Op::VmsofM => self.first_set(i, |_, at| at),
            Op::VcpopM | Op::VfirstM if self.v.vstart != 0 => Err(Trap::ILLEGAL),
            Op::VcpopM => {
                let count = (0..self.v.vl).filter(|k| active(self, *k)).count();
                self.set_x(i.rd, count as u64);
                Ok(())
            }
            Op::VfirstM => {
                let first = (0..self.v.vl).find(|k| active(self, *k));
                self.set_x(i.rd, first.map_or(u64::MAX, |k| k as u64));
                Ok(())
            }
            Op::ViotaM => self.iota(i),
            Op::VidV => {
                let mask = self.v.mask();
                by_sew!(self.v.vtype.sew, {
                    if let Err(trap) = self.v.destination(i, size_of::<U>()) {
                        return Some(Err(trap));
                    }
                    for k in std::mem::take(&mut self.v.vstart)..self.v.vl {
                        if i.unmasked || mask.get(k) {
                            self.v.elements_mut::<U>(i.rd)[k] = k as U;
                        }
                    }
                    Ok(())
                })
            }
            _ => return None,
        })
    }

    fn iota(&mut self, i: &Inst) -> Result<(), Trap> {
        if self.v.vstart != 0 {
            return Err(Trap::ILLEGAL);
        }
        let (mask, bits) = (self.v.mask(), self.v.register(i.rs2).to_vec());
        let mut sum = 0u64;
        by_sew!(self.v.vtype.sew, {
            self.v.destination(i, size_of::<U>())?;
            for k in 0..self.v.vl {
                if i.unmasked || mask.get(k) {
                    self.v.elements_mut::<U>(i.rd)[k] = sum as U;
                    sum += u64::from(bits[k / 8] >> (k % 8) & 1);
                }
            }
            Ok(())
        })
    }

    /// `vmv.v.*` and `vfmv.v.f`: writes every element.
    pub(super) fn splat(&mut self, i: &Inst, second: Source) -> Result<(), Trap> {
        let i = &Inst { unmasked: true, rs2: i.rd, ..*i };
        by_sew!(self.v.vtype.sew, self.v.map::<U, U, U>(i, second, |_, _, b| b))
    }
}
