//! Vectorizes a loop over work-items: each lane of a vector runs one work-item.
//!
//! The iterations of the loop are independent of each other and may have any reducible control
//! flow: branches, inner loops with other trip counts, breaks. A branch that all lanes take in the
//! same way stays a branch. Other paths run one after another, under masks (Karrenberg and Hack,
//! "Whole-Function Vectorization", 2011; Moll and Hack, "Partial Control-Flow Linearization",
//! 2018).
//!
//! The steps, one file each: `graph` (the blocks of the loop, inner loops, post-dominators),
//! `alignment` (powers of two that divide the values of lane 0), `shapes` (how each value differs
//! between lanes), `cost` (the number of lanes, and whether they are profitable), `overlap`
//! (several vectors side by side), `row_loads` (blocks of iterations that load along a row of
//! memory), `jam` (several rows of work-items side by side), `columns` (accesses that are
//! consecutive from row to row), `whole` (OpenCL vectors whose components stay together), `widen`
//! (the new code). `progress` finds loops in which a lane may wait for another. `cross_lane`
//! defines the operations between lanes, such as a sum over all lanes, which loops over the
//! work-items of a sub-group use. `notes` says what runs lane by lane.
//! `shorten` ends loops after the last iteration with an effect.
//!
//! Invariants: a refused loop stays unchanged. The loop over vectors does the same work as the old
//! loop, with the iterations of a vector in any order. If the number of iterations is no multiple
//! of the number of lanes, the old loop runs the remaining ones, a vector under a mask does, or the
//! last vector is shorter ([`Rest`]).
//! Not here: which loops are loops over work-items, and the register size of the target.

mod alignment;
mod columns;
mod cost;
pub mod cross_lane;
mod graph;
mod groups;
mod jam;
pub mod notes;
mod overlap;
mod private_arrays;
mod progress;
mod reducible;
mod row_loads;
mod shapes;
mod shorten;
mod steps;
mod whole;
mod widen;

use std::collections::BTreeSet;

use muxcl_llvm::{Function, Module, Timing, TypeKind, Value};

use notes::Notes;
pub use reducible::{make_reducible, split_cycles};
pub use shorten::shorten;

/// The mark ([`Value::mark`]) of an `alloca` that is private to an iteration, so that each lane
/// gets its own copy. All iterations share an `alloca` without this mark.
pub const PRIVATE: &str = "muxcl.private";

/// The name of a function without effects. A call with the address of an `alloca` keeps LLVM's
/// passes from splitting the variable.
pub const KEEP: &str = "muxcl.keep";

/// The string attribute of a function without side effects that has vector variants.
///
/// Its value consists of the largest number of lanes of the variants, a power of two, and the name
/// of the scalar function that the variants compute in each lane: `16 _Z3sinf`. A function on
/// OpenCL vectors, such as `_Z3sinDv4_f`, has the attribute too and names the scalar function.
pub const VARIANTS: &str = "muxcl.variants";

/// The prefix of the names that this crate gives to vector variants.
pub const VARIANT_PREFIX: &str = "muxcl.lanes.";

/// Parses the attribute [`VARIANTS`] of `f`: the largest number of lanes and the name of the
/// scalar function. `None` without the attribute.
#[must_use]
pub fn variants_of(f: Function<'_>) -> Option<(u32, String)> {
    let text = f.string_attribute(VARIANTS)?;
    let (lanes, name) = text.split_once(' ')?;
    Some((lanes.parse().ok()?, name.to_owned()))
}

/// The largest factor of [`VariantLanes::Scalable`] for which scalable variants exist.
const MOST_SCALABLE: u32 = 8;

/// The number of lanes of a function's vector variant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VariantLanes {
    /// A fixed number of lanes.
    Fixed(u32),
    /// This factor (2 to 8) times `vscale` lanes.
    Scalable(u32),
}

/// The name of the vector variant of the function `scalar`. [`vectorize`] only declares variants;
/// its caller must define them. Parameters and result are vectors with an element for each lane.
#[must_use]
pub fn variant_name(scalar: &str, lanes: VariantLanes) -> String {
    match lanes {
        VariantLanes::Fixed(lanes) => format!("{VARIANT_PREFIX}{lanes}.{scalar}"),
        VariantLanes::Scalable(factor) => format!("{VARIANT_PREFIX}x{factor}.{scalar}"),
    }
}

/// The inverse of [`variant_name`]: the name of the scalar function and the number of lanes.
#[must_use]
pub fn parse_variant_name(name: &str) -> Option<(&str, VariantLanes)> {
    let (lanes, scalar) = name.strip_prefix(VARIANT_PREFIX)?.split_once('.')?;
    let lanes = match lanes.strip_prefix('x') {
        Some(factor) => VariantLanes::Scalable(factor.parse().ok()?),
        None => VariantLanes::Fixed(lanes.parse().ok()?),
    };
    Some((scalar, lanes))
}

/// How to vectorize.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// The number of lanes of a vector of 32-bit values, a power of two. Loops with mostly `double`
    /// values or few iterations get fewer lanes.
    pub lanes: u32,
    /// Leave a loop unchanged if vectors are not expected to be faster.
    pub only_if_faster: bool,
    /// How the last iterations run, which are too few to fill a vector.
    pub rest: Rest,
    /// The execution units, if the processor runs instructions out of order. A loop with long
    /// chains of dependent instructions then computes several vectors of `lanes` lanes in each
    /// iteration, as far as their values fit the registers. `None` turns this off.
    pub core: Option<Core>,
    /// The range of `vscale`, for vectors whose length is known at run time only. `None`: vectors
    /// have a fixed length.
    pub scalable: Option<Scalable>,
    /// True if consecutive loads and shuffles are faster than a gather whose addresses have a
    /// constant distance of a few elements, and stores likewise; and if a load of several elements
    /// for each lane and shuffles are faster than several gathers. RISC-V processors have accesses
    /// for such addresses, which LLVM makes of gathers and scatters.
    pub interleave: bool,
}

/// What the cost model knows about a processor that runs instructions out of order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Core {
    /// The number of vector registers.
    pub registers: u32,
    /// The number of vector instructions that the processor issues per cycle.
    pub per_cycle: u32,
    /// The number of vector instructions in the processor's out-of-order window, assuming that half
    /// of the instructions in the window are scalar.
    pub window: u32,
    /// True if the processor has arithmetic instructions for vectors of 16-bit floating-point
    /// numbers.
    pub half: bool,
    /// A product of 32-bit integers.
    pub product: Timing,
    /// A multiply-add of `float` or `double` values.
    pub multiply_add: Timing,
    /// A multiply-add of `half` values, if `half` is true.
    pub half_multiply_add: Timing,
}

impl Core {
    /// The values for a processor without a scheduling model: Intel's since Haswell.
    pub const PRODUCT: Timing = Timing { latency: 10, operations: 2 };
    /// As [`Self::PRODUCT`], for multiply-adds of any type.
    pub const MULTIPLY_ADD: Timing = Timing { latency: 4, operations: 1 };
}

/// The range of `vscale`, the factor of a scalable vector's length that the processor defines.
/// [`Options::lanes`] is the number of lanes with the smallest `vscale`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scalable {
    /// The smallest `vscale` of any processor that may run the code, a power of two.
    pub min: u32,
    /// The largest `vscale` of any processor that may run the code.
    pub max: u32,
    /// True if the processor has vectors of 16-bit floating-point numbers. LLVM cannot split
    /// scalable vectors into scalars, so loops with such numbers get vectors of a fixed length
    /// otherwise.
    pub half: bool,
}

/// The number of lanes of a vector: a constant, or a constant times `vscale`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Width {
    /// The number of lanes if `scale` is `None`. Otherwise the vector has `vscale * count` lanes.
    count: u32,
    /// The range of `vscale`; `None` for a fixed number of lanes.
    scale: Option<Scalable>,
}

impl Width {
    const fn fixed(count: u32) -> Self {
        Self { count, scale: None }
    }

    /// The width that has `lanes` lanes with the smallest `vscale`. It is fixed if `scale` is
    /// `None`, or if `lanes` is less than the smallest `vscale`.
    fn of(lanes: u32, scale: Option<Scalable>) -> Self {
        match scale {
            Some(s) if lanes >= s.min => Self { count: lanes / s.min, scale },
            _ => Self::fixed(lanes),
        }
    }

    /// The number of lanes with the smallest `vscale`.
    fn min(self) -> u32 {
        self.count * self.scale.map_or(1, |s| s.min)
    }

    /// The number of lanes with the largest `vscale`.
    fn max(self) -> u32 {
        self.count * self.scale.map_or(1, |s| s.max)
    }
}

impl std::fmt::Display for Width {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.scale {
            Some(s) if s.min == s.max => write!(f, "{} lanes", self.min()),
            Some(_) => write!(f, "{} lanes times vscale", self.count),
            None => write!(f, "{} lanes", self.count),
        }
    }
}

/// What one iteration of a loop over vectors computes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Vectorized {
    /// The number of lanes of all vectors of a row.
    pub width: Width,
    /// The number of vectors that run side by side. All of them together have `width` lanes.
    pub vectors: u32,
    /// The number of rows of work-items that run side by side.
    pub rows: u32,
    /// What still runs for one lane after another.
    pub notes: Notes,
}

/// How the last iterations run, which are too few to fill a vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rest {
    /// The scalar loop runs them one after another.
    Scalar,
    /// One more vector runs them, with a mask that disables the other lanes.
    Masked,
    /// Vectors have a length: the number of lanes or, if fewer, the number of remaining iterations.
    /// For processors whose vector instructions have a length.
    VectorLength,
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
    /// The cost model expects no gain, and [`Options::only_if_faster`] is set.
    #[error("lanes would not be faster")]
    Cost,
    /// The copies of private variables would need too much of the stack.
    #[error("the private variables of all lanes are too large for the stack")]
    Stack,
    /// A lane could wait for another lane for ever.
    #[error("a loop may wait for another work-item: {0}")]
    Progress(String),
    /// An instruction has no counterpart on lanes yet.
    #[error("no vector form: {0}")]
    Instruction(String),
}

/// Predicts, before the loop has its canonical form, whether [`vectorize`] would refuse it. The
/// loop stays unchanged.
///
/// # Errors
/// The reason why [`vectorize`] would refuse the loop in its canonical form too.
pub fn look<'m>(module: &'m Module<'_>, latch: Value<'m>, options: Options) -> Result<(), Refusal> {
    // Other forms may become canonical, and private variables may become registers.
    let Ok(graph) = graph::Graph::of_loop(latch) else { return Ok(()) };
    let lanes = lanes(&graph, options)?;
    let shapes = match shapes::Shapes::of(module, &graph, Width::fixed(lanes)) {
        Ok(shapes) => shapes,
        Err(refusal @ Refusal::Progress(_)) => return Err(refusal),
        Err(_) => return Ok(()),
    };
    let columns = columns(module, &graph, &shapes, options);
    let private = cost::Private::Registers;
    let pays = || cost::pays(module, &graph, &shapes, (lanes, options), private, &columns);
    let may_refuse = options.only_if_faster && !cross_lane::is_lockstep(&graph);
    if may_refuse && !pays() { Err(Refusal::Cost) } else { Ok(()) }
}

/// True if an access of the loop becomes faster by [`vectorize`] than by LLVM's loop vectorizer:
/// * its addresses are consecutive in most vectors, but not in all, because the index stops or
///   wraps at an edge. [`vectorize`] tests the addresses at run time;
/// * its addresses are consecutive in the next dimension instead. [`vectorize`] transposes.
pub fn has_better_access<'m>(module: &'m Module<'_>, latch: Value<'m>, options: Options) -> bool {
    let Ok(graph) = graph::Graph::of_loop(latch) else { return false };
    let instructions = || graph.blocks.iter().flat_map(|b| b.instructions());
    if !instructions().any(widen::regular::may_meet_edge) && !jam::may_have_rows(&graph) {
        return false;
    }
    let Ok(lanes) = lanes(&graph, options) else { return false };
    let Ok(shapes) = shapes::Shapes::of(module, &graph, Width::fixed(lanes)) else { return false };
    let at_edge = |i| widen::regular::is_usually_consecutive(module, &graph, &shapes, i);
    instructions().any(at_edge) || !columns(module, &graph, &shapes, options).is_empty()
}

/// The latch of the loop over rows of work-items: the loop around that of `latch`, if its number of
/// iterations is constant. [`vectorize`] may run several of its iterations side by side.
#[must_use]
pub fn latch_of_rows(latch: Value<'_>) -> Option<Value<'_>> {
    let graph = graph::Graph::of_loop(latch).ok()?;
    if jam::may_have_rows(&graph) { graph.after.terminator() } else { None }
}

/// The accesses along columns; none without [`Options::interleave`].
fn columns<'m>(
    module: &'m Module<'_>,
    graph: &graph::Graph<'m>,
    shapes: &shapes::Shapes<'m>,
    options: Options,
) -> BTreeSet<Value<'m>> {
    let fits = options.interleave && options.scalable.is_none() && !cross_lane::is_lockstep(graph);
    let rows = fits.then(|| jam::Rows::around(graph, shapes)).flatten();
    rows.map(|rows| columns::find(module, graph, shapes, &rows)).unwrap_or_default()
}

/// The number of lanes of a loop: the number of its iterations if it has operations between lanes,
/// otherwise the choice of the cost model.
fn lanes(graph: &graph::Graph<'_>, options: Options) -> Result<u32, Refusal> {
    if cross_lane::is_lockstep(graph) {
        return cross_lane::lanes(graph);
    }
    cost::lanes(graph, options).ok_or(Refusal::Few)
}

/// Vectorizes the loop of `f` that `latch`, a conditional branch, closes. On success the loop over
/// vectors runs before the old loop, which runs the last iterations, or instead of it
/// ([`Options::rest`]).
///
/// The caller promises that
/// * the iterations are independent of each other, fences and atomic operations aside;
/// * the counter starts below its bound, so that the old loop runs at least one iteration;
/// * the counter and its bound are below 2^31.
///
/// # Errors
/// The reason why the loop stays unchanged.
pub fn vectorize<'m>(
    module: &'m Module<'_>,
    f: Function<'m>,
    latch: Value<'m>,
    options: Options,
) -> Result<Vectorized, Refusal> {
    let graph = graph::Graph::of_loop(latch)?;
    let lockstep = cross_lane::is_lockstep(&graph);
    let lanes = lanes(&graph, options)?;
    // A fixed length is better for a constant number of iterations that fits the smallest vector.
    let fits = cost::iterations(&graph).is_some_and(|count| count <= lanes.into());
    let mut instructions = graph.blocks.iter().flat_map(|b| b.instructions());
    let calls = instructions.any(|i| shapes::lowering(i) == shapes::Lowering::Variant);
    let mut all = graph.blocks.iter().flat_map(|b| b.instructions());
    let half = all.any(|i| {
        let of = |v: Value<'m>| shapes::elements_of(v.ty()).map(|(element, _)| element.kind());
        let is_half = |v| matches!(of(v), Some(TypeKind::Half | TypeKind::BFloat));
        is_half(i) || i.operands().into_iter().any(is_half)
    });
    let mut width = Width::of(lanes, options.scalable.filter(|s| !fits && (s.half || !half)));
    if calls && width.scale.is_some() && width.count > MOST_SCALABLE {
        width = Width::fixed(lanes);
    }
    let mut shapes = match shapes::Shapes::of(module, &graph, width) {
        // A scalable vector reserves the stack for the largest `vscale`; a fixed one needs less.
        Err(Refusal::Stack) if width.scale.is_some() => {
            width = Width::fixed(lanes);
            shapes::Shapes::of(module, &graph, width)?
        }
        shapes => shapes?,
    };
    let mut lanes = lanes;
    if options.core.is_some() && !lockstep && width.scale.is_none() {
        while cost::exceeds_cache(&graph, &shapes, lanes) {
            lanes /= 2;
            width = Width::fixed(lanes);
            shapes = shapes::Shapes::of(module, &graph, width)?;
        }
    }
    let mut most = u32::MAX;
    if options.interleave && options.only_if_faster && !lockstep && width.scale.is_none() {
        let short = cost::of_whole(module, &graph, &shapes, lanes);
        let short = short.ok_or(Refusal::Cost)?;
        most = short.1;
        if short.0 < lanes {
            lanes = short.0;
            width = Width::fixed(lanes);
            shapes = shapes::Shapes::of(module, &graph, width)?;
        }
        let factor = cost::to_fill_lines(module, &graph, &shapes, lanes);
        if factor > 1 {
            let more = Width::fixed(lanes * factor);
            let wider = shapes::Shapes::of(module, &graph, more).ok();
            if let Some(wider) = wider.filter(|w| w.are_like(&shapes)) {
                (lanes, width, shapes, most) =
                    (lanes * factor, more, wider, most.min(cost::MOST_LINES));
            }
        }
    }
    let found = columns(module, &graph, &shapes, options);
    let private = cost::Private::Memory;
    let pays = || cost::pays(module, &graph, &shapes, (lanes, options), private, &found);
    if options.only_if_faster && !lockstep && !pays() {
        return Err(Refusal::Cost);
    }
    let loops = match options.interleave && width.scale.is_none() && !lockstep {
        true => row_loads::find(module, &graph, &shapes),
        false => Vec::new(),
    };
    let (graph, shapes) = if loops.is_empty() {
        (graph, shapes)
    } else {
        loops.iter().for_each(|l| l.unroll(module, f));
        let graph = graph::Graph::of_loop(latch)?;
        let shapes = shapes::Shapes::of(module, &graph, width)?;
        (graph, shapes)
    };
    let (graph, shapes, rows) = match jam::Rows::around(&graph, &shapes).filter(|_| !lockstep) {
        Some(rows) => {
            let found = columns(module, &graph, &shapes, options);
            let number = overlap::rows(module, &graph, &shapes, (&rows, &found), (lanes, options));
            if number > 1 {
                let copies = rows.jam(number);
                found.iter().for_each(|i| columns::join(*i, &copies));
                let graph = graph::Graph::of_loop(latch)?;
                let shapes = shapes::Shapes::of(module, &graph, width)?;
                (graph, shapes, number)
            } else {
                (graph, shapes, 1)
            }
        }
        None => (graph, shapes, 1),
    };
    let vectors =
        if lockstep { 1 } else { overlap::vectors(module, &graph, &shapes, (lanes, options)) };
    let mut vectors = vectors.min(most.max(1));
    while vectors > 1 && width.scale.is_none() {
        // The analysis runs again, because it depends on the number of lanes: the private variables
        // of more lanes may exceed the stack, and fewer values may be uniform or strided.
        let several = Width::fixed(lanes * vectors);
        let wider = shapes::Shapes::of(module, &graph, several);
        if let Some(wider) = wider.ok().filter(|w| w.accesses_are_like(&shapes, &graph)) {
            let notes = widen::run(module, f, &graph, &wider, (several, options));
            return Ok(Vectorized { width: several, vectors, rows, notes });
        }
        vectors /= 2;
    }
    let mut shapes = shapes;
    if widen::has_length(&graph, (width, options)) && width.scale.is_some() {
        // The processor may choose the length if no shape relies on whole vectors.
        let any = shapes::Shapes::with_multiple(module, &graph, width, 1);
        shapes = any.ok().filter(|any| any.are_like(&shapes)).unwrap_or(shapes);
    }
    let notes = widen::run(module, f, &graph, &shapes, (width, options));
    Ok(Vectorized { width, vectors: 1, rows, notes })
}
