//! Values and instructions: one `Copy` handle for all of them, with an [`Opcode`] to ask what an
//! instruction is.
//!
//! Invariant: questions that only make sense for one kind of instruction are documented as such;
//! asking them of another is a bug of the caller that LLVM's assertions (where built in) catch.

use std::fmt;

use llvm_sys::core::{
    LLVMAddIncoming, LLVMConstIntGetSExtValue, LLVMConstIntGetZExtValue, LLVMCountIncoming,
    LLVMDeleteGlobal, LLVMDeleteInstruction, LLVMGetAlignment, LLVMGetAllocatedType,
    LLVMGetArgOperand, LLVMGetCalledFunctionType, LLVMGetCalledValue, LLVMGetCondition,
    LLVMGetFirstUse, LLVMGetGEPSourceElementType, LLVMGetICmpPredicate, LLVMGetIncomingBlock,
    LLVMGetIncomingValue, LLVMGetInitializer, LLVMGetInstructionParent, LLVMGetLinkage,
    LLVMGetMaskValue, LLVMGetNextInstruction, LLVMGetNextUse, LLVMGetNumArgOperands,
    LLVMGetNumMaskElements, LLVMGetNumOperands, LLVMGetNumSuccessors, LLVMGetOperand,
    LLVMGetPreviousInstruction, LLVMGetSection, LLVMGetSuccessor, LLVMGetUser, LLVMGetValueName2,
    LLVMGetVolatile, LLVMGlobalGetValueType, LLVMInstructionClone, LLVMInstructionEraseFromParent,
    LLVMInstructionRemoveFromParent, LLVMIsAAllocaInst, LLVMIsAArgument, LLVMIsACallInst,
    LLVMIsAConstant, LLVMIsAConstantExpr, LLVMIsAConstantInt, LLVMIsAFunction, LLVMIsAGlobalValue,
    LLVMIsAGlobalVariable, LLVMIsAInstruction, LLVMIsATerminatorInst, LLVMIsAUndefValue,
    LLVMIsAtomic, LLVMIsConditional, LLVMIsDeclaration, LLVMIsGlobalConstant, LLVMIsNull,
    LLVMReplaceAllUsesWith, LLVMSetAlignment, LLVMSetCondition, LLVMSetGlobalConstant,
    LLVMSetInitializer, LLVMSetInstructionCallConv, LLVMSetLinkage, LLVMSetOperand, LLVMSetSection,
    LLVMSetSuccessor, LLVMSetTailCall, LLVMSetUnnamedAddress, LLVMSetValueName2, LLVMSetVisibility,
    LLVMSetVolatile, LLVMTypeOf,
};
use llvm_sys::prelude::LLVMValueRef;
use llvm_sys::{LLVMIntPredicate, LLVMRealPredicate, LLVMUnnamedAddr, LLVMVisibility};

use crate::ffi::{
    MuxclAllocaAlign, MuxclDropUnknownMetadata, MuxclHasInstructionNode, MuxclIsDebugOrPseudo,
    MuxclIsLifetime, MuxclIsSafeToSpeculate, MuxclIsSplat, MuxclIsStaticAlloca,
    MuxclMayHaveSideEffects, MuxclMayReadMemory, MuxclMayWriteMemory, MuxclMoveBefore, MuxclOpcode,
    MuxclPhiSetIncomingValue, MuxclPrintValue, MuxclRemoveCallAttribute,
    MuxclRemoveCallParamAttribute, MuxclSetDsoLocal, MuxclSetInvariantLoad,
    MuxclSetNamedInstructionFlag, MuxclSetRange, MuxclUnderlyingObject, collect, cstr, text,
};
use crate::{Block, Cx, Function, Linkage, Type};

/// Any value: constant, argument, global, instruction.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Value(pub(crate) LLVMValueRef);

macro_rules! opcodes {
    ($($name:ident = $n:literal),* $(,)?) => {
        /// What an instruction does.
        #[expect(missing_docs, reason = "the names are LLVM's own")]
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Opcode { $($name),*, Other }
        impl Opcode {
            fn from_raw(n: u32) -> Self {
                match n { $($n => Self::$name,)* _ => Self::Other }
            }
        }
    };
}
opcodes! {
    Ret = 1, Br = 2, Switch = 3, IndirectBr = 4, Invoke = 5, Unreachable = 7, Add = 8, FAdd = 9, Sub = 10, FSub = 11,
    Mul = 12, FMul = 13, UDiv = 14, SDiv = 15, FDiv = 16, URem = 17, SRem = 18, FRem = 19, Shl = 20, LShr = 21, AShr = 22,
    And = 23, Or = 24, Xor = 25, Alloca = 26, Load = 27, Store = 28, GetElementPtr = 29, Trunc = 30, ZExt = 31, SExt = 32,
    FPToUI = 33, FPToSI = 34, UIToFP = 35, SIToFP = 36, FPTrunc = 37, FPExt = 38, PtrToInt = 39, IntToPtr = 40,
    BitCast = 41, ICmp = 42, FCmp = 43, Phi = 44, Call = 45, Select = 46, ExtractElement = 50, InsertElement = 51,
    ShuffleVector = 52, ExtractValue = 53, InsertValue = 54, Fence = 55, AtomicCmpXchg = 56, AtomicRmw = 57,
    AddrSpaceCast = 60, FNeg = 66, CallBr = 67, Freeze = 68,
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
    fn from_raw(raw: LLVMIntPredicate) -> Self {
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

/// Floating-point comparisons the passes make.
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

/// Atomic read-modify-write operations the passes make.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are LLVM's own")]
pub enum AtomicOp {
    Xchg,
    Add,
    Sub,
    And,
    Or,
    Xor,
}

impl Value {
    /// The context.
    pub fn cx(self) -> Cx {
        self.ty().cx()
    }
    /// The type.
    pub fn ty(self) -> Type {
        Type(ll!(LLVMTypeOf(self.0)))
    }
    /// The name, or an empty string.
    pub fn name(self) -> String {
        let mut len = 0usize;
        let p = ll!(LLVMGetValueName2(self.0, &raw mut len));
        if p.is_null() || len == 0 {
            return String::new();
        }
        // SAFETY: LLVM returns `len` bytes that live as long as the value keeps its name.
        let bytes = unsafe { std::slice::from_raw_parts(p.cast::<u8>(), len) };
        String::from_utf8_lossy(bytes).into_owned()
    }
    /// Renames.
    pub fn set_name(self, name: &str) {
        ll!(LLVMSetValueName2(self.0, name.as_ptr().cast(), name.len()));
    }
    /// Every use as (user, which for an instruction is the instruction). A user with two such
    /// operands comes twice.
    pub fn users(self) -> Vec<Self> {
        let mut out = Vec::new();
        let mut u = ll!(LLVMGetFirstUse(self.0));
        while !u.is_null() {
            out.push(Self(ll!(LLVMGetUser(u))));
            u = ll!(LLVMGetNextUse(u));
        }
        out
    }
    /// Whether anything uses it.
    pub fn has_uses(self) -> bool {
        !ll!(LLVMGetFirstUse(self.0)).is_null()
    }
    /// Replaces every use.
    pub fn replace_all_uses(self, with: Self) {
        if self != with {
            ll!(LLVMReplaceAllUsesWith(self.0, with.0));
        }
    }

    /// Is it an instruction?
    pub fn is_instruction(self) -> bool {
        !ll!(LLVMIsAInstruction(self.0)).is_null()
    }
    /// Is it an argument of a function?
    pub fn is_argument(self) -> bool {
        !ll!(LLVMIsAArgument(self.0)).is_null()
    }
    /// Is it a constant (globals included)?
    pub fn is_constant(self) -> bool {
        !ll!(LLVMIsAConstant(self.0)).is_null()
    }
    /// Is it a constant expression?
    pub fn is_constant_expr(self) -> bool {
        !ll!(LLVMIsAConstantExpr(self.0)).is_null()
    }
    /// Is it a constant of all zero bits, as a null pointer is?
    pub fn is_null(self) -> bool {
        ll!(LLVMIsNull(self.0)) != 0
    }
    /// Is it undef or poison?
    pub fn is_undef(self) -> bool {
        !ll!(LLVMIsAUndefValue(self.0)).is_null()
    }
    /// Is it a function or a variable of the module?
    pub fn is_global(self) -> bool {
        !ll!(LLVMIsAGlobalValue(self.0)).is_null()
    }
    /// Is it a variable of the module?
    pub fn is_global_variable(self) -> bool {
        !ll!(LLVMIsAGlobalVariable(self.0)).is_null()
    }
    /// The function, if it is one.
    pub fn as_function(self) -> Option<Function> {
        (!ll!(LLVMIsAFunction(self.0)).is_null()).then_some(Function(self))
    }
    /// The value of an integer constant of at most 64 bits.
    pub fn as_u64(self) -> Option<u64> {
        (!ll!(LLVMIsAConstantInt(self.0)).is_null() && self.ty().int_width() <= 64)
            .then(|| ll!(LLVMConstIntGetZExtValue(self.0)))
    }
    /// The value of an integer constant of at most 64 bits, sign-extended.
    pub fn as_i64(self) -> Option<i64> {
        (!ll!(LLVMIsAConstantInt(self.0)).is_null() && self.ty().int_width() <= 64)
            .then(|| ll!(LLVMConstIntGetSExtValue(self.0)))
    }

    // ---- operands ----
    /// The number of operands.
    pub fn operand_count(self) -> u32 {
        u32::try_from(ll!(LLVMGetNumOperands(self.0))).unwrap_or(0)
    }
    /// One operand (blocks included, as values; see [`Value::successors`]).
    pub fn operand(self, i: u32) -> Self {
        Self(ll!(LLVMGetOperand(self.0, i)))
    }
    /// All operands. Not for PHIs' blocks, which are no operands.
    pub fn operands(self) -> Vec<Self> {
        (0..self.operand_count()).map(|i| self.operand(i)).collect()
    }
    /// Replaces an operand.
    pub fn set_operand(self, i: u32, v: Self) {
        ll!(LLVMSetOperand(self.0, i, v.0));
    }
    /// Replaces every operand that is `from`.
    pub fn replace_operand(self, from: Self, to: Self) {
        for i in 0..self.operand_count() {
            if self.operand(i) == from {
                self.set_operand(i, to);
            }
        }
    }

    // ---- instructions ----
    /// What it does; [`Opcode::Other`] if it is no instruction.
    pub fn opcode(self) -> Opcode {
        Opcode::from_raw(ll!(MuxclOpcode(self.0)))
    }
    /// The block of an instruction.
    pub fn block(self) -> Block {
        Block(ll!(LLVMGetInstructionParent(self.0)))
    }
    /// The next instruction of the block.
    pub fn next(self) -> Option<Self> {
        let p = ll!(LLVMGetNextInstruction(self.0));
        (!p.is_null()).then_some(Self(p))
    }
    /// The previous instruction of the block.
    pub fn previous(self) -> Option<Self> {
        let p = ll!(LLVMGetPreviousInstruction(self.0));
        (!p.is_null()).then_some(Self(p))
    }
    /// Is it a terminator?
    pub fn is_terminator(self) -> bool {
        !ll!(LLVMIsATerminatorInst(self.0)).is_null()
    }
    /// Unlinks and deletes an instruction. It must have no uses.
    pub fn erase(self) {
        ll!(LLVMInstructionEraseFromParent(self.0));
    }
    /// Unlinks an instruction without deleting it.
    pub fn unlink(self) {
        ll!(LLVMInstructionRemoveFromParent(self.0));
    }
    /// Deletes an unlinked instruction.
    pub fn delete_unlinked(self) {
        ll!(LLVMDeleteInstruction(self.0));
    }
    /// A copy of an instruction, not yet in a block.
    pub fn duplicate(self) -> Self {
        Self(ll!(LLVMInstructionClone(self.0)))
    }
    /// Moves an instruction before another.
    pub fn move_before(self, other: Self) {
        ll!(MuxclMoveBefore(self.0, other.0));
    }
    /// May it write memory, trap or not return?
    pub fn has_side_effects(self) -> bool {
        ll!(MuxclMayHaveSideEffects(self.0)) != 0
    }
    /// May it read memory?
    pub fn may_read(self) -> bool {
        ll!(MuxclMayReadMemory(self.0)) != 0
    }
    /// May it write memory?
    pub fn may_write(self) -> bool {
        ll!(MuxclMayWriteMemory(self.0)) != 0
    }
    /// Can it be computed anywhere its operands are available?
    pub fn is_speculatable(self) -> bool {
        ll!(MuxclIsSafeToSpeculate(self.0)) != 0
    }
    /// Is it `llvm.lifetime.*`?
    pub fn is_lifetime(self) -> bool {
        ll!(MuxclIsLifetime(self.0)) != 0
    }
    /// Is it a debug or pseudo instruction?
    pub fn is_debug(self) -> bool {
        ll!(MuxclIsDebugOrPseudo(self.0)) != 0
    }
    /// The object a pointer points into, as far as it can be told.
    pub fn underlying_object(self) -> Self {
        Self(ll!(MuxclUnderlyingObject(self.0)))
    }

    // ---- calls ----
    /// Is it a call?
    pub fn is_call(self) -> bool {
        !ll!(LLVMIsACallInst(self.0)).is_null()
    }
    /// The function a call names directly.
    pub fn callee(self) -> Option<Function> {
        if !self.is_call() {
            return None;
        }
        let v = ll!(LLVMGetCalledValue(self.0));
        if v.is_null() { None } else { Self(v).as_function() }
    }
    /// The called operand.
    pub fn called_value(self) -> Self {
        Self(ll!(LLVMGetCalledValue(self.0)))
    }
    /// The function type of a call.
    pub fn called_type(self) -> Type {
        Type(ll!(LLVMGetCalledFunctionType(self.0)))
    }
    /// The arguments of a call.
    pub fn args(self) -> Vec<Self> {
        (0..ll!(LLVMGetNumArgOperands(self.0)))
            .map(|i| Self(ll!(LLVMGetArgOperand(self.0, i))))
            .collect()
    }
    /// Sets the calling convention of a call (0 is C).
    pub fn set_call_convention(self, cc: u32) {
        ll!(LLVMSetInstructionCallConv(self.0, cc));
    }
    /// Removes an enum attribute from an argument of a call.
    pub fn remove_call_param_attribute(self, param: u32, name: &str) {
        let n = cstr(name);
        ll!(MuxclRemoveCallParamAttribute(self.0, param, n.as_ptr()));
    }
    /// Removes an enum attribute from a call.
    pub fn remove_call_attribute(self, name: &str) {
        let n = cstr(name);
        ll!(MuxclRemoveCallAttribute(self.0, n.as_ptr()));
    }
    /// Sets or clears the tail mark of a call.
    pub fn set_tail_call(self, tail: bool) {
        ll!(LLVMSetTailCall(self.0, tail.into()));
    }

    // ---- PHIs ----
    /// The incoming (value, block) pairs of a PHI.
    pub fn incoming(self) -> Vec<(Self, Block)> {
        (0..ll!(LLVMCountIncoming(self.0)))
            .map(|i| {
                (
                    Self(ll!(LLVMGetIncomingValue(self.0, i))),
                    Block(ll!(LLVMGetIncomingBlock(self.0, i))),
                )
            })
            .collect()
    }
    /// Adds an incoming pair to a PHI.
    pub fn add_incoming(self, v: Self, b: Block) {
        let mut value = v.0;
        let mut block = b.0;
        ll!(LLVMAddIncoming(self.0, &raw mut value, &raw mut block, 1));
    }
    /// Replaces an incoming value of a PHI.
    pub fn set_incoming(self, i: u32, v: Self) {
        ll!(MuxclPhiSetIncomingValue(self.0, i, v.0));
    }

    // ---- terminators ----
    /// The successors of a terminator.
    pub fn successors(self) -> Vec<Block> {
        (0..ll!(LLVMGetNumSuccessors(self.0)))
            .map(|i| Block(ll!(LLVMGetSuccessor(self.0, i))))
            .collect()
    }
    /// Replaces one successor of a terminator.
    pub fn set_successor(self, i: u32, b: Block) {
        ll!(LLVMSetSuccessor(self.0, i, b.0));
    }
    /// Is it a branch with a condition?
    pub fn is_conditional_branch(self) -> bool {
        self.opcode() == Opcode::Br && ll!(LLVMIsConditional(self.0)) != 0
    }
    /// The condition of a conditional branch.
    pub fn condition(self) -> Self {
        Self(ll!(LLVMGetCondition(self.0)))
    }
    /// Replaces the condition of a conditional branch.
    pub fn set_condition(self, v: Self) {
        ll!(LLVMSetCondition(self.0, v.0));
    }

    // ---- vectors and comparisons ----
    /// Is it a constant with the same value, or none, in every lane?
    pub fn is_splat_constant(self) -> bool {
        ll!(MuxclIsSplat(self.0)) != 0
    }
    /// The lanes a shuffle takes; those it leaves open are -1.
    pub fn shuffle_mask(self) -> Vec<i32> {
        (0..ll!(LLVMGetNumMaskElements(self.0))).map(|n| ll!(LLVMGetMaskValue(self.0, n))).collect()
    }
    /// What an `icmp` asks.
    pub fn int_predicate(self) -> IntPredicate {
        IntPredicate::from_raw(ll!(LLVMGetICmpPredicate(self.0)))
    }

    // ---- memory ----
    /// Is it an `alloca`?
    pub fn is_alloca(self) -> bool {
        !ll!(LLVMIsAAllocaInst(self.0)).is_null()
    }
    /// Is it an `alloca` of constant size in the entry block?
    pub fn is_static_alloca(self) -> bool {
        ll!(MuxclIsStaticAlloca(self.0)) != 0
    }
    /// The type an `alloca` allocates.
    pub fn allocated_type(self) -> Type {
        Type(ll!(LLVMGetAllocatedType(self.0)))
    }
    /// The alignment of an `alloca`.
    pub fn alloca_align(self) -> u64 {
        ll!(MuxclAllocaAlign(self.0))
    }
    /// The alignment of a load, store or global.
    pub fn align(self) -> u32 {
        ll!(LLVMGetAlignment(self.0))
    }
    /// Sets the alignment of a load, store, alloca or global.
    pub fn set_align(self, bytes: u32) {
        ll!(LLVMSetAlignment(self.0, bytes));
    }
    /// Is a load or store volatile?
    pub fn is_volatile(self) -> bool {
        ll!(LLVMGetVolatile(self.0)) != 0
    }
    /// Makes a load or store volatile.
    pub fn set_volatile(self, v: bool) {
        ll!(LLVMSetVolatile(self.0, v.into()));
    }
    /// Is it an atomic access or fence?
    pub fn is_atomic(self) -> bool {
        ll!(LLVMIsAtomic(self.0)) != 0
    }
    /// The source element type of a GEP.
    pub fn gep_type(self) -> Type {
        Type(ll!(LLVMGetGEPSourceElementType(self.0)))
    }

    // ---- metadata ----
    /// Puts an empty node of this kind on an instruction.
    pub fn set_flag(self, kind: &str) {
        let kind = cstr(kind);
        ll!(MuxclSetNamedInstructionFlag(self.0, kind.as_ptr()));
    }
    /// Whether an instruction has a node of this kind.
    pub fn has_flag(self, kind: &str) -> bool {
        let kind = cstr(kind);
        ll!(MuxclHasInstructionNode(self.0, kind.as_ptr())) != 0
    }
    /// Says that the integer result of a load or call is in `low..high`.
    pub fn set_range(self, low: u64, high: u64) {
        ll!(MuxclSetRange(self.0, low, high));
    }
    /// Says that the loaded memory never changes.
    pub fn set_invariant_load(self) {
        ll!(MuxclSetInvariantLoad(self.0));
    }
    /// Drops all metadata but the debug location.
    pub fn drop_metadata(self) {
        ll!(MuxclDropUnknownMetadata(self.0));
    }

    // ---- globals ----
    /// Has it no definition here?
    pub fn is_declaration(self) -> bool {
        ll!(LLVMIsDeclaration(self.0)) != 0
    }
    /// The type of the variable (or function) itself.
    pub fn global_type(self) -> Type {
        Type(ll!(LLVMGlobalGetValueType(self.0)))
    }
    /// The initialiser of a variable.
    pub fn initializer(self) -> Option<Self> {
        let p = ll!(LLVMGetInitializer(self.0));
        (!p.is_null()).then_some(Self(p))
    }
    /// Sets or removes the initialiser of a variable.
    pub fn set_initializer(self, v: Option<Self>) {
        ll!(LLVMSetInitializer(self.0, v.map_or(std::ptr::null_mut(), |v| v.0)));
    }
    /// Is the variable constant?
    pub fn is_constant_global(self) -> bool {
        ll!(LLVMIsGlobalConstant(self.0)) != 0
    }
    /// Marks the variable constant.
    pub fn set_constant_global(self, v: bool) {
        ll!(LLVMSetGlobalConstant(self.0, v.into()));
    }
    /// The linkage of a global.
    pub fn linkage(self) -> Linkage {
        Linkage::from_raw(ll!(LLVMGetLinkage(self.0)))
    }
    /// Sets the linkage of a global.
    pub fn set_linkage(self, l: Linkage) {
        ll!(LLVMSetLinkage(self.0, l.raw()));
    }
    /// Hidden or default visibility.
    pub fn set_hidden(self, hidden: bool) {
        let v = if hidden {
            LLVMVisibility::LLVMHiddenVisibility
        } else {
            LLVMVisibility::LLVMDefaultVisibility
        };
        ll!(LLVMSetVisibility(self.0, v));
    }
    /// Whether a global is surely in the same loaded object as the code that uses it.
    pub fn set_dso_local(self, local: bool) {
        ll!(MuxclSetDsoLocal(self.0, local.into()));
    }
    /// Says that the address of a global means nothing.
    pub fn set_unnamed_addr(self) {
        ll!(LLVMSetUnnamedAddress(self.0, LLVMUnnamedAddr::LLVMGlobalUnnamedAddr));
    }
    /// Puts a global in a section.
    pub fn set_section(self, name: &str) {
        let name = cstr(name);
        ll!(LLVMSetSection(self.0, name.as_ptr()));
    }
    /// Has a global an explicit section?
    pub fn has_section(self) -> bool {
        let p = ll!(LLVMGetSection(self.0));
        // SAFETY: LLVM returns null or a NUL-terminated string.
        !p.is_null() && unsafe { *p } != 0
    }
    /// Deletes a variable. It must have no uses.
    pub fn erase_global(self) {
        ll!(LLVMDeleteGlobal(self.0));
    }
    /// The undef of this value's type.
    pub fn undef_like(self) -> Self {
        self.ty().undef()
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ((), bytes) = collect(|sink, ctx| ll!(MuxclPrintValue(self.0, sink, ctx)));
        f.write_str(&text(bytes))
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
