//! Linking OpenCL's builtins: the members of the library that define what the program calls, and what those call.

use crate::error::CompileError;
use crate::program::Session;
use muxcl_llvm::{LinkMode, Module};
use std::collections::BTreeSet;

impl Session<'_> {
    /// Links every builtin the program needs into it. Afterwards only what the passes lower, intrinsics and truly
    /// undefined functions are without a body.
    pub(crate) fn link_builtins(&self, module: &Module<'_>) -> Result<(), CompileError> {
        let mut tried = BTreeSet::new();
        loop {
            let wanted: BTreeSet<_> = undefined(module)
                .into_iter()
                .filter(|name| !tried.contains(name))
                .filter_map(|name| muxcl_builtins::find(&name).map(|member| (member, name)))
                .collect();
            if wanted.is_empty() {
                return Ok(());
            }
            let members: BTreeSet<_> = wanted.iter().map(|(member, _)| *member).collect();
            tried.extend(wanted.into_iter().map(|(_, name)| name));
            for member in members {
                let bitcode = Module::parse_lazy(&self.context, muxcl_builtins::member(member)).map_err(|e| {
                    CompileError::internal(format_args!("{}: {e}", muxcl_builtins::member_name(member)))
                })?;
                self.link_into(module, bitcode, LinkMode::OnlyNeeded)?;
            }
        }
    }
}

/// Names of functions and variables that are used and have no definition; not LLVM's intrinsics.
pub(crate) fn undefined(module: &Module<'_>) -> Vec<String> {
    let functions = module.functions().into_iter().filter(|f| f.is_declaration() && !f.is_intrinsic());
    let functions = functions.map(muxcl_llvm::Function::value);
    let globals = module.globals().into_iter().filter(|g| g.is_declaration());
    functions.chain(globals).filter(|v| v.has_uses()).map(|v| v.name()).collect()
}
