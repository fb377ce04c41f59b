//! Fast paths of the frequent unmasked vector instructions: they process whole chunks of registers
//! in a form that the compiler vectorizes, compiled once for any processor and once for AVX2 and
//! FMA. Invariant: results and flags equal those of the elementwise forms, which handle all unusual
//! cases (a mask, `vstart`, another rounding mode, a number that is not normal). Groups of one
//! width are identical or disjoint, so each chunk is read before an instruction overwrites it.

use crate::fast;
use crate::fault::Trap;
use crate::guest;
use crate::hart::Hart;
use crate::soft::{Double, NX, Rounding, Single};
use bytemuck::{Pod, bytes_of, cast_slice, cast_slice_mut, pod_read_unaligned};
use muxcl_rv_isa::{Inst, Op};

/// Size of a chunk in bytes.
pub(super) const CHUNK: usize = 64;

/// Whether this processor supports the second compilation.
pub(super) fn wide() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("fma")
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        false
    }
}

/// The second operand: a byte offset into the register file, or a chunk of one repeated value.
#[derive(Clone, Copy)]
enum Second<A> {
    At(usize),
    All(A),
}

#[inline(always)]
fn read<A: Pod>(regs: &[u64], at: usize) -> A {
    pod_read_unaligned(&cast_slice::<u64, u8>(regs)[at..at + size_of::<A>()])
}

#[inline(always)]
fn write<A: Pod>(regs: &mut [u64], at: usize, value: &A, n: usize) {
    let whole = size_of::<A>();
    let (to, from) = (&mut cast_slice_mut::<u64, u8>(regs)[at..at + whole], bytes_of(value));
    match n {
        n if n == whole => to.copy_from_slice(from),
        32 => to[..32].copy_from_slice(&from[..32]),
        16 => to[..16].copy_from_slice(&from[..16]),
        n => to[..n].copy_from_slice(&from[..n]),
    }
}

/// `d = result(d, a, b)`, chunk by chunk over `bytes` bytes. A macro, because the compiler would
/// not use the wide instructions inside a closure.
macro_rules! chunks {
    ($A:ty, $regs:expr, $bytes:expr, $at:expr, $second:expr, |$d:ident, $a:ident, $b:ident,
        $n:ident| $result:expr) => {{
        let (regs, bytes, (to, from), second): (&mut [u64], usize, (usize, usize), Second<$A>) =
            ($regs, $bytes, $at, $second);
        let mut done = 0;
        while done < bytes {
            let ($d, $a): ($A, $A) = (read(regs, to + done), read(regs, from + done));
            let $b: $A = match second {
                Second::At(at) => read(regs, at + done),
                Second::All(value) => value,
            };
            let $n = (bytes - done).min(size_of::<$A>());
            let result: $A = $result;
            write(regs, to + done, &result, $n);
            done += size_of::<$A>();
        }
    }};
}

/// A floating-point operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Add,
    Sub,
    SubFrom,
    Mul,
    Div,
    /// `x * y + z` of the three given operands.
    Fused,
}

macro_rules! float {
    ($name:ident, $float:ident, $bits:ident, $margin:literal) => {
        /// The results of a chunk; `None` if an element is not normal. Adds inexactness to
        /// `inexact` unless the flag is already set.
        #[inline(always)]
        fn $name<const N: usize>(
            kind: Kind,
            known: bool,
            inexact: &mut bool,
            x: &[$bits; N],
            y: &[$bits; N],
            z: &[$bits; N],
        ) -> Option<[$bits; N]> {
            const FRAC: u32 = $float::MANTISSA_DIGITS - 1;
            const MAX: $bits = ($bits::MAX << 1 >> 1) >> FRAC;
            #[inline(always)]
            fn ordinary(r: $float, margin: $bits) -> bool {
                // Excludes exponents near the ends of the range, infinities and NaNs.
                (r.to_bits() << 1 >> 1 >> FRAC).wrapping_sub(margin) < MAX - margin
            }
            #[inline(always)]
            fn f(bits: $bits) -> $float {
                $float::from_bits(bits)
            }
            let (mut out, mut fine, mut wrong) = ([0; N], true, false);
            macro_rules! each {
                ($k:ident, $r:ident = $result:expr, $fine:expr, $error:expr) => {
                    if known {
                        for $k in 0..N {
                            let $r: $float = $result;
                            out[$k] = $r.to_bits();
                            fine &= $fine;
                        }
                    } else {
                        for $k in 0..N {
                            let $r: $float = $result;
                            out[$k] = $r.to_bits();
                            fine &= $fine;
                            wrong |= $error != 0.0;
                        }
                    }
                };
            }
            match kind {
                Kind::Add | Kind::Sub | Kind::SubFrom => {
                    let flip = 1 << ($bits::BITS - 1);
                    let (fx, fy) = (
                        if kind == Kind::SubFrom { flip } else { 0 },
                        if kind == Kind::Sub { flip } else { 0 },
                    );
                    each!(k, r = f(x[k] ^ fx) + f(y[k] ^ fy), ordinary(r, 2) | (r == 0.0), {
                        let (a, b) = (f(x[k] ^ fx), f(y[k] ^ fy));
                        let part = r - a;
                        (a - (r - part)) + (b - part)
                    });
                }
                Kind::Mul => each!(
                    k,
                    r = f(x[k]) * f(y[k]),
                    ordinary(r, $margin) | ((r == 0.0) & ((f(x[k]) == 0.0) | (f(y[k]) == 0.0))),
                    f(x[k]).mul_add(f(y[k]), -r)
                ),
                Kind::Div => each!(
                    k,
                    r = f(x[k]) / f(y[k]),
                    ordinary(r, 2) & ordinary(f(x[k]), $margin),
                    (-r).mul_add(f(y[k]), f(x[k]))
                ),
                Kind::Fused if known => {
                    for k in 0..N {
                        let r = f(x[k]).mul_add(f(y[k]), f(z[k]));
                        out[k] = r.to_bits();
                        fine &=
                            ordinary(r, 2) | ((r == 0.0) & ((f(x[k]) == 0.0) | (f(y[k]) == 0.0)));
                    }
                }
                Kind::Fused => {
                    for k in 0..N {
                        let (x, y, z) = (f(x[k]), f(y[k]), f(z[k]));
                        let (r, p) = (x.mul_add(y, z), x * y);
                        out[k] = r.to_bits();
                        let nothing = (x == 0.0) | (y == 0.0);
                        // If the product is exact, the operation is a sum, whose error is
                        // representable.
                        let exact = ordinary(p, $margin) & (x.mul_add(y, -p) == 0.0);
                        fine &= (ordinary(r, 2) | (r == 0.0)) & (nothing | exact);
                        let part = r - p;
                        wrong |= (p - (r - part)) + (z - part) != 0.0;
                    }
                }
            }
            *inexact |= wrong & fine;
            fine.then_some(out)
        }
    };
}
float!(singles, f32, u32, 30);
float!(doubles, f64, u64, 60);

impl Hart {
    /// Executes the instruction if this module implements it and no unusual case applies. All
    /// elements must be active.
    #[inline(always)]
    pub(super) fn quick(&mut self, i: &Inst) -> Option<Result<(), Trap>> {
        if self.v.vstart != 0 || self.v.vtype.illegal {
            return None;
        }
        #[cfg(target_arch = "x86_64")]
        if self.v.wide {
            // SAFETY: `wide` is set only if the processor has these instructions.
            return unsafe { self.quick_wide(i) };
        }
        self.quick_any(i)
    }

    /// # Safety
    /// The processor has AVX2 and FMA.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,fma")]
    unsafe fn quick_wide(&mut self, i: &Inst) -> Option<Result<(), Trap>> {
        self.quick_body(i)
    }

    #[inline(never)]
    fn quick_any(&mut self, i: &Inst) -> Option<Result<(), Trap>> {
        self.quick_body(i)
    }

    #[inline(always)]
    fn quick_body(&mut self, i: &Inst) -> Option<Result<(), Trap>> {
        let v = &mut self.v;
        let group = (1u8 << v.vtype.lmul.max(0)) - 1;
        let (d, a) = (usize::from(i.rd) * v.vlenb, usize::from(i.rs2) * v.vlenb);
        let bytes = v.vl * v.vtype.sew;
        /// An operation whose second operand is a vector, a register or the immediate.
        macro_rules! map {
            ($second:ident, $T:ident, |$d:pat_param, $a:pat_param, $b:pat_param| $e:expr) => {{
                if (i.rd | i.rs2) & group != 0 {
                    return None;
                }
                map!(@ $second, $T, |$d, $a, $b| $e)
            }};
            (@ V, $T:ident, |$d:pat_param, $a:pat_param, $b:pat_param| $e:expr) => {{
                if i.rs1 & group != 0 {
                    return None;
                }
                let b = usize::from(i.rs1) * self.v.vlenb;
                map!(@@ $T, Second::At(b), |$d, $a, $b| $e)
            }};
            (@ X, $T:ident, |$d:pat_param, $a:pat_param, $b:pat_param| $e:expr) => {{
                let value = self.x(i.rs1);
                map!(@@ $T, Second::All([value as _; _]), |$d, $a, $b| $e)
            }};
            (@ I, $T:ident, |$d:pat_param, $a:pat_param, $b:pat_param| $e:expr) => {{
                map!(@@ $T, Second::All([i.imm as _; _]), |$d, $a, $b| $e)
            }};
            (@@ $T:ident, $second:expr, |$d:pat_param, $a:pat_param, $b:pat_param| $e:expr) => {{
                macro_rules! at {
                    ($U:ident $S:ident $N:literal) => {{
                        type U = $U;
                        type S = $S;
                        const _: usize = size_of::<U>() + size_of::<S>();
                        chunks!([$T; $N], &mut self.v.regs, bytes, (d, a), $second, |d, a, b, n| {
                            let mut out = d;
                            for k in 0..$N {
                                let ($d, $a, $b) = (d[k], a[k], b[k]);
                                out[k] = $e;
                            }
                            out
                        });
                    }};
                }
                match self.v.vtype.sew {
                    1 => at!(u8 i8 64),
                    2 => at!(u16 i16 32),
                    4 => at!(u32 i32 16),
                    _ => at!(u64 i64 8),
                }
                Some(Ok(()))
            }};
        }
        /// A floating-point operation: the indices select the three operands among `vd` (0), `vs2`
        /// (1) and the second operand (2); the signs tell whether the first and the third are
        /// negated.
        macro_rules! float {
            ($second:ident, $kind:ident, $x:tt $y:tt $z:tt) => { float!($second, $kind, $x $y $z,
                false, false) };
            ($second:ident, $kind:ident, $x:tt $y:tt $z:tt, $nx:literal, $nz:literal) => {{
                if (i.rd | i.rs2) & group != 0 || self.frm != 0 {
                    return None;
                }
                macro_rules! second {
                    (V) => {{
                        if i.rs1 & group != 0 {
                            return None;
                        }
                        Second::At(usize::from(i.rs1) * self.v.vlenb)
                    }};
                    (F) => {
                        Second::All([self.float_scalar(i.rs1) as _; _])
                    };
                }
                macro_rules! run {
                    ($bits:ident, $n:literal, $chunk:ident, $format:ident, $one:expr) => {{
                        const SIGN: $bits = 1 << ($bits::BITS - 1);
                        let second = second!($second);
                        let flags = &mut self.fflags;
                        let regs = &mut self.v.regs;
                        chunks!([$bits; $n], regs, bytes, (d, a), second, |d, a, b, n| {
                            let (mut d, mut a, mut b) = (d, a, b);
                            // Padding past the end holds normal numbers.
                            for k in n / size_of::<$bits>()..$n {
                                (d[k], a[k], b[k]) = ($one, $one, $one);
                            }
                            let given = [d, a, b];
                            let (mut x, y, mut z) = (given[$x], given[$y], given[$z]);
                            if $nx {
                                x.iter_mut().for_each(|x| *x ^= SIGN);
                            }
                            if $nz {
                                z.iter_mut().for_each(|z| *z ^= SIGN);
                            }
                            let mut inexact = false;
                            match $chunk(Kind::$kind, *flags & NX != 0, &mut inexact, &x, &y, &z) {
                                Some(out) => {
                                    if inexact {
                                        *flags |= NX;
                                    }
                                    out
                                }
                                None => {
                                    let mut out = [0; $n];
                                    for k in 0..n / size_of::<$bits>() {
                                        let (x, y, z) = (u64::from(x[k]), u64::from(y[k]),
                                            u64::from(z[k]));
                                        let rm = Rounding::NearestEven;
                                        out[k] = match Kind::$kind {
                                            Kind::Add => fast::add::<$format>(x, y, rm, flags),
                                            Kind::Sub => fast::sub::<$format>(x, y, rm, flags),
                                            Kind::SubFrom => fast::sub::<$format>(y, x, rm, flags),
                                            Kind::Mul => fast::mul::<$format>(x, y, rm, flags),
                                            Kind::Div => fast::div::<$format>(x, y, rm, flags),
                                            Kind::Fused => fast::fma::<$format>(x, y, z, rm, flags),
                                        } as $bits;
                                    }
                                    out
                                }
                            }
                        });
                        Some(Ok(()))
                    }};
                }
                match (self.v.vtype.sew, bytes) {
                    (4, 0..=16) => run!(u32, 4, singles, Single, 1f32.to_bits()),
                    (4, 17..=32) => run!(u32, 8, singles, Single, 1f32.to_bits()),
                    (4, _) => run!(u32, 16, singles, Single, 1f32.to_bits()),
                    (8, 0..=16) => run!(u64, 2, doubles, Double, 1f64.to_bits()),
                    (8, 17..=32) => run!(u64, 4, doubles, Double, 1f64.to_bits()),
                    (8, _) => run!(u64, 8, doubles, Double, 1f64.to_bits()),
                    _ => None,
                }
            }};
        }
        match i.op {
            Op::Vle8V => self.quick_load(i, 1),
            Op::Vle16V => self.quick_load(i, 2),
            Op::Vle32V => self.quick_load(i, 4),
            Op::Vle64V => self.quick_load(i, 8),
            Op::Vse8V => self.quick_store(i, 1),
            Op::Vse16V => self.quick_store(i, 2),
            Op::Vse32V => self.quick_store(i, 4),
            Op::Vse64V => self.quick_store(i, 8),
            Op::VaddVv => map!(V, U, |_, a, b| a.wrapping_add(b)),
            Op::VaddVx => map!(X, U, |_, a, b| a.wrapping_add(b)),
            Op::VaddVi => map!(I, U, |_, a, b| a.wrapping_add(b)),
            Op::VsubVv => map!(V, U, |_, a, b| a.wrapping_sub(b)),
            Op::VsubVx => map!(X, U, |_, a, b| a.wrapping_sub(b)),
            Op::VrsubVx => map!(X, U, |_, a, b| b.wrapping_sub(a)),
            Op::VrsubVi => map!(I, U, |_, a, b| b.wrapping_sub(a)),
            Op::VandVv => map!(V, U, |_, a, b| a & b),
            Op::VandVx => map!(X, U, |_, a, b| a & b),
            Op::VandVi => map!(I, U, |_, a, b| a & b),
            Op::VorVv => map!(V, U, |_, a, b| a | b),
            Op::VorVx => map!(X, U, |_, a, b| a | b),
            Op::VorVi => map!(I, U, |_, a, b| a | b),
            Op::VxorVv => map!(V, U, |_, a, b| a ^ b),
            Op::VxorVx => map!(X, U, |_, a, b| a ^ b),
            Op::VxorVi => map!(I, U, |_, a, b| a ^ b),
            Op::VsllVv => map!(V, U, |_, a, b| a << (b & (U::BITS as U - 1))),
            Op::VsllVx => map!(X, U, |_, a, b| a << (b & (U::BITS as U - 1))),
            Op::VsllVi => map!(I, U, |_, a, b| a << (b & (U::BITS as U - 1))),
            Op::VsrlVv => map!(V, U, |_, a, b| a >> (b & (U::BITS as U - 1))),
            Op::VsrlVx => map!(X, U, |_, a, b| a >> (b & (U::BITS as U - 1))),
            Op::VsrlVi => map!(I, U, |_, a, b| a >> (b & (U::BITS as U - 1))),
            Op::VsraVv => map!(V, S, |_, a, b| a >> (b & (U::BITS as S - 1))),
            Op::VsraVx => map!(X, S, |_, a, b| a >> (b & (U::BITS as S - 1))),
            Op::VsraVi => map!(I, S, |_, a, b| a >> (b & (U::BITS as S - 1))),
            Op::VmulVv => map!(V, U, |_, a, b| a.wrapping_mul(b)),
            Op::VmulVx => map!(X, U, |_, a, b| a.wrapping_mul(b)),
            Op::VmaccVv => map!(V, U, |d, a, b| b.wrapping_mul(a).wrapping_add(d)),
            Op::VmaccVx => map!(X, U, |d, a, b| b.wrapping_mul(a).wrapping_add(d)),
            Op::VnmsacVv => map!(V, U, |d, a, b| d.wrapping_sub(b.wrapping_mul(a))),
            Op::VnmsacVx => map!(X, U, |d, a, b| d.wrapping_sub(b.wrapping_mul(a))),
            Op::VmaddVv => map!(V, U, |d, a, b| b.wrapping_mul(d).wrapping_add(a)),
            Op::VmaddVx => map!(X, U, |d, a, b| b.wrapping_mul(d).wrapping_add(a)),
            Op::VminuVv => map!(V, U, |_, a, b| a.min(b)),
            Op::VminuVx => map!(X, U, |_, a, b| a.min(b)),
            Op::VminVv => map!(V, S, |_, a, b| a.min(b)),
            Op::VminVx => map!(X, S, |_, a, b| a.min(b)),
            Op::VmaxuVv => map!(V, U, |_, a, b| a.max(b)),
            Op::VmaxuVx => map!(X, U, |_, a, b| a.max(b)),
            Op::VmaxVv => map!(V, S, |_, a, b| a.max(b)),
            Op::VmaxVx => map!(X, S, |_, a, b| a.max(b)),
            Op::VmvVV => map!(V, U, |_, _, b| b),
            Op::VmvVX => map!(X, U, |_, _, b| b),
            Op::VmvVI => map!(I, U, |_, _, b| b),
            Op::VfaddVv => float!(V, Add, 1 2 0),
            Op::VfaddVf => float!(F, Add, 1 2 0),
            Op::VfsubVv => float!(V, Sub, 1 2 0),
            Op::VfsubVf => float!(F, Sub, 1 2 0),
            Op::VfrsubVf => float!(F, SubFrom, 1 2 0),
            Op::VfmulVv => float!(V, Mul, 1 2 0),
            Op::VfmulVf => float!(F, Mul, 1 2 0),
            Op::VfdivVv => float!(V, Div, 1 2 0),
            Op::VfdivVf => float!(F, Div, 1 2 0),
            Op::VfmaccVv => float!(V, Fused, 2 1 0),
            Op::VfmaccVf => float!(F, Fused, 2 1 0),
            Op::VfnmaccVv => float!(V, Fused, 2 1 0, true, true),
            Op::VfnmaccVf => float!(F, Fused, 2 1 0, true, true),
            Op::VfmsacVv => float!(V, Fused, 2 1 0, false, true),
            Op::VfmsacVf => float!(F, Fused, 2 1 0, false, true),
            Op::VfnmsacVv => float!(V, Fused, 2 1 0, true, false),
            Op::VfnmsacVf => float!(F, Fused, 2 1 0, true, false),
            Op::VfmaddVv => float!(V, Fused, 2 0 1),
            Op::VfmaddVf => float!(F, Fused, 2 0 1),
            Op::VfnmaddVv => float!(V, Fused, 2 0 1, true, true),
            Op::VfnmaddVf => float!(F, Fused, 2 0 1, true, true),
            Op::VfmsubVv => float!(V, Fused, 2 0 1, false, true),
            Op::VfmsubVf => float!(F, Fused, 2 0 1, false, true),
            Op::VfnmsubVv => float!(V, Fused, 2 0 1, true, false),
            Op::VfnmsubVf => float!(F, Fused, 2 0 1, true, false),
            Op::VmvXS
            | Op::VmvSX
            | Op::VfmvFS
            | Op::VfmvSF
            | Op::VslidedownVi
            | Op::VslidedownVx
            | Op::VslideupVi => {
                let second = self.second(i);
                Some(self.vector_permute(i, second))
            }
            _ => None,
        }
    }

    /// The host address of a unit-stride access, if one region of memory contains it.
    #[inline(always)]
    fn quick_range(&self, i: &Inst, size: usize, store: bool) -> Option<(*mut u8, usize, usize)> {
        let v = &self.v;
        v.group(i.rd, size).ok()?;
        let bytes = v.vl * size;
        let address = self.address(self.x(i.rs1));
        if bytes == 0 {
            return None;
        }
        let host = self.host_range(address, bytes as u64, store)?;
        Some((host, usize::from(i.rd) * v.vlenb, bytes))
    }

    #[inline(always)]
    fn quick_load(&mut self, i: &Inst, size: usize) -> Option<Result<(), Trap>> {
        let (host, at, bytes) = self.quick_range(i, size, false)?;
        let to = &mut cast_slice_mut::<u64, u8>(&mut self.v.regs)[at..at + bytes];
        // SAFETY: `quick_range` returned that many readable bytes.
        unsafe { guest::load(host, to) };
        self.count_moved(false, bytes as u64);
        Some(Ok(()))
    }

    #[inline(always)]
    fn quick_store(&mut self, i: &Inst, size: usize) -> Option<Result<(), Trap>> {
        let (host, at, bytes) = self.quick_range(i, size, true)?;
        let from = &cast_slice::<u64, u8>(&self.v.regs)[at..at + bytes];
        // SAFETY: `quick_range` returned that many writable bytes.
        unsafe { guest::store(from, host) };
        self.count_moved(true, bytes as u64);
        Some(Ok(()))
    }
}
