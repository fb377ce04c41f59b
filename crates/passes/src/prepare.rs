//! `prepare`: brings kernels and functions into one form for all later passes.
//!
//! Kernels keep their name and get the attribute [`KERNEL_ATTRIBUTE`] and the C convention. Their
//! `byval` arguments become private copies. The pass removes `optnone`, `noinline` and needless
//! `convergent`. Not here: reading kernel metadata (`program-info`).

use std::collections::BTreeSet;

use muxcl_llvm::{Builder, Function, Linkage, Module};

use crate::{BLOCK_ATTRIBUTE, KERNEL_ATTRIBUTE, PassError, blocks, names};

pub(crate) const SPIR_KERNEL: u32 = 76;

/// Runs the pass.
///
/// # Errors
/// Never fails today; all passes have this signature.
pub fn run(module: &Module<'_>) -> Result<(), PassError> {
    for f in module.functions() {
        if f.is_intrinsic() {
            continue;
        }
        if f.convention() == SPIR_KERNEL && !f.is_declaration() {
            f.add_string_attribute(KERNEL_ATTRIBUTE, "");
            if blocks::is_block_kernel(f) {
                f.add_string_attribute(BLOCK_ATTRIBUTE, "");
            }
            copy_by_value_arguments(module, f);
        }
        // The code below gives all calls the C convention. A callee with another convention would
        // be undefined behaviour.
        f.set_convention(0);
        for name in ["optnone", "norecurse"] {
            f.remove_attribute(name);
        }
        // Functions that the library marks `noinline` keep the mark.
        if !f.name().starts_with("__muxcl_") {
            f.remove_attribute("noinline");
        }
        for key in [
            "stack-protector-buffer-size",
            "uniform-work-group-size",
            "frame-pointer",
            "no-builtins",
            "no-trapping-math",
            // The device's description names the processor.
            "target-cpu",
            "target-features",
            "tune-cpu",
        ] {
            f.remove_string_attribute(key);
        }
        f.add_attribute("nounwind");
        f.value().set_hidden(false);
        for i in f.instructions() {
            if i.is_call() && i.callee().is_none_or(|c| !c.is_intrinsic()) {
                i.set_call_convention(0);
            }
        }
    }
    drop_convergent(module);
    Ok(())
}

/// The kernels of a prepared module, in module order.
pub fn kernels<'m>(module: &'m Module<'_>) -> Vec<Function<'m>> {
    module
        .functions()
        .into_iter()
        .filter(|f| f.string_attribute(KERNEL_ATTRIBUTE).is_some())
        .collect()
}

/// Makes everything internal except kernels and program-scope variables. Runs after all linking.
pub fn internalise(module: &Module<'_>) {
    // C++ puts instances of templates into COMDAT groups. A program is linked from IR, so groups of
    // objects have no use, and a declaration may not be in one.
    module.functions().into_iter().for_each(|f| f.value().leave_comdat());
    module.globals().into_iter().for_each(muxcl_llvm::Value::leave_comdat);
    for f in module.definitions() {
        if f.string_attribute(KERNEL_ATTRIBUTE).is_none() {
            f.set_linkage(Linkage::Internal);
        } else {
            f.set_linkage(Linkage::External);
        }
    }
    for g in module.globals() {
        if !g.is_declaration() && !is_program_variable(g) {
            g.set_linkage(Linkage::Internal);
        }
    }
}

/// True for a program-scope variable in global memory: one per program, shared by its kernels.
pub fn is_program_variable(g: muxcl_llvm::Value<'_>) -> bool {
    g.ty().address_space() == 1 && !g.is_constant_global()
}

/// Copies by-value structures, because a kernel may write them. The pointer becomes a plain one.
fn copy_by_value_arguments(module: &Module<'_>, f: Function<'_>) {
    for (n, param) in (0u32..).zip(f.params()) {
        let Some(ty) = f.param_type_attribute(n, "byval") else {
            continue;
        };
        let first = f.entry().first();
        if let (Some(first), true) = (first, param.has_uses()) {
            let b = Builder::before(first);
            let copy = b.alloca(ty, "byval.copy");
            let align = u32::try_from(module.align_of(ty)).unwrap_or(1);
            copy.set_align(align);
            param.replace_all_uses(copy);
            b.memcpy(copy, align, param, align, f.cx().u64(module.size_of(ty)));
        }
        f.add_string_attribute(&format!("muxcl-byval-{n}"), &module.size_of(ty).to_string());
        f.remove_param_attribute(n, "byval");
    }
}

/// Keeps `convergent` only on functions that can reach a barrier.
fn drop_convergent(module: &Module<'_>) {
    let mut barrier: BTreeSet<Function<'_>> = module
        .functions()
        .into_iter()
        .filter(|f| f.is_declaration() && may_be_barrier(&f.name()))
        .collect();
    let mut work: Vec<Function<'_>> = barrier.iter().copied().collect();
    while let Some(f) = work.pop() {
        for call in f.value().users() {
            if call.is_instruction() {
                let caller = call.block().function();
                if barrier.insert(caller) {
                    work.push(caller);
                }
            }
        }
    }
    for f in module.functions() {
        if barrier.contains(&f) || f.is_intrinsic() {
            continue;
        }
        f.remove_attribute("convergent");
        for call in f.direct_calls() {
            call.remove_call_attribute("convergent");
        }
    }
}

/// True if the function may be or contain a barrier: the barriers themselves, and the functions of
/// the builtin library that use them.
fn may_be_barrier(name: &str) -> bool {
    names::is_barrier(name)
        || name.contains("work_group_")
        || name.contains("sub_group_")
        || name.contains("wait_group_events")
}
