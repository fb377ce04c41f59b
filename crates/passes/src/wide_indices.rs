//! `wide-indices`: the counter of a loop is added to an index after the extension to 64 bits.
//!
//! `get_global_id` as `int` is the sum of a group's first number and a counter, cut to 32 bits, and
//! an address needs it with 64 bits. The counter of a loop over work-items has 64 bits. If the sum
//! does not wrap, the extension of the sum is the sum of the extensions. Then a loop extends the
//! group's number once, outside, and the processor adds the counter as part of the address. The
//! pass runs after all optimisations, directly before code generation, whose loop pass does so.
//!
//! Not here: counters of 32 bits, which LLVM widens itself, and lanes (`vecz`).

use muxcl_llvm::{Builder, Function, Module, Opcode, Value};

use crate::PassError;

/// Runs the pass.
///
/// # Errors
/// Never fails today; all passes have this signature.
pub fn run(module: &Module<'_>) -> Result<(), PassError> {
    for i in module.definitions().into_iter().flat_map(Function::instructions) {
        if i.ty().is_int() && i.ty().int_width() == 64 {
            widen(i);
        }
    }
    Ok(())
}

/// Replaces `i` if it extends the sum of a number and a truncated counter.
fn widen<'m>(i: Value<'m>) {
    let b = Builder::before(i);
    let (signed, shift) = match i.opcode() {
        Opcode::SExt => (true, None),
        Opcode::ZExt => (false, None),
        // LLVM writes some extensions as shifts: the upper half of a sum of upper halves.
        Opcode::AShr => (true, Some(i.operand(1))),
        _ => return,
    };
    let sum = i.operand(0);
    let keeps = |v: Value<'_>| if signed { v.is_nsw() } else { v.is_nuw() };
    let is_sum = match sum.is_instruction().then(|| sum.opcode()) {
        Some(Opcode::Or) => sum.is_disjoint_or(),
        Some(Opcode::Add) => keeps(sum),
        _ => false,
    };
    if !is_sum {
        return;
    }
    // The 64-bit value of which `v` is a part without loss.
    let whole = |v: Value<'m>| {
        let part = match (v.is_instruction().then(|| v.opcode()), shift) {
            (Some(Opcode::Trunc), None) => true,
            (Some(Opcode::Shl), Some(shift)) => v.operand(1) == shift,
            _ => false,
        };
        (part && keeps(v)).then(|| v.operand(0)).filter(|counter| counter.ty() == i.ty())
    };
    let (left, right) = (sum.operand(0), sum.operand(1));
    let (number, counter) = match (whole(left), whole(right)) {
        (None, Some(counter)) => (left, counter),
        (Some(counter), None) => (right, counter),
        _ => return,
    };
    let number = match (shift, signed) {
        (Some(shift), _) => b.ashr(number, shift),
        (None, true) => b.sext(number, i.ty()),
        (None, false) => b.zext(number, i.ty()),
    };
    i.replace_all_uses(b.add(number, counter));
    i.erase();
    if !sum.has_uses() {
        sum.erase();
    }
}
