//! `local-memory`: static `__local` variables become offsets from the group's local memory.
//!
//! Not here: local pointer arguments, which `kernel-abi` places behind the static variables.

use muxcl_llvm::{Builder, Function, Module, Value};
use muxcl_types::sched::LOCAL_ALIGN;

use crate::program_info::local_globals;

/// The variables' offsets, and their total size in bytes (a multiple of [`LOCAL_ALIGN`], or 0).
pub fn layout(module: &Module<'_>, variables: &[Value<'_>]) -> (Vec<u64>, u64) {
    let mut at = 0u64;
    let mut offsets = Vec::with_capacity(variables.len());
    for v in variables {
        let ty = v.global_type();
        let align = module.align_of(ty).max(u64::from(v.align())).clamp(1, LOCAL_ALIGN);
        at = at.next_multiple_of(align);
        offsets.push(at);
        at += module.size_of(ty);
    }
    (offsets, at.next_multiple_of(LOCAL_ALIGN))
}

/// The local variables that these functions use, in module order. Expands constant expressions of
/// them to instructions.
pub fn variables<'m>(module: &'m Module<'_>, functions: &[Function<'m>]) -> Vec<Value<'m>> {
    let all: Vec<Value<'m>> =
        module.globals().into_iter().filter(|g| g.ty().address_space() == 3).collect();
    if all.is_empty() {
        return all;
    }
    for v in &all {
        // SAFETY: this pass keeps no handle of a constant derived from a variable's address.
        unsafe { v.expand_constant_users() };
    }
    let mut used = std::collections::BTreeSet::new();
    for f in functions {
        for i in f.instructions() {
            for o in i.operands() {
                local_globals(o, &mut used);
            }
        }
    }
    all.into_iter().filter(|v| used.contains(v)).collect()
}

/// Replaces, in one function, every use of the variables by an address relative to `base`, computed
/// at `at`.
pub fn replace<'m>(
    f: Function<'m>,
    variables: &[Value<'m>],
    offsets: &[u64],
    base: Value<'m>,
    at: Value<'m>,
) {
    let cx = f.cx();
    for (v, offset) in variables.iter().zip(offsets) {
        let mut address = None;
        for user in v.users() {
            if user.is_instruction() && user.block().function() == f {
                let a = *address
                    .get_or_insert_with(|| Builder::before(at).byte_offset(base, cx.u64(*offset)));
                if user.opcode() == muxcl_llvm::Opcode::Phi {
                    for (n, (value, _)) in (0u32..).zip(user.incoming()) {
                        if value == *v {
                            user.set_incoming(n, a);
                        }
                    }
                } else {
                    user.replace_operand(*v, a);
                }
            }
        }
    }
}
