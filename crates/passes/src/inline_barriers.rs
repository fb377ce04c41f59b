//! `inline-barriers`: every function that can reach a barrier is inlined into the kernels, and all barriers become calls
//! of one function, `void __muxcl_barrier()`, that LLVM may neither duplicate nor move.
//!
//! Invariant afterwards: barriers are called by kernels only.

use std::collections::BTreeSet;

use muxcl_llvm::{Builder, Function, Module};

use crate::names::{BARRIER, is_barrier};
use crate::{PassError, prepare};

/// Runs the pass.
///
/// # Errors
/// A function with a barrier that cannot be inlined (recursive, or called through a pointer).
pub fn run(module: &Module<'_>) -> Result<(), PassError> {
    let cx = module.cx();
    let barriers: Vec<Function> = module.functions().into_iter().filter(|f| is_barrier(&f.name())).collect();
    if barriers.iter().all(|f| !f.0.has_uses()) {
        return Ok(());
    }
    let one = module.get_or_add_function(BARRIER, cx.function(cx.void(), &[]));
    for name in ["nounwind", "convergent", "noduplicate"] {
        one.add_attribute(name);
    }
    for f in barriers {
        if f == one {
            continue;
        }
        for call in f.direct_calls() {
            Builder::before(call).call(one, &[]);
            call.erase();
        }
    }
    // Callers of barriers that are no kernels, until there are none.
    let kernels: BTreeSet<Function> = prepare::kernels(module).into_iter().collect();
    let mut rounds = 0;
    loop {
        let mut inner: BTreeSet<Function> =
            one.direct_calls().into_iter().map(|c| c.block().function()).filter(|f| !kernels.contains(f)).collect();
        // A kernel called by other kernels (old clang form) is inlined there too, and stays.
        for k in &kernels {
            if k.direct_calls().iter().any(|c| c.block().function() != *k) && calls_barrier(*k, one) {
                inner.insert(*k);
            }
        }
        if inner.is_empty() {
            return Ok(());
        }
        rounds += 1;
        if rounds > 256 {
            return Err(PassError::Unsupported("a recursive function calls barrier()".into()));
        }
        for f in inner {
            for call in f.direct_calls() {
                if call.block().function() == f || !call.inline_call() {
                    return Err(PassError::Unsupported(format!(
                        "function '{}' calls barrier() and cannot be inlined",
                        f.name()
                    )));
                }
            }
            if kernels.contains(&f) {
                continue;
            }
            if f.0.has_uses() {
                return Err(PassError::Unsupported(format!(
                    "function '{}' calls barrier() and its address is taken",
                    f.name()
                )));
            }
            f.erase();
        }
    }
}

fn calls_barrier(f: Function, barrier: Function) -> bool {
    barrier.direct_calls().iter().any(|c| c.block().function() == f)
}
