//! The dimension of the innermost loop over work-items, whose iterations become lanes.
//!
//! Lanes along x suit kernels that read `a[y * n + x]`. A kernel that reads `a[x * n + y]`, or
//! whose groups have few work-items along x, is faster with lanes along y. The choice compares an
//! estimate of the time of a work-group for each dimension: an instruction counts once for a
//! vector, a gather or scatter once for each lane, and inner loops count more than the code around
//! them.
//!
//! Invariant: x stays innermost unless another dimension is clearly better, and always if the order
//! of the work-items has a meaning (sub-groups, work-group functions). All loop nests of a kernel
//! and the slots of values that live across barriers have the same order. Nothing else depends on
//! the choice: the work-items of a group are independent between barriers. Not here: the final
//! decision whether a loop becomes vectors (`muxcl-vecz`), which sees optimised code.

mod steps;

use std::collections::{BTreeMap, BTreeSet};

use muxcl_llvm::{Block, Function, Module, Opcode, Type, TypeKind, Value};
use muxcl_vecz::{Options, Rest, variants_of};

use super::{Config, may_wait};
use crate::names::{BARRIER, GROUP_SCRATCH, WorkItem, work_item};
use crate::{local_memory, loops};
use steps::{Step, Steps};

/// The fewest lanes of a vector.
const FEWEST: u64 = 4;
/// Another dimension is chosen if its cost is at most this part of the cost of the default.
const CLEARLY: (u64, u64) = (2, 3);
/// Larger functions keep the default, to bound the time of the analysis.
const MOST_INSTRUCTIONS: usize = 4000;
/// The assumed number of iterations of a loop in the kernel.
const ITERATIONS: u64 = 8;
/// The deepest loop that counts more than the loop around it.
const DEEPEST: usize = 3;

/// Cost of a scalar instruction. All costs are in percent of it.
const SCALAR: u64 = 100;
/// Cost of an instruction that fills a vector register. An instruction with the same result in all
/// lanes counts as much, so that the estimate prefers no dimension along which a value is the same:
/// with lanes along another one, rows share the value (`muxcl_vecz`, unroll and jam).
const FULL: u64 = 150;
/// Cost of one lane of a gather or scatter in global memory.
const FAR_LANE: u64 = 600;
/// Cost of one lane of a gather or scatter in local memory.
const NEAR_LANE: u64 = 400;
/// Cost of one lane of an instruction that has no vector form.
const EACH_LANE: u64 = 500;
/// Cost of a call of a function with vector variants, for one work-item or for one vector.
const FUNCTION: u64 = 3000;
/// The largest distance between lanes, in elements, for which consecutive accesses and shuffles may
/// replace a gather or scatter.
const LARGEST_GROUP: u64 = 8;

/// The dimensions of the loops, the outermost first.
pub(crate) fn order(innermost: u32) -> [u32; 3] {
    match innermost {
        0 => [2, 1, 0],
        1 => [2, 0, 1],
        _ => [1, 0, 2],
    }
}

/// The assumed local size in each dimension while the local size is not known.
const ASSUMED_SIZE: u32 = 16;
/// The assumed lanes of a vector while the device's code is not generated yet.
const ASSUMED_LANES: u32 = 16;

/// The dimension along which groups of the kernel `f` should be long, and the one in which they
/// should be wide (`KernelInfo::across`). Unlike the order of the loops over work-items, they must
/// be known before the local size. `required`: the local size that the kernel requires, or zeros.
pub(crate) fn long_and_wide(module: &Module<'_>, f: Function<'_>, required: [u32; 3]) -> (u8, u8) {
    if may_wait(f) {
        return (0, 0);
    }
    let options = Options {
        lanes: ASSUMED_LANES,
        only_if_faster: true,
        rest: Rest::Scalar,
        core: None,
        scalable: None,
        interleave: true,
    };
    let config = Config {
        local_size: Some(if required == [0; 3] { [ASSUMED_SIZE; 3] } else { required }),
        uniform: true,
        small_ids: true,
        sub_group: 1,
        lanes: Some(options),
    };
    let long = choose(module, f, config);
    let wide = across(module, f, long, config.local_size.unwrap_or_default());
    let number = |d: u32| u8::try_from(d).unwrap_or(0);
    (number(long), number(wide.unwrap_or(long)))
}

/// The dimension in which an access is consecutive that is not so along dimension `long`, in a
/// kernel without loops: rows of lanes side by side make such accesses fast (`muxcl_vecz`, accesses
/// along columns).
fn across(module: &Module<'_>, f: Function<'_>, long: u32, size: [u32; 3]) -> Option<u32> {
    let all = f.instructions();
    let others = (0..3).filter(|d| *d != long && all.iter().any(|i| depends_on_id(*i, *d)));
    let others: Vec<u32> = others.collect();
    let is_large = all.len() > MOST_INSTRUCTIONS || all.iter().any(|i| depends_on_order(*i));
    if others.is_empty() || is_large || !loops::back_edges(f).is_empty() {
        return None;
    }
    let accesses: Vec<(Value<'_>, i64)> =
        all.iter().filter_map(|i| global_access(module, *i)).collect();
    let usual = Steps::of_kernel(module, f, long, size)?;
    let far = |(pointer, bytes): (Value<'_>, i64)| match usual.of(pointer) {
        Step::By(step) => step.abs() > LARGEST_GROUP.cast_signed() * bytes,
        Step::Varying => true,
    };
    let far: Vec<_> = accesses.into_iter().filter(|access| far(*access)).collect();
    others.into_iter().find(|d| {
        !far.is_empty()
            && Steps::of_kernel(module, f, *d, size)
                .is_some_and(|steps| far.iter().any(|(p, bytes)| steps.of(*p) == Step::By(*bytes)))
    })
}

/// The address of a plain access of a scalar in global memory, and the number of bytes.
fn global_access<'m>(module: &Module<'_>, i: Value<'m>) -> Option<(Value<'m>, i64)> {
    let (pointer, ty) = match i.opcode() {
        Opcode::Load => (i.operand(0), i.ty()),
        Opcode::Store => (i.operand(1), i.operand(0).ty()),
        _ => return None,
    };
    let plain = !i.is_volatile() && !i.is_atomic() && !ty.is_vector();
    let global = pointer.ty().address_space() != local_memory::SPACE
        && !pointer.underlying_object().is_alloca();
    (plain && global).then(|| (pointer, module.size_of(ty).cast_signed()))
}

/// Chooses the dimension of the innermost loop for the kernel `f`.
pub(super) fn choose(module: &Module<'_>, f: Function<'_>, config: Config) -> u32 {
    let (Some(options), Some(size)) = (config.lanes, config.local_size) else { return 0 };
    let several: Vec<u32> = (0..3).filter(|d| size[*d as usize] > 1).collect();
    let [default, others @ ..] = several.as_slice() else { return 0 };
    let all = f.instructions();
    let fits = |d: &u32| {
        u64::from(size[*d as usize]) >= FEWEST && all.iter().any(|i| depends_on_id(*i, *d))
    };
    let others: Vec<u32> = others.iter().copied().filter(fits).collect();
    if others.is_empty()
        || all.len() > MOST_INSTRUCTIONS
        || all.iter().any(|i| depends_on_order(*i))
    {
        return 0;
    }
    let depths = depths(f);
    let cost = |d: u32| {
        let steps = Steps::of_kernel(module, f, d, size)?;
        let costs = Costs { module, steps, options };
        Some(costs.of_group(f, &depths, size[d as usize].into(), size))
    };
    let Some(usual) = cost(*default) else { return 0 };
    let candidates = others.into_iter().filter_map(|d| Some((cost(d)?, d)));
    // Tests that vectorize every loop also take each chance of lanes along another dimension.
    let limit = if options.only_if_faster {
        usual / CLEARLY.1 * CLEARLY.0
    } else {
        usual.saturating_sub(1)
    };
    candidates.min().filter(|(cost, _)| *cost <= limit).map_or(0, |(_, d)| d)
}

/// True for a call whose result may differ between neighbours in dimension `d`.
fn depends_on_id(i: Value<'_>, d: u32) -> bool {
    match i.callee().and_then(|f| work_item(&f.name())) {
        Some(WorkItem::GlobalId | WorkItem::LocalId) => {
            i.args().first().and_then(|a| a.as_u64()).is_none_or(|n| n == d.into())
        }
        Some(WorkItem::GlobalLinearId | WorkItem::LocalLinearId) => true,
        _ => false,
    }
}

/// True for a call whose meaning or implementation depends on the order of the work-items.
fn depends_on_order(i: Value<'_>) -> bool {
    let name = i.callee().map(Function::name);
    name.is_some_and(|n| n == GROUP_SCRATCH || work_item(&n).is_some_and(WorkItem::of_sub_groups))
}

/// By block: the number of loops around it.
fn depths(f: Function<'_>) -> BTreeMap<Block<'_>, usize> {
    let mut bodies: BTreeMap<Block<'_>, BTreeSet<Block<'_>>> = BTreeMap::new();
    for (from, to) in loops::back_edges(f) {
        bodies.entry(to).or_default().extend(loops::body(from, to));
    }
    let mut depths = BTreeMap::new();
    for block in bodies.into_values().flatten() {
        *depths.entry(block).or_default() += 1;
    }
    depths
}

/// The costs of the kernel's instructions if lanes run along one dimension.
struct Costs<'m, 'c, 'a> {
    module: &'a Module<'c>,
    steps: Steps<'m>,
    options: Options,
}

impl<'m> Costs<'m, '_, '_> {
    /// Cost of all work-items of a group. `count`: the number of work-items along the dimension.
    fn of_group(
        &self,
        f: Function<'m>,
        depths: &BTreeMap<Block<'m>, usize>,
        count: u64,
        size: [u32; 3],
    ) -> u64 {
        let lanes = self.lanes(count);
        let (mut scalar, mut vector) = (0u64, 0u64);
        for b in f.blocks() {
            let depth = depths.get(&b).copied().unwrap_or(0);
            let weight = ITERATIONS.pow(u32::try_from(depth.min(DEEPEST)).unwrap_or(0));
            for i in b.instructions() {
                if !is_free(i) {
                    scalar += weight * self.of_scalar(i);
                    vector += weight * self.of_vector(i, lanes);
                }
            }
        }
        let row = match self.options.rest {
            _ if lanes < FEWEST => count * scalar,
            Rest::Masked | Rest::VectorLength => count.div_ceil(lanes) * vector,
            Rest::Scalar => count / lanes * vector + count % lanes * scalar,
        };
        let items: u64 = size.into_iter().map(u64::from).product();
        items / count * row.min(count * scalar)
    }

    /// The number of lanes for this number of work-items. Below [`FEWEST`], no vectors are made.
    fn lanes(&self, count: u64) -> u64 {
        let limit = match self.options.rest {
            Rest::Masked | Rest::VectorLength if count >= FEWEST => count.next_power_of_two(),
            _ => count,
        };
        let mut lanes = u64::from(self.options.lanes);
        while lanes > limit {
            lanes /= 2;
        }
        lanes
    }

    /// Cost of an instruction for one work-item.
    fn of_scalar(&self, i: Value<'m>) -> u64 {
        let ty = if i.opcode() == Opcode::Store { i.operand(0).ty() } else { i.ty() };
        match i.callee() {
            Some(f) if variants_of(f).is_some() => FUNCTION,
            _ if ty.is_vector() => SCALAR * self.registers(ty.element(), ty.vector_len().into()),
            _ => SCALAR,
        }
    }

    /// Cost of an instruction for a vector of work-items.
    fn of_vector(&self, i: Value<'m>, lanes: u64) -> u64 {
        let plain = || !i.is_volatile() && !i.is_atomic();
        match i.opcode() {
            Opcode::Load if plain() => self.of_access(i.operand(0), i.ty(), lanes),
            Opcode::Store if plain() => self.of_access(i.operand(1), i.operand(0).ty(), lanes),
            Opcode::Br | Opcode::Switch | Opcode::Fence => FULL,
            Opcode::Load | Opcode::Store | Opcode::AtomicRmw | Opcode::AtomicCmpXchg => {
                lanes * EACH_LANE
            }
            Opcode::Call if i.callee().is_some_and(|f| variants_of(f).is_some()) => {
                match self.steps.of(i) {
                    Step::By(0) => FUNCTION,
                    _ => FUNCTION * parts(i.ty()).1,
                }
            }
            Opcode::Call if !i.is_lane_wise() => lanes * EACH_LANE,
            _ if matches!(self.steps.of(i), Step::By(_)) => FULL,
            _ => self.of_lanes(i.ty(), lanes),
        }
    }

    /// Cost of an instruction that computes a value of this type in each lane.
    fn of_lanes(&self, ty: Type<'m>, lanes: u64) -> u64 {
        let (element, count) = parts(ty);
        match element.kind() {
            TypeKind::Int if element.int_width() == 1 => FULL * count,
            TypeKind::Int | TypeKind::Half | TypeKind::Float | TypeKind::Double => {
                FULL * count * self.registers(element, lanes)
            }
            _ => FULL * count,
        }
    }

    /// Cost of a load or store of a value of type `ty`.
    fn of_access(&self, pointer: Value<'m>, ty: Type<'m>, lanes: u64) -> u64 {
        let (element, count) = parts(ty);
        let registers = FULL * count * self.registers(element, lanes);
        // Private variables become registers, or have copies for all lanes.
        if pointer.underlying_object().is_alloca() {
            return registers;
        }
        let near = pointer.ty().address_space() == local_memory::SPACE;
        let lane = if near { NEAR_LANE } else { FAR_LANE };
        // A lane that accesses an OpenCL vector of at most 8 bytes accesses one element.
        let bytes = self.module.size_of(ty).max(1);
        let apart = lanes * lane * if bytes <= 8 { 1 } else { count };
        match self.steps.of(pointer) {
            Step::By(0) => FULL,
            // Shuffles separate the components of OpenCL vectors.
            Step::By(step) if step.unsigned_abs() == bytes => {
                registers * u64::from(count.next_power_of_two().ilog2()).max(1)
            }
            Step::By(step) if step.unsigned_abs() <= LARGEST_GROUP * bytes => {
                let elements = step.unsigned_abs().div_ceil(bytes);
                apart.min(2 * elements * registers)
            }
            _ => apart,
        }
    }

    /// The number of vector registers that `count` elements fill.
    fn registers(&self, element: Type<'m>, count: u64) -> u64 {
        let register = u64::from(self.options.lanes) * 4;
        (self.module.size_of(element) * count).div_ceil(register.max(1))
    }
}

/// The type of a value's components, and their number.
fn parts(ty: Type<'_>) -> (Type<'_>, u64) {
    if ty.is_vector() { (ty.element(), ty.vector_len().into()) } else { (ty, 1) }
}

/// True for an instruction that needs no code in the loop over work-items.
fn is_free(i: Value<'_>) -> bool {
    match i.opcode() {
        Opcode::Alloca | Opcode::Ret | Opcode::Unreachable => true,
        Opcode::Call => i.callee().is_some_and(|f| {
            let name = f.name();
            let hint = ["llvm.lifetime.", "llvm.assume", "llvm.experimental.noalias", "llvm.dbg."];
            name == BARRIER
                || work_item(&name).is_some()
                || hint.iter().any(|h| name.starts_with(h))
        }),
        _ => false,
    }
}
