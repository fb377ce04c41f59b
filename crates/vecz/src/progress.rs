//! Loops in which a lane may wait for another.
//!
//! A lane that has left a divergent loop does not go on before the others have left it too. So a
//! work-item that waits in the loop for a lock that another has taken would wait for ever. A lane
//! waits only if a branch of the loop depends on what other work-items write. That is no wait in
//! one case: an exchange (`cmpxchg`) that is repeated until the memory has kept the value that was
//! read in the loop. The lanes run it one after another, so at least one succeeds each time:
//!
//! ```text
//! do { old = *p; } while (!exchange(p, old, old + x));
//! ```
//!
//! Not here: which loops are divergent (`shapes`).

use std::collections::BTreeSet;

use muxcl_llvm::{IntPredicate, Opcode, Value};

use crate::cross_lane;
use crate::graph::Graph;

/// The instruction for which a lane may wait. `blocks` are those of all divergent loops.
pub(crate) fn waits<'m>(graph: &Graph<'m>, blocks: &BTreeSet<usize>) -> Option<Value<'m>> {
    let divergent = Divergent { graph, blocks };
    let instructions = blocks.iter().flat_map(|b| graph.blocks[*b].instructions());
    let mut shared = instructions.filter(|i| communicates(*i, &mut BTreeSet::new()));
    shared.find(|i| divergent.depends(*i))
}

/// The divergent loops of a loop over work-items.
struct Divergent<'a, 'm> {
    graph: &'a Graph<'m>,
    /// The blocks of these loops.
    blocks: &'a BTreeSet<usize>,
}

impl<'m> Divergent<'_, 'm> {
    fn contains(&self, v: Value<'m>) -> bool {
        self.graph.block_of(v).is_some_and(|b| self.blocks.contains(&b))
    }

    /// True if a branch may depend on the result of `i`, except for the success of an exchange. A
    /// value that is written to memory may come back from there.
    fn depends(&self, i: Value<'m>) -> bool {
        let mut seen = BTreeSet::new();
        let mut work = vec![i];
        while let Some(v) = work.pop() {
            for user in v.users() {
                if !self.contains(user) || self.is_success(user) {
                    continue;
                }
                let writes = match user.opcode() {
                    Opcode::Store => user.operand(0) == v,
                    Opcode::AtomicCmpXchg => false,
                    _ => user.has_side_effects(),
                };
                if writes || user.is_terminator() {
                    return true;
                }
                if seen.insert(user) {
                    work.push(user);
                }
            }
        }
        false
    }

    /// True if `v` is the success of an exchange that expects a value which its loop reads.
    fn is_success(&self, v: Value<'m>) -> bool {
        let exchange = match v.opcode() {
            Opcode::ExtractValue if v.member() == Some(1) => Some(v.operand(0)),
            Opcode::ICmp if matches!(v.int_predicate(), IntPredicate::Eq | IntPredicate::Ne) => {
                let (a, b) = (v.operand(0), v.operand(1));
                let expecting = |old: Value<'m>, expected: Value<'m>| {
                    exchange_of(old).filter(|exchange| exchange.operand(1) == expected)
                };
                expecting(a, b).or_else(|| expecting(b, a))
            }
            _ => None,
        };
        exchange.is_some_and(|e| e.opcode() == Opcode::AtomicCmpXchg && self.expects_own_read(e))
    }

    /// True if the innermost loop around the exchange reads the expected value from the exchange's
    /// address in each iteration, or has it from the exchange of the iteration before.
    fn expects_own_read(&self, exchange: Value<'m>) -> bool {
        let address = exchange.operand(0);
        let Some(inner) = self.graph.block_of(exchange).and_then(|b| self.graph.innermost[b])
        else {
            return false;
        };
        let block_in_loop = |b: usize| self.graph.loops[inner].blocks.contains(&b);
        let in_loop = |v: Value<'m>| self.graph.block_of(v).is_some_and(block_in_loop);
        let reads = |v: Value<'m>| {
            (v.is_instruction() && v.opcode() == Opcode::Load && v.operand(0) == address)
                || exchange_of(v).is_some_and(|e| e.operand(0) == address)
        };
        let mut seen = BTreeSet::new();
        let mut work = vec![exchange.operand(1)];
        while let Some(v) = work.pop() {
            if !in_loop(v) {
                return false;
            }
            if reads(v) || !seen.insert(v) {
                continue;
            }
            match v.opcode() {
                Opcode::BitCast | Opcode::Freeze => work.push(v.operand(0)),
                // The value of the iteration before was read from the same address.
                Opcode::Phi if !in_loop(address) => {
                    for (value, from) in v.incoming() {
                        let from = self.graph.blocks.iter().position(|b| *b == from);
                        if from.is_some_and(block_in_loop) {
                            work.push(value);
                        } else if from.is_some_and(|b| self.blocks.contains(&b)) && !reads(value) {
                            // An outer loop may repeat this value until the exchange succeeds.
                            return false;
                        }
                    }
                }
                _ => return false,
            }
        }
        true
    }
}

/// The exchange if `v` is the value that it found in memory.
fn exchange_of(v: Value<'_>) -> Option<Value<'_>> {
    let exchange = (v.is_instruction() && v.member() == Some(0)).then(|| v.operand(0))?;
    (exchange.is_instruction() && exchange.opcode() == Opcode::AtomicCmpXchg).then_some(exchange)
}

/// True for an instruction that may exchange data with other work-items: an atomic or volatile
/// access, or a call of a function with one, or of a function that is not known. `seen` has the
/// names of the functions that were looked at before.
fn communicates(i: Value<'_>, seen: &mut BTreeSet<String>) -> bool {
    match i.opcode() {
        Opcode::Load | Opcode::Store => i.is_volatile() || i.is_atomic(),
        Opcode::AtomicRmw | Opcode::AtomicCmpXchg => true,
        Opcode::Call => i.callee().is_none_or(|f| {
            !f.is_intrinsic()
                && !f.name().starts_with(cross_lane::PREFIX)
                && seen.insert(f.name())
                && (f.is_declaration()
                    || f.blocks()
                        .iter()
                        .flat_map(|b| b.instructions())
                        .any(|i| communicates(i, seen)))
        }),
        _ => false,
    }
}
