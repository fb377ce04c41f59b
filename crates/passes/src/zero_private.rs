//! `zero-private`: private memory is zero until the kernel writes it (`cl_khr_initialize_memory`).
//!
//! Every variable is set to zero where its memory is taken, and has that memory for the whole of
//! its function: what marks the end of a variable's life makes its content undefined, so it goes.
//! Optimised code also has undefined values without memory; they are made zero where a program
//! comes from a context that did not ask. Not here: local memory (`kernel-abi`).

use muxcl_llvm::{Builder, Function, Module, Opcode, Value};

use crate::PassError;

/// What the module has been through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// As clang left it: every variable is in memory.
    Source,
    /// Finalised: some are values.
    Optimised,
}

/// Runs the pass.
///
/// # Errors
/// None today; the signature is that of all passes.
pub fn run(module: &Module<'_>, stage: Stage) -> Result<(), PassError> {
    for f in module.definitions() {
        zero_variables(module, f);
        if stage == Stage::Optimised {
            f.instructions().into_iter().for_each(define);
        }
    }
    Ok(())
}

fn zero_variables(module: &Module<'_>, f: Function<'_>) {
    let mut variables = Vec::new();
    for i in f.instructions() {
        if i.is_alloca() {
            variables.push(i);
        } else if i.is_lifetime() {
            i.erase();
        }
    }
    // Behind the last of the entry's variables, so that they stay together.
    let entry = f.entry();
    let start = entry.instructions().into_iter().rfind(|i| i.is_alloca()).and_then(Value::next);
    for v in variables {
        let at = if v.block() == entry { start } else { v.next() };
        let (Some(at), Some(count)) = (at, v.operand(0).as_u64()) else { continue };
        let size = f.cx().u64(count * module.size_of(v.allocated_type()));
        Builder::before(at).memset(v, 0, size, u32::try_from(v.alloca_align()).unwrap_or(1));
    }
}

/// Operands that may be anything become zero.
fn define(i: Value<'_>) {
    if i.opcode() == Opcode::Phi {
        for (n, (value, _)) in (0u32..).zip(i.incoming()) {
            if value.is_undef() {
                i.set_incoming(n, value.ty().null());
            }
        }
        return;
    }
    for operand in i.operands() {
        if operand.is_undef() {
            i.replace_operand(operand, operand.ty().null());
        }
    }
}
