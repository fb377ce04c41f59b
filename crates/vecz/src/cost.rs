//! An estimate of whether lanes pay, and of how many.
//!
//! The unit is one scalar instruction. An instruction on an OpenCL vector or on a vector of lanes
//! counts once for each machine register that its result needs. The cost of an innermost loop is
//! the larger of two times: to issue its instructions, and the latency of the values that an
//! iteration needs from the previous one (`overlap`). Inner loops count more than the code around
//! them. Not here: the code for each instruction (`widen`).

use std::collections::BTreeSet;

use muxcl_llvm::{Module, Opcode, TypeKind, Value};

use crate::graph::Graph;
use crate::groups::{self, Group};
use crate::overlap::Model;
use crate::shapes::{Lowering, Shape, Shapes, base_of, elements_of, lowering, renames};
use crate::steps::Steps;
use crate::whole::Whole;
use crate::widen::atomics::combines;
use crate::widen::partner::Partner;
use crate::widen::regular::usual_stride;
use crate::{Options, Rest};

/// The assumed number of iterations of an inner loop.
const ITERATIONS: u64 = 8;
/// Cost of an instruction that fills a vector register, in percent of a scalar instruction.
/// Processors issue three scalar instructions in the time of two such vector instructions.
const FULL: u64 = 150;
/// Cost of a shuffle, in percent of an instruction. A load of consecutive OpenCL vectors of n
/// components in lanes needs log2(n) shuffles for each component, and so does a store.
const SHUFFLE: u64 = 75;
/// Cost of one lane of a gather, in percent of an instruction: the access and its address.
const GATHER: u64 = 600;
/// Cost of one lane of a scatter, in percent of an instruction.
const SCATTER: u64 = 1000;
/// Cost of one lane of a gather or scatter in private or local memory, in percent of an
/// instruction. It is less than in global memory, because these variables are likely to be in the
/// first-level cache.
const NEAR: u64 = 400;
/// Cost of one lane of a scatter in an interleaved private array, in percent of an instruction. A
/// gather soon after it waits until all its lanes are in the cache.
const NEAR_SCATTER: u64 = 3200;
/// The address space of local memory.
const SHARED: u32 = 3;
/// Cost of one lane of an instruction that runs in a loop over lanes, in percent: it extracts the
/// operands and inserts the result.
const EACH_LANE: u64 = 500;
/// Cost of one lane of an atomic operation on global memory, in percent of an instruction. A loop
/// that only computes the addresses is faster without lanes.
const ATOMIC: u64 = 1500;

/// Cost of an access that is usually consecutive, in percent of an instruction: the test and the
/// access.
const REGULAR: u64 = 600;

/// Cost of a call of a mathematical function with vector variants, in percent of an instruction.
/// A scalar call and a call of the variant for a whole vector cost the same.
const FUNCTION: u64 = 3000;

/// Cost of an atomic operation for all lanes, in percent of an instruction: the lanes are combined.
const COMBINED: u64 = 1500;

/// Bytes of the first-level cache: the smallest of the processors with AVX2.
const CACHE: u64 = 32 << 10;
/// The smallest number of lanes that [`exceeds_cache`] leaves.
const FEWEST: u32 = 8;

/// Bytes of a cache line.
pub(crate) const LINE: u64 = 64;
/// The largest number of consecutive cache lines that one load of all lanes touches, in loops whose
/// next iteration loads from other lines. With four, a sum over 16 M floats takes 0.7 of the time
/// that it takes with one (Zen 3).
pub(crate) const MOST_LINES: u32 = 4;

/// Where the cost model assumes private variables to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Private {
    /// On the stack, as they are now.
    Memory,
    /// In registers, as they may be after more passes.
    Registers,
}

/// The number of lanes, at most [`Options::lanes`]; `None` if it would be less than 4.
///
/// Loops with more `double` than `float` values get half the lanes. A small constant number of
/// iterations reduces the lanes too. For example, 13 iterations get 8 lanes, so that they fill a
/// vector, but 16 lanes without [`Rest::Scalar`], so that one vector runs all of them.
pub(crate) fn lanes(graph: &Graph<'_>, options: Options) -> Option<u32> {
    let lanes = options.lanes;
    let count = |kind: TypeKind| {
        let instructions = graph.blocks.iter().flat_map(|b| b.instructions());
        let of_kind = |i: &Value<'_>| elements_of(i.ty()).is_some_and(|(e, _)| e.kind() == kind);
        instructions.filter(of_kind).count()
    };
    let wide = count(TypeKind::Double) > count(TypeKind::Float);
    let mut lanes = if wide { lanes / 2 } else { lanes };
    if let Some(count) = iterations(graph) {
        let limit = match options.rest {
            Rest::Masked | Rest::VectorLength if count >= 4 => count.next_power_of_two(),
            _ => count,
        };
        while u64::from(lanes) > limit {
            lanes /= 2;
        }
    }
    (lanes >= 4).then_some(lanes)
}

/// True if half the lanes are better, because the private variables in which each lane loads at an
/// index of its own, such as lookup tables, exceed the first-level cache.
pub(crate) fn exceeds_cache<'m>(graph: &Graph<'m>, shapes: &Shapes<'m>, lanes: u32) -> bool {
    let instructions = graph.blocks.iter().flat_map(|b| b.instructions());
    let gathers = instructions.filter(|i| {
        lowering(*i) == Lowering::Load && shapes.of_value(graph, i.operand(0)) == Shape::Varying
    });
    let tables: BTreeSet<Value<'m>> = gathers.map(|i| base_of(i.operand(0))).collect();
    let tables = tables.into_iter().filter(|base| shapes.variables.contains(base));
    let size: u64 = tables.map(|table| shapes.copies[&table]).sum();
    lanes > FEWEST && size * u64::from(lanes) > CACHE
}

fn is_shared(pointer: Value<'_>) -> bool {
    pointer.ty().address_space() == SHARED
}

/// True for local memory and for the private variables of `shapes`.
pub(crate) fn stays_in_cache(shapes: &Shapes<'_>, pointer: Value<'_>) -> bool {
    is_shared(pointer) || shapes.variables.contains(&base_of(pointer))
}

/// The factor by which more lanes make the loads of inner loops fill cache lines; 1 if they do, or
/// do not need to.
///
/// It is needed if the lanes load consecutive values of few bytes, and each iteration loads from
/// other cache lines, as in `for (i = get_global_id(0); i < n; i += get_global_size(0))` over
/// bytes. A vector that uses a part of each line comes back for the next part when the first-level
/// cache has lost it.
pub(crate) fn to_fill_lines<'m>(
    module: &Module<'_>,
    graph: &Graph<'m>,
    shapes: &Shapes<'m>,
    lanes: u32,
) -> u32 {
    let mut largest = 0;
    for (l, inner) in graph.loops.iter().enumerate() {
        let blocks = inner.blocks.iter().map(|n| graph.blocks[*n]).collect();
        let steps = Steps { module, blocks, rows: None, wraps: false };
        let own = inner.blocks.iter().filter(|n| graph.innermost[**n] == Some(l));
        let instructions = own.flat_map(|n| graph.blocks[*n].instructions());
        for load in instructions.filter(|i| lowering(*i) == Lowering::Load) {
            let (pointer, size) = (load.operand(0), module.size_of(load.ty()));
            let near = stays_in_cache(shapes, pointer)
                || steps.of(pointer).is_some_and(|bytes| bytes.unsigned_abs() < LINE);
            if near || shapes.of_value(graph, pointer) == Shape::Uniform {
                continue;
            }
            if shapes.of_value(graph, pointer) != Shape::Strided(size.cast_signed()) {
                return 1;
            }
            largest = size.max(largest);
        }
    }
    let mut factor = 1;
    while largest > 0 && u64::from(lanes * factor) * largest < LINE {
        factor *= 2;
    }
    let fits = |count: u64| count >= u64::from(lanes * factor);
    if iterations(graph).is_none_or(fits) { factor } else { 1 }
}

/// The number of lanes, and the largest number of vectors side by side, for which accesses of whole
/// OpenCL vectors are short: a vector of lanes accesses at most a cache line. `None` if this leaves
/// too few lanes.
///
/// If OpenCL vectors stay whole, a few lanes fill a register. More lanes would only make it harder
/// for the processor to prefetch several streams of memory at the same time: on Zen 4, sixteen
/// streams have 28 GB/s by 64 bytes each in turn, 24 by 128, and 17 by 1024.
pub(crate) fn of_whole<'m>(
    module: &Module<'_>,
    graph: &Graph<'m>,
    shapes: &Shapes<'m>,
    mut lanes: u32,
) -> Option<(u32, u32)> {
    let size = Whole::of(module, graph, shapes).dominates(module, graph, shapes);
    let Some(size) = size.filter(|size| *size > 0) else { return Some((lanes, u32::MAX)) };
    while u64::from(lanes) * size > LINE {
        lanes /= 2;
    }
    let vectors = u32::try_from(2 * LINE / (u64::from(lanes) * size).max(1)).unwrap_or(u32::MAX);
    (lanes >= 4).then_some((lanes, vectors))
}

/// The number of iterations; `None` if it is not constant.
pub(crate) fn iterations(graph: &Graph<'_>) -> Option<u64> {
    let (start, bound) = (graph.counter.start.as_u64()?, graph.counter.bound.as_u64()?);
    Some(bound.saturating_sub(start))
}

/// True if the loop over vectors is expected to be faster.
pub(crate) fn pays<'m>(
    module: &Module<'_>,
    graph: &Graph<'m>,
    shapes: &Shapes<'m>,
    (lanes, options): (u32, Options),
    private: Private,
    columns: &BTreeSet<Value<'m>>,
) -> bool {
    let register = u64::from(options.lanes) * 4;
    let interleave = options.interleave && options.scalable.is_none();
    let lane_count = lanes.into();
    let whole = Whole::with(module, graph, shapes, options);
    let costs = Costs {
        module,
        graph,
        shapes,
        lanes: lane_count,
        register,
        private,
        interleave,
        whole,
        columns,
    };
    let blocks: Vec<_> = (0..graph.blocks.len()).map(|n| costs.of_block(n)).collect();
    let is_innermost = |l: usize| graph.loops.iter().all(|other| other.parent != Some(l));
    let model = options
        .core
        .map(|core| Model::new(module, graph, (shapes, &costs.whole), (lanes, options), core));
    let (mut scalar, mut vector) = (0u64, 0u64);
    // Each block belongs to the innermost loop around it; `None` stands for the blocks outside.
    for level in (0..graph.loops.len()).map(Some).chain([None]) {
        let own = (0..blocks.len()).filter(|n| graph.innermost[*n] == level);
        let mut once = own.fold((0, 0), |sum, n| (sum.0 + blocks[n].0, sum.1 + blocks[n].1));
        if let (Some(l), Some(model)) = (level.filter(|l| is_innermost(*l)), &model) {
            let waits = model.slots_of_waits(&graph.loops[l].blocks, ITERATIONS);
            once = (once.0.max(waits.0 * FULL), once.1.max(waits.1 * FULL));
        }
        let around = |l: usize| graph.loops.iter().filter(move |o| o.blocks.contains(&l)).count();
        let depth = level.map_or(0, |l| around(graph.loops[l].header));
        let weight = ITERATIONS.saturating_pow(u32::try_from(depth).unwrap_or(3).min(3));
        scalar += weight * once.0;
        vector += weight * once.1;
    }
    match iterations(graph) {
        Some(count) if count < lanes.into() => vector < scalar * count,
        _ => vector < scalar * u64::from(lanes),
    }
}

/// The costs of instructions, in percent of a scalar instruction.
struct Costs<'a, 'm, 'c> {
    module: &'a Module<'c>,
    graph: &'a Graph<'m>,
    shapes: &'a Shapes<'m>,
    lanes: u64,
    /// The size of a vector register in bytes.
    register: u64,
    private: Private,
    /// [`Options::interleave`] for vectors of a fixed length.
    interleave: bool,
    whole: Whole<'m>,
    /// The accesses along columns.
    columns: &'a BTreeSet<Value<'m>>,
}

impl<'m> Costs<'_, 'm, '_> {
    /// The costs of a block for one work-item and for a vector of work-items.
    fn of_block(&self, n: usize) -> (u64, u64) {
        let instructions = self.graph.blocks[n].instructions().into_iter().filter(|i| {
            let uniform = self.shapes.of_value(self.graph, *i) == Shape::Uniform
                && lowering(*i) != Lowering::EachLane;
            // One copy of these remains in both loops, mostly outside them.
            !uniform || i.ty().is_void()
        });
        let groups = match self.interleave && !self.shapes.masked[n] {
            true => groups::of_block(self.module, self.graph, self.shapes, n),
            false => Vec::new(),
        };
        let group_of = groups::by_access(&groups);
        let of_vector = |i: Value<'m>| match group_of.get(&i) {
            Some(number) => self.of_member(&groups[*number]),
            None if self.columns.contains(&i) => self.of_column(i),
            None if self.whole.is_split(i) => self.of_vector(i) + self.of_shuffles(i),
            None => self.of_vector(i),
        };
        instructions.fold((0, 0), |sum, i| (sum.0 + self.of_scalar(i), sum.1 + of_vector(i)))
    }

    /// Cost of one access of a group, with its part of the accesses that the group shares.
    fn of_member(&self, group: &Group<'m>) -> u64 {
        let lanes = u32::try_from(self.lanes).unwrap_or(u32::MAX);
        let vector = self.of_bytes(self.lanes * self.module.size_of(group.element));
        let vectors = u64::from(group.span(lanes).div_ceil(lanes));
        let parts: u64 = group.members.iter().map(|m| u64::from(m.count)).sum();
        // A shuffle joins the lanes of two vectors. A store with gaps is masked.
        let shuffles = vectors * parts;
        let full = parts == u64::from(group.stride);
        let stored = group.members.iter().any(|m| lowering(m.access) == Lowering::Store);
        let accesses = if stored && !full { 2 * vectors } else { vectors };
        (accesses + shuffles) * vector / group.members.len().max(1) as u64
    }

    /// Cost of an access along a column: an access for each row, and shuffles that transpose.
    fn of_column(&self, i: Value<'m>) -> u64 {
        let ty = if lowering(i) == Lowering::Store { i.operand(0).ty() } else { i.ty() };
        let vector = self.of_bytes(self.lanes * self.module.size_of(ty));
        vector * u64::from(self.lanes.next_power_of_two().ilog2() + 1)
    }

    /// Cost of an instruction for one work-item.
    fn of_scalar(&self, i: Value<'m>) -> u64 {
        let ty = if lowering(i) == Lowering::Store { i.operand(0).ty() } else { i.ty() };
        match lowering(i) {
            Lowering::Variant => FUNCTION,
            _ if ty.is_vector() => self.of_bytes(self.module.size_of(ty)),
            _ => 100,
        }
    }

    /// Cost of a vector instruction whose result has this size.
    fn of_bytes(&self, bytes: u64) -> u64 {
        if bytes < self.register { 100 } else { FULL * bytes.div_ceil(self.register) }
    }

    /// Cost of an instruction for a vector of work-items.
    fn of_vector(&self, i: Value<'m>) -> u64 {
        match lowering(i) {
            Lowering::Hint => 0,
            Lowering::Load => self.of_access(i.operand(0), i, GATHER),
            Lowering::Store => self.of_access(i.operand(1), i.operand(0), SCATTER),
            Lowering::EachLane if combines(self.shapes, self.graph, i) => COMBINED,
            Lowering::EachLane if i.opcode() == Opcode::AtomicRmw && !is_shared(i.operand(0)) => {
                self.lanes * ATOMIC
            }
            Lowering::EachLane => self.lanes * EACH_LANE,
            Lowering::Variant if self.whole.contains(i) => {
                let bytes = self.lanes * self.module.size_of(i.ty());
                FUNCTION * bytes.div_ceil(self.register)
            }
            Lowering::Variant => FUNCTION * self.parts(i),
            // Strided values stay scalar.
            _ if self.shapes.of_value(self.graph, i) != Shape::Varying => 100,
            Lowering::Elements if renames(i) => 0,
            _ if self.whole.contains(i) => self.of_whole(i),
            _ => self.of_lanes(i) * self.parts(i),
        }
    }

    /// Cost of the instruction that computes `v`, an OpenCL vector that stays whole.
    fn of_whole(&self, v: Value<'m>) -> u64 {
        let (element, parts) = (v.ty().element(), self.parts(v));
        match element.is_int() && element.int_width() == 1 {
            true => self.of_lanes(v) * parts,
            false => self.of_bytes(self.lanes * parts * self.module.size_of(element)),
        }
    }

    /// Cost of the shuffles between an OpenCL vector in the order of memory and a vector of lanes
    /// for each component.
    fn of_shuffles(&self, v: Value<'m>) -> u64 {
        let parts = self.parts(v);
        parts * SHUFFLE * u64::from(parts.next_power_of_two().ilog2())
    }

    /// Cost of the instruction that computes one component of `v` in lanes.
    fn of_lanes(&self, v: Value<'m>) -> u64 {
        let Some((element, _)) = elements_of(v.ty()) else { return FULL };
        match element.kind() {
            // Comparisons work on the registers of their operands, and addresses become parts of
            // the accesses.
            TypeKind::Int if element.int_width() == 1 => FULL,
            TypeKind::Pointer => FULL,
            _ => self.of_bytes(self.lanes * self.module.size_of(element)),
        }
    }

    /// The number of components of a value.
    fn parts(&self, v: Value<'m>) -> u64 {
        elements_of(v.ty()).map_or(1, |l| l.1.into())
    }

    /// Cost of a load or store of `value` in lanes. `one` is the cost of one lane of a gather or
    /// scatter.
    fn of_access(&self, pointer: Value<'m>, value: Value<'m>, one: u64) -> u64 {
        let (size, parts) = (self.module.size_of(value.ty()), self.parts(value));
        let own = self.shapes.variables.contains(&base_of(pointer));
        if own && self.private == Private::Registers {
            return 100 * parts;
        }
        let near = stays_in_cache(self.shapes, pointer);
        let stores = one == SCATTER;
        let one = if near { NEAR } else { one };
        if self.shapes.interleaved(pointer).is_some() {
            let one = if stores { NEAR_SCATTER } else { one };
            return match self.shapes.of_value(self.graph, pointer) {
                Shape::Varying => self.lanes * one * parts,
                _ => parts * self.of_lanes(value),
            };
        }
        let stride = || usual_stride(self.module, self.graph, self.shapes, pointer);
        match self.shapes.of_value(self.graph, pointer) {
            Shape::Uniform => 100,
            Shape::Strided(s) if s.unsigned_abs() == size && self.whole.contains(value) => {
                self.of_whole(value)
            }
            Shape::Strided(s) if s.unsigned_abs() == size => {
                self.of_shuffles(value).max(parts * self.of_lanes(value))
            }
            _ if self.is_partner(pointer, value) => REGULAR * self.of_lanes(value).div_ceil(FULL),
            _ if stride() == i64::try_from(size).ok() => REGULAR * parts,
            _ if size <= 8 => self.lanes * one,
            _ => self.lanes * one * parts,
        }
    }
    /// True for an access of a value of a lane's partner by one access and a permutation.
    fn is_partner(&self, pointer: Value<'m>, value: Value<'m>) -> bool {
        let access = (pointer, value);
        self.interleave
            && Partner::of(self.module, self.graph, self.shapes, access, self.lanes).is_some()
    }
}
