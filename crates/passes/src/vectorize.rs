//! `vecz`: loops over work-items become loops over vectors of work-items, where `muxcl-vecz` can.
//!
//! LLVM's loop vectorizer keeps the loops that it does well: those of a single block without
//! OpenCL vectors. Not here: how a loop is vectorized (`muxcl-vecz`).

use std::io::Write as _;

use muxcl_llvm::{Block, LoopHints, Module, Opcode, Value};
pub use muxcl_vecz::Options;

/// The passes that give loops the form that `muxcl-vecz` takes. They do not split private
/// variables, because a split would lose the mark of a private variable ([`muxcl_vecz::PRIVATE`]).
pub const BEFORE: &str = "function(mem2reg,early-cse<memssa>,simplifycfg,\
    instcombine<no-verify-fixpoint>,lower-switch,loop-simplify,lcssa)";

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
