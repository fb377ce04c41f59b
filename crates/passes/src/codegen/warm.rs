//! The first use of a back end: tables it makes, code nobody has touched, features it looks up. All that is the same whatever is
//! compiled, so it can be done beside clang's work on the first program of a process.

use muxcl_llvm::{Context, IntPredicate, Module, OptLevel, PipelineOptions, run_pipeline};

use super::{CodeTarget, finalise, specialise};
use crate::PassError;

/// Compiles `for (i = 0; i < n; ++i) out[i] = in[i] + 0.0f` as kernels are compiled, for nobody.
pub(super) fn run<T: CodeTarget + ?Sized>(target: &T) -> Result<(), PassError> {
    let context = Context::new();
    let module = Module::new(&context, "first use");
    finalise::retarget(target, &module)?;
    let cx = module.cx();
    let (word, float, pointer) = (cx.i64(), cx.float(), cx.ptr(0));
    let f = module.add_function("f", cx.function(cx.void(), &[pointer, pointer, word]));
    let (entry, body, done) = (f.append_block("entry"), f.append_block("body"), f.append_block("done"));
    let b = muxcl_llvm::Builder::at_end(entry);
    b.br(body);
    b.set_at_end(body);
    let i = b.phi(word, "i");
    let from = b.gep(float, f.param(0), &[i]);
    let sum = b.fadd(b.load(float, from, 4), float.null());
    b.store(sum, b.gep(float, f.param(1), &[i]), 4);
    let next = b.add(i, cx.u64(1));
    b.cond_br(b.icmp(IntPredicate::Ult, next, f.param(2)), body, done);
    b.set_at_end(done);
    b.ret_void();
    i.add_incoming(cx.u64(0), entry);
    i.add_incoming(next, body);
    let machine = target.machine(OptLevel::Aggressive)?;
    target.tune(&module);
    run_pipeline(&module, specialise::LATE, Some(&machine), PipelineOptions::default())?;
    machine.emit_object(&module)?;
    Ok(())
}
