//! Kinds of values and types: handles that are proved to be an instruction, a call, an integer
//! type, ...
//!
//! LLVM's functions rely on the kinds of their arguments, so [`crate::ffi`] declares each with the
//! kinds it takes. Only this file makes kinds, each by a test of the handle. A conversion to the
//! wrong kind panics: a bug of the caller, which fails the request.

use crate::ffi;
use crate::{Block, Type, TypeKind, Value};

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident of $base:ident),* $(,)?) => {
        $($(#[$doc])*
        #[repr(transparent)]
        #[derive(Clone, Copy)]
        pub(crate) struct $name<'m>($base<'m>);

        impl<'m> From<$name<'m>> for $base<'m> {
            fn from(kind: $name<'m>) -> Self {
                kind.0
            }
        })*
    };
}

kinds! {
    /// A value with operands: an instruction or a constant.
    User of Value,
    /// A constant, globals included.
    Constant of Value,
    /// An integer constant.
    ConstantInt of Value,
    /// A function, variable or alias.
    GlobalValue of Value,
    /// A variable.
    GlobalVariable of Value,
    /// Any instruction, in a block or erased.
    Instruction of Value,
    /// An instruction in a block.
    PlacedInst of Value,
    /// A `call`.
    CallInst of Value,
    /// A `phi`.
    PhiNode of Value,
    /// An `icmp`.
    ICmpInst of Value,
    /// A `shufflevector`.
    ShuffleInst of Value,
    /// An `alloca`.
    AllocaInst of Value,
    /// A load, store, `atomicrmw` or `cmpxchg`.
    Access of Value,
    /// A terminator.
    TerminatorInst of Value,
    /// A `br`.
    Branch of Value,
    /// An integer type.
    IntegerType of Type,
    /// A pointer type.
    PointerType of Type,
    /// A vector type, fixed or scalable.
    VectorType of Type,
    /// A vector or array type.
    SequenceType of Type,
}

#[track_caller]
fn expect<T>(found: Option<T>, value: Value<'_>, kind: &str) -> T {
    match found {
        Some(found) => found,
        None => panic!("{value} is no {kind}"),
    }
}

impl<'m> Value<'m> {
    #[track_caller]
    pub(crate) fn instruction(self) -> Instruction<'m> {
        expect(ffi::LLVMIsAInstruction(self), self, "instruction")
    }
    /// The instruction and its block.
    #[track_caller]
    pub(crate) fn placed(self) -> (PlacedInst<'m>, Block<'m>) {
        let block = ffi::LLVMGetInstructionParent(self.instruction());
        (PlacedInst(self), expect(block, self, "instruction in a block"))
    }
    #[track_caller]
    pub(crate) fn call_inst(self) -> CallInst<'m> {
        expect(ffi::LLVMIsACallInst(self), self, "call")
    }
    #[track_caller]
    pub(crate) fn phi(self) -> PhiNode<'m> {
        expect(ffi::LLVMIsAPHINode(self), self, "PHI")
    }
    #[track_caller]
    pub(crate) fn terminator_inst(self) -> TerminatorInst<'m> {
        expect(ffi::LLVMIsATerminatorInst(self), self, "terminator")
    }
    #[track_caller]
    pub(crate) fn alloca_inst(self) -> AllocaInst<'m> {
        expect(ffi::LLVMIsAAllocaInst(self), self, "alloca")
    }
    #[track_caller]
    pub(crate) fn constant(self) -> Constant<'m> {
        expect(ffi::LLVMIsAConstant(self), self, "constant")
    }
    #[track_caller]
    pub(crate) fn global(self) -> GlobalValue<'m> {
        expect(ffi::LLVMIsAGlobalValue(self), self, "global")
    }
    #[track_caller]
    pub(crate) fn variable(self) -> GlobalVariable<'m> {
        expect(ffi::LLVMIsAGlobalVariable(self), self, "variable")
    }
    #[track_caller]
    pub(crate) fn access(self) -> Access<'m> {
        let found = ffi::LLVMIsALoadInst(self)
            .or_else(|| ffi::LLVMIsAStoreInst(self))
            .or_else(|| ffi::LLVMIsAAtomicRMWInst(self))
            .or_else(|| ffi::LLVMIsAAtomicCmpXchgInst(self));
        expect(found, self, "memory access")
    }
    /// True for values with an alignment: an `alloca`, a memory access or a global.
    pub(crate) fn has_alignment(self) -> bool {
        ffi::LLVMIsAAllocaInst(self).is_some()
            || ffi::LLVMIsAGlobalValue(self).is_some()
            || ffi::LLVMIsALoadInst(self).is_some()
            || ffi::LLVMIsAStoreInst(self).is_some()
            || ffi::LLVMIsAAtomicRMWInst(self).is_some()
            || ffi::LLVMIsAAtomicCmpXchgInst(self).is_some()
    }
}

impl<'m> Type<'m> {
    #[track_caller]
    fn of_kind(self, is: bool, kind: &str) -> Self {
        assert!(is, "{self} is no {kind}");
        self
    }
    #[track_caller]
    pub(crate) fn integer(self) -> IntegerType<'m> {
        IntegerType(self.of_kind(self.kind() == TypeKind::Int, "integer type"))
    }
    #[track_caller]
    pub(crate) fn pointer(self) -> PointerType<'m> {
        PointerType(self.of_kind(self.kind() == TypeKind::Pointer, "pointer type"))
    }
    #[track_caller]
    pub(crate) fn any_vector(self) -> VectorType<'m> {
        let is = matches!(self.kind(), TypeKind::Vector | TypeKind::ScalableVector);
        VectorType(self.of_kind(is, "vector type"))
    }
    #[track_caller]
    pub(crate) fn sequence(self) -> SequenceType<'m> {
        let is =
            matches!(self.kind(), TypeKind::Vector | TypeKind::ScalableVector | TypeKind::Array);
        SequenceType(self.of_kind(is, "vector or array type"))
    }
    /// True for types that values can have: not `void`, functions, labels, tokens or metadata.
    pub(crate) fn has_constants(self) -> bool {
        !matches!(self.kind(), TypeKind::Void | TypeKind::Function | TypeKind::Other)
    }
}
