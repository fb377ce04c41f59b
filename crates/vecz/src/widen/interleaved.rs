//! Addresses and accesses in private variables that are interleaved by lane
//! ([`crate::private_arrays`]).
//!
//! A byte offset in a lane's variable is multiplied by the number of lanes. The address of lane 0
//! is that offset from the start of all elements, and each further lane is one element after the
//! lane before. Component c of an OpenCL vector is a further element.

use muxcl_llvm::{IntPredicate, Opcode, Type, Value};

use super::rest::number;
use super::{Lanes, Widen};
use crate::private_arrays::{Fill, Source};
use crate::shapes::elements_of;

impl<'m> Widen<'_, 'm, '_> {
    /// The address that a `getelementptr` computes in an interleaved variable. `None` for other
    /// instructions.
    pub(super) fn interleaved_address(&mut self, i: Value<'m>) -> Option<Lanes<'m>> {
        if i.opcode() != Opcode::GetElementPtr {
            return None;
        }
        let size = i64::try_from(self.shapes.interleaved(i)?).ok()?;
        let cx = self.module.cx();
        let (base, index) = (self.lookup(i.operand(0)), self.lookup(i.operand(1)));
        let scale = self.module.size_of(i.gep_type());
        let b = self.b();
        if let (Lanes::Strided(base, _), Lanes::Scalar(index)) = (&base, &index) {
            let factor = self.times_lanes(cx.i64(), scale);
            let offset = b.mul(self.resized(*index, cx.i64()), factor);
            return Some(Lanes::Strided(b.byte_offsets(*base, offset), size));
        }
        // A valid access is less than `MAX_PRIVATE` bytes from the first element. The base is near
        // it too, so 32 bits hold the offset from the base.
        let narrow = self.starts_at_constant(i.operand(0)) && only_accesses(i);
        let ty = if narrow { cx.i32() } else { cx.i64() };
        let index = self.components(&index, i.operand(1).ty())[0];
        let index = self.resized(index, self.wide(ty));
        let factor = self.times_lanes(ty, scale);
        let mut offsets = b.mul(index, self.splat(factor));
        let base = match base {
            Lanes::Strided(base, _) => {
                offsets = b.add(offsets, self.steps(ty, size));
                base
            }
            other => self.components(&other, i.operand(0).ty())[0],
        };
        let offsets = self.resized(offsets, self.wide(cx.i64()));
        Some(Lanes::Vector(vec![b.byte_offsets(base, offsets)]))
    }

    /// The integer or integers `v`, extended with their signs or truncated to type `to`.
    fn resized(&self, v: Value<'m>, to: Type<'m>) -> Value<'m> {
        let width = |t: Type<'m>| if t.is_any_vector() { t.element() } else { t }.int_width();
        match width(v.ty()) > width(to) {
            true => self.b().trunc(v, to),
            false => self.b().sext(v, to),
        }
    }

    /// True if `v` is an interleaved variable, or an address in it with a constant index.
    fn starts_at_constant(&self, v: Value<'m>) -> bool {
        let near = |index: Value<'m>| index.as_i64().is_some_and(|n| n.unsigned_abs() < 1 << 12);
        v.is_alloca()
            || (v.opcode() == Opcode::GetElementPtr
                && v.operand(0).is_alloca()
                && self.module.size_of(v.gep_type()) < 1 << 8
                && near(v.operand(1)))
    }

    /// `n` times the number of lanes.
    fn times_lanes(&self, ty: Type<'m>, n: u64) -> Value<'m> {
        let b = self.b();
        b.mul(number(&b, ty, self.width), ty.constant(n))
    }

    /// The address of component `c` of values at `addresses`.
    fn component_at(&self, addresses: Value<'m>, c: u32, size: u64) -> Value<'m> {
        if c == 0 {
            return addresses;
        }
        let offset = self.times_lanes(self.module.cx().i64(), u64::from(c) * size);
        self.b().byte_offsets(addresses, offset)
    }

    /// The alignment of consecutive accesses to interleaved elements of `size` bytes, at most that
    /// of a register. Scalable vectors need that of an element only.
    pub(super) fn interleaved_align(&self, size: u64) -> u32 {
        let bytes = u64::from(self.width.count) * size;
        let all = 1u32 << bytes.trailing_zeros().min(16);
        let most = if self.width.scale.is_some() { 1 } else { self.register_bits / 8 };
        all.min(most).max(u32::try_from(size).unwrap_or(1))
    }

    /// The vectors that `i` loads, if it loads from an interleaved variable.
    pub(super) fn load_interleaved(&mut self, i: Value<'m>) -> Option<Vec<Value<'m>>> {
        let pointer = i.operand(0);
        let size = self.shapes.interleaved(pointer)?;
        let (element, count) = elements_of(i.ty())?;
        let (addresses, align) = self.interleaved_addresses(i, pointer, size);
        let load = |c: u32| {
            let at = self.component_at(addresses, c, size);
            match at.ty().is_pointer() {
                true => self.load_near((element, 1), at, align, i),
                false => self.load_far(element, at, align, i),
            }
        };
        Some((0..count).map(load).collect())
    }

    /// Stores `parts` if `i` stores to an interleaved variable; otherwise returns false.
    pub(super) fn store_interleaved(&mut self, i: Value<'m>, parts: &[Value<'m>]) -> bool {
        let pointer = i.operand(1);
        let Some(size) = self.shapes.interleaved(pointer) else { return false };
        let (addresses, align) = self.interleaved_addresses(i, pointer, size);
        for (c, part) in (0u32..).zip(parts) {
            let at = self.component_at(addresses, c, size);
            match at.ty().is_pointer() {
                true => self.store_near(*part, 1, (at, align), i),
                false => self.store_far(*part, at, align, i),
            }
        }
        true
    }

    /// Fills the elements of all lanes if `i` is the initialiser of an interleaved variable;
    /// otherwise returns false. A loop writes one element of all lanes after another.
    pub(super) fn fill_interleaved(&mut self, i: Value<'m>) -> bool {
        let Some(fill) = Fill::of(i) else { return false };
        let pointer = i.operand(0);
        let Some(size) = self.shapes.interleaved(pointer) else { return false };
        let cx = self.module.cx();
        let count = fill.bytes / size;
        if count == 0 {
            return true;
        }
        let (addresses, align) = self.interleaved_addresses(i, pointer, size);
        let element = cx.int(u32::try_from(size * 8).unwrap_or(64));
        let from = self.at;
        let (body, done) = (self.f.append_block("fill"), self.f.append_block("fill.done"));
        self.b().br(body);
        self.at = body;
        let b = self.b();
        let number = b.phi(cx.i64(), "element");
        number.add_incoming(cx.u64(0), from);
        let at = b.byte_offsets(addresses, b.mul(number, self.times_lanes(cx.i64(), size)));
        let value = match fill.source {
            Source::Byte(byte) => {
                let all = u64::from_ne_bytes([byte; 8]);
                element.constant(all >> (64 - element.int_width()))
            }
            Source::Constants(source) => {
                let align = i.arg_align(1).min(u32::try_from(size).unwrap_or(1)).max(1);
                b.load(element, b.byte_offsets(source, b.mul(number, cx.u64(size))), align)
            }
        };
        let (value, like) = (self.splat(value), element.poison());
        match at.ty().is_pointer() {
            true => self.store_near(value, 1, (at, align), like),
            false => self.store_far(value, at, align, like),
        }
        let next = b.add(number, cx.u64(1));
        number.add_incoming(next, body);
        b.cond_br(b.icmp(IntPredicate::Ult, next, cx.u64(count)), body, done);
        self.at = done;
        true
    }

    /// The address of lane 0 if the elements of all lanes are consecutive, otherwise a vector of
    /// addresses; and the alignment of an access of `i`.
    fn interleaved_addresses(
        &mut self,
        i: Value<'m>,
        pointer: Value<'m>,
        size: u64,
    ) -> (Value<'m>, u32) {
        match self.lookup(pointer) {
            Lanes::Strided(base, _) => (base, self.interleaved_align(size)),
            other => {
                self.note("an address for each lane", i);
                let addresses = self.components(&other, pointer.ty())[0];
                (addresses, u32::try_from(size).unwrap_or(1))
            }
        }
    }
}

/// True if all users of an address are loads and stores.
fn only_accesses(address: Value<'_>) -> bool {
    address.users().into_iter().all(|u| matches!(u.opcode(), Opcode::Load | Opcode::Store))
}
