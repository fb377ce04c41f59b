//! Modules: bitcode and text in and out, linking, globals, verification, sizes of types.

use std::ffi::c_void;
use std::fmt;
use std::marker::PhantomData;

use llvm_sys::LLVMLinkage;
use llvm_sys::core::{
    LLVMAddFunction, LLVMAddGlobalInAddressSpace, LLVMConstStringInContext2, LLVMDisposeModule,
    LLVMGetDataLayoutStr, LLVMGetFirstFunction, LLVMGetFirstGlobal, LLVMGetModuleContext,
    LLVMGetNamedFunction, LLVMGetNamedGlobal, LLVMGetNextFunction, LLVMGetNextGlobal,
    LLVMGetTarget, LLVMModuleCreateWithNameInContext, LLVMSetDataLayout, LLVMSetSourceFileName,
    LLVMSetTarget,
};
use llvm_sys::prelude::LLVMModuleRef;
use llvm_sys::target::{
    LLVMABIAlignmentOfType, LLVMABISizeOfType, LLVMGetModuleDataLayout, LLVMOffsetOfElement,
    LLVMStoreSizeOfType, LLVMTargetDataRef,
};

use crate::ffi::{
    MuxclConstantString, MuxclLinkModules, MuxclMaterializeAll, MuxclMaterializeMetadata,
    MuxclParseBitcode, MuxclParseText, MuxclPrintModule, MuxclReplaceOpaqueTypes,
    MuxclStripDebugInfo, MuxclVerifyModule, MuxclWriteBitcode, collect, cstr, poisoned, text,
};
use crate::{Context, Cx, Function, Type, Value};

/// What LLVM refuses.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LlvmError {
    /// Bitcode or text that cannot be read: damaged, or of another LLVM. The input is at fault.
    #[error("cannot read the module: {0}")]
    Bitcode(String),
    /// Two modules that do not fit together. The program is at fault.
    #[error("{0}")]
    Link(String),
    /// Malformed IR: a bug of a pass.
    #[error("malformed IR: {0}")]
    Verify(String),
    /// An unknown target, pipeline or output: a bug of the caller or a missing back end.
    #[error("{0}")]
    Target(String),
}

/// Which definitions linking brings in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkMode {
    /// All of them; duplicates are errors.
    All,
    /// Only those the destination refers to.
    OnlyNeeded,
}

/// Linkage of a global.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Linkage {
    /// Visible to other modules.
    External,
    /// Known here only.
    Internal,
    /// Known here only, no symbol.
    Private,
    /// One of several equal definitions, kept only if used.
    LinkOnceOdr,
    /// Any other.
    Other,
}

impl Linkage {
    pub(crate) fn raw(self) -> LLVMLinkage {
        match self {
            Self::External | Self::Other => LLVMLinkage::LLVMExternalLinkage,
            Self::Internal => LLVMLinkage::LLVMInternalLinkage,
            Self::Private => LLVMLinkage::LLVMPrivateLinkage,
            Self::LinkOnceOdr => LLVMLinkage::LLVMLinkOnceODRLinkage,
        }
    }
    pub(crate) fn from_raw(raw: LLVMLinkage) -> Self {
        match raw {
            LLVMLinkage::LLVMExternalLinkage => Self::External,
            LLVMLinkage::LLVMInternalLinkage => Self::Internal,
            LLVMLinkage::LLVMPrivateLinkage => Self::Private,
            LLVMLinkage::LLVMLinkOnceODRLinkage => Self::LinkOnceOdr,
            _ => Self::Other,
        }
    }
}

/// An owned module of a context.
pub struct Module<'c> {
    raw: LLVMModuleRef,
    context: PhantomData<&'c Context>,
}

impl<'c> Module<'c> {
    /// An empty module.
    pub fn new(context: &'c Context, name: &str) -> Self {
        let n = cstr(name);
        Self {
            raw: ll!(LLVMModuleCreateWithNameInContext(n.as_ptr(), context.cx().0)),
            context: PhantomData,
        }
    }

    /// Takes ownership of an `LLVMModuleRef` (of clang's shim).
    ///
    /// # Safety
    /// `raw` is a live module of `context` that nobody else owns.
    pub unsafe fn from_raw(_context: &'c Context, raw: *mut c_void) -> Self {
        Self { raw: raw.cast(), context: PhantomData }
    }

    /// The `LLVMModuleRef`, still owned by this module.
    pub fn raw(&self) -> *mut c_void {
        self.raw.cast()
    }

    pub(crate) fn raw_ref(&self) -> LLVMModuleRef {
        self.raw
    }

    /// Gives up ownership: the caller disposes the module.
    pub fn into_raw(self) -> *mut c_void {
        let raw = self.raw.cast();
        std::mem::forget(self);
        raw
    }

    /// Reads bitcode as a whole.
    ///
    /// # Errors
    /// The bitcode is damaged or of another LLVM.
    pub fn parse(context: &'c Context, bitcode: &[u8]) -> Result<Self, LlvmError> {
        Self::from_bitcode(context, bitcode, false)
    }

    /// Reads bitcode, leaving bodies until [`Function::materialize`]. The bytes must live as long
    /// as the module.
    ///
    /// # Errors
    /// The bitcode is damaged or of another LLVM.
    pub fn parse_lazy(context: &'c Context, bitcode: &'c [u8]) -> Result<Self, LlvmError> {
        Self::from_bitcode(context, bitcode, true)
    }

    fn from_bitcode(context: &'c Context, bitcode: &[u8], lazy: bool) -> Result<Self, LlvmError> {
        let (raw, bytes) = collect(|sink, ctx| {
            ll!(MuxclParseBitcode(
                context.cx().0,
                bitcode.as_ptr().cast(),
                bitcode.len(),
                lazy.into(),
                sink,
                ctx
            ))
        });
        if raw.is_null() {
            Err(LlvmError::Bitcode(text(bytes)))
        } else {
            Ok(Self { raw, context: PhantomData })
        }
    }

    /// Reads textual IR (tests, dumps).
    ///
    /// # Errors
    /// The text is no valid IR.
    pub fn parse_text(context: &'c Context, ir: &str) -> Result<Self, LlvmError> {
        let (raw, bytes) = collect(|sink, ctx| {
            ll!(MuxclParseText(context.cx().0, ir.as_ptr().cast(), ir.len(), sink, ctx))
        });
        if raw.is_null() {
            Err(LlvmError::Bitcode(text(bytes)))
        } else {
            Ok(Self { raw, context: PhantomData })
        }
    }

    /// The module as bitcode.
    pub fn to_bitcode(&self) -> Vec<u8> {
        collect(|sink, ctx| ll!(MuxclWriteBitcode(self.raw, sink, ctx))).1
    }

    /// Reads every lazily loaded body.
    ///
    /// # Errors
    /// The bitcode is damaged.
    pub fn materialize_all(&self) -> Result<(), LlvmError> {
        let (ok, bytes) = collect(|sink, ctx| ll!(MuxclMaterializeAll(self.raw, sink, ctx)));
        if ok != 0 { Ok(()) } else { Err(LlvmError::Bitcode(text(bytes))) }
    }

    /// Reads the metadata of a lazily loaded module.
    ///
    /// # Errors
    /// The bitcode is damaged.
    pub fn materialize_metadata(&self) -> Result<(), LlvmError> {
        let (ok, bytes) = collect(|sink, ctx| ll!(MuxclMaterializeMetadata(self.raw, sink, ctx)));
        if ok != 0 { Ok(()) } else { Err(LlvmError::Bitcode(text(bytes))) }
    }

    /// The context.
    pub fn cx(&self) -> Cx {
        Cx(ll!(LLVMGetModuleContext(self.raw)))
    }

    /// Links `source` into this module. Both must be of the same context, whose diagnostics hold
    /// the reason of an error.
    ///
    /// # Errors
    /// The modules do not fit together.
    pub fn link(&self, source: Self, mode: LinkMode) -> Result<(), LlvmError> {
        let needed = mode == LinkMode::OnlyNeeded;
        if ll!(MuxclLinkModules(self.raw, source.into_raw().cast(), needed.into())) != 0 {
            Ok(())
        } else {
            Err(LlvmError::Link("linking failed".into()))
        }
    }

    /// Checks the module.
    ///
    /// # Errors
    /// The IR is malformed; the text says where.
    pub fn verify(&self) -> Result<(), LlvmError> {
        let (ok, bytes) = collect(|sink, ctx| ll!(MuxclVerifyModule(self.raw, sink, ctx)));
        if ok != 0 { Ok(()) } else { Err(LlvmError::Verify(text(bytes))) }
    }

    /// The target triple.
    pub fn triple(&self) -> String {
        let p = ll!(LLVMGetTarget(self.raw));
        // SAFETY: LLVM returns a NUL-terminated string that lives with the module.
        unsafe { std::ffi::CStr::from_ptr(p) }.to_string_lossy().into_owned()
    }
    /// Sets the target triple.
    pub fn set_triple(&self, triple: &str) {
        let t = cstr(triple);
        ll!(LLVMSetTarget(self.raw, t.as_ptr()));
    }
    /// The data layout.
    pub fn layout(&self) -> String {
        let p = ll!(LLVMGetDataLayoutStr(self.raw));
        // SAFETY: LLVM returns a NUL-terminated string that lives with the module.
        unsafe { std::ffi::CStr::from_ptr(p) }.to_string_lossy().into_owned()
    }
    /// Sets the data layout.
    pub fn set_layout(&self, layout: &str) {
        let t = cstr(layout);
        ll!(LLVMSetDataLayout(self.raw, t.as_ptr()));
    }
    /// Sets the source file name.
    pub fn set_source_name(&self, name: &str) {
        ll!(LLVMSetSourceFileName(self.raw, name.as_ptr().cast(), name.len()));
    }

    /// The functions, in order.
    pub fn functions(&self) -> Vec<Function> {
        let mut out = Vec::new();
        let mut f = ll!(LLVMGetFirstFunction(self.raw));
        while !f.is_null() {
            out.push(Function(Value(f)));
            f = ll!(LLVMGetNextFunction(f));
        }
        out
    }
    /// The functions with a body.
    pub fn definitions(&self) -> Vec<Function> {
        self.functions().into_iter().filter(|f| !f.is_declaration()).collect()
    }
    /// The variables, in order.
    pub fn globals(&self) -> Vec<Value> {
        let mut out = Vec::new();
        let mut g = ll!(LLVMGetFirstGlobal(self.raw));
        while !g.is_null() {
            out.push(Value(g));
            g = ll!(LLVMGetNextGlobal(g));
        }
        out
    }
    /// A function by name.
    pub fn function(&self, name: &str) -> Option<Function> {
        let n = cstr(name);
        let p = ll!(LLVMGetNamedFunction(self.raw, n.as_ptr()));
        (!p.is_null()).then_some(Function(Value(p)))
    }
    /// A variable by name.
    pub fn global(&self, name: &str) -> Option<Value> {
        let n = cstr(name);
        let p = ll!(LLVMGetNamedGlobal(self.raw, n.as_ptr()));
        (!p.is_null()).then_some(Value(p))
    }
    /// The bytes of the constant string a pointer is to, without its NUL; through constant offsets
    /// and casts.
    pub fn constant_string(&self, pointer: Value) -> Option<Vec<u8>> {
        let (found, bytes) = collect(|sink, ctx| ll!(MuxclConstantString(pointer.0, sink, ctx)));
        (found != 0).then_some(bytes)
    }
    /// Adds a function declaration (external linkage, C convention).
    pub fn add_function(&self, name: &str, ty: Type) -> Function {
        let n = cstr(name);
        Function(Value(ll!(LLVMAddFunction(self.raw, n.as_ptr(), ty.0))))
    }
    /// The function of this name, declared with `ty` if there is none.
    pub fn get_or_add_function(&self, name: &str, ty: Type) -> Function {
        self.function(name).unwrap_or_else(|| self.add_function(name, ty))
    }
    /// Adds a variable without initialiser.
    pub fn add_global(&self, name: &str, ty: Type, space: u32) -> Value {
        let n = cstr(name);
        Value(ll!(LLVMAddGlobalInAddressSpace(self.raw, ty.0, n.as_ptr(), space)))
    }
    /// A constant array of these bytes.
    pub fn bytes(&self, data: &[u8]) -> Value {
        Value(ll!(LLVMConstStringInContext2(self.cx().0, data.as_ptr().cast(), data.len(), 1)))
    }

    fn data_layout(&self) -> LLVMTargetDataRef {
        ll!(LLVMGetModuleDataLayout(self.raw))
    }
    /// The size of a value in memory, with tail padding; of a scalable vector, that for each unit
    /// of `vscale`.
    pub fn size_of(&self, ty: Type) -> u64 {
        if ty.is_scalable_vector() {
            // LLVM ends the process over this question.
            return u64::from(ty.vector_len()) * self.size_of(ty.element());
        }
        ll!(LLVMABISizeOfType(self.data_layout(), ty.0))
    }
    /// The bytes a store of this type writes.
    pub fn store_size_of(&self, ty: Type) -> u64 {
        ll!(LLVMStoreSizeOfType(self.data_layout(), ty.0))
    }
    /// The ABI alignment.
    pub fn align_of(&self, ty: Type) -> u64 {
        u64::from(ll!(LLVMABIAlignmentOfType(self.data_layout(), ty.0)))
    }
    /// The offset of a field.
    pub fn offset_of(&self, ty: Type, field: u32) -> u64 {
        ll!(LLVMOffsetOfElement(self.data_layout(), ty.0, field))
    }

    /// Removes debug information.
    pub fn strip_debug_info(&self) -> bool {
        ll!(MuxclStripDebugInfo(self.raw)) != 0
    }

    /// Replaces `target("spirv.*")` types by plain pointers everywhere.
    ///
    /// # Errors
    /// A global variable has such a type.
    pub fn replace_opaque_types(&self) -> Result<(), LlvmError> {
        if ll!(MuxclReplaceOpaqueTypes(self.raw)) < 0 {
            return Err(LlvmError::Link("a program-scope variable has an opaque type".into()));
        }
        Ok(())
    }
}

impl Drop for Module<'_> {
    fn drop(&mut self) {
        if !poisoned() {
            ll!(LLVMDisposeModule(self.raw));
        }
    }
}

impl fmt::Display for Module<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ((), bytes) = collect(|sink, ctx| ll!(MuxclPrintModule(self.raw, sink, ctx)));
        f.write_str(&text(bytes))
    }
}

impl fmt::Debug for Module<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Module({:p})", self.raw)
    }
}
