//! The distance between the values of two neighbours in one dimension, for the values of a kernel.
//!
//! The result serves estimates only, so it may be wrong: conversions and sums are assumed not to
//! wrap, and remainders and clamps to keep the distance for most work-items. The analysis starts
//! with the ids and goes through all instructions until nothing changes; a value's step is only
//! ever raised to [`Step::Varying`]. `muxcl-vecz` has the exact analysis, for loops over
//! work-items.

use std::collections::{BTreeMap, BTreeSet};

use muxcl_llvm::{Block, Function, Module, Opcode, Value};
use muxcl_vecz::variants_of;

use crate::loops;
use crate::names::{WorkItem, work_item};

/// The passes over all instructions after which the analysis gives up.
const MOST_PASSES: usize = 16;
/// The blocks between the paths of a branch and their join that are searched for the branch.
const FARTHEST_BRANCH: usize = 16;

/// How a value changes from a work-item to its neighbour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// By this much; for addresses, in bytes.
    By(i64),
    /// By an amount that is not constant or not known.
    Varying,
}

/// The steps of all values along one dimension.
pub(super) struct Steps<'m> {
    /// The dimension.
    along: u32,
    size: [u32; 3],
    of: BTreeMap<Value<'m>, Step>,
    headers: BTreeSet<Block<'m>>,
}

impl<'m> Steps<'m> {
    /// The steps along dimension `along`, in groups of this size. `None` if the analysis takes too
    /// long.
    pub(super) fn of_kernel(
        module: &Module<'_>,
        f: Function<'m>,
        along: u32,
        size: [u32; 3],
    ) -> Option<Self> {
        let headers = loops::back_edges(f).into_iter().map(|edge| edge.1).collect();
        let mut steps = Self { along, size, of: BTreeMap::new(), headers };
        let all = f.instructions();
        for _ in 0..MOST_PASSES {
            let mut changed = false;
            for i in all.iter().filter(|i| !i.ty().is_void()) {
                let Some(new) = steps.transfer(module, *i) else { continue };
                let old = steps.of.get(i).copied();
                let raised = if old.is_some_and(|old| old != new) { Step::Varying } else { new };
                if old != Some(raised) {
                    steps.of.insert(*i, raised);
                    changed = true;
                }
            }
            if !changed {
                return Some(steps);
            }
        }
        None
    }

    /// The step of a value.
    pub(super) fn of(&self, v: Value<'m>) -> Step {
        // Instructions without a step are in blocks that nothing reaches.
        self.known(v).unwrap_or(Step::By(0))
    }

    /// The step of a value; `None` if it is not computed yet.
    fn known(&self, v: Value<'m>) -> Option<Step> {
        if v.is_instruction() { self.of.get(&v).copied() } else { Some(Step::By(0)) }
    }

    /// The step of the instruction `i`; `None` if it depends on a value without one.
    fn transfer(&self, module: &Module<'_>, i: Value<'m>) -> Option<Step> {
        if i.opcode() == Opcode::Phi {
            return self.of_phi(i);
        }
        let operands = if i.is_call() { i.args() } else { i.operands() };
        let steps: Vec<Step> = operands.iter().map(|o| self.known(*o)).collect::<Option<_>>()?;
        let same = steps.iter().all(|s| *s == Step::By(0));
        Some(match i.opcode() {
            Opcode::Call => self.of_call(i, same),
            // The variable of each work-item is another one.
            Opcode::Alloca => Step::Varying,
            Opcode::AtomicRmw | Opcode::AtomicCmpXchg | Opcode::Other => Step::Varying,
            _ if same => Step::By(0),
            _ => linear(module, i, &steps).map_or(Step::Varying, Step::By),
        })
    }

    fn of_phi(&self, phi: Value<'m>) -> Option<Step> {
        let incoming = phi.incoming();
        let mut known = incoming.iter().filter_map(|(v, _)| self.known(*v));
        let first = known.next()?;
        let meets = |v: Value<'m>| v != incoming[0].0;
        let joins = !self.headers.contains(&phi.block()) && incoming.iter().any(|(v, _)| meets(*v));
        let diverges = || incoming.iter().any(|(_, from)| self.branches_apart(*from));
        if known.any(|s| s != first) || joins && diverges() {
            return Some(Step::Varying);
        }
        Some(first)
    }

    /// True if the branch that decides about the path through `from` may not be the same for
    /// neighbours.
    fn branches_apart(&self, from: Block<'m>) -> bool {
        let mut at = from;
        for _ in 0..FARTHEST_BRANCH {
            let Some(end) = at.terminator() else { return true };
            if end.successors().len() > 1 {
                return self.known(end.operand(0)).is_some_and(|s| s != Step::By(0));
            }
            let &[before] = at.predecessors().as_slice() else { return true };
            at = before;
        }
        true
    }

    /// The step of a call's result. `same`: neighbours have the same arguments.
    fn of_call(&self, call: Value<'m>, same: bool) -> Step {
        let Some(callee) = call.callee() else { return Step::Varying };
        let name = callee.name();
        let by = |n: u32| Step::By(n.into());
        let [x, y, _] = self.size;
        match work_item(&name) {
            Some(WorkItem::GlobalId | WorkItem::LocalId) => {
                match call.args().first().and_then(|a| a.as_u64()) {
                    Some(d) => by((d == self.along.into()).into()),
                    None => Step::Varying,
                }
            }
            Some(WorkItem::LocalLinearId) => by([1, x, x.saturating_mul(y)][self.along as usize]),
            Some(WorkItem::GlobalLinearId) if self.along == 0 => by(1),
            Some(WorkItem::GlobalLinearId) => Step::Varying,
            Some(_) => by(0),
            None if name.starts_with("llvm.") && clamps(&name) => {
                let steps: Vec<Step> = call.args().iter().map(|a| self.of(*a)).collect();
                let mut moving = steps.into_iter().filter(|s| *s != Step::By(0));
                match (moving.next(), moving.next()) {
                    (None, _) => by(0),
                    (Some(step), None) => step,
                    _ => Step::Varying,
                }
            }
            None if same && (call.is_lane_wise() || variants_of(callee).is_some()) => by(0),
            None => Step::Varying,
        }
    }
}

/// True for the intrinsics that clamp an index.
fn clamps(name: &str) -> bool {
    ["llvm.umin.", "llvm.umax.", "llvm.smin.", "llvm.smax."].iter().any(|p| name.starts_with(p))
}

/// The step of an instruction other than a call or a PHI, from the steps of its operands. `None`:
/// it varies.
fn linear(module: &Module<'_>, i: Value<'_>, steps: &[Step]) -> Option<i64> {
    use Opcode as O;
    let by = |n: usize| match steps.get(n) {
        Some(Step::By(step)) => Some(*step),
        _ => None,
    };
    match i.opcode() {
        _ if i.ty().is_vector() => None,
        O::Add => by(0)?.checked_add(by(1)?),
        O::Or if i.is_disjoint_or() => by(0)?.checked_add(by(1)?),
        O::Sub => by(0)?.checked_sub(by(1)?),
        O::Mul => match (i.operand(0).as_i64(), i.operand(1).as_i64()) {
            (_, Some(k)) => by(0)?.checked_mul(k),
            (Some(k), _) => by(1)?.checked_mul(k),
            _ => None,
        },
        O::Shl => {
            let k = u32::try_from(i.operand(1).as_u64()?).ok().filter(|k| *k < 62)?;
            by(0)?.checked_mul(1 << k)
        }
        O::LShr | O::AShr => {
            let k = u32::try_from(i.operand(1).as_u64()?).ok().filter(|k| *k < 62)?;
            quotient(by(0)?, 1 << k)
        }
        O::UDiv | O::SDiv => quotient(by(0)?, i.operand(1).as_i64()?),
        O::URem | O::SRem => Some(remainder(by(0)?, i.operand(1).as_i64()?)),
        O::And => {
            let mask = i.operand(1).as_u64()?;
            let span = i64::try_from(mask).ok()?.checked_add(1)?;
            if span.count_ones() == 1 { Some(remainder(by(0)?, span)) } else { None }
        }
        O::Trunc | O::SExt | O::ZExt | O::PtrToInt | O::IntToPtr | O::Freeze => by(0),
        O::AddrSpaceCast | O::BitCast => by(0),
        O::Select => (by(0)? == 0 && by(1)? == by(2)?).then(|| by(1)).flatten(),
        O::GetElementPtr if i.operand_count() == 2 => {
            let size = i64::try_from(module.size_of(i.gep_type())).ok()?;
            by(0)?.checked_add(by(1)?.checked_mul(size)?)
        }
        _ => None,
    }
}

/// The step of a quotient by a constant.
fn quotient(step: i64, divisor: i64) -> Option<i64> {
    (step.checked_rem(divisor)? == 0).then(|| step / divisor)
}

/// The step of a remainder by a constant, except where the remainder wraps.
fn remainder(step: i64, divisor: i64) -> i64 {
    if step.checked_rem(divisor) == Some(0) { 0 } else { step }
}
