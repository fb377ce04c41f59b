//! Instructions that move elements: whole registers, element 0, slides, one element to all,
//! gathers, compression, counts of mask bits.

use super::file::integers;
use super::plan::{CHUNK, Extend, Planned, Source};
use crate::host::HART;
use crate::lower::Lower;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder as _, Value, types};
use muxcl_rv_isa::{Format, Inst, Op};

impl Lower<'_, '_> {
    pub(super) fn copy_registers(&mut self, i: &Inst, bytes: u64) {
        let (from, to) = (self.start_of(i.rs2), self.start_of(i.rd));
        for at in (0..bytes).step_by(CHUNK as usize) {
            let value = self.chunk(from + at, types::I8X16);
            self.put(to + at, value, CHUNK);
        }
    }

    /// `vmv.x.s` and `vfmv.f.s`.
    pub(super) fn read_element(&mut self, i: &Inst, sew: u64) {
        let at = self.start_of(i.rs2);
        if i.op == Op::VfmvFS && sew == 2 {
            let value = self.scalar(at, types::I16);
            let chunk = self.half_chunk(value);
            self.set_half(i.rd, chunk);
            return;
        }
        if i.op == Op::VfmvFS {
            let ty = if sew == 4 { types::F32 } else { types::F64 };
            let value = self.scalar(at, ty);
            self.set_f(i.rd, value, false);
            return;
        }
        let value = self.scalar(at, integers(sew).lane_type());
        let value = if sew == 8 { value } else { self.b.ins().sextend(types::I64, value) };
        let value = self.sign_extended(value);
        self.set_x(i.rd, value);
    }

    /// A value as a register holds it: on RV32, the low word, sign-extended.
    fn sign_extended(&mut self, value: Value) -> Value {
        if self.machine.rv64 {
            return value;
        }
        let low = self.b.ins().ireduce(types::I32, value);
        self.b.ins().sextend(types::I64, low)
    }

    /// The scalar operand, as an integer of `sew` bytes or a number of that size.
    fn moved_scalar(&mut self, i: &Inst, sew: u64) -> Value {
        if matches!(i.op.row().format, Format::VVF | Format::VMvF) {
            if sew == 2 {
                return self.half_lane(i.rs1);
            }
            let ty = if sew == 4 { types::F32 } else { types::F64 };
            return self.clean(i.rs1, ty);
        }
        let value = self.x(i.rs1);
        self.narrow(value, integers(sew).lane_type())
    }

    /// `vmv.s.x` and `vfmv.s.f`.
    pub(super) fn write_element(&mut self, i: &Inst, sew: u64) {
        let mut value = self.moved_scalar(i, sew);
        let at = self.start_of(i.rd);
        if self.known.any_length {
            // With `vl` = 0, element 0 stays unchanged.
            let ty = self.b.func.dfg.value_type(value);
            let (length, old) = (self.length(), self.scalar(at, ty));
            value = self.b.ins().select(length, value, old);
        }
        self.put_scalar(at, value);
    }

    pub(super) fn slide(&mut self, i: &Inst, p: Planned, up: bool, by: u64, scalar: bool) {
        let Planned { sew, elements, most, .. } = p;
        let (from, to) = (self.start_of(i.rs2), self.start_of(i.rd));
        let size = elements * sew;
        let by = by.min(most) * sew;
        let mut results = Vec::new();
        for at in (0..size).step_by(CHUNK as usize) {
            let value = if up {
                // The bytes before `by` stay.
                if at + CHUNK <= by {
                    continue;
                }
                let (skip, file) = (by.saturating_sub(at), from + at);
                let value = if file >= by {
                    self.chunk(file - by, types::I8X16)
                } else {
                    // The chunk would begin before the registers.
                    let whole = self.chunk(from, types::I8X16);
                    self.shuffle(whole, whole, |k| k.saturating_sub(skip) as u8)
                };
                if skip == 0 {
                    value
                } else {
                    let old = self.chunk(to + at, types::I8X16);
                    let new = self.constant(|k| if k < skip { 0 } else { 0xff });
                    self.b.ins().bitselect(new, value, old)
                }
            } else {
                let all = most * sew;
                let begin = at + by;
                if begin >= all {
                    self.constant(|_| 0)
                } else {
                    let value = self.chunk(from + begin, types::I8X16);
                    let inside = all - begin;
                    if inside >= CHUNK {
                        value
                    } else {
                        // Zeros follow the last element.
                        let kept = self.constant(|k| if k < inside { 0xff } else { 0 });
                        self.b.ins().band(value, kept)
                    }
                }
            };
            results.push((at, value));
        }
        let value = scalar.then(|| self.moved_scalar(i, sew));
        for (at, chunk) in results {
            self.result(false, to, (sew, elements), at / CHUNK, chunk);
        }
        if let Some(value) = value {
            let element = if up { 0 } else { elements - 1 };
            self.put_scalar(to + element * sew, value);
        }
    }

    /// A slide by a register, or with a mask.
    pub(super) fn slide_any(&mut self, i: &Inst, p: Planned, up: bool) {
        let Planned { sew, elements, most, .. } = p;
        let (from, to) = (self.start_of(i.rs2), self.start_of(i.rd));
        let Some(by) = self.second_scalar(i, sew) else { return };
        let by = self.wrap(by);
        let whole = self.int(most);
        let by = self.b.ins().umin(by, whole);
        let by = self.b.ins().imul_imm_s(by, sew.cast_signed());
        let by = self.b.ins().ireduce(types::I8, by);
        let by = self.b.ins().splat(types::I8X16, by);
        let size = most * sew;
        let mut table: Vec<Value> =
            (0..size.div_ceil(CHUNK)).map(|k| self.chunk(from + k * CHUNK, types::I8X16)).collect();
        if size < CHUNK {
            // Zeros follow the last element.
            let kept = self.constant(|k| if k < size { 0xff } else { 0 });
            table[0] = self.b.ins().band(table[0], kept);
        }
        let mut results = Vec::new();
        for chunk in 0..(elements * sew).div_ceil(CHUNK) {
            // The table has at most 64 bytes, so these numbers are between -64 and 127.
            let numbers = self.constant(|k| (chunk * CHUNK + k) as u8);
            let value = if up {
                let bytes = self.b.ins().isub(numbers, by);
                let value = self.pick_bytes(&table, bytes);
                let zero = self.constant(|_| 0);
                let before = self.b.ins().icmp(IntCC::SignedLessThan, bytes, zero);
                let old = self.chunk(to + chunk * CHUNK, types::I8X16);
                self.blend(before, old, value)
            } else {
                let bytes = self.b.ins().iadd(numbers, by);
                self.pick_bytes(&table, bytes)
            };
            results.push(value);
        }
        for (chunk, value) in (0..).zip(results) {
            self.result(!i.unmasked, to, (sew, elements), chunk, value);
        }
    }

    /// `viota`: for each element, the number of bits before its own.
    pub(super) fn count_before(&mut self, i: &Inst, p: Planned) {
        let Planned { sew, elements, .. } = p;
        let (to, ty) = (self.start_of(i.rd), integers(sew));
        let zero = self.constant(|_| 0);
        let mut before: Option<Value> = None;
        let mut results = Vec::new();
        for chunk in 0..(elements * sew).div_ceil(CHUNK) {
            let mut bits = self.lanes_of_mask(i.rs2, sew, chunk);
            if !i.unmasked {
                let active = self.active(sew, chunk);
                let active = self.cast(active, ty);
                bits = self.b.ins().band(bits, active);
            }
            // Lanes of ones are -1, so sums of them are subtracted.
            let mut sum = bits;
            let mut distance = sew;
            while distance < CHUNK {
                let moved = self
                    .shuffle(sum, zero, |k| if k < distance { 16 } else { (k - distance) as u8 });
                let moved = self.cast(moved, ty);
                sum = self.b.ins().iadd(sum, moved);
                distance *= 2;
            }
            let own = self.b.ins().isub(bits, sum);
            results.push(before.map_or(own, |before| self.b.ins().isub(own, before)));
            let last = self.shuffle(sum, sum, |k| (CHUNK - sew + k % sew) as u8);
            let last = self.cast(last, ty);
            before = Some(before.map_or(last, |before| self.b.ins().iadd(before, last)));
        }
        for (chunk, value) in (0..).zip(results) {
            self.result(!i.unmasked, to, (sew, elements), chunk, value);
        }
    }

    /// `vrgather` by a register.
    pub(super) fn gather(&mut self, i: &Inst, p: Planned) {
        let Planned { sew, elements, most, .. } = p;
        let (from, to, ty) = (self.start_of(i.rs2), self.start_of(i.rd), integers(sew));
        let table: Vec<Value> = (0..(most * sew).div_ceil(CHUNK))
            .map(|k| self.chunk(from + k * CHUNK, types::I8X16))
            .collect();
        let mut same = None;
        if i.op == Op::VrgatherVx {
            let index = self.x(i.rs1);
            let index = self.wrap(index);
            // An index past the end, of any width, becomes the first one past the end.
            let past = self.int(most);
            let index = self.b.ins().umin(index, past);
            let index = self.narrow(index, ty.lane_type());
            let index = self.b.ins().splat(ty, index);
            same = Some(self.pick(&table, index, sew, most));
        }
        for chunk in 0..(elements * sew).div_ceil(CHUNK) {
            let value = match same {
                Some(value) => value,
                None => {
                    let index = if i.op == Op::Vrgatherei16Vv {
                        self.short_indices(i, sew, elements, chunk)
                    } else {
                        let at = self.start_of(i.rs1) + chunk * CHUNK;
                        self.chunk(at, ty)
                    };
                    self.pick(&table, index, sew, most)
                }
            };
            self.result(!i.unmasked, to, (sew, elements), chunk, value);
        }
    }

    /// The elements of a table with these indices, 0 for those that are not less than `most`.
    fn pick(&mut self, table: &[Value], index: Value, sew: u64, most: u64) -> Value {
        let ty = integers(sew);
        let end = self.b.ins().iconst(ty.lane_type(), most.cast_signed());
        let end = self.b.ins().splat(ty, end);
        let inside = self.compare_integers(IntCC::UnsignedLessThan, index, end, sew);
        // The numbers of the bytes: the lowest byte of each index has the whole index, if it is
        // inside.
        let low = self.shuffle(index, index, |k| (k / sew * sew) as u8);
        let shift = i64::from(sew.trailing_zeros());
        let low = self.cast(low, types::I16X8);
        let scaled = self.b.ins().ishl_imm_u(low, shift);
        let scaled = self.cast(scaled, types::I8X16);
        // The bits that came from the byte below.
        let kept = self.constant(|_| (0xff_u64 << shift) as u8);
        let scaled = self.b.ins().band(scaled, kept);
        let bytes = self.constant(|k| (k % sew) as u8);
        let bytes = self.b.ins().bor(scaled, bytes);
        let inside = self.cast(inside, types::I8X16);
        let outside = self.b.ins().bnot(inside);
        let bytes = self.b.ins().bor(bytes, outside);
        self.pick_bytes(table, bytes)
    }

    /// The indices of 16 bits for a chunk of elements of `sew` bytes, as integers of that size.
    fn short_indices(&mut self, i: &Inst, sew: u64, elements: u64, chunk: u64) -> Value {
        if sew > 1 {
            return self.extended(i.rs1, Source { size: 2, extend: Extend::Zero }, sew, chunk);
        }
        let at = self.start_of(i.rs1) + 2 * chunk * CHUNK;
        let low = self.chunk(at, types::I16X8);
        let second = (2 * chunk + 1) * CHUNK < 2 * elements;
        let high = if second { self.chunk(at + CHUNK, types::I16X8) } else { low };
        // A large index becomes one that is past the end, too: a table has at most 64 elements.
        let most = self.constant(|k| if k % 2 == 0 { 0xff } else { 0 });
        let most = self.cast(most, types::I16X8);
        let [low, high] = [low, high].map(|v| self.b.ins().umin(v, most));
        self.halves(low, high, 1, 0)
    }

    /// Looks up bytes of a table by their numbers; a number past the end of the table gives 0.
    fn pick_bytes(&mut self, table: &[Value], bytes: Value) -> Value {
        let mut all: Option<Value> = None;
        for (k, part) in (0..).zip(table) {
            let first = self.constant(|_| (k * CHUNK) as u8);
            let own = self.b.ins().isub(bytes, first);
            // Numbers of other parts give 0.
            let value = self.b.ins().swizzle(*part, own);
            all = Some(all.map_or(value, |all| self.b.ins().bor(all, value)));
        }
        all.unwrap_or(bytes)
    }

    /// `vcompress`: a loop over the bits of the mask copies the chosen elements in the hart.
    pub(super) fn compress(&mut self, i: &Inst, p: Planned) {
        let Planned { sew, elements, .. } = p;
        let (from, to) = (self.start_of(i.rs2), self.start_of(i.rd));
        let (ty, size) = (integers(sew).lane_type(), elements * sew);
        let shift = i64::from(sew.trailing_zeros());
        let words = self.words_below(Some(i.rs1), elements);
        self.store_range(from, size);
        self.store_range(to, size);
        let file = self.file();
        let mut place = self.b.ins().iadd_imm_s(file, to.cast_signed());
        for (first, bits) in (0..).step_by(64).zip(words) {
            let from = self.b.ins().iadd_imm_s(file, (from + first * sew).cast_signed());
            place = self.each_bit(bits, place, |lower, number, to| {
                let bytes = lower.b.ins().ishl_imm_u(number, shift);
                let at = lower.b.ins().iadd(from, bytes);
                let value = lower.b.ins().load(ty, HART, at, 0);
                lower.b.ins().store(HART, value, to, 0);
                lower.b.ins().iadd_imm_s(to, sew.cast_signed())
            });
        }
        self.forget_range(to, size);
        self.reload_chunks(to, size);
    }

    /// `vrgather.vi`.
    pub(super) fn broadcast(&mut self, i: &Inst, p: Planned) {
        let Planned { sew, elements, most, .. } = p;
        let ty = integers(sew);
        let number = i64::from(i.imm).cast_unsigned();
        let value = if number < most {
            let at = self.start_of(i.rs2) + number * sew;
            self.scalar(at, ty.lane_type())
        } else {
            self.b.ins().iconst(ty.lane_type(), 0)
        };
        let value = self.b.ins().splat(ty, value);
        let to = self.start_of(i.rd);
        for chunk in 0..(elements * sew).div_ceil(CHUNK) {
            self.result(!i.unmasked, to, (sew, elements), chunk, value);
        }
    }
}
