//! Half-precision arithmetic that translated code calls: Cranelift has no instructions for it, but
//! processors with F16C convert eight halves at a time from and to single precision, and those with
//! AVX512-FP16 compute with halves.
//!
//! The functions are short pieces of assembly. Their arguments are in `xmm0` to `xmm2`, the address
//! of their result is in `rdi`, and they preserve the registers that Cranelift uses, so that a call
//! costs translated code little more than the instructions. Invariant: results are rounded once, to
//! nearest even, and a half that is a NaN is RISC-V's. Not here: floating-point flags, which
//! translated code does not compute, and other rounding modes.

use cranelift_codegen::ir::{AbiParam, Signature, types};
use cranelift_codegen::isa::CallConv;

/// Bytes of the longest result.
pub(crate) const RESULT: u32 = 32;

/// A function on chunks of eight halves or four singles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Piece {
    /// Eight halves to two chunks of singles. A NaN is a quiet one of the host's.
    Widen,
    /// Two chunks of singles to eight halves.
    Narrow,
    Add,
    Mul,
    Div,
    Sqrt,
    /// `x * y + z`, rounded once.
    Fused,
}

impl Piece {
    /// Number of arguments.
    pub(crate) const fn arguments(self) -> usize {
        match self {
            Self::Widen | Self::Sqrt => 1,
            Self::Narrow | Self::Add | Self::Mul | Self::Div => 2,
            Self::Fused => 3,
        }
    }

    /// The signature: the address of the result, which has [`RESULT`] bytes, and chunks of 16-bit
    /// integers.
    pub(crate) fn signature(self) -> Signature {
        let mut signature = Signature::new(CallConv::PreserveAll);
        signature.params.push(AbiParam::new(types::I64));
        let chunk = AbiParam::new(types::I16X8);
        signature.params.extend(std::iter::repeat_n(chunk, self.arguments()));
        signature
    }

    /// The function's address. `None` if this processor has no instructions for it; then it has
    /// none of the functions.
    pub(crate) fn address(self) -> Option<usize> {
        #[cfg(all(target_arch = "x86_64", unix))]
        return x86::Level::of_processor().map(|level| x86::function(self, level) as usize);
        #[cfg(not(all(target_arch = "x86_64", unix)))]
        None
    }
}

/// Whether this processor has the functions.
pub(crate) fn available() -> bool {
    Piece::Widen.address().is_some()
}

#[cfg(all(target_arch = "x86_64", unix))]
mod x86 {
    use super::Piece;
    use std::arch::naked_asm;

    /// The instructions of a processor.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub(super) enum Level {
        /// AVX2 and F16C.
        F16c,
        /// AVX512-FP16 for vectors of 128 bits, too.
        Fp16,
    }

    impl Level {
        pub(super) fn of_processor() -> Option<Self> {
            let conversions = std::arch::is_x86_feature_detected!("avx2")
                && std::arch::is_x86_feature_detected!("f16c");
            let arithmetic = std::arch::is_x86_feature_detected!("avx512fp16")
                && std::arch::is_x86_feature_detected!("avx512vl");
            match (conversions, arithmetic) {
                (true, true) => Some(Self::Fp16),
                (true, false) => Some(Self::F16c),
                (false, _) => None,
            }
        }
    }

    /// Code with this calling convention: see [`Piece::signature`].
    type Code = unsafe extern "C" fn();

    pub(super) fn function(piece: Piece, level: Level) -> *const () {
        let code: Code = match (piece, level) {
            (Piece::Widen, Level::F16c) => widen,
            (Piece::Narrow, Level::F16c) => narrow,
            (Piece::Add, Level::F16c) => add,
            (Piece::Mul, Level::F16c) => mul,
            (Piece::Div, Level::F16c) => div,
            (Piece::Sqrt, Level::F16c) => sqrt,
            (Piece::Fused, Level::F16c) => fused,
            (Piece::Widen, Level::Fp16) => widen_fp16,
            (Piece::Narrow, Level::Fp16) => narrow_fp16,
            (Piece::Add, Level::Fp16) => add_fp16,
            (Piece::Mul, Level::Fp16) => mul_fp16,
            (Piece::Div, Level::Fp16) => div_fp16,
            (Piece::Sqrt, Level::Fp16) => sqrt_fp16,
            (Piece::Fused, Level::Fp16) => fused_fp16,
        };
        code as *const ()
    }

    /// A constant chunk.
    #[derive(Debug)]
    #[repr(C, align(32))]
    struct Chunk<T, const N: usize>([T; N]);

    static NANS: Chunk<u16, 8> = Chunk([0x7e00; 8]);
    static MAGNITUDES: Chunk<u16, 8> = Chunk([0x7fff; 8]);
    static INFINITIES: Chunk<u16, 8> = Chunk([0x7c00; 8]);
    static ONES: Chunk<u32, 8> = Chunk([1; 8]);

    /// Code on the registers `xmm14` and `xmm15`, which it restores, and others that `more` names
    /// with the places where they are saved. The 128 bytes below the stack pointer are a function's
    /// own.
    macro_rules! saving {
        ([$($line:expr),*], [$($register:literal at $place:literal),*],
         $($name:ident = $symbol:ident),*) => {
            naked_asm!(
                "vmovups xmmword ptr [rsp - 16], xmm15",
                "vmovups xmmword ptr [rsp - 32], xmm14",
                $(concat!("vmovups xmmword ptr [rsp - ", $place, "], ", $register),)*
                $($line,)*
                "vmovups xmm15, xmmword ptr [rsp - 16]",
                "vmovups xmm14, xmmword ptr [rsp - 32]",
                $(concat!("vmovups ", $register, ", xmmword ptr [rsp - ", $place, "]"),)*
                "ret",
                $($name = sym $symbol,)*
            )
        };
    }

    #[unsafe(naked)]
    unsafe extern "C" fn widen() {
        saving!(
            [
                "vcvtph2ps ymm15, xmm0",
                "vmovups ymmword ptr [rdi], ymm15",
                // Code without AVX would otherwise depend on the upper halves.
                "vzeroupper"
            ],
            [],
        )
    }

    /// Code that leaves halves in `xmm15`, of which those that are NaNs become RISC-V's.
    macro_rules! with_nans {
        ($name:ident: [$($line:literal),*], $more:tt $(, $other:ident = $symbol:ident)?) => {
            #[unsafe(naked)]
            unsafe extern "C" fn $name() {
                saving!([
                    $($line,)*
                    "vpand xmm14, xmm15, xmmword ptr [rip + {magnitudes}]",
                    "vpcmpgtw xmm14, xmm14, xmmword ptr [rip + {infinities}]",
                    "vpblendvb xmm15, xmm15, xmmword ptr [rip + {nans}], xmm14",
                    "vmovups xmmword ptr [rdi], xmm15"
                ], $more, magnitudes = MAGNITUDES, infinities = INFINITIES,
                    nans = NANS $(, $other = $symbol)?)
            }
        };
    }

    with_nans!(narrow: [
        "vcvtps2ph xmm15, xmm0, 0",
        "vcvtps2ph xmm14, xmm1, 0",
        "vpunpcklqdq xmm15, xmm15, xmm14"
    ], []);

    /// An operation in single precision on `ymm15` and `ymm14`, whose result is rounded again.
    /// Single precision has 24 bits, at least two more than twice the 11 of half precision, so
    /// that is as if rounded once.
    macro_rules! in_singles {
        ($name:ident: $line:literal) => {
            with_nans!($name: [
                "vcvtph2ps ymm15, xmm0",
                "vcvtph2ps ymm14, xmm1",
                $line,
                "vcvtps2ph xmm15, ymm15, 0",
                "vzeroupper"
            ], []);
        };
    }

    in_singles!(add: "vaddps ymm15, ymm15, ymm14");
    in_singles!(mul: "vmulps ymm15, ymm15, ymm14");
    in_singles!(div: "vdivps ymm15, ymm15, ymm14");
    in_singles!(sqrt: "vsqrtps ymm15, ymm15");

    // The product is exact in single precision. The sum is rounded to odd there: its last bit is
    // set if it is inexact, so that the second rounding sees on which side of a midpoint it is.
    with_nans!(fused: [
        "vcvtph2ps ymm15, xmm0",
        "vcvtph2ps ymm14, xmm1",
        "vcvtph2ps ymm13, xmm2",
        "vmulps ymm15, ymm15, ymm14",
        "vaddps ymm14, ymm15, ymm13",
        // What the sum of `ymm15` and `ymm13` has lost, by Knuth's algorithm.
        "vsubps ymm12, ymm14, ymm15",
        "vsubps ymm11, ymm14, ymm12",
        "vsubps ymm15, ymm15, ymm11",
        "vsubps ymm13, ymm13, ymm12",
        "vaddps ymm15, ymm15, ymm13",
        // By how much the bits of the sum would change: 1 if the loss has the sum's sign, or else
        // -1.
        "vpxor ymm13, ymm14, ymm15",
        "vpsrad ymm13, ymm13, 31",
        "vpor ymm13, ymm13, ymmword ptr [rip + {ones}]",
        // They change where something is lost and the last bit is 0. A loss that is a NaN is that
        // of a sum that is not finite.
        "vxorps xmm12, xmm12, xmm12",
        "vcmpneq_oqps ymm15, ymm15, ymm12",
        "vandnps ymm15, ymm14, ymm15",
        "vpand ymm15, ymm15, ymmword ptr [rip + {ones}]",
        "vpsignd ymm13, ymm13, ymm15",
        "vpaddd ymm15, ymm14, ymm13",
        "vcvtps2ph xmm15, ymm15, 0",
        "vzeroupper"
    ], ["xmm13" at "48", "xmm12" at "64", "xmm11" at "80"], ones = ONES);

    /// Code of AVX-512 that leaves halves in `xmm16`, of which those that are NaNs become RISC-V's.
    /// Cranelift uses no vector registers beyond `xmm15`, and no mask registers.
    macro_rules! in_halves {
        ($name:ident: $($line:literal),*) => {
            #[unsafe(naked)]
            unsafe extern "C" fn $name() {
                naked_asm!(
                    $($line,)*
                    "vcmpunordph k1, xmm16, xmm16",
                    "vmovdqu16 xmm16 {{k1}}, xmmword ptr [rip + {nans}]",
                    "vmovdqu16 xmmword ptr [rdi], xmm16",
                    "ret",
                    nans = sym NANS,
                )
            }
        };
    }

    in_halves!(narrow_fp16:
        "vcvtps2ph xmm16, xmm0, 0",
        "vcvtps2ph xmm17, xmm1, 0",
        "vpunpcklqdq xmm16, xmm16, xmm17");
    in_halves!(add_fp16: "vaddph xmm16, xmm0, xmm1");
    in_halves!(mul_fp16: "vmulph xmm16, xmm0, xmm1");
    in_halves!(div_fp16: "vdivph xmm16, xmm0, xmm1");
    in_halves!(sqrt_fp16: "vsqrtph xmm16, xmm0");
    in_halves!(fused_fp16: "vmovdqa64 xmm16, xmm0", "vfmadd213ph xmm16, xmm1, xmm2");

    #[unsafe(naked)]
    unsafe extern "C" fn widen_fp16() {
        naked_asm!("vcvtph2ps ymm16, xmm0", "vmovdqu32 ymmword ptr [rdi], ymm16", "ret")
    }
}

#[cfg(all(test, target_arch = "x86_64", unix))]
mod tests {
    //! Compares each form of the functions that this processor has with software arithmetic.

    use super::{Piece, x86};
    use fastrand::Rng;
    use muxcl_rv_sim::soft::{self, Half, Rounding, Single};
    use std::arch::asm;
    use std::arch::x86_64::__m128i;

    type Halves = [u16; 8];
    type Singles = [u32; 8];

    /// Numbers at which something changes.
    const EDGES: [u16; 16] = [
        0, 1, 2, 0x3ff, 0x400, 0x401, 0x2800, 0x3bff, 0x3c00, 0x3c01, 0x77ff, 0x7bff, 0x7c00,
        0x7d00, 0x7e00, 0x7fff,
    ];

    /// Calls a function, and checks that registers which it uses have their values after it.
    fn call(piece: Piece, level: x86::Level, arguments: [Halves; 3]) -> Singles {
        let code = x86::function(piece, level);
        // SAFETY: both types are 16 bytes of integers.
        let [a, b, c] = arguments.map(|v| unsafe { std::mem::transmute::<Halves, __m128i>(v) });
        let mut result: Singles = [0; 8];
        let kept: [__m128i; 5] = [a, b, c, a, b];
        let mut after = kept;
        let [x, y, z, v, w] = &mut after;
        // SAFETY: the function has this calling convention and writes at most 32 bytes.
        unsafe {
            asm!(
                "call {code}",
                code = in(reg) code,
                in("rdi") &raw mut result,
                in("xmm0") a, in("xmm1") b, in("xmm2") c,
                inout("xmm11") *x, inout("xmm12") *y, inout("xmm13") *z,
                inout("xmm14") *v, inout("xmm15") *w,
                out("xmm16") _, out("xmm17") _, out("k1") _,
            );
        }
        // SAFETY: as above.
        let bits = |v: [__m128i; 5]| v.map(|v| unsafe { std::mem::transmute::<__m128i, u128>(v) });
        assert_eq!(bits(after), bits(kept), "{piece:?} {level:?}");
        result
    }

    /// The halves of a result.
    fn halves(result: Singles) -> Halves {
        std::array::from_fn(|k| (result[k / 2] >> (k % 2 * 16)) as u16)
    }

    fn levels() -> Vec<x86::Level> {
        let best = x86::Level::of_processor();
        let all = [x86::Level::F16c, x86::Level::Fp16];
        all.into_iter().filter(|level| best.is_some_and(|best| *level <= best)).collect()
    }

    /// Compares the results for arguments given as a list of lanes.
    fn compare(piece: Piece, lanes: &[[u16; 3]], wanted: impl Fn([u64; 3]) -> u64) {
        for chunk in lanes.chunks_exact(8) {
            let arguments = [0, 1, 2].map(|n| std::array::from_fn(|k| chunk[k][n]));
            let right = std::array::from_fn(|k| wanted(chunk[k].map(u64::from)) as u16);
            for level in levels() {
                let found = halves(call(piece, level, arguments));
                assert_eq!(found, right, "{piece:?} {level:?} {chunk:x?}");
            }
        }
    }

    /// Numbers, of which many are at an edge, have few digits, or are near in size.
    fn any(random: &mut Rng) -> u16 {
        match random.u8(..8) {
            0 => EDGES[random.usize(..EDGES.len())] | random.u16(..2) << 15,
            1 => random.u16(..) & 0x83ff,
            2 => random.u16(..) & 0xffe0,
            3 | 4 => random.u16(..) & 0x8fff | 0x3000,
            _ => random.u16(..),
        }
    }

    #[test]
    fn one_argument() {
        let all: Vec<[u16; 3]> = (0..=u16::MAX).map(|a| [a, 0, 0]).collect();
        let even = Rounding::NearestEven;
        compare(Piece::Sqrt, &all, |[a, ..]| soft::sqrt::<Half>(a, even, &mut 0));
        for chunk in all.chunks_exact(8) {
            let argument = std::array::from_fn(|k| chunk[k][0]);
            for level in levels() {
                let wide = call(Piece::Widen, level, [argument; 3]);
                for (a, found) in argument.into_iter().zip(wide) {
                    let right = soft::convert::<Half, Single>(a.into(), even, &mut 0) as u32;
                    let nan = f32::from_bits(right).is_nan();
                    let same = if nan { f32::from_bits(found).is_nan() } else { found == right };
                    assert!(same, "{level:?} {a:#x}: {found:#x}, not {right:#x}");
                }
            }
        }
    }

    #[test]
    fn two_arguments() {
        let even = Rounding::NearestEven;
        let signs = |v: u16| [v, v | 0x8000];
        let edges: Vec<u16> = EDGES.into_iter().flat_map(signs).collect();
        // Each number with those at the edges, and any with any.
        let mut lanes: Vec<[u16; 3]> =
            (0..=u16::MAX).flat_map(|a| edges.iter().map(move |b| [a, *b, 0])).collect();
        let random = &mut Rng::with_seed(1);
        lanes.extend(std::iter::repeat_with(|| [any(random), any(random), 0]).take(1 << 18));
        compare(Piece::Add, &lanes, |[a, b, _]| soft::add::<Half>(a, b, even, &mut 0));
        compare(Piece::Mul, &lanes, |[a, b, _]| soft::mul::<Half>(a, b, even, &mut 0));
        compare(Piece::Div, &lanes, |[a, b, _]| soft::div::<Half>(a, b, even, &mut 0));
    }

    #[test]
    fn three_arguments() {
        let even = Rounding::NearestEven;
        let random = &mut Rng::with_seed(2);
        let mut lanes = Vec::new();
        for a in EDGES {
            for b in EDGES {
                for c in EDGES {
                    let signs: [u16; 2] = [random.u16(..2) << 15, random.u16(..2) << 15];
                    lanes.push([a, b | signs[0], c | signs[1]]);
                }
            }
        }
        lanes.extend((0..1 << 20).map(|_| [any(random), any(random), any(random)]));
        // The sum is beside a midpoint of two numbers: the product is much less than half of the
        // last digit of the addend, or nearly that half.
        lanes.extend((0..1 << 18).map(|_| {
            let (exponent, digits) = (random.u16(1..30), random.u16(..0x400));
            let addend = exponent << 10 | digits;
            let less = random.u16(9..14);
            let factor = |e: u16, random: &mut Rng| {
                let digits = [0, 1, 0x3ff, 0x200, random.u16(..0x400)][random.usize(..5)];
                e.clamp(1, 30) << 10 | digits | random.u16(..2) << 15
            };
            let first = random.u16(1..30);
            let second = (exponent + 15).saturating_sub(less).saturating_sub(first);
            [factor(first, random), factor(second, random), addend]
        }));
        compare(Piece::Fused, &lanes, |[a, b, c]| soft::fma::<Half>(a, b, c, even, &mut 0));
    }

    /// Singles to halves: each number, each midpoint of two, and the numbers beside them.
    #[test]
    fn narrowing() {
        let even = Rounding::NearestEven;
        let mut all: Vec<u32> = Vec::new();
        for half in 0..=u16::MAX {
            let at = soft::convert::<Half, Single>(half.into(), even, &mut 0) as u32;
            all.extend([0, 1, 0xfff, 0x1000, 0x1001, 0x1fff].map(|low| at.wrapping_add(low)));
        }
        all.extend([0x7f80_0000, 0x7f7f_ffff, 0xff7f_ffff, 0x7fa0_0000, 1, 0x8000_0001]);
        let random = &mut Rng::with_seed(3);
        all.extend(std::iter::repeat_with(|| random.u32(..)).take(1 << 16));
        for chunk in all.chunks_exact(8) {
            let half = |k: usize| (chunk[k / 2] >> (k % 2 * 16)) as u16;
            let [a, b] = [0, 8].map(|from| std::array::from_fn(|k| half(from + k)));
            let right = std::array::from_fn(|k| {
                soft::convert::<Single, Half>(chunk[k].into(), even, &mut 0) as u16
            });
            for level in levels() {
                let found = halves(call(Piece::Narrow, level, [a, b, a]));
                assert_eq!(found, right, "{level:?} {chunk:x?}");
            }
        }
    }
}
