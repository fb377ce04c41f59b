//! `check-recursion`: refuses programs whose kernels call themselves, directly or through other
//! functions.
//!
//! OpenCL C forbids recursion (section 6.11, restrictions). A work-item's stack has a fixed size,
//! so recursion that survives optimisation could crash the process. The pass runs on inlined and
//! cleaned IR: tail calls, and sums and products of a call's result, are loops by then. Not here:
//! recursion with barriers (`inline-barriers`), calls through pointers, blocks that enqueue
//! themselves.

use std::collections::{BTreeMap, BTreeSet};

use muxcl_llvm::{Function, Module, PipelineOptions, run_pipeline};

use crate::{PassError, names, prepare};

/// Runs the pass.
///
/// # Errors
/// The call graph of a kernel has a cycle.
pub fn run(module: &mut Module<'_>) -> Result<(), PassError> {
    if cycles(module).is_empty() {
        return Ok(());
    }
    let options = PipelineOptions { loop_vectorize: false, slp_vectorize: false };
    run_pipeline(module, "function(tailcallelim,simplifycfg)", None, options)?;
    let cycles = cycles(module);
    if cycles.is_empty() { Ok(()) } else { Err(PassError::Unsupported(cycles.join("\n"))) }
}

/// One message for each kernel whose call graph has a cycle.
fn cycles(module: &Module<'_>) -> Vec<String> {
    let functions = module.definitions();
    let number: BTreeMap<Function<'_>, usize> = functions.iter().copied().zip(0..).collect();
    let mut callees: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); functions.len()];
    for (callee, f) in functions.iter().enumerate() {
        for call in f.direct_calls() {
            if let Some(&caller) = number.get(&call.block().function()) {
                callees[caller].insert(callee);
            }
        }
    }
    let name = |n: &usize| names::readable(&functions[*n].name());
    let mut out = Vec::new();
    for kernel in prepare::kernels(module) {
        let Some(&start) = number.get(&kernel) else { continue };
        if let Some(cycle) = first_cycle(&callees, start) {
            let path: Vec<String> = cycle.iter().map(name).collect();
            out.push(format!(
                "kernel '{}' is recursive: {}; OpenCL C has no recursion",
                names::readable(&kernel.name()),
                path.join(" calls ")
            ));
        }
    }
    out
}

/// The first cycle that a depth-first search from `start` finds: its functions in the order of the
/// calls; the first one comes again at the end.
fn first_cycle(callees: &[BTreeSet<usize>], start: usize) -> Option<Vec<usize>> {
    let mut seen = BTreeSet::from([start]);
    let mut path = vec![(start, callees[start].iter())];
    while let Some((_, rest)) = path.last_mut() {
        let Some(&next) = rest.next() else {
            path.pop();
            continue;
        };
        if let Some(at) = path.iter().position(|(f, _)| *f == next) {
            let cycle = path[at..].iter().map(|(f, _)| *f).chain([next]);
            return Some(cycle.collect());
        }
        if seen.insert(next) {
            path.push((next, callees[next].iter()));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(edges: &[(usize, usize)]) -> Vec<BTreeSet<usize>> {
        let mut callees = vec![BTreeSet::new(); 5];
        for &(from, to) in edges {
            callees[from].insert(to);
        }
        callees
    }

    #[test]
    fn cycles_are_found_and_shared_functions_are_none() {
        assert_eq!(first_cycle(&graph(&[(0, 1), (0, 2), (1, 3), (2, 3), (3, 4)]), 0), None);
        assert_eq!(first_cycle(&graph(&[(0, 0)]), 0), Some(vec![0, 0]));
        let through = graph(&[(0, 1), (0, 2), (2, 3), (3, 4), (4, 2)]);
        assert_eq!(first_cycle(&through, 0), Some(vec![2, 3, 4, 2]));
        assert_eq!(first_cycle(&through, 1), None);
    }
}
