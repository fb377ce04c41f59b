//! Accesses along columns: consecutive from row to row of work-items, and far apart from lane to
//! lane, as the store `out[x * n + y] = in[y * n + x]` of a transposition with lanes along x.
//!
//! A scatter touches a cache line for each lane, and the next row touches the same lines again. If
//! the distance of the lanes is a power of two, these lines evict each other from the first-level
//! cache. So several rows of work-items run side by side (`jam`). A work-item of the first row then
//! loads or stores the elements of all these rows at once, as one OpenCL vector. In lanes, this
//! becomes one access for each lane and a transposition by shuffles (`widen::transpose`).
//!
//! Not here: the number of rows (`overlap`), and the accesses of one work-item in the iterations of
//! an inner loop (`row_loads`).

use std::collections::BTreeSet;

use muxcl_llvm::{Builder, Module, Value};

use crate::graph::Graph;
use crate::jam::{Copies, Rows};
use crate::row_loads::is_along_memory;
use crate::shapes::{Lowering, Shapes, access_of, lowering};
use crate::steps::Steps;

/// The accesses along columns in a loop without inner loops, in blocks that all lanes run.
pub(crate) fn find<'m>(
    module: &Module<'_>,
    graph: &Graph<'m>,
    shapes: &Shapes<'m>,
    rows: &Rows<'m>,
) -> BTreeSet<Value<'m>> {
    if !graph.loops.is_empty() {
        return BTreeSet::new();
    }
    let steps = Steps { module, blocks: Vec::new(), rows: Some(rows), wraps: true };
    let all_lanes = (0..graph.blocks.len()).filter(|n| !shapes.masked[*n]);
    let instructions = all_lanes.flat_map(|n| graph.blocks[n].instructions());
    instructions.filter(|i| is_along_memory(graph, shapes, &steps, *i)).collect()
}

/// Joins an access along a column and its copies for the other rows, which follow each other in the
/// code, to one access of an OpenCL vector.
pub(crate) fn join<'m>(i: Value<'m>, copies: &Copies<'m>) {
    let Some((pointer, ty)) = access_of(i) else { return };
    let cx = ty.cx();
    let rows: Vec<Value<'m>> = std::iter::once(i).chain(copies.iter().map(|c| c[&i])).collect();
    let count = u32::try_from(rows.len()).unwrap_or(1);
    let vector = cx.vector(ty, count);
    let b = Builder::before(i);
    b.set_location(i);
    if lowering(i) == Lowering::Load {
        let all = b.masked_load(vector, pointer, i.align(), None, i);
        for (n, load) in (0u32..).zip(&rows) {
            load.replace_all_uses(b.extract_element(all, cx.u32(n)));
        }
    } else {
        let values = (0u32..).zip(&rows).map(|(n, store)| (n, store.operand(0)));
        let all = values.fold(vector.poison(), |all, (n, v)| b.insert_element(all, v, cx.u32(n)));
        b.masked_store(all, pointer, i.align(), None, i);
    }
    rows.into_iter().for_each(Value::erase);
}
