//! Types: a `Copy` handle with the questions the passes ask.

use std::fmt;

use llvm_sys::core::{
    LLVMConstInt, LLVMConstIntToPtr, LLVMConstNull, LLVMCountParamTypes,
    LLVMCountStructElementTypes, LLVMGetArrayLength2, LLVMGetElementType, LLVMGetIntTypeWidth,
    LLVMGetParamTypes, LLVMGetPointerAddressSpace, LLVMGetPoison, LLVMGetReturnType,
    LLVMGetTypeContext, LLVMGetUndef, LLVMGetVectorSize, LLVMIsPackedStruct,
    LLVMStructGetTypeAtIndex,
};
use llvm_sys::prelude::LLVMTypeRef;

use crate::ffi::{
    MuxclIsTargetExt, MuxclPrintType, MuxclTargetExtName, MuxclTypeKind, collect, text,
};
use crate::{Cx, Value};

/// A type of a context.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Type(pub(crate) LLVMTypeRef);

/// What a type is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TypeKind {
    /// No value.
    Void,
    /// `half`.
    Half,
    /// `bfloat`.
    BFloat,
    /// `float`.
    Float,
    /// `double`.
    Double,
    /// Any integer.
    Int,
    /// A function.
    Function,
    /// A struct.
    Struct,
    /// An array.
    Array,
    /// A pointer.
    Pointer,
    /// A fixed vector.
    Vector,
    /// A vector whose length is a multiple of `vscale`.
    ScalableVector,
    /// A `target("...")` type.
    TargetExt,
    /// Labels, tokens, metadata, other floats.
    Other,
}

impl Type {
    /// The context.
    pub fn cx(self) -> Cx {
        Cx(ll!(LLVMGetTypeContext(self.0)))
    }
    /// What it is.
    pub fn kind(self) -> TypeKind {
        if ll!(MuxclIsTargetExt(self.0)) != 0 {
            return TypeKind::TargetExt;
        }
        match ll!(MuxclTypeKind(self.0)) {
            0 => TypeKind::Void,
            1 => TypeKind::Half,
            2 => TypeKind::Float,
            3 => TypeKind::Double,
            8 => TypeKind::Int,
            9 => TypeKind::Function,
            10 => TypeKind::Struct,
            11 => TypeKind::Array,
            12 => TypeKind::Pointer,
            13 => TypeKind::Vector,
            17 => TypeKind::ScalableVector,
            18 => TypeKind::BFloat,
            _ => TypeKind::Other,
        }
    }
    /// Is it `void`?
    pub fn is_void(self) -> bool {
        self.kind() == TypeKind::Void
    }
    /// Is it a pointer?
    pub fn is_pointer(self) -> bool {
        self.kind() == TypeKind::Pointer
    }
    /// Is it an integer?
    pub fn is_int(self) -> bool {
        self.kind() == TypeKind::Int
    }
    /// Is it a fixed vector?
    pub fn is_vector(self) -> bool {
        self.kind() == TypeKind::Vector
    }
    /// Is it a scalable vector?
    pub fn is_scalable_vector(self) -> bool {
        self.kind() == TypeKind::ScalableVector
    }
    /// Is it a scalar that memory can hold (integer, float, pointer)?
    pub fn is_scalar(self) -> bool {
        matches!(
            self.kind(),
            TypeKind::Half
                | TypeKind::BFloat
                | TypeKind::Float
                | TypeKind::Double
                | TypeKind::Int
                | TypeKind::Pointer
        )
    }
    /// The width of an integer.
    pub fn int_width(self) -> u32 {
        ll!(LLVMGetIntTypeWidth(self.0))
    }
    /// The address space of a pointer.
    pub fn address_space(self) -> u32 {
        ll!(LLVMGetPointerAddressSpace(self.0))
    }
    /// The element of an array or vector.
    pub fn element(self) -> Self {
        Self(ll!(LLVMGetElementType(self.0)))
    }
    /// The length of an array.
    pub fn array_len(self) -> u64 {
        ll!(LLVMGetArrayLength2(self.0))
    }
    /// The length of a fixed vector; of a scalable one, the number `vscale` is multiplied by.
    pub fn vector_len(self) -> u32 {
        ll!(LLVMGetVectorSize(self.0))
    }
    /// The name of a `target("...")` type.
    pub fn target_ext_name(self) -> Option<String> {
        let mut len = 0usize;
        let p = ll!(MuxclTargetExtName(self.0, &raw mut len));
        if p.is_null() {
            return None;
        }
        // SAFETY: LLVM returns `len` bytes owned by the context.
        let bytes = unsafe { std::slice::from_raw_parts(p.cast::<u8>(), len) };
        Some(String::from_utf8_lossy(bytes).into_owned())
    }
    /// The parts of a struct.
    pub fn fields(self) -> Vec<Self> {
        (0..ll!(LLVMCountStructElementTypes(self.0)))
            .map(|i| Self(ll!(LLVMStructGetTypeAtIndex(self.0, i))))
            .collect()
    }
    /// Is the struct packed?
    pub fn is_packed(self) -> bool {
        ll!(LLVMIsPackedStruct(self.0)) != 0
    }
    /// The result of a function type.
    pub fn ret(self) -> Self {
        Self(ll!(LLVMGetReturnType(self.0)))
    }
    /// The parameters of a function type.
    pub fn params(self) -> Vec<Self> {
        let n = ll!(LLVMCountParamTypes(self.0));
        let mut out = vec![std::ptr::null_mut(); n as usize];
        ll!(LLVMGetParamTypes(self.0, out.as_mut_ptr()));
        out.into_iter().map(Self).collect()
    }
    /// An integer constant of this type (truncated to it).
    pub fn constant(self, v: u64) -> Value {
        Value(ll!(LLVMConstInt(self.0, v, 0)))
    }
    /// A constant of this pointer type: address `v`.
    pub fn address(self, v: u64) -> Value {
        let number = self.cx().u64(v);
        Value(ll!(LLVMConstIntToPtr(number.0, self.0)))
    }
    /// The zero of this type.
    pub fn null(self) -> Value {
        Value(ll!(LLVMConstNull(self.0)))
    }
    /// The poison of this type.
    pub fn poison(self) -> Value {
        Value(ll!(LLVMGetPoison(self.0)))
    }
    /// The undef of this type.
    pub fn undef(self) -> Value {
        Value(ll!(LLVMGetUndef(self.0)))
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ((), bytes) = collect(|sink, ctx| ll!(MuxclPrintType(self.0, sink, ctx)));
        f.write_str(&text(bytes))
    }
}

impl fmt::Debug for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
