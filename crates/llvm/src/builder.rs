//! Builds instructions. Like LLVM's, the builder folds constants.
//!
//! Invariant: operands have the types that the instruction requires, and the position is inside a
//! function of a module. Otherwise the builder panics.

use std::cell::Cell;
use std::ffi::CStr;
use std::fmt;

use inkwell::builder::BuilderError;
use llvm_sys::prelude::LLVMBuilderRef;
use llvm_sys::{LLVMIntPredicate, LLVMOpcode};

use crate::context::len32;
use crate::ffi::{
    LLVMAddCase, LLVMBuildAlloca, LLVMBuildArrayAlloca, LLVMBuildAtomicRMW, LLVMBuildBr,
    LLVMBuildCall2, LLVMBuildCast, LLVMBuildCondBr, LLVMBuildExtractElement, LLVMBuildExtractValue,
    LLVMBuildFCmp, LLVMBuildFence, LLVMBuildFreeze, LLVMBuildICmp, LLVMBuildInBoundsGEP2,
    LLVMBuildInsertElement, LLVMBuildLoad2, LLVMBuildMemCpy, LLVMBuildMemSet, LLVMBuildPhi,
    LLVMBuildRet, LLVMBuildSelect, LLVMBuildStore, LLVMBuildSwitch, LLVMInsertIntoBuilder,
    LLVMInstructionClone, LLVMPositionBuilderAtEnd, LLVMPositionBuilderBefore, LLVMSetNSW,
};
use crate::{
    AtomicOp, Block, Cx, FloatPredicate, Function, IntPredicate, Module, Opcode, Ordering, Type,
    Value,
};

/// Instructions get no names; callers may rename them.
const NAME: &CStr = c"";

#[derive(Clone, Copy)]
enum Position<'m> {
    Before(Value<'m>),
    End(Block<'m>),
}

/// An instruction builder at a position.
pub struct Builder<'m> {
    inner: inkwell::builder::Builder<'m>,
    position: Cell<Position<'m>>,
}

impl fmt::Debug for Builder<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Builder").field("block", &self.block()).finish_non_exhaustive()
    }
}

#[track_caller]
fn built<T>(made: Result<T, BuilderError>) -> T {
    match made {
        Ok(made) => made,
        Err(error) => panic!("{error}"),
    }
}

#[track_caller]
fn same_types(a: Value<'_>, b: Value<'_>) {
    assert!(a.ty() == b.ty(), "operands of two types: {a} and {b}");
}

/// The element type of a vector; for other types, the type itself.
fn scalar(ty: Type<'_>) -> Type<'_> {
    if ty.is_vector() || ty.is_scalable_vector() { ty.element() } else { ty }
}

#[track_caller]
fn integers(a: Value<'_>, b: Value<'_>) {
    same_types(a, b);
    assert!(scalar(a.ty()).is_int(), "{a} is no integer");
}

fn is_float(ty: Type<'_>) -> bool {
    ty.is_scalar() && !ty.is_int() && !ty.is_pointer()
}

#[track_caller]
fn floats(a: Value<'_>, b: Value<'_>) {
    same_types(a, b);
    assert!(is_float(scalar(a.ty())), "{a} is no floating-point value");
}

#[track_caller]
fn pointer(p: Value<'_>) {
    assert!(p.ty().is_pointer(), "{p} is no pointer");
}

#[track_caller]
fn condition(c: Value<'_>) {
    assert!(c.ty() == c.cx().i1(), "{c} is no i1");
}

macro_rules! binary {
    ($($(#[$doc:meta])* $name:ident = $f:ident),* $(,)?) => {
        $($(#[$doc])* #[track_caller] pub fn $name(&self, a: Value<'m>, b: Value<'m>) -> Value<'m> {
            integers(a, b);
            built(self.at().$f(a, b, ""))
        })*
    };
}
macro_rules! casts {
    ($($(#[$doc:meta])* $name:ident = $op:ident),* $(,)?) => {
        $($(#[$doc])* #[track_caller] pub fn $name(&self, v: Value<'m>, to: Type<'m>) -> Value<'m> {
            self.cast(LLVMOpcode::$op, v, to)
        })*
    };
}

impl<'m> Builder<'m> {
    fn new(cx: Cx<'m>, position: Position<'m>) -> Self {
        let b = Self { inner: cx.inner().create_builder(), position: Cell::new(position) };
        b.take_position();
        b
    }
    /// A builder before an instruction, with its debug location.
    #[track_caller]
    pub fn before(i: Value<'m>) -> Self {
        Self::new(i.cx(), Position::Before(i))
    }
    /// A builder at the end of a block.
    #[track_caller]
    pub fn at_end(block: Block<'m>) -> Self {
        Self::new(block.function().cx(), Position::End(block))
    }
    #[track_caller]
    fn take_position(&self) {
        match self.position.get() {
            Position::Before(i) => {
                let (i, block) = i.placed();
                // Inkwell keeps its own record of the block.
                self.inner.position_at_end(block.inner());
                // SAFETY: the instruction is in a block.
                unsafe { LLVMPositionBuilderBefore(self.inner.as_mut_ptr(), i) };
            }
            Position::End(block) => {
                self.inner.position_at_end(block.inner());
                // SAFETY: the block is alive.
                unsafe { LLVMPositionBuilderAtEnd(self.inner.as_mut_ptr(), block) };
            }
        }
    }
    /// The block of the position.
    #[track_caller]
    pub fn block(&self) -> Block<'m> {
        match self.position.get() {
            Position::Before(i) => i.block(),
            Position::End(block) => block,
        }
    }
    /// Inkwell's builder, positioned again: the position may have been erased or moved meanwhile.
    #[track_caller]
    fn at(&self) -> &inkwell::builder::Builder<'m> {
        let block = self.block();
        let placed = block.parent().is_some_and(Function::is_in_module);
        assert!(placed, "the builder's position was erased");
        if self.inner.get_insert_block().map(|b| b.as_mut_ptr()) != Some(block.raw()) {
            self.take_position();
        }
        &self.inner
    }
    #[track_caller]
    fn raw(&self) -> LLVMBuilderRef {
        self.at().as_mut_ptr()
    }
    /// Calls `f` with LLVM's builder, at the position.
    #[track_caller]
    pub(crate) fn with_raw<R>(&self, f: impl FnOnce(LLVMBuilderRef) -> R) -> R {
        f(self.raw())
    }

    binary! {
        /// `add`
        add = build_int_add,
        /// `add nsw`
        add_nsw = build_int_nsw_add,
        /// `add nuw`
        add_nuw = build_int_nuw_add,
        /// `sub`
        sub = build_int_sub,
        /// `mul`
        mul = build_int_mul,
        /// `mul nuw`
        mul_nuw = build_int_nuw_mul,
        /// `udiv`
        udiv = build_int_unsigned_div,
        /// `urem`
        urem = build_int_unsigned_rem,
        /// `and`
        and = build_and,
        /// `or`
        or = build_or,
        /// `xor`
        xor = build_xor,
        /// `shl`
        shl = build_left_shift,
    }
    casts! {
        /// `trunc`
        trunc = LLVMTrunc,
        /// `zext`
        zext = LLVMZExt,
        /// `sext`
        sext = LLVMSExt,
        /// `bitcast`
        bitcast = LLVMBitCast,
        /// `ptrtoint`
        ptr_to_int = LLVMPtrToInt,
        /// `inttoptr`
        int_to_ptr = LLVMIntToPtr,
        /// `addrspacecast`
        address_space_cast = LLVMAddrSpaceCast,
        /// `sitofp`
        signed_to_float = LLVMSIToFP,
        /// `uitofp`
        unsigned_to_float = LLVMUIToFP,
        /// `fptosi`
        float_to_signed = LLVMFPToSI,
        /// `fptoui`
        float_to_unsigned = LLVMFPToUI,
    }
    #[track_caller]
    fn cast(&self, op: LLVMOpcode, v: Value<'m>, to: Type<'m>) -> Value<'m> {
        if v.ty() == to {
            return v;
        }
        let (from, into) = (scalar(v.ty()), scalar(to));
        let fits = match op {
            LLVMOpcode::LLVMTrunc => {
                from.is_int() && into.is_int() && from.int_width() > into.int_width()
            }
            LLVMOpcode::LLVMZExt | LLVMOpcode::LLVMSExt => {
                from.is_int() && into.is_int() && from.int_width() < into.int_width()
            }
            LLVMOpcode::LLVMPtrToInt => from.is_pointer() && into.is_int(),
            LLVMOpcode::LLVMIntToPtr => from.is_int() && into.is_pointer(),
            LLVMOpcode::LLVMAddrSpaceCast => from.is_pointer() && into.is_pointer(),
            LLVMOpcode::LLVMSIToFP | LLVMOpcode::LLVMUIToFP => from.is_int() && is_float(into),
            LLVMOpcode::LLVMFPToSI | LLVMOpcode::LLVMFPToUI => is_float(from) && into.is_int(),
            _ => from.is_scalar() && into.is_scalar(),
        };
        assert!(fits, "no such conversion: {v} to {to}");
        // SAFETY: the conversion is between types that it is for.
        unsafe { LLVMBuildCast(self.raw(), op, v, to, NAME.as_ptr()) }
    }

    /// `lshr`
    #[track_caller]
    pub fn lshr(&self, a: Value<'m>, b: Value<'m>) -> Value<'m> {
        integers(a, b);
        built(self.at().build_right_shift(a, b, false, ""))
    }
    /// `ashr`
    #[track_caller]
    pub fn ashr(&self, a: Value<'m>, b: Value<'m>) -> Value<'m> {
        integers(a, b);
        built(self.at().build_right_shift(a, b, true, ""))
    }
    /// `fadd`
    #[track_caller]
    pub fn fadd(&self, a: Value<'m>, b: Value<'m>) -> Value<'m> {
        floats(a, b);
        built(self.at().build_float_add(a, b, ""))
    }
    /// `fmul`
    #[track_caller]
    pub fn fmul(&self, a: Value<'m>, b: Value<'m>) -> Value<'m> {
        floats(a, b);
        built(self.at().build_float_mul(a, b, ""))
    }
    /// `fdiv`
    #[track_caller]
    pub fn fdiv(&self, a: Value<'m>, b: Value<'m>) -> Value<'m> {
        floats(a, b);
        built(self.at().build_float_div(a, b, ""))
    }
    /// `add nuw nsw`
    #[track_caller]
    pub fn add_nuw_nsw(&self, a: Value<'m>, b: Value<'m>) -> Value<'m> {
        let v = self.add_nuw(a, b);
        if v.opcode() == Opcode::Add && v.is_instruction() {
            // SAFETY: it is an addition of integers.
            unsafe { LLVMSetNSW(v, 1) };
        }
        v
    }
    /// `zext` or `trunc` to an integer type.
    #[track_caller]
    pub fn zext_or_trunc(&self, v: Value<'m>, to: Type<'m>) -> Value<'m> {
        if v.ty().int_width() > to.int_width() { self.trunc(v, to) } else { self.zext(v, to) }
    }
    /// `icmp`
    #[track_caller]
    pub fn icmp(&self, p: IntPredicate, a: Value<'m>, b: Value<'m>) -> Value<'m> {
        same_types(a, b);
        let ty = scalar(a.ty());
        assert!(ty.is_int() || ty.is_pointer(), "{a} is no integer or pointer");
        let p: LLVMIntPredicate = p.raw();
        // SAFETY: the operands are integers or pointers of one type.
        unsafe { LLVMBuildICmp(self.raw(), p, a, b, NAME.as_ptr()) }
    }
    /// `fcmp`
    #[track_caller]
    pub fn fcmp(&self, p: FloatPredicate, a: Value<'m>, b: Value<'m>) -> Value<'m> {
        floats(a, b);
        // SAFETY: the operands are floating-point values of one type.
        unsafe { LLVMBuildFCmp(self.raw(), p.raw(), a, b, NAME.as_ptr()) }
    }
    /// The larger (unsigned) of two integers.
    #[track_caller]
    pub fn umax(&self, a: Value<'m>, b: Value<'m>) -> Value<'m> {
        self.select(self.icmp(IntPredicate::Ugt, a, b), a, b)
    }
    /// The smaller (unsigned) of two integers.
    #[track_caller]
    pub fn umin(&self, a: Value<'m>, b: Value<'m>) -> Value<'m> {
        self.select(self.icmp(IntPredicate::Ult, a, b), a, b)
    }
    /// `select`
    #[track_caller]
    pub fn select(&self, c: Value<'m>, a: Value<'m>, b: Value<'m>) -> Value<'m> {
        same_types(a, b);
        assert!(scalar(c.ty()) == c.cx().i1(), "{c} is no condition");
        // SAFETY: the condition is of `i1`, and the values have one type.
        unsafe { LLVMBuildSelect(self.raw(), c, a, b, NAME.as_ptr()) }
    }
    /// `freeze`
    #[track_caller]
    pub fn freeze(&self, v: Value<'m>) -> Value<'m> {
        // SAFETY: any value can be frozen.
        unsafe { LLVMBuildFreeze(self.raw(), v, NAME.as_ptr()) }
    }
    /// `alloca`
    #[track_caller]
    pub fn alloca(&self, ty: Type<'m>, name: &str) -> Value<'m> {
        assert!(ty.is_sized(), "{ty} has no size");
        // SAFETY: the type has a size.
        let v = unsafe { LLVMBuildAlloca(self.raw(), ty, NAME.as_ptr()) };
        v.set_name(name);
        v
    }
    /// `alloca` of `count` bytes, constant or not.
    #[track_caller]
    pub fn alloca_bytes(&self, bytes: Value<'m>, name: &str) -> Value<'m> {
        assert!(bytes.ty().is_int(), "{bytes} is no number");
        let byte = bytes.cx().i8();
        // SAFETY: the type has a size, and the count is an integer.
        let v = unsafe { LLVMBuildArrayAlloca(self.raw(), byte, bytes, NAME.as_ptr()) };
        v.set_name(name);
        v
    }
    /// `llvm.stacksave`: the stack pointer here.
    #[track_caller]
    pub fn stack_pointer(&self, module: &'m Module<'_>) -> Value<'m> {
        let cx = module.cx();
        self.call(module.get_or_add_function("llvm.stacksave.p0", cx.function(cx.ptr(0), &[])), &[])
    }
    /// `load` with an explicit alignment in bytes (0: the type's).
    #[track_caller]
    pub fn load(&self, ty: Type<'m>, p: Value<'m>, align: u32) -> Value<'m> {
        pointer(p);
        assert!(ty.is_sized(), "{ty} has no size");
        // SAFETY: the address is a pointer, and the type has a size.
        let v = unsafe { LLVMBuildLoad2(self.raw(), ty, p, NAME.as_ptr()) };
        if align != 0 {
            v.set_align(align);
        }
        v
    }
    /// `store` with an explicit alignment in bytes (0: the type's).
    #[track_caller]
    pub fn store(&self, v: Value<'m>, p: Value<'m>, align: u32) -> Value<'m> {
        pointer(p);
        assert!(v.ty().is_sized(), "{v} has no size");
        // SAFETY: the address is a pointer, and the value has a size.
        let s = unsafe { LLVMBuildStore(self.raw(), v, p) };
        if align != 0 {
            s.set_align(align);
        }
        s
    }
    /// `llvm.memcpy`; alignments in bytes.
    #[track_caller]
    pub fn memcpy(
        &self,
        dst: Value<'m>,
        dst_align: u32,
        src: Value<'m>,
        src_align: u32,
        size: Value<'m>,
    ) -> Value<'m> {
        pointer(dst);
        pointer(src);
        assert!(size.ty().is_int(), "{size} is no number");
        // SAFETY: the addresses are pointers, and the size is an integer.
        unsafe { LLVMBuildMemCpy(self.raw(), dst, dst_align, src, src_align, size) }
    }
    /// `llvm.memset` with a constant byte; the alignment in bytes.
    #[track_caller]
    pub fn memset(&self, dst: Value<'m>, byte: u8, size: Value<'m>, align: u32) -> Value<'m> {
        pointer(dst);
        assert!(size.ty().is_int(), "{size} is no number");
        let byte = dst.cx().i8().constant(byte.into());
        // SAFETY: the address is a pointer, the value a byte, and the size an integer.
        unsafe { LLVMBuildMemSet(self.raw(), dst, byte, size, align) }
    }
    /// `getelementptr inbounds`
    #[track_caller]
    pub fn gep(&self, ty: Type<'m>, p: Value<'m>, indices: &[Value<'m>]) -> Value<'m> {
        pointer(p);
        let simple = matches!(indices, [only] if only.ty().is_int());
        assert!(ty.is_sized() && simple, "an address in {ty} has one index");
        let (list, count) = (indices.as_ptr(), len32(indices));
        // SAFETY: the address is a pointer, the type has a size, and the index is an integer.
        unsafe { LLVMBuildInBoundsGEP2(self.raw(), ty, p, list, count, NAME.as_ptr()) }
    }
    /// The address `bytes` bytes after `p`.
    #[track_caller]
    pub fn byte_offset(&self, p: Value<'m>, bytes: Value<'m>) -> Value<'m> {
        if bytes.as_u64() == Some(0) {
            return p;
        }
        self.gep(p.cx().i8(), p, &[bytes])
    }
    /// `phi`
    #[track_caller]
    pub fn phi(&self, ty: Type<'m>, name: &str) -> Value<'m> {
        assert!(ty.has_constants(), "{ty} has no values");
        // SAFETY: the type has values.
        let v = unsafe { LLVMBuildPhi(self.raw(), ty, NAME.as_ptr()) };
        v.set_name(name);
        v
    }
    /// `call` of a function, with its calling convention.
    #[track_caller]
    pub fn call(&self, f: Function<'m>, args: &[Value<'m>]) -> Value<'m> {
        let ty = f.ty();
        let params = ty.params();
        let given = args.iter().map(|a| a.ty());
        assert!(params.into_iter().eq(given), "arguments of other types than those of {f:?}");
        let (list, count) = (args.as_ptr(), len32(args));
        // SAFETY: the type is the function's, and the arguments have its parameters' types.
        let v = unsafe { LLVMBuildCall2(self.raw(), ty, f.value(), list, count, NAME.as_ptr()) };
        v.set_call_convention(f.convention());
        v
    }
    /// `extractelement`
    #[track_caller]
    pub fn extract_element(&self, v: Value<'m>, i: Value<'m>) -> Value<'m> {
        let vector = v.ty().is_vector() || v.ty().is_scalable_vector();
        assert!(vector && i.ty().is_int(), "no lane of {v}");
        // SAFETY: a vector and an integer.
        unsafe { LLVMBuildExtractElement(self.raw(), v, i, NAME.as_ptr()) }
    }
    /// `extractvalue` of member `n` of a structure.
    #[track_caller]
    pub fn extract_value(&self, v: Value<'m>, n: u32) -> Value<'m> {
        assert!(v.ty().members().get(n as usize).is_some(), "{v} has no member {n}");
        // SAFETY: a structure with a member `n`.
        unsafe { LLVMBuildExtractValue(self.raw(), v, n, NAME.as_ptr()) }
    }
    /// `insertelement`
    #[track_caller]
    pub fn insert_element(&self, vector: Value<'m>, v: Value<'m>, i: Value<'m>) -> Value<'m> {
        let lane = Type::from(vector.ty().any_vector()).element();
        assert!(lane == v.ty() && i.ty().is_int(), "{v} is no lane of {vector}");
        // SAFETY: a vector, one of its elements and an integer.
        unsafe { LLVMBuildInsertElement(self.raw(), vector, v, i, NAME.as_ptr()) }
    }
    /// `fence`
    #[track_caller]
    pub fn fence(&self, order: Ordering) -> Value<'m> {
        // SAFETY: no operands.
        unsafe { LLVMBuildFence(self.raw(), order.raw(), 0, NAME.as_ptr()) }
    }
    /// `atomicrmw`
    #[track_caller]
    pub fn atomic_rmw(
        &self,
        op: AtomicOp,
        p: Value<'m>,
        v: Value<'m>,
        order: Ordering,
    ) -> Value<'m> {
        pointer(p);
        assert!(v.ty().is_int(), "{v} is no integer");
        // SAFETY: a pointer and an integer.
        unsafe { LLVMBuildAtomicRMW(self.raw(), op.raw(), p, v, order.raw(), 0) }
    }
    /// A copy of an instruction, with the same operands.
    #[track_caller]
    pub fn insert_copy(&self, i: Value<'m>) -> Value<'m> {
        let copy = LLVMInstructionClone(i.placed().0);
        // SAFETY: the copy is in no block.
        unsafe { LLVMInsertIntoBuilder(self.raw(), copy) };
        copy
    }

    /// `br`
    #[track_caller]
    pub fn br(&self, to: Block<'m>) -> Value<'m> {
        // SAFETY: any block can be branched to.
        unsafe { LLVMBuildBr(self.raw(), to) }
    }
    /// `br i1`
    #[track_caller]
    pub fn cond_br(&self, c: Value<'m>, then: Block<'m>, otherwise: Block<'m>) -> Value<'m> {
        condition(c);
        // SAFETY: the condition is an `i1`.
        unsafe { LLVMBuildCondBr(self.raw(), c, then, otherwise) }
    }
    /// `switch`
    #[track_caller]
    pub fn switch(
        &self,
        v: Value<'m>,
        default: Block<'m>,
        cases: &[(Value<'m>, Block<'m>)],
    ) -> Value<'m> {
        let constants = cases.iter().all(|(c, _)| c.ty() == v.ty() && c.is_constant());
        assert!(v.ty().is_int() && constants, "no switch over {v}");
        // SAFETY: the value is an integer.
        let s = unsafe { LLVMBuildSwitch(self.raw(), v, default, len32(cases)) };
        for (value, block) in cases {
            // SAFETY: a switch, and a constant of its type.
            unsafe { LLVMAddCase(s, *value, *block) };
        }
        s
    }
    /// `ret void`
    #[track_caller]
    pub fn ret_void(&self) -> Value<'m> {
        instruction(built(self.at().build_return(None)))
    }
    /// `ret`
    #[track_caller]
    pub fn ret(&self, v: Value<'m>) -> Value<'m> {
        // SAFETY: any value can be returned; the verifier compares it with the function's type.
        unsafe { LLVMBuildRet(self.raw(), v) }
    }
    /// `unreachable`
    #[track_caller]
    pub fn unreachable(&self) -> Value<'m> {
        instruction(built(self.at().build_unreachable()))
    }
}

#[track_caller]
fn instruction(made: inkwell::values::InstructionValue<'_>) -> Value<'_> {
    use inkwell::values::AsValueRef as _;
    Value::of(made.as_value_ref())
}
