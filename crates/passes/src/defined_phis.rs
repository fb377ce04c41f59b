//! `defined-phis`: gives vector phis a zero where an incoming value is undefined.
//!
//! A vector that is undefined in the first iteration of a loop, and keeps some of its lanes later,
//! makes the register coalescer of LLVM 22 crash on RISC-V if the vector fills several registers
//! (LLVM issue 171994, fixed in later versions). A zero costs one instruction in front of the loop.
//! The pass runs last, for RISC-V devices with vector registers. Remove it with the first LLVM that
//! has the fix. Not here: reductions that lead to the same crash ([`crate::long_reductions`]).

use muxcl_llvm::Module;

/// Runs the pass.
pub fn run(module: &Module<'_>) {
    for f in module.definitions() {
        for phi in f.blocks().into_iter().flat_map(|block| block.phis()) {
            if !phi.ty().is_vector() && !phi.ty().is_scalable_vector() {
                continue;
            }
            for (n, (value, _)) in (0u32..).zip(phi.incoming()) {
                if value.is_undef() {
                    phi.set_incoming(n, phi.ty().null());
                }
            }
        }
    }
}
