//! `lower-opaque`: replaces opaque types. Images become pointers to their descriptors; events,
//! reservations and samplers become the numbers that represent them. Queries of generic pointers
//! become range checks.
//!
//! `to_local` and similar queries become calls of `__muxcl_is_local` / `__muxcl_is_private`.
//! `work-item-params` and `work-item-loops` replace those by comparisons with the ranges in
//! `HostExtra`. Not here: those comparisons.

use muxcl_llvm::{Builder, Module, Value};

use crate::PassError;
use crate::names::{AddressQuery, IS_LOCAL, IS_PRIVATE, address_query, is_handle};

const GLOBAL_FENCE: u64 = 2;
const LOCAL_FENCE: u64 = 1;

/// Runs the pass.
///
/// # Errors
/// The module has a program-scope variable of an opaque type.
pub fn run(module: &mut Module<'_>) -> Result<(), PassError> {
    module.replace_opaque_types()?;
    let module = &*module;
    for f in module.functions() {
        if !f.is_declaration() || f.is_intrinsic() {
            continue;
        }
        if is_handle(&f.name()) {
            for call in f.direct_calls() {
                let Some(v) = call.args().first().copied() else { continue };
                let b = Builder::before(call);
                let to = call.ty();
                call.replace_all_uses(match (v.ty().is_pointer(), to.is_pointer()) {
                    (true, true) if v.ty() == to => v,
                    (true, true) => b.address_space_cast(v, to),
                    (_, true) => b.int_to_ptr(v, to),
                    _ => b.ptr_to_int(v, to),
                });
                call.erase();
            }
            f.erase();
            continue;
        }
        let Some(query) = address_query(&f.name()) else { continue };
        for call in f.direct_calls() {
            lower(module, query, call);
        }
        if !f.has_uses() {
            f.erase();
        }
    }
    Ok(())
}

fn lower(module: &Module<'_>, query: AddressQuery, call: Value<'_>) {
    let Some(pointer) = call.args().first().copied() else { return };
    let cx = module.cx();
    let b = Builder::before(call);
    let check = |name: &str| {
        let ty = cx.function(cx.i1(), &[cx.ptr(4)]);
        let f = module.get_or_add_function(name, ty);
        f.add_attribute("nounwind");
        let p = if pointer.ty() == cx.ptr(4) {
            pointer
        } else {
            b.address_space_cast(pointer, cx.ptr(4))
        };
        b.call(f, &[p])
    };
    let result = call.ty();
    let converted = |space: u32, holds| {
        let p = b.address_space_cast(pointer, cx.ptr(space));
        let p = if p.ty() == result { p } else { b.address_space_cast(p, result) };
        b.select(holds, p, result.null())
    };
    let value = match query {
        AddressQuery::ToLocal => converted(3, check(IS_LOCAL)),
        AddressQuery::ToPrivate => converted(0, check(IS_PRIVATE)),
        AddressQuery::ToGlobal => {
            let other = b.or(check(IS_LOCAL), check(IS_PRIVATE));
            let holds = b.xor(other, cx.bool(true));
            converted(1, holds)
        }
        AddressQuery::GetFence => {
            let local = check(IS_LOCAL);
            b.select(local, result.constant(LOCAL_FENCE), result.constant(GLOBAL_FENCE))
        }
    };
    call.replace_all_uses(value);
    call.erase();
}

/// True if this function is one of the two range checks.
pub(crate) fn is_range_check(name: &str) -> bool {
    matches!(name, IS_LOCAL | IS_PRIVATE)
}
