//! `narrow-indices`: hides from LLVM's loop vectorizer that an index is a counter of few bits.
//!
//! To LLVM, `i & 3` is a counter of two bits, which is extended. Consecutive loads of `a[i & 3]`
//! are right only while this counter does not wrap, so the loop vectorizer needs a test at run
//! time. In LLVM 22, the test of a wider counter of the same loop replaces the test of a narrower
//! one, though the narrower one wraps earlier. Then `out[(uint)(i + n)] = a[i & 3]` reads `a[4]`.
//!
//! A `freeze` makes the index an unknown value, so the loads become gathers. The pass runs directly
//! before the loop vectorizer. Not here: counters of 32 bits or more, because no wider counter of a
//! loop needs a test.

use std::collections::{BTreeMap, BTreeSet};

use muxcl_llvm::{Block, Builder, Function, Module, Opcode, Value};

use crate::loops;

/// The largest number of bits of a counter that the pass hides.
const WIDEST: u32 = 31;

/// True if the module has an instruction that the passes before the loop vectorizer may turn into a
/// counter of few bits.
pub fn any(module: &Module<'_>) -> bool {
    let mut all = module.definitions().into_iter().flat_map(Function::instructions);
    all.any(|i| match i.opcode() {
        Opcode::URem | Opcode::SRem => i.operand(1).is_constant(),
        _ => is_narrow(i),
    })
}

/// Runs the pass.
pub fn run(module: &Module<'_>) {
    for (_, body) in module.definitions().into_iter().flat_map(loops::innermost) {
        let mut counters = Counters { body: &body, known: BTreeMap::new() };
        let here = body.iter().flat_map(|block| block.instructions());
        for v in here.filter(|i| is_narrow(*i)).collect::<Vec<_>>() {
            if counters.contain(v) {
                hide(v);
            }
        }
    }
}

/// Makes `v` an unknown value for its users.
fn hide(v: Value<'_>) {
    let Some(next) = v.next() else { return };
    let users = v.users();
    let frozen = Builder::before(next).freeze(v);
    for user in users {
        user.replace_operand(v, frozen);
    }
}

/// True if all values of `i` fit few bits because of its operation.
fn is_narrow(i: Value<'_>) -> bool {
    match i.opcode() {
        Opcode::And if i.ty().is_int() && i.ty().int_width() <= 64 => {
            i.operand(1).as_u64().is_some_and(is_mask)
        }
        Opcode::ZExt | Opcode::SExt if i.ty().is_int() => {
            (2..=WIDEST).contains(&i.operand(0).ty().int_width())
        }
        _ => false,
    }
}

/// True if the ones of `mask` are consecutive and few. LLVM divides by the power of two below them.
fn is_mask(mask: u64) -> bool {
    let ones = mask >> mask.trailing_zeros().min(63);
    mask != 0 && ones & ones.wrapping_add(1) == 0 && ones < 1 << WIDEST
}

/// The values of a loop that count its iterations, if all values from outside are constants.
struct Counters<'a, 'm> {
    body: &'a BTreeSet<Block<'m>>,
    known: BTreeMap<Value<'m>, bool>,
}

impl<'m> Counters<'_, 'm> {
    /// True if `v` is computed from PHIs by the operations that LLVM follows.
    fn contain(&mut self, v: Value<'m>) -> bool {
        if !self.is_inside(v) {
            return false;
        }
        if let Some(known) = self.known.get(&v) {
            return *known;
        }
        let counts = match v.opcode() {
            Opcode::Phi => true,
            Opcode::Add
            | Opcode::Sub
            | Opcode::Mul
            | Opcode::Shl
            | Opcode::LShr
            | Opcode::UDiv
            | Opcode::And
            | Opcode::Or
            | Opcode::Xor
            | Opcode::Trunc
            | Opcode::ZExt
            | Opcode::SExt => {
                let inner: Vec<_> =
                    v.operands().into_iter().filter(|o| self.is_inside(*o)).collect();
                !inner.is_empty() && inner.into_iter().all(|o| self.contain(o))
            }
            _ => false,
        };
        self.known.insert(v, counts);
        counts
    }

    fn is_inside(&self, v: Value<'m>) -> bool {
        v.is_instruction() && self.body.contains(&v.block())
    }
}

#[cfg(test)]
mod tests {
    use super::is_mask;

    #[test]
    fn masks_have_few_consecutive_ones() {
        for mask in [1, 3, 12, 0xff, 0x7fff_ffff, 0xf000_0000_0000_0000] {
            assert!(is_mask(mask), "{mask:#x}");
        }
        for mask in [0, 5, 0xffff_ffff, u64::MAX] {
            assert!(!is_mask(mask), "{mask:#x}");
        }
    }
}
