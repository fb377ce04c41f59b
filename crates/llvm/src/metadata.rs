//! Metadata: reading nodes of kernels and modules, and the loop metadata of work-item loops.

use std::fmt;

use llvm_sys::prelude::LLVMMetadataRef;

use crate::ffi::{
    MuxclAddAccessGroup, MuxclEraseFunctionNode, MuxclEraseNamedNode, MuxclGetFunctionNode,
    MuxclNamedNode, MuxclNewAccessGroup, MuxclNodeConstant, MuxclNodeCount, MuxclNodeOperand,
    MuxclNodeString, MuxclSetWorkItemLoop, cstr,
};
use crate::{Cx, Function, Module, Value};

/// A metadata node, string or constant.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Metadata(LLVMMetadataRef);

impl Metadata {
    fn new(raw: LLVMMetadataRef) -> Option<Self> {
        (!raw.is_null()).then_some(Self(raw))
    }
    /// The operands of a node.
    pub fn operands(self) -> Vec<Option<Self>> {
        (0..ll!(MuxclNodeCount(self.0)))
            .map(|i| Self::new(ll!(MuxclNodeOperand(self.0, i))))
            .collect()
    }
    /// The text of a string.
    pub fn string(self) -> Option<String> {
        let mut len = 0usize;
        let p = ll!(MuxclNodeString(self.0, &raw mut len));
        if p.is_null() {
            return None;
        }
        // SAFETY: LLVM returns `len` bytes owned by the context.
        let bytes = unsafe { std::slice::from_raw_parts(p.cast::<u8>(), len) };
        Some(String::from_utf8_lossy(bytes).into_owned())
    }
    /// The constant inside.
    pub fn constant(self) -> Option<Value> {
        let p = ll!(MuxclNodeConstant(self.0));
        (!p.is_null()).then_some(Value(p))
    }
    /// A fresh access group for parallel accesses.
    pub fn new_access_group(cx: Cx) -> Self {
        Self(ll!(MuxclNewAccessGroup(cx.0)))
    }
}

impl Function {
    /// The node of this kind on the function.
    pub fn metadata(self, kind: &str) -> Option<Metadata> {
        let kind = cstr(kind);
        Metadata::new(ll!(MuxclGetFunctionNode(self.0.0, kind.as_ptr())))
    }
    /// Removes the node of this kind.
    pub fn erase_metadata(self, kind: &str) {
        let kind = cstr(kind);
        ll!(MuxclEraseFunctionNode(self.0.0, kind.as_ptr()));
    }
}

impl Value {
    /// Puts a memory access in an access group (in addition to those it is in).
    pub fn add_access_group(self, group: Metadata) {
        ll!(MuxclAddAccessGroup(self.0, group.0));
    }
    /// Marks a latch branch as that of a work-item loop whose accesses in `group` are parallel.
    pub fn set_work_item_loop(self, group: Option<Metadata>, no_vectorize: bool, no_unroll: bool) {
        let g = group.map_or(std::ptr::null_mut(), |g| g.0);
        ll!(MuxclSetWorkItemLoop(self.0, g, no_vectorize.into(), no_unroll.into()));
    }
}

impl Module<'_> {
    /// The operands of a named metadata node.
    pub fn named_metadata(&self, name: &str) -> Vec<Metadata> {
        let n = cstr(name);
        (0..)
            .map_while(|i| Metadata::new(ll!(MuxclNamedNode(self.raw_ref(), n.as_ptr(), i))))
            .collect()
    }
    /// Removes a named metadata node.
    pub fn erase_named_metadata(&self, name: &str) {
        let n = cstr(name);
        ll!(MuxclEraseNamedNode(self.raw_ref(), n.as_ptr()));
    }
}

impl fmt::Debug for Metadata {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "metadata {:p}", self.0)
    }
}
