//! `splat-phis`: makes a phi of vectors with equal lanes a splat of a phi of scalars.
//!
//! LLVM 22 computes only as many lanes of a vector as its users need (`RISCVVLOptimizer`). It looks
//! through phis, and takes the number of lanes of the user in the next iteration of a loop for the
//! number in this one. So a vector that is computed at the end of a loop, behind a loop over
//! work-items with a partial last vector, has old values in its upper lanes. LLVM hoists the splats
//! of an outer loop's variables to that place. Such loops have no other vectors that one iteration
//! computes for the next one: lanes are different work-items. The pass runs last, for RISC-V devices
//! with vector registers. Remove it with the first LLVM that has a fix.

use muxcl_llvm::{Builder, Module, Value};

use crate::scalable_variants::is_splat;

/// Runs the pass.
pub fn run(module: &Module<'_>) {
    for f in module.definitions() {
        for phi in f.blocks().into_iter().flat_map(|block| block.phis()) {
            if phi.ty().is_scalable_vector() {
                replace(phi);
            }
        }
    }
}

fn replace(phi: Value<'_>) {
    let incoming = phi.incoming();
    let scalars: Option<Vec<_>> =
        incoming.iter().map(|(value, from)| Some((lane(*value)?, *from))).collect();
    let (Some(scalars), Some(place)) = (scalars, phi.block().first_insertion_point()) else {
        return;
    };
    let scalar = Builder::before(phi).phi(phi.ty().element(), "");
    for (value, from) in scalars {
        scalar.add_incoming(value, from);
    }
    let splat = Builder::before(place).scalable_splat(scalar, phi.ty().vector_len());
    phi.replace_all_uses(splat);
    phi.erase();
}

/// The value of all lanes of the vector, if they are equal.
fn lane(vector: Value<'_>) -> Option<Value<'_>> {
    if vector.is_splat_constant() {
        let ty = vector.ty();
        return if vector.is_undef() {
            Some(ty.element().null())
        } else {
            vector.constant_element(0)
        };
    }
    is_splat(vector).then(|| vector.operand(0).operand(1))
}
