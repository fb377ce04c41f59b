//! How each vector instruction is done on chunks of 128 bits. Invariant: a plan exists only for an
//! instruction that is legal with the known vector type, and the plan's code does what the
//! interpreter does. Not here: the code (sibling modules).

use super::call::legal;
use crate::halves;
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use muxcl_rv_isa::{Extension, Format, Inst, Op, Operand};
use muxcl_rv_sim::Hart;
use muxcl_rv_sim::native::{LONGEST_ACCESS, Shape};

/// Bytes of a chunk.
pub(super) const CHUNK: u64 = 16;
/// The most chunks of an instruction; the interpreter is as fast for longer groups.
const MOST_CHUNKS: u64 = 32;
/// The most elements that are accessed one by one.
pub(super) const MOST_SINGLE: u64 = 32;
/// The most chunks that elements are gathered from.
const MOST_TABLE: u64 = 4;

/// The vector unit of the machine.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Unit {
    /// Bytes of a register.
    pub(crate) vlenb: u64,
    /// Elements may be half-precision numbers.
    pub(crate) half: bool,
    /// The host has arithmetic for them.
    pub(crate) host_half: bool,
}

impl Unit {
    pub(crate) fn of(hart: &Hart) -> Self {
        Self {
            vlenb: hart.vlenb(),
            half: hart.has(Extension::Zvfh),
            host_half: halves::available(),
        }
    }
}

/// What is known of the vector unit before an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Config {
    /// The vector type.
    pub(crate) shape: Shape,
    /// `vl`, if it is known.
    pub(crate) elements: Option<u64>,
}

/// The largest `vl` of a type.
pub(crate) fn most_elements(shape: Shape, vlenb: u64) -> u64 {
    let lmul = shape.lmul();
    (if lmul < 0 { vlenb >> -lmul } else { vlenb << lmul }) / shape.sew()
}

/// How an operand's elements become those of the operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extend {
    /// With zeros, or not at all.
    Zero,
    Sign,
    /// To the precision with elements of twice the size.
    Promote,
}

/// A source of an operation on elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Source {
    /// Bytes of an element.
    pub(super) size: u64,
    pub(super) extend: Extend,
}

/// An operation on elements: `d`, `a` and `b` are those of `vd`, `vs2` and the second operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::lower) enum Operation {
    /// `a`.
    First,
    /// `b`.
    Second,
    /// The element's number.
    Number,
    /// `b` where the mask has a bit, else `a`.
    Merge,
    /// `a + b`, and 1 more where the mask has a bit.
    AddCarry,
    /// `a - b`, and 1 less where the mask has a bit.
    SubBorrow,
    /// As the scalar instruction.
    Divide(Op),
    /// A sum, or a difference, that saturates.
    Saturate {
        signed: bool,
        subtract: bool,
    },
    /// Half of a sum or difference, rounded by `vxrm`.
    Average {
        signed: bool,
        subtract: bool,
    },
    /// A shift to the right, rounded by `vxrm`.
    Scale {
        signed: bool,
    },
    /// A shift to the right, rounded by `vxrm`. The result has half of the width, and saturates.
    Clip {
        signed: bool,
    },
    /// `vsmul`: a product of numbers between -1 and 1, rounded by `vxrm`; it saturates.
    Fraction,

    Add,
    Sub,
    /// `b - a`.
    SubFrom,
    And,
    Or,
    Xor,
    Shl,
    Shr,
    Sar,
    Mul,
    /// The upper half of the product, and whether `a` and `b` are signed.
    MulHigh(bool, bool),
    /// `b * a + d` if `accumulate`, else `b * d + a`; the product may be negated.
    MulAdd {
        accumulate: bool,
        negate: bool,
    },
    Min,
    MinUnsigned,
    Max,
    MaxUnsigned,
    FAdd,
    FSub,
    FSubFrom,
    FMul,
    FDiv,
    FDivFrom,
    FMin,
    FMax,
    FSqrt,
    /// `a` with the sign of `b`, or with its opposite, or with both signs combined.
    Sign {
        opposite: bool,
        combine: bool,
    },
    /// As `MulAdd`, rounded once; product and addend may be negated.
    Fused {
        accumulate: bool,
        product: bool,
        addend: bool,
    },
    /// To an integer of this size.
    ToInt {
        size: u64,
        signed: bool,
        /// In the dynamic rounding mode; otherwise towards zero.
        dynamic: bool,
    },
    FromInt {
        signed: bool,
    },
    /// To the precision with elements of half the size.
    Demote,
    /// To the precision with elements of twice the size. Reading the operand has already converted
    /// it.
    Promote,
    /// An integer of 64 bits to single precision.
    SingleFromInt {
        signed: bool,
    },
}

impl Operation {
    /// Whether `d` is an operand.
    pub(super) const fn reads_destination(self) -> bool {
        matches!(self, Self::MulAdd { .. } | Self::Fused { .. })
    }

    /// Whether `b` is the amount of a shift.
    pub(super) const fn shifts(self) -> bool {
        matches!(self, Self::Shl | Self::Shr | Self::Sar | Self::Scale { .. } | Self::Clip { .. })
    }

    /// Whether the operation may set floating-point flags.
    pub(super) const fn is_float(self) -> bool {
        use Operation::{
            Demote, FAdd, FDiv, FDivFrom, FMax, FMin, FMul, FSqrt, FSub, FSubFrom, Promote,
        };
        matches!(
            self,
            FAdd | FSub
                | FSubFrom
                | FMul
                | FDiv
                | FDivFrom
                | FMin
                | FMax
                | FSqrt
                | Demote
                | Promote
        ) || matches!(self, Self::Fused { .. } | Self::ToInt { .. } | Self::FromInt { .. })
            || matches!(self, Self::SingleFromInt { .. })
    }

    /// Whether the result depends on the dynamic rounding mode.
    pub(super) const fn rounds(self) -> bool {
        let chooses = matches!(self, Self::FMin | Self::FMax | Self::ToInt { dynamic: false, .. });
        self.is_float() && !chooses
    }

    /// Whether a result may be a NaN of the host's.
    pub(super) const fn makes_nans(self) -> bool {
        let converts = matches!(self, Self::ToInt { .. } | Self::FromInt { .. });
        self.is_float() && !converts && !matches!(self, Self::SingleFromInt { .. })
    }

    /// Whether all NaNs are the same to the operation.
    pub(super) const fn accepts_nans(self) -> bool {
        self.makes_nans() || matches!(self, Self::ToInt { .. })
    }
}

/// An operation on all elements.
#[derive(Debug, Clone, Copy)]
pub(super) struct Map {
    pub(super) operation: Operation,
    /// Bytes of an element of the destination.
    pub(super) d: u64,
    pub(super) a: Source,
    pub(super) b: Source,
    /// Bytes of an element of the operation.
    pub(super) width: u64,
}

/// A comparison.
#[derive(Debug, Clone, Copy)]
pub(super) enum Compare {
    Int(IntCC),
    Float(FloatCC),
    /// Whether the sum, or the difference if `borrow`, overflows; `mask` says whether the mask is
    /// one more operand.
    Carry {
        borrow: bool,
        mask: bool,
    },
}

/// An operation on masks.
#[derive(Debug, Clone, Copy)]
pub(super) struct Logic {
    pub(super) operation: Operation,
    pub(super) invert_second: bool,
    pub(super) invert: bool,
}

/// The addresses of an access.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Places {
    Unit,
    Strided,
    /// Offsets of this size.
    Indexed(u64),
}

/// A load or store.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Access {
    pub(crate) store: bool,
    pub(super) places: Places,
    /// Bytes of an element.
    pub(crate) size: u64,
    /// Number of fields of a segment.
    pub(crate) fields: u64,
    /// Number of registers of a field.
    pub(super) registers: u64,
    pub(crate) elements: u64,
    /// Only the active elements are accessed.
    pub(crate) masked: bool,
}

/// How an instruction is done.
#[derive(Debug, Clone, Copy)]
pub(super) enum Plan {
    Map(Map),
    /// `vs2` and the second operand have elements of `size` bytes.
    Compare {
        compare: Compare,
        size: u64,
    },
    Logic(Logic),
    /// `vcpop`.
    Count,
    /// `vfirst`.
    FindFirst,
    /// `vmsbf`, `vmsif`, `vmsof`.
    MarkFirst,
    /// Combines `vs1[0]` with all active elements of `vs2`, which `a` describes, to one result.
    Reduce {
        operation: Operation,
        a: Source,
        width: u64,
    },
    /// Copies registers.
    Copy {
        bytes: u64,
    },
    /// Element 0 to a register.
    Read,
    /// A register to element 0.
    Write,
    /// Moves elements by a constant number of places, to higher numbers if `up`. With `scalar`, the
    /// scalar operand goes to the place that becomes free.
    Slide {
        up: bool,
        by: u64,
        scalar: bool,
    },
    /// Moves elements by a number of places that is in a register, or with a mask.
    SlideAny {
        up: bool,
    },
    /// `viota`.
    CountBefore,
    /// One element to all.
    Broadcast,
    /// `vrgather` by a register: a vector of indices, or one index.
    Gather,
    /// `vcompress`.
    Compress,
    Access(Access),
    /// By a function of the interpreter, which cannot trap.
    Call,
}

/// A plan, with the vector type.
#[derive(Debug, Clone, Copy)]
pub(super) struct Planned {
    pub(super) plan: Plan,
    /// Bytes of an element of the type.
    pub(super) sew: u64,
    /// `vl`, or the largest one of the type if it is not known.
    pub(super) elements: u64,
    /// The largest `vl` of the type.
    pub(super) most: u64,
    /// `vl` is not known.
    pub(super) any_length: bool,
}

const fn zero(size: u64) -> Source {
    Source { size, extend: Extend::Zero }
}

const fn sign(size: u64) -> Source {
    Source { size, extend: Extend::Sign }
}

pub(super) const fn promote(size: u64) -> Source {
    Source { size, extend: Extend::Promote }
}

/// An elementwise operation, if the instruction is one, with elements of `s` bytes. [`has_format`]
/// says whether there are floating-point numbers of this size.
pub(super) fn map_of(op: Op, s: u64) -> Option<Map> {
    use Operation::{
        Add, AddCarry, And, Average, Clip, Demote, Divide, FAdd, FDiv, FDivFrom, FMax, FMin, FMul,
        FSqrt, FSub, FSubFrom, First, Fraction, FromInt, Fused, Max, MaxUnsigned, Merge, Min,
        MinUnsigned, Mul, MulAdd, MulHigh, Number, Or, Promote, Sar, Saturate, Scale, Second, Shl,
        Shr, Sign, SingleFromInt, Sub, SubBorrow, SubFrom, ToInt, Xor,
    };
    let w = 2 * s;
    let same = |operation| Map { operation, d: s, a: zero(s), b: zero(s), width: s };
    let wide = |operation, a, b| Map { operation, d: w, a, b, width: w };
    let narrow = |operation| Map { operation, d: s, a: zero(w), b: zero(s), width: w };
    let from = |size: u64, extend| Map { a: Source { size, extend }, ..same(First) };
    let saturate = |signed, subtract| Saturate { signed, subtract };
    let average = |signed, subtract| Average { signed, subtract };
    let add = |accumulate, negate| MulAdd { accumulate, negate };
    let fused = |accumulate, product, addend| Fused { accumulate, product, addend };
    let int = |size, signed, dynamic| ToInt { size, signed, dynamic };
    Some(match op {
        Op::VmvVV | Op::VmvVX | Op::VmvVI | Op::VfmvVF => same(Second),
        Op::VidV => same(Number),
        Op::VmergeVvm | Op::VmergeVxm | Op::VmergeVim | Op::VfmergeVfm => same(Merge),
        Op::VadcVvm | Op::VadcVxm | Op::VadcVim => same(AddCarry),
        Op::VsbcVvm | Op::VsbcVxm => same(SubBorrow),
        Op::VsadduVv | Op::VsadduVx | Op::VsadduVi => same(saturate(false, false)),
        Op::VsaddVv | Op::VsaddVx | Op::VsaddVi => same(saturate(true, false)),
        Op::VssubuVv | Op::VssubuVx => same(saturate(false, true)),
        Op::VssubVv | Op::VssubVx => same(saturate(true, true)),
        Op::VaadduVv | Op::VaadduVx => same(average(false, false)),
        Op::VaaddVv | Op::VaaddVx => same(average(true, false)),
        Op::VasubuVv | Op::VasubuVx => same(average(false, true)),
        Op::VasubVv | Op::VasubVx => same(average(true, true)),
        Op::VsmulVv | Op::VsmulVx => same(Fraction),
        Op::VssrlVv | Op::VssrlVx | Op::VssrlVi => same(Scale { signed: false }),
        Op::VssraVv | Op::VssraVx | Op::VssraVi => same(Scale { signed: true }),
        Op::VnclipuWv | Op::VnclipuWx | Op::VnclipuWi => narrow(Clip { signed: false }),
        Op::VnclipWv | Op::VnclipWx | Op::VnclipWi => narrow(Clip { signed: true }),
        Op::VdivuVv | Op::VdivuVx => same(Divide(Op::Divu)),
        Op::VdivVv | Op::VdivVx => same(Divide(Op::Div)),
        Op::VremuVv | Op::VremuVx => same(Divide(Op::Remu)),
        Op::VremVv | Op::VremVx => same(Divide(Op::Rem)),
        Op::VaddVv | Op::VaddVx | Op::VaddVi => same(Add),
        Op::VsubVv | Op::VsubVx => same(Sub),
        Op::VrsubVx | Op::VrsubVi => same(SubFrom),
        Op::VandVv | Op::VandVx | Op::VandVi => same(And),
        Op::VorVv | Op::VorVx | Op::VorVi => same(Or),
        Op::VxorVv | Op::VxorVx | Op::VxorVi => same(Xor),
        Op::VsllVv | Op::VsllVx | Op::VsllVi => same(Shl),
        Op::VsrlVv | Op::VsrlVx | Op::VsrlVi => same(Shr),
        Op::VsraVv | Op::VsraVx | Op::VsraVi => same(Sar),
        Op::VmulVv | Op::VmulVx => same(Mul),
        Op::VmulhVv | Op::VmulhVx => same(MulHigh(true, true)),
        Op::VmulhuVv | Op::VmulhuVx => same(MulHigh(false, false)),
        Op::VmulhsuVv | Op::VmulhsuVx => same(MulHigh(true, false)),
        Op::VmaddVv | Op::VmaddVx => same(add(false, false)),
        Op::VnmsubVv | Op::VnmsubVx => same(add(false, true)),
        Op::VmaccVv | Op::VmaccVx => same(add(true, false)),
        Op::VnmsacVv | Op::VnmsacVx => same(add(true, true)),
        Op::VminVv | Op::VminVx => same(Min),
        Op::VminuVv | Op::VminuVx => same(MinUnsigned),
        Op::VmaxVv | Op::VmaxVx => same(Max),
        Op::VmaxuVv | Op::VmaxuVx => same(MaxUnsigned),
        Op::VzextVf2 => from(s / 2, Extend::Zero),
        Op::VzextVf4 => from(s / 4, Extend::Zero),
        Op::VzextVf8 => from(s / 8, Extend::Zero),
        Op::VsextVf2 => from(s / 2, Extend::Sign),
        Op::VsextVf4 => from(s / 4, Extend::Sign),
        Op::VsextVf8 => from(s / 8, Extend::Sign),
        Op::VwadduVv | Op::VwadduVx => wide(Add, zero(s), zero(s)),
        Op::VwaddVv | Op::VwaddVx => wide(Add, sign(s), sign(s)),
        Op::VwsubuVv | Op::VwsubuVx => wide(Sub, zero(s), zero(s)),
        Op::VwsubVv | Op::VwsubVx => wide(Sub, sign(s), sign(s)),
        Op::VwadduWv | Op::VwadduWx => wide(Add, zero(w), zero(s)),
        Op::VwaddWv | Op::VwaddWx => wide(Add, zero(w), sign(s)),
        Op::VwsubuWv | Op::VwsubuWx => wide(Sub, zero(w), zero(s)),
        Op::VwsubWv | Op::VwsubWx => wide(Sub, zero(w), sign(s)),
        Op::VwmuluVv | Op::VwmuluVx => wide(Mul, zero(s), zero(s)),
        Op::VwmulVv | Op::VwmulVx => wide(Mul, sign(s), sign(s)),
        Op::VwmulsuVv | Op::VwmulsuVx => wide(Mul, sign(s), zero(s)),
        Op::VwmaccuVv | Op::VwmaccuVx => wide(add(true, false), zero(s), zero(s)),
        Op::VwmaccVv | Op::VwmaccVx => wide(add(true, false), sign(s), sign(s)),
        Op::VwmaccsuVv | Op::VwmaccsuVx => wide(add(true, false), zero(s), sign(s)),
        Op::VwmaccusVx => wide(add(true, false), sign(s), zero(s)),
        Op::VnsrlWv | Op::VnsrlWx | Op::VnsrlWi => narrow(Shr),
        Op::VnsraWv | Op::VnsraWx | Op::VnsraWi => narrow(Sar),
        Op::VfsgnjVv | Op::VfsgnjVf => same(Sign { opposite: false, combine: false }),
        Op::VfsgnjnVv | Op::VfsgnjnVf => same(Sign { opposite: true, combine: false }),
        Op::VfsgnjxVv | Op::VfsgnjxVf => same(Sign { opposite: false, combine: true }),
        Op::VfaddVv | Op::VfaddVf => same(FAdd),
        Op::VfsubVv | Op::VfsubVf => same(FSub),
        Op::VfrsubVf => same(FSubFrom),
        Op::VfmulVv | Op::VfmulVf => same(FMul),
        Op::VfdivVv | Op::VfdivVf => same(FDiv),
        Op::VfrdivVf => same(FDivFrom),
        Op::VfminVv | Op::VfminVf => same(FMin),
        Op::VfmaxVv | Op::VfmaxVf => same(FMax),
        Op::VfsqrtV => same(FSqrt),
        Op::VfmaccVv | Op::VfmaccVf => same(fused(true, false, false)),
        Op::VfnmaccVv | Op::VfnmaccVf => same(fused(true, true, true)),
        Op::VfmsacVv | Op::VfmsacVf => same(fused(true, false, true)),
        Op::VfnmsacVv | Op::VfnmsacVf => same(fused(true, true, false)),
        Op::VfmaddVv | Op::VfmaddVf => same(fused(false, false, false)),
        Op::VfnmaddVv | Op::VfnmaddVf => same(fused(false, true, true)),
        Op::VfmsubVv | Op::VfmsubVf => same(fused(false, false, true)),
        Op::VfnmsubVv | Op::VfnmsubVf => same(fused(false, true, false)),
        Op::VfcvtXFV => same(int(s, true, true)),
        Op::VfcvtXuFV => same(int(s, false, true)),
        Op::VfcvtRtzXFV => same(int(s, true, false)),
        Op::VfcvtRtzXuFV => same(int(s, false, false)),
        Op::VfcvtFXV => same(FromInt { signed: true }),
        Op::VfcvtFXuV => same(FromInt { signed: false }),
        _ if s > 4 => return None,
        Op::VfwaddVv | Op::VfwaddVf => wide(FAdd, promote(s), promote(s)),
        Op::VfwsubVv | Op::VfwsubVf => wide(FSub, promote(s), promote(s)),
        Op::VfwaddWv | Op::VfwaddWf => wide(FAdd, zero(w), promote(s)),
        Op::VfwsubWv | Op::VfwsubWf => wide(FSub, zero(w), promote(s)),
        Op::VfwmulVv | Op::VfwmulVf => wide(FMul, promote(s), promote(s)),
        Op::VfwmaccVv | Op::VfwmaccVf => wide(fused(true, false, false), promote(s), promote(s)),
        Op::VfwnmaccVv | Op::VfwnmaccVf => wide(fused(true, true, true), promote(s), promote(s)),
        Op::VfwmsacVv | Op::VfwmsacVf => wide(fused(true, false, true), promote(s), promote(s)),
        Op::VfwnmsacVv | Op::VfwnmsacVf => wide(fused(true, true, false), promote(s), promote(s)),
        Op::VfwcvtFXV => wide(FromInt { signed: true }, sign(s), zero(s)),
        Op::VfwcvtFXuV => wide(FromInt { signed: false }, zero(s), zero(s)),
        Op::VfwcvtFFV => wide(Promote, promote(s), zero(s)),
        Op::VfwcvtXFV => wide(int(w, true, true), promote(s), zero(s)),
        Op::VfwcvtXuFV => wide(int(w, false, true), promote(s), zero(s)),
        Op::VfwcvtRtzXFV => wide(int(w, true, false), promote(s), zero(s)),
        Op::VfwcvtRtzXuFV => wide(int(w, false, false), promote(s), zero(s)),
        Op::VfncvtXFW => narrow(int(s, true, true)),
        Op::VfncvtXuFW => narrow(int(s, false, true)),
        Op::VfncvtRtzXFW => narrow(int(s, true, false)),
        Op::VfncvtRtzXuFW => narrow(int(s, false, false)),
        Op::VfncvtFFW => narrow(Demote),
        // Integers that do not fit in the 24 bits of a single are infinite as halves.
        Op::VfncvtFXW if s == 2 => narrow(FromInt { signed: true }),
        Op::VfncvtFXuW if s == 2 => narrow(FromInt { signed: false }),
        Op::VfncvtFXW => narrow(SingleFromInt { signed: true }),
        Op::VfncvtFXuW => narrow(SingleFromInt { signed: false }),
        _ => return None,
    })
}

/// Whether an instruction uses floating-point elements.
fn is_float(op: Op) -> bool {
    // The opcode OP-V, with OPFVV or OPFVF as funct3.
    matches!(op.row().matches & 0x707f, 0x1057 | 0x5057)
}

/// Whether the machine has the formats that an instruction uses with elements of `s` bytes; `half`
/// if it has half precision.
pub(super) fn has_format(op: Op, s: u64, half: bool) -> bool {
    // Conversions between integers of 16 bits and single precision.
    let single = || {
        use Op::{VfncvtRtzXFW, VfncvtRtzXuFW, VfncvtXFW, VfncvtXuFW, VfwcvtFXV, VfwcvtFXuV};
        matches!(op, VfwcvtFXV | VfwcvtFXuV | VfncvtXFW | VfncvtXuFW | VfncvtRtzXFW | VfncvtRtzXuFW)
    };
    match s {
        _ if !is_float(op) => true,
        1 => half && single(),
        2 => half || single(),
        _ => true,
    }
}

/// Whether half-precision numbers are operands or results of an operation's arithmetic.
fn computes_halves(map: &Map) -> bool {
    let to_integers = matches!(map.operation, Operation::ToInt { .. });
    let promotes = |source: Source| source == promote(2);
    map.operation.is_float()
        && (map.width == 2 || map.d == 2 && !to_integers || promotes(map.a) || promotes(map.b))
}

/// Whether there is code for an operation. Shifts by vectors are done one by one.
fn has_code(map: &Map, vector_second: bool, unit: Unit) -> bool {
    if computes_halves(map) && !unit.host_half {
        return false;
    }
    match map.operation {
        Operation::Scale { .. } | Operation::Clip { .. } => !vector_second,
        Operation::Fraction => map.width < 8,
        Operation::Divide(_) => true,
        operation => !(operation.shifts() && vector_second) || map.width >= 4,
    }
}

pub(super) fn compare_of(op: Op) -> Option<Compare> {
    use Compare::{Carry, Float, Int};
    let carry = |borrow, mask| Carry { borrow, mask };
    Some(match op {
        Op::VmadcVvm | Op::VmadcVxm | Op::VmadcVim => carry(false, true),
        Op::VmadcVv | Op::VmadcVx | Op::VmadcVi => carry(false, false),
        Op::VmsbcVvm | Op::VmsbcVxm => carry(true, true),
        Op::VmsbcVv | Op::VmsbcVx => carry(true, false),
        Op::VmseqVv | Op::VmseqVx | Op::VmseqVi => Int(IntCC::Equal),
        Op::VmsneVv | Op::VmsneVx | Op::VmsneVi => Int(IntCC::NotEqual),
        Op::VmsltuVv | Op::VmsltuVx => Int(IntCC::UnsignedLessThan),
        Op::VmsltVv | Op::VmsltVx => Int(IntCC::SignedLessThan),
        Op::VmsleuVv | Op::VmsleuVx | Op::VmsleuVi => Int(IntCC::UnsignedLessThanOrEqual),
        Op::VmsleVv | Op::VmsleVx | Op::VmsleVi => Int(IntCC::SignedLessThanOrEqual),
        Op::VmsgtuVx | Op::VmsgtuVi => Int(IntCC::UnsignedGreaterThan),
        Op::VmsgtVx | Op::VmsgtVi => Int(IntCC::SignedGreaterThan),
        Op::VmfeqVv | Op::VmfeqVf => Float(FloatCC::Equal),
        Op::VmfneVv | Op::VmfneVf => Float(FloatCC::NotEqual),
        Op::VmfltVv | Op::VmfltVf => Float(FloatCC::LessThan),
        Op::VmfleVv | Op::VmfleVf => Float(FloatCC::LessThanOrEqual),
        Op::VmfgtVf => Float(FloatCC::GreaterThan),
        Op::VmfgeVf => Float(FloatCC::GreaterThanOrEqual),
        _ => return None,
    })
}

pub(super) fn logic_of(op: Op) -> Option<Logic> {
    let logic = |operation, invert_second, invert| Logic { operation, invert_second, invert };
    Some(match op {
        Op::VmandMm => logic(Operation::And, false, false),
        Op::VmnandMm => logic(Operation::And, false, true),
        Op::VmandnMm => logic(Operation::And, true, false),
        Op::VmxorMm => logic(Operation::Xor, false, false),
        Op::VmorMm => logic(Operation::Or, false, false),
        Op::VmnorMm => logic(Operation::Or, false, true),
        Op::VmornMm => logic(Operation::Or, true, false),
        Op::VmxnorMm => logic(Operation::Xor, false, true),
        _ => return None,
    })
}

pub(super) fn reduction_of(op: Op, s: u64) -> Option<Plan> {
    let same = |operation| Some(Plan::Reduce { operation, a: zero(s), width: s });
    let wide = |operation, a| Some(Plan::Reduce { operation, a, width: 2 * s });
    match op {
        Op::VredsumVs => same(Operation::Add),
        Op::VredandVs => same(Operation::And),
        Op::VredorVs => same(Operation::Or),
        Op::VredxorVs => same(Operation::Xor),
        Op::VredminVs => same(Operation::Min),
        Op::VredminuVs => same(Operation::MinUnsigned),
        Op::VredmaxVs => same(Operation::Max),
        Op::VredmaxuVs => same(Operation::MaxUnsigned),
        Op::VwredsumVs if s < 8 => wide(Operation::Add, sign(s)),
        Op::VwredsumuVs if s < 8 => wide(Operation::Add, zero(s)),
        Op::VfredusumVs | Op::VfredosumVs => same(Operation::FAdd),
        Op::VfredminVs => same(Operation::FMin),
        Op::VfredmaxVs => same(Operation::FMax),
        _ => None,
    }
}

/// Whether a load or store of whole registers stores, and the number of registers. These
/// instructions do not depend on the vector type.
fn plain_access(op: Op) -> Option<(bool, u64)> {
    Some(match op {
        Op::Vl1re8V | Op::Vl1re16V | Op::Vl1re32V | Op::Vl1re64V => (false, 1),
        Op::Vl2re8V | Op::Vl2re16V | Op::Vl2re32V | Op::Vl2re64V => (false, 2),
        Op::Vl4re8V | Op::Vl4re16V | Op::Vl4re32V | Op::Vl4re64V => (false, 4),
        Op::Vl8re8V | Op::Vl8re16V | Op::Vl8re32V | Op::Vl8re64V => (false, 8),
        Op::Vs1rV => (true, 1),
        Op::Vs2rV => (true, 2),
        Op::Vs4rV => (true, 4),
        Op::Vs8rV => (true, 8),
        _ => return None,
    })
}

/// The kind of a load or store: whether it stores, its places, and the size in its name.
fn access_of(op: Op) -> Option<(bool, Places, u64)> {
    let name = op.row().mnemonic.strip_suffix(".v")?;
    let (store, rest) = match (name.strip_prefix("vl"), name.strip_prefix("vs")) {
        (Some(rest), _) => (false, rest),
        (_, Some(rest)) => (true, rest),
        _ => return None,
    };
    let digits = rest.trim_start_matches(|c: char| !c.is_ascii_digit());
    let size = digits.parse::<u64>().ok()? / 8;
    let places = match op.row().format {
        Format::VMem | Format::VMemSeg => Places::Unit,
        Format::VMemStride | Format::VMemStrideSeg => Places::Strided,
        Format::VMemIndex | Format::VMemIndexSeg => Places::Indexed(size),
        _ => return None,
    };
    Some((store, places, size))
}

/// The plan for an instruction; `None` if the interpreter executes it as one that may trap.
pub(super) fn plan(i: &Inst, config: Option<Config>, unit: Unit) -> Option<Planned> {
    in_chunks(i, config, unit).or_else(|| {
        let Config { shape, elements } = config?;
        let (sew, most) = (shape.sew(), most_elements(shape, unit.vlenb));
        let planned = Planned {
            plan: Plan::Call,
            sew,
            elements: elements.unwrap_or(most),
            most,
            any_length: elements.is_none(),
        };
        legal(i, shape, unit.half).then_some(planned)
    })
}

/// The plan for an instruction that is done on chunks.
fn in_chunks(i: &Inst, config: Option<Config>, unit: Unit) -> Option<Planned> {
    let vlenb = unit.vlenb;
    // Registers are whole chunks.
    if !vlenb.is_multiple_of(CHUNK) {
        return None;
    }
    let op = i.op;
    let none = Planned { plan: Plan::Read, sew: 1, elements: 0, most: 0, any_length: false };
    if let Some((store, n)) = plain_access(op) {
        let aligned = u64::from(i.rd).is_multiple_of(n);
        let bytes = n * vlenb;
        let access = Access {
            store,
            places: Places::Unit,
            size: 1,
            fields: 1,
            registers: n,
            elements: bytes,
            masked: false,
        };
        let fits = aligned && bytes / CHUNK <= MOST_CHUNKS && bytes <= LONGEST_ACCESS;
        return fits.then_some(Planned { plan: Plan::Access(access), ..none });
    }
    let whole = match op {
        Op::Vmv1rV => Some(1),
        Op::Vmv2rV => Some(2),
        Op::Vmv4rV => Some(4),
        Op::Vmv8rV => Some(8),
        _ => None,
    };
    if let Some(n) = whole {
        let aligned = u64::from(i.rd).is_multiple_of(n) && u64::from(i.rs2).is_multiple_of(n);
        let bytes = n * vlenb;
        let fits = aligned && bytes / CHUNK <= MOST_CHUNKS;
        return fits.then_some(Planned { plan: Plan::Copy { bytes }, ..none });
    }
    let config = config?;
    let shape = config.shape;
    let sew = shape.sew();
    let most = most_elements(shape, vlenb);
    let any_length = config.elements.is_none();
    let made = |plan, elements| Some(Planned { plan, sew, elements, most, any_length });
    match op {
        Op::VmvXS => return made(Plan::Read, 0),
        Op::VfmvFS if has_format(op, sew, unit.half) => return made(Plan::Read, 0),
        _ => {}
    }
    let elements = config.elements.unwrap_or(most);
    if !(1..=most).contains(&elements) {
        return None;
    }
    let of = |register: u8, size: u64| group(register, size, shape);
    let destination = |size: u64| of(i.rd, size) && (i.unmasked || i.rd != 0);
    let short = |size: u64| elements * size <= MOST_CHUNKS * CHUNK;
    let has = |o: Operand| i.op.row().format.operands().contains(&o);
    let second = |size: u64| !has(Operand::V1) || of(i.rs1, size);
    if let Some(map) = map_of(op, sew) {
        let splat = matches!(op, Op::VmvVV | Op::VmvVX | Op::VmvVI | Op::VfmvVF);
        let sizes = [map.d, map.a.size, map.b.size, map.width];
        let fine = sizes.iter().all(|s| (1..=8).contains(s) && short(*s))
            && (if splat { of(i.rd, map.d) } else { destination(map.d) })
            && (!has(Operand::V2) || of(i.rs2, map.a.size))
            && second(map.b.size)
            && has_code(&map, has(Operand::V1), unit);
        return if fine && has_format(op, sew, unit.half) {
            made(Plan::Map(map), elements)
        } else {
            None
        };
    }
    if let Some(compare) = compare_of(op) {
        let halves = matches!(compare, Compare::Float(_)) && sew == 2;
        let fine = short(sew) && of(i.rs2, sew) && second(sew);
        let fine = fine && has_format(op, sew, unit.half) && (!halves || unit.host_half);
        return if fine { made(Plan::Compare { compare, size: sew }, elements) } else { None };
    }
    if let Some(logic) = logic_of(op) {
        return made(Plan::Logic(logic), elements);
    }
    if let Some(plan) = reduction_of(op, sew) {
        let sum = matches!(plan, Plan::Reduce { operation, .. } if operation.is_float());
        // The interpreter executes those of halves.
        let fine = of(i.rs2, sew) && short(sew) && (!sum || sew >= 4 && elements <= MOST_SINGLE);
        return if fine { made(plan, elements) } else { None };
    }
    let slide = |up: bool, by: u64, scalar: bool| {
        let apart = !up || !overlap(i.rd, i.rs2, shape);
        let fine = destination(sew) && of(i.rs2, sew) && short(sew) && apart && i.unmasked;
        let scalar_fits = has_format(op, sew, unit.half);
        // `vslide1down` puts the scalar at `vl` - 1, which must be known.
        let scalar_fits = scalar_fits && !(scalar && any_length);
        let plan = Plan::Slide { up, by, scalar };
        if fine && scalar_fits { made(plan, elements) } else { None }
    };
    let slide_any = |up: bool| {
        let apart = !up || !overlap(i.rd, i.rs2, shape);
        let fine = destination(sew) && of(i.rs2, sew) && apart;
        let table = most * sew <= MOST_TABLE * CHUNK;
        if fine && table { made(Plan::SlideAny { up }, elements) } else { None }
    };
    let amount = i64::from(i.imm).cast_unsigned();
    match op {
        Op::VcpopM => made(Plan::Count, elements),
        Op::VfirstM => made(Plan::FindFirst, elements),
        Op::VmsbfM | Op::VmsifM | Op::VmsofM => {
            let legal = i.rd != i.rs2 && (i.unmasked || i.rd != 0);
            if legal && elements <= 64 { made(Plan::MarkFirst, elements) } else { None }
        }
        Op::VmvSX => made(Plan::Write, elements),
        Op::VfmvSF if has_format(op, sew, unit.half) => made(Plan::Write, elements),
        Op::VslideupVx => slide_any(true),
        Op::VslidedownVx => slide_any(false),
        Op::VslideupVi if !i.unmasked => slide_any(true),
        Op::VslidedownVi if !i.unmasked => slide_any(false),
        Op::ViotaM => {
            let few = most * sew <= 2 * MOST_TABLE * CHUNK;
            if destination(sew) && few { made(Plan::CountBefore, elements) } else { None }
        }
        Op::VslideupVi => slide(true, amount, false),
        Op::VslidedownVi => slide(false, amount, false),
        Op::Vslide1upVx | Op::Vfslide1upVf => slide(true, 1, true),
        Op::Vslide1downVx | Op::Vfslide1downVf => slide(false, 1, true),
        Op::VrgatherVi => {
            let fine = destination(sew) && of(i.rs2, sew) && short(sew);
            let fine = fine && !overlap(i.rd, i.rs2, shape);
            if fine { made(Plan::Broadcast, elements) } else { None }
        }
        Op::VrgatherVv | Op::VrgatherVx | Op::Vrgatherei16Vv => {
            let size = if op == Op::Vrgatherei16Vv { 2 } else { sew };
            let fine = destination(sew) && of(i.rs2, sew) && second(size) && short(sew);
            let indices = has(Operand::V1) && overlap_sizes((i.rd, sew), (i.rs1, size), shape);
            let apart = !overlap(i.rd, i.rs2, shape) && !indices;
            let table = most * sew <= MOST_TABLE * CHUNK;
            if fine && apart && table { made(Plan::Gather, elements) } else { None }
        }
        Op::VcompressVm => {
            let fine = of(i.rd, sew) && of(i.rs2, sew) && !overlap(i.rd, i.rs2, shape);
            if fine && short(sew) { made(Plan::Compress, elements) } else { None }
        }
        Op::VlmV | Op::VsmV if any_length => None,
        Op::VlmV | Op::VsmV => {
            let access = Access {
                store: op == Op::VsmV,
                places: Places::Unit,
                size: 1,
                fields: 1,
                registers: 1,
                elements: elements.div_ceil(8),
                masked: false,
            };
            made(Plan::Access(access), elements)
        }
        _ => {
            let (store, places, named) = access_of(op)?;
            let size = if matches!(places, Places::Indexed(_)) { sew } else { named };
            let fields = if has(Operand::Nf) { u64::from(i.aux) + 1 } else { 1 };
            let log = log_group(size, shape);
            let registers = 1 << log.max(0);
            let legal = if store { of(i.rd, size) } else { destination(size) };
            let indices = match places {
                Places::Indexed(size) => of(i.rs2, size) && elements * size <= MOST_CHUNKS * CHUNK,
                _ => true,
            };
            let inside = fields * registers <= 8 && u64::from(i.rd) + fields * registers <= 32;
            let total = elements * fields;
            let single = places != Places::Unit || fields != 1;
            let fine = legal
                && indices
                && inside
                && total * size <= LONGEST_ACCESS
                && if single { total <= MOST_SINGLE } else { short(size) };
            let masked = !i.unmasked;
            let access = Access { store, places, size, fields, registers, elements, masked };
            if fine { made(Plan::Access(access), elements) } else { None }
        }
    }
}

/// The binary logarithm of the number of registers of a group with elements of `size` bytes.
fn log_group(size: u64, shape: Shape) -> i32 {
    shape.lmul() + size.trailing_zeros().cast_signed() - shape.sew().trailing_zeros().cast_signed()
}

/// Whether `register` can begin a group with elements of `size` bytes.
pub(super) fn group(register: u8, size: u64, shape: Shape) -> bool {
    let log = log_group(size, shape);
    (-3..=3).contains(&log) && size <= 8 && u64::from(register).is_multiple_of(1 << log.max(0))
}

/// Whether two groups overlap.
pub(super) fn overlap(a: u8, b: u8, shape: Shape) -> bool {
    overlap_sizes((a, shape.sew()), (b, shape.sew()), shape)
}

/// As [`overlap`], for registers with elements of these sizes.
pub(super) fn overlap_sizes(a: (u8, u64), b: (u8, u64), shape: Shape) -> bool {
    let count = |size: u64| 1_u8 << log_group(size, shape).clamp(0, 3);
    let ((a, a_size), (b, b_size)) = (a, b);
    a < b + count(b_size) && b < a + count(a_size)
}
