//! `vecz`: loops over work-items become loops over vectors of work-items, where `muxcl-vecz` can.
//!
//! LLVM's loop vectorizer keeps the loops that it does well: those of a single block without
//! OpenCL vectors. Not here: how a loop is vectorized (`muxcl-vecz`).

use std::collections::BTreeSet;
use std::io::Write as _;

use muxcl_llvm::{
    Block, Builder, LoopHints, Module, Opcode, PipelineOptions, TargetMachine, Value, run_pipeline,
};
pub use muxcl_vecz::Options;
use muxcl_vecz::PRIVATE;

use crate::PassError;

/// The passes that give loops the form that `muxcl-vecz` takes. They unroll short inner loops, so
/// that private arrays become registers.
const CANONICAL_LOOPS: &str = "function(sroa<modify-cfg>,early-cse<memssa>,simplifycfg,\
    instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(loop-unroll-full),\
    sroa<modify-cfg>,early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>,lower-switch,\
    loop-simplify,lcssa)";

/// A function whose calls keep variables whole.
const KEEP: &str = "muxcl.keep";

/// Gives loops the form that `muxcl-vecz` takes.
///
/// The mark of a private variable does not survive when LLVM splits the variable. So a call keeps
/// each variable without a mark whole, and in the end all others are marked.
///
/// # Errors
/// LLVM refuses the passes.
pub fn prepare(module: &mut Module<'_>, machine: &TargetMachine) -> Result<(), PassError> {
    keep_shared(module);
    run_pipeline(module, CANONICAL_LOOPS, Some(machine), PipelineOptions::default())?;
    let Some(keep) = module.function(KEEP) else { return Ok(()) };
    let mut shared = BTreeSet::new();
    for call in keep.direct_calls() {
        shared.insert(call.args()[0]);
        call.erase();
    }
    keep.erase();
    for v in variables(module).into_iter().filter(|v| !shared.contains(v)) {
        v.mark(PRIVATE);
    }
    Ok(())
}

/// Calls [`KEEP`] with the address of each variable that iterations share.
fn keep_shared(module: &Module<'_>) {
    let cx = module.cx();
    let keep = module.add_function(KEEP, cx.function(cx.void(), &[cx.ptr(0)]));
    for v in variables(module).into_iter().filter(|v| !v.has_mark(PRIVATE)) {
        if let Some(next) = v.next() {
            Builder::before(next).call(keep, &[v]);
        }
    }
}

/// The variables on the stack of all functions.
fn variables<'m>(module: &'m Module<'_>) -> Vec<Value<'m>> {
    let functions = module.definitions().into_iter();
    functions.flat_map(|f| f.instructions()).filter(|i| i.is_alloca()).collect()
}

/// Runs the pass. `report`: writes to stderr which loops are vectorized, and why others are not.
pub fn run(module: &Module<'_>, options: Options, report: bool) {
    for f in module.definitions() {
        for b in f.blocks() {
            let Some(latch) = b.terminator().filter(|t| t.is_work_item_loop()) else { continue };
            let outcome = if options.only_if_faster && is_llvms(b, latch) {
                "left to LLVM's loop vectorizer".to_owned()
            } else {
                match muxcl_vecz::vectorize(module, f, latch, options) {
                    Ok(lanes) => {
                        // The scalar loop now runs only the remaining work-items.
                        latch.set_work_item_loop(LoopHints::default());
                        format!("{lanes} lanes")
                    }
                    Err(reason) => format!("scalar: {reason}"),
                }
            };
            if report {
                let name = f.name();
                let name = name.strip_prefix("muxcl.kernel.").unwrap_or(&name);
                let _ = writeln!(std::io::stderr().lock(), "muxcl: vecz: {name}: {outcome}");
            }
        }
    }
}

/// True for a loop that LLVM's loop vectorizer handles well.
fn is_llvms<'m>(b: Block<'m>, latch: Value<'m>) -> bool {
    let single = latch.successors().first() == Some(&b);
    let vectors = |i: &Value<'m>| {
        i.ty().is_vector()
            || matches!(i.opcode(), Opcode::ExtractElement)
            || (i.opcode() == Opcode::Store && i.operand(0).ty().is_vector())
    };
    single && !b.instructions().iter().any(vectors)
}
