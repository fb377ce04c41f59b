//! `join-groups`: several groups of the application run as one group of the launch.
//!
//! Small groups leave vector lanes idle. The runtime may join neighbouring groups if work-items do
//! not work together, but a kernel may still ask for its local id or group id. In a joined launch,
//! this pass computes both from the ids of the large group: with groups of 8 in launch groups of
//! 64, `get_local_id(0)` is the launch's local id modulo 8, and `get_group_id(0)` is eight times
//! the launch's group id plus the quotient. [`may_join`] says for which kernels the runtime does
//! so: those that compute no address and no branch from these ids, because lanes with consecutive
//! addresses and without branches are worth more than full vectors.
//!
//! `global-ids` is the first part of the pass, and also runs at finalisation: it replaces
//! `get_group_id(0) * get_local_size(0) + get_local_id(0)`, as translated CUDA code has it, by the
//! global id. Many kernels cannot see their groups then.
//!
//! Invariant: every work-item sees the ids and sizes of the application's NDRange. Not here: the
//! size of launch groups (`cl::core::ndrange`); work-item functions in general
//! ([`crate::work_items`]).

use std::collections::BTreeSet;

use muxcl_llvm::{Builder, Function, IntPredicate, Module, Opcode, Type, Value};

use crate::names::{self, WorkItem, work_item};
use crate::program_info::reachable;

/// The sizes of a joined launch's groups.
#[derive(Debug, Clone, Copy)]
pub struct Joined {
    /// The local size of the launch.
    pub launch: [u32; 3],
    /// The local size that the application gave and the kernel sees. It divides `launch`.
    pub seen: [u32; 3],
}

/// Runs the pass on all functions of the module. All groups are full.
pub fn run(module: &Module<'_>, joined: Joined) {
    global_ids(module, true);
    for (what, callee, call) in calls(module) {
        Rewriter { module, joined, b: Builder::before(call), call, callee }.replace(what);
    }
}

/// Replaces sums of a group's first number and a local id by the global id. `uniform`: all groups
/// are full, so `get_local_size` is the size of a full group.
pub fn global_ids<'m>(module: &'m Module<'_>, uniform: bool) {
    let mut replaced: Vec<Value<'m>> = Vec::new();
    for (what, callee, call) in calls(module) {
        if what != WorkItem::LocalId {
            continue;
        }
        let id = |b: &Builder<'m>, dimension: u32| {
            let query = |name: &str| {
                let f = declared(module, name, callee.ty(), callee);
                b.call(f, &[callee.cx().u32(dimension)])
            };
            b.sub(query(names::GLOBAL_ID), query(names::GLOBAL_OFFSET))
        };
        for user in users_through_casts(call) {
            if let Some(dimension) = dimension_of_sum(user, uniform) {
                let b = Builder::before(user);
                user.replace_all_uses(b.zext_or_trunc(id(&b, dimension), user.ty()));
                replaced.push(user);
            }
        }
        // LLVM writes the sum of two indices as two address computations.
        let steps = |v: &Value<'m>| is_step(*v);
        let inner: Vec<Value<'m>> = call.users().into_iter().filter(steps).collect();
        let outer = inner.iter().flat_map(|step| step.users()).filter(steps);
        for step in outer.chain(inner.iter().copied()).collect::<BTreeSet<_>>() {
            if let Some((base, dimension)) = base_of_steps(step, uniform) {
                let b = Builder::before(step);
                step.replace_all_uses(b.gep(step.gep_type(), base, &[id(&b, dimension)]));
                replaced.push(step);
            }
        }
    }
    erase_unused(replaced);
}

/// Erases those of the instructions that have no uses, and operands that have no other use: a query
/// that remains would count as one of the kernel.
fn erase_unused(mut work: Vec<Value<'_>>) {
    let mut erased = BTreeSet::new();
    while let Some(v) = work.pop() {
        if erased.contains(&v) || !v.is_instruction() || v.has_uses() {
            continue;
        }
        if !v.has_side_effects() || called(v).is_some() {
            let operands = if v.is_call() { Vec::new() } else { v.operands() };
            erased.insert(v);
            v.erase();
            work.extend(operands);
        }
    }
}

/// True for the computation of an address by one index.
fn is_step(v: Value<'_>) -> bool {
    v.is_instruction() && v.opcode() == Opcode::GetElementPtr && v.operand_count() == 2
}

/// The address to which `step` and the step before it add a global id as two indices, and the
/// dimension of the id.
fn base_of_steps(step: Value<'_>, uniform: bool) -> Option<(Value<'_>, u32)> {
    let before = step.operand(0);
    if !is_step(before) || before.gep_type() != step.gep_type() {
        return None;
    }
    let dimension = dimension_of_indices([before.operand(1), step.operand(1)], uniform)?;
    Some((before.operand(0), dimension))
}

/// True if several groups of the kernel may run as one. The runtime does so only if all are full.
pub fn may_join(kernel: Function<'_>) -> bool {
    let functions = reachable(kernel);
    let works_together = |f: &Function<'_>| {
        let name = f.name();
        let is_id = work_item(&name).is_some_and(|w| IDS.contains(&w));
        names::depends_on_groups(&name) && !is_id
    };
    // A function that is not inlined reads the ids of the launch.
    let inlined = functions
        .iter()
        .filter(|f| !f.is_declaration())
        .skip(1)
        .all(|f| !f.instructions().into_iter().any(|i| called(i).is_some()));
    inlined
        && !functions.iter().any(works_together)
        && !crate::work_item_loops::may_wait(kernel)
        && only_values(kernel)
}

/// The functions whose results the pass computes.
const IDS: [WorkItem; 6] = [
    WorkItem::LocalId,
    WorkItem::GroupId,
    WorkItem::LocalSize,
    WorkItem::EnqueuedLocalSize,
    WorkItem::NumGroups,
    WorkItem::LocalLinearId,
];

/// True if no address and no branch depends on a local id or a group id.
fn only_values(kernel: Function<'_>) -> bool {
    let differs = [WorkItem::LocalId, WorkItem::GroupId, WorkItem::LocalLinearId];
    let ids = (kernel.instructions().into_iter())
        .filter(|i| called(*i).is_some_and(|what| differs.contains(&what)));
    let mut work: Vec<Value<'_>> = ids.collect();
    let mut seen: BTreeSet<Value<'_>> = work.iter().copied().collect();
    while let Some(value) = work.pop() {
        for user in value.users() {
            if !seen.contains(&user) && dimension_of_sum(user, true).is_some() {
                continue; // a global id
            }
            let is_value = match user.opcode() {
                Opcode::Store => {
                    user.operand(0) == value && !user.operand(1).underlying_object().is_alloca()
                }
                Opcode::Load
                | Opcode::GetElementPtr
                | Opcode::IntToPtr
                | Opcode::Br
                | Opcode::Switch
                | Opcode::AtomicRmw
                | Opcode::AtomicCmpXchg => false,
                // Library functions that are not inlined yet, and intrinsics.
                Opcode::Call => user.callee().is_some_and(|f| f.is_declaration()),
                _ => !user.is_terminator(),
            };
            if !is_value {
                return false;
            }
            if seen.insert(user) {
                work.push(user);
            }
        }
    }
    true
}

/// The work-item function that an instruction calls.
fn called(i: Value<'_>) -> Option<WorkItem> {
    work_item(&i.callee()?.name())
}

/// All calls of the functions in [`IDS`].
fn calls<'m>(module: &'m Module<'_>) -> Vec<(WorkItem, Function<'m>, Value<'m>)> {
    (module.functions().into_iter())
        .filter_map(|f| Some((work_item(&f.name()).filter(|w| IDS.contains(w))?, f)))
        .flat_map(|(what, f)| f.direct_calls().into_iter().map(move |call| (what, f, call)))
        .collect()
}

/// The users of a value, and of its truncations.
fn users_through_casts<'m>(value: Value<'m>) -> Vec<Value<'m>> {
    let is_cast = |user: &Value<'m>| user.opcode() == Opcode::Trunc;
    let (casts, mut others): (Vec<_>, Vec<_>) = value.users().into_iter().partition(is_cast);
    others.extend(casts.into_iter().flat_map(Value::users));
    others
}

/// The work-item function and its dimension, if `value` is such a call or a truncation of one.
fn query(value: Value<'_>) -> Option<(WorkItem, u32)> {
    let call = through_cast(value);
    let what = call.is_instruction().then(|| called(call)).flatten()?;
    let dimension = call.args().first()?.as_u64().filter(|d| *d < 3)?;
    Some((what, u32::try_from(dimension).ok()?))
}

fn through_cast(value: Value<'_>) -> Value<'_> {
    let is_cast = value.is_instruction() && value.opcode() == Opcode::Trunc;
    if is_cast { value.operand(0) } else { value }
}

/// The dimension `d`, if `sum` is `get_group_id(d) * get_local_size(d) + get_local_id(d)`, in any
/// order. Operands may be truncated, because the upper bits of operands do not change the lower
/// bits of sums and products.
fn dimension_of_sum(sum: Value<'_>, uniform: bool) -> Option<u32> {
    let is_sum = sum.is_instruction() && sum.opcode() == Opcode::Add;
    let indices = is_sum.then(|| [sum.operand(0), sum.operand(1)])?;
    dimension_of_indices(indices, uniform)
}

/// As [`dimension_of_sum`], for the two numbers that are added.
fn dimension_of_indices([left, right]: [Value<'_>; 2], uniform: bool) -> Option<u32> {
    [(left, right), (right, left)].into_iter().find_map(|(first, local)| {
        let (WorkItem::LocalId, dimension) = query(local)? else { return None };
        let product = through_cast(first);
        if !product.is_instruction() || product.opcode() != Opcode::Mul {
            return None;
        }
        let (a, b) = (query(product.operand(0))?, query(product.operand(1))?);
        let is_size = |what| match what {
            WorkItem::EnqueuedLocalSize => true,
            WorkItem::LocalSize => uniform,
            _ => false,
        };
        let known = (a.0 == WorkItem::GroupId && is_size(b.0))
            || (b.0 == WorkItem::GroupId && is_size(a.0));
        (known && a.1 == dimension && b.1 == dimension).then_some(dimension)
    })
}

/// The function `name`. If the module does not declare it yet, it gets the attributes of `like`.
fn declared<'m>(
    module: &'m Module<'_>,
    name: &str,
    ty: Type<'m>,
    like: Function<'m>,
) -> Function<'m> {
    module.function(name).unwrap_or_else(|| {
        let f = module.add_function(name, ty);
        f.copy_attributes(like);
        f
    })
}

/// Replaces one call.
struct Rewriter<'m, 'c> {
    module: &'m Module<'c>,
    joined: Joined,
    b: Builder<'m>,
    call: Value<'m>,
    callee: Function<'m>,
}

impl<'m> Rewriter<'m, '_> {
    fn replace(&self, what: WorkItem) {
        let b = &self.b;
        let dimension = |d: u32| self.call.cx().u32(d);
        let index = self.call.args().first().copied().unwrap_or_else(|| dimension(0));
        let result = match what {
            WorkItem::LocalId => self.local_id(index),
            WorkItem::GroupId => {
                let first = b.mul_nuw(b.insert_copy(self.call), self.groups(index));
                b.add_nuw(first, b.udiv(self.launch_local_id(index), self.seen(index)))
            }
            WorkItem::NumGroups => b.mul_nuw(b.insert_copy(self.call), self.groups(index)),
            WorkItem::LocalSize | WorkItem::EnqueuedLocalSize => self.seen(index),
            WorkItem::LocalLinearId => {
                let [x, y, z] = [0, 1, 2].map(|d| self.local_id(dimension(d)));
                let zy = b.add_nuw(b.mul_nuw(z, self.seen(dimension(1))), y);
                b.add_nuw(b.mul_nuw(zy, self.seen(dimension(0))), x)
            }
            _ => return,
        };
        self.call.replace_all_uses(result);
        self.call.erase();
    }

    /// The local id that the kernel sees.
    fn local_id(&self, index: Value<'m>) -> Value<'m> {
        self.b.urem(self.launch_local_id(index), self.seen(index))
    }

    /// The local id in the launch's group.
    fn launch_local_id(&self, index: Value<'m>) -> Value<'m> {
        let cx = index.cx();
        let ty = cx.function(self.call.ty(), &[cx.i32()]);
        self.b.call(declared(self.module, names::LOCAL_ID, ty, self.callee), &[index])
    }

    /// The local size that the kernel sees.
    fn seen(&self, index: Value<'m>) -> Value<'m> {
        self.by_dimension(index, self.joined.seen)
    }

    /// The number of groups that one group of the launch holds.
    fn groups(&self, index: Value<'m>) -> Value<'m> {
        let Joined { launch, seen } = self.joined;
        self.by_dimension(index, [0, 1, 2].map(|d| launch[d] / seen[d].max(1)))
    }

    /// The element at `index`, and 1 for other numbers than those of dimensions.
    fn by_dimension(&self, index: Value<'m>, values: [u32; 3]) -> Value<'m> {
        let constant = |n: u32| self.call.ty().constant(n.into());
        if let Some(n) = index.as_u64() {
            return constant(usize::try_from(n).ok().and_then(|n| values.get(n)).map_or(1, |v| *v));
        }
        (0..).zip(values).fold(constant(1), |others, (d, value)| {
            let is = self.b.icmp(IntPredicate::Eq, index, index.ty().constant(d));
            self.b.select(is, constant(value), others)
        })
    }
}
