//! Values and instructions: one thin handle for all, with an [`Opcode`] for instructions.
//!
//! Inkwell has a type for each class of values and needs conversions between them. Passes query
//! arbitrary values (operands, users, position), so [`Value`] stands for any value. It also
//! implements inkwell's traits, for inkwell's builders.
//!
//! Invariants: a handle is live while its module is borrowed, because erased objects stay in memory
//! until the module is dropped ([`crate::erased`]). A query for one kind of value panics on other
//! kinds.

use std::fmt;
use std::marker::PhantomData;
use std::ptr::NonNull;

use inkwell::values::{
    AnyValue, AsValueRef, BasicValue, FloatMathValue, InstructionValue, IntMathValue,
};
use llvm_sys::prelude::LLVMValueRef;
use llvm_sys::{LLVMAtomicOrdering, LLVMUnnamedAddr, LLVMValue, LLVMVisibility};

use crate::erased;
use crate::ffi::{
    LLVMAddIncoming, LLVMConstIntGetSExtValue, LLVMConstIntGetZExtValue, LLVMCountIncoming,
    LLVMGetAggregateElement, LLVMGetAlignment, LLVMGetAllocatedType, LLVMGetArgOperand,
    LLVMGetAtomicRMWBinOp, LLVMGetCalledFunctionType, LLVMGetCalledValue,
    LLVMGetCmpXchgFailureOrdering, LLVMGetCmpXchgSuccessOrdering, LLVMGetFirstUse,
    LLVMGetICmpPredicate, LLVMGetIncomingBlock, LLVMGetIncomingValue, LLVMGetInitializer,
    LLVMGetLinkage, LLVMGetMaskValue, LLVMGetNextInstruction, LLVMGetNextUse,
    LLVMGetNumArgOperands, LLVMGetNumMaskElements, LLVMGetNumOperands, LLVMGetNumSuccessors,
    LLVMGetOperand, LLVMGetOrdering, LLVMGetPreviousInstruction, LLVMGetSuccessor, LLVMGetUser,
    LLVMGetValueName2, LLVMGetVolatile, LLVMGlobalGetValueType, LLVMIsAAllocaInst, LLVMIsAArgument,
    LLVMIsABranchInst, LLVMIsACallInst, LLVMIsAConstant, LLVMIsAConstantExpr, LLVMIsAConstantInt,
    LLVMIsAFunction, LLVMIsAGlobalVariable, LLVMIsAICmpInst, LLVMIsAInstruction,
    LLVMIsAShuffleVectorInst, LLVMIsATerminatorInst, LLVMIsAUndefValue, LLVMIsAUser, LLVMIsAtomic,
    LLVMIsConditional, LLVMIsDeclaration, LLVMIsGlobalConstant, LLVMIsNull, LLVMReplaceAllUsesWith,
    LLVMSetAlignment, LLVMSetGlobalConstant, LLVMSetInitializer, LLVMSetInstructionCallConv,
    LLVMSetLinkage, LLVMSetOperand, LLVMSetSection, LLVMSetSuccessor, LLVMSetUnnamedAddress,
    LLVMSetValueName2, LLVMSetVisibility, LLVMSetVolatile, LLVMTypeOf, MuxclAddSchedulingBoundary,
    MuxclAddressBase, MuxclAllocaAlign, MuxclArgAlign, MuxclConstantUsersToInstructions,
    MuxclCopyCallAttributes, MuxclEraseInstruction, MuxclInlineCall, MuxclIsLifetime, MuxclIsSplat,
    MuxclLeaveComdat, MuxclMayHaveSideEffects, MuxclMayReadMemory, MuxclMoveBefore, MuxclOpcode,
    MuxclPhiSetIncomingValue, MuxclRemoveCallAttribute, MuxclRemoveDeadConstantUsers,
    MuxclSetDsoLocal, MuxclUnderlyingObject, Text,
};
use crate::module::cstr;
use crate::{AtomicOp, Block, Cx, Function, IntPredicate, Linkage, Opcode, Type};

/// Any value: constant, argument, global, instruction, block.
///
/// It borrows its module, so it does not outlive it:
///
/// ```compile_fail
/// use muxcl_llvm::{Context, Module};
/// let context = Context::new();
/// let module = Module::parse_text(&context, "define i32 @f() { ret i32 1 }").unwrap();
/// let f = module.function("f").unwrap();
/// drop(module);
/// println!("{f:?}"); // the module is gone
/// ```
///
/// An erased instruction can be compared and printed; it has no position and no operands:
///
/// ```
/// use muxcl_llvm::{Context, Module, Opcode};
/// let context = Context::new();
/// let ir = "define i32 @f(i32 %a) { %b = add i32 %a, 1\n ret i32 %a }";
/// let module = Module::parse_text(&context, ir).unwrap();
/// let add = module.function("f").unwrap().entry().first().unwrap();
/// add.erase();
/// assert_eq!(add.opcode(), Opcode::Add);
/// assert!(!add.is_placed());
/// assert!(!module.to_string().contains("add"));
/// ```
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Value<'m>(NonNull<LLVMValue>, PhantomData<&'m ()>);

// SAFETY: the reference is that of a live value.
unsafe impl AsValueRef for Value<'_> {
    fn as_value_ref(&self) -> LLVMValueRef {
        self.raw()
    }
}
// SAFETY: inkwell's functions on any value use only the LLVM reference.
unsafe impl<'m> AnyValue<'m> for Value<'m> {}
// SAFETY: as above; `Builder` passes these to inkwell, and checks the types of operands.
unsafe impl<'m> BasicValue<'m> for Value<'m> {}
// SAFETY: as above.
unsafe impl<'m> IntMathValue<'m> for Value<'m> {
    type BaseType = Type<'m>;
    unsafe fn new(raw: LLVMValueRef) -> Self {
        Self::of(raw)
    }
}
// SAFETY: as above.
unsafe impl<'m> FloatMathValue<'m> for Value<'m> {
    type BaseType = inkwell::types::FloatType<'m>;
    unsafe fn new(raw: LLVMValueRef) -> Self {
        Self::of(raw)
    }
}

impl<'m> Value<'m> {
    /// Wraps a value that LLVM or inkwell made in a module borrowed for `'m`.
    #[track_caller]
    pub(crate) fn of(raw: LLVMValueRef) -> Self {
        match NonNull::new(raw) {
            Some(raw) => Self(raw, PhantomData),
            None => panic!("LLVM returned no value"),
        }
    }
    pub(crate) fn raw(self) -> LLVMValueRef {
        self.0.as_ptr()
    }

    /// The value's context.
    pub fn cx(self) -> Cx<'m> {
        self.ty().cx()
    }
    /// The value's type.
    pub fn ty(self) -> Type<'m> {
        LLVMTypeOf(self)
    }
    /// The name, or an empty string.
    pub fn name(self) -> String {
        let mut len = 0usize;
        // SAFETY: `len` is written during the call.
        let name = unsafe { LLVMGetValueName2(self, &raw mut len) };
        if name.is_null() || len == 0 {
            return String::new();
        }
        // SAFETY: LLVM returns `len` bytes that live as long as the value keeps its name.
        let bytes = unsafe { std::slice::from_raw_parts(name.cast::<u8>(), len) };
        String::from_utf8_lossy(bytes).into_owned()
    }
    /// Renames the value.
    pub fn set_name(self, name: &str) {
        // SAFETY: pointer and length are the text's, which LLVM copies.
        unsafe { LLVMSetValueName2(self, name.as_ptr().cast(), name.len()) };
    }
    /// The users, one per use: a user with two such operands comes twice.
    pub fn users(self) -> Vec<Self> {
        let mut out = Vec::new();
        let mut at = LLVMGetFirstUse(self);
        while let Some(u) = at {
            out.push(LLVMGetUser(u));
            at = LLVMGetNextUse(u);
        }
        out
    }
    /// True if the value has uses.
    pub fn has_uses(self) -> bool {
        LLVMGetFirstUse(self).is_some()
    }
    /// Replaces every use of an instruction, argument or block by a value of the same type. For
    /// constants, see [`Value::replace_constant_uses`].
    pub fn replace_all_uses(self, with: Self) {
        assert!(!self.is_constant(), "the uses of a constant are replaced elsewhere");
        self.replace(with);
    }
    /// Replaces every use of a constant, globals included, by a value of the same type.
    ///
    /// # Safety
    /// LLVM replaces the constants that are made of `self` by others. The caller must not use a
    /// handle of such a constant afterwards.
    pub unsafe fn replace_constant_uses(self, with: Self) {
        self.replace(with);
    }
    fn replace(self, with: Self) {
        if self != with {
            assert!(self.ty() == with.ty(), "{with} has another type than {self}");
            // SAFETY: the types are equal. Either no constant is made of `self`, or the caller
            // answers for its handles.
            unsafe { LLVMReplaceAllUsesWith(self, with) };
        }
    }

    /// Element `i` of a constant vector; `None` if LLVM does not know it.
    pub fn constant_element(self, i: u32) -> Option<Self> {
        assert!(i < self.ty().vector_len(), "{self} has no element {i}");
        // SAFETY: the constant has an element `i`.
        unsafe { LLVMGetAggregateElement(self.constant(), i) }
    }
    /// True for an instruction.
    pub fn is_instruction(self) -> bool {
        LLVMIsAInstruction(self).is_some()
    }
    /// True for an argument of a function.
    pub fn is_argument(self) -> bool {
        LLVMIsAArgument(self).is_some()
    }
    /// True for a constant (globals included).
    pub fn is_constant(self) -> bool {
        LLVMIsAConstant(self).is_some()
    }
    /// True for a constant expression.
    pub fn is_constant_expr(self) -> bool {
        LLVMIsAConstantExpr(self).is_some()
    }
    /// True for a constant of all zero bits, as a null pointer is.
    pub fn is_null(self) -> bool {
        LLVMIsNull(self) != 0
    }
    /// True for undef or poison.
    pub fn is_undef(self) -> bool {
        LLVMIsAUndefValue(self).is_some()
    }
    /// True for a variable of the module.
    pub fn is_global_variable(self) -> bool {
        LLVMIsAGlobalVariable(self).is_some()
    }
    /// The function, if the value is one.
    pub fn as_function(self) -> Option<Function<'m>> {
        LLVMIsAFunction(self)
    }
    /// The value of an integer constant of at most 64 bits.
    pub fn as_u64(self) -> Option<u64> {
        let number = LLVMIsAConstantInt(self).filter(|_| self.ty().int_width() <= 64);
        number.map(|n| LLVMConstIntGetZExtValue(n))
    }
    /// The value of an integer constant of at most 64 bits, sign-extended.
    pub fn as_i64(self) -> Option<i64> {
        let number = LLVMIsAConstantInt(self).filter(|_| self.ty().int_width() <= 64);
        number.map(|n| LLVMConstIntGetSExtValue(n))
    }

    // ---- operands ----
    /// The number of operands.
    pub fn operand_count(self) -> u32 {
        LLVMIsAUser(self).map_or(0, |user| u32::try_from(LLVMGetNumOperands(user)).unwrap_or(0))
    }
    /// One operand (blocks included, as values; see [`Value::successors`]).
    pub fn operand(self, i: u32) -> Self {
        match LLVMIsAUser(self).filter(|_| i < self.operand_count()) {
            // SAFETY: `i` is below the number of operands.
            Some(user) => unsafe { LLVMGetOperand(user, i) }.unwrap_or_else(Self::erased_here),
            None => panic!("{self} has no operand {i}"),
        }
    }
    fn erased_here() -> Self {
        panic!("an erased instruction has no operands")
    }
    /// All operands. The incoming blocks of a PHI are not operands.
    pub fn operands(self) -> Vec<Self> {
        let Some(user) = LLVMIsAUser(self) else { return Vec::new() };
        let count = u32::try_from(LLVMGetNumOperands(user)).unwrap_or(0);
        // SAFETY: `i` is below the number of operands.
        (0..count).filter_map(|i| unsafe { LLVMGetOperand(user, i) }).collect()
    }
    /// Replaces an operand. The new value has the same type.
    pub fn set_operand(self, i: u32, v: Self) {
        assert!(self.is_instruction(), "{self} is no instruction");
        assert!(self.operand(i).ty() == v.ty(), "{v} has another type than operand {i} of {self}");
        if let Some(user) = LLVMIsAUser(self) {
            // SAFETY: `i` is below the number of operands, and the types are equal.
            unsafe { LLVMSetOperand(user, i, v) };
        }
    }
    /// Replaces every operand that is equal to `from`.
    pub fn replace_operand(self, from: Self, to: Self) {
        for i in 0..self.operand_count() {
            if self.operand(i) == from {
                self.set_operand(i, to);
            }
        }
    }

    // ---- instructions ----
    /// The opcode; [`Opcode::Other`] for values that are not instructions.
    pub fn opcode(self) -> Opcode {
        Opcode::from_raw(MuxclOpcode(self))
    }
    /// True if the instruction is in a block.
    pub fn is_placed(self) -> bool {
        LLVMIsAInstruction(self).and_then(|i| crate::ffi::LLVMGetInstructionParent(i)).is_some()
    }
    /// The block of an instruction.
    #[track_caller]
    pub fn block(self) -> Block<'m> {
        self.placed().1
    }
    /// The next instruction of the block.
    pub fn next(self) -> Option<Self> {
        LLVMGetNextInstruction(self.placed().0)
    }
    /// The previous instruction of the block.
    pub fn previous(self) -> Option<Self> {
        LLVMGetPreviousInstruction(self.placed().0)
    }
    /// True for a terminator.
    pub fn is_terminator(self) -> bool {
        LLVMIsATerminatorInst(self).is_some()
    }
    /// Erases the instruction from its block. Remaining uses become poison. The handle stays valid:
    /// see [`Value`].
    pub fn erase(self) {
        let (placed, block) = self.placed();
        match block.parent() {
            Some(f) => erased::in_function(f, |erased| MuxclEraseInstruction(placed, erased)),
            None => panic!("{self} is in an erased block"),
        }
    }
    /// Moves an instruction before another.
    pub fn move_before(self, other: Self) {
        MuxclMoveBefore(self.placed().0, other.placed().0);
    }
    /// Adds a place before the instruction over which the code generator schedules nothing.
    pub fn add_scheduling_boundary(self) {
        MuxclAddSchedulingBoundary(self.placed().0);
    }
    /// True if the instruction may write memory, trap or not return.
    pub fn has_side_effects(self) -> bool {
        MuxclMayHaveSideEffects(self.placed().0) != 0
    }
    /// True if the instruction may read memory.
    pub fn may_read(self) -> bool {
        MuxclMayReadMemory(self.placed().0) != 0
    }
    /// True for `llvm.lifetime.*`.
    pub fn is_lifetime(self) -> bool {
        MuxclIsLifetime(self) != 0
    }
    /// The underlying object of a pointer, as far as LLVM can find it.
    pub fn underlying_object(self) -> Self {
        assert!(self.is_placed() || !self.is_instruction(), "{self} was erased");
        // SAFETY: it was not erased, so its operands are there.
        unsafe { MuxclUnderlyingObject(self) }
    }

    // ---- calls ----
    /// The address in `f` from which this address has a constant distance, and the distance in
    /// bytes.
    pub fn base_in(self, f: Function<'m>) -> (Self, i64) {
        assert!(self.ty().is_pointer() && f.is_in_module(), "{self} is no address");
        let mut distance = 0;
        // SAFETY: the value is a pointer, `f` is in a module, and `distance` is written during the
        // call.
        let base = unsafe { MuxclAddressBase(self, f, &raw mut distance) };
        (base, distance)
    }
    /// True for a call.
    pub fn is_call(self) -> bool {
        LLVMIsACallInst(self).is_some()
    }
    /// The callee of a direct call.
    pub fn callee(self) -> Option<Function<'m>> {
        LLVMGetCalledValue(LLVMIsACallInst(self)?)?.as_function()
    }
    /// The function type of a call.
    pub fn called_type(self) -> Type<'m> {
        LLVMGetCalledFunctionType(self.call_inst())
    }
    /// The arguments of a call.
    pub fn args(self) -> Vec<Self> {
        let call = self.call_inst();
        // SAFETY: `i` is below the number of arguments.
        (0..LLVMGetNumArgOperands(call))
            .filter_map(|i| unsafe { LLVMGetArgOperand(call, i) })
            .collect()
    }
    /// The alignment of argument `n` of a call, a pointer, in bytes; 1 if the call states none.
    pub fn arg_align(self, n: u32) -> u32 {
        let call = self.call_inst();
        assert!(n < LLVMGetNumArgOperands(call), "{self} has no argument {n}");
        // SAFETY: the call has an argument `n`.
        unsafe { MuxclArgAlign(call, n) }
    }
    /// Sets the calling convention of a call (0 is C).
    pub fn set_call_convention(self, cc: u32) {
        LLVMSetInstructionCallConv(self.call_inst(), cc);
    }
    /// Removes an enum attribute from a call.
    pub fn remove_call_attribute(self, name: &str) {
        MuxclRemoveCallAttribute(self.call_inst(), Text::of(name));
    }
    /// Copies attributes, convention and debug location of a call; attributes of arguments by
    /// position.
    pub fn copy_call_attributes(self, from: Self) {
        MuxclCopyCallAttributes(self.call_inst(), from.call_inst());
    }
    /// Inlines a call and erases it; returns false if LLVM cannot.
    pub fn inline_call(self) -> bool {
        let call = self.call_inst();
        let f = self.block().function();
        assert!(f.is_in_module(), "{self} is in an erased function");
        // SAFETY: the call is in a function of a module.
        erased::in_function(f, |erased| unsafe { MuxclInlineCall(call, erased) } != 0)
    }

    // ---- PHIs ----
    /// The incoming (value, block) pairs of a PHI.
    pub fn incoming(self) -> Vec<(Self, Block<'m>)> {
        let phi = self.phi();
        let pair = |i: u32| {
            // SAFETY: `i` is below the number of entries.
            let value = unsafe { LLVMGetIncomingValue(phi, i) }?;
            // SAFETY: `i` is below the number of entries.
            Some((value, unsafe { LLVMGetIncomingBlock(phi, i) }))
        };
        (0..LLVMCountIncoming(phi)).filter_map(pair).collect()
    }
    /// Adds an incoming pair to a PHI.
    pub fn add_incoming(self, v: Self, b: Block<'m>) {
        let (mut value, mut block) = (v, b);
        assert!(self.ty() == v.ty(), "{v} has another type than {self}");
        // SAFETY: the arrays have one element each, and the value has the PHI's type.
        unsafe { LLVMAddIncoming(self.phi(), &raw mut value, &raw mut block, 1) };
    }
    /// Replaces an incoming value of a PHI.
    pub fn set_incoming(self, i: u32, v: Self) {
        let phi = self.phi();
        assert!(i < LLVMCountIncoming(phi) && self.ty() == v.ty(), "{v} is no entry {i} of {self}");
        // SAFETY: `i` is below the number of entries, and the value has the PHI's type.
        unsafe { MuxclPhiSetIncomingValue(phi, i, v) };
    }

    // ---- terminators ----
    /// The successors of a terminator.
    pub fn successors(self) -> Vec<Block<'m>> {
        let t = self.terminator_inst();
        // SAFETY: `i` is below the number of successors.
        (0..LLVMGetNumSuccessors(t)).filter_map(|i| unsafe { LLVMGetSuccessor(t, i) }).collect()
    }
    /// Replaces one successor of a terminator.
    pub fn set_successor(self, i: u32, b: Block<'m>) {
        let t = self.terminator_inst();
        assert!(i < LLVMGetNumSuccessors(t), "{self} has no successor {i}");
        // SAFETY: `i` is below the number of successors.
        unsafe { LLVMSetSuccessor(t, i, b) };
    }
    /// True for a branch with a condition.
    pub fn is_conditional_branch(self) -> bool {
        LLVMIsABranchInst(self).is_some_and(|b| LLVMIsConditional(b) != 0)
    }

    // ---- vectors and comparisons ----
    /// True for a constant whose lanes are all equal or undefined.
    pub fn is_splat_constant(self) -> bool {
        MuxclIsSplat(self) != 0
    }
    /// The mask of a shuffle; undefined lanes are -1.
    pub fn shuffle_mask(self) -> Vec<i32> {
        let Some(shuffle) = LLVMIsAShuffleVectorInst(self) else {
            panic!("{self} is no shuffle");
        };
        // SAFETY: `n` is below the number of elements.
        (0..LLVMGetNumMaskElements(shuffle))
            .map(|n| unsafe { LLVMGetMaskValue(shuffle, n) })
            .collect()
    }
    /// The predicate of an `icmp`.
    pub fn int_predicate(self) -> IntPredicate {
        match LLVMIsAICmpInst(self) {
            Some(icmp) => IntPredicate::from_raw(LLVMGetICmpPredicate(icmp)),
            None => panic!("{self} is no icmp"),
        }
    }

    // ---- memory ----
    /// True for an `alloca`.
    pub fn is_alloca(self) -> bool {
        LLVMIsAAllocaInst(self).is_some()
    }
    /// The type an `alloca` allocates.
    pub fn allocated_type(self) -> Type<'m> {
        LLVMGetAllocatedType(self.alloca_inst())
    }
    /// The alignment of an `alloca`, in bytes.
    pub fn alloca_align(self) -> u64 {
        MuxclAllocaAlign(self.alloca_inst())
    }
    /// The alignment of a load, store, alloca or global, in bytes; 0 for a global without one.
    pub fn align(self) -> u32 {
        assert!(self.has_alignment(), "{self} has no alignment");
        // SAFETY: it is an access, `alloca` or global.
        unsafe { LLVMGetAlignment(self) }
    }
    /// Sets the alignment of a load, store, alloca or global.
    pub fn set_align(self, bytes: u32) {
        assert!(self.has_alignment() && bytes.is_power_of_two(), "{self}: alignment {bytes}");
        // SAFETY: it is an access, `alloca` or global; the number is a power of two.
        unsafe { LLVMSetAlignment(self, bytes) };
    }
    /// True for a volatile load, store or atomic access.
    pub fn is_volatile(self) -> bool {
        LLVMGetVolatile(self.access()) != 0
    }
    /// Makes a load, store or atomic access volatile.
    pub fn set_volatile(self, v: bool) {
        LLVMSetVolatile(self.access(), v.into());
    }
    /// True for an atomic access or fence.
    pub fn is_atomic(self) -> bool {
        LLVMIsAInstruction(self).is_some_and(|i| LLVMIsAtomic(i) != 0)
    }

    /// The operation of an `atomicrmw` on integers.
    pub fn atomic_op(self) -> Option<AtomicOp> {
        if !self.is_instruction() || self.opcode() != Opcode::AtomicRmw {
            return None;
        }
        // SAFETY: it is an `atomicrmw`.
        AtomicOp::from_raw(unsafe { LLVMGetAtomicRMWBinOp(self) })
    }
    /// True for an atomic access of relaxed order. False for fences.
    pub fn is_relaxed(self) -> bool {
        let relaxed = LLVMAtomicOrdering::LLVMAtomicOrderingMonotonic;
        if !self.is_atomic() {
            return false;
        }
        match self.opcode() {
            // SAFETY: the instruction is of this kind.
            Opcode::Load | Opcode::Store | Opcode::AtomicRmw => unsafe {
                LLVMGetOrdering(self) == relaxed
            },
            Opcode::AtomicCmpXchg => {
                // SAFETY: as above.
                let success = unsafe { LLVMGetCmpXchgSuccessOrdering(self) };
                // SAFETY: as above.
                let failure = unsafe { LLVMGetCmpXchgFailureOrdering(self) };
                success == relaxed && failure == relaxed
            }
            _ => false,
        }
    }

    // ---- metadata ----
    /// Marks a load as invariant: the memory never changes.
    pub fn set_invariant_load(self) {
        self.mark("invariant.load");
    }
    /// True if [`Value::mark`] has attached such a node.
    pub fn has_mark(self, kind: &str) -> bool {
        let cx = self.cx().inner();
        // SAFETY: it is an instruction.
        let i = unsafe { InstructionValue::new(Value::from(self.instruction()).raw()) };
        i.get_metadata(cx.get_kind_id(kind)).is_some()
    }
    /// Attaches an empty metadata node of this kind to an instruction.
    pub fn mark(self, kind: &str) {
        let cx = self.cx().inner();
        // SAFETY: it is an instruction.
        let i = unsafe { InstructionValue::new(Value::from(self.instruction()).raw()) };
        if i.set_metadata(cx.metadata_node(&[]), cx.get_kind_id(kind)).is_err() {
            panic!("{self} takes no metadata");
        }
    }

    // ---- globals ----
    /// True if the module only declares the global.
    pub fn is_declaration(self) -> bool {
        LLVMIsDeclaration(self.global()) != 0
    }
    /// The type of the variable's or function's content, not of its address.
    pub fn global_type(self) -> Type<'m> {
        LLVMGlobalGetValueType(self.global())
    }
    /// The initialiser of a variable.
    pub fn initializer(self) -> Option<Self> {
        LLVMGetInitializer(self.variable())
    }
    /// Sets or removes the initialiser of a variable: a constant of its type.
    pub fn set_initializer(self, v: Option<Self>) {
        let fits = v.is_none_or(|v| v.ty() == self.global_type());
        assert!(fits, "an initialiser of another type than {self}");
        // SAFETY: the constant has the variable's type.
        unsafe { LLVMSetInitializer(self.variable(), v.map(Value::constant)) };
    }
    /// True for a constant variable, false for functions.
    pub fn is_constant_global(self) -> bool {
        LLVMIsAGlobalVariable(self).is_some_and(|g| LLVMIsGlobalConstant(g) != 0)
    }
    /// Marks the variable constant.
    pub fn set_constant_global(self, v: bool) {
        LLVMSetGlobalConstant(self.variable(), v.into());
    }
    /// The linkage of a global.
    pub fn linkage(self) -> Linkage {
        Linkage::from_raw(LLVMGetLinkage(self.global()))
    }
    /// Sets the linkage of a global.
    pub fn set_linkage(self, l: Linkage) {
        LLVMSetLinkage(self.global(), l.raw());
    }
    /// Hidden or default visibility.
    pub fn set_hidden(self, hidden: bool) {
        let v = if hidden {
            LLVMVisibility::LLVMHiddenVisibility
        } else {
            LLVMVisibility::LLVMDefaultVisibility
        };
        LLVMSetVisibility(self.global(), v);
    }
    /// Sets whether the global is surely in the same loaded object as its users.
    pub fn set_dso_local(self, local: bool) {
        MuxclSetDsoLocal(self.global(), local.into());
    }
    /// Takes the global out of its COMDAT group.
    pub fn leave_comdat(self) {
        MuxclLeaveComdat(self.global());
    }
    /// Marks the address of a global as insignificant.
    pub fn set_unnamed_addr(self) {
        LLVMSetUnnamedAddress(self.global(), LLVMUnnamedAddr::LLVMGlobalUnnamedAddr);
    }
    /// Places a function or variable in a section.
    pub fn set_section(self, name: &str) {
        let placed = self.as_function().is_some() || self.is_global_variable();
        assert!(placed, "{self} has no section");
        let name = cstr(name);
        // SAFETY: a function or variable; the name is a C string, which LLVM copies.
        unsafe { LLVMSetSection(self, name.as_ptr()) };
    }
    /// Turns constant expressions of this constant into instructions in front of their users.
    ///
    /// # Safety
    /// LLVM deletes those expressions. The caller must not use a handle of one afterwards.
    pub unsafe fn expand_constant_users(self) {
        // SAFETY: the caller's promise.
        unsafe { MuxclConstantUsersToInstructions(self.constant()) };
    }
    /// Deletes the unused constants that are made of this one.
    ///
    /// # Safety
    /// LLVM deletes them. The caller must not use a handle of one afterwards.
    pub unsafe fn remove_dead_users(self) {
        // SAFETY: the caller's promise.
        unsafe { MuxclRemoveDeadConstantUsers(self.constant()) };
    }
}

impl fmt::Display for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.print_to_string().to_string_lossy())
    }
}

impl fmt::Debug for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
