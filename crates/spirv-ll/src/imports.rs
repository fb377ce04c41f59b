//! Checks functions that passes recognise by name. A module may import or define them only with the
//! types that the passes expect: LLVM's verifier accepts any.

use crate::mangle::{C, UINT, mangle};
use muxcl_spirv::{Error, Instruction};

const DIMENSIONS: [&str; 8] = [
    "get_global_id",
    "get_local_id",
    "get_group_id",
    "get_global_size",
    "get_local_size",
    "get_enqueued_local_size",
    "get_num_groups",
    "get_global_offset",
];
const SIZES: [&str; 2] = ["get_global_linear_id", "get_local_linear_id"];
const NUMBERS: [&str; 7] = [
    "get_work_dim",
    "get_sub_group_size",
    "get_max_sub_group_size",
    "get_num_sub_groups",
    "get_enqueued_num_sub_groups",
    "get_sub_group_id",
    "get_sub_group_local_id",
];
const BARRIERS: [&str; 3] = ["barrier", "work_group_barrier", "sub_group_barrier"];

/// Saturating arithmetic, which llvm-spirv leaves as imported functions with LLVM's names.
const INTRINSICS: [&str; 4] = ["sadd.sat", "ssub.sat", "uadd.sat", "usub.sat"];

/// The integer type of an LLVM intrinsic that a module may import; `None` for any other name.
pub(crate) fn intrinsic_type(name: &str) -> Option<&str> {
    let (operation, ty) = name.strip_prefix("llvm.")?.rsplit_once('.')?;
    (INTRINSICS.contains(&operation) && matches!(ty, "i8" | "i16" | "i32" | "i64")).then_some(ty)
}

/// Checks the types of a function whose name the passes recognise.
pub(crate) fn check(
    i: Instruction<'_>,
    name: &str,
    result: &str,
    parameters: &[&str],
    address_bits: u32,
) -> Result<(), Error> {
    let own = ["muxcl_", "__muxcl_", "_Z13__muxcl_", "__translate_sampler_initializer"];
    if own.iter().any(|n| name.starts_with(n)) {
        return Err(i.error(format_args!("'{name}' is the driver's own function")));
    }
    let size = format!("i{address_bits}");
    let is_pointer = |ty: &str| ty.starts_with("ptr");
    let scope = C::enumeration("memory_scope");
    let fits = if let Some(ty) = intrinsic_type(name) {
        result == ty && parameters == [ty, ty]
    } else if DIMENSIONS.iter().any(|n| mangle(n, &[UINT]) == name) {
        result == size && parameters == ["i32"]
    } else if SIZES.iter().any(|n| mangle(n, &[]) == name) {
        result == size && parameters.is_empty()
    } else if NUMBERS.iter().any(|n| mangle(n, &[]) == name) {
        result == "i32" && parameters.is_empty()
    } else if BARRIERS.iter().any(|n| mangle(n, &[UINT]) == name) {
        result == "void" && parameters == ["i32"]
    } else if BARRIERS.iter().any(|n| mangle(n, &[UINT, scope.clone()]) == name) {
        result == "void" && parameters == ["i32", "i32"]
    } else if name == "printf" {
        result == "i32" && parameters.first().is_some_and(|ty| is_pointer(ty))
    } else if name.starts_with("_Z9get_fence") {
        result == "i32" && matches!(parameters, [ty] if is_pointer(ty))
    } else if ["__to_", "_Z9to_global", "_Z8to_local", "_Z10to_private"]
        .iter()
        .any(|n| name.starts_with(n))
    {
        is_pointer(result) && matches!(parameters, [ty] if is_pointer(ty))
    } else {
        true
    };
    if fits {
        return Ok(());
    }
    let parameters = parameters.join(", ");
    Err(i.error(format_args!(
        "the builtin '{name}' is declared as {result} ({parameters}), which it is not"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;
    use muxcl_spirv::numbers::Op;

    #[test]
    fn builtins_are_what_they_are() {
        let i = Instruction { op: Op::Function, operands: &[], at: 9 };
        let fits = |name: &str, result: &str, parameters: &[&str]| {
            check(i, name, result, parameters, 64).is_ok()
        };
        assert!(
            fits("_Z13get_global_idj", "i64", &["i32"])
                && !fits("_Z13get_global_idj", "float", &["i32"])
        );
        assert!(fits("_Z18work_group_barrierj12memory_scope", "void", &["i32", "i32"]));
        assert!(!fits("_Z18work_group_barrierj12memory_scope", "float", &["float"]));
        assert!(fits("_Z12get_work_dimv", "i32", &[]) && !fits("_Z12get_work_dimv", "i64", &[]));
        assert!(
            fits("printf", "i32", &["ptr addrspace(2)", "i32"])
                && !fits("printf", "float", &["float"])
        );
        assert!(
            fits("__to_global", "ptr addrspace(1)", &["ptr addrspace(4)"])
                && !fits("__to_global", "i32", &[])
        );
        assert!(
            !fits("__muxcl_launch", "i64", &[])
                && !fits("_Z13__muxcl_image14ocl_image2d_ro", "ptr", &[])
        );
        assert!(
            fits("llvm.usub.sat.i32", "i32", &["i32", "i32"])
                && !fits("llvm.usub.sat.i32", "i32", &["i32", "i64"])
                && intrinsic_type("llvm.memcpy.p0.i64").is_none()
        );
        assert!(fits("my_function", "float", &["%s1"]));
        let sentence = check(i, "printf", "void", &[], 64).unwrap_err().to_string();
        assert_eq!(
            sentence,
            "SPIR-V, word 9: the builtin 'printf' is declared as void (), which it is not"
        );
    }
}
