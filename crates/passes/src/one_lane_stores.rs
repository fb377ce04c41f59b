//! `one-lane-stores`: a masked store with a constant mask of one lane becomes a scalar store.
//!
//! LLVM 22 merges a masked store on AVX-512 with a truncation of the stored vector. If the mask is
//! constant and has one lane, LLVM then stores that lane before the truncation, so that the store
//! overwrites the bytes after the element (llvm-project issue 179489, fixed in February 2026). The
//! rest of a row of work-items is often one lane.
//!
//! The pass runs after all optimisations, which make masks constant. It is right and no slower for
//! every processor. Not here: masks with several lanes, which LLVM handles correctly.

use muxcl_llvm::{Builder, Function, Module, Value};

/// Runs the pass.
pub fn run(module: &Module<'_>) {
    for i in module.definitions().into_iter().flat_map(Function::instructions) {
        if let Some(lane) = only_lane(i) {
            store_lane(module, i, lane);
        }
    }
}

/// The only active lane if `i` is a masked store with a constant mask that has one.
fn only_lane(i: Value<'_>) -> Option<u32> {
    let named = |f: Function<'_>| f.is_intrinsic() && f.name().starts_with("llvm.masked.store.");
    if !i.is_call() || !i.callee().is_some_and(named) {
        return None;
    }
    let &[value, _, mask] = i.args().as_slice() else { return None };
    if !value.ty().is_vector() || !mask.is_constant() {
        return None;
    }
    let mut active = None;
    for lane in 0..mask.ty().vector_len() {
        let bit = mask.constant_element(lane)?;
        // LLVM may store or leave out a lane whose bit is undefined.
        if bit.is_undef() || bit.is_null() {
            continue;
        }
        bit.as_u64()?;
        if active.replace(lane).is_some() {
            return None;
        }
    }
    active
}

/// Replaces a masked store by a store of one lane.
fn store_lane<'m>(module: &'m Module<'_>, i: Value<'m>, lane: u32) {
    let &[value, address, _] = i.args().as_slice() else { return };
    let size = module.size_of(value.ty().element());
    let (b, cx) = (Builder::before(i), module.cx());
    let offset = u64::from(lane) * size;
    let element = b.extract_element(value, cx.u64(lane.into()));
    let at = if lane == 0 { address } else { b.byte_offsets(address, cx.u64(offset)) };
    // The largest power of two that divides the vector's address and the offset.
    let known = u64::from(i.arg_align(1)) | offset;
    let align = 1 << known.trailing_zeros();
    b.masked_store(element, at, align, None, i);
    i.erase();
}
