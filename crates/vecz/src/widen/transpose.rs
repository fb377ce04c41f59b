//! Loads of OpenCL vectors at addresses that differ between lanes: one load for each lane, and a
//! transposition of the loaded vectors, instead of a gather for each component.
//!
//! Invariant: each load is the scalar load of its lane, so all lanes must run the block.

use muxcl_llvm::{Opcode, Value};

use super::Widen;
use crate::shapes::{Shape, elements_of};

impl<'m> Widen<'_, 'm, '_> {
    /// The components of the load `i`, loaded for one lane after another. `None` if gathers are
    /// better or only some lanes run the block.
    pub(super) fn load_transposed(&mut self, i: Value<'m>) -> Option<Vec<Value<'m>>> {
        let (element, count) = elements_of(i.ty())?;
        let fits = self.mask.is_none() && self.interleaves && count > 1 && count.is_power_of_two();
        if !fits || element.is_pointer() || self.as_integer(i.ty()).is_some() {
            return None;
        }
        let loads: Vec<Value<'m>> = self
            .lane_addresses(i.operand(0))
            .into_iter()
            .map(|at| self.b().masked_load(i.ty(), at, i.align(), None, i))
            .collect();
        Some(self.transposed(&loads, count))
    }

    /// The address `pointer` of each lane. An offset that is the same in all lanes is added lane by
    /// lane, so that the rest does not change in a loop that changes the offset only.
    fn lane_addresses(&mut self, pointer: Value<'m>) -> Vec<Value<'m>> {
        let uniform = |v: Value<'m>| self.shapes.of_value(self.graph, v) == Shape::Uniform;
        let offset = (self.graph.block_of(pointer).is_some()
            && pointer.opcode() == Opcode::GetElementPtr
            && pointer.operand_count() == 2
            && uniform(pointer.operand(1)))
        .then(|| pointer.operand(1));
        let start = if offset.is_some() { pointer.operand(0) } else { pointer };
        let offset = offset.map(|o| {
            let lanes = self.lookup(o);
            self.first(&lanes)
        });
        let lanes = self.lookup(start);
        let address = |n: u32| {
            let at = self.lane(&lanes, start.ty(), self.module.cx().u32(n));
            let Some(offset) = offset else { return at };
            let copy = self.b().insert_copy(pointer);
            copy.set_operand(0, at);
            copy.set_operand(1, offset);
            copy
        };
        (0..self.width.count).map(address).collect()
    }

    /// Transposes vectors of `count` elements, one for each lane, to vectors of lanes.
    ///
    /// First, several vectors are joined to a vector with as many elements as lanes. Then each step
    /// exchanges elements at a distance of 1, 2, 4, ... between two of these vectors.
    fn transposed(&self, list: &[Value<'m>], count: u32) -> Vec<Value<'m>> {
        let lanes = self.width.count;
        // The side of the squares of elements that are transposed.
        let side = count.min(lanes);
        let b = self.b();
        let shuffle = |x: Value<'m>, y: Value<'m>, from: &dyn Fn(u32) -> u32, len: u32| {
            let mask: Vec<i32> = (0..len).map(|p| from(p).cast_signed()).collect();
            b.shuffle(x, y, &mask)
        };
        let mut out = Vec::new();
        for part in 0..count / side {
            let piece = |v: &Value<'m>| match side == count {
                true => *v,
                false => shuffle(*v, *v, &|p| part * side + p, side),
            };
            let pieces: Vec<Value<'m>> = list.iter().map(piece).collect();
            let join = |first: u32| {
                let mut parts: Vec<Value<'m>> =
                    pieces.iter().copied().skip(first as usize).step_by(side as usize).collect();
                let mut len = side;
                while parts.len() > 1 {
                    len *= 2;
                    parts = parts.chunks(2).map(|p| shuffle(p[0], p[1], &|p| p, len)).collect();
                }
                parts[0]
            };
            let mut vectors: Vec<Value<'m>> = (0..side).map(join).collect();
            let mut distance = 1;
            while distance < side {
                for n in (0..side).filter(|n| n & distance == 0) {
                    let (low, high) = (n as usize, (n + distance) as usize);
                    let (x, y) = (vectors[low], vectors[high]);
                    let second = |p: u32| p & distance != 0;
                    let even = |p: u32| if second(p) { lanes + p - distance } else { p };
                    let odd = |p: u32| if second(p) { lanes + p } else { p + distance };
                    vectors[low] = shuffle(x, y, &even, lanes);
                    vectors[high] = shuffle(x, y, &odd, lanes);
                }
                distance *= 2;
            }
            out.extend(vectors);
        }
        out
    }
}
