//! Metadata: reading nodes of kernels and modules, and the loop metadata of work-item loops.
//!
//! Inkwell wraps metadata nodes in values. These handles refer to LLVM's metadata directly, without
//! conversions at each operand.

use std::fmt;
use std::marker::PhantomData;
use std::ptr::NonNull;

use llvm_sys::LLVMOpaqueMetadata;

use crate::ffi::{
    MuxclAddAccessGroup, MuxclEraseNamedNode, MuxclGetFunctionNode, MuxclNewAccessGroup,
    MuxclNodeConstant, MuxclNodeCount, MuxclNodeOperand, MuxclNodeString, MuxclSetWorkItemLoop,
    MuxclUnrollFully, Text, collect, text,
};
use crate::{Cx, Function, Module, Value};

/// A metadata node, string or constant.
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Metadata<'m>(NonNull<LLVMOpaqueMetadata>, PhantomData<&'m ()>);

/// An access group: marks memory accesses that are parallel in a loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AccessGroup<'m>(Metadata<'m>);

/// What optimisations may do with a loop.
#[derive(Debug, Clone, Copy, Default)]
pub struct LoopHints<'m> {
    /// The accesses of this group are parallel.
    pub parallel: Option<AccessGroup<'m>>,
    /// LLVM's loop vectorizer may process the loop.
    pub vectorize: bool,
    /// Each iteration is a work-item, so [`Value::is_work_item_loop`] holds.
    pub iterates_items: bool,
}

impl<'m> Metadata<'m> {
    /// The operands of a node.
    pub fn operands(self) -> Vec<Option<Self>> {
        // SAFETY: `i` is below the number of operands.
        (0..MuxclNodeCount(self)).map(|i| unsafe { MuxclNodeOperand(self, i) }).collect()
    }
    /// The text of a string.
    pub fn string(self) -> Option<String> {
        let (is, bytes) = collect(|sink| MuxclNodeString(self, sink));
        (is != 0).then(|| text(bytes))
    }
    /// The constant inside.
    pub fn constant(self) -> Option<Value<'m>> {
        MuxclNodeConstant(self)
    }
}

impl<'m> AccessGroup<'m> {
    /// A new access group, distinct from all others.
    pub fn new(cx: Cx<'m>) -> Self {
        // SAFETY: the context is alive for `'m`.
        Self(unsafe { MuxclNewAccessGroup(cx.raw()) })
    }
}

impl<'m> Function<'m> {
    /// The function's metadata node of this kind.
    pub fn metadata(self, kind: &str) -> Option<Metadata<'m>> {
        MuxclGetFunctionNode(self, Text::of(kind))
    }
}

impl<'m> Value<'m> {
    /// Adds a memory access to an access group, besides those it has.
    pub fn add_access_group(self, group: AccessGroup<'m>) {
        // SAFETY: it is an access group.
        unsafe { MuxclAddAccessGroup(self.instruction(), group.0) };
    }
    /// Asks LLVM to unroll the loop of a latch branch fully, unless the loop says otherwise. LLVM
    /// does so if the number of iterations is constant.
    pub fn unroll_fully(self) {
        MuxclUnrollFully(self.terminator_inst());
    }
    /// Marks a latch branch as that of a loop that must progress, and that LLVM does not unroll.
    pub fn set_work_item_loop(self, hints: LoopHints<'m>) {
        let LoopHints { parallel, vectorize, iterates_items } = hints;
        MuxclSetWorkItemLoop(
            self.terminator_inst(),
            parallel.map(|group| group.0),
            vectorize.into(),
            iterates_items.into(),
        );
    }
}

impl Module<'_> {
    /// Removes a named metadata node.
    pub fn erase_named_metadata(&self, name: &str) {
        // SAFETY: the module is alive, and its named nodes have no handles.
        unsafe { MuxclEraseNamedNode(self.raw_ref(), Text::of(name)) };
    }
}

impl fmt::Debug for Metadata<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "metadata {:p}", self.0)
    }
}
