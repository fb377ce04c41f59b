//! Loads and stores of OpenCL vectors at addresses that differ between lanes: one access for each
//! lane, and a transposition, instead of a gather or scatter for each component.
//!
//! Invariant: each access is the scalar access of its lane, so all lanes must run the block.

use muxcl_llvm::{Opcode, Type, Value};

use super::Widen;
use crate::shapes::{Shape, elements_of};

impl<'m> Widen<'_, 'm, '_> {
    /// The components of the load `i`, loaded for one lane after another. `None` if gathers are
    /// better or only some lanes run the block.
    pub(super) fn load_transposed(&mut self, i: Value<'m>) -> Option<Vec<Value<'m>>> {
        let count = self.count_to_transpose(i.ty())?;
        let loads: Vec<Value<'m>> = self
            .lane_addresses(i.operand(0))
            .into_iter()
            .map(|at| self.b().masked_load(i.ty(), at, i.align(), None, i))
            .collect();
        Some(self.transposed(&loads, count))
    }

    /// The number of components of an OpenCL vector of type `ty`. `None` if gathers and scatters
    /// are better or only some lanes run the block.
    fn count_to_transpose(&self, ty: Type<'m>) -> Option<u32> {
        let (element, count) = elements_of(ty)?;
        let fits = self.mask.is_none() && self.interleaves && count > 1 && count.is_power_of_two();
        (fits && !element.is_pointer() && self.as_integer(ty).is_none()).then_some(count)
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

    /// Stores the components `parts` of OpenCL vectors for one lane after another, after a
    /// transposition. False if scatters are better or only some lanes run the block.
    pub(super) fn store_transposed(&mut self, i: Value<'m>, parts: &[Value<'m>]) -> bool {
        let ty = i.operand(0).ty();
        if self.count_to_transpose(ty).is_none() {
            return false;
        }
        let addresses = self.lane_addresses(i.operand(1));
        for (value, at) in self.transposed_back(parts).into_iter().zip(addresses) {
            self.b().masked_store(value, at, i.align(), None, i);
        }
        true
    }

    /// Transposes vectors of `count` elements, one for each lane, to vectors of lanes.
    ///
    /// Vectors with fewer elements than lanes are joined before the transposition. Those with more
    /// are transposed in parts.
    fn transposed(&self, list: &[Value<'m>], count: u32) -> Vec<Value<'m>> {
        // The side of the squares of elements that are transposed.
        let side = count.min(self.width.count);
        let mut out = Vec::new();
        for part in 0..count / side {
            let pieces: Vec<Value<'m>> =
                list.iter().map(|v| self.piece(*v, part * side, side)).collect();
            let every = |first: u32| {
                pieces.iter().copied().skip(first as usize).step_by(side as usize).collect()
            };
            let mut vectors: Vec<Value<'m>> =
                (0..side).map(|n| self.joined_ends(every(n))).collect();
            self.transpose_squares(&mut vectors);
            out.extend(vectors);
        }
        out
    }

    /// Transposes vectors of lanes to vectors of one element of each of them, one for each lane:
    /// the opposite of [`Self::transposed`].
    fn transposed_back(&self, list: &[Value<'m>]) -> Vec<Value<'m>> {
        let lanes = self.width.count;
        let side = list.len().min(lanes as usize);
        let squares: Vec<Vec<Value<'m>>> = list
            .chunks(side)
            .map(|part| {
                let mut vectors = part.to_vec();
                self.transpose_squares(&mut vectors);
                vectors
            })
            .collect();
        let side = u32::try_from(side).unwrap_or(lanes);
        let of_lane = |lane: u32| {
            let from = |vectors: &Vec<Value<'m>>| {
                self.piece(vectors[(lane % side) as usize], lane / side * side, side)
            };
            self.joined_ends(squares.iter().map(from).collect())
        };
        (0..lanes).map(of_lane).collect()
    }

    /// Transposes the squares of elements of these vectors of lanes: vector n gets, at position p
    /// of each square, the element at position n of vector p. The number of vectors is the side of
    /// a square. Each step exchanges elements at a distance of 1, 2, 4, ... between two vectors.
    fn transpose_squares(&self, vectors: &mut [Value<'m>]) {
        let (lanes, b) = (self.width.count, self.b());
        let shuffle = |x: Value<'m>, y: Value<'m>, from: &dyn Fn(u32) -> u32| {
            let mask: Vec<i32> = (0..lanes).map(|p| from(p).cast_signed()).collect();
            b.shuffle(x, y, &mask)
        };
        let side = u32::try_from(vectors.len()).unwrap_or(lanes);
        let mut distance = 1;
        while distance < side {
            for n in (0..side).filter(|n| n & distance == 0) {
                let (low, high) = (n as usize, (n + distance) as usize);
                let (x, y) = (vectors[low], vectors[high]);
                let second = |p: u32| p & distance != 0;
                let even = |p: u32| if second(p) { lanes + p - distance } else { p };
                let odd = |p: u32| if second(p) { lanes + p } else { p + distance };
                vectors[low] = shuffle(x, y, &even);
                vectors[high] = shuffle(x, y, &odd);
            }
            distance *= 2;
        }
    }

    /// The `count` elements of `v` from element `first` on.
    fn piece(&self, v: Value<'m>, first: u32, count: u32) -> Value<'m> {
        if count == v.ty().vector_len() {
            return v;
        }
        let mask: Vec<i32> = (first..first + count).map(u32::cast_signed).collect();
        self.b().shuffle(v, v, &mask)
    }

    /// One vector with the elements of these vectors, one after another. Their number is a power of
    /// two.
    fn joined_ends(&self, mut parts: Vec<Value<'m>>) -> Value<'m> {
        while parts.len() > 1 {
            let join = |pair: &[Value<'m>]| {
                let mask: Vec<i32> =
                    (0..2 * pair[0].ty().vector_len()).map(u32::cast_signed).collect();
                self.b().shuffle(pair[0], pair[1], &mask)
            };
            parts = parts.chunks(2).map(join).collect();
        }
        parts[0]
    }
}
