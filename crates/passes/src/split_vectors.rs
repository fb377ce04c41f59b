//! `split-vectors`: turns integer arithmetic on vectors into scalar arithmetic if only single lanes
//! of the result are used.
//!
//! Image coordinates are such vectors: `read_imagef(image, sampler, p + (int2)(dx, dy))`. As
//! scalars, LLVM's loop passes can hoist, share and vectorize them over work-items. The pass
//! expects inlined and cleaned IR, and leaves extractions for a later clean-up. Not here:
//! arithmetic whose result is used as a vector; floating point.

use std::collections::BTreeMap;

use muxcl_llvm::{Builder, Module, Opcode, Value};

use crate::PassError;

/// Runs the pass.
///
/// # Errors
/// Never fails today; all passes have this signature.
pub fn run(module: &Module<'_>) -> Result<(), PassError> {
    for f in module.definitions() {
        // In reverse order: once a user is split, only single lanes of its operands are used.
        let mut work: Vec<Value<'_>> =
            f.instructions().into_iter().filter(|i| is_arithmetic(*i)).collect();
        while let Some(i) = work.pop() {
            split(i);
        }
    }
    Ok(())
}

fn is_arithmetic(i: Value<'_>) -> bool {
    let operation = matches!(
        i.opcode(),
        Opcode::Add | Opcode::Sub | Opcode::Mul | Opcode::And | Opcode::Or | Opcode::Xor
    );
    operation && i.ty().is_vector() && i.ty().vector_len() <= MOST_LANES
}

/// Longer vectors are deliberate vector code.
const MOST_LANES: u32 = 4;

/// The lane that a user extracts, if it does nothing else with `v`.
fn lane<'m>(user: Value<'m>, v: Value<'m>) -> Option<u64> {
    let extraction = user.opcode() == Opcode::ExtractElement && user.operand(0) == v;
    let lane = if extraction { user.operand(1).as_u64() } else { None };
    lane.filter(|n| *n < v.ty().vector_len().into())
}

fn split(i: Value<'_>) {
    let users = i.users();
    let lanes: Option<Vec<u64>> = users.iter().map(|user| lane(*user, i)).collect();
    let Some(lanes) = lanes.filter(|list| !list.is_empty()) else { return };
    let b = Builder::before(i);
    let int = i.cx().i32();
    let mut made: BTreeMap<u64, Value<'_>> = BTreeMap::new();
    for (user, lane) in users.into_iter().zip(lanes) {
        let scalar = *made.entry(lane).or_insert_with(|| {
            let [x, y] = [0, 1].map(|n| b.extract_element(i.operand(n), int.constant(lane)));
            match i.opcode() {
                Opcode::Add => b.add(x, y),
                Opcode::Sub => b.sub(x, y),
                Opcode::Mul => b.mul(x, y),
                Opcode::And => b.and(x, y),
                Opcode::Or => b.or(x, y),
                _ => b.xor(x, y),
            }
        });
        user.replace_all_uses(scalar);
        user.erase();
    }
    i.erase();
}
