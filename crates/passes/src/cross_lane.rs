//! `cross-lane`: lowers the library's operations between the work-items of a sub-group.
//!
//! Sub-group functions call a few operations of the library ([`SUB_OPERATION`]), such as a
//! reduction. Their bodies exchange values through memory, between sub-group barriers. If the
//! sub-groups of a kernel become vectors, this pass replaces each call by one of `muxcl-vecz`'s
//! operations between lanes. Otherwise it inlines the bodies, and `work-item-loops` handles the
//! barriers.

use std::collections::BTreeSet;

use muxcl_llvm::{Builder, Function, Module, Value};
use muxcl_vecz::cross_lane::{Combine, Operation, PREFIX};

use crate::PassError;
use crate::names::{SUB_ACTIVE, SUB_BARRIER, SUB_BARRIER_ONCE, SUB_OPERATION, SUB_SCRATCH};
use crate::work_item_loops::may_wait;

/// Runs the pass on one kernel. If `lanes` is true, its sub-groups become vectors, unless the
/// kernel has an operation without a vector form, or a loop that may wait for another work-item.
///
/// # Errors
/// The body of an operation cannot be inlined.
pub fn run(module: &Module<'_>, kernel: Function<'_>, lanes: bool) -> Result<(), PassError> {
    let calls: Vec<Value<'_>> =
        kernel.instructions().into_iter().filter(|i| operation_name(*i).is_some()).collect();
    let barriers = calls_in(module, kernel, &[SUB_BARRIER]);
    if calls.is_empty() && barriers.is_empty() {
        return Ok(());
    }
    let operations: Option<Vec<_>> = calls.iter().map(|c| operation(*c)).collect();
    let others = calls_in(module, kernel, &[SUB_BARRIER_ONCE, SUB_SCRATCH, SUB_ACTIVE]);
    match operations.filter(|_| lanes && others.is_empty() && !may_wait(kernel)) {
        Some(operations) => {
            for (call, (operation, ty)) in calls.into_iter().zip(operations) {
                let f = function(module, operation, &ty, call.called_type());
                let new = Builder::before(call).call(f, &call.args());
                call.replace_all_uses(new);
                call.erase();
            }
            let cx = module.cx();
            for call in barriers {
                let f = function(module, Operation::Barrier, "", cx.function(cx.void(), &[]));
                Builder::before(call).call(f, &[]);
                call.erase();
            }
        }
        None => {
            for call in calls {
                if !call.inline_call() {
                    let what = "a function of a sub-group cannot be inlined".to_owned();
                    return Err(PassError::Internal { pass: "cross-lane", what });
                }
            }
        }
    }
    Ok(())
}

/// Removes the library's operations that no kernel calls any more.
pub fn erase_bodies(module: &Module<'_>) {
    for f in module.functions() {
        if f.name().starts_with(SUB_OPERATION) && !f.has_uses() {
            f.erase();
        }
    }
}

/// True if the function calls operations between lanes.
pub fn has_operations(f: Function<'_>) -> bool {
    f.instructions().into_iter().any(is_operation)
}

/// The names of the functions that still call operations between lanes after `vecz` has run. They
/// cannot be compiled, because no scalar code exists for these operations.
pub fn left(module: &Module<'_>) -> BTreeSet<String> {
    let functions = module.functions().into_iter().filter(|f| f.name().starts_with(PREFIX));
    functions.flat_map(Function::direct_calls).map(|c| c.block().function().name()).collect()
}

/// True for a call of an operation between lanes.
pub(crate) fn is_operation(i: Value<'_>) -> bool {
    i.is_call() && i.callee().is_some_and(|f| f.name().starts_with(PREFIX))
}

/// The calls of the functions `names` in `kernel`.
fn calls_in<'m>(module: &'m Module<'_>, kernel: Function<'m>, names: &[&str]) -> Vec<Value<'m>> {
    let functions = names.iter().filter_map(|name| module.function(name));
    let calls = functions.flat_map(Function::direct_calls);
    calls.filter(|c| c.block().function() == kernel).collect()
}

/// The name of the library's operation that an instruction calls, without the prefix:
/// `reduce_add_int`.
fn operation_name(i: Value<'_>) -> Option<String> {
    if !i.is_call() {
        return None;
    }
    Some(i.callee()?.name().strip_prefix(SUB_OPERATION)?.to_owned())
}

/// The operation between lanes that replaces a call of the library's operation, and the name of its
/// type in OpenCL C. `None` if `call` has no such replacement.
fn operation(call: Value<'_>) -> Option<(Operation, String)> {
    let name = operation_name(call)?;
    let mut parts = name.split('_');
    let kind = parts.next()?;
    let simple = match kind {
        "votes" => return Some((Operation::Votes, String::new())),
        "first" => Some(Operation::First),
        "pick" => Some(Operation::Pick),
        _ => None,
    };
    if let Some(operation) = simple {
        return Some((operation, parts.next()?.to_owned()));
    }
    let (with, ty) = (parts.next()?, parts.next()?);
    let unsigned = matches!(ty, "uchar" | "ushort" | "uint" | "ulong");
    let with = match (with, unsigned) {
        ("add", _) => Combine::Add,
        ("mul", _) => Combine::Mul,
        ("min", false) => Combine::Min,
        ("max", false) => Combine::Max,
        ("min", true) => Combine::UMin,
        ("max", true) => Combine::UMax,
        ("and", _) => Combine::And,
        ("or", _) => Combine::Or,
        ("xor", _) => Combine::Xor,
        _ => return None,
    };
    let operation = match kind {
        "reduce" => Operation::Reduce(with),
        "scan" => Operation::Scan(with),
        "before" => Operation::Before(with),
        "cluster" => Operation::Cluster(with),
        _ => return None,
    };
    Some((operation, ty.to_owned()))
}

/// The function of an operation between lanes for the OpenCL C type `name`. `ty` is the function's
/// type.
fn function<'m>(
    module: &'m Module<'_>,
    operation: Operation,
    name: &str,
    ty: muxcl_llvm::Type<'m>,
) -> Function<'m> {
    let f = module.get_or_add_function(&operation.function_name(name), ty);
    for attribute in ["nounwind", "convergent", "willreturn"] {
        f.add_attribute(attribute);
    }
    if operation == Operation::Barrier {
        f.add_attribute("noduplicate");
    } else {
        f.add_attribute_value("memory", 0);
    }
    f
}
