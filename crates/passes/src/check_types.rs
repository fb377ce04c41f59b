//! `check-types`: refuses floating-point types for which the device has no arithmetic.
//!
//! clang accepts `long double` (128 bits on SPIR) and `__bf16`, which OpenCL C does not have. Code
//! generation would emit calls of library functions that no device has, and the first launch would
//! fail. The pass runs on cleaned IR, so constants that optimisation folds are accepted.

use std::collections::BTreeSet;

use muxcl_llvm::{Module, Opcode, Type, TypeKind, Value};

use crate::{PassError, names};

/// Runs the pass. `has_bfloat`: the device has arithmetic on `bfloat`.
///
/// # Errors
/// A function computes with such a type.
pub fn run(module: &Module<'_>, has_bfloat: bool) -> Result<(), PassError> {
    let mut found = BTreeSet::new();
    for f in module.definitions() {
        for i in f.instructions() {
            if let Some(what) = types(i).into_iter().find_map(|ty| refused(ty, has_bfloat)) {
                found.insert(format!("function '{}' uses {what}", names::readable(&f.name())));
            }
        }
    }
    if found.is_empty() {
        return Ok(());
    }
    let lines: Vec<String> = found.into_iter().collect();
    Err(PassError::Unsupported(lines.join("\n")))
}

/// The types of an instruction to check: its result's, an allocated variable's and a stored
/// value's.
fn types(i: Value<'_>) -> Vec<Type<'_>> {
    let mut types = vec![i.ty()];
    if i.is_alloca() {
        types.push(i.allocated_type());
    } else if i.opcode() == Opcode::Store {
        types.push(i.operand(0).ty());
    }
    types
}

fn refused(ty: Type<'_>, has_bfloat: bool) -> Option<&'static str> {
    let element = if ty.is_vector() { ty.element() } else { ty };
    match element.kind() {
        TypeKind::BFloat if !has_bfloat => {
            Some("'__bf16', for which this device has no arithmetic")
        }
        TypeKind::OtherFloat => Some("'long double', which OpenCL C reserves"),
        _ => None,
    }
}
