//! Operations between the lanes of a vector: calls of functions named `muxcl.cross.`*operation*.
//!
//! A loop with such a call is in *lockstep*: its iterations are the lanes of one vector, and a call
//! combines the values of all lanes that execute it together. No scalar code exists for such a
//! call. So if vecz refuses the loop, the caller must generate the loop again without these calls.
//! Not here: the code for each operation (`widen::cross_lane`).

use muxcl_llvm::Value;

use crate::Refusal;
use crate::graph::Graph;

/// Prefix of the functions' names.
pub const PREFIX: &str = "muxcl.cross.";

/// The binary operation of a reduction or scan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Combine {
    /// Sum.
    Add,
    /// Product.
    Mul,
    /// Minimum of signed integers, or of floating-point numbers (`minnum`).
    Min,
    /// Maximum of signed integers, or of floating-point numbers (`maxnum`).
    Max,
    /// Minimum of unsigned integers.
    UMin,
    /// Maximum of unsigned integers.
    UMax,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
}

/// The operation of a call, with the signature of its function. `T` is a scalar type; for
/// [`Operation::Pick`] also an OpenCL vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// `void ()`: a memory barrier; each lane sees the earlier stores of all lanes.
    Barrier,
    /// `i64 (i1)`: a ballot. Bit *n* is the argument of lane *n*; lanes outside the mask have 0.
    Votes,
    /// `T (T)`: a broadcast of the argument of the first lane in the mask.
    First,
    /// `T (T, i32)`: a shuffle. Each lane gets the first argument of the lane whose number is its
    /// second argument.
    Pick,
    /// `T (T)`: a reduction over all lanes. Floating-point numbers are combined in four chains:
    /// chain 0 has the lanes 0, 4, 8, ..., chain 1 the lanes 1, 5, 9, ..., and so on. The sum is
    /// `(chain0 + chain1) + (chain2 + chain3)`.
    Reduce(Combine),
    /// `T (T)`: an inclusive scan, which combines the lanes in order.
    Scan(Combine),
    /// `T (T)`: an exclusive scan, which combines the lanes in order.
    Before(Combine),
    /// `T (T, i32)`: a reduction over clusters of consecutive lanes, in the order of the lanes. The
    /// second argument, a constant power of two, is the number of lanes in a cluster.
    Cluster(Combine),
}

/// The names of the binary operations in the names of functions.
const COMBINES: [(&str, Combine); 9] = [
    ("add", Combine::Add),
    ("mul", Combine::Mul),
    ("min", Combine::Min),
    ("max", Combine::Max),
    ("umin", Combine::UMin),
    ("umax", Combine::UMax),
    ("and", Combine::And),
    ("or", Combine::Or),
    ("xor", Combine::Xor),
];

impl Operation {
    /// The name of the function for this operation on values of the type `ty`, such as
    /// `muxcl.cross.reduce.add.int`.
    pub fn function_name(self, ty: &str) -> String {
        let (kind, combine) = match self {
            Self::Barrier => ("barrier", None),
            Self::Votes => ("votes", None),
            Self::First => ("first", None),
            Self::Pick => ("pick", None),
            Self::Reduce(c) => ("reduce", Some(c)),
            Self::Scan(c) => ("scan", Some(c)),
            Self::Before(c) => ("before", Some(c)),
            Self::Cluster(c) => ("cluster", Some(c)),
        };
        let with = combine.and_then(|c| COMBINES.iter().find(|(_, known)| *known == c));
        format!("{PREFIX}{kind}.{}.{ty}", with.map_or("", |(name, _)| name))
    }

    /// The operation that an instruction calls; `None` for other instructions.
    pub(crate) fn of(i: Value<'_>) -> Option<Self> {
        if !i.is_call() {
            return None;
        }
        let name = i.callee()?.name();
        let mut parts = name.strip_prefix(PREFIX)?.split('.');
        let (kind, with) = (parts.next()?, parts.next()?);
        let combine = COMBINES.iter().find(|(name, _)| *name == with).map(|(_, c)| *c);
        Some(match kind {
            "barrier" => Self::Barrier,
            "votes" => Self::Votes,
            "first" => Self::First,
            "pick" => Self::Pick,
            "reduce" => Self::Reduce(combine?),
            "scan" => Self::Scan(combine?),
            "before" => Self::Before(combine?),
            "cluster" => Self::Cluster(combine?),
            _ => return None,
        })
    }
}

/// True if the loop calls an operation between lanes.
pub(crate) fn is_lockstep(graph: &Graph<'_>) -> bool {
    let mut all = graph.blocks.iter().flat_map(|b| b.instructions());
    all.any(|i| Operation::of(i).is_some())
}

/// The number of lanes of a loop in lockstep, which is the number of its iterations.
///
/// # Errors
/// The number of iterations is not a power of two from 4 to 64.
pub(crate) fn lanes(graph: &Graph<'_>) -> Result<u32, Refusal> {
    let count = match (graph.counter.start.as_u64(), graph.counter.bound.as_u64()) {
        (Some(0), Some(count)) => u32::try_from(count).unwrap_or(0),
        _ => 0,
    };
    if (4..=64).contains(&count) && count.is_power_of_two() {
        Ok(count)
    } else {
        Err(Refusal::Form("operations between lanes in a loop of any length"))
    }
}
