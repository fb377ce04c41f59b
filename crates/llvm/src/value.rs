//! Values and instructions: one thin handle for all of them, with an [`Opcode`] to ask what an
//! instruction is.
//!
//! inkwell has a type for each class of values and a conversion at every step between them. Passes
//! ask arbitrary values (for operands, users, position), so [`Value`] stands for any
//! value; it is also one of inkwell's, for inkwell's builders.
//!
//! Invariants: a handle is live as long as its module is borrowed, because what is erased stays in
//! memory until the module is dropped ([`crate::erased`]). A question that makes sense for one kind
//! of value panics when another is asked.

use std::fmt;
use std::marker::PhantomData;
use std::ptr::NonNull;

use inkwell::values::{
    AnyValue, AsValueRef, BasicValue, FloatMathValue, InstructionValue, IntMathValue,
};
use llvm_sys::prelude::LLVMValueRef;
use llvm_sys::{LLVMUnnamedAddr, LLVMValue, LLVMVisibility};

use crate::erased;
use crate::ffi::{
    LLVMAddIncoming, LLVMConstIntGetSExtValue, LLVMConstIntGetZExtValue, LLVMCountIncoming,
    LLVMGetAlignment, LLVMGetAllocatedType, LLVMGetArgOperand, LLVMGetCalledFunctionType,
    LLVMGetCalledValue, LLVMGetFirstUse, LLVMGetICmpPredicate, LLVMGetIncomingBlock,
    LLVMGetIncomingValue, LLVMGetInitializer, LLVMGetLinkage, LLVMGetMaskValue,
    LLVMGetNextInstruction, LLVMGetNextUse, LLVMGetNumArgOperands, LLVMGetNumMaskElements,
    LLVMGetNumOperands, LLVMGetNumSuccessors, LLVMGetOperand, LLVMGetPreviousInstruction,
    LLVMGetSuccessor, LLVMGetUser, LLVMGetValueName2, LLVMGetVolatile, LLVMGlobalGetValueType,
    LLVMIsAAllocaInst, LLVMIsAArgument, LLVMIsABranchInst, LLVMIsACallInst, LLVMIsAConstant,
    LLVMIsAConstantExpr, LLVMIsAConstantInt, LLVMIsAFunction, LLVMIsAGlobalVariable,
    LLVMIsAICmpInst, LLVMIsAInstruction, LLVMIsAShuffleVectorInst, LLVMIsATerminatorInst,
    LLVMIsAUndefValue, LLVMIsAUser, LLVMIsAtomic, LLVMIsConditional, LLVMIsDeclaration,
    LLVMIsGlobalConstant, LLVMIsNull, LLVMReplaceAllUsesWith, LLVMSetAlignment,
    LLVMSetGlobalConstant, LLVMSetInitializer, LLVMSetInstructionCallConv, LLVMSetLinkage,
    LLVMSetOperand, LLVMSetSection, LLVMSetSuccessor, LLVMSetUnnamedAddress, LLVMSetValueName2,
    LLVMSetVisibility, LLVMSetVolatile, LLVMTypeOf, MuxclAllocaAlign,
    MuxclConstantUsersToInstructions, MuxclCopyCallAttributes, MuxclEraseInstruction,
    MuxclInlineCall, MuxclIsLifetime, MuxclIsSplat, MuxclMayHaveSideEffects, MuxclMayReadMemory,
    MuxclMoveBefore, MuxclOpcode, MuxclPhiSetIncomingValue, MuxclRemoveCallAttribute,
    MuxclRemoveDeadConstantUsers, MuxclSetDsoLocal, MuxclUnderlyingObject, Text,
};
use crate::module::cstr;
use crate::{Block, Cx, Function, IntPredicate, Linkage, Opcode, Type};

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
/// An erased instruction can be compared and printed; it is nowhere and has no operands:
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
// SAFETY: what inkwell asks of any value, it asks LLVM by the reference.
unsafe impl<'m> AnyValue<'m> for Value<'m> {}
// SAFETY: as above; `Builder` hands these to inkwell, and checks the types of operands.
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
    /// A value that LLVM or inkwell made in a module that is borrowed for `'m`.
    #[track_caller]
    pub(crate) fn of(raw: LLVMValueRef) -> Self {
        match NonNull::new(raw) {
            Some(raw) => Self(raw, PhantomData),
            None => panic!("LLVM gave no value"),
        }
    }
    pub(crate) fn raw(self) -> LLVMValueRef {
        self.0.as_ptr()
    }

    /// The context.
    pub fn cx(self) -> Cx<'m> {
        self.ty().cx()
    }
    /// The type.
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
    /// Renames.
    pub fn set_name(self, name: &str) {
        // SAFETY: pointer and length are the text's, which LLVM copies.
        unsafe { LLVMSetValueName2(self, name.as_ptr().cast(), name.len()) };
    }
    /// The user of every use. A user with two such operands comes twice.
    pub fn users(self) -> Vec<Self> {
        let mut out = Vec::new();
        let mut at = LLVMGetFirstUse(self);
        while let Some(u) = at {
            out.push(LLVMGetUser(u));
            at = LLVMGetNextUse(u);
        }
        out
    }
    /// Whether anything uses it.
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
    /// LLVM deletes constants made of `self` and makes others: no handle of such a constant is used
    /// afterwards.
    pub unsafe fn replace_constant_uses(self, with: Self) {
        self.replace(with);
    }
    fn replace(self, with: Self) {
        if self != with {
            assert!(self.ty() == with.ty(), "{with} has another type than {self}");
            // SAFETY: the types are equal, and no constant is made of `self`, or the caller answers
            // for its handles.
            unsafe { LLVMReplaceAllUsesWith(self, with) };
        }
    }

    /// Is it an instruction?
    pub fn is_instruction(self) -> bool {
        LLVMIsAInstruction(self).is_some()
    }
    /// Is it an argument of a function?
    pub fn is_argument(self) -> bool {
        LLVMIsAArgument(self).is_some()
    }
    /// Is it a constant (globals included)?
    pub fn is_constant(self) -> bool {
        LLVMIsAConstant(self).is_some()
    }
    /// Is it a constant expression?
    pub fn is_constant_expr(self) -> bool {
        LLVMIsAConstantExpr(self).is_some()
    }
    /// Is it a constant of all zero bits, as a null pointer is?
    pub fn is_null(self) -> bool {
        LLVMIsNull(self) != 0
    }
    /// Is it undef or poison?
    pub fn is_undef(self) -> bool {
        LLVMIsAUndefValue(self).is_some()
    }
    /// Is it a variable of the module?
    pub fn is_global_variable(self) -> bool {
        LLVMIsAGlobalVariable(self).is_some()
    }
    /// The function, if it is one.
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
            // SAFETY: there are more than `i` operands.
            Some(user) => unsafe { LLVMGetOperand(user, i) }.unwrap_or_else(Self::erased_here),
            None => panic!("{self} has no operand {i}"),
        }
    }
    fn erased_here() -> Self {
        panic!("an erased instruction has no operands")
    }
    /// All operands. Not for PHIs' blocks, which are no operands.
    pub fn operands(self) -> Vec<Self> {
        let Some(user) = LLVMIsAUser(self) else { return Vec::new() };
        let count = u32::try_from(LLVMGetNumOperands(user)).unwrap_or(0);
        // SAFETY: there are more than `i` operands.
        (0..count).filter_map(|i| unsafe { LLVMGetOperand(user, i) }).collect()
    }
    /// Replaces an operand by a value of the same type.
    pub fn set_operand(self, i: u32, v: Self) {
        assert!(self.is_instruction(), "{self} is no instruction");
        assert!(self.operand(i).ty() == v.ty(), "{v} has another type than operand {i} of {self}");
        if let Some(user) = LLVMIsAUser(self) {
            // SAFETY: there are more than `i` operands, and the types are equal.
            unsafe { LLVMSetOperand(user, i, v) };
        }
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
        Opcode::from_raw(MuxclOpcode(self))
    }
    /// Whether an instruction is in a block.
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
    /// Is it a terminator?
    pub fn is_terminator(self) -> bool {
        LLVMIsATerminatorInst(self).is_some()
    }
    /// Takes an instruction out of its block for good. Uses that are left become poison. The handle
    /// stays valid: see [`Value`].
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
    /// May it write memory, trap or not return?
    pub fn has_side_effects(self) -> bool {
        MuxclMayHaveSideEffects(self.placed().0) != 0
    }
    /// May it read memory?
    pub fn may_read(self) -> bool {
        MuxclMayReadMemory(self.placed().0) != 0
    }
    /// Is it `llvm.lifetime.*`?
    pub fn is_lifetime(self) -> bool {
        MuxclIsLifetime(self) != 0
    }
    /// The object a pointer points into, as far as it can be told.
    pub fn underlying_object(self) -> Self {
        assert!(self.is_placed() || !self.is_instruction(), "{self} was erased");
        // SAFETY: it was not erased, so its operands are there.
        unsafe { MuxclUnderlyingObject(self) }
    }

    // ---- calls ----
    /// Is it a call?
    pub fn is_call(self) -> bool {
        LLVMIsACallInst(self).is_some()
    }
    /// The function a call names directly.
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
        // SAFETY: there are more than `i` arguments.
        (0..LLVMGetNumArgOperands(call))
            .filter_map(|i| unsafe { LLVMGetArgOperand(call, i) })
            .collect()
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
    /// Inlines a call; false if LLVM cannot. The call is erased.
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
            // SAFETY: there are more than `i` entries.
            let value = unsafe { LLVMGetIncomingValue(phi, i) }?;
            // SAFETY: there are more than `i` entries.
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
        // SAFETY: there are more than `i` entries, and the value has the PHI's type.
        unsafe { MuxclPhiSetIncomingValue(phi, i, v) };
    }

    // ---- terminators ----
    /// The successors of a terminator.
    pub fn successors(self) -> Vec<Block<'m>> {
        let t = self.terminator_inst();
        // SAFETY: there are more than `i` successors.
        (0..LLVMGetNumSuccessors(t)).filter_map(|i| unsafe { LLVMGetSuccessor(t, i) }).collect()
    }
    /// Replaces one successor of a terminator.
    pub fn set_successor(self, i: u32, b: Block<'m>) {
        let t = self.terminator_inst();
        assert!(i < LLVMGetNumSuccessors(t), "{self} has no successor {i}");
        // SAFETY: there are more than `i` successors.
        unsafe { LLVMSetSuccessor(t, i, b) };
    }
    /// Is it a branch with a condition?
    pub fn is_conditional_branch(self) -> bool {
        LLVMIsABranchInst(self).is_some_and(|b| LLVMIsConditional(b) != 0)
    }

    // ---- vectors and comparisons ----
    /// Is it a constant with the same value, or none, in every lane?
    pub fn is_splat_constant(self) -> bool {
        MuxclIsSplat(self) != 0
    }
    /// The lanes a shuffle takes; those it leaves open are -1.
    pub fn shuffle_mask(self) -> Vec<i32> {
        let Some(shuffle) = LLVMIsAShuffleVectorInst(self) else {
            panic!("{self} is no shuffle");
        };
        // SAFETY: there are more than `n` elements.
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
    /// Is it an `alloca`?
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
    /// Is a load, store or atomic access volatile?
    pub fn is_volatile(self) -> bool {
        LLVMGetVolatile(self.access()) != 0
    }
    /// Makes a load, store or atomic access volatile.
    pub fn set_volatile(self, v: bool) {
        LLVMSetVolatile(self.access(), v.into());
    }
    /// Is it an atomic access or fence?
    pub fn is_atomic(self) -> bool {
        LLVMIsAInstruction(self).is_some_and(|i| LLVMIsAtomic(i) != 0)
    }

    // ---- metadata ----
    /// Says that the loaded memory never changes.
    pub fn set_invariant_load(self) {
        self.set_node("invariant.load");
    }
    /// Puts an empty node of this kind on an instruction.
    fn set_node(self, kind: &str) {
        let cx = self.cx().inner();
        // SAFETY: it is an instruction.
        let i = unsafe { InstructionValue::new(Value::from(self.instruction()).raw()) };
        if i.set_metadata(cx.metadata_node(&[]), cx.get_kind_id(kind)).is_err() {
            panic!("{self} takes no metadata");
        }
    }

    // ---- globals ----
    /// Has it no definition here?
    pub fn is_declaration(self) -> bool {
        LLVMIsDeclaration(self.global()) != 0
    }
    /// The type of the variable (or function) itself.
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
    /// Is the variable constant? False for functions.
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
    /// Whether a global is surely in the same loaded object as the code that uses it.
    pub fn set_dso_local(self, local: bool) {
        MuxclSetDsoLocal(self.global(), local.into());
    }
    /// Says that the address of a global means nothing.
    pub fn set_unnamed_addr(self) {
        LLVMSetUnnamedAddress(self.global(), LLVMUnnamedAddr::LLVMGlobalUnnamedAddr);
    }
    /// Puts a function or variable in a section.
    pub fn set_section(self, name: &str) {
        let placed = self.as_function().is_some() || self.is_global_variable();
        assert!(placed, "{self} has no section");
        let name = cstr(name);
        // SAFETY: a function or variable; the name is a C string, which LLVM copies.
        unsafe { LLVMSetSection(self, name.as_ptr()) };
    }
    /// Turns constant expressions that use this constant into instructions of their users.
    ///
    /// # Safety
    /// LLVM deletes those expressions: no handle of one is used afterwards.
    pub unsafe fn expand_constant_users(self) {
        // SAFETY: the caller's promise.
        unsafe { MuxclConstantUsersToInstructions(self.constant()) };
    }
    /// Forgets constants made of this one that nothing uses.
    ///
    /// # Safety
    /// LLVM deletes them: no handle of one is used afterwards.
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
