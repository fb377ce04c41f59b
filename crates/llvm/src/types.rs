//! Types: one thin handle for all, with the queries that passes need.
//!
//! Inkwell has a separate type for each kind, and an enumeration that panics on `target("...")`
//! types, such as OpenCL's images and events. So [`Type`] stands for any type; inkwell's contexts
//! create them.

use std::fmt;
use std::marker::PhantomData;
use std::ptr::NonNull;

use inkwell::types::{AnyType, AsTypeRef, BasicType, IntMathType};
use llvm_sys::LLVMType;
use llvm_sys::prelude::LLVMTypeRef;

use crate::ffi::{
    LLVMConstInt, LLVMConstIntToPtr, LLVMConstNull, LLVMCountParamTypes,
    LLVMCountStructElementTypes, LLVMGetElementType, LLVMGetIntTypeWidth, LLVMGetParamTypes,
    LLVMGetPointerAddressSpace, LLVMGetPoison, LLVMGetReturnType, LLVMGetTypeContext,
    LLVMGetTypeKind, LLVMGetVectorSize, LLVMIsAConstantInt, LLVMStructGetTypeAtIndex,
    LLVMTypeIsSized, MuxclTargetExtName, collect, text,
};
use crate::{Cx, Value};

/// A type of a context.
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Type<'m>(NonNull<LLVMType>, PhantomData<&'m ()>);

/// The kind of a type.
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
    /// Another floating-point type, such as `fp128`.
    OtherFloat,
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
    /// Labels, tokens, metadata.
    Other,
}

// SAFETY: the reference is that of a live type.
unsafe impl AsTypeRef for Type<'_> {
    fn as_type_ref(&self) -> LLVMTypeRef {
        self.0.as_ptr()
    }
}
// SAFETY: inkwell uses only the reference, which is a valid type of LLVM.
unsafe impl<'m> AnyType<'m> for Type<'m> {}
// SAFETY: as above; inkwell takes these from `Builder` only, which checks the types of operands.
unsafe impl<'m> BasicType<'m> for Type<'m> {}
// SAFETY: as above.
unsafe impl<'m> IntMathType<'m> for Type<'m> {
    type ValueType = Value<'m>;
    type MathConvType = inkwell::types::FloatType<'m>;
    type PtrConvType = inkwell::types::PointerType<'m>;
}

impl<'m> Type<'m> {
    /// A type made by inkwell.
    #[track_caller]
    pub(crate) fn of(raw: LLVMTypeRef) -> Self {
        match NonNull::new(raw) {
            Some(raw) => Self(raw, PhantomData),
            None => panic!("LLVM returned no type"),
        }
    }
    /// The type's context.
    pub fn cx(self) -> Cx<'m> {
        Cx::of(LLVMGetTypeContext(self))
    }
    /// The type's kind.
    pub fn kind(self) -> TypeKind {
        // SAFETY: any type has a kind; its number is read as such.
        match unsafe { LLVMGetTypeKind(self) } {
            0 => TypeKind::Void,
            1 => TypeKind::Half,
            2 => TypeKind::Float,
            3 => TypeKind::Double,
            4..=6 => TypeKind::OtherFloat,
            8 => TypeKind::Int,
            9 => TypeKind::Function,
            10 => TypeKind::Struct,
            11 => TypeKind::Array,
            12 => TypeKind::Pointer,
            13 => TypeKind::Vector,
            17 => TypeKind::ScalableVector,
            18 => TypeKind::BFloat,
            20 => TypeKind::TargetExt,
            _ => TypeKind::Other,
        }
    }
    /// True for `void`.
    pub fn is_void(self) -> bool {
        self.kind() == TypeKind::Void
    }
    /// True for a pointer.
    pub fn is_pointer(self) -> bool {
        self.kind() == TypeKind::Pointer
    }
    /// True for an integer.
    pub fn is_int(self) -> bool {
        self.kind() == TypeKind::Int
    }
    /// The types of a structure's members; none for other types.
    pub fn members(self) -> Vec<Self> {
        if self.kind() != TypeKind::Struct {
            return Vec::new();
        }
        // SAFETY: it is a structure.
        let count = unsafe { LLVMCountStructElementTypes(self) };
        // SAFETY: it is a structure, and `n` is below the number of its members.
        (0..count).map(|n| unsafe { LLVMStructGetTypeAtIndex(self, n) }).collect()
    }
    /// True for a fixed vector.
    pub fn is_vector(self) -> bool {
        self.kind() == TypeKind::Vector
    }
    /// True for a scalable vector.
    pub fn is_scalable_vector(self) -> bool {
        self.kind() == TypeKind::ScalableVector
    }
    /// True for a scalar that memory can hold (integer, float, pointer).
    pub fn is_scalar(self) -> bool {
        matches!(
            self.kind(),
            TypeKind::Half
                | TypeKind::BFloat
                | TypeKind::Float
                | TypeKind::Double
                | TypeKind::OtherFloat
                | TypeKind::Int
                | TypeKind::Pointer
        )
    }
    /// True if values of the type have a size in memory.
    pub(crate) fn is_sized(self) -> bool {
        LLVMTypeIsSized(self) != 0
    }
    /// The width of an integer, in bits.
    pub fn int_width(self) -> u32 {
        LLVMGetIntTypeWidth(self.integer())
    }
    /// The address space of a pointer.
    pub fn address_space(self) -> u32 {
        LLVMGetPointerAddressSpace(self.pointer())
    }
    /// The element type of an array or vector.
    pub fn element(self) -> Self {
        LLVMGetElementType(self.sequence())
    }
    /// The length of a fixed vector; for a scalable one, the factor of `vscale`.
    pub fn vector_len(self) -> u32 {
        LLVMGetVectorSize(self.any_vector())
    }
    /// The name of a `target("...")` type.
    pub fn target_ext_name(self) -> Option<String> {
        let (is, name) = collect(|sink| MuxclTargetExtName(self, sink));
        (is != 0).then(|| text(name))
    }
    #[track_caller]
    fn function_type(self) -> Self {
        assert!(self.kind() == TypeKind::Function, "{self} is no function type");
        self
    }
    /// The result type of a function type.
    pub fn ret(self) -> Self {
        // SAFETY: it is a function type.
        unsafe { LLVMGetReturnType(self.function_type()) }
    }
    /// The parameter types of a function type.
    pub fn params(self) -> Vec<Self> {
        let ty = self.function_type();
        // SAFETY: it is a function type.
        let count = unsafe { LLVMCountParamTypes(ty) };
        let mut out = vec![None; count as usize];
        // SAFETY: it is a function type, and `out` has room for its parameters.
        unsafe { LLVMGetParamTypes(ty, out.as_mut_ptr()) };
        out.into_iter().flatten().collect()
    }
    /// An integer constant of this type (truncated to it).
    pub fn constant(self, v: u64) -> Value<'m> {
        LLVMConstInt(self.integer(), v, 0)
    }
    /// A constant address of this pointer type.
    pub fn address(self, v: u64) -> Value<'m> {
        match LLVMIsAConstantInt(self.cx().u64(v)) {
            Some(number) => LLVMConstIntToPtr(number, self.pointer()),
            None => self.null(),
        }
    }
    #[track_caller]
    fn with_constants(self) -> Self {
        assert!(self.has_constants(), "{self} has no constants");
        self
    }
    /// The zero of this type.
    pub fn null(self) -> Value<'m> {
        // SAFETY: the type has constants.
        unsafe { LLVMConstNull(self.with_constants()) }
    }
    /// The poison of this type.
    pub fn poison(self) -> Value<'m> {
        // SAFETY: the type has constants.
        unsafe { LLVMGetPoison(self.with_constants()) }
    }
}

impl fmt::Display for Type<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.print_to_string().to_string_lossy())
    }
}

impl fmt::Debug for Type<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
