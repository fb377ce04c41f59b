//! Scalar loads and stores of integer registers, and the accesses that floating-point ones share.
//! One comparison finds an access to the area where it is expected; the interpreter's functions do
//! the others.
//! Accesses that an earlier check covers (`ranges.rs`) need none.

use super::Lower;
use crate::host::{FIXED, HART, offset};
use crate::ranges::Place;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder as _, MemFlagsData, Type, Value, types};
use muxcl_rv_isa::{Inst, Op};
use muxcl_rv_sim::native::{Area, Offsets, RegionOffsets};

/// Flags of an access to guest memory, at any alignment.
pub(super) const GUEST: MemFlagsData = MemFlagsData::new().with_notrap();

/// The fields of an area in the hart.
pub(super) const fn fields(place: Place) -> RegionOffsets {
    match place.area {
        Area::Main if place.store => Offsets::OPEN,
        Area::Main => Offsets::MAIN,
        Area::Own => Offsets::OWN,
        Area::Near(number) => Offsets::near(number, place.store),
    }
}

/// Where bytes are on the host: an address and an offset.
pub(super) type At = (Value, i32);

impl Lower<'_, '_> {
    /// A field of a region in the hart.
    pub(super) fn fixed(&mut self, field: usize) -> Value {
        self.b.ins().load(types::I64, FIXED, self.hart, offset(field))
    }

    /// The address of a load or store, whether its `size` bytes lie in a region of the hart, and
    /// where they are if so.
    fn place(&mut self, i: &Inst, size: u64, store: bool) -> (Value, Value, At) {
        let region = fields(self.region.areas.place(self.state.pc, i.rs1, store));
        let base = self.x(i.rs1);
        let sum = self.b.ins().iadd_imm_s(base, i64::from(i.imm));
        let address = self.wrap(sum);
        let start = self.fixed(region.base);
        let at = self.b.ins().isub(address, start);
        let places = self.fixed(region.places[size.trailing_zeros() as usize]);
        let mut inside = self.b.ins().icmp(IntCC::UnsignedLessThan, at, places);
        if self.machine.strict && size > 1 {
            let low = self.b.ins().band_imm_s(address, size.cast_signed() - 1);
            let aligned = self.b.ins().icmp_imm_s(IntCC::Equal, low, 0);
            inside = self.b.ins().band(inside, aligned);
        }
        let bias = self.fixed(region.bias);
        let host = self.b.ins().iadd(address, bias);
        (address, inside, (host, 0))
    }

    /// Loads a value of `size` bytes: `fast` from where they are on the host, or `widen` from the
    /// interpreter's result.
    pub(super) fn load(
        &mut self,
        i: &Inst,
        size: u64,
        ty: Type,
        fast: impl FnOnce(&mut Self, At) -> Value,
        widen: impl FnOnce(&mut Self) -> Value,
    ) -> Value {
        if let Some(at) = self.covered(i, false) {
            return fast(self, at);
        }
        let (address, inside, at) = self.place(i, size, false);
        let value = self.choose(
            inside,
            Some(ty),
            true,
            |lower| Some(fast(lower, at)),
            |lower| {
                lower.store_pending();
                lower.b.ins().store(HART, address, lower.hart, offset(Offsets::ADDRESS));
                lower.call(0);
                Some(widen(lower))
            },
        );
        value.unwrap_or(address)
    }

    /// Stores the `size` bytes of `value`. The rare path, in which the interpreter stores, needs
    /// them as an integer: `bits`.
    pub(super) fn store(
        &mut self,
        i: &Inst,
        size: u64,
        value: Value,
        bits: impl FnOnce(&mut Self) -> Value,
    ) {
        if let Some((host, offset)) = self.covered(i, true) {
            self.b.ins().store(GUEST, value, host, offset);
            return;
        }
        let (address, inside, (host, at)) = self.place(i, size, true);
        self.choose(
            inside,
            None,
            true,
            |lower| {
                lower.b.ins().store(GUEST, value, host, at);
                None
            },
            |lower| {
                lower.store_pending();
                let bits = bits(lower);
                lower.b.ins().store(HART, address, lower.hart, offset(Offsets::ADDRESS));
                lower.b.ins().store(HART, bits, lower.hart, offset(Offsets::VALUE));
                lower.call(1);
                None
            },
        );
    }

    /// The interpreter's result of a load, as a value of this type.
    pub(super) fn loaded(&mut self, ty: Type) -> Value {
        self.b.ins().load(ty, HART, self.hart, offset(Offsets::VALUE))
    }

    /// Translates a load or store of an integer register; false if it is none.
    pub(super) fn memory(&mut self, i: &Inst) -> bool {
        let (size, narrow, signed) = match i.op {
            Op::Lb => (1, types::I8, true),
            Op::Lbu => (1, types::I8, false),
            Op::Lh => (2, types::I16, true),
            Op::Lhu => (2, types::I16, false),
            Op::Lw => (4, types::I32, true),
            Op::Lwu => (4, types::I32, false),
            Op::Ld => (8, types::I64, false),
            Op::Sb | Op::Sh | Op::Sw | Op::Sd => {
                let (size, narrow) = match i.op {
                    Op::Sb => (1, types::I8),
                    Op::Sh => (2, types::I16),
                    Op::Sw => (4, types::I32),
                    _ => (8, types::I64),
                };
                let wide = self.x(i.rs2);
                let value = if size == 8 { wide } else { self.b.ins().ireduce(narrow, wide) };
                self.store(i, size, value, |_| wide);
                return true;
            }
            _ => return false,
        };
        let extend = |lower: &mut Self, value: Value| match (narrow, signed) {
            (types::I64, _) => value,
            (_, true) => lower.b.ins().sextend(types::I64, value),
            (_, false) => lower.b.ins().uextend(types::I64, value),
        };
        let value = self.load(
            i,
            size,
            types::I64,
            |lower, (host, at)| {
                let value = lower.b.ins().load(narrow, GUEST, host, at);
                extend(lower, value)
            },
            |lower| {
                let value = lower.loaded(narrow);
                extend(lower, value)
            },
        );
        self.set_x(i.rd, value);
        true
    }
}
