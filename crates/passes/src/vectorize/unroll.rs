//! `unroll-private`: unrolls loops that step through private arrays, so that the arrays become
//! registers.
//!
//! It runs before the loops over work-items exist. So the elements of an array that lives across a
//! barrier are values in scratch memory, each with stride one from work-item to work-item, and
//! lanes of a vector keep them in vector registers. Not here: loops without private arrays, arrays
//! larger than these registers, and loops whose number of iterations is not constant.

use std::collections::BTreeSet;

use muxcl_llvm::{Block, Function, IntPredicate, Module, Opcode, Value, run_function_passes};

use crate::{PassError, loops};

/// Unrolls marked loops only, and makes registers of the arrays.
const UNROLL: &str = "loop-simplify,lcssa,\
    loop-unroll<O3;no-partial;no-runtime;no-peeling;no-upperbound;full-unroll-max=1>,\
    simplifycfg,instcombine<no-verify-fixpoint>,sroa<modify-cfg>,early-cse<memssa>,simplifycfg,\
    instcombine<no-verify-fixpoint>";

/// The largest number of instructions of an unrolled loop. Register allocation takes long for more.
const LARGEST: u64 = 3000;
/// The largest array in bytes: processors have up to 32 vector registers, and each has four bytes
/// of a work-item.
const LARGEST_ARRAY: u64 = 32 * 4;

/// Runs the pass.
///
/// # Errors
/// LLVM refuses the passes.
pub fn run(module: &Module<'_>) -> Result<(), PassError> {
    let mut found = false;
    for f in module.definitions() {
        for latch in latches(module, f) {
            latch.unroll_fully();
            found = true;
        }
    }
    if found {
        // SAFETY: the passes delete instructions, blocks and constants only, and the callers know
        // functions, parameters and variables.
        unsafe { run_function_passes(module, UNROLL) }?;
    }
    Ok(())
}

/// The latches of the loops to unroll.
fn latches<'m>(module: &'m Module<'_>, f: Function<'m>) -> Vec<Value<'m>> {
    let fits = |i: &Value<'m>| i.is_alloca() && module.size_of(i.allocated_type()) <= LARGEST_ARRAY;
    let arrays: BTreeSet<_> = f.entry().instructions().into_iter().filter(fits).collect();
    if arrays.is_empty() {
        return Vec::new();
    }
    let back_edges = loops::back_edges(f).into_iter();
    let mut found: Vec<Candidate<'_>> =
        back_edges.filter_map(|(from, to)| candidate(&arrays, from, to)).collect();
    // Inner loops first.
    found.sort_by_key(|c| c.blocks.len());
    let mut sizes: Vec<u64> = Vec::new();
    let mut out = Vec::new();
    for (n, c) in found.iter().enumerate() {
        let own: u64 = c.blocks.iter().map(|b| b.instructions().len() as u64).sum();
        // Unrolling the inner loops makes the body of this loop longer.
        let inner = (0..n).filter(|m| c.blocks.is_superset(&found[*m].blocks));
        let grown: u64 = inner.map(|m| sizes[m]).sum();
        let size = (own + grown).saturating_mul(c.iterations);
        let fits = size <= LARGEST;
        sizes.push(if fits { size } else { 0 });
        if fits {
            out.push(c.latch);
        }
    }
    out
}

/// A loop that steps through one of the private arrays.
struct Candidate<'m> {
    latch: Value<'m>,
    blocks: BTreeSet<Block<'m>>,
    iterations: u64,
}

fn candidate<'m>(
    arrays: &BTreeSet<Value<'m>>,
    from: Block<'m>,
    to: Block<'m>,
) -> Option<Candidate<'m>> {
    let blocks = loops::body(from, to);
    let iterations = iterations(&blocks, from, to)?;
    let indexes = |i: Value<'m>| {
        i.opcode() == Opcode::GetElementPtr
            && arrays.contains(&i.underlying_object())
            && i.operands()[1..].iter().any(|index| depends_on_phi(*index, &blocks, to))
    };
    let latch = from.terminator()?;
    let found = blocks.iter().flat_map(|b| b.instructions()).any(indexes);
    found.then_some(Candidate { latch, blocks, iterations })
}

/// True if `v` is computed in the loop from a PHI of its header.
fn depends_on_phi<'m>(v: Value<'m>, blocks: &BTreeSet<Block<'m>>, header: Block<'m>) -> bool {
    let mut seen = BTreeSet::new();
    let mut work = vec![v];
    while let Some(v) = work.pop() {
        if !v.is_instruction() || !blocks.contains(&v.block()) || !seen.insert(v) {
            continue;
        }
        if v.opcode() == Opcode::Phi {
            if v.block() == header {
                return true;
            }
        } else if v.opcode() != Opcode::Load {
            work.extend(v.operands());
        }
    }
    false
}

/// The largest number of iterations, if a counter has a constant start and a constant step, and an
/// exit compares it with a constant. Further exits can only make the number smaller.
fn iterations<'m>(blocks: &BTreeSet<Block<'m>>, from: Block<'m>, to: Block<'m>) -> Option<u64> {
    let exits = blocks.iter().filter_map(|b| b.terminator()).filter(|t| {
        t.is_conditional_branch() && t.successors().iter().any(|s| !blocks.contains(s))
    });
    exits.filter_map(|t| counted(t, blocks, from, to)).min()
}

fn counted<'m>(
    exit: Value<'m>,
    blocks: &BTreeSet<Block<'m>>,
    from: Block<'m>,
    to: Block<'m>,
) -> Option<u64> {
    let test = exit.operand(0);
    if !test.is_instruction() || test.opcode() != Opcode::ICmp {
        return None;
    }
    let bound = test.operand(1).as_i64()?;
    let compared = test.operand(0);
    let phi = to.phis().into_iter().find(|phi| {
        *phi == compared || phi.incoming().iter().any(|(v, b)| *b == from && *v == compared)
    })?;
    let next = phi.incoming().into_iter().find(|p| p.1 == from)?.0;
    let mut starts = phi.incoming().into_iter().filter(|p| p.1 != from);
    let start = starts.next()?.0.as_i64()?;
    if starts.next().is_some()
        || !next.is_instruction()
        || next.opcode() != Opcode::Add
        || next.operand(0) != phi
    {
        return None;
    }
    let step = next.operand(1).as_i64().filter(|s| *s != 0)?;
    let distance = bound.checked_sub(start)?;
    let whole = u64::try_from(distance.checked_div(step)?).ok()?;
    let part = u64::from(distance.checked_rem(step)? != 0);
    // `<=` and `>=` allow one more iteration than `<` and `>`, if the counter meets the bound.
    let stays = blocks.contains(&exit.successors()[0]);
    let closed = matches!(
        test.int_predicate(),
        IntPredicate::Sle | IntPredicate::Ule | IntPredicate::Sge | IntPredicate::Uge
    );
    whole.checked_add(part)?.checked_add(u64::from(closed == stays))
}
