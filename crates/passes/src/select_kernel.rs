//! `select-kernel`: reads one kernel of a lazily loaded program, the functions it calls, and the
//! blocks it may enqueue; drops all other bodies.
//!
//! Program-scope variables become declarations if the program's globals object defines them; they
//! stay if one image holds all kernels.

use std::collections::BTreeSet;

use muxcl_llvm::{Function, Linkage, Module};

use crate::{PassError, blocks, prepare};

/// Runs the pass. Returns the kernels, then the blocks they may enqueue, which `names` need not
/// list. `variables`: keep the program's variables.
///
/// # Errors
/// No kernel has a given name, or the bitcode is damaged.
pub fn run<'m>(
    module: &'m Module<'_>,
    names: &[&str],
    variables: bool,
) -> Result<Vec<Function<'m>>, PassError> {
    let named = |name: &str| {
        let kernel =
            module.function(name).filter(|f| f.string_attribute(crate::KERNEL_ATTRIBUTE).is_some());
        kernel.ok_or_else(|| PassError::NoKernel(name.to_owned()))
    };
    let mut kernels = Vec::new();
    for name in names {
        kernels.push(named(name)?);
    }
    let mut seen: BTreeSet<Function<'m>> = kernels.iter().copied().collect();
    let mut work = kernels.clone();
    while let Some(f) = work.pop() {
        if f.is_materializable() {
            f.materialize()?;
        }
        for name in blocks::children(f) {
            let block = named(&name)?;
            if seen.insert(block) {
                kernels.push(block);
                work.push(block);
            }
        }
        for i in f.instructions() {
            for o in i.operands() {
                if let Some(g) = o.as_function()
                    && seen.insert(g)
                {
                    work.push(g);
                }
            }
        }
    }
    for f in module.functions() {
        if !seen.contains(&f) && (f.is_materializable() || !f.is_declaration()) {
            f.delete_body();
            f.set_linkage(Linkage::External);
            f.value().set_dso_local(false);
        }
    }
    for g in module.globals().into_iter().filter(|_| !variables) {
        if prepare::is_program_variable(g) && !g.is_declaration() {
            g.set_initializer(None);
            g.set_linkage(Linkage::External);
            // Another object, which may be far away, has the definition.
            g.set_dso_local(false);
        }
    }
    Ok(kernels)
}
