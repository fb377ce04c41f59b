//! Vectors in memory on the stack, for loops over lanes. An instruction that takes a lane whose
//! number is no constant makes LLVM store the whole vector each time. So the vectors are stored
//! once before the loop, and the loop reads single elements. Not here: the loops (`each_lane`), and
//! private variables of the kernel (`interleaved`).

use muxcl_llvm::{Builder, Type, Value};

use super::{Lanes, Widen};

/// The type that an element has in memory: integers have a whole number of bytes there.
fn in_memory(element: Type<'_>) -> Type<'_> {
    if !element.is_int() {
        return element;
    }
    element.cx().int(element.int_width().next_power_of_two().max(8))
}

/// `v` as a value of the type `to` in memory, with as many or more bits.
fn widened<'m>(b: &Builder<'m>, v: Value<'m>, to: Type<'m>) -> Value<'m> {
    if v.ty() == to { v } else { b.zext(v, to) }
}

/// The address of an element of a vector in memory.
fn at<'m>(b: &Builder<'m>, place: Value<'m>, ty: Type<'m>, index: Value<'m>) -> Value<'m> {
    b.gep(ty, place, &[b.zext_or_trunc(index, ty.cx().i64())])
}

impl<'m> Widen<'_, 'm, '_> {
    /// Memory on the stack for `count` elements of each lane.
    pub(super) fn memory_for_lanes(&self, element: Type<'m>, count: u32) -> Value<'m> {
        self.allocas().alloca(self.wide_of(in_memory(element), count), "lanes")
    }

    /// Stores the vectors that `lanes` consists of. Values that are uniform or strided have none.
    pub(super) fn lanes_in_memory(&self, lanes: &Lanes<'m>) -> Vec<Value<'m>> {
        match lanes {
            Lanes::Scalar(_) | Lanes::Strided(..) => Vec::new(),
            Lanes::Vector(parts) => parts.iter().map(|v| self.store_lanes(*v)).collect(),
            Lanes::Whole(v) => vec![self.store_lanes(*v)],
        }
    }

    /// Stores a vector with one or more elements for each lane, and returns its place.
    pub(super) fn store_lanes(&self, v: Value<'m>) -> Value<'m> {
        let element = v.ty().element();
        let count = v.ty().vector_len() / self.width.count;
        let place = self.memory_for_lanes(element, count);
        let ty = self.wide_of(in_memory(element), count);
        let b = self.b();
        b.store(widened(&b, v, ty), place, 0);
        place
    }

    /// Loads the element of type `ty` at an index of a vector in memory.
    pub(super) fn element_in_memory(
        &self,
        place: Value<'m>,
        ty: Type<'m>,
        index: Value<'m>,
    ) -> Value<'m> {
        let b = self.b();
        let stored = in_memory(ty);
        let v = b.load(stored, at(&b, place, stored, index), 0);
        if stored == ty { v } else { b.trunc(v, ty) }
    }

    /// The value in one lane. `places`: what `lanes_in_memory` returned for it.
    pub(super) fn lane_in_memory(
        &self,
        lanes: &Lanes<'m>,
        places: &[Value<'m>],
        ty: Type<'m>,
        lane: Value<'m>,
    ) -> Value<'m> {
        let cx = self.module.cx();
        let vector = |elements: &mut dyn Iterator<Item = Value<'m>>| {
            let b = self.b();
            (0u32..).zip(elements).fold(ty.poison(), |v, (n, e)| b.insert_element(v, e, cx.u32(n)))
        };
        match lanes {
            Lanes::Scalar(_) | Lanes::Strided(..) => self.lane(lanes, ty, lane),
            Lanes::Vector(_) if !ty.is_vector() => self.element_in_memory(places[0], ty, lane),
            Lanes::Vector(_) => {
                vector(&mut places.iter().map(|p| self.element_in_memory(*p, ty.element(), lane)))
            }
            Lanes::Whole(_) => {
                let (b, count) = (self.b(), ty.vector_len());
                let first = b.mul(lane, lane.ty().constant(count.into()));
                let index = |n| b.add(first, lane.ty().constant(u64::from(n)));
                vector(
                    &mut (0..count)
                        .map(|n| self.element_in_memory(places[0], ty.element(), index(n))),
                )
            }
        }
    }

    /// The lanes `first` to `first + count` of a value that is no OpenCL vector. `first` is a
    /// multiple of `count`. `places`: what `lanes_in_memory` returned for it.
    pub(super) fn part_in_memory(
        &self,
        lanes: &Lanes<'m>,
        places: &[Value<'m>],
        ty: Type<'m>,
        first: Value<'m>,
        count: u32,
    ) -> Lanes<'m> {
        let [place] = places else { return lanes.clone() };
        let (b, cx, stored) = (self.b(), ty.cx(), in_memory(ty));
        let v = b.load(cx.vector(stored, count), at(&b, *place, stored, first), 0);
        Lanes::Vector(vec![if stored == ty { v } else { b.trunc(v, cx.vector(ty, count)) }])
    }

    /// Stores the element of one lane.
    pub(super) fn store_element(&self, v: Value<'m>, place: Value<'m>, lane: Value<'m>) {
        let b = self.b();
        let stored = widened(&b, v, in_memory(v.ty()));
        b.store(stored, at(&b, place, stored.ty(), lane), 0);
    }

    /// Loads a vector, lane by lane stored with `store_element`. Other lanes have any value.
    pub(super) fn load_lanes(&self, place: Value<'m>, element: Type<'m>) -> Value<'m> {
        let b = self.b();
        let v = b.load(self.wide(in_memory(element)), place, 0);
        if in_memory(element) == element { v } else { b.trunc(v, self.wide(element)) }
    }
}
