//! `splat-phis`: makes a phi of vectors with equal lanes a splat of a phi of scalars.
//!
//! LLVM 22 computes only as many lanes of a vector as its users need (`RISCVVLOptimizer`). It looks
//! through phis, and takes the number of lanes of the user in the next iteration of a loop for the
//! number in this one. So a vector that is computed at the end of a loop, behind a loop over
//! work-items with a partial last vector, has old values in its upper lanes. LLVM moves the splats
//! of an outer loop's variables to that place. Such loops keep no other vectors for their next
//! iteration, because its lanes are other work-items. The pass runs last, for RISC-V devices with
//! vector registers. Remove it with the first LLVM that has a fix.

use std::collections::{BTreeMap, BTreeSet};

use muxcl_llvm::{Builder, Module, Value};

use crate::scalable_variants::is_splat;

/// Runs the pass.
pub fn run(module: &Module<'_>) {
    for f in module.definitions() {
        let phis = f.blocks().into_iter().flat_map(|block| block.phis());
        let mut splats: Vec<Value<'_>> = phis.filter(|phi| phi.ty().is_scalable_vector()).collect();
        // A phi may depend on itself and on other phis. So all count as splats first.
        loop {
            let before = splats.len();
            let known: BTreeSet<_> = splats.iter().copied().collect();
            let is_splat = |v: Value<'_>| known.contains(&v) || lane(v).is_some();
            splats.retain(|phi| phi.incoming().into_iter().all(|(value, _)| is_splat(value)));
            if splats.len() == before {
                break;
            }
        }
        replace(&splats);
    }
}

/// Replaces phis of vectors with equal lanes.
fn replace(splats: &[Value<'_>]) {
    let scalars = splats.iter().map(|phi| {
        let scalar = Builder::before(*phi).phi(phi.ty().element(), "");
        (*phi, scalar)
    });
    let scalars: BTreeMap<_, _> = scalars.collect();
    for (phi, scalar) in &scalars {
        for (value, from) in phi.incoming() {
            if let Some(lane) = scalars.get(&value).copied().or_else(|| lane(value)) {
                scalar.add_incoming(lane, from);
            }
        }
    }
    for phi in splats {
        if let Some(place) = phi.block().first_insertion_point() {
            let count = phi.ty().vector_len();
            phi.replace_all_uses(Builder::before(place).scalable_splat(scalars[phi], count));
            phi.erase();
        }
    }
}

/// The value of all lanes of the vector, if they are equal.
fn lane(vector: Value<'_>) -> Option<Value<'_>> {
    if vector.is_undef() {
        return Some(vector.ty().element().null());
    }
    if vector.is_splat_constant() {
        return vector.constant_element(0);
    }
    is_splat(vector).then(|| vector.operand(0).operand(1))
}
