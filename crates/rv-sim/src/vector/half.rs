//! Arithmetic on vectors of half precision with the processor's conversions from and to single
//! precision (F16C): eight elements at a time, also with a mask. Invariant: results and flags equal
//! those of the elementwise forms, which compute the elements that are not finite, and those whose
//! result is inexact and denormal. `crate::half` says why rounding twice is right; a fused
//! operation is rounded to odd first.

use crate::fast;
use crate::fault::Trap;
use crate::hart::Hart;
use crate::soft::{Format as _, Half, Rounding, Single};
use muxcl_rv_isa::{Extension, Inst, OP_COUNT, Op};

/// An operation, and which operands it negates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Add,
    Mul,
    Div,
    Sqrt,
    /// `x * y + z`.
    Fused,
    /// From half to single precision.
    Widen,
    /// From single to half precision.
    Narrow,
}

/// An element of an operation: `vd`, `vs2` or the second operand, and whether it is negated.
#[derive(Debug, Clone, Copy)]
struct Operand {
    of: Of,
    negated: bool,
}

#[derive(Debug, Clone, Copy)]
enum Of {
    D,
    A,
    B,
}

/// An operation with its operands.
#[derive(Debug, Clone, Copy)]
struct Operation {
    kind: Kind,
    x: Operand,
    y: Operand,
    z: Operand,
}

const fn plus(of: Of) -> Operand {
    Operand { of, negated: false }
}

const fn minus(of: Of) -> Operand {
    Operand { of, negated: true }
}

const fn two(kind: Kind, x: Operand, y: Operand) -> Option<Operation> {
    Some(Operation { kind, x, y, z: plus(Of::D) })
}

const fn fused(x: Operand, y: Operand, z: Operand) -> Option<Operation> {
    Some(Operation { kind: Kind::Fused, x, y, z })
}

/// The operations of this module, by instruction.
static OPERATIONS: [Option<Operation>; OP_COUNT] = {
    let mut all = [None; OP_COUNT];
    let mut k = 0;
    while k < OP_COUNT {
        all[k] = operation(Op::ALL[k]);
        k += 1;
    }
    all
};

const fn operation(op: Op) -> Option<Operation> {
    use Of::{A, B, D};
    match op {
        Op::VfaddVv | Op::VfaddVf => two(Kind::Add, plus(A), plus(B)),
        Op::VfsubVv | Op::VfsubVf => two(Kind::Add, plus(A), minus(B)),
        Op::VfrsubVf => two(Kind::Add, plus(B), minus(A)),
        Op::VfmulVv | Op::VfmulVf => two(Kind::Mul, plus(A), plus(B)),
        Op::VfdivVv | Op::VfdivVf => two(Kind::Div, plus(A), plus(B)),
        Op::VfrdivVf => two(Kind::Div, plus(B), plus(A)),
        Op::VfsqrtV => two(Kind::Sqrt, plus(A), plus(A)),
        Op::VfwcvtFFV => two(Kind::Widen, plus(A), plus(A)),
        Op::VfncvtFFW => two(Kind::Narrow, plus(A), plus(A)),
        Op::VfmaccVv | Op::VfmaccVf => fused(plus(B), plus(A), plus(D)),
        Op::VfnmaccVv | Op::VfnmaccVf => fused(minus(B), plus(A), minus(D)),
        Op::VfmsacVv | Op::VfmsacVf => fused(plus(B), plus(A), minus(D)),
        Op::VfnmsacVv | Op::VfnmsacVf => fused(minus(B), plus(A), plus(D)),
        Op::VfmaddVv | Op::VfmaddVf => fused(plus(B), plus(D), plus(A)),
        Op::VfnmaddVv | Op::VfnmaddVf => fused(minus(B), plus(D), minus(A)),
        Op::VfmsubVv | Op::VfmsubVf => fused(plus(B), plus(D), minus(A)),
        Op::VfnmsubVv | Op::VfnmsubVf => fused(minus(B), plus(D), plus(A)),
        _ => None,
    }
}

/// Whether this processor has the instructions.
pub(super) fn available() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        std::arch::is_x86_feature_detected!("avx2")
            && std::arch::is_x86_feature_detected!("fma")
            && std::arch::is_x86_feature_detected!("f16c")
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        false
    }
}

/// One element by the elementwise forms, rounded to nearest even.
fn one(operation: Operation, [d, a, b]: [u64; 3], flags: &mut u8) -> u64 {
    let of = |operand: Operand| {
        let bits = match operand.of {
            Of::D => d,
            Of::A => a,
            Of::B => b,
        };
        bits ^ if operand.negated { Half::SIGN } else { 0 }
    };
    let (x, y, z) = (of(operation.x), of(operation.y), of(operation.z));
    let rm = Rounding::NearestEven;
    match operation.kind {
        Kind::Add => fast::add::<Half>(x, y, rm, flags),
        Kind::Mul => fast::mul::<Half>(x, y, rm, flags),
        Kind::Div => fast::div::<Half>(x, y, rm, flags),
        Kind::Sqrt => fast::sqrt::<Half>(x, rm, flags),
        Kind::Fused => fast::fma::<Half>(x, y, z, rm, flags),
        Kind::Widen => fast::convert::<Half, Single>(x, rm, flags),
        Kind::Narrow => fast::convert::<Single, Half>(x, rm, flags),
    }
}

impl Hart {
    /// Executes an instruction on elements of 16 bits if this module implements it, the processor
    /// has the instructions, and no unusual case applies.
    pub(super) fn quick_half(&mut self, i: &Inst) -> Option<Result<(), Trap>> {
        let operation = OPERATIONS[i.op as usize]?;
        let usual = self.v.converts && self.v.vstart == 0 && self.frm == 0;
        if !usual || !self.has(Extension::Zvfh) {
            return None;
        }
        let second = self.second(i);
        #[cfg(target_arch = "x86_64")]
        {
            // SAFETY: `converts` is set only if the processor has these instructions.
            Some(unsafe { self.v.halves(i, operation, second, &mut self.fflags) })
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            let _ = (operation, second);
            None
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod wide {
    use super::{Kind, Of, Operand, Operation, one};
    use crate::fault::Trap;
    use crate::soft::NX;
    use crate::vector::{Source, VectorState};
    use bytemuck::{Pod, bytes_of, cast_slice, cast_slice_mut, pod_read_unaligned};
    use muxcl_rv_isa::Inst;
    use std::arch::x86_64::{
        __m128i, __m256, __m256i, _CMP_LT_OQ, _CMP_NEQ_UQ, _CMP_NLT_UQ, _mm256_add_epi32,
        _mm256_add_ps, _mm256_and_ps, _mm256_and_si256, _mm256_andnot_si256, _mm256_castps_si256,
        _mm256_castsi256_ps, _mm256_cmp_ps, _mm256_cvtph_ps, _mm256_cvtps_ph, _mm256_div_ps,
        _mm256_fnmadd_ps, _mm256_movemask_ps, _mm256_mul_ps, _mm256_or_si256, _mm256_set1_epi32,
        _mm256_set1_ps, _mm256_setzero_ps, _mm256_setzero_si256, _mm256_sqrt_ps, _mm256_srai_epi32,
        _mm256_sub_epi32, _mm256_sub_ps, _mm256_xor_ps, _mm256_xor_si256,
    };

    /// Elements of a step.
    const LANES: usize = 8;
    /// The smallest normal number.
    const LEAST: f32 = 1.0 / 16_384.0;
    /// `_mm256_cvtps_ph` rounds to nearest even.
    const EVEN: i32 = 0;

    /// Where the operands are in the registers. Otherwise they are in the scratch space: the first
    /// one with all its elements, the second one as eight equal elements.
    #[derive(Debug, Clone, Copy)]
    struct Places {
        a: Option<usize>,
        b: Option<usize>,
    }

    fn read<T: Pod>(words: &[u64], at: usize) -> T {
        pod_read_unaligned(&cast_slice::<u64, u8>(words)[at..at + size_of::<T>()])
    }

    /// A bit for each lane.
    #[target_feature(enable = "avx2,fma,f16c")]
    #[inline]
    fn bits(lanes: __m256) -> u8 {
        _mm256_movemask_ps(lanes) as u8
    }

    impl VectorState {
        #[target_feature(enable = "avx2,fma,f16c")]
        pub(super) fn halves(
            &mut self,
            i: &Inst,
            operation: Operation,
            second: Source,
            flags: &mut u8,
        ) -> Result<(), Trap> {
            let n = self.vl;
            let mut places = Places { a: None, b: None };
            let size = match operation.kind {
                Kind::Widen => 4,
                _ => 2,
            };
            self.destination(i, size)?;
            match (operation.kind, second) {
                // Operands of another width may overlap the destination.
                (Kind::Widen, _) => self.sources::<u16, u8>(i, second, n)?,
                (Kind::Narrow, _) => self.sources::<u32, u8>(i, second, n)?,
                (_, second) => {
                    self.group(i.rs2, 2)?;
                    places.a = Some(usize::from(i.rs2) * self.vlenb);
                    match second {
                        Source::Vector(register) => {
                            self.group(register, 2)?;
                            places.b = Some(usize::from(register) * self.vlenb);
                        }
                        Source::Scalar(value) => {
                            cast_slice_mut::<u64, u16>(&mut self.b)[..LANES].fill(value as u16);
                        }
                    }
                }
            }
            let mask = if i.unmasked { None } else { Some(self.mask()) };
            let to = usize::from(i.rd) * self.vlenb;
            let mut k = 0;
            while k < n {
                let mut active = if n - k >= LANES { 0xff } else { (1_u8 << (n - k)) - 1 };
                if let Some(mask) = &mask {
                    active &= mask.byte(k / LANES);
                }
                if active != 0 {
                    self.step(operation, places, (k, to + k * size), active, flags);
                }
                k += LANES;
            }
            Ok(())
        }

        /// Computes the active ones of the eight elements from element `k`, which is at byte `to`
        /// of the registers.
        #[target_feature(enable = "avx2,fma,f16c")]
        #[inline]
        fn step(
            &mut self,
            operation: Operation,
            places: Places,
            (k, to): (usize, usize),
            active: u8,
            flags: &mut u8,
        ) {
            let sign = _mm256_set1_ps(-0.0);
            let of = |operand: Operand| {
                let (words, at) = self.operand(operand.of, places, (k, to));
                let value = _mm256_cvtph_ps(read::<__m128i>(words, at));
                if operand.negated { _mm256_xor_ps(value, sign) } else { value }
            };
            // The result in single precision, rounded in such a way that rounding it again is
            // right, and the lanes in which this rounding was inexact.
            let none = _mm256_setzero_ps();
            let not_zero = |error| _mm256_cmp_ps::<_CMP_NEQ_UQ>(error, none);
            let (result, inexact) = match operation.kind {
                Kind::Add => {
                    let (x, y) = (of(operation.x), of(operation.y));
                    let sum = _mm256_add_ps(x, y);
                    (sum, not_zero(error_of_sum(x, y, sum)))
                }
                Kind::Mul => (_mm256_mul_ps(of(operation.x), of(operation.y)), none),
                Kind::Div => {
                    let (x, y) = (of(operation.x), of(operation.y));
                    let quotient = _mm256_div_ps(x, y);
                    (quotient, not_zero(_mm256_fnmadd_ps(quotient, y, x)))
                }
                Kind::Sqrt => {
                    let x = of(operation.x);
                    let root = _mm256_sqrt_ps(x);
                    (root, not_zero(_mm256_fnmadd_ps(root, root, x)))
                }
                Kind::Fused => {
                    let product = _mm256_mul_ps(of(operation.x), of(operation.y));
                    let z = of(operation.z);
                    let sum = _mm256_add_ps(product, z);
                    let error = error_of_sum(product, z, sum);
                    let inexact = not_zero(error);
                    (to_odd(sum, error, inexact), inexact)
                }
                Kind::Widen => {
                    let value = of(operation.x);
                    let unusual = bits(_mm256_cmp_ps::<_CMP_NEQ_UQ>(value, value)) & active;
                    let slow = self.slow(operation, places, (k, to), unusual, flags);
                    self.write::<4, 32>(to, active, bytes_of(&value), slow);
                    return;
                }
                Kind::Narrow => (read::<__m256>(&self.a, 4 * k), none),
            };
            let halves = _mm256_cvtps_ph::<EVEN>(result);
            let back = _mm256_cvtph_ps(halves);
            let rounded = bits(_mm256_cmp_ps::<_CMP_NEQ_UQ>(back, result));
            let inexact = (bits(inexact) | rounded) & active;
            let magnitude =
                |value| _mm256_and_ps(value, _mm256_castsi256_ps(_mm256_set1_epi32(i32::MAX)));
            let infinite = _mm256_set1_ps(f32::INFINITY);
            let huge = bits(_mm256_cmp_ps::<_CMP_NLT_UQ>(magnitude(back), infinite));
            let tiny = bits(_mm256_cmp_ps::<_CMP_LT_OQ>(magnitude(result), _mm256_set1_ps(LEAST)));
            let unusual = (huge | tiny & inexact) & active;
            if inexact & !unusual != 0 {
                *flags |= NX;
            }
            let slow = self.slow(operation, places, (k, to), unusual, flags);
            self.write::<2, 16>(to, active, bytes_of(&halves), slow);
        }

        /// Where eight elements of an operand are, the first of which is element `k`.
        #[inline(always)]
        fn operand(&self, of: Of, places: Places, (k, to): (usize, usize)) -> (&[u64], usize) {
            match (of, places.a, places.b) {
                (Of::D, ..) => (&self.regs, to),
                (Of::A, Some(at), _) | (Of::B, _, Some(at)) => (&self.regs, at + 2 * k),
                (Of::A, ..) => (&self.a, 2 * k),
                (Of::B, ..) => (&self.b, 0),
            }
        }

        /// The results of these lanes, by the elementwise forms.
        #[inline]
        fn slow(
            &self,
            operation: Operation,
            places: Places,
            (k, to): (usize, usize),
            lanes: u8,
            flags: &mut u8,
        ) -> Option<(u8, [u64; LANES])> {
            (lanes != 0).then(|| (lanes, self.slow_lanes(operation, places, (k, to), lanes, flags)))
        }

        #[cold]
        fn slow_lanes(
            &self,
            operation: Operation,
            places: Places,
            (k, to): (usize, usize),
            lanes: u8,
            flags: &mut u8,
        ) -> [u64; LANES] {
            std::array::from_fn(|lane| {
                if lanes >> lane & 1 == 0 {
                    return 0;
                }
                let half = |of| {
                    let (words, at) = self.operand(of, places, (k, to));
                    u64::from(read::<u16>(words, at + 2 * lane))
                };
                let given = match operation.kind {
                    Kind::Narrow => [0, read::<u32>(&self.a, 4 * (k + lane)).into(), 0],
                    Kind::Widen => [0, half(Of::A), 0],
                    _ => [half(Of::D), half(Of::A), half(Of::B)],
                };
                one(operation, given, flags)
            })
        }

        /// Writes the active lanes, of `SIZE` bytes each.
        #[inline]
        fn write<const SIZE: usize, const ALL: usize>(
            &mut self,
            to: usize,
            active: u8,
            values: &[u8],
            slow: Option<(u8, [u64; LANES])>,
        ) {
            let to = &mut cast_slice_mut::<u64, u8>(&mut self.regs)[to..to + ALL];
            if active == 0xff {
                to.copy_from_slice(values);
            } else {
                for lane in (0..LANES).filter(|lane| active >> lane & 1 == 1) {
                    let at = lane * SIZE;
                    to[at..at + SIZE].copy_from_slice(&values[at..at + SIZE]);
                }
            }
            if let Some((lanes, values)) = slow {
                for lane in (0..LANES).filter(|lane| lanes >> lane & 1 == 1) {
                    let at = lane * SIZE;
                    to[at..at + SIZE].copy_from_slice(&values[lane].to_le_bytes()[..SIZE]);
                }
            }
        }
    }

    /// What rounding `x + y` to `sum` has lost.
    #[target_feature(enable = "avx2,fma,f16c")]
    #[inline]
    fn error_of_sum(x: __m256, y: __m256, sum: __m256) -> __m256 {
        let part = _mm256_sub_ps(sum, x);
        let lost_x = _mm256_sub_ps(x, _mm256_sub_ps(sum, part));
        _mm256_add_ps(lost_x, _mm256_sub_ps(y, part))
    }

    /// The number beside `sum + error` whose last bit is set, in lanes where it is `inexact`.
    #[target_feature(enable = "avx2,fma,f16c")]
    #[inline]
    fn to_odd(sum: __m256, error: __m256, inexact: __m256) -> __m256 {
        let [sum, error, inexact]: [__m256i; 3] =
            [_mm256_castps_si256(sum), _mm256_castps_si256(error), _mm256_castps_si256(inexact)];
        let last = _mm256_set1_epi32(1);
        // 1 where the sum changes.
        let even = _mm256_and_si256(_mm256_andnot_si256(sum, last), inexact);
        let changes = _mm256_sub_epi32(_mm256_setzero_si256(), even);
        // -1 where the magnitude decreases, or else 1.
        let change = _mm256_or_si256(_mm256_srai_epi32::<31>(_mm256_xor_si256(sum, error)), last);
        _mm256_castsi256_ps(_mm256_add_epi32(sum, _mm256_and_si256(changes, change)))
    }
}
