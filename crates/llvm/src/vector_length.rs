//! Operations of the first lanes of a vector, with an explicit vector length: accesses, divisions
//! and reductions. Processors with such instructions need no mask for the last lanes of a loop.
//!
//! Lanes at and beyond the length are not accessed, and are poison in results. Not here: operations
//! of all lanes (`lanes`).

use crate::ffi::{
    MuxclLengthAny, MuxclLengthDivision, MuxclLengthLoad, MuxclLengthMerge, MuxclLengthStore,
    MuxclStridedLoad, MuxclStridedStore, MuxclVectorLength,
};
use crate::{Builder, Opcode, Type, Value};

/// The lanes of an operation.
#[derive(Debug, Clone, Copy)]
pub struct FirstLanes<'m> {
    /// The number of lanes, an `i32` that is at most the number of lanes of the vectors.
    pub length: Value<'m>,
    /// The mask of these lanes; `None`: all of them.
    pub mask: Option<Value<'m>>,
}

impl<'m> FirstLanes<'m> {
    /// Checks the mask of an operation on vectors of type `ty`.
    #[track_caller]
    fn check(self, ty: Type<'m>) {
        let lanes = |t: Type<'m>| (t.vector_len(), t.is_scalable_vector());
        assert!(ty.is_any_vector(), "{ty} is no vector");
        assert!(self.length.ty() == ty.cx().i32(), "{} is no length", self.length);
        let fits = |m: Value<'m>| lanes(m.ty()) == lanes(ty) && m.ty().element() == ty.cx().i1();
        assert!(self.mask.is_none_or(fits), "{:?} is no mask for {ty}", self.mask);
    }

    /// Checks an access at one address or at one for each lane.
    #[track_caller]
    fn check_access(self, ty: Type<'m>, address: Value<'m>, align: u32) {
        self.check(ty);
        let t = address.ty();
        let lanes = |t: Type<'m>| (t.vector_len(), t.is_scalable_vector());
        let each = t.is_any_vector() && t.element().is_pointer() && lanes(t) == lanes(ty);
        assert!(t.is_pointer() || each, "{address} is no address for {ty}");
        assert!(align.is_power_of_two(), "{align} is no alignment");
    }
}

impl<'m> Builder<'m> {
    /// The number of lanes of the next vector of a loop of which `left` iterations remain, an
    /// `i32`: `left` if a vector of `vscale * count` lanes has as many, otherwise a number that
    /// the processor chooses, at least one. `left` is an `i32` or has the width of an address.
    /// `bits` is the size of the elements of most vectors.
    pub fn vector_length(&self, left: Value<'m>, count: u32, bits: u32) -> Value<'m> {
        assert!(left.ty().is_int() && count > 0, "{left} is no number of iterations");
        // SAFETY: an integer.
        self.with_raw(|b| unsafe { MuxclVectorLength(b, left, count, bits) })
    }
    /// Loads a vector of type `ty` from consecutive addresses, or each lane from its own address if
    /// `address` is a vector. `like` is the access of one lane.
    pub fn load_first(
        &self,
        ty: Type<'m>,
        address: Value<'m>,
        align: u32,
        lanes: FirstLanes<'m>,
        like: Value<'m>,
    ) -> Value<'m> {
        lanes.check_access(ty, address, align);
        let FirstLanes { length, mask } = lanes;
        // SAFETY: an address or one for each lane, a mask of the lanes, and a length.
        self.with_raw(|b| unsafe { MuxclLengthLoad(b, ty, address, align, mask, length, like) })
    }
    /// Stores a vector, as [`Builder::load_first`].
    pub fn store_first(
        &self,
        v: Value<'m>,
        address: Value<'m>,
        align: u32,
        lanes: FirstLanes<'m>,
        like: Value<'m>,
    ) -> Value<'m> {
        lanes.check_access(v.ty(), address, align);
        let FirstLanes { length, mask } = lanes;
        // SAFETY: as in `load_first`.
        self.with_raw(|b| unsafe { MuxclLengthStore(b, v, address, align, mask, length, like) })
    }
    /// Loads a vector of type `ty` from addresses that are `stride` bytes apart.
    pub fn load_strided(
        &self,
        ty: Type<'m>,
        (address, stride): (Value<'m>, Value<'m>),
        align: u32,
        lanes: FirstLanes<'m>,
        like: Value<'m>,
    ) -> Value<'m> {
        lanes.check_access(ty, address, align);
        assert!(address.ty().is_pointer() && stride.ty().is_int(), "{stride} is no distance");
        let FirstLanes { length, mask } = lanes;
        // SAFETY: an address, a distance, a mask of the lanes, and a length.
        self.with_raw(|b| unsafe {
            MuxclStridedLoad(b, ty, address, stride, align, mask, length, like)
        })
    }
    /// Stores a vector to addresses that are `stride` bytes apart.
    pub fn store_strided(
        &self,
        v: Value<'m>,
        (address, stride): (Value<'m>, Value<'m>),
        align: u32,
        lanes: FirstLanes<'m>,
        like: Value<'m>,
    ) -> Value<'m> {
        lanes.check_access(v.ty(), address, align);
        assert!(address.ty().is_pointer() && stride.ty().is_int(), "{stride} is no distance");
        let FirstLanes { length, mask } = lanes;
        // SAFETY: as in `load_strided`.
        self.with_raw(|b| unsafe {
            MuxclStridedStore(b, v, address, stride, align, mask, length, like)
        })
    }
    /// True if one of the first `length` lanes of the mask `v` is set.
    pub fn any_first(&self, v: Value<'m>, length: Value<'m>) -> Value<'m> {
        FirstLanes { length, mask: Some(v) }.check(v.ty());
        // SAFETY: a vector of `i1` and a length.
        self.with_raw(|b| unsafe { MuxclLengthAny(b, v, length) })
    }
    /// `v` in `lanes`, `other` in all other lanes.
    pub fn merge_first(&self, v: Value<'m>, other: Value<'m>, lanes: FirstLanes<'m>) -> Value<'m> {
        lanes.check(v.ty());
        assert!(v.ty() == other.ty(), "{v} and {other} have different types");
        let FirstLanes { length, mask } = lanes;
        // SAFETY: two vectors of one type, a mask of their lanes, and a length.
        self.with_raw(|b| unsafe { MuxclLengthMerge(b, mask, v, other, length) })
    }
    /// The integer division `like` of `dividend` by `divisor` in `lanes`. Divisors of other lanes
    /// may be zero.
    pub fn divide_first(
        &self,
        like: Value<'m>,
        (dividend, divisor): (Value<'m>, Value<'m>),
        lanes: FirstLanes<'m>,
    ) -> Value<'m> {
        use Opcode as O;
        lanes.check(dividend.ty());
        let divides = matches!(like.opcode(), O::UDiv | O::SDiv | O::URem | O::SRem);
        assert!(divides && dividend.ty() == divisor.ty(), "{like} is no division of {dividend}");
        let FirstLanes { length, mask } = lanes;
        // SAFETY: two vectors of one integer type, a mask of their lanes, and a length.
        self.with_raw(|b| unsafe { MuxclLengthDivision(b, like, dividend, divisor, mask, length) })
    }
}
