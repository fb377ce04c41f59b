//! Declarations of the C++ shim (`cpp/`), and the helpers that turn its text sinks into Rust
//! strings.
//!
//! Invariant: the signatures are those of `cpp/*.cpp`. Not here: LLVM's own C API, which comes from
//! `llvm-sys`.

use std::ffi::{CString, c_char, c_int, c_uint, c_void};

use llvm_sys::prelude::{
    LLVMBasicBlockRef, LLVMContextRef, LLVMMetadataRef, LLVMModuleRef, LLVMTypeRef, LLVMValueRef,
};

/// Calls one function of LLVM's C API or of the shim.
macro_rules! ll {
    ($f:ident ( $($a:expr),* $(,)? )) => {{
        // SAFETY: every handle of this crate is valid while its context lives (the crate's contract
        // for handles), and the arguments have the types the C API documents for this function.
        unsafe { $f($($a),*) }
    }};
}

/// True if LLVM met a fatal error on this thread: what it worked on is in no known state and must
/// be leaked.
pub(crate) fn poisoned() -> bool {
    ll!(MuxclPoisoned()) != 0
}

pub(crate) type Sink = unsafe extern "C" fn(*mut c_void, *const c_char, usize);
pub(crate) type DiagnosticFn = unsafe extern "C" fn(*mut c_void, c_int, *const c_char, usize);

#[repr(C)]
pub(crate) struct RawTargetOptions {
    pub(crate) triple: *const c_char,
    pub(crate) cpu: *const c_char,
    pub(crate) features: *const c_char,
    pub(crate) opt_level: u32,
    pub(crate) fast_fusion: u32,
    pub(crate) pic: u32,
    pub(crate) abi: *const c_char,
    pub(crate) medium: u32,
}

/// A file lld sees.
#[repr(C)]
pub(crate) struct RawInput {
    pub(crate) name: *const c_char,
    pub(crate) data: *const c_char,
    pub(crate) len: usize,
}

unsafe extern "C" {
    fn MuxclPoisoned() -> c_int;
    pub(crate) fn MuxclContextSetHandler(c: LLVMContextRef, f: DiagnosticFn, ctx: *mut c_void);
    pub(crate) fn MuxclParseBitcode(
        c: LLVMContextRef,
        data: *const c_char,
        len: usize,
        lazy: c_int,
        sink: Sink,
        ctx: *mut c_void,
    ) -> LLVMModuleRef;
    pub(crate) fn MuxclParseText(
        c: LLVMContextRef,
        data: *const c_char,
        len: usize,
        sink: Sink,
        ctx: *mut c_void,
    ) -> LLVMModuleRef;
    pub(crate) fn MuxclMaterialize(v: LLVMValueRef, sink: Sink, ctx: *mut c_void) -> c_int;
    pub(crate) fn MuxclMaterializeAll(m: LLVMModuleRef, sink: Sink, ctx: *mut c_void) -> c_int;
    pub(crate) fn MuxclMaterializeMetadata(m: LLVMModuleRef, sink: Sink, ctx: *mut c_void)
    -> c_int;
    pub(crate) fn MuxclWriteBitcode(m: LLVMModuleRef, sink: Sink, ctx: *mut c_void);
    pub(crate) fn MuxclPrintModule(m: LLVMModuleRef, sink: Sink, ctx: *mut c_void);
    pub(crate) fn MuxclPrintValue(v: LLVMValueRef, sink: Sink, ctx: *mut c_void);
    pub(crate) fn MuxclPrintType(t: LLVMTypeRef, sink: Sink, ctx: *mut c_void);
    pub(crate) fn MuxclLinkModules(
        dest: LLVMModuleRef,
        src: LLVMModuleRef,
        only_needed: c_int,
    ) -> c_int;
    pub(crate) fn MuxclConstantString(v: LLVMValueRef, sink: Sink, ctx: *mut c_void) -> c_int;
    pub(crate) fn MuxclVerifyModule(m: LLVMModuleRef, sink: Sink, ctx: *mut c_void) -> c_int;
    pub(crate) fn MuxclVerifyFunction(f: LLVMValueRef, sink: Sink, ctx: *mut c_void) -> c_int;
    pub(crate) fn MuxclStripDebugInfo(m: LLVMModuleRef) -> c_int;

    pub(crate) fn MuxclOpcode(v: LLVMValueRef) -> c_uint;
    pub(crate) fn MuxclTypeKind(t: LLVMTypeRef) -> c_uint;
    pub(crate) fn MuxclIntrinsicId(v: LLVMValueRef) -> c_uint;
    pub(crate) fn MuxclIsLifetime(v: LLVMValueRef) -> c_int;
    pub(crate) fn MuxclIsDebugOrPseudo(v: LLVMValueRef) -> c_int;
    pub(crate) fn MuxclMayHaveSideEffects(v: LLVMValueRef) -> c_int;
    pub(crate) fn MuxclMayReadMemory(v: LLVMValueRef) -> c_int;
    pub(crate) fn MuxclMayWriteMemory(v: LLVMValueRef) -> c_int;
    pub(crate) fn MuxclIsSafeToSpeculate(v: LLVMValueRef) -> c_int;
    pub(crate) fn MuxclUnderlyingObject(v: LLVMValueRef) -> LLVMValueRef;

    pub(crate) fn MuxclParamTypeAttribute(
        f: LLVMValueRef,
        index: c_uint,
        kind: *const c_char,
    ) -> LLVMTypeRef;
    pub(crate) fn MuxclRemoveCallParamAttribute(
        call: LLVMValueRef,
        index: c_uint,
        kind: *const c_char,
    );
    pub(crate) fn MuxclRemoveCallAttribute(call: LLVMValueRef, kind: *const c_char);
    pub(crate) fn MuxclSetDsoLocal(v: LLVMValueRef, local: c_int);
    pub(crate) fn MuxclDeleteBody(f: LLVMValueRef);
    pub(crate) fn MuxclIsMaterializable(f: LLVMValueRef) -> c_int;
    pub(crate) fn MuxclTargetExtName(t: LLVMTypeRef, len: *mut usize) -> *const c_char;

    pub(crate) fn MuxclMapNew() -> *mut c_void;
    pub(crate) fn MuxclMapDelete(m: *mut c_void);
    pub(crate) fn MuxclMapSet(m: *mut c_void, from: LLVMValueRef, to: LLVMValueRef);
    pub(crate) fn MuxclMapGet(m: *mut c_void, from: LLVMValueRef) -> LLVMValueRef;
    pub(crate) fn MuxclCloneBlock(
        b: LLVMBasicBlockRef,
        m: *mut c_void,
        suffix: *const c_char,
        f: LLVMValueRef,
    ) -> LLVMBasicBlockRef;
    pub(crate) fn MuxclRemapBlock(b: LLVMBasicBlockRef, m: *mut c_void);
    pub(crate) fn MuxclRemapInstruction(i: LLVMValueRef, m: *mut c_void);
    pub(crate) fn MuxclCloneFunction(f: LLVMValueRef, name: *const c_char) -> LLVMValueRef;
    pub(crate) fn MuxclCloneBodyInto(to: LLVMValueRef, from: LLVMValueRef, m: *mut c_void);
    pub(crate) fn MuxclCloneScalable(
        to: LLVMValueRef,
        from: LLVMValueRef,
        lanes: c_uint,
        count: c_uint,
    );
    pub(crate) fn MuxclIsSplat(v: LLVMValueRef) -> c_int;
    pub(crate) fn MuxclSpliceBody(to: LLVMValueRef, from: LLVMValueRef);
    pub(crate) fn MuxclCopyMetadata(to: LLVMValueRef, from: LLVMValueRef);
    pub(crate) fn MuxclCopyFunctionAttributes(to: LLVMValueRef, from: LLVMValueRef);
    pub(crate) fn MuxclCopyFunctionOnlyAttributes(to: LLVMValueRef, from: LLVMValueRef);
    pub(crate) fn MuxclCopyCallAttributes(to: LLVMValueRef, from: LLVMValueRef);
    pub(crate) fn MuxclInlineCall(call: LLVMValueRef) -> c_int;
    pub(crate) fn MuxclSplitBlock(i: LLVMValueRef, name: *const c_char) -> LLVMBasicBlockRef;
    pub(crate) fn MuxclRemoveUnreachable(f: LLVMValueRef) -> c_int;
    pub(crate) fn MuxclRemovePredecessor(b: LLVMBasicBlockRef, pred: LLVMBasicBlockRef);
    pub(crate) fn MuxclReplacePhiUses(
        b: LLVMBasicBlockRef,
        from: LLVMBasicBlockRef,
        to: LLVMBasicBlockRef,
    );
    pub(crate) fn MuxclPhiSetIncomingValue(phi: LLVMValueRef, i: c_uint, v: LLVMValueRef);
    pub(crate) fn MuxclDemotePhi(phi: LLVMValueRef) -> LLVMValueRef;
    pub(crate) fn MuxclDemoteReg(i: LLVMValueRef) -> LLVMValueRef;
    pub(crate) fn MuxclPromoteAllocas(f: LLVMValueRef);
    pub(crate) fn MuxclFirstInsertionPoint(b: LLVMBasicBlockRef) -> LLVMValueRef;
    pub(crate) fn MuxclIsStaticAlloca(v: LLVMValueRef) -> c_int;
    pub(crate) fn MuxclAllocaAlign(v: LLVMValueRef) -> u64;
    pub(crate) fn MuxclMoveBefore(i: LLVMValueRef, before: LLVMValueRef);
    pub(crate) fn MuxclConstantUsersToInstructions(c: LLVMValueRef) -> c_int;
    pub(crate) fn MuxclRemoveDeadConstantUsers(c: LLVMValueRef);

    pub(crate) fn MuxclGetFunctionNode(f: LLVMValueRef, kind: *const c_char) -> LLVMMetadataRef;
    pub(crate) fn MuxclNodeCount(m: LLVMMetadataRef) -> c_uint;
    pub(crate) fn MuxclNodeOperand(m: LLVMMetadataRef, i: c_uint) -> LLVMMetadataRef;
    pub(crate) fn MuxclNodeString(m: LLVMMetadataRef, len: *mut usize) -> *const c_char;
    pub(crate) fn MuxclNodeConstant(m: LLVMMetadataRef) -> LLVMValueRef;
    pub(crate) fn MuxclNamedNode(
        m: LLVMModuleRef,
        name: *const c_char,
        i: c_uint,
    ) -> LLVMMetadataRef;
    pub(crate) fn MuxclEraseFunctionNode(f: LLVMValueRef, kind: *const c_char);
    pub(crate) fn MuxclEraseNamedNode(m: LLVMModuleRef, name: *const c_char);
    pub(crate) fn MuxclNewAccessGroup(c: LLVMContextRef) -> LLVMMetadataRef;
    pub(crate) fn MuxclAddAccessGroup(i: LLVMValueRef, group: LLVMMetadataRef);
    pub(crate) fn MuxclSetWorkItemLoop(
        latch: LLVMValueRef,
        group: LLVMMetadataRef,
        no_vectorize: c_int,
        no_unroll: c_int,
    );
    pub(crate) fn MuxclSetNamedInstructionFlag(i: LLVMValueRef, kind: *const c_char);
    pub(crate) fn MuxclHasInstructionNode(i: LLVMValueRef, kind: *const c_char) -> c_int;
    pub(crate) fn MuxclSetRange(i: LLVMValueRef, low: u64, high: u64);
    pub(crate) fn MuxclSetInvariantLoad(i: LLVMValueRef);
    pub(crate) fn MuxclDropUnknownMetadata(i: LLVMValueRef);
    pub(crate) fn MuxclIsTargetExt(t: LLVMTypeRef) -> c_int;
    pub(crate) fn MuxclReplaceOpaqueTypes(m: LLVMModuleRef) -> c_int;

    pub(crate) fn MuxclTargetNew(
        o: *const RawTargetOptions,
        sink: Sink,
        ctx: *mut c_void,
    ) -> *mut c_void;
    pub(crate) fn MuxclTargetDelete(tm: *mut c_void);
    pub(crate) fn MuxclTargetLayout(tm: *mut c_void, sink: Sink, ctx: *mut c_void);
    pub(crate) fn MuxclHostCpu(sink: Sink, ctx: *mut c_void);
    pub(crate) fn MuxclHostTriple(sink: Sink, ctx: *mut c_void);
    pub(crate) fn MuxclHostFeatures(sink: Sink, ctx: *mut c_void);
    pub(crate) fn MuxclHostFeatureDelta(sink: Sink, ctx: *mut c_void);
    pub(crate) fn MuxclRunPipeline(
        m: LLVMModuleRef,
        pipeline: *const c_char,
        tm: *mut c_void,
        vectorize: u32,
        verify_each: u32,
        sink: Sink,
        ctx: *mut c_void,
    ) -> c_int;
    pub(crate) fn MuxclEmissionNew(tm: *mut c_void, errors: Sink, ectx: *mut c_void)
    -> *mut c_void;
    pub(crate) fn MuxclEmissionDelete(emission: *mut c_void);
    pub(crate) fn MuxclEmit(
        m: LLVMModuleRef,
        tm: *mut c_void,
        prepared: *mut c_void,
        assembly: c_int,
        no_lsr: c_int,
        sink: Sink,
        ctx: *mut c_void,
        errors: Sink,
        ectx: *mut c_void,
    ) -> c_int;
    pub(crate) fn MuxclLink(
        args: *const *const c_char,
        arg_count: usize,
        inputs: *const RawInput,
        count: usize,
        sink: Sink,
        ctx: *mut c_void,
        errors: Sink,
        ectx: *mut c_void,
    ) -> c_int;
}

/// Appends what C++ writes to the `Vec<u8>` behind `ctx`.
pub(crate) unsafe extern "C" fn append(ctx: *mut c_void, data: *const c_char, len: usize) {
    // SAFETY: every caller in this crate passes a live `&mut Vec<u8>` as `ctx`, used by nobody else
    // during the call.
    let out = unsafe { &mut *ctx.cast::<Vec<u8>>() };
    if len > 0 {
        // SAFETY: the shim passes `len` readable bytes.
        out.extend_from_slice(unsafe { std::slice::from_raw_parts(data.cast::<u8>(), len) });
    }
}

/// Runs `f` with a sink, returning its result and the collected bytes.
pub(crate) fn collect<R>(f: impl FnOnce(Sink, *mut c_void) -> R) -> (R, Vec<u8>) {
    let mut out: Vec<u8> = Vec::new();
    let ctx: *mut Vec<u8> = &raw mut out;
    let r = f(append, ctx.cast());
    (r, out)
}

pub(crate) fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned())
}

/// A C string; an interior NUL ends it (LLVM names may not hold one).
pub(crate) fn cstr(s: &str) -> CString {
    let end = s.find('\0').unwrap_or(s.len());
    CString::new(&s.as_bytes()[..end]).unwrap_or_default()
}
