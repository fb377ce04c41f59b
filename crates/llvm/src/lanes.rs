//! Instructions on vectors of lanes, for a vectorizer: the counterparts of scalar instructions,
//! masked accesses, gathers, scatters, shuffles.

use crate::context::len32;
use crate::ffi::{
    LLVMGetGEPSourceElementType, LLVMGetIndices, LLVMGetIsDisjoint, LLVMGetNSW, LLVMGetNUW,
    LLVMGetNumIndices, MuxclAccuracy, MuxclAdds, MuxclAny, MuxclBuildLanes, MuxclByteOffsets,
    MuxclCombine, MuxclDeinterleave, MuxclDropPoisonFlags, MuxclGather, MuxclInterleave,
    MuxclIsLaneWise, MuxclLaneWiseScalarArg, MuxclMaskedLoad, MuxclMaskedStore, MuxclNeutral,
    MuxclReverse, MuxclScatter, MuxclShuffle, MuxclSplat, MuxclStepVector, MuxclSteps, MuxclVScale,
};
use crate::{Builder, Opcode, Type, Value};

impl<'m> Value<'m> {
    /// True for a call of an intrinsic that acts on each lane of a vector by itself.
    pub fn is_lane_wise(self) -> bool {
        self.is_call() && MuxclIsLaneWise(self) != 0
    }
    /// True if argument `n` of such a call stays scalar when the others are vectors.
    pub fn has_scalar_arg(self, n: u32) -> bool {
        assert!(self.is_lane_wise(), "{self} is no call of a lane-wise intrinsic");
        // SAFETY: it is a call of an intrinsic.
        unsafe { MuxclLaneWiseScalarArg(self, n) != 0 }
    }
    /// The error in ULP that the metadata of a floating-point operation allows; 0 without it.
    pub fn accuracy(self) -> f32 {
        MuxclAccuracy(self)
    }
    /// Removes the flags (`nuw`, `inbounds`, ...) by which an instruction may give poison.
    pub fn drop_poison_flags(self) {
        if self.is_instruction() {
            MuxclDropPoisonFlags(self.instruction());
        }
    }
    /// The identity element of this `atomicrmw`'s operation. `None`: no `atomicrmw`, or one whose
    /// values cannot be combined before the access ([`Builder::combined`]).
    pub fn neutral(self) -> Option<Self> {
        if !self.is_instruction() || self.opcode() != Opcode::AtomicRmw {
            return None;
        }
        // SAFETY: it is an `atomicrmw`.
        unsafe { MuxclNeutral(self) }
    }
    /// 1 for an `atomicrmw` that adds, -1 for one that subtracts, else 0.
    pub fn adds(self) -> i32 {
        if !self.is_instruction() || self.opcode() != Opcode::AtomicRmw {
            return 0;
        }
        // SAFETY: it is an `atomicrmw`.
        unsafe { MuxclAdds(self) }
    }
    /// The type that a `getelementptr` steps over.
    pub fn gep_type(self) -> Type<'m> {
        assert!(self.opcode() == Opcode::GetElementPtr, "{self} is no address computation");
        // SAFETY: it is a `getelementptr`.
        unsafe { LLVMGetGEPSourceElementType(self) }
    }
    /// The number of the member that an `extractvalue` takes from a structure. `None` for other
    /// instructions, and for members of members.
    pub fn member(self) -> Option<u32> {
        if !self.is_instruction() || self.opcode() != Opcode::ExtractValue {
            return None;
        }
        // SAFETY: it is an `extractvalue`.
        if unsafe { LLVMGetNumIndices(self) } != 1 {
            return None;
        }
        // SAFETY: it is an `extractvalue`.
        let indices = unsafe { LLVMGetIndices(self) };
        // SAFETY: the instruction has one index.
        Some(unsafe { *indices })
    }
    fn has_wrap_flags(self) -> bool {
        use Opcode as O;
        matches!(self.opcode(), O::Add | O::Sub | O::Mul | O::Shl | O::Trunc)
            && self.is_instruction()
    }
    /// True for an `or` with `disjoint`, which is a sum.
    pub fn is_disjoint_or(self) -> bool {
        // SAFETY: it is an `or`.
        self.is_instruction()
            && self.opcode() == Opcode::Or
            && unsafe { LLVMGetIsDisjoint(self) != 0 }
    }
    /// True for an `add`, `sub`, `mul`, `shl` or `trunc` with `nsw`.
    pub fn is_nsw(self) -> bool {
        // SAFETY: it is an instruction with that flag.
        self.has_wrap_flags() && unsafe { LLVMGetNSW(self) != 0 }
    }
    /// True for an `add`, `sub`, `mul`, `shl` or `trunc` with `nuw`.
    pub fn is_nuw(self) -> bool {
        // SAFETY: it is an instruction with that flag.
        self.has_wrap_flags() && unsafe { LLVMGetNUW(self) != 0 }
    }
}

/// The length of a vector type: its number of lanes and `false`, or for a scalable vector the
/// factor of `vscale` and `true`.
#[track_caller]
fn lanes(ty: Type<'_>) -> (u32, bool) {
    assert!(ty.is_any_vector(), "{ty} is no vector");
    (ty.vector_len(), ty.is_scalable_vector())
}

/// Checks that a mask has a lane for each element of the accessed type.
#[track_caller]
fn check_mask(mask: Option<Value<'_>>, ty: Type<'_>) {
    let fits = |m: Value<'_>| lanes(m.ty()) == lanes(ty) && m.ty().element() == m.cx().i1();
    assert!(mask.is_none_or(fits), "{mask:?} is no mask for {ty}");
}

/// Checks an access of consecutive elements.
#[track_caller]
fn check_access(ty: Type<'_>, address: Value<'_>, align: u32, mask: Option<Value<'_>>) {
    check_mask(mask, ty);
    assert!(address.ty().is_pointer(), "{address} is no address");
    assert!(align.is_power_of_two(), "{align} is no alignment");
}

/// Checks an access with an address for each element.
#[track_caller]
fn check_scattered(ty: Type<'_>, addresses: Value<'_>, align: u32, mask: Option<Value<'_>>) {
    check_mask(mask, ty);
    let pointers = lanes(addresses.ty()) == lanes(ty) && addresses.ty().element().is_pointer();
    assert!(pointers, "{addresses} is no vector with an address for each lane of {ty}");
    assert!(align.is_power_of_two(), "{align} is no alignment");
}

impl<'m> Builder<'m> {
    /// The instruction `like` on vectors of `count` lanes, with its flags: an arithmetic operation,
    /// comparison, conversion, `select`, `freeze`, address computation or lane-wise call. If an
    /// operand is a scalable vector, the vectors have `vscale * count` lanes.
    pub fn in_lanes(&self, like: Value<'m>, operands: &[Value<'m>], count: u32) -> Value<'m> {
        let known = if like.is_call() { like.args().len() } else { like.operands().len() };
        assert!(known == operands.len(), "{like} has other operands");
        let made = self.with_raw(|b| {
            // SAFETY: a builder, an instruction, and the list of its operands.
            unsafe { MuxclBuildLanes(b, like, operands.as_ptr(), len32(operands), count) }
        });
        match made {
            Some(made) => made,
            None => panic!("{like} has no counterpart on vectors"),
        }
    }
    /// Loads a vector from consecutive addresses; `like` is the access of one lane. Lanes outside
    /// `mask` are not read, and are poison.
    pub fn masked_load(
        &self,
        ty: Type<'m>,
        address: Value<'m>,
        align: u32,
        mask: Option<Value<'m>>,
        like: Value<'m>,
    ) -> Value<'m> {
        check_access(ty, address, align, mask);
        // SAFETY: the address is a pointer, the type a vector, and the mask one of its lanes.
        self.with_raw(|b| unsafe { MuxclMaskedLoad(b, ty, address, align, mask, like) })
    }
    /// Stores a vector to consecutive addresses, as [`Builder::masked_load`].
    pub fn masked_store(
        &self,
        v: Value<'m>,
        address: Value<'m>,
        align: u32,
        mask: Option<Value<'m>>,
        like: Value<'m>,
    ) -> Value<'m> {
        check_access(v.ty(), address, align, mask);
        // SAFETY: as in `masked_load`.
        self.with_raw(|b| unsafe { MuxclMaskedStore(b, v, address, align, mask, like) })
    }
    /// Loads each lane from its own address.
    pub fn gather(
        &self,
        ty: Type<'m>,
        addresses: Value<'m>,
        align: u32,
        mask: Option<Value<'m>>,
        like: Value<'m>,
    ) -> Value<'m> {
        check_scattered(ty, addresses, align, mask);
        // SAFETY: a pointer for each lane, and a mask of the lanes.
        self.with_raw(|b| unsafe { MuxclGather(b, ty, addresses, align, mask, like) })
    }
    /// Stores each lane to its own address; of equal addresses the last lane's value remains.
    pub fn scatter(
        &self,
        v: Value<'m>,
        addresses: Value<'m>,
        align: u32,
        mask: Option<Value<'m>>,
        like: Value<'m>,
    ) -> Value<'m> {
        check_scattered(v.ty(), addresses, align, mask);
        // SAFETY: as in `gather`.
        self.with_raw(|b| unsafe { MuxclScatter(b, v, addresses, align, mask, like) })
    }
    /// `shufflevector` of fixed vectors; -1 is an undefined lane.
    pub fn shuffle(&self, a: Value<'m>, b: Value<'m>, mask: &[i32]) -> Value<'m> {
        let (count, scalable) = lanes(a.ty());
        let count = i32::try_from(count.saturating_mul(2)).unwrap_or(i32::MAX);
        assert!(!scalable, "{a} has an unknown number of lanes");
        assert!(a.ty() == b.ty() && mask.iter().all(|m| (-1..count).contains(m)), "no such lanes");
        // SAFETY: two vectors of one type, and lanes that they have.
        self.with_raw(|raw| unsafe { MuxclShuffle(raw, a, b, mask.as_ptr(), len32(mask)) })
    }
    /// A vector with the value in all lanes.
    pub fn splat(&self, v: Value<'m>, count: u32) -> Value<'m> {
        assert!(v.ty().is_scalar() && count > 0, "{v} is no element of a vector");
        // SAFETY: a value that vectors can hold.
        self.with_raw(|b| unsafe { MuxclSplat(b, v, count, 0) })
    }
    /// A scalable vector of `vscale * count` lanes, all with the value `v`.
    pub fn scalable_splat(&self, v: Value<'m>, count: u32) -> Value<'m> {
        assert!(v.ty().is_scalar() && count > 0, "{v} is no element of a vector");
        // SAFETY: a value that vectors can hold.
        self.with_raw(|b| unsafe { MuxclSplat(b, v, count, 1) })
    }
    /// The value of `vscale`, the factor in the length of scalable vectors, as an integer of type
    /// `ty`.
    pub fn vscale(&self, ty: Type<'m>) -> Value<'m> {
        assert!(ty.is_int(), "{ty} is no integer");
        // SAFETY: `ty` is an integer type.
        self.with_raw(|b| unsafe { MuxclVScale(b, ty) })
    }
    /// The scalable vector 0, 1, 2, ... of type `ty`. A lane whose number does not fit its element
    /// is poison.
    pub fn step_vector(&self, ty: Type<'m>) -> Value<'m> {
        let fits = lanes(ty).1 && ty.element().is_int() && ty.element().int_width() >= 8;
        assert!(fits, "{ty} has no numbers of lanes");
        // SAFETY: `ty` is a scalable vector of integers of at least 8 bits.
        self.with_raw(|b| unsafe { MuxclStepVector(b, ty) })
    }
    /// The vector `v` with its lanes in the opposite order.
    pub fn reverse(&self, v: Value<'m>) -> Value<'m> {
        lanes(v.ty());
        // SAFETY: `lanes` has checked that `v` is a vector.
        self.with_raw(|b| unsafe { MuxclReverse(b, v) })
    }
    /// Interleaves two to eight vectors of one type: lane 0 of each vector, then lane 1 of each,
    /// and so on.
    pub fn interleave(&self, parts: &[Value<'m>]) -> Value<'m> {
        let fit = parts.iter().all(|p| p.ty().is_any_vector() && p.ty() == parts[0].ty());
        assert!(fit && (2..=8).contains(&parts.len()), "these do not interleave");
        // SAFETY: pointer and length are those of `parts`, two to eight vectors of one type.
        self.with_raw(|b| unsafe { MuxclInterleave(b, parts.as_ptr(), len32(parts)) })
    }
    /// The inverse of [`Builder::interleave`]: splits `v` into `count` vectors, two to eight.
    pub fn deinterleave(&self, v: Value<'m>, count: u32) -> Vec<Value<'m>> {
        let fits = lanes(v.ty()).0.is_multiple_of(count) && (2..=8).contains(&count);
        assert!(fits, "{v} has no such parts");
        let mut parts = vec![v; count as usize];
        // SAFETY: the number of lanes of `v` is a multiple of `count`, and `parts` has space for
        // `count` results.
        self.with_raw(|b| unsafe { MuxclDeinterleave(b, v, parts.as_mut_ptr(), count) });
        parts
    }
    /// The addresses `offsets` bytes above `base`. Both may be scalars or vectors of lanes.
    pub fn byte_offsets(&self, base: Value<'m>, offsets: Value<'m>) -> Value<'m> {
        let scalar = |t: Type<'m>| if t.is_any_vector() { t.element() } else { t };
        let fit = scalar(base.ty()).is_pointer() && scalar(offsets.ty()).is_int();
        let (a, b) = (base.ty(), offsets.ty());
        let same = !a.is_any_vector() || !b.is_any_vector() || lanes(a) == lanes(b);
        assert!(fit && same, "{base} and {offsets} are no address and offset");
        // SAFETY: a pointer or pointers, and as many integers.
        self.with_raw(|raw| unsafe { MuxclByteOffsets(raw, base, offsets) })
    }
    /// One value that has the effect of all lanes of `v` in an `atomicrmw` like `rmw`, which has a
    /// [`Value::neutral`] value.
    pub fn combined(&self, rmw: Value<'m>, v: Value<'m>) -> Value<'m> {
        assert!(rmw.neutral().is_some() && v.ty().element() == rmw.ty(), "{rmw} does not combine");
        // SAFETY: an `atomicrmw`, and lanes of its type.
        self.with_raw(|b| unsafe { MuxclCombine(b, rmw, v) })
    }
    /// True if a lane of the mask is set.
    pub fn any(&self, mask: Value<'m>) -> Value<'m> {
        check_mask(Some(mask), mask.ty());
        // SAFETY: a vector of `i1`.
        self.with_raw(|b| unsafe { MuxclAny(b, mask) })
    }
}

impl<'m> Type<'m> {
    /// True for a vector type, with a fixed length or scalable.
    pub fn is_any_vector(self) -> bool {
        self.is_vector() || self.is_scalable_vector()
    }
    /// The constant 0, `step`, 2 `step`, ... of this integer type.
    pub fn steps(self, step: i64, count: u32) -> Value<'m> {
        assert!(self.is_int() && count > 0, "{self} is no integer");
        // SAFETY: an integer type, and at least one lane.
        unsafe { MuxclSteps(self, step, count) }
    }
}
