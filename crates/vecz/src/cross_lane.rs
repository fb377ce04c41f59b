//! Operations between the lanes of a vector: calls of functions named `muxcl.cross.`*operation*.
//!
//! A loop with such a call is in *lockstep*: its iterations are the lanes of one vector, and a call
//! sees the values of the lanes that run it together. Scalar code for it does not exist, so a
//! refused loop must be made without these calls. Not here: the code for each operation
//! (`widen::cross_lane`).

use muxcl_llvm::Value;

use crate::Refusal;
use crate::graph::Graph;

/// Prefix of the functions' names.
pub const PREFIX: &str = "muxcl.cross.";

/// An operation that combines two values.
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

/// What a call does. `T` is a type of values, or an OpenCL vector where noted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// `void ()`: the lanes see each other's earlier stores.
    Barrier,
    /// `i64 (i1)`: one bit for each lane; 0 for lanes outside the mask.
    Votes,
    /// `T (T)`: the value of the first lane of the mask.
    First,
    /// `T (T, i32)`: the value of the lane with this number; `T` may be a vector.
    Pick,
    /// `T (T)`: the values of all lanes combined. Floating-point numbers are combined in four
    /// chains, of the lanes 0, 4, 8, ...; 1, 5, 9, ...; and so on, as in
    /// `(chain0 + chain1) + (chain2 + chain3)`.
    Reduce(Combine),
    /// `T (T)`: the values of the lanes up to this one combined, in order.
    Scan(Combine),
    /// `T (T)`: the values of the lanes before this one combined, in order.
    Before(Combine),
    /// `T (T, i32)`: as many lanes as the second argument says, a constant power of two, combined
    /// in order.
    Cluster(Combine),
}

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
    /// The name of the function of this operation for values of the type `ty`.
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

    /// The operation that an instruction calls.
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

/// True if the loop must be in lockstep.
pub(crate) fn is_lockstep(graph: &Graph<'_>) -> bool {
    let mut all = graph.blocks.iter().flat_map(|b| b.instructions());
    all.any(|i| Operation::of(i).is_some())
}

/// The number of lanes of a loop in lockstep: all its iterations.
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
