//! `fuse-halves`: makes `fma` and `mad` of `half` one instruction, for processors that have it.
//!
//! The library's `fma` of `half` is software: most processors compute with `float` only, and LLVM
//! would round twice. The pass runs before the library is linked, so that a function that the
//! program defines itself is not the library's. Not here: other formats, for which the library has
//! LLVM's intrinsic, and calls in the library.

use muxcl_llvm::{Builder, Function, Module, Type, TypeKind};

use crate::PassError;

/// The beginnings of the functions' mangled names. `mad` may be less exact than `fma`.
const NAMES: [&str; 2] = ["_Z3fma", "_Z3mad"];

/// Runs the pass.
///
/// # Errors
/// Never fails today; all passes have this signature.
pub fn run(module: &Module<'_>) -> Result<(), PassError> {
    for f in module.functions() {
        let Some(suffix) = intrinsic(f) else { continue };
        for call in f.direct_calls() {
            let fma = module.get_or_add_function(&format!("llvm.fma.{suffix}"), f.ty());
            let value = Builder::before(call).call(fma, &call.args());
            call.replace_all_uses(value);
            call.erase();
        }
        if !f.has_uses() {
            f.erase();
        }
    }
    Ok(())
}

/// The type in the name of the intrinsic that does the same, if the library has the function.
fn intrinsic(f: Function<'_>) -> Option<String> {
    let name = f.name();
    if !f.is_declaration() || !NAMES.iter().any(|start| name.starts_with(start)) {
        return None;
    }
    let (ty, params) = (f.ty().ret(), f.ty().params());
    let same = params.len() == 3 && params.iter().all(|p| *p == ty);
    suffix(ty).filter(|_| same)
}

/// The name of `half` and its vectors in names of intrinsics.
fn suffix(ty: Type<'_>) -> Option<String> {
    if ty.is_vector() {
        let count = ty.vector_len();
        return suffix(ty.element()).map(|element| format!("v{count}{element}"));
    }
    (ty.kind() == TypeKind::Half).then(|| "f16".to_owned())
}
