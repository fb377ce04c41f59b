//! Opcodes, comparison predicates, memory orders and atomic operations, by LLVM's names.

use llvm_sys::{LLVMAtomicOrdering, LLVMAtomicRMWBinOp, LLVMIntPredicate, LLVMRealPredicate};

macro_rules! opcodes {
    ($($name:ident = $n:literal),* $(,)?) => {
        /// The opcode of an instruction.
        #[expect(missing_docs, reason = "the names are LLVM's own")]
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Opcode { $($name),*, Other }
        impl Opcode {
            pub(crate) fn from_raw(n: u32) -> Self {
                match n { $($n => Self::$name,)* _ => Self::Other }
            }
        }
    };
}
opcodes! {
    Ret = 1, Br = 2, Switch = 3, IndirectBr = 4, Invoke = 5, Unreachable = 7, Add = 8, FAdd = 9,
    Sub = 10, FSub = 11, Mul = 12, FMul = 13, UDiv = 14, SDiv = 15, FDiv = 16, URem = 17, SRem =
    18, FRem = 19, Shl = 20, LShr = 21, AShr = 22, And = 23, Or = 24, Xor = 25, Alloca = 26,
    Load = 27, Store = 28, GetElementPtr = 29, Trunc = 30, ZExt = 31, SExt = 32, FPToUI = 33,
    FPToSI = 34, UIToFP = 35, SIToFP = 36, FPTrunc = 37, FPExt = 38, PtrToInt = 39, IntToPtr =
    40, BitCast = 41, ICmp = 42, FCmp = 43, Phi = 44, Call = 45, Select = 46, ExtractElement =
    50, InsertElement = 51, ShuffleVector = 52, ExtractValue = 53, InsertValue = 54, Fence = 55,
    AtomicCmpXchg = 56, AtomicRmw = 57, AddrSpaceCast = 60, FNeg = 66, CallBr = 67, Freeze = 68,
}

/// Integer comparisons.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are LLVM's own")]
pub enum IntPredicate {
    Eq,
    Ne,
    Ugt,
    Uge,
    Ult,
    Ule,
    Sgt,
    Sge,
    Slt,
    Sle,
}

impl IntPredicate {
    pub(crate) fn raw(self) -> LLVMIntPredicate {
        match self {
            Self::Eq => LLVMIntPredicate::LLVMIntEQ,
            Self::Ne => LLVMIntPredicate::LLVMIntNE,
            Self::Ugt => LLVMIntPredicate::LLVMIntUGT,
            Self::Uge => LLVMIntPredicate::LLVMIntUGE,
            Self::Ult => LLVMIntPredicate::LLVMIntULT,
            Self::Ule => LLVMIntPredicate::LLVMIntULE,
            Self::Sgt => LLVMIntPredicate::LLVMIntSGT,
            Self::Sge => LLVMIntPredicate::LLVMIntSGE,
            Self::Slt => LLVMIntPredicate::LLVMIntSLT,
            Self::Sle => LLVMIntPredicate::LLVMIntSLE,
        }
    }
    pub(crate) fn from_raw(raw: LLVMIntPredicate) -> Self {
        match raw {
            LLVMIntPredicate::LLVMIntEQ => Self::Eq,
            LLVMIntPredicate::LLVMIntNE => Self::Ne,
            LLVMIntPredicate::LLVMIntUGT => Self::Ugt,
            LLVMIntPredicate::LLVMIntUGE => Self::Uge,
            LLVMIntPredicate::LLVMIntULT => Self::Ult,
            LLVMIntPredicate::LLVMIntULE => Self::Ule,
            LLVMIntPredicate::LLVMIntSGT => Self::Sgt,
            LLVMIntPredicate::LLVMIntSGE => Self::Sge,
            LLVMIntPredicate::LLVMIntSLT => Self::Slt,
            LLVMIntPredicate::LLVMIntSLE => Self::Sle,
        }
    }
}

/// Floating-point comparisons that the passes emit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are LLVM's own")]
pub enum FloatPredicate {
    Oeq,
    Olt,
    Ogt,
    Uno,
}

impl FloatPredicate {
    pub(crate) fn raw(self) -> LLVMRealPredicate {
        match self {
            Self::Oeq => LLVMRealPredicate::LLVMRealOEQ,
            Self::Olt => LLVMRealPredicate::LLVMRealOLT,
            Self::Ogt => LLVMRealPredicate::LLVMRealOGT,
            Self::Uno => LLVMRealPredicate::LLVMRealUNO,
        }
    }
}

/// Memory orders.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are LLVM's own")]
pub enum Ordering {
    Monotonic,
    Acquire,
    Release,
    AcqRel,
    SeqCst,
}

/// Atomic read-modify-write operations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are LLVM's own")]
pub enum AtomicOp {
    Xchg,
    Add,
    Sub,
    And,
    Or,
    Xor,
    Max,
    Min,
    UMax,
    UMin,
}

impl Ordering {
    pub(crate) fn raw(self) -> LLVMAtomicOrdering {
        match self {
            Self::Monotonic => LLVMAtomicOrdering::LLVMAtomicOrderingMonotonic,
            Self::Acquire => LLVMAtomicOrdering::LLVMAtomicOrderingAcquire,
            Self::Release => LLVMAtomicOrdering::LLVMAtomicOrderingRelease,
            Self::AcqRel => LLVMAtomicOrdering::LLVMAtomicOrderingAcquireRelease,
            Self::SeqCst => LLVMAtomicOrdering::LLVMAtomicOrderingSequentiallyConsistent,
        }
    }
}

impl AtomicOp {
    /// `None`: an operation on floating-point numbers, or one that LLVM added later.
    pub(crate) fn from_raw(raw: LLVMAtomicRMWBinOp) -> Option<Self> {
        use AtomicOp::{Add, And, Max, Min, Or, Sub, UMax, UMin, Xchg, Xor};
        [Xchg, Add, Sub, And, Or, Xor, Max, Min, UMax, UMin].into_iter().find(|op| op.raw() == raw)
    }
    pub(crate) fn raw(self) -> LLVMAtomicRMWBinOp {
        match self {
            Self::Xchg => LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpXchg,
            Self::Add => LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpAdd,
            Self::Sub => LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpSub,
            Self::And => LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpAnd,
            Self::Or => LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpOr,
            Self::Xor => LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpXor,
            Self::Max => LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpMax,
            Self::Min => LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpMin,
            Self::UMax => LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpUMax,
            Self::UMin => LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpUMin,
        }
    }
}
