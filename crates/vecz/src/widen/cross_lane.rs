//! Generates the code of the operations between lanes ([`crate::cross_lane`]).
//!
//! In reductions and scans, the neutral value of the operation replaces the values of lanes outside
//! the mask. It does not change the result, not even the sign of zero, because the chains of
//! floating-point sums start at +0 in any case.

use std::cmp::Ordering;

use muxcl_llvm::{IntPredicate, Opcode, Type, TypeKind, Value};

use super::{Lanes, Widen};
use crate::cross_lane::{Combine, Operation};
use crate::shapes::elements_of;

/// The number of operands through which [`Widen::in_lane`] follows a value.
const DEPTH: u32 = 16;

impl<'m> Widen<'_, 'm, '_> {
    /// Generates the code for the call `i` of `operation`. Returns its result; `None` for a
    /// barrier.
    pub(super) fn cross_lane(&mut self, i: Value<'m>, operation: Operation) -> Option<Lanes<'m>> {
        let args = i.args();
        // A barrier has no argument and needs no code: each instruction runs for all lanes before
        // the next instruction.
        let x = args.first().copied()?;
        let lanes = self.lookup(x);
        if let Operation::Pick = operation {
            return Some(self.pick(&lanes, x.ty(), args[1]));
        }
        let v = self.components(&lanes, x.ty())[0];
        Some(match operation {
            Operation::Barrier | Operation::Pick => return None,
            Operation::Votes => {
                let v = self.or_neutral(v, v.ty().element().constant(0));
                Lanes::Scalar(self.bits(v, i.ty()))
            }
            Operation::First => Lanes::Scalar(self.first_of_mask(&lanes, x.ty())),
            Operation::Reduce(with) => Lanes::Scalar(self.reduced(v, with)),
            Operation::Scan(with) => Lanes::Vector(vec![self.scanned(v, with)]),
            Operation::Before(with) => {
                let sums = self.scanned(v, with);
                Lanes::Vector(vec![self.moved_up(sums, 1, with)])
            }
            Operation::Cluster(with) => {
                let size = args[1].as_u64().unwrap_or(1).clamp(1, self.width.count.into());
                Lanes::Vector(vec![self.clusters(v, with, u32::try_from(size).unwrap_or(1))])
            }
        })
    }

    /// The mask as an integer of type `ty`, with lane 0 in the lowest bit.
    pub(super) fn bits(&self, mask: Value<'m>, ty: Type<'m>) -> Value<'m> {
        let b = self.b();
        b.zext_or_trunc(b.bitcast(mask, self.module.cx().int(self.width.count)), ty)
    }

    /// The value in the first lane of the mask.
    fn first_of_mask(&self, lanes: &Lanes<'m>, ty: Type<'m>) -> Value<'m> {
        let cx = self.module.cx();
        let Some(mask) = self.mask else { return self.lane(lanes, ty, cx.u32(0)) };
        let i64 = cx.i64();
        let b = self.b();
        // The bit of the last lane is always set, so that the result is a lane if the mask is
        // empty.
        let some = b.or(self.bits(mask, i64), i64.constant(1 << (self.width.count - 1)));
        self.lane(lanes, ty, self.first_bit(some))
    }

    /// The number of the lowest bit that is set, an `i32`. `bits`: an `i64`, not zero.
    pub(super) fn first_bit(&self, bits: Value<'m>) -> Value<'m> {
        let cx = self.module.cx();
        let ty = cx.function(cx.i64(), &[cx.i64(), cx.i1()]);
        let count = self.module.get_or_add_function("llvm.cttz.i64", ty);
        let b = self.b();
        b.trunc(b.call(count, &[bits, cx.bool(true)]), cx.i32())
    }

    /// A shuffle: each lane gets the value that `x` has in the lane with the number `index`.
    fn pick(&mut self, x: &Lanes<'m>, ty: Type<'m>, index: Value<'m>) -> Lanes<'m> {
        if let Lanes::Scalar(v) = x {
            return Lanes::Scalar(*v);
        }
        let last = u64::from(self.width.count - 1);
        if let Lanes::Scalar(n) = self.lookup(index) {
            let b = self.b();
            let n = b.and(b.freeze(n), n.ty().constant(last));
            return Lanes::Scalar(self.lane(x, ty, n));
        }
        let parts = self.components(x, ty);
        let fixed: Option<Vec<i32>> = (0..self.width.count.into())
            .map(|lane| Some(i32::try_from(self.in_lane(index, lane, DEPTH)? & last).unwrap_or(0)))
            .collect();
        if let Some(list) = fixed {
            let b = self.b();
            let picked = parts.into_iter().map(|v| b.shuffle(v, v.ty().poison(), &list));
            return Lanes::Vector(picked.collect());
        }
        let lanes = self.lookup(index);
        let index = self.components(&lanes, index.ty())[0];
        let b = self.b();
        let index =
            b.and(b.freeze(index), b.splat(index.ty().element().constant(last), self.width.count));
        Lanes::Vector(parts.into_iter().map(|v| self.permuted(v, index)).collect())
    }

    /// The value of an integer in lane `lane`, if it depends only on constants and on the lane's
    /// number. `depth` limits the recursion.
    fn in_lane(&self, v: Value<'m>, lane: u64, depth: u32) -> Option<u64> {
        use Opcode as O;
        if let Some(n) = v.as_u64() {
            return Some(n);
        }
        if v == self.graph.counter.phi {
            return Some(lane);
        }
        self.graph.block_of(v)?;
        let depth = depth.checked_sub(1)?;
        let of = |n: u32| self.in_lane(v.operand(n), lane, depth);
        let width = v.ty().is_int().then(|| v.ty().int_width())?;
        let shift = |n: u64| (n < width.into()).then_some(n);
        let n = match v.opcode() {
            O::Add => of(0)?.wrapping_add(of(1)?),
            O::Sub => of(0)?.wrapping_sub(of(1)?),
            O::Mul => of(0)?.wrapping_mul(of(1)?),
            O::And => of(0)? & of(1)?,
            O::Or => of(0)? | of(1)?,
            O::Xor => of(0)? ^ of(1)?,
            O::Shl => of(0)? << shift(of(1)?)?,
            O::LShr => of(0)? >> shift(of(1)?)?,
            O::URem => of(0)?.checked_rem(of(1)?)?,
            O::UDiv => of(0)?.checked_div(of(1)?)?,
            O::Trunc | O::ZExt | O::Freeze => of(0)?,
            O::Select => {
                let chosen = if self.holds(v.operand(0), lane, depth)? { 1 } else { 2 };
                of(chosen)?
            }
            _ => return None,
        };
        Some(if width < 64 { n & ((1 << width) - 1) } else { n })
    }

    /// The result of a comparison of unsigned integers in lane `lane`, under the same condition.
    fn holds(&self, v: Value<'m>, lane: u64, depth: u32) -> Option<bool> {
        if !v.is_instruction() || v.opcode() != Opcode::ICmp {
            return None;
        }
        let of = |n: u32| self.in_lane(v.operand(n), lane, depth);
        let (a, b) = (of(0)?, of(1)?);
        Some(match v.int_predicate() {
            IntPredicate::Eq => a == b,
            IntPredicate::Ne => a != b,
            IntPredicate::Ult => a < b,
            IntPredicate::Ule => a <= b,
            IntPredicate::Ugt => a > b,
            IntPredicate::Uge => a >= b,
            _ => return None,
        })
    }

    /// The vector whose lane *n* is lane `index[n]` of `v`. LLVM generates one permute instruction
    /// for a vector that fits a register. Longer vectors are permuted in pieces of that size: each
    /// piece of the result selects among the permuted pieces of `v`.
    fn permuted(&self, v: Value<'m>, index: Value<'m>) -> Value<'m> {
        let b = self.b();
        let element = v.ty().element();
        let bits = u32::try_from(self.module.size_of(element) * 8).unwrap_or(64);
        let piece = (self.register_bits / bits).clamp(1, self.width.count);
        let number = element.cx().int(bits);
        let index = match index.ty().element().int_width().cmp(&bits) {
            Ordering::Less => b.zext(index, self.wide(number)),
            Ordering::Equal => index,
            Ordering::Greater => b.trunc(index, self.wide(number)),
        };
        let take = |v: Value<'m>, from: u32| {
            let list: Vec<i32> = (from..from + piece).map(u32::cast_signed).collect();
            b.shuffle(v, v.ty().poison(), &list)
        };
        let splat = |n: u32| b.splat(number.constant(n.into()), piece);
        let starts = || (0..self.width.count).step_by(piece as usize);
        let pieces: Vec<Value<'m>> = starts()
            .map(|to| {
                let index = take(index, to);
                let inside = b.and(index, splat(piece - 1));
                let from = b.and(index, splat(!(piece - 1) & (self.width.count - 1)));
                let mut out = v.ty().element().cx().vector(element, piece).poison();
                for start in starts() {
                    let found = self.permuted_piece(take(v, start), inside, piece);
                    let here = b.icmp(IntPredicate::Eq, from, splat(start));
                    out = if start == 0 { found } else { b.select(here, found, out) };
                }
                out
            })
            .collect();
        self.concatenated(&pieces, piece)
    }

    /// The vector whose lane *n* is lane `index[n]` of `v`, for vectors of `count` lanes.
    fn permuted_piece(&self, v: Value<'m>, index: Value<'m>, count: u32) -> Value<'m> {
        let (b, cx) = (self.b(), self.module.cx());
        let mut out = v.ty().poison();
        for n in 0..count {
            let at = cx.u32(n);
            out = b.insert_element(out, b.extract_element(v, b.extract_element(index, at)), at);
        }
        out
    }

    /// Concatenates vectors of `count` elements. The number of vectors is a power of two.
    fn concatenated(&self, pieces: &[Value<'m>], count: u32) -> Value<'m> {
        let b = self.b();
        let (mut list, mut count) = (pieces.to_vec(), count);
        while list.len() > 1 {
            count *= 2;
            let all: Vec<i32> = (0..count).map(u32::cast_signed).collect();
            list = list.chunks(2).map(|two| b.shuffle(two[0], two[1], &all)).collect();
        }
        list[0]
    }

    /// `v` with `neutral` in lanes outside the mask.
    fn or_neutral(&self, v: Value<'m>, neutral: Value<'m>) -> Value<'m> {
        let b = self.b();
        self.mask.map_or(v, |mask| b.select(mask, v, b.splat(neutral, self.width.count)))
    }

    /// The values of all lanes combined ([`Operation::Reduce`]).
    fn reduced(&self, v: Value<'m>, with: Combine) -> Value<'m> {
        let neutral = self.neutral(v.ty().element(), with);
        let v = self.or_neutral(v, neutral);
        let (b, cx) = (self.b(), self.module.cx());
        if v.ty().element().is_int() {
            let name = format!("llvm.vector.reduce.{}.{}", integer_name(with), suffix(v.ty()));
            let ty = cx.function(v.ty().element(), &[v.ty()]);
            return b.call(self.module.get_or_add_function(&name, ty), &[v]);
        }
        let mut chains = b.splat(neutral, 4);
        for first in (0..self.width.count.cast_signed()).step_by(4) {
            let four = b.shuffle(v, v.ty().poison(), &[first, first + 1, first + 2, first + 3]);
            chains = self.combined(chains, four, with);
        }
        let [a, b, c, d] = [0, 1, 2, 3].map(|n| self.b().extract_element(chains, cx.u32(n)));
        self.combined(self.combined(a, b, with), self.combined(c, d, with), with)
    }

    /// The inclusive scan ([`Operation::Scan`]): in logarithmic time for integers, in the order of
    /// the lanes for floating-point numbers.
    fn scanned(&self, v: Value<'m>, with: Combine) -> Value<'m> {
        let neutral = self.neutral(v.ty().element(), with);
        let mut v = self.or_neutral(v, neutral);
        let (b, cx) = (self.b(), self.module.cx());
        if v.ty().element().is_int() {
            let mut by = 1;
            while by < self.width.count {
                v = self.combined(self.moved_up(v, by, with), v, with);
                by *= 2;
            }
            return v;
        }
        let (mut sum, mut out) = (neutral, v.ty().poison());
        for n in 0..self.width.count {
            sum = self.combined(sum, b.extract_element(v, cx.u32(n)), with);
            out = b.insert_element(out, sum, cx.u32(n));
        }
        out
    }

    /// `v` shifted up by `by` lanes, with the neutral value in the lowest `by` lanes.
    fn moved_up(&self, v: Value<'m>, by: u32, with: Combine) -> Value<'m> {
        let neutral = self.b().splat(self.neutral(v.ty().element(), with), self.width.count);
        let from = |lane: u32| lane.checked_sub(by).unwrap_or(self.width.count);
        let list: Vec<i32> = (0..self.width.count).map(|lane| from(lane).cast_signed()).collect();
        self.b().shuffle(v, neutral, &list)
    }

    /// The reduction of each cluster of `size` lanes ([`Operation::Cluster`]), in all lanes of the
    /// cluster.
    fn clusters(&self, v: Value<'m>, with: Combine, size: u32) -> Value<'m> {
        let neutral = self.neutral(v.ty().element(), with);
        let mut v = self.or_neutral(v, neutral);
        let from = |v: Value<'m>, lane_of: &dyn Fn(u32) -> u32| {
            let list: Vec<i32> =
                (0..self.width.count).map(|lane| lane_of(lane).cast_signed()).collect();
            self.b().shuffle(v, v.ty().poison(), &list)
        };
        if v.ty().element().is_int() {
            let mut by = 1;
            while by < size {
                v = self.combined(v, from(v, &|lane| lane ^ by), with);
                by *= 2;
            }
            return v;
        }
        let start = self.b().splat(neutral, self.width.count);
        (0..size).fold(start, |sum, n| {
            self.combined(sum, from(v, &|lane| (lane & !(size - 1)) + n), with)
        })
    }

    /// Two scalars, or two vectors lane by lane, combined.
    fn combined(&self, x: Value<'m>, y: Value<'m>, with: Combine) -> Value<'m> {
        let b = self.b();
        let element = elements_of(x.ty()).map_or(x.ty(), |l| l.0);
        let call = |name: &str| {
            let name = format!("llvm.{name}.{}", suffix(x.ty()));
            let ty = element.cx().function(x.ty(), &[x.ty(), x.ty()]);
            b.call(self.module.get_or_add_function(&name, ty), &[x, y])
        };
        match (with, element.is_int()) {
            (Combine::Add, true) => b.add(x, y),
            (Combine::Add, false) => b.fadd(x, y),
            (Combine::Mul, true) => b.mul(x, y),
            (Combine::Mul, false) => b.fmul(x, y),
            (Combine::And, _) => b.and(x, y),
            (Combine::Or, _) => b.or(x, y),
            (Combine::Xor, _) => b.xor(x, y),
            (Combine::Min, false) => call("minnum"),
            (Combine::Max, false) => call("maxnum"),
            _ => call(integer_name(with)),
        }
    }

    /// The neutral value of the operation: combined with it, every value of type `ty` is unchanged.
    fn neutral(&self, ty: Type<'m>, with: Combine) -> Value<'m> {
        let bits = u32::try_from(self.module.size_of(ty) * 8).unwrap_or(64);
        let all = u64::MAX >> (64 - bits);
        let sign = 1 << (bits - 1);
        if ty.is_int() {
            return ty.constant(match with {
                Combine::Add | Combine::Or | Combine::Xor | Combine::UMax => 0,
                Combine::Mul => 1,
                Combine::And | Combine::UMin => all,
                Combine::Min => sign - 1,
                Combine::Max => sign,
            });
        }
        let (one, infinity) = match bits {
            16 => (0x3C00, 0x7C00),
            32 => (0x3F80_0000, 0x7F80_0000),
            _ => (0x3FF0_0000_0000_0000, 0x7FF0_0000_0000_0000),
        };
        let number = match with {
            Combine::Mul => one,
            Combine::Min => infinity,
            Combine::Max => infinity | sign,
            _ => 0,
        };
        self.b().bitcast(ty.cx().int(bits).constant(number), ty)
    }
}

/// The name of the operation in LLVM's intrinsics for integers.
fn integer_name(with: Combine) -> &'static str {
    match with {
        Combine::Add => "add",
        Combine::Mul => "mul",
        Combine::Min => "smin",
        Combine::Max => "smax",
        Combine::UMin => "umin",
        Combine::UMax => "umax",
        Combine::And => "and",
        Combine::Or => "or",
        Combine::Xor => "xor",
    }
}

/// The name of a type as it appears in the name of an intrinsic: `v4f32`.
fn suffix(ty: Type<'_>) -> String {
    let (element, count) = elements_of(ty).unwrap_or((ty, 1));
    let name = match element.kind() {
        TypeKind::Half => "f16".to_owned(),
        TypeKind::Float => "f32".to_owned(),
        TypeKind::Double => "f64".to_owned(),
        _ => format!("i{}", element.int_width()),
    };
    if ty.is_vector() { format!("v{count}{name}") } else { name }
}
