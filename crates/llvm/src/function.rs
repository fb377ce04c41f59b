//! Functions and blocks.

use std::fmt;
use std::marker::PhantomData;
use std::ptr::NonNull;

use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::basic_block::BasicBlock;
use inkwell::values::FunctionValue;
use llvm_sys::LLVMBasicBlock;
use llvm_sys::prelude::LLVMBasicBlockRef;

use crate::erased;
use crate::ffi::{
    LLVMAppendBasicBlockInContext, LLVMBasicBlockAsValue, LLVMCountParams, LLVMGetBasicBlockParent,
    LLVMGetBasicBlockTerminator, LLVMGetFirstBasicBlock, LLVMGetFirstInstruction,
    LLVMGetFunctionCallConv, LLVMGetGlobalParent, LLVMGetLastInstruction, LLVMGetNextBasicBlock,
    LLVMGetParam, LLVMGlobalGetValueType, LLVMMoveBasicBlockBefore, LLVMSetFunctionCallConv,
    MuxclDeleteBody, MuxclEraseFunction, MuxclFirstInsertionPoint, MuxclIntrinsicId,
    MuxclIsMaterializable, MuxclMaterialize, MuxclPromoteAllocas, MuxclRemovePredecessor,
    MuxclRemoveUnreachable, MuxclSplitBlock, Text, collect, text,
};
use crate::kinds::GlobalValue;
use crate::module::cstr;
use crate::{Cx, Linkage, LlvmError, Opcode, Type, Value};

/// A function of a module.
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Function<'m>(Value<'m>);

/// A basic block.
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Block<'m>(NonNull<LLVMBasicBlock>, PhantomData<&'m ()>);

impl<'m> Function<'m> {
    /// The context.
    pub fn cx(self) -> Cx<'m> {
        self.0.cx()
    }
    /// The name.
    pub fn name(self) -> String {
        self.0.name()
    }
    /// The function's address as a value.
    pub fn value(self) -> Value<'m> {
        self.0
    }
    pub(crate) fn global(self) -> GlobalValue<'m> {
        self.0.global()
    }
    fn inner(self) -> FunctionValue<'m> {
        // SAFETY: it is a function.
        match unsafe { FunctionValue::new(self.0.raw()) } {
            Some(f) => f,
            None => panic!("the value is no function"),
        }
    }
    /// True while the function is in a module, false after it is erased.
    pub(crate) fn is_in_module(self) -> bool {
        LLVMGetGlobalParent(self.global()).is_some()
    }
    /// The function type.
    pub fn ty(self) -> Type<'m> {
        LLVMGlobalGetValueType(self.global())
    }
    /// True if the function is a declaration.
    pub fn is_declaration(self) -> bool {
        self.0.is_declaration()
    }
    /// True if the function's address has uses, calls included.
    pub fn has_uses(self) -> bool {
        self.0.has_uses()
    }
    /// Sets the linkage.
    pub fn set_linkage(self, linkage: Linkage) {
        self.0.set_linkage(linkage);
    }
    /// True for an intrinsic of LLVM (`llvm.*`).
    pub fn is_intrinsic(self) -> bool {
        MuxclIntrinsicId(self.0) != 0
    }
    /// Materializes a lazily loaded body.
    ///
    /// # Errors
    /// The bitcode is damaged.
    pub fn materialize(self) -> Result<(), LlvmError> {
        let (ok, why) = collect(|sink| MuxclMaterialize(self.global(), sink));
        if ok != 0 { Ok(()) } else { Err(LlvmError::Bitcode(text(why))) }
    }
    /// The parameters.
    pub fn params(self) -> Vec<Value<'m>> {
        // SAFETY: `i` is below the number of parameters.
        (0..LLVMCountParams(self)).map(|i| unsafe { LLVMGetParam(self, i) }).collect()
    }
    /// One parameter.
    pub fn param(self, i: u32) -> Value<'m> {
        assert!(i < LLVMCountParams(self), "{self:?} has no parameter {i}");
        // SAFETY: `i` is below the number of parameters.
        unsafe { LLVMGetParam(self, i) }
    }
    /// The calling convention by LLVM's number (0 is C, 75 spir_func, 76 spir_kernel).
    pub fn convention(self) -> u32 {
        LLVMGetFunctionCallConv(self)
    }
    /// Sets the calling convention.
    pub fn set_convention(self, cc: u32) {
        LLVMSetFunctionCallConv(self, cc);
    }
    /// The blocks in order.
    pub fn blocks(self) -> Vec<Block<'m>> {
        let mut out = Vec::new();
        let mut at = LLVMGetFirstBasicBlock(self);
        while let Some(b) = at {
            out.push(b);
            // SAFETY: the block is in this function.
            at = unsafe { LLVMGetNextBasicBlock(b) };
        }
        out
    }
    /// The entry block.
    pub fn entry(self) -> Block<'m> {
        match LLVMGetFirstBasicBlock(self) {
            Some(entry) => entry,
            None => panic!("{self:?} has no body"),
        }
    }
    /// All instructions, block by block.
    pub fn instructions(self) -> Vec<Value<'m>> {
        self.blocks().into_iter().flat_map(Block::instructions).collect()
    }
    /// Appends a block.
    pub fn append_block(self, name: &str) -> Block<'m> {
        let name = cstr(name);
        // SAFETY: the name is a C string, which LLVM copies.
        unsafe { LLVMAppendBasicBlockInContext(self.cx().raw(), self, name.as_ptr()) }
    }
    /// The direct calls of this function.
    pub fn direct_calls(self) -> Vec<Value<'m>> {
        let mut calls: Vec<Value<'m>> = self
            .0
            .users()
            .into_iter()
            .filter(|u| u.is_call() && u.callee() == Some(self))
            .collect();
        calls.sort_unstable();
        calls.dedup();
        calls
    }
    /// Erases the function and its body from its module. The function should have no uses. The
    /// handle stays valid: see [`Value`].
    pub fn erase(self) {
        assert!(self.is_in_module(), "{self:?} was erased before");
        // SAFETY: the function is in a module.
        erased::in_function(self, |erased| unsafe { MuxclEraseFunction(self, erased) });
    }
    /// Erases the blocks that are unreachable from the entry.
    pub fn remove_unreachable(self) {
        erased::in_function(self, |erased| MuxclRemoveUnreachable(self, erased));
    }
    /// Turns promotable entry allocas into SSA values.
    ///
    /// # Safety
    /// LLVM deletes the allocas, their loads, stores and lifetime markers, and PHIs. The caller
    /// must not use a handle of such an instruction of this function afterwards.
    pub unsafe fn promote_allocas(self) {
        // SAFETY: the caller's promise.
        unsafe { MuxclPromoteAllocas(self) };
    }

    // ---- attributes ----
    /// True if the function has this enum attribute (`noinline`, `convergent`, ...).
    pub fn has_attribute(self, name: &str) -> bool {
        self.attribute(AttributeLoc::Function, name).is_some()
    }
    fn attribute(self, at: AttributeLoc, name: &str) -> Option<Attribute> {
        self.inner().get_enum_attribute(at, Attribute::get_named_enum_kind_id(name))
    }
    /// The value of an integer attribute of a parameter (`align`, `dereferenceable`).
    pub fn param_attribute_value(self, param: u32, name: &str) -> Option<u64> {
        self.attribute(AttributeLoc::Param(param), name).map(Attribute::get_enum_value)
    }
    /// The type in a parameter's attribute (`byval`, `sret`).
    pub fn param_type_attribute(self, param: u32, name: &str) -> Option<Type<'m>> {
        let attribute = self.attribute(AttributeLoc::Param(param), name)?;
        attribute.is_type().then(|| {
            // SAFETY: it is a type attribute.
            Type::of(unsafe { llvm_sys::core::LLVMGetTypeAttributeValue(attribute.as_mut_ptr()) })
        })
    }
    /// Adds an enum attribute.
    pub fn add_attribute(self, name: &str) {
        self.add_at(AttributeLoc::Function, name, 0);
    }
    /// Adds an enum attribute with a value.
    pub fn add_attribute_value(self, name: &str, value: u64) {
        self.add_at(AttributeLoc::Function, name, value);
    }
    /// Adds an enum attribute with a value to a parameter.
    pub fn add_param_attribute(self, param: u32, name: &str, value: u64) {
        self.add_at(AttributeLoc::Param(param), name, value);
    }
    fn add_at(self, at: AttributeLoc, name: &str, value: u64) {
        let kind = Attribute::get_named_enum_kind_id(name);
        assert!(kind != 0, "no attribute is named {name}");
        self.inner().add_attribute(at, self.cx().inner().create_enum_attribute(kind, value));
    }
    /// Removes an enum attribute.
    pub fn remove_attribute(self, name: &str) {
        let kind = Attribute::get_named_enum_kind_id(name);
        self.inner().remove_enum_attribute(AttributeLoc::Function, kind);
    }
    /// Removes an enum attribute of a parameter.
    pub fn remove_param_attribute(self, param: u32, name: &str) {
        let kind = Attribute::get_named_enum_kind_id(name);
        self.inner().remove_enum_attribute(AttributeLoc::Param(param), kind);
    }
    /// Adds a string attribute.
    pub fn add_string_attribute(self, key: &str, value: &str) {
        let attribute = self.cx().inner().create_string_attribute(key, value);
        self.inner().add_attribute(AttributeLoc::Function, attribute);
    }
    /// Removes a string attribute.
    pub fn remove_string_attribute(self, key: &str) {
        self.inner().remove_string_attribute(AttributeLoc::Function, key);
    }
    /// The value of a string attribute.
    pub fn string_attribute(self, key: &str) -> Option<String> {
        let attribute = self.inner().get_string_attribute(AttributeLoc::Function, key)?;
        Some(attribute.get_string_value().to_string_lossy().into_owned())
    }

    /// True if the body is still to be materialized from a lazily loaded module.
    pub fn is_materializable(self) -> bool {
        MuxclIsMaterializable(self.global()) != 0
    }
    /// Erases the body, materialized or not: the function becomes a declaration.
    pub fn delete_body(self) {
        erased::in_function(self, |erased| MuxclDeleteBody(self, erased));
    }
}

impl<'m> Block<'m> {
    pub(crate) fn raw(self) -> LLVMBasicBlockRef {
        self.0.as_ptr()
    }
    pub(crate) fn inner(self) -> BasicBlock<'m> {
        // SAFETY: it is a block.
        match unsafe { BasicBlock::new(self.raw()) } {
            Some(block) => block,
            None => panic!("the value is no block"),
        }
    }
    /// The block as a value (operand of branches, key of maps).
    pub fn value(self) -> Value<'m> {
        LLVMBasicBlockAsValue(self)
    }
    /// The block's function; `None` after the block is erased.
    pub(crate) fn parent(self) -> Option<Function<'m>> {
        LLVMGetBasicBlockParent(self)
    }
    /// The block's function.
    pub fn function(self) -> Function<'m> {
        match self.parent() {
            Some(f) => f,
            None => panic!("an erased block is in no function"),
        }
    }
    /// The name.
    pub fn name(self) -> String {
        self.value().name()
    }
    /// The first instruction.
    pub fn first(self) -> Option<Value<'m>> {
        LLVMGetFirstInstruction(self)
    }
    /// The last instruction.
    pub fn last(self) -> Option<Value<'m>> {
        LLVMGetLastInstruction(self)
    }
    /// The first instruction after the PHIs.
    pub fn first_insertion_point(self) -> Option<Value<'m>> {
        MuxclFirstInsertionPoint(self)
    }
    /// The terminator.
    pub fn terminator(self) -> Option<Value<'m>> {
        LLVMGetBasicBlockTerminator(self)
    }
    /// The instructions in order.
    pub fn instructions(self) -> Vec<Value<'m>> {
        let mut out = Vec::new();
        let mut i = self.first();
        while let Some(v) = i {
            out.push(v);
            i = v.next();
        }
        out
    }
    /// The PHIs.
    pub fn phis(self) -> Vec<Value<'m>> {
        self.instructions().into_iter().take_while(|i| i.opcode() == Opcode::Phi).collect()
    }
    /// The successors (a block may come twice).
    pub fn successors(self) -> Vec<Self> {
        self.terminator().map(Value::successors).unwrap_or_default()
    }
    /// The predecessors, each once.
    pub fn predecessors(self) -> Vec<Self> {
        let mut out: Vec<Self> = self
            .value()
            .users()
            .into_iter()
            .filter(|u| u.is_terminator())
            .map(Value::block)
            .collect();
        out.sort_unstable();
        out.dedup();
        out
    }
    /// Splits the block before `at`. The returned block starts with `at`; this block branches to
    /// it.
    pub fn split(self, at: Value<'m>, name: &str) -> Self {
        let (placed, block) = at.placed();
        assert!(block == self && self.parent().is_some(), "{at} is not in this block");
        MuxclSplitBlock(placed, Text::of(name))
    }
    /// Removes the entries for `pred` from the PHIs. PHIs with a single entry stay.
    pub fn remove_predecessor(self, pred: Self) {
        let known = self.phis().iter().all(|p| p.incoming().iter().any(|(_, b)| *b == pred));
        assert!(known, "a PHI has no entry for a block that is no predecessor");
        MuxclRemovePredecessor(self, pred);
    }
    /// Moves the block before another.
    pub fn move_before(self, other: Self) {
        let placed = self.parent().is_some() && other.parent().is_some();
        assert!(placed, "an erased block has no place");
        // SAFETY: both are in functions.
        unsafe { LLVMMoveBasicBlockBefore(self, other) };
    }
}

impl fmt::Debug for Function<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "@{}", self.name())
    }
}

impl fmt::Debug for Block<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "%{}", self.name())
    }
}
