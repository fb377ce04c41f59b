//! Building instructions. The builder folds constants, as LLVM's does.

use llvm_sys::core::{
    LLVMAddCase, LLVMBuildAShr, LLVMBuildAdd, LLVMBuildAddrSpaceCast, LLVMBuildAlloca,
    LLVMBuildAnd, LLVMBuildArrayAlloca, LLVMBuildAtomicRMW, LLVMBuildBinOp, LLVMBuildBitCast,
    LLVMBuildBr, LLVMBuildCall2, LLVMBuildCondBr, LLVMBuildExtractElement, LLVMBuildExtractValue,
    LLVMBuildFAdd, LLVMBuildFCmp, LLVMBuildFence, LLVMBuildFreeze, LLVMBuildGEP2, LLVMBuildICmp,
    LLVMBuildInBoundsGEP2, LLVMBuildInsertElement, LLVMBuildInsertValue, LLVMBuildIntToPtr,
    LLVMBuildLShr, LLVMBuildLoad2, LLVMBuildMemCpy, LLVMBuildMemSet, LLVMBuildMul, LLVMBuildNSWAdd,
    LLVMBuildNUWAdd, LLVMBuildNUWMul, LLVMBuildOr, LLVMBuildPhi, LLVMBuildPtrToInt, LLVMBuildRet,
    LLVMBuildRetVoid, LLVMBuildSExt, LLVMBuildSelect, LLVMBuildShl, LLVMBuildStore, LLVMBuildSub,
    LLVMBuildSwitch, LLVMBuildTrunc, LLVMBuildUDiv, LLVMBuildURem, LLVMBuildUnreachable,
    LLVMBuildXor, LLVMBuildZExt, LLVMCreateBuilderInContext, LLVMDisposeBuilder,
    LLVMGetInsertBlock, LLVMInsertIntoBuilder, LLVMInt8TypeInContext, LLVMPositionBuilderAtEnd,
    LLVMPositionBuilderBefore, LLVMSetAlignment, LLVMSetNSW,
};
use llvm_sys::prelude::{LLVMBuilderRef, LLVMValueRef};
use llvm_sys::{LLVMAtomicOrdering, LLVMAtomicRMWBinOp, LLVMOpcode};

use crate::context::len32;
use crate::{
    AtomicOp, Block, Cx, FloatPredicate, Function, IntPredicate, Module, Ordering, Type, Value,
};

const NAME: *const std::ffi::c_char = c"".as_ptr();

/// An instruction builder at a position.
#[derive(Debug)]
pub struct Builder(LLVMBuilderRef);

impl Drop for Builder {
    fn drop(&mut self) {
        ll!(LLVMDisposeBuilder(self.0));
    }
}

macro_rules! binary {
    ($($(#[$doc:meta])* $name:ident = $f:ident),* $(,)?) => {
        $($(#[$doc])* pub fn $name(&self, a: Value, b: Value) -> Value {
            Value(ll!($f(self.0, a.0, b.0, NAME)))
        })*
    };
}
macro_rules! casts {
    ($($(#[$doc:meta])* $name:ident = $f:ident),* $(,)?) => {
        $($(#[$doc])* pub fn $name(&self, v: Value, to: Type) -> Value {
            if v.ty() == to { v } else { Value(ll!($f(self.0, v.0, to.0, NAME))) }
        })*
    };
}

impl Builder {
    /// A builder without a position.
    pub fn new(cx: Cx) -> Self {
        Self(ll!(LLVMCreateBuilderInContext(cx.0)))
    }
    /// A builder before an instruction, with its debug location.
    pub fn before(i: Value) -> Self {
        let b = Self::new(i.cx());
        b.set_before(i);
        b
    }
    /// A builder at the end of a block.
    pub fn at_end(block: Block) -> Self {
        let b = Self::new(block.function().cx());
        b.set_at_end(block);
        b
    }
    /// Moves before an instruction, taking its debug location.
    pub fn set_before(&self, i: Value) {
        ll!(LLVMPositionBuilderBefore(self.0, i.0));
    }
    /// Moves to the end of a block.
    pub fn set_at_end(&self, block: Block) {
        ll!(LLVMPositionBuilderAtEnd(self.0, block.0));
    }
    /// The block of the position.
    pub fn block(&self) -> Block {
        Block(ll!(LLVMGetInsertBlock(self.0)))
    }
    /// Inserts an unlinked instruction.
    pub fn insert(&self, i: Value) {
        ll!(LLVMInsertIntoBuilder(self.0, i.0));
    }

    binary! {
        /// `add`
        add = LLVMBuildAdd,
        /// `add nsw`
        add_nsw = LLVMBuildNSWAdd,
        /// `add nuw`
        add_nuw = LLVMBuildNUWAdd,
        /// `sub`
        sub = LLVMBuildSub,
        /// `mul`
        mul = LLVMBuildMul,
        /// `mul nuw`
        mul_nuw = LLVMBuildNUWMul,
        /// `udiv`
        udiv = LLVMBuildUDiv,
        /// `urem`
        urem = LLVMBuildURem,
        /// `and`
        and = LLVMBuildAnd,
        /// `or`
        or = LLVMBuildOr,
        /// `xor`
        xor = LLVMBuildXor,
        /// `shl`
        shl = LLVMBuildShl,
        /// `lshr`
        lshr = LLVMBuildLShr,
        /// `ashr`
        ashr = LLVMBuildAShr,
        /// `fadd`
        fadd = LLVMBuildFAdd,
    }
    casts! {
        /// `trunc`
        trunc = LLVMBuildTrunc,
        /// `zext`
        zext = LLVMBuildZExt,
        /// `sext`
        sext = LLVMBuildSExt,
        /// `bitcast`
        bitcast = LLVMBuildBitCast,
        /// `ptrtoint`
        ptr_to_int = LLVMBuildPtrToInt,
        /// `inttoptr`
        int_to_ptr = LLVMBuildIntToPtr,
        /// `addrspacecast`
        address_space_cast = LLVMBuildAddrSpaceCast,
    }

    /// `add nuw nsw`
    pub fn add_nuw_nsw(&self, a: Value, b: Value) -> Value {
        let v = self.add_nuw(a, b);
        if v.is_instruction() {
            ll!(LLVMSetNSW(v.0, 1));
        }
        v
    }
    /// `zext` or `trunc` to an integer type.
    pub fn zext_or_trunc(&self, v: Value, to: Type) -> Value {
        if v.ty().int_width() > to.int_width() { self.trunc(v, to) } else { self.zext(v, to) }
    }
    /// `icmp`
    pub fn icmp(&self, p: IntPredicate, a: Value, b: Value) -> Value {
        Value(ll!(LLVMBuildICmp(self.0, p.raw(), a.0, b.0, NAME)))
    }
    /// `fcmp`
    pub fn fcmp(&self, p: FloatPredicate, a: Value, b: Value) -> Value {
        Value(ll!(LLVMBuildFCmp(self.0, p.raw(), a.0, b.0, NAME)))
    }
    /// The larger (unsigned) of two integers.
    pub fn umax(&self, a: Value, b: Value) -> Value {
        self.select(self.icmp(IntPredicate::Ugt, a, b), a, b)
    }
    /// The smaller (unsigned) of two integers.
    pub fn umin(&self, a: Value, b: Value) -> Value {
        self.select(self.icmp(IntPredicate::Ult, a, b), a, b)
    }
    /// `fmul`
    pub fn fmul(&self, a: Value, b: Value) -> Value {
        Value(ll!(LLVMBuildBinOp(self.0, LLVMOpcode::LLVMFMul, a.0, b.0, NAME)))
    }
    /// `select`
    pub fn select(&self, c: Value, a: Value, b: Value) -> Value {
        Value(ll!(LLVMBuildSelect(self.0, c.0, a.0, b.0, NAME)))
    }
    /// `freeze`
    pub fn freeze(&self, v: Value) -> Value {
        Value(ll!(LLVMBuildFreeze(self.0, v.0, NAME)))
    }
    /// `alloca`
    pub fn alloca(&self, ty: Type, name: &str) -> Value {
        let v = Value(ll!(LLVMBuildAlloca(self.0, ty.0, NAME)));
        v.set_name(name);
        v
    }
    /// `alloca` of so many bytes, known only at run time or not.
    pub fn alloca_bytes(&self, bytes: Value, name: &str) -> Value {
        let byte = Type(ll!(LLVMInt8TypeInContext(bytes.cx().0)));
        let v = Value(ll!(LLVMBuildArrayAlloca(self.0, byte.0, bytes.0, NAME)));
        v.set_name(name);
        v
    }
    /// `llvm.stacksave`: the stack pointer here.
    pub fn stack_pointer(&self, module: &Module<'_>) -> Value {
        let cx = module.cx();
        self.call(module.get_or_add_function("llvm.stacksave.p0", cx.function(cx.ptr(0), &[])), &[])
    }
    /// `load` with an explicit alignment (0: the type's).
    pub fn load(&self, ty: Type, p: Value, align: u32) -> Value {
        let v = Value(ll!(LLVMBuildLoad2(self.0, ty.0, p.0, NAME)));
        if align != 0 {
            ll!(LLVMSetAlignment(v.0, align));
        }
        v
    }
    /// `store` with an explicit alignment (0: the type's).
    pub fn store(&self, v: Value, p: Value, align: u32) -> Value {
        let s = Value(ll!(LLVMBuildStore(self.0, v.0, p.0)));
        if align != 0 {
            ll!(LLVMSetAlignment(s.0, align));
        }
        s
    }
    /// `llvm.memcpy`
    pub fn memcpy(
        &self,
        dst: Value,
        dst_align: u32,
        src: Value,
        src_align: u32,
        size: Value,
    ) -> Value {
        Value(ll!(LLVMBuildMemCpy(self.0, dst.0, dst_align, src.0, src_align, size.0)))
    }
    /// `llvm.memset` with a constant byte.
    pub fn memset(&self, dst: Value, byte: u8, size: Value, align: u32) -> Value {
        let byte = dst.cx().i8().constant(byte.into());
        Value(ll!(LLVMBuildMemSet(self.0, dst.0, byte.0, size.0, align)))
    }
    /// `getelementptr inbounds`
    pub fn gep(&self, ty: Type, p: Value, indices: &[Value]) -> Value {
        let mut raw: Vec<LLVMValueRef> = indices.iter().map(|v| v.0).collect();
        Value(ll!(LLVMBuildInBoundsGEP2(
            self.0,
            ty.0,
            p.0,
            raw.as_mut_ptr(),
            len32(raw.len()),
            NAME
        )))
    }
    /// `getelementptr` without promises.
    pub fn gep_any(&self, ty: Type, p: Value, indices: &[Value]) -> Value {
        let mut raw: Vec<LLVMValueRef> = indices.iter().map(|v| v.0).collect();
        Value(ll!(LLVMBuildGEP2(self.0, ty.0, p.0, raw.as_mut_ptr(), len32(raw.len()), NAME)))
    }
    /// The address `bytes` behind `p`.
    pub fn byte_offset(&self, p: Value, bytes: Value) -> Value {
        if bytes.as_u64() == Some(0) {
            return p;
        }
        self.gep(p.cx().i8(), p, &[bytes])
    }
    /// `phi`
    pub fn phi(&self, ty: Type, name: &str) -> Value {
        let v = Value(ll!(LLVMBuildPhi(self.0, ty.0, NAME)));
        v.set_name(name);
        v
    }
    /// `call` of a function, with its calling convention.
    pub fn call(&self, f: Function, args: &[Value]) -> Value {
        let v = self.call_value(f.ty(), f.value(), args);
        v.set_call_convention(f.convention());
        v
    }
    /// `call` through a value.
    pub fn call_value(&self, ty: Type, f: Value, args: &[Value]) -> Value {
        let mut raw: Vec<LLVMValueRef> = args.iter().map(|v| v.0).collect();
        Value(ll!(LLVMBuildCall2(self.0, ty.0, f.0, raw.as_mut_ptr(), len32(raw.len()), NAME)))
    }
    /// `extractvalue`
    pub fn extract_value(&self, v: Value, i: u32) -> Value {
        Value(ll!(LLVMBuildExtractValue(self.0, v.0, i, NAME)))
    }
    /// `insertvalue`
    pub fn insert_value(&self, agg: Value, v: Value, i: u32) -> Value {
        Value(ll!(LLVMBuildInsertValue(self.0, agg.0, v.0, i, NAME)))
    }
    /// `extractelement`
    pub fn extract_element(&self, v: Value, i: Value) -> Value {
        Value(ll!(LLVMBuildExtractElement(self.0, v.0, i.0, NAME)))
    }
    /// `insertelement`
    pub fn insert_element(&self, vec: Value, v: Value, i: Value) -> Value {
        Value(ll!(LLVMBuildInsertElement(self.0, vec.0, v.0, i.0, NAME)))
    }
    /// `fence`
    pub fn fence(&self, order: Ordering) -> Value {
        Value(ll!(LLVMBuildFence(self.0, order.raw(), 0, NAME)))
    }
    /// `atomicrmw`
    pub fn atomic_rmw(&self, op: AtomicOp, p: Value, v: Value, order: Ordering) -> Value {
        Value(ll!(LLVMBuildAtomicRMW(self.0, op.raw(), p.0, v.0, order.raw(), 0)))
    }

    /// `br`
    pub fn br(&self, to: Block) -> Value {
        Value(ll!(LLVMBuildBr(self.0, to.0)))
    }
    /// `br i1`
    pub fn cond_br(&self, c: Value, then: Block, otherwise: Block) -> Value {
        Value(ll!(LLVMBuildCondBr(self.0, c.0, then.0, otherwise.0)))
    }
    /// `switch`
    pub fn switch(&self, v: Value, default: Block, cases: &[(Value, Block)]) -> Value {
        let s = ll!(LLVMBuildSwitch(self.0, v.0, default.0, len32(cases.len())));
        for (value, block) in cases {
            ll!(LLVMAddCase(s, value.0, block.0));
        }
        Value(s)
    }
    /// `ret void`
    pub fn ret_void(&self) -> Value {
        Value(ll!(LLVMBuildRetVoid(self.0)))
    }
    /// `ret`
    pub fn ret(&self, v: Value) -> Value {
        Value(ll!(LLVMBuildRet(self.0, v.0)))
    }
    /// `unreachable`
    pub fn unreachable(&self) -> Value {
        Value(ll!(LLVMBuildUnreachable(self.0)))
    }
}

impl Ordering {
    pub(crate) fn raw(self) -> LLVMAtomicOrdering {
        match self {
            Self::Monotonic => LLVMAtomicOrdering::LLVMAtomicOrderingMonotonic,
            Self::Acquire => LLVMAtomicOrdering::LLVMAtomicOrderingAcquire,
            Self::Release => LLVMAtomicOrdering::LLVMAtomicOrderingRelease,
            Self::AcqRel => LLVMAtomicOrdering::LLVMAtomicOrderingAcquireRelease,
            Self::SeqCst => LLVMAtomicOrdering::LLVMAtomicOrderingSequentiallyConsistent,
        }
    }
}

impl AtomicOp {
    pub(crate) fn raw(self) -> LLVMAtomicRMWBinOp {
        match self {
            Self::Xchg => LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpXchg,
            Self::Add => LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpAdd,
            Self::Sub => LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpSub,
            Self::And => LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpAnd,
            Self::Or => LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpOr,
            Self::Xor => LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpXor,
        }
    }
}
