//! OpenCL vectors that stay whole: the elements of lane 0, then those of lane 1, and so on.
//!
//! Consecutive OpenCL vectors have this order in memory. An instruction that does the same with
//! each component, such as a sum or a conversion, can use this order too. So values that are
//! loaded, computed and stored need no shuffle. Other instructions, such as one that extracts a
//! component, need a vector of lanes for each component.
//!
//! Values that such instructions and PHIs connect form a *web*. A web stays whole if this saves
//! more shuffles than are needed at its edges.
//!
//! Invariant: the choice affects no result, because `widen` converts a value wherever its form does
//! not fit. Not here: the code (`widen`).

use std::collections::{BTreeMap, BTreeSet};

use muxcl_llvm::{Module, Opcode, TypeKind, Value};

use crate::Options;
use crate::graph::Graph;
use crate::shapes::{Lowering, Shape, Shapes, elements_of, fills_bytes, lowering, renames};

/// The assumed number of iterations of an inner loop, as in `cost`.
const ITERATIONS: u64 = 8;

/// The values that stay whole.
#[derive(Debug, Default)]
pub(crate) struct Whole<'m> {
    values: BTreeSet<Value<'m>>,
    /// Of `values`, those that an instruction uses by component.
    split: BTreeSet<Value<'m>>,
}

impl<'m> Whole<'m> {
    /// True if `v` stays whole.
    pub(crate) fn contains(&self, v: Value<'m>) -> bool {
        self.values.contains(&v)
    }

    /// True if `v` stays whole, and an instruction needs its components.
    pub(crate) fn is_split(&self, v: Value<'m>) -> bool {
        self.split.contains(&v)
    }

    /// The size in bytes of the largest accessed OpenCL vector that stays whole. `None` unless the
    /// loop computes more in such vectors than in others.
    pub(crate) fn dominates(
        &self,
        module: &Module<'_>,
        graph: &Graph<'m>,
        shapes: &Shapes<'m>,
    ) -> Option<u64> {
        let finder = Finder { module, graph, shapes };
        let (mut whole, mut others, mut largest) = (0, 0, 0);
        for i in graph.blocks.iter().flat_map(|b| b.instructions()) {
            let value = match lowering(i) {
                Lowering::Hint => continue,
                Lowering::Store => i.operand(0),
                _ => i,
            };
            if shapes.of_value(graph, value) != Shape::Varying || elements_of(value.ty()).is_none()
            {
                continue;
            }
            let bytes = finder.weight(i) * module.size_of(value.ty());
            if self.contains(value) {
                whole += bytes;
                if matches!(lowering(i), Lowering::Load | Lowering::Store) {
                    largest = module.size_of(value.ty()).max(largest);
                }
            } else if !renames(i) {
                others += bytes;
            }
        }
        (whole > others).then_some(largest)
    }

    /// The values of the loop that stay whole: none if `options` exclude it.
    pub(crate) fn with(
        module: &Module<'_>,
        graph: &Graph<'m>,
        shapes: &Shapes<'m>,
        options: Options,
    ) -> Self {
        match options.interleave && options.scalable.is_none() {
            true => Self::of(module, graph, shapes),
            false => Self::default(),
        }
    }

    /// Finds the values of the loop that stay whole in vectors of a fixed length.
    pub(crate) fn of(module: &Module<'_>, graph: &Graph<'m>, shapes: &Shapes<'m>) -> Self {
        let finder = Finder { module, graph, shapes };
        let instructions = graph.blocks.iter().flat_map(|b| b.instructions());
        let all: BTreeSet<Value<'m>> = instructions.filter(|i| finder.may_stay(*i)).collect();
        let mut out = Self::default();
        let mut left = all.clone();
        while let Some(first) = left.pop_first() {
            let mut web = BTreeSet::from([first]);
            let mut stack = vec![first];
            while let Some(v) = stack.pop() {
                for next in operands(v).into_iter().chain(v.users()) {
                    if left.contains(&next) && finder.joins(v, next) {
                        left.remove(&next);
                        web.insert(next);
                        stack.push(next);
                    }
                }
            }
            let split: BTreeMap<Value<'m>, u64> = web
                .iter()
                .filter_map(|v| Some((*v, finder.uses_by_component(*v, &web)?)))
                .collect();
            let cost = split.values().sum::<u64>() + finder.joined(&web);
            if finder.accesses(&web) > cost {
                out.split.extend(split.into_keys());
                out.values.append(&mut web);
            }
        }
        out
    }
}

/// The values that an instruction uses.
fn operands(v: Value<'_>) -> Vec<Value<'_>> {
    match v.opcode() {
        Opcode::Phi => v.incoming().into_iter().map(|p| p.0).collect(),
        _ if v.is_call() => v.args(),
        _ => v.operands(),
    }
}

/// The number of components of an OpenCL vector; 1 for scalars.
fn count_of(v: Value<'_>) -> u32 {
    elements_of(v.ty()).map_or(1, |l| l.1)
}

struct Finder<'a, 'm, 'c> {
    module: &'a Module<'c>,
    graph: &'a Graph<'m>,
    shapes: &'a Shapes<'m>,
}

impl<'m> Finder<'_, 'm, '_> {
    /// True for an instruction of the loop whose result can stay whole.
    fn may_stay(&self, i: Value<'m>) -> bool {
        use Opcode as O;
        let vector = i.ty().is_vector() && i.ty().element().kind() != TypeKind::Pointer;
        if !vector || self.shapes.of_value(self.graph, i) != Shape::Varying {
            return false;
        }
        match lowering(i) {
            Lowering::Load => self.is_consecutive(i.operand(0), i),
            Lowering::LaneWise => match i.opcode() {
                O::Phi => true,
                O::UDiv | O::SDiv | O::URem | O::SRem | O::GetElementPtr => false,
                O::BitCast => count_of(i.operand(0)) == count_of(i),
                O::Call => (0u32..)
                    .zip(i.args())
                    .all(|(n, arg)| !i.has_scalar_arg(n) && count_of(arg) == count_of(i)),
                _ => i.operands().iter().all(|o| {
                    let pointer = elements_of(o.ty()).is_none_or(|l| l.0.is_pointer());
                    !pointer && (count_of(*o) == count_of(i) || i.opcode() == O::Select)
                }),
            },
            // The number of lanes of a vector variant is a power of two.
            Lowering::Variant => {
                let count = count_of(i);
                count.is_power_of_two() && i.args().into_iter().all(|arg| count_of(arg) == count)
            }
            _ => false,
        }
    }

    /// True if two values can belong to one web.
    fn joins(&self, a: Value<'m>, b: Value<'m>) -> bool {
        // The operand of an access is an address.
        let is_load = |v: Value<'m>| lowering(v) == Lowering::Load;
        let uses = |user: Value<'m>, v: Value<'m>| !is_load(user) && operands(user).contains(&v);
        count_of(a) == count_of(b) && (uses(a, b) || uses(b, a))
    }

    /// True if the lanes of an access of `value` are consecutive.
    fn is_consecutive(&self, pointer: Value<'m>, value: Value<'m>) -> bool {
        let Some((element, count)) = elements_of(value.ty()) else { return false };
        let size = self.module.size_of(element);
        let filled = fills_bytes(self.module, element);
        let step = i64::try_from(size * u64::from(count)).unwrap_or(i64::MAX);
        filled && self.shapes.of_value(self.graph, pointer) == Shape::Strided(step)
    }

    /// True for a store of the value `v` that needs no shuffle.
    fn stores_whole(&self, user: Value<'m>, v: Value<'m>) -> bool {
        lowering(user) == Lowering::Store
            && user.operand(0) == v
            && self.is_consecutive(user.operand(1), v)
    }

    /// How often an instruction runs, relative to the code outside inner loops.
    fn weight(&self, i: Value<'m>) -> u64 {
        let Some(block) = self.graph.block_of(i) else { return 1 };
        let depth = self.graph.loops.iter().filter(|l| l.blocks.contains(&block)).count();
        ITERATIONS.pow(u32::try_from(depth).unwrap_or(3).min(3))
    }

    /// How often `v` must be split into its components; `None` if no instruction needs them.
    fn uses_by_component(&self, v: Value<'m>, web: &BTreeSet<Value<'m>>) -> Option<u64> {
        let users = v.users().into_iter();
        let others = users.filter(|u| !web.contains(u) && !self.stores_whole(*u, v));
        others.map(|u| self.weight(u)).max()
    }

    /// How often values with a vector for each component must be joined for instructions of `web`.
    fn joined(&self, web: &BTreeSet<Value<'m>>) -> u64 {
        let mut uses = BTreeMap::new();
        for i in web.iter().filter(|i| lowering(**i) != Lowering::Load) {
            for o in operands(*i) {
                let varying = self.shapes.of_value(self.graph, o) == Shape::Varying;
                if varying && o.ty().is_vector() && !web.contains(&o) {
                    let most: &mut u64 = uses.entry(o).or_default();
                    *most = self.weight(*i).max(*most);
                }
            }
        }
        uses.into_values().sum()
    }

    /// How often the loads and stores of `web` run, which need no shuffles.
    fn accesses(&self, web: &BTreeSet<Value<'m>>) -> u64 {
        let loads = web.iter().filter(|i| lowering(**i) == Lowering::Load).copied();
        let users = web.iter().flat_map(|v| v.users().into_iter().map(move |u| (u, *v)));
        let stores = users.filter(|(u, v)| self.stores_whole(*u, *v)).map(|(u, _)| u);
        loads.chain(stores).map(|i| self.weight(i)).sum()
    }
}
