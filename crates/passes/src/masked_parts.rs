//! `masked-parts`: masked loads with a constant mask return zeros, not poison, in other lanes.
//!
//! Code generation splits long vectors into registers. If a register's part of the mask is all
//! false, its part of the result is poison. LLVM 22's `visitFREEZE` replaces such a part in a
//! `freeze` by a node that contains the `freeze`, and the replacement never ends. Processors with
//! masked loads write zeros anyway, so zeros cost no instruction. The pass runs last.

use muxcl_llvm::Module;

use crate::PassError;

/// Runs the pass.
///
/// # Errors
/// Never fails today; all passes have this signature.
pub fn run(module: &Module<'_>) -> Result<(), PassError> {
    for f in module.functions() {
        if !f.is_intrinsic() || !f.name().starts_with("llvm.masked.load.") {
            continue;
        }
        for call in f.direct_calls() {
            let (mask, other) = (call.operand(1), call.operand(2));
            if mask.is_constant() && other.is_undef() {
                call.set_operand(2, other.ty().null());
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use muxcl_llvm::{Context, Module};

    #[test]
    fn only_loads_with_a_constant_mask_change() {
        let load = |mask: &str| {
            format!(
                "declare <2 x i32> @llvm.masked.load.v2i32.p0(ptr, <2 x i1>, <2 x i32>)\n\
                 define <2 x i32> @f(ptr %p, <2 x i1> %m) {{\n  \
                 %v = call <2 x i32> @llvm.masked.load.v2i32.p0(ptr align 4 %p, <2 x i1> {mask}, \
                 <2 x i32> poison)\n  ret <2 x i32> %v\n}}"
            )
        };
        let poison = |mask: &str| {
            let context = Context::new();
            let module = Module::parse_text(&context, &load(mask)).unwrap();
            super::run(&module).unwrap();
            module.verify().unwrap();
            module.to_string().contains("poison")
        };
        assert!(!poison("<i1 true, i1 false>"));
        assert!(poison("%m"));
    }
}
