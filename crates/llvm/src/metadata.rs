//! Metadata: reading nodes of kernels and modules, and the loop metadata of work-item loops.
//!
//! Inkwell wraps metadata nodes in values. These handles refer to LLVM's metadata directly, without
//! conversions at each operand.

use std::ffi::c_int;
use std::fmt;
use std::marker::PhantomData;
use std::ptr::NonNull;

use llvm_sys::LLVMOpaqueMetadata;

use crate::ffi::{
    MuxclAddAccessGroup, MuxclEraseNamedNode, MuxclForgetWorkItemLoop, MuxclGetFunctionNode,
    MuxclIsRareLoop, MuxclNewAccessGroup, MuxclNodeConstant, MuxclNodeCount, MuxclNodeOperand,
    MuxclNodeString, MuxclSetRareLoop, MuxclSetWorkItemLoop, MuxclUnrollBy, MuxclUnrollFully,
    MuxclWorkItemLoop, Text, collect, text,
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
    /// Each iteration is a work-item, and [`Value::work_item_loop`] has this result.
    pub items: Option<Along>,
}

/// The order in which a loop steps through work-items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Along {
    /// The first dimension.
    X = 1,
    /// The second dimension.
    Y = 2,
    /// The third dimension.
    Z = 3,
    /// The numbers of the work-items in their sub-group.
    SubGroup = 4,
}

impl Along {
    pub(crate) const ALL: [Self; 4] = [Self::X, Self::Y, Self::Z, Self::SubGroup];
}

impl fmt::Display for Along {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::X => "x",
            Self::Y => "y",
            Self::Z => "z",
            Self::SubGroup => "the sub-group",
        })
    }
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
    /// Asks LLVM to unroll the loop over work-items of a latch branch by `count`. Iterations that
    /// remain run behind the loop.
    pub fn unroll_by(self, count: u32) {
        MuxclUnrollBy(self.terminator_inst(), count);
    }
    /// Marks the loop of a latch branch as one that seldom runs.
    pub fn set_rare_loop(self) {
        MuxclSetRareLoop(self.terminator_inst());
    }
    /// True if the loop of this latch branch is marked by [`Value::set_rare_loop`].
    pub fn is_rare_loop(self) -> bool {
        self.is_terminator() && MuxclIsRareLoop(self.terminator_inst()) != 0
    }
    /// The order of the work-items, for the latch of a loop over work-items
    /// ([`Value::set_work_item_loop`]).
    pub fn work_item_loop(self) -> Option<Along> {
        let number =
            if self.is_terminator() { MuxclWorkItemLoop(self.terminator_inst()) } else { 0 };
        Along::ALL.into_iter().find(|along| *along as c_int == number)
    }
    /// Marks a latch branch as that of a loop that must progress, and that LLVM does not unroll.
    pub fn set_work_item_loop(self, hints: LoopHints<'m>) {
        let LoopHints { parallel, vectorize, items } = hints;
        MuxclSetWorkItemLoop(
            self.terminator_inst(),
            parallel.map(|group| group.0),
            vectorize.into(),
            items.map_or(0, |along| along as c_int),
        );
    }
    /// Removes the marks of [`Value::set_work_item_loop`].
    pub fn forget_work_item_loop(self) {
        MuxclForgetWorkItemLoop(self.terminator_inst());
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
