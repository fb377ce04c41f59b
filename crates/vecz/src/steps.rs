//! How values change from one iteration of a loop to the next: an inner loop, or the loop over
//! rows of work-items.
//!
//! Invariant: with [`Steps::wraps`], an answer holds in every iteration, so that code may rely on
//! it. Without, it may be wrong where an index wraps, which is good enough for the cost model. Not
//! here: how values differ from lane to lane (`shapes`).

use muxcl_llvm::{Block, Module, Opcode, Value};

use crate::jam::Rows;

/// Depth of the search in operands.
const DEPTH: u32 = 12;

/// The loop whose iterations are compared.
pub(crate) struct Steps<'a, 'm, 'c> {
    pub(crate) module: &'a Module<'c>,
    /// The blocks of the inner loop; empty for the loop over rows.
    pub(crate) blocks: Vec<Block<'m>>,
    /// The loop over rows of work-items, if the answers are about it and not about `blocks`.
    pub(crate) rows: Option<&'a Rows<'m>>,
    /// Whether an index may wrap unless the flags of its instructions exclude it.
    pub(crate) wraps: bool,
}

/// How an address changes in each iteration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step<'m> {
    /// By this number of bytes.
    Bytes(i64),
    /// By a value that is the same in all iterations, times this number of bytes.
    Multiple(Value<'m>, i64),
}

impl<'m> Step<'m> {
    fn times(self, factor: i64) -> Option<Self> {
        match self {
            Self::Bytes(n) => n.checked_mul(factor).map(Self::Bytes),
            Self::Multiple(v, n) => n.checked_mul(factor).map(|n| Self::Multiple(v, n)),
        }
    }
}

impl<'m> Steps<'_, 'm, '_> {
    /// How the address `v` changes in each iteration. The answer may be wrong where an index wraps,
    /// so it is for hints only. `None` if the address is no simple expression.
    pub(crate) fn symbolic(&self, v: Value<'m>) -> Option<Step<'m>> {
        self.symbolic_step(v, DEPTH)
    }

    fn symbolic_step(&self, v: Value<'m>, depth: u32) -> Option<Step<'m>> {
        use Opcode as O;
        if let Some(bytes) = self.step(v, depth) {
            return Some(Step::Bytes(bytes));
        }
        let depth = depth.checked_sub(1)?;
        if v.ty().is_vector() || !v.is_instruction() {
            return None;
        }
        let operand = |n: u32| self.symbolic_step(v.operand(n), depth);
        let sum = |a: Step<'m>, b: Step<'m>| match (a, b) {
            (Step::Bytes(0), other) | (other, Step::Bytes(0)) => Some(other),
            _ => None,
        };
        match v.opcode() {
            O::Phi => {
                let next = uncast(self.next_of(v)?);
                if !next.is_instruction() || next.opcode() != O::Add {
                    return None;
                }
                let n = (0..2).find(|n| uncast(next.operand(*n)) == v)?;
                let by = next.operand(1 - n);
                self.is_constant(by).then_some(Step::Multiple(by, 1))
            }
            O::Add => sum(operand(0)?, operand(1)?),
            O::Or if v.is_disjoint_or() => sum(operand(0)?, operand(1)?),
            O::Sub if operand(1) == Some(Step::Bytes(0)) => operand(0),
            O::Mul => {
                let n = (0..2).find(|n| self.is_constant(v.operand(*n)))?;
                let factor = v.operand(n);
                match (operand(1 - n)?, factor.as_i64()) {
                    (step, Some(factor)) => step.times(factor),
                    (Step::Bytes(bytes), None) => Some(Step::Multiple(factor, bytes)),
                    _ => None,
                }
            }
            O::Shl => operand(0)?.times(1 << v.operand(1).as_u64().filter(|k| *k < 62)?),
            O::GetElementPtr if v.operand_count() == 2 => {
                let size = i64::try_from(self.module.size_of(v.gep_type())).ok()?;
                sum(operand(0)?, operand(1)?.times(size)?)
            }
            _ => {
                let of = uncast(v);
                if of == v { None } else { self.symbolic_step(of, depth) }
            }
        }
    }

    /// The number that `v` grows by in each iteration, modulo the size of its type; bytes for
    /// addresses. `None` if it is not constant, or if `v` cannot be computed in front of the loop.
    pub(crate) fn of(&self, v: Value<'m>) -> Option<i64> {
        self.step(v, DEPTH)
    }

    fn is_inside(&self, block: Block<'m>) -> bool {
        self.blocks.contains(&block)
    }

    /// True if `v` is known to be the same in all iterations.
    fn is_constant(&self, v: Value<'m>) -> bool {
        match self.rows {
            Some(rows) => !rows.differs(v),
            None => !(v.is_instruction() && v.is_placed() && self.is_inside(v.block())),
        }
    }

    /// True for the counter of the loop over rows. It is below 2^31, so its truncation to 32 bits
    /// loses nothing.
    fn is_row(&self, v: Value<'m>) -> bool {
        self.rows.is_some_and(|rows| rows.is_counter(v))
    }

    /// True for the truncation of that counter to 32 bits or more.
    fn is_short_row(&self, v: Value<'m>) -> bool {
        v.opcode() == Opcode::Trunc && v.ty().int_width() >= 32 && self.is_row(v.operand(0))
    }

    /// The value of a PHI of the header in the next iteration. `None` for other PHIs, which have
    /// several values from inside the loop.
    fn next_of(&self, phi: Value<'m>) -> Option<Value<'m>> {
        let mut inside = phi.incoming().into_iter().filter(|(_, from)| self.is_inside(*from));
        let (next, _) = inside.next()?;
        inside.next().is_none().then_some(next)
    }

    fn step(&self, v: Value<'m>, depth: u32) -> Option<i64> {
        use Opcode as O;
        if self.is_constant(v) {
            return Some(0);
        }
        if self.is_row(v) || self.is_short_row(v) {
            return Some(1);
        }
        let depth = depth.checked_sub(1)?;
        if v.ty().is_vector() {
            return None;
        }
        if v.opcode() == O::Phi {
            return step_of_next(self.module, v, self.next_of(v)?);
        }
        let operand = |n: u32| self.step(v.operand(n), depth);
        match v.opcode() {
            O::Add => operand(0)?.checked_add(operand(1)?),
            O::Or if v.is_disjoint_or() => operand(0)?.checked_add(operand(1)?),
            O::Sub => operand(0)?.checked_sub(operand(1)?),
            O::Mul => match (operand(0)?, operand(1)?) {
                (0, 0) => Some(0),
                (s, 0) => s.checked_mul(v.operand(1).as_i64()?),
                (0, s) => s.checked_mul(v.operand(0).as_i64()?),
                _ => None,
            },
            O::Shl => match (operand(0)?, operand(1)?) {
                (0, 0) => Some(0),
                (s, 0) => s.checked_mul(1 << v.operand(1).as_u64().filter(|k| *k < 62)?),
                _ => None,
            },
            O::SExt | O::ZExt => {
                let s = operand(0)?;
                let signed = v.opcode() == O::SExt;
                (s == 0 || self.extends(v.operand(0), signed, depth)).then_some(s)
            }
            O::GetElementPtr if v.operand_count() == 2 => {
                let (base, index, size) =
                    (operand(0)?, operand(1)?, self.module.size_of(v.gep_type()));
                // A narrow index is sign-extended.
                let exact = index == 0
                    || v.operand(1).ty().int_width() == 64
                    || self.extends(v.operand(1), true, depth);
                let bytes = index.checked_mul(i64::try_from(size).ok()?)?;
                base.checked_add(bytes).filter(|_| exact)
            }
            O::Trunc | O::Freeze | O::AddrSpaceCast if !self.wraps => operand(0),
            O::Trunc | O::And | O::Xor | O::LShr | O::AShr => {
                (0..v.operand_count()).all(|n| operand(n) == Some(0)).then_some(0)
            }
            _ => None,
        }
    }

    /// True if the extension of `v` to more bits grows by the same number in each iteration as `v`,
    /// because `v` never wraps. If it wrapped, it would be poison, and so would be the address.
    fn extends(&self, v: Value<'m>, signed: bool, depth: u32) -> bool {
        use Opcode as O;
        if !self.wraps {
            return true;
        }
        let Some(depth) = depth.checked_sub(1) else { return false };
        match self.step(v, depth) {
            Some(0) => return true,
            Some(s) if signed || s > 0 => {}
            _ => return false,
        }
        if self.is_row(v) || self.is_short_row(v) {
            return true;
        }
        let keeps = |v: Value<'m>| if signed { v.is_nsw() } else { v.is_nuw() };
        let operand = |n: u32, signed: bool| self.extends(v.operand(n), signed, depth);
        match v.opcode() {
            O::Phi => self.next_of(v).is_some_and(|n| n.opcode() == O::Add && keeps(n)),
            O::Add | O::Sub | O::Mul | O::Shl => {
                keeps(v) && operand(0, signed) && operand(1, signed)
            }
            // The operands have no bit in common, neither before nor after the extension.
            O::Or => v.is_disjoint_or() && operand(0, signed) && operand(1, signed),
            O::ZExt => operand(0, false),
            O::SExt => signed && operand(0, true),
            _ => false,
        }
    }
}

/// The value from which `v` is converted by extensions, truncations and the like. Shifts up and
/// back by the same number are an extension of the lower bits.
fn uncast(mut v: Value<'_>) -> Value<'_> {
    use Opcode as O;
    loop {
        let opcode = if v.is_instruction() { v.opcode() } else { return v };
        v = match opcode {
            O::SExt | O::ZExt | O::Trunc | O::Freeze | O::AddrSpaceCast => v.operand(0),
            O::AShr | O::LShr => {
                let of = v.operand(0);
                let extends = of.is_instruction()
                    && of.opcode() == O::Shl
                    && of.operand(1).as_u64().is_some()
                    && of.operand(1) == v.operand(1);
                if !extends {
                    return v;
                }
                of.operand(0)
            }
            _ => return v,
        };
    }
}

/// The constant that `next`, the value of `phi` in the next iteration, adds to `phi`; bytes for
/// addresses.
fn step_of_next<'m>(module: &Module<'_>, phi: Value<'m>, next: Value<'m>) -> Option<i64> {
    if !next.is_instruction() || next.operand_count() != 2 || next.operand(0) != phi {
        return None;
    }
    let by = next.operand(1).as_i64()?;
    match next.opcode() {
        Opcode::Add => Some(by),
        Opcode::GetElementPtr => {
            by.checked_mul(i64::try_from(module.size_of(next.gep_type())).ok()?)
        }
        _ => None,
    }
}
