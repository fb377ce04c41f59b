//! The vector unit (V 1.0, VLEN 64 to 4096, ELEN 64): its state, `vset*`, and the element loops
//! that all instructions share. Invariants: tail and masked-off elements stay undisturbed, whatever
//! the policy bits say; sources are copied before a destination is written, so overlap cannot
//! change a result; the alignment check of a register group precedes all accesses, so a group never
//! exceeds the file. Not here: single instructions (sibling modules).

mod float;
mod half;
mod integer;
mod mask;
mod memory;
mod permute;
mod quick;
mod reduce;

use crate::fault::Trap;
use crate::hart::Hart;
use bytemuck::{Pod, cast_slice, cast_slice_mut};
use muxcl_rv_isa::{Format, Inst, OP_COUNT, Op, Xlen};
use std::mem::offset_of;
use std::sync::atomic::{AtomicU8, Ordering};

/// Size in bytes of the longest element.
const ELEN: usize = 8;
/// Number of 64-bit words of the longest mask register.
const MASK_WORDS: usize = 64;

/// A decoded `vtype`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct VType {
    pub(crate) raw: u64,
    pub(crate) illegal: bool,
    /// Size in bytes of an element.
    pub(crate) sew: usize,
    /// Binary logarithm of LMUL.
    pub(crate) lmul: i32,
}

impl VType {
    pub(crate) const ILLEGAL: Self = Self { raw: 0, illegal: true, sew: 1, lmul: 0 };

    pub(crate) fn new(raw: u64) -> Self {
        let lmul = match raw & 7 {
            4 => return Self::ILLEGAL,
            n @ 5..=7 => n as i32 - 8,
            n => n as i32,
        };
        let sew = 1usize << (raw >> 3 & 7).min(4);
        // SEW must not exceed the fraction of ELEN that a fractional group holds.
        if raw >> 8 != 0 || sew > ELEN || (lmul < 0 && sew > ELEN >> -lmul) {
            return Self::ILLEGAL;
        }
        Self { raw, illegal: false, sew, lmul }
    }

    /// The value of the `vtype` CSR.
    pub(crate) fn bits(self, xlen: Xlen) -> u64 {
        match (self.illegal, xlen) {
            (false, _) => self.raw,
            (true, Xlen::Rv64) => 1 << 63,
            (true, Xlen::Rv32) => 0xffff_ffff_8000_0000,
        }
    }
}

/// State of the vector unit.
#[derive(Debug)]
pub(crate) struct VectorState {
    /// 32 registers, plus padding so that a chunk that begins in the last register can be read.
    regs: Vec<u64>,
    /// Copies of the source operands.
    a: Vec<u64>,
    b: Vec<u64>,
    /// Index operands of an indexed access.
    indices: Vec<u64>,
    /// Whether the processor supports the second compilation in `quick.rs` (AVX2 and FMA).
    wide: bool,
    /// Whether the processor has the instructions of `half.rs`.
    converts: bool,
    pub(crate) vl: usize,
    pub(crate) vstart: usize,
    pub(crate) vlenb: usize,
    pub(crate) vtype: VType,
    pub(crate) vxsat: bool,
    pub(crate) vxrm: u8,
}

/// An element of a vector register.
trait Elem: Pod {
    /// Truncates a scalar to the element width.
    fn of(value: u64) -> Self;
}

macro_rules! elem {
    ($($t:ty)*) => { $(impl Elem for $t { #[inline(always)] fn of(value: u64) -> Self {
        value as Self } })* };
}
elem!(u8 u16 u32 u64);

macro_rules! elem_signed {
    ($($t:ty)*) => { $(impl Elem for $t { #[inline(always)] fn of(value: u64) -> Self {
        value.cast_signed() as Self } })* };
}
elem_signed!(i8 i16 i32 i64);

/// The second source of an instruction.
#[derive(Debug, Clone, Copy)]
enum Source {
    /// A vector register.
    Vector(u8),
    /// A scalar, the same value for all elements.
    Scalar(u64),
}

/// A copy of `v0`.
struct Mask {
    /// Inline storage for registers of up to 512 bits.
    short: [u64; 8],
    long: Option<Box<[u64; MASK_WORDS]>>,
}

impl Mask {
    #[inline(always)]
    fn get(&self, k: usize) -> bool {
        let word = match &self.long {
            None => self.short[(k / 64) & 7],
            Some(words) => words[(k / 64) & (MASK_WORDS - 1)],
        };
        word >> (k % 64) & 1 == 1
    }

    /// Bits `8 * k` to `8 * k + 7`.
    fn byte(&self, k: usize) -> u8 {
        let word = match &self.long {
            None => self.short[(k / 8) & 7],
            Some(words) => words[(k / 8) & (MASK_WORDS - 1)],
        };
        word.to_le_bytes()[k % 8]
    }
}

/// Offsets of the fields that translated code uses.
impl VectorState {
    pub(crate) const VL: usize = offset_of!(Self, vl);
    pub(crate) const VSTART: usize = offset_of!(Self, vstart);
    pub(crate) const VXSAT: usize = offset_of!(Self, vxsat);
    pub(crate) const VXRM: usize = offset_of!(Self, vxrm);
    pub(crate) const RAW: usize = offset_of!(Self, vtype) + offset_of!(VType, raw);
    pub(crate) const ILLEGAL: usize = offset_of!(Self, vtype) + offset_of!(VType, illegal);
    pub(crate) const SEW: usize = offset_of!(Self, vtype) + offset_of!(VType, sew);
    pub(crate) const LMUL: usize = offset_of!(Self, vtype) + offset_of!(VType, lmul);

    /// Address of the first register. The file never moves.
    pub(crate) fn file(&mut self) -> usize {
        self.regs.as_mut_ptr().expose_provenance()
    }
}

impl VectorState {
    pub(crate) fn new(vlenb: usize) -> Self {
        Self {
            regs: vec![0; 32 * vlenb / 8 + quick::CHUNK / 8],
            a: vec![0; vlenb],
            b: vec![0; vlenb],
            indices: Vec::new(),
            wide: quick::wide(),
            converts: half::available(),
            vl: 0,
            vstart: 0,
            vlenb,
            vtype: VType::ILLEGAL,
            vxsat: false,
            vxrm: 0,
        }
    }

    /// The bytes of register `n`.
    pub(crate) fn register(&self, n: u8) -> &[u8] {
        let at = usize::from(n & 31) * self.vlenb;
        &cast_slice(&self.regs)[at..at + self.vlenb]
    }

    /// The bytes of register `n`, mutable.
    pub(crate) fn register_mut(&mut self, n: u8) -> &mut [u8] {
        let at = usize::from(n & 31) * self.vlenb;
        &mut cast_slice_mut(&mut self.regs)[at..at + self.vlenb]
    }

    /// VLMAX: the largest `vl` under the current type.
    fn vlmax(&self) -> usize {
        let bits = if self.vtype.lmul < 0 {
            self.vlenb >> -self.vtype.lmul
        } else {
            self.vlenb << self.vtype.lmul
        };
        bits / self.vtype.sew
    }

    /// Binary logarithm of the group size in registers, for elements of `size` bytes.
    fn emul(&self, size: usize) -> i32 {
        self.vtype.lmul + size.trailing_zeros() as i32 - self.vtype.sew.trailing_zeros() as i32
    }

    /// Checks that `register` can begin a group for elements of `size` bytes.
    fn group(&self, register: u8, size: usize) -> Result<(), Trap> {
        let emul = self.emul(size);
        let aligned = emul <= 0 || u32::from(register).trailing_zeros() >= emul.unsigned_abs();
        if (-3..=3).contains(&emul) && size <= ELEN && aligned {
            Ok(())
        } else {
            Err(Trap::ILLEGAL)
        }
    }

    /// As [`Self::group`], for a destination: a masked instruction must not write the mask
    /// register.
    fn destination(&self, i: &Inst, size: usize) -> Result<(), Trap> {
        self.group(i.rd, size)?;
        if !i.unmasked && i.rd == 0 { Err(Trap::ILLEGAL) } else { Ok(()) }
    }

    fn mask(&self) -> Mask {
        let mut mask = Mask { short: [0; 8], long: None };
        let words = self.vlenb / 8;
        if words <= 8 {
            mask.short[..words].copy_from_slice(&self.regs[..words]);
        } else {
            let mut long = Box::new([0; MASK_WORDS]);
            long[..words].copy_from_slice(&self.regs[..words]);
            mask.long = Some(long);
        }
        mask
    }

    /// The elements from the start of `register` to the end of the register file.
    fn elements<T: Elem>(&self, register: u8) -> &[T] {
        &cast_slice(&self.regs)[usize::from(register) * self.vlenb / size_of::<T>()..]
    }

    fn elements_mut<T: Elem>(&mut self, register: u8) -> &mut [T] {
        let at = usize::from(register) * self.vlenb / size_of::<T>();
        &mut cast_slice_mut(&mut self.regs)[at..]
    }

    /// Bit `k` of a mask register.
    fn bit(&self, register: u8, k: usize) -> bool {
        self.register(register)[k / 8] >> (k % 8) & 1 == 1
    }

    fn set_bit(&mut self, register: u8, k: usize, value: bool) {
        let byte = &mut self.register_mut(register)[k / 8];
        *byte = *byte & !(1 << (k % 8)) | u8::from(value) << (k % 8);
    }

    /// Copies `n` elements of both sources to the scratch space.
    fn sources<A: Elem, B: Elem>(
        &mut self,
        i: &Inst,
        second: Source,
        n: usize,
    ) -> Result<(), Trap> {
        self.group(i.rs2, size_of::<A>())?;
        let vlenb = self.vlenb;
        let from = usize::from(i.rs2) * vlenb / size_of::<A>();
        cast_slice_mut::<u64, A>(&mut self.a)[..n]
            .copy_from_slice(&cast_slice::<u64, A>(&self.regs)[from..from + n]);
        match second {
            Source::Scalar(value) => cast_slice_mut::<u64, B>(&mut self.b)[..n].fill(B::of(value)),
            Source::Vector(register) => {
                self.group(register, size_of::<B>())?;
                let from = usize::from(register) * vlenb / size_of::<B>();
                cast_slice_mut::<u64, B>(&mut self.b)[..n]
                    .copy_from_slice(&cast_slice::<u64, B>(&self.regs)[from..from + n]);
            }
        }
        Ok(())
    }

    /// `vd[k] = f(vd[k], vs2[k], second[k])` for every active element.
    fn map<D: Elem, A: Elem, B: Elem>(
        &mut self,
        i: &Inst,
        second: Source,
        mut f: impl FnMut(D, A, B) -> D,
    ) -> Result<(), Trap> {
        self.destination(i, size_of::<D>())?;
        let (n, start) = (self.vl, std::mem::take(&mut self.vstart));
        self.sources::<A, B>(i, second, n)?;
        let mask = if i.unmasked { None } else { Some(self.mask()) };
        let at = usize::from(i.rd) * self.vlenb / size_of::<D>();
        let d = &mut cast_slice_mut::<u64, D>(&mut self.regs)[at..at + n];
        let (a, b) = (&cast_slice::<u64, A>(&self.a)[..n], &cast_slice::<u64, B>(&self.b)[..n]);
        match mask {
            None if start == 0 => {
                for ((d, a), b) in d.iter_mut().zip(a).zip(b) {
                    *d = f(*d, *a, *b);
                }
            }
            mask => {
                for k in start..n {
                    if mask.as_ref().is_none_or(|m| m.get(k)) {
                        d[k] = f(d[k], a[k], b[k]);
                    }
                }
            }
        }
        Ok(())
    }

    /// As [`Self::map`], with `v0` as an operand and every element active.
    fn map_carry<T: Elem>(
        &mut self,
        i: &Inst,
        second: Source,
        f: impl Fn(T, T, bool) -> T,
    ) -> Result<(), Trap> {
        self.destination(i, size_of::<T>())?;
        let (n, start) = (self.vl, std::mem::take(&mut self.vstart));
        self.sources::<T, T>(i, second, n)?;
        let mask = self.mask();
        for k in start..n {
            let value =
                f(cast_slice::<u64, T>(&self.a)[k], cast_slice::<u64, T>(&self.b)[k], mask.get(k));
            self.elements_mut::<T>(i.rd)[k] = value;
        }
        Ok(())
    }

    /// `vd.mask[k] = f(vs2[k], second[k], v0.mask[k])`, for every element if `all`, otherwise for
    /// the active elements.
    fn map_to_mask<T: Elem>(
        &mut self,
        i: &Inst,
        second: Source,
        all: bool,
        mut f: impl FnMut(T, T, bool) -> bool,
    ) -> Result<(), Trap> {
        let (n, start) = (self.vl, std::mem::take(&mut self.vstart));
        self.sources::<T, T>(i, second, n)?;
        let mask = self.mask();
        let every = all || i.unmasked;
        let (a, b) = (&cast_slice::<u64, T>(&self.a)[..n], &cast_slice::<u64, T>(&self.b)[..n]);
        let at = usize::from(i.rd) * self.vlenb;
        let out = &mut cast_slice_mut::<u64, u8>(&mut self.regs)[at..at + self.vlenb];
        // Eight elements make a byte of the mask.
        for (byte, out) in (start / 8..).zip(&mut out[start / 8..n.div_ceil(8).max(start / 8)]) {
            let (mut value, mut active) = (0u8, 0u8);
            for k in byte * 8..(byte * 8 + 8).min(n) {
                if k >= start && (every || mask.get(k)) {
                    active |= 1 << (k % 8);
                    value |= u8::from(f(a[k], b[k], mask.get(k))) << (k % 8);
                }
            }
            *out = *out & !active | value;
        }
        Ok(())
    }

    /// Sets `vl` from `avl`, and `vtype`; `None` keeps `vl`.
    fn configure(&mut self, raw: u64, avl: Option<u64>) -> u64 {
        self.vtype = VType::new(raw);
        self.vstart = 0;
        self.vl = if self.vtype.illegal {
            0
        } else {
            let max = self.vlmax();
            avl.map_or(self.vl, |n| usize::try_from(n).unwrap_or(usize::MAX)).min(max)
        };
        self.vl as u64
    }
}

/// Evaluates an expression with type aliases of the element width (unsigned `U`, signed `S`) and of
/// twice that width (`W`, `X`).
macro_rules! by_sew {
    ($sew:expr, $e:expr) => {
        match $sew {
            1 => by_sew!(@ u8 i8 u16 i16, $e),
            2 => by_sew!(@ u16 i16 u32 i32, $e),
            4 => by_sew!(@ u32 i32 u64 i64, $e),
            _ => by_sew!(@ u64 i64 u128 i128, $e),
        }
    };
    (@ $u:ident $s:ident $w:ident $x:ident, $e:expr) => {{
        type U = $u;
        type S = $s;
        type W = $w;
        type X = $x;
        // This constant uses every alias, because some expressions do not.
        const _: [usize; 4] = [size_of::<U>(), size_of::<S>(), size_of::<W>(), size_of::<X>()];
        $e
    }};
}
use by_sew;

impl Hart {
    /// A vector register's bytes.
    #[must_use]
    pub fn v(&self, register: u8) -> &[u8] {
        self.v.register(register)
    }

    /// Sets a vector register. Bytes past the end of the argument stay unchanged.
    pub fn set_v(&mut self, register: u8, bytes: &[u8]) {
        let to = self.v.register_mut(register);
        let n = bytes.len().min(to.len());
        to[..n].copy_from_slice(&bytes[..n]);
    }

    fn second(&self, i: &Inst) -> Source {
        let imm = i64::from(i.imm).cast_unsigned();
        match i.op.row().format {
            Format::VVV | Format::VVVC | Format::VVVN | Format::VAccV | Format::VMvV => {
                Source::Vector(i.rs1)
            }
            Format::VVX | Format::VVXC | Format::VVXN | Format::VAccX | Format::VMvX => {
                Source::Scalar(self.x(i.rs1))
            }
            Format::VVF | Format::VVFC | Format::VAccF | Format::VMvF => {
                Source::Scalar(self.float_scalar(i.rs1))
            }
            _ => Source::Scalar(imm),
        }
    }

    /// Reads a floating-point register at the element width.
    fn float_scalar(&self, register: u8) -> u64 {
        match self.v.vtype.sew {
            2 => self.f_in::<crate::soft::Half>(register),
            4 => self.f_in::<crate::soft::Single>(register),
            _ => self.f(register),
        }
    }

    /// Executes a vector instruction.
    pub(crate) fn vector(&mut self, i: &Inst) -> Result<(), Trap> {
        match i.op {
            Op::Vsetvli | Op::Vsetivli | Op::Vsetvl => {
                let raw = if i.op == Op::Vsetvl {
                    self.x(i.rs2)
                } else {
                    i64::from(i.imm).cast_unsigned()
                };
                let raw = if self.xlen() == Xlen::Rv32 { u64::from(raw as u32) } else { raw };
                let avl = match i.op {
                    Op::Vsetivli => Some(i.rs1.into()),
                    _ if i.rs1 != 0 => Some(self.address(self.x(i.rs1))),
                    _ if i.rd != 0 => Some(u64::MAX),
                    _ => None,
                };
                let vl = self.v.configure(raw, avl);
                self.set_x(i.rd, vl);
                return Ok(());
            }
            _ => {}
        }
        if self.v.vtype.sew == 2
            && let Some(done) = self.quick_half(i)
        {
            return done;
        }
        if i.unmasked
            && let Some(done) = self.quick(i)
        {
            return done;
        }
        if let Some(access) = memory::access_of(i) {
            return self.vector_access(i, access);
        }
        if matches!(i.op, Op::Vmv1rV | Op::Vmv2rV | Op::Vmv4rV | Op::Vmv8rV) {
            return self.v.move_whole(i);
        }
        if self.v.vtype.illegal {
            return Err(Trap::ILLEGAL);
        }
        self.by_class(i)
    }

    /// Executes the remaining instructions. The sibling modules are tried in turn once per
    /// instruction, and the result is cached.
    fn by_class(&mut self, i: &Inst) -> Result<(), Trap> {
        static CLASS: [AtomicU8; OP_COUNT] = [const { AtomicU8::new(0) }; OP_COUNT];
        if i.op == Op::VfmergeVfm && !self.has_vector_format() {
            return Err(Trap::ILLEGAL);
        }
        let second = self.second(i);
        let class = &CLASS[i.op as usize];
        let known = class.load(Ordering::Relaxed);
        for number in known..5 {
            let done = match number {
                0 => self.v.integer(i, second),
                1 => self.vector_float(i, second),
                2 => self.v.reduce(i),
                3 => self.vector_mask(i),
                _ => Some(self.vector_permute(i, second)),
            };
            if let Some(done) = done {
                if known != number {
                    class.store(number, Ordering::Relaxed);
                }
                return done;
            }
        }
        Err(Trap::ILLEGAL)
    }
}
