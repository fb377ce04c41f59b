//! Masks: comparisons, logic, counts. A mask is processed in words of up to 64 bits; the bits from
//! `vl` on stay unchanged.

use super::file::{floats, integers};
use super::map::Second;
use super::plan::{CHUNK, Compare, Extend, Logic, Operation, Source};
use crate::lower::Lower;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder as _, Type, Value, types};
use muxcl_rv_isa::{Inst, Op};

/// A word of a mask.
#[derive(Debug, Clone, Copy)]
struct Word {
    /// The number of its first bit.
    first: u64,
    /// The number of its bits below `vl`.
    bits: u64,
    ty: Type,
}

/// The words of a mask with `elements` bits.
fn words(elements: u64) -> Vec<Word> {
    let mut all = Vec::new();
    let mut first = 0;
    while first < elements {
        let bits = (elements - first).min(64);
        let ty = match bits {
            1..=8 => types::I8,
            9..=16 => types::I16,
            17..=32 => types::I32,
            _ => types::I64,
        };
        all.push(Word { first, bits, ty });
        first += bits;
    }
    all
}

impl Lower<'_, '_> {
    fn word(&mut self, register: u8, word: Word) -> Value {
        let at = self.start_of(register) + word.first / 8;
        self.scalar(at, word.ty)
    }

    /// The bits of a word that are below `vl`.
    fn bits_below(&mut self, word: Word) -> Value {
        if !self.known.any_length {
            let below = u64::MAX >> (64 - word.bits);
            return self.b.ins().iconst(word.ty, below.cast_signed() & mask(word.ty));
        }
        let count = self.count_from(word.first, word.bits);
        let all = self.int(u64::MAX);
        let above = self.b.ins().ishl(all, count);
        let below = self.b.ins().bnot(above);
        // The host shifts by the amount modulo 64.
        let whole = self.b.ins().icmp_imm_s(IntCC::Equal, count, 64);
        let below = self.b.ins().select(whole, all, below);
        self.narrow(below, word.ty)
    }

    /// Stores the bits of a word that are below `vl` and, if `active` has bits, active.
    fn put_word(&mut self, register: u8, word: Word, value: Value, active: Option<Value>) {
        let all = u64::from(word.ty.bits());
        let mut value = value;
        if word.bits < all || active.is_some() || self.known.any_length {
            let mut new = self.bits_below(word);
            if let Some(active) = active {
                new = self.b.ins().band(new, active);
            }
            let old = self.word(register, word);
            value = self.b.ins().bitselect(new, value, old);
        }
        let at = self.start_of(register) + word.first / 8;
        self.put_scalar(at, value);
    }

    /// The bits of an operand that are below `vl` and active.
    fn active_bits(&mut self, i: &Inst, word: Word) -> Value {
        let mut value = self.word(i.rs2, word);
        if !i.unmasked {
            let active = self.word(0, word);
            value = self.b.ins().band(value, active);
        }
        if word.bits < u64::from(word.ty.bits()) || self.known.any_length {
            let below = self.bits_below(word);
            value = self.b.ins().band(value, below);
        }
        if word.ty == types::I64 { value } else { self.b.ins().uextend(types::I64, value) }
    }

    pub(super) fn compare_vectors(&mut self, i: &Inst, compare: Compare, size: u64, elements: u64) {
        let source = Source { size, extend: Extend::Zero };
        let second = self.second(i, source, size, Operation::Add);
        let masked = !i.unmasked && !matches!(compare, Compare::Carry { .. });
        let lanes = CHUNK / size;
        let mut results = Vec::new();
        let mut active_lanes = Vec::new();
        for word in words(elements) {
            let mut all: Option<Value> = None;
            for k in 0..word.bits.div_ceil(lanes) {
                let chunk = word.first / lanes + k;
                let float = matches!(compare, Compare::Float(_)) && size >= 4;
                let operand = |lower: &mut Self, register| {
                    let at = lower.start_of(register) + chunk * CHUNK;
                    if float {
                        lower.number_chunk(at, floats(size)).0
                    } else {
                        lower.chunk(at, integers(size))
                    }
                };
                let a = operand(self, i.rs2);
                let b = match second {
                    Second::Register(register) => operand(self, register),
                    Second::All(value) | Second::Amount(value) => value,
                };
                let holds = match compare {
                    Compare::Int(code) => self.compare_integers(code, a, b, size),
                    Compare::Carry { borrow, mask } => {
                        let active = mask.then(|| self.active(size, chunk));
                        self.carry(borrow, active, a, b, size)
                    }
                    Compare::Float(code) if size == 2 => self.compare_halves(code, a, b),
                    Compare::Float(code) => {
                        let [a, b] = [a, b].map(|v| self.cast(v, floats(size)));
                        self.b.ins().fcmp(code, a, b)
                    }
                };
                let holds = self.cast(holds, integers(size));
                if (chunk + 1) * lanes <= elements {
                    active_lanes.push((chunk, holds));
                }
                let bits = self.b.ins().vhigh_bits(types::I32, holds);
                let bits = match word.ty {
                    types::I64 => self.b.ins().uextend(types::I64, bits),
                    types::I32 => bits,
                    ty => self.b.ins().ireduce(ty, bits),
                };
                all = Some(match all {
                    None => bits,
                    Some(all) => {
                        let by = (k * lanes).cast_signed();
                        let bits = self.b.ins().ishl_imm_u(bits, by);
                        self.b.ins().bor(all, bits)
                    }
                });
            }
            // The destination may be the mask register, so this reads the mask before it is stored.
            let active = masked.then(|| self.word(0, word));
            results.extend(all.map(|all| (word, all, active)));
        }
        for (word, value, active) in results {
            self.put_word(i.rd, word, value, active);
        }
        // A mask for all elements of a chunk is already there in the form that results need.
        if i.rd == 0 && i.unmasked && !self.known.any_length {
            for (chunk, lanes) in active_lanes {
                self.set_active(size, chunk, lanes);
            }
        }
    }

    /// The lanes whose sum or difference overflows, with 1 more or less where `active` has ones.
    fn carry(
        &mut self,
        borrow: bool,
        active: Option<Value>,
        a: Value,
        b: Value,
        size: u64,
    ) -> Value {
        let ty = integers(size);
        let (out, last) = if borrow {
            let difference = self.b.ins().isub(a, b);
            let out = self.compare_integers(IntCC::UnsignedLessThan, a, b, size);
            let zero = self.constant(|_| 0);
            (out, (difference, zero))
        } else {
            let sum = self.b.ins().iadd(a, b);
            let out = self.compare_integers(IntCC::UnsignedLessThan, sum, a, size);
            let ones = self.constant(|_| 0xff);
            (out, (sum, ones))
        };
        let Some(active) = active else { return out };
        // The carry overflows only at the last number.
        let (value, limit) = last;
        let limit = self.cast(limit, ty);
        let at_limit = self.b.ins().icmp(IntCC::Equal, value, limit);
        let more = self.b.ins().band(at_limit, active);
        self.b.ins().bor(out, more)
    }

    /// The bits `first` to `first + count - 1` of a mask register, as the low bits of a word.
    /// `first` is a multiple of 64, and `count` at most 64.
    pub(super) fn mask_bits(&mut self, register: u8, first: u64, count: u64) -> Value {
        let Some(word) = words(count).first().copied() else { return self.int(0) };
        let bits = self.word(register, Word { first, ..word });
        let below = self
            .b
            .ins()
            .iconst(word.ty, mask(word.ty) & (u64::MAX >> (64 - word.bits)).cast_signed());
        let bits = self.b.ins().band(bits, below);
        if word.ty == types::I64 { bits } else { self.b.ins().uextend(types::I64, bits) }
    }

    /// The bits of a mask, or ones, for the elements below `vl`, 64 in a word.
    pub(super) fn words_below(&mut self, mask: Option<u8>, elements: u64) -> Vec<Value> {
        let firsts = (0..elements).step_by(64);
        firsts.map(|first| self.word_below(mask, first, elements)).collect()
    }

    fn word_below(&mut self, mask: Option<u8>, first: u64, elements: u64) -> Value {
        let bits = (elements - first).min(64);
        let word = match mask {
            Some(register) => self.mask_bits(register, first, bits),
            None => self.int(u64::MAX >> (64 - bits)),
        };
        if !self.known.any_length {
            return word;
        }
        let all = self.int(u64::MAX);
        if elements < 64 {
            let length = self.length();
            let above = self.b.ins().ishl(all, length);
            return self.b.ins().band_not(word, above);
        }
        let count = self.count_from(first, 64);
        let above = self.b.ins().ishl(all, count);
        let part = self.b.ins().band_not(word, above);
        // The host shifts by the amount modulo 64.
        let whole = self.b.ins().icmp_imm_s(IntCC::Equal, count, 64);
        self.b.ins().select(whole, word, part)
    }

    /// A loop over the bits that are set in a word, the lowest first. `each` gets the number of the
    /// bit and a value, at first `start`, and returns the value for the next bit. The last value.
    pub(super) fn each_bit(
        &mut self,
        bits: Value,
        start: Value,
        each: impl FnOnce(&mut Self, Value, Value) -> Value,
    ) -> Value {
        let [head, body, end] = [(); 3].map(|()| self.b.create_block());
        let left = self.b.append_block_param(head, types::I64);
        let value = self.b.append_block_param(head, types::I64);
        self.b.ins().jump(head, &[bits.into(), start.into()]);
        self.b.switch_to_block(head);
        self.b.ins().brif(left, body, &[], end, &[]);
        self.b.switch_to_block(body);
        self.b.seal_block(body);
        let number = self.b.ins().ctz(left);
        let next = each(self, number, value);
        // Without its lowest bit.
        let less = self.b.ins().iadd_imm_s(left, -1);
        let rest = self.b.ins().band(left, less);
        self.b.ins().jump(head, &[rest.into(), next.into()]);
        self.b.seal_block(head);
        self.b.switch_to_block(end);
        self.b.seal_block(end);
        value
    }

    pub(super) fn mask_logic(&mut self, i: &Inst, logic: Logic, elements: u64) {
        for word in words(elements) {
            let (a, mut b) = (self.word(i.rs2, word), self.word(i.rs1, word));
            if logic.invert_second {
                b = self.b.ins().bnot(b);
            }
            let mut value = match logic.operation {
                Operation::And => self.b.ins().band(a, b),
                Operation::Or => self.b.ins().bor(a, b),
                _ => self.b.ins().bxor(a, b),
            };
            if logic.invert {
                value = self.b.ins().bnot(value);
            }
            self.put_word(i.rd, word, value, None);
        }
    }

    /// The number of active elements among those that the mask register `v0` has bits for.
    pub(crate) fn count_active(&mut self, elements: u64) -> Value {
        let mut sum = self.int(0);
        for word in words(elements) {
            let (bits, below) = (self.word(0, word), self.bits_below(word));
            let bits = self.b.ins().band(bits, below);
            let count = self.b.ins().popcnt(bits);
            let count =
                if word.ty == types::I64 { count } else { self.b.ins().uextend(types::I64, count) };
            sum = self.b.ins().iadd(sum, count);
        }
        sum
    }

    pub(super) fn count_mask(&mut self, i: &Inst, elements: u64) {
        let mut sum = self.int(0);
        for word in words(elements) {
            let bits = self.active_bits(i, word);
            let count = self.b.ins().popcnt(bits);
            sum = self.b.ins().iadd(sum, count);
        }
        self.set_x(i.rd, sum);
    }

    /// `vmsbf`, `vmsif` and `vmsof`: the bits before the first one that is set, with that bit, or
    /// only that bit. The mask has one word.
    pub(super) fn mark_first(&mut self, i: &Inst, elements: u64) {
        let Some(word) = words(elements).first().copied() else { return };
        let bits = self.active_bits(i, word);
        // The bits up to the first one change if 1 is subtracted.
        let less = self.b.ins().iadd_imm_s(bits, -1);
        let value = match i.op {
            Op::VmsbfM => self.b.ins().band_not(less, bits),
            Op::VmsifM => self.b.ins().bxor(less, bits),
            _ => self.b.ins().band_not(bits, less),
        };
        let value = self.narrow(value, word.ty);
        let active = (!i.unmasked).then(|| self.word(0, word));
        self.put_word(i.rd, word, value, active);
    }

    pub(super) fn find_first(&mut self, i: &Inst, elements: u64) {
        let mut first = self.int(u64::MAX);
        for word in words(elements).into_iter().rev() {
            let bits = self.active_bits(i, word);
            let zeros = self.b.ins().ctz(bits);
            let number = self.b.ins().iadd_imm_s(zeros, word.first.cast_signed());
            let some = self.b.ins().icmp_imm_s(IntCC::NotEqual, bits, 0);
            first = self.b.ins().select(some, number, first);
        }
        self.set_x(i.rd, first);
    }
}

/// All bits of an integer type, as an operand of `iconst`.
fn mask(ty: Type) -> i64 {
    if ty == types::I64 { -1 } else { (1 << ty.bits()) - 1 }
}
