//! LLVM contexts: one per compile job, never shared between threads, diagnostics captured instead
//! of printed.
//!
//! Not here: modules (module.rs).

use std::cell::RefCell;
use std::ffi::{c_char, c_int, c_void};
use std::ops::Deref;

use llvm_sys::core::{
    LLVMArrayType2, LLVMConstStructInContext, LLVMContextCreate, LLVMContextDispose,
    LLVMContextSetDiscardValueNames, LLVMFunctionType, LLVMIntTypeInContext,
    LLVMPointerTypeInContext, LLVMScalableVectorType, LLVMStructTypeInContext, LLVMVectorType,
    LLVMVoidTypeInContext,
};
use llvm_sys::core::{LLVMDoubleTypeInContext, LLVMFloatTypeInContext, LLVMHalfTypeInContext};
use llvm_sys::prelude::LLVMContextRef;

use crate::ffi::{MuxclContextSetHandler, poisoned};
use crate::{Type, Value};

/// How bad a diagnostic is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// Something that makes the result unusable.
    Error,
    /// Something the user should know.
    Warning,
    /// An optimisation remark.
    Remark,
    /// More about an earlier diagnostic.
    Note,
}

/// One diagnostic of LLVM.
#[derive(Debug, Clone)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// The text, without a trailing newline.
    pub text: String,
}

type DiagnosticLog = RefCell<Vec<Diagnostic>>;

/// An owned LLVM context. Drop the modules first (the borrow of [`crate::Module`] sees to it).
#[derive(Debug)]
pub struct Context {
    cx: Cx,
    log: Box<DiagnosticLog>,
}

/// A `Copy` handle of a context: makes types and constants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cx(pub(crate) LLVMContextRef);

impl Default for Context {
    fn default() -> Self {
        Self::new()
    }
}

impl Context {
    /// A fresh context whose diagnostics are kept for [`Context::take_diagnostics`].
    pub fn new() -> Self {
        let raw = ll!(LLVMContextCreate());
        let log = Box::new(DiagnosticLog::default());
        let ptr: *const DiagnosticLog = &raw const *log;
        ll!(MuxclContextSetHandler(raw, on_diagnostic, ptr.cast_mut().cast()));
        Self { cx: Cx(raw), log }
    }

    /// The handle.
    pub fn cx(&self) -> Cx {
        self.cx
    }

    /// The `LLVMContextRef`, for a shim of another crate (clang's).
    pub fn raw(&self) -> *mut c_void {
        self.cx.0.cast()
    }

    /// Installs our diagnostic handler again, after foreign code (clang) put its own.
    pub fn reset_handler(&self) {
        let ptr: *const DiagnosticLog = &raw const *self.log;
        ll!(MuxclContextSetHandler(self.cx.0, on_diagnostic, ptr.cast_mut().cast()));
    }

    /// Whether new values drop their names (faster; off for dumps and tests).
    pub fn discard_value_names(&self, discard: bool) {
        ll!(LLVMContextSetDiscardValueNames(self.cx.0, discard.into()));
    }

    /// The diagnostics since the last call.
    pub fn take_diagnostics(&self) -> Vec<Diagnostic> {
        self.log.take()
    }
}

impl Deref for Context {
    type Target = Cx;
    fn deref(&self) -> &Cx {
        &self.cx
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        if !poisoned() {
            ll!(LLVMContextDispose(self.cx.0));
        }
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

impl Cx {
    /// The integer type of `bits` bits.
    pub fn int(self, bits: u32) -> Type {
        Type(ll!(LLVMIntTypeInContext(self.0, bits)))
    }
    /// `i1`.
    pub fn i1(self) -> Type {
        self.int(1)
    }
    /// `i8`.
    pub fn i8(self) -> Type {
        self.int(8)
    }
    /// `i32`.
    pub fn i32(self) -> Type {
        self.int(32)
    }
    /// `i64`.
    pub fn i64(self) -> Type {
        self.int(64)
    }
    /// `half`.
    pub fn half(self) -> Type {
        Type(ll!(LLVMHalfTypeInContext(self.0)))
    }
    /// `float`.
    pub fn float(self) -> Type {
        Type(ll!(LLVMFloatTypeInContext(self.0)))
    }
    /// `double`.
    pub fn double(self) -> Type {
        Type(ll!(LLVMDoubleTypeInContext(self.0)))
    }
    /// `void`.
    pub fn void(self) -> Type {
        Type(ll!(LLVMVoidTypeInContext(self.0)))
    }
    /// The pointer type of an address space.
    pub fn ptr(self, space: u32) -> Type {
        Type(ll!(LLVMPointerTypeInContext(self.0, space)))
    }
    /// A literal struct.
    pub fn structure(self, parts: &[Type], packed: bool) -> Type {
        let mut raw: Vec<_> = parts.iter().map(|t| t.0).collect();
        Type(ll!(LLVMStructTypeInContext(
            self.0,
            raw.as_mut_ptr(),
            len32(raw.len()),
            packed.into()
        )))
    }
    /// A constant of such a type.
    pub fn constant_structure(self, parts: &[Value], packed: bool) -> Value {
        let mut raw: Vec<_> = parts.iter().map(|v| v.0).collect();
        Value(ll!(LLVMConstStructInContext(
            self.0,
            raw.as_mut_ptr(),
            len32(raw.len()),
            packed.into()
        )))
    }
    /// An array.
    pub fn array(self, element: Type, count: u64) -> Type {
        Type(ll!(LLVMArrayType2(element.0, count)))
    }
    /// A fixed vector.
    pub fn vector(self, element: Type, count: u32) -> Type {
        Type(ll!(LLVMVectorType(element.0, count)))
    }
    /// A vector of `vscale` times `count` elements.
    pub fn scalable_vector(self, element: Type, count: u32) -> Type {
        Type(ll!(LLVMScalableVectorType(element.0, count)))
    }
    /// A function type.
    pub fn function(self, ret: Type, params: &[Type]) -> Type {
        let mut raw: Vec<_> = params.iter().map(|t| t.0).collect();
        Type(ll!(LLVMFunctionType(ret.0, raw.as_mut_ptr(), len32(raw.len()), 0)))
    }
    /// An `i1` constant.
    pub fn bool(self, v: bool) -> Value {
        self.i1().constant(v.into())
    }
    /// An `i32` constant.
    pub fn u32(self, v: u32) -> Value {
        self.i32().constant(v.into())
    }
    /// An `i64` constant.
    pub fn u64(self, v: u64) -> Value {
        self.i64().constant(v)
    }
}

pub(crate) fn len32(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
