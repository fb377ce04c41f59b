//! Accesses of a partner's element: the index is `i ^ d`, where `i` counts the lanes and `d` is the
//! same in all lanes. Sorting networks and butterflies read and write such elements.
//!
//! Let lane 0 have an index that is a multiple of the number of lanes, which is a power of two.
//! Then the lanes access the elements of one aligned vector: the upper bits of `d` select the
//! vector, and the lower bits are the distance of the lanes that exchange their elements. So one
//! access and shuffles replace a gather or scatter. If the lower bits are zero, the access
//! suffices.
//!
//! Invariant: only elements that a lane of the mask accesses are accessed, because the mask is
//! shuffled, too. Not here: the choice between lanes and scalar code (`cost`).

use muxcl_llvm::{IntPredicate, Module, Opcode, Value};

use super::{Lanes, Widen};
use crate::graph::Graph;
use crate::shapes::{Shape, Shapes, fills_bytes};

/// An address `base[extended(counted ^ distance)]`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Partner<'m> {
    /// The same in all lanes.
    base: Value<'m>,
    /// The index as the address uses it. Between this and the exclusive or are extensions only.
    index: Value<'m>,
    /// Steps by one from lane to lane.
    counted: Value<'m>,
    /// The same in all lanes.
    distance: Value<'m>,
}

impl<'m> Partner<'m> {
    /// The parts of `pointer`, if it has this form for elements of type `value`. `lanes` is the
    /// constant number of lanes.
    pub(crate) fn of(
        module: &Module<'_>,
        graph: &Graph<'m>,
        shapes: &Shapes<'m>,
        (pointer, value): (Value<'m>, Value<'m>),
        lanes: u64,
    ) -> Option<Self> {
        let ty = value.ty();
        let size = module.size_of(ty);
        let whole = fills_bytes(module, ty);
        if ty.is_vector() || !whole || size > 8 || !lanes.is_power_of_two() {
            return None;
        }
        let is = |v: Value<'m>, opcode: Opcode| graph.block_of(v).is_some() && v.opcode() == opcode;
        if !is(pointer, Opcode::GetElementPtr)
            || pointer.operand_count() != 2
            || module.size_of(pointer.gep_type()) != size
        {
            return None;
        }
        let (base, index) = (pointer.operand(0), pointer.operand(1));
        let mut exclusive = index;
        while is(exclusive, Opcode::SExt) || is(exclusive, Opcode::ZExt) {
            exclusive = exclusive.operand(0);
        }
        if !is(exclusive, Opcode::Xor) || u64::from(exclusive.ty().int_width()) < 16 {
            return None;
        }
        let shape = |v: Value<'m>| shapes.of_value(graph, v);
        let (a, b) = (exclusive.operand(0), exclusive.operand(1));
        let (counted, distance) = match (shape(a), shape(b)) {
            (Shape::Strided(1), Shape::Uniform) => (a, b),
            (Shape::Uniform, Shape::Strided(1)) => (b, a),
            _ => return None,
        };
        (shape(base) == Shape::Uniform).then_some(Self { base, index, counted, distance })
    }
}

/// Where the lanes find their elements.
struct Places<'m> {
    /// The address of the aligned vector.
    address: Value<'m>,
    /// The distance of the lanes that exchange elements, below the number of lanes.
    low: Value<'m>,
    /// True if the index of lane 0 is a multiple of the number of lanes; `None` if that is known.
    aligned: Option<Value<'m>>,
}

impl<'m> Widen<'_, 'm, '_> {
    /// The elements of the load `i`; `None` if the address has another form. `far` loads them from
    /// any addresses.
    pub(super) fn load_of_partner(
        &mut self,
        i: Value<'m>,
        far: impl FnOnce(&mut Self) -> Vec<Value<'m>>,
    ) -> Option<Vec<Value<'m>>> {
        let Places { address, low, aligned } = self.places(i.operand(0), i)?;
        let wide = self.wide(i.ty());
        let near = |w: &mut Self| {
            w.exchange_or_not(
                low,
                |w| vec![w.b().masked_load(wide, address, i.align(), w.mask, i)],
                |w| {
                    let mask = w.mask.map(|m| w.exchanged_mask(m, low));
                    let found = w.b().masked_load(wide, address, i.align(), mask, i);
                    vec![w.exchanged(found, low)]
                },
            )
        };
        Some(match aligned {
            Some(aligned) => self.either(aligned, near, far),
            None => near(self),
        })
    }

    /// Generates the store `i` of `part`; false if the address has another form. `far` stores to
    /// any addresses.
    pub(super) fn store_to_partner(
        &mut self,
        i: Value<'m>,
        part: Value<'m>,
        far: impl FnOnce(&mut Self),
    ) -> bool {
        let Some(places) = self.places(i.operand(1), i.operand(0)) else { return false };
        let Places { address, low, aligned } = places;
        let near = |w: &mut Self| {
            w.exchange_or_not(
                low,
                |w| {
                    w.b().masked_store(part, address, i.align(), w.mask, i);
                    Vec::new()
                },
                // Two lanes are partners of each other, so the inverse permutation is the same.
                |w| {
                    let mask = w.mask.map(|m| w.exchanged_mask(m, low));
                    let moved = w.exchanged(part, low);
                    w.b().masked_store(moved, address, i.align(), mask, i);
                    Vec::new()
                },
            )
        };
        let far = |w: &mut Self| {
            far(w);
            Vec::new()
        };
        match aligned {
            Some(aligned) => drop(self.either(aligned, near, far)),
            None => drop(near(self)),
        }
        true
    }

    fn places(&mut self, pointer: Value<'m>, value: Value<'m>) -> Option<Places<'m>> {
        if !self.interleaves || self.width.scale.is_some() {
            return None;
        }
        let (module, lanes) = (self.module, u64::from(self.width.count));
        let found = Partner::of(module, self.graph, self.shapes, (pointer, value), lanes)?;
        let Lanes::Scalar(base) = self.lookup(found.base) else { return None };
        let first = self.lookup(found.counted);
        let first = self.first(&first);
        let distance = self.lookup(found.distance);
        let distance = self.first(&distance);
        let (b, cx) = (self.b(), module.cx());
        // Lanes outside the mask may have no defined value. Branches need one.
        let (first, distance) = (b.freeze(first), b.freeze(distance));
        let ty = distance.ty();
        let below = ty.constant(lanes - 1);
        let low = b.and(distance, below);
        // The lower bits are zero, so an extension of the sum with a lane's number is the sum of
        // the extensions.
        let mut start = b.xor(first, b.xor(distance, low));
        let mut extensions = Vec::new();
        let mut v = found.index;
        while v.opcode() != Opcode::Xor {
            extensions.push(v);
            v = v.operand(0);
        }
        for v in extensions.into_iter().rev() {
            start = match v.opcode() {
                Opcode::SExt => b.sext(start, v.ty()),
                _ => b.zext(start, v.ty()),
            };
        }
        if start.ty().int_width() < 64 {
            start = b.sext(start, cx.i64());
        }
        let size = cx.u64(module.size_of(value.ty()));
        let address = b.byte_offsets(base, b.mul(start, size));
        let known = self.shapes.is_aligned(self.graph, found.counted);
        let aligned =
            (!known).then(|| b.icmp(IntPredicate::Eq, b.and(first, below), ty.constant(0)));
        Some(Places { address, low, aligned })
    }

    /// Runs `same` if the distance `low` is zero, else `other`.
    fn exchange_or_not(
        &mut self,
        low: Value<'m>,
        same: impl FnOnce(&mut Self) -> Vec<Value<'m>>,
        other: impl FnOnce(&mut Self) -> Vec<Value<'m>>,
    ) -> Vec<Value<'m>> {
        let is_same = self.b().icmp(IntPredicate::Eq, low, low.ty().constant(0));
        self.either(is_same, same, other)
    }

    /// The vector whose lane *n* is lane `n ^ low` of `v`. There is a shuffle with constant lanes
    /// for each bit of `low`, which takes effect if the bit is set. LLVM would not recognise a
    /// permutation by a variable vector after it has moved parts of it out of the loop.
    fn exchanged(&self, v: Value<'m>, low: Value<'m>) -> Value<'m> {
        let (b, lanes, ty) = (self.b(), self.width.count, low.ty());
        let mut out = v;
        for bit in (0..lanes.ilog2()).map(|n| 1 << n) {
            let list: Vec<i32> = (0..lanes).map(|n| (n ^ bit).cast_signed()).collect();
            let moved = b.shuffle(out, out.ty().poison(), &list);
            let is_set = b.and(low, ty.constant(u64::from(bit)));
            let is_set = b.icmp(IntPredicate::Ne, is_set, ty.constant(0));
            out = b.select(is_set, moved, out);
        }
        out
    }

    /// [`Self::exchanged`] for a mask.
    fn exchanged_mask(&self, mask: Value<'m>, low: Value<'m>) -> Value<'m> {
        let cx = self.module.cx();
        let number = self.b().zext(mask, self.wide(cx.i32()));
        let moved = self.exchanged(number, low);
        self.b().trunc(moved, mask.ty())
    }
}
