//! `inline-barriers`: inlines every function that can reach a barrier or queries sub-groups into
//! the kernels. All barriers of a kind become calls of one function, such as `void
//! __muxcl_barrier()`, which LLVM may neither duplicate nor move.
//!
//! Invariant afterwards: the functions of [`names::belongs_in_kernels`] are called only by kernels
//! and by the library's sub-group operations ([`names::SUB_OPERATION`]). Only kernels call these
//! operations, which the pass `cross-lane` lowers later. The code of a kernel grows in proportion
//! to the source: where copies would multiply, it has one copy for all calls (`share`).

mod share;

use std::collections::BTreeSet;

use muxcl_llvm::{Builder, Function, Module};

use crate::{PassError, names, prepare};

/// Runs the pass.
///
/// # Errors
/// A function with a barrier that cannot be inlined (recursive, or called through a pointer).
pub fn run(module: &Module<'_>) -> Result<(), PassError> {
    let cx = module.cx();
    let mut wanted: Vec<Function<'_>> = module
        .functions()
        .into_iter()
        .filter(|f| f.has_uses() && (names::belongs_in_kernels(&f.name()) || is_operation(*f)))
        .collect();
    if wanted.is_empty() {
        return Ok(());
    }
    for f in wanted.clone() {
        let Some(kind) = names::barrier_kind(&f.name()) else { continue };
        let one = module.get_or_add_function(kind, cx.function(cx.void(), &[]));
        for name in ["nounwind", "convergent", "noduplicate"] {
            one.add_attribute(name);
        }
        if f == one {
            continue;
        }
        for call in f.direct_calls() {
            Builder::before(call).call(one, &[]);
            call.erase();
        }
        wanted.retain(|w| *w != f && *w != one);
        wanted.push(one);
    }
    let kernels: BTreeSet<Function<'_>> = prepare::kernels(module).into_iter().collect();
    share::run(module, &wanted, &kernels);
    let calls = || wanted.iter().flat_map(|f| f.direct_calls());
    // Inlines into callers that are not kernels, until only kernels call these functions.
    let mut rounds = 0;
    loop {
        let mut inner: BTreeSet<Function<'_>> =
            calls().map(|c| c.block().function()).filter(|f| !kernels.contains(f)).collect();
        inner.retain(|f| !is_operation(*f));
        // A kernel that other kernels call (clang's old form) is inlined there, and stays a kernel.
        for k in &kernels {
            if k.direct_calls().iter().any(|c| c.block().function() != *k)
                && calls().any(|c| c.block().function() == *k)
            {
                inner.insert(*k);
            }
        }
        if inner.is_empty() {
            return Ok(());
        }
        rounds += 1;
        if rounds > 256 {
            return Err(PassError::Unsupported(
                "a recursive function calls barrier() or a sub-group function".into(),
            ));
        }
        // Module order makes the output independent of addresses.
        for f in module.functions().into_iter().filter(|f| inner.contains(f)) {
            for call in f.direct_calls() {
                if call.block().function() == f || !call.inline_call() {
                    return Err(PassError::Unsupported(format!(
                        "function '{}' calls barrier() or a sub-group function, and cannot be inlined",
                        names::readable(&f.name())
                    )));
                }
            }
            if kernels.contains(&f) {
                continue;
            }
            if f.has_uses() {
                return Err(PassError::Unsupported(format!(
                    "function '{}' calls barrier() or a sub-group function, and its address is taken",
                    names::readable(&f.name())
                )));
            }
            f.erase();
        }
    }
}

/// True for one of the library's sub-group operations.
fn is_operation(f: Function<'_>) -> bool {
    f.name().starts_with(names::SUB_OPERATION)
}
