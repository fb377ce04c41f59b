//! Warm-up of a back end: its first use builds tables, looks up features and reads code from disk.
//! This work does not depend on the program, so another thread does it while clang compiles the
//! first program of a process.

use muxcl_llvm::{Builder, Context, IntPredicate, Module, OptLevel, PipelineOptions, run_pipeline};

use super::{CodeTarget, finalise, specialise};
use crate::{Options, PassError, Runner};

/// Compiles a loop over 64 elements, `out[i] = in[i] + 0.0f`, with the pipeline for kernels, and
/// drops the result.
///
/// Passes run in the order in which a build needs them. The loop is tiny, so that each step ends
/// before the build gets there.
pub(super) fn run<T: CodeTarget + ?Sized>(target: &T) -> Result<(), PassError> {
    let context = Context::new();
    let mut module = Module::new(&context, "first use");
    finalise::retarget(target, &module)?;
    define_loop(&module);
    target.tune(&module);
    // The build's finalisation takes this machine from the idle list, with the CPU already known.
    let first = target.machine(OptLevel::Aggressive)?;
    run_pipeline(&mut module, "function(simplifycfg)", Some(&first), PipelineOptions::default())?;
    let machine = target.machine(OptLevel::Aggressive)?;
    drop(first);
    let options = Options::default();
    specialise::optimise(target, &mut module, &machine, false, &mut Runner::new(&options))?;
    machine.prepare_emission();
    // A second prepared machine, for the first kernel of the build.
    target.machine(OptLevel::Aggressive)?.prepare_emission();
    machine.emit_object(&mut module)?;
    Ok(())
}

/// Adds a function with the loop.
fn define_loop(module: &Module<'_>) {
    let cx = module.cx();
    let (float, pointer) = (cx.float(), cx.ptr(0));
    let f = module.add_function("f", cx.function(cx.void(), &[pointer, pointer]));
    f.add_param_attribute(0, "noalias", 0);
    f.add_param_attribute(1, "noalias", 0);
    let (entry, body, done) =
        (f.append_block("entry"), f.append_block("body"), f.append_block("done"));
    Builder::at_end(entry).br(body);
    let b = Builder::at_end(body);
    let i = b.phi(cx.i64(), "i");
    let from = b.gep(float, f.param(0), &[i]);
    let sum = b.fadd(b.load(float, from, 4), float.null());
    b.store(sum, b.gep(float, f.param(1), &[i]), 4);
    let next = b.add(i, cx.u64(1));
    b.cond_br(b.icmp(IntPredicate::Ult, next, cx.u64(64)), body, done);
    Builder::at_end(done).ret_void();
    i.add_incoming(cx.u64(0), entry);
    i.add_incoming(next, body);
}
