//! `vecz`: loops over work-items become loops over vectors of work-items, where `muxcl-vecz` can.
//!
//! By default, loops of a single block without calls and OpenCL vectors are left to LLVM's loop
//! vectorizer, which handles them well. Not here: how a loop is vectorized (`muxcl-vecz`).

pub mod unroll;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::Write as _;

use muxcl_llvm::{
    Along, Block, Builder, Function, LoopHints, Module, Opcode, TargetMachine, Value,
    run_on_function,
};
pub use muxcl_vecz::{Core, Options, Rest, Scalable};
use muxcl_vecz::{KEEP, PRIVATE, Refusal, Vectorized};

use crate::{PassError, kernel_abi};

/// The loops over work-items that `vecz` vectorizes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Vectors {
    /// None: only LLVM's vectorizers run.
    Llvm,
    /// The loops that are expected to become faster.
    Faster,
    /// All loops that `vecz` accepts, with this number of lanes (for tests).
    Always(u32),
}

impl Vectors {
    /// The options of `vecz` for vectors of a fixed length. `lanes` is the number of lanes that the
    /// processor's vector registers suggest; [`Vectors::Always`] has its own number instead. A loop
    /// computes only one vector in each iteration; the caller sets [`Options::core`] to allow
    /// more. `None` if `vecz` does not run.
    #[must_use]
    pub fn options(self, lanes: u32, rest: Rest) -> Option<Options> {
        let plain = Options {
            lanes,
            only_if_faster: true,
            rest,
            core: None,
            scalable: None,
            interleave: false,
        };
        match self {
            Self::Llvm => None,
            Self::Faster => Some(plain),
            Self::Always(lanes) => Some(Options { lanes, only_if_faster: false, ..plain }),
        }
    }
}

/// The passes with which the final pipeline starts. Before them, few values have a known distance
/// from one work-item to the next.
pub(crate) const CLEAN: &str =
    "sroa<modify-cfg>,early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>";
/// The passes after [`CLEAN`] that give loops the form that `muxcl-vecz` takes. They unroll short
/// inner loops, so that private arrays become registers.
const CANONICAL_LOOPS: &str = "loop-simplify,lcssa,loop(loop-unroll-full),\
    sroa<modify-cfg>,early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>,lower-switch,\
    loop-simplify,lcssa";

/// The number of cases in the switches of a function whose loops may run in lanes. Lanes need a
/// comparison for each case, which takes LLVM's simplifications quadratic time.
const MOST_CASES: usize = 1024;

/// What [`prepare`] has done.
#[derive(Debug, Default)]
pub struct Prepared<'c> {
    /// The functions with loops that `muxcl-vecz` may vectorize. Their loops are canonical.
    functions: Vec<String>,
    /// True if [`CLEAN`] has done its work on all functions of the module, or of `before`.
    pub(crate) cleaned: bool,
    /// The module before loops were made canonical.
    pub(crate) before: Option<Module<'c>>,
}

/// Gives loops the form that `muxcl-vecz` takes, in the functions with a loop that it may
/// vectorize. Others stay as they are, or go through the first passes of the final pipeline.
/// `report`: as in [`run`].
///
/// # Errors
/// LLVM refuses the passes.
pub fn prepare<'c>(
    module: &Module<'c>,
    machine: &TargetMachine,
    options: Options,
    report: bool,
) -> Result<Prepared<'c>, PassError> {
    let (all, huge): (Vec<_>, Vec<_>) =
        module.definitions().into_iter().partition(|f| cases(*f) <= MOST_CASES);
    if report {
        let outcome = scalar(&Refusal::Form("switches with too many cases"));
        huge.iter().flat_map(|f| latches(*f).into_iter().map(|_| *f)).for_each(|f| {
            tell(f, &outcome);
        });
    }
    let promising = |look: &dyn Fn(Value<'_>) -> Option<String>| -> Vec<String> {
        let mut names = Vec::new();
        for f in &all {
            let latches = latches(*f);
            let refusals: Vec<_> = latches.iter().filter_map(|latch| look(*latch)).collect();
            if refusals.len() < latches.len() {
                names.push(f.name());
            } else if report {
                refusals.iter().for_each(|outcome| tell(*f, outcome));
            }
        }
        names
    };
    let glance = |latch: Value<'_>| {
        (options.only_if_faster && is_llvms(module, latch, options))
            .then(|| left(latch.work_item_loop()))
    };
    if promising(&glance).is_empty() {
        return Ok(Prepared::default());
    }
    let kept = keep_shared(module);
    for f in &all {
        // SAFETY: no handle of an instruction or block is kept.
        unsafe { run_on_function(*f, CLEAN, machine) }?;
        shorten(module, *f, machine, options)?;
    }
    mark_private(module);
    let functions = promising(&|latch| {
        let refusal = || muxcl_vecz::look(module, latch, options).err();
        glance(latch).or_else(|| refusal().map(|reason| scalar(&reason)))
    });
    let before = (!functions.is_empty()).then(|| module.clone());
    for f in functions.iter().filter_map(|name| module.function(name)) {
        make_reducible(f, false);
        // Loops over rows are not unrolled before the pass has seen them.
        rows(f).into_iter().for_each(|latch| latch.set_work_item_loop(LoopHints::default()));
        // SAFETY: as above.
        unsafe { run_on_function(f, CANONICAL_LOOPS, machine) }?;
        rows(f).into_iter().for_each(Value::forget_work_item_loop);
        // LLVM may also have threaded jumps into loops.
        if make_reducible(f, true) {
            // SAFETY: as above.
            unsafe { run_on_function(f, "lower-switch,loop-simplify,lcssa", machine) }?;
        }
    }
    mark_private(module);
    for module in [Some(module), before.as_ref()].into_iter().flatten() {
        if let Some(keep) = module.function(KEEP) {
            keep.direct_calls().into_iter().for_each(Value::erase);
            keep.erase();
        }
    }
    Ok(Prepared { cleaned: !kept && huge.is_empty(), functions, before })
}

/// The number of cases of a function's switches.
fn cases(f: Function<'_>) -> usize {
    let switches = f.blocks().into_iter().filter_map(Block::terminator);
    switches.filter(|t| t.opcode() == Opcode::Switch).map(|t| t.block().successors().len()).sum()
}

/// Makes irreducible control flow in loops over work-items reducible. `last`: no pass that threads
/// jumps follows. True if a loop has changed.
fn make_reducible(f: Function<'_>, last: bool) -> bool {
    // `run` reports the loops that stay irreducible.
    let made = |latch: Value<'_>| muxcl_vecz::make_reducible(latch, last) != Ok(false);
    let changed = latches(f).into_iter().filter(|latch| made(*latch)).count() > 0;
    if changed {
        // SAFETY: no handle of an instruction is kept.
        unsafe { f.promote_allocas() };
    }
    changed
}

/// Ends loops over work-items after the last work-item that does something.
fn shorten<'m>(
    module: &'m Module<'_>,
    f: Function<'m>,
    machine: &TargetMachine,
    options: Options,
) -> Result<(), PassError> {
    if latches(f).into_iter().all(|latch| is_llvms(module, latch, options)) {
        return Ok(());
    }
    // SAFETY: no handle of an instruction or block is kept.
    unsafe { run_on_function(f, "loop-simplify,lcssa", machine) }?;
    let shortened: Vec<_> = latches(f).into_iter().map(muxcl_vecz::shorten).collect();
    if shortened.contains(&true) {
        // SAFETY: as above.
        unsafe { run_on_function(f, "simplifycfg,instcombine<no-verify-fixpoint>", machine) }?;
    }
    Ok(())
}

/// Calls [`KEEP`] with the address of each variable that iterations share. False if there are none.
///
/// The mark of a private variable does not survive when LLVM splits the variable. So these calls
/// keep all others whole, and [`mark_private`] marks what they do not keep.
fn keep_shared(module: &Module<'_>) -> bool {
    let cx = module.cx();
    let mut keep = None;
    for v in variables(module).into_iter().filter(|v| !v.has_mark(PRIVATE)) {
        let ty = || cx.function(cx.void(), &[cx.ptr(0)]);
        let keep = *keep.get_or_insert_with(|| module.add_function(KEEP, ty()));
        if let Some(next) = v.next() {
            Builder::before(next).call(keep, &[v]);
        }
    }
    keep.is_some()
}

/// Marks the variables that no call of [`KEEP`] keeps.
fn mark_private(module: &Module<'_>) {
    let calls = module.function(KEEP).map(Function::direct_calls).unwrap_or_default();
    let shared: BTreeSet<_> = calls.into_iter().map(|call| call.args()[0]).collect();
    for v in variables(module).into_iter().filter(|v| !shared.contains(v)) {
        v.mark(PRIVATE);
    }
}

/// The variables on the stack of all functions.
fn variables<'m>(module: &'m Module<'_>) -> Vec<Value<'m>> {
    let functions = module.definitions().into_iter();
    functions.flat_map(|f| f.instructions()).filter(|i| i.is_alloca()).collect()
}

/// The latches of the loops around the loops over work-items, if they are loops over rows.
fn rows(f: Function<'_>) -> Vec<Value<'_>> {
    latches(f).into_iter().filter_map(muxcl_vecz::latch_of_rows).collect()
}

/// The latches of the loops over work-items.
fn latches(f: Function<'_>) -> Vec<Value<'_>> {
    let ends = f.blocks().into_iter().filter_map(|b| b.terminator());
    ends.filter(|t| t.work_item_loop().is_some()).collect()
}

/// Runs the pass on the functions that [`prepare`] named. `report`: writes to stderr which loops
/// are vectorized, and why others are not. Returns the functions with a loop that is, and the lanes
/// of each.
pub fn run(
    module: &Module<'_>,
    prepared: &Prepared<'_>,
    options: Options,
    report: bool,
) -> Vec<(String, String)> {
    let mut made = Vec::new();
    for f in prepared.functions.iter().filter_map(|name| module.function(name)) {
        for latch in latches(f) {
            let along = latch.work_item_loop();
            let mut notes = Vec::new();
            let outcome = if options.only_if_faster && is_llvms(module, latch, options) {
                left(along)
            } else {
                match muxcl_vecz::vectorize(module, f, latch, options) {
                    Ok(vectorized) => {
                        // The scalar loop now runs only the remaining work-items.
                        latch.set_work_item_loop(LoopHints::default());
                        made.push((f.name(), lanes(&vectorized, along)));
                        let text = described(&vectorized, along);
                        notes.extend(vectorized.notes);
                        text
                    }
                    Err(reason) => scalar(&reason),
                }
            };
            if report {
                tell(f, &outcome);
                notes.iter().for_each(|note| tell(f, &note.to_string()));
            }
        }
        // The old loop is unreachable if vectors run all iterations.
        f.remove_unreachable();
    }
    made
}

/// The lanes of a loop over vectors, as a profile's table shows them.
fn lanes(vectorized: &Vectorized, along: Option<Along>) -> String {
    let text = vectorized.width.to_string();
    format!("{}{}", text.replacen(" lanes", "", 1), direction(along))
}

/// The lanes of each kernel of which the symbol is given, for a table. `made` is the result of
/// [`run`]. If no loop over work-items became one over vectors, LLVM's vectorizers may still have
/// made vectors; the longest one counts.
pub fn all_lanes(module: &Module<'_>, made: &[(String, String)], symbol: &str) -> String {
    let of_kernel = |name: &str| kernel_abi::is_of_kernel(name, symbol);
    let ours: BTreeSet<&str> =
        made.iter().filter(|(name, _)| of_kernel(name)).map(|(_, text)| text.as_str()).collect();
    if !ours.is_empty() {
        return ours.into_iter().collect::<Vec<_>>().join(" and ");
    }
    let functions = module.definitions().into_iter().filter(|f| of_kernel(&f.name()));
    let longest = functions
        .flat_map(Function::instructions)
        .filter(|i| i.ty().is_vector())
        .map(|i| i.ty().vector_len())
        .max();
    longest.map_or_else(String::new, |lanes| format!("{lanes} by LLVM"))
}

/// The outcome for a loop over vectors of the work-items along a dimension.
fn described(vectorized: &Vectorized, along: Option<Along>) -> String {
    let mut text = format!("{}{}", vectorized.width, direction(along));
    for (count, what) in [(vectorized.vectors, "vectors"), (vectorized.rows, "rows")] {
        if count > 1 {
            let _ = write!(text, ", {count} {what} side by side");
        }
    }
    text
}

/// The outcome for loops of which [`is_llvms`] is true.
fn left(along: Option<Along>) -> String {
    format!("left to LLVM's loop vectorizer{}", direction(along))
}

/// The dimension of a loop, as the end of an outcome.
fn direction(along: Option<Along>) -> String {
    along.map_or_else(String::new, |along| format!(" along {along}"))
}

fn scalar(reason: &Refusal) -> String {
    format!("scalar: {reason}")
}

fn tell(f: Function<'_>, outcome: &str) {
    let name = f.name();
    let name = name.strip_prefix("muxcl.kernel.").unwrap_or(&name);
    // Large kernels have separate functions for one or several groups, with a suffix such as
    // `.group`. The report shows the kernel's name only.
    let name = name.split('.').next().unwrap_or(name);
    let _ = writeln!(std::io::stderr().lock(), "muxcl: vecz: {name}: {outcome}");
}

/// True for a loop that LLVM's loop vectorizer handles well.
fn is_llvms<'m>(module: &'m Module<'_>, latch: Value<'m>, options: Options) -> bool {
    let b = latch.block();
    let single = latch.successors().first() == Some(&b);
    let ours = |i: &Value<'_>| {
        i.ty().is_vector()
            || (i.is_call() && i.callee().is_none_or(|f| !f.is_intrinsic()))
            || matches!(i.opcode(), Opcode::ExtractElement)
            || (i.opcode() == Opcode::Store && i.operand(0).ty().is_vector())
    };
    single
        && !b.instructions().iter().any(ours)
        && !muxcl_vecz::has_better_access(module, latch, options)
}
