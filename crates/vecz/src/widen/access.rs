//! Loads and stores of all lanes: one access if their addresses are consecutive, else a gather or
//! a scatter.

use muxcl_llvm::{Type, Value};

use super::{Lanes, Widen};
use crate::shapes::{Shape, access_of, elements_of, fills_bytes};

/// The addresses of an access in all lanes.
enum Layout<'m> {
    /// Each lane's value follows that of the lane before. The address is that of lane 0.
    Consecutive(Value<'m>),
    /// Each lane's value precedes that of the lane before. The address is that of the last lane.
    Reversed(Value<'m>),
    /// A vector of addresses.
    Any(Value<'m>),
}

impl<'m> Widen<'_, 'm, '_> {
    /// The element type, the elements of one value, the size of an element, and the addresses.
    fn layout(&mut self, ty: Type<'m>, pointer: Value<'m>) -> (Type<'m>, u32, u64, Layout<'m>) {
        let (element, count) = elements_of(ty).unwrap_or((ty, 1));
        let size = self.module.size_of(element);
        let addresses = self.lookup(pointer);
        let whole = fills_bytes(self.module, element);
        let step = i64::try_from(size * u64::from(count)).unwrap_or(i64::MAX);
        let layout = match addresses {
            Lanes::Strided(base, s) if whole && s == step => Layout::Consecutive(base),
            Lanes::Strided(base, s) if whole && count == 1 && s == -step => {
                let b = self.b();
                let cx = self.module.cx();
                let last = b.zext(self.last_lane(&b), cx.i64());
                let back = b.mul(last, cx.i64().constant((-step).cast_unsigned()));
                Layout::Reversed(self.b().byte_offsets(base, back))
            }
            other => Layout::Any(self.components(&other, pointer.ty())[0]),
        };
        (element, count, size, layout)
    }

    /// True for a load or store of scalars that [`Layout::Consecutive`] describes.
    pub(super) fn is_consecutive(&self, i: Value<'m>) -> bool {
        let Some((pointer, ty)) = access_of(i) else { return false };
        let size = self.module.size_of(ty);
        let whole = fills_bytes(self.module, ty);
        let step = i64::try_from(size).unwrap_or(i64::MAX);
        whole
            && !ty.is_vector()
            && self.shapes.of_value(self.graph, pointer) == Shape::Strided(step)
    }

    /// The mask of the elements, `count` for each lane of `mask`.
    pub(super) fn element_mask(&self, mask: Option<Value<'m>>, count: u32) -> Option<Value<'m>> {
        let mask = mask?;
        if count == 1 {
            return Some(mask);
        }
        if self.width.scale.is_some() {
            // Some targets cannot interleave scalable vectors of `i1`, so the mask is interleaved
            // as bytes.
            let (cx, b) = (self.module.cx(), self.b());
            let bytes = b.zext(mask, self.wide(cx.i8()));
            let bytes = self.interleaved(&vec![bytes; count as usize]);
            return Some(b.trunc(bytes, self.wide_of(cx.i1(), count)));
        }
        let list: Vec<i32> =
            (0..self.width.count * count).map(|n| (n / count).cast_signed()).collect();
        Some(self.b().shuffle(mask, mask.ty().poison(), &list))
    }

    fn reversed(&self, v: Value<'m>) -> Value<'m> {
        if self.width.scale.is_some() {
            return self.b().reverse(v);
        }
        let list: Vec<i32> = (0..self.width.count).rev().map(u32::cast_signed).collect();
        self.b().shuffle(v, v.ty().poison(), &list)
    }

    pub(super) fn load(&mut self, i: Value<'m>) -> Lanes<'m> {
        let together = self.load_in_group(i).or_else(|| self.load_interleaved(i));
        if let Some(parts) = together {
            return Lanes::Vector(parts);
        }
        if let Some(parts) = self.load_strided(i) {
            return Lanes::Vector(parts);
        }
        let align = i.align();
        let (element, count, size, layout) = self.layout(i.ty(), i.operand(0));
        let bytes = size * u64::from(count * self.width.count);
        match layout {
            Layout::Consecutive(base) => {
                let wide = self.load_near((element, count), base, align, i);
                self.prefetch(i, base, bytes);
                match self.whole.contains(i) {
                    true => Lanes::Whole(wide),
                    false => Lanes::Vector(self.deinterleaved(wide, count)),
                }
            }
            Layout::Reversed(base) => {
                let mask = self.active().map(|m| self.reversed(m));
                let wide = self.b().masked_load(self.wide(element), base, align, mask, i);
                Lanes::Vector(vec![self.reversed(wide)])
            }
            Layout::Any(addresses) => {
                if let Some(parts) = self.load_of_partner(i, |w| w.gathered(i, addresses)) {
                    return Lanes::Vector(parts);
                }
                let step = self.step_of(i.ty(), size, count);
                let Some(step) = step.filter(|s| self.is_regular(i.operand(0), *s)) else {
                    let parts = self.load_transposed(i);
                    return Lanes::Vector(parts.unwrap_or_else(|| {
                        self.note("an address for each lane", i);
                        self.gathered(i, addresses)
                    }));
                };
                let (is, first) = self.are_consecutive(i.operand(0), addresses, step);
                self.prefetch(i, first, bytes);
                let near = |w: &Self| {
                    let align = first_align(align, step);
                    w.load_near((element, count), first, align, i)
                };
                // Both paths load the vectors as they are in memory, so their components can be
                // separated once, behind both. RISC-V's loads separate components themselves.
                if self.interleaves && self.as_integer(i.ty()).is_some() {
                    let far = |w: &mut Self| w.gathered_whole(i, addresses).into_iter().collect();
                    let wide = self.either(is, |w| vec![near(w)], far);
                    return Lanes::Vector(self.deinterleaved(wide[0], count));
                }
                Lanes::Vector(self.either(
                    is,
                    |w| w.deinterleaved(near(w), count),
                    |w| w.gathered(i, addresses),
                ))
            }
        }
    }

    /// The size of a value in memory, if its elements fill it.
    fn step_of(&self, ty: Type<'m>, size: u64, count: u32) -> Option<i64> {
        let (element, _) = elements_of(ty)?;
        let whole = fills_bytes(self.module, element);
        i64::try_from(size * u64::from(count)).ok().filter(|_| whole)
    }

    /// Loads each lane's value from its own address.
    fn gathered(&self, i: Value<'m>, addresses: Value<'m>) -> Vec<Value<'m>> {
        let (ty, align) = (i.ty(), i.align());
        let (element, count) = elements_of(ty).unwrap_or((ty, 1));
        let size = self.module.size_of(element);
        if let Some(wide) = self.gathered_whole(i, addresses) {
            return self.deinterleaved(wide, count);
        }
        let part = |c: u32| {
            let at = self.element(addresses, c, size);
            let align = element_align(align, c, size);
            self.load_far(element, at, align, i)
        };
        (0..count).map(part).collect()
    }

    /// Loads each lane's value by one gather of integers, if [`Self::as_integer`] has a type: one
    /// vector with the elements of lane 0, then those of lane 1, ...
    fn gathered_whole(&self, i: Value<'m>, addresses: Value<'m>) -> Option<Value<'m>> {
        let whole = self.as_integer(i.ty())?;
        let (element, count) = elements_of(i.ty())?;
        let wide = self.load_far(whole, addresses, i.align(), i);
        Some(self.b().bitcast(wide, self.wide_of(element, count)))
    }

    pub(super) fn store(&mut self, i: Value<'m>) {
        let (value, pointer) = (i.operand(0), i.operand(1));
        let lanes = self.lookup(value);
        if let Lanes::Scalar(_) = self.lookup(pointer) {
            match lanes {
                Lanes::Scalar(_) => drop(self.copy_first(i)),
                // All lanes store to one address, in order.
                _ => drop(self.each_lane(i)),
            }
            return;
        }
        let align = i.align();
        if let Lanes::Whole(wide) = lanes
            && let (_, count, _, Layout::Consecutive(base)) = self.layout(value.ty(), pointer)
        {
            return self.store_near(wide, count, (base, align), i);
        }
        let parts = self.components(&lanes, value.ty());
        let together = self.store_in_group(i, &parts) || self.store_interleaved(i, &parts);
        if together || self.store_strided(i, &parts) {
            return;
        }
        let (_, count, size, layout) = self.layout(value.ty(), pointer);
        match layout {
            Layout::Consecutive(base) => {
                let wide = self.interleaved(&parts);
                self.store_near(wide, count, (base, align), i);
            }
            Layout::Reversed(base) => {
                let mask = self.active().map(|m| self.reversed(m));
                self.b().masked_store(self.reversed(parts[0]), base, align, mask, i);
            }
            Layout::Any(addresses) => {
                if self.store_to_partner(i, parts[0], |w| w.scattered(i, addresses, &parts)) {
                    return;
                }
                let step = self.step_of(value.ty(), size, count);
                let Some(step) = step.filter(|s| self.is_regular(pointer, *s)) else {
                    if !self.store_transposed(i, &parts) {
                        self.note("an address for each lane", i);
                        self.scattered(i, addresses, &parts);
                    }
                    return;
                };
                let (is, first) = self.are_consecutive(pointer, addresses, step);
                self.either(
                    is,
                    |w| {
                        let wide = w.interleaved(&parts);
                        w.store_near(wide, count, (first, first_align(align, step)), i);
                        Vec::new()
                    },
                    |w| {
                        w.scattered(i, addresses, &parts);
                        Vec::new()
                    },
                );
            }
        }
    }

    /// Stores each lane's value to its own address.
    fn scattered(&self, i: Value<'m>, addresses: Value<'m>, parts: &[Value<'m>]) {
        let (ty, align) = (i.operand(0).ty(), i.align());
        let size = self.module.size_of(elements_of(ty).map_or(ty, |l| l.0));
        if let Some(whole) = self.as_integer(ty) {
            let wide = self.interleaved(parts);
            let b = self.b();
            let wide = b.bitcast(wide, self.wide(whole));
            self.store_far(wide, addresses, align, i);
            return;
        }
        for (c, part) in (0u32..).zip(parts) {
            let at = self.element(addresses, c, size);
            self.store_far(*part, at, element_align(align, c, size), i);
        }
    }

    /// The integer type of 32 or 64 bits that has the bits of an OpenCL vector of type `ty`, if
    /// there is one. Then one gather or scatter accesses the whole value of each lane.
    pub(super) fn as_integer(&self, ty: Type<'m>) -> Option<Type<'m>> {
        let (element, count) = elements_of(ty)?;
        let size = self.module.size_of(element);
        let bits = size * 8 * u64::from(count);
        let whole = fills_bytes(self.module, element);
        match bits {
            32 | 64 if count > 1 && whole && !element.is_pointer() => {
                Some(ty.cx().int(u32::try_from(bits).unwrap_or(64)))
            }
            _ => None,
        }
    }

    /// The vectors of each of the `count` elements, from one vector with the elements of lane 0,
    /// then those of lane 1, ...
    pub(super) fn deinterleaved(&self, wide: Value<'m>, count: u32) -> Vec<Value<'m>> {
        if count == 1 {
            return vec![wide];
        }
        if self.width.scale.is_some() {
            return self.split(wide, count);
        }
        if let Some(parts) = self.shifted_apart(wide, count) {
            return parts;
        }
        if self.zips(wide.ty().element(), count).is_some_and(|registers| registers >= 1) {
            return self.unzipped(wide, count);
        }
        let part = |c: u32| {
            let list: Vec<i32> =
                (0..self.width.count).map(|l| (l * count + c).cast_signed()).collect();
            self.b().shuffle(wide, wide.ty().poison(), &list)
        };
        (0..count).map(part).collect()
    }

    /// [`Self::deinterleaved`] for OpenCL vectors of 32 bits, such as `uchar4`: shifts, which cost
    /// less than shuffles. If the program extends the components to 32 bits, LLVM drops the
    /// truncations.
    fn shifted_apart(&self, wide: Value<'m>, count: u32) -> Option<Vec<Value<'m>>> {
        let (cx, element) = (self.module.cx(), wide.ty().element());
        let bits = self.module.size_of(element) * 8;
        if !(self.interleaves
            && fills_bytes(self.module, element)
            && count > 1
            && bits * u64::from(count) == 32)
        {
            return None;
        }
        let b = self.b();
        let all = b.bitcast(wide, self.wide(cx.i32()));
        let integer = self.wide(cx.int(u32::try_from(bits).ok()?));
        let part = |c: u32| {
            let by = self.splat(cx.i32().constant(u64::from(c) * bits));
            let part = if c == 0 { all } else { b.lshr(all, by) };
            b.bitcast(b.trunc(part, integer), self.wide(element))
        };
        Some((0..count).map(part).collect())
    }

    /// The addresses of element `c` of each value.
    pub(super) fn element(&self, addresses: Value<'m>, c: u32, size: u64) -> Value<'m> {
        if c == 0 {
            return addresses;
        }
        let cx = self.module.cx();
        self.b().byte_offsets(addresses, cx.u64(u64::from(c) * size))
    }

    /// One vector with the elements of lane 0, then those of lane 1, ...
    pub(super) fn interleaved(&self, parts: &[Value<'m>]) -> Value<'m> {
        if self.width.scale.is_some() {
            return self.joined(parts);
        }
        let count = u32::try_from(parts.len()).unwrap_or(1);
        if self.zips(parts[0].ty().element(), count) == Some(1) {
            return self.zipped(parts);
        }
        let b = self.b();
        let mut wide = parts[0];
        // Append one part after the other, then interleave the elements.
        let lanes = self.width.count.cast_signed();
        for (n, part) in (1i32..).zip(&parts[1..]) {
            let have = n * lanes;
            let grown: Vec<i32> =
                (0..have + lanes).map(|k| if k < lanes { k } else { -1 }).collect();
            let part = b.shuffle(*part, part.ty().poison(), &grown);
            let old: Vec<i32> = (0..have + lanes).map(|k| if k < have { k } else { -1 }).collect();
            let grown = b.shuffle(wide, wide.ty().poison(), &old);
            let join: Vec<i32> = (0..have + lanes)
                .map(|k| if k < have { k } else { have + lanes + (k - have) })
                .collect();
            wide = b.shuffle(grown, part, &join);
        }
        let count = i32::try_from(parts.len()).unwrap_or(1);
        if count == 1 {
            return wide;
        }
        let order: Vec<i32> = (0..lanes * count).map(|k| (k % count) * lanes + k / count).collect();
        b.shuffle(wide, wide.ty().poison(), &order)
    }
}

/// The alignment of the address of lane 0, which may be outside the mask, if the lanes of the mask
/// have alignment `align` and are multiples of `step` bytes apart from it.
fn first_align(align: u32, step: i64) -> u32 {
    align.min(1 << step.trailing_zeros().min(30))
}

/// The alignment of element `c` of a value with alignment `align`.
pub(super) fn element_align(align: u32, c: u32, size: u64) -> u32 {
    let offset = u64::from(c) * size;
    if offset == 0 { align } else { align.min(1 << offset.trailing_zeros().min(31)) }
}
