//! Modules: bitcode and text in and out, linking, globals, verification, sizes of types.

use std::ffi::{CString, c_uint, c_void};
use std::fmt;
use std::ptr::NonNull;

use inkwell::targets::TargetTriple;
use llvm_sys::LLVMLinkage;
use llvm_sys::prelude::LLVMModuleRef;

use crate::erased;
use crate::ffi::{
    DataLayout, LLVMABIAlignmentOfType, LLVMABISizeOfType, LLVMAddFunction,
    LLVMAddGlobalInAddressSpace, LLVMConstStringInContext2, LLVMGetFirstFunction,
    LLVMGetFirstGlobal, LLVMGetModuleDataLayout, LLVMGetNamedFunction, LLVMGetNamedGlobal,
    LLVMGetNextFunction, LLVMGetNextGlobal, LinkageNumber, MuxclConstantString, MuxclLinkModules,
    MuxclParseBitcode, MuxclParseText, MuxclPlainAtomics, MuxclReplaceOpaqueTypes, Sink, Text,
    collect, text,
};
use crate::{Context, Cx, Function, Type, TypeKind, Value};

/// An error that LLVM reports.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LlvmError {
    /// Bitcode or text is damaged, or from another LLVM version. The input is at fault.
    #[error("cannot read the module: {0}")]
    Bitcode(String),
    /// Two modules do not fit together. The program is at fault.
    #[error("{0}")]
    Link(String),
    /// Malformed IR: a bug of a pass.
    #[error("malformed IR: {0}")]
    Verify(String),
    /// An unknown target, pipeline or output: a bug of the caller or a missing back end.
    #[error("{0}")]
    Target(String),
}

/// The definitions that linking imports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkMode {
    /// All definitions; duplicates are errors.
    All,
    /// Only definitions that the destination refers to.
    OnlyNeeded,
}

/// Linkage of a global.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Linkage {
    /// Visible to other modules.
    External,
    /// Visible in this module only.
    Internal,
    /// Visible in this module only, without a symbol.
    Private,
    /// One of several equal definitions, dropped if unused.
    LinkOnceOdr,
    /// Any other.
    Other,
}

impl Linkage {
    pub(crate) fn raw(self) -> LinkageNumber {
        (match self {
            Self::External | Self::Other => LLVMLinkage::LLVMExternalLinkage,
            Self::Internal => LLVMLinkage::LLVMInternalLinkage,
            Self::Private => LLVMLinkage::LLVMPrivateLinkage,
            Self::LinkOnceOdr => LLVMLinkage::LLVMLinkOnceODRLinkage,
        }) as c_uint
    }
    pub(crate) fn from_raw(raw: LinkageNumber) -> Self {
        let known = [Self::External, Self::Internal, Self::Private, Self::LinkOnceOdr];
        known.into_iter().find(|linkage| linkage.raw() == raw).unwrap_or(Self::Other)
    }
}

/// An owned module of a context.
///
/// Its functions, values and types borrow it. Operations that may delete many of them at once
/// (linking, pipelines, emission) borrow it exclusively, so that no handle remains:
///
/// ```compile_fail
/// use muxcl_llvm::{Context, LinkMode, Module};
/// let context = Context::new();
/// let mut module = Module::parse_text(&context, "declare void @f()").unwrap();
/// let other = Module::parse_text(&context, "define void @f() { ret void }").unwrap();
/// let f = module.function("f").unwrap();
/// module.link(other, LinkMode::All).unwrap();
/// println!("{f:?}"); // the declaration is gone
/// ```
pub struct Module<'c> {
    // Empty once the module is dropped or given away.
    inner: Option<inkwell::module::Module<'c>>,
}

/// A copy in the same context.
impl Clone for Module<'_> {
    fn clone(&self) -> Self {
        Self { inner: self.inner.clone() }
    }
}

/// A C string; an interior NUL ends it (LLVM names may not hold one).
pub(crate) fn cstr(s: &str) -> CString {
    let end = s.find('\0').unwrap_or(s.len());
    CString::new(&s.as_bytes()[..end]).unwrap_or_default()
}

impl<'c> Module<'c> {
    /// An empty module.
    pub fn new(context: &'c Context, name: &str) -> Self {
        Self { inner: Some(context.inner().create_module(name)) }
    }

    /// Takes ownership of an `LLVMModuleRef` (of clang's shim).
    ///
    /// # Safety
    /// `raw` is a live module of `context` without another owner.
    pub unsafe fn from_raw(_context: &'c Context, raw: *mut c_void) -> Self {
        // SAFETY: the caller's promise.
        Self { inner: Some(unsafe { inkwell::module::Module::new(raw.cast()) }) }
    }

    fn inner(&self) -> &inkwell::module::Module<'c> {
        match &self.inner {
            Some(inner) => inner,
            None => unreachable!("the module is dropped"),
        }
    }

    pub(crate) fn raw_ref(&self) -> LLVMModuleRef {
        self.inner().as_mut_ptr()
    }

    /// Reads all of the bitcode.
    ///
    /// # Errors
    /// The bitcode is damaged or of another LLVM.
    pub fn parse(context: &'c Context, bitcode: &[u8]) -> Result<Self, LlvmError> {
        Self::read(context, |sink| {
            // SAFETY: the context is alive; nothing of the bitcode is read later.
            unsafe { MuxclParseBitcode(context.inner().raw(), Text::bytes(bitcode), 0, sink) }
        })
    }

    /// Reads bitcode lazily: [`Function::materialize`] reads the bodies. The bytes must live as
    /// long as the module.
    ///
    /// # Errors
    /// The bitcode is damaged or of another LLVM.
    pub fn parse_lazy(context: &'c Context, bitcode: &'c [u8]) -> Result<Self, LlvmError> {
        Self::read(context, |sink| {
            // SAFETY: context and bitcode outlive the module.
            unsafe { MuxclParseBitcode(context.inner().raw(), Text::bytes(bitcode), 1, sink) }
        })
    }

    /// Reads textual IR (tests, dumps).
    ///
    /// # Errors
    /// The text is not valid IR.
    pub fn parse_text(context: &'c Context, ir: &str) -> Result<Self, LlvmError> {
        Self::read(context, |sink| {
            // SAFETY: the context is alive; the text is copied.
            unsafe { MuxclParseText(context.inner().raw(), Text::of(ir), sink) }
        })
    }

    fn read(
        context: &'c Context,
        parse: impl FnOnce(Sink<'_>) -> LLVMModuleRef,
    ) -> Result<Self, LlvmError> {
        let (raw, why) = collect(parse);
        if raw.is_null() {
            return Err(LlvmError::Bitcode(text(why)));
        }
        // SAFETY: the reader made the module in this context, for this caller.
        Ok(unsafe { Self::from_raw(context, raw.cast()) })
    }

    /// The module as bitcode.
    pub fn to_bitcode(&self) -> Vec<u8> {
        self.inner().write_bitcode_to_memory().as_slice().to_vec()
    }

    /// The context.
    pub fn cx(&self) -> Cx<'_> {
        Cx::from(self.inner().get_context())
    }

    /// Links `source` into this module. Both belong to one context; after an error, its diagnostics
    /// hold the reason.
    ///
    /// # Errors
    /// The modules do not fit together.
    pub fn link(&mut self, mut source: Self, mode: LinkMode) -> Result<(), LlvmError> {
        assert!(self.cx() == source.cx(), "modules of two contexts cannot be linked");
        let needed = mode == LinkMode::OnlyNeeded;
        let raw = source.raw_ref();
        if let Some(inner) = source.inner.take() {
            // The linker owns it.
            std::mem::forget(inner);
        }
        // SAFETY: both modules are of one context, the source has no other owner, and no
        // handle of either is left.
        let linked = unsafe { MuxclLinkModules(self.raw_ref(), raw, needed.into()) };
        // SAFETY: the linker has disposed of the source; the context is alive.
        unsafe { delete_erased(raw) };
        if linked != 0 { Ok(()) } else { Err(LlvmError::Link("linking failed".into())) }
    }

    /// Verifies the module.
    ///
    /// # Errors
    /// The IR is malformed; the error's text describes the place.
    pub fn verify(&self) -> Result<(), LlvmError> {
        self.inner().verify().map_err(|why| LlvmError::Verify(why.to_string_lossy().into_owned()))
    }

    /// The target triple.
    pub fn triple(&self) -> String {
        self.inner().get_triple().as_str().to_string_lossy().into_owned()
    }
    /// Sets the target triple.
    pub fn set_triple(&self, triple: &str) {
        self.inner().set_triple(&TargetTriple::create(triple));
    }
    /// The data layout.
    pub fn layout(&self) -> String {
        // SAFETY: the module is alive.
        let raw = unsafe { llvm_sys::core::LLVMGetDataLayoutStr(self.raw_ref()) };
        // SAFETY: LLVM returns a C string that lives with the module.
        let layout = unsafe { std::ffi::CStr::from_ptr(raw) };
        layout.to_string_lossy().into_owned()
    }
    /// Sets the data layout.
    pub fn set_layout(&self, layout: &str) {
        let layout = cstr(layout);
        // SAFETY: the module is alive; LLVM copies the text.
        unsafe { llvm_sys::core::LLVMSetDataLayout(self.raw_ref(), layout.as_ptr()) };
    }

    /// The functions, in order.
    pub fn functions(&self) -> Vec<Function<'_>> {
        let mut out = Vec::new();
        // SAFETY: the module is alive, and borrowed for as long as the functions.
        let mut at = unsafe { LLVMGetFirstFunction(self.raw_ref()) };
        while let Some(f) = at {
            out.push(f);
            at = LLVMGetNextFunction(f);
        }
        out
    }
    /// The functions with a body.
    pub fn definitions(&self) -> Vec<Function<'_>> {
        self.functions().into_iter().filter(|f| !f.is_declaration()).collect()
    }
    /// The variables, in order.
    pub fn globals(&self) -> Vec<Value<'_>> {
        let mut out = Vec::new();
        // SAFETY: the module is alive, and borrowed for as long as the variables.
        let mut at = unsafe { LLVMGetFirstGlobal(self.raw_ref()) };
        while let Some(g) = at {
            out.push(g.into());
            at = LLVMGetNextGlobal(g);
        }
        out
    }
    /// A function by name.
    pub fn function(&self, name: &str) -> Option<Function<'_>> {
        let name = cstr(name);
        // SAFETY: the module is alive, and borrowed for as long as the function; the name is a C
        // string.
        unsafe { LLVMGetNamedFunction(self.raw_ref(), name.as_ptr()) }
    }
    /// A variable by name.
    pub fn global(&self, name: &str) -> Option<Value<'_>> {
        let name = cstr(name);
        // SAFETY: the module is alive, and borrowed for as long as the variable; the name is a C
        // string.
        unsafe { LLVMGetNamedGlobal(self.raw_ref(), name.as_ptr()) }
    }
    /// The bytes of the constant string that `pointer` refers to, without its NUL. Looks through
    /// constant offsets and casts.
    pub fn constant_string(&self, pointer: Value<'_>) -> Option<Vec<u8>> {
        let (found, bytes) = collect(|sink| MuxclConstantString(pointer, sink));
        (found != 0).then_some(bytes)
    }
    /// Adds a function declaration (external linkage, C convention).
    pub fn add_function<'m>(&'m self, name: &str, ty: Type<'m>) -> Function<'m> {
        assert!(ty.kind() == TypeKind::Function, "{ty} is no function type");
        let name = cstr(name);
        // SAFETY: the module is alive; the name is a C string, the type one of functions.
        unsafe { LLVMAddFunction(self.raw_ref(), name.as_ptr(), ty) }
    }
    /// The function of this name; declared with `ty` if the module lacks it.
    pub fn get_or_add_function<'m>(&'m self, name: &str, ty: Type<'m>) -> Function<'m> {
        self.function(name).unwrap_or_else(|| self.add_function(name, ty))
    }
    /// Adds a variable without initialiser.
    pub fn add_global<'m>(&'m self, name: &str, ty: Type<'m>, space: u32) -> Value<'m> {
        assert!(ty.has_constants(), "{ty} has no values");
        let name = cstr(name);
        // SAFETY: the module is alive; the name is a C string, the type one of values.
        unsafe { LLVMAddGlobalInAddressSpace(self.raw_ref(), ty, name.as_ptr(), space) }
    }
    /// A constant array of these bytes.
    pub fn bytes(&self, data: &[u8]) -> Value<'_> {
        let (text, len) = (data.as_ptr().cast(), data.len());
        // SAFETY: the context is alive; pointer and length are the slice's, which LLVM copies.
        unsafe { LLVMConstStringInContext2(self.cx().raw(), text, len, 1) }
    }

    fn data_layout(&self) -> DataLayout<'_> {
        // SAFETY: the module is alive, and borrowed for as long as its layout.
        unsafe { LLVMGetModuleDataLayout(self.raw_ref()) }
    }
    /// The size of a value in memory in bytes, with tail padding; for a scalable vector, the size
    /// per unit of `vscale`. 0 for types without a size.
    pub fn size_of(&self, ty: Type<'_>) -> u64 {
        if ty.is_scalable_vector() {
            // LLVM ends the process when asked for the size of a scalable vector.
            return u64::from(ty.vector_len()) * self.size_of(ty.element());
        }
        if !ty.is_sized() {
            return 0;
        }
        // SAFETY: the type has a size.
        unsafe { LLVMABISizeOfType(self.data_layout(), ty) }
    }
    /// The ABI alignment in bytes; 1 for types without a size.
    pub fn align_of(&self, ty: Type<'_>) -> u64 {
        if !ty.is_sized() {
            return 1;
        }
        // SAFETY: the type has a size.
        u64::from(unsafe { LLVMABIAlignmentOfType(self.data_layout(), ty) })
    }

    /// Turns the atomic accesses of an address space into plain ones, which leave their access
    /// groups.
    pub fn plain_atomics(&mut self, space: u32) {
        // SAFETY: the module is alive, and no handle of it is left.
        unsafe { MuxclPlainAtomics(self.raw_ref(), space) };
    }

    /// Replaces `target("spirv.*")` types by plain pointers everywhere.
    ///
    /// # Errors
    /// A global variable has such a type.
    pub fn replace_opaque_types(&mut self) -> Result<(), LlvmError> {
        // SAFETY: the module is alive, and no handle of it is left.
        if unsafe { MuxclReplaceOpaqueTypes(self.raw_ref()) } < 0 {
            return Err(LlvmError::Link("a program-scope variable has an opaque type".into()));
        }
        Ok(())
    }
}

/// # Safety
/// As [`erased::delete`].
unsafe fn delete_erased(module: LLVMModuleRef) {
    if let Some(module) = NonNull::new(module) {
        // SAFETY: the caller's promise.
        unsafe { erased::delete(module) };
    }
}

impl Drop for Module<'_> {
    fn drop(&mut self) {
        if let Some(inner) = self.inner.take() {
            let raw = inner.as_mut_ptr();
            drop(inner);
            // SAFETY: the module is gone; its context outlives it.
            unsafe { delete_erased(raw) };
        }
    }
}

impl fmt::Display for Module<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.inner().print_to_string().to_string_lossy())
    }
}

impl fmt::Debug for Module<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Module({:p})", self.raw_ref())
    }
}
