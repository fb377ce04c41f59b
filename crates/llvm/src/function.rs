//! Functions and blocks.

use std::fmt;

use llvm_sys::core::{
    LLVMAddAttributeAtIndex, LLVMAppendBasicBlockInContext, LLVMBasicBlockAsValue, LLVMCountParams,
    LLVMCreateEnumAttribute, LLVMCreateStringAttribute, LLVMDeleteBasicBlock, LLVMDeleteFunction,
    LLVMGetBasicBlockName, LLVMGetBasicBlockParent, LLVMGetBasicBlockTerminator,
    LLVMGetEntryBasicBlock, LLVMGetEnumAttributeAtIndex, LLVMGetEnumAttributeKindForName,
    LLVMGetEnumAttributeValue, LLVMGetFirstBasicBlock, LLVMGetFirstInstruction,
    LLVMGetFunctionCallConv, LLVMGetLastInstruction, LLVMGetNextBasicBlock, LLVMGetParam,
    LLVMGetStringAttributeAtIndex, LLVMGetStringAttributeValue, LLVMGetTypeAttributeValue,
    LLVMGlobalGetValueType, LLVMMoveBasicBlockAfter, LLVMMoveBasicBlockBefore,
    LLVMRemoveEnumAttributeAtIndex, LLVMRemoveStringAttributeAtIndex, LLVMSetFunctionCallConv,
};
use llvm_sys::debuginfo::{LLVMGetSubprogram, LLVMSetSubprogram};
use llvm_sys::prelude::LLVMBasicBlockRef;

use crate::context::len32;
use crate::ffi::{
    MuxclDeleteBody, MuxclDemotePhi, MuxclDemoteReg, MuxclFirstInsertionPoint, MuxclIntrinsicId,
    MuxclIsMaterializable, MuxclMaterialize, MuxclParamTypeAttribute, MuxclPromoteAllocas,
    MuxclRemovePredecessor, MuxclRemoveUnreachable, MuxclReplacePhiUses, MuxclSplitBlock,
    MuxclVerifyFunction, collect, cstr, text,
};
use crate::{Cx, LlvmError, Opcode, Type, Value};

/// A function of a module.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Function(pub Value);

/// A basic block.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Block(pub(crate) LLVMBasicBlockRef);

const FN: u32 = u32::MAX;

impl Function {
    /// The context.
    pub fn cx(self) -> Cx {
        self.0.cx()
    }
    /// The name.
    pub fn name(self) -> String {
        self.0.name()
    }
    /// The function as a value (its address).
    pub fn value(self) -> Value {
        self.0
    }
    /// The function type.
    pub fn ty(self) -> Type {
        Type(ll!(LLVMGlobalGetValueType(self.0.0)))
    }
    /// Has it no body here?
    pub fn is_declaration(self) -> bool {
        self.0.is_declaration()
    }
    /// Is it one of LLVM's own (`llvm.*`)?
    pub fn is_intrinsic(self) -> bool {
        ll!(MuxclIntrinsicId(self.0.0)) != 0
    }
    /// Reads a lazily loaded body.
    ///
    /// # Errors
    /// The bitcode is damaged.
    pub fn materialize(self) -> Result<(), LlvmError> {
        let (ok, bytes) = collect(|sink, ctx| ll!(MuxclMaterialize(self.0.0, sink, ctx)));
        if ok != 0 { Ok(()) } else { Err(LlvmError::Bitcode(text(bytes))) }
    }
    /// The parameters.
    pub fn params(self) -> Vec<Value> {
        (0..ll!(LLVMCountParams(self.0.0))).map(|i| Value(ll!(LLVMGetParam(self.0.0, i)))).collect()
    }
    /// One parameter.
    pub fn param(self, i: u32) -> Value {
        Value(ll!(LLVMGetParam(self.0.0, i)))
    }
    /// The calling convention by LLVM's number (0 is C, 75 spir_func, 76 spir_kernel).
    pub fn convention(self) -> u32 {
        ll!(LLVMGetFunctionCallConv(self.0.0))
    }
    /// Sets the calling convention.
    pub fn set_convention(self, cc: u32) {
        ll!(LLVMSetFunctionCallConv(self.0.0, cc));
    }
    /// The blocks in order.
    pub fn blocks(self) -> Vec<Block> {
        let mut out = Vec::new();
        let mut b = ll!(LLVMGetFirstBasicBlock(self.0.0));
        while !b.is_null() {
            out.push(Block(b));
            b = ll!(LLVMGetNextBasicBlock(b));
        }
        out
    }
    /// The entry block.
    pub fn entry(self) -> Block {
        Block(ll!(LLVMGetEntryBasicBlock(self.0.0)))
    }
    /// All instructions, block by block.
    pub fn instructions(self) -> Vec<Value> {
        self.blocks().into_iter().flat_map(Block::instructions).collect()
    }
    /// Appends a block.
    pub fn append_block(self, name: &str) -> Block {
        let n = cstr(name);
        Block(ll!(LLVMAppendBasicBlockInContext(self.cx().0, self.0.0, n.as_ptr())))
    }
    /// The calls of this function by name (direct calls only).
    pub fn direct_calls(self) -> Vec<Value> {
        let mut calls: Vec<Value> = self
            .0
            .users()
            .into_iter()
            .filter(|u| u.is_call() && u.callee() == Some(self))
            .collect();
        calls.sort_unstable();
        calls.dedup();
        calls
    }
    /// Deletes the function. Nothing may use it.
    pub fn erase(self) {
        ll!(LLVMDeleteFunction(self.0.0));
    }
    /// Removes what no path from the entry reaches.
    pub fn remove_unreachable(self) {
        ll!(MuxclRemoveUnreachable(self.0.0));
    }
    /// Turns promotable entry allocas into SSA values.
    pub fn promote_allocas(self) {
        ll!(MuxclPromoteAllocas(self.0.0));
    }
    /// Checks the function; the text says what is wrong.
    ///
    /// # Errors
    /// The IR is malformed.
    pub fn verify(self) -> Result<(), LlvmError> {
        let (ok, bytes) = collect(|sink, ctx| ll!(MuxclVerifyFunction(self.0.0, sink, ctx)));
        if ok != 0 { Ok(()) } else { Err(LlvmError::Verify(text(bytes))) }
    }
    /// Was it compiled with debug information?
    pub fn has_subprogram(self) -> bool {
        !ll!(LLVMGetSubprogram(self.0.0)).is_null()
    }
    /// Forgets the debug information of the function itself.
    pub fn clear_subprogram(self) {
        ll!(LLVMSetSubprogram(self.0.0, std::ptr::null_mut()));
    }

    // ---- attributes ----
    /// Has it this enum attribute (`noinline`, `convergent`, ...)?
    pub fn has_attribute(self, name: &str) -> bool {
        self.attribute_at(FN, name)
    }
    /// Has this parameter (or `None`: the result) this enum attribute?
    pub fn param_has_attribute(self, param: u32, name: &str) -> bool {
        self.attribute_at(param + 1, name)
    }
    fn attribute_at(self, index: u32, name: &str) -> bool {
        let kind = ll!(LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()));
        !ll!(LLVMGetEnumAttributeAtIndex(self.0.0, index, kind)).is_null()
    }
    /// The value of an integer attribute of a parameter (`align`, `dereferenceable`).
    pub fn param_attribute_value(self, param: u32, name: &str) -> Option<u64> {
        let kind = ll!(LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()));
        let a = ll!(LLVMGetEnumAttributeAtIndex(self.0.0, param + 1, kind));
        (!a.is_null()).then(|| ll!(LLVMGetEnumAttributeValue(a)))
    }
    /// The type of a type attribute of a parameter (`byval`).
    pub fn param_attribute_type(self, param: u32, name: &str) -> Option<Type> {
        let kind = ll!(LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()));
        let a = ll!(LLVMGetEnumAttributeAtIndex(self.0.0, param + 1, kind));
        (!a.is_null()).then(|| Type(ll!(LLVMGetTypeAttributeValue(a))))
    }
    /// Adds an enum attribute.
    pub fn add_attribute(self, name: &str) {
        self.add_at(FN, name, 0);
    }
    /// Adds an enum attribute with a value.
    pub fn add_attribute_value(self, name: &str, value: u64) {
        self.add_at(FN, name, value);
    }
    /// Adds an enum attribute with a value to a parameter.
    pub fn add_param_attribute(self, param: u32, name: &str, value: u64) {
        self.add_at(param + 1, name, value);
    }
    fn add_at(self, index: u32, name: &str, value: u64) {
        let kind = ll!(LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()));
        let a = ll!(LLVMCreateEnumAttribute(self.cx().0, kind, value));
        ll!(LLVMAddAttributeAtIndex(self.0.0, index, a));
    }
    /// Removes an enum attribute.
    pub fn remove_attribute(self, name: &str) {
        let kind = ll!(LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()));
        ll!(LLVMRemoveEnumAttributeAtIndex(self.0.0, FN, kind));
    }
    /// Removes an enum attribute of a parameter.
    pub fn remove_param_attribute(self, param: u32, name: &str) {
        let kind = ll!(LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()));
        ll!(LLVMRemoveEnumAttributeAtIndex(self.0.0, param + 1, kind));
    }
    /// The type an attribute of a parameter carries (`byval`, `sret`).
    pub fn param_type_attribute(self, param: u32, name: &str) -> Option<Type> {
        let n = cstr(name);
        let t = ll!(MuxclParamTypeAttribute(self.0.0, param, n.as_ptr()));
        (!t.is_null()).then_some(Type(t))
    }
    /// Has it a body in a lazily loaded module that is not read yet?
    pub fn is_materializable(self) -> bool {
        ll!(MuxclIsMaterializable(self.0.0)) != 0
    }
    /// Drops the body (read or not): the function becomes a declaration.
    pub fn delete_body(self) {
        ll!(MuxclDeleteBody(self.0.0));
    }
    /// Adds a string attribute.
    pub fn add_string_attribute(self, key: &str, value: &str) {
        let a = ll!(LLVMCreateStringAttribute(
            self.cx().0,
            key.as_ptr().cast(),
            len32(key.len()),
            value.as_ptr().cast(),
            len32(value.len())
        ));
        ll!(LLVMAddAttributeAtIndex(self.0.0, FN, a));
    }
    /// Removes a string attribute.
    pub fn remove_string_attribute(self, key: &str) {
        ll!(LLVMRemoveStringAttributeAtIndex(self.0.0, FN, key.as_ptr().cast(), len32(key.len())));
    }
    /// The value of a string attribute.
    pub fn string_attribute(self, key: &str) -> Option<String> {
        let a =
            ll!(LLVMGetStringAttributeAtIndex(self.0.0, FN, key.as_ptr().cast(), len32(key.len())));
        if a.is_null() {
            return None;
        }
        let mut len = 0u32;
        let p = ll!(LLVMGetStringAttributeValue(a, &raw mut len));
        // SAFETY: LLVM returns `len` bytes owned by the context.
        let bytes = unsafe { std::slice::from_raw_parts(p.cast::<u8>(), len as usize) };
        Some(String::from_utf8_lossy(bytes).into_owned())
    }
}

impl Block {
    /// The block as a value (operand of branches, key of maps).
    pub fn value(self) -> Value {
        Value(ll!(LLVMBasicBlockAsValue(self.0)))
    }
    /// The function.
    pub fn function(self) -> Function {
        Function(Value(ll!(LLVMGetBasicBlockParent(self.0))))
    }
    /// The name.
    pub fn name(self) -> String {
        let p = ll!(LLVMGetBasicBlockName(self.0));
        if p.is_null() {
            return String::new();
        }
        // SAFETY: LLVM returns a NUL-terminated string that lives with the block.
        unsafe { std::ffi::CStr::from_ptr(p) }.to_string_lossy().into_owned()
    }
    /// The first instruction.
    pub fn first(self) -> Option<Value> {
        let p = ll!(LLVMGetFirstInstruction(self.0));
        (!p.is_null()).then_some(Value(p))
    }
    /// The last instruction.
    pub fn last(self) -> Option<Value> {
        let p = ll!(LLVMGetLastInstruction(self.0));
        (!p.is_null()).then_some(Value(p))
    }
    /// The first place after the PHIs.
    pub fn first_insertion_point(self) -> Option<Value> {
        let p = ll!(MuxclFirstInsertionPoint(self.0));
        (!p.is_null()).then_some(Value(p))
    }
    /// The terminator.
    pub fn terminator(self) -> Option<Value> {
        let p = ll!(LLVMGetBasicBlockTerminator(self.0));
        (!p.is_null()).then_some(Value(p))
    }
    /// The instructions in order.
    pub fn instructions(self) -> Vec<Value> {
        let mut out = Vec::new();
        let mut i = self.first();
        while let Some(v) = i {
            out.push(v);
            i = v.next();
        }
        out
    }
    /// The PHIs.
    pub fn phis(self) -> Vec<Value> {
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
    /// Splits before `at`; the returned block starts with it, this one branches there.
    pub fn split(self, at: Value, name: &str) -> Self {
        let n = cstr(name);
        Self(ll!(MuxclSplitBlock(at.0, n.as_ptr())))
    }
    /// Removes the entries for `pred` from the PHIs.
    pub fn remove_predecessor(self, pred: Self) {
        ll!(MuxclRemovePredecessor(self.0, pred.0));
    }
    /// In the PHIs, replaces the incoming block.
    pub fn replace_phi_block(self, from: Self, to: Self) {
        ll!(MuxclReplacePhiUses(self.0, from.0, to.0));
    }
    /// Moves the block before another.
    pub fn move_before(self, other: Self) {
        ll!(LLVMMoveBasicBlockBefore(self.0, other.0));
    }
    /// Moves the block after another.
    pub fn move_after(self, other: Self) {
        ll!(LLVMMoveBasicBlockAfter(self.0, other.0));
    }
    /// Deletes the block. Nothing may branch to it.
    pub fn erase(self) {
        ll!(LLVMDeleteBasicBlock(self.0));
    }
}

impl Value {
    /// Replaces a PHI by loads and stores of a new entry alloca.
    pub fn demote_phi(self) -> Self {
        Self(ll!(MuxclDemotePhi(self.0)))
    }
    /// Replaces an instruction's uses by loads of a new entry alloca. `None` if it had no uses.
    pub fn demote_register(self) -> Option<Self> {
        let p = ll!(MuxclDemoteReg(self.0));
        (!p.is_null()).then_some(Self(p))
    }
}

impl fmt::Debug for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "@{}", self.name())
    }
}

impl fmt::Debug for Block {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "%{}", self.name())
    }
}
