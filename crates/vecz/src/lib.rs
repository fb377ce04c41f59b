//! vecz: turns a loop over work-items into a loop over vectors of work-items.
//!
//! The iterations of the loop are independent of each other. Each lane of a vector runs one
//! iteration, whatever control flow it has: branches, inner loops with other trip counts, breaks.
//! A branch that all lanes take in the same way stays a branch; other paths run one after another,
//! under masks (Karrenberg and Hack, "Whole-Function Vectorization", 2011; Moll and Hack, "Partial
//! Control-Flow Linearization", 2018).
//!
//! The steps, one file each: `graph` (the blocks of the loop, inner loops, post-dominators),
//! `shapes` (values: the same in all lanes, a fixed distance apart, or any), `widen` (the new
//! code), `access` (loads and stores).
//!
//! Invariants: a loop that vecz refuses is left as it was. The new loop does what the old one does
//! for the same iterations, in any order within a vector. The old loop remains for the rest of the
//! iterations. Not here: which loops are loops over work-items, and the number of lanes.

mod access;
mod cost;
mod graph;
mod shapes;
mod widen;

use muxcl_llvm::{Function, Module, Value};

/// The mark ([`Value::mark`]) of an `alloca` of which each iteration has its own copy. Others are
/// shared by the iterations.
pub const PRIVATE: &str = "muxcl.private";

/// How to vectorize.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// Iterations in a vector, a power of two; fewer are used where the values are wide or the
    /// iterations few.
    pub lanes: u32,
    /// Leave a loop as it is if vectors are not expected to be faster.
    pub only_if_faster: bool,
}

/// The reason why a loop stays scalar.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The loop does not have the form that this crate handles.
    #[error("the loop has another form: {0}")]
    Form(&'static str),
    /// Too few iterations for a vector.
    #[error("too few work-items")]
    Few,
    /// [`Options::only_if_faster`]
    #[error("lanes would not be faster")]
    Cost,
    /// An instruction has no counterpart on lanes yet.
    #[error("no vector form: {0}")]
    Instruction(String),
}

/// Vectorizes the loop that `latch`, a conditional branch, closes. On success the loop over vectors
/// runs in front of the old loop, which does the rest. The result is the number of lanes.
///
/// # Errors
/// The loop is left as it was, for the reason.
pub fn vectorize<'m>(
    module: &'m Module<'_>,
    f: Function<'m>,
    latch: Value<'m>,
    options: Options,
) -> Result<u32, Refusal> {
    let graph = graph::Graph::of_loop(latch)?;
    let lanes = cost::lanes(&graph, options.lanes).ok_or(Refusal::Few)?;
    let shapes = shapes::Shapes::of(module, &graph)?;
    if options.only_if_faster && !cost::pays(module, &graph, &shapes, lanes) {
        return Err(Refusal::Cost);
    }
    widen::run(module, f, &graph, &shapes, lanes);
    Ok(lanes)
}
