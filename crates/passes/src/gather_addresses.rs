//! `gather-addresses`: the addresses of a gather or a scatter are computed in its own block.
//!
//! Processors gather from a base and a vector of narrow offsets. LLVM's instruction selection finds
//! both only in the block of the gather. Otherwise it passes a vector of 64-bit addresses to the
//! block. That vector takes twice as many registers as 32-bit offsets, and twice as many gathers.
//! `vecz` often puts a gather behind a branch that tests whether the addresses are consecutive, so
//! this pass copies the computation of the addresses to the gather. It runs after all
//! optimisations, which would merge the copies again.
//!
//! Invariant: only address computations and extensions of offsets are copied, and only if the
//! gather's addresses have a scalar base. Originals without other uses are removed. Not here:
//! computations of the offsets, which other accesses often share.

use muxcl_llvm::{Builder, Function, Module, Opcode, Value};

use crate::PassError;

/// Runs the pass.
///
/// # Errors
/// Never fails today; all passes have this signature.
pub fn run(module: &Module<'_>) -> Result<(), PassError> {
    for f in module.functions() {
        let Some(place) = address_argument(f) else { continue };
        for call in f.direct_calls() {
            let address = call.operand(place);
            if !has_scalar_base(address) {
                continue;
            }
            let near = copy_near(call, place);
            copy_offset_near(near);
        }
    }
    Ok(())
}

/// The place of the vector of addresses among the arguments, if `f` gathers or scatters.
fn address_argument(f: Function<'_>) -> Option<u32> {
    if !f.is_intrinsic() {
        return None;
    }
    let name = f.name();
    let operation = ["llvm.masked.", "llvm.vp."].iter().find_map(|g| name.strip_prefix(g))?;
    match operation.split('.').next()? {
        "gather" => Some(0),
        "scatter" => Some(1),
        _ => None,
    }
}

/// True for the sum of a scalar address and a vector of offsets.
fn has_scalar_base(address: Value<'_>) -> bool {
    address.is_instruction()
        && address.opcode() == Opcode::GetElementPtr
        && address.operand_count() == 2
        && !address.operand(0).ty().is_vector()
}

/// Copies the vector of offsets of `address` to the block of `address` if it is an extension of
/// narrower offsets.
fn copy_offset_near(address: Value<'_>) {
    let offset = address.operand(1);
    let extends = |v: Value<'_>| matches!(v.opcode(), Opcode::SExt | Opcode::ZExt);
    if offset.is_instruction() && extends(offset) {
        copy_near(address, 1);
    }
}

/// Copies operand `place` of `user`, an instruction, to the block of `user` if it is in another
/// one. Returns the operand.
fn copy_near<'m>(user: Value<'m>, place: u32) -> Value<'m> {
    let operand = user.operand(place);
    if operand.block() == user.block() {
        return operand;
    }
    let copy = Builder::before(user).insert_copy(operand);
    user.set_operand(place, copy);
    if !operand.has_uses() {
        operand.erase();
    }
    copy
}
