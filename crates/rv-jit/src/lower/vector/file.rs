//! The vector registers in chunks of 128 bits. Invariant: the hart's memory always has the value of
//! every register. A chunk that a block has loaded or stored is kept as a value of the code, so
//! that it is not loaded again. Not here: operations.

use super::plan::CHUNK;
use crate::host::{FIXED, HART, offset};
use crate::lower::Lower;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{
    ConstantData, Endianness, InstBuilder as _, MemFlagsData, Type, Value, types,
};
use muxcl_rv_sim::native::Offsets;
use std::collections::BTreeMap;

/// The values that the code has at a point of a block, so that it need not compute them again.
#[derive(Debug, Default)]
pub(crate) struct Known {
    /// Chunks, as bytes, by their offset in the registers.
    chunks: BTreeMap<u64, Value>,
    /// For an element size in bytes and the number of a chunk: the lanes that the mask register
    /// makes active, as bytes of ones.
    lanes: BTreeMap<(u64, u64), Value>,
    /// The lanes of elements below `vl`, by the same keys.
    below: BTreeMap<(u64, u64), Value>,
    /// `vl`.
    length: Option<Value>,
    /// Whether `vl` of the current instruction is not known at translation.
    pub(super) any_length: bool,
}

/// The type of a chunk with integers of `size` bytes.
pub(super) fn integers(size: u64) -> Type {
    match size {
        1 => types::I8X16,
        2 => types::I16X8,
        4 => types::I32X4,
        _ => types::I64X2,
    }
}

/// The type of a chunk with floating-point numbers of `size` bytes.
pub(super) fn floats(size: u64) -> Type {
    if size == 4 { types::F32X4 } else { types::F64X2 }
}

impl Lower<'_, '_> {
    /// Forgets what is known of the registers.
    pub(crate) fn forget_vectors(&mut self) {
        self.known = Known::default();
    }

    /// Says that `vl` has become this value.
    pub(super) fn set_length(&mut self, length: Value) {
        self.known.length = Some(length);
        self.known.below.clear();
    }

    /// `vl`.
    pub(super) fn length(&mut self) -> Value {
        if let Some(length) = self.known.length {
            return length;
        }
        let length = self.b.ins().load(types::I64, HART, self.hart, offset(Offsets::VL));
        *self.known.length.insert(length)
    }

    /// How many of the `most` elements from number `first` on are below `vl`.
    pub(super) fn count_from(&mut self, first: u64, most: u64) -> Value {
        let length = self.length();
        let count = self.b.ins().iadd_imm_s(length, -first.cast_signed());
        let (none, most) = (self.int(0), self.int(most));
        let count = self.b.ins().smax(count, none);
        self.b.ins().smin(count, most)
    }

    /// The lanes of a chunk of elements of `size` bytes that are below `vl`, as bytes of ones.
    fn below(&mut self, size: u64, chunk: u64) -> Value {
        if let Some(value) = self.known.below.get(&(size, chunk)) {
            return *value;
        }
        let lanes = CHUNK / size;
        let count = self.count_from(chunk * lanes, lanes);
        let count = self.b.ins().ireduce(types::I8, count);
        let count = self.b.ins().splat(types::I8X16, count);
        let numbers = self.constant(|k| (k / size) as u8);
        let below = self.b.ins().icmp(IntCC::SignedLessThan, numbers, count);
        self.known.below.insert((size, chunk), below);
        below
    }

    /// The lanes of a chunk that are below `vl`, if it is not known, and active, if `masked`.
    /// `None` if that is all of them.
    pub(super) fn changed(&mut self, masked: bool, size: u64, chunk: u64) -> Option<Value> {
        let below = self.known.any_length.then(|| self.below(size, chunk));
        let active = masked.then(|| self.active(size, chunk));
        match (below, active) {
            (Some(below), Some(active)) => Some(self.b.ins().band(below, active)),
            (below, active) => below.or(active),
        }
    }

    /// Forgets what is known of `bytes` bytes of the registers.
    pub(super) fn forget_range(&mut self, at: u64, bytes: u64) {
        self.known.chunks.retain(|k, _| *k + CHUNK <= at || at + bytes <= *k);
        if at < self.machine.vlenb {
            self.known.lanes.clear();
        }
    }

    /// The offset of a register.
    pub(super) fn start_of(&self, register: u8) -> u64 {
        u64::from(register) * self.machine.vlenb
    }

    /// The address of the registers.
    pub(super) fn file(&mut self) -> Value {
        self.b.ins().load(types::I64, FIXED, self.hart, offset(Offsets::VECTORS))
    }

    /// A chunk as another type.
    pub(super) fn cast(&mut self, value: Value, ty: Type) -> Value {
        if self.b.func.dfg.value_type(value) == ty {
            return value;
        }
        let little = MemFlagsData::new().with_endianness(Endianness::Little);
        self.b.ins().bitcast(ty, little, value)
    }

    /// The 16 bytes at an offset.
    pub(super) fn chunk(&mut self, at: u64, ty: Type) -> Value {
        if let Some(value) = self.known.chunks.get(&at) {
            let value = *value;
            return self.cast(value, ty);
        }
        let file = self.file();
        let value = self.b.ins().load(types::I8X16, HART, file, offset(at as usize));
        if at.is_multiple_of(CHUNK) {
            self.known.chunks.insert(at, value);
        }
        self.cast(value, ty)
    }

    /// A scalar of this type at an offset.
    pub(super) fn scalar(&mut self, at: u64, ty: Type) -> Value {
        let file = self.file();
        self.b.ins().load(ty, HART, file, offset(at as usize))
    }

    /// Stores a scalar at an offset.
    pub(super) fn put_scalar(&mut self, at: u64, value: Value) {
        let file = self.file();
        self.b.ins().store(HART, value, file, offset(at as usize));
        self.forget_range(at, 8);
    }

    /// Stores the first `bytes` bytes of a chunk at an offset, a multiple of 16.
    pub(super) fn put(&mut self, at: u64, value: Value, bytes: u64) {
        let mut value = self.cast(value, types::I8X16);
        if bytes < CHUNK {
            let old = self.chunk(at, types::I8X16);
            let new = self.constant(|k| if k < bytes { 0xff } else { 0 });
            value = self.b.ins().bitselect(new, value, old);
        }
        let file = self.file();
        self.b.ins().store(HART, value, file, offset(at as usize));
        self.known.chunks.insert(at, value);
        if at < self.machine.vlenb {
            self.known.lanes.clear();
        }
    }

    /// A constant chunk of bytes.
    pub(super) fn constant(&mut self, byte: impl Fn(u64) -> u8) -> Value {
        let bytes: Vec<u8> = (0..CHUNK).map(byte).collect();
        let constant = self.b.func.dfg.constants.insert(ConstantData::from(bytes));
        self.b.ins().vconst(types::I8X16, constant)
    }

    /// The bytes of two chunks in another order: byte `k` is the one with the number `from(k)`,
    /// where the second chunk's bytes follow the first one's.
    pub(super) fn shuffle(&mut self, a: Value, b: Value, from: impl Fn(u64) -> u8) -> Value {
        let order: Vec<u8> = (0..CHUNK).map(from).collect();
        let order = self.b.func.dfg.immediates.push(ConstantData::from(order));
        let [a, b] = [a, b].map(|v| self.cast(v, types::I8X16));
        self.b.ins().shuffle(a, b, order)
    }

    /// The low part of an integer.
    pub(super) fn narrow(&mut self, value: Value, ty: Type) -> Value {
        if self.b.func.dfg.value_type(value) == ty {
            value
        } else {
            self.b.ins().ireduce(ty, value)
        }
    }

    /// The lanes of a chunk of elements of `size` bytes that the mask register makes active, as
    /// bytes of ones.
    pub(super) fn active(&mut self, size: u64, chunk: u64) -> Value {
        if let Some(value) = self.known.lanes.get(&(size, chunk)) {
            return *value;
        }
        let lanes = CHUNK / size;
        // The mask bit of the chunk's first element, which need not be the first one of its byte.
        let bit = chunk * lanes;
        let ty = integers(size);
        let value = if size == 1 {
            let bits = self.scalar(bit / 8, types::I16);
            let both = self.b.ins().splat(types::I16X8, bits);
            self.shuffle(both, both, |k| u8::from(k >= 8))
        } else {
            let bits = self.scalar(bit / 8, types::I8);
            let lane = ty.lane_type();
            let bits = self.b.ins().uextend(lane, bits);
            self.b.ins().splat(ty, bits)
        };
        // In each lane, the one bit of the byte that is this lane's.
        let weights = self.constant(|k| {
            let (lane, byte) = (k / size, k % size);
            if byte == 0 { 1 << ((bit + lane) % 8) } else { 0 }
        });
        let weights = self.cast(weights, ty);
        let value = self.cast(value, ty);
        let own = self.b.ins().band(value, weights);
        let active = self.b.ins().icmp(IntCC::Equal, own, weights);
        let active = self.cast(active, types::I8X16);
        self.known.lanes.insert((size, chunk), active);
        active
    }

    /// Stores a chunk of results: of the elements below `vl`, and of the active ones if the
    /// instruction has a mask.
    pub(super) fn result(
        &mut self,
        masked: bool,
        to: u64,
        (size, elements): (u64, u64),
        chunk: u64,
        value: Value,
    ) {
        let at = to + chunk * CHUNK;
        let mut value = self.cast(value, types::I8X16);
        if let Some(changed) = self.changed(masked, size, chunk) {
            let old = self.chunk(at, types::I8X16);
            value = self.b.ins().bitselect(changed, value, old);
        }
        self.put(at, value, (elements * size - chunk * CHUNK).min(CHUNK));
    }
}
