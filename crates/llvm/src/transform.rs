//! Cloning, remapping and inlining.

use std::ffi::c_void;

use crate::ffi::{
    MuxclCloneBlock, MuxclCloneBodyInto, MuxclCloneFunction, MuxclCloneScalable,
    MuxclConstantUsersToInstructions, MuxclCopyCallAttributes, MuxclCopyFunctionAttributes,
    MuxclCopyFunctionOnlyAttributes, MuxclCopyMetadata, MuxclInlineCall, MuxclMapDelete,
    MuxclMapGet, MuxclMapNew, MuxclMapSet, MuxclRemapBlock, MuxclRemapInstruction,
    MuxclRemoveDeadConstantUsers, MuxclSpliceBody, cstr,
};
use crate::{Block, Function, Value};

/// LLVM's value map: what each value became in a clone. Drop it before erasing the module.
#[derive(Debug)]
pub struct ValueMap(*mut c_void);

impl Default for ValueMap {
    fn default() -> Self {
        Self::new()
    }
}

impl ValueMap {
    /// An empty map.
    pub fn new() -> Self {
        Self(ll!(MuxclMapNew()))
    }
    /// Says what a value becomes.
    pub fn set(&self, from: Value, to: Value) {
        ll!(MuxclMapSet(self.0, from.0, to.0));
    }
    /// What a value became.
    pub fn get(&self, from: Value) -> Option<Value> {
        let p = ll!(MuxclMapGet(self.0, from.0));
        (!p.is_null()).then_some(Value(p))
    }
    /// Clones a block to the end of `into` and enters it and its instructions; see
    /// [`ValueMap::remap`].
    pub fn clone_block(&self, b: Block, suffix: &str, into: Function) -> Block {
        let s = cstr(suffix);
        Block(ll!(MuxclCloneBlock(b.0, self.0, s.as_ptr(), into.0.0)))
    }
    /// Replaces the operands of a (cloned) block by what they became.
    pub fn remap(&self, b: Block) {
        ll!(MuxclRemapBlock(b.0, self.0));
    }
    /// Replaces the operands of a (cloned) instruction by what they became.
    pub fn remap_instruction(&self, i: Value) {
        ll!(MuxclRemapInstruction(i.0, self.0));
    }
}

impl Drop for ValueMap {
    fn drop(&mut self) {
        ll!(MuxclMapDelete(self.0));
    }
}

impl Function {
    /// A copy of the function (body, attributes, metadata) in the same module.
    pub fn duplicate(self, name: &str) -> Self {
        let n = cstr(name);
        Self(Value(ll!(MuxclCloneFunction(self.0.0, n.as_ptr()))))
    }
    /// Fills this empty function with a clone of `from`, whose arguments are all in `map`.
    pub fn clone_body(self, from: Self, map: &ValueMap) {
        ll!(MuxclCloneBodyInto(self.0.0, from.0.0, map.0));
    }
    /// Fills this empty function with a clone of `from` in which every vector of `lanes` elements
    /// is a scalable one of `count`. Accesses are aligned like one element. The only shuffles of
    /// such vectors must be of lane 0 to all lanes, their constants splats, their only calls
    /// intrinsics.
    pub fn clone_scalable(self, from: Self, lanes: u32, count: u32) {
        ll!(MuxclCloneScalable(self.0.0, from.0.0, lanes, count));
    }
    /// Moves the body of `from` here; the first arguments of this function take over.
    pub fn take_body(self, from: Self) {
        ll!(MuxclSpliceBody(self.0.0, from.0.0));
    }
    /// Copies attributes, convention, section and alignment; attributes of arguments by position.
    pub fn copy_attributes(self, from: Self) {
        ll!(MuxclCopyFunctionAttributes(self.0.0, from.0.0));
    }
    /// Replaces all attributes by those `from` has on the function itself.
    pub fn copy_function_attributes(self, from: Self) {
        ll!(MuxclCopyFunctionOnlyAttributes(self.0.0, from.0.0));
    }
    /// Copies all metadata.
    pub fn copy_metadata(self, from: Self) {
        ll!(MuxclCopyMetadata(self.0.0, from.0.0));
    }
}

impl Value {
    /// Copies the metadata of an instruction.
    pub fn copy_metadata(self, from: Self) {
        ll!(MuxclCopyMetadata(self.0, from.0));
    }
    /// Copies attributes, convention and debug location of a call; attributes of arguments by
    /// position.
    pub fn copy_call_attributes(self, from: Self) {
        ll!(MuxclCopyCallAttributes(self.0, from.0));
    }
    /// Inlines a call; false if LLVM cannot.
    pub fn inline_call(self) -> bool {
        ll!(MuxclInlineCall(self.0)) != 0
    }
    /// Turns constant expressions that use this constant into instructions of their users.
    pub fn expand_constant_users(self) {
        ll!(MuxclConstantUsersToInstructions(self.0));
    }
    /// Forgets constant expressions around this constant that nobody uses.
    pub fn remove_dead_users(self) {
        ll!(MuxclRemoveDeadConstantUsers(self.0));
    }
}
