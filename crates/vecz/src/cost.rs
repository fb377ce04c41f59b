//! An estimate of whether lanes pay, and of how many.
//!
//! The unit is one instruction of one work-item. Blocks of inner loops count more. Not here: the
//! code for each instruction (`widen`).

use muxcl_llvm::{Module, Type, TypeKind, Value};

use crate::graph::Graph;
use crate::shapes::{Lowering, Shape, Shapes, base_of, elements_of, lowering};
use crate::widen::atomics::combines;
use crate::widen::regular::usual_stride;
use crate::{Options, Rest};

/// The assumed number of iterations of an inner loop.
const ITERATIONS: u64 = 8;
/// Cost of one lane of a gather, in percent of an instruction: the access and its address.
const GATHER: u64 = 600;
/// Cost of one lane of a scatter, in percent of an instruction.
const SCATTER: u64 = 1000;
/// Cost of one lane of a gather or scatter in private or local memory, in percent of an
/// instruction. It is less than in global memory, because these variables are likely to be in the
/// first-level cache.
const NEAR: u64 = 400;
/// The address space of local memory.
const SHARED: u32 = 3;
/// Cost of one lane of an instruction that runs in a loop over lanes, in percent: it extracts the
/// operands and inserts the result.
const EACH_LANE: u64 = 500;

/// Cost of an access that is usually consecutive, in percent of an instruction: the test and the
/// access.
const REGULAR: u64 = 600;

/// Cost of a call of a mathematical function with vector variants, in percent of an instruction.
/// A scalar call and a call of the variant for a whole vector cost the same.
const FUNCTION: u64 = 3000;

/// Cost of an atomic operation for all lanes, in percent of an instruction: the lanes are combined.
const COMBINED: u64 = 1500;

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
/// vector, but 16 lanes with [`Rest::Masked`], so that one vector under a mask runs all of them.
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
            Rest::Masked if count >= 4 => count.next_power_of_two(),
            _ => count,
        };
        while u64::from(lanes) > limit {
            lanes /= 2;
        }
    }
    (lanes >= 4).then_some(lanes)
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
    lanes: u32,
    private: Private,
) -> bool {
    let (mut scalar, mut vector) = (0u64, 0u64);
    for (n, b) in graph.blocks.iter().enumerate() {
        let depth = graph.loops.iter().filter(|l| l.blocks.contains(&n)).count();
        let weight = ITERATIONS.saturating_pow(u32::try_from(depth).unwrap_or(3).min(3));
        for i in b.instructions() {
            let uniform =
                shapes.of_value(graph, i) == Shape::Uniform && lowering(i) != Lowering::EachLane;
            // One copy of these remains in both loops, mostly outside them.
            if uniform && !i.ty().is_void() {
                continue;
            }
            let one = if lowering(i) == Lowering::Variant { FUNCTION } else { 100 };
            scalar += weight * one;
            vector += weight * of_vector(module, graph, shapes, i, (lanes, private));
        }
    }
    match iterations(graph) {
        Some(count) if count < lanes.into() => vector < scalar * count,
        _ => vector < scalar * u64::from(lanes),
    }
}

/// Cost of an instruction for a vector, in percent.
fn of_vector<'m>(
    module: &Module<'_>,
    graph: &Graph<'m>,
    shapes: &Shapes<'m>,
    i: Value<'m>,
    (lanes, private): (u32, Private),
) -> u64 {
    let lanes = u64::from(lanes);
    let access = |pointer: Value<'m>, value: Value<'m>, one: u64| {
        let (size, parts) = size_and_parts(module, value.ty());
        let own = shapes.variables.contains(&base_of(pointer));
        if own && private == Private::Registers {
            return 100 * parts;
        }
        let near = own || pointer.ty().address_space() == SHARED;
        let one = if near { NEAR } else { one };
        match shapes.of_value(graph, pointer) {
            Shape::Uniform => 100,
            Shape::Strided(s) if s.unsigned_abs() == size => 150 * parts,
            _ if usual_stride(module, graph, shapes, pointer) == i64::try_from(size).ok() => {
                REGULAR * parts
            }
            _ if size <= 8 => lanes * one,
            _ => lanes * one * parts,
        }
    };
    match lowering(i) {
        Lowering::Hint => 0,
        Lowering::Load => access(i.operand(0), i, GATHER),
        Lowering::Store => access(i.operand(1), i.operand(0), SCATTER),
        Lowering::EachLane if combines(shapes, graph, i) => COMBINED,
        Lowering::EachLane => lanes * EACH_LANE,
        Lowering::Variant => FUNCTION * size_and_parts(module, i.ty()).1,
        // Strided values stay scalar.
        _ if shapes.of_value(graph, i) != Shape::Varying => 100,
        _ => 150 * size_and_parts(module, i.ty()).1,
    }
}

/// The size of a value of the type in bytes, and the number of its elements.
fn size_and_parts(module: &Module<'_>, ty: Type<'_>) -> (u64, u64) {
    let parts = elements_of(ty).map_or(1, |l| l.1);
    (if ty.is_void() { 0 } else { module.size_of(ty) }, u64::from(parts))
}
