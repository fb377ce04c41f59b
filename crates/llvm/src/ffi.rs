//! Declares the shim's (`cpp/`) and LLVM's C functions, with the types that they take.
//!
//! A function is `safe` here if it accepts every argument of its declared types: handles are live
//! for their lifetime ([`Value`]), and where LLVM requires a kind of value, the parameter is that
//! kind ([`crate::kinds`]). Functions that take raw pointers, indices or values of equal types are
//! not `safe`; each caller states why its call is sound.
//!
//! Invariant: the signatures match `llvm-c/*.h` and `cpp/*.cpp`; pointers that may be null are
//! `Option`s. Not here: contexts, modules, builders and attributes, which inkwell declares.

use std::ffi::{c_char, c_int, c_uint, c_ulonglong, c_void};
use std::marker::PhantomData;
use std::ptr::NonNull;

use llvm_sys::prelude::{LLVMBuilderRef, LLVMContextRef, LLVMModuleRef};
use llvm_sys::target_machine::LLVMTargetMachineRef;
use llvm_sys::{
    LLVMAtomicOrdering, LLVMAtomicRMWBinOp, LLVMIntPredicate, LLVMUnnamedAddr, LLVMUse,
    LLVMVisibility,
};

use crate::kinds::{
    Access, AllocaInst, Branch, CallInst, Constant, ConstantInt, GlobalValue, GlobalVariable,
    ICmpInst, Instruction, IntegerType, PhiNode, PlacedInst, PointerType, SequenceType,
    ShuffleInst, TerminatorInst, User, VectorType,
};
use crate::metadata::Metadata;
use crate::{Block, Function, Type, Value};

/// An entry of a value's list of uses.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub(crate) struct Use<'m>(NonNull<LLVMUse>, PhantomData<&'m ()>);

/// A text for the shim.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Text<'a> {
    data: *const c_char,
    len: usize,
    life: PhantomData<&'a [u8]>,
}

impl<'a> Text<'a> {
    pub(crate) fn of(text: &'a str) -> Self {
        Self::bytes(text.as_bytes())
    }
    pub(crate) fn bytes(bytes: &'a [u8]) -> Self {
        Self { data: bytes.as_ptr().cast(), len: bytes.len(), life: PhantomData }
    }
}

/// A sink for text that the shim writes.
#[repr(C)]
pub(crate) struct Sink<'a> {
    write: unsafe extern "C" fn(*mut c_void, *const c_char, usize),
    ctx: *mut c_void,
    life: PhantomData<&'a mut Vec<u8>>,
}

impl<'a> Sink<'a> {
    pub(crate) fn to(out: &'a mut Vec<u8>) -> Self {
        let out: *mut Vec<u8> = out;
        Self { write: append, ctx: out.cast(), life: PhantomData }
    }
}

unsafe extern "C" fn append(ctx: *mut c_void, data: *const c_char, len: usize) {
    // SAFETY: `ctx` is the vector of a `Sink`, which the call borrows for itself.
    let out = unsafe { &mut *ctx.cast::<Vec<u8>>() };
    if len > 0 {
        // SAFETY: the shim passes `len` readable bytes.
        out.extend_from_slice(unsafe { std::slice::from_raw_parts(data.cast::<u8>(), len) });
    }
}

/// Runs `f` with a sink, returning its result and the collected text.
pub(crate) fn collect<R>(f: impl FnOnce(Sink<'_>) -> R) -> (R, Vec<u8>) {
    let mut out = Vec::new();
    let r = f(Sink::to(&mut out));
    (r, out)
}

pub(crate) fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned())
}

/// Receives each value that the shim erases.
#[repr(C)]
pub(crate) struct Erased<'a> {
    pub(crate) add: unsafe extern "C" fn(*mut c_void, NonNull<llvm_sys::LLVMValue>),
    pub(crate) ctx: *mut c_void,
    pub(crate) life: PhantomData<&'a mut ()>,
}

#[repr(C)]
pub(crate) struct TargetOptions<'a> {
    pub(crate) triple: Text<'a>,
    pub(crate) cpu: Text<'a>,
    pub(crate) features: Text<'a>,
    pub(crate) abi: Text<'a>,
    pub(crate) opt_level: u32,
    pub(crate) fast_fusion: u32,
    pub(crate) pic: u32,
    pub(crate) medium: u32,
}

/// How long a processor works on an instruction; 0: not known.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Timing {
    pub(crate) latency: u32,
    pub(crate) operations: u32,
}

/// An input file of lld.
#[repr(C)]
pub(crate) struct LinkInput<'a> {
    pub(crate) name: Text<'a>,
    pub(crate) data: Text<'a>,
}

/// The passes of one emission, and their output (`cpp/target.cpp`).
#[repr(C)]
pub(crate) struct Emission {
    opaque: [u8; 0],
}

/// LLVM's value map (`cpp/transform.cpp`).
#[repr(C)]
pub(crate) struct RawMap {
    opaque: [u8; 0],
}

/// A data layout; a module owns it.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub(crate) struct DataLayout<'m>(
    NonNull<llvm_sys::target::LLVMOpaqueTargetData>,
    PhantomData<&'m ()>,
);

pub(crate) type DiagnosticFn = unsafe extern "C" fn(*mut c_void, c_int, *const c_char, usize);

// SAFETY: llvm-c/Core.h. Each function takes any value. The tests return their argument as a handle
// of its kind, or null if it is of another kind.
unsafe extern "C" {
    pub(crate) safe fn LLVMTypeOf(v: Value<'_>) -> Type<'_>;
    pub(crate) safe fn LLVMGetFirstUse(v: Value<'_>) -> Option<Use<'_>>;
    pub(crate) safe fn LLVMGetNextUse(u: Use<'_>) -> Option<Use<'_>>;
    pub(crate) safe fn LLVMGetUser(u: Use<'_>) -> Value<'_>;
    pub(crate) safe fn LLVMIsAUser(v: Value<'_>) -> Option<User<'_>>;
    pub(crate) safe fn LLVMIsAInstruction(v: Value<'_>) -> Option<Instruction<'_>>;
    pub(crate) safe fn LLVMIsAArgument(v: Value<'_>) -> Option<Value<'_>>;
    pub(crate) safe fn LLVMIsAConstant(v: Value<'_>) -> Option<Constant<'_>>;
    pub(crate) safe fn LLVMIsAConstantExpr(v: Value<'_>) -> Option<Constant<'_>>;
    pub(crate) safe fn LLVMIsAConstantInt(v: Value<'_>) -> Option<ConstantInt<'_>>;
    pub(crate) safe fn LLVMIsAUndefValue(v: Value<'_>) -> Option<Constant<'_>>;
    pub(crate) safe fn LLVMIsAGlobalValue(v: Value<'_>) -> Option<GlobalValue<'_>>;
    pub(crate) safe fn LLVMIsAGlobalVariable(v: Value<'_>) -> Option<GlobalVariable<'_>>;
    pub(crate) safe fn LLVMIsAFunction(v: Value<'_>) -> Option<Function<'_>>;
    pub(crate) safe fn LLVMIsATerminatorInst(v: Value<'_>) -> Option<TerminatorInst<'_>>;
    pub(crate) safe fn LLVMIsABranchInst(v: Value<'_>) -> Option<Branch<'_>>;
    pub(crate) safe fn LLVMIsACallInst(v: Value<'_>) -> Option<CallInst<'_>>;
    pub(crate) safe fn LLVMIsAPHINode(v: Value<'_>) -> Option<PhiNode<'_>>;
    pub(crate) safe fn LLVMIsAICmpInst(v: Value<'_>) -> Option<ICmpInst<'_>>;
    pub(crate) safe fn LLVMIsAShuffleVectorInst(v: Value<'_>) -> Option<ShuffleInst<'_>>;
    pub(crate) safe fn LLVMIsAAllocaInst(v: Value<'_>) -> Option<AllocaInst<'_>>;
    pub(crate) safe fn LLVMIsALoadInst(v: Value<'_>) -> Option<Access<'_>>;
    pub(crate) safe fn LLVMIsAStoreInst(v: Value<'_>) -> Option<Access<'_>>;
    pub(crate) safe fn LLVMIsAAtomicRMWInst(v: Value<'_>) -> Option<Access<'_>>;
    pub(crate) safe fn LLVMIsAAtomicCmpXchgInst(v: Value<'_>) -> Option<Access<'_>>;
    pub(crate) safe fn LLVMIsNull(v: Value<'_>) -> c_int;
    pub(crate) fn LLVMGetValueName2(v: Value<'_>, len: *mut usize) -> *const c_char;
    pub(crate) fn LLVMSetValueName2(v: Value<'_>, name: *const c_char, len: usize);
    /// The types must be equal, and `old` must not be a constant that other constants use.
    pub(crate) fn LLVMReplaceAllUsesWith(old: Value<'_>, new: Value<'_>);
}

// SAFETY: llvm-c/Core.h. Each function takes the kind of value it is declared with.
unsafe extern "C" {
    pub(crate) safe fn LLVMConstIntGetZExtValue(v: ConstantInt<'_>) -> c_ulonglong;
    pub(crate) safe fn LLVMConstIntGetSExtValue(v: ConstantInt<'_>) -> i64;
    pub(crate) safe fn LLVMGetNumOperands(v: User<'_>) -> c_int;
    /// `i` is below the number of elements.
    pub(crate) fn LLVMGetAggregateElement(c: Constant<'_>, i: c_uint) -> Option<Value<'_>>;
    /// `i` is below the number of operands.
    pub(crate) fn LLVMGetOperand(v: User<'_>, i: c_uint) -> Option<Value<'_>>;
    /// `i` is below the number of operands.
    pub(crate) fn LLVMSetOperand(v: User<'_>, i: c_uint, to: Value<'_>);

    pub(crate) safe fn LLVMGetInstructionParent(i: Instruction<'_>) -> Option<Block<'_>>;
    pub(crate) safe fn LLVMGetNextInstruction(i: PlacedInst<'_>) -> Option<Value<'_>>;
    pub(crate) safe fn LLVMGetPreviousInstruction(i: PlacedInst<'_>) -> Option<Value<'_>>;
    pub(crate) safe fn LLVMInstructionClone(i: PlacedInst<'_>) -> Value<'_>;
    pub(crate) safe fn LLVMIsAtomic(i: Instruction<'_>) -> c_int;

    pub(crate) safe fn LLVMGetCalledValue(c: CallInst<'_>) -> Option<Value<'_>>;
    pub(crate) safe fn LLVMGetCalledFunctionType(c: CallInst<'_>) -> Type<'_>;
    pub(crate) safe fn LLVMGetNumArgOperands(c: CallInst<'_>) -> c_uint;
    /// `i` is below the number of arguments.
    pub(crate) fn LLVMGetArgOperand(c: CallInst<'_>, i: c_uint) -> Option<Value<'_>>;
    pub(crate) safe fn LLVMSetInstructionCallConv(c: CallInst<'_>, cc: c_uint);

    pub(crate) safe fn LLVMCountIncoming(p: PhiNode<'_>) -> c_uint;
    /// `i` is below the number of entries.
    pub(crate) fn LLVMGetIncomingValue(p: PhiNode<'_>, i: c_uint) -> Option<Value<'_>>;
    /// `i` is below the number of entries.
    pub(crate) fn LLVMGetIncomingBlock(p: PhiNode<'_>, i: c_uint) -> Block<'_>;
    /// Both arrays have `count` elements; the types are the PHI's.
    pub(crate) fn LLVMAddIncoming(
        p: PhiNode<'_>,
        values: *mut Value<'_>,
        blocks: *mut Block<'_>,
        count: c_uint,
    );

    pub(crate) safe fn LLVMGetNumSuccessors(t: TerminatorInst<'_>) -> c_uint;
    /// `i` is below the number of successors.
    pub(crate) fn LLVMGetSuccessor(t: TerminatorInst<'_>, i: c_uint) -> Option<Block<'_>>;
    /// `i` is below the number of successors.
    pub(crate) fn LLVMSetSuccessor(t: TerminatorInst<'_>, i: c_uint, to: Block<'_>);
    pub(crate) safe fn LLVMIsConditional(b: Branch<'_>) -> c_int;

    pub(crate) safe fn LLVMGetNumMaskElements(s: ShuffleInst<'_>) -> c_uint;
    /// `i` is below the number of elements.
    pub(crate) fn LLVMGetMaskValue(s: ShuffleInst<'_>, i: c_uint) -> c_int;
    pub(crate) safe fn LLVMGetICmpPredicate(i: ICmpInst<'_>) -> LLVMIntPredicate;
    pub(crate) safe fn LLVMGetAllocatedType(a: AllocaInst<'_>) -> Type<'_>;
    pub(crate) safe fn LLVMGetVolatile(a: Access<'_>) -> c_int;
    /// `i` is a load, store, fence or `atomicrmw`.
    pub(crate) fn LLVMGetOrdering(i: Value<'_>) -> LLVMAtomicOrdering;
    /// `i` is a `cmpxchg`.
    pub(crate) fn LLVMGetCmpXchgSuccessOrdering(i: Value<'_>) -> LLVMAtomicOrdering;
    /// `i` is a `cmpxchg`.
    pub(crate) fn LLVMGetCmpXchgFailureOrdering(i: Value<'_>) -> LLVMAtomicOrdering;
    /// `i` is an `atomicrmw`.
    pub(crate) fn LLVMGetAtomicRMWBinOp(i: Value<'_>) -> LLVMAtomicRMWBinOp;
    pub(crate) safe fn LLVMSetVolatile(a: Access<'_>, volatile: c_int);
    /// `v` is an `alloca`, an access or a global.
    pub(crate) fn LLVMGetAlignment(v: Value<'_>) -> c_uint;
    /// `v` is an `alloca`, an access or a global; `bytes` is a power of two.
    pub(crate) fn LLVMSetAlignment(v: Value<'_>, bytes: c_uint);
    /// `i` is an addition of integers.
    pub(crate) fn LLVMSetNSW(i: Value<'_>, nsw: c_int);
    /// `i` is an `add`, `sub`, `mul` or `shl`.
    pub(crate) fn LLVMGetNSW(i: Value<'_>) -> c_int;
    /// `i` is an `add`, `sub`, `mul` or `shl`.
    pub(crate) fn LLVMGetNUW(i: Value<'_>) -> c_int;
    /// `i` is an `or`.
    pub(crate) fn LLVMGetIsDisjoint(i: Value<'_>) -> c_int;
    /// `i` is a `getelementptr`.
    pub(crate) fn LLVMGetNumIndices(i: Value<'_>) -> c_uint;
    pub(crate) fn LLVMGetIndices(i: Value<'_>) -> *const c_uint;
    pub(crate) fn LLVMGetGEPSourceElementType(i: Value<'_>) -> Type<'_>;

    pub(crate) safe fn LLVMGetGlobalParent(
        g: GlobalValue<'_>,
    ) -> Option<NonNull<llvm_sys::LLVMModule>>;
    pub(crate) safe fn LLVMIsDeclaration(g: GlobalValue<'_>) -> c_int;
    pub(crate) safe fn LLVMGlobalGetValueType(g: GlobalValue<'_>) -> Type<'_>;
    pub(crate) safe fn LLVMGetLinkage(g: GlobalValue<'_>) -> LinkageNumber;
    pub(crate) safe fn LLVMSetLinkage(g: GlobalValue<'_>, linkage: LinkageNumber);
    pub(crate) safe fn LLVMSetVisibility(g: GlobalValue<'_>, visibility: LLVMVisibility);
    pub(crate) safe fn LLVMSetUnnamedAddress(g: GlobalValue<'_>, unnamed: LLVMUnnamedAddr);
    /// `v` is a function or a variable.
    pub(crate) fn LLVMSetSection(v: Value<'_>, name: *const c_char);
    pub(crate) safe fn LLVMGetInitializer(g: GlobalVariable<'_>) -> Option<Value<'_>>;
    /// The type is the variable's.
    pub(crate) fn LLVMSetInitializer(g: GlobalVariable<'_>, v: Option<Constant<'_>>);
    pub(crate) safe fn LLVMIsGlobalConstant(g: GlobalVariable<'_>) -> c_int;
    pub(crate) safe fn LLVMSetGlobalConstant(g: GlobalVariable<'_>, constant: c_int);
}

/// A linkage by LLVM's number. It is a plain integer, because new versions of LLVM may add
/// linkages.
pub(crate) type LinkageNumber = c_uint;

// SAFETY: llvm-c/Core.h. The arguments are functions, blocks and types of the declared kind.
unsafe extern "C" {
    pub(crate) safe fn LLVMCountParams(f: Function<'_>) -> c_uint;
    /// `i` is below the number of parameters.
    pub(crate) fn LLVMGetParam(f: Function<'_>, i: c_uint) -> Value<'_>;
    pub(crate) safe fn LLVMGetFunctionCallConv(f: Function<'_>) -> c_uint;
    pub(crate) safe fn LLVMSetFunctionCallConv(f: Function<'_>, cc: c_uint);
    pub(crate) safe fn LLVMGetFirstBasicBlock(f: Function<'_>) -> Option<Block<'_>>;
    pub(crate) safe fn LLVMGetNextFunction(f: Function<'_>) -> Option<Function<'_>>;
    pub(crate) safe fn LLVMGetNextGlobal(g: GlobalVariable<'_>) -> Option<GlobalVariable<'_>>;
    pub(crate) safe fn LLVMGetSubprogram(f: Function<'_>) -> Option<Metadata<'_>>;
    /// The value is an instruction, a global variable or a function.
    pub(crate) fn LLVMGetDebugLocLine(v: Value<'_>) -> c_uint;
    /// As above; `length` is writable.
    pub(crate) fn LLVMGetDebugLocFilename(v: Value<'_>, length: *mut c_uint) -> *const c_char;

    pub(crate) safe fn LLVMBasicBlockAsValue(b: Block<'_>) -> Value<'_>;
    pub(crate) safe fn LLVMGetBasicBlockParent(b: Block<'_>) -> Option<Function<'_>>;
    /// The block is in a function.
    pub(crate) fn LLVMGetNextBasicBlock(b: Block<'_>) -> Option<Block<'_>>;
    pub(crate) safe fn LLVMGetFirstInstruction(b: Block<'_>) -> Option<Value<'_>>;
    pub(crate) safe fn LLVMGetLastInstruction(b: Block<'_>) -> Option<Value<'_>>;
    pub(crate) safe fn LLVMGetBasicBlockTerminator(b: Block<'_>) -> Option<Value<'_>>;
    /// Both are in functions.
    pub(crate) fn LLVMMoveBasicBlockBefore(b: Block<'_>, other: Block<'_>);

    pub(crate) safe fn LLVMGetTypeContext(t: Type<'_>) -> NonNull<llvm_sys::LLVMContext>;
    pub(crate) safe fn LLVMTypeIsSized(t: Type<'_>) -> c_int;
    pub(crate) safe fn LLVMGetIntTypeWidth(t: IntegerType<'_>) -> c_uint;
    pub(crate) safe fn LLVMGetPointerAddressSpace(t: PointerType<'_>) -> c_uint;
    pub(crate) fn LLVMCountStructElementTypes(t: Type<'_>) -> c_uint;
    pub(crate) fn LLVMStructGetTypeAtIndex(t: Type<'_>, i: c_uint) -> Type<'_>;
    pub(crate) safe fn LLVMGetElementType(t: SequenceType<'_>) -> Type<'_>;
    pub(crate) safe fn LLVMGetVectorSize(t: VectorType<'_>) -> c_uint;
    pub(crate) safe fn LLVMConstInt(t: IntegerType<'_>, v: c_ulonglong, sign: c_int) -> Value<'_>;
    pub(crate) safe fn LLVMConstIntToPtr<'m>(v: ConstantInt<'m>, t: PointerType<'m>) -> Value<'m>;
    /// The type has values.
    pub(crate) fn LLVMConstNull(t: Type<'_>) -> Value<'_>;
    /// The type has values.
    pub(crate) fn LLVMGetPoison(t: Type<'_>) -> Value<'_>;
}

// SAFETY: llvm-c/Core.h, Target.h. The caller answers for pointers, lengths, types and kinds.
unsafe extern "C" {
    pub(crate) fn LLVMGetTypeKind(t: Type<'_>) -> c_uint;
    pub(crate) fn LLVMIntTypeInContext<'m>(c: LLVMContextRef, bits: c_uint) -> Type<'m>;
    pub(crate) fn LLVMStructTypeInContext<'m>(
        c: LLVMContextRef,
        parts: *const Type<'m>,
        count: c_uint,
        packed: c_int,
    ) -> Type<'m>;
    pub(crate) fn LLVMConstStructInContext<'m>(
        c: LLVMContextRef,
        parts: *const Value<'m>,
        count: c_uint,
        packed: c_int,
    ) -> Value<'m>;
    pub(crate) fn LLVMConstStringInContext2<'m>(
        c: LLVMContextRef,
        text: *const c_char,
        len: usize,
        no_nul: c_int,
    ) -> Value<'m>;
    pub(crate) fn LLVMArrayType2(element: Type<'_>, count: u64) -> Type<'_>;
    pub(crate) fn LLVMVectorType(element: Type<'_>, count: c_uint) -> Type<'_>;
    pub(crate) fn LLVMScalableVectorType(element: Type<'_>, count: c_uint) -> Type<'_>;
    pub(crate) fn LLVMFunctionType<'m>(
        ret: Type<'m>,
        params: *const Type<'m>,
        count: c_uint,
        variadic: c_int,
    ) -> Type<'m>;
    /// `t` is a function type.
    pub(crate) fn LLVMGetReturnType(t: Type<'_>) -> Type<'_>;
    /// `t` is a function type.
    pub(crate) fn LLVMCountParamTypes(t: Type<'_>) -> c_uint;
    /// `t` is a function type; `out` has room for its parameters.
    pub(crate) fn LLVMGetParamTypes<'m>(t: Type<'m>, out: *mut Option<Type<'m>>);
    pub(crate) fn LLVMAddFunction<'m>(
        m: LLVMModuleRef,
        name: *const c_char,
        ty: Type<'m>,
    ) -> Function<'m>;
    pub(crate) fn LLVMAddGlobalInAddressSpace<'m>(
        m: LLVMModuleRef,
        ty: Type<'m>,
        name: *const c_char,
        space: c_uint,
    ) -> Value<'m>;
    pub(crate) fn LLVMGetNamedFunction<'m>(
        m: LLVMModuleRef,
        name: *const c_char,
    ) -> Option<Function<'m>>;
    pub(crate) fn LLVMGetNamedGlobal<'m>(
        m: LLVMModuleRef,
        name: *const c_char,
    ) -> Option<Value<'m>>;
    pub(crate) fn LLVMStripModuleDebugInfo(m: LLVMModuleRef) -> c_int;
    pub(crate) fn LLVMGetFirstFunction<'m>(m: LLVMModuleRef) -> Option<Function<'m>>;
    pub(crate) fn LLVMGetFirstGlobal<'m>(m: LLVMModuleRef) -> Option<GlobalVariable<'m>>;
    pub(crate) fn LLVMGetModuleDataLayout<'m>(m: LLVMModuleRef) -> DataLayout<'m>;
    /// The type is sized and fixed.
    pub(crate) fn LLVMABISizeOfType(d: DataLayout<'_>, t: Type<'_>) -> c_ulonglong;
    /// The type is sized.
    pub(crate) fn LLVMABIAlignmentOfType(d: DataLayout<'_>, t: Type<'_>) -> c_uint;
    pub(crate) fn LLVMAppendBasicBlockInContext<'m>(
        c: LLVMContextRef,
        f: Function<'m>,
        name: *const c_char,
    ) -> Block<'m>;
}

// SAFETY: llvm-c/Core.h. Builders: the position is in a function of a module, and the operands have
// the types of the instruction.
unsafe extern "C" {
    pub(crate) fn LLVMPositionBuilderBefore(b: LLVMBuilderRef, i: PlacedInst<'_>);
    pub(crate) fn LLVMPositionBuilderAtEnd(b: LLVMBuilderRef, block: Block<'_>);
    pub(crate) fn LLVMInsertIntoBuilder(b: LLVMBuilderRef, i: Value<'_>);
    pub(crate) fn LLVMBuildCast<'m>(
        b: LLVMBuilderRef,
        op: llvm_sys::LLVMOpcode,
        v: Value<'m>,
        to: Type<'m>,
        name: *const c_char,
    ) -> Value<'m>;
    pub(crate) fn LLVMBuildAlloca<'m>(
        b: LLVMBuilderRef,
        ty: Type<'m>,
        name: *const c_char,
    ) -> Value<'m>;
    pub(crate) fn LLVMBuildArrayAlloca<'m>(
        b: LLVMBuilderRef,
        ty: Type<'m>,
        count: Value<'m>,
        name: *const c_char,
    ) -> Value<'m>;
    pub(crate) fn LLVMBuildLoad2<'m>(
        b: LLVMBuilderRef,
        ty: Type<'m>,
        p: Value<'m>,
        name: *const c_char,
    ) -> Value<'m>;
    pub(crate) fn LLVMBuildStore<'m>(b: LLVMBuilderRef, v: Value<'m>, p: Value<'m>) -> Value<'m>;
    pub(crate) fn LLVMBuildMemCpy<'m>(
        b: LLVMBuilderRef,
        dst: Value<'m>,
        dst_align: c_uint,
        src: Value<'m>,
        src_align: c_uint,
        size: Value<'m>,
    ) -> Value<'m>;
    pub(crate) fn LLVMBuildMemSet<'m>(
        b: LLVMBuilderRef,
        dst: Value<'m>,
        byte: Value<'m>,
        size: Value<'m>,
        align: c_uint,
    ) -> Value<'m>;
    pub(crate) fn LLVMBuildInBoundsGEP2<'m>(
        b: LLVMBuilderRef,
        ty: Type<'m>,
        p: Value<'m>,
        indices: *const Value<'m>,
        count: c_uint,
        name: *const c_char,
    ) -> Value<'m>;
    pub(crate) fn LLVMBuildPhi<'m>(
        b: LLVMBuilderRef,
        ty: Type<'m>,
        name: *const c_char,
    ) -> Value<'m>;
    pub(crate) fn LLVMBuildCall2<'m>(
        b: LLVMBuilderRef,
        ty: Type<'m>,
        f: Value<'m>,
        args: *const Value<'m>,
        count: c_uint,
        name: *const c_char,
    ) -> Value<'m>;
    pub(crate) fn LLVMBuildSelect<'m>(
        b: LLVMBuilderRef,
        c: Value<'m>,
        a: Value<'m>,
        other: Value<'m>,
        name: *const c_char,
    ) -> Value<'m>;
    pub(crate) fn LLVMBuildICmp<'m>(
        b: LLVMBuilderRef,
        p: LLVMIntPredicate,
        a: Value<'m>,
        other: Value<'m>,
        name: *const c_char,
    ) -> Value<'m>;
    pub(crate) fn LLVMBuildFCmp<'m>(
        b: LLVMBuilderRef,
        p: llvm_sys::LLVMRealPredicate,
        a: Value<'m>,
        other: Value<'m>,
        name: *const c_char,
    ) -> Value<'m>;
    pub(crate) fn LLVMBuildFreeze<'m>(
        b: LLVMBuilderRef,
        v: Value<'m>,
        name: *const c_char,
    ) -> Value<'m>;
    pub(crate) fn LLVMBuildExtractElement<'m>(
        b: LLVMBuilderRef,
        v: Value<'m>,
        i: Value<'m>,
        name: *const c_char,
    ) -> Value<'m>;
    pub(crate) fn LLVMBuildExtractValue<'m>(
        b: LLVMBuilderRef,
        v: Value<'m>,
        i: c_uint,
        name: *const c_char,
    ) -> Value<'m>;
    pub(crate) fn LLVMBuildInsertElement<'m>(
        b: LLVMBuilderRef,
        vector: Value<'m>,
        v: Value<'m>,
        i: Value<'m>,
        name: *const c_char,
    ) -> Value<'m>;
    pub(crate) fn LLVMBuildFence<'m>(
        b: LLVMBuilderRef,
        order: LLVMAtomicOrdering,
        one_thread: c_int,
        name: *const c_char,
    ) -> Value<'m>;
    pub(crate) fn LLVMBuildAtomicRMW<'m>(
        b: LLVMBuilderRef,
        op: LLVMAtomicRMWBinOp,
        p: Value<'m>,
        v: Value<'m>,
        order: LLVMAtomicOrdering,
        one_thread: c_int,
    ) -> Value<'m>;
    pub(crate) fn LLVMBuildBr<'m>(b: LLVMBuilderRef, to: Block<'m>) -> Value<'m>;
    pub(crate) fn LLVMBuildCondBr<'m>(
        b: LLVMBuilderRef,
        c: Value<'m>,
        then: Block<'m>,
        otherwise: Block<'m>,
    ) -> Value<'m>;
    pub(crate) fn LLVMBuildSwitch<'m>(
        b: LLVMBuilderRef,
        v: Value<'m>,
        default: Block<'m>,
        cases: c_uint,
    ) -> Value<'m>;
    pub(crate) fn LLVMAddCase<'m>(switch: Value<'m>, value: Value<'m>, to: Block<'m>);
    pub(crate) fn LLVMBuildRet<'m>(b: LLVMBuilderRef, v: Value<'m>) -> Value<'m>;
}

// SAFETY: `cpp/*.cpp`. Queries of a value, type or node of the declared kind, and changes that any
// such value permits.
unsafe extern "C" {
    pub(crate) safe fn MuxclOpcode(v: Value<'_>) -> c_uint;
    pub(crate) safe fn MuxclIntrinsicId(v: Value<'_>) -> c_uint;
    pub(crate) safe fn MuxclIsLifetime(v: Value<'_>) -> c_int;
    pub(crate) safe fn MuxclMayHaveSideEffects(i: PlacedInst<'_>) -> c_int;
    pub(crate) safe fn MuxclMayReadMemory(i: PlacedInst<'_>) -> c_int;
    /// `v` was not erased.
    pub(crate) fn MuxclUnderlyingObject(v: Value<'_>) -> Value<'_>;
    pub(crate) safe fn MuxclIsSplat(v: Value<'_>) -> c_int;
    pub(crate) safe fn MuxclAllocaAlign(a: AllocaInst<'_>) -> u64;
    pub(crate) safe fn MuxclRemoveCallAttribute(c: CallInst<'_>, kind: Text<'_>);
    pub(crate) safe fn MuxclCopyCallAttributes(to: CallInst<'_>, from: CallInst<'_>);
    pub(crate) safe fn MuxclSetDsoLocal(g: GlobalValue<'_>, local: c_int);
    pub(crate) safe fn MuxclLeaveComdat(g: GlobalValue<'_>);
    pub(crate) safe fn MuxclIsMaterializable(g: GlobalValue<'_>) -> c_int;
    pub(crate) safe fn MuxclMaterialize(g: GlobalValue<'_>, sink: Sink<'_>) -> c_int;
    pub(crate) safe fn MuxclConstantString(v: Value<'_>, sink: Sink<'_>) -> c_int;
    pub(crate) safe fn MuxclTargetExtName(t: Type<'_>, sink: Sink<'_>) -> c_int;
    pub(crate) safe fn MuxclFirstInsertionPoint(b: Block<'_>) -> Option<Value<'_>>;
    pub(crate) safe fn MuxclAddSchedulingBoundary(before: PlacedInst<'_>);
    pub(crate) safe fn MuxclMoveBefore<'m>(i: PlacedInst<'m>, other: PlacedInst<'m>);
    pub(crate) safe fn MuxclSplitBlock<'m>(i: PlacedInst<'m>, name: Text<'_>) -> Block<'m>;
    pub(crate) safe fn MuxclRemovePredecessor<'m>(b: Block<'m>, pred: Block<'m>);
    /// `i` is below the number of entries; the type is the PHI's.
    pub(crate) fn MuxclPhiSetIncomingValue<'m>(phi: PhiNode<'m>, i: c_uint, v: Value<'m>);
    pub(crate) safe fn MuxclCopyFunctionAttributes<'m>(to: Function<'m>, from: Function<'m>);
    pub(crate) safe fn MuxclCopyFunctionOnlyAttributes<'m>(to: Function<'m>, from: Function<'m>);
    /// `from` has a body and is in a module.
    pub(crate) fn MuxclCloneFunction<'m>(f: Function<'m>, name: Text<'_>) -> Function<'m>;
    /// `to` has no body; the parameters correspond.
    pub(crate) fn MuxclCloneScalable<'m>(
        to: Function<'m>,
        from: Function<'m>,
        lanes: c_uint,
        count: c_uint,
    );
    /// `to` has no body, and begins with the parameters of `from`.
    pub(crate) fn MuxclSpliceBody<'m>(to: Function<'m>, from: Function<'m>);

    pub(crate) safe fn MuxclGetFunctionNode<'m>(
        f: Function<'m>,
        kind: Text<'_>,
    ) -> Option<Metadata<'m>>;
    pub(crate) safe fn MuxclNodeCount(m: Metadata<'_>) -> c_uint;
    /// `i` is below the number of operands.
    pub(crate) fn MuxclNodeOperand(m: Metadata<'_>, i: c_uint) -> Option<Metadata<'_>>;
    pub(crate) safe fn MuxclNodeString(m: Metadata<'_>, sink: Sink<'_>) -> c_int;
    pub(crate) safe fn MuxclNodeConstant(m: Metadata<'_>) -> Option<Value<'_>>;
    pub(crate) fn MuxclNewAccessGroup<'m>(c: LLVMContextRef) -> Metadata<'m>;
    /// `group` is an access group.
    pub(crate) fn MuxclAddAccessGroup<'m>(i: Instruction<'m>, group: Metadata<'m>);
    pub(crate) safe fn MuxclSetWorkItemLoop<'m>(
        latch: TerminatorInst<'m>,
        group: Option<Metadata<'m>>,
        vectorize: c_int,
        items: c_int,
    );
    pub(crate) safe fn MuxclForgetWorkItemLoop(latch: TerminatorInst<'_>);
}

// SAFETY: `cpp/erase.cpp`. Erased objects stay in memory; the caller keeps them until their module
// is gone.
unsafe extern "C" {
    pub(crate) safe fn MuxclEraseInstruction(i: PlacedInst<'_>, erased: Erased<'_>);
    pub(crate) safe fn MuxclRemoveUnreachable(f: Function<'_>, erased: Erased<'_>);
    pub(crate) safe fn MuxclDeleteBody(f: Function<'_>, erased: Erased<'_>);
    /// The function is in a module.
    pub(crate) fn MuxclEraseFunction(f: Function<'_>, erased: Erased<'_>);
    /// The call is in a function of a module.
    pub(crate) fn MuxclInlineCall(call: CallInst<'_>, erased: Erased<'_>) -> c_int;
    /// `v` was erased, its module is gone, and no handle of it is left.
    pub(crate) fn MuxclDeleteErased(v: NonNull<llvm_sys::LLVMValue>);
}

// SAFETY: `cpp/*.cpp`. The caller answers for the raw pointers, and for handles of objects that
// these functions delete.
unsafe extern "C" {
    pub(crate) fn MuxclInstallFatalHandlers(abandon: unsafe extern "C" fn(*const c_char, usize));
    pub(crate) fn MuxclContextSetHandler(c: LLVMContextRef, f: DiagnosticFn, ctx: *mut c_void);
    pub(crate) fn MuxclParseBitcode(
        c: LLVMContextRef,
        bitcode: Text<'_>,
        lazy: c_int,
        sink: Sink<'_>,
    ) -> LLVMModuleRef;
    pub(crate) fn MuxclParseText(c: LLVMContextRef, ir: Text<'_>, sink: Sink<'_>) -> LLVMModuleRef;
    pub(crate) fn MuxclLinkModules(
        to: LLVMModuleRef,
        from: LLVMModuleRef,
        only_needed: c_int,
    ) -> c_int;
    pub(crate) fn MuxclPlainAtomics(m: LLVMModuleRef, space: c_uint);
    pub(crate) fn MuxclReplaceOpaqueTypes(m: LLVMModuleRef) -> c_int;
    pub(crate) fn MuxclEraseNamedNode(m: LLVMModuleRef, name: Text<'_>);
    pub(crate) fn MuxclPromoteAllocas(f: Function<'_>);
    pub(crate) fn MuxclConstantUsersToInstructions(c: Constant<'_>) -> c_int;
    pub(crate) fn MuxclRemoveDeadConstantUsers(c: Constant<'_>);

    pub(crate) fn MuxclMapNew() -> NonNull<RawMap>;
    pub(crate) fn MuxclMapDelete(m: NonNull<RawMap>);
    pub(crate) fn MuxclMapSet<'m>(m: NonNull<RawMap>, from: Value<'m>, to: Value<'m>);
    pub(crate) fn MuxclMapGet<'m>(m: NonNull<RawMap>, from: Value<'m>) -> Option<Value<'m>>;
    pub(crate) fn MuxclCloneBlock<'m>(
        b: Block<'m>,
        m: NonNull<RawMap>,
        suffix: Text<'_>,
        into: Function<'m>,
    ) -> Block<'m>;
    pub(crate) fn MuxclRemapBlock(b: Block<'_>, m: NonNull<RawMap>);
    pub(crate) fn MuxclCloneFolded<'m>(
        from: PlacedInst<'m>,
        m: NonNull<RawMap>,
        block: Block<'m>,
    ) -> Value<'m>;
    pub(crate) fn MuxclAddressBase<'m>(
        v: Value<'m>,
        f: Function<'m>,
        distance: *mut i64,
    ) -> Value<'m>;

    pub(crate) fn MuxclTargetNew(
        o: *const TargetOptions<'_>,
        sink: Sink<'_>,
    ) -> LLVMTargetMachineRef;
    pub(crate) fn MuxclTimings(
        o: *const TargetOptions<'_>,
        names: *const Text<'_>,
        timings: *mut Timing,
        count: usize,
    );
    pub(crate) safe fn MuxclHostCpu(sink: Sink<'_>);
    pub(crate) safe fn MuxclHostTriple(sink: Sink<'_>);
    pub(crate) safe fn MuxclHostFeatures(sink: Sink<'_>);
    pub(crate) safe fn MuxclHostFeatureDelta(sink: Sink<'_>);
    pub(crate) safe fn MuxclCpuFeatures(triple: Text<'_>, cpu: Text<'_>, sink: Sink<'_>);
    pub(crate) fn MuxclRunPipeline(
        m: LLVMModuleRef,
        pipeline: Text<'_>,
        machine: LLVMTargetMachineRef,
        vectorize: u32,
        sink: Sink<'_>,
    ) -> c_int;
    pub(crate) fn MuxclRunOnFunction(
        f: Function<'_>,
        passes: Text<'_>,
        machine: LLVMTargetMachineRef,
        sink: Sink<'_>,
    ) -> c_int;
    pub(crate) fn MuxclEmissionNew(machine: LLVMTargetMachineRef) -> Option<NonNull<Emission>>;
    pub(crate) fn MuxclEmissionDelete(emission: NonNull<Emission>);
    pub(crate) fn MuxclEmit(
        m: LLVMModuleRef,
        machine: LLVMTargetMachineRef,
        prepared: Option<NonNull<Emission>>,
        assembly: c_int,
        no_lsr: c_int,
        sink: Sink<'_>,
    ) -> c_int;
    pub(crate) fn MuxclLink(
        args: *const *const c_char,
        arg_count: usize,
        inputs: *const LinkInput<'_>,
        count: usize,
        sink: Sink<'_>,
        errors: Sink<'_>,
    ) -> c_int;
}

// SAFETY: `cpp/lanes.cpp`. The caller answers for the kinds of values, the types of operands and
// the lengths of lists.
unsafe extern "C" {
    pub(crate) fn MuxclNeutral(rmw: Value<'_>) -> Option<Value<'_>>;
    pub(crate) fn MuxclAdds(rmw: Value<'_>) -> c_int;
    pub(crate) fn MuxclCombine<'m>(
        b: LLVMBuilderRef,
        rmw: Value<'m>,
        lanes: Value<'m>,
    ) -> Value<'m>;
    pub(crate) safe fn MuxclUnrollFully(latch: TerminatorInst<'_>);
    pub(crate) safe fn MuxclUnrollBy(latch: TerminatorInst<'_>, count: c_uint);
    pub(crate) safe fn MuxclSetRareLoop(latch: TerminatorInst<'_>);
    pub(crate) safe fn MuxclIsRareLoop(branch: TerminatorInst<'_>) -> c_int;
    pub(crate) safe fn MuxclWorkItemLoop(latch: TerminatorInst<'_>) -> c_int;
    /// A builder with a position.
    pub(crate) fn MuxclSetLocation(b: LLVMBuilderRef, like: Instruction<'_>);
    /// `map` is called with `ctx`.
    pub(crate) fn MuxclCopyDebugRecords<'m>(
        b: LLVMBuilderRef,
        like: Instruction<'m>,
        map: unsafe extern "C" fn(*mut c_void, Value<'m>) -> Option<Value<'m>>,
        ctx: *mut c_void,
    );
    pub(crate) safe fn MuxclLocalDeclarations(v: AllocaInst<'_>);
    pub(crate) safe fn MuxclTakeSubprogram<'m>(to: Function<'m>, from: Function<'m>);
    pub(crate) fn MuxclFlatDebugAddresses(m: LLVMModuleRef);
    pub(crate) safe fn MuxclDropPoisonFlags(i: Instruction<'_>);
    pub(crate) safe fn MuxclIsLaneWise(v: Value<'_>) -> c_int;
    pub(crate) fn MuxclArgAlign(call: CallInst<'_>, n: c_uint) -> c_uint;
    pub(crate) safe fn MuxclAccuracy(v: Value<'_>) -> f32;
    pub(crate) fn MuxclLaneWiseScalarArg(v: Value<'_>, n: c_uint) -> c_int;
    pub(crate) fn MuxclBuildLanes<'m>(
        b: LLVMBuilderRef,
        like: Value<'m>,
        operands: *const Value<'m>,
        n: c_uint,
        count: c_uint,
    ) -> Option<Value<'m>>;
    pub(crate) fn MuxclMaskedLoad<'m>(
        b: LLVMBuilderRef,
        ty: Type<'m>,
        address: Value<'m>,
        align: c_uint,
        mask: Option<Value<'m>>,
        like: Value<'m>,
    ) -> Value<'m>;
    pub(crate) fn MuxclMaskedStore<'m>(
        b: LLVMBuilderRef,
        v: Value<'m>,
        address: Value<'m>,
        align: c_uint,
        mask: Option<Value<'m>>,
        like: Value<'m>,
    ) -> Value<'m>;
    pub(crate) fn MuxclGather<'m>(
        b: LLVMBuilderRef,
        ty: Type<'m>,
        addresses: Value<'m>,
        align: c_uint,
        mask: Option<Value<'m>>,
        like: Value<'m>,
    ) -> Value<'m>;
    pub(crate) fn MuxclScatter<'m>(
        b: LLVMBuilderRef,
        v: Value<'m>,
        addresses: Value<'m>,
        align: c_uint,
        mask: Option<Value<'m>>,
        like: Value<'m>,
    ) -> Value<'m>;
    pub(crate) fn MuxclShuffle<'m>(
        builder: LLVMBuilderRef,
        a: Value<'m>,
        b: Value<'m>,
        mask: *const c_int,
        n: c_uint,
    ) -> Value<'m>;
    pub(crate) fn MuxclSplat<'m>(
        b: LLVMBuilderRef,
        v: Value<'m>,
        count: c_uint,
        scalable: c_int,
    ) -> Value<'m>;
    pub(crate) fn MuxclVScale<'m>(b: LLVMBuilderRef, ty: Type<'m>) -> Value<'m>;
    pub(crate) fn MuxclStepVector<'m>(b: LLVMBuilderRef, ty: Type<'m>) -> Value<'m>;
    pub(crate) fn MuxclReverse<'m>(b: LLVMBuilderRef, v: Value<'m>) -> Value<'m>;
    pub(crate) fn MuxclInterleave<'m>(
        b: LLVMBuilderRef,
        parts: *const Value<'m>,
        n: c_uint,
    ) -> Value<'m>;
    pub(crate) fn MuxclDeinterleave<'m>(
        b: LLVMBuilderRef,
        v: Value<'m>,
        parts: *mut Value<'m>,
        n: c_uint,
    );
    pub(crate) fn MuxclVectorLength<'m>(
        b: LLVMBuilderRef,
        left: Value<'m>,
        count: c_uint,
        bits: c_uint,
    ) -> Value<'m>;
    pub(crate) fn MuxclLengthLoad<'m>(
        b: LLVMBuilderRef,
        ty: Type<'m>,
        address: Value<'m>,
        align: c_uint,
        mask: Option<Value<'m>>,
        length: Value<'m>,
        like: Value<'m>,
    ) -> Value<'m>;
    pub(crate) fn MuxclLengthStore<'m>(
        b: LLVMBuilderRef,
        v: Value<'m>,
        address: Value<'m>,
        align: c_uint,
        mask: Option<Value<'m>>,
        length: Value<'m>,
        like: Value<'m>,
    ) -> Value<'m>;
    pub(crate) fn MuxclStridedLoad<'m>(
        b: LLVMBuilderRef,
        ty: Type<'m>,
        address: Value<'m>,
        stride: Value<'m>,
        align: c_uint,
        mask: Option<Value<'m>>,
        length: Value<'m>,
        like: Value<'m>,
    ) -> Value<'m>;
    pub(crate) fn MuxclStridedStore<'m>(
        b: LLVMBuilderRef,
        v: Value<'m>,
        address: Value<'m>,
        stride: Value<'m>,
        align: c_uint,
        mask: Option<Value<'m>>,
        length: Value<'m>,
        like: Value<'m>,
    ) -> Value<'m>;
    pub(crate) fn MuxclLengthAny<'m>(
        b: LLVMBuilderRef,
        v: Value<'m>,
        length: Value<'m>,
    ) -> Value<'m>;
    pub(crate) fn MuxclLengthMerge<'m>(
        b: LLVMBuilderRef,
        mask: Option<Value<'m>>,
        v: Value<'m>,
        other: Value<'m>,
        length: Value<'m>,
    ) -> Value<'m>;
    pub(crate) fn MuxclLengthDivision<'m>(
        b: LLVMBuilderRef,
        like: Value<'m>,
        dividend: Value<'m>,
        divisor: Value<'m>,
        mask: Option<Value<'m>>,
        length: Value<'m>,
    ) -> Value<'m>;
    pub(crate) fn MuxclAny<'m>(b: LLVMBuilderRef, mask: Value<'m>) -> Value<'m>;
    pub(crate) fn MuxclSteps<'m>(ty: Type<'m>, step: i64, count: c_uint) -> Value<'m>;
    pub(crate) fn MuxclByteOffsets<'m>(
        b: LLVMBuilderRef,
        base: Value<'m>,
        offsets: Value<'m>,
    ) -> Value<'m>;
}
