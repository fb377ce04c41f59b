//! Clones and moves blocks and functions.

use std::cell::Cell;
use std::marker::PhantomData;
use std::ptr::NonNull;

use crate::ffi::{
    MuxclCloneBlock, MuxclCloneFolded, MuxclCloneFunction, MuxclCloneScalable,
    MuxclCopyFunctionAttributes, MuxclCopyFunctionOnlyAttributes, MuxclMapDelete, MuxclMapGet,
    MuxclMapNew, MuxclMapSet, MuxclRemapBlock, MuxclSpliceBody, RawMap, Text,
};
use crate::{Block, Function, Value};

/// LLVM's value map, from values to their clones.
#[derive(Debug)]
pub struct ValueMap<'m> {
    raw: NonNull<RawMap>,
    // Invariant in the lifetime: `insert` takes a shared reference, so a map with a shorter
    // lifetime must not replace this one.
    values: PhantomData<Cell<&'m ()>>,
}

impl Default for ValueMap<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'m> ValueMap<'m> {
    /// An empty map.
    pub fn new() -> Self {
        // SAFETY: creates a new object.
        Self { raw: unsafe { MuxclMapNew() }, values: PhantomData }
    }
    /// Maps a value to its clone.
    pub fn set(&self, from: Value<'m>, to: Value<'m>) {
        // SAFETY: the map is alive, and so are its values.
        unsafe { MuxclMapSet(self.raw, from, to) };
    }
    /// The clone of a value.
    pub fn get(&self, from: Value<'m>) -> Option<Value<'m>> {
        // SAFETY: the map is alive, and so are its values.
        unsafe { MuxclMapGet(self.raw, from) }
    }
    /// Appends a clone of a block to `into`, and enters the block and its instructions in the map;
    /// see [`ValueMap::remap`].
    pub fn clone_block(&self, b: Block<'m>, suffix: &str, into: Function<'m>) -> Block<'m> {
        assert!(
            b.parent().is_some() && into.is_in_module(),
            "a clone of an erased value, or into an erased function"
        );
        // SAFETY: the map is alive; block and function are in a module.
        unsafe { MuxclCloneBlock(b, self.raw, Text::of(suffix), into) }
    }
    /// Appends a clone of the instruction `from` to `into`, with the operands that the map has for
    /// those of `from`. If the clone has a simpler equivalent, such as a constant, this becomes the
    /// result. Enters the result in the map.
    pub fn clone_folded(&self, from: Value<'m>, into: Block<'m>) -> Value<'m> {
        assert!(into.parent().is_some(), "a clone into an erased block");
        // SAFETY: the map is alive, each clone in it has the type of its original, and both the
        // instruction and the block are in a function.
        unsafe { MuxclCloneFolded(from.placed().0, self.raw, into) }
    }
    /// Replaces the operands of a cloned block by their clones.
    pub fn remap(&self, b: Block<'m>) {
        // SAFETY: the map is alive, and each clone in it has the type of its original.
        unsafe { MuxclRemapBlock(b, self.raw) };
    }
}

impl Drop for ValueMap<'_> {
    fn drop(&mut self) {
        // SAFETY: this is the only reference to the map.
        unsafe { MuxclMapDelete(self.raw) };
    }
}

impl<'m> Function<'m> {
    /// A copy of the function (body, attributes, metadata) in the same module.
    pub fn duplicate(self, name: &str) -> Self {
        assert!(self.is_in_module() && !self.is_declaration(), "{self:?} has no body");
        // SAFETY: the function has a body and is in a module.
        unsafe { MuxclCloneFunction(self, Text::of(name)) }
    }
    /// Fills this empty function with a clone of `from` in which vectors of `lanes` elements become
    /// scalable vectors of `count`. Accesses get the alignment of one element. Of such vectors, all
    /// shuffles must broadcast lane 0, all constants must be splats, and all callees must be
    /// intrinsics.
    pub fn clone_scalable(self, from: Self, lanes: u32, count: u32) {
        let same = self.params().len() == from.params().len();
        assert!(same && self.blocks().is_empty(), "{self:?} cannot take a clone of {from:?}");
        // SAFETY: this function has no body, and as many parameters.
        unsafe { MuxclCloneScalable(self, from, lanes, count) };
    }
    /// Moves the body of `from` here; the first parameters of this function replace those of
    /// `from`.
    pub fn take_body(self, from: Self) {
        let (ours, theirs) = (self.ty().params(), from.ty().params());
        let fits = ours.starts_with(&theirs) && self.blocks().is_empty() && self != from;
        assert!(fits, "{self:?} cannot take the body of {from:?}");
        // SAFETY: this function has no body, and begins with the parameters of `from`.
        unsafe { MuxclSpliceBody(self, from) };
    }
    /// Copies attributes, convention, section and alignment; attributes of arguments by position.
    pub fn copy_attributes(self, from: Self) {
        MuxclCopyFunctionAttributes(self, from);
    }
    /// Replaces the function attributes by those of `from`.
    pub fn copy_function_attributes(self, from: Self) {
        MuxclCopyFunctionOnlyAttributes(self, from);
    }
}
