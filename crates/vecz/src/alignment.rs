//! Powers of two that divide the values of lane 0.
//!
//! Let the value of lane `l` be `base + l * step`, and `base` be a multiple of a power of two that
//! is larger than the last lane's `l * step`. Then the sum has no carry: the upper bits are the
//! same in all lanes, and the lower bits are `l * step`. So the quotient by a power of two, or the
//! comparison with an aligned bound, is often the same in all lanes, and the remainder keeps the
//! stride. Work-groups that copy tiles to local memory compute such quotients and remainders.
//!
//! The analysis assumes the largest power for each value of the loop, and lowers it until nothing
//! changes.

use std::collections::BTreeMap;

use muxcl_llvm::{Opcode, Value};

use crate::graph::Graph;

/// The largest power of two that the analysis distinguishes. LLVM extends the lower half of an id
/// to an offset by a shift to the upper half and back.
const LARGEST: u64 = 1 << 48;
/// Depth of the search in values that are computed before the loop.
const DEPTH: u32 = 8;

/// The powers of two for the values of a loop.
#[derive(Debug, Default)]
pub(crate) struct Alignment<'m> {
    known: BTreeMap<Value<'m>, u64>,
}

impl<'m> Alignment<'m> {
    /// Analyses the loop of `graph`. `lanes` is a power of two that divides the number of lanes:
    /// with scalable vectors, the number of lanes with the smallest `vscale`.
    pub(crate) fn of_loop(graph: &Graph<'m>, lanes: u32) -> Self {
        let mut out = Self::default();
        let instructions: Vec<Value<'m>> = graph
            .blocks
            .iter()
            .flat_map(|b| b.instructions())
            .filter(|i| i.ty().is_int())
            .collect();
        for i in &instructions {
            out.known.insert(*i, LARGEST);
        }
        let step = u64::from(lanes);
        let start = graph.counter.start.as_u64().is_some_and(|s| s.is_multiple_of(step));
        let counter = if start { step } else { 1 };
        loop {
            let mut changed = false;
            for i in &instructions {
                let new = if *i == graph.counter.phi { counter } else { out.transfer(*i, DEPTH) };
                changed |= out.known.insert(*i, new) != Some(new);
            }
            if !changed {
                return out;
            }
        }
    }

    /// A power of two of which the value of lane 0 is a multiple.
    pub(crate) fn of(&self, v: Value<'m>) -> u64 {
        self.at(v, DEPTH)
    }

    fn at(&self, v: Value<'m>, depth: u32) -> u64 {
        if let Some(known) = self.known.get(&v) {
            return *known;
        }
        match v.as_u64() {
            Some(0) => LARGEST,
            Some(n) => 1 << n.trailing_zeros().min(LARGEST.trailing_zeros()),
            None if v.is_instruction() && v.ty().is_int() && depth > 0 => {
                self.transfer(v, depth - 1)
            }
            None => 1,
        }
    }

    fn transfer(&self, i: Value<'m>, depth: u32) -> u64 {
        use Opcode as O;
        let of = |n: u32| self.at(i.operand(n), depth);
        let shift = || i.operand(1).as_u64().filter(|k| *k < 48);
        match i.opcode() {
            O::Add | O::Sub | O::Or | O::Xor => of(0).min(of(1)),
            O::And => of(0).max(of(1)),
            O::Mul => of(0).saturating_mul(of(1)).min(LARGEST),
            O::Shl => shift().map_or(1, |k| of(0).saturating_mul(1 << k).min(LARGEST)),
            O::LShr | O::AShr => shift().map_or(1, |k| (of(0) >> k).max(1)),
            O::ZExt | O::SExt | O::Trunc | O::Freeze => of(0),
            O::Select => of(1).min(of(2)),
            O::Phi => {
                let values = i.incoming();
                values.iter().map(|p| self.at(p.0, depth)).min().unwrap_or(1)
            }
            _ => 1,
        }
    }
}

/// The smallest power of two above the distance between the first and the last lane; `None` if it
/// does not exist or the stride is not positive.
pub(crate) fn span(stride: i64, lanes: u32) -> Option<u64> {
    let stride = u64::try_from(stride).ok().filter(|s| *s > 0)?;
    stride.checked_mul(u64::from(lanes) - 1)?.checked_add(1)?.checked_next_power_of_two()
}
