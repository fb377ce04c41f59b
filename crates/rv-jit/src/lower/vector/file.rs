//! The vector registers in chunks of 128 bits: reads and writes. Some chunks are variables of the
//! region (`variables.rs`). The others are stored to the hart at once; one that a block has loaded
//! or stored is kept as a value of the code, so that it is not loaded again. Not here: operations.

use super::plan::CHUNK;
use crate::host::{FIXED, HART, offset};
use crate::lower::Lower;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{
    ConstantData, Endianness, InstBuilder as _, MemFlagsData, Type, Value, types,
};
use muxcl_rv_sim::native::Offsets;
use std::collections::BTreeMap;

/// The most chunks that a block keeps as values, less the number of variables, and the least.
const MOST_KNOWN: usize = 12;
const LEAST_KNOWN: usize = 8;

/// The values that the code has at a point of a block, so that it need not compute them again.
#[derive(Debug, Default, Clone)]
pub(crate) struct Known {
    /// Chunks, as bytes, by their offset in the registers. With each, a number that grows.
    chunks: BTreeMap<u64, (Value, u64)>,
    /// The lanes in which the current instruction has saturated.
    pub(super) saturated: Option<Value>,
    /// The last of those numbers.
    newest: u64,
    /// No chunk is added, because the code is not on all paths to what follows.
    pub(super) frozen: bool,
    /// For an element size in bytes and the number of a chunk: the lanes that the mask register
    /// makes active, as lanes of ones.
    lanes: BTreeMap<(u64, u64), Value>,
    /// The chunks that are variables and may have NaNs of the host's, with their types.
    nans: BTreeMap<u64, Type>,
    /// The lanes of elements below `vl`, by the same keys.
    below: BTreeMap<(u64, u64), Value>,
    /// `vl`.
    length: Option<Value>,
    /// Whether `vl` of the current instruction is not known at translation.
    pub(crate) any_length: bool,
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

    /// Says which lanes of a chunk the mask register makes active, after it was written.
    pub(super) fn set_active(&mut self, size: u64, chunk: u64, lanes: Value) {
        self.known.lanes.insert((size, chunk), lanes);
    }

    /// Says that `vl` has become this value.
    pub(super) fn set_length(&mut self, length: Value) {
        self.known.length = Some(length);
        self.known.below.clear();
    }

    /// `vl`.
    pub(crate) fn length(&mut self) -> Value {
        if let Some(length) = self.known.length {
            return length;
        }
        let length = self.b.ins().load(types::I64, HART, self.hart, offset(Offsets::VL));
        *self.known.length.insert(length)
    }

    /// How many of the `most` elements from number `first` on are below `vl`.
    pub(crate) fn count_from(&mut self, first: u64, most: u64) -> Value {
        let length = self.length();
        let count = self.b.ins().iadd_imm_s(length, -first.cast_signed());
        let (none, most) = (self.int(0), self.int(most));
        let count = self.b.ins().smax(count, none);
        self.b.ins().smin(count, most)
    }

    /// The lanes of a chunk of elements of `size` bytes that are below `vl`, as lanes of ones.
    fn below(&mut self, size: u64, chunk: u64) -> Value {
        if let Some(value) = self.known.below.get(&(size, chunk)) {
            return *value;
        }
        let (lanes, ty) = (CHUNK / size, integers(size));
        // Instructions with a plan have so few elements that their numbers fit in lanes of 16 bits.
        let (first, count) = if size == 1 {
            (0, self.count_from(chunk * lanes, lanes))
        } else {
            (chunk * lanes, self.length())
        };
        let count = self.narrow(count, ty.lane_type());
        let count = self.b.ins().splat(ty, count);
        let numbers = self.constant(|k| (first + k / size).to_le_bytes()[(k % size) as usize]);
        let numbers = self.cast(numbers, ty);
        let below = self.b.ins().icmp(IntCC::SignedGreaterThan, count, numbers);
        self.known.below.insert((size, chunk), below);
        below
    }

    /// The lanes of a chunk that are below `vl`, if it is not known, and active, if `masked`.
    /// `None` if that is all of them.
    pub(super) fn changed(&mut self, masked: bool, size: u64, chunk: u64) -> Option<Value> {
        let below = self.known.any_length.then(|| self.below(size, chunk));
        let active = masked.then(|| self.active(size, chunk));
        match (below, active) {
            (Some(below), Some(active)) => {
                let active = self.cast(active, integers(size));
                Some(self.b.ins().band(below, active))
            }
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
    pub(crate) fn file(&mut self) -> Value {
        self.b.ins().load(types::I64, FIXED, self.hart, offset(Offsets::VECTORS))
    }

    /// A chunk as another type.
    pub(in crate::lower) fn cast(&mut self, value: Value, ty: Type) -> Value {
        if self.b.func.dfg.value_type(value) == ty {
            return value;
        }
        let little = MemFlagsData::new().with_endianness(Endianness::Little);
        self.b.ins().bitcast(ty, little, value)
    }

    /// The chunk at an offset, a multiple of 16, if the code has its value.
    fn known_chunk(&mut self, at: u64) -> Option<Value> {
        if let Some(variable) = self.chunk_variable(at) {
            self.replace_nans(at);
            return Some(self.b.use_var(variable));
        }
        self.known.chunks.get(&at).map(|(value, _)| *value)
    }

    /// Keeps the value of a chunk that is no variable.
    fn keep_chunk(&mut self, at: u64, value: Value) {
        if self.known.frozen {
            self.known.chunks.remove(&at);
            return;
        }
        self.known.newest += 1;
        self.known.chunks.insert(at, (value, self.known.newest));
        // More values than registers would be stored a second time, to the host's stack.
        let most = MOST_KNOWN.saturating_sub(self.chunks.count()).max(LEAST_KNOWN);
        if self.known.chunks.len() > most {
            let oldest = self.known.chunks.iter().min_by_key(|(_, (_, number))| *number);
            let oldest = oldest.map(|(at, _)| *at);
            oldest.and_then(|at| self.known.chunks.remove(&at));
        }
    }

    /// The chunk at an offset, a multiple of 16, as floating-point numbers that may be NaNs of the
    /// host's, and whether they may be.
    pub(super) fn number_chunk(&mut self, at: u64, ty: Type) -> (Value, bool) {
        if self.known.nans.get(&at) == Some(&ty)
            && let Some(variable) = self.chunk_variable(at)
        {
            let value = self.b.use_var(variable);
            return (self.cast(value, ty), true);
        }
        (self.chunk(at, ty), false)
    }

    /// As [`Self::part`], with numbers that may be NaNs of the host's.
    pub(super) fn number_part(&mut self, at: u64, ty: Type) -> Value {
        let skip = at % CHUNK;
        let (whole, _) = self.number_chunk(at - skip, ty);
        self.part_of(whole, skip, ty)
    }

    /// The value of a variable with RISC-V's NaNs.
    pub(super) fn without_nans(&mut self, at: u64, value: Value) -> Value {
        let Some(ty) = self.known.nans.get(&at).copied() else { return value };
        let value = self.cast(value, ty);
        let value = self.canonical_lanes(value, ty);
        self.cast(value, types::I8X16)
    }

    /// Gives the variable of a chunk RISC-V's NaNs.
    fn replace_nans(&mut self, at: u64) {
        if self.known.nans.contains_key(&at)
            && let Some(variable) = self.chunk_variable(at)
        {
            let value = self.b.use_var(variable);
            let value = self.without_nans(at, value);
            self.b.def_var(variable, value);
            self.known.nans.remove(&at);
        }
    }

    /// Gives all variables RISC-V's NaNs.
    pub(super) fn replace_all_nans(&mut self) {
        for at in self.known.nans.keys().copied().collect::<Vec<_>>() {
            self.replace_nans(at);
        }
    }

    /// The 16 bytes at an offset.
    pub(super) fn chunk(&mut self, at: u64, ty: Type) -> Value {
        let skip = at % CHUNK;
        let value = if skip == 0 {
            self.known_chunk(at)
        } else {
            let (first, second) = (at - skip, at - skip + CHUNK);
            // Memory may lack a variable, and is slow where a chunk was just stored.
            let known = self.known_chunk(first).is_some() || self.known_chunk(second).is_some();
            known.then(|| {
                let low = self.chunk(first, types::I8X16);
                let inside = second < 32 * self.machine.vlenb;
                let high = if inside { self.chunk(second, types::I8X16) } else { low };
                self.shuffle(low, high, |k| (k + skip) as u8)
            })
        };
        if let Some(value) = value {
            return self.cast(value, ty);
        }
        let file = self.file();
        let value = self.b.ins().load(types::I8X16, HART, file, offset(at as usize));
        if skip == 0 {
            self.keep_chunk(at, value);
        }
        self.cast(value, ty)
    }

    /// 16 bytes that begin with those from an offset to the end of its chunk.
    pub(super) fn part(&mut self, at: u64, ty: Type) -> Value {
        let skip = at % CHUNK;
        let whole = self.chunk(at - skip, types::I8X16);
        self.part_of(whole, skip, ty)
    }

    fn part_of(&mut self, whole: Value, skip: u64, ty: Type) -> Value {
        if skip == 0 {
            return self.cast(whole, ty);
        }
        let value = self.shuffle(whole, whole, |k| (k + skip) as u8);
        self.cast(value, ty)
    }

    /// A scalar of this type at an offset, a multiple of its size.
    pub(super) fn scalar(&mut self, at: u64, ty: Type) -> Value {
        let size = u64::from(ty.bytes());
        if let Some(chunk) = self.known_chunk(at / CHUNK * CHUNK) {
            let all = if ty.is_float() { floats(size) } else { integers(size) };
            let chunk = self.cast(chunk, all);
            return self.b.ins().extractlane(chunk, (at % CHUNK / size) as u8);
        }
        let file = self.file();
        self.b.ins().load(ty, HART, file, offset(at as usize))
    }

    /// Stores a scalar at an offset, a multiple of its size.
    pub(super) fn put_scalar(&mut self, at: u64, value: Value) {
        let ty = self.b.func.dfg.value_type(value);
        let size = u64::from(ty.bytes());
        let first = at / CHUNK * CHUNK;
        if let Some(chunk) = self.known_chunk(first) {
            let all = if ty.is_float() { floats(size) } else { integers(size) };
            let chunk = self.cast(chunk, all);
            let chunk = self.b.ins().insertlane(chunk, value, (at % CHUNK / size) as u8);
            self.put(first, chunk, CHUNK);
            return;
        }
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
        if let Some(variable) = self.chunk_variable(at) {
            self.b.def_var(variable, value);
            self.mark_unstored(at);
            self.known.nans.remove(&at);
        } else {
            let file = self.file();
            self.b.ins().store(HART, value, file, offset(at as usize));
            self.keep_chunk(at, value);
        }
        if at < self.machine.vlenb {
            self.known.lanes.clear();
        }
    }

    /// The lanes of `a` where `lanes` has ones, and those of `b` elsewhere.
    pub(super) fn blend(&mut self, lanes: Value, a: Value, b: Value) -> Value {
        // The host's blend is used only if the type is that of the comparison that made the lanes.
        let ty = self.b.func.dfg.value_type(lanes);
        let [a, b] = [a, b].map(|v| self.cast(v, ty));
        self.b.ins().bitselect(lanes, a, b)
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
    /// lanes of ones.
    pub(super) fn active(&mut self, size: u64, chunk: u64) -> Value {
        if let Some(value) = self.known.lanes.get(&(size, chunk)) {
            return *value;
        }
        let active = self.lanes_of_mask(0, size, chunk);
        self.known.lanes.insert((size, chunk), active);
        active
    }

    /// The bits of a mask for a chunk of elements of `size` bytes, as lanes of ones.
    pub(super) fn lanes_of_mask(&mut self, register: u8, size: u64, chunk: u64) -> Value {
        let lanes = CHUNK / size;
        // The mask bit of the chunk's first element, which need not be the first one of its byte.
        let bit = chunk * lanes;
        let ty = integers(size);
        let first = self.start_of(register) + bit / 8;
        let value = if let Some(mask) = self.known_chunk(first / CHUNK * CHUNK) {
            self.shuffle(mask, mask, |k| (first % CHUNK + (bit % 8 + k / size) / 8) as u8)
        } else if size == 1 {
            let bits = self.scalar(first, types::I16);
            let both = self.b.ins().splat(types::I16X8, bits);
            self.shuffle(both, both, |k| u8::from(k >= 8))
        } else {
            let bits = self.scalar(first, types::I8);
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
        self.b.ins().icmp(IntCC::Equal, own, weights)
    }

    /// Stores a chunk of results, as [`Self::result`] does, that may have NaNs of the host's if
    /// `nans` is their type.
    pub(super) fn result_with(
        &mut self,
        nans: Option<Type>,
        masked: bool,
        to: u64,
        (size, elements): (u64, u64),
        chunk: u64,
        value: Value,
    ) {
        let at = to + chunk * CHUNK;
        let mut value = value;
        if let Some(ty) = nans {
            let whole = !masked && !self.known.any_length && (chunk + 1) * CHUNK <= elements * size;
            if whole && self.chunk_variable(at).is_some() {
                self.put(at, value, CHUNK);
                self.known.nans.insert(at, ty);
                return;
            }
            value = self.cast(value, ty);
            value = self.canonical_lanes(value, ty);
        }
        self.result(masked, to, (size, elements), chunk, value);
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
        let mut value = value;
        if let Some(changed) = self.changed(masked, size, chunk) {
            let old = self.chunk(at, types::I8X16);
            value = self.blend(changed, value, old);
        }
        self.put(at, value, (elements * size - chunk * CHUNK).min(CHUNK));
    }
}
