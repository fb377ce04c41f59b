//! Vectors with an explicit length ([`Rest::VectorLength`]): each iteration of the loop over
//! vectors runs the lanes below a length. No mask disables the last lanes of the last vector.
//!
//! Accesses and divisions of integers get the length, because other lanes must not access memory or
//! divide by zero. Tests whether a lane is in a mask ignore other lanes. Plain instructions compute
//! all lanes; the values of lanes at and beyond the length are poison or have no meaning, and
//! nothing may depend on them. Masks have no meaning there either.
//!
//! [`Rest::VectorLength`]: crate::Rest::VectorLength

use std::collections::BTreeMap;

use muxcl_llvm::{Builder, FirstLanes, IntPredicate, Type, TypeKind, Value};

use super::{Lanes, Widen};
use crate::shapes::{Shape, access_of, elements_of};

impl<'m> Widen<'_, 'm, '_> {
    /// The mask of the lanes that run the block, with the lanes at and beyond the length disabled.
    /// `None`: all lanes.
    pub(super) fn active(&self) -> Option<Value<'m>> {
        let Some(length) = self.length else { return self.mask };
        let b = self.b();
        let below = b.icmp(IntPredicate::Ult, self.steps(length.ty(), 1), self.splat(length));
        Some(self.mask.map_or(below, |mask| b.select(below, mask, mask.ty().null())))
    }

    /// True if a lane below the length is in `mask`.
    pub(super) fn some(&self, mask: Value<'m>) -> Value<'m> {
        let b = self.b();
        self.length.map_or_else(|| b.any(mask), |length| b.any_first(mask, length))
    }

    /// `v` in the lanes that run the block, and `other` in all other lanes.
    pub(super) fn or_else(&self, v: Value<'m>, other: Value<'m>) -> Value<'m> {
        let b = self.b();
        match (self.length, self.mask) {
            (Some(length), mask) => {
                let ty = v.ty();
                let bits = self.wide(self.bits_of(ty.element()));
                let [v, other] = [v, self.splat(other)].map(|v| as_type(&b, v, bits));
                as_type(&b, b.merge_first(v, other, FirstLanes { length, mask }), ty)
            }
            (None, Some(mask)) => b.select(mask, v, self.splat(other)),
            (None, None) => v,
        }
    }

    /// The lanes of an access of `element`, if it takes the length. Accesses with less than the
    /// natural alignment, and of integers with an unusual number of bits, take a mask.
    fn lanes_of_access(&self, element: Type<'m>, align: u32) -> Option<FirstLanes<'m>> {
        let length = self.length?;
        let size = self.module.size_of(element);
        let whole = !element.is_int() || matches!(element.int_width(), 8 | 16 | 32 | 64);
        let fits = whole && size <= 8 && u64::from(align) >= size;
        fits.then_some(FirstLanes { length, mask: self.mask })
    }

    /// The type in which memory with values of type `element` is accessed. Processors without
    /// arithmetic on 16-bit floating-point numbers have no vectors of them.
    fn bits_of(&self, element: Type<'m>) -> Type<'m> {
        match element.kind() {
            TypeKind::Half | TypeKind::BFloat => self.module.cx().int(16),
            _ => element,
        }
    }

    /// Loads the values of all lanes, `count` elements each, from consecutive addresses.
    pub(super) fn load_near(
        &self,
        (element, count): (Type<'m>, u32),
        base: Value<'m>,
        align: u32,
        like: Value<'m>,
    ) -> Value<'m> {
        let ty = self.wide_of(element, count);
        let Some(lanes) = self.lanes_of_access(element, align) else {
            let mask = self.element_mask(self.active(), count);
            return self.b().masked_load(ty, base, align, mask, like);
        };
        let lanes = self.lanes_of_elements(lanes, count);
        let bits = self.wide_of(self.bits_of(element), count);
        let b = self.b();
        let loaded = b.load_first(bits, base, align, lanes, like);
        as_type(&b, loaded, ty)
    }

    /// Stores the values of all lanes, `count` elements each, to consecutive addresses.
    pub(super) fn store_near(
        &self,
        wide: Value<'m>,
        count: u32,
        (base, align): (Value<'m>, u32),
        like: Value<'m>,
    ) {
        let element = wide.ty().element();
        let Some(lanes) = self.lanes_of_access(element, align) else {
            let mask = self.element_mask(self.active(), count);
            self.b().masked_store(wide, base, align, mask, like);
            return;
        };
        let lanes = self.lanes_of_elements(lanes, count);
        let b = self.b();
        let bits = as_type(&b, wide, self.wide_of(self.bits_of(element), count));
        b.store_first(bits, base, align, lanes, like);
    }

    /// The elements of lanes with `count` elements each.
    fn lanes_of_elements(&self, lanes: FirstLanes<'m>, count: u32) -> FirstLanes<'m> {
        if count == 1 {
            return lanes;
        }
        let mask = self.element_mask(lanes.mask, count);
        let length = self.b().mul(lanes.length, self.module.cx().u32(count));
        FirstLanes { length, mask }
    }

    /// Loads each lane's value of type `element` from its own address.
    pub(super) fn load_far(
        &self,
        element: Type<'m>,
        addresses: Value<'m>,
        align: u32,
        like: Value<'m>,
    ) -> Value<'m> {
        let ty = self.wide(element);
        let Some(lanes) = self.lanes_of_access(element, align) else {
            return self.b().gather(ty, addresses, align, self.active(), like);
        };
        let b = self.b();
        let loaded = b.load_first(self.wide(self.bits_of(element)), addresses, align, lanes, like);
        as_type(&b, loaded, ty)
    }

    /// Stores each lane's value to its own address.
    pub(super) fn store_far(
        &self,
        wide: Value<'m>,
        addresses: Value<'m>,
        align: u32,
        like: Value<'m>,
    ) {
        let element = wide.ty().element();
        let Some(lanes) = self.lanes_of_access(element, align) else {
            self.b().scatter(wide, addresses, align, self.active(), like);
            return;
        };
        let b = self.b();
        let bits = as_type(&b, wide, self.wide(self.bits_of(element)));
        b.store_first(bits, addresses, align, lanes, like);
    }

    /// The elements of an access whose addresses have a constant distance from lane to lane other
    /// than the size of the value, if vectors have a length: the type of an element, their number,
    /// the address of lane 0, and the distance.
    fn strided(
        &mut self,
        ty: Type<'m>,
        pointer: Value<'m>,
        align: u32,
    ) -> Option<(Type<'m>, u32, Value<'m>, i64)> {
        self.length?;
        let Lanes::Strided(base, stride) = self.lookup(pointer) else { return None };
        let (mut element, mut count) = elements_of(ty)?;
        let size = self.module.size_of(element);
        if stride.unsigned_abs() < size * u64::from(count)
            || stride == i64::try_from(size * u64::from(count)).ok()?
        {
            return None;
        }
        if let Some(whole) = self.as_integer(ty)
            && u64::from(align) >= self.module.size_of(whole)
        {
            (element, count) = (whole, 1);
        }
        self.lanes_of_access(element, align)?;
        Some((element, count, base, stride))
    }

    /// Loads values whose addresses have a constant distance; `None` for other addresses.
    pub(super) fn load_strided(&mut self, i: Value<'m>) -> Option<Vec<Value<'m>>> {
        let (ty, align) = (i.ty(), i.align());
        let (own, parts) = elements_of(ty)?;
        let (element, count, base, stride) = self.strided(ty, i.operand(0), align)?;
        let part = |n: u32| {
            let lanes = self.lanes_of_access(element, align)?;
            let (at, align) = self.part(base, n, (element, align));
            let b = self.b();
            let bits = self.wide(self.bits_of(element));
            let loaded = b.load_strided(bits, (at, self.distance(stride)), align, lanes, i);
            Some(as_type(&b, loaded, self.wide_of(own, parts / count)))
        };
        let list: Option<Vec<Value<'m>>> = (0..count).map(part).collect();
        let list = list?;
        Some(if count == parts { list } else { self.deinterleaved(list[0], parts) })
    }

    /// Stores values to addresses with a constant distance. False for other addresses.
    pub(super) fn store_strided(&mut self, i: Value<'m>, parts: &[Value<'m>]) -> bool {
        let (ty, align) = (i.operand(0).ty(), i.align());
        let Some((element, count, base, stride)) = self.strided(ty, i.operand(1), align) else {
            return false;
        };
        let joined = [self.interleaved(if count == 1 { parts } else { &parts[..1] })];
        let list = if count == 1 { &joined } else { parts };
        for (n, part) in (0u32..).zip(list) {
            let Some(lanes) = self.lanes_of_access(element, align) else { continue };
            let (at, align) = self.part(base, n, (element, align));
            let b = self.b();
            let bits = as_type(&b, *part, self.wide(self.bits_of(element)));
            b.store_strided(bits, (at, self.distance(stride)), align, lanes, i);
        }
        true
    }

    /// The address and the alignment of element `n` of the value at `base`.
    fn part(&self, base: Value<'m>, n: u32, (element, align): (Type<'m>, u32)) -> (Value<'m>, u32) {
        let size = self.module.size_of(element);
        (self.element(base, n, size), super::access::element_align(align, n, size))
    }

    /// A distance between addresses as an integer of the width of an address.
    fn distance(&self, stride: i64) -> Value<'m> {
        self.address_int().constant(stride.cast_unsigned())
    }

    /// The size in bits of the elements of most accesses, where those of inner loops count more.
    pub(super) fn usual_bits(&self) -> u32 {
        let mut weights = BTreeMap::new();
        for (n, block) in self.graph.blocks.iter().enumerate() {
            let depth = self.graph.loops.iter().filter(|l| l.blocks.contains(&n)).count();
            let weight = 8u64.saturating_pow(u32::try_from(depth).unwrap_or(u32::MAX));
            for i in block.instructions() {
                let Some((pointer, ty)) = access_of(i) else { continue };
                let Some((element, _)) = elements_of(ty) else { continue };
                if self.shapes.of_value(self.graph, pointer) != Shape::Uniform {
                    let sum: &mut u64 = weights.entry(self.module.size_of(element)).or_default();
                    *sum = sum.saturating_add(weight);
                }
            }
        }
        let most = weights.into_iter().max_by_key(|(_, weight)| *weight);
        most.map_or(32, |(size, _)| u32::try_from(8 * size).unwrap_or(64))
    }

    /// The integer type of the width of an address.
    pub(super) fn address_int(&self) -> Type<'m> {
        let cx = self.module.cx();
        cx.int(u32::try_from(8 * self.module.size_of(cx.ptr(0))).unwrap_or(64))
    }
}

/// `v` as a value of type `ty` with the same bits.
fn as_type<'m>(b: &Builder<'m>, v: Value<'m>, ty: Type<'m>) -> Value<'m> {
    if v.ty() == ty { v } else { b.bitcast(v, ty) }
}
