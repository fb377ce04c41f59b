//! `zero-private`: zeroes private memory at the start of a kernel (`cl_khr_initialize_memory`).
//!
//! Every variable is zeroed where it is allocated, and lives for the whole function: the pass
//! removes lifetime markers, because the end of a lifetime makes the content undefined. Optimised
//! code also has undefined SSA values. They become zero if the program was built in a context
//! without this requirement. Not here: local memory (`kernel-abi`).

use muxcl_llvm::{Builder, Function, Module, Opcode, Value};

use crate::PassError;

/// The state of the module.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Clang's output: every variable is in memory.
    Source,
    /// Finalised: some variables are SSA values.
    Optimised,
}

/// Runs the pass.
///
/// # Errors
/// Never fails today; all passes have this signature.
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
    // Behind the entry's last alloca, so that allocas stay together.
    let entry = f.entry();
    let start = entry.instructions().into_iter().rfind(|i| i.is_alloca()).and_then(Value::next);
    for v in variables {
        let at = if v.block() == entry { start } else { v.next() };
        let (Some(at), Some(count)) = (at, v.operand(0).as_u64()) else { continue };
        let size = f.cx().u64(count * module.size_of(v.allocated_type()));
        Builder::before(at).memset(v, 0, size, u32::try_from(v.alloca_align()).unwrap_or(1));
    }
}

/// Replaces undefined operands by zero.
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
