//! LLVM contexts. A compile job has its own, which no other thread uses. Contexts capture
//! diagnostics instead of printing them.
//!
//! Not here: modules (module.rs).

use std::cell::RefCell;
use std::ffi::{c_char, c_int, c_void};
use std::fmt;

use inkwell::AddressSpace;
use inkwell::context::{AsContextRef, ContextRef};
use inkwell::types::AsTypeRef;
use llvm_sys::prelude::LLVMContextRef;

use crate::ffi::{
    LLVMArrayType2, LLVMConstStructInContext, LLVMFunctionType, LLVMIntTypeInContext,
    LLVMScalableVectorType, LLVMStructTypeInContext, LLVMVectorType, MuxclContextSetHandler,
};
use crate::{Type, Value, fatal};

/// Severity of a diagnostic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// The result is unusable.
    Error,
    /// The result is usable, but the user should know the reason.
    Warning,
    /// An optimisation remark.
    Remark,
    /// Additional information on an earlier diagnostic.
    Note,
}

/// One diagnostic of LLVM.
#[derive(Debug, Clone)]
pub struct Diagnostic {
    /// The severity.
    pub severity: Severity,
    /// The text, without a trailing newline.
    pub text: String,
}

type DiagnosticLog = RefCell<Vec<Diagnostic>>;

/// An LLVM context and its captured diagnostics.
///
/// Modules, types and values borrow it, so none outlives it:
///
/// ```compile_fail
/// let byte = {
///     let context = muxcl_llvm::Context::new();
///     context.cx().i8()
/// };
/// println!("{byte}"); // the context is gone
/// ```
///
/// ```
/// let context = muxcl_llvm::Context::new();
/// let byte = context.cx().i8();
/// assert_eq!(byte.to_string(), "i8");
/// ```
pub struct Context {
    // Dropped before the log, which its handler writes to.
    inner: inkwell::context::Context,
    log: Box<DiagnosticLog>,
}

/// Makes the types and constants of a context.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cx<'m>(ContextRef<'m>);

impl Default for Context {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context").field("log", &self.log).finish_non_exhaustive()
    }
}

impl Context {
    /// Creates a context. [`Context::take_diagnostics`] returns its diagnostics.
    pub fn new() -> Self {
        fatal::install();
        let context = Self { inner: inkwell::context::Context::create(), log: Box::default() };
        context.reset_handler();
        context
    }

    /// The factory of types and constants for this context.
    pub fn cx(&self) -> Cx<'_> {
        // SAFETY: the context is borrowed for as long as the reference to it lives.
        Cx(unsafe { ContextRef::new(self.inner.raw()) })
    }

    pub(crate) fn inner(&self) -> &inkwell::context::Context {
        &self.inner
    }

    /// The `LLVMContextRef`, for a shim of another crate (clang's).
    pub fn raw(&self) -> *mut c_void {
        self.inner.raw().cast()
    }

    /// Installs the diagnostic handler again, after foreign code (clang) has replaced it.
    pub fn reset_handler(&self) {
        let log: *const DiagnosticLog = &raw const *self.log;
        // SAFETY: the log lives in a box of this context, longer than LLVM's context. The handler
        // reads it through a shared reference.
        unsafe { MuxclContextSetHandler(self.inner.raw(), on_diagnostic, log.cast_mut().cast()) };
    }

    /// Sets whether new values drop their names. Dropping is faster; dumps and tests keep names.
    pub fn discard_value_names(&self, discard: bool) {
        // SAFETY: the context is alive.
        unsafe {
            llvm_sys::core::LLVMContextSetDiscardValueNames(self.inner.raw(), discard.into());
        }
    }

    /// The diagnostics since the last call.
    pub fn take_diagnostics(&self) -> Vec<Diagnostic> {
        self.log.take()
    }
}

unsafe extern "C" fn on_diagnostic(
    ctx: *mut c_void,
    severity: c_int,
    data: *const c_char,
    len: usize,
) {
    // SAFETY: `ctx` is the boxed log of the context that calls, which outlives the LLVM context.
    let log = unsafe { &*ctx.cast::<DiagnosticLog>() };
    // SAFETY: the shim passes `len` readable bytes.
    let bytes = unsafe { std::slice::from_raw_parts(data.cast::<u8>(), len) };
    let severity = match severity {
        0 => Severity::Error,
        1 => Severity::Warning,
        2 => Severity::Remark,
        _ => Severity::Note,
    };
    if let Ok(mut log) = log.try_borrow_mut() {
        log.push(Diagnostic {
            severity,
            text: String::from_utf8_lossy(bytes).trim_end().to_owned(),
        });
    }
}

impl<'m> From<ContextRef<'m>> for Cx<'m> {
    fn from(context: ContextRef<'m>) -> Self {
        Self(context)
    }
}

impl<'m> Cx<'m> {
    /// Wraps the context of a type or value.
    pub(crate) fn of(raw: std::ptr::NonNull<llvm_sys::LLVMContext>) -> Self {
        // SAFETY: the handle that returned `raw` keeps its context borrowed for `'m`.
        Self(unsafe { ContextRef::new(raw.as_ptr()) })
    }
    pub(crate) fn raw(self) -> LLVMContextRef {
        self.0.as_ctx_ref()
    }
    pub(crate) fn inner(self) -> ContextRef<'m> {
        self.0
    }

    /// The integer type of `bits` bits.
    pub fn int(self, bits: u32) -> Type<'m> {
        assert!((1..1 << 23).contains(&bits), "no integer has {bits} bits");
        // SAFETY: the context is alive, and LLVM has integers of this width.
        unsafe { LLVMIntTypeInContext(self.raw(), bits) }
    }
    /// `i1`.
    pub fn i1(self) -> Type<'m> {
        Type::of(self.0.bool_type().as_type_ref())
    }
    /// `i8`.
    pub fn i8(self) -> Type<'m> {
        Type::of(self.0.i8_type().as_type_ref())
    }
    /// `i32`.
    pub fn i32(self) -> Type<'m> {
        Type::of(self.0.i32_type().as_type_ref())
    }
    /// `i64`.
    pub fn i64(self) -> Type<'m> {
        Type::of(self.0.i64_type().as_type_ref())
    }
    /// `half`.
    pub fn half(self) -> Type<'m> {
        Type::of(self.0.f16_type().as_type_ref())
    }
    /// `float`.
    pub fn float(self) -> Type<'m> {
        Type::of(self.0.f32_type().as_type_ref())
    }
    /// `double`.
    pub fn double(self) -> Type<'m> {
        Type::of(self.0.f64_type().as_type_ref())
    }
    /// `void`.
    pub fn void(self) -> Type<'m> {
        Type::of(self.0.void_type().as_type_ref())
    }
    /// The pointer type of an address space.
    pub fn ptr(self, space: u32) -> Type<'m> {
        let space = u16::try_from(space).unwrap_or(u16::MAX);
        Type::of(self.0.ptr_type(AddressSpace::from(space)).as_type_ref())
    }
    /// A literal struct.
    pub fn structure(self, parts: &[Type<'m>], packed: bool) -> Type<'m> {
        assert!(parts.iter().all(|t| t.has_constants()), "a struct of a type without values");
        // SAFETY: pointer and length are the slice's, and every element has values.
        unsafe { LLVMStructTypeInContext(self.raw(), parts.as_ptr(), len32(parts), packed.into()) }
    }
    /// A constant struct with these field values, which are constants.
    pub fn constant_structure(self, parts: &[Value<'m>], packed: bool) -> Value<'m> {
        assert!(parts.iter().all(|v| v.is_constant()), "a constant of a value that is no constant");
        // SAFETY: pointer and length are the slice's, and every element is a constant.
        unsafe { LLVMConstStructInContext(self.raw(), parts.as_ptr(), len32(parts), packed.into()) }
    }
    /// The array type of `count` elements.
    pub fn array(self, element: Type<'m>, count: u64) -> Type<'m> {
        assert!(element.has_constants(), "an array of a type without values");
        // SAFETY: the element has values.
        unsafe { LLVMArrayType2(element, count) }
    }
    /// The fixed vector type of `count` elements.
    pub fn vector(self, element: Type<'m>, count: u32) -> Type<'m> {
        assert!(element.is_scalar() && count > 0, "no vector has such elements");
        // SAFETY: the element is one that vectors have.
        unsafe { LLVMVectorType(element, count) }
    }
    /// The vector type of `vscale` times `count` elements.
    pub fn scalable_vector(self, element: Type<'m>, count: u32) -> Type<'m> {
        assert!(element.is_scalar() && count > 0, "no vector has such elements");
        // SAFETY: the element is one that vectors have.
        unsafe { LLVMScalableVectorType(element, count) }
    }
    /// A function type.
    pub fn function(self, ret: Type<'m>, params: &[Type<'m>]) -> Type<'m> {
        let returns = ret.is_void() || ret.has_constants();
        assert!(returns && params.iter().all(|t| t.has_constants()), "no function type");
        // SAFETY: pointer and length are the slice's; the types are those functions may have.
        unsafe { LLVMFunctionType(ret, params.as_ptr(), len32(params), 0) }
    }
    /// An `i1` constant.
    pub fn bool(self, v: bool) -> Value<'m> {
        self.i1().constant(v.into())
    }
    /// An `i32` constant.
    pub fn u32(self, v: u32) -> Value<'m> {
        self.i32().constant(v.into())
    }
    /// An `i64` constant.
    pub fn u64(self, v: u64) -> Value<'m> {
        self.i64().constant(v)
    }
}

pub(crate) fn len32<T>(list: &[T]) -> u32 {
    u32::try_from(list.len()).unwrap_or(u32::MAX)
}
