//! `invariant-divisions`: moves an integer division whose operands do not change in a loop in front
//! of the loop.
//!
//! LLVM leaves such a division in a conditional block, because the divisor may be zero when the
//! block does not run. The loop vectorizer of LLVM 22 then computes the division only if the first
//! lane of a vector is active, but the other active lanes use the result too, for example as the
//! index of a load. So the loop vectorizer must not see such divisions.
//!
//! The moved division may run where the program would not divide. So its operands are frozen, and
//! its divisor gets the guard of [`crate::divisions`]. The pass runs directly before the loop
//! vectorizer, when other passes have moved what else is invariant. Not here: vectors of integers,
//! which the loop vectorizer refuses, and divisions by constants, which have no condition.

use std::collections::{BTreeMap, BTreeSet};

use muxcl_llvm::{Block, Builder, Function, Module, Opcode, Value};

use crate::{divisions, loops};

/// True if the module has a division that the pass may move.
pub fn any(module: &Module<'_>) -> bool {
    module.definitions().into_iter().any(has_division)
}

/// Runs the pass.
pub fn run(module: &Module<'_>) {
    for f in module.definitions() {
        if !has_division(f) {
            continue;
        }
        for (header, body) in loops::innermost(f) {
            let Some(before) = end_of_preheader(header, &body) else { continue };
            let mut invariants = Invariants { body: &body, known: BTreeMap::new() };
            let here = body.iter().flat_map(|block| block.instructions());
            let divisions: Vec<_> = here.filter(|i| is_division(*i)).collect();
            for division in divisions {
                if invariants.contain(division) {
                    move_before(before, division, &body);
                }
            }
        }
    }
}

fn has_division(f: Function<'_>) -> bool {
    f.instructions().into_iter().any(is_division)
}

/// True for a division of integers by a value that is not constant.
fn is_division(i: Value<'_>) -> bool {
    matches!(i.opcode(), Opcode::UDiv | Opcode::URem | Opcode::SDiv | Opcode::SRem)
        && i.ty().is_int()
        && i.ty().int_width() <= 64
        && !i.operand(1).is_constant()
}

/// The end of the only block from which control enters the loop, if it leads nowhere else.
fn end_of_preheader<'m>(header: Block<'m>, body: &BTreeSet<Block<'m>>) -> Option<Value<'m>> {
    let outside: BTreeSet<_> =
        header.predecessors().into_iter().filter(|b| !body.contains(b)).collect();
    let mut outside = outside.into_iter();
    let (Some(preheader), None) = (outside.next(), outside.next()) else { return None };
    preheader.terminator().filter(|_| preheader.successors().len() == 1)
}

/// The values that are the same in every iteration of a loop.
struct Invariants<'a, 'm> {
    body: &'a BTreeSet<Block<'m>>,
    known: BTreeMap<Value<'m>, bool>,
}

impl<'m> Invariants<'_, 'm> {
    /// True if `v` is computed outside the loop, or from such values by operations without effects.
    fn contain(&mut self, v: Value<'m>) -> bool {
        if !inside(v, self.body) {
            return true;
        }
        if let Some(known) = self.known.get(&v) {
            return *known;
        }
        let invariant = (is_division(v) || is_pure(v))
            && (0..v.operand_count()).all(|n| self.contain(v.operand(n)));
        self.known.insert(v, invariant);
        invariant
    }
}

fn inside<'m>(v: Value<'m>, body: &BTreeSet<Block<'m>>) -> bool {
    v.is_instruction() && body.contains(&v.block())
}

/// True for an operation that may run where the program would not run it.
fn is_pure(i: Value<'_>) -> bool {
    match i.opcode() {
        Opcode::Add
        | Opcode::Sub
        | Opcode::Mul
        | Opcode::Shl
        | Opcode::LShr
        | Opcode::AShr
        | Opcode::And
        | Opcode::Or
        | Opcode::Xor
        | Opcode::ZExt
        | Opcode::SExt
        | Opcode::Trunc
        | Opcode::ICmp
        | Opcode::Select
        | Opcode::Freeze => true,
        Opcode::UDiv | Opcode::URem | Opcode::SDiv | Opcode::SRem => {
            let divisor = i.operand(1).as_u64();
            matches!(i.opcode(), Opcode::UDiv | Opcode::URem) && divisor.is_some_and(|d| d != 0)
        }
        Opcode::Call => i.callee().is_some_and(|f| {
            let name = f.name();
            ["llvm.umax.i", "llvm.umin.i", "llvm.smax.i", "llvm.smin.i"]
                .iter()
                .any(|prefix| name.starts_with(prefix))
        }),
        _ => false,
    }
}

/// Moves `v` and the values inside the loop that it needs before `at`.
fn move_before<'m>(at: Value<'m>, v: Value<'m>, body: &BTreeSet<Block<'m>>) {
    if !inside(v, body) {
        return;
    }
    let callee = u32::from(v.opcode() == Opcode::Call);
    for n in 0..v.operand_count() - callee {
        move_before(at, v.operand(n), body);
    }
    v.move_before(at);
    if is_division(v) {
        let b = Builder::before(v);
        for n in 0..2 {
            if !v.operand(n).is_constant() {
                v.set_operand(n, b.freeze(v.operand(n)));
            }
        }
        divisions::guard(v, matches!(v.opcode(), Opcode::SDiv | Opcode::SRem));
    }
}
